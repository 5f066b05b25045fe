//! Splicing: cases made from cases by copying one part over another of the same label, because
//! equal parts are rare at random, and many bugs need them.

use crate::case::{Case, Choice, ChoiceSpan};
use crate::random::{Random, Seed};

impl Case {
    /// The case with the content of one span copied over another of the same label, to be replayed
    /// by position; `None` if no two such spans that differ are found.
    pub fn spliced(&self, seed: Seed) -> Option<Case> {
        let mut random = Random::new(seed);
        let spans = &self.sequence.spans;
        let n_spans = u64::try_from(spans.len()).ok().filter(|it| *it > 0)?;
        // A few tries: many spans have no partner, and looking for one is cheap.
        for _ in 0..16 {
            let from = spans[random.below(n_spans) as usize];
            let alike: Vec<&ChoiceSpan> =
                spans.iter().filter(|it| self.can_splice(&from, it)).collect();
            if !alike.is_empty() {
                let over = alike[random.below(alike.len() as u64) as usize];
                return Some(self.with_spliced_span(&from, over));
            }
        }
        None
    }

    fn can_splice(&self, from: &ChoiceSpan, over: &ChoiceSpan) -> bool {
        let apart = from.end <= over.start || over.end <= from.start;
        // A part may also replace a span around it, but not the other way round: cases would only
        // grow.
        let inside = over.start <= from.start && from.end <= over.end;
        let choices = &self.sequence.choices;
        from.label == over.label
            && (apart || inside)
            && choices[from.range()] != choices[over.range()]
    }

    fn with_spliced_span(&self, from: &ChoiceSpan, over: &ChoiceSpan) -> Case {
        let choices = &self.sequence.choices;
        let parts = [
            &choices[..over.start as usize],
            &choices[from.range()],
            &choices[over.end as usize..],
        ];
        let choices: Vec<Choice> = parts.concat();
        // Without spans: the case is replayed by position, and the replay records its own.
        let mut mutant = Case { bigs: self.bigs.clone(), ..Case::default() };
        mutant.sequence.choices = choices;
        mutant
    }
}

#[cfg(test)]
mod tests {
    use crate::source::Source;
    use crate::subject::Subject;
    use crate::test_program::{RandomTestProgram, test_seed};

    #[test]
    fn a_mutant_can_be_replayed_and_differs() {
        let mut n_mutants = 0;
        for number in 0..200 {
            let mut program = RandomTestProgram::new(number);
            let mut source = Source::new(program.kinds.clone());
            source.record(test_seed(1), 50);
            program.run(&mut source);
            let case = source.recorded_case();
            let Some(mutant) = case.spliced(test_seed(number)) else { continue };
            n_mutants += 1;
            assert_ne!(mutant.choices(), case.choices());
            assert_eq!(mutant, case.spliced(test_seed(number)).unwrap());
            source.replay(&mutant, 10_000);
            program.run(&mut source);
        }
        assert!(n_mutants > 50, "{n_mutants}");
    }
}
