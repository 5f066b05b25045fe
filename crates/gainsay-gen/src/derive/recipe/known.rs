//! Known values in recipes: alternatives for one constructor of them, and goals about them of whose
//! solutions one is picked.
//!
//! The solutions of a bundle are not listed: one function counts them, and another finds the one
//! with a given number. The number is the only choice.

use gainsay_core::Term;
use gainsay_core::{
    LocalId, Pattern, RestPattern, Statement, TermId, TyId, TypeTable, builtin,
};
use gainsay_solve::{
    BundleId, PickStep, RecipeExpr, RecipeMatch, RecipePattern, RecipeRule, RecipeStep,
};

use super::super::{Deriver, GeneratorMode};
use super::RecipeFunctions;
use crate::core_builder::CoreBuilder;

/// The variables of a rule that are bound so far.
type BoundVars = [Option<LocalId>];

/// Writes what follows when known values match.
type WriteMatched<'f, 'd> =
    &'f mut dyn FnMut(&mut Deriver<'d>, &mut CoreBuilder, &BoundVars) -> Option<TermId>;

/// Writes what follows otherwise, of a type.
type WriteOtherwise<'f, 'd> =
    &'f mut dyn FnMut(&mut Deriver<'d>, &mut CoreBuilder, TyId) -> TermId;

impl<'d> Deriver<'d> {
    /// Matches known values, one inside the other.
    pub(super) fn emit_matched(
        &mut self,
        it: &mut CoreBuilder,
        types: &[TyId],
        matches: &[RecipeMatch],
        vars: &mut Vec<Option<LocalId>>,
        then: WriteMatched<'_, 'd>,
        otherwise: WriteOtherwise<'_, 'd>,
    ) -> Option<TermId> {
        let Some((first, rest)) = matches.split_first() else { return then(self, it, vars) };
        let scrutinee = vars.get(first.var.index()).copied().flatten()?;
        let mut fields = Vec::new();
        for field in first.pattern.vars() {
            let ty = self.types.erase_refinements(*types.get(field.index())?);
            let local = it.new_local("field", ty);
            *vars.get_mut(field.index())? = Some(local);
            fields.push(local);
        }
        let inside = self.emit_matched(it, types, rest, vars, then, otherwise)?;
        let parts = it.bind_patterns(&fields);
        let pattern = match (&first.pattern, &parts[..]) {
            (RecipePattern::Data(ctor, _), _) => Pattern::Ctor(*ctor, parts),
            (RecipePattern::Tuple(_), _) => Pattern::Tuple(parts),
            (RecipePattern::Cons(..), [first, rest]) => {
                Pattern::List([*first].into(), RestPattern::Some(*rest))
            }
            _ => Pattern::List(Box::default(), RestPattern::Nothing),
        };
        let ty = it.body.ty(inside);
        let without = otherwise(self, it, ty);
        let scrutinee = it.local(scrutinee);
        Some(it.match_pattern(scrutinee, (pattern, inside), without))
    }

    /// Whether an alternative is possible; nothing if it always is.
    pub(super) fn emit_admission(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        rule: &RecipeRule,
        params: &BoundVars,
    ) -> Option<Option<TermId>> {
        if rule.matches.is_empty() && rule.admission.is_empty() {
            return Some(None);
        }
        let mut vars = params.to_vec();
        vars.resize(rule.vars.len().max(vars.len()), None);
        let admitted = self.emit_matched(
            it,
            &rule.vars,
            &rule.matches,
            &mut vars,
            &mut |this, it, vars| this.emit_all_tests(it, made, rule, vars),
            &mut |_, it, _| it.literal(gainsay_core::Literal::Bool(false), TypeTable::BOOL),
        );
        admitted.map(Some)
    }

    fn emit_all_tests(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        rule: &RecipeRule,
        vars: &BoundVars,
    ) -> Option<TermId> {
        let mut all = None;
        for test in &rule.admission {
            let holds = self.emit_test(it, made, vars, test)?;
            all = Some(match all {
                None => holds,
                Some(all) => it.and(all, holds),
            });
        }
        let always = gainsay_core::Literal::Bool(true);
        Some(all.unwrap_or_else(|| it.literal(always, TypeTable::BOOL)))
    }

