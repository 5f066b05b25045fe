//! The parser's cursor and the events that the grammar records.
//!
//! The grammar does not build the tree directly. It records when nodes open and close and which
//! tokens they contain, so that a finished node can still be wrapped in another one. A second pass
//! over the events builds the tree and inserts the white space and comments.

mod recovery;

use gainsay_source::{Diagnostic, FileId, Span};

use crate::ast::BinaryOp;
use crate::brackets::{BracketToken, NO_PARTNER, TokenPosition, pair_brackets};
use crate::findings::{MisplacedDoc, TooDeep};
use crate::kind::{NodeKind, TokenKind};
use crate::lexer::{LexOutput, RawToken, TokenState};
use crate::tree::{Tree, TreeBuilder};

/// The maximum nesting depth of brackets, blocks and prefix operators: it bounds recursion.
pub(crate) const MAX_DEPTH: u32 = 256;

/// The maximum height of an expression tree that chains of operators, method calls or `else if`
/// build. Loops parse them, so [`MAX_DEPTH`] does not apply, but later passes recurse over the
/// tree.
pub(crate) const MAX_HEIGHT: u32 = 1000;

/// A token the grammar sees, and what precedes it.
#[derive(Copy, Clone)]
struct SignificantToken {
    kind: TokenKind,
    gap: TokenGap,
    /// Whether this token or the gap before it is malformed: then an error was already reported.
    state: TokenState,
    raw: u32,
}

/// What separates a token from the previous one.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum TokenGap {
    Nothing,
    Space,
    Newline,
}

/// Whether line breaks terminate statements.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum NewlineMode {
    /// In a block.
    TerminatesStatement,
    /// In parentheses.
    Ignored,
}

/// Whether `Name { .. }` is a record, or a name followed by a block.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum RecordLiterals {
    Allowed,
    /// In the head of an `if` or `match`.
    Forbidden,
}

#[derive(Debug, Copy, Clone)]
enum ParseEvent {
    /// Opens a node. `wrapper` is the distance to the event of the node that wraps it; 0 if none
    /// does.
    Open {
        kind: NodeKind,
        docs: DocAttachment,
        wrapper: u32,
    },
    Close,
    /// A token made of one or more raw tokens.
    Token {
        kind: TokenKind,
        n_raw: u8,
    },
    /// A no-op: an abandoned opening, or one that is already in the tree.
    Tombstone,
}

/// Whether a node takes the doc comments before it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum DocAttachment {
    Leave,
    Attach,
}

/// An open node.
#[must_use = "an open node must be closed or abandoned"]
pub(crate) struct Marker {
    at: u32,
    first: u32,
    outer_height: u32,
}

/// A closed node, which can still be wrapped.
#[derive(Copy, Clone)]
pub(crate) struct CompletedMarker {
    at: u32,
    first: u32,
    end: u32,
    outer_height: u32,
    height: u32,
    pub(crate) kind: NodeKind,
}

pub(crate) struct Parser<'s> {
    file: FileId,
    text: &'s str,
    raw: Vec<RawToken>,
    tokens: Vec<SignificantToken>,
    partners: Vec<u32>,
    /// The token indices where declarations start, ascending.
    item_starts: Vec<u32>,
    events: Vec<ParseEvent>,
    errors: Vec<Diagnostic>,
    at: usize,
    /// Tokens from here on belong to the next declaration; the grammar sees `Eof` instead.
    item_end: usize,
    /// Errors at or before this token are suppressed: one was already reported there.
    suppressed_until: usize,
    depth: u32,
    /// The number of open `else if` nodes.
    n_open_else_ifs: u32,
    /// The height of the highest node closed inside the innermost open one.
    height: u32,
    reported_too_deep: bool,
    pub(crate) newline_mode: NewlineMode,
    pub(crate) record_literals: RecordLiterals,
}

