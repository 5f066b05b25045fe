//! The results that library operations can have: generated worlds stay within them, because a world
//! that cannot occur is no counterexample to a law.

use std::sync::Arc;

use gainsay_core::{CtorId, OpId, Program, Ty};
use num_bigint::BigInt;

use crate::constants::CodeConstants;
use crate::domain::{CodePointSet, Domain, FloatSet, IntSet, LengthRange, TextSet};
use crate::hostile::{LAST_MS, NEW_YEAR, rfc3339};

/// The status codes of HTTP (RFC 9110, section 15).
const STATUS: (i64, i64) = (100, 599);
/// The maximum number of columns and rows of a terminal.
const WIDEST: i64 = 10_000;
/// The length of a day in milliseconds.
pub(crate) const DAY: i64 = 86_400_000;
/// The number of instants of `Time.now` that are spread over all years.
const SPREAD: u64 = 64;

/// The name of a library operation, whose results may be restricted.
pub(crate) fn library_operation_name(program: &Program, op: OpId) -> Option<String> {
    let effect = program.effect(program.op(op).effect);
    program.module(effect.module).is_std.then(|| program.op_name(op))
}

/// The results that a library operation can have.
pub(crate) fn answer_domain(program: &Program, op: OpId, constants: &CodeConstants) -> Domain {
    let Some(name) = library_operation_name(program, op) else { return Domain::Any };
    let lang = &program.lang;
    match &*name {
        "Random.float" => Domain::of_floats(FloatSet::numbers(0.0, 1.0_f64.next_down())),
        "Time.unix_ms" => ints(0, i64::MAX),
        "Time.now" => {
            Domain::Text(TextSet { listed: Some(instants(constants)), ..TextSet::any() })
        }
        "Terminal.size" => Domain::Tuple([ints(1, WIDEST), ints(1, WIDEST)].into()),
        "Terminal.read_key" => inside(program, op, lang.some, text(1, |_| true)),
        "Console.read_line" => inside(program, op, lang.some, line()),
        "Args.get" => Domain::of_items(LengthRange::ANY, text(0, |it| it != '\0'), Domain::Any),
        "Env.get" => inside(program, op, lang.some, text(0, |it| it != '\0')),
        "Disk.list_dir" => {
            let name = text(1, |it| it != '/' && it != '\0');
            inside(program, op, lang.ok, Domain::of_items(LengthRange::ANY, name, Domain::Any))
        }
        "Http.get" | "Http.head" | "Http.delete" | "Http.post" | "Http.put" | "Http.patch" => {
            let fields = [ints(STATUS.0, STATUS.1), Domain::Any, Domain::Any];
            let response = Domain::Constructors([Some(fields.into())].into());
            inside(program, op, lang.ok, response)
        }
        _ => Domain::Any,
    }
}

fn ints(min: i64, max: i64) -> Domain {
    Domain::of_ints(IntSet::between(Some(BigInt::from(min)), Some(BigInt::from(max))))
}

/// Texts of at least `min` characters, all of which are allowed.
fn text(min: u32, is_allowed: impl Fn(char) -> bool) -> Domain {
    let lens = LengthRange { min, max: None };
    Domain::Text(TextSet { lens, chars: CodePointSet::matching(is_allowed), listed: None })
}

/// A line without its terminator.
fn line() -> Domain {
    text(0, |it| it != '\n' && it != '\r')
}

/// Results in which the field of a constructor with one field is restricted; other constructors are
/// not.
fn inside(program: &Program, op: OpId, ctor: Option<CtorId>, field: Domain) -> Domain {
    let result = program.op(op).result;
    let Ty::Named(named, _) = program.types.get(program.types.base(result)) else {
        return Domain::Any;
    };
    let cases = program.nominal(*named).ctors.iter().map(|it| {
        let n_fields = program.ctor(*it).fields.len();
        let fields = if Some(*it) == ctor && n_fields == 1 {
            vec![field.clone()]
        } else {
            vec![Domain::Any; n_fields]
        };
        Some(fields.into())
    });
    Domain::Constructors(cases.collect())
}

/// Instants as the clock writes them: calendar boundaries, a few consecutive seconds, others of all
/// years, and those that the code under test mentions.
fn instants(constants: &CodeConstants) -> Vec<Arc<str>> {
    // 2000 and 2024 have a leap day, 2038 is the end of 32 bits, 9999 that of four digits.
    let turns = [
        0,
        946_684_799_999,
        951_782_400_000,
        1_709_164_800_000,
        NEW_YEAR,
        2_147_483_648_000,
        LAST_MS,
    ];
    let seconds = (0..8).map(|n| NEW_YEAR + n * 1_000);
    let around = turns.into_iter().flat_map(|at| [at - 1, at, at + 1, at + DAY]);
    let spread = (0..SPREAD).map(|n| {
        // Multiples of the golden ratio spread any number of points evenly.
        let place = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11;
        (place % LAST_MS.unsigned_abs()) as i64
    });
    let all = around.chain(seconds).chain(spread).filter(|ms| (0..=LAST_MS).contains(ms));
    let mut words: Vec<Arc<str>> = all.map(|ms| rfc3339(ms).into()).collect();
    words.extend(constants.texts.iter().filter(|it| is_instant(it)).cloned());
    words.sort();
    words.dedup();
    words
}

/// Whether a text has the form of `2025-01-31T12:00:00.000Z`.
fn is_instant(text: &str) -> bool {
    let form = "0000-00-00T00:00:00.000Z";
    text.len() == form.len()
        && text
            .bytes()
            .zip(form.bytes())
            .all(|(it, wanted)| if wanted == b'0' { it.is_ascii_digit() } else { it == wanted })
}

#[cfg(test)]
mod tests {
    use super::{instants, is_instant};
    use crate::constants::CodeConstants;

    #[test]
    fn instants_have_their_form_and_come_in_order() {
        let texts = vec!["1969-07-20T20:17:40.000Z".into(), "soon".into()];
        let found = instants(&CodeConstants { texts, ..CodeConstants::default() });
        assert!(found.len() > 80, "{}", found.len());
        assert!(found.iter().all(|it| is_instant(it)));
        assert!(found.is_sorted());
        assert_eq!(&*found[0], "1969-07-20T20:17:40.000Z");
        assert_eq!(&**found.last().unwrap(), "9999-12-31T23:59:59.999Z");
    }
}
