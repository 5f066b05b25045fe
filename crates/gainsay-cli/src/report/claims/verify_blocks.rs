//! Results of `verify` blocks: pass counts, coverage, and failed cases.

use std::fmt::Write as _;

use gainsay::source::{RenderStyle, codes};
use gainsay::test::{
    ClaimReport, CombinationCoverage, FailedVerifyCase, Failure, HostileFailureGroup,
    HostileOrigin, ReportedInput, VerifyReport,
};
use serde::Serialize;

use super::TestReportData;
use super::failure::{irrelevant_note, truncated};
use crate::report::colors::{TextRole, paint};
use crate::report::pluralize;

/// The maximum number of origins listed for unreported failures.
const MAX_ORIGINS: usize = 8;

/// `4/7 passed (3/3 declared, 1/4 hostile)`.
pub(super) fn pass_counts(it: &VerifyReport) -> String {
    let all = it.checks();
    let mut text = format!("{}/{} passed", all.passed, all.total());
    if it.hostile.total() > 0 {
        let _ = write!(
            text,
            " ({}/{} declared, {}/{} hostile)",
            it.declared.passed,
            it.declared.total(),
            it.hostile.passed,
            it.hostile.total()
        );
    }
    if it.skipped > 0 {
        let _ = write!(text, ", {} skipped by `when`", it.skipped);
    }
    if it.declined > 0 {
        let _ = write!(text, ", {} declined", it.declined);
    }
    text
}

/// The number of unreported failures of a block, if any, and their origins.
pub(super) fn unreported_failures(claim: &ClaimReport) -> String {
    let Some(it) = claim.verify.as_ref().filter(|it| it.unreported > 0) else {
        return String::new();
    };
    let verb = if it.unreported == 1 { "fails" } else { "fail" };
    let cases = pluralize(it.unreported, "more case");
    let mut text = format!("  and {cases} of {} {verb} differently\n", claim.id());
    let verified = claim.failures.iter().filter_map(|it| it.verify_case.as_ref());
    let n_shown = verified.filter(|it| it.from_hostile).count();
    let others = it.failing.get(n_shown..).unwrap_or_default();
    for failing in others.iter().take(MAX_ORIGINS) {
        let cases = pluralize(failing.cases, "case");
        let _ = writeln!(text, "    {}: {cases}", origin_text(&failing.origin));
    }
    if others.len() > MAX_ORIGINS {
        text += "    .. (`--format json` lists more)\n";
    }
    text.push('\n');
    text
}

/// How much of a product of choices was run, in words.
pub(super) fn coverage_text(it: &CombinationCoverage) -> String {
    let all = it.combinations;
    let word = |strength: u32| match strength {
        1 => "choice",
        2 => "pair",
        _ => "triple",
    };
    let mut text =
        format!("there are too many hostile combinations ({all}) to try all of them: ");
    match it.strength {
        0 => text += "not every choice was tried",
        strength => {
            let of = if strength > 1 { " of choices" } else { "" };
            let _ = write!(text, "every {}{of} was tried", word(strength));
        }
    }
    if it.excluded > 0 {
        let _ = write!(text, " except {} skipped by `when`", it.excluded);
    }
    if let Some((met, of)) = it.partial {
        let _ = write!(text, ", and {met} of {of} {}s", word(it.strength + 1));
    }
    text
}

/// The facts about a case, one line each, most important first.
pub(super) fn case_lines(
    failure: &Failure,
    it: &FailedVerifyCase,
    style: RenderStyle,
) -> String {
    let mut text = line("case", &truncated(&it.case));
    if let Some(sides) = &failure.sides {
        text += &line("expected", &paint(style, TextRole::Success, &truncated(&sides.right)));
        text += &line("actual", &paint(style, TextRole::Failure, &truncated(&sides.left)));
    }
    let givens: Vec<String> = failure.arguments.iter().map(given_text).collect();
    if !givens.is_empty() {
        text += &line("given", &givens.join("\n"));
    }
    if let Some(law) = &it.law {
        text += &line("law", law);
    }
    if !it.origin.is_empty() {
        text += &line("origin", &origin_text(&it.origin));
    }
    if it.others > 0 {
        text += &line("also", &format!("{} like this one", pluralize(it.others, "case")));
    }
    if let Some(world) = &it.world {
        text += &line("world", world);
    }
    text
}

fn given_text(it: &ReportedInput) -> String {
    let others =
        irrelevant_note(it).map_or_else(String::new, |others| format!("  // {others}"));
    format!("{} = {}{others}", it.name, truncated(&it.value))
}

/// `  case:     f(0) => true`, with further lines of the value aligned below.
fn line(name: &str, value: &str) -> String {
    let value = value.trim_end().replace('\n', "\n            ");
    format!("  {:9} {value}\n", format!("{name}:"))
}

