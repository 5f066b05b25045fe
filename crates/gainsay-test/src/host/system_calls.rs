//! Operations of systems under test: asks the connections, counts the answers, and remembers what
//! the case asked, for the report of a failure.

use gainsay_core::OpId;
use gainsay_vm::{EffectCall, Refusal, Value};

use super::CaseHost;

/// Maximum number of calls that are remembered for a report; the last ones count.
const MAX_REMEMBERED: usize = 200;

/// The longest text of an argument or a result in a report.
const MAX_TEXT: usize = 200;

/// An operation that a case performed.
pub(super) struct SystemCall {
    op: OpId,
    args: Vec<Value>,
    outcome: CallOutcome,
}

enum CallOutcome {
    Result(Value),
    Error(String),
    /// There was no answer.
    None,
}

impl CaseHost<'_> {
    pub(super) fn ask_system(&mut self, call: &EffectCall<'_>) -> Result<Value, Refusal> {
        self.n_system_calls += 1;
        let answer = self.connections.perform(call.op, call.args);
        let outcome = match &answer {
            Ok(value) => CallOutcome::Result(value.clone()),
            Err(Refusal::SystemError(error)) => CallOutcome::Error(error.kind.clone()),
            Err(_) => CallOutcome::None,
        };
        if !matches!(outcome, CallOutcome::None) {
            let counts = self.system_calls.entry(call.op).or_default();
            counts.answered += 1;
            counts.succeeded += u64::from(matches!(outcome, CallOutcome::Result(_)));
        }
        if self.call_log.len() == MAX_REMEMBERED {
            self.call_log.pop_front();
        }
        let args = call.args.to_vec();
        self.call_log.push_back(SystemCall { op: call.op, args, outcome });
        answer
    }

    /// What the case asked of systems, the first call first: `Queue.pop() = Some(1)`.
    pub(crate) fn system_call_lines(&self) -> Vec<String> {
        self.call_log.iter().map(|it| self.call_line(it)).collect()
    }

    fn call_line(&self, call: &SystemCall) -> String {
        let args: Vec<String> = call.args.iter().map(|it| self.text(it, MAX_TEXT)).collect();
        let name = self.program.op_name(call.op);
        let line = format!("{name}({})", args.join(", "));
        match &call.outcome {
            CallOutcome::Result(Value::Tuple(parts)) if parts.as_slice().is_empty() => line,
            CallOutcome::Result(value) => format!("{line} = {}", self.text(value, MAX_TEXT)),
            CallOutcome::Error(kind) => format!("{line} failed with `{kind}`"),
            CallOutcome::None => format!("{line} was not answered"),
        }
    }
}
