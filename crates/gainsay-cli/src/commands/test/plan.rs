//! What a run is to do, once everybody who sets something was heard.

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use gainsay::test::Settings;

use crate::arguments::TestArguments;
use crate::arguments::amounts::Partition;
use crate::config::{self, Format, Lint, Target, Times};
use crate::report::Reporter;
use crate::report::claims::Durations;
use crate::trouble::Trouble;

/// What a run is to do.
#[derive(Debug)]
pub(super) struct Plan {
    /// How claims are run.
    pub(super) settings: Settings,
    /// Files and folders; none for the current folder.
    pub(super) paths: Vec<PathBuf>,
    /// Words that are no paths, and so are parts of names.
    pub(super) names: Vec<String>,
    /// What was given with `-k`.
    pub(super) filters: Vec<String>,
    /// Whether only what failed last is wanted.
    pub(super) only_failed: bool,
    /// Which share of the claims is wanted.
    pub(super) partition: Option<Partition>,
    /// Warnings that make the run fail.
    pub(super) deny: Vec<Lint>,
    /// What goes to the output, besides annotations.
    pub(super) on_output: Option<Format>,
    /// Whether annotations of GitHub go to the output too.
    pub(super) annotations: Annotations,
    /// What goes into files.
    pub(super) in_files: Vec<(Format, PathBuf)>,
    /// Whether durations are shown on the output.
    pub(super) times_on_output: Durations,
    /// Whether durations are shown in other reports.
    pub(super) times_elsewhere: Durations,
    /// Where single cases are written, and whether with durations.
    pub(super) observe: Option<(PathBuf, Durations)>,
    /// The folder that kept cases are in.
    pub(super) root: PathBuf,
}

/// Whether annotations are written after the report for people.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Annotations {
    Written,
    Left,
}

impl Plan {
    /// What the command line, the environment and the configuration ask for together.
    pub(super) fn new(args: &TestArguments, reporter: &Reporter) -> Result<Self, Trouble> {
        let resolved = config::resolve(args.layer(), args.sources.choice())?;
        let on_github = env::var_os("GITHUB_ACTIONS").is_some_and(|it| it == "true");
        let wish = Wish {
            formats: &resolved.formats,
            file: args.output.as_deref(),
            json: if reporter.speaks_to_people() { Json::No } else { Json::Yes },
            unasked: if on_github { Annotations::Written } else { Annotations::Left },
        };
        let targets = wish.targets()?;
        let (paths, names) = words(&args.words);
        let seen =
            matches!(targets.on_output, Some(Format::Human)) && io::stdout().is_terminal();
        let times = |by_default| match resolved.times {
            Times::Auto => by_default,
            Times::Always => Durations::Shown,
            Times::Never => Durations::Hidden,
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
            times_on_output: times(if seen { Durations::Shown } else { Durations::Hidden }),
            times_elsewhere: times(Durations::Hidden),
            // These are records of one run, which Tyche tells from others by its time.
            observe: resolved.observe.map(|folder| (folder, times(Durations::Shown))),
            root: resolved.root,
        })
    }

    /// Lets the reporter speak as the report on the output does.
    pub(super) fn choose_voice(&self, reporter: &mut Reporter) {
        if self.on_output == Some(Format::Ndjson) {
            reporter.speak_json();
        } else {
            reporter.speak_to_people();
        }
    }
}

/// Paths, and what is no path. What looks like one is one, so that a missing file is told.
fn words(words: &[String]) -> (Vec<PathBuf>, Vec<String>) {
    let is_path = |word: &&String| {
        let path = Path::new(word.as_str());
        path.extension().is_some_and(|it| it == "say")
            || word.contains(['/', '\\'])
            || path.exists()
    };
    let (paths, names): (Vec<&String>, Vec<&String>) = words.iter().partition(is_path);
    (paths.into_iter().map(PathBuf::from).collect(), names.into_iter().cloned().collect())
}

/// What was said of reports.
struct Wish<'a> {
    formats: &'a [Target],
    file: Option<&'a Path>,
    json: Json,
    unasked: Annotations,
}

/// Whether `--json` was given.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Json {
    Yes,
    No,
}

#[derive(Debug, PartialEq)]
struct Targets {
    on_output: Option<Format>,
    annotations: Annotations,
    in_files: Vec<(Format, PathBuf)>,
}

