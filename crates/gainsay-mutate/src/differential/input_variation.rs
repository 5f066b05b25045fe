//! Random variation of inputs, a few small edits away from those that claims use, and the
//! candidates for shrinking given inputs.
//!
//! Refinements are ignored here: the caller discards inputs that are not of their type.

use std::collections::BTreeMap;

use gainsay_choice::Random;
use gainsay_core::{CtorId, Datum, Literal, Program, Ty, TyId};
use num_bigint::BigInt;

/// Varies inputs at random.
struct InputVariation<'p> {
    program: &'p Program,
    random: Random,
    /// Literals that occur in the inputs or in the code.
    leaves: Vec<Literal>,
    /// Parts of the inputs, by type; variation splices them into other inputs.
    parts: BTreeMap<TyId, Vec<Datum>>,
}

/// An endless stream of varied inputs.
pub(super) struct VariedInputs<'p> {
    variation: InputVariation<'p>,
    types: &'p [TyId],
    /// Random streams that choose the input to vary, and the number of edits.
    order: Random,
    variation_counts: Random,
}

/// Edits applied to one input, at most.
const MAX_VARIATIONS: u64 = 3;

impl<'p> VariedInputs<'p> {
    /// Takes three random streams and literals in addition to those of the inputs.
    pub(super) fn new(
        program: &'p Program,
        [slips, order, random]: [Random; 3],
        seeds: &[Datum],
        leaves: &[Literal],
        types: &'p [TyId],
    ) -> Self {
        let mut nearby = InputVariation::new(program, random, seeds, types);
        nearby.leaves.extend_from_slice(leaves);
        Self { variation: nearby, types, order, variation_counts: slips }
    }

    /// A random input of the pool with a few random edits; `None` if the pool is empty.
    pub(super) fn next(&mut self, of: &[Datum]) -> Option<Datum> {
        let mut input = of.get(self.order.below(of.len().max(1) as u64) as usize)?.clone();
        for _ in 0..=self.variation_counts.below(MAX_VARIATIONS) {
            input = self.variation.vary_arguments(&input, self.types);
        }
        Some(input)
    }
}

/// Literals that are remembered.
const MAX_LEAVES: usize = 200;

/// Parts that are remembered per type.
const MAX_PARTS: usize = 40;

impl<'p> InputVariation<'p> {
    fn new(program: &'p Program, random: Random, seeds: &[Datum], types: &[TyId]) -> Self {
        let mut leaves = Vec::new();
        seeds.iter().for_each(|it| collect_leaves(it, &mut leaves));
        let mut nearby = Self { program, random, leaves, parts: BTreeMap::new() };
        for seed in seeds {
            let Datum::Tuple(arguments) = seed else { continue };
            for (argument, ty) in arguments.iter().zip(types) {
                nearby.remember_parts(argument, *ty);
            }
        }
        nearby
    }

    fn remember_parts(&mut self, datum: &Datum, ty: TyId) {
        let program = self.program;
        let ty = program.types.base(ty);
        match (datum, program.types.get(ty)) {
            (Datum::Data(ctor, fields), Ty::Named(..)) => {
                let known = self.parts.entry(ty).or_default();
                if known.len() < MAX_PARTS && !known.contains(datum) {
                    known.push(datum.clone());
                }
                for (field, ty) in fields.iter().zip(field_types(program, *ctor, Some(ty))) {
                    ty.into_iter().for_each(|ty| self.remember_parts(field, ty));
                }
            }
            (Datum::List(items), Ty::List(item)) => {
                items.iter().for_each(|it| self.remember_parts(it, *item));
            }
            _ => {}
        }
    }

    fn random_below(&mut self, n: usize) -> usize {
        self.random.below(n.max(1) as u64) as usize
    }

    /// Varies one argument of a tuple.
    fn vary_arguments(&mut self, arguments: &Datum, types: &[TyId]) -> Datum {
        let Datum::Tuple(parts) = arguments else { return arguments.clone() };
        let mut parts = parts.clone();
        if !parts.is_empty() {
            let at = self.random_below(parts.len());
            // The call checks a refinement of a whole parameter.
            let ty = types.get(at).map(|it| self.program.types.base(*it));
            parts[at] = self.vary(&parts[at], ty);
        }
        Datum::Tuple(parts)
    }

