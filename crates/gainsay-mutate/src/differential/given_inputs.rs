//! Searches with given inputs: those that claims use or that reach a mutant, and inputs derived
//! from them by part replacement, random variation and the alternating variable method.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gainsay_choice::Random;
use gainsay_core::{Datum, Program, Ty, TyId};
use gainsay_test::{datum_to_value, value_to_datum};
use gainsay_vm::{MutantId, Value};

use super::alternating_variable::{AlternatingVariableSearch, MeasuredDistance};
use super::dictionary::InputDictionary;
use super::input_variation::{VariedInputs, shrink_candidates};
use super::part_replacement;
use super::{
    DifferentialCall, DifferentialRunner, DistinguishingInput, MAX_SEARCH_STEPS,
    MutantSearchResult, OutcomePair, ReproducibleInput, call,
};
use crate::value_log::ValueLog;

/// Random inputs that are added to the given seeds.
const N_DRAWN_SEEDS: u64 = 20;
/// Seed inputs whose parts are replaced, and the total number of replacements.
const MAX_SEED_INPUTS: usize = 16;
const MAX_REPLACEMENTS: usize = 4_000;
/// The same for inputs that reach one mutant.
const MAX_REACHING_SEED_INPUTS: usize = 8;
const MAX_REACHING_REPLACEMENTS: usize = 12_000;
/// Variations of inputs that reach one mutant, and the size of the pool they are drawn from.
const N_REACHING_VARIATIONS: usize = 500;
const MAX_POOL: usize = 64;
/// Executions of the alternating variable method, and its starting points.
const MAX_ALTERNATING_VARIABLE_RUNS: usize = 1_000;
const MAX_STARTS: usize = 6;
/// The cost, in steps, of converting one part of an input to a value, or of logging one value.
const STEPS_PER_PART: u64 = 20;
/// Candidates tried when shrinking a given input.
const MAX_GIVEN_SHRINKS: usize = 400;