impl<'s> Parser<'s> {
    pub(crate) fn new(file: FileId, text: &'s str, lexed: LexOutput) -> Self {
        let LexOutput { tokens: raw, errors } = lexed;
        let seen = significant_tokens(&raw);
        let (sites, item_starts) = bracket_tokens(text, &raw, &seen);
        // About one opening and one closing per token.
        let events = Vec::with_capacity(seen.len() * 3);
        let partners = pair_brackets(&sites);
        let fence = seen.len() - 1;
        Self {
            file,
            text,
            raw,
            tokens: seen,
            partners,
            item_starts,
            events,
            errors,
            at: 0,
            item_end: fence,
            suppressed_until: 0,
            depth: 0,
            n_open_else_ifs: 0,
            height: 0,
            reported_too_deep: false,
            newline_mode: NewlineMode::Ignored,
            record_literals: RecordLiterals::Allowed,
        }
    }

    // ---- lookahead ----------------------------------------------------------------------

    /// The kind of the current token.
    pub(crate) fn current(&self) -> TokenKind {
        self.nth(0)
    }

    /// The kind of the token `n` positions ahead.
    pub(crate) fn nth(&self, n: usize) -> TokenKind {
        let at = self.at + n;
        // Hiding the next declaration makes every production stop there, however broken this one
        // is.
        if at < self.item_end { self.tokens[at].kind } else { TokenKind::Eof }
    }

    pub(crate) fn at(&self, kind: TokenKind) -> bool {
        self.current() == kind
    }

    pub(crate) fn at_any(&self, kinds: &[TokenKind]) -> bool {
        kinds.contains(&self.current())
    }

