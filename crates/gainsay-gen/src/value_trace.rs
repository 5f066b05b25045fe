//! Traces: a term whose value is also reported under a number while the program runs.
//!
//! ```text
//! f(x)        Draw.tell(number, f(x))
//! ```
//!
//! The operation answers with the value, so that a traced term is computed where it stands and as
//! often, and the program means the same. What a short-circuit leaves out is not reported.

use gainsay_core::{Body, Literal, LocalId, OpId, Statement, Term, TermId, TypeTable};

/// Inserts traces into a body. New terms stand behind the others, also where they are parts of
/// those; every pass that runs programs allows that, as it does for mutants.
pub struct TraceInserter<'b> {
    /// The body.
    pub body: &'b mut Body,
    trace_op: OpId,
}

impl<'b> TraceInserter<'b> {
    /// For a body, with the operation [`DrawOps::tell`](crate::DrawOps::tell).
    pub fn new(body: &'b mut Body, trace_op: OpId) -> Self {
        Self { body, trace_op }
    }

    /// A new term that traces another one, to be used in its place.
    pub fn traced(&mut self, id: TermId, number: i64) -> TermId {
        let (ty, span) = (self.body.ty(id), self.body.span(id));
        let trace = self.trace_of(id, number);
        self.body.add(trace, ty, span)
    }

    /// Traces a term for whoever uses it.
    pub fn trace_in_place(&mut self, id: TermId, number: i64) {
        let (ty, span) = (self.body.ty(id), self.body.span(id));
        let term = self.body.term(id).clone();
        let moved = self.body.add(term, ty, span);
        self.body.terms[id.index()] = self.trace_of(moved, number);
    }

    /// A statement that traces a local once it is bound.
    pub fn local_trace(&mut self, local: LocalId, number: i64) -> Statement {
        let (ty, span) = (self.body.local(local).ty, self.body.local(local).span);
        let value = self.body.add(Term::Local(local), ty, span);
        Statement::Drop(self.traced(value, number))
    }

    fn trace_of(&mut self, id: TermId, number: i64) -> Term {
        let (ty, span) = (self.body.ty(id), self.body.span(id));
        let number = Term::Literal(Literal::Int(number));
        let number = self.body.add(number, TypeTable::INT, span);
        let (op, type_args, args) = (self.trace_op, Box::new([ty]), Box::new([number, id]));
        Term::Perform { op, type_args, args }
    }
}
