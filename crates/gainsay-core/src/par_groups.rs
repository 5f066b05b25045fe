//! Collects the `par` groups that a function can reach, which determine its possible schedules.

use crate::id::FunctionId;
use crate::program::Program;
use crate::term::{EffectHandler, Term};

/// The number of branches of each `par` group that a call of a function may enter: first the groups
/// in its own body, then those of the functions it references, each function once.
///
/// The analysis is conservative: a group counts even if no call ever reaches it, and a referenced
/// function counts as called. Groups in constants do not count, because constants are always
/// evaluated in source order, nor do groups of functions passed in as arguments.
pub fn par_groups(program: &Program, function: FunctionId) -> Vec<u32> {
    let mut sizes = Vec::new();
    let mut is_known = vec![false; program.functions.len()];
    let mut reached = vec![function];
    is_known[function.index()] = true;
    let mut next = 0;
    // A queue, not a stack: groups of nearer functions come first.
    while let Some(function) = reached.get(next).copied() {
        next += 1;
        for term in &program.function(function).body.terms {
            if let Term::Par { branches, .. } = term {
                sizes.push(branches.len() as u32);
            }
            for_each_named_function(program, term, &mut |named| {
                if !std::mem::replace(&mut is_known[named.index()], true) {
                    reached.push(named);
                }
            });
        }
    }
    sizes
}

/// The functions that evaluating a term may call, except those passed in as arguments.
fn for_each_named_function(program: &Program, term: &Term, visit: &mut dyn FnMut(FunctionId)) {
    term.function().into_iter().for_each(&mut *visit);
    let Term::Under { handlers: answers, .. } = term else { return };
    for answer in answers {
        match answer {
            EffectHandler::World(world) => {
                let stubs = program.world(*world).stubs.iter();
                stubs.for_each(|(_, function)| visit(*function));
            }
            // A stub is a subterm of its own: the closure that makes it names its function.
            EffectHandler::Stub(..) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use gainsay_source::{FileId, Span};

    use super::*;
    use crate::body::Body;
    use crate::claim::World;
    use crate::id::{ConstId, ModuleId, OpId, TermId, WorldId};
    use crate::program::{Constant, Function, FunctionKind};
    use crate::ty::TypeTable;

    fn nowhere() -> Span {
        Span::new(FileId(0), 0, 0)
    }

    /// A program whose functions are lists of terms.
    fn program(functions: Vec<Vec<Term>>) -> Program {
        let mut program = Program::default();
        for terms in functions {
            let mut body = Body::default();
            for term in terms {
                body.root = Some(body.add(term, TypeTable::UNIT, nowhere()));
            }
            program.functions.push(Function {
                name: "f".into(),
                module: ModuleId(0),
                span: nowhere(),
                kind: FunctionKind::Declared,
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
            });
        }
        program
    }

    fn par(n_branches: usize) -> Term {
        Term::Par { branches: vec![TermId(0); n_branches].into(), cancelling: false }
    }

    fn call(function: u32) -> Term {
        let function = FunctionId(function);
        Term::Call { function, type_args: Box::default(), args: Box::default() }
    }

    fn closure(function: u32) -> Term {
        Term::Closure { function: FunctionId(function), captures: Box::default() }
    }

    #[test]
    fn groups_of_a_function_come_before_those_of_its_callees() {
        let program = program(vec![
            vec![call(1), par(2), par(3), call(2)],
            vec![par(4)],
            vec![par(5), call(1)],
            vec![par(6)],
        ]);
        assert_eq!(par_groups(&program, FunctionId(0)), [2, 3, 4, 5]);
        assert_eq!(par_groups(&program, FunctionId(2)), [5, 4]);
        assert_eq!(par_groups(&program, FunctionId(3)), [6]);
    }

    #[test]
    fn closures_and_function_values_are_followed() {
        let value = Term::Function { function: FunctionId(2), type_args: Box::default() };
        let program = program(vec![vec![closure(1), value], vec![par(2)], vec![par(3)]]);
        assert_eq!(par_groups(&program, FunctionId(0)), [2, 3]);
    }

    #[test]
    fn functions_that_call_each_other_count_once() {
        let program = program(vec![vec![par(2), call(1)], vec![call(0), call(1), par(3)]]);
        assert_eq!(par_groups(&program, FunctionId(0)), [2, 3]);
        assert_eq!(par_groups(&program, FunctionId(1)), [3, 2]);
    }

    #[test]
    fn stubs_of_worlds_are_followed_and_constants_are_not() {
        let answers: Box<[EffectHandler]> = Box::new([EffectHandler::World(WorldId(0))]);
        let under = Term::Under { handlers: answers, body: TermId(0) };
        let constant = Term::Constant(ConstId(0));
        let mut program = program(vec![
            vec![closure(3), under, constant],
            vec![par(2)],
            vec![par(3)],
            vec![],
        ]);
        let answers: Box<[(OpId, FunctionId)]> = Box::new([(OpId(0), FunctionId(1))]);
        program.worlds.push(World {
            name: "w".into(),
            module: ModuleId(0),
            span: nowhere(),
            stubs: answers,
        });
        program.constants.push(Constant {
            name: "c".into(),
            module: ModuleId(0),
            span: nowhere(),
            ty: TypeTable::UNIT,
            function: FunctionId(2),
        });
        assert_eq!(par_groups(&program, FunctionId(0)), [2]);
    }
}
