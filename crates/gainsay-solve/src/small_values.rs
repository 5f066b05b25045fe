//! All small values of the unknowns of a query: for comparing a search with what there is.
//!
//! The height of a number or of a constructor without fields is 0, that of another constructor one
//! more than its highest field, and that of a list its length or more.

use std::collections::HashMap;

use gainsay_vm::{Fields, List, Text, Value, ValueTable};

use crate::code::{Code, CollectionKind, CtorShape, ShapeId, ShapeKind};
use crate::machine::SolverQuery;

/// The integers that are tried.
pub const SMALL_INTEGERS: std::ops::RangeInclusive<i64> = -1..=2;

/// The characters that are tried.
const SMALL_CHARS: [char; 2] = ['a', 'b'];

/// The values of one argument.
#[derive(Debug, Clone, Default)]
pub struct SmallValues {
    /// The values, without repetition.
    pub values: Vec<Value>,
    /// Whether there are more than the limit.
    pub is_cut_off: bool,
    /// Whether some type is not enumerated, such as `Float`.
    pub has_opaque: bool,
}

impl SolverQuery {
    /// The values up to a height of an argument, up to a limit.
    pub fn small_values(&self, argument: usize, height: u32, limit: usize) -> SmallValues {
        let Some(shape) = self.params.get(argument) else { return SmallValues::default() };
        let mut it = Enumerator {
            code: &self.code,
            limit,
            known: HashMap::new(),
            found: Flags::default(),
        };
        let values = it.values(*shape, height);
        SmallValues { values, is_cut_off: it.found.is_cut_off, has_opaque: it.found.has_opaque }
    }

    /// How many arguments there are.
    pub fn n_arguments(&self) -> usize {
        self.params.len()
    }
}

#[derive(Debug, Copy, Clone, Default)]
struct Flags {
    is_cut_off: bool,
    has_opaque: bool,
}

struct Enumerator<'a> {
    code: &'a Code,
    limit: usize,
    known: HashMap<(ShapeId, u32), Vec<Value>>,
    found: Flags,
}

impl Enumerator<'_> {
    /// All values up to a height. The height bounds the recursion, except through products, which
    /// do not contain themselves.
    fn values(&mut self, shape: ShapeId, height: u32) -> Vec<Value> {
        if let Some(known) = self.known.get(&(shape, height)) {
            return known.clone();
        }
        let code = self.code;
        let values = match &code.shape(shape).kind {
            ShapeKind::Int => SMALL_INTEGERS.map(Value::Int).collect(),
            ShapeKind::Bool => vec![Value::Bool(false), Value::Bool(true)],
            ShapeKind::Char => SMALL_CHARS.map(Value::Char).to_vec(),
            ShapeKind::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.values(*it, height)).collect();
                self.products(parts).into_iter().map(Value::tuple).collect()
            }
            ShapeKind::List(item) => self.lists(*item, height),
            ShapeKind::Sum(ctors) => {
                let made = ctors.iter().flat_map(|it| self.constructed(it, height));
                let made: Vec<Value> = made.collect();
                self.limited(made)
            }
            ShapeKind::Refined(base, _) => self.values(*base, height),
            ShapeKind::Collection(collection) => {
                let lists = self.values(collection.list, height);
                distinct(lists.iter().map(|it| collected(collection.kind, it)).collect())
            }
            ShapeKind::Opaque => {
                self.found.has_opaque = true;
                Vec::new()
            }
        };
        self.known.insert((shape, height), values.clone());
        values
    }

    fn constructed(&mut self, ctor: &CtorShape, height: u32) -> Vec<Value> {
        if ctor.fields.is_empty() {
            return vec![Value::Data(ctor.ctor, Fields::new(Vec::new()))];
        }
        let Some(below) = height.checked_sub(1) else { return Vec::new() };
        let fields = ctor.fields.iter().map(|it| self.values(*it, below)).collect();
        let made = self.products(fields).into_iter();
        made.map(|it| Value::Data(ctor.ctor, Fields::new(it))).collect()
    }

    fn lists(&mut self, item: ShapeId, height: u32) -> Vec<Value> {
        let mut lists = vec![Value::List(List::from_items(Vec::new()))];
        let Some(below) = height.checked_sub(1) else { return lists };
        let items = self.values(item, below);
        for length in 1..=height as usize {
            let made = self.products(vec![items.clone(); length]).into_iter();
            lists.extend(made.map(|it| Value::List(List::from_items(it))));
            lists = self.limited(lists);
            if self.found.is_cut_off {
                break;
            }
        }
        lists
    }

    /// All combinations, up to the limit.
    fn products(&mut self, parts: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for part in parts {
            let mut longer = Vec::new();
            'rows: for row in &rows {
                for value in &part {
                    if longer.len() >= self.limit {
                        self.found.is_cut_off = true;
                        break 'rows;
                    }
                    longer.push(row.iter().chain([value]).cloned().collect());
                }
            }
            rows = longer;
        }
        rows
    }

    fn limited(&mut self, mut values: Vec<Value>) -> Vec<Value> {
        if values.len() > self.limit {
            self.found.is_cut_off = true;
            values.truncate(self.limit);
        }
        values
    }
}

/// The text, set or map of the elements of a list.
fn collected(kind: CollectionKind, list: &Value) -> Value {
    let items: Vec<Value> =
        if let Value::List(list) = list { list.iter().cloned().collect() } else { Vec::new() };
    collection_of(kind, items)
}

/// A text, set or map of characters, elements or entries.
pub(crate) fn collection_of(kind: CollectionKind, items: Vec<Value>) -> Value {
    match kind {
        CollectionKind::Text => {
            let chars = items.iter().map(|it| match it {
                Value::Char(it) => *it,
                _ => char::REPLACEMENT_CHARACTER,
            });
            Value::Str(Text::new(chars.collect::<String>()))
        }
        CollectionKind::Set => Value::Set(ValueTable::from_items(items)),
        CollectionKind::Map => {
            let entries = items.into_iter().filter_map(|it| match it {
                Value::Tuple(parts) => match parts.as_slice() {
                    [key, value] => Some((key.clone(), value.clone())),
                    _ => None,
                },
                _ => None,
            });
            Value::Map(ValueTable::from_entries(entries))
        }
    }
}

/// Without repetitions: lists in another order are the same set.
fn distinct(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by(gainsay_vm::order);
    values.dedup_by(|a, b| gainsay_vm::same(a, b));
    values
}
