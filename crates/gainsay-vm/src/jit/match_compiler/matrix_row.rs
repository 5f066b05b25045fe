//! Rows of the matrix: what an arm still tests, and what it has bound.
//!
//! A row only contains tests that can fail. Wildcards are dropped, names become bindings, and
//! tuples and types with one constructor are destructured immediately, because there is nothing to
//! test.

use std::collections::HashMap;

use gainsay_core::{Body, CtorId, Literal, LocalId, Pattern, PatternId, Program, RestPattern};

use super::{DecisionRow, Occurrence, OccurrenceBindings, OccurrenceId, OccurrenceTest};

/// The remaining tests of one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct DecisionMatrixRow {
    pub(super) arm: usize,
    pub(super) has_guard: bool,
    /// At most one cell per occurrence, in order of occurrences.
    pub(super) cells: Vec<DecisionCell>,
    /// The last binding, which links to the one before it.
    bindings: Option<BindingLinkId>,
    /// An upper bound on the number of pattern nodes in the cells and bindings, plus one.
    pub(super) weight: u64,
}

/// A condition of a row on one occurrence.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct DecisionCell {
    pub(super) occurrence: OccurrenceId,
    pub(super) condition: CellCondition,
    pub(super) pattern: PatternId,
    /// Number of elements of a list pattern that precede this occurrence.
    n_taken: u32,
}

/// The condition of a cell.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum CellCondition {
    /// A test must hold.
    Test(OccurrenceTestId),
    /// One of several patterns must match.
    AnyOf,
}

/// An interned test.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct OccurrenceTestId(u32);

#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
struct BindingLinkId(u32);

#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
struct BindingLink {
    local: LocalId,
    occurrence: OccurrenceId,
    previous: Option<BindingLinkId>,
}

/// Whether a row can match anything at all.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum RowFeasibility {
    Feasible,
    Infeasible,
}

/// The patterns of a match, and the interned data that rows share.
pub(super) struct DecisionMatrixContext<'a> {
    program: &'a Program,
    body: &'a Body,
    weights: HashMap<PatternId, u64>,
    bindings: Vec<BindingLink>,
    binding_ids: HashMap<BindingLink, BindingLinkId>,
    tests: Vec<OccurrenceTest>,
    test_ids: HashMap<OccurrenceTest, OccurrenceTestId>,
    pub(super) occurrences: Vec<Occurrence>,
    occurrence_ids: HashMap<Occurrence, OccurrenceId>,
}

impl<'a> DecisionMatrixContext<'a> {
    pub(super) fn new(program: &'a Program, body: &'a Body, rows: &[DecisionRow]) -> Self {
        Self {
            program,
            body,
            weights: weights(body, rows),
            bindings: Vec::new(),
            binding_ids: HashMap::new(),
            tests: Vec::new(),
            test_ids: HashMap::new(),
            occurrences: Vec::new(),
            occurrence_ids: HashMap::new(),
        }
    }

    /// The matrix row of a decision row; `None` if it matches nothing.
    pub(super) fn matrix_row(&mut self, row: &DecisionRow) -> Option<DecisionMatrixRow> {
        let weight = row.patterns.iter().flatten().map(|it| self.weight(*it));
        let mut line = DecisionMatrixRow {
            arm: row.arm,
            has_guard: row.has_guard,
            cells: Vec::new(),
            bindings: None,
            weight: weight.fold(1, u64::saturating_add),
        };
        for (column, pattern) in row.patterns.iter().enumerate() {
            let place = self.occurrence_id(Occurrence::Column(column as u32));
            if let Some(pattern) = pattern
                && self.add_pattern(&mut line, place, *pattern) == RowFeasibility::Infeasible
            {
                return None;
            }
        }
        // Sorted, so that `cell_at` can search and equal rows hash equally.
        line.cells.sort_by_key(|cell| cell.occurrence);
        Some(line)
    }

    /// A row that only tests whether an occurrence matches a pattern.
    pub(super) fn alternative(
        &mut self,
        place: OccurrenceId,
        pattern: PatternId,
    ) -> Option<DecisionMatrixRow> {
        let weight = self.weight(pattern);
        let (arm, cells) = (0, Vec::new());
        let mut line =
            DecisionMatrixRow { arm, has_guard: false, cells, bindings: None, weight };
        (self.add_pattern(&mut line, place, pattern) == RowFeasibility::Feasible)
            .then_some(line)
    }

