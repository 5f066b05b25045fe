//! Between values of the engines and terms of the machine.

use gainsay_vm::{List, Value};

use super::equality::Blocker;
use super::heap::{Cell, Ref, Refs};
use super::{Run, Step};
use crate::code::{CollectionShape, ShapeId, ShapeKind};
use crate::ranges::is_finite;
use crate::small_values::collection_of;

/// Deeper values are not returned: whoever takes them apart does so by recursion.
const MAX_VALUE_DEPTH: u32 = 5_000;

impl Run<'_, '_> {
    /// The term of a value.
    pub(super) fn import(&mut self, value: &Value) -> Ref {
        match value {
            Value::Int(int) if is_finite(*int) => self.it.heap.int(*int),
            Value::Bool(it) => Ref::from(*it),
            Value::Char(it) => self.it.heap.int(i64::from(u32::from(*it))),
            Value::Tuple(parts) => {
                let parts: Vec<Ref> =
                    parts.as_slice().iter().map(|it| self.import(it)).collect();
                let parts = self.it.heap.add_refs(parts);
                self.it.heap.add(Cell::Tuple(parts))
            }
            Value::Data(ctor, fields) => {
                let fields: Vec<Ref> =
                    fields.as_slice().iter().map(|it| self.import(it)).collect();
                let fields = self.it.heap.add_refs(fields);
                self.it.heap.add(Cell::Data(*ctor, fields))
            }
            Value::List(list) => {
                let items: Vec<Ref> = list.iter().map(|it| self.import(it)).collect();
                items
                    .into_iter()
                    .rev()
                    .fold(Ref::NIL, |rest, item| self.it.heap.add(Cell::Cons(item, rest)))
            }
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Str(_) => {
                self.it.heap.opaque(value.clone())
            }
            Value::Map(_) | Value::Set(_) | Value::Closure(..) => {
                self.it.heap.opaque(value.clone())
            }
        }
    }

    /// The value of a term. What is not decided has no value that anybody looks at: the simplest
    /// will do.
    pub(super) fn export(&mut self, it: Ref, shape: ShapeId) -> Step<Value> {
        self.export_at(it, shape, 0)
    }

    fn export_at(&mut self, it: Ref, shape: ShapeId, depth: u32) -> Step<Value> {
        self.visit()?;
        if depth > MAX_VALUE_DEPTH {
            return self.cut();
        }
        let code = self.context.code;
        let mut kind = &code.shape(shape).kind;
        while let ShapeKind::Refined(base, _) = kind {
            kind = &code.shape(*base).kind;
        }
        Ok(match self.it.heap.cell(it) {
            Cell::Bool(it) => Value::Bool(it),
            Cell::Int(_) | Cell::Var(_) => {
                let int = self.known_int(it).unwrap_or(0);
                match kind {
                    ShapeKind::Char => {
                        match u32::try_from(int).ok().and_then(char::from_u32) {
                            Some(char) => Value::Char(char),
                            // A surrogate: its code is in the range of characters.
                            None => return self.cut(),
                        }
                    }
                    _ => Value::Int(int),
                }
            }
            Cell::Tuple(parts) => {
                let shapes: &[ShapeId] =
                    if let ShapeKind::Tuple(shapes) = kind { shapes } else { &[] };
                Value::tuple(self.export_parts(parts, shapes, (shape, depth))?)
            }
            Cell::Data(ctor, parts) => {
                let shapes: &[ShapeId] = match kind {
                    ShapeKind::Sum(ctors) => {
                        ctors.iter().find(|it| it.ctor == ctor).map_or(&[], |it| &it.fields)
                    }
                    _ => &[],
                };
                Value::data(ctor, self.export_parts(parts, shapes, (shape, depth))?)
            }
            Cell::Nil | Cell::Cons(..) => {
                let item = if let ShapeKind::List(item) = kind { *item } else { shape };
                let mut items = Vec::new();
                // A loop and not recursion: lists can be longer than the stack is deep.
                let mut list = it;
                while let Cell::Cons(first, rest) = self.it.heap.cell(list) {
                    items.push(self.export_at(first, item, depth + 1)?);
                    list = rest;
                }
                Value::list(items)
            }
            Cell::Opaque(at) => self.it.heap.opaque[at as usize].clone(),
            Cell::Items(_) | Cell::Put(..) | Cell::Removed(..) => {
                let ShapeKind::Collection(collection) = kind else { return self.cut() };
                return self.export_collection(it, collection, depth);
            }
            // No goal waits for it, or it would have been drawn before.
            Cell::Unknown(_) if is_drawn_as_a_whole(kind) => {
                self.draw_opaque(it, 0)?;
                return self.export_at(it, shape, depth);
            }
            Cell::Unknown(_) | Cell::Alias(_) | Cell::Closure(..) => Value::UNIT,
        })
    }

    /// The value of a text, set or map.
    fn export_collection(
        &mut self,
        it: Ref,
        collection: &CollectionShape,
        depth: u32,
    ) -> Step<Value> {
        let list = self.items(it)?;
        let items = self.export_at(list, collection.list, depth + 1)?;
        let items = if let Value::List(items) = items { items } else { List::EMPTY };
        Ok(collection_of(collection.kind, items.iter().cloned().collect()))
    }

    fn export_parts(
        &mut self,
        parts: Refs,
        shapes: &[ShapeId],
        (whole, depth): (ShapeId, u32),
    ) -> Step<Vec<Value>> {
        let parts = (0..parts.len as usize).map(|at| {
            let shape = shapes.get(at).copied().unwrap_or(whole);
            self.export_at(self.it.heap.part(parts, at), shape, depth + 1)
        });
        parts.collect()
    }

    /// Whether a term has no unknowns.
    pub(super) fn is_ground(&mut self, it: Ref) -> Step<bool> {
        Ok(self.first_unknown(it)?.is_none())
    }

    /// The first unknown of a term.
    pub(super) fn first_unknown(&mut self, it: Ref) -> Step<Option<Blocker>> {
        let mut pending = vec![it];
        while let Some(next) = pending.pop() {
            self.visit()?;
            match self.it.heap.cell(next) {
                Cell::Unknown(id) => return Ok(Some(Blocker::Unknown(id))),
                Cell::Var(offset) if self.it.store.value(offset.var).is_none() => {
                    return Ok(Some(Blocker::Var(offset.var)));
                }
                Cell::Data(_, parts) | Cell::Tuple(parts) | Cell::Closure(_, parts) => {
                    pending.extend(self.it.heap.parts(parts).iter().rev());
                }
                Cell::Cons(first, rest)
                | Cell::Put(_, rest, first)
                | Cell::Removed(_, rest, first) => pending.extend([rest, first]),
                Cell::Items(list) => pending.push(list),
                _ => {}
            }
        }
        Ok(None)
    }
}

fn is_drawn_as_a_whole(kind: &ShapeKind) -> bool {
    matches!(kind, ShapeKind::Opaque | ShapeKind::Collection(_))
}
