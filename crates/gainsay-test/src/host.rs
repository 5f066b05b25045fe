//! The host of a case: draws inputs from a source of choices, records what the case reports about
//! itself, and keeps every effect away from the real world.

mod annotations;
mod case_inputs;
mod generated_functions;
mod generators;
mod narrowing;
mod system_calls;
mod walk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use gainsay_choice::{
    Case, Checkpoint, ChoiceValue as Drawn, EdgeCase, IntegerKind, Kind, KindId, PartSort,
    Seed, Source, SpanLabel, Urn,
};
use gainsay_core::{OpId, OperationKind, Program, TypeTable};
use gainsay_gen::{DrawOps, LoweredProgram, SiteId};
use gainsay_solve::Machine;
use gainsay_source::Span;
use gainsay_vm::{
    EffectCall, FailureAction, Host, HostAnswer, Observation, Refusal, Value, is_small_int,
};

pub(crate) use self::annotations::CaseAnnotation;
pub use self::annotations::CaseAnnotations;
use self::annotations::DuplicateKey;
pub(crate) use self::case_inputs::CaseInputs;
pub(crate) use self::generated_functions::GeneratedFunctions;
pub use self::narrowing::NarrowingCounts;
use self::system_calls::SystemCall;
pub use self::walk::UntestedReason;
use self::walk::Walk;
pub(crate) use self::walk::{AS_EXPECTED, DEVIATED};

use crate::flake_injection::FlakeInjector;
use crate::systems::{SharedConnections, SystemCallCounts};
use crate::value_tracer::SharedTracer;

/// Maximum number of weights of a choice on the fast path.
const MAX_WEIGHTS: usize = 32;

/// Which `across` a run enters. They are numbered in the order in which the run passes them.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum EnteredSite {
    /// None: only the code outside of them runs.
    None,
    /// The one with this number.
    Only(u32),
}

/// How a case starts: what its inputs are drawn from.
#[derive(Debug, Copy, Clone)]
pub struct CaseStart<'a> {
    /// The seed of its random numbers.
    pub seed: Seed,
    /// The size of its values.
    pub size: u32,
    /// The edge that one of its inputs takes.
    pub edge: Option<&'a Arc<EdgeCase>>,
}

impl CaseStart<'_> {
    /// A run that draws nothing.
    pub(crate) const NOTHING: CaseStart<'static> =
        CaseStart { seed: Seed { run: 0, claim: 0, case: 0 }, size: 0, edge: None };

    /// A case without an edge.
    pub fn new(seed: Seed, size: u32) -> Self {
        Self { seed, size, edge: None }
    }
}

/// Handles the effects of one worker, case after case.
pub struct CaseHost<'l> {
    /// The source of choices.
    pub source: Source,
    lowered: &'l LoweredProgram,
    program: &'l Program,
    ops: &'l DrawOps,
    pub(crate) entered: EnteredSite,
    /// The sites that the run passed, in order, without nested ones.
    pub passed_sites: Vec<SiteId>,
    /// Number of open sites that report their end: inside of one, every other is entered.
    n_open_sites: u32,
    /// Whether each site has drawn inputs, over all cases, by index.
    entered_sites: Vec<bool>,
    /// Number of observations reported to the host.
    pub(crate) n_observed: u64,
    /// Number of values rejected by each filter.
    pub(crate) rejected: BTreeMap<u32, u64>,
    /// Number of values accepted by each filter.
    pub(crate) accepted: BTreeMap<u32, u64>,
    /// What each query took.
    pub(crate) narrowings: BTreeMap<u32, NarrowingCounts>,
    /// Why walks tested nothing, and how often.
    pub(crate) untested: BTreeMap<UntestedReason, u64>,
    machine: Machine,
    /// Steps of solvers in the current case.
    pub(crate) solver_steps: u64,
    n_rejected: u32,
    /// Where the case was discarded.
    pub(crate) given_up: Option<Span>,
    /// Whether a generator discarded it.
    pub(crate) given_up_by_generator: bool,
    /// Whether a solver found no value.
    pub(crate) found_no_solution: bool,
    /// The recorded inputs, and those that are given.
    pub(crate) inputs: CaseInputs,
    /// What the case reports about itself.
    pub annotations: CaseAnnotations,
    pub(crate) functions: GeneratedFunctions,
    /// The walk of a test against a specification.
    walk: Walk,
    /// The urns of the case, by number.
    urns: Vec<Urn<u32>>,
    /// States of the source to come back to, by number.
    marks: Vec<Checkpoint>,
    /// How often the case came back to one.
    n_backs: u32,
    /// Whether conditions are checked on inputs that were drawn to satisfy them.
    checks_conditions: bool,
    /// Whether one was not checked.
    relies_on_recipe: bool,
    /// Both sides of the observation that failed.
    pub(crate) failed_sides: Option<(Value, Value)>,
    /// The size of generated values, unless the claim sets another.
    pub case_size: u32,
    size: Option<i64>,
    /// A draw of the fast path whose value does not fit a small integer; the general path returns
    /// it.
    large_draw: Option<Value>,
    any_int: KindId,
    any_index: KindId,
    pub(crate) flake_injector: FlakeInjector,
    /// What answers the operations of systems under test.
    pub(crate) connections: SharedConnections<'l>,
    /// How many operations of systems the case performed.
    pub(crate) n_system_calls: u64,
    /// How often each operation of a system was answered, over all cases.
    pub(crate) system_calls: BTreeMap<OpId, SystemCallCounts>,
    /// The last operations of systems that the case performed.
    call_log: VecDeque<SystemCall>,
    /// Receives the values of traced terms, if present.
    pub tracer: Option<SharedTracer>,
}

