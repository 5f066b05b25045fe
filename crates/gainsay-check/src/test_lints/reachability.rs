//! Which `observe`s of a claim the run never gets to.

use gainsay_core::{
    Arm, Body, FunctionId, FunctionKind, ObserveSite, Pattern, Program, Statement, Term,
    TermId, builtin,
};
use gainsay_source::Span;

use super::constant_conditions::constant_truth;
use crate::findings::{DeadObserve, UnreachableReason};

/// Code of a claim that is never run, for one reason.
#[derive(Debug, Clone)]
pub(super) struct DeadRegion {
    end: EvaluationEnd,
    /// The `observe`s in it, in order.
    pub(super) observes: Vec<ObserveSite>,
}

impl DeadRegion {
    /// What there is to say of it.
    pub(super) fn finding(&self) -> Option<DeadObserve> {
        let first = self.observes.first()?;
        let n_more = self.observes.len() - 1;
        let EvaluationEnd { cause, at } = self.end;
        Some(DeadObserve { span: first.span, cause, at, n_more })
    }
}

/// Where the run ends, and why.
#[derive(Debug, Copy, Clone)]
struct EvaluationEnd {
    cause: UnreachableReason,
    at: Span,
}

/// The parts of a claim that are never run.
///
/// What `throws` catches ends where it is caught. An `observe` in a `throws` is like any other:
/// when it does not hold, the test fails, since that is no failure which `throws` sees.
pub(super) fn dead_regions(program: &Program, claim: FunctionId) -> Vec<DeadRegion> {
    let mut reach = ReachabilityWalk { program, regions: Vec::new() };
    reach.body(claim, None);
    reach.regions
}

/// The walk through a claim. `dead` is the region that a term is in, by its place in `regions`.
struct ReachabilityWalk<'p> {
    program: &'p Program,
    regions: Vec<DeadRegion>,
}

/// One function of the claim.
struct ReachabilityFrame<'p> {
    function: FunctionId,
    body: &'p Body,
    /// Whether each local is mentioned.
    is_used: Vec<bool>,
}

impl<'p> ReachabilityWalk<'p> {
    fn body(&mut self, function: FunctionId, dead: Option<usize>) -> Option<EvaluationEnd> {
        let body = &self.program.function(function).body;
        let mut is_used = vec![false; body.locals.len()];
        for term in &body.terms {
            if let Term::Local(local) | Term::Sample { local, .. } = term {
                is_used[local.index()] = true;
            }
        }
        self.term(&ReachabilityFrame { function, body, is_used }, body.root?, dead)
    }

