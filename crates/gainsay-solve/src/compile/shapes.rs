//! The shapes of types: what an unknown of a type can be.

use gainsay_core::{ConstructorWeight, CtorId, SearchStep, Ty, TyId, TypeId, TypeTable};

use super::Compiler;
use crate::code::{
    CodeFnId, CollectionKind, CollectionShape, CtorShape, ShapeId, ShapeKind, TableFunctions,
    TypeShape,
};

impl Compiler<'_> {
    /// The shape of a type without parameters.
    pub(crate) fn shape(&mut self, ty: TyId) -> ShapeId {
        if let Some(id) = self.shapes.get(&ty) {
            return *id;
        }
        let id = ShapeId(self.code.shapes.len() as u32);
        self.shapes.insert(ty, id);
        // The shape is registered before its parts, so that a recursive type finds itself.
        self.code.shapes.push(TypeShape { ty, kind: ShapeKind::Opaque, is_sized: false });
        let kind = match self.types.get(ty).clone() {
            Ty::Int => ShapeKind::Int,
            Ty::Bool => ShapeKind::Bool,
            Ty::Char => ShapeKind::Char,
            Ty::Tuple(parts) => {
                ShapeKind::Tuple(parts.iter().map(|it| self.shape(*it)).collect())
            }
            Ty::List(item) => ShapeKind::List(self.shape(item)),
            Ty::Named(named, args) => self.sum(named, &args),
            Ty::Refined { base, predicate, args } => {
                let base = self.shape(base);
                ShapeKind::Refined(base, self.function(predicate, args))
            }
            Ty::Str => self.collection(CollectionKind::Text, TypeTable::CHAR, Box::default()),
            Ty::Set(item) => self.collection(CollectionKind::Set, item, [item].into()),
            Ty::Map(key, value) => {
                let entry = self.types.intern(Ty::Tuple([key, value].into()));
                self.collection(CollectionKind::Map, entry, [key, value].into())
            }
            Ty::Float | Ty::Function { .. } => ShapeKind::Opaque,
            Ty::Param(_) | Ty::Var(_) | Ty::Error => ShapeKind::Opaque,
        };
        self.code.shapes[id.index()].kind = kind;
        id
    }

    fn sum(&mut self, named: TypeId, args: &[TyId]) -> ShapeKind {
        let program = self.program;
        let ctors: &[CtorId] = &program.nominal(named).ctors;
        let ctors = ctors.iter().map(|ctor| {
            let fields = program.ctor(*ctor).fields.iter();
            let tys: Vec<TyId> = fields.map(|it| self.types.instantiate(it.ty, args)).collect();
            let fields = tys.into_iter().map(|it| self.shape(it)).collect();
            let weight = ConstructorWeight::Number(1);
            CtorShape { ctor: *ctor, fields, weight, height: None, n_sized: 0, n_recursive: 0 }
        });
        ShapeKind::Sum(ctors.collect())
    }

    /// The shape of a text, set or map. Keys that are not ordered like trees of constructors are not
    /// looked into.
    fn collection(
        &mut self,
        kind: CollectionKind,
        item: TyId,
        type_args: Box<[TyId]>,
    ) -> ShapeKind {
        let is_ordered = type_args.first().is_none_or(|it| !self.has_opaque_equality(*it));
        let names = match kind {
            CollectionKind::Text => None,
            CollectionKind::Set => Some(["items_are_ascending", "insert_item", "remove_item"]),
            CollectionKind::Map => Some(["keys_are_ascending", "insert_entry", "remove_entry"]),
        };
        let table = names.map(|names| names.map(|it| self.model(it)));
        let table = match table {
            None => None,
            Some([Some(is_ascending), Some(insert), Some(remove)]) if is_ordered => {
                let mut instance = |it| self.function(it, type_args.clone());
                Some(TableFunctions {
                    is_ascending: instance(is_ascending),
                    insert: instance(insert),
                    remove: instance(remove),
                })
            }
            Some(_) => return ShapeKind::Opaque,
        };
        let Some(len) = self.model("list.len") else { return ShapeKind::Opaque };
        let list = self.types.intern(Ty::List(item));
        let (list, len) = (self.shape(list), self.function(len, [item].into()));
        ShapeKind::Collection(CollectionShape { kind, list, len, table })
    }

    /// The predicates of a refined type, the innermost first.
    pub(crate) fn predicates_of(&mut self, mut ty: TyId) -> Vec<CodeFnId> {
        let mut predicates = Vec::new();
        while let Ty::Refined { base, predicate, args } = self.types.get(ty).clone() {
            predicates.push(self.function(predicate, args));
            ty = base;
        }
        predicates.reverse();
        predicates
    }

    /// Whether values can be equal without being the same tree of constructors.
    pub(crate) fn has_opaque_equality(&mut self, ty: TyId) -> bool {
        let mut visited = Vec::new();
        self.reaches_opaque_equality(ty, &mut visited)
    }

    fn reaches_opaque_equality(&mut self, ty: TyId, visited: &mut Vec<TyId>) -> bool {
        if visited.contains(&ty) {
            return false;
        }
        visited.push(ty);
        let mut named = Vec::new();
        let found = self.types.find(ty, &mut |_, ty| match ty {
            Ty::Float | Ty::Function { .. } => SearchStep::Found,
            Ty::Named(id, args) => {
                named.push((*id, args.clone()));
                SearchStep::Descend
            }
            _ => SearchStep::Descend,
        });
        if found {
            return true;
        }
        let program = self.program;
        for (id, args) in named {
            for ctor in &program.nominal(id).ctors {
                for field in &program.ctor(*ctor).fields {
                    let field = self.types.instantiate(field.ty, &args);
                    if self.reaches_opaque_equality(field, visited) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Computes heights, sizes and weights of all shapes.
    pub(super) fn measure_shapes(&mut self) {
        self.measure_heights();
        let ids = (0..self.code.shapes.len() as u32).map(ShapeId);
        let reached: Vec<Vec<bool>> = ids.map(|it| self.reachable(it)).collect();
        let is_recursive: Vec<bool> = (0..reached.len()).map(|at| reached[at][at]).collect();
        for (at, reached) in reached.iter().enumerate() {
            // Reachable from itself, or from something that is.
            let goes_on =
                reached.iter().zip(&is_recursive).any(|(it, goes_on)| *it && *goes_on);
            self.code.shapes[at].is_sized = is_recursive[at] || goes_on;
        }
        for at in (0..self.code.shapes.len()).collect::<Vec<_>>() {
            let ShapeKind::Sum(mut ctors) = self.code.shapes[at].kind.clone() else { continue };
            let declared = self.declared_weights(self.code.shapes[at].ty);
            for ctor in &mut ctors {
                let sized = ctor.fields.iter().filter(|it| self.code.shape(**it).is_sized);
                ctor.n_sized = sized.count() as u32;
                let recursive = ctor.fields.iter();
                let recursive =
                    recursive.filter(|it| it.index() == at || reached[it.index()][at]);
                ctor.n_recursive = recursive.count() as u32;
            }
            let widths: Vec<Option<usize>> = ctors
                .iter()
                .map(|it| it.height.map(|_| it.fields.iter().map(|it| self.width(*it)).sum()))
                .collect();
            let usual = gainsay_core::usual_weights(&widths);
            let declared = declared.into_iter().chain(std::iter::repeat(None));
            for ((ctor, usual), declared) in ctors.iter_mut().zip(usual).zip(declared) {
                ctor.weight = declared.unwrap_or(ConstructorWeight::Number(usual));
            }
            self.code.shapes[at].kind = ShapeKind::Sum(ctors);
        }
    }

    fn declared_weights(&self, ty: TyId) -> Vec<Option<ConstructorWeight>> {
        let Ty::Named(named, _) = self.types.get(ty) else { return Vec::new() };
        self.program.nominal(*named).weights.as_deref().unwrap_or_default().to_vec()
    }

    /// The number of recursive positions in values of a shape: a list counts as two.
    fn width(&self, id: ShapeId) -> usize {
        let shape = self.code.shape(id);
        match &shape.kind {
            _ if !shape.is_sized => 0,
            ShapeKind::List(_) | ShapeKind::Collection(_) => 2,
            ShapeKind::Refined(base, _) => self.width(*base),
            _ => 1,
        }
    }

    fn measure_heights(&mut self) {
        // Heights only become known or decrease, so this ends; each round settles a height more.
        loop {
            let mut has_changed = false;
            for at in 0..self.code.shapes.len() {
                let ShapeKind::Sum(mut ctors) = self.code.shapes[at].kind.clone() else {
                    continue;
                };
                for ctor in &mut ctors {
                    let mut heights = ctor.fields.iter().map(|it| self.height(*it));
                    let height = heights.try_fold(0, |most: u32, it| it.map(|it| most.max(it)));
                    let height = height.map(|it| it.saturating_add(1));
                    if height != ctor.height && height.is_some() {
                        ctor.height = height;
                        has_changed = true;
                    }
                }
                self.code.shapes[at].kind = ShapeKind::Sum(ctors);
            }
            if !has_changed {
                return;
            }
        }
    }

    fn height(&self, id: ShapeId) -> Option<u32> {
        match &self.code.shape(id).kind {
            ShapeKind::Int | ShapeKind::Bool | ShapeKind::Char | ShapeKind::Opaque => Some(0),
            ShapeKind::List(_) | ShapeKind::Collection(_) => Some(0),
            ShapeKind::Tuple(parts) => parts
                .iter()
                .map(|it| self.height(*it))
                .try_fold(0, |most: u32, it| it.map(|it| most.max(it))),
            ShapeKind::Refined(base, _) => self.height(*base),
            ShapeKind::Sum(ctors) => ctors.iter().filter_map(|it| it.height).min(),
        }
    }

    /// The shapes of values that a value of a shape can contain.
    fn reachable(&self, id: ShapeId) -> Vec<bool> {
        let mut visited = vec![false; self.code.shapes.len()];
        let mut pending = vec![id];
        while let Some(next) = pending.pop() {
            let mut visit = |part: ShapeId| {
                if !std::mem::replace(&mut visited[part.index()], true) {
                    pending.push(part);
                }
            };
            match &self.code.shape(next).kind {
                ShapeKind::Tuple(parts) => parts.iter().copied().for_each(visit),
                ShapeKind::List(item) | ShapeKind::Refined(item, _) => visit(*item),
                ShapeKind::Collection(collection) => visit(collection.list),
                ShapeKind::Sum(ctors) => {
                    ctors.iter().flat_map(|it| &it.fields).copied().for_each(visit);
                }
                ShapeKind::Int | ShapeKind::Bool | ShapeKind::Char | ShapeKind::Opaque => {}
            }
        }
        visited
    }
}
