//! Alternatives of recipes: what is drawn for one constructor.

use std::collections::HashMap;

use gainsay_choice::{IntegerKind, Kind, SpanLabel};
use gainsay_core::{CtorId, LocalId, Statement, Term, TermId, Ty, TyId, TypeTable, builtin};
use gainsay_solve::{
    BundleKind, IntBounds, PartStep, RecipeExpr, RecipeRule, RecipeStep, SizePath, SizeShare,
    SymVar,
};
use num_bigint::BigInt;

use super::super::number::INTS;
use super::super::{Deriver, GeneratorMode};
use super::{BundleWriter, TRIES_BASE};
use crate::core_builder::CoreBuilder;
use crate::domain::Domain;

/// What is drawn so far in an alternative.
struct RuleLocals {
    vars: Vec<Option<LocalId>>,
    sizes: HashMap<SizePathKey, LocalId>,
    statements: Vec<Statement>,
    /// The labels of the spans around parts.
    names: HashMap<SymVar, SpanLabel>,
    /// Whether the span of an element of a list is open.
    is_open: bool,
}

/// The size of values that are no parts of the structure.
const WITNESS_SIZE: i64 = 2;

/// A path as a key.
type SizePathKey = String;

impl Deriver<'_> {
    /// An alternative; where it turns out to be impossible, what was drawn is taken back, and
    /// another one is tried.
    pub(super) fn emit_attempt(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        at: usize,
    ) -> Option<TermId> {
        let rule = &writer.bundle.rules[at];
        let (Some(tried), Some(mark)) = (writer.tried, writer.mark) else {
            return self.emit_rule(it, writer, rule);
        };
        let value = self.emit_rule(it, writer, rule)?;
        if !rule.may_die {
            return Some(value);
        }
        let (some, _) = self.option_ctors()?;
        let Ty::Named(_, args) = self.types.get(it.body.ty(value)).clone() else { return None };
        let found = it.new_local("found", *args.first()?);
        let mut then = it.local(found);
        if writer.is_optional() {
            then = it.construct(some, [then].into(), writer.result);
        }
        let mark = it.local(mark);
        // The choices since the mark are taken back, so that a recorded case contains only
        // those that led to its value: shrinking never sees the dead end.
        let back = it.perform(self.ops.back, vec![mark], TypeTable::INT);
        let may_retry = it.equals_int(back, 1);
        let mut again: Vec<TermId> = writer.count.map(|n| it.local(n)).into_iter().collect();
        again.push(it.local(writer.size));
        again.extend(it.locals(&writer.params));
        let tried = it.local(tried);
        again.push(it.arithmetic(builtin::INT_ADD, tried, TRIES_BASE.pow(at as u32)));
        let again = it.call(writer.id, again, writer.result);
        let discarded = {
            let ty = writer.result;
            it.generic_perform(self.ops.discard, [ty].into(), Vec::new(), ty)
        };
        let otherwise = it.if_(may_retry, again, discarded);
        Some(it.match_option(value, (some, found, then), otherwise))
    }

    /// `Some` and `None`.
    fn option_ctors(&self) -> Option<(CtorId, CtorId)> {
        Some((self.program.lang.some?, self.program.lang.none?))
    }

    /// The value of an alternative, with its results. It is an option if the alternative may turn out
    /// to be impossible.
    fn emit_rule(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        rule: &RecipeRule,
    ) -> Option<TermId> {
        let mut vars = writer.param_vars();
        vars.resize(rule.vars.len().max(vars.len()), None);
        let names = self.part_names(writer, rule);
        let is_open = matches!(writer.bundle.kind, BundleKind::List(_))
            && rule.constructor == 1
            && writer.mode == GeneratorMode::Record;
        self.emit_matched(
            it,
            &rule.vars,
            &rule.matches,
            &mut vars,
            &mut |this, it, vars| {
                let (vars, names) = (vars.to_vec(), names.clone());
                let (sizes, statements) = (HashMap::new(), Vec::new());
                let mut locals = RuleLocals { vars, sizes, statements, names, is_open };
                this.emit_steps(it, writer, rule, &mut locals, &rule.steps)
            },
            // The alternative is only chosen if the values match.
            &mut |this, it, ty| {
                it.generic_perform(this.ops.discard, [ty].into(), Vec::new(), ty)
            },
        )
    }

    fn emit_steps(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        rule: &RecipeRule,
        locals: &mut RuleLocals,
        steps: &[RecipeStep],
    ) -> Option<TermId> {
        let is_rest = steps.first().is_some_and(|step| self.is_rest(step));
        if locals.is_open && (is_rest || steps.is_empty()) {
            let close = it.perform_with_ints(self.ops.close, &[]);
            locals.statements.push(Statement::Drop(close));
            locals.is_open = false;
        }
        let Some((step, rest)) = steps.split_first() else {
            let value = self.emit_rule_value(it, writer, rule, locals)?;
            let value = self.emit_success(it, writer, rule, value)?;
            return Some(it.block(std::mem::take(&mut locals.statements), value));
        };
        let before = std::mem::take(&mut locals.statements);
        let value = match step {
            RecipeStep::Test(test) => {
                // The rest of the steps goes inside the branch: core has no early return.
                let holds = self.emit_test(it, writer.made, &locals.vars, test)?;
                let then = self.emit_steps(it, writer, rule, locals, rest)?;
                let (_, none) = self.option_ctors()?;
                let ty = it.body.ty(then);
                let nothing = it.construct(none, Box::default(), ty);
                it.if_(holds, then, nothing)
            }
            RecipeStep::Int(_, bounds) if may_be_full(bounds) => {
                let has_room = self.emit_has_room(it, locals, bounds)?;
                self.emit_step(it, writer, rule, locals, step)?;
                let made = std::mem::take(&mut locals.statements);
                let then = self.emit_steps(it, writer, rule, locals, rest)?;
                let then = it.block(made, then);
                let (_, none) = self.option_ctors()?;
                let ty = it.body.ty(then);
                let nothing = it.construct(none, Box::default(), ty);
                it.if_(has_room, then, nothing)
            }
            RecipeStep::Part(part) if writer.dies(part) => {
                let drawn = self.emit_part(it, writer, locals, part)?;
                let drawn = self.named(it, locals, part.var, drawn);
                let prepared = std::mem::take(&mut locals.statements);
                let (some, none) = self.option_ctors()?;
                let Ty::Named(_, args) = self.types.get(it.body.ty(drawn)).clone() else {
                    return None;
                };
                let found = it.new_local("drawn", *args.first()?);
                self.bind_told(it, rule, locals, part, found)?;
                let told = std::mem::take(&mut locals.statements);
                let then = self.emit_steps(it, writer, rule, locals, rest)?;
                let then = it.block(told, then);
                let ty = it.body.ty(then);
                let nothing = it.construct(none, Box::default(), ty);
                let matched = it.match_option(drawn, (some, found, then), nothing);
                it.block(prepared, matched)
            }
            RecipeStep::Pick(pick) => {
                self.emit_solution_pick(it, writer.made, rule, &mut locals.vars, pick, None)
                    .map(|statements| locals.statements.extend(statements))?;
                let made = std::mem::take(&mut locals.statements);
                let then = self.emit_steps(it, writer, rule, locals, rest)?;
                it.block(made, then)
            }
            RecipeStep::Int(..) | RecipeStep::Any(..) | RecipeStep::Part(_) => {
                self.emit_step(it, writer, rule, locals, step)?;
                let made = std::mem::take(&mut locals.statements);
                let then = self.emit_steps(it, writer, rule, locals, rest)?;
                it.block(made, then)
            }
        };
        Some(it.block(before, value))
    }

    /// A value that was found, as the function returns it.
    fn emit_success(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        rule: &RecipeRule,
        value: TermId,
    ) -> Option<TermId> {
        if !rule.may_die && !writer.is_optional() {
            return Some(value);
        }
        let (some, _) = self.option_ctors()?;
        let ty = it.body.ty(value);
        let ty = self.option_of(ty);
        Some(it.construct(some, [value].into(), ty))
    }

    /// Whether a step draws the rest of a list.
    fn is_rest(&self, step: &RecipeStep) -> bool {
        let size = match step {
            RecipeStep::Part(part) => &part.size,
            RecipeStep::Any(_, size) => size,
            RecipeStep::Test(_) | RecipeStep::Int(..) | RecipeStep::Pick(_) => return false,
        };
        !size.is_empty() && size.iter().all(|it| matches!(it, SizeShare::Rest(_)))
    }

    fn emit_rule_value(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        rule: &RecipeRule,
        locals: &mut RuleLocals,
    ) -> Option<TermId> {
        let tys: Vec<TyId> = match writer.bundle.kind {
            BundleKind::Sum(ty) | BundleKind::List(ty) => vec![ty],
            BundleKind::Inputs | BundleKind::Solutions => writer.bundle.results.clone(),
        };
        let mut values = Vec::new();
        let mut value_tys = Vec::new();
        let results: &[TyId] = match writer.bundle.kind {
            BundleKind::Inputs | BundleKind::Solutions => &[],
            BundleKind::Sum(_) | BundleKind::List(_) => &writer.bundle.results,
        };
        let parts = rule.values.iter().zip(&tys).chain(rule.results.iter().zip(results));
        for (at, (expr, ty)) in parts.enumerate() {
            let ty = self.types.erase_refinements(*ty);
            let mut value = self.emit_expr(it, &locals.vars, expr, ty)?;
            // An input that is not drawn as it is may be given all the same.
            if matches!(writer.bundle.kind, BundleKind::Inputs)
                && !matches!(expr, RecipeExpr::Var(_))
            {
                value = self.emit_given(it, writer, at, value);
            }
            values.push(value);
            value_tys.push(ty);
        }
        if let [only] = values[..] {
            return Some(only);
        }
        let ty = self.types.intern(Ty::Tuple(value_tys.into()));
        Some(it.tuple(values.into(), ty))
    }

    /// The value of an input that is supplied from outside, or else the drawn one.
    fn emit_given(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        input: usize,
        drawn: TermId,
    ) -> TermId {
        let Some((binder, _)) = &writer.made.inputs.get(input).cloned().flatten() else {
            return drawn;
        };
        let Some(some) = self.program.lang.some else { return drawn };
        if writer.mode == GeneratorMode::Search {
            return drawn;
        }
        let ty = it.body.ty(drawn);
        let number = it.int(i64::from(*binder));
        let option = self.option_of(ty);
        let op = self.ops.given;
        let given = it.generic_perform(op, [ty].into(), vec![number], option);
        let value = it.new_local("given", ty);
        let then = it.local(value);
        it.match_option(given, (some, value, then), drawn)
    }

    /// The labels of the spans around parts, in the record program: fields with names, and inputs.
    fn part_names(
        &mut self,
        writer: &BundleWriter<'_>,
        rule: &RecipeRule,
    ) -> HashMap<SymVar, SpanLabel> {
        let mut names = HashMap::new();
        if writer.mode == GeneratorMode::Search {
            return names;
        }
        let program = self.program;
        for (at, value) in rule.values.iter().enumerate() {
            if let RecipeExpr::Var(var) = value
                && let Some(Some((_, name))) = writer.made.inputs.get(at)
                && matches!(writer.bundle.kind, BundleKind::Inputs)
            {
                names.insert(*var, self.labels.intern(name));
            }
            let RecipeExpr::Data(ctor, parts) = value else { continue };
            for (part, field) in parts.iter().zip(&program.ctor(*ctor).fields) {
                if let (RecipeExpr::Var(var), Some(name)) = (part, &field.name) {
                    names.insert(*var, self.labels.intern(name));
                }
            }
        }
        names
    }

    /// Draws a part that cannot turn out to be impossible.
    fn emit_step(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        rule: &RecipeRule,
        locals: &mut RuleLocals,
        step: &RecipeStep,
    ) -> Option<()> {
        let (var, value) = match step {
            RecipeStep::Test(_) | RecipeStep::Pick(_) => return None,
            RecipeStep::Int(var, bounds) => {
                (*var, self.emit_bounded(it, writer, locals, bounds)?)
            }
            RecipeStep::Any(var, size) => {
                let ty = *rule.vars.get(var.index())?;
                let node = self.request_node(ty, &Domain::Any, writer.made.module).ok()?;
                let size = self.size_of(it, writer, locals, size);
                (*var, self.emit_value(it, node, size, writer.mode))
            }
            RecipeStep::Part(part) => (part.var, self.emit_part(it, writer, locals, part)?),
        };
        let mut value = self.named(it, locals, var, value);
        if let Some(input) = rule.values.iter().position(|it| *it == RecipeExpr::Var(var))
            && matches!(writer.bundle.kind, BundleKind::Inputs)
        {
            value = self.emit_given(it, writer, input, value);
        }
        let (local, bind) = it.bind("drawn", value);
        locals.statements.push(bind);
        match step {
            RecipeStep::Part(part) => self.bind_told(it, rule, locals, part, local)?,
            RecipeStep::Test(_)
            | RecipeStep::Pick(_)
            | RecipeStep::Int(..)
            | RecipeStep::Any(..) => {
                locals.vars[var.index()] = Some(local);
            }
        }
        Some(())
    }

    /// A part in the span that is named after it.
    fn named(
        &mut self,
        it: &mut CoreBuilder,
        locals: &RuleLocals,
        var: SymVar,
        value: TermId,
    ) -> TermId {
        match locals.names.get(&var) {
            Some(label) => self.wrap_in_label(it, *label, value),
            None => value,
        }
    }

    /// Binds a structure that was drawn, and the results that are returned with it.
    fn bind_told(
        &mut self,
        it: &mut CoreBuilder,
        rule: &RecipeRule,
        locals: &mut RuleLocals,
        part: &PartStep,
        drawn: LocalId,
    ) -> Option<()> {
        if part.results.is_empty() {
            locals.vars[part.var.index()] = Some(drawn);
            return Some(());
        }
        for (at, var) in [part.var].iter().chain(&part.results).enumerate() {
            let ty = self.types.erase_refinements(*rule.vars.get(var.index())?);
            let base = it.local(drawn);
            let part = it.add(Term::Field { base, index: at as u32 }, ty);
            let (bound, bind) = it.bind("told", part);
            locals.statements.push(bind);
            locals.vars[var.index()] = Some(bound);
        }
        Some(())
    }

    /// A structure that is drawn by its bundle.
    fn emit_part(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        locals: &mut RuleLocals,
        part: &PartStep,
    ) -> Option<TermId> {
        let bundle = &writer.made.recipe.bundles[part.bundle.index()];
        let size = self.size_of(it, writer, locals, &part.size);
        let mut args = Vec::new();
        let is_list = matches!(bundle.kind, BundleKind::List(_));
        if is_list {
            let n_before = part.size.len() as i64;
            let is_rest =
                n_before > 0 && part.size.iter().all(|it| matches!(it, SizeShare::Rest(_)));
            args.push(match writer.count {
                Some(n) if is_rest => {
                    let n = it.local(n);
                    it.arithmetic(builtin::INT_ADD, n, n_before)
                }
                _ => it.int(0),
            });
        }
        args.push(it.local(size));
        for (arg, ty) in part.args.iter().zip(&bundle.params) {
            args.push(self.emit_expr(it, &locals.vars, arg, *ty)?);
        }
        if bundle.may_die {
            args.push(it.int(0));
        }
        let result = self.bundle_type(bundle);
        let value = it.call(writer.made.functions[part.bundle.index()], args, result);
        // The function of a list draws the elements one after another, without a span of their own.
        let begins = is_list && !matches!(part.size.last(), Some(SizeShare::Rest(_)));
        if begins && writer.mode == GeneratorMode::Record {
            return Some(self.wrap_in_span(it, "List", value));
        }
        Some(value)
    }

    /// The share of the size along a path.
    fn size_of(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        locals: &mut RuleLocals,
        path: &SizePath,
    ) -> LocalId {
        let mut size = writer.size;
        for n in 1..=path.len() {
            // Paths that begin alike share the locals of their beginning.
            let key = format!("{:?}", &path[..n]);
            if let Some(local) = locals.sizes.get(&key) {
                size = *local;
                continue;
            }
            let left = it.local(size);
            let mut share = match path[n - 1] {
                SizeShare::Field(n_parts) => {
                    let left = it.arithmetic(builtin::INT_SUB, left, 1);
                    match n_parts {
                        0 | 1 => left,
                        n => it.arithmetic(builtin::INT_DIV, left, i64::from(n)),
                    }
                }
                SizeShare::Element(n) => {
                    it.arithmetic(builtin::INT_DIV, left, i64::from(n.max(1)))
                }
                SizeShare::Witness => {
                    let is_large = it.compare(builtin::GT, left, WITNESS_SIZE);
                    let (most, left) = (it.int(WITNESS_SIZE), it.local(size));
                    it.if_(is_large, most, left)
                }
                SizeShare::Item => it.arithmetic(builtin::INT_DIV, left, 2),
                SizeShare::Rest(false) => left,
                SizeShare::Rest(true) => {
                    let half = it.arithmetic(builtin::INT_DIV, left, 2);
                    let left = it.local(size);
                    let other =
                        it.builtin(builtin::INT_SUB, &[], &[left, half], TypeTable::INT);
                    it.arithmetic(builtin::INT_SUB, other, 1)
                }
            };
            if writer.tried.is_some() && !matches!(path[n - 1], SizeShare::Rest(false)) {
                // Below 0 it says how far a structure has grown beyond its size.
                let left = it.local(size);
                let is_left = it.compare(builtin::GT, left, 0);
                let left = it.local(size);
                let less = it.arithmetic(builtin::INT_SUB, left, 1);
                share = it.if_(is_left, share, less);
            }
            let (local, bind) = it.bind("share", share);
            locals.statements.push(bind);
            locals.sizes.insert(key, local);
            size = local;
        }
        size
    }

    /// Whether an integer between two bounds is not excluded.
    fn emit_has_room(
        &mut self,
        it: &mut CoreBuilder,
        locals: &RuleLocals,
        bounds: &IntBounds,
    ) -> Option<TermId> {
        let lo = self.emit_extreme(it, &locals.vars, &bounds.lo, builtin::GE)?;
        let hi = self.emit_extreme(it, &locals.vars, &bounds.hi, builtin::LE)?;
        let how = self.emit_excluded(it, locals, bounds, &[lo, hi])?;
        let answer = it.perform(self.ops.int_room, vec![how], TypeTable::INT);
        Some(it.equals_int(answer, 1))
    }

    /// The list of the integers that are excluded, after others.
    fn emit_excluded(
        &mut self,
        it: &mut CoreBuilder,
        locals: &RuleLocals,
        bounds: &IntBounds,
        first: &[TermId],
    ) -> Option<TermId> {
        let ints = self.types.intern(Ty::List(TypeTable::INT));
        let rest = match &bounds.excluded_lists[..] {
            [] => None,
            [only] => Some(self.emit_expr(it, &locals.vars, only, ints)?),
            _ => return None,
        };
        let items = bounds.excluded.iter();
        let items = items.map(|item| self.emit_expr(it, &locals.vars, item, TypeTable::INT));
        let excluded = items.collect::<Option<Vec<TermId>>>()?;
        let items: Vec<TermId> = first.iter().copied().chain(excluded).collect();
        Some(it.list(&items, rest, ints))
    }

    /// An integer between bounds.
    fn emit_bounded(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        locals: &RuleLocals,
        bounds: &IntBounds,
    ) -> Option<TermId> {
        let edges = self.constants(writer.made.module).ints;
        let has_holes = !bounds.excluded.is_empty() || !bounds.excluded_lists.is_empty();
        if let (Some(lo), Some(hi)) = (constants(&bounds.lo), constants(&bounds.hi))
            && !has_holes
        {
            let lo = lo.into_iter().max().map(BigInt::from);
            let hi = hi.into_iter().min().map(BigInt::from);
            let integer = IntegerKind::range(lo, hi)?.with_edges(edges).in_pool(INTS);
            return Some(self.emit_integer(it, integer));
        }
        let integer = IntegerKind::any().with_edges(edges).in_pool(INTS);
        let kind = self.intern_kind(Kind::Integer(integer));
        let kind = it.int(i64::from(kind.number()));
        let mut extreme = |of: &[RecipeExpr], comparison| match of {
            [] => Some(None),
            of => self.emit_extreme(it, &locals.vars, of, comparison).map(Some),
        };
        let lo = extreme(&bounds.lo, builtin::GE)?;
        let hi = extreme(&bounds.hi, builtin::LE)?;
        let ops = self.ops.clone();
        if has_holes {
            let sides = it.int(i64::from(lo.is_some()) + 2 * i64::from(hi.is_some()));
            let lo = lo.unwrap_or_else(|| it.int(0));
            let hi = hi.unwrap_or_else(|| it.int(0));
            let how = self.emit_excluded(it, locals, bounds, &[kind, sides, lo, hi])?;
            return Some(it.perform(ops.int_except, vec![how], TypeTable::INT));
        }
        Some(match (lo, hi) {
            (Some(lo), Some(hi)) => {
                it.perform(ops.int_within, vec![kind, lo, hi], TypeTable::INT)
            }
            (Some(lo), None) => it.perform(ops.int_from, vec![kind, lo], TypeTable::INT),
            (None, Some(hi)) => it.perform(ops.int_to, vec![kind, hi], TypeTable::INT),
            (None, None) => it.perform(ops.int, vec![kind], TypeTable::INT),
        })
    }
}

impl BundleWriter<'_> {
    /// Whether a part may turn out to be impossible.
    fn dies(&self, part: &PartStep) -> bool {
        self.made.recipe.bundles[part.bundle.index()].may_die
    }
}

/// Whether all integers between two bounds may be excluded.
fn may_be_full(bounds: &IntBounds) -> bool {
    let has_holes = !bounds.excluded.is_empty() || !bounds.excluded_lists.is_empty();
    has_holes && !bounds.lo.is_empty() && !bounds.hi.is_empty()
}

/// Bounds that are all constants.
fn constants(bounds: &[RecipeExpr]) -> Option<Vec<i64>> {
    let constant =
        |it: &RecipeExpr| if let RecipeExpr::Int(int) = it { Some(*int) } else { None };
    bounds.iter().map(constant).collect()
}
