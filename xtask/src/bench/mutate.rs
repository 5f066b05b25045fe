//! Benchmark of mutation: mutants per second, compared with a program per mutant; where the time
//! goes; and how it scales with the length of a file.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_gen::LoweredProgram;
use gainsay_mutate::{AnalysisDepth, MutantExecution, MutantProgram, Mutants, MutationScope};
use gainsay_test::Settings;
use gainsay_ui::{
    ExampleProject, MutationFixture, MutationRunOptions, SourceModule, example_projects,
};
use gainsay_vm::{EngineKind, Instrumentation, run_on_big_stack};

use super::run::text_table::{ColumnAlign, TextTable, brief, grouped};
use super::run::throughput::Measurements;
use crate::cpu_time;

/// The number of measurements per run.
const N_ROUNDS: usize = 3;

/// The number of mutants of each project that are run as separate programs.
const N_APART: usize = 6;

/// The target for verdicts per second of processor time.
const BUDGET: f64 = 1_000.0;

/// The numbers of units of the generated files.
const SIZES: [usize; 2] = [30, 300];

const SPEED: TextTable<8> = TextTable::new([
    ("", ColumnAlign::Left(24)),
    ("mutants", ColumnAlign::Right(7)),
    ("ms", ColumnAlign::Right(8)),
    ("/s", ColumnAlign::Right(6)),
    ("verdicts /s", ColumnAlign::Right(11)),
    ("tried", ColumnAlign::Right(5)),
    ("apart /s", ColumnAlign::Right(8)),
    ("ratio", ColumnAlign::Right(6)),
]);

const PARTS: TextTable<7> = TextTable::new([
    ("", ColumnAlign::Left(24)),
    ("find", ColumnAlign::Right(7)),
    ("lower", ColumnAlign::Right(7)),
    ("compile", ColumnAlign::Right(7)),
    ("claims", ColumnAlign::Right(7)),
    ("mutants", ColumnAlign::Right(8)),
    ("search", ColumnAlign::Right(8)),
]);

/// Prints mutants per second over the examples, how the time divides, and how it scales.
pub(super) fn run() -> Result<(), String> {
    run_on_big_stack(|| {
        let projects = example_projects();
        let mut costs = Vec::new();
        for project in &projects {
            costs.push(MutationCosts::of(project, SeparateMutants::Sample)?);
        }
        let all = MutationCosts::all(&costs);
        println!(
            "\nMutants: whole runs on one thread in processor time, from the checked program to the\n\
             report, compiling included. `verdicts` leaves out the search for differences, as does\n\
             `apart`: a program for each mutant of a sample. The ratio is that of verdicts.\n"
        );
        println!("{}", SPEED.titles());
        costs.iter().chain([&all]).for_each(|it| println!("{}", it.speed()));
        println!("{}\n", budget(all.n_mutants as f64 / all.verdicts()));
        println!("Where the milliseconds go.\n");
        println!("{}", PARTS.titles());
        costs.iter().chain([&all]).for_each(|it| println!("{}", it.parts()));
        growth()
    })
}

fn budget(rate: f64) -> String {
    let verdict = if rate >= BUDGET { "met" } else { "missed" };
    format!("a thousand verdicts per second: {verdict}")
}

/// Measures files of two sizes.
fn growth() -> Result<(), String> {
    println!("\nGenerated files, each function with a test.\n");
    println!("{}", SPEED.titles());
    let mut costs = Vec::new();
    for n_units in SIZES {
        let text: String = (0..n_units).map(unit).collect();
        let name = format!("{} lines", grouped(text.lines().count() as f64));
        let modules = vec![SourceModule { name: "many.say".to_owned(), text }];
        let cost =
            MutationCosts::of(&ExampleProject { name, modules }, SeparateMutants::Nothing)?;
        println!("{}", cost.speed());
        costs.push(cost);
    }
    println!("\n{}", PARTS.titles());
    costs.iter().for_each(|it| println!("{}", it.parts()));
    let [small, large] = [&costs[0], &costs[1]];
    println!(
        "time of {} times the lines: {:.1} times",
        SIZES[1] / SIZES[0],
        large.whole() / small.whole()
    );
    Ok(())
}

/// Ten lines that are independent of all other units.
fn unit(number: usize) -> String {
    format!(
        "\nfn f{number}(a: Int, b: Int) -> Int {{\n  \
           let c = if a > b + {number} {{ a - b }} else {{ b * 2 }}\n  \
           if c % 3 == 0 || b < 0 {{ c + {number} }} else {{ c - a }}\n\
         }}\n\n\
         test \"f{number} gives what it gave\" {{\n  \
           across (a: Int{{0 <= it && it <= 9}}) {{ observe f{number}(a, 100) != 7 }}\n  \
           observe f{number}(0, 3) == {}\n\
         }}\n",
        6 + number
    )
}

/// Whether mutants are also run as separate programs.
enum SeparateMutants {
    Sample,
    Nothing,
}

/// The processor time of the parts of a mutation run, in seconds.
#[derive(Default)]
struct MutationCosts {
    name: String,
    n_mutants: usize,
    find: f64,
    lower: f64,
    /// Compiling the program with switches.
    compile: f64,
    /// All claims, once.
    claims: f64,
    /// A run for verdicts only, and one with the search for differences.
    verdicts: f64,
    run: f64,
    /// The number of mutants run as separate programs, and the time that took.
    n_apart: usize,
    apart: f64,
}

