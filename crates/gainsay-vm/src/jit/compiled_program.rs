//! Compiled programs: compiled on demand and shared by all workers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gainsay_core::{CtorId, FunctionId, Program};

use super::codegen_unit::CodeCache;
use super::context::ContextPtr;
use super::instrumentation::Instrumentation;
use super::size_limit::TooLargeFunctions;
use super::word::Word;
use crate::effect_trace::{TraceCtors, branch_path};

/// Calls any compiled code: context, depth, code, words.
pub(crate) type EntryPoint = unsafe extern "C" fn(ContextPtr, i64, u64, *const Word) -> Word;

/// Calls a specific function: context, depth, words.
pub(crate) type FunctionEntryPoint = unsafe extern "C" fn(ContextPtr, i64, *const Word) -> Word;

/// Maximum number of words that a call from outside passes.
const MAX_WORDS: usize = 128;

/// A program and the code of the functions that have been requested so far.
pub(crate) struct JitCode {
    pub(crate) program: Arc<Program>,
    pub(crate) instruments: Instrumentation,
    /// The constructor of `BranchPath`, if the program contains the type.
    pub(crate) branch_path: Option<CtorId>,
    /// The constructors of trace values, if the program contains them.
    pub(crate) trace: Option<TraceCtors>,
    too_large: TooLargeFunctions,
    code_cache: Mutex<CodeCache>,
    /// Each function as a value; 0 while it has no code. Readers take no lock: an entry that is not
    /// 0 never changes.
    values: Box<[AtomicU64]>,
    entries: Box<[AtomicU64]>,
    /// The entry point of each function; 0 while there is none.
    function_entries: Box<[AtomicU64]>,
}

/// One compiled version of a function, for reading.
#[derive(Debug, Clone)]
pub struct CodeListing {
    /// The intermediate code of Cranelift, as emitted.
    pub clif: String,
    /// The assembly, as Cranelift prints it.
    pub assembly: String,
}

/// How much has been compiled.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct CodeSize {
    /// Pieces of code: functions and their entry points.
    pub pieces: usize,
    /// Bytes of machine code.
    pub bytes: usize,
}

impl JitCode {
    /// An empty code cache, or why code cannot be generated on this system.
    pub(crate) fn new(
        program: Arc<Program>,
        instruments: Instrumentation,
    ) -> Result<Self, String> {
        let library = Mutex::new(CodeCache::new(&program)?);
        let zeros = |n: usize| (0..n).map(|_| AtomicU64::new(0)).collect();
        let n_functions = program.functions.len();
        Ok(Self {
            branch_path: branch_path(&program),
            trace: TraceCtors::of(&program),
            too_large: TooLargeFunctions::of(&program, &instruments),
            instruments: instruments.for_program(&program),
            program,
            code_cache: library,
            values: zeros(n_functions),
            entries: zeros(MAX_WORDS),
            function_entries: zeros(n_functions),
        })
    }

    /// A function without captures as a value. All closures of the function share its code.
    #[inline]
    pub(crate) fn function_value(&self, function: FunctionId) -> Result<Word, String> {
        // Acquire pairs with the Release store below: whoever sees the address also sees the code.
        match self.values[function.index()].load(Ordering::Acquire) {
            0 => self.compile_value(function),
            // SAFETY: it was stored below, as a value of the cache, which lives as long as `self`.
            address => Ok(unsafe { Word::from_address(address) }),
        }
    }

    #[cold]
    fn compile_value(&self, function: FunctionId) -> Result<Word, String> {
        self.check_size(function)?;
        let mut library = self.code_cache.lock().unwrap_or_else(PoisonError::into_inner);
        // If another thread was first, this compiles nothing: the cache returns the value that it
        // has.
        library.compile_value(&self.program, &self.instruments, function)?;
        let value = library.value(function).ok_or("a function without code")?;
        self.values[function.index()].store(value.bits(), Ordering::Release);
        Ok(value)
    }

    /// The entry point for code that takes `n_words` words.
    #[inline]
    pub(crate) fn entry(&self, n_words: usize) -> Result<EntryPoint, String> {
        let Some(known) = self.entries.get(n_words) else {
            return Err(format!("a call of a function of {n_words} parameters"));
        };
        let mut address = known.load(Ordering::Acquire);
        if address == 0 {
            let mut library = self.code_cache.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have compiled it while this one waited for the lock.
            address = known.load(Ordering::Acquire);
            if address == 0 {
                address = library.entry(n_words)?;
                known.store(address, Ordering::Release);
            }
        }
        // SAFETY: the cache compiled this code for this signature, and lives as long as `self`.
        Ok(unsafe { std::mem::transmute::<u64, EntryPoint>(address) })
    }

    /// The entry point of a function without captures; compiles it if necessary.
    #[inline]
    pub(crate) fn function_entry(
        &self,
        function: FunctionId,
    ) -> Result<FunctionEntryPoint, String> {
        let known = &self.function_entries[function.index()];
        let mut address = known.load(Ordering::Acquire);
        if address == 0 {
            self.check_size(function)?;
            let mut library = self.code_cache.lock().unwrap_or_else(PoisonError::into_inner);
            address = known.load(Ordering::Acquire);
            if address == 0 {
                library.compile(&self.program, &self.instruments, function)?;
                let n_params = self.program.function(function).params.len();
                address = library.entry_of(function, n_params)?;
                known.store(address, Ordering::Release);
            }
        }
        // SAFETY: the cache compiled this code for this signature, and lives as long as `self`.
        Ok(unsafe { std::mem::transmute::<u64, FunctionEntryPoint>(address) })
    }

    /// Whether a function and everything it may call are small enough to be compiled.
    pub(crate) fn can_compile(&self, function: FunctionId) -> bool {
        !self.too_large.contains(function)
    }

    /// Whether all functions are.
    pub(crate) fn can_compile_all(&self) -> bool {
        self.too_large.is_empty()
    }

    fn check_size(&self, function: FunctionId) -> Result<(), String> {
        if self.can_compile(function) {
            Ok(())
        } else {
            Err("a function is too large".to_owned())
        }
    }

    /// Compiles a function and everything it refers to, and returns the code of the function and
    /// of its specializations.
    pub(crate) fn list(&self, function: FunctionId) -> Result<Vec<CodeListing>, String> {
        self.check_size(function)?;
        let mut library = self.code_cache.lock().unwrap_or_else(PoisonError::into_inner);
        // Only what is compiled from now on is listed, so callers use a cache without code.
        library.start_listing();
        library.compile(&self.program, &self.instruments, function)?;
        Ok(library.take_listings(function))
    }

    /// How much has been compiled so far.
    pub(crate) fn size(&self) -> CodeSize {
        let library = self.code_cache.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, pieces) = library.size();
        CodeSize { pieces, bytes }
    }
}
