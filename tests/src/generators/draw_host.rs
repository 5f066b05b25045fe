//! A minimal host: answers the draws of generated code from a choice source.

use std::sync::Arc;

use gainsay_choice::{
    ChoiceValue as Drawn, KindId, PartSort, RunStopped, Seed, Source, SpanLabel, Urn,
};
use gainsay_core::{OpId, Program};
use gainsay_gen::{DrawOps, LoweredProgram};
use gainsay_vm::{EffectCall, Host, HostAnswer, Refusal, Value, same};
use num_bigint::BigInt;

/// Answers the operations of `Draw` and `Gen`.
pub(crate) struct DrawHost {
    pub(crate) source: Source,
    pub(crate) lowered: LoweredProgram,
    ops: DrawOps,
    program: Arc<Program>,
    /// The recorded inputs.
    pub(crate) bound: Vec<(u32, Value)>,
    /// The number of rejected values.
    pub(crate) n_rejected: u32,
    n_rejected_here: u32,
    /// The draws of this case.
    pub(crate) n_draws: u64,
    /// The number of open spans.
    pub(crate) depth: i64,
    /// A number that was drawn for [`Host::quick`] and does not fit it.
    pending: Option<BigInt>,
    tables: Vec<Vec<(Value, Value)>>,
    urns: Vec<Urn<u32>>,
    size: Option<i64>,
}

/// How many values in a row may be rejected.
const MAX_TRIES: u32 = 100;

impl DrawHost {
    pub(crate) fn new(lowered: &LoweredProgram) -> Self {
        DrawHost {
            source: Source::new(lowered.kinds.clone()),
            lowered: lowered.clone(),
            ops: lowered.ops.clone(),
            program: Arc::clone(&lowered.record),
            bound: Vec::new(),
            n_rejected: 0,
            n_rejected_here: 0,
            n_draws: 0,
            depth: 0,
            pending: None,
            tables: Vec::new(),
            urns: Vec::new(),
            size: None,
        }
    }

    /// Starts a case without recording.
    pub(crate) fn search(&mut self, seed: Seed, size: u32) {
        self.clear();
        self.source.search(seed, size);
    }

    /// Starts a case with recording.
    pub(crate) fn record(&mut self, seed: Seed, size: u32) {
        self.clear();
        self.source.record(seed, size);
    }

    fn clear(&mut self) {
        self.bound.clear();
        self.tables.clear();
        self.urns.clear();
        self.pending = None;
        self.depth = 0;
        self.n_rejected_here = 0;
        self.n_draws = 0;
        self.size = None;
    }

    /// Answers an operation on numbers; `None` for other operations.
    #[inline]
    fn number(&mut self, op: OpId, args: &[i64]) -> Result<Option<Drawn>, RunStopped> {
        self.n_draws += 1;
        let ops = &self.ops;
        let small = |it: i64| Ok(Some(Drawn::Small(it)));
        let kind = |at: usize| KindId::from_number(args[at] as u32);
        if op == ops.int || op == ops.pick {
            return self.source.draw(kind(0)).map(Some);
        }
        if op == ops.more {
            return small(i64::from(self.source.draw_more(kind(0), args[1] as u32)?));
        }
        if op == ops.size {
            return small(self.size.unwrap_or(i64::from(self.source.size())));
        }
        if op == ops.element {
            let container = self.lowered.containers[args[0] as usize];
            let n = args[1] as u32;
            let goes_on = self.source.open_element(container.element, container.more, n)?;
            self.depth += i64::from(goes_on);
            return small(i64::from(goes_on));
        }
        if op == ops.part {
            self.source.begin_part(PartSort(args[0] as u32));
        } else if op == ops.part_end {
            self.source.end_part();
        } else if op == ops.input {
            self.source.begin_input(args[0] as u32);
        } else if op == ops.open {
            self.source.open_span(SpanLabel(args[0] as u32));
            self.depth += 1;
        } else if op == ops.close {
            self.source.close_span();
            self.depth -= 1;
        } else if op == ops.drop {
            self.source.discard_span();
            self.depth -= 1;
        } else if op == ops.reject {
            self.n_rejected += 1;
            self.n_rejected_here += 1;
            return small(i64::from(self.n_rejected_here < MAX_TRIES));
        } else if op == ops.accept {
            return small(0);
        } else if op == ops.function {
            self.tables.push(Vec::new());
            return small(self.tables.len() as i64 - 1);
        } else if op == ops.index {
            let n = args[0] as u32;
            return self
                .source
                .select(&vec![1; n as usize])
                .map(|it| Some(Drawn::Small(it.into())));
        } else if op == ops.leave {
            return small(0);
        } else if op == ops.across {
            return small(1);
        } else {
            return Ok(None);
        }
        small(0)
    }

