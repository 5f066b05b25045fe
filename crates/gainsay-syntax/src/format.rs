//! The formatter: prints a tree in the canonical layout.
//!
//! The formatter walks the tree and emits *layout commands*: texts, possible line breaks, and
//! groups that break either at all of their breaks or at none. The printer then decides which
//! groups fit. Only white space changes, and commas and semicolons at line ends.
//!
//! Some choices stay with the author, because line width cannot make them: whether a block with one
//! statement is on one line, whether an operator or method chain is broken, whether a list with a
//! trailing comma is broken, and where blank lines are (at most one in a row).

mod chains;
mod claims;
mod commands;
mod exprs;
mod items;
mod lists;
mod printer;
mod trivia;

use self::commands::LayoutCommands;
use self::trivia::TokenCursor;
use crate::Parse;
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node, Token};

/// Formats a text; `None` if it has syntax errors.
pub fn format(parse: &Parse) -> Option<String> {
    // The formatter knows where breaks go only in nodes that are complete, and must lose nothing.
    if parse.has_errors() {
        return None;
    }
    let mut writer = LayoutWriter {
        commands: LayoutCommands::default(),
        cursor: TokenCursor::new(&parse.tree),
    };
    writer.file(parse.tree.root());
    Some(printer::print(&writer.commands))
}

/// Emits layout commands for nodes, in source order.
struct LayoutWriter<'t> {
    commands: LayoutCommands<'t>,
    cursor: TokenCursor<'t>,
}

impl<'t> LayoutWriter<'t> {
    fn file(&mut self, root: Node<'t>) {
        for child in root.children() {
            self.commands.hard_line();
            self.cursor.allow_blank();
            self.comments_before_node(child);
            self.node(child);
        }
        self.comments_until_end();
    }

    /// Emits any node.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most nodes are laid out alike")]
    fn node(&mut self, node: Node<'t>) {
        match node.kind() {
            NodeKind::Block => self.block(node),
            NodeKind::BinaryExpr => self.binary(node),
            NodeKind::CallExpr
            | NodeKind::MethodExpr
            | NodeKind::FieldExpr
            | NodeKind::IndexExpr
            | NodeKind::TryExpr
            | NodeKind::SampleExpr => self.postfix_chain(node),
            NodeKind::IfExpr => self.if_expr(node),
            NodeKind::MatchExpr => self.match_expr(node),
            NodeKind::Arm => self.arm(node),
            NodeKind::LambdaParams => self.lambda_params(node),
            NodeKind::LetStmt
            | NodeKind::ConstItem
            | NodeKind::Given
            | NodeKind::Binding
            | NodeKind::SystemState => self.definition(node),
            NodeKind::FnItem => self.fn_item(node),
            NodeKind::TypeItem => self.type_item(node),
            NodeKind::SumBody => self.sum_body(node),
            NodeKind::Ctor | NodeKind::FieldDecl | NodeKind::Operation => {
                self.declared_item(node)
            }
            NodeKind::AttributeArgs | NodeKind::Attribute => self.tight(node),
            NodeKind::EffectItem
            | NodeKind::TestItem
            | NodeKind::AgainstTest
            | NodeKind::VerifyItem
            | NodeKind::WorldItem
            | NodeKind::RelItem
            | NodeKind::SpecItem
            | NodeKind::WeakenItem => self.braced_item(node),
            NodeKind::SpecRule => self.spec_rule(node),
            NodeKind::Rule => self.rule(node),
            NodeKind::Case | NodeKind::PendingEvents => self.case(node),
            NodeKind::OrPat => self.or_pattern(node),
            NodeKind::RefinedType => self.tight(node),
            NodeKind::Path
            | NodeKind::OptionType
            | NodeKind::PathType
            | NodeKind::UnaryExpr
            | NodeKind::RangeExpr
            | NodeKind::Spread
            | NodeKind::RestPat
            | NodeKind::LiteralPat
            | NodeKind::DataCtor
            | NodeKind::EventPattern
            | NodeKind::OtherEvent
            | NodeKind::RepeatedTrace
            | NodeKind::LastEvent => self.tight(node),
            // The layout of everything without rules of its own.
            _ => self.spaced(node),
        }
    }

    fn element(&mut self, element: Element<'t>) {
        match element {
            Element::Node(node) => self.node(node),
            Element::Token(token) => self.token(token),
        }
    }

    /// Emits the parts of a node without spaces.
    fn tight(&mut self, node: Node<'t>) {
        self.sequence(&parts(node), |_, _| Spacing::None);
    }

    /// Emits the parts of a node with spaces where the tokens need them.
    fn spaced(&mut self, node: Node<'t>) {
        self.sequence(&parts(node), space_between);
    }

    /// Emits parts in a row; bracketed parts are laid out as lists.
    fn sequence(
        &mut self,
        parts: &[Element<'t>],
        space: fn(Element<'t>, Element<'t>) -> Spacing,
    ) {
        let mut at = 0;
        let mut previous: Option<Element<'t>> = None;
        while let Some(part) = parts.get(at).copied() {
            if previous.is_some_and(|it| space(it, part) == Spacing::One) {
                self.commands.space();
            }
            if let Some(length) = lists::list_length(&parts[at..]) {
                self.list(&parts[at..at + length]);
                at += length;
            } else {
                self.element(part);
                at += 1;
            }
            previous = parts.get(at - 1).copied();
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Spacing {
    None,
    One,
}

/// The parts of a node that are printed: no trivia, doc comments or semicolons.
fn parts(node: Node<'_>) -> Vec<Element<'_>> {
    let is_written = |element: &Element<'_>| match element {
        Element::Node(_) => true,
        Element::Token(token) => {
            !token.kind().is_trivia() && token.kind() != TokenKind::Semicolon
        }
    };
    node.elements().filter(is_written).collect()
}

/// The token of a part, if it is one.
fn token_kind(part: Element<'_>) -> Option<TokenKind> {
    part.token().map(Token::kind)
}

fn node_kind(part: Element<'_>) -> Option<NodeKind> {
    part.node().map(Node::kind)
}

/// Whether variables follow: `rule f() given (x: T)`, `axiom forall (x: T) e`.
fn is_quantifier(part: Element<'_>) -> bool {
    part.token().is_some_and(|it| matches!(it.text(), "given" | "forall"))
}

/// The spacing between two parts, in most nodes.
fn space_between(left: Element<'_>, right: Element<'_>) -> Spacing {
    let before_tight = token_kind(right).is_some_and(|kind| {
        matches!(
            kind,
            TokenKind::Colon
                | TokenKind::Comma
                | TokenKind::RParen
                | TokenKind::Question
                | TokenKind::Dot
        )
    });
    let after_tight = token_kind(left).is_some_and(|kind| {
        matches!(kind, TokenKind::LParen | TokenKind::At | TokenKind::Dot | TokenKind::DotDot)
    });
    // `C(p)` is tight, `under (..)` and `C { p }` are not.
    let call = node_kind(left) == Some(NodeKind::Path)
        && token_kind(right).is_some_and(|kind| kind == TokenKind::LParen);
    let failure = token_kind(left) == Some(TokenKind::ThrowsKw)
        && token_kind(right) == Some(TokenKind::LParen);
    let generic = matches!(
        node_kind(right),
        Some(NodeKind::TypeParams | NodeKind::Params | NodeKind::RuleParams)
    );
    let generic = generic && !is_quantifier(left);
    if before_tight || after_tight || call || failure || generic {
        Spacing::None
    } else {
        Spacing::One
    }
}
