//! The world of a case as a declaration ready to paste into the source.

use gainsay_core::{OpId, Program};
use gainsay_gen::ProfileRule;
use gainsay_source::SourceMap;
use gainsay_vm::{Value, show};

use super::axes::{Axes, StubChoice};
use super::case_text;
use crate::claim_runner::ClaimRunner;

impl ClaimRunner<'_> {
    /// The world of a case as a declaration, if it contains a hostile stub.
    pub(super) fn world_text(&self, axes: &Axes, choice: &[usize]) -> Option<String> {
        let (program, files) = (self.engines.program(), self.engines.files);
        let mut answers: Vec<(OpId, String)> = Vec::new();
        let mut is_hostile = false;
        for (op, value) in axes.stubs(choice) {
            let profile = axes.profile(op, choice);
            is_hostile |= profile.is_some();
            let text = match profile {
                Some(stub) => profile_text(program, files, op, stub),
                None => case_text::stub_text(program, files, &value),
            };
            // A later stub overrides an earlier one.
            match answers.iter_mut().find(|it| it.0 == op) {
                Some(known) => known.1 = text,
                None => answers.push((op, text)),
            }
        }
        answers.sort_by_key(|it| it.0);
        let line = |(op, text): &(OpId, String)| format!("  {} = {text}", program.op_name(*op));
        let lines = answers.iter().map(line);
        let lines: Vec<String> = lines.collect();
        is_hostile.then(|| format!("world found {{\n{}\n}}", lines.join("\n")))
    }
}

/// A profile as the user would write it.
fn profile_text(
    program: &Program,
    files: Option<&SourceMap>,
    op: OpId,
    stub: &StubChoice,
) -> String {
    let Some(profile) = &stub.profile else {
        return case_text::stub_text(program, files, &stub.value);
    };
    let captures = &profile.captures;
    let operation = program.op(op);
    let has_coordinates = operation.kind.stub_takes_path_and_count();
    let n_args = operation.params.len();
    let is_range = n_args >= 2;
    let answers: Vec<String> = captures
        .first()
        .and_then(Value::as_list)
        .map_or_else(Vec::new, |list| list.iter().map(|it| show(program, it)).collect());
    let number = |at: usize| captures.get(at).map_or_else(String::new, |it| show(program, it));
    let (needs_n, needs_range, body) = match profile.rule {
        ProfileRule::Declared => return case_text::stub_text(program, files, &stub.value),
        ProfileRule::Sequence => match answers.as_slice() {
            [only] => (false, false, only.clone()),
            several => (true, false, by_number("n", several)),
        },
        ProfileRule::Cycle => {
            (true, false, by_number(&format!("n % {}", answers.len()), &answers))
        }
        ProfileRule::Steps if number(1) == "0" || !has_coordinates => (false, false, number(0)),
        ProfileRule::Steps => {
            let step = number(1);
            let sign = match step.strip_prefix('-') {
                Some(back) => format!("- {back}"),
                None => format!("+ {step}"),
            };
            (true, false, format!("{} {sign} * n", number(0)))
        }
        ProfileRule::Middle => (false, true, "min + (max - min) / 2".to_owned()),
        ProfileRule::Least => (false, true, "min".to_owned()),
        ProfileRule::Greatest => (false, true, "max".to_owned()),
        ProfileRule::Extremes => (true, true, "if n % 2 == 0 { min } else { max }".to_owned()),
    };
    let mut params = Vec::new();
    if has_coordinates {
        params.extend(["_", if needs_n { "n" } else { "_" }]);
    }
    let range = ["min", "max"].into_iter().filter(|_| needs_range && is_range);
    params.extend(range.chain(std::iter::repeat("_")).take(n_args));
    format!("|{}| {body}", params.join(", "))
}

/// `match n { 0 => a, _ => b }`: the last answer repeats forever.
fn by_number(number: &str, answers: &[String]) -> String {
    let Some((last, others)) = answers.split_last() else { return String::new() };
    let mut arms: Vec<String> =
        others.iter().enumerate().map(|(n, it)| format!("{n} => {it}")).collect();
    arms.push(format!("_ => {last}"));
    format!("match {number} {{ {} }}", arms.join(", "))
}
