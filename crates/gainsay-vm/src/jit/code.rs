//! Compiled programs: made on demand, and shared by all workers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gainsay_core::{CtorId, FunctionId, Program};

use super::context::Context;
use super::instruments::Instruments;
use super::size::TooLarge;
use super::unit::Library;
use super::word::Word;
use crate::traces::{TraceTypes, branch_path};

/// Calls compiled code: context, depth, code, words.
pub(crate) type Entry = extern "C" fn(*mut Context, i64, u64, *const Word) -> Word;

/// Calls a certain function: context, depth, words.
pub(crate) type EntryOf = extern "C" fn(*mut Context, i64, *const Word) -> Word;

/// How many words a call from outside passes at most.
const MAX_WORDS: usize = 128;

/// A program and the code of those of its functions that were wanted so far.
pub(crate) struct Code {
    pub(crate) program: Arc<Program>,
    pub(crate) instruments: Instruments,
    /// The constructor of `BranchPath`, if the program knows the type.
    pub(crate) branch_path: Option<CtorId>,
    /// The constructors that traces are made of, if the program knows them.
    pub(crate) trace: Option<TraceTypes>,
    too_large: TooLarge,
    library: Mutex<Library>,
    /// Each function as a value; 0 while it has no code. Readers take no lock: what is not 0
    /// stays as it is.
    values: Box<[AtomicU64]>,
    entries: Box<[AtomicU64]>,
    /// The way into each function; 0 while there is none.
    entries_of: Box<[AtomicU64]>,
}

/// How much was compiled.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct CodeSize {
    /// Pieces of code: functions, and ways into them.
    pub pieces: usize,
    /// Bytes of machine code.
    pub bytes: usize,
}

impl Code {
    /// No code yet. Why not, where code cannot be made.
    pub(crate) fn new(program: Arc<Program>, instruments: Instruments) -> Result<Self, String> {
        let library = Mutex::new(Library::new(&program)?);
        let zeros = |n: usize| (0..n).map(|_| AtomicU64::new(0)).collect();
        let n_functions = program.functions.len();
        Ok(Self {
            branch_path: branch_path(&program),
            trace: TraceTypes::of(&program),
            too_large: TooLarge::of(&program, &instruments),
            instruments: instruments.in_program(&program),
            program,
            library,
            values: zeros(n_functions),
            entries: zeros(MAX_WORDS),
            entries_of: zeros(n_functions),
        })
    }

    /// A function without captures as a value. Its code is the one that all closures of the
    /// function have.
    #[inline]
    pub(crate) fn value_of(&self, function: FunctionId) -> Result<Word, String> {
        match self.values[function.index()].load(Ordering::Acquire) {
            0 => self.compile_value(function),
            word => Ok(Word(word)),
        }
    }

    #[cold]
    fn compile_value(&self, function: FunctionId) -> Result<Word, String> {
        self.refuse_too_large(function)?;
        let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        library.compile_value(&self.program, &self.instruments, function)?;
        let value = library.value(function).ok_or("a function without code")?;
        self.values[function.index()].store(value.0, Ordering::Release);
        Ok(value)
    }

    /// The way into code that takes some words.
    #[inline]
    pub(crate) fn entry(&self, n_words: usize) -> Result<Entry, String> {
        let Some(known) = self.entries.get(n_words) else {
            return Err(format!("a call of a function of {n_words} parameters"));
        };
        let mut address = known.load(Ordering::Acquire);
        if address == 0 {
            let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
            address = known.load(Ordering::Acquire);
            if address == 0 {
                address = library.entry(n_words)?;
                known.store(address, Ordering::Release);
            }
        }
        // SAFETY: the library made this code for this signature, and lives as long as `self`.
        Ok(unsafe { std::mem::transmute::<u64, Entry>(address) })
    }

    /// The way into a function without captures; compiles it first if need be.
    #[inline]
    pub(crate) fn entry_of(&self, function: FunctionId) -> Result<EntryOf, String> {
        let known = &self.entries_of[function.index()];
        let mut address = known.load(Ordering::Acquire);
        if address == 0 {
            self.refuse_too_large(function)?;
            let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
            address = known.load(Ordering::Acquire);
            if address == 0 {
                library.compile(&self.program, &self.instruments, function)?;
                let n_params = self.program.function(function).params.len();
                address = library.entry_of(function, n_params)?;
                known.store(address, Ordering::Release);
            }
        }
        // SAFETY: the library made this code for this signature, and lives as long as `self`.
        Ok(unsafe { std::mem::transmute::<u64, EntryOf>(address) })
    }

    /// Whether a function, and everything it may call, is small enough to be compiled.
    pub(crate) fn compiles(&self, function: FunctionId) -> bool {
        !self.too_large.contains(function)
    }

    /// Whether that is so of every function.
    pub(crate) fn compiles_all(&self) -> bool {
        self.too_large.is_empty()
    }

    fn refuse_too_large(&self, function: FunctionId) -> Result<(), String> {
        if self.compiles(function) { Ok(()) } else { Err("a function is too large".to_owned()) }
    }

    /// How much was compiled so far.
    pub(crate) fn size(&self) -> CodeSize {
        let library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, pieces) = library.size();
        CodeSize { pieces, bytes }
    }
}
