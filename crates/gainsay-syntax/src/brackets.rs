//! Which bracket closes which, known before parsing starts.
//!
//! Knowing the partner of every bracket lets the parser step over anything it does not
//! understand in one stride, name the bracket that was left open rather than the place where
//! that was noticed, and treat the lines after an unclosed `(` as lines again.

use crate::kind::TokenKind;

/// A bracket without a partner.
pub(crate) const NO_PARTNER: u32 = u32::MAX;

/// What pairing needs to know of a token.
#[derive(Copy, Clone)]
pub(crate) struct BracketToken {
    pub(crate) kind: TokenKind,
    /// The indent of its line.
    pub(crate) indent: u32,
    /// Whether it is the first token of its line.
    pub(crate) position: TokenPosition,
}

/// Where a token stands.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum TokenPosition {
    /// Somewhere.
    Anywhere,
    /// First of its line.
    LineStart,
    /// First of a declaration: what is open here stays open.
    ItemStart,
}

/// For each token the index of its partner, or [`NO_PARTNER`].
pub(crate) fn pair_brackets(sites: &[BracketToken]) -> Vec<u32> {
    let mut partners = vec![NO_PARTNER; sites.len()];
    let mut start = 0;
    while start < sites.len() {
        let rest = &sites[start + 1..];
        let length =
            rest.iter().take_while(|site| site.position != TokenPosition::ItemStart).count();
        let end = start + 1 + length;
        let unclosed = pair_item(sites, start..end, PairingStrategy::Brackets, &mut partners);
        if unclosed {
            // Something is missing: the indentation says better than the count what.
            partners[start..end].fill(NO_PARTNER);
            pair_item(sites, start..end, PairingStrategy::Indentation, &mut partners);
        }
        start = end;
    }
    partners
}

/// What decides which `{` a `}` at the start of a line closes.
#[derive(Copy, Clone, PartialEq, Eq)]
enum PairingStrategy {
    Brackets,
    Indentation,
}

/// Pairs the brackets of one declaration; says whether a `{` stayed open.
fn pair_item(
    sites: &[BracketToken],
    range: std::ops::Range<usize>,
    trust: PairingStrategy,
    partners: &mut [u32],
) -> bool {
    let mut open: Vec<usize> = Vec::new();
    // How many of each kind are open, so that a stray closer does not search the stack.
    let mut counts = [0_usize; 3];
    let mut unclosed = false;
    for at in range {
        let site = sites[at];
        if let Some(shape) = opening_shape(site.kind) {
            open.push(at);
            counts[shape] += 1;
            continue;
        }
        let Some(shape) = closing_shape(site.kind) else { continue };
        if counts[shape] == 0 {
            continue;
        }
        if trust == PairingStrategy::Indentation
            && shape == BRACE
            && site.position == TokenPosition::LineStart
        {
            // A `}` further out than its `{` closes an outer one, if there is one to close.
            while counts[BRACE] > 1
                && open.last().is_some_and(|it| sites[*it].indent > site.indent)
            {
                let dropped = open.pop().and_then(|it| opening_shape(sites[it].kind));
                counts[dropped.unwrap_or(shape)] -= 1;
            }
        }
        while let Some(last) = open.pop() {
            let last_shape = opening_shape(sites[last].kind).unwrap_or(shape);
            counts[last_shape] -= 1;
            if last_shape == shape {
                partners[last] = at as u32;
                partners[at] = last as u32;
                break;
            }
            unclosed |= last_shape == BRACE;
        }
    }
    unclosed || open.iter().any(|it| sites[*it].kind == TokenKind::LBrace)
}

const BRACE: usize = 2;

fn opening_shape(kind: TokenKind) -> Option<usize> {
    [TokenKind::LParen, TokenKind::LBracket, TokenKind::LBrace]
        .iter()
        .position(|it| *it == kind)
}

fn closing_shape(kind: TokenKind) -> Option<usize> {
    [TokenKind::RParen, TokenKind::RBracket, TokenKind::RBrace]
        .iter()
        .position(|it| *it == kind)
}
