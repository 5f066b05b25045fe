//! Inputs that come close to where two versions part: the numbers in them are moved, one at a time
//! and in ever larger steps, while the two sides of a comparison come closer to each other.
//!
//! Bogdan Korel, "Automated software test data generation" (IEEE Transactions on Software
//! Engineering 16(8), 1990): the alternating variable method.

use gainsay_core::{Datum, Literal, Program, Ty, TyId};

/// Lists are not made longer.
const MAX_LIST_LENGTH: i64 = 2_000;

/// Inputs that are remembered of those that arrive.
const MAX_ARRIVED: usize = 32;

/// A search for inputs with which a distance is 0.
pub(super) struct AlternatingVariableSearch<'a> {
    pub(super) program: &'a Program,
    pub(super) types: &'a [TyId],
    /// Inputs that may still be tried.
    pub(super) budget: usize,
    /// How far inputs are from what is wanted; nothing if it cannot be told. It is found when it
    /// says so.
    pub(super) measure: &'a mut dyn FnMut(&Datum) -> MeasuredDistance,
    /// Inputs with which the distance is 0, and which are not what is wanted for other reasons.
    pub(super) zero_distance_inputs: &'a mut Vec<Datum>,
}

/// What trying inputs came to.
#[derive(Debug, Copy, Clone, PartialEq)]
pub(super) enum MeasuredDistance {
    /// They are what is wanted.
    Found,
    /// So far from it.
    Distance(f64),
    /// Nobody knows.
    Unknown,
}

impl AlternatingVariableSearch<'_> {
    /// Inputs that are what is wanted, starting from others.
    pub(super) fn search_from(&mut self, start: &Datum) -> Option<Datum> {
        let mut best = start.clone();
        let mut distance = match self.evaluate(start) {
            MeasuredDistance::Found => return Some(best),
            MeasuredDistance::Distance(distance) => distance,
            MeasuredDistance::Unknown => return None,
        };
        loop {
            let before = distance;
            for at in 0..numbers(self.program, &best, self.types).len() {
                if let Some(found) = self.search_along(at, &mut best, &mut distance) {
                    return Some(found);
                }
            }
            if distance >= before || self.budget == 0 {
                return None;
            }
        }
    }

    fn evaluate(&mut self, input: &Datum) -> MeasuredDistance {
        if self.budget == 0 {
            return MeasuredDistance::Unknown;
        }
        self.budget -= 1;
        let measured = (self.measure)(input);
        if measured == MeasuredDistance::Distance(0.0)
            && self.zero_distance_inputs.len() < MAX_ARRIVED
        {
            self.zero_distance_inputs.push(input.clone());
        }
        measured
    }

    /// Moves one number as long as that brings the inputs closer, and looks a step beyond.
    fn search_along(
        &mut self,
        at: usize,
        best: &mut Datum,
        distance: &mut f64,
    ) -> Option<Datum> {
        for direction in [1_i64, -1] {
            let mut step = direction;
            loop {
                let now = numbers(self.program, best, self.types).get(at).copied()?;
                let Some(moved) = now.checked_add(step) else { break };
                let input = with_number(self.program, best, self.types, at, moved);
                match self.evaluate(&input) {
                    MeasuredDistance::Found => return Some(input),
                    MeasuredDistance::Distance(closer) if closer < *distance => {
                        *best = input;
                        *distance = closer;
                        step = step.saturating_mul(2);
                    }
                    MeasuredDistance::Distance(_) | MeasuredDistance::Unknown
                        if step != direction =>
                    {
                        step = direction;
                    }
                    MeasuredDistance::Distance(_) | MeasuredDistance::Unknown => break,
                }
            }
        }
        None
    }
}

/// The numbers in a tuple of arguments, those written in texts included.
fn numbers(program: &Program, arguments: &Datum, types: &[TyId]) -> Vec<i64> {
    let mut found = Vec::new();
    let mut walk = NumberRewriter {
        program,
        next: 0,
        visit: &mut |_, number| {
            found.push(number);
            None
        },
    };
    walk.arguments(arguments, types);
    found
}

