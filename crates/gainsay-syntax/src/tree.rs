//! The lossless syntax tree: every byte of the text is in exactly one token.
//!
//! A tree is one vector of entries in preorder. An entry stores where its text starts and which
//! entry follows its subtree. So its text ends where that entry's text starts, and iterating over
//! children means jumping from one to the next.

use std::fmt;
use std::hash::{Hash, Hasher};

use gainsay_source::{FileId, Span};

use crate::kind::{NodeKind, TokenKind};

/// The parent of the root.
const NO_PARENT: u32 = u32::MAX;

/// The index of a node or token in its tree; both share one numbering.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub u32);

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum TreeEntryKind {
    Node(NodeKind),
    Token(TokenKind),
}

#[derive(Debug, Copy, Clone)]
struct TreeEntry {
    kind: TreeEntryKind,
    start: u32,
    next: u32,
    parent: u32,
}

/// The text of a file and its structure.
#[derive(Debug, Clone)]
pub struct Tree {
    file: FileId,
    text: Box<str>,
    /// In preorder, terminated by a sentinel that starts at the end of the text.
    entries: Vec<TreeEntry>,
}

impl Tree {
    /// The file the tree was read from.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The root node.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }

    /// The node with an id that [`Node::id`] of this tree returned.
    pub fn node(&self, id: EntryId) -> Option<Node<'_>> {
        self.element(id).and_then(Element::node)
    }

    /// The number of nodes and tokens.
    pub fn len(&self) -> usize {
        self.entries.len() - 1
    }

    /// Whether the tree has only a root.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// Every token in source order, trivia included.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        (0..self.len() as u32)
            .filter_map(|id| self.element(EntryId(id)).and_then(Element::token))
    }

    /// Every node in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.len() as u32)
            .filter_map(|id| self.element(EntryId(id)).and_then(Element::node))
    }

    /// The innermost node whose span contains an offset; the root if no other does.
    pub fn node_at(&self, offset: u32) -> Node<'_> {
        let mut node = self.root();
        loop {
            let inner = node.children().find(|it| {
                let span = it.span();
                // Inclusive at both ends: an offset right after a node counts as inside it.
                span.start <= offset && offset <= span.end
            });
            match inner {
                Some(inner) => node = inner,
                None => return node,
            }
        }
    }

    fn element(&self, id: EntryId) -> Option<Element<'_>> {
        if id.0 as usize >= self.len() {
            return None;
        }
        Some(match self.entries[id.0 as usize].kind {
            TreeEntryKind::Node(_) => Element::Node(Node { tree: self, id: id.0 }),
            TreeEntryKind::Token(_) => Element::Token(Token { tree: self, id: id.0 }),
        })
    }

    fn span_of(&self, id: u32) -> Span {
        let entry = self.entries[id as usize];
        Span::new(self.file, entry.start, self.entries[entry.next as usize].start)
    }
}

/// Builds a tree in preorder.
pub(crate) struct TreeBuilder {
    entries: Vec<TreeEntry>,
    open: Vec<u32>,
    at: u32,
}

impl TreeBuilder {
    /// A builder with capacity for about `n_entries` nodes and tokens.
    pub(crate) fn with_capacity(n_entries: usize) -> Self {
        Self { entries: Vec::with_capacity(n_entries), open: Vec::new(), at: 0 }
    }

    /// Opens a node at the current offset.
    pub(crate) fn open(&mut self, kind: NodeKind) {
        let id = self.push(TreeEntryKind::Node(kind), self.at);
        self.open.push(id);
    }

    /// Adds a token that ends at an offset.
    pub(crate) fn token(&mut self, kind: TokenKind, end: u32) {
        let id = self.push(TreeEntryKind::Token(kind), self.at);
        self.entries[id as usize].next = id + 1;
        self.at = end;
    }

    /// Closes the innermost open node.
    pub(crate) fn close(&mut self) {
        let id = self.open.pop().expect("a close has its open");
        // Only now is it known where the subtree ends. Until then the entry points at itself.
        self.entries[id as usize].next = self.entries.len() as u32;
    }

    /// The tree, once every node is closed.
    pub(crate) fn finish(mut self, file: FileId, text: &str) -> Tree {
        let kind = TreeEntryKind::Token(TokenKind::Eof);
        // The sentinel: every entry can ask where the next one starts.
        self.push(kind, text.len() as u32);
        self.entries.shrink_to_fit();
        Tree { file, text: text.into(), entries: self.entries }
    }

