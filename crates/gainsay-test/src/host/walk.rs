//! Tests against specifications: what happens next in a walk, and what became of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use gainsay_gen::LoweredProgram;
use gainsay_smt::SmtValue;
use gainsay_synth::{
    BugReason, DrawSource, ExploreState, GeneratorSetup, GeneratorVerdict, GroundEvent,
    InfeasibleReason, OpId as Operation, PlanGuide, SynthesisStatus, TestGenerator, TracePlan,
    ValueDomains, WalkAction, WalkState,
};
use gainsay_vm::{EffectCall, Refusal, Value, run_on_big_stack};

use self::values::WalkValues;
use super::{CaseAnnotation, CaseHost};

mod values;

/// The label of runs in which the system did what the trace of the generator does not foresee.
pub(crate) const DEVIATED: &str = "deviated";

/// The label of runs in which every answer was as expected.
pub(crate) const AS_EXPECTED: &str = "as expected";

/// Why a case of a test against a specification tested nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum UntestedReason {
    /// No trace of the specification reaches the goal, and nothing was left out of the search.
    Unreachable,
    /// The search for traces was cut off before it found one.
    SearchGaveUp,
    /// No values were found that satisfy the conditions of the trace.
    NoValues,
    /// An event of this operation was awaited, and the system did not offer it.
    NeverPending(String),
}

/// The walk of a case.
#[derive(Default)]
pub(super) struct Walk {
    /// The values that were drawn for each sort.
    pools: BTreeMap<String, Vec<Value>>,
    current: Option<CurrentWalk>,
}

struct CurrentWalk {
    test: usize,
    guide: Guide,
    values: WalkValues,
    /// The events that may be delivered.
    pending: Vec<(Value, Operation, Vec<SmtValue>)>,
    /// What happens next, and the position among the pending events if it is one of them.
    next: Option<(Value, Option<usize>)>,
    verdict: Option<GeneratorVerdict>,
    /// The number of events that have happened.
    n_events: usize,
}

/// What decides what happens next.
enum Guide {
    /// A generator, by number.
    Generator(usize, Box<WalkState>),
    /// Chance.
    Chance(ExploreState),
}

/// Draws from the source of the case.
struct CaseDraws<'h, 'l>(&'h mut CaseHost<'l>);

impl DrawSource for CaseDraws<'_, '_> {
    fn below(&mut self, bound: usize) -> usize {
        // Evenly: numbers of the language repeat and are small, which would let most cases have the
        // same few values.
        let drawn = self.0.evenly(bound).and_then(|it| usize::try_from(it).ok());
        // A source that has stopped ends the case.
        drawn.unwrap_or(0)
    }
}

/// Draws of a walk whose events are given: a saved case has no choices for what it need not draw.
struct FixedDraws {
    n_drawn: u64,
}

impl DrawSource for FixedDraws {
    fn below(&mut self, bound: usize) -> usize {
        // The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), of a counter.
        self.n_drawn += 1;
        let mut mixed = self.n_drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % (bound.max(1) as u64)).unwrap_or(0)
    }
}

impl Walk {
    /// Forgets the walk of the last case.
    pub(super) fn begin(&mut self) {
        self.pools.clear();
        self.current = None;
    }
}

