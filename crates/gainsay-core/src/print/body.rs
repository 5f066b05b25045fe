//! Prints function bodies: every construct is explicit, every local has its number.

use std::fmt::Write as _;

use super::{ParamNames, row_text, type_text_in};
use crate::builtin;
use crate::id::{FunctionId, LocalId, PatternId, TermId, TyId};
use crate::program::{Function, Program};
use crate::term::{
    Arm, BinderSource, EffectHandler, Literal, Pattern, RestPattern, Statement, Term, TryKind,
};

/// Terms nested deeper than this are truncated with `..`.
const MAX_DEPTH: usize = 150;

/// A core function as text, for golden tests and debugging.
pub fn print_function(program: &Program, function: FunctionId) -> String {
    let function = program.function(function);
    let mut printer = BodyPrinter { program, function, text: String::new(), depth: 0 };
    printer.signature();
    printer.clauses();
    printer.text.push_str(" {");
    printer.depth = 1;
    printer.new_line();
    match function.body.root {
        Some(root) => printer.term(root),
        None => printer.text.push_str("(nothing)"),
    }
    printer.depth = 0;
    printer.new_line();
    printer.text.push_str("}\n");
    printer.text
}

struct BodyPrinter<'a> {
    program: &'a Program,
    function: &'a Function,
    text: String,
    depth: usize,
}

