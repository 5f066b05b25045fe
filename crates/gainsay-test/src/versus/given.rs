//! Inputs that are given, and those that are like them.

use std::sync::Arc;

use gainsay_choice::Random;
use gainsay_core::{Datum, Program, Ty, TyId};
use gainsay_vm::Value;

use super::approach::{Approach, Measured};
use super::nearby::{Varied, simpler};
use super::systematic;
use super::vocabulary::Vocabulary;
use super::{Compared, Difference, Input, MAX_ALL_STEPS, Pairing, Told, Versus, call};
use crate::data::{datum_of, value_of};
use crate::heard::Heard;

/// Inputs by a generator that are varied like those that are given.
const N_DRAWN: u64 = 20;
/// Inputs of which each part is replaced, and how many are made of them.
const MOST_BASES: usize = 16;
const MOST_SYSTEMATIC: usize = 4_000;
/// The same for those that come to one mutant.
const MOST_REACHING_BASES: usize = 8;
const MOST_SYSTEMATIC_REACHING: usize = 12_000;
/// Inputs that are made of those that come to one mutant, and how many of them are varied further.
const N_CLOSE: usize = 500;
const LARGEST_POOL: usize = 64;
/// Inputs that are tried on the way to where versions part, and from how many it starts.
const MAX_APPROACH: usize = 1_000;
const MOST_STARTS: usize = 6;
/// What making a value of a part of an input costs, and hearing one, in steps.
const STEPS_PER_PART: u64 = 20;
/// How often inputs that were given are tried to be made simpler.
const MAX_SIMPLER: usize = 400;

