//! Parses functions that are written as tables.

use gainsay_core::{Datum, FunctionTable, TyId};
use gainsay_syntax::ast::{Arm, BinaryOp, Expr, LambdaExpr, MatchExpr, Pattern};

use super::ValueParser;
use super::error::{ValueProblem, ValueProblemKind};
use super::value_form::{ValueForm, ValueSyntax};

/// The key of an arm.
enum TableKey<'t> {
    Arguments(ValueSyntax<'t>),
    Default,
}

impl<'t> ValueParser<'_> {
    /// `|params| match params { key => answer, _ => answer }`, or a constant.
    pub(super) fn function(
        &mut self,
        lambda: LambdaExpr<'t>,
        ty: TyId,
        params: &[TyId],
        result: TyId,
    ) -> Result<Datum, ValueProblem> {
        let n_params = params.len();
        let names = parameter_names(lambda, n_params)?;
        // An instance that only this parser interned is unknown to the program, so the table has no
        // type.
        let ty = (ty.index() < self.program.types.len()).then_some(ty);
        let mut table = FunctionTable { ty, n_params, entries: Vec::new(), default: None };
        let body = lambda.body().and_then(Expr::without_parens);
        match body {
            Some(Expr::Match(it)) if n_params > 0 => {
                check_scrutinee(it, &names)?;
                self.arms(it, params, result, &mut table)?;
            }
            Some(body) => table.default = Some(self.value(ValueSyntax::Expr(body), result)?),
            None => {
                let what = ValueProblemKind::Syntax("the result is missing".to_owned());
                return Err(ValueProblem::new(lambda.span(), what));
            }
        }
        Ok(Datum::Function(Box::new(table)))
    }

    fn arms(
        &mut self,
        it: MatchExpr<'t>,
        params: &[TyId],
        result: TyId,
        table: &mut FunctionTable,
    ) -> Result<(), ValueProblem> {
        for arm in it.arms() {
            // In source, an arm after `_` is only a warning; in a table it would silently never
            // answer.
            if table.default.is_some() {
                return Err(ValueProblem::new(arm.span(), ValueProblemKind::ArmAfterDefault));
            }
            let key = key_of(arm)?;
            let arguments = match key {
                TableKey::Arguments(key) => Some(self.arguments(key, params)?),
                TableKey::Default => None,
            };
            let Some(body) = arm.body() else {
                let what = ValueProblemKind::Syntax("the result is missing".to_owned());
                return Err(ValueProblem::new(arm.span(), what));
            };
            let answer = self.value(ValueSyntax::Expr(body), result)?;
            match arguments {
                Some(arguments) => table.entries.push((arguments, answer)),
                None => table.default = Some(answer),
            }
        }
        Ok(())
    }

    /// The arguments that a key denotes: itself, or the components of a tuple.
    fn arguments(
        &mut self,
        key: ValueSyntax<'t>,
        params: &[TyId],
    ) -> Result<Vec<Datum>, ValueProblem> {
        if let [only] = params {
            return Ok(vec![self.value(key, *only)?]);
        }
        let form = key.form();
        if let ValueForm::Tuple(parts) = &form
            && parts.len() == params.len()
        {
            return parts.iter().zip(params).map(|(it, ty)| self.value(*it, *ty)).collect();
        }
        let expected = format!("a tuple of {} elements", params.len());
        Err(ValueProblem::new(
            key.span(),
            ValueProblemKind::Mismatch { expected, found: form.describe() },
        ))
    }
}

