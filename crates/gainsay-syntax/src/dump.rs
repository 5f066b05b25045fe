//! Prints a tree as indented text, for golden tests.

use crate::kind::TokenKind;
use crate::tree::{Element, Node, Tree};

/// One line per node and token, indented by depth; white space is omitted.
pub fn dump(tree: &Tree) -> String {
    let mut out = String::new();
    // An explicit stack instead of recursion, because the tree may be deep.
    let mut stack: Vec<(usize, Element<'_>)> = vec![(0, Element::Node(tree.root()))];
    while let Some((depth, element)) = stack.pop() {
        line(&mut out, depth, element);
        if let Element::Node(node) = element {
            let children: Vec<Element<'_>> = node.elements().collect();
            stack.extend(children.into_iter().rev().map(|child| (depth + 1, child)));
        }
    }
    out
}

fn line(out: &mut String, depth: usize, element: Element<'_>) {
    use std::fmt::Write as _;
    let shown = match element {
        Element::Node(node) => name(node),
        Element::Token(token) => {
            if matches!(token.kind(), TokenKind::Whitespace | TokenKind::Newline) {
                return;
            }
            format!("{:?}", token.text())
        }
    };
    // Beyond this depth more indentation would not help a reader.
    let _ = writeln!(out, "{:indent$}{shown}", "", indent = 2 * depth.min(60));
}

fn name(node: Node<'_>) -> String {
    format!("{:?}", node.kind())
}
