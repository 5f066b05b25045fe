//! Narrowing: finds values for unknowns on which a predicate holds.
//!
//! The machine evaluates the predicate on terms with unknowns. A goal that depends on an unknown
//! waits for it. Goals that are determined run first, whatever their order in the source: one
//! alternative left, all arguments known, or decided by the store (the Andorra principle; Haridi
//! and Brand, FGCS 1988). When nothing is determined, the leftmost unknown that some goal waits for
//! is chosen at random, and taken back when that leads to a contradiction. Integers stay in the
//! store until everything else is decided.

mod choice;
mod collections;
mod draw;
mod drawn_tests;
mod equality;
mod eval;
mod goals;
mod heap;
mod lookup;
mod matching;
mod order;
mod probe;
mod reach;
mod values;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gainsay_core::{CtorId, Program};
use gainsay_vm::Value;

use self::choice::{ChoicePoint, Jumps, OrderNode};
use self::draw::IntCursor;
use self::eval::UNSIZED;
use self::goals::Goal;
use self::heap::{Cell, Heap, Ref, Refs, Unknown, UnknownId};
use crate::code::{Code, CodeFnId, CodeRelId, ShapeId, ShapeKind};
use crate::ranges::INFINITY;
use crate::store::{Contradiction, Offset, Store, VarId};

pub(crate) use self::heap::END;

/// Where the machine gets its random decisions.
pub trait Chooser {
    /// One of the alternatives, by weight; at least one weight is positive.
    fn alternative(&mut self, weights: &[u32]) -> usize;

    /// An integer between bounds; `None` is no bound.
    fn integer(&mut self, lo: Option<i64>, hi: Option<i64>) -> i64;

    /// A character between bounds.
    fn character(&mut self, lo: i64, hi: i64) -> i64 {
        self.integer(Some(lo), Some(hi))
    }

    /// The weights of ending a list after `n` elements and of going on.
    fn list_weights(&mut self, n: u32) -> [u32; 2];

    /// Says that what was drawn was rejected, and is drawn again.
    fn reject(&mut self) {}

    /// A value of a type that is drawn as a whole.
    fn opaque(&mut self, ty: gainsay_core::TyId) -> Option<Value>;
}

/// Limits of an attempt, counted in steps so that they do not depend on the machine.
#[derive(Debug, Copy, Clone)]
pub struct Budget {
    /// Goals that are run in the first attempt.
    pub steps: u64,
    /// Attempts, each with twice the steps of the one before.
    pub attempts: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: 20_000, attempts: 4 }
    }
}

/// What it took to find values, or not to find them.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct Effort {
    /// Goals that were run.
    pub steps: u64,
    /// Choices that were taken back.
    pub dead_ends: u64,
    /// Attempts that were abandoned.
    pub restarts: u32,
}

/// Why there are no values.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum NoSolution {
    /// There are none.
    Unsatisfiable,
    /// None was found within the budget.
    GaveUp,
}

/// The interruption of a step.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Interrupt {
    /// A contradiction: take a choice back.
    Conflict,
    /// The budget is used up.
    Exhausted,
}

impl From<Contradiction> for Interrupt {
    fn from(_: Contradiction) -> Self {
        Interrupt::Conflict
    }
}

type Step<T> = Result<T, Interrupt>;

/// A predicate that has been compiled for the machine.
#[derive(Debug)]
pub struct SolverQuery {
    pub(crate) code: Code,
    pub(crate) goal: CodeFnId,
    /// The shapes of the arguments of the goal.
    pub(crate) params: Box<[ShapeId]>,
    /// Whether some function calls itself, directly or not.
    pub(crate) is_recursive: bool,
}

/// What to find.
#[derive(Debug, Copy, Clone)]
pub struct SolverRequest<'a> {
    /// The arguments that are known.
    pub args: &'a [Option<Value>],
    /// Values that the other arguments would like to have: where the predicate allows it, they get
    /// them, and elsewhere something close.
    pub wishes: &'a [Option<Value>],
    /// The intended size of the values.
    pub size: u32,
    /// How long to search.
    pub budget: Budget,
}

/// How an unknown begins.
#[derive(Debug, Copy, Clone)]
struct FreshUnknown {
    size: i32,
    /// For a list, the number of elements before it.
    n_before: u32,
    wish: Option<Ref>,
}

/// How many values are tried before a predicate on numbers is run with unknowns: most such
/// predicates hold often enough, and values that were drawn freely are the better test. Recursion
/// on numbers, such as a sum of digits, is hard to run with unknowns, and so is text.
const TRIES_FIRST: u32 = 8;
const TRIES_FIRST_MANY: u32 = 100;