    /// The row with one of the alternatives of its cell at `index`.
    pub(super) fn with_alternative(
        &mut self,
        line: &DecisionMatrixRow,
        index: usize,
        alternative: PatternId,
    ) -> Option<DecisionMatrixRow> {
        let mut chosen = line.clone();
        let cell = chosen.cells.remove(index);
        chosen.weight = self.weight_of_others(line, index);
        chosen.weight = chosen.weight.saturating_add(self.weight(alternative));
        let hope = self.add_pattern(&mut chosen, cell.occurrence, alternative);
        chosen.cells.sort_by_key(|cell| cell.occurrence);
        (hope == RowFeasibility::Feasible).then_some(chosen)
    }

    /// The weight of a row without the or-pattern at `index`.
    pub(super) fn weight_of_others(&self, line: &DecisionMatrixRow, index: usize) -> u64 {
        line.weight.saturating_sub(self.weight(line.cells[index].pattern))
    }

    /// The row after the test of its cell at `index` holds.
    pub(super) fn specialize(
        &mut self,
        line: &DecisionMatrixRow,
        index: usize,
    ) -> Option<DecisionMatrixRow> {
        let mut answered = line.clone();
        let cell = answered.cells.remove(index);
        let hope = self.expand_cell(&mut answered, cell);
        answered.cells.sort_by_key(|cell| cell.occurrence);
        (hope == RowFeasibility::Feasible).then_some(answered)
    }

    /// Adds the conditions that follow once the test of a cell holds, in source order.
    pub(super) fn expand_cell(
        &mut self,
        line: &mut DecisionMatrixRow,
        cell: DecisionCell,
    ) -> RowFeasibility {
        // The pattern node of the cell itself is consumed.
        line.weight = line.weight.saturating_sub(1);
        let body = self.body;
        match body.pattern(cell.pattern) {
            Pattern::Ctor(_, parts) => self.add_fields(line, cell.occurrence, parts),
            Pattern::List(parts, _) => {
                // The end of a list pattern: nil has no parts.
                let Some(part) = parts.get(cell.n_taken as usize) else {
                    return RowFeasibility::Feasible;
                };
                let head = self.occurrence_id(Occurrence::Head(cell.occurrence));
                let tail = self.occurrence_id(Occurrence::Tail(cell.occurrence));
                match self.add_pattern(line, head, *part) {
                    RowFeasibility::Feasible => {
                        self.add_list(line, tail, cell.pattern, cell.n_taken + 1)
                    }
                    RowFeasibility::Infeasible => RowFeasibility::Infeasible,
                }
            }
            Pattern::Wildcard
            | Pattern::Bind(_)
            | Pattern::Literal(_)
            | Pattern::Tuple(_)
            | Pattern::Or(_) => RowFeasibility::Feasible,
        }
    }

    fn add_fields(
        &mut self,
        line: &mut DecisionMatrixRow,
        of: OccurrenceId,
        parts: &[PatternId],
    ) -> RowFeasibility {
        for (index, part) in (0..).zip(parts) {
            let place = self.occurrence_id(Occurrence::Field { of, index });
            if self.add_pattern(line, place, *part) == RowFeasibility::Infeasible {
                return RowFeasibility::Infeasible;
            }
        }
        RowFeasibility::Feasible
    }

    /// Adds the conditions of a pattern on an occurrence. The recursion is as deep as patterns nest
    /// in the source: list elements are not nested in one another.
    fn add_pattern(
        &mut self,
        line: &mut DecisionMatrixRow,
        place: OccurrenceId,
        pattern: PatternId,
    ) -> RowFeasibility {
        let body = self.body;
        match body.pattern(pattern) {
            Pattern::Wildcard => RowFeasibility::Feasible,
            Pattern::Bind(local) => {
                // A linked list: rows that share a prefix of bindings share its storage.
                let before = line.bindings;
                line.bindings = Some(self.binding_id(BindingLink {
                    local: *local,
                    occurrence: place,
                    previous: before,
                }));
                RowFeasibility::Feasible
            }
            Pattern::Literal(literal) => match literal_test(literal) {
                Some(test) => self.add_test(line, place, pattern, test),
                None => RowFeasibility::Infeasible,
            },
            Pattern::Tuple(parts) => self.add_fields(line, place, parts),
            Pattern::Ctor(ctor, parts) => {
                // Only in programs with errors; such a pattern matches nothing.
                if parts.len() != self.program.ctor(*ctor).fields.len() {
                    RowFeasibility::Infeasible
                } else if self.n_siblings(*ctor) == 1 {
                    // A type with one constructor needs no test.
                    self.add_fields(line, place, parts)
                } else {
                    self.add_test(line, place, pattern, OccurrenceTest::Ctor(*ctor))
                }
            }
            Pattern::List(..) => self.add_list(line, place, pattern, 0),
            // All alternatives bind the same locals, so with a wildcard among them they bind none.
            Pattern::Or(parts) if parts.iter().any(|it| self.is_wildcard(*it)) => {
                RowFeasibility::Feasible
            }
            Pattern::Or(_) => {
                line.cells.push(DecisionCell {
                    occurrence: place,
                    condition: CellCondition::AnyOf,
                    pattern,
                    n_taken: 0,
                });
                RowFeasibility::Feasible
            }
        }
    }

