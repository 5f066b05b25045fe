//! Which `observe`s of a claim the run never gets to.

use gainsay_core::{
    Arm, Body, FunctionId, FunctionKind, ObserveSite, Pattern, Program, Statement, Term,
    TermId, builtin,
};
use gainsay_source::Span;

use super::truth::truth;
use crate::findings::{DeadObserve, Obstacle};

/// Code of a claim that is never run, for one reason.
#[derive(Debug, Clone)]
pub(super) struct Region {
    end: End,
    /// The `observe`s in it, in order.
    pub(super) observes: Vec<ObserveSite>,
}

impl Region {
    /// What there is to say of it.
    pub(super) fn finding(&self) -> Option<DeadObserve> {
        let first = self.observes.first()?;
        let n_more = self.observes.len() - 1;
        let End { cause, at } = self.end;
        Some(DeadObserve { span: first.span, cause, at, n_more })
    }
}

/// Where the run ends, and why.
#[derive(Debug, Copy, Clone)]
struct End {
    cause: Obstacle,
    at: Span,
}

/// The parts of a claim that are never run.
///
/// What `throws` catches ends where it is caught. An `observe` in a `throws` is like any other:
/// when it does not hold, the test fails, since that is no failure which `throws` sees.
pub(super) fn regions(program: &Program, claim: FunctionId) -> Vec<Region> {
    let mut reach = Reach { program, regions: Vec::new() };
    reach.body(claim, None);
    reach.regions
}

/// The walk through a claim. `dead` is the region that a term is in, by its place in `regions`.
struct Reach<'p> {
    program: &'p Program,
    regions: Vec<Region>,
}

/// One function of the claim.
struct Frame<'p> {
    function: FunctionId,
    body: &'p Body,
    /// Whether each local is mentioned.
    is_used: Vec<bool>,
}

impl<'p> Reach<'p> {
    fn body(&mut self, function: FunctionId, dead: Option<usize>) -> Option<End> {
        let body = &self.program.function(function).body;
        let mut is_used = vec![false; body.locals.len()];
        for term in &body.terms {
            if let Term::Local(local) | Term::Sample { local, .. } = term {
                is_used[local.index()] = true;
            }
        }
        self.term(&Frame { function, body, is_used }, body.root?, dead)
    }

    /// Gives where the run ends in a term, if it always does.
    fn term(&mut self, frame: &Frame<'p>, id: TermId, dead: Option<usize>) -> Option<End> {
        match frame.body.term(id) {
            Term::If { condition, then, otherwise } => {
                self.branches(frame, id, [*condition, *then, *otherwise], dead)
            }
            Term::And(a, b) => self.shortcut(frame, [*a, *b], Obstacle::NeverHolds, dead),
            Term::Or(a, b) => self.shortcut(frame, [*a, *b], Obstacle::AlwaysHolds, dead),
            Term::Match { scrutinee, arms } => self.arms(frame, id, *scrutinee, arms, dead),
            Term::Block { statements, result } => self.block(frame, statements, *result, dead),
            Term::Closure { function, .. } => {
                self.lambda(*function, dead);
                None
            }
            Term::Throws { body, .. } | Term::Across { body, .. } => {
                self.parts(frame, id, *body, dead);
                None
            }
            Term::Under { body, .. } => self.parts(frame, id, *body, dead),
            Term::Observe { strength, .. } => {
                let end = self.all_parts(frame, id, dead);
                let dead = self.after(end, dead);
                if let Some(region) = dead {
                    let (function, term, strength) = (frame.function, id, *strength);
                    let span = frame.body.span(id);
                    let site = ObserveSite { function, term, span, strength };
                    self.regions[region].observes.push(site);
                }
                end
            }
            Term::Assume(condition) => {
                let end = self.term(frame, *condition, dead);
                end.or_else(|| {
                    let is_false = truth(frame.body, *condition) == Some(false);
                    let at = frame.body.span(id);
                    is_false.then_some(End { cause: Obstacle::Discards, at })
                })
            }
            Term::Builtin { builtin, .. } if *builtin == builtin::FAIL => {
                let end = self.all_parts(frame, id, dead);
                let at = frame.body.span(id);
                Some(end.unwrap_or(End { cause: Obstacle::Fails, at }))
            }
            Term::Literal(_) | Term::Local(_) | Term::Constant(_) => None,
            Term::Function { .. } | Term::Hole => None,
            Term::Call { .. } | Term::CallValue { .. } | Term::Builtin { .. } => {
                self.all_parts(frame, id, dead)
            }
            Term::Perform { .. } | Term::CheckRel { .. } | Term::Tuple(_) => {
                self.all_parts(frame, id, dead)
            }
            Term::List { .. } | Term::Construct { .. } | Term::Field { .. } => {
                self.all_parts(frame, id, dead)
            }
            Term::Update { .. } | Term::Try { .. } | Term::Refine { .. } => {
                self.all_parts(frame, id, dead)
            }
            Term::Par { .. } | Term::Sample { .. } | Term::Traced { .. } => {
                self.all_parts(frame, id, dead)
            }
        }
    }

    /// The region behind something: the one that it is in, or a new one if the run ends there.
    fn after(&mut self, end: Option<End>, dead: Option<usize>) -> Option<usize> {
        dead.or_else(|| {
            let region = Region { end: end?, observes: Vec::new() };
            self.regions.push(region);
            Some(self.regions.len() - 1)
        })
    }

