//! The locals of a claim: a program that also tells the values of its `let`s.
//!
//! ```text
//! let a = f(n)        let a = f(n)
//! observe a < 9       Draw.bound(FIRST_LOCAL, a)
//!                     observe a < 9
//! ```

use gainsay_core::{
    Body, ClaimKind, Function, FunctionId, FunctionKind, Literal, LocalId, OpId, Pattern,
    PatternId, Program, Statement, Term, TermId, TypeTable,
};
use gainsay_source::Span;

use crate::trace_subexpressions::FIRST_SUBEXPRESSION;

/// The number under which the first local is told; parts of observations have smaller ones.
const FIRST_LOCAL: u32 = FIRST_SUBEXPRESSION << 1;

/// At most so many locals are told.
const MAX_LOCALS: usize = 200;

/// A local that is told.
pub(crate) struct TracedLocal {
    /// The number it is told under.
    pub(crate) number: u32,
    pub(crate) name: Box<str>,
    /// Where it is bound.
    pub(crate) span: Span,
}

/// Lets a program tell the locals of the bodies of claims, and of one more function. The ops are
/// those of an `across`, by which the functions are known that nobody wrote, and of telling.
pub(crate) fn trace_locals(
    program: &mut Program,
    also: Option<FunctionId>,
    (across, bound): (OpId, OpId),
) -> Vec<TracedLocal> {
    let mut told = Vec::new();
    for at in 0..program.functions.len() {
        let id = FunctionId(at as u32);
        let is_told = Some(id) == also || is_in_claim(program, id);
        // What is generic would need its types to be told apart.
        let function = &program.functions[at];
        if !is_told || !function.type_params.is_empty() || performs(function, across) {
            continue;
        }
        if told.len() >= MAX_LOCALS {
            break;
        }
        let written = LocalTracer { trace_op: bound, traced: &mut told }.function(function);
        program.functions[at] = written;
    }
    told.sort_by_key(|it| it.span);
    told
}

/// Whether a function is the body of a claim, or stands in one.
fn is_in_claim(program: &Program, mut id: FunctionId) -> bool {
    // Lambdas stand in functions that were made before them, so this has an end.
    loop {
        match program.function(id).kind {
            FunctionKind::Claim => return true,
            FunctionKind::Declared => {
                let is_it = |kind: &ClaimKind| matches!(kind, ClaimKind::Property(property, _) if *property == id);
                return program.claims.iter().any(|it| is_it(&it.kind));
            }
            FunctionKind::Lambda(parent) if parent != id => id = parent,
            FunctionKind::Lambda(_) | FunctionKind::Refinement | FunctionKind::Constant => {
                return false;
            }
        }
    }
}

fn performs(function: &Function, wanted: OpId) -> bool {
    let is_it = |it: &Term| matches!(it, Term::Perform { op, .. } if *op == wanted);
    function.body.terms.iter().any(is_it)
}

/// Writes bodies anew. Parts come before wholes, so all terms behind an inserted one get new ids.
struct LocalTracer<'a> {
    trace_op: OpId,
    traced: &'a mut Vec<TracedLocal>,
}

impl LocalTracer<'_> {
    fn function(&mut self, function: &Function) -> Function {
        let mut new = function.clone();
        new.body.terms.clear();
        new.body.tys.clear();
        new.body.spans.clear();
        let mut ids: Vec<TermId> = Vec::with_capacity(function.body.terms.len());
        for (at, term) in function.body.terms.iter().enumerate() {
            let mut term = term.clone();
            term.for_each_subterm_mut(&mut |part| *part = ids[part.index()]);
            if let Term::Block { statements, result } = term {
                let statements = self.statements(&mut new.body, &statements).into();
                term = Term::Block { statements, result };
            }
            ids.push(new.body.add(term, function.body.tys[at], function.body.spans[at]));
        }
        new.body.root = function.body.root.map(|it| ids[it.index()]);
        for clause in new.requires.iter_mut().chain(&mut new.ensures) {
            clause.term = ids[clause.term.index()];
        }
        new
    }

    fn statements(&mut self, body: &mut Body, statements: &[Statement]) -> Vec<Statement> {
        let mut all = Vec::new();
        for statement in statements {
            all.push(statement.clone());
            if let Statement::Let(pattern, _) = statement {
                let locals = locals_of(body, *pattern);
                all.extend(locals.into_iter().filter_map(|it| self.trace_local(body, it)));
            }
        }
        all
    }

    /// Tells a local, if somebody wrote it.
    fn trace_local(&mut self, body: &mut Body, local: LocalId) -> Option<Statement> {
        let written = body.local(local);
        let (name, ty, span) = (written.name.clone(), written.ty, written.span);
        if (span.end - span.start) as usize != name.len() || self.traced.len() >= MAX_LOCALS {
            return None;
        }
        let number = FIRST_LOCAL + self.traced.len() as u32;
        self.traced.push(TracedLocal { number, name, span });
        let literal = Term::Literal(Literal::Int(i64::from(number)));
        let args =
            [body.add(literal, TypeTable::INT, span), body.add(Term::Local(local), ty, span)];
        let tell =
            Term::Perform { op: self.trace_op, type_args: [ty].into(), args: args.into() };
        Some(Statement::Drop(body.add(tell, TypeTable::UNIT, span)))
    }
}

/// The locals that a pattern binds.
fn locals_of(body: &Body, pattern: PatternId) -> Vec<LocalId> {
    let mut locals = Vec::new();
    let mut waiting = vec![pattern];
    while let Some(next) = waiting.pop() {
        let pattern = &body.patterns[next.index()];
        if let Pattern::Bind(local) = pattern
            && !locals.contains(local)
        {
            locals.push(*local);
        }
        pattern.for_each_subpattern(&mut |part| waiting.push(part));
    }
    locals.sort_unstable_by_key(|it| it.index());
    locals
}
