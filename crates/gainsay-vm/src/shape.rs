//! Shapes: whether what comes from outside is what its type says.
//!
//! Programs are checked before they run; values that callers and hosts pass in are not.
//! Compiled code trusts types with its memory, so that such values are looked at first, down
//! to the last part. Refinements are none of this: they are checked where values are used.
//! Where a type is a parameter, every value fits, and whoever passes it vouches for it.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use gainsay_core::{CtorId, Function, FunctionId, OpId, Program, Ty, TyId, TypeTable};

use crate::value::{Fields, List, Table, Value};

/// Knows the types of a program.
pub(crate) struct Shapes {
    program: Arc<Program>,
    /// The types of the program and instances of them, once there are some.
    types: Option<Box<TypeTable>>,
    /// The types of the fields of constructors of instances.
    fields: HashMap<(TyId, CtorId), Rc<[TyId]>>,
    /// The last function without parameters that was called.
    without_params: Option<FunctionId>,
}

/// A part that is still to be looked at, and what it must be.
enum Part<'a> {
    Value(&'a Value, TyId),
    Items(&'a List, TyId),
    Entries(&'a Table, TyId, TyId),
}

/// Parts that are looked at before sharing is looked for.
const PARTS_BEFORE_SHARING: u32 = 4096;

/// Parts of function types that are compared; larger types are taken for different.
const MAX_TYPE_PARTS: u32 = 10_000;

impl Shapes {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        Self { program, types: None, fields: HashMap::new(), without_params: None }
    }

    fn types(&self) -> &TypeTable {
        self.types.as_deref().unwrap_or(&self.program.types)
    }

    /// Whether arguments are what a function without captures wants.
    #[inline]
    pub(crate) fn fit_params(&mut self, function: FunctionId, args: &[Value]) -> bool {
        if args.is_empty() {
            return self.without_params == Some(function) || self.has_no_params(function);
        }
        let Some(callee) = self.program.functions.get(function.index()) else { return false };
        if callee.n_captures != 0 || callee.params.len() != args.len() {
            return false;
        }
        let mut pairs = args.iter().zip(&callee.params);
        pairs.all(|(arg, param)| fits_plainly(arg, self.types().get(param.ty)))
            || self.fit_params_whole(function, args)
    }

    #[cold]
    fn has_no_params(&mut self, function: FunctionId) -> bool {
        let callee = self.program.functions.get(function.index());
        let fits = callee.is_some_and(|it| it.n_captures == 0 && it.params.is_empty());
        if fits {
            self.without_params = Some(function);
        }
        fits
    }

    #[inline(never)]
    fn fit_params_whole(&mut self, function: FunctionId, args: &[Value]) -> bool {
        let program = Arc::clone(&self.program);
        let params = &program.function(function).params;
        args.iter().zip(params).all(|(arg, param)| self.fits(arg, param.ty))
    }

    /// Whether a function value is one, and arguments are what it wants.
    pub(crate) fn fit_callee(&mut self, callee: &Value, args: &[Value]) -> bool {
        let program = Arc::clone(&self.program);
        let Some((function, captures)) = closure(&program, callee) else { return false };
        let params = &function.params;
        params.len() == captures.as_slice().len() + args.len()
            && captures
                .as_slice()
                .iter()
                .chain(args)
                .zip(params)
                .all(|(it, param)| self.fits(it, param.ty))
    }

    /// Whether a function value can answer an operation. A generative stub is told the path
    /// and the number of the call besides.
    pub(crate) fn is_stub(&mut self, op: OpId, stub: &Value) -> bool {
        let program = Arc::clone(&self.program);
        let Some((function, captures)) = closure(&program, stub) else { return false };
        let op = program.op(op);
        let n_told = if op.dimension.has_coordinates() { 2 } else { 0 };
        let n_captures = captures.as_slice().len();
        let params = &function.params;
        let args = params.iter().skip(n_captures + n_told).map(|param| param.ty);
        params.len() == n_captures + n_told + op.params.len()
            && self.fit_captures(function, captures)
            && args.zip(&op.params).all(|(ty, (_, given))| self.alike(ty, *given))
            && self.alike(function.result, op.result)
    }

    /// Whether a value may be the answer to an operation.
    pub(crate) fn is_answer(&mut self, op: OpId, type_args: &[TyId], value: &Value) -> bool {
        let ty = self.result_of(op, type_args);
        self.fits(value, ty)
    }

    /// Whether what a call gives may be the answer to an operation.
    pub(crate) fn is_answered_by(
        &mut self,
        (op, type_args): (OpId, &[TyId]),
        callee: &Value,
        args: &[Value],
    ) -> bool {
        let ty = self.result_of(op, type_args);
        let program = Arc::clone(&self.program);
        let Some((function, _)) = closure(&program, callee) else { return false };
        self.alike(function.result, ty) && self.fit_callee(callee, args)
    }

    fn result_of(&mut self, op: OpId, type_args: &[TyId]) -> TyId {
        let ty = self.program.op(op).result;
        if !self.types().flags(ty).has_param() {
            return ty;
        }
        self.own_types().instantiate(ty, type_args)
    }

    fn own_types(&mut self) -> &mut TypeTable {
        let program = &self.program;
        self.types.get_or_insert_with(|| Box::new(program.types.clone()))
    }

    fn fit_captures(&mut self, function: &Function, captures: &Fields) -> bool {
        let captures = captures.as_slice().iter();
        captures.zip(&function.params).all(|(it, param)| self.fits(it, param.ty))
    }

    /// Whether a value is of a type.
    #[inline]
    pub(crate) fn fits(&mut self, value: &Value, ty: TyId) -> bool {
        fits_plainly(value, self.types().get(ty)) || self.fits_whole(value, ty)
    }

    fn fits_whole(&mut self, value: &Value, ty: TyId) -> bool {
        let mut pending = vec![Part::Value(value, ty)];
        let mut seen = HashSet::new();
        let mut n_parts = 0;
        while let Some(part) = pending.pop() {
            n_parts += 1;
            if n_parts > PARTS_BEFORE_SHARING
                && let Some(place) = place_of(&part)
                && !seen.insert(place)
            {
                continue;
            }
            let fits = match part {
                Part::Value(value, ty) => self.look(value, ty, &mut pending),
                Part::Items(list, ty) => {
                    if let Some((head, tail)) = list.split_first() {
                        pending.push(Part::Items(tail, ty));
                        pending.push(Part::Value(head, ty));
                    }
                    true
                }
                Part::Entries(table, key_ty, value_ty) => {
                    if let Some((key, value, left, right)) = table.split_root() {
                        pending.push(Part::Value(key, key_ty));
                        pending.push(Part::Value(value, value_ty));
                        pending.push(Part::Entries(left, key_ty, value_ty));
                        pending.push(Part::Entries(right, key_ty, value_ty));
                    }
                    true
                }
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Looks at the outside of a value; what is inside comes later.
    fn look<'a>(&mut self, value: &'a Value, ty: TyId, pending: &mut Vec<Part<'a>>) -> bool {
        let ty = self.types().base(ty);
        match (self.types().get(ty), value) {
            (Ty::Param(_), _) => self.is_whole(value, ty, pending),
            (Ty::Int, Value::Int(_) | Value::Big(_)) => true,
            (Ty::Float, Value::Float(_)) | (Ty::Bool, Value::Bool(_)) => true,
            (Ty::Char, Value::Char(_)) | (Ty::Str, Value::Str(_)) => true,
            (Ty::Tuple(tys), Value::Tuple(fields)) => {
                let fields = fields.as_slice();
                pending.extend(fields.iter().zip(tys).map(|(it, ty)| Part::Value(it, *ty)));
                fields.len() == tys.len()
            }
            (Ty::List(item), Value::List(list)) => {
                pending.push(Part::Items(list, *item));
                true
            }
            (Ty::Set(item), Value::Set(table)) => {
                pending.push(Part::Entries(table, *item, TypeTable::UNIT));
                true
            }
            (Ty::Map(key, value), Value::Map(table)) => {
                pending.push(Part::Entries(table, *key, *value));
                true
            }
            (Ty::Named(..), Value::Data(ctor, fields)) => {
                let Some(tys) = self.field_types(ty, *ctor) else { return false };
                let fields = fields.as_slice();
                pending.extend(fields.iter().zip(&*tys).map(|(it, ty)| Part::Value(it, *ty)));
                fields.len() == tys.len()
            }
            (Ty::Function { .. }, Value::Closure(..)) => {
                self.look_at_closure(value, ty, pending)
            }
            _ => false,
        }
    }

    /// A value of which no type is known must be one of the program all the same.
    fn is_whole<'a>(&self, value: &'a Value, ty: TyId, pending: &mut Vec<Part<'a>>) -> bool {
        match value {
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => true,
            Value::Char(_) | Value::Str(_) => true,
            Value::Tuple(fields) => {
                pending.extend(fields.as_slice().iter().map(|it| Part::Value(it, ty)));
                true
            }
            Value::Data(ctor, fields) => {
                let fields = fields.as_slice();
                pending.extend(fields.iter().map(|it| Part::Value(it, ty)));
                let ctor = self.program.ctors.get(ctor.index());
                ctor.is_some_and(|ctor| ctor.fields.len() == fields.len())
            }
            Value::List(list) => {
                pending.push(Part::Items(list, ty));
                true
            }
            Value::Map(table) | Value::Set(table) => {
                pending.push(Part::Entries(table, ty, ty));
                true
            }
            Value::Closure(..) => self.has_captures(value, pending),
        }
    }

    /// A function value must be one of the program, with the captures it wants.
    fn has_captures<'a>(&self, value: &'a Value, pending: &mut Vec<Part<'a>>) -> bool {
        let Some((function, captures)) = closure(&self.program, value) else { return false };
        let parts = captures.as_slice().iter().zip(&function.params);
        pending.extend(parts.map(|(it, param)| Part::Value(it, param.ty)));
        true
    }

    fn look_at_closure<'a>(
        &self,
        value: &'a Value,
        ty: TyId,
        pending: &mut Vec<Part<'a>>,
    ) -> bool {
        let Some((function, captures)) = closure(&self.program, value) else { return false };
        let Ty::Function { params, result, .. } = self.types().get(ty) else { return false };
        let n_captures = captures.as_slice().len();
        let own = function.params.iter().skip(n_captures).map(|param| param.ty);
        self.has_captures(value, pending)
            && function.params.len() == n_captures + params.len()
            && own.zip(params).all(|(own, ty)| self.alike(own, *ty))
            && self.alike(function.result, *result)
    }

    /// The types of the fields of a constructor, if it is one of the type.
    fn field_types(&mut self, ty: TyId, ctor: CtorId) -> Option<Rc<[TyId]>> {
        if let Some(known) = self.fields.get(&(ty, ctor)) {
            return Some(Rc::clone(known));
        }
        let program = Arc::clone(&self.program);
        let definition = program.ctors.get(ctor.index())?;
        let Ty::Named(named, args) = self.types().get(ty).clone() else { return None };
        if definition.ty != named {
            return None;
        }
        let mut fields: Vec<TyId> = definition.fields.iter().map(|field| field.ty).collect();
        if !args.is_empty() {
            let types = self.own_types();
            fields.iter_mut().for_each(|field| *field = types.instantiate(*field, &args));
        }
        let fields: Rc<[TyId]> = fields.into();
        self.fields.insert((ty, ctor), Rc::clone(&fields));
        Some(fields)
    }

    /// Whether values of two types have the same shape, whatever parameters stand for.
    fn alike(&self, a: TyId, b: TyId) -> bool {
        let types = self.types();
        let mut pending = vec![(a, b)];
        for _ in 0..MAX_TYPE_PARTS {
            let Some((a, b)) = pending.pop() else { return true };
            let (a, b) = (types.base(a), types.base(b));
            if a == b {
                continue;
            }
            match (types.get(a), types.get(b)) {
                (Ty::Param(_), _) | (_, Ty::Param(_)) => {}
                (Ty::List(a), Ty::List(b)) | (Ty::Set(a), Ty::Set(b)) => pending.push((*a, *b)),
                (Ty::Map(a, c), Ty::Map(b, d)) => pending.extend([(*a, *b), (*c, *d)]),
                (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
                    pending.extend(a.iter().copied().zip(b.iter().copied()));
                }
                (Ty::Named(a, c), Ty::Named(b, d)) if a == b => {
                    pending.extend(c.iter().copied().zip(d.iter().copied()));
                }
                (
                    Ty::Function { params: a, result: c, .. },
                    Ty::Function { params: b, result: d, .. },
                ) if a.len() == b.len() => {
                    pending.push((*c, *d));
                    pending.extend(a.iter().copied().zip(b.iter().copied()));
                }
                _ => return false,
            }
        }
        false
    }
}

