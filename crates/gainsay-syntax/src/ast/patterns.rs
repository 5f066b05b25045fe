//! Views of patterns.

use super::{LiteralToken, Name, Path, child, children, forms, name, views, words};
use crate::kind::TokenKind;

forms! {
    /// A pattern.
    Pattern {
        /// `_`.
        Wildcard(WildcardPat),
        /// `x`.
        Bind(BindPat),
        /// `1`, `-1`, `"a"`, `true`.
        Literal(LiteralPat),
        /// `(p, q)`, `()`.
        Tuple(TuplePat),
        /// `(p)`.
        Paren(ParenPat),
        /// `C`, `m.C(p)`.
        Ctor(CtorPat),
        /// `C { f: p }`.
        Record(RecordPat),
        /// `[p, ..rest]`.
        List(ListPat),
        /// `..`, `..rest`: only in a list.
        Rest(RestPat),
        /// `p | q`.
        Or(OrPat),
    }
}

impl<'t> Pattern<'t> {
    /// The pattern without the parentheses around it; `None` when nothing is in them.
    pub fn without_parens(self) -> Option<Self> {
        let mut inner = self;
        while let Self::Paren(paren) = inner {
            inner = paren.inner()?;
        }
        Some(inner)
    }
}

forms! {
    /// An item in the parentheses of a constructor pattern.
    CtorPatItem {
        /// `p`, `f: p`.
        Arg(PatArg),
        /// `..`.
        Rest(RestPat),
    }
}

views! {
    /// `_`.
    WildcardPat;
    /// `x`.
    BindPat;
    /// `1`, `-1`, `"a"`, `true`.
    LiteralPat;
    /// `(p, q)`, `()`.
    TuplePat;
    /// `(p)`.
    ParenPat;
    /// `C`, `m.C(p, f: q, ..)`.
    CtorPat;
    /// `p`, `f: p` in a constructor pattern.
    PatArg;
    /// `C { f: p, g, .. }`.
    RecordPat;
    /// `f: p`, `g` in a record pattern.
    PatField;
    /// `[p, ..rest]`.
    ListPat;
    /// `..`, `..rest`.
    RestPat;
    /// `p | q`.
    OrPat;
}

impl<'t> BindPat<'t> {
    /// The name it binds.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }
}

impl<'t> LiteralPat<'t> {
    /// The literal, without its sign.
    pub fn literal(self) -> Option<LiteralToken<'t>> {
        self.0.tokens().find_map(LiteralToken::cast)
    }

    /// Whether the literal has a `-` before it.
    pub fn is_negative(self) -> bool {
        self.0.token(TokenKind::Minus).is_some()
    }
}

impl<'t> TuplePat<'t> {
    /// The parts; none for `()`, never one.
    pub fn parts(self) -> impl Iterator<Item = Pattern<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> ParenPat<'t> {
    /// The pattern in the parentheses.
    pub fn inner(self) -> Option<Pattern<'t>> {
        child(self.0)
    }
}

impl<'t> CtorPat<'t> {
    /// The constructor, perhaps with its module.
    pub fn path(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// Whether parentheses follow the name.
    pub fn has_parens(self) -> bool {
        self.0.token(TokenKind::LParen).is_some()
    }

    /// The patterns of fields.
    pub fn args(self) -> impl Iterator<Item = PatArg<'t>> + Clone {
        children(self.0)
    }

    /// The `..`, if there is one.
    pub fn rest(self) -> Option<RestPat<'t>> {
        child(self.0)
    }

    /// Everything in the parentheses, in order.
    pub fn items(self) -> impl Iterator<Item = CtorPatItem<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> PatArg<'t> {
    /// The field before `:`; positional patterns have none.
    pub fn label(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The pattern.
    pub fn pattern(self) -> Option<Pattern<'t>> {
        child(self.0)
    }
}

impl<'t> RecordPat<'t> {
    /// The record type, perhaps with its module.
    pub fn path(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = PatField<'t>> + Clone {
        children(self.0)
    }

    /// The `..`, if there is one.
    pub fn rest(self) -> Option<RestPat<'t>> {
        child(self.0)
    }
}

impl<'t> PatField<'t> {
    /// The field; in the shorthand form also the binding.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The pattern after `:`; `None` for the shorthand form.
    pub fn pattern(self) -> Option<Pattern<'t>> {
        child(self.0)
    }

    /// Whether it is the shorthand form, a name alone.
    pub fn is_shorthand(self) -> bool {
        self.0.token(TokenKind::Colon).is_none()
    }
}

impl<'t> ListPat<'t> {
    /// Everything in the brackets, in order; [`Pattern::Rest`] among them.
    pub fn items(self) -> impl Iterator<Item = Pattern<'t>> + Clone {
        children(self.0)
    }

    /// The `..rest`, if there is one.
    pub fn rest(self) -> Option<RestPat<'t>> {
        child(self.0)
    }
}

impl<'t> RestPat<'t> {
    /// The name after `..`.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }
}

impl<'t> OrPat<'t> {
    /// The alternatives, two or more.
    pub fn alternatives(self) -> impl Iterator<Item = Pattern<'t>> + Clone {
        children(self.0)
    }
}
