//! Copies of functions for the function values they are given.
//!
//! A function over lists calls a function value at each element, and most callers write that
//! value right there: `keep(xs, |x| x % divisor != 0)`. Where it is short, the caller calls a
//! copy of `keep` in which it stands in place of its calls. What is passed stays the same, and
//! so do steps, depth and words; only the way to the function value is gone.

use gainsay_core::{Function, FunctionId, LocalId, Program, Term, TermId};

use super::calling_convention::{MAX_SMALL_SIZE, checks_result, size_of};
use super::instrumentation::Instrumentation;

/// How many terms a function value has at most that stands in place of its calls.
const MAX_TERMS: usize = 24;

/// A function whose parameters at some positions are known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Specialization {
    pub(super) function: FunctionId,
    /// Which functions the parameters at some positions are closures of, in order; a function
    /// as it is written knows none.
    pub(super) known_closures: Box<[(usize, FunctionId)]>,
    pub(super) int_assumption: IntAssumption,
}

/// Which integers the parameters of a copy may be, for a function that has copies for that.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum IntAssumption {
    /// Whatever a caller has: one of the copies goes on.
    Any,
    /// Small ones.
    Small,
    /// Any, some of which are not small.
    Large,
}

impl From<FunctionId> for Specialization {
    fn from(function: FunctionId) -> Self {
        Self { function, known_closures: Box::default(), int_assumption: IntAssumption::Any }
    }
}

impl Specialization {
    /// The copy of a function for integers.
    pub(super) fn with_ints(function: FunctionId, ints: IntAssumption) -> Self {
        Self { int_assumption: ints, ..Self::from(function) }
    }

    /// Whether this is the function that everybody calls.
    pub(super) fn is_original(&self) -> bool {
        self.known_closures.is_empty() && self.int_assumption == IntAssumption::Any
    }

    /// What a parameter is a closure of, if that is known.
    pub(super) fn closure_of_param(&self, param: LocalId) -> Option<FunctionId> {
        let mut known = self.known_closures.iter();
        known.find(|(at, _)| *at == param.index()).map(|(_, function)| *function)
    }

    /// Terms and locals of the function with all that stands in it.
    pub(super) fn size(&self, program: &Program) -> usize {
        let function = program.function(self.function);
        let inside = self.known_closures.iter().map(|(param, known)| {
            n_param_calls(function, *param) * size_of(program.function(*known))
        });
        size_of(function) + inside.sum::<usize>()
    }
}

/// The copy of a function to call with arguments of which it is known what some are closures
/// of; nothing if none is worth a copy.
pub(super) fn specialization_for(
    program: &Program,
    instruments: &Instrumentation,
    id: FunctionId,
    args: impl Iterator<Item = Option<FunctionId>>,
) -> Option<Specialization> {
    let function = program.function(id);
    let is_open = |(param, closure): (usize, Option<FunctionId>)| {
        let closure = closure.filter(|it| is_inlinable(program, instruments, *it))?;
        let is_worth_it =
            n_param_calls(function, param) > 0 && passes_param_unchanged(function, id, param);
        is_worth_it.then_some((param, closure))
    };
    if function.n_captures > 0
        || size_of(function) > MAX_SMALL_SIZE
        || instruments.has_mutants_in(id)
    {
        return None;
    }
    let known: Box<[_]> = args.enumerate().filter_map(is_open).collect();
    let copied = Specialization {
        function: id,
        known_closures: known,
        int_assumption: IntAssumption::Any,
    };
    (!copied.known_closures.is_empty() && copied.size(program) <= MAX_SMALL_SIZE)
        .then_some(copied)
}

/// How many calls of a parameter a function has.
fn n_param_calls(function: &Function, param: usize) -> usize {
    let is_call = |term: &&Term| matches!(term, Term::CallValue { callee, .. } if is_param(function, *callee, param));
    function.body.terms.iter().filter(is_call).count()
}

/// Whether a function calls itself with nothing else in place of a parameter. So a copy calls
/// no other copy of the function, and in tail position goes on in its own frame.
fn passes_param_unchanged(function: &Function, id: FunctionId, param: usize) -> bool {
    function.body.terms.iter().all(|term| {
        if let Term::Call { function: callee, args, .. } = term
            && *callee == id
        {
            is_param(function, args[param], param)
        } else {
            true
        }
    })
}

fn is_param(function: &Function, term: TermId, param: usize) -> bool {
    matches!(function.body.term(term), Term::Local(local) if local.index() == param)
}

/// Whether the body of a function may stand in place of its calls: it is short, nothing is
/// checked around it, and it calls nothing, so that no call in it is a tail call.
fn is_inlinable(program: &Program, instruments: &Instrumentation, id: FunctionId) -> bool {
    let function = program.function(id);
    let is_refined = |ty| program.types.flags(ty).has_refinement();
    function.body.root.is_some()
        && function.body.terms.len() <= MAX_TERMS
        && function.requires.is_empty()
        && !function.params.iter().any(|it| is_refined(it.ty))
        && !checks_result(program, function)
        && !instruments.has_mutants_in(id)
        && function.body.terms.iter().all(is_pure)
}

/// Whether a term only computes.
fn is_pure(term: &Term) -> bool {
    match term {
        Term::Literal(_) | Term::Local(_) | Term::Builtin { .. } => true,
        Term::Tuple(_) | Term::List { .. } | Term::Construct { .. } => true,
        Term::Field { .. } | Term::Update { .. } => true,
        Term::If { .. } | Term::And(..) | Term::Or(..) => true,
        Term::Match { .. } | Term::Block { .. } => true,
        Term::Constant(_) | Term::Function { .. } | Term::Closure { .. } => false,
        Term::Call { .. } | Term::CallValue { .. } | Term::Perform { .. } => false,
        Term::CheckRel { .. } | Term::Try { .. } | Term::Refine { .. } => false,
        Term::Observe { .. } | Term::Assume(_) | Term::Throws { .. } => false,
        Term::Under { .. } | Term::Across { .. } | Term::Par { .. } => false,
        Term::Traced { .. } | Term::Sample { .. } | Term::Hole => false,
    }
}
