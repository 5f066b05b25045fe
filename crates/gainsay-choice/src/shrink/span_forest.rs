//! The spans of a case as a forest, and groups of siblings that passes work on.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;
use crate::span_label::SpanLabel;

/// The children of every span, in order.
#[derive(Debug)]
pub(super) struct SpanForest {
    roots: Vec<u32>,
    children: Vec<Vec<u32>>,
}

impl SpanForest {
    pub(super) fn of(trail: &ChoiceSequence) -> Self {
        let mut forest =
            SpanForest { roots: Vec::new(), children: vec![Vec::new(); trail.spans.len()] };
        for (at, span) in (0..).zip(&trail.spans) {
            match span.parent {
                Some(parent) => forest.children[parent as usize].push(at),
                None => forest.roots.push(at),
            }
        }
        forest
    }

    /// The children of a span, or the root spans.
    pub(super) fn children(&self, parent: Option<usize>) -> &[u32] {
        match parent {
            None => &self.roots,
            Some(parent) => self.children.get(parent).map_or(&[], Vec::as_slice),
        }
    }
}

/// Spans with the same label and parent: elements of a list, or operations of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SiblingGroup {
    /// The indices of the spans, in order.
    pub(super) members: Vec<u32>,
}

impl SiblingGroup {
    /// The choices of some members.
    pub(super) fn ranges(
        &self,
        trail: &ChoiceSequence,
        which: Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> {
        self.members[which].iter().map(|it| trail.spans[*it as usize].range())
    }
}

impl SpanForest {
    /// The sibling groups of a case, outer ones first: lists of any length, and other spans of
    /// which there are several.
    pub(super) fn sibling_groups(&self, trail: &ChoiceSequence) -> Vec<SiblingGroup> {
        let mut families = Vec::new();
        for children in std::iter::once(&self.roots).chain(&self.children) {
            // Ordered by label, so that groups come in the same order in every run.
            let mut by_name: BTreeMap<SpanLabel, Vec<u32>> = BTreeMap::new();
            for child in children {
                by_name.entry(trail.spans[*child as usize].label).or_default().push(*child);
            }
            let several = by_name
                .into_values()
                .filter(|it| it.len() > 1 || it.iter().any(|it| is_element(trail, *it)));
            families.extend(several.map(|members| SiblingGroup { members }));
        }
        families
    }
}

// A list of one element is still a list: its element span begins with the draw for "one more".
fn is_element(trail: &ChoiceSequence, span: u32) -> bool {
    let first = trail.choices[trail.spans[span as usize].range()].first();
    first.is_some_and(|it| it.class() == ChoiceClass::MoreElements)
}
