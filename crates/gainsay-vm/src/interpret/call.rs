//! Calls: frames, tail calls, contracts and constants.

use gainsay_core::{Clause, ConstId, FunctionId};

use super::node_code::{CodeNode, CodeNodeKind, FunctionCode, StatementCode};
use super::{CallSite, EvalOutput, EvalResult, FrameRef, Interpreter, Unwind, ValueResult};
use crate::fault::{ClauseKind, Fault, FaultKind, Frame, RefinedRole};
use crate::stack::stack_position;
use crate::value::{Fields, Value};

/// The frame of a call, which tail calls pass on.
struct Activation<'a> {
    code: &'a FunctionCode,
    site: Option<CallSite<'a>>,
    /// The call that opened the frame, once a tail call has replaced the function.
    opened_by: Option<(FunctionId, Option<CallSite<'a>>)>,
    /// Whether the arguments were accepted; until then the caller is considered to be running.
    is_entered: bool,
}

impl<'a> Interpreter<'a> {
    /// Calls a function value with arguments that are not on the stack, whose slots from `top` on
    /// are free.
    pub(super) fn call_value(
        &mut self,
        callee: &Value,
        args: &[Value],
        top: usize,
        site: Option<CallSite<'a>>,
    ) -> ValueResult {
        let Value::Closure(function, captures) = callee else {
            return Err(self.not_a_function(site));
        };
        let callee = self.code.function(*function);
        let base = top + 1;
        let given = args.iter().chain(captures.as_slice());
        self.check_count(callee, given.clone().count(), site)?;
        // Slot `top` receives the result, so the frame starts after it.
        self.stack.ensure_len(base + callee.n_params as usize);
        for (to, value) in (base..).zip(given) {
            let value = value.clone();
            self.stack.put(to, || value);
        }
        let out = self.call(callee, base, site, top)?;
        Ok(self.stack.take_output(top, out))
    }

    #[cold]
    fn not_a_function(&mut self, site: Option<CallSite<'a>>) -> Unwind {
        let kind = FaultKind::Unsupported("a call of what is not a function");
        match site {
            Some(_) => self.caller_fault(site, FunctionId(0), kind, Vec::new()),
            None => {
                let fault = self.entry_fault(kind);
                self.unwind_with(fault)
            }
        }
    }

    /// Checks that a function receives as many values as it has parameters.
    #[inline(always)]
    pub(super) fn check_count(
        &mut self,
        callee: &'a FunctionCode,
        count: usize,
        site: Option<CallSite<'a>>,
    ) -> Result<(), Unwind> {
        if count == callee.n_params as usize {
            return Ok(());
        }
        let kind = FaultKind::Unsupported("a call with another number of arguments");
        Err(self.caller_fault(site, callee.id, kind, Vec::new()))
    }

