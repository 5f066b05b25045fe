//! Which arms of a match are missing, and which are never reached.
//!
//! Luc Maranget, "Warnings for pattern matching" (Journal of Functional Programming 17(3),
//! 2007): the arms are the lines of a matrix of patterns, and a line is *useful* if some value
//! matches it and none above. Instead of asking for each line anew, the matrix is taken apart
//! once, column by column, and every line that is first somewhere is remembered as useful:
//!
//! ```text
//!   C1 p | q            lines of C1, and `_`     p | q      one such matrix for each
//!   _    | r     ~~>                             _ | r      constructor of the column,
//!   C2   | s            lines of `_` only        r          and one for all others
//! ```
//!
//! Where no line is left that has no guard, the constructors taken on the way are an example
//! of what is missing. Types are not needed: a constructor knows its siblings.

mod example;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gainsay_core::{
    Body, CtorId, Literal, Pattern, PatternId, Program, RestPattern, TyId, TypeId,
};

use self::example::Example;

/// How many examples of missing values are given.
const MAX_MISSING: usize = 3;

/// How deep the matrix is taken apart; a line of more patterns than this is not understood.
const MAX_DEPTH: usize = 1_000;

/// Steps that every match may take, and those it may take for each of its patterns. The
/// problem is NP-complete; ordinary matches take a few steps per pattern.
const BASE_STEPS: usize = 100_000;
const STEPS_PER_PATTERN: usize = 200;

/// One arm of a match.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Row {
    /// What the value must look like.
    pub(crate) pattern: PatternId,
    /// Whether that is enough.
    pub(crate) guard: Guard,
}

/// Whether something must hold besides the pattern.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Guard {
    /// The pattern decides.
    Absent,
    /// The arm may be passed over, so that it covers nothing.
    Present,
}

/// What is known of the arms of a match.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// Patterns of values that no arm takes, at most three. None: the match is exhaustive.
    pub(crate) missing: Vec<String>,
    /// Arms that are never reached, by index.
    pub(crate) unreachable: Vec<usize>,
    /// Alternatives inside or-patterns that are never reached, in arms that are: the index of
    /// the arm, and the alternative.
    pub(crate) unreachable_alternatives: Vec<(usize, PatternId)>,
}

/// What is missing from the arms of a match, and which of them are never reached.
///
/// A match that is too hard to decide is taken for exhaustive only if some arm takes
/// everything at sight; otherwise `_` is missing.
pub(crate) fn check_match(
    program: &Program,
    body: &Body,
    scrutinee: TyId,
    rows: &[Row],
) -> Coverage {
    if program.types.flags(scrutinee).has_error() {
        return Coverage::default();
    }
    let mut search = Search::new(program, body, rows);
    match search.cover(search.matrix(rows), 1, 0) {
        Ok(missing) => Coverage {
            missing: missing.iter().map(|it| it[0].to_pattern(program)).collect(),
            unreachable: search.unreachable_rows(),
            unreachable_alternatives: search.unreachable_alternatives(rows),
        },
        Err(Undecided::IllTyped) => Coverage::default(),
        Err(Undecided::TooHard) if rows.iter().any(|row| search.takes_everything(*row)) => {
            Coverage::default()
        }
        Err(Undecided::TooHard) => {
            Coverage { missing: vec!["_".to_owned()], ..Coverage::default() }
        }
    }
}

/// Whether some arm of a match takes each value, guards failing where there are any. Arms are
/// patterns of a body, and whether they have guards.
pub fn is_exhaustive(
    program: &Program,
    body: &Body,
    scrutinee: TyId,
    arms: &[(PatternId, bool)],
) -> bool {
    let guard = |has_guard| if has_guard { Guard::Present } else { Guard::Absent };
    let row = |(pattern, has_guard): &(PatternId, bool)| Row {
        pattern: *pattern,
        guard: guard(*has_guard),
    };
    let rows: Vec<Row> = arms.iter().map(row).collect();
    check_match(program, body, scrutinee, &rows).missing.is_empty()
}

/// Why a match is not decided.
#[derive(Debug, Copy, Clone)]
enum Undecided {
    /// Patterns of one column do not belong to one type; that was reported elsewhere.
    IllTyped,
    /// The budget is used up.
    TooHard,
}

/// A cell of the matrix.
#[derive(Debug, Copy, Clone)]
enum Cell {
    /// Anything.
    Open,
    /// A pattern.
    Pattern(PatternId),
    /// What a list pattern says of the list after its first elements.
    Tail(PatternId, usize),
}

