//! Generates random types.

use gainsay_core::{Ty, TyId, TypeId, TypeTable};

use super::prelude::{OPTION, RESULT, TRACED};
use super::program_generator::{AllowedEffects, ProgramGenerator};

/// The forms of types.
#[derive(Copy, Clone)]
enum TypeForm {
    Plain(TyId),
    Tuple,
    List,
    Map,
    Set,
    Named,
    Option,
    Result,
    Traced,
    Function,
    Refined,
}

const FORMS: [(u32, TypeForm); 16] = [
    (26, TypeForm::Plain(TypeTable::INT)),
    (7, TypeForm::Plain(TypeTable::FLOAT)),
    (7, TypeForm::Plain(TypeTable::BOOL)),
    (4, TypeForm::Plain(TypeTable::CHAR)),
    (9, TypeForm::Plain(TypeTable::STR)),
    (3, TypeForm::Plain(TypeTable::UNIT)),
    (9, TypeForm::Tuple),
    (12, TypeForm::List),
    (4, TypeForm::Map),
    (4, TypeForm::Set),
    (10, TypeForm::Named),
    (5, TypeForm::Option),
    (5, TypeForm::Result),
    (1, TypeForm::Traced),
    (4, TypeForm::Function),
    (7, TypeForm::Refined),
];

/// The number of forms for a type of depth 0.
const N_PLAIN: usize = 6;

impl ProgramGenerator {
    /// Chooses the types that occur often in this program.
    pub(super) fn choose_favourites(&mut self) {
        for _ in 0..4 + self.chance.below(5) {
            let ty = self.random_ty(3);
            self.favourites.push(ty);
        }
        let mut content = self.random_ty(1);
        if self.chance.percent(40) {
            content = self.ty(Ty::Tuple(Box::new([content, TypeTable::INT])));
        }
        let option = self.ty(Ty::Named(OPTION, Box::new([content])));
        let error = self.random_ty(1);
        let result = self.ty(Ty::Named(RESULT, Box::new([content, error])));
        self.favourites.extend([option, result]);
        if self.chance.percent(20) {
            let traced = self.ty(Ty::Named(TRACED, Box::new([content])));
            self.favourites.push(traced);
        }
    }

    /// A type, often a favourite.
    pub(super) fn some_ty(&mut self) -> TyId {
        if let Some(ty) = self.chance.pick(&self.favourites)
            && self.chance.percent(75)
        {
            return ty;
        }
        self.random_ty(2)
    }

    /// A type over some type parameters.
    pub(super) fn some_ty_over(&mut self, n_type_params: u32) -> TyId {
        if n_type_params == 0 || self.chance.percent(45) {
            return self.some_ty();
        }
        let at = self.chance.below(u64::from(n_type_params)) as u32;
        let param = self.ty(Ty::Param(at));
        match self.chance.below(6) {
            0 => self.ty(Ty::List(param)),
            1 => self.ty(Ty::Named(OPTION, Box::new([param]))),
            2 => self.ty(Ty::Tuple(Box::new([TypeTable::INT, param]))),
            _ => param,
        }
    }

    /// A type over the type parameters of the current function.
    pub(super) fn ty_here(&mut self) -> TyId {
        if self.draft().level == AllowedEffects::All && self.chance.percent(25) {
            let op = self.chance.below(self.program.ops.len() as u64) as usize;
            let op = &self.program.ops[op];
            if op.n_type_params == 0 {
                return op.result;
            }
        }
        let n_type_params = self.draft().n_type_params;
        self.some_ty_over(n_type_params)
    }

    /// A type here whose values can be compared and printed.
    pub(super) fn comparable_ty_here(&mut self) -> TyId {
        if self.chance.percent(30) {
            return TypeTable::INT;
        }
        for _ in 0..4 {
            let ty = self.ty_here();
            if self.is_first_order(ty) {
                return ty;
            }
        }
        TypeTable::INT
    }

    /// A type without parameters whose values can be compared and printed.
    pub(super) fn comparable_ty(&mut self, depth: u32) -> TyId {
        for _ in 0..4 {
            let ty = self.random_ty(depth);
            if self.is_first_order(ty) {
                return ty;
            }
        }
        TypeTable::INT
    }

    /// A type without parameters, of bounded depth.
    pub(super) fn random_ty(&mut self, depth: u32) -> TyId {
        let forms = if depth == 0 { &FORMS[..N_PLAIN] } else { &FORMS[..] };
        let form = self.chance.weighted(forms).unwrap_or(TypeForm::Plain(TypeTable::INT));
        let inner = depth.saturating_sub(1);
        match form {
            TypeForm::Plain(ty) => ty,
            TypeForm::Tuple => {
                let count = 1 + self.chance.below(3) + self.chance.below(2);
                let parts = (0..count).map(|_| self.random_ty(inner)).collect();
                self.ty(Ty::Tuple(parts))
            }
            TypeForm::List => {
                let item = self.random_ty(inner);
                self.ty(Ty::List(item))
            }
            TypeForm::Map => {
                let (key, value) = (self.comparable_ty(inner), self.random_ty(inner));
                self.ty(Ty::Map(key, value))
            }
            TypeForm::Set => {
                let item = self.comparable_ty(inner);
                self.ty(Ty::Set(item))
            }
            TypeForm::Option => self.named(OPTION, inner),
            TypeForm::Result => self.named(RESULT, inner),
            TypeForm::Traced => self.named(TRACED, inner),
            TypeForm::Named => {
                let first = TRACED.0 + 1;
                let count = self.program.nominals.len() as u32 - first;
                if count == 0 {
                    return self.named(OPTION, inner);
                }
                let at = first + self.chance.below(u64::from(count)) as u32;
                self.named(TypeId(at), inner)
            }
            TypeForm::Function => self.function_ty(inner),
            TypeForm::Refined => {
                let at = self.chance.below(self.refinements.len() as u64) as usize;
                self.refinements.get(at).map_or(TypeTable::INT, |it| it.ty)
            }
        }
    }

    fn named(&mut self, name: TypeId, depth: u32) -> TyId {
        let n_params = self.program.nominal(name).params.len();
        let args = (0..n_params).map(|_| self.random_ty(depth)).collect();
        self.ty(Ty::Named(name, args))
    }

    fn function_ty(&mut self, depth: u32) -> TyId {
        let count = self.chance.below(3);
        let params = (0..count).map(|_| self.random_ty(depth)).collect();
        let result = self.random_ty(depth);
        let level =
            if self.chance.percent(60) { AllowedEffects::Pure } else { AllowedEffects::All };
        let row = self.row(level);
        self.ty(Ty::Function { params, result, row })
    }
}
