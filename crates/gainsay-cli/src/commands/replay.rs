//! `gainsay replay`: one case of one claim, run again. A recorded run is left to [`recording`].

mod recording;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use gainsay::core::Program;
use gainsay::generate::{Purpose, Worlds};
use gainsay::source::{Style, closest};
use gainsay::test::{
    Argument, ClaimName, Fit, Keeper, KeptCase, KeptFile, Profile, ReplayCase, ReplayEnd,
    ReplayJob, ReplayRequest, Replayed, Report, Status, Store,
};
use serde::Serialize;

use super::test::{Project, Wanted, claims};
use crate::arguments::ReplayArguments;
use crate::case_files::DiskCases;
use crate::config::{self, Choice, Layer};
use crate::exit::Exit;
use crate::files;
use crate::report::claims::{self as report, Account, Durations};
use crate::report::{Detail, Reporter, counted, line};
use crate::trouble::{Trouble, reason};
use crate::{engine, interrupt, output};

/// At most so many names are listed.
const MOST_NAMES: usize = 10;

/// Runs one case, or a recorded run.
pub(super) fn replay(args: &ReplayArguments, reporter: &mut Reporter) -> Exit {
    if recording::is_meant(args) {
        return recording::replay(args, reporter);
    }
    try_replay(args, reporter).unwrap_or_else(|trouble| reporter.trouble(&trouble))
}

fn try_replay(args: &ReplayArguments, reporter: &mut Reporter) -> Result<Exit, Trouble> {
    let resolved = config::resolve(Layer::default(), Choice::Nearest)?;
    if args.as_stubs {
        let message = format!("`{}` is not a recording, a `.json` file", short(&args.claim));
        return Err(Trouble::usage(message).with_help("see `gainsay replay --help`"));
    }
    let Some(word) = &args.case else {
        let message = format!("there is no case to run `{}` on", short(&args.claim));
        return Err(Trouble::usage(message)
            .with_help("give what a report gives for the case, `gs1-..`, or a `.case` file"));
    };
    let case = case(word)?;
    let engine = engine::chosen()?;
    let paths = if args.paths.is_empty() { &resolved.paths } else { &args.paths };
    let project = Project::of(paths, &resolved.root);
    let Some(program) = project.program() else {
        return Ok(project.tell(reporter));
    };
    let all = claims(&project);
    let wanted = find(&args.claim, &all)?;
    if let ReplayCase::Kept(file) = &case
        && let Ok(kept) = &file.case
    {
        remark_if_of_another(wanted, &kept.claim, &file.path, reporter);
    }
    let explores = &[Worlds::Given, Worlds::MadeUp];
    let purpose = Purpose { is_hostile: true, explores, ..Purpose::default() };
    let lowered = gainsay::generate::lower_for(program, &purpose);
    let disk = DiskCases::new(&resolved.root);
    let job = ReplayJob {
        lowered: &lowered,
        files: Some(&project.checked.files),
        engine,
        interrupt: interrupt::ask_first(),
        modules: &project.modules,
        keeper: keeper(&disk),
    };
    let request = ReplayRequest { claim: wanted.claim, case };
    let replayed = gainsay::test::replay(&job, &[request]).pop();
    let replayed = replayed.expect("there is an answer to each request");
    Ok(tell(&project, &replayed, reporter))
}

/// Reads the values of kept cases, and writes nothing.
pub(super) fn keeper<'a>(files: &'a DiskCases) -> Keeper<'a> {
    let read = &|program: &Program, ty, text: &str| {
        gainsay::read(program, ty, text).map_err(|why| why.to_string())
    };
    Keeper {
        store: Store::open(files),
        read,
        today: String::new(),
        writes: false,
        folder: String::new(),
    }
}