/// `value boundary + effect profiles: Time.unix_ms/saturated, Disk.read_text/err`.
pub(super) fn origin_text(origin: &[HostileOrigin]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut profiles: Vec<String> = Vec::new();
    for it in origin {
        match it {
            HostileOrigin::Boundary => parts.push("value boundary".to_owned()),
            HostileOrigin::Profile { op, name } => profiles.push(format!("{op}/{name}")),
            HostileOrigin::Order(order) => {
                let order: Vec<String> = order.iter().map(u32::to_string).collect();
                parts.push(format!("order: {}", order.join(",")));
            }
            HostileOrigin::Explored => parts.push("explored values".to_owned()),
            HostileOrigin::Generated => parts.push("generated world".to_owned()),
        }
    }
    match &profiles[..] {
        [] => {}
        [one] => parts.push(format!("effect profile: {one}")),
        several => parts.push(format!("effect profiles: {}", several.join(", "))),
    }
    parts.join(" + ")
}

/// The result of a block.
#[derive(Debug, Serialize)]
pub(super) struct VerifyBlockRecord<'a> {
    block: String,
    function: &'a str,
    law: Option<&'a str>,
    traced: bool,
    declared_passed: u64,
    declared_failed: u64,
    hostile_passed: u64,
    hostile_failed: u64,
    skipped_by_when: u64,
    declined: u64,
    unreported: u64,
    failing: Vec<FailingOriginRecord>,
    coverage: Option<CoverageRecord>,
}

#[derive(Debug, Serialize)]
struct FailingOriginRecord {
    origin: String,
    cases: u64,
}

/// How much of a product was run that is too large to run completely.
#[derive(Debug, Serialize)]
struct CoverageRecord {
    combinations: u64,
    strength: u32,
    excluded_by_when: u64,
    next_covered: Option<u64>,
    next_total: Option<u64>,
}

/// The block of a claim.
pub(super) fn block_record(claim: &ClaimReport) -> Option<VerifyBlockRecord<'_>> {
    let it = claim.verify.as_ref()?;
    Some(VerifyBlockRecord {
        block: claim.id(),
        function: &it.function,
        law: it.law.as_deref(),
        traced: it.traced,
        declared_passed: it.declared.passed,
        declared_failed: it.declared.failed,
        hostile_passed: it.hostile.passed,
        hostile_failed: it.hostile.failed,
        skipped_by_when: it.skipped,
        declined: it.declined,
        unreported: it.unreported,
        failing: it.failing.iter().map(failing_origin_record).collect(),
        coverage: it.coverage.map(|it| CoverageRecord {
            combinations: it.combinations,
            strength: it.strength,
            excluded_by_when: it.excluded,
            next_covered: it.partial.map(|it| it.0),
            next_total: it.partial.map(|it| it.1),
        }),
    })
}

fn failing_origin_record(it: &HostileFailureGroup) -> FailingOriginRecord {
    FailingOriginRecord { origin: origin_text(&it.origin), cases: it.cases }
}

/// All blocks of a run.
#[derive(Debug, Serialize)]
pub(super) struct VerifySummaryRecord<'a> {
    blocks: Vec<VerifyBlockRecord<'a>>,
}

/// All blocks of a run.
pub(super) fn summary<'a>(data: &TestReportData<'a>) -> VerifySummaryRecord<'a> {
    VerifySummaryRecord { blocks: data.report.claims.iter().filter_map(block_record).collect() }
}

/// A case that failed.
#[derive(Debug, Serialize)]
pub(super) struct VerifyCaseRecord<'a> {
    slug: &'static str,
    slugs: Vec<&'static str>,
    from_hostile: bool,
    block: String,
    case: &'a str,
    expected: Option<&'a str>,
    actual: Option<&'a str>,
    given: Vec<GivenRecord<'a>>,
    law: Option<&'a str>,
    origin: Option<String>,
    others: u64,
    repair: Vec<&'a str>,
    world: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct GivenRecord<'a> {
    name: &'a str,
    value: &'a str,
    matters: bool,
}

/// The record of a failure, if it is a case of a block.
pub(super) fn case_record<'a>(
    claim: &ClaimReport,
    failure: &'a Failure,
) -> Option<VerifyCaseRecord<'a>> {
    let it: &FailedVerifyCase = failure.verify_case.as_ref()?;
    let given = failure.arguments.iter().map(|it| GivenRecord {
        name: &it.name,
        value: &it.value,
        matters: !it.is_irrelevant,
    });
    let slug = failure.fault.code.slug;
    let hostile = codes::VERIFY_HOSTILE_MISMATCH.slug;
    let is_more = it.from_hostile && slug != hostile;
    Some(VerifyCaseRecord {
        slug,
        slugs: [slug].into_iter().chain(is_more.then_some(hostile)).collect(),
        from_hostile: it.from_hostile,
        block: claim.id(),
        case: &it.case,
        expected: failure.sides.as_ref().map(|it| &*it.right),
        actual: failure.sides.as_ref().map(|it| &*it.left),
        given: given.collect(),
        law: it.law.as_deref(),
        origin: (!it.origin.is_empty()).then(|| origin_text(&it.origin)),
        others: it.others,
        repair: failure.fault.help.iter().map(|it| it.text.as_str()).collect(),
        world: it.world.as_deref(),
    })
}
