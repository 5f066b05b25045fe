//! Arguments of `gainsay mutate`.

use std::path::PathBuf;

use clap::Args;
use gainsay::mutate::OPERATORS;

use super::ListFormat;
use super::config_sources::ConfigSourceArguments;
use super::parse::{self, PartitionSlice};
use crate::config::{self, ConfigLayer, MutantReportTarget};

const WHICH: &str = "Selection";
const HOW: &str = "Execution";
const GATES: &str = "Gates";
const REPORT: &str = "Reporting";

/// Arguments of `gainsay mutate`.
#[derive(Debug, Args)]
pub(crate) struct MutateArguments {
    /// Files and folders [default: the current folder]
    #[arg(value_name = "PATH", help_heading = WHICH)]
    pub(crate) paths: Vec<PathBuf>,

    /// Only mutants of these operators; repeatable
    #[arg(
        long = "operator",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = operator,
        help_heading = WHICH
    )]
    pub(crate) operators: Vec<String>,

    /// Only mutants of functions with this text in `module::name`; repeatable
    #[arg(short = 'k', long = "filter", value_name = "TEXT", help_heading = WHICH)]
    pub(crate) filters: Vec<String>,

    /// Also mutate functions that only support claims, such as models
    #[arg(long, help_heading = WHICH)]
    pub(crate) all_functions: bool,

    /// Only mutants on lines that a unified diff adds or changes
    #[arg(long, value_name = "FILE", help_heading = WHICH)]
    pub(crate) in_diff: Option<PathBuf>,

    /// One of N equal slices of the mutants, as in slice:1/4
    #[arg(long, value_name = "slice:K/N", value_parser = parse::partition, help_heading = WHICH)]
    pub(crate) partition: Option<PartitionSlice>,

    /// List the mutants without running them; with =json as JSON
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "human",
        hide_possible_values = true,
        help_heading = WHICH
    )]
    pub(crate) list: Option<ListFormat>,

    /// Only this mutant, with the result of each claim
    #[arg(long, value_name = "ID", conflicts_with = "list", help_heading = WHICH)]
    pub(crate) replay: Option<String>,

    /// Number of cases of each `across` and property; overrides the source
    #[arg(long, value_name = "N", value_parser = parse::count, help_heading = HOW)]
    pub(crate) cases: Option<u64>,

    /// Random seed: decimal, or hexadecimal after 0x [default: 0]
    #[arg(long, value_name = "N", value_parser = parse::seed, help_heading = HOW)]
    pub(crate) seed: Option<u64>,

    /// Number of threads [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = parse::count, help_heading = HOW)]
    pub(crate) jobs: Option<u64>,

    /// Fail if a smaller percentage of mutants is killed
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = GATES)]
    pub(crate) min_score: Option<f64>,

    /// Fail on survivors that are not in this earlier `--format json` report
    #[arg(long, value_name = "FILE", help_heading = GATES)]
    pub(crate) baseline: Option<PathBuf>,

    /// Explain why each survivor survived, and what would kill it
    #[arg(long, help_heading = REPORT)]
    pub(crate) why: bool,

    /// human, json, html, junit, sarif or github; =FILE writes to a file; repeatable
    #[arg(
        long = "format",
        value_name = "FORMAT[=FILE]",
        value_parser = config::mutant_target,
        value_delimiter = ',',
        help_heading = REPORT
    )]
    pub(crate) formats: Vec<MutantReportTarget>,

    /// Write the report to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = REPORT)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) sources: ConfigSourceArguments,
}

impl MutateArguments {
    /// What the command line sets. Without a seed, 0 is one: who compares two scores wants the
    /// same cases.
    pub(crate) fn layer(&self) -> ConfigLayer {
        ConfigLayer {
            cases: self.cases,
            seed: Some(self.seed.unwrap_or(0)),
            jobs: self.jobs,
            profile: self.sources.profile,
            ..ConfigLayer::default()
        }
    }
}

/// The name of an operator.
fn operator(text: &str) -> Result<String, String> {
    if OPERATORS.iter().any(|it| it.name == text) {
        return Ok(text.to_owned());
    }
    let names: Vec<&str> = OPERATORS.iter().map(|it| it.name).collect();
    Err(format!("expected one of {}", names.join(", ")))
}

/// A number from 0 to 100.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim_end().parse::<f64>().ok();
    let number = number.filter(|it| (0.0..=100.0).contains(it));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

/// What is said below `gainsay mutate --help`.
pub(crate) const AFTER_HELP: &str = "\
A mutant is the program with one small fault: `+` for `-`, `<=` for `<`, a
branch that is always taken. Gainsay runs the claims on each mutant; a mutant
survives if all of them still pass. Exclude a function with
`@mutants(skip, reason = \"..\")`.

Survivors do not make the command fail unless you pass --min-score or
--baseline.

Exit codes: 0 all gates passed, 1 a gate failed or a claim fails on the
original program, 2 usage error, 3 a claim is vacuous, 4 nothing to mutate,
5 does not compile, 70 internal error, 130 interrupted.

Examples:
  gainsay mutate
  gainsay mutate ledger/ --why
  gainsay mutate --format html=mutants.html --format json=mutants.json
  gainsay mutate --baseline mutants.json --min-score 85
  git diff main | gainsay mutate --in-diff -
  gainsay mutate --replay m-3f0a91c2";
