//! Cases of `verify` blocks: what they came to, and those that failed.

use std::fmt::Write as _;

use gainsay::source::Style;
use gainsay::test::{Argument, ClaimReport, Failure, Origin, VerifiedCase, VerifyReport};
use serde::Serialize;

use super::Account;
use super::failure::brief;
use crate::report::counted;
use crate::report::paint::{Tone, paint};

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

/// How many failures of a block are not told, if there are any.
pub(super) fn untold(claim: &ClaimReport) -> String {
    match claim.verify.as_ref().map_or(0, |it| it.untold) {
        0 => String::new(),
        n => format!(
            "  and {} of {} that fail in other ways\n\n",
            counted(n, "more case"),
            claim.id()
        ),
    }
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
    let any = if it.is_irrelevant { "  // any other fails as well" } else { "" };
    format!("{} = {}{any}", it.name, brief(&it.value))
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
    })
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
    Some(CaseRecord {
        slug: failure.fault.code.slug,
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
