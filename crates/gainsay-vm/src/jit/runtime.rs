//! The runtime: functions that compiled code calls for everything not worth emitting inline.
//!
//! Each takes the context and up to five words or numbers, and returns a word; the word 0 means
//! that a fault was raised. None of them unwinds: a panic of the host is caught, and resumed after
//! compiled code has returned.

#[cfg(test)]
mod agreement_tests;
pub(crate) mod builtin;
mod builtin_calls;
pub(crate) mod claim;
pub(crate) mod comparison;
pub(crate) mod convert;
pub(crate) mod effect;
pub(crate) mod fast_answers;
pub(crate) mod limit;
pub(crate) mod refine;
mod relation;
pub(crate) mod tracing;

use super::context::{ContextPtr, JitContext};
use super::word::Word;

type RawNumber = u64;
/// How many calls may still nest inside the running one.
type DepthLeft = i64;
type WordParam = Word;
type WordRow = *const Word;
type WordRowMut = *mut Word;

macro_rules! calls {
    ($($(#[$doc:meta])* $call:ident = $path:path as fn($($param:ty),+);)+) => {
        /// A function that compiled code calls.
        #[derive(Debug, Copy, Clone, PartialEq, Eq)]
        pub(crate) enum RuntimeCall { $($(#[$doc])* $call),+ }

        impl RuntimeCall {
            pub(crate) const ALL: &[Self] = &[$(Self::$call),+];

            /// The symbol name.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$call => stringify!($call)),+ }
            }

            /// Number of parameters, including the context.
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
    /// The granted steps are used up.
    RefillSteps = limit::refill_steps as fn(ContextPtr, RawNumber);
    /// Calls nest too deeply.
    TooDeep = limit::too_deep as fn(ContextPtr, RawNumber);
    /// The arena has no room for a cell.
    ArenaFull = limit::arena_full as fn(ContextPtr, RawNumber, RawNumber);
    /// A term that no engine supports yet.
    Unsupported = limit::unsupported as fn(ContextPtr, RawNumber);
    /// No arm of a match matches.
    Unmatched = limit::unmatched as fn(ContextPtr, RawNumber);
    /// A builtin of two words.
    Binary = builtin_calls::binary as fn(ContextPtr, RawNumber, RawNumber, WordParam, WordParam);
    /// A builtin on an array of words.
    Builtin = builtin_calls::builtin as fn(ContextPtr, RawNumber, RawNumber, WordRow, RawNumber);
    /// A float that does not fit a word.
    Float = builtin_calls::float as fn(ContextPtr, RawNumber, RawNumber);
    /// A long list.
    List = builtin_calls::list as fn(ContextPtr, RawNumber, WordRow, RawNumber, WordParam);
    /// Whether a word equals a literal; 0 or 1.
    IsLiteral = builtin_calls::is_literal as fn(ContextPtr, WordParam, WordParam);
    /// A constant that has not been evaluated.
    Constant = claim::constant as fn(ContextPtr, RawNumber, DepthLeft, RawNumber);
    /// `observe`.
    Observe = claim::observe as fn(ContextPtr, RawNumber, WordParam, WordParam, WordParam);
    /// An `assume` that did not hold.
    AssumeFailed = claim::assume_failed as fn(ContextPtr, RawNumber);
    /// `throws`.
    Throws = claim::throws as fn(ContextPtr, RawNumber, WordParam, DepthLeft);
    /// A contract clause that did not hold.
    ContractViolated = claim::contract_violated as fn(ContextPtr, RawNumber);
    /// A value outside its refinement type.
    RefinementFailed = refine::refinement_failed as fn(ContextPtr, RawNumber, RawNumber, RawNumber);
    /// Checks a value against a type with refinements inside.
    CheckRefinement = refine::check_refinement as fn(ContextPtr, RawNumber, RawNumber, RawNumber, WordParam, DepthLeft);
    /// Whether a relation holds of an array of words.
    CheckRelation = relation::check_relation as fn(ContextPtr, RawNumber, RawNumber, WordRow, RawNumber);
    /// An effect.
    Perform = effect::perform as fn(ContextPtr, RawNumber, WordRow, DepthLeft);
    /// `under`.
    Under = effect::under as fn(ContextPtr, RawNumber, WordRow, WordParam, DepthLeft);
    /// The branches of a `par`.
    Par = effect::par as fn(ContextPtr, RawNumber, WordRowMut, RawNumber, DepthLeft);
    /// The start of a traced call.
    TraceBegin = tracing::begin as fn(ContextPtr, RawNumber);
    /// Traced calls that `?` leaves.
    TraceLeave = tracing::leave as fn(ContextPtr, RawNumber);
    /// The end of a traced call.
    TraceEnd = tracing::end as fn(ContextPtr, RawNumber, WordParam);
}

/// The context behind the pointer that compiled code passes.
///
/// After calling compiled code, a runtime function must call this again.
fn context_of<'a>(context: ContextPtr) -> &'a mut JitContext {
    context.context()
}

/// An array of words that compiled code stored.
///
/// # Safety
///
/// Compiled code must have stored that many words there, in the frame that called the runtime.
unsafe fn row<'a>(row: WordRow, n_words: usize) -> &'a [Word] {
    // SAFETY: promised by the caller; the frame stays as it is until the runtime returns.
    unsafe { std::slice::from_raw_parts(row, n_words) }
}

/// The same, mutable.
///
/// # Safety
///
/// As for [`row`]; and nothing else may refer to the words.
unsafe fn row_mut<'a>(row: WordRowMut, n_words: usize) -> &'a mut [Word] {
    // SAFETY: promised by the caller; compiled code waits until the runtime returns.
    unsafe { std::slice::from_raw_parts_mut(row, n_words) }
}

/// How many words are passed in a fixed array instead of a heap allocation.
const MAX_INLINE_ARGS: usize = 6;

/// Calls a function value from the runtime.
pub(crate) fn call_value(
    context: ContextPtr,
    closure: Word,
    args: &[Word],
    depth: i64,
    site: u64,
) -> Word {
    let n_words = args.len() + 1;
    // Word 0 is the closure itself, as the calling convention of values requires.
    let mut few = [closure; MAX_INLINE_ARGS];
    let mut many = Vec::new();
    let words = if n_words <= MAX_INLINE_ARGS {
        &mut few[..n_words]
    } else {
        many.resize(n_words, closure);
        &mut many[..]
    };
    words[1..].copy_from_slice(args);
    match context_of(context).state.code.entry(n_words) {
        // SAFETY: the entry point takes `n_words` words, which are stored in `words`; a value of
        // function type is a closure, and the checker admits no other callee.
        Ok(entry) => unsafe { entry(context, depth, closure.closure_code(), words.as_ptr()) },
        Err(_) => {
            let kind = crate::fault::FaultKind::Unsupported("a call with so many arguments");
            context_of(context).raise(kind, site)
        }
    }
}
