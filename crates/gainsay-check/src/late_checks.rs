//! Fifth stage: checks that need the whole elaborated program: endless types, cyclic constants,
//! comparisons of functions, functions that would leave the program for a system.

use std::collections::HashSet;

use gainsay_core::{
    ConstId, FunctionId, FunctionKind, ParamNames, Program, SearchStep, Term, Ty, TyId, TypeId,
    builtin,
};
use gainsay_source::Span;

use crate::checker::Checker;
use crate::declarations::Declarations;
use crate::findings::{BadSystem, CyclicConstant, EndlessType, NotComparable, SystemProblem};

pub(crate) fn run<'t>(checker: &mut Checker<'t>, declarations: &Declarations<'t>) {
    report_endless_types(checker, declarations);
    report_cyclic_constants(checker);
    report_function_comparisons(checker);
    report_functions_for_systems(checker);
}

/// Reports types without finite values. A type is finite if one of its constructors has only finite
/// fields; types that are not in the least fixpoint have no values.
fn report_endless_types<'t>(checker: &mut Checker<'t>, declarations: &Declarations<'t>) {
    let program = &checker.program;
    let mut finite: HashSet<TypeId> = HashSet::new();
    loop {
        let before = finite.len();
        for (id, _, _) in &declarations.nominals {
            let def = program.nominal(*id);
            let has_finite_ctor = def.ctors.iter().any(|ctor| {
                program.ctor(*ctor).fields.iter().all(|it| is_finite(program, &finite, it.ty))
            });
            // A type without constructors was written so on purpose: it is empty, not endless.
            if has_finite_ctor || def.ctors.is_empty() {
                finite.insert(*id);
            }
        }
        if finite.len() == before {
            break;
        }
    }
    for (id, _, _) in &declarations.nominals {
        if !finite.contains(id) {
            let def = checker.program.nominal(*id);
            let (name, span) = (def.name.to_string(), def.span);
            checker.report(EndlessType { name, span });
        }
    }
}

fn is_finite(program: &Program, finite: &HashSet<TypeId>, ty: TyId) -> bool {
    match program.types.get(ty) {
        Ty::Tuple(parts) => parts.iter().all(|it| is_finite(program, finite, *it)),
        Ty::Refined { base, .. } => is_finite(program, finite, *base),
        Ty::Named(id, args) => {
            // Type arguments do not matter, because other constructors may not use them (`None`).
            // Only for `Result` every constructor holds an argument, so one of them must be finite.
            finite.contains(id)
                && (Some(*id) != program.lang.result
                    || args.iter().any(|it| is_finite(program, finite, *it)))
        }
        Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str => true,
        // Whatever their items are: empty lists, maps and sets exist, and so do functions.
        Ty::List(_) | Ty::Map(..) | Ty::Set(_) | Ty::Function { .. } => true,
        Ty::Param(_) | Ty::Var(_) | Ty::Error => true,
    }
}

/// The functions and constants that a body references.
fn references(program: &Program, function: FunctionId) -> (Vec<FunctionId>, Vec<ConstId>) {
    let mut functions = Vec::new();
    let mut constants = Vec::new();
    for term in &program.function(function).body.terms {
        if let Term::Call { function, .. }
        | Term::Function { function, .. }
        | Term::Closure { function, .. } = term
        {
            functions.push(*function);
        } else if let Term::Constant(id) = term {
            constants.push(*id);
        }
    }
    (functions, constants)
}

