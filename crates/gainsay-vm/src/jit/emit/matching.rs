//! Matches: translates decision graphs to branches.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Block, InstBuilder as _, Value};
use gainsay_core::{Arm, CtorId, Literal, Pattern, PatternId, Term, TermId};

use super::{Emitter, Operand};
use crate::jit::int_range::SmallIntRange;
use crate::jit::match_compiler::{
    DecisionGraph, DecisionId, DecisionNode, DecisionRow, Occurrence, OccurrenceId,
    OccurrenceTest, compile_match, split_columns,
};
use crate::jit::runtime::RuntimeCall;
use crate::jit::word::Word;

/// Words of occurrences that are already loaded on the path to a node.
type OccurrenceValues = HashMap<OccurrenceId, Value>;

/// A node still to be emitted.
struct PendingDecision {
    node: DecisionId,
    block: Block,
    values: OccurrenceValues,
}

/// The state of emitting one match.
struct MatchEmission<'m> {
    id: TermId,
    arms: &'m [Arm],
    decisions: DecisionGraph,
    columns: OccurrenceValues,
    bodies: Vec<Block>,
    /// The block of each node with several parents.
    shared: HashMap<DecisionId, Block>,
    n_parents: Vec<u32>,
    pending: Vec<PendingDecision>,
}

impl Emitter<'_, '_> {
    /// Emits a match and joins the values of its arms.
    pub(super) fn match_value(
        &mut self,
        id: TermId,
        scrutinee: TermId,
        arms: &[Arm],
    ) -> Operand {
        let bodies = self.emit_decisions(id, scrutinee, arms);
        let meet = self.join_block();
        for (at, (arm, body)) in (0..).zip(arms.iter().zip(bodies)) {
            let body = self.counted_block(id, at, body);
            self.switch_to(body);
            let word = self.word_of(arm.body);
            self.jump(meet, &[word]);
        }
        self.join_value(meet)
    }

    /// A match in tail position.
    pub(super) fn tail_match(&mut self, id: TermId, scrutinee: TermId, arms: &[Arm]) {
        let bodies = self.emit_decisions(id, scrutinee, arms);
        for (at, (arm, body)) in (0..).zip(arms.iter().zip(bodies)) {
            let body = self.counted_block(id, at, body);
            self.switch_to(body);
            self.tail(arm.body);
        }
    }

    /// Emits `let pattern = value`.
    pub(super) fn let_(&mut self, pattern: PatternId, value: TermId) {
        match self.function.body.pattern(pattern) {
            // A tuple that nothing inspects is not built.
            Pattern::Wildcard => {
                if let Term::Tuple(items) = self.function.body.term(value)
                    && !self.has_pending_instrumentation(value)
                {
                    self.words_of(items);
                } else {
                    self.term(value);
                }
            }
            Pattern::Bind(local) => {
                let operand = self.term(value);
                let word = self.word(operand);
                self.bind(*local, word);
                // A local keeps the range of the value that it is bound to.
                let range = operand.range();
                self.small_locals[local.index()] = range.is_some();
                self.ranges[local.index()] = range.unwrap_or(SmallIntRange::SMALL);
                // Lets a later call of the local choose a specialization.
                self.closures[local.index()] = self.closure_of_term(value);
            }
            Pattern::Literal(_)
            | Pattern::Tuple(_)
            | Pattern::Ctor(..)
            | Pattern::List(..)
            | Pattern::Or(_) => {
                // A `let` is a match with one arm.
                let arm = Arm { pattern, weight: None, guard: None, body: value };
                let bodies = self.emit_decisions(value, value, &[arm]);
                self.switch_to(bodies[0]);
            }
        }
    }

