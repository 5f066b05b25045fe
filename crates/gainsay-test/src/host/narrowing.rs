//! Values that a solver finds for the unknowns of a predicate.
//!
//! A search finds a value with random numbers, and records none of the decisions on the way: it
//! *states* the value afterwards, as the choices that describe its structure. A replay reads a
//! proposal from the recorded choices, solves again with the proposal as a wish, and states what it
//! found. So a value that is shrunk still satisfies its predicate: what does not is repaired.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_choice::{ChoiceValue, KindId, RunStopped, Source};
use gainsay_core::{OpId, TyId};
use gainsay_gen::{ContainerShape, LoweredProgram, NarrowedQuery, ValueShape, ValueShapeId};
use gainsay_solve::{Budget, Chooser, Effort, NoSolution, SolverRequest};
use gainsay_vm::{EffectCall, Fields, List, Refusal, Text, Value, ValueTable};

use super::CaseHost;

/// The steps of a replay: it has a wish for everything, so it either succeeds soon or not at all.
const REPLAY: Budget = Budget { steps: 40_000, attempts: 1 };

/// A search that took so many steps in vain is not worth repeating often.
const MANY_STEPS: u64 = 50_000;

/// Choices of a value that is read; larger ones are cut off.
const MAX_DEPTH: u32 = 10_000;

/// What the queries of a run took, by query.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct NarrowingCounts {
    /// Values that were found.
    pub n_found: u64,
    /// Searches that were given up.
    pub n_gave_up: u64,
    /// Searches that proved that there is no value.
    pub n_unsatisfiable: u64,
    /// Choices that were taken back.
    pub n_dead_ends: u64,
}

impl NarrowingCounts {
    /// Adds other counts.
    pub fn add(&mut self, other: Self) {
        self.n_found += other.n_found;
        self.n_gave_up += other.n_gave_up;
        self.n_unsatisfiable += other.n_unsatisfiable;
        self.n_dead_ends += other.n_dead_ends;
    }
}

/// Why no value was found.
enum NotFound {
    Stopped,
    NoSolution,
}

impl From<RunStopped> for NotFound {
    fn from(_: RunStopped) -> Self {
        NotFound::Stopped
    }
}

