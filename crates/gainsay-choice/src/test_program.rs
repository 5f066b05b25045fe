//! Random test programs: generators of any structure, for testing properties of all generators.

use crate::kind::{
    BooleanKind, CharKind, FloatKind, IntegerKind, Kind, KindId, KindTable, MoreElementsKind,
    PoolId, ReferenceKind, SelectorKind,
};
use crate::random::{Random, Seed};
use crate::source::{PartSort, RunStopped, Source, TextKind};
use crate::span_label::{SpanLabel, SpanLabels};
use crate::subject::{FailureIdentity, RunVerdict, Subject};
use crate::urn::Urn;
use crate::value::ChoiceValue;

/// One step of a generator.
#[derive(Debug)]
enum TestProgramStep {
    Draw(KindId),
    Within(KindId),
    Span(SpanLabel, Vec<TestProgramStep>),
    Part(PartSort, Vec<TestProgramStep>),
    List(KindId, Vec<TestProgramStep>),
    Alternatives(Vec<Vec<TestProgramStep>>),
    Urn(Vec<u32>),
    Text(TextKind),
    Variables,
    UntilEven(KindId),
    Forced(KindId),
}

/// A generator, and a test that fails for some of its cases.
#[derive(Debug)]
pub(crate) struct RandomTestProgram {
    pub(crate) kinds: KindTable,
    pub(crate) labels: SpanLabels,
    steps: Vec<TestProgramStep>,
    threshold: u64,
    /// What the last run drew.
    pub(crate) drawn: Vec<i64>,
}

const ELEMENT: &str = "element";

impl RandomTestProgram {
    /// The program with a number.
    pub(crate) fn new(number: u64) -> Self {
        let mut random = Random::new(Seed { run: number, claim: 1, case: 1 });
        let mut program = RandomTestProgram {
            kinds: KindTable::new(),
            labels: SpanLabels::new(),
            steps: Vec::new(),
            threshold: 1 + random.below(40),
            drawn: Vec::new(),
        };
        program.labels.intern(ELEMENT);
        program.steps = program.make_steps(&mut random, 3);
        program
    }

    fn make_steps(&mut self, random: &mut Random, depth: u32) -> Vec<TestProgramStep> {
        (0..=random.below(4)).map(|_| self.make_step(random, depth)).collect()
    }

    fn make_step(&mut self, random: &mut Random, depth: u32) -> TestProgramStep {
        let name = format!("part {}", random.below(4));
        let label = self.labels.intern(&name);
        match random.below(if depth == 0 { 8 } else { 13 }) {
            0 | 1 => TestProgramStep::Draw(self.make_kind(random)),
            2 => TestProgramStep::Within(self.kinds.intern(random_integer_kind(random))),
            3 => TestProgramStep::Urn(
                (0..=random.below(5)).map(|_| random.below(5) as u32 + 1).collect(),
            ),
            4 => TestProgramStep::Text(TextKind {
                chars: self.kinds.intern(Kind::Char(CharKind::any())),
                more: self.kinds.intern(Kind::MoreElements(MoreElementsKind {
                    min: 0,
                    max: Some(6),
                    average: 3,
                })),
                element: self.labels.intern(ELEMENT),
                frequent_texts: ["abc".into()].into(),
            }),
            5 => TestProgramStep::Variables,
            6 => TestProgramStep::UntilEven(self.kinds.intern(random_integer_kind(random))),
            7 => TestProgramStep::Forced(self.kinds.intern(random_integer_kind(random))),
            8 => TestProgramStep::Span(label, self.make_steps(random, depth - 1)),
            11 | 12 => {
                // Runs twice, so that one part can be a copy of the other.
                let part = PartSort(random.below(3) as u32);
                TestProgramStep::Part(part, self.make_steps(random, depth - 1))
            }
            9 => {
                let more =
                    MoreElementsKind { min: random.below(2) as u32, max: Some(8), average: 4 };
                let more = self.kinds.intern(Kind::MoreElements(more));
                TestProgramStep::List(more, self.make_steps(random, depth - 1))
            }
            _ => {
                let n = 2 + random.below(3);
                TestProgramStep::Alternatives(
                    (0..n).map(|_| self.make_steps(random, depth - 1)).collect(),
                )
            }
        }
    }

    fn make_kind(&mut self, random: &mut Random) -> KindId {
        let kind = match random.below(6) {
            0..3 => random_integer_kind(random),
            3 => Kind::Boolean(BooleanKind::with_chance(1, 3)),
            4 => Kind::Float(FloatKind::any()),
            _ => {
                Kind::Selector(SelectorKind::weighted(&[3, 0, 1, 1]).expect("weights above 0"))
            }
        };
        self.kinds.intern(kind)
    }
}

fn random_integer_kind(random: &mut Random) -> Kind {
    let integer = match random.below(4) {
        0 => IntegerKind::any(),
        1 => IntegerKind::between(0, random.below(1000) as i64).expect("a range from 0"),
        2 => IntegerKind::between(-5, 300).expect("a range").towards(7),
        _ => IntegerKind::between(i64::MIN, i64::MAX).expect("a range").with_edges([42.into()]),
    };
    Kind::Integer(integer.in_pool(PoolId(random.below(2) as u32)))
}

