//! Views of declarations.

use super::{
    AgainstTest, Binder, Block, Expr, Name, RelItem, SpecItem, TestItem, Type, VerifyItem,
    WeakenItem, WorldItem, child, child_after, children, docs, forms, name, views, word_after,
    words,
};
use crate::kind::TokenKind;

forms! {
    /// A declaration at the top of a file.
    Item {
        /// `use a`.
        Use(UseItem),
        /// `type A = ..`.
        Type(TypeItem),
        /// `const A: T = e`.
        Const(ConstItem),
        /// `fn f() {}`.
        Fn(FnItem),
        /// `effect E {}`.
        Effect(EffectItem),
        /// `test "name" {}`.
        Test(TestItem),
        /// `test "name" against A.b {}`.
        Against(AgainstTest),
        /// `spec A {}`.
        Spec(SpecItem),
        /// `weaken A as B {}`.
        Weaken(WeakenItem),
        /// `verify f {}`.
        Verify(VerifyItem),
        /// `world w {}`.
        World(WorldItem),
        /// `rel r() {}`.
        Rel(RelItem),
    }
}

impl<'t> Item<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.node())
    }

    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.node())
    }

    /// The name it declares; tests and `use` declare none.
    pub fn name(self) -> Option<Name<'t>> {
        match self {
            Self::Type(it) => it.name(),
            Self::Const(it) => it.name(),
            Self::Fn(it) => it.name(),
            Self::Effect(it) => it.name(),
            Self::Spec(it) => it.name(),
            Self::Weaken(it) => it.name(),
            Self::World(it) => it.name(),
            Self::Rel(it) => it.name(),
            Self::Use(_) | Self::Test(_) | Self::Against(_) | Self::Verify(_) => None,
        }
    }
}

views! {
    /// A whole file.
    File;
    /// Names joined by dots: `a`, `a.b`.
    Path;
    /// `@name(args)`.
    Attribute;
    /// The arguments of an attribute, in parentheses.
    AttributeArgs;
    /// `e` or `key = e` in an attribute.
    AttributeArg;
    /// `use a`, `use a.{b, C}`.
    UseItem;
    /// `{b, C}` of a `use`.
    UseList;
    /// `type Name<A> = body`.
    TypeItem;
    /// The declared type parameters, `<A, B>`.
    TypeParams;
    /// One declared type parameter.
    TypeParam;
    /// The constructors of a sum.
    SumBody;
    /// A constructor and its fields.
    Ctor;
    /// The fields of a constructor, in parentheses.
    CtorFields;
    /// `T` or `name: T` in a constructor.
    CtorField;
    /// The fields of a record, in braces.
    RecordBody;
    /// `name: T` in a record.
    FieldDecl;
    /// `const NAME: T = e`.
    ConstItem;
    /// A function; one without a body is a builtin.
    FnItem;
    /// The parameters of a function, in parentheses.
    Params;
    /// `name: T`.
    Param;
    /// `-> T`.
    ReturnType;
    /// `! [A.b, C, e]`.
    EffectRow;
    /// `in { e }`.
    InClause;
    /// `out (r) { e }`.
    OutClause;
    /// `effect Name { operations }`, or the same with `system`.
    EffectItem;
    /// One operation of an effect.
    Operation;
}

impl<'t> File<'t> {
    /// The declarations, in order.
    pub fn items(self) -> impl Iterator<Item = Item<'t>> + Clone {
        children(self.0)
    }

    /// The expression of a tree made by `parse_expression`.
    pub fn expr(self) -> Option<Expr<'t>> {
        child(self.0)
    }

    /// The type of a tree made by `parse_type`.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> Path<'t> {
    /// The names, from left to right; at least one in well-formed code.
    pub fn names(self) -> impl Iterator<Item = Name<'t>> + Clone {
        words(self.0)
    }

    /// The last name: what the path names.
    pub fn last(self) -> Option<Name<'t>> {
        self.names().last()
    }

    /// All names but the last.
    pub fn qualifiers(self) -> impl Iterator<Item = Name<'t>> + Clone {
        let count = self.names().count();
        self.names().take(count.saturating_sub(1))
    }

    /// The names joined by dots, without trivia.
    pub fn dotted(self) -> String {
        let names: Vec<&str> = self.names().map(Name::text).collect();
        names.join(".")
    }
}

impl<'t> Attribute<'t> {
    /// The name after `@`.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The arguments; empty without parentheses.
    pub fn args(self) -> impl Iterator<Item = AttributeArg<'t>> + Clone {
        child::<AttributeArgs<'t>>(self.0).into_iter().flat_map(|args| children(args.0))
    }
}

impl<'t> AttributeArgs<'t> {
    /// The arguments.
    pub fn args(self) -> impl Iterator<Item = AttributeArg<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> AttributeArg<'t> {
    /// The key before `=`.
    pub fn key(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The value: all of it, or what follows `=`.
    pub fn value(self) -> Option<Expr<'t>> {
        child(self.0)
    }
}

impl<'t> UseItem<'t> {
    /// The module.
    pub fn path(self) -> Option<Path<'t>> {
        child(self.0)
    }

    /// The names in braces; `None` when the module itself is imported.
    pub fn list(self) -> Option<UseList<'t>> {
        child(self.0)
    }
}

impl<'t> UseList<'t> {
    /// The imported names.
    pub fn names(self) -> impl Iterator<Item = Name<'t>> + Clone {
        words(self.0)
    }
}

