//! The cursor the grammar moves, and the events it leaves behind.
//!
//! The grammar does not build the tree itself: it records when nodes open and close and which
//! tokens are taken, so that a node can still be wrapped in another one after it was read. A
//! second pass over the events builds the tree and puts white space and comments in it.

mod recovery;

use gainsay_source::{Diagnostic, FileId, Span};

use crate::ast::BinaryOp;
use crate::brackets::{BracketToken, NO_PARTNER, TokenPosition, pair_brackets};
use crate::findings::{MisplacedDoc, TooDeep};
use crate::kind::{NodeKind, TokenKind};
use crate::lexer::{LexOutput, RawToken, TokenState};
use crate::tree::{Tree, TreeBuilder};

/// How deep brackets, blocks and prefix operators may nest.
pub(crate) const MAX_DEPTH: u32 = 256;

/// How high the tree of an expression may grow by operators, method calls or `else if` in a row.
pub(crate) const MAX_HEIGHT: u32 = 1000;

/// A token the grammar sees, and what stands before it.
#[derive(Copy, Clone)]
struct SignificantToken {
    kind: TokenKind,
    gap: TokenGap,
    /// Whether a broken token stands here or in the gap: then something was said already.
    state: TokenState,
    raw: u32,
}

/// What separates a token from the one before.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum TokenGap {
    Nothing,
    Space,
    Newline,
}

/// Whether line ends end statements here.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum NewlineMode {
    /// In a block.
    TerminatesStatement,
    /// In parentheses.
    Ignored,
}

/// Whether `Name { .. }` is a record here, or a name and the block after it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum RecordLiterals {
    Allowed,
    /// In the head of an `if` or `match`.
    Forbidden,
}

#[derive(Debug, Copy, Clone)]
enum ParseEvent {
    /// A node opens. `wrapper` is the distance to the event that opens the node around it.
    Open {
        kind: NodeKind,
        docs: DocAttachment,
        wrapper: u32,
    },
    Close,
    /// A token made of raw ones.
    Token {
        kind: TokenKind,
        n_raw: u8,
    },
    /// Nothing: an opening that was taken back, or built already.
    Tombstone,
}

/// Whether a node takes the doc comments before it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum DocAttachment {
    Leave,
    Attach,
}

/// A node that is open.
#[must_use = "an open node must be closed or abandoned"]
pub(crate) struct Marker {
    at: u32,
    first: u32,
    outer_height: u32,
}

