//! Evaluation of effects and claims: `perform`, `under`, `par`, `throws`, `observe`, `assume`.

use gainsay_core::{
    EffectHandler as StubAnswer, FailureKind, ObserveStrength, OpId, OperationKind, Term,
};

use super::node_code::{CodeNode, CodeNodeKind};
use super::{CallSite, EvalResult, FrameRef, Interpreter, Unwind, ValueResult};
use crate::effect_trace::BranchStart;
use crate::fault::FaultKind;
use crate::host::{EffectCall, FailureAction, Host, HostAnswer, Observation};
use crate::limits::{words_of_fields, words_of_list};
use crate::par_order::ParOrder;
use crate::value::{Fields, Value};

impl<'a> Interpreter<'a> {
    /// Performs an effect: the innermost world with a stub for it answers, or else the host.
    #[inline(never)]
    pub(super) fn perform(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        op: OpId,
        args: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let start = at.home_slot(node) + 1;
        self.eval_all_into(at, args, start)?;
        let args = start..start + args.len();
        // Copying the arguments is only needed for a trace, which is rare.
        if !self.recorders.is_empty() {
            let args = self.stack.range(args.clone()).to_vec();
            self.record_effect(at, node, op, &args)?;
        }
        let value = match self.worlds.find_stub(op) {
            Some((world, stub)) => {
                let args = self.stack.range(args.clone()).to_vec();
                let value = self.call_stub(at, node, op, world, &stub, &args)?;
                self.notify_host(at, node, op, start..start + args.len(), |host, call| {
                    host.stub_answered(call, &value);
                });
                value
            }
            None => {
                match self
                    .notify_host(at, node, op, args.clone(), |host, call| host.perform(call))
                {
                    Ok(HostAnswer::Value(value)) => value,
                    Ok(HostAnswer::Call(callee, args)) => {
                        let site = Some(CallSite { code: at.code, node });
                        self.call_value(&callee, &args, at.first_free_slot(), site)?
                    }
                    Err(refusal) => return Err(self.fault(at, node, refusal.into_fault(op))),
                }
            }
        };
        self.stack.clear_all(args);
        self.store(to, || value)
    }

