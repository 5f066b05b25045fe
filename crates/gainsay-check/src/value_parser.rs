//! Parses source text as a value of a type without running anything: the inverse of printing.
//!
//! The type determines what is expected, so that constructors need no imports and `[]` no
//! annotation. Refinements are not checked, because that takes an engine.
//!
//! A function is written as a table. With one parameter, and with several:
//!
//! ```text
//! |x| match x { 1 => true, 2 => false, _ => false }
//! |x1, x2| match (x1, x2) { (1, "a") => 3, key if same(key, (2, "b")) => 4, _ => 0 }
//! |_| 0
//! || 0
//! ```
//!
//! Keys are patterns without names and `_` in them. Values that no pattern matches, such as
//! `Float.nan` and maps, are compared in a guard. The last arm, `_`, gives the default; it may be
//! missing.

mod error;
mod function_table;
mod value_form;

use std::sync::Arc;

use gainsay_core::{
    CtorId, Datum, Literal, Program, Shape, Ty, TyId, TypeDef, TypeId, TypeTable,
};
use gainsay_source::{FileId, Span, closest_name};
use gainsay_syntax::ast::{self, LiteralKind, Name};

use self::error::{ValueProblem, ValueProblemKind};
use self::value_form::{CtorArgument, NumberSign, ValueForm, ValueSyntax, dotted};
use crate::number_literals::{MAX_DIGITS, negate, parse_integer};

pub use self::error::ValueParseError;

/// Longer texts are rejected, so that offsets fit into [`gainsay_source::Span`].
const MAX_TEXT_LENGTH: usize = 1 << 30;

/// Parses a text as a value of a type.
///
/// Whatever an engine prints for a value without functions parses back to an equal value, unless it
/// nests deeper than source code may.
pub fn parse_value(program: &Program, ty: TyId, text: &str) -> Result<Datum, ValueParseError> {
    let file = FileId(0);
    let whole = Span::new(file, 0, text.len().min(MAX_TEXT_LENGTH) as u32);
    if text.len() > MAX_TEXT_LENGTH {
        return Err(ValueProblem::new(whole, ValueProblemKind::TooLong).into_parse_error(""));
    }
    let parse = gainsay_syntax::parse_expression(file, text);
    let read = || {
        if let Some(error) = parse.errors.iter().find(|it| it.is_error()) {
            let message = ValueProblemKind::Syntax(error.message.clone());
            return Err(ValueProblem::new(error.primary.span, message));
        }
        let nothing = || {
            ValueProblem::new(whole, ValueProblemKind::Syntax("the value is empty".to_owned()))
        };
        let expr = parse.file().expr().ok_or_else(nothing)?;
        // A copy: instances of generic types are interned on the way, and the program stays as it
        // is.
        let mut reader = ValueParser { program, types: program.types.clone() };
        reader.value(ValueSyntax::Expr(expr), ty)
    };
    read().map_err(|wrong| wrong.into_parse_error(text))
}

/// The parser state. Recursion is as deep as the syntax tree, whose height is bounded.
struct ValueParser<'p> {
    program: &'p Program,
    /// The types of the program, followed by instances of generic ones.
    types: TypeTable,
}

impl<'t> ValueParser<'_> {
    fn value(&mut self, written: ValueSyntax<'t>, ty: TyId) -> Result<Datum, ValueProblem> {
        let ty = self.types.base(ty);
        let form = written.form();
        match (self.types.get(ty).clone(), form) {
            (Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str, form) => {
                self.primitive(written, form, ty)
            }
            (Ty::Tuple(tys), ValueForm::Tuple(parts)) if tys.len() == parts.len() => {
                let parts = parts.into_iter().zip(&tys);
                let parts = parts.map(|(part, ty)| self.value(part, *ty));
                Ok(Datum::Tuple(parts.collect::<Result<_, _>>()?))
            }
            (Ty::List(item), ValueForm::List(items)) => {
                Ok(Datum::List(self.items(items, item)?))
            }
            (Ty::Map(key, value), form @ ValueForm::Call(..)) => {
                let items = self.collection_items(written, form, ty)?;
                let entry = self.types.intern(Ty::Tuple(Box::new([key, value])));
                let entries = items.into_iter().map(|item| self.entry(item, entry));
                Ok(Datum::Map(entries.collect::<Result<_, _>>()?))
            }
            (Ty::Set(item), form @ ValueForm::Call(..)) => {
                let items = self.collection_items(written, form, ty)?;
                Ok(Datum::Set(self.items(items, item)?))
            }
            (Ty::Named(id, args), form) => self.named(written, form, id, &args),
            (Ty::Function { params, result, .. }, ValueForm::Function(lambda)) => {
                self.function(lambda, ty, &params, result)
            }
            (Ty::Param(_) | Ty::Var(_) | Ty::Error, _) => {
                Err(ValueProblem::new(written.span(), ValueProblemKind::Unwritable))
            }
            (
                Ty::Tuple(_)
                | Ty::List(_)
                | Ty::Map(..)
                | Ty::Set(_)
                | Ty::Function { .. }
                | Ty::Refined { .. },
                form,
            ) => Err(self.mismatch(written, &form, ty)),
        }
    }