    /// Gives where the run ends in a term, if it always does.
    fn term(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        id: TermId,
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        match frame.body.term(id) {
            Term::If { condition, then, otherwise } => {
                self.branches(frame, id, [*condition, *then, *otherwise], dead)
            }
            Term::And(a, b) => {
                self.short_circuit(frame, [*a, *b], UnreachableReason::NeverHolds, dead)
            }
            Term::Or(a, b) => {
                self.short_circuit(frame, [*a, *b], UnreachableReason::AlwaysHolds, dead)
            }
            Term::Match { scrutinee, arms } => self.arms(frame, id, *scrutinee, arms, dead),
            Term::Block { statements, result } => self.block(frame, statements, *result, dead),
            Term::Closure { function, .. } => {
                self.lambda(*function, dead);
                None
            }
            Term::Throws { body, .. } | Term::Across { body, .. } => {
                self.subterms_then_closure(frame, id, *body, dead);
                None
            }
            Term::Under { body, .. } => self.subterms_then_closure(frame, id, *body, dead),
            Term::Observe { strength, .. } => {
                let end = self.sequential_subterms(frame, id, dead);
                let dead = self.region_after(end, dead);
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
                    let is_false = constant_truth(frame.body, *condition) == Some(false);
                    let at = frame.body.span(id);
                    is_false.then_some(EvaluationEnd { cause: UnreachableReason::Discards, at })
                })
            }
            Term::Builtin { builtin, .. } if *builtin == builtin::FAIL => {
                let end = self.sequential_subterms(frame, id, dead);
                let at = frame.body.span(id);
                Some(end.unwrap_or(EvaluationEnd { cause: UnreachableReason::Fails, at }))
            }
            Term::Literal(_) | Term::Local(_) | Term::Constant(_) => None,
            Term::Function { .. } | Term::Hole => None,
            Term::Call { .. } | Term::CallValue { .. } | Term::Builtin { .. } => {
                self.sequential_subterms(frame, id, dead)
            }
            Term::Perform { .. } | Term::CheckRel { .. } | Term::Tuple(_) => {
                self.sequential_subterms(frame, id, dead)
            }
            Term::List { .. } | Term::Construct { .. } | Term::Field { .. } => {
                self.sequential_subterms(frame, id, dead)
            }
            Term::Update { .. } | Term::Try { .. } | Term::Refine { .. } => {
                self.sequential_subterms(frame, id, dead)
            }
            Term::Par { .. } | Term::Sample { .. } | Term::Traced { .. } => {
                self.sequential_subterms(frame, id, dead)
            }
        }
    }

    /// The region behind something: the one that it is in, or a new one if the run ends there.
    fn region_after(
        &mut self,
        end: Option<EvaluationEnd>,
        dead: Option<usize>,
    ) -> Option<usize> {
        dead.or_else(|| {
            let region = DeadRegion { end: end?, observes: Vec::new() };
            self.regions.push(region);
            Some(self.regions.len() - 1)
        })
    }

    /// Parts that are evaluated one after the other.
    fn sequential_subterms(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        id: TermId,
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        let (mut ended, mut dead) = (None, dead);
        frame.body.term(id).for_each_subterm(&mut |part| {
            let end = self.term(frame, part, dead);
            dead = self.region_after(end, dead);
            ended = ended.or(end);
        });
        ended
    }

    /// Parts, the last of which is a closure that is run where it stands.
    fn subterms_then_closure(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        id: TermId,
        body: TermId,
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        let mut dead = dead;
        let mut ended = None;
        frame.body.term(id).for_each_subterm(&mut |part| {
            if part != body {
                let end = self.term(frame, part, dead);
                dead = self.region_after(end, dead);
                ended = ended.or(end);
            }
        });
        if let Term::Closure { function, .. } = frame.body.term(body) {
            return ended.or(self.lambda(*function, dead));
        }
        ended.or(self.term(frame, body, dead))
    }

    fn lambda(&mut self, function: FunctionId, dead: Option<usize>) -> Option<EvaluationEnd> {
        let kind = self.program.function(function).kind;
        if !matches!(kind, FunctionKind::Lambda(_)) {
            return None;
        }
        self.body(function, dead)
    }

    fn branches(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        id: TermId,
        [condition, then, otherwise]: [TermId; 3],
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        let end = self.term(frame, condition, dead);
        let dead = self.region_after(end, dead);
        let holds = constant_truth(frame.body, condition);
        let at = frame.body.span(condition);
        let never = (holds == Some(false))
            .then_some(EvaluationEnd { cause: UnreachableReason::NeverHolds, at });
        let always = (holds == Some(true))
            .then_some(EvaluationEnd { cause: UnreachableReason::AlwaysHolds, at });
        let in_then = self.region_after(never, dead);
        let ends_then = self.term(frame, then, in_then);
        let in_otherwise = self.region_after(always, dead);
        let ends_otherwise = self.term(frame, otherwise, in_otherwise);
        end.or(match holds {
            Some(true) => ends_then,
            Some(false) => ends_otherwise,
            None => end_on_all_branches(frame, id, [ends_then, ends_otherwise]),
        })
    }

    /// `a && b`, `a || b`: `b` is skipped because of `a`, and nothing can be said of its end.
    fn short_circuit(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        [a, b]: [TermId; 2],
        cause: UnreachableReason,
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        let end = self.term(frame, a, dead);
        let dead = self.region_after(end, dead);
        let skips =
            constant_truth(frame.body, a) == Some(cause == UnreachableReason::AlwaysHolds);
        let at = frame.body.span(a);
        let dead = self.region_after(skips.then_some(EvaluationEnd { cause, at }), dead);
        self.term(frame, b, dead);
        end
    }

    /// Arms that no value gets to are told of where matches are judged.
    fn arms(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        id: TermId,
        scrutinee: TermId,
        arms: &[Arm],
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        let end = self.term(frame, scrutinee, dead);
        let dead = self.region_after(end, dead);
        let mut ends = Vec::new();
        for arm in arms {
            let guard = arm.guard.and_then(|guard| self.term(frame, guard, dead));
            let dead = self.region_after(guard, dead);
            ends.push(self.term(frame, arm.body, dead));
        }
        end.or(end_on_all_branches(frame, id, ends))
    }

    fn block(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        statements: &[Statement],
        result: TermId,
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        let (mut ended, mut dead) = (None, dead);
        for statement in statements {
            let uncalled = Self::uncalled_lambda(frame, statement);
            let inside =
                if uncalled.is_some() { self.region_after(uncalled, dead) } else { dead };
            let end = self.term(frame, statement.value(), inside);
            dead = self.region_after(end, dead);
            ended = ended.or(end);
        }
        let end = self.term(frame, result, dead);
        ended.or(end)
    }

    /// A statement that makes a lambda which nothing can call.
    fn uncalled_lambda(
        frame: &ReachabilityFrame<'p>,
        statement: &Statement,
    ) -> Option<EvaluationEnd> {
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
        Some(EvaluationEnd { cause: UnreachableReason::Uncalled, at })
    }
}

/// Where the run ends in a term that takes one of several ways, if it ends on all of them.
fn end_on_all_branches(
    frame: &ReachabilityFrame<'_>,
    id: TermId,
    ways: impl IntoIterator<Item = Option<EvaluationEnd>>,
) -> Option<EvaluationEnd> {
    let ends: Option<Vec<EvaluationEnd>> = ways.into_iter().collect();
    let at = frame.body.span(id);
    ends?.first().map(|end| EvaluationEnd { cause: end.cause, at })
}
