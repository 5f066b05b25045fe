//! Runs claims: tests, properties and `verify` blocks, case by case, and says what became of them.
//!
//! **Invariant:** A verdict is a value: nothing here prints, and nothing depends on the clock,
//! on the number of threads or on their timing but the figures that say how long it took.

mod attack;
mod audience;
mod cases;
mod constants;
mod data;
mod difference;
mod disturbance;
mod findings;
mod function_text;
mod heard;
mod host;
mod identity;
mod locals;
mod parts;
mod reach;
mod replay;
mod report;
mod run;
mod sample;
mod settings;
mod statistics;
mod tally;
mod threads;
mod trial;
mod verify;
mod versus;

pub use self::attack::{Keeper, Read};
pub use self::audience::Audience;
pub use self::cases::{
    Broken, CASES_FOLDER, CaseAction, CaseError, CaseFiles, ClaimName, EntryKind, FolderEntry,
    KeptCase, KeptFile, KeptValue, Marked, MemoryCases, Misread, Replaced, Saved, Store,
};
pub use self::data::value_of;
pub use self::disturbance::Disturbance;
pub use self::function_text::function_text;
pub use self::heard::Heard;
pub use self::replay::{
    Fit, ReplayCase, ReplayEnd, ReplayJob, ReplayRequest, Replayed, replay,
};
pub use self::report::{
    Argument, Cause, Checks, ClaimReport, ClaimType, Class, Conclusion, Cover, Coverage,
    Discards, FailingOrigin, Failure, Flake, Found, Label, Observed, Origin, Outcome, Reach,
    Report, Sides, Similar, SiteReport, Status, Stored, StoredState, Verdict, VerifiedCase,
    VerifyReport, Warning, Went, WentEnd,
};
pub use self::run::{Job, run, run_disturbed};
pub use self::sample::{
    Fault, SampleEnd, SampleFilter, SampleJob, SampleReport, Sampled, sample,
};
pub use self::settings::{CaseCount, Hostility, Kept, Profile, Settings};
pub use self::statistics::{
    Bucket, CharClass, Counts, FloatClass, Measure, Statistics, TextClass,
};
pub use self::threads::numbered;
pub use self::trial::{Boundary, Course, Culprit, Noticed, Trial, Trials, Tried};
pub use self::verify::SavedLaws;
pub use self::versus::{
    Difference, Fingerprints, Gave, Input, Opponents, Pairing, Told, Versus,
};
