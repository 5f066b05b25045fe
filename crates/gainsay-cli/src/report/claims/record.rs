//! What became of a claim as an object of JSON: a part of `json`, a line of `ndjson`.
//!
//! Every field is always there, except for durations, which are there only if they are shown.

use gainsay::source::Files;
use gainsay::test::{
    Argument, Cause, ClaimReport, ClaimType, Conclusion, Cover, Failure, Found, Outcome, Sides,
    SiteReport, Status, Stored, Verdict, Went, WentEnd,
};
use serde::Serialize;

use super::verified::{self, BlockRecord, CaseRecord};
use super::{Account, Durations, Standing, Tally, failure, warning};
use crate::config::{Lint, profile_name};
use crate::report::in_a_line;
use crate::report::json::{self, DiagnosticRecord, Place};

/// A claim.
#[derive(Debug, Serialize)]
pub(super) struct ClaimRecord<'a> {
    id: String,
    module: &'a str,
    name: &'a str,
    kind: &'static str,
    status: &'static str,
    #[serde(flatten)]
    place: Place<'a>,
    cases: u64,
    observations: u64,
    discards: DiscardsRecord<'a>,
    branches: Option<Branches>,
    sites: Vec<SiteRecord<'a>>,
    failures: Vec<FailureRecord<'a>>,
    warnings: Vec<WarningRecord<'a>>,
    verify: Option<BlockRecord<'a>>,
    reason: Option<DiagnosticRecord<'a>>,
    flake: Option<FlakeRecord<'a>>,
    ignored: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
struct DiscardsRecord<'a> {
    cases: u64,
    assumptions: u64,
    generators: u64,
    cut_off: u64,
    filtered: u64,
    places: Vec<DiscardPlace<'a>>,
}

#[derive(Debug, Serialize)]
struct DiscardPlace<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    source: &'a str,
    times: u64,
}

#[derive(Debug, Serialize)]
struct Branches {
    reached: u64,
    total: u64,
}

#[derive(Debug, Serialize)]
struct SiteRecord<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    inputs: Vec<InputRecord<'a>>,
    cases: u64,
    discarded: u64,
    duplicates: u64,
    compared: u64,
    exhaustive: bool,
    conclusion: &'static str,
    labels: Vec<Counted<'a>>,
    classes: Vec<Counted<'a>>,
    covers: Vec<CoverRecord<'a>>,
    best_score: Option<f64>,
    climbed: u64,
}

#[derive(Debug, Serialize)]
struct InputRecord<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
}

#[derive(Debug, Serialize)]
struct Counted<'a> {
    name: &'a str,
    cases: u64,
}

#[derive(Debug, Serialize)]
struct CoverRecord<'a> {
    name: &'a str,
    percent: i64,
    cases: u64,
    low: f64,
    high: f64,
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct FailureRecord<'a> {
    id: &'a str,
    cause: &'static str,
    diagnostic: DiagnosticRecord<'a>,
    counterexample: Vec<ArgumentRecord<'a>>,
    site: Option<Place<'a>>,
    sides: Option<SidesRecord<'a>>,
    parts: Vec<PartRecord<'a>>,
    locals: Vec<LocalRecord<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    drawn: &'a [String],
    found: Option<FoundRecord<'a>>,
    replay: Option<&'a str>,
    replay_command: Option<String>,
    stored: Option<StoredRecord<'a>>,
    similar: Vec<DiagnosticRecord<'a>>,
    verified: Option<CaseRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct ArgumentRecord<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    value: &'a str,
    irrelevant: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    others_tried: Option<u64>,
}

#[derive(Debug, Serialize)]
struct LocalRecord<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Debug, Serialize)]
struct SidesRecord<'a> {
    operator: &'a str,
    left: &'a str,
    right: &'a str,
    differences: Vec<DifferenceRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct DifferenceRecord<'a> {
    path: &'a str,
    left: &'a str,
    right: &'a str,
}

#[derive(Debug, Serialize)]
struct PartRecord<'a> {
    source: String,
    value: &'a str,
}

#[derive(Debug, Serialize)]
struct FoundRecord<'a> {
    case: u64,
    choices_found: u64,
    choices: u64,
    executions: u64,
    outcome: &'static str,
    original: Vec<ArgumentRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

#[derive(Debug, Serialize)]
struct StoredRecord<'a> {
    file: &'a str,
    state: &'static str,
    reason: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct WarningRecord<'a> {
    lint: Option<&'static str>,
    message: String,
    denied: bool,
    place: Option<Place<'a>>,
}

