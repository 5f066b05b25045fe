//! Generates declarations: sums and records, refined types, effects, worlds and constants.

use gainsay_core::builtin::{EQ, GE, GT, INT_DIV, INT_REM, LE, LIST_LEN, STR_LEN};
use gainsay_core::{
    BuiltinId, Constant, CtorId, Effect, EffectId, FunctionId, FunctionKind, Literal, LocalId,
    OpId, Operation, OperationKind, Row, Shape, Term, TermId, Ty, TyId, TypeId, TypeTable,
    World,
};
use num_bigint::BigInt;

use super::prelude::{MAIN, PRELUDE, declare};
use super::program_generator::{
    AllowedEffects, ClaimStatements, FunctionHead, ProgramGenerator,
};
use super::random_choices::int_literal;

/// A refined type, and how to construct values of it.
#[derive(Debug, Copy, Clone)]
pub(super) struct GeneratedRefinement {
    pub(super) ty: TyId,
    pub(super) base: TyId,
    pub(super) predicate: FunctionId,
    pub(super) witness: RefinementWitness,
}

/// Values that a predicate accepts.
#[derive(Debug, Copy, Clone)]
pub(super) enum RefinementWitness {
    /// Integers in a range, in a residue class.
    Ints { low: i64, high: i64, step: i64 },
    /// Texts of at least this many characters.
    Texts(u64),
    /// Non-empty lists.
    Lists(TyId),
    /// Ordered pairs of integers.
    Pairs,
}

const DIMENSIONS: [OperationKind; 4] = [
    OperationKind::Snapshot,
    OperationKind::Generative,
    OperationKind::Output,
    OperationKind::GenerativeOutput,
];

impl ProgramGenerator {
    /// Generates everything that functions refer to.
    pub(super) fn declare_all(&mut self) {
        let sizes: Vec<u32> =
            (0..1 + self.chance.below(2)).map(|_| 1 + self.chance.below(4) as u32).collect();
        let is_generic = self.chance.percent(25);
        // Function types name operations before the operations exist.
        let ops = (0..sizes.iter().sum::<u32>() + u32::from(is_generic)).map(OpId);
        let row = Row::new(ops.collect(), Vec::new(), Vec::new());
        self.all_row = self.program.types.intern_row(row);
        self.refine_ints();
        for at in 0..self.chance.below(4) {
            self.nominal(at);
        }
        self.refine_others();
        self.choose_favourites();
        self.effects(&sizes);
        if is_generic {
            self.generic_operation();
        }
    }

    /// A sum or record. The first constructor does not depend on later types, so that every type
    /// has small values.
    fn nominal(&mut self, at: u64) {
        let name = format!("Type{at}");
        let is_generic = self.chance.percent(35);
        let shape = if self.chance.percent(40) { Shape::Record } else { Shape::Sum };
        let ty = TypeId(self.program.nominals.len() as u32);
        let param = self.ty(Ty::Param(0));
        let args: Box<[TyId]> = if is_generic { Box::new([param]) } else { Box::default() };
        let this = self.ty(Ty::Named(ty, args));
        let n_ctors = match shape {
            Shape::Record => 1,
            Shape::Sum => 2 + self.chance.below(4),
        };
        let mut has_function = false;
        let mut ctors: Vec<(String, Vec<(String, TyId)>)> = Vec::new();
        for ctor in 0..n_ctors {
            let n_fields = match shape {
                Shape::Record => 1 + self.chance.below(6),
                Shape::Sum => self.chance.below(4),
            };
            let mut fields = Vec::new();
            for field in 0..n_fields {
                let ty = match self.chance.below(10) {
                    0..=2 if ctor > 0 => this,
                    3..=5 if is_generic => param,
                    _ => self.random_ty(1),
                };
                has_function |= ty != this && !self.is_first_order(ty);
                let is_named = shape == Shape::Record || self.chance.percent(20);
                fields.push((if is_named { format!("f{field}") } else { String::new() }, ty));
            }
            ctors.push((format!("{name}C{ctor}"), fields));
        }
        let fields: Vec<Vec<(&str, TyId)>> = ctors
            .iter()
            .map(|(_, fields)| fields.iter().map(|(name, ty)| (&**name, *ty)).collect())
            .collect();
        let variants: Vec<(&str, &[(&str, TyId)])> =
            ctors.iter().zip(&fields).map(|((name, _), it)| (&**name, &**it)).collect();
        let params: &[&str] = if is_generic { &["A"] } else { &[] };
        declare(&mut self.program, &name, MAIN, params, (shape, &variants));
        self.with_functions.push(has_function);
    }

