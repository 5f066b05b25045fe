//! Solves the effect-row constraints of one function.
//!
//! A row variable denotes the least row that contains everything that flows into it. Constraints
//! `sub ⊆ sup` are collected while a body is elaborated and solved once at its end. A constraint
//! whose right side has no variable is then a check that holds or is reported.

use std::collections::BTreeSet;

use gainsay_core::{OpId, Row, RowId, TypeTable};
use gainsay_source::Span;

/// The reason for a constraint.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct ConstraintOrigin {
    /// The call or argument that causes it.
    pub(crate) span: Span,
    /// What limits the effects.
    pub(crate) limit: EffectLimit,
}

/// What limits the effects at a place.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum EffectLimit {
    /// The signature of the enclosing function.
    Signature,
    /// A place that must be pure.
    Pure(PurePlace),
    /// A claim: its effects need a world.
    Claim,
    /// The expected type of a function value.
    FunctionType,
}

/// The places that must be pure.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum PurePlace {
    Constant,
    Refinement,
    Contract,
    Rule,
    Given,
    When,
    Where,
    Stub,
    Guard,
    Weight,
}

/// A violated constraint.
#[derive(Debug, Clone)]
pub(crate) struct EffectViolation {
    /// The constraint's reason.
    pub(crate) origin: ConstraintOrigin,
    /// Operations that are not allowed.
    pub(crate) ops: Vec<OpId>,
    /// Effect parameters that are not allowed.
    pub(crate) params: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
struct RowMembers {
    ops: BTreeSet<OpId>,
    params: BTreeSet<u32>,
}

/// The constraints of one function.
#[derive(Default)]
pub(crate) struct RowSolver {
    vars: Vec<RowMembers>,
    constraints: Vec<RowConstraint>,
}

/// `sub − except ⊆ sup`.
#[derive(Debug, Copy, Clone)]
struct RowConstraint {
    sub: RowId,
    sup: RowId,
    except: RowId,
    origin: ConstraintOrigin,
}

impl RowSolver {
    /// A fresh row variable.
    pub(crate) fn fresh(&mut self) -> u32 {
        self.vars.push(RowMembers::default());
        self.vars.len() as u32 - 1
    }

    /// Adds the constraint `sub ⊆ sup`.
    pub(crate) fn require_subset(&mut self, sub: RowId, sup: RowId, because: ConstraintOrigin) {
        self.require_subset_except(sub, sup, TypeTable::PURE, because);
    }

    /// Adds the constraint `sub − except ⊆ sup`: effects that a world answers do not escape.
    pub(crate) fn require_subset_except(
        &mut self,
        sub: RowId,
        sup: RowId,
        except: RowId,
        because: ConstraintOrigin,
    ) {
        // Constraints that hold by themselves are not worth a pass of the solver.
        if sub != sup && sub != TypeTable::PURE {
            self.constraints.push(RowConstraint { sub, sup, except, origin: because });
        }
    }

    /// Computes the least solution; returns the violated constraints in the order of collection.
    pub(crate) fn solve(&mut self, types: &TypeTable) -> Vec<EffectViolation> {
        // The least fixed point by iteration from below (Kleene). It terminates: rows only grow,
        // and there are finitely many operations and parameters.
        while self.propagate(types) {}
        let mut failing = Vec::new();
        for include in &self.constraints {
            let allowed = types.get_row(include.sup);
            // `propagate` made sure of constraints into a variable; only rigid right sides can
            // fail.
            if !allowed.vars.is_empty() {
                continue;
            }
            let members = self.members_after_except(types, include);
            let ops: Vec<OpId> =
                members.ops.iter().filter(|it| !allowed.ops.contains(it)).copied().collect();
            self.add_violations_at_origins(types, include, &ops, &mut failing);
            let params: Vec<u32> = members
                .params
                .iter()
                .filter(|it| !allowed.params.contains(it))
                .copied()
                .collect();
            if !params.is_empty() {
                failing.push(EffectViolation {
                    origin: include.origin,
                    ops: Vec::new(),
                    params,
                });
            }
        }
        failing
    }

