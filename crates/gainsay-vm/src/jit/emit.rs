//! Code generation: translates a core function to Cranelift IR.
//!
//! Every compiled function is `fn(context, depth, arguments..) -> word`, where `depth` is how many
//! calls may still nest inside this one; see [`convention`](super::calling_convention::convention)
//! for its calling convention. A function with captures receives its closure instead of them and
//! loads them from there. A result of 0 means that a fault is being propagated: each caller tests
//! for it and returns 0 in turn, so that nothing is ever unwound and no signal is needed. The test
//! costs less than the machinery to leave all frames at once on each kind of machine.

mod call;
mod claim;
mod compare;
mod condition_facts;
mod data;
mod effect;
mod float;
mod infection;
mod inlining;
mod instrumentation;
mod int;
mod int_expression;
mod loops;
mod matching;
mod refine;
mod term;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AliasRegionData, Block, BlockArg, FuncRef, InstBuilder as _, MemFlagsData, StackSlot,
    StackSlotData, StackSlotKind, Value, types,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use gainsay_core::{Function, FunctionId, LocalId, TermId, Ty, TyId};

use super::base_case::{BaseCase, base_case_of};
use super::calling_convention::has_small_frame;
use super::codegen_unit::CodegenUnit;
use super::context::{TermSite, offset};
use super::int_range::SmallIntRange;
use super::integer_specialization::is_tail_recursive;
use super::specialization::{IntAssumption, Specialization};
use super::word::{TRUTH_SHIFT, Word};

use self::loops::SmallIntLoop;
pub(super) use self::refine::RefinedRoleCode;

/// A value in generated code.
#[derive(Copy, Clone)]
enum Operand {
    /// A tagged word.
    Word(Value),
    /// The word of a small integer, with its range.
    Small(Value, SmallIntRange),
    /// A boolean, 0 or 1 in 8 bits.
    Truth(Value),
    /// A float in a float register.
    Float(Value),
}

impl Operand {
    /// The range, if it is a small integer.
    fn range(self) -> Option<SmallIntRange> {
        match self {
            Self::Small(_, range) => Some(range),
            Self::Word(_) | Self::Truth(_) | Self::Float(_) => None,
        }
    }
}

/// Emits one function.
pub(super) struct Emitter<'a, 'u> {
    unit: &'a mut CodegenUnit<'u>,
    builder: FunctionBuilder<'a>,
    id: FunctionId,
    function: &'u Function,
    context: Value,
    depth: Value,
    locals: Vec<Option<Variable>>,
    /// Returns 0.
    fault_exit: Block,
    /// The target of tail calls to the function itself.
    loop_entry: Block,
    /// The version of the body for small integers, while it is being emitted.
    small_int_loop: Option<SmallIntLoop>,
    /// Which locals are known to be small integers.
    small_locals: Vec<bool>,
    /// Their ranges.
    ranges: Vec<SmallIntRange>,
    /// Where results are checked before they are returned.
    result_check: Option<Block>,
    runtime: Vec<Option<FuncRef>>,
    rare_runtime: Vec<Option<FuncRef>>,
    callees: Vec<(Specialization, FuncRef)>,
    /// The specialization being emitted.
    specialization: Specialization,
    /// The functions that locals are closures of, where known.
    closures: Vec<Option<FunctionId>>,
    /// The base case that calls of the function itself can answer inline.
    base_case: Option<BaseCase>,
    cell_flags: MemFlagsData,
    context_flags: MemFlagsData,
    /// The stack slot for arrays of words passed to the runtime.
    row_slot: Option<StackSlot>,
    /// Whether a mutated term is being emitted, inside which no other mutant is active.
    is_mutated: bool,
    /// The number of enclosing traced calls.
    n_traced: u64,
    /// The term whose mutant switch has just been emitted.
    unswitched: Option<TermId>,
    /// Operands that were evaluated ahead of the term they belong to, with their words.
    evaluated: Vec<(TermId, Value)>,
}