    /// Parts that are evaluated one after the other.
    fn all_parts(&mut self, frame: &Frame<'p>, id: TermId, dead: Option<usize>) -> Option<End> {
        let (mut ended, mut dead) = (None, dead);
        frame.body.term(id).each_part(&mut |part| {
            let end = self.term(frame, part, dead);
            dead = self.after(end, dead);
            ended = ended.or(end);
        });
        ended
    }

    /// Parts, the last of which is a closure that is run where it stands.
    fn parts(
        &mut self,
        frame: &Frame<'p>,
        id: TermId,
        body: TermId,
        dead: Option<usize>,
    ) -> Option<End> {
        let mut dead = dead;
        let mut ended = None;
        frame.body.term(id).each_part(&mut |part| {
            if part != body {
                let end = self.term(frame, part, dead);
                dead = self.after(end, dead);
                ended = ended.or(end);
            }
        });
        if let Term::Closure { function, .. } = frame.body.term(body) {
            return ended.or(self.lambda(*function, dead));
        }
        ended.or(self.term(frame, body, dead))
    }

    fn lambda(&mut self, function: FunctionId, dead: Option<usize>) -> Option<End> {
        let kind = self.program.function(function).kind;
        if !matches!(kind, FunctionKind::Lambda(_)) {
            return None;
        }
        self.body(function, dead)
    }

    fn branches(
        &mut self,
        frame: &Frame<'p>,
        id: TermId,
        [condition, then, otherwise]: [TermId; 3],
        dead: Option<usize>,
    ) -> Option<End> {
        let end = self.term(frame, condition, dead);
        let dead = self.after(end, dead);
        let holds = truth(frame.body, condition);
        let at = frame.body.span(condition);
        let never = (holds == Some(false)).then_some(End { cause: Obstacle::NeverHolds, at });
        let always = (holds == Some(true)).then_some(End { cause: Obstacle::AlwaysHolds, at });
        let in_then = self.after(never, dead);
        let ends_then = self.term(frame, then, in_then);
        let in_otherwise = self.after(always, dead);
        let ends_otherwise = self.term(frame, otherwise, in_otherwise);
        end.or(match holds {
            Some(true) => ends_then,
            Some(false) => ends_otherwise,
            None => whole(frame, id, [ends_then, ends_otherwise]),
        })
    }

    /// `a && b`, `a || b`: `b` is skipped because of `a`, and nothing can be said of its end.
    fn shortcut(
        &mut self,
        frame: &Frame<'p>,
        [a, b]: [TermId; 2],
        cause: Obstacle,
        dead: Option<usize>,
    ) -> Option<End> {
        let end = self.term(frame, a, dead);
        let dead = self.after(end, dead);
        let skips = truth(frame.body, a) == Some(cause == Obstacle::AlwaysHolds);
        let at = frame.body.span(a);
        let dead = self.after(skips.then_some(End { cause, at }), dead);
        self.term(frame, b, dead);
        end
    }

    /// Arms that no value gets to are told of where matches are judged.
    fn arms(
        &mut self,
        frame: &Frame<'p>,
        id: TermId,
        scrutinee: TermId,
        arms: &[Arm],
        dead: Option<usize>,
    ) -> Option<End> {
        let end = self.term(frame, scrutinee, dead);
        let dead = self.after(end, dead);
        let mut ends = Vec::new();
        for arm in arms {
            let guard = arm.guard.and_then(|guard| self.term(frame, guard, dead));
            let dead = self.after(guard, dead);
            ends.push(self.term(frame, arm.body, dead));
        }
        end.or(whole(frame, id, ends))
    }

    fn block(
        &mut self,
        frame: &Frame<'p>,
        statements: &[Statement],
        result: TermId,
        dead: Option<usize>,
    ) -> Option<End> {
        let (mut ended, mut dead) = (None, dead);
        for statement in statements {
            let uncalled = Self::uncalled(frame, statement);
            let inside = if uncalled.is_some() { self.after(uncalled, dead) } else { dead };
            let end = self.term(frame, statement.value(), inside);
            dead = self.after(end, dead);
            ended = ended.or(end);
        }
        let end = self.term(frame, result, dead);
        ended.or(end)
    }

    /// A statement that makes a lambda which nothing can call.
    fn uncalled(frame: &Frame<'p>, statement: &Statement) -> Option<End> {
        let Term::Closure { .. } = frame.body.term(statement.value()) else { return None };
        let lambda = frame.body.span(statement.value());
        let at = match statement {
            Statement::Drop(_) => lambda,
            Statement::Let(pattern, _) => match frame.body.pattern(*pattern) {
                Pattern::Wildcard => lambda,
                Pattern::Bind(local) if !frame.is_used[local.index()] => {
                    frame.body.local(*local).span
                }
                Pattern::Bind(_) | Pattern::Literal(_) | Pattern::Tuple(_) => return None,
                Pattern::Ctor(..) | Pattern::List(..) | Pattern::Or(_) => return None,
            },
        };
        Some(End { cause: Obstacle::Uncalled, at })
    }
}

/// Where the run ends in a term that takes one of several ways, if it ends on all of them.
fn whole(
    frame: &Frame<'_>,
    id: TermId,
    ways: impl IntoIterator<Item = Option<End>>,
) -> Option<End> {
    let ends: Option<Vec<End>> = ways.into_iter().collect();
    let at = frame.body.span(id);
    ends?.first().map(|end| End { cause: end.cause, at })
}
