//! Views of expressions and statements.

use super::{
    Binding, LiteralToken, Name, Path, Pattern, Type, TypeArgs, Weight, child, child_after,
    child_before, children, children_after, forms, name, views, word_after, words,
};
use crate::kind::{NodeKind, TokenKind};
use crate::tree::{Node, Token};

forms! {
    /// An expression.
    Expr {
        /// `x`.
        Name(NameExpr),
        /// `1`, `"a"`, `true`.
        Literal(LiteralExpr),
        /// `f<T>(a)`.
        Call(CallExpr),
        /// `a.f<T>(b)`.
        Method(MethodExpr),
        /// `a.f`.
        Field(FieldExpr),
        /// `a.0`.
        Index(IndexExpr),
        /// `a + b`.
        Binary(BinaryExpr),
        /// `-a`, `!a`.
        Unary(UnaryExpr),
        /// `(a)`.
        Paren(ParenExpr),
        /// `(a, b)`, `()`.
        Tuple(TupleExpr),
        /// `[a, ..b]`.
        List(ListExpr),
        /// `Name { f: e }`.
        Record(RecordExpr),
        /// `{ ..a, f: e }`.
        Update(UpdateExpr),
        /// `{ statements }`.
        Block(Block),
        /// `if c {} else {}`.
        If(IfExpr),
        /// `match e { arms }`.
        Match(MatchExpr),
        /// `|x| e`.
        Lambda(LambdaExpr),
        /// `e?`.
        Try(TryExpr),
        /// `e !x`.
        Sample(SampleExpr),
        /// `_`.
        Hole(HoleExpr),
        /// `a..b`: only as the values of a `given`.
        Range(RangeExpr),
        /// `observe e`.
        Observe(ObserveExpr),
        /// `assume e`.
        Assume(AssumeExpr),
        /// `throws {}`.
        Throws(ThrowsExpr),
        /// `under world {}`.
        Under(UnderExpr),
        /// `across (binders) {}`.
        Across(AcrossExpr),
        /// `par (a, b)`.
        Par(ParExpr),
    }
}

impl<'t> Expr<'t> {
    /// The expression without the parentheses around it; `None` when nothing is in them.
    pub fn without_parens(self) -> Option<Self> {
        let mut inner = self;
        while let Self::Paren(paren) = inner {
            inner = paren.inner()?;
        }
        Some(inner)
    }
}

/// A statement of a block.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Stmt<'t> {
    /// `let p = e`.
    Let(LetStmt<'t>),
    /// An expression.
    Expr(Expr<'t>),
}

impl<'t> Stmt<'t> {
    /// The statement a node is, if it is one.
    pub fn cast(node: crate::tree::Node<'t>) -> Option<Self> {
        LetStmt::cast(node).map(Self::Let).or_else(|| Expr::cast(node).map(Self::Expr))
    }

    /// The node.
    pub fn node(self) -> crate::tree::Node<'t> {
        match self {
            Self::Let(it) => it.node(),
            Self::Expr(it) => it.node(),
        }
    }

    /// The range of its text.
    pub fn span(self) -> gainsay_source::Span {
        self.node().span()
    }
}

impl<'t> super::AstNode<'t> for Stmt<'t> {
    fn cast(node: crate::tree::Node<'t>) -> Option<Self> {
        Stmt::cast(node)
    }

    fn node(self) -> crate::tree::Node<'t> {
        Stmt::node(self)
    }
}

forms! {
    /// An element of a list expression: an item, or a spread of another list.
    ListItem {
        /// `..xs`.
        Spread(Spread),
        /// `x`.
        Item(Expr),
    }
}

views! {
    /// `{ statements }`; its value is that of its last expression.
    Block;
    /// `let p: T = e`.
    LetStmt;
    /// `1`, `"a"`, `true`.
    LiteralExpr;
    /// `x`.
    NameExpr;
    /// `_`: a hole, or a wildcard in an event pattern.
    HoleExpr;
    /// `(a, b)`, `()`.
    TupleExpr;
    /// `(a)`.
    ParenExpr;
    /// `[a, ..b]`.
    ListExpr;
    /// `..b` in a list.
    Spread;
    /// `m.Name { f: e, g }`.
    RecordExpr;
    /// `f: e`, `g`.
    RecordField;
    /// `{ ..a, f: e }`.
    UpdateExpr;
    /// `f<T>(a, name: b)`.
    CallExpr;
    /// The arguments of a call, in parentheses.
    Args;
    /// `a`, `name: b`.
    Arg;
    /// `a.f`; also a path, as `m.f` or `Effect.method`.
    FieldExpr;
    /// `a.0`.
    IndexExpr;
    /// `a.f<T>(b)`; also a qualified call, as `m.f(b)` or `Effect.method(b)`.
    MethodExpr;
    /// `e?`.
    TryExpr;
    /// `e !x`.
    SampleExpr;
    /// `-e`, `!e`.
    UnaryExpr;
    /// `a + b`.
    BinaryExpr;
    /// `a..b`, `a..=b`.
    RangeExpr;
    /// `|x, y: T| e`.
    LambdaExpr;
    /// The parameters of a lambda, between bars.
    LambdaParams;
    /// `p`, `p: T`.
    LambdaParam;
    /// `if c {} else {}`.
    IfExpr;
    /// `match e { arms }`.
    MatchExpr;
    /// `w % p if g => e`.
    Arm;
    /// `if g` of an arm.
    Guard;
    /// `observe e`.
    ObserveExpr;
    /// `assume e`.
    AssumeExpr;
    /// `throws(Kind) {}`.
    ThrowsExpr;
    /// `under (bindings) {}`, `under world {}`.
    UnderExpr;
    /// `across (binders) {}`.
    AcrossExpr;
    /// `x: T where e`, `x <- g where e`.
    Binder;
    /// `par (a, b)`, `par? (a, b)`.
    ParExpr;
}

