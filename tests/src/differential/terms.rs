//! Generates terms of a given type: first the form, then its parts.

use gainsay_core::builtin::{BOOL_NOT, FAIL, INT_ADD, MAP_EMPTY, MAP_OF, SET_EMPTY, SET_OF};
use gainsay_core::{CtorId, Term, TermId, Ty, TyId, TypeId, TypeTable};
use num_bigint::BigInt;

use super::declarations::{GeneratedRefinement, RefinementWitness};
use super::prelude::{OPTION, RESULT, TRACED};
use super::program_generator::{AllowedEffects, ClaimStatements, ProgramGenerator};

/// The forms to choose from.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum TermForm {
    Local,
    Made,
    Builtin,
    Call,
    CallValue,
    Recurse,
    Constant,
    If,
    Match,
    Block,
    Field,
    Update,
    Try,
    Perform,
    Under,
    Par,
    ParLeaving,
    Traced,
    Logic,
    Throws,
    Sample,
    Statement,
    FunctionValue,
    Fail,
    Chain,
}

/// The forms that every type has.
const COMMON: [(u32, TermForm); 13] = [
    (200, TermForm::Made),
    (260, TermForm::Builtin),
    (120, TermForm::Call),
    (60, TermForm::CallValue),
    (160, TermForm::Recurse),
    (40, TermForm::Constant),
    (80, TermForm::If),
    (90, TermForm::Match),
    (90, TermForm::Block),
    (60, TermForm::Field),
    (25, TermForm::Under),
    (10, TermForm::Fail),
    (150, TermForm::Local),
];

impl ProgramGenerator {
    /// A term of a type, with a maximum depth.
    pub(super) fn term(&mut self, ty: TyId, depth: u32) -> TermId {
        self.terms_left -= 1;
        if depth == 0 || self.terms_left <= 0 {
            return self.leaf(ty);
        }
        if let Some(refinement) = self.refinements.iter().find(|it| it.ty == ty).copied() {
            return self.refined_term(refinement, depth - 1);
        }
        let mut forms = COMMON.to_vec();
        if self.chance.literal(ty).is_some() {
            // A literal is a dead end, so it gets less weight.
            forms[0].0 /= 3;
        }
        self.add_special(ty, &mut forms);
        let form = self.chance.weighted(&forms).unwrap_or(TermForm::Made);
        match self.formed(form, ty, depth - 1) {
            Some(term) => term,
            None => self.made(ty, depth - 1),
        }
    }

    /// Adds the forms of particular types, and those that are only possible here.
    fn add_special(&mut self, ty: TyId, forms: &mut Vec<(u32, TermForm)>) {
        match self.program.types.get(ty) {
            Ty::Bool => forms.extend([
                (120, TermForm::Logic),
                (60, TermForm::Throws),
                (25, TermForm::Sample),
                (2, TermForm::Chain),
            ]),
            Ty::Int | Ty::Str => forms.push((2, TermForm::Chain)),
            Ty::Tuple(parts) if parts.is_empty() => {
                if self.draft().voice == ClaimStatements::Allowed {
                    forms.push((400, TermForm::Statement));
                }
            }
            Ty::Tuple(_) => {
                forms.extend([
                    (100, TermForm::Par),
                    (60, TermForm::ParLeaving),
                    (60, TermForm::Update),
                ]);
            }
            Ty::Named(TRACED, _) => forms.push((600, TermForm::Traced)),
            Ty::Named(RESULT, _) => forms.push((60, TermForm::Par)),
            Ty::Named(..) => forms.push((80, TermForm::Update)),
            Ty::Function { .. } => forms.push((300, TermForm::FunctionValue)),
            Ty::Float | Ty::Char | Ty::List(_) | Ty::Map(..) | Ty::Set(_) => {}
            Ty::Refined { .. } | Ty::Param(_) | Ty::Var(_) | Ty::Error => {}
        }
        if self.draft().may_leave {
            forms.push((120, TermForm::Try));
        }
        if self.draft().level == AllowedEffects::All {
            forms.push((220, TermForm::Perform));
        }
    }

