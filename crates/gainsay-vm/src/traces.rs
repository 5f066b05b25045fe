//! Traces of calls: what they are made of, and who takes them down. Both engines use these,
//! each with its own kind of value.

use gainsay_core::{CtorId, FunctionId, FunctionKind, OpId, Program, Term, TermId};

/// The constructors that traces are made of.
#[derive(Copy, Clone)]
pub(crate) struct TraceTypes {
    pub(crate) event: CtorId,
    pub(crate) trace: CtorId,
    pub(crate) traced: CtorId,
}

impl TraceTypes {
    /// Those of a program, if it knows them.
    pub(crate) fn of(program: &Program) -> Option<Self> {
        Some(Self {
            event: find_std(program, "trace", "EffectEvent")?,
            trace: find_std(program, "trace", "Trace")?,
            traced: find_std(program, "trace", "Traced")?,
        })
    }
}

/// The constructor of `BranchPath`, if the program knows the type.
pub(crate) fn branch_path(program: &Program) -> Option<CtorId> {
    find_std(program, "branch_path", "BranchPath")
}

/// The first constructor of a type of the standard library.
fn find_std(program: &Program, module: &str, name: &str) -> Option<CtorId> {
    let def = program.nominals.iter().find(|it| {
        let declared_in = program.module(it.module);
        &*it.name == name && &*declared_in.name == module && declared_in.is_std
    })?;
    def.ctors.first().copied()
}

/// Takes down the effects of one traced call.
pub(crate) struct Recorder<V> {
    /// Whose effects are direct; everybody's when the called function is not known.
    owner: Option<FunctionId>,
    pub(crate) direct: Vec<V>,
    pub(crate) deep: Vec<V>,
}

impl<V: Clone> Recorder<V> {
    /// One for a call that is a term of a function.
    pub(crate) fn new(program: &Program, function: FunctionId, call: TermId) -> Self {
        let owner = called(program, function, call);
        Self { owner, direct: Vec::new(), deep: Vec::new() }
    }

    /// Takes down an effect that a function performs.
    pub(crate) fn note(&mut self, program: &Program, function: FunctionId, event: &V) {
        self.deep.push(event.clone());
        let writer = written_in(program, function);
        if self.owner.is_none_or(|owner| owner == writer) {
            self.direct.push(event.clone());
        }
    }
}

/// How an event names its operation, and the branches of `par` around it.
pub(crate) fn event_texts(program: &Program, op: OpId, path: &[u32]) -> (String, String) {
    let path = path.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    (program.op_name(op), path)
}

/// The function that a term calls, under checks of its result.
fn called(program: &Program, function: FunctionId, mut term: TermId) -> Option<FunctionId> {
    let body = &program.function(function).body;
    while let Term::Refine { value, .. } = body.term(term) {
        term = *value;
    }
    let function = body.term(term).function()?;
    Some(written_in(program, function))
}

/// The declared function in whose text a function is written.
fn written_in(program: &Program, mut function: FunctionId) -> FunctionId {
    while let FunctionKind::Lambda(parent) = program.function(function).kind {
        function = parent;
    }
    function
}