impl MutationCosts {
    fn of(project: &ExampleProject, apart: SeparateMutants) -> Result<Self, String> {
        let complaint = |it: String| format!("{}: {it}", project.name);
        let fixture = MutationFixture::new(&project.modules).map_err(complaint)?;
        let run = |mutants: &Mutants, options: &MutationRunOptions| {
            let before = cpu_time::used();
            let report = fixture.run_some(mutants, options);
            let seconds = (cpu_time::used() - before).as_secs_f64();
            report.map(|_| seconds).map_err(|_| complaint("a claim does not hold".to_owned()))
        };
        let mut costs = Self {
            name: project.name.clone(),
            n_mutants: fixture.mutants.list.len(),
            find: median(|| {
                Ok(timed(|| {
                    gainsay_mutate::find_mutants(
                        &fixture.program,
                        &fixture.checked.files,
                        &fixture.names,
                        MutationScope::All,
                    )
                }))
            })?,
            lower: median(|| Ok(timed(|| gainsay_gen::lower(&fixture.program))))?,
            verdicts: median(|| {
                run(&fixture.mutants, &MutationRunOptions::with_depth(AnalysisDepth::None))
            })?,
            run: median(|| {
                run(
                    &fixture.mutants,
                    &MutationRunOptions::with_depth(AnalysisDepth::Differences),
                )
            })?,
            ..Self::default()
        };
        costs.compiling(&fixture)?;
        if let SeparateMutants::Sample = apart {
            let some = fixture.every(costs.n_mutants.div_ceil(N_APART));
            costs.n_apart = some.list.len();
            costs.apart = run(
                &some,
                &MutationRunOptions {
                    execution: MutantExecution::SeparatePrograms,
                    ..MutationRunOptions::with_depth(AnalysisDepth::None)
                },
            )?;
        }
        Ok(costs)
    }

    /// Runs all claims twice: the first run takes longer by the time of compilation.
    fn compiling(&mut self, fixture: &MutationFixture) -> Result<(), String> {
        let lowered = fixture.with_mutants();
        let instruments = fixture.switches().with_infections();
        let mut again = Vec::new();
        self.compile = median(|| {
            let [first, second] = twice(fixture, &lowered, instruments.clone());
            again.push(second);
            Ok(first - second)
        })?;
        self.claims = Measurements::of(again).median();
        Ok(())
    }

    /// The sum of all.
    fn all(costs: &[Self]) -> Self {
        let sum = |part: fn(&Self) -> f64| costs.iter().map(part).sum();
        Self {
            name: "all".to_owned(),
            n_mutants: costs.iter().map(|it| it.n_mutants).sum(),
            find: sum(|it| it.find),
            lower: sum(|it| it.lower),
            compile: sum(|it| it.compile),
            claims: sum(|it| it.claims),
            verdicts: sum(|it| it.verdicts),
            run: sum(|it| it.run),
            n_apart: costs.iter().map(|it| it.n_apart).sum(),
            // Weights each project by its number of mutants.
            apart: sum(|it| it.apart / it.n_apart as f64 * it.n_mutants as f64)
                / costs.iter().map(|it| it.n_mutants).sum::<usize>() as f64
                * costs.iter().map(|it| it.n_apart).sum::<usize>() as f64,
        }
    }

    /// The total time in seconds.
    fn whole(&self) -> f64 {
        self.find + self.lower + self.run
    }

    /// The time for verdicts in seconds.
    fn verdicts(&self) -> f64 {
        self.find + self.lower + self.verdicts
    }

    fn rate(&self) -> f64 {
        self.n_mutants as f64 / self.whole()
    }

    fn speed(&self) -> String {
        let verdicts = self.n_mutants as f64 / self.verdicts();
        let apart = self.n_apart as f64 / self.apart;
        let if_tried = |text: String| if self.n_apart > 0 { text } else { String::new() };
        SPEED.row([
            self.name.clone(),
            grouped(self.n_mutants as f64),
            brief(self.whole() * 1e3),
            grouped(self.rate()),
            grouped(verdicts),
            if_tried(grouped(self.n_apart as f64)),
            if_tried(brief(apart)),
            if_tried(brief(verdicts / apart)),
        ])
    }

    fn parts(&self) -> String {
        let tries = self.verdicts - self.compile - self.claims;
        let search = self.run - self.verdicts;
        let parts = [self.find, self.lower, self.compile, self.claims, tries, search];
        let [a, b, c, d, e, f] = parts.map(|it| brief((it * 1e3).max(0.0)));
        PARTS.row([self.name.clone(), a, b, c, d, e, f])
    }
}

/// The time of all claims on a fresh engine, and of the same again, in seconds.
fn twice(
    fixture: &MutationFixture,
    lowered: &LoweredProgram,
    instruments: Instrumentation,
) -> [f64; 2] {
    let settings = Settings::new(0);
    let interrupt = Arc::new(AtomicBool::new(false));
    let before = cpu_time::used();
    let trials =
        MutantProgram::new(lowered, EngineKind::best(), instruments, &settings, interrupt);
    let mut trial = trials.runner();
    let mut all = || {
        for claim in &fixture.claims {
            trial.run(*claim);
        }
    };
    all();
    let first = (cpu_time::used() - before).as_secs_f64();
    [first, timed(all)]
}

fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let before = cpu_time::used();
    std::hint::black_box(work());
    (cpu_time::used() - before).as_secs_f64()
}

fn median(mut measure: impl FnMut() -> Result<f64, String>) -> Result<f64, String> {
    let seconds = (0..N_ROUNDS).map(|_| measure()).collect::<Result<Vec<_>, _>>()?;
    Ok(Measurements::of(seconds).median())
}
