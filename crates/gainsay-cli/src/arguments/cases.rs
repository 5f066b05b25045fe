//! Arguments of `gainsay replay`, `gainsay cases` and `gainsay sample`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::parse;

/// Arguments of `gainsay replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The claim, as in ledger::transfer, of which a part that fits only one is enough; or a
    /// recording, a `.json` file
    #[arg(value_name = "CLAIM|RECORDING")]
    pub(crate) claim: String,

    /// The case: what a report gives for it (`gs1-..`), or the file it is kept in. For a
    /// recording the file with the `main`, by default the one that was recorded
    #[arg(value_name = "CASE|FILE")]
    pub(crate) case: Option<String>,

    /// Files and folders with the claim; the current folder by default
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run nothing; print a recording as a `world` that answers as it does
    #[arg(long)]
    pub(crate) as_stubs: bool,
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
        /// Only those of claims with this in `module::name`, and those in these files
        #[arg(value_name = "NAME|FILE")]
        filters: Vec<String>,
    },
    /// Remove cases: those that --fixed, --stale or names say, and print them
    Prune {
        /// Those that pass now
        #[arg(long)]
        fixed: bool,

        /// Those that cannot be used any more
        #[arg(long)]
        stale: bool,

        /// Only those of claims with this in `module::name`, and those in these files
        #[arg(value_name = "NAME|FILE")]
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

    /// How many: 10 by default, or 1000 with --stats; sizes grow from the first to the last
    #[arg(short, long, value_name = "N", value_parser = parse::count)]
    pub(crate) n: Option<u64>,

    /// Start the random numbers here: decimal, or hexadecimal after 0x
    #[arg(long, value_name = "N", value_parser = parse::seed)]
    pub(crate) seed: Option<u64>,

    /// Draw how the values are distributed instead: constructors, sizes, integers by their
    /// binary digits, sorts of texts, and what was given up or thrown away
    #[arg(long)]
    pub(crate) stats: bool,
}

/// What is said below `gainsay replay --help`.
pub(crate) const AFTER_REPLAY_HELP: &str = "\
The case is run once, as it is; nothing is drawn, made simpler or written. If the claim draws
other things than when the case was found, choices are used where they still belong, and the
report says so.

A recording, made with `gainsay run --record`, is run with the effects answered as they were:
by operation, branch of `par` and number, not by their order. Console lines are printed, and
nothing else happens. The first thing that is different is told.

Exit codes: 0 it passes now, or goes as recorded, 1 it fails, or does not, 2 usage (no such
claim, a damaged case or recording), 3 the case cannot be used any more, or not be finished,
5 does not compile.

Examples:
  gainsay replay ledger::transfer gs1-2f7c..
  gainsay replay transfer gainsay-cases/ledger/transfer/observe-transfer-1.case
  gainsay replay ledger::transfer gs1-2f7c.. ledger.say
  gainsay replay night.json
  gainsay replay night.json sync.say
  gainsay replay night.json --as-stubs";

/// What is said below `gainsay cases --help`.
pub(crate) const AFTER_CASES_HELP: &str = "\
Kept cases are in the folder gainsay-cases, beside gainsay.toml or in the current folder, to
be committed with the sources. Each is run to tell its state:

  fails     the claim does not hold in this case
  passes    it does, perhaps since a day
  stale     the case cannot be used: its claim or inputs are gone or have changed
  declined  a limit was reached
  broken    the file cannot be read; it is left alone unless it is named

Where the sources do not compile, what the files say is told instead: open or fixed.

Examples:
  gainsay cases
  gainsay cases list transfer --verbose
  gainsay cases prune --fixed --stale
  gainsay cases prune ledger::transfer
  gainsay cases prune gainsay-cases/ledger/transfer/observe-transfer-1.case";

/// What is said below `gainsay sample --help`.
pub(crate) const AFTER_SAMPLE_HELP: &str = "\
Values are printed as source, one per line, as `gainsay test` would draw them: small ones
first. The same seed gives the same values. The seed is told on the error stream.

With --json each line is a value: numbers, texts, true and false; arrays for lists, sets and
tuples; arrays of [key, value] for maps; objects for records; for sums
{\"ctor\": \"Node\", \"fields\": [..]}, where `fields` is an object if they have names and absent
if there are none; null for (); \"nan\", \"inf\" and \"-inf\"; {\"function\": source}.

Exit codes: 0 as many as wanted, 1 the generator failed, 2 WHAT cannot be used, 3 the
generator gave up or a limit was reached, 5 FILE does not compile.

Examples:
  gainsay sample 'List<Int>'
  gainsay sample 'Int{it > 0 && it % 2 == 0}' -n 5 --seed 42
  gainsay sample Account ledger.say --json
  gainsay sample 'accounts(3)' ledger.say --stats";
