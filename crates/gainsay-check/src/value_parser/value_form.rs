//! The syntactic forms of values, shared by expressions and patterns.

use gainsay_source::Span;
use gainsay_syntax::ast::{
    CtorPatItem, Expr, LambdaExpr, ListItem, LiteralKind, LiteralToken, Name, Path, Pattern,
    UnaryOp,
};

/// A piece of syntax in value position.
#[derive(Debug, Copy, Clone)]
pub(super) enum ValueSyntax<'t> {
    /// In an expression.
    Expr(Expr<'t>),
    /// A pattern, as the key of a table.
    Pattern(Pattern<'t>),
}

/// Whether a number has a `-` before it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum NumberSign {
    Plus,
    Minus,
}

/// The form of a value. Every value has one of these forms, and none needs evaluation.
pub(super) enum ValueForm<'t> {
    /// `1`, `-1.5`, `"a"`.
    Literal(LiteralToken<'t>, NumberSign),
    /// `None`, `m.Dot`, `-Float.infinity`.
    Name(Vec<Name<'t>>, NumberSign),
    /// `Some(1)`, `m.Block(width: 1, height: 2)`, `Map.of([])`.
    Call(Vec<Name<'t>>, Vec<CtorArgument<'t>>),
    /// `Account { id: 1 }`.
    Record(Vec<Name<'t>>, Vec<(Name<'t>, ValueSyntax<'t>)>),
    /// `(1, 2)`, `()`.
    Tuple(Vec<ValueSyntax<'t>>),
    /// `[1, 2]`.
    List(Vec<ValueSyntax<'t>>),
    /// `|x| ..`.
    Function(LambdaExpr<'t>),
    /// Never a value; described in words.
    Other(&'static str),
}

/// An argument of a constructor.
pub(super) struct CtorArgument<'t> {
    pub(super) label: Option<Name<'t>>,
    pub(super) value: ValueSyntax<'t>,
}

impl<'t> ValueSyntax<'t> {
    pub(super) fn span(self) -> Span {
        match self {
            Self::Expr(it) => it.span(),
            Self::Pattern(it) => it.span(),
        }
    }

    pub(super) fn form(self) -> ValueForm<'t> {
        let form = match self {
            Self::Expr(it) => it.without_parens().and_then(form_of_expr),
            Self::Pattern(it) => it.without_parens().and_then(form_of_pattern),
        };
        form.unwrap_or(ValueForm::Other("invalid syntax"))
    }
}

impl ValueForm<'_> {
    /// A description of the form, for error messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Literal(literal, _) => match literal.kind() {
                LiteralKind::Int => "an integer".to_owned(),
                LiteralKind::Float => "a float".to_owned(),
                LiteralKind::Str => "a string".to_owned(),
                LiteralKind::Char => "a character".to_owned(),
                LiteralKind::Bool => format!("`{}`", literal.text()),
            },
            Self::Name(path, NumberSign::Plus) => format!("`{}`", dotted(path)),
            Self::Name(path, NumberSign::Minus) => format!("`-{}`", dotted(path)),
            Self::Call(path, _) => format!("`{}(..)`", dotted(path)),
            Self::Record(path, _) => format!("`{} {{ .. }}`", dotted(path)),
            Self::Tuple(parts) if parts.is_empty() => "`()`".to_owned(),
            Self::Tuple(parts) => format!("a tuple of {} elements", parts.len()),
            Self::List(_) => "a list".to_owned(),
            Self::Function(_) => "a function".to_owned(),
            Self::Other(words) => (*words).to_owned(),
        }
    }
}

