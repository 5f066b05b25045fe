//! Choices: how they are drawn, recorded, replayed, shrunk and kept.

mod case;
mod kind;
mod label;
mod random;
mod shrink;
mod size;
mod source;
mod subject;
mod value;

pub use self::case::{Binding, Case, Choice, Ending, Span};
pub use self::kind::{
    Boolean, Chars, Class, Count, Float, Integer, Kind, KindId, Kinds, More, Pool, Reference,
    Selector,
};
pub use self::label::{Label, Labels};
pub use self::random::Seed;
pub use self::shrink::{Budget, End, PASSES, Pass, Shrunk, Stage, shrink};
pub use self::size::{MAX_SIZE, size_of};
pub use self::source::{Mark, Source, Stop, Stopped, Tail, TextKind};
pub use self::subject::{Identity, Subject, Verdict};
pub use self::value::{BigId, Rank, Value};
