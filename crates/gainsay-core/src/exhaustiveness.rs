//! Exhaustiveness and reachability of match arms.
//!
//! Luc Maranget, "Warnings for pattern matching" (Journal of Functional Programming 17(3), 2007):
//! the arms are the rows of a pattern matrix, and a row is *useful* if some value matches it and no
//! row above. Instead of a query per row, the matrix is decomposed once, column by column, and
//! every row that is first somewhere is marked as useful:
//!
//! ```text
//!   C1 p | q            lines of C1, and `_`     p | q      one such matrix for each
//!   _    | r     ~~>                             _ | r      constructor of the column,
//!   C2   | s            lines of `_` only        r          and one for all others
//! ```
//!
//! Where no unguarded row is left, the constructors taken on the way form an example of a missing
//! value. Types are not needed: a constructor knows its siblings.

mod witness;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::{Body, CtorId, Literal, Pattern, PatternId, Program, RestPattern, TyId, TypeId};

use self::witness::WitnessPattern;

/// The maximum number of missing values that are reported.
const MAX_MISSING: usize = 3;

/// The maximum decomposition depth; beyond it the match is undecided.
const MAX_DEPTH: usize = 1_000;

/// The step budget of every match, and its increment per pattern. The problem is NP-complete;
/// ordinary matches take a few steps per pattern.
const BASE_STEPS: usize = 100_000;
const STEPS_PER_PATTERN: usize = 200;

/// One arm of a match.
#[derive(Debug, Copy, Clone)]
pub struct MatchArm {
    /// The pattern.
    pub pattern: PatternId,
    /// Whether it has a guard.
    pub guard: ArmGuard,
}

/// Whether an arm has a guard.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ArmGuard {
    /// The pattern alone decides.
    Absent,
    /// The guard may fail, so the arm covers nothing.
    Present,
}

/// The result of checking a match.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct MatchExhaustiveness {
    /// Patterns of values that no arm matches, at most three. Empty: the match is exhaustive.
    pub missing: Vec<String>,
    /// Unreachable arms, by index.
    pub unreachable: Vec<usize>,
    /// Unreachable alternatives of or-patterns in reachable arms: the index of the arm, and the
    /// alternative.
    pub unreachable_alternatives: Vec<(usize, PatternId)>,
}

/// Checks a match for missing values and unreachable arms.
///
/// A match that is too hard to decide is taken for exhaustive only if some arm takes
/// everything at sight; otherwise `_` is missing.
pub fn check_match(
    program: &Program,
    body: &Body,
    scrutinee: TyId,
    rows: &[MatchArm],
) -> MatchExhaustiveness {
    // The error was reported; patterns for an unknown type may be of several types.
    if program.types.flags(scrutinee).has_error() {
        return MatchExhaustiveness::default();
    }
    let mut search = UsefulnessSearch::new(program, body, rows);
    match search.uncovered_witnesses(search.matrix(rows), 1, 0) {
        Ok(missing) => MatchExhaustiveness {
            missing: missing.iter().map(|it| it[0].to_pattern(program)).collect(),
            unreachable: search.unreachable_arms(),
            unreachable_alternatives: search.unreachable_alternatives(rows),
        },
        Err(UndecidedReason::IllTyped) => MatchExhaustiveness::default(),
        Err(UndecidedReason::TooHard) if rows.iter().any(|row| search.is_catch_all(*row)) => {
            MatchExhaustiveness::default()
        }
        Err(UndecidedReason::TooHard) => MatchExhaustiveness {
            missing: vec!["_".to_owned()],
            ..MatchExhaustiveness::default()
        },
    }
}

/// Whether the arms of a match cover every value, assuming that guards fail. An arm is a pattern
/// and whether it has a guard.
pub fn is_exhaustive(
    program: &Program,
    body: &Body,
    scrutinee: TyId,
    arms: &[(PatternId, bool)],
) -> bool {
    let guard = |has_guard| if has_guard { ArmGuard::Present } else { ArmGuard::Absent };
    let row = |(pattern, has_guard): &(PatternId, bool)| MatchArm {
        pattern: *pattern,
        guard: guard(*has_guard),
    };
    let rows: Vec<MatchArm> = arms.iter().map(row).collect();
    check_match(program, body, scrutinee, &rows).missing.is_empty()
}

