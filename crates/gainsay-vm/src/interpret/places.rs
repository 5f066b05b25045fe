//! Where the locals of a function and what it takes apart lie in its frame.
//!
//! Arguments come first, then captures, so that a caller can put arguments in their places
//! before it knows how many captures there are. Then come the other locals, and values that
//! are matched and are no locals. A name that a pattern gives to a part of something in a
//! slot needs no slot itself: it stands for that part.

use gainsay_core::{
    Function, LocalId, Pattern, PatternId, RestPattern, Statement, Term, TermId,
};

use super::code::Step;

/// The places of one function.
pub(super) struct Places<'a> {
    function: &'a Function,
    locals: Vec<Place>,
    /// For each term that is matched and is no local, its slot.
    subjects: Vec<Option<u32>>,
    pub(super) n_slots: u32,
}

/// Where a local is.
#[derive(Copy, Clone)]
pub(super) enum Place {
    Slot(u32),
    /// It is a part of what a term gives.
    Part(TermId, Step),
}

/// What patterns look at.
pub(super) enum Subjects<'a> {
    /// The value of a term.
    Whole(TermId),
    /// The values of the parts of a tuple, which itself never needs to exist.
    Parts(&'a [TermId]),
}

impl Subjects<'_> {
    /// The terms.
    pub(super) fn terms(&self) -> &[TermId] {
        match self {
            Self::Whole(term) => std::slice::from_ref(term),
            Self::Parts(terms) => terms,
        }
    }
}

impl<'a> Places<'a> {
    pub(super) fn new(function: &'a Function) -> Self {
        let (n_captures, n_params) = (function.n_captures, function.params.len() as u32);
        let n_locals = function.body.locals.len().max(function.params.len()) as u32;
        let slot = |local| Place::Slot(slot(local, n_captures, n_params));
        let mut places = Self {
            function,
            locals: (0..n_locals).map(slot).collect(),
            subjects: vec![None; function.body.terms.len()],
            n_slots: n_params,
        };
        // Terms come after their parts, so that this goes from the outside to the inside:
        // what is matched may be a name that was given to a part around.
        for term in function.body.terms.iter().rev() {
            places.look_into(term);
        }
        for at in n_params as usize..n_locals as usize {
            if let Place::Slot(_) = places.locals[at] {
                places.locals[at] = Place::Slot(places.n_slots);
                places.n_slots += 1;
            }
        }
        places
    }

    pub(super) fn local(&self, local: LocalId) -> Place {
        self.locals[local.index()]
    }

    /// The slot of what is matched.
    pub(super) fn subject(&self, term: TermId) -> u32 {
        match self.in_slot(term) {
            Some((_, slot)) => slot,
            None => self.subjects[term.index()].unwrap_or(0),
        }
    }

    /// The local that a term is, and its slot, if it has one.
    pub(super) fn in_slot(&self, term: TermId) -> Option<(LocalId, u32)> {
        let Term::Local(local) = self.function.body.term(term) else { return None };
        match self.local(*local) {
            Place::Slot(slot) => Some((*local, slot)),
            Place::Part(..) => None,
        }
    }

    /// What some patterns of one value look at.
    pub(super) fn subjects(&self, value: TermId, patterns: &[PatternId]) -> Subjects<'a> {
        if let Term::Tuple(parts) = self.function.body.term(value)
            && patterns.iter().all(|it| self.is_apart(*it, parts.len()))
        {
            return Subjects::Parts(parts);
        }
        Subjects::Whole(value)
    }

    /// Whether a pattern of a tuple looks at its parts only.
    fn is_apart(&self, pattern: PatternId, n_parts: usize) -> bool {
        match self.function.body.pattern(pattern) {
            Pattern::Wildcard => true,
            Pattern::Tuple(parts) => parts.len() == n_parts,
            Pattern::Or(alternatives) => {
                alternatives.iter().all(|alternative| self.is_apart(*alternative, n_parts))
            }
            Pattern::Bind(_) | Pattern::Literal(_) | Pattern::Ctor(..) => false,
            Pattern::List(..) => false,
        }
    }

    fn look_into(&mut self, term: &Term) {
        if let Term::Match { scrutinee, arms } = term {
            let patterns: Vec<PatternId> = arms.iter().map(|arm| arm.pattern).collect();
            self.place(*scrutinee, &patterns);
        } else if let Term::Block { statements, .. } = term {
            for statement in statements {
                if let Statement::Let(pattern, value) = statement
                    && !matches!(self.function.body.pattern(*pattern), Pattern::Bind(_))
                {
                    self.place(*value, &[*pattern]);
                }
            }
        }
    }

    fn place(&mut self, value: TermId, patterns: &[PatternId]) {
        let function = self.function;
        match self.subjects(value, patterns) {
            Subjects::Whole(term) => {
                self.give_slot(term);
                patterns.iter().for_each(|pattern| self.name_parts(term, *pattern));
            }
            Subjects::Parts(terms) => {
                terms.iter().for_each(|term| self.give_slot(*term));
                for pattern in patterns {
                    if let Pattern::Tuple(parts) = function.body.pattern(*pattern) {
                        let parts = terms.iter().zip(parts);
                        parts.for_each(|(term, pattern)| self.name_parts(*term, *pattern));
                    }
                }
            }
        }
    }

    fn give_slot(&mut self, term: TermId) {
        if self.in_slot(term).is_none() {
            self.subjects[term.index()] = Some(self.n_slots);
            self.n_slots += 1;
        }
    }

    /// Lets names that a pattern gives to parts stand for these parts.
    fn name_parts(&mut self, term: TermId, pattern: PatternId) {
        let function = self.function;
        match function.body.pattern(pattern) {
            Pattern::List(items, rest) => {
                if let Some(first) = items.first() {
                    self.name_part(term, *first, Step::Item(0));
                }
                if let (1, RestPattern::Some(rest)) = (items.len(), rest) {
                    self.name_part(term, *rest, Step::After(1));
                }
            }
            Pattern::Tuple(fields) | Pattern::Ctor(_, fields) => {
                for (index, field) in (0..).zip(fields) {
                    self.name_part(term, *field, Step::Field(index));
                }
            }
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) | Pattern::Or(_) => {}
        }
    }

    fn name_part(&mut self, term: TermId, pattern: PatternId, step: Step) {
        if let Pattern::Bind(local) = self.function.body.pattern(pattern) {
            self.locals[local.index()] = Place::Part(term, step);
        }
    }
}

/// The slot of a parameter.
pub(super) fn slot(local: u32, n_captures: u32, n_params: u32) -> u32 {
    if local < n_captures {
        n_params - n_captures + local
    } else if local < n_params {
        local - n_captures
    } else {
        local
    }
}
