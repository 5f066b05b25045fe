//! Deletes elements together with the number that declares how many there are: a length drawn
//! before its elements, or the numbers of rows and columns.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// For shorter lists, `delete_siblings` and its repairs delete elements one by one.
const MANY: usize = 9;

/// The maximum number of choices per element where no spans delimit elements.
const MAX_WIDTH: usize = 4;

/// The maximum number of places where a length without spans is probed; each costs a run.
const MAX_PROBES: u32 = 8;

/// Chunks are at least this fraction of the list; a later round on a shorter list goes finer.
const MAX_PARTS: usize = 256;

/// For each element, the ranges of choices to delete with it.
type ElementRanges = Vec<Vec<Range<usize>>>;

/// How elements relate to their declared number.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum ElementLayout {
    /// One list with that many elements.
    List,
    /// Several lists with that many elements each, such as the rows of a table.
    Lists,
    /// One list of `size` rows: the cells of a table, row by row.
    Rows,
    /// One list of `size` columns: the cells of a table, row by row, each column one element.
    Columns,
    /// Choices without spans, this many per element.
    Plain(usize),
}

/// Tries every integer that could be the number of some elements.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut at = 0;
    let mut n_probes = 0;
    let mut sizes = ListsByLength::of(shrinker);
    while at < shrinker.best.choices.len() {
        for layout in sizes.layouts(&shrinker.best, at) {
            if let ElementLayout::Plain(width) = layout {
                // Without spans the layout is a guess. One probe tells, where deleting would take
                // many runs.
                n_probes += 1;
                if n_probes > MAX_PROBES || !is_size(shrinker, at, width)? {
                    continue;
                }
            }
            let before = Rc::clone(&shrinker.best);
            remove_elements(shrinker, at, layout)?;
            if !Rc::ptr_eq(&before, &shrinker.best) {
                // The lists are stale after a change. Go on with the next integer; the next round
                // comes back.
                sizes = ListsByLength::of(shrinker);
                break;
            }
        }
        at += 1;
    }
    Ok(())
}

/// Whether lowering the number by one shortens the case by one element.
fn is_size(
    shrinker: &mut Shrinker<'_>,
    at: usize,
    width: usize,
) -> Result<bool, TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let Some(size) = size_at(&base, at) else { return Ok(false) };
    let patch = CandidatePatch::set([(at, ChoiceValue::Small(size as i64 - 1))]);
    Ok(shrinker.probe(&base, &patch)?.n_choices + width == base.choices.len())
}

/// Deletes half of the elements, then a quarter, and so on (after delta debugging, Zeller and
/// Hildebrandt 2002), each time from the back to the front.
fn remove_elements(
    shrinker: &mut Shrinker<'_>,
    at: usize,
    layout: ElementLayout,
) -> Result<(), TerminationReason> {
    let Some(size) = size_at(&shrinker.best, at) else { return Ok(()) };
    let mut n_at_once = size.div_ceil(2);
    while n_at_once > size / MAX_PARTS {
        let mut end = usize::MAX;
        loop {
            let base = Rc::clone(&shrinker.best);
            let sizes = ListsByLength::of(shrinker);
            // After an adoption the number is lower, and the lists must have followed it.
            let Some(elements) = sizes.elements(&base, at, layout) else { return Ok(()) };
            end = end.min(elements.len());
            let Some(start) = end.checked_sub(n_at_once) else { break };
            let cuts = elements[start..end].iter().flatten().cloned();
            let left = (elements.len() - n_at_once) as i64;
            let patch = CandidatePatch::cut(cuts).and_set(at, ChoiceValue::Small(left));
            shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)?;
            // Whether or not it worked: what lies behind `start` has been tried at this chunk size.
            end = start;
        }
        n_at_once /= 2;
    }
    Ok(())
}

/// The value of a choice, if it could be the number of elements behind it.
fn size_at(trail: &ChoiceSequence, at: usize) -> Option<usize> {
    let choice = trail.choices.get(at)?;
    match choice.value() {
        ChoiceValue::Small(size)
            if choice.class() == ChoiceClass::Integer && !choice.is_forced() =>
        {
            // A single element needs no chunks, and no number above that of all choices counts
            // elements.
            usize::try_from(size).ok().filter(|it| (2..=trail.choices.len()).contains(it))
        }
        ChoiceValue::Small(_) | ChoiceValue::Big(_) => None,
    }
}

