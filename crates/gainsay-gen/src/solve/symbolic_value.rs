//! Symbolic values: a part of the subject, or a value computed from it.

use gainsay_core::{CtorId, FunctionId, Literal, Program, Ty, TyId};
use num_bigint::BigInt;

use super::{PredicateSolution, PredicateSolver};
use crate::domain::{CodePointSet, Domain, LengthRange, TextSet};

/// What is known about a value.
#[derive(Debug, Clone)]
pub(super) enum SymbolicValue {
    /// A part of the subject.
    Subject(SubjectPath),
    /// A number computed from a part.
    Number(SymbolicInt),
    /// A known integer.
    Int(BigInt),
    /// Another constant.
    Literal(Literal),
    /// A constructor with its fields.
    Data(CtorId, Vec<SymbolicValue>),
    /// A tuple.
    Tuple(Vec<SymbolicValue>),
    /// A list of known length.
    List(Vec<SymbolicValue>),
    /// The elements of a part, as a list.
    View(SubjectPath, ElementView),
    /// A function with the values of its first parameters.
    Function(FunctionId, Vec<SymbolicValue>),
    /// A boolean, as the values for which it is true and those for which it is false.
    Truth(Box<(PredicateSolution, PredicateSolution)>),
    /// One value or another, depending on the subject.
    Either(Box<ConditionalValue>),
    /// Nothing is known.
    Unknown,
}

/// A value that depends on a condition.
#[derive(Debug, Clone)]
pub(super) struct ConditionalValue {
    pub(super) yes: PredicateSolution,
    pub(super) no: PredicateSolution,
    pub(super) then: SymbolicValue,
    pub(super) otherwise: SymbolicValue,
}

/// A part of the subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SubjectPath {
    /// Which subject: 0 is the whole value, elements of containers have roots of their own.
    pub(super) root: u32,
    /// The path from the root.
    pub(super) segments: Vec<PathSegment>,
    /// The type of the part.
    pub(super) ty: TyId,
}

/// One step from a value to a part of it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum PathSegment {
    /// An element of a tuple: its index, and the arity of the tuple.
    TupleElement(usize, usize),
    /// A field of a constructor.
    Field(CtorId, usize),
}

/// A number computed from a part.
#[derive(Debug, Clone)]
pub(super) struct SymbolicInt {
    pub(super) place: SubjectPath,
    pub(super) measure: IntMeasure,
    /// The operations on it, in order.
    pub(super) steps: Vec<ArithmeticStep>,
}

/// How a number is obtained from a part.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum IntMeasure {
    /// The part is the number.
    Identity,
    /// The number of its elements.
    Len,
    /// Its code point.
    Code,
}

/// A step of a computation.
#[derive(Debug, Clone)]
pub(super) enum ArithmeticStep {
    Add(BigInt),
    Negate,
    Multiply(BigInt),
    Divide(BigInt),
    Remainder(BigInt),
}

/// Which elements a view lists.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum ElementView {
    /// The characters of a text.
    Chars,
    /// The elements of a list or set.
    Items,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
    /// The keys and values of a map, as pairs.
    Entries,
}

impl SymbolicValue {
    pub(super) fn literal(literal: &Literal) -> SymbolicValue {
        match literal {
            Literal::Int(int) => SymbolicValue::Int(BigInt::from(*int)),
            Literal::Big(big) => SymbolicValue::Int((**big).clone()),
            Literal::Float(_) | Literal::Bool(_) | Literal::Char(_) | Literal::Str(_) => {
                SymbolicValue::Literal(literal.clone())
            }
        }
    }
}

