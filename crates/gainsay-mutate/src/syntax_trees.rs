//! The syntax trees of the mutated files: an edit replaces a node, and the nodes around it decide
//! whether the new text needs parentheses.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_source::{FileId, SourceMap, Span};
use gainsay_syntax::ast::{BinaryExpr, BinaryOp, Expr, IfExpr, UnaryExpr, UnaryOp};
use gainsay_syntax::{EntryId, Node, NodeKind, Tree, parse};

/// The trees of some files.
pub(crate) struct SyntaxTrees(BTreeMap<FileId, IndexedTree>);

struct IndexedTree {
    tree: Tree,
    /// Expressions by their start and end.
    expressions: BTreeMap<(u32, u32), EntryId>,
}

impl SyntaxTrees {
    /// Parses files.
    pub(crate) fn new(files: &SourceMap, ids: &BTreeSet<FileId>) -> Self {
        let read = |id: &FileId| {
            let tree = parse(*id, &files.get(*id).text).tree;
            let mut expressions = BTreeMap::new();
            for expr in tree.nodes().filter_map(Expr::cast) {
                let span = expr.span();
                // Nodes come in preorder: of several with one span, the outermost stays.
                expressions.entry((span.start, span.end)).or_insert(expr.node().id());
            }
            (*id, IndexedTree { tree, expressions })
        };
        Self(ids.iter().map(read).collect())
    }

    /// The expression with a span.
    pub(crate) fn expression(&self, span: Span) -> Option<Expr<'_>> {
        let file = self.0.get(&span.file)?;
        let id = file.expressions.get(&(span.start, span.end))?;
        file.tree.node(*id).and_then(Expr::cast)
    }

    /// The span of `x |> f(y)`, given that of `f(y)`.
    pub(crate) fn pipe_into(&self, call: Span) -> Option<Span> {
        let mut node = self.expression(call)?.node();
        let mut parent = node.parent()?;
        // `x |> (f(y))` pipes into the call as well.
        while parent.kind() == NodeKind::ParenExpr {
            node = parent;
            parent = node.parent()?;
        }
        let pipe = BinaryExpr::cast(parent)?;
        let is_piped_into = pipe.rhs().is_some_and(|it| it.node() == node);
        (pipe.op() == Some(BinaryOp::Pipe) && is_piped_into).then(|| pipe.span())
    }

    /// Whether no operator beside the expression can capture a part of the text that replaces it.
    pub(crate) fn is_enclosed(&self, span: Span) -> bool {
        let parent = self.expression(span).and_then(|it| it.node().parent());
        parent.is_some_and(|it| !takes_hold(it.kind()) && it.kind() != NodeKind::Spread)
    }

    /// Whether the expression stands where a brace would begin a branch.
    pub(crate) fn is_before_branch(&self, span: Span) -> bool {
        let Some(expr) = self.expression(span) else { return false };
        let mut node = expr.node();
        while let Some(parent) = node.parent() {
            if let Some(branch) = IfExpr::cast(parent) {
                // The condition only: its text ends where the brace of the branch begins.
                return branch.condition().is_some_and(|it| it.node() == node);
            }
            if [NodeKind::MatchExpr, NodeKind::Guard].contains(&parent.kind()) {
                return true;
            }
            if !takes_hold(parent.kind()) {
                return false;
            }
            node = parent;
        }
        false
    }

    /// Whether the expression follows a unary `-`, which would fuse with a number.
    pub(crate) fn is_negated(&self, span: Span) -> bool {
        let parent = self.expression(span).and_then(|it| it.node().parent());
        let sign = parent.and_then(UnaryExpr::cast).and_then(UnaryExpr::op);
        sign == Some(UnaryOp::Neg)
    }

    /// Whether a word occurs in the expression.
    pub(crate) fn has_word(&self, span: Span, is_it: &dyn Fn(&str) -> bool) -> bool {
        let mut pending: Vec<Node<'_>> =
            self.expression(span).map(Expr::node).into_iter().collect();
        while let Some(node) = pending.pop() {
            if node.tokens().any(|it| it.kind().is_word() && is_it(it.text())) {
                return true;
            }
            pending.extend(node.children());
        }
        false
    }
}

/// Whether nodes of a kind are operators, dots or the like, with their parts as operands.
fn takes_hold(kind: NodeKind) -> bool {
    [
        NodeKind::BinaryExpr,
        NodeKind::UnaryExpr,
        NodeKind::CallExpr,
        NodeKind::MethodExpr,
        NodeKind::FieldExpr,
        NodeKind::IndexExpr,
        NodeKind::TryExpr,
        NodeKind::SampleExpr,
        NodeKind::RangeExpr,
    ]
    .contains(&kind)
}
