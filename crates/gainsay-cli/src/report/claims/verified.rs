//! Cases of `verify` blocks: what they came to, and those that failed.

use std::fmt::Write as _;

use gainsay::source::{Style, codes};
use gainsay::test::{
    Argument, ClaimReport, Coverage, FailingOrigin, Failure, Origin, VerifiedCase, VerifyReport,
};
use serde::Serialize;

use super::Account;
use super::failure::{brief, others_fail};
use crate::report::counted;
use crate::report::paint::{Tone, paint};

/// At most so many origins of failures are listed that are not told in full.
const MOST_ORIGINS: usize = 8;

/// `4/7 passed (3/3 declared, 1/4 hostile)`.
pub(super) fn amount(it: &VerifyReport) -> String {
    let all = it.checks();
    let mut text = format!("{}/{} passed", all.passed, all.all());
    if it.hostile.all() > 0 {
        let _ = write!(
            text,
            " ({}/{} declared, {}/{} hostile)",
            it.declared.passed,
            it.declared.all(),
            it.hostile.passed,
            it.hostile.all()
        );
    }
    if it.skipped > 0 {
        let _ = write!(text, ", {} left out by `when`", it.skipped);
    }
    if it.declined > 0 {
        let _ = write!(text, ", {} declined", it.declined);
    }
    text
}

/// How many failures of a block are not told, if there are any, and what they are due to.
pub(super) fn untold(claim: &ClaimReport) -> String {
    let Some(it) = claim.verify.as_ref().filter(|it| it.untold > 0) else {
        return String::new();
    };
    let verb = if it.untold == 1 { "fails" } else { "fail" };
    let cases = counted(it.untold, "more case");
    let mut text = format!("  and {cases} of {} that {verb} in other ways\n", claim.id());
    let verified = claim.failures.iter().filter_map(|it| it.verified.as_ref());
    let n_told = verified.filter(|it| it.from_hostile).count();
    let others = it.failing.get(n_told..).unwrap_or_default();
    for failing in others.iter().take(MOST_ORIGINS) {
        let cases = counted(failing.cases, "case");
        let _ = writeln!(text, "    {}: {cases}", origin(&failing.origin));
    }
    if others.len() > MOST_ORIGINS {
        text += "    .. (`--format json` lists more)\n";
    }
    text.push('\n');
    text
}

/// What was tried of a product of choices, in words.
pub(super) fn coverage(it: &Coverage) -> String {
    let all = it.combinations;
    let word = |strength: u32| match strength {
        1 => "choice",
        2 => "pair",
        _ => "triple",
    };
    let mut text = format!("hostility has {all} combinations, too many to try each: ");
    match it.strength {
        0 => text += "not every choice was tried",
        strength => {
            let of = if strength > 1 { " of choices" } else { "" };
            let _ = write!(text, "every {}{of} was tried", word(strength));
        }
    }
    if it.excluded > 0 {
        let _ = write!(text, " but {} that `when` leaves out", it.excluded);
    }
    if let Some((met, of)) = it.partial {
        let _ = write!(text, ", and {met} of {of} {}s", word(it.strength + 1));
    }
    text
}

/// What there is to know of a case, a line each, in the order in which one asks.
pub(super) fn lines(failure: &Failure, it: &VerifiedCase, style: Style) -> String {
    let mut text = line("case", &brief(&it.case));
    if let Some(sides) = &failure.sides {
        text += &line("expected", &paint(style, Tone::Good, &brief(&sides.right)));
        text += &line("actual", &paint(style, Tone::Bad, &brief(&sides.left)));
    }
    let givens: Vec<String> = failure.arguments.iter().map(given).collect();
    if !givens.is_empty() {
        text += &line("given", &givens.join("\n"));
    }
    if let Some(law) = &it.law {
        text += &line("law", law);
    }
    if !it.origin.is_empty() {
        text += &line("origin", &origin(&it.origin));
    }
    if it.others > 0 {
        text += &line("besides", &format!("{} like it", counted(it.others, "case")));
    }
    if let Some(world) = &it.world {
        text += &line("world", world);
    }
    text
}

