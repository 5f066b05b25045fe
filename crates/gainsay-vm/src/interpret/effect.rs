//! Terms about effects and claims: `perform`, `under`, `par`, `throws`, `observe`, `assume`.

use gainsay_core::{Answer as StubAnswer, Dimension, FailureKind, OpId, Strength, Term};

use super::code::{Kind, Node};
use super::{At, Eval, Machine, Made, Site, Stop};
use crate::fault::FaultKind;
use crate::host::{Answer, EffectCall, Host, Observation, Verdict};
use crate::limits::{words_of_fields, words_of_list};
use crate::par_order::ParOrder;
use crate::traces::Turn;
use crate::value::{Fields, Value};

impl<'a> Machine<'a> {
    /// An effect: the innermost world that has an answer gives it, or else the host.
    #[inline(never)]
    pub(super) fn perform(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        op: OpId,
        args: &'a [Node],
        to: usize,
    ) -> Eval {
        let start = at.home(node) + 1;
        self.put_all(at, args, start)?;
        let args = start..start + args.len();
        if !self.recorders.is_empty() {
            let args = self.stack.range(args.clone()).to_vec();
            self.record(at, node, op, &args)?;
        }
        let value = match self.worlds.find(op) {
            Some((world, stub)) => {
                let args = self.stack.range(args.clone()).to_vec();
                let value = self.ask_stub(at, node, op, world, &stub, &args)?;
                self.effect(at, node, op, start..start + args.len(), |host, call| {
                    host.answered(call, &value);
                });
                value
            }
            None => {
                match self.effect(at, node, op, args.clone(), |host, call| host.perform(call)) {
                    Ok(Answer::Value(value)) => value,
                    Ok(Answer::Call(callee, args)) => {
                        let site = Some(Site { code: at.code, node });
                        self.call_value(&callee, &args, at.top(), site)?
                    }
                    Err(refusal) => return Err(self.fault(at, node, refusal.fault(op))),
                }
            }
        };
        self.stack.clear_all(args);
        self.store(to, || value)
    }

