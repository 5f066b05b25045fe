//! Views of trace specifications.

use super::{
    Expr, Name, Params, Type, When, child, child_after, children, docs, forms, name, views,
    words,
};
use crate::kind::TokenKind;

views! {
    /// `spec Name { declarations }`.
    SpecItem;
    /// `weaken A as B { weakenings }`.
    WeakenItem;
    /// `sort Name { a, b }`.
    SortDecl;
    /// `{ a, b }` of a sort.
    SortValues;
    /// `data Name { A, B(T) }`.
    DataDecl;
    /// `{ A, B(T) }` of a data type.
    DataCtors;
    /// `B(T)` of a data type.
    DataCtor;
    /// `fn f(x: T) -> U = e`.
    SpecFn;
    /// `axiom forall (x: T) e`.
    Axiom;
    /// `gen push(x: Int)`.
    EventDecl;
    /// `init [event]`.
    InitDecl;
    /// `rule push(x) { clauses }`.
    SpecRule;
    /// `(x, _, y: T)` of a rule.
    RuleParams;
    /// `x`, `_`, `y: T` of a rule.
    RuleParam;
    /// `history pattern`.
    HistoryClause;
    /// `future pattern`.
    FutureClause;
    /// `emits event, event`.
    EmitsClause;
    /// `owes event, event`.
    OwesClause;
    /// `violation name(x: T) = pattern`.
    GoalDecl;
    /// `replace rule ..`.
    ReplaceRule;
    /// `drop history of push`.
    DropPart;
    /// `merge push`.
    MergeRules;
    /// `pattern || pattern`.
    EitherTrace;
    /// `pattern && pattern`.
    BothTraces;
    /// `[element, element]`.
    TraceSequence;
    /// `(pattern)`.
    TraceGroup;
    /// `element*`.
    RepeatedTrace;
    /// `last(event)`.
    LastEvent;
    /// `..`.
    AnyEvents;
    /// `any`.
    AnyEvent;
    /// `!event`, `!{event, event}`.
    OtherEvent;
    /// `expect event`.
    ExpectedEvent;
    /// `push(x, size: n){e}`.
    EventPattern;
    /// `(x, size: n)` of an event.
    EventArgs;
    /// `x`, `size: n`, `..` of an event.
    EventArg;
    /// `{e}` of an event.
    EventCondition;
}

forms! {
    /// A declaration in a specification.
    SpecDecl {
        /// `sort Name`.
        Sort(SortDecl),
        /// `data Name { .. }`.
        Data(DataDecl),
        /// `fn f(x: T) -> U`.
        Fn(SpecFn),
        /// `axiom e`.
        Axiom(Axiom),
        /// `gen push(x: Int)`.
        Event(EventDecl),
        /// `init [..]`.
        Init(InitDecl),
        /// `rule push(x) { .. }`.
        Rule(SpecRule),
        /// `violation name() = pattern`.
        Goal(GoalDecl),
    }
}

forms! {
    /// A clause of a rule.
    RuleClause {
        /// `history pattern`.
        History(HistoryClause),
        /// `future pattern`.
        Future(FutureClause),
        /// `emits event`.
        Emits(EmitsClause),
        /// `owes event`.
        Owes(OwesClause),
    }
}

forms! {
    /// A difference of a weaker specification.
    Weakening {
        /// `replace rule ..`.
        Replace(ReplaceRule),
        /// `drop history of push`.
        Drop(DropPart),
        /// `merge push`.
        Merge(MergeRules),
    }
}

forms! {
    /// A pattern of events, or an element of one.
    TraceSyntax {
        /// `pattern || pattern`.
        Either(EitherTrace),
        /// `pattern && pattern`.
        Both(BothTraces),
        /// `[element, element]`.
        Sequence(TraceSequence),
        /// `(pattern)`.
        Group(TraceGroup),
        /// `element*`.
        Repeated(RepeatedTrace),
        /// `last(event)`.
        Last(LastEvent),
        /// `..`.
        AnyEvents(AnyEvents),
        /// `any`.
        AnyEvent(AnyEvent),
        /// `!event`.
        Other(OtherEvent),
        /// `expect event`.
        Expected(ExpectedEvent),
        /// `push(x)`.
        Event(EventPattern),
    }
}

/// The kinds of operations.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum OperationKeyword {
    /// `gen`: the generator issues it.
    Generated,
    /// `obs`: the system causes it.
    Observed,
    /// `ghost`: it exists in the specification only.
    Ghost,
}

/// The kinds of goals.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum GoalKeyword {
    /// `violation`: the trace itself is the bug.
    Violation,
    /// `scenario`: a valid trace; its `expect`s are judged.
    Scenario,
}

impl<'t> SpecItem<'t> {
    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The name after `spec`.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The declarations in braces.
    pub fn decls(self) -> impl Iterator<Item = SpecDecl<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> WeakenItem<'t> {
    /// The specification that is weakened.
    pub fn original(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The name of the weaker specification.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(3)
    }

    /// The differences.
    pub fn weakenings(self) -> impl Iterator<Item = Weakening<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> SortDecl<'t> {
    /// The name after `sort`.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// All values of the sort, if they are listed.
    pub fn values(self) -> Option<SortValues<'t>> {
        child(self.0)
    }
}

impl<'t> SortValues<'t> {
    /// The names of the values.
    pub fn names(self) -> impl Iterator<Item = Name<'t>> + Clone {
        words(self.0)
    }
}

