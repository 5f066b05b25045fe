//! Implementations of the builtins, linked to core's builtin table by id.
//!
//! Each is a function of its arguments that charges the meter before it does work or allocates.
//! Arguments have the declared types; on others, which a checked program cannot produce, a builtin
//! returns a fault instead of panicking.

mod char;
mod float;
mod int;
mod list;
mod map;
mod set;
mod str;
mod value;

use std::sync::LazyLock;

use gainsay_core::{BuiltinId, Program};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use crate::comparison::VisitLimitReached;
use crate::fault::FaultKind;
use crate::limits::{
    WORK_PER_COMPARISON, is_small_int, words_of_fields, words_of_int, words_of_list,
    words_of_text,
};
use crate::meter::Meter;
use crate::value::{List, Text, Value, ValueTable};

/// What a builtin can access besides its arguments.
pub(crate) struct BuiltinContext<'a, 'm> {
    pub(crate) program: &'a Program,
    pub(crate) meter: &'a mut Meter<'m>,
}

/// The result of a builtin; faults are rare and boxed to keep the common case small.
type BuiltinResult = Result<Value, Box<FaultKind>>;

type BuiltinFn = fn(&mut BuiltinContext<'_, '_>, &[Value]) -> BuiltinResult;

/// Implementations, keyed by the names of their table rows.
type BuiltinRows = &'static [(&'static str, BuiltinFn)];

/// Runs a builtin.
pub(crate) fn run(
    id: BuiltinId,
    context: &mut BuiltinContext<'_, '_>,
    args: &[Value],
) -> BuiltinResult {
    match TABLE.get(id.index()) {
        Some(Some(run)) => run(context, args),
        Some(None) | None => Err(Box::new(FaultKind::Unsupported("a builtin without meaning"))),
    }
}

/// Runs a builtin on its own, within the usual limits; `None` if it fails.
pub fn run_builtin(program: &Program, id: BuiltinId, args: &[Value]) -> Option<Value> {
    let mut meter = Meter::new(crate::limits::Limits::default(), None);
    run(id, &mut BuiltinContext { program, meter: &mut meter }, args).ok()
}

static TABLE: LazyLock<Vec<Option<BuiltinFn>>> = LazyLock::new(|| {
    let rows = [
        value::ROWS,
        int::ROWS,
        float::ROWS,
        char::ROWS,
        str::ROWS,
        list::ROWS,
        map::ROWS,
        set::ROWS,
    ];
    index_by_id(&rows)
});

