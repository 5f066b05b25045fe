//! The spans of a case as a forest.

use crate::case::Trail;

/// For every span its children, in order.
#[derive(Debug)]
pub(super) struct Forest {
    roots: Vec<u32>,
    children: Vec<Vec<u32>>,
}

impl Forest {
    pub(super) fn of(trail: &Trail) -> Self {
        let mut forest =
            Forest { roots: Vec::new(), children: vec![Vec::new(); trail.spans.len()] };
        for (at, span) in (0..).zip(&trail.spans) {
            match span.parent {
                Some(parent) => forest.children[parent as usize].push(at),
                None => forest.roots.push(at),
            }
        }
        forest
    }

    /// The children of a span, or the spans without a parent.
    pub(super) fn children(&self, parent: Option<usize>) -> &[u32] {
        match parent {
            None => &self.roots,
            Some(parent) => self.children.get(parent).map_or(&[], Vec::as_slice),
        }
    }
}