/// A node that is closed, and can be wrapped.
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
    /// Where declarations start, in order.
    item_starts: Vec<u32>,
    events: Vec<ParseEvent>,
    errors: Vec<Diagnostic>,
    at: usize,
    /// Tokens from here on belong to the next declaration and cannot be seen.
    item_end: usize,
    /// No complaint at or before this token: it has had one.
    suppressed_until: usize,
    depth: u32,
    /// How many `else if` are open.
    n_open_else_ifs: u32,
    /// The height of the highest node closed in the innermost open one.
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

    // ---- looking ------------------------------------------------------------------------

    /// The kind of the next token.
    pub(crate) fn current(&self) -> TokenKind {
        self.nth(0)
    }

    /// The kind of the token after `n` others.
    pub(crate) fn nth(&self, n: usize) -> TokenKind {
        let at = self.at + n;
        if at < self.item_end { self.tokens[at].kind } else { TokenKind::Eof }
    }

    pub(crate) fn at(&self, kind: TokenKind) -> bool {
        self.current() == kind
    }

    pub(crate) fn at_any(&self, kinds: &[TokenKind]) -> bool {
        kinds.contains(&self.current())
    }

    /// Whether the next token is this contextual keyword.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.nth_is_word(0, word)
    }

    pub(crate) fn nth_is_word(&self, n: usize, word: &str) -> bool {
        self.nth(n) == TokenKind::Ident && self.nth_text(n) == word
    }

    /// The text of the token after `n` others.
    pub(crate) fn nth_text(&self, n: usize) -> &'s str {
        let at = (self.at + n).min(self.tokens.len() - 1);
        let span = self.token_span(at);
        &self.text[span.start as usize..span.end as usize]
    }

    /// Whether the next token starts a line.
    pub(crate) fn newline_before(&self) -> bool {
        self.nth_newline_before(0)
    }

    /// Whether the token after `n` others starts a line.
    pub(crate) fn nth_newline_before(&self, n: usize) -> bool {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)].gap == TokenGap::Newline
    }

    /// Whether nothing separates the token after `n` others from the one before it.
    pub(crate) fn nth_touches(&self, n: usize) -> bool {
        let at = (self.at + n).min(self.tokens.len() - 1);
        self.tokens[at].gap == TokenGap::Nothing
    }

    /// Whether the next two tokens are the two halves of `<-`.
    pub(crate) fn at_left_arrow(&self) -> bool {
        self.at(TokenKind::Less) && self.nth(1) == TokenKind::Minus && self.nth_touches(1)
    }

    /// The infix operator that stands here, its token, and how many raw tokens it is made of.
    pub(crate) fn infix_operator(&self) -> Option<(BinaryOp, TokenKind, u8)> {
        let kind = self.current();
        if kind == TokenKind::Greater && self.nth(1) == TokenKind::Eq && self.nth_touches(1) {
            return Some((BinaryOp::Ge, TokenKind::GreaterEq, 2));
        }
        BinaryOp::of(kind).map(|op| (op, kind, 1))
    }

    /// Whether the next token is outside of the statement: the line ended before it.
    pub(crate) fn line_ends(&self) -> bool {
        self.line_ends_in(self.newline_mode)
    }

    /// The same, were line ends treated like this.
    pub(crate) fn line_ends_in(&self, lines: NewlineMode) -> bool {
        let ended = lines == NewlineMode::TerminatesStatement
            && self.newline_before()
            && !self.continues_line();
        ended || self.at(TokenKind::Eof)
    }

    /// Whether the token before is a comma.
    pub(crate) fn follows_comma(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|it| self.tokens[it].kind == TokenKind::Comma)
    }

    /// How many tokens were taken.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Whether a line that starts with the next token goes on with the statement before.
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

    /// The place of the next token.
    pub(crate) fn current_span(&self) -> Span {
        self.token_span(self.at.min(self.tokens.len() - 1))
    }

    /// The place of the token before, or the start of the text.
    pub(crate) fn previous_span(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(previous) => self.token_span(previous),
            None => Span::new(self.file, 0, 0),
        }
    }

    /// The place of the token after `n` others.
    pub(crate) fn nth_span(&self, n: usize) -> Span {
        self.token_span((self.at + n).min(self.tokens.len() - 1))
    }

    /// The text of the token before.
    pub(crate) fn previous_text(&self) -> &'s str {
        self.text_of(self.previous_span())
    }

    /// Whether the token before is the first one of its line.
    pub(crate) fn previous_starts_line(&self) -> bool {
        self.at
            .checked_sub(1)
            .is_some_and(|it| it == 0 || self.tokens[it].gap == TokenGap::Newline)
    }

    /// How many tokens come before the one that follows the bracket after `n` tokens, if that
    /// bracket is closed.
    pub(crate) fn nth_after_bracket(&self, n: usize) -> Option<usize> {
        let open = self.at + n;
        let partner = *self.partners.get(open)?;
        let is_closed = !is_unpaired(partner) && partner as usize > open;
        is_closed.then(|| partner as usize + 1 - self.at)
    }

    /// What stands in the bracket that opens with the next token.
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

    // ---- moving -------------------------------------------------------------------------

    /// Takes the next token.
    pub(crate) fn bump(&mut self) {
        let kind = self.current();
        self.bump_as(kind, 1);
    }

    /// Takes some raw tokens as one.
    pub(crate) fn bump_as(&mut self, kind: TokenKind, n_raw: u8) {
        if self.at(TokenKind::Eof) {
            return;
        }
        self.events.push(ParseEvent::Token { kind, n_raw });
        self.at += n_raw as usize;
    }

    /// Takes the next token if it is of a kind; says whether it was.
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

    /// Takes back an opening; what was read stays in the node around it.
    pub(crate) fn abandon(&mut self, marker: Marker) {
        if marker.at as usize == self.events.len() - 1 {
            self.events.pop();
        } else {
            self.events[marker.at as usize] = ParseEvent::Tombstone;
        }
        self.height = self.height.max(marker.outer_height);
    }

    /// Opens a node around one that is closed.
    pub(crate) fn wrap(&mut self, inner: CompletedMarker) -> Marker {
        let at = self.events.len() as u32;
        self.events.push(ParseEvent::Open {
            kind: NodeKind::Error,
            docs: DocAttachment::Leave,
            wrapper: 0,
        });
        if let ParseEvent::Open { wrapper, .. } = &mut self.events[inner.at as usize] {
            *wrapper = at - inner.at;
        }
        self.height = inner.height;
        Marker { at, first: inner.first, outer_height: inner.outer_height }
    }

    /// Whether a closed node ends right before the next token.
    pub(crate) fn ends_here(&self, node: CompletedMarker) -> bool {
        node.end as usize == self.at
    }

    /// The place of a closed node.
    pub(crate) fn span_of(&self, node: CompletedMarker) -> Span {
        let last = node.end.max(node.first + 1) - 1;
        self.token_span(node.first as usize).to(self.token_span(last as usize))
    }

    // ---- depth --------------------------------------------------------------------------

    /// Goes one level down, or says that this is too deep and skips what is there.
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

    /// Goes from an `if` to its `else if`, or says that there are too many and skips the rest.
    /// All that are open count, so that ladders in ladders cannot make a tree of any height.
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

    /// Whether one more node around a closed one is too high; says so and skips the rest.
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
        self.suppressed_until = self.at + 1;
    }

    // ---- declarations -------------------------------------------------------------------

    /// Lets the grammar see up to the next declaration that starts after the next token.
    pub(crate) fn limit_to_item(&mut self) {
        let next = self.item_starts.partition_point(|start| *start as usize <= self.at);
        let end = self.tokens.len() - 1;
        self.item_end = self.item_starts.get(next).map_or(end, |start| *start as usize);
    }

    /// Whether all tokens are taken.
    pub(crate) fn at_text_end(&self) -> bool {
        self.at + 1 >= self.tokens.len()
    }

    // ---- the tree -----------------------------------------------------------------------

    /// Builds the tree; gives it and everything that was found.
    pub(crate) fn finish(mut self) -> (Tree, Vec<Diagnostic>) {
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
        gainsay_source::sort_diagnostics(&mut self.errors);
        (builder.finish(self.file, self.text), self.errors)
    }
}

