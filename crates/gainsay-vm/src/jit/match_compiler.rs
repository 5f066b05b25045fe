//! Match compilation: turns the arms of a match into a decision graph.
//!
//! Luc Maranget, "Compiling Pattern Matching to Good Decision Trees" (ML Workshop, 2008). The arms
//! are the rows of a matrix with a column for every *occurrence* (part of the value) that some row
//! still tests. One occurrence is inspected, and for each outcome a smaller matrix remains:
//!
//! ```text
//!   x      y                        x = A:  1 => a      x = other:  _ => b
//!   A      1      => a     ~~>              _ => b
//!   _      _      => b
//! ```
//!
//! Equal matrices share one node, so that the trees share common parts; a path never inspects the
//! same occurrence twice. The graph can still be exponential in the number of arms. Copying a row
//! into several matrices is therefore charged to a budget proportional to the size of the patterns,
//! and a matrix that exceeds it tries its rows one after another instead ([`chain`]).
//!
//! **Invariant:** Walking the graph evaluates the same guards in the same order, and binds the same
//! values, as trying the arms in turn; and no occurrence is read before the tests that guarantee
//! its existence.

mod chain;
mod decision_budget;
mod graph_builder;
mod hash_consing;
mod matrix;
mod matrix_row;
mod tuple_columns;

use std::sync::Arc;

use gainsay_core::{Body, CtorId, LocalId, PatternId, Program};
use num_bigint::BigInt;

use self::graph_builder::DecisionGraphBuilder;
pub(crate) use self::tuple_columns::split_columns;

/// One arm of a match, or one alternative of an arm; these share the arm's index.
#[derive(Debug, Clone)]
pub(crate) struct DecisionRow {
    /// The pattern of each column; `None` matches anything. All rows have the same number of
    /// columns.
    pub(crate) patterns: Vec<Option<PatternId>>,
    /// The arm. The rows of one arm are adjacent.
    pub(crate) arm: usize,
    /// Whether the arm has a guard.
    pub(crate) has_guard: bool,
}

/// What to inspect, in which order, to find the arm of a match.
#[derive(Debug)]
pub(crate) struct DecisionGraph {
    /// Every node precedes its successors, and all but the root have a predecessor.
    pub(crate) nodes: Vec<DecisionNode>,
    /// The start: the first node.
    pub(crate) root: DecisionId,
    /// Every occurrence follows the one it is a part of.
    pub(crate) occurrences: Vec<Occurrence>,
}

/// A node of [`DecisionGraph`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DecisionId(pub(crate) u32);

/// An occurrence of [`DecisionGraph`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OccurrenceId(pub(crate) u32);

impl DecisionId {
    /// The id as an index into the nodes.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl OccurrenceId {
    /// The id as an index into the occurrences.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step toward an arm. A node with several parents is reached with different knowledge: only the
/// occurrences in its own tests and bindings are guaranteed to exist there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum DecisionNode {
    /// The arm matches.
    Arm {
        /// The arm.
        arm: usize,
        /// The locals to bind before its guard and body, in ascending order, except those that a
        /// preceding [`DecisionNode::Bind`] has bound.
        bindings: OccurrenceBindings,
        /// The continuation if the guard does not hold; `None` for an arm without a guard.
        otherwise: Option<DecisionId>,
    },
    /// Branches on an occurrence.
    Switch {
        /// The occurrence.
        occurrence: OccurrenceId,
        /// The successor for each outcome; the tests are mutually exclusive, of one kind, and at
        /// least one.
        cases: Box<[(OccurrenceTest, DecisionId)]>,
        /// The successor for all other values; `None` if there are none, so that the last case
        /// needs no test.
        default: Option<DecisionId>,
    },
    /// Binds locals of an arm that may yet turn out not to match.
    Bind {
        /// The locals, in ascending order.
        bindings: OccurrenceBindings,
        /// The successor.
        next: DecisionId,
    },
    /// Nothing matches; only in programs with errors.
    Fail,
}

/// Locals with the occurrences of their values.
pub(crate) type OccurrenceBindings = Box<[(LocalId, OccurrenceId)]>;

/// A part of the matched value.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Occurrence {
    /// The value itself, or one of several that are matched together.
    Column(u32),
    /// A field of a tuple or of a constructor.
    Field {
        /// The aggregate.
        of: OccurrenceId,
        /// The field index.
        index: u32,
    },
    /// The first element of a list.
    Head(OccurrenceId),
    /// The list without its first element.
    Tail(OccurrenceId),
}

/// A test of one occurrence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum OccurrenceTest {
    /// Whether it has the constructor.
    Ctor(CtorId),
    /// Whether it is the boolean.
    Bool(bool),
    /// Whether it is the integer.
    Int(i64),
    /// Whether it is the integer, which is outside the range of `i64`.
    Big(Arc<BigInt>),
    /// Whether it equals the float with these bits by IEEE 754: zero stands for both zeros, and NaN
    /// does not occur.
    Float(u64),
    /// Whether it is the character.
    Char(char),
    /// Whether it is the text.
    Str(Arc<str>),
    /// Whether it is the empty list.
    Nil,
    /// Whether it is a non-empty list.
    Cons,
}

/// Compiles rows to a decision graph.
pub(crate) fn compile_match(
    program: &Program,
    body: &Body,
    rows: &[DecisionRow],
) -> DecisionGraph {
    DecisionGraphBuilder::new(program, body, rows).build(rows, None)
}

impl DecisionGraph {
    /// A node.
    pub(crate) fn node(&self, id: DecisionId) -> &DecisionNode {
        &self.nodes[id.index()]
    }

    /// An occurrence.
    pub(crate) fn occurrence(&self, id: OccurrenceId) -> Occurrence {
        self.occurrences[id.index()]
    }

    /// How many edges lead to each node.
    pub(crate) fn n_parents(&self) -> Vec<u32> {
        let mut counts = vec![0; self.nodes.len()];
        for node in &self.nodes {
            node.for_each_successor(|next| counts[next.index()] += 1);
        }
        counts
    }
}

impl DecisionNode {
    /// Calls a function with every successor.
    pub(crate) fn for_each_successor(&self, mut visit: impl FnMut(DecisionId)) {
        match self {
            Self::Arm { otherwise, .. } => otherwise.iter().copied().for_each(visit),
            Self::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, next)| visit(*next));
                default.iter().copied().for_each(visit);
            }
            Self::Bind { next, .. } => visit(*next),
            Self::Fail => {}
        }
    }
}

#[cfg(test)]
mod tests;
