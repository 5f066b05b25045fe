//! Instances of universally quantified formulas for the terms of a query.
//!
//! Variables of uninterpreted sorts range over all terms of their sort, unless the axiom has a
//! function that makes further terms of it: with `next(next(n)) == n` this would not end. Those
//! variables, and integers and data, are bound by matching an application in the axiom against
//! the terms of the query (Detlefs, Nelson and Saxe, "Simplify: a theorem prover for program
//! checking", 2005).

use std::collections::{BTreeMap, BTreeSet};

use crate::signature::{Sort, VarId};
use crate::terms::{TermId, TermNode, Terms, children};

/// A formula that holds for all values of some variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axiom {
    /// The variables.
    pub vars: Vec<VarId>,
    /// What holds.
    pub body: TermId,
}

/// How many instances are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AxiomLimits {
    /// How often the terms of instances are used for further instances.
    pub rounds: u32,
    /// The most instances.
    pub instances: usize,
}

impl Default for AxiomLimits {
    fn default() -> AxiomLimits {
        AxiomLimits { rounds: 2, instances: 300 }
    }
}

/// The instances of axioms for the terms of some formulas. They follow from the axioms, but are in
/// general not all that matter: formulas that are satisfiable together with their instances may
/// contradict the axioms.
pub fn instances(
    terms: &mut Terms,
    axioms: &[Axiom],
    formulas: &[TermId],
    limits: AxiomLimits,
) -> Vec<TermId> {
    let mut found = Vec::new();
    if axioms.is_empty() {
        return found;
    }
    let mut ground = BTreeSet::new();
    for formula in formulas {
        collect(terms, *formula, &mut ground);
    }
    let mut known: BTreeSet<TermId> = formulas.iter().copied().collect();
    for _ in 0..limits.rounds {
        let before = found.len();
        for axiom in axioms {
            for binding in bindings(terms, axiom, &ground, limits.instances) {
                let instance = terms.substitute(axiom.body, &binding);
                if instance == TermId::TRUE || !known.insert(instance) {
                    continue;
                }
                found.push(instance);
                if found.len() >= limits.instances {
                    return found;
                }
            }
        }
        if found.len() == before {
            break;
        }
        for instance in &found[before..] {
            collect(terms, *instance, &mut ground);
        }
    }
    found
}

fn collect(terms: &Terms, term: TermId, into: &mut BTreeSet<TermId>) {
    if into.insert(term) {
        for child in children(terms.node(term)) {
            collect(terms, child, into);
        }
    }
}

type Binding = BTreeMap<VarId, TermId>;

fn bindings(
    terms: &Terms,
    axiom: &Axiom,
    ground: &BTreeSet<TermId>,
    limit: usize,
) -> Vec<Binding> {
    let triggers = triggers(terms, axiom);
    let sorts: Vec<Sort> = axiom.vars.iter().map(|it| terms.signature.var(*it).sort).collect();
    let ranges_over_terms = sorts.iter().all(|sort| {
        matches!(sort, Sort::Named(_)) && terms.signature.constructors(*sort).is_none()
    }) && !triggers.iter().any(|it| sorts.contains(&terms.sort(*it)));
    if ranges_over_terms {
        let mut all = vec![Binding::new()];
        for (var, sort) in axiom.vars.iter().zip(&sorts) {
            let mut extended = Vec::new();
            for binding in &all {
                for term in ground.iter().filter(|it| terms.sort(**it) == *sort) {
                    if extended.len() >= limit {
                        break;
                    }
                    let mut binding = binding.clone();
                    binding.insert(*var, *term);
                    extended.push(binding);
                }
            }
            all = extended;
        }
        return all;
    }
    let covering: Vec<TermId> = triggers
        .iter()
        .copied()
        .filter(|it| axiom.vars.iter().all(|var| terms.vars(*it).contains(var)))
        .collect();
    let mut all = Vec::new();
    if covering.is_empty() {
        all = matches_together(terms, axiom, &triggers, ground, limit);
    }
    for trigger in covering {
        for term in ground {
            let mut binding = Binding::new();
            if matches(terms, axiom, trigger, *term, &mut binding) {
                all.push(binding);
            }
            if all.len() >= limit {
                return all;
            }
        }
    }
    all
}

/// The applications of functions in an axiom that have variables of it.
fn triggers(terms: &Terms, axiom: &Axiom) -> Vec<TermId> {
    let mut parts = BTreeSet::new();
    collect(terms, axiom.body, &mut parts);
    let is_trigger = |it: &TermId| {
        matches!(terms.node(*it), TermNode::App(..))
            && terms.vars(*it).iter().any(|var| axiom.vars.contains(var))
    };
    parts.into_iter().filter(is_trigger).collect()
}

/// Bindings for which every variable is bound by one of several applications.
fn matches_together(
    terms: &Terms,
    axiom: &Axiom,
    triggers: &[TermId],
    ground: &BTreeSet<TermId>,
    limit: usize,
) -> Vec<Binding> {
    let mut all = vec![Binding::new()];
    let mut covered: BTreeSet<VarId> = BTreeSet::new();
    for trigger in triggers {
        let vars: Vec<VarId> =
            terms.vars(*trigger).iter().copied().filter(|it| axiom.vars.contains(it)).collect();
        if vars.iter().all(|it| covered.contains(it)) {
            continue;
        }
        covered.extend(vars);
        let mut extended = Vec::new();
        for binding in &all {
            for term in ground {
                let mut binding = binding.clone();
                if extended.len() < limit
                    && matches(terms, axiom, *trigger, *term, &mut binding)
                {
                    extended.push(binding);
                }
            }
        }
        all = extended;
    }
    if covered.len() < axiom.vars.len() { Vec::new() } else { all }
}

/// Whether a pattern is a term once variables of the axiom are bound.
fn matches(
    terms: &Terms,
    axiom: &Axiom,
    pattern: TermId,
    term: TermId,
    binding: &mut Binding,
) -> bool {
    if let TermNode::Var(var) = terms.node(pattern)
        && axiom.vars.contains(var)
    {
        return terms.sort(term) == terms.sort(pattern)
            && *binding.entry(*var).or_insert(term) == term;
    }
    if pattern == term {
        return true;
    }
    match (terms.node(pattern), terms.node(term)) {
        (TermNode::App(f, xs), TermNode::App(g, ys)) => {
            f == g && xs.iter().zip(ys).all(|(x, y)| matches(terms, axiom, *x, *y, binding))
        }
        _ => false,
    }
}