/// A function value of the program that has all its captures.
fn closure<'p, 'v>(
    program: &'p Program,
    value: &'v Value,
) -> Option<(&'p Function, &'v Fields)> {
    let Value::Closure(function, captures) = value else { return None };
    let function = program.functions.get(function.index())?;
    let is_whole = function.n_captures as usize == captures.as_slice().len();
    is_whole.then_some((function, captures))
}

/// Where a part is stored, as what, and what it must be, if others refer to it too.
fn place_of(part: &Part<'_>) -> Option<(u64, u32, TyId, TyId)> {
    match part {
        Part::Items(list, ty) => list.shared_at().map(|at| (at, 0, *ty, *ty)),
        Part::Entries(table, key, value) => table.shared_at().map(|at| (at, 0, *key, *value)),
        Part::Value(Value::Tuple(fields), ty) => {
            fields.shared_at().map(|at| (at, 0, *ty, TypeTable::UNIT))
        }
        Part::Value(Value::Data(ctor, fields), ty) => {
            fields.shared_at().map(|at| (at, ctor.0, *ty, TypeTable::INT))
        }
        Part::Value(Value::Closure(function, fields), ty) => {
            fields.shared_at().map(|at| (at, function.0, *ty, TypeTable::BOOL))
        }
        Part::Value(..) => None,
    }
}

/// Whether that can be seen at once.
#[inline]
fn fits_plainly(value: &Value, ty: &Ty) -> bool {
    matches!((value, ty), (Value::Int(_), Ty::Int) | (Value::Bool(_), Ty::Bool))
}
