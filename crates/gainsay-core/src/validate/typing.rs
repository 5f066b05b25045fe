//! Checks that the types of terms agree with those of their subterms, ignoring refinements and
//! rows.
//!
//! Inference rules are shown above the code that checks them; `t : A` reads "the type of term `t`
//! is `A`, without refinements".

mod patterns;

use std::collections::HashMap;

use super::ValidationError;
use crate::builtin::{self, BOOL_NOT};
use crate::id::{BuiltinId, CtorId, FunctionId, OpId, RowId, TermId, TyId};
use crate::program::{Function, Program};
use crate::term::{Literal, Statement, Term, TryKind};
use crate::ty::{Ty, TypeTable};

pub(super) struct TypeValidator<'a> {
    program: &'a Program,
    /// The types of the program, and instances of generic ones.
    types: TypeTable,
    /// Memoized results of `fits`.
    fits_cache: HashMap<(TyId, TyId), bool>,
}

/// The error message, if a term is ill-typed.
type TypingResult = Result<(), String>;

impl<'a> TypeValidator<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Self { program, types: program.types.clone(), fits_cache: HashMap::new() }
    }

    /// Adds a violation for each ill-typed term of a function.
    pub(super) fn check(&mut self, id: FunctionId, defects: &mut Vec<ValidationError>) {
        let function = self.program.function(id);
        let body = &function.body;
        for at in 0..body.terms.len() {
            let term = TermId(at as u32);
            if let Err(what) = self.term(function, term) {
                defects.push(ValidationError {
                    function: id,
                    span: body.span(term),
                    message: what,
                });
            }
        }
        let root = body.root.map(|root| self.fits(body.ty(root), function.result));
        if root == Some(false) {
            let what = "the body does not have the result type".to_owned();
            defects.push(ValidationError { function: id, span: function.span, message: what });
        }
    }

    /// Whether a value of type `given` is accepted where `wanted` is expected: the types are equal
    /// up to refinements, and functions perform no more effects than `wanted` allows.
    fn fits(&mut self, given: TyId, wanted: TyId) -> bool {
        let (given, wanted) = (self.types.base(given), self.types.base(wanted));
        if given == wanted {
            return true;
        }
        if let Some(cached) = self.fits_cache.get(&(given, wanted)) {
            return *cached;
        }
        let fits = match (self.types.get(given).clone(), self.types.get(wanted).clone()) {
            (Ty::Tuple(a), Ty::Tuple(b)) => self.all_fit(&a, &b),
            (Ty::List(a), Ty::List(b)) | (Ty::Set(a), Ty::Set(b)) => self.fits(a, b),
            (Ty::Map(a, c), Ty::Map(b, d)) => self.fits(a, b) && self.fits(c, d),
            // Arguments are compared covariantly, which is sound because values are immutable.
            (Ty::Named(a, a_args), Ty::Named(b, b_args)) => {
                a == b && self.all_fit(&a_args, &b_args)
            }
            // Parameters are contravariant, hence `b` before `a`.
            (
                Ty::Function { params: a, result: c, row: e },
                Ty::Function { params: b, result: d, row: f },
            ) => self.all_fit(&b, &a) && self.fits(c, d) && self.row_fits(e, f),
            _ => false,
        };
        self.fits_cache.insert((given, wanted), fits);
        fits
    }

    fn all_fit(&mut self, given: &[TyId], wanted: &[TyId]) -> bool {
        given.len() == wanted.len()
            && given.iter().zip(wanted).all(|(given, wanted)| self.fits(*given, *wanted))
    }

    /// Row parameters are trusted, because only the checker knew what they stand for.
    fn row_fits(&self, given: RowId, wanted: RowId) -> bool {
        let (given, wanted) = (self.types.get_row(given), self.types.get_row(wanted));
        let is_open = !wanted.params.is_empty();
        is_open || given.ops.iter().all(|op| wanted.ops.binary_search(op).is_ok())
    }

    fn expect(&mut self, given: TyId, wanted: TyId, what: &str) -> TypingResult {
        if self.fits(given, wanted) {
            Ok(())
        } else {
            Err(format!("{what} has the wrong type"))
        }
    }

    fn part(
        &mut self,
        function: &Function,
        part: TermId,
        wanted: TyId,
        what: &str,
    ) -> TypingResult {
        self.expect(function.body.ty(part), wanted, what)
    }

    fn parts(
        &mut self,
        function: &Function,
        parts: &[TermId],
        wanted: &[TyId],
    ) -> TypingResult {
        if parts.len() != wanted.len() {
            return Err(format!("expected {} parts, found {}", wanted.len(), parts.len()));
        }
        for (part, wanted) in parts.iter().zip(wanted) {
            self.part(function, *part, *wanted, "an argument")?;
        }
        Ok(())
    }

    fn base(&self, ty: TyId) -> Ty {
        self.types.get(self.types.base(ty)).clone()
    }

    fn term(&mut self, function: &Function, id: TermId) -> TypingResult {
        let body = &function.body;
        let ty = body.ty(id);
        match body.term(id) {
            Term::Literal(literal) => self.expect(literal_type(literal), ty, "a literal"),
            Term::Local(local) => self.expect(body.local(*local).ty, ty, "a local"),
            Term::Constant(it) => self.expect(self.program.constant(*it).ty, ty, "a constant"),
            Term::Function { function: callee, type_args } => {
                self.function_value(*callee, type_args, ty)
            }
            Term::Closure { function: callee, captures } => {
                self.closure(function, *callee, captures, ty)
            }
            Term::Call { function: callee, type_args, args } => {
                self.call(function, *callee, type_args, args, ty)
            }
            Term::CallValue { callee, args } => self.call_value(function, *callee, args, ty),
            Term::Builtin { builtin, args, .. } => self.builtin(function, *builtin, args, ty),
            Term::Perform { op, type_args, args } => {
                self.perform(function, *op, type_args, args, ty)
            }
            Term::CheckRel { rel, args } => {
                let n_params = self.program.rel(*rel).params.len();
                count(args.len(), n_params)?;
                self.expect(ty, TypeTable::BOOL, "a relation")
            }
            Term::Tuple(items) => {
                let Ty::Tuple(wanted) = self.base(ty) else {
                    return Err("a tuple of the wrong type".to_owned());
                };
                self.parts(function, items, &wanted)
            }
            Term::List { items, rest } => self.list(function, items, *rest, ty),
            Term::Construct { ctor, args } => self.construct(function, *ctor, args, ty),
            Term::Field { base, index } => self.field(function, *base, *index, ty),
            Term::Update { base, fields } => {
                self.part(function, *base, ty, "the record")?;
                fields.iter().try_for_each(|(index, value)| {
                    self.field(function, *base, *index, body.ty(*value))
                })
            }
            Term::If { condition, then, otherwise } => {
                self.part(function, *condition, TypeTable::BOOL, "a condition")?;
                self.part(function, *then, ty, "a branch")?;
                self.part(function, *otherwise, ty, "a branch")
            }
            Term::And(a, b) | Term::Or(a, b) => {
                self.part(function, *a, TypeTable::BOOL, "a condition")?;
                self.part(function, *b, TypeTable::BOOL, "a condition")
            }
            Term::Match { .. } | Term::Block { .. } => self.binding(function, id),
            Term::Try { value, kind } => self.try_(function, *value, *kind, ty),
            Term::Refine { value, ty: refined } => {
                self.part(function, *value, *refined, "a refined value")?;
                self.expect(*refined, ty, "a refined value")
            }
            Term::Sample { condition, .. } => {
                self.part(function, *condition, TypeTable::BOOL, "a condition")
            }
            Term::Observe { condition, .. } | Term::Assume(condition) => {
                self.part(function, *condition, TypeTable::BOOL, "a condition")?;
                self.expect(ty, TypeTable::UNIT, "a statement")
            }
            Term::Throws { body: closure, .. } => {
                self.thunk(function, *closure)?;
                self.expect(ty, TypeTable::BOOL, "`throws`")
            }
            Term::Under { body: closure, .. } => {
                let result = self.thunk(function, *closure)?;
                self.expect(result, ty, "the body of `under`")
            }
            Term::Par { branches, cancelling: false } => self.par(function, branches, ty),
            Term::Par { branches, .. } => {
                branches.iter().try_for_each(|it| self.thunk(function, *it).map(drop))
            }
            // `across` becomes other terms before anything runs, and a hole is reported by the
            // check of ids.
            Term::Across { .. } | Term::Traced { .. } | Term::Hole => Ok(()),
        }
    }

    //   f : ∀ A. (P) -> R    x : P[T/A]
    //   ─────────────────────────────── (CALL)
    //         f<T>(x) : R[T/A]
    fn call(
        &mut self,
        function: &Function,
        callee: FunctionId,
        type_args: &[TyId],
        args: &[TermId],
        ty: TyId,
    ) -> TypingResult {
        let callee = self.program.function(callee);
        if callee.n_captures > 0 {
            return Err("a direct call to a function with captures".to_owned());
        }
        count(type_args.len(), callee.type_params.len())?;
        let params = self.instances(callee.params.iter().map(|param| param.ty), type_args);
        self.parts(function, args, &params)?;
        let result = self.types.instantiate(callee.result, type_args);
        self.expect(result, ty, "the result of a call")
    }

    fn instances(&mut self, tys: impl Iterator<Item = TyId>, type_args: &[TyId]) -> Vec<TyId> {
        tys.map(|ty| self.types.instantiate(ty, type_args)).collect()
    }

    fn function_value(
        &mut self,
        callee: FunctionId,
        type_args: &[TyId],
        ty: TyId,
    ) -> TypingResult {
        let callee = self.program.function(callee);
        if callee.n_captures > 0 {
            return Err("a function with captures, used without a closure".to_owned());
        }
        count(type_args.len(), callee.type_params.len())?;
        let params = self.instances(callee.params.iter().map(|param| param.ty), type_args);
        let result = self.types.instantiate(callee.result, type_args);
        self.arrow(&params, result, ty)
    }

    fn arrow(&mut self, params: &[TyId], result: TyId, ty: TyId) -> TypingResult {
        let Ty::Function { params: wanted, result: wanted_result, .. } = self.base(ty) else {
            return Err("a function where a different type is expected".to_owned());
        };
        // The wanted ones first, because parameters are contravariant.
        if !self.all_fit(&wanted, params) {
            return Err("a function whose parameters differ from its type".to_owned());
        }
        self.expect(result, wanted_result, "the result of a function")
    }

    /// A lambda shares the type parameters of the enclosing function.
    fn closure(
        &mut self,
        function: &Function,
        callee: FunctionId,
        captures: &[TermId],
        ty: TyId,
    ) -> TypingResult {
        let callee = self.program.function(callee);
        let tys: Vec<TyId> = callee.params.iter().map(|param| param.ty).collect();
        // Does not panic: the check of ids ran first, and found no more captures than parameters.
        let (captured, params) = tys.split_at(callee.n_captures as usize);
        self.parts(function, captures, captured)?;
        self.arrow(params, callee.result, ty)
    }

    fn call_value(
        &mut self,
        function: &Function,
        callee: TermId,
        args: &[TermId],
        ty: TyId,
    ) -> TypingResult {
        let Ty::Function { params, result, .. } = self.base(function.body.ty(callee)) else {
            return Err("a call to something that is not a function".to_owned());
        };
        self.parts(function, args, &params)?;
        self.expect(result, ty, "the result of a call")
    }

    /// The types of builtins are declared in the standard library; only what core defines is
    /// checked here.
    fn builtin(
        &mut self,
        function: &Function,
        id: BuiltinId,
        args: &[TermId],
        ty: TyId,
    ) -> TypingResult {
        count(args.len(), builtin::get(id).arity as usize)?;
        let is_comparison = builtin::get(id).comparison.is_some();
        if is_comparison && let [a, b] = args {
            let wanted = function.body.ty(*a);
            self.part(function, *b, wanted, "the other side of a comparison")?;
        }
        if is_comparison || id == BOOL_NOT {
            self.expect(TypeTable::BOOL, ty, "a boolean")?;
        }
        Ok(())
    }

    fn perform(
        &mut self,
        function: &Function,
        op: OpId,
        type_args: &[TyId],
        args: &[TermId],
        ty: TyId,
    ) -> TypingResult {
        let op = self.program.op(op);
        count(type_args.len(), op.n_type_params as usize)?;
        let params = self.instances(op.params.iter().map(|(_, ty)| *ty), type_args);
        self.parts(function, args, &params)?;
        let result = self.types.instantiate(op.result, type_args);
        self.expect(result, ty, "the answer of an operation")
    }

    fn list(
        &mut self,
        function: &Function,
        items: &[TermId],
        rest: Option<TermId>,
        ty: TyId,
    ) -> TypingResult {
        let Ty::List(item) = self.base(ty) else {
            return Err("a list of the wrong type".to_owned());
        };
        items.iter().try_for_each(|it| self.part(function, *it, item, "an element"))?;
        rest.into_iter().try_for_each(|it| self.part(function, it, ty, "the rest of a list"))
    }

    /// The field types of a constructor, instantiated at a type.
    fn field_types(&mut self, ctor: CtorId, ty: TyId) -> Result<Vec<TyId>, String> {
        let ctor = self.program.ctor(ctor);
        if let Ty::Named(named, args) = self.base(ty)
            && named == ctor.ty
        {
            return Ok(self.instances(ctor.fields.iter().map(|field| field.ty), &args));
        }
        Err(format!("`{}` with a type that is not its own", ctor.name))
    }

    fn construct(
        &mut self,
        function: &Function,
        ctor: CtorId,
        args: &[TermId],
        ty: TyId,
    ) -> TypingResult {
        let fields = self.field_types(ctor, ty)?;
        self.parts(function, args, &fields)
    }

    fn field(
        &mut self,
        function: &Function,
        base: TermId,
        index: u32,
        ty: TyId,
    ) -> TypingResult {
        let base_ty = function.body.ty(base);
        let base = self.base(base_ty);
        let parts = if let Ty::Tuple(parts) = base {
            parts.to_vec()
        } else if let Ty::Named(named, _) = base
            && let [ctor] = &*self.program.nominal(named).ctors
        {
            self.field_types(*ctor, base_ty)?
        } else {
            return Err("a field of a type without fields".to_owned());
        };
        match parts.get(index as usize) {
            Some(part) => self.expect(*part, ty, "a field"),
            None => Err("an unknown field".to_owned()),
        }
    }

    fn binding(&mut self, function: &Function, id: TermId) -> TypingResult {
        let body = &function.body;
        let ty = body.ty(id);
        if let Term::Match { scrutinee, arms } = body.term(id) {
            for arm in arms {
                self.pattern(function, arm.pattern, body.ty(*scrutinee))?;
                if let Some(guard) = arm.guard {
                    self.part(function, guard, TypeTable::BOOL, "a guard")?;
                }
                self.part(function, arm.body, ty, "an arm")?;
            }
        }
        if let Term::Block { statements, result } = body.term(id) {
            for statement in statements {
                if let Statement::Let(pattern, value) = statement {
                    self.pattern(function, *pattern, body.ty(*value))?;
                }
            }
            self.part(function, *result, ty, "the value of a block")?;
        }
        Ok(())
    }

    fn try_(
        &mut self,
        function: &Function,
        value: TermId,
        kind: TryKind,
        ty: TyId,
    ) -> TypingResult {
        let lang = &self.program.lang;
        let wanted = match kind {
            TryKind::Option => lang.option,
            TryKind::Result => lang.result,
        };
        if let Ty::Named(named, args) = self.base(function.body.ty(value))
            && Some(named) == wanted
            && let Some(content) = args.first()
        {
            return self.expect(*content, ty, "the result of `?`");
        }
        Err("`?` on the wrong type".to_owned())
    }

    /// The result type of a closure without parameters.
    fn thunk(&self, function: &Function, closure: TermId) -> Result<TyId, String> {
        if let Ty::Function { params, result, .. } = self.base(function.body.ty(closure))
            && params.is_empty()
        {
            return Ok(result);
        }
        Err("a body that is not a closure without parameters".to_owned())
    }

    fn par(&mut self, function: &Function, branches: &[TermId], ty: TyId) -> TypingResult {
        let Ty::Tuple(wanted) = self.base(ty) else {
            return Err("`par` whose type is not a tuple".to_owned());
        };
        count(branches.len(), wanted.len())?;
        for (branch, wanted) in branches.iter().zip(&wanted) {
            let result = self.thunk(function, *branch)?;
            self.expect(result, *wanted, "a branch of `par`")?;
        }
        Ok(())
    }
}

fn count(given: usize, wanted: usize) -> TypingResult {
    if given == wanted { Ok(()) } else { Err(format!("expected {wanted}, found {given}")) }
}

fn literal_type(literal: &Literal) -> TyId {
    match literal {
        Literal::Int(_) | Literal::Big(_) => TypeTable::INT,
        Literal::Float(_) => TypeTable::FLOAT,
        Literal::Bool(_) => TypeTable::BOOL,
        Literal::Char(_) => TypeTable::CHAR,
        Literal::Str(_) => TypeTable::STR,
    }
}