    fn vary(&mut self, datum: &Datum, ty: Option<TyId>) -> Datum {
        let types = &self.program.types;
        let of = ty.map(|it| types.get(types.base(it)).clone());
        match datum {
            Datum::Literal(literal) => Datum::Literal(self.vary_literal(literal)),
            Datum::Tuple(parts) => {
                let types = match of {
                    Some(Ty::Tuple(types)) => types.to_vec(),
                    _ => Vec::new(),
                };
                Datum::Tuple(self.vary_one(parts, &|at| types.get(at).copied()))
            }
            Datum::Data(ctor, fields) => self.vary_data(*ctor, fields, ty),
            Datum::List(items) => {
                let item = match of {
                    Some(Ty::List(item)) => Some(item),
                    _ => None,
                };
                Datum::List(self.vary_items(items, item))
            }
            Datum::Map(entries) => {
                let mut entries = entries.clone();
                if !entries.is_empty() {
                    let at = self.random_below(entries.len());
                    if self.random_below(3) == 0 {
                        entries.remove(at);
                    } else if let Some(Ty::Map(_, value)) = of {
                        entries[at].1 = self.vary(&entries[at].1.clone(), Some(value));
                    }
                }
                Datum::Map(entries)
            }
            Datum::Set(items) => {
                let item = match of {
                    Some(Ty::Set(item)) => Some(item),
                    _ => None,
                };
                Datum::Set(self.vary_items(items, item))
            }
            Datum::Function(_) => datum.clone(),
        }
    }

    fn vary_one(&mut self, parts: &[Datum], ty: &dyn Fn(usize) -> Option<TyId>) -> Vec<Datum> {
        let mut parts = parts.to_vec();
        if !parts.is_empty() {
            let at = self.random_below(parts.len());
            parts[at] = self.vary(&parts[at].clone(), ty(at));
        }
        parts
    }

    fn vary_data(&mut self, ctor: CtorId, fields: &[Datum], ty: Option<TyId>) -> Datum {
        let program = self.program;
        let ty = ty.map(|it| program.types.base(it));
        let n_parts = ty.and_then(|it| self.parts.get(&it)).map_or(0, Vec::len);
        // In one of four cases, so that variation inside the value is the rule.
        if let Some(ty) = ty.filter(|_| n_parts > 0)
            && self.random_below(4) == 0
        {
            // A part from another input: values that claims use together are often meaningful
            // together.
            let at = self.random_below(n_parts);
            return self.parts[&ty][at].clone();
        }
        // Only constructors without fields can be substituted: there is nothing to fill fields
        // with.
        if fields.is_empty() || self.random_below(4) == 0 {
            let siblings = &program.nominal(program.ctor(ctor).ty).ctors;
            let bare: Vec<CtorId> = siblings
                .iter()
                .copied()
                .filter(|it| program.ctor(*it).fields.is_empty() && *it != ctor)
                .collect();
            if !bare.is_empty() {
                return Datum::Data(bare[self.random_below(bare.len())], Vec::new());
            }
        }
        let types = field_types(program, ctor, ty);
        Datum::Data(ctor, self.vary_one(fields, &|at| types.get(at).copied().flatten()))
    }

    fn vary_items(&mut self, items: &[Datum], ty: Option<TyId>) -> Vec<Datum> {
        let mut items = items.to_vec();
        if items.is_empty() {
            // An empty list has nothing to vary but its length.
            items.extend(self.leaf_of(ty));
            return items;
        }
        let at = self.random_below(items.len());
        match self.random_below(7) {
            0 => {
                items.remove(at);
            }
            1 => items.insert(at, items[at].clone()),
            2 => {
                let other = self.random_below(items.len());
                items.swap(at, other);
            }
            // Doubling reaches a threshold on the length in a few edits.
            3 => items.extend(items.clone()),
            4 => {
                let new = self.leaf_of(ty);
                items.splice(at..at, new).for_each(drop);
            }
            _ => items[at] = self.vary(&items[at].clone(), ty),
        }
        items
    }

    fn leaf(&mut self, fits: impl Fn(&Literal) -> bool) -> Option<Literal> {
        let fitting: Vec<usize> =
            (0..self.leaves.len()).filter(|at| fits(&self.leaves[*at])).collect();
        if fitting.is_empty() {
            return None;
        }
        let at = fitting[self.random_below(fitting.len())];
        Some(self.leaves[at].clone())
    }