/// The case that a word or the name of a file stands for.
fn case(text: &str) -> Result<ReplayCase, Trouble> {
    let path = Path::new(text);
    let is_file = path.extension().is_some_and(|it| it == "case") || path.is_file();
    if !is_file {
        if text.trim_start().starts_with("gs") && !text.contains(['/', '\\']) {
            return ReplayCase::word(text.trim()).map_err(|why| {
                Trouble::usage(format!("`{}` is no case: {why}", short(text)))
                    .with_help("copy the whole word that the report of the failure gives")
            });
        }
        return Err(Trouble::usage(format!("`{}` is neither a case nor a file", short(text)))
            .with_help("give what a report gives for the case, `gs1-..`, or a `.case` file"));
    }
    let unreadable = |why: String| Trouble::usage(format!("cannot read `{text}`: {why}"));
    let content = fs::read_to_string(path).map_err(|error| {
        unreadable(reason(&error)).with_help("see the kept cases with `gainsay cases`")
    })?;
    let case = KeptCase::parse(&content).map_err(|broken| {
        unreadable(broken.to_string()).with_help("mend the file, or give another")
    })?;
    let path = files::shown(path).unwrap_or_else(|| text.to_owned());
    Ok(ReplayCase::Kept(Box::new(KeptFile { path, case: Ok(case) })))
}

/// The name of a claim without its module.
fn bare(it: &Wanted) -> &str {
    it.id.split_once("::").map_or(it.id.as_str(), |(_, name)| name)
}

/// The claim with a name: the whole of it, or a part that fits only one.
fn find<'a>(name: &str, all: &'a [Wanted]) -> Result<&'a Wanted, Trouble> {
    let ways: [&dyn Fn(&&Wanted) -> bool; 3] =
        [&|it| it.id == name, &|it| bare(it) == name, &|it| it.id.contains(name)];
    for way in ways {
        let found: Vec<&Wanted> = all.iter().filter(|it| way(it)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one),
            [_, _, ..] => return Err(ambiguous(name, &found)),
        }
    }
    let names = all.iter().flat_map(|it| [it.id.as_str(), bare(it)]);
    let trouble = if all.is_empty() {
        Trouble::usage("there are no claims in these files")
    } else {
        Trouble::usage(format!("no claim is called `{name}`"))
    };
    Err(trouble
        .with_suggestion(closest(name, names))
        .with_help("see the names with `gainsay test --list`"))
}

fn ambiguous(name: &str, found: &[&Wanted]) -> Trouble {
    let mut names: Vec<String> =
        found.iter().take(MOST_NAMES).map(|it| format!("`{}`", it.id)).collect();
    if found.len() > MOST_NAMES {
        names.push(format!("{} more", found.len() - MOST_NAMES));
    }
    let message = format!("`{name}` is a part of several names: {}", names.join(", "));
    Trouble::usage(message).with_help("write the whole name, or name the file with the claim")
}

fn remark_if_of_another(wanted: &Wanted, claim: &ClaimName, path: &str, reporter: &Reporter) {
    let of = format!("{}::{}", claim.module, claim.name);
    if of != wanted.id {
        reporter.remark(&format!("note: `{path}` is a case of `{of}`"));
    }
}

/// What became of the case, for programs.
#[derive(Debug, Serialize)]
struct ReplayRecord<'a> {
    claim: String,
    result: &'static str,
    reason: Option<&'a str>,
    fits: bool,
    inputs: Vec<InputRecord<'a>>,
    exit: u8,
}

#[derive(Debug, Serialize)]
struct InputRecord<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    value: &'a str,
}

