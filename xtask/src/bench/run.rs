//! How long running takes, against the same work by hand.

use std::fs;
use std::sync::Arc;

use bumpalo::Bump;
use gainsay_core::{FunctionId, Program};
use gainsay_source::{Style, render};
use gainsay_ui::{Module, check, root};
use gainsay_vm::{
    Answer, EffectCall, Engine, EngineKind, Host, Limits, Refusal, Value, Worker,
    run_on_big_stack,
};

use super::native::{self, Work};
use crate::cpu;
use gainsay_ui::Random;

/// The programs, and the same by hand.
const WORKS: [(&str, Work); 4] = [
    ("w1_search_tree", native::search_tree),
    ("w2_list_sort", native::list_sort),
    ("w3_loop", native::loop_of_squares),
    ("w4_closures", native::closures),
];

/// How often each work is measured.
const N_ROUNDS: usize = 5;

/// How long one measurement takes at least, in seconds.
const ROUND: f64 = 0.2;

/// How many cases must agree.
const N_COMPARED: u64 = 500;

/// Prints cases per second of a program and by hand, and their ratio.
pub(super) fn run() -> Result<(), String> {
    println!("{:16} {:>14} {:>14} {:>8}", "", "by hand /s", "engine /s", "ratio");
    for (name, work) in WORKS {
        run_on_big_stack(|| compare(name, work))?;
    }
    Ok(())
}

fn compare(name: &str, work: Work) -> Result<(), String> {
    let program = load(name)?;
    let function = entry(&program).ok_or("the program has no function `work`")?;
    let engine = Engine::new(
        program,
        if std::env::var_os("GAINSAY_ENGINE").is_some() {
            EngineKind::Interpreter
        } else {
            EngineKind::Jit
        },
    );
    let mut worker = engine.worker(Limits::default());
    let mut arena = Bump::new();
    agree(&mut worker, function, &mut arena, work).map_err(|it| format!("{name}: {it}"))?;
    let mut by_hand = Vec::new();
    let mut by_engine = Vec::new();
    for _ in 0..N_ROUNDS {
        by_hand.push(rate(|random| native_case(random, &mut arena, work))?);
        by_engine.push(rate(|random| engine_case(random, &mut worker, function))?);
    }
    let (by_hand, by_engine) = (median(by_hand), median(by_engine));
    println!("{name:16} {by_hand:>14.0} {by_engine:>14.0} {:>8.3}", by_engine / by_hand);
    Ok(())
}

fn load(name: &str) -> Result<Arc<Program>, String> {
    let file = format!("{name}.say");
    let text = fs::read_to_string(root().join("bench").join(&file))
        .map_err(|error| format!("bench/{file}: {error}"))?;
    let checked = check(&[Module { name: file, text }]);
    let complaint = checked.diagnostics.first();
    let complaint = complaint.map(|it| render(&checked.files, it, Style::Plain));
    checked.program.ok_or_else(|| complaint.unwrap_or_default())
}

/// The function `work` of the program's own module.
fn entry(program: &Program) -> Option<FunctionId> {
    let is_entry = |it: &gainsay_core::Function| {
        &*it.name == "work" && !program.modules[it.module.index()].is_std
    };
    program.functions.iter().position(is_entry).map(|at| FunctionId(at as u32))
}

/// Both ways give the same answers, from the same draws.
fn agree(
    worker: &mut Worker,
    function: FunctionId,
    arena: &mut Bump,
    work: Work,
) -> Result<(), String> {
    let (mut left, mut right) = (Random::new(0), Random::new(0));
    for case in 0..N_COMPARED {
        let by_hand = native_case(&mut left, arena, work)?;
        let by_engine = engine_case(&mut right, worker, function)?;
        if by_hand != by_engine {
            return Err(format!("case {case}: by hand {by_hand}, engine {by_engine}"));
        }
        if left.clone().next_bits() != right.clone().next_bits() {
            return Err(format!("case {case}: the draws differ"));
        }
    }
    Ok(())
}

fn native_case(random: &mut Random, arena: &mut Bump, work: Work) -> Result<i64, String> {
    arena.reset();
    Ok(work(random, arena))
}

fn engine_case(
    random: &mut Random,
    worker: &mut Worker,
    function: FunctionId,
) -> Result<i64, String> {
    match worker.probe(function, &[], &mut Chance { random }).result {
        Ok(Value::Int(answer)) => Ok(answer),
        Ok(_) => Err("the answer is no small number".to_owned()),
        Err(fault) => Err(format!("{fault:?}")),
    }
}

/// Cases per second of processor time.
fn rate(mut case: impl FnMut(&mut Random) -> Result<i64, String>) -> Result<f64, String> {
    let mut random = Random::new(1);
    let mut n_cases = 0_u32;
    let mut sum = 0_i64;
    let start = cpu::used();
    loop {
        for _ in 0..64 {
            sum = sum.wrapping_add(case(&mut random)?);
        }
        n_cases += 64;
        let seconds = (cpu::used() - start).as_secs_f64();
        if seconds >= ROUND {
            std::hint::black_box(sum);
            return Ok(f64::from(n_cases) / seconds);
        }
    }
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// Answers `Random.int`, the only operation of these programs.
struct Chance<'a> {
    random: &'a mut Random,
}

impl Host for Chance<'_> {
    #[inline]
    fn quick(&mut self, _: gainsay_core::OpId, args: &[i64]) -> Option<i64> {
        let [lo, hi] = *args else { return None };
        Some(lo + self.random.below((hi - lo) as u64 + 1) as i64)
    }

    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        let [Value::Int(lo), Value::Int(hi)] = call.args else {
            return Err(Refusal::Unanswered);
        };
        let offset = self.random.below((hi - lo) as u64 + 1) as i64;
        Ok(Answer::Value(Value::Int(lo + offset)))
    }
}