impl Subject for RandomTestProgram {
    fn run(&mut self, source: &mut Source) -> RunVerdict {
        self.drawn.clear();
        let mut n_variables = 0;
        let element = self.labels.intern(ELEMENT);
        let mut run = TestProgramRun {
            source,
            drawn: &mut self.drawn,
            n_variables: &mut n_variables,
            element,
        };
        match run.run_steps(&self.steps) {
            Err(RunStopped) => RunVerdict::Stopped,
            Ok(()) => {
                // Small values weigh little, so that larger cases fail and smaller ones pass.
                let weights =
                    self.drawn.iter().map(|it| u64::from(it.unsigned_abs().min(9) as u32));
                let weight: u64 = weights.sum();
                match weight {
                    _ if self.drawn.first() == Some(&5) => RunVerdict::Invalid,
                    _ if weight < self.threshold => RunVerdict::Pass,
                    _ => RunVerdict::Fail(FailureIdentity(u128::from(self.drawn.len() > 6))),
                }
            }
        }
    }
}

struct TestProgramRun<'r> {
    source: &'r mut Source,
    drawn: &'r mut Vec<i64>,
    n_variables: &'r mut u32,
    element: SpanLabel,
}

impl TestProgramRun<'_> {
    fn run_steps(&mut self, steps: &[TestProgramStep]) -> Result<(), RunStopped> {
        steps.iter().try_for_each(|it| self.run_step(it))
    }

    fn run_step(&mut self, step: &TestProgramStep) -> Result<(), RunStopped> {
        match step {
            TestProgramStep::Draw(kind) => {
                let value = self.source.draw(*kind)?;
                self.record_drawn(value);
            }
            TestProgramStep::Within(kind) => {
                let low = self.drawn.last().copied().unwrap_or(0).clamp(-4, 200);
                let drawn = self.source.draw_small_within(*kind, low, 250);
                self.drawn.push(drawn?);
            }
            TestProgramStep::Span(label, steps) => {
                self.source.open_span(*label);
                self.run_steps(steps)?;
                self.source.close_span();
            }
            TestProgramStep::Part(part, steps) => {
                for _ in 0..2 {
                    self.source.begin_part(*part);
                    self.run_steps(steps)?;
                    self.source.end_part();
                }
            }
            TestProgramStep::List(more, steps) => {
                let mut n = 0;
                while self.source.open_element(self.element, *more, n)? {
                    self.run_steps(steps)?;
                    self.source.close_span();
                    n += 1;
                }
            }
            TestProgramStep::Alternatives(alternatives) => {
                let weights = vec![2; alternatives.len()];
                let which = self.source.select(&weights)?;
                self.run_steps(&alternatives[which as usize])?;
            }
            TestProgramStep::Urn(weights) => {
                let mut urn: Urn<u32> = weights.iter().copied().zip(0..).collect();
                let which = self.source.select_from_urn(&urn)?;
                self.drawn.push(i64::from(which));
                while urn.weight() > 4 {
                    let taken = self.source.take_from_urn(&mut urn)?;
                    self.drawn.push(i64::from(taken));
                }
            }
            TestProgramStep::Text(kind) => {
                let text = self.source.draw_text(kind)?;
                self.drawn.extend(text.chars().map(|it| i64::from(u32::from(it))));
            }
            TestProgramStep::Variables => self.run_variables()?,
            TestProgramStep::UntilEven(kind) => self.draw_until_even(*kind)?,
            TestProgramStep::Forced(kind) => {
                let value = self.source.kinds_mut().simplest(*kind);
                self.source.force_choice(*kind, value)?;
            }
        }
        Ok(())
    }

    fn run_variables(&mut self) -> Result<(), RunStopped> {
        if *self.n_variables > 0 {
            let ReferenceKind { pool, n_live: live } =
                ReferenceKind { pool: PoolId(0), n_live: *self.n_variables };
            let variable = self.source.draw_reference(pool, live)?;
            self.drawn.push(i64::from(variable));
        }
        self.source.bind_variable(PoolId(0));
        *self.n_variables += 1;
        Ok(())
    }

    /// Draws again while the value is odd, like a solver that runs into dead ends.
    fn draw_until_even(&mut self, kind: KindId) -> Result<(), RunStopped> {
        let mark = self.source.checkpoint();
        for _ in 0..20 {
            let value = self.source.draw(kind)?;
            if let ChoiceValue::Small(small) = value
                && small % 2 == 0
            {
                self.record_drawn(value);
                return Ok(());
            }
            self.source.rewind(mark)?;
        }
        Ok(())
    }

    fn record_drawn(&mut self, value: ChoiceValue) {
        self.drawn.push(match value {
            ChoiceValue::Small(small) => small,
            ChoiceValue::Big(_) => 9,
        });
    }
}

/// A seed for the tests.
pub(crate) fn test_seed(case: u64) -> Seed {
    Seed { run: 11, claim: 3, case }
}