/// The right-hand side of a type declaration.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum TypeBody<'t> {
    /// `A | B(T)`.
    Sum(SumBody<'t>),
    /// `{ f: T }`.
    Record(RecordBody<'t>),
    /// Another type.
    Alias(Type<'t>),
}

impl<'t> TypeItem<'t> {
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

    /// The right-hand side; built-in types have none.
    pub fn body(self) -> Option<TypeBody<'t>> {
        child(self.0)
            .map(TypeBody::Sum)
            .or_else(|| child(self.0).map(TypeBody::Record))
            .or_else(|| child(self.0).map(TypeBody::Alias))
    }
}

impl<'t> TypeParams<'t> {
    /// The parameters.
    pub fn params(self) -> impl Iterator<Item = TypeParam<'t>> + Clone {
        children(self.0)
    }

    /// The names of the parameters.
    pub fn names(self) -> impl Iterator<Item = Name<'t>> + Clone {
        self.params().filter_map(TypeParam::name)
    }
}

impl<'t> TypeParam<'t> {
    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }
}

impl<'t> SumBody<'t> {
    /// The constructors.
    pub fn ctors(self) -> impl Iterator<Item = Ctor<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Ctor<'t> {
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

    /// The fields; `None` without parentheses.
    pub fn field_list(self) -> Option<CtorFields<'t>> {
        child(self.0)
    }

    /// The fields; empty without parentheses.
    pub fn fields(self) -> impl Iterator<Item = CtorField<'t>> + Clone {
        self.field_list().into_iter().flat_map(|list| children(list.0))
    }
}

impl<'t> CtorFields<'t> {
    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = CtorField<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> CtorField<'t> {
    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The name before `:`; positional fields have none.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The type.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> RecordBody<'t> {
    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = FieldDecl<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> FieldDecl<'t> {
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
        words(self.0).next()
    }

    /// The type.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> ConstItem<'t> {
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

    /// The type.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }

    /// The value.
    pub fn value(self) -> Option<Expr<'t>> {
        child_after(self.0, TokenKind::Eq)
    }
}

impl<'t> FnItem<'t> {
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

    /// The result type; `None` stands for `Unit`.
    pub fn return_type(self) -> Option<Type<'t>> {
        child::<ReturnType<'t>>(self.0).and_then(ReturnType::ty)
    }

    /// The effects after `!`.
    pub fn effects(self) -> Option<EffectRow<'t>> {
        child(self.0)
    }

    /// The preconditions.
    pub fn in_clauses(self) -> impl Iterator<Item = InClause<'t>> + Clone {
        children(self.0)
    }

    /// The postconditions.
    pub fn out_clauses(self) -> impl Iterator<Item = OutClause<'t>> + Clone {
        children(self.0)
    }

    /// The body; built-in functions have none.
    pub fn body(self) -> Option<Block<'t>> {
        child(self.0)
    }
}

impl<'t> Params<'t> {
    /// The parameters.
    pub fn params(self) -> impl Iterator<Item = Param<'t>> + Clone {
        children(self.0)
    }

    /// The parameters with a generator or a condition, which only properties have.
    pub fn binders(self) -> impl Iterator<Item = Binder<'t>> + Clone {
        children(self.0)
    }

    /// All parameters, those without generator and condition included, as inputs.
    pub fn inputs(self) -> impl Iterator<Item = Binder<'t>> + Clone {
        self.0.children().filter_map(Binder::of_input)
    }
}

impl<'t> Param<'t> {
    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        name(self.0)
    }

    /// The type.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> ReturnType<'t> {
    /// The type.
    pub fn ty(self) -> Option<Type<'t>> {
        child(self.0)
    }
}

impl<'t> EffectRow<'t> {
    /// The effects: `Disk`, `Random.int`, or a variable.
    pub fn effects(self) -> impl Iterator<Item = Path<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> InClause<'t> {
    /// The precondition.
    pub fn condition(self) -> Option<Block<'t>> {
        child(self.0)
    }
}

impl<'t> OutClause<'t> {
    /// The name of the result in the condition.
    pub fn result(self) -> Option<Name<'t>> {
        word_after(self.0, TokenKind::LParen)
    }

    /// The postcondition.
    pub fn condition(self) -> Option<Block<'t>> {
        child(self.0)
    }
}

impl<'t> EffectItem<'t> {
    /// The attributes before it.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.0)
    }

    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The name after `effect` or `system`.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).nth(1)
    }

    /// Whether it is a `system`, which is not a keyword anywhere else.
    pub fn is_system(self) -> bool {
        self.0.tokens().all(|it| it.kind() != TokenKind::EffectKw)
    }

    /// The operations.
    pub fn operations(self) -> impl Iterator<Item = Operation<'t>> + Clone {
        children(self.0)
    }
}

impl<'t> Operation<'t> {
    /// The attributes before it, which give the kind of the operation.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> + Clone {
        children(self.0)
    }

    /// The doc comment before it.
    pub fn docs(self) -> Option<String> {
        docs(self.0)
    }

    /// The name.
    pub fn name(self) -> Option<Name<'t>> {
        words(self.0).next()
    }

    /// The type parameters; `None` without `<>`.
    pub fn type_params(self) -> Option<TypeParams<'t>> {
        child(self.0)
    }

    /// The parameters.
    pub fn params(self) -> Option<Params<'t>> {
        child(self.0)
    }

    /// The result type; `None` stands for `Unit`.
    pub fn return_type(self) -> Option<Type<'t>> {
        child::<ReturnType<'t>>(self.0).and_then(ReturnType::ty)
    }
}
