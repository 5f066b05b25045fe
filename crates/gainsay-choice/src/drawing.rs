//! Drawing programs made from seeds: generators of any shape, for testing what must hold for all.

use crate::kind::{
    Boolean, Chars, Float, Integer, Kind, KindId, Kinds, More, Pool, Reference, Selector,
};
use crate::label::{Label, Labels};
use crate::random::{Random, Seed};
use crate::source::{Part, Source, Stopped, TextKind};
use crate::subject::{Identity, Subject, Verdict};
use crate::urn::Urn;
use crate::value::Value;

/// One thing that a generator does.
#[derive(Debug)]
enum Step {
    Draw(KindId),
    Within(KindId),
    Span(Label, Vec<Step>),
    Part(Part, Vec<Step>),
    List(KindId, Vec<Step>),
    Alternatives(Vec<Vec<Step>>),
    Urn(Vec<u32>),
    Text(TextKind),
    Variables,
    UntilEven(KindId),
    Forced(KindId),
}

/// A generator, and a test that fails for some of what it makes.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) kinds: Kinds,
    pub(crate) labels: Labels,
    steps: Vec<Step>,
    threshold: u64,
    /// What the last run drew.
    pub(crate) drawn: Vec<i64>,
}

const ELEMENT: &str = "element";

impl Program {
    /// The program of a number.
    pub(crate) fn new(number: u64) -> Self {
        let mut random = Random::new(Seed { run: number, claim: 1, case: 1 });
        let mut program = Program {
            kinds: Kinds::new(),
            labels: Labels::new(),
            steps: Vec::new(),
            threshold: 1 + random.below(40),
            drawn: Vec::new(),
        };
        program.labels.intern(ELEMENT);
        program.steps = program.make_steps(&mut random, 3);
        program
    }

    fn make_steps(&mut self, random: &mut Random, depth: u32) -> Vec<Step> {
        (0..=random.below(4)).map(|_| self.make_step(random, depth)).collect()
    }

    fn make_step(&mut self, random: &mut Random, depth: u32) -> Step {
        let name = format!("part {}", random.below(4));
        let label = self.labels.intern(&name);
        match random.below(if depth == 0 { 8 } else { 13 }) {
            0 | 1 => Step::Draw(self.make_kind(random)),
            2 => Step::Within(self.kinds.intern(integer(random))),
            3 => Step::Urn((0..=random.below(5)).map(|_| random.below(5) as u32 + 1).collect()),
            4 => Step::Text(TextKind {
                chars: self.kinds.intern(Kind::Char(Chars::any())),
                more: self.kinds.intern(Kind::More(More { min: 0, max: Some(6), average: 3 })),
                element: self.labels.intern(ELEMENT),
                words: ["abc".into()].into(),
            }),
            5 => Step::Variables,
            6 => Step::UntilEven(self.kinds.intern(integer(random))),
            7 => Step::Forced(self.kinds.intern(integer(random))),
            8 => Step::Span(label, self.make_steps(random, depth - 1)),
            11 | 12 => {
                // Twice the same, so that one can be a copy of the other.
                let part = Part(random.below(3) as u32);
                Step::Part(part, self.make_steps(random, depth - 1))
            }
            9 => {
                let more = More { min: random.below(2) as u32, max: Some(8), average: 4 };
                let more = self.kinds.intern(Kind::More(more));
                Step::List(more, self.make_steps(random, depth - 1))
            }
            _ => {
                let n = 2 + random.below(3);
                Step::Alternatives((0..n).map(|_| self.make_steps(random, depth - 1)).collect())
            }
        }
    }

    fn make_kind(&mut self, random: &mut Random) -> KindId {
        let kind = match random.below(6) {
            0..3 => integer(random),
            3 => Kind::Boolean(Boolean::with_chance(1, 3)),
            4 => Kind::Float(Float::any()),
            _ => Kind::Selector(Selector::weighted(&[3, 0, 1, 1]).expect("weights above 0")),
        };
        self.kinds.intern(kind)
    }
}

fn integer(random: &mut Random) -> Kind {
    let integer = match random.below(4) {
        0 => Integer::any(),
        1 => Integer::between(0, random.below(1000) as i64).expect("a range from 0"),
        2 => Integer::between(-5, 300).expect("a range").towards(7),
        _ => Integer::between(i64::MIN, i64::MAX).expect("a range").with_edges([42.into()]),
    };
    Kind::Integer(integer.in_pool(Pool(random.below(2) as u32)))
}

