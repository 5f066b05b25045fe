//! The table of attributes: their names, where they are allowed, and their arguments.
//!
//! Only this module reads arguments from the tree; later stages see typed values.

use gainsay_core::{ConstructorWeight, FunctionAttributes, PropertySettings};
use gainsay_source::{Span, closest_name};
use gainsay_syntax::ast::{self, BinaryOp, Expr, Name};

use crate::checker::Checker;
use crate::findings::{AttributeMismatch, BadAttribute, NoCases, UnknownAttribute};

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
    /// The annotations that mean something here.
    fn allowed(self) -> &'static [AttributeName] {
        use AttributeName as Name;
        match self {
            Self::Function => &[
                Name::Property,
                Name::Profile,
                Name::Generator,
                Name::Builtin,
                Name::Mutants,
                Name::Ignore,
            ],
            Self::Type => &[Name::Weights],
            Self::Operation => &[Name::Snapshot, Name::Generative, Name::Output],
            Self::Claim => &[Name::Ignore],
        }
    }
}

/// The annotations that there are.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum AttributeName {
    Property,
    Profile,
    Generator,
    Builtin,
    Mutants,
    Ignore,
    Weights,
    Snapshot,
    Generative,
    Output,
}

impl AttributeName {
    /// The name after `@`.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Property => "property",
            Self::Profile => "profile",
            Self::Generator => "generator",
            Self::Builtin => "builtin",
            Self::Mutants => "mutants",
            Self::Ignore => "ignore",
            Self::Weights => "weights",
            Self::Snapshot => "snapshot",
            Self::Generative => "generative",
            Self::Output => "output",
        }
    }
}

/// The annotations of one declaration; of two that say the same, the first holds.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'t> {
    /// What `@property` says, and where. One with wrong arguments still makes a property.
    pub(crate) property: Option<(PropertySettings, Span)>,
    pub(crate) profile: Option<ProfileAttribute>,
    /// The location of `@generator`.
    pub(crate) generator: Option<Span>,
    pub(crate) skip_mutants: Option<Box<str>>,
    pub(crate) ignore: Option<Box<str>>,
    /// What `@weights` says, if it is there.
    pub(crate) weights: Option<Vec<WeightArgument<'t>>>,
    pub(crate) is_snapshot: bool,
    pub(crate) is_generative: bool,
    pub(crate) is_output: bool,
    /// Whether one of them was reported.
    pub(crate) misread: bool,
}

/// `@profile(Mailer.send, name)`.
#[derive(Debug, Clone)]
pub(crate) struct ProfileAttribute {
    /// The operation, by the names of its path.
    pub(crate) op: Vec<Box<str>>,
    /// What it is called; like its function when absent.
    pub(crate) name: Option<Box<str>>,
    pub(crate) span: Span,
}

/// `Node = size` in `@weights`.
#[derive(Debug)]
pub(crate) struct WeightArgument<'t> {
    pub(crate) ctor: &'t str,
    pub(crate) weight: ConstructorWeight,
    /// The annotation.
    pub(crate) span: Span,
}

impl Attributes<'_> {
    /// What later stages need of the annotations of a function.
    pub(crate) fn of_function(self) -> FunctionAttributes {
        let Self { property, skip_mutants, ignore, .. } = self;
        FunctionAttributes { property: property.map(|it| it.0), skip_mutants, ignore }
    }
}

/// Reads annotations, and reports those that mean nothing.
pub(crate) fn read_attributes<'t>(
    checker: &mut Checker<'t>,
    target: AttributeTarget,
    attributes: impl Iterator<Item = ast::Attribute<'t>>,
) -> Attributes<'t> {
    let mut all = Attributes::default();
    for attribute in attributes {
        let Some(written) = attribute.name() else {
            all.misread = true;
            continue;
        };
        let (span, text) = (attribute.span(), written.text());
        let allowed = target.allowed();
        let is_std = checker.is_std(span.file);
        let found = allowed.iter().copied().find(|it| it.text() == text);
        let Some(name) = found.filter(|it| *it != AttributeName::Builtin || is_std) else {
            let close = match found {
                Some(_) => None,
                None => closest_name(text, allowed.iter().map(|it| it.text())),
            };
            let (name, close) = (text.to_owned(), close.map(str::to_owned));
            checker.report(UnknownAttribute { name, span, target, close });
            all.misread = true;
            continue;
        };
        if name == AttributeName::Property {
            report_no_cases(checker, attribute);
        }
        if all.add(name, attribute).is_none() {
            let mismatch = AttributeMismatch::Arguments;
            checker.report(BadAttribute { name, span, mismatch });
            all.misread = true;
        }
    }
    all
}

