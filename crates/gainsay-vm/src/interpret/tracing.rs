//! Traced calls: which effects a function performs directly, and which through other functions.
//!
//! An effect is direct if it is written in the function's text, including lambdas and `par`
//! branches; effects of other functions it calls are in the deep trace only.

use gainsay_core::builtin::SHOW;
use gainsay_core::{OpId, TermId};

use super::node_code::CodeNode;
use super::{FrameRef, Interpreter, Unwind, ValueResult};
use crate::effect_trace::{
    BranchStart, CallTraceRecorder, RecordedEffects, TraceCtors, event_texts, is_traced,
};
use crate::fault::FaultKind;
use crate::limits::{words_of_fields, words_of_list, words_of_text};
use crate::value::Value;

impl<'a> Interpreter<'a> {
    /// Evaluates a call together with its effects.
    pub(super) fn eval_traced(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        call: TermId,
        part: &'a CodeNode,
    ) -> ValueResult {
        let Some(types) = self.code.trace else {
            let kind = FaultKind::Unsupported("a traced call in a program without `Traced`");
            return Err(self.fault(at, node, kind));
        };
        let depth = self.recorders.len();
        self.recorders.push(CallTraceRecorder::new(self.program, at.code.id, call));
        let result = self.eval_value(at, part);
        // Drain before `?`: the recorder must be removed even if the call faults.
        let recorder = self.recorders.drain(depth..).next();
        let (Some(recorder), result) = (recorder, result?) else { return Ok(Value::UNIT) };
        let direct = self.trace_value(at, node, types, recorder.direct)?;
        let deep = self.trace_value(at, node, types, recorder.deep)?;
        self.charge_words(at, node, words_of_fields(3))?;
        Ok(Value::data(types.traced, vec![result, direct, deep]))
    }

    fn trace_value(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        types: TraceCtors,
        steps: RecordedEffects<Value>,
    ) -> ValueResult {
        self.charge_words(at, node, steps.n_words())?;
        let steps = steps.events.into_iter().map(|(event, trail)| {
            let trail = trail.iter().map(|at| Value::Int(i64::from(*at)));
            Value::tuple(vec![event, Value::list(trail)])
        });
        Ok(Value::data(types.trace, vec![Value::list(steps)]))
    }

    /// Records the start of a branch in all active recorders.
    pub(super) fn enter_branch(&mut self, at: FrameRef<'a>, branch: u32, turn: BranchStart) {
        for recorder in &mut self.recorders {
            recorder.enter(self.program, at.code.id, branch, turn);
        }
    }

    /// Records the end of a branch in all active recorders.
    pub(super) fn leave_branch(&mut self, at: FrameRef<'a>) {
        for recorder in &mut self.recorders {
            recorder.leave(self.program, at.code.id);
        }
    }

    /// Records an effect in all active recorders.
    pub(super) fn record_effect(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        op: OpId,
        args: &[Value],
    ) -> Result<(), Unwind> {
        // Effects inside a stub are those of the world, not of the program under test.
        if self.recorders.is_empty() || self.worlds.is_in_stub() {
            return Ok(());
        }
        let Some(types) = self.code.trace.filter(|_| is_traced(self.program, op)) else {
            return Ok(());
        };
        let mut shown = Vec::with_capacity(args.len());
        for arg in args {
            shown.push(self.apply_builtin(at, node, SHOW, std::slice::from_ref(arg))?);
        }
        let (method, path) = event_texts(self.program, op, &self.par_path);
        let words = words_of_text((method.len() + path.len()) as u64);
        self.charge_words(
            at,
            node,
            words + words_of_fields(3) + words_of_list(args.len() as u64),
        )?;
        let fields = vec![Value::str(method), Value::list(shown), Value::str(path)];
        let event = Value::data(types.event, fields);
        for recorder in &mut self.recorders {
            recorder.record(self.program, at.code.id, &event);
        }
        Ok(())
    }
}
