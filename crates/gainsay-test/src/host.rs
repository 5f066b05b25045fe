//! The host of a case: what a claim draws comes from a source, what it says is taken down, and
//! no effect reaches the real world.

mod annotations;
mod case_inputs;
mod generated_functions;
mod generators;

use std::collections::BTreeMap;
use std::sync::Arc;

use gainsay_choice::{
    Case, ChoiceValue as Drawn, EdgeCase, IntegerKind, Kind, KindId, PartSort, Seed, Source,
    SpanLabel, Urn,
};
use gainsay_core::{OpId, OperationKind, Program, TypeTable};
use gainsay_gen::{DrawOps, LoweredProgram};
use gainsay_source::Span;
use gainsay_vm::{
    EffectCall, FailureAction, Host, HostAnswer, Observation, Refusal, Value, is_small_int,
};

pub(crate) use self::annotations::CaseAnnotation;
pub use self::annotations::CaseAnnotations;
use self::annotations::DuplicateKey;
pub(crate) use self::case_inputs::CaseInputs;
pub(crate) use self::generated_functions::GeneratedFunctions;

use crate::flake_injection::FlakeInjector;
use crate::value_tracer::SharedTracer;

/// The most weights that a choice is made by at once.
const MAX_WEIGHTS: usize = 32;

/// Which `across` of a run is entered: they are counted as they come.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum EnteredSite {
    /// None: what stands around them is run.
    None,
    /// The one with this number.
    Only(u32),
}

/// What a case is drawn from.
#[derive(Debug, Copy, Clone)]
pub struct CaseStart<'a> {
    /// Where its random numbers come from.
    pub seed: Seed,
    /// How large it is.
    pub size: u32,
    /// The edge that comes up in it.
    pub edge: Option<&'a Arc<EdgeCase>>,
}

impl CaseStart<'_> {
    /// A run in which nothing is drawn.
    pub(crate) const NOTHING: CaseStart<'static> =
        CaseStart { seed: Seed { run: 0, claim: 0, case: 0 }, size: 0, edge: None };

    /// A case without an edge.
    pub fn new(seed: Seed, size: u32) -> Self {
        Self { seed, size, edge: None }
    }
}

/// Answers what one worker asks, case after case.
pub struct CaseHost<'l> {
    /// What is drawn comes from it.
    pub source: Source,
    lowered: &'l LoweredProgram,
    program: &'l Program,
    ops: &'l DrawOps,
    pub(crate) entered: EnteredSite,
    /// The sites that were come by, in order, without those inside of others.
    pub passed_sites: Vec<u32>,
    /// How many sites are open whose end is told: inside of one, every other is entered.
    n_open_sites: u32,
    /// The sites whose inputs were drawn, over all cases, by position.
    entered_sites: Vec<bool>,
    /// Observations that the host heard of.
    pub(crate) n_observed: u64,
    /// Values thrown away by each filter.
    pub(crate) rejected: BTreeMap<u32, u64>,
    /// Values kept by each filter.
    pub(crate) accepted: BTreeMap<u32, u64>,
    n_rejected: u32,
    /// Where the case was given up.
    pub(crate) given_up: Option<Span>,
    /// Whether a generator gave it up.
    pub(crate) given_up_by_generator: bool,
    /// The inputs, as far as they were told, and those that are given.
    pub(crate) inputs: CaseInputs,
    /// What the case says about itself.
    pub annotations: CaseAnnotations,
    pub(crate) functions: GeneratedFunctions,
    /// The urns of the case, by number.
    urns: Vec<Urn<u32>>,
    /// Both sides of the observation that did not hold.
    pub(crate) failed_sides: Option<(Value, Value)>,
    /// How large values should be, unless the claim says otherwise.
    pub case_size: u32,
    size: Option<i64>,
    /// What was drawn quickly and is too large to be answered so.
    large_draw: Option<Value>,
    any_int: KindId,
    any_index: KindId,
    pub(crate) flake_injector: FlakeInjector,
    /// Who receives the values of traced terms, if somebody does.
    pub tracer: Option<SharedTracer>,
}