    /// Whether the current token is this contextual keyword.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.nth_is_word(0, word)
    }

    pub(crate) fn nth_is_word(&self, n: usize, word: &str) -> bool {
        self.nth(n) == TokenKind::Ident && self.nth_text(n) == word
    }

    /// The text of the token `n` positions ahead.
    pub(crate) fn nth_text(&self, n: usize) -> &'s str {
        let at = (self.at + n).min(self.tokens.len() - 1);
        let span = self.token_span(at);
        &self.text[span.start as usize..span.end as usize]
    }

    /// Whether the current token starts a line.
    pub(crate) fn newline_before(&self) -> bool {
        self.nth_newline_before(0)
    }

    /// Whether the token `n` positions ahead starts a line.
    pub(crate) fn nth_newline_before(&self, n: usize) -> bool {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)].gap == TokenGap::Newline
    }

    /// Whether the token `n` positions ahead directly follows the one before it.
    pub(crate) fn nth_touches(&self, n: usize) -> bool {
        let at = (self.at + n).min(self.tokens.len() - 1);
        self.tokens[at].gap == TokenGap::Nothing
    }

    /// Whether the next two tokens are the two halves of `<-`.
    pub(crate) fn at_left_arrow(&self) -> bool {
        self.at(TokenKind::Less) && self.nth(1) == TokenKind::Minus && self.nth_touches(1)
    }

    /// The infix operator at the cursor, its token kind, and the number of raw tokens it consists
    /// of.
    pub(crate) fn infix_operator(&self) -> Option<(BinaryOp, TokenKind, u8)> {
        let kind = self.current();
        // The lexer emits `>` and `=` separately, because `List<Int>= e` ends a type.
        if kind == TokenKind::Greater && self.nth(1) == TokenKind::Eq && self.nth_touches(1) {
            return Some((BinaryOp::Ge, TokenKind::GreaterEq, 2));
        }
        BinaryOp::of(kind).map(|op| (op, kind, 1))
    }

    /// Whether the statement ended before the current token.
    pub(crate) fn line_ends(&self) -> bool {
        self.line_ends_in(self.newline_mode)
    }

    /// The same under another newline mode.
    pub(crate) fn line_ends_in(&self, lines: NewlineMode) -> bool {
        let ended = lines == NewlineMode::TerminatesStatement
            && self.newline_before()
            && !self.continues_line();
        ended || self.at(TokenKind::Eof)
    }

    /// Whether the previous token is a comma.
    pub(crate) fn follows_comma(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|it| self.tokens[it].kind == TokenKind::Comma)
    }

    /// Whether the previous token is a closing brace.
    pub(crate) fn follows_brace(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|it| self.tokens[it].kind == TokenKind::RBrace)
    }

    /// The number of tokens consumed.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Whether a line that starts with the current token continues the previous statement.
    fn continues_line(&self) -> bool {
        let kind = self.current();
        if kind == TokenKind::Minus {
            // `- 1` subtracts; `-1` is a number, as in the pattern of the next arm.
            return !self.nth_touches(1);
        }
        BinaryOp::of(kind).is_some()
            || matches!(kind, TokenKind::Dot | TokenKind::Question | TokenKind::ElseKw)
    }

    fn token_span(&self, at: usize) -> Span {
        let raw = self.tokens[at].raw as usize;
        let end = self.raw.get(raw + 1).map_or(self.text.len() as u32, |next| next.start);
        Span::new(self.file, self.raw[raw].start, end)
    }

    /// The span of the current token.
    pub(crate) fn current_span(&self) -> Span {
        self.token_span(self.at.min(self.tokens.len() - 1))
    }

    /// The span of the previous token, or the start of the text.
    pub(crate) fn previous_span(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(previous) => self.token_span(previous),
            None => Span::new(self.file, 0, 0),
        }
    }

    /// The span of the token `n` positions ahead.
    pub(crate) fn nth_span(&self, n: usize) -> Span {
        self.token_span((self.at + n).min(self.tokens.len() - 1))
    }

    /// The text of the previous token.
    pub(crate) fn previous_text(&self) -> &'s str {
        self.text_of(self.previous_span())
    }

    /// Whether the previous token is the first on its line.
    pub(crate) fn previous_starts_line(&self) -> bool {
        self.at
            .checked_sub(1)
            .is_some_and(|it| it == 0 || self.tokens[it].gap == TokenGap::Newline)
    }

    /// The lookahead distance to the token after the bracket that opens `n` positions ahead, if
    /// that bracket is closed.
    pub(crate) fn nth_after_bracket(&self, n: usize) -> Option<usize> {
        let open = self.at + n;
        let partner = *self.partners.get(open)?;
        let is_closed = !is_unpaired(partner) && partner as usize > open;
        is_closed.then(|| partner as usize + 1 - self.at)
    }

    /// The text inside the bracket that opens at the current token.
    pub(crate) fn bracketed_text(&self) -> &'s str {
        match self.nth_after_bracket(0) {
            Some(after) if after >= 2 => {
                let close = self.nth_span(after - 1);
                &self.text[self.current_span().end as usize..close.start as usize]
            }
            _ => "",
        }
    }

    pub(crate) fn text_of(&self, span: Span) -> &'s str {
        &self.text[span.start as usize..span.end as usize]
    }

    // ---- consuming ----------------------------------------------------------------------

    /// Consumes the current token.
    pub(crate) fn bump(&mut self) {
        let kind = self.current();
        self.bump_as(kind, 1);
    }

    /// Consumes raw tokens as one token.
    pub(crate) fn bump_as(&mut self, kind: TokenKind, n_raw: u8) {
        // The end may be the start of the next declaration, whose first token must not be consumed.
        if self.at(TokenKind::Eof) {
            return;
        }
        self.events.push(ParseEvent::Token { kind, n_raw });
        self.at += n_raw as usize;
    }

    /// Consumes the current token if it has this kind; returns whether it did.
    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    // ---- nodes --------------------------------------------------------------------------

    pub(crate) fn open(&mut self) -> Marker {
        self.open_with(DocAttachment::Leave)
    }

    pub(crate) fn open_with(&mut self, docs: DocAttachment) -> Marker {
        let at = self.events.len() as u32;
        self.events.push(ParseEvent::Open { kind: NodeKind::Error, docs, wrapper: 0 });
        // Heights are tracked per open node: start a new count and restore the outer one on close.
        let outer_height = std::mem::take(&mut self.height);
        Marker { at, first: self.at as u32, outer_height }
    }

    pub(crate) fn close(&mut self, marker: Marker, kind: NodeKind) -> CompletedMarker {
        if let ParseEvent::Open { kind: slot, .. } = &mut self.events[marker.at as usize] {
            *slot = kind;
        }
        self.events.push(ParseEvent::Close);
        let height = self.height + 1;
        self.height = height.max(marker.outer_height);
        let Marker { at, first, outer_height } = marker;
        CompletedMarker { at, first, end: self.at as u32, outer_height, height, kind }
    }

    /// Undoes an opening; the tokens and nodes since then belong to the node around it.
    pub(crate) fn abandon(&mut self, marker: Marker) {
        // If nothing followed, the event is removed rather than left as a tombstone.
        if marker.at as usize == self.events.len() - 1 {
            self.events.pop();
        } else {
            self.events[marker.at as usize] = ParseEvent::Tombstone;
        }
        self.height = self.height.max(marker.outer_height);
    }

    /// Opens a node around a closed one.
    pub(crate) fn wrap(&mut self, inner: CompletedMarker) -> Marker {
        let at = self.events.len() as u32;
        self.events.push(ParseEvent::Open {
            kind: NodeKind::Error,
            docs: DocAttachment::Leave,
            wrapper: 0,
        });
        // The wrapper's event comes after its first child's. The distance recorded in the child
        // lets the second pass open the wrapper first.
        if let ParseEvent::Open { wrapper, .. } = &mut self.events[inner.at as usize] {
            *wrapper = at - inner.at;
        }
        self.height = inner.height;
        Marker { at, first: inner.first, outer_height: inner.outer_height }
    }

    /// Whether a closed node ends right before the current token.
    pub(crate) fn ends_here(&self, node: CompletedMarker) -> bool {
        node.end as usize == self.at
    }

    /// The span of a closed node.
    pub(crate) fn span_of(&self, node: CompletedMarker) -> Span {
        // A node without tokens has the span of the token where it stands.
        let last = node.end.max(node.first + 1) - 1;
        self.token_span(node.first as usize).to(self.token_span(last as usize))
    }

    // ---- depth --------------------------------------------------------------------------

    /// Enters one nesting level, or reports that it is too deep and skips the rest.
    pub(crate) fn enter_nesting(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.report_too_deep(MAX_DEPTH);
            return false;
        }
        self.depth += 1;
        true
    }

    pub(crate) fn leave_nesting(&mut self) {
        self.depth -= 1;
    }

    /// Goes from an `if` to its `else if`, or reports that there are too many and skips the rest.
    /// All open ones count, because chains nested in chains could otherwise exceed any height.
    pub(crate) fn enter_else_if(&mut self) -> bool {
        if self.n_open_else_ifs >= MAX_HEIGHT {
            self.report_too_deep(MAX_HEIGHT);
            return false;
        }
        self.n_open_else_ifs += 1;
        true
    }

    pub(crate) fn leave_else_if(&mut self) {
        self.n_open_else_ifs -= 1;
    }

    /// Whether wrapping a closed node exceeds the maximum height; if so, reports it and skips the
    /// rest.
    pub(crate) fn exceeds_max_height(&mut self, inner: CompletedMarker) -> bool {
        if inner.height < MAX_HEIGHT {
            return false;
        }
        self.report_too_deep(MAX_HEIGHT);
        true
    }

    fn report_too_deep(&mut self, limit: u32) {
        if !self.reported_too_deep {
            self.reported_too_deep = true;
            let span = self.current_span();
            self.report(TooDeep { span, limit });
        }
        self.skip_statement();
        // The skipped rest is not parsed, and an error where it ends would be about nothing else.
        self.suppressed_until = self.at + 1;
    }

    // ---- declarations -------------------------------------------------------------------

    /// Limits the grammar to tokens before the first declaration that starts after the current
    /// token.
    pub(crate) fn limit_to_item(&mut self) {
        let next = self.item_starts.partition_point(|start| *start as usize <= self.at);
        let end = self.tokens.len() - 1;
        self.item_end = self.item_starts.get(next).map_or(end, |start| *start as usize);
    }

    /// Whether all tokens are consumed.
    pub(crate) fn at_text_end(&self) -> bool {
        self.at + 1 >= self.tokens.len()
    }

    // ---- the tree -----------------------------------------------------------------------

    /// Builds the tree; returns it with all diagnostics.
    pub(crate) fn finish(mut self) -> (Tree, Vec<Diagnostic>) {
        // Trivia are not in the events, so the assembler interleaves them from the raw tokens.
        let mut planter = TreeAssembler {
            raw: &self.raw,
            file: self.file,
            at: 0,
            attached_until: 0,
            builder: TreeBuilder::with_capacity(self.events.len() / 2 + self.raw.len()),
            misplaced: Vec::new(),
        };
        planter.assemble(&mut self.events);
        let TreeAssembler { builder, misplaced, .. } = planter;
        for span in misplaced {
            self.report(MisplacedDoc { span });
        }
        // Lexer errors come before all parser errors, and misplaced comments after them.
        gainsay_source::sort_diagnostics(&mut self.errors);
        (builder.finish(self.file, self.text), self.errors)
    }
}