/// A tuple of arguments with another number in place of one.
fn with_number(
    program: &Program,
    arguments: &Datum,
    types: &[TyId],
    at: usize,
    number: i64,
) -> Datum {
    let mut walk =
        NumberRewriter { program, next: 0, visit: &mut |it, _| (it == at).then_some(number) };
    walk.arguments(arguments, types)
}

struct NumberRewriter<'a> {
    program: &'a Program,
    next: usize,
    /// Given the position of a number and the number, what to put there.
    visit: &'a mut dyn FnMut(usize, i64) -> Option<i64>,
}

impl NumberRewriter<'_> {
    fn arguments(&mut self, arguments: &Datum, types: &[TyId]) -> Datum {
        let Datum::Tuple(parts) = arguments else { return arguments.clone() };
        let parts = parts.iter().enumerate().map(|(at, part)| {
            let ty = types.get(at).map(|it| self.program.types.base(*it));
            self.datum(part, ty)
        });
        Datum::Tuple(parts.collect())
    }

    fn number(&mut self, number: i64) -> i64 {
        let at = self.next;
        self.next += 1;
        (self.visit)(at, number).unwrap_or(number)
    }

    fn all(&mut self, parts: &[Datum], ty: &dyn Fn(usize) -> Option<TyId>) -> Vec<Datum> {
        let parts = parts.iter().enumerate();
        parts.map(|(at, part)| self.datum(part, ty(at))).collect()
    }

    fn datum(&mut self, datum: &Datum, ty: Option<TyId>) -> Datum {
        let program = self.program;
        let of = ty.map(|it| program.types.get(program.types.base(it)));
        match datum {
            Datum::Literal(Literal::Int(int)) => {
                Datum::Literal(Literal::Int(self.number(*int)))
            }
            Datum::Literal(Literal::Char(char)) => {
                let code = u32::try_from(self.number(i64::from(u32::from(*char))));
                let moved = code.ok().and_then(char::from_u32).unwrap_or(*char);
                Datum::Literal(Literal::Char(moved))
            }
            Datum::Literal(Literal::Str(text)) => {
                Datum::Literal(Literal::Str(self.text(text).into()))
            }
            Datum::Literal(_) | Datum::Function(_) | Datum::Map(_) => datum.clone(),
            Datum::Tuple(parts) => {
                let types = match of {
                    Some(Ty::Tuple(types)) => &**types,
                    _ => &[],
                };
                Datum::Tuple(self.all(parts, &|at| types.get(at).copied()))
            }
            Datum::Data(ctor, fields) => {
                let definition = &program.ctor(*ctor).fields;
                let fields = self.all(fields, &|at| definition.get(at).map(|it| it.ty));
                Datum::Data(*ctor, fields)
            }
            Datum::List(items) => {
                let item = match of {
                    Some(Ty::List(item)) => Some(*item),
                    _ => None,
                };
                // The length of a list is a number as well.
                let len = self.number(items.len() as i64).clamp(0, MAX_LIST_LENGTH);
                let items: Vec<Datum> =
                    items.iter().cycle().take(len as usize).cloned().collect();
                Datum::List(self.all(&items, &|_| item))
            }
            Datum::Set(_) => datum.clone(),
        }
    }

    /// A text in which runs of digits are numbers.
    fn text(&mut self, text: &str) -> String {
        let mut made = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|it: char| it.is_ascii_digit()) {
            let signed = if rest[..start].ends_with('-') { start - 1 } else { start };
            made += &rest[..signed];
            let len = rest[start..].find(|it: char| !it.is_ascii_digit());
            let end = len.map_or(rest.len(), |len| start + len);
            match rest[signed..end].parse::<i64>() {
                Ok(number) => {
                    let other = self.number(number);
                    // What is not moved keeps its leading zeros.
                    if other == number {
                        made += &rest[signed..end];
                    } else {
                        made += &other.to_string();
                    }
                }
                Err(_) => made += &rest[signed..end],
            }
            rest = &rest[end..];
        }
        made + rest
    }
}
