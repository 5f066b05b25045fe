//! What stands for a value that is not known: a part of the subject, or what is computed of it.

use gainsay_core::{CtorId, FunctionId, Literal, Program, Ty, TyId};
use num_bigint::BigInt;

use super::{Solved, Solver};
use crate::domain::{Codes, Domain, Lens, Texts};

/// What is known of a value.
#[derive(Debug, Clone)]
pub(super) enum Symbol {
    /// A part of the value that is asked for.
    Subject(Place),
    /// A number that is computed of a part.
    Number(Number),
    /// A number that is known.
    Int(BigInt),
    /// Another constant.
    Literal(Literal),
    /// A constructor with its fields.
    Data(CtorId, Vec<Symbol>),
    /// A tuple.
    Tuple(Vec<Symbol>),
    /// A list of known length.
    List(Vec<Symbol>),
    /// A list of what is in a part.
    View(Place, View),
    /// A function with the values of its first parameters.
    Function(FunctionId, Vec<Symbol>),
    /// A truth value, as the values for which it is true, and those for which it is false.
    Truth(Box<(Solved, Solved)>),
    /// One thing or another, as the value is.
    Either(Box<Either>),
    /// Nothing is known.
    Opaque,
}

/// A value that depends on a condition.
#[derive(Debug, Clone)]
pub(super) struct Either {
    pub(super) yes: Solved,
    pub(super) no: Solved,
    pub(super) then: Symbol,
    pub(super) otherwise: Symbol,
}

/// A part of the value that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Which value: the whole one is 0, elements of containers have numbers of their own.
    pub(super) root: u32,
    /// The way from it.
    pub(super) hops: Vec<Hop>,
    /// Its type.
    pub(super) ty: TyId,
}

/// One step from a value to a part of it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Hop {
    /// An element of a tuple of so many.
    Part(usize, usize),
    /// A field of a constructor.
    Field(CtorId, usize),
}

/// A number computed of a part.
#[derive(Debug, Clone)]
pub(super) struct Number {
    pub(super) place: Place,
    pub(super) measure: Measure,
    /// What is done with it, in order.
    pub(super) steps: Vec<Step>,
}

/// What number there is to a part.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Measure {
    /// It is one.
    Itself,
    /// How many elements it has.
    Len,
    /// The code point it is.
    Code,
}

/// A step of a computation.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Add(BigInt),
    Negate,
    Multiply(BigInt),
    Divide(BigInt),
    Remainder(BigInt),
}

/// What a list is made of.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum View {
    /// The characters of a text.
    Chars,
    /// The elements of a set.
    Items,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
    /// Both.
    Entries,
}

impl Symbol {
    pub(super) fn literal(literal: &Literal) -> Symbol {
        match literal {
            Literal::Int(int) => Symbol::Int(BigInt::from(*int)),
            Literal::Big(big) => Symbol::Int((**big).clone()),
            Literal::Float(_) | Literal::Bool(_) | Literal::Char(_) | Literal::Str(_) => {
                Symbol::Literal(literal.clone())
            }
        }
    }
}