impl DifferentialRunner<'_> {
    /// Searches given inputs and their variations for some that distinguish each mutant. The first
    /// `n_claimed` of the seeds are inputs that claims use.
    pub(crate) fn distinguish_by_variation(
        &mut self,
        pairing: &DifferentialCall,
        (seeds, n_claimed): (&[Datum], usize),
        n_inputs: u64,
        mutants: &[MutantId],
    ) -> Vec<MutantSearchResult<Datum>> {
        let seeds = self.with_drawn_seeds(pairing, seeds);
        let program = Arc::clone(self.original.program());
        let types = parameter_types(&program, pairing);
        let vocabulary = InputDictionary::of_function(&program, pairing.function);
        let leaves = vocabulary.literals();
        let mut varied = VariedInputs::new(
            &program,
            self.variation_randoms(pairing),
            &seeds,
            &leaves,
            &types,
        );
        // Inputs that claims use are meaningful more often than random ones, so each kind gets
        // half.
        let (claimed, others) = seeds.split_at(n_claimed.min(seeds.len()));
        let mut bases = self.select_seed_inputs(pairing, claimed, MAX_SEED_INPUTS / 2);
        bases.extend(self.select_seed_inputs(pairing, others, MAX_SEED_INPUTS / 2));
        let systematic =
            part_replacement::interleaved_replacements(&program, &vocabulary, &bases, &types);
        let systematic = systematic.take(MAX_REPLACEMENTS);
        // Cheap and likely inputs first: claims' own, then systematic changes, then random ones.
        let mut given = seeds.iter().cloned().chain(systematic);
        let mut n_varied = 0;
        let mut next = |runner: &mut Self| {
            let input = match given.next() {
                Some(input) => input,
                None if n_varied >= n_inputs => return None,
                None => {
                    n_varied += 1;
                    varied.next(&seeds)?
                }
            };
            let args = runner.given_args(pairing, &input);
            Some(args.map(|args| (input, args)))
        };
        // Data contains no functions, so inputs never need to be regenerated.
        self.run_batches(pairing, mutants, &mut next, &mut |_, _| None)
    }

    /// One random stream per purpose, so that one does not perturb the others.
    fn variation_randoms(&self, pairing: &DifferentialCall) -> [Random; 3] {
        [0, 1, 2].map(|purpose| Random::new(self.seed(pairing, purpose)))
    }

    /// Draws numbered inputs and converts them to data; those with functions are dropped.
    pub(crate) fn drawn_data(
        &mut self,
        pairing: &DifferentialCall,
        numbers: &[u64],
        n_inputs: u64,
    ) -> Vec<Datum> {
        let drawn = numbers.iter().filter_map(|number| {
            let args = self.draw_numbered(pairing, *number, n_inputs)?;
            args.iter().map(value_to_datum).collect::<Option<_>>().map(Datum::Tuple)
        });
        drawn.collect()
    }

    /// Searches for an input that distinguishes one mutant, starting from inputs that reach it.
    ///
    /// If it is known which comparison decides between the versions, its two sides are traced at
    /// `places`, and the search minimizes their distance. It then replaces parts, then varies at
    /// random.
    pub(crate) fn distinguish_reached(
        &mut self,
        pairing: &DifferentialCall,
        reaching: &[Datum],
        places: Option<(i64, i64)>,
        mutant: MutantId,
    ) -> Option<Datum> {
        self.enter_world(pairing)?;
        self.mutated.set_mutant(Some(mutant));
        self.steps_left = MAX_SEARCH_STEPS;
        let mut pool = Vec::new();
        let found = places
            .and_then(|places| self.alternate_variables(pairing, reaching, places, &mut pool))
            .or_else(|| {
                // Up to `MAX_REACHING_REPLACEMENTS` inputs are tried here, so the budget is larger.
                self.steps_left = 8 * MAX_SEARCH_STEPS;
                self.replace_in_reaching(pairing, reaching, mutant)
            })
            .or_else(|| {
                // Zero-distance inputs are on the boundary, which is a good place to vary from.
                pool.extend_from_slice(reaching);
                self.steps_left = MAX_SEARCH_STEPS;
                self.vary_reaching(pairing, pool, mutant)
            });
        self.leave_world();
        found
    }

    fn alternate_variables(
        &mut self,
        pairing: &DifferentialCall,
        seeds: &[Datum],
        places: (i64, i64),
        arrived: &mut Vec<Datum>,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let types = parameter_types(&program, pairing);
        // Versions that differ by one in a bound diverge one step beside it.
        [0.0, 1.0].into_iter().find_map(|wanted| {
            self.alternate_variables_at(pairing, seeds, (places, wanted), &types, arrived)
        })
    }

    /// Replaces each part of the smallest inputs that reach a mutant.
    fn replace_in_reaching(
        &mut self,
        pairing: &DifferentialCall,
        reaching: &[Datum],
        mutant: MutantId,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let types = parameter_types(&program, pairing);
        let vocabulary = InputDictionary::of_function(&program, pairing.function);
        let bases = self.select_seed_inputs(pairing, reaching, MAX_REACHING_SEED_INPUTS);
        let inputs =
            part_replacement::interleaved_replacements(&program, &vocabulary, &bases, &types);
        for input in inputs.take(MAX_REACHING_REPLACEMENTS) {
            if self.steps_left == 0 {
                return None;
            }
            let Some(args) = self.given_args(pairing, &input) else { continue };
            if self.differs_if_infected(pairing, &args, mutant) {
                return Some(input);
            }
        }
        None
    }

    /// Whether an input distinguishes a mutant. The mutant runs only if it may be infected.
    fn differs_if_infected(
        &mut self,
        pairing: &DifferentialCall,
        args: &[Value],
        mutant: MutantId,
    ) -> bool {
        self.tried_inputs.insert(args);
        let original = self.call_traced(pairing, args);
        // Its result would be that of the original.
        if !self.is_infected(mutant) {
            return false;
        }
        let (other, steps) = call(&mut self.mutated, pairing.function, args, &mut self.host);
        self.spend(steps);
        original.differs_from(&other)
    }

    /// Varies inputs that reach a mutant; variations that still reach it join the pool.
    fn vary_reaching(
        &mut self,
        pairing: &DifferentialCall,
        mut pool: Vec<Datum>,
        mutant: MutantId,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let types = parameter_types(&program, pairing);
        let leaves = InputDictionary::of_function(&program, pairing.function).literals();
        let mut varied = VariedInputs::new(
            &program,
            self.variation_randoms(pairing),
            &pool,
            &leaves,
            &types,
        );
        for _ in 0..N_REACHING_VARIATIONS {
            if self.steps_left == 0 {
                return None;
            }
            let input = varied.next(&pool)?;
            let Some(args) = self.given_args(pairing, &input) else { continue };
            if self.differs_if_infected(pairing, &args, mutant) {
                return Some(input);
            }
            // As in fuzzing: what gets near is worth varying further.
            if self.is_reached(mutant) && pool.len() < MAX_POOL {
                pool.push(input);
            }
        }
        None
    }

    /// Shrinks a distinguishing input to a locally minimal one.
    pub(crate) fn shrink_given(
        &mut self,
        pairing: &DifferentialCall,
        input: Datum,
    ) -> Option<DistinguishingInput> {
        self.enter_world(pairing)?;
        self.steps_left = 2 * MAX_SEARCH_STEPS;
        let input = self.minimize_given(pairing, input);
        let compared = self.compare_given(pairing, &input);
        self.leave_world();
        let OutcomePair { args, original, mutated: other } = compared?;
        let texts = args.iter().map(|it| self.text(it)).collect();
        Some(DistinguishingInput {
            input: ReproducibleInput::Given(input),
            args,
            texts,
            original,
            mutated: other,
        })
    }

    /// The given inputs and a few random ones.
    fn with_drawn_seeds(&mut self, pairing: &DifferentialCall, seeds: &[Datum]) -> Vec<Datum> {
        let numbers: Vec<u64> = (0..N_DRAWN_SEEDS).collect();
        let mut seeds = seeds.to_vec();
        seeds.extend(self.drawn_data(pairing, &numbers, N_DRAWN_SEEDS));
        seeds
    }

    /// The distance of an input to the divergence of the versions, which is where the two sides of
    /// the comparison are `wanted` apart.
    fn measure_distance(
        &mut self,
        pairing: &DifferentialCall,
        places: (i64, i64),
        wanted: f64,
        input: &Datum,
    ) -> MeasuredDistance {
        if self.steps_left == 0 {
            return MeasuredDistance::Unknown;
        }
        let log = Rc::new(RefCell::new(ValueLog::default()));
        self.host.tracer = Some(log.clone());
        let compared = self.compare_given(pairing, input);
        // Removed even if the input was rejected, or later calls would be traced.
        self.host.tracer = None;
        let Some(compared) = compared else {
            return MeasuredDistance::Unknown;
        };
        // The goal is a difference; the distance only leads there.
        if compared.differs() {
            return MeasuredDistance::Found;
        }
        let traced = log.take();
        self.spend(STEPS_PER_PART * traced.n_values() as u64);
        let distance = traced.min_distance(places.0, places.1);
        distance.map_or(MeasuredDistance::Unknown, |it| {
            MeasuredDistance::Distance((it - wanted).abs())
        })
    }

    fn alternate_variables_at(
        &mut self,
        pairing: &DifferentialCall,
        seeds: &[Datum],
        (places, wanted): ((i64, i64), f64),
        types: &[TyId],
        arrived: &mut Vec<Datum>,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let mut starts: Vec<(f64, &Datum)> = Vec::new();
        for seed in seeds {
            match self.measure_distance(pairing, places, wanted, seed) {
                MeasuredDistance::Found => return Some(seed.clone()),
                MeasuredDistance::Distance(distance) => starts.push((distance, seed)),
                MeasuredDistance::Unknown => {}
            }
        }
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Spread the starts over all distances: the nearest may lie on a plateau.
        let n_starts = starts.len().min(MAX_STARTS);
        let starts: Vec<&Datum> = (0..n_starts)
            .map(|at| starts[at * (starts.len() - 1) / (n_starts - 1).max(1)].1)
            .collect();
        let mut measure = |input: &Datum| self.measure_distance(pairing, places, wanted, input);
        let (program, budget, measure) =
            (&program, MAX_ALTERNATING_VARIABLE_RUNS, &mut measure);
        let mut approach = AlternatingVariableSearch {
            program,
            types,
            budget,
            measure,
            zero_distance_inputs: arrived,
        };
        starts.iter().find_map(|start| approach.search_from(start))
    }

    fn minimize_given(&mut self, pairing: &DifferentialCall, mut input: Datum) -> Datum {
        // Greedy: restart from each candidate that still differs, until none does.
        let program = Arc::clone(self.original.program());
        let types = parameter_types(&program, pairing);
        let mut n_tries = 0;
        'again: loop {
            for simpler in shrink_candidates(&program, &input, &types) {
                n_tries += 1;
                if n_tries > MAX_GIVEN_SHRINKS || self.steps_left == 0 {
                    return input;
                }
                let compared = self.compare_given(pairing, &simpler);
                if compared.is_some_and(|it| it.differs()) {
                    input = simpler;
                    continue 'again;
                }
            }
            return input;
        }
    }

    /// Calls both versions with a given input.
    pub(super) fn compare_given(
        &mut self,
        pairing: &DifferentialCall,
        input: &Datum,
    ) -> Option<OutcomePair> {
        let args = self.given_args(pairing, input)?;
        Some(self.call_both(pairing, args))
    }

    /// A given input as arguments, if it satisfies the refinements inside the parameter types.
    pub(super) fn given_args(
        &mut self,
        pairing: &DifferentialCall,
        input: &Datum,
    ) -> Option<Vec<Value>> {
        self.host.begin();
        self.spend(STEPS_PER_PART * n_parts(input));
        let program = Arc::clone(self.original.program());
        let params = &program.function(pairing.function).params;
        let Datum::Tuple(parts) = input else { return None };
        // The call itself checks a refinement of a whole parameter, and its failure is a result.
        let fits = parts.iter().zip(params).all(|(part, param)| {
            self.fits_refinements(&program, part, program.types.base(param.ty))
        });
        if !fits {
            return None;
        }
        Some(datum_to_value(input, &mut |_| None)?.fields().to_vec())
    }

    /// Whether a datum satisfies the refinements in a type.
    fn fits_refinements(&mut self, program: &Program, datum: &Datum, ty: TyId) -> bool {
        if let Ty::Refined { base, predicate, .. } = program.types.get(ty) {
            let value = datum_to_value(datum, &mut |_| None);
            // The base first, since a predicate may rely on it.
            return self.fits_refinements(program, datum, *base)
                && value.is_some_and(|value| {
                    let probe = self.original.probe(*predicate, &[value], &mut self.host);
                    matches!(probe.result, Ok(Value::Bool(true)))
                });
        }
        match (datum, program.types.get(ty)) {
            (Datum::Tuple(parts), Ty::Tuple(types)) => parts
                .iter()
                .zip(types)
                .all(|(part, ty)| self.fits_refinements(program, part, *ty)),
            (Datum::Data(ctor, fields), Ty::Named(_, args)) => {
                let types = program.ctor(*ctor).fields.iter().map(|it| it.ty);
                fields.iter().zip(types).all(|(field, ty)| {
                    let ty = if let Ty::Param(at) = program.types.get(ty) {
                        args.get(*at as usize).copied().unwrap_or(ty)
                    } else {
                        ty
                    };
                    self.fits_refinements(program, field, ty)
                })
            }
            (Datum::List(items), Ty::List(item)) | (Datum::Set(items), Ty::Set(item)) => {
                items.iter().all(|it| self.fits_refinements(program, it, *item))
            }
            (Datum::Map(entries), Ty::Map(key, value)) => entries.iter().all(|(a, b)| {
                self.fits_refinements(program, a, *key)
                    && self.fits_refinements(program, b, *value)
            }),
            // Literals have no parts, and functions are checked when they are called.
            _ => true,
        }
    }
}

/// The number of parts of an input, itself included.
fn n_parts(datum: &Datum) -> u64 {
    let inside: u64 = match datum {
        Datum::Literal(_) | Datum::Function(_) => 0,
        Datum::Tuple(parts)
        | Datum::Data(_, parts)
        | Datum::List(parts)
        | Datum::Set(parts) => parts.iter().map(n_parts).sum(),
        Datum::Map(entries) => entries.iter().map(|(a, b)| n_parts(a) + n_parts(b)).sum(),
    };
    1 + inside
}

/// The parameter types of the function under comparison.
fn parameter_types(program: &Program, pairing: &DifferentialCall) -> Vec<TyId> {
    program.function(pairing.function).params.iter().map(|it| it.ty).collect()
}
