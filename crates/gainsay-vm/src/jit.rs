//! The compiling engine.

mod decide;
