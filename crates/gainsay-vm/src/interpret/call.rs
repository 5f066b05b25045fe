//! Calls: frames, tail calls, contracts and constants.

use gainsay_core::{Clause, ConstId, FunctionId};

use super::code::{FunctionCode, Node, Range, Target};
use super::{At, Eval, Machine, Site, Stop};
use crate::fault::{ClauseKind, Fault, FaultKind, Frame, RefinedRole};
use crate::stack::here;
use crate::value::Value;

/// The frame of a call, which tail calls hand on.
struct Activation<'a> {
    code: &'a FunctionCode,
    site: Option<Site<'a>>,
    /// The call that opened the frame, once a tail call has taken it over.
    opened_by: Option<(FunctionId, Option<Site<'a>>)>,
    /// Whether the arguments were accepted: before that, the caller is running.
    entered: bool,
}

impl<'a> Machine<'a> {
    /// Calls a function value with arguments from outside the stack.
    pub(super) fn call_value(
        &mut self,
        callee: &Value,
        args: &[Value],
        site: Option<Site<'a>>,
    ) -> Eval {
        let base = self.stack.len();
        let Value::Closure(function, captures) = callee else {
            return Err(self.not_a_function(site));
        };
        self.stack.extend_from_slice(captures.as_slice());
        self.stack.extend_from_slice(args);
        self.call(self.code.function(*function), base, site)
    }

    #[cold]
    fn not_a_function(&self, site: Option<Site<'a>>) -> Stop {
        let kind = FaultKind::Unsupported("a call of what is not a function");
        match site {
            Some(_) => self.caller_fault(site, FunctionId(0), kind, Vec::new()),
            None => Stop::Fault(Box::new(self.outside_fault(kind))),
        }
    }

    /// Calls a function whose captures and arguments lie on the stack from `base`.
    pub(super) fn call(
        &mut self,
        code: &'a FunctionCode,
        base: usize,
        site: Option<Site<'a>>,
    ) -> Eval {
        if self.depth >= self.meter.limits.depth || here() < self.floor {
            self.stack.truncate(base);
            return Err(self.caller_fault(site, code.id, FaultKind::DepthLimit, Vec::new()));
        }
        self.depth += 1;
        let mut activation = Activation { code, site, opened_by: None, entered: false };
        let mut result = self.body(&mut activation, base);
        if activation.code.checks_result || result.is_err() {
            result = self.leave(&activation, base, result);
        }
        self.stack.truncate(base);
        self.depth -= 1;
        result
    }

    /// What is left to do after a body: `?` gave the result, the result is checked, a fault
    /// gets the call into its trace.
    #[inline(never)]
    fn leave(&mut self, activation: &Activation<'a>, base: usize, result: Eval) -> Eval {
        let result = match result {
            Err(Stop::Leave) => Ok(self.leaving.take().unwrap_or(Value::UNIT)),
            Ok(_) | Err(Stop::Fault(_)) => result,
        };
        let result = match result {
            Ok(value) if activation.code.checks_result => {
                self.check_result(At { code: activation.code, base }, value)
            }
            Ok(_) | Err(_) => result,
        };
        if !activation.entered {
            return result;
        }
        result.map_err(|stop| {
            let stop = self.with_frame(stop, activation.code.id, activation.site);
            match activation.opened_by {
                Some((function, site)) => self.with_frame(stop, function, site),
                None => stop,
            }
        })
    }

    #[cold]
    fn with_frame(&self, stop: Stop, function: FunctionId, site: Option<Site<'a>>) -> Stop {
        match stop {
            Stop::Fault(mut fault) => {
                let call = site.map(|site| self.code.span(site.code, site.node));
                fault.trace.push(Frame { function, call });
                Stop::Fault(fault)
            }
            Stop::Leave => Stop::Leave,
        }
    }

