//! Lines of the matrix: what an arm still asks about, and what it has bound.
//!
//! A line only asks what can fail. Wildcards are dropped, names become bindings, and tuples and
//! types with one constructor are taken apart at once, because there is nothing to test.

use std::collections::HashMap;

use gainsay_core::{Body, CtorId, Literal, LocalId, Pattern, PatternId, Program, RestPattern};

use super::{Bindings, Place, PlaceId, Row, Test};

/// What one row still asks about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Line {
    pub(super) arm: usize,
    pub(super) has_guard: bool,
    /// One cell for each place at most, in the order of places.
    pub(super) cells: Vec<Cell>,
    /// The last binding; each knows the one before it.
    bindings: Option<BindingId>,
    /// An upper bound of the number of pattern nodes in the cells and the bindings, plus one.
    pub(super) weight: u64,
}

/// A question of a line about one place.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub(super) place: PlaceId,
    pub(super) asks: Asks,
    pub(super) pattern: PatternId,
    /// How many elements of a list pattern are behind us.
    taken: u32,
}

/// What a cell asks.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum Asks {
    /// Whether a test holds.
    One(TestId),
    /// Whether one of several patterns matches.
    Either,
}

/// An interned test.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TestId(u32);

#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
struct BindingId(u32);

#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
struct Binding {
    local: LocalId,
    place: PlaceId,
    before: Option<BindingId>,
}

/// Whether a line can match anything at all.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Hope {
    Left,
    Lost,
}