/// Combines the raw tokens with the recorded nodes.
struct TreeAssembler<'p> {
    raw: &'p [RawToken],
    file: FileId,
    at: usize,
    /// Doc comments before this raw token are attached to a declaration.
    attached_until: usize,
    builder: TreeBuilder,
    misplaced: Vec<Span>,
}

impl TreeAssembler<'_> {
    fn assemble(&mut self, events: &mut [ParseEvent]) {
        let mut kinds: Vec<(NodeKind, DocAttachment)> = Vec::new();
        let mut depth = 0_usize;
        for at in 0..events.len() {
            match events[at] {
                ParseEvent::Tombstone => {}
                ParseEvent::Token { kind, n_raw } => {
                    self.trivia();
                    self.at += n_raw as usize;
                    self.builder.token(kind, self.raw[self.at].start);
                }
                ParseEvent::Open { .. } => {
                    take_wrapper_chain(events, at, &mut kinds);
                    for (kind, docs) in kinds.drain(..).rev() {
                        // The root opens before any trivia, so that the tree contains them.
                        if depth > 0 {
                            self.trivia_before_node(docs);
                        }
                        self.builder.open(kind);
                        depth += 1;
                    }
                }
                ParseEvent::Close => {
                    depth -= 1;
                    // Trailing trivia go into the root, for the same reason.
                    if depth == 0 {
                        self.trivia();
                    }
                    self.builder.close();
                }
            }
        }
    }

    /// Trivia before a node stay outside it, except for doc comments that it claims.
    fn trivia_before_node(&mut self, docs: DocAttachment) {
        if docs == DocAttachment::Leave {
            self.trivia();
            return;
        }
        let end = self.trivia_end();
        let first_doc = (self.at..end).find(|it| self.raw[*it].kind == TokenKind::DocComment);
        self.attached_until = end;
        match first_doc {
            Some(first_doc) => self.trivia_until(first_doc),
            None => self.trivia_until(end),
        }
    }

    fn trivia(&mut self) {
        let end = self.trivia_end();
        self.trivia_until(end);
    }

    fn trivia_end(&self) -> usize {
        let trivia = self.raw[self.at..].iter().take_while(|it| it.kind.is_trivia());
        self.at + trivia.count()
    }

    fn trivia_until(&mut self, end: usize) {
        let mut in_run = false;
        while self.at < end {
            let token = self.raw[self.at];
            let next = self.raw[self.at + 1].start;
            let is_doc = token.kind == TokenKind::DocComment;
            // A run of doc comments on consecutive lines is reported once.
            if is_doc && self.at >= self.attached_until && !in_run {
                self.misplaced.push(Span::new(self.file, token.start, next));
            }
            in_run = is_doc || (in_run && token.kind == TokenKind::Newline);
            self.builder.token(token.kind, next);
            self.at += 1;
        }
    }
}