/// Reports every constant that depends on itself.
///
/// Strongly connected components of the graph of functions and constants (Tarjan, 1972), without
/// recursion, because a project may have a call chain of any length.
fn report_cyclic_constants(checker: &mut Checker<'_>) {
    let program = &checker.program;
    let n_functions = program.functions.len();
    let n = n_functions + program.constants.len();
    let edges = |node: usize| -> Vec<usize> {
        if node >= n_functions {
            return vec![program.constants[node - n_functions].function.index()];
        }
        let (functions, constants) = references(program, FunctionId(node as u32));
        // Constants are numbered behind the functions, so that one graph holds both.
        let functions = functions.into_iter().map(FunctionId::index);
        functions.chain(constants.into_iter().map(|it| n_functions + it.index())).collect()
    };
    let mut cyclic = Vec::new();
    for component in strongly_connected_components(n, &edges) {
        // A constant is never its own successor: the path to itself goes through its function.
        let with_itself = component.len() > 1;
        if with_itself {
            cyclic.extend(component.into_iter().filter(|it| *it >= n_functions));
        }
    }
    cyclic.sort_unstable();
    for node in cyclic {
        let constant = &checker.program.constants[node - n_functions];
        let (name, span) = (constant.name.to_string(), constant.span);
        checker.report(CyclicConstant { name, span });
    }
}

