//! Values by the spans they are in, for replaying a case into a shape that may differ.
//!
//! Opening a span selects the next recorded span with the same label inside the current one; a draw
//! takes the next value that belongs directly to the current span. What the recorded case lacks is
//! drawn as simple as possible, and what it has in excess is ignored. So the address of a draw is
//! its path of labels and ordinals, independent of everything before it.

use std::iter::Peekable;
use std::ops::Range;

use crate::case::{Choice, ChoiceSpan};
use crate::kind::ChoiceClass;
use crate::span_label::SpanLabel;

/// No node, group or draw.
const NONE: u32 = u32::MAX;

/// A recorded case as a tree that is consumed while it guides. Linked lists in flat arrays, so that
/// the buffers can be reused.
#[derive(Debug, Default)]
pub(crate) struct SpanGuide {
    nodes: Vec<GuideNode>,
    groups: Vec<GuideGroup>,
    draws: Vec<GuideDraw>,
    /// The open spans: a node, or [`NONE`] where the recorded case has no such span.
    stack: Vec<u32>,
}

/// One span of the recorded case.
#[derive(Debug, Clone, Copy)]
struct GuideNode {
    order: u32,
    next_same: u32,
    first_group: u32,
    first_draw: u32,
    last_draw: u32,
}

/// The spans with one label inside one span; the head is the next to be entered.
#[derive(Debug, Clone, Copy)]
struct GuideGroup {
    label: SpanLabel,
    head: u32,
    tail: u32,
    next_group: u32,
}

#[derive(Debug, Clone, Copy)]
struct GuideDraw {
    /// `None` where only later values of a span are known.
    choice: Option<Choice>,
    order: u32,
    next: u32,
}

/// A recorded span that is open while the tree is built.
#[derive(Debug, Clone, Copy)]
struct OpenGuideSpan {
    node: u32,
    end: u32,
    span: Option<u32>,
}

/// Modifications of a recorded case.
#[derive(Debug, Copy, Clone, Default)]
pub(crate) struct SpanOverrides {
    /// A span to empty, except for the "one more?" answer that introduces it.
    pub(crate) blank: Option<usize>,
    /// A span and the part of it that takes its place.
    pub(crate) hoisted: Option<(usize, usize)>,
}

/// The span around everything.
const ROOT: u32 = 0;

