//! Typed views of the tree.
//!
//! A view is a node known to be of one kind, as cheap to copy as the node. An accessor gives
//! `None` for what broken code lacks, and never for what is there: children are found by
//! their kind and by the token they stand before or after, not by counting.

mod claims;
mod exprs;
mod items;
mod literal;
mod patterns;
mod precedence;
mod ty;

pub use self::claims::{
    AgainstTest, Binding, Case, Given, GivenWorld, RelItem, Rule, SpecItem, TestItem,
    VerifyItem, VerifyStmt, Weight, When, WorldItem,
};
pub use self::exprs::{
    AcrossExpr, Arg, Args, Arm, AssumeExpr, BinaryExpr, BinaryOp, Binder, Block, CallExpr,
    Expr, FieldExpr, Guard, HoleExpr, IfExpr, IndexExpr, LambdaExpr, LambdaParam, LambdaParams,
    LetStmt, ListExpr, ListItem, LiteralExpr, MatchExpr, MethodExpr, NameExpr, ObserveExpr,
    ParExpr, ParenExpr, RangeExpr, RecordExpr, RecordField, SampleExpr, Spread, Stmt,
    ThrowsExpr, TryExpr, TupleExpr, UnaryExpr, UnaryOp, UnderExpr, UpdateExpr,
};
pub use self::items::{
    Attribute, AttributeArg, AttributeArgs, ConstItem, Ctor, CtorField, CtorFields, EffectItem,
    EffectRow, FieldDecl, File, FnItem, InClause, Item, Operation, OutClause, Param, Params,
    Path, RecordBody, ReturnType, SumBody, TypeBody, TypeItem, TypeParam, TypeParams, UseItem,
    UseList,
};
pub use self::literal::{IntDigits, LiteralKind, LiteralToken};
pub use self::patterns::{
    BindPat, CtorPat, CtorPatItem, ListPat, LiteralPat, OrPat, ParenPat, PatArg, PatField,
    Pattern, RecordPat, RestPat, TuplePat, WildcardPat,
};
pub use self::ty::{
    FnType, FnTypeParams, OptionType, ParenType, PathType, RefinedType, TupleType, Type,
    TypeArgs,
};

pub(crate) use self::literal::{EscapeError, split_radix, unescape};

use gainsay_source::Span;

use crate::kind::TokenKind;
use crate::tree::{Element, Node, Token};

/// A node seen as what it is.
pub trait AstNode<'t>: Copy {
    /// The view of a node, if the node is of its kind.
    fn cast(node: Node<'t>) -> Option<Self>;

    /// The node.
    fn node(self) -> Node<'t>;

    /// The range of its text.
    fn span(self) -> Span {
        self.node().span()
    }
}

/// A name where it stands.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct Name<'t>(Token<'t>);

impl<'t> Name<'t> {
    /// The name.
    pub fn text(self) -> &'t str {
        self.0.text()
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// Its token.
    pub fn token(self) -> Token<'t> {
        self.0
    }

    /// Whether it starts with an uppercase letter: a type, constructor or effect.
    pub fn is_upper(self) -> bool {
        is_upper(self.text())
    }
}

/// Whether a name starts with an uppercase letter.
pub(crate) fn is_upper(name: &str) -> bool {
    name.trim_start_matches('_').chars().next().is_some_and(char::is_uppercase)
}

/// Declares views of nodes of one kind.
macro_rules! views {
    ($($(#[$doc:meta])+ $name:ident;)+) => { $(
        $(#[$doc])+
        #[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
        pub struct $name<'t>($crate::tree::Node<'t>);

        impl<'t> $name<'t> {
            /// The view of a node, if the node is of this kind.
            pub fn cast(node: $crate::tree::Node<'t>) -> Option<Self> {
                (node.kind() == $crate::kind::NodeKind::$name).then_some(Self(node))
            }

            /// The node.
            pub fn node(self) -> $crate::tree::Node<'t> {
                self.0
            }

            /// The range of its text.
            pub fn span(self) -> gainsay_source::Span {
                self.0.span()
            }
        }

        impl<'t> $crate::ast::AstNode<'t> for $name<'t> {
            fn cast(node: $crate::tree::Node<'t>) -> Option<Self> {
                $name::cast(node)
            }

            fn node(self) -> $crate::tree::Node<'t> {
                self.0
            }
        }
    )+ };
}

