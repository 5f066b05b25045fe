//! What can be wrong with a query; the other crates have the findings about files.

mod bad_unknown;

pub(crate) use self::bad_unknown::{BadUnknown, BadUnknownReason};