    fn mismatch(
        &self,
        written: ValueSyntax<'t>,
        form: &ValueForm<'t>,
        ty: TyId,
    ) -> ValueProblem {
        let expected = self.expected_form(ty);
        ValueProblem::new(
            written.span(),
            ValueProblemKind::Mismatch { expected, found: form.describe() },
        )
    }

    /// A description of the values of a type, for error messages.
    fn expected_form(&self, ty: TyId) -> String {
        let text = match self.types.get(ty) {
            Ty::Int => "an integer",
            Ty::Float => "a float such as `1.0`",
            Ty::Bool => "`true` or `false`",
            Ty::Char => "a character such as `'a'`",
            Ty::Str => "a string in double quotes",
            Ty::Tuple(parts) if parts.is_empty() => "`()`",
            Ty::Tuple(parts) => return format!("a tuple of {} elements", parts.len()),
            Ty::List(_) => "a list",
            Ty::Map(..) => "`Map.of([..])`",
            Ty::Set(_) => "`Set.of([..])`",
            Ty::Named(id, _) => return self.expected_nominal(*id),
            Ty::Function { .. } => "a function such as `|x| match x { .. }`",
            Ty::Refined { .. } | Ty::Param(_) | Ty::Var(_) | Ty::Error => "a value",
        };
        text.to_owned()
    }

    fn expected_nominal(&self, id: TypeId) -> String {
        let def = self.program.nominal(id);
        match def.shape {
            Shape::Record => format!("`{} {{ .. }}`", def.name),
            Shape::Sum => format!("a constructor of `{}`", def.name),
        }
    }

    fn primitive(
        &mut self,
        written: ValueSyntax<'t>,
        form: ValueForm<'t>,
        ty: TyId,
    ) -> Result<Datum, ValueProblem> {
        let literal = match &form {
            ValueForm::Literal(literal, sign) if ty == type_of(literal.kind()) => {
                literal_value(*literal, *sign)?
            }
            ValueForm::Name(path, sign) if ty == TypeTable::FLOAT => special_float(path, *sign),
            ValueForm::Literal(..)
            | ValueForm::Name(..)
            | ValueForm::Call(..)
            | ValueForm::Record(..) => None,
            ValueForm::Tuple(_)
            | ValueForm::List(_)
            | ValueForm::Function(_)
            | ValueForm::Other(..) => None,
        };
        literal.map(Datum::Literal).ok_or_else(|| self.mismatch(written, &form, ty))
    }

    fn items(
        &mut self,
        items: Vec<ValueSyntax<'t>>,
        ty: TyId,
    ) -> Result<Vec<Datum>, ValueProblem> {
        items.into_iter().map(|item| self.value(item, ty)).collect()
    }