/// Declares an enum with one variant per form.
macro_rules! forms {
    ($(#[$doc:meta])+ $name:ident { $($(#[$variant_doc:meta])+ $variant:ident($view:ident),)+ }) => {
        $(#[$doc])+
        #[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
        pub enum $name<'t> {
            $($(#[$variant_doc])+ $variant($view<'t>),)+
        }

        impl<'t> $name<'t> {
            /// The form a node is, if it is one of these.
            pub fn cast(node: $crate::tree::Node<'t>) -> Option<Self> {
                $(if let Some(view) = $view::cast(node) {
                    return Some(Self::$variant(view));
                })+
                None
            }

            /// The node.
            pub fn node(self) -> $crate::tree::Node<'t> {
                match self {
                    $(Self::$variant(view) => view.node(),)+
                }
            }

            /// The range of its text.
            pub fn span(self) -> gainsay_source::Span {
                self.node().span()
            }
        }

        impl<'t> $crate::ast::AstNode<'t> for $name<'t> {
            fn cast(node: $crate::tree::Node<'t>) -> Option<Self> {
                $name::cast(node)
            }

            fn node(self) -> $crate::tree::Node<'t> {
                $name::node(self)
            }
        }
    };
}

use {forms, views};

/// The first child of a kind.
fn child<'t, V: AstNode<'t>>(node: Node<'t>) -> Option<V> {
    node.children().find_map(V::cast)
}

/// All children of a kind.
fn children<'t, V: AstNode<'t>>(node: Node<'t>) -> impl Iterator<Item = V> + Clone {
    node.children().filter_map(V::cast)
}

/// The first child of a kind that stands before a token, or at all if the token is missing.
fn child_before<'t, V: AstNode<'t>>(node: Node<'t>, kind: TokenKind) -> Option<V> {
    node.elements()
        .take_while(|element| element.token().is_none_or(|token| token.kind() != kind))
        .filter_map(Element::node)
        .find_map(V::cast)
}

/// The children of a kind that stand after a token.
fn children_after<'t, V: AstNode<'t>>(
    node: Node<'t>,
    kind: TokenKind,
) -> impl Iterator<Item = V> + Clone {
    node.elements()
        .skip_while(move |element| element.token().is_none_or(|token| token.kind() != kind))
        .filter_map(Element::node)
        .filter_map(V::cast)
}

/// The first child of a kind that stands after a token.
fn child_after<'t, V: AstNode<'t>>(node: Node<'t>, kind: TokenKind) -> Option<V> {
    children_after(node, kind).next()
}

/// The words that are tokens of the node itself, keywords included.
fn words<'t>(node: Node<'t>) -> impl Iterator<Item = Name<'t>> + Clone {
    node.tokens().filter(|token| token.kind().is_word()).map(Name)
}

/// The first name that is a token of the node itself.
fn name(node: Node<'_>) -> Option<Name<'_>> {
    node.token(TokenKind::Ident).map(Name)
}

/// The first word that is a token of the node itself and stands after a token.
fn word_after<'t>(node: Node<'t>, kind: TokenKind) -> Option<Name<'t>> {
    node.tokens()
        .skip_while(|token| token.kind() != kind)
        .skip(1)
        .find(|token| token.kind().is_word())
        .map(Name)
}

/// The doc comment of a declaration, its lines without slashes; `None` without one.
fn docs(node: Node<'_>) -> Option<String> {
    let lines: Vec<&str> = node
        .tokens()
        .filter(|token| token.kind() == TokenKind::DocComment)
        .map(|token| {
            let text = token.text().trim_start_matches('/').trim_end();
            text.strip_prefix(' ').unwrap_or(text)
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
