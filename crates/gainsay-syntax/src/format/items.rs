//! Declarations.

use super::commands::Layout;
use super::trivia::{ends_line, starts_line};
use super::{Space, Writer, node_kind, parts, space_between, token_kind};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

impl<'t> Writer<'t> {
    /// Writes the attributes of a declaration, each on its line if it was; gives the other
    /// parts.
    pub(super) fn attributes(&mut self, node: Node<'t>) -> Vec<Element<'t>> {
        let mut rest = parts(node);
        while rest.first().is_some_and(|it| node_kind(*it) == Some(NodeKind::Attribute)) {
            let attribute = rest.remove(0);
            self.element(attribute);
            if ends_line(node.tree(), attribute.span().end) {
                self.commands.hard_line();
            } else {
                self.commands.space();
            }
        }
        rest
    }

    /// A constructor, field or operation.
    pub(super) fn declared(&mut self, node: Node<'t>) {
        let mut parts = self.attributes(node);
        if let Some(bar) = parts.first().copied()
            && token_kind(bar) == Some(TokenKind::Bar)
        {
            // Attributes of a constructor stand after its bar.
            self.element(bar);
            self.commands.space();
            parts.remove(0);
            while parts.first().is_some_and(|it| node_kind(*it) == Some(NodeKind::Attribute)) {
                self.element(parts.remove(0));
                self.commands.space();
            }
        }
        self.run(&parts, declared_space);
    }

    // fn f<A>(x: T) -> R ! [e] in { c } { body }
    //
    // fn f<A>(x: T) -> R
    //   ! [e]
    //   in { c }
    // {
    //   body
    // }
    pub(super) fn fn_item(&mut self, node: Node<'t>) {
        let parts = self.attributes(node);
        let kinds = [
            NodeKind::ReturnType,
            NodeKind::EffectRow,
            NodeKind::InClause,
            NodeKind::OutClause,
        ];
        let is_clause =
            |part: &Element<'t>| node_kind(*part).is_some_and(|it| kinds.contains(&it));
        let first = parts.iter().position(is_clause);
        let body = parts.iter().position(|it| node_kind(*it) == Some(NodeKind::Block));
        let end = body.unwrap_or(parts.len());
        self.run(&parts[..first.unwrap_or(end)], declared_space);
        if let Some(first) = first {
            self.clauses(&parts[first..end]);
        }
        if let Some(body) = body {
            // Where the clauses are broken, the brace stands on a line of its own.
            match first {
                Some(_) => self.commands.line(),
                None => self.commands.space(),
            }
            if first.is_some() {
                self.commands.group_end();
            }
            self.element(parts[body]);
        } else if first.is_some() {
            self.commands.group_end();
        }
    }

    /// Opens the group of the clauses and writes them; the result type stays on the line of
    /// the name as long as it fits there.
    fn clauses(&mut self, clauses: &[Element<'t>]) {
        let stays_broken = clauses.iter().any(|it| {
            let is_result = node_kind(*it) == Some(NodeKind::ReturnType);
            let tree = it.node().map(Node::tree);
            !is_result && tree.is_some_and(|tree| starts_line(tree, it.span().start))
        });
        self.commands.group(if stays_broken { Layout::Broken } else { Layout::Fitting });
        self.commands.indent();
        for clause in clauses {
            let is_result = node_kind(*clause) == Some(NodeKind::ReturnType);
            if is_result {
                self.commands.group(Layout::Fitting);
            }
            self.commands.line();
            self.element(*clause);
            if is_result {
                self.commands.group_end();
            }
        }
        self.commands.dedent();
    }

    // type T<A> = A | B
    //
    // type T<A>
    //   = A
    //   | B
    pub(super) fn type_item(&mut self, node: Node<'t>) {
        let parts = self.attributes(node);
        let Some(sum) = parts.iter().position(|it| node_kind(*it) == Some(NodeKind::SumBody))
        else {
            self.run(&parts, declared_space);
            return;
        };
        let body = parts[sum];
        let tree = node.tree();
        let ctors: Vec<Node<'t>> = body.node().into_iter().flat_map(Node::children).collect();
        let eq = parts[sum - 1];
        let stays_broken = starts_line(tree, eq.span().start)
            || ctors.iter().any(|ctor| starts_line(tree, ctor.span().start));
        let first = ctors.first().copied();
        let hangs = first.is_some_and(|it| {
            it.token(TokenKind::DocComment).is_some() || it.token(TokenKind::Bar).is_some()
        });
        self.run(&parts[..sum - 1], declared_space);
        self.commands.group(if stays_broken || hangs {
            Layout::Broken
        } else {
            Layout::Fitting
        });
        self.commands.indent();
        if hangs {
            self.commands.space();
        } else {
            self.commands.line();
        }
        self.element(eq);
        if hangs {
            self.commands.line();
        } else {
            self.commands.space();
        }
        self.element(body);
        self.commands.dedent();
        self.commands.group_end();
    }

    /// The constructors; the group is that of the type.
    pub(super) fn sum_body(&mut self, node: Node<'t>) {
        for (number, part) in parts(node).into_iter().enumerate() {
            if number > 0 {
                self.commands.line();
            }
            self.element(part);
        }
    }
}

/// `f<A>(x)` is tight where other parts are not.
pub(super) fn declared_space(left: Element<'_>, right: Element<'_>) -> Space {
    let attached = matches!(
        node_kind(right),
        Some(NodeKind::TypeParams | NodeKind::Params | NodeKind::CtorFields)
    );
    if attached { Space::None } else { space_between(left, right) }
}
