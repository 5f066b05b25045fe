//! Call traces: the constructors they are built from, and the recorder. Both engines use these,
//! each with its own value type.

use gainsay_core::{CtorId, FunctionId, FunctionKind, OpId, Program, Term, TermId};

use crate::limits::{words_of_fields, words_of_list};

/// The constructors of trace values.
#[derive(Copy, Clone)]
pub(crate) struct TraceCtors {
    pub(crate) event: CtorId,
    pub(crate) trace: CtorId,
    pub(crate) traced: CtorId,
}

impl TraceCtors {
    /// Looks them up in a program; `None` if it does not contain them.
    pub(crate) fn of(program: &Program) -> Option<Self> {
        Some(Self {
            event: std_ctor(program, "trace", "EffectEvent")?,
            trace: std_ctor(program, "trace", "Trace")?,
            traced: std_ctor(program, "trace", "Traced")?,
        })
    }
}

/// The constructor of `BranchPath`, if the program contains the type.
pub(crate) fn branch_path(program: &Program) -> Option<CtorId> {
    std_ctor(program, "branch_path", "BranchPath")
}

/// The first constructor of a standard-library type.
fn std_ctor(program: &Program, module: &str, name: &str) -> Option<CtorId> {
    let def = program.nominals.iter().find(|it| {
        let declared_in = program.module(it.module);
        &*it.name == name && &*declared_in.name == module && declared_in.is_std
    })?;
    def.ctors.first().copied()
}

/// Records the effects of one traced call.
pub(crate) struct CallTraceRecorder<V> {
    /// The function whose effects and groups count as direct; `None`, if the callee is unknown,
    /// makes all of them direct.
    owner: Option<FunctionId>,
    pub(crate) direct: RecordedEffects<V>,
    pub(crate) deep: RecordedEffects<V>,
}

/// Effects and their positions in `par` groups.
///
/// The position of an effect is its *trail*: the index of a group among those opened on the same
/// level, then a branch of it, then a group inside that branch, and so on. Branch paths alone
/// cannot distinguish groups: branch 0 of each has the same path.
pub(crate) struct RecordedEffects<V> {
    pub(crate) events: Vec<(V, Box<[u32]>)>,
    /// The trail of the current position.
    trail: Vec<u32>,
    /// Number of groups opened so far on each level of the trail, including the root.
    n_groups: Vec<u32>,
}

/// Whether a branch is the first of its group to run.
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
        // Only the first branch to run opens a new group; the others belong to the same one.
        *level += u32::from(turn == BranchStart::First);
        let group = level.saturating_sub(1);
        self.trail.extend([group, branch]);
        self.n_groups.push(0);
    }

    fn leave(&mut self) {
        self.trail.truncate(self.trail.len().saturating_sub(2));
        // Keep the root level even if `leave` is called too often.
        self.n_groups.truncate(self.n_groups.len().saturating_sub(1).max(1));
    }

    /// Words needed to represent them as a `Trace`: a pair and a list of integers for each event.
    pub(crate) fn n_words(&self) -> u64 {
        let n_steps = self.events.len() as u64;
        let trails = self.events.iter().map(|(_, trail)| words_of_list(trail.len() as u64));
        let steps = words_of_fields(2) * n_steps + trails.sum::<u64>();
        words_of_fields(1) + words_of_list(n_steps) + steps
    }
}

impl<V: Clone> CallTraceRecorder<V> {
    /// Creates a recorder for a call, given as a term of a function.
    pub(crate) fn new(program: &Program, function: FunctionId, call: TermId) -> Self {
        let owner = called_function(program, function, call);
        Self { owner, direct: RecordedEffects::new(), deep: RecordedEffects::new() }
    }

    /// Records an effect performed by a function.
    pub(crate) fn record(&mut self, program: &Program, function: FunctionId, event: &V) {
        self.traces_of(program, function).for_each(|steps| steps.record(event.clone()));
    }

    /// Enters a branch of a group that a function opened.
    pub(crate) fn enter(
        &mut self,
        program: &Program,
        function: FunctionId,
        branch: u32,
        turn: BranchStart,
    ) {
        self.traces_of(program, function).for_each(|steps| steps.enter(branch, turn));
    }

    /// Leaves the function's innermost branch, whether it returned or faulted.
    pub(crate) fn leave(&mut self, program: &Program, function: FunctionId) {
        self.traces_of(program, function).for_each(RecordedEffects::leave);
    }

    /// The traces to which an action of a function belongs.
    fn traces_of(
        &mut self,
        program: &Program,
        function: FunctionId,
    ) -> impl Iterator<Item = &mut RecordedEffects<V>> {
        let writer = enclosing_function(program, function);
        let is_direct = self.owner.is_none_or(|owner| owner == writer);
        // Every effect is in the deep trace; direct ones are in both.
        [&mut self.deep].into_iter().chain(is_direct.then_some(&mut self.direct))
    }
}

/// Whether traces record an operation. `Draw` is not an effect of the program: the test runner
/// inserts it into a copy of the program to draw inputs or trace values.
pub(crate) fn is_traced(program: &Program, op: OpId) -> bool {
    let effect = program.effect(program.op(op).effect);
    &*effect.name != "Draw" || !program.module(effect.module).is_std
}

/// The texts with which an event names its operation and the enclosing `par` branches.
pub(crate) fn event_texts(program: &Program, op: OpId, path: &[u32]) -> (String, String) {
    let path = path.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    (program.op_name(op), path)
}

/// The function that a term calls, looking through refinement checks of the result.
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

/// The declared function whose source text contains a function.
fn enclosing_function(program: &Program, mut function: FunctionId) -> FunctionId {
    while let FunctionKind::Lambda(parent) = program.function(function).kind {
        function = parent;
    }
    function
}
