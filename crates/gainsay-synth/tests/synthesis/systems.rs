//! Small systems, each correct or with a fault.

use std::collections::BTreeMap;

use gainsay_smt::SmtValue;
use gainsay_synth::{OpId, Spec, SystemCrash, TestedSystem};

/// A system as a function from operations and deliveries to events.
pub(crate) struct ModelSystem {
    names: Vec<String>,
    state: State,
    queue: Vec<(String, Vec<SmtValue>)>,
    kind: SystemKind,
}

/// Which system, and whether it has its fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SystemKind {
    /// A stack that holds any number of elements, or two.
    Stack { capacity: usize },
    /// A store whose answers arrive in order, or in any order.
    Database { answers_late: bool },
    /// A set that loses a new maximum, or not.
    Set { loses_maximum: bool },
    /// A firewall that knows all nodes, or the last one.
    Firewall { forgets: bool },
    /// Reads that see the state at their request, or at their answer.
    Transaction { tears: bool },
}

#[derive(Clone, Default)]
struct State {
    elements: Vec<i128>,
    value: Option<i128>,
    nodes: Vec<SmtValue>,
    reads: BTreeMap<SmtValue, Option<i128>>,
}

impl ModelSystem {
    pub(crate) fn new(spec: &Spec, kind: SystemKind) -> ModelSystem {
        let names = spec.operations.iter().map(|it| it.name.clone()).collect();
        ModelSystem { names, state: State::default(), queue: Vec::new(), kind }
    }

    fn emit(&mut self, name: &str, args: Vec<SmtValue>) {
        self.queue.push((name.to_owned(), args));
    }

    fn act(&mut self, name: &str, args: &[SmtValue]) {
        match self.kind {
            SystemKind::Stack { capacity } => self.stack(name, args, capacity),
            SystemKind::Set { .. } => self.set(name, args),
            SystemKind::Database { .. } => match name {
                "write_req" => {
                    self.state.value = Some(int(&args[0]));
                    self.emit("write_rsp", args.to_vec());
                }
                _ => {
                    let value = self.state.value;
                    let answer = vec![
                        SmtValue::Int(value.unwrap_or(0)),
                        SmtValue::Bool(value.is_some()),
                    ];
                    self.emit("read_rsp", answer);
                }
            },
            SystemKind::Firewall { .. } => self.firewall(name, args),
            SystemKind::Transaction { .. } => match name {
                "write" => self.state.value = Some(int(&args[0])),
                _ => {
                    let value = self.state.value;
                    self.state.reads.entry(args[0].clone()).or_insert(value);
                }
            },
        }
    }

    fn stack(&mut self, name: &str, args: &[SmtValue], capacity: usize) {
        match name {
            "push" => {
                if self.state.elements.len() < capacity {
                    self.state.elements.push(int(&args[0]));
                }
            }
            "pop" => {
                let popped = self.state.elements.pop().unwrap_or(-99);
                self.emit("pop_rsp", vec![SmtValue::Int(popped)]);
            }
            "is_empty" => {
                let is_empty = self.state.elements.is_empty();
                self.emit("is_empty_rsp", vec![SmtValue::Bool(is_empty)]);
            }
            _ => self.state.elements.clear(),
        }
    }

    fn set(&mut self, name: &str, args: &[SmtValue]) {
        let loses_maximum = self.kind == SystemKind::Set { loses_maximum: true };
        match name {
            "insert" => {
                let element = int(&args[0]);
                let is_new_maximum =
                    self.state.elements.iter().max().is_some_and(|it| element > *it);
                let is_lost = loses_maximum && is_new_maximum;
                if !self.state.elements.contains(&element) && !is_lost {
                    self.state.elements.push(element);
                }
            }
            "delete" => {
                let element = int(&args[0]);
                let before = self.state.elements.len();
                self.state.elements.retain(|it| *it != element);
                let is_found = self.state.elements.len() < before;
                self.emit("delete_rsp", vec![SmtValue::Bool(is_found)]);
            }
            _ => {}
        }
    }

    fn firewall(&mut self, name: &str, args: &[SmtValue]) {
        let forgets = self.kind == SystemKind::Firewall { forgets: true };
        match name {
            "start" => self.emit("in_req", args.to_vec()),
            "in_req" => {
                if forgets {
                    self.state.nodes.clear();
                }
                self.state.nodes.push(args[0].clone());
                self.emit("fw_req", args.to_vec());
            }
            "fw_req" => self.emit("ex_req", args.to_vec()),
            "ex_req" => {
                let is_known = self.state.nodes.contains(&args[0]);
                self.emit("ex_rsp", vec![args[0].clone(), SmtValue::Bool(is_known)]);
            }
            _ => {}
        }
    }
}

fn int(value: &SmtValue) -> i128 {
    let SmtValue::Int(value) = value else { panic!("{value:?} is an integer") };
    *value
}

impl TestedSystem for ModelSystem {
    fn reset(&mut self) {
        self.state = State::default();
        self.queue.clear();
    }

    fn perform(&mut self, op: OpId, args: &[SmtValue]) -> Result<(), SystemCrash> {
        let name = self.names[op.index()].clone();
        self.act(&name, args);
        Ok(())
    }

    fn pending(&self) -> Vec<(OpId, Vec<SmtValue>)> {
        let op = |name: &str| {
            let position = self.names.iter().position(|it| it == name).unwrap();
            all_ops(self.names.len())[position]
        };
        match self.kind {
            SystemKind::Transaction { tears } => {
                let answer = |(id, value): (&SmtValue, &Option<i128>)| {
                    let value = if tears { self.state.value } else { *value };
                    (op("read_rsp"), vec![id.clone(), SmtValue::Int(value.unwrap_or(0))])
                };
                self.state.reads.iter().map(answer).collect()
            }
            SystemKind::Database { answers_late } => {
                // An atomic store delivers in order.
                let n_deliverable = if answers_late { self.queue.len() } else { 1 };
                let deliverable = self.queue.iter().take(n_deliverable);
                deliverable.map(|it| (op(&it.0), it.1.clone())).collect()
            }
            SystemKind::Stack { .. } | SystemKind::Set { .. } | SystemKind::Firewall { .. } => {
                self.queue.iter().map(|it| (op(&it.0), it.1.clone())).collect()
            }
        }
    }

    fn deliver(&mut self, position: usize) -> Result<(), SystemCrash> {
        if let SystemKind::Transaction { .. } = self.kind {
            let id = self.state.reads.keys().nth(position).cloned().unwrap();
            self.state.reads.remove(&id);
            return Ok(());
        }
        let (name, args) = self.queue.remove(position);
        if matches!(self.kind, SystemKind::Firewall { .. }) {
            self.act(&name, &args);
        }
        Ok(())
    }
}

/// Operations by position.
fn all_ops(n_ops: usize) -> Vec<OpId> {
    let mut spec = Spec::default();
    for _ in 0..n_ops {
        spec.add_operation("op", gainsay_synth::OpKind::Gen, &[]);
    }
    spec.ops().collect()
}
