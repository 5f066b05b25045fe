//! Finds `observe`s of a claim that are never evaluated.

use gainsay_core::{
    Arm, Body, FunctionId, FunctionKind, ObserveSite, Pattern, Program, Statement, Term,
    TermId, builtin,
};
use gainsay_source::Span;

use super::constant_conditions::constant_truth;
use crate::findings::{DeadObserve, UnreachableReason};

/// Code of a claim that is never evaluated, for one reason.
#[derive(Debug, Clone)]
pub(super) struct DeadRegion {
    end: EvaluationEnd,
    /// The `observe`s in it, in order.
    pub(super) observes: Vec<ObserveSite>,
}

impl DeadRegion {
    /// The finding to report, if it contains an `observe`.
    pub(super) fn finding(&self) -> Option<DeadObserve> {
        let first = self.observes.first()?;
        let n_more = self.observes.len() - 1;
        let EvaluationEnd { cause, at } = self.end;
        Some(DeadObserve { span: first.span, cause, at, n_more })
    }
}

/// Where and why evaluation ends.
#[derive(Debug, Copy, Clone)]
struct EvaluationEnd {
    cause: UnreachableReason,
    at: Span,
}

/// The parts of a claim that are never evaluated.
///
/// A failure that `throws` catches ends there. An `observe` in a `throws` is like any other: its
/// failure fails the test, because `throws` does not catch it.
pub(super) fn dead_regions(program: &Program, claim: FunctionId) -> Vec<DeadRegion> {
    let mut reach = ReachabilityWalk { program, regions: Vec::new() };
    reach.body(claim, None);
    reach.regions
}

/// The walk over a claim. `dead` is the region that a term is in, as an index into `regions`.
struct ReachabilityWalk<'p> {
    program: &'p Program,
    regions: Vec<DeadRegion>,
}

/// One function of the claim.
struct ReachabilityFrame<'p> {
    function: FunctionId,
    body: &'p Body,
    /// Whether each local is referenced.
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

    /// Returns where evaluation of a term ends, if it always does.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no end is certain in an unknown form")]
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
            // Where a lambda is called is unknown: an end in its body does not end the code around
            // it.
            Term::Closure { function, .. } => {
                self.lambda(*function, dead);
                None
            }
            // `throws` catches the end of its body, and every case of an `across` is a run of its
            // own.
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
            Term::Call { .. }
            | Term::CallValue { .. }
            | Term::Builtin { .. }
            | Term::Perform { .. }
            | Term::CheckRel { .. }
            | Term::Tuple(_)
            | Term::List { .. }
            | Term::Construct { .. }
            | Term::Field { .. }
            | Term::Update { .. }
            | Term::Try { .. }
            | Term::Refine { .. }
            | Term::Par { .. }
            | Term::Sample { .. }
            | Term::Traced { .. } => self.sequential_subterms(frame, id, dead),
            // Another form may skip any of its subterms, so that an end in one of them is not
            // certain.
            other => {
                other.for_each_subterm(&mut |part| {
                    self.term(frame, part, dead);
                });
                None
            }
        }
    }

    /// The region after a term: the one that it is in, or a new one if evaluation ends in it.
    fn region_after(
        &mut self,
        end: Option<EvaluationEnd>,
        dead: Option<usize>,
    ) -> Option<usize> {
        // The outermost reason wins: code in a dead region stays in it, whatever ends it again.
        dead.or_else(|| {
            let region = DeadRegion { end: end?, observes: Vec::new() };
            self.regions.push(region);
            Some(self.regions.len() - 1)
        })
    }

    /// Walks subterms that are evaluated in sequence.
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

    /// Walks subterms, the last of which is a closure that runs in place.
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

    // Only lambdas belong to the claim's text; a closure of another function is that function's
    // code.
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
        // Both branches are walked, since `observe`s in a dead one are what is reported.
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

    /// `a && b`, `a || b`: `a` may skip `b`, so that an end in `b` is not certain.
    fn short_circuit(
        &mut self,
        frame: &ReachabilityFrame<'p>,
        [a, b]: [TermId; 2],
        cause: UnreachableReason,
        dead: Option<usize>,
    ) -> Option<EvaluationEnd> {
        let end = self.term(frame, a, dead);
        let dead = self.region_after(end, dead);
        // For `||` a true left side skips the right one, for `&&` a false one.
        let skips =
            constant_truth(frame.body, a) == Some(cause == UnreachableReason::AlwaysHolds);
        let at = frame.body.span(a);
        let dead = self.region_after(skips.then_some(EvaluationEnd { cause, at }), dead);
        self.term(frame, b, dead);
        end
    }

    /// Unreachable arms are reported by the exhaustiveness check, not here.
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
        // Each arm starts in the same region: an end in one arm says nothing about the next.
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

    /// A statement that creates a lambda which can never be called.
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

/// Where evaluation ends in a term with several branches, if it ends in all of them.
fn end_on_all_branches(
    frame: &ReachabilityFrame<'_>,
    id: TermId,
    branches: impl IntoIterator<Item = Option<EvaluationEnd>>,
) -> Option<EvaluationEnd> {
    // Collecting into an `Option`: one branch that does not end makes the result `None`.
    let ends: Option<Vec<EvaluationEnd>> = branches.into_iter().collect();
    let at = frame.body.span(id);
    ends?.first().map(|end| EvaluationEnd { cause: end.cause, at })
}