/// Maximum number of rejected values in one case before it is discarded.
const MAX_REJECTED: u32 = 1000;

/// Maximum number of times that a case takes back what it drew before it is discarded.
const MAX_BACKS: u32 = 1000;

impl<'l> CaseHost<'l> {
    /// The host for one version of a program.
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
            narrowings: BTreeMap::new(),
            untested: BTreeMap::new(),
            machine: Machine::new(),
            solver_steps: 0,
            n_rejected: 0,
            given_up: None,
            given_up_by_generator: false,
            found_no_solution: false,
            inputs: CaseInputs::default(),
            annotations: CaseAnnotations::default(),
            functions: GeneratedFunctions::default(),
            walk: Walk::default(),
            urns: Vec::new(),
            marks: Vec::new(),
            n_backs: 0,
            checks_conditions: true,
            relies_on_recipe: false,
            failed_sides: None,
            case_size: 0,
            size: None,
            large_draw: None,
            any_int,
            any_index,
            flake_injector: FlakeInjector::default(),
            connections: SharedConnections::default(),
            n_system_calls: 0,
            system_calls: BTreeMap::new(),
            call_log: VecDeque::new(),
            tracer: None,
        }
    }

    /// The version of the program whose effects it handles.
    pub(crate) fn program(&self) -> &'l Program {
        self.program
    }

    /// Starts a case of a search.
    #[inline]
    pub(crate) fn search(&mut self, start: CaseStart<'_>) {
        self.case_size = start.size;
        self.annotations.set_case_number(start.seed.case);
        self.checks_conditions = checks_conditions(start.seed.case);
        self.relies_on_recipe = false;
        match start.edge {
            None => self.source.search(start.seed, start.size),
            Some(edge) => self.source.search_edge_case(start.seed, start.size, edge),
        }
    }

    /// Whether the last case of a search had inputs whose condition was not checked.
    pub(crate) fn relies_on_recipe(&self) -> bool {
        self.relies_on_recipe
    }

    /// Checks the conditions of the case that was just started, however its inputs were found.
    pub(crate) fn check_conditions(&mut self) {
        self.checks_conditions = true;
    }

    /// Starts the same case again, with recording.
    pub fn record(&mut self, start: CaseStart<'_>) {
        self.case_size = start.size;
        let seed = self.flake_injector.seed(start.seed);
        match start.edge {
            None => self.source.record(seed, start.size),
            Some(edge) => self.source.record_edge_case(seed, start.size, edge),
        }
    }

    /// Starts a run with the choices of a case.
    pub fn replay(&mut self, case: &Case, size: u32) {
        self.case_size = size;
        self.annotations.set_case_number(0);
        self.source.replay(case, case.choices().len());
    }

    /// Whether the case has generated functions, which stay callable until the next case starts.
    pub fn has_generated_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Clears the state of the last case. The caller starts the source.
    pub fn begin(&mut self) {
        self.flake_injector.start_run();
        self.n_system_calls = 0;
        self.call_log.clear();
        self.connections.begin_case();
        self.passed_sites.clear();
        self.n_rejected = 0;
        self.given_up = None;
        self.given_up_by_generator = false;
        self.found_no_solution = false;
        self.solver_steps = 0;
        self.large_draw = None;
        self.n_open_sites = 0;
        self.inputs.begin();
        self.annotations.begin();
        self.functions.clear();
        self.walk.begin();
        self.urns.clear();
        self.marks.clear();
        self.n_backs = 0;
        self.failed_sides = None;
        self.size = None;
    }

    /// Whether an `across` draws inputs: the entered one does, and all nested ones, whose inputs
    /// are further inputs of the same case.
    fn across(&mut self, site: u32) -> i64 {
        // Nested sites get no number: their inputs belong to the case of the outer site.
        if self.n_open_sites == 0 {
            let number = self.passed_sites.len() as u32;
            self.passed_sites.push(SiteId(site));
            if self.entered != EnteredSite::Only(number) {
                return 0;
            }
        }
        let at = site as usize;
        if let Some(site) = self.lowered.sites.get(at) {
            // Only sites that may nest report their end, so only these are counted as open.
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

    /// The sites that have drawn inputs since the last call.
    pub(crate) fn take_entered_sites(&mut self) -> impl Iterator<Item = SiteId> + use<> {
        let n_sites = self.entered_sites.len();
        let sites = std::mem::replace(&mut self.entered_sites, vec![false; n_sites]);
        (0..).map(SiteId).zip(sites).filter_map(|(id, is_entered)| is_entered.then_some(id))
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

    /// Performs an operation on small integers. `None` if the source has stopped, or if the result
    /// is not a small integer.
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
            [kind, lo, hi] if op == ops.int_within => self.int_within(kind, lo, hi),
            [kind, lo] if op == ops.int_from => self.int_within(kind, lo, i64::MAX),
            [kind, hi] if op == ops.int_to => self.int_within(kind, i64::MIN, hi),
            _ => self.draw_cold_path(op, args),
        }
    }

    /// Adds a draw to the digest that detects duplicate cases.
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
                // The choice is already made: drawing again on the general path would take a second
                // one.
                self.large_draw = Some(self.drawn(drawn));
                None
            }
            Err(_) => None,
        }
    }

    /// An integer of a kind between bounds. Without a value the general path discards the case.
    #[inline]
    fn int_within(&mut self, kind: i64, lo: i64, hi: i64) -> Option<i64> {
        let kind = KindId::from_number(kind as u32);
        match self.source.draw_small_within(kind, lo, hi) {
            Ok(int) if is_small_int(int) => self.record_draw(Some(int)),
            Ok(int) => {
                self.large_draw = Some(Value::int(int.into()));
                None
            }
            Err(_) => None,
        }
    }

    /// An integer between bounds that is not excluded. Near the ends of 64 bits, an integer beyond
    /// may be the only one that is left: the general path looks there.
    fn int_except(
        &mut self,
        kind: i64,
        sides: i64,
        (lo, hi): (i64, i64),
        excluded: &[i64],
    ) -> Option<i64> {
        const MARGIN: i64 = 1 << 20;
        let lo = if sides & 1 == 0 { i64::MIN } else { lo };
        let hi = if sides & 2 == 0 { i64::MAX } else { hi };
        if lo > i64::MAX - MARGIN || hi < i64::MIN + MARGIN {
            return None;
        }
        let kind = KindId::from_number(kind as u32);
        match self.source.draw_small_except(kind, (lo, hi), excluded) {
            Ok(int) if is_small_int(int) => Some(int),
            Ok(int) => {
                self.large_draw = Some(Value::int(int.into()));
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
            [kind, sides, lo, hi, ref except @ ..] if op == ops.int_except => {
                let drawn = self.int_except(kind, sides, (lo, hi), except);
                self.record_draw(drawn)
            }
            [lo, hi, ref except @ ..] if op == ops.int_room => {
                Some(i64::from(has_room(lo, hi, except)))
            }
            [] if op == ops.checks => {
                self.relies_on_recipe |= !self.checks_conditions;
                Some(i64::from(self.checks_conditions))
            }
            [] if op == ops.mark => {
                self.marks.push(self.source.checkpoint());
                Some(self.marks.len() as i64 - 1)
            }
            [mark] if op == ops.back => self.back(mark),
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

    /// Takes back what was drawn since a mark. A case that does so too often is given up.
    fn back(&mut self, mark: i64) -> Option<i64> {
        let mark = usize::try_from(mark).ok()?;
        let state = *self.marks.get(mark)?;
        self.marks.truncate(mark);
        self.n_backs += 1;
        let goes_on = self.n_backs <= MAX_BACKS && self.source.rewind(state).is_ok();
        Some(i64::from(goes_on))
    }

    /// Takes an item out of an urn; -1 if it is empty.
    fn draw_from_urn(&mut self, urn: i64) -> Option<i64> {
        let urn = self.urns.get_mut(usize::try_from(urn).ok()?)?;
        if urn.weight() == 0 {
            return Some(-1);
        }
        self.source.take_from_urn(urn).ok().map(i64::from)
    }

    fn range(&mut self, lo: i64, hi: i64) -> Option<i64> {
        if lo > hi {
            // The general path refuses an empty range and names it.
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

    /// One of `n` alternatives of equal weight.
    fn evenly(&mut self, n: usize) -> Option<i64> {
        let drawn = match [1; MAX_WEIGHTS].get(..n) {
            Some(weights) => self.source.select(weights),
            None => self.source.select(&vec![1; n]),
        };
        self.record_draw(drawn.ok().map(i64::from))
    }

    fn weighted(&mut self, weights: &[i64]) -> Option<i64> {
        let mut cut = [0; MAX_WEIGHTS];
        // More weights than that take the general path.
        let cut = cut.get_mut(..weights.len())?;
        for (cut, weight) in cut.iter_mut().zip(weights) {
            *cut = cut_weight(*weight)?;
        }
        let drawn = self.source.select(cut);
        self.record_draw(drawn.ok().map(i64::from))
    }

    /// Discards the case on behalf of a generator. A derived generator has no place in the source,
    /// so the recorded one is `None`.
    fn give_up(&mut self, site: Span) -> Refusal {
        let derived = self.program.op(self.ops.int).span;
        self.given_up = Some(site).filter(|it| *it != derived);
        self.given_up_by_generator = true;
        Refusal::Discard
    }
}

/// Cases from the first on in which every condition is checked: their branches are counted, and
/// mutants of the condition noticed.
const ALWAYS_CHECKED: u64 = 256;

/// After them, one case in so many.
const CHECK_INTERVAL: u64 = 64;

/// Whether conditions are checked in a case even on inputs that were drawn to satisfy them.
fn checks_conditions(case: u64) -> bool {
    case < ALWAYS_CHECKED || case.is_multiple_of(CHECK_INTERVAL)
}

/// A source for cases of a program, and the kinds of all integers and of all indices. These have
/// the same ids in every source of the program.
pub fn new_source(lowered: &LoweredProgram) -> (Source, KindId, KindId) {
    let mut source = Source::new(lowered.kinds.clone());
    let any_int = source.kinds_mut().intern(Kind::Integer(IntegerKind::any()));
    let indices = IntegerKind::between(0, i64::MAX).expect("there are indices");
    let any_index = source.kinds_mut().intern(Kind::Integer(indices));
    (source, any_int, any_index)
}

/// What comes before the excluded integers in the list of `Draw.int_except`.
const EXCEPT_HEAD: usize = 4;

/// Whether an integer between two bounds is not excluded.
fn has_room(lo: i64, hi: i64, excluded: &[i64]) -> bool {
    let Some(width) = hi.checked_sub(lo).filter(|_| lo <= hi) else { return lo <= hi };
    if usize::try_from(width).map_or(true, |it| it >= excluded.len()) {
        return true;
    }
    let within = excluded.iter().filter(|it| (lo..=hi).contains(*it));
    let distinct: BTreeSet<i64> = within.copied().collect();
    (distinct.len() as i64) <= width
}

/// Saturates a weight to `u32`; `None` if it is negative.
fn cut_weight(weight: i64) -> Option<u32> {
    let is_weight = weight >= 0;
    is_weight.then(|| u32::try_from(weight).unwrap_or(u32::MAX))
}

impl Host for CaseHost<'_> {
    #[inline]
    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        self.draw(op, args)
    }

    fn n_needed_ints(&self, op: OpId) -> usize {
        // A small integer differs from those that are not small. Where another one is drawn, the
        // general path compares it with all.
        if op == self.ops.int_except { EXCEPT_HEAD } else { usize::MAX }
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
    /// Performs an operation on the general path.
    fn answer(&mut self, call: &EffectCall<'_>) -> Result<Value, Refusal> {
        if let Some(answer) = self.annotate(call) {
            return answer;
        }
        if let Some(answer) = self.perform_walk(call) {
            return answer;
        }
        if self.is_narrow(call.op) {
            return self.narrow(call);
        }
        let small: Option<Vec<i64>> = call.args.iter().map(as_small_int).collect();
        // With a pending large draw, the fast path has run already and must not draw again.
        if self.large_draw.is_none()
            && let Some(args) = small
            && let Some(answer) = self.draw(call.op, &args)
        {
            return Ok(Value::Int(answer));
        }
        if self.source.stop_reason().is_some() {
            return Err(self.give_up(call.site));
        }
        self.generate(call).unwrap_or_else(|| self.perform_outside(call))
    }

    /// Performs an operation of a system under test. Of all other effects only output is allowed.
    fn perform_outside(&mut self, call: &EffectCall<'_>) -> Result<Value, Refusal> {
        if self.program.effect(self.program.op(call.op).effect).is_system {
            return self.ask_system(call);
        }
        discard_output(self.program, call.op)
    }
}

fn as_small_int(value: &Value) -> Option<i64> {
    if let Value::Int(int) = value { Some(*int) } else { None }
}

/// Discards the effects of operations that only produce output: while a claim runs, nothing is
/// printed, sent or written. Other operations have no answer here.
pub(crate) fn discard_output(program: &Program, op: OpId) -> Result<Value, Refusal> {
    let op = program.op(op);
    let is_output = op.kind == OperationKind::Output && op.result == TypeTable::UNIT;
    if is_output { Ok(Value::UNIT) } else { Err(Refusal::Unanswered) }
}
