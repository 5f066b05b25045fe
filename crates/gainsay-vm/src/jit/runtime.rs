//! What compiled code calls: everything that is not worth emitting.
//!
//! Each function takes the context and up to five words or numbers, and returns a word; the
//! word 0 says that a fault was raised. None of them unwinds: a panic of the host is caught
//! and goes on once compiled code has been left.

pub(crate) mod builtin;
mod builtins;
pub(crate) mod claim;
pub(crate) mod convert;
pub(crate) mod effect;
#[cfg(test)]
mod laws;
pub(crate) mod limit;
pub(crate) mod order;
pub(crate) mod quick;
pub(crate) mod refine;
pub(crate) mod traced;

use super::context::Context;
use super::word::Word;

type C = *mut Context;
type N = u64;
/// How many calls may still be inside the one that runs.
type D = i64;
type W = Word;
type Row = *const Word;
type MutRow = *mut Word;

macro_rules! calls {
    ($($(#[$doc:meta])* $call:ident = $path:path as fn($($param:ty),+);)+) => {
        /// A function that compiled code calls.
        #[derive(Debug, Copy, Clone, PartialEq, Eq)]
        pub(crate) enum Call { $($(#[$doc])* $call),+ }

        impl Call {
            pub(crate) const ALL: &[Self] = &[$(Self::$call),+];

            /// A name to link by.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$call => stringify!($call)),+ }
            }

            /// How many parameters it has, the context included.
            pub(crate) fn n_params(self) -> usize {
                match self { $(Self::$call => [$(size_of::<$param>()),+].len()),+ }
            }

            pub(crate) fn address(self) -> *const u8 {
                match self {
                    $(Self::$call => {
                        let function: extern "C" fn($($param),+) -> Word = $path;
                        function as *const u8
                    })+
                }
            }
        }
    };
}

calls! {
    /// The steps that were granted are taken.
    Look = limit::look as fn(C, N);
    /// Too many calls inside each other.
    TooDeep = limit::too_deep as fn(C, N);
    /// No room for a cell.
    Full = limit::full as fn(C, N, N);
    /// A term that no engine runs yet.
    Unsupported = limit::unsupported as fn(C, N);
    /// No arm of a match matches.
    Unmatched = limit::unmatched as fn(C, N);
    /// A builtin of two words.
    Binary = builtins::binary as fn(C, N, N, W, W);
    /// A builtin of words in a row.
    Builtin = builtins::builtin as fn(C, N, N, Row, N);
    /// A float without room in a word.
    Float = builtins::float as fn(C, N, N);
    /// A long list.
    List = builtins::list as fn(C, N, Row, N, W);
    /// Whether a word equals a literal; 0 or 1.
    IsLiteral = builtins::is_literal as fn(C, W, W);
    /// A constant that has no value yet.
    Constant = claim::constant as fn(C, N, D, N);
    /// `observe`.
    Observe = claim::observe as fn(C, N, W, W, W);
    /// An `assume` that did not hold.
    AssumeFailed = claim::assume_failed as fn(C, N);
    /// `throws`.
    Throws = claim::throws as fn(C, N, W, D);
    /// A clause of a contract that did not hold.
    Violated = claim::violated as fn(C, N);
    /// A value outside its refined type.
    NotRefined = refine::not_refined as fn(C, N, N, N);
    /// Whether a value is inside a type with refinements in it.
    Outside = refine::outside as fn(C, N, N, N, W, D);
    /// An effect.
    Perform = effect::perform as fn(C, N, Row, D);
    /// `under`.
    Under = effect::under as fn(C, N, Row, W, D);
    /// The branches of a `par`.
    Par = effect::par as fn(C, N, MutRow, N, D);
    /// A traced call begins.
    TraceBegin = traced::begin as fn(C, N);
    /// Some traced calls are left by `?`.
    TraceLeave = traced::leave as fn(C, N);
    /// A traced call ends.
    TraceEnd = traced::end as fn(C, N, W);
}

/// The context behind the pointer that compiled code passes.
///
/// Nothing else refers to it while a function of the runtime uses what this returns; after
/// compiled code was called from there, it is asked for again.
fn of<'a>(context: C) -> &'a mut Context {
    // SAFETY: compiled code got the pointer from `Worker::run`, whose context outlives the
    // call, and hands it on unchanged; a context is used by one thread.
    unsafe { &mut *context }
}

/// Words that compiled code put in a row.
fn row<'a>(row: Row, n_words: usize) -> &'a [Word] {
    // SAFETY: compiled code stored that many words there just before the call, in its frame.
    unsafe { std::slice::from_raw_parts(row, n_words) }
}

/// The same, to be written to.
fn row_mut<'a>(row: MutRow, n_words: usize) -> &'a mut [Word] {
    // SAFETY: compiled code stored that many words there, in its frame, and does not look at
    // them before the call is over.
    unsafe { std::slice::from_raw_parts_mut(row, n_words) }
}

/// How many words are passed without memory of their own.
const FEW: usize = 6;

/// Calls a function value from the runtime.
pub(crate) fn call_value(
    context: C,
    closure: Word,
    args: &[Word],
    depth: i64,
    site: u64,
) -> Word {
    let n_words = args.len() + 1;
    let mut few = [closure; FEW];
    let mut many = Vec::new();
    let words = if n_words <= FEW {
        &mut few[..n_words]
    } else {
        many.resize(n_words, closure);
        &mut many[..]
    };
    words[1..].copy_from_slice(args);
    match of(context).state.code.entry(n_words) {
        Ok(entry) => entry(context, depth, closure.closure_code(), words.as_ptr()),
        Err(_) => {
            let kind = crate::fault::FaultKind::Unsupported("a call with so many arguments");
            of(context).raise(kind, site)
        }
    }
}