/// A line of the matrix. The first column is the last cell.
#[derive(Debug, Clone)]
struct Line {
    cells: Vec<Cell>,
    row: usize,
    guard: Guard,
    /// The alternatives that were chosen on the way here: an index into `Search::choices`.
    choice: Option<usize>,
}

/// The outermost part of a value that a cell asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Head {
    Ctor(CtorId),
    Tuple(usize),
    Nil,
    Cons,
    Bool(bool),
    /// A literal of a type with more values than can be listed, as text.
    Endless(Kind, Arc<str>),
}

/// What heads must have in common to stand in one column.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
enum Kind {
    Nominal(TypeId),
    Tuple(usize),
    List,
    Bool,
    Int,
    Float,
    Char,
    Str,
}

/// The first column of a matrix: which lines ask for what.
#[derive(Default)]
struct Column {
    groups: Vec<(Head, Vec<usize>)>,
    open: Vec<usize>,
}

/// An example of a line that is not covered; the first column is the last part.
type Witness = Vec<Example>;

struct Search<'a> {
    program: &'a Program,
    body: &'a Body,
    useful_rows: Vec<bool>,
    useful_alternatives: HashSet<PatternId>,
    choices: Vec<(PatternId, Option<usize>)>,
    steps_left: usize,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, body: &'a Body, rows: &[Row]) -> Self {
        let n_patterns = body.patterns.len().min(rows.len().saturating_mul(64));
        Self {
            program,
            body,
            useful_rows: vec![false; rows.len()],
            useful_alternatives: HashSet::new(),
            choices: Vec::new(),
            steps_left: BASE_STEPS.saturating_add(STEPS_PER_PATTERN.saturating_mul(n_patterns)),
        }
    }

    fn matrix(&self, rows: &[Row]) -> Vec<Line> {
        let line = |(row, it): (usize, &Row)| Line {
            cells: vec![Cell::Pattern(it.pattern)],
            row,
            guard: it.guard,
            choice: None,
        };
        rows.iter().enumerate().map(line).collect()
    }

    /// Examples of what no line covers. Lines that are first somewhere become useful.
    fn cover(
        &mut self,
        lines: Vec<Line>,
        width: usize,
        depth: usize,
    ) -> Result<Vec<Witness>, Undecided> {
        let Some(first) = lines.first() else {
            return Ok(vec![vec![Example::Any; width]]);
        };
        if depth > MAX_DEPTH {
            return Err(Undecided::TooHard);
        }
        self.spend(lines.len() + width)?;
        if first.guard == Guard::Absent && self.is_open(first) {
            self.mark_useful(first);
            return Ok(Vec::new());
        }
        if width == 0 {
            return Ok(self.finish(&lines));
        }
        let lines = self.expand_alternatives(lines)?;
        let column = self.column(&lines)?;
        let mut missing = self.cover_others(&lines, &column, width, depth)?;
        for (head, members) in &column.groups {
            let arity = self.arity(head);
            let inner = self.specialize(&lines, &merge(members, &column.open), arity)?;
            for witness in self.cover(inner, width - 1 + arity, depth + 1)? {
                if missing.len() < MAX_MISSING {
                    missing.push(build(head, arity, witness));
                }
            }
        }
        Ok(missing)
    }

    /// No column is left: lines are reached down to the first that has no guard.
    fn finish(&mut self, lines: &[Line]) -> Vec<Witness> {
        for line in lines {
            self.mark_useful(line);
            if line.guard == Guard::Absent {
                return Vec::new();
            }
        }
        vec![Vec::new()]
    }

    /// Covers the values whose head no line asks for.
    fn cover_others(
        &mut self,
        lines: &[Line],
        column: &Column,
        width: usize,
        depth: usize,
    ) -> Result<Vec<Witness>, Undecided> {
        let mut others = self.other_heads(column);
        // Of the whole value, anything else is missing; inside one, an example says more.
        if depth == 0 && matches!(others[..], [Example::Literal(_)]) {
            others = vec![Example::Any];
        }
        if others.is_empty() {
            return Ok(Vec::new());
        }
        let inner = self.specialize(lines, &column.open, 0)?;
        let rests = self.cover(inner, width - 1, depth + 1)?;
        let mut witnesses = Vec::new();
        for rest in &rests {
            for other in &others {
                let mut witness = rest.clone();
                witness.push(other.clone());
                witnesses.push(witness);
            }
        }
        witnesses.truncate(MAX_MISSING);
        Ok(witnesses)
    }

    /// Replaces every line that begins with an or-pattern by one line for each alternative.
    fn expand_alternatives(&mut self, lines: Vec<Line>) -> Result<Vec<Line>, Undecided> {
        let mut todo: Vec<Line> = lines.into_iter().rev().collect();
        let mut done = Vec::with_capacity(todo.len());
        while let Some(mut line) = todo.pop() {
            let Some(alternatives) = line.cells.last().and_then(|it| self.alternatives(*it))
            else {
                done.push(line);
                continue;
            };
            self.spend(alternatives.len() * line.cells.len())?;
            line.cells.pop();
            for alternative in alternatives.iter().rev() {
                self.choices.push((*alternative, line.choice));
                let mut chosen = line.clone();
                chosen.cells.push(Cell::Pattern(*alternative));
                chosen.choice = Some(self.choices.len() - 1);
                todo.push(chosen);
            }
        }
        Ok(done)
    }

    /// The alternatives of a cell that is an or-pattern.
    fn alternatives(&self, cell: Cell) -> Option<&'a [PatternId]> {
        let Cell::Pattern(id) = self.resolve(cell) else { return None };
        match self.body.pattern(id) {
            Pattern::Or(alternatives) => Some(alternatives),
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => None,
            Pattern::Tuple(_) | Pattern::Ctor(..) | Pattern::List(..) => None,
        }
    }

    /// Sorts lines by what their first cell asks for, keeping their order.
    fn column(&self, lines: &[Line]) -> Result<Column, Undecided> {
        let mut column = Column::default();
        let mut group_of: HashMap<Head, usize> = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            let Some(head) = line.cells.last().and_then(|cell| self.head(*cell)) else {
                column.open.push(at);
                continue;
            };
            let group = *group_of.entry(head.clone()).or_insert(column.groups.len());
            if let Some((_, members)) = column.groups.get_mut(group) {
                members.push(at);
            } else {
                column.groups.push((head, vec![at]));
            }
        }
        let kind = column.groups.first().map(|(head, _)| self.kind(head));
        if column.groups.iter().any(|(head, _)| Some(self.kind(head)) != kind) {
            return Err(Undecided::IllTyped);
        }
        Ok(column)
    }

    /// The chosen lines with the parts of their first cell in its place.
    fn specialize(
        &mut self,
        lines: &[Line],
        chosen: &[usize],
        arity: usize,
    ) -> Result<Vec<Line>, Undecided> {
        let mut inner = Vec::with_capacity(chosen.len());
        for at in chosen {
            let mut line = lines[*at].clone();
            self.spend(line.cells.len() + arity)?;
            let first = line.cells.pop().unwrap_or(Cell::Open);
            let before = line.cells.len();
            self.push_parts(first, arity, &mut line.cells);
            if line.cells.len() != before + arity {
                return Err(Undecided::IllTyped);
            }
            inner.push(line);
        }
        Ok(inner)
    }

    /// Pushes the parts of a cell, the first one last.
    fn push_parts(&self, cell: Cell, arity: usize, cells: &mut Vec<Cell>) {
        let parts = match self.resolve(cell) {
            Cell::Open => return cells.extend(std::iter::repeat_n(Cell::Open, arity)),
            Cell::Tail(list, at) => {
                if let Pattern::List(items, _) = self.body.pattern(list)
                    && let Some(item) = items.get(at)
                {
                    cells.extend([Cell::Tail(list, at + 1), Cell::Pattern(*item)]);
                }
                return;
            }
            Cell::Pattern(id) => match self.body.pattern(id) {
                Pattern::Tuple(parts) | Pattern::Ctor(_, parts) => parts,
                Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => return,
                Pattern::List(..) | Pattern::Or(_) => return,
            },
        };
        cells.extend(parts.iter().rev().map(|it| Cell::Pattern(*it)));
    }

    /// The cell without detours: names are open, lists are tails, and a tail after its last
    /// element is what the pattern says of the rest.
    fn resolve(&self, mut cell: Cell) -> Cell {
        loop {
            cell = match cell {
                Cell::Open => return cell,
                Cell::Pattern(id) => match self.body.pattern(id) {
                    Pattern::Wildcard | Pattern::Bind(_) => return Cell::Open,
                    Pattern::List(..) => Cell::Tail(id, 0),
                    Pattern::Literal(_) | Pattern::Tuple(_) => return cell,
                    Pattern::Ctor(..) | Pattern::Or(_) => return cell,
                },
                Cell::Tail(list, at) => match self.body.pattern(list) {
                    Pattern::List(items, RestPattern::Some(rest)) if at == items.len() => {
                        Cell::Pattern(*rest)
                    }
                    Pattern::List(..) => return cell,
                    Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => return cell,
                    Pattern::Tuple(_) | Pattern::Ctor(..) | Pattern::Or(_) => return cell,
                },
            };
        }
    }

    /// What a cell asks for; `None` if it takes anything.
    fn head(&self, cell: Cell) -> Option<Head> {
        match self.resolve(cell) {
            Cell::Open => None,
            Cell::Tail(list, at) => match self.body.pattern(list) {
                Pattern::List(items, _) if at < items.len() => Some(Head::Cons),
                Pattern::List(..) => Some(Head::Nil),
                Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => None,
                Pattern::Tuple(_) | Pattern::Ctor(..) | Pattern::Or(_) => None,
            },
            Cell::Pattern(id) => match self.body.pattern(id) {
                Pattern::Literal(literal) => Some(literal_head(literal)),
                Pattern::Tuple(parts) => Some(Head::Tuple(parts.len())),
                Pattern::Ctor(ctor, _) => Some(Head::Ctor(*ctor)),
                Pattern::Wildcard | Pattern::Bind(_) => None,
                Pattern::List(..) | Pattern::Or(_) => None,
            },
        }
    }

    fn kind(&self, head: &Head) -> Kind {
        match head {
            Head::Ctor(ctor) => Kind::Nominal(self.program.ctor(*ctor).ty),
            Head::Tuple(width) => Kind::Tuple(*width),
            Head::Nil | Head::Cons => Kind::List,
            Head::Bool(_) => Kind::Bool,
            Head::Endless(kind, _) => *kind,
        }
    }

    fn arity(&self, head: &Head) -> usize {
        match head {
            Head::Ctor(ctor) => self.program.ctor(*ctor).fields.len(),
            Head::Tuple(width) => *width,
            Head::Cons => 2,
            Head::Nil | Head::Bool(_) | Head::Endless(..) => 0,
        }
    }

    /// Examples of the values whose head stands nowhere in the column, at most three.
    fn other_heads(&self, column: &Column) -> Vec<Example> {
        let seen: HashSet<&Head> = column.groups.iter().map(|(head, _)| head).collect();
        let unseen = |candidates: &mut dyn Iterator<Item = Head>| {
            let unseen = candidates.filter(|it| !seen.contains(it)).take(MAX_MISSING);
            unseen.map(|it| open(&it, self.arity(&it))).collect()
        };
        match column.groups.first().map(|(head, _)| self.kind(head)) {
            None => vec![Example::Any],
            Some(kind @ (Kind::Int | Kind::Float | Kind::Char | Kind::Str)) => {
                vec![another_literal(kind, &seen)]
            }
            Some(Kind::Tuple(_)) => Vec::new(),
            Some(Kind::List) => unseen(&mut [Head::Nil, Head::Cons].into_iter()),
            Some(Kind::Bool) => unseen(&mut [Head::Bool(false), Head::Bool(true)].into_iter()),
            Some(Kind::Nominal(ty)) => {
                unseen(&mut self.program.nominal(ty).ctors.iter().map(|it| Head::Ctor(*it)))
            }
        }
    }

    fn is_open(&self, line: &Line) -> bool {
        line.cells.iter().all(|it| matches!(self.resolve(*it), Cell::Open))
    }

    fn takes_everything(&self, row: Row) -> bool {
        row.guard == Guard::Absent
            && matches!(self.resolve(Cell::Pattern(row.pattern)), Cell::Open)
    }

    fn mark_useful(&mut self, line: &Line) {
        self.useful_rows[line.row] = true;
        let mut next = line.choice;
        while let Some((alternative, before)) = next.map(|at| self.choices[at]) {
            self.useful_alternatives.insert(alternative);
            next = before;
        }
    }

    fn spend(&mut self, steps: usize) -> Result<(), Undecided> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(Undecided::TooHard)?;
        Ok(())
    }

    fn unreachable_rows(&self) -> Vec<usize> {
        let rows = self.useful_rows.iter().enumerate();
        rows.filter(|(_, useful)| !**useful).map(|(at, _)| at).collect()
    }

    fn unreachable_alternatives(&self, rows: &[Row]) -> Vec<(usize, PatternId)> {
        let reached = rows.iter().enumerate().filter(|(at, _)| self.useful_rows[*at]);
        let mut todo: Vec<(usize, PatternId)> =
            reached.map(|(at, row)| (at, row.pattern)).rev().collect();
        let mut found = Vec::new();
        while let Some((row, id)) = todo.pop() {
            match self.body.pattern(id) {
                Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => {}
                Pattern::Tuple(parts) | Pattern::Ctor(_, parts) => {
                    todo.extend(parts.iter().rev().map(|it| (row, *it)));
                }
                Pattern::List(items, rest) => {
                    if let RestPattern::Some(rest) = rest {
                        todo.push((row, *rest));
                    }
                    todo.extend(items.iter().rev().map(|it| (row, *it)));
                }
                Pattern::Or(alternatives) => {
                    let (useful, redundant): (Vec<_>, Vec<_>) = alternatives
                        .iter()
                        .partition(|it| self.useful_alternatives.contains(it));
                    todo.extend(useful.into_iter().rev().map(|it| (row, it)));
                    found.extend(redundant.into_iter().map(|it| (row, it)));
                }
            }
        }
        found
    }
}

