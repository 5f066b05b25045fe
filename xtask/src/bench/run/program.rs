//! The measured programs, and one case of them.

use std::fs;
use std::sync::Arc;

use gainsay_core::{FunctionId, OpId, Program};
use gainsay_source::{RenderStyle, render};
use gainsay_ui::{SourceModule, TestRandom, check, root};
use gainsay_vm::{
    EffectCall, Engine, FaultKind, Host, HostAnswer, Limits, Refusal, Value, Worker,
};

/// The program of a file in `bench/`.
pub(in crate::bench) fn load(name: &str) -> Result<Arc<Program>, String> {
    checked(module(name)?)
}

/// The program of a file in `bench/` that uses another one there.
pub(in crate::bench) fn load_with(name: &str, used: &str) -> Result<Arc<Program>, String> {
    together(&[module(name)?, module(used)?])
}

fn module(name: &str) -> Result<SourceModule, String> {
    let file = format!("{name}.say");
    let text = fs::read_to_string(root().join("bench").join(&file))
        .map_err(|error| format!("bench/{file}: {error}"))?;
    Ok(SourceModule { name: file, text })
}

/// The program of one module.
pub(in crate::bench) fn checked(module: SourceModule) -> Result<Arc<Program>, String> {
    together(&[module])
}

fn together(modules: &[SourceModule]) -> Result<Arc<Program>, String> {
    let checked = check(modules);
    let complaint = checked.diagnostics.first();
    let complaint = complaint.map(|it| render(&checked.files, it, RenderStyle::Plain));
    checked.program.ok_or_else(|| complaint.unwrap_or_default())
}

/// The functions of the program's own modules.
pub(in crate::bench) fn own_functions(program: &Program) -> impl Iterator<Item = FunctionId> {
    let ids = (0..program.functions.len()).map(|at| FunctionId(at as u32));
    ids.filter(|id| !program.modules[program.function(*id).module.index()].is_std)
}

/// The function `work` of a program on an engine, ready to run.
pub(in crate::bench) struct WorkloadRunner {
    worker: Worker,
    function: FunctionId,
}

impl WorkloadRunner {
    /// Fails only if the program has no such function.
    pub(in crate::bench) fn new(engine: &Engine) -> Result<Self, String> {
        let program = engine.program();
        let function = own_functions(program).find(|id| &*program.function(*id).name == "work");
        let function = function.ok_or("the program has no function `work`")?;
        Ok(Self { worker: engine.worker(Limits::default()), function })
    }

    /// One case, which draws from a stream of numbers.
    #[inline]
    pub(in crate::bench) fn run(
        &mut self,
        args: &[Value],
        chance: &mut RandomIntHost,
    ) -> Result<Value, FaultKind> {
        self.worker.probe(self.function, args, chance).result
    }
}

/// The message for a fault.
#[cold]
pub(in crate::bench) fn faulty(fault: FaultKind) -> String {
    format!("{fault:?}")
}

/// Answers `Random.int`, the only operation of these programs.
pub(in crate::bench) struct RandomIntHost {
    pub(in crate::bench) random: TestRandom,
}

impl RandomIntHost {
    /// The numbers of a seed.
    pub(in crate::bench) fn new(seed: u64) -> Self {
        Self { random: TestRandom::new(seed) }
    }
}

impl Host for RandomIntHost {
    #[inline]
    fn fast_answer(&mut self, _: OpId, args: &[i64]) -> Option<i64> {
        let [lo, hi] = *args else { return None };
        Some(lo + self.random.below((hi - lo) as u64 + 1) as i64)
    }

    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        let [Value::Int(lo), Value::Int(hi)] = call.args else {
            return Err(Refusal::Unanswered);
        };
        let offset = self.random.below((hi - lo) as u64 + 1) as i64;
        Ok(HostAnswer::Value(Value::Int(lo + offset)))
    }
}