/// How often a filter may throw values away in one case before the case is given up.
const MAX_REJECTED: u32 = 1000;

impl<'l> CaseHost<'l> {
    /// The host of a version of a program.
    pub fn new(lowered: &'l LoweredProgram, program: &'l Program) -> Self {
        let (source, any_int, any_index) = new_source(lowered);
        Self {
            source,
            lowered,
            program,
            ops: &lowered.ops,
            entered: EnteredSite::None,
            passed_sites: Vec::new(),
            n_open_sites: 0,
            entered_sites: vec![false; lowered.sites.len()],
            n_observed: 0,
            rejected: BTreeMap::new(),
            accepted: BTreeMap::new(),
            n_rejected: 0,
            given_up: None,
            given_up_by_generator: false,
            inputs: CaseInputs::default(),
            annotations: CaseAnnotations::default(),
            functions: GeneratedFunctions::default(),
            urns: Vec::new(),
            failed_sides: None,
            case_size: 0,
            size: None,
            large_draw: None,
            any_int,
            any_index,
            flake_injector: FlakeInjector::default(),
            tracer: None,
        }
    }

    /// Begins a case of a search.
    #[inline]
    pub(crate) fn search(&mut self, start: CaseStart<'_>) {
        self.case_size = start.size;
        self.annotations.set_case_number(start.seed.case);
        match start.edge {
            None => self.source.search(start.seed, start.size),
            Some(edge) => self.source.search_edge_case(start.seed, start.size, edge),
        }
    }

    /// Begins the same case once more, with recording.
    pub fn record(&mut self, start: CaseStart<'_>) {
        self.case_size = start.size;
        let seed = self.flake_injector.seed(start.seed);
        match start.edge {
            None => self.source.record(seed, start.size),
            Some(edge) => self.source.record_edge_case(seed, start.size, edge),
        }
    }

    /// Begins a run with the choices of a case.
    pub fn replay(&mut self, case: &Case, size: u32) {
        self.case_size = size;
        self.annotations.set_case_number(0);
        self.source.replay(case, case.choices().len());
    }

    /// Whether the case has generated functions, which answer until the next case begins.
    pub fn has_generated_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Forgets the last case. The source is begun by the caller.
    pub fn begin(&mut self) {
        self.flake_injector.start_run();
        self.passed_sites.clear();
        self.n_rejected = 0;
        self.given_up = None;
        self.given_up_by_generator = false;
        self.large_draw = None;
        self.n_open_sites = 0;
        self.inputs.begin();
        self.annotations.begin();
        self.functions.clear();
        self.urns.clear();
        self.failed_sides = None;
        self.size = None;
    }

    /// Whether an `across` draws inputs: the one that is entered, and all inside of it, whose
    /// inputs are further inputs of the same case.
    fn across(&mut self, site: u32) -> i64 {
        if self.n_open_sites == 0 {
            let number = self.passed_sites.len() as u32;
            self.passed_sites.push(site);
            if self.entered != EnteredSite::Only(number) {
                return 0;
            }
        }
        let at = site as usize;
        if let Some(site) = self.lowered.sites.get(at) {
            self.n_open_sites += u32::from(site.may_nest);
            self.annotations.set_duplicate_key(if site.reports_values {
                DuplicateKey::Values
            } else {
                DuplicateKey::Draws
            });
        }
        if let Some(is_entered) = self.entered_sites.get_mut(at) {
            *is_entered = true;
        }
        1
    }

    /// The sites whose inputs were drawn since this was last asked, by position.
    pub(crate) fn take_entered_sites(&mut self) -> impl Iterator<Item = u32> + use<> {
        let n_sites = self.entered_sites.len();
        let sites = std::mem::replace(&mut self.entered_sites, vec![false; n_sites]);
        (0..).zip(sites).filter_map(|(at, is_entered)| is_entered.then_some(at))
    }

    fn size(&self) -> i64 {
        self.size.unwrap_or(i64::from(self.case_size))
    }

    fn reject(&mut self, filter: u32) -> i64 {
        *self.rejected.entry(filter).or_default() += 1;
        self.n_rejected += 1;
        self.source.reject();
        i64::from(self.n_rejected < MAX_REJECTED)
    }

