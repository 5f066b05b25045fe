//! Benchmark of compilation, and of checking for comparison.

use std::sync::Arc;
use std::{iter, slice};

use gainsay_core::{FunctionId, FunctionKind, Program};
use gainsay_ui::{SourceModule, check};
use gainsay_vm::{CodeSize, Engine, EngineKind};

use super::budget::BenchBudgets;
use super::program::{checked, load, own_functions};
use super::text_table::{ColumnAlign, TextTable, brief, grouped};
use super::throughput::Measurements;
use super::workloads;
use crate::bench::generated_project::module_of;
use crate::cpu_time;

/// The maximum time for an ordinary function, in milliseconds.
const BUDGET: f64 = 1.0;

/// The size of the generated module, in lines.
const MODULE_LINES: usize = 1_000;

/// The number of measurements of compilation.
const N_ROUNDS: usize = 9;

/// The number of measurements of checking.
const N_CHECKS: usize = 15;

const COLUMNS: TextTable<9> = TextTable::new([
    ("", ColumnAlign::Left(16)),
    ("functions", ColumnAlign::Right(9)),
    ("bytes", ColumnAlign::Right(8)),
    ("all ms", ColumnAlign::Right(7)),
    ("median ms", ColumnAlign::Right(9)),
    ("90 % ms", ColumnAlign::Right(8)),
    ("max ms", ColumnAlign::Right(7)),
    ("from nothing ms", ColumnAlign::Right(15)),
    (" budget", ColumnAlign::Left(12)),
]);

/// Prints the compile times of the workloads, and of a module of 1,000 lines.
pub(super) fn report(budgets: &mut BenchBudgets) -> Result<(), String> {
    if !EngineKind::Jit.is_available() {
        println!("\nNothing is compiled on this machine.");
        return Ok(());
    }
    println!(
        "\nCompiling, in processor time: all functions, and one of them, when those it calls\n\
         are there already and, for the slowest, when nothing is.\n"
    );
    println!("{}", COLUMNS.titles());
    for name in workloads::programs() {
        row(name, &load(name)?, budgets);
    }
    let module = module_of(MODULE_LINES);
    let n_lines = module.text.lines().count();
    row(&format!("{} lines", grouped(n_lines as f64)), &checked(module.clone())?, budgets);
    print_checking(&module);
    Ok(())
}

/// Prints the time of checking a module, and of checking an empty one.
fn print_checking(module: &SourceModule) {
    let nothing = SourceModule { name: "nothing.say".to_owned(), text: String::new() };
    let mut rounds = [Vec::new(), Vec::new()];
    for _ in 0..N_CHECKS {
        for (module, times) in [module, &nothing].into_iter().zip(&mut rounds) {
            times.push(milliseconds(|| check(slice::from_ref(module))).0);
        }
    }
    let [whole, nothing] = rounds.map(|times| brief(Measurements::of(times).median()));
    let n_lines = grouped(module.text.lines().count() as f64);
    println!(
        "\nChecking the {n_lines} lines takes {whole} ms, checking no lines {nothing} ms: that is \
         the standard library."
    );
}

fn row(name: &str, program: &Arc<Program>, budgets: &mut BenchBudgets) {
    let functions = callees_first(program);
    let rounds: Vec<CompileTimes> =
        (0..N_ROUNDS).map(|_| CompileTimes::of(program, &functions)).collect();
    let all = Measurements::of(rounds.iter().map(|it| it.each.iter().sum()).collect());
    let each = Measurements::of(medians(rounds.iter().map(|it| &it.each[..])));
    let alone = Measurements::of(medians(rounds.iter().map(|it| &it.alone[..])));
    let size = rounds.last().map(|it| it.size).unwrap_or_default();
    println!(
        "{}",
        COLUMNS.row([
            name.to_owned(),
            functions.len().to_string(),
            grouped(size.bytes as f64),
            brief(all.median()),
            brief(each.median()),
            brief(each.quantile(0.9)),
            brief(each.greatest()),
            brief(alone.greatest()),
            format!(" {}", budgets.at_most(BUDGET, each.median())),
        ])
    );
}

/// The medians of each column.
fn medians<'a>(rows: impl Iterator<Item = &'a [f64]> + Clone) -> Vec<f64> {
    let length = rows.clone().next().map_or(0, <[f64]>::len);
    let at = |at: usize| Measurements::of(rows.clone().map(|row| row[at]).collect()).median();
    (0..length).map(at).collect()
}

/// The compile times of functions, in milliseconds.
struct CompileTimes {
    /// One after the other in one engine, so that each only pays for itself.
    each: Vec<f64>,
    /// Each in a fresh engine, so that it pays for everything it refers to.
    alone: Vec<f64>,
    size: CodeSize,
}

impl CompileTimes {
    fn of(program: &Arc<Program>, functions: &[FunctionId]) -> Self {
        let engine = || Engine::new(Arc::clone(program), EngineKind::Jit);
        let shared = engine();
        let mut size = CodeSize::default();
        let mut each = Vec::new();
        for function in functions {
            let (time, grown) = milliseconds(|| shared.prepare(*function));
            each.push(time);
            size = grown;
        }
        let alone = functions.iter().map(|function| {
            let fresh = engine();
            milliseconds(|| fresh.prepare(*function)).0
        });
        Self { each, alone: alone.collect(), size }
    }
}

fn milliseconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = cpu_time::used();
    let answer = work();
    ((cpu_time::used() - start).as_secs_f64() * 1e3, answer)
}

/// The program's own functions and everything they refer to, callees first as far as recursion
/// allows.
fn callees_first(program: &Program) -> Vec<FunctionId> {
    // Types refer to predicates and terms to constants without naming their functions.
    let mut roots: Vec<FunctionId> = own_functions(program).collect();
    roots.sort_by_key(|id| {
        let kind = program.function(*id).kind;
        !matches!(kind, FunctionKind::Refinement | FunctionKind::Constant)
    });
    let mut order = Vec::new();
    let mut is_seen = vec![false; program.functions.len()];
    for root in roots {
        visit(program, root, &mut is_seen, &mut order);
    }
    order
}

fn visit(
    program: &Program,
    root: FunctionId,
    is_seen: &mut [bool],
    order: &mut Vec<FunctionId>,
) {
    let callees = |id: FunctionId| {
        let terms = &program.function(id).body.terms;
        terms.iter().filter_map(|term| term.function()).collect::<Vec<_>>().into_iter()
    };
    if std::mem::replace(&mut is_seen[root.index()], true) {
        return;
    }
    let mut open = Vec::from_iter(iter::once((root, callees(root))));
    while let Some((id, rest)) = open.last_mut() {
        match rest.next() {
            Some(callee) if is_seen[callee.index()] => {}
            Some(callee) => {
                is_seen[callee.index()] = true;
                open.push((callee, callees(callee)));
            }
            None => {
                order.push(*id);
                open.pop();
            }
        }
    }
}
