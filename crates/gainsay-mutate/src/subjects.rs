//! Which functions have mutants: the code that claims are about, and none that belongs to claims.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_core::{
    Answer, ClaimKind, FunctionId, FunctionKind, GivenSource, OpId, Program, Term,
};

/// The functions of a program that have mutants, those inside others left out, in order.
pub(crate) fn subjects(program: &Program) -> Vec<FunctionId> {
    let uses = Uses::new(program);
    let ids = (0..program.functions.len() as u32).map(FunctionId);
    ids.filter(|it| uses.is_subject(program, *it)).collect()
}

/// The declaration that a function is inside of; itself if it is one.
pub(crate) fn home(program: &Program, mut function: FunctionId) -> FunctionId {
    while let FunctionKind::Lambda(parent) = program.function(function).kind {
        if parent == function {
            break;
        }
        function = parent;
    }
    function
}

/// Who uses what.
struct Uses {
    /// The declarations that refer to each declaration.
    users: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// Functions that answer for the outside world.
    stubs: BTreeSet<FunctionId>,
    /// Functions that claims are made of.
    claims: BTreeSet<FunctionId>,
    /// Operations that only claims and generators perform.
    claim_ops: BTreeSet<OpId>,
}

impl Uses {
    fn new(program: &Program) -> Self {
        let mut users: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
        let mut stubs = BTreeSet::new();
        for (at, function) in program.functions.iter().enumerate() {
            let user = home(program, FunctionId(at as u32));
            for term in &function.body.terms {
                if let Some(used) = named(program, term) {
                    users.entry(home(program, used)).or_default().insert(user);
                }
                if let Term::Under { answers, .. } = term {
                    let terms = answers.iter().filter_map(Answer::stub);
                    stubs.extend(terms.filter_map(|it| function.body.term(it).function()));
                }
            }
        }
        let mut claims = BTreeSet::new();
        for claim in &program.claims {
            match &claim.kind {
                ClaimKind::Test(function) | ClaimKind::Property(function, _) => {
                    claims.insert(*function);
                }
                ClaimKind::Verify(verify) => {
                    for given in &verify.givens {
                        if let GivenSource::Stubs(_, list) = given.source {
                            stubs.extend(named_in(program, list));
                        }
                    }
                }
            }
        }
        for (_, stub) in program.worlds.iter().flat_map(|it| &it.answers) {
            stubs.extend(named_in(program, *stub));
        }
        stubs.extend(program.profiles.iter().map(|it| it.function));
        let is_claims = |op: &OpId| {
            let effect = program.effect(program.op(*op).effect);
            program.module(effect.module).is_std && matches!(&*effect.name, "Gen" | "Claim")
        };
        let ops = (0..program.ops.len() as u32).map(OpId);
        Self { users, stubs, claims, claim_ops: ops.filter(is_claims).collect() }
    }

    fn is_subject(&self, program: &Program, id: FunctionId) -> bool {
        let function = program.function(id);
        if program.module(function.module).is_std || self.claims.contains(&id) {
            return false;
        }
        match function.kind {
            FunctionKind::Lambda(_) | FunctionKind::Claim => false,
            FunctionKind::Refinement => true,
            FunctionKind::Constant => self.is_for_code(program, id, &mut BTreeSet::new()),
            FunctionKind::Declared => {
                let row = program.types.get_row(function.row);
                let performs = row.ops.iter().any(|op| self.claim_ops.contains(op));
                !performs && !self.is_for_stubs(program, id, &mut BTreeSet::new())
            }
        }
    }

    fn users(&self, id: FunctionId) -> impl Iterator<Item = FunctionId> + '_ {
        self.users.get(&id).into_iter().flatten().copied().filter(move |it| *it != id)
    }

    fn is_claim(&self, program: &Program, id: FunctionId) -> bool {
        self.claims.contains(&id) || program.function(id).kind == FunctionKind::Claim
    }

    /// Whether a function is a stub, or only there for stubs, and for claims besides.
    fn is_for_stubs(
        &self,
        program: &Program,
        id: FunctionId,
        seen: &mut BTreeSet<FunctionId>,
    ) -> bool {
        if self.stubs.contains(&id) {
            return true;
        }
        if !seen.insert(id) {
            return false;
        }
        let mut has_stub = false;
        for user in self.users(id) {
            if self.is_claim(program, user) {
                continue;
            }
            if !self.is_for_stubs(program, user, seen) {
                return false;
            }
            has_stub = true;
        }
        has_stub
    }

    /// Whether a constant is used by code, and not only by claims and stubs.
    fn is_for_code(
        &self,
        program: &Program,
        id: FunctionId,
        seen: &mut BTreeSet<FunctionId>,
    ) -> bool {
        if !seen.insert(id) {
            return false;
        }
        let users: Vec<FunctionId> = self.users(id).collect();
        users.into_iter().any(|user| {
            if program.function(user).kind == FunctionKind::Constant {
                self.is_for_code(program, user, seen)
            } else {
                self.is_subject(program, user)
            }
        })
    }
}

/// The functions that the body of one names.
fn named_in(program: &Program, function: FunctionId) -> Vec<FunctionId> {
    let terms = program.function(function).body.terms.iter();
    terms.filter_map(Term::function).collect()
}

/// The function that a term names, constants included.
fn named(program: &Program, term: &Term) -> Option<FunctionId> {
    if let Term::Constant(constant) = term {
        return Some(program.constant(*constant).function);
    }
    term.function()
}