    fn predicate(
        &mut self,
        base: TyId,
        build: impl FnOnce(&mut Self, TermId) -> TermId,
    ) -> FunctionId {
        let id = self.reserve();
        let n_type_params = u32::from(self.program.types.flags(base).has_param());
        let head = FunctionHead {
            name: format!("it is {}", id.0),
            kind: FunctionKind::Refinement,
            n_type_params,
            n_captures: 0,
            params: vec![("it".to_owned(), base)],
            result: TypeTable::BOOL,
            level: AllowedEffects::Pure,
            voice: ClaimStatements::Forbidden,
            first_callee: usize::MAX,
            n_constants: 0,
        };
        self.define(id, head, |maker| {
            let it = maker.local_term(LocalId(0));
            build(maker, it)
        });
        id
    }

    fn refined(
        &mut self,
        base: TyId,
        predicate: FunctionId,
        witness: RefinementWitness,
    ) -> TyId {
        let ty = self.ty(Ty::Refined { base, predicate, args: Box::default() });
        self.refinements.push(GeneratedRefinement { ty, base, predicate, witness });
        ty
    }

    fn refine_ints(&mut self) {
        let int = TypeTable::INT;
        let low = self.chance.pick(&[0, 1, -5, 1 << 61]).unwrap_or(0);
        let at_least =
            self.predicate(int, |maker, it| maker.comparison(GE, it, BigInt::from(low)));
        let ints = RefinementWitness::Ints { low, high: low + 40, step: 1 };
        let nat = self.refined(int, at_least, ints);
        if self.chance.percent(40) {
            let high = low + self.chance.between(3, 50);
            let at_most =
                self.predicate(nat, |maker, it| maker.comparison(LE, it, BigInt::from(high)));
            self.refined(nat, at_most, RefinementWitness::Ints { low, high, step: 1 });
        }
        if self.chance.percent(40) {
            let step = self.chance.between(2, 5);
            let divides = self.predicate(int, |maker, it| {
                let by = maker.int_term(BigInt::from(step));
                let rest = maker.builtin_term(INT_REM, &[it, by], TypeTable::INT);
                maker.comparison(EQ, rest, BigInt::from(0))
            });
            self.refined(
                int,
                divides,
                RefinementWitness::Ints { low: -2 * step, high: 40, step },
            );
        }
        if self.chance.percent(20) {
            // This predicate faults for 0.
            let quotient = self.predicate(int, |maker, it| {
                let hundred = maker.int_term(BigInt::from(100));
                let part = maker.builtin_term(INT_DIV, &[hundred, it], TypeTable::INT);
                maker.comparison(GT, part, BigInt::from(3))
            });
            self.refined(int, quotient, RefinementWitness::Ints { low: 1, high: 25, step: 1 });
        }
    }

    fn refine_others(&mut self) {
        if self.chance.percent(40) {
            let short = self.predicate(TypeTable::STR, |maker, it| {
                let len = maker.builtin_term(STR_LEN, &[it], TypeTable::INT);
                maker.comparison(GE, len, BigInt::from(2))
            });
            self.refined(TypeTable::STR, short, RefinementWitness::Texts(2));
        }
        if self.chance.percent(30) {
            let item = self.random_ty(1);
            let param = self.ty(Ty::Param(0));
            let generic = self.ty(Ty::List(param));
            let predicate = self.predicate(generic, |maker, it| {
                let len = maker.builtin_term(LIST_LEN, &[it], TypeTable::INT);
                maker.comparison(GT, len, BigInt::from(0))
            });
            let base = self.ty(Ty::List(item));
            let ty = self.ty(Ty::Refined { base, predicate, args: Box::new([item]) });
            let witness = RefinementWitness::Lists(item);
            self.refinements.push(GeneratedRefinement { ty, base, predicate, witness });
        }
        if self.chance.percent(30) {
            let int = TypeTable::INT;
            let pair = self.ty(Ty::Tuple(Box::new([int, int])));
            let ordered = self.predicate(pair, |maker, it| {
                let again = maker.local_term(LocalId(0));
                let first = maker.add(Term::Field { base: it, index: 0 }, int);
                let second = maker.add(Term::Field { base: again, index: 1 }, int);
                maker.builtin_term(LE, &[first, second], TypeTable::BOOL)
            });
            self.refined(pair, ordered, RefinementWitness::Pairs);
        }
    }

    pub(super) fn int_term(&mut self, int: BigInt) -> TermId {
        self.add(Term::Literal(int_literal(int)), TypeTable::INT)
    }

    pub(super) fn text_term(&mut self, text: &str) -> TermId {
        self.add(Term::Literal(Literal::Str(text.into())), TypeTable::STR)
    }

    /// A builtin without type arguments.
    pub(super) fn builtin_term(
        &mut self,
        builtin: BuiltinId,
        args: &[TermId],
        ty: TyId,
    ) -> TermId {
        self.add(Term::Builtin { builtin, type_args: Box::default(), args: args.into() }, ty)
    }

    pub(super) fn comparison(
        &mut self,
        builtin: BuiltinId,
        lhs: TermId,
        rhs: BigInt,
    ) -> TermId {
        let rhs = self.int_term(rhs);
        let type_args = Box::new([TypeTable::INT]);
        let args = Box::new([lhs, rhs]);
        self.add(Term::Builtin { builtin, type_args, args }, TypeTable::BOOL)
    }

