//! Text to tokens to a lossless tree, typed views of it, and the formatter.
//!
//! **Invariant:** Parsing never fails: broken text gives a tree with holes and a list of errors.
//! The tokens of a tree, put one after the other, are the text it was read from.
//!
//! **Invariant:** Reading takes time linear in the text and a bounded stack, whatever the text.
//! The tree of an expression is at most a few thousand nodes high, so that what is built on
//! it may recurse.

pub mod ast;

mod brackets;
mod dump;
mod findings;
mod format;
mod grammar;
mod kind;
mod lexer;
mod parser;
mod tree;

pub use self::dump::dump;
pub use self::format::format;
pub use self::kind::{NodeKind, TokenKind};
pub use self::tree::{Element, EntryId, Node, Token, Tree};

use gainsay_source::{Diagnostic, FileId};

use crate::parser::Parser;

/// How many errors are kept of one text, by the lexer and by the parser; nobody reads more.
pub(crate) const MAX_ERRORS: usize = 500;

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
    read(file, text, grammar::file)
}

/// Reads a lone expression: [`ast::File::expr`] of the result.
pub fn parse_expression(file: FileId, text: &str) -> Parse {
    read(file, text, grammar::standalone_expression)
}

/// Reads a lone type: [`ast::File::ty`] of the result.
pub fn parse_type(file: FileId, text: &str) -> Parse {
    read(file, text, grammar::standalone_type)
}

fn read(file: FileId, text: &str, root: fn(&mut Parser<'_>)) -> Parse {
    let mut parser = Parser::new(file, text, lexer::lex(file, text));
    root(&mut parser);
    let (tree, errors) = parser.finish();
    Parse { tree, errors }
}