    /// Enters a function, then follows what is in tail position.
    fn body(&mut self, activation: &mut Activation<'a>, base: usize) -> Eval {
        self.enter(activation.code, base, activation.site)?;
        activation.entered = true;
        let mut at = At { code: activation.code, base };
        let mut node = at.code.root;
        loop {
            match at.code.nodes[node as usize] {
                Node::If(condition, then, otherwise) => {
                    node = if self.condition(at, condition)? { then } else { otherwise };
                }
                Node::Block(statements, result) => {
                    self.statements(at, statements)?;
                    node = result;
                }
                Node::Match(scrutinee, arms) => node = self.arm(at, node, scrutinee, arms)?,
                Node::Same(inner) => node = inner,
                Node::And(a, b) => {
                    if !self.condition(at, a)? {
                        return Ok(Value::Bool(false));
                    }
                    node = b;
                }
                Node::Or(a, b) => {
                    if self.condition(at, a)? {
                        return Ok(Value::Bool(true));
                    }
                    node = b;
                }
                Node::Call(function, args) if !at.code.checks_result => {
                    let start = self.stack.len();
                    self.push_all(at, args)?;
                    let callee = self.code.function(function);
                    self.replace(activation, base, start, callee, node)?;
                    at = At { code: callee, base };
                    node = callee.root;
                }
                Node::CallValue(callee, args) if !at.code.checks_result => {
                    let start = self.stack.len();
                    let callee = self.push_callee(at, node, callee, args)?;
                    self.replace(activation, base, start, callee, node)?;
                    at = At { code: callee, base };
                    node = callee.root;
                }
                Node::Int(_) | Node::Float(_) | Node::Bool(_) | Node::Char(_) => break,
                Node::Shared(_) | Node::Local(_) | Node::Constant(_) => break,
                Node::Function(_) | Node::Closure(..) | Node::Call(..) => break,
                Node::CallValue(..) | Node::Binary(..) | Node::Builtin(..) => break,
                Node::Perform(..) | Node::Tuple(_) | Node::Construct(..) => break,
                Node::List(_) | Node::ListBefore(..) | Node::Field(..) => break,
                Node::ParResult | Node::Rare => break,
            }
        }
        self.eval(at, node)
    }

    /// Gives the frame to another function, whose arguments lie on the stack from `start`.
    fn replace(
        &mut self,
        activation: &mut Activation<'a>,
        base: usize,
        start: usize,
        callee: &'a FunctionCode,
        node: u32,
    ) -> Result<(), Stop> {
        let count = self.stack.len() - start;
        if base + count <= start {
            let (frame, args) = self.stack.split_at_mut(start);
            frame[base..base + count].swap_with_slice(args);
            self.stack.truncate(base + count);
        } else {
            self.stack.drain(base..start);
        }
        let site = Some(Site { code: activation.code, node });
        self.enter(callee, base, site)?;
        activation.opened_by.get_or_insert((activation.code.id, activation.site));
        activation.code = callee;
        activation.site = site;
        Ok(())
    }

    /// One step; room for the locals; arguments and `in` clauses are checked.
    #[inline]
    fn enter(
        &mut self,
        code: &'a FunctionCode,
        base: usize,
        site: Option<Site<'a>>,
    ) -> Result<(), Stop> {
        if let Err(kind) = self.meter.step() {
            return Err(self.caller_fault(site, code.id, kind, Vec::new()));
        }
        if self.stack.len() - base != code.n_params as usize {
            let kind = FaultKind::Unsupported("a call with another number of arguments");
            return Err(self.caller_fault(site, code.id, kind, Vec::new()));
        }
        if code.n_locals > code.n_params {
            self.stack.resize(base + code.n_locals as usize, Value::UNIT);
        }
        if code.checks.is_some() { self.check_entry(At { code, base }, site) } else { Ok(()) }
    }

