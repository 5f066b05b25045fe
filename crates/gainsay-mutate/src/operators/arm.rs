//! Arms of a match: one removed, and two with swapped bodies.

use gainsay_core::{Arm, Body, LocalId, Pattern, PatternId, Term, TermId, is_exhaustive};
use gainsay_source::Span;
use gainsay_syntax::TokenKind;
use gainsay_syntax::ast::Expr;

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::source_edit::SourceEdit;

pub(crate) const OPERATOR: Operator = Operator {
    name: "arm",
    about: "a removed arm, two arms with swapped bodies",
    scope: OperatorScope::Code,
    make,
};

/// Arms of one match that are removed, and that swap bodies with the next.
const MAX_ARMS: usize = 8;

/// Terms of a body that are inspected for the names it uses.
const MAX_TERMS: usize = 500;

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Match { scrutinee, arms } = site.current_term() else { return };
    // Without its only arm the match would cover nothing.
    if arms.len() < 2 {
        return;
    }
    let Some(places) = arm_spans(site, arms.len()) else { return };
    for at in 0..arms.len().min(MAX_ARMS) {
        leave_out(site, scrutinee, &arms, &places, at);
    }
    for at in 0..(arms.len() - 1).min(MAX_ARMS) {
        swap_bodies(site, scrutinee, &arms, &places, at);
    }
}

fn leave_out(
    site: &mut MutationSite<'_, '_>,
    scrutinee: TermId,
    arms: &[Arm],
    places: &[ArmSpans],
    at: usize,
) {
    let mut kept = arms.to_vec();
    kept.remove(at);
    let rows = kept.iter().map(|it| (it.pattern, it.guard.is_some()));
    let rows: Vec<(PatternId, bool)> = rows.collect();
    // The mutated source would not compile.
    if !is_exhaustive(site.program, site.body, site.body.ty(scrutinee), &rows) {
        return;
    }
    let file = site.span().file;
    // The line break after an arm goes with it; the last arm takes the line break before it.
    let span = match (places.get(at + 1), at.checked_sub(1)) {
        (Some(next), _) => Span::new(file, places[at].start, next.start),
        (None, Some(before)) => Span::new(file, places[before].body.end, places[at].body.end),
        (None, None) => return,
    };
    let instead = site.add_term(Term::Match { scrutinee, arms: kept.into() });
    let what = format!("remove the arm `{}`", site.head(&places[at]));
    site.replace_by(instead, SourceEdit { span, text: String::new() }, what);
}

fn swap_bodies(
    site: &mut MutationSite<'_, '_>,
    scrutinee: TermId,
    arms: &[Arm],
    places: &[ArmSpans],
    at: usize,
) {
    let (first, second) = (&arms[at], &arms[at + 1]);
    let (before, after) = (places[at].body, places[at + 1].body);
    let (first_text, second_text) = (site.files.text(before), site.files.text(after));
    // A body moves only if it loses no name of its own pattern, and the other pattern captures no
    // name that is written in it.
    let moves = |arm: &Arm, to: &Arm, place: Span| {
        let own = BoundLocals::of(site.body, arm.pattern);
        let there = BoundLocals::of(site.body, to.pattern);
        !own.are_used(site.body, arm.body) && !there.are_named(site, place)
    };
    if !moves(first, second, before) || !moves(second, first, after) {
        return;
    }
    let mut swapped = arms.to_vec();
    (swapped[at].body, swapped[at + 1].body) = (second.body, first.body);
    let instead = site.add_term(Term::Match { scrutinee, arms: swapped.into() });
    let between = site.text_between(before.end, after.start);
    let text = format!("{second_text}{between}{first_text}");
    let (one, other) = (site.head(&places[at]), site.head(&places[at + 1]));
    let what = format!("swap the bodies of the arms `{one}` and `{other}`");
    site.replace_by(instead, SourceEdit { span: before.to(after), text }, what);
}

/// The spans of an arm.
#[derive(Debug, Copy, Clone)]
struct ArmSpans {
    /// The start of its weight or pattern.
    start: u32,
    /// The end of its pattern and guard.
    arrow: u32,
    /// Its body, brackets included.
    body: Span,
}

impl MutationSite<'_, '_> {
    /// The pattern and guard of an arm, on one line.
    fn head(&self, place: &ArmSpans) -> String {
        let text = self.text_between(place.start, place.arrow);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The spans of the arms of a match; `None` if it is desugared from something else.
fn arm_spans(site: &MutationSite<'_, '_>, n_arms: usize) -> Option<Vec<ArmSpans>> {
    let Expr::Match(written) = site.trees.expression(site.span())? else { return None };
    let places = written.arms().map(|arm| {
        let arrow = arm.node().token(TokenKind::FatArrow)?.span().start;
        Some(ArmSpans { start: arm.span().start, arrow, body: arm.body()?.span() })
    });
    let places = places.collect::<Option<Vec<_>>>()?;
    (places.len() == n_arms).then_some(places)
}

/// The names that a pattern binds.
struct BoundLocals(Vec<LocalId>);

impl BoundLocals {
    fn of(body: &Body, pattern: PatternId) -> Self {
        let mut bound = Vec::new();
        let mut pending = vec![pattern];
        while let Some(next) = pending.pop() {
            let pattern = body.pattern(next);
            if let Pattern::Bind(local) = pattern {
                bound.push(*local);
            }
            pattern.for_each_subpattern(&mut |part| pending.push(part));
        }
        Self(bound)
    }

    /// Whether a term uses any of them. One that is too large is assumed to.
    fn are_used(&self, body: &Body, term: TermId) -> bool {
        let mut pending = vec![term];
        let mut n_terms = 0;
        while let Some(next) = pending.pop() {
            n_terms += 1;
            let term = body.term(next);
            if let Term::Local(local) | Term::Sample { local, .. } = term
                && self.0.contains(local)
            {
                return true;
            }
            if n_terms > MAX_TERMS {
                return true;
            }
            term.for_each_subterm(&mut |part| pending.push(part));
        }
        false
    }

    /// Whether any of the names is written in a span, where it would be captured.
    fn are_named(&self, site: &MutationSite<'_, '_>, place: Span) -> bool {
        let is_bound = |word: &str| self.0.iter().any(|it| &*site.body.local(*it).name == word);
        site.trees.has_word(place, &is_bound)
    }
}