    /// Adds the conditions of a list pattern on the list after the elements already taken.
    fn add_list(
        &mut self,
        line: &mut DecisionMatrixRow,
        place: OccurrenceId,
        pattern: PatternId,
        taken: u32,
    ) -> RowFeasibility {
        let body = self.body;
        let Pattern::List(parts, rest) = body.pattern(pattern) else {
            return RowFeasibility::Infeasible;
        };
        let test = match rest {
            // Each element tests for a cons cell; the end of the pattern for nil, or nothing.
            _ if parts.len() > taken as usize => OccurrenceTest::Cons,
            RestPattern::Nothing => OccurrenceTest::Nil,
            RestPattern::Some(rest) => return self.add_pattern(line, place, *rest),
        };
        let asks = CellCondition::Test(self.test_id(test));
        line.cells.push(DecisionCell {
            occurrence: place,
            condition: asks,
            pattern,
            n_taken: taken,
        });
        RowFeasibility::Feasible
    }

    fn add_test(
        &mut self,
        line: &mut DecisionMatrixRow,
        place: OccurrenceId,
        pattern: PatternId,
        test: OccurrenceTest,
    ) -> RowFeasibility {
        let asks = CellCondition::Test(self.test_id(test));
        line.cells.push(DecisionCell {
            occurrence: place,
            condition: asks,
            pattern,
            n_taken: 0,
        });
        RowFeasibility::Feasible
    }

    fn is_wildcard(&self, pattern: PatternId) -> bool {
        matches!(self.body.pattern(pattern), Pattern::Wildcard)
    }

    /// The alternatives of an or-pattern.
    pub(super) fn alternatives(&self, pattern: PatternId) -> &'a [PatternId] {
        match self.body.pattern(pattern) {
            Pattern::Or(alternatives) => alternatives,
            Pattern::Wildcard
            | Pattern::Bind(_)
            | Pattern::Literal(_)
            | Pattern::Tuple(_)
            | Pattern::Ctor(..)
            | Pattern::List(..) => &[],
        }
    }

    /// The first test of a pattern; `None` if it always matches or only tests parts.
    pub(super) fn first_test(&mut self, pattern: PatternId) -> Option<OccurrenceTestId> {
        let test = match self.body.pattern(pattern) {
            Pattern::Literal(literal) => literal_test(literal)?,
            Pattern::Ctor(ctor, _) => OccurrenceTest::Ctor(*ctor),
            Pattern::List(parts, _) if !parts.is_empty() => OccurrenceTest::Cons,
            Pattern::List(_, RestPattern::Nothing) => OccurrenceTest::Nil,
            Pattern::Wildcard
            | Pattern::Bind(_)
            | Pattern::Tuple(_)
            | Pattern::List(..)
            | Pattern::Or(_) => return None,
        };
        Some(self.test_id(test))
    }

    /// The bindings of a row, in order of locals.
    pub(super) fn bindings(&self, line: &DecisionMatrixRow) -> OccurrenceBindings {
        let mut bindings = Vec::new();
        let mut next = line.bindings;
        while let Some(id) = next {
            let binding = &self.bindings[id.0 as usize];
            bindings.push((binding.local, binding.occurrence));
            next = binding.previous;
        }
        // In a canonical order, so that equal arms are shared.
        bindings.sort_unstable();
        bindings.into()
    }

    /// Whether `n_tests` different tests, of which this is one, cover all values.
    pub(super) fn is_exhaustive(&self, test: OccurrenceTestId, n_tests: usize) -> bool {
        match self.test(test) {
            OccurrenceTest::Ctor(ctor) => n_tests == self.n_siblings(*ctor),
            OccurrenceTest::Bool(_) | OccurrenceTest::Nil | OccurrenceTest::Cons => {
                n_tests == 2
            }
            OccurrenceTest::Int(_)
            | OccurrenceTest::Big(_)
            | OccurrenceTest::Float(_)
            | OccurrenceTest::Char(_)
            | OccurrenceTest::Str(_) => false,
        }
    }

    pub(super) fn test(&self, id: OccurrenceTestId) -> &OccurrenceTest {
        &self.tests[id.0 as usize]
    }

    /// Number of constructors of a type.
    fn n_siblings(&self, ctor: CtorId) -> usize {
        self.program.nominal(self.program.ctor(ctor).ty).ctors.len()
    }

    fn test_id(&mut self, test: OccurrenceTest) -> OccurrenceTestId {
        if let Some(id) = self.test_ids.get(&test) {
            return *id;
        }
        let id = OccurrenceTestId(self.tests.len() as u32);
        self.tests.push(test.clone());
        self.test_ids.insert(test, id);
        id
    }

    fn binding_id(&mut self, binding: BindingLink) -> BindingLinkId {
        // Interned, so that rows with equal bindings compare equal, and cloning a row copies one
        // id.
        *self.binding_ids.entry(binding).or_insert_with(|| {
            self.bindings.push(binding);
            BindingLinkId(self.bindings.len() as u32 - 1)
        })
    }

    fn occurrence_id(&mut self, place: Occurrence) -> OccurrenceId {
        *self.occurrence_ids.entry(place).or_insert_with(|| {
            self.occurrences.push(place);
            OccurrenceId(self.occurrences.len() as u32 - 1)
        })
    }

    /// An occurrence, the one it is a field of, and so on.
    pub(super) fn occurrence_ancestors(&self, place: OccurrenceId) -> Vec<OccurrenceId> {
        let mut wholes = vec![place];
        let mut part = place;
        // Heads and tails end the walk: they are reached only after a test of their list, and by
        // then the or-patterns at the list have been expanded.
        while let Occurrence::Field { of, .. } = self.occurrences[part.index()] {
            wholes.push(of);
            part = of;
        }
        wholes
    }

    fn weight(&self, pattern: PatternId) -> u64 {
        self.weights.get(&pattern).copied().unwrap_or(1)
    }
}