/// Why a match is undecided.
#[derive(Debug, Copy, Clone)]
enum UndecidedReason {
    /// The patterns of a column have different types; that was reported elsewhere.
    IllTyped,
    /// The budget ran out.
    TooHard,
}

/// A cell of the matrix.
#[derive(Debug, Copy, Clone)]
enum PatternCell {
    /// Anything.
    Wildcard,
    /// A pattern.
    Pattern(PatternId),
    /// The constraint of a list pattern on the list after its first elements.
    ListTail(PatternId, usize),
}

/// A row of the matrix. Cells are in reverse: the first column is the last cell, so that it can be
/// popped.
#[derive(Debug, Clone)]
struct PatternRow {
    cells: Vec<PatternCell>,
    arm: usize,
    guard: ArmGuard,
    /// The alternatives chosen on the way here: an index into `UsefulnessSearch::or_choices`.
    or_choice: Option<usize>,
}

/// The outermost constructor that a cell requires.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum HeadConstructor {
    Ctor(CtorId),
    Tuple(usize),
    Nil,
    Cons,
    Bool(bool),
    /// A literal of a type with too many values to enumerate, as text.
    Literal(HeadKind, Arc<str>),
}

/// The type class of head constructors; a column has only one.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
enum HeadKind {
    Nominal(TypeId),
    Tuple(usize),
    List,
    Bool,
    Int,
    Float,
    Char,
    Str,
}

/// The first column of a matrix: the rows grouped by head constructor.
#[derive(Default)]
struct HeadColumn {
    groups: Vec<(HeadConstructor, Vec<usize>)>,
    wildcards: Vec<usize>,
}

/// An example of an uncovered row; the first column is the last element.
type WitnessRow = Vec<WitnessPattern>;

struct UsefulnessSearch<'a> {
    program: &'a Program,
    body: &'a Body,
    useful_arms: Vec<bool>,
    useful_alternatives: HashSet<PatternId>,
    or_choices: Vec<(PatternId, Option<usize>)>,
    steps_left: usize,
}

impl<'a> UsefulnessSearch<'a> {
    fn new(program: &'a Program, body: &'a Body, rows: &[MatchArm]) -> Self {
        // One pathological body must not give each of its matches a budget for all of its patterns.
        let n_patterns = body.patterns.len().min(rows.len().saturating_mul(64));
        Self {
            program,
            body,
            useful_arms: vec![false; rows.len()],
            useful_alternatives: HashSet::new(),
            or_choices: Vec::new(),
            steps_left: BASE_STEPS.saturating_add(STEPS_PER_PATTERN.saturating_mul(n_patterns)),
        }
    }

    fn matrix(&self, rows: &[MatchArm]) -> Vec<PatternRow> {
        let line = |(row, it): (usize, &MatchArm)| PatternRow {
            cells: vec![PatternCell::Pattern(it.pattern)],
            arm: row,
            guard: it.guard,
            or_choice: None,
        };
        rows.iter().enumerate().map(line).collect()
    }

    /// Examples of what no row covers. Marks rows that are first somewhere as useful.
    fn uncovered_witnesses(
        &mut self,
        lines: Vec<PatternRow>,
        width: usize,
        depth: usize,
    ) -> Result<Vec<WitnessRow>, UndecidedReason> {
        let Some(first) = lines.first() else {
            // No row is left, so nothing covers the values taken on the way here, whatever the
            // remaining columns hold.
            return Ok(vec![vec![WitnessPattern::Wildcard; width]]);
        };
        if depth > MAX_DEPTH {
            return Err(UndecidedReason::TooHard);
        }
        // The budget is charged for the size of the matrix, since that is the work of one step.
        self.spend_steps(lines.len() + width)?;
        // Fast path: an irrefutable first row covers everything and makes all rows below useless
        // here.
        if first.guard == ArmGuard::Absent && self.is_irrefutable(first) {
            self.mark_useful(first);
            return Ok(Vec::new());
        }
        if width == 0 {
            return Ok(self.cover_empty_columns(&lines));
        }
        // Before the column is grouped: an or-pattern has no head constructor, and `column` would
        // take it for a wildcard.
        let lines = self.expand_alternatives(lines)?;
        let column = self.column(&lines)?;
        let mut missing = self.uncovered_by_other_heads(&lines, &column, width, depth)?;
        for (head, members) in &column.groups {
            let arity = self.arity(head);
            // A wildcard row matches every head constructor, so it belongs to each of these
            // matrices.
            let inner = self.specialize(&lines, &merge(members, &column.wildcards), arity)?;
            // Recurse even if enough examples are known: only the recursion marks rows as useful,
            // and a row that was not visited would be reported as unreachable.
            for witness in self.uncovered_witnesses(inner, width - 1 + arity, depth + 1)? {
                if missing.len() < MAX_MISSING {
                    missing.push(collapse_witness(head, arity, witness));
                }
            }
        }
        Ok(missing)
    }