/// When a search turns back from a value that grows: what forces it to, such as a height of -1, may
/// force it forever.
#[derive(Debug, Copy, Clone)]
struct GrowthLimits {
    /// How far a value may grow beyond its size where nothing else is possible.
    overrun: i32,
    /// The same where it is a matter of choice.
    chosen_overrun: i32,
    /// How deep rules may be applied inside rules.
    rule_depth: u32,
}

impl GrowthLimits {
    /// Where nothing says how large a value is.
    const SEARCH: Self = Self { overrun: 100, chosen_overrun: 12, rule_depth: 200 };

    /// The limits of a later attempt: what was left out for its size may have been all there is.
    fn doubled(self) -> Self {
        let chosen_overrun = self.chosen_overrun.saturating_mul(2).min(self.overrun);
        Self { chosen_overrun, ..self }
    }
}

/// With all arguments known, or with a value to look for, the budget alone ends a run.
impl Default for GrowthLimits {
    fn default() -> Self {
        Self { overrun: i32::MAX, chosen_overrun: i32::MAX, rule_depth: u32::MAX }
    }
}

/// How many values are tried when everything else was given up.
const TRIES_LAST: u32 = 20;

impl SolverQuery {
    fn n_tries_first(&self, args: &[Option<Value>]) -> u32 {
        let mut unknowns = self.params.iter().zip(args).filter(|(_, arg)| arg.is_none());
        let has_unknowns = args.iter().any(Option::is_none);
        if !has_unknowns || !unknowns.all(|(shape, _)| self.code.is_scalar(*shape)) {
            return 0;
        }
        let mut unknowns = self.params.iter().zip(args).filter(|(_, arg)| arg.is_none());
        let is_opaque = unknowns.any(|(shape, _)| self.code.is_opaque(*shape));
        if self.is_recursive || is_opaque { TRIES_FIRST_MANY } else { TRIES_FIRST }
    }
}

/// The machine; it is reused from query to query for its memory.
#[derive(Debug, Default)]
pub struct Machine {
    heap: Heap,
    store: Store,
    goals: Vec<Goal>,
    is_done: Vec<bool>,
    ready: Vec<u32>,
    order: Vec<OrderNode>,
    /// Where new unknowns are inserted in the order of choices.
    cursor: u32,
    choices: Vec<ChoicePoint>,
    depth: u32,
    steps_left: u64,
    /// Unknowns that are drawn as a whole, unless the machine has to look into them, in the order of
    /// their creation.
    opaque_unknowns: Vec<Ref>,
    int_cursor: IntCursor,
    /// The values that integers would like to have.
    int_wishes: Vec<Option<i64>>,
    n_visits: u32,
    growth: GrowthLimits,
    /// The depth of the rule that is being applied.
    rule_depth: u32,
    jumps: Jumps,
    interrupt: Option<Arc<AtomicBool>>,
    /// Whether an alternative was left out, so that no solution may have been missed.
    was_cut: bool,
    /// Whether unknown collections begin with a value drawn by type as a wish.
    draws_suggestions: bool,
    /// Whether collections that nobody waits for are drawn like all others.
    draws_all: bool,
}

/// Everything that a run refers to but does not change.
struct Context<'a> {
    code: &'a Code,
    program: &'a Program,
    chooser: &'a mut dyn Chooser,
}

/// One run of the machine.
struct Run<'m, 'a> {
    it: &'m mut Machine,
    context: Context<'a>,
    effort: Effort,
}

