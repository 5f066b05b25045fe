//! Layout of expressions that need more than spaces between their parts.

use super::chains::is_postfix;
use super::commands::{GroupLayout, HugPolicy};
use super::lists::OneLineBraces;
use super::trivia::starts_line;
use super::{LayoutWriter, parts, space_between, token_kind};
use crate::ast::{Arm, AstNode, Expr, IfExpr};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

impl<'t> LayoutWriter<'t> {
    // if c { a } else { b }
    //
    // if c { a }
    // else if d { b }
    // else { c }
    pub(super) fn if_expr(&mut self, node: Node<'t>) {
        let ladder = if_chain_layout(node);
        match ladder {
            IfChainLayout::Separate => {}
            IfChainLayout::LinePerBranch => self.commands.group(GroupLayout::LinePerIfBranch),
            IfChainLayout::AllOrNothing => self.commands.group(GroupLayout::IfFits),
        }
        // A loop, because recursion over a long `else if` chain would need a deep stack.
        let mut next = IfExpr::cast(node);
        while let Some(rung) = next.take() {
            for part in parts(rung.node()) {
                if let Element::Token(token) = part
                    && token.kind() == TokenKind::ElseKw
                {
                    match ladder {
                        IfChainLayout::LinePerBranch => self.commands.line_unless_broken(),
                        IfChainLayout::Separate | IfChainLayout::AllOrNothing => {
                            self.commands.space()
                        }
                    }
                }
                let is_else_if = part.node().is_some_and(|it| it.kind() == NodeKind::IfExpr)
                    && rung.else_branch().map(AstNode::node) == part.node();
                if is_else_if {
                    self.commands.space();
                    next = part.node().and_then(IfExpr::cast);
                } else {
                    self.if_part(part, ladder);
                }
            }
        }
        if ladder != IfChainLayout::Separate {
            self.commands.group_end();
        }
    }

    fn if_part(&mut self, part: Element<'t>, ladder: IfChainLayout) {
        match part {
            Element::Token(token) => self.token(token),
            Element::Node(block) if block.kind() == NodeKind::Block => {
                self.commands.space();
                match ladder {
                    IfChainLayout::Separate => self.block(block),
                    IfChainLayout::LinePerBranch | IfChainLayout::AllOrNothing => {
                        self.braced_lines(&parts(block), OneLineBraces::Inherited)
                    }
                }
            }
            Element::Node(node) => {
                self.commands.space();
                self.node(node);
            }
        }
    }

    pub(super) fn match_expr(&mut self, node: Node<'t>) {
        let parts: Vec<Element<'t>> = parts(node)
            .into_iter()
            .filter(|part| token_kind(*part) != Some(TokenKind::Comma))
            .collect();
        let open = parts
            .iter()
            .position(|part| token_kind(*part) == Some(TokenKind::LBrace))
            .unwrap_or(parts.len());
        self.sequence(&parts[..open], space_between);
        self.commands.space();
        self.braced_lines(&parts[open..], OneLineBraces::Forbidden);
    }

    // w % p if g => e
    pub(super) fn arm(&mut self, node: Node<'t>) {
        let body = Arm::cast(node).and_then(Arm::body).map(AstNode::node);
        for (number, part) in parts(node).into_iter().enumerate() {
            if part.node() == body && body.is_some() {
                continue;
            }
            if number > 0 {
                self.commands.space();
            }
            self.element(part);
        }
        let Some(body) = body else { return };
        let on_next_line = starts_line(node.tree(), body.span().start);
        if on_next_line && body.kind() != NodeKind::Block {
            self.commands.indent();
            self.commands.hard_line();
            self.node(body);
            self.commands.dedent();
        } else if is_postfix(body.kind()) {
            self.own_line_or_hugged(body, HugPolicy::IfLong);
        } else {
            self.value(body);
        }
    }

    // let p: T = e
    pub(super) fn definition(&mut self, node: Node<'t>) {
        let mut previous: Option<Element<'t>> = None;
        for part in self.attributes(node) {
            let after_eq = previous.is_some_and(|it| token_kind(it) == Some(TokenKind::Eq));
            match (part, previous) {
                (Element::Node(value), Some(_)) if after_eq => self.value(value),
                (_, Some(left)) => {
                    if space_between(left, part) == super::Spacing::One {
                        self.commands.space();
                    }
                    self.element(part);
                }
                (_, None) => self.element(part),
            }
            previous = Some(part);
        }
    }

    // |x, y: T|
    pub(super) fn lambda_params(&mut self, node: Node<'t>) {
        let parts = parts(node);
        let n_parts = parts.len();
        let start = self.commands.mark();
        for (number, part) in parts.into_iter().enumerate() {
            let is_comma = token_kind(part) == Some(TokenKind::Comma);
            // A comma before the closing bar is dropped.
            if is_comma && number + 2 >= n_parts {
                continue;
            }
            if is_comma {
                self.commands.text(",");
                self.commands.space();
            } else {
                self.element(part);
            }
        }
        // Parameters on several lines are hard to tell apart from the body.
        self.commands.flatten_since(start);
    }

    // p | q
    pub(super) fn or_pattern(&mut self, node: Node<'t>) {
        self.commands.group(GroupLayout::IfFits);
        for (number, part) in parts(node).into_iter().enumerate() {
            if number == 1 {
                self.commands.indent();
            }
            if number > 0 {
                match token_kind(part) {
                    Some(_) => self.commands.line(),
                    None => self.commands.space(),
                }
            }
            self.element(part);
        }
        self.commands.dedent();
        self.commands.group_end();
    }
}

/// How the branches of an `if` chain break.
#[derive(Copy, Clone, PartialEq, Eq)]
enum IfChainLayout {
    /// Independently of each other.
    Separate,
    /// One line per branch; if one does not fit, all break.
    LinePerBranch,
    /// All on one line, or all broken.
    AllOrNothing,
}

/// A chain gets one line per branch if the author wrote it that way: `if` and `else` start lines,
/// and every branch is one statement on one line.
fn if_chain_layout(node: Node<'_>) -> IfChainLayout {
    let tree = node.tree();
    let stands_alone = starts_line(tree, node.span().start)
        && matches!(node.parent().map(Node::kind), Some(NodeKind::Block | NodeKind::Arm));
    let mut ladder = IfChainLayout::AllOrNothing;
    let mut next = IfExpr::cast(node);
    while let Some(rung) = next.take() {
        let mut branches = vec![rung.then_branch()];
        if let Some(else_) = rung.node().token(TokenKind::ElseKw)
            && starts_line(tree, else_.span().start)
            && stands_alone
        {
            ladder = IfChainLayout::LinePerBranch;
        }
        match rung.else_branch() {
            Some(Expr::Block(block)) => branches.push(Some(block)),
            Some(Expr::If(inner)) => next = Some(inner),
            Some(_) | None => {}
        }
        let one_line = branches.into_iter().flatten().all(|block| {
            let text = block.node().text();
            !text.contains('\n') && !text.contains("//") && block.stmts().count() == 1
        });
        if !one_line {
            return IfChainLayout::Separate;
        }
    }
    ladder
}