/// The head of a literal; equal literals have equal heads.
fn literal_head(literal: &Literal) -> Head {
    let endless = |kind, text: String| Head::Endless(kind, text.into());
    match literal {
        Literal::Bool(value) => Head::Bool(*value),
        Literal::Int(value) => endless(Kind::Int, value.to_string()),
        Literal::Big(value) => endless(Kind::Int, value.to_string()),
        // Adding zero makes -0.0, which is equal to it, the same text.
        Literal::Float(value) => endless(Kind::Float, (value + 0.0).to_string()),
        Literal::Char(value) => endless(Kind::Char, value.to_string()),
        Literal::Str(value) => Head::Endless(Kind::Str, value.clone()),
    }
}

/// The simplest literal of an endless type that is not among those seen.
fn another_literal(kind: Kind, seen: &HashSet<&Head>) -> Example {
    let is_new = |text: &str| !seen.contains(&Head::Endless(kind, text.into()));
    let written = (0_u32..).find_map(|n| {
        let letter = char::from_u32(u32::from('a') + n).unwrap_or('a');
        let (text, written) = match kind {
            Kind::Float => (n.to_string(), format!("{n}.0")),
            Kind::Char => (letter.to_string(), format!("'{letter}'")),
            Kind::Str if n == 0 => (String::new(), "\"\"".to_owned()),
            Kind::Str => ("a".repeat(n as usize), format!("\"{}\"", "a".repeat(n as usize))),
            Kind::Int | Kind::Nominal(_) | Kind::Tuple(_) | Kind::List | Kind::Bool => {
                (n.to_string(), n.to_string())
            }
        };
        is_new(&text).then_some(written)
    });
    written.map_or(Example::Any, Example::Literal)
}

