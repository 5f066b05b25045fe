//! Traced calls: what a function performed itself, and what happened on its behalf.
//!
//! An effect is the function's own when it is written in its text, also inside a lambda or a
//! branch of `par`; what other functions perform for it is in the deep trace only.

use gainsay_core::builtin::SHOW;
use gainsay_core::{OpId, TermId};

use super::code::Node;
use super::{At, Machine, Made, Stop};
use crate::fault::FaultKind;
use crate::limits::{words_of_fields, words_of_list, words_of_text};
use crate::traces::{Recorder, Steps, TraceTypes, Turn, event_texts, is_told};
use crate::value::Value;

impl<'a> Machine<'a> {
    /// The value of a call, with the effects that happened meanwhile.
    pub(super) fn traced(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        call: TermId,
        part: &'a Node,
    ) -> Made {
        let Some(types) = self.code.trace else {
            let kind = FaultKind::Unsupported("a traced call in a program without `Traced`");
            return Err(self.fault(at, node, kind));
        };
        let depth = self.recorders.len();
        self.recorders.push(Recorder::new(self.program, at.code.id, call));
        let result = self.value(at, part);
        let recorder = self.recorders.drain(depth..).next();
        let (Some(recorder), result) = (recorder, result?) else { return Ok(Value::UNIT) };
        let direct = self.trace_value(at, node, types, recorder.direct)?;
        let deep = self.trace_value(at, node, types, recorder.deep)?;
        self.take(at, node, words_of_fields(3))?;
        Ok(Value::data(types.traced, vec![result, direct, deep]))
    }

    fn trace_value(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        types: TraceTypes,
        steps: Steps<Value>,
    ) -> Made {
        self.take(at, node, steps.n_words())?;
        let steps = steps.events.into_iter().map(|(event, trail)| {
            let trail = trail.iter().map(|at| Value::Int(i64::from(*at)));
            Value::tuple(vec![event, Value::list(trail)])
        });
        Ok(Value::data(types.trace, vec![Value::list(steps)]))
    }

    /// Notes in every trace that is being made that a branch of a group begins.
    pub(super) fn enter_branch(&mut self, at: At<'a>, branch: u32, turn: Turn) {
        for recorder in &mut self.recorders {
            recorder.enter(self.program, at.code.id, branch, turn);
        }
    }

    /// Notes in them that it ends.
    pub(super) fn leave_branch(&mut self, at: At<'a>) {
        for recorder in &mut self.recorders {
            recorder.leave(self.program, at.code.id);
        }
    }

    /// Takes an effect down in every trace that is being made.
    pub(super) fn record(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        op: OpId,
        args: &[Value],
    ) -> Result<(), Stop> {
        if self.recorders.is_empty() || self.worlds.is_in_stub() {
            return Ok(());
        }
        let Some(types) = self.code.trace.filter(|_| is_told(self.program, op)) else {
            return Ok(());
        };
        let mut shown = Vec::with_capacity(args.len());
        for arg in args {
            shown.push(self.apply(at, node, SHOW, std::slice::from_ref(arg))?);
        }
        let (method, path) = event_texts(self.program, op, &self.path);
        let words = words_of_text((method.len() + path.len()) as u64);
        self.take(at, node, words + words_of_fields(3) + words_of_list(args.len() as u64))?;
        let fields = vec![Value::str(method), Value::list(shown), Value::str(path)];
        let event = Value::data(types.event, fields);
        for recorder in &mut self.recorders {
            recorder.note(self.program, at.code.id, &event);
        }
        Ok(())
    }
}
