//! Arguments of `gainsay test`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use gainsay::test::{HostileMode, SavedCasePolicy};

use super::config_sources::ConfigSourceArguments;
use super::parse::{self, PartitionSlice};
use crate::config::{self, ConfigLayer, ReportTarget, TimesChoice};
use crate::report::DeniableLint;
use crate::systems::SystemBinding;

const WHICH: &str = "Selection";
const HOW: &str = "Execution";
const REPORT: &str = "Reporting";

/// Arguments of `gainsay test`.
#[derive(Debug, Args)]
pub(crate) struct TestArguments {
    /// Files, folders and parts of claim names; a word that is not a path is a name
    #[arg(value_name = "PATH|NAME", help_heading = WHICH)]
    pub(crate) words: Vec<String>,

    /// Only claims with this text in `module::name`; repeatable
    #[arg(short = 'k', long = "filter", value_name = "TEXT", help_heading = WHICH)]
    pub(crate) filters: Vec<String>,

    /// Only claims that failed in their last run
    #[arg(long, help_heading = WHICH)]
    pub(crate) failed: bool,

    /// One of N equal slices of the claims, as in slice:1/4
    #[arg(long, value_name = "slice:K/N", value_parser = parse::partition, help_heading = WHICH)]
    pub(crate) partition: Option<PartitionSlice>,

    /// List the claims without running them; with =json as JSON
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "human",
        hide_possible_values = true,
        conflicts_with = "watch",
        help_heading = WHICH
    )]
    pub(crate) list: Option<ListFormat>,

    /// Number of cases of each `across` and property; overrides the source
    #[arg(long, value_name = "N", value_parser = parse::count, help_heading = HOW)]
    pub(crate) cases: Option<u64>,

    /// Run each `across` and property for this long instead, as in 30s
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse::duration,
        conflicts_with = "cases",
        help_heading = HOW
    )]
    pub(crate) time: Option<Duration>,

    /// Random seed: decimal, or hexadecimal after 0x [default: from the system]
    #[arg(long, value_name = "N", value_parser = parse::seed, help_heading = HOW)]
    pub(crate) seed: Option<u64>,

    /// Maximum number of runs to shrink a counterexample
    #[arg(long, value_name = "N", value_parser = parse::amount, help_heading = HOW)]
    pub(crate) max_shrinks: Option<u64>,

    /// Maximum time to shrink a counterexample
    #[arg(long, value_name = "TIME", value_parser = parse::duration, help_heading = HOW)]
    pub(crate) shrink_time: Option<Duration>,

    /// Step limit of a case; overrides the source
    #[arg(long, value_name = "N", value_parser = parse::count, help_heading = HOW)]
    pub(crate) steps: Option<u64>,

    /// Number of threads [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = parse::count, help_heading = HOW)]
    pub(crate) jobs: Option<u64>,

    /// Skip the remaining claims after the first failure
    #[arg(long, overrides_with = "no_fail_fast", help_heading = HOW)]
    pub(crate) fail_fast: bool,

    /// Run all claims even if some fail (the default)
    #[arg(long, overrides_with = "fail_fast", help_heading = HOW)]
    pub(crate) no_fail_fast: bool,

    /// Skip the remaining claims after this many failures
    #[arg(
        long,
        value_name = "N",
        value_parser = parse::count,
        conflicts_with_all = ["fail_fast", "no_fail_fast"],
        help_heading = HOW
    )]
    pub(crate) max_fail: Option<u64>,

    /// Also run each law with boundary values, hostile profiles of its effects and other orders
    /// of `par`; with =fuzz, also in generated worlds
    #[arg(
        long,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "profiles",
        value_parser = config::hostility,
        help_heading = HOW
    )]
    pub(crate) hostile: Option<HostileMode>,

    /// Also run each law with generated inputs
    #[arg(long, help_heading = HOW)]
    pub(crate) explore: bool,

    /// Fail a `verify` block that has more cases
    #[arg(long, value_name = "N", value_parser = parse::count, help_heading = HOW)]
    pub(crate) max_block_cases: Option<u64>,

    /// The program that answers for a system, as in 'python3 stack.py', or Stack='..' if there
    /// are several systems; repeatable
    #[arg(
        long,
        value_name = "[SYSTEM=]COMMAND",
        value_parser = SystemBinding::parse,
        help_heading = HOW
    )]
    pub(crate) against: Vec<SystemBinding>,

    /// Start a new process of each system for every case
    #[arg(long, help_heading = HOW)]
    pub(crate) fresh: bool,

    /// Neither run saved cases nor save new ones
    #[arg(long, help_heading = HOW)]
    pub(crate) no_cases: bool,

    /// Run again when a file changes: failed claims first, then affected ones
    #[arg(long, help_heading = HOW)]
    pub(crate) watch: bool,

    /// human, json, ndjson, junit, sarif or github; =FILE writes to a file; repeatable
    #[arg(
        long = "format",
        value_name = "FORMAT[=FILE]",
        value_parser = config::target,
        value_delimiter = ',',
        help_heading = REPORT
    )]
    pub(crate) formats: Vec<ReportTarget>,

    /// Write the report to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = REPORT)]
    pub(crate) output: Option<PathBuf>,

    /// When to show durations: auto (on a terminal), always or never
    #[arg(long, value_name = "WHEN", value_parser = config::times, help_heading = REPORT)]
    pub(crate) times: Option<TimesChoice>,

    /// Write every case to this folder, in the format of Hypothesis and Tyche
    #[arg(long, value_name = "DIR", help_heading = REPORT)]
    pub(crate) observe: Option<PathBuf>,

    /// Fail on a warning: placebo, constant-observe, dead-observe, loose-test, discards,
    /// duplicates, filtered, narrowed, weak-generator, trivial-inputs, unreached-across,
    /// unclear-cover, stale-cases, hostile-vacuous, or `warnings` for all but narrowed; repeatable
    #[arg(
        long,
        value_name = "LINT",
        value_parser = config::lint,
        value_delimiter = ',',
        help_heading = REPORT
    )]
    pub(crate) deny: Vec<DeniableLint>,

    #[command(flatten)]
    pub(crate) sources: ConfigSourceArguments,
}

