//! Cases made from cases: one part is copied over another of the same name, because equal parts
//! are what chance seldom makes and mistakes often need.

use crate::case::{Case, Choice, Span};
use crate::random::{Random, Seed};

impl Case {
    /// The case with what one span holds put into another of the same name, to be replayed by
    /// position; nothing if there are no two such spans that differ.
    pub fn mutant(&self, seed: Seed) -> Option<Case> {
        let mut random = Random::new(seed);
        let spans = &self.trail.spans;
        let n_spans = u64::try_from(spans.len()).ok().filter(|it| *it > 0)?;
        for _ in 0..16 {
            let from = spans[random.below(n_spans) as usize];
            let alike: Vec<&Span> =
                spans.iter().filter(|it| self.can_copy(&from, it)).collect();
            if !alike.is_empty() {
                let over = alike[random.below(alike.len() as u64) as usize];
                return Some(self.with_copied(&from, over));
            }
        }
        None
    }

    fn can_copy(&self, from: &Span, over: &Span) -> bool {
        let apart = from.end <= over.start || over.end <= from.start;
        // A part may also take the place of what it is in; the other way round would not end.
        let inside = over.start <= from.start && from.end <= over.end;
        let choices = &self.trail.choices;
        from.label == over.label
            && (apart || inside)
            && choices[from.range()] != choices[over.range()]
    }

    fn with_copied(&self, from: &Span, over: &Span) -> Case {
        let choices = &self.trail.choices;
        let parts = [
            &choices[..over.start as usize],
            &choices[from.range()],
            &choices[over.end as usize..],
        ];
        let choices: Vec<Choice> = parts.concat();
        let mut mutant = Case { bigs: self.bigs.clone(), ..Case::default() };
        mutant.trail.choices = choices;
        mutant
    }
}

#[cfg(test)]
mod tests {
    use crate::drawing::{Program, seed};
    use crate::source::Source;
    use crate::subject::Subject;

    #[test]
    fn a_mutant_can_be_replayed_and_differs() {
        let mut n_mutants = 0;
        for number in 0..200 {
            let mut program = Program::new(number);
            let mut source = Source::new(program.kinds.clone());
            source.record(seed(1), 50);
            program.run(&mut source);
            let case = source.case();
            let Some(mutant) = case.mutant(seed(number)) else { continue };
            n_mutants += 1;
            assert_ne!(mutant.choices(), case.choices());
            assert_eq!(mutant, case.mutant(seed(number)).unwrap());
            source.replay(&mutant, 10_000);
            program.run(&mut source);
        }
        assert!(n_mutants > 50, "{n_mutants}");
    }
}