impl<'a, 'u> Emitter<'a, 'u> {
    /// Emits the function into the builder.
    pub(super) fn emit(
        unit: &'a mut CodegenUnit<'u>,
        mut builder: FunctionBuilder<'a>,
        copied: Specialization,
    ) -> Result<(), String> {
        let id = copied.function;
        let function = unit.program.function(id);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let params = builder.block_params(entry).to_vec();
        let (faulty, again) = (builder.create_block(), builder.create_block());
        builder.set_cold_block(faulty);
        // Cells and context never overlap, so stores to one need not reload the other.
        let regions = &mut builder.func.dfg.alias_regions;
        let cells = regions.insert(AliasRegionData { user_id: 1, description: "cells".into() });
        let own = regions.insert(AliasRegionData { user_id: 2, description: "context".into() });
        let trusted = MemFlagsData::trusted();
        let n_locals = function.body.locals.len().max(function.params.len());
        let mut emitter = Self {
            id,
            function,
            // Context and depth come first in every signature.
            context: params[0],
            depth: params[1],
            locals: vec![None; n_locals],
            fault_exit: faulty,
            loop_entry: again,
            small_int_loop: None,
            small_locals: vec![false; n_locals],
            ranges: vec![SmallIntRange::SMALL; n_locals],
            result_check: None,
            runtime: Vec::new(),
            rare_runtime: Vec::new(),
            callees: Vec::new(),
            closures: vec![None; n_locals],
            specialization: copied,
            base_case: base_case_of(unit.program, unit.instruments, id),
            cell_flags: trusted.with_alias_region(Some(cells)),
            context_flags: trusted.with_alias_region(Some(own)),
            row_slot: None,
            is_mutated: false,
            n_traced: 0,
            unswitched: None,
            evaluated: Vec::new(),
            unit,
            builder,
        };
        emitter.function(&params[2..])?;
        let config = emitter.unit.frontend_config();
        // Sealed only here, because any term may still have added a branch to the fault exit or to
        // the loop entry.
        emitter.builder.seal_all_blocks();
        emitter.builder.finalize(config);
        Ok(())
    }

    fn function(&mut self, params: &[Value]) -> Result<(), String> {
        // The original only dispatches to its specializations.
        // It charges neither steps nor depth: the specialization that it tail-calls does, once, in
        // its place.
        if self.specialization.is_original() && self.unit.has_small_int_specialization(self.id)
        {
            self.bind_params(params);
            self.tail_call_int_specialization(params);
            return Ok(());
        }
        if self.has_single_entry() {
            self.enter_function(self.depth);
        } else {
            // The step is charged later, at each iteration.
            self.check_depth();
        }
        // Sound in a loop, too: a specialization passes these parameters on unchanged.
        for (param, closure) in &self.specialization.known_closures {
            self.closures[*param] = Some(*closure);
        }
        self.bind_params(params);
        let root = self.function.body.root.ok_or("a function without a body")?;
        if self.specialization.int_assumption == IntAssumption::Small {
            // Callers of this specialization guarantee it, so nothing is tested here.
            self.assume_small_params();
        }
        if !self.has_single_entry() {
            self.emit_small_int_version(root);
            self.step();
        }
        // After the step: the interpreter charges a call before it checks the arguments.
        self.check_entry();
        if self.checks_result() {
            // Early returns through `?` join here, so that the result is checked exactly once.
            let checked = self.builder.create_block();
            self.builder.append_block_param(checked, types::I64);
            self.result_check = Some(checked);
            let result = self.word_of(root);
            self.jump(checked, &[result]);
            self.switch_to(checked);
            let result = self.builder.block_params(checked)[0];
            self.check_result(result);
            self.builder.ins().return_(&[result]);
        } else {
            self.tail(root);
        }
        // All faults of the function leave through one block; the fault itself is in the context.
        self.switch_to(self.fault_exit);
        let fault = self.constant(0);
        self.builder.ins().return_(&[fault]);
        Ok(())
    }

