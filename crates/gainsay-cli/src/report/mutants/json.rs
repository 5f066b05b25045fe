//! `--format json`: version 2 of the report schema shared by mutation testing tools.
//!
//! Data that the schema has no field for is in `config`, and in additional fields of mutants;
//! `docs/book/src/json.md` documents them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gainsay::mutate::{
    ClaimMutationReport, ClauseReport, HighLeverageTest, KillingCase, MutantCounts,
    MutantGroup, MutantReport, MutantStatus, SurvivorCounts, TestSuggestion,
};
use gainsay::source::{SourceFile, Span};
use serde::Serialize;

use super::{MutationReportData, descriptions, rounded};
use crate::report::on_one_line;

/// Readers choose a grammar by this, or by the file extension; none knows Gainsay.
const LANGUAGE: &str = "say";

/// Scores from here on are good.
const HIGH_SCORE: u32 = 90;

/// Scores below this are bad.
const LOW_SCORE: u32 = 70;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MutationReportRecord<'a> {
    schema_version: &'static str,
    framework: FrameworkRecord,
    thresholds: ThresholdsRecord,
    config: MutationConfigRecord<'a>,
    files: BTreeMap<&'a str, MutatedFileRecord<'a>>,
    test_files: BTreeMap<&'a str, TestFileRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct FrameworkRecord {
    name: &'static str,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct ThresholdsRecord {
    high: u32,
    low: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MutationConfigRecord<'a> {
    score: Option<f64>,
    contract_score: Option<f64>,
    min_score: Option<f64>,
    code: MutantCountsRecord,
    contracts: MutantCountsRecord,
    survivors: SurvivorCountsRecord,
    vacuous: Vec<&'a str>,
    equivalent: u64,
    excluded_functions: Vec<String>,
    clauses: Vec<ClauseRecord<'a>>,
    leverage: Vec<LeverageRecord<'a>>,
    interrupted: bool,
    exit: u8,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantCountsRecord {
    killed: usize,
    by_contract: usize,
    timeouts: usize,
    survived: usize,
    no_difference: usize,
    unreached: usize,
    suppressed: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SurvivorCountsRecord {
    unreached: usize,
    unobserved: usize,
    weakly_observed: usize,
    same_on_claim_inputs: usize,
    no_difference: usize,
    unexplained: usize,
}

#[derive(Debug, Serialize)]
struct ClauseRecord<'a> {
    file: &'a str,
    function: &'a str,
    source: String,
    location: SchemaLocation,
    kills: usize,
}

#[derive(Debug, Serialize)]
struct LeverageRecord<'a> {
    line: &'a str,
    kills: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct MutatedFileRecord<'a> {
    language: &'static str,
    source: &'a str,
    mutants: Vec<MutantResultRecord<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MutantResultRecord<'a> {
    id: &'a str,
    mutator_name: &'a str,
    replacement: &'a str,
    description: &'a str,
    location: SchemaLocation,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    killing_case: Option<KillingCaseRecord<'a>>,
    covered_by: Vec<&'a str>,
    killed_by: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_completed: Option<usize>,
    verdict: &'static str,
    group: &'static str,
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs_tried: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct KillingCaseRecord<'a> {
    claim: &'a str,
    inputs: Vec<KillingInputRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct KillingInputRecord<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Debug, Serialize)]
struct TestFileRecord<'a> {
    source: &'a str,
    tests: Vec<TestRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct TestRecord<'a> {
    id: &'a str,
    name: &'a str,
    location: SchemaLocation,
}

#[derive(Debug, Serialize)]
struct SchemaLocation {
    start: SchemaPosition,
    end: SchemaPosition,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct SchemaPosition {
    line: u32,
    column: u32,
}

/// The document, indented for people.
pub(super) fn document(data: &MutationReportData<'_>) -> String {
    let ids = claim_ids(&data.report.claims);
    let text = serde_json::to_string_pretty(&report_record(data, &ids));
    text.expect("records have text keys") + "\n"
}

/// The document on one line.
pub(super) fn line(data: &MutationReportData<'_>) -> String {
    let ids = claim_ids(&data.report.claims);
    serde_json::to_string(&report_record(data, &ids)).expect("records have text keys")
}

fn report_record<'a>(
    data: &MutationReportData<'a>,
    ids: &'a [String],
) -> MutationReportRecord<'a> {
    let framework = FrameworkRecord { name: "gainsay", version: env!("CARGO_PKG_VERSION") };
    let mut files: BTreeMap<&str, MutatedFileRecord<'_>> = BTreeMap::new();
    for it in &data.report.mutants {
        let source = data.source(it.mutant.span);
        let file = files.entry(data.path(it.mutant.span)).or_insert_with(|| {
            MutatedFileRecord { language: LANGUAGE, source: &source.text, mutants: Vec::new() }
        });
        file.mutants.push(mutant(data, ids, it));
    }
    let mut test_files: BTreeMap<&str, TestFileRecord<'_>> = BTreeMap::new();
    for (it, id) in data.report.claims.iter().zip(ids) {
        let source = data.source(it.span);
        let file = test_files
            .entry(data.path(it.span))
            .or_insert_with(|| TestFileRecord { source: &source.text, tests: Vec::new() });
        let location = location(source, it.span);
        file.tests.push(TestRecord { id, name: &it.name, location });
    }
    MutationReportRecord {
        schema_version: "2",
        framework,
        thresholds: ThresholdsRecord { high: HIGH_SCORE, low: LOW_SCORE },
        config: config(data, ids),
        files,
        test_files,
    }
}

