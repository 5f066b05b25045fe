//! Domains: what is known about a value before it is drawn, as a set of values.
//!
//! A domain is relative to a type: [`Domain::Any`] is the set of all its values. Operations return
//! `None` where the result cannot be represented; callers then fall back on filtering.

mod display;
mod int_set;
mod range_set;

use std::sync::Arc;

use num_traits::{Signed, ToPrimitive as _};

pub(crate) use self::int_set::{IntSet, PeriodicInterval};
pub(crate) use self::range_set::{CodePointSet, FloatSet, RangeSet, from_order_key};

/// A set of values of some type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Domain {
    /// All values.
    Any,
    /// No value.
    Empty,
    /// These integers.
    Int(IntSet),
    /// These floats.
    Float(FloatSet),
    /// This boolean.
    Bool(bool),
    /// These characters.
    Char(CodePointSet),
    /// These texts.
    Text(TextSet),
    /// Lists, sets and maps with lengths in a range, all elements or keys of the first domain; the
    /// second domain, for values, applies to maps only.
    Container(LengthRange, Box<Domain>, Box<Domain>),
    /// Tuples with such elements.
    Tuple(Box<[Domain]>),
    /// Values of a sum or record: for each constructor the domains of its fields, or `None` if it
    /// is excluded.
    Constructors(Box<[Option<Box<[Domain]>>]>),
    /// Any of these.
    OneOf(Box<[Domain]>),
}

/// A range of lengths.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct LengthRange {
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
}

/// A set of texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TextSet {
    pub(crate) lens: LengthRange,
    pub(crate) chars: CodePointSet,
    /// If listed, only these; sorted.
    pub(crate) listed: Option<Vec<Arc<str>>>,
}

/// A union of more domains than this is not represented.
const MAX_ALTERNATIVES: usize = 16;

impl LengthRange {
    pub(crate) const ANY: Self = LengthRange { min: 0, max: None };

    /// The lengths in a set of integers, and whether the range is exact.
    pub(crate) fn from_ints(ints: &IntSet) -> Option<(Self, bool)> {
        let natural = ints.meet(&IntSet::between(Some(0.into()), None))?;
        let first = natural.pieces().iter().filter_map(PeriodicInterval::first).min()?;
        let lasts =
            natural.pieces().iter().map(PeriodicInterval::last).collect::<Option<Vec<_>>>();
        let max = lasts.and_then(|it| it.into_iter().max());
        // A range has no gaps: it covers those between pieces and between steps, too.
        let is_exact = matches!(natural.pieces(), [one] if one.step == 1.into());
        let max = max.and_then(|it| it.to_u32());
        Some((LengthRange { min: first.to_u32().unwrap_or(u32::MAX), max }, is_exact))
    }

    /// The intersection; `None` if it is empty, unlike [`Domain::meet`].
    fn meet(self, other: LengthRange) -> Option<LengthRange> {
        let min = self.min.max(other.min);
        let max = self.max.into_iter().chain(other.max).min();
        max.is_none_or(|max| min <= max).then_some(LengthRange { min, max })
    }

    /// The union, if it is an interval.
    fn join(self, other: LengthRange) -> Option<LengthRange> {
        let (a, b) = if self.min <= other.min { (self, other) } else { (other, self) };
        let touch = a.max.is_none_or(|max| b.min <= max.saturating_add(1));
        let max = a.max.zip(b.max).map(|(a, b)| a.max(b));
        touch.then_some(LengthRange { min: a.min, max })
    }

    pub(crate) fn has(self, len: usize) -> bool {
        len >= self.min as usize && self.max.is_none_or(|max| len <= max as usize)
    }
}

impl TextSet {
    pub(crate) fn any() -> Self {
        TextSet { lens: LengthRange::ANY, chars: CodePointSet::all(), listed: None }
    }

    /// One text.
    pub(crate) fn single(word: &Arc<str>) -> Self {
        TextSet { listed: Some(vec![Arc::clone(word)]), ..TextSet::any() }
    }

    /// The intersection; `None` if it is empty, unlike [`Domain::meet`].
    fn meet(&self, other: &TextSet) -> Option<TextSet> {
        let lens = self.lens.meet(other.lens)?;
        let chars = CodePointSet(self.chars.0.meet(&other.chars.0));
        let words = match (&self.listed, &other.listed) {
            (Some(a), Some(b)) => {
                Some(a.iter().filter(|it| b.contains(it)).cloned().collect::<Vec<_>>())
            }
            (Some(a), None) | (None, Some(a)) => Some(a.clone()),
            (None, None) => None,
        };
        // Without characters there is still the empty text.
        let is_nothing = words.is_none() && chars.0.is_empty() && lens.min > 0;
        (!is_nothing).then_some(TextSet { lens, chars, listed: words }.normalized()).flatten()
    }

