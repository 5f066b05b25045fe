//! The matrix taken apart, place by place.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use gainsay_core::{Body, Program};

use super::decision_budget::{DecisionBudget, DecisionBudgetExceeded};
use super::hash_consing::hash_cons;
use super::matrix::{DecisionMatrix, expand_alternatives, split};
use super::matrix_row::{
    CellCondition, DecisionCell, DecisionMatrixContext, DecisionMatrixRow, OccurrenceTestId,
};
use super::{DecisionGraph, DecisionId, DecisionNode, DecisionRow, OccurrenceId};

/// Makes the nodes from the root on; a node is known by its matrix before it is made.
pub(super) struct DecisionGraphBuilder<'a> {
    pub(super) matrix_context: DecisionMatrixContext<'a>,
    nodes: Vec<DecisionNode>,
    ids_by_rows: HashMap<Rc<[DecisionMatrixRow]>, DecisionId>,
    pending: VecDeque<(DecisionId, Rc<[DecisionMatrixRow]>)>,
    budget: DecisionBudget,
}

/// Where nothing matches. It is made first.
pub(super) const FAIL: DecisionId = DecisionId(0);

impl<'a> DecisionGraphBuilder<'a> {
    pub(super) fn new(program: &'a Program, body: &'a Body, rows: &[DecisionRow]) -> Self {
        Self {
            matrix_context: DecisionMatrixContext::new(program, body, rows),
            nodes: vec![DecisionNode::Fail],
            ids_by_rows: HashMap::new(),
            pending: VecDeque::new(),
            budget: DecisionBudget { copies: 0, work: 0 },
        }
    }

    /// Decides between the rows, within the usual budget or another.
    pub(super) fn build(
        mut self,
        rows: &[DecisionRow],
        budget: Option<DecisionBudget>,
    ) -> DecisionGraph {
        let mut matrix = DecisionMatrix::default();
        for row in rows {
            if let Some(line) = self.matrix_context.matrix_row(row) {
                matrix.push(line);
            }
        }
        self.budget = budget.unwrap_or_else(|| DecisionBudget::of(matrix.rows()));
        let root = self.node_of(matrix);
        while let Some((id, lines)) = self.pending.pop_front() {
            self.nodes[id.index()] = match self.node(&lines) {
                Ok(node) => node,
                Err(DecisionBudgetExceeded) => self.chain(&lines),
            };
        }
        hash_cons(&self.nodes, root, self.matrix_context.occurrences)
    }

    pub(super) fn add(&mut self, node: DecisionNode) -> DecisionId {
        self.nodes.push(node);
        DecisionId(self.nodes.len() as u32 - 1)
    }

    pub(super) fn node_at(&self, id: DecisionId) -> DecisionNode {
        self.nodes[id.index()].clone()
    }

    /// The node of a matrix, which may still have to be made.
    fn node_of(&mut self, matrix: DecisionMatrix) -> DecisionId {
        if matrix.rows().is_empty() {
            return FAIL;
        }
        let lines: Rc<[DecisionMatrixRow]> = matrix.into_rows().into();
        if let Some(id) = self.ids_by_rows.get(&lines) {
            return *id;
        }
        let id = self.add(DecisionNode::Fail);
        self.ids_by_rows.insert(Rc::clone(&lines), id);
        self.pending.push_back((id, lines));
        id
    }

    fn node(
        &mut self,
        lines: &[DecisionMatrixRow],
    ) -> Result<DecisionNode, DecisionBudgetExceeded> {
        let mut chosen: DecisionMatrix;
        let mut lines = lines;
        loop {
            self.budget.charge_work(lines.iter().map(|line| line.cells.len() + 1).sum())?;
            match lines.first() {
                None => return Ok(DecisionNode::Fail),
                Some(first) if first.cells.is_empty() => return Ok(self.arms(lines)),
                Some(_) => {}
            }
            let Some(place) = self.best_occurrence(lines)? else {
                return Ok(DecisionNode::Fail);
            };
            match expand_alternatives(&mut self.matrix_context, &mut self.budget, lines, place)?
            {
                None => return self.switch(lines, place),
                // Alternatives may ask about parts of the place, and another may be better.
                Some(matrix) => {
                    chosen = matrix;
                    lines = chosen.rows();
                }
            }
        }
    }