impl CaseHost<'_> {
    /// Lets solvers end soon after a flag is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.machine.set_interrupt(flag);
    }

    pub(super) fn is_narrow(&self, op: OpId) -> bool {
        op == self.ops.narrow
    }

    /// Performs `narrow`.
    pub(super) fn narrow(&mut self, call: &EffectCall<'_>) -> Result<Value, Refusal> {
        let [Value::Int(number), Value::Int(size), known] = call.args else {
            return Err(Refusal::Unanswered);
        };
        let lowered = self.lowered;
        let Some(query) = usize::try_from(*number).ok().and_then(|at| lowered.queries.get(at))
        else {
            return Err(Refusal::Unanswered);
        };
        let size = u32::try_from(*size).unwrap_or(0);
        match self.find(query, *number as u32, size, known) {
            Ok(found) => Ok(found),
            Err(NotFound::Stopped) => Err(self.give_up(query.span)),
            Err(NotFound::NoSolution) => {
                self.given_up = Some(query.span);
                self.given_up_by_generator = true;
                Err(Refusal::Discard)
            }
        }
    }

    fn find(
        &mut self,
        query: &NarrowedQuery,
        number: u32,
        size: u32,
        known: &Value,
    ) -> Result<Value, NotFound> {
        let n_unknown = query.unknowns.len();
        if query.is_empty {
            self.narrowings.entry(number).or_default().n_unsatisfiable += 1;
            self.found_no_solution = true;
            return Err(NotFound::NoSolution);
        }
        let mut args: Vec<Option<Value>> = known_arguments(known).map(Some).collect();
        let n_known = args.len();
        for unknown in &query.unknowns {
            args.push(unknown.input.and_then(|(binder, _)| self.inputs.next_given(binder)));
        }
        // Reading a proposal consumes choices; stating the result replaces them, so that the
        // case records what was found and not what was proposed.
        let mark = self.source.checkpoint();
        let mut wishes = vec![None; args.len()];
        if self.source.is_replaying() {
            for (at, unknown) in query.unknowns.iter().enumerate() {
                let mut reader =
                    ValueReader { lowered: self.lowered, source: &mut self.source };
                let label = unknown.input.map(|it| it.1);
                wishes[n_known + at] = Some(reader.read_labelled(label, unknown.shape)?);
            }
        }
        let (found, effort) = self.solve(query, (&args, &wishes), size);
        self.solver_steps += effort.steps;
        let counts = self.narrowings.entry(number).or_default();
        counts.n_dead_ends += effort.dead_ends;
        match &found {
            Ok(_) => counts.n_found += 1,
            Err(NoSolution::GaveUp) => counts.n_gave_up += 1,
            Err(NoSolution::Unsatisfiable) => counts.n_unsatisfiable += 1,
        }
        let is_proved = matches!(found, Err(NoSolution::Unsatisfiable));
        // The runner gives up a claim sooner if its searches are hopeless, since each takes
        // long.
        let is_hopeless = is_proved || effort.steps >= MANY_STEPS;
        self.found_no_solution = found.is_err() && is_hopeless;
        if self.source.stop_reason().is_some() {
            return Err(NotFound::Stopped);
        }
        let mut found = found.map_err(|_| NotFound::NoSolution)?.split_off(n_known);
        self.source.amend(mark);
        if self.source.is_recording() {
            for (unknown, value) in query.unknowns.iter().zip(&found) {
                let mut writer =
                    ValueWriter { lowered: self.lowered, source: &mut self.source };
                writer.state_labelled(unknown.input.map(|it| it.1), unknown.shape, value);
            }
            if self.source.stop_reason().is_some() {
                return Err(NotFound::Stopped);
            }
        }
        if n_unknown == 1
            && let Some(only) = found.pop()
        {
            return Ok(only);
        }
        Ok(Value::tuple(found))
    }

    fn solve(
        &mut self,
        query: &NarrowedQuery,
        (args, wishes): (&[Option<Value>], &[Option<Value>]),
        size: u32,
    ) -> (Result<Vec<Value>, NoSolution>, Effort) {
        let is_replay = self.source.is_replaying();
        let budget = if is_replay { REPLAY } else { Budget::default() };
        // Without a wish a replay takes the simplest.
        let size = if is_replay { 0 } else { size };
        let request = SolverRequest { args, wishes, size, budget };
        let (lowered, machine, program) = (self.lowered, &mut self.machine, self.program);
        // A recording consumes the same random numbers as the search.
        self.source.unrecorded(|source| {
            let mut chooser = SourceChooser { source, lowered, query, is_replay };
            machine.solve(&query.solver, program, &request, &mut chooser)
        })
    }
}

/// The known arguments of a query: the captures of its condition, and what was drawn before.
fn known_arguments(known: &Value) -> impl Iterator<Item = Value> + '_ {
    let parts = if let Value::Tuple(parts) = known { parts.as_slice() } else { &[] };
    let (captures, drawn) = match parts.split_first() {
        Some((Value::Closure(_, captures), drawn)) => (captures.as_slice(), drawn),
        _ => (&[][..], parts),
    };
    captures.iter().chain(drawn).cloned()
}

/// Makes the decisions of a solver: by chance, or in a replay without.
struct SourceChooser<'a> {
    source: &'a mut Source,
    lowered: &'a LoweredProgram,
    query: &'a NarrowedQuery,
    is_replay: bool,
}

impl Chooser for SourceChooser<'_> {
    fn alternative(&mut self, weights: &[u32]) -> usize {
        let likeliest = || {
            let ranked = weights.iter().enumerate().rev();
            ranked.max_by_key(|(_, weight)| **weight).map_or(0, |(at, _)| at)
        };
        if self.is_replay {
            return likeliest();
        }
        self.source.select(weights).map_or_else(|_| likeliest(), |at| at as usize)
    }

    fn integer(&mut self, lo: Option<i64>, hi: Option<i64>) -> i64 {
        let (lo, hi) = (lo.unwrap_or(i64::MIN), hi.unwrap_or(i64::MAX));
        let simplest = 0.clamp(lo, hi);
        if self.is_replay {
            return simplest;
        }
        let drawn = self.source.draw_small_within(self.query.integers, lo, hi);
        drawn.unwrap_or(simplest)
    }

    fn character(&mut self, lo: i64, hi: i64) -> i64 {
        const TRIES: u32 = 4;
        let simplest = i64::from(u32::from('a')).clamp(lo, hi);
        if self.is_replay {
            return simplest;
        }
        // One that a text would have, if the range is wide enough to meet one.
        for _ in 0..TRIES {
            let Ok(char) = self.source.draw_char(self.query.characters) else {
                return simplest;
            };
            let code = i64::from(u32::from(char));
            if (lo..=hi).contains(&code) {
                return code;
            }
        }
        let drawn = self.source.draw_small_within(self.query.integers, lo, hi);
        drawn.unwrap_or(simplest)
    }

    fn list_weights(&mut self, n: u32) -> [u32; 2] {
        const LIKELY: u32 = 1_000_000;
        let goes_on = !self.is_replay && self.source.draw_more(self.query.more, n) == Ok(true);
        if goes_on { [1, LIKELY] } else { [LIKELY, 1] }
    }

    fn reject(&mut self) {
        self.source.reject();
    }

    fn opaque(&mut self, ty: TyId) -> Option<Value> {
        let shape = self.query.opaque.iter().find(|it| it.0 == ty)?.1;
        if self.is_replay {
            return Some(simplest_value(self.lowered, shape));
        }
        let mut reader = ValueReader { lowered: self.lowered, source: self.source };
        reader.read(shape, 0).ok()
    }
}

