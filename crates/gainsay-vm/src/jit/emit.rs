//! Code generation: a function of core becomes a function of Cranelift.
//!
//! Every compiled function is `fn(context, depth, arguments..) -> word`, where the depth
//! is how many calls may still be inside this one, in the convention
//! that has tail calls; one with captures gets its closure instead of them, and takes them
//! from there. A result of 0 says that a fault is on its way out: each caller tests for it
//! and returns 0 in turn, so that nothing is ever unwound, no signal is needed, and what is
//! on the stack is left in order. The test costs less than what it would take to know how to
//! leave all frames at once on each kind of machine.

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
    /// A word.
    Word(Value),
    /// The word of an integer that is small, and what else is known of it.
    Small(Value, SmallIntRange),
    /// A truth value, 0 or 1 in 8 bits.
    Truth(Value),
    /// A float in a register of its own.
    Float(Value),
}

impl Operand {
    /// What is known of an integer that is small.
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
    /// Where a tail call of the function itself goes.
    loop_entry: Block,
    /// The version of the body for small integers, while that is emitted.
    small_int_loop: Option<SmallIntLoop>,
    /// Which locals are known to be small integers.
    small_locals: Vec<bool>,
    /// What else is known of those.
    ranges: Vec<SmallIntRange>,
    /// Where results are checked before they are returned.
    result_check: Option<Block>,
    runtime: Vec<Option<FuncRef>>,
    rare_runtime: Vec<Option<FuncRef>>,
    callees: Vec<(Specialization, FuncRef)>,
    /// Which copy of which function is emitted.
    specialization: Specialization,
    /// What locals are closures of, as far as that is known.
    closures: Vec<Option<FunctionId>>,
    /// What a call of the function itself may answer at once.
    base_case: Option<BaseCase>,
    cell_flags: MemFlagsData,
    context_flags: MemFlagsData,
    /// Where words are put in a row for the runtime.
    row_slot: Option<StackSlot>,
    /// Inside a mutated term, no other mutant is on.
    is_mutated: bool,
    /// How many traced calls are around what is emitted.
    n_traced: u64,
    /// The term whose switch has just been emitted.
    unswitched: Option<TermId>,
    /// Operands that have been evaluated before what they are operands of, and their words.
    evaluated: Vec<(TermId, Value)>,
}

impl<'a, 'u> Emitter<'a, 'u> {
    /// Emits the whole function into the builder.
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
        let regions = &mut builder.func.dfg.alias_regions;
        let cells = regions.insert(AliasRegionData { user_id: 1, description: "cells".into() });
        let own = regions.insert(AliasRegionData { user_id: 2, description: "context".into() });
        let trusted = MemFlagsData::trusted();
        let n_locals = function.body.locals.len().max(function.params.len());
        let mut emitter = Self {
            id,
            function,
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
        emitter.builder.seal_all_blocks();
        emitter.builder.finalize(config);
        Ok(())
    }

