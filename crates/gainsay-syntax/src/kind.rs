//! Token kinds and node kinds.

/// The kind of a token. The order matters: `is_trivia` and `is_keyword` compare ranges.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TokenKind {
    /// Spaces, tabs and a byte order mark, without a line break.
    Whitespace,
    /// White space with at least one line break.
    Newline,
    /// `// text`.
    Comment,
    /// `/// text`.
    DocComment,
    /// `#!text` at the start of the file.
    Shebang,
    /// Characters that start no token.
    Unknown,

    /// A name.
    Ident,
    /// A whole number, or the index of a tuple field.
    Int,
    /// A number with a fraction or an exponent.
    Float,
    /// `"text"`.
    Str,
    /// `'c'`.
    Char,

    /// `use`.
    UseKw,
    /// `type`.
    TypeKw,
    /// `const`.
    ConstKw,
    /// `fn`.
    FnKw,
    /// `effect`.
    EffectKw,
    /// `let`.
    LetKw,
    /// `if`.
    IfKw,
    /// `else`.
    ElseKw,
    /// `match`.
    MatchKw,
    /// `true`.
    TrueKw,
    /// `false`.
    FalseKw,
    /// `observe`.
    ObserveKw,
    /// `assume`.
    AssumeKw,
    /// `throws`.
    ThrowsKw,
    /// `across`.
    AcrossKw,
    /// `under`.
    UnderKw,
    /// `par`.
    ParKw,
    /// `test`.
    TestKw,
    /// `verify`.
    VerifyKw,
    /// `rel`.
    RelKw,

    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Star,
    /// `/`.
    Slash,
    /// `%`.
    Percent,
    /// `++`.
    PlusPlus,
    /// `==`.
    EqEq,
    /// `!=`.
    NotEq,
    /// `<`.
    Less,
    /// `<=`.
    LessEq,
    /// `>`.
    Greater,
    /// `>=`; after a type the parser reads two tokens.
    GreaterEq,
    /// `==>`.
    Implies,
    /// `<=>`.
    Iff,
    /// `&&`.
    AndAnd,
    /// `||`.
    OrOr,
    /// `!`.
    Bang,
    /// `|>`.
    Pipe,
    /// `|`.
    Bar,
    /// `&`, between patterns of events.
    Amp,
    /// `->`.
    Arrow,
    /// `=>`.
    FatArrow,
    /// `<-`; where a comparison is possible the parser reads two tokens.
    LeftArrow,
    /// `=`.
    Eq,
    /// `.`.
    Dot,
    /// `..`.
    DotDot,
    /// `..=`.
    DotDotEq,
    /// `,`.
    Comma,
    /// `;`.
    Semicolon,
    /// `:`.
    Colon,
    /// `?`.
    Question,
    /// `@`.
    At,
    /// `_`.
    Underscore,
    /// `(`.
    LParen,
    /// `)`.
    RParen,
    /// `[`.
    LBracket,
    /// `]`.
    RBracket,
    /// `{`.
    LBrace,
    /// `}`.
    RBrace,

    /// The end of what the parser may see; never in a tree.
    Eof,
}

impl TokenKind {
    /// Whether the grammar skips it. Doc comments count, because only declarations claim them.
    pub fn is_trivia(self) -> bool {
        self <= Self::Unknown
    }

    /// Whether it is a reserved word.
    pub fn is_keyword(self) -> bool {
        self >= Self::UseKw && self <= Self::RelKw
    }

    /// Whether it is a name or reserved word: both may follow a `.` or label an argument.
    pub fn is_word(self) -> bool {
        self == Self::Ident || self.is_keyword()
    }

    /// The keyword a word spells, if any.
    pub(crate) fn keyword(word: &str) -> Option<Self> {
        Some(match word {
            "use" => Self::UseKw,
            "type" => Self::TypeKw,
            "const" => Self::ConstKw,
            "fn" => Self::FnKw,
            "effect" => Self::EffectKw,
            "let" => Self::LetKw,
            "if" => Self::IfKw,
            "else" => Self::ElseKw,
            "match" => Self::MatchKw,
            "true" => Self::TrueKw,
            "false" => Self::FalseKw,
            "observe" => Self::ObserveKw,
            "assume" => Self::AssumeKw,
            "throws" => Self::ThrowsKw,
            "across" => Self::AcrossKw,
            "under" => Self::UnderKw,
            "par" => Self::ParKw,
            "test" => Self::TestKw,
            "verify" => Self::VerifyKw,
            "rel" => Self::RelKw,
            _ => return None,
        })
    }
}