    /// Emits the decisions of a match and returns the blocks where the bodies of the arms begin,
    /// with their locals bound.
    fn emit_decisions(&mut self, id: TermId, scrutinee: TermId, arms: &[Arm]) -> Vec<Block> {
        let (decisions, columns) = self.columns(scrutinee, arms);
        let bodies: Vec<Block> = arms.iter().map(|_| self.builder.create_block()).collect();
        let n_parents = decisions.n_parents();
        let start = self.builder.create_block();
        self.jump(start, &[]);
        let mut matching = MatchEmission {
            id,
            arms,
            columns: columns.clone(),
            bodies,
            shared: HashMap::new(),
            n_parents,
            pending: vec![PendingDecision {
                node: decisions.root,
                block: start,
                values: columns,
            }],
            decisions,
        };
        // A worklist, because the graph may be deep.
        while let Some(pending) = matching.pending.pop() {
            self.switch_to(pending.block);
            self.emit_node(&mut matching, pending.node, pending.values);
        }
        matching.bodies
    }

    /// The decision graph of a match and its initial words: the parts of a tuple literal, or else
    /// the value itself.
    fn columns(
        &mut self,
        scrutinee: TermId,
        arms: &[Arm],
    ) -> (DecisionGraph, OccurrenceValues) {
        let function = self.function;
        let body = &function.body;
        let program = self.unit.program;
        let rows: Vec<DecisionRow> = (0..)
            .zip(arms)
            .map(|(arm, it)| DecisionRow {
                patterns: vec![Some(it.pattern)],
                arm,
                has_guard: it.guard.is_some(),
            })
            .collect();
        if let Term::Tuple(items) = body.term(scrutinee)
            && !self.has_pending_instrumentation(scrutinee)
            && let Some(rows) = split_columns(body, &rows, items.len())
        {
            let words = self.words_of(items);
            return initial_values(compile_match(program, body, &rows), &words);
        }
        let word = self.word_of(scrutinee);
        initial_values(compile_match(program, body, &rows), &[word])
    }

    /// The block where a node is emitted. A node with several parents is reached with different
    /// words loaded, and starts with only the columns, which all paths share.
    fn block_of(
        &mut self,
        matching: &mut MatchEmission<'_>,
        node: DecisionId,
        values: &OccurrenceValues,
    ) -> Block {
        // The only path to it has these words loaded, so they need not be loaded again.
        if matching.n_parents[node.index()] <= 1 {
            let block = self.builder.create_block();
            matching.pending.push(PendingDecision { node, block, values: values.clone() });
            return block;
        }
        if let Some(block) = matching.shared.get(&node) {
            return *block;
        }
        let block = self.builder.create_block();
        matching.shared.insert(node, block);
        // A shared node cannot rely on what one of its parents has loaded.
        let values = matching.columns.clone();
        matching.pending.push(PendingDecision { node, block, values });
        block
    }

    fn emit_node(
        &mut self,
        matching: &mut MatchEmission<'_>,
        node: DecisionId,
        mut values: OccurrenceValues,
    ) {
        match matching.decisions.node(node).clone() {
            DecisionNode::Fail => {
                let site = self.site(matching.id);
                self.call_rarely(RuntimeCall::Unmatched, &[site]);
                self.jump(self.fault_exit, &[]);
            }
            DecisionNode::Arm { arm, bindings, otherwise } => {
                for (local, place) in &bindings {
                    let word = self.occurrence_value(&matching.decisions, &mut values, *place);
                    self.bind(*local, word);
                }
                let body = matching.bodies[arm];
                match (matching.arms[arm].guard, otherwise) {
                    (Some(guard), Some(otherwise)) => {
                        // Bindings before the guard stay bound if it fails; later arms have locals
                        // of their own.
                        let next = self.block_of(matching, otherwise, &values);
                        self.branch(guard, body, next);
                    }
                    // Exactly the arms with a guard have an alternative; see
                    // `DecisionGraphBuilder::arm`.
                    (Some(_) | None, _) => self.jump(body, &[]),
                }
            }
            DecisionNode::Bind { bindings, next } => {
                for (local, place) in &bindings {
                    let word = self.occurrence_value(&matching.decisions, &mut values, *place);
                    self.bind(*local, word);
                }
                let next = self.block_of(matching, next, &values);
                self.jump(next, &[]);
            }
            DecisionNode::Switch { occurrence: place, cases, default } => {
                let word = self.occurrence_value(&matching.decisions, &mut values, place);
                // After the load above, so that all cases start with the word that was tested.
                let default = default.map(|node| self.block_of(matching, node, &values));
                let cases: Vec<(OccurrenceTest, Block)> = cases
                    .iter()
                    .map(|(test, node)| (test.clone(), self.block_of(matching, *node, &values)))
                    .collect();
                self.switch_on(word, &cases, default);
            }
        }
    }

