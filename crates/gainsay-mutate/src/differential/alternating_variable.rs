//! Searches for inputs at which two versions diverge: changes one number of an input at a time, in
//! doubling steps, as long as the branch distance (between the two sides of a comparison) shrinks.
//!
//! Bogdan Korel, "Automated software test data generation" (IEEE Transactions on Software
//! Engineering 16(8), 1990): the alternating variable method.

use gainsay_core::{Datum, Literal, Program, Ty, TyId};

/// Lists are not extended beyond this length.
const MAX_LIST_LENGTH: i64 = 2_000;

/// Zero-distance inputs that are remembered.
const MAX_ARRIVED: usize = 32;

/// A search for inputs with branch distance 0.
pub(super) struct AlternatingVariableSearch<'a> {
    pub(super) program: &'a Program,
    pub(super) types: &'a [TyId],
    /// Executions left.
    pub(super) budget: usize,
    /// Runs an input and measures its distance to the goal.
    pub(super) measure: &'a mut dyn FnMut(&Datum) -> MeasuredDistance,
    /// Inputs with distance 0 that nevertheless do not distinguish the versions.
    pub(super) zero_distance_inputs: &'a mut Vec<Datum>,
}

/// The result of trying an input.
#[derive(Debug, Copy, Clone, PartialEq)]
pub(super) enum MeasuredDistance {
    /// It distinguishes the versions.
    Found,
    /// Its distance to the goal.
    Distance(f64),
    /// The comparison was not reached, or the budget is used up.
    Unknown,
}

impl AlternatingVariableSearch<'_> {
    /// Hill climbing from a starting input to one that distinguishes the versions.
    pub(super) fn search_from(&mut self, start: &Datum) -> Option<Datum> {
        let mut best = start.clone();
        let mut distance = match self.evaluate(start) {
            MeasuredDistance::Found => return Some(best),
            MeasuredDistance::Distance(distance) => distance,
            MeasuredDistance::Unknown => return None,
        };
        loop {
            let before = distance;
            // Counted for each round only: where a list grew, its new numbers have their turn in
            // the next.
            for at in 0..numbers(self.program, &best, self.types).len() {
                if let Some(found) = self.search_along(at, &mut best, &mut distance) {
                    return Some(found);
                }
            }
            // A full round without progress is a local minimum.
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

    /// Moves one number as long as the distance shrinks, in both directions.
    fn search_along(
        &mut self,
        at: usize,
        best: &mut Datum,
        distance: &mut f64,
    ) -> Option<Datum> {
        for direction in [1_i64, -1] {
            let mut step = direction;
            loop {
                // Read anew after each move, since the length of a list is one of the numbers and
                // may remove others.
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
                    // A doubled step overshot: start again with a step of 1 from the best number so
                    // far.
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

/// The numbers in a tuple of arguments, including those written in strings.
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

/// A tuple of arguments with the number at one position replaced.
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

/// Rewrites the numbers of a datum in a fixed order: reading and replacing share this traversal so
/// that positions agree.
struct NumberRewriter<'a> {
    program: &'a Program,
    next: usize,
    /// Given the position of a number and the number, its replacement if any.
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
                // A surrogate or a negative code leaves the character as it is, which ends the
                // move.
                let moved = code.ok().and_then(char::from_u32).unwrap_or(*char);
                Datum::Literal(Literal::Char(moved))
            }
            Datum::Literal(Literal::Str(text)) => {
                Datum::Literal(Literal::Str(self.text(text).into()))
            }
            // Maps and sets stay as they are: a key that moves could merge with another.
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
                // A list's length counts as a number too; a longer list repeats its items.
                let len = self.number(items.len() as i64).clamp(0, MAX_LIST_LENGTH);
                let items: Vec<Datum> =
                    items.iter().cycle().take(len as usize).cloned().collect();
                Datum::List(self.all(&items, &|_| item))
            }
            Datum::Set(_) => datum.clone(),
        }
    }

    /// Treats runs of digits in a string, with their sign, as numbers.
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
                    // An unchanged number keeps its leading zeros.
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
