//! Texts, sets and maps: lists in disguise.
//!
//! A known one is kept as a value until somebody looks into it. An update of a set or map stays an
//! update on top of what it updates, because to place an element among others that are not known,
//! the machine would have to guess. Lookups need no order, and look through the updates; whoever
//! needs the elements in order has them sorted in (McCarthy's axioms of arrays, with extensionality
//! by a normal form).

use gainsay_vm::Value;

use super::goals::Goal;
use super::heap::{Cell, Ref, UnknownId};
use super::lookup::Found;
use super::{END, FreshUnknown, Run, Step};
use crate::code::{
    Arithmetic, CollectionKind, CollectionOp, CollectionShape, ExprId, KnownCall, ShapeId,
    ShapeKind,
};
use crate::ranges::INFINITY;

impl Run<'_, '_> {
    /// The value of a builtin on a collection.
    pub(super) fn eval_collection(
        &mut self,
        (id, op): (ExprId, CollectionOp),
        call: &KnownCall,
        args: &[Ref],
        want: Option<Ref>,
    ) -> Step<Ref> {
        let is_known = match self.it.heap.cell(args[0]) {
            Cell::Opaque(_) => self.are_ground(&args[1..])?,
            Cell::Nil | Cell::Cons(..) => self.are_ground(args)?,
            _ => false,
        };
        // The elements of a value that was looked into once are there.
        if is_known && op != CollectionOp::Items {
            let value = self.run_builtin(call, args)?;
            return self.meet(value, want);
        }
        let shape = call.arg_shapes[0];
        let value = match op {
            CollectionOp::FromChars => self.it.heap.add(Cell::Items(args[0])),
            CollectionOp::Items => self.items(args[0])?,
            // Nothing is compared here: the place of an unknown key among the others would be
            // a choice.
            CollectionOp::Put => {
                let entry = match args {
                    [_, key, value] => {
                        let parts = self.it.heap.add_refs([*key, *value]);
                        self.it.heap.add(Cell::Tuple(parts))
                    }
                    _ => args[1],
                };
                self.it.heap.add(Cell::Put(shape, args[0], entry))
            }
            CollectionOp::Remove => self.it.heap.add(Cell::Removed(shape, args[0], args[1])),
            CollectionOp::Len => return self.count(args[0], shape, want),
            CollectionOp::Contains => {
                let result = self.result(id, want)?;
                let kind = CollectionKind::Set;
                return self.look_up((kind, args[0], args[1]), (Found::Element, result));
            }
            CollectionOp::Get => {
                let Some(found) = self.found_value(id) else { return self.cut() };
                let result = self.result(id, want)?;
                return self.look_up((CollectionKind::Map, args[0], args[1]), (found, result));
            }
        };
        self.meet(value, want)
    }

    pub(super) fn collection_shape(&self, mut shape: ShapeId) -> Option<&CollectionShape> {
        let code = self.context.code;
        loop {
            match &code.shape(shape).kind {
                ShapeKind::Collection(it) => return Some(it),
                ShapeKind::Refined(base, _) => shape = *base,
                _ => return None,
            }
        }
    }

    /// The characters, elements or entries of a collection, in order.
    pub(super) fn items(&mut self, it: Ref) -> Step<Ref> {
        let mut updates = Vec::new();
        let mut at = self.it.heap.deref(it);
        let mut list = loop {
            match self.it.heap.cells[at.index()] {
                Cell::Items(list) => break list,
                Cell::Opaque(_) => break self.known_items(at)?,
                Cell::Unknown(id) => break self.unknown_items(at, id)?,
                Cell::Put(_, base, _) | Cell::Removed(_, base, _) => {
                    updates.push(at);
                    at = self.it.heap.deref(base);
                }
                _ => return self.cut(),
            }
        };
        for update in updates.into_iter().rev() {
            let code = self.context.code;
            let (shape, item) = match self.it.heap.cells[update.index()] {
                Cell::Put(shape, _, item) | Cell::Removed(shape, _, item) => (shape, item),
                _ => return self.cut(),
            };
            let ShapeKind::Collection(CollectionShape { table: Some(table), .. }) =
                &code.shape(shape).kind
            else {
                return self.cut();
            };
            let is_put = matches!(self.it.heap.cells[update.index()], Cell::Put(..));
            let function = if is_put { table.insert } else { table.remove };
            list = self.call(function, &[list, item], None)?;
            // From now on the update is a list, so that it is sorted in only once.
            self.it.heap.set(update, Cell::Items(list));
        }
        Ok(list)
    }

    /// The items of a known value, which is looked into from now on.
    fn known_items(&mut self, at: Ref) -> Step<Ref> {
        const ITEMS_PER_STEP: u64 = 4;
        let Cell::Opaque(value) = self.it.heap.cells[at.index()] else { return self.cut() };
        let value = self.it.heap.opaque[value as usize].clone();
        self.charge(n_items(&value) / ITEMS_PER_STEP)?;
        let list = self.import_items(&value);
        self.it.heap.set(at, Cell::Items(list));
        Ok(list)
    }

