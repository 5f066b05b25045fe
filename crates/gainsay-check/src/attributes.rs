//! The table of attributes: their names, where they are allowed, and their arguments.

use gainsay_core::{Attribute, PropertySettings};
use gainsay_source::closest_name;
use gainsay_syntax::ast::{self, Expr, Name};

use crate::checker::Checker;
use crate::findings::{BadAttribute, NoCases, UnknownAttribute};

/// The kind of declaration an attribute is attached to.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum AttributeTarget {
    /// A function.
    Function,
    /// A type.
    Type,
    /// An operation of an effect.
    Operation,
    /// A test or a verify block.
    Claim,
}

impl AttributeTarget {
    fn phrase(self) -> &'static str {
        match self {
            Self::Function => "a function",
            Self::Type => "a type",
            Self::Operation => "an operation",
            Self::Claim => "a claim",
        }
    }

    /// The attributes that are allowed here, each with its syntax.
    fn allowed(self) -> &'static [(&'static str, &'static str)] {
        const SKIP: (&str, &str) = ("mutants", "`@mutants(skip, reason = \"..\")`");
        const IGNORE: (&str, &str) = ("ignore", "`@ignore(reason = \"..\")`");
        match self {
            Self::Function => &[
                (
                    "property",
                    "`@property`, `@property(cases = 1_000)`, `@property(seed = 0x2a)` or \
                     `@property(steps = 100_000_000)`",
                ),
                ("profile", "`@profile(Mailer.send)` or `@profile(Mailer.send, name)`"),
                ("builtin", "`@builtin`"),
                SKIP,
                IGNORE,
            ],
            Self::Type => &[("weights", "`@weights(Leaf = 1, Node = size)`")],
            Self::Operation => &[
                ("snapshot", "`@snapshot`"),
                ("generative", "`@generative`"),
                ("output", "`@output`"),
            ],
            Self::Claim => &[IGNORE],
        }
    }
}

/// Reads attributes, and reports those that have no effect here.
pub(crate) fn read_attributes<'t>(
    checker: &mut Checker<'t>,
    place: AttributeTarget,
    attributes: impl Iterator<Item = ast::Attribute<'t>>,
) -> Vec<Attribute> {
    let mut read = Vec::new();
    for attribute in attributes {
        let Some(name) = attribute.name() else { continue };
        let span = attribute.span();
        let Some((_, wanted)) = place.allowed().iter().find(|(known, _)| *known == name.text())
        else {
            let close =
                closest_name(name.text(), place.allowed().iter().map(|(known, _)| *known));
            let close = close.map(str::to_owned);
            let name = name.text().to_owned();
            checker.report(UnknownAttribute { name, span, place: place.phrase(), close });
            continue;
        };
        let args: Vec<(Box<str>, Box<str>)> = attribute
            .args()
            .map(|arg| {
                let key = arg.key().map_or("", Name::text);
                let value = arg.value().map_or("", |value| value.node().text());
                if value.is_empty() {
                    ("".into(), key.into())
                } else {
                    (key.into(), value.into())
                }
            })
            .collect();
        let fits = match name.text() {
            "builtin" if !checker.is_std(span.file) => {
                let name = name.text().to_owned();
                let (place, close) = (place.phrase(), None);
                checker.report(UnknownAttribute { name, span, place, close });
                continue;
            }
            "property" => {
                let zero = attribute.args().filter(asks_for_no_cases).map(|it| it.span());
                let zero: Vec<_> = zero.collect();
                zero.into_iter().for_each(|span| checker.report(NoCases { span }));
                attribute.args().all(is_property_setting)
            }
            "ignore" => attribute.args().all(is_reason) && !args.is_empty(),
            "mutants" => {
                let has = |wanted: &str| args.iter().any(|(name, _)| &**name == wanted);
                args.iter().any(|(_, value)| &**value == "skip") && has("reason")
            }
            "profile" => {
                matches!(args.len(), 1 | 2) && args.iter().all(|(key, _)| key.is_empty())
            }
            "weights" => !args.is_empty() && args.iter().all(|(key, _)| !key.is_empty()),
            _ => args.is_empty(),
        };
        if !fits {
            let (name, wanted) = (name.text().to_owned(), (*wanted).to_owned());
            checker.report(BadAttribute { name, span, wanted });
            continue;
        }
        read.push(Attribute { name: name.text().into(), args: args.into(), span });
    }
    read
}

fn is_property_setting(arg: ast::AttributeArg<'_>) -> bool {
    let key = arg.key().map(Name::text);
    matches!(key, Some("cases" | "seed" | "steps"))
        && arg.value().is_some_and(|it| number(it).is_some())
}

/// Whether the argument is `cases = 0`.
fn asks_for_no_cases(arg: &ast::AttributeArg<'_>) -> bool {
    arg.key().is_some_and(|it| it.text() == "cases")
        && arg.value().is_some_and(|it| number(it) == Some(0))
}

fn is_reason(arg: ast::AttributeArg<'_>) -> bool {
    arg.key().is_some_and(|key| key.text() == "reason")
}

fn number(value: Expr<'_>) -> Option<u64> {
    let Expr::Literal(literal) = value else { return None };
    let digits = literal.literal()?.int_digits()?;
    u64::from_str_radix(&digits.digits, digits.radix).ok()
}

/// The settings of `@property`, if the function has it.
pub(crate) fn property_settings<'t>(
    attributes: impl Iterator<Item = ast::Attribute<'t>>,
) -> Option<PropertySettings> {
    let mut attributes = attributes;
    let found = attributes.find(|it| it.name().is_some_and(|it| it.text() == "property"))?;
    let mut settings = PropertySettings::default();
    for arg in found.args() {
        let value = arg.value().and_then(number);
        match arg.key().map(Name::text) {
            Some("cases") => settings.cases = value,
            Some("seed") => settings.seed = value,
            Some("steps") => settings.steps = value,
            _ => {}
        }
    }
    Some(settings)
}