/// The kinds of the node opened by an event and of the nodes that wrap it, innermost first; turns
/// their events into tombstones.
fn take_wrapper_chain(
    events: &mut [ParseEvent],
    start: usize,
    kinds: &mut Vec<(NodeKind, DocAttachment)>,
) {
    let mut at = start;
    while let ParseEvent::Open { kind, docs, wrapper } = events[at] {
        kinds.push((kind, docs));
        // The wrappers come later in the events and must not open a second time there.
        events[at] = ParseEvent::Tombstone;
        if wrapper == 0 {
            break;
        }
        at += wrapper as usize;
    }
}

/// The tokens the grammar sees: everything but trivia.
fn significant_tokens(raw: &[RawToken]) -> Vec<SignificantToken> {
    let mut seen = Vec::with_capacity(raw.len() / 2 + 1);
    let mut gap = TokenGap::Nothing;
    let mut state = TokenState::Valid;
    for (at, token) in raw.iter().enumerate() {
        if token.state == TokenState::Malformed {
            state = TokenState::Malformed;
        }
        if token.kind == TokenKind::Newline {
            gap = TokenGap::Newline;
        } else if token.kind.is_trivia() {
            if gap == TokenGap::Nothing {
                gap = TokenGap::Space;
            }
        } else {
            seen.push(SignificantToken { kind: token.kind, gap, state, raw: at as u32 });
            gap = TokenGap::Nothing;
            state = TokenState::Valid;
        }
    }
    seen
}