    /// No column is left: rows are reached down to the first one without a guard.
    fn cover_empty_columns(&mut self, lines: &[PatternRow]) -> Vec<WitnessRow> {
        for line in lines {
            self.mark_useful(line);
            if line.guard == ArmGuard::Absent {
                return Vec::new();
            }
        }
        vec![Vec::new()]
    }

    /// Covers the values whose head constructor does not occur in the column.
    fn uncovered_by_other_heads(
        &mut self,
        lines: &[PatternRow],
        column: &HeadColumn,
        width: usize,
        depth: usize,
    ) -> Result<Vec<WitnessRow>, UndecidedReason> {
        let mut others = self.other_heads(column);
        // At the top level `_` is the better suggestion; nested, an example literal says more.
        if depth == 0 && matches!(others[..], [WitnessPattern::Literal(_)]) {
            others = vec![WitnessPattern::Wildcard];
        }
        if others.is_empty() {
            return Ok(Vec::new());
        }
        // Only wildcard rows match such a value, and it contributes no cells.
        let inner = self.specialize(lines, &column.wildcards, 0)?;
        let rests = self.uncovered_witnesses(inner, width - 1, depth + 1)?;
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

    /// Replaces every row that starts with an or-pattern by one row per alternative.
    fn expand_alternatives(
        &mut self,
        lines: Vec<PatternRow>,
    ) -> Result<Vec<PatternRow>, UndecidedReason> {
        // Reversed stack: alternatives may be or-patterns themselves, and rows keep their order.
        let mut todo: Vec<PatternRow> = lines.into_iter().rev().collect();
        let mut done = Vec::with_capacity(todo.len());
        while let Some(mut line) = todo.pop() {
            let Some(alternatives) = line.cells.last().and_then(|it| self.alternatives(*it))
            else {
                done.push(line);
                continue;
            };
            self.spend_steps(alternatives.len() * line.cells.len())?;
            line.cells.pop();
            for alternative in alternatives.iter().rev() {
                // A link to the alternative chosen before, so that a useful row marks the whole
                // chain.
                self.or_choices.push((*alternative, line.or_choice));
                let mut chosen = line.clone();
                chosen.cells.push(PatternCell::Pattern(*alternative));
                chosen.or_choice = Some(self.or_choices.len() - 1);
                todo.push(chosen);
            }
        }
        Ok(done)
    }

    /// The alternatives, if a cell is an or-pattern.
    fn alternatives(&self, cell: PatternCell) -> Option<&'a [PatternId]> {
        let PatternCell::Pattern(id) = self.resolve(cell) else { return None };
        match self.body.pattern(id) {
            Pattern::Or(alternatives) => Some(alternatives),
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => None,
            Pattern::Tuple(_) | Pattern::Ctor(..) | Pattern::List(..) => None,
        }
    }

    /// Groups rows by the head constructor of their first cell, keeping their order.
    fn column(&self, lines: &[PatternRow]) -> Result<HeadColumn, UndecidedReason> {
        let mut column = HeadColumn::default();
        let mut group_of: HashMap<HeadConstructor, usize> = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            let Some(head) = line.cells.last().and_then(|cell| self.head(*cell)) else {
                column.wildcards.push(at);
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
            return Err(UndecidedReason::IllTyped);
        }
        Ok(column)
    }