    #[inline(never)]
    fn check_entry(&mut self, at: At<'a>, site: Option<Site<'a>>) -> Result<(), Stop> {
        let Some(checks) = &at.code.checks else { return Ok(()) };
        let function = at.code.id;
        for (param, ty) in &checks.params {
            let value = self.stack[at.base + *param as usize].clone();
            let outside = self
                .outside(&value, *ty, Site { code: at.code, node: at.code.root })
                .map_err(|stop| self.with_frame(stop, at.code.id, site))?;
            if let Some((ty, part)) = outside {
                let role = RefinedRole::Argument { function, param: *param };
                let mut values = self.param_values(at);
                values.push(("it".to_owned(), part));
                let kind = FaultKind::Refinement { ty, role };
                return Err(self.caller_fault(site, function, kind, values));
            }
        }
        let program = self.program;
        for clause in &program.function(function).requires {
            let holds = self
                .condition(at, clause.term.0)
                .map_err(|stop| self.with_frame(stop, at.code.id, site))?;
            if !holds {
                let kind = violated(ClauseKind::In, function, clause);
                let values = self.param_values(at);
                return Err(self.caller_fault(site, function, kind, values));
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn check_result(&mut self, at: At<'a>, value: Value) -> Eval {
        let function = at.code.id;
        let ty = at.code.checks.as_ref().and_then(|checks| checks.result);
        if let Some(ty) = ty {
            let site = Site { code: at.code, node: at.code.root };
            if let Some((ty, part)) = self.outside(&value, ty, site)? {
                let kind = FaultKind::Refinement { ty, role: RefinedRole::Result(function) };
                let mut values = self.param_values(at);
                values.push(("result".to_owned(), value));
                values.push(("it".to_owned(), part));
                return Err(self.own_fault(at, kind, values));
            }
        }
        let program = self.program;
        for clause in &program.function(function).ensures {
            if let Some(local) = clause.result {
                self.stack[at.base + local.index()] = value.clone();
            }
            if !self.condition(at, clause.term.0)? {
                let kind = violated(ClauseKind::Out, function, clause);
                let mut values = self.param_values(at);
                let name = clause.result.map_or("result", |local| {
                    &program.function(function).body.local(local).name
                });
                values.push((name.to_owned(), value));
                return Err(self.own_fault(at, kind, values));
            }
        }
        Ok(value)
    }

    /// A fault of a function as a whole: at its name.
    fn own_fault(&self, at: At<'a>, kind: FaultKind, values: Vec<(String, Value)>) -> Stop {
        self.caller_fault(None, at.code.id, kind, values)
    }

    fn param_values(&self, at: At<'a>) -> Vec<(String, Value)> {
        let params = &self.program.function(at.code.id).params;
        let values = &self.stack[at.base..];
        params
            .iter()
            .zip(values)
            .map(|(it, value)| (it.name.to_string(), value.clone()))
            .collect()
    }

    /// Pushes the captures and arguments of a call of a function value.
    pub(super) fn push_callee(
        &mut self,
        at: At<'a>,
        node: u32,
        callee: u32,
        args: Range,
    ) -> Result<&'a FunctionCode, Stop> {
        let Value::Closure(function, captures) = self.operand(at, callee)? else {
            return Err(self.not_a_function(Some(Site { code: at.code, node })));
        };
        self.stack.extend_from_slice(captures.as_slice());
        self.push_all(at, args)?;
        Ok(self.code.function(function))
    }

    pub(super) fn statements(&mut self, at: At<'a>, statements: Range) -> Result<(), Stop> {
        for statement in statements.of(&at.code.statements) {
            let value = self.operand(at, statement.value)?;
            match statement.target {
                Target::Nowhere => {}
                Target::Local(local) => self.stack[at.base + local as usize] = value,
                Target::Pattern(pattern) => {
                    if !self.matches(at, pattern, &value) {
                        let kind = FaultKind::Unsupported("a `let` that does not match");
                        return Err(self.fault(at, statement.value, kind));
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a constant: computed at its first use, on its own account.
    #[inline(never)]
    pub(super) fn constant(&mut self, at: At<'a>, node: u32, id: ConstId) -> Eval {
        if let Some(known) = &self.memory.constants[id.index()] {
            return known.clone().map_err(Stop::Fault);
        }
        let fresh = self.meter.fresh();
        let meter = std::mem::replace(&mut self.meter, fresh);
        let base = self.stack.len();
        let code = self.code.function(self.program.constant(id).function);
        let result = self.call(code, base, Some(Site { code: at.code, node }));
        self.meter = meter;
        let result = result.map_err(|stop| match stop {
            Stop::Fault(fault) => fault,
            Stop::Leave => Box::new(self.outside_fault(FaultKind::Unsupported("a lost `?`"))),
        });
        if is_final(&result) {
            self.memory.constants[id.index()] = Some(result.clone());
        }
        result.map_err(Stop::Fault)
    }
}

/// Whether computing a constant again would give the same. How much native stack is left, or
/// that the user interrupts, is no property of the constant.
fn is_final(result: &Result<Value, Box<Fault>>) -> bool {
    match result {
        Ok(_) => true,
        Err(fault) => !matches!(fault.kind, FaultKind::DepthLimit | FaultKind::Interrupted),
    }
}

fn violated(kind: ClauseKind, function: FunctionId, clause: &Clause) -> FaultKind {
    FaultKind::Contract { clause: kind, function, at: clause.span }
}