impl<'t> Attributes<'t> {
    /// Takes in an annotation; `None` if it does not take these arguments.
    fn add(&mut self, name: AttributeName, attribute: ast::Attribute<'t>) -> Option<()> {
        let span = attribute.span();
        match name {
            AttributeName::Property => {
                let (settings, fits) = property_settings(attribute);
                // Even with wrong arguments: otherwise each `observe` in the body would be an error
                // as well.
                self.property.get_or_insert((settings, span));
                return fits.then_some(());
            }
            AttributeName::Profile => {
                let profile = profile(attribute)?;
                self.profile.get_or_insert(profile);
            }
            AttributeName::Mutants => {
                let reason = skip_reason(attribute)?;
                self.skip_mutants.get_or_insert(reason);
            }
            AttributeName::Ignore => {
                let reason = reason(exactly_one(attribute.args())?)?;
                self.ignore.get_or_insert(reason);
            }
            AttributeName::Weights => {
                let weights: Option<Vec<_>> =
                    attribute.args().map(|it| weight_argument(it, span)).collect();
                let weights = weights.filter(|it| !it.is_empty())?;
                self.weights.get_or_insert_default().extend(weights);
            }
            AttributeName::Generator => {
                if attribute.args().next().is_some() {
                    return None;
                }
                self.generator.get_or_insert(span);
            }
            AttributeName::Builtin
            | AttributeName::Snapshot
            | AttributeName::Generative
            | AttributeName::Output => {
                if attribute.args().next().is_some() {
                    return None;
                }
                self.is_snapshot |= name == AttributeName::Snapshot;
                self.is_generative |= name == AttributeName::Generative;
                self.is_output |= name == AttributeName::Output;
            }
        }
        Some(())
    }
}

fn exactly_one<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next();
    first.filter(|_| all.next().is_none())
}

fn report_no_cases<'t>(checker: &mut Checker<'t>, attribute: ast::Attribute<'t>) {
    for arg in attribute.args() {
        let is_cases = arg.key().is_some_and(|it| it.text() == "cases");
        if is_cases && arg.value().and_then(number) == Some(0) {
            checker.report(NoCases { span: arg.span() });
        }
    }
}

/// The settings that can be read, and whether these are all.
fn property_settings(attribute: ast::Attribute<'_>) -> (PropertySettings, bool) {
    let (mut settings, mut fits) = (PropertySettings::default(), true);
    for arg in attribute.args() {
        let value = arg.value().and_then(number);
        match arg.key().map(Name::text) {
            Some("cases") => settings.cases = value,
            Some("seed") => settings.seed = value,
            Some("steps") => settings.steps = value,
            _ => fits = false,
        }
        fits &= value.is_some();
    }
    (settings, fits)
}

fn profile(attribute: ast::Attribute<'_>) -> Option<ProfileAttribute> {
    let args: Vec<_> = attribute.args().collect();
    let unnamed = args.iter().map(|it| it.value().filter(|_| it.key().is_none()));
    let unnamed: Vec<Expr<'_>> = unnamed.collect::<Option<_>>()?;
    let (op, name) = match unnamed[..] {
        [op] => (op, None),
        [op, name] => (op, Some(only_name(name)?.text().into())),
        _ => return None,
    };
    // As text, because an operation is no value that the expression could denote.
    let op = op.node().text().split('.').map(|it| it.trim().into()).collect();
    Some(ProfileAttribute { op, name, span: attribute.span() })
}

/// The reason of `@mutants(skip, reason = "..")`.
fn skip_reason(attribute: ast::Attribute<'_>) -> Option<Box<str>> {
    let is_skip = |arg: &ast::AttributeArg<'_>| {
        let word = arg.value().filter(|_| arg.key().is_none()).and_then(only_name);
        word.is_some_and(|it| it.text() == "skip")
    };
    let (skip, others): (Vec<_>, Vec<_>) = attribute.args().partition(is_skip);
    reason(exactly_one(others.into_iter())?).filter(|_| skip.len() == 1)
}

/// The text of `reason = ".."`.
fn reason(arg: ast::AttributeArg<'_>) -> Option<Box<str>> {
    let is_reason = arg.key().is_some_and(|key| key.text() == "reason");
    let Some(Expr::Literal(literal)) = arg.value().filter(|_| is_reason) else { return None };
    Some(literal.literal()?.string_value()?.into())
}

fn weight_argument(arg: ast::AttributeArg<'_>, span: Span) -> Option<WeightArgument<'_>> {
    Some(WeightArgument { ctor: arg.key()?.text(), weight: weight(arg.value()?)?, span })
}

//   weight = number | "size" | weight "+" weight | weight "*" weight | "(" weight ")"
fn weight(value: Expr<'_>) -> Option<ConstructorWeight> {
    let value = value.without_parens()?;
    if let Expr::Binary(binary) = value {
        let (a, b) = (Box::new(weight(binary.lhs()?)?), Box::new(weight(binary.rhs()?)?));
        let op = binary.op()?;
        if op == BinaryOp::Add {
            return Some(ConstructorWeight::Sum(a, b));
        }
        return (op == BinaryOp::Mul).then_some(ConstructorWeight::Product(a, b));
    }
    if only_name(value).is_some_and(|it| it.text() == "size") {
        return Some(ConstructorWeight::Size);
    }
    Some(ConstructorWeight::Number(number(value)?.try_into().ok()?))
}

fn only_name(value: Expr<'_>) -> Option<Name<'_>> {
    let Expr::Name(name) = value else { return None };
    name.name()
}

fn number(value: Expr<'_>) -> Option<u64> {
    let Expr::Literal(literal) = value else { return None };
    let digits = literal.literal()?.int_digits()?;
    u64::from_str_radix(&digits.digits, digits.radix).ok()
}
