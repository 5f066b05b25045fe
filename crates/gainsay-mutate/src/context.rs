//! Where an operator works: a term, what surrounds it, and its text.

use gainsay_core::{Body, Function, Literal, Program, Term, TermId, TyId, TypeTable};
use gainsay_source::{Files, Span};

use crate::edit::{Edit, Gap, Shape, infix};

/// What a term is for.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// A value like any other.
    Value,
    /// The value of the whole function.
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
pub(crate) struct Made {
    pub(crate) operator: &'static str,
    pub(crate) term: TermId,
    pub(crate) instead: TermId,
    pub(crate) edit: Edit,
    pub(crate) description: String,
}

/// One term that an operator looks at.
pub(crate) struct Site<'a, 'p> {
    pub(crate) program: &'p Program,
    pub(crate) files: &'p Files,
    pub(crate) function: &'p Function,
    /// The body with the terms of mutants behind its own.
    pub(crate) body: &'a mut Body,
    pub(crate) term: TermId,
    pub(crate) role: Role,
    pub(crate) operator: &'static str,
    pub(crate) made: &'a mut Vec<Made>,
}

impl<'p> Site<'_, 'p> {
    /// The term itself.
    pub(crate) fn this(&self) -> Term {
        self.body.term(self.term).clone()
    }

    /// The type of the term.
    pub(crate) fn ty(&self) -> TyId {
        self.body.ty(self.term)
    }

    /// The place of the term.
    pub(crate) fn span(&self) -> Span {
        self.body.span(self.term)
    }

    /// The text of a term.
    pub(crate) fn text_of(&self, term: TermId) -> &'p str {
        self.files.text(self.body.span(term))
    }

    /// The text between two places of one file.
    pub(crate) fn text_between(&self, start: u32, end: u32) -> &'p str {
        let span = Span::new(self.span().file, start, end);
        if start > end { "" } else { self.files.text(span) }
    }

    /// Whether a term stands in the text as it is, and not for something that was written
    /// otherwise.
    pub(crate) fn is_written(&self, term: TermId) -> bool {
        let (inner, outer) = (self.body.span(term), self.span());
        let is_inside = inner.file == outer.file
            && outer.start <= inner.start
            && inner.end <= outer.end
            && inner.start < inner.end;
        is_inside && !self.text_of(term).is_empty()
    }

    /// Adds a term of the type and at the place of this one.
    pub(crate) fn add(&mut self, term: Term) -> TermId {
        let (ty, span) = (self.ty(), self.span());
        self.body.add(term, ty, span)
    }

    /// Adds a term of another type, at the place of this one.
    pub(crate) fn add_at(&mut self, term: Term, ty: TyId) -> TermId {
        let span = self.span();
        self.body.add(term, ty, span)
    }

    /// Adds a truth value.
    pub(crate) fn truth(&mut self, truth: bool) -> TermId {
        self.add_at(Term::Literal(Literal::Bool(truth)), TypeTable::BOOL)
    }

    /// The term once more, to be a part of what stands in its place.
    pub(crate) fn again(&mut self) -> TermId {
        let term = self.this();
        self.add(term)
    }

    /// Adds the negation of this term.
    pub(crate) fn negated(&mut self) -> TermId {
        let again = self.again();
        let not = Term::Builtin {
            builtin: gainsay_core::builtin::BOOL_NOT,
            type_args: Box::default(),
            args: Box::new([again]),
        };
        self.add(not)
    }

    /// A mutant: another term in place of this one, and the text that says so.
    pub(crate) fn replace(&mut self, instead: TermId, text: impl Into<String>, what: String) {
        let edit = Edit { span: self.span(), text: text.into() };
        self.replace_by(instead, edit, what);
    }

    /// The same, with an edit of less than the whole term.
    pub(crate) fn replace_by(&mut self, instead: TermId, edit: Edit, description: String) {
        let (operator, term) = (self.operator, self.term);
        self.made.push(Made { operator, term, instead, edit, description });
    }

    /// The two operands of an operator that is written between them.
    pub(crate) fn infix(&self) -> Option<Infix<'p>> {
        let (symbol, operands) = match self.body.term(self.term) {
            Term::Builtin { builtin, args, .. } => match **args {
                [a, b] => (infix(*builtin)?, [a, b]),
                _ => return None,
            },
            Term::And(a, b) => ("&&", [*a, *b]),
            Term::Or(a, b) => ("||", [*a, *b]),
            _ => return None,
        };
        if !operands.iter().all(|it| self.is_written(*it)) {
            return None;
        }
        let [left, right] = operands.map(|it| self.body.span(it));
        let between = self.text_between(left.end, right.start);
        let gap = Gap::find(between, symbol)?;
        let start = left.end + gap.start as u32;
        let operator = Span::new(self.span().file, start, start + symbol.len() as u32);
        Some(Infix { symbol, operands, operator })
    }

    /// The edit that puts another operator in place of that of the term.
    pub(crate) fn with_operator(&self, it: &Infix<'p>, symbol: &'static str) -> Edit {
        let (old, new) = (Shape::of_symbol(it.symbol), Shape::of_symbol(symbol));
        if old == new {
            return Edit { span: it.operator, text: symbol.to_owned() };
        }
        let whole = self.span();
        let left = self.text_between(whole.start, it.operator.start).trim_end();
        let right = self.text_between(it.operator.end, whole.end).trim_start();
        let [a, b] = it.operands;
        let left = wrapped_if(left, !self.holds(a, new, 0));
        let right = wrapped_if(right, !self.holds(b, new, 1));
        let text = format!("{left} {symbol} {right}");
        Edit { span: whole, text: wrapped_if(&text, new < old && !self.is_enclosed()) }
    }

    /// Whether an operand needs no parentheses of its own beside an operator.
    fn holds(&self, operand: TermId, operator: Shape, side: u8) -> bool {
        let (inner, outer) = (self.body.span(operand), self.span());
        let has_own =
            (side == 0 && outer.start < inner.start) || (side == 1 && inner.end < outer.end);
        let shape = Shape::of_text(self.text_of(operand), self.body.term(operand));
        has_own || shape > operator || (shape == operator && side == 0)
    }

    /// Whether nothing beside the term can take hold of a part of what stands in its place.
    pub(crate) fn is_enclosed(&self) -> bool {
        let (text, span) = (&self.files.get(self.span().file).text, self.span());
        let before = text[..span.start as usize].trim_end_matches([' ', '\t']);
        let after = text[span.end as usize..].trim_start_matches([' ', '\t']);
        let comparisons = ["==", "!=", "<=", ">="];
        let opens = before.ends_with(['(', '[', '{', ',', '\n', ':'])
            || before.ends_with("=>")
            || (before.ends_with('=') && !comparisons.iter().any(|it| before.ends_with(it)));
        let closes = after.is_empty() || after.starts_with([')', ']', '}', ',', '\n']);
        opens && closes
    }

    /// A text in place of the term, in parentheses where its surroundings could take hold of a
    /// part of it.
    pub(crate) fn fitted(&self, text: &str) -> String {
        wrapped_if(text, !Shape::is_tight(text) && !self.is_enclosed())
    }
}

/// A text, in parentheses if need be.
fn wrapped_if(text: &str, is_needed: bool) -> String {
    if is_needed { format!("({text})") } else { text.to_owned() }
}

/// An operator between two operands.
#[derive(Debug, Clone)]
pub(crate) struct Infix<'p> {
    pub(crate) symbol: &'p str,
    pub(crate) operands: [TermId; 2],
    /// Where the operator stands.
    pub(crate) operator: Span,
}
