//! Builds the decision graph from matrices, one occurrence at a time.

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

/// Builds nodes from the root on; a node is registered under its matrix before it is built.
pub(super) struct DecisionGraphBuilder<'a> {
    pub(super) matrix_context: DecisionMatrixContext<'a>,
    nodes: Vec<DecisionNode>,
    // Only looked up, never iterated: the numbering of nodes follows the rows.
    ids_by_rows: HashMap<Rc<[DecisionMatrixRow]>, DecisionId>,
    pending: VecDeque<(DecisionId, Rc<[DecisionMatrixRow]>)>,
    budget: DecisionBudget,
}

/// The node for no match. It is created first.
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

    /// Builds the graph for rows, within the default budget or a given one.
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
        // A worklist instead of recursion: the graph may be as deep as the patterns are long.
        while let Some((id, lines)) = self.pending.pop_front() {
            // If the budget runs out in the middle of a node, only this matrix falls back.
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

    /// The node of a matrix, which may still be pending.
    fn node_of(&mut self, matrix: DecisionMatrix) -> DecisionId {
        if matrix.rows().is_empty() {
            return FAIL;
        }
        let lines: Rc<[DecisionMatrixRow]> = matrix.into_rows().into();
        if let Some(id) = self.ids_by_rows.get(&lines) {
            return *id;
        }
        // A placeholder, replaced when the matrix is taken from `pending`.
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
            // Visiting cells is charged even if nothing is copied, which bounds the time.
            self.budget.charge_work(lines.iter().map(|line| line.cells.len() + 1).sum())?;
            match lines.first() {
                None => return Ok(DecisionNode::Fail),
                Some(first) if first.cells.is_empty() => return Ok(self.arms(lines)),
                Some(_) => {}
            }
            let Some(place) = self.best_occurrence(lines)? else {
                // Not reached: the first row has a cell, so there is a candidate.
                return Ok(DecisionNode::Fail);
            };
            match expand_alternatives(&mut self.matrix_context, &mut self.budget, lines, place)?
            {
                None => return self.switch(lines, place),
                // Alternatives may test parts of the occurrence, and another one may now be better.
                Some(matrix) => {
                    chosen = matrix;
                    lines = chosen.rows();
                }
            }
        }
    }

    /// The first rows have no cells left: their guards decide, in order.
    fn arms(&mut self, lines: &[DecisionMatrixRow]) -> DecisionNode {
        let n_open = lines.iter().take_while(|line| line.cells.is_empty()).count();
        let (open, others) = lines.split_at(n_open);
        let mut next = self.node_of(DecisionMatrix::from_rows(others));
        let mut node = DecisionNode::Fail;
        // From the last row up, since each guard leads to the node of the next.
        for (line_idx, line) in open.iter().enumerate().rev() {
            node = self.arm(line, next);
            if line_idx > 0 {
                next = self.add(node.clone());
            }
        }
        node
    }

    /// The node of a row without cells, and its continuation if the guard does not hold.
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

    /// Selects the occurrence to inspect: one that the first row tests, so that no test is wasted
    /// for it; of those, the one that the most rows directly below test, too; then one with few
    /// outcomes. These are heuristics p and b of the paper.
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
                // An occurrence that the first row does not test is no candidate.
                let Ok(found) = found else { continue };
                let candidate = &mut candidates[found];
                // Counts rows only as long as none above it lacked the occurrence.
                if candidate.n_leading_rows == line_idx {
                    candidate.n_leading_rows += 1;
                }
                self.collect_tests(*cell, &mut candidate.tests)?;
            }
        }
        // The occurrence breaks ties, so that the result is deterministic.
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
        // Sorted only to find duplicates; the order of tests in a switch is that of the rows.
        tests.sort_unstable();
        tests.dedup();
        let is_exhaustive = tests
            .first()
            .is_some_and(|test| self.matrix_context.is_exhaustive(*test, tests.len()));
        tests.len() + usize::from(!is_exhaustive)
    }
}

/// A candidate for the next occurrence to inspect.
struct OccurrenceCandidate {
    occurrence: OccurrenceId,
    /// Number of leading rows that test it.
    n_leading_rows: usize,
    tests: Vec<OccurrenceTestId>,
}

impl OccurrenceCandidate {
    fn new(cell: &DecisionCell) -> Self {
        Self { occurrence: cell.occurrence, n_leading_rows: 0, tests: Vec::new() }
    }
}
