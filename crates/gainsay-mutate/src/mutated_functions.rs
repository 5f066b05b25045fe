//! Selects the functions that have mutants: the code that claims are about, and none that belongs
//! to claims.
//!
//! ```text
//! stubs, worlds, profiles ─use─► helpers ┐
//!                                        ├─► excluded, unless code uses them too
//! generators ─────────────use─► helpers ┤    (or claims test them, for the last two)
//! oracles of claims ──────use─► helpers ┘
//! everything else ────────use─► code, with the refinements of its types
//! ```

mod oracles;

use gainsay_core::{
    ClaimKind, EffectHandler, Function, FunctionId, FunctionKind, GivenSource, Program,
    SearchStep, Term, Ty, TyId,
};

/// Which functions have mutants.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum MutationScope {
    /// Those that claims are about.
    Tested,
    /// Also those that claims use only as oracles or to select cases.
    All,
}

/// The functions of a program that have mutants, in order, without lambdas inside others.
pub(crate) fn mutated_functions(program: &Program, scope: MutationScope) -> Vec<FunctionId> {
    let uses = FunctionUses::new(program);
    let code = uses.code_under_test(program, scope);
    code.members().filter(|it| uses.has_own_mutants(program, *it)).collect()
}

/// The declaration that encloses a function; the function itself if it is one.
pub(crate) fn enclosing_declaration(program: &Program, mut function: FunctionId) -> FunctionId {
    while let FunctionKind::Lambda(parent) = program.function(function).kind {
        // Guards against a malformed program, in which this would not end.
        if parent == function {
            break;
        }
        function = parent;
    }
    function
}

/// A set of functions.
#[derive(Debug, Clone)]
struct FunctionSet(Vec<bool>);

impl FunctionSet {
    fn none(program: &Program) -> Self {
        Self(vec![false; program.functions.len()])
    }

    fn has(&self, id: FunctionId) -> bool {
        self.0[id.index()]
    }

    /// Whether it was not in the set before.
    fn insert(&mut self, id: FunctionId) -> bool {
        !std::mem::replace(&mut self.0[id.index()], true)
    }

    fn extend(&mut self, ids: impl IntoIterator<Item = FunctionId>) {
        ids.into_iter().for_each(|it| self.0[it.index()] = true);
    }

    fn members(&self) -> impl Iterator<Item = FunctionId> {
        let ids = (0..self.0.len() as u32).map(FunctionId);
        ids.filter(|it| self.has(*it))
    }
}

/// The use graph of functions.
struct FunctionUses {
    /// What each function references: functions, the values of constants, the predicates of types.
    /// Stubs of an `under` are not included.
    used: Vec<Vec<FunctionId>>,
    /// Stubs, and functions that list stubs.
    stubs: FunctionSet,
    /// Functions that draw random choices.
    generators: FunctionSet,
    /// Functions that claims consist of.
    claims: FunctionSet,
}

impl FunctionUses {
    fn new(program: &Program) -> Self {
        let none = || FunctionSet::none(program);
        let named = vec![Vec::new(); program.functions.len()];
        let mut uses = Self { used: named, stubs: none(), generators: none(), claims: none() };
        for (at, function) in program.functions.iter().enumerate() {
            if !program.module(function.module).is_std {
                uses.read(program, FunctionId(at as u32), function);
            }
        }
        for claim in &program.claims {
            match &claim.kind {
                ClaimKind::Test(function) | ClaimKind::Property(function, _) => {
                    uses.claims.insert(*function);
                }
                ClaimKind::Verify(verify) => {
                    for given in &verify.givens {
                        if let GivenSource::Stubs(_, list) = given.source {
                            uses.stubs.insert(list);
                            // The function that lists stubs names them; the stubs themselves belong
                            // to the claim as well.
                            uses.stubs.extend(uses.used[list.index()].clone());
                        }
                    }
                }
            }
        }
        for (_, stub) in program.worlds.iter().flat_map(|it| &it.stubs) {
            uses.stubs.insert(*stub);
            uses.stubs.extend(uses.used[stub.index()].clone());
        }
        uses.stubs.extend(program.profiles.iter().map(|it| it.function));
        uses
    }

