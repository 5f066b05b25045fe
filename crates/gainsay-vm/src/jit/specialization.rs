//! Specialization of functions for the closures passed to them.
//!
//! A function over lists calls a closure for each element, and most callers write that closure in
//! place: `keep(xs, |x| x % divisor != 0)`. If it is short, the caller calls a specialization of
//! `keep` into which the closure is inlined. The arguments passed stay the same, and so do steps,
//! depth and words; only the indirect call is gone.

use gainsay_core::{Function, FunctionId, LocalId, Program, Term, TermId};

use super::calling_convention::{MAX_SMALL_SIZE, checks_result, size_of};
use super::instrumentation::Instrumentation;

/// Maximum number of terms of an inlined closure.
const MAX_TERMS: usize = 24;

/// A function with some parameters known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Specialization {
    pub(super) function: FunctionId,
    /// The functions that some parameters are closures of, by index, in order; empty for the
    /// original.
    pub(super) known_closures: Box<[(usize, FunctionId)]>,
    pub(super) int_assumption: IntAssumption,
}

/// What a specialization assumes about its integer parameters, if the function has such
/// specializations.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum IntAssumption {
    /// Nothing: dispatches to one of the others.
    Any,
    /// All are small.
    Small,
    /// Any integers; some are not small.
    Large,
}

impl From<FunctionId> for Specialization {
    fn from(function: FunctionId) -> Self {
        Self { function, known_closures: Box::default(), int_assumption: IntAssumption::Any }
    }
}

impl Specialization {
    /// The integer specialization of a function.
    pub(super) fn with_ints(function: FunctionId, ints: IntAssumption) -> Self {
        Self { int_assumption: ints, ..Self::from(function) }
    }

    /// Whether this is the unspecialized function.
    pub(super) fn is_original(&self) -> bool {
        self.known_closures.is_empty() && self.int_assumption == IntAssumption::Any
    }

    /// The function that a parameter is a closure of, if known.
    pub(super) fn closure_of_param(&self, param: LocalId) -> Option<FunctionId> {
        let mut known = self.known_closures.iter();
        known.find(|(at, _)| *at == param.index()).map(|(_, function)| *function)
    }

    /// Number of terms and locals, including inlined closures.
    pub(super) fn size(&self, program: &Program) -> usize {
        let function = program.function(self.function);
        // Each call of the parameter inlines the closure once.
        let inside = self.known_closures.iter().map(|(param, known)| {
            n_param_calls(function, *param) * size_of(program.function(*known))
        });
        size_of(function) + inside.sum::<usize>()
    }
}

/// The specialization of a function for a call in which some arguments are known closures; `None`
/// if it is not worthwhile.
pub(super) fn specialization_for(
    program: &Program,
    instruments: &Instrumentation,
    id: FunctionId,
    args: impl Iterator<Item = Option<FunctionId>>,
) -> Option<Specialization> {
    let function = program.function(id);
    let is_open = |(param, closure): (usize, Option<FunctionId>)| {
        let closure = closure.filter(|it| is_inlinable(program, instruments, *it))?;
        let specializes =
            n_param_calls(function, param) > 0 && passes_param_unchanged(function, id, param);
        specializes.then_some((param, closure))
    };
    // Closures themselves are not specialized, nor functions with mutants, whose switches would be
    // duplicated.
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
    // The size limit keeps the frame small, so that the depth counter still bounds the stack.
    (!copied.known_closures.is_empty() && copied.size(program) <= MAX_SMALL_SIZE)
        .then_some(copied)
}

/// Number of calls of a parameter in a function.
fn n_param_calls(function: &Function, param: usize) -> usize {
    let is_call = |term: &&Term| matches!(term, Term::CallValue { callee, .. } if is_param(function, *callee, param));
    function.body.terms.iter().filter(is_call).count()
}

/// Whether a function passes a parameter unchanged whenever it calls itself. Then a specialization
/// calls no other specialization of the function, and tail calls stay in its own frame.
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

/// Whether the body of a function may be inlined: it is short, has no checks around it, and calls
/// nothing, so that no call in it is a tail call.
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

/// Whether a term only computes. A form that is not listed is not known to.
fn is_pure(term: &Term) -> bool {
    matches!(
        term,
        Term::Literal(_)
            | Term::Local(_)
            | Term::Builtin { .. }
            | Term::Tuple(_)
            | Term::List { .. }
            | Term::Construct { .. }
            | Term::Field { .. }
            | Term::Update { .. }
            | Term::If { .. }
            | Term::And(..)
            | Term::Or(..)
            | Term::Match { .. }
            | Term::Block { .. }
    )
}