    /// The items of `Map.of([..])` and `Set.of([..])`; none for `Map.empty()`.
    fn collection_items(
        &mut self,
        written: ValueSyntax<'t>,
        form: ValueForm<'t>,
        ty: TyId,
    ) -> Result<Vec<ValueSyntax<'t>>, ValueProblem> {
        let owner = if matches!(self.types.get(ty), Ty::Map(..)) { "Map" } else { "Set" };
        if let ValueForm::Call(path, args) = &form
            && let [first, last] = path.as_slice()
            && first.text() == owner
        {
            match (last.text(), args.as_slice()) {
                ("empty", []) => return Ok(Vec::new()),
                ("of", [CtorArgument { label: None, value }]) => {
                    let form = value.form();
                    let (expected, found) = ("a list".to_owned(), form.describe());
                    let ValueForm::List(items) = form else {
                        let what = ValueProblemKind::Mismatch { expected, found };
                        return Err(ValueProblem::new(value.span(), what));
                    };
                    return Ok(items);
                }
                _ => {}
            }
        }
        Err(self.mismatch(written, &form, ty))
    }

    fn entry(
        &mut self,
        item: ValueSyntax<'t>,
        ty: TyId,
    ) -> Result<(Datum, Datum), ValueProblem> {
        let datum = self.value(item, ty)?;
        let Datum::Tuple(parts) = datum else {
            return Err(self.mismatch(item, &item.form(), ty));
        };
        match <[Datum; 2]>::try_from(parts) {
            Ok([key, value]) => Ok((key, value)),
            Err(_) => Err(self.mismatch(item, &item.form(), ty)),
        }
    }

    fn named(
        &mut self,
        written: ValueSyntax<'t>,
        form: ValueForm<'t>,
        id: TypeId,
        type_args: &[TyId],
    ) -> Result<Datum, ValueProblem> {
        let program = self.program;
        let def = program.nominal(id);
        match (def.shape, form) {
            (Shape::Record, ValueForm::Record(path, fields)) => {
                self.check_qualifier(&path, def)?;
                let is_named = path.last().is_some_and(|it| it.text() == &*def.name);
                let (Some(ctor), true) = (def.ctors.first(), is_named) else {
                    let form = ValueForm::Record(path, fields);
                    return Err(self.mismatch_nominal(written, &form, id));
                };
                let fields = fields.into_iter();
                let fields = fields.map(|(name, value)| (Some(name), value)).collect();
                self.construct(written.span(), *ctor, fields, type_args)
            }
            (Shape::Sum, ValueForm::Name(path, NumberSign::Plus)) => {
                let ctor = self.constructor(&path, def)?;
                self.construct(written.span(), ctor, Vec::new(), type_args)
            }
            (Shape::Sum, ValueForm::Call(path, args)) => {
                let ctor = self.constructor(&path, def)?;
                let args = args.into_iter().map(|arg| (arg.label, arg.value)).collect();
                self.construct(written.span(), ctor, args, type_args)
            }
            (Shape::Sum | Shape::Record, form) => {
                Err(self.mismatch_nominal(written, &form, id))
            }
        }
    }

    fn mismatch_nominal(
        &self,
        written: ValueSyntax<'t>,
        form: &ValueForm<'t>,
        id: TypeId,
    ) -> ValueProblem {
        let (expected, found) = (self.expected_nominal(id), form.describe());
        ValueProblem::new(written.span(), ValueProblemKind::Mismatch { expected, found })
    }

    /// The constructor of a sum type that a path denotes.
    fn constructor(&self, path: &[Name<'t>], def: &TypeDef) -> Result<CtorId, ValueProblem> {
        let of = |ctor: &CtorId| &*self.program.ctor(*ctor).name;
        // The constructors of events have a qualifier of their own: `Stack.push`.
        let dotted = value_form::dotted(path);
        if let Some(ctor) = def.ctors.iter().find(|it| of(it) == dotted) {
            return Ok(*ctor);
        }
        self.check_qualifier(path, def)?;
        let name = path.last().expect("a path has at least one name");
        if let Some(ctor) = def.ctors.iter().find(|it| of(it) == name.text()) {
            return Ok(*ctor);
        }
        // Only constructors of this type are suggested: no other one could be meant.
        let close = closest_name(name.text(), def.ctors.iter().map(of)).map(str::to_owned);
        let (owner, unknown) = (def.name.to_string(), name.text().to_owned());
        let what = ValueProblemKind::UnknownConstructor { owner, name: unknown, close };
        Err(ValueProblem::new(name.span(), what))
    }

    /// Whether the qualifiers of a path denote the type: its module, its name, or both.
    fn check_qualifier(&self, path: &[Name<'t>], def: &TypeDef) -> Result<(), ValueProblem> {
        let Some((last, qualifiers @ [first, ..])) = path.split_last() else { return Ok(()) };
        let module = &*self.program.module(def.module).name;
        let written = dotted(qualifiers);
        let with_type = format!("{module}.{}", def.name);
        if written == module || written == *def.name || written == with_type {
            return Ok(());
        }
        let (name, right) = (last.text().to_owned(), module.to_owned());
        let what = ValueProblemKind::WrongQualifier { name, qualifier: written, right };
        Err(ValueProblem::new(first.span(), what))
    }

    /// A constructor or record from its written fields: labelled ones by name, the others in the
    /// remaining positions.
    fn construct(
        &mut self,
        span: Span,
        id: CtorId,
        written: Vec<(Option<Name<'t>>, ValueSyntax<'t>)>,
        type_args: &[TyId],
    ) -> Result<Datum, ValueProblem> {
        let ctor = self.program.ctor(id);
        let mut placed: Vec<Option<ValueSyntax<'t>>> = vec![None; ctor.fields.len()];
        let (n_written, mut loose) = (written.len(), Vec::new());
        for (name, value) in written {
            let Some(name) = name else {
                loose.push(value);
                continue;
            };
            let place = self.field(id, name)?;
            if placed[place].replace(value).is_some() {
                let what = ValueProblemKind::DuplicateField { name: name.text().to_owned() };
                return Err(ValueProblem::new(name.span(), what));
            }
        }
        let mut loose = loose.into_iter();
        for place in &mut placed {
            if place.is_none() {
                *place = loose.next();
            }
        }
        let lacks = placed.iter().zip(&ctor.fields).filter(|(place, _)| place.is_none());
        let missing: Vec<Option<String>> =
            lacks.map(|(_, field)| field.name.as_deref().map(str::to_owned)).collect();
        // A missing field without a name can only be reported by number.
        if loose.next().is_some() || missing.iter().any(Option::is_none) {
            let (owner, expected) = (ctor.name.to_string(), ctor.fields.len());
            let what = ValueProblemKind::WrongFieldCount { owner, expected, actual: n_written };
            return Err(ValueProblem::new(span, what));
        }
        if !missing.is_empty() {
            let (owner, names) = (ctor.name.to_string(), missing.into_iter().flatten());
            let what = ValueProblemKind::MissingFields { owner, names: names.collect() };
            return Err(ValueProblem::new(span, what));
        }
        // Parsed in the order of the declaration, in which the engine keeps them, whatever the
        // written one.
        let mut fields = Vec::with_capacity(placed.len());
        for (value, field) in placed.into_iter().flatten().zip(&ctor.fields) {
            let ty = self.types.instantiate(field.ty, type_args);
            fields.push(self.value(value, ty)?);
        }
        Ok(Datum::Data(id, fields))
    }

    /// The index of a field by name.
    fn field(&self, id: CtorId, name: Name<'t>) -> Result<usize, ValueProblem> {
        let ctor = self.program.ctor(id);
        let names = || ctor.fields.iter().map(|it| it.name.as_deref());
        if let Some(at) = names().position(|it| it == Some(name.text())) {
            return Ok(at);
        }
        let close = closest_name(name.text(), names().flatten()).map(str::to_owned);
        let (owner, unknown) = (ctor.name.to_string(), name.text().to_owned());
        Err(ValueProblem::new(
            name.span(),
            ValueProblemKind::UnknownField { owner, name: unknown, close },
        ))
    }
}

/// The type of a kind of literal.
fn type_of(kind: LiteralKind) -> TyId {
    match kind {
        LiteralKind::Int => TypeTable::INT,
        LiteralKind::Float => TypeTable::FLOAT,
        LiteralKind::Str => TypeTable::STR,
        LiteralKind::Char => TypeTable::CHAR,
        LiteralKind::Bool => TypeTable::BOOL,
    }
}

/// The value of a literal; `None` if it is malformed.
fn literal_value(
    literal: ast::LiteralToken<'_>,
    sign: NumberSign,
) -> Result<Option<Literal>, ValueProblem> {
    let value = match literal.kind() {
        LiteralKind::Int => {
            let digits = literal.int_digits();
            if digits.as_ref().is_some_and(|it| it.digits.len() > MAX_DIGITS) {
                return Err(ValueProblem::new(literal.span(), ValueProblemKind::HugeNumber));
            }
            digits.and_then(|it| parse_integer(&it.digits, it.radix))
        }
        LiteralKind::Float => literal.float_value().map(Literal::Float),
        LiteralKind::Str => literal.string_value().map(|it| Literal::Str(Arc::from(it))),
        LiteralKind::Char => literal.char_value().map(Literal::Char),
        LiteralKind::Bool => literal.bool_value().map(Literal::Bool),
    };
    // Negated after parsing, because the least 64-bit integer is the negative of one that needs a
    // big integer.
    Ok(match sign {
        NumberSign::Plus => value,
        NumberSign::Minus => value.and_then(negate),
    })
}

/// `Float.nan` and `Float.infinity`, which have no literals.
fn special_float(path: &[Name<'_>], sign: NumberSign) -> Option<Literal> {
    let float = match dotted(path).as_str() {
        "Float.nan" => f64::NAN,
        "Float.infinity" => f64::INFINITY,
        _ => return None,
    };
    Some(Literal::Float(if sign == NumberSign::Minus { -float } else { float }))
}
