//! An input that nothing can be drawn for.

use gainsay_core::{Program, type_text};
use gainsay_gen::{NoGenerator, Site};
use gainsay_source::{Diagnostic, Span, codes};

/// An input that nothing can be drawn for.
pub(crate) struct Ungenerated {
    span: Span,
    name: String,
    ty: String,
    why: Why,
}

enum Why {
    NoValue,
    Effectful,
    TakesFunctions,
    Unknown,
    Endless,
    NotClosed,
}

impl Ungenerated {
    pub(crate) fn new(program: &Program, site: &Site, why: &NoGenerator) -> Self {
        let (why, ty) = match why {
            NoGenerator::NoValue(ty) => (Why::NoValue, Some(*ty)),
            NoGenerator::EffectfulFunction(ty) => (Why::Effectful, Some(*ty)),
            NoGenerator::FunctionOfFunctions(ty) => (Why::TakesFunctions, Some(*ty)),
            NoGenerator::TypeParameter(ty) => (Why::Unknown, Some(*ty)),
            NoGenerator::EndlessType(ty) => (Why::Endless, Some(*ty)),
            NoGenerator::NotClosed(_) => (Why::NotClosed, None),
        };
        let ty = ty.map_or_else(String::new, |ty| type_text(program, ty));
        let binder = site.binders.iter().find(|it| type_text(program, it.ty).contains(&ty));
        let (span, name) =
            binder.map_or((site.span, String::new()), |it| (it.span, it.name.to_string()));
        Self { span, name, ty, why }
    }
}

impl From<Ungenerated> for Diagnostic {
    fn from(it: Ungenerated) -> Self {
        let Ungenerated { span, name, ty, why } = it;
        let message = match why {
            Why::NoValue => format!("no value is of the type `{ty}`"),
            Why::Effectful => format!("functions of the type `{ty}` cannot be made up"),
            Why::TakesFunctions => format!("a function of functions cannot be made up: `{ty}`"),
            Why::Unknown => format!("it is not known which type `{ty}` is"),
            Why::Endless => format!("the type `{ty}` contains ever larger types"),
            Why::NotClosed => "a generator with parameters gives no values".to_owned(),
        };
        let help = match why {
            Why::NoValue => "loosen the refinement, or draw the value with a generator",
            Why::Effectful => "give the function in a `let`, or under a world",
            Why::TakesFunctions | Why::Endless => "draw the value with a generator: `x <- g()`",
            Why::Unknown => "write the type out",
            Why::NotClosed => "give it its arguments",
        };
        let label = if name.is_empty() {
            "nothing can be drawn here".to_owned()
        } else {
            format!("nothing can be drawn for `{name}`")
        };
        Diagnostic::new(codes::NO_GENERATOR, span, message).with_phrase(label).with_help(help)
    }
}
