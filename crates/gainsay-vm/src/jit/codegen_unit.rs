//! Code generation units: the Cranelift module, its imports and declarations, and the worklist of
//! functions to define.
//!
//! Only this file, `emit/` and `calling_convention.rs` depend on Cranelift.

use std::collections::HashMap;

use cranelift_codegen::ir::{
    AbiParam, FuncRef, Function as Ir, InstBuilder as _, MemFlagsData, Signature, UserFuncName,
    Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_codegen::settings::{Configurable as _, Flags, builder as settings};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module as _, default_libcall_names};
use gainsay_core::{FunctionId, Literal, Program, TermId};

use super::arena::Arena;
use super::calling_convention::convention;
use super::compiled_program::CodeListing;
use super::context::offset;
use super::emit::Emitter;
use super::instrumentation::{Instrumentation, MutantSwitch};
use super::integer_specialization::has_small_int_specialization;
use super::runtime::RuntimeCall;
use super::specialization::{Specialization, specialization_for};
use super::word::Word;
use crate::address_space::reservation_size;

/// Address space reserved for code, all of which must be reachable by near calls.
const CODE_SPACE: u64 = 512 << 20;

/// Maximum number of words for literals and function values.
const STATIC_WORDS: u64 = 64 << 20;

/// Maximum number of specializations for known closures in a program.
const MAX_CLOSURE_SPECIALIZATIONS: usize = 256;

/// The signature of a compiled function with `n_params` parameters, including context and depth.
pub(super) fn signature_of(convention: CallConv, n_params: usize) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params = vec![AbiParam::new(types::I64); n_params];
    signature.returns = vec![AbiParam::new(types::I64)];
    signature
}

/// Context and depth, followed by words loaded from an array.
fn read_row(
    builder: &mut FunctionBuilder<'_>,
    (context, depth): (Value, Value),
    row: Value,
    n_words: usize,
) -> Vec<Value> {
    let mut words = vec![context, depth];
    for at in 0..n_words {
        let flags = MemFlagsData::trusted();
        words.push(builder.ins().load(types::I64, flags, row, at as i32 * 8));
    }
    words
}

/// Loads the remaining steps into the pinned register, where compiled code keeps them, and returns
/// the former content, which belongs to the caller from outside.
fn begin_steps(builder: &mut FunctionBuilder<'_>, context: Value) -> Value {
    let outer = builder.ins().get_pinned_reg(types::I64);
    let flags = MemFlagsData::trusted();
    let fuel = builder.ins().load(types::I64, flags, context, offset::FUEL);
    builder.ins().set_pinned_reg(fuel);
    outer
}

/// Stores the remaining steps back and restores the caller's register.
fn end_steps(builder: &mut FunctionBuilder<'_>, context: Value, outer: Value) {
    let fuel = builder.ins().get_pinned_reg(types::I64);
    builder.ins().store(MemFlagsData::trusted(), fuel, context, offset::FUEL);
    builder.ins().set_pinned_reg(outer);
}

/// All code compiled so far, and the state needed to compile more.
pub(super) struct CodeCache {
    module: std::mem::ManuallyDrop<JITModule>,
    builder: FunctionBuilderContext,
    context: cranelift_codegen::Context,
    imports: Vec<Option<FuncId>>,
    rare_imports: Vec<Option<FuncId>>,
    functions: Vec<Option<FuncId>>,
    /// Specialized versions of functions.
    specializations: HashMap<Specialization, FuncId>,
    /// How many of them are specialized for known closures.
    n_closure_specializations: usize,
    /// Wrappers through which functions without captures are called as values.
    value_wrappers: Vec<Option<FuncId>>,
    /// Function values without captures, in `statics`; their code pointers are filled in later.
    values: HashMap<FunctionId, Word>,
    new_values: Vec<FunctionId>,
    is_defined: Vec<bool>,
    /// Why compilation is no longer possible.
    failure: Option<String>,
    /// Literals and function values, which live as long as the code.
    statics: Arena,
    n_bytes: usize,
    n_functions: usize,
    /// The listings of everything compiled, if requested.
    listings: Option<Vec<(FuncId, CodeListing)>>,
}

