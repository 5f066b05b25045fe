//! The program generator: a program under construction, and a stack of functions under
//! construction.

use gainsay_core::{
    Body, Clause, CtorId, Function, FunctionId, FunctionKind, LocalId, OpId, Param, Program,
    Row, RowId, Term, TermId, Ty, TyId, TypeId, TypeTable,
};
use gainsay_source::{FileId, Span};

use super::declarations::GeneratedRefinement;
use super::function_plan::FunctionPlan;
use super::prelude::{MAIN, PRELUDE};
use super::random_choices::RandomChoices;

/// The effects that code may have.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum AllowedEffects {
    /// None.
    Pure,
    /// Those of its function parameters.
    Open,
    /// Every operation of the program.
    All,
}

/// Whether code may contain `observe` and `assume`.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum ClaimStatements {
    /// Yes.
    Allowed,
    /// No: predicates, clauses and constants.
    Forbidden,
}

/// A program under construction.
pub(super) struct ProgramGenerator {
    pub(super) chance: RandomChoices,
    pub(super) program: Program,
    /// Functions by id; `None` for reserved ids.
    pub(super) functions: Vec<Option<Function>>,
    /// The functions under construction, the innermost last.
    pub(super) drafts: Vec<FunctionDraft>,
    /// Declared functions.
    pub(super) plans: Vec<FunctionPlan>,
    /// Types that occur often, so that terms fit together.
    pub(super) favourites: Vec<TyId>,
    /// The refined types.
    pub(super) refinements: Vec<GeneratedRefinement>,
    /// For each nominal type, whether it contains a function.
    pub(super) with_functions: Vec<bool>,
    /// The operations performed, with their type arguments.
    pub(super) performed: Vec<(OpId, Box<[TyId]>)>,
    /// Functions generated to be passed in from outside: their types and ids.
    pub(super) givens: Vec<(TyId, FunctionId)>,
    /// The term budget; when it is used up, only leaves are generated.
    pub(super) terms_left: i64,
    pub(super) all_row: RowId,
    pub(super) open_row: RowId,
    next_place: u32,
}

/// A function under construction.
pub(super) struct FunctionDraft {
    pub(super) id: FunctionId,
    pub(super) body: Body,
    /// The locals in scope.
    pub(super) scope: Vec<LocalId>,
    pub(super) level: AllowedEffects,
    pub(super) voice: ClaimStatements,
    pub(super) result: TyId,
    /// Whether `?` may return here: not in clauses.
    pub(super) may_leave: bool,
    pub(super) n_type_params: u32,
    /// Plans from here on may be called.
    pub(super) first_callee: usize,
    /// Constants below may be used.
    pub(super) n_constants: usize,
    /// The recursion that is allowed, if any.
    pub(super) recursion: Option<BoundedRecursion>,
    pub(super) requires: Vec<Clause>,
    pub(super) ensures: Vec<Clause>,
}

/// A recursion that terminates.
#[derive(Debug, Copy, Clone)]
pub(super) struct BoundedRecursion {
    /// The local that limits the recursion.
    pub(super) fuel: LocalId,
    /// The group of mutually recursive functions.
    pub(super) group: u32,
    /// The number of recursive calls that may still be generated.
    pub(super) n_left: u32,
}

/// The signature of a new function.
pub(super) struct FunctionHead {
    pub(super) name: String,
    pub(super) kind: FunctionKind,
    pub(super) n_type_params: u32,
    pub(super) n_captures: u32,
    pub(super) params: Vec<(String, TyId)>,
    pub(super) result: TyId,
    pub(super) level: AllowedEffects,
    pub(super) voice: ClaimStatements,
    pub(super) first_callee: usize,
    pub(super) n_constants: usize,
}

impl ProgramGenerator {
    pub(super) fn new(seed: u64) -> Self {
        let mut program = PRELUDE.program.clone();
        let open_row = program.types.intern_row(Row::new(Vec::new(), vec![0], Vec::new()));
        let with_functions = vec![false; program.nominals.len()];
        Self {
            chance: RandomChoices::new(seed),
            program,
            functions: Vec::new(),
            drafts: Vec::new(),
            plans: Vec::new(),
            favourites: Vec::new(),
            refinements: Vec::new(),
            with_functions,
            performed: Vec::new(),
            givens: Vec::new(),
            terms_left: 0,
            all_row: TypeTable::PURE,
            open_row,
            next_place: 1,
        }
    }

