//! Views of types.

use super::{EffectRow, Expr, Path, child, child_after, children, forms, views};
use crate::kind::TokenKind;

forms! {
    /// A type as it is written.
    Type {
        /// `m.Name<A>`.
        Path(PathType),
        /// `(A, B)`, `()`.
        Tuple(TupleType),
        /// `(A)`.
        Paren(ParenType),
        /// `(A, B) -> C ! [e]`.
        Fn(FnType),
        /// `T?`.
        Option(OptionType),
        /// `T{e}`.
        Refined(RefinedType),
    }
}

impl<'t> Type<'t> {
    /// The type without the parentheses around it; `None` when nothing is in them.
    pub fn without_parens(self) -> Option<Self> {
        let mut inner = self;
        while let Self::Paren(paren) = inner {
            inner = paren.inner()?;
        }
        Some(inner)
    }
}

views! {
    /// `m.Name<A>`.
    PathType;
    /// `<A, B>`.
    TypeArgs;
    /// `(A, B)`, `()`.
    TupleType;
    /// `(A)`.
    ParenType;
    /// `(A, B) -> C ! [e]`.
    FnType;
    /// `(A, B)` of a function type.
    FnTypeParams;
    /// `T?`.
    OptionType;
    /// `T{e}`; `it` in `e` is the value.
    RefinedType;
}

impl<'t> PathType<'t> {
    /// The name, perhaps with its module.
    pub fn path(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// The type arguments; `None` without `<>`.
    pub fn type_args(self) -> Option<TypeArgs<'t>> {
        child(self.0)
    }
}

impl<'t> TypeArgs<'t> {
    /// The arguments.
    pub fn args(self) -> impl Iterator<Item = Type<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> TupleType<'t> {
    /// The parts; none for `()`, never one.
    pub fn parts(self) -> impl Iterator<Item = Type<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> ParenType<'t> {
    /// The type in the parentheses.
    pub fn inner(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> FnType<'t> {
    /// The parameter types.
    pub fn params(self) -> impl Iterator<Item = Type<'t>> + Clone {
        child::<FnTypeParams<'t>>(self.0).into_iter().flat_map(|params| children(params.0))
    }

    /// The result type.
    pub fn result(self) -> Option<Type<'t>> {
        child_after(self.0, TokenKind::Arrow)
    }

    /// The effects after `!`.
    pub fn effects(self) -> Option<EffectRow<'t>> {
        child(self.0)
    }
}

impl<'t> FnTypeParams<'t> {
    /// The parameter types.
    pub fn params(self) -> impl Iterator<Item = Type<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> OptionType<'t> {
    /// The type before `?`.
    pub fn inner(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> RefinedType<'t> {
    /// The type before the brace.
    pub fn inner(self) -> Option<Type<'t>> {
        child(self.0)
    }

    /// The predicate on `it`.
    pub fn predicate(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::LBrace)
    }
}
