//! Traces of calls: what they are made of, and who takes them down. Both engines use these,
//! each with its own kind of value.

use gainsay_core::{CtorId, FunctionId, FunctionKind, OpId, Program, Term, TermId};

use crate::limits::{words_of_fields, words_of_list};

/// The constructors that traces are made of.
#[derive(Copy, Clone)]
pub(crate) struct TraceCtors {
    pub(crate) event: CtorId,
    pub(crate) trace: CtorId,
    pub(crate) traced: CtorId,
}

impl TraceCtors {
    /// Those of a program, if it knows them.
    pub(crate) fn of(program: &Program) -> Option<Self> {
        Some(Self {
            event: std_ctor(program, "trace", "EffectEvent")?,
            trace: std_ctor(program, "trace", "Trace")?,
            traced: std_ctor(program, "trace", "Traced")?,
        })
    }
}

/// The constructor of `BranchPath`, if the program knows the type.
pub(crate) fn branch_path(program: &Program) -> Option<CtorId> {
    std_ctor(program, "branch_path", "BranchPath")
}

/// The first constructor of a type of the standard library.
fn std_ctor(program: &Program, module: &str, name: &str) -> Option<CtorId> {
    let def = program.nominals.iter().find(|it| {
        let declared_in = program.module(it.module);
        &*it.name == name && &*declared_in.name == module && declared_in.is_std
    })?;
    def.ctors.first().copied()
}

/// Takes down the effects of one traced call.
pub(crate) struct CallTraceRecorder<V> {
    /// Whose effects and groups are direct; everybody's when the called function is not known.
    owner: Option<FunctionId>,
    pub(crate) direct: RecordedEffects<V>,
    pub(crate) deep: RecordedEffects<V>,
}

/// Effects, and where they stand in groups of `par`.
///
/// The place of an effect is its *trail*: the number of a group among those that were opened
/// on the same level, then a branch of it, then a group inside that branch, and so on. Paths
/// do not tell groups apart: branch 0 of each has the same.
pub(crate) struct RecordedEffects<V> {
    pub(crate) events: Vec<(V, Box<[u32]>)>,
    /// The trail of what happens now.
    trail: Vec<u32>,
    /// How many groups were opened on each level of the trail, the root among them.
    n_groups: Vec<u32>,
}

/// Whether a branch of a group is the first of them to run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum BranchStart {
    First,
    Later,
}

impl<V> RecordedEffects<V> {
    fn new() -> Self {
        Self { events: Vec::new(), trail: Vec::new(), n_groups: vec![0] }
    }

    fn record(&mut self, event: V) {
        self.events.push((event, self.trail.as_slice().into()));
    }

    fn enter(&mut self, branch: u32, turn: BranchStart) {
        let level = self.n_groups.last_mut().expect("the root is a level");
        *level += u32::from(turn == BranchStart::First);
        let group = level.saturating_sub(1);
        self.trail.extend([group, branch]);
        self.n_groups.push(0);
    }

    fn leave(&mut self) {
        self.trail.truncate(self.trail.len().saturating_sub(2));
        self.n_groups.truncate(self.n_groups.len().saturating_sub(1).max(1));
    }

    /// Words that they take as a `Trace`: a pair and a list of integers for each.
    pub(crate) fn n_words(&self) -> u64 {
        let n_steps = self.events.len() as u64;
        let trails = self.events.iter().map(|(_, trail)| words_of_list(trail.len() as u64));
        let steps = words_of_fields(2) * n_steps + trails.sum::<u64>();
        words_of_fields(1) + words_of_list(n_steps) + steps
    }
}

impl<V: Clone> CallTraceRecorder<V> {
    /// One for a call that is a term of a function.
    pub(crate) fn new(program: &Program, function: FunctionId, call: TermId) -> Self {
        let owner = called_function(program, function, call);
        Self { owner, direct: RecordedEffects::new(), deep: RecordedEffects::new() }
    }

    /// Takes down an effect that a function performs.
    pub(crate) fn record(&mut self, program: &Program, function: FunctionId, event: &V) {
        self.traces_of(program, function).for_each(|steps| steps.record(event.clone()));
    }

    /// A branch of a group that a function opened begins.
    pub(crate) fn enter(
        &mut self,
        program: &Program,
        function: FunctionId,
        branch: u32,
        turn: BranchStart,
    ) {
        self.traces_of(program, function).for_each(|steps| steps.enter(branch, turn));
    }

    /// The branch of a function that began last ends, in whatever way.
    pub(crate) fn leave(&mut self, program: &Program, function: FunctionId) {
        self.traces_of(program, function).for_each(RecordedEffects::leave);
    }

    /// Where something is noted that a function does.
    fn traces_of(
        &mut self,
        program: &Program,
        function: FunctionId,
    ) -> impl Iterator<Item = &mut RecordedEffects<V>> {
        let writer = enclosing_function(program, function);
        let is_direct = self.owner.is_none_or(|owner| owner == writer);
        [&mut self.deep].into_iter().chain(is_direct.then_some(&mut self.direct))
    }
}

/// Whether an operation is one that traces tell. `Draw` is no effect of the program: it is put into
/// a copy of it, by whoever draws its inputs or listens to its values.
pub(crate) fn is_traced(program: &Program, op: OpId) -> bool {
    let effect = program.effect(program.op(op).effect);
    &*effect.name != "Draw" || !program.module(effect.module).is_std
}

/// How an event names its operation, and the branches of `par` around it.
pub(crate) fn event_texts(program: &Program, op: OpId, path: &[u32]) -> (String, String) {
    let path = path.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    (program.op_name(op), path)
}

/// The function that a term calls, under checks of its result.
fn called_function(
    program: &Program,
    function: FunctionId,
    mut term: TermId,
) -> Option<FunctionId> {
    let body = &program.function(function).body;
    while let Term::Refine { value, .. } = body.term(term) {
        term = *value;
    }
    let function = body.term(term).function()?;
    Some(enclosing_function(program, function))
}

/// The declared function in whose text a function is written.
fn enclosing_function(program: &Program, mut function: FunctionId) -> FunctionId {
    while let FunctionKind::Lambda(parent) = program.function(function).kind {
        function = parent;
    }
    function
}
