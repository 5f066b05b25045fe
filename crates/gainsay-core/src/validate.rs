//! The validator: states in code what every pass may assume of a finished program.
//!
//! Linear in the size of the program. Ids are checked first. If one is invalid, nothing else is
//! checked, so that the other checks can use ids as indices.

mod effects;
mod ids;
mod scopes;
mod typing;

use gainsay_source::Span;

use crate::id::FunctionId;
use crate::program::Program;

/// A violated invariant of finished programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationError {
    /// The function that violates it.
    pub function: FunctionId,
    /// The location.
    pub span: Span,
    /// The violation, worded for the author of the faulty pass.
    pub message: String,
}

/// Checks what every pass may assume: ids in range, subterms before their parents, locals bound
/// before use, consistent types, no undeclared effects, no leftovers of inference or errors.
pub fn validate(program: &Program) -> Result<(), Vec<ValidationError>> {
    let mut defects = Vec::new();
    for at in 0..program.functions.len() {
        ids::check(program, FunctionId(at as u32), &mut defects);
    }
    if !defects.is_empty() {
        return Err(defects);
    }
    let mut typing = typing::TypeValidator::new(program);
    for at in 0..program.functions.len() {
        let function = FunctionId(at as u32);
        scopes::check(program, function, &mut defects);
        typing.check(function, &mut defects);
        effects::check(program, function, &mut defects);
    }
    if defects.is_empty() { Ok(()) } else { Err(defects) }
}

#[cfg(test)]
mod tests {
    use gainsay_source::FileId;

    use super::*;
    use crate::body::Body;
    use crate::id::{LocalId, ModuleId, TermId};
    use crate::program::{Function, FunctionKind, Module};
    use crate::term::{Literal, Term};
    use crate::ty::TypeTable;

    /// The violations in a function without parameters that returns an `Int`.
    fn defects(build: impl FnOnce(&mut Body) -> TermId) -> Vec<String> {
        let span = Span::new(FileId(0), 0, 0);
        let mut body = Body::default();
        body.root = Some(build(&mut body));
        let module = Module { name: "main".into(), file: FileId(0), is_std: false };
        let function = Function {
            name: "f".into(),
            module: ModuleId(0),
            span,
            kind: FunctionKind::Declared,
            type_params: Box::default(),
            effect_params: Box::default(),
            n_captures: 0,
            params: Box::default(),
            result: TypeTable::INT,
            row: TypeTable::PURE,
            requires: Box::default(),
            ensures: Box::default(),
            body,
            attributes: Default::default(),
        };
        let program =
            Program { modules: vec![module], functions: vec![function], ..Program::default() };
        let defects = validate(&program).err().unwrap_or_default();
        defects.into_iter().map(|defect| defect.message).collect()
    }

    fn add(body: &mut Body, term: Term) -> TermId {
        body.add(term, TypeTable::INT, Span::new(FileId(0), 0, 0))
    }

    #[test]
    fn a_sound_function_has_no_defects() {
        assert!(defects(|body| add(body, Term::Literal(Literal::Int(1)))).is_empty());
    }

    #[test]
    fn defects_are_found() {
        let wrong_type = defects(|body| add(body, Term::Literal(Literal::Bool(true))));
        assert_eq!(wrong_type, ["a literal has the wrong type"]);
        let too_early = defects(|body| add(body, Term::Assume(TermId(7))));
        assert_eq!(too_early, ["a term precedes one of its parts"]);
        let unbound = defects(|body| {
            body.add_local("x", TypeTable::INT, Span::new(FileId(0), 0, 0));
            add(body, Term::Local(LocalId(0)))
        });
        assert_eq!(unbound, ["the local `x` is used where it is not bound"]);
        let hole = defects(|body| add(body, Term::Hole));
        assert_eq!(hole, ["a hole, which stands for an error"]);
    }
}