    fn formed(&mut self, form: TermForm, ty: TyId, depth: u32) -> Option<TermId> {
        match form {
            TermForm::Local => self.local_of(ty),
            TermForm::Made => Some(self.made(ty, depth)),
            TermForm::Builtin => self.builtin(ty, depth),
            TermForm::Call => self.call(ty, depth),
            TermForm::CallValue => Some(self.call_value(ty, depth)),
            TermForm::Recurse => self.recursive_call(ty, depth),
            TermForm::Constant => self.constant(ty),
            TermForm::If => {
                let condition = self.term(TypeTable::BOOL, depth);
                let then = self.term(ty, depth);
                let otherwise = self.term(ty, depth);
                Some(self.add(Term::If { condition, then, otherwise }, ty))
            }
            TermForm::Match => Some(self.match_(ty, depth)),
            TermForm::Block => Some(self.block(ty, depth)),
            TermForm::Field => self.field(ty, depth),
            TermForm::Update => self.update(ty, depth),
            TermForm::Try => self.try_(ty, depth),
            TermForm::Perform => self.perform(ty, depth),
            TermForm::Under => self.under(ty, depth),
            TermForm::Par => self.par(ty, depth),
            TermForm::ParLeaving => self.par_leaving(ty, depth),
            TermForm::Traced => self.traced(ty, depth),
            TermForm::Logic => Some(self.logic(depth)),
            TermForm::Throws => Some(self.throws(depth)),
            TermForm::Sample => self.sample(depth),
            TermForm::Statement => Some(self.statement(depth)),
            TermForm::FunctionValue => self.function_value(ty),
            TermForm::Fail => Some(self.fail(ty)),
            TermForm::Chain => Some(self.chain(ty)),
        }
    }

    /// A local of this type, if there is one.
    pub(super) fn local_of(&mut self, ty: TyId) -> Option<TermId> {
        let draft = self.draft();
        let types = &self.program.types;
        let locals = draft.scope.iter().copied().filter(|local| {
            let given = draft.body.local(*local).ty;
            given == ty || types.base(given) == ty
        });
        let locals: Vec<_> = locals.collect();
        // Recently bound locals are preferred, because bodies are usually about them.
        let near = locals.len().saturating_sub(4);
        let local = if self.chance.percent(50) {
            self.chance.pick(&locals[near..])
        } else {
            self.chance.pick(&locals)
        };
        Some(self.local_term(local?))
    }

    fn constant(&mut self, ty: TyId) -> Option<TermId> {
        let usable = &self.program.constants[..self.draft().n_constants];
        let ids = (0..).map(gainsay_core::ConstId).zip(usable);
        let ids: Vec<_> = ids.filter(|(_, it)| it.ty == ty).map(|(id, _)| id).collect();
        let constant = self.chance.pick(&ids)?;
        Some(self.add(Term::Constant(constant), ty))
    }

    /// A term with few or no subterms.
    pub(super) fn leaf(&mut self, ty: TyId) -> TermId {
        if self.chance.percent(50)
            && let Some(local) = self.local_of(ty)
        {
            return local;
        }
        if let Some(refinement) = self.refinements.iter().find(|it| it.ty == ty).copied() {
            return self.witness(refinement.witness);
        }
        if matches!(self.program.types.get(ty), Ty::Param(_)) {
            return self.local_of(ty).unwrap_or_else(|| self.fail(ty));
        }
        self.made(ty, 0)
    }

    fn part(&mut self, ty: TyId, depth: u32) -> TermId {
        if depth == 0 { self.leaf(ty) } else { self.term(ty, depth) }
    }

    fn part_count(&mut self, depth: u32) -> u64 {
        if depth == 0 { self.chance.below(2) } else { self.chance.below(4) }
    }