    fn push(&mut self, kind: TreeEntryKind, start: u32) -> u32 {
        let id = self.entries.len() as u32;
        let parent = self.open.last().copied().unwrap_or(NO_PARENT);
        self.entries.push(TreeEntry { kind, start, next: id, parent });
        id
    }
}

/// A node of a tree.
#[derive(Copy, Clone)]
pub struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl<'t> Node<'t> {
    /// Its kind.
    pub fn kind(self) -> NodeKind {
        match self.tree.entries[self.id as usize].kind {
            TreeEntryKind::Node(kind) => kind,
            TreeEntryKind::Token(_) => NodeKind::Error,
        }
    }

    /// Its index in the tree.
    pub fn id(self) -> EntryId {
        EntryId(self.id)
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The range of its text, from its first token to its last, without trivia around it.
    pub fn span(self) -> Span {
        self.tree.span_of(self.id)
    }

    /// Its text, without trivia around it.
    pub fn text(self) -> &'t str {
        text_of(self.tree, self.span())
    }

    /// Its parent node.
    pub fn parent(self) -> Option<Self> {
        let parent = self.tree.entries[self.id as usize].parent;
        (parent != NO_PARENT).then_some(Node { tree: self.tree, id: parent })
    }

    /// Its child nodes and tokens, trivia included.
    pub fn elements(self) -> impl Iterator<Item = Element<'t>> + Clone {
        let tree = self.tree;
        let end = tree.entries[self.id as usize].next;
        let first = (self.id + 1 < end).then_some(self.id + 1);
        std::iter::successors(first, move |id| {
            let next = tree.entries[*id as usize].next;
            (next < end).then_some(next)
        })
        .filter_map(move |id| tree.element(EntryId(id)))
    }

    /// Its child nodes.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> + Clone {
        self.elements().filter_map(Element::node)
    }

    /// Its own tokens: not those of its children, no white space, no plain comments.
    pub fn tokens(self) -> impl Iterator<Item = Token<'t>> + Clone {
        self.elements()
            .filter_map(Element::token)
            .filter(|token| !token.kind().is_trivia() || token.kind() == TokenKind::DocComment)
    }

    /// Its first own token of a kind.
    pub fn token(self, kind: TokenKind) -> Option<Token<'t>> {
        self.tokens().find(|token| token.kind() == kind)
    }
}

/// A token of a tree.
#[derive(Copy, Clone)]
pub struct Token<'t> {
    tree: &'t Tree,
    id: u32,
}

impl<'t> Token<'t> {
    /// Its kind.
    pub fn kind(self) -> TokenKind {
        match self.tree.entries[self.id as usize].kind {
            TreeEntryKind::Token(kind) => kind,
            TreeEntryKind::Node(_) => TokenKind::Eof,
        }
    }

    /// Its index in the tree.
    pub fn id(self) -> EntryId {
        EntryId(self.id)
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The range of its text.
    pub fn span(self) -> Span {
        self.tree.span_of(self.id)
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        text_of(self.tree, self.span())
    }

    /// The node that contains it.
    pub fn parent(self) -> Option<Node<'t>> {
        let parent = self.tree.entries[self.id as usize].parent;
        (parent != NO_PARENT).then_some(Node { tree: self.tree, id: parent })
    }
}

/// A child of a node.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Element<'t> {
    /// A node.
    Node(Node<'t>),
    /// A token.
    Token(Token<'t>),
}

impl<'t> Element<'t> {
    /// The node, if it is one.
    pub fn node(self) -> Option<Node<'t>> {
        match self {
            Self::Node(node) => Some(node),
            Self::Token(_) => None,
        }
    }

    /// The token, if it is one.
    pub fn token(self) -> Option<Token<'t>> {
        match self {
            Self::Node(_) => None,
            Self::Token(token) => Some(token),
        }
    }

    /// The range of its text.
    pub fn span(self) -> Span {
        match self {
            Self::Node(node) => node.span(),
            Self::Token(token) => token.span(),
        }
    }
}

fn text_of(tree: &Tree, span: Span) -> &str {
    tree.text.get(span.start as usize..span.end as usize).unwrap_or("")
}

// Handles are equal if they refer to the same entry of the same tree.
macro_rules! identity {
    ($handle:ident) => {
        impl PartialEq for $handle<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.id == other.id && std::ptr::eq(self.tree, other.tree)
            }
        }

        impl Eq for $handle<'_> {}

        impl Hash for $handle<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.id.hash(state);
            }
        }

        impl fmt::Debug for $handle<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let span = self.span();
                write!(f, "{:?}@{}..{}", self.kind(), span.start, span.end)
            }
        }
    };
}

identity!(Node);
identity!(Token);