/// The simplest value of a shape.
fn simplest_value(lowered: &LoweredProgram, shape: ValueShapeId) -> Value {
    match &lowered.value_shapes[shape.index()] {
        ValueShape::Int(_) => Value::Int(0),
        ValueShape::Float(_) => Value::Float(0.0),
        ValueShape::Bool(_) => Value::Bool(false),
        ValueShape::Char(_) => Value::Char('a'),
        ValueShape::Text(_) => Value::Str(Text::new(String::new())),
        ValueShape::Tuple(parts) => {
            Value::tuple(parts.iter().map(|it| simplest_value(lowered, *it)).collect())
        }
        ValueShape::List(..) => Value::List(List::from_items(Vec::new())),
        ValueShape::Set(..) => Value::Set(ValueTable::from_items([])),
        ValueShape::Map(..) => Value::Map(ValueTable::from_entries([])),
        // The first constructor is one of the least height, so this ends.
        ValueShape::Sum(_, ctors) => match ctors.first() {
            Some((ctor, fields)) => {
                let fields = fields.iter().map(|it| simplest_value(lowered, it.shape));
                Value::Data(*ctor, Fields::new(fields.collect()))
            }
            None => Value::UNIT,
        },
    }
}

/// Reads values from choices.
struct ValueReader<'a> {
    lowered: &'a LoweredProgram,
    source: &'a mut Source,
}

impl ValueReader<'_> {
    fn read_labelled(
        &mut self,
        label: Option<gainsay_choice::SpanLabel>,
        shape: ValueShapeId,
    ) -> Result<Value, RunStopped> {
        let Some(label) = label else { return self.read(shape, 0) };
        self.source.open_span(label);
        let value = self.read(shape, 0);
        self.source.close_span();
        value
    }

    fn read(&mut self, shape: ValueShapeId, depth: u32) -> Result<Value, RunStopped> {
        if depth > MAX_DEPTH {
            return Err(RunStopped);
        }
        let lowered = self.lowered;
        Ok(match &lowered.value_shapes[shape.index()] {
            ValueShape::Int(kind) => Value::int(self.source.draw_integer(*kind)?),
            ValueShape::Float(kind) => Value::Float(self.source.draw_float(*kind)?),
            ValueShape::Bool(kind) => Value::Bool(self.source.draw_boolean(*kind)?),
            ValueShape::Char(kind) => Value::Char(self.source.draw_char(*kind)?),
            ValueShape::Text(at) => {
                Value::Str(Text::new(self.source.draw_text(&lowered.texts[*at])?))
            }
            ValueShape::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.read(*it, depth + 1));
                Value::tuple(parts.collect::<Result<_, _>>()?)
            }
            ValueShape::List(container, item) => {
                let items = self.read_elements(*container, |it| it.read(*item, depth + 1))?;
                Value::List(List::from_items(items))
            }
            ValueShape::Set(container, item) => {
                let items = self.read_elements(*container, |it| it.read(*item, depth + 1))?;
                Value::Set(ValueTable::from_items(items))
            }
            ValueShape::Map(container, key, value) => {
                let entries = self.read_elements(*container, |it| {
                    Ok((it.read(*key, depth + 1)?, it.read(*value, depth + 1)?))
                })?;
                Value::Map(ValueTable::from_entries(entries))
            }
            ValueShape::Sum(pick, ctors) => {
                let at = match pick {
                    Some(kind) => self.source.draw_small(*kind).ok_or(RunStopped)? as usize,
                    None => 0,
                };
                let Some((ctor, fields)) = ctors.get(at) else { return Err(RunStopped) };
                let mut values = Vec::new();
                for field in fields {
                    if let Some(label) = field.label {
                        self.source.open_span(label);
                    }
                    values.push(self.read(field.shape, depth + 1)?);
                    if field.label.is_some() {
                        self.source.close_span();
                    }
                }
                Value::Data(*ctor, Fields::new(values))
            }
        })
    }

    fn read_elements<T>(
        &mut self,
        container: ContainerShape,
        mut read: impl FnMut(&mut Self) -> Result<T, RunStopped>,
    ) -> Result<Vec<T>, RunStopped> {
        let mut items = Vec::new();
        while self.source.open_element(container.element, container.more, items.len() as u32)? {
            items.push(read(self)?);
            self.source.close_span();
        }
        Ok(items)
    }
}