    /// Answers an operation on small integers; nothing when the source has stopped, or when
    /// the answer is not a small integer.
    #[inline]
    fn draw(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        let ops = self.ops;
        match *args {
            [kind] if op == ops.int => self.draw_int(KindId::from_number(kind as u32)),
            [kind] if op == ops.pick => {
                let picked = self.source.draw_small(KindId::from_number(kind as u32));
                self.record_draw(picked)
            }
            [kind, n] if op == ops.more => {
                let more = self.source.draw_more(KindId::from_number(kind as u32), n as u32);
                self.record_draw(more.ok().map(i64::from))
            }
            [lo, hi] if Some(op) == ops.gen_.int => self.range(lo, hi),
            _ => self.draw_cold_path(op, args),
        }
    }

    /// Takes down what was drawn, so that cases that are the same can be counted.
    #[inline]
    fn record_draw(&mut self, drawn: Option<i64>) -> Option<i64> {
        if let Some(drawn) = drawn {
            self.annotations.record_draw(drawn as u64);
        }
        drawn
    }

    #[inline]
    fn draw_int(&mut self, kind: KindId) -> Option<i64> {
        match self.source.draw(kind) {
            Ok(Drawn::Small(int)) if is_small_int(int) => self.record_draw(Some(int)),
            Ok(drawn) => {
                self.large_draw = Some(self.drawn(drawn));
                None
            }
            Err(_) => None,
        }
    }

    fn draw_cold_path(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        let ops = self.ops;
        match *args {
            [container, n] if op == ops.element => {
                let container = self.lowered.containers.get(container as usize)?;
                let (label, kind) = (container.element, container.more);
                let more = self.source.open_element(label, kind, n as u32);
                self.record_draw(more.ok().map(i64::from))
            }
            [site] if op == ops.across => Some(self.across(site as u32)),
            [] if op == ops.leave => {
                self.n_open_sites = self.n_open_sites.saturating_sub(1);
                Some(0)
            }
            [n] if op == ops.index => self.index(n),
            [sort] if op == ops.part => {
                self.source.begin_part(PartSort(sort as u32));
                Some(0)
            }
            [] if op == ops.part_end => {
                self.source.end_part();
                Some(0)
            }
            [number] if op == ops.input => {
                self.source.begin_input(number as u32);
                Some(0)
            }
            [label] if op == ops.open => {
                self.source.open_span(SpanLabel(label as u32));
                Some(0)
            }
            [] if op == ops.close => {
                self.source.close_span();
                Some(0)
            }
            [] if op == ops.drop => {
                self.source.discard_span();
                Some(0)
            }
            [filter] if op == ops.reject => Some(self.reject(filter as u32)),
            [filter] if op == ops.accept => {
                *self.accepted.entry(filter as u32).or_default() += 1;
                Some(0)
            }
            [urn] if Some(op) == ops.gen_.lot => self.draw_from_urn(urn),
            [_] if op == ops.function => Some(self.functions.add()),
            _ if Some(op) == ops.gen_.weighted => self.weighted(args),
            [] if op == ops.size || Some(op) == ops.gen_.size => Some(self.size()),
            _ => None,
        }
    }

    /// Takes a lot out of an urn; -1 if none is left.
    fn draw_from_urn(&mut self, urn: i64) -> Option<i64> {
        let urn = self.urns.get_mut(usize::try_from(urn).ok()?)?;
        if urn.weight() == 0 {
            return Some(-1);
        }
        self.source.take_from_urn(urn).ok().map(i64::from)
    }

    fn range(&mut self, lo: i64, hi: i64) -> Option<i64> {
        if lo > hi {
            return None;
        }
        let drawn = self.source.draw_small_within(self.any_int, lo, hi);
        self.record_draw(drawn.ok())
    }

    fn index(&mut self, n: i64) -> Option<i64> {
        if n <= 0 {
            return None;
        }
        let drawn = self.source.draw_small_within(self.any_index, 0, n - 1);
        self.record_draw(drawn.ok())
    }