    fn emit_known_args(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        vars: &BoundVars,
        (bundle, args): (BundleId, &[RecipeExpr]),
    ) -> Option<Vec<TermId>> {
        let types = &made.recipe.bundles[bundle.index()].params;
        args.iter().zip(types).map(|(arg, ty)| self.emit_expr(it, vars, arg, *ty)).collect()
    }

    /// The number of solutions of a bundle.
    pub(super) fn emit_count(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        vars: &BoundVars,
        bundle: BundleId,
        args: &[RecipeExpr],
    ) -> Option<TermId> {
        let args = self.emit_known_args(it, made, vars, (bundle, args))?;
        Some(it.call(made.counts[bundle.index()]?, args, TypeTable::INT))
    }

    /// Binds a solution: the one with a number, or any.
    pub(super) fn emit_solution_pick(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        rule: &RecipeRule,
        vars: &mut [Option<LocalId>],
        pick: &PickStep,
        number: Option<TermId>,
    ) -> Option<Vec<Statement>> {
        let bundle = &made.recipe.bundles[pick.bundle.index()];
        let mut args = self.emit_known_args(it, made, vars, (pick.bundle, &pick.args))?;
        args.push(match number {
            Some(number) => number,
            None => {
                let n = self.emit_count(it, made, vars, pick.bundle, &pick.args)?;
                it.perform(self.ops.index, vec![n], TypeTable::INT)
            }
        });
        let result = self.bundle_type(bundle);
        let picked = it.call(made.functions[pick.bundle.index()], args, result);
        let (picked, bind) = it.bind("picked", picked);
        let mut statements = vec![bind];
        for (at, var) in pick.results.iter().enumerate() {
            if pick.results.len() == 1 {
                vars[var.index()] = Some(picked);
                continue;
            }
            let ty = self.types.erase_refinements(*rule.vars.get(var.index())?);
            let base = it.local(picked);
            let part = it.add(Term::Field { base, index: at as u32 }, ty);
            let (bound, bind) = it.bind("told", part);
            statements.push(bind);
            vars[var.index()] = Some(bound);
        }
        Some(statements)
    }

    /// Writes the two functions of a bundle that picks.
    pub(super) fn write_solutions(
        &mut self,
        made: &RecipeFunctions,
        id: BundleId,
        mode: GeneratorMode,
    ) -> Option<()> {
        let bundle = &made.recipe.bundles[id.index()];
        let mut it = CoreBuilder::new(self.span);
        let mut params = Vec::new();
        for ty in &bundle.params {
            let ty = self.types.erase_refinements(*ty);
            params.push(Some(it.param("known", ty)));
        }
        let mut count = it.int(0);
        for rule in &bundle.rules {
            let n = self.emit_count_of_rule(&mut it, made, rule, &params)?;
            count = it.builtin(builtin::INT_ADD, &[], &[count, n], TypeTable::INT);
        }
        let written = it.finish(self.header("count", TypeTable::INT), count);
        self.define(mode, made.counts[id.index()]?, written);
        let mut it = CoreBuilder::new(self.span);
        let mut params = Vec::new();
        for ty in &bundle.params {
            let ty = self.types.erase_refinements(*ty);
            params.push(Some(it.param("known", ty)));
        }
        let number = it.param("number", TypeTable::INT);
        let result = self.bundle_type(bundle);
        let root =
            self.emit_numbered(&mut it, made, &bundle.rules, (&params, number), result)?;
        let written = it.finish(self.header("pick", result), root);
        self.define(mode, made.functions[id.index()], written);
        Some(())
    }

