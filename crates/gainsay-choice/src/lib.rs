//! Choices: drawing, recording, replaying, shrinking and saving them. This crate knows choices,
//! spans and a subject to run; it knows nothing about the language whose values are built from
//! them.
//!
//! **Invariants:** searching and recording the same seed draw the same values. A case adopted while
//! shrinking was drawn by the generator itself, fails with the same identity, and is simpler than
//! the one it replaces. All randomness comes from seeds.
//!
//! A generator draws from a [`Source`] and opens a span around each of its parts. A search records
//! nothing, so a passing case costs no more than its own draws. A failing case is run again from
//! its [`Seed`] and recorded as a [`Case`]: the choices in order, each with its kind, and the spans
//! they were made in. A case can be replayed by position or by the labels of its spans
//! ([`Source::replay_guided`], [`Source::replay_addressed`]), and saved as a replay token
//! ([`Case::to_replay_token`]) or as lines ([`Case::to_lines`]). [`shrink`] finds a simpler case
//! that fails in the same way, [`explain`] the arguments that do not matter, [`enumerate`] runs all
//! cases of a small domain, and [`hill_climb`] looks for cases with higher scores.

mod address;
mod bias;
mod case;
mod case_size;
mod edge_case;
mod enumerate;
mod explain;
mod hill_climbing;
mod kind;
mod random;
mod replay_token;
mod shrink;
mod source;
mod span_label;
mod splice;
mod subject;
mod urn;
mod value;

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod test_program;

pub use self::address::{AddressError, AddressErrorKind, AddressedChoices};
pub use self::case::{Case, Choice, ChoiceSpan, SpanEnding, VariableBinding};
pub use self::case_size::{MAX_SIZE, case_size};
pub use self::edge_case::{EdgeCase, EdgeStep};
pub use self::enumerate::{EnumerationControl, EnumerationOutcome, count_cases, enumerate};
pub use self::explain::{ExplanationOutcome, JointVariation, explain};
pub use self::hill_climbing::{HillClimbOutcome, hill_climb};
pub use self::kind::{
    BooleanKind, Cardinality, CharKind, ChoiceClass, FloatKind, IntegerKind, Kind, KindId,
    KindTable, MoreElementsKind, PoolId, ReferenceKind, SelectorKind,
};
pub use self::random::{Random, Seed};
pub use self::replay_token::ReplayTokenError;
pub use self::shrink::{
    Budget, PASSES, PassStage, ShrinkPass, ShrunkCase, TerminationReason, shrink,
};
pub use self::source::{Checkpoint, PartSort, RunStopReason, RunStopped, Source, TextKind};
pub use self::span_label::{SpanLabel, SpanLabels};
pub use self::subject::{FailureIdentity, RunVerdict, Subject};
pub use self::urn::Urn;
pub use self::value::{BigIntId, ChoiceValue, ValueRank};