/// The kind of a node. The comment shows the syntax; the typed view of the same name reads it.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum NodeKind {
    /// A whole file, or the root of a standalone expression or type.
    File,
    /// Tokens skipped by error recovery.
    Error,

    /// `a`, `a.b`.
    Path,
    /// `@name`, `@name(args)`.
    Attribute,
    /// `(a, key = e)` of an attribute.
    AttributeArgs,
    /// `a`, `key = e`.
    AttributeArg,

    /// `use a`, `use a.{b, C}`.
    UseItem,
    /// `{b, C}`.
    UseList,
    /// `type Name<A> = body`.
    TypeItem,
    /// `<A, B>` where names are declared.
    TypeParams,
    /// `A` in type parameters.
    TypeParam,
    /// `A | B(T)`.
    SumBody,
    /// `B(T)`, with its leading `|`.
    Ctor,
    /// `(T, name: T)`.
    CtorFields,
    /// `T`, `name: T`.
    CtorField,
    /// `{ f: T }`.
    RecordBody,
    /// `f: T`.
    FieldDecl,
    /// `const NAME: T = e`.
    ConstItem,
    /// `fn name<A>(params) -> T ! [row] in {} out (r) {} {}`.
    FnItem,
    /// `(x: T, y: U)`.
    Params,
    /// `x: T`.
    Param,
    /// `-> T`.
    ReturnType,
    /// `! [A.b, C, e]`.
    EffectRow,
    /// `in { e }`.
    InClause,
    /// `out (r) { e }`.
    OutClause,
    /// `effect Name { operations }`.
    EffectItem,
    /// `name(params) -> T` in an effect.
    Operation,

    /// `test "name" {}`.
    TestItem,
    /// `test "name" against A.b { lines }`.
    AgainstTest,
    /// `state: T = e` in a test against a specification.
    SystemState,
    /// `pending => e` in a test against a specification.
    PendingEvents,
    /// `spec Name { declarations }`.
    SpecItem,
    /// `weaken A as B { weakenings }`.
    WeakenItem,
    /// `sort Name { a, b }` in a spec.
    SortDecl,
    /// `{ a, b }` of a sort.
    SortValues,
    /// `data Name { A, B(T) }` in a spec.
    DataDecl,
    /// `{ A, B(T) }` of a data type.
    DataCtors,
    /// `B(T)` of a data type.
    DataCtor,
    /// `fn f(x: T) -> U = e` in a spec.
    SpecFn,
    /// `axiom forall (x: T) e`.
    Axiom,
    /// `gen push(x: Int)`, `obs ..`, `ghost ..`.
    EventDecl,
    /// `init [event]`.
    InitDecl,
    /// `rule push(x) given (n: Int) when e { clauses }`.
    SpecRule,
    /// `(x, _, y: T)` of a rule.
    RuleParams,
    /// `x`, `_`, `y: T` of a rule.
    RuleParam,
    /// `history pattern`.
    HistoryClause,
    /// `future pattern`.
    FutureClause,
    /// `emits event, event`.
    EmitsClause,
    /// `owes event, event`.
    OwesClause,
    /// `violation name(x: T) = pattern`, `scenario ..`.
    GoalDecl,
    /// `replace rule ..`.
    ReplaceRule,
    /// `drop history of push`.
    DropPart,
    /// `merge push`.
    MergeRules,
    /// `pattern || pattern`.
    EitherTrace,
    /// `pattern && pattern`.
    BothTraces,
    /// `[element, element]`.
    TraceSequence,
    /// `(pattern)`.
    TraceGroup,
    /// `element*`.
    RepeatedTrace,
    /// `last(event)`.
    LastEvent,
    /// `..` in a pattern of events.
    AnyEvents,
    /// `any` in a pattern of events.
    AnyEvent,
    /// `!event`, `!{event, event}`.
    OtherEvent,
    /// `expect event`.
    ExpectedEvent,
    /// `push(x, size: n){e}`.
    EventPattern,
    /// `(x, size: n)` of an event.
    EventArgs,
    /// `x`, `size: n`, `..` of an event.
    EventArg,
    /// `{e}` of an event.
    EventCondition,
    /// `verify f trace law name {}`.
    VerifyItem,
    /// `given x: T = e`.
    Given,
    /// `given world: name`.
    GivenWorld,
    /// `when e`.
    When,
    /// `lhs => rhs`.
    Case,
    /// `world name { bindings }`.
    WorldItem,
    /// `Effect.method = e`.
    Binding,
    /// `rel name(params) { rules }`.
    RelItem,
    /// `label: w % conclusion <- premise, premise`.
    Rule,
    /// `w %`.
    Weight,

    /// `m.Name<A>`.
    PathType,
    /// `<A, B>` where types are given.
    TypeArgs,
    /// `(A, B)`, `()`.
    TupleType,
    /// `(A)`.
    ParenType,
    /// `(A, B) -> C ! [e]`.
    FnType,
    /// `(A, B)` of a function type.
    FnTypeParams,
    /// `T?`.
    OptionType,
    /// `T{e}`.
    RefinedType,

    /// `_`.
    WildcardPat,
    /// `x`.
    BindPat,
    /// `1`, `-1`, `"a"`, `true`.
    LiteralPat,
    /// `(p, q)`, `()`.
    TuplePat,
    /// `(p)`.
    ParenPat,
    /// `C`, `m.C(p, f: q, ..)`.
    CtorPat,
    /// `p`, `f: p` in a constructor pattern.
    PatArg,
    /// `C { f: p, g, .. }`.
    RecordPat,
    /// `f: p`, `g` in a record pattern.
    PatField,
    /// `[p, ..rest]`.
    ListPat,
    /// `..`, `..rest`.
    RestPat,
    /// `p | q`.
    OrPat,

    /// `{ statements }`.
    Block,
    /// `let p: T = e`.
    LetStmt,
    /// `1`, `"a"`, `true`.
    LiteralExpr,
    /// `x`.
    NameExpr,
    /// `_`.
    HoleExpr,
    /// `(a, b)`, `()`.
    TupleExpr,
    /// `(a)`.
    ParenExpr,
    /// `[a, ..b]`.
    ListExpr,
    /// `..b` in a list.
    Spread,
    /// `m.Name { f: e, g }`.
    RecordExpr,
    /// `f: e`, `g`.
    RecordField,
    /// `{ ..a, f: e }`.
    UpdateExpr,
    /// `f<T>(args)`.
    CallExpr,
    /// `(a, name: b)`.
    Args,
    /// `a`, `name: b`.
    Arg,
    /// `a.f`.
    FieldExpr,
    /// `a.0`.
    IndexExpr,
    /// `a.f<T>(args)`.
    MethodExpr,
    /// `e?`.
    TryExpr,
    /// `e !x`.
    SampleExpr,
    /// `-e`, `!e`.
    UnaryExpr,
    /// `a + b`.
    BinaryExpr,
    /// `a..b`, `a..=b`: only after `given x: T =`.
    RangeExpr,
    /// `|x, y: T| e`.
    LambdaExpr,
    /// `|x, y: T|`.
    LambdaParams,
    /// `x`, `(a, b)`, `y: T` of a lambda.
    LambdaParam,
    /// `if c {} else {}`.
    IfExpr,
    /// `match e { arms }`.
    MatchExpr,
    /// `w % p if g => e`.
    Arm,
    /// `if g` of an arm.
    Guard,
    /// `observe e`.
    ObserveExpr,
    /// `assume e`.
    AssumeExpr,
    /// `throws(Kind) {}`.
    ThrowsExpr,
    /// `under (bindings) {}`, `under world {}`.
    UnderExpr,
    /// `across (binders) {}`.
    AcrossExpr,
    /// `x: T where e`, `x <- g where e`.
    Binder,
    /// `par (a, b)`, `par? (a, b)`.
    ParExpr,
}