    /// The first lines ask nothing: their guards decide, in order.
    fn arms(&mut self, lines: &[DecisionMatrixRow]) -> DecisionNode {
        let n_open = lines.iter().take_while(|line| line.cells.is_empty()).count();
        let (open, others) = lines.split_at(n_open);
        let mut next = self.node_of(DecisionMatrix::from_rows(others));
        let mut node = DecisionNode::Fail;
        for (line_idx, line) in open.iter().enumerate().rev() {
            node = self.arm(line, next);
            if line_idx > 0 {
                next = self.add(node.clone());
            }
        }
        node
    }

    /// A line that asks nothing, and where to go on if its guard does not hold.
    pub(super) fn arm(&self, line: &DecisionMatrixRow, otherwise: DecisionId) -> DecisionNode {
        let bindings = self.matrix_context.bindings(line);
        let otherwise = line.has_guard.then_some(otherwise);
        DecisionNode::Arm { arm: line.arm, bindings, otherwise }
    }

    fn switch(
        &mut self,
        lines: &[DecisionMatrixRow],
        place: OccurrenceId,
    ) -> Result<DecisionNode, DecisionBudgetExceeded> {
        let split = split(&mut self.matrix_context, &mut self.budget, lines, place)?;
        let mut cases = Vec::with_capacity(split.cases.len());
        for (test, matrix) in split.cases {
            cases.push((self.matrix_context.test(test).clone(), self.node_of(matrix)));
        }
        let default = split.default.map(|matrix| self.node_of(matrix));
        Ok(DecisionNode::Switch { occurrence: place, cases: cases.into(), default })
    }

    /// The place to look at: one that the first line asks about, so that no test is in vain
    /// for it; of those, one that as many of the next lines as possible ask about too; then
    /// one with few answers. These are the heuristics p and b of the paper.
    fn best_occurrence(
        &mut self,
        lines: &[DecisionMatrixRow],
    ) -> Result<Option<OccurrenceId>, DecisionBudgetExceeded> {
        let Some(first) = lines.first() else { return Ok(None) };
        let mut candidates: Vec<OccurrenceCandidate> =
            first.cells.iter().map(OccurrenceCandidate::new).collect();
        for (line_idx, line) in lines.iter().enumerate() {
            for cell in &line.cells {
                let found =
                    candidates.binary_search_by_key(&cell.occurrence, |it| it.occurrence);
                let Ok(found) = found else { continue };
                let candidate = &mut candidates[found];
                if candidate.n_leading_rows == line_idx {
                    candidate.n_leading_rows += 1;
                }
                self.collect_tests(*cell, &mut candidate.tests)?;
            }
        }
        let score = |candidate: &mut OccurrenceCandidate| {
            let fewest_left = lines.len() - candidate.n_leading_rows;
            (fewest_left, self.n_branches(&mut candidate.tests), candidate.occurrence)
        };
        Ok(candidates.iter_mut().map(score).min().map(|(_, _, place)| place))
    }

    fn collect_tests(
        &mut self,
        cell: DecisionCell,
        tests: &mut Vec<OccurrenceTestId>,
    ) -> Result<(), DecisionBudgetExceeded> {
        match cell.condition {
            CellCondition::Test(test) => tests.push(test),
            CellCondition::AnyOf => {
                let alternatives = self.matrix_context.alternatives(cell.pattern);
                self.budget.charge_work(alternatives.len())?;
                tests.extend(
                    alternatives.iter().filter_map(|it| self.matrix_context.first_test(*it)),
                );
            }
        }
        Ok(())
    }

    fn n_branches(&self, tests: &mut Vec<OccurrenceTestId>) -> usize {
        tests.sort_unstable();
        tests.dedup();
        let is_exhaustive = tests
            .first()
            .is_some_and(|test| self.matrix_context.is_exhaustive(*test, tests.len()));
        tests.len() + usize::from(!is_exhaustive)
    }
}

/// A place that may be looked at next.
struct OccurrenceCandidate {
    occurrence: OccurrenceId,
    /// How many lines ask about it before the first that does not.
    n_leading_rows: usize,
    tests: Vec<OccurrenceTestId>,
}

impl OccurrenceCandidate {
    fn new(cell: &DecisionCell) -> Self {
        Self { occurrence: cell.occurrence, n_leading_rows: 0, tests: Vec::new() }
    }
}
