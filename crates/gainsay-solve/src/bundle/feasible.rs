//! Which integers a bundle can be given at all, so that no alternative asks a part for the
//! impossible: a tree of black height -1 would be searched for until the size ends.
//!
//! An abstract interpretation with intervals, as for results of functions (`ranges.rs`): at first
//! nothing is feasible, and bounds that still move after a few rounds are given up.

use gainsay_core::Comparison;

use super::recipe::{RecipeBundle, RecipeExpr, RecipeRule, RecipeStep, RecipeTest};
use super::term::SymVar;

/// Rounds after which bounds that still move are given up.
const N_EXACT_ROUNDS: usize = 4;

/// An interval that is not empty.
pub(super) type Interval = (i64, i64);

pub(super) const ALL: Interval = (i64::MIN, i64::MAX);

/// What is feasible for each parameter of each bundle; `None` if the bundle has no value.
type Feasible = Vec<Option<Vec<Interval>>>;

/// Adds to each alternative what its parts need of its parameters.
pub(super) fn add_admission(bundles: &mut [RecipeBundle]) {
    let feasible = infer(bundles);
    for bundle in bundles {
        for rule in &mut bundle.rules {
            for test in needed_tests(rule, &feasible) {
                if !rule.admission.contains(&test) {
                    rule.admission.push(test);
                }
            }
        }
    }
}

fn infer(bundles: &[RecipeBundle]) -> Feasible {
    let mut feasible: Feasible = vec![None; bundles.len()];
    for round in 0.. {
        let mut has_changed = false;
        for (at, bundle) in bundles.iter().enumerate() {
            for rule in &bundle.rules {
                let Some(found) = feasible_params(rule, bundle.params.len(), &feasible) else {
                    continue;
                };
                let joined = match &feasible[at] {
                    None => found,
                    Some(before) => {
                        let pairs = before.iter().zip(found);
                        pairs.map(|(a, b)| join(*a, b, round)).collect()
                    }
                };
                if feasible[at].as_ref() != Some(&joined) {
                    feasible[at] = Some(joined);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    feasible
}

/// The smallest interval around two; a bound that moves is given up when widening.
pub(super) fn join(before: Interval, found: Interval, round: usize) -> Interval {
    let widens = round >= N_EXACT_ROUNDS;
    let lo = if found.0 >= before.0 {
        before.0
    } else if widens {
        i64::MIN
    } else {
        found.0
    };
    let hi = if found.1 <= before.1 {
        before.1
    } else if widens {
        i64::MAX
    } else {
        found.1
    };
    (lo, hi)
}

/// What is feasible for the parameters if a rule is taken; `None` if nothing is.
fn feasible_params(
    rule: &RecipeRule,
    n_params: usize,
    feasible: &Feasible,
) -> Option<Vec<Interval>> {
    let mut params = vec![ALL; n_params];
    let needed: Vec<RecipeTest> = needed_tests(rule, feasible);
    let is_possible = rule.steps.iter().all(|step| match step {
        RecipeStep::Part(part) => feasible[part.bundle.index()].is_some(),
        RecipeStep::Test(_) | RecipeStep::Int(..) => true,
        RecipeStep::Any(..) | RecipeStep::Pick(_) => true,
    });
    if !is_possible {
        return None;
    }
    for test in rule.admission.iter().chain(&needed) {
        let RecipeTest::Compare(op, a, b) = test else { continue };
        // a - b op 0, about one parameter.
        let (Some((x, cx, kx)), Some((y, cy, ky))) = (linear(a), linear(b)) else { continue };
        let (var, factor) = match (x, y) {
            (Some(x), None) => (x, cx),
            (None, Some(y)) => (y, -cy),
            _ => continue,
        };
        let Some(param) = params.get_mut(var.index()) else { continue };
        let constant = kx.saturating_sub(ky);
        match (op, factor) {
            (Comparison::Eq, 1) => meet(param, (-constant, -constant)),
            (Comparison::Eq, -1) => meet(param, (constant, constant)),
            (Comparison::Le, 1) => meet(param, (i64::MIN, -constant)),
            (Comparison::Le, -1) => meet(param, (constant, i64::MAX)),
            _ => {}
        }
    }
    params.iter().all(|it| it.0 <= it.1).then_some(params)
}

fn meet(param: &mut Interval, other: Interval) {
    *param = (param.0.max(other.0), param.1.min(other.1));
}

/// A term as a multiple of one variable and a constant, as far as it is one.
fn linear(expr: &RecipeExpr) -> Option<(Option<SymVar>, i64, i64)> {
    match expr {
        RecipeExpr::Int(int) => Some((None, 0, *int)),
        RecipeExpr::Var(var) => Some((Some(*var), 1, 0)),
        RecipeExpr::Linear(parts, constant) => match &parts[..] {
            [(factor, RecipeExpr::Var(var))] => Some((Some(*var), *factor, *constant)),
            _ => None,
        },
        _ => None,
    }
}

/// What the parts of a rule need of the parameters.
fn needed_tests(rule: &RecipeRule, feasible: &Feasible) -> Vec<RecipeTest> {
    let mut tests = Vec::new();
    for step in &rule.steps {
        let RecipeStep::Part(part) = step else { continue };
        let Some(needed) = &feasible[part.bundle.index()] else { continue };
        for (arg, (lo, hi)) in part.args.iter().zip(needed) {
            let Some((Some(var), 1, constant)) = linear(arg) else { continue };
            // What the rule draws itself is not known when it is chosen.
            if rule.steps.iter().any(|it| draws(it, var)) {
                continue;
            }
            if *lo != i64::MIN {
                let bound = RecipeExpr::Int(lo.saturating_sub(constant));
                tests.push(RecipeTest::Compare(Comparison::Le, bound, RecipeExpr::Var(var)));
            }
            if *hi != i64::MAX {
                let bound = RecipeExpr::Int(hi.saturating_sub(constant));
                tests.push(RecipeTest::Compare(Comparison::Le, RecipeExpr::Var(var), bound));
            }
        }
    }
    tests
}

/// Whether a step gives a variable its value.
fn draws(step: &RecipeStep, var: SymVar) -> bool {
    match step {
        RecipeStep::Test(_) => false,
        RecipeStep::Int(own, _) | RecipeStep::Any(own, _) => *own == var,
        RecipeStep::Part(part) => part.var == var || part.results.contains(&var),
        RecipeStep::Pick(pick) => pick.results.contains(&var),
    }
}