/// The lists of a case by length, in order.
struct ListsByLength {
    by_length: HashMap<usize, Vec<Vec<Range<usize>>>>,
}

impl ListsByLength {
    fn of(shrinker: &mut Shrinker<'_>) -> Self {
        let forest = shrinker.forest();
        let best = &shrinker.best;
        let mut by_length: HashMap<usize, Vec<Vec<Range<usize>>>> = HashMap::new();
        for family in forest.sibling_groups(best) {
            let n = family.members.len();
            let ranges: Vec<_> = family.ranges(best, 0..n).collect();
            // A list that draws "one more" before each element has no declared length.
            let is_list = best.choices[ranges[0].clone()]
                .first()
                .is_some_and(|it| it.class() == ChoiceClass::MoreElements);
            if n > 1 && !is_list {
                by_length.entry(n).or_default().push(ranges);
            }
        }
        ListsByLength { by_length }
    }

    /// The lists of a length whose elements come after a choice.
    fn behind(&self, at: usize, length: usize) -> impl Iterator<Item = &Vec<Range<usize>>> {
        let lists = self.by_length.get(&length).into_iter().flatten();
        lists.filter(move |it| it[0].start > at)
    }

    /// The layouts that an integer may be the number of elements of.
    fn layouts(&self, trail: &ChoiceSequence, at: usize) -> Vec<ElementLayout> {
        let Some(size) = size_at(trail, at) else { return Vec::new() };
        let mut layouts =
            vec![ElementLayout::Lists, ElementLayout::Rows, ElementLayout::Columns];
        if size >= MANY {
            layouts.insert(0, ElementLayout::List);
        }
        layouts.retain(|it| self.elements(trail, at, *it).is_some());
        if layouts.is_empty() && size >= MANY {
            let widths = (1..=MAX_WIDTH).map(ElementLayout::Plain);
            layouts.extend(widths.filter(|it| self.elements(trail, at, *it).is_some()));
        }
        layouts
    }

    fn elements(
        &self,
        trail: &ChoiceSequence,
        at: usize,
        layout: ElementLayout,
    ) -> Option<ElementRanges> {
        let size = size_at(trail, at)?;
        match layout {
            ElementLayout::List => {
                let list = self.behind(at, size).next()?;
                Some(list.iter().map(|it| vec![it.clone()]).collect())
            }
            ElementLayout::Lists => {
                let lists: Vec<_> = self.behind(at, size).collect();
                let element = |n: usize| lists.iter().map(|it| it[n].clone()).collect();
                (lists.len() > 1).then(|| (0..size).map(element).collect())
            }
            ElementLayout::Rows => {
                let cells = self.cells(trail, at, size)?;
                Some(cells.chunks(cells.len() / size).map(<[_]>::to_vec).collect())
            }
            ElementLayout::Columns => {
                let cells = self.cells(trail, at, size)?;
                let column = |n: usize| cells.iter().skip(n).step_by(size).cloned().collect();
                Some((0..size).map(column).collect())
            }
            ElementLayout::Plain(width) => plain_elements(trail, at, size, width),
        }
    }

    /// A list with as many elements as the product of two numbers before it.
    fn cells(
        &self,
        trail: &ChoiceSequence,
        at: usize,
        size: usize,
    ) -> Option<&Vec<Range<usize>>> {
        // The other dimension is drawn near this one.
        let near = at.saturating_sub(2)..(at + 3).min(trail.choices.len());
        let others = near.filter(|it| *it != at).filter_map(|it| size_at(trail, it));
        others.filter_map(|other| self.behind(at, size.checked_mul(other)?).next()).next()
    }
}

/// The choices right after the number, if they repeat the same kinds `size` times.
fn plain_elements(
    trail: &ChoiceSequence,
    at: usize,
    size: usize,
    width: usize,
) -> Option<ElementRanges> {
    let start = at + 1;
    let end = start.checked_add(size.checked_mul(width)?)?;
    let kinds = trail.choices.get(start..end)?;
    let repeats = kinds.iter().zip(&kinds[width..]).all(|(a, b)| a.kind() == b.kind());
    let element = |n: usize| start + n * width..start + (n + 1) * width;
    repeats.then(|| (0..size).map(|n| vec![element(n)]).collect())
}
