//! Values at the boundary of a type: those that code tends to forget.

use std::sync::Arc;

use gainsay_core::{Datum, Literal};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::combinations::combinations;
use crate::derive::Deriver;
use crate::domain::{CodePointSet, FloatSet, IntSet, LengthRange, TextSet, from_order_key};
use crate::generator_plan::{PlanNodeId, PlanShape};

/// The maximum number of values of one given, and of combined components.
const MAX_VALUES_OF_AXIS: usize = 200;
/// The maximum number of values of a part of a recursive type.
const MAX_INSIDE: usize = 12;
/// How many times a type may contain itself in such a value.
const DEEPEST: usize = 3;
/// The length of a long list, and of a long text.
const LONG_LIST: u32 = 100;
const LONG_TEXT: usize = 1_024;
/// Longer length bounds are not tried.
const MAX_LENGTH: u32 = 10_000;

/// The values at the boundary of a node, simplest first.
pub(super) fn boundary_values(deriver: &Deriver<'_>, node: PlanNodeId) -> Vec<Datum> {
    let mut it = BoundaryBuilder { deriver, around: Vec::new() };
    it.of(node)
}

struct BoundaryBuilder<'a> {
    deriver: &'a Deriver<'a>,
    /// The nodes that enclose the current one.
    around: Vec<PlanNodeId>,
}

impl BoundaryBuilder<'_> {
    fn of(&mut self, id: PlanNodeId) -> Vec<Datum> {
        // A recursive type: few values inside, and none beyond `DEEPEST` levels.
        let n_around = self.around.iter().filter(|it| **it == id).count();
        if n_around >= DEEPEST {
            return Vec::new();
        }
        self.around.push(id);
        let deriver = self.deriver;
        let mut values = match &deriver.plan.node(id).shape {
            PlanShape::Int(ints) => int(ints),
            PlanShape::Float(floats) => float(floats),
            PlanShape::Bool(known) => {
                let both = [false, true].into_iter();
                let both = both.filter(|it| known.is_none_or(|known| known == *it));
                both.map(|it| Datum::Literal(Literal::Bool(it))).collect()
            }
            PlanShape::Char(codes) => char(codes),
            PlanShape::Text(texts) => text(texts),
            PlanShape::Tuple(parts) => {
                self.parts(parts).into_iter().map(Datum::Tuple).collect()
            }
            PlanShape::List(item, lens) => self.list(*item, *lens),
            PlanShape::Set(item, lens) => {
                let sets = self.few(*item).into_iter().filter(|it| lens.has(it.len()));
                sets.map(Datum::Set).collect()
            }
            PlanShape::Map(key, value, lens) => self.map(*key, *value, *lens),
            PlanShape::Sum(ty, cases) => {
                let ctors = &deriver.program.nominal(*ty).ctors;
                let mut of_ctors = Vec::new();
                for (ctor, fields) in ctors.iter().zip(cases) {
                    let Some(fields) = fields else { continue };
                    let rows = self.parts(fields).into_iter();
                    of_ctors.push(rows.map(|fields| Datum::Data(*ctor, fields)).collect());
                }
                take_round_robin(
                    of_ctors,
                    if n_around > 0 { MAX_INSIDE } else { MAX_VALUES_OF_AXIS },
                )
            }
            PlanShape::OneOf(nodes) => nodes.iter().flat_map(|node| self.of(*node)).collect(),
            PlanShape::Filtered(inner, ..) => self.of(*inner),
            PlanShape::Function(..) | PlanShape::Declared(_) | PlanShape::Ungeneratable(_) => {
                Vec::new()
            }
        };
        self.around.pop();
        values.truncate(if n_around > 0 { MAX_INSIDE } else { MAX_VALUES_OF_AXIS });
        values
    }

    /// Combinations of values of several components.
    fn parts(&mut self, parts: &[PlanNodeId]) -> Vec<Vec<Datum>> {
        let is_inside = self
            .around
            .iter()
            .any(|it| self.around.iter().filter(|other| *other == it).count() > 1);
        let values: Vec<Vec<Datum>> = parts.iter().map(|part| self.of(*part)).collect();
        let sizes: Vec<usize> = values.iter().map(Vec::len).collect();
        let rows =
            combinations(&sizes, if is_inside { MAX_INSIDE } else { MAX_VALUES_OF_AXIS });
        let chosen = |row: Vec<usize>| {
            values.iter().zip(row).map(|(values, at)| values[at].clone()).collect()
        };
        rows.into_iter().map(chosen).collect()
    }

    /// No, one, or two elements.
    fn few(&mut self, item: PlanNodeId) -> Vec<Vec<Datum>> {
        let items = self.of(item);
        let mut few = vec![Vec::new()];
        few.extend(items.iter().take(3).map(|item| vec![item.clone()]));
        if let [first, second, ..] = &items[..] {
            few.push(vec![first.clone(), second.clone()]);
        }
        few
    }

    fn list(&mut self, item: PlanNodeId, lens: LengthRange) -> Vec<Datum> {
        let mut lists = self.few(item);
        if let Some(first) = self.of(item).into_iter().next() {
            let edges = [Some(lens.min), lens.max, Some(LONG_LIST)].into_iter().flatten();
            for len in edges.filter(|len| *len <= MAX_LENGTH) {
                lists.push(vec![first.clone(); len as usize]);
            }
        }
        lists.retain(|it| lens.has(it.len()));
        distinct(lists.into_iter().map(Datum::List).collect())
    }

    fn map(&mut self, key: PlanNodeId, value: PlanNodeId, lens: LengthRange) -> Vec<Datum> {
        let values = self.of(value);
        let maps = self.few(key).into_iter().filter(|it| lens.has(it.len()));
        let entries = maps.filter_map(|keys| {
            // Without values only the empty map remains.
            let values = values.iter().cycle().take(keys.len());
            let entries: Vec<(Datum, Datum)> =
                keys.iter().cloned().zip(values.cloned()).collect();
            (entries.len() == keys.len()).then_some(Datum::Map(entries))
        });
        entries.collect()
    }
}

