//! Generated functions: lookup tables that grow as the functions are called.

use gainsay_vm::{Value, order};

/// The functions of one case.
#[derive(Debug, Default)]
pub(crate) struct GeneratedFunctions {
    tables: Vec<AnswerTable>,
}

/// The arguments and results of a function, in call order.
pub(crate) type AnswerTable = Vec<(Value, Value)>;

impl GeneratedFunctions {
    pub(crate) fn clear(&mut self) {
        self.tables.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Adds a function and returns its number.
    pub(crate) fn add(&mut self) -> i64 {
        self.tables.push(AnswerTable::new());
        self.tables.len() as i64 - 1
    }

    /// The result that a function returned for an argument before.
    pub(crate) fn find(&self, function: i64, argument: &Value) -> Option<&Value> {
        let table = self.table(function)?;
        let entry = table.iter().find(|(entry, _)| order(entry, argument).is_eq());
        entry.map(|(_, answer)| answer)
    }

    pub(crate) fn remember(&mut self, function: i64, argument: Value, answer: Value) {
        let table = usize::try_from(function).ok().and_then(|at| self.tables.get_mut(at));
        if let Some(table) = table {
            table.push((argument, answer));
        }
    }

    /// All recorded calls of a function.
    pub(crate) fn table(&self, function: i64) -> Option<&AnswerTable> {
        self.tables.get(usize::try_from(function).ok()?)
    }
}
