//! Derives generator functions from plans: one for each node that is more than a single draw.
//!
//! Each function takes the remaining size and returns a value. It is written twice, for the search
//! program and for the record program, which has spans; both draw the same values.

mod container;
mod declared;
mod filter;
mod function;
mod narrow;
mod number;
mod recipe;
mod sum;
mod text;
mod value_shape;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gainsay_choice::{Kind, KindId, KindTable, SpanLabel, SpanLabels, TextKind};
use gainsay_core::{
    Function, FunctionId, FunctionKind, LocalId, ModuleId, OpId, Program, Row, RowId,
    Statement, TermId, Ty, TyId, TypeTable, builtin,
};
use gainsay_source::Span;

use crate::constants::{CodeConstants, ConstantFinder};
use crate::core_builder::{CoreBuilder, FunctionHeader};
use crate::domain::Domain;
use crate::draw_effect::DrawOps;
use crate::generator_plan::{GeneratorPlan, GeneratorSource, PlanNode, PlanNodeId, PlanShape};
use crate::lowered::{
    ContainerKind, NarrowedQuery, NoGenerator, RejectionFilter, ValueShape, ValueShapeId,
};

pub(crate) use self::narrow::NoRecipe;
use self::recipe::RecipeFunctions;
pub(crate) use self::recipe::RecipeId;

/// Which of the two programs is written.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum GeneratorMode {
    Search,
    Record,
}

/// How values are found that satisfy a predicate.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum FoundBy {
    /// By functions that a recipe describes.
    Recipe(RecipeId),
    /// By a solver: the number of its query.
    Query(usize),
    /// They are drawn and rejected.
    Filter,
}

/// The state of deriving all generators of a program.
pub(crate) struct Deriver<'p> {
    /// The program, with the effect `Draw`; its type table is the one from before.
    pub(crate) program: &'p Program,
    pub(crate) types: TypeTable,
    pub(crate) ops: DrawOps,
    pub(crate) plan: GeneratorPlan,
    pub(crate) kinds: KindTable,
    pub(crate) labels: SpanLabels,
    pub(crate) texts: Vec<TextKind>,
    pub(crate) containers: Vec<ContainerKind>,
    pub(crate) filters: Vec<RejectionFilter>,
    pub(crate) functions: Vec<TyId>,
    pub(crate) value_shapes: Vec<ValueShape>,
    value_shape_ids: HashMap<(TyId, ModuleId), ValueShapeId>,
    pub(crate) queries: Vec<NarrowedQuery>,
    recipes: Vec<RecipeFunctions>,
    /// Whether conditions are only filtered.
    pub(crate) filters_only: bool,
    /// Whether predicates are compiled to generators where possible.
    pub(crate) uses_recipes: bool,
    /// The query of each refinement; `None` if values are filtered.
    refinement_queries: HashMap<PlanNodeId, FoundBy>,
    /// All functions of both programs.
    pub(crate) search: Vec<Function>,
    pub(crate) record: Vec<Function>,
    /// The effect row of generated functions.
    pub(crate) row: RowId,
    /// The function of each node that has one.
    generators: HashMap<PlanNodeId, FunctionId>,
    /// Further functions of a node, by number.
    auxiliary_functions: HashMap<(PlanNodeId, u32), FunctionId>,
    constant_finder: ConstantFinder,
    /// How many inputs are values of a node.
    n_requests: BTreeMap<PlanNodeId, usize>,
    /// Nodes of which one case can have several values.
    recurring: BTreeSet<PlanNodeId>,
    /// Nodes whose functions are still to be written.
    worklist: Vec<PlanNodeId>,
    pub(crate) span: Span,
}