/// Arranges implementations by builtin id; `None` for builtins without one.
pub(crate) fn index_by_id<M: Copy>(rows: &[&[(&'static str, M)]]) -> Vec<Option<M>> {
    let mut table = vec![None; gainsay_core::builtin::ALL.len()];
    for (name, meaning) in rows.iter().copied().flatten() {
        // By name, so that no numbering of builtins has to be kept in step with the table of core.
        if let Some(id) = gainsay_core::builtin::find(name) {
            table[id.index()] = Some(*meaning);
        }
    }
    table
}

impl BuiltinContext<'_, '_> {
    /// Charges words for a value before it is allocated.
    fn charge_words(&mut self, words: u64) -> Result<(), Box<FaultKind>> {
        self.meter.charge_words(words).map_err(Box::new)
    }

    /// Charges work, measured in elements or bytes.
    fn charge_work(&mut self, amount: u64) -> Result<(), Box<FaultKind>> {
        self.meter.charge_work(amount).map_err(Box::new)
    }

    /// Runs an operation that may visit as many pairs as the remaining steps allow, then charges it
    /// for the visits it made.
    fn charge_comparisons<T>(
        &mut self,
        operation: impl FnOnce(&mut u64) -> Result<T, VisitLimitReached>,
    ) -> Result<T, Box<FaultKind>> {
        // `+ 1`, because `charge_visit` fails on the last visit: an operation that fails has then
        // used more than the remaining work.
        let allowed = self.meter.work_left() / WORK_PER_COMPARISON + 1;
        let mut left = allowed;
        let result = operation(&mut left);
        self.charge_work((allowed - left).saturating_mul(WORK_PER_COMPARISON))?;
        result.map_err(|VisitLimitReached| Box::new(FaultKind::StepLimit))
    }

    /// Wraps an integer that is already computed; small ones are free.
    fn int(&mut self, int: i64) -> BuiltinResult {
        if !is_small_int(int) {
            self.charge_words(words_of_int(u64::from(
                u64::BITS - int.unsigned_abs().leading_zeros(),
            )))?;
        }
        Ok(Value::Int(int))
    }

    /// Wraps an integer of any size that is already computed; small ones are free.
    fn big(&mut self, int: BigInt) -> BuiltinResult {
        if let Some(int) = int.to_i64() {
            return self.int(int);
        }
        self.charge_words(words_of_int(int.bits()))?;
        Ok(Value::int(int))
    }

    /// `Some(content)` or `None`.
    fn option(&mut self, content: Option<Value>) -> BuiltinResult {
        let lang = &self.program.lang;
        let (Some(some), Some(none)) = (lang.some, lang.none) else {
            return Err(Box::new(FaultKind::Unsupported("a program without `Option`")));
        };
        match content {
            None => Ok(Value::data(none, Vec::new())),
            Some(content) => {
                self.charge_words(words_of_fields(1))?;
                Ok(Value::data(some, vec![content]))
            }
        }
    }

    /// Wraps a text that is already built. Callers have charged work for about its length.
    fn text(&mut self, text: String) -> BuiltinResult {
        self.charge_words(words_of_text(text.len() as u64))?;
        self.charge_work(text.len() as u64)?;
        Ok(Value::str(text))
    }

    /// Charges for a list before it is built.
    fn charge_list(&mut self, len: u64) -> Result<(), Box<FaultKind>> {
        self.charge_words(words_of_list(len))?;
        self.charge_work(len)
    }

    /// Wraps list elements that are already built.
    fn list(&mut self, items: Vec<Value>) -> BuiltinResult {
        self.charge_list(items.len() as u64)?;
        Ok(Value::list(items))
    }
}

fn out_of_range(what: String) -> Box<FaultKind> {
    Box::new(FaultKind::OutOfRange { what })
}

/// The fault for arguments that a checked program cannot produce.
#[cold]
fn mistyped<T>() -> Result<T, Box<FaultKind>> {
    Err(Box::new(FaultKind::Unsupported("a builtin with arguments of other types")))
}

fn float_of(value: &Value) -> Result<f64, Box<FaultKind>> {
    value.as_float().map_or_else(mistyped, Ok)
}

fn char_of(value: &Value) -> Result<char, Box<FaultKind>> {
    value.as_char().map_or_else(mistyped, Ok)
}

fn big_of(value: &Value) -> Result<BigInt, Box<FaultKind>> {
    value.as_big().map_or_else(mistyped, Ok)
}

fn text_of(value: &Value) -> Result<&Text, Box<FaultKind>> {
    if let Value::Str(text) = value { Ok(text) } else { mistyped() }
}

fn list_of(value: &Value) -> Result<&List, Box<FaultKind>> {
    value.as_list().map_or_else(mistyped, Ok)
}

fn table_of(value: &Value) -> Result<&ValueTable, Box<FaultKind>> {
    if let Value::Map(table) | Value::Set(table) = value { Ok(table) } else { mistyped() }
}

/// An integer as a count: `None` if negative, `u64::MAX` if too large.
fn count_of(value: &Value) -> Result<Option<u64>, Box<FaultKind>> {
    if let Value::Big(big) = value {
        // A big integer is outside `i64`, and no count in the program comes near `i64::MAX`.
        return Ok((big.get().sign() != num_bigint::Sign::Minus).then_some(u64::MAX));
    }
    match value.as_int() {
        Some(int) => Ok(u64::try_from(int).ok()),
        None => mistyped(),
    }
}

/// An integer as a position, clamped to `0..=len`.
fn clamped_position(value: &Value, len: u64) -> Result<u64, Box<FaultKind>> {
    count_of(value).map(|count| count.unwrap_or(0).min(len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_meaning() {
        for (builtin, run) in gainsay_core::builtin::ALL.iter().zip(TABLE.iter()) {
            assert!(run.is_some(), "{} has no meaning", builtin.name);
        }
    }
}