fn int(ints: &IntSet) -> Vec<Datum> {
    let common = [0, 1, -1, i64::MIN, i64::MAX].map(BigInt::from);
    let mut found: Vec<BigInt> = common.into_iter().filter(|it| ints.contains(it)).collect();
    for piece in ints.pieces() {
        found.extend(piece.first());
        found.extend(piece.last());
    }
    distinct(found.into_iter().map(|it| Datum::Literal(int_literal(&it))).collect())
}

fn int_literal(int: &BigInt) -> Literal {
    int.to_i64().map_or_else(|| Literal::Big(Arc::new(int.clone())), Literal::Int)
}

fn float(floats: &FloatSet) -> Vec<Datum> {
    let common = [0.0, 1.0, -1.0, f64::MIN, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
    let mut found: Vec<f64> = common.into_iter().filter(|it| floats.contains(*it)).collect();
    for (first, last) in floats.order_keys.list() {
        for edge in [from_order_key(*first), from_order_key(*last)] {
            // By bits, so that -0.0 is not taken for 0.0.
            if !found.iter().any(|it| it.to_bits() == edge.to_bits()) {
                found.push(edge);
            }
        }
    }
    if floats.nan {
        found.push(f64::NAN);
    }
    found.into_iter().map(|it| Datum::Literal(Literal::Float(it))).collect()
}

fn char(codes: &CodePointSet) -> Vec<Datum> {
    let ranges = codes.chars();
    let has = |char: &char| ranges.iter().any(|(first, last)| first <= char && char <= last);
    let mut found: Vec<char> =
        ['a', 'A', '0', ' ', '\0', '\n', 'é', '漢', '😀'].into_iter().filter(has).collect();
    found.extend(ranges.iter().flat_map(|(first, last)| [*first, *last]));
    distinct(found.into_iter().map(|it| Datum::Literal(Literal::Char(it))).collect())
}

fn text(texts: &TextSet) -> Vec<Datum> {
    let ranges = texts.chars.chars();
    let has = |char: char| ranges.iter().any(|(first, last)| *first <= char && char <= *last);
    let mut found: Vec<String> = match &texts.listed {
        Some(words) => words.iter().take(3).map(|it| it.to_string()).collect(),
        None => {
            let long = "x".repeat(LONG_TEXT);
            ["", "a", &long, "\0", "é漢😀"].map(str::to_owned).into()
        }
    };
    if let (None, Some((first, _))) = (&texts.listed, ranges.first()) {
        let edges = [Some(texts.lens.min), texts.lens.max].into_iter().flatten();
        let edges = edges.filter(|len| *len <= MAX_LENGTH);
        found.extend(edges.map(|len| first.to_string().repeat(len as usize)));
    }
    found.retain(|it| texts.lens.has(it.chars().count()) && it.chars().all(has));
    distinct(found.into_iter().map(|it| Datum::Literal(Literal::Str(it.into()))).collect())
}

/// All values of some lists, list by list if they fit; otherwise round robin, so that truncating
/// keeps some of every list.
fn take_round_robin(lists: Vec<Vec<Datum>>, most: usize) -> Vec<Datum> {
    if lists.iter().map(Vec::len).sum::<usize>() <= most {
        return lists.into_iter().flatten().collect();
    }
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let turns = (0..longest).flat_map(|at| lists.iter().filter_map(move |list| list.get(at)));
    turns.cloned().collect()
}

/// The values without duplicates.
fn distinct(values: Vec<Datum>) -> Vec<Datum> {
    let mut kept: Vec<Datum> = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}
