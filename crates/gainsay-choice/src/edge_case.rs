//! Edge cases: cases in which one input is at an edge of its type and all others are random. Code
//! that knows the types lists the edge values as steps; see [`EdgeCase`].

use num_bigint::BigInt;

use crate::kind::ChoiceClass;

/// What to draw in one case. Steps are consumed in order, and each waits for a draw that it applies
/// to; all other draws, and all after the last step, are random. So a step that never applies does
/// no harm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeCase {
    /// The steps, in order.
    pub steps: Vec<EdgeStep>,
}

/// One step of an edge case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeStep {
    /// Wait until the input with this index begins.
    AwaitInput(u32),
    /// The next draw of a class is random.
    Skip(ChoiceClass),
    /// The next draw of a class gives this value if its kind permits it. Values are encoded as in
    /// [`crate::ChoiceValue`]: a float as its bits, a boolean as 0 or 1.
    Take(ChoiceClass, BigInt),
    /// The next text is random.
    SkipText,
    /// The next text is this one, as far as its kind permits.
    Text(Box<str>),
}
