//! The host of a case: what a claim draws comes from a source, what it says is taken down, and
//! no effect reaches the real world.

mod functions;
mod generators;
mod inputs;
mod remarks;

use std::collections::BTreeMap;
use std::sync::Arc;

use gainsay_choice::{
    Case, EdgeCase, Integer, Kind, KindId, Label, Part, Seed, Source, Urn, Value as Drawn,
};
use gainsay_core::{Dimension, OpId, Program, TypeTable};
use gainsay_gen::{DrawOps, Lowered};
use gainsay_source::Span;
use gainsay_vm::{
    Answer, EffectCall, Host, Observation, Refusal, Value, Verdict, is_small_int,
};

pub(crate) use self::functions::Functions;
pub(crate) use self::inputs::Inputs;
use self::remarks::By;
pub(crate) use self::remarks::{Remark, Remarks};

use crate::disturbance::Disturbed;
use crate::heard::Heard;

/// The most weights that a choice is made by at once.
const MAX_WEIGHTS: usize = 32;

/// Which `across` of a run is entered: they are counted as they come.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Entered {
    /// None: what stands around them is run.
    None,
    /// The one with this number.
    Only(u32),
}

/// What a case is drawn from.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Start<'a> {
    /// Where its random numbers come from.
    pub(crate) seed: Seed,
    /// How large it is.
    pub(crate) size: u32,
    /// The edge that comes up in it.
    pub(crate) edge: Option<&'a Arc<EdgeCase>>,
}

impl Start<'_> {
    /// A run in which nothing is drawn.
    pub(crate) const NOTHING: Start<'static> =
        Start { seed: Seed { run: 0, claim: 0, case: 0 }, size: 0, edge: None };

    /// A case without an edge.
    pub(crate) fn new(seed: Seed, size: u32) -> Self {
        Self { seed, size, edge: None }
    }
}

/// Answers what one worker asks, case after case.
pub(crate) struct CaseHost<'l> {
    pub(crate) source: Source,
    lowered: &'l Lowered,
    program: &'l Program,
    ops: &'l DrawOps,
    pub(crate) entered: Entered,
    /// The sites that were come by, in order, without those inside of others.
    pub(crate) passed: Vec<u32>,
    /// How many sites are open whose end is told: inside of one, every other is entered.
    inside: u32,
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
    pub(crate) is_generator: bool,
    /// The inputs, as far as they were told, and those that are given.
    pub(crate) inputs: Inputs,
    /// The values of parts of an observation, by their number.
    pub(crate) parts: BTreeMap<u32, Value>,
    pub(crate) remarks: Remarks,
    pub(crate) functions: Functions,
    /// The urns of the case, by number.
    urns: Vec<Urn<u32>>,
    /// Both sides of the observation that did not hold.
    pub(crate) sides: Option<(Value, Value)>,
    /// How large values should be, unless the claim says otherwise.
    pub(crate) case_size: u32,
    size: Option<i64>,
    /// What was drawn quickly and is too large to be answered so.
    pending: Option<Value>,
    any_int: KindId,
    any_index: KindId,
    pub(crate) disturbed: Disturbed,
    /// What came by where somebody listens, over all cases.
    pub(crate) heard: Heard,
}

/// How often a filter may throw values away in one case before the case is given up.
const MAX_REJECTED: u32 = 1000;

impl<'l> CaseHost<'l> {
    pub(crate) fn new(lowered: &'l Lowered, program: &'l Program) -> Self {
        let (source, any_int, any_index) = new_source(lowered);
        Self {
            source,
            lowered,
            program,
            ops: &lowered.ops,
            entered: Entered::None,
            passed: Vec::new(),
            inside: 0,
            entered_sites: vec![false; lowered.sites.len()],
            n_observed: 0,
            rejected: BTreeMap::new(),
            accepted: BTreeMap::new(),
            n_rejected: 0,
            given_up: None,
            is_generator: false,
            inputs: Inputs::default(),
            parts: BTreeMap::new(),
            remarks: Remarks::default(),
            functions: Functions::default(),
            urns: Vec::new(),
            sides: None,
            case_size: 0,
            size: None,
            pending: None,
            any_int,
            any_index,
            disturbed: Disturbed::default(),
            heard: Heard::default(),
        }
    }

