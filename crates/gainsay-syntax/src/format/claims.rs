//! Layout of tests, `verify` blocks, worlds and relations.

use super::commands::{GroupLayout, HugPolicy};
use super::items::declaration_spacing;
use super::lists::{OneLineBraces, breaks_in_brackets};
use super::{LayoutWriter, token_kind};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

impl<'t> LayoutWriter<'t> {
    /// Emits a head followed by lines in braces.
    pub(super) fn braced_item(&mut self, node: Node<'t>) {
        let parts: Vec<Element<'t>> = self
            .attributes(node)
            .into_iter()
            .filter(|part| token_kind(*part) != Some(TokenKind::Comma))
            .collect();
        let open = parts.iter().position(|part| token_kind(*part) == Some(TokenKind::LBrace));
        let Some(open) = open else {
            self.sequence(&parts, declaration_spacing);
            return;
        };
        self.sequence(&parts[..open], declaration_spacing);
        self.commands.space();
        let sharing =
            match node.kind() == NodeKind::WorldItem || node.kind() == NodeKind::EffectItem {
                true => OneLineBraces::Allowed,
                false => OneLineBraces::Forbidden,
            };
        self.braced_lines(&parts[open..], sharing);
    }

    // lhs => rhs
    //
    // lhs =>
    //   rhs
    pub(super) fn case(&mut self, node: Node<'t>) {
        let parts = super::parts(node);
        let [lhs, arrow, Element::Node(rhs)] = parts[..] else { return self.spaced(node) };
        self.element(lhs);
        self.commands.space();
        self.element(arrow);
        let hugs = breaks_in_brackets(rhs);
        self.own_line_or_hugged(rhs, if hugs { HugPolicy::IfLong } else { HugPolicy::Never });
    }

    // rule op(x) given (n: Int) when e {
    //   history ..
    //   emits ..
    // }
    pub(super) fn spec_rule(&mut self, node: Node<'t>) {
        let parts = super::parts(node);
        let open = parts.iter().position(|part| token_kind(*part) == Some(TokenKind::LBrace));
        let head = open.unwrap_or(parts.len());
        self.sequence(&parts[..head], declaration_spacing);
        if open.is_some() {
            self.commands.space();
            self.braced_lines(&parts[head..], OneLineBraces::Allowed);
        }
    }

    // label: w % conclusion
    //   <- premise,
    //     premise
    pub(super) fn rule(&mut self, node: Node<'t>) {
        self.commands.group(GroupLayout::IfFits);
        let mut previous: Option<Element<'t>> = None;
        let mut has_arrow = false;
        for (number, part) in super::parts(node).into_iter().enumerate() {
            if number == 1 {
                self.commands.indent();
            }
            let after_comma =
                previous.is_some_and(|it| token_kind(it) == Some(TokenKind::Comma));
            let is_arrow = token_kind(part) == Some(TokenKind::LeftArrow);
            if is_arrow || after_comma {
                self.commands.line();
                has_arrow |= is_arrow;
            } else if let Some(left) = previous
                && super::space_between(left, part) == super::Spacing::One
            {
                self.commands.space();
            }
            if token_kind(part) == Some(TokenKind::Comma) {
                self.commands.text(",");
            } else {
                self.element(part);
            }
            if is_arrow {
                self.commands.indent();
            }
            previous = Some(part);
        }
        if has_arrow {
            self.commands.dedent();
        }
        self.commands.dedent();
        self.commands.group_end();
    }
}
