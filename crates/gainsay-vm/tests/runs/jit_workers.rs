//! Workers that share an engine and start simultaneously, so that they race to compile.

use std::sync::{Arc, Barrier};

use gainsay_core::{FunctionId, Program};
use gainsay_vm::{Engine, EngineKind, Limits, NoEffects, Value, show};

use crate::builder::ProgramBuilder;
use crate::jit_faults::{LOW, count, deep, forever};
use crate::jit_recursion::MAKERS;

fn program() -> (Arc<Program>, Vec<FunctionId>) {
    let mut b = ProgramBuilder::new();
    let mut functions = vec![count(&mut b), deep(&mut b), forever(&mut b)];
    functions.extend(MAKERS.map(|make| make(&mut b)));
    (Arc::new(b.program), functions)
}

/// The results of all functions on one worker, as text.
fn run(engine: &Engine, functions: &[FunctionId], first: usize) -> Vec<String> {
    let mut worker = engine.worker(Limits { depth: 100, ..LOW });
    let mut results = vec![String::new(); functions.len() * 20];
    for at in 0..results.len() {
        // Each worker starts at a different function.
        let at = (at + first) % results.len();
        let (function, arg) = (functions[at % functions.len()], at / functions.len());
        let probe = worker.probe(function, &[Value::Int(arg as i64)], &mut NoEffects);
        let result = probe.result.map(|it| show(engine.program(), &it));
        results[at] = format!("{function:?} {result:?} {} {}", probe.steps, probe.words);
    }
    results
}

#[test]
fn workers_do_not_depend_on_each_other() {
    let (program, functions) = program();
    let engine = || Engine::new(Arc::clone(&program), EngineKind::best());
    let expected = run(&engine(), &functions, 0);
    for n_workers in [2, 4, 8] {
        for _ in 0..20 {
            let (engine, barrier) = (engine(), Barrier::new(n_workers));
            std::thread::scope(|scope| {
                for number in 0..n_workers {
                    let (engine, barrier, functions) = (engine.clone(), &barrier, &functions);
                    let expected = &expected;
                    scope.spawn(move || {
                        barrier.wait();
                        assert_eq!(&run(&engine, functions, number * 7), expected);
                    });
                }
            });
        }
    }
}
