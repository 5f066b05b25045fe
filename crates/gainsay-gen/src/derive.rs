//! Makes functions of plans: one for each node that is not a mere draw.
//!
//! Each function takes the size that is left and gives a value. It is written twice, for the
//! search program and for the record program, which has spans; both draw the same.

mod container;
mod filter;
mod function;
mod number;
mod sum;
mod text;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gainsay_choice::{Kind, KindId, Kinds, Labels, TextKind};
use gainsay_core::{
    Function, FunctionId, FunctionKind, LocalId, ModuleId, OpId, Program, Row, RowId,
    Statement, TermId, Ty, TyId, TypeTable, builtin,
};
use gainsay_source::Span;

use crate::constants::{Constants, Finder};
use crate::domain::Domain;
use crate::draw::DrawOps;
use crate::emit::{Emit, Header};
use crate::lowered::{Container, Filter, NoGenerator};
use crate::plan::{Node, NodeId, Plan, Shape};

/// Which of the two programs is written.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Mode {
    Search,
    Record,
}

/// Everything that is made on the way.
pub(crate) struct Deriver<'p> {
    /// The program, with the effect `Draw`; its table of types is that of before.
    pub(crate) program: &'p Program,
    pub(crate) types: TypeTable,
    pub(crate) ops: DrawOps,
    pub(crate) plan: Plan,
    pub(crate) kinds: Kinds,
    pub(crate) labels: Labels,
    pub(crate) texts: Vec<TextKind>,
    pub(crate) containers: Vec<Container>,
    pub(crate) filters: Vec<Filter>,
    pub(crate) functions: Vec<TyId>,
    /// All functions of both programs.
    pub(crate) search: Vec<Function>,
    pub(crate) record: Vec<Function>,
    /// What generated functions perform.
    pub(crate) row: RowId,
    /// The function of each node that has one.
    generators: HashMap<NodeId, FunctionId>,
    /// Further functions of a node, by number.
    parts: HashMap<(NodeId, u32), FunctionId>,
    constants: Finder,
    /// How many inputs are values of a node.
    n_requests: BTreeMap<NodeId, usize>,
    /// Nodes of which one case can have several values.
    recurring: BTreeSet<NodeId>,
    /// Nodes whose functions are to be written.
    todo: Vec<NodeId>,
    pub(crate) span: Span,
}

impl<'p> Deriver<'p> {
    pub(crate) fn new(program: &'p Program, mut types: TypeTable, ops: DrawOps) -> Self {
        let draw = program.effects.last().map_or(&[][..], |it| &it.ops);
        let row = types.row(Row::new(draw.to_vec(), Vec::new(), Vec::new()));
        let span = program.op(ops.int).span;
        Deriver {
            program,
            types,
            ops,
            plan: Plan::default(),
            kinds: Kinds::new(),
            labels: Labels::new(),
            texts: Vec::new(),
            containers: Vec::new(),
            filters: Vec::new(),
            functions: Vec::new(),
            search: program.functions.clone(),
            record: program.functions.clone(),
            row,
            generators: HashMap::new(),
            parts: HashMap::new(),
            constants: Finder::new(program),
            n_requests: BTreeMap::new(),
            recurring: BTreeSet::new(),
            todo: Vec::new(),
            span,
        }
    }

    /// The node for a type with a domain; or why there is no generator.
    pub(crate) fn request(
        &mut self,
        ty: TyId,
        domain: &Domain,
        module: ModuleId,
    ) -> Result<NodeId, NoGenerator> {
        let node = self.plan.request(self.program, &mut self.types, ty, domain, module)?;
        *self.n_requests.entry(node).or_default() += 1;
        Ok(node)
    }

    /// A place for a function in both programs.
    pub(crate) fn reserve(&mut self) -> FunctionId {
        let id = FunctionId(self.search.len() as u32);
        let it = Emit::new(self.span);
        let header = self.header("reserved", TypeTable::UNIT);
        let mut empty = it.finish(header, TermId(0));
        empty.body.root = None;
        self.search.push(empty.clone());
        self.record.push(empty);
        id
    }

    /// Puts a function into its place in one program.
    pub(crate) fn define(&mut self, mode: Mode, id: FunctionId, function: Function) {
        match mode {
            Mode::Search => self.search[id.index()] = function,
            Mode::Record => self.record[id.index()] = function,
        }
    }

    /// The header of a generated function.
    pub(crate) fn header(&self, name: &str, result: TyId) -> Header {
        Header {
            name: name.into(),
            module: self.program.effects.last().map_or(ModuleId(0), |it| it.module),
            kind: FunctionKind::Declared,
            n_captures: 0,
            result,
            row: self.row,
        }
    }

    pub(crate) fn kind(&mut self, kind: Kind) -> KindId {
        self.kinds.intern(kind)
    }

