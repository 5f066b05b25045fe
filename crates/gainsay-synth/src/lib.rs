//! From trace specifications to test generators.
//!
//! A specification ([`Spec`]) says for each operation of a system after which events it may happen
//! and which events it causes; a goal is a set of traces that tests are to reach. Synthesis finds
//! traces with symbolic arguments that follow the specification and reach a goal ([`synthesize`]),
//! after the idea of trace-guided synthesis of effectful test generators (PLDI 2026):
//!
//! - A line (`line`) is a sequence of events and of stretches, which stand for any events of a
//!   class. It begins as the goal; every step (`refine`) makes it satisfy one more rule, or gives
//!   one more event a cause. No automata are multiplied or minimized: a line is merged with the
//!   partial derivatives of one pattern at a time (`merge`, `automaton`).
//! - Conditions are solved where they arise (`store`); the rest goes to the solver of
//!   `gainsay-smt`, by connected components that are renamed and remembered (`workshop`).
//! - Several searchers with different orders take turns (`search`). Whatever bounds them is counted
//!   in steps, and recorded: a goal is unreachable only if nothing was left out.
//!
//! # Example
//!
//! A store whose answers may overtake each other. A front end would build the specification from
//! text; conditions are terms over the fields of operations and the variables of rules and goals.
//!
//! ```
//! use gainsay_smt::{Sort, TermId};
//! use gainsay_synth::{
//!     EventAtom, Goal, GoalKind, OpKind, Spec, SynthesisLimits, TracePattern, TraceRule,
//!     generator_text, synthesize,
//! };
//!
//! let mut spec = Spec { name: "Echo".to_owned(), ..Spec::default() };
//! let send = spec.add_operation("send", OpKind::Gen, &[("text", Sort::Int)]);
//! let echo = spec.add_operation("echo", OpKind::Obs, &[("text", Sort::Int)]);
//!
//! // rule send(x) { emits echo(x); }
//! let x = spec.terms.signature.add_var("x", Sort::Int);
//! let echoed = {
//!     let field = spec.terms.var(spec.operation(echo).fields[0]);
//!     let x = spec.terms.var(x);
//!     EventAtom { op: echo, condition: spec.terms.eq(field, x) }
//! };
//! spec.rules.push(TraceRule {
//!     op: send,
//!     params: vec![x],
//!     ghosts: vec![],
//!     when: TermId::TRUE,
//!     history: None,
//!     futures: vec![],
//!     emits: vec![echoed],
//!     owes: vec![],
//! });
//!
//! // scenario answered() = [.., expect echo];
//! let goal = Goal {
//!     name: "answered".to_owned(),
//!     kind: GoalKind::Scenario,
//!     vars: vec![],
//!     pattern: TracePattern::Sequence(vec![
//!         TracePattern::Anything,
//!         TracePattern::Expect(EventAtom { op: echo, condition: TermId::TRUE }),
//!     ]),
//! };
//! let synthesis = synthesize(&spec, &goal, &SynthesisLimits::default())?;
//! let program = &synthesis.generators(&spec, &goal)[0];
//! assert_eq!(
//!     generator_text(&spec, &synthesis.terms, program),
//!     "generator echo_answered() {\n    let text0: Int = any;\n    send(text0);\n    \
//!      expect echo(text0);\n}\n"
//! );
//! # Ok::<(), gainsay_synth::PatternTooLarge>(())
//! ```
//!
//! A test of the language follows the generators of its goal ([`TracePlan`]), step by step
//! ([`WalkState`]).
//!
//! Whether a trace follows its specification is checked by code that shares nothing with the search
//! ([`validate`]).

mod automaton;
mod cost;
mod derive;
mod execute;
mod explore;
mod findings;
mod front_end;
mod goal_text;
mod line;
mod merge;
mod print;
mod recursion;
mod refine;
mod sample;
mod search;
mod spec;
mod spec_checks;
mod spec_mutation;
mod store;
mod synthesis;
mod trace_plan;
mod validate;
mod workshop;

pub use automaton::PatternTooLarge;
pub use derive::{
    GeneratorProgram, GeneratorStep, ObservedArg, derive_generator, generator_text,
};
pub use execute::{
    BugReason, GeneratorRun, GeneratorSetup, GeneratorVerdict, InfeasibleReason, SystemCrash,
    TestedSystem, WalkAction, WalkState, run_generator, run_generator_until_feasible,
};
pub use explore::ExploreState;
pub use front_end::{SourceSpec, read_specs};
pub use goal_text::{goal_text, trace_text};
pub use print::{VarNames, term_text};
pub use recursion::{RecursionLimits, RecursionSplit, TraceFamily, find_family};
pub use sample::{DrawSource, SampleRequest, ValueDomains, sample};
pub use spec::{
    EventAtom, Goal, GoalKind, OpId, OpKind, Spec, SpecOperation, TracePattern, TraceRule,
};
pub use spec_checks::{SpecFinding, check_spec};
pub use spec_mutation::{DropEffect, DroppedPart, RulePart, mutate_spec};
pub use synthesis::{
    SymbolicTrace, Synthesis, SynthesisLimits, SynthesisStatus, TraceEvent, first_traces,
    synthesize,
};
pub use trace_plan::{PlanGuide, TestGenerator, TracePlan};
pub use validate::{GroundEvent, TraceFault, validate};
pub use workshop::{LineLimits, SynthesisEffort};
