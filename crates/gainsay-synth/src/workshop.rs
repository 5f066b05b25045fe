//! What all searches of one goal share: the terms, the compiled rules, and the answers that the
//! solver has given.

use std::collections::HashMap;

use gainsay_smt::{
    Answer, Axiom, AxiomLimits, SolverLimits, Sort, TermId, Terms, UnknownReason, VarId,
    instances, solve_counted,
};

use crate::automaton::{
    Automaton, EmissionCounter, EventClass, PatternRole, PatternTooLarge, automaton,
};
use crate::spec::{EventAtom, OpId, OpKind, Spec, TracePattern};

/// A rule with automata for its patterns.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRule {
    pub(crate) op: OpId,
    pub(crate) params: Vec<VarId>,
    pub(crate) ghosts: Vec<VarId>,
    pub(crate) when: TermId,
    pub(crate) history: Option<Automaton>,
    pub(crate) futures: Vec<Automaton>,
    /// The operations that the rule causes, with the numbers of their emissions.
    pub(crate) emissions: Vec<(u16, OpId)>,
    /// The operations that its history looks for.
    pub(crate) past: Vec<OpId>,
}

/// Counts of what a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SynthesisEffort {
    /// Steps: placements that were tried, conditions added, and steps of the solver.
    pub steps: u64,
    /// Lines whose successors were computed.
    pub expansions: u64,
    /// Rules that were applied to an event.
    pub applications: u64,
    /// Questions that the solver answered; others were trivial or known.
    pub solver_calls: u64,
    /// Questions that the solver left open.
    pub unknown_answers: u64,
}

pub(crate) struct Workshop {
    pub(crate) terms: Terms,
    pub(crate) axioms: Vec<Axiom>,
    axiom_sorts: Vec<Sort>,
    pub(crate) kinds: Vec<OpKind>,
    pub(crate) fields: Vec<Vec<VarId>>,
    pub(crate) rules: Vec<CompiledRule>,
    /// The rules of each operation.
    pub(crate) rules_of: Vec<Vec<usize>>,
    answers: HashMap<Vec<TermId>, bool>,
    named_vars: HashMap<(Sort, u32), TermId>,
    fresh_vars: HashMap<(Sort, u32), TermId>,
    n_fresh: HashMap<Sort, u32>,
    pub(crate) effort: SynthesisEffort,
    /// Whether part of the search space was left out since this was last reset.
    pub(crate) cut: bool,
    pub(crate) limits: LineLimits,
    /// The step after which nothing is placed any more.
    pub(crate) last_step: u64,
}

/// How large lines may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineLimits {
    /// The most events.
    pub events: usize,
    /// The most events that one pattern inserts.
    pub insertions: usize,
    /// The most placements of one pattern that are kept.
    pub placements: usize,
}

impl Default for LineLimits {
    fn default() -> LineLimits {
        LineLimits { events: 40, insertions: 8, placements: 2_000 }
    }
}

const SOLVER_STEPS: u64 = 300_000;

impl Workshop {
    pub(crate) fn new(spec: &Spec, limits: LineLimits) -> Result<Workshop, PatternTooLarge> {
        let mut terms = spec.terms.clone();
        let mut rules = Vec::new();
        let mut rules_of = vec![Vec::new(); spec.operations.len()];
        for rule in &spec.rules {
            let mut counter = EmissionCounter::default();
            let mut build = |pattern: &TracePattern, role| {
                automaton(spec, &mut terms, pattern, role, &mut counter)
            };
            let history = match &rule.history {
                Some(pattern) => Some(build(pattern, PatternRole::Observed)?),
                None => None,
            };
            let mut futures = Vec::new();
            let mut caused = Vec::new();
            for pattern in &rule.futures {
                futures.push(build(pattern, PatternRole::Future)?);
                caused.extend(pattern.events().into_iter().map(|it| it.op));
            }
            for atom in &rule.emits {
                futures.push(build(&somewhere(atom), PatternRole::Future)?);
                caused.push(atom.op);
            }
            for atom in &rule.owes {
                futures.push(build(&somewhere(atom), PatternRole::Owed)?);
            }
            let is_caused = |it: &OpId| spec.operation(*it).kind != OpKind::Gen;
            let emissions = (0u16..).zip(caused.into_iter().filter(is_caused)).collect();
            let past = rule.history.iter().flat_map(TracePattern::events).map(|it| it.op);
            rules_of[rule.op.index()].push(rules.len());
            rules.push(CompiledRule {
                op: rule.op,
                params: rule.params.clone(),
                ghosts: rule.ghosts.clone(),
                when: rule.when,
                past: past.collect(),
                history,
                futures,
                emissions,
            });
        }
        Ok(Workshop {
            axiom_sorts: axiom_sorts(spec),
            axioms: spec.axioms.clone(),
            kinds: spec.operations.iter().map(|it| it.kind).collect(),
            fields: spec.operations.iter().map(|it| it.fields.clone()).collect(),
            terms,
            rules,
            rules_of,
            answers: HashMap::new(),
            named_vars: HashMap::new(),
            fresh_vars: HashMap::new(),
            n_fresh: HashMap::new(),
            effort: SynthesisEffort::default(),
            cut: false,
            limits,
            last_step: u64::MAX,
        })
    }

