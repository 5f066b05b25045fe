//! Expressions that have a layout of their own.

use super::chains::is_postfix;
use super::commands::{Hugging, Layout};
use super::lists::Sharing;
use super::trivia::starts_line;
use super::{Writer, parts, space_between, token_kind};
use crate::ast::{Arm, Expr, IfExpr, View};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

impl<'t> Writer<'t> {
    // if c { a } else { b }
    //
    // if c { a }
    // else if d { b }
    // else { c }
    pub(super) fn if_expr(&mut self, node: Node<'t>) {
        let ladder = is_ladder(node);
        match ladder {
            Ladder::None => {}
            Ladder::Rungs => self.commands.group(Layout::Rungs),
            Ladder::Joined => self.commands.group(Layout::Fitting),
        }
        // A loop, so that a long `else if` chain needs no deep stack.
        let mut next = IfExpr::cast(node);
        while let Some(rung) = next.take() {
            for part in parts(rung.node()) {
                if let Element::Token(token) = part
                    && token.kind() == TokenKind::ElseKw
                {
                    match ladder {
                        Ladder::Rungs => self.commands.rung(),
                        Ladder::None | Ladder::Joined => self.commands.space(),
                    }
                }
                let is_else_if = part.node().is_some_and(|it| it.kind() == NodeKind::IfExpr)
                    && rung.else_branch().map(View::node) == part.node();
                if is_else_if {
                    self.commands.space();
                    next = part.node().and_then(IfExpr::cast);
                } else {
                    self.if_part(part, ladder);
                }
            }
        }
        if ladder != Ladder::None {
            self.commands.group_end();
        }
    }

    fn if_part(&mut self, part: Element<'t>, ladder: Ladder) {
        match part {
            Element::Token(token) => self.token(token),
            Element::Node(block) if block.kind() == NodeKind::Block => {
                self.commands.space();
                match ladder {
                    Ladder::None => self.block(block),
                    Ladder::Rungs | Ladder::Joined => {
                        self.lines(&parts(block), Sharing::Joined)
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
        self.run(&parts[..open], space_between);
        self.commands.space();
        self.lines(&parts[open..], Sharing::Forbidden);
    }

    // w % p if g => e
    pub(super) fn arm(&mut self, node: Node<'t>) {
        let body = Arm::cast(node).and_then(Arm::body).map(View::node);
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
            self.own_line_or_hugged(body, Hugging::IfLong);
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
                    if space_between(left, part) == super::Space::One {
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
        // Parameters over several lines are hard to tell from the body.
        self.commands.flatten_since(start);
    }

    // p | q
    pub(super) fn or_pattern(&mut self, node: Node<'t>) {
        self.commands.group(Layout::Fitting);
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

/// How the branches of an `if` stand to one another.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Ladder {
    /// Each for itself.
    None,
    /// Each begins a line, unless one does not fit; then all are broken.
    Rungs,
    /// All on one line, or all broken.
    Joined,
}

/// A ladder is what the author wrote as one: `if` and `else` begin lines, and every branch is
/// one statement on one line.
fn is_ladder(node: Node<'_>) -> Ladder {
    let tree = node.tree();
    let stands_alone = starts_line(tree, node.span().start)
        && matches!(node.parent().map(Node::kind), Some(NodeKind::Block | NodeKind::Arm));
    let mut ladder = Ladder::Joined;
    let mut next = IfExpr::cast(node);
    while let Some(rung) = next.take() {
        let mut branches = vec![rung.then_branch()];
        if let Some(else_) = rung.node().token(TokenKind::ElseKw)
            && starts_line(tree, else_.span().start)
            && stands_alone
        {
            ladder = Ladder::Rungs;
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
            return Ladder::None;
        }
    }
    ladder
}