    /// The chosen rows, with the first cell replaced by its subpatterns.
    fn specialize(
        &mut self,
        lines: &[PatternRow],
        chosen: &[usize],
        arity: usize,
    ) -> Result<Vec<PatternRow>, UndecidedReason> {
        let mut inner = Vec::with_capacity(chosen.len());
        for at in chosen {
            let mut line = lines[*at].clone();
            self.spend_steps(line.cells.len() + arity)?;
            let first = line.cells.pop().unwrap_or(PatternCell::Wildcard);
            let before = line.cells.len();
            self.push_parts(first, arity, &mut line.cells);
            // Patterns of one constructor with different numbers of parts: reported by the checker.
            if line.cells.len() != before + arity {
                return Err(UndecidedReason::IllTyped);
            }
            inner.push(line);
        }
        Ok(inner)
    }

    /// Pushes the subpatterns of a cell in reverse order.
    fn push_parts(&self, cell: PatternCell, arity: usize, cells: &mut Vec<PatternCell>) {
        let parts = match self.resolve(cell) {
            PatternCell::Wildcard => {
                return cells.extend(std::iter::repeat_n(PatternCell::Wildcard, arity));
            }
            PatternCell::ListTail(list, at) => {
                if let Pattern::List(items, _) = self.body.pattern(list)
                    && let Some(item) = items.get(at)
                {
                    cells.extend([
                        PatternCell::ListTail(list, at + 1),
                        PatternCell::Pattern(*item),
                    ]);
                }
                return;
            }
            PatternCell::Pattern(id) => match self.body.pattern(id) {
                Pattern::Tuple(parts) | Pattern::Ctor(_, parts) => parts,
                Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => return,
                Pattern::List(..) | Pattern::Or(_) => return,
            },
        };
        cells.extend(parts.iter().rev().map(|it| PatternCell::Pattern(*it)));
    }

    /// Normalizes a cell: names become wildcards, lists become tails, and a tail after its last
    /// element becomes the rest pattern.
    fn resolve(&self, mut cell: PatternCell) -> PatternCell {
        loop {
            cell = match cell {
                PatternCell::Wildcard => return cell,
                PatternCell::Pattern(id) => match self.body.pattern(id) {
                    Pattern::Wildcard | Pattern::Bind(_) => return PatternCell::Wildcard,
                    Pattern::List(..) => PatternCell::ListTail(id, 0),
                    Pattern::Literal(_) | Pattern::Tuple(_) => return cell,
                    Pattern::Ctor(..) | Pattern::Or(_) => return cell,
                },
                PatternCell::ListTail(list, at) => match self.body.pattern(list) {
                    Pattern::List(items, RestPattern::Some(rest)) if at == items.len() => {
                        PatternCell::Pattern(*rest)
                    }
                    Pattern::List(..) => return cell,
                    Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => return cell,
                    Pattern::Tuple(_) | Pattern::Ctor(..) | Pattern::Or(_) => return cell,
                },
            };
        }
    }

    /// The head constructor a cell requires; `None` if it matches anything.
    fn head(&self, cell: PatternCell) -> Option<HeadConstructor> {
        match self.resolve(cell) {
            PatternCell::Wildcard => None,
            PatternCell::ListTail(list, at) => match self.body.pattern(list) {
                Pattern::List(items, _) if at < items.len() => Some(HeadConstructor::Cons),
                Pattern::List(..) => Some(HeadConstructor::Nil),
                Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => None,
                Pattern::Tuple(_) | Pattern::Ctor(..) | Pattern::Or(_) => None,
            },
            PatternCell::Pattern(id) => match self.body.pattern(id) {
                Pattern::Literal(literal) => Some(literal_head(literal)),
                Pattern::Tuple(parts) => Some(HeadConstructor::Tuple(parts.len())),
                Pattern::Ctor(ctor, _) => Some(HeadConstructor::Ctor(*ctor)),
                Pattern::Wildcard | Pattern::Bind(_) => None,
                Pattern::List(..) | Pattern::Or(_) => None,
            },
        }
    }

