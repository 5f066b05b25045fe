//! Elaborates relations: inference rules whose free names are variables.

use gainsay_core::{
    Body, FunctionKind, LocalId, ModuleId, RelId, Rule, Term, TermId, TyId, TypeTable,
};
use gainsay_syntax::ast::{self, Expr, Name, RelItem};

use super::Elaborator;
use super::calls::{PendingArgument, arguments};
use crate::checker::Checker;
use crate::effect_rows::{EffectLimit, PurePlace};
use crate::findings::{BadRule, DuplicateDefinition, LonelyVariable, RuleProblem};
use crate::signatures::type_param_names;
use crate::type_annotations::TypeScope;

pub(super) fn elaborate_rel<'t>(
    checker: &mut Checker<'t>,
    id: RelId,
    item: RelItem<'t>,
    module: ModuleId,
) {
    let mut rules: Vec<Rule> = Vec::new();
    for rule in item.rules() {
        let label = rule.label();
        let twin = label.and_then(|label| rules.iter().find(|it| &*it.name == label.text()));
        if let (Some(label), Some(first)) = (label, twin.map(|it| it.span)) {
            let (name, span) = (label.text().to_owned(), label.span());
            checker.report(DuplicateDefinition { name, span, first });
        }
        let scope = TypeScope::new(module, type_param_names(item.type_params()));
        // A scope of its own for every rule: rules share type parameters, but no variables.
        rules.extend(elaborate_rule(checker, id, rule, scope));
    }
    checker.program.rels[id.index()].rules = rules.into();
}

fn elaborate_rule<'t>(
    checker: &mut Checker<'t>,
    rel: RelId,
    rule: ast::Rule<'t>,
    scope: TypeScope<'t>,
) -> Option<Rule> {
    let conclusion = rule.conclusion()?;
    let module = checker.program.rel(rel).module;
    let name = rule.label().map_or("", Name::text);
    let span = rule.label().map_or(rule.span(), Name::span);
    // The body of a rule belongs to no function, but a frame needs one.
    let scratch = checker.new_function(name, module, span, FunctionKind::Claim);
    checker.program.functions[scratch.index()].result = TypeTable::UNIT;
    let mut it = Elaborator::new(checker, module, scope);
    it.in_rule = true;
    it.enter_declared(scratch, EffectLimit::Pure(PurePlace::Rule));
    let weight = rule.weight().map(|weight| it.check(weight, TypeTable::INT));
    // The conclusion first: its arguments give the variables the types of the parameters, with
    // which the premises are then checked.
    let args = it.conclusion(rel, conclusion);
    let premises: Vec<TermId> =
        rule.premises().map(|premise| it.check(premise, TypeTable::BOOL)).collect();
    it.report_lonely_variables();
    let root = it.unit(span);
    it.leave_declared(root, Vec::new(), Vec::new());
    it.finish();
    // The terms now belong to the rule; the scratch function gets an empty body.
    let mut nothing = Body::default();
    nothing.root = Some(nothing.add(Term::Tuple(Box::default()), TypeTable::UNIT, span));
    let function = &mut checker.program.functions[scratch.index()];
    let body = std::mem::replace(&mut function.body, nothing);
    let anonymous = body
        .locals
        .iter()
        .enumerate()
        .filter(|(_, local)| &*local.name == "_")
        .map(|(at, _)| LocalId(at as u32))
        .collect();
    Some(Rule {
        name: name.into(),
        span,
        body,
        weight,
        conclusion: args.into(),
        premises: premises.into(),
        anonymous,
    })
}

impl<'t> Elaborator<'_, 't> {
    /// The arguments of the conclusion, which must be a call of the relation itself.
    fn conclusion(&mut self, rel: RelId, conclusion: Expr<'t>) -> Vec<Option<TermId>> {
        let own = self.checker.program.rel(rel);
        let name = own.name.clone();
        let params: Vec<TyId> = own.params.iter().map(|it| it.ty).collect();
        let is_own = |callee: Expr<'t>| {
            let Expr::Name(callee) = callee else { return false };
            callee.name().is_some_and(|it| it.text() == &*name)
        };
        let Expr::Call(call) = conclusion else {
            return self.report_no_conclusion(&name, conclusion);
        };
        if !call.callee().is_some_and(is_own) {
            return self.report_no_conclusion(&name, conclusion);
        }
        let args = arguments(call.args());
        if args.len() != params.len() {
            let (expected, actual) = (params.len(), args.len());
            let problem = RuleProblem::WrongArity { expected, actual };
            let relation = name.to_string();
            self.report(BadRule { relation, problem, span: call.span() });
        }
        let mut terms = Vec::new();
        for (arg, ty) in args.into_iter().zip(params) {
            let is_hole = matches!(arg, PendingArgument::Expr(Expr::Hole(_), _));
            // A `_` here stands for any value at all, and needs no variable that a premise could
            // name.
            terms.push((!is_hole).then(|| self.argument(arg, Some(ty))));
        }
        terms
    }

    fn report_no_conclusion(
        &mut self,
        name: &str,
        conclusion: Expr<'t>,
    ) -> Vec<Option<TermId>> {
        let (relation, problem) = (name.to_owned(), RuleProblem::NoConclusion);
        self.report(BadRule { relation, problem, span: conclusion.span() });
        Vec::new()
    }

    /// `_` inside a term of a rule: an anonymous variable.
    pub(super) fn anonymous_variable(&mut self, span: gainsay_source::Span) -> TermId {
        let ty = self.fresh();
        let local = self.frame_mut().body.add_local("_", ty, span);
        self.local(local, span)
    }

    /// Reports variables that occur once: they constrain nothing, so they are misspelt or should be
    /// `_`.
    fn report_lonely_variables(&mut self) {
        let body = &self.frame().body;
        let mut uses = vec![0_usize; body.locals.len()];
        for term in &body.terms {
            if let Term::Local(local) = term {
                uses[local.index()] += 1;
            }
        }
        let lonely: Vec<LonelyVariable> = body
            .locals
            .iter()
            .zip(&uses)
            .filter(|(local, uses)| **uses == 1 && !local.name.starts_with('_'))
            .map(|(local, _)| LonelyVariable { name: local.name.to_string(), span: local.span })
            .collect();
        for finding in lonely {
            self.report(finding);
        }
    }
}
