//! The inputs of one case: those it draws, and those given in place of drawing. A nested `across`,
//! or one in a function that is called several times, may draw the same input more than once.

use std::collections::BTreeMap;

use gainsay_vm::Value;

/// The inputs of one case.
#[derive(Debug, Default)]
pub(crate) struct CaseInputs {
    /// The values in drawing order, each with the number of its binder.
    drawn: Vec<(u32, Value)>,
    /// Values that replace draws, by binder, one for each draw.
    given: BTreeMap<u32, Vec<Value>>,
    /// How many of these the case has used.
    n_used: BTreeMap<u32, usize>,
}

impl CaseInputs {
    /// Clears what the last case drew, but not what is given.
    pub(crate) fn begin(&mut self) {
        self.drawn.clear();
        self.n_used.clear();
    }

    /// Records an input that was drawn.
    pub(crate) fn record(&mut self, binder: u32, value: Value) {
        self.drawn.push((binder, value));
    }

    /// The inputs in drawing order, each with the number of its binder.
    pub(crate) fn drawn(&self) -> &[(u32, Value)] {
        &self.drawn
    }

    /// The first value of an input.
    pub(crate) fn first(&self, binder: u32) -> Option<&Value> {
        self.drawn.iter().find(|it| it.0 == binder).map(|it| &it.1)
    }

    /// Sets the given inputs of the cases that follow.
    pub(crate) fn give(&mut self, given: BTreeMap<u32, Vec<Value>>) {
        self.given = given;
    }

    /// The given values of the input whose first one satisfies a condition.
    pub(crate) fn given_where(&self, is_it: impl Fn(&Value) -> bool) -> &[Value] {
        let found = self.given.values().find(|it| it.first().is_some_and(&is_it));
        found.map_or(&[], Vec::as_slice)
    }

    /// The given value for the next draw of an input, if any.
    pub(crate) fn next_given(&mut self, binder: u32) -> Option<Value> {
        let values = self.given.get(&binder)?;
        let n_used = self.n_used.entry(binder).or_default();
        let value = values.get(*n_used).cloned();
        *n_used += 1;
        value
    }
}
