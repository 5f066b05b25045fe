//! Pairs brackets before parsing starts.
//!
//! Knowing the partner of every bracket lets the parser skip what it does not understand as one
//! balanced unit, report the bracket that was left open instead of the place where parsing failed,
//! and treat line ends after an unclosed `(` as significant again.

use crate::kind::TokenKind;

/// A bracket without a partner.
pub(crate) const NO_PARTNER: u32 = u32::MAX;

/// The properties of a token that pairing looks at.
#[derive(Copy, Clone)]
pub(crate) struct BracketToken {
    pub(crate) kind: TokenKind,
    /// The indentation of its line.
    pub(crate) indent: u32,
    /// Its position in its line.
    pub(crate) position: TokenPosition,
}

/// The position of a token.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum TokenPosition {
    /// Inside a line.
    Anywhere,
    /// First on its line.
    LineStart,
    /// First in a declaration: brackets still open here stay unclosed.
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
        // Declarations are paired independently, so that a missing bracket cannot mispair the
        // brackets of later declarations.
        let unclosed = pair_item(sites, start..end, PairingStrategy::Brackets, &mut partners);
        if unclosed {
            // A brace is missing. Indentation shows which one better than counting does.
            partners[start..end].fill(NO_PARTNER);
            pair_item(sites, start..end, PairingStrategy::Indentation, &mut partners);
        }
        start = end;
    }
    partners
}

/// How a `}` at the start of a line finds its `{`.
#[derive(Copy, Clone, PartialEq, Eq)]
enum PairingStrategy {
    Brackets,
    Indentation,
}

/// Pairs the brackets of one declaration; returns whether a `{` is unclosed.
fn pair_item(
    sites: &[BracketToken],
    range: std::ops::Range<usize>,
    trust: PairingStrategy,
    partners: &mut [u32],
) -> bool {
    let mut open: Vec<usize> = Vec::new();
    // The number of open brackets of each shape. A stray closer is dismissed without scanning the
    // stack, which keeps pairing linear.
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
            // A `}` indented less than the innermost `{` closes an outer one. The last open brace
            // is never dropped, so that a misindented `}` still finds a partner.
            while counts[BRACE] > 1
                && open.last().is_some_and(|it| sites[*it].indent > site.indent)
            {
                // Parentheses opened in the dropped block are dropped with it.
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
            // Popping past a brace means that it was never closed.
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
