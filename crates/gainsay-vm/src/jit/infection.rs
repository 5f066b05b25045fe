//! Infection analysis: finds the terms at which a mutant's effect on a value can be computed.
//!
//! A case detects a mutant only if it reaches the mutated term and the term then has a different
//! value: R. Just, M. D. Ernst, G. Fraser, "Efficient Mutation Analysis by Propagating and
//! Partitioning Infected Execution States", ISSTA 2014. For a simple term, both values are computed
//! while the original program runs; a mutant that changes none of them is not detected, and needs
//! no run of its own.
//!
//! The comparison is made at the largest simple term around the mutated one: `2` always differs
//! from `1`, but `n > 2` and `n > 1` agree on most inputs.

use std::collections::BTreeMap;

use gainsay_core::builtin::{
    self, BOOL_NOT, INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB, LIST_LEN, STR_LEN,
};
use gainsay_core::{
    Body, BuiltinId, FunctionId, Literal, Program, Term, TermId, Ty, TypeTable,
};

use super::instrumentation::TermMutant;
use crate::{MutantId, SwitchId};

/// Maximum number of terms in a compared term.
const MAX_TERMS: usize = 12;

/// Bits of the largest integer that is compared: a product of two sums of such integers, and a sum
/// with that, fit a word.
pub(crate) const MAX_COMPARED_BITS: u32 = 27;

/// A term that is compared with its mutated forms.
#[derive(Debug, Clone)]
pub(crate) struct InfectionSite {
    /// The flag that enables the comparison.
    pub(crate) compare_flag: SwitchId,
    /// The flag that is cleared when the first mutant changes the value; those of the others
    /// follow.
    pub(crate) first_flag: SwitchId,
    pub(crate) edits: Vec<InfectionEdit>,
}

/// The replacement of a term in a mutant.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct InfectionEdit {
    pub(crate) term: TermId,
    pub(crate) replacement: TermId,
}

/// The terms at which mutants are compared, with those mutants.
pub(crate) fn infection_sites(
    program: &Program,
    mutants: &[TermMutant],
) -> BTreeMap<(FunctionId, TermId), Vec<MutantId>> {
    let mut in_function: BTreeMap<FunctionId, Vec<MutantId>> = BTreeMap::new();
    // Grouped by function, so that the parents of its terms are computed once.
    for (id, mutant) in MutantId::all(mutants.len()).zip(mutants) {
        in_function.entry(mutant.function).or_default().push(id);
    }
    let mut sites: BTreeMap<(FunctionId, TermId), Vec<MutantId>> = BTreeMap::new();
    for (function, ids) in in_function {
        let body = &program.function(function).body;
        let looked = InfectionAnalysis { program, body, parents: body.parents() };
        for id in ids {
            let TermMutant { term, replacement, .. } = mutants[id.index()];
            let edit = InfectionEdit { term, replacement };
            if let Some(top) = looked.largest_simple_term(edit) {
                sites.entry((function, top)).or_default().push(id);
            }
        }
    }
    sites
}

/// Whether all values of a type are immediates, which compare as words.
pub(crate) fn is_immediate(program: &Program, ty: &Ty) -> bool {
    match ty {
        Ty::Bool | Ty::Char => true,
        Ty::Named(named, _) => {
            let ctors = &program.nominal(*named).ctors;
            ctors.iter().all(|it| program.ctor(*it).fields.is_empty())
        }
        Ty::Int | Ty::Float | Ty::Str | Ty::Tuple(_) | Ty::List(_) | Ty::Map(..) => false,
        Ty::Set(_) | Ty::Function { .. } | Ty::Refined { .. } => false,
        Ty::Param(_) | Ty::Var(_) | Ty::Error => false,
    }
}

fn is_small_literal(literal: &Literal) -> bool {
    match literal {
        Literal::Int(int) => int.unsigned_abs() < 1 << MAX_COMPARED_BITS,
        Literal::Bool(_) | Literal::Char(_) => true,
        Literal::Big(_) | Literal::Float(_) | Literal::Str(_) => false,
    }
}

/// Whether a term is a local, or a field path from one.
fn is_projection(body: &Body, mut id: TermId) -> bool {
    while let Term::Field { base, .. } = body.term(id) {
        id = *base;
    }
    matches!(body.term(id), Term::Local(_))
}

