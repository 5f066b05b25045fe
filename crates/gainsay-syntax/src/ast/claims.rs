//! Views of tests, `verify` blocks, worlds and relations.

use super::{
    Arm, Attribute, Block, Expr, LetStmt, LiteralToken, Name, Params, Path, Type, TypeParams,
    child, child_after, child_before, children, children_after, docs, forms, name, views,
    words,
};
use crate::kind::TokenKind;

views! {
    /// `test "name" {}`.
    TestItem;
    /// `test "name" against A.b { lines }`.
    AgainstTest;
    /// `state: T = e`.
    SystemState;
    /// `pending => e`.
    PendingEvents;
    /// `verify f trace law name {}`.
    VerifyItem;
    /// `given x: T = e`.
    Given;
    /// `given world: name`.
    GivenWorld;
    /// `when e`.
    When;
    /// `lhs => rhs`.
    Case;
    /// `world name { bindings }`.
    WorldItem;
    /// `Effect.method = e`, in a world or after `under`.
    Binding;
    /// `rel name(params) { rules }`.
    RelItem;
    /// `label: w % conclusion <- premise, premise`.
    Rule;
    /// `w %` before a pattern or a conclusion.
    Weight;
}

forms! {
    /// A line of a `verify` block.
    VerifyStmt {
        /// `given x: T = e`.
        Given(Given),
        /// `given world: name`.
        GivenWorld(GivenWorld),
        /// `let p = e`.
        Let(LetStmt),
        /// `when e`.
        When(When),
        /// `lhs => rhs`.
        Case(Case),
    }
}

impl<'t> TestItem<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.0)
    }

    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The name, a string literal.
    pub fn name(self) -> Option<LiteralToken<'t>> {
        self.0.token(TokenKind::Str).and_then(LiteralToken::cast)
    }

    /// The body.
    pub fn body(self) -> Option<Block<'t>> {
        child(self.0)
    }
}

impl<'t> AgainstTest<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.0)
    }

    /// The name, a string literal.
    pub fn name(self) -> Option<LiteralToken<'t>> {
        self.0.token(TokenKind::Str).and_then(LiteralToken::cast)
    }

    /// The specification, or one of its goals.
    pub fn goal(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// The states of the system; one in well-formed code.
    pub fn states(self) -> impl Iterator<Item = SystemState<'t>> + Clone {
        children(self.0)
    }

    /// What may happen next; at most one in well-formed code.
    pub fn pending(self) -> impl Iterator<Item = PendingEvents<'t>> + Clone {
        children(self.0)
    }

    /// What the system does.
    pub fn arms(self) -> impl Iterator<Item = Arm<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> SystemState<'t> {
    /// The type of the state.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }

    /// The initial state.
    pub fn initial(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::Eq)
    }
}

impl<'t> PendingEvents<'t> {
    /// The list of events.
    pub fn events(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> VerifyItem<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.0)
    }

    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The function.
    pub fn function(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// Whether its assertions are about traces: `trace`.
    pub fn is_trace(self) -> bool {
        words(self.0).take_while(|word| word.text() != "law").any(|word| word.text() == "trace")
    }

    /// Whether it is a law, that is, claimed for all inputs: `law`.
    pub fn is_law(self) -> bool {
        words(self.0).any(|word| word.text() == "law")
    }

    /// The name after `law`.
    pub fn law(self) -> Option<Name<'t>> {
        words(self.0).skip_while(|word| word.text() != "law").nth(1)
    }

    /// The lines, in order.
    pub fn stmts(self) -> impl Iterator<Item = VerifyStmt<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Given<'t> {
    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// A type, or a path type that names an effect method.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }

    /// The values: a list or a range.
    pub fn values(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::Eq)
    }
}

impl<'t> GivenWorld<'t> {
    /// The world.
    pub fn world(self) -> Option<Path<'t>> {
        child(self.0)
    }
}

impl<'t> When<'t> {
    /// The precondition: cases that violate it are skipped.
    pub fn condition(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> Case<'t> {
    /// The actual value.
    pub fn lhs(self) -> Option<Expr<'t>> {
        child_before(self.0, TokenKind::FatArrow)
    }

    /// The expected value.
    pub fn rhs(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::FatArrow)
    }
}

impl<'t> WorldItem<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.0)
    }

    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The name after `world`.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The effect operations the world answers.
    pub fn bindings(self) -> impl Iterator<Item = Binding<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Binding<'t> {
    /// The effect operation.
    pub fn path(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// The stub that answers it.
    pub fn value(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::Eq)
    }
}

impl<'t> RelItem<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.0)
    }

    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }

    /// The type parameters; `None` without `<>`.
    pub fn type_params(self) -> Option<TypeParams<'t>> {
        child(self.0)
    }

    /// The parameters.
    pub fn params(self) -> Option<Params<'t>> {
        child(self.0)
    }

    /// The rules.
    pub fn rules(self) -> impl Iterator<Item = Rule<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Rule<'t> {
    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The label before `:`.
    pub fn label(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The weight before `%`.
    pub fn weight(self) -> Option<Expr<'t>> {
        child::<Weight<'t>>(self.0).and_then(Weight::value)
    }

    /// The conclusion of the rule: a call of the relation.
    pub fn conclusion(self) -> Option<Expr<'t>> {
        child_before(self.0, TokenKind::LeftArrow)
    }

    /// The premises of the conclusion.
    pub fn premises(self) -> impl Iterator<Item = Expr<'t>> + Clone {
        children_after(self.0, TokenKind::LeftArrow)
    }
}

impl<'t> Weight<'t> {
    /// The weight.
    pub fn value(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}
