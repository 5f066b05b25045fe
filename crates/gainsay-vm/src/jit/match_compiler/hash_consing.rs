//! Hash-consing of the finished graph: equal nodes are shared, and tests without effect removed.

use std::collections::{BTreeMap, HashMap};

use super::{DecisionGraph, DecisionId, DecisionNode, Occurrence, OccurrenceTest};

/// Rebuilds the graph reachable from a root, with every node before its successors.
pub(super) fn hash_cons(
    drafts: &[DecisionNode],
    root: DecisionId,
    places: Vec<Occurrence>,
) -> DecisionGraph {
    let mut sharing = NodeInterner { nodes: Vec::new(), ids: HashMap::new() };
    let mut finished: Vec<Option<DecisionId>> = vec![None; drafts.len()];
    // Depth-first with an explicit stack: a node is interned after all its successors.
    let mut pending = vec![(root, GraphVisit::Enter)];
    while let Some((draft, visit)) = pending.pop() {
        // A node with several parents is visited once.
        if finished[draft.index()].is_some() {
            continue;
        }
        match visit {
            GraphVisit::Enter => {
                pending.push((draft, GraphVisit::Leave));
                let enter = |next: DecisionId| pending.push((next, GraphVisit::Enter));
                drafts[draft.index()].for_each_successor(enter);
            }
            GraphVisit::Leave => {
                let node = drafts[draft.index()].with_renamed_ids(|next| {
                    finished[next.index()].expect("what a node leads to is left before it")
                });
                finished[draft.index()] = Some(sharing.add(node));
            }
        }
    }
    // Nodes were interned from the leaves up, the root last; reverse them.
    let n_nodes = sharing.nodes.len() as u32;
    let from_root = |id: DecisionId| DecisionId(n_nodes - 1 - id.0);
    let nodes =
        sharing.nodes.iter().rev().map(|node| node.with_renamed_ids(from_root)).collect();
    DecisionGraph { nodes, root: DecisionId(0), occurrences: places }
}

enum GraphVisit {
    Enter,
    Leave,
}

struct NodeInterner {
    nodes: Vec<DecisionNode>,
    ids: HashMap<DecisionNode, DecisionId>,
}

impl NodeInterner {
    fn add(&mut self, node: DecisionNode) -> DecisionId {
        let node = match simplify(node) {
            SimplifiedNode::Same(next) => return next,
            SimplifiedNode::Node(node) => node,
        };
        // Successors are interned already, so equal ids mean equal subgraphs.
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = DecisionId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }
}

enum SimplifiedNode {
    /// All outcomes lead to one node.
    Same(DecisionId),
    Node(DecisionNode),
}

/// Removes tests that have no effect.
fn simplify(node: DecisionNode) -> SimplifiedNode {
    match node {
        DecisionNode::Switch { occurrence: place, cases, default } => {
            // Without a default, the most common successor becomes it: each case that shares it
            // saves a test.
            let default = default.or_else(|| most_common(&cases));
            let differs = |(_, next): &(OccurrenceTest, DecisionId)| Some(*next) != default;
            let cases: Box<[_]> = cases.into_iter().filter(differs).collect();
            match default {
                Some(next) if cases.is_empty() => SimplifiedNode::Same(next),
                Some(_) | None => SimplifiedNode::Node(DecisionNode::Switch {
                    occurrence: place,
                    cases,
                    default,
                }),
            }
        }
        DecisionNode::Arm { .. } | DecisionNode::Bind { .. } | DecisionNode::Fail => {
            SimplifiedNode::Node(node)
        }
    }
}

/// The most common successor of the cases, if any two share one.
fn most_common(cases: &[(OccurrenceTest, DecisionId)]) -> Option<DecisionId> {
    let mut counts: BTreeMap<DecisionId, usize> = BTreeMap::new();
    for (_, next) in cases {
        *counts.entry(*next).or_default() += 1;
    }
    // In order of ids, so that ties are broken the same way in every run.
    let (next, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1 || cases.len() == 1).then_some(next)
}

impl DecisionNode {
    fn with_renamed_ids(&self, name: impl Fn(DecisionId) -> DecisionId) -> Self {
        match self {
            Self::Arm { arm, bindings, otherwise } => Self::Arm {
                arm: *arm,
                bindings: bindings.clone(),
                otherwise: otherwise.map(name),
            },
            Self::Switch { occurrence: place, cases, default } => Self::Switch {
                occurrence: *place,
                cases: cases.iter().map(|(test, next)| (test.clone(), name(*next))).collect(),
                default: default.map(name),
            },
            Self::Bind { bindings, next } => {
                Self::Bind { bindings: bindings.clone(), next: name(*next) }
            }
            Self::Fail => Self::Fail,
        }
    }
}
