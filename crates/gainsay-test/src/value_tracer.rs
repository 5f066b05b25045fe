//! The value tracing hook: who receives the values that pass through the traced terms of a program.

use std::cell::RefCell;
use std::rc::Rc;

use gainsay_vm::Value;

/// Receives the values of traced terms, by the number of each term.
pub trait ValueTracer {
    /// Whether the next value of a term is not wanted. Compiled code asks before it hands over a
    /// value, which costs far more than the question.
    fn skips_next(&mut self, number: i64) -> bool;

    /// A traced term has this value.
    fn record(&mut self, number: i64, value: &Value);
}

/// A tracer that the caller reads while a host writes to it, on one thread.
pub type SharedTracer = Rc<RefCell<dyn ValueTracer>>;
