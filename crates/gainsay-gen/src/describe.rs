//! Describes how a type was understood: which refinements were solved, and which are left.

use gainsay_core::{FunctionId, ModuleId, Program, TyId};

use crate::domain::Domain;
use crate::generator_plan::{GeneratorPlan, GeneratorSource, PlanShape};
use crate::lowered::NoGenerator;

/// How the outermost refinements of a type were understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainDescription {
    /// The values that are drawn, as `1..100 (0 mod 2)`.
    pub domain: String,
    /// Predicates that are not solved, or not entirely: they reject values.
    pub filters: Vec<FunctionId>,
}

/// Describes how a type is understood, or why there is no generator.
pub fn describe_domain(program: &Program, ty: TyId) -> Result<DomainDescription, NoGenerator> {
    let mut types = program.types.clone();
    let mut plan = GeneratorPlan::default();
    let context = (ModuleId(0), GeneratorSource::Declarations);
    let mut id = plan.request(program, &mut types, ty, &Domain::Any, context)?;
    let mut filters = Vec::new();
    while let Some(inner) = plan.node(id).shape.inner() {
        if let PlanShape::Filtered(_, predicate, _) = plan.node(id).shape {
            filters.push(predicate);
        }
        id = inner;
    }
    Ok(DomainDescription { domain: plan.node(id).domain.to_string(), filters })
}
