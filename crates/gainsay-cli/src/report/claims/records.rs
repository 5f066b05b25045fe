//! The JSON object of a claim's result, used by `json` and `ndjson`.
//!
//! Every field is always present, except for durations, which are present only if they are shown.

use std::collections::BTreeMap;

use gainsay::source::SourceMap;
use gainsay::test::{
    CaseRunEnd, CaseRunReport, ClaimReport, ClaimStatus, ClaimType, ComparisonSides,
    CoverReport, CoverVerdict, Failure, FailureCause, NarrowedPredicate, ReportedInput,
    SavedCaseReport, ShrinkOutcome, ShrinkSummary, SiteReport, SiteStopReason,
    SystemCallCounts,
};
use serde::Serialize;

use super::verify_blocks::{self, VerifyBlockRecord, VerifyCaseRecord};
use super::walks::{self, WalksRecord};
use super::{DisplayStatus, DurationDisplay, StatusCounts, TestReportData, failure, warnings};
use crate::report::json::{self, DiagnosticRecord, SpanRecord};
use crate::report::on_one_line;
use crate::report::{DeniableLint, profile_name};

/// A claim.
#[derive(Debug, Serialize)]
pub(super) struct ClaimResultRecord<'a> {
    id: String,
    module: &'a str,
    name: &'a str,
    kind: &'static str,
    status: &'static str,
    #[serde(flatten)]
    place: SpanRecord<'a>,
    cases: u64,
    observations: u64,
    discards: DiscardsRecord<'a>,
    branches: Option<BranchesRecord>,
    sites: Vec<SiteReportRecord<'a>>,
    narrowed: Vec<NarrowedRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    walks: Option<WalksRecord<'a>>,
    failures: Vec<FailureRecord<'a>>,
    warnings: Vec<WarningRecord<'a>>,
    verify: Option<VerifyBlockRecord<'a>>,
    reason: Option<DiagnosticRecord<'a>>,
    flake: Option<FlakeRecord<'a>>,
    ignored: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unbound: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    against: &'a [String],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    system_calls: BTreeMap<&'a str, SystemCallsRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
struct SystemCallsRecord {
    answered: u64,
    succeeded: u64,
}

impl From<SystemCallCounts> for SystemCallsRecord {
    fn from(it: SystemCallCounts) -> Self {
        Self { answered: it.answered, succeeded: it.succeeded }
    }
}

#[derive(Debug, Serialize)]
struct DiscardsRecord<'a> {
    cases: u64,
    assumptions: u64,
    generators: u64,
    cut_off: u64,
    filtered: u64,
    locations: Vec<DiscardSiteRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct DiscardSiteRecord<'a> {
    #[serde(flatten)]
    place: SpanRecord<'a>,
    source: &'a str,
    times: u64,
}

#[derive(Debug, Serialize)]
struct NarrowedRecord<'a> {
    #[serde(flatten)]
    place: SpanRecord<'a>,
    source: &'a str,
    found: u64,
    gave_up: u64,
    unsatisfiable: u64,
    dead_ends: u64,
}

#[derive(Debug, Serialize)]
struct BranchesRecord {
    reached: u64,
    total: u64,
}

#[derive(Debug, Serialize)]
struct SiteReportRecord<'a> {
    #[serde(flatten)]
    place: SpanRecord<'a>,
    inputs: Vec<SiteInputRecord<'a>>,
    cases: u64,
    discarded: u64,
    duplicates: u64,
    compared: u64,
    exhaustive: bool,
    stop_reason: &'static str,
    labels: Vec<LabelCountRecord<'a>>,
    classes: Vec<LabelCountRecord<'a>>,
    covers: Vec<CoverRecord<'a>>,
    best_score: Option<f64>,
    hill_climbing_runs: u64,
}

#[derive(Debug, Serialize)]
struct SiteInputRecord<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
}

