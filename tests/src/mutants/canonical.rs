//! Prints a core function in a canonical form: no spans, no refinements, locals numbered by first
//! use, and closures inlined where they are created. Functions with the same text are equivalent.

use std::collections::HashMap;
use std::fmt::Write as _;

use gainsay_core::{
    BinderSource, EffectHandler, FunctionId, LocalId, Pattern, PatternId, Program, RestPattern,
    Statement, Term, TermId, Ty, TyId,
};

/// Types deeper than this are not distinguished.
const MAX_TYPE_DEPTH: u32 = 12;

/// A term that replaces another.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct TermReplacement {
    pub(crate) function: FunctionId,
    pub(crate) term: TermId,
    pub(crate) instead: TermId,
}

/// The canonical text of a function.
pub(crate) fn canonical(
    program: &Program,
    function: FunctionId,
    instead: Option<TermReplacement>,
) -> String {
    let mut writer = CanonicalWriter { program, instead, ..CanonicalWriter::new(program) };
    writer.function(function);
    writer.text
}

/// A function being printed; a closure gets a frame for each place that creates it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
struct CanonicalFrame {
    function: FunctionId,
    number: usize,
}

struct CanonicalWriter<'p> {
    program: &'p Program,
    instead: Option<TermReplacement>,
    n_frames: usize,
    /// Maps captures to the locals of enclosing frames.
    outer: HashMap<(usize, LocalId), (usize, LocalId)>,
    numbers: HashMap<(usize, LocalId), usize>,
    text: String,
}

