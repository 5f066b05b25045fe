//! Separates what a claim tests from what it tests with: models and helpers of conditions.
//!
//! ```text
//! assume e, when e, where e                  e is an oracle
//! cover, classify, collect, target (.. e)    e is an oracle
//! observe a == b, a => b                     b is an oracle, if a calls a function
//! let x = e                                  e has the role of the uses of x
//! anything else                              is tested
//! ```

use std::collections::{BTreeMap, BTreeSet};

use gainsay_core::{
    Body, ClaimKind, Function, FunctionId, FunctionKind, LocalId, OpId, Pattern, PatternId,
    Program, RestPattern, Statement, Term, TermId, VerifyBlock, builtin,
};

use super::{FunctionSet, FunctionUses};

/// The functions that claims reference.
pub(super) struct ClaimFunctions {
    /// At least once as something that is tested. In doubt, a function is here.
    pub(super) tested: FunctionSet,
    /// At least once as an oracle.
    pub(super) oracles: FunctionSet,
}

/// Whether a part of a claim is tested or an oracle; in doubt the greater, `Tested`, wins.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ClaimRole {
    Oracle,
    Tested,
}

/// Analyses all claims.
pub(super) fn claim_functions(program: &Program, uses: &FunctionUses) -> ClaimFunctions {
    let mut search = OracleSearch {
        program,
        uses,
        named: ClaimFunctions {
            tested: FunctionSet::none(program),
            oracles: FunctionSet::none(program),
        },
        pending: Vec::new(),
        seen: BTreeSet::new(),
    };
    let oracles = search.verify_oracles();
    for at in 0..program.functions.len() as u32 {
        let id = FunctionId(at);
        let is_lambda = matches!(program.function(id).kind, FunctionKind::Lambda(_));
        // Lambdas follow from the bodies that contain them, with the role that they have there.
        if uses.claims.has(id) && !uses.stubs.has(id) && !is_lambda {
            let role =
                if oracles.contains(&id) { ClaimRole::Oracle } else { ClaimRole::Tested };
            search.pending.push((id, role));
        }
    }
    // Rules of relations are not functions; what they reference is code.
    for term in program.rels.iter().flat_map(|it| &it.rules).flat_map(|it| &it.body.terms) {
        search.record_name(term, ClaimRole::Tested);
    }
    search.run();
    search.named
}

struct OracleSearch<'p> {
    program: &'p Program,
    uses: &'p FunctionUses,
    named: ClaimFunctions,
    /// Worklist of claim functions.
    pending: Vec<(FunctionId, ClaimRole)>,
    seen: BTreeSet<(FunctionId, ClaimRole)>,
}

