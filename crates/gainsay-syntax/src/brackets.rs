//! Which bracket closes which, known before parsing starts.
//!
//! Knowing the partner of every bracket lets the parser step over anything it does not
//! understand in one stride, name the bracket that was left open rather than the place where
//! that was noticed, and treat the lines after an unclosed `(` as lines again.

use crate::kind::TokenKind;

/// A bracket without a partner.
pub(crate) const NONE: u32 = u32::MAX;

/// What pairing needs to know of a token.
#[derive(Copy, Clone)]
pub(crate) struct Site {
    pub(crate) kind: TokenKind,
    /// The indent of its line.
    pub(crate) indent: u32,
    /// Whether it is the first token of its line.
    pub(crate) place: Place,
}

/// Where a token stands.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// Somewhere.
    Anywhere,
    /// First of its line.
    LineStart,
    /// First of a declaration: what is open here stays open.
    ItemStart,
}

/// For each token the index of its partner, or [`NONE`].
pub(crate) fn pair(sites: &[Site]) -> Vec<u32> {
    let mut partners = vec![NONE; sites.len()];
    let mut start = 0;
    while start < sites.len() {
        let rest = &sites[start + 1..];
        let length = rest.iter().take_while(|site| site.place != Place::ItemStart).count();
        let end = start + 1 + length;
        let unclosed = pair_item(sites, start..end, Trust::Brackets, &mut partners);
        if unclosed {
            // Something is missing: the indentation says better than the count what.
            partners[start..end].fill(NONE);
            pair_item(sites, start..end, Trust::Indentation, &mut partners);
        }
        start = end;
    }
    partners
}

/// What decides which `{` a `}` at the start of a line closes.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Trust {
    Brackets,
    Indentation,
}

/// Pairs the brackets of one declaration; says whether a `{` stayed open.
fn pair_item(
    sites: &[Site],
    range: std::ops::Range<usize>,
    trust: Trust,
    partners: &mut [u32],
) -> bool {
    let mut open: Vec<usize> = Vec::new();
    // How many of each kind are open, so that a stray closer does not search the stack.
    let mut counts = [0_usize; 3];
    let mut unclosed = false;
    for at in range {
        let site = sites[at];
        if let Some(shape) = opens(site.kind) {
            open.push(at);
            counts[shape] += 1;
            continue;
        }
        let Some(shape) = closes(site.kind) else { continue };
        if counts[shape] == 0 {
            continue;
        }
        if trust == Trust::Indentation && shape == BRACE && site.place == Place::LineStart {
            // A `}` further out than its `{` closes an outer one, if there is one to close.
            while counts[BRACE] > 1
                && open.last().is_some_and(|it| sites[*it].indent > site.indent)
            {
                let dropped = open.pop().and_then(|it| opens(sites[it].kind));
                counts[dropped.unwrap_or(shape)] -= 1;
            }
        }
        while let Some(last) = open.pop() {
            let last_shape = opens(sites[last].kind).unwrap_or(shape);
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

fn opens(kind: TokenKind) -> Option<usize> {
    [TokenKind::LParen, TokenKind::LBracket, TokenKind::LBrace]
        .iter()
        .position(|it| *it == kind)
}

fn closes(kind: TokenKind) -> Option<usize> {
    [TokenKind::RParen, TokenKind::RBracket, TokenKind::RBrace]
        .iter()
        .position(|it| *it == kind)
}
