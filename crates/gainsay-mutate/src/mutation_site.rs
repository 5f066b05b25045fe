//! The interface between operators and the program: a term with its context and source text, and
//! the methods that create mutants of it.

use std::collections::BTreeSet;

use gainsay_core::builtin::BOOL_NOT;
use gainsay_core::{Body, Function, Literal, Program, Term, TermId, TyId, TypeTable};
use gainsay_source::{SourceMap, Span};
use gainsay_syntax::ast::{BinaryOp, Expr};

use crate::expected_type::{ExpectedType, has_evident_type, has_vague_type};
use crate::source_edit::{SourceEdit, in_parentheses, infix_operator, is_atomic};
use crate::syntax_trees::SyntaxTrees;

/// The role of a term.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum TermRole {
    /// An ordinary value.
    Value,
    /// The result of the whole function.
    Root,
    /// The condition of an `if`.
    Condition,
    /// The guard of an arm.
    Guard,
    /// A clause of a contract.
    Clause,
    /// A part of the predicate of a refinement type.
    Refinement,
}

/// A mutant as an operator makes it.
#[derive(Debug, Clone)]
pub(crate) struct MutantDraft {
    pub(crate) operator: &'static str,
    pub(crate) term: TermId,
    pub(crate) replacement: TermId,
    pub(crate) edit: SourceEdit,
    pub(crate) description: String,
}

/// Names that a program declares itself, which may shadow those of the standard library.
#[derive(Debug, Default)]
pub(crate) struct UserNames<'p>(BTreeSet<&'p str>);

impl<'p> UserNames<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let is_own = |module| !program.module(module).is_std;
        let nominals = program.nominals.iter().filter(|it| is_own(it.module));
        let ctors = program.ctors.iter().filter(|it| is_own(program.nominal(it.ty).module));
        let effects = program.effects.iter().filter(|it| is_own(it.module));
        let names = nominals.map(|it| &*it.name);
        let names = names.chain(ctors.map(|it| &*it.name));
        Self(names.chain(effects.map(|it| &*it.name)).collect())
    }

    /// Whether a name of the standard library is not shadowed.
    pub(crate) fn leave_unshadowed(&self, name: &str) -> bool {
        !self.0.contains(name)
    }
}

/// A truth value that replaces a term.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum TruthValue {
    True,
    False,
}

/// A term that an operator is applied to.
pub(crate) struct MutationSite<'a, 'p> {
    pub(crate) program: &'p Program,
    pub(crate) files: &'p SourceMap,
    pub(crate) trees: &'a SyntaxTrees,
    pub(crate) user_names: &'a UserNames<'p>,
    pub(crate) function: &'p Function,
    /// The body, with the terms of mutants after the original ones.
    pub(crate) body: &'a mut Body,
    pub(crate) term: TermId,
    pub(crate) role: TermRole,
    /// What the context determines of its type.
    pub(crate) expected_type: ExpectedType,
    pub(crate) operator: &'static str,
    pub(crate) drafts: &'a mut Vec<MutantDraft>,
}