/// The state for emitting functions.
pub(super) struct CodegenUnit<'u> {
    pub(super) program: &'u Program,
    pub(super) instruments: &'u Instrumentation,
    pub(super) cache: &'u mut CodeCache,
    /// Functions that were referred to and may not have code yet.
    pub(super) pending_functions: Vec<FunctionId>,
    /// The same for specializations.
    pending_specializations: Vec<(Specialization, FuncId)>,
}

impl CodeCache {
    /// An empty cache, or why code cannot be generated on this system.
    pub(super) fn new(program: &Program) -> Result<Self, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let mut flags = settings();
        let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
        for (name, value) in [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            // The runtime may be farther from the code than a near call reaches.
            ("use_colocated_libcalls", "false"),
            ("preserve_frame_pointers", "true"),
            ("enable_verifier", verifier),
            // Faults are returned as values and never unwound, so no tables are needed.
            ("unwind_info", "false"),
            // Holds the remaining steps, see `begin_steps`.
            ("enable_pinned_reg", "true"),
        ] {
            flags.set(name, value).map_err(|error| text(&error))?;
        }
        let isa = cranelift_native::builder()
            .map_err(str::to_owned)?
            .finish(Flags::new(flags))
            .map_err(|error| text(&error))?;
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        // One contiguous range, so that code can use near calls between functions.
        let memory = ArenaMemoryProvider::new_with_size(reservation_size(CODE_SPACE) as usize)
            .map_err(|error| text(&error))?;
        builder.memory_provider(Box::new(memory));
        for call in RuntimeCall::ALL {
            builder.symbol(call.name(), call.address());
        }
        let module = JITModule::new(builder);
        let n_functions = program.functions.len();
        Ok(Self {
            context: module.make_context(),
            module: std::mem::ManuallyDrop::new(module),
            builder: FunctionBuilderContext::new(),
            imports: vec![None; RuntimeCall::ALL.len()],
            rare_imports: vec![None; RuntimeCall::ALL.len()],
            functions: vec![None; n_functions],
            specializations: HashMap::new(),
            n_closure_specializations: 0,
            value_wrappers: vec![None; n_functions],
            values: HashMap::new(),
            new_values: Vec::new(),
            is_defined: vec![false; n_functions],
            failure: None,
            statics: Arena::new(STATIC_WORDS),
            n_bytes: 0,
            n_functions: 0,
            listings: None,
        })
    }

    /// Compiles a function and everything it refers to, except what has code already.
    pub(super) fn compile(
        &mut self,
        program: &Program,
        instruments: &Instrumentation,
        function: FunctionId,
    ) -> Result<(), String> {
        self.compile_all(program, instruments, |unit| unit.pending_functions.push(function))
    }

    /// The same for a function without captures that is used as a value.
    pub(super) fn compile_value(
        &mut self,
        program: &Program,
        instruments: &Instrumentation,
        function: FunctionId,
    ) -> Result<(), String> {
        self.compile_all(program, instruments, |unit| {
            unit.function_value(function);
        })
    }

    fn compile_all(
        &mut self,
        program: &Program,
        instruments: &Instrumentation,
        want: impl FnOnce(&mut CodegenUnit<'_>),
    ) -> Result<(), String> {
        // A failure is final: callers get the same answer whenever they ask.
        if let Some(why) = &self.failure {
            return Err(why.clone());
        }
        let mut unit = CodegenUnit {
            program,
            instruments,
            cache: self,
            pending_functions: Vec::new(),
            pending_specializations: Vec::new(),
        };
        want(&mut unit);
        let compiled = unit.define_pending();
        let compiled = compiled.and_then(|()| self.finish());
        // Functions may be declared but not defined now, so the module must not be used again.
        if let Err(why) = &compiled {
            self.failure = Some(why.clone());
        }
        compiled
    }

    /// Makes emitted code executable and fills in the code pointers of function values.
    fn finish(&mut self) -> Result<(), String> {
        self.module.finalize_definitions().map_err(|error| error.to_string())?;
        let address = |module: &JITModule, id: Option<FuncId>| {
            id.map_or(0, |id| module.get_finalized_function(id) as u64)
        };
        // Code addresses are only known after finalizing.
        for function in std::mem::take(&mut self.new_values) {
            let code =
                self.value_wrappers[function.index()].or(self.functions[function.index()]);
            let code = address(&self.module, code);
            if let Some(value) = self.values.get(&function) {
                // SAFETY: the value is new: no code that refers to its cell has run.
                unsafe { value.fill_code(code) };
            }
        }
        Ok(())
    }

    /// Compiles an entry point that calls any code with `n_words` words loaded from an array.
    pub(super) fn entry(&mut self, n_words: usize) -> Result<u64, String> {
        let name = format!("entry{n_words}");
        let (id, signature) = self.declare_entry(&name, 4)?;
        self.context.func =
            Ir::with_name_signature(UserFuncName::user(1, n_words as u32), signature);
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let [context, depth, code, row] = builder.block_params(block)[..] else {
            return Err("an entry has four parameters".to_owned());
        };
        let words = read_row(&mut builder, (context, depth), row, n_words);
        // Whatever is called through its address has this convention (`calling_convention.rs`).
        let callee = builder.import_signature(signature_of(CallConv::Tail, words.len()));
        let outer = begin_steps(&mut builder, context);
        let call = builder.ins().call_indirect(callee, code, &words);
        end_steps(&mut builder, context, outer);
        let result = builder.inst_results(call)[0];
        builder.ins().return_(&[result]);
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.finish_entry(id)
    }

    /// Compiles the entry point of one function without captures.
    pub(super) fn entry_of(
        &mut self,
        function: FunctionId,
        n_params: usize,
    ) -> Result<u64, String> {
        let callee = self.functions[function.index()].ok_or("a function without code")?;
        let (id, signature) = self.declare_entry(&format!("entry_of{}", function.0), 3)?;
        self.context.func =
            Ir::with_name_signature(UserFuncName::user(4, function.0), signature);
        // By id and not by address: the convention depends on the function, and only functions that
        // are called as values have a fixed one.
        let callee = self.module.declare_func_in_func(callee, &mut self.context.func);
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let [context, depth, row] = builder.block_params(block)[..] else {
            return Err("an entry of a function has three parameters".to_owned());
        };
        let words = read_row(&mut builder, (context, depth), row, n_params);
        let outer = begin_steps(&mut builder, context);
        let call = builder.ins().call(callee, &words);
        end_steps(&mut builder, context, outer);
        let result = builder.inst_results(call)[0];
        builder.ins().return_(&[result]);
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.finish_entry(id)
    }

    fn declare_entry(
        &mut self,
        name: &str,
        n_params: usize,
    ) -> Result<(FuncId, Signature), String> {
        let pointer = AbiParam::new(types::I64);
        let mut signature = Signature::new(self.host_convention());
        signature.params = vec![pointer; n_params];
        signature.returns = vec![pointer];
        let id = self.module.declare_function(name, Linkage::Export, &signature);
        Ok((id.map_err(|error| error.to_string())?, signature))
    }

    /// Makes the entry point in the context executable.
    fn finish_entry(&mut self, id: FuncId) -> Result<u64, String> {
        let text = |error: cranelift_module::ModuleError| error.to_string();
        self.module.define_function(id, &mut self.context).map_err(text)?;
        self.module.clear_context(&mut self.context);
        self.module.finalize_definitions().map_err(text)?;
        Ok(self.module.get_finalized_function(id) as u64)
    }

    /// Lists what is compiled from now on.
    pub(super) fn start_listing(&mut self) {
        self.listings = Some(Vec::new());
    }

    /// The listings of a function and its specializations.
    pub(super) fn take_listings(&mut self, function: FunctionId) -> Vec<CodeListing> {
        let specialized = self.specializations.iter();
        let mut ids: Vec<FuncId> =
            specialized.filter(|it| it.0.function == function).map(|it| *it.1).collect();
        ids.extend(self.functions[function.index()]);
        let listings = self.listings.take().unwrap_or_default().into_iter();
        listings.filter(|(id, _)| ids.contains(id)).map(|(_, it)| it).collect()
    }

    /// A function without captures as a value, if it has been compiled as one.
    pub(super) fn value(&self, function: FunctionId) -> Option<Word> {
        self.values.get(&function).copied()
    }

    fn host_convention(&self) -> CallConv {
        self.module.isa().default_call_conv()
    }

    /// Bytes of code so far, and the number of functions.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.n_bytes, self.n_functions)
    }
}