/// The names of the parameters; `_` has none.
fn parameter_names(
    lambda: LambdaExpr<'_>,
    n_params: usize,
) -> Result<Vec<Option<&str>>, ValueProblem> {
    let span = lambda.param_list().map_or(lambda.span(), |it| it.span());
    let mut names = Vec::new();
    for param in lambda.params() {
        match param.pattern() {
            Some(Pattern::Bind(it)) => names.push(it.name().map(|it| it.text())),
            Some(Pattern::Wildcard(_)) => names.push(None),
            _ => {
                let (expected, found) = ("a name".to_owned(), "a pattern".to_owned());
                return Err(ValueProblem::new(
                    param.span(),
                    ValueProblemKind::Mismatch { expected, found },
                ));
            }
        }
    }
    if names.len() != n_params {
        let (expected, actual) = (n_params, names.len());
        return Err(ValueProblem::new(
            span,
            ValueProblemKind::WrongParameterCount { expected, actual },
        ));
    }
    Ok(names)
}

/// Whether the scrutinee of a `match` is all parameters in order.
fn check_scrutinee(it: MatchExpr<'_>, names: &[Option<&str>]) -> Result<(), ValueProblem> {
    let scrutinee = it.scrutinee().and_then(Expr::without_parens);
    let looked_at: Vec<Option<&str>> = match scrutinee {
        Some(Expr::Tuple(tuple)) if names.len() > 1 => tuple.parts().map(name_of).collect(),
        Some(other) if names.len() == 1 => vec![name_of(other)],
        _ => Vec::new(),
    };
    if looked_at == names && names.iter().all(Option::is_some) {
        return Ok(());
    }
    let names: Vec<&str> = names.iter().map(|it| it.unwrap_or("_")).collect();
    let expected = match names.as_slice() {
        [one] => (*one).to_owned(),
        several => format!("({})", several.join(", ")),
    };
    let span = scrutinee.map_or(it.span(), Expr::span);
    Err(ValueProblem::new(span, ValueProblemKind::WrongScrutinee { expected }))
}

fn name_of(expr: Expr<'_>) -> Option<&str> {
    let Expr::Name(it) = expr else { return None };
    it.name().map(|it| it.text())
}

/// The key of an arm: a pattern, the value its guard compares with, or the default.
fn key_of(arm: Arm<'_>) -> Result<TableKey<'_>, ValueProblem> {
    let pattern = arm.pattern().and_then(Pattern::without_parens);
    let Some(pattern) = pattern.filter(|_| arm.weight().is_none()) else {
        let (expected, found) = ("a key".to_owned(), "something else".to_owned());
        return Err(ValueProblem::new(
            arm.span(),
            ValueProblemKind::Mismatch { expected, found },
        ));
    };
    let mut binding = None;
    if let Pattern::Bind(it) = pattern {
        binding = it.name().map(|it| it.text());
    }
    match (arm.guard(), binding) {
        (None, None) if matches!(pattern, Pattern::Wildcard(_)) => Ok(TableKey::Default),
        (None, None) => Ok(TableKey::Arguments(ValueSyntax::Pattern(pattern))),
        (None, Some(_)) => Ok(TableKey::Default),
        (Some(guard), binding) => {
            let binding = binding.unwrap_or("key");
            compared_value(guard, binding)
                .map(|it| TableKey::Arguments(ValueSyntax::Expr(it)))
                .ok_or_else(|| {
                    let binding = binding.to_owned();
                    ValueProblem::new(guard.span(), ValueProblemKind::WrongGuard { binding })
                })
        }
    }
}

/// The value that a guard compares a name with: `same(name, value)`, `name == value`.
fn compared_value<'t>(guard: Expr<'t>, name: &str) -> Option<Expr<'t>> {
    let guard = guard.without_parens()?;
    if let Expr::Binary(it) = guard {
        let fits = it.op() == Some(BinaryOp::Eq) && name_of(it.lhs()?) == Some(name);
        return if fits { it.rhs() } else { None };
    }
    let Expr::Call(it) = guard else { return None };
    let args: Vec<Option<Expr<'t>>> = it.args()?.args().map(|it| it.value()).collect();
    let [Some(first), Some(second)] = args.as_slice() else { return None };
    let fits = name_of(it.callee()?) == Some("same") && name_of(*first) == Some(name);
    fits.then_some(*second)
}
