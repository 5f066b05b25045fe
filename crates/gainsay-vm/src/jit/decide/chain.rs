//! Lines tried one after another: what is left when good decisions cost too much.
//!
//! The tests of a line stand in a row; every mismatch leads to one node for the lines below.
//! The alternatives of an or-pattern meet again in one node behind them, and so bind their
//! locals before it: the size is that of the patterns.

use gainsay_core::PatternId;

use super::line::{Asks, Hope, Line, TestId};
use super::tree::{Builder, FAIL};
use super::{Node, NodeId, PlaceId};

/// Something that must hold for a line to match.
enum Step {
    Test(PlaceId, TestId),
    Either(PlaceId, PatternId),
}

impl Builder<'_> {
    /// A node that tries lines in order.
    pub(super) fn chain(&mut self, lines: &[Line]) -> Node {
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
                    self.in_turn(&steps, success, below)
                }
                None => below,
            };
        }
        self.made(below)
    }

    /// What must hold for a line, and the line with all its bindings.
    fn steps(&mut self, mut line: Line) -> Option<(Vec<Step>, Line)> {
        let mut steps = Vec::new();
        line.cells.reverse();
        while let Some(cell) = line.cells.pop() {
            match cell.asks {
                Asks::Either => steps.push(Step::Either(cell.place, cell.pattern)),
                Asks::One(test) => {
                    steps.push(Step::Test(cell.place, test));
                    let n_before = line.cells.len();
                    if self.lines.open(&mut line, cell) == Hope::Lost {
                        return None;
                    }
                    line.cells[n_before..].reverse();
                }
            }
        }
        Some((steps, line))
    }

    fn in_turn(&mut self, steps: &[Step], success: NodeId, mismatch: NodeId) -> NodeId {
        let mut next = success;
        for step in steps.iter().rev() {
            next = match step {
                Step::Test(place, test) => {
                    let test = self.lines.test(*test).clone();
                    let cases = Box::new([(test, next)]);
                    self.add(Node::Switch { place: *place, cases, default: Some(mismatch) })
                }
                Step::Either(place, pattern) => self.either(*place, *pattern, next, mismatch),
            };
        }
        next
    }

    /// Tries alternatives in order. Recursion is as deep as or-patterns nest in the source.
    fn either(
        &mut self,
        place: PlaceId,
        pattern: PatternId,
        success: NodeId,
        mismatch: NodeId,
    ) -> NodeId {
        let mut below = mismatch;
        for alternative in self.lines.alternatives(pattern).iter().rev() {
            let line = self.lines.alternative(place, *alternative);
            let Some((steps, line)) = line.and_then(|line| self.steps(line)) else { continue };
            let bindings = self.lines.bindings(&line);
            let next = match bindings.len() {
                0 => success,
                _ => self.add(Node::Bind { bindings, next: success }),
            };
            below = self.in_turn(&steps, next, below);
        }
        below
    }
}
