//! Functions that draw as recipes say: values that satisfy a predicate.
//!
//! Each bundle of a recipe is a function of the size, of what is known, and for lists of the number
//! of elements before. Constructors are chosen with the weights of the type, among those that are
//! possible; so a predicate that allows everything has the distribution of the type.

mod expr;
mod known;
mod rule;

use gainsay_choice::Kind;
use gainsay_core::{
    ConstructorWeight, FunctionId, LocalId, ModuleId, Statement, TermId, Ty, TyId, TypeTable,
    builtin,
};
use gainsay_solve::{BundleId, BundleKind, GeneratorRecipe, RecipeBundle, RecipeRule};

use super::container::{AVERAGE_LEN, ENOUGH};
use super::sum::recursive_constructors;
use super::text::more_elements_kind;
use super::{Deriver, GeneratorMode};
use crate::core_builder::CoreBuilder;
use crate::domain::{Domain, LengthRange};
use crate::generator_plan::{PlanNodeId, PlanShape};
use crate::lowered::ContainerKind;

/// Alternatives that are only possible at times, in one choice; with more, there are too many
/// combinations to prepare the weights of each.
const MAX_CONDITIONAL: usize = 6;

/// How often an alternative that turned out to be impossible is tried, and the base of the digits in
/// which the attempts of each are counted.
const MAX_TRIES: i64 = 7;
const TRIES_BASE: i64 = 8;

/// Structures grow at most so far beyond their size in search of an end.
const MAX_EXCESS: i64 = 48;

/// Lists that may turn out to be impossible do not get longer.
const MAX_ELEMENTS: i64 = 2_000;

/// A recipe, and the functions that draw by it.
pub(crate) struct RecipeFunctions {
    pub(crate) recipe: GeneratorRecipe,
    pub(crate) functions: Vec<FunctionId>,
    /// The functions that count the solutions of the bundles that pick one.
    counts: Vec<Option<FunctionId>>,
    /// The module whose constants are drawn as edges.
    module: ModuleId,
    /// The inputs: the number and the name of the binder of each; none for the value of a
    /// refinement.
    inputs: Vec<Option<(u32, Box<str>)>>,
}

/// A recipe, by its position among all.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct RecipeId(usize);

