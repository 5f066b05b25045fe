//! Random values that satisfy conditions, from finite domains: search with the most constrained
//! variable first.

use std::collections::BTreeMap;

use gainsay_smt::{
    FunId, Interpretation, Signature, SmtValue, Sort, TermId, Terms, VarId, evaluate,
    evaluate_formula,
};

/// Where random decisions come from.
pub trait DrawSource {
    /// A number below a bound that is not zero.
    fn below(&mut self, bound: usize) -> usize;
}

/// The values that tests use, and what functions mean.
pub struct ValueDomains<'a> {
    /// The values of each sort. A sort without an entry has no values; truth values are given.
    pub values: BTreeMap<Sort, Vec<SmtValue>>,
    /// The functions of the specification.
    pub functions: &'a dyn Interpretation,
}

/// What values must satisfy.
pub struct SampleRequest<'a> {
    /// The arena of the conditions.
    pub terms: &'a Terms,
    /// The variables that need values.
    pub vars: &'a [VarId],
    /// Values that are given.
    pub known: &'a BTreeMap<VarId, SmtValue>,
    /// Conditions on all of them.
    pub conditions: &'a [TermId],
    /// Terms whose values are given.
    pub equations: &'a [(TermId, SmtValue)],
}

/// The most values that are tried for one sample.
const MAX_TRIED: u32 = 50_000;

/// Values for all variables, or nothing if there are none or they are too hard to find. A
/// source that always decides for 0 gets the first values of the domains, different ones where they
/// can be.
pub fn sample(
    request: &SampleRequest<'_>,
    domains: &ValueDomains<'_>,
    draws: &mut dyn DrawSource,
) -> Option<BTreeMap<VarId, SmtValue>> {
    let mut sampler =
        Sampler { request, domains, draws, values: request.known.clone(), n_tried: 0 };
    let mut open: Vec<VarId> = Vec::new();
    for var in request.vars {
        if !request.known.contains_key(var) && !open.contains(var) {
            open.push(*var);
        }
    }
    let closed = sampler.checks().all(|it| sampler.check(it) != Some(false));
    (closed && sampler.assign(&open)).then_some(sampler.values)
}

/// A condition, or an equation.
#[derive(Clone, Copy)]
enum Check {
    Condition(usize),
    Equation(usize),
}

struct Sampler<'a> {
    request: &'a SampleRequest<'a>,
    domains: &'a ValueDomains<'a>,
    draws: &'a mut dyn DrawSource,
    values: BTreeMap<VarId, SmtValue>,
    n_tried: u32,
}

struct Partial<'a> {
    values: &'a BTreeMap<VarId, SmtValue>,
    functions: &'a dyn Interpretation,
}

impl Interpretation for Partial<'_> {
    fn var(&self, _signature: &Signature, var: VarId) -> Option<SmtValue> {
        self.values.get(&var).cloned()
    }

    fn function(
        &self,
        signature: &Signature,
        fun: FunId,
        args: &[SmtValue],
    ) -> Option<SmtValue> {
        self.functions.function(signature, fun, args)
    }
}

/// The value of a term where variables have these values.
pub(crate) fn value_under(
    terms: &Terms,
    term: TermId,
    values: &BTreeMap<VarId, SmtValue>,
    functions: &dyn Interpretation,
) -> Option<SmtValue> {
    evaluate(terms, term, &Partial { values, functions })
}

impl Sampler<'_> {
    fn checks(&self) -> impl Iterator<Item = Check> + use<> {
        let conditions = (0..self.request.conditions.len()).map(Check::Condition);
        conditions.chain((0..self.request.equations.len()).map(Check::Equation))
    }

    fn term(&self, check: Check) -> TermId {
        match check {
            Check::Condition(number) => self.request.conditions[number],
            Check::Equation(number) => self.request.equations[number].0,
        }
    }

    /// Whether a check succeeds, if its variables have values. What cannot be computed fails.
    fn check(&self, check: Check) -> Option<bool> {
        let terms = self.request.terms;
        let term = self.term(check);
        if terms.vars(term).iter().any(|it| !self.values.contains_key(it)) {
            return None;
        }
        let partial = Partial { values: &self.values, functions: self.domains.functions };
        Some(match check {
            Check::Condition(_) => evaluate_formula(terms, term, &partial) == Some(true),
            Check::Equation(number) => {
                evaluate(terms, term, &partial).as_ref()
                    == Some(&self.request.equations[number].1)
            }
        })
    }

    /// The values of a variable that contradict no check that they decide.
    fn candidates(&mut self, var: VarId) -> Vec<SmtValue> {
        let sort = self.request.terms.signature.var(var).sort;
        let all = match (self.domains.values.get(&sort), sort) {
            (Some(values), _) => values.clone(),
            (None, Sort::Bool) => vec![SmtValue::Bool(false), SmtValue::Bool(true)],
            (None, Sort::Int | Sort::Named(_)) => Vec::new(),
        };
        let checks: Vec<Check> = self
            .checks()
            .filter(|it| self.request.terms.vars(self.term(*it)).contains(&var))
            .collect();
        let mut fitting = Vec::new();
        for value in all {
            self.n_tried += 1;
            self.values.insert(var, value.clone());
            if checks.iter().all(|it| self.check(*it) != Some(false)) {
                fitting.push(value);
            }
        }
        self.values.remove(&var);
        fitting
    }

    fn assign(&mut self, open: &[VarId]) -> bool {
        if open.is_empty() {
            return true;
        }
        let mut best: Option<(usize, Vec<SmtValue>)> = None;
        for (at, var) in open.iter().enumerate() {
            if self.n_tried > MAX_TRIED {
                return false;
            }
            let candidates = self.candidates(*var);
            if candidates.is_empty() {
                return false;
            }
            // The variable with the fewest values fails first (Haralick and Elliott, 1980).
            if best.as_ref().is_none_or(|it| candidates.len() < it.1.len()) {
                best = Some((at, candidates));
            }
        }
        let Some((at, mut candidates)) = best else { return false };
        // Values that no other variable has come first: so the simplest values are different ones.
        let used: Vec<&SmtValue> = self.values.values().collect();
        // Values that are not used yet come first: equal values hide confusions of one
        // variable with another.
        candidates.sort_by_key(|it| used.contains(&it));
        if candidates.len() > 1 {
            let first = self.draws.below(candidates.len());
            candidates.rotate_left(first);
        }
        let var = open[at];
        let rest: Vec<VarId> = open.iter().copied().filter(|it| *it != var).collect();
        for value in candidates {
            self.values.insert(var, value);
            if self.assign(&rest) {
                return true;
            }
        }
        self.values.remove(&var);
        false
    }
}