#[derive(Debug, Serialize)]
struct LabelCountRecord<'a> {
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
    counterexample: Vec<ReportedInputRecord<'a>>,
    site: Option<SpanRecord<'a>>,
    sides: Option<SidesRecord<'a>>,
    subexpressions: Vec<SubexpressionRecord<'a>>,
    locals: Vec<LocalRecord<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    drawn: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    system_calls: &'a [String],
    shrink: Option<ShrinkSummaryRecord<'a>>,
    replay_token: Option<&'a str>,
    replay_command: Option<String>,
    saved_case: Option<SavedCaseRecord<'a>>,
    related: Vec<DiagnosticRecord<'a>>,
    verify_case: Option<VerifyCaseRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct ReportedInputRecord<'a> {
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
struct SubexpressionRecord<'a> {
    source: String,
    value: &'a str,
}

#[derive(Debug, Serialize)]
struct ShrinkSummaryRecord<'a> {
    case: u64,
    original_choices: u64,
    choices: u64,
    executions: u64,
    outcome: &'static str,
    original_inputs: Vec<ReportedInputRecord<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

#[derive(Debug, Serialize)]
struct SavedCaseRecord<'a> {
    file: &'a str,
    state: &'static str,
    reason: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct WarningRecord<'a> {
    lint: Option<&'static str>,
    message: String,
    denied: bool,
    location: Option<SpanRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct FlakeRecord<'a> {
    case: u64,
    runs: u64,
    first: CaseRunRecord<'a>,
    second: CaseRunRecord<'a>,
}

#[derive(Debug, Serialize)]
struct CaseRunRecord<'a> {
    counterexample: Vec<ReportedInputRecord<'a>>,
    choices: &'a [String],
    observations: Option<u64>,
    steps: Option<u64>,
    result: &'static str,
    diagnostic: Option<DiagnosticRecord<'a>>,
}

/// The number of claims by status, and the exit code.
#[derive(Debug, Serialize)]
pub(super) struct TestSummaryRecord {
    claims: u64,
    passed: u64,
    failed: u64,
    vacuous: u64,
    limit: u64,
    declined: u64,
    /// Claims that were running when the run was stopped.
    stopped: u64,
    flaky: u64,
    ignored: u64,
    unbound: u64,
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
pub(super) fn claim_record<'a>(
    files: &'a SourceMap,
    deny: &[DeniableLint],
    times: DurationDisplay,
    it: &'a ClaimReport,
) -> ClaimResultRecord<'a> {
    ClaimResultRecord {
        id: it.id(),
        module: &it.module,
        name: &it.name,
        kind: kind_name(it.ty),
        status: DisplayStatus::of(it, deny).json_name(),
        place: json::span_record(files, it.span),
        cases: it.cases,
        observations: it.n_observations,
        discards: discards_record(files, it),
        branches: it
            .branch_coverage
            .map(|it| BranchesRecord { reached: it.reached, total: it.total }),
        sites: it.sites.iter().map(|site| site_record(files, site)).collect(),
        narrowed: it.narrowed.iter().map(|it| narrowed_record(files, it)).collect(),
        walks: it.walks.as_ref().map(walks::record),
        failures: it
            .failures
            .iter()
            .map(|failure| failure_record(files, it, failure))
            .collect(),
        warnings: warning_records(files, deny, it),
        verify: verify_blocks::block_record(it),
        reason: it.reason.as_ref().map(|reason| json::diagnostic_record(files, reason)),
        flake: it.flake.as_ref().map(|flake| FlakeRecord {
            case: flake.case,
            runs: flake.runs,
            first: case_run_record(files, &flake.first),
            second: case_run_record(files, &flake.second),
        }),
        ignored: match &it.status {
            ClaimStatus::Ignored(reason) => Some(reason),
            ClaimStatus::Pass
            | ClaimStatus::Fail
            | ClaimStatus::Vacuous
            | ClaimStatus::Limit
            | ClaimStatus::Declined
            | ClaimStatus::Interrupted
            | ClaimStatus::Flaky
            | ClaimStatus::Skipped
            | ClaimStatus::Unbound(_) => None,
        },
        unbound: if let ClaimStatus::Unbound(system) = &it.status {
            Some(system)
        } else {
            None
        },
        against: &it.against,
        system_calls: it
            .system_calls
            .iter()
            .map(|(name, it)| (&**name, (*it).into()))
            .collect(),
        seconds: times.seconds(it.time),
    }
}

