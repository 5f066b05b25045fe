//! Layout of declarations.

use super::commands::GroupLayout;
use super::trivia::{ends_line, starts_line};
use super::{
    LayoutWriter, Spacing, is_quantifier, node_kind, parts, space_between, token_kind,
};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

/// A result type up to this many bytes never breaks, whatever precedes it.
const MAX_UNBROKEN: u32 = 80;

impl<'t> LayoutWriter<'t> {
    /// Emits the attributes of a declaration, each on a line of its own if the author put it there;
    /// returns the other parts.
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
    pub(super) fn declared_item(&mut self, node: Node<'t>) {
        let mut parts = self.attributes(node);
        if let Some(bar) = parts.first().copied()
            && token_kind(bar) == Some(TokenKind::Bar)
        {
            // The attributes of a constructor come after its bar.
            self.element(bar);
            self.commands.space();
            parts.remove(0);
            while parts.first().is_some_and(|it| node_kind(*it) == Some(NodeKind::Attribute)) {
                self.element(parts.remove(0));
                self.commands.space();
            }
        }
        self.sequence(&parts, declaration_spacing);
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
        let kinds = [NodeKind::EffectRow, NodeKind::InClause, NodeKind::OutClause];
        let is_clause =
            |part: &Element<'t>| node_kind(*part).is_some_and(|it| kinds.contains(&it));
        let first = parts.iter().position(is_clause);
        let body = parts.iter().position(|it| node_kind(*it) == Some(NodeKind::Block));
        let end = body.unwrap_or(parts.len());
        for (number, part) in parts[..first.unwrap_or(end)].iter().enumerate() {
            if number > 0 && declaration_spacing(parts[number - 1], *part) == Spacing::One {
                self.commands.space();
            }
            let start = self.commands.mark();
            self.element(*part);
            // Parameters break before the type parameters and result type around them do.
            let is_short = part.span().end - part.span().start <= MAX_UNBROKEN;
            let is_around =
                matches!(node_kind(*part), Some(NodeKind::TypeParams | NodeKind::ReturnType));
            if is_around && is_short {
                self.commands.flatten_since(start);
            }
        }
        match first {
            Some(first) => self.clauses(&parts[first..end], body),
            None if body.is_some() => self.commands.space(),
            None => {}
        }
        if let Some(body) = body {
            self.element(parts[body]);
        }
    }

    /// Emits the clauses. If they are broken, the brace after them is on a line of its own. Effects
    /// before a contract may stay on the line of the name.
    fn clauses(&mut self, clauses: &[Element<'t>], body: Option<usize>) {
        let begins_line = |clause: &Element<'t>| {
            let tree = clause.node().map(Node::tree);
            tree.is_some_and(|tree| starts_line(tree, clause.span().start))
        };
        let stays_broken = clauses.iter().any(begins_line);
        self.commands.group(if stays_broken {
            GroupLayout::Broken
        } else {
            GroupLayout::IfFits
        });
        self.commands.indent();
        for clause in clauses {
            let is_row = node_kind(*clause) == Some(NodeKind::EffectRow);
            // A row of its own group can stay on the first line although the contract after it
            // breaks.
            let stays = is_row && clauses.len() > 1 && !begins_line(clause);
            if stays {
                self.commands.group(GroupLayout::IfFits);
            }
            self.commands.line();
            self.element(*clause);
            if stays {
                self.commands.group_end();
            }
        }
        self.commands.dedent();
        if body.is_some() {
            self.commands.line();
        }
        self.commands.group_end();
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
            self.sequence(&parts, declaration_spacing);
            return;
        };
        let body = parts[sum];
        let tree = node.tree();
        let ctors: Vec<Node<'t>> = body.node().into_iter().flat_map(Node::children).collect();
        let eq = parts[sum - 1];
        let stays_broken = starts_line(tree, eq.span().start)
            || ctors.iter().any(|ctor| starts_line(tree, ctor.span().start));
        let first = ctors.first().copied();
        // A doc comment or leading bar needs a line of its own, so `=` stays on the line of the
        // name.
        let hangs = first.is_some_and(|it| {
            it.token(TokenKind::DocComment).is_some() || it.token(TokenKind::Bar).is_some()
        });
        self.sequence(&parts[..sum - 1], declaration_spacing);
        self.commands.group(if stays_broken || hangs {
            GroupLayout::Broken
        } else {
            GroupLayout::IfFits
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

    /// The constructors; they break together with the group of the type.
    pub(super) fn sum_body(&mut self, node: Node<'t>) {
        for (number, part) in parts(node).into_iter().enumerate() {
            if number > 0 {
                self.commands.line();
            }
            self.element(part);
        }
    }
}

/// `f<A>(x)` is tight where other parts have spaces.
pub(super) fn declaration_spacing(left: Element<'_>, right: Element<'_>) -> Spacing {
    let attached = matches!(
        node_kind(right),
        Some(NodeKind::TypeParams | NodeKind::Params | NodeKind::CtorFields)
    );
    if attached && !is_quantifier(left) { Spacing::None } else { space_between(left, right) }
}
