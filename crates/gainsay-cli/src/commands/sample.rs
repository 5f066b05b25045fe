//! `gainsay sample`: values of a type, or of what a generator makes.

mod json;
mod stats;

use std::ops::ControlFlow;
use std::path::Path;

use gainsay::Sampling;
use gainsay::source::Diagnostic;
use gainsay::test::{SampleEnd, SampleJob, SampleReport, Sampled, Statistics};
use serde::Serialize;

use crate::arguments::SampleArguments;
use crate::config::{self, Choice, Layer};
use crate::exit::Exit;
use crate::files::{self, Sources};
use crate::report::{Reporter, counted, line};
use crate::trouble::Trouble;
use crate::{engine, interrupt, output};

/// Values unless somebody says otherwise.
const USUAL: u64 = 10;

/// Values that are counted unless somebody says otherwise.
const USUAL_FOR_STATISTICS: u64 = 1000;

/// What is said of a run on the error stream.
#[derive(Debug, Serialize)]
struct SampleRecord {
    seed: u64,
    values: u64,
    given_up: u64,
    filtered: u64,
    exit: u8,
}

/// What values become.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Form {
    Source,
    Json,
    Statistics,
}

/// Prints values, or how they are distributed.
pub(super) fn sample(args: &SampleArguments, reporter: &mut Reporter) -> Exit {
    // The output is for the values.
    reporter.leave_the_output_alone();
    let exit = try_sample(args, reporter);
    exit.unwrap_or_else(|trouble| reporter.trouble(&trouble))
}

fn try_sample(args: &SampleArguments, reporter: &mut Reporter) -> Result<Exit, Trouble> {
    let line = Layer { seed: args.seed, ..Layer::default() };
    let seed = config::resolve(line, Choice::Nearest)?.settings.seed;
    let engine = engine::chosen()?;
    let (entry, sources) = read(args.file.as_deref())?;
    let sampling = gainsay::check_sample(&args.what, entry.as_deref(), &sources);
    let (Some(claim), Some(program)) = (sampling.claim, &sampling.checked.program) else {
        return Ok(misread(&sampling, reporter));
    };
    let lowered = gainsay::generate::lower(program);
    let usual = if args.stats { USUAL_FOR_STATISTICS } else { USUAL };
    let job = SampleJob {
        lowered: &lowered,
        claim,
        n_wanted: args.n.unwrap_or(usual),
        seed,
        engine,
        interrupt: interrupt::ask_first(),
    };
    let form = match (args.stats, reporter.speaks_to_people()) {
        (true, _) => Form::Statistics,
        (false, true) => Form::Source,
        (false, false) => Form::Json,
    };
    let mut statistics = Statistics::new();
    let report = gainsay::test::sample(&job, &mut |sampled| match form {
        Form::Source => written(&sampled.text),
        Form::Json => written(&json::value(sampled)),
        Form::Statistics => counted_in(&mut statistics, sampled),
    });
    if form == Form::Statistics {
        stats::write(&statistics, &report, &sampling, reporter);
    }
    Ok(conclude(&sampling, &report, seed, reporter))
}

/// The file whose names may be used.
fn read(file: Option<&Path>) -> Result<(Option<String>, Sources), Trouble> {
    let Some(path) = file else { return Ok((None, Sources::default())) };
    let Some(name) = files::shown(path) else {
        return Err(Trouble::usage(format!("the name `{}` is not UTF-8 text", path.display()))
            .with_help("rename the file"));
    };
    let (sources, mut troubles) = Sources::read(std::slice::from_ref(&name));
    match troubles.pop() {
        Some(trouble) => Err(trouble),
        None => Ok((Some(name), sources)),
    }
}

/// Tells why nothing can be drawn. A mistake in what is wanted is one of the command line.
fn misread(sampling: &Sampling, reporter: &mut Reporter) -> Exit {
    let checked = &sampling.checked;
    reporter.diagnostics(&checked.files, &checked.diagnostics);
    if checked.diagnostics.iter().any(|it| sampling.is_wanted(it.primary.span)) {
        Exit::Usage
    } else {
        Exit::DoesNotCompile
    }
}

fn written(text: &str) -> ControlFlow<()> {
    match output::write_line(text) {
        Ok(()) => ControlFlow::Continue(()),
        // What became of the output is asked when the command ends.
        Err(_) => ControlFlow::Break(()),
    }
}

fn counted_in(statistics: &mut Statistics, sampled: &Sampled<'_>) -> ControlFlow<()> {
    statistics.add(sampled.program, sampled.value, &sampled.text);
    ControlFlow::Continue(())
}

/// Tells how it ended.
fn conclude(
    sampling: &Sampling,
    report: &SampleReport,
    seed: u64,
    reporter: &mut Reporter,
) -> Exit {
    let mut say = |diagnostic: &Diagnostic, exit: Exit| {
        let located = sampling.located(diagnostic.clone());
        reporter.diagnostic(&sampling.checked.files, &located);
        exit
    };
    let exit = match &report.end {
        SampleEnd::Enough => Exit::Held,
        SampleEnd::Stopped => interrupted(),
        SampleEnd::NoGenerator(why) => say(why, Exit::Inconclusive),
        SampleEnd::Fault(fault) if fault.is_limit => say(&fault.diagnostic, Exit::Inconclusive),
        SampleEnd::Fault(fault) => say(&fault.diagnostic, Exit::Gainsaid),
        SampleEnd::GaveUp => reporter.trouble(&gave_up(report)),
        SampleEnd::CutOff => reporter.trouble(&cut_off(report)),
    };
    let mut text = format!("{}; seed {seed}", counted(report.n_drawn, "value"));
    let said = matches!(report.end, SampleEnd::GaveUp | SampleEnd::CutOff);
    if report.n_given_up > 0 && !said {
        text = format!("{text}; the generator gave up {} more", times(report.n_given_up));
    }
    reporter.remark(&text);
    reporter.record(&line(
        "sample",
        SampleRecord {
            seed,
            values: report.n_drawn,
            given_up: report.n_given_up,
            filtered: report.filtered.iter().map(|it| it.n_rejected).sum(),
            exit: exit.number(),
        },
    ));
    exit
}

fn interrupted() -> Exit {
    // Whoever closed the output has read enough.
    if interrupt::ask_first().load(std::sync::atomic::Ordering::Relaxed) {
        Exit::Interrupted
    } else {
        Exit::Held
    }
}

fn gave_up(report: &SampleReport) -> Trouble {
    let message = format!(
        "the generator gave up {}, and gave {}",
        times(report.n_given_up),
        counted(report.n_drawn, "value")
    );
    Trouble::new(Exit::Inconclusive, message)
        .with_help("loosen what it asks for, or draw so that nothing need be thrown away")
}

fn cut_off(report: &SampleReport) -> Trouble {
    let message = format!(
        "the generator was cut off after a million choices {}, and gave {}",
        times(report.n_given_up),
        counted(report.n_drawn, "value")
    );
    Trouble::new(Exit::Inconclusive, message).with_help(
        "let the generator end, with `Gen.sized` or a smaller bound; or make the type smaller",
    )
}

fn times(n: u64) -> String {
    counted(n, "time")
}
