//! Arguments of `gainsay synth` and `gainsay spec`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::parse;

/// What is said below `gainsay synth --help`.
pub(crate) const AFTER_SYNTH_HELP: &str = "\
For each goal, a `violation` or a `scenario`, the search builds a trace of
events that the rules of the specification allow, and prints it as a generator:
what to do, with which values, and what to wait for. A goal is unreachable only
if the whole search space was searched. With --show, it is printed as a goal
that lists the events of the trace: add it to the specification, change it, and
test against it. Ctrl-C ends the search; what was found so far is printed.

Exit codes: 0 all goals are reached, 1 a goal is unreachable, 2 usage error,
3 the search gave up, 4 no goals, 5 does not compile, 130 interrupted.

Examples:
  gainsay synth stack.say
  gainsay synth stack.say Stack.lost --traces 3
  gainsay synth stack.say Stack.lost --show";

/// What is said below `gainsay spec --help`.
pub(crate) const AFTER_SPEC_HELP: &str = "\
Examples:
  gainsay spec traces stack.say
  gainsay spec mutate stack.say Stack.lost";

/// Arguments of `gainsay synth`.
#[derive(Debug, Args)]
pub(crate) struct SynthArguments {
    /// The file with the specifications
    pub(crate) file: PathBuf,

    /// Only this goal: `goal`, or `Spec.goal`
    pub(crate) goal: Option<String>,

    /// Print each generator as a goal of the language, which can be saved and tested against
    #[arg(long)]
    pub(crate) show: bool,

    /// The number of different generators per goal
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse::count)]
    pub(crate) traces: u64,

    /// The maximum number of steps of the search per goal
    #[arg(long, value_name = "N", value_parser = parse::count)]
    pub(crate) steps: Option<u64>,
}

/// Arguments of `gainsay spec`.
#[derive(Debug, Args)]
pub(crate) struct SpecArguments {
    #[command(subcommand)]
    pub(crate) command: SpecCommand,
}

/// What to do with specifications.
#[derive(Debug, Subcommand)]
pub(crate) enum SpecCommand {
    /// Show the shortest trace in which each operation occurs
    Traces(TracesArguments),

    /// Drop each part of the rules in turn, and show which goals depend on it
    Mutate(SpecMutationArguments),
}

/// Arguments of `gainsay spec traces`.
#[derive(Debug, Args)]
pub(crate) struct TracesArguments {
    /// The file with the specifications
    pub(crate) file: PathBuf,

    /// The number of different traces per operation
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse::count)]
    pub(crate) traces: u64,
}

/// Arguments of `gainsay spec mutate`.
#[derive(Debug, Args)]
pub(crate) struct SpecMutationArguments {
    /// The file with the specifications
    pub(crate) file: PathBuf,

    /// Only this goal: `goal`, or `Spec.goal`
    pub(crate) goal: Option<String>,

    /// The maximum number of steps of each search
    #[arg(long, value_name = "N", value_parser = parse::count)]
    pub(crate) steps: Option<u64>,
}