    /// A literal of a type that has literals, or `None`.
    fn leaf_of(&mut self, ty: Option<TyId>) -> Option<Datum> {
        let types = &self.program.types;
        let ty = types.get(types.base(ty?));
        let leaf = self.leaf(|it| {
            matches!(
                (it, ty),
                (Literal::Int(_), Ty::Int)
                    | (Literal::Char(_), Ty::Char)
                    | (Literal::Str(_), Ty::Str)
            )
        });
        leaf.map(Datum::Literal)
    }

    fn vary_literal(&mut self, literal: &Literal) -> Literal {
        match literal {
            Literal::Int(int) => {
                let other = self.leaf(|it| matches!(it, Literal::Int(_)));
                let other = match other {
                    Some(Literal::Int(other)) => other,
                    _ => 0,
                };
                let step = self.random_below(20) as i64 + 1;
                let int = *int;
                // Neighbors are most likely: mutants such as `<` for `<=` differ only next to the
                // constant that an input was built from.
                Literal::Int(match self.random_below(9) {
                    0 | 1 => int.saturating_add(1),
                    2 | 3 => int.saturating_sub(1),
                    4 => int.saturating_neg(),
                    5 => other,
                    6 => int.saturating_add(step),
                    7 => int.saturating_sub(step),
                    _ => int.saturating_mul(2).saturating_add(other % 3),
                })
            }
            Literal::Big(int) => {
                let step = BigInt::from(self.random_below(3) as i64 - 1);
                Literal::Big(std::sync::Arc::new(&**int + step))
            }
            Literal::Float(float) => Literal::Float(match self.random_below(4) {
                0 => float + 1.0,
                1 => float - 1.0,
                2 => -float,
                _ => float / 2.0,
            }),
            Literal::Bool(truth) => Literal::Bool(!truth),
            Literal::Char(char) => match self.leaf(|it| matches!(it, Literal::Char(_))) {
                Some(other) if self.random_below(2) == 0 => other,
                _ => Literal::Char(char::from_u32(*char as u32 + 1).unwrap_or(*char)),
            },
            Literal::Str(text) => Literal::Str(self.vary_text(text).into()),
        }
    }

    fn vary_text(&mut self, text: &str) -> String {
        let other = match self.leaf(|it| matches!(it, Literal::Str(_))) {
            Some(Literal::Str(other)) => other.to_string(),
            _ => String::new(),
        };
        let mut chars: Vec<char> = text.chars().collect();
        if chars.is_empty() {
            return other;
        }
        let at = self.random_below(chars.len());
        match self.random_below(9) {
            0 => {
                chars.remove(at);
            }
            // Doubled most often: two separators or quotes in a row are a special case of many
            // formats.
            1 | 2 => chars.insert(at, chars[at]),
            3 => {
                let from = self.random_below(chars.len());
                chars.insert(at, chars[from]);
            }
            4 => {
                let last = self.random_below(chars.len());
                chars.push(chars[last]);
            }
            5 => {
                let to = self.random_below(chars.len());
                chars.swap(at, to);
            }
            6 => {
                let from: Vec<char> = other.chars().collect();
                if !from.is_empty() {
                    chars[at] = from[self.random_below(from.len())];
                }
            }
            7 => chars[at] = char::from_u32(chars[at] as u32 + 1).unwrap_or(chars[at]),
            _ => chars.splice(at..at, other.chars().collect::<Vec<_>>()).for_each(drop),
        }
        chars.into_iter().collect()
    }
}

/// The field types of a constructor within a type, where they are easy to resolve: types without
/// parameters, type parameters themselves, and recursive occurrences of the type.
pub(super) fn field_types(
    program: &Program,
    ctor: CtorId,
    ty: Option<TyId>,
) -> Vec<Option<TyId>> {
    let types = &program.types;
    let args = match ty.map(|it| types.get(it)) {
        Some(Ty::Named(_, args)) => &**args,
        _ => &[],
    };
    let own = program.ctor(ctor).ty;
    let is_param = |ty: &TyId, at: usize| *types.get(*ty) == Ty::Param(at as u32);
    let is_own = |written: TyId| {
        matches!(types.get(written), Ty::Named(name, params)
            if *name == own && params.iter().enumerate().all(|(at, it)| is_param(it, at)))
    };
    let resolve = |written: TyId| {
        if let Ty::Param(at) = types.get(written) {
            args.get(*at as usize).copied()
        } else if is_own(written) {
            ty
        } else {
            (!types.flags(written).has_param()).then_some(written)
        }
    };
    program.ctor(ctor).fields.iter().map(|it| resolve(it.ty)).collect()
}

