//! The budget for building decision trees.

use super::matrix_row::DecisionMatrixRow;

/// The weight of row copies allowed, as a multiple of the weight of all rows. It bounds the number
/// of nodes: every switch consumes a cell of some row, and there are at most as many cells as the
/// rows and their copies weigh.
const COPIES_PER_WEIGHT: u64 = 8;
const BASE_COPIES: u64 = 256;

/// How many rows and cells may be visited, as a multiple of the weight of all rows. Only matrices
/// with very many rows or columns come near it.
const WORK_PER_WEIGHT: u64 = 32;
const BASE_WORK: u64 = 65_536;

/// The remaining budget.
#[derive(Debug, Copy, Clone)]
pub(super) struct DecisionBudget {
    pub(super) copies: u64,
    pub(super) work: u64,
}

/// A matrix needs more than the remaining budget.
#[derive(Debug)]
pub(super) struct DecisionBudgetExceeded;

impl DecisionBudget {
    /// The budget of a matrix.
    pub(super) fn of(lines: &[DecisionMatrixRow]) -> Self {
        let weight = lines.iter().fold(0_u64, |sum, line| sum.saturating_add(line.weight));
        Self {
            copies: weight.saturating_mul(COPIES_PER_WEIGHT).saturating_add(BASE_COPIES),
            work: weight.saturating_mul(WORK_PER_WEIGHT).saturating_add(BASE_WORK),
        }
    }

    /// Charges for copies of rows.
    pub(super) fn charge_copy(&mut self, weight: u64) -> Result<(), DecisionBudgetExceeded> {
        self.copies = self.copies.checked_sub(weight).ok_or(DecisionBudgetExceeded)?;
        Ok(())
    }

    /// Charges for visiting rows and cells.
    pub(super) fn charge_work(&mut self, amount: usize) -> Result<(), DecisionBudgetExceeded> {
        self.work = self.work.checked_sub(amount as u64).ok_or(DecisionBudgetExceeded)?;
        Ok(())
    }
}
