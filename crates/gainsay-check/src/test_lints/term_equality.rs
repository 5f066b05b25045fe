//! Structural equality of terms up to renaming, and purity: equal pure terms have equal values.

use std::collections::HashMap;

use gainsay_core::{
    Arm, Body, FunctionId, Literal, LocalId, Pattern, PatternId, Program, RestPattern,
    Statement, Term, TermId, Ty,
};

/// Whether two terms are the same expression, up to the names they bind.
pub(super) fn same_term(
    program: &Program,
    left: (FunctionId, TermId),
    right: (FunctionId, TermId),
) -> bool {
    let body = |function: FunctionId| &program.function(function).body;
    let (a, b) = (body(left.0), body(right.0));
    TermComparison { program, left: a, right: b, renamed: HashMap::new() }
        .terms(left.1, right.1)
}

/// Whether a term always has the same value: it has no effects, and nothing in it depends on the
/// case.
pub(super) fn is_pure(program: &Program, body: &Body, term: TermId) -> bool {
    let mut pending = vec![term];
    while let Some(id) = pending.pop() {
        let term = body.term(id);
        let is_pure = if let Term::Call { function, args, .. } = term {
            let row = program.types.get_row(program.function(*function).row);
            // A generic function performs what its function arguments perform.
            let generic = !row.params.is_empty();
            let args = || args.iter().all(|arg| is_pure_function(program, body, *arg));
            row.ops.is_empty() && (!generic || args())
        } else if let Term::CallValue { callee, .. } = term {
            is_pure_function(program, body, *callee)
        } else {
            is_pure_form(term)
        };
        if !is_pure {
            return false;
        }
        term.for_each_subterm(&mut |part| pending.push(part));
    }
    true
}

/// Whether a term other than a call has no effects of its own. A form that is not listed counts as
/// impure, so that nothing is concluded from it.
fn is_pure_form(term: &Term) -> bool {
    matches!(
        term,
        Term::Literal(_)
            | Term::Local(_)
            | Term::Constant(_)
            | Term::Function { .. }
            | Term::Closure { .. }
            | Term::Builtin { .. }
            | Term::CheckRel { .. }
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
            | Term::Refine { .. }
    )
}

/// Whether calling a value has no effects; holds trivially for values that cannot be called.
fn is_pure_function(program: &Program, body: &Body, value: TermId) -> bool {
    let ty = program.types.base(body.ty(value));
    if let Ty::Function { row, .. } = program.types.get(ty) {
        return program.types.get_row(*row).is_pure();
    }
    !program.types.flags(ty).has_function()
}

/// A simultaneous walk over two bodies.
struct TermComparison<'p> {
    program: &'p Program,
    left: &'p Body,
    right: &'p Body,
    /// Maps the locals bound in the left body to those of the right one.
    renamed: HashMap<LocalId, LocalId>,
}

