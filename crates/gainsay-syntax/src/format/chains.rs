//! Layout of operator chains and method chains.
//!
//! Chains are left-associative, so their trees lean to the left; loops take them apart, because
//! recursion would need a stack as deep as the chain is long.

use super::commands::{GroupLayout, HugPolicy};
use super::lists::breaks_in_brackets;
use super::trivia::{ends_line, starts_line};
use super::{LayoutWriter, parts, token_kind};
use crate::ast::{BinaryExpr, BinaryOp, Expr, NameExpr};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

impl<'t> LayoutWriter<'t> {
    // a
    //   && b
    //   && c
    pub(super) fn binary(&mut self, node: Node<'t>) {
        let precedence = precedence(node);
        let mut links: Vec<Vec<Element<'t>>> = Vec::new();
        let mut first = Element::Node(node);
        // Only operators of the same precedence form a chain; others are operands with a group of
        // their own.
        while let Element::Node(inner) = first {
            if inner.kind() != NodeKind::BinaryExpr || self::precedence(inner) != precedence {
                break;
            }
            let mut link = parts(inner);
            if link.is_empty() {
                break;
            }
            first = link.remove(0);
            links.push(link);
        }
        let tree = node.tree();
        let stays_broken = links.iter().any(|link| {
            link.first().is_some_and(|op| {
                starts_line(tree, op.span().start) || ends_line(tree, op.span().end)
            })
        });
        // Chains of `*` and comparisons are laid out by width alone.
        let is_broken = stays_broken && precedence.is_some_and(preserves_line_breaks);
        self.commands.group(if is_broken { GroupLayout::Broken } else { GroupLayout::IfFits });
        self.element(first);
        self.commands.indent();
        for (number, link) in links.iter().rev().enumerate() {
            self.commands.line();
            // Only the last operand may hug its braces: `a && match b {`.
            let hugs = number + 1 == links.len() && ends_in_braces(link);
            self.commands.start_hug(if hugs { HugPolicy::Always } else { HugPolicy::Never });
            self.sequence(link, |_, _| super::Spacing::One);
            self.commands.end_hug();
        }
        self.commands.dedent();
        self.commands.group_end();
    }

    // xs
    //   .map(f)
    //   .sum()
    pub(super) fn postfix_chain(&mut self, node: Node<'t>) {
        let mut links: Vec<Vec<Element<'t>>> = Vec::new();
        let mut head = node;
        while is_postfix(head.kind()) {
            let mut link = parts(head);
            let Some(Element::Node(inner)) = link.first().copied() else { break };
            link.remove(0);
            links.push(link);
            head = inner;
        }
        links.reverse();
        let tree = node.tree();
        let is_dotted = |link: &Vec<Element<'t>>| {
            link.first().is_some_and(|it| token_kind(*it) == Some(TokenKind::Dot))
        };
        let is_call = |link: &Vec<Element<'t>>| is_dotted(link) && has_args(link);
        // `Gen.list(..)` and `a.b` stay on the line of the head.
        let is_breakable = |number: usize, link: &Vec<Element<'t>>| {
            is_call(link) && !(number == 0 && is_short_head(head))
        };
        let stays_broken = links.iter().enumerate().any(|(number, link)| {
            is_breakable(number, link)
                && link.first().is_some_and(|it| starts_line(tree, it.span().start))
        });
        let n_calls = links.iter().filter(|link| is_call(link)).count();
        let last_call = links.iter().rposition(is_call);
        // A chain of one call is not worth a line break.
        let may_break = stays_broken || n_calls > 1;
        self.commands.group(if stays_broken {
            GroupLayout::Broken
        } else {
            GroupLayout::IfFits
        });
        self.node(head);
        if may_break {
            self.commands.indent();
        }
        for (number, link) in links.iter().enumerate() {
            if may_break && is_breakable(number, link) {
                self.commands.soft_line();
            }
            if link.first().is_some_and(|it| token_kind(*it) == Some(TokenKind::Bang)) {
                self.commands.space();
            }
            // With a single call there is no line break of the chain that could be taken instead.
            let hugs = last_call == Some(number) && n_calls == 2 && has_huggable_args(link);
            self.commands.start_hug(if hugs { HugPolicy::Always } else { HugPolicy::Never });
            self.sequence(link, |_, _| super::Spacing::None);
            self.commands.end_hug();
        }
        if may_break {
            self.commands.dedent();
        }
        self.commands.group_end();
    }

    /// An expression after `=` or `=>`: on the same line, or indented on the next.
    pub(super) fn value(&mut self, node: Node<'t>) {
        if node.kind() != NodeKind::BinaryExpr || ends_in_braces(&parts(node)) {
            self.commands.space();
            self.node(node);
            return;
        }
        self.own_line_or_hugged(node, HugPolicy::Never);
    }

    /// An expression that goes to the next line if it does not fit on this one.
    pub(super) fn own_line_or_hugged(&mut self, node: Node<'t>, hugging: HugPolicy) {
        self.commands.group(GroupLayout::IfFits);
        self.commands.indent();
        self.commands.line();
        self.commands.start_hug(hugging);
        self.node(node);
        self.commands.end_hug();
        self.commands.dedent();
        self.commands.group_end();
    }
}

/// Whether the operand of a link ends in a braced block.
fn ends_in_braces(link: &[Element<'_>]) -> bool {
    let operand = link.last().and_then(|it| it.node()).map(Node::kind);
    matches!(operand, Some(NodeKind::MatchExpr | NodeKind::Block | NodeKind::ThrowsExpr))
}

fn precedence(node: Node<'_>) -> Option<u8> {
    BinaryExpr::cast(node).and_then(BinaryExpr::op).map(BinaryOp::precedence)
}

/// Whether the author's line breaks are kept in a chain of these operators.
fn preserves_line_breaks(precedence: u8) -> bool {
    [
        BinaryOp::Pipe,
        BinaryOp::Iff,
        BinaryOp::Implies,
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::Concat,
        BinaryOp::Add,
    ]
    .iter()
    .any(|op| op.precedence() == precedence)
}

pub(super) fn is_postfix(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::CallExpr
            | NodeKind::MethodExpr
            | NodeKind::FieldExpr
            | NodeKind::IndexExpr
            | NodeKind::TryExpr
            | NodeKind::SampleExpr
    )
}

fn has_args(link: &[Element<'_>]) -> bool {
    link.iter().any(|it| it.node().is_some_and(|node| node.kind() == NodeKind::Args))
}

/// Whether a call can hug its last argument.
fn has_huggable_args(link: &[Element<'_>]) -> bool {
    let args = link.iter().find_map(|it| it.node().filter(|it| it.kind() == NodeKind::Args));
    args.and_then(|args| args.children().last()).is_some_and(breaks_in_brackets)
}

/// Whether the first call of a chain stays on the line of its head.
fn is_short_head(head: Node<'_>) -> bool {
    match Expr::cast(head) {
        Some(Expr::Name(name)) => {
            NameExpr::name(name).is_some_and(|it| it.is_upper() || it.text().len() <= 2)
        }
        Some(_) | None => false,
    }
}
