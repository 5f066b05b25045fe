//! Frames: one per function body or closure being elaborated, with its local scope and captures.

use gainsay_core::{Body, FunctionId, LocalId, Pattern, PatternId, RowId, Term, TyId};
use gainsay_source::Span;

use super::Elaborator;
use crate::effect_rows::EffectLimit;
use crate::findings::UnusedVariable;

/// A name in scope.
pub(super) struct LocalBinding<'t> {
    pub(super) name: &'t str,
    pub(super) local: LocalId,
    pub(super) span: Span,
    pub(super) used: bool,
    /// Whether no warning is issued if it is unused.
    pub(super) allow_unused: bool,
}

/// A match or binding pattern, checked for exhaustiveness once its types are known.
pub(super) struct PendingMatch {
    pub(super) scrutinee: TyId,
    pub(super) rows: Vec<(PatternId, IsGuarded, Span)>,
    pub(super) span: Span,
    pub(super) kind: PendingMatchKind,
}

/// Whether an arm has a guard, and so may be passed over although its pattern matches.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum IsGuarded {
    Yes,
    No,
}

/// The use of a pattern.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum PendingMatchKind {
    Match,
    Binding,
}

/// A function with an elaborated body whose types have yet to be substituted.
pub(super) struct FinishedBody {
    pub(super) function: FunctionId,
    pub(super) matches: Vec<PendingMatch>,
    pub(super) alternatives: Vec<(PatternId, Span)>,
}

/// A body that is being elaborated.
pub(super) struct BodyFrame<'t> {
    pub(super) function: FunctionId,
    pub(super) body: Body,
    pub(super) n_params: usize,
    pub(super) bindings: Vec<LocalBinding<'t>>,
    /// `(local of the enclosing frame, local of this frame)`.
    pub(super) captures: Vec<(LocalId, LocalId)>,
    pub(super) result: TyId,
    /// Whether it is the block of `throws`, `under` or `par`: part of the enclosing function in the
    /// source, although a closure in core.
    pub(super) is_block: bool,
    pub(super) matches: Vec<PendingMatch>,
    /// The spans of the alternatives of or-patterns.
    pub(super) alternatives: Vec<(PatternId, Span)>,
    sinks: Vec<(RowId, EffectLimit)>,
}

impl<'t> BodyFrame<'t> {
    pub(super) fn new(function: FunctionId, body: Body, result: TyId) -> Self {
        let n_params = body.locals.len();
        Self {
            function,
            body,
            n_params,
            bindings: Vec::new(),
            captures: Vec::new(),
            result,
            is_block: false,
            matches: Vec::new(),
            alternatives: Vec::new(),
            sinks: Vec::new(),
        }
    }

    /// The row that effects flow into, and what limits it.
    pub(super) fn effect_sink(&self) -> (RowId, EffectLimit) {
        *self.sinks.last().expect("a frame is entered with a sink")
    }

    pub(super) fn push_effect_sink(&mut self, row: RowId, demand: EffectLimit) {
        self.sinks.push((row, demand));
    }

    pub(super) fn pop_effect_sink(&mut self) {
        self.sinks.pop();
    }