impl<'t> Block<'t> {
    /// The statements.
    pub fn stmts(self) -> impl Iterator<Item = Stmt<'t>> + Clone {
        children(self.0)
    }

    /// The value: the last statement, if that is an expression.
    pub fn tail(self) -> Option<Expr<'t>> {
        match self.stmts().last()? {
            Stmt::Let(_) => None,
            Stmt::Expr(expr) => Some(expr),
        }
    }
}

impl<'t> LetStmt<'t> {
    /// What is bound.
    pub fn pattern(self) -> Option<Pattern<'t>> {
        child(self.0)
    }

    /// The type after `:`.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }

    /// The value.
    pub fn value(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::Eq)
    }
}

impl<'t> LiteralExpr<'t> {
    /// The literal.
    pub fn literal(self) -> Option<LiteralToken<'t>> {
        self.0.tokens().find_map(LiteralToken::cast)
    }
}

impl<'t> NameExpr<'t> {
    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }
}

impl<'t> TupleExpr<'t> {
    /// The parts; none for `()`, never one.
    pub fn parts(self) -> impl Iterator<Item = Expr<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> ParenExpr<'t> {
    /// The expression in the parentheses.
    pub fn inner(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> ListExpr<'t> {
    /// Everything in the brackets, in order.
    pub fn items(self) -> impl Iterator<Item = ListItem<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Spread<'t> {
    /// The list after `..`.
    pub fn list(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> RecordExpr<'t> {
    /// The record type, perhaps with its module.
    pub fn path(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = RecordField<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> RecordField<'t> {
    /// The field; in the shorthand form also the value.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The value after `:`; `None` for the shorthand form.
    pub fn value(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// Whether it is the shorthand form, a name alone.
    pub fn is_shorthand(self) -> bool {
        self.0.token(TokenKind::Colon).is_none()
    }
}

impl<'t> UpdateExpr<'t> {
    /// The record after `..`.
    pub fn base(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::DotDot)
    }

    /// The fields that change.
    pub fn fields(self) -> impl Iterator<Item = RecordField<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> CallExpr<'t> {
    /// What is called.
    pub fn callee(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// The type arguments; `None` without `<>`.
    pub fn type_args(self) -> Option<TypeArgs<'t>> {
        child(self.0)
    }

    /// The arguments.
    pub fn args(self) -> Option<Args<'t>> {
        child(self.0)
    }
}

impl<'t> Args<'t> {
    /// The arguments.
    pub fn args(self) -> impl Iterator<Item = Arg<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Arg<'t> {
    /// The name before `:`; positional arguments have none.
    pub fn label(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The value.
    pub fn value(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> FieldExpr<'t> {
    /// The expression before the dot.
    pub fn receiver(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// The name after the dot.
    pub fn name(self) -> Option<Name<'t>> {
        word_after(self.0, TokenKind::Dot)
    }
}

impl<'t> IndexExpr<'t> {
    /// The expression before the dot.
    pub fn receiver(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// The digits after the dot.
    pub fn index(self) -> Option<Token<'t>> {
        self.0.token(TokenKind::Int)
    }

    /// The index, if it is in the range of tuple indices.
    pub fn value(self) -> Option<u32> {
        self.index().and_then(|token| token.text().parse().ok())
    }
}

impl<'t> MethodExpr<'t> {
    /// The expression before the dot.
    pub fn receiver(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// The name after the dot.
    pub fn name(self) -> Option<Name<'t>> {
        word_after(self.0, TokenKind::Dot)
    }

    /// The type arguments; `None` without `<>`.
    pub fn type_args(self) -> Option<TypeArgs<'t>> {
        child(self.0)
    }

    /// The arguments.
    pub fn args(self) -> Option<Args<'t>> {
        child(self.0)
    }
}

impl<'t> TryExpr<'t> {
    /// The expression before `?`.
    pub fn inner(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> SampleExpr<'t> {
    /// The constraint that narrows the variable before it is sampled.
    pub fn inner(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// The variable that is sampled.
    pub fn name(self) -> Option<Name<'t>> {
        word_after(self.0, TokenKind::Bang)
    }
}

/// A prefix operator.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `!`.
    Not,
}

impl<'t> UnaryExpr<'t> {
    /// The operator.
    pub fn op(self) -> Option<UnaryOp> {
        self.op_token().map(|token| match token.kind() == TokenKind::Minus {
            true => UnaryOp::Neg,
            false => UnaryOp::Not,
        })
    }

    /// The token of the operator.
    pub fn op_token(self) -> Option<Token<'t>> {
        self.0.tokens().find(|it| matches!(it.kind(), TokenKind::Minus | TokenKind::Bang))
    }

    /// The operand.
    pub fn operand(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

/// An infix operator.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `|>`.
    Pipe,
    /// `<=>`.
    Iff,
    /// `==>`.
    Implies,
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `++`.
    Concat,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
}

impl BinaryOp {
    /// Every operator with its token, precedence (higher binds tighter) and symbol. The rows are in
    /// the order of the variants: lookups index the table by discriminant.
    const TABLE: [(Self, TokenKind, u8, &'static str); 17] = [
        (Self::Pipe, TokenKind::Pipe, 1, "|>"),
        (Self::Iff, TokenKind::Iff, 2, "<=>"),
        (Self::Implies, TokenKind::Implies, 3, "==>"),
        (Self::Or, TokenKind::OrOr, 4, "||"),
        (Self::And, TokenKind::AndAnd, 5, "&&"),
        (Self::Eq, TokenKind::EqEq, 6, "=="),
        (Self::Ne, TokenKind::NotEq, 6, "!="),
        (Self::Lt, TokenKind::Less, 6, "<"),
        (Self::Le, TokenKind::LessEq, 6, "<="),
        (Self::Gt, TokenKind::Greater, 6, ">"),
        (Self::Ge, TokenKind::GreaterEq, 6, ">="),
        (Self::Concat, TokenKind::PlusPlus, 7, "++"),
        (Self::Add, TokenKind::Plus, 8, "+"),
        (Self::Sub, TokenKind::Minus, 8, "-"),
        (Self::Mul, TokenKind::Star, 9, "*"),
        (Self::Div, TokenKind::Slash, 9, "/"),
        (Self::Rem, TokenKind::Percent, 9, "%"),
    ];

    /// The operator of a token kind.
    pub fn of(kind: TokenKind) -> Option<Self> {
        Self::TABLE.iter().find(|row| row.1 == kind).map(|row| row.0)
    }

    /// The precedence: 1 for `|>` to 9 for `*`.
    pub fn precedence(self) -> u8 {
        Self::TABLE[self as usize].2
    }

    /// Whether it compares its operands.
    pub fn is_comparison(self) -> bool {
        self.precedence() == Self::Eq.precedence()
    }

    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        Self::TABLE[self as usize].3
    }
}

impl<'t> BinaryExpr<'t> {
    /// The operator.
    pub fn op(self) -> Option<BinaryOp> {
        self.0.tokens().find_map(|token| BinaryOp::of(token.kind()))
    }

    /// The token of the operator.
    pub fn op_token(self) -> Option<Token<'t>> {
        self.0.tokens().find(|token| BinaryOp::of(token.kind()).is_some())
    }

    /// The left operand.
    pub fn lhs(self) -> Option<Expr<'t>> {
        let op = self.op_token()?;
        child_before(self.0, op.kind())
    }

