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
use crate::specs::SpecNamespace;

/// A parsed module and the targets of its `use` lines.
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

/// The target of a `use`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UseTarget {
    /// A module, by its index in the input.
    Module(usize),
    /// No module, with the reason and the closest existing module name.
    Missing {
        /// Why it could not be loaded.
        reason: String,
        /// An existing module with a similar name.
        suggestion: Option<String>,
    },
    /// A cycle back to the using module, through these modules.
    Cycle(Vec<String>),
}

/// The result of a check.
pub struct CheckedProgram {
    /// The program. If there are errors it has holes and must not be run.
    pub program: Program,
    /// The findings, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

impl CheckedProgram {
    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Checks parsed modules, those of the standard library included.
pub fn check(modules: &[ModuleInput<'_>]) -> CheckedProgram {
    let mut checker = Checker::new(modules);
    let declarations = checker.declare(modules);
    // Before any body, so that functions can be used before they are declared.
    checker.signatures(&declarations);
    checker.profiles();
    checker.default_generators();
    checker.elaborate(&declarations);
    checker.late_checks(&declarations);
    crate::test_lints::lint_claims(&mut checker);
    let Checker { program, mut diagnostics, .. } = checker;
    sort_diagnostics(&mut diagnostics);
    // Equal findings are adjacent once sorted.
    diagnostics.dedup();
    CheckedProgram { program, diagnostics }
}

/// A type alias, resolved on demand.
pub(crate) struct TypeAlias<'t> {
    pub(crate) name: &'t str,
    pub(crate) span: Span,
    pub(crate) module: ModuleId,
    pub(crate) params: Vec<&'t str>,
    pub(crate) ty: Option<Type<'t>>,
    pub(crate) state: AliasState,
}

/// The state of alias resolution.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum AliasState {
    /// Not needed yet.
    Unresolved,
    /// Being resolved: reaching it again is a cycle.
    InProgress,
    /// Resolved, over its parameters.
    Resolved(TyId),
}

/// A refinement predicate whose body has yet to be elaborated.
pub(crate) struct PendingPredicate<'t> {
    pub(crate) function: FunctionId,
    pub(crate) expr: Expr<'t>,
    pub(crate) type_params: Vec<&'t str>,
}

/// The namespace in which a claim's name must be unique.
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
    pub(crate) specs: Vec<SpecNamespace<'t>>,
    pub(crate) predicates: Vec<PendingPredicate<'t>>,
    /// The builtin that a standard function without a body denotes.
    pub(crate) builtins: std::collections::HashMap<FunctionId, BuiltinId>,
    /// The spans of the names of tests, by module, and of laws, by function.
    pub(crate) claim_names: std::collections::HashMap<(ClaimOwner, String), Span>,
    /// The number of `verify` blocks per name; duplicates get numbers.
    pub(crate) block_names: std::collections::HashMap<(ModuleId, String), u32>,
    /// The functions with `@profile`, in the order of their ids.
    pub(crate) profile_attributes: std::collections::BTreeMap<FunctionId, ProfileAttribute>,
    /// Where `@generator` is, by function.
    pub(crate) generator_attributes: std::collections::BTreeMap<FunctionId, Span>,
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
            specs: Vec::new(),
            predicates: Vec::new(),
            builtins: Default::default(),
            claim_names: Default::default(),
            block_names: Default::default(),
            profile_attributes: Default::default(),
            generator_attributes: Default::default(),
            effect_params: Default::default(),
            diagnostics: Vec::new(),
            n_errors: 0,
        }
    }

    /// Records a finding. Warnings about the standard library are dropped: users cannot fix them.
    pub(crate) fn report(&mut self, finding: impl Into<Diagnostic>) {
        let diagnostic = finding.into();
        let file = diagnostic.primary.span.file;
        let is_error = diagnostic.code.severity == Severity::Error;
        self.n_errors += usize::from(is_error);
        if is_error || !self.is_std(file) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The number of errors reported so far.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// Reports a claim whose name is taken: reports and proofs identify claims by name.
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