/// States values as choices: the mirror image of [`ValueReader`].
struct ValueWriter<'a> {
    lowered: &'a LoweredProgram,
    source: &'a mut Source,
}

impl ValueWriter<'_> {
    fn state_labelled(
        &mut self,
        label: Option<gainsay_choice::SpanLabel>,
        shape: ValueShapeId,
        value: &Value,
    ) {
        let Some(label) = label else { return self.state(shape, value) };
        self.source.state_span(label);
        self.state(shape, value);
        self.source.end_stated_span();
    }

    fn state_small(&mut self, kind: KindId, value: i64) {
        self.source.state_choice(kind, ChoiceValue::Small(value));
    }

    fn state(&mut self, shape: ValueShapeId, value: &Value) {
        let lowered = self.lowered;
        match (&lowered.value_shapes[shape.index()], value) {
            (ValueShape::Int(kind), Value::Int(int)) => self.state_small(*kind, *int),
            (ValueShape::Int(kind), Value::Big(big)) => {
                let big = self.source.kinds_mut().intern_integer(big.get().clone());
                self.source.state_choice(*kind, big);
            }
            (ValueShape::Float(kind), Value::Float(float)) => {
                self.state_small(*kind, float.to_bits() as i64);
            }
            (ValueShape::Bool(kind), Value::Bool(it)) => {
                self.state_small(*kind, i64::from(*it))
            }
            (ValueShape::Char(kind), Value::Char(it)) => {
                self.state_small(*kind, i64::from(u32::from(*it)));
            }
            (ValueShape::Text(at), Value::Str(text)) => {
                let kind = &lowered.texts[*at];
                let container = ContainerShape { more: kind.more, element: kind.element };
                let chars = text.as_str().chars();
                self.state_elements(container, chars, |it, char| {
                    it.state_small(kind.chars, i64::from(u32::from(char)));
                });
            }
            (ValueShape::Tuple(shapes), Value::Tuple(parts)) => {
                for (shape, part) in shapes.iter().zip(parts.as_slice()) {
                    self.state(*shape, part);
                }
            }
            (ValueShape::List(container, item), Value::List(list)) => {
                self.state_elements(*container, list.iter(), |it, value| {
                    it.state(*item, value)
                });
            }
            (ValueShape::Set(container, item), Value::Set(set)) => {
                let items = set.iter();
                self.state_elements(*container, items, |it, (value, _)| it.state(*item, value));
            }
            (ValueShape::Map(container, key, value), Value::Map(map)) => {
                self.state_elements(*container, map.iter(), |it, (k, v)| {
                    it.state(*key, k);
                    it.state(*value, v);
                });
            }
            (ValueShape::Sum(pick, ctors), Value::Data(ctor, values)) => {
                let Some(at) = ctors.iter().position(|it| it.0 == *ctor) else { return };
                if let Some(kind) = pick {
                    self.state_small(*kind, at as i64);
                }
                for (field, value) in ctors[at].1.iter().zip(values.as_slice()) {
                    self.state_labelled(field.label, field.shape, value);
                }
            }
            // A solver returns values of the types of its unknowns.
            _ => {}
        }
    }

    fn state_elements<T>(
        &mut self,
        container: ContainerShape,
        items: impl Iterator<Item = T>,
        mut state: impl FnMut(&mut Self, T),
    ) {
        for item in items {
            self.state_small(container.more, 1);
            self.source.state_element(container.element);
            state(self, item);
            self.source.end_stated_span();
        }
        self.state_small(container.more, 0);
    }
}