impl Deriver<'_> {
    /// Adds the functions of a recipe; `None` if it has a form that is not written.
    pub(crate) fn add_recipe(
        &mut self,
        recipe: GeneratorRecipe,
        module: ModuleId,
        inputs: Vec<Option<(u32, Box<str>)>>,
    ) -> Option<RecipeId> {
        let is_written = |bundle: &RecipeBundle| {
            let is_conditional = |it: &&RecipeRule| bundle.may_die || !it.admission.is_empty();
            bundle.rules.iter().filter(is_conditional).count() <= MAX_CONDITIONAL
        };
        if !recipe.bundles.iter().all(is_written) {
            return None;
        }
        let functions = recipe.bundles.iter().map(|_| self.reserve()).collect();
        let counts = recipe.bundles.iter().map(|it| {
            let picks = it.kind == BundleKind::Solutions;
            picks.then(|| self.reserve())
        });
        let counts = counts.collect();
        let made = RecipeFunctions { recipe, functions, counts, module, inputs };
        // Both programs have the same functions in the same order, so that they make the same
        // draws.
        for mode in [GeneratorMode::Search, GeneratorMode::Record] {
            for at in 0..made.recipe.bundles.len() {
                if self.write_bundle(&made, BundleId(at as u32), mode).is_none() {
                    self.abandon(&made);
                    return None;
                }
            }
        }
        self.recipes.push(made);
        Some(RecipeId(self.recipes.len() - 1))
    }

    /// Gives the functions of a recipe that is not written a body all the same.
    fn abandon(&mut self, made: &RecipeFunctions) {
        for function in made.functions.iter().chain(made.counts.iter().flatten()) {
            for mode in [GeneratorMode::Search, GeneratorMode::Record] {
                let mut it = CoreBuilder::new(self.span);
                let unit = it.unit();
                let written = it.finish(self.header("abandoned", TypeTable::UNIT), unit);
                self.define(mode, *function, written);
            }
        }
    }

    /// The inputs that a recipe draws: one value, or a tuple.
    pub(crate) fn emit_recipe(
        &mut self,
        it: &mut CoreBuilder,
        id: RecipeId,
        size: LocalId,
        known: Vec<TermId>,
        ty: TyId,
    ) -> TermId {
        let function = self.recipes[id.0].functions[BundleId::INPUTS.index()];
        let mut args = vec![it.local(size)];
        args.extend(known);
        if self.recipes[id.0].recipe.bundles[BundleId::INPUTS.index()].may_die {
            args.push(it.int(0));
        }
        it.call(function, args, ty)
    }

    fn write_bundle(
        &mut self,
        made: &RecipeFunctions,
        id: BundleId,
        mode: GeneratorMode,
    ) -> Option<()> {
        let bundle = &made.recipe.bundles[id.index()];
        if bundle.kind == BundleKind::Solutions {
            return self.write_solutions(made, id, mode);
        }
        let mut it = CoreBuilder::new(self.span);
        let count =
            matches!(bundle.kind, BundleKind::List(_)).then(|| it.param("n", TypeTable::INT));
        let size = it.param("size", TypeTable::INT);
        let mut params = Vec::new();
        for ty in &bundle.params {
            let ty = self.types.erase_refinements(*ty);
            params.push(it.param("known", ty));
        }
        let tried = bundle.may_die.then(|| it.param("tried", TypeTable::INT));
        let result = self.bundle_type(bundle);
        let id = made.functions[id.index()];
        let mut writer = BundleWriter {
            made,
            bundle,
            mode,
            size,
            count,
            params,
            tried,
            mark: None,
            id,
            result,
            conditions: Vec::new(),
        };
        let mut statements = self.emit_conditions(&mut it, &mut writer)?;
        let (root, name) = match bundle.kind {
            BundleKind::Inputs => {
                let all: Vec<usize> = (0..bundle.rules.len()).collect();
                (self.emit_rules(&mut it, &writer, &all)?, "inputs".to_owned())
            }
            BundleKind::Sum(ty) => {
                let node = self.request_node(ty, &Domain::Any, made.module).ok()?;
                (self.emit_sum_bundle(&mut it, &writer, node)?, self.value_name(node))
            }
            BundleKind::List(ty) => {
                let node = self.request_node(ty, &Domain::Any, made.module).ok()?;
                (self.emit_list_bundle(&mut it, &writer, node)?, "elements".to_owned())
            }
            BundleKind::Solutions => return None,
        };
        let root = self.emit_unless_excessive(&mut it, &writer, root);
        let mut root = it.block(std::mem::take(&mut statements), root);
        if mode == GeneratorMode::Record && matches!(bundle.kind, BundleKind::Sum(_)) {
            root = self.wrap_in_span(&mut it, &name, root);
        }
        let function = it.finish(self.header(&name, result), root);
        self.define(mode, id, function);
        Some(())
    }

    /// The type that the function of a bundle returns.
    fn bundle_type(&mut self, bundle: &RecipeBundle) -> TyId {
        let (first, rest) = match bundle.kind {
            BundleKind::Inputs | BundleKind::Solutions => (None, &bundle.results[..]),
            BundleKind::Sum(ty) | BundleKind::List(ty) => (Some(ty), &bundle.results[..]),
        };
        let parts: Vec<TyId> = first.into_iter().chain(rest.iter().copied()).collect();
        let parts: Vec<TyId> =
            parts.into_iter().map(|it| self.types.erase_refinements(it)).collect();
        let value = match parts[..] {
            [only] => only,
            _ => self.types.intern(Ty::Tuple(parts.into())),
        };
        match (bundle.may_die, bundle.kind) {
            (true, BundleKind::Sum(_) | BundleKind::List(_)) => self.option_of(value),
            (true, BundleKind::Inputs | BundleKind::Solutions) | (false, _) => value,
        }
    }

    /// What a function returns that finds no value: the inputs are discarded.
    fn emit_nothing(&mut self, it: &mut CoreBuilder, writer: &BundleWriter<'_>) -> TermId {
        let ty = writer.result;
        match (self.program.lang.none, writer.is_optional()) {
            (Some(none), true) => it.construct(none, Box::default(), ty),
            _ => it.generic_perform(self.ops.discard, [ty].into(), Vec::new(), ty),
        }
    }

    /// Ends a search that goes on and on without coming to an end.
    fn emit_unless_excessive(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        root: TermId,
    ) -> TermId {
        if writer.tried.is_none() {
            return root;
        }
        let size = it.local(writer.size);
        let mut is_excessive = it.compare(builtin::LT, size, -MAX_EXCESS);
        if let Some(n) = writer.count {
            let n = it.local(n);
            // A list does not shrink its size from element to element, so its length is
            // bounded apart.
            let is_long = it.compare(builtin::GT, n, MAX_ELEMENTS);
            is_excessive = it.or(is_excessive, is_long);
        }
        let nothing = self.emit_nothing(it, writer);
        it.if_(is_excessive, nothing, root)
    }

    /// Binds for each alternative whether it is possible, and a mark to come back to.
    fn emit_conditions(
        &mut self,
        it: &mut CoreBuilder,
        writer: &mut BundleWriter<'_>,
    ) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        let vars = writer.param_vars();
        for (at, rule) in writer.bundle.rules.iter().enumerate() {
            let mut all = None;
            if let Some(tried) = writer.tried {
                let tried = it.local(tried);
                // One integer counts the attempts of all alternatives, one digit each: core
                // has no mutable state, and one more parameter is cheaper than one for each
                // alternative.
                let digit = it.arithmetic(builtin::INT_DIV, tried, TRIES_BASE.pow(at as u32));
                let digit = it.arithmetic(builtin::INT_REM, digit, TRIES_BASE);
                all = Some(it.compare(builtin::LT, digit, MAX_TRIES));
            }
            if let Some(holds) = self.emit_admission(it, writer.made, rule, &vars)? {
                all = Some(match all {
                    None => holds,
                    Some(all) => it.and(all, holds),
                });
            }
            writer.conditions.push(all.map(|all| {
                let (local, bind) = it.bind("possible", all);
                statements.push(bind);
                local
            }));
        }
        if writer.tried.is_some() {
            let mark = it.perform_with_ints(self.ops.mark, &[]);
            let (mark, bind) = it.bind("mark", mark);
            statements.push(bind);
            writer.mark = Some(mark);
        }
        Some(statements)
    }

    /// Whether one of some alternatives is possible; nothing if one always is.
    fn emit_any_possible(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        rules: &[usize],
    ) -> Option<TermId> {
        let mut any = None;
        for at in rules {
            let possible = it.local(writer.conditions[*at]?);
            any = Some(match any {
                None => possible,
                Some(any) => it.or(any, possible),
            });
        }
        any
    }

    /// One of several alternatives that are equally likely.
    fn emit_rules(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        rules: &[usize],
    ) -> Option<TermId> {
        if let [only] = rules
            && (writer.conditions[*only].is_none()
                || !matches!(writer.bundle.kind, BundleKind::Inputs))
        {
            return self.emit_attempt(it, writer, *only);
        }
        let of = |at: &usize| &writer.bundle.rules[*at];
        let weights = vec![ConstructorWeight::Number(1); rules.len()];
        let heights: Vec<Option<(u32, bool)>> =
            rules.iter().map(|at| Some((of(at).end_rank, of(at).is_recursive))).collect();
        let is_sized = rules.iter().any(|at| of(at).is_recursive);
        let groups: Vec<Vec<usize>> = rules.iter().map(|at| vec![*at]).collect();
        let number = self.emit_possible(it, writer, &groups, &mut |this, it, possible| {
            let heights: Vec<_> = mask(&heights, possible);
            let how = (&weights[..], None, is_sized);
            this.emit_constructor_index(it, how, &heights, writer.size)
        });
        let mut terms = Vec::new();
        for at in rules {
            terms.push(self.emit_attempt(it, writer, *at)?);
        }
        Some(self.emit_chosen(it, writer, number, terms))
    }

    /// The chosen alternative; nothing if none is possible, which is the number after the last.
    fn emit_chosen(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        number: TermId,
        mut terms: Vec<TermId>,
    ) -> TermId {
        if writer.tried.is_some() {
            terms.push(self.emit_nothing(it, writer));
        }
        it.choose_by_index(number, terms)
    }

    /// A constructor, and then one of its alternatives.
    fn emit_sum_bundle(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        node: PlanNodeId,
    ) -> Option<TermId> {
        let PlanShape::Sum(named, cases) = self.plan.node(node).shape.clone() else {
            return None;
        };
        let program = self.program;
        let weights = self.plan.weights(program, named, &cases);
        let groups: Vec<Vec<usize>> = (0..cases.len()).map(|at| writer.rules_of(at)).collect();
        let measure = |at: &usize| {
            let rule = &writer.bundle.rules[*at];
            (rule.end_rank, rule.is_recursive)
        };
        let heights: Vec<Option<(u32, bool)>> =
            groups.iter().map(|rules| rules.iter().map(measure).min()).collect();
        let favours = program.nominal(named).weights.is_none();
        let favours = favours.then(|| (named, recursive_constructors(&heights)));
        let is_sized = self.plan.node(node).is_sized;
        let number = self.emit_possible(it, writer, &groups, &mut |this, it, possible| {
            let heights = mask(&heights, possible);
            let weights: Vec<ConstructorWeight> = weights
                .iter()
                .zip(&heights)
                .map(|(it, height)| match height {
                    Some(_) => it.clone(),
                    None => ConstructorWeight::Number(0),
                })
                .collect();
            this.emit_constructor_index(
                it,
                (&weights, favours, is_sized),
                &heights,
                writer.size,
            )
        });
        let mut terms = Vec::new();
        for rules in &groups {
            terms.push(match rules.is_empty() {
                true => self.emit_nothing(it, writer),
                false => self.emit_rules(it, writer, rules)?,
            });
        }
        Some(self.emit_chosen(it, writer, number, terms))
    }

    /// Draws "one more?", and then the alternative of the empty list or of a longer one.
    fn emit_list_bundle(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        node: PlanNodeId,
    ) -> Option<TermId> {
        let (ends, goes_on) = (writer.rules_of(0), writer.rules_of(1));
        if goes_on.is_empty() && writer.tried.is_none() {
            return self.emit_rules(it, writer, &ends);
        }
        let may_end = self.emit_any_possible(it, writer, &ends);
        let may_go_on = self.emit_any_possible(it, writer, &goes_on);
        let n = writer.count?;
        let (is_sized, nesting) = {
            let node = self.plan.node(node);
            (node.is_sized, node.nesting)
        };
        let average = (AVERAGE_LEN >> nesting.saturating_sub(1).min(2)).max(2);
        let mut count = it.local(n);
        // Counting as `ENOUGH` elements makes the answer a "no" without chance.
        let max = Some(ENOUGH as u32);
        if is_sized {
            let left = it.local(writer.size);
            let is_over = it.compare(builtin::LE, left, 0);
            let enough = it.int(ENOUGH);
            count = it.if_(is_over, enough, count);
        }
        if goes_on.is_empty() {
            count = it.int(ENOUGH);
        } else if let Some(may_go_on) = may_go_on {
            let enough = it.int(ENOUGH);
            count = it.if_(may_go_on, count, enough);
        }
        let label = {
            let PlanShape::List(item, _) = self.plan.node(node).shape else { return None };
            format!("{}[]", self.value_name(item))
        };
        let range = LengthRange { min: 0, max };
        let mut answer = self.emit_one_more(it, writer.mode, (range, average), &label, count);
        if ends.is_empty() || may_end.is_some() {
            let range = LengthRange { min: 1, max };
            let none = it.int(0);
            let forced = self.emit_one_more(it, writer.mode, (range, average), &label, none);
            answer = match may_end {
                Some(may_end) => it.if_(may_end, answer, forced),
                None => forced,
            };
        }
        let follows = it.equals_int(answer, 1);
        let longer = match goes_on.is_empty() {
            true => self.emit_nothing(it, writer),
            false => self.emit_rules(it, writer, &goes_on)?,
        };
        let end = match ends.is_empty() {
            true => self.emit_nothing(it, writer),
            false => self.emit_rules(it, writer, &ends)?,
        };
        let value = it.if_(follows, longer, end);
        if writer.tried.is_none() {
            return Some(value);
        }
        // Nothing is possible any more.
        let all: Vec<usize> = (0..writer.bundle.rules.len()).collect();
        let Some(any) = self.emit_any_possible(it, writer, &all) else { return Some(value) };
        let nothing = self.emit_nothing(it, writer);
        Some(it.if_(any, value, nothing))
    }

    /// Draws whether one more element follows.
    fn emit_one_more(
        &mut self,
        it: &mut CoreBuilder,
        mode: GeneratorMode,
        (lens, average): (LengthRange, u32),
        label: &str,
        count: TermId,
    ) -> TermId {
        let kind = self.intern_kind(Kind::MoreElements(more_elements_kind(lens, average)));
        let (op, first) = match mode {
            GeneratorMode::Search => (self.ops.more, i64::from(kind.number())),
            GeneratorMode::Record => {
                let element = self.labels.intern(label);
                let container = ContainerKind { more: kind, element };
                (self.ops.element, self.container_number(container))
            }
        };
        let first = it.int(first);
        it.perform(op, vec![first, count], TypeTable::INT)
    }

    /// The number of an alternative, chosen by `then` among those that are possible; the number
    /// after the last if none is.
    fn emit_possible(
        &mut self,
        it: &mut CoreBuilder,
        writer: &BundleWriter<'_>,
        alternatives: &[Vec<usize>],
        then: &mut dyn FnMut(&mut Self, &mut CoreBuilder, &[bool]) -> TermId,
    ) -> TermId {
        let mut conditions = Vec::new();
        let mut statements = Vec::new();
        for (at, rules) in alternatives.iter().enumerate() {
            if let Some(holds) = self.emit_any_possible(it, writer, rules) {
                let (local, bind) = it.bind("possible", holds);
                statements.push(bind);
                conditions.push((at, local));
            }
        }
        let mut possible: Vec<bool> = alternatives.iter().map(|it| !it.is_empty()).collect();
        let number = self.emit_combinations(it, &conditions, &mut possible, then);
        it.block(statements, number)
    }

    fn emit_combinations(
        &mut self,
        it: &mut CoreBuilder,
        conditions: &[(usize, LocalId)],
        possible: &mut Vec<bool>,
        then: &mut dyn FnMut(&mut Self, &mut CoreBuilder, &[bool]) -> TermId,
    ) -> TermId {
        let Some(((at, local), rest)) = conditions.split_first() else {
            if !possible.contains(&true) {
                return it.int(possible.len() as i64);
            }
            return then(self, it, possible);
        };
        let with = self.emit_combinations(it, rest, possible, then);
        possible[*at] = false;
        let without = self.emit_combinations(it, rest, possible, then);
        possible[*at] = true;
        let condition = it.local(*local);
        it.if_(condition, with, without)
    }
}