    /// Records what a function uses and what it is for.
    fn read(&mut self, program: &Program, id: FunctionId, function: &Function) {
        let mut stubs = Vec::new();
        for term in &function.body.terms {
            if let Term::Under { handlers: answers, .. } = term {
                stubs.extend(answers.iter().filter_map(EffectHandler::stub));
            }
        }
        // Sorted for the binary search below.
        stubs.sort_unstable();
        let mut named = Vec::new();
        for (at, term) in function.body.terms.iter().enumerate() {
            let is_stub = stubs.binary_search_by_key(&at, |it| it.index()).is_ok();
            match program.referenced_function(term) {
                Some(stub) if is_stub => drop(self.stubs.insert(stub)),
                found => named.extend(found),
            }
            term.for_each_type(&mut |ty| refinement_predicates(program, ty, &mut named));
        }
        // Predicates in a signature run at every call.
        let types = function.params.iter().map(|it| it.ty).chain([function.result]);
        types.for_each(|ty| refinement_predicates(program, ty, &mut named));
        self.used[id.index()] = named;
        for op in &program.types.get_row(function.row).ops {
            let effect = program.effect(program.op(*op).effect);
            match &*effect.name {
                "Gen" if program.module(effect.module).is_std => self.generators.insert(id),
                "Claim" if program.module(effect.module).is_std => self.claims.insert(id),
                _ => continue,
            };
        }
        if function.kind == FunctionKind::Claim {
            self.claims.insert(id);
        }
    }

    /// Whether a function in the code under test has mutants of its own.
    fn has_own_mutants(&self, program: &Program, id: FunctionId) -> bool {
        let function = program.function(id);
        let is_own = !program.module(function.module).is_std && !self.is_claim_support(id);
        match function.kind {
            FunctionKind::Lambda(_) | FunctionKind::Claim => false,
            FunctionKind::Declared | FunctionKind::Constant | FunctionKind::Refinement => {
                is_own
            }
        }
    }

    /// Whether a function exists only for claims.
    fn is_claim_support(&self, id: FunctionId) -> bool {
        self.stubs.has(id) || self.generators.has(id) || self.claims.has(id)
    }

    /// The functions reachable from some roots, the roots included, through those that pass.
    fn used_by(
        &self,
        program: &Program,
        roots: &FunctionSet,
        passes: &dyn Fn(FunctionId) -> bool,
    ) -> FunctionSet {
        let mut found = FunctionSet::none(program);
        let mut pending: Vec<FunctionId> = roots.members().collect();
        while let Some(next) = pending.pop() {
            if passes(next) && found.insert(next) {
                pending.extend(&self.used[next.index()]);
            }
        }
        found
    }

    /// The code under test.
    fn code_under_test(&self, program: &Program, scope: MutationScope) -> FunctionSet {
        let by_claims = oracles::claim_functions(program, self);
        let mut tested = by_claims.tested;
        let mut helpers = self.generators.clone();
        match scope {
            MutationScope::Tested => helpers.extend(by_claims.oracles.members()),
            MutationScope::All => tested.extend(by_claims.oracles.members()),
        }
        // Helpers of stubs are excluded even if claims test them; helpers of generators and oracles
        // are not.
        let for_stubs = self.used_by(program, &self.stubs, &|_| true);
        let for_helpers = self.used_by(program, &helpers, &|_| true);
        let mut roots = FunctionSet::none(program);
        for (at, function) in program.functions.iter().enumerate() {
            let id = FunctionId(at as u32);
            let is_for_claims = for_stubs.has(id) || (for_helpers.has(id) && !tested.has(id));
            if function.kind == FunctionKind::Declared
                && !program.module(function.module).is_std
                && !is_for_claims
                && !self.is_claim_support(id)
            {
                roots.insert(id);
            }
        }
        let own = program.ctors.iter().filter(|it| {
            let owner = program.nominal(it.ty);
            !program.module(owner.module).is_std
        });
        let mut of_types = Vec::new();
        for field in own.flat_map(|it| &it.fields) {
            refinement_predicates(program, field.ty, &mut of_types);
        }
        // Predicates of field types run wherever a value is constructed, so they count as code.
        roots.extend(of_types);
        self.used_by(program, &roots, &|it| !self.is_claim_support(it))
    }
}

/// The predicates of the refinements in a type.
fn refinement_predicates(program: &Program, ty: TyId, found: &mut Vec<FunctionId>) {
    if !program.types.flags(ty).has_refinement() {
        return;
    }
    program.types.find(ty, &mut |id, ty| {
        if let Ty::Refined { predicate, .. } = ty {
            found.push(*predicate);
        }
        if program.types.flags(id).has_refinement() {
            SearchStep::Descend
        } else {
            SearchStep::Skip
        }
    });
}
