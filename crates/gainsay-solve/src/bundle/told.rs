//! What bundles tell, as intervals: a test of it that always holds is no test. The position of a
//! variable in an environment is at least 0, so the next position is not 0.

use gainsay_core::Comparison;

use super::feasible::{ALL, Interval, join};
use super::recipe::{IntBounds, RecipeBundle, RecipeExpr, RecipeRule, RecipeStep, RecipeTest};

/// What each bundle tells; `None` if it has no value.
type Told = Vec<Option<Vec<Interval>>>;

/// Drops the tests of what is told that always hold.
pub(super) fn drop_certain_tests(bundles: &mut [RecipeBundle]) {
    let told = infer(bundles);
    for rule in bundles.iter_mut().flat_map(|it| &mut it.rules) {
        let Some(vars) = vars_of(rule, &told) else { continue };
        rule.steps.retain(|step| match step {
            RecipeStep::Test(test) => !always_holds(test, &vars),
            _ => true,
        });
        rule.may_die = rule.steps.iter().any(|step| match step {
            RecipeStep::Test(_) => true,
            RecipeStep::Int(_, bounds) => may_be_full(bounds),
            RecipeStep::Part(_) | RecipeStep::Any(..) | RecipeStep::Pick(_) => false,
        });
    }
}

/// Whether all integers between two bounds may be excluded.
fn may_be_full(bounds: &IntBounds) -> bool {
    let has_holes = !bounds.excluded.is_empty() || !bounds.excluded_lists.is_empty();
    has_holes && !bounds.lo.is_empty() && !bounds.hi.is_empty()
}

fn infer(bundles: &[RecipeBundle]) -> Told {
    let mut told: Told = vec![None; bundles.len()];
    for round in 0.. {
        let mut has_changed = false;
        for (at, bundle) in bundles.iter().enumerate() {
            for rule in &bundle.rules {
                let Some(vars) = vars_of(rule, &told) else { continue };
                let found: Vec<Interval> =
                    rule.results.iter().map(|it| interval(it, &vars)).collect();
                let joined = match &told[at] {
                    None => found,
                    Some(before) => {
                        let pairs = before.iter().zip(found);
                        pairs.map(|(a, b)| join(*a, b, round)).collect()
                    }
                };
                if told[at].as_ref() != Some(&joined) {
                    told[at] = Some(joined);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    told
}

/// What is known of the variables of a rule; `None` if a part has no value.
fn vars_of(rule: &RecipeRule, told: &Told) -> Option<Vec<Interval>> {
    let mut vars = vec![ALL; rule.vars.len()];
    for step in &rule.steps {
        let (bundle, results) = match step {
            RecipeStep::Part(part) => (part.bundle, &part.results),
            RecipeStep::Pick(pick) => (pick.bundle, &pick.results),
            RecipeStep::Test(_) | RecipeStep::Int(..) | RecipeStep::Any(..) => continue,
        };
        for (result, interval) in results.iter().zip(told[bundle.index()].as_ref()?) {
            vars[result.index()] = *interval;
        }
    }
    Some(vars)
}

fn interval(expr: &RecipeExpr, vars: &[Interval]) -> Interval {
    match expr {
        RecipeExpr::Var(var) => vars.get(var.index()).copied().unwrap_or(ALL),
        RecipeExpr::Int(int) => (*int, *int),
        RecipeExpr::Linear(parts, constant) => {
            parts.iter().fold((*constant, *constant), |(lo, hi), (factor, part)| {
                let (a, b) = interval(part, vars);
                let scaled = |it: i64| match it {
                    // The end of the integers stays the end.
                    i64::MIN | i64::MAX => {
                        if (it > 0) == (*factor > 0) {
                            i64::MAX
                        } else {
                            i64::MIN
                        }
                    }
                    it => it.saturating_mul(*factor),
                };
                let (a, b) = if *factor > 0 { (a, b) } else { (b, a) };
                (plus(lo, scaled(a), i64::MIN), plus(hi, scaled(b), i64::MAX))
            })
        }
        _ => ALL,
    }
}

/// A sum of bounds, where `end` stands for no bound.
fn plus(a: i64, b: i64, end: i64) -> i64 {
    if a == end || b == end { end } else { a.saturating_add(b) }
}

fn always_holds(test: &RecipeTest, vars: &[Interval]) -> bool {
    let RecipeTest::Compare(op, a, b) = test else { return false };
    let (a, b) = (interval(a, vars), interval(b, vars));
    match op {
        Comparison::Eq => a.0 == a.1 && a == b,
        Comparison::Ne => a.1 < b.0 || b.1 < a.0,
        Comparison::Lt => a.1 < b.0,
        Comparison::Le => a.1 <= b.0,
        Comparison::Gt => b.1 < a.0,
        Comparison::Ge => b.1 <= a.0,
    }
}