    fn gen_operation(&mut self, call: &EffectCall<'_>) -> Result<Value, Refusal> {
        let ops = self.ops.gen_.clone();
        let op = Some(call.op);
        let stopped = |RunStopped| Refusal::Discard;
        if op == ops.int {
            let bounds: Vec<BigInt> = call.args.iter().filter_map(Value::as_big).collect();
            let any = gainsay_choice::Kind::Integer(gainsay_choice::IntegerKind::any());
            let kind = self.source.kinds_mut().intern(any);
            let drawn = self.source.draw_integer_within(kind, bounds.first(), bounds.get(1));
            return drawn.map(Value::int).map_err(stopped);
        }
        if op == ops.size {
            return Ok(Value::Int(self.size.unwrap_or(i64::from(self.source.size()))));
        }
        if op == ops.set_size {
            self.size = call.args[0].as_int();
            return Ok(Value::UNIT);
        }
        if op == ops.weighted
            && let Value::List(weights) = &call.args[0]
        {
            let weights: Vec<u32> =
                weights.iter().filter_map(Value::as_int).map(|it| it.max(0) as u32).collect();
            let picked = self.source.select(&weights).map_err(stopped)?;
            return Ok(Value::Int(picked.into()));
        }
        if op == ops.urn
            && let Value::List(weights) = &call.args[0]
        {
            let weights = weights.iter().filter_map(Value::as_int).map(|it| it.max(0) as u32);
            self.urns.push(weights.zip(0..).collect());
            return Ok(Value::Int(self.urns.len() as i64 - 1));
        }
        if op == ops.lot
            && let Some(urn) = call.args[0].as_int()
        {
            let urn = &mut self.urns[urn as usize];
            if urn.weight() == 0 {
                return Ok(Value::Int(-1));
            }
            let taken = self.source.take_from_urn(urn).map_err(stopped)?;
            return Ok(Value::Int(taken.into()));
        }
        Err(if op == ops.discard { Refusal::Discard } else { Refusal::Unanswered })
    }

    fn option(&self, value: Option<Value>) -> Value {
        let lang = &self.program.lang;
        match value {
            Some(value) => Value::data(lang.some.expect("std is there"), vec![value]),
            None => Value::data(lang.none.expect("std is there"), Vec::new()),
        }
    }
}

impl Host for DrawHost {
    #[inline]
    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        match self.number(op, args) {
            Ok(Some(Drawn::Small(small))) => Some(small),
            Ok(Some(Drawn::Big(big))) => {
                self.pending = Some(self.source.kinds().big(big).clone());
                None
            }
            Ok(None) | Err(RunStopped) => None,
        }
    }

    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        if let Some(big) = self.pending.take() {
            return Ok(Value::int(big).into());
        }
        if self.source.stop_reason().is_some() || call.op == self.ops.discard {
            return Err(Refusal::Discard);
        }
        let numbers: Option<Vec<i64>> = call.args.iter().map(Value::as_int).collect();
        if let Some(numbers) = numbers
            && let Some(drawn) = self.number(call.op, &numbers).map_err(|_| Refusal::Discard)?
        {
            let value = match drawn {
                Drawn::Small(small) => Value::Int(small),
                Drawn::Big(big) => Value::int(self.source.kinds().big(big).clone()),
            };
            return Ok(value.into());
        }
        let ops = self.ops.clone();
        let number = |at: usize| call.args[at].as_int().expect("a number is passed") as u32;
        let stopped = |RunStopped| Refusal::Discard;
        let value = if call.op == ops.float {
            Value::Float(
                self.source.draw_float(KindId::from_number(number(0))).map_err(stopped)?,
            )
        } else if call.op == ops.char {
            Value::Char(self.source.draw_char(KindId::from_number(number(0))).map_err(stopped)?)
        } else if call.op == ops.text {
            let kind = &self.lowered.texts[number(0) as usize];
            Value::str(self.source.draw_text(kind).map_err(stopped)?)
        } else if call.op == ops.given {
            self.option(None)
        } else if call.op == ops.bound {
            self.bound.push((number(0), call.args[1].clone()));
            Value::UNIT
        } else if call.op == ops.value {
            call.args[1].clone()
        } else if call.op == ops.lookup {
            let table = &self.tables[number(0) as usize];
            let found = table.iter().find(|(args, _)| same(args, &call.args[1]));
            self.option(found.map(|(_, result)| result.clone()))
        } else if call.op == ops.remember {
            let row = (call.args[1].clone(), call.args[2].clone());
            self.tables[number(0) as usize].push(row);
            Value::UNIT
        } else {
            self.gen_operation(call)?
        };
        Ok(value.into())
    }
}