/// Puts the raw tokens and the recorded nodes together.
struct TreeAssembler<'p> {
    raw: &'p [RawToken],
    file: FileId,
    at: usize,
    /// Doc comments before this raw token have an owner.
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
                        // The file opens first and holds the trivia before everything else.
                        if depth > 0 {
                            self.trivia_before_node(docs);
                        }
                        self.builder.open(kind);
                        depth += 1;
                    }
                }
                ParseEvent::Close => {
                    depth -= 1;
                    if depth == 0 {
                        self.trivia();
                    }
                    self.builder.close();
                }
            }
        }
    }

    /// Trivia before a node stay outside of it, but for the doc comments it claims.
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
            if is_doc && self.at >= self.attached_until && !in_run {
                self.misplaced.push(Span::new(self.file, token.start, next));
            }
            in_run = is_doc || (in_run && token.kind == TokenKind::Newline);
            self.builder.token(token.kind, next);
            self.at += 1;
        }
    }
}

/// The node opened by an event and those wrapped around it, innermost first; takes their
/// events out.
fn take_wrapper_chain(
    events: &mut [ParseEvent],
    start: usize,
    kinds: &mut Vec<(NodeKind, DocAttachment)>,
) {
    let mut at = start;
    while let ParseEvent::Open { kind, docs, wrapper } = events[at] {
        kinds.push((kind, docs));
        events[at] = ParseEvent::Tombstone;
        if wrapper == 0 {
            break;
        }
        at += wrapper as usize;
    }
}

/// The tokens the grammar sees: all but trivia.
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

/// What pairing needs, and where declarations start.
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
        if starts_line && indent == 0 && starts_item(seen, at, &word) {
            place = TokenPosition::ItemStart;
            item_starts.push(at as u32);
        }
        sites.push(BracketToken { kind: token.kind, indent, position: place });
    }
    (sites, item_starts)
}

/// Whether a token at the start of a line begins a declaration, whatever was open before.
fn starts_item<'s>(
    seen: &[SignificantToken],
    at: usize,
    word: &impl Fn(usize) -> &'s str,
) -> bool {
    const LONGEST_ATTRIBUTES: usize = 64;
    let kind = |at: usize| seen.get(at).map_or(TokenKind::Eof, |it| it.kind);
    if is_item_keyword(kind(at)) {
        return true;
    }
    if kind(at) == TokenKind::Ident {
        let names = ["world", "spec"].contains(&word(at)) && kind(at + 1) == TokenKind::Ident;
        return names && kind(at + 2) == TokenKind::LBrace;
    }
    // Attributes begin a declaration if one follows; in an effect, an operation does.
    let mut depth = 0_usize;
    let mut next = at;
    while kind(at) == TokenKind::At && next < at + LONGEST_ATTRIBUTES {
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