/// The names of a path, joined by dots.
pub(super) fn dotted(path: &[Name<'_>]) -> String {
    let names: Vec<&str> = path.iter().map(|it| it.text()).collect();
    names.join(".")
}

/// The form of an expression, ignoring parentheses; `None` for broken code.
#[expect(clippy::wildcard_enum_match_arm, reason = "all other forms are refused alike")]
fn form_of_expr(expr: Expr<'_>) -> Option<ValueForm<'_>> {
    let other = |words| Some(ValueForm::Other(words));
    match expr {
        Expr::Literal(it) => Some(ValueForm::Literal(it.literal()?, NumberSign::Plus)),
        // Without a scope the parser cannot know modules: `m.Dot` is a field of `m` to it.
        Expr::Name(_) | Expr::Field(_) => match path_of(expr) {
            Some(path) => Some(ValueForm::Name(path, NumberSign::Plus)),
            None => other("a field access"),
        },
        Expr::Unary(it) => match (it.op()?, it.operand()?.without_parens()?) {
            (UnaryOp::Neg, operand) => Some(negated_form(operand)),
            (UnaryOp::Not, _) => other("an operator expression"),
        },
        Expr::Call(it) => match (path_of(it.callee()?), it.type_args()) {
            (_, Some(_)) => other("a call with type arguments"),
            (Some(path), None) => Some(ValueForm::Call(path, arguments(it.args()?)?)),
            (None, None) => other("a call"),
        },
        // Likewise `m.Block(..)` is a method call on `m`.
        Expr::Method(it) => match (path_of(it.receiver()?), it.type_args()) {
            (_, Some(_)) => other("a call with type arguments"),
            (Some(mut path), None) => {
                path.push(it.name()?);
                Some(ValueForm::Call(path, arguments(it.args()?)?))
            }
            (None, None) => other("a method call"),
        },
        Expr::Record(it) => {
            let fields =
                it.fields().map(|it| Some((it.name()?, ValueSyntax::Expr(it.value()?))));
            match fields.collect() {
                Some(fields) => Some(ValueForm::Record(names(it.path()?), fields)),
                None => other("a record with a field without a value"),
            }
        }
        Expr::Tuple(it) => Some(ValueForm::Tuple(it.parts().map(ValueSyntax::Expr).collect())),
        Expr::List(it) => {
            let items = it.items().map(|item| match item {
                ListItem::Item(item) => Some(ValueSyntax::Expr(item)),
                ListItem::Spread(_) => None,
            });
            match items.collect() {
                Some(items) => Some(ValueForm::List(items)),
                None => other("a list with `..`"),
            }
        }
        Expr::Lambda(it) => Some(ValueForm::Function(it)),
        Expr::Paren(_) => None,
        Expr::Binary(_) | Expr::Range(_) => other("an operator expression"),
        Expr::Index(_) => other("a tuple index"),
        Expr::Update(_) => other("a record update"),
        Expr::Block(_) => other("a block"),
        Expr::If(_) => other("an `if`"),
        Expr::Match(_) => other("a `match`"),
        Expr::Try(_) => other("a `?`"),
        Expr::Sample(_) | Expr::Hole(_) => other("a hole"),
        Expr::Observe(_) | Expr::Assume(_) | Expr::Throws(_) => other("a claim"),
        _ => other("code"),
    }
}

/// A signed number is a number, and so is `-Float.infinity`.
fn negated_form(operand: Expr<'_>) -> ValueForm<'_> {
    match form_of_expr(operand) {
        Some(ValueForm::Literal(literal, NumberSign::Plus))
            if matches!(literal.kind(), LiteralKind::Int | LiteralKind::Float) =>
        {
            ValueForm::Literal(literal, NumberSign::Minus)
        }
        Some(ValueForm::Name(path, NumberSign::Plus)) => {
            ValueForm::Name(path, NumberSign::Minus)
        }
        _ => ValueForm::Other("an operator expression"),
    }
}

/// The form of a pattern, ignoring parentheses; `None` for broken code.
fn form_of_pattern(pattern: Pattern<'_>) -> Option<ValueForm<'_>> {
    let other = |words| Some(ValueForm::Other(words));
    match pattern {
        Pattern::Literal(it) => {
            let sign = if it.is_negative() { NumberSign::Minus } else { NumberSign::Plus };
            Some(ValueForm::Literal(it.literal()?, sign))
        }
        Pattern::Tuple(it) => {
            Some(ValueForm::Tuple(it.parts().map(ValueSyntax::Pattern).collect()))
        }
        // Patterns that match more than one value are no keys.
        Pattern::List(it) if it.rest().is_some() => other("a list with `..`"),
        Pattern::List(it) => {
            Some(ValueForm::List(it.items().map(ValueSyntax::Pattern).collect()))
        }
        Pattern::Ctor(it) if !it.has_parens() => {
            Some(ValueForm::Name(names(it.path()?), NumberSign::Plus))
        }
        Pattern::Ctor(it) => {
            let items = it.items().map(|item| match item {
                CtorPatItem::Rest(_) => None,
                CtorPatItem::Arg(arg) => Some(CtorArgument {
                    label: arg.label(),
                    value: ValueSyntax::Pattern(arg.pattern()?),
                }),
            });
            match items.collect() {
                Some(items) => Some(ValueForm::Call(names(it.path()?), items)),
                None => other("a constructor with `..`"),
            }
        }
        Pattern::Record(it) => {
            let fields =
                it.fields().map(|it| Some((it.name()?, ValueSyntax::Pattern(it.pattern()?))));
            match (it.rest(), fields.collect()) {
                (None, Some(fields)) => Some(ValueForm::Record(names(it.path()?), fields)),
                (Some(_), _) => other("a record with `..`"),
                (None, None) => other("a record with a field without a value"),
            }
        }
        Pattern::Wildcard(_) => other("`_`"),
        Pattern::Bind(_) => other("a name"),
        Pattern::Or(_) => other("alternatives"),
        Pattern::Rest(_) => other("`..`"),
        Pattern::Paren(_) => None,
    }
}

fn arguments(args: gainsay_syntax::ast::Args<'_>) -> Option<Vec<CtorArgument<'_>>> {
    let args = args.args().map(|arg| {
        Some(CtorArgument { label: arg.label(), value: ValueSyntax::Expr(arg.value()?) })
    });
    args.collect()
}

fn names(path: Path<'_>) -> Vec<Name<'_>> {
    path.names().collect()
}

/// The names of `a`, `a.b`, `a.b.c`; `None` if something else precedes a dot.
fn path_of(expr: Expr<'_>) -> Option<Vec<Name<'_>>> {
    let mut path = Vec::new();
    let mut rest = expr;
    while let Expr::Field(it) = rest {
        path.push(it.name()?);
        rest = it.receiver()?;
    }
    let Expr::Name(first) = rest else { return None };
    path.push(first.name()?);
    path.reverse();
    Some(path)
}
