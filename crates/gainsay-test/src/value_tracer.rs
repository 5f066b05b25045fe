//! The value tracing hook: receives the values that pass through the traced terms of a program.

use std::cell::RefCell;
use std::rc::Rc;

use gainsay_vm::Value;

/// Receives the values of traced terms, by the number of each term.
pub trait ValueTracer {
    /// Whether to skip the next value of a term. Compiled code calls this before it hands over a
    /// value, which costs far more than the call.
    fn skips_next(&mut self, number: i64) -> bool;

    /// Records a value of a traced term.
    fn record(&mut self, number: i64, value: &Value);
}

/// A tracer that the caller reads while a host writes to it, on one thread.
pub type SharedTracer = Rc<RefCell<dyn ValueTracer>>;
