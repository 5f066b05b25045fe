//! The findings of the lexer and parser, one file each: facts in a struct, wording in its `From`.

mod bad_character;
mod bad_escape;
mod bad_number;
mod chained_comparison;
mod foreign_syntax;
mod misplaced_doc;
mod too_deep;
mod unclosed_bracket;
mod unclosed_string;
mod unexpected_token;
mod unknown_character;

pub(crate) use self::bad_character::BadCharacter;
pub(crate) use self::bad_escape::BadEscape;
pub(crate) use self::bad_number::{BadNumber, NumberError};
pub(crate) use self::chained_comparison::ChainedComparison;
pub(crate) use self::foreign_syntax::{ForeignForm, ForeignSyntax};
pub(crate) use self::misplaced_doc::MisplacedDoc;
pub(crate) use self::too_deep::TooDeep;
pub(crate) use self::unclosed_bracket::UnclosedBracket;
pub(crate) use self::unclosed_string::{QuoteKind, UnclosedString};
pub(crate) use self::unexpected_token::{FoundToken, SyntaxHint, UnexpectedToken};
pub(crate) use self::unknown_character::UnknownCharacter;
