//! Benchmark of an empty case: the cost of entering and leaving an engine.

use gainsay_ui::SourceModule;
use gainsay_vm::{Engine, EngineKind, Value};

use super::budget::BenchBudgets;
use super::program::{RandomIntHost, WorkloadRunner, checked, faulty};
use super::text_table::{ColumnAlign, TextTable, brief, grouped};
use super::throughput::{Contender, run_rounds};

/// The maximum time of a case in compiled code, in nanoseconds.
const BUDGET: f64 = 100.0;

/// Functions that do nothing, or next to nothing.
const CASES: [(&str, EmptyCaseArgs); 2] = [
    ("fn work() -> Int { 0 }", EmptyCaseArgs::None),
    ("fn work(n: Int) -> Bool { n >= 0 }", EmptyCaseArgs::Number),
];

/// The arguments of such a function.
#[derive(Copy, Clone)]
enum EmptyCaseArgs {
    None,
    Number,
}

const COLUMNS: TextTable<5> = TextTable::new([
    ("", ColumnAlign::Left(36)),
    ("", ColumnAlign::Left(12)),
    ("cases /s", ColumnAlign::Right(11)),
    ("ns /case", ColumnAlign::Right(9)),
    (" budget", ColumnAlign::Left(20)),
]);

/// Prints the nanoseconds of each case, on each engine.
pub(super) fn report(budgets: &mut BenchBudgets) -> Result<(), String> {
    println!("\nA case in which nothing happens: the way into an engine and out of it.\n");
    println!("{}", COLUMNS.titles());
    for (text, args) in CASES {
        let mut contenders = Vec::new();
        for kind in EngineKind::ALL.into_iter().rev().filter(|it| it.is_available()) {
            contenders.push(contender(kind, text, args)?);
        }
        run_rounds(&mut contenders)?;
        for (at, contender) in contenders.iter().enumerate() {
            let rate = contender.rate().median();
            let is_compiled = contender.name == EngineKind::Jit.name();
            let nanoseconds = 1e9 / rate;
            let remark =
                if is_compiled { budgets.at_most(BUDGET, nanoseconds) } else { String::new() };
            println!(
                "{}",
                COLUMNS.row([
                    if at == 0 { text } else { "" }.to_owned(),
                    if is_compiled { "compiled" } else { contender.name }.to_owned(),
                    grouped(rate),
                    brief(nanoseconds),
                    format!(" {remark}"),
                ])
            );
        }
    }
    Ok(())
}

fn contender(kind: EngineKind, text: &str, args: EmptyCaseArgs) -> Result<Contender, String> {
    let program =
        checked(SourceModule { name: "empty.say".to_owned(), text: format!("{text}\n") })?;
    let mut runner = WorkloadRunner::new(&Engine::new(program, kind))?;
    let run = move |seed, n_cases| {
        let mut chance = RandomIntHost::new(seed);
        for case in 0..n_cases {
            let answer = match args {
                EmptyCaseArgs::None => runner.run(&[], &mut chance),
                EmptyCaseArgs::Number => {
                    runner.run(&[Value::Int(i64::from(case))], &mut chance)
                }
            };
            std::hint::black_box(answer.map_err(faulty)?);
        }
        Ok(())
    };
    Contender::new(kind.name(), Box::new(run))
}
