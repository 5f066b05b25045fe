//! Lines of the matrix: what an arm still asks about, and what it has bound.
//!
//! A line only asks what can fail. Wildcards are dropped, names become bindings, and tuples and
//! types with one constructor are taken apart at once, because there is nothing to test.

use std::collections::HashMap;

use gainsay_core::{Body, CtorId, Literal, LocalId, Pattern, PatternId, Program, RestPattern};

use super::{DecisionRow, Occurrence, OccurrenceBindings, OccurrenceId, OccurrenceTest};

/// What one row still asks about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct DecisionMatrixRow {
    pub(super) arm: usize,
    pub(super) has_guard: bool,
    /// One cell for each place at most, in the order of places.
    pub(super) cells: Vec<DecisionCell>,
    /// The last binding; each knows the one before it.
    bindings: Option<BindingLinkId>,
    /// An upper bound of the number of pattern nodes in the cells and the bindings, plus one.
    pub(super) weight: u64,
}

/// A question of a line about one place.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct DecisionCell {
    pub(super) occurrence: OccurrenceId,
    pub(super) condition: CellCondition,
    pub(super) pattern: PatternId,
    /// How many elements of a list pattern are behind us.
    n_taken: u32,
}

/// What a cell asks.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum CellCondition {
    /// Whether a test holds.
    Test(OccurrenceTestId),
    /// Whether one of several patterns matches.
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

/// Whether a line can match anything at all.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum RowFeasibility {
    Feasible,
    Infeasible,
}

/// The patterns of a match, and what the lines share.
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

    /// The line of a row; `None` if it matches nothing.
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
        line.cells.sort_by_key(|cell| cell.occurrence);
        Some(line)
    }

    /// A line that asks whether a place looks like a pattern, and nothing else.
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

    /// The line with one of the alternatives that its cell at `index` asks for.
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

    /// What a line weighs without the or-pattern at `index`.
    pub(super) fn weight_of_others(&self, line: &DecisionMatrixRow, index: usize) -> u64 {
        line.weight.saturating_sub(self.weight(line.cells[index].pattern))
    }

    /// The line once the test of its cell at `index` holds.
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

    /// Adds what there is to ask once the test of a cell holds, in the order of the source.
    pub(super) fn expand_cell(
        &mut self,
        line: &mut DecisionMatrixRow,
        cell: DecisionCell,
    ) -> RowFeasibility {
        line.weight = line.weight.saturating_sub(1);
        let body = self.body;
        match body.pattern(cell.pattern) {
            Pattern::Ctor(_, parts) => self.add_fields(line, cell.occurrence, parts),
            Pattern::List(parts, _) => {
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

    /// Adds what a pattern asks about a place. Recursion is as deep as patterns nest in the
    /// source: an element of a list is not nested in the one before it.
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
                if parts.len() != self.program.ctor(*ctor).fields.len() {
                    RowFeasibility::Infeasible
                } else if self.n_siblings(*ctor) == 1 {
                    self.add_fields(line, place, parts)
                } else {
                    self.add_test(line, place, pattern, OccurrenceTest::Ctor(*ctor))
                }
            }
            Pattern::List(..) => self.add_list(line, place, pattern, 0),
            // All alternatives bind the same locals: where one of them is a wildcard, none.
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

    /// Adds what a list pattern asks about the list after the elements that were taken.
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

    /// What a pattern asks first; nothing if it always matches or asks about parts only.
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

    /// What a line binds, in the order of locals.
    pub(super) fn bindings(&self, line: &DecisionMatrixRow) -> OccurrenceBindings {
        let mut bindings = Vec::new();
        let mut next = line.bindings;
        while let Some(id) = next {
            let binding = &self.bindings[id.0 as usize];
            bindings.push((binding.local, binding.occurrence));
            next = binding.previous;
        }
        bindings.sort_unstable();
        bindings.into()
    }

    /// Whether there is nothing else than what some of `n_tests` different tests, of which
    /// this is one, hold for.
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

    /// The constructors of a type.
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

    /// A place, and what it is a field of, and so on.
    pub(super) fn occurrence_ancestors(&self, place: OccurrenceId) -> Vec<OccurrenceId> {
        let mut wholes = vec![place];
        let mut part = place;
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

/// The test of a literal; none for NaN, which equals nothing.
fn literal_test(literal: &Literal) -> Option<OccurrenceTest> {
    Some(match literal {
        Literal::Int(value) => OccurrenceTest::Int(*value),
        Literal::Big(value) => OccurrenceTest::Big(value.clone()),
        Literal::Float(value) if value.is_nan() => return None,
        // Adding zero turns the negative zero into the other and changes nothing else.
        Literal::Float(value) => OccurrenceTest::Float((value + 0.0).to_bits()),
        Literal::Bool(value) => OccurrenceTest::Bool(*value),
        Literal::Char(value) => OccurrenceTest::Char(*value),
        Literal::Str(value) => OccurrenceTest::Str(value.clone()),
    })
}

/// How many nodes each pattern has that some row consists of.
fn weights(body: &Body, rows: &[DecisionRow]) -> HashMap<PatternId, u64> {
    let mut patterns: Vec<PatternId> =
        rows.iter().flat_map(|row| row.patterns.iter().flatten().copied()).collect();
    let mut next = 0;
    while let Some(pattern) = patterns.get(next) {
        let (parts, rest) = parts(body.pattern(*pattern));
        patterns.extend(parts.iter().copied().chain(rest));
        next += 1;
    }
    // The parts of a pattern come before it.
    patterns.sort_unstable();
    patterns.dedup();
    let mut weights = HashMap::with_capacity(patterns.len());
    for pattern in patterns {
        let (parts, rest) = parts(body.pattern(pattern));
        let known = parts.iter().copied().chain(rest).map(|it| weights.get(&it).copied());
        let weight: u64 = known.fold(1, |sum, it| sum.saturating_add(it.unwrap_or(1)));
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
