//! How values are read from choices and stated as choices, independent of size: for values that a
//! solver finds.
//!
//! The generator of a type depends on the size that is left; a solver does not keep to it. So a
//! value that was found is recorded by its structure alone, with the constructors that end soonest
//! as the simplest.

use gainsay_choice::{BooleanKind, CharKind, FloatKind, IntegerKind, Kind, SelectorKind};
use gainsay_core::{CtorId, ModuleId, Ty, TyId};

use super::Deriver;
use super::number::INTS;
use super::text::more_elements_kind;
use crate::domain::{Domain, LengthRange, TextSet};
use crate::generator_plan::{GeneratorSource, PlanShape};
use crate::lowered::{FieldShape, NoGenerator, ValueShape, ValueShapeId};

/// The usual number of elements in large cases.
const AVERAGE_LEN: u32 = 8;

impl Deriver<'_> {
    /// The shape of the values of a type.
    pub(crate) fn value_shape(
        &mut self,
        ty: TyId,
        module: ModuleId,
    ) -> Result<ValueShapeId, NoGenerator> {
        let ty = self.types.base(ty);
        if let Some(cached) = self.value_shape_ids.get(&(ty, module)) {
            return Ok(*cached);
        }
        let structure = (module, GeneratorSource::Structure);
        // Reports why there is none, and measures constructors.
        let node =
            self.plan.request(self.program, &mut self.types, ty, &Domain::Any, structure)?;
        // Reserved first: values may contain values of the same type.
        let id = ValueShapeId(self.value_shapes.len() as u32);
        self.value_shapes.push(ValueShape::Tuple(Box::default()));
        self.value_shape_ids.insert((ty, module), id);
        let shape = match self.types.get(ty).clone() {
            Ty::Int => {
                let edges = self.constants(module).ints;
                let integer = IntegerKind::any().with_edges(edges).in_pool(INTS);
                ValueShape::Int(self.intern_kind(Kind::Integer(integer)))
            }
            Ty::Float => {
                let float = FloatKind::any().with_edges(self.constants(module).floats);
                ValueShape::Float(self.intern_kind(Kind::Float(float)))
            }
            Ty::Bool => {
                let boolean = BooleanKind::with_chance(1, 2);
                ValueShape::Bool(self.intern_kind(Kind::Boolean(boolean)))
            }
            Ty::Char => {
                let chars = CharKind::any().with_edges(self.constants(module).chars);
                ValueShape::Char(self.intern_kind(Kind::Char(chars)))
            }
            Ty::Str => ValueShape::Text(self.text_kind(&TextSet::any(), module)),
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.value_shape(*it, module));
                ValueShape::Tuple(parts.collect::<Result<_, _>>()?)
            }
            Ty::List(item) => self.container_shape(&[item], module, |container, parts| {
                ValueShape::List(container, parts[0])
            })?,
            Ty::Set(item) => self.container_shape(&[item], module, |container, parts| {
                ValueShape::Set(container, parts[0])
            })?,
            Ty::Map(key, value) => {
                self.container_shape(&[key, value], module, |container, parts| {
                    ValueShape::Map(container, parts[0], parts[1])
                })?
            }
            Ty::Named(named, args) => {
                let heights = self.constructor_heights(node);
                let program = self.program;
                let ctors = program.nominal(named).ctors.iter().zip(heights);
                let mut ctors: Vec<(u32, CtorId)> =
                    ctors.filter_map(|(ctor, height)| Some((height?, *ctor))).collect();
                // Stable: constructors of the same height stay in the order of the source.
                ctors.sort_by_key(|(height, _)| *height);
                self.sum_shape(&ctors, &args, module)?
            }
            Ty::Function { .. }
            | Ty::Param(_)
            | Ty::Var(_)
            | Ty::Error
            | Ty::Refined { .. } => {
                return Err(NoGenerator::TypeParameter(ty));
            }
        };
        self.value_shapes[id.index()] = shape;
        Ok(id)
    }

    fn container_shape(
        &mut self,
        tys: &[TyId],
        module: ModuleId,
        make: impl FnOnce(crate::lowered::ContainerShape, &[ValueShapeId]) -> ValueShape,
    ) -> Result<ValueShape, NoGenerator> {
        let parts = tys.iter().map(|it| self.value_shape(*it, module));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let more = more_elements_kind(LengthRange::ANY, AVERAGE_LEN);
        let container = crate::lowered::ContainerShape {
            more: self.intern_kind(Kind::MoreElements(more)),
            element: self.labels.intern("found[]"),
        };
        Ok(make(container, &parts))
    }

    /// The heights of the smallest values of each constructor, in the order of the source.
    fn constructor_heights(&self, node: crate::generator_plan::PlanNodeId) -> Vec<Option<u32>> {
        let PlanShape::Sum(_, cases) = &self.plan.node(node).shape else { return Vec::new() };
        cases.iter().map(|fields| self.plan.case_height(fields.as_ref()?)).collect()
    }

    fn sum_shape(
        &mut self,
        ctors: &[(u32, CtorId)],
        args: &[TyId],
        module: ModuleId,
    ) -> Result<ValueShape, NoGenerator> {
        let program = self.program;
        let mut shapes = Vec::new();
        for (_, ctor) in ctors {
            let mut fields = Vec::new();
            for field in &program.ctor(*ctor).fields {
                let ty = self.types.instantiate(field.ty, args);
                let label = field.name.as_ref().map(|name| self.labels.intern(name));
                fields.push(FieldShape { label, shape: self.value_shape(ty, module)? });
            }
            shapes.push((*ctor, fields.into()));
        }
        let pick = match ctors.len() {
            0 | 1 => None,
            n => SelectorKind::even(n as u32).map(|it| self.intern_kind(Kind::Selector(it))),
        };
        Ok(ValueShape::Sum(pick, shapes.into()))
    }
}
