//! Findings about specifications, one file each: the facts, and the words for them.

mod bad_spec;
mod impossible_event;

pub(crate) use self::bad_spec::{BadSpec, SpecMistake, SpecName};
pub(crate) use self::impossible_event::{ImpossibleEvent, MissingCause};
