//! Patterns with alternatives that bind names.
//!
//! What such a pattern binds depends on the alternative that matches. So an arm
//! `A(x) | B(x) => body` becomes two arms with the same body, of which one is taken.

use super::BodyCompiler;
use crate::code::{CodeArm, ExprId, Matcher, MatcherId};

/// More alternatives stay one pattern, which is matched only once the alternative is known.
const MAX_ALTERNATIVES: usize = 64;

impl BodyCompiler<'_, '_, '_> {
    pub(super) fn expand_alternatives(
        &mut self,
        arms: Vec<(CodeArm, Option<ExprId>)>,
    ) -> Vec<(CodeArm, Option<ExprId>)> {
        let mut expanded = Vec::new();
        for (arm, guard) in arms {
            for matcher in self.alternatives(arm.matcher) {
                expanded.push((CodeArm { matcher, ..arm.clone() }, guard));
            }
        }
        expanded
    }

    fn alternatives(&mut self, id: MatcherId) -> Vec<MatcherId> {
        match self.compiler.code.matcher(id).clone() {
            Matcher::Any | Matcher::Bind(_) | Matcher::Literal(_) => vec![id],
            Matcher::Or(parts) => {
                if !self.compiler.code.binds(id) {
                    return vec![id];
                }
                parts.iter().flat_map(|it| self.alternatives(*it)).collect()
            }
            Matcher::Tuple(parts) => self.combine(id, &parts, Matcher::Tuple),
            Matcher::Ctor(ctor, parts) => {
                self.combine(id, &parts, |parts| Matcher::Ctor(ctor, parts))
            }
            Matcher::List(items, rest) => {
                let n_items = items.len();
                let parts: Vec<MatcherId> = items.iter().chain(&rest).copied().collect();
                self.combine(id, &parts, |parts| {
                    let rest = parts.get(n_items).copied();
                    Matcher::List(parts[..n_items].into(), rest)
                })
            }
        }
    }

    /// A pattern for each combination of alternatives of the parts.
    fn combine(
        &mut self,
        whole: MatcherId,
        parts: &[MatcherId],
        make: impl Fn(Box<[MatcherId]>) -> Matcher,
    ) -> Vec<MatcherId> {
        let alternatives: Vec<_> = parts.iter().map(|it| self.alternatives(*it)).collect();
        let n: usize = alternatives.iter().fold(1, |n, it| n.saturating_mul(it.len()));
        if n <= 1 || n > MAX_ALTERNATIVES {
            return vec![whole];
        }
        let mut combinations = vec![Vec::new()];
        for choices in alternatives {
            let longer = combinations.iter().flat_map(|it: &Vec<MatcherId>| {
                choices.iter().map(|next| it.iter().copied().chain([*next]).collect())
            });
            combinations = longer.collect();
        }
        let made = combinations.into_iter().map(|it| make(it.into()));
        made.map(|it| self.compiler.code.add_matcher(it)).collect()
    }
}
