//! Function bodies: an arena of terms, with the type and span of each.

use gainsay_source::Span;

use crate::id::{LocalId, PatternId, TermId, TyId};
use crate::term::{Pattern, Term};

/// A local variable.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name in the source; `_` if it has none.
    pub name: Box<str>,
    /// Its type.
    pub ty: TyId,
    /// The location of its binding.
    pub span: Span,
}

/// A body. Locals are frame slots; parameters come first, in order.
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// The terms; the subterms of a term come before it.
    pub terms: Vec<Term>,
    /// The type of each term.
    pub tys: Vec<TyId>,
    /// The span of each term.
    pub spans: Vec<Span>,
    /// The patterns of matches and lets; the subpatterns of a pattern come before it.
    pub patterns: Vec<Pattern>,
    /// The frame: parameters (captures first), then every bound name.
    pub locals: Vec<Local>,
    /// The term whose value is the result.
    pub root: Option<TermId>,
}

impl Body {
    /// Adds a term.
    pub fn add(&mut self, term: Term, ty: TyId, span: Span) -> TermId {
        self.terms.push(term);
        self.tys.push(ty);
        self.spans.push(span);
        TermId(self.terms.len() as u32 - 1)
    }

    /// The parent of each term in the tree below the root: `None` for terms that are not in the
    /// tree or have several parents.
    pub fn parents(&self) -> Vec<Option<TermId>> {
        let mut parents = vec![None; self.terms.len()];
        let mut is_seen = vec![false; self.terms.len()];
        let mut pending: Vec<TermId> = self.root.into_iter().collect();
        while let Some(id) = pending.pop() {
            self.term(id).for_each_subterm(&mut |part| {
                if std::mem::replace(&mut is_seen[part.index()], true) {
                    parents[part.index()] = None;
                } else {
                    parents[part.index()] = Some(id);
                    pending.push(part);
                }
            });
        }
        parents
    }

    /// Adds a pattern.
    pub fn add_pattern(&mut self, pattern: Pattern) -> PatternId {
        self.patterns.push(pattern);
        PatternId(self.patterns.len() as u32 - 1)
    }

    /// Adds a local variable.
    pub fn add_local(&mut self, name: &str, ty: TyId, span: Span) -> LocalId {
        self.locals.push(Local { name: name.into(), ty, span });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// A term.
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The type of a term.
    pub fn ty(&self, id: TermId) -> TyId {
        self.tys[id.index()]
    }

    /// The span of a term.
    pub fn span(&self, id: TermId) -> Span {
        self.spans[id.index()]
    }

    /// A pattern.
    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.index()]
    }

    /// A local variable.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }
}
