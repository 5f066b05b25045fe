//! Lists the `observe`s of a claim, with the strength of each.

use gainsay_source::Span;

use crate::id::{FunctionId, TermId};
use crate::program::{FunctionKind, Program};
use crate::term::{ObserveStrength, Term};

/// An `observe` of a claim.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct ObserveSite {
    /// The function that contains it: the claim's, or a lambda in it.
    pub function: FunctionId,
    /// The [`Term::Observe`] in the body of that function.
    pub term: TermId,
    /// Its location.
    pub span: Span,
    /// How precisely it determines the observed value.
    pub strength: ObserveStrength,
}

/// The `observe`s in the body of a function and of its lambdas, in source order. The `observe`s of
/// functions that it calls are not included.
pub fn observe_sites(program: &Program, function: FunctionId) -> Vec<ObserveSite> {
    let mut sites = Vec::new();
    let mut pending: Vec<(FunctionId, TermId)> = Vec::new();
    pending.extend(program.function(function).body.root.map(|root| (function, root)));
    while let Some((function, id)) = pending.pop() {
        let body = &program.function(function).body;
        let term = body.term(id);
        if let Term::Observe { strength, .. } = term {
            let (span, strength) = (body.span(id), *strength);
            sites.push(ObserveSite { function, term: id, span, strength });
        }
        // The worklist is a stack: subterms are pushed in reverse so that they pop in evaluation
        // order.
        let first = pending.len();
        term.for_each_subterm(&mut |part| pending.push((function, part)));
        pending.extend(lambda(program, term));
        pending[first..].reverse();
    }
    sites
}

/// The function and root of the lambda that a term creates.
fn lambda(program: &Program, term: &Term) -> Option<(FunctionId, TermId)> {
    let Term::Closure { function, .. } = term else { return None };
    let lambda = program.function(*function);
    let is_lambda = matches!(lambda.kind, FunctionKind::Lambda(_));
    lambda.body.root.filter(|_| is_lambda).map(|root| (*function, root))
}

#[cfg(test)]
mod tests {
    use gainsay_source::FileId;

    use super::*;
    use crate::body::Body;
    use crate::id::ModuleId;
    use crate::program::Function;
    use crate::term::{Literal, Statement};
    use crate::ty::TypeTable;

    fn place(at: u32) -> Span {
        Span::new(FileId(0), at, at + 1)
    }

    fn function(kind: FunctionKind, body: Body) -> Function {
        Function {
            name: "f".into(),
            module: ModuleId(0),
            span: place(0),
            kind,
            type_params: Box::default(),
            effect_params: Box::default(),
            n_captures: 0,
            params: Box::default(),
            result: TypeTable::UNIT,
            row: TypeTable::PURE,
            requires: Box::default(),
            ensures: Box::default(),
            body,
            attributes: Default::default(),
        }
    }

    fn observe(body: &mut Body, strength: ObserveStrength, at: u32) -> TermId {
        let condition = Term::Literal(Literal::Bool(true));
        let condition = body.add(condition, TypeTable::BOOL, place(at));
        body.add(Term::Observe { condition, strength }, TypeTable::UNIT, place(at))
    }

    fn observing(kind: FunctionKind, strength: ObserveStrength, at: u32) -> Function {
        let mut body = Body::default();
        body.root = Some(observe(&mut body, strength, at));
        function(kind, body)
    }

    #[test]
    fn lambdas_are_looked_into_and_called_functions_are_not() {
        let mut body = Body::default();
        let before = observe(&mut body, ObserveStrength::Exact, 1);
        let (function_id, captures) = (FunctionId(1), Box::default());
        let lambda = Term::Closure { function: function_id, captures };
        let lambda = body.add(lambda, TypeTable::UNIT, place(2));
        let (type_args, args) = (Box::default(), Box::default());
        let call = Term::Call { function: FunctionId(2), type_args, args };
        let call = body.add(call, TypeTable::UNIT, place(3));
        let after = observe(&mut body, ObserveStrength::Truth, 4);
        // A term that is not reachable from the root is not part of the claim.
        observe(&mut body, ObserveStrength::Exact, 5);
        let statements = [before, lambda, call].map(Statement::Drop);
        let block = Term::Block { statements: Box::new(statements), result: after };
        body.root = Some(body.add(block, TypeTable::UNIT, place(6)));

        let mut program = Program::default();
        program.functions.push(function(FunctionKind::Claim, body));
        let kind = FunctionKind::Lambda(FunctionId(0));
        program.functions.push(observing(kind, ObserveStrength::Relation, 2));
        program.functions.push(observing(FunctionKind::Declared, ObserveStrength::Exact, 9));

        let found: Vec<(u32, u32, ObserveStrength)> = observe_sites(&program, FunctionId(0))
            .iter()
            .map(|it| (it.function.0, it.span.start, it.strength))
            .collect();
        let expected = [
            (0, 1, ObserveStrength::Exact),
            (1, 2, ObserveStrength::Relation),
            (0, 4, ObserveStrength::Truth),
        ];
        assert_eq!(found, expected);
        for site in observe_sites(&program, FunctionId(0)) {
            let term = program.function(site.function).body.term(site.term);
            assert!(matches!(term, Term::Observe { .. }));
        }
    }

    #[test]
    fn a_function_without_a_body_observes_nothing() {
        let mut program = Program::default();
        program.functions.push(function(FunctionKind::Declared, Body::default()));
        assert_eq!(observe_sites(&program, FunctionId(0)), []);
    }
}
