//! What a hunt is to do, once everybody who sets something was heard.

use std::path::PathBuf;

use gainsay::mutate::Scope;
use gainsay::test::Settings;

use crate::arguments::amounts::Partition;
use crate::arguments::{ListForm, MutateArguments};
use crate::config::{self, MutantFormat};
use crate::report::mutants::Explained;
use crate::report::{Detail, Reporter};
use crate::trouble::Trouble;

/// What a hunt is to do.
pub(super) struct Plan {
    pub(super) settings: Settings,
    pub(super) paths: Vec<PathBuf>,
    pub(super) root: PathBuf,
    pub(super) operators: Vec<String>,
    pub(super) filters: Vec<String>,
    pub(super) scope: Scope,
    pub(super) in_diff: Option<PathBuf>,
    pub(super) partition: Option<Partition>,
    pub(super) list: Option<ListForm>,
    pub(super) replay: Option<String>,
    pub(super) min_score: Option<f64>,
    pub(super) baseline: Option<PathBuf>,
    pub(super) why: Explained,
    pub(super) on_output: Option<MutantFormat>,
    pub(super) in_files: Vec<(MutantFormat, PathBuf)>,
}

impl Plan {
    pub(super) fn new(args: &MutateArguments, reporter: &Reporter) -> Result<Self, Trouble> {
        let resolved = config::resolve(args.layer(), args.sources.choice())?;
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
            why: if asks { Explained::Each } else { Explained::None },
            on_output,
            in_files,
        })
    }
}

impl Plan {
    /// Whether somebody is told with which inputs mutants were killed.
    pub(super) fn tells_inputs(&self, detail: Detail) -> bool {
        let in_files = self.in_files.iter().map(|it| it.0);
        let mut formats = in_files.chain(self.on_output);
        detail == Detail::Full
            || self.replay.is_some()
            || formats.any(|it| it != MutantFormat::Human)
    }

    /// Whether only some of the mutants are tried.
    pub(super) fn is_narrowed(&self) -> bool {
        !self.operators.is_empty()
            || !self.filters.is_empty()
            || self.in_diff.is_some()
            || self.partition.is_some()
            || self.replay.is_some()
    }
}

/// Which functions are mutated. A mutant that is asked for by its name is looked for everywhere.
fn scope(args: &MutateArguments) -> Scope {
    if args.all_functions || args.replay.is_some() { Scope::All } else { Scope::Tested }
}

/// What goes to the output, and what into files.
type Targets = (Option<MutantFormat>, Vec<(MutantFormat, PathBuf)>);

fn targets(args: &MutateArguments, reporter: &Reporter) -> Result<Targets, Trouble> {
    let mut bare: Vec<MutantFormat> = Vec::new();
    let mut in_files: Vec<(MutantFormat, PathBuf)> = Vec::new();
    if !reporter.speaks_to_people() {
        bare.push(MutantFormat::Json);
    }
    for target in &args.formats {
        match &target.file {
            Some(file) => in_files.push((target.format, file.clone())),
            None if bare.contains(&target.format) => {}
            None => bare.push(target.format),
        }
    }
    if let [_, _, ..] = bare.as_slice() {
        return Err(Trouble::usage("the output takes one report, and several are to go there")
            .with_help("send all but one into files, as in `--format html=mutants.html`"));
    }
    let one = bare.first().copied();
    match &args.output {
        Some(file) => {
            in_files.push((one.unwrap_or(MutantFormat::Human), file.clone()));
            Ok((None, in_files))
        }
        None => Ok((Some(one.unwrap_or(MutantFormat::Human)), in_files)),
    }
}