#[derive(Debug, Serialize)]
struct FlakeRecord<'a> {
    case: u64,
    runs: u64,
    first: WentRecord<'a>,
    second: WentRecord<'a>,
}

#[derive(Debug, Serialize)]
struct WentRecord<'a> {
    counterexample: Vec<ArgumentRecord<'a>>,
    choices: &'a [String],
    observations: Option<u64>,
    steps: Option<u64>,
    result: &'static str,
    diagnostic: Option<DiagnosticRecord<'a>>,
}

/// How many claims came to what, and how the process ends.
#[derive(Debug, Serialize)]
pub(super) struct SummaryRecord {
    claims: u64,
    passed: u64,
    failed: u64,
    vacuous: u64,
    limit: u64,
    declined: u64,
    /// Claims that were under way when the run was stopped.
    stopped: u64,
    flaky: u64,
    ignored: u64,
    skipped: u64,
    cases: u64,
    seed: u64,
    profile: &'static str,
    interrupted: bool,
    exit: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

/// The record of a claim.
pub(super) fn claim<'a>(
    files: &'a Files,
    deny: &[Lint],
    times: Durations,
    it: &'a ClaimReport,
) -> ClaimRecord<'a> {
    ClaimRecord {
        id: it.id(),
        module: &it.module,
        name: &it.name,
        kind: kind(it.ty),
        status: Standing::of(it, deny).name(),
        place: json::place(files, it.span),
        cases: it.cases,
        observations: it.observed,
        discards: discards(files, it),
        branches: it.reach.map(|it| Branches { reached: it.reached, total: it.total }),
        sites: it.sites.iter().map(|site| site_record(files, site)).collect(),
        failures: it.failures.iter().map(|failure| of_failure(files, it, failure)).collect(),
        warnings: warnings(files, deny, it),
        verify: verified::block(it),
        reason: it.reason.as_ref().map(|reason| json::record(files, reason)),
        flake: it.flake.as_ref().map(|flake| FlakeRecord {
            case: flake.case,
            runs: flake.runs,
            first: went(files, &flake.first),
            second: went(files, &flake.second),
        }),
        ignored: match &it.status {
            Status::Ignored(reason) => Some(reason),
            Status::Pass
            | Status::Fail
            | Status::Vacuous
            | Status::Limit
            | Status::Declined
            | Status::Interrupted
            | Status::Flaky
            | Status::Skipped => None,
        },
        seconds: times.seconds(it.time),
    }
}

fn went<'a>(files: &'a Files, it: &'a Went) -> WentRecord<'a> {
    let (result, why) = match &it.end {
        WentEnd::Passed => ("pass", None),
        WentEnd::Failed(why) => ("fail", why.as_ref()),
        WentEnd::Unfinished(why) => ("declined", why.as_ref()),
        WentEnd::Discarded => ("discarded", None),
    };
    WentRecord {
        counterexample: arguments(&it.arguments),
        choices: &it.drawn,
        observations: it.observed,
        steps: it.steps,
        result,
        diagnostic: why.map(|it| json::record(files, it)),
    }
}

/// The word for a kind of claim.
pub(super) fn kind(it: ClaimType) -> &'static str {
    match it {
        ClaimType::Test => "test",
        ClaimType::Property => "property",
        ClaimType::Verify => "verify",
    }
}

/// The word for a cause.
pub(super) fn cause(it: Cause) -> &'static str {
    match it {
        Cause::Mismatch => "mismatch",
        Cause::Observe => "observe",
        Cause::Fault => "fault",
        Cause::Limit => "limit",
        Cause::Cover => "cover",
    }
}

/// The record of a summary.
pub(super) fn summary(account: &Account<'_>) -> SummaryRecord {
    let tally = Tally::of(account);
    SummaryRecord {
        claims: account.report.claims.len() as u64,
        passed: tally.passed,
        failed: tally.failed,
        vacuous: tally.vacuous,
        limit: tally.limit,
        declined: tally.declined,
        stopped: tally.interrupted,
        flaky: tally.flaky,
        ignored: tally.ignored,
        skipped: tally.skipped,
        cases: tally.cases,
        seed: account.report.seed,
        profile: profile_name(account.profile),
        interrupted: account.report.interrupted,
        exit: account.exit.number(),
        seconds: account.times.seconds(account.report.time),
    }
}

fn discards<'a>(files: &'a Files, it: &ClaimReport) -> DiscardsRecord<'a> {
    let places = it.discards.places.iter().map(|(span, times)| DiscardPlace {
        place: json::place(files, *span),
        source: files.text(*span),
        times: *times,
    });
    DiscardsRecord {
        cases: it.discards.cases(),
        assumptions: it.discards.assumptions,
        generators: it.discards.generators,
        cut_off: it.discards.cut_off,
        filtered: it.discards.filtered,
        places: places.collect(),
    }
}