impl Machine {
    /// A machine.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds values for the arguments that are not given, such that the predicate holds.
    ///
    /// # Errors
    ///
    /// There are none, or none were found.
    pub fn solve(
        &mut self,
        query: &SolverQuery,
        program: &Program,
        request: &SolverRequest<'_>,
        chooser: &mut dyn Chooser,
    ) -> (Result<Vec<Value>, NoSolution>, Effort) {
        let context = Context { code: &query.code, program, chooser };
        let mut run = Run { it: self, context, effort: Effort::default() };
        let SolverRequest { args, wishes, mut size, budget } = *request;
        let mut steps = budget.steps;
        let has_wishes = wishes.iter().any(Option::is_some);
        // What was found before satisfies the predicate as it is: a replay begins with that.
        let n_tries = if has_wishes { 1 } else { query.n_tries_first(args) };
        let is_search = !has_wishes && args.iter().any(Option::is_none);
        let mut growth = if is_search { GrowthLimits::SEARCH } else { GrowthLimits::default() };
        for _ in 0..n_tries {
            run.it.clear(steps, growth);
            if let Ok(values) = run.try_any(query, (args, wishes), size) {
                return (Ok(values), run.effort);
            }
            run.context.chooser.reject();
        }
        for attempt in 0..budget.attempts.max(1) {
            run.it.clear(steps, growth);
            // The second attempt may prove that there is no solution.
            run.it.jumps.are_allowed = is_search && attempt != 1;
            run.it.draws_suggestions = is_search;
            match run.attempt(query, (args, wishes), size) {
                Ok(values) => return (Ok(values), run.effort),
                Err(Interrupt::Conflict) if !run.it.was_cut() => {
                    return (Err(NoSolution::Unsatisfiable), run.effort);
                }
                Err(Interrupt::Conflict | Interrupt::Exhausted) => {}
            }
            if run.it.is_interrupted() {
                return (Err(NoSolution::GaveUp), run.effort);
            }
            run.effort.restarts = attempt + 1;
            // An attempt that was given up has mostly taken a wrong turn early on, or its
            // values are larger than they need to be. So the next one starts anew, searches
            // longer and aims lower.
            steps = steps.saturating_mul(2);
            size -= size.div_ceil(4);
            growth = growth.doubled();
        }
        // What cannot be searched for may still be common: a hash, or an opaque function of a
        // text.
        for _ in n_tries..TRIES_LAST {
            run.it.clear(budget.steps, growth);
            if let Ok(values) = run.try_any(query, (args, wishes), request.size) {
                return (Ok(values), run.effort);
            }
        }
        (Err(NoSolution::GaveUp), run.effort)
    }

    /// Looks for a derivation of a relation on known arguments.
    fn derive(
        &mut self,
        code: &Code,
        program: &Program,
        (rel, args): (CodeRelId, &[Value]),
        budget: Budget,
        chooser: &mut dyn Chooser,
    ) -> (Result<(), NoSolution>, Effort) {
        self.clear(budget.steps, GrowthLimits::default());
        let context = Context { code, program, chooser };
        let mut run = Run { it: self, context, effort: Effort::default() };
        let args: Vec<Ref> = args.iter().map(|it| run.import(it)).collect();
        let posed = run.eval_rel(rel, &args, Some(Ref::TRUE)).and_then(|_| run.run_ready());
        let outcome = match run.search(posed) {
            Ok(()) => Ok(()),
            // Only a search that left nothing out may say so: the failure of a derivation
            // makes the relation false.
            Err(Interrupt::Conflict) if !run.it.was_cut() => Err(NoSolution::Unsatisfiable),
            Err(Interrupt::Conflict | Interrupt::Exhausted) => Err(NoSolution::GaveUp),
        };
        (outcome, run.effort)
    }

    /// Notes the value that an integer would like to have. It is only a preference, so it may stay
    /// when the integer is taken back.
    fn wish_for_int(&mut self, var: VarId, wish: Ref) {
        if let Cell::Int(int) = self.heap.cell(wish) {
            if self.int_wishes.len() <= var.index() {
                self.int_wishes.resize(var.index() + 1, None);
            }
            self.int_wishes[var.index()] = Some(int);
        }
    }

    /// Lets a search end soon after a flag is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|it| it.load(Ordering::Relaxed))
    }

    /// Whether a solution may have been missed.
    fn was_cut(&self) -> bool {
        self.was_cut || self.store.was_cut
    }

    fn clear(&mut self, steps: u64, growth: GrowthLimits) {
        self.heap.clear();
        self.store.clear();
        self.goals.clear();
        self.is_done.clear();
        self.ready.clear();
        self.order.clear();
        self.order.push(OrderNode::START);
        self.cursor = 0;
        self.choices.clear();
        self.opaque_unknowns.clear();
        self.int_cursor = IntCursor::default();
        self.int_wishes.clear();
        self.depth = 0;
        self.steps_left = steps;
        // Nothing may depend on what the machine did before.
        self.n_visits = 0;
        self.rule_depth = 0;
        self.growth = growth;
        self.jumps = Jumps::default();
        self.was_cut = false;
        self.draws_suggestions = false;
        self.draws_all = false;
    }
}