impl<'p> Deriver<'p> {
    pub(crate) fn new(program: &'p Program, mut types: TypeTable, ops: DrawOps) -> Self {
        // `Draw` is the last effect: it was added to the program for this.
        let draw = program.effects.last().map_or(&[][..], |it| &it.ops);
        let mut performed = draw.to_vec();
        for function in program.generators.values() {
            performed.extend(&types.get_row(program.function(*function).row).ops);
            performed.extend(ops.gen_.size.into_iter().chain(ops.gen_.set_size));
        }
        let row = types.intern_row(Row::new(performed, Vec::new(), Vec::new()));
        let span = program.op(ops.int).span;
        Deriver {
            program,
            types,
            ops,
            plan: GeneratorPlan::default(),
            kinds: KindTable::new(),
            labels: SpanLabels::new(),
            texts: Vec::new(),
            containers: Vec::new(),
            filters: Vec::new(),
            functions: Vec::new(),
            value_shapes: Vec::new(),
            value_shape_ids: HashMap::new(),
            queries: Vec::new(),
            recipes: Vec::new(),
            filters_only: false,
            uses_recipes: true,
            refinement_queries: HashMap::new(),
            search: program.functions.clone(),
            record: program.functions.clone(),
            row,
            generators: HashMap::new(),
            auxiliary_functions: HashMap::new(),
            constant_finder: ConstantFinder::new(program),
            n_requests: BTreeMap::new(),
            recurring: BTreeSet::new(),
            worklist: Vec::new(),
            span,
        }
    }

    /// The node for a type with a domain; or why there is no generator.
    pub(crate) fn request_node(
        &mut self,
        ty: TyId,
        domain: &Domain,
        module: ModuleId,
    ) -> Result<PlanNodeId, NoGenerator> {
        let context = (module, GeneratorSource::Declarations);
        let node = self.plan.request(self.program, &mut self.types, ty, domain, context)?;
        *self.n_requests.entry(node).or_default() += 1;
        Ok(node)
    }

    /// Reserves an id for a function in both programs.
    pub(crate) fn reserve(&mut self) -> FunctionId {
        let id = FunctionId(self.search.len() as u32);
        let it = CoreBuilder::new(self.span);
        let header = self.header("reserved", TypeTable::UNIT);
        let mut empty = it.finish(header, TermId(0));
        // No body until `define`.
        empty.body.root = None;
        self.search.push(empty.clone());
        self.record.push(empty);
        id
    }

    /// Defines a reserved function in one program.
    pub(crate) fn define(&mut self, mode: GeneratorMode, id: FunctionId, function: Function) {
        match mode {
            GeneratorMode::Search => self.search[id.index()] = function,
            GeneratorMode::Record => self.record[id.index()] = function,
        }
    }

    /// The header of a generated function.
    pub(crate) fn header(&self, name: &str, result: TyId) -> FunctionHeader {
        FunctionHeader {
            name: name.into(),
            module: self.program.effects.last().map_or(ModuleId(0), |it| it.module),
            kind: FunctionKind::Declared,
            n_captures: 0,
            result,
            row: self.row,
        }
    }

    pub(crate) fn intern_kind(&mut self, kind: Kind) -> KindId {
        self.kinds.intern(kind)
    }

    pub(crate) fn constants(&mut self, module: ModuleId) -> CodeConstants {
        self.constant_finder.constants_of(self.program, module).clone()
    }

    fn node(&self, id: PlanNodeId) -> PlanNode {
        self.plan.node(id).clone()
    }

    /// The type of the values of a node, without refinements: they are not checked again.
    pub(crate) fn value_type(&mut self, id: PlanNodeId) -> TyId {
        let ty = self.plan.node(id).ty;
        self.types.erase_refinements(ty)
    }

    /// The function of a node, scheduled to be written if it is new.
    fn generator(&mut self, id: PlanNodeId) -> FunctionId {
        if let Some(function) = self.generators.get(&id) {
            return *function;
        }
        // Reserve before writing: the body of a recursive type calls this id.
        let function = self.reserve();
        self.generators.insert(id, function);
        self.worklist.push(id);
        function
    }

    /// A further function of a node.
    fn auxiliary_function(&mut self, id: PlanNodeId, number: u32) -> FunctionId {
        if let Some(function) = self.auxiliary_functions.get(&(id, number)) {
            return *function;
        }
        let function = self.reserve();
        self.auxiliary_functions.insert((id, number), function);
        function
    }

    /// Writes all functions that were requested.
    pub(crate) fn finish_functions(&mut self) {
        // Depends on all requests, so it cannot be known earlier.
        self.recurring = self.plan.recurring(&self.n_requests);
        while let Some(id) = self.worklist.pop() {
            for mode in [GeneratorMode::Search, GeneratorMode::Record] {
                let function = self.write_function(id, mode);
                let place = self.generators[&id];
                self.define(mode, place, function);
            }
        }
    }

