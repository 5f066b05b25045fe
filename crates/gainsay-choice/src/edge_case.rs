//! Edge cases: cases in which one input is at an edge of its type, and all others are drawn by
//! chance. Whoever knows the types says what is to be drawn, in steps; see [`EdgeCase`].

use num_bigint::BigInt;

use crate::kind::ChoiceClass;

/// What is to be drawn in one case. The steps are followed in order, and each waits until
/// something is drawn that it is about; everything else, and everything after the last step, is
/// drawn by chance. So a step that does not fit does no harm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeCase {
    /// What is to be drawn.
    pub steps: Vec<EdgeStep>,
}

/// One step of an edge case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeStep {
    /// Nothing until the input with this number begins.
    AwaitInput(u32),
    /// The next draw of a class goes by chance.
    Skip(ChoiceClass),
    /// The next draw of a class gives this value, if its kind permits it. The value is as in
    /// [`crate::ChoiceValue`]: a float is its bits, a truth value 0 or 1.
    Take(ChoiceClass, BigInt),
    /// The next text goes by chance.
    SkipText,
    /// The next text is this one, as far as its kind permits.
    Text(Box<str>),
}