impl<'p> CanonicalWriter<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            instead: None,
            n_frames: 0,
            outer: HashMap::new(),
            numbers: HashMap::new(),
            text: String::new(),
        }
    }

    fn enter(&mut self, function: FunctionId) -> CanonicalFrame {
        self.n_frames += 1;
        CanonicalFrame { function, number: self.n_frames }
    }

    fn function(&mut self, id: FunctionId) {
        let frame = self.enter(id);
        self.parameters(frame);
        let function = self.program.function(id);
        for clause in &function.requires {
            self.text.push_str("\n  in ");
            self.term(frame, clause.term);
        }
        for clause in &function.ensures {
            self.text.push_str("\n  out ");
            if let Some(result) = clause.result {
                self.local(frame, result);
            }
            self.term(frame, clause.term);
        }
        self.body(frame);
    }

    fn parameters(&mut self, frame: CanonicalFrame) {
        let function = self.program.function(frame.function);
        self.text.push('|');
        for at in function.n_captures..function.params.len() as u32 {
            self.local(frame, LocalId(at));
        }
        self.text.push('|');
    }

    fn body(&mut self, frame: CanonicalFrame) {
        match self.program.function(frame.function).body.root {
            Some(root) => self.term(frame, root),
            None => self.text.push_str("nothing"),
        }
    }

    fn local(&mut self, frame: CanonicalFrame, local: LocalId) {
        let mut key = (frame.number, local);
        while let Some(outer) = self.outer.get(&key) {
            key = *outer;
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(key).or_insert(next);
        let _ = write!(self.text, "#{number} ");
    }

    fn closure(&mut self, frame: CanonicalFrame, function: FunctionId, captures: &[TermId]) {
        let inner = self.enter(function);
        let body = &self.program.function(frame.function).body;
        for (at, capture) in (0..).map(LocalId).zip(captures) {
            let Term::Local(local) = body.term(*capture) else {
                panic!("a capture is a local, not {:?}", body.term(*capture));
            };
            self.outer.insert((inner.number, at), (frame.number, *local));
        }
        self.parameters(inner);
        self.body(inner);
    }

    fn parts(&mut self, frame: CanonicalFrame, parts: &[TermId]) {
        self.text.push('(');
        for (at, part) in parts.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { ", " });
            self.term(frame, *part);
        }
        self.text.push(')');
    }

    fn head(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(text);
    }

    fn name(&mut self, id: FunctionId) {
        let function = self.program.function(id);
        let module = &self.program.module(function.module).name;
        let _ = write!(self.text, "{module}.{}", function.name);
    }

    fn term(&mut self, frame: CanonicalFrame, id: TermId) {
        let id = match self.instead {
            Some(it) if it.function == frame.function && it.term == id => it.instead,
            _ => id,
        };
        let program = self.program;
        let term = program.function(frame.function).body.term(id);
        match term {
            Term::Literal(literal) => self.head(format_args!("{literal:?}")),
            Term::Local(local) => self.local(frame, *local),
            Term::Constant(it) => {
                self.head(format_args!("const {}", program.constant(*it).name))
            }
            Term::Function { function, type_args } => {
                self.name(*function);
                self.types(type_args);
            }
            Term::Closure { function, captures } => self.closure(frame, *function, captures),
            Term::Call { function, type_args, args } => {
                self.name(*function);
                self.types(type_args);
                self.parts(frame, args);
            }
            Term::Builtin { builtin, type_args, args } => {
                self.head(format_args!("{}", gainsay_core::builtin::get(*builtin).name));
                self.types(type_args);
                self.parts(frame, args);
            }
            Term::Perform { op, type_args, args } => {
                self.head(format_args!("perform {}", program.op_name(*op)));
                self.types(type_args);
                self.parts(frame, args);
            }
            Term::Refine { value, ty } => {
                self.text.push_str("refine ");
                self.types(&[*ty]);
                self.parts(frame, &[*value]);
            }
            Term::Construct { ctor, args } => {
                self.head(format_args!("{}", program.ctor(*ctor).name));
                self.parts(frame, args);
            }
            Term::Match { .. } => self.match_(frame, term),
            Term::Block { .. } => self.block(frame, term),
            Term::Under { .. } | Term::Across { .. } => self.claim_form(frame, term),
            Term::Sample { condition, local } => {
                self.text.push_str("sample ");
                self.local(frame, *local);
                self.term(frame, *condition);
            }
            Term::CallValue { .. }
            | Term::CheckRel { .. }
            | Term::Tuple(_)
            | Term::List { .. }
            | Term::Field { .. }
            | Term::Update { .. }
            | Term::If { .. }
            | Term::And(..)
            | Term::Or(..)
            | Term::Try { .. }
            | Term::Observe { .. }
            | Term::Assume(_)
            | Term::Throws { .. }
            | Term::Par { .. }
            | Term::Traced { .. }
            | Term::Hole => self.plain(frame, term),
        }
    }

    /// A term that is printed by name, followed by its subterms.
    fn plain(&mut self, frame: CanonicalFrame, term: &Term) {
        self.text.push_str(&plain_head(self.program, term));
        let mut parts = Vec::new();
        term.for_each_subterm(&mut |part| parts.push(part));
        self.parts(frame, &parts);
    }

    fn match_(&mut self, frame: CanonicalFrame, term: &Term) {
        let Term::Match { scrutinee, arms } = term else { return };
        self.text.push_str("\nmatch ");
        self.term(frame, *scrutinee);
        for arm in arms {
            self.text.push_str("\n  ");
            if let Some(weight) = arm.weight {
                self.term(frame, weight);
                self.text.push_str(" % ");
            }
            self.pattern(frame, arm.pattern);
            if let Some(guard) = arm.guard {
                self.text.push_str(" if ");
                self.term(frame, guard);
            }
            self.text.push_str(" => ");
            self.term(frame, arm.body);
        }
        self.text.push_str("\nend\n");
    }

    fn block(&mut self, frame: CanonicalFrame, term: &Term) {
        let Term::Block { statements, result } = term else { return };
        self.text.push_str("\ndo");
        for statement in statements {
            self.text.push_str("\n  ");
            self.term(frame, statement.value());
            if let Statement::Let(pattern, _) = statement {
                self.text.push_str(" is ");
                self.pattern(frame, *pattern);
            }
        }
        self.text.push_str("\n  ");
        self.term(frame, *result);
        self.text.push_str("\nend\n");
    }

    fn claim_form(&mut self, frame: CanonicalFrame, term: &Term) {
        if let Term::Under { handlers: answers, body } = term {
            self.text.push_str("under ");
            for answer in answers {
                match answer {
                    EffectHandler::Stub(op, stub) => {
                        self.head(format_args!("{} = ", self.program.op_name(*op)));
                        self.term(frame, *stub);
                    }
                    EffectHandler::World(world) => {
                        self.head(format_args!("{} ", self.program.world(*world).name));
                    }
                }
            }
            self.term(frame, *body);
        }
        if let Term::Across { binders, condition, body } = term {
            self.text.push_str("across ");
            for binder in binders {
                self.types(&[binder.ty]);
                if let BinderSource::Generator(generator) = binder.source {
                    self.term(frame, generator);
                }
            }
            condition.iter().chain([body]).for_each(|it| self.term(frame, *it));
        }
    }

    fn pattern(&mut self, frame: CanonicalFrame, id: PatternId) {
        let pattern = self.program.function(frame.function).body.pattern(id);
        match pattern {
            Pattern::Wildcard => self.text.push('_'),
            Pattern::Bind(local) => self.local(frame, *local),
            Pattern::Literal(literal) => self.head(format_args!("{literal:?}")),
            Pattern::Tuple(_) => self.text.push_str("tuple"),
            Pattern::Ctor(ctor, _) => {
                self.head(format_args!("{}", self.program.ctor(*ctor).name));
            }
            Pattern::List(_, RestPattern::Nothing) => self.text.push_str("list"),
            Pattern::List(_, RestPattern::Some(_)) => self.text.push_str("list.."),
            Pattern::Or(_) => self.text.push_str("or"),
        }
        let mut parts = Vec::new();
        pattern.for_each_subpattern(&mut |part| parts.push(part));
        self.text.push('(');
        parts.into_iter().for_each(|part| self.pattern(frame, part));
        self.text.push(')');
    }

    /// Types without their refinements.
    fn types(&mut self, types: &[TyId]) {
        if types.is_empty() {
            return;
        }
        self.text.push('<');
        for ty in types {
            self.ty(*ty);
            self.text.push(' ');
        }
        self.text.push('>');
    }

    fn ty(&mut self, id: TyId) {
        let types = &self.program.types;
        // Types share components, so a small type table can have texts of any length.
        if types.depth(id) > MAX_TYPE_DEPTH {
            self.text.push_str("..");
            return;
        }
        match types.get(types.base(id)) {
            Ty::Tuple(parts) => self.types(parts),
            Ty::List(item) => self.typed("List", &[*item]),
            Ty::Map(key, value) => self.typed("Map", &[*key, *value]),
            Ty::Set(item) => self.typed("Set", &[*item]),
            Ty::Named(name, args) => self.typed(&self.program.nominal(*name).name, args),
            Ty::Function { params, result, .. } => {
                self.typed("fn", params);
                self.ty(*result);
            }
            other @ (Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str) => {
                self.head(format_args!("{other:?}"));
            }
            other @ (Ty::Refined { .. } | Ty::Param(_) | Ty::Var(_) | Ty::Error) => {
                self.head(format_args!("{other:?}"));
            }
        }
    }

    fn typed(&mut self, name: &str, args: &[TyId]) {
        self.text.push_str(name);
        self.types(args);
    }
}

/// The head of a term, without its subterms.
#[expect(clippy::wildcard_enum_match_arm, reason = "the rest has nothing but parts")]
fn plain_head(program: &Program, term: &Term) -> String {
    match term {
        Term::CheckRel { rel, .. } => format!("rel {}", program.rel(*rel).name),
        Term::List { rest, .. } => format!("list {} ", rest.is_some()),
        Term::Field { index, .. } => format!("field {index} "),
        Term::Update { fields, .. } => {
            format!("update {:?} ", fields.iter().map(|it| it.0).collect::<Vec<_>>())
        }
        Term::Try { kind, .. } => format!("try {kind:?} "),
        Term::Observe { strength, .. } => format!("observe {strength:?} "),
        Term::Throws { kinds, .. } => format!("throws {kinds:?} "),
        Term::Par { cancelling, .. } => format!("par {cancelling} "),
        Term::CallValue { .. } => "call ".to_owned(),
        Term::Tuple(_) => "tuple ".to_owned(),
        Term::If { .. } => "if ".to_owned(),
        Term::And(..) => "and ".to_owned(),
        Term::Or(..) => "or ".to_owned(),
        other => format!("{:?} ", std::mem::discriminant(other)),
    }
}
