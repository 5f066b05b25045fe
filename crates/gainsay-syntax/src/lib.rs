//! Text to tokens to a lossless tree, typed views of it, and the formatter.
//!
//! **Invariant:** Parsing never fails: broken text gives a tree with holes and a list of errors.
