//! An input for which there is no generator.

use gainsay_core::{Program, type_text};
use gainsay_gen::{InputSite, NoGenerator};
use gainsay_source::{Diagnostic, Span, codes};

/// An input for which there is no generator.
pub(crate) struct UngeneratedInput {
    span: Span,
    name: String,
    ty: String,
    why: UngeneratedReason,
}

enum UngeneratedReason {
    NoValue,
    Effectful,
    TakesFunctions,
    Unknown,
    Endless,
    NotClosed,
}

impl UngeneratedInput {
    pub(crate) fn new(program: &Program, site: &InputSite, why: &NoGenerator) -> Self {
        let (why, ty) = match why {
            NoGenerator::NoValue(ty) => (UngeneratedReason::NoValue, Some(*ty)),
            NoGenerator::EffectfulFunction(ty) => (UngeneratedReason::Effectful, Some(*ty)),
            NoGenerator::FunctionOfFunctions(ty) => {
                (UngeneratedReason::TakesFunctions, Some(*ty))
            }
            NoGenerator::TypeParameter(ty) => (UngeneratedReason::Unknown, Some(*ty)),
            NoGenerator::EndlessType(ty) => (UngeneratedReason::Endless, Some(*ty)),
            NoGenerator::HasParameters(_) => (UngeneratedReason::NotClosed, None),
        };
        let ty = ty.map_or_else(String::new, |ty| type_text(program, ty));
        let binder = site.binders.iter().find(|it| type_text(program, it.ty).contains(&ty));
        let (span, name) =
            binder.map_or((site.span, String::new()), |it| (it.span, it.name.to_string()));
        Self { span, name, ty, why }
    }
}

impl From<UngeneratedInput> for Diagnostic {
    fn from(it: UngeneratedInput) -> Self {
        let UngeneratedInput { span, name, ty, why } = it;
        let message = match why {
            UngeneratedReason::NoValue => format!("the type `{ty}` has no values"),
            UngeneratedReason::Effectful => {
                format!("cannot generate effectful functions: `{ty}`")
            }
            UngeneratedReason::TakesFunctions => {
                format!("cannot generate functions that take functions: `{ty}`")
            }
            UngeneratedReason::Unknown => format!("`{ty}` is not a concrete type"),
            UngeneratedReason::Endless => {
                format!("the type `{ty}` contains ever larger instances of itself")
            }
            UngeneratedReason::NotClosed => "this generator needs arguments".to_owned(),
        };
        let help = match why {
            UngeneratedReason::NoValue => {
                "relax the refinement, or use a generator: `x <- g()`"
            }
            UngeneratedReason::Effectful => "define the function in a `let`, or use a world",
            UngeneratedReason::TakesFunctions | UngeneratedReason::Endless => {
                "use a generator: `x <- g()`"
            }
            UngeneratedReason::Unknown => "use a concrete type",
            UngeneratedReason::NotClosed => "pass its arguments",
        };
        let label = if name.is_empty() {
            "cannot generate values here".to_owned()
        } else {
            format!("cannot generate values for `{name}`")
        };
        Diagnostic::new(codes::NO_GENERATOR, span, message)
            .with_primary_label(label)
            .with_help(help)
    }
}