    /// The list of the items of a value.
    fn import_items(&mut self, value: &Value) -> Ref {
        let items: Vec<Ref> = match value {
            Value::Str(text) => {
                let chars = text.as_str().chars();
                chars.map(|it| self.it.heap.int(i64::from(u32::from(it)))).collect()
            }
            Value::Set(set) => set.iter().map(|(item, _)| self.import(item)).collect(),
            Value::Map(map) => {
                let entries = map.iter().map(|(key, value)| {
                    let parts = [self.import(key), self.import(value)];
                    let parts = self.it.heap.add_refs(parts);
                    self.it.heap.add(Cell::Tuple(parts))
                });
                entries.collect()
            }
            _ => Vec::new(),
        };
        let cons = |rest, item| self.it.heap.add(Cell::Cons(item, rest));
        items.into_iter().rev().fold(Ref::NIL, cons)
    }

    /// The items of what somebody would like a collection to be.
    pub(super) fn wished_items(&mut self, wish: Ref) -> Option<Ref> {
        let at = self.it.heap.deref(wish);
        match self.it.heap.cells[at.index()] {
            Cell::Items(list) => Some(list),
            Cell::Opaque(value) => {
                let value = self.it.heap.opaque[value as usize].clone();
                let list = self.import_items(&value);
                self.it.heap.set(at, Cell::Items(list));
                Some(list)
            }
            _ => None,
        }
    }

    /// Makes an unknown collection a list of unknown items, in order.
    fn unknown_items(&mut self, at: Ref, id: UnknownId) -> Step<Ref> {
        let unknown = *self.it.heap.unknown(id);
        let code = self.context.code;
        let ShapeKind::Collection(collection) = &code.shape(unknown.shape).kind else {
            return self.cut();
        };
        let mut wish = unknown.wish;
        // Values that can be arbitrarily large share the size instead.
        let is_drawn = self.it.draws_suggestions && !code.shape(unknown.shape).is_sized;
        if wish.is_none() && is_drawn && unknown.producer == END {
            self.charge(super::draw::STEPS_PER_VALUE)?;
            let drawn = self.context.chooser.opaque(code.shape(unknown.shape).ty);
            wish = drawn.map(|it| self.import(&it));
        }
        let wish = wish.and_then(|it| self.wished_items(it));
        let how = FreshUnknown { size: unknown.size, n_before: 0, wish };
        let list = self.fresh_unknown(collection.list, how)?;
        let items = self.it.heap.add(Cell::Items(list));
        self.unify(at, items)?;
        if let Some(table) = collection.table {
            // The order makes the list a normal form: equal sets are equal lists, and no
            // element occurs twice.
            self.call(table.is_ascending, &[list], Some(Ref::TRUE))?;
        }
        Ok(list)
    }

    /// The number of characters, elements or entries. Updates are counted without order: each adds
    /// one or takes one away, unless the key is there or is not.
    pub(super) fn count(&mut self, it: Ref, shape: ShapeId, want: Option<Ref>) -> Step<Ref> {
        let Some(&collection) = self.collection_shape(shape) else { return self.cut() };
        let mut n_added = 0;
        let mut present = Vec::new();
        let mut at = self.it.heap.deref(it);
        let n_below = loop {
            match self.it.heap.cells[at.index()] {
                Cell::Put(_, base, item) => {
                    n_added += 1;
                    let key = self.key_of(collection.kind, item);
                    present.push(self.presence((collection.kind, base, key))?);
                    at = self.it.heap.deref(base);
                }
                Cell::Removed(_, base, key) => {
                    present.push(self.presence((collection.kind, base, key))?);
                    at = self.it.heap.deref(base);
                }
                Cell::Unknown(id) if self.it.heap.unknown(id).producer != END => {
                    let result = self.fresh_int(0, INFINITY, None);
                    self.suspend(Goal::Count { it: at, shape, result })?;
                    break result;
                }
                Cell::Opaque(value) => {
                    let n = n_items(&self.it.heap.opaque[value as usize]);
                    break self.it.heap.int(n as i64);
                }
                _ => {
                    let list = self.items(at)?;
                    let is_plain = present.is_empty() && n_added == 0;
                    // With updates on top, what is wanted of the whole is not what is wanted
                    // of the list below.
                    let want = want.filter(|_| is_plain);
                    break self.call(collection.len, &[list], want)?;
                }
            }
        };
        let n_added = self.it.heap.int(n_added);
        let mut n = self.arithmetic(Arithmetic::Add, n_below, n_added)?;
        for one in present {
            n = self.arithmetic(Arithmetic::Sub, n, one)?;
        }
        self.meet(n, want)
    }

    /// 1 if a collection has a key, 0 if it does not.
    fn presence(&mut self, place: (CollectionKind, Ref, Ref)) -> Step<Ref> {
        let is_present = self.fresh(self.context.code.bool_shape, 0)?;
        let is_present = self.look_up(place, (Found::Element, is_present))?;
        let n = self.fresh_int(0, 1, None);
        self.suspend(Goal::Indicate { holds: is_present, n })?;
        Ok(n)
    }

    /// The key of an entry of a map; the element of a set itself.
    pub(super) fn key_of(&self, kind: CollectionKind, item: Ref) -> Ref {
        match (kind, self.it.heap.cell(item)) {
            (CollectionKind::Map, Cell::Tuple(parts)) => self.it.heap.part(parts, 0),
            _ => item,
        }
    }
}

fn n_items(value: &Value) -> u64 {
    match value {
        Value::Str(text) => text.n_chars(),
        Value::Set(table) | Value::Map(table) => table.len(),
        _ => 0,
    }
}
