//! The plan of a test run, resolved from the command line, environment and configuration.

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use gainsay::test::Settings;

use crate::arguments::TestArguments;
use crate::arguments::parse::PartitionSlice;
use crate::cli_error::CliError;
use crate::config::{self, ReportTarget, TimesChoice};
use crate::report::claims::DurationDisplay;
use crate::report::{DeniableLint, ReportFormat};
use crate::reporter::Reporter;
use crate::systems::SystemBinding;

/// The plan of a test run.
#[derive(Debug)]
pub(super) struct TestPlan {
    /// The settings of the claim runner.
    pub(super) settings: Settings,
    /// Files and folders; empty for the current folder.
    pub(super) paths: Vec<PathBuf>,
    /// Arguments that are not paths, and so are parts of claim names.
    pub(super) names: Vec<String>,
    /// The values of `-k`.
    pub(super) filters: Vec<String>,
    /// Whether to run only the claims that failed last.
    pub(super) only_failed: bool,
    /// Which partition of the claims to run.
    pub(super) partition: Option<PartitionSlice>,
    /// Warnings that make the run fail.
    pub(super) deny: Vec<DeniableLint>,
    /// The report on stdout, apart from annotations.
    pub(super) on_output: Option<ReportFormat>,
    /// Whether GitHub annotations go to stdout as well.
    pub(super) annotations: GithubAnnotations,
    /// The reports in files.
    pub(super) in_files: Vec<(ReportFormat, PathBuf)>,
    /// Whether durations are shown on stdout.
    pub(super) times_on_output: DurationDisplay,
    /// Whether durations are shown in other reports.
    pub(super) times_elsewhere: DurationDisplay,
    /// The folder for individual cases, and whether they contain durations.
    pub(super) observe: Option<(PathBuf, DurationDisplay)>,
    /// The folder of the saved cases.
    pub(super) root: PathBuf,
    /// What answers for systems.
    pub(super) systems: Vec<SystemBinding>,
    /// Whether each case gets new processes.
    pub(super) fresh: bool,
}

/// Whether annotations follow the report for people.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum GithubAnnotations {
    Written,
    Omitted,
}

impl TestPlan {
    /// Resolves the command line, the environment and the configuration.
    pub(super) fn new(args: &TestArguments, reporter: &Reporter) -> Result<Self, CliError> {
        let resolved = config::resolve(args.layer(), args.sources.config_choice())?;
        let on_github = env::var_os("GITHUB_ACTIONS").is_some_and(|it| it == "true");
        let wish = ReportRequest {
            formats: &resolved.reports,
            file: args.output.as_deref(),
            json: if reporter.is_human() { JsonFlag::No } else { JsonFlag::Yes },
            default_annotations: if on_github {
                GithubAnnotations::Written
            } else {
                GithubAnnotations::Omitted
            },
        };
        let targets = wish.targets()?;
        let (paths, names) = split_words(&args.words);
        let seen = matches!(targets.on_output, Some(ReportFormat::Human))
            && io::stdout().is_terminal();
        let times = |by_default| match resolved.times {
            TimesChoice::Auto => by_default,
            TimesChoice::Always => DurationDisplay::Shown,
            TimesChoice::Never => DurationDisplay::Hidden,
        };
        Ok(Self {
            settings: resolved.settings,
            paths: if paths.is_empty() { resolved.paths } else { paths },
            names,
            filters: args.filters.clone(),
            only_failed: args.failed,
            partition: args.partition,
            deny: resolved.deny,
            on_output: targets.on_output,
            annotations: targets.annotations,
            in_files: targets.in_files,
            times_on_output: times(if seen {
                DurationDisplay::Shown
            } else {
                DurationDisplay::Hidden
            }),
            times_elsewhere: times(DurationDisplay::Hidden),
            // These records belong to one run, which Tyche identifies by its time.
            observe: resolved
                .observe_folder
                .map(|folder| (folder, times(DurationDisplay::Shown))),
            root: resolved.root,
            // Bindings on the command line come last, and so take precedence.
            systems: [resolved.systems, args.against.clone()].concat(),
            fresh: args.fresh,
        })
    }

    /// Makes the reporter match the format of the report on stdout.
    pub(super) fn configure_reporter(&self, reporter: &mut Reporter) {
        if self.on_output == Some(ReportFormat::Ndjson) {
            reporter.switch_to_json();
        } else {
            reporter.switch_to_human();
        }
    }
}

/// Splits arguments into paths and other words. Anything that looks like a path is one, so that a
/// missing file is reported.
fn split_words(words: &[String]) -> (Vec<PathBuf>, Vec<String>) {
    let is_path = |word: &&String| {
        let path = Path::new(word.as_str());
        path.extension().is_some_and(|it| it == "say")
            || word.contains(['/', '\\'])
            || path.exists()
    };
    let (paths, names): (Vec<&String>, Vec<&String>) = words.iter().partition(is_path);
    (paths.into_iter().map(PathBuf::from).collect(), names.into_iter().cloned().collect())
}

/// The requested reports.
struct ReportRequest<'a> {
    formats: &'a [ReportTarget],
    file: Option<&'a Path>,
    json: JsonFlag,
    default_annotations: GithubAnnotations,
}

/// Whether `--json` was given.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum JsonFlag {
    Yes,
    No,
}

#[derive(Debug, PartialEq)]
struct ReportTargets {
    on_output: Option<ReportFormat>,
    annotations: GithubAnnotations,
    in_files: Vec<(ReportFormat, PathBuf)>,
}

