//! The command line.

mod cases;
mod config_sources;
mod mutate;
pub(crate) mod parse;
mod synth;
mod test;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::cases::{
    CasesArguments, CasesCommand, QueryWay, ReplayArguments, SampleArguments,
};
pub(crate) use self::mutate::MutateArguments;
pub(crate) use self::synth::{
    SpecArguments, SpecCommand, SpecMutationArguments, SynthArguments, TracesArguments,
};
pub(crate) use self::test::{ListFormat, TestArguments};

/// Set apart in the help from the options of the command itself.
const COMMON: &str = "Common options";

/// Say what must hold. Gainsay looks for the case against it.
#[derive(Debug, Parser)]
#[command(
    name = "gainsay",
    bin_name = "gainsay",
    disable_version_flag = true,
    infer_long_args = false,
    after_help = "Exit codes: 0 passed, 1 failed, 2 usage error, 3 inconclusive, \
                  4 nothing to run, 5 does not compile, 6 not deterministic, \
                  70 internal error, 130 interrupted."
)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub(crate) global: GlobalOptions,

    /// Print the version; with --verbose, also the engine and the target
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
}

/// What every command understands.
#[derive(Debug, Copy, Clone, Args)]
pub(crate) struct GlobalOptions {
    /// Report as JSON, one object per line
    #[arg(long, global = true, help_heading = COMMON)]
    pub(crate) json: bool,

    /// When to use colors: auto, always or never
    #[arg(
        long,
        global = true,
        help_heading = COMMON,
        value_enum,
        default_value_t = ColorChoice::Auto,
        hide_possible_values = true,
        hide_default_value = true,
        value_name = "WHEN"
    )]
    pub(crate) color: ColorChoice,

    /// Print only problems
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = COMMON)]
    pub(crate) quiet: bool,

    /// Print more details
    #[arg(short, long, global = true, help_heading = COMMON)]
    pub(crate) verbose: bool,
}

/// When to use colors.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set; elsewhere only if CLICOLOR_FORCE is.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Check files for errors
    #[command(after_help = "Examples:\n  gainsay check\n  gainsay check ledger.say tests/")]
    Check(CheckArguments),

    /// Run claims and search for counterexamples
    #[command(after_help = test::AFTER_HELP)]
    Test(Box<TestArguments>),

    /// Mutate the program and report which mutants the claims detect
    #[command(after_help = mutate::AFTER_HELP)]
    Mutate(Box<MutateArguments>),

    /// Run one case of a claim again, or replay a recording
    #[command(after_help = cases::AFTER_REPLAY_HELP)]
    Replay(ReplayArguments),

    /// List or remove saved cases
    #[command(after_help = cases::AFTER_CASES_HELP)]
    Cases(CasesArguments),

    /// Print sample values of a type or a generator, or solutions of a query
    #[command(after_help = cases::AFTER_SAMPLE_HELP)]
    Sample(SampleArguments),

    /// Synthesize generators of operation sequences from trace specifications
    #[command(after_help = synth::AFTER_SYNTH_HELP)]
    Synth(SynthArguments),

    /// Show what a trace specification allows
    #[command(after_help = synth::AFTER_SPEC_HELP)]
    Spec(SpecArguments),

    /// Run the `main` of a file with real effects
    #[command(
        after_help = "Everything after FILE is passed to the program; options for gainsay go \
                      before it.\n\nExamples:\n  gainsay run hello.say\n  \
                      gainsay run --seed 0x2a dice.say 3\n  \
                      gainsay run --record night.json sync.say"
    )]
    Run(RunArguments),

    /// Format files
    #[command(after_help = "Examples:\n  gainsay fmt\n  gainsay fmt --check src/\n  \
                            gainsay fmt - < draft.say")]
    Fmt(FmtArguments),

    /// Explain a diagnostic
    #[command(
        after_help = "Examples:\n  gainsay explain GS0102\n  gainsay explain unclosed-string\n  \
                      gainsay explain --list"
    )]
    Explain(ExplainArguments),

    /// Create a project: a folder with a sample module
    #[command(after_help = "Example:\n  gainsay new shop")]
    New(NewArguments),

    /// List the settings of `gainsay.toml`
    #[command(after_help = "Examples:\n  gainsay config keys\n  gainsay config schema > \
                      gainsay.schema.json")]
    Config(ConfigArguments),

    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  gainsay completions bash > \
                            ~/.local/share/bash-completion/completions/gainsay")]
    Completions(CompletionsArguments),

    #[command(external_subcommand)]
    Unknown(Vec<OsString>),
}

/// Arguments of `gainsay check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Files and folders [default: the current folder]
    pub(crate) paths: Vec<PathBuf>,
}

/// Arguments of `gainsay run`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Random seed: decimal, or hexadecimal after 0x [default: from the system]
    #[arg(long, value_name = "N", value_parser = parse::seed)]
    pub(crate) seed: Option<u64>,

    /// Stop after this many steps
    #[arg(long, value_name = "N", value_parser = parse::count)]
    pub(crate) steps: Option<u64>,

    /// Limit the memory of the program, as in 512M or 2G
    #[arg(long, value_name = "SIZE", value_parser = parse::size)]
    pub(crate) memory: Option<u64>,

    /// Limit the depth of nested calls
    #[arg(long, value_name = "N", value_parser = parse::count)]
    pub(crate) depth: Option<u64>,

    /// Record every effect and its answer to a file, for `gainsay replay`; replaces an existing
    /// recording
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// The file with `main`, followed by the arguments of the program
    #[arg(
        required = true,
        num_args = 1..,
        value_names = ["FILE", "ARGS"],
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) program: Vec<OsString>,
}

/// Arguments of `gainsay fmt`.
#[derive(Debug, Args)]
pub(crate) struct FmtArguments {
    /// Write nothing; show what would change and exit with 1 if anything would
    #[arg(long)]
    pub(crate) check: bool,

    /// Files and folders, or `-` to format standard input to standard output [default: the
    /// current folder]
    pub(crate) paths: Vec<PathBuf>,
}

/// Arguments of `gainsay explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Code or name of the diagnostic, as in GS0102 or unclosed-string
    #[arg(required_unless_present = "list")]
    pub(crate) code: Option<String>,

    /// List all diagnostics instead
    #[arg(long, conflicts_with = "code")]
    pub(crate) list: bool,
}

/// Arguments of `gainsay new`.
#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// Name of the folder and its module
    pub(crate) name: String,
}

/// Arguments of `gainsay config`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) what: ConfigCommand,
}

/// What `gainsay config` prints.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List the settings with their environment variables and defaults
    Keys,
    /// Print the JSON schema of `gainsay.toml`, for editors
    Schema,
}

/// Arguments of `gainsay completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::CommandLine;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }
}