impl<'t> DataDecl<'t> {
    /// The name after `data`.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The constructors.
    pub fn ctors(self) -> impl Iterator<Item = DataCtor<'t>> + Clone {
        let ctors: Option<DataCtors<'t>> = child(self.0);
        ctors.into_iter().flat_map(|it| children(it.0))
    }
}

impl<'t> DataCtor<'t> {
    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }

    /// The types of its arguments.
    pub fn fields(self) -> impl Iterator<Item = Type<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> SpecFn<'t> {
    /// The name after `fn`.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }

    /// The parameters.
    pub fn params(self) -> Option<Params<'t>> {
        child(self.0)
    }

    /// The type of the result.
    pub fn result(self) -> Option<Type<'t>> {
        child(self.0)
    }

    /// The definition after `=`.
    pub fn definition(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::Eq)
    }
}

impl<'t> Axiom<'t> {
    /// The variables after `forall`.
    pub fn variables(self) -> Option<Params<'t>> {
        child(self.0)
    }

    /// The condition.
    pub fn condition(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> EventDecl<'t> {
    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The kind of operation.
    pub fn kind(self) -> OperationKeyword {
        match words(self.0).next().map(Name::text) {
            Some("obs") => OperationKeyword::Observed,
            Some("ghost") => OperationKeyword::Ghost,
            _ => OperationKeyword::Generated,
        }
    }

    /// The name of the operation.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The fields.
    pub fn fields(self) -> Option<Params<'t>> {
        child(self.0)
    }
}

impl<'t> InitDecl<'t> {
    /// The events that exist at the beginning.
    pub fn events(self) -> impl Iterator<Item = EventPattern<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> SpecRule<'t> {
    /// The operation.
    pub fn operation(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The names of the operation's fields.
    pub fn params(self) -> impl Iterator<Item = RuleParam<'t>> + Clone {
        let params: Option<RuleParams<'t>> = child(self.0);
        params.into_iter().flat_map(|it| children(it.0))
    }

    /// The variables after `given`.
    pub fn given(self) -> Option<Params<'t>> {
        child(self.0)
    }

    /// The condition after `when`.
    pub fn condition(self) -> Option<When<'t>> {
        child(self.0)
    }

    /// The clauses.
    pub fn clauses(self) -> impl Iterator<Item = RuleClause<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> RuleParam<'t> {
    /// The name; `None` for `_`.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }

    /// The type after `:`.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> HistoryClause<'t> {
    /// The pattern of everything before.
    pub fn pattern(self) -> Option<TraceSyntax<'t>> {
        child(self.0)
    }
}

impl<'t> FutureClause<'t> {
    /// The pattern of everything after.
    pub fn pattern(self) -> Option<TraceSyntax<'t>> {
        child(self.0)
    }
}

impl<'t> EmitsClause<'t> {
    /// The events that follow at some time.
    pub fn events(self) -> impl Iterator<Item = EventPattern<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> OwesClause<'t> {
    /// The operations that must follow.
    pub fn events(self) -> impl Iterator<Item = EventPattern<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> GoalDecl<'t> {
    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The kind of goal.
    pub fn kind(self) -> GoalKeyword {
        match words(self.0).next().map(Name::text) {
            Some("scenario") => GoalKeyword::Scenario,
            _ => GoalKeyword::Violation,
        }
    }

    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The variables.
    pub fn variables(self) -> Option<Params<'t>> {
        child(self.0)
    }

    /// The traces to reach.
    pub fn pattern(self) -> Option<TraceSyntax<'t>> {
        child(self.0)
    }
}

impl<'t> ReplaceRule<'t> {
    /// The new rule.
    pub fn rule(self) -> Option<SpecRule<'t>> {
        child(self.0)
    }
}

impl<'t> DropPart<'t> {
    /// `when`, `history` or `future`.
    pub fn part(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// The operation.
    pub fn operation(self) -> Option<Name<'t>> {
        words(self.0).nth(3)
    }
}

impl<'t> MergeRules<'t> {
    /// The operation.
    pub fn operation(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }
}

/// Implements the view of a node whose children are patterns.
macro_rules! of_patterns {
    ($($view:ident)+) => { $(
        impl<'t> $view<'t> {
            /// Its parts, in order.
            pub fn patterns(self) -> impl Iterator<Item = TraceSyntax<'t>> + Clone {
                children(self.0)
            }
        }
    )+ };
}

of_patterns! { EitherTrace BothTraces TraceSequence TraceGroup RepeatedTrace LastEvent OtherEvent
ExpectedEvent }

impl<'t> EventPattern<'t> {
    /// The operation.
    pub fn operation(self) -> Option<Name<'t>> {
        name(self.0)
    }

    /// The arguments in parentheses, if there are any.
    pub fn args(self) -> Option<EventArgs<'t>> {
        child(self.0)
    }

    /// The condition in braces.
    pub fn condition(self) -> Option<Expr<'t>> {
        let condition: EventCondition<'t> = child(self.0)?;
        child(condition.0)
    }
}

impl<'t> EventArgs<'t> {
    /// The arguments.
    pub fn args(self) -> impl Iterator<Item = EventArg<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> EventArg<'t> {
    /// The name of the field, if it is written.
    pub fn field(self) -> Option<Name<'t>> {
        self.0.token(TokenKind::Colon).and_then(|_| name(self.0))
    }

    /// The value; `None` for `..`.
    pub fn value(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}
