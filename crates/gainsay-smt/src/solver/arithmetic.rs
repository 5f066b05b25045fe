//! Linear arithmetic over the integers: equations are solved, inequalities eliminated after
//! Fourier and Motzkin, with rounding to what integers can reach (Pugh, "The Omega test", 1991).

use std::collections::BTreeMap;

use crate::linear::{div_ceil, gcd};

/// `constant + Σ coefficient · variable`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Row {
    pub(super) parts: BTreeMap<usize, i128>,
    pub(super) constant: i128,
}

/// A problem in integers.
#[derive(Default)]
pub(super) struct Problem {
    /// Sums that are zero.
    pub(super) zero: Vec<Row>,
    /// Sums that are zero or less.
    pub(super) at_most_zero: Vec<Row>,
    /// Sums that should not be zero. They guide the choice of values and refute nothing.
    pub(super) not_zero: Vec<Row>,
}

/// What is known of a problem.
pub(super) enum Outcome {
    /// It has no solution.
    Infeasible,
    /// A solution of the equations and inequalities.
    Solution(BTreeMap<usize, i128>),
    /// Numbers or rows became too many, or rounding lost the way.
    Unknown,
}

/// The most rows at one time.
const MAX_ROWS: usize = 3000;

impl Row {
    /// Adds `coefficient · variable`.
    pub(super) fn add(&mut self, variable: usize, coefficient: i128) -> Option<()> {
        let entry = self.parts.entry(variable).or_insert(0);
        *entry = entry.checked_add(coefficient)?;
        if *entry == 0 {
            self.parts.remove(&variable);
        }
        Some(())
    }

    /// `self + factor * other`.
    fn add_row(&mut self, other: &Row, factor: i128) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (variable, coefficient) in &other.parts {
            self.add(*variable, coefficient.checked_mul(factor)?)?;
        }
        Some(())
    }

    fn scaled(&self, factor: i128) -> Option<Row> {
        let mut row = Row::default();
        row.add_row(self, factor)?;
        Some(row)
    }

    fn divisor(&self) -> i128 {
        self.parts.values().fold(0, |divisor, it| gcd(divisor, *it))
    }

    /// Divides an inequality by the common divisor, and rounds the constant.
    fn tighten(&mut self) {
        let divisor = self.divisor();
        if divisor > 1 {
            self.constant = div_ceil(self.constant, divisor);
            for coefficient in self.parts.values_mut() {
                *coefficient /= divisor;
            }
        }
    }

    fn value(&self, values: &BTreeMap<usize, i128>) -> Option<i128> {
        let mut total = self.constant;
        for (variable, coefficient) in &self.parts {
            let value = values.get(variable).copied().unwrap_or(0);
            total = total.checked_add(value.checked_mul(*coefficient)?)?;
        }
        Some(total)
    }
}

/// Decides a problem. `steps` is charged with the rows that are visited.
pub(super) fn solve(problem: Problem, steps: &mut u64) -> Outcome {
    solve_checked(problem, steps).unwrap_or(Outcome::Unknown)
}