impl Solver<'_> {
    /// A part of a place that is a tuple.
    pub(super) fn part(&mut self, place: &Place, at: usize) -> Symbol {
        let Ty::Tuple(parts) = self.types.get(self.types.base(place.ty)) else {
            return Symbol::Opaque;
        };
        let Some(ty) = parts.get(at).copied() else { return Symbol::Opaque };
        let hop = Hop::Part(at, parts.len());
        Symbol::Subject(place.then(hop, ty))
    }

    /// A field of a place that is made by a constructor.
    pub(super) fn field_of(&mut self, place: &Place, ctor: CtorId, at: usize) -> Symbol {
        let Ty::Named(named, args) = self.types.get(self.types.base(place.ty)).clone() else {
            return Symbol::Opaque;
        };
        let definition = self.program.ctor(ctor);
        let Some(field) = definition.fields.get(at).filter(|_| definition.ty == named) else {
            return Symbol::Opaque;
        };
        let ty = self.types.instantiate(field.ty, &args);
        Symbol::Subject(place.then(Hop::Field(ctor, at), ty))
    }

    /// A field of a record or an element of a tuple.
    pub(super) fn field(&mut self, base: &Symbol, at: usize) -> Symbol {
        match base {
            Symbol::Tuple(parts) | Symbol::Data(_, parts) => {
                parts.get(at).cloned().unwrap_or(Symbol::Opaque)
            }
            Symbol::Subject(place) => {
                let base = self.types.get(self.types.base(place.ty)).clone();
                if let Ty::Named(named, _) = base
                    && let [ctor] = &*self.program.nominal(named).ctors
                {
                    return self.field_of(place, *ctor, at);
                }
                self.part(place, at)
            }
            _ => Symbol::Opaque,
        }
    }

    /// The values whose part at a place is in a domain.
    pub(super) fn at(&mut self, place: &Place, part: Solved) -> Solved {
        if place.root != self.root {
            return Solved::unknown();
        }
        let domain = around(self.program, &place.hops, part.domain);
        Solved { is_exact: part.is_exact || domain == Domain::Never, domain }
    }

    /// The values that have at a place so many elements as a domain of integers says.
    pub(super) fn with_len(&mut self, place: &Place, lens: Option<(Lens, bool)>) -> Solved {
        let Some((lens, is_exact)) = lens else {
            return self.at(place, Solved::exactly(Domain::Never));
        };
        let domain = match self.types.get(self.types.base(place.ty)) {
            Ty::Str => Domain::Text(Texts { lens, ..Texts::any() }),
            _ => Domain::of_items(lens, Domain::Any, Domain::Any),
        };
        self.at(place, Solved { domain, is_exact })
    }

    /// The values all of whose elements at a place are in a domain.
    pub(super) fn with_items(&mut self, place: &Place, view: View, each: Solved) -> Solved {
        let Solved { domain, mut is_exact } = each;
        let domain = match (view, domain) {
            (_, Domain::Any) => Domain::Any,
            (View::Chars, Domain::Char(chars)) => Domain::Text(Texts { chars, ..Texts::any() }),
            (View::Chars, Domain::Never) => {
                let chars = Codes(crate::domain::Ranges::of(Vec::new()));
                Domain::Text(Texts { chars, ..Texts::any() })
            }
            (View::Items | View::Keys, each) => Domain::of_items(Lens::ANY, each, Domain::Any),
            (View::Values, each) => Domain::of_items(Lens::ANY, Domain::Any, each),
            (View::Entries, Domain::Parts(parts)) if parts.len() == 2 => {
                Domain::of_items(Lens::ANY, parts[0].clone(), parts[1].clone())
            }
            (View::Entries, Domain::Never) => {
                Domain::of_items(Lens::ANY, Domain::Never, Domain::Never)
            }
            (View::Chars | View::Entries, _) => {
                is_exact = false;
                Domain::Any
            }
        };
        self.at(place, Solved { domain, is_exact })
    }
}

impl Place {
    fn then(&self, hop: Hop, ty: TyId) -> Place {
        let mut hops = self.hops.clone();
        hops.push(hop);
        Place { root: self.root, hops, ty }
    }
}

/// The values whose part at the end of a way is in a domain. What is not on the way may be
/// anything, other constructors too: who goes through a constructor says so separately.
fn around(program: &Program, hops: &[Hop], domain: Domain) -> Domain {
    hops.iter().rev().fold(domain, |domain, hop| {
        if domain == Domain::Any {
            return domain;
        }
        match *hop {
            Hop::Part(..) if domain == Domain::Never => Domain::Never,
            Hop::Part(at, of) => {
                let mut parts = vec![Domain::Any; of];
                parts[at] = domain;
                Domain::Parts(parts.into())
            }
            Hop::Field(ctor, at) => {
                let tag = program.ctor(ctor).tag as usize;
                let mut cases = all_cases(program, ctor);
                if domain == Domain::Never {
                    cases[tag] = None;
                } else if let Some(fields) = &mut cases[tag] {
                    fields[at] = domain;
                }
                of_cases(cases)
            }
        }
    })
}

/// Every constructor of the type of one, with any fields.
fn all_cases(program: &Program, ctor: CtorId) -> Box<[Option<Box<[Domain]>>]> {
    let ctors = program.nominal(program.ctor(ctor).ty).ctors.iter();
    let fields = |it: &CtorId| vec![Domain::Any; program.ctor(*it).fields.len()].into();
    ctors.map(|it| Some(fields(it))).collect()
}

fn of_cases(cases: Box<[Option<Box<[Domain]>>]>) -> Domain {
    if cases.iter().all(Option::is_none) { Domain::Never } else { Domain::Cases(cases) }
}

/// The values that a constructor makes.
pub(super) fn only(program: &Program, ctor: CtorId) -> Domain {
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

/// The values that a constructor does not make.
pub(super) fn all_but(program: &Program, ctor: CtorId) -> Domain {
    let mut cases = all_cases(program, ctor);
    cases[program.ctor(ctor).tag as usize] = None;
    of_cases(cases)
}