    /// Begins a case of a search.
    #[inline]
    pub(crate) fn search(&mut self, start: Start<'_>) {
        self.case_size = start.size;
        match start.edge {
            None => self.source.search(start.seed, start.size),
            Some(edge) => self.source.search_edge(start.seed, start.size, edge),
        }
    }

    /// Begins the same case once more, with recording.
    pub(crate) fn record(&mut self, start: Start<'_>) {
        self.case_size = start.size;
        let seed = self.disturbed.seed(start.seed);
        match start.edge {
            None => self.source.record(seed, start.size),
            Some(edge) => self.source.record_edge(seed, start.size, edge),
        }
    }

    /// Begins a run with the choices of a case.
    pub(crate) fn replay(&mut self, case: &Case, size: u32) {
        self.case_size = size;
        self.source.replay(case, case.choices().len());
    }

    /// Forgets the last case. The source is begun by the caller.
    pub(crate) fn begin(&mut self) {
        self.disturbed.begin();
        self.passed.clear();
        self.n_rejected = 0;
        self.given_up = None;
        self.is_generator = false;
        self.pending = None;
        self.inside = 0;
        self.inputs.begin();
        self.parts.clear();
        self.remarks.begin();
        self.functions.clear();
        self.urns.clear();
        self.sides = None;
        self.size = None;
    }

    /// Whether an `across` draws inputs: the one that is entered, and all inside of it, whose
    /// inputs are further inputs of the same case.
    fn across(&mut self, site: u32) -> i64 {
        if self.inside == 0 {
            let number = self.passed.len() as u32;
            self.passed.push(site);
            if self.entered != Entered::Only(number) {
                return 0;
            }
        }
        let at = site as usize;
        if let Some(site) = self.lowered.sites.get(at) {
            self.inside += u32::from(site.nests);
            self.remarks.count_by(if site.tells_values { By::Values } else { By::Draws });
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
                self.noted(picked)
            }
            [kind, n] if op == ops.more => {
                let more = self.source.more(KindId::from_number(kind as u32), n as u32);
                self.noted(more.ok().map(i64::from))
            }
            [lo, hi] if Some(op) == ops.gen_.int => self.range(lo, hi),
            _ => self.draw_rarely(op, args),
        }
    }

    /// Takes down what was drawn, so that cases that are the same can be counted.
    #[inline]
    fn noted(&mut self, drawn: Option<i64>) -> Option<i64> {
        if let Some(drawn) = drawn {
            self.remarks.draw(drawn as u64);
        }
        drawn
    }

    #[inline]
    fn draw_int(&mut self, kind: KindId) -> Option<i64> {
        match self.source.draw(kind) {
            Ok(Drawn::Small(int)) if is_small_int(int) => self.noted(Some(int)),
            Ok(drawn) => {
                self.pending = Some(self.drawn(drawn));
                None
            }
            Err(_) => None,
        }
    }

    fn draw_rarely(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        let ops = self.ops;
        match *args {
            [container, n] if op == ops.element => {
                let container = self.lowered.containers.get(container as usize)?;
                let (label, kind) = (container.element, container.more);
                let more = self.source.element(label, kind, n as u32);
                self.noted(more.ok().map(i64::from))
            }
            [site] if op == ops.across => Some(self.across(site as u32)),
            [] if op == ops.leave => {
                self.inside = self.inside.saturating_sub(1);
                Some(0)
            }
            [n] if op == ops.index => self.index(n),
            [sort] if op == ops.part => {
                self.source.begin_part(Part(sort as u32));
                Some(0)
            }
            [] if op == ops.part_end => {
                self.source.end_part();
                Some(0)
            }
            [number] if op == ops.input => {
                self.source.input(number as u32);
                Some(0)
            }
            [label] if op == ops.open => {
                self.source.open(Label(label as u32));
                Some(0)
            }
            [] if op == ops.close => {
                self.source.close();
                Some(0)
            }
            [] if op == ops.drop => {
                self.source.discard();
                Some(0)
            }
            [filter] if op == ops.reject => Some(self.reject(filter as u32)),
            [filter] if op == ops.accept => {
                *self.accepted.entry(filter as u32).or_default() += 1;
                Some(0)
            }
            [urn] if Some(op) == ops.gen_.lot => self.lot(urn),
            [_] if op == ops.function => Some(self.functions.add()),
            _ if Some(op) == ops.gen_.weighted => self.weighted(args),
            [] if op == ops.size || Some(op) == ops.gen_.size => Some(self.size()),
            _ => None,
        }
    }

    /// Takes a lot out of an urn; -1 if none is left.
    fn lot(&mut self, urn: i64) -> Option<i64> {
        let urn = self.urns.get_mut(usize::try_from(urn).ok()?)?;
        if urn.weight() == 0 {
            return Some(-1);
        }
        self.source.take_from(urn).ok().map(i64::from)
    }

    fn range(&mut self, lo: i64, hi: i64) -> Option<i64> {
        if lo > hi {
            return None;
        }
        let drawn = self.source.draw_within(self.any_int, lo, hi);
        self.noted(drawn.ok())
    }

    fn index(&mut self, n: i64) -> Option<i64> {
        if n <= 0 {
            return None;
        }
        let drawn = self.source.draw_within(self.any_index, 0, n - 1);
        self.noted(drawn.ok())
    }

    fn weighted(&mut self, weights: &[i64]) -> Option<i64> {
        let mut cut = [0; MAX_WEIGHTS];
        let cut = cut.get_mut(..weights.len())?;
        for (cut, weight) in cut.iter_mut().zip(weights) {
            *cut = cut_weight(*weight)?;
        }
        let drawn = self.source.select(cut);
        self.noted(drawn.ok().map(i64::from))
    }

    /// The case is given up by a generator: at a place of its own, or, if it was derived, nowhere
    /// that somebody could look at.
    fn give_up(&mut self, site: Span) -> Refusal {
        let derived = self.program.op(self.ops.int).span;
        self.given_up = Some(site).filter(|it| *it != derived);
        self.is_generator = true;
        Refusal::Discard
    }
}

