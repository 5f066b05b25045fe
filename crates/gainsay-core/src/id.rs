//! Id types: one newtype per table, so that ids of different tables cannot be confused.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)+) => {
        $($(#[$doc])*
        #[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into the table it belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })+
    };
}

ids! {
    /// A module of the program.
    ModuleId
    /// A nominal type: a sum or a record.
    TypeId
    /// A constructor of a sum, or the one constructor of a record.
    CtorId
    /// An effect namespace, as in `Random`.
    EffectId
    /// An operation of an effect, as in `Random.int`.
    OpId
    /// A function: declared, or generated for a lambda, a refinement, a constant or a claim.
    FunctionId
    /// A constant.
    ConstId
    /// A row of the builtin table.
    BuiltinId
    /// A relation.
    RelId
    /// A declared world.
    WorldId
    /// A claim.
    ClaimId
    /// A local variable of one function.
    LocalId
    /// A term of one body.
    TermId
    /// A pattern of one body.
    PatternId
    /// An interned type.
    TyId
    /// An interned effect row.
    RowId
}