    /// Keeps only listed words that fit the rest; `None` if there are none.
    fn normalized(mut self) -> Option<TextSet> {
        let Some(words) = &mut self.listed else { return Some(self) };
        let code = |it: char| i64::from(u32::from(it));
        let (lens, chars) = (self.lens, &self.chars);
        let has = |it: char| {
            let code = code(it);
            chars.0.list().iter().any(|(min, max)| (*min..=*max).contains(&code))
        };
        words.retain(|word| lens.has(word.chars().count()) && word.chars().all(has));
        let is_nothing = words.is_empty();
        // Every listed word satisfies the other constraints now, so these are dropped.
        (!is_nothing).then(|| TextSet { listed: self.listed, ..TextSet::any() })
    }

    /// The union, if it is a set of this form.
    fn join(&self, other: &TextSet) -> Option<TextSet> {
        if let (Some(a), Some(b)) = (&self.listed, &other.listed) {
            let mut words: Vec<_> = a.iter().chain(b).cloned().collect();
            words.sort();
            words.dedup();
            return Some(TextSet { listed: Some(words), ..TextSet::any() });
        }
        if self.listed.is_some() || other.listed.is_some() {
            return None;
        }
        if self.chars == other.chars {
            let lens = self.lens.join(other.lens)?;
            return Some(TextSet { lens, ..self.clone() });
        }
        None
    }
}

impl Domain {
    /// The intersection; `None` if it cannot be represented.
    pub(crate) fn meet(&self, other: &Domain) -> Option<Domain> {
        if self == other {
            return Some(self.clone());
        }
        Some(match (self, other) {
            (Domain::Any, it) | (it, Domain::Any) => it.clone(),
            (Domain::Empty, _) | (_, Domain::Empty) => Domain::Empty,
            (Domain::OneOf(list), it) | (it, Domain::OneOf(list)) => {
                let met: Option<Vec<_>> = list.iter().map(|each| each.meet(it)).collect();
                one_of(met?)?
            }
            (Domain::Int(a), Domain::Int(b)) => Domain::of_ints(a.meet(b)?),
            (Domain::Float(a), Domain::Float(b)) => Domain::of_floats(a.meet(b)),
            // Equal booleans were handled above.
            (Domain::Bool(_), Domain::Bool(_)) => Domain::Empty,
            (Domain::Char(a), Domain::Char(b)) => {
                Domain::of_chars(CodePointSet(a.0.meet(&b.0)))
            }
            (Domain::Text(a), Domain::Text(b)) => a.meet(b).map_or(Domain::Empty, Domain::Text),
            (Domain::Container(n, a, c), Domain::Container(m, b, d)) => {
                let lens = n.meet(*m);
                let (item, value) = (a.meet(b)?, c.meet(d)?);
                lens.map_or(Domain::Empty, |lens| Domain::of_items(lens, item, value))
            }
            (Domain::Tuple(a), Domain::Tuple(b)) => match meet_all(a, b)? {
                FieldDomains::Some(parts) => Domain::Tuple(parts),
                FieldDomains::Empty => Domain::Empty,
            },
            (Domain::Constructors(a), Domain::Constructors(b)) => meet_cases(a, b)?,
            _ => return None,
        })
    }

    /// The union; `None` if it cannot be represented.
    pub(crate) fn join(&self, other: &Domain) -> Option<Domain> {
        if self == other {
            return Some(self.clone());
        }
        let merged = match (self, other) {
            (Domain::Any, _) | (_, Domain::Any) => Some(Domain::Any),
            (Domain::Empty, it) | (it, Domain::Empty) => Some(it.clone()),
            (Domain::Int(a), Domain::Int(b)) => a.join(b).map(Domain::of_ints),
            (Domain::Float(a), Domain::Float(b)) => Some(Domain::of_floats(a.join(b))),
            // Different booleans: together they are all.
            (Domain::Bool(_), Domain::Bool(_)) => Some(Domain::Any),
            (Domain::Char(a), Domain::Char(b)) => {
                Some(Domain::of_chars(CodePointSet(a.0.join(&b.0))))
            }
            (Domain::Text(a), Domain::Text(b)) => a.join(b).map(Domain::Text),
            // Only lengths can be joined: lists of the joined elements could mix both domains.
            (Domain::Container(n, a, c), Domain::Container(m, b, d)) if a == b && c == d => {
                n.join(*m).map(|lens| Domain::of_items(lens, (**a).clone(), (**c).clone()))
            }
            (Domain::Tuple(a), Domain::Tuple(b)) => join_parts(a, b).map(Domain::Tuple),
            (Domain::Constructors(a), Domain::Constructors(b)) => join_cases(a, b),
            _ => None,
        };
        merged.or_else(|| one_of(vec![self.clone(), other.clone()]))
    }

    pub(crate) fn of_ints(ints: IntSet) -> Domain {
        if ints.is_empty() {
            return Domain::Empty;
        }
        if ints == IntSet::all() { Domain::Any } else { Domain::Int(ints) }
    }