    /// The variable number `number` of a sort, among those that name the variables of a line.
    pub(crate) fn canonical_var(&mut self, sort: Sort, number: u32) -> TermId {
        if let Some(var) = self.named_vars.get(&(sort, number)) {
            return *var;
        }
        let name = format!("v{number}");
        let var = self.terms.fresh(&name, sort);
        self.named_vars.insert((sort, number), var);
        var
    }

    /// A variable that no line has that was made since [`Workshop::reset_fresh`].
    pub(crate) fn fresh(&mut self, sort: Sort) -> TermId {
        let count = self.n_fresh.entry(sort).or_insert(0);
        *count += 1;
        let number = *count;
        if let Some(var) = self.fresh_vars.get(&(sort, number)) {
            return *var;
        }
        let var = self.terms.fresh("new", sort);
        self.fresh_vars.insert((sort, number), var);
        var
    }

    /// Lets variables be used again: no line has a fresh one, because all have been renamed.
    pub(crate) fn reset_fresh(&mut self) {
        self.n_fresh.clear();
    }

    /// The parameters of an operation: fresh variables.
    pub(crate) fn fresh_args(&mut self, op: OpId) -> Vec<TermId> {
        let fields = self.fields[op.index()].clone();
        fields
            .into_iter()
            .map(|it| {
                let sort = self.terms.signature.var(it).sort;
                self.fresh(sort)
            })
            .collect()
    }