/// The patterns of a match, and what the lines share.
pub(super) struct Lines<'a> {
    program: &'a Program,
    body: &'a Body,
    weights: HashMap<PatternId, u64>,
    bindings: Vec<Binding>,
    binding_ids: HashMap<Binding, BindingId>,
    tests: Vec<Test>,
    test_ids: HashMap<Test, TestId>,
    pub(super) places: Vec<Place>,
    place_ids: HashMap<Place, PlaceId>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(program: &'a Program, body: &'a Body, rows: &[Row]) -> Self {
        Self {
            program,
            body,
            weights: weights(body, rows),
            bindings: Vec::new(),
            binding_ids: HashMap::new(),
            tests: Vec::new(),
            test_ids: HashMap::new(),
            places: Vec::new(),
            place_ids: HashMap::new(),
        }
    }

    /// The line of a row; `None` if it matches nothing.
    pub(super) fn line(&mut self, row: &Row) -> Option<Line> {
        let weight = row.patterns.iter().flatten().map(|it| self.weight(*it));
        let mut line = Line {
            arm: row.arm,
            has_guard: row.has_guard,
            cells: Vec::new(),
            bindings: None,
            weight: weight.fold(1, u64::saturating_add),
        };
        for (column, pattern) in row.patterns.iter().enumerate() {
            let place = self.place(Place::Column(column as u32));
            if let Some(pattern) = pattern
                && self.ask(&mut line, place, *pattern) == Hope::Lost
            {
                return None;
            }
        }
        line.cells.sort_by_key(|cell| cell.place);
        Some(line)
    }

    /// A line that asks whether a place looks like a pattern, and nothing else.
    pub(super) fn alternative(&mut self, place: PlaceId, pattern: PatternId) -> Option<Line> {
        let weight = self.weight(pattern);
        let (arm, cells) = (0, Vec::new());
        let mut line = Line { arm, has_guard: false, cells, bindings: None, weight };
        (self.ask(&mut line, place, pattern) == Hope::Left).then_some(line)
    }

    /// The line with one of the alternatives that its cell at `index` asks for.
    pub(super) fn choose(
        &mut self,
        line: &Line,
        index: usize,
        alternative: PatternId,
    ) -> Option<Line> {
        let mut chosen = line.clone();
        let cell = chosen.cells.remove(index);
        chosen.weight = self.weight_of_others(line, index);
        chosen.weight = chosen.weight.saturating_add(self.weight(alternative));
        let hope = self.ask(&mut chosen, cell.place, alternative);
        chosen.cells.sort_by_key(|cell| cell.place);
        (hope == Hope::Left).then_some(chosen)
    }

    /// What a line weighs without the or-pattern at `index`.
    pub(super) fn weight_of_others(&self, line: &Line, index: usize) -> u64 {
        line.weight.saturating_sub(self.weight(line.cells[index].pattern))
    }

    /// The line once the test of its cell at `index` holds.
    pub(super) fn answer(&mut self, line: &Line, index: usize) -> Option<Line> {
        let mut answered = line.clone();
        let cell = answered.cells.remove(index);
        let hope = self.open(&mut answered, cell);
        answered.cells.sort_by_key(|cell| cell.place);
        (hope == Hope::Left).then_some(answered)
    }

    /// Adds what there is to ask once the test of a cell holds, in the order of the source.
    pub(super) fn open(&mut self, line: &mut Line, cell: Cell) -> Hope {
        line.weight = line.weight.saturating_sub(1);
        let body = self.body;
        match body.pattern(cell.pattern) {
            Pattern::Ctor(_, parts) => self.ask_fields(line, cell.place, parts),
            Pattern::List(parts, _) => {
                let Some(part) = parts.get(cell.taken as usize) else { return Hope::Left };
                let head = self.place(Place::Head(cell.place));
                let tail = self.place(Place::Tail(cell.place));
                match self.ask(line, head, *part) {
                    Hope::Left => self.ask_list(line, tail, cell.pattern, cell.taken + 1),
                    Hope::Lost => Hope::Lost,
                }
            }
            Pattern::Wildcard
            | Pattern::Bind(_)
            | Pattern::Literal(_)
            | Pattern::Tuple(_)
            | Pattern::Or(_) => Hope::Left,
        }
    }

    fn ask_fields(&mut self, line: &mut Line, of: PlaceId, parts: &[PatternId]) -> Hope {
        for (index, part) in (0..).zip(parts) {
            let place = self.place(Place::Field { of, index });
            if self.ask(line, place, *part) == Hope::Lost {
                return Hope::Lost;
            }
        }
        Hope::Left
    }

    /// Adds what a pattern asks about a place. Recursion is as deep as patterns nest in the
    /// source: an element of a list is not nested in the one before it.
    fn ask(&mut self, line: &mut Line, place: PlaceId, pattern: PatternId) -> Hope {
        let body = self.body;
        match body.pattern(pattern) {
            Pattern::Wildcard => Hope::Left,
            Pattern::Bind(local) => {
                let before = line.bindings;
                line.bindings = Some(self.binding_id(Binding { local: *local, place, before }));
                Hope::Left
            }
            Pattern::Literal(literal) => match literal_test(literal) {
                Some(test) => self.ask_test(line, place, pattern, test),
                None => Hope::Lost,
            },
            Pattern::Tuple(parts) => self.ask_fields(line, place, parts),
            Pattern::Ctor(ctor, parts) => {
                if parts.len() != self.program.ctor(*ctor).fields.len() {
                    Hope::Lost
                } else if self.n_siblings(*ctor) == 1 {
                    self.ask_fields(line, place, parts)
                } else {
                    self.ask_test(line, place, pattern, Test::Ctor(*ctor))
                }
            }
            Pattern::List(..) => self.ask_list(line, place, pattern, 0),
            // All alternatives bind the same locals: where one of them is a wildcard, none.
            Pattern::Or(parts) if parts.iter().any(|it| self.is_wildcard(*it)) => Hope::Left,
            Pattern::Or(_) => {
                line.cells.push(Cell { place, asks: Asks::Either, pattern, taken: 0 });
                Hope::Left
            }
        }
    }

    /// Adds what a list pattern asks about the list after the elements that were taken.
    fn ask_list(
        &mut self,
        line: &mut Line,
        place: PlaceId,
        pattern: PatternId,
        taken: u32,
    ) -> Hope {
        let body = self.body;
        let Pattern::List(parts, rest) = body.pattern(pattern) else { return Hope::Lost };
        let test = match rest {
            _ if parts.len() > taken as usize => Test::Cons,
            RestPattern::Nothing => Test::Nil,
            RestPattern::Some(rest) => return self.ask(line, place, *rest),
        };
        let asks = Asks::One(self.test_id(test));
        line.cells.push(Cell { place, asks, pattern, taken });
        Hope::Left
    }

    fn ask_test(
        &mut self,
        line: &mut Line,
        place: PlaceId,
        pattern: PatternId,
        test: Test,
    ) -> Hope {
        let asks = Asks::One(self.test_id(test));
        line.cells.push(Cell { place, asks, pattern, taken: 0 });
        Hope::Left
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
    pub(super) fn first_test(&mut self, pattern: PatternId) -> Option<TestId> {
        let test = match self.body.pattern(pattern) {
            Pattern::Literal(literal) => literal_test(literal)?,
            Pattern::Ctor(ctor, _) => Test::Ctor(*ctor),
            Pattern::List(parts, _) if !parts.is_empty() => Test::Cons,
            Pattern::List(_, RestPattern::Nothing) => Test::Nil,
            Pattern::Wildcard
            | Pattern::Bind(_)
            | Pattern::Tuple(_)
            | Pattern::List(..)
            | Pattern::Or(_) => return None,
        };
        Some(self.test_id(test))
    }

    /// What a line binds, in the order of locals.
    pub(super) fn bindings(&self, line: &Line) -> Bindings {
        let mut bindings = Vec::new();
        let mut next = line.bindings;
        while let Some(id) = next {
            let binding = &self.bindings[id.0 as usize];
            bindings.push((binding.local, binding.place));
            next = binding.before;
        }
        bindings.sort_unstable();
        bindings.into()
    }

    /// Whether there is nothing else than what some of `n_tests` different tests, of which
    /// this is one, hold for.
    pub(super) fn is_exhaustive(&self, test: TestId, n_tests: usize) -> bool {
        match self.test(test) {
            Test::Ctor(ctor) => n_tests == self.n_siblings(*ctor),
            Test::Bool(_) | Test::Nil | Test::Cons => n_tests == 2,
            Test::Int(_) | Test::Big(_) | Test::Float(_) | Test::Char(_) | Test::Str(_) => {
                false
            }
        }
    }

    pub(super) fn test(&self, id: TestId) -> &Test {
        &self.tests[id.0 as usize]
    }

    /// The constructors of a type.
    fn n_siblings(&self, ctor: CtorId) -> usize {
        self.program.nominal(self.program.ctor(ctor).ty).ctors.len()
    }

    fn test_id(&mut self, test: Test) -> TestId {
        if let Some(id) = self.test_ids.get(&test) {
            return *id;
        }
        let id = TestId(self.tests.len() as u32);
        self.tests.push(test.clone());
        self.test_ids.insert(test, id);
        id
    }

    fn binding_id(&mut self, binding: Binding) -> BindingId {
        *self.binding_ids.entry(binding).or_insert_with(|| {
            self.bindings.push(binding);
            BindingId(self.bindings.len() as u32 - 1)
        })
    }

    fn place(&mut self, place: Place) -> PlaceId {
        *self.place_ids.entry(place).or_insert_with(|| {
            self.places.push(place);
            PlaceId(self.places.len() as u32 - 1)
        })
    }

    /// A place, and what it is a field of, and so on.
    pub(super) fn wholes(&self, place: PlaceId) -> Vec<PlaceId> {
        let mut wholes = vec![place];
        let mut part = place;
        while let Place::Field { of, .. } = self.places[part.index()] {
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
fn literal_test(literal: &Literal) -> Option<Test> {
    Some(match literal {
        Literal::Int(value) => Test::Int(*value),
        Literal::Big(value) => Test::Big(value.clone()),
        Literal::Float(value) if value.is_nan() => return None,
        // Adding zero turns the negative zero into the other and changes nothing else.
        Literal::Float(value) => Test::Float((value + 0.0).to_bits()),
        Literal::Bool(value) => Test::Bool(*value),
        Literal::Char(value) => Test::Char(*value),
        Literal::Str(value) => Test::Str(value.clone()),
    })
}

/// How many nodes each pattern has that some row consists of.
fn weights(body: &Body, rows: &[Row]) -> HashMap<PatternId, u64> {
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
