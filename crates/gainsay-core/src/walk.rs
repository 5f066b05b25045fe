//! Visitors over the direct subterms and subpatterns of each form, in evaluation order.

use crate::id::{FunctionId, PatternId, TermId, TyId};
use crate::term::{BinderSource, EffectHandler, Pattern, RestPattern, Statement, Term};

impl Term {
    /// Calls `visit` with a mutable reference to every direct subterm, in evaluation order.
    pub fn for_each_subterm_mut(&mut self, visit: &mut dyn FnMut(&mut TermId)) {
        match self {
            Self::Literal(_) | Self::Local(_) | Self::Constant(_) => {}
            Self::Function { .. } | Self::Hole => {}
            Self::Closure { captures: parts, .. }
            | Self::Call { args: parts, .. }
            | Self::Builtin { args: parts, .. }
            | Self::Perform { args: parts, .. }
            | Self::CheckRel { args: parts, .. }
            | Self::Construct { args: parts, .. }
            | Self::Tuple(parts)
            | Self::Par { branches: parts, .. } => parts.iter_mut().for_each(visit),
            Self::CallValue { callee, args } => {
                visit(callee);
                args.iter_mut().for_each(visit);
            }
            Self::List { items, rest } => items.iter_mut().chain(rest).for_each(visit),
            Self::Field { base: part, .. }
            | Self::Try { value: part, .. }
            | Self::Refine { value: part, .. }
            | Self::Observe { condition: part, .. }
            | Self::Sample { condition: part, .. }
            | Self::Throws { body: part, .. }
            | Self::Traced { call: part }
            | Self::Assume(part) => visit(part),
            Self::Update { base, fields } => {
                visit(base);
                fields.iter_mut().for_each(|(_, value)| visit(value));
            }
            Self::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(visit);
            }
            Self::And(a, b) | Self::Or(a, b) => [a, b].into_iter().for_each(visit),
            Self::Match { scrutinee, arms } => {
                visit(scrutinee);
                for arm in arms {
                    let parts = arm.weight.iter_mut().chain(&mut arm.guard);
                    parts.chain([&mut arm.body]).for_each(&mut *visit);
                }
            }
            Self::Block { statements, result } => {
                for statement in statements {
                    let (Statement::Let(_, value) | Statement::Drop(value)) = statement;
                    visit(value);
                }
                visit(result);
            }
            Self::Under { handlers: answers, body } => {
                for answer in answers {
                    if let EffectHandler::Stub(_, stub) = answer {
                        visit(stub);
                    }
                }
                visit(body);
            }
            Self::Across { binders, condition, body } => {
                for binder in binders {
                    if let BinderSource::Generator(generator) = &mut binder.source {
                        visit(generator);
                    }
                }
                condition.iter_mut().for_each(&mut *visit);
                visit(body);
            }
        }
    }

    /// Calls `visit` with every direct subterm, in evaluation order.
    pub fn for_each_subterm(&self, visit: &mut dyn FnMut(TermId)) {
        match self {
            Self::Literal(_) | Self::Local(_) | Self::Constant(_) => {}
            Self::Function { .. } | Self::Hole => {}
            Self::Closure { captures: parts, .. }
            | Self::Call { args: parts, .. }
            | Self::Builtin { args: parts, .. }
            | Self::Perform { args: parts, .. }
            | Self::CheckRel { args: parts, .. }
            | Self::Construct { args: parts, .. }
            | Self::Tuple(parts)
            | Self::Par { branches: parts, .. } => parts.iter().copied().for_each(visit),
            Self::CallValue { callee, args } => {
                visit(*callee);
                args.iter().copied().for_each(visit);
            }
            Self::List { items, rest } => items.iter().chain(rest).copied().for_each(visit),
            Self::Field { base: part, .. }
            | Self::Try { value: part, .. }
            | Self::Refine { value: part, .. }
            | Self::Observe { condition: part, .. }
            | Self::Sample { condition: part, .. }
            | Self::Throws { body: part, .. }
            | Self::Traced { call: part }
            | Self::Assume(part) => visit(*part),
            Self::Update { base, fields } => {
                visit(*base);
                fields.iter().for_each(|(_, value)| visit(*value));
            }
            Self::If { condition, then, otherwise } => {
                [*condition, *then, *otherwise].into_iter().for_each(visit);
            }
            Self::And(a, b) | Self::Or(a, b) => [*a, *b].into_iter().for_each(visit),
            Self::Match { scrutinee, arms } => {
                visit(*scrutinee);
                for arm in arms {
                    let parts = arm.weight.into_iter().chain(arm.guard).chain([arm.body]);
                    parts.for_each(&mut *visit);
                }
            }
            Self::Block { statements, result } => {
                statements.iter().for_each(|statement| visit(statement.value()));
                visit(*result);
            }
            Self::Under { handlers: answers, body } => {
                answers.iter().filter_map(EffectHandler::stub).for_each(&mut *visit);
                visit(*body);
            }
            Self::Across { binders, condition, body } => {
                for binder in binders {
                    if let BinderSource::Generator(generator) = binder.source {
                        visit(generator);
                    }
                }
                condition.iter().chain([body]).copied().for_each(visit);
            }
        }
    }

    /// The function that a term references.
    pub fn function(&self) -> Option<FunctionId> {
        if let Self::Function { function, .. }
        | Self::Closure { function, .. }
        | Self::Call { function, .. } = self
        {
            Some(*function)
        } else {
            None
        }
    }

    /// Calls `visit` with every type argument and type in a term.
    pub fn for_each_type(&self, visit: &mut dyn FnMut(TyId)) {
        if let Self::Function { type_args, .. }
        | Self::Call { type_args, .. }
        | Self::Builtin { type_args, .. }
        | Self::Perform { type_args, .. } = self
        {
            type_args.iter().copied().for_each(visit);
        } else if let Self::Refine { ty, .. } = self {
            visit(*ty);
        } else if let Self::Across { binders, .. } = self {
            binders.iter().for_each(|binder| visit(binder.ty));
        }
    }
}

impl Statement {
    /// The term that the statement evaluates.
    pub fn value(&self) -> TermId {
        match self {
            Self::Let(_, value) | Self::Drop(value) => *value,
        }
    }

    /// The pattern that the statement binds.
    pub fn pattern(&self) -> Option<PatternId> {
        match self {
            Self::Let(pattern, _) => Some(*pattern),
            Self::Drop(_) => None,
        }
    }
}

impl EffectHandler {
    /// The stub's term.
    pub fn stub(&self) -> Option<TermId> {
        match self {
            Self::Stub(_, stub) => Some(*stub),
            Self::World(_) => None,
        }
    }
}

impl Pattern {
    /// Calls `visit` with every direct subpattern, from left to right.
    pub fn for_each_subpattern(&self, visit: &mut dyn FnMut(PatternId)) {
        match self {
            Self::Wildcard | Self::Bind(_) | Self::Literal(_) => {}
            Self::Tuple(parts) | Self::Ctor(_, parts) | Self::Or(parts) => {
                parts.iter().copied().for_each(visit);
            }
            Self::List(parts, rest) => {
                parts.iter().copied().for_each(&mut *visit);
                if let RestPattern::Some(rest) = rest {
                    visit(*rest);
                }
            }
        }
    }
}
