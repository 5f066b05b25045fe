//! Runs claims: tests and properties, case by case, and says what became of them.
//!
//! **Invariant:** A verdict is a value: nothing here prints, and nothing depends on the clock,
//! on the number of threads or on their timing but the figures that say how long it took.

mod audience;
mod report;
mod settings;

pub use self::audience::Audience;
pub use self::report::{
    Argument, Cause, ClaimReport, ClaimType, Class, Conclusion, Cover, Discards, Failure,
    Flake, Found, Label, Observed, Outcome, Reach, Report, Sides, Similar, SiteReport, Status,
    Stored, StoredState, Verdict, Warning,
};
pub use self::settings::{Kept, Profile, Settings};