    fn kind(&self, head: &HeadConstructor) -> HeadKind {
        match head {
            HeadConstructor::Ctor(ctor) => HeadKind::Nominal(self.program.ctor(*ctor).ty),
            HeadConstructor::Tuple(width) => HeadKind::Tuple(*width),
            HeadConstructor::Nil | HeadConstructor::Cons => HeadKind::List,
            HeadConstructor::Bool(_) => HeadKind::Bool,
            HeadConstructor::Literal(kind, _) => *kind,
        }
    }

    fn arity(&self, head: &HeadConstructor) -> usize {
        match head {
            HeadConstructor::Ctor(ctor) => self.program.ctor(*ctor).fields.len(),
            HeadConstructor::Tuple(width) => *width,
            HeadConstructor::Cons => 2,
            HeadConstructor::Nil | HeadConstructor::Bool(_) | HeadConstructor::Literal(..) => 0,
        }
    }

    /// Examples of values whose head constructor is not in the column, at most three.
    fn other_heads(&self, column: &HeadColumn) -> Vec<WitnessPattern> {
        let seen: HashSet<&HeadConstructor> =
            column.groups.iter().map(|(head, _)| head).collect();
        let unseen = |candidates: &mut dyn Iterator<Item = HeadConstructor>| {
            let unseen = candidates.filter(|it| !seen.contains(it)).take(MAX_MISSING);
            unseen.map(|it| wildcard_witness(&it, self.arity(&it))).collect()
        };
        match column.groups.first().map(|(head, _)| self.kind(head)) {
            // A column of wildcards only: every value has a head that does not occur in it.
            None => vec![WitnessPattern::Wildcard],
            Some(kind @ (HeadKind::Int | HeadKind::Float | HeadKind::Char | HeadKind::Str)) => {
                vec![unused_literal(kind, &seen)]
            }
            // A tuple type has a single constructor, and it occurs in the column.
            Some(HeadKind::Tuple(_)) => Vec::new(),
            Some(HeadKind::List) => {
                unseen(&mut [HeadConstructor::Nil, HeadConstructor::Cons].into_iter())
            }
            Some(HeadKind::Bool) => unseen(
                &mut [HeadConstructor::Bool(false), HeadConstructor::Bool(true)].into_iter(),
            ),
            Some(HeadKind::Nominal(ty)) => unseen(
                &mut self.program.nominal(ty).ctors.iter().map(|it| HeadConstructor::Ctor(*it)),
            ),
        }
    }

    fn is_irrefutable(&self, line: &PatternRow) -> bool {
        line.cells.iter().all(|it| matches!(self.resolve(*it), PatternCell::Wildcard))
    }

    fn is_catch_all(&self, row: MatchArm) -> bool {
        row.guard == ArmGuard::Absent
            && matches!(self.resolve(PatternCell::Pattern(row.pattern)), PatternCell::Wildcard)
    }

    fn mark_useful(&mut self, line: &PatternRow) {
        self.useful_arms[line.arm] = true;
        // If the row is useful, so is every alternative that was chosen to get to it.
        let mut next = line.or_choice;
        while let Some((alternative, before)) = next.map(|at| self.or_choices[at]) {
            self.useful_alternatives.insert(alternative);
            next = before;
        }
    }

    fn spend_steps(&mut self, steps: usize) -> Result<(), UndecidedReason> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(UndecidedReason::TooHard)?;
        Ok(())
    }

    fn unreachable_arms(&self) -> Vec<usize> {
        let rows = self.useful_arms.iter().enumerate();
        rows.filter(|(_, useful)| !**useful).map(|(at, _)| at).collect()
    }

    fn unreachable_alternatives(&self, rows: &[MatchArm]) -> Vec<(usize, PatternId)> {
        let reached = rows.iter().enumerate().filter(|(at, _)| self.useful_arms[*at]);
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
                    // Only useful alternatives are searched further: the parts of a redundant one
                    // are redundant as well, and one report is enough.
                    todo.extend(useful.into_iter().rev().map(|it| (row, it)));
                    found.extend(redundant.into_iter().map(|it| (row, it)));
                }
            }
        }
        found
    }
}