fn collect_leaves(datum: &Datum, leaves: &mut Vec<Literal>) {
    // The search for duplicates is linear, so their number is bounded here.
    if leaves.len() >= MAX_LEAVES {
        return;
    }
    match datum {
        Datum::Literal(literal) => {
            if !leaves.contains(literal) {
                leaves.push(literal.clone());
            }
        }
        Datum::Tuple(parts)
        | Datum::Data(_, parts)
        | Datum::List(parts)
        | Datum::Set(parts) => {
            parts.iter().for_each(|it| collect_leaves(it, leaves));
        }
        Datum::Map(entries) => entries.iter().for_each(|(key, value)| {
            collect_leaves(key, leaves);
            collect_leaves(value, leaves);
        }),
        Datum::Function(_) => {}
    }
}

/// Shrink candidates of a tuple of arguments, each with one part made smaller.
pub(super) fn shrink_candidates(
    program: &Program,
    arguments: &Datum,
    types: &[TyId],
) -> Vec<Datum> {
    let Datum::Tuple(parts) = arguments else { return Vec::new() };
    let ty = |at: usize| types.get(at).map(|it| program.types.base(*it));
    part_shrink_candidates(program, parts, &ty).into_iter().map(Datum::Tuple).collect()
}

fn part_shrink_candidates(
    program: &Program,
    parts: &[Datum],
    ty: &dyn Fn(usize) -> Option<TyId>,
) -> Vec<Vec<Datum>> {
    let mut all = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        for simpler in datum_shrink_candidates(program, part, ty(at)) {
            let mut parts = parts.to_vec();
            parts[at] = simpler;
            all.push(parts);
        }
    }
    all
}

fn datum_shrink_candidates(program: &Program, datum: &Datum, ty: Option<TyId>) -> Vec<Datum> {
    let of = ty.map(|it| program.types.get(program.types.base(it)));
    match datum {
        // The largest step first: the greedy shrinker takes the first candidate that still differs.
        Datum::Literal(Literal::Int(int)) => {
            let smaller = [0, int / 2, int - int.signum()];
            let smaller = smaller.into_iter().filter(|it| it != int);
            smaller.map(|it| Datum::Literal(Literal::Int(it))).collect()
        }
        Datum::Literal(Literal::Str(text)) => {
            let without = |at: usize| {
                text.chars()
                    .enumerate()
                    .filter(|it| it.0 != at)
                    .map(|it| it.1)
                    .collect::<String>()
            };
            // Bounded, because each candidate is a copy of the whole text, and so their sum is
            // quadratic.
            let n_chars = text.chars().count();
            let texts = (0..n_chars.min(60)).map(without);
            texts.map(|it| Datum::Literal(Literal::Str(it.into()))).collect()
        }
        Datum::Literal(_) | Datum::Function(_) => Vec::new(),
        Datum::Tuple(parts) => {
            let types = match of {
                Some(Ty::Tuple(types)) => &**types,
                _ => &[],
            };
            let ty = |at: usize| types.get(at).copied();
            part_shrink_candidates(program, parts, &ty).into_iter().map(Datum::Tuple).collect()
        }
        Datum::Data(ctor, fields) => {
            let definition = &program.ctor(*ctor).fields;
            let ty = |at: usize| definition.get(at).map(|it| it.ty);
            let fields = part_shrink_candidates(program, fields, &ty).into_iter();
            fields.map(|it| Datum::Data(*ctor, it)).collect()
        }
        Datum::List(items) => {
            let without = |at: usize| {
                let mut items = items.clone();
                items.remove(at);
                Datum::List(items)
            };
            let mut all: Vec<Datum> = (0..items.len().min(60)).map(without).collect();
            let item = match of {
                Some(Ty::List(item)) => Some(*item),
                _ => None,
            };
            all.extend(
                part_shrink_candidates(program, items, &|_| item).into_iter().map(Datum::List),
            );
            all
        }
        Datum::Map(entries) => {
            let without = |at: usize| {
                let mut entries = entries.clone();
                entries.remove(at);
                Datum::Map(entries)
            };
            (0..entries.len().min(60)).map(without).collect()
        }
        Datum::Set(items) => {
            let without = |at: usize| {
                let mut items = items.clone();
                items.remove(at);
                Datum::Set(items)
            };
            (0..items.len().min(60)).map(without).collect()
        }
    }
}