impl BodyPrinter<'_> {
    fn names(&self) -> ParamNames<'_> {
        ParamNames { types: &self.function.type_params, effects: &self.function.effect_params }
    }

    fn ty(&mut self, ty: TyId) {
        let text = type_text_in(self.program, self.names(), ty);
        self.text.push_str(&text);
    }

    fn signature(&mut self) {
        let function = self.function;
        let _ = write!(self.text, "fn {}", function.name);
        if !function.type_params.is_empty() {
            let _ = write!(self.text, "<{}>", function.type_params.join(", "));
        }
        for (at, param) in (0_u32..).zip(&function.params) {
            let is_capture = at < function.n_captures;
            self.text.push_str(match at {
                0 if is_capture => "[",
                0 => "(",
                _ if at == function.n_captures => "](",
                _ => ", ",
            });
            self.local(LocalId(at));
            self.text.push_str(": ");
            self.ty(param.ty);
        }
        let n_params = function.params.len() as u32;
        self.text.push_str(match (n_params, function.n_captures) {
            (0, _) => "()",
            (n_params, n_captures) if n_params == n_captures => "]()",
            _ => ")",
        });
        self.text.push_str(" -> ");
        self.ty(function.result);
        if !self.program.types.get_row(function.row).is_pure() {
            let row = row_text(self.program, self.names(), function.row);
            let _ = write!(self.text, " ! {row}");
        }
    }

    fn clauses(&mut self) {
        let function = self.function;
        for clause in &function.requires {
            self.text.push_str("\n  in ");
            self.term(clause.term);
        }
        for clause in &function.ensures {
            self.text.push_str("\n  out ");
            if let Some(result) = clause.result {
                self.text.push('(');
                self.local(result);
                self.text.push_str(") ");
            }
            self.term(clause.term);
        }
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn local(&mut self, local: LocalId) {
        let name = &self.function.body.local(local).name;
        let _ = write!(self.text, "{name}#{}", local.0);
    }

    fn term(&mut self, id: TermId) {
        if self.depth > MAX_DEPTH {
            self.text.push_str("..");
            return;
        }
        self.depth += 1;
        self.term_inside(id);
        self.depth -= 1;
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is printed by its name")]
    fn term_inside(&mut self, id: TermId) {
        let program = self.program;
        let function = self.function;
        match function.body.term(id) {
            Term::Literal(literal) => self.literal(literal),
            Term::Local(local) => self.local(*local),
            Term::Constant(constant) => self.text.push_str(&program.constant(*constant).name),
            Term::Function { function, type_args } => {
                self.named(&program.function(*function).name, type_args);
            }
            Term::Closure { function, captures } => {
                let _ = write!(self.text, "closure {}", program.function(*function).name);
                self.list("[", captures, "]");
            }
            Term::Call { function, type_args, args } => {
                self.named(&program.function(*function).name, type_args);
                self.list("(", args, ")");
            }
            Term::CallValue { callee, args } => {
                self.list("(", &[*callee], ")");
                self.list("(", args, ")");
            }
            Term::Builtin { builtin, args, .. } => {
                self.text.push_str(builtin::get(*builtin).name);
                self.list("(", args, ")");
            }
            Term::Perform { op, type_args, args } => {
                self.text.push_str("perform ");
                self.named(&program.op_name(*op), type_args);
                self.list("(", args, ")");
            }
            Term::CheckRel { rel, args } => {
                let _ = write!(self.text, "rel {}", program.rel(*rel).name);
                self.list("(", args, ")");
            }
            Term::Tuple(items) => self.list("(", items, ")"),
            Term::List { items, rest } => self.list_term(items, *rest),
            Term::Construct { ctor, args } => {
                self.text.push_str(&program.ctor(*ctor).name);
                self.list("(", args, ")");
            }
            Term::Field { base, index } => {
                self.term(*base);
                let _ = write!(self.text, ".{index}");
            }
            Term::Update { base, fields } => self.update(*base, fields),
            Term::If { condition, then, otherwise } => self.if_(*condition, *then, *otherwise),
            Term::And(a, b) => self.infix(*a, " && ", *b),
            Term::Or(a, b) => self.infix(*a, " || ", *b),
            Term::Match { scrutinee, arms } => self.match_(*scrutinee, arms),
            Term::Block { statements, result } => self.block(statements, *result),
            Term::Try { value, kind } => {
                self.prefix(
                    match kind {
                        TryKind::Option => "try option ",
                        TryKind::Result => "try result ",
                    },
                    *value,
                );
            }
            Term::Refine { value, ty } => {
                self.prefix("refine ", *value);
                self.text.push_str(" : ");
                self.ty(*ty);
            }
            Term::Observe { condition, strength } => {
                let _ = write!(self.text, "observe {strength:?} ");
                self.term(*condition);
            }
            Term::Throws { kinds, body } => {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                let _ = write!(self.text, "throws({}) ", names.join(", "));
                self.term(*body);
            }
            Term::Under { handlers: answers, body } => self.under(answers, *body),
            Term::Across { .. } => self.across(id),
            Term::Par { branches, cancelling } => {
                self.list(if *cancelling { "par? (" } else { "par (" }, branches, ")");
            }
            Term::Sample { condition, local } => {
                self.prefix("sample ", *condition);
                self.text.push_str(" !");
                self.local(*local);
            }
            other => self.plain_form(other),
        }
    }

    /// A form without a notation of its own: the name of its variant, then its subterms.
    fn plain_form(&mut self, term: &Term) {
        let debug = format!("{term:?}");
        let name = debug.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
        self.text.push_str(&name.to_lowercase());
        term.for_each_subterm(&mut |part| self.prefix(" ", part));
    }

    fn prefix(&mut self, word: &str, term: TermId) {
        self.text.push_str(word);
        self.term(term);
    }

    fn infix(&mut self, a: TermId, operator: &str, b: TermId) {
        self.prefix("(", a);
        self.prefix(operator, b);
        self.text.push(')');
    }

    fn named(&mut self, name: &str, type_args: &[TyId]) {
        self.text.push_str(name);
        if type_args.is_empty() {
            return;
        }
        for (at, ty) in type_args.iter().enumerate() {
            self.text.push_str(if at == 0 { "<" } else { ", " });
            self.ty(*ty);
        }
        self.text.push('>');
    }

    fn list(&mut self, open: &str, items: &[TermId], close: &str) {
        self.text.push_str(open);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            self.term(*item);
        }
        self.text.push_str(close);
    }

    fn list_term(&mut self, items: &[TermId], rest: Option<TermId>) {
        self.list("[", items, "");
        if let Some(rest) = rest {
            self.prefix(if items.is_empty() { ".." } else { ", .." }, rest);
        }
        self.text.push(']');
    }

    fn update(&mut self, base: TermId, fields: &[(u32, TermId)]) {
        self.prefix("{ ..", base);
        for (index, value) in fields {
            let _ = write!(self.text, ", {index}: ");
            self.term(*value);
        }
        self.text.push_str(" }");
    }

    fn if_(&mut self, condition: TermId, then: TermId, otherwise: TermId) {
        self.prefix("if ", condition);
        self.text.push_str(" {");
        self.new_line();
        self.term(then);
        self.depth -= 1;
        self.new_line();
        self.text.push_str("} else {");
        self.depth += 1;
        self.new_line();
        self.term(otherwise);
        self.close();
    }

    /// Closes a block that an opening brace started.
    fn close(&mut self) {
        self.depth -= 1;
        self.new_line();
        self.text.push('}');
        self.depth += 1;
    }

    fn match_(&mut self, scrutinee: TermId, arms: &[Arm]) {
        self.prefix("match ", scrutinee);
        self.text.push_str(" {");
        for arm in arms {
            self.new_line();
            if let Some(weight) = arm.weight {
                self.term(weight);
                self.text.push_str(" % ");
            }
            self.pattern(arm.pattern);
            if let Some(guard) = arm.guard {
                self.prefix(" if ", guard);
            }
            self.prefix(" => ", arm.body);
        }
        self.close();
    }

    fn block(&mut self, statements: &[Statement], result: TermId) {
        self.text.push('{');
        for statement in statements {
            self.new_line();
            match statement {
                Statement::Let(pattern, value) => {
                    self.text.push_str("let ");
                    self.pattern(*pattern);
                    self.prefix(" = ", *value);
                }
                Statement::Drop(value) => self.prefix("drop ", *value),
            }
        }
        self.new_line();
        self.term(result);
        self.close();
    }

    fn under(&mut self, answers: &[EffectHandler], body: TermId) {
        let program = self.program;
        self.text.push_str("under (");
        for (at, answer) in answers.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { ", " });
            match answer {
                EffectHandler::Stub(op, stub) => {
                    self.text.push_str(&program.op_name(*op));
                    self.prefix(" = ", *stub);
                }
                EffectHandler::World(world) => self.text.push_str(&program.world(*world).name),
            }
        }
        self.prefix(") ", body);
    }

    fn across(&mut self, id: TermId) {
        let Term::Across { binders, condition, body } = self.function.body.term(id) else {
            return;
        };
        self.text.push_str("across (");
        for (at, binder) in binders.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { ", " });
            let _ = write!(self.text, "{}: ", binder.name);
            self.ty(binder.ty);
            if let BinderSource::Generator(generator) = binder.source {
                self.prefix(" <- ", generator);
            }
        }
        if let Some(condition) = condition {
            self.prefix(" where ", *condition);
        }
        self.prefix(") ", *body);
    }

    fn literal(&mut self, literal: &Literal) {
        let _ = match literal {
            Literal::Int(int) => write!(self.text, "{int}"),
            Literal::Big(int) => write!(self.text, "{int}"),
            Literal::Float(float) => write!(self.text, "{float:?}"),
            Literal::Bool(bool) => write!(self.text, "{bool}"),
            Literal::Char(char) => write!(self.text, "{char:?}"),
            Literal::Str(text) => write!(self.text, "{text:?}"),
        };
    }

    fn pattern(&mut self, id: PatternId) {
        if self.depth > MAX_DEPTH {
            self.text.push_str("..");
            return;
        }
        self.depth += 1;
        let program = self.program;
        match self.function.body.pattern(id) {
            Pattern::Wildcard => self.text.push('_'),
            Pattern::Bind(local) => self.local(*local),
            Pattern::Literal(literal) => self.literal(literal),
            Pattern::Tuple(parts) => self.patterns("(", parts, ", ", ")"),
            Pattern::Ctor(ctor, parts) => {
                self.text.push_str(&program.ctor(*ctor).name);
                self.patterns("(", parts, ", ", ")");
            }
            Pattern::Or(parts) => self.patterns("", parts, " | ", ""),
            Pattern::List(parts, RestPattern::Nothing) => self.patterns("[", parts, ", ", "]"),
            Pattern::List(parts, RestPattern::Some(rest)) => {
                self.patterns("[", parts, ", ", if parts.is_empty() { ".." } else { ", .." });
                self.pattern(*rest);
                self.text.push(']');
            }
        }
        self.depth -= 1;
    }

    fn patterns(&mut self, open: &str, parts: &[PatternId], between: &str, close: &str) {
        self.text.push_str(open);
        for (at, part) in parts.iter().enumerate() {
            self.text.push_str(if at == 0 { "" } else { between });
            self.pattern(*part);
        }
        self.text.push_str(close);
    }
}