    fn write_function(&mut self, id: PlanNodeId, mode: GeneratorMode) -> Function {
        let mut it = CoreBuilder::new(self.span);
        let size = it.param("size", TypeTable::INT);
        let value = self.emit_body(&mut it, id, size, mode);
        let name = self.value_name(id);
        let value = match self.span_name(id) {
            Some(label) if mode == GeneratorMode::Record => {
                self.wrap_in_span(&mut it, &label, value)
            }
            Some(_) | None => value,
        };
        let value =
            if self.is_copyable(id) { self.wrap_copyable(&mut it, id, value) } else { value };
        let result = self.value_type(id);
        it.finish(self.header(&name, result), value)
    }

    /// The display name of the values of a node.
    pub(crate) fn value_name(&self, id: PlanNodeId) -> String {
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

    /// The label of the span around values of a node, if they take more than one draw.
    fn span_name(&self, id: PlanNodeId) -> Option<String> {
        match &self.plan.node(id).shape {
            PlanShape::Sum(_, cases) => {
                let has_fields = cases.iter().flatten().any(|it| !it.is_empty());
                has_fields.then(|| self.value_name(id))
            }
            PlanShape::List(..) | PlanShape::Set(..) | PlanShape::Map(..) => {
                Some(self.value_name(id))
            }
            PlanShape::Int(_)
            | PlanShape::Float(_)
            | PlanShape::Bool(_)
            | PlanShape::Char(_) => None,
            PlanShape::Text(_) => Some(self.value_name(id)),
            PlanShape::Tuple(_) | PlanShape::Function(..) | PlanShape::OneOf(_) => None,
            // The function opens a span of its own.
            PlanShape::Declared(_) => None,
            PlanShape::Filtered(..) | PlanShape::Ungeneratable(_) => None,
        }
    }

    /// Whether a value of a node may be a copy of an earlier one: if it takes several draws, and a
    /// case can have two of them.
    fn is_copyable(&self, id: PlanNodeId) -> bool {
        let is_composite = match &self.plan.node(id).shape {
            PlanShape::Sum(_, cases) => cases.iter().flatten().any(|it| !it.is_empty()),
            PlanShape::List(..) | PlanShape::Set(..) | PlanShape::Map(..) => true,
            PlanShape::Tuple(parts) => parts.len() > 1,
            PlanShape::Int(_)
            | PlanShape::Float(_)
            | PlanShape::Bool(_)
            | PlanShape::Char(_) => false,
            PlanShape::Text(_) | PlanShape::Function(..) | PlanShape::OneOf(_) => false,
            PlanShape::Declared(_) | PlanShape::Filtered(..) | PlanShape::Ungeneratable(_) => {
                false
            }
        };
        is_composite && self.recurring.contains(&id)
    }

    /// Marks a value as a part that may be a copy of an earlier one.
    fn wrap_copyable(&mut self, it: &mut CoreBuilder, id: PlanNodeId, value: TermId) -> TermId {
        let begin = it.perform_with_ints(self.ops.part, &[i64::from(id.0)]);
        let (local, bind) = it.bind("value", value);
        let end = it.perform_with_ints(self.ops.part_end, &[]);
        let result = it.local(local);
        it.block(vec![Statement::Drop(begin), bind, Statement::Drop(end)], result)
    }

    /// Wraps a value in a span.
    pub(crate) fn wrap_in_span(
        &mut self,
        it: &mut CoreBuilder,
        label: &str,
        value: TermId,
    ) -> TermId {
        let label = self.labels.intern(label);
        self.wrap_in_label(it, label, value)
    }

    fn wrap_in_label(
        &mut self,
        it: &mut CoreBuilder,
        label: SpanLabel,
        value: TermId,
    ) -> TermId {
        let open = it.perform_with_ints(self.ops.open, &[i64::from(label.0)]);
        let (local, bind) = it.bind("value", value);
        let close = it.perform_with_ints(self.ops.close, &[]);
        let result = it.local(local);
        it.block(vec![Statement::Drop(open), bind, Statement::Drop(close)], result)
    }

    /// A value of a node: drawn inline, or by a call of its function.
    pub(crate) fn emit_value(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        if self.is_single_draw(id, mode) {
            return self.emit_body(it, id, size, mode);
        }
        let function = self.generator(id);
        let size = it.local(size);
        let ty = self.value_type(id);
        it.call(function, vec![size], ty)
    }

    /// Whether values of a node are a single draw, or those of another node.
    fn is_single_draw(&self, id: PlanNodeId, mode: GeneratorMode) -> bool {
        match &self.plan.node(id).shape {
            PlanShape::Int(ints) => matches!(ints.pieces(), [one] if one.step == 1.into()),
            PlanShape::Bool(_) => true,
            PlanShape::Tuple(parts) => parts.is_empty(),
            PlanShape::OneOf(nodes) => nodes.len() == 1,
            PlanShape::Text(_) if mode == GeneratorMode::Record => false,
            PlanShape::Text(_) | PlanShape::Float(_) | PlanShape::Char(_) => false,
            PlanShape::List(..)
            | PlanShape::Set(..)
            | PlanShape::Map(..)
            | PlanShape::Sum(..) => false,
            PlanShape::Function(..)
            | PlanShape::Declared(_)
            | PlanShape::Filtered(..)
            | PlanShape::Ungeneratable(_) => false,
        }
    }

    /// The body of the function of a node.
    fn emit_body(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let PlanNode { shape, module, .. } = self.node(id);
        match shape {
            PlanShape::Int(ints) => self.emit_int(it, &ints, module),
            PlanShape::Float(floats) => self.emit_float(it, &floats, module),
            PlanShape::Bool(known) => self.emit_bool(it, known),
            PlanShape::Char(codes) => self.emit_char(it, &codes, module),
            PlanShape::Text(texts) => self.emit_text(it, &texts, module),
            PlanShape::Tuple(parts) => self.emit_tuple(it, id, &parts, size, mode),
            PlanShape::List(..) => self.emit_list(it, id, size, mode),
            PlanShape::Set(..) | PlanShape::Map(..) => self.emit_table(it, id, size, mode),
            PlanShape::Sum(named, cases) => self.emit_sum(it, id, (named, &cases), size, mode),
            PlanShape::Function(params, result) => {
                self.emit_function_value(it, id, (&params, result), size, mode)
            }
            PlanShape::OneOf(nodes) => self.emit_one_of(it, id, &nodes, size, mode),
            PlanShape::Filtered(inner, predicate, args) => {
                self.emit_filtered(it, id, (inner, predicate, args), size, mode)
            }
            PlanShape::Declared(function) => self.emit_declared(it, id, function, size),
            PlanShape::Ungeneratable(_) => self.emit_discard(it, id),
        }
    }

    /// Discards the case where a value of an uninhabited node is needed.
    fn emit_discard(&mut self, it: &mut CoreBuilder, id: PlanNodeId) -> TermId {
        let ty = self.value_type(id);
        it.generic_perform(self.ops.discard, [ty].into(), Vec::new(), ty)
    }

    fn emit_tuple(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        parts: &[PlanNodeId],
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let n_sized = self.count_sized(parts);
        let (statements, size) = self.emit_size_share(it, size, 0, n_sized);
        let values = parts.iter().map(|part| self.emit_value(it, *part, size, mode)).collect();
        let ty = self.value_type(id);
        let tuple = it.tuple(values, ty);
        it.block(statements, tuple)
    }

    fn count_sized(&self, parts: &[PlanNodeId]) -> i64 {
        parts.iter().filter(|it| self.plan.node(**it).is_sized).count() as i64
    }

    /// Divides what is left of a size, after `used`, among the parts.
    fn emit_size_share(
        &mut self,
        it: &mut CoreBuilder,
        size: LocalId,
        used: i64,
        n_parts: i64,
    ) -> (Vec<Statement>, LocalId) {
        // Nothing to divide: pass the size on as it is.
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

    /// Draws the index of an alternative.
    fn emit_pick(&mut self, it: &mut CoreBuilder, kind: KindId) -> TermId {
        self.emit_draw(it, self.ops.pick, kind)
    }

    fn emit_draw(&mut self, it: &mut CoreBuilder, op: OpId, kind: KindId) -> TermId {
        it.perform_with_ints(op, &[i64::from(kind.number())])
    }
}
