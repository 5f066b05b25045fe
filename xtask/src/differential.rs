//! Differential testing of the engines with generated core programs: `cargo xtask differ [n]
//! [--seed s]`.
//!
//! Programs come from consecutive seeds starting at `s`, so that `cargo xtask differ 1 --seed s`
//! repeats one. They run in a separate process, which may crash or hang: the current seeds are
//! always in files.

use std::fs::File;
use std::io::{IsTerminal as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use gainsay_ui::differential::{
    OccurrenceCounts, TestProgramRecipe, compare, smallest_disagreement,
};
use gainsay_ui::root;
use gainsay_vm::run_on_big_stack;

/// The default number of programs.
const N_PROGRAMS: u64 = 100_000;
/// The time limit of one program.
const PROGRAM_TIMEOUT: Duration = Duration::from_secs(60);
/// The polling interval of the watcher.
const PAUSE: Duration = Duration::from_millis(50);

/// The parsed arguments.
struct DifferentialPlan {
    n_programs: u64,
    seed: u64,
    role: DifferentialRole,
}

/// The role of this process.
#[derive(Copy, Clone, PartialEq, Eq)]
enum DifferentialRole {
    /// Starts the worker, and reports its result.
    Watcher,
    /// Compares the engines.
    Worker,
}

/// Compares the engines; fails if they disagree, crash or hang.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let plan = read(arguments)?;
    match plan.role {
        DifferentialRole::Watcher => watch(arguments),
        DifferentialRole::Worker => work(&plan),
    }
}

fn read(arguments: &[&str]) -> Result<DifferentialPlan, String> {
    let mut plan =
        DifferentialPlan { n_programs: N_PROGRAMS, seed: 0, role: DifferentialRole::Watcher };
    let mut arguments = arguments.iter();
    let usage = || crate::USAGE.to_owned();
    while let Some(argument) = arguments.next() {
        match *argument {
            "--seed" => {
                let seed = arguments.next().and_then(|it| it.parse().ok());
                plan.seed = seed.ok_or_else(|| "--seed wants a number".to_owned())?;
            }
            "--worker" => plan.role = DifferentialRole::Worker,
            count => plan.n_programs = count.parse().map_err(|_| usage())?,
        }
    }
    Ok(plan)
}

fn n_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The file with the current seed of a thread.
fn seed_file(thread: usize) -> PathBuf {
    root().join("target/differ").join(format!("seed-{thread}"))
}

/// Runs the worker, built with optimisation, and reports its seeds if it fails.
fn watch(arguments: &[&str]) -> Result<(), String> {
    let failed = |error: io::Error| format!("differ: {error}");
    fs::create_dir_all(root().join("target/differ")).map_err(failed)?;
    for thread in 0..n_threads() {
        fs::write(seed_file(thread), "").map_err(failed)?;
    }
    let worker = if cfg!(debug_assertions) {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--release", "--quiet", "--package", "xtask"])
            .args(["--message-format", "short"])
            .current_dir(root())
            .status()
            .map_err(failed)?;
        if !status.success() {
            return Err("differ: xtask does not build".to_owned());
        }
        let this = env::current_exe().map_err(failed)?;
        let target = this.parent().and_then(|it| it.parent()).map(PathBuf::from);
        let name = format!("xtask{}", env::consts::EXE_SUFFIX);
        target.unwrap_or_default().join("release").join(name)
    } else {
        env::current_exe().map_err(failed)?
    };
    let mut child = Command::new(worker).arg("differ").args(arguments).arg("--worker").spawn();
    let child = child.as_mut().map_err(|error| format!("differ: cannot start: {error}"))?;
    wait_for_worker(child).map_err(failed)?
}

