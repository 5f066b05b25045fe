//! Terms and tests of recipes.

use gainsay_core::{Comparison, Literal, LocalId, TermId, Ty, TyId, TypeTable, builtin};
use gainsay_solve::{RecipeExpr, RecipeTest};

use super::super::Deriver;
use super::RecipeFunctions;
use crate::core_builder::CoreBuilder;

impl Deriver<'_> {
    /// A term of a type.
    pub(super) fn emit_expr(
        &mut self,
        it: &mut CoreBuilder,
        vars: &[Option<LocalId>],
        expr: &RecipeExpr,
        ty: TyId,
    ) -> Option<TermId> {
        let ty = self.types.erase_refinements(ty);
        Some(match expr {
            RecipeExpr::Var(var) => {
                let local = vars.get(var.index()).copied().flatten()?;
                it.local(local)
            }
            RecipeExpr::Int(int) => it.int(*int),
            RecipeExpr::Bool(bool) => it.literal(Literal::Bool(*bool), TypeTable::BOOL),
            RecipeExpr::Linear(parts, constant) => {
                self.emit_sum_of(it, vars, parts, *constant)?
            }
            RecipeExpr::Max(parts) => self.emit_extreme(it, vars, parts, builtin::GE)?,
            RecipeExpr::Min(parts) => self.emit_extreme(it, vars, parts, builtin::LE)?,
            RecipeExpr::Data(ctor, parts) => {
                let Ty::Named(_, args) = self.types.get(ty).clone() else { return None };
                let program = self.program;
                let mut fields = Vec::new();
                for (part, field) in parts.iter().zip(&program.ctor(*ctor).fields) {
                    let ty = self.types.instantiate(field.ty, &args);
                    fields.push(self.emit_expr(it, vars, part, ty)?);
                }
                it.construct(*ctor, fields.into(), ty)
            }
            RecipeExpr::Tuple(parts) => {
                let Ty::Tuple(tys) = self.types.get(ty).clone() else { return None };
                let parts = parts.iter().zip(&tys);
                let parts = parts.map(|(part, ty)| self.emit_expr(it, vars, part, *ty));
                let parts: Option<Vec<TermId>> = parts.collect();
                it.tuple(parts?.into(), ty)
            }
            RecipeExpr::List(items, rest) => {
                let Ty::List(item) = *self.types.get(ty) else { return None };
                let items = items.iter().map(|part| self.emit_expr(it, vars, part, item));
                let items: Vec<TermId> = items.collect::<Option<_>>()?;
                let rest = match rest {
                    Some(rest) => Some(self.emit_expr(it, vars, rest, ty)?),
                    None => None,
                };
                it.list(&items, rest, ty)
            }
        })
    }

    fn emit_sum_of(
        &mut self,
        it: &mut CoreBuilder,
        vars: &[Option<LocalId>],
        parts: &[(i64, RecipeExpr)],
        constant: i64,
    ) -> Option<TermId> {
        let int = TypeTable::INT;
        let mut sum = None;
        // Positive parts first, so that the sum begins without a negation.
        let ordered =
            parts.iter().filter(|it| it.0 > 0).chain(parts.iter().filter(|it| it.0 <= 0));
        for (factor, part) in ordered {
            let part = self.emit_expr(it, vars, part, int)?;
            let scaled = |it: &mut CoreBuilder, n: i64| match n {
                1 => part,
                n => it.arithmetic(builtin::INT_MUL, part, n),
            };
            sum = Some(match (sum, *factor) {
                (None, n) if n > 0 => scaled(it, n),
                (None, n) => {
                    let zero = it.int(0);
                    let part = scaled(it, n.saturating_neg());
                    it.builtin(builtin::INT_SUB, &[], &[zero, part], int)
                }
                (Some(sum), n) if n > 0 => {
                    let part = scaled(it, n);
                    it.builtin(builtin::INT_ADD, &[], &[sum, part], int)
                }
                (Some(sum), n) => {
                    let part = scaled(it, n.saturating_neg());
                    it.builtin(builtin::INT_SUB, &[], &[sum, part], int)
                }
            });
        }
        Some(match (sum, constant) {
            (None, _) => it.int(constant),
            (Some(sum), 0) => sum,
            (Some(sum), n) if n < 0 => it.arithmetic(builtin::INT_SUB, sum, n.saturating_neg()),
            (Some(sum), n) => it.arithmetic(builtin::INT_ADD, sum, n),
        })
    }

    /// The first of some integers that is at least (or at most) each other one.
    pub(super) fn emit_extreme(
        &mut self,
        it: &mut CoreBuilder,
        vars: &[Option<LocalId>],
        parts: &[RecipeExpr],
        comparison: gainsay_core::BuiltinId,
    ) -> Option<TermId> {
        let int = TypeTable::INT;
        let (first, rest) = parts.split_first()?;
        let mut best = self.emit_expr(it, vars, first, int)?;
        for part in rest {
            let other = self.emit_expr(it, vars, part, int)?;
            let (a, bind_a) = it.bind("a", best);
            let (b, bind_b) = it.bind("b", other);
            let (left, right) = (it.local(a), it.local(b));
            let is_best = it.builtin(comparison, &[int], &[left, right], TypeTable::BOOL);
            let (then, otherwise) = (it.local(a), it.local(b));
            let chosen = it.if_(is_best, then, otherwise);
            best = it.block(vec![bind_a, bind_b], chosen);
        }
        Some(best)
    }

    /// A test.
    pub(super) fn emit_test(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        vars: &[Option<LocalId>],
        test: &RecipeTest,
    ) -> Option<TermId> {
        let int = TypeTable::INT;
        Some(match test {
            RecipeTest::Compare(op, a, b) => {
                let a = self.emit_expr(it, vars, a, int)?;
                let b = self.emit_expr(it, vars, b, int)?;
                it.builtin(comparison(*op), &[int], &[a, b], TypeTable::BOOL)
            }
            RecipeTest::Is(term, holds) => {
                let term = self.emit_expr(it, vars, term, TypeTable::BOOL)?;
                match holds {
                    true => term,
                    false => it.builtin(builtin::BOOL_NOT, &[], &[term], TypeTable::BOOL),
                }
            }
            RecipeTest::Room(lo, hi) => {
                let lo = self.emit_extreme(it, vars, lo, builtin::GE)?;
                let hi = self.emit_extreme(it, vars, hi, builtin::LE)?;
                it.builtin(builtin::LE, &[int], &[lo, hi], TypeTable::BOOL)
            }
            RecipeTest::Equal(a, b, ty) => {
                let ty = self.types.erase_refinements(*ty);
                let a = self.emit_expr(it, vars, a, ty)?;
                let b = self.emit_expr(it, vars, b, ty)?;
                it.builtin(builtin::EQ, &[ty], &[a, b], TypeTable::BOOL)
            }
            RecipeTest::Solvable(bundle, args) => {
                let n = self.emit_count(it, made, vars, *bundle, args)?;
                it.compare(builtin::GT, n, 0)
            }
            // No function that looks through a list is a builtin.
            RecipeTest::NotIn(..) => return None,
        })
    }
}

fn comparison(op: Comparison) -> gainsay_core::BuiltinId {
    match op {
        Comparison::Eq => builtin::EQ,
        Comparison::Ne => builtin::NE,
        Comparison::Lt => builtin::LT,
        Comparison::Le => builtin::LE,
        Comparison::Gt => builtin::GT,
        Comparison::Ge => builtin::GE,
    }
}
