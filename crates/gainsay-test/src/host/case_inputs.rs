//! The inputs of one case. An `across` inside of another, or in a function that is called several
//! times, may draw the same input more than once.

use std::collections::BTreeMap;

use gainsay_vm::Value;

/// The inputs of one case.
#[derive(Debug, Default)]
pub(crate) struct CaseInputs {
    /// The values in the order in which they were drawn, each with the number of its binder.
    drawn: Vec<(u32, Value)>,
    /// Values that stand in for what would be drawn, by binder, each for one time it is drawn.
    given: BTreeMap<u32, Vec<Value>>,
    /// How many of these were used in this case.
    n_used: BTreeMap<u32, usize>,
}

impl CaseInputs {
    /// Forgets what the last case drew, but not what is given.
    pub(crate) fn begin(&mut self) {
        self.drawn.clear();
        self.n_used.clear();
    }

    /// An input was drawn.
    pub(crate) fn record(&mut self, binder: u32, value: Value) {
        self.drawn.push((binder, value));
    }

    /// The inputs, each with the number of its binder, in the order in which they were drawn.
    pub(crate) fn drawn(&self) -> &[(u32, Value)] {
        &self.drawn
    }

    /// The first value of an input.
    pub(crate) fn first(&self, binder: u32) -> Option<&Value> {
        self.drawn.iter().find(|it| it.0 == binder).map(|it| &it.1)
    }

    /// Gives the inputs of the next cases.
    pub(crate) fn give(&mut self, given: BTreeMap<u32, Vec<Value>>) {
        self.given = given;
    }

    /// The value of an input that is about to be drawn, if one is given.
    pub(crate) fn next_given(&mut self, binder: u32) -> Option<Value> {
        let values = self.given.get(&binder)?;
        let n_used = self.n_used.entry(binder).or_default();
        let value = values.get(*n_used).cloned();
        *n_used += 1;
        value
    }
}
