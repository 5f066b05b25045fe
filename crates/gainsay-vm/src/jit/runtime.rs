//! What compiled code calls.