    /// Tells the host of an effect whose arguments lie on the stack.
    fn effect<T>(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        op: OpId,
        args: std::ops::Range<usize>,
        tell: impl FnOnce(&mut dyn Host, &EffectCall<'_>) -> T,
    ) -> T {
        let site = self.span(at, node);
        let body = &self.program.function(at.code.id).body;
        let type_args = match body.terms.get(node.term as usize) {
            Some(Term::Perform { type_args, .. }) => &**type_args,
            _ => &[],
        };
        let args = self.stack.range(args);
        let function = at.code.id;
        let (depth, path) = (self.depth, &*self.path);
        let call = EffectCall { op, args, type_args, site, function, depth, path };
        tell(&mut *self.host, &call)
    }

    /// Asks a stub. Where each call has an answer of its own, the stub is told which call it
    /// is: the branch, and the number of earlier calls there.
    fn ask_stub(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        op: OpId,
        world: usize,
        stub: &Value,
        args: &[Value],
    ) -> Made {
        let site = Some(Site { code: at.code, node });
        let told = match self.program.op(op).dimension {
            Dimension::Generative | Dimension::GenerativeOutput => {
                let n = self.worlds.count(world, op, &self.path);
                let mut told = vec![self.branch_path(at, node)?, Value::Int(n)];
                told.extend_from_slice(args);
                told
            }
            Dimension::Snapshot | Dimension::Output => args.to_vec(),
        };
        let mark = self.worlds.hide(world);
        let result = self.call_value(stub, &told, at.top(), site);
        self.worlds.leave(mark);
        result
    }

    fn branch_path(&mut self, at: At<'a>, node: &'a Node) -> Made {
        let Some(ctor) = self.code.branch_path else {
            let kind = FaultKind::Unsupported("a stub in a program without `BranchPath`");
            return Err(self.fault(at, node, kind));
        };
        self.take(at, node, words_of_fields(1) + words_of_list(self.path.len() as u64))?;
        let branches = self.path.iter().map(|branch| Value::Int(i64::from(*branch)));
        Ok(Value::data(ctor, vec![Value::list(branches)]))
    }

    //   body ⇓ v under answers, then the worlds around
    //   ──────────────────────────────────────────────
    //            under (answers) { body } ⇓ v
    pub(super) fn under(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        answers: &'a [StubAnswer],
        parts: &'a [Node],
        body: &'a Node,
    ) -> Made {
        let site = Site { code: at.code, node };
        let mut parts = parts.iter();
        let mut stubs = Vec::new();
        for answer in answers {
            match answer {
                StubAnswer::Stub(op, _) => {
                    let Some(stub) = parts.next() else { break };
                    stubs.push((*op, self.value(at, stub)?));
                }
                StubAnswer::World(world) => {
                    let program = self.program;
                    for (op, function) in &program.world(*world).answers {
                        let computed = Value::Closure(*function, Fields::EMPTY);
                        stubs.push((
                            *op,
                            self.call_value(&computed, &[], at.top(), Some(site))?,
                        ));
                    }
                }
            }
        }
        let body = self.value(at, body)?;
        let mark = self.worlds.enter(stubs);
        let result = self.call_value(&body, &[], at.top(), Some(site));
        self.worlds.leave(mark);
        result
    }

    /// Runs a branch of a `par` on its own path.
    fn branch(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        (index, turn): (u32, Turn),
        body: &Value,
    ) -> Made {
        let n_branches = self.path.len();
        self.path.push(index);
        self.enter_branch(at, index, turn);
        let result = self.call_value(body, &[], at.top(), Some(Site { code: at.code, node }));
        self.leave_branch(at);
        self.path.truncate(n_branches);
        result
    }

    pub(super) fn par(&mut self, at: At<'a>, node: &'a Node, branches: &'a [Node]) -> Made {
        let results = self.branches(at, node, branches)?;
        self.take(at, node, words_of_fields(results.len() as u64))?;
        Ok(Value::tuple(results))
    }

    //   b₁ ⇓ f₁ .. bₙ ⇓ fₙ      fᵢ() ⇓ vᵢ on path p.i, one after the other
    //   ──────────────────────────────────────────────────────────────────
    //                    par (b₁, .., bₙ) ⇓ (v₁, .., vₙ)
    //
    // The results of all branches, as written, in whatever order they ran.
    fn branches(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        branches: &'a [Node],
    ) -> Result<Vec<Value>, Stop> {
        let mut results = Vec::with_capacity(branches.len());
        for branch in branches {
            results.push(self.value(at, branch)?);
        }
        let mut turn = Turn::First;
        for index in ParOrder::of(self.par_order, branches.len()) {
            let body = std::mem::replace(&mut results[index], Value::UNIT);
            results[index] = self.branch(at, node, (index as u32, turn), &body)?;
            turn = Turn::Later;
        }
        Ok(results)
    }

    /// `par?`: once all branches have run, the leftmost `Err`.
    pub(super) fn par_cancelling(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        branches: &'a [Node],
    ) -> Made {
        let is_result = matches!(node.kind, Kind::ParResult(_));
        let ok = self.program.lang.ok;
        let mut results = Vec::with_capacity(branches.len());
        for value in self.branches(at, node, branches)? {
            match value.fields() {
                [content] if value.as_ctor() == ok => results.push(content.clone()),
                _ if is_result => return Ok(value),
                _ => {
                    self.leaving = Some(value);
                    return Err(Stop);
                }
            }
        }
        self.take(at, node, words_of_fields(results.len() as u64))?;
        let tuple = Value::tuple(results);
        match ok {
            Some(ok) if is_result => {
                self.take(at, node, words_of_fields(1))?;
                Ok(Value::data(ok, vec![tuple]))
            }
            Some(_) | None => Ok(tuple),
        }
    }

    //   body fails with a kind in kinds          body ⇓ v
    //   ────────────────────────────────   ────────────────────────
    //    throws(kinds) { body } ⇓ true      throws { body } ⇓ false
    //
    // Limits and troubles of the host are no failures of the program, and pass through.
    pub(super) fn throws(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        kinds: &[FailureKind],
        body: &'a Node,
    ) -> Made {
        let body = self.value(at, body)?;
        let site = Some(Site { code: at.code, node });
        match self.call_value(&body, &[], at.top(), site) {
            Ok(_) => Ok(Value::Bool(false)),
            Err(Stop) => {
                let kind = self.fault.as_ref().and_then(|fault| fault.kind.failure());
                if !kind.is_some_and(|kind| kinds.is_empty() || kinds.contains(&kind)) {
                    return Err(Stop);
                }
                self.fault = None;
                Ok(Value::Bool(true))
            }
        }
    }

    /// `observe`: both sides of a comparison are kept, to be shown.
    pub(super) fn observe(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        condition: &'a Node,
        strength: Strength,
    ) -> Made {
        let (holds, sides) = if let Kind::Comparison(builtin, args) = &condition.kind {
            let [a, b] = &**args;
            let sides = [self.value(at, a)?, self.value(at, b)?];
            let holds = self.apply(at, condition, *builtin, &sides)?;
            (holds.as_bool() == Some(true), Some(sides))
        } else {
            (self.condition(at, condition)?, None)
        };
        let observation = Observation {
            holds,
            strength,
            site: self.span(at, node),
            function: at.code.id,
            sides: sides.as_ref().filter(|_| !holds).map(|[lhs, rhs]| (lhs, rhs)),
        };
        match self.host.observe(&observation) {
            Verdict::Continue => Ok(Value::UNIT),
            Verdict::Stop => {
                let names = ["left", "right"].map(str::to_owned);
                let values = names.into_iter().zip(sides.into_iter().flatten()).collect();
                Err(self.fault_with(at, node, FaultKind::Observe, values))
            }
        }
    }

    pub(super) fn assume(&mut self, at: At<'a>, node: &'a Node, condition: &'a Node) -> Made {
        if self.condition(at, condition)? {
            return Ok(Value::UNIT);
        }
        let site = self.span(at, node);
        match self.host.assume_failed(site) {
            Verdict::Continue => Ok(Value::UNIT),
            Verdict::Stop => Err(self.fault(at, node, FaultKind::Discarded)),
        }
    }
}
