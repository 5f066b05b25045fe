//! Lines tried one after another: what is left when good decisions cost too much.
//!
//! The tests of a line stand in a row; every mismatch leads to one node for the lines below.
//! The alternatives of an or-pattern meet again in one node behind them, and so bind their
//! locals before it: the size is that of the patterns.

use gainsay_core::PatternId;

use super::graph_builder::{DecisionGraphBuilder, FAIL};
use super::matrix_row::{CellCondition, DecisionMatrixRow, OccurrenceTestId, RowFeasibility};
use super::{DecisionId, DecisionNode, OccurrenceId};

/// Something that must hold for a line to match.
enum ChainStep {
    Test(OccurrenceId, OccurrenceTestId),
    AnyOf(OccurrenceId, PatternId),
}

impl DecisionGraphBuilder<'_> {
    /// A node that tries lines in order.
    pub(super) fn chain(&mut self, lines: &[DecisionMatrixRow]) -> DecisionNode {
        let mut below = FAIL;
        // Where the lines of the next arm begin: a guard is not asked twice.
        let mut next_arm = FAIL;
        let mut arm = None;
        for line in lines.iter().rev() {
            if arm != Some(line.arm) {
                arm = Some(line.arm);
                next_arm = below;
            }
            below = match self.steps(line.clone()) {
                Some((steps, line)) => {
                    let arm = self.arm(&line, next_arm);
                    let success = self.add(arm);
                    self.chain_steps(&steps, success, below)
                }
                None => below,
            };
        }
        self.node_at(below)
    }

    /// What must hold for a line, and the line with all its bindings.
    fn steps(
        &mut self,
        mut line: DecisionMatrixRow,
    ) -> Option<(Vec<ChainStep>, DecisionMatrixRow)> {
        let mut steps = Vec::new();
        line.cells.reverse();
        while let Some(cell) = line.cells.pop() {
            match cell.condition {
                CellCondition::AnyOf => {
                    steps.push(ChainStep::AnyOf(cell.occurrence, cell.pattern))
                }
                CellCondition::Test(test) => {
                    steps.push(ChainStep::Test(cell.occurrence, test));
                    let n_before = line.cells.len();
                    if self.matrix_context.expand_cell(&mut line, cell)
                        == RowFeasibility::Infeasible
                    {
                        return None;
                    }
                    line.cells[n_before..].reverse();
                }
            }
        }
        Some((steps, line))
    }

    fn chain_steps(
        &mut self,
        steps: &[ChainStep],
        success: DecisionId,
        mismatch: DecisionId,
    ) -> DecisionId {
        let mut next = success;
        for step in steps.iter().rev() {
            next = match step {
                ChainStep::Test(place, test) => {
                    let test = self.matrix_context.test(*test).clone();
                    let cases = Box::new([(test, next)]);
                    self.add(DecisionNode::Switch {
                        occurrence: *place,
                        cases,
                        default: Some(mismatch),
                    })
                }
                ChainStep::AnyOf(place, pattern) => {
                    self.try_alternatives(*place, *pattern, next, mismatch)
                }
            };
        }
        next
    }

    /// Tries alternatives in order. Recursion is as deep as or-patterns nest in the source.
    fn try_alternatives(
        &mut self,
        place: OccurrenceId,
        pattern: PatternId,
        success: DecisionId,
        mismatch: DecisionId,
    ) -> DecisionId {
        let mut below = mismatch;
        for alternative in self.matrix_context.alternatives(pattern).iter().rev() {
            let line = self.matrix_context.alternative(place, *alternative);
            let Some((steps, line)) = line.and_then(|line| self.steps(line)) else { continue };
            let bindings = self.matrix_context.bindings(&line);
            let next = match bindings.len() {
                0 => success,
                _ => self.add(DecisionNode::Bind { bindings, next: success }),
            };
            below = self.chain_steps(&steps, next, below);
        }
        below
    }
}