    /// Binds parameters to locals; captures are loaded from the closure.
    fn bind_params(&mut self, params: &[Value]) {
        let n_captures = self.function.n_captures as usize;
        if n_captures == 0 {
            for (at, param) in params.iter().enumerate() {
                self.bind(LocalId(at as u32), *param);
            }
            return;
        }
        let closure = params[0];
        for at in 0..n_captures {
            // A closure cell has a header and a code pointer before its captures.
            let capture = self.load(closure, at + 2);
            self.bind(LocalId(at as u32), capture);
        }
        for (at, param) in params[1..].iter().enumerate() {
            self.bind(LocalId((n_captures + at) as u32), *param);
        }
    }

    /// Whether calls of the function enter at one place, where both depth and steps are charged: it
    /// does not loop within its own frame, which a mutant might make it do.
    fn has_single_entry(&self) -> bool {
        has_small_frame(self.function)
            && !is_tail_recursive(self.unit.program, self.id)
            && !self.unit.instruments.has_mutants_in(self.id)
            && (self.specialization.int_assumption != IntAssumption::Any
                || !self.has_small_int_version())
    }

    /// Charges a step and checks the depth, with a single branch for both.
    fn enter_function(&mut self, depth: Value) {
        let fuel = self.fuel();
        // The decremented counter is kept even if it is negative: the slow path needs to see the
        // overdraft.
        let left = self.builder.ins().iadd_imm_s(fuel, -1);
        self.set_fuel(left);
        let (rare, fits) = (self.cold_block(), self.builder.create_block());
        // The sign bit of the disjunction is set if either is negative.
        let either = self.builder.ins().bor(left, depth);
        let is_missing = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, either, 0);
        self.builder.ins().brif(is_missing, rare, &[], fits, &[]);
        self.switch_to(rare);
        self.raise_step_or_depth_limit(fuel, depth);
        self.jump(fits, &[]);
        self.switch_to(fits);
    }

    /// Raises a fault if calls nest too deeply or the stack is exhausted.
    fn check_depth(&mut self) {
        let (deep, fits) = (self.cold_block(), self.builder.create_block());
        let too_deep = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, self.depth, 0);
        // The depth limit already accounts for small frames; see `depth_left`.
        if has_small_frame(self.function) {
            self.builder.ins().brif(too_deep, deep, &[], fits, &[]);
        } else {
            let next = self.builder.create_block();
            self.builder.ins().brif(too_deep, deep, &[], next, &[]);
            self.switch_to(next);
            let floor = self.load_context(offset::STACK_FLOOR);
            let stack = self.builder.ins().get_stack_pointer(types::I64);
            let no_stack = self.builder.ins().icmp(IntCC::UnsignedLessThan, stack, floor);
            self.builder.ins().brif(no_stack, deep, &[], fits, &[]);
        }
        self.switch_to(deep);
        let site = self.function_site();
        self.call_rarely(super::runtime::RuntimeCall::TooDeep, &[site]);
        self.jump(self.fault_exit, &[]);
        self.switch_to(fits);
    }

    /// Charges one step.
    fn step(&mut self) {
        let fuel = self.fuel();
        let left = self.builder.ins().iadd_imm_s(fuel, -1);
        self.set_fuel(left);
        let (look, next) = (self.cold_block(), self.builder.create_block());
        let spent = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.builder.ins().brif(spent, look, &[], next, &[]);
        self.switch_to(look);
        let site = self.function_site();
        self.call_rarely_or_exit(super::runtime::RuntimeCall::RefillSteps, &[site]);
        self.jump(next, &[]);
        self.switch_to(next);
    }

    /// The remaining granted steps. All compiled code keeps them in a pinned register, so that
    /// charging a step does not wait for memory.
    fn fuel(&mut self) -> Value {
        self.builder.ins().get_pinned_reg(types::I64)
    }

    fn set_fuel(&mut self, left: Value) {
        self.builder.ins().set_pinned_reg(left);
    }

    /// Stores the remaining steps for the runtime.
    fn store_fuel(&mut self) {
        let left = self.fuel();
        self.builder.ins().store(self.context_flags, left, self.context, offset::FUEL);
    }

    /// Loads the steps that the runtime has left.
    fn reload_fuel(&mut self) {
        let left = self.load_context(offset::FUEL);
        self.set_fuel(left);
    }

    // Basic building blocks.

    fn switch_to(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    fn cold_block(&mut self) -> Block {
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        block
    }

    /// A cold block that jumps to another. Where a cold path forks to two hot blocks, register
    /// moves for that edge would otherwise be placed among them.
    fn cold_jump_to(&mut self, block: Block) -> Block {
        let cold = self.cold_block();
        self.switch_to(cold);
        self.jump(block, &[]);
        cold
    }

    fn jump(&mut self, block: Block, args: &[Value]) {
        let args: Vec<BlockArg> = args.iter().map(|arg| BlockArg::Value(*arg)).collect();
        self.builder.ins().jump(block, &args);
    }

    fn constant(&mut self, bits: u64) -> Value {
        self.builder.ins().iconst(types::I64, bits as i64)
    }

    fn word_constant(&mut self, word: Word) -> Value {
        self.constant(word.bits())
    }

    /// Loads a word of a cell, whose header is word 0.
    fn load(&mut self, cell: Value, index: usize) -> Value {
        self.builder.ins().load(types::I64, self.cell_flags, cell, index as i32 * 8)
    }

    fn store(&mut self, cell: Value, index: usize, word: Value) {
        self.builder.ins().store(self.cell_flags, word, cell, index as i32 * 8);
    }

    fn load_context(&mut self, offset: i32) -> Value {
        self.builder.ins().load(types::I64, self.context_flags, self.context, offset)
    }

    fn site(&mut self, term: TermId) -> Value {
        self.constant(TermSite { function: self.id, node: term.0 }.packed())
    }

    /// The site of faults that concern the function as a whole.
    fn function_site(&mut self) -> Value {
        let root = self.function.body.root.map_or(u32::MAX, |root| root.0);
        self.constant(TermSite { function: self.id, node: root }.packed())
    }

    fn bind(&mut self, local: LocalId, word: Value) {
        let slot = &mut self.locals[local.index()];
        let variable = match *slot {
            Some(variable) => variable,
            None => *slot.insert(self.builder.declare_var(types::I64)),
        };
        self.builder.def_var(variable, word);
    }

    fn local(&mut self, local: LocalId) -> Value {
        if let Some(doubled) = self.doubled_local(local) {
            // In the small-integer loop, locals hold `2n`; the tag makes the word `2n + 1`.
            return self.builder.ins().bor_imm_s(doubled, 1);
        }
        match self.locals[local.index()] {
            Some(variable) => self.builder.use_var(variable),
            // No term reads a local before it is bound; in unreachable code, any valid word will
            // do.
            None => self.constant(Word::UNIT.bits()),
        }
    }

    /// The type of a term, without outer refinements.
    fn ty(&self, term: TermId) -> &'u Ty {
        let types = &self.unit.program.types;
        types.get(types.base(self.function.body.ty(term)))
    }

    fn is_refined(&self, ty: TyId) -> bool {
        self.unit.program.types.flags(ty).has_refinement()
    }

    fn word(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Word(word) | Operand::Small(word, _) => word,
            Operand::Truth(truth) => {
                let wide = self.builder.ins().uextend(types::I64, truth);
                // `FALSE` and `TRUE` differ only in the bit at `TRUTH_SHIFT`.
                let bit = self.builder.ins().ishl_imm_s(wide, i64::from(TRUTH_SHIFT));
                self.builder.ins().bor_imm_s(bit, Word::FALSE.bits() as i64)
            }
            Operand::Float(float) => self.pack_float(float),
        }
    }

    /// A value that is 0 for false and nonzero for true.
    fn truth(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Truth(truth) => truth,
            Operand::Word(word) => self.builder.ins().band_imm_s(word, 1 << TRUTH_SHIFT),
            // Unreachable in a checked program: neither type is a condition.
            Operand::Float(_) | Operand::Small(..) => self.constant(0),
        }
    }

    fn word_of(&mut self, term: TermId) -> Value {
        let operand = self.term(term);
        self.word(operand)
    }

    /// Jumps to the fault exit if a word is 0.
    fn exit_on_fault(&mut self, word: Value) {
        let next = self.builder.create_block();
        self.builder.ins().brif(word, next, &[], self.fault_exit, &[]);
        self.switch_to(next);
    }

    /// Calls the runtime; the context is its first argument.
    fn call_runtime(&mut self, call: super::runtime::RuntimeCall, args: &[Value]) -> Value {
        let at = call as usize;
        if self.runtime.len() <= at {
            self.runtime.resize(at + 1, None);
        }
        // Each import adds a reference to the function being emitted; one per callee is enough.
        let function = match self.runtime[at] {
            Some(function) => function,
            None => {
                let function = self.unit.import(call, self.builder.func);
                *self.runtime[at].insert(function)
            }
        };
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(self.context);
        all.extend_from_slice(args);
        // The runtime charges steps itself, so the register is synchronized around the call.
        self.store_fuel();
        let call = self.builder.ins().call(function, &all);
        self.reload_fuel();
        self.builder.inst_results(call)[0]
    }

    /// Calls the runtime on a path that is almost never taken, at no register cost elsewhere: the
    /// callee saves all registers, and arguments and result are in the context.
    fn call_rarely(&mut self, call: super::runtime::RuntimeCall, args: &[Value]) -> Value {
        let at = call as usize;
        if self.rare_runtime.len() <= at {
            self.rare_runtime.resize(at + 1, None);
        }
        let function = match self.rare_runtime[at] {
            Some(function) => function,
            None => {
                let function = self.unit.import_rare(call, self.builder.func);
                *self.rare_runtime[at].insert(function)
            }
        };
        for (at, arg) in args.iter().enumerate() {
            // A nested rare call overwrites these slots, but by then the stub has loaded them.
            let place = offset::RARE_ARGS + at as i32 * 8;
            self.builder.ins().store(self.context_flags, *arg, self.context, place);
        }
        self.store_fuel();
        self.builder.ins().call(function, &[self.context]);
        self.reload_fuel();
        self.load_context(offset::RARE_RESULT)
    }

    /// The same, and jumps to the fault exit if the result is 0. The code after it is cold, too.
    fn call_rarely_or_exit(
        &mut self,
        call: super::runtime::RuntimeCall,
        args: &[Value],
    ) -> Value {
        let word = self.call_rarely(call, args);
        let next = self.cold_block();
        self.builder.ins().brif(word, next, &[], self.fault_exit, &[]);
        self.switch_to(next);
        word
    }

    /// Calls the runtime and jumps to the fault exit if the result is 0.
    fn call_runtime_or_exit(
        &mut self,
        call: super::runtime::RuntimeCall,
        args: &[Value],
    ) -> Value {
        let word = self.call_runtime(call, args);
        self.exit_on_fault(word);
        word
    }

    /// Marks what follows as unreachable; it is still emitted, and then removed.
    fn unreachable(&mut self) -> Value {
        self.jump(self.fault_exit, &[]);
        // The caller needs a block to go on in and a word to go on with.
        let nowhere = self.cold_block();
        self.switch_to(nowhere);
        self.constant(Word::UNIT.bits())
    }

    /// Stores words in an array that the runtime must read before anything else runs: all calls of
    /// a function share the slot.
    fn store_row(&mut self, words: &[Value]) -> Value {
        let size = words.len().max(1) as u32 * 8;
        let slot = match self.row_slot {
            Some(slot) => slot,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
                *self.row_slot.insert(self.builder.create_sized_stack_slot(data))
            }
        };
        let row = &mut self.builder.func.sized_stack_slots[slot];
        // The slot grows to the largest array of the function.
        row.size = row.size.max(size);
        for (at, word) in words.iter().enumerate() {
            self.builder.ins().stack_store(types::I64, *word, slot, at as i32 * 8);
        }
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }
}