impl Versus<'_> {
    /// Looks for inputs that tell the versions apart among some that are given, and those that
    /// are like them, for each mutant. So many of those that are given are what claims use.
    pub fn tell_apart_near(
        &mut self,
        pairing: &Pairing,
        (seeds, n_claimed): (&[Datum], usize),
        n_inputs: u64,
        mutants: &[usize],
    ) -> Vec<Told<Datum>> {
        let seeds = self.with_drawn(pairing, seeds);
        let program = Arc::clone(self.original.program());
        let types = types(&program, pairing);
        let vocabulary = Vocabulary::of(&program, pairing.function);
        let leaves = vocabulary.literals();
        let mut varied = Varied::new(&program, self.randoms(pairing), &seeds, &leaves, &types);
        // What claims call it with makes sense more often than what is drawn.
        let (claimed, others) = seeds.split_at(n_claimed.min(seeds.len()));
        let mut bases = self.bases(pairing, claimed, MOST_BASES / 2);
        bases.extend(self.bases(pairing, others, MOST_BASES / 2));
        let systematic = systematic::in_turn(&program, &vocabulary, &bases, &types);
        let systematic = systematic.take(MOST_SYSTEMATIC);
        let mut given = seeds.iter().cloned().chain(systematic);
        let mut n_varied = 0;
        let mut next = |versus: &mut Self| {
            let input = match given.next() {
                Some(input) => input,
                None if n_varied >= n_inputs => return None,
                None => {
                    n_varied += 1;
                    varied.next(&seeds)?
                }
            };
            let args = versus.args(pairing, &input);
            Some(args.map(|args| (input, args)))
        };
        self.laps(pairing, mutants, &mut next, &mut |_, _| None)
    }

    /// Random numbers for inputs that are varied.
    fn randoms(&self, pairing: &Pairing) -> [Random; 3] {
        [0, 1, 2].map(|purpose| Random::new(self.seed(pairing, purpose)))
    }

    /// Some inputs that are drawn, as data.
    pub fn data(&mut self, pairing: &Pairing, numbers: &[u64], n_inputs: u64) -> Vec<Datum> {
        let drawn = numbers.iter().filter_map(|number| {
            let args = self.draw(pairing, *number, n_inputs)?;
            args.iter().map(datum_of).collect::<Option<_>>().map(Datum::Tuple)
        });
        drawn.collect()
    }

    /// Looks for inputs that tell one mutant apart, among those that are like some on which the
    /// program comes to it.
    ///
    /// Where it is known between which two values the versions part, they are told at two places,
    /// and inputs are looked for with which they come close to each other.
    pub fn close_in(
        &mut self,
        pairing: &Pairing,
        reaching: &[Datum],
        places: Option<(i64, i64)>,
        mutant: usize,
    ) -> Option<Datum> {
        self.enter(pairing)?;
        self.other.set_mutant(Some(mutant));
        self.steps_left = MAX_ALL_STEPS;
        let mut pool = Vec::new();
        let found = places
            .and_then(|places| self.approach(pairing, reaching, places, &mut pool))
            .or_else(|| {
                self.steps_left = 8 * MAX_ALL_STEPS;
                self.replace_in_reaching(pairing, reaching, mutant)
            })
            .or_else(|| {
                pool.extend_from_slice(reaching);
                self.steps_left = MAX_ALL_STEPS;
                self.vary_reaching(pairing, pool, mutant)
            });
        self.leave();
        found
    }

    fn approach(
        &mut self,
        pairing: &Pairing,
        seeds: &[Datum],
        places: (i64, i64),
        arrived: &mut Vec<Datum>,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let types = types(&program, pairing);
        // A bound that is off by one is told apart one step beside it.
        [0.0, 1.0].into_iter().find_map(|wanted| {
            self.approach_at(pairing, seeds, (places, wanted), &types, arrived)
        })
    }

    /// Replaces each part of the smallest inputs that come to a mutant.
    fn replace_in_reaching(
        &mut self,
        pairing: &Pairing,
        reaching: &[Datum],
        mutant: usize,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let types = types(&program, pairing);
        let vocabulary = Vocabulary::of(&program, pairing.function);
        let bases = self.bases(pairing, reaching, MOST_REACHING_BASES);
        let inputs = systematic::in_turn(&program, &vocabulary, &bases, &types);
        for input in inputs.take(MOST_SYSTEMATIC_REACHING) {
            if self.steps_left == 0 {
                return None;
            }
            let Some(args) = self.args(pairing, &input) else { continue };
            if self.infects_and_differs(pairing, &args, mutant) {
                return Some(input);
            }
        }
        None
    }

    /// Whether some inputs tell a mutant apart. It is called only where it may change something.
    fn infects_and_differs(
        &mut self,
        pairing: &Pairing,
        args: &[Value],
        mutant: usize,
    ) -> bool {
        self.tried.insert(args);
        let original = self.call_watched(pairing, args);
        if !self.is_infected(mutant) {
            return false;
        }
        let (other, steps) = call(&mut self.other, pairing.function, args, &mut self.host);
        self.spend(steps);
        original.differs_from(&other)
    }

    /// Varies inputs that come to a mutant; those that still do are varied further.
    fn vary_reaching(
        &mut self,
        pairing: &Pairing,
        mut pool: Vec<Datum>,
        mutant: usize,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let types = types(&program, pairing);
        let leaves = Vocabulary::of(&program, pairing.function).literals();
        let mut varied = Varied::new(&program, self.randoms(pairing), &pool, &leaves, &types);
        for _ in 0..N_CLOSE {
            if self.steps_left == 0 {
                return None;
            }
            let input = varied.next(&pool)?;
            let Some(args) = self.args(pairing, &input) else { continue };
            if self.infects_and_differs(pairing, &args, mutant) {
                return Some(input);
            }
            if self.is_reached(mutant) && pool.len() < LARGEST_POOL {
                pool.push(input);
            }
        }
        None
    }

    /// The simplest inputs that tell the versions apart, from some that do.
    pub fn simplest_given(&mut self, pairing: &Pairing, input: Datum) -> Option<Difference> {
        self.enter(pairing)?;
        self.steps_left = 2 * MAX_ALL_STEPS;
        let input = self.simpler_given(pairing, input);
        let compared = self.compare_given(pairing, &input);
        self.leave();
        let Compared { args, original, other } = compared?;
        let texts = args.iter().map(|it| self.text(it)).collect();
        Some(Difference { input: Input::Given(input), args, texts, original, other })
    }

    /// Some inputs and a few by a generator.
    fn with_drawn(&mut self, pairing: &Pairing, seeds: &[Datum]) -> Vec<Datum> {
        let numbers: Vec<u64> = (0..N_DRAWN).collect();
        let mut seeds = seeds.to_vec();
        seeds.extend(self.data(pairing, &numbers, N_DRAWN));
        seeds
    }

    /// How far inputs are from where the versions part: from where two values are so far from
    /// each other.
    fn measure(
        &mut self,
        pairing: &Pairing,
        places: (i64, i64),
        wanted: f64,
        input: &Datum,
    ) -> Measured {
        if self.steps_left == 0 {
            return Measured::Unknown;
        }
        self.host.heard = Heard::default();
        let Some(compared) = self.compare_given(pairing, input) else {
            return Measured::Unknown;
        };
        if compared.differs() {
            return Measured::Found;
        }
        let heard = std::mem::take(&mut self.host.heard);
        self.spend(STEPS_PER_PART * heard.n_values() as u64);
        let distance = heard.distance(places.0, places.1);
        distance.map_or(Measured::Unknown, |it| Measured::Distance((it - wanted).abs()))
    }

    fn approach_at(
        &mut self,
        pairing: &Pairing,
        seeds: &[Datum],
        (places, wanted): ((i64, i64), f64),
        types: &[TyId],
        arrived: &mut Vec<Datum>,
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let mut starts: Vec<(f64, &Datum)> = Vec::new();
        for seed in seeds {
            match self.measure(pairing, places, wanted, seed) {
                Measured::Found => return Some(seed.clone()),
                Measured::Distance(distance) => starts.push((distance, seed)),
                Measured::Unknown => {}
            }
        }
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Starts from all over: those that are near may be on a plain.
        let n_starts = starts.len().min(MOST_STARTS);
        let starts: Vec<&Datum> = (0..n_starts)
            .map(|at| starts[at * (starts.len() - 1) / (n_starts - 1).max(1)].1)
            .collect();
        let mut measure = |input: &Datum| self.measure(pairing, places, wanted, input);
        let (program, budget, measure) = (&program, MAX_APPROACH, &mut measure);
        let mut approach = Approach { program, types, budget, measure, arrived };
        starts.iter().find_map(|start| approach.from(start))
    }

    fn simpler_given(&mut self, pairing: &Pairing, mut input: Datum) -> Datum {
        let program = Arc::clone(self.original.program());
        let types = types(&program, pairing);
        let mut n_tries = 0;
        'again: loop {
            for simpler in simpler(&program, &input, &types) {
                n_tries += 1;
                if n_tries > MAX_SIMPLER || self.steps_left == 0 {
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

    /// Calls both versions with inputs that are given.
    pub(super) fn compare_given(
        &mut self,
        pairing: &Pairing,
        input: &Datum,
    ) -> Option<Compared> {
        let args = self.args(pairing, input)?;
        Some(self.call_both(pairing, args))
    }

    /// Inputs that are given as arguments, if they are of the types that are wanted.
    pub(super) fn args(&mut self, pairing: &Pairing, input: &Datum) -> Option<Vec<Value>> {
        self.host.begin();
        self.spend(STEPS_PER_PART * n_parts(input));
        let program = Arc::clone(self.original.program());
        let params = &program.function(pairing.function).params;
        let Datum::Tuple(parts) = input else { return None };
        // A refinement of a parameter itself is looked at by the call.
        let fits = parts
            .iter()
            .zip(params)
            .all(|(part, param)| self.fits(&program, part, program.types.base(param.ty)));
        if !fits {
            return None;
        }
        Some(value_of(input, &mut |_| None)?.fields().to_vec())
    }

    /// Whether what is inside a datum is of the refined types that are inside a type.
    fn fits(&mut self, program: &Program, datum: &Datum, ty: TyId) -> bool {
        if let Ty::Refined { base, predicate, .. } = program.types.get(ty) {
            let value = value_of(datum, &mut |_| None);
            return self.fits(program, datum, *base)
                && value.is_some_and(|value| {
                    let probe = self.original.probe(*predicate, &[value], &mut self.host);
                    matches!(probe.result, Ok(Value::Bool(true)))
                });
        }
        match (datum, program.types.get(ty)) {
            (Datum::Tuple(parts), Ty::Tuple(types)) => {
                parts.iter().zip(types).all(|(part, ty)| self.fits(program, part, *ty))
            }
            (Datum::Data(ctor, fields), Ty::Named(_, args)) => {
                let types = program.ctor(*ctor).fields.iter().map(|it| it.ty);
                fields.iter().zip(types).all(|(field, ty)| {
                    let ty = if let Ty::Param(at) = program.types.get(ty) {
                        args.get(*at as usize).copied().unwrap_or(ty)
                    } else {
                        ty
                    };
                    self.fits(program, field, ty)
                })
            }
            (Datum::List(items), Ty::List(item)) | (Datum::Set(items), Ty::Set(item)) => {
                items.iter().all(|it| self.fits(program, it, *item))
            }
            (Datum::Map(entries), Ty::Map(key, value)) => entries
                .iter()
                .all(|(a, b)| self.fits(program, a, *key) && self.fits(program, b, *value)),
            _ => true,
        }
    }
}

/// How many parts an input has, itself included.
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

/// The types of the parameters of what is called.
fn types(program: &Program, pairing: &Pairing) -> Vec<TyId> {
    program.function(pairing.function).params.iter().map(|it| it.ty).collect()
}
