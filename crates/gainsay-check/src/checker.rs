//! The state of a check of a whole program, and its stages in order.

use gainsay_core::{
    BuiltinId, FunctionId, Module, ModuleId, ParamNames, Program, TyId, type_text_in,
};
use gainsay_source::{Diagnostic, FileId, Severity, Span, sort_diagnostics};
use gainsay_syntax::Tree;
use gainsay_syntax::ast::{Expr, File, Type};

use crate::attributes::ProfileAttribute;
use crate::declarations::Declarations;
use crate::findings::DuplicateDefinition;
use crate::scope::{ModuleScope, PreludeScope};

/// A parsed module, with what each of its `use` lines leads to.
pub struct ModuleInput<'t> {
    /// Its name.
    pub name: String,
    /// Its tree.
    pub tree: &'t Tree,
    /// Whether it belongs to the standard library.
    pub is_std: bool,
    /// One entry per `use`, in source order.
    pub uses: Vec<UseTarget>,
}

/// What a `use` leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UseTarget {
    /// A module, by its place in the input.
    Module(usize),
    /// Nothing, with the reason and the name of a module that would have been close.
    Missing {
        /// Why it could not be read.
        reason: String,
        /// A module that is there.
        suggestion: Option<String>,
    },
    /// Back to where we came from, by these modules.
    Cycle(Vec<String>),
}

/// What came out.
pub struct CheckedProgram {
    /// The program. With errors it has holes, and must not be run.
    pub program: Program,
    /// What was found, in the order of the sources.
    pub diagnostics: Vec<Diagnostic>,
}

impl CheckedProgram {
    /// Whether the program is rejected.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Checks modules that were parsed, the standard ones among them.
pub fn check(modules: &[ModuleInput<'_>]) -> CheckedProgram {
    let mut checker = Checker::new(modules);
    let declarations = checker.declare(modules);
    checker.signatures(&declarations);
    checker.profiles();
    checker.elaborate(&declarations);
    checker.late_checks(&declarations);
    crate::test_lints::lint_claims(&mut checker);
    let Checker { program, mut diagnostics, .. } = checker;
    sort_diagnostics(&mut diagnostics);
    diagnostics.dedup();
    CheckedProgram { program, diagnostics }
}

/// An alias, resolved when it is first needed.
pub(crate) struct TypeAlias<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
    pub(crate) module: ModuleId,
    pub(crate) params: Vec<&'t str>,
    pub(crate) ty: Option<Type<'t>>,
    pub(crate) state: AliasState,
}

/// How far an alias has come.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum AliasState {
    /// Nobody asked yet.
    Unresolved,
    /// Being resolved: meeting it again is a circle.
    InProgress,
    /// Known, over its parameters.
    Resolved(TyId),
}

/// A refinement predicate whose body is still to be elaborated.
pub(crate) struct PendingPredicate<'t> {
    pub(crate) function: FunctionId,
    pub(crate) expr: Expr<'t>,
    pub(crate) type_params: Vec<&'t str>,
}

/// Among whose claims a name must be the only one.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ClaimOwner {
    /// The tests of a module.
    Module(ModuleId),
    /// The laws of a function.
    Function(FunctionId),
}

/// The state of a check.
pub(crate) struct Checker<'t> {
    pub(crate) program: Program,
    pub(crate) modules: Vec<ModuleScope<'t>>,
    pub(crate) prelude: PreludeScope<'t>,
    pub(crate) aliases: Vec<TypeAlias<'t>>,
    pub(crate) predicates: Vec<PendingPredicate<'t>>,
    /// The builtin that a body-less standard function stands for.
    pub(crate) builtins: std::collections::HashMap<FunctionId, BuiltinId>,
    /// Where tests, by module, and laws, by function, have their names.
    pub(crate) claim_names: std::collections::HashMap<(ClaimOwner, String), Span>,
    /// How many verify blocks have a name, before they are told apart by numbers.
    pub(crate) block_names: std::collections::HashMap<(ModuleId, String), u32>,
    /// The functions with `@profile`, in the order of their ids.
    pub(crate) profile_attributes: std::collections::BTreeMap<FunctionId, ProfileAttribute>,
    /// The names of the effect parameters of a declared function.
    pub(crate) effect_params: std::collections::HashMap<FunctionId, Vec<&'t str>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    n_errors: usize,
}

impl<'t> Checker<'t> {
    fn new(modules: &[ModuleInput<'t>]) -> Self {
        let mut program = Program::default();
        let mut scopes = Vec::new();
        for input in modules {
            program.modules.push(Module {
                name: input.name.as_str().into(),
                file: input.tree.file(),
                is_std: input.is_std,
            });
            scopes.push(ModuleScope {
                name: input.name.clone(),
                tree: input.tree,
                is_std: input.is_std,
                values: Default::default(),
                types: Default::default(),
                imported_values: Default::default(),
                imported_types: Default::default(),
                uses: Default::default(),
                unresolved: Default::default(),
                n_suggested: Default::default(),
            });
        }
        Self {
            program,
            modules: scopes,
            prelude: PreludeScope::default(),
            aliases: Vec::new(),
            predicates: Vec::new(),
            builtins: Default::default(),
            claim_names: Default::default(),
            block_names: Default::default(),
            profile_attributes: Default::default(),
            effect_params: Default::default(),
            diagnostics: Vec::new(),
            n_errors: 0,
        }
    }

    /// Takes down a finding. Warnings about the standard library are nobody's business.
    pub(crate) fn report(&mut self, finding: impl Into<Diagnostic>) {
        let diagnostic = finding.into();
        let file = diagnostic.primary.span.file;
        let is_error = diagnostic.code.severity == Severity::Error;
        self.n_errors += usize::from(is_error);
        if is_error || !self.is_std(file) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// How many errors were reported so far.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Reports a claim whose name another one has: reports and proofs tell them apart by it.
    pub(crate) fn check_unique_claim_name(
        &mut self,
        owner: ClaimOwner,
        name: &str,
        span: Span,
    ) {
        let key = (owner, name.to_owned());
        if let Some(first) = self.claim_names.get(&key).copied() {
            self.report(DuplicateDefinition { name: key.1, span, first });
        } else {
            self.claim_names.insert(key, span);
        }
    }

    /// Whether a file belongs to the standard library.
    pub(crate) fn is_std(&self, file: FileId) -> bool {
        self.program.modules.iter().any(|module| module.is_std && module.file == file)
    }

    pub(crate) fn scope(&self, module: ModuleId) -> &ModuleScope<'t> {
        &self.modules[module.index()]
    }

    pub(crate) fn file(&self, module: ModuleId) -> Option<File<'t>> {
        File::cast(self.scope(module).tree.root())
    }

    /// A type as the user would write it, without refinements.
    pub(crate) fn type_text(&mut self, names: ParamNames<'_>, ty: TyId) -> String {
        let ty = self.program.types.erase_refinements(ty);
        type_text_in(&self.program, names, ty)
    }

    pub(crate) fn elaborate(&mut self, declarations: &Declarations<'t>) {
        crate::elaborate::elaborate(self, declarations);
    }

    pub(crate) fn late_checks(&mut self, declarations: &Declarations<'t>) {
        crate::late_checks::run(self, declarations);
    }
}
