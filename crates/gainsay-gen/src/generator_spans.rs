//! Spans of handwritten generators: in the record program, the draws of such a function are inside
//! a span that is named after it.

use std::collections::HashMap;

use gainsay_core::{
    Function, FunctionId, FunctionKind, LocalId, Pattern, Statement, Term, TermId, Ty, TyId,
    TypeTable,
};

use crate::core_builder::CoreBuilder;
use crate::derive::GeneratorMode;
use crate::draw_effect::std_effect;
use crate::rewrite::Rewriter;

/// Functions of the standard library that get a span; the others call these or delegate.
const NAMED: [&str; 5] = ["list", "option", "one_of", "freq", "such_that"];

impl Rewriter<'_> {
    /// Wraps the bodies of all functions that draw in spans.
    pub(crate) fn open_spans(&mut self) {
        let mut n_lambdas: HashMap<FunctionId, u32> = HashMap::new();
        for (target, source) in std::mem::take(&mut self.rewritten) {
            // Before the check below: lambdas are numbered alike, whether or not they get a span.
            let Some(label) = self.span_label(source, &mut n_lambdas) else { continue };
            if self.input_closures.contains(&target) {
                continue;
            }
            let record = &self.deriver.record[target.index()];
            let leaves = record.body.terms.iter().any(|it| matches!(it, Term::Try { .. }));
            if leaves {
                self.wrap_in_caller(target, &label);
            } else {
                self.wrap(target, &label);
            }
        }
    }

    /// The label of the span around the draws of a function, if it draws.
    fn span_label(
        &self,
        source: FunctionId,
        n_lambdas: &mut HashMap<FunctionId, u32>,
    ) -> Option<String> {
        let program = self.deriver.program;
        let function = program.function(source);
        let module = program.module(function.module);
        let draws = || {
            let generating = std_effect(program, "Gen");
            let ops = &program.types.get_row(function.row).ops;
            ops.iter().any(|it| Some(program.op(*it).effect) == generating)
        };
        match function.kind {
            FunctionKind::Declared if module.is_std => {
                let is_named = &*module.name == "gen" && NAMED.contains(&&*function.name);
                is_named.then(|| function.name.to_string())
            }
            FunctionKind::Declared => draws().then(|| function.name.to_string()),
            FunctionKind::Lambda(_) if module.is_std => None,
            FunctionKind::Lambda(parent) => {
                let number = n_lambdas.entry(parent).or_default();
                *number += 1;
                draws().then(|| format!("{}|{number}", function.name))
            }
            FunctionKind::Refinement | FunctionKind::Constant | FunctionKind::Claim => None,
        }
    }

    /// `{ open(label); let value = body; close(); value }`.
    fn wrap(&mut self, target: FunctionId, label: &str) {
        let label = self.deriver.labels.intern(label);
        let (open, close) = (self.deriver.ops.open, self.deriver.ops.close);
        let function = &mut self.deriver.record[target.index()];
        let body = &mut function.body;
        let Some(root) = body.root else { return };
        let (ty, span) = (body.ty(root), body.span(root));
        let int = TypeTable::INT;
        let perform =
            |op, args: Box<[TermId]>| Term::Perform { op, type_args: [].into(), args };
        let number = gainsay_core::Literal::Int(i64::from(label.0));
        let number = body.add(Term::Literal(number), int, span);
        let open = body.add(perform(open, [number].into()), int, span);
        let close = body.add(perform(close, [].into()), int, span);
        let local = body.add_local("value", ty, span);
        let pattern = body.add_pattern(Pattern::Bind(local));
        let result = body.add(Term::Local(local), ty, span);
        let statements =
            [Statement::Drop(open), Statement::Let(pattern, root), Statement::Drop(close)];
        let block = Term::Block { statements: statements.into(), result };
        body.root = Some(body.add(block, ty, span));
    }

    /// Renames a function that `?` can leave early, and puts a caller with a span in its place, so
    /// that the span is closed whichever way the function ends.
    fn wrap_in_caller(&mut self, target: FunctionId, label: &str) {
        let inner = self.deriver.reserve();
        let before = self.deriver.record[target.index()].clone();
        let wrapper = self.wrapper(&before, inner, label);
        // The search program keeps the function as it was; the copy only makes ids agree.
        let search = self.deriver.search[target.index()].clone();
        self.deriver.define(GeneratorMode::Search, inner, search);
        self.deriver.define(GeneratorMode::Record, inner, before);
        self.deriver.define(GeneratorMode::Record, target, wrapper);
    }

    fn wrapper(&mut self, before: &Function, inner: FunctionId, label: &str) -> Function {
        let mut it = CoreBuilder::new(before.span);
        let mut locals: Vec<LocalId> = Vec::new();
        for param in &before.params {
            let ty = self.deriver.types.erase_refinements(param.ty);
            locals.push(it.param(&param.name, ty));
        }
        let result = self.deriver.types.erase_refinements(before.result);
        let args = it.locals(&locals);
        let n_captures = before.n_captures as usize;
        let value = if n_captures == 0 {
            let n_types = before.type_params.len() as u32;
            let type_args: Vec<TyId> =
                (0..n_types).map(|at| self.deriver.types.intern(Ty::Param(at))).collect();
            it.generic_call(inner, type_args.into(), args, result)
        } else {
            let (captures, args) = args.split_at(n_captures);
            let params = before.params[n_captures..].iter().map(|it| it.ty).collect();
            let ty = Ty::Function { params, result: before.result, row: before.row };
            let ty = self.deriver.types.intern(ty);
            let closure = it.closure(inner, captures.to_vec(), ty);
            it.call_value(closure, args.to_vec(), result)
        };
        let root = self.deriver.wrap_in_span(&mut it, label, value);
        let mut header = self.deriver.header(&before.name, result);
        header.module = before.module;
        header.kind = before.kind;
        header.n_captures = before.n_captures;
        header.row = before.row;
        let mut wrapper = it.finish(header, root);
        wrapper.type_params = before.type_params.clone();
        wrapper.effect_params = before.effect_params.clone();
        wrapper
    }
}