impl Wish<'_> {
    /// Which report goes where. One goes to the output; annotations may follow the one for
    /// people.
    fn targets(&self) -> Result<Targets, Trouble> {
        let mut bare: Vec<Format> = Vec::new();
        let mut in_files: Vec<(Format, PathBuf)> = Vec::new();
        if self.json == Json::Yes {
            bare.push(Format::Ndjson);
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
                [] => Format::Human,
                [one] => *one,
                [_, _, ..] => return Err(crowded("--output takes one report", "several do")),
            };
            in_files.push((format, file.to_owned()));
            bare.clear();
        }
        let mut annotations = Annotations::Left;
        if bare.contains(&Format::Human) && bare.contains(&Format::Github) {
            bare.retain(|it| *it != Format::Github);
            annotations = Annotations::Written;
        }
        let on_output = match bare.as_slice() {
            [] if in_files.iter().any(|(format, _)| *format == Format::Human) => None,
            [] => Some(Format::Human),
            [one] => Some(*one),
            [_, _, ..] => {
                return Err(crowded("the output takes one report", "several go there"));
            }
        };
        if self.formats.is_empty() && on_output == Some(Format::Human) {
            annotations = self.unasked;
        }
        Ok(Targets { on_output, annotations, in_files })
    }
}

fn crowded(what: &str, but: &str) -> Trouble {
    Trouble::usage(format!("{what}, and {but}"))
        .with_help("give each but one a file, as in `--format junit=report.xml`")
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Annotations, Json, Targets, Wish, words};
    use crate::config::{Format, target};

    fn targets(formats: &[&str], file: Option<&str>, json: Json) -> Option<Targets> {
        let formats: Vec<_> = formats.iter().map(|it| target(it).unwrap()).collect();
        let file = file.map(Path::new);
        Wish { formats: &formats, file, json, unasked: Annotations::Left }.targets().ok()
    }

    fn on_output(formats: &[&str]) -> Option<Option<Format>> {
        targets(formats, None, Json::No).map(|it| it.on_output)
    }

    #[test]
    fn people_read_the_output_unless_a_program_does() {
        assert_eq!(on_output(&[]), Some(Some(Format::Human)));
        assert_eq!(on_output(&["junit=a.xml"]), Some(Some(Format::Human)));
        assert_eq!(on_output(&["json", "junit=a.xml"]), Some(Some(Format::Json)));
        assert_eq!(on_output(&["json", "json"]), Some(Some(Format::Json)));
        assert_eq!(on_output(&["human=a.txt"]), Some(None));
        assert_eq!(on_output(&["json", "junit"]), None);
        let both = targets(&["github", "human"], None, Json::No).unwrap();
        assert_eq!(both.annotations, Annotations::Written);
        assert_eq!(both.on_output, Some(Format::Human));
        assert_eq!(on_output(&["github"]), Some(Some(Format::Github)));
    }

    #[test]
    fn json_is_a_line_per_object() {
        let line = targets(&[], None, Json::Yes).unwrap();
        assert_eq!(line.on_output, Some(Format::Ndjson));
        assert_eq!(targets(&["json"], None, Json::Yes), None);
    }

    #[test]
    fn output_names_the_file_of_the_report() {
        let it = targets(&["junit"], Some("a.xml"), Json::No).unwrap();
        assert_eq!(it.in_files, [(Format::Junit, PathBuf::from("a.xml"))]);
        assert_eq!(it.on_output, Some(Format::Human));
        let it = targets(&[], Some("a.txt"), Json::No).unwrap();
        assert_eq!((it.on_output, it.in_files.len()), (None, 1));
        assert_eq!(targets(&["json", "junit"], Some("a"), Json::No), None);
    }

    #[test]
    fn servers_of_github_get_annotations_unasked() {
        let unasked = Annotations::Written;
        let wish = Wish { formats: &[], file: None, json: Json::No, unasked };
        assert_eq!(wish.targets().unwrap().annotations, Annotations::Written);
        let formats = [target("json").unwrap()];
        let wish = Wish { formats: &formats, file: None, json: Json::No, unasked };
        assert_eq!(wish.targets().unwrap().annotations, Annotations::Left);
    }

    #[test]
    fn a_word_that_is_no_path_is_a_name() {
        let given = ["src", "none.say", "nowhere/", "transfer keeps"].map(str::to_owned);
        let (paths, names) = words(&given);
        assert_eq!(paths.len(), 3);
        assert_eq!(names, ["transfer keeps"]);
    }
}