impl Run<'_, '_> {
    /// Poses the goal, and decides what it leaves open.
    fn attempt(
        &mut self,
        query: &SolverQuery,
        args: (&[Option<Value>], &[Option<Value>]),
        size: u32,
    ) -> Step<Vec<Value>> {
        let mut refs = Vec::new();
        let posed = (|| {
            refs = self.arguments(query, args, size)?;
            self.pose(query, &refs)
        })();
        self.search(posed)?;
        self.values(query, &refs)
    }

    /// Decides the arguments as if there were no goal, and looks whether it holds.
    fn try_any(
        &mut self,
        query: &SolverQuery,
        args: (&[Option<Value>], &[Option<Value>]),
        size: u32,
    ) -> Step<Vec<Value>> {
        let refs = self.arguments(query, args, size)?;
        self.it.draws_all = true;
        self.search(Ok(()))?;
        self.it.draws_all = false;
        // What was decided stays decided.
        self.it.choices.clear();
        let posed = self.pose(query, &refs);
        self.search(posed)?;
        self.values(query, &refs)
    }

    fn arguments(
        &mut self,
        query: &SolverQuery,
        (args, wishes): (&[Option<Value>], &[Option<Value>]),
        size: u32,
    ) -> Step<Vec<Ref>> {
        let mut refs = Vec::new();
        for (at, (shape, arg)) in query.params.iter().zip(args).enumerate() {
            refs.push(match arg {
                Some(value) => self.import(value),
                None => {
                    let wish = wishes.get(at).and_then(Option::as_ref);
                    let wish = wish.map(|it| self.import(it));
                    let size = i32::try_from(size).unwrap_or(UNSIZED - 1);
                    self.fresh_unknown(*shape, FreshUnknown { size, n_before: 0, wish })?
                }
            });
        }
        Ok(refs)
    }

    fn pose(&mut self, query: &SolverQuery, refs: &[Ref]) -> Step<()> {
        self.call(query.goal, refs, Some(Ref::TRUE))?;
        self.run_ready()
    }

    fn values(&mut self, query: &SolverQuery, refs: &[Ref]) -> Step<Vec<Value>> {
        let values = refs.iter().zip(&query.params);
        values.map(|(it, shape)| self.export(*it, *shape)).collect()
    }

    /// Decides everything that is left after the goals were posed.
    fn search(&mut self, posed: Step<()>) -> Step<()> {
        let mut outcome = posed;
        loop {
            match outcome {
                Err(Interrupt::Exhausted) => return Err(Interrupt::Exhausted),
                Err(Interrupt::Conflict) if self.it.choices.is_empty() => {
                    return Err(Interrupt::Conflict);
                }
                Err(Interrupt::Conflict) => outcome = self.backtrack(),
                Ok(()) => match self.choose() {
                    Ok(true) => outcome = Ok(()),
                    Ok(false) => return Ok(()),
                    Err(it) => outcome = Err(it),
                },
            }
        }
    }

    /// Counts a step.
    fn step(&mut self) -> Step<()> {
        self.charge(1)
    }

    /// Counts steps.
    fn charge(&mut self, steps: u64) -> Step<()> {
        const REVISIONS_PER_STEP: u64 = 2;
        const STEPS_PER_LOOK: u64 = 1024;
        // A chain of constraints can keep the store busy for long within one goal. Steps that
        // did not count its revisions would not bound the time.
        let n_revisions = std::mem::take(&mut self.it.store.n_revisions);
        let steps = steps + n_revisions / REVISIONS_PER_STEP;
        let before = self.effort.steps;
        self.effort.steps += steps;
        let looks = before / STEPS_PER_LOOK != self.effort.steps / STEPS_PER_LOOK;
        if looks && self.it.is_interrupted() {
            return Err(Interrupt::Exhausted);
        }
        match self.it.steps_left.checked_sub(steps) {
            Some(left) => {
                self.it.steps_left = left;
                Ok(())
            }
            None => {
                self.it.steps_left = 0;
                Err(Interrupt::Exhausted)
            }
        }
    }

    /// Counts a part of a term that is looked at. Terms share parts, so that one of few cells can
    /// be exponentially large.
    fn visit(&mut self) -> Step<()> {
        const VISITS_PER_STEP: u32 = 16;
        self.it.n_visits += 1;
        if self.it.n_visits.is_multiple_of(VISITS_PER_STEP) { self.step() } else { Ok(()) }
    }

    /// A new unknown. Products are taken apart at once.
    fn fresh(&mut self, shape: ShapeId, size: i32) -> Step<Ref> {
        self.fresh_unknown(shape, FreshUnknown { size, n_before: 0, wish: None })
    }

