//! Error reporting and recovery of the parser.
//!
//! Each broken place gets one error: reporting suppresses further errors at the same token, and
//! skipping suppresses errors at the token where it stops.

use gainsay_source::{Diagnostic, Span};

use super::{NewlineMode, Parser, RecordLiterals, is_unpaired};
use crate::findings::{FoundToken, SyntaxHint, UnclosedBracket, UnexpectedToken};
use crate::kind::{NodeKind, TokenKind};
use crate::lexer::{TokenState, symbol};

/// An open bracket and the parser state to restore when it closes.
pub(crate) struct OpenBracket {
    open: usize,
    partner: u32,
    lines: NewlineMode,
    records: RecordLiterals,
}

impl Parser<'_> {
    // ---- reporting ----------------------------------------------------------------------

    pub(super) fn report(&mut self, finding: impl Into<Diagnostic>) {
        if self.errors.len() < crate::MAX_ERRORS {
            self.errors.push(finding.into());
        }
    }

    /// Reports a finding about the current token, unless one was already reported there.
    pub(crate) fn report_once(&mut self, finding: impl Into<Diagnostic>) {
        if self.is_suppressed() {
            return;
        }
        self.suppressed_until = self.at + 1;
        self.report(finding);
    }

    /// Reports that something else was expected here.
    pub(crate) fn report_expected(&mut self, what: &'static str) {
        self.report_expected_with(what, None);
    }

    /// Reports that something else was expected here, with a hint.
    pub(crate) fn report_expected_with(
        &mut self,
        expected: &'static str,
        hint: Option<SyntaxHint>,
    ) {
        if self.is_suppressed() {
            return;
        }
        let (found, span) = self.found_token();
        let after = self.text_of(self.previous_span());
        // A long token, such as a string, would hide what was expected.
        let after = (self.at > 0 && after.len() <= 24).then(|| after.to_owned());
        self.report_once(UnexpectedToken { span, expected, after, found, hint });
    }

    /// Reports that something else should start here.
    pub(crate) fn report_expected_here(&mut self, expected: &'static str) {
        let found = match self.current() == TokenKind::Eof {
            true => FoundToken::FileEnd,
            false => FoundToken::Token(self.nth_text(0).to_owned()),
        };
        let span = self.current_span();
        self.report_once(UnexpectedToken { span, expected, after: None, found, hint: None });
    }

    /// Consumes a token of a kind, or reports that it was expected, with a fix that inserts it.
    pub(crate) fn expect(&mut self, kind: TokenKind, expected: &'static str) -> bool {
        if self.eat(kind) {
            return true;
        }
        const INSERTIONS: [(TokenKind, &str); 5] = [
            (TokenKind::Colon, ":"),
            (TokenKind::Eq, " ="),
            (TokenKind::FatArrow, " =>"),
            (TokenKind::Bar, "|"),
            (TokenKind::Greater, ">"),
        ];
        let at = self.previous_span().after();
        let insertion = INSERTIONS.iter().find(|row| row.0 == kind);
        let hint = insertion
            // At the end of a line, more is missing than this token: an insertion would not fix it.
            .filter(|_| !self.line_ends())
            .map(|row| SyntaxHint::Insert { at, text: row.1 });
        self.report_expected_with(expected, hint);
        false
    }

    /// Like [`Parser::expect`], but also consumes a token that is often confused with it.
    pub(crate) fn expect_or_replace(
        &mut self,
        kind: TokenKind,
        mistaken: &[TokenKind],
        expected: &'static str,
    ) -> bool {
        if !self.at_any(mistaken) || self.line_ends() {
            return self.expect(kind, expected);
        }
        let with = symbol(kind).unwrap_or_default();
        self.report_expected_with(expected, Some(SyntaxHint::Replace { with }));
        self.skip_one();
        true
    }

    /// Ends the suppression of errors: a new statement or item starts.
    pub(crate) fn resume_reporting(&mut self) {
        self.suppressed_until = 0;
    }

    fn is_suppressed(&self) -> bool {
        let broken = |at: usize| self.tokens[at].state == TokenState::Malformed;
        let at = self.at.min(self.tokens.len() - 1);
        // A malformed token was reported by the lexer, and what follows it is often a part of it.
        self.at < self.suppressed_until || broken(at) || at.checked_sub(1).is_some_and(broken)
    }

    /// The token found here, and the span to report it at.
    fn found_token(&self) -> (FoundToken, Span) {
        let end_of_previous = self.previous_span().after();
        let at_end = self.at(TokenKind::Eof);
        if at_end && self.at_text_end() {
            return (FoundToken::FileEnd, end_of_previous);
        }
        if self.at > 0 && (at_end || self.newline_before()) {
            // Pointing at the next line would blame a token that is probably right.
            return (FoundToken::LineEnd, end_of_previous);
        }
        let text = self.nth_text(0).to_owned();
        let found = match self.current().is_keyword() {
            true => FoundToken::Keyword(text),
            false => FoundToken::Token(text),
        };
        (found, self.current_span())
    }

    // ---- brackets -----------------------------------------------------------------------

    /// Consumes an opening bracket; reports it if it has no partner.
    pub(crate) fn open_bracket(&mut self, lines: NewlineMode) -> OpenBracket {
        let open = self.at;
        let partner = self.partners[open];
        let bracket = OpenBracket {
            open,
            partner,
            lines: self.newline_mode,
            records: self.record_literals,
        };
        if is_unpaired(partner) {
            self.report_unclosed(open);
        }
        self.bump();
        // The lines after an unclosed bracket are most likely separate statements.
        self.newline_mode =
            if is_unpaired(partner) { NewlineMode::TerminatesStatement } else { lines };
        // Inside brackets, a block cannot follow, so `Name {` is a record again.
        self.record_literals = RecordLiterals::Allowed;
        bracket
    }

    fn report_unclosed(&mut self, open: usize) {
        // If the line has an unclosed string, that string contains the partner: no second error.
        let line =
            self.tokens[open + 1..].iter().take_while(|it| it.gap != super::TokenGap::Newline);
        let kind = self.tokens[open].kind;
        // Several consecutive unclosed brackets are one error.
        let follows = open.checked_sub(1).is_some_and(|it| {
            is_unpaired(self.partners[it]) && is_opener(self.tokens[it].kind)
        });
        if follows {
            return;
        }
        let is_block = kind == TokenKind::LBrace;
        // The bound keeps recovery linear even if every bracket of a long line is unclosed.
        if line.take(1000).any(|it| it.state == TokenState::Malformed) {
            return;
        }
        let partner = match kind == TokenKind::LParen {
            true => ")",
            false if is_block => "}",
            false => "]",
        };
        let before = self.end_of_unclosed(open).filter(|_| is_block);
        let open = self.token_span(open);
        let symbol = symbol(kind).unwrap_or("(");
        self.report(UnclosedBracket { open, symbol, partner, before });
    }

    /// The token before which an unclosed bracket should have been closed.
    fn end_of_unclosed(&self, open: usize) -> Option<Span> {
        // Keeps recovery linear in files with many unclosed brackets.
        const FARTHEST: usize = 10_000;
        let mut at = open + 1;
        for _ in 0..FARTHEST {
            if at >= self.item_end {
                return (at + 1 < self.tokens.len()).then(|| self.token_span(at));
            }
            let partner = self.partners[at];
            if is_unpaired(partner) {
                at += 1;
            } else if (partner as usize) > at {
                at = partner as usize + 1;
            } else {
                return Some(self.token_span(at));
            }
        }
        None
    }

    /// Whether a bracket has no partner.
    pub(crate) fn is_unclosed(bracket: &OpenBracket) -> bool {
        is_unpaired(bracket.partner)
    }

    /// Whether the content of a bracket ends here: at its closer, or at that of an outer bracket.
    pub(crate) fn at_end_of(&self, bracket: &OpenBracket) -> bool {
        if self.at(TokenKind::Eof) || self.at_outer_closer() {
            return true;
        }
        // An unclosed `(` or `[` ends with its line, an unclosed block only with its declaration.
        let is_block = self.tokens[bracket.open].kind == TokenKind::LBrace;
        is_unpaired(bracket.partner)
            && !is_block
            && (self.line_ends() || self.at_any(&[TokenKind::LetKw, TokenKind::LBrace]))
    }

    /// Consumes the closer of a bracket, after skipping what does not belong before it.
    pub(crate) fn close_bracket(&mut self, bracket: OpenBracket, expected: &'static str) {
        if !is_unpaired(bracket.partner) {
            if self.at != bracket.partner as usize {
                self.report_expected(expected);
                self.skip_until(|_| false);
            }
            if self.at == bracket.partner as usize {
                self.bump();
            }
        } else {
            self.suppressed_until = self.at + 1;
        }
        self.newline_mode = bracket.lines;
        self.record_literals = bracket.records;
    }

    /// Whether the current token closes an open bracket.
    pub(crate) fn at_outer_closer(&self) -> bool {
        is_closer(self.current()) && !is_unpaired(self.partners[self.at])
    }

    /// Whether the current token closes a bracket that was never opened.
    pub(crate) fn at_stray_closer(&self) -> bool {
        is_closer(self.current()) && is_unpaired(self.partners[self.at])
    }

    /// Reports a closing bracket without an opener, and consumes it.
    pub(crate) fn report_stray_closer(&mut self) {
        let span = self.current_span();
        let found = FoundToken::StrayBracket(self.nth_text(0).to_owned());
        self.report_once(UnexpectedToken {
            span,
            expected: "",
            after: None,
            found,
            hint: None,
        });
        self.skip_one();
        self.suppressed_until = self.at + 1;
    }

    // ---- skipping -----------------------------------------------------------------------

    /// Skips the rest of a statement or list item.
    pub(crate) fn skip_statement(&mut self) {
        self.skip_until(|p| {
            p.at_any(&[TokenKind::Comma, TokenKind::Semicolon]) || p.line_ends()
        });
    }

    /// Skips to a wanted token, the end of the enclosing bracket, or the end of the text. Nested
    /// brackets are skipped as a whole.
    pub(crate) fn skip_until(&mut self, wanted: impl Fn(&Self) -> bool) {
        let start = self.at;
        let marker = self.open();
        while !self.at(TokenKind::Eof) && !self.at_outer_closer() && !wanted(self) {
            self.bump_balanced();
        }
        if self.at == start {
            self.abandon(marker);
        } else {
            self.close(marker, NodeKind::Error);
            self.suppressed_until = self.at + 1;
        }
    }

    /// Wraps the current token, or the current bracket with its content, in an error node.
    pub(crate) fn skip_one(&mut self) {
        let marker = self.open();
        self.bump_balanced();
        self.close(marker, NodeKind::Error);
    }

    /// Consumes the current token, or the current bracket with its content.
    pub(crate) fn bump_balanced(&mut self) {
        let partner = self.partners[self.at.min(self.partners.len() - 1)];
        let end = match is_unpaired(partner) || (partner as usize) < self.at {
            true => self.at + 1,
            false => (partner as usize + 1).min(self.item_end),
        };
        while self.at < end && !self.at(TokenKind::Eof) {
            self.bump();
        }
    }
}

fn is_opener(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace)
}

fn is_closer(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace)
}
