//! Matrices, and how one splits into several where a place is looked at.

use std::collections::HashMap;

use super::OccurrenceId;
use super::decision_budget::{DecisionBudget, DecisionBudgetExceeded};
use super::matrix_row::{
    CellCondition, DecisionMatrixContext, DecisionMatrixRow, OccurrenceTestId,
};

/// Lines in the order in which they are tried. None stands below one that always matches, nor
/// below one of the same arm that does but for the guard, which is not asked again.
#[derive(Debug, Default)]
pub(super) struct DecisionMatrix {
    rows: Vec<DecisionMatrixRow>,
}

impl DecisionMatrix {
    /// The lines of a matrix from some line on.
    pub(super) fn from_rows(lines: &[DecisionMatrixRow]) -> Self {
        Self { rows: lines.to_vec() }
    }

    /// The lines.
    pub(super) fn rows(&self) -> &[DecisionMatrixRow] {
        &self.rows
    }

    /// The lines.
    pub(super) fn into_rows(self) -> Vec<DecisionMatrixRow> {
        self.rows
    }

    /// Adds a line at the end, if it can ever be reached.
    pub(super) fn push(&mut self, line: DecisionMatrixRow) {
        if self.is_reachable(&line) {
            self.rows.push(line);
        }
    }

    fn is_reachable(&self, line: &DecisionMatrixRow) -> bool {
        match self.rows.last() {
            Some(last) if last.cells.is_empty() => last.has_guard && last.arm != line.arm,
            Some(_) | None => true,
        }
    }
}

/// The matrices that remain for each answer of a place.
pub(super) struct DecisionMatrixSplit {
    /// The tests that some line asks for, in the order of lines, and what remains if they hold.
    pub(super) cases: Vec<(OccurrenceTestId, DecisionMatrix)>,
    /// What remains if none holds; `None` if that cannot be.
    pub(super) default: Option<DecisionMatrix>,
}

/// Looks at a place: a line goes where its test holds, and everywhere if it asks nothing there.
pub(super) fn split(
    all: &mut DecisionMatrixContext<'_>,
    budget: &mut DecisionBudget,
    lines: &[DecisionMatrixRow],
    place: OccurrenceId,
) -> Result<DecisionMatrixSplit, DecisionBudgetExceeded> {
    let mut case_of = HashMap::new();
    let mut cases: Vec<(OccurrenceTestId, DecisionMatrix)> = Vec::new();
    for (_, test) in lines.iter().filter_map(|line| test_at(line, place)) {
        case_of.entry(test).or_insert_with(|| {
            cases.push((test, DecisionMatrix::default()));
            cases.len() - 1
        });
    }
    let is_exhaustive = match cases[..] {
        [] => false,
        [(test, _), ..] => all.is_exhaustive(test, cases.len()),
    };
    let mut split =
        DecisionMatrixSplit { cases, default: (!is_exhaustive).then(DecisionMatrix::default) };
    for line in lines {
        match test_at(line, place) {
            Some((index, test)) => {
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
        for matrix in matrices.chain(&mut self.default) {
            if !matrix.is_reachable(line) {
                continue;
            }
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

/// The matrix with a line for each alternative where lines ask for one of several at the
/// place, or at one that it is a part of; `None` if no line does.
///
/// Alternatives of a tuple ask about its parts. They must not come to light after a part was
/// looked at for another line, or it would be looked at again.
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
