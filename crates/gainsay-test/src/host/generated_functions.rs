//! Generated functions: tables that grow as they are asked.

use gainsay_vm::{Value, order};

/// The functions of one case.
#[derive(Debug, Default)]
pub(crate) struct GeneratedFunctions {
    tables: Vec<AnswerTable>,
}

/// What a function has answered, in the order in which it was asked.
pub(crate) type AnswerTable = Vec<(Value, Value)>;

impl GeneratedFunctions {
    pub(crate) fn clear(&mut self) {
        self.tables.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// A new function; its number.
    pub(crate) fn add(&mut self) -> i64 {
        self.tables.push(AnswerTable::new());
        self.tables.len() as i64 - 1
    }

    /// What a function answered before.
    pub(crate) fn find(&self, function: i64, argument: &Value) -> Option<&Value> {
        let table = self.table(function)?;
        let known = table.iter().find(|(known, _)| order(known, argument).is_eq());
        known.map(|(_, answer)| answer)
    }

    pub(crate) fn remember(&mut self, function: i64, argument: Value, answer: Value) {
        let table = usize::try_from(function).ok().and_then(|at| self.tables.get_mut(at));
        if let Some(table) = table {
            table.push((argument, answer));
        }
    }

    /// All that a function has answered.
    pub(crate) fn table(&self, function: i64) -> Option<&AnswerTable> {
        self.tables.get(usize::try_from(function).ok()?)
    }
}
