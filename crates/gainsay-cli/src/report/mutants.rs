//! What came of mutants, in the formats that programs read.
