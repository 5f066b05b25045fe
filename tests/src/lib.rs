//! What the tests of this repository share: where its files are, what a golden test is, how
//! the real `gainsay` command is run, and how Markdown blocks are read.
//!
//! **Invariant:** nothing here depends on the current folder, and no absolute path reaches
//! an output that is compared.

pub mod differ;

mod binary;
mod bugs;
mod case;
mod golden;
mod job;
mod markdown;
mod marks;
mod mode;
mod mutation;
mod parallel;
mod program;
mod random;
mod repository;
mod samples;
mod transcript;

pub use self::binary::{Budget, End, Run, command_folder, gainsay, memory_peak, run, shell};
pub use self::bugs::{BuggyProgram, Detection, buggy_programs};
pub use self::case::{Case, Module, Options};
pub use self::golden::{Golden, Verdict, difference, judge};
pub use self::job::{job, own_claims};
pub use self::markdown::{Block, blocks};
pub use self::marks::{Mark, deserved, deserved_by_text, disagreement, marks};
pub use self::mode::Mode;
pub use self::mutation::{Ground, Manner, Project, check_all, example_projects};
pub use self::parallel::map_in_parallel;
pub use self::program::check;
pub use self::random::Random;
pub use self::repository::{files_below, root, shown};
pub use self::samples::{Sample, samples};
pub use self::transcript::{settled, write_modules};