    /// The right operand.
    pub fn rhs(self) -> Option<Expr<'t>> {
        let op = self.op_token()?;
        child_after(self.0, op.kind())
    }
}

impl<'t> RangeExpr<'t> {
    /// The first value.
    pub fn start(self) -> Option<Expr<'t>> {
        children(self.0)
            .find(|it: &Expr<'t>| self.dots().is_none_or(|dots| it.span() < dots.span()))
    }

    /// The last value, or the exclusive upper bound.
    pub fn end(self) -> Option<Expr<'t>> {
        children(self.0)
            .find(|it: &Expr<'t>| self.dots().is_some_and(|dots| it.span() > dots.span()))
    }

    /// Whether the range includes its end: `..=`.
    pub fn is_inclusive(self) -> bool {
        self.0.token(TokenKind::DotDotEq).is_some()
    }

    fn dots(self) -> Option<Token<'t>> {
        self.0.tokens().find(|it| matches!(it.kind(), TokenKind::DotDot | TokenKind::DotDotEq))
    }
}

impl<'t> LambdaExpr<'t> {
    /// The parameters.
    pub fn params(self) -> impl Iterator<Item = LambdaParam<'t>> + Clone {
        child::<LambdaParams<'t>>(self.0).into_iter().flat_map(|params| children(params.0))
    }

    /// The parameter list with its bars.
    pub fn param_list(self) -> Option<LambdaParams<'t>> {
        child(self.0)
    }

    /// The body.
    pub fn body(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> LambdaParams<'t> {
    /// The parameters.
    pub fn params(self) -> impl Iterator<Item = LambdaParam<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> LambdaParam<'t> {
    /// What is bound.
    pub fn pattern(self) -> Option<Pattern<'t>> {
        child(self.0)
    }

    /// The type after `:`.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> IfExpr<'t> {
    /// The condition.
    pub fn condition(self) -> Option<Expr<'t>> {
        // A block cannot be a condition: if the first child is a block, the condition is missing.
        child(self.0).filter(|it| !matches!(it, Expr::Block(_)))
    }

    /// The branch taken if the condition holds.
    pub fn then_branch(self) -> Option<Block<'t>> {
        child_before(self.0, TokenKind::ElseKw)
    }

    /// The branch taken otherwise: a block or another `if`.
    pub fn else_branch(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::ElseKw)
    }
}

