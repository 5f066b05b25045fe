//! Random values that satisfy conditions, from finite domains: search with the most constrained
//! variable first.

use std::collections::BTreeMap;
use std::rc::Rc;

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

/// Which values come first in a sample. Every fault has its own needs, so samples differ in what they
/// prefer (after Groce, Zhang, Eide, Chen and Regehr, "Swarm testing", 2012).
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValuePreference {
    /// Those that no other variable has: equal values hide confusions of one variable with another.
    Different,
    /// Any.
    Any,
    /// The first ones of each domain, so that values coincide and lie at its edge.
    FirstOfDomain(usize),
}

impl ValuePreference {
    /// What four of six samples prefer comes first.
    fn draw(draws: &mut dyn DrawSource) -> Self {
        match draws.below(6) {
            0..4 => ValuePreference::Different,
            4 => ValuePreference::Any,
            _ => ValuePreference::FirstOfDomain(2 + draws.below(3)),
        }
    }
}

/// Values for all variables, or nothing if there are none or they are too hard to find. Most samples
/// have different values where they can. A source that always decides for 0 gets the first
/// values of the domains, different ones where they can be.
pub fn sample(
    request: &SampleRequest<'_>,
    domains: &ValueDomains<'_>,
    draws: &mut dyn DrawSource,
) -> Option<BTreeMap<VarId, SmtValue>> {
    let values = request.known.clone();
    let (checks_of, n_tried) = (BTreeMap::new(), 0);
    let prefers = ValuePreference::Different;
    let mut sampler = Sampler { request, domains, draws, checks_of, values, n_tried, prefers };
    sampler.group_checks();
    if !sampler.checks().all(|it| sampler.check(it) != Some(false)) {
        return None;
    }
    let open = sampler.open_vars()?;
    if open.len() > 1 {
        sampler.prefers = ValuePreference::draw(sampler.draws);
    }
    sampler.assign(&open).then_some(sampler.values)
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
    /// The checks in which a variable occurs.
    checks_of: BTreeMap<VarId, Vec<Check>>,
    values: BTreeMap<VarId, SmtValue>,
    n_tried: u32,
    prefers: ValuePreference,
}

/// A variable without a value, and those that contradict nothing so far.
#[derive(Clone)]
struct OpenVar {
    var: VarId,
    candidates: Rc<[SmtValue]>,
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

    fn group_checks(&mut self) {
        for check in self.checks() {
            for var in self.request.terms.vars(self.term(check)) {
                let of_var = self.checks_of.entry(*var).or_default();
                of_var.push(check);
            }
        }
    }

    /// The variables without values, with those values that contradict nothing by themselves; `None`
    /// if one has none.
    fn open_vars(&mut self) -> Option<Vec<OpenVar>> {
        let mut open: Vec<OpenVar> = Vec::new();
        for var in self.request.vars {
            if self.values.contains_key(var) || open.iter().any(|it| it.var == *var) {
                continue;
            }
            let checks = self.checks_of.get(var).cloned().unwrap_or_default();
            let all = self.domain(*var);
            let candidates: Rc<[SmtValue]> = Rc::from(self.fitting(*var, &all, &checks));
            if candidates.is_empty() {
                return None;
            }
            open.push(OpenVar { var: *var, candidates });
        }
        Some(open)
    }

    fn domain(&self, var: VarId) -> Vec<SmtValue> {
        let sort = self.request.terms.signature.var(var).sort;
        match (self.domains.values.get(&sort), sort) {
            (Some(values), _) => values.clone(),
            (None, Sort::Bool) => vec![SmtValue::Bool(false), SmtValue::Bool(true)],
            (None, Sort::Int | Sort::Named(_)) => Vec::new(),
        }
    }

    /// The values of a variable that contradict none of the checks that they decide.
    fn fitting(&mut self, var: VarId, all: &[SmtValue], checks: &[Check]) -> Vec<SmtValue> {
        let mut fitting = Vec::new();
        for value in all {
            self.n_tried += 1;
            self.values.insert(var, value.clone());
            if checks.iter().all(|it| self.check(*it) != Some(false)) {
                fitting.push(value.clone());
            }
        }
        self.values.remove(&var);
        fitting
    }

    fn assign(&mut self, open: &[OpenVar]) -> bool {
        // The variable with the fewest values fails first, and each value is checked forward
        // against the other variables (Haralick and Elliott, 1980).
        let Some(chosen) = open.iter().min_by_key(|it| it.candidates.len()) else {
            return true;
        };
        let var = chosen.var;
        for value in self.in_order(var, &chosen.candidates) {
            if self.n_tried > MAX_TRIED {
                break;
            }
            self.values.insert(var, value);
            if let Some(rest) = self.checked_forward(open, var)
                && self.assign(&rest)
            {
                return true;
            }
        }
        self.values.remove(&var);
        false
    }

    /// The other variables once one has a value; `None` if that leaves no value for one of them.
    fn checked_forward(&mut self, open: &[OpenVar], assigned: VarId) -> Option<Vec<OpenVar>> {
        let mut rest = Vec::with_capacity(open.len());
        for it in open.iter().filter(|it| it.var != assigned) {
            let terms = self.request.terms;
            let both = self.checks_of.get(&assigned).into_iter().flatten().copied();
            let both = both.filter(|check| terms.vars(self.term(*check)).contains(&it.var));
            let both: Vec<Check> = both.collect();
            if both.is_empty() {
                rest.push(it.clone());
                continue;
            }
            let candidates: Rc<[SmtValue]> =
                Rc::from(self.fitting(it.var, &it.candidates, &both));
            if candidates.is_empty() {
                return None;
            }
            rest.push(OpenVar { var: it.var, candidates });
        }
        Some(rest)
    }

    /// The values of a variable in the order in which they are tried.
    fn in_order(&mut self, var: VarId, candidates: &[SmtValue]) -> Vec<SmtValue> {
        let mut in_order = candidates.to_vec();
        let mut n_first = in_order.len();
        let sort = self.request.terms.signature.var(var).sort;
        let domain = self.domains.values.get(&sort).map_or(&[][..], Vec::as_slice);
        let is_last = |it: &SmtValue| match self.prefers {
            // Both truth values are always in use soon.
            ValuePreference::Different => {
                sort != Sort::Bool && self.values.values().any(|used| used == it)
            }
            ValuePreference::Any => false,
            ValuePreference::FirstOfDomain(n) => !domain[..n.min(domain.len())].contains(it),
        };
        in_order.sort_by_cached_key(is_last);
        if let Some(at) = in_order.iter().position(is_last).filter(|it| *it > 0) {
            n_first = at;
        }
        if n_first > 1 {
            let first = self.draws.below(n_first);
            in_order[..n_first].rotate_left(first);
        }
        in_order
    }
}
