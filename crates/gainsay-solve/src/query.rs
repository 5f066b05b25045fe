//! Queries: a predicate or relation, compiled with everything it calls.

use gainsay_core::{FunctionId, Literal, Program, RelId, TyId, TypeTable};

use crate::code::{
    Code, CodeFnId, CodeFunction, Expr, ExprId, ResultRange, ShapeId, ShapeKind, SlotId,
};
use crate::compile::{Compiler, NotSolvable};
use crate::machine::SolverQuery;

/// Compiles a function that returns a Boolean; its captures come first among its arguments.
///
/// # Errors
///
/// It cannot be run with unknowns.
pub fn compile_predicate(
    program: &Program,
    types: &mut TypeTable,
    predicate: FunctionId,
    type_args: Box<[TyId]>,
) -> Result<SolverQuery, NotSolvable> {
    let mut compiler = Compiler::new(program, types);
    let goal = compiler.function(predicate, type_args.clone());
    finish(compiler, goal, predicate, &type_args)
}

/// Compiles the preconditions of a function without type parameters: a predicate on its parameters.
///
/// # Errors
///
/// They cannot be run with unknowns.
pub fn compile_preconditions(
    program: &Program,
    types: &mut TypeTable,
    function: FunctionId,
) -> Result<SolverQuery, NotSolvable> {
    let mut compiler = Compiler::new(program, types);
    let (requires, n_slots) = compiler.preconditions(function)?;
    let body = compiler.code.add(Expr::Literal(Literal::Bool(true)));
    let goal = compiler.add_function(CodeFunction {
        n_slots,
        requires,
        body,
        ensures: Box::default(),
        result: compiler.code.bool_shape,
        result_range: ResultRange::Any,
    });
    finish(compiler, goal, function, &[])
}

/// Compiles a relation.
///
/// # Errors
///
/// It cannot be run with unknowns.
pub fn compile_relation(
    program: &Program,
    types: &mut TypeTable,
    rel: RelId,
) -> Result<SolverQuery, NotSolvable> {
    let mut compiler = Compiler::new(program, types);
    let definition = program.rel(rel);
    let id = compiler.rel(rel);
    let tys: Vec<TyId> = definition.params.iter().map(|it| it.ty).collect();
    let params: Box<[ShapeId]> = tys.into_iter().map(|it| compiler.shape(it)).collect();
    let n_params = params.len() as u32;
    let args: Box<[ExprId]> =
        (0..n_params).map(|at| compiler.code.add(Expr::Local(SlotId(at)))).collect();
    let body = compiler.code.add(Expr::Rel(id, args));
    let goal = compiler.add_function(CodeFunction {
        n_slots: n_params,
        requires: Box::default(),
        body,
        ensures: Box::default(),
        result: compiler.code.bool_shape,
        result_range: ResultRange::Any,
    });
    let code = compiler.finish()?;
    let is_recursive = is_recursive(&code);
    Ok(SolverQuery { code, goal, params, is_recursive })
}

/// A query about the parameters of a function. Their own refinements are conditions of the goal, so
/// the unknowns are of the types without them.
fn finish(
    mut compiler: Compiler<'_>,
    goal: CodeFnId,
    function: FunctionId,
    type_args: &[TyId],
) -> Result<SolverQuery, NotSolvable> {
    let params = compiler.program.function(function).params.iter();
    let params: Vec<TyId> = params
        .map(|it| {
            let ty = compiler.types.instantiate(it.ty, type_args);
            compiler.types.base(ty)
        })
        .collect();
    let params = params.into_iter().map(|it| compiler.shape(it)).collect();
    let code = compiler.finish()?;
    let is_recursive = is_recursive(&code);
    Ok(SolverQuery { code, goal, params, is_recursive })
}

impl SolverQuery {
    /// The types whose values are drawn as a whole, unless the machine has to look into them.
    pub fn opaque_types(&self) -> impl Iterator<Item = TyId> + '_ {
        let is_drawn = |it: &&crate::code::TypeShape| {
            matches!(it.kind, ShapeKind::Opaque | ShapeKind::Collection(_))
        };
        self.code.shapes.iter().filter(is_drawn).map(|it| it.ty)
    }
}

/// Whether some function calls itself, directly or not.
pub(crate) fn is_recursive(code: &Code) -> bool {
    // Functions whose callees have all been removed are removed: what is left is on a cycle, or
    // leads to one.
    let mut callees: Vec<Vec<usize>> =
        code.functions.iter().map(|it| called_functions(code, it.body)).collect();
    let mut is_removed = vec![false; callees.len()];
    loop {
        let ready = (0..callees.len()).find(|at| {
            !is_removed[*at] && callees[*at].iter().all(|callee| is_removed[*callee])
        });
        match ready {
            Some(at) => {
                is_removed[at] = true;
                callees[at].clear();
            }
            None => return is_removed.iter().any(|it| !it),
        }
    }
}

pub(crate) fn called_functions(code: &Code, body: ExprId) -> Vec<usize> {
    let mut called = Vec::new();
    let mut pending = vec![body];
    while let Some(next) = pending.pop() {
        match code.expr(next) {
            Expr::Call(function, _)
            | Expr::Closure(function, _)
            | Expr::Refine(_, function) => {
                called.push(function.index());
            }
            Expr::Builtin(call) | Expr::Collection(_, call) => {
                called.extend(call.model.map(CodeFnId::index));
            }
            _ => {}
        }
        code.expr(next).each_part(&mut |part| pending.push(part));
    }
    called
}