    /// The word of an occurrence, loaded at most once per path.
    fn occurrence_value(
        &mut self,
        decisions: &DecisionGraph,
        values: &mut OccurrenceValues,
        place: OccurrenceId,
    ) -> Value {
        // Walk outward to the nearest occurrence that is loaded, then load the parts on the way
        // back.
        let mut path = vec![place];
        let mut word = loop {
            let innermost = path[path.len() - 1];
            if let Some(word) = values.get(&innermost) {
                break *word;
            }
            match decisions.occurrence(innermost) {
                // A column that nothing has loaded does not occur; see `initial_values`.
                Occurrence::Column(_) => break self.constant(Word::UNIT.bits()),
                Occurrence::Field { of, .. } | Occurrence::Head(of) | Occurrence::Tail(of) => {
                    path.push(of)
                }
            }
        };
        path.pop();
        while let Some(next) = path.pop() {
            word = match decisions.occurrence(next) {
                Occurrence::Column(_) => word,
                Occurrence::Field { index, .. } => self.load(word, index as usize + 1),
                Occurrence::Head(_) => self.load(word, 1),
                Occurrence::Tail(_) => self.load(word, 2),
            };
            values.insert(next, word);
        }
        word
    }

    fn switch_on(
        &mut self,
        word: Value,
        cases: &[(OccurrenceTest, Block)],
        default: Option<Block>,
    ) {
        if let Some((OccurrenceTest::Ctor(ctor), _)) = cases.first() {
            self.switch_on_ctor(word, *ctor, cases, default);
            return;
        }
        // Without a default the cases are exhaustive, so the last one needs no test.
        let (tested, last) = match (cases.split_last(), default) {
            (_, Some(default)) => (cases, default),
            (Some(((_, last), tested)), None) => (tested, *last),
            (None, None) => (cases, self.fault_exit),
        };
        for (test, block) in tested {
            let holds = self.emit_test(word, test);
            let next = self.builder.create_block();
            self.builder.ins().brif(holds, *block, &[], next, &[]);
            self.switch_to(next);
        }
        self.jump(last, &[]);
    }

    fn emit_test(&mut self, word: Value, test: &OccurrenceTest) -> Value {
        match test {
            OccurrenceTest::Bool(truth) => self.equals_word(word, Word::from(*truth)),
            OccurrenceTest::Char(char) => self.equals_word(word, Word::char(*char)),
            OccurrenceTest::Nil => self.equals_word(word, Word::NIL),
            // A list is empty or a cell, so one comparison tells them apart.
            OccurrenceTest::Cons => {
                self.builder.ins().icmp_imm_s(IntCC::NotEqual, word, Word::NIL.bits() as i64)
            }
            // A small integer equals only its own word, so one comparison suffices.
            OccurrenceTest::Int(int) if Word::from_small_int(*int).is_some() => {
                let wanted = Word::from_small_int(*int).unwrap_or(Word::UNIT);
                self.equals_word(word, wanted)
            }
            // By IEEE equality, as patterns are defined: `0.0` matches `-0.0`, and no pattern
            // matches NaN.
            OccurrenceTest::Float(bits) => {
                let value = self.unpack_float(word);
                let wanted = self.builder.ins().f64const(f64::from_bits(*bits));
                self.builder.ins().fcmp(FloatCC::Equal, value, wanted)
            }
            OccurrenceTest::Int(int) => self.is_literal(word, &Literal::Int(*int)),
            OccurrenceTest::Big(int) => self.is_literal(word, &Literal::Big(int.clone())),
            OccurrenceTest::Str(text) => self.is_literal(word, &Literal::Str(text.clone())),
            OccurrenceTest::Ctor(ctor) => self.has_ctor(word, Some(*ctor)),
        }
    }