impl PredicateSolver<'_> {
    /// An element of a place that is a tuple.
    pub(super) fn part(&mut self, place: &SubjectPath, at: usize) -> SymbolicValue {
        let Ty::Tuple(parts) = self.types.get(self.types.base(place.ty)) else {
            return SymbolicValue::Unknown;
        };
        let Some(ty) = parts.get(at).copied() else { return SymbolicValue::Unknown };
        let hop = PathSegment::TupleElement(at, parts.len());
        SymbolicValue::Subject(place.extended(hop, ty))
    }

    /// A field of a place that is made by a constructor.
    pub(super) fn field_of(
        &mut self,
        place: &SubjectPath,
        ctor: CtorId,
        at: usize,
    ) -> SymbolicValue {
        let Ty::Named(named, args) = self.types.get(self.types.base(place.ty)).clone() else {
            return SymbolicValue::Unknown;
        };
        let definition = self.program.ctor(ctor);
        let Some(field) = definition.fields.get(at).filter(|_| definition.ty == named) else {
            return SymbolicValue::Unknown;
        };
        let ty = self.types.instantiate(field.ty, &args);
        SymbolicValue::Subject(place.extended(PathSegment::Field(ctor, at), ty))
    }

    /// A field of a record or an element of a tuple.
    pub(super) fn field(&mut self, base: &SymbolicValue, at: usize) -> SymbolicValue {
        match base {
            SymbolicValue::Tuple(parts) | SymbolicValue::Data(_, parts) => {
                parts.get(at).cloned().unwrap_or(SymbolicValue::Unknown)
            }
            SymbolicValue::Subject(place) => {
                let base = self.types.get(self.types.base(place.ty)).clone();
                if let Ty::Named(named, _) = base
                    && let [ctor] = &*self.program.nominal(named).ctors
                {
                    return self.field_of(place, *ctor, at);
                }
                self.part(place, at)
            }
            _ => SymbolicValue::Unknown,
        }
    }

    /// The values whose part at a place is in a domain.
    pub(super) fn with_part_in(
        &mut self,
        place: &SubjectPath,
        part: PredicateSolution,
    ) -> PredicateSolution {
        // A part of another subject says nothing about the one that is solved for.
        if place.root != self.root {
            return PredicateSolution::unknown();
        }
        let domain = domain_with_part(self.program, &place.segments, part.domain);
        // An empty over-approximation is exact: nothing is smaller.
        PredicateSolution { is_exact: part.is_exact || domain == Domain::Empty, domain }
    }

    /// The values whose part at a place has one of these lengths; `None` for no length.
    pub(super) fn with_len(
        &mut self,
        place: &SubjectPath,
        lens: Option<(LengthRange, bool)>,
    ) -> PredicateSolution {
        let Some((lens, is_exact)) = lens else {
            return self.with_part_in(place, PredicateSolution::exactly(Domain::Empty));
        };
        let domain = match self.types.get(self.types.base(place.ty)) {
            Ty::Str => Domain::Text(TextSet { lens, ..TextSet::any() }),
            _ => Domain::of_items(lens, Domain::Any, Domain::Any),
        };
        self.with_part_in(place, PredicateSolution { domain, is_exact })
    }

    /// The values all of whose elements at a place are in a domain.
    pub(super) fn with_items(
        &mut self,
        place: &SubjectPath,
        view: ElementView,
        each: PredicateSolution,
    ) -> PredicateSolution {
        let PredicateSolution { domain, mut is_exact } = each;
        let domain = match (view, domain) {
            (_, Domain::Any) => Domain::Any,
            (ElementView::Chars, Domain::Char(chars)) => {
                Domain::Text(TextSet { chars, ..TextSet::any() })
            }
            (ElementView::Chars, Domain::Empty) => {
                let chars = CodePointSet(crate::domain::RangeSet::of(Vec::new()));
                Domain::Text(TextSet { chars, ..TextSet::any() })
            }
            (ElementView::Items | ElementView::Keys, each) => {
                Domain::of_items(LengthRange::ANY, each, Domain::Any)
            }
            (ElementView::Values, each) => {
                Domain::of_items(LengthRange::ANY, Domain::Any, each)
            }
            (ElementView::Entries, Domain::Tuple(parts)) if parts.len() == 2 => {
                Domain::of_items(LengthRange::ANY, parts[0].clone(), parts[1].clone())
            }
            (ElementView::Entries, Domain::Empty) => {
                Domain::of_items(LengthRange::ANY, Domain::Empty, Domain::Empty)
            }
            (ElementView::Chars | ElementView::Entries, _) => {
                is_exact = false;
                Domain::Any
            }
        };
        self.with_part_in(place, PredicateSolution { domain, is_exact })
    }
}

impl SubjectPath {
    fn extended(&self, hop: PathSegment, ty: TyId) -> SubjectPath {
        let mut hops = self.segments.clone();
        hops.push(hop);
        SubjectPath { root: self.root, segments: hops, ty }
    }
}

/// The values whose part at the end of a path is in a domain. Everything off the path is
/// unconstrained, including other constructors: callers that go through a constructor restrict it
/// separately.
fn domain_with_part(program: &Program, hops: &[PathSegment], domain: Domain) -> Domain {
    hops.iter().rev().fold(domain, |domain, hop| {
        if domain == Domain::Any {
            return domain;
        }
        match *hop {
            PathSegment::TupleElement(..) if domain == Domain::Empty => Domain::Empty,
            PathSegment::TupleElement(at, of) => {
                let mut parts = vec![Domain::Any; of];
                parts[at] = domain;
                Domain::Tuple(parts.into())
            }
            PathSegment::Field(ctor, at) => {
                let tag = program.ctor(ctor).tag as usize;
                let mut cases = all_cases(program, ctor);
                if domain == Domain::Empty {
                    cases[tag] = None;
                } else if let Some(fields) = &mut cases[tag] {
                    fields[at] = domain;
                }
                of_cases(cases)
            }
        }
    })
}

/// Every constructor of the type of `ctor`, with any fields.
fn all_cases(program: &Program, ctor: CtorId) -> Box<[Option<Box<[Domain]>>]> {
    let ctors = program.nominal(program.ctor(ctor).ty).ctors.iter();
    let fields = |it: &CtorId| vec![Domain::Any; program.ctor(*it).fields.len()].into();
    ctors.map(|it| Some(fields(it))).collect()
}

fn of_cases(cases: Box<[Option<Box<[Domain]>>]>) -> Domain {
    if cases.iter().all(Option::is_none) { Domain::Empty } else { Domain::Constructors(cases) }
}

/// The values made by a constructor.
pub(super) fn only_constructor(program: &Program, ctor: CtorId) -> Domain {
    let mut cases = all_cases(program, ctor);
    let tag = program.ctor(ctor).tag as usize;
    if cases.len() == 1 {
        return Domain::Any;
    }
    for (at, case) in cases.iter_mut().enumerate() {
        if at != tag {
            *case = None;
        }
    }
    of_cases(cases)
}

/// The values not made by a constructor.
pub(super) fn all_but_constructor(program: &Program, ctor: CtorId) -> Domain {
    let mut cases = all_cases(program, ctor);
    cases[program.ctor(ctor).tag as usize] = None;
    of_cases(cases)
}