impl Subject for Program {
    fn run(&mut self, source: &mut Source) -> Verdict {
        self.drawn.clear();
        let mut n_variables = 0;
        let element = self.labels.intern(ELEMENT);
        let mut run =
            Run { source, drawn: &mut self.drawn, n_variables: &mut n_variables, element };
        match run.steps(&self.steps) {
            Err(Stopped) => Verdict::Stopped,
            Ok(()) => {
                // Small values weigh little, so that larger cases fail and smaller ones pass.
                let weights =
                    self.drawn.iter().map(|it| u64::from(it.unsigned_abs().min(9) as u32));
                let weight: u64 = weights.sum();
                match weight {
                    _ if self.drawn.first() == Some(&5) => Verdict::Invalid,
                    _ if weight < self.threshold => Verdict::Pass,
                    _ => Verdict::Fail(Identity(u128::from(self.drawn.len() > 6))),
                }
            }
        }
    }
}

struct Run<'r> {
    source: &'r mut Source,
    drawn: &'r mut Vec<i64>,
    n_variables: &'r mut u32,
    element: Label,
}

impl Run<'_> {
    fn steps(&mut self, steps: &[Step]) -> Result<(), Stopped> {
        steps.iter().try_for_each(|it| self.step(it))
    }

    fn step(&mut self, step: &Step) -> Result<(), Stopped> {
        match step {
            Step::Draw(kind) => {
                let value = self.source.draw(*kind)?;
                self.keep(value);
            }
            Step::Within(kind) => {
                let low = self.drawn.last().copied().unwrap_or(0).clamp(-4, 200);
                let drawn = self.source.draw_within(*kind, low, 250);
                self.drawn.push(drawn?);
            }
            Step::Span(label, steps) => {
                self.source.open(*label);
                self.steps(steps)?;
                self.source.close();
            }
            Step::Part(part, steps) => {
                for _ in 0..2 {
                    self.source.begin_part(*part);
                    self.steps(steps)?;
                    self.source.end_part();
                }
            }
            Step::List(more, steps) => {
                let mut n = 0;
                while self.source.element(self.element, *more, n)? {
                    self.steps(steps)?;
                    self.source.close();
                    n += 1;
                }
            }
            Step::Alternatives(alternatives) => {
                let weights = vec![2; alternatives.len()];
                let which = self.source.select(&weights)?;
                self.steps(&alternatives[which as usize])?;
            }
            Step::Urn(weights) => {
                let mut urn: Urn<u32> = weights.iter().copied().zip(0..).collect();
                let which = self.source.select_from(&urn)?;
                self.drawn.push(i64::from(which));
                while urn.weight() > 4 {
                    let taken = self.source.take_from(&mut urn)?;
                    self.drawn.push(i64::from(taken));
                }
            }
            Step::Text(kind) => {
                let text = self.source.text(kind)?;
                self.drawn.extend(text.chars().map(|it| i64::from(u32::from(it))));
            }
            Step::Variables => self.variables()?,
            Step::UntilEven(kind) => self.until_even(*kind)?,
            Step::Forced(kind) => {
                let value = self.source.kinds_mut().simplest(*kind);
                self.source.force(*kind, value)?;
            }
        }
        Ok(())
    }

    fn variables(&mut self) -> Result<(), Stopped> {
        if *self.n_variables > 0 {
            let Reference { pool, live } = Reference { pool: Pool(0), live: *self.n_variables };
            let variable = self.source.reference(pool, live)?;
            self.drawn.push(i64::from(variable));
        }
        self.source.bind(Pool(0));
        *self.n_variables += 1;
        Ok(())
    }

    /// Draws again while the value is odd, as a solver that runs into dead ends.
    fn until_even(&mut self, kind: KindId) -> Result<(), Stopped> {
        let mark = self.source.mark();
        for _ in 0..20 {
            let value = self.source.draw(kind)?;
            if let Value::Small(small) = value
                && small % 2 == 0
            {
                self.keep(value);
                return Ok(());
            }
            self.source.rewind(mark)?;
        }
        Ok(())
    }

    fn keep(&mut self, value: Value) {
        self.drawn.push(match value {
            Value::Small(small) => small,
            Value::Big(_) => 9,
        });
    }
}

/// A seed for the tests.
pub(crate) fn seed(case: u64) -> Seed {
    Seed { run: 11, claim: 3, case }
}