    fn fresh_unknown(&mut self, shape: ShapeId, how: FreshUnknown) -> Step<Ref> {
        let code = self.context.code;
        let FreshUnknown { size, wish, .. } = how;
        match &code.shape(shape).kind {
            ShapeKind::Int => Ok(self.fresh_int(-INFINITY, INFINITY, wish)),
            ShapeKind::Char => {
                let char = self.fresh_int(0, i64::from(u32::from(char::MAX)), wish);
                if let Cell::Var(Offset { var, .. }) = self.it.heap.cell(char) {
                    self.it.store.mark_character(var);
                }
                Ok(char)
            }
            ShapeKind::Tuple(parts) => {
                let wishes = self.wishes_of_parts(wish, None);
                let parts = parts.iter().enumerate().map(|(at, it)| {
                    let wish = wishes.map(|it| self.it.heap.part(it, at));
                    self.fresh_unknown(*it, FreshUnknown { size, n_before: 0, wish })
                });
                let parts = parts.collect::<Step<Vec<_>>>()?;
                let parts = self.it.heap.add_refs(parts);
                Ok(self.it.heap.add(Cell::Tuple(parts)))
            }
            ShapeKind::Sum(ctors) if ctors.len() == 1 => {
                self.construct_fresh(shape, 0, (size, wish))
            }
            ShapeKind::Refined(base, predicate) => {
                let value = self.fresh_unknown(*base, how)?;
                self.call(*predicate, &[value], Some(Ref::TRUE))?;
                Ok(value)
            }
            ShapeKind::Sum(_) | ShapeKind::List(_) | ShapeKind::Bool => {
                let it = self.unknown(shape, how);
                self.insert_in_order(it);
                Ok(it)
            }
            // These are not in the order of choices: a value is drawn for them only if some
            // goal waits for it.
            ShapeKind::Opaque | ShapeKind::Collection(_) => {
                let it = self.unknown(shape, how);
                self.it.opaque_unknowns.push(it);
                Ok(it)
            }
        }
    }

    fn unknown(&mut self, shape: ShapeId, how: FreshUnknown) -> Ref {
        let FreshUnknown { size, n_before, wish } = how;
        let heap = &mut self.it.heap;
        heap.unknowns.push(Unknown {
            shape,
            size,
            n_before,
            watchers: END,
            producer: END,
            excluded: 0,
            wish,
        });
        heap.add(Cell::Unknown(UnknownId(heap.unknowns.len() as u32 - 1)))
    }

    fn fresh_int(&mut self, lo: i64, hi: i64, wish: Option<Ref>) -> Ref {
        let var = self.it.store.fresh(lo, hi);
        if let Some(wish) = wish {
            self.it.wish_for_int(var, wish);
        }
        self.it.heap.add(Cell::Var(Offset { var, plus: 0 }))
    }

    /// A constructor with unknown fields, which share what is left of the size.
    fn construct_fresh(
        &mut self,
        shape: ShapeId,
        tag: usize,
        (size, wish): (i32, Option<Ref>),
    ) -> Step<Ref> {
        let code = self.context.code;
        let ShapeKind::Sum(ctors) = &code.shape(shape).kind else {
            return Err(Interrupt::Conflict);
        };
        let ctor = &ctors[tag];
        let share = ctor.share(size);
        let wishes = self.wishes_of_parts(wish, Some(ctor.ctor));
        let fields = ctor.fields.iter().enumerate().map(|(at, it)| {
            let wish = wishes.map(|it| self.it.heap.part(it, at));
            self.fresh_unknown(*it, FreshUnknown { size: share, n_before: 0, wish })
        });
        let fields = fields.collect::<Step<Vec<_>>>()?;
        let fields = self.it.heap.add_refs(fields);
        Ok(self.it.heap.add(Cell::Data(ctor.ctor, fields)))
    }

    /// The parts of a wish, if it begins with a constructor.
    fn wishes_of_parts(&self, wish: Option<Ref>, ctor: Option<CtorId>) -> Option<Refs> {
        match (self.it.heap.cell(wish?), ctor) {
            (Cell::Data(found, parts), Some(ctor)) if found == ctor => Some(parts),
            (Cell::Tuple(parts), None) => Some(parts),
            _ => None,
        }
    }

    /// A frame of a function, with its first locals.
    fn frame(&mut self, n_slots: u32, args: &[Ref]) -> Refs {
        let blank = (n_slots as usize).saturating_sub(args.len());
        let refs = args.iter().copied().chain(std::iter::repeat_n(Ref::UNIT, blank));
        self.it.heap.add_refs(refs)
    }
}