/// The head constructor of a literal; equal literals have equal heads.
fn literal_head(literal: &Literal) -> HeadConstructor {
    let endless = |kind, text: String| HeadConstructor::Literal(kind, text.into());
    match literal {
        Literal::Bool(value) => HeadConstructor::Bool(*value),
        Literal::Int(value) => endless(HeadKind::Int, value.to_string()),
        Literal::Big(value) => endless(HeadKind::Int, value.to_string()),
        // `-0.0 + 0.0` is `0.0`: the two are equal, so they must have the same text.
        Literal::Float(value) => endless(HeadKind::Float, (value + 0.0).to_string()),
        Literal::Char(value) => endless(HeadKind::Char, value.to_string()),
        Literal::Str(value) => HeadConstructor::Literal(HeadKind::Str, value.clone()),
    }
}

/// The simplest literal of an infinite type that is not in `seen`.
fn unused_literal(kind: HeadKind, seen: &HashSet<&HeadConstructor>) -> WitnessPattern {
    let is_new = |text: &str| !seen.contains(&HeadConstructor::Literal(kind, text.into()));
    // Terminates: a match has only finitely many literals.
    let written = (0_u32..).find_map(|n| {
        let letter = char::from_u32(u32::from('a') + n).unwrap_or('a');
        let (text, written) = match kind {
            HeadKind::Float => (n.to_string(), format!("{n}.0")),
            HeadKind::Char => (letter.to_string(), format!("'{letter}'")),
            HeadKind::Str if n == 0 => (String::new(), "\"\"".to_owned()),
            HeadKind::Str => {
                ("a".repeat(n as usize), format!("\"{}\"", "a".repeat(n as usize)))
            }
            HeadKind::Int
            | HeadKind::Nominal(_)
            | HeadKind::Tuple(_)
            | HeadKind::List
            | HeadKind::Bool => (n.to_string(), n.to_string()),
        };
        is_new(&text).then_some(written)
    });
    written.map_or(WitnessPattern::Wildcard, WitnessPattern::Literal)
}

/// Merges two ascending lists: row order decides which row is first.
fn merge(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut merged: Vec<usize> = a.iter().chain(b).copied().collect();
    merged.sort_unstable();
    merged
}

/// A value with this head constructor and wildcards inside.
fn wildcard_witness(head: &HeadConstructor, arity: usize) -> WitnessPattern {
    witness_of_head(head, vec![WitnessPattern::Wildcard; arity])
}

/// Replaces the first elements of a witness, the fields of one head, by that head.
fn collapse_witness(
    head: &HeadConstructor,
    arity: usize,
    mut witness: WitnessRow,
) -> WitnessRow {
    let mut parts = witness.split_off(witness.len().saturating_sub(arity));
    parts.reverse();
    witness.push(witness_of_head(head, parts));
    witness
}

fn witness_of_head(head: &HeadConstructor, mut parts: Vec<WitnessPattern>) -> WitnessPattern {
    match head {
        HeadConstructor::Ctor(ctor) => WitnessPattern::Ctor(*ctor, parts),
        HeadConstructor::Tuple(_) => WitnessPattern::Tuple(parts),
        HeadConstructor::Nil => WitnessPattern::Nil,
        HeadConstructor::Cons => {
            let tail = parts.pop().unwrap_or(WitnessPattern::Wildcard);
            let first = parts.pop().unwrap_or(WitnessPattern::Wildcard);
            WitnessPattern::Cons(Box::new(first), Box::new(tail))
        }
        HeadConstructor::Bool(value) => WitnessPattern::Bool(*value),
        // Literal heads occur only in witnesses where another part is missing.
        HeadConstructor::Literal(kind, text) => {
            WitnessPattern::Literal(literal_source(*kind, text))
        }
    }
}

/// A literal in source syntax.
fn literal_source(kind: HeadKind, text: &str) -> String {
    match kind {
        HeadKind::Str => format!("\"{}\"", text.escape_default()),
        HeadKind::Char => format!("'{}'", text.escape_default()),
        HeadKind::Float if !text.contains(['.', 'e', 'E']) => format!("{text}.0"),
        HeadKind::Int | HeadKind::Float | HeadKind::Bool => text.to_owned(),
        HeadKind::Nominal(_) | HeadKind::Tuple(_) | HeadKind::List => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