    fn weighted(&mut self, weights: &[i64]) -> Option<i64> {
        let mut cut = [0; MAX_WEIGHTS];
        let cut = cut.get_mut(..weights.len())?;
        for (cut, weight) in cut.iter_mut().zip(weights) {
            *cut = cut_weight(*weight)?;
        }
        let drawn = self.source.select(cut);
        self.record_draw(drawn.ok().map(i64::from))
    }

    /// The case is given up by a generator: at a place of its own, or, if it was derived, nowhere
    /// that somebody could look at.
    fn give_up(&mut self, site: Span) -> Refusal {
        let derived = self.program.op(self.ops.int).span;
        self.given_up = Some(site).filter(|it| *it != derived);
        self.given_up_by_generator = true;
        Refusal::Discard
    }
}

/// A source for cases of a program, and the kinds of all integers and of all indices there. Each
/// source for the program has the same numbers for them.
pub fn new_source(lowered: &LoweredProgram) -> (Source, KindId, KindId) {
    let mut source = Source::new(lowered.kinds.clone());
    let any_int = source.kinds_mut().intern(Kind::Integer(IntegerKind::any()));
    let indices = IntegerKind::between(0, i64::MAX).expect("there are indices");
    let any_index = source.kinds_mut().intern(Kind::Integer(indices));
    (source, any_int, any_index)
}

/// A weight, as far as it matters; nothing if it is below 0.
fn cut_weight(weight: i64) -> Option<u32> {
    let is_weight = weight >= 0;
    is_weight.then(|| u32::try_from(weight).unwrap_or(u32::MAX))
}

impl Host for CaseHost<'_> {
    #[inline]
    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        self.draw(op, args)
    }

    fn fast_choice(&mut self, op: OpId, n: usize) -> Option<usize> {
        let is_choice = Some(op) == self.ops.gen_.elements;
        let chosen = is_choice.then(|| self.index(n as i64))?;
        chosen.map(|at| at as usize)
    }

    fn fast_passthrough(&mut self, op: OpId, place: i64) -> bool {
        match op {
            _ if op == self.ops.value => !self.annotations.compares_values(),
            _ if op == self.ops.tell => {
                self.tracer.as_ref().is_none_or(|it| it.borrow_mut().skips_next(place))
            }
            _ => false,
        }
    }

    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        self.answer(call).map(HostAnswer::Value)
    }

    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        self.n_observed += 1;
        if observation.holds {
            return FailureAction::Continue;
        }
        if self.flake_injector.overlooks_failure() {
            return FailureAction::Continue;
        }
        self.failed_sides =
            observation.sides.map(|(left, right)| (left.clone(), right.clone()));
        FailureAction::Stop
    }

    #[inline]
    fn wants_passing_observations(&self) -> bool {
        false
    }

    fn assume_failed(&mut self, site: Span) -> FailureAction {
        self.given_up = Some(site);
        FailureAction::Stop
    }
}

impl CaseHost<'_> {
    /// Answers an operation in the general way.
    fn answer(&mut self, call: &EffectCall<'_>) -> Result<Value, Refusal> {
        if let Some(answer) = self.annotate(call) {
            return answer;
        }
        let small: Option<Vec<i64>> = call.args.iter().map(as_small_int).collect();
        if self.large_draw.is_none()
            && let Some(args) = small
            && let Some(answer) = self.draw(call.op, &args)
        {
            return Ok(Value::Int(answer));
        }
        if self.source.stop_reason().is_some() {
            return Err(self.give_up(call.site));
        }
        self.generate(call).unwrap_or_else(|| discard_output(self.program, call.op))
    }
}

fn as_small_int(value: &Value) -> Option<i64> {
    if let Value::Int(int) = value { Some(*int) } else { None }
}

/// What only goes out needs no answer, and goes nowhere: while a claim runs, nothing is printed,
/// sent or written.
pub(crate) fn discard_output(program: &Program, op: OpId) -> Result<Value, Refusal> {
    let op = program.op(op);
    let is_output = op.kind == OperationKind::Output && op.result == TypeTable::UNIT;
    if is_output { Ok(Value::UNIT) } else { Err(Refusal::Unanswered) }
}