/// A body that is searched for simple terms.
struct InfectionAnalysis<'p> {
    program: &'p Program,
    body: &'p Body,
    parents: Vec<Option<TermId>>,
}

/// What a simple term may still contain.
struct TermBudget {
    terms: usize,
    products: usize,
}

impl InfectionAnalysis<'_> {
    /// The largest enclosing term that is simple in both the original and the mutant.
    fn largest_simple_term(&self, edit: InfectionEdit) -> Option<TermId> {
        let mut top = None;
        let mut next = Some(edit.term);
        // Each step outward re-checks the whole term, which the budget keeps small.
        while let Some(id) = next.filter(|it| self.is_simple(*it, edit)) {
            top = Some(id);
            next = self.parents[id.index()];
        }
        // Two different literals always differ, so comparing just them gains nothing.
        let is_literal = |it: TermId| matches!(self.body.term(it), Term::Literal(_));
        top.filter(|it| {
            *it != edit.term || !is_literal(edit.term) || !is_literal(edit.replacement)
        })
    }

    /// Whether a term is simple in both the original and the mutant.
    fn is_simple(&self, id: TermId, edit: InfectionEdit) -> bool {
        // Replacing the term by itself checks the original with the same code.
        let as_it_is = InfectionEdit { replacement: edit.term, ..edit };
        [as_it_is, edit].into_iter().all(|edit| {
            self.fits_budget(id, Some(edit), &mut TermBudget { terms: MAX_TERMS, products: 1 })
        })
    }

    fn fits_budget(
        &self,
        id: TermId,
        edit: Option<InfectionEdit>,
        room: &mut TermBudget,
    ) -> bool {
        // The replacement is substituted once; inside it the original terms count.
        let (id, edit) = match edit {
            Some(edit) if edit.term == id => (edit.replacement, None),
            Some(_) | None => (id, edit),
        };
        let Some(n_left) = room.terms.checked_sub(1) else { return false };
        room.terms = n_left;
        match self.parts(id, room) {
            Some(parts) => parts.iter().all(|part| self.fits_budget(*part, edit, room)),
            None => false,
        }
    }

    /// The subterms of a term that is simple if they are; `None` if it is not.
    fn parts(&self, id: TermId, room: &mut TermBudget) -> Option<Vec<TermId>> {
        let term = self.body.term(id);
        if let Term::Builtin { builtin, args, .. } = term {
            return self.operands(id, *builtin, args, room);
        }
        if let Term::And(a, b) | Term::Or(a, b) = term {
            return Some(vec![*a, *b]);
        }
        let is_leaf = if let Term::Literal(literal) = term {
            is_small_literal(literal)
                && (!matches!(literal, Literal::Int(_)) || self.is_int(id))
        // Integers only: compiled code can tell from the tag that one has not been evaluated.
        } else if let Term::Constant(_) = term {
            self.is_int(id)
        } else if let Term::Construct { args, .. } = term {
            args.is_empty()
        } else {
            is_projection(self.body, id)
        };
        is_leaf.then(Vec::new)
    }

    fn operands(
        &self,
        id: TermId,
        builtin: BuiltinId,
        args: &[TermId],
        room: &mut TermBudget,
    ) -> Option<Vec<TermId>> {
        let are_ints = || args.iter().all(|it| self.is_int(*it));
        let is_simple = match (builtin, args) {
            // One product at most: with more, the results would not fit a word.
            (INT_ADD | INT_SUB | INT_MUL | INT_DIV | INT_REM, [_, _]) | (INT_NEG, [_]) => {
                room.products = room.products.checked_sub(usize::from(builtin == INT_MUL))?;
                self.is_int(id) && are_ints()
            }
            (_, [a, b]) if builtin::get(builtin).total_comparison.is_some() => {
                let types = &self.program.types;
                let [a, b] = [a, b].map(|it| types.base(self.body.ty(*it)));
                are_ints() || (a == b && is_immediate(self.program, types.get(a)))
            }
            (BOOL_NOT, [_]) => true,
            // The length is stored, so it can be read without evaluating anything else.
            (LIST_LEN | STR_LEN, [list]) => {
                let is_known = self.is_int(id) && is_projection(self.body, *list);
                return is_known.then(Vec::new);
            }
            _ => false,
        };
        is_simple.then(|| args.to_vec())
    }

    fn is_int(&self, id: TermId) -> bool {
        self.program.types.base(self.body.ty(id)) == TypeTable::INT
    }
}