    /// A term of the introduction form of its type.
    fn made(&mut self, ty: TyId, depth: u32) -> TermId {
        if let Some(literal) = self.chance.literal(ty) {
            return self.add(Term::Literal(literal), ty);
        }
        match self.program.types.get(ty).clone() {
            Ty::Tuple(parts) => {
                let items = parts.iter().map(|it| self.part(*it, depth)).collect();
                self.add(Term::Tuple(items), ty)
            }
            Ty::List(item) => {
                let items: Box<[TermId]> =
                    (0..self.part_count(depth)).map(|_| self.part(item, depth)).collect();
                let has_rest = depth > 0 && self.chance.percent(30);
                let rest = has_rest.then(|| self.term(ty, depth));
                self.add(Term::List { items, rest }, ty)
            }
            Ty::Map(key, value) => self.made_table(ty, &[key, value], depth),
            Ty::Set(item) => self.made_table(ty, &[item], depth),
            Ty::Named(name, args) => {
                let ctor = self.some_ctor(name, depth);
                self.construct(ctor, &args, ty, depth)
            }
            Ty::Function { params, result, row } => {
                let level = self.level(row);
                self.closure(&params, result, level, depth)
            }
            Ty::Refined { .. } => {
                let refinement = self.refinements.iter().find(|it| it.ty == ty).copied();
                let witness = refinement.expect("all refined types are declared").witness;
                self.witness(witness)
            }
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str => self.fail(ty),
            Ty::Param(_) | Ty::Var(_) | Ty::Error => {
                self.local_of(ty).unwrap_or_else(|| self.fail(ty))
            }
        }
    }

    /// A constructor; the first one where terms must stay small.
    pub(super) fn some_ctor(&mut self, name: TypeId, depth: u32) -> CtorId {
        let ctors = self.program.nominal(name).ctors.clone();
        let is_small = depth == 0 && name != OPTION && name != RESULT;
        let ctor = if is_small { None } else { self.chance.pick(&ctors) };
        ctor.unwrap_or_else(|| self.first_ctor(name))
    }

    pub(super) fn construct(
        &mut self,
        ctor: CtorId,
        args: &[TyId],
        ty: TyId,
        depth: u32,
    ) -> TermId {
        let fields = self.field_types(ctor, args);
        let args = fields.iter().map(|field| self.checked_part(*field, depth)).collect();
        self.add(Term::Construct { ctor, args }, ty)
    }

    /// A field of a constructed value: refined types are checked here.
    pub(super) fn checked_part(&mut self, ty: TyId, depth: u32) -> TermId {
        let value = self.part(ty, depth);
        if self.program.types.flags(ty).has_refinement() {
            return self.add(Term::Refine { value, ty }, ty);
        }
        value
    }

    /// A map or set: empty, or from a list.
    fn made_table(&mut self, ty: TyId, type_args: &[TyId], depth: u32) -> TermId {
        let (empty, of) =
            if type_args.len() == 2 { (MAP_EMPTY, MAP_OF) } else { (SET_EMPTY, SET_OF) };
        let type_args: Box<[TyId]> = type_args.into();
        if depth == 0 || self.chance.percent(25) {
            let args = Box::default();
            return self.add(Term::Builtin { builtin: empty, type_args, args }, ty);
        }
        let item = match *type_args {
            [item] => item,
            _ => self.ty(Ty::Tuple(type_args.clone())),
        };
        let list = self.ty(Ty::List(item));
        let args = Box::new([self.made(list, depth)]);
        self.add(Term::Builtin { builtin: of, type_args, args }, ty)
    }

    /// `fail("why")`.
    pub(super) fn fail(&mut self, ty: TyId) -> TermId {
        let why = self.text_term("why");
        let (type_args, args) = (Box::new([ty]), Box::new([why]));
        self.add(Term::Builtin { builtin: FAIL, type_args, args }, ty)
    }

    /// A term of a refined type. Most, but not all, satisfy the predicate.
    fn refined_term(&mut self, refinement: GeneratedRefinement, depth: u32) -> TermId {
        let GeneratedRefinement { ty, base, .. } = refinement;
        match self.chance.below(20) {
            0..=5 => self.local_of(ty).unwrap_or_else(|| self.witness(refinement.witness)),
            6..=10 => self.witness(refinement.witness),
            11..=16 => self.guarded(refinement, depth),
            17 | 18 => {
                let value = self.part(base, depth);
                self.add(Term::Refine { value, ty }, ty)
            }
            _ => self.part(base, depth),
        }
    }