/// Tells what became of the case.
fn tell(project: &Project, replayed: &Replayed, reporter: &Reporter) -> Exit {
    let (result, reason, exit) = match &replayed.end {
        ReplayEnd::Fails if replayed.report.status == Status::Limit => {
            ("limit", None, Exit::Inconclusive)
        }
        ReplayEnd::Fails => ("fails", None, Exit::Gainsaid),
        // Another case than the one that was found says nothing by passing.
        ReplayEnd::Passes if is_adapted(replayed) => {
            let why = "the claim draws other things than when the case was found";
            ("adapted", Some(why), Exit::Inconclusive)
        }
        ReplayEnd::Passes => ("passes", None, Exit::Held),
        ReplayEnd::Unusable(why) => ("unusable", Some(why.as_str()), Exit::Inconclusive),
        ReplayEnd::Declined(_) => ("declined", None, Exit::Inconclusive),
        ReplayEnd::Interrupted => ("interrupted", None, Exit::Interrupted),
    };
    let files = &project.checked.files;
    if reporter.speaks_to_people() {
        let text = words(project, replayed, exit, reporter.output_style());
        // What became of the output is asked when the command ends.
        let _ = output::write(text.as_bytes());
        return exit;
    }
    let claim = report::ndjson_claim(files, &[], Durations::Hidden, &replayed.report);
    let _ = output::write(claim.as_bytes());
    let inputs = replayed.arguments.iter();
    let inputs = inputs.map(|it| InputRecord { name: &it.name, ty: &it.ty, value: &it.value });
    reporter.record(&line(
        "replay",
        ReplayRecord {
            claim: replayed.report.id(),
            result,
            reason,
            fits: !is_adapted(replayed),
            inputs: inputs.collect(),
            exit: exit.number(),
        },
    ));
    exit
}

fn words(project: &Project, replayed: &Replayed, exit: Exit, style: Style) -> String {
    let report = Report {
        seed: 0,
        claims: vec![replayed.report.clone()],
        interrupted: false,
        time: Duration::ZERO,
    };
    let account = Account {
        files: &project.checked.files,
        n_standard: gainsay::std_modules().len(),
        diagnostics: &[],
        troubles: &[],
        report: &report,
        profile: Profile::Default,
        deny: &[],
        times: Durations::Hidden,
        exit,
    };
    let id = replayed.report.id();
    let mut text = report::human_sections(&account, &replayed.report, (style, Detail::Usual));
    match &replayed.end {
        ReplayEnd::Fails => {}
        ReplayEnd::Declined(_) => text += &inputs(&replayed.arguments),
        ReplayEnd::Passes if is_adapted(replayed) => {
            let _ = writeln!(text, "{id}: what is left of the case passes");
            text += &inputs(&replayed.arguments);
        }
        ReplayEnd::Passes => {
            let _ = writeln!(text, "PASS {id}\n  the case passes now");
            text += &inputs(&replayed.arguments);
        }
        ReplayEnd::Unusable(why) => {
            let _ = writeln!(text, "{id}: the case cannot be used: {why}");
            text += &inputs(&replayed.arguments);
        }
        ReplayEnd::Interrupted => text += "interrupted\n",
    }
    match &replayed.end {
        ReplayEnd::Fails | ReplayEnd::Passes | ReplayEnd::Declined(_) => {
            text + &fit(replayed.fit)
        }
        ReplayEnd::Unusable(_) | ReplayEnd::Interrupted => text,
    }
}

/// Whether the case that was run is another than the one that was found.
fn is_adapted(replayed: &Replayed) -> bool {
    matches!(replayed.fit, Fit::Adapted { .. })
}

/// How well the case fitted, if there is anything to say.
fn fit(fit: Fit) -> String {
    match fit {
        Fit::Exact | Fit::ByValues => String::new(),
        Fit::ByChoices => {
            "note: the inputs were made anew from the choices in the file, as not \
                           all of them can be read\n"
                .to_owned()
        }
        Fit::Adapted { n_given, n_made } => format!(
            "note: the claim draws other things than when the case was found: it has {}, and \
             this run made {n_made}; where none fitted, the simplest was taken\n",
            counted(n_given, "choice")
        ),
    }
}

fn inputs(arguments: &[Argument]) -> String {
    if arguments.is_empty() {
        return String::new();
    }
    let lines = report::as_source(arguments);
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!("  inputs:\n{lines}")
}

/// A word that may be very long.
fn short(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    let start: String = text.chars().take(36).collect();
    format!("{start}..")
}
