//! Names of spans, as numbers.

use std::collections::HashMap;

/// The name of a span: a parameter, field, constructor, rule or element. Two spans with the same
/// name are made by the same part of a generator.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpanLabel(pub u32);

/// All names in use, each with its number.
#[derive(Debug, Clone, Default)]
pub struct SpanLabels {
    names: Vec<String>,
    ids: HashMap<String, SpanLabel>,
}

impl SpanLabels {
    /// No names yet.
    pub fn new() -> Self {
        SpanLabels::default()
    }

    /// The label for a name, the same each time.
    pub fn intern(&mut self, name: &str) -> SpanLabel {
        if let Some(label) = self.ids.get(name) {
            return *label;
        }
        let label = SpanLabel(u32::try_from(self.names.len()).expect("fewer than 2^32 names"));
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), label);
        label
    }

    /// The name of a label; labels of other tables have none.
    pub fn name(&self, label: SpanLabel) -> Option<&str> {
        self.names.get(label.0 as usize).map(String::as_str)
    }
}