    /// Whether formulas over related variables may hold together. What the solver leaves open may.
    pub(crate) fn may_hold(&mut self, formulas: &[TermId]) -> bool {
        if self.axioms.is_empty() && formulas.iter().all(|it| self.is_plain_inequation(*it)) {
            return true;
        }
        let key = self.renamed(formulas);
        // Searches ask about the same few shapes of conditions again and again, in other
        // variables.
        if let Some(answer) = self.answers.get(&key) {
            return *answer;
        }
        self.effort.solver_calls += 1;
        let mut all = key.clone();
        let axioms = std::mem::take(&mut self.axioms);
        all.extend(instances(&mut self.terms, &axioms, &key, AxiomLimits::default()));
        self.axioms = axioms;
        let (answer, steps) =
            solve_counted(&mut self.terms, &all, SolverLimits { steps: SOLVER_STEPS });
        // A step of the solver is much cheaper than a placement.
        self.effort.steps += steps / 16;
        let may_hold = match answer {
            Answer::Unsat => false,
            Answer::Sat(_) => true,
            Answer::Unknown(
                UnknownReason::Steps | UnknownReason::Incomplete | UnknownReason::External,
            ) => {
                self.effort.unknown_answers += 1;
                true
            }
        };
        self.answers.insert(key, may_hold);
        may_hold
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other formulas go to the solver")]
    /// `x != t`, which can always be satisfied together with its like in infinite sorts.
    fn is_plain_inequation(&self, formula: TermId) -> bool {
        use gainsay_smt::TermNode;
        let TermNode::Not(inner) = self.terms.node(formula) else { return false };
        match self.terms.node(*inner) {
            TermNode::Equal(a, b) => {
                let sort = self.terms.sort(*a);
                !self.terms.signature.is_finite(sort)
                    && [a, b].iter().all(|it| matches!(self.terms.node(**it), TermNode::Var(_)))
            }
            TermNode::Zero(sum) => {
                sum.parts.iter().all(|it| matches!(self.terms.node(it.0), TermNode::Var(_)))
            }
            _ => false,
        }
    }

    /// Formulas with the variables renamed by first occurrence, in order.
    fn renamed(&mut self, formulas: &[TermId]) -> Vec<TermId> {
        let mut renaming = Renaming::default();
        for formula in formulas {
            renaming.visit(self, *formula);
        }
        let mut key: Vec<TermId> =
            formulas.iter().map(|it| self.terms.substitute(*it, &renaming.names[..])).collect();
        key.sort_unstable();
        key.dedup();
        key
    }

    /// Whether an axiom may relate terms that have no variable in common.
    pub(crate) fn has_axiom_sort(&self, formula: TermId) -> bool {
        self.axiom_sorts.iter().any(|sort| {
            let vars = self.terms.vars(formula);
            vars.iter().any(|it| self.terms.signature.var(*it).sort == *sort)
        })
    }

    /// A class with variables replaced.
    pub(crate) fn instantiate(
        &mut self,
        class: &EventClass,
        by: &[(VarId, TermId)],
    ) -> EventClass {
        // Most classes mention none of the variables, and sharing them keeps lines small.
        let is_untouched = class.iter().all(|it| {
            self.terms.vars(*it).iter().all(|var| !by.iter().any(|pair| pair.0 == *var))
        });
        if is_untouched {
            return EventClass::clone(class);
        }
        class.iter().map(|it| self.terms.substitute(*it, by)).collect()
    }

    /// The events of both classes.
    pub(crate) fn intersection(&mut self, a: &EventClass, b: &EventClass) -> EventClass {
        if a == b {
            return EventClass::clone(a);
        }
        a.iter().zip(b.iter()).map(|(x, y)| self.terms.and(vec![*x, *y])).collect()
    }
}

/// Names for variables, by first occurrence.
#[derive(Default)]
pub(crate) struct Renaming {
    pub(crate) names: Vec<(VarId, TermId)>,
    counts: HashMap<Sort, u32>,
}

impl Renaming {
    pub(crate) fn visit(&mut self, workshop: &mut Workshop, term: TermId) {
        let vars = workshop.terms.vars(term).to_vec();
        for var in vars {
            self.visit_var(workshop, var);
        }
    }

    /// Like `visit`, but leaves the fields of operations alone.
    pub(crate) fn visit_class(&mut self, workshop: &mut Workshop, op: usize, term: TermId) {
        let vars = workshop.terms.vars(term).to_vec();
        for var in vars {
            if !workshop.fields[op].contains(&var) {
                self.visit_var(workshop, var);
            }
        }
    }

    fn visit_var(&mut self, workshop: &mut Workshop, var: VarId) {
        if self.names.iter().any(|it| it.0 == var) {
            return;
        }
        let sort = workshop.terms.signature.var(var).sort;
        let count = self.counts.entry(sort).or_insert(0);
        *count += 1;
        let name = workshop.canonical_var(sort, *count - 1);
        self.names.push((var, name));
    }
}

/// `[.., e, ..]`.
fn somewhere(atom: &EventAtom) -> TracePattern {
    TracePattern::Sequence(vec![
        TracePattern::Anything,
        TracePattern::Event(atom.clone()),
        TracePattern::Anything,
    ])
}

/// The sorts over which axioms quantify, apart from integers and truth values.
fn axiom_sorts(spec: &Spec) -> Vec<Sort> {
    let mut sorts: Vec<Sort> = spec
        .axioms
        .iter()
        .flat_map(|it| it.vars.iter().map(|var| spec.terms.signature.var(*var).sort))
        .filter(|it| matches!(it, Sort::Named(_)))
        .collect();
    sorts.sort_unstable();
    sorts.dedup();
    sorts
}
