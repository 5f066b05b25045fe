//! Arms of a match: one that is left out, and two that change bodies.

use gainsay_core::{Arm, Body, LocalId, Pattern, PatternId, Term, TermId, is_exhaustive};
use gainsay_source::Span;

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::source_edit::SourceEdit;
use crate::source_scan::{
    after_blanks, after_closing, after_separators, count_unclosed, find_outside, words,
};

pub(crate) const OPERATOR: Operator = Operator {
    name: "arm",
    about: "an arm that is left out, two arms that change bodies",
    scope: OperatorScope::Code,
    make,
};

/// How many arms of one match are left out, and how many change bodies with the next.
const MAX_ARMS: usize = 8;

/// How many terms of a body are looked at for what it uses.
const MAX_TERMS: usize = 500;

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Match { scrutinee, arms } = site.current_term() else { return };
    if arms.len() < 2 {
        return;
    }
    let Some(places) = arm_spans(site, scrutinee, &arms) else { return };
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
    if !is_exhaustive(site.program, site.body, site.body.ty(scrutinee), &rows) {
        return;
    }
    let file = site.span().file;
    let span = match (places.get(at + 1), at.checked_sub(1)) {
        (Some(next), _) => Span::new(file, places[at].start, next.start),
        (None, Some(before)) => Span::new(file, places[before].body.end, places[at].body.end),
        (None, None) => return,
    };
    let instead = site.add_term(Term::Match { scrutinee, arms: kept.into() });
    let what = format!("the arm `{}` is left out", site.head(&places[at]));
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
    let moves = |arm: &Arm, to: &Arm, text: &str| {
        let own = BoundLocals::of(site.body, arm.pattern);
        let there = BoundLocals::of(site.body, to.pattern);
        !own.are_used(site.body, arm.body) && !there.are_named(site.body, text)
    };
    if !moves(first, second, first_text) || !moves(second, first, second_text) {
        return;
    }
    let mut swapped = arms.to_vec();
    (swapped[at].body, swapped[at + 1].body) = (second.body, first.body);
    let instead = site.add_term(Term::Match { scrutinee, arms: swapped.into() });
    let between = site.text_between(before.end, after.start);
    let text = format!("{second_text}{between}{first_text}");
    let (one, other) = (site.head(&places[at]), site.head(&places[at + 1]));
    let what = format!("the arms `{one}` and `{other}` change bodies");
    site.replace_by(instead, SourceEdit { span: before.to(after), text }, what);
}

/// Where an arm stands.
#[derive(Debug, Copy, Clone)]
struct ArmSpans {
    /// Where its weight or pattern begins.
    start: u32,
    /// Where its pattern and guard end.
    arrow: u32,
    /// Its body, brackets included.
    body: Span,
}

impl MutationSite<'_, '_> {
    /// The pattern and guard of an arm, in a line.
    fn head(&self, place: &ArmSpans) -> String {
        let text = self.text_between(place.start, place.arrow);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Where the arms of a match stand; nothing if it is not written as it should be.
fn arm_spans(
    site: &MutationSite<'_, '_>,
    scrutinee: TermId,
    arms: &[Arm],
) -> Option<Vec<ArmSpans>> {
    let (text, whole) = (site.file_text(), site.span());
    let head = whole.start as usize + "match".len();
    if !site.text().starts_with("match") {
        return None;
    }
    let (_, end) = with_brackets(site, head, scrutinee)?;
    let mut at = after_blanks(text, end);
    if !text[at..].starts_with('{') {
        return None;
    }
    at += 1;
    let mut places = Vec::with_capacity(arms.len());
    for arm in arms {
        let start = after_separators(text, at);
        let arrow = find_outside(text, start, "=>")?;
        let (from, end) = with_brackets(site, arrow + "=>".len(), arm.body)?;
        let body = Span::new(whole.file, from as u32, end as u32);
        places.push(ArmSpans { start: start as u32, arrow: arrow as u32, body });
        at = end;
    }
    (after_separators(text, at) + 1 == whole.end as usize).then_some(places)
}

/// The place of a term that begins behind another, with the brackets around it.
fn with_brackets(
    site: &MutationSite<'_, '_>,
    from: usize,
    term: TermId,
) -> Option<(usize, usize)> {
    let text = site.file_text();
    let place = site.full_span(term);
    let before = text.get(from..place.start as usize)?;
    let end = after_closing(text, place.end as usize, count_unclosed(before)?)?;
    Some((after_blanks(text, from), end))
}

/// What a pattern binds.
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

    /// Whether a term uses any of it. One that is too large is taken to.
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

    /// Whether a text has any of the names, which would then mean something else.
    fn are_named(&self, body: &Body, text: &str) -> bool {
        words(text).any(|word| self.0.iter().any(|it| &*body.local(*it).name == word))
    }
}
