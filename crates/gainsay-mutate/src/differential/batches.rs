//! Runs many mutants of a function on the same batches of inputs.
//!
//! Each input is drawn and run on the original once for all mutants. A mutant is run only on inputs
//! that may infect it, that is, on which the original reaches its term and the mutated term may
//! have a different value; on all others its result is the same.

use gainsay_vm::{MutantId, Value};

use super::{DifferentialCall, DifferentialRunner, MAX_SEARCH_STEPS, VersionOutcome, call};

/// Size of the first and of the largest batch. Most mutants are distinguished in the first.
const FIRST_BATCH: usize = 4;
const MAX_BATCH: usize = 128;

/// Inputs remembered per mutant that reach it.
const MAX_REACHING: usize = 16;

/// An input and the result of the original on it.
struct BatchInput<I> {
    input: I,
    args: Vec<Value>,
    /// Whether it contains generated functions. They draw their results lazily from the host, which
    /// supports only the most recent input.
    has_functions: bool,
    /// Whether it is tried for the first time.
    is_new: bool,
    original: VersionOutcome,
    /// By position in the list of mutants: which were reached, and which may have been infected.
    reached: Vec<bool>,
    infected: Vec<bool>,
}

/// The next input and its arguments; `Some(None)` for an invalid input, `None` at the end.
pub(super) type NextInput<I> = Option<Option<(I, Vec<Value>)>>;

/// The search result for one mutant.
#[derive(Debug, Clone)]
pub(crate) struct MutantSearchResult<I> {
    /// The first input that distinguishes it.
    pub(crate) distinguishing_input: Option<I>,
    /// Some inputs on which the original reaches its term.
    pub(crate) reaching_inputs: Vec<I>,
    /// The number of distinct inputs tried.
    pub(crate) n_inputs: u64,
}

/// A mutant that has not been distinguished yet.
struct OpenMutant {
    /// Its position in the list of mutants.
    at: usize,
    steps_left: u64,
    n_inputs: u64,
}

