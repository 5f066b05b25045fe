//! Congruence closure with free constructors and distinct constants (Nelson and Oppen, "Fast
//! decision procedures based on congruence closure", 1980; Oppen, "Reasoning about recursively
//! defined data structures", 1980).

use std::collections::HashMap;

use crate::signature::{FunId, Sort};
use crate::terms::{TermId, TermNode, Terms};

/// What a node of the closure is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    /// Nothing is known of it.
    Leaf,
    /// A value that differs from all other constants.
    Constant,
    /// A function of other nodes.
    Function(FunId, Vec<usize>),
    /// A constructor of other nodes.
    Constructor(FunId, Vec<usize>),
}

/// The terms that the closure is about.
#[derive(Default)]
pub(super) struct TermGraph {
    shapes: Vec<Shape>,
    pub(super) terms: Vec<TermId>,
    pub(super) sorts: Vec<Sort>,
    numbers: HashMap<TermId, usize>,
}

impl TermGraph {
    /// The node of a term that has been added.
    pub(super) fn find(&self, term: TermId) -> Option<usize> {
        self.numbers.get(&term).copied()
    }

    /// Adds a term with its parts, and returns the nodes that are new.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other terms have no parts that the closure sees"
    )]
    pub(super) fn add(&mut self, terms: &Terms, term: TermId) -> usize {
        if let Some(number) = self.numbers.get(&term) {
            return *number;
        }
        let shape = match terms.node(term) {
            TermNode::Bool(_) | TermNode::Int(_) => Shape::Constant,
            TermNode::App(fun, args) => {
                let is_constructor = terms.signature.fun(*fun).is_constructor;
                let nodes = args.iter().map(|it| self.add(terms, *it)).collect();
                if is_constructor {
                    Shape::Constructor(*fun, nodes)
                } else {
                    Shape::Function(*fun, nodes)
                }
            }
            _ => Shape::Leaf,
        };
        let number = self.shapes.len();
        self.shapes.push(shape);
        self.terms.push(term);
        self.sorts.push(terms.sort(term));
        self.numbers.insert(term, number);
        number
    }

    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// The function and arguments of a node.
    pub(super) fn application(&self, node: usize) -> Option<(FunId, &[usize])> {
        match &self.shapes[node] {
            Shape::Function(fun, args) | Shape::Constructor(fun, args) => Some((*fun, args)),
            Shape::Leaf | Shape::Constant => None,
        }
    }
}

/// The classes of equal terms under some equations.
pub(super) struct Classes {
    parents: Vec<usize>,
    /// For the representative of a class, a constant or constructor in it.
    pub(super) values: Vec<Option<usize>>,
    pending: Vec<(usize, usize)>,
}

/// The equations contradict each other.
pub(super) struct Contradiction;

impl Classes {
    /// Every term is its own class.
    pub(super) fn new(graph: &TermGraph) -> Classes {
        let values = graph
            .shapes
            .iter()
            .enumerate()
            .map(|(i, it)| matches!(it, Shape::Constant | Shape::Constructor(..)).then_some(i))
            .collect();
        Classes { parents: (0..graph.len()).collect(), values, pending: Vec::new() }
    }

    /// The representative of a node.
    pub(super) fn class(&self, mut node: usize) -> usize {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    /// Adds an equation; `close` draws the conclusions.
    pub(super) fn equate(&mut self, a: usize, b: usize) {
        self.pending.push((a, b));
    }

    /// Whether two classes certainly differ, because of their values.
    pub(super) fn differ(&self, graph: &TermGraph, a: usize, b: usize) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        let (Some(x), Some(y)) = (self.values[a], self.values[b]) else { return false };
        a != b
            && match (&graph.shapes[x], &graph.shapes[y]) {
                (Shape::Constant, Shape::Constant) => true,
                (Shape::Constructor(f, _), Shape::Constructor(g, _)) => f != g,
                _ => false,
            }
    }

    /// Draws all conclusions: congruence, injectivity, and that no value is a part of itself.
    pub(super) fn close(&mut self, graph: &TermGraph) -> Result<(), Contradiction> {
        loop {
            while let Some((a, b)) = self.pending.pop() {
                self.merge(graph, a, b)?;
            }
            let mut seen: HashMap<(FunId, Vec<usize>), usize> = HashMap::new();
            for (node, shape) in graph.shapes.iter().enumerate() {
                let (Shape::Function(fun, args) | Shape::Constructor(fun, args)) = shape else {
                    continue;
                };
                let args = args.iter().map(|it| self.class(*it)).collect();
                let first = *seen.entry((*fun, args)).or_insert(node);
                if self.class(first) != self.class(node) {
                    self.pending.push((first, node));
                }
            }
            if self.pending.is_empty() {
                return if self.is_cyclic(graph) { Err(Contradiction) } else { Ok(()) };
            }
        }
    }

    fn merge(&mut self, graph: &TermGraph, a: usize, b: usize) -> Result<(), Contradiction> {
        let (a, b) = (self.class(a), self.class(b));
        if a == b {
            return Ok(());
        }
        // The least node represents its class, whatever the order of the equations.
        let (kept, gone) = (a.min(b), a.max(b));
        self.parents[gone] = kept;
        match (self.values[kept], self.values[gone]) {
            (Some(x), Some(y)) => match (&graph.shapes[x], &graph.shapes[y]) {
                (Shape::Constructor(f, xs), Shape::Constructor(g, ys)) if f == g => {
                    self.pending.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                // Equal constants are the same term, so two of them in different classes
                // differ.
                _ => return Err(Contradiction),
            },
            (None, value) => self.values[kept] = value,
            (Some(_), None) => {}
        }
        Ok(())
    }

    /// Whether a class is a proper part of itself.
    fn is_cyclic(&self, graph: &TermGraph) -> bool {
        // 0: not visited; 1: on the path; 2: done.
        let mut states = vec![0u8; graph.len()];
        for start in 0..graph.len() {
            let mut stack = vec![(self.class(start), 0usize)];
            while let Some((class, next)) = stack.pop() {
                if next == 0 {
                    match states[class] {
                        1 => return true,
                        2 => continue,
                        _ => states[class] = 1,
                    }
                }
                let args: &[usize] = match self.values[class].map(|it| &graph.shapes[it]) {
                    Some(Shape::Constructor(_, args)) => args,
                    _ => &[],
                };
                match args.get(next) {
                    Some(arg) => {
                        stack.push((class, next + 1));
                        stack.push((self.class(*arg), 0));
                    }
                    None => states[class] = 2,
                }
            }
        }
        false
    }
}