    /// Reorders locals so that captures precede parameters, as core requires.
    pub(super) fn put_captures_first(&mut self) {
        if self.captures.is_empty() {
            return;
        }
        let n_captures = self.captures.len();
        // Captures are discovered during the walk, after the parameters have their numbers, so
        // locals are renumbered once at the end.
        let mut order: Vec<u32> = self.captures.iter().map(|(_, local)| local.0).collect();
        let captured = order.clone();
        order.extend((0..self.body.locals.len() as u32).filter(|it| !captured.contains(it)));
        let mut renumbered = vec![LocalId(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            renumbered[*old as usize] = LocalId(new as u32);
        }
        let locals = std::mem::take(&mut self.body.locals);
        self.body.locals = order.iter().map(|old| locals[*old as usize].clone()).collect();
        for (at, (_, local)) in self.captures.iter_mut().enumerate() {
            *local = LocalId(at as u32);
        }
        self.n_params += n_captures;
        renumber(&mut self.body, &renumbered);
    }
}

fn renumber(body: &mut Body, renumbered: &[LocalId]) {
    for term in &mut body.terms {
        if let Term::Local(local) | Term::Sample { local, .. } = term {
            *local = renumbered[local.index()];
        }
    }
    for pattern in &mut body.patterns {
        if let Pattern::Bind(local) = pattern {
            *local = renumbered[local.index()];
        }
    }
}

impl<'t> Elaborator<'_, 't> {
    pub(super) fn frame(&self) -> &BodyFrame<'t> {
        self.frames.last().expect("terms are elaborated inside a frame")
    }

    pub(super) fn frame_mut(&mut self) -> &mut BodyFrame<'t> {
        self.frames.last_mut().expect("terms are elaborated inside a frame")
    }

    /// Opens a scope; [`Self::leave_scope`] drops the names bound from here on.
    pub(super) fn enter_scope(&mut self) -> usize {
        self.frame().bindings.len()
    }

    /// Drops the names bound since the mark, and reports unused ones.
    pub(super) fn leave_scope(&mut self, mark: usize) {
        let gone: Vec<LocalBinding<'t>> = self.frame_mut().bindings.drain(mark..).collect();
        for it in gone {
            if !it.used && !it.allow_unused && !it.name.starts_with('_') {
                let (name, span) = (it.name.to_owned(), it.span);
                self.report(UnusedVariable { name, span });
            }
        }
    }

    /// Binds a name to a new local.
    pub(super) fn bind(&mut self, name: &'t str, ty: TyId, span: Span) -> LocalId {
        let local = self.frame_mut().body.add_local(name, ty, span);
        let binding = LocalBinding { name, local, span, used: false, allow_unused: false };
        self.frame_mut().bindings.push(binding);
        local
    }

    /// Binds a name that may be unused: parameters and inputs of claims.
    pub(super) fn bind_allow_unused(&mut self, name: &'t str, ty: TyId, span: Span) -> LocalId {
        let local = self.bind(name, ty, span);
        self.frame_mut().bindings.last_mut().expect("just bound").allow_unused = true;
        local
    }

    /// Allows a name to be unused, because an error about it was reported.
    pub(super) fn allow_unused(&mut self, name: &str) {
        let bindings = self.frame_mut().bindings.iter_mut();
        bindings.filter(|it| it.name == name).for_each(|it| it.allow_unused = true);
    }

    /// Brings a parameter that is already a local into scope.
    pub(super) fn bind_param(&mut self, name: &'t str, local: LocalId, span: Span) {
        let binding = LocalBinding { name, local, span, used: false, allow_unused: true };
        self.frame_mut().bindings.push(binding);
    }

    /// The local that a name denotes, captured through every frame in between.
    pub(super) fn find_local(&mut self, name: &str) -> Option<LocalId> {
        let (depth, mut local) =
            self.frames.iter_mut().enumerate().rev().find_map(|(at, it)| {
                // The innermost first: a later binding shadows an earlier one of the same name.
                let binding = it.bindings.iter_mut().rev().find(|it| it.name == name)?;
                binding.used = true;
                Some((at, binding.local))
            })?;
        // Each frame captures from the next outer one only: core closures copy values at creation,
        // when only the enclosing frame exists.
        for at in depth + 1..self.frames.len() {
            local = self.capture(at, local);
        }
        Some(local)
    }

    fn capture(&mut self, at: usize, outer: LocalId) -> LocalId {
        // Once per local, however often it is used: a closure holds every value once.
        if let Some((_, inner)) = self.frames[at].captures.iter().find(|(it, _)| *it == outer) {
            return *inner;
        }
        let local = self.frames[at - 1].body.local(outer).clone();
        let inner = self.frames[at].body.add_local(&local.name, local.ty, local.span);
        self.frames[at].captures.push((outer, inner));
        inner
    }

    /// Whether a name denotes a local; does not count as a use.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.frames.iter().any(|frame| frame.bindings.iter().any(|it| it.name == name))
    }

    /// The names of all locals in scope, for suggestions.
    pub(super) fn local_names(&self) -> Vec<&'t str> {
        self.frames.iter().flat_map(|frame| frame.bindings.iter().map(|it| it.name)).collect()
    }
}
