//! How tightly expressions hold together, for whoever puts one in the place of another.

use super::{BinaryOp, Expr};

/// What reaches as far to the right as it can, or begins with what could be the brace of a block.
const OPEN_ENDED: u8 = 0;
/// Signs and `!`: more than every operator between operands.
const UNARY: u8 = 8;
/// What nothing beside it can take a part of.
const ATOMIC: u8 = 9;

impl Expr<'_> {
    /// How tightly it holds together: that of its operator ([`BinaryOp::precedence`]) if it has
    /// one, less for what has no end of its own, more for the rest.
    pub fn precedence(self) -> u8 {
        let of_receiver = |it: Option<Expr<'_>>| it.map_or(OPEN_ENDED, Expr::precedence);
        match self {
            Self::Binary(it) => it.op().map_or(OPEN_ENDED, BinaryOp::precedence),
            Self::Unary(_) => UNARY,
            Self::Name(_) | Self::Literal(_) | Self::Hole(_) => ATOMIC,
            Self::Paren(_) | Self::Tuple(_) | Self::List(_) => ATOMIC,
            Self::Call(it) => of_receiver(it.callee()),
            Self::Method(it) => of_receiver(it.receiver()),
            Self::Field(it) => of_receiver(it.receiver()),
            Self::Index(it) => of_receiver(it.receiver()),
            Self::Try(it) => of_receiver(it.inner()),
            Self::Record(_) | Self::Update(_) | Self::Block(_) => OPEN_ENDED,
            Self::If(_) | Self::Match(_) | Self::Lambda(_) | Self::Range(_) => OPEN_ENDED,
            Self::Sample(_) | Self::Observe(_) | Self::Assume(_) | Self::Par(_) => OPEN_ENDED,
            Self::Throws(_) | Self::Under(_) | Self::Across(_) => OPEN_ENDED,
        }
    }

    /// Whether no operator, dot or brace beside it can take hold of a part of it.
    pub fn is_atomic(self) -> bool {
        self.precedence() == ATOMIC
    }
}