impl<'p> MutationSite<'_, 'p> {
    /// The term itself.
    pub(crate) fn current_term(&self) -> Term {
        self.body.term(self.term).clone()
    }

    /// The type of the term.
    pub(crate) fn ty(&self) -> TyId {
        self.body.ty(self.term)
    }

    /// The type of a term without its outer refinements.
    pub(crate) fn unrefined_type(&self, term: TermId) -> TyId {
        self.program.types.base(self.body.ty(term))
    }

    /// The span of the term.
    pub(crate) fn span(&self) -> Span {
        self.full_span(self.term)
    }

    /// The text of the term.
    pub(crate) fn text(&self) -> &'p str {
        self.text_of(self.term)
    }

    /// The text of a term.
    pub(crate) fn text_of(&self, term: TermId) -> &'p str {
        self.files.text(self.full_span(term))
    }

    /// The text between two offsets of the file.
    pub(crate) fn text_between(&self, start: u32, end: u32) -> &'p str {
        let span = Span::new(self.span().file, start, end);
        if start > end { "" } else { self.files.text(span) }
    }

    /// The span of a term. The span recorded for `x |> f(y)` is that of `f(y)`; this one includes
    /// the piped value.
    pub(crate) fn full_span(&self, term: TermId) -> Span {
        let span = self.body.span(term);
        let Some(first) = self.first_argument(term) else { return span };
        let before = self.body.span(first);
        // An argument behind the name, or one without text, was not piped in.
        if before.file != span.file || before.end > span.start || before.start == before.end {
            return span;
        }
        self.trees.pipe_into(span).unwrap_or(span)
    }

    /// The first argument of a call.
    fn first_argument(&self, term: TermId) -> Option<TermId> {
        if let Term::Call { args, .. }
        | Term::Builtin { args, .. }
        | Term::Perform { args, .. }
        | Term::Construct { args, .. }
        | Term::CheckRel { args, .. }
        | Term::CallValue { args, .. } = self.body.term(term)
        {
            args.first().map(|it| self.without_refinement(*it))
        } else if let Term::Refine { value, .. } = self.body.term(term)
            && self.body.span(*value) == self.body.span(term)
        {
            self.first_argument(*value)
        } else {
            None
        }
    }

    /// The value inside a refinement check; the term itself otherwise.
    pub(crate) fn without_refinement(&self, term: TermId) -> TermId {
        if let Term::Refine { value, .. } = self.body.term(term) { *value } else { term }
    }

    /// Whether a part of the term appears in its text, rather than being the result of desugaring.
    pub(crate) fn is_in_source(&self, part: TermId) -> bool {
        let (inner, outer) = (self.full_span(part), self.span());
        inner.file == outer.file
            && outer.start <= inner.start
            && inner.end <= outer.end
            && inner.start < inner.end
            // A part that covers the whole text is the term itself, desugared.
            && inner != outer
    }

    /// Whether the term is written as a call of these arguments: with parentheses, or by a pipe.
    pub(crate) fn is_call(&self, args: &[TermId]) -> bool {
        let mut args = args.iter().map(|it| self.without_refinement(*it));
        let text = self.text();
        let is_piped = match self.trees.expression(self.span()) {
            Some(Expr::Binary(it)) => it.op() == Some(BinaryOp::Pipe),
            Some(_) | None => false,
        };
        args.len() > 0
            && (text.ends_with(')') || is_piped)
            && args.all(|it| self.is_in_source(it))
    }

    /// Whether a part of the term comes first in its text.
    pub(crate) fn is_before_name(&self, part: TermId) -> bool {
        let before = self.text_between(self.span().start, self.full_span(part).start);
        before.trim_matches(['(', '{', ' ', '\n', '\t']).is_empty()
    }

    /// Adds a term with the type and span of this one.
    pub(crate) fn add_term(&mut self, term: Term) -> TermId {
        let ty = self.ty();
        self.add_typed_term(term, ty)
    }

    /// Adds a term of another type, with the span of this one.
    pub(crate) fn add_typed_term(&mut self, term: Term, ty: TyId) -> TermId {
        let span = self.body.span(self.term);
        self.body.add(term, ty, span)
    }

    /// Makes a mutant: a truth value in place of the term.
    pub(crate) fn replace_with_truth(&mut self, truth: TruthValue, what: &str) {
        let (literal, text) = match truth {
            TruthValue::True => (Literal::Bool(true), "true"),
            TruthValue::False => (Literal::Bool(false), "false"),
        };
        let instead = self.add_typed_term(Term::Literal(literal), TypeTable::BOOL);
        self.replace(instead, text, what.to_owned());
    }

    /// A copy of the term, to be used inside its replacement. The term's own id would be a cycle:
    /// it denotes the replacement when the mutant is active.
    pub(crate) fn copy_term(&mut self) -> TermId {
        let term = self.current_term();
        self.add_term(term)
    }

    /// Makes a mutant: the negation of the term.
    pub(crate) fn negate(&mut self, what: &str) {
        let again = self.copy_term();
        let args = Box::new([again]);
        let not = Term::Builtin { builtin: BOOL_NOT, type_args: Box::default(), args };
        let instead = self.add_term(not);
        let text = self.text();
        let text = if is_atomic(text) { text.to_owned() } else { in_parentheses(text) };
        self.replace(instead, format!("!{text}"), what.to_owned());
    }

    /// Makes a mutant: another term in place of this one, with its text.
    pub(crate) fn replace(&mut self, instead: TermId, text: impl Into<String>, what: String) {
        let mut text = text.into();
        // A block's span includes its braces, which must stay where the grammar requires a block.
        if matches!(self.body.term(self.term), Term::Block { .. })
            && self.text().starts_with('{')
            && !text.starts_with('{')
        {
            text = format!("{{ {text} }}");
        }
        let edit = SourceEdit { span: self.span(), text };
        self.replace_by(instead, edit, what);
    }

    /// Like `replace`, with an edit of less than the whole term.
    pub(crate) fn replace_by(
        &mut self,
        instead: TermId,
        edit: SourceEdit,
        description: String,
    ) {
        // An edit that changes nothing or does not compile is no mutant.
        if !self.type_is_inferable(instead) || edit.text == self.files.text(edit.span) {
            return;
        }
        let (operator, term) = (self.operator, self.term);
        self.drafts.push(MutantDraft {
            operator,
            term,
            replacement: instead,
            edit,
            description,
        });
    }

    /// Whether the checker can infer the type of a replacement where it inferred that of the term.
    fn type_is_inferable(&self, instead: TermId) -> bool {
        match self.expected_type {
            ExpectedType::Known => true,
            ExpectedType::ErrorTypeOnly if self.is_evident_ok(instead) => true,
            ExpectedType::ErrorTypeOnly | ExpectedType::Unknown => {
                has_evident_type(self.program, self.body, instead)
                    || has_vague_type(self.program, self.body, self.term)
            }
        }
    }

    /// Whether a term is `Ok` of something with an evident type.
    fn is_evident_ok(&self, term: TermId) -> bool {
        let Term::Construct { ctor, args } = self.body.term(term) else { return false };
        let mut args = args.iter();
        Some(*ctor) == self.program.lang.ok
            && args.all(|it| has_evident_type(self.program, self.body, *it))
    }

    /// The operands of the term, if it is written as an infix operator.
    pub(crate) fn infix(&self) -> Option<InfixExpression> {
        let (operator, operands) = infix_operands(self.body.term(self.term))?;
        if !operands.iter().all(|it| self.is_in_source(*it)) {
            return None;
        }
        let Expr::Binary(written) = self.trees.expression(self.span())? else { return None };
        let span = written.op_token()?.span();
        (written.op() == Some(operator)).then_some(InfixExpression { operator, operands, span })
    }

    /// The edit that replaces the operator of the term.
    pub(crate) fn with_operator(&self, it: &InfixExpression, operator: BinaryOp) -> SourceEdit {
        let (old, new) = (it.operator.precedence(), operator.precedence());
        let symbol = operator.symbol();
        // Equal precedence never changes the grouping, so only the symbol is replaced.
        if old == new {
            return SourceEdit { span: it.span, text: symbol.to_owned() };
        }
        let whole = self.span();
        let left = self.text_between(whole.start, it.span.start).trim_end();
        let right = self.text_between(it.span.end, whole.end).trim_start();
        let [a, b] = it.operands;
        let held =
            |text: &str, operand, side| match self.needs_no_parentheses(operand, new, side) {
                true => text.to_owned(),
                false => in_parentheses(text),
            };
        let (left, right) =
            (held(left, a, OperandSide::Left), held(right, b, OperandSide::Right));
        // An operator behind a line comment would be part of the comment.
        let before = if left.contains("//") { '\n' } else { ' ' };
        let text = format!("{left}{before}{symbol} {right}");
        let is_loose = new < old && !self.trees.is_enclosed(whole);
        SourceEdit { span: whole, text: if is_loose { in_parentheses(&text) } else { text } }
    }

    /// Whether an operand needs no further parentheses beside an operator.
    fn needs_no_parentheses(&self, operand: TermId, precedence: u8, side: OperandSide) -> bool {
        let (inner, outer) = (self.full_span(operand), self.span());
        let has_own = match side {
            OperandSide::Left => outer.start < inner.start,
            OperandSide::Right => inner.end < outer.end,
        };
        let own = self.trees.expression(inner).map_or(0, Expr::precedence);
        // Operators are left-associative: at equal precedence only the right side needs
        // parentheses.
        has_own || own > precedence || (own == precedence && side == OperandSide::Left)
    }

    /// A text that replaces the term, in parentheses where the context could capture a part of it.
    pub(crate) fn parenthesized(&self, text: &str) -> String {
        self.parenthesized_at(self.span(), text)
    }

    /// The same for another span.
    pub(crate) fn parenthesized_at(&self, span: Span, text: &str) -> String {
        // A `-` before a number literal would be read as its sign.
        let is_signed =
            self.trees.is_negated(span) && text.starts_with(|it: char| it.is_numeric());
        // The brace of a block or record would be taken for that of a branch.
        let is_loose = !is_atomic(text)
            && (!self.trees.is_enclosed(span)
                || text.contains('{') && self.trees.is_before_branch(span));
        if is_signed || is_loose { in_parentheses(text) } else { text.to_owned() }
    }
}

/// The operator and operands of an infix term.
fn infix_operands(term: &Term) -> Option<(BinaryOp, [TermId; 2])> {
    if let Term::And(a, b) = term {
        Some((BinaryOp::And, [*a, *b]))
    } else if let Term::Or(a, b) = term {
        Some((BinaryOp::Or, [*a, *b]))
    } else if let Term::Builtin { builtin, args, .. } = term
        && let [a, b] = **args
    {
        Some((infix_operator(*builtin)?, [a, b]))
    } else {
        None
    }
}

/// A side of an operator.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum OperandSide {
    Left,
    Right,
}

/// An operator between two operands.
#[derive(Debug, Clone)]
pub(crate) struct InfixExpression {
    pub(crate) operator: BinaryOp,
    pub(crate) operands: [TermId; 2],
    /// The span of the operator.
    pub(crate) span: Span,
}

impl InfixExpression {
    /// Describes the replacement by another operator.
    pub(crate) fn replacement_text(&self, other: BinaryOp) -> String {
        format!("replace `{}` with `{}`", self.operator.symbol(), other.symbol())
    }
}