/// The test of a literal; `None` for NaN, which equals nothing.
fn literal_test(literal: &Literal) -> Option<OccurrenceTest> {
    Some(match literal {
        Literal::Int(value) => OccurrenceTest::Int(*value),
        Literal::Big(value) => OccurrenceTest::Big(value.clone()),
        Literal::Float(value) if value.is_nan() => return None,
        // Adding zero turns negative zero into positive zero and changes nothing else.
        Literal::Float(value) => OccurrenceTest::Float((value + 0.0).to_bits()),
        Literal::Bool(value) => OccurrenceTest::Bool(*value),
        Literal::Char(value) => OccurrenceTest::Char(*value),
        Literal::Str(value) => OccurrenceTest::Str(value.clone()),
    })
}

/// The number of nodes of each pattern in the rows.
fn weights(body: &Body, rows: &[DecisionRow]) -> HashMap<PatternId, u64> {
    let mut patterns: Vec<PatternId> =
        rows.iter().flat_map(|row| row.patterns.iter().flatten().copied()).collect();
    let mut next = 0;
    // Breadth-first without recursion; `patterns` is both worklist and result.
    while let Some(pattern) = patterns.get(next) {
        let (parts, rest) = parts(body.pattern(*pattern));
        patterns.extend(parts.iter().copied().chain(rest));
        next += 1;
    }
    // The parts of a pattern precede it.
    patterns.sort_unstable();
    patterns.dedup();
    let mut weights = HashMap::with_capacity(patterns.len());
    for pattern in patterns {
        let (parts, rest) = parts(body.pattern(pattern));
        let part_weights =
            parts.iter().copied().chain(rest).map(|it| weights.get(&it).copied());
        let weight: u64 = part_weights.fold(1, |sum, it| sum.saturating_add(it.unwrap_or(1)));
        weights.insert(pattern, weight);
    }
    weights
}

fn parts(pattern: &Pattern) -> (&[PatternId], Option<PatternId>) {
    match pattern {
        Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => (&[], None),
        Pattern::Tuple(parts) | Pattern::Ctor(_, parts) | Pattern::Or(parts) => (parts, None),
        Pattern::List(parts, RestPattern::Nothing) => (parts, None),
        Pattern::List(parts, RestPattern::Some(rest)) => (parts, Some(*rest)),
    }
}
