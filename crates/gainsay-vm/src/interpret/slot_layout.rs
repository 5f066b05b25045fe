//! Assigns the frame slots of a function's locals and match subjects.
//!
//! Arguments come first, then captures, so that a caller can place arguments before it knows how
//! many captures there are. Then come match subjects that are not locals, and the other locals. A
//! name that a pattern gives to a part of a value in a slot needs no slot of its own: it is an
//! alias of that part.

use gainsay_core::{
    Function, LocalId, Pattern, PatternId, RestPattern, Statement, Term, TermId,
};

use super::node_code::PartStep;

/// The frame layout of one function.
pub(super) struct SlotLayout<'a> {
    function: &'a Function,
    locals: Vec<LocalLocation>,
    /// The slot of each term that is a match subject and not a local.
    subjects: Vec<Option<u32>>,
    pub(super) n_slots: u32,
}

/// The location of a local.
#[derive(Copy, Clone)]
pub(super) enum LocalLocation {
    Slot(u32),
    /// An alias of a part of a term's value.
    Part(TermId, PartStep),
}

/// The values that patterns inspect.
pub(super) enum MatchSubjects<'a> {
    /// The value of a term.
    Whole(TermId),
    /// The values of the parts of a tuple that is never built.
    Parts(&'a [TermId]),
}

impl MatchSubjects<'_> {
    /// The inspected terms.
    pub(super) fn terms(&self) -> &[TermId] {
        match self {
            Self::Whole(term) => std::slice::from_ref(term),
            Self::Parts(terms) => terms,
        }
    }
}

impl<'a> SlotLayout<'a> {
    pub(super) fn new(function: &'a Function) -> Self {
        let (n_captures, n_params) = (function.n_captures, function.params.len() as u32);
        let n_locals = function.body.locals.len().max(function.params.len()) as u32;
        let slot = |local| LocalLocation::Slot(param_slot(local, n_captures, n_params));
        let mut places = Self {
            function,
            locals: (0..n_locals).map(slot).collect(),
            subjects: vec![None; function.body.terms.len()],
            n_slots: n_params,
        };
        // Subterms precede their parents, so the reverse order visits outer terms first: a match
        // subject may be a name that an outer pattern gave to a part.
        for term in function.body.terms.iter().rev() {
            places.visit_term(term);
        }
        // Only now, since aliases found above need no slot.
        for at in n_params as usize..n_locals as usize {
            if let LocalLocation::Slot(_) = places.locals[at] {
                places.locals[at] = LocalLocation::Slot(places.n_slots);
                places.n_slots += 1;
            }
        }
        places
    }

    pub(super) fn local(&self, local: LocalId) -> LocalLocation {
        self.locals[local.index()]
    }

    /// The slot of a match subject.
    pub(super) fn subject(&self, term: TermId) -> u32 {
        match self.in_slot(term) {
            Some((_, slot)) => slot,
            None => self.subjects[term.index()].unwrap_or(0),
        }
    }

    /// The local that a term refers to, with its slot, if it has one.
    pub(super) fn in_slot(&self, term: TermId) -> Option<(LocalId, u32)> {
        let Term::Local(local) = self.function.body.term(term) else { return None };
        match self.local(*local) {
            LocalLocation::Slot(slot) => Some((*local, slot)),
            LocalLocation::Part(..) => None,
        }
    }

    /// The values that the patterns of one match inspect.
    pub(super) fn subjects(&self, value: TermId, patterns: &[PatternId]) -> MatchSubjects<'a> {
        // One pattern that binds the whole tuple forces it to be built.
        if let Term::Tuple(parts) = self.function.body.term(value)
            && patterns.iter().all(|it| self.matches_parts_only(*it, parts.len()))
        {
            return MatchSubjects::Parts(parts);
        }
        MatchSubjects::Whole(value)
    }

    /// Whether a tuple pattern inspects only the parts, never the tuple as a whole.
    fn matches_parts_only(&self, pattern: PatternId, n_parts: usize) -> bool {
        match self.function.body.pattern(pattern) {
            Pattern::Wildcard => true,
            Pattern::Tuple(parts) => parts.len() == n_parts,
            Pattern::Or(alternatives) => alternatives
                .iter()
                .all(|alternative| self.matches_parts_only(*alternative, n_parts)),
            Pattern::Bind(_) | Pattern::Literal(_) | Pattern::Ctor(..) => false,
            Pattern::List(..) => false,
        }
    }

    fn visit_term(&mut self, term: &Term) {
        if let Term::Match { scrutinee, arms } = term {
            let patterns: Vec<PatternId> = arms.iter().map(|arm| arm.pattern).collect();
            self.assign_subject(*scrutinee, &patterns);
        } else if let Term::Block { statements, .. } = term {
            for statement in statements {
                if let Statement::Let(pattern, value) = statement
                    && !matches!(self.function.body.pattern(*pattern), Pattern::Bind(_))
                {
                    self.assign_subject(*value, &[*pattern]);
                }
            }
        }
    }

    fn assign_subject(&mut self, value: TermId, patterns: &[PatternId]) {
        let function = self.function;
        match self.subjects(value, patterns) {
            MatchSubjects::Whole(term) => {
                self.assign_slot(term);
                patterns.iter().for_each(|pattern| self.alias_parts(term, *pattern));
            }
            MatchSubjects::Parts(terms) => {
                terms.iter().for_each(|term| self.assign_slot(*term));
                for pattern in patterns {
                    // Aliases are only made for plain tuple patterns, not for alternatives of them.
                    if let Pattern::Tuple(parts) = function.body.pattern(*pattern) {
                        let parts = terms.iter().zip(parts);
                        parts.for_each(|(term, pattern)| self.alias_parts(*term, *pattern));
                    }
                }
            }
        }
    }

    fn assign_slot(&mut self, term: TermId) {
        if self.in_slot(term).is_none() {
            self.subjects[term.index()] = Some(self.n_slots);
            self.n_slots += 1;
        }
    }

    /// Makes names that a pattern gives to parts aliases of these parts.
    fn alias_parts(&mut self, term: TermId, pattern: PatternId) {
        let function = self.function;
        match function.body.pattern(pattern) {
            Pattern::List(items, rest) => {
                if let Some(first) = items.first() {
                    self.alias_part(term, *first, PartStep::Item(0));
                }
                // Only tails one step away: reading a later one would walk the list at every use.
                if let (1, RestPattern::Some(rest)) = (items.len(), rest) {
                    self.alias_part(term, *rest, PartStep::ListTail(1));
                }
            }
            Pattern::Tuple(fields) | Pattern::Ctor(_, fields) => {
                for (index, field) in (0..).zip(fields) {
                    self.alias_part(term, *field, PartStep::Field(index));
                }
            }
            // Alternatives may bind a name at different places, so it cannot be an alias.
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) | Pattern::Or(_) => {}
        }
    }

    fn alias_part(&mut self, term: TermId, pattern: PatternId, step: PartStep) {
        if let Pattern::Bind(local) = self.function.body.pattern(pattern) {
            self.locals[local.index()] = LocalLocation::Part(term, step);
        }
    }
}

/// The slot of a parameter. Locals number captures first; the frame has arguments first.
pub(super) fn param_slot(local: u32, n_captures: u32, n_params: u32) -> u32 {
    if local < n_captures {
        n_params - n_captures + local
    } else if local < n_params {
        local - n_captures
    } else {
        local
    }
}
