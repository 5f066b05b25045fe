//! Pattern matching, decided: the arms of a match become a graph of tests.
//!
//! Luc Maranget, "Compiling Pattern Matching to Good Decision Trees" (ML Workshop, 2008). The
//! arms are the lines of a matrix with a column for every *place* of the value that some line
//! still asks about. One place is looked at, and for each answer a smaller matrix remains:
//!
//! ```text
//!   x      y                        x = A:  1 => a      x = other:  _ => b
//!   A      1      => a     ~~>              _ => b
//!   _      _      => b
//! ```
//!
//! Equal matrices are one node, so that the trees share what they have in common; a path never
//! looks at the same place twice. That can still take space exponential in the number of arms.
//! Copying a line into several matrices is therefore paid from a budget in proportion to the
//! size of the patterns, and a matrix for which it does not suffice tries its lines one after
//! another instead ([`chain`]).
//!
//! **Invariant:** Walking the graph evaluates the same guards in the same order, and binds the
//! same values, as trying the arms in turn; and no place is read before the tests that make
//! sure it exists.

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

/// One arm of a match, or one of several with the same number for alternatives of an arm.
#[derive(Debug, Clone)]
pub(crate) struct DecisionRow {
    /// What each column must look like; `None` for anything. All rows have as many columns.
    pub(crate) patterns: Vec<Option<PatternId>>,
    /// The arm. The rows of one arm are adjacent.
    pub(crate) arm: usize,
    /// Whether something must hold besides.
    pub(crate) has_guard: bool,
}

/// What to look at, in which order, to find the arm of a match.
#[derive(Debug)]
pub(crate) struct DecisionGraph {
    /// Every node comes before those it leads to, and each is led to but the root.
    pub(crate) nodes: Vec<DecisionNode>,
    /// Where to begin: the first node.
    pub(crate) root: DecisionId,
    /// Every place comes after the one it is a part of.
    pub(crate) occurrences: Vec<Occurrence>,
}

/// A node of [`DecisionGraph`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DecisionId(pub(crate) u32);

/// A place of [`DecisionGraph`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OccurrenceId(pub(crate) u32);

impl DecisionId {
    /// The id as an index into the nodes.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl OccurrenceId {
    /// The id as an index into the places.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step on the way to an arm. A node with several parents is reached with different
/// knowledge: only what its own tests and bindings name is sure to exist there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum DecisionNode {
    /// The arm matches.
    Arm {
        /// The arm.
        arm: usize,
        /// The locals to bind before its guard and body, in ascending order; those that a
        /// [`DecisionNode::Bind`] on the way has bound are not among them.
        bindings: OccurrenceBindings,
        /// Where to go on when the guard does not hold; `None` for an arm without a guard.
        otherwise: Option<DecisionId>,
    },
    /// A place decides where to go on.
    Switch {
        /// The place.
        occurrence: OccurrenceId,
        /// Where each answer leads; no two tests hold for one value. The tests are of one
        /// kind, and there is at least one.
        cases: Box<[(OccurrenceTest, DecisionId)]>,
        /// Where everything else leads; `None` if there is nothing else, so that the last
        /// case needs no test.
        default: Option<DecisionId>,
    },
    /// Binds locals of an arm that may yet turn out not to match.
    Bind {
        /// The locals, in ascending order.
        bindings: OccurrenceBindings,
        /// Where to go on.
        next: DecisionId,
    },
    /// Nothing matches; only in programs with errors.
    Fail,
}

/// Locals with the places of their values.
pub(crate) type OccurrenceBindings = Box<[(LocalId, OccurrenceId)]>;

/// A part of the value that is matched.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Occurrence {
    /// The value itself, or one of several that are matched together.
    Column(u32),
    /// A field of a tuple or of a constructor.
    Field {
        /// The whole.
        of: OccurrenceId,
        /// Which field.
        index: u32,
    },
    /// The first element of a list.
    Head(OccurrenceId),
    /// The list without its first element.
    Tail(OccurrenceId),
}

/// A question about one place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum OccurrenceTest {
    /// Whether it is made by the constructor.
    Ctor(CtorId),
    /// Whether it is the truth value.
    Bool(bool),
    /// Whether it is the integer.
    Int(i64),
    /// Whether it is the integer, which is outside the range of `Int`.
    Big(Arc<BigInt>),
    /// Whether it equals the float with these bits as IEEE says: zero stands for both zeros,
    /// and NaN does not occur.
    Float(u64),
    /// Whether it is the character.
    Char(char),
    /// Whether it is the text.
    Str(Arc<str>),
    /// Whether it is the empty list.
    Nil,
    /// Whether it is a list with a first element.
    Cons,
}

/// Decides between the rows.
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

    /// A place.
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
    /// Calls a function with every node this one leads to.
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
