//! Determines which functions are too large to compile.
//!
//! Cranelift's time and memory grow faster than the function: a function of 100,000 `let`s would
//! take 11 GB. The interpreter runs such a function, and every function that may call it, since
//! compiled code can only call compiled code.

use gainsay_core::{Function, FunctionId, Program, Term, Ty, TyId};

use super::instrumentation::Instrumentation;

/// The largest function that is compiled, in units of [`cost`].
const MAX_COST: usize = 10_000;

/// The same for a function with mutants, each of which is a further term of its body.
const MAX_COST_WITH_MUTANTS: usize = 5 * MAX_COST;

/// Whether every function of a program can be compiled with mutants.
pub fn can_switch_mutants(program: &Program) -> bool {
    TooLargeFunctions::larger_than(MAX_COST_WITH_MUTANTS, program).is_empty()
}

/// The functions of a program that must be interpreted.
pub(super) struct TooLargeFunctions {
    /// One flag per function; empty if everything is compiled.
    is_interpreted: Box<[bool]>,
}

impl TooLargeFunctions {
    pub(super) fn of(program: &Program, instruments: &Instrumentation) -> Self {
        let has_mutants = instruments.has_mutants();
        Self::larger_than(if has_mutants { MAX_COST_WITH_MUTANTS } else { MAX_COST }, program)
    }

    fn larger_than(max: usize, program: &Program) -> Self {
        let widest = program.ctors.iter().map(|it| it.fields.len()).max().unwrap_or(0);
        let is_large = |it: &Function| cost(it, widest) > max;
        if !program.functions.iter().any(is_large) {
            return Self { is_interpreted: Box::default() };
        }
        let mut is_interpreted: Box<[bool]> = program.functions.iter().map(is_large).collect();
        mark_callers(program, &mut is_interpreted);
        // Function values and predicates can reach any code, so then nothing is compiled.
        if may_come_from_outside(program, &is_interpreted) {
            is_interpreted.fill(true);
        }
        Self { is_interpreted }
    }

    pub(super) fn contains(&self, function: FunctionId) -> bool {
        self.is_interpreted.get(function.index()).copied().unwrap_or(false)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_interpreted.is_empty()
    }
}

/// Approximate number of instructions of a function before optimization.
fn cost(function: &Function, widest: usize) -> usize {
    let body = &function.body;
    let mut cost = body.terms.len() + body.locals.len() + body.patterns.len();
    for term in &body.terms {
        let mut n_parts = 0;
        term.for_each_subterm(&mut |_| n_parts += 1);
        cost += n_parts;
        // Register allocation for a call scans all its arguments for each of them.
        if matches!(term, Term::Call { .. } | Term::CallValue { .. }) {
            cost += n_parts * n_parts / 16;
        }
        // An update loads and stores every field, however few it changes.
        if matches!(term, Term::Update { .. }) {
            cost += widest;
        }
    }
    cost
}

/// Marks every function that refers to a marked one, directly or indirectly.
fn mark_callers(program: &Program, is_marked: &mut [bool]) {
    let mut callers = vec![Vec::new(); program.functions.len()];
    for (caller, function) in program.functions.iter().enumerate() {
        for term in &function.body.terms {
            // Reverse edges, so that marking propagates from callees to callers.
            if let Some(callee) = callee(program, term) {
                callers[callee.index()].push(caller);
            }
        }
    }
    let mut pending: Vec<usize> = (0..is_marked.len()).filter(|it| is_marked[*it]).collect();
    while let Some(callee) = pending.pop() {
        // Taken, so that each edge is followed once.
        for caller in std::mem::take(&mut callers[callee]) {
            if !std::mem::replace(&mut is_marked[caller], true) {
                pending.push(caller);
            }
        }
    }
}

/// The function that a term refers to, including the one that computes a constant.
fn callee(program: &Program, term: &Term) -> Option<FunctionId> {
    if let Term::Constant(constant) = term {
        return Some(program.constants[constant.index()].function);
    }
    term.function()
}

/// Whether code that refers to no marked function can still receive one: as a function value, or as
/// the predicate of a type.
fn may_come_from_outside(program: &Program, is_marked: &[bool]) -> bool {
    let terms = program.functions.iter().flat_map(|it| &it.body.terms);
    // A direct call marks its caller, so only other references count here.
    let values = terms.filter(|it| !matches!(it, Term::Call { .. })).filter_map(Term::function);
    let types = (0..program.types.len()).map(|at| program.types.get(TyId(at as u32)));
    let predicates = types.filter_map(|ty| {
        if let Ty::Refined { predicate, .. } = ty { Some(*predicate) } else { None }
    });
    values.chain(predicates).any(|it| is_marked[it.index()])
}
