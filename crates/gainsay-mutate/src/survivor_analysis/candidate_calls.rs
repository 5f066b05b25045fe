//! Selects the calls that may distinguish a mutant from the original: the declaration itself, or
//! functions whose parameters use a mutated refinement, in each suitable world.

use std::collections::BTreeSet;

use gainsay_core::{
    FunctionId, FunctionKind, OpId, OperationKind, Program, SearchStep, Ty, TyId, TypeTable,
};

use crate::mutated_functions::{MutationScope, mutated_functions};

/// A function to call, and the type of its inputs.
#[derive(Debug, Clone)]
pub(super) struct CandidateCall {
    pub(super) function: FunctionId,
    /// The types of its arguments, as a tuple.
    pub(super) inputs: TyId,
    /// Its name in source text, without arguments.
    pub(super) name: String,
    pub(super) is_constant: bool,
    /// Whether it is a different function from the declaration.
    pub(super) is_indirect: bool,
    /// The world it is called in.
    pub(super) world: Option<String>,
    pub(super) stubs: Vec<(OpId, FunctionId)>,
    pub(super) n_inputs: u64,
}

/// The candidate calls for a declaration.
#[derive(Debug, Clone, Default)]
pub(super) struct CandidateCalls {
    pub(super) list: Vec<CandidateCall>,
    /// Whether the results of these calls are all that is observable of the declaration.
    pub(super) is_complete: bool,
}

/// Random inputs drawn from the types with their refinements, and from the types without.
const REFINED_INPUTS: u64 = 700;
const PLAIN_INPUTS: u64 = 300;

/// Functions called for a mutated refinement.
const MAX_USERS: usize = 3;

/// The candidate calls for a declaration. Interns new types in the program's type table.
pub(super) fn candidate_calls(program: &mut Program, home: FunctionId) -> CandidateCalls {
    match program.function(home).kind {
        FunctionKind::Declared => {
            let list = calls_of_function(program, home);
            let row = program.types.get_row(program.function(home).row);
            // With effects, the result is not all that a caller can observe, so no number of equal
            // results shows that there is no difference.
            let is_complete = row.ops.is_empty() && !list.is_empty();
            CandidateCalls { list, is_complete }
        }
        FunctionKind::Constant => {
            let constant = program.constants.iter().find(|it| it.function == home);
            let Some(name) = constant.map(|it| it.name.to_string()) else {
                return CandidateCalls::default();
            };
            let call = CandidateCall {
                function: home,
                inputs: TypeTable::UNIT,
                name,
                is_constant: true,
                is_indirect: false,
                world: None,
                stubs: Vec::new(),
                n_inputs: 1,
            };
            CandidateCalls { list: vec![call], is_complete: true }
        }
        FunctionKind::Refinement => {
            let users = users_of_refinement(program, home);
            let calls = users.into_iter().flat_map(|it| calls_of_function(program, it));
            let list = calls.map(|it| CandidateCall { is_indirect: true, ..it }).collect();
            CandidateCalls { list, is_complete: false }
        }
        FunctionKind::Lambda(_) | FunctionKind::Claim => CandidateCalls::default(),
    }
}

fn calls_of_function(program: &mut Program, function: FunctionId) -> Vec<CandidateCall> {
    let definition = program.function(function).clone();
    let worlds = call_worlds(program, function);
    // A polymorphic function treats all types alike, so `Int` stands for each of them.
    let args = vec![TypeTable::INT; definition.type_params.len()];
    let params: Vec<TyId> =
        definition.params.iter().map(|it| program.types.instantiate(it.ty, &args)).collect();
    let plain: Vec<TyId> =
        params.iter().map(|it| program.types.erase_refinements(*it)).collect();
    let mut inputs = vec![(params.clone(), REFINED_INPUTS)];
    // Without refinements, too: a mutant may differ only on inputs that the function rejects.
    if plain != params {
        inputs.push((plain, PLAIN_INPUTS));
    }
    let mut calls = Vec::new();
    for (params, n_inputs) in inputs {
        let n_inputs = if params.is_empty() { 1 } else { n_inputs };
        let inputs = program.types.intern(Ty::Tuple(params.into()));
        for (world, answers) in &worlds {
            calls.push(CandidateCall {
                function,
                inputs,
                name: definition.name.to_string(),
                is_constant: false,
                is_indirect: false,
                world: world.clone(),
                stubs: answers.clone(),
                n_inputs,
            });
        }
    }
    calls
}

/// The name of a world, and its stubs.
type CallWorld = (Option<String>, Vec<(OpId, FunctionId)>);

/// The worlds a function can be called in; none is needed if it performs only outputs.
fn call_worlds(program: &Program, function: FunctionId) -> Vec<CallWorld> {
    let definition = program.function(function);
    let row = program.types.get_row(definition.row);
    let asked: Vec<OpId> = row
        .ops
        .iter()
        .copied()
        .filter(|op| program.op(*op).kind != OperationKind::Output)
        .collect();
    if asked.is_empty() {
        return vec![(None, Vec::new())];
    }
    // A suggested line names its world, and must compile in the file of the function.
    let worlds = program.worlds.iter().filter(|it| it.module == definition.module);
    let worlds = worlds.filter(|world| {
        asked.iter().all(|op| world.stubs.iter().any(|(answered, _)| answered == op))
    });
    worlds.map(|it| (Some(it.name.to_string()), it.stubs.to_vec())).collect()
}

/// Functions with a parameter whose type contains a refinement, fewest parameters first.
fn users_of_refinement(program: &Program, predicate: FunctionId) -> Vec<FunctionId> {
    // A suggestion is written into the file of the declaration, which knows its own functions.
    let module = program.function(predicate).module;
    let mut users: Vec<FunctionId> = mutated_functions(program, MutationScope::All)
        .into_iter()
        .filter(|it| {
            let function = program.function(*it);
            function.kind == FunctionKind::Declared
                && function.module == module
                && function.params.iter().any(|it| mentions(program, it.ty, predicate))
        })
        .collect();
    // Fewer parameters make shorter suggestions.
    users.sort_by_key(|it| program.function(*it).params.len());
    users.truncate(MAX_USERS);
    users
}

/// Whether a refinement occurs in a type, including the fields of sums and records.
fn mentions(program: &Program, ty: TyId, predicate: FunctionId) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        let is_found = program.types.find(ty, &mut |_, ty| match ty {
            Ty::Refined { predicate: it, .. } if *it == predicate => SearchStep::Found,
            Ty::Named(name, _) => {
                // Types may be recursive.
                if seen.insert(*name) {
                    let ctors = program.nominal(*name).ctors.iter();
                    let fields = ctors.flat_map(|it| program.ctor(*it).fields.iter());
                    pending.extend(fields.map(|it| it.ty));
                }
                SearchStep::Descend
            }
            Ty::Refined { .. }
            | Ty::Int
            | Ty::Float
            | Ty::Bool
            | Ty::Char
            | Ty::Str
            | Ty::Tuple(_)
            | Ty::List(_)
            | Ty::Map(..)
            | Ty::Set(_)
            | Ty::Function { .. }
            | Ty::Param(_)
            | Ty::Var(_)
            | Ty::Error => SearchStep::Descend,
        });
        if is_found {
            return true;
        }
    }
    false
}
