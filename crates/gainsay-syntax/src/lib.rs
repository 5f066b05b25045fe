//! Lexer, parser, lossless syntax tree, typed views of it, and the formatter.
//!
//! **Invariant:** Parsing never fails: broken text gives a tree with holes and a list of errors.
//! The concatenated tokens of a tree are the text it was parsed from.
//!
//! **Invariant:** Parsing takes linear time and bounded stack for any text. An expression tree is
//! at most a few thousand nodes high, so code that walks it may recurse.

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

/// The maximum number of errors kept per text, for the lexer and for the parser.
pub(crate) const MAX_ERRORS: usize = 500;

/// The result of parsing a text.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The tree, with holes where the text is broken.
    pub tree: Tree,
    /// The errors and warnings, in source order.
    pub errors: Vec<Diagnostic>,
}

impl Parse {
    /// The root of the tree.
    pub fn file(&self) -> ast::File<'_> {
        ast::File::cast(self.tree.root()).expect("the root of a tree is a file")
    }

    /// Whether the text has an error; warnings do not count.
    pub fn has_errors(&self) -> bool {
        self.errors.iter().any(Diagnostic::is_error)
    }
}

/// Parses a file.
pub fn parse(file: FileId, text: &str) -> Parse {
    read(file, text, grammar::file)
}

/// Parses a standalone expression, which is [`ast::File::expr`] of the result.
pub fn parse_expression(file: FileId, text: &str) -> Parse {
    read(file, text, grammar::standalone_expression)
}

/// Parses a standalone type, which is [`ast::File::ty`] of the result.
pub fn parse_type(file: FileId, text: &str) -> Parse {
    read(file, text, grammar::standalone_type)
}

fn read(file: FileId, text: &str, root: fn(&mut Parser<'_>)) -> Parse {
    let mut parser = Parser::new(file, text, lexer::lex(file, text));
    root(&mut parser);
    let (tree, errors) = parser.finish();
    Parse { tree, errors }
}
