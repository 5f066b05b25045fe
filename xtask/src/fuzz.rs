//! A self-contained fuzzer: it mutates the corpus of golden tests, examples and the standard
//! library, and looks for panics, hangs and violated laws.
//!
//! The same seed gives the same inputs. The loop runs in a separate process, because a Rust process
//! does not survive a stack overflow; the current input is always in a file.

mod mutator;
mod target;

use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use gainsay_ui::{map_in_parallel, root, samples};

use self::mutator::InputMutator;
use self::target::FuzzTarget;

/// The time limit of one input.
const INPUT_TIMEOUT: Duration = Duration::from_secs(5);

/// The parsed arguments.
struct FuzzPlan {
    target: FuzzTarget,
    seconds: u64,
    seed: u64,
    role: FuzzRole,
}

/// The role of this process.
#[derive(Copy, Clone, PartialEq, Eq)]
enum FuzzRole {
    /// Starts the worker, and reports its result.
    Watcher,
    /// Runs the inputs.
    Worker,
}

/// Fuzzes for a while; fails if an input violates a law.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let plan = read(arguments)?;
    match plan.role {
        FuzzRole::Watcher => watch(&plan, arguments),
        FuzzRole::Worker => work(&plan),
    }
}

fn read(arguments: &[&str]) -> Result<FuzzPlan, String> {
    let [target, options @ ..] = arguments else { return Err(crate::USAGE.to_owned()) };
    let target = FuzzTarget::named(target).ok_or_else(|| crate::USAGE.to_owned())?;
    let mut plan = FuzzPlan { target, seconds: 30, seed: 0, role: FuzzRole::Watcher };
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let mut number = || {
            let value = options.next().and_then(|it| it.parse::<u64>().ok());
            value.ok_or_else(|| format!("{option} wants a number"))
        };
        match *option {
            "--seconds" => plan.seconds = number()?,
            "--seed" => plan.seed = number()?,
            "--worker" => plan.role = FuzzRole::Worker,
            _ => return Err(crate::USAGE.to_owned()),
        }
    }
    Ok(plan)
}

/// The file with the current input.
fn input_file(plan: &FuzzPlan) -> PathBuf {
    root().join("target/fuzz").join(format!("{}.say", plan.target.name()))
}

fn watch(plan: &FuzzPlan, arguments: &[&str]) -> Result<(), String> {
    let file = input_file(plan);
    fs::create_dir_all(file.parent().unwrap_or(&file)).map_err(|error| error.to_string())?;
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let status = Command::new(this)
        .arg("fuzz")
        .args(arguments)
        .arg("--worker")
        .status()
        .map_err(|error| format!("cannot start the worker: {error}"))?;
    if status.success() {
        return Ok(());
    }
    let kept = file.with_extension(format!("seed-{}.failing.say", plan.seed));
    fs::copy(&file, &kept)
        .map_err(|error| format!("cannot keep {}: {error}", file.display()))?;
    Err(format!(
        "fuzz {}: failed ({status}); the input is {}",
        plan.target.name(),
        gainsay_ui::shown(&kept, &root())
    ))
}

/// Runs inputs until the time is over.
#[expect(clippy::disallowed_methods, reason = "the user gave a time")]
fn work(plan: &FuzzPlan) -> Result<(), String> {
    let mut mutator =
        InputMutator::new(plan.seed, samples().into_iter().map(|it| it.text).collect());
    let file = input_file(plan);
    let (inputs, answers) = start(plan.target);
    let start = Instant::now();
    let mut n_inputs = 0_u64;
    while start.elapsed() < Duration::from_secs(plan.seconds) {
        let input = mutator.next_input();
        // Written before it runs: after a stack overflow the file is all that is left.
        fs::write(&file, &input).map_err(|error| format!("cannot keep the input: {error}"))?;
        inputs.send(input).map_err(|_| "the runner is gone".to_owned())?;
        match answers.recv_timeout(INPUT_TIMEOUT) {
            Ok(Ok(())) => n_inputs += 1,
            Ok(Err(complaint)) => return Err(format!("input {n_inputs}: {complaint}")),
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("input {n_inputs}: not done after {INPUT_TIMEOUT:?}"));
            }
            Err(RecvTimeoutError::Disconnected) => return Err("the runner is gone".to_owned()),
        }
    }
    println!("fuzz {}: {n_inputs} inputs, nothing found", plan.target.name());
    Ok(())
}

/// Starts the thread that runs inputs, so that the caller can detect a timeout.
fn start(target: FuzzTarget) -> (Sender<String>, Receiver<Result<(), String>>) {
    let (inputs, incoming) = mpsc::channel::<String>();
    let (outgoing, answers) = mpsc::channel();
    thread::spawn(move || {
        for input in incoming {
            let answer = map_in_parallel(&[input], |input| target.run(input));
            let answer = answer.into_iter().next().unwrap_or(Ok(Ok(())));
            if outgoing.send(answer.and_then(|it| it)).is_err() {
                break;
            }
        }
    });
    (inputs, answers)
}
