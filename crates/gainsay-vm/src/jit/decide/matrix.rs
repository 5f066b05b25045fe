//! Matrices, and how one splits into several where a place is looked at.

use std::collections::HashMap;

use super::PlaceId;
use super::budget::{Budget, TooHard};
use super::line::{Asks, Line, Lines, TestId};

/// Lines in the order in which they are tried. None stands below one that always matches, nor
/// below one of the same arm that does but for the guard, which is not asked again.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    lines: Vec<Line>,
}

impl Matrix {
    /// The lines of a matrix from some line on.
    pub(super) fn from_lines(lines: &[Line]) -> Self {
        Self { lines: lines.to_vec() }
    }

    /// The lines.
    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The lines.
    pub(super) fn into_lines(self) -> Vec<Line> {
        self.lines
    }

    /// Adds a line at the end, if it can ever be reached.
    pub(super) fn push(&mut self, line: Line) {
        if self.can_reach(&line) {
            self.lines.push(line);
        }
    }

    fn can_reach(&self, line: &Line) -> bool {
        match self.lines.last() {
            Some(last) if last.cells.is_empty() => last.has_guard && last.arm != line.arm,
            Some(_) | None => true,
        }
    }
}

/// The matrices that remain for each answer of a place.
pub(super) struct Split {
    /// The tests that some line asks for, in the order of lines, and what remains if they hold.
    pub(super) cases: Vec<(TestId, Matrix)>,
    /// What remains if none holds; `None` if that cannot be.
    pub(super) default: Option<Matrix>,
}

/// Looks at a place: a line goes where its test holds, and everywhere if it asks nothing there.
pub(super) fn split(
    all: &mut Lines<'_>,
    budget: &mut Budget,
    lines: &[Line],
    place: PlaceId,
) -> Result<Split, TooHard> {
    let mut case_of = HashMap::new();
    let mut cases: Vec<(TestId, Matrix)> = Vec::new();
    for (_, test) in lines.iter().filter_map(|line| test_at(line, place)) {
        case_of.entry(test).or_insert_with(|| {
            cases.push((test, Matrix::default()));
            cases.len() - 1
        });
    }
    let is_exhaustive = match cases[..] {
        [] => false,
        [(test, _), ..] => all.is_exhaustive(test, cases.len()),
    };
    let mut split = Split { cases, default: (!is_exhaustive).then(Matrix::default) };
    for line in lines {
        match test_at(line, place) {
            Some((index, test)) => {
                if let Some(answered) = all.answer(line, index) {
                    split.cases[case_of[&test]].1.push(answered);
                }
            }
            None => split.copy_everywhere(budget, line)?,
        }
    }
    Ok(split)
}

impl Split {
    fn copy_everywhere(&mut self, budget: &mut Budget, line: &Line) -> Result<(), TooHard> {
        budget.work(self.cases.len())?;
        let mut is_copy = false;
        let matrices = self.cases.iter_mut().map(|(_, matrix)| matrix);
        for matrix in matrices.chain(&mut self.default) {
            if !matrix.can_reach(line) {
                continue;
            }
            if is_copy {
                budget.copy(line.weight)?;
                budget.work(line.cells.len())?;
            }
            matrix.push(line.clone());
            is_copy = true;
        }
        Ok(())
    }
}

/// The matrix with a line for each alternative where lines ask for one of several at the
/// place, or at one that it is a part of; `None` if no line does.
///
/// Alternatives of a tuple ask about its parts. They must not come to light after a part was
/// looked at for another line, or it would be looked at again.
pub(super) fn choose_alternatives(
    all: &mut Lines<'_>,
    budget: &mut Budget,
    lines: &[Line],
    place: PlaceId,
) -> Result<Option<Matrix>, TooHard> {
    let wholes = all.wholes(place);
    budget.work(lines.len().saturating_mul(wholes.len()))?;
    let either_at = |line: &Line| {
        let mut found = wholes.iter().filter_map(|whole| cell_at(line, *whole));
        found.find(|index| line.cells[*index].asks == Asks::Either)
    };
    if lines.iter().all(|line| either_at(line).is_none()) {
        return Ok(None);
    }
    let mut matrix = Matrix::default();
    for line in lines {
        let Some(index) = either_at(line) else {
            matrix.push(line.clone());
            continue;
        };
        let alternatives = all.alternatives(line.cells[index].pattern);
        let n_copies = alternatives.len().saturating_sub(1);
        budget.copy(all.weight_of_others(line, index).saturating_mul(n_copies as u64))?;
        budget.work(line.cells.len().saturating_mul(n_copies))?;
        for alternative in alternatives {
            if let Some(chosen) = all.choose(line, index, *alternative) {
                matrix.push(chosen);
            }
        }
    }
    Ok(Some(matrix))
}

fn test_at(line: &Line, place: PlaceId) -> Option<(usize, TestId)> {
    let index = cell_at(line, place)?;
    match line.cells[index].asks {
        Asks::One(test) => Some((index, test)),
        Asks::Either => None,
    }
}

fn cell_at(line: &Line, place: PlaceId) -> Option<usize> {
    line.cells.binary_search_by_key(&place, |cell| cell.place).ok()
}
