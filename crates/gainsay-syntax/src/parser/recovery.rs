//! What the parser says about broken text, and how it finds its way out.
//!
//! One complaint per broken place: a complaint silences those at the same token, and skipping
//! silences those at the token where it stops.

use gainsay_source::{Diagnostic, Span};

use super::{NewlineMode, Parser, RecordLiterals, is_unpaired};
use crate::findings::{FoundToken, SyntaxHint, UnclosedBracket, UnexpectedToken};
use crate::kind::{NodeKind, TokenKind};
use crate::lexer::{TokenState, symbol};

/// An open bracket and what to restore when it is closed.
pub(crate) struct OpenBracket {
    open: usize,
    partner: u32,
    lines: NewlineMode,
    records: RecordLiterals,
}

impl Parser<'_> {
    // ---- saying -------------------------------------------------------------------------

    pub(super) fn report(&mut self, finding: impl Into<Diagnostic>) {
        if self.errors.len() < crate::MAX_ERRORS {
            self.errors.push(finding.into());
        }
    }

    /// Reports a finding about the next token, unless that token has had its complaint.
    pub(crate) fn report_once(&mut self, finding: impl Into<Diagnostic>) {
        if self.is_suppressed() {
            return;
        }
        self.suppressed_until = self.at + 1;
        self.report(finding);
    }

    /// Says that something else was expected here.
    pub(crate) fn report_expected(&mut self, what: &'static str) {
        self.report_expected_with(what, None);
    }

    /// Says that something else was expected here, and what to do.
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
        let after = (self.at > 0 && after.len() <= 24).then(|| after.to_owned());
        self.report_once(UnexpectedToken { span, expected, after, found, hint });
    }

    /// Says that what begins here should be something else.
    pub(crate) fn report_expected_here(&mut self, expected: &'static str) {
        let found = match self.current() == TokenKind::Eof {
            true => FoundToken::FileEnd,
            false => FoundToken::Token(self.nth_text(0).to_owned()),
        };
        let span = self.current_span();
        self.report_once(UnexpectedToken { span, expected, after: None, found, hint: None });
    }

    /// Takes a token of a kind, or says that it was expected and how to add it.
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
            .filter(|_| !self.line_ends())
            .map(|row| SyntaxHint::Insert { at, text: row.1 });
        self.report_expected_with(expected, hint);
        false
    }

    /// Like [`Parser::expect`], but takes a token that is often written by mistake for it.
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

    /// Ends the silence after a complaint: a new statement or item begins.
    pub(crate) fn resume_reporting(&mut self) {
        self.suppressed_until = 0;
    }

    fn is_suppressed(&self) -> bool {
        let broken = |at: usize| self.tokens[at].state == TokenState::Malformed;
        let at = self.at.min(self.tokens.len() - 1);
        self.at < self.suppressed_until || broken(at) || at.checked_sub(1).is_some_and(broken)
    }

    /// What stands here, and where to say so.
    fn found_token(&self) -> (FoundToken, Span) {
        let end_of_previous = self.previous_span().after();
        let at_end = self.at(TokenKind::Eof);
        if at_end && self.at_text_end() {
            return (FoundToken::FileEnd, end_of_previous);
        }
        if self.at > 0 && (at_end || self.newline_before()) {
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

    /// Takes an opening bracket; complains if it has no partner.
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
        // The lines after an unclosed bracket are most likely statements of their own.
        self.newline_mode =
            if is_unpaired(partner) { NewlineMode::TerminatesStatement } else { lines };
        self.record_literals = RecordLiterals::Allowed;
        bracket
    }

    fn report_unclosed(&mut self, open: usize) {
        // An unclosed string has swallowed the partner.
        let line =
            self.tokens[open + 1..].iter().take_while(|it| it.gap != super::TokenGap::Newline);
        let kind = self.tokens[open].kind;
        // A heap of open brackets is one mistake.
        let follows = open.checked_sub(1).is_some_and(|it| {
            is_unpaired(self.partners[it]) && is_opener(self.tokens[it].kind)
        });
        if follows {
            return;
        }
        let is_block = kind == TokenKind::LBrace;
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

    /// What an unclosed bracket should have been closed before.
    fn end_of_unclosed(&self, open: usize) -> Option<Span> {
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

    /// Whether nothing more can stand in a bracket: its partner comes, or that of an outer one.
    pub(crate) fn at_end_of(&self, bracket: &OpenBracket) -> bool {
        if self.at(TokenKind::Eof) || self.at_outer_closer() {
            return true;
        }
        let is_block = self.tokens[bracket.open].kind == TokenKind::LBrace;
        is_unpaired(bracket.partner)
            && !is_block
            && (self.line_ends() || self.at_any(&[TokenKind::LetKw, TokenKind::LBrace]))
    }

    /// Takes the partner of a bracket, after skipping what does not belong before it.
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

    /// Whether the next token closes a bracket that is open.
    pub(crate) fn at_outer_closer(&self) -> bool {
        is_closer(self.current()) && !is_unpaired(self.partners[self.at])
    }

    /// Whether the next token closes a bracket that nobody opened.
    pub(crate) fn at_stray_closer(&self) -> bool {
        is_closer(self.current()) && is_unpaired(self.partners[self.at])
    }

    /// Complains about a closing bracket that closes nothing, and takes it.
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

    /// Skips what is left of a statement or of an item of a list.
    pub(crate) fn skip_statement(&mut self) {
        self.skip_until(|p| {
            p.at_any(&[TokenKind::Comma, TokenKind::Semicolon]) || p.line_ends()
        });
    }

    /// Skips tokens up to one that is wanted, the end of the bracket, or the end of the text.
    /// Brackets are skipped with what is in them.
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

    /// Puts the next token, or the next bracket with what is in it, in a node of its own.
    pub(crate) fn skip_one(&mut self) {
        let marker = self.open();
        self.bump_balanced();
        self.close(marker, NodeKind::Error);
    }

    /// Takes the next token, or the next bracket with what is in it.
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
