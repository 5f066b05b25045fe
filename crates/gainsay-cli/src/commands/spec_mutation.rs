//! `gainsay spec mutate`: which parts of a specification the goals depend on.

use gainsay::synth::{
    DropEffect, DroppedPart, Goal, RulePart, SourceSpec, Spec, SynthesisLimits, mutate_spec,
};
use serde::Serialize;

use super::synth::{is_interrupted, read_specs, wanted_goals};
use crate::arguments::SpecMutationArguments;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::write_line;
use crate::report::{line, pluralize};
use crate::reporter::Reporter;

/// Drops each part of the rules in turn, and prints what becomes of the goals.
pub(super) fn try_mutate(
    args: &SpecMutationArguments,
    reporter: &mut Reporter,
) -> Result<Exit, CliError> {
    let checked = match read_specs(&args.file, reporter)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let goals = wanted_goals(&checked.specs, args.goal.as_deref())?;
    let defaults = SynthesisLimits::default();
    let limits = SynthesisLimits {
        steps: args.steps.unwrap_or(STEPS),
        interrupt: Some(interrupt::stop_gracefully()),
        ..defaults
    };
    let mut exit = Exit::Success;
    for (spec, goal) in goals {
        exit = exit.combine(mutate_goal(spec, goal, &limits, reporter));
        if is_interrupted(&limits) {
            return Ok(Exit::Interrupted);
        }
    }
    Ok(exit)
}

/// The steps of each search. Without a rule, a goal can be far away.
const STEPS: u64 = 200_000;

fn mutate_goal(
    spec: &SourceSpec,
    goal: &Goal,
    limits: &SynthesisLimits,
    reporter: &mut Reporter,
) -> Exit {
    let name = format!("{}.{}", spec.spec.name, goal.name);
    let Ok(found) = mutate_spec(&spec.spec, goal, limits) else {
        let message = format!("the patterns of `{name}` are too large");
        return reporter.error(&CliError::new(Exit::Inconclusive, message));
    };
    let Some(effects) = found else {
        if reporter.is_human() {
            let _ = write_line(&format!("{name}: not reached, so nothing was dropped"));
        } else {
            print_record(MutationRecord { goal: &name, is_reached: false, parts: Vec::new() });
        }
        return Exit::Inconclusive;
    };
    if reporter.is_human() {
        print_effects(&name, &spec.spec, &effects);
    } else {
        let parts = effects.iter().map(|(dropped, effect)| {
            let (part, effect) = (part_text(&spec.spec, *dropped), effect_name(*effect));
            PartRecord { part, effect }
        });
        let parts = parts.collect();
        print_record(MutationRecord { goal: &name, is_reached: true, parts });
    }
    let is_unknown = effects.iter().any(|it| it.1 == DropEffect::GaveUp);
    if is_unknown { Exit::Inconclusive } else { Exit::Success }
}

/// The JSON record about a goal.
#[derive(Debug, Serialize)]
struct MutationRecord<'a> {
    goal: &'a str,
    is_reached: bool,
    parts: Vec<PartRecord>,
}

/// The JSON record of a part of a rule.
#[derive(Debug, Serialize)]
struct PartRecord {
    part: String,
    effect: &'static str,
}

fn print_record(record: MutationRecord<'_>) {
    let text = serde_json::to_string(&line("spec-mutation", record));
    let _ = write_line(&text.expect("records have text keys"));
}

fn effect_name(effect: DropEffect) -> &'static str {
    match effect {
        DropEffect::Unreachable => "unreachable",
        DropEffect::GaveUp => "gave-up",
        DropEffect::OtherTrace => "another-trace",
        DropEffect::SameTrace => "no-effect",
    }
}

fn print_effects(name: &str, spec: &Spec, effects: &[(DroppedPart, DropEffect)]) {
    let count = |effect| effects.iter().filter(|it| it.1 == effect).count();
    let n_unknown = count(DropEffect::GaveUp);
    let mut text = format!(
        "{name}: {} dropped, {} without effect",
        pluralize(effects.len() as u64, "part"),
        count(DropEffect::SameTrace)
    );
    if n_unknown > 0 {
        text += &format!(", {n_unknown} unknown");
    }
    let _ = write_line(&text);
    for (dropped, effect) in effects {
        let what = effect_name(*effect).replace('-', " ");
        let _ = write_line(&format!("  {what:<14} without {}", part_text(spec, *dropped)));
    }
}

/// A part by its rule; rules of one operation are numbered.
fn part_text(spec: &Spec, dropped: DroppedPart) -> String {
    let op = spec.rules[dropped.rule].op;
    let numbered = spec.rules.iter().enumerate().filter(|it| it.1.op == op);
    let numbers: Vec<usize> = numbered.map(|it| it.0).collect();
    let rule = match numbers.iter().position(|it| *it == dropped.rule) {
        Some(at) if numbers.len() > 1 => format!("rule {} of", at + 1),
        _ => "the rule of".to_owned(),
    };
    let name = &spec.operation(op).name;
    match dropped.part {
        RulePart::Rule => format!("{rule} `{name}`"),
        RulePart::When => format!("the conditions in {rule} `{name}`"),
        RulePart::History => format!("`history` in {rule} `{name}`"),
        RulePart::Future => format!("`future` in {rule} `{name}`"),
        RulePart::Emits => format!("`emits` in {rule} `{name}`"),
        RulePart::Owes => format!("`owes` in {rule} `{name}`"),
    }
}
