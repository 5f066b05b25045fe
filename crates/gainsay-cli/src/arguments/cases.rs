//! Arguments of `gainsay replay`, `gainsay cases` and `gainsay sample`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::parse;
use crate::systems::SystemBinding;

/// Arguments of `gainsay replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The claim, as in ledger::transfer, or any part that matches only one claim; or a
    /// recording, a `.json` file
    #[arg(value_name = "CLAIM|RECORDING")]
    pub(crate) claim: String,

    /// The case: a replay token (`gs1-..`) or the file of a saved case. For a recording, the
    /// file with `main` [default: the recorded file]
    #[arg(value_name = "CASE|FILE")]
    pub(crate) case: Option<String>,

    /// Files and folders with the claim [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The program that answers for a system, as in `gainsay test`; repeatable
    #[arg(long, value_name = "[SYSTEM=]COMMAND", value_parser = SystemBinding::parse)]
    pub(crate) against: Vec<SystemBinding>,

    /// Run nothing; print the recording as a `world` of stubs
    #[arg(long)]
    pub(crate) as_stubs: bool,
}

/// Arguments of `gainsay cases`.
#[derive(Debug, Args)]
pub(crate) struct CasesArguments {
    #[command(subcommand)]
    pub(crate) what: Option<CasesCommand>,
}

/// Subcommands of `gainsay cases`; without one, saved cases are listed.
#[derive(Debug, Subcommand)]
pub(crate) enum CasesCommand {
    /// List saved cases
    List {
        /// Only cases of claims with this text in `module::name`, or these files
        #[arg(value_name = "NAME|FILE")]
        filters: Vec<String>,
    },
    /// Remove the saved cases that --fixed, --stale or names select
    Prune {
        /// Remove cases that pass now
        #[arg(long)]
        fixed: bool,

        /// Remove cases that are no longer usable
        #[arg(long)]
        stale: bool,

        /// Only cases of claims with this text in `module::name`, or these files
        #[arg(value_name = "NAME|FILE")]
        filters: Vec<String>,
    },
}

/// Arguments of `gainsay sample`.
#[derive(Debug, Args)]
pub(crate) struct SampleArguments {
    /// A type, optionally with a refinement, a generator expression, or a query: a condition in
    /// which ?x, ?y, .. stand for unknowns
    pub(crate) what: String,

    /// The file whose names WHAT may use
    pub(crate) file: Option<PathBuf>,

    /// Number of values, of growing size [default: 10, or 1000 with --stats]
    #[arg(short, long, value_name = "N", value_parser = parse::count)]
    pub(crate) n: Option<u64>,

    /// Random seed: decimal, or hexadecimal after 0x [default: from the system]
    #[arg(long, value_name = "N", value_parser = parse::seed)]
    pub(crate) seed: Option<u64>,

    /// Show the distribution of the values instead: constructors, sizes, integers by bit
    /// length, kinds of strings, and where the generator gave up or filtered values
    #[arg(long)]
    pub(crate) stats: bool,

    /// How solutions of a query are found: narrowed (by search) or filtered (drawn and
    /// rejected) [default: the best way]
    #[arg(long, value_name = "WAY", value_enum, hide_possible_values = true)]
    pub(crate) way: Option<QueryWay>,

    /// Compare all solutions up to height N with those that a search finds
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(0..=20),
        conflicts_with_all = ["stats", "way", "n"]
    )]
    pub(crate) complete: Option<u32>,

    /// Show how each solution follows from the rules of relations
    #[arg(long, conflicts_with_all = ["stats", "complete"])]
    pub(crate) why: bool,
}

/// How solutions of a query are found.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryWay {
    /// By search.
    Narrowed,
    /// Drawn and rejected.
    Filtered,
}

/// What is said below `gainsay replay --help`.
pub(crate) const AFTER_REPLAY_HELP: &str = "\
Runs the case once, as it is, and does not draw, shrink or write anything. If
the inputs of the claim have changed since the case was found, the choices that
still fit are used, and the report says so.

A recording, written by `gainsay run --record`, is replayed with the recorded
answers. Effects are matched by operation, branch of `par` and call number, not
by their order. Console output is printed; no other effect is performed. The
first difference is reported.

Exit codes: 0 the case passes or the run matches the recording, 1 the case
fails or the run differs, 2 usage error (no such claim, a damaged case or
recording), 3 the case is no longer usable or reached a limit, 5 does not
compile.

Examples:
  gainsay replay ledger::transfer gs1-2f7c..
  gainsay replay transfer gainsay-cases/ledger/transfer/observe-transfer-1.case
  gainsay replay ledger::transfer gs1-2f7c.. ledger.say
  gainsay replay night.json
  gainsay replay night.json sync.say
  gainsay replay night.json --as-stubs";

/// What is said below `gainsay cases --help`.
pub(crate) const AFTER_CASES_HELP: &str = "\
Saved cases are in the folder gainsay-cases, next to gainsay.toml or in the
current folder. Commit them with the sources. Each case is run to determine its
state:

  fails     the claim fails on this case
  passes    the claim passes on this case
  stale     the case is no longer usable: its claim or inputs are gone or have changed
  declined  a limit was reached
  broken    the file cannot be read; it is only removed if you name it

If the sources do not compile, the last recorded state is shown instead: open
or fixed.

Examples:
  gainsay cases
  gainsay cases list transfer --verbose
  gainsay cases prune --fixed --stale
  gainsay cases prune ledger::transfer
  gainsay cases prune gainsay-cases/ledger/transfer/observe-transfer-1.case";

/// What is said below `gainsay sample --help`.
pub(crate) const AFTER_SAMPLE_HELP: &str = "\
Values are printed as source, one per line, as `gainsay test` would generate
them: small ones first. The same seed gives the same values. The seed is
printed on standard error.

With --json, each line is a value: numbers, strings, true and false; arrays for
lists, sets and tuples; arrays of [key, value] for maps; objects for records;
for sums {\"ctor\": \"Node\", \"fields\": [..]}, where `fields` is an object if
they have names and absent if there are none; null for (); \"nan\", \"inf\" and
\"-inf\"; {\"function\": source}.

A query is a condition with unknowns, such as is_bst(?t) && size(?t) > 3. Each
line is a solution: t = Node(..), or an object with --json. A condition without
unknowns holds or does not hold.

Exit codes: 0 success, 1 the generator failed or the condition does not hold,
2 usage error (WHAT is not valid), 3 the generator gave up, no solution was
found or a limit was reached, 5 FILE does not compile.

Examples:
  gainsay sample 'List<Int>'
  gainsay sample 'Int{it > 0 && it % 2 == 0}' -n 5 --seed 42
  gainsay sample Account ledger.say --json
  gainsay sample 'accounts(3)' ledger.say --stats
  gainsay sample 'is_bst(?t) && keys(?t).len() == 3' trees.say
  gainsay sample 'List.sum(?xs) == 10 && ?xs.len() == 2'";