/// How claims are listed.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// A line for each.
    Human,
    /// One document.
    Json,
}

impl TestArguments {
    /// What the command line sets.
    pub(crate) fn layer(&self) -> ConfigLayer {
        ConfigLayer {
            cases: self.cases,
            time: self.time,
            seed: self.seed,
            max_shrinks: self.max_shrinks,
            shrink_time: self.shrink_time,
            steps: self.steps,
            jobs: self.jobs,
            fail_fast: match (self.fail_fast, self.no_fail_fast) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
            },
            max_fail: self.max_fail,
            saved_cases: self.no_cases.then_some(SavedCasePolicy::Ignore),
            max_block_cases: self.max_block_cases,
            hostility: self.hostile,
            explores: self.explore.then_some(true),
            profile: self.sources.profile,
            times: self.times,
            observe: self.observe.clone(),
            formats: self.formats.clone(),
            deny: self.deny.clone(),
            paths: Vec::new(),
        }
    }
}

/// What is said below `gainsay test --help`.
pub(crate) const AFTER_HELP: &str = "\
Settings come from the command line, then from the environment (GAINSAY_CASES,
GAINSAY_SEED, GAINSAY_JOBS, GAINSAY_PROFILE, ..), then from `[profile.NAME]`
and `[test]` in gainsay.toml. `gainsay config keys` lists them all.

Profiles: `default`; `ci`: seed 0, and no new cases are saved, so that every
run is the same; `thorough`: 100,000 cases, and a minute to shrink each
counterexample.

The same seed gives the same report, byte for byte, for any number of threads.
For this reason durations are shown only on a terminal, unless you pass
--times. With --time, the number of cases depends on the speed of the machine.

Exit codes: 0 passed, 1 failed, 2 usage error, 3 inconclusive (vacuous,
declined, or a limit was reached), 4 nothing to run, 5 does not compile, 6 not
deterministic, 70 internal error, 130 interrupted. If several apply, the first
of 70, 130, 2, 5, 1, 6, 3, 4 is used.

Examples:
  gainsay test
  gainsay test ledger.say transfer
  gainsay test --cases 10_000 --seed 42 -k transfer
  gainsay test --format junit=report.xml --format github
  gainsay test --failed --watch";

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::{CliCommand, CommandLine};
    use super::TestArguments;

    fn parsed(line: &str) -> Result<TestArguments, clap::Error> {
        let words = ["gainsay", "test"].into_iter().chain(line.split_whitespace());
        match CommandLine::try_parse_from(words)?.command {
            Some(CliCommand::Test(args)) => Ok(*args),
            _ => panic!("`gainsay test` is the command"),
        }
    }

    #[test]
    fn what_excludes_each_other_is_refused() {
        for line in [
            "--cases 5 --time 1s",
            "--max-fail 2 --no-fail-fast",
            "--config a.toml --no-config",
            "--list --watch",
            "--format xml",
            "--deny everything",
            "--cases 0",
            "--partition slice:3/2",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_last_of_fail_fast_and_no_fail_fast_counts() {
        assert_eq!(parsed("--no-fail-fast").unwrap().layer().fail_fast, Some(false));
        assert_eq!(parsed("--no-fail-fast --fail-fast").unwrap().layer().fail_fast, Some(true));
        assert_eq!(
            parsed("--fail-fast --no-fail-fast").unwrap().layer().fail_fast,
            Some(false)
        );
        assert_eq!(parsed("").unwrap().layer().fail_fast, None);
    }

    #[test]
    fn a_bare_list_takes_no_word_after_it() {
        let args = parsed("--list ledger").unwrap();
        assert!(args.list.is_some());
        assert_eq!(args.words, ["ledger"]);
        assert!(parsed("--list=json").unwrap().list.is_some());
    }
}