impl CaseHost<'_> {
    /// Performs an operation of `Walk`; `None` for any other.
    pub(super) fn perform_walk(
        &mut self,
        call: &EffectCall<'_>,
    ) -> Option<Result<Value, Refusal>> {
        let ops = &self.ops.walk;
        let op = Some(call.op);
        match call.args {
            [Value::Str(sort), Value::List(values)] if op == ops.pool => {
                let values = values.iter().cloned().collect();
                self.walk.pools.insert(sort.as_str().to_owned(), values);
                Some(Ok(Value::UNIT))
            }
            [Value::Int(test)] if op == ops.generator => Some(self.choose_generator(*test)),
            [Value::Int(test), Value::Int(generator)] if op == ops.begin => {
                Some(self.begin_walk(*test, *generator))
            }
            [Value::List(pending)] if op == ops.offer => {
                let pending: Vec<Value> = pending.iter().cloned().collect();
                Some(self.offer(pending))
            }
            [Value::Str(function)] if op == ops.ask => {
                let walk = self.walk.current.as_mut();
                let arguments = walk.and_then(|it| it.values.ask(function.as_str()));
                Some(Ok(self.option(arguments)))
            }
            [Value::Str(function), _, result] if op == ops.answer => {
                if let Some(walk) = &mut self.walk.current {
                    walk.values.answer(function.as_str(), result);
                }
                Some(Ok(Value::UNIT))
            }
            [] if op == ops.goes_on => Some(self.go_on()),
            [] if op == ops.event => Some(self.next_event()),
            [_] if op == ops.happens => Some(self.position()),
            [] if op == ops.fault => Some(self.fault()),
            _ => None,
        }
    }

    fn choose_generator(&mut self, test: i64) -> Result<Value, Refusal> {
        let test = usize::try_from(test).map_err(|_| Refusal::Unanswered)?;
        let Some(plan) = trace_test(self.lowered, test) else {
            return Err(self.discard_walk(test, UntestedReason::SearchGaveUp));
        };
        if !matches!(plan.guide, PlanGuide::Generators) {
            return Ok(Value::Int(0));
        }
        if !plan.generators.is_empty() {
            let drawn = self.source.select_in_turn(plan.generators.len() as u32, &plan.turns);
            // A source that has stopped ends the case.
            return Ok(Value::Int(self.record_draw(drawn.ok().map(i64::from)).unwrap_or(0)));
        }
        self.found_no_solution = plan.generators.is_empty();
        Err(self.discard_walk(test, no_generator(plan)))
    }

    fn begin_walk(&mut self, test: i64, generator: i64) -> Result<Value, Refusal> {
        let numbers = (usize::try_from(test), usize::try_from(generator));
        let (Ok(test), Ok(generator)) = numbers else { return Err(Refusal::Unanswered) };
        let Some(plan) = trace_test(self.lowered, test) else {
            return Err(self.discard_walk(test, UntestedReason::SearchGaveUp));
        };
        let event = self.program.trace_tests[test].event;
        let mut pools = std::mem::take(&mut self.walk.pools);
        let given = self.given_events(test).to_vec();
        let values = WalkValues::new(self.program, plan, event, &mut pools, &given);
        let guide = match &plan.guide {
            PlanGuide::Rules => Guide::Chance(ExploreState::new(&plan.spec)),
            PlanGuide::Chance(fault) => {
                Guide::Chance(ExploreState::without_rules(&plan.spec, fault.clone()))
            }
            PlanGuide::Generators => {
                let domains = values.domains();
                let found = plan.generators.get(generator);
                let state =
                    found.and_then(|it| Some(WalkState::new(&setup(plan, it, &domains)?)));
                let Some(state) = state else {
                    return Err(self.discard_walk(test, no_generator(plan)));
                };
                Guide::Generator(generator, Box::new(state))
            }
        };
        let (pending, next, verdict, n_events) = (Vec::new(), None, None, 0);
        let walk = CurrentWalk { test, guide, values, pending, next, verdict, n_events };
        self.walk.current = Some(walk);
        Ok(Value::UNIT)
    }

    /// The events of a saved case, in order.
    fn given_events(&self, test: usize) -> &[Value] {
        let Some(event) = self.program.trace_tests.get(test).map(|it| it.event) else {
            return &[];
        };
        let ctors = &self.program.nominal(event).ctors;
        self.inputs.given_where(|it| it.as_ctor().is_some_and(|it| ctors.contains(&it)))
    }

    /// Receives the events that may be delivered.
    fn offer(&mut self, pending: Vec<Value>) -> Result<Value, Refusal> {
        let Some(walk) = &mut self.walk.current else { return Err(Refusal::Unanswered) };
        let ground = pending.into_iter().map(|event| {
            let (op, args) = walk.values.ground(&event)?;
            Some((event, op, args))
        });
        // What is too large for conditions stays undelivered, at its position: the positions are
        // those of the system.
        walk.pending = ground.collect::<Option<_>>().ok_or(Refusal::OutOfRange(
            "an event with an integer beyond 128 bits".to_owned(),
        ))?;
        Ok(Value::UNIT)
    }

    /// Decides what happens next.
    fn go_on(&mut self) -> Result<Value, Refusal> {
        let Some(mut walk) = self.walk.current.take() else { return Err(Refusal::Unanswered) };
        let Some(plan) = trace_test(self.lowered, walk.test) else {
            return Err(Refusal::Unanswered);
        };
        let given = self.given_events(walk.test).get(walk.n_events).cloned();
        let given = given.and_then(|it| walk.values.ground(&it));
        let given = given.map(|(op, args)| GroundEvent { op, args, is_initial: false });
        let pending: Vec<(Operation, Vec<SmtValue>)> =
            walk.pending.iter().map(|(_, op, args)| (*op, args.clone())).collect();
        let action = self.next_action(&mut walk, plan, &pending, given.as_ref());
        walk.next = match action {
            WalkAction::Perform { op, args } => {
                walk.values.event(op, &args).map(|event| (event, None))
            }
            WalkAction::Deliver { position } => {
                walk.pending.get(position).map(|it| (it.0.clone(), Some(position)))
            }
            WalkAction::End(verdict) => {
                walk.verdict = Some(verdict);
                None
            }
        };
        let goes_on = walk.next.is_some();
        walk.n_events += 1;
        let test = walk.test;
        self.walk.current = Some(walk);
        if self.source.stop_reason().is_some() {
            return Err(self.give_up(self.program.trace_tests[test].span));
        }
        Ok(Value::Bool(goes_on))
    }

    fn next_action(
        &mut self,
        walk: &mut CurrentWalk,
        plan: &TracePlan,
        pending: &[(Operation, Vec<SmtValue>)],
        given: Option<&GroundEvent>,
    ) -> WalkAction {
        self.solver_steps += EFFORT_PER_EVENT;
        let domains = walk.values.domains();
        let is_given = !self.given_events(walk.test).is_empty();
        let mut fixed = FixedDraws { n_drawn: (walk.n_events as u64) << 32 };
        let mut drawn = CaseDraws(self);
        let draws: &mut dyn DrawSource = if is_given { &mut fixed } else { &mut drawn };
        match &mut walk.guide {
            Guide::Chance(state) => state.next(&plan.spec, &domains, pending, given, draws),
            Guide::Generator(number, state) => {
                let generator = plan.generators.get(*number);
                match generator.and_then(|it| setup(plan, it, &domains)) {
                    Some(setup) => state.next(&setup, pending, given, draws),
                    None => WalkAction::End(GeneratorVerdict::Infeasible(
                        InfeasibleReason::NoValues,
                    )),
                }
            }
        }
    }

    fn next_event(&mut self) -> Result<Value, Refusal> {
        let next = self.walk.current.as_ref().and_then(|it| it.next.as_ref());
        next.map(|it| it.0.clone()).ok_or(Refusal::Unanswered)
    }

    fn position(&mut self) -> Result<Value, Refusal> {
        let next = self.walk.current.as_ref().and_then(|it| it.next.as_ref());
        let (_, position) = next.ok_or(Refusal::Unanswered)?;
        Ok(Value::Int(position.map_or(-1, |it| it as i64)))
    }

    /// Judges the walk: why it shows a fault, or an empty text.
    fn fault(&mut self) -> Result<Value, Refusal> {
        let Some(walk) = self.walk.current.take() else { return Err(Refusal::Unanswered) };
        let (test, verdict) = (walk.test, walk.verdict.clone());
        let plan = trace_test(self.lowered, test);
        let (Some(plan), Some(verdict)) = (plan, verdict) else {
            return Err(Refusal::Unanswered);
        };
        // A walk that was judged is an observation, whatever the judgement.
        self.n_observed += 1;
        let label = match verdict {
            GeneratorVerdict::Bug(reason) => {
                return Ok(Value::str(self.reason(&walk, plan, &reason)));
            }
            GeneratorVerdict::Passed => AS_EXPECTED,
            GeneratorVerdict::Deviated => DEVIATED,
            GeneratorVerdict::Infeasible(reason) => {
                let reason = match reason {
                    InfeasibleReason::NoValues => UntestedReason::NoValues,
                    InfeasibleReason::NeverPending(op) => {
                        UntestedReason::NeverPending(plan.spec.operation(op).name.clone())
                    }
                };
                return Err(self.discard_walk(test, reason));
            }
        };
        self.annotations.add(CaseAnnotation::Collect(label.to_owned()));
        Ok(Value::str(""))
    }

    fn reason(&self, walk: &CurrentWalk, plan: &TracePlan, reason: &BugReason) -> String {
        match reason {
            BugReason::Violation => {
                let violated = match &walk.guide {
                    Guide::Generator(..) => plan.goal,
                    Guide::Chance(state) => state.violated,
                };
                let goal = violated.map_or("", |it| plan.spec.goals[it].name.as_str());
                format!("the system allows the violation `{}.{goal}`", plan.spec.name)
            }
            BugReason::WrongAnswer { event } => self.wrong_answer(walk, plan, *event),
            BugReason::Crash(crash) => crash.message.clone(),
        }
    }

    fn wrong_answer(&self, walk: &CurrentWalk, plan: &TracePlan, event: usize) -> String {
        let Guide::Generator(generator, state) = &walk.guide else { return String::new() };
        let text = |op, args: &[SmtValue]| {
            let event = walk.values.event(op, args)?;
            Some(self.text(&event, MAX_TEXT))
        };
        let actual = state.trace.last().and_then(|it| text(it.op, &it.args));
        let domains = walk.values.domains();
        let expected = plan.generators.get(*generator).and_then(|generator| {
            let setup = setup(plan, generator, &domains)?;
            let op = generator.trace.events.get(event)?.op;
            let args = state.expected_args(&setup, event).into_iter();
            text(op, &args.collect::<Option<Vec<_>>>()?)
        });
        let actual = actual.unwrap_or_default();
        match expected {
            Some(expected) => {
                format!("the system answers `{actual}`, but `{expected}` is expected")
            }
            None => format!("the system answers `{actual}`, which is not expected"),
        }
    }

    /// Discards the case at the goal of the test.
    fn discard_walk(&mut self, test: usize, reason: UntestedReason) -> Refusal {
        self.given_up = self.program.trace_tests.get(test).map(|it| it.span);
        self.given_up_by_generator = true;
        *self.untested.entry(reason).or_default() += 1;
        Refusal::Discard
    }
}