    fn constants(&mut self, module: ModuleId) -> Constants {
        self.constants.of(self.program, module).clone()
    }

    fn node(&self, id: NodeId) -> Node {
        self.plan.node(id).clone()
    }

    /// The type of the values of a node, without refinements: they are not checked again.
    pub(crate) fn value_type(&mut self, id: NodeId) -> TyId {
        let ty = self.plan.node(id).ty;
        self.types.erase(ty)
    }

    /// The function of a node.
    fn generator(&mut self, id: NodeId) -> FunctionId {
        if let Some(function) = self.generators.get(&id) {
            return *function;
        }
        let function = self.reserve();
        self.generators.insert(id, function);
        self.todo.push(id);
        function
    }

    /// A further function of a node.
    fn part_function(&mut self, id: NodeId, number: u32) -> FunctionId {
        if let Some(function) = self.parts.get(&(id, number)) {
            return *function;
        }
        let function = self.reserve();
        self.parts.insert((id, number), function);
        function
    }

    /// Writes all functions that were asked for.
    pub(crate) fn finish_functions(&mut self) {
        self.recurring = self.plan.recurring(&self.n_requests);
        while let Some(id) = self.todo.pop() {
            for mode in [Mode::Search, Mode::Record] {
                let function = self.write(id, mode);
                let place = self.generators[&id];
                self.define(mode, place, function);
            }
        }
    }

    fn write(&mut self, id: NodeId, mode: Mode) -> Function {
        let mut it = Emit::new(self.span);
        let size = it.param("size", TypeTable::INT);
        let value = self.body(&mut it, id, size, mode);
        let name = self.name(id);
        let value = match self.span_name(id) {
            Some(label) if mode == Mode::Record => self.spanned(&mut it, &label, value),
            Some(_) | None => value,
        };
        let value = if self.is_part(id) { self.as_part(&mut it, id, value) } else { value };
        let result = self.value_type(id);
        it.finish(self.header(&name, result), value)
    }

    /// What the values of a node are called.
    pub(crate) fn name(&self, id: NodeId) -> String {
        let types = &self.types;
        let ty = types.get(types.base(self.plan.node(id).ty));
        let name = match ty {
            Ty::Int => "Int",
            Ty::Float => "Float",
            Ty::Bool => "Bool",
            Ty::Char => "Char",
            Ty::Str => "Str",
            Ty::Tuple(_) => "Tuple",
            Ty::List(_) => "List",
            Ty::Map(..) => "Map",
            Ty::Set(_) => "Set",
            Ty::Named(named, _) => &self.program.nominal(*named).name,
            Ty::Function { .. } => "Function",
            Ty::Refined { .. } | Ty::Param(_) | Ty::Var(_) | Ty::Error => "Any",
        };
        name.to_owned()
    }

    /// The name of the span around values of a node, if they are more than one draw.
    fn span_name(&self, id: NodeId) -> Option<String> {
        match &self.plan.node(id).shape {
            Shape::Sum(_, cases) => {
                let has_fields = cases.iter().flatten().any(|it| !it.is_empty());
                has_fields.then(|| self.name(id))
            }
            Shape::List(..) | Shape::Set(..) | Shape::Map(..) => Some(self.name(id)),
            Shape::Int(_) | Shape::Float(_) | Shape::Bool(_) | Shape::Char(_) => None,
            Shape::Text(_) => Some(self.name(id)),
            Shape::Tuple(_) | Shape::Function(..) | Shape::OneOf(_) => None,
            Shape::Filtered(..) | Shape::Barred(_) => None,
        }
    }

    /// Whether a value of a node may be a copy of an earlier one: if it is made of several draws,
    /// and a case can have two of them.
    fn is_part(&self, id: NodeId) -> bool {
        let is_composite = match &self.plan.node(id).shape {
            Shape::Sum(_, cases) => cases.iter().flatten().any(|it| !it.is_empty()),
            Shape::List(..) | Shape::Set(..) | Shape::Map(..) => true,
            Shape::Tuple(parts) => parts.len() > 1,
            Shape::Int(_) | Shape::Float(_) | Shape::Bool(_) | Shape::Char(_) => false,
            Shape::Text(_) | Shape::Function(..) | Shape::OneOf(_) => false,
            Shape::Filtered(..) | Shape::Barred(_) => false,
        };
        is_composite && self.recurring.contains(&id)
    }

    /// A value that may be a copy of an earlier one.
    fn as_part(&mut self, it: &mut Emit, id: NodeId, value: TermId) -> TermId {
        let begin = it.ask(self.ops.part, &[i64::from(id.0)]);
        let (local, bind) = it.bind("value", value);
        let end = it.ask(self.ops.part_end, &[]);
        let result = it.local(local);
        it.block(vec![Statement::Drop(begin), bind, Statement::Drop(end)], result)
    }

