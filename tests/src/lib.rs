//! Shared test infrastructure: the repository's files, golden tests, running the real `gainsay`
//! command, and parsing Markdown blocks.
//!
//! **Invariant:** nothing here depends on the current folder, and no absolute path reaches an
//! output that is compared.

pub mod differential;
pub mod predicates;

mod bugs;
mod command;
mod golden;
mod markdown;
mod marks;
mod mode;
mod mutation;
mod parallel;
mod program;
mod random;
mod repository;
mod sample_programs;
mod test_file;
mod trace_examples;
mod transcript;
mod unattended_run;

pub use self::bugs::{BugDetection, BuggyProgram, buggy_programs};
pub use self::command::{
    CommandBudget, CommandEnd, CommandRun, command_folder, gainsay, memory_peak, run, shell,
};
pub use self::golden::{GoldenAction, GoldenVerdict, difference, judge};
pub use self::markdown::{FencedBlock, blocks};
pub use self::marks::{
    DiagnosticMark, disagreement, expected_marks, expected_marks_of_text, marks,
};
pub use self::mode::GoldenMode;
pub use self::mutation::{
    ExampleProject, MutationFixture, MutationRunOptions, check_all, example_projects,
};
pub use self::parallel::map_in_parallel;
pub use self::program::check;
pub use self::random::TestRandom;
pub use self::repository::{files_below, root, shown};
pub use self::sample_programs::{SampleProgram, samples};
pub use self::test_file::{SourceModule, TestFileContent, TestFileOptions};
pub use self::trace_examples::{
    ExpectedStatus, TraceExample, TraceExampleTest, WalkKind, trace_examples,
};
pub use self::transcript::{settled, write_modules};
pub use self::unattended_run::{job, own_claims};
