//! Span labels: interned names of spans.

use std::collections::HashMap;

/// The name of a span: a parameter, field, constructor, rule or element. Two spans with the same
/// label are made by the same part of a generator.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpanLabel(pub u32);

/// All labels in use, with their names.
#[derive(Debug, Clone, Default)]
pub struct SpanLabels {
    names: Vec<String>,
    ids: HashMap<String, SpanLabel>,
}

impl SpanLabels {
    /// An empty table.
    pub fn new() -> Self {
        SpanLabels::default()
    }

    /// The label of a name; equal names have equal labels.
    pub fn intern(&mut self, name: &str) -> SpanLabel {
        if let Some(label) = self.ids.get(name) {
            return *label;
        }
        let label = SpanLabel(u32::try_from(self.names.len()).expect("fewer than 2^32 names"));
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), label);
        label
    }

    /// The name of a label, if the label is from this table.
    pub fn name(&self, label: SpanLabel) -> Option<&str> {
        self.names.get(label.0 as usize).map(String::as_str)
    }
}