/// Like `solve`; nothing if a number became too large.
fn solve_checked(problem: Problem, steps: &mut u64) -> Option<Outcome> {
    let Problem { zero, at_most_zero, mut not_zero } = problem;
    let mut rows = at_most_zero;
    let Some(definitions) = solve_equations(zero, &mut rows, &mut not_zero)? else {
        return Some(Outcome::Infeasible);
    };
    let mut bounds: BTreeMap<Vec<(usize, i128)>, i128> = BTreeMap::new();
    for row in rows {
        if insert(&mut bounds, row) {
            return Some(Outcome::Infeasible);
        }
    }
    let mut eliminated: Vec<(usize, Vec<Row>)> = Vec::new();
    while !bounds.is_empty() {
        let variable = cheapest_variable(&bounds);
        let mut involved = Vec::new();
        let mut kept = BTreeMap::new();
        for (parts, constant) in std::mem::take(&mut bounds) {
            if parts.iter().any(|it| it.0 == variable) {
                involved.push(Row { parts: parts.into_iter().collect(), constant });
            } else {
                kept.insert(parts, constant);
            }
        }
        bounds = kept;
        // Each pair of an upper and a lower bound leaves one row without the variable. The new
        // rows follow from the old ones, so a contradiction is one over the integers. The
        // converse holds only if one coefficient of each pair is a unit: otherwise rows
        // without an integer solution may pass, which shows below when no value is left.
        let (upper, lower): (Vec<&Row>, Vec<&Row>) =
            involved.iter().partition(|it| it.parts[&variable] > 0);
        for up in &upper {
            for low in &lower {
                *steps += 1;
                let (a, b) = (up.parts[&variable], low.parts[&variable].checked_neg()?);
                let mut row = up.scaled(b)?;
                row.add_row(low, a)?;
                if insert(&mut bounds, row) {
                    return Some(Outcome::Infeasible);
                }
            }
            if bounds.len() > MAX_ROWS {
                return Some(Outcome::Unknown);
            }
        }
        eliminated.push((variable, involved));
    }
    let mut values = BTreeMap::new();
    // Backward: the rows of a variable mention only variables that were eliminated after it.
    while let Some((variable, rows)) = eliminated.pop() {
        // Whatever was eliminated without a trace can have any value.
        for other in rows.iter().flat_map(|it| it.parts.keys()) {
            if *other != variable && !values.contains_key(other) {
                let value = choose(*other, &[], &not_zero, &values)??;
                values.insert(*other, value);
            }
        }
        // No integer is between the bounds for the values chosen so far. Others might work, so
        // this is not a contradiction.
        let Some(value) = choose(variable, &rows, &not_zero, &values)? else {
            return Some(Outcome::Unknown);
        };
        values.insert(variable, value);
    }
    place_free_variables(&not_zero, &definitions, &mut values)?;
    // A definition mentions no variable that was solved before it, so the last one comes
    // first.
    for (variable, definition) in definitions.iter().rev() {
        let value = definition.value(&values)?;
        values.insert(*variable, value);
    }
    Some(Outcome::Solution(values))
}

/// Gives variables that only inequations mention a value of their own.
fn place_free_variables(
    not_zero: &[Row],
    definitions: &[(usize, Row)],
    values: &mut BTreeMap<usize, i128>,
) -> Option<()> {
    let mentioned = not_zero.iter().chain(definitions.iter().map(|it| &it.1));
    let mut free: Vec<usize> = mentioned.flat_map(|it| it.parts.keys().copied()).collect();
    free.sort_unstable();
    free.dedup();
    for variable in free {
        if !values.contains_key(&variable) {
            let value = choose(variable, &[], not_zero, values)??;
            values.insert(variable, value);
        }
    }
    Some(())
}

/// Solves equations for variables, in `rows` and `not_zero` as well. A definition may refer to
/// variables defined later. The inner nothing means that there is no solution.
#[expect(clippy::option_option, reason = "no number and no solution are different things")]
fn solve_equations(
    mut zero: Vec<Row>,
    rows: &mut Vec<Row>,
    not_zero: &mut [Row],
) -> Option<Option<Vec<(usize, Row)>>> {
    let mut definitions: Vec<(usize, Row)> = Vec::new();
    while let Some(mut equation) = zero.pop() {
        let divisor = equation.divisor();
        if divisor == 0 {
            if equation.constant != 0 {
                return Some(None);
            }
            continue;
        }
        if equation.constant % divisor != 0 {
            return Some(None);
        }
        equation.constant /= divisor;
        for coefficient in equation.parts.values_mut() {
            *coefficient /= divisor;
        }
        let unit = equation.parts.iter().find(|it| it.1.unsigned_abs() == 1);
        let Some((variable, coefficient)) = unit.map(|it| (*it.0, *it.1)) else {
            // No variable can be expressed without a division. Two inequalities say the same,
            // but their elimination may round.
            rows.push(equation.scaled(-1)?);
            rows.push(equation);
            continue;
        };
        equation.parts.remove(&variable);
        let definition = equation.scaled(-coefficient)?;
        for row in zero.iter_mut().chain(rows.iter_mut()).chain(not_zero.iter_mut()) {
            if let Some(coefficient) = row.parts.remove(&variable) {
                row.add_row(&definition, coefficient)?;
            }
        }
        definitions.push((variable, definition));
    }
    Some(Some(definitions))
}