    /// Passes an effect whose arguments are on the stack to the host.
    fn notify_host<T>(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        op: OpId,
        args: std::ops::Range<usize>,
        notify: impl FnOnce(&mut dyn Host, &EffectCall<'_>) -> T,
    ) -> T {
        let site = self.span(at, node);
        let body = &self.program.function(at.code.id).body;
        let type_args = match body.terms.get(node.term as usize) {
            Some(Term::Perform { type_args, .. }) => &**type_args,
            _ => &[],
        };
        let args = self.stack.range(args);
        let function = at.code.id;
        let (depth, path) = (self.depth, &*self.par_path);
        let call = EffectCall { op, args, type_args, site, function, depth, path };
        notify(&mut *self.host, &call)
    }

    /// Calls a stub. A stub of a generative operation, which may answer each call differently, also
    /// receives the identity of the call: the branch path and the number of earlier calls there.
    fn call_stub(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        op: OpId,
        world: usize,
        stub: &Value,
        args: &[Value],
    ) -> ValueResult {
        let site = Some(CallSite { code: at.code, node });
        let stub_args = match self.program.op(op).kind {
            OperationKind::Generative | OperationKind::GenerativeOutput => {
                let n = self.worlds.count_call(world, op, &self.par_path);
                let mut stub_args = vec![self.branch_path(at, node)?, Value::Int(n)];
                stub_args.extend_from_slice(args);
                stub_args
            }
            OperationKind::Snapshot | OperationKind::Output => args.to_vec(),
        };
        // The effects of a stub go to the worlds around its own: a stub that performs the operation
        // it stubs would call itself forever otherwise.
        let mark = self.worlds.hide(world);
        let result = self.call_value(stub, &stub_args, at.first_free_slot(), site);
        self.worlds.restore(mark);
        result
    }

    fn branch_path(&mut self, at: FrameRef<'a>, node: &'a CodeNode) -> ValueResult {
        let Some(ctor) = self.code.branch_path else {
            let kind = FaultKind::Unsupported("a stub in a program without `BranchPath`");
            return Err(self.fault(at, node, kind));
        };
        self.charge_words(
            at,
            node,
            words_of_fields(1) + words_of_list(self.par_path.len() as u64),
        )?;
        let branches = self.par_path.iter().map(|branch| Value::Int(i64::from(*branch)));
        Ok(Value::data(ctor, vec![Value::list(branches)]))
    }

    //   body ⇓ v under answers, then the enclosing worlds
    //   ─────────────────────────────────────────────────
    //             under (answers) { body } ⇓ v
    pub(super) fn under(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        answers: &'a [StubAnswer],
        parts: &'a [CodeNode],
        body: &'a CodeNode,
    ) -> ValueResult {
        let site = CallSite { code: at.code, node };
        let mut parts = parts.iter();
        let mut stubs = Vec::new();
        for answer in answers {
            match answer {
                StubAnswer::Stub(op, _) => {
                    let Some(stub) = parts.next() else { break };
                    stubs.push((*op, self.eval_value(at, stub)?));
                }
                StubAnswer::World(world) => {
                    let program = self.program;
                    for (op, function) in &program.world(*world).stubs {
                        let computed = Value::Closure(*function, Fields::EMPTY);
                        stubs.push((
                            *op,
                            self.call_value(&computed, &[], at.first_free_slot(), Some(site))?,
                        ));
                    }
                }
            }
        }
        // The body is a closure: it is evaluated outside the new world and called inside it.
        let body = self.eval_value(at, body)?;
        let mark = self.worlds.enter(stubs);
        let result = self.call_value(&body, &[], at.first_free_slot(), Some(site));
        self.worlds.restore(mark);
        result
    }

    /// Runs a branch of a `par` on its own branch path.
    fn run_branch(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        (index, turn): (u32, BranchStart),
        body: &Value,
    ) -> ValueResult {
        let n_branches = self.par_path.len();
        self.par_path.push(index);
        self.enter_branch(at, index, turn);
        let result = self.call_value(
            body,
            &[],
            at.first_free_slot(),
            Some(CallSite { code: at.code, node }),
        );
        self.leave_branch(at);
        self.par_path.truncate(n_branches);
        result
    }

    pub(super) fn par(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        branches: &'a [CodeNode],
    ) -> ValueResult {
        let results = self.run_branches(at, node, branches)?;
        self.charge_words(at, node, words_of_fields(results.len() as u64))?;
        Ok(Value::tuple(results))
    }

    //   b₁ ⇓ f₁ .. bₙ ⇓ fₙ      fᵢ() ⇓ vᵢ on path p.i, one after the other
    //   ──────────────────────────────────────────────────────────────────
    //                    par (b₁, .., bₙ) ⇓ (v₁, .., vₙ)
    //
    // Results are in source order, whatever the order in which the branches ran.
    fn run_branches(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        branches: &'a [CodeNode],
    ) -> Result<Vec<Value>, Unwind> {
        // `results` holds the branch closures first; each is replaced with its result.
        let mut results = Vec::with_capacity(branches.len());
        for branch in branches {
            results.push(self.eval_value(at, branch)?);
        }
        // The first branch to run opens the group in a trace, whichever it is.
        let mut turn = BranchStart::First;
        for index in ParOrder::branch_order(self.par_order, branches.len()) {
            let body = std::mem::replace(&mut results[index], Value::UNIT);
            results[index] = self.run_branch(at, node, (index as u32, turn), &body)?;
            turn = BranchStart::Later;
        }
        Ok(results)
    }

    /// `par?`: after all branches have run, the leftmost `Err`.
    pub(super) fn par_cancelling(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        branches: &'a [CodeNode],
    ) -> ValueResult {
        let is_result = matches!(node.kind, CodeNodeKind::ParResult(_));
        let ok = self.program.lang.ok;
        let mut results = Vec::with_capacity(branches.len());
        for value in self.run_branches(at, node, branches)? {
            match value.fields() {
                // Anything but `Ok(content)` is an `Err`.
                [content] if value.as_ctor() == ok => results.push(content.clone()),
                _ if is_result => return Ok(value),
                _ => {
                    self.early_return = Some(value);
                    return Err(Unwind);
                }
            }
        }
        self.charge_words(at, node, words_of_fields(results.len() as u64))?;
        let tuple = Value::tuple(results);
        match ok {
            Some(ok) if is_result => {
                self.charge_words(at, node, words_of_fields(1))?;
                Ok(Value::data(ok, vec![tuple]))
            }
            Some(_) | None => Ok(tuple),
        }
    }

    //   body fails with a kind in kinds          body ⇓ v
    //   ────────────────────────────────   ────────────────────────
    //    throws(kinds) { body } ⇓ true      throws { body } ⇓ false
    //
    // Limits and host errors are not failures of the program, and propagate.
    pub(super) fn throws(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        kinds: &[FailureKind],
        body: &'a CodeNode,
    ) -> ValueResult {
        let body = self.eval_value(at, body)?;
        let site = Some(CallSite { code: at.code, node });
        match self.call_value(&body, &[], at.first_free_slot(), site) {
            Ok(_) => Ok(Value::Bool(false)),
            Err(Unwind) => {
                let kind = self.fault.as_ref().and_then(|fault| fault.kind.failure_kind());
                if !kind.is_some_and(|kind| kinds.is_empty() || kinds.contains(&kind)) {
                    return Err(Unwind);
                }
                self.fault = None;
                Ok(Value::Bool(true))
            }
        }
    }

    /// `observe`: keeps both sides of a comparison for the report.
    pub(super) fn observe(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        condition: &'a CodeNode,
        strength: ObserveStrength,
    ) -> ValueResult {
        // Evaluated here instead of through `eval_condition`, which would discard the sides.
        let (holds, sides) = if let CodeNodeKind::Comparison(builtin, args) = &condition.kind {
            let [a, b] = &**args;
            let sides = [self.eval_value(at, a)?, self.eval_value(at, b)?];
            let holds = self.apply_builtin(at, condition, *builtin, &sides)?;
            (holds.as_bool() == Some(true), Some(sides))
        } else {
            (self.eval_condition(at, condition)?, None)
        };
        let observation = Observation {
            holds,
            strength,
            site: self.span(at, node),
            function: at.code.id,
            sides: sides.as_ref().filter(|_| !holds).map(|[lhs, rhs]| (lhs, rhs)),
        };
        match self.host.observe(&observation) {
            FailureAction::Continue => Ok(Value::UNIT),
            FailureAction::Stop => {
                let names = ["left", "right"].map(str::to_owned);
                let values = names.into_iter().zip(sides.into_iter().flatten()).collect();
                Err(self.fault_with(at, node, FaultKind::Observe, values))
            }
        }
    }

    pub(super) fn assume(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        condition: &'a CodeNode,
    ) -> ValueResult {
        if self.eval_condition(at, condition)? {
            return Ok(Value::UNIT);
        }
        let site = self.span(at, node);
        match self.host.assume_failed(site) {
            FailureAction::Continue => Ok(Value::UNIT),
            FailureAction::Stop => Err(self.fault(at, node, FaultKind::Discarded)),
        }
    }
}