fn given(it: &Argument) -> String {
    let others = others_fail(it).map_or_else(String::new, |others| format!("  // {others}"));
    format!("{} = {}{others}", it.name, brief(&it.value))
}

/// `  case:     f(0) => true`, further lines of the value below its first.
fn line(name: &str, value: &str) -> String {
    let value = value.trim_end().replace('\n', "\n            ");
    format!("  {:9} {value}\n", format!("{name}:"))
}

/// `value boundary + effect profile: Time.unix_ms/saturated`.
pub(super) fn origin(origin: &[Origin]) -> String {
    let words: Vec<String> = origin
        .iter()
        .map(|it| match it {
            Origin::Boundary => "value boundary".to_owned(),
            Origin::Profile { op, name } => format!("effect profile: {op}/{name}"),
            Origin::Order(order) => {
                let order: Vec<String> = order.iter().map(u32::to_string).collect();
                format!("order: {}", order.join(","))
            }
            Origin::Explored => "explored values".to_owned(),
            Origin::Generated => "generated world".to_owned(),
        })
        .collect();
    words.join(" + ")
}

/// What a block came to.
#[derive(Debug, Serialize)]
pub(super) struct BlockRecord<'a> {
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
    untold: u64,
    failing: Vec<FailingRecord>,
    coverage: Option<CoverageRecord>,
}

#[derive(Debug, Serialize)]
struct FailingRecord {
    origin: String,
    cases: u64,
}

/// What was tried of a product that is too large to be run.
#[derive(Debug, Serialize)]
struct CoverageRecord {
    combinations: u64,
    strength: u32,
    excluded_by_when: u64,
    next_covered: Option<u64>,
    next_total: Option<u64>,
}

/// The block of a claim.
pub(super) fn block(claim: &ClaimReport) -> Option<BlockRecord<'_>> {
    let it = claim.verify.as_ref()?;
    Some(BlockRecord {
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
        untold: it.untold,
        failing: it.failing.iter().map(failing).collect(),
        coverage: it.coverage.map(|it| CoverageRecord {
            combinations: it.combinations,
            strength: it.strength,
            excluded_by_when: it.excluded,
            next_covered: it.partial.map(|it| it.0),
            next_total: it.partial.map(|it| it.1),
        }),
    })
}

fn failing(it: &FailingOrigin) -> FailingRecord {
    FailingRecord { origin: origin(&it.origin), cases: it.cases }
}

/// All blocks of a run.
#[derive(Debug, Serialize)]
pub(super) struct VerifySummary<'a> {
    blocks: Vec<BlockRecord<'a>>,
}

/// All blocks of a run.
pub(super) fn summary<'a>(account: &Account<'a>) -> VerifySummary<'a> {
    VerifySummary { blocks: account.report.claims.iter().filter_map(block).collect() }
}

/// A case that failed.
#[derive(Debug, Serialize)]
pub(super) struct CaseRecord<'a> {
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

/// The case that a failure is, if it is one of a block.
pub(super) fn case<'a>(claim: &ClaimReport, failure: &'a Failure) -> Option<CaseRecord<'a>> {
    let it: &VerifiedCase = failure.verified.as_ref()?;
    let given = failure.arguments.iter().map(|it| GivenRecord {
        name: &it.name,
        value: &it.value,
        matters: !it.is_irrelevant,
    });
    let slug = failure.fault.code.slug;
    let hostile = codes::VERIFY_HOSTILE_MISMATCH.slug;
    let is_more = it.from_hostile && slug != hostile;
    Some(CaseRecord {
        slug,
        slugs: [slug].into_iter().chain(is_more.then_some(hostile)).collect(),
        from_hostile: it.from_hostile,
        block: claim.id(),
        case: &it.case,
        expected: failure.sides.as_ref().map(|it| &*it.right),
        actual: failure.sides.as_ref().map(|it| &*it.left),
        given: given.collect(),
        law: it.law.as_deref(),
        origin: (!it.origin.is_empty()).then(|| origin(&it.origin)),
        others: it.others,
        repair: failure.fault.help.iter().map(|it| it.text.as_str()).collect(),
        world: it.world.as_deref(),
    })
}
