//! Removes elements together with the number that says how many there are: a length that is drawn
//! before its elements, or the numbers of rows and columns.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// Fewer elements than this are removed one by one, when deleting a sibling fails.
const MANY: usize = 9;

/// How many choices an element may have where no spans tell elements apart.
const MAX_WIDTH: usize = 4;

/// In how many places a length without spans is looked for: each takes a run.
const MAX_PROBES: u32 = 8;

/// Elements are removed in up to so many parts; once there are fewer, parts are smaller.
const MAX_PARTS: usize = 256;

/// What goes when an element goes: for each element, the choices it is made of.
type ElementRanges = Vec<Vec<Range<usize>>>;

/// How the elements belong to their number.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum ElementLayout {
    /// One list with as many elements.
    List,
    /// Several lists with as many elements each, such as the rows of a table.
    Lists,
    /// One list with so many elements for each: the cells of a table, row by row.
    Rows,
    /// One list with so many elements for each: the cells of a table, as its columns.
    Columns,
    /// Choices without spans, so many for each element.
    Plain(usize),
}

/// Every integer that could be the number of some elements.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut at = 0;
    let mut n_probes = 0;
    let mut sizes = ListsByLength::of(shrinker);
    while at < shrinker.best.choices.len() {
        for layout in sizes.layouts(&shrinker.best, at) {
            if let ElementLayout::Plain(width) = layout {
                n_probes += 1;
                if n_probes > MAX_PROBES || !is_size(shrinker, at, width)? {
                    continue;
                }
            }
            let before = Rc::clone(&shrinker.best);
            remove_elements(shrinker, at, layout)?;
            if !Rc::ptr_eq(&before, &shrinker.best) {
                sizes = ListsByLength::of(shrinker);
                break;
            }
        }
        at += 1;
    }
    Ok(())
}

/// Whether a case that says one less has one element less.
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

/// Leaves out half of the elements, then a quarter, and so on (after delta debugging, Zeller and
/// Hildebrandt 2002), each time from the last to the first.
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
            let Some(elements) = sizes.elements(&base, at, layout) else { return Ok(()) };
            end = end.min(elements.len());
            let Some(start) = end.checked_sub(n_at_once) else { break };
            let cuts = elements[start..end].iter().flatten().cloned();
            let left = (elements.len() - n_at_once) as i64;
            let patch = CandidatePatch::cut(cuts).and_set(at, ChoiceValue::Small(left));
            shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)?;
            end = start;
        }
        n_at_once /= 2;
    }
    Ok(())
}

/// The number that a choice of a case may be for elements behind it.
fn size_at(trail: &ChoiceSequence, at: usize) -> Option<usize> {
    let choice = trail.choices.get(at)?;
    match choice.value() {
        ChoiceValue::Small(size)
            if choice.class() == ChoiceClass::Integer && !choice.is_forced() =>
        {
            usize::try_from(size).ok().filter(|it| (2..=trail.choices.len()).contains(it))
        }
        ChoiceValue::Small(_) | ChoiceValue::Big(_) => None,
    }
}

/// The lists of a case by their lengths, in order.
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
            let is_list = best.choices[ranges[0].clone()]
                .first()
                .is_some_and(|it| it.class() == ChoiceClass::MoreElements);
            if n > 1 && !is_list {
                by_length.entry(n).or_default().push(ranges);
            }
        }
        ListsByLength { by_length }
    }

    /// The lists of a length whose elements are behind a choice.
    fn behind(&self, at: usize, length: usize) -> impl Iterator<Item = &Vec<Range<usize>>> {
        let lists = self.by_length.get(&length).into_iter().flatten();
        lists.filter(move |it| it[0].start > at)
    }

    /// How an integer may be the number of elements.
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
        // The other number is near.
        let near = at.saturating_sub(2)..(at + 3).min(trail.choices.len());
        let others = near.filter(|it| *it != at).filter_map(|it| size_at(trail, it));
        others.filter_map(|other| self.behind(at, size.checked_mul(other)?).next()).next()
    }
}

/// Choices that repeat the same kinds, as often as the number says, right behind it.
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