fn config<'a>(data: &MutationReportData<'a>, ids: &'a [String]) -> MutationConfigRecord<'a> {
    let report = data.report;
    let vacuous = report.claims.iter().zip(ids).filter(|it| it.0.is_vacuous);
    let (code, contracts) =
        (report.counts(MutantGroup::Code), report.counts(MutantGroup::Contract));
    MutationConfigRecord {
        score: code.score().map(rounded),
        contract_score: contracts.score().map(rounded),
        min_score: data.min_score,
        code: counts(&code),
        contracts: counts(&contracts),
        survivors: survivors(&report.survivors()),
        vacuous: vacuous.map(|it| it.1.as_str()).collect(),
        equivalent: report.n_equivalent,
        excluded_functions: report.excluded.iter().map(descriptions::function_name).collect(),
        clauses: report.clauses.iter().map(|it| clause(data, it)).collect(),
        leverage: report.leverage.iter().map(|it| leverage(data, it)).collect(),
        interrupted: report.interrupted,
        exit: data.exit.number(),
    }
}

fn counts(it: &MutantCounts) -> MutantCountsRecord {
    MutantCountsRecord {
        killed: it.killed,
        by_contract: it.by_contract,
        timeouts: it.timeouts,
        survived: it.survived,
        no_difference: it.no_difference,
        unreached: it.unreached,
        suppressed: it.suppressed,
    }
}

fn survivors(it: &SurvivorCounts) -> SurvivorCountsRecord {
    SurvivorCountsRecord {
        unreached: it.unreached,
        unobserved: it.unobserved,
        weakly_observed: it.weakly_observed,
        same_on_claim_inputs: it.same_on_claim_inputs,
        no_difference: it.no_difference,
        unexplained: it.unexplained,
    }
}

fn clause<'a>(data: &MutationReportData<'a>, it: &'a ClauseReport) -> ClauseRecord<'a> {
    ClauseRecord {
        file: data.path(it.span),
        function: &it.function,
        source: on_one_line(data.files.text(it.span)),
        location: location(data.source(it.span), it.span),
        kills: it.n_detected,
    }
}

fn leverage<'a>(data: &MutationReportData<'a>, it: &'a HighLeverageTest) -> LeverageRecord<'a> {
    let kills = it.kills.iter().map(|at| &*data.report.mutants[*at].mutant.id);
    LeverageRecord { line: &it.line, kills: kills.collect() }
}

fn mutant<'a>(
    data: &MutationReportData<'a>,
    ids: &'a [String],
    it: &'a MutantReport,
) -> MutantResultRecord<'a> {
    let of_claims = |claims: &[usize]| claims.iter().map(|at| &*ids[*at]).collect();
    MutantResultRecord {
        id: &it.mutant.id,
        mutator_name: it.mutant.operator,
        replacement: &it.mutant.replacement,
        description: &it.mutant.description,
        location: location(data.source(it.mutant.span), it.mutant.span),
        status: status(&it.status),
        status_reason: status_reason(data, it),
        killing_case: it.killing_case.as_ref().map(|it| killing(ids, it)),
        covered_by: of_claims(&it.reached_by),
        killed_by: of_claims(&it.detected_by),
        tests_completed: tests_completed(it),
        verdict: descriptions::verdict_name(&it.status),
        group: match it.mutant.group {
            MutantGroup::Code => "code",
            MutantGroup::Contract => "contract",
        },
        function: &it.declaration,
        inputs_tried: inputs_tried(&it.status),
        suggestion: suggestion(it).map(|it| &*it.line),
    }
}

fn killing<'a>(ids: &'a [String], it: &'a KillingCase) -> KillingCaseRecord<'a> {
    let inputs = it.inputs.iter().map(|(name, value)| KillingInputRecord { name, value });
    KillingCaseRecord { claim: &ids[it.claim], inputs: inputs.collect() }
}