impl Drop for CodeCache {
    fn drop(&mut self) {
        // SAFETY: everything that runs code holds the cache alive, so none of it is running.
        unsafe { std::mem::ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

// SAFETY: a cache owns everything it points to and is used by one thread at a time, behind a lock;
// code and statics visible to other threads are never modified again.
unsafe impl Send for CodeCache {}

impl CodegenUnit<'_> {
    pub(super) fn frontend_config(&self) -> TargetFrontendConfig {
        self.cache.module.target_config()
    }

    /// The calling convention of runtime functions called from compiled code.
    pub(super) fn host_convention(&self) -> CallConv {
        self.cache.host_convention()
    }

    fn declare_function(&mut self, function: FunctionId) -> Option<FuncId> {
        let cached = &mut self.cache.functions[function.index()];
        if cached.is_none() {
            let function_def = self.program.function(function);
            // A function with captures receives its closure in their place.
            let n_params = match function_def.n_captures {
                0 => function_def.params.len(),
                n => function_def.params.len() - n as usize + 1,
            };
            let name = format!("f{}", function.0);
            let signature = signature_of(
                convention(self.program, self.instruments, function),
                n_params + 2,
            );
            let module = &mut self.cache.module;
            *cached = module.declare_function(&name, Linkage::Export, &signature).ok();
        }
        *cached
    }

    /// Declares a specialization; a new one is defined later.
    fn declare_specialization(&mut self, copied: &Specialization) -> Option<FuncId> {
        if let Some(cached) = self.cache.specializations.get(copied) {
            return Some(*cached);
        }
        let n_params = self.program.function(copied.function).params.len();
        let convention = convention(self.program, self.instruments, copied.function);
        let signature = signature_of(convention, n_params + 2);
        let name = format!("c{}", self.cache.specializations.len());
        let module = &mut self.cache.module;
        let id = module.declare_function(&name, Linkage::Export, &signature).ok()?;
        // Only these are counted: a function has at most two versions for integers.
        self.cache.n_closure_specializations += usize::from(!copied.known_closures.is_empty());
        self.cache.specializations.insert(copied.clone(), id);
        self.pending_specializations.push((copied.clone(), id));
        Some(id)
    }

    /// Refers to a function or specialization from another function.
    pub(super) fn callee(&mut self, callee: &Specialization, from: &mut Ir) -> FuncRef {
        let id = if callee.is_original() {
            // Even if it has code already: `define_pending` drops it then.
            self.pending_functions.push(callee.function);
            self.declare_function(callee.function)
        } else {
            self.declare_specialization(callee)
        };
        let id = id.unwrap_or(FuncId::from_u32(0));
        self.cache.module.declare_func_in_func(id, from)
    }

    /// The specialization of a function for a call in which some arguments are known closures, or
    /// else the function itself.
    pub(super) fn specialization_for(
        &self,
        function: FunctionId,
        args: impl Iterator<Item = Option<FunctionId>>,
    ) -> Specialization {
        // Beyond the limit calls go to the original, so that a program with many closures cannot
        // fill the code space.
        let has_room = self.cache.n_closure_specializations < MAX_CLOSURE_SPECIALIZATIONS;
        let copied = has_room
            .then(|| specialization_for(self.program, self.instruments, function, args));
        copied.flatten().unwrap_or(Specialization::from(function))
    }

    /// Whether a function has specializations for small and for other integers.
    pub(super) fn has_small_int_specialization(&self, function: FunctionId) -> bool {
        has_small_int_specialization(self.program, self.instruments, function)
    }

    /// Refers to a runtime function.
    pub(super) fn import(&mut self, call: RuntimeCall, from: &mut Ir) -> FuncRef {
        let id = self.cache.import(call).unwrap_or(FuncId::from_u32(0));
        self.cache.module.declare_func_in_func(id, from)
    }

    /// The same through a stub that saves all registers and leaves the result in the context.
    pub(super) fn import_rare(&mut self, call: RuntimeCall, from: &mut Ir) -> FuncRef {
        if self.cache.rare_imports[call as usize].is_none() {
            self.cache.rare_imports[call as usize] = self.cache.rare_call_stub(call).ok();
        }
        let id = self.cache.rare_imports[call as usize].unwrap_or(FuncId::from_u32(0));
        self.cache.module.declare_func_in_func(id, from)
    }

    /// A function without captures as a value: a cell that outlives every case.
    pub(super) fn function_value(&mut self, function: FunctionId) -> Word {
        if let Some(cached) = self.cache.values.get(&function) {
            return *cached;
        }
        self.pending_functions.push(function);
        // Code has no address before it is finalized: the pointer is filled in by `finish`.
        let cell = self.cache.statics.closure(function, 0, &[]).unwrap_or(Word::UNIT);
        self.cache.values.insert(function, cell);
        self.cache.new_values.push(function);
        cell
    }

    /// A literal as a word that outlives every case.
    pub(super) fn literal(&mut self, literal: &Literal) -> Word {
        let statics = &mut self.cache.statics;
        let word = match literal {
            Literal::Int(int) => statics.int(*int),
            Literal::Big(int) => statics.big(int),
            Literal::Float(float) => statics.float(*float),
            Literal::Bool(truth) => Ok(Word::from(*truth)),
            Literal::Char(char) => Ok(Word::char(*char)),
            Literal::Str(text) => statics.text(text),
        };
        word.unwrap_or(Word::UNIT)
    }

    /// The counter of a branch, in instrumented code.
    pub(super) fn counter(
        &self,
        function: FunctionId,
        term: TermId,
        branch: u32,
    ) -> Option<u32> {
        self.instruments.counter(function, term, branch)
    }

    /// The mutants of a term, in instrumented code.
    pub(super) fn switch(
        &self,
        function: FunctionId,
        term: TermId,
    ) -> Option<&'_ MutantSwitch> {
        self.instruments.switch(function, term)
    }

    fn define(&mut self, copied: Specialization, declared: FuncId) -> Result<(), String> {
        let signature = self.cache.module.declarations().get_function_decl(declared);
        let signature = signature.signature.clone();
        // Emitting borrows the unit as a whole, so context and scratch space are moved out
        // meanwhile.
        let mut context =
            std::mem::replace(&mut self.cache.context, cranelift_codegen::Context::new());
        let mut scratch = std::mem::take(&mut self.cache.builder);
        let name = UserFuncName::user(0, declared.as_u32());
        context.func = Ir::with_name_signature(name, signature);
        let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
        // On an error the moved-out parts are lost, which is fine: the cache is not used again.
        Emitter::emit(self, builder, copied)?;
        self.cache.builder = scratch;
        self.cache.context = context;
        self.cache.define_function(declared)
    }

    /// Defines all pending functions, including those that they refer to in turn.
    fn define_pending(&mut self) -> Result<(), String> {
        // Emitting a function may push more of both kinds.
        loop {
            if let Some(function) = self.pending_functions.pop() {
                let declared = self.declare_function(function);
                // A function is pushed once per reference, so it may be defined already.
                if !self.cache.is_defined[function.index()] {
                    self.cache.is_defined[function.index()] = true;
                    let declared = declared.ok_or("a function could not be declared")?;
                    self.define(Specialization::from(function), declared)?;
                }
            } else if let Some((copied, declared)) = self.pending_specializations.pop() {
                self.define(copied, declared)?;
            } else {
                break;
            }
        }
        self.define_values()
    }

    /// Defines the wrappers of functions that are used as values.
    fn define_values(&mut self) -> Result<(), String> {
        // Not taken: `finish` still needs the list, to fill in the code pointers.
        for function in self.cache.new_values.clone() {
            let declared = self.cache.functions[function.index()];
            let declared = declared.ok_or("a function could not be declared")?;
            let def = self.program.function(function);
            if def.n_captures == 0 {
                self.define_value_wrapper(function, declared, def.params.len())?;
            }
        }
        Ok(())
    }

    /// Defines the wrapper through which a function without captures is called as a value: it drops
    /// the closure argument and calls the function.
    fn define_value_wrapper(
        &mut self,
        function: FunctionId,
        declared: FuncId,
        n_params: usize,
    ) -> Result<(), String> {
        let library = &mut *self.cache;
        let text = |error: cranelift_module::ModuleError| error.to_string();
        let signature = signature_of(CallConv::Tail, n_params + 3);
        let name = format!("v{}", function.0);
        let id = library
            .module
            .declare_function(&name, Linkage::Export, &signature)
            .map_err(text)?;
        library.context.func =
            Ir::with_name_signature(UserFuncName::user(2, function.0), signature);
        let mut builder = FunctionBuilder::new(&mut library.context.func, &mut library.builder);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let mut words = builder.block_params(block).to_vec();
        // After context and depth, the closure.
        words.remove(2);
        let callee = library.module.declare_func_in_func(declared, builder.func);
        // A callee without the tail-call convention cannot be the target of a tail call.
        if convention(self.program, self.instruments, function) == CallConv::Tail {
            builder.ins().return_call(callee, &words);
        } else {
            let call = builder.ins().call(callee, &words);
            let result = builder.inst_results(call)[0];
            builder.ins().return_(&[result]);
        }
        builder.seal_all_blocks();
        builder.finalize(library.module.target_config());
        library.define_function(id)?;
        library.value_wrappers[function.index()] = Some(id);
        Ok(())
    }
}

impl CodeCache {
    /// Defines a stub that calls the runtime with all registers saved. Its only parameter is the
    /// context, which holds the other arguments, so that a call that almost never happens does not
    /// constrain register allocation around it.
    fn rare_call_stub(&mut self, call: RuntimeCall) -> Result<FuncId, String> {
        let text = |error: cranelift_module::ModuleError| error.to_string();
        // A context of its own: the stub may be needed while another function is being emitted.
        let mut context = self.module.make_context();
        let mut scratch = FunctionBuilderContext::new();
        // The runtime call inside clobbers registers as usual; the stub saves and restores them
        // all.
        let mut signature = Signature::new(CallConv::PreserveAll);
        signature.params = vec![AbiParam::new(types::I64)];
        let name = format!("rare{}", call.name());
        let id =
            self.module.declare_function(&name, Linkage::Export, &signature).map_err(text)?;
        context.func = Ir::with_name_signature(UserFuncName::user(3, call as u32), signature);
        let mut builder = FunctionBuilder::new(&mut context.func, &mut scratch);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let mut params = builder.block_params(block).to_vec();
        for at in 0..call.n_params() - 1 {
            let place = offset::RARE_ARGS + at as i32 * 8;
            let flags = MemFlagsData::trusted();
            params.push(builder.ins().load(types::I64, flags, params[0], place));
        }
        let import = self.import(call)?;
        let callee = self.module.declare_func_in_func(import, builder.func);
        let result = builder.ins().call(callee, &params);
        let answer = builder.inst_results(result)[0];
        builder.ins().store(MemFlagsData::trusted(), answer, params[0], offset::RARE_RESULT);
        builder.ins().return_(&[]);
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.module.define_function(id, &mut context).map_err(text)?;
        Ok(id)
    }