impl OracleSearch<'_> {
    fn run(&mut self) {
        while let Some((function, role)) = self.pending.pop() {
            // Once per role: a lambda may be an oracle in one place and tested in another.
            if self.seen.insert((function, role)) {
                self.body(self.program.function(function), role);
            }
        }
    }

    /// The functions of `verify` blocks that are oracles. The function a block is about is tested.
    fn verify_oracles(&mut self) -> BTreeSet<FunctionId> {
        let mut oracles = BTreeSet::new();
        for claim in &self.program.claims {
            let ClaimKind::Verify(verify) = &claim.kind else { continue };
            self.named.tested.insert(verify.function);
            // A guard selects cases and judges nothing.
            oracles.extend(verify.when);
            let right = verify.assertions.iter().filter(|it| self.calls_code(verify, it.lhs));
            oracles.extend(right.map(|it| it.rhs));
        }
        oracles
    }

    /// Whether the left side of a case calls a function, directly or through a `let`.
    fn calls_code(&self, verify: &VerifyBlock, left: FunctionId) -> bool {
        let mut sources = verify.lets.iter().map(|it| it.1).chain([left]);
        sources.any(|it| self.names_code(it))
    }

    /// Analyses a body. The value of a `let` is visited with the role of its uses, and at the end
    /// if it has none.
    fn body(&mut self, function: &Function, role: ClaimRole) {
        let body = &function.body;
        let lets = LetBindings::new(self, body);
        let mut seen = BTreeMap::new();
        let clauses = function.requires.iter().chain(&function.ensures).map(|it| it.term);
        let mut pending: Vec<_> = clauses.chain(body.root).map(|it| (it, role)).collect();
        self.terms(body, &lets, &mut seen, &mut pending);
        // Values of unused names run as well, and are part of the claim.
        for value in &lets.values {
            if !seen.contains_key(value) {
                seen.insert(*value, role);
                pending.push((*value, role));
                self.terms(body, &lets, &mut seen, &mut pending);
            }
        }
    }

    fn terms(
        &mut self,
        body: &Body,
        lets: &LetBindings,
        seen: &mut BTreeMap<TermId, ClaimRole>,
        pending: &mut Vec<(TermId, ClaimRole)>,
    ) {
        while let Some((id, role)) = pending.pop() {
            let term = body.term(id);
            self.record_name(term, role);
            self.parts(body, term, role, lets, pending);
            if let Term::Local(local) = term
                && let Some(value) = lets.of.get(local)
                // Revisit a value when its role rises from `Oracle` to `Tested`.
                && seen.get(value).is_none_or(|it| *it < role)
            {
                seen.insert(*value, role);
                pending.push((*value, role));
            }
        }
    }

    /// Pushes the subterms of a term with their roles.
    fn parts(
        &self,
        body: &Body,
        term: &Term,
        role: ClaimRole,
        lets: &LetBindings,
        pending: &mut Vec<(TermId, ClaimRole)>,
    ) {
        if let Term::Assume(condition) = term {
            pending.push((*condition, ClaimRole::Oracle));
        } else if let Term::Observe { condition, .. } = term {
            self.visit_observed(body, *condition, lets, pending);
        } else if let Term::Across { condition, .. } = term {
            term.for_each_subterm(&mut |it| {
                let is_condition = Some(it) == *condition;
                pending.push((it, if is_condition { ClaimRole::Oracle } else { role }));
            });
        } else {
            let role = if self.is_annotation(term) { ClaimRole::Oracle } else { role };
            let is_block = matches!(term, Term::Block { .. });
            term.for_each_subterm(&mut |it| {
                // The value of a `let` waits for the first use of its name.
                if !(is_block && lets.values.contains(&it)) {
                    pending.push((it, role));
                }
            });
        }
    }

    /// An observed condition is tested wherever it stands, except for the expected side of `==`.
    fn visit_observed(
        &self,
        body: &Body,
        condition: TermId,
        lets: &LetBindings,
        pending: &mut Vec<(TermId, ClaimRole)>,
    ) {
        // Every conjunct of an observation is observed by itself.
        let mut conditions = vec![condition];
        while let Some(condition) = conditions.pop() {
            let term = body.term(condition);
            if let Term::And(a, b) = term {
                conditions.extend([*a, *b]);
            } else if let Term::Builtin { builtin: builtin::EQ, args, .. } = term
                && let [left, right] = **args
                && self.comes_from_code(body, left, &lets.of_code)
            {
                pending.extend([(left, ClaimRole::Tested), (right, ClaimRole::Oracle)]);
            } else {
                pending.push((condition, ClaimRole::Tested));
            }
        }
    }

    /// Whether a term only annotates a case: `cover`, `classify` and the like.
    fn is_annotation(&self, term: &Term) -> bool {
        let is_claim = |op: OpId| {
            let effect = self.program.effect(self.program.op(op).effect);
            &*effect.name == "Claim" && self.program.module(effect.module).is_std
        };
        if let Term::Perform { op, .. } = term {
            return is_claim(*op);
        }
        let Term::Call { function, .. } = term else { return false };
        let function = self.program.function(*function);
        let row = self.program.types.get_row(function.row);
        self.program.module(function.module).is_std && row.ops.iter().any(|it| is_claim(*it))
    }

    /// Records the function a term references; a lambda belongs to the claim it is in.
    fn record_name(&mut self, term: &Term, role: ClaimRole) {
        let Some(function) = self.program.referenced_function(term) else { return };
        match role {
            ClaimRole::Tested => self.named.tested.insert(function),
            ClaimRole::Oracle => self.named.oracles.insert(function),
        };
        let is_lambda = matches!(self.program.function(function).kind, FunctionKind::Lambda(_));
        if is_lambda && !self.uses.stubs.has(function) {
            self.pending.push((function, role));
        }
    }

    /// Whether a value comes from code: it is computed by a call, or uses a name bound to such a
    /// value.
    fn comes_from_code(&self, body: &Body, root: TermId, of_code: &BTreeSet<LocalId>) -> bool {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let term = body.term(id);
            let is_code = if let Term::Local(local) = term {
                of_code.contains(local)
            } else {
                self.program.referenced_function(term).is_some_and(|it| self.is_function(it))
            };
            if is_code {
                return true;
            }
            term.for_each_subterm(&mut |it| pending.push(it));
        }
        false
    }

    /// Whether a function of a claim references code.
    fn names_code(&self, function: FunctionId) -> bool {
        self.uses.used[function.index()].iter().any(|it| self.is_function(*it))
    }

    /// Whether it is a function that may be tested, or a lambda that references one.
    fn is_function(&self, id: FunctionId) -> bool {
        let function = self.program.function(id);
        match function.kind {
            FunctionKind::Declared => {
                !self.program.module(function.module).is_std && !self.uses.is_claim_support(id)
            }
            FunctionKind::Lambda(parent) if parent != id => self.names_code(id),
            FunctionKind::Lambda(_)
            | FunctionKind::Constant
            | FunctionKind::Refinement
            | FunctionKind::Claim => false,
        }
    }
}

/// The `let` bindings of a body.
#[derive(Default)]
struct LetBindings {
    /// The value that each name is bound to, or to a part of.
    of: BTreeMap<LocalId, TermId>,
    /// These values.
    values: BTreeSet<TermId>,
    /// Names whose values come from code.
    of_code: BTreeSet<LocalId>,
}

impl LetBindings {
    fn new(search: &OracleSearch<'_>, body: &Body) -> Self {
        let mut lets = Self::default();
        for term in &body.terms {
            let Term::Block { statements, .. } = term else { continue };
            for statement in statements {
                let Statement::Let(pattern, value) = statement else { continue };
                let names = bound_locals(body, *pattern);
                if !names.is_empty() {
                    lets.values.insert(*value);
                    lets.of.extend(names.into_iter().map(|it| (it, *value)));
                }
            }
        }
        // `LocalId`s are in order of declaration, so names in a value have been decided already.
        for (name, value) in &lets.of {
            if search.comes_from_code(body, *value, &lets.of_code) {
                lets.of_code.insert(*name);
            }
        }
        lets
    }
}

/// The names that a pattern binds.
fn bound_locals(body: &Body, root: PatternId) -> Vec<LocalId> {
    let mut names = Vec::new();
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        match body.pattern(id) {
            Pattern::Bind(local) => names.push(*local),
            Pattern::Wildcard | Pattern::Literal(_) => {}
            Pattern::Tuple(parts) | Pattern::Ctor(_, parts) | Pattern::Or(parts) => {
                pending.extend(parts);
            }
            Pattern::List(parts, rest) => {
                pending.extend(parts);
                if let RestPattern::Some(rest) = rest {
                    pending.push(*rest);
                }
            }
        }
    }
    names
}
