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
//! ([`Case::to_blob`]) or as lines ([`Case::to_lines`]). [`shrink`] finds the simplest case that
//! fails in the same way, [`explain`] the arguments that do not matter, [`enumerate`] runs all
//! cases of a small domain, and [`climb`] looks for cases that score more.

mod address;
mod bias;
mod blob;
mod case;
mod climb;
mod edge_case;
mod enumerate;
mod explain;
mod kind;
mod label;
mod mutate;
mod random;
mod shrink;
mod size;
mod source;
mod subject;
mod urn;
mod value;

#[cfg(test)]
mod drawing;
#[cfg(test)]
mod laws;

pub use self::address::{AddressDefect, AddressError, Addressed};
pub use self::blob::BlobError;
pub use self::case::{Binding, Case, Choice, Ending, Span};
pub use self::climb::{Climbed, climb};
pub use self::edge_case::{EdgeCase, EdgeStep};
pub use self::enumerate::{Enumerated, Next, count_cases, enumerate};
pub use self::explain::{Explained, Together, explain};
pub use self::kind::{
    Boolean, Chars, Class, Count, Float, Integer, Kind, KindId, Kinds, More, Pool, Reference,
    Selector,
};
pub use self::label::{Label, Labels};
pub use self::random::{Random, Seed};
pub use self::shrink::{Budget, End, PASSES, Pass, Shrunk, Stage, shrink};
pub use self::size::{MAX_SIZE, size_of};
pub use self::source::{Mark, Part, Source, Stop, Stopped, TextKind};
pub use self::subject::{Identity, Subject, Verdict};
pub use self::urn::Urn;
pub use self::value::{BigId, Rank, Value};