    fn function(&mut self, params: &[Value]) -> Result<(), String> {
        if self.specialization.is_original() && self.unit.has_small_int_specialization(self.id)
        {
            self.bind_params(params);
            self.tail_call_int_specialization(params);
            return Ok(());
        }
        if self.has_single_entry() {
            self.enter_function(self.depth);
        } else {
            self.check_depth();
        }
        for (param, closure) in &self.specialization.known_closures {
            self.closures[*param] = Some(*closure);
        }
        self.bind_params(params);
        let root = self.function.body.root.ok_or("a function without a body")?;
        if self.specialization.int_assumption == IntAssumption::Small {
            self.assume_small_params();
        }
        if !self.has_single_entry() {
            self.emit_small_int_version(root);
            self.step();
        }
        self.check_entry();
        if self.checks_result() {
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
        self.switch_to(self.fault_exit);
        let fault = self.constant(0);
        self.builder.ins().return_(&[fault]);
        Ok(())
    }

    /// Parameters become locals; captures come out of the closure.
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
            let capture = self.load(closure, at + 2);
            self.bind(LocalId(at as u32), capture);
        }
        for (at, param) in params[1..].iter().enumerate() {
            self.bind(LocalId((n_captures + at) as u32), *param);
        }
    }

    /// Whether a call of the function has one beginning, where both depth and a step are taken:
    /// it does not go on in its own frame, as a mutant might.
    fn has_single_entry(&self) -> bool {
        has_small_frame(self.function)
            && !is_tail_recursive(self.unit.program, self.id)
            && !self.unit.instruments.has_mutants_in(self.id)
            && (self.specialization.int_assumption != IntAssumption::Any
                || !self.has_small_int_version())
    }

    /// Takes a step, if there is depth for it, with one look at both.
    fn enter_function(&mut self, depth: Value) {
        let fuel = self.fuel();
        let left = self.builder.ins().iadd_imm_s(fuel, -1);
        self.set_fuel(left);
        let (rare, fits) = (self.cold_block(), self.builder.create_block());
        let either = self.builder.ins().bor(left, depth);
        let is_missing = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, either, 0);
        self.builder.ins().brif(is_missing, rare, &[], fits, &[]);
        self.switch_to(rare);
        self.raise_step_or_depth_limit(fuel, depth);
        self.jump(fits, &[]);
        self.switch_to(fits);
    }

    /// Too many calls inside each other, or too little stack, ends the run.
    fn check_depth(&mut self) {
        let (deep, fits) = (self.cold_block(), self.builder.create_block());
        let too_deep = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, self.depth, 0);
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

    /// One step.
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

    /// The steps that are left of those granted: in a register that everything compiled keeps
    /// them in, so that to take one is not to wait for memory.
    fn fuel(&mut self) -> Value {
        self.builder.ins().get_pinned_reg(types::I64)
    }

    fn set_fuel(&mut self, left: Value) {
        self.builder.ins().set_pinned_reg(left);
    }

    /// Lets the runtime know of the steps that are left.
    fn store_fuel(&mut self) {
        let left = self.fuel();
        self.builder.ins().store(self.context_flags, left, self.context, offset::FUEL);
    }

    /// Goes on with what the runtime has left of the steps.
    fn reload_fuel(&mut self) {
        let left = self.load_context(offset::FUEL);
        self.set_fuel(left);
    }

    // Small things that everything else is made of.

    fn switch_to(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    fn cold_block(&mut self) -> Block {
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        block
    }

    /// A cold block that goes on in another. Where a rare way ends in two that are not, moves
    /// between registers would otherwise stand among those.
    fn cold_jump_to(&mut self, block: Block) -> Block {
        let way = self.cold_block();
        self.switch_to(way);
        self.jump(block, &[]);
        way
    }

    fn jump(&mut self, block: Block, args: &[Value]) {
        let args: Vec<BlockArg> = args.iter().map(|arg| BlockArg::Value(*arg)).collect();
        self.builder.ins().jump(block, &args);
    }

    fn constant(&mut self, bits: u64) -> Value {
        self.builder.ins().iconst(types::I64, bits as i64)
    }

    fn word_constant(&mut self, word: Word) -> Value {
        self.constant(word.0)
    }

    /// A word of a cell, from 0 for its header.
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

    /// The site of what concerns the function as a whole.
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
            return self.builder.ins().bor_imm_s(doubled, 1);
        }
        match self.locals[local.index()] {
            Some(variable) => self.builder.use_var(variable),
            None => self.constant(Word::UNIT.0),
        }
    }

    /// The type of a term, without refinements around it.
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
                let bit = self.builder.ins().ishl_imm_s(wide, i64::from(TRUTH_SHIFT));
                self.builder.ins().bor_imm_s(bit, Word::FALSE.0 as i64)
            }
            Operand::Float(float) => self.pack_float(float),
        }
    }

    /// Something that is 0 for false and not for true.
    fn truth(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Truth(truth) => truth,
            Operand::Word(word) => self.builder.ins().band_imm_s(word, 1 << TRUTH_SHIFT),
            Operand::Float(_) | Operand::Small(..) => self.constant(0),
        }
    }

    fn word_of(&mut self, term: TermId) -> Value {
        let operand = self.term(term);
        self.word(operand)
    }

    /// Goes to where faults leave when a word is none.
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
        self.store_fuel();
        let call = self.builder.ins().call(function, &all);
        self.reload_fuel();
        self.builder.inst_results(call)[0]
    }

    /// Calls the runtime where that hardly ever happens, in a way that costs registers only
    /// then: all of them are saved by what is called; arguments and answer are in the context.
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
            let place = offset::RARE_ARGS + at as i32 * 8;
            self.builder.ins().store(self.context_flags, *arg, self.context, place);
        }
        self.store_fuel();
        self.builder.ins().call(function, &[self.context]);
        self.reload_fuel();
        self.load_context(offset::RARE_RESULT)
    }

    /// The same for a word; leaves if there is none. What goes on from there is rare too.
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

    /// Calls the runtime for a word, and leaves if there is none.
    fn call_runtime_or_exit(
        &mut self,
        call: super::runtime::RuntimeCall,
        args: &[Value],
    ) -> Value {
        let word = self.call_runtime(call, args);
        self.exit_on_fault(word);
        word
    }

    /// What follows cannot be reached; it is emitted all the same, and removed.
    fn unreachable(&mut self) -> Value {
        self.jump(self.fault_exit, &[]);
        let nowhere = self.cold_block();
        self.switch_to(nowhere);
        self.constant(Word::UNIT.0)
    }

    /// Words in a row, for the runtime to read before anything else happens.
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
        row.size = row.size.max(size);
        for (at, word) in words.iter().enumerate() {
            self.builder.ins().stack_store(types::I64, *word, slot, at as i32 * 8);
        }
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }
}
