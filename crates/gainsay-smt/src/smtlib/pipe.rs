//! Asks a solver that runs as a process of its own.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// What a solver prints after each answer, when it is asked several questions.
const END_OF_ANSWER: &str = "end-of-answer";

/// The most bytes of output that are read.
const MAX_OUTPUT: u64 = 1 << 22;

/// A program that reads SMT-LIB from its input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalSolver {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// How long it may take; whoever asks decides, because it depends on the machine.
    pub timeout: Duration,
}

/// What another solver said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternalAnswer {
    /// `sat`, and nothing else.
    Sat,
    /// `unsat`, and nothing else.
    Unsat,
    /// Anything else: `unknown`, an error, no answer in time, no such program.
    Unknown,
}

impl ExternalSolver {
    /// Z3.
    pub fn z3(timeout: Duration) -> ExternalSolver {
        ExternalSolver { program: "z3".to_owned(), args: vec!["-in".to_owned()], timeout }
    }

    /// cvc5.
    pub fn cvc5(timeout: Duration) -> ExternalSolver {
        let args = vec!["--lang".to_owned(), "smt2".to_owned()];
        ExternalSolver { program: "cvc5".to_owned(), args, timeout }
    }

    /// Whether the program runs and decides a trivial formula.
    pub fn is_available(&self) -> bool {
        self.ask("(set-logic ALL)\n(assert true)\n(check-sat)\n") == ExternalAnswer::Sat
    }

    /// The answer to a script that asks once.
    pub fn ask(&self, script: &str) -> ExternalAnswer {
        self.output(script).map_or(ExternalAnswer::Unknown, |it| clean_answer(&it))
    }

    /// The answers to scripts that each ask once, from one process: starting one takes longer than
    /// most answers.
    pub fn ask_all(&self, scripts: &[String]) -> Vec<ExternalAnswer> {
        let mut text = String::new();
        for script in scripts {
            let _ = writeln!(text, "(reset)\n{script}\n(echo \"{END_OF_ANSWER}\")");
        }
        let output = self.output(&text).unwrap_or_default();
        let answers = output.split_inclusive(END_OF_ANSWER);
        let answers = answers.filter_map(|it| it.strip_suffix(END_OF_ANSWER));
        // cvc5 prints the text of an `echo` with its quotes.
        let mut answers: Vec<_> =
            answers.map(|it| clean_answer(it.trim_matches('"'))).collect();
        answers.resize(scripts.len(), ExternalAnswer::Unknown);
        answers
    }

    /// What the program prints, or nothing if it fails or takes too long.
    fn output(&self, script: &str) -> Option<String> {
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let output = self.converse(&mut child, script);
        if output.is_none() {
            let _ = child.kill();
        }
        let status = child.wait().ok()?;
        output.filter(|_| status.success())
    }

    fn converse(&self, child: &mut Child, script: &str) -> Option<String> {
        let mut input = child.stdin.take()?;
        let mut output = child.stdout.take()?;
        let script = script.to_owned();
        let (sender, receiver) = mpsc::channel();
        // Both threads end when the process does: its pipes are closed then.
        thread::spawn(move || {
            let _ = input.write_all(script.as_bytes());
        });
        thread::spawn(move || {
            let mut text = Vec::new();
            let read = output.by_ref().take(MAX_OUTPUT).read_to_end(&mut text);
            let text = read.ok().and_then(|_| String::from_utf8(text).ok());
            let _ = sender.send(text);
        });
        receiver.recv_timeout(self.timeout).ok().flatten()
    }
}

/// An output is an answer if it consists of one; `unsat` after an error says nothing, because what
/// was refuted is not what was asked.
fn clean_answer(output: &str) -> ExternalAnswer {
    match output.trim() {
        "sat" => ExternalAnswer::Sat,
        "unsat" => ExternalAnswer::Unsat,
        _ => ExternalAnswer::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ExternalAnswer, ExternalSolver, clean_answer};

    #[test]
    fn only_a_clean_answer_counts() {
        assert_eq!(clean_answer("sat\n"), ExternalAnswer::Sat);
        assert_eq!(clean_answer("unsat\n"), ExternalAnswer::Unsat);
        for output in
            ["", "unknown", "timeout", "(error \"line 2\")\nunsat", "unsat\nsat", "satt"]
        {
            assert_eq!(clean_answer(output), ExternalAnswer::Unknown, "{output}");
        }
    }

    #[test]
    fn a_missing_or_silent_program_knows_nothing() {
        let timeout = Duration::from_millis(200);
        for (program, args) in [("no-such-solver", vec![]), ("sleep", vec!["20".to_owned()])] {
            let solver = ExternalSolver { program: program.to_owned(), args, timeout };
            assert_eq!(solver.ask("(check-sat)"), ExternalAnswer::Unknown);
        }
    }
}
