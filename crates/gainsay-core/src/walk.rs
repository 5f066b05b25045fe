//! Visitors over the direct subterms and subpatterns of each form, in evaluation order.

use crate::id::{FunctionId, PatternId, TermId, TyId};
use crate::term::{
    AcrossBinder, Arm, BinderSource, EffectHandler, Pattern, RestPattern, Statement, Term,
};

/// Visits every direct subterm in evaluation order. Through `&Term` the visitor gets references,
/// through `&mut Term` mutable ones; the match is the same.
macro_rules! visit_subterms {
    ($term:expr, $visit:expr) => {{
        let mut visit = $visit;
        match $term {
            Term::Literal(_) | Term::Local(_) | Term::Constant(_) => {}
            Term::Function { .. } | Term::Hole => {}
            Term::Closure { captures: parts, .. }
            | Term::Call { args: parts, .. }
            | Term::Builtin { args: parts, .. }
            | Term::Perform { args: parts, .. }
            | Term::CheckRel { args: parts, .. }
            | Term::Construct { args: parts, .. }
            | Term::Tuple(parts)
            | Term::Par { branches: parts, .. } => parts.into_iter().for_each(visit),
            Term::CallValue { callee, args } => {
                visit(callee);
                args.into_iter().for_each(visit);
            }
            Term::List { items, rest } => items.into_iter().chain(rest).for_each(visit),
            Term::Field { base: part, .. }
            | Term::Try { value: part, .. }
            | Term::Refine { value: part, .. }
            | Term::Observe { condition: part, .. }
            | Term::Sample { condition: part, .. }
            | Term::Throws { body: part, .. }
            | Term::Traced { call: part }
            | Term::Assume(part) => visit(part),
            Term::Update { base, fields } => {
                visit(base);
                fields.into_iter().for_each(|(_, value)| visit(value));
            }
            Term::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(visit);
            }
            Term::And(a, b) | Term::Or(a, b) => [a, b].into_iter().for_each(visit),
            Term::Match { scrutinee, arms } => {
                visit(scrutinee);
                for Arm { weight, guard, body, .. } in arms {
                    weight.into_iter().chain(guard).chain([body]).for_each(&mut visit);
                }
            }
            Term::Block { statements, result } => {
                for statement in statements {
                    let (Statement::Let(_, value) | Statement::Drop(value)) = statement;
                    visit(value);
                }
                visit(result);
            }
            Term::Under { handlers, body } => {
                for handler in handlers {
                    if let EffectHandler::Stub(_, stub) = handler {
                        visit(stub);
                    }
                }
                visit(body);
            }
            Term::Across { binders, condition, body } => {
                for AcrossBinder { source, .. } in binders {
                    if let BinderSource::Generator(generator) = source {
                        visit(generator);
                    }
                }
                condition.into_iter().chain([body]).for_each(visit);
            }
        }
    }};
}

impl Term {
    /// Calls `visit` with a mutable reference to every direct subterm, in evaluation order.
    pub fn for_each_subterm_mut(&mut self, visit: &mut dyn FnMut(&mut TermId)) {
        visit_subterms!(self, |part: &mut TermId| visit(part));
    }

    /// Calls `visit` with every direct subterm, in evaluation order.
    pub fn for_each_subterm(&self, visit: &mut dyn FnMut(TermId)) {
        visit_subterms!(self, |part: &TermId| visit(*part));
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