    /// A value inside a span.
    pub(crate) fn spanned(&mut self, it: &mut Emit, label: &str, value: TermId) -> TermId {
        let label = self.labels.intern(label);
        let open = it.ask(self.ops.open, &[i64::from(label.0)]);
        let (local, bind) = it.bind("value", value);
        let close = it.ask(self.ops.close, &[]);
        let result = it.local(local);
        it.block(vec![Statement::Drop(open), bind, Statement::Drop(close)], result)
    }

    /// A value of a node: drawn on the spot, or by its function.
    pub(crate) fn value(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        if self.is_mere_draw(id, mode) {
            return self.body(it, id, size, mode);
        }
        let function = self.generator(id);
        let size = it.local(size);
        let ty = self.value_type(id);
        it.call(function, vec![size], ty)
    }

    /// Whether values of a node are one draw, or those of another node.
    fn is_mere_draw(&self, id: NodeId, mode: Mode) -> bool {
        match &self.plan.node(id).shape {
            Shape::Int(ints) => matches!(ints.pieces(), [one] if one.step == 1.into()),
            Shape::Bool(_) => true,
            Shape::Tuple(parts) => parts.is_empty(),
            Shape::OneOf(nodes) => nodes.len() == 1,
            Shape::Text(_) if mode == Mode::Record => false,
            Shape::Text(_) | Shape::Float(_) | Shape::Char(_) => false,
            Shape::List(..) | Shape::Set(..) | Shape::Map(..) | Shape::Sum(..) => false,
            Shape::Function(..) | Shape::Filtered(..) | Shape::Barred(_) => false,
        }
    }

    /// What the function of a node does.
    fn body(&mut self, it: &mut Emit, id: NodeId, size: LocalId, mode: Mode) -> TermId {
        let Node { shape, module, .. } = self.node(id);
        match shape {
            Shape::Int(ints) => self.int(it, &ints, module),
            Shape::Float(floats) => self.float(it, &floats, module),
            Shape::Bool(known) => self.bool(it, known),
            Shape::Char(codes) => self.char(it, &codes, module),
            Shape::Text(texts) => self.text(it, &texts, module),
            Shape::Tuple(parts) => self.tuple(it, id, &parts, size, mode),
            Shape::List(..) => self.list(it, id, size, mode),
            Shape::Set(..) | Shape::Map(..) => self.table(it, id, size, mode),
            Shape::Sum(named, cases) => self.sum(it, id, (named, &cases), size, mode),
            Shape::Function(params, result) => {
                self.function(it, id, (&params, result), size, mode)
            }
            Shape::OneOf(nodes) => self.one_of(it, id, &nodes, size, mode),
            Shape::Filtered(inner, predicate, args) => {
                self.filtered(it, id, (inner, predicate, args), size, mode)
            }
            Shape::Barred(_) => self.discard(it, id),
        }
    }

    /// Gives up the case, where a value of a node is wanted.
    fn discard(&mut self, it: &mut Emit, id: NodeId) -> TermId {
        let ty = self.value_type(id);
        it.generic_perform(self.ops.discard, [ty].into(), Vec::new(), ty)
    }

    fn tuple(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        parts: &[NodeId],
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        let n_sized = self.n_sized(parts);
        let (statements, size) = self.share(it, size, 0, n_sized);
        let values = parts.iter().map(|part| self.value(it, *part, size, mode)).collect();
        let ty = self.value_type(id);
        let tuple = it.tuple(values, ty);
        it.block(statements, tuple)
    }

    fn n_sized(&self, parts: &[NodeId]) -> i64 {
        parts.iter().filter(|it| self.plan.node(**it).is_sized).count() as i64
    }

    /// What each of so many parts gets of a size when some of it is used up.
    fn share(
        &mut self,
        it: &mut Emit,
        size: LocalId,
        used: i64,
        n_parts: i64,
    ) -> (Vec<Statement>, LocalId) {
        if n_parts == 0 || (used == 0 && n_parts == 1) {
            return (Vec::new(), size);
        }
        let mut left = it.local(size);
        if used > 0 {
            left = it.arithmetic(builtin::INT_SUB, left, used);
        }
        if n_parts > 1 {
            left = it.arithmetic(builtin::INT_DIV, left, n_parts);
        }
        let (share, bind) = it.bind("share", left);
        (vec![bind], share)
    }

    /// Asks which of some alternatives.
    fn pick(&mut self, it: &mut Emit, kind: KindId) -> TermId {
        self.of_kind(it, self.ops.pick, kind)
    }

    fn of_kind(&mut self, it: &mut Emit, op: OpId, kind: KindId) -> TermId {
        it.ask(op, &[i64::from(kind.number())])
    }
}