impl<'t> MatchExpr<'t> {
    /// The scrutinee.
    pub fn scrutinee(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// The arms.
    pub fn arms(self) -> impl Iterator<Item = Arm<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Arm<'t> {
    /// The weight before `%`.
    pub fn weight(self) -> Option<Expr<'t>> {
        child::<Weight<'t>>(self.0).and_then(Weight::value)
    }

    /// The pattern.
    pub fn pattern(self) -> Option<Pattern<'t>> {
        child(self.0)
    }

    /// The guard after `if`.
    pub fn guard(self) -> Option<Expr<'t>> {
        child::<Guard<'t>>(self.0).and_then(Guard::condition)
    }

    /// The expression after `=>`.
    pub fn body(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::FatArrow)
    }
}

impl<'t> Guard<'t> {
    /// The condition.
    pub fn condition(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> ObserveExpr<'t> {
    /// The asserted condition.
    pub fn claim(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> AssumeExpr<'t> {
    /// The precondition: cases that violate it are discarded.
    pub fn condition(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> ThrowsExpr<'t> {
    /// The kind of failure in parentheses.
    pub fn failure(self) -> Option<Name<'t>> {
        word_after(self.0, TokenKind::LParen)
    }

    /// The block that must fail.
    pub fn body(self) -> Option<Block<'t>> {
        child(self.0)
    }
}

impl<'t> UnderExpr<'t> {
    /// The bindings in parentheses.
    pub fn bindings(self) -> impl Iterator<Item = Binding<'t>> + Clone {
        children(self.0)
    }

    /// The declared world, in the form without parentheses.
    pub fn world(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// The block that runs in that world.
    pub fn body(self) -> Option<Block<'t>> {
        child(self.0)
    }
}

impl<'t> AcrossExpr<'t> {
    /// The binders in parentheses.
    pub fn binders(self) -> impl Iterator<Item = Binder<'t>> + Clone {
        children(self.0)
    }

    /// The block that must hold for every case.
    pub fn body(self) -> Option<Block<'t>> {
        child(self.0)
    }
}

impl<'t> Binder<'t> {
    /// The view of a binder, or of a parameter, which is one without generator and condition.
    pub(crate) fn of_input(node: Node<'t>) -> Option<Self> {
        matches!(node.kind(), NodeKind::Binder | NodeKind::Param).then_some(Self(node))
    }

    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }

    /// The type after `:`.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }

    /// The generator after `<-`.
    pub fn generator(self) -> Option<Expr<'t>> {
        let condition = self.condition_keyword();
        child_after(self.0, TokenKind::LeftArrow)
            .filter(|it: &Expr<'t>| condition.is_none_or(|word| it.span() < word.span()))
    }

    /// The condition after `where`.
    pub fn condition(self) -> Option<Expr<'t>> {
        let word = self.condition_keyword()?;
        children(self.0).find(|it: &Expr<'t>| it.span() > word.span())
    }

    /// The contextual keyword `where`, which can only be the second word of a binder.
    fn condition_keyword(self) -> Option<Name<'t>> {
        words(self.0).skip(1).find(|word| word.text() == "where")
    }
}

impl<'t> ParExpr<'t> {
    /// The branches.
    pub fn branches(self) -> impl Iterator<Item = Expr<'t>> + Clone {
        children_after(self.0, TokenKind::LParen)
    }

    /// Whether the first error cancels the others: `par?`.
    pub fn is_cancelling(self) -> bool {
        self.0.token(TokenKind::Question).is_some()
    }
}
