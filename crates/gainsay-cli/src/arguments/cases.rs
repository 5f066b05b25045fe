//! Arguments of `gainsay replay`, `gainsay cases` and `gainsay sample`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::amounts;

/// Arguments of `gainsay replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The claim, as in ledger::transfer; a part that fits only one is enough
    pub(crate) claim: String,

    /// The case: what a report gives for it (`gs1-..`), or the file it is kept in
    #[arg(value_name = "CASE|FILE")]
    pub(crate) case: String,

    /// Files and folders with the claim; the current folder by default
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Arguments of `gainsay cases`.
#[derive(Debug, Args)]
pub(crate) struct CasesArguments {
    #[command(subcommand)]
    pub(crate) what: Option<CasesCommand>,
}

/// What is done with kept cases; without a word they are listed.
#[derive(Debug, Subcommand)]
pub(crate) enum CasesCommand {
    /// List the cases that are kept
    List {
        /// Only those of claims with this in `module::name`
        filters: Vec<String>,
    },
    /// Remove cases; without an option, show which could go
    Prune {
        /// Those that pass again
        #[arg(long)]
        fixed: bool,

        /// Those that cannot be used any more
        #[arg(long)]
        stale: bool,

        /// Only those of claims with this in `module::name`
        filters: Vec<String>,
    },
}

/// Arguments of `gainsay sample`.
#[derive(Debug, Args)]
pub(crate) struct SampleArguments {
    /// A type, perhaps with a refinement, or an expression that generates
    pub(crate) what: String,

    /// The file whose names WHAT may use
    pub(crate) file: Option<PathBuf>,

    /// How many
    #[arg(short, long, value_name = "N", default_value = "10", value_parser = amounts::count)]
    pub(crate) n: u64,

    /// Start the random numbers here: decimal, or hexadecimal after 0x
    #[arg(long, value_name = "N", value_parser = amounts::seed)]
    pub(crate) seed: Option<u64>,

    /// Draw how the values are distributed instead
    #[arg(long)]
    pub(crate) stats: bool,
}
