//! An input that nothing can be drawn for.

use gainsay_core::{Program, type_text};
use gainsay_gen::{InputSite, NoGenerator};
use gainsay_source::{Diagnostic, Span, codes};

/// An input that nothing can be drawn for.
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
            UngeneratedReason::NoValue => format!("no value is of the type `{ty}`"),
            UngeneratedReason::Effectful => {
                format!("functions of the type `{ty}` cannot be made up")
            }
            UngeneratedReason::TakesFunctions => {
                format!("a function of functions cannot be made up: `{ty}`")
            }
            UngeneratedReason::Unknown => format!("it is not known which type `{ty}` is"),
            UngeneratedReason::Endless => format!("the type `{ty}` contains ever larger types"),
            UngeneratedReason::NotClosed => {
                "a generator with parameters gives no values".to_owned()
            }
        };
        let help = match why {
            UngeneratedReason::NoValue => {
                "loosen the refinement, or draw the value with a generator"
            }
            UngeneratedReason::Effectful => "give the function in a `let`, or under a world",
            UngeneratedReason::TakesFunctions | UngeneratedReason::Endless => {
                "draw the value with a generator: `x <- g()`"
            }
            UngeneratedReason::Unknown => "write the type out",
            UngeneratedReason::NotClosed => "give it its arguments",
        };
        let label = if name.is_empty() {
            "nothing can be drawn here".to_owned()
        } else {
            format!("nothing can be drawn for `{name}`")
        };
        Diagnostic::new(codes::NO_GENERATOR, span, message)
            .with_primary_label(label)
            .with_help(help)
    }
}