    /// Calls a function whose arguments and captures are on the stack from `base` on.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        code: &'a FunctionCode,
        base: usize,
        site: Option<CallSite<'a>>,
        to: usize,
    ) -> EvalResult {
        self.call_in_caller_frame(code, base, site, to)
    }

    /// The same, inlined into the caller's native frame, which saves stack per nested call.
    #[inline(always)]
    pub(super) fn call_in_caller_frame(
        &mut self,
        code: &'a FunctionCode,
        base: usize,
        site: Option<CallSite<'a>>,
        to: usize,
    ) -> EvalResult {
        if self.depth >= self.meter.limits.depth || stack_position() < self.stack_floor {
            // The callee owns its arguments, so they are cleared even if it never runs.
            self.stack.clear_all(base..base + code.n_params as usize);
            return Err(self.caller_fault(site, code.id, FaultKind::DepthLimit, Vec::new()));
        }
        self.depth += 1;
        let mut activation = Activation { code, site, opened_by: None, is_entered: false };
        let mut result = self.run_body(&mut activation, base, to);
        // The common case: nothing to check and no fault, so the slow path is not even called.
        if activation.code.checks_result || result.is_err() {
            result = self.leave_frame(&activation, base, to, result);
        }
        self.stack.clear_all(base..base + activation.code.n_locals as usize);
        self.depth -= 1;
        result
    }

    /// Slow path after a body: a `?` returned early, the result is checked, or a fault records the
    /// call in its call stack.
    #[inline(never)]
    fn leave_frame(
        &mut self,
        activation: &Activation<'a>,
        base: usize,
        to: usize,
        result: EvalResult,
    ) -> EvalResult {
        let mut result = match self.early_return.take() {
            Some(value) => self.store(to, || value),
            None => result,
        };
        let at = FrameRef { code: activation.code, base };
        if let Ok(out) = result
            && at.code.checks_result
        {
            let value = match out {
                EvalOutput::Int(int) => Value::Int(int),
                EvalOutput::True => Value::Bool(true),
                EvalOutput::False => Value::Bool(false),
                EvalOutput::Stored => self.stack[to].clone(),
            };
            result = self.check_result(at, &value).map(|()| out);
        }
        // Partially evaluated terms have left values in their slots.
        self.stack.clear_all(base..at.first_free_slot());
        // Arguments that were rejected are the caller's mistake: the callee is not in the call
        // stack.
        if result.is_err() && activation.is_entered {
            self.add_frame(activation.code.id, activation.site);
            // Tail calls lose the calls in between; the one that opened the frame is kept.
            if let Some((function, site)) = activation.opened_by {
                self.add_frame(function, site);
            }
        }
        result
    }

    /// Appends a call to the fault's call stack.
    #[cold]
    fn add_frame(&mut self, function: FunctionId, site: Option<CallSite<'a>>) {
        let call = site.map(|site| self.code.span(site.code, site.node.term));
        if let Some(fault) = &mut self.fault {
            fault.call_stack.push(Frame { function, call });
        }
    }

    /// Enters a function and evaluates its body, looping over terms in tail position.
    #[inline(always)]
    fn run_body(
        &mut self,
        activation: &mut Activation<'a>,
        base: usize,
        to: usize,
    ) -> EvalResult {
        self.enter(activation.code, base, activation.site)?;
        activation.is_entered = true;
        let mut at = FrameRef { code: activation.code, base };
        let mut node = &at.code.body;
        loop {
            match &node.kind {
                CodeNodeKind::If(parts) => {
                    let [condition, then, otherwise] = &**parts;
                    node = if self.eval_condition(at, condition)? { then } else { otherwise };
                }
                CodeNodeKind::Block(statements, result) => {
                    self.statements(at, statements)?;
                    node = result;
                }
                CodeNodeKind::Match(match_) => {
                    self.eval_subjects(at, &match_.subjects)?;
                    node = self.select_arm(at, node, match_)?;
                }
                CodeNodeKind::And(parts) => {
                    let [a, b] = &**parts;
                    if !self.eval_condition(at, a)? {
                        return Ok(EvalOutput::False);
                    }
                    node = b;
                }
                CodeNodeKind::Or(parts) => {
                    let [a, b] = &**parts;
                    if self.eval_condition(at, a)? {
                        return Ok(EvalOutput::True);
                    }
                    node = b;
                }
                // A function that checks its result must stay on the stack until the callee
                // returns, so its calls are not tail calls.
                CodeNodeKind::Call(function, args) if !at.code.checks_result => {
                    let start = at.home_slot(node) + 1;
                    self.eval_all_into(at, args, start)?;
                    let callee = self.code.function(*function);
                    self.check_count(
                        callee,
                        args.len(),
                        Some(CallSite { code: at.code, node }),
                    )?;
                    self.replace_frame(activation, base, start, callee, node)?;
                    at = FrameRef { code: callee, base };
                    node = &callee.body;
                }
                CodeNodeKind::CallValue(parts) if !at.code.checks_result => {
                    let callee = self.prepare_callee(at, node, parts)?;
                    self.replace_frame(activation, base, at.home_slot(node) + 2, callee, node)?;
                    at = FrameRef { code: callee, base };
                    node = &callee.body;
                }
                CodeNodeKind::Ready(_)
                | CodeNodeKind::Float(_)
                | CodeNodeKind::Bool(_)
                | CodeNodeKind::Char(_) => break,
                CodeNodeKind::Shared(_) => break,
                CodeNodeKind::Constant(_)
                | CodeNodeKind::Function(_)
                | CodeNodeKind::Closure(..) => break,
                CodeNodeKind::Call(..)
                | CodeNodeKind::CallValue(..)
                | CodeNodeKind::Arithmetic(..) => break,
                CodeNodeKind::Comparison(..)
                | CodeNodeKind::Builtin(..)
                | CodeNodeKind::Perform(..) => break,
                CodeNodeKind::Tuple(_)
                | CodeNodeKind::NullaryCtor(_)
                | CodeNodeKind::Construct(..) => break,
                CodeNodeKind::List(_)
                | CodeNodeKind::Cons(..)
                | CodeNodeKind::PrependList(..) => break,
                CodeNodeKind::Field(..)
                | CodeNodeKind::ParResult(_)
                | CodeNodeKind::Rare(_) => break,
            }
        }
        self.dispatch(at, node, to)
    }

    /// Reuses the frame for another function, whose arguments are on the stack from `start` on.
    fn replace_frame(
        &mut self,
        activation: &mut Activation<'a>,
        base: usize,
        start: usize,
        callee: &'a FunctionCode,
        node: &'a CodeNode,
    ) -> Result<(), Unwind> {
        let n_args = callee.n_params as usize;
        // Arguments were evaluated above the frame and now become its first slots.
        self.stack.slide(start, base, n_args);
        let n_locals = activation.code.n_locals as usize;
        if n_args < n_locals {
            self.stack.clear_all(base + n_args..base + n_locals);
        }
        let site = Some(CallSite { code: activation.code, node });
        // `leave_frame` still knows the old function, whose frame may be smaller, so the new one is
        // cleared here.
        if self.enter(callee, base, site).is_err() {
            self.stack.clear_all(base..base + callee.n_slots as usize);
            return Err(Unwind);
        }
        // `get_or_insert`: in a chain of tail calls, the first one wins.
        activation.opened_by.get_or_insert((activation.code.id, activation.site));
        activation.code = callee;
        activation.site = site;
        Ok(())
    }

    /// Charges one step, makes room for the frame, and checks the arguments and `in` clauses.
    #[inline]
    fn enter(
        &mut self,
        code: &'a FunctionCode,
        base: usize,
        site: Option<CallSite<'a>>,
    ) -> Result<(), Unwind> {
        self.stack.ensure_len(base + code.n_slots as usize);
        if let Err(kind) = self.meter.charge_step() {
            return Err(self.caller_fault(site, code.id, kind, Vec::new()));
        }
        if code.checks.is_some() {
            self.check_entry(FrameRef { code, base }, site)
        } else {
            Ok(())
        }
    }

    #[inline(never)]
    fn check_entry(
        &mut self,
        at: FrameRef<'a>,
        site: Option<CallSite<'a>>,
    ) -> Result<(), Unwind> {
        let Some(checks) = &at.code.checks else { return Ok(()) };
        let function = at.code.id;
        for (param, ty) in &checks.params {
            let value = self.stack[at.base + at.code.slot(*param)].clone();
            let Ok(outside) = self.find_refinement_violation(&value, *ty, at, &at.code.body)
            else {
                // `is_entered` is still false, so `leave_frame` will not add the callee, in whose
                // check the fault arose.
                self.add_frame(function, site);
                return Err(Unwind);
            };
            if let Some((ty, part)) = outside {
                let role = RefinedRole::Argument { function, param: *param };
                let mut values = self.param_values(at);
                values.push(("it".to_owned(), part));
                let kind = FaultKind::Refinement { ty, role };
                return Err(self.caller_fault(site, function, kind, values));
            }
        }
        let program = self.program;
        let clauses = program.function(function).requires.iter();
        for (clause, condition) in clauses.zip(&checks.requires) {
            let Ok(holds) = self.eval_condition(at, condition) else {
                self.add_frame(function, site);
                return Err(Unwind);
            };
            if !holds {
                let kind = contract_fault(ClauseKind::In, function, clause);
                let values = self.param_values(at);
                return Err(self.caller_fault(site, function, kind, values));
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn check_result(&mut self, at: FrameRef<'a>, value: &Value) -> Result<(), Unwind> {
        let function = at.code.id;
        let Some(checks) = &at.code.checks else { return Ok(()) };
        if let Some(ty) = checks.result
            && let Some((ty, part)) =
                self.find_refinement_violation(value, ty, at, &at.code.body)?
        {
            let kind = FaultKind::Refinement { ty, role: RefinedRole::Result(function) };
            let mut values = self.param_values(at);
            values.push(("result".to_owned(), value.clone()));
            values.push(("it".to_owned(), part));
            return Err(self.function_fault(at, kind, values));
        }
        let program = self.program;
        let clauses = program.function(function).ensures.iter();
        for (clause, (slot, condition)) in clauses.zip(&checks.ensures) {
            if let Some(slot) = slot {
                let value = value.clone();
                self.stack.put(at.base + *slot as usize, || value);
            }
            if !self.eval_condition(at, condition)? {
                let kind = contract_fault(ClauseKind::Out, function, clause);
                let mut values = self.param_values(at);
                let name = clause.result.map_or("result", |local| {
                    &program.function(function).body.local(local).name
                });
                values.push((name.to_owned(), value.clone()));
                return Err(self.function_fault(at, kind, values));
            }
        }
        Ok(())
    }

    /// A fault of a function as a whole, located at its name.
    fn function_fault(
        &mut self,
        at: FrameRef<'a>,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Unwind {
        self.caller_fault(None, at.code.id, kind, values)
    }

    fn param_values(&self, at: FrameRef<'a>) -> Vec<(String, Value)> {
        let params = &self.program.function(at.code.id).params;
        let value_of = |local| self.stack[at.base + at.code.slot(local)].clone();
        (0..).zip(params).map(|(at, param)| (param.name.to_string(), value_of(at))).collect()
    }

    /// Evaluates the callee, arguments and captures of a closure call into consecutive slots: those
    /// of the node's parts after the first, which is the function itself.
    #[inline(never)]
    pub(super) fn prepare_callee(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        parts: &'a [CodeNode],
    ) -> Result<&'a FunctionCode, Unwind> {
        let site = Some(CallSite { code: at.code, node });
        let home = at.home_slot(node) + 1;
        self.eval_all_into(at, parts, home)?;
        let Value::Closure(function, captures) = self.stack.take(home) else {
            return Err(self.not_a_function(site));
        };
        let callee = self.code.function(function);
        let captures = captures.as_slice();
        let n_args = parts.len().saturating_sub(1);
        self.check_count(callee, n_args + captures.len(), site)?;
        let start = home + 1 + n_args;
        self.stack.ensure_len(start + captures.len());
        for (to, capture) in (start..).zip(captures) {
            if let Value::Int(int) = capture {
                self.stack.put_int(to, *int);
            } else {
                let capture = capture.clone();
                self.stack.put(to, || capture);
            }
        }
        Ok(callee)
    }

    pub(super) fn statements(
        &mut self,
        at: FrameRef<'a>,
        statements: &'a [StatementCode],
    ) -> Result<(), Unwind> {
        for statement in statements {
            match statement {
                StatementCode::Drop(value) => {
                    let to = at.home_slot(value);
                    self.eval_into(at, value, to)?;
                    self.stack.clear(to);
                }
                StatementCode::Let(slot, value) => {
                    self.eval_into(at, value, at.base + *slot as usize)?;
                }
                StatementCode::Match { subjects, row, term } => {
                    if !self.let_(at, subjects, row)? {
                        let kind = FaultKind::Unsupported("a `let` that does not match");
                        return Err(self.fault_at(at, *term, kind, Vec::new()));
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a constant, computed at its first use on a budget of its own.
    #[inline(never)]
    pub(super) fn constant(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        id: ConstId,
        to: usize,
    ) -> EvalResult {
        if let Some(cached) = &self.memory.constants[id.index()] {
            return match cached.clone() {
                Ok(value) => self.store(to, || value),
                Err(fault) => Err(self.unwind_with(*fault)),
            };
        }
        let fresh = self.meter.fresh();
        let meter = std::mem::replace(&mut self.meter, fresh);
        let computed = Value::Closure(self.program.constant(id).function, Fields::EMPTY);
        let site = Some(CallSite { code: at.code, node });
        // Whether a constant is computed now or was computed before must not be observable: neither
        // in a trace nor in the fault of a branch that another `par` order would have reached
        // first.
        let recorders = std::mem::take(&mut self.recorders);
        let par_order = self.par_order.take();
        let result = self.call_value(&computed, &[], at.first_free_slot(), site);
        (self.recorders, self.par_order) = (recorders, par_order);
        self.meter = meter;
        let result = result.map_err(|Unwind| self.take_fault());
        // Only reproducible results are cached, faults included.
        if is_reproducible(&result) {
            self.memory.constants[id.index()] = Some(result.clone());
        }
        match result {
            Ok(value) => self.store(to, || value),
            Err(fault) => Err(self.unwind_with(*fault)),
        }
    }
}

/// Whether evaluating a constant again would give the same result. How much native stack is left,
/// and whether the user interrupts, are not properties of the constant.
fn is_reproducible(result: &Result<Value, Box<Fault>>) -> bool {
    match result {
        Ok(_) => true,
        Err(fault) => !matches!(fault.kind, FaultKind::DepthLimit | FaultKind::Interrupted),
    }
}

fn contract_fault(kind: ClauseKind, function: FunctionId, clause: &Clause) -> FaultKind {
    FaultKind::Contract { clause: kind, function, at: clause.span }
}
