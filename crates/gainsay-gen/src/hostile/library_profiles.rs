//! The profiles of the effects of the standard library, one table row for each operation, and which
//! operation gets which.

use gainsay_core::{Datum, Literal, ModuleId, OpId, Program};

use super::derived_profiles::{ProfileAnswers, derive_profiles, failure_schedules};
use super::{HostileProfile, ProfileRule, Rewriter};

/// The first millisecond of 2025, UTC.
pub(crate) const NEW_YEAR: i64 = 1_735_689_600_000;
/// A second and a year in milliseconds.
const SECOND: i64 = 1_000;
const YEAR: i64 = 31_536_000_000;
/// The last millisecond with a four-digit year, which is all that texts can represent.
pub(crate) const LAST_MS: i64 = 253_402_300_799_999;
/// How many answers of `Time.now` differ before it stands still.
const MAX_TEXTS: i64 = 60;

impl Rewriter<'_> {
    /// All profiles of an operation.
    pub(super) fn profiles(&mut self, op: OpId, module: ModuleId) -> Vec<HostileProfile> {
        let program = self.deriver.program;
        let mut found = match &*program.op_name(op) {
            "Time.unix_ms" => self.clock_profiles(op),
            "Random.int" => self.random_number_profiles(op),
            name => {
                let of_library =
                    program.module(program.effects[program.op(op).effect.index()].module);
                let known =
                    if of_library.is_std { library_profiles(program, name) } else { None };
                let answers = known.unwrap_or_else(|| {
                    let boundaries = self.boundaries(program.op(op).result, module);
                    derive_profiles(program, &boundaries)
                });
                // A stub that does not receive a call count cannot change its answer.
                let is_steady = !program.op(op).kind.stub_takes_path_and_count();
                let answers =
                    answers.into_iter().filter(|it| !is_steady || it.answers.len() == 1);
                answers.map(|it| self.profile_from_answers(op, it)).collect()
            }
        };
        let declared = program.profiles.iter().filter(|it| it.op == op);
        found.extend(declared.map(|it| HostileProfile {
            name: it.name.clone(),
            function: it.function,
            captures: Vec::new(),
            rule: ProfileRule::Declared,
        }));
        found
    }

    fn profile_from_answers(&mut self, op: OpId, it: ProfileAnswers) -> HostileProfile {
        let rule = if it.is_cycle { ProfileRule::Cycle } else { ProfileRule::Sequence };
        let function = self.profile_stub(op, rule);
        let captures = vec![Datum::List(it.answers)];
        HostileProfile { name: it.name.into(), function, captures, rule }
    }

    fn clock_profiles(&mut self, op: OpId) -> Vec<HostileProfile> {
        let function = self.profile_stub(op, ProfileRule::Steps);
        let profiles = CLOCKS.iter().map(|(name, start, step)| HostileProfile {
            name: (*name).into(),
            function,
            captures: vec![int(*start), int(*step)],
            rule: ProfileRule::Steps,
        });
        profiles.collect()
    }

    fn random_number_profiles(&mut self, op: OpId) -> Vec<HostileProfile> {
        let rules = [
            ("midrange", ProfileRule::Middle),
            ("always_min", ProfileRule::Least),
            ("always_max", ProfileRule::Greatest),
            ("alternating", ProfileRule::Extremes),
        ];
        let profiles = rules.map(|(name, rule)| HostileProfile {
            name: name.into(),
            function: self.profile_stub(op, rule),
            captures: Vec::new(),
            rule,
        });
        profiles.into()
    }
}

/// Clocks: where they start, and how far they advance on each call.
const CLOCKS: [(&str, i64, i64); 6] = [
    ("normal", NEW_YEAR, SECOND),
    ("frozen", NEW_YEAR, 0),
    ("frozen_zero", 0, 0),
    ("saturated", i64::MAX, 0),
    ("backward", NEW_YEAR, -SECOND),
    ("fast_forward", NEW_YEAR, YEAR),
];

const YES: Datum = Datum::Literal(Literal::Bool(true));
const NO: Datum = Datum::Literal(Literal::Bool(false));

