//! Choices: how they are drawn, recorded, replayed, shrunk and kept. This crate knows choices,
//! spans and something to run; it knows nothing of the language whose values are made of them.
//!
//! **Invariants:** a search and a recording of the same seed draw the same. What is adopted while
//! shrinking was drawn by the generator itself, fails with the same identity, and is simpler than
//! what it replaces. Nothing is random but what a seed gives.
//!
//! A generator draws from a [`Source`], and opens a span around each of its parts. A search keeps
//! nothing of it, so that a case that passes costs no more than its own draws. A case that fails
//! is run again from its [`Seed`] and recorded, as a [`Case`]: the choices in order, each with its
//! kind, and the spans they were made in. A case can be replayed, by position or by the names of
//! its spans ([`Source::replay_guided`], [`Source::replay_addressed`]); it can be kept as one word
//! ([`Case::to_replay_token`]) or as lines ([`Case::to_lines`]). [`shrink`] finds the simplest case that
//! fails in the same way, [`explain`] the arguments that do not matter, [`enumerate`] runs all
//! cases of a small domain, and [`hill_climb`] looks for cases that score more.

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
