//! Type checks of values that come from outside the program.
//!
//! Programs are checked before they run; values that callers and hosts pass in are not. Compiled
//! code relies on types for memory safety, so such values are checked first, down to the last part.
//! Refinements are not checked here but where values are used. A type parameter accepts every
//! value, for which the caller is responsible.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use gainsay_core::{CtorId, Function, FunctionId, OpId, Program, Ty, TyId, TypeTable};

use crate::value::{Fields, List, Value, ValueTable};

/// Checks values against the types of a program.
pub(crate) struct ValueChecker {
    program: Arc<Program>,
    /// The program's types and instances of them, once there are any.
    types: Option<Box<TypeTable>>,
    /// The field types of the constructors of instances.
    fields: HashMap<(TyId, CtorId), Rc<[TyId]>>,
    /// The last function without parameters that was called.
    last_nullary: Option<FunctionId>,
}

/// A part still to be checked, with its expected type.
enum UncheckedPart<'a> {
    Value(&'a Value, TyId),
    Items(&'a List, TyId),
    Entries(&'a ValueTable, TyId, TyId),
}

/// Number of parts checked before sharing is tracked.
const PARTS_BEFORE_SHARING: u32 = 4096;

/// Number of parts of function types that are compared; larger types count as different.
const MAX_TYPE_PARTS: u32 = 10_000;

impl ValueChecker {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        Self { program, types: None, fields: HashMap::new(), last_nullary: None }
    }

    fn types(&self) -> &TypeTable {
        self.types.as_deref().unwrap_or(&self.program.types)
    }

    /// Whether arguments have the parameter types of a function without captures.
    #[inline]
    pub(crate) fn args_conform(&mut self, function: FunctionId, args: &[Value]) -> bool {
        if args.is_empty() {
            // Repeated calls of one function without arguments are common: cache the last one.
            return self.last_nullary == Some(function) || self.has_no_params(function);
        }
        let Some(callee) = self.program.functions.get(function.index()) else { return false };
        if callee.n_captures != 0 || callee.params.len() != args.len() {
            return false;
        }
        let mut pairs = args.iter().zip(&callee.params);
        // The fast check avoids cloning the program's `Arc`.
        pairs.all(|(arg, param)| conforms_trivially(arg, self.types().get(param.ty)))
            || self.args_conform_fully(function, args)
    }

    #[cold]
    fn has_no_params(&mut self, function: FunctionId) -> bool {
        let callee = self.program.functions.get(function.index());
        let fits = callee.is_some_and(|it| it.n_captures == 0 && it.params.is_empty());
        if fits {
            self.last_nullary = Some(function);
        }
        fits
    }

    #[inline(never)]
    fn args_conform_fully(&mut self, function: FunctionId, args: &[Value]) -> bool {
        let program = Arc::clone(&self.program);
        let params = &program.function(function).params;
        args.iter().zip(params).all(|(arg, param)| self.conforms(arg, param.ty))
    }

    /// Whether a value is a function, and arguments have its parameter types.
    pub(crate) fn callee_conforms(&mut self, callee: &Value, args: &[Value]) -> bool {
        let program = Arc::clone(&self.program);
        let Some((function, captures)) = closure(&program, callee) else { return false };
        let params = &function.params;
        params.len() == captures.as_slice().len() + args.len()
            && captures
                .as_slice()
                .iter()
                .chain(args)
                .zip(params)
                .all(|(it, param)| self.conforms(it, param.ty))
    }

    /// Whether a function value can answer an operation. A generative stub also receives the branch
    /// path and the number of the call.
    pub(crate) fn stub_conforms(&mut self, op: OpId, stub: &Value) -> bool {
        let program = Arc::clone(&self.program);
        let Some((function, captures)) = closure(&program, stub) else { return false };
        let op = program.op(op);
        let n_extra = if op.kind.stub_takes_path_and_count() { 2 } else { 0 };
        let n_captures = captures.as_slice().len();
        let params = &function.params;
        let args = params.iter().skip(n_captures + n_extra).map(|param| param.ty);
        params.len() == n_captures + n_extra + op.params.len()
            // Captures are read by type as well, though nobody passes them at the call.
            && self.fit_captures(function, captures)
            && args.zip(&op.params).all(|(ty, (_, given))| self.same_shape(ty, *given))
            && self.same_shape(function.result, op.result)
    }

    /// Whether a value has the result type of an operation.
    pub(crate) fn answer_conforms(
        &mut self,
        op: OpId,
        type_args: &[TyId],
        value: &Value,
    ) -> bool {
        let ty = self.result_of(op, type_args);
        self.conforms(value, ty)
    }

    /// Whether the result of a call has the result type of an operation.
    pub(crate) fn call_answer_conforms(
        &mut self,
        (op, type_args): (OpId, &[TyId]),
        callee: &Value,
        args: &[Value],
    ) -> bool {
        let ty = self.result_of(op, type_args);
        let program = Arc::clone(&self.program);
        let Some((function, _)) = closure(&program, callee) else { return false };
        self.same_shape(function.result, ty) && self.callee_conforms(callee, args)
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
        captures.zip(&function.params).all(|(it, param)| self.conforms(it, param.ty))
    }

    /// Whether a value has a type.
    #[inline]
    pub(crate) fn conforms(&mut self, value: &Value, ty: TyId) -> bool {
        conforms_trivially(value, self.types().get(ty)) || self.conforms_fully(value, ty)
    }

    fn conforms_fully(&mut self, value: &Value, ty: TyId) -> bool {
        let mut pending = vec![UncheckedPart::Value(value, ty)];
        let mut seen = HashSet::new();
        let mut n_parts = 0;
        while let Some(part) = pending.pop() {
            n_parts += 1;
            // Without this, a DAG would be walked once per path, of which there may be
            // exponentially many.
            if n_parts > PARTS_BEFORE_SHARING
                && let Some(place) = shared_part_key(&part)
                && !seen.insert(place)
            {
                continue;
            }
            let fits = match part {
                UncheckedPart::Value(value, ty) => self.check_shallow(value, ty, &mut pending),
                UncheckedPart::Items(list, ty) => {
                    if let Some((head, tail)) = list.split_first() {
                        // The tail first, so that the head lies on top and the list is walked in
                        // order.
                        pending.push(UncheckedPart::Items(tail, ty));
                        pending.push(UncheckedPart::Value(head, ty));
                    }
                    true
                }
                UncheckedPart::Entries(table, key_ty, value_ty) => {
                    if let Some((key, value, left, right)) = table.split_root() {
                        pending.push(UncheckedPart::Value(key, key_ty));
                        pending.push(UncheckedPart::Value(value, value_ty));
                        pending.push(UncheckedPart::Entries(left, key_ty, value_ty));
                        pending.push(UncheckedPart::Entries(right, key_ty, value_ty));
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

    /// Checks the head of a value and pushes its parts as pending.
    fn check_shallow<'a>(
        &mut self,
        value: &'a Value,
        ty: TyId,
        pending: &mut Vec<UncheckedPart<'a>>,
    ) -> bool {
        let ty = self.types().base(ty);
        match (self.types().get(ty), value) {
            (Ty::Param(_), _) => self.check_untyped(value, ty, pending),
            (Ty::Int, Value::Int(_) | Value::Big(_)) => true,
            (Ty::Float, Value::Float(_)) | (Ty::Bool, Value::Bool(_)) => true,
            (Ty::Char, Value::Char(_)) | (Ty::Str, Value::Str(_)) => true,
            (Ty::Tuple(tys), Value::Tuple(fields)) => {
                let fields = fields.as_slice();
                pending.extend(
                    fields.iter().zip(tys).map(|(it, ty)| UncheckedPart::Value(it, *ty)),
                );
                fields.len() == tys.len()
            }
            (Ty::List(item), Value::List(list)) => {
                pending.push(UncheckedPart::Items(list, *item));
                true
            }
            (Ty::Set(item), Value::Set(table)) => {
                // Sets store `()` as values.
                pending.push(UncheckedPart::Entries(table, *item, TypeTable::UNIT));
                true
            }
            (Ty::Map(key, value), Value::Map(table)) => {
                pending.push(UncheckedPart::Entries(table, *key, *value));
                true
            }
            (Ty::Named(..), Value::Data(ctor, fields)) => {
                let Some(tys) = self.field_types(ty, *ctor) else { return false };
                let fields = fields.as_slice();
                pending.extend(
                    fields.iter().zip(&*tys).map(|(it, ty)| UncheckedPart::Value(it, *ty)),
                );
                fields.len() == tys.len()
            }
            // The captures are checked as well, since compiled code reads them by type.
            (Ty::Function { .. }, Value::Closure(..)) => self.check_closure(value, ty, pending),
            _ => false,
        }
    }

    /// A value of unknown type must still consist of constructors and functions of the program.
    fn check_untyped<'a>(
        &self,
        value: &'a Value,
        ty: TyId,
        pending: &mut Vec<UncheckedPart<'a>>,
    ) -> bool {
        match value {
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => true,
            Value::Char(_) | Value::Str(_) => true,
            Value::Tuple(fields) => {
                pending.extend(fields.as_slice().iter().map(|it| UncheckedPart::Value(it, ty)));
                true
            }
            Value::Data(ctor, fields) => {
                let fields = fields.as_slice();
                pending.extend(fields.iter().map(|it| UncheckedPart::Value(it, ty)));
                let ctor = self.program.ctors.get(ctor.index());
                ctor.is_some_and(|ctor| ctor.fields.len() == fields.len())
            }
            Value::List(list) => {
                pending.push(UncheckedPart::Items(list, ty));
                true
            }
            Value::Map(table) | Value::Set(table) => {
                pending.push(UncheckedPart::Entries(table, ty, ty));
                true
            }
            Value::Closure(..) => self.has_captures(value, pending),
        }
    }

    /// Whether a function value is one of the program; pushes its captures as pending.
    fn has_captures<'a>(&self, value: &'a Value, pending: &mut Vec<UncheckedPart<'a>>) -> bool {
        let Some((function, captures)) = closure(&self.program, value) else { return false };
        let parts = captures.as_slice().iter().zip(&function.params);
        pending.extend(parts.map(|(it, param)| UncheckedPart::Value(it, param.ty)));
        true
    }

    fn check_closure<'a>(
        &self,
        value: &'a Value,
        ty: TyId,
        pending: &mut Vec<UncheckedPart<'a>>,
    ) -> bool {
        let Some((function, captures)) = closure(&self.program, value) else { return false };
        let Ty::Function { params, result, .. } = self.types().get(ty) else { return false };
        let n_captures = captures.as_slice().len();
        let own = function.params.iter().skip(n_captures).map(|param| param.ty);
        self.has_captures(value, pending)
            && function.params.len() == n_captures + params.len()
            && own.zip(params).all(|(own, ty)| self.same_shape(own, *ty))
            && self.same_shape(function.result, *result)
    }

    /// The field types of a constructor, if it belongs to the type.
    fn field_types(&mut self, ty: TyId, ctor: CtorId) -> Option<Rc<[TyId]>> {
        if let Some(cached) = self.fields.get(&(ty, ctor)) {
            return Some(Rc::clone(cached));
        }
        let program = Arc::clone(&self.program);
        let definition = program.ctors.get(ctor.index())?;
        let Ty::Named(named, args) = self.types().get(ty).clone() else { return None };
        // A constructor of another type would be read with the wrong number of fields.
        if definition.ty != named {
            return None;
        }
        let mut fields: Vec<TyId> = definition.fields.iter().map(|field| field.ty).collect();
        if !args.is_empty() {
            let types = self.own_types();
            // Instances go to a table of their own: the program is shared and cannot change.
            fields.iter_mut().for_each(|field| *field = types.instantiate(*field, &args));
        }
        let fields: Rc<[TyId]> = fields.into();
        self.fields.insert((ty, ctor), Rc::clone(&fields));
        Some(fields)
    }

    /// Whether values of two types have the same representation, whatever parameters stand for.
    fn same_shape(&self, a: TyId, b: TyId) -> bool {
        let types = self.types();
        let mut pending = vec![(a, b)];
        for _ in 0..MAX_TYPE_PARTS {
            let Some((a, b)) = pending.pop() else { return true };
            // Refinements do not affect the representation.
            let (a, b) = (types.base(a), types.base(b));
            if a == b {
                continue;
            }
            match (types.get(a), types.get(b)) {
                // All values have one representation, so a parameter fits whatever it stands for.
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
        // Too large to compare within the budget: reject, which is always safe.
        false
    }
}

/// The function and captures of a function value, if it is one of the program with all captures.
fn closure<'p, 'v>(
    program: &'p Program,
    value: &'v Value,
) -> Option<(&'p Function, &'v Fields)> {
    let Value::Closure(function, captures) = value else { return None };
    let function = program.functions.get(function.index())?;
    let is_whole = function.n_captures as usize == captures.as_slice().len();
    is_whole.then_some((function, captures))
}

/// The key of a shared part: its address, kind, and expected types.
fn shared_part_key(part: &UncheckedPart<'_>) -> Option<(u64, u32, TyId, TyId)> {
    match part {
        UncheckedPart::Items(list, ty) => list.shared_address().map(|at| (at, 0, *ty, *ty)),
        UncheckedPart::Entries(table, key, value) => {
            table.shared_address().map(|at| (at, 0, *key, *value))
        }
        UncheckedPart::Value(Value::Tuple(fields), ty) => {
            fields.shared_address().map(|at| (at, 0, *ty, TypeTable::UNIT))
        }
        UncheckedPart::Value(Value::Data(ctor, fields), ty) => {
            fields.shared_address().map(|at| (at, ctor.0, *ty, TypeTable::INT))
        }
        UncheckedPart::Value(Value::Closure(function, fields), ty) => {
            fields.shared_address().map(|at| (at, function.0, *ty, TypeTable::BOOL))
        }
        UncheckedPart::Value(..) => None,
    }
}

/// Fast path for the most common types.
#[inline]
fn conforms_trivially(value: &Value, ty: &Ty) -> bool {
    matches!((value, ty), (Value::Int(_), Ty::Int) | (Value::Bool(_), Ty::Bool))
}
