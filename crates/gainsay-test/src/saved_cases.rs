//! Saved cases: counterexamples in text files next to the sources, to be committed with them.
//!
//! A failure of a claim is saved to `gainsay-cases/<module>/<kind>.<claim>/<failure>.case`:
//!
//! ```text
//! gainsay case 1
//! claim: ledger / test "transfer keeps the sum"
//! failure: observe-transfer-1
//! found: 2026-11-16
//! status: fixed 2026-11-20
//!
//! // The receiver is missing.
//! let from = Account { id: 1, owner: "", cents: 0 }
//! let cents = -1
//!
//! --- choices
//! (lines of the engine, to the end of the file)
//! ```
//!
//! Line by line, with line ends of either kind:
//!
//! ```text
//! file    = "gainsay case" version { header | trivia } { let | trivia } [ choices ]
//! header  = key ":" text           claim, failure and found must be there
//! let     = "let" name "=" text    the text goes on until the next line that begins with `let`
//!                                  or `---`, but for the trivia before that
//! choices = "--- choices" { line }
//! trivia  = an empty line, or one that begins with `//`
//! ```
//!
//! `unfinished` says that shrinking ended early; the next run resumes it. A header text that
//! would be misread otherwise is written in quotes, with the escapes of the language. Unknown
//! headers are preserved, and so are comments: those above a header or `let` stay there, those
//! inside a value stay as long as the value does. A file without `status` is open.
//!
//! **Invariant:** A file that cannot be parsed, or whose version is newer, is reported and never
//! written to. Files are replaced as a whole, and only if their content changes.

mod claim_name;
mod files;
mod format;
mod parse;
mod quoted;
mod slug;
mod store;
#[cfg(test)]
mod tests;

pub use self::claim_name::ClaimName;
pub use self::files::{
    CaseFiles, FolderEntry, FolderEntryKind, MemoryCaseFiles, ReplaceOutcome,
};
pub use self::format::{SavedCase, SavedValue};
pub use self::parse::{CaseFileError, CaseLineError};
pub use self::store::{
    CaseFileOperation, CaseStore, CaseStoreError, MarkOutcome, SaveOutcome, SavedCaseFile,
};

/// The folder of all saved cases, relative to the folder of the run.
pub const CASES_FOLDER: &str = "gainsay-cases";