/// The input of bracket pairing, and the positions where declarations start.
fn bracket_tokens(
    text: &str,
    raw: &[RawToken],
    seen: &[SignificantToken],
) -> (Vec<BracketToken>, Vec<u32>) {
    let word = |at: usize| {
        let from = seen[at].raw as usize;
        let end = raw.get(from + 1).map_or(text.len() as u32, |next| next.start);
        &text[raw[from].start as usize..end as usize]
    };
    let mut item_starts = Vec::new();
    let mut indent = 0;
    let mut sites = Vec::with_capacity(seen.len());
    for (at, token) in seen.iter().enumerate() {
        let starts_line = at == 0 || token.gap == TokenGap::Newline;
        let mut place = TokenPosition::Anywhere;
        if starts_line {
            place = TokenPosition::LineStart;
            let start = raw[token.raw as usize].start as usize;
            let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            indent = (start - line) as u32;
        }
        // A declaration starts at column 0, which also resynchronizes after an unclosed bracket.
        if starts_line && indent == 0 && starts_item(seen, at, &word) {
            place = TokenPosition::ItemStart;
            item_starts.push(at as u32);
        }
        sites.push(BracketToken { kind: token.kind, indent, position: place });
    }
    (sites, item_starts)
}

/// Whether a token at the start of a line starts a declaration, regardless of open brackets.
fn starts_item<'s>(
    seen: &[SignificantToken],
    at: usize,
    word: &impl Fn(usize) -> &'s str,
) -> bool {
    // Bounds the lookahead, or a file of nothing but `@` would take quadratic time.
    const MAX_ATTRIBUTES: usize = 64;
    let kind = |at: usize| seen.get(at).map_or(TokenKind::Eof, |it| it.kind);
    if is_item_keyword(kind(at)) {
        return true;
    }
    if kind(at) == TokenKind::Ident {
        // Contextual keywords: only this form distinguishes them from an expression at column 0.
        let names = kind(at + 1) == TokenKind::Ident;
        // `weaken A as B`, or `world w {`.
        let expected = match word(at) {
            "world" | "spec" => TokenKind::LBrace,
            "weaken" => TokenKind::Ident,
            _ => return false,
        };
        return names && kind(at + 2) == expected;
    }
    // Attributes start a declaration if one follows; in an effect, an operation may follow them.
    let mut depth = 0_usize;
    let mut next = at;
    while kind(at) == TokenKind::At && next < at + MAX_ATTRIBUTES {
        let token = kind(next);
        if token == TokenKind::LParen {
            depth += 1;
        } else if token == TokenKind::RParen {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && is_item_keyword(token) && kind(next - 1) != TokenKind::At {
            return true;
        } else if depth == 0 && token == TokenKind::Ident && kind(next - 1) != TokenKind::At {
            return ["world", "spec"].contains(&word(next));
        } else if token == TokenKind::Eof {
            return false;
        }
        next += 1;
    }
    false
}

/// Whether a keyword begins a declaration.
pub(crate) fn is_item_keyword(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::UseKw
            | TokenKind::TypeKw
            | TokenKind::ConstKw
            | TokenKind::FnKw
            | TokenKind::EffectKw
            | TokenKind::TestKw
            | TokenKind::VerifyKw
            | TokenKind::RelKw
    )
}

/// Whether a bracket has no partner.
fn is_unpaired(partner: u32) -> bool {
    partner == NO_PARTNER
}
