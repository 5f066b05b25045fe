//! Queries of trace synthesis with known answers: the solver gives all of them.

#![expect(clippy::print_stdout, reason = "the figures are for people who ask for them")]

use gainsay_smt::{Answer, SolverLimits, Terms, smtlib, solve_counted};

const QUERIES: &str = include_str!("corpus/queries.txt");

/// The declarations are in the comments at the top.
fn declarations() -> String {
    let comments = QUERIES.lines().filter_map(|it| it.strip_prefix("# (declare"));
    comments.map(|it| format!("(declare{it}\n")).collect()
}

fn script(sorts: &str, formulas: &str, declarations: &str) -> String {
    let mut text = declarations.to_owned();
    for group in sorts.split_whitespace() {
        let (sort, names) = group.split_once(':').expect("a sort and its constants");
        for name in names.split(',') {
            text.push_str(&format!("(declare-const {name} {sort})\n"));
        }
    }
    text.push_str(&format!("(assert (and {formulas}))\n"));
    text
}

#[test]
fn answers_are_those_of_the_corpus() {
    let declarations = declarations();
    let (mut n_sat, mut n_unsat, mut most_steps) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (number, line) in QUERIES.lines().enumerate().filter(|it| !it.1.starts_with('#')) {
        let [expected, sorts, formulas] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("line {number} has three fields");
        };
        let mut terms = Terms::default();
        let text = script(sorts, formulas, &declarations);
        let asserted = smtlib::read_script(&mut terms, &text).unwrap();
        let (answer, steps) = solve_counted(&mut terms, &asserted, SolverLimits::default());
        most_steps = most_steps.max(steps);
        let answer = match answer {
            Answer::Sat(_) => {
                n_sat += 1;
                "sat"
            }
            Answer::Unsat => {
                n_unsat += 1;
                "unsat"
            }
            Answer::Unknown(_) => "unknown",
        };
        if answer != expected {
            wrong.push(format!("line {}: {answer}, not {expected}, {steps} steps", number + 1));
        }
    }
    println!("{n_sat} sat, {n_unsat} unsat, at most {most_steps} steps for one");
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(n_sat > 5000 && n_unsat > 1000);
}
