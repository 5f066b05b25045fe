//! How much may be spent on good decisions.

use super::matrix_row::DecisionMatrixRow;

/// What copies may weigh that are made of lines, as a multiple of the weight of all lines. It
/// bounds the number of nodes: every switch takes a question from some line, and there are at
/// most as many questions as the lines and their copies weigh.
const COPIES_PER_WEIGHT: u64 = 8;
const BASE_COPIES: u64 = 256;

/// How many lines and cells may be looked at, as a multiple of the weight of all lines. Only
/// matrices with very many lines or columns come near it.
const WORK_PER_WEIGHT: u64 = 32;
const BASE_WORK: u64 = 65_536;

/// What is left to spend.
#[derive(Debug, Copy, Clone)]
pub(super) struct DecisionBudget {
    pub(super) copies: u64,
    pub(super) work: u64,
}

/// A matrix needs more than is left.
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

    /// Pays for copies of lines.
    pub(super) fn charge_copy(&mut self, weight: u64) -> Result<(), DecisionBudgetExceeded> {
        self.copies = self.copies.checked_sub(weight).ok_or(DecisionBudgetExceeded)?;
        Ok(())
    }

    /// Pays for looking at lines and cells.
    pub(super) fn charge_work(&mut self, amount: usize) -> Result<(), DecisionBudgetExceeded> {
        self.work = self.work.checked_sub(amount as u64).ok_or(DecisionBudgetExceeded)?;
        Ok(())
    }
}
