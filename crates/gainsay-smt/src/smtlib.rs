//! SMT-LIB 2.6 text, and other solvers that read it.

mod pipe;
mod print;
mod read;
mod sexpr;

pub use pipe::{ExternalAnswer, ExternalSolver};
pub use print::script;
pub use read::{SmtReadError, read_script};
