//! What the checker knows of a place's type before it looks at the text there. A mutant such as
//! `[]` or `None` determines less of its type than the original: it compiles only where the type is
//! known from the context.

use gainsay_core::builtin::{self, LIST_CONCAT, MAP_EMPTY, SET_EMPTY};
use gainsay_core::{
    Body, BuiltinId, CtorId, Function, FunctionId, Pattern, Program, SearchStep, Statement,
    Term, TermId, Ty, TyId,
};

/// What the context of a place determines of its type.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ExpectedType {
    /// Nothing that can be relied on.
    Unknown,
    /// Only the error type of a `Result`: that of the function which `?` leaves.
    ErrorTypeOnly,
    /// All of it.
    Known,
}

impl From<bool> for ExpectedType {
    /// All or nothing.
    fn from(is_known: bool) -> Self {
        if is_known { Self::Known } else { Self::Unknown }
    }
}

/// Depth to which a term is inspected.
const MAX_DEPTH: u32 = 8;

/// Parts of a term that are inspected.
const MAX_PARTS: usize = 8;

/// Whether the text of a term certainly determines its type in any context.
pub(crate) fn has_evident_type(program: &Program, body: &Body, term: TermId) -> bool {
    TypeEvidence { program, body }.determines_type(term, 0)
}

/// Whether the text of a term certainly leaves a part of its type open. Not the negation of
/// [`has_evident_type`]: in doubt, both are false.
pub(crate) fn has_vague_type(program: &Program, body: &Body, term: TermId) -> bool {
    TypeEvidence { program, body }.leaves_type_open(term, 0)
}

struct TypeEvidence<'a> {
    program: &'a Program,
    body: &'a Body,
}

impl TypeEvidence<'_> {
    fn all(&self, parts: &[TermId], depth: u32) -> bool {
        parts.len() <= MAX_PARTS && parts.iter().all(|it| self.determines_type(*it, depth))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "an unknown form determines nothing")]
    fn determines_type(&self, term: TermId, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let inside = depth + 1;
        match self.body.term(term) {
            Term::Function { type_args, .. } | Term::Perform { type_args, .. } => {
                type_args.is_empty()
            }
            Term::Closure { function, .. } => self.lambda_determines_type(*function, inside),
            Term::Call { function, type_args, args } => {
                // Without type parameters a function has only one result type.
                type_args.is_empty() || self.args_determine_type(*function, args, inside)
            }
            Term::Builtin { builtin, type_args, args } => match *builtin {
                MAP_EMPTY | SET_EMPTY => false,
                _ => type_args.is_empty() || is_comparison(*builtin) || self.all(args, inside),
            },
            Term::Construct { ctor, args } => {
                self.fields_determine_type(*ctor) && self.all(args, inside)
            }
            Term::Tuple(parts) => self.all(parts, inside),
            Term::List { items, rest } => {
                // All elements have one type, so a single one determines it; in a tuple each stands
                // for itself.
                let mut parts = items.iter().chain(rest).take(MAX_PARTS);
                parts.any(|it| self.determines_type(*it, inside))
            }
            Term::If { then, otherwise, .. } => {
                self.determines_type(*then, inside) || self.determines_type(*otherwise, inside)
            }
            Term::Match { arms, .. } => {
                arms.iter().take(MAX_PARTS).any(|it| self.determines_type(it.body, inside))
            }
            Term::Block { result: part, .. }
            | Term::Try { value: part, .. }
            | Term::Update { base: part, .. } => self.determines_type(*part, inside),
            // Most forms have one type whatever surrounds them; the rest depend on the context, or
            // are in doubt.
            Term::Literal(_)
            | Term::Local(_)
            | Term::Constant(_)
            | Term::Refine { .. }
            | Term::CallValue { .. }
            | Term::CheckRel { .. }
            | Term::Field { .. }
            | Term::And(..)
            | Term::Or(..)
            | Term::Observe { .. }
            | Term::Assume(_)
            | Term::Throws { .. }
            | Term::Across { .. }
            | Term::Sample { .. }
            | Term::Traced { .. } => true,
            _ => false,
        }
    }

    /// Whether the result of a lambda determines its type; the caller determines its parameters.
    fn lambda_determines_type(&self, function: FunctionId, depth: u32) -> bool {
        let body = &self.program.function(function).body;
        let evidence = TypeEvidence { program: self.program, body };
        body.root.is_some_and(|it| evidence.determines_type(it, depth))
    }

    /// Whether the arguments determine each type parameter in the result of a function.
    fn args_determine_type(&self, function: FunctionId, args: &[TermId], depth: u32) -> bool {
        let function = self.program.function(function);
        let given = function.params.iter().zip(args).take(MAX_PARTS);
        let given: Vec<TyId> =
            given.filter(|it| self.determines_type(*it.1, depth)).map(|it| it.0.ty).collect();
        let n_params = function.type_params.len() as u32;
        let mut open = (0..n_params).filter(|it| self.mentions(function.result, *it));
        open.all(|param| given.iter().any(|it| self.mentions(*it, param)))
    }

    /// Whether the fields of a constructor determine its type arguments.
    fn fields_determine_type(&self, ctor: CtorId) -> bool {
        let ctor = self.program.ctor(ctor);
        let params = &self.program.nominal(ctor.ty).params;
        let mut params = 0..params.len() as u32;
        params.all(|param| ctor.fields.iter().any(|it| self.mentions(it.ty, param)))
    }

    /// Whether a type parameter occurs in a type.
    fn mentions(&self, ty: TyId, param: u32) -> bool {
        let types = &self.program.types;
        types.find(ty, &mut |id, ty| {
            if *ty == Ty::Param(param) {
                SearchStep::Found
            } else if types.flags(id).has_param() {
                SearchStep::Descend
            } else {
                SearchStep::Skip
            }
        })
    }

    fn leaves_type_open(&self, term: TermId, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let inside = depth + 1;
        if let Term::Construct { ctor, args } = self.body.term(term) {
            let mut args = args.iter().take(MAX_PARTS);
            return !self.fields_determine_type(*ctor)
                || args.any(|it| self.leaves_type_open(*it, inside));
        }
        if let Term::List { items, rest } = self.body.term(term) {
            // Several parts may together determine what none of them does alone.
            let mut parts = items.iter().chain(rest);
            return match (parts.next(), parts.next()) {
                (None, _) => true,
                (Some(only), None) => self.leaves_type_open(*only, inside),
                (Some(_), Some(_)) => false,
            };
        }
        if let Term::Block { result, .. } = self.body.term(term) {
            return self.leaves_type_open(*result, inside);
        }
        matches!(self.body.term(term), Term::Builtin { builtin: MAP_EMPTY | SET_EMPTY, .. })
    }
}