/// Why a mutant has its status, and what would change that. Several verdicts map to one status; for
/// those the reason starts with the verdict.
fn status_reason(data: &MutationReportData<'_>, it: &MutantReport) -> Option<String> {
    let reason = descriptions::verdict_reason(data, it)?;
    let mut text = match it.status {
        MutantStatus::KilledByContract(_) => format!("killed by contract: {reason}"),
        MutantStatus::Killed
        | MutantStatus::Timeout
        | MutantStatus::Survived
        | MutantStatus::NoDifference { .. }
        | MutantStatus::Unreached
        | MutantStatus::Suppressed(_) => reason,
    };
    if let Some(suggestion) = suggestion(it) {
        let (difference, line) = (descriptions::difference(suggestion), &suggestion.line);
        let _ = write!(text, "\n{difference}\nadd: {line}");
    }
    Some(text)
}

fn suggestion(it: &MutantReport) -> Option<&TestSuggestion> {
    it.explanation.as_ref()?.suggestion.as_ref()
}

/// The number of inputs tried without a difference, if that is the verdict.
fn inputs_tried(it: &MutantStatus) -> Option<u64> {
    if let MutantStatus::NoDifference { n_inputs } = it { Some(*n_inputs) } else { None }
}

/// The number of claims run; not known for killed mutants.
fn tests_completed(it: &MutantReport) -> Option<usize> {
    match it.status {
        MutantStatus::Survived | MutantStatus::NoDifference { .. } => Some(it.reached_by.len()),
        MutantStatus::Unreached | MutantStatus::Suppressed(_) => Some(0),
        MutantStatus::Killed | MutantStatus::KilledByContract(_) | MutantStatus::Timeout => {
            None
        }
    }
}

/// The verdict, as far as the schema distinguishes verdicts.
fn status(it: &MutantStatus) -> &'static str {
    match it {
        MutantStatus::Killed | MutantStatus::KilledByContract(_) => "Killed",
        MutantStatus::Timeout => "Timeout",
        MutantStatus::Survived | MutantStatus::NoDifference { .. } => "Survived",
        MutantStatus::Unreached => "NoCoverage",
        MutantStatus::Suppressed(_) => "Ignored",
    }
}

/// A unique id for each claim: its name, and a number if the name is not unique.
fn claim_ids(claims: &[ClaimMutationReport]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let id = |it: &ClaimMutationReport| {
        let id = format!("{}::{}", it.module, it.name);
        let count = counts.entry(id.clone()).or_default();
        *count += 1;
        if *count == 1 { id } else { format!("{id} ({count})") }
    };
    claims.iter().map(id).collect()
}

fn location(file: &SourceFile, span: Span) -> SchemaLocation {
    SchemaLocation { start: position(file, span.start), end: position(file, span.end) }
}

/// A position in UTF-16 code units, which is how the readers of the schema count: they are written
/// in JavaScript.
fn position(file: &SourceFile, offset: u32) -> SchemaPosition {
    let line = file.position(offset).line;
    let before = &file.text[..offset as usize];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    SchemaPosition { line, column: before[start..].encode_utf16().count() as u32 + 1 }
}

#[cfg(test)]
mod tests {
    use gainsay::source::SourceFile;
    use serde_json::Value;

    use super::super::fixture;
    use super::{SchemaPosition, document, line, position};

    #[test]
    fn the_document_is_the_one_that_is_documented() {
        let text = fixture::with_report_data(document);
        fixture::assert_golden("report.json", &text);
        let value: Value = serde_json::from_str(&text).unwrap();
        let mutants = value["files"]["bill.say"]["mutants"].as_array().unwrap();
        assert_eq!(mutants.len(), fixture::N_MUTANTS);
        assert_eq!(
            value,
            serde_json::from_str::<Value>(&fixture::with_report_data(line)).unwrap()
        );
    }

    #[test]
    fn every_claim_that_a_mutant_names_is_there_once() {
        let value: Value = serde_json::from_str(&fixture::with_report_data(document)).unwrap();
        let tests = value["testFiles"]["bill.say"]["tests"].as_array().unwrap();
        let ids: Vec<&Value> = tests.iter().map(|it| &it["id"]).collect();
        for mutant in value["files"]["bill.say"]["mutants"].as_array().unwrap() {
            for key in ["coveredBy", "killedBy"] {
                for id in mutant[key].as_array().unwrap() {
                    assert_eq!(ids.iter().filter(|it| **it == id).count(), 1, "{id}");
                }
            }
        }
    }

    #[test]
    fn columns_count_utf_16() {
        let file = SourceFile::new("a.say", "a\nö😀b\r\n");
        let at = |offset| position(&file, offset);
        assert_eq!(at(2), SchemaPosition { line: 2, column: 1 });
        assert_eq!(at(4), SchemaPosition { line: 2, column: 2 });
        assert_eq!(at(8), SchemaPosition { line: 2, column: 4 });
        assert_eq!(at(11), SchemaPosition { line: 3, column: 1 });
    }
}
