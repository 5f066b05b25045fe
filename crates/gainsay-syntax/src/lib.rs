//! Text to tokens to a lossless tree, typed views of it, and the formatter.
//!
//! **Invariant:** Parsing never fails: broken text gives a tree with holes and a list of errors.
//! The tokens of a tree, put one after the other, are the text it was read from.

pub mod ast;

mod kind;
mod tree;

pub use self::kind::{NodeKind, TokenKind};
pub use self::tree::{Element, EntryId, Node, Token, Tree};

use gainsay_source::{Diagnostic, FileId};

/// What reading a text gives.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The tree, with holes where the text is broken.
    pub tree: Tree,
    /// What is wrong with the text, in the order of places.
    pub errors: Vec<Diagnostic>,
}

impl Parse {
    /// The root of the tree.
    pub fn file(&self) -> ast::File<'_> {
        ast::File::cast(self.tree.root()).expect("the root of a tree is a file")
    }

    /// Whether the text is rejected; warnings do not count.
    pub fn has_errors(&self) -> bool {
        self.errors.iter().any(Diagnostic::is_error)
    }
}

/// Reads a file.
pub fn parse(file: FileId, text: &str) -> Parse {
    let mut builder = tree::TreeBuilder::with_capacity(2);
    builder.open(NodeKind::File);
    builder.token(TokenKind::Unknown, text.len() as u32);
    builder.close();
    Parse { tree: builder.finish(file, text), errors: Vec::new() }
}