fn case_run_record<'a>(files: &'a SourceMap, it: &'a CaseRunReport) -> CaseRunRecord<'a> {
    let (result, why) = match &it.end {
        CaseRunEnd::Passed => ("pass", None),
        CaseRunEnd::Failed(why) => ("fail", why.as_ref()),
        CaseRunEnd::Unfinished(why) => ("declined", why.as_ref()),
        CaseRunEnd::Discarded => ("discarded", None),
    };
    CaseRunRecord {
        counterexample: input_records(&it.arguments),
        choices: &it.drawn,
        observations: it.observed,
        steps: it.steps,
        result,
        diagnostic: why.map(|it| json::diagnostic_record(files, it)),
    }
}

/// The name of a kind of claim.
pub(super) fn kind_name(it: ClaimType) -> &'static str {
    match it {
        ClaimType::Test => "test",
        ClaimType::Property => "property",
        ClaimType::Verify => "verify",
    }
}

/// The name of a cause.
pub(super) fn cause_name(it: FailureCause) -> &'static str {
    match it {
        FailureCause::Mismatch => "mismatch",
        FailureCause::Observe => "observe",
        FailureCause::Fault => "fault",
        FailureCause::Limit => "limit",
        FailureCause::Cover => "cover",
    }
}

/// The record of a summary.
pub(super) fn summary_record(data: &TestReportData<'_>) -> TestSummaryRecord {
    let tally = StatusCounts::of(data);
    TestSummaryRecord {
        claims: data.report.claims.len() as u64,
        passed: tally.passed,
        failed: tally.failed,
        vacuous: tally.vacuous,
        limit: tally.limit,
        declined: tally.declined,
        stopped: tally.interrupted,
        flaky: tally.flaky,
        ignored: tally.ignored,
        unbound: tally.unbound,
        skipped: tally.skipped,
        cases: tally.cases,
        seed: data.report.seed,
        profile: profile_name(data.profile),
        interrupted: data.report.interrupted,
        exit: data.exit.number(),
        seconds: data.durations.seconds(data.report.time),
    }
}

fn discards_record<'a>(files: &'a SourceMap, it: &ClaimReport) -> DiscardsRecord<'a> {
    let locations = it.discards.places.iter().map(|(span, times)| DiscardSiteRecord {
        place: json::span_record(files, *span),
        source: files.text(*span),
        times: *times,
    });
    DiscardsRecord {
        cases: it.discards.cases(),
        assumptions: it.discards.assumptions,
        generators: it.discards.generators,
        cut_off: it.discards.cut_off,
        filtered: it.discards.filtered,
        locations: locations.collect(),
    }
}

fn narrowed_record<'a>(files: &'a SourceMap, it: &NarrowedPredicate) -> NarrowedRecord<'a> {
    NarrowedRecord {
        place: json::span_record(files, it.span),
        source: files.text(it.span),
        found: it.counts.n_found,
        gave_up: it.counts.n_gave_up,
        unsatisfiable: it.counts.n_unsatisfiable,
        dead_ends: it.counts.n_dead_ends,
    }
}

fn site_record<'a>(files: &'a SourceMap, it: &'a SiteReport) -> SiteReportRecord<'a> {
    let inputs = it.inputs.iter().map(|(name, ty)| SiteInputRecord { name, ty });
    let labels =
        it.labels.iter().map(|it| LabelCountRecord { name: &it.text, cases: it.cases });
    let classes =
        it.classes.iter().map(|it| LabelCountRecord { name: &it.name, cases: it.cases });
    SiteReportRecord {
        place: json::span_record(files, it.span),
        inputs: inputs.collect(),
        cases: it.cases,
        discarded: it.discards,
        duplicates: it.duplicates,
        compared: it.compared,
        exhaustive: it.exhaustive,
        stop_reason: match it.stop_reason {
            SiteStopReason::EnoughCases => "enough-cases",
            SiteStopReason::Exhausted => "exhausted",
            SiteStopReason::Failed => "failed",
            SiteStopReason::Timeout => "timeout",
            SiteStopReason::TooManyDiscards => "too-many-discards",
            SiteStopReason::TooManyLimits => "too-many-limits",
            SiteStopReason::Interrupted => "interrupted",
        },
        labels: labels.collect(),
        classes: classes.collect(),
        covers: it.covers.iter().map(cover_record).collect(),
        best_score: it.best_score,
        hill_climbing_runs: it.hill_climbing_runs,
    }
}