/// Two rising lists as one.
fn merge(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut merged: Vec<usize> = a.iter().chain(b).copied().collect();
    merged.sort_unstable();
    merged
}

/// A value with this head and anything inside.
fn open(head: &Head, arity: usize) -> Example {
    wrap(head, vec![Example::Any; arity])
}

/// Puts the first parts of a witness, those of one head, together again.
fn build(head: &Head, arity: usize, mut witness: Witness) -> Witness {
    let mut parts = witness.split_off(witness.len().saturating_sub(arity));
    parts.reverse();
    witness.push(wrap(head, parts));
    witness
}

fn wrap(head: &Head, mut parts: Vec<Example>) -> Example {
    match head {
        Head::Ctor(ctor) => Example::Ctor(*ctor, parts),
        Head::Tuple(_) => Example::Tuple(parts),
        Head::Nil => Example::Nil,
        Head::Cons => {
            let tail = parts.pop().unwrap_or(Example::Any);
            let first = parts.pop().unwrap_or(Example::Any);
            Example::Cons(Box::new(first), Box::new(tail))
        }
        Head::Bool(value) => Example::Bool(*value),
        // Such a literal is part of a witness only beside something else that is missing.
        Head::Endless(kind, text) => Example::Literal(literal_source(*kind, text)),
    }
}

/// A literal as it is written.
fn literal_source(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Str => format!("\"{}\"", text.escape_default()),
        Kind::Char => format!("'{}'", text.escape_default()),
        Kind::Float if !text.contains(['.', 'e', 'E']) => format!("{text}.0"),
        Kind::Int | Kind::Float | Kind::Bool => text.to_owned(),
        Kind::Nominal(_) | Kind::Tuple(_) | Kind::List => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