    /// A unique span, so that the locations of faults can be compared.
    pub(super) fn place(&mut self) -> Span {
        self.next_place += 2;
        Span::new(FileId(0), self.next_place, self.next_place + 1)
    }

    pub(super) fn ty(&mut self, ty: Ty) -> TyId {
        self.program.types.intern(ty)
    }

    /// The current function.
    pub(super) fn draft(&self) -> &FunctionDraft {
        self.drafts.last().expect("terms are made inside a function")
    }

    pub(super) fn draft_mut(&mut self) -> &mut FunctionDraft {
        self.drafts.last_mut().expect("terms are made inside a function")
    }

    /// Adds a term to the current function.
    pub(super) fn add(&mut self, term: Term, ty: TyId) -> TermId {
        let span = self.place();
        self.draft_mut().body.add(term, ty, span)
    }

    /// Adds a local, which is not in scope yet.
    pub(super) fn add_local(&mut self, ty: TyId) -> LocalId {
        let span = self.place();
        let draft = self.draft_mut();
        let name = format!("v{}", draft.body.locals.len());
        draft.body.add_local(&name, ty, span)
    }

    pub(super) fn local_term(&mut self, local: LocalId) -> TermId {
        let ty = self.draft().body.local(local).ty;
        self.add(Term::Local(local), ty)
    }

    pub(super) fn row(&self, level: AllowedEffects) -> RowId {
        match level {
            AllowedEffects::Pure => TypeTable::PURE,
            AllowedEffects::Open => self.open_row,
            AllowedEffects::All => self.all_row,
        }
    }

    /// The effects that a row allows.
    pub(super) fn level(&self, row: RowId) -> AllowedEffects {
        if row == TypeTable::PURE {
            AllowedEffects::Pure
        } else if row == self.open_row {
            AllowedEffects::Open
        } else {
            AllowedEffects::All
        }
    }

    /// Whether code with these effects may be called here.
    pub(super) fn may_call(&self, level: AllowedEffects) -> bool {
        level == AllowedEffects::Pure
            || level == self.draft().level
            || self.draft().level == AllowedEffects::All
    }