    fn import(&mut self, call: RuntimeCall) -> Result<FuncId, String> {
        if let Some(cached) = self.imports[call as usize] {
            return Ok(cached);
        }
        let mut signature = Signature::new(self.host_convention());
        signature.params = vec![AbiParam::new(types::I64); call.n_params()];
        signature.returns = vec![AbiParam::new(types::I64)];
        let declared = self.module.declare_function(call.name(), Linkage::Import, &signature);
        let id = declared.map_err(|error| error.to_string())?;
        Ok(*self.imports[call as usize].insert(id))
    }

    /// Compiles the function in the context.
    fn define_function(&mut self, id: FuncId) -> Result<(), String> {
        // Compiling optimizes the function in place, so what was emitted is printed first.
        let emitted = self.listings.as_ref().map(|_| self.context.func.display().to_string());
        self.context.set_disasm(emitted.is_some());
        let defined = self.module.define_function(id, &mut self.context);
        defined.map_err(|error| format!("{error:?}"))?;
        let code = self.context.compiled_code();
        self.n_bytes += code.map_or(0, |code| code.code_buffer().len());
        self.n_functions += 1;
        let assembly = code.and_then(|code| code.vcode.clone());
        if let (Some(listings), Some(clif)) = (&mut self.listings, emitted) {
            let assembly = assembly.unwrap_or_default();
            listings.push((id, CodeListing { clif, assembly }));
        }
        self.module.clear_context(&mut self.context);
        Ok(())
    }
}
