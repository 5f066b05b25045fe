//! Layout of bracketed lists and of lines in braces.

use super::commands::{GroupLayout, HugPolicy};
use super::trivia::ends_line;
use super::{LayoutWriter, token_kind};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Element, Node};

/// The number of parts of the list that `parts` starts with; `None` if it starts with no list.
pub(super) fn list_length(parts: &[Element<'_>]) -> Option<usize> {
    // The parts are those of one node: brackets that nest are in child nodes.
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

impl<'t> LayoutWriter<'t> {
    /// Emits a bracket, comma-separated items, and the closing bracket.
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
        let shape = ListPadding::of(parts);
        // The author's choice: a list stays broken if a line ends after its bracket and its last
        // item has a comma. One of the two alone may be a leftover of editing.
        let has_comma = inside.last().and_then(|it| token_kind(*it)) == Some(TokenKind::Comma);
        let tree = open.token().map(|token| token.tree());
        let stays_open = tree.is_some_and(|tree| ends_line(tree, open.span().end));
        let is_broken = stays_open && has_comma && shape != ListPadding::Single;
        let layout = if is_broken { GroupLayout::Broken } else { GroupLayout::IfFits };

        let start = self.commands.mark();
        self.commands.group(layout);
        self.element(*open);
        self.commands.indent();
        self.list_edge(shape, items.len());
        self.items(&items, shape, parent_kind(parts));
        self.commands.dedent();
        self.list_end(shape, items.len(), *close);
        self.commands.group_end();
        // The failure kind in `throws(Contract) {` and the name in `out (r) {` do not break.
        if matches!(parent_kind(parts), Some(NodeKind::ThrowsExpr | NodeKind::OutClause)) {
            self.commands.flatten_since(start);
        }
    }

    fn list_edge(&mut self, shape: ListPadding, n_items: usize) {
        match shape {
            ListPadding::Padded if n_items > 0 => self.commands.line(),
            ListPadding::Padded | ListPadding::Tight | ListPadding::Single => {
                self.commands.soft_line()
            }
        }
    }

    fn list_end(&mut self, shape: ListPadding, n_items: usize, close: Element<'t>) {
        let Some(token) = close.token() else { return };
        if self.has_comments_before(token.id()) {
            self.commands.break_group();
            self.commands.indent();
            self.comments_before(token.id());
            self.commands.dedent();
        }
        self.list_edge(shape, n_items);
        self.token(token);
    }

    fn items(
        &mut self,
        items: &[&[Element<'t>]],
        shape: ListPadding,
        parent: Option<NodeKind>,
    ) {
        for (number, item) in items.iter().enumerate() {
            if let Some(Element::Node(first)) = item.first() {
                self.comments_before_node(*first);
            }
            let is_last = number + 1 == items.len();
            if is_last {
                self.commands.start_hug(hug_policy_of_last(items, parent));
            }
            self.sequence(item, item_space);
            if is_last {
                self.commands.end_hug();
                // A comment after the last item would otherwise swallow the closing bracket.
                self.commands.break_at_comment();
            } else {
                self.commands.text(",");
                self.commands.line();
            }
        }
        if shape != ListPadding::Single && !items.is_empty() {
            self.commands.trailing_comma();
        }
    }

    /// Emits a brace, lines, and the closing brace. A single line may share the line of its braces.
    pub(super) fn braced_lines(&mut self, parts: &[Element<'t>], sharing: OneLineBraces) {
        let [open, inside @ .., close] = parts else { return };
        let (Some(open), Some(close)) = (open.token(), close.token()) else { return };
        let lines: Vec<Element<'t>> =
            inside.iter().copied().filter(|it| it.node().is_some()).collect();
        let is_empty = lines.is_empty() && !self.has_comments_before(close.id());
        let shared = sharing == OneLineBraces::Allowed
            && (is_empty || lines.len() == 1 && !ends_line(open.tree(), open.span().end));
        if sharing != OneLineBraces::Inherited {
            self.commands.group(if shared { GroupLayout::IfFits } else { GroupLayout::Broken });
        }
        let start = self.commands.mark();
        self.token(open);
        // Even empty braces break if a comment follows the opening one.
        if is_empty {
            if self.commands.breaks_since(start) {
                self.commands.line();
            }
            self.token(close);
            self.end_braced_lines(sharing);
            return;
        }
        self.commands.indent();
        for line in lines {
            self.commands.line();
            self.cursor.allow_blank();
            self.line_with_comments(line);
        }
        if self.has_comments_before(close.id()) {
            self.commands.line();
            self.comments_before(close.id());
        }
        self.commands.dedent();
        self.commands.line();
        self.token(close);
        self.end_braced_lines(sharing);
    }

    fn end_braced_lines(&mut self, sharing: OneLineBraces) {
        if sharing != OneLineBraces::Inherited {
            self.commands.group_end();
        }
    }

    fn line_with_comments(&mut self, line: Element<'t>) {
        if let Element::Node(node) = line {
            self.comments_before_node(node);
        }
        self.element(line);
    }

    pub(super) fn block(&mut self, node: Node<'t>) {
        self.braced_lines(&super::parts(node), OneLineBraces::Allowed);
    }
}

/// Whether a single line may share the line of its braces.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum OneLineBraces {
    Allowed,
    Forbidden,
    /// If the surrounding group is not broken.
    Inherited,
}

/// How the items of a list are separated from the brackets.
#[derive(Copy, Clone, PartialEq, Eq)]
enum ListPadding {
    /// `(a, b)`.
    Tight,
    /// `{ a, b }`.
    Padded,
    /// `(a)`: grouping parentheses, which take no trailing comma.
    Single,
}

impl ListPadding {
    fn of(parts: &[Element<'_>]) -> Self {
        let parent = parent_kind(parts);
        let is_single = matches!(
            parent,
            Some(
                NodeKind::ParenExpr
                    | NodeKind::ParenPat
                    | NodeKind::ParenType
                    | NodeKind::RefinedType
                    | NodeKind::OutClause
                    | NodeKind::ThrowsExpr
                    | NodeKind::EventCondition
            )
        );
        let is_brace = token_kind(parts[0]) == Some(TokenKind::LBrace);
        if is_single {
            Self::Single
        } else if is_brace && !matches!(parent, Some(NodeKind::UseList | NodeKind::OtherEvent))
        {
            Self::Padded
        } else {
            Self::Tight
        }
    }
}

/// The kind of the node that contains the parts.
fn parent_kind(parts: &[Element<'_>]) -> Option<NodeKind> {
    parts.first()?.token()?.parent().map(Node::kind)
}

/// `..rest` and `..base` are tight.
fn item_space(_: Element<'_>, _: Element<'_>) -> super::Spacing {
    super::Spacing::None
}

/// Whether and when a list hugs its last item.
fn hug_policy_of_last(items: &[&[Element<'_>]], parent: Option<NodeKind>) -> HugPolicy {
    let Some((last, others)) = items.split_last() else { return HugPolicy::Never };
    let values = |item: &[Element<'_>]| match item {
        [part] => part.node().map(|node| value_of(node).kind()),
        _ => None,
    };
    let [Element::Node(node)] = last else { return HugPolicy::Never };
    // The last of several items of one kind, or of several fields or elements, is not hugged,
    // unless it ends in a block: `Gen.freq([(1, || Leaf), (size, || {`.
    let is_alone = others.iter().all(|item| values(item) != values(last));
    let is_special = others.is_empty() || is_alone && parent == Some(NodeKind::Args);
    let hugs = match values(last) {
        _ if is_special => breaks_in_brackets(*node),
        Some(NodeKind::TupleExpr | NodeKind::CallExpr | NodeKind::LambdaExpr) => {
            ends_in_lines(*node)
        }
        Some(_) | None => false,
    };
    if hugs { HugPolicy::Always } else { HugPolicy::Never }
}

/// The value of an argument or field.
fn value_of(node: Node<'_>) -> Node<'_> {
    let is_named = matches!(node.kind(), NodeKind::Arg | NodeKind::RecordField);
    node.children().last().filter(|_| is_named).unwrap_or(node)
}

/// Whether an item reads well if it breaks only inside the brackets at its end.
pub(super) fn breaks_in_brackets(item: Node<'_>) -> bool {
    let mut node = value_of(item);
    // `f(g([` is hugged all the way; `f(g(a, b))` breaks `f` first.
    while let Some(argument) = only_argument(node) {
        node = value_of(argument);
    }
    let is_bracketed = matches!(
        node.kind(),
        NodeKind::ListExpr
            | NodeKind::TupleExpr
            | NodeKind::ParenExpr
            | NodeKind::RecordExpr
            | NodeKind::UpdateExpr
    );
    is_bracketed || ends_in_lines(node)
}

/// The argument of a call with exactly one.
fn only_argument(call: Node<'_>) -> Option<Node<'_>> {
    let args = call.children().find(|it| it.kind() == NodeKind::Args)?;
    let mut args = args.children();
    let first = args.next()?;
    (call.kind() == NodeKind::CallExpr && args.next().is_none()).then_some(first)
}

/// Whether an item ends in braces that contain lines: a block, perhaps as the body of a lambda or
/// inside brackets.
fn ends_in_lines(item: Node<'_>) -> bool {
    let mut node = value_of(item);
    while matches!(
        node.kind(),
        NodeKind::LambdaExpr | NodeKind::TupleExpr | NodeKind::CallExpr | NodeKind::Args
    ) {
        let Some(last) = node.children().last() else { return false };
        node = value_of(last);
    }
    matches!(
        node.kind(),
        NodeKind::Block
            | NodeKind::MatchExpr
            | NodeKind::AcrossExpr
            | NodeKind::UnderExpr
            | NodeKind::ThrowsExpr
    )
}
