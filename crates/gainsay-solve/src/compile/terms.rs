//! Expressions.

use gainsay_core::{
    Arm, BuiltinId, Comparison, FunctionId, Literal, Statement, Term, TermId, Ty, TyId,
    TypeTable, builtin,
};

use super::{BodyCompiler, NotSolvable};
use crate::code::{
    Arithmetic, CodeArm, CodeFnId, CollectionOp, Expr, ExprId, KnownCall, ShapeId, ShapeKind,
    SlotId,
};

impl BodyCompiler<'_, '_, '_> {
    /// A term without `?`.
    pub(crate) fn term(&mut self, id: TermId) -> Result<ExprId, NotSolvable> {
        let first = self.compiler.code.exprs.len();
        let compiled = self.untyped_term(id)?;
        let shape = self.shape_of(id);
        // A match with guards is several expressions, all of the same type.
        for at in first..self.compiler.code.exprs.len() {
            let is_inner =
                matches!(self.compiler.code.exprs[at], Expr::If(..) | Expr::Match(..));
            if is_inner || at == compiled.index() {
                self.compiler.code.expr_shapes[at].get_or_insert(shape);
            }
        }
        Ok(compiled)
    }

    fn untyped_term(&mut self, id: TermId) -> Result<ExprId, NotSolvable> {
        let body = self.body;
        Ok(match body.term(id) {
            Term::If { condition, then, otherwise } => {
                let condition = self.term(*condition)?;
                let (then, otherwise) = (self.term(*then)?, self.term(*otherwise)?);
                self.add(Expr::If(condition, then, otherwise))
            }
            Term::And(a, b) => {
                let (a, b) = (self.term(*a)?, self.term(*b)?);
                self.add(Expr::And(a, b))
            }
            Term::Or(a, b) => {
                let (a, b) = (self.term(*a)?, self.term(*b)?);
                self.add(Expr::Or(a, b))
            }
            Term::Match { scrutinee, arms } => {
                let scrutinee = self.term(*scrutinee)?;
                let arms = arms.iter();
                let arms = arms.map(|arm| {
                    let body = self.term(arm.body)?;
                    self.arm(arm, body)
                });
                let arms = arms.collect::<Result<Vec<_>, _>>()?;
                self.guarded_match(scrutinee, arms)
            }
            Term::Block { statements, result } => {
                let mut bound = Vec::new();
                for statement in statements {
                    let (Statement::Let(_, value) | Statement::Drop(value)) = statement;
                    bound.push(self.term(*value)?);
                }
                let mut result = self.term(*result)?;
                for (statement, value) in statements.iter().zip(bound).rev() {
                    result = self.before(statement, value, result);
                }
                result
            }
            Term::Sample { condition, local } => {
                let condition = self.term(*condition)?;
                self.add(Expr::Sample(condition, SlotId(local.0)))
            }
            term => {
                let mut parts = Vec::new();
                term.for_each_subterm(&mut |part| parts.push(part));
                let parts = parts.into_iter().map(|it| self.term(it));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                self.strict(id, &parts)?
            }
        })
    }

    /// A statement before what follows it.
    pub(super) fn before(
        &mut self,
        statement: &Statement,
        value: ExprId,
        rest: ExprId,
    ) -> ExprId {
        match statement {
            Statement::Let(pattern, _) => {
                let matcher = self.matcher(*pattern);
                self.add(Expr::Let(matcher, value, rest))
            }
            Statement::Drop(_) => self.add(Expr::Then(value, rest)),
        }
    }

    pub(super) fn arm(
        &mut self,
        arm: &Arm,
        body: ExprId,
    ) -> Result<(CodeArm, Option<ExprId>), NotSolvable> {
        let matcher = self.matcher(arm.pattern);
        let weight = arm.weight.map(|it| self.term(it)).transpose()?;
        let guard = arm.guard.map(|it| self.term(it)).transpose()?;
        Ok((CodeArm { matcher, weight, body }, guard))
    }

    /// A term that evaluates all its parts, which are given.
    pub(super) fn strict(
        &mut self,
        id: TermId,
        parts: &[ExprId],
    ) -> Result<ExprId, NotSolvable> {
        let body = self.body;
        let span = body.span(id);
        let expr = match body.term(id) {
            Term::Literal(literal) => Expr::Literal(literal.clone()),
            Term::Local(local) => Expr::Local(SlotId(local.0)),
            Term::Constant(constant) => {
                let function = self.compiler.program.constant(*constant).function;
                Expr::Call(self.callee(function, &[]), Box::default())
            }
            Term::Function { function, type_args } => {
                Expr::Closure(self.callee(*function, type_args), Box::default())
            }
            Term::Closure { function, .. } => {
                let own = self.type_args.into();
                let function = self.compiler.function(*function, own);
                Expr::Closure(function, parts.into())
            }
            Term::Call { function, type_args, .. } => {
                Expr::Call(self.callee(*function, type_args), parts.into())
            }
            Term::CallValue { .. } => Expr::CallValue(parts[0], parts[1..].into()),
            Term::Builtin { builtin, args, type_args } => {
                return Ok(self.builtin(*builtin, args, type_args, parts));
            }
            Term::CheckRel { rel, .. } => Expr::Rel(self.compiler.rel(*rel), parts.into()),
            Term::Tuple(_) => Expr::Tuple(parts.into()),
            Term::List { items, rest } => {
                let (items, rest) =
                    parts.split_at(items.len().min(parts.len() - rest.iter().count()));
                Expr::List(items.into(), rest.first().copied())
            }
            Term::Construct { ctor, .. } => Expr::Construct(*ctor, parts.into()),
            Term::Field { index, .. } => Expr::Field(parts[0], *index),
            Term::Update { fields, .. } => {
                let fields = fields.iter().zip(&parts[1..]);
                Expr::Update(parts[0], fields.map(|((at, _), value)| (*at, *value)).collect())
            }
            Term::Refine { ty, .. } => {
                let ty = self.instantiate(*ty);
                let mut value = parts[0];
                for predicate in self.compiler.predicates_of(ty) {
                    value = self.add(Expr::Refine(value, predicate));
                }
                return Ok(value);
            }
            Term::Perform { .. }
            | Term::Observe { .. }
            | Term::Assume(_)
            | Term::Throws { .. }
            | Term::Under { .. }
            | Term::Across { .. }
            | Term::Par { .. }
            | Term::Traced { .. }
            | Term::Hole => return Err(NotSolvable::Effect(span)),
            Term::If { .. }
            | Term::And(..)
            | Term::Or(..)
            | Term::Match { .. }
            | Term::Block { .. }
            | Term::Try { .. }
            | Term::Sample { .. } => return Err(NotSolvable::TooLarge(span)),
        };
        Ok(self.add(expr))
    }

    /// The instance of a called function, or of its model.
    fn callee(&mut self, function: FunctionId, type_args: &[TyId]) -> CodeFnId {
        let type_args: Box<[TyId]> = type_args.iter().map(|it| self.instantiate(*it)).collect();
        let program = self.compiler.program;
        let definition = program.function(function);
        let module = program.module(definition.module);
        let model = if module.is_std {
            self.compiler.model(&format!("{}.{}", module.name, definition.name))
        } else {
            None
        };
        self.compiler.function(model.unwrap_or(function), type_args)
    }

    fn builtin(
        &mut self,
        called: BuiltinId,
        args: &[TermId],
        type_args: &[TyId],
        parts: &[ExprId],
    ) -> ExprId {
        let expr = match called {
            builtin::INT_ADD => Expr::Arithmetic(Arithmetic::Add, parts[0], parts[1]),
            builtin::INT_SUB => Expr::Arithmetic(Arithmetic::Sub, parts[0], parts[1]),
            builtin::INT_MUL => Expr::Arithmetic(Arithmetic::Mul, parts[0], parts[1]),
            builtin::INT_DIV => Expr::Arithmetic(Arithmetic::Div, parts[0], parts[1]),
            builtin::INT_REM => Expr::Arithmetic(Arithmetic::Rem, parts[0], parts[1]),
            builtin::INT_NEG => {
                // `-x` is `0 - x`, which the store knows.
                let zero = self.add(Expr::Literal(Literal::Int(0)));
                Expr::Arithmetic(Arithmetic::Sub, zero, parts[0])
            }
            builtin::BOOL_NOT => Expr::Not(parts[0]),
            builtin::FAIL => Expr::Fail,
            // A character is its code.
            builtin::CHAR_CODE => return parts[0],
            _ => match self.comparison(called, args) {
                Some(comparison) => self.compare(comparison, args, parts),
                None => self.known_call(called, args, type_args, parts),
            },
        };
        self.add(expr)
    }

    /// The comparison that a builtin is, if the machine can make it hold.
    fn comparison(&mut self, called: BuiltinId, args: &[TermId]) -> Option<Comparison> {
        let comparison = builtin::get(called).total_comparison?;
        let ty = self.instantiate(self.body.ty(args[0]));
        // NaN is not equal to itself.
        (!self.compiler.has_opaque_equality(ty)).then_some(comparison)
    }

    /// A comparison; that of an order with 0 compares what is ordered.
    fn compare(&mut self, comparison: Comparison, args: &[TermId], parts: &[ExprId]) -> Expr {
        let is_zero =
            matches!(self.compiler.code.expr(parts[1]), Expr::Literal(Literal::Int(0)));
        if is_zero
            && let Term::Builtin { builtin: builtin::COMPARE, args: ordered, .. } =
                self.body.term(args[0])
        {
            let ty = self.instantiate(self.body.ty(ordered[0]));
            if !self.compiler.has_opaque_equality(ty)
                && let Expr::Builtin(call) = self.compiler.code.expr(parts[0])
            {
                return Expr::Compare(comparison, call.args[0], call.args[1]);
            }
        }
        Expr::Compare(comparison, parts[0], parts[1])
    }

    fn known_call(
        &mut self,
        called: BuiltinId,
        args: &[TermId],
        type_args: &[TyId],
        parts: &[ExprId],
    ) -> Expr {
        let arg_shapes: Box<[ShapeId]> = args.iter().map(|it| self.shape_of(*it)).collect();
        let op = collection_op(called).filter(|_| self.is_collection(arg_shapes.first()));
        let model = match op {
            Some(_) => None,
            None => self.builtin_model(called, args, type_args),
        };
        let args = parts.into();
        let call = Box::new(KnownCall { builtin: called, args, arg_shapes, model });
        match op {
            Some(op) => Expr::Collection(op, call),
            None => Expr::Builtin(call),
        }
    }

    /// Whether values of a shape are collections that the machine looks into, or lists.
    fn is_collection(&self, shape: Option<&ShapeId>) -> bool {
        let mut kind = shape.map(|it| &self.compiler.code.shape(*it).kind);
        while let Some(ShapeKind::Refined(base, _)) = kind {
            kind = Some(&self.compiler.code.shape(*base).kind);
        }
        matches!(kind, Some(ShapeKind::Collection(_) | ShapeKind::List(_)))
    }

    fn builtin_model(
        &mut self,
        called: BuiltinId,
        args: &[TermId],
        type_args: &[TyId],
    ) -> Option<CodeFnId> {
        let definition = builtin::get(called);
        let first = args.first().map(|it| self.instantiate(self.body.ty(*it)));
        // Models compare part by part, which floats do not.
        let is_ordered = first.is_none_or(|it| !self.compiler.has_opaque_equality(it));
        if definition.first_order && !is_ordered {
            return None;
        }
        let model = self.compiler.model(definition.name)?;
        // A model has the type parameters of the declaration, which a builtin term may not list.
        let n = self.compiler.program.function(model).type_params.len();
        let type_args: Box<[TyId]> = type_args.iter().map(|it| self.instantiate(*it)).collect();
        let type_args = if type_args.len() == n {
            type_args
        } else if called == builtin::COMPARE {
            first.into_iter().collect()
        } else {
            first.map(|it| self.element_types(it, n)).unwrap_or_default()
        };
        (type_args.len() == n).then(|| self.compiler.function(model, type_args))
    }

    /// The types of the elements of a collection: two for a map, or for a list of pairs of which
    /// both are asked for.
    fn element_types(&self, ty: TyId, n: usize) -> Box<[TyId]> {
        let types: &TypeTable = self.compiler.types;
        match types.get(types.base(ty)) {
            Ty::List(item) => match types.get(types.base(*item)) {
                Ty::Tuple(parts) if n == 2 => parts.clone(),
                _ => [*item].into(),
            },
            Ty::Set(item) => [*item].into(),
            Ty::Map(key, value) => [*key, *value].into(),
            _ => Box::default(),
        }
    }
}

/// What a builtin does with a collection, its first argument.
fn collection_op(called: BuiltinId) -> Option<CollectionOp> {
    Some(match called {
        builtin::STR_FROM_CHARS => CollectionOp::FromChars,
        builtin::STR_CHARS | builtin::SET_ITEMS | builtin::MAP_ENTRIES => CollectionOp::Items,
        builtin::STR_LEN | builtin::SET_LEN | builtin::MAP_LEN => CollectionOp::Len,
        builtin::SET_INSERT | builtin::MAP_PUT => CollectionOp::Put,
        builtin::SET_REMOVE | builtin::MAP_REMOVE => CollectionOp::Remove,
        builtin::SET_CONTAINS => CollectionOp::Contains,
        builtin::MAP_GET => CollectionOp::Get,
        _ => return None,
    })
}