/// The profiles of a library operation that answers from a table.
fn library_profiles(program: &Program, name: &str) -> Option<Vec<ProfileAnswers>> {
    let make = DatumBuilder { lang: program.lang };
    let always = ProfileAnswers::always;
    Some(match name {
        "Time.now" => CLOCKS.iter().map(|clock| text_clock(*clock)).collect(),
        "Random.float" => vec![
            always("midrange", float(0.5)),
            always("always_zero", float(0.0)),
            always("almost_one", float(1.0_f64.next_down())),
        ],
        "Args.get" => vec![
            always("normal", texts(&["input.txt"])),
            always("empty", texts(&[])),
            always("many", texts(&["", "\0", "--flag"])),
        ],
        "Env.get" => vec![
            always("normal", make.some(text("value"))?),
            always("missing", make.none()?),
            always("empty", make.some(text(""))?),
        ],
        "Terminal.size" => vec![
            always("normal", Datum::Tuple(vec![int(80), int(24)])),
            always("minimal", Datum::Tuple(vec![int(1), int(1)])),
        ],
        "Terminal.read_key" => {
            vec![always("normal", make.some(text("a"))?), always("no_input", make.none()?)]
        }
        "Console.read_line" => vec![
            always("normal", make.some(text("hello"))?),
            always("empty", make.some(text(""))?),
            always("end", make.none()?),
        ],
        "Disk.exists" => vec![
            always("always", YES),
            always("never", NO),
            ProfileAnswers { name: "flips".to_owned(), answers: vec![YES, NO], is_cycle: true },
        ],
        "Disk.read_text" => {
            let ok = make.ok(text("hello\n"))?;
            let empty = always("empty", make.ok(text(""))?);
            fallible_profiles(ok, vec![empty], make.err("no such file")?)
        }
        "Disk.list_dir" => {
            let ok = make.ok(texts(&["a.txt", "b.txt"]))?;
            let empty = always("empty", make.ok(texts(&[]))?);
            fallible_profiles(ok, vec![empty], make.err("no such folder")?)
        }
        "Disk.write_text" | "Disk.append_text" | "Disk.delete" | "Disk.delete_dir"
        | "Disk.make_dir" => {
            fallible_profiles(make.ok(unit())?, Vec::new(), make.err("disk full")?)
        }
        "Http.get" | "Http.head" | "Http.delete" | "Http.post" | "Http.put" | "Http.patch" => {
            let ok = make.ok(response(program, 200, "ok")?)?;
            let broken = always("server_error", make.ok(response(program, 500, "")?)?);
            fallible_profiles(ok, vec![broken], make.err("connection refused")?)
        }
        "Tcp.send" => {
            fallible_profiles(make.ok(text("ok"))?, Vec::new(), make.err("timed out")?)
        }
        "Tcp.ping" | "Tcp.write_line" | "Tcp.close" => {
            fallible_profiles(make.ok(unit())?, Vec::new(), make.err("connection reset")?)
        }
        "Tcp.read_line" => {
            let ok = make.ok(make.some(text("ok"))?)?;
            let end = always("end", make.ok(make.none()?)?);
            fallible_profiles(ok, vec![end], make.err("connection reset")?)
        }
        "Tcp.connect" => {
            let connection = one_ctor(program, "Connection", vec![int(1)])?;
            fallible_profiles(make.ok(connection)?, Vec::new(), make.err("connection refused")?)
        }
        _ => return None,
    })
}

/// What works, what works in an odd way, what fails, and what fails intermittently.
fn fallible_profiles(ok: Datum, odd: Vec<ProfileAnswers>, err: Datum) -> Vec<ProfileAnswers> {
    let mut found = vec![ProfileAnswers::always("normal", ok.clone())];
    found.extend(odd);
    found.push(ProfileAnswers::always("always_err", err.clone()));
    found.extend(failure_schedules("err", &ok, &err));
    found
}

/// A clock that answers with texts: `2025-01-01T00:00:00.000Z`.
fn text_clock((name, start, step): (&str, i64, i64)) -> ProfileAnswers {
    let n_texts = if step == 0 { 1 } else { MAX_TEXTS };
    let instants = (0..n_texts).map(|n| start.saturating_add(step * n).clamp(0, LAST_MS));
    let answers = instants.map(|ms| text(&rfc3339(ms))).collect();
    ProfileAnswers { name: name.to_owned(), answers, is_cycle: false }
}

/// Milliseconds since 1970 in the format of RFC 3339. The days are those of H. Hinnant,
/// `chrono-Compatible Low-Level Date Algorithms`.
pub(crate) fn rfc3339(ms: i64) -> String {
    let (days, rest) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    // Days since 0000-03-01: years that begin in March end with the leap day. 146,097 days are 400
    // years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (seconds, ms) = (rest / 1_000, rest % 1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{ms:03}Z")
}

/// Builds options and results.
struct DatumBuilder {
    lang: gainsay_core::LangItems,
}

impl DatumBuilder {
    fn some(&self, content: Datum) -> Option<Datum> {
        Some(Datum::Data(self.lang.some?, vec![content]))
    }

    fn none(&self) -> Option<Datum> {
        Some(Datum::Data(self.lang.none?, Vec::new()))
    }

    fn ok(&self, content: Datum) -> Option<Datum> {
        Some(Datum::Data(self.lang.ok?, vec![content]))
    }

    fn err(&self, why: &str) -> Option<Datum> {
        Some(Datum::Data(self.lang.err?, vec![text(why)]))
    }
}

fn response(program: &Program, status: i64, body: &str) -> Option<Datum> {
    one_ctor(program, "HttpResponse", vec![int(status), Datum::List(Vec::new()), text(body)])
}

/// A value of a library type with one constructor.
fn one_ctor(program: &Program, name: &str, fields: Vec<Datum>) -> Option<Datum> {
    let mut types = program.nominals.iter();
    let found = types.find(|it| &*it.name == name && program.module(it.module).is_std)?;
    Some(Datum::Data(*found.ctors.first()?, fields))
}

fn int(int: i64) -> Datum {
    Datum::Literal(Literal::Int(int))
}

fn float(float: f64) -> Datum {
    Datum::Literal(Literal::Float(float))
}

fn text(text: &str) -> Datum {
    Datum::Literal(Literal::Str(text.into()))
}

fn texts(texts: &[&str]) -> Datum {
    Datum::List(texts.iter().map(|it| text(it)).collect())
}

fn unit() -> Datum {
    Datum::Tuple(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::{NEW_YEAR, rfc3339};

    #[test]
    fn instants_are_written_as_the_clock_writes_them() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(NEW_YEAR), "2025-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(951_826_330_123), "2000-02-29T12:12:10.123Z");
        assert_eq!(rfc3339(253_402_300_799_999), "9999-12-31T23:59:59.999Z");
    }
}