    /// Reports operations where they are performed, not where a closure that performs them is
    /// passed.
    fn add_violations_at_origins(
        &self,
        types: &TypeTable,
        include: &RowConstraint,
        ops: &[OpId],
        failing: &mut Vec<EffectViolation>,
    ) {
        for op in ops {
            let mut seen = BTreeSet::new();
            let span = self.origin_span(types, include, *op, &mut seen);
            let because = ConstraintOrigin { span, ..include.origin };
            // Operations of one call arrive one after another, so comparing with the last violation
            // is enough to report them together.
            match failing.last_mut() {
                Some(last) if last.origin == because => last.ops.push(*op),
                _ => failing.push(EffectViolation {
                    origin: because,
                    ops: vec![*op],
                    params: Vec::new(),
                }),
            }
        }
    }

    /// The span that introduces an operation into a constraint, traced back through row variables.
    fn origin_span(
        &self,
        types: &TypeTable,
        include: &RowConstraint,
        op: OpId,
        seen: &mut BTreeSet<u32>,
    ) -> Span {
        let row = types.get_row(include.sub);
        if row.ops.contains(&op) {
            return include.origin.span;
        }
        for var in &row.vars {
            // Constraints can be cyclic: recursive closures flow into their own row.
            if !seen.insert(*var) {
                continue;
            }
            // `propagate` adds members to the first variable of a right side only, so no other
            // constraint can have brought the operation here.
            let into = |it: &&RowConstraint| {
                types.get_row(it.sup).vars.first() == Some(var)
                    && self.members_after_except(types, it).ops.contains(&op)
            };
            if let Some(source) = self.constraints.iter().find(into) {
                return self.origin_span(types, source, op, seen);
            }
        }
        include.origin.span
    }

    /// A row with its variables replaced by their solutions.
    pub(crate) fn solution_of(&self, types: &mut TypeTable, row: RowId) -> RowId {
        if types.get_row(row).vars.is_empty() {
            return row;
        }
        let members = self.members(types, row);
        let row = Row::new(
            members.ops.into_iter().collect(),
            members.params.into_iter().collect(),
            Vec::new(),
        );
        types.intern_row(row)
    }

    fn propagate(&mut self, types: &TypeTable) -> bool {
        let mut changed = false;
        for at in 0..self.constraints.len() {
            let include = self.constraints[at];
            let allowed = types.get_row(include.sup);
            // If there are several variables, the first one receives all members: that satisfies
            // the constraint, too.
            let Some(var) = allowed.vars.first() else { continue };
            let members = self.members_after_except(types, &include);
            let target = &mut self.vars[*var as usize];
            for op in members.ops {
                // The variable receives only what the right side does not name already: more would
                // still be a solution, but not the least one, and callers would see effects that do
                // not occur.
                changed |= !allowed.ops.contains(&op) && target.ops.insert(op);
            }
            for param in members.params {
                changed |= !allowed.params.contains(&param) && target.params.insert(param);
            }
        }
        changed
    }

    fn members_after_except(&self, types: &TypeTable, include: &RowConstraint) -> RowMembers {
        let mut members = self.members(types, include.sub);
        // Only operations: a world cannot answer an effect parameter, whose operations are unknown
        // here.
        for op in &types.get_row(include.except).ops {
            members.ops.remove(op);
        }
        members
    }

    fn members(&self, types: &TypeTable, row: RowId) -> RowMembers {
        let row = types.get_row(row);
        let mut members = RowMembers {
            ops: row.ops.iter().copied().collect(),
            params: row.params.iter().copied().collect(),
        };
        for var in &row.vars {
            let solution = &self.vars[*var as usize];
            members.ops.extend(&solution.ops);
            members.params.extend(&solution.params);
        }
        members
    }
}