impl ReportRequest<'_> {
    /// Which report goes where. One goes to stdout; annotations may follow the one for people.
    fn targets(&self) -> Result<ReportTargets, CliError> {
        let mut bare: Vec<ReportFormat> = Vec::new();
        let mut in_files: Vec<(ReportFormat, PathBuf)> = Vec::new();
        if self.json == JsonFlag::Yes {
            bare.push(ReportFormat::Ndjson);
        }
        for target in self.formats {
            match &target.file {
                Some(file) => in_files.push((target.format, file.clone())),
                None if bare.contains(&target.format) => {}
                None => bare.push(target.format),
            }
        }
        if let Some(file) = self.file {
            let format = match bare.as_slice() {
                [] => ReportFormat::Human,
                [one] => *one,
                [_, _, ..] => {
                    return Err(conflicting_reports(
                        "--output takes one report",
                        "several were requested",
                    ));
                }
            };
            in_files.push((format, file.to_owned()));
            bare.clear();
        }
        let mut annotations = GithubAnnotations::Omitted;
        if bare.contains(&ReportFormat::Human) && bare.contains(&ReportFormat::Github) {
            bare.retain(|it| *it != ReportFormat::Github);
            annotations = GithubAnnotations::Written;
        }
        let on_output = match bare.as_slice() {
            [] if in_files.iter().any(|(format, _)| *format == ReportFormat::Human) => None,
            [] => Some(ReportFormat::Human),
            [one] => Some(*one),
            [_, _, ..] => {
                return Err(conflicting_reports(
                    "standard output takes one report",
                    "several were requested",
                ));
            }
        };
        if self.formats.is_empty() && on_output == Some(ReportFormat::Human) {
            annotations = self.default_annotations;
        }
        Ok(ReportTargets { on_output, annotations, in_files })
    }
}

fn conflicting_reports(what: &str, but: &str) -> CliError {
    CliError::usage(format!("{what}, but {but}"))
        .with_help("write all but one to files, as in `--format junit=report.xml`")
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{GithubAnnotations, JsonFlag, ReportRequest, ReportTargets, split_words};
    use crate::config::target;
    use crate::report::ReportFormat;

    fn targets(formats: &[&str], file: Option<&str>, json: JsonFlag) -> Option<ReportTargets> {
        let formats: Vec<_> = formats.iter().map(|it| target(it).unwrap()).collect();
        let file = file.map(Path::new);
        ReportRequest {
            formats: &formats,
            file,
            json,
            default_annotations: GithubAnnotations::Omitted,
        }
        .targets()
        .ok()
    }

    fn on_output(formats: &[&str]) -> Option<Option<ReportFormat>> {
        targets(formats, None, JsonFlag::No).map(|it| it.on_output)
    }

    #[test]
    fn people_read_the_output_unless_a_program_does() {
        assert_eq!(on_output(&[]), Some(Some(ReportFormat::Human)));
        assert_eq!(on_output(&["junit=a.xml"]), Some(Some(ReportFormat::Human)));
        assert_eq!(on_output(&["json", "junit=a.xml"]), Some(Some(ReportFormat::Json)));
        assert_eq!(on_output(&["json", "json"]), Some(Some(ReportFormat::Json)));
        assert_eq!(on_output(&["human=a.txt"]), Some(None));
        assert_eq!(on_output(&["json", "junit"]), None);
        let both = targets(&["github", "human"], None, JsonFlag::No).unwrap();
        assert_eq!(both.annotations, GithubAnnotations::Written);
        assert_eq!(both.on_output, Some(ReportFormat::Human));
        assert_eq!(on_output(&["github"]), Some(Some(ReportFormat::Github)));
    }

    #[test]
    fn json_is_a_line_per_object() {
        let line = targets(&[], None, JsonFlag::Yes).unwrap();
        assert_eq!(line.on_output, Some(ReportFormat::Ndjson));
        assert_eq!(targets(&["json"], None, JsonFlag::Yes), None);
    }

    #[test]
    fn output_names_the_file_of_the_report() {
        let it = targets(&["junit"], Some("a.xml"), JsonFlag::No).unwrap();
        assert_eq!(it.in_files, [(ReportFormat::Junit, PathBuf::from("a.xml"))]);
        assert_eq!(it.on_output, Some(ReportFormat::Human));
        let it = targets(&[], Some("a.txt"), JsonFlag::No).unwrap();
        assert_eq!((it.on_output, it.in_files.len()), (None, 1));
        assert_eq!(targets(&["json", "junit"], Some("a"), JsonFlag::No), None);
    }

    #[test]
    fn servers_of_github_get_annotations_unasked() {
        let unasked = GithubAnnotations::Written;
        let wish = ReportRequest {
            formats: &[],
            file: None,
            json: JsonFlag::No,
            default_annotations: unasked,
        };
        assert_eq!(wish.targets().unwrap().annotations, GithubAnnotations::Written);
        let formats = [target("json").unwrap()];
        let wish = ReportRequest {
            formats: &formats,
            file: None,
            json: JsonFlag::No,
            default_annotations: unasked,
        };
        assert_eq!(wish.targets().unwrap().annotations, GithubAnnotations::Omitted);
    }

    #[test]
    fn a_word_that_is_no_path_is_a_name() {
        let given = ["src", "none.say", "nowhere/", "transfer keeps"].map(str::to_owned);
        let (paths, names) = split_words(&given);
        assert_eq!(paths.len(), 3);
        assert_eq!(names, ["transfer keeps"]);
    }
}
