//! Precedence of expressions, to decide where a replacement needs parentheses.

use super::{BinaryOp, Expr};

/// Extends as far to the right as possible, as a lambda does, or has a brace that could be taken
/// for that of a block: always needs parentheses as an operand.
const OPEN_ENDED: u8 = 0;
/// Unary `-` and `!`: binds more tightly than every binary operator.
const UNARY: u8 = 10;
/// Never needs parentheses.
const ATOMIC: u8 = 11;

impl Expr<'_> {
    /// The precedence of the expression: that of its operator for binary expressions
    /// ([`BinaryOp::precedence`]), lower for open-ended forms, higher for everything else.
    #[expect(clippy::wildcard_enum_match_arm, reason = "in doubt there are parentheses")]
    pub fn precedence(self) -> u8 {
        // A postfix form begins with its receiver, so it needs parentheses wherever that does.
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
            // Braces, prefixes and whatever is not listed: parentheses too many do no harm.
            _ => OPEN_ENDED,
        }
    }

    /// Whether no neighboring operator, dot or brace can capture a part of the expression.
    pub fn is_atomic(self) -> bool {
        self.precedence() == ATOMIC
    }
}
