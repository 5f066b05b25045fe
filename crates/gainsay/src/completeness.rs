//! Whether the search for solutions of a query finds all small ones, and only such.
//!
//! All values up to a height are tried by running the predicate as it is. Each that satisfies it is
//! then wished for: a wish only changes the order in which a search tries things, so a search that
//! does not come to it has lost it.

use std::collections::BTreeSet;
use std::sync::Arc;

use gainsay_core::{FunctionId, Program, TyId};
use gainsay_solve::{Budget, Chooser, Machine, NotSolvable, RelationSolver, SolverRequest};
use gainsay_solve::{SMALL_INTEGERS, SolverQuery, compile_predicate};
use gainsay_vm::{Engine, Limits, NoEffects, Value, Worker, run_on_big_stack, show};

use crate::{CheckedSample, SampleSettings};

/// The combinations of values that are tried.
const MAX_COMBINATIONS: usize = 20_000;

/// Searches for one value: each makes other choices where a wish does not say which.
const SEARCHES: u64 = 20;

/// The steps of one search, and of running the predicate once.
const STEPS: u64 = 20_000;
const PREDICATE_STEPS: u64 = 1_000_000;

/// The solutions of a query up to a height, compared with those that a search finds.
#[derive(Debug, Clone, Default)]
pub struct Completeness {
    /// Solutions there are.
    pub n_solutions: usize,
    /// Those of them that a search finds, as source: one text for each unknown.
    pub n_reached: usize,
    /// Those that it does not find.
    pub missed: Vec<Vec<String>>,
    /// What a search finds, but is no solution.
    pub invalid: Vec<Vec<String>>,
    /// Combinations of which the predicate could not be decided.
    pub n_undecided: usize,
    /// Whether there are more combinations than were tried.
    pub is_cut_off: bool,
    /// Whether values of some type cannot be enumerated.
    pub has_opaque: bool,
}

/// Compares the solutions of a query up to a height with those that a search finds. `None` if the
/// sample is not a query.
///
/// # Errors
///
/// The query cannot be searched.
pub fn check_completeness(
    sample: &CheckedSample,
    height: u32,
    settings: &SampleSettings,
) -> Option<Result<Completeness, NotSolvable>> {
    let program = sample.checked.program.as_ref()?;
    let predicate = crate::query::condition(program, sample.claim?)?;
    Some(run_on_big_stack(|| {
        let mut types = program.types.clone();
        let query = compile_predicate(program, &mut types, predicate, Box::default())?;
        let engine = Engine::new(Arc::clone(program), settings.engine)
            .with_relations(RelationSolver::for_program(program));
        let limits = Limits { steps: PREDICATE_STEPS, ..Limits::default() };
        let mut comparison = Comparison {
            program,
            predicate,
            query: &query,
            worker: engine.worker(limits),
            machine: Machine::new(),
            height,
            seen: BTreeSet::new(),
            result: Completeness::default(),
        };
        comparison.run();
        Ok(comparison.result)
    }))
}

struct Comparison<'a> {
    program: &'a Program,
    predicate: FunctionId,
    query: &'a SolverQuery,
    worker: Worker,
    machine: Machine,
    height: u32,
    /// What searches found and was looked at.
    seen: BTreeSet<Vec<String>>,
    result: Completeness,
}

impl Comparison<'_> {
    fn run(&mut self) {
        for values in self.combinations() {
            match self.holds(&values) {
                None => self.result.n_undecided += 1,
                Some(false) => {}
                Some(true) => self.compare(&values),
            }
        }
    }

    /// All combinations of small values, up to a limit.
    fn combinations(&mut self) -> Vec<Vec<Value>> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for at in 0..self.query.n_arguments() {
            let small = self.query.small_values(at, self.height, MAX_COMBINATIONS);
            self.result.is_cut_off |= small.is_cut_off;
            self.result.has_opaque |= small.has_opaque;
            let n_all = rows.len().saturating_mul(small.values.len());
            self.result.is_cut_off |= n_all > MAX_COMBINATIONS;
            let longer = rows.iter().flat_map(|row| {
                let values = small.values.iter();
                values.map(move |value| row.iter().chain([value]).cloned().collect())
            });
            rows = longer.take(MAX_COMBINATIONS).collect();
        }
        rows
    }

    /// Whether the predicate holds; `None` if it reached a limit. One that fails does not hold.
    fn holds(&mut self, values: &[Value]) -> Option<bool> {
        use gainsay_vm::FaultKind as Kind;
        match self.worker.probe(self.predicate, values, &mut NoEffects).result {
            Ok(Value::Bool(holds)) => Some(holds),
            Err(
                Kind::StepLimit | Kind::DepthLimit | Kind::MemoryLimit | Kind::Unsupported(_),
            ) => None,
            Ok(_) | Err(_) => Some(false),
        }
    }

    fn compare(&mut self, values: &[Value]) {
        self.result.n_solutions += 1;
        let wanted = self.texts(values);
        for attempt in 0..SEARCHES {
            let Some(found) = self.search(values, attempt) else { continue };
            let texts = self.texts(&found);
            if texts == wanted {
                self.result.n_reached += 1;
                return;
            }
            if self.seen.insert(texts.clone()) && self.holds(&found) == Some(false) {
                self.result.invalid.push(texts);
            }
        }
        self.result.missed.push(wanted);
    }

    fn search(&mut self, values: &[Value], attempt: u64) -> Option<Vec<Value>> {
        let args = vec![None; values.len()];
        let wishes: Vec<Option<Value>> = values.iter().cloned().map(Some).collect();
        let budget = Budget { steps: STEPS, attempts: 1 };
        let request = SolverRequest { args: &args, wishes: &wishes, size: self.height, budget };
        let mut chooser = AnyOrder { state: attempt };
        self.machine.search_once(self.query, self.program, &request, &mut chooser)
    }

    fn texts(&self, values: &[Value]) -> Vec<String> {
        values.iter().map(|it| show(self.program, it)).collect()
    }
}

/// Alternatives in an order that differs from search to search.
struct AnyOrder {
    state: u64,
}

impl AnyOrder {
    /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.state;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (it ^ (it >> 31)) % n.max(1)
    }
}

impl Chooser for AnyOrder {
    fn alternative(&mut self, weights: &[u32]) -> usize {
        let possible: Vec<usize> = (0..weights.len()).filter(|at| weights[*at] > 0).collect();
        let at = self.below(possible.len() as u64) as usize;
        possible.get(at).copied().unwrap_or(0)
    }

    fn integer(&mut self, lo: Option<i64>, hi: Option<i64>) -> i64 {
        let n = SMALL_INTEGERS.count() as u64;
        let small = SMALL_INTEGERS.start() + self.below(n) as i64;
        small.max(lo.unwrap_or(i64::MIN)).min(hi.unwrap_or(i64::MAX))
    }

    fn list_weights(&mut self, _: u32) -> [u32; 2] {
        [1, 1]
    }

    fn opaque(&mut self, _: TyId) -> Option<Value> {
        None
    }
}
