//! Evaluation of rare terms, directly from core.

use gainsay_core::{RelId, Term, TermId, TryKind};

use super::node_code::CodeNode;
use super::{EvalResult, FrameRef, Interpreter, Unwind, ValueResult};
use crate::fault::{FaultKind, RefinedRole};
use crate::limits::words_of_fields;
use crate::value::Value;

impl<'a> Interpreter<'a> {
    /// Evaluates a rare term.
    #[inline(never)]
    pub(super) fn eval_rare(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        parts: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let value = self.rare_term_value(at, node, parts)?;
        self.store(to, || value)
    }

    fn rare_term_value(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        parts: &'a [CodeNode],
    ) -> ValueResult {
        let program = self.program;
        let Some(term) = program.function(at.code.id).body.terms.get(node.term as usize) else {
            let kind = FaultKind::Unsupported("a function without a body");
            return Err(self.fault(at, node, kind));
        };
        match (term, parts) {
            (Term::Update { fields, .. }, [base, values @ ..]) => {
                self.update(at, node, base, fields, values)
            }
            (Term::Try { kind, .. }, [value]) => self.try_(at, value, *kind),
            (Term::Refine { ty, .. }, [value]) => {
                let value = self.eval_value(at, value)?;
                // `node` is the site: predicates are called as if from there.
                let outside = self.find_refinement_violation(&value, *ty, at, node)?;
                let Some((ty, part)) = outside else { return Ok(value) };
                let kind = FaultKind::Refinement { ty, role: RefinedRole::Part };
                Err(self.fault_with(at, node, kind, vec![("it".to_owned(), part)]))
            }
            (Term::Observe { strength, .. }, [condition]) => {
                self.observe(at, node, condition, *strength)
            }
            (Term::Assume(_), [condition]) => self.assume(at, node, condition),
            (Term::Throws { kinds, .. }, [body]) => self.throws(at, node, kinds, body),
            (Term::Under { handlers: answers, .. }, [stubs @ .., body]) => {
                self.under(at, node, answers, stubs, body)
            }
            (Term::Par { cancelling: true, .. }, _) => self.par_cancelling(at, node, parts),
            (Term::Par { .. }, _) => self.par(at, node, parts),
            (Term::Traced { call }, [part]) => self.eval_traced(at, node, *call, part),
            (Term::CheckRel { rel, .. }, args) => self.check_relation(at, node, *rel, args),
            _ => Err(self.fault(at, node, FaultKind::Unsupported(unsupported(term)))),
        }
    }

    fn update(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        base: &'a CodeNode,
        changes: &[(u32, TermId)],
        values: &'a [CodeNode],
    ) -> ValueResult {
        let base = self.eval_value(at, base)?;
        let mut fields = base.fields().to_vec();
        for ((index, _), value) in changes.iter().zip(values) {
            let value = self.eval_value(at, value)?;
            if let Some(field) = fields.get_mut(*index as usize) {
                *field = value;
            }
        }
        self.charge_words(at, node, words_of_fields(fields.len() as u64))?;
        Ok(match base.as_ctor() {
            Some(ctor) => Value::data(ctor, fields),
            None => Value::tuple(fields),
        })
    }

    /// Asks the decider whether a relation holds, and charges the steps of its search.
    fn check_relation(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        rel: RelId,
        args: &'a [CodeNode],
    ) -> ValueResult {
        let args = args.iter().map(|it| self.eval_value(at, it));
        let args = args.collect::<Result<Vec<Value>, Unwind>>()?;
        let Some(relations) = self.relations else {
            return Err(self.fault(at, node, FaultKind::Unsupported("a relation")));
        };
        let left = self.meter.steps_left();
        let answer = relations.decide(rel, &args, left);
        let charged = self.meter.charge_steps(answer.steps);
        match charged.and_then(|()| answer.truth(left)) {
            Ok(holds) => Ok(Value::Bool(holds)),
            Err(kind) => Err(self.fault(at, node, kind)),
        }
    }

    //   v ⇓ Some(x) or Ok(x)        v ⇓ None or Err(e)
    //   ─────────────────────       ─────────────────────────────────
    //         v? ⇓ x                v? returns v from the function
    fn try_(&mut self, at: FrameRef<'a>, value: &'a CodeNode, kind: TryKind) -> ValueResult {
        let value = self.eval_value(at, value)?;
        let lang = &self.program.lang;
        let wanted = match kind {
            TryKind::Option => lang.some,
            TryKind::Result => lang.ok,
        };
        match value.fields() {
            [content] if value.as_ctor() == wanted => Ok(content.clone()),
            _ => {
                self.early_return = Some(value);
                Err(Unwind)
            }
        }
    }
}

fn unsupported(term: &Term) -> &'static str {
    if matches!(term, Term::Across { .. }) {
        "`across`"
    } else if matches!(term, Term::CheckRel { .. }) {
        "a relation"
    } else if matches!(term, Term::Hole) {
        "a place where an error was reported"
    } else {
        ""
    }
}
