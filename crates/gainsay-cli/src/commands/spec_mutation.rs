//! `gainsay spec mutate`: which parts of a specification the goals depend on.

use gainsay::synth::{
    DropEffect, DroppedPart, Goal, RulePart, SourceSpec, Spec, SynthesisLimits, mutate_spec,
};

use super::synth::{is_interrupted, read_specs, wanted_goals};
use crate::arguments::SpecMutationArguments;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::write_line;
use crate::report::pluralize;
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
        let _ = write_line(&format!("{name}: not reached, so nothing was dropped"));
        return Exit::Inconclusive;
    };
    let count = |effect| effects.iter().filter(|it| it.1 == effect).count();
    let n_same = count(DropEffect::SameTrace);
    let n_unknown = count(DropEffect::GaveUp);
    let mut text = format!(
        "{name}: {} dropped, {} without effect",
        pluralize(effects.len() as u64, "part"),
        n_same
    );
    if n_unknown > 0 {
        text += &format!(", {n_unknown} unknown");
    }
    let _ = write_line(&text);
    for (dropped, effect) in &effects {
        let what = match effect {
            DropEffect::Unreachable => "unreachable",
            DropEffect::GaveUp => "gave up",
            DropEffect::OtherTrace => "another trace",
            DropEffect::SameTrace => "no effect",
        };
        let _ =
            write_line(&format!("  {what:<14} without {}", part_text(&spec.spec, *dropped)));
    }
    if n_unknown > 0 { Exit::Inconclusive } else { Exit::Success }
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