fn is_comparison(builtin: BuiltinId) -> bool {
    builtin::get(builtin).comparison.is_some()
}

/// The context of a subterm, as far as types are concerned.
pub(crate) struct TypeContext<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: &'a Function,
    /// The enclosing term.
    pub(crate) term: &'a Term,
    /// What is known of its type.
    pub(crate) expected_type: ExpectedType,
}

impl TypeContext<'_> {
    fn is_evident(&self, term: TermId) -> bool {
        has_evident_type(self.program, &self.function.body, term)
    }

    fn is_whole(&self) -> bool {
        self.expected_type == ExpectedType::Known
    }

    /// What is known of the type of the subterm at this position in the order of
    /// [`Term::for_each_subterm`].
    #[expect(clippy::wildcard_enum_match_arm, reason = "in doubt nothing is known")]
    pub(crate) fn of_part(&self, at: usize) -> ExpectedType {
        let types = &self.program.types;
        let is_plain = |ty| !types.flags(ty).has_param();
        match self.term {
            Term::Call { function, .. } => {
                let param = self.program.function(*function).params.get(at);
                ExpectedType::from(param.is_some_and(|it| is_plain(it.ty)))
            }
            Term::Perform { op, .. } => {
                let param = self.program.op(*op).params.get(at);
                ExpectedType::from(param.is_some_and(|it| is_plain(it.1)))
            }
            Term::Construct { ctor, .. } => {
                let field = self.program.ctor(*ctor).fields.get(at);
                ExpectedType::from(self.is_whole() || field.is_some_and(|it| is_plain(it.ty)))
            }
            // Inference goes from left to right: only the right operand can profit from the left.
            Term::Builtin { builtin, type_args, args } => match *builtin {
                LIST_CONCAT if self.is_whole() => ExpectedType::Known,
                LIST_CONCAT => ExpectedType::from(at == 1 && self.is_evident(args[0])),
                it if is_comparison(it) => {
                    ExpectedType::from(at == 1 && self.is_evident(args[0]))
                }
                _ => ExpectedType::from(type_args.is_empty()),
            },
            Term::If { then, .. } => ExpectedType::from(match at {
                0 => true,
                1 => self.is_whole(),
                _ => self.is_whole() || self.is_evident(*then),
            }),
            Term::And(..) | Term::Or(..) | Term::Refine { .. } | Term::Sample { .. } => {
                ExpectedType::Known
            }
            Term::List { items, .. } => {
                let first = items.first().filter(|_| at > 0);
                ExpectedType::from(
                    self.is_whole() || first.is_some_and(|it| self.is_evident(*it)),
                )
            }
            Term::Tuple(_) => self.expected_type,
            Term::Block { statements, .. } => match statements.get(at) {
                // Anything but `Unit` is reported as an unused value.
                Some(Statement::Drop(_)) => ExpectedType::Known,
                Some(Statement::Let(pattern, _)) => {
                    let pattern = self.function.body.pattern(*pattern);
                    // A name takes the type of its value, so the value has to determine it.
                    ExpectedType::from(matches!(pattern, Pattern::Wildcard))
                }
                None => self.expected_type,
            },
            // Only a declared function has a written result; that of a lambda may be inferred from
            // this `?`.
            Term::Try { .. } => {
                let is_declared = self.function.kind == gainsay_core::FunctionKind::Declared;
                if is_declared { ExpectedType::ErrorTypeOnly } else { ExpectedType::Unknown }
            }
            _ => ExpectedType::Unknown,
        }
    }

    /// What is known of the bodies of a match: the first with an evident type determines that of
    /// those after it.
    pub(crate) fn of_arms(&self) -> Vec<ExpectedType> {
        let Term::Match { arms, .. } = self.term else { return Vec::new() };
        let mut is_determined = self.is_whole();
        let mut expected = Vec::new();
        for arm in arms {
            expected.push(ExpectedType::from(is_determined));
            is_determined = is_determined || self.is_evident(arm.body);
        }
        expected
    }
}
