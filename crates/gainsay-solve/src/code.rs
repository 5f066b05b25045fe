//! Predicates as the machine runs them: the functions a query can reach, without type parameters.
//!
//! The compiler makes this form from core once per query. It differs from core where running with
//! unknowns needs it: matches have no guards, `?` is a match, and every type that an unknown can
//! have has a [`TypeShape`].

use gainsay_core::{BuiltinId, Comparison, ConstructorWeight, CtorId, Literal, TyId};

macro_rules! code_ids {
    ($($(#[$doc:meta])* $name:ident)+) => {
        $($(#[$doc])*
        #[derive(Debug, Copy, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        })+
    };
}

code_ids! {
    /// An expression of the code.
    ExprId
    /// A pattern of the code.
    MatcherId
    /// A function instance.
    CodeFnId
    /// A relation instance.
    CodeRelId
    /// The shape of a type.
    ShapeId
    /// A local of a frame.
    SlotId
}

/// All code that a query can reach.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) exprs: Vec<Expr>,
    /// The shapes of the values of branches and matches.
    pub(crate) expr_shapes: Vec<Option<ShapeId>>,
    /// What each expression can be, whatever the arguments of its function; by expression.
    pub(crate) expr_ranges: Vec<ResultRange>,
    pub(crate) matchers: Vec<Matcher>,
    pub(crate) functions: Vec<CodeFunction>,
    pub(crate) rels: Vec<CodeRel>,
    pub(crate) shapes: Vec<TypeShape>,
    /// The shape of booleans.
    pub(crate) bool_shape: ShapeId,
}

/// An expression. Evaluation is strict, and every part is evaluated at most once.
#[derive(Debug, Clone)]
pub(crate) enum Expr {
    Literal(Literal),
    Local(SlotId),
    Construct(CtorId, Box<[ExprId]>),
    Tuple(Box<[ExprId]>),
    List(Box<[ExprId]>, Option<ExprId>),
    Closure(CodeFnId, Box<[ExprId]>),
    Field(ExprId, u32),
    Update(ExprId, Box<[(u32, ExprId)]>),
    /// `a && b` and `a || b` are branches as well.
    If(ExprId, ExprId, ExprId),
    And(ExprId, ExprId),
    Or(ExprId, ExprId),
    Not(ExprId),
    Match(ExprId, Box<[CodeArm]>),
    /// Binds the locals of a pattern that always matches.
    Let(MatcherId, ExprId, ExprId),
    /// Evaluates the first for its faults, and returns the second.
    Then(ExprId, ExprId),
    Call(CodeFnId, Box<[ExprId]>),
    CallValue(ExprId, Box<[ExprId]>),
    Compare(Comparison, ExprId, ExprId),
    Arithmetic(Arithmetic, ExprId, ExprId),
    /// A builtin that runs once its arguments are known.
    Builtin(Box<KnownCall>),
    /// A builtin on a text, set or map that the machine looks into.
    Collection(CollectionOp, Box<KnownCall>),
    /// A relation as a condition.
    Rel(CodeRelId, Box<[ExprId]>),
    /// The value, on which a predicate must hold.
    Refine(ExprId, CodeFnId),
    /// Draws a local here, once the condition holds of it.
    Sample(ExprId, SlotId),
    /// A fault.
    Fail,
}

impl Expr {
    /// Calls `visit` with each part.
    pub(crate) fn each_part(&self, visit: &mut dyn FnMut(ExprId)) {
        match self {
            Expr::Literal(_) | Expr::Local(_) | Expr::Fail => {}
            Expr::Construct(_, parts)
            | Expr::Tuple(parts)
            | Expr::Closure(_, parts)
            | Expr::Call(_, parts)
            | Expr::Rel(_, parts) => parts.iter().copied().for_each(visit),
            Expr::Builtin(call) | Expr::Collection(_, call) => {
                call.args.iter().copied().for_each(visit);
            }
            Expr::List(items, rest) => items.iter().chain(rest).copied().for_each(visit),
            Expr::Field(base, _) | Expr::Not(base) => visit(*base),
            Expr::Refine(base, _) | Expr::Sample(base, _) => visit(*base),
            Expr::Update(base, fields) => {
                visit(*base);
                fields.iter().for_each(|(_, it)| visit(*it));
            }
            Expr::If(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            Expr::And(a, b) | Expr::Or(a, b) | Expr::Then(a, b) | Expr::Let(_, a, b) => {
                [*a, *b].into_iter().for_each(visit);
            }
            Expr::Compare(_, a, b) | Expr::Arithmetic(_, a, b) => {
                [*a, *b].into_iter().for_each(visit);
            }
            Expr::Match(scrutinee, arms) => {
                visit(*scrutinee);
                arms.iter().for_each(|arm| visit(arm.body));
            }
            Expr::CallValue(callee, args) => {
                visit(*callee);
                args.iter().copied().for_each(visit);
            }
        }
    }
}

/// A builtin whose arguments must be known.
#[derive(Debug, Clone)]
pub(crate) struct KnownCall {
    pub(crate) builtin: BuiltinId,
    pub(crate) args: Box<[ExprId]>,
    /// The shapes of the arguments.
    pub(crate) arg_shapes: Box<[ShapeId]>,
    /// The function in Gainsay that means the same, for arguments that are not known.
    pub(crate) model: Option<CodeFnId>,
}

/// What is done with a text, set or map.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum CollectionOp {
    /// The text of these characters.
    FromChars,
    /// The characters, elements or entries as a list.
    Items,
    /// How many there are.
    Len,
    /// The collection with an element or entry.
    Put,
    /// The collection without an element or key.
    Remove,
    /// Whether a set has an element.
    Contains,
    /// The value of a key of a map, if it has one.
    Get,
}

/// Arithmetic on integers.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// A side of a branch.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum BranchSide {
    /// Where the condition holds.
    Then,
    /// Where it does not.
    Otherwise,
}

impl BranchSide {
    /// A comparison that holds on this side if the condition is the given one.
    pub(crate) fn comparison(self, condition: Comparison) -> Comparison {
        match self {
            BranchSide::Then => condition,
            BranchSide::Otherwise => condition.negated(),
        }
    }
}

/// One arm of a match.
#[derive(Debug, Clone)]
pub(crate) struct CodeArm {
    pub(crate) matcher: MatcherId,
    pub(crate) weight: Option<ExprId>,
    pub(crate) body: ExprId,
}

/// A pattern.
#[derive(Debug, Clone)]
pub(crate) enum Matcher {
    Any,
    Bind(SlotId),
    Literal(Literal),
    Tuple(Box<[MatcherId]>),
    Ctor(CtorId, Box<[MatcherId]>),
    /// The first elements, and a pattern for what follows; nothing follows if there is none.
    List(Box<[MatcherId]>, Option<MatcherId>),
    Or(Box<[MatcherId]>),
}

/// A function instance.
#[derive(Debug, Clone)]
pub(crate) struct CodeFunction {
    pub(crate) n_slots: u32,
    /// What must hold of the parameters: conditions over the frame.
    pub(crate) requires: Box<[ExprId]>,
    pub(crate) body: ExprId,
    /// What must hold of the result, and the slot that it is in meanwhile.
    pub(crate) ensures: Box<[(Option<SlotId>, ExprId)]>,
    pub(crate) result: ShapeId,
    /// What is known of an integer result, whatever the arguments.
    pub(crate) result_range: ResultRange,
}

/// What is known of a value before it is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResultRange {
    /// No call returns.
    Never,
    /// Nothing is known.
    Any,
    /// An integer between these.
    Int(i64, i64),
    /// The parts of a tuple.
    Tuple(Box<[ResultRange]>),
    /// One of these constructors, each with the ranges of its fields; sorted by constructor.
    Data(Box<[(CtorId, Box<[ResultRange]>)]>),
    /// A list that is not empty.
    NonEmpty,
}

/// A relation instance.
#[derive(Debug, Clone)]
pub(crate) struct CodeRel {
    pub(crate) rules: Box<[CodeRule]>,
    pub(crate) params: Box<[ShapeId]>,
}

/// A rule of a relation.
#[derive(Debug, Clone)]
pub(crate) struct CodeRule {
    /// The shapes of its variables.
    pub(crate) slots: Box<[ShapeId]>,
    pub(crate) weight: Option<ExprId>,
    /// A term for each argument; `None` is `_`.
    pub(crate) conclusion: Box<[Option<ExprId>]>,
    pub(crate) premises: Box<[ExprId]>,
    /// Whether a premise is the relation itself.
    pub(crate) is_recursive: bool,
}

/// The values of a type, as far as the machine makes them.
#[derive(Debug, Clone)]
pub(crate) struct TypeShape {
    pub(crate) ty: TyId,
    pub(crate) kind: ShapeKind,
    /// Whether values can be arbitrarily large.
    pub(crate) is_sized: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum ShapeKind {
    Int,
    Bool,
    Char,
    Tuple(Box<[ShapeId]>),
    List(ShapeId),
    Sum(Box<[CtorShape]>),
    /// Texts, sets and maps.
    Collection(CollectionShape),
    /// Values of a shape on which a predicate holds.
    Refined(ShapeId, CodeFnId),
    /// Values that the machine does not look into.
    Opaque,
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum CollectionKind {
    Text,
    Set,
    Map,
}

/// A text, set or map is the list of its characters, elements or entries. Those of sets and maps
/// are in ascending order, so that equal ones are equal lists.
#[derive(Debug, Copy, Clone)]
pub(crate) struct CollectionShape {
    pub(crate) kind: CollectionKind,
    pub(crate) list: ShapeId,
    /// The number of elements of such a list.
    pub(crate) len: CodeFnId,
    /// For sets and maps.
    pub(crate) table: Option<TableFunctions>,
}

/// Functions on the lists that are sets or maps.
#[derive(Debug, Copy, Clone)]
pub(crate) struct TableFunctions {
    /// Whether a list is in order.
    pub(crate) is_ascending: CodeFnId,
    /// The list with an element or entry.
    pub(crate) insert: CodeFnId,
    /// The list without an element or key.
    pub(crate) remove: CodeFnId,
}

/// A constructor of a sum or record.
#[derive(Debug, Clone)]
pub(crate) struct CtorShape {
    pub(crate) ctor: CtorId,
    pub(crate) fields: Box<[ShapeId]>,
    pub(crate) weight: ConstructorWeight,
    /// The height of the smallest value; `None` if there is none.
    pub(crate) height: Option<u32>,
    /// How many fields share the size.
    pub(crate) n_sized: u32,
    /// How many fields can contain values of the type itself.
    pub(crate) n_recursive: u32,
}

impl CtorShape {
    /// The size of each field. Below 0 it says how far a value has grown beyond its size; two parts
    /// that go on count more than one, because they double.
    pub(crate) fn share(&self, size: i32) -> i32 {
        const BRANCHING: i32 = 6;
        match (self.n_sized, self.n_recursive) {
            (0, _) => size,
            (n, _) if size > 0 => (size - 1) / n as i32,
            (_, 0) => size,
            (_, 1) => size - 1,
            (_, _) => size - BRANCHING,
        }
    }
}

impl Code {
    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// What an expression can be, whatever the arguments of its function.
    pub(crate) fn expr_range(&self, id: ExprId) -> &ResultRange {
        self.expr_ranges.get(id.index()).unwrap_or(&ResultRange::Any)
    }

    pub(crate) fn matcher(&self, id: MatcherId) -> &Matcher {
        &self.matchers[id.index()]
    }

    pub(crate) fn function(&self, id: CodeFnId) -> &CodeFunction {
        &self.functions[id.index()]
    }

    pub(crate) fn rel(&self, id: CodeRelId) -> &CodeRel {
        &self.rels[id.index()]
    }

    /// Whether values of a shape are numbers and the like, of which there is no structure to find.
    pub(crate) fn is_scalar(&self, id: ShapeId) -> bool {
        match &self.shape(id).kind {
            ShapeKind::Int | ShapeKind::Bool | ShapeKind::Char | ShapeKind::Opaque => true,
            ShapeKind::Tuple(parts) => parts.iter().all(|it| self.is_scalar(*it)),
            ShapeKind::Refined(base, _) => self.is_scalar(*base),
            ShapeKind::List(_) | ShapeKind::Sum(_) | ShapeKind::Collection(_) => false,
        }
    }

    /// Whether values of a scalar shape have parts that the machine does not look into.
    pub(crate) fn is_opaque(&self, id: ShapeId) -> bool {
        match &self.shape(id).kind {
            ShapeKind::Opaque => true,
            ShapeKind::Tuple(parts) => parts.iter().any(|it| self.is_opaque(*it)),
            ShapeKind::Refined(base, _) => self.is_opaque(*base),
            _ => false,
        }
    }

    /// Whether an expression has a relation among its parts.
    pub(crate) fn mentions_rel(&self, id: ExprId, rel: CodeRelId) -> bool {
        let mut pending = vec![id];
        while let Some(next) = pending.pop() {
            if matches!(self.expr(next), Expr::Rel(found, _) if *found == rel) {
                return true;
            }
            self.expr(next).each_part(&mut |part| pending.push(part));
        }
        false
    }

    /// Whether a pattern has locals.
    pub(crate) fn binds(&self, id: MatcherId) -> bool {
        match self.matcher(id) {
            Matcher::Any | Matcher::Literal(_) => false,
            Matcher::Bind(_) => true,
            Matcher::Tuple(parts) | Matcher::Ctor(_, parts) | Matcher::Or(parts) => {
                parts.iter().any(|it| self.binds(*it))
            }
            Matcher::List(items, rest) => items.iter().chain(rest).any(|it| self.binds(*it)),
        }
    }

    pub(crate) fn shape(&self, id: ShapeId) -> &TypeShape {
        &self.shapes[id.index()]
    }

    pub(crate) fn add(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        self.expr_shapes.push(None);
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub(crate) fn add_matcher(&mut self, matcher: Matcher) -> MatcherId {
        self.matchers.push(matcher);
        MatcherId(self.matchers.len() as u32 - 1)
    }
}