impl DifferentialRunner<'_> {
    /// Runs inputs until each mutant is distinguished or the inputs are exhausted. `next` yields
    /// inputs; `again` regenerates one that contains functions.
    pub(super) fn run_batches<I: Clone>(
        &mut self,
        pairing: &DifferentialCall,
        mutants: &[MutantId],
        next: &mut dyn FnMut(&mut Self) -> NextInput<I>,
        again: &mut dyn FnMut(&mut Self, &I) -> Option<Vec<Value>>,
    ) -> Vec<MutantSearchResult<I>> {
        let nothing = MutantSearchResult {
            distinguishing_input: None,
            reaching_inputs: Vec::new(),
            n_inputs: 0,
        };
        let mut outcomes = vec![nothing; mutants.len()];
        if self.enter_world(pairing).is_none() {
            return outcomes;
        }
        let all = (0..mutants.len()).map(|at| OpenMutant {
            at,
            steps_left: MAX_SEARCH_STEPS,
            n_inputs: 0,
        });
        let mut open: Vec<OpenMutant> = all.collect();
        let mut len = FIRST_BATCH;
        self.steps_left = MAX_SEARCH_STEPS;
        while !open.is_empty() {
            let batch = self.fill_batch(pairing, mutants, len, next);
            if batch.is_empty() {
                break;
            }
            for it in &mut open {
                let outcome = &mut outcomes[it.at];
                outcome.distinguishing_input =
                    self.run_batch(pairing, mutants[it.at], it, &batch, again);
                outcome.n_inputs = it.n_inputs;
                remember_reaching(&mut outcome.reaching_inputs, it.at, &batch);
            }
            open.retain(|it| {
                outcomes[it.at].distinguishing_input.is_none() && it.steps_left > 0
            });
            // Doubling amortizes the cost of switching mutants for those that are hard to
            // distinguish.
            len = (len * 2).min(MAX_BATCH);
        }
        self.leave_world();
        outcomes
    }

    /// The next batch of inputs, run on the original.
    fn fill_batch<I>(
        &mut self,
        pairing: &DifferentialCall,
        mutants: &[MutantId],
        len: usize,
        next: &mut dyn FnMut(&mut Self) -> NextInput<I>,
    ) -> Vec<BatchInput<I>> {
        let mut batch = Vec::new();
        while batch.len() < len && self.steps_left > 0 {
            let Some(input) = next(self) else { break };
            let Some((input, args)) = input else { continue };
            let is_new = self.tried_inputs.insert(&args);
            let original = self.call_traced(pairing, &args);
            let reached = mutants.iter().map(|it| self.is_reached(*it)).collect();
            let infected = mutants.iter().map(|it| self.is_infected(*it)).collect();
            let has_functions = self.host.has_generated_functions();
            batch.push(BatchInput {
                input,
                args,
                has_functions,
                is_new,
                original,
                reached,
                infected,
            });
        }
        batch
    }

    /// The first input of a batch that distinguishes a mutant.
    fn run_batch<I: Clone>(
        &mut self,
        pairing: &DifferentialCall,
        mutant: MutantId,
        open: &mut OpenMutant,
        batch: &[BatchInput<I>],
        again: &mut dyn FnMut(&mut Self, &I) -> Option<Vec<Value>>,
    ) -> Option<I> {
        let mut is_on = false;
        for asked in batch {
            if open.steps_left == 0 {
                return None;
            }
            // Counted even if the mutant is not run: on this input it is known to agree.
            open.n_inputs += u64::from(asked.is_new);
            // A mutant that is not infected gives the same result.
            if !asked.infected[open.at] {
                continue;
            }
            if !is_on {
                self.mutated.set_mutant(Some(mutant));
                is_on = true;
            }
            let differs = if asked.has_functions {
                // The generated functions of an input live in the host, which has moved on to later
                // inputs.
                let args = again(self, &asked.input);
                args.is_some_and(|args| self.call_both(pairing, args).differs())
            } else {
                let (other, steps) =
                    call(&mut self.mutated, pairing.function, &asked.args, &mut self.host);
                // Each mutant has a budget of its own: one that loops must not use up that of the
                // others.
                open.steps_left = open.steps_left.saturating_sub(steps);
                asked.original.differs_from(&other)
            };
            if differs {
                return Some(asked.input.clone());
            }
        }
        None
    }

    /// Whether the last traced call, or a constant, reached the term of a mutant.
    pub(super) fn is_reached(&self, mutant: MutantId) -> bool {
        self.original.is_reached(mutant)
            || self
                .original
                .switch_of(mutant)
                .is_some_and(|it| self.constant_reachability.is_reached(it))
    }

    /// Whether a mutant may have changed a value in the last traced call or in a constant.
    pub(super) fn is_infected(&self, mutant: MutantId) -> bool {
        self.original.may_infect(mutant)
            || self
                .original
                .infection_flag(mutant)
                .is_some_and(|it| self.constant_reachability.is_reached(it))
    }

    /// Calls the original and records which mutants it reaches.
    pub(super) fn call_traced(
        &mut self,
        pairing: &DifferentialCall,
        args: &[Value],
    ) -> VersionOutcome {
        self.original.watch_mutants();
        let (gave, steps) = call(&mut self.original, pairing.function, args, &mut self.host);
        self.spend(steps);
        gave
    }
}

/// Remembers inputs that reach a mutant: the first ones and the most recent ones. Drawn inputs grow
/// with their number, so this keeps small and large ones.
fn remember_reaching<I: Clone>(reaching: &mut Vec<I>, mutant: usize, batch: &[BatchInput<I>]) {
    let coming: Vec<&BatchInput<I>> = batch.iter().filter(|it| it.reached[mutant]).collect();
    let n_first = (MAX_REACHING / 2).saturating_sub(reaching.len()).min(coming.len());
    let (first, later) = coming.split_at(n_first);
    reaching.extend(first.iter().map(|it| it.input.clone()));
    let last = later.iter().rev().take(MAX_REACHING / 2).rev();
    reaching.extend(last.map(|it| it.input.clone()));
    // From the middle, so that the first half stays and the second half holds the latest.
    if let Some(n_more) = reaching.len().checked_sub(MAX_REACHING) {
        reaching.drain(MAX_REACHING / 2..MAX_REACHING / 2 + n_more);
    }
}