    /// The number of solutions of an alternative.
    fn emit_count_of_rule(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        rule: &RecipeRule,
        params: &BoundVars,
    ) -> Option<TermId> {
        let mut vars = params.to_vec();
        vars.resize(rule.vars.len().max(vars.len()), None);
        self.emit_matched(
            it,
            &rule.vars,
            &rule.matches,
            &mut vars,
            &mut |this, it, vars| {
                let admitted = this.emit_all_tests(it, made, rule, vars)?;
                let mut product = it.int(1);
                for step in &rule.steps {
                    let RecipeStep::Pick(pick) = step else { return None };
                    let n = this.emit_count(it, made, vars, pick.bundle, &pick.args)?;
                    product = it.builtin(builtin::INT_MUL, &[], &[product, n], TypeTable::INT);
                }
                let none = it.int(0);
                Some(it.if_(admitted, product, none))
            },
            &mut |_, it, _| it.int(0),
        )
    }

    /// The solution with a number, by alternatives in order.
    fn emit_numbered(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        rules: &[RecipeRule],
        (params, number): (&BoundVars, LocalId),
        result: TyId,
    ) -> Option<TermId> {
        let Some((rule, rest)) = rules.split_first() else {
            return Some(it.generic_perform(
                self.ops.discard,
                [result].into(),
                Vec::new(),
                result,
            ));
        };
        let count = self.emit_count_of_rule(it, made, rule, params)?;
        let (count, bind_count) = it.bind("count", count);
        let mut vars = params.to_vec();
        vars.resize(rule.vars.len().max(vars.len()), None);
        let own = self.emit_matched(
            it,
            &rule.vars,
            &rule.matches,
            &mut vars,
            &mut |this, it, vars| {
                let mut vars = vars.to_vec();
                this.emit_solution(it, made, rule, &mut vars, number, result)
            },
            &mut |this, it, ty| {
                it.generic_perform(this.ops.discard, [ty].into(), Vec::new(), ty)
            },
        )?;
        let (n, left) = (it.local(number), it.local(count));
        let later = it.builtin(builtin::INT_SUB, &[], &[n, left], TypeTable::INT);
        let (later, bind_later) = it.bind("number", later);
        let others = self.emit_numbered(it, made, rest, (params, later), result)?;
        let others = it.block(vec![bind_later], others);
        let (n, all) = (it.local(number), it.local(count));
        let is_own = it.builtin(builtin::LT, &[TypeTable::INT], &[n, all], TypeTable::BOOL);
        let chosen = it.if_(is_own, own, others);
        Some(it.block(vec![bind_count], chosen))
    }

    /// The solution of an alternative with a number, which is split among its parts.
    fn emit_solution(
        &mut self,
        it: &mut CoreBuilder,
        made: &RecipeFunctions,
        rule: &RecipeRule,
        vars: &mut [Option<LocalId>],
        number: LocalId,
        result: TyId,
    ) -> Option<TermId> {
        let mut statements = Vec::new();
        let mut number = number;
        for step in &rule.steps {
            let RecipeStep::Pick(pick) = step else { return None };
            let n = self.emit_count(it, made, vars, pick.bundle, &pick.args)?;
            let (n, bind) = it.bind("count", n);
            statements.push(bind);
            let int = TypeTable::INT;
            let (whole, part) = (it.local(number), it.local(n));
            let own = it.builtin(builtin::INT_REM, &[], &[whole, part], int);
            statements.extend(self.emit_solution_pick(
                it,
                made,
                rule,
                vars,
                pick,
                Some(own),
            )?);
            let (whole, part) = (it.local(number), it.local(n));
            let left = it.builtin(builtin::INT_DIV, &[], &[whole, part], int);
            let (left, bind) = it.bind("number", left);
            statements.push(bind);
            number = left;
        }
        let types = rule.results.iter().zip(self.result_types(result, rule.results.len()));
        let types: Vec<(&RecipeExpr, TyId)> = types.collect();
        let mut values = Vec::new();
        for (expr, ty) in types {
            values.push(self.emit_expr(it, vars, expr, ty)?);
        }
        let value = match values[..] {
            [only] => only,
            _ => it.tuple(values.into(), result),
        };
        Some(it.block(statements, value))
    }

    /// The types of the parts of a result.
    fn result_types(&self, result: TyId, n: usize) -> Vec<TyId> {
        if let gainsay_core::Ty::Tuple(parts) = self.types.get(result)
            && n != 1
        {
            return parts.to_vec();
        }
        vec![result]
    }
}
