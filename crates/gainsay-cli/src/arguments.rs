//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Set apart in the help from the options of the command itself.
const COMMON: &str = "Common options";

/// Say what must hold. Gainsay looks for the case against it.
#[derive(Debug, Parser)]
#[command(
    name = "gainsay",
    bin_name = "gainsay",
    disable_version_flag = true,
    infer_long_args = false,
    after_help = "Exit codes: 0 everything held, 1 gainsaid, 2 usage, 3 inconclusive, \
                  4 nothing to run, 5 does not compile, 70 internal, 130 interrupted."
)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub(crate) shared: Shared,

    /// Print the version; with --verbose also the engine and the target
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    /// Say more where there is more to say
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command understands.
#[derive(Debug, Copy, Clone, Args)]
pub(crate) struct Shared {
    /// Report as JSON, one object per line
    #[arg(long, global = true, help_heading = COMMON)]
    pub(crate) json: bool,

    /// When to use colours: auto, always or never
    #[arg(
        long,
        global = true,
        help_heading = COMMON,
        value_enum,
        default_value_t = Color::Auto,
        hide_possible_values = true,
        hide_default_value = true,
        value_name = "WHEN"
    )]
    pub(crate) color: Color,

    /// Say nothing but what is wrong
    #[arg(short, long, global = true, help_heading = COMMON)]
    pub(crate) quiet: bool,
}

/// When to use colours.
#[derive(Debug, Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set; elsewhere only if CLICOLOR_FORCE is.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check files for errors
    #[command(after_help = "Examples:\n  gainsay check\n  gainsay check ledger.say tests/")]
    Check(CheckArguments),

    /// Run the `main` of a file, for real
    #[command(
        after_help = "What stands after FILE belongs to the program; options of gainsay go \
                      before it.\n\nExamples:\n  gainsay run hello.say\n  \
                      gainsay run --seed 0x2a dice.say 3"
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

    /// Start a project: a folder with a small module to change
    #[command(after_help = "Example:\n  gainsay new shop")]
    New(NewArguments),

    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  gainsay completions bash > \
                            ~/.local/share/bash-completion/completions/gainsay")]
    Completions(CompletionsArguments),

    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// Arguments of `gainsay check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Files and folders; the current folder by default
    pub(crate) paths: Vec<PathBuf>,
}

/// Arguments of `gainsay run`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Start the random numbers here: decimal, or hexadecimal after 0x
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Stop after so many steps
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) steps: Option<u64>,

    /// Stop when the program holds more memory, as in 512M or 2G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,

    /// Stop when calls nest deeper
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) depth: Option<u64>,

    /// The file with the `main`, then everything that the program gets as its arguments
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
    /// Change nothing; show what would change and exit with 1 if anything would
    #[arg(long)]
    pub(crate) check: bool,

    /// Files and folders, the current folder by default; `-` formats the input to the output
    pub(crate) paths: Vec<PathBuf>,
}

/// Arguments of `gainsay explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Its code or name, as in GS0102 or unclosed-string
    #[arg(required_unless_present = "list")]
    pub(crate) code: Option<String>,

    /// List every diagnostic instead
    #[arg(long, conflicts_with = "code")]
    pub(crate) list: bool,
}

/// Arguments of `gainsay new`.
#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// The name of the folder and of its module
    pub(crate) name: String,
}

/// Arguments of `gainsay completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

fn seed(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let parsed = match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    parsed.map_err(|_| "expected a number below 2^64, decimal or after 0x".to_owned())
}

fn count(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) | Err(_) => Err("expected a number from 1 to 2^64 - 1".to_owned()),
        Ok(number) => Ok(number),
    }
}

/// Bytes from `4096`, `512K`, `512M`, `2G`, `2GiB`. The units are powers of 1024.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let shift = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(format!("`{unit}` is no unit of memory; K, M, G and T are")),
    };
    count(digits)?.checked_mul(1 << shift).ok_or_else(|| "this is more than fits".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{CommandLine, count, seed, size};

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(seed("42"), Ok(42));
        assert_eq!(seed("0x2A"), Ok(42));
        assert_eq!(seed("0xffff_ffff_ffff_ffff"), Ok(u64::MAX));
        assert!(seed("-1").is_err() && seed("0x").is_err() && seed("").is_err());
        assert_eq!(count("1_000"), Ok(1000));
        assert!(count("0").is_err());
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("2K"), Ok(2048));
        assert_eq!(size("1MiB"), Ok(1 << 20));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert!(size("2x").is_err() && size("99999999T").is_err() && size("M").is_err());
    }
}
