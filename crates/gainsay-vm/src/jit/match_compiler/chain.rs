//! Sequential matching: tries rows one after another when a decision tree would be too large.
//!
//! The tests of a row form a sequence; every mismatch leads to one node for the rows below. The
//! alternatives of an or-pattern join again in one node after them, and so bind their locals before
//! it: the size is that of the patterns.

use gainsay_core::PatternId;

use super::graph_builder::{DecisionGraphBuilder, FAIL};
use super::matrix_row::{CellCondition, DecisionMatrixRow, OccurrenceTestId, RowFeasibility};
use super::{DecisionId, DecisionNode, OccurrenceId};

/// A condition for a row to match.
enum ChainStep {
    Test(OccurrenceId, OccurrenceTestId),
    AnyOf(OccurrenceId, PatternId),
}

impl DecisionGraphBuilder<'_> {
    /// Builds a node that tries rows in order.
    pub(super) fn chain(&mut self, lines: &[DecisionMatrixRow]) -> DecisionNode {
        let mut below = FAIL;
        // Where the rows of the next arm begin: a guard that failed is not evaluated again for
        // another alternative of its arm.
        let mut next_arm = FAIL;
        let mut arm = None;
        // From the last row up, since each row needs the node for its mismatch.
        for line in lines.iter().rev() {
            if arm != Some(line.arm) {
                arm = Some(line.arm);
                next_arm = below;
            }
            below = match self.steps(line.clone()) {
                Some((steps, line)) => {
                    // A failed guard skips the other alternatives of its arm.
                    let arm = self.arm(&line, next_arm);
                    let success = self.add(arm);
                    self.chain_steps(&steps, success, below)
                }
                // An infeasible row is skipped.
                None => below,
            };
        }
        // The pending node becomes a copy of the first one; hash-consing merges the two.
        self.node_at(below)
    }

    /// The conditions of a row, and the row with all its bindings.
    fn steps(
        &mut self,
        mut line: DecisionMatrixRow,
    ) -> Option<(Vec<ChainStep>, DecisionMatrixRow)> {
        let mut steps = Vec::new();
        // `cells` is used as a stack: reversed, so that cells pop in source order.
        line.cells.reverse();
        while let Some(cell) = line.cells.pop() {
            match cell.condition {
                CellCondition::AnyOf => {
                    steps.push(ChainStep::AnyOf(cell.occurrence, cell.pattern))
                }
                CellCondition::Test(test) => {
                    steps.push(ChainStep::Test(cell.occurrence, test));
                    // The parts of the pattern are tested right after it, in source order.
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
                        // Every other outcome belongs to the rows below.
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

    /// Tries alternatives in order. The recursion is as deep as or-patterns nest in the source.
    fn try_alternatives(
        &mut self,
        place: OccurrenceId,
        pattern: PatternId,
        success: DecisionId,
        mismatch: DecisionId,
    ) -> DecisionId {
        // From the last alternative up, like the rows of a chain.
        let mut below = mismatch;
        for alternative in self.matrix_context.alternatives(pattern).iter().rev() {
            // Its tests are those of the alternative alone: the rest of the row follows after the
            // join.
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
