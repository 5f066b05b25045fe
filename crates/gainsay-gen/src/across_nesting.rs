//! Which `across` may reach another `across` while its body runs.
//!
//! Where none does, the runner need not be notified that a body has ended, which would cost every
//! case a call.

use std::collections::{BTreeSet, HashMap};

use gainsay_core::{FunctionId, Literal, Term};

use crate::rewrite::Rewriter;
use crate::site::RewrittenSite;

/// Which functions may reach an `across`.
pub(crate) struct AcrossNesting {
    /// By function: whether a call of it may reach an `across`.
    reaches: Vec<bool>,
    /// By function: whether it creates a function value that may reach one, which any code may
    /// call.
    creates_reaching_closure: Vec<bool>,
}

impl AcrossNesting {
    /// Whether the closures of a site may reach an `across`.
    pub(crate) fn may_nest_in(&self, site: &RewrittenSite) -> bool {
        site.closures.iter().any(|it| self.reaches[it.index()])
    }

    /// Whether a function creates a function value that may reach an `across`.
    pub(crate) fn may_escape_from(&self, function: FunctionId) -> bool {
        self.creates_reaching_closure[function.index()]
    }
}

impl Rewriter<'_> {
    //   f is the function of a site, or names g which reaches one
    //   ─────────────────────────────────────────────────────────
    //                        f reaches a site
    pub(crate) fn nesting(&self) -> AcrossNesting {
        let functions = &self.deriver.search;
        let mut users: HashMap<FunctionId, Vec<FunctionId>> = HashMap::new();
        for (at, function) in functions.iter().enumerate() {
            for named in function
                .body
                .terms
                .iter()
                .filter_map(|it| self.deriver.program.referenced_function(it))
            {
                users.entry(named).or_default().push(FunctionId(at as u32));
            }
        }
        let mut reaches = vec![false; functions.len()];
        let mut pending: Vec<FunctionId> = self.sites.iter().map(|it| it.function).collect();
        // A worklist over reversed references. `users.remove` makes each edge count once.
        while let Some(next) = pending.pop() {
            if !std::mem::replace(&mut reaches[next.index()], true) {
                pending.extend(users.remove(&next).unwrap_or_default());
            }
        }
        // The closures of a site are called by that site only.
        let called: BTreeSet<FunctionId> =
            self.sites.iter().flat_map(|it| it.closures.iter().copied()).collect();
        let is_passed_on = |term: &Term| {
            let is_value = matches!(term, Term::Closure { .. } | Term::Function { .. });
            let function = term.function().filter(|_| is_value);
            function.is_some_and(|it| reaches[it.index()] && !called.contains(&it))
        };
        let passes_on =
            functions.iter().map(|it| it.body.terms.iter().any(is_passed_on)).collect();
        AcrossNesting { reaches, creates_reaching_closure: passes_on }
    }

    /// Removes the notification that a body has ended from sites in which nothing nests.
    pub(crate) fn remove_unneeded_leaves(&mut self) {
        for it in self.sites.iter().filter(|it| !it.site.may_nest) {
            let Some([search, record]) = it.leave else { continue };
            let nothing = || Term::Literal(Literal::Int(0));
            let function = it.function.index();
            self.deriver.search[function].body.terms[search.index()] = nothing();
            self.deriver.record[function].body.terms[record.index()] = nothing();
        }
    }
}
