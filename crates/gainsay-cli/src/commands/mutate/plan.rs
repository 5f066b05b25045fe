//! The plan of a mutation run, resolved from the command line, environment and configuration.

use std::path::PathBuf;

use gainsay::mutate::MutationScope;
use gainsay::test::Settings;

use crate::arguments::parse::PartitionSlice;
use crate::arguments::{ListFormat, MutateArguments};
use crate::cli_error::CliError;
use crate::config::{self};
use crate::report::MutantReportFormat;
use crate::report::Verbosity;
use crate::report::mutants::SurvivorExplanations;
use crate::reporter::Reporter;

/// The plan of a mutation run.
pub(super) struct MutationPlan {
    pub(super) settings: Settings,
    pub(super) paths: Vec<PathBuf>,
    pub(super) root: PathBuf,
    pub(super) operators: Vec<String>,
    pub(super) filters: Vec<String>,
    pub(super) scope: MutationScope,
    pub(super) in_diff: Option<PathBuf>,
    pub(super) partition: Option<PartitionSlice>,
    pub(super) list: Option<ListFormat>,
    pub(super) replay: Option<String>,
    pub(super) min_score: Option<f64>,
    pub(super) baseline: Option<PathBuf>,
    pub(super) explanations: SurvivorExplanations,
    pub(super) on_output: Option<MutantReportFormat>,
    pub(super) in_files: Vec<(MutantReportFormat, PathBuf)>,
}

impl MutationPlan {
    pub(super) fn new(args: &MutateArguments, reporter: &Reporter) -> Result<Self, CliError> {
        let resolved = config::resolve(args.layer(), args.sources.config_choice())?;
        let (on_output, in_files) = targets(args, reporter)?;
        let asks = args.why || args.replay.is_some();
        Ok(Self {
            settings: resolved.settings,
            paths: if args.paths.is_empty() { resolved.paths } else { args.paths.clone() },
            root: resolved.root,
            operators: args.operators.clone(),
            filters: args.filters.clone(),
            scope: scope(args),
            in_diff: args.in_diff.clone(),
            partition: args.partition,
            list: args.list,
            replay: args.replay.clone(),
            min_score: args.min_score,
            baseline: args.baseline.clone(),
            explanations: if asks {
                SurvivorExplanations::Shown
            } else {
                SurvivorExplanations::Hidden
            },
            on_output,
            in_files,
        })
    }
}

impl MutationPlan {
    /// Whether some report shows the inputs that killed mutants.
    pub(super) fn shows_inputs(&self, detail: Verbosity) -> bool {
        let in_files = self.in_files.iter().map(|it| it.0);
        let mut formats = in_files.chain(self.on_output);
        detail == Verbosity::Verbose
            || self.replay.is_some()
            || formats.any(|it| it != MutantReportFormat::Human)
    }

    /// Whether only some of the mutants are run.
    pub(super) fn is_subset(&self) -> bool {
        !self.operators.is_empty()
            || !self.filters.is_empty()
            || self.in_diff.is_some()
            || self.partition.is_some()
            || self.replay.is_some()
    }
}

/// Which functions are mutated. A mutant requested by id is searched everywhere.
fn scope(args: &MutateArguments) -> MutationScope {
    if args.all_functions || args.replay.is_some() {
        MutationScope::All
    } else {
        MutationScope::Tested
    }
}

/// The format for stdout, and the formats for files.
type MutantReportTargets = (Option<MutantReportFormat>, Vec<(MutantReportFormat, PathBuf)>);

fn targets(
    args: &MutateArguments,
    reporter: &Reporter,
) -> Result<MutantReportTargets, CliError> {
    let mut bare: Vec<MutantReportFormat> = Vec::new();
    let mut in_files: Vec<(MutantReportFormat, PathBuf)> = Vec::new();
    if !reporter.is_human() {
        bare.push(MutantReportFormat::Json);
    }
    for target in &args.formats {
        match &target.file {
            Some(file) => in_files.push((target.format, file.clone())),
            None if bare.contains(&target.format) => {}
            None => bare.push(target.format),
        }
    }
    if let [_, _, ..] = bare.as_slice() {
        return Err(CliError::usage(
            "standard output takes one report, but several were requested",
        )
        .with_help("write all but one to files, as in `--format html=mutants.html`"));
    }
    let one = bare.first().copied();
    match &args.output {
        Some(file) => {
            in_files.push((one.unwrap_or(MutantReportFormat::Human), file.clone()));
            Ok((None, in_files))
        }
        None => Ok((Some(one.unwrap_or(MutantReportFormat::Human)), in_files)),
    }
}