    /// `{ let x = ..; if predicate(x) { x } else { witness } }`.
    fn guarded(&mut self, refinement: GeneratedRefinement, depth: u32) -> TermId {
        let GeneratedRefinement { ty, base, predicate, witness } = refinement;
        let value = self.part(base, depth);
        let local = self.add_local(base);
        let pattern = self.draft_mut().body.add_pattern(gainsay_core::Pattern::Bind(local));
        let arg = self.local_term(local);
        let mut type_args: Box<[TyId]> = Box::default();
        if let Ty::Refined { args, .. } = self.program.types.get(ty) {
            type_args = args.clone();
        }
        let args = Box::new([arg]);
        let call = Term::Call { function: predicate, type_args, args };
        let condition = self.add(call, TypeTable::BOOL);
        let then = self.local_term(local);
        let otherwise = self.witness(witness);
        let result = self.add(Term::If { condition, then, otherwise }, ty);
        let statements = Box::new([gainsay_core::Statement::Let(pattern, value)]);
        self.add(Term::Block { statements, result }, ty)
    }

    /// A term that a predicate accepts.
    fn witness(&mut self, witness: RefinementWitness) -> TermId {
        match witness {
            RefinementWitness::Ints { low, high, step } => {
                let int = low + self.chance.between(0, (high - low) / step) * step;
                self.int_term(BigInt::from(int))
            }
            RefinementWitness::Texts(_) => {
                let text = self.chance.pick(&["ab", "xyz", "ω\u{1F600}"]).unwrap_or("ab");
                self.text_term(text)
            }
            RefinementWitness::Lists(item) => {
                let items = (0..1 + self.chance.below(2)).map(|_| self.leaf(item)).collect();
                let ty = self.ty(Ty::List(item));
                self.add(Term::List { items, rest: None }, ty)
            }
            RefinementWitness::Pairs => {
                let low = self.chance.between(-5, 5);
                let high = low + self.chance.between(0, 5);
                let items = [low, high].map(|int| self.int_term(BigInt::from(int)));
                let int = TypeTable::INT;
                let ty = self.ty(Ty::Tuple(Box::new([int, int])));
                self.add(Term::Tuple(Box::new(items)), ty)
            }
        }
    }

    fn logic(&mut self, depth: u32) -> TermId {
        let a = self.term(TypeTable::BOOL, depth);
        let term = match self.chance.below(5) {
            0 => return self.builtin_term(BOOL_NOT, &[a], TypeTable::BOOL),
            1 | 2 => Term::And(a, self.term(TypeTable::BOOL, depth)),
            _ => Term::Or(a, self.term(TypeTable::BOOL, depth)),
        };
        self.add(term, TypeTable::BOOL)
    }

    /// A term that is much deeper than others.
    fn chain(&mut self, ty: TyId) -> TermId {
        let mut chain = self.leaf(ty);
        for _ in 0..20 + self.chance.below(150) {
            let link = self.leaf(ty);
            let on_the_left = self.chance.percent(50);
            let (a, b) = if on_the_left { (chain, link) } else { (link, chain) };
            chain = match ty {
                TypeTable::INT => self.builtin_term(INT_ADD, &[a, b], ty),
                TypeTable::STR => {
                    self.builtin_term(gainsay_core::builtin::STR_CONCAT, &[a, b], ty)
                }
                _ if self.chance.percent(50) => self.add(Term::And(a, b), ty),
                _ => self.add(Term::Or(a, b), ty),
            };
        }
        chain
    }

    /// A field of a local, or of a term generated for it.
    fn field(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let mut found = Vec::new();
        for local in self.draft().scope.clone() {
            let local_ty = self.draft().body.local(local).ty;
            let parts = self.parts(local_ty).unwrap_or_default();
            let fitting = (0_u32..).zip(parts).filter(|(_, part)| *part == ty);
            found.extend(fitting.map(|(index, _)| (local, index)));
        }
        if let Some((local, index)) = self.chance.pick(&found) {
            let base = self.local_term(local);
            return Some(self.add(Term::Field { base, index }, ty));
        }
        if self.chance.percent(70) {
            return None;
        }
        let other = self.ty_here();
        let pair = self.ty(Ty::Tuple(Box::new([other, ty])));
        let base = self.term(pair, depth);
        Some(self.add(Term::Field { base, index: 1 }, ty))
    }

    fn update(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let parts = self.parts(ty).filter(|parts| !parts.is_empty())?;
        let base = self.term(ty, depth);
        let mut fields = Vec::new();
        for (index, part) in (0_u32..).zip(&parts) {
            if index == 0 || self.chance.percent(30) {
                fields.push((index, self.checked_part(*part, depth)));
            }
        }
        let fields = fields.into();
        Some(self.add(Term::Update { base, fields }, ty))
    }
}