/// Waits for the worker; kills it when it makes no progress.
#[expect(clippy::disallowed_methods, reason = "patience is a time")]
fn wait_for_worker(child: &mut Child) -> io::Result<Result<(), String>> {
    let mut seen = Vec::new();
    let mut since = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match status.code() {
                Some(0) => Ok(()),
                Some(_) => Err("differ: failed".to_owned()),
                None => Err(format!("differ: crashed ({status}) at {}", seeds()?.join(", "))),
            });
        }
        let now = seeds()?;
        if now != seen {
            (seen, since) = (now, Instant::now());
        } else if since.elapsed() > PROGRAM_TIMEOUT {
            child.kill()?;
            child.wait()?;
            return Ok(Err(format!("differ: nothing moves at {}", seen.join(", "))));
        }
        thread::sleep(PAUSE);
    }
}

/// The current seeds.
fn seeds() -> io::Result<Vec<String>> {
    let texts = (0..n_threads()).map(|thread| fs::read_to_string(seed_file(thread)));
    texts.map(|text| text.map(|text| format!("seed {}", text.trim()))).collect()
}

/// The state shared by all threads.
struct DifferentialProgress<'a> {
    plan: &'a DifferentialPlan,
    next: AtomicU64,
    is_over: AtomicBool,
    found: Mutex<Option<(u64, String)>>,
}

/// Compares the engines on all cores.
#[expect(clippy::disallowed_methods, reason = "developers want to know how fast it is")]
fn work(plan: &DifferentialPlan) -> Result<(), String> {
    let shared = DifferentialProgress {
        plan,
        next: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        found: Mutex::new(None),
    };
    let start = Instant::now();
    let mut census = OccurrenceCounts::default();
    thread::scope(|scope| {
        let shared = &shared;
        let threads: Vec<_> = (0..n_threads())
            .map(|thread| scope.spawn(move || run_on_big_stack(|| work_thread(shared, thread))))
            .collect();
        for thread in threads {
            match thread.join() {
                Ok(Ok(counted)) => census.merge(&counted),
                Ok(Err(error)) => println!("differ: cannot write down the seed: {error}"),
                Err(_) => shared.is_over.store(true, Ordering::Relaxed),
            }
        }
    });
    if io::stdout().is_terminal() {
        println!();
    }
    if let Some((seed, text)) = shared.found.into_inner().unwrap_or(None) {
        println!("{text}\ndiffer: the engines disagree at seed {seed}; looking for less");
        let smaller =
            run_on_big_stack(|| smallest_disagreement(TestProgramRecipe::of_seed(seed)));
        let smaller = smaller.unwrap_or_else(|| "it does not happen again".to_owned());
        return Err(format!("{smaller}\ndiffer: the engines disagree at seed {seed}"));
    }
    if census.n_programs < plan.n_programs {
        return Err("differ: a thread ended early".to_owned());
    }
    let per_second = census.n_programs as f64 / start.elapsed().as_secs_f64();
    println!("{census}differ: no disagreement, {per_second:.0} programs per second");
    Ok(())
}

/// Takes seeds until none is left or the engines disagree.
fn work_thread(
    shared: &DifferentialProgress<'_>,
    thread: usize,
) -> io::Result<OccurrenceCounts> {
    let mut file = File::create(seed_file(thread))?;
    let mut census = OccurrenceCounts::default();
    while !shared.is_over.load(Ordering::Relaxed) {
        let at = shared.next.fetch_add(1, Ordering::Relaxed);
        if at >= shared.plan.n_programs {
            break;
        }
        let seed = shared.plan.seed.wrapping_add(at);
        file.seek(SeekFrom::Start(0))?;
        // Fixed width, so that a shorter seed overwrites a longer one completely.
        file.write_all(format!("{seed:>20}\n").as_bytes())?;
        if at.is_multiple_of(1000) && io::stdout().is_terminal() {
            print!("\r{at} programs");
            io::stdout().flush()?;
        }
        if let Err(text) = compare(TestProgramRecipe::of_seed(seed), &mut census) {
            shared.is_over.store(true, Ordering::Relaxed);
            let mut found = shared.found.lock().unwrap_or_else(|it| it.into_inner());
            // Threads may find several disagreements before they stop; the lowest seed makes
            // reports repeatable.
            if found.as_ref().is_none_or(|(first, _)| seed < *first) {
                *found = Some((seed, text));
            }
        }
    }
    Ok(census)
}
