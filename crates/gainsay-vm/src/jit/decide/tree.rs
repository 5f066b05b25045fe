//! The matrix taken apart, place by place.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use gainsay_core::{Body, Program};

use super::budget::{Budget, TooHard};
use super::line::{Asks, Cell, Line, Lines, TestId};
use super::matrix::{Matrix, choose_alternatives, split};
use super::share::share;
use super::{Decisions, Node, NodeId, PlaceId, Row};

/// Makes the nodes from the root on; a node is known by its matrix before it is made.
pub(super) struct Builder<'a> {
    pub(super) lines: Lines<'a>,
    nodes: Vec<Node>,
    known: HashMap<Rc<[Line]>, NodeId>,
    pending: VecDeque<(NodeId, Rc<[Line]>)>,
    budget: Budget,
}

/// Where nothing matches. It is made first.
pub(super) const FAIL: NodeId = NodeId(0);

impl<'a> Builder<'a> {
    pub(super) fn new(program: &'a Program, body: &'a Body, rows: &[Row]) -> Self {
        Self {
            lines: Lines::new(program, body, rows),
            nodes: vec![Node::Fail],
            known: HashMap::new(),
            pending: VecDeque::new(),
            budget: Budget { copies: 0, work: 0 },
        }
    }

    /// Decides between the rows, within the usual budget or another.
    pub(super) fn build(mut self, rows: &[Row], budget: Option<Budget>) -> Decisions {
        let mut matrix = Matrix::default();
        for row in rows {
            if let Some(line) = self.lines.line(row) {
                matrix.push(line);
            }
        }
        self.budget = budget.unwrap_or_else(|| Budget::of(matrix.lines()));
        let root = self.node_of(matrix);
        while let Some((id, lines)) = self.pending.pop_front() {
            self.nodes[id.index()] = match self.node(&lines) {
                Ok(node) => node,
                Err(TooHard) => self.chain(&lines),
            };
        }
        share(&self.nodes, root, self.lines.places)
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(super) fn made(&self, id: NodeId) -> Node {
        self.nodes[id.index()].clone()
    }

    /// The node of a matrix, which may still have to be made.
    fn node_of(&mut self, matrix: Matrix) -> NodeId {
        if matrix.lines().is_empty() {
            return FAIL;
        }
        let lines: Rc<[Line]> = matrix.into_lines().into();
        if let Some(id) = self.known.get(&lines) {
            return *id;
        }
        let id = self.add(Node::Fail);
        self.known.insert(Rc::clone(&lines), id);
        self.pending.push_back((id, lines));
        id
    }

    fn node(&mut self, lines: &[Line]) -> Result<Node, TooHard> {
        let mut chosen: Matrix;
        let mut lines = lines;
        loop {
            self.budget.work(lines.iter().map(|line| line.cells.len() + 1).sum())?;
            match lines.first() {
                None => return Ok(Node::Fail),
                Some(first) if first.cells.is_empty() => return Ok(self.arms(lines)),
                Some(_) => {}
            }
            let Some(place) = self.best_place(lines)? else { return Ok(Node::Fail) };
            match choose_alternatives(&mut self.lines, &mut self.budget, lines, place)? {
                None => return self.switch(lines, place),
                // Alternatives may ask about parts of the place, and another may be better.
                Some(matrix) => {
                    chosen = matrix;
                    lines = chosen.lines();
                }
            }
        }
    }

    /// The first lines ask nothing: their guards decide, in order.
    fn arms(&mut self, lines: &[Line]) -> Node {
        let n_open = lines.iter().take_while(|line| line.cells.is_empty()).count();
        let (open, others) = lines.split_at(n_open);
        let mut next = self.node_of(Matrix::from_lines(others));
        let mut node = Node::Fail;
        for (line_idx, line) in open.iter().enumerate().rev() {
            node = self.arm(line, next);
            if line_idx > 0 {
                next = self.add(node.clone());
            }
        }
        node
    }

    /// A line that asks nothing, and where to go on if its guard does not hold.
    pub(super) fn arm(&self, line: &Line, otherwise: NodeId) -> Node {
        let bindings = self.lines.bindings(line);
        let otherwise = line.has_guard.then_some(otherwise);
        Node::Arm { arm: line.arm, bindings, otherwise }
    }

    fn switch(&mut self, lines: &[Line], place: PlaceId) -> Result<Node, TooHard> {
        let split = split(&mut self.lines, &mut self.budget, lines, place)?;
        let mut cases = Vec::with_capacity(split.cases.len());
        for (test, matrix) in split.cases {
            cases.push((self.lines.test(test).clone(), self.node_of(matrix)));
        }
        let default = split.default.map(|matrix| self.node_of(matrix));
        Ok(Node::Switch { place, cases: cases.into(), default })
    }

    /// The place to look at: one that the first line asks about, so that no test is in vain
    /// for it; of those, one that as many of the next lines as possible ask about too; then
    /// one with few answers. These are the heuristics p and b of the paper.
    fn best_place(&mut self, lines: &[Line]) -> Result<Option<PlaceId>, TooHard> {
        let Some(first) = lines.first() else { return Ok(None) };
        let mut candidates: Vec<Candidate> = first.cells.iter().map(Candidate::new).collect();
        for (line_idx, line) in lines.iter().enumerate() {
            for cell in &line.cells {
                let found = candidates.binary_search_by_key(&cell.place, |it| it.place);
                let Ok(found) = found else { continue };
                let candidate = &mut candidates[found];
                if candidate.n_first == line_idx {
                    candidate.n_first += 1;
                }
                self.collect_tests(*cell, &mut candidate.tests)?;
            }
        }
        let score = |candidate: &mut Candidate| {
            let fewest_left = lines.len() - candidate.n_first;
            (fewest_left, self.n_branches(&mut candidate.tests), candidate.place)
        };
        Ok(candidates.iter_mut().map(score).min().map(|(_, _, place)| place))
    }

    fn collect_tests(&mut self, cell: Cell, tests: &mut Vec<TestId>) -> Result<(), TooHard> {
        match cell.asks {
            Asks::One(test) => tests.push(test),
            Asks::Either => {
                let alternatives = self.lines.alternatives(cell.pattern);
                self.budget.work(alternatives.len())?;
                tests.extend(alternatives.iter().filter_map(|it| self.lines.first_test(*it)));
            }
        }
        Ok(())
    }

    fn n_branches(&self, tests: &mut Vec<TestId>) -> usize {
        tests.sort_unstable();
        tests.dedup();
        let is_exhaustive =
            tests.first().is_some_and(|test| self.lines.is_exhaustive(*test, tests.len()));
        tests.len() + usize::from(!is_exhaustive)
    }
}

/// A place that may be looked at next.
struct Candidate {
    place: PlaceId,
    /// How many lines ask about it before the first that does not.
    n_first: usize,
    tests: Vec<TestId>,
}

impl Candidate {
    fn new(cell: &Cell) -> Self {
        Self { place: cell.place, n_first: 0, tests: Vec::new() }
    }
}