    fn effects(&mut self, sizes: &[u32]) {
        for (at, size) in (0_u32..).zip(sizes) {
            let first = self.program.ops.len() as u32;
            for op in 0..*size {
                self.operation(EffectId(at), op);
            }
            let span = self.place();
            let ops = (first..first + size).map(OpId).collect();
            let name = format!("World{at}").into();
            self.program.effects.push(Effect {
                name,
                module: MAIN,
                span,
                ops,
                is_system: false,
            });
        }
    }

    fn operation(&mut self, effect: EffectId, at: u32) {
        let dimension = self.chance.pick(&DIMENSIONS).unwrap_or(OperationKind::Output);
        let count = self.chance.below(3);
        let params = (0..count).map(|it| (format!("x{it}").into(), self.some_ty())).collect();
        let result =
            if dimension == OperationKind::Output { TypeTable::UNIT } else { self.some_ty() };
        let span = self.place();
        let name = format!("op{at}").into();
        self.program.ops.push(Operation {
            name,
            effect,
            n_type_params: 0,
            params,
            result,
            kind: dimension,
            span,
        });
    }

    /// `any<T>(hint: List<T>) -> T`.
    fn generic_operation(&mut self) {
        let effect = EffectId(self.program.effects.len() as u32);
        let op = OpId(self.program.ops.len() as u32);
        let param = self.ty(Ty::Param(0));
        let hints = self.ty(Ty::List(param));
        let span = self.place();
        let ops = Box::new([op]);
        self.program.effects.push(Effect {
            name: "Any".into(),
            module: MAIN,
            span,
            ops,
            is_system: false,
        });
        self.program.ops.push(Operation {
            name: "any".into(),
            effect,
            n_type_params: 1,
            params: Box::new([("hints".into(), hints)]),
            result: param,
            kind: OperationKind::Generative,
            span,
        });
    }

    /// The type of a stub for an operation, unless it depends on type arguments.
    pub(super) fn stub_ty(&mut self, op: OpId, level: AllowedEffects) -> Option<TyId> {
        let operation = self.program.op(op);
        if operation.n_type_params > 0 {
            return None;
        }
        let result = operation.result;
        let given = operation.params.iter().map(|(_, ty)| *ty);
        let params: Box<[TyId]> = match operation.kind {
            OperationKind::Generative | OperationKind::GenerativeOutput => {
                [PRELUDE.branch_path, TypeTable::INT].into_iter().chain(given).collect()
            }
            OperationKind::Snapshot | OperationKind::Output => given.collect(),
        };
        let row = self.row(level);
        Some(self.ty(Ty::Function { params, result, row }))
    }

    /// The operations that stubs can answer.
    pub(super) fn stubbed_ops(&self) -> Vec<OpId> {
        let ops = (0..).map(OpId).zip(&self.program.ops);
        ops.filter(|(_, op)| op.n_type_params == 0).map(|(id, _)| id).collect()
    }

    /// The head of a function that is evaluated on behalf of a declaration.
    fn part_head(&self, name: String, kind: FunctionKind, result: TyId) -> FunctionHead {
        FunctionHead {
            name,
            kind,
            n_type_params: 0,
            n_captures: 0,
            params: Vec::new(),
            result,
            level: AllowedEffects::Pure,
            voice: ClaimStatements::Forbidden,
            first_callee: self.first_plain(),
            n_constants: 0,
        }
    }

    /// Declares worlds, each with answers for some operations.
    pub(super) fn worlds(&mut self) {
        if self.chance.percent(60) {
            return;
        }
        let mut answers = Vec::new();
        for op in self.stubbed_ops() {
            if self.chance.percent(40) {
                continue;
            }
            let Some(ty) = self.stub_ty(op, AllowedEffects::Pure) else { continue };
            let id = self.reserve();
            let head = self.part_head(format!("world_{}", op.0), FunctionKind::Claim, ty);
            self.define(id, head, |maker| maker.term(ty, 2));
            answers.push((op, id));
        }
        let span = self.place();
        let (name, answers) = ("still".into(), answers.into());
        self.program.worlds.push(World { name, module: MAIN, span, stubs: answers });
    }

    /// Declares constants; each may use those before it.
    pub(super) fn constants(&mut self) {
        for at in 0..self.chance.below(4) {
            let ty = self.some_ty();
            let function = self.reserve();
            let mut head = self.part_head(format!("const_{at}"), FunctionKind::Constant, ty);
            head.n_constants = at as usize;
            self.define(function, head, |maker| maker.term(ty, 3));
            let span = self.place();
            let name = format!("c{at}").into();
            self.program.constants.push(Constant { name, module: MAIN, ty, function, span });
        }
    }

    /// The first constructor of a type, which has small values.
    pub(super) fn first_ctor(&self, name: TypeId) -> CtorId {
        self.program.nominal(name).ctors[0]
    }
}
