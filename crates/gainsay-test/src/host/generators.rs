//! The general path of the host: operations of `Gen`, `Draw` and `Claim` with arguments or results
//! other than small integers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use gainsay_choice::{ChoiceValue as Drawn, KindId, RunStopped};
use gainsay_vm::{EffectCall, Fields, List, Refusal, Text, Value, show, show_with};
use num_bigint::BigInt;

use super::{CaseAnnotation, CaseHost, as_small_int, cut_weight};
use crate::claim_runner::SCORE;
use crate::function_text::function_text;

/// The result of a function that was never called: source that has any type.
const NEVER_CALLED: &str = "fail(\"never called\")";

/// The line width for functions: like all values, they stay on one line.
const WIDTH: usize = usize::MAX;

/// The result of an operation, unless the case ends.
type PerformResult = Result<Value, Refusal>;

impl CaseHost<'_> {
    /// Performs the operations by which a case reports about itself.
    pub(super) fn annotate(&mut self, call: &EffectCall<'_>) -> Option<PerformResult> {
        let claim = &self.ops.claim;
        let op = Some(call.op);
        let remark = match call.args {
            [Value::Str(label)] if op == claim.collect => {
                CaseAnnotation::Collect(label.as_str().to_owned())
            }
            [Value::Str(name), Value::Bool(holds)] if op == claim.classify => {
                CaseAnnotation::Classify(name.as_str().to_owned(), *holds)
            }
            [Value::Int(percent), Value::Str(name), Value::Bool(holds)]
                if op == claim.cover =>
            {
                CaseAnnotation::Cover(*percent, name.as_str().to_owned(), *holds)
            }
            [Value::Float(score)] if op == claim.target => {
                self.source.target(SCORE, *score);
                CaseAnnotation::Target(*score)
            }
            _ => return None,
        };
        self.annotations.add(remark);
        Some(Ok(Value::UNIT))
    }

    /// Performs draws that are no small integers, recording operations, and discards.
    pub(super) fn generate(&mut self, call: &EffectCall<'_>) -> Option<PerformResult> {
        if let Some(answer) = self.perform_record_op(call) {
            return Some(Ok(answer));
        }
        if Some(call.op) == self.ops.gen_.discard || call.op == self.ops.discard {
            return Some(Err(self.give_up(call.site)));
        }
        if let Some(refusal) = self.impossible_request(call) {
            return Some(Err(refusal));
        }
        let drawn = self.draw_value(call)?;
        // `index` has already added the choice of an element to the digest.
        let is_noted = Some(call.op) == self.ops.gen_.elements;
        if let Ok(value) = &drawn
            && !is_noted
        {
            self.record_value(value);
        }
        Some(drawn.map_err(|RunStopped| self.give_up(call.site)))
    }

    /// Adds a draw that is no small integer to the digest.
    fn record_value(&mut self, value: &Value) {
        match value {
            Value::Int(int) => self.annotations.record_draw(*int as u64),
            Value::Big(int) => {
                self.annotations.record_draw(u64::from(is_negative(int.get())));
                int.get().iter_u64_digits().for_each(|it| self.annotations.record_draw(it));
            }
            Value::Float(float) => self.annotations.record_draw(float.to_bits()),
            Value::Char(char) => self.annotations.record_draw(u64::from(*char)),
            Value::Str(text) => {
                text.as_str()
                    .bytes()
                    .for_each(|it| self.annotations.record_draw(u64::from(it)));
                // Ends the text, so that `"a", "b"` and `"ab", ""` have different digests.
                self.annotations.record_draw(u64::MAX);
            }
            // Their parts were drawn one by one.
            Value::Bool(_) | Value::Tuple(_) | Value::Data(..) | Value::List(_) => {}
            Value::Map(_) | Value::Set(_) | Value::Closure(..) => {}
        }
    }

    /// The refusal of an impossible request, such as an empty range or a negative weight.
    fn impossible_request(&self, call: &EffectCall<'_>) -> Option<Refusal> {
        let op = Some(call.op);
        let gen_ = &self.ops.gen_;
        let what = match call.args {
            [lo, hi] if op == gen_.int && big(lo)? > big(hi)? => {
                let (lo, hi) = (show(self.program, lo), show(self.program, hi));
                format!("empty range: {lo} to {hi}")
            }
            [Value::List(weights)] if op == gen_.weighted || op == gen_.urn => {
                weights.iter().find(|it| weight(it).is_none())?;
                "negative weight".to_owned()
            }
            _ => return None,
        };
        Some(Refusal::OutOfRange(what))
    }

    fn draw_value(&mut self, call: &EffectCall<'_>) -> Option<Result<Value, RunStopped>> {
        let ops = self.ops;
        let op = call.op;
        match call.args {
            [Value::Int(kind)] if op == ops.int => Some(self.integer(*kind)),
            [Value::Int(kind)] if op == ops.float => {
                Some(self.source.draw_float(number(*kind)).map(Value::Float))
            }
            [Value::Int(kind)] if op == ops.char => {
                Some(self.source.draw_char(number(*kind)).map(Value::Char))
            }
            [Value::Int(text)] if op == ops.text => {
                let kind = self.lowered.texts.get(usize::try_from(*text).ok()?)?;
                let text = self.source.draw_text(kind);
                Some(text.map(|it| Value::Str(Text::new(it))))
            }
            [Value::Int(kind), lo, hi] if op == ops.int_within => {
                Some(self.integer_within(*kind, Some(&big(lo)?), Some(&big(hi)?)))
            }
            [Value::Int(kind), lo] if op == ops.int_from => {
                Some(self.integer_within(*kind, Some(&big(lo)?), None))
            }
            [Value::Int(kind), hi] if op == ops.int_to => {
                Some(self.integer_within(*kind, None, Some(&big(hi)?)))
            }
            [Value::List(how)] if op == ops.int_except => {
                self.integer_except(&how.iter().cloned().collect::<Vec<Value>>())
            }
            [lo, hi] if Some(op) == ops.gen_.int => {
                let (lo, hi) = (big(lo)?, big(hi)?);
                let drawn = self.source.draw_integer_within(self.any_int, Some(&lo), Some(&hi));
                Some(drawn.map(Value::int))
            }
            [Value::List(items)] => self.draw_from_items(op, items),
            _ => None,
        }
    }

    fn draw_from_items(
        &mut self,
        op: gainsay_core::OpId,
        items: &List,
    ) -> Option<Result<Value, RunStopped>> {
        let gen_ = &self.ops.gen_;
        let weights = items.iter().map(|it| weight(it).unwrap_or(u32::MAX));
        if Some(op) == gen_.weighted {
            let weights: Vec<u32> = weights.collect();
            return Some(self.source.select(&weights).map(|at| Value::Int(i64::from(at))));
        }
        if Some(op) == gen_.urn {
            self.urns.push(weights.zip(0..).collect());
            return Some(Ok(Value::Int(self.urns.len() as i64 - 1)));
        }
        let items: Vec<Value> = items.iter().cloned().collect();
        if Some(op) == gen_.elements {
            let at = self.index(items.len() as i64);
            let item = at.and_then(|at| items.get(at as usize)).cloned();
            return Some(item.ok_or(RunStopped));
        }
        if Some(op) == gen_.shuffle {
            return Some(self.shuffle(items));
        }
        None
    }

    /// Moves one of the remaining items to each position. All-zero choices leave the order
    /// unchanged, so shrinking goes toward it.
    fn shuffle(&mut self, mut items: Vec<Value>) -> Result<Value, RunStopped> {
        for at in 0..items.len().saturating_sub(1) {
            let n_left = (items.len() - at) as i64;
            let chosen = self.index(n_left).ok_or(RunStopped)? as usize;
            items[at..=at + chosen].rotate_right(1);
        }
        Ok(Value::List(List::from_items(items)))
    }

    /// Performs the operations that report to the host: inputs, traced values and function tables.
    fn perform_record_op(&mut self, call: &EffectCall<'_>) -> Option<Value> {
        let ops = self.ops;
        let op = call.op;
        match call.args {
            [Value::List(how)] if op == ops.int_room => {
                let how: Vec<BigInt> = how.iter().map(big).collect::<Option<_>>()?;
                let [lo, hi, except @ ..] = &how[..] else { return None };
                let except: BTreeSet<&BigInt> = except.iter().collect();
                let n_excluded = except.iter().filter(|it| lo <= it && **it <= hi).count();
                Some(Value::Int(i64::from(hi - lo >= BigInt::from(n_excluded))))
            }
            [Value::Int(binder)] if op == ops.given => {
                let given = self.inputs.next_given(u32::try_from(*binder).ok()?);
                Some(self.option(given))
            }
            [Value::Int(binder), value] if op == ops.bound => {
                self.inputs.record(u32::try_from(*binder).ok()?, value.clone());
                Some(Value::UNIT)
            }
            [Value::Int(binder), value] if op == ops.value => {
                if self.annotations.compares_values() {
                    self.annotations.record_input(u32::try_from(*binder).ok()?, value);
                }
                Some(value.clone())
            }
            [Value::Int(place), value] if op == ops.tell => {
                if let Some(tracer) = &self.tracer {
                    tracer.borrow_mut().record(*place, value);
                }
                Some(value.clone())
            }
            [Value::Int(function), argument] if op == ops.lookup => {
                let cached = self.functions.find(*function, argument).cloned();
                Some(self.option(cached))
            }
            [Value::Int(function), argument, answer] if op == ops.remember => {
                self.functions.remember(*function, argument.clone(), answer.clone());
                Some(Value::UNIT)
            }
            [Value::Int(size)] if Some(op) == ops.gen_.set_size => {
                self.size = Some((*size).max(0));
                Some(Value::UNIT)
            }
            _ => None,
        }
    }

    /// Draws an integer of any size, or returns the pending one that did not fit the fast path.
    fn integer(&mut self, kind: i64) -> Result<Value, RunStopped> {
        if let Some(pending) = self.large_draw.take() {
            return Ok(pending);
        }
        let drawn = self.source.draw(number(kind))?;
        Ok(self.drawn(drawn))
    }

    /// Draws an integer of any size that is not excluded, or returns the pending one.
    fn integer_except(&mut self, how: &[Value]) -> Option<Result<Value, RunStopped>> {
        let [Value::Int(kind), Value::Int(sides), lo, hi, except @ ..] = how else {
            return None;
        };
        if let Some(pending) = self.large_draw.take() {
            let is_excluded = except.iter().any(|it| big(it) == big(&pending));
            if !is_excluded {
                return Some(Ok(pending));
            }
        }
        let small: Option<Vec<i64>> = how[2..].iter().map(as_small_int).collect();
        if let Some([lo, hi, except @ ..]) = small.as_deref() {
            match self.int_except(*kind, *sides, (*lo, *hi), except) {
                Some(small) => return Some(Ok(Value::Int(small))),
                None if self.source.stop_reason().is_some() => return Some(Err(RunStopped)),
                None => {}
            }
            if let Some(pending) = self.large_draw.take() {
                return Some(Ok(pending));
            }
        }
        let (lo, hi) = (big(lo)?, big(hi)?);
        let except = except.iter().map(big).collect::<Option<_>>()?;
        let bounds = ((sides & 1 != 0).then_some(&lo), (sides & 2 != 0).then_some(&hi));
        Some(self.source.draw_integer_except(number(*kind), bounds, &except).map(Value::int))
    }

    /// Draws an integer between bounds, or returns the pending one.
    fn integer_within(
        &mut self,
        kind: i64,
        lo: Option<&BigInt>,
        hi: Option<&BigInt>,
    ) -> Result<Value, RunStopped> {
        if let Some(pending) = self.large_draw.take() {
            return Ok(pending);
        }
        self.source.draw_integer_within(number(kind), lo, hi).map(Value::int)
    }

    pub(super) fn drawn(&self, drawn: Drawn) -> Value {
        match drawn {
            Drawn::Small(int) => Value::Int(int),
            Drawn::Big(id) => Value::int(self.source.kinds().big(id).clone()),
        }
    }

    pub(super) fn option(&self, value: Option<Value>) -> Value {
        let lang = &self.program.lang;
        match (value, lang.some, lang.none) {
            (Some(value), Some(some), _) => Value::Data(some, Fields::new(vec![value])),
            (_, _, Some(none)) => Value::Data(none, Fields::EMPTY),
            (Some(_) | None, _, None) => Value::UNIT,
        }
    }

    /// A value as source text; generated functions show the results they have returned so far.
    pub fn text(&self, value: &Value, max_len: usize) -> String {
        show_with(self.program, value, max_len, &|it| self.function_text(it))
    }

    /// A generated function as source text. Its most frequent result becomes the default for all
    /// arguments it was never called with.
    fn function_text(&self, value: &Value) -> Option<String> {
        let Value::Closure(function, captures) = value else { return None };
        let function = self.program.function(*function);
        if &*function.name != "function" || function.n_captures != 2 {
            return None;
        }
        let Some(Value::Int(number)) = captures.as_slice().first() else { return None };
        let table = self.functions.table(*number)?;
        let n_params = function.params.len() - function.n_captures as usize;
        let answered = table.iter().map(|(argument, answer)| {
            let arguments = if let Value::Tuple(parts) = argument
                && n_params != 1
            {
                parts.as_slice().to_vec()
            } else {
                vec![argument.clone()]
            };
            (arguments, self.text(answer, usize::MAX))
        });
        let mut entries: Vec<(Vec<Value>, String)> = answered.collect();
        let default = most_frequent(&entries).unwrap_or_else(|| NEVER_CALLED.to_owned());
        entries.retain(|(_, answer)| *answer != default);
        Some(function_text(self.program, n_params, &entries, Some(&default), WIDTH))
    }
}

