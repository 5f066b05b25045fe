//! Lists in brackets, and lines in braces.

use super::commands::Layout;
use super::trivia::ends_line;
use super::{Writer, node_kind, token_kind};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

/// How many parts the list at the start of some parts has; `None` if there is none.
pub(super) fn list_length(parts: &[Element<'_>]) -> Option<usize> {
    let close = closer(token_kind(*parts.first()?)?)?;
    let end = parts.iter().position(|part| token_kind(*part) == Some(close))?;
    Some(end + 1)
}

fn closer(open: TokenKind) -> Option<TokenKind> {
    const PAIRS: [(TokenKind, TokenKind); 4] = [
        (TokenKind::LParen, TokenKind::RParen),
        (TokenKind::LBracket, TokenKind::RBracket),
        (TokenKind::LBrace, TokenKind::RBrace),
        (TokenKind::Less, TokenKind::Greater),
    ];
    PAIRS.iter().find(|pair| pair.0 == open).map(|pair| pair.1)
}

impl<'t> Writer<'t> {
    /// Writes a bracket, items with commas between them, and its partner.
    pub(super) fn list(&mut self, parts: &[Element<'t>]) {
        let [open, inside @ .., close] = parts else { return };
        if inside.is_empty()
            && !close.token().is_some_and(|it| self.has_comments_before(it.id()))
        {
            self.element(*open);
            self.element(*close);
            return;
        }
        let items: Vec<&[Element<'t>]> = inside
            .split(|part| token_kind(*part) == Some(TokenKind::Comma))
            .filter(|item| !item.is_empty())
            .collect();
        let shape = Shape::of(parts);
        let has_comma = inside.last().and_then(|it| token_kind(*it)) == Some(TokenKind::Comma);
        let tree = open.token().map(|token| token.tree());
        let stays_open = tree.is_some_and(|tree| ends_line(tree, open.span().end));
        let is_broken = stays_open && has_comma && shape != Shape::Single;
        let layout = if is_broken { Layout::Broken } else { Layout::Fitting };

        self.commands.group(layout);
        self.element(*open);
        let indent = self.commands.mark();
        self.commands.indent();
        let first = self.commands.mark();
        self.list_edge(shape, items.len());
        let hug = self.items(&items, shape);
        let dedent = self.commands.mark();
        self.commands.dedent();
        let last = self.commands.mark();
        self.list_end(shape, items.len(), *close);
        if hug && !is_broken {
            self.commands.erase(indent);
            self.commands.erase(dedent);
            match shape {
                Shape::Padded => {
                    self.commands.keep_together(first);
                    self.commands.keep_together(last);
                }
                Shape::Tight | Shape::Single => {
                    self.commands.erase(first);
                    self.commands.erase(last);
                }
            }
        }
        self.commands.group_end();
    }

    fn list_edge(&mut self, shape: Shape, n_items: usize) {
        match shape {
            Shape::Padded if n_items > 0 => self.commands.line(),
            Shape::Padded | Shape::Tight | Shape::Single => self.commands.soft_line(),
        }
    }

    fn list_end(&mut self, shape: Shape, n_items: usize, close: Element<'t>) {
        let Some(token) = close.token() else { return };
        if self.has_comments_before(token.id()) {
            self.commands.indent();
            self.comments_before(token.id());
            self.commands.dedent();
        }
        self.list_edge(shape, n_items);
        self.token(token);
    }

    /// Writes the items; says whether the last one may break while the list stays together.
    fn items(&mut self, items: &[&[Element<'t>]], shape: Shape) -> bool {
        let mut hug = false;
        let mut lines = Vec::new();
        let start = self.commands.mark();
        for (number, item) in items.iter().enumerate() {
            let is_last = number + 1 == items.len();
            if is_last {
                hug = !self.commands.breaks_since(start);
            }
            let before = self.commands.mark();
            if let Some(Element::Node(first)) = item.first() {
                self.comments_before_node(*first);
            }
            self.run(item, item_space);
            if !is_last {
                self.commands.text(",");
                lines.push(self.commands.mark());
                self.commands.line();
                continue;
            }
            let is_sole = items.len() == 1 && is_bracketed(item);
            hug = hug && is_huggable(item) && (is_sole || self.commands.breaks_since(before));
            if !hug && shape != Shape::Single {
                self.commands.trailing_comma();
            }
        }
        if hug {
            for line in lines {
                self.commands.keep_together(line);
            }
        }
        hug
    }

    /// Writes a brace, lines, and its partner. One line may share the line of the braces.
    pub(super) fn lines(&mut self, parts: &[Element<'t>], sharing: Sharing) {
        let [open, inside @ .., close] = parts else { return };
        let (Some(open), Some(close)) = (open.token(), close.token()) else { return };
        let lines: Vec<Element<'t>> =
            inside.iter().copied().filter(|it| it.node().is_some()).collect();
        let shared = sharing == Sharing::Allowed
            && lines.len() == 1
            && !ends_line(open.tree(), open.span().end);
        if sharing != Sharing::Joined {
            self.commands.group(if shared { Layout::Fitting } else { Layout::Broken });
        }
        let start = self.commands.mark();
        self.token(open);
        if lines.is_empty() && !self.has_comments_before(close.id()) {
            if self.commands.breaks_since(start) {
                self.commands.line();
            }
            self.token(close);
            self.end_lines(sharing);
            return;
        }
        self.commands.indent();
        for line in lines {
            self.commands.line();
            self.cursor.allow_blank();
            self.separate_line(line);
        }
        if self.has_comments_before(close.id()) {
            self.commands.line();
            self.comments_before(close.id());
        }
        self.commands.dedent();
        self.commands.line();
        self.token(close);
        self.end_lines(sharing);
    }

    fn end_lines(&mut self, sharing: Sharing) {
        if sharing != Sharing::Joined {
            self.commands.group_end();
        }
    }

    fn separate_line(&mut self, line: Element<'t>) {
        if let Element::Node(node) = line {
            self.comments_before_node(node);
        }
        self.element(line);
    }

    pub(super) fn block(&mut self, node: Node<'t>) {
        self.lines(&super::parts(node), Sharing::Allowed);
    }
}

/// Whether one line may share the line of its braces.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Sharing {
    Allowed,
    Forbidden,
    /// As the group around it says.
    Joined,
}

/// How the inside of a list meets its brackets.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Shape {
    /// `(a, b)`.
    Tight,
    /// `{ a, b }`.
    Padded,
    /// `(a)`: parentheses around one thing, where a comma means nothing.
    Single,
}

impl Shape {
    fn of(parts: &[Element<'_>]) -> Self {
        let parent = parts[0].token().and_then(|token| token.parent()).map(Node::kind);
        let is_single = matches!(
            parent,
            Some(
                NodeKind::ParenExpr
                    | NodeKind::ParenPat
                    | NodeKind::ParenType
                    | NodeKind::RefinedType
                    | NodeKind::OutClause
                    | NodeKind::ThrowsExpr
            )
        );
        let is_brace = token_kind(parts[0]) == Some(TokenKind::LBrace);
        if is_single {
            Self::Single
        } else if is_brace && parent != Some(NodeKind::UseList) {
            Self::Padded
        } else {
            Self::Tight
        }
    }
}

/// `..rest` and `..base` are tight.
fn item_space(_: Element<'_>, _: Element<'_>) -> super::Space {
    super::Space::None
}

/// Whether an item begins and ends with a bracket of its own.
fn is_bracketed(item: &[Element<'_>]) -> bool {
    let [Element::Node(argument)] = item else { return false };
    let value =
        if argument.kind() == NodeKind::Arg { argument.children().next() } else { None };
    argument.token(TokenKind::Colon).is_none()
        && value.is_some_and(|it| {
            matches!(
                it.kind(),
                NodeKind::ListExpr | NodeKind::UpdateExpr | NodeKind::RecordExpr
            )
        })
}

/// Whether an item that goes over several lines reads well as the last one of a list that
/// stays on its line.
fn is_huggable(item: &[Element<'_>]) -> bool {
    let [part] = item else { return false };
    let mut node = part.node();
    // An argument is as huggable as its value.
    while let Some(inner) = node {
        if !matches!(inner.kind(), NodeKind::Arg | NodeKind::RecordField | NodeKind::LambdaExpr)
        {
            break;
        }
        node = inner.children().last();
    }
    node.is_some_and(|it| {
        matches!(
            node_kind(Element::Node(it)),
            Some(
                NodeKind::Block
                    | NodeKind::MatchExpr
                    | NodeKind::ListExpr
                    | NodeKind::TupleExpr
                    | NodeKind::ParenExpr
                    | NodeKind::RecordExpr
                    | NodeKind::UpdateExpr
                    | NodeKind::AcrossExpr
                    | NodeKind::UnderExpr
                    | NodeKind::ThrowsExpr
                    | NodeKind::CallExpr
            )
        )
    })
}