fn cover_record(it: &CoverReport) -> CoverRecord<'_> {
    CoverRecord {
        name: &it.name,
        percent: it.percent,
        cases: it.cases,
        low: it.interval.0,
        high: it.interval.1,
        verdict: match it.verdict {
            CoverVerdict::Holds => "holds",
            CoverVerdict::Fails => "fails",
            CoverVerdict::Unclear => "unclear",
        },
    }
}

fn failure_record<'a>(
    files: &'a SourceMap,
    claim: &ClaimReport,
    it: &'a Failure,
) -> FailureRecord<'a> {
    let subexpressions = it.subexpressions.iter().map(|(source, value)| SubexpressionRecord {
        source: on_one_line(files.text(*source)),
        value,
    });
    FailureRecord {
        id: &it.id,
        cause: cause_name(it.cause),
        diagnostic: json::diagnostic_record(files, &it.fault),
        counterexample: input_records(&it.arguments),
        site: it.site.map(|span| json::span_record(files, span)),
        sides: it.sides.as_ref().map(sides_record),
        subexpressions: subexpressions.collect(),
        locals: it.locals.iter().map(|(name, value)| LocalRecord { name, value }).collect(),
        drawn: &it.drawn,
        system_calls: &it.system_calls,
        shrink: it.shrink.as_ref().map(shrink_summary_record),
        replay_token: it.replay_token.as_deref(),
        replay_command: failure::replay_command(files, claim, it),
        saved_case: it.saved.as_ref().map(saved_case_record),
        related: it
            .related
            .iter()
            .map(|it| json::diagnostic_record(files, &it.fault))
            .collect(),
        verify_case: verify_blocks::case_record(claim, it),
    }
}

fn input_records(arguments: &[ReportedInput]) -> Vec<ReportedInputRecord<'_>> {
    let records = arguments.iter().map(|it| ReportedInputRecord {
        name: &it.name,
        ty: &it.ty,
        value: &it.value,
        irrelevant: it.is_irrelevant,
        others_tried: it.others_tried,
    });
    records.collect()
}

fn sides_record(it: &ComparisonSides) -> SidesRecord<'_> {
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

fn shrink_summary_record(it: &ShrinkSummary) -> ShrinkSummaryRecord<'_> {
    ShrinkSummaryRecord {
        case: it.case,
        original_choices: it.original_choices,
        choices: it.choices,
        executions: it.executions,
        outcome: match it.outcome {
            ShrinkOutcome::Minimal => "minimal",
            ShrinkOutcome::Timeout => "timeout",
            ShrinkOutcome::BudgetExhausted => "budget-exhausted",
            ShrinkOutcome::TooSlow => "too-slow",
            ShrinkOutcome::Interrupted => "interrupted",
            ShrinkOutcome::FromSavedCase => "saved-case",
        },
        original_inputs: input_records(&it.original_inputs),
        seed: it.seed,
    }
}

fn saved_case_record(it: &SavedCaseReport) -> SavedCaseRecord<'_> {
    let (state, reason) = warnings::saved_case_state(&it.state);
    SavedCaseRecord { file: &it.path, state, reason }
}

fn warning_records<'a>(
    files: &'a SourceMap,
    deny: &[DeniableLint],
    claim: &'a ClaimReport,
) -> Vec<WarningRecord<'a>> {
    let record = |it| {
        let remark = warnings::describe(claim, it);
        WarningRecord {
            lint: remark.lint.map(DeniableLint::name),
            message: remark.text,
            denied: warnings::is_denied(it, deny),
            location: remark.span.map(|span| json::span_record(files, span)),
        }
    };
    claim.warnings.iter().map(record).collect()
}