    pub(crate) fn of_floats(floats: FloatSet) -> Domain {
        if floats.is_empty() {
            return Domain::Empty;
        }
        if floats == FloatSet::all() { Domain::Any } else { Domain::Float(floats) }
    }

    pub(crate) fn of_chars(codes: CodePointSet) -> Domain {
        if codes.0.is_empty() {
            return Domain::Empty;
        }
        if codes == CodePointSet::all() { Domain::Any } else { Domain::Char(codes) }
    }

    pub(crate) fn of_items(lens: LengthRange, item: Domain, value: Domain) -> Domain {
        // Without possible elements the empty container is still a value.
        let is_empty = item == Domain::Empty || value == Domain::Empty;
        let lens =
            if is_empty { lens.meet(LengthRange { min: 0, max: Some(0) }) } else { Some(lens) };
        match lens {
            None => Domain::Empty,
            Some(lens)
                if lens == LengthRange::ANY && item == Domain::Any && value == Domain::Any =>
            {
                Domain::Any
            }
            Some(lens) => Domain::Container(lens, Box::new(item), Box::new(value)),
        }
    }
}

/// The intersection of fields, domain by domain.
enum FieldDomains {
    Some(Box<[Domain]>),
    /// One of the fields has no value.
    Empty,
}

fn meet_all(a: &[Domain], b: &[Domain]) -> Option<FieldDomains> {
    let met: Option<Box<[Domain]>> = a.iter().zip(b).map(|(a, b)| a.meet(b)).collect();
    let met = met?;
    Some(if met.contains(&Domain::Empty) {
        FieldDomains::Empty
    } else {
        FieldDomains::Some(met)
    })
}

fn meet_cases(a: &[Option<Box<[Domain]>>], b: &[Option<Box<[Domain]>>]) -> Option<Domain> {
    let mut cases = Vec::new();
    for (a, b) in a.iter().zip(b) {
        cases.push(match (a, b) {
            (Some(a), Some(b)) => match meet_all(a, b)? {
                FieldDomains::Some(fields) => Some(fields),
                FieldDomains::Empty => None,
            },
            (None, _) | (_, None) => None,
        });
    }
    Some(of_cases(cases.into()))
}

fn of_cases(cases: Box<[Option<Box<[Domain]>>]>) -> Domain {
    if cases.iter().all(Option::is_none) {
        return Domain::Empty;
    }
    let is_any = cases.iter().all(|it| {
        it.as_ref().is_some_and(|fields| fields.iter().all(|field| *field == Domain::Any))
    });
    if is_any { Domain::Any } else { Domain::Constructors(cases) }
}

/// The union, if exactly one part differs.
fn join_parts(a: &[Domain], b: &[Domain]) -> Option<Box<[Domain]>> {
    let mut differing = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (from, to)) = differing.next()?;
    // Joining two parts separately would admit combinations that are in neither.
    if differing.next().is_some() {
        return None;
    }
    let mut parts: Box<[Domain]> = a.into();
    parts[at] = from.join(to)?;
    Some(parts)
}

/// The union, constructor by constructor. That is exact, because no value has two constructors.
fn join_cases(a: &[Option<Box<[Domain]>>], b: &[Option<Box<[Domain]>>]) -> Option<Domain> {
    let mut cases = Vec::new();
    for (a, b) in a.iter().zip(b) {
        cases.push(match (a, b) {
            (Some(a), Some(b)) if a != b => Some(join_parts(a, b)?),
            (Some(it), _) | (None, Some(it)) => Some(it.clone()),
            (None, None) => None,
        });
    }
    Some(of_cases(cases.into()))
}

/// The union of some domains as alternatives; `None` if they are too many.
fn one_of(domains: Vec<Domain>) -> Option<Domain> {
    let mut list: Vec<Domain> = Vec::new();
    for domain in domains {
        if domain == Domain::Any {
            return Some(Domain::Any);
        }
        if let Domain::OneOf(inner) = domain {
            list.extend(inner);
        } else if domain != Domain::Empty {
            list.push(domain);
        }
    }
    let mut distinct: Vec<Domain> = Vec::new();
    for domain in list {
        if !distinct.contains(&domain) {
            distinct.push(domain);
        }
    }
    match distinct.len() {
        0 => Some(Domain::Empty),
        1 => distinct.pop(),
        n if n <= MAX_ALTERNATIVES => Some(Domain::OneOf(distinct.into())),
        _ => None,
    }
}

/// The pieces of a set of integers from simple to complex, each of whole blocks.
pub(crate) fn by_simplicity(ints: &IntSet) -> Vec<PeriodicInterval> {
    let mut pieces: Vec<PeriodicInterval> =
        ints.pieces().iter().flat_map(PeriodicInterval::in_whole_blocks).collect();
    pieces.sort_by_cached_key(|it| {
        let nearest = it.nearest_to_zero();
        (nearest.magnitude().clone(), nearest.is_negative(), it.clone())
    });
    pieces
}