/// Adds an inequality unless a stronger one is there. Whether it contradicts: by itself, or
/// together with its opposite.
fn insert(bounds: &mut BTreeMap<Vec<(usize, i128)>, i128>, mut row: Row) -> bool {
    if row.parts.is_empty() {
        return row.constant > 0;
    }
    row.tighten();
    let opposite: Vec<(usize, i128)> =
        row.parts.iter().map(|it| (*it.0, it.1.wrapping_neg())).collect();
    if let Some(constant) = bounds.get(&opposite)
        && row.constant.saturating_add(*constant) > 0
    {
        return true;
    }
    let entry = bounds.entry(row.parts.into_iter().collect()).or_insert(row.constant);
    *entry = (*entry).max(row.constant);
    false
}

/// The variable whose elimination adds the fewest rows; among those, one that loses nothing.
fn cheapest_variable(bounds: &BTreeMap<Vec<(usize, i128)>, i128>) -> usize {
    let mut counts: BTreeMap<usize, (usize, usize, bool, bool)> = BTreeMap::new();
    for parts in bounds.keys() {
        for (variable, coefficient) in parts {
            let entry = counts.entry(*variable).or_insert((0, 0, true, true));
            let is_unit = coefficient.unsigned_abs() == 1;
            if *coefficient > 0 {
                entry.0 += 1;
                entry.2 &= is_unit;
            } else {
                entry.1 += 1;
                entry.3 &= is_unit;
            }
        }
    }
    let key = |it: &(usize, usize, bool, bool)| (!(it.2 || it.3), it.0 * it.1);
    counts.iter().min_by_key(|it| key(it.1)).map_or(0, |it| *it.0)
}

/// A value between the bounds that the rows impose, if there is one; preferably one for which no
/// inequation fails, and which no other variable has.
#[expect(clippy::option_option, reason = "no number and no value are different things")]
fn choose(
    variable: usize,
    rows: &[Row],
    not_zero: &[Row],
    values: &BTreeMap<usize, i128>,
) -> Option<Option<i128>> {
    let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
    for row in rows {
        let coefficient = row.parts[&variable];
        let mut rest = row.clone();
        rest.parts.remove(&variable);
        let rest = rest.value(values)?.checked_neg()?;
        if coefficient > 0 {
            let bound = rest.div_euclid(coefficient);
            high = Some(high.map_or(bound, |it| it.min(bound)));
        } else {
            let bound = div_ceil(rest.checked_neg()?, coefficient.checked_neg()?);
            low = Some(low.map_or(bound, |it| it.max(bound)));
        }
    }
    if let (Some(low), Some(high)) = (low, high)
        && low > high
    {
        return Some(None);
    }
    let mut forbidden = Vec::new();
    for row in not_zero {
        let Some(coefficient) = row.parts.get(&variable) else { continue };
        let is_last = row.parts.keys().all(|it| *it == variable || values.contains_key(it));
        if is_last {
            let mut rest = row.clone();
            rest.parts.remove(&variable);
            let rest = rest.value(values)?.checked_neg()?;
            if rest % coefficient == 0 {
                forbidden.push(rest / coefficient);
            }
        }
    }
    let start = low.or(high).unwrap_or(0);
    let step = if low.is_some() || high.is_none() { 1 } else { -1 };
    // Distinct values make it unlikely that terms become equal that nothing equates, which
    // would need another case distinction.
    let used: Vec<i128> = values.values().copied().collect();
    let candidates = |count: usize| {
        let mut next = Some(start);
        (0..count).map_while(move |_| {
            let current = next?;
            next = current.checked_add(step);
            let fits =
                low.is_none_or(|it| it <= current) && high.is_none_or(|it| it >= current);
            fits.then_some(current)
        })
    };
    let allowed = |it: &i128| !forbidden.contains(it);
    let unused = candidates(used.len() + forbidden.len() + 1)
        .find(|it| allowed(it) && !used.contains(it));
    let value = unused.or_else(|| candidates(forbidden.len() + 1).find(allowed));
    Some(Some(value.unwrap_or(start)))
}
