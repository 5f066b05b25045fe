//! Matrices, and how inspecting an occurrence splits one into several.

use std::collections::HashMap;

use super::OccurrenceId;
use super::decision_budget::{DecisionBudget, DecisionBudgetExceeded};
use super::matrix_row::{
    CellCondition, DecisionMatrixContext, DecisionMatrixRow, OccurrenceTestId,
};

/// Rows in the order in which they are tried. No row is below one that always matches, nor below
/// one of the same arm that only depends on the guard, which is not evaluated again.
#[derive(Debug, Default)]
pub(super) struct DecisionMatrix {
    rows: Vec<DecisionMatrixRow>,
}

impl DecisionMatrix {
    /// A matrix of the remaining rows of another.
    pub(super) fn from_rows(lines: &[DecisionMatrixRow]) -> Self {
        Self { rows: lines.to_vec() }
    }

    /// The rows.
    pub(super) fn rows(&self) -> &[DecisionMatrixRow] {
        &self.rows
    }

    /// The rows.
    pub(super) fn into_rows(self) -> Vec<DecisionMatrixRow> {
        self.rows
    }

    /// Appends a row, if it is reachable.
    pub(super) fn push(&mut self, line: DecisionMatrixRow) {
        if self.is_reachable(&line) {
            self.rows.push(line);
        }
    }

    fn is_reachable(&self, line: &DecisionMatrixRow) -> bool {
        match self.rows.last() {
            // The guard of the same arm has failed already and is not evaluated again.
            Some(last) if last.cells.is_empty() => last.has_guard && last.arm != line.arm,
            Some(_) | None => true,
        }
    }
}

/// The matrices that remain for each outcome at an occurrence.
pub(super) struct DecisionMatrixSplit {
    /// The tests of some row, in row order, and the matrices that remain if they hold.
    pub(super) cases: Vec<(OccurrenceTestId, DecisionMatrix)>,
    /// The matrix that remains if none holds; `None` if that is impossible.
    pub(super) default: Option<DecisionMatrix>,
}

/// Splits rows at an occurrence: a row goes to the case of its test, or to all cases if it has none
/// there.
pub(super) fn split(
    all: &mut DecisionMatrixContext<'_>,
    budget: &mut DecisionBudget,
    lines: &[DecisionMatrixRow],
    place: OccurrenceId,
) -> Result<DecisionMatrixSplit, DecisionBudgetExceeded> {
    // The index beside the list keeps this linear where many rows test different literals.
    let mut case_of = HashMap::new();
    let mut cases: Vec<(OccurrenceTestId, DecisionMatrix)> = Vec::new();
    for (_, test) in lines.iter().filter_map(|line| test_at(line, place)) {
        case_of.entry(test).or_insert_with(|| {
            cases.push((test, DecisionMatrix::default()));
            cases.len() - 1
        });
    }
    // All tests at one occurrence are of one kind, so the first tells which.
    let is_exhaustive = match cases[..] {
        [] => false,
        [(test, _), ..] => all.is_exhaustive(test, cases.len()),
    };
    let mut split =
        DecisionMatrixSplit { cases, default: (!is_exhaustive).then(DecisionMatrix::default) };
    for line in lines {
        match test_at(line, place) {
            Some((index, test)) => {
                // A row whose parts cannot match disappears.
                if let Some(answered) = all.specialize(line, index) {
                    split.cases[case_of[&test]].1.push(answered);
                }
            }
            None => split.copy_everywhere(budget, line)?,
        }
    }
    Ok(split)
}

impl DecisionMatrixSplit {
    fn copy_everywhere(
        &mut self,
        budget: &mut DecisionBudget,
        line: &DecisionMatrixRow,
    ) -> Result<(), DecisionBudgetExceeded> {
        budget.charge_work(self.cases.len())?;
        let mut is_copy = false;
        let matrices = self.cases.iter_mut().map(|(_, matrix)| matrix);
        // A row without a condition here belongs to all cases and the default.
        for matrix in matrices.chain(&mut self.default) {
            // Copies that could never be reached are not charged.
            if !matrix.is_reachable(line) {
                continue;
            }
            // The first target does not count as a copy: only further ones grow the total.
            if is_copy {
                budget.charge_copy(line.weight)?;
                budget.charge_work(line.cells.len())?;
            }
            matrix.push(line.clone());
            is_copy = true;
        }
        Ok(())
    }
}

/// Replaces rows that have an or-pattern at an occurrence, or at one that contains it, by one row
/// per alternative; `None` if no row has one.
///
/// Alternatives of a tuple test its parts. They must be expanded before a part is inspected for
/// another row, or it would be inspected again.
pub(super) fn expand_alternatives(
    all: &mut DecisionMatrixContext<'_>,
    budget: &mut DecisionBudget,
    lines: &[DecisionMatrixRow],
    place: OccurrenceId,
) -> Result<Option<DecisionMatrix>, DecisionBudgetExceeded> {
    let wholes = all.occurrence_ancestors(place);
    budget.charge_work(lines.len().saturating_mul(wholes.len()))?;
    let either_at = |line: &DecisionMatrixRow| {
        let mut found = wholes.iter().filter_map(|whole| cell_at(line, *whole));
        found.find(|index| line.cells[*index].condition == CellCondition::AnyOf)
    };
    if lines.iter().all(|line| either_at(line).is_none()) {
        return Ok(None);
    }
    let mut matrix = DecisionMatrix::default();
    for line in lines {
        let Some(index) = either_at(line) else {
            matrix.push(line.clone());
            continue;
        };
        let alternatives = all.alternatives(line.cells[index].pattern);
        // The row itself is replaced, so one alternative is free.
        let n_copies = alternatives.len().saturating_sub(1);
        budget
            .charge_copy(all.weight_of_others(line, index).saturating_mul(n_copies as u64))?;
        budget.charge_work(line.cells.len().saturating_mul(n_copies))?;
        for alternative in alternatives {
            if let Some(chosen) = all.with_alternative(line, index, *alternative) {
                matrix.push(chosen);
            }
        }
    }
    Ok(Some(matrix))
}

fn test_at(line: &DecisionMatrixRow, place: OccurrenceId) -> Option<(usize, OccurrenceTestId)> {
    let index = cell_at(line, place)?;
    match line.cells[index].condition {
        CellCondition::Test(test) => Some((index, test)),
        CellCondition::AnyOf => None,
    }
}

fn cell_at(line: &DecisionMatrixRow, place: OccurrenceId) -> Option<usize> {
    line.cells.binary_search_by_key(&place, |cell| cell.occurrence).ok()
}