fn site_record<'a>(files: &'a Files, it: &'a SiteReport) -> SiteRecord<'a> {
    let inputs = it.inputs.iter().map(|(name, ty)| InputRecord { name, ty });
    let labels = it.labels.iter().map(|it| Counted { name: &it.text, cases: it.cases });
    let classes = it.classes.iter().map(|it| Counted { name: &it.name, cases: it.cases });
    SiteRecord {
        place: json::place(files, it.span),
        inputs: inputs.collect(),
        cases: it.cases,
        discarded: it.discards,
        duplicates: it.duplicates,
        compared: it.compared,
        exhaustive: it.exhaustive,
        conclusion: match it.conclusion {
            Conclusion::Enough => "enough",
            Conclusion::All => "all",
            Conclusion::Failed => "failed",
            Conclusion::TimeOver => "time-over",
            Conclusion::GaveUp => "gave-up",
            Conclusion::Declined => "declined",
            Conclusion::Interrupted => "interrupted",
        },
        labels: labels.collect(),
        classes: classes.collect(),
        covers: it.covers.iter().map(cover).collect(),
        best_score: it.best_score,
        climbed: it.climbed,
    }
}

fn cover(it: &Cover) -> CoverRecord<'_> {
    CoverRecord {
        name: &it.name,
        percent: it.percent,
        cases: it.cases,
        low: it.interval.0,
        high: it.interval.1,
        verdict: match it.verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Unclear => "unclear",
        },
    }
}

fn of_failure<'a>(files: &'a Files, claim: &ClaimReport, it: &'a Failure) -> FailureRecord<'a> {
    let parts = it
        .parts
        .iter()
        .map(|(source, value)| PartRecord { source: in_a_line(files.text(*source)), value });
    FailureRecord {
        id: &it.id,
        cause: cause(it.cause),
        diagnostic: json::record(files, &it.fault),
        counterexample: arguments(&it.arguments),
        site: it.site.map(|span| json::place(files, span)),
        sides: it.sides.as_ref().map(sides),
        parts: parts.collect(),
        locals: it.locals.iter().map(|(name, value)| LocalRecord { name, value }).collect(),
        drawn: &it.drawn,
        found: it.found.as_ref().map(found),
        replay: it.replay.as_deref(),
        replay_command: failure::replay_command(files, claim, it),
        stored: it.stored.as_ref().map(stored),
        similar: it.similar.iter().map(|it| json::record(files, &it.fault)).collect(),
        verified: verified::case(claim, it),
    }
}

fn arguments(arguments: &[Argument]) -> Vec<ArgumentRecord<'_>> {
    let records = arguments.iter().map(|it| ArgumentRecord {
        name: &it.name,
        ty: &it.ty,
        value: &it.value,
        irrelevant: it.is_irrelevant,
        others_tried: it.others_tried,
    });
    records.collect()
}

fn sides(it: &Sides) -> SidesRecord<'_> {
    let differences = it.differences.iter();
    let differences =
        differences.map(|(path, left, right)| DifferenceRecord { path, left, right });
    SidesRecord {
        operator: &it.operator,
        left: &it.left,
        right: &it.right,
        differences: differences.collect(),
    }
}

fn found(it: &Found) -> FoundRecord<'_> {
    FoundRecord {
        case: it.case,
        choices_found: it.choices_found,
        choices: it.choices,
        executions: it.executions,
        outcome: match it.outcome {
            Outcome::Minimal => "minimal",
            Outcome::TimeOver => "time-over",
            Outcome::TriesOver => "tries-over",
            Outcome::TooSlow => "too-slow",
            Outcome::Interrupted => "interrupted",
            Outcome::Kept => "kept",
        },
        original: arguments(&it.original),
        seed: it.seed,
    }
}

fn stored(it: &Stored) -> StoredRecord<'_> {
    let (state, reason) = warning::state(&it.state);
    StoredRecord { file: &it.path, state, reason }
}

fn warnings<'a>(
    files: &'a Files,
    deny: &[Lint],
    claim: &'a ClaimReport,
) -> Vec<WarningRecord<'a>> {
    let record = |it| {
        let remark = warning::remark(claim, it);
        WarningRecord {
            lint: remark.lint.map(Lint::name),
            message: remark.text,
            denied: warning::is_denied(it, deny),
            place: remark.span.map(|span| json::place(files, span)),
        }
    };
    claim.warnings.iter().map(record).collect()
}