/// The most frequent result, and of several the first.
fn most_frequent(entries: &[(Vec<Value>, String)]) -> Option<String> {
    let mut counts: BTreeMap<&str, (usize, Reverse<usize>)> = BTreeMap::new();
    for (at, (_, answer)) in entries.iter().enumerate() {
        counts.entry(answer).or_insert((0, Reverse(at))).0 += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, rank)| *rank);
    most.map(|(answer, _)| answer.to_owned())
}

fn number(kind: i64) -> KindId {
    KindId::from_number(kind as u32)
}

fn big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(int) => Some(BigInt::from(*int)),
        Value::Big(int) => Some(int.get().clone()),
        Value::Float(_) | Value::Bool(_) | Value::Char(_) | Value::Str(_) => None,
        Value::Tuple(_) | Value::Data(..) | Value::List(_) | Value::Map(_) => None,
        Value::Set(_) | Value::Closure(..) => None,
    }
}

/// Saturates a weight to `u32`; `None` if it is negative.
fn weight(value: &Value) -> Option<u32> {
    match value {
        Value::Int(int) => cut_weight(*int),
        Value::Big(int) if is_negative(int.get()) => None,
        Value::Big(_) | Value::Float(_) | Value::Bool(_) | Value::Char(_) => Some(u32::MAX),
        Value::Str(_) | Value::Tuple(_) | Value::Data(..) | Value::List(_) => Some(u32::MAX),
        Value::Map(_) | Value::Set(_) | Value::Closure(..) => Some(u32::MAX),
    }
}

fn is_negative(int: &BigInt) -> bool {
    int.sign() == num_bigint::Sign::Minus
}