/// A function that is being written.
struct BundleWriter<'a> {
    made: &'a RecipeFunctions,
    bundle: &'a RecipeBundle,
    mode: GeneratorMode,
    size: LocalId,
    /// The number of elements before, in the function of a list.
    count: Option<LocalId>,
    params: Vec<LocalId>,
    /// How often each alternative was tried, where they may turn out to be impossible.
    tried: Option<LocalId>,
    /// The state to come back to.
    mark: Option<LocalId>,
    id: FunctionId,
    result: TyId,
    /// For each alternative whether it is possible, if that depends.
    conditions: Vec<Option<LocalId>>,
}

impl BundleWriter<'_> {
    /// The locals of the variables of a rule: the parameters come first.
    fn param_vars(&self) -> Vec<Option<LocalId>> {
        self.params.iter().copied().map(Some).collect()
    }

    /// The alternatives of a constructor.
    fn rules_of(&self, constructor: usize) -> Vec<usize> {
        let rules = self.bundle.rules.iter().enumerate();
        rules.filter(|(_, it)| it.constructor == constructor).map(|(at, _)| at).collect()
    }

    /// Whether the function returns an option: no value may be found.
    fn is_optional(&self) -> bool {
        self.tried.is_some() && !matches!(self.bundle.kind, BundleKind::Inputs)
    }
}

/// The alternatives that are possible.
fn mask<T: Clone>(all: &[Option<T>], possible: &[bool]) -> Vec<Option<T>> {
    let each = all.iter().zip(possible);
    each.map(|(it, possible)| it.clone().filter(|_| *possible)).collect()
}