impl SpanGuide {
    /// Resets the tree to its root.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.groups.clear();
        self.draws.clear();
        self.stack.clear();
        self.stack.push(ROOT);
        self.push_node(0);
    }

    fn push_node(&mut self, order: u32) {
        self.nodes.push(GuideNode {
            order,
            next_same: NONE,
            first_group: NONE,
            first_draw: NONE,
            last_draw: NONE,
        });
    }

    /// Builds the tree of a recorded case, without the choices in `cuts`, which are sorted and
    /// disjoint, and without the spans inside one of them.
    pub(crate) fn build(
        &mut self,
        choices: &[Choice],
        spans: &[ChoiceSpan],
        cuts: &[Range<usize>],
        special: SpanOverrides,
    ) {
        self.clear();
        // The spans from the outer one up to the inner one, exclusive, get no nodes: the inner one
        // then takes the place of the outer one.
        let opened = special.hoisted.map_or(0..0, |it| it.0 as u32..it.1 as u32);
        let blank = special.blank.and_then(|at| {
            let mut range = spans.get(at)?.range();
            let opens = choices
                .get(range.start)
                .is_some_and(|it| it.class() == ChoiceClass::MoreElements);
            // Skip the "one more?" answer of an element, which must survive.
            range.start += usize::from(opens && !range.is_empty());
            Some((at as u32, range))
        });
        let mut open = vec![OpenGuideSpan { node: ROOT, end: NONE, span: None }];
        let mut spans = (0..).zip(spans).peekable();
        let mut cuts = cuts.iter().peekable();
        for (at, choice) in choices.iter().enumerate() {
            while cuts.next_if(|it| it.end <= at).is_some() {}
            let cut = cuts.peek().filter(|it| it.start <= at).copied();
            let is_blank = blank.as_ref().is_some_and(|it| it.1.contains(&at));
            let hidden = match &blank {
                Some((_, range)) if is_blank => Some(range),
                Some(_) | None => cut,
            };
            let keep = blank.as_ref().map_or(NONE, |it| it.0);
            self.open_spans(&mut open, &mut spans, at as u32, |number, span| {
                // A span that reaches beyond the cut survives with what is left of it.
                let is_hidden = hidden.is_some_and(|it| span.end as usize <= it.end);
                opened.contains(&number) || (is_hidden && number != keep)
            });
            if hidden.is_none() {
                let node = open.last().map_or(ROOT, |it| it.node);
                self.add_draw(node, Some(*choice), at as u32);
            }
        }
    }

    /// Opens the spans that start at a choice, after closing those that end before it.
    fn open_spans<'a>(
        &mut self,
        open: &mut Vec<OpenGuideSpan>,
        spans: &mut Peekable<impl Iterator<Item = (u32, &'a ChoiceSpan)>>,
        at: u32,
        is_hidden: impl Fn(u32, &ChoiceSpan) -> bool,
    ) {
        while open.len() > 1 && open.last().is_some_and(|it| it.end <= at) {
            open.pop();
        }
        while let Some((number, span)) = spans.next_if(|it| it.1.start <= at) {
            let Some(around) = open.last().copied().filter(|_| !is_hidden(number, span)) else {
                continue;
            };
            if span.end > at {
                let node = self.add_node(around.node, span.label, at);
                open.push(OpenGuideSpan { node, end: span.end, span: Some(number) });
            } else if around.span == span.parent {
                // Empty, but it counts among those with its label.
                self.add_node(around.node, span.label, at);
            }
        }
    }

    /// Adds a span inside another, after those with its label. The order relates spans to values.
    pub(crate) fn add_node(&mut self, parent: u32, label: SpanLabel, order: u32) -> u32 {
        let node = self.nodes.len() as u32;
        self.push_node(order);
        match self.group(parent, label) {
            Some(group) => {
                let tail = std::mem::replace(&mut self.groups[group].tail, node);
                self.nodes[tail as usize].next_same = node;
            }
            // Groups are prepended: their order does not matter, because they are looked up by
            // label.
            None => {
                let next_group = self.nodes[parent as usize].first_group;
                self.nodes[parent as usize].first_group = self.groups.len() as u32;
                self.groups.push(GuideGroup { label, head: node, tail: node, next_group });
            }
        }
        node
    }

    /// Adds a value that belongs directly to a span.
    pub(crate) fn add_draw(&mut self, node: u32, choice: Option<Choice>, order: u32) {
        let draw = self.draws.len() as u32;
        self.draws.push(GuideDraw { choice, order, next: NONE });
        let node = &mut self.nodes[node as usize];
        if node.first_draw == NONE {
            node.first_draw = draw;
        } else {
            self.draws[node.last_draw as usize].next = draw;
        }
        node.last_draw = draw;
    }

    fn group(&self, node: u32, label: SpanLabel) -> Option<usize> {
        let mut at = self.nodes[node as usize].first_group;
        while at != NONE {
            let group = &self.groups[at as usize];
            if group.label == label {
                return Some(at as usize);
            }
            at = group.next_group;
        }
        None
    }

    /// Enters the next span with a label.
    pub(crate) fn enter(&mut self, label: SpanLabel) {
        let current = self.stack.last().copied().unwrap_or(NONE);
        let group = if current == NONE { None } else { self.group(current, label) };
        let child = group.map_or(NONE, |it| {
            let child = self.groups[it].head;
            if child != NONE {
                // Consumed: the next span of this label is the next recorded one.
                self.groups[it].head = self.nodes[child as usize].next_same;
            }
            child
        });
        // Pushed even if there is no such span, so that `leave` always has something to pop.
        self.stack.push(child);
    }

    /// Enters the next element of a list, unless the list ends before it.
    pub(crate) fn enter_element(&mut self, label: SpanLabel) -> bool {
        let current = self.stack.last().copied().unwrap_or(NONE);
        let group = if current == NONE { None } else { self.group(current, label) };
        let child = group.map_or(NONE, |it| self.groups[it].head);
        if child == NONE {
            return false;
        }
        // A "one more?" answer outside the elements that precedes the next element ends the list.
        let answer = self.draws.get(self.nodes[current as usize].first_draw as usize);
        let ends = answer.is_some_and(|it| {
            it.choice.is_some_and(|it| it.class() == ChoiceClass::MoreElements)
                && it.order < self.nodes[child as usize].order
        });
        if !ends {
            self.enter(label);
        }
        !ends
    }

    /// Returns to the enclosing span.
    pub(crate) fn leave(&mut self) {
        self.stack.pop();
    }

    /// The next value of the current span; one of another class stays for a later draw.
    pub(crate) fn next(&mut self, class: ChoiceClass) -> Option<Choice> {
        let current = self.stack.last().copied().filter(|it| *it != NONE)?;
        let at = self.nodes.get(current as usize)?.first_draw;
        let draw = *self.draws.get(at as usize)?;
        // Not consumed: the generator may have gained a draw, after which the old ones follow.
        if draw.choice.is_some_and(|it| it.class() != class) {
            return None;
        }
        self.nodes[current as usize].first_draw = draw.next;
        draw.choice
    }
}