impl TermComparison<'_> {
    fn terms(&mut self, a: TermId, b: TermId) -> bool {
        match (self.left.term(a), self.right.term(b)) {
            (Term::Literal(a), Term::Literal(b)) => same_literal(a, b),
            (Term::Local(a), Term::Local(b)) => {
                // A local that neither side binds is a parameter, and has the same number on both
                // sides.
                self.renamed.get(a).copied().unwrap_or(*a) == *b
            }
            (Term::Constant(a), Term::Constant(b)) => a == b,
            (
                Term::Function { function: a, type_args: s },
                Term::Function { function: b, type_args: t },
            ) => a == b && s == t,
            (
                Term::Closure { function: a, captures: s },
                Term::Closure { function: b, captures: t },
            ) => self.all_terms(s, t) && self.lambdas(*a, *b),
            (
                Term::Call { function: a, type_args: s, args: x },
                Term::Call { function: b, type_args: t, args: y },
            ) => a == b && s == t && self.all_terms(x, y),
            (
                Term::Builtin { builtin: a, type_args: s, args: x },
                Term::Builtin { builtin: b, type_args: t, args: y },
            ) => a == b && s == t && self.all_terms(x, y),
            (
                Term::Perform { op: a, type_args: s, args: x },
                Term::Perform { op: b, type_args: t, args: y },
            ) => a == b && s == t && self.all_terms(x, y),
            (Term::Construct { ctor: a, args: x }, Term::Construct { ctor: b, args: y }) => {
                a == b && self.all_terms(x, y)
            }
            (Term::CheckRel { rel: a, args: x }, Term::CheckRel { rel: b, args: y }) => {
                a == b && self.all_terms(x, y)
            }
            (Term::Refine { value: x, ty: a }, Term::Refine { value: y, ty: b }) => {
                a == b && self.terms(*x, *y)
            }
            (Term::Try { value: x, kind: a }, Term::Try { value: y, kind: b }) => {
                a == b && self.terms(*x, *y)
            }
            (Term::Field { base: x, index: a }, Term::Field { base: y, index: b }) => {
                a == b && self.terms(*x, *y)
            }
            (a, b) => self.compound_terms(a, b),
        }
    }

    /// Terms that are determined by their subterms.
    fn compound_terms(&mut self, a: &Term, b: &Term) -> bool {
        match (a, b) {
            (Term::Tuple(x), Term::Tuple(y)) => self.all_terms(x, y),
            (
                Term::CallValue { callee: a, args: x },
                Term::CallValue { callee: b, args: y },
            ) => self.terms(*a, *b) && self.all_terms(x, y),
            (Term::List { items: x, rest: a }, Term::List { items: y, rest: b }) => {
                self.all_terms(x, y) && self.optional_terms(*a, *b)
            }
            (Term::Update { base: a, fields: x }, Term::Update { base: b, fields: y }) => {
                let mut fields = x.iter().zip(y);
                x.len() == y.len()
                    && self.terms(*a, *b)
                    && fields.all(|(x, y)| x.0 == y.0 && self.terms(x.1, y.1))
            }
            (
                Term::If { condition: a, then: s, otherwise: x },
                Term::If { condition: b, then: t, otherwise: y },
            ) => self.all_terms(&[*a, *s, *x], &[*b, *t, *y]),
            (Term::And(a, x), Term::And(b, y)) | (Term::Or(a, x), Term::Or(b, y)) => {
                self.all_terms(&[*a, *x], &[*b, *y])
            }
            (Term::Match { scrutinee: a, arms: x }, Term::Match { scrutinee: b, arms: y }) => {
                x.len() == y.len()
                    && self.terms(*a, *b)
                    && x.iter().zip(y).all(|(x, y)| self.arms(x, y))
            }
            (
                Term::Block { statements: x, result: a },
                Term::Block { statements: y, result: b },
            ) => {
                x.len() == y.len()
                    && x.iter().zip(y).all(|(x, y)| self.statements(x, y))
                    && self.terms(*a, *b)
            }
            (Term::Traced { call: a }, Term::Traced { call: b }) => self.terms(*a, *b),
            (_, _) => false,
        }
    }

    fn all_terms(&mut self, a: &[TermId], b: &[TermId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.terms(*a, *b))
    }

    fn optional_terms(&mut self, a: Option<TermId>, b: Option<TermId>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => self.terms(a, b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Captures are parameters, numbered in the order of their first use, so equal lambdas agree.
    fn lambdas(&mut self, a: FunctionId, b: FunctionId) -> bool {
        let (a, b) = (self.program.function(a), self.program.function(b));
        let params = |it: &gainsay_core::Function| -> Vec<_> {
            it.params.iter().map(|param| param.ty).collect()
        };
        // A lambda sees nothing of the bodies around it but its captures, so the renaming starts
        // anew.
        let (left, right) = (&a.body, &b.body);
        let mut inside =
            TermComparison { program: self.program, left, right, renamed: HashMap::new() };
        params(a) == params(b)
            && left.root.zip(right.root).is_some_and(|(a, b)| inside.terms(a, b))
    }

    fn arms(&mut self, a: &Arm, b: &Arm) -> bool {
        self.patterns(a.pattern, b.pattern)
            && self.optional_terms(a.guard, b.guard)
            && self.terms(a.body, b.body)
    }

    fn statements(&mut self, a: &Statement, b: &Statement) -> bool {
        // The values first: the names of a `let` are not in scope of its own value.
        if !self.terms(a.value(), b.value()) {
            return false;
        }
        match (a.pattern(), b.pattern()) {
            (Some(a), Some(b)) => self.patterns(a, b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    fn patterns(&mut self, a: PatternId, b: PatternId) -> bool {
        match (self.left.pattern(a), self.right.pattern(b)) {
            (Pattern::Wildcard, Pattern::Wildcard) => true,
            (Pattern::Bind(a), Pattern::Bind(b)) => {
                self.renamed.insert(*a, *b);
                true
            }
            (Pattern::Literal(a), Pattern::Literal(b)) => same_literal(a, b),
            (Pattern::Tuple(x), Pattern::Tuple(y)) | (Pattern::Or(x), Pattern::Or(y)) => {
                self.all_patterns(x, y)
            }
            (Pattern::Ctor(a, x), Pattern::Ctor(b, y)) => a == b && self.all_patterns(x, y),
            (Pattern::List(x, a), Pattern::List(y, b)) => {
                self.all_patterns(x, y)
                    && match (a, b) {
                        (RestPattern::Some(a), RestPattern::Some(b)) => self.patterns(*a, *b),
                        (RestPattern::Nothing, RestPattern::Nothing) => true,
                        (_, _) => false,
                    }
            }
            (_, _) => false,
        }
    }

    fn all_patterns(&mut self, a: &[PatternId], b: &[PatternId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.patterns(*a, *b))
    }
}

/// Floats are equal if their bits are: `-0.0` is not `0.0`.
fn same_literal(a: &Literal, b: &Literal) -> bool {
    match (a, b) {
        (Literal::Float(a), Literal::Float(b)) => a.to_bits() == b.to_bits(),
        (a, b) => a == b,
    }
}
