//! A test program: a program, the calls made of it, and the answers of the host.

use std::sync::Arc;

use gainsay_core::{FunctionId, OpId, Program, TyId};
use gainsay_vm::{Fields, Limits, Value};

use super::function_plan::FunctionPlan;
use super::program_generator::{AllowedEffects, ProgramGenerator};

/// The recipe of a test program, which determines it completely.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct TestProgramRecipe {
    /// The random seed.
    pub seed: u64,
    /// The size of the program, from 0.
    pub size: u32,
}

impl TestProgramRecipe {
    /// The recipe of a seed; the size varies with it. Most programs are small, because many small
    /// programs find more than a few large ones in the same time.
    pub fn of_seed(seed: u64) -> Self {
        Self { seed, size: [0, 0, 1, 1, 1, 2, 3, 5][(seed % 8) as usize] }
    }
}

/// A program and the calls made of it.
#[derive(Clone)]
pub(super) struct TestProgram {
    pub(super) program: Arc<Program>,
    pub(super) calls: Vec<TopLevelCall>,
    pub(super) answers: Arc<[HostAnswers]>,
}

/// The possible answers of the host to an operation at some types.
pub(super) struct HostAnswers {
    pub(super) op: OpId,
    pub(super) type_args: Box<[TyId]>,
    pub(super) values: Vec<Value>,
    /// Functions to call, with their arguments.
    pub(super) calls: Vec<(Value, Vec<Value>)>,
}

/// One call from outside.
#[derive(Clone)]
pub(super) struct TopLevelCall {
    pub(super) callee: Value,
    pub(super) args: Vec<CallArgument>,
    pub(super) limits: Limits,
    /// Stubs that take precedence over the host from this call on.
    pub(super) stubs: Option<Vec<(OpId, Value)>>,
    pub(super) host_seed: u64,
}

/// An argument of a call.
#[derive(Clone)]
pub(super) struct CallArgument {
    pub(super) value: Value,
    /// An earlier call whose value is passed instead, if it returned one.
    pub(super) from: Option<usize>,
}

/// The recursion depth of deep programs.
const DEEP: i64 = 100_000;

/// Generates the test program of a recipe.
pub(super) fn make(recipe: TestProgramRecipe) -> TestProgram {
    let mut maker = ProgramGenerator::new(recipe.seed);
    let size = i64::from(recipe.size);
    maker.declare_all();
    maker.plan(2 + u64::from(recipe.size));
    maker.terms_left = 4 + 8 * size;
    maker.constants();
    maker.worlds();
    maker.make_planned(10 + 14 * size);
    let is_deep = recipe.seed % 500 == 499;
    let mut calls = Vec::new();
    let mut results = Vec::new();
    for _ in 0..3 + maker.chance.below(4) {
        // Earlier functions call later ones, so they are preferred.
        let n_plans = maker.plans.len() as u64;
        let at = maker.chance.below(n_plans).min(maker.chance.below(n_plans)) as usize;
        let plan = maker.plans[at].clone();
        calls.push(maker.outside_call(&plan, &mut results));
    }
    if is_deep {
        maker.deep_function();
        let plan = maker.plans.last().cloned();
        calls.extend(plan.map(|plan| maker.deep_call(&plan)));
    }
    let answers = maker.host_answers().into();
    TestProgram { program: Arc::new(maker.finish()), calls, answers }
}

impl ProgramGenerator {
    /// A call of a declared function. Generic functions are called at random types.
    fn outside_call(&mut self, plan: &FunctionPlan, results: &mut Vec<TyId>) -> TopLevelCall {
        let type_args: Vec<TyId> =
            (0..plan.n_type_params).map(|_| self.comparable_ty(2)).collect();
        let mut args = Vec::new();
        for (at, param) in plan.params.iter().enumerate() {
            let ty = self.program.types.instantiate(*param, &type_args);
            let value = match plan.group {
                Some(group) if at == 0 => Value::Int(self.fuel(group)),
                Some(_) | None => self.value(ty, 3),
            };
            let earlier = results.iter().position(|result| *result == ty);
            let from = earlier.filter(|_| plan.group.is_none() || at > 0);
            args.push(CallArgument { value, from: from.filter(|_| self.chance.percent(30)) });
        }
        let result = self.program.types.instantiate(plan.result, &type_args);
        results.push(result);
        let stubs = self.chance.percent(20).then(|| self.outside_stubs());
        let limits = self.limits();
        let callee = self.callee(plan.id);
        TopLevelCall { callee, args, limits, stubs, host_seed: self.chance.bits() }
    }

    fn callee(&self, function: FunctionId) -> Value {
        Value::Closure(function, Fields::EMPTY)
    }

    fn outside_stubs(&mut self) -> Vec<(OpId, Value)> {
        let mut stubs = Vec::new();
        for op in self.stubbed_ops() {
            let level = if self.chance.percent(60) {
                AllowedEffects::Pure
            } else {
                AllowedEffects::All
            };
            if self.chance.percent(50)
                && let Some(ty) = self.stub_ty(op, level)
            {
                stubs.push((op, self.value(ty, 2)));
            }
        }
        stubs
    }

    /// Mostly sufficient limits, sometimes too low ones.
    fn limits(&mut self) -> Limits {
        let mut limits =
            Limits { steps: 20_000, depth: 5_000, words: 1 << 20, ..Limits::default() };
        match self.chance.below(24) {
            0 => limits.steps = 1 + self.chance.below(30),
            1 => limits.words = self.chance.below(100),
            2 => limits.depth = 1 + self.chance.below(4) as u32,
            _ => {}
        }
        limits
    }

    fn deep_call(&mut self, plan: &FunctionPlan) -> TopLevelCall {
        let steps = 4 * DEEP as u64;
        let limits = Limits { steps, ..Limits::default() };
        let args = vec![CallArgument { value: Value::Int(DEEP), from: None }];
        let host_seed = self.chance.bits();
        TopLevelCall { callee: self.callee(plan.id), args, limits, stubs: None, host_seed }
    }
}