    /// Reserves the id of a function that is generated later.
    pub(super) fn reserve(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// Generates a function: `build` generates its body inside its scope.
    pub(super) fn define(
        &mut self,
        id: FunctionId,
        head: FunctionHead,
        build: impl FnOnce(&mut Self) -> TermId,
    ) {
        self.begin(id, &head);
        let root = build(self);
        let draft = self.drafts.pop().expect("the function was begun above");
        let mut body = draft.body;
        body.root = Some(root);
        let span = self.place();
        let param =
            |(name, ty): &(String, TyId)| Param { name: (&**name).into(), ty: *ty, span };
        let names = |letter: char, count: u32| -> Box<[Box<str>]> {
            (0..count).map(|at| format!("{letter}{at}").into()).collect()
        };
        self.functions[id.index()] = Some(Function {
            name: head.name.into(),
            module: MAIN,
            span,
            kind: head.kind,
            type_params: names('T', head.n_type_params),
            effect_params: names('e', u32::from(head.level == AllowedEffects::Open)),
            n_captures: head.n_captures,
            params: head.params.iter().map(param).collect(),
            result: head.result,
            row: self.row(head.level),
            requires: draft.requires.into(),
            ensures: draft.ensures.into(),
            body,
            attributes: Default::default(),
        });
    }

    fn begin(&mut self, id: FunctionId, head: &FunctionHead) {
        let mut body = Body::default();
        let mut scope = Vec::new();
        for (name, ty) in &head.params {
            let span = self.place();
            scope.push(body.add_local(name, *ty, span));
        }
        self.drafts.push(FunctionDraft {
            id,
            body,
            scope,
            level: head.level,
            voice: head.voice,
            result: head.result,
            may_leave: true,
            n_type_params: head.n_type_params,
            first_callee: head.first_callee,
            n_constants: head.n_constants,
            recursion: None,
            requires: Vec::new(),
            ensures: Vec::new(),
        });
    }

    /// A closure in the current function: a new function, and some locals it captures.
    pub(super) fn closure(
        &mut self,
        params: &[TyId],
        result: TyId,
        level: AllowedEffects,
        depth: u32,
    ) -> TermId {
        self.closure_with(params, result, level, |maker| maker.term(result, depth))
    }

    pub(super) fn closure_with(
        &mut self,
        params: &[TyId],
        result: TyId,
        level: AllowedEffects,
        build: impl FnOnce(&mut Self) -> TermId,
    ) -> TermId {
        let captured = self.captured();
        let draft = self.draft();
        let mut all: Vec<(String, TyId)> = Vec::new();
        for local in &captured {
            let local = draft.body.local(*local);
            all.push((local.name.to_string(), local.ty));
        }
        all.extend(params.iter().enumerate().map(|(at, ty)| (format!("p{at}"), *ty)));
        let head = FunctionHead {
            name: format!("lambda_{}", self.functions.len()),
            kind: FunctionKind::Lambda(draft.id),
            n_type_params: draft.n_type_params,
            n_captures: captured.len() as u32,
            params: all,
            result,
            level,
            voice: draft.voice,
            first_callee: draft.first_callee,
            n_constants: draft.n_constants,
        };
        let recursion = draft.recursion;
        let id = self.reserve();
        self.define(id, head, |maker| {
            let position =
                recursion.and_then(|it| captured.iter().position(|local| *local == it.fuel));
            let inner = recursion.zip(position);
            maker.draft_mut().recursion = inner.map(|(it, position)| BoundedRecursion {
                fuel: LocalId(position as u32),
                ..it
            });
            build(maker)
        });
        let captures = captured.iter().map(|local| self.local_term(*local)).collect();
        let row = self.row(level);
        let ty = self.ty(Ty::Function { params: params.into(), result, row });
        self.add(Term::Closure { function: id, captures }, ty)
    }

    /// Some locals; always those that a body can hardly do without.
    fn captured(&mut self) -> Vec<LocalId> {
        let draft = self.draft();
        let fuel = draft.recursion.map(|it| it.fuel);
        let scope = draft.scope.clone();
        let mut captured = Vec::new();
        for local in scope {
            let ty = self.draft().body.local(local).ty;
            let is_needed =
                Some(local) == fuel || matches!(self.program.types.get(ty), Ty::Param(_));
            if is_needed || self.chance.percent(35) {
                captured.push(local);
            }
        }
        captured
    }

    /// The field types of a constructor at these type arguments.
    pub(super) fn field_types(&mut self, ctor: CtorId, args: &[TyId]) -> Vec<TyId> {
        let tys: Vec<TyId> = self.program.ctor(ctor).fields.iter().map(|it| it.ty).collect();
        let types = &mut self.program.types;
        tys.into_iter().map(|ty| types.instantiate(ty, args)).collect()
    }

    /// The component types of a tuple or of a type with one constructor.
    pub(super) fn parts(&mut self, ty: TyId) -> Option<Vec<TyId>> {
        match self.program.types.get(self.program.types.base(ty)).clone() {
            Ty::Tuple(parts) => Some(parts.to_vec()),
            Ty::Named(name, args) => match *self.program.nominal(name).ctors {
                [ctor] => Some(self.field_types(ctor, &args)),
                _ => None,
            },
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str | Ty::List(_) => None,
            Ty::Map(..) | Ty::Set(_) | Ty::Function { .. } | Ty::Refined { .. } => None,
            Ty::Param(_) | Ty::Var(_) | Ty::Error => None,
        }
    }

    /// Whether values of a type can be compared and printed.
    pub(super) fn is_first_order(&self, ty: TyId) -> bool {
        use gainsay_core::SearchStep;
        !self.program.types.find(ty, &mut |_, ty| match ty {
            Ty::Function { .. } => SearchStep::Found,
            Ty::Named(name, _) if self.has_function(*name) => SearchStep::Found,
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str | Ty::Tuple(_) => {
                SearchStep::Descend
            }
            Ty::List(_) | Ty::Map(..) | Ty::Set(_) | Ty::Named(..) => SearchStep::Descend,
            Ty::Refined { .. } | Ty::Param(_) | Ty::Var(_) | Ty::Error => SearchStep::Descend,
        })
    }

    fn has_function(&self, name: TypeId) -> bool {
        self.with_functions[name.index()]
    }

    /// The finished program.
    pub(super) fn finish(mut self) -> Program {
        self.program.functions = self
            .functions
            .into_iter()
            .map(|function| function.expect("every reserved function was made"))
            .collect();
        self.program
    }
}