    fn is_literal(&mut self, word: Value, literal: &Literal) -> Value {
        let wanted = self.unit.literal(literal);
        let wanted = self.word_constant(wanted);
        self.call_runtime(RuntimeCall::IsLiteral, &[word, wanted])
    }

    /// Constructors without fields are identified by the word, the others by the cell's header.
    fn switch_on_ctor(
        &mut self,
        word: Value,
        some_ctor: CtorId,
        cases: &[(OccurrenceTest, Block)],
        default: Option<Block>,
    ) {
        let program = self.unit.program;
        let all = &program.nominal(program.ctor(some_ctor).ty).ctors;
        let is_nullary = |ctor: CtorId| program.ctor(ctor).fields.is_empty();
        let n_nullary = all.iter().filter(|ctor| is_nullary(**ctor)).count();
        let ctors = cases.iter().filter_map(|(test, block)| {
            if let OccurrenceTest::Ctor(ctor) = test { Some((*ctor, *block)) } else { None }
        });
        let (nullary, cells): (Vec<_>, Vec<_>) = ctors.partition(|(ctor, _)| is_nullary(*ctor));
        let mut missing_nullary = n_nullary - nullary.len();
        for (at, (ctor, block)) in nullary.iter().enumerate() {
            // The cases are exhaustive at this point, so the last constructor needs no test.
            let is_last = at + 1 == nullary.len() && cells.is_empty() && default.is_none();
            if is_last {
                self.jump(*block, &[]);
                return;
            }
            let holds = self.equals_word(word, Word::nullary(*ctor));
            let next = self.builder.create_block();
            self.builder.ins().brif(holds, *block, &[], next, &[]);
            self.switch_to(next);
        }
        if cells.is_empty() {
            self.jump(default.unwrap_or(self.fault_exit), &[]);
            return;
        }
        // Without a default, all constructors that are not tested cannot occur.
        if default.is_none() {
            missing_nullary = 0;
        }
        // An untested constructor without fields has no cell to load, so test for one first.
        if missing_nullary > 0 {
            let is_cell = self.is_cell(word);
            let next = self.builder.create_block();
            let default = default.unwrap_or(self.fault_exit);
            self.builder.ins().brif(is_cell, next, &[], default, &[]);
            self.switch_to(next);
        }
        // If all constructors with fields are tested, the last one needs no test even with a
        // default.
        let n_missing_cells = all.len() - n_nullary - cells.len();
        self.switch_on_cell(word, &cells, default.filter(|_| n_missing_cells > 0));
    }

    fn switch_on_cell(
        &mut self,
        word: Value,
        cells: &[(CtorId, Block)],
        default: Option<Block>,
    ) {
        let Some(((_, last), tested)) = cells.split_last() else { return };
        let (tested, last) = match default {
            Some(default) => (cells, default),
            None => (tested, *last),
        };
        if !tested.is_empty() {
            // The header is loaded once for all tests.
            let number = self.ctor_number(word);
            for (ctor, block) in tested {
                let wanted = i64::from(ctor.0);
                let holds = self.builder.ins().icmp_imm_s(IntCC::Equal, number, wanted);
                let next = self.builder.create_block();
                self.builder.ins().brif(holds, *block, &[], next, &[]);
                self.switch_to(next);
            }
        }
        self.jump(last, &[]);
    }
}

/// A decision graph, and its initial words.
fn initial_values(
    decisions: DecisionGraph,
    words: &[Value],
) -> (DecisionGraph, OccurrenceValues) {
    let mut values = OccurrenceValues::new();
    for (at, place) in decisions.occurrences.iter().enumerate() {
        if let Occurrence::Column(column) = place
            && let Some(word) = words.get(*column as usize)
        {
            values.insert(OccurrenceId(at as u32), *word);
        }
    }
    (decisions, values)
}