/// What an event of a walk counts against the effort of a claim: about what its conditions cost.
const EFFORT_PER_EVENT: u64 = 200;

/// The longest text of an event in a reason.
const MAX_TEXT: usize = 200;

fn no_generator(plan: &TracePlan) -> UntestedReason {
    match plan.status {
        SynthesisStatus::Unreachable => UntestedReason::Unreachable,
        SynthesisStatus::GaveUp | SynthesisStatus::Reached => UntestedReason::SearchGaveUp,
    }
}

fn setup<'a>(
    plan: &'a TracePlan,
    generator: &'a TestGenerator,
    domains: &'a ValueDomains<'a>,
) -> Option<GeneratorSetup<'a>> {
    Some(GeneratorSetup {
        spec: &plan.spec,
        goal: plan.goal()?,
        terms: &generator.terms,
        trace: &generator.trace,
        program: &generator.program,
        domains,
    })
}

/// What a test follows; its goal is searched for when the first case asks.
fn trace_test(lowered: &LoweredProgram, test: usize) -> Option<&TracePlan> {
    let source = lowered.record.trace_tests.get(test)?;
    let plan = lowered.trace_tests.get(test).map(Arc::as_ref)?;
    let plan = plan.get_or_init(|| {
        // Conditions can be nested as deeply as expressions.
        run_on_big_stack(|| {
            TracePlan::new(&source.source, &source.spec, source.goal.as_deref())
        })
    });
    plan.as_ref()
}
