//! `gainsay sample --why`: the derivations of the relations of a query, as trees of rules.

use std::fmt::Write as _;

use gainsay::core::Program;
use gainsay::solve::Derivation;
use gainsay::vm::{Value, show};
use gainsay::{CheckedSample, QueryExplainer};

use crate::arguments::SampleArguments;
use crate::cli_error::CliError;
use crate::reporter::Reporter;

/// Derives the solutions of a query, if that is asked for.
pub(super) fn explainer<'a>(
    args: &SampleArguments,
    sampling: &'a CheckedSample,
    reporter: &Reporter,
) -> Result<Option<QueryExplainer<'a>>, CliError> {
    if !args.why || sampling.claim.is_none() {
        return Ok(None);
    }
    if !reporter.is_human() {
        return Err(CliError::usage("`--why` has no JSON form").with_help("omit `--json`"));
    }
    match QueryExplainer::new(sampling) {
        Some(explainer) => Ok(Some(explainer)),
        None => Err(CliError::usage("`--why` needs a relation")
            .with_help("query a relation: functions have no derivations")),
    }
}

/// The derivations of a solution: one rule on each line, below the rule that it is a premise of.
pub(super) fn derivations(
    explainer: &mut QueryExplainer<'_>,
    program: &Program,
    solution: &[Value],
) -> String {
    let mut text = String::new();
    for derivation in explainer.derivations(solution) {
        match derivation {
            Some(it) => write_tree(&mut text, program, &it),
            None => text += "\n  no derivation found within the search budget",
        }
    }
    text
}

/// Derivations may be deep, so their nodes are on an explicit stack.
fn write_tree(text: &mut String, program: &Program, root: &Derivation) {
    let mut pending = vec![(root, 1)];
    while let Some((it, depth)) = pending.pop() {
        let rel = program.rel(it.rel);
        let args: Vec<String> = it.args.iter().map(|arg| show(program, arg)).collect();
        let (indent, rule) = ("  ".repeat(depth), &rel.rules[it.rule].name);
        let _ = write!(text, "\n{indent}{rule}: {}({})", rel.name, args.join(", "));
        pending.extend(it.premises.iter().rev().map(|premise| (premise, depth + 1)));
    }
}
