//! The finished graph: what is equal is one node, and no test is left that decides nothing.

use std::collections::{BTreeMap, HashMap};

use super::{Decisions, Node, NodeId, Place, Test};

/// The decisions from a root on, with every node before those it leads to.
pub(super) fn share(drafts: &[Node], root: NodeId, places: Vec<Place>) -> Decisions {
    let mut sharing = Sharing { nodes: Vec::new(), known: HashMap::new() };
    let mut finished: Vec<Option<NodeId>> = vec![None; drafts.len()];
    let mut pending = vec![(root, Visit::Enter)];
    while let Some((draft, visit)) = pending.pop() {
        if finished[draft.index()].is_some() {
            continue;
        }
        match visit {
            Visit::Enter => {
                pending.push((draft, Visit::Leave));
                let enter = |next: NodeId| pending.push((next, Visit::Enter));
                drafts[draft.index()].for_each_next(enter);
            }
            Visit::Leave => {
                let node = drafts[draft.index()].renamed(|next| {
                    finished[next.index()].expect("what a node leads to is left before it")
                });
                finished[draft.index()] = Some(sharing.add(node));
            }
        }
    }
    // Nodes were made from the leaves up, the root last.
    let n_nodes = sharing.nodes.len() as u32;
    let from_root = |id: NodeId| NodeId(n_nodes - 1 - id.0);
    let nodes = sharing.nodes.iter().rev().map(|node| node.renamed(from_root)).collect();
    Decisions { nodes, root: NodeId(0), places }
}

enum Visit {
    Enter,
    Leave,
}

struct Sharing {
    nodes: Vec<Node>,
    known: HashMap<Node, NodeId>,
}

impl Sharing {
    fn add(&mut self, node: Node) -> NodeId {
        let node = match simple(node) {
            Simple::Same(next) => return next,
            Simple::Node(node) => node,
        };
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }
}

enum Simple {
    /// All answers lead to one node.
    Same(NodeId),
    Node(Node),
}

/// A node without tests that decide nothing.
fn simple(node: Node) -> Simple {
    match node {
        Node::Switch { place, cases, default } => {
            let default = default.or_else(|| most_common(&cases));
            let differs = |(_, next): &(Test, NodeId)| Some(*next) != default;
            let cases: Box<[_]> = cases.into_iter().filter(differs).collect();
            match default {
                Some(next) if cases.is_empty() => Simple::Same(next),
                Some(_) | None => Simple::Node(Node::Switch { place, cases, default }),
            }
        }
        Node::Arm { .. } | Node::Bind { .. } | Node::Fail => Simple::Node(node),
    }
}

/// Where most of several cases lead, if any two lead to the same node.
fn most_common(cases: &[(Test, NodeId)]) -> Option<NodeId> {
    let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (_, next) in cases {
        *counts.entry(*next).or_default() += 1;
    }
    let (next, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1 || cases.len() == 1).then_some(next)
}

impl Node {
    fn renamed(&self, name: impl Fn(NodeId) -> NodeId) -> Self {
        match self {
            Self::Arm { arm, bindings, otherwise } => Self::Arm {
                arm: *arm,
                bindings: bindings.clone(),
                otherwise: otherwise.map(name),
            },
            Self::Switch { place, cases, default } => Self::Switch {
                place: *place,
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