fn strongly_connected_components(
    n: usize,
    edges: &dyn Fn(usize) -> Vec<usize>,
) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; n];
    let mut low = vec![0; n];
    let mut on_stack = vec![false; n];
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if index[root] != UNSEEN {
            continue;
        }
        // A node with the successors still to visit, in place of a stack frame.
        let mut work: Vec<(usize, Vec<usize>)> = vec![(root, edges(root))];
        index[root] = next;
        low[root] = next;
        next += 1;
        stack.push(root);
        on_stack[root] = true;
        while let Some((node, rest)) = work.last_mut() {
            let node = *node;
            if let Some(target) = rest.pop() {
                if index[target] == UNSEEN {
                    index[target] = next;
                    low[target] = next;
                    next += 1;
                    stack.push(target);
                    on_stack[target] = true;
                    work.push((target, edges(target)));
                } else if on_stack[target] {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            work.pop();
            if let Some((parent, _)) = work.last() {
                // What a recursive version does after the call returns.
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == index[node] {
                let at = stack.iter().rposition(|it| *it == node).unwrap_or(0);
                let component = stack.split_off(at);
                component.iter().for_each(|it| on_stack[*it] = false);
                found.push(component);
            }
        }
    }
    found
}

/// Reports functions that are compared, ordered or printed: by `==`, or by a generic function that
/// does so at its type parameter. Which parameters those are is the least fixpoint over all calls.
fn report_function_comparisons(checker: &mut Checker<'_>) {
    let program = &checker.program;
    // A bit per type parameter. Parameters beyond the 64th are not tracked, so such uses are not
    // reported here.
    let mut wants: Vec<u64> = vec![0; program.functions.len()];
    loop {
        let mut changed = false;
        for at in 0..program.functions.len() {
            let id = FunctionId(at as u32);
            let mut mask = wants[at];
            for demand in compared_types(program, &wants, id) {
                mask |= type_params_in(program, demand.ty);
            }
            // A lambda shares the type parameters of its enclosing function, so its uses count for
            // that.
            if let FunctionKind::Lambda(parent) = program.function(id).kind {
                changed |= wants[parent.index()] | mask != wants[parent.index()];
                wants[parent.index()] |= mask;
            }
            changed |= mask != wants[at];
            wants[at] = mask;
        }
        if !changed {
            break;
        }
    }
    // Reported only now: before the fixpoint, a call may still look harmless.
    let holders = types_with_functions(program);
    let mut failing = Vec::new();
    for at in 0..program.functions.len() {
        for demand in compared_types(program, &wants, FunctionId(at as u32)) {
            if contains_function(program, &holders, demand.ty) {
                failing.push((demand, at));
            }
        }
    }
    for (demand, at) in failing {
        let function = checker.program.functions[at].clone();
        let names =
            ParamNames { types: &function.type_params, effects: &function.effect_params };
        let ty = checker.type_text(names, demand.ty);
        let (span, through) = (demand.span, demand.through);
        checker.report(NotComparable { ty, span, through });
    }
}

/// Reports operations of systems that take or return functions: only data leaves the program.
fn report_functions_for_systems(checker: &mut Checker<'_>) {
    let program = &checker.program;
    if !program.effects.iter().any(|it| it.is_system) {
        return;
    }
    let holders = types_with_functions(program);
    let of_systems = program.ops.iter().filter(|it| program.effect(it.effect).is_system);
    let failing = of_systems.filter(|op| {
        let mut types = op.params.iter().map(|it| it.1).chain([op.result]);
        types.any(|it| contains_function(program, &holders, it))
    });
    let findings: Vec<BadSystem> = failing
        .map(|op| BadSystem {
            operation: op.name.to_string(),
            problem: SystemProblem::Function,
            span: op.span,
        })
        .collect();
    for finding in findings {
        checker.report(finding);
    }
}

/// Sums and records that contain a function in some field: the least fixpoint over fields.
fn types_with_functions(program: &Program) -> HashSet<TypeId> {
    let mut holders = HashSet::new();
    loop {
        let before = holders.len();
        for (at, def) in program.nominals.iter().enumerate() {
            let mut fields = def.ctors.iter().flat_map(|it| program.ctor(*it).fields.iter());
            if fields.any(|it| contains_function(program, &holders, it.ty)) {
                holders.insert(TypeId(at as u32));
            }
        }
        if holders.len() == before {
            return holders;
        }
    }
}

fn contains_function(program: &Program, holders: &HashSet<TypeId>, ty: TyId) -> bool {
    program.types.find(ty, &mut |id, it| {
        let holds = matches!(it, Ty::Named(id, _) if holders.contains(id));
        let found = holds || program.types.flags(id).has_function();
        if found { SearchStep::Found } else { SearchStep::Descend }
    })
}

/// A type whose values are compared or printed at a span.
struct ComparedType {
    ty: TyId,
    span: Span,
    through: Option<String>,
}

fn compared_types(program: &Program, wants: &[u64], id: FunctionId) -> Vec<ComparedType> {
    let function = program.function(id);
    let body = &function.body;
    let mut found = Vec::new();
    for param in &function.params {
        add_compared_by_predicates(program, wants, param.ty, param.span, &mut found);
    }
    add_compared_by_predicates(program, wants, function.result, function.span, &mut found);
    for (at, term) in body.terms.iter().enumerate() {
        let span = body.spans[at];
        if let Term::Builtin { builtin, type_args, .. } = term {
            // The first type argument is the type that such a builtin compares or prints.
            let ty = type_args.first().filter(|_| builtin::get(*builtin).first_order);
            found.extend(ty.map(|ty| ComparedType { ty: *ty, span, through: None }));
        }
        if let Term::Refine { ty, .. } = term {
            add_compared_by_predicates(program, wants, *ty, span, &mut found);
        }
        if let Term::Call { function, type_args, .. } | Term::Function { function, type_args } =
            term
        {
            for (param, ty) in type_args.iter().enumerate().take(64) {
                if wants[function.index()] & (1 << param) != 0 {
                    let through = Some(program.function(*function).name.to_string());
                    found.push(ComparedType { ty: *ty, span, through });
                }
            }
        }
    }
    found
}

/// Adds the types that the predicates of refinements in a type compare or print.
fn add_compared_by_predicates(
    program: &Program,
    wants: &[u64],
    ty: TyId,
    span: Span,
    found: &mut Vec<ComparedType>,
) {
    program.types.find(ty, &mut |id, it| {
        if !program.types.flags(id).has_refinement() {
            return SearchStep::Skip;
        }
        if let Ty::Refined { predicate, args, .. } = it {
            for (param, arg) in args.iter().enumerate().take(64) {
                if wants[predicate.index()] & (1 << param) != 0 {
                    found.push(ComparedType { ty: *arg, span, through: None });
                }
            }
        }
        SearchStep::Descend
    });
}

fn type_params_in(program: &Program, ty: TyId) -> u64 {
    let mut mask = 0;
    program.types.find(ty, &mut |id, it| {
        if !program.types.flags(id).has_param() {
            return SearchStep::Skip;
        }
        if let Ty::Param(at) = it {
            mask |= if *at < 64 { 1 << at } else { 0 };
        }
        SearchStep::Descend
    });
    mask
}