/// A source for cases of a program, and the kinds of all integers and of all indices there. Each
/// source for the program has the same numbers for them.
pub(crate) fn new_source(lowered: &Lowered) -> (Source, KindId, KindId) {
    let mut source = Source::new(lowered.kinds.clone());
    let any_int = source.kinds_mut().intern(Kind::Integer(Integer::any()));
    let indices = Integer::between(0, i64::MAX).expect("there are indices");
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
    fn quick(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        self.draw(op, args)
    }

    fn choose(&mut self, op: OpId, n: usize) -> Option<usize> {
        let is_choice = Some(op) == self.ops.gen_.elements;
        let chosen = is_choice.then(|| self.index(n as i64))?;
        chosen.map(|at| at as usize)
    }

    fn lets_pass(&mut self, op: OpId, place: i64) -> bool {
        op == self.ops.tell && self.heard.lets_pass(place)
    }

    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        self.answer(call).map(Answer::Value)
    }

    fn observe(&mut self, observation: &Observation<'_>) -> Verdict {
        self.n_observed += 1;
        if observation.holds {
            return Verdict::Continue;
        }
        if self.disturbed.is_overlooked() {
            return Verdict::Continue;
        }
        self.sides = observation.sides.map(|(left, right)| (left.clone(), right.clone()));
        Verdict::Stop
    }

    #[inline]
    fn hears_what_holds(&self) -> bool {
        false
    }

    fn assume_failed(&mut self, site: Span) -> Verdict {
        self.given_up = Some(site);
        Verdict::Stop
    }
}

impl CaseHost<'_> {
    /// Answers an operation in the general way.
    fn answer(&mut self, call: &EffectCall<'_>) -> Result<Value, Refusal> {
        if let Some(answer) = self.remark(call) {
            return answer;
        }
        let small: Option<Vec<i64>> = call.args.iter().map(small).collect();
        if self.pending.is_none()
            && let Some(args) = small
            && let Some(answer) = self.draw(call.op, &args)
        {
            return Ok(Value::Int(answer));
        }
        if self.source.stop().is_some() {
            return Err(self.give_up(call.site));
        }
        self.generate(call).unwrap_or_else(|| swallow(self.program, call.op))
    }
}

fn small(value: &Value) -> Option<i64> {
    if let Value::Int(int) = value { Some(*int) } else { None }
}

/// What only goes out needs no answer, and goes nowhere: while a claim runs, nothing is printed,
/// sent or written.
pub(crate) fn swallow(program: &Program, op: OpId) -> Result<Value, Refusal> {
    let op = program.op(op);
    let is_output = op.dimension == Dimension::Output && op.result == TypeTable::UNIT;
    if is_output { Ok(Value::UNIT) } else { Err(Refusal::Unanswered) }
}
