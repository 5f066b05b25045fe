//! Typed views of the syntax tree.
//!
//! A view is a node known to be of one kind, and as cheap to copy as the node. Accessors return
//! `None` only for what broken code lacks. They find children by kind and by the token before or
//! after them, not by position, so that a missing child does not shift the others.

mod claims;
mod exprs;
mod items;
mod literal;
mod patterns;
mod precedence;
mod specs;
mod ty;

pub use self::claims::{
    AgainstTest, Binding, Case, Given, GivenWorld, PendingEvents, RelItem, Rule, SystemState,
    TestItem, VerifyItem, VerifyStmt, Weight, When, WorldItem,
};
pub use self::exprs::*;
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
pub use self::specs::*;
pub use self::ty::{
    FnType, FnTypeParams, OptionType, ParenType, PathType, RefinedType, TupleType, Type,
    TypeArgs,
};

pub(crate) use self::literal::{EscapeError, split_radix, unescape};

use gainsay_source::Span;

use crate::kind::TokenKind;
use crate::tree::{Element, Node, Token};

/// A typed view of a node.
pub trait AstNode<'t>: Copy {
    /// Casts a node to this view, if the node has its kind.
    fn cast(node: Node<'t>) -> Option<Self>;

    /// The node.
    fn node(self) -> Node<'t>;

    /// The range of its text.
    fn span(self) -> Span {
        self.node().span()
    }
}

/// A name token.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct Name<'t>(Token<'t>);

impl<'t> Name<'t> {
    /// The name.
    pub fn text(self) -> &'t str {
        self.0.text()
    }

    /// Its location.
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

/// Declares views, one per node kind.
macro_rules! views {
    ($($(#[$doc:meta])+ $name:ident;)+) => { $(
        $(#[$doc])+
        #[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
        pub struct $name<'t>($crate::tree::Node<'t>);

        impl<'t> $name<'t> {
            /// Casts a node to this view, if the node has its kind.
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

/// Declares an enum of views, one variant per syntactic form.
macro_rules! forms {
    ($(#[$doc:meta])+ $name:ident { $($(#[$variant_doc:meta])+ $variant:ident($view:ident),)+ }) => {
        $(#[$doc])+
        #[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
        pub enum $name<'t> {
            $($(#[$variant_doc])+ $variant($view<'t>),)+
        }

        impl<'t> $name<'t> {
            /// Casts a node to the variant that fits, if one does.
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

/// The first child that casts to `V`.
fn child<'t, V: AstNode<'t>>(node: Node<'t>) -> Option<V> {
    node.children().find_map(V::cast)
}

/// All children that cast to `V`.
fn children<'t, V: AstNode<'t>>(node: Node<'t>) -> impl Iterator<Item = V> + Clone {
    node.children().filter_map(V::cast)
}

/// The first child of type `V` before a token, or anywhere if the token is missing.
fn child_before<'t, V: AstNode<'t>>(node: Node<'t>, kind: TokenKind) -> Option<V> {
    node.elements()
        .take_while(|element| element.token().is_none_or(|token| token.kind() != kind))
        .filter_map(Element::node)
        .find_map(V::cast)
}

/// The children of type `V` after a token.
fn children_after<'t, V: AstNode<'t>>(
    node: Node<'t>,
    kind: TokenKind,
) -> impl Iterator<Item = V> + Clone {
    node.elements()
        .skip_while(move |element| element.token().is_none_or(|token| token.kind() != kind))
        .filter_map(Element::node)
        .filter_map(V::cast)
}

/// The first child of type `V` after a token.
fn child_after<'t, V: AstNode<'t>>(node: Node<'t>, kind: TokenKind) -> Option<V> {
    children_after(node, kind).next()
}

/// The node's own word tokens, keywords included.
fn words<'t>(node: Node<'t>) -> impl Iterator<Item = Name<'t>> + Clone {
    node.tokens().filter(|token| token.kind().is_word()).map(Name)
}

/// The node's first own identifier token.
fn name(node: Node<'_>) -> Option<Name<'_>> {
    node.token(TokenKind::Ident).map(Name)
}

/// The node's first own word token after a token.
fn word_after<'t>(node: Node<'t>, kind: TokenKind) -> Option<Name<'t>> {
    node.tokens()
        .skip_while(|token| token.kind() != kind)
        .skip(1)
        .find(|token| token.kind().is_word())
        .map(Name)
}

/// The doc comment of a declaration, without the slashes; `None` if it has none.
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
