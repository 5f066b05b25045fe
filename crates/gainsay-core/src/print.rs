//! Prints core: types in source syntax, and bodies for golden tests and debugging.

mod body;

use std::fmt::Write as _;

pub use self::body::print_function;

use crate::id::{OpId, RowId, TyId};
use crate::program::Program;
use crate::ty::Ty;

/// Types nested deeper than this are truncated with `..`.
const MAX_TYPE_DEPTH: u32 = 24;
/// Printing stops at this length: with shared components the full text can be exponential.
const MAX_TYPE_TEXT: usize = 2_000;

/// The names of the parameters of the enclosing declaration.
#[derive(Debug, Copy, Clone, Default)]
pub struct ParamNames<'a> {
    /// Names of the type parameters; letters from `A` where there is none.
    pub types: &'a [Box<str>],
    /// Names of the effect parameters; letters from `e` where there is none.
    pub effects: &'a [Box<str>],
}

/// A type in source syntax, with letters for type parameters: `List<A>`.
///
/// A refinement prints the name of its predicate, which is its source text: `Int{it > 0}`.
pub fn type_text(program: &Program, ty: TyId) -> String {
    type_text_in(program, ParamNames::default(), ty)
}

/// A type in source syntax, where the parameters have these names.
pub fn type_text_in(program: &Program, names: ParamNames<'_>, ty: TyId) -> String {
    let mut printer = TypePrinter { program, names, text: String::new() };
    printer.ty(ty, 0);
    printer.text
}

/// A row as written after `!`: `[Random.int, e]`. The name of an effect stands for all its
/// operations.
pub fn row_text(program: &Program, names: ParamNames<'_>, row: RowId) -> String {
    let mut printer = TypePrinter { program, names, text: String::new() };
    printer.row(row);
    printer.text
}

/// The operations as a row names them: an effect with all its operations is printed by its own
/// name. `ops` is sorted.
pub fn effect_names(program: &Program, ops: &[OpId]) -> Vec<String> {
    let mut names = Vec::new();
    for op in ops {
        let effect = program.effect(program.op(*op).effect);
        let is_whole =
            effect.ops.len() > 1 && effect.ops.iter().all(|it| ops.binary_search(it).is_ok());
        if !is_whole {
            names.push(program.op_name(*op));
        // Once, at its first operation.
        } else if effect.ops.first() == Some(op) {
            names.push(effect.name.to_string());
        }
    }
    names
}

struct TypePrinter<'a> {
    program: &'a Program,
    names: ParamNames<'a>,
    text: String,
}

impl TypePrinter<'_> {
    fn ty(&mut self, id: TyId, depth: u32) {
        if depth > MAX_TYPE_DEPTH || self.text.len() > MAX_TYPE_TEXT {
            self.text.push_str("..");
            return;
        }
        let program = self.program;
        match program.types.get(id) {
            Ty::Int => self.text.push_str("Int"),
            Ty::Float => self.text.push_str("Float"),
            Ty::Bool => self.text.push_str("Bool"),
            Ty::Char => self.text.push_str("Char"),
            Ty::Str => self.text.push_str("Str"),
            Ty::Tuple(parts) if parts.is_empty() => self.text.push_str("Unit"),
            Ty::Tuple(parts) => self.list("(", parts, ")", depth),
            Ty::List(item) => self.list("List<", &[*item], ">", depth),
            Ty::Map(key, value) => self.list("Map<", &[*key, *value], ">", depth),
            Ty::Set(item) => self.list("Set<", &[*item], ">", depth),
            Ty::Named(name, args) => {
                self.text.push_str(&program.nominal(*name).name);
                if !args.is_empty() {
                    self.list("<", args, ">", depth);
                }
            }
            Ty::Function { params, result, row } => {
                self.list("(", params, ")", depth);
                self.result(*result, *row, depth);
            }
            Ty::Refined { base, predicate, .. } => {
                self.grouped(*base, depth);
                let _ = write!(self.text, "{{{}}}", program.function(*predicate).name);
            }
            Ty::Param(at) => self.param(*at),
            Ty::Var(_) => self.text.push('_'),
            Ty::Error => self.text.push('?'),
        }
    }

    fn list(&mut self, open: &str, parts: &[TyId], close: &str, depth: u32) {
        self.text.push_str(open);
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            self.ty(*part, depth + 1);
        }
        self.text.push_str(close);
    }

    /// `-> B ! [e]`. A row binds to the nearest arrow, so a function type in result position needs
    /// parentheses before the row of the outer one.
    fn result(&mut self, result: TyId, row: RowId, depth: u32) {
        self.text.push_str(" -> ");
        let effects = self.program.types.get_row(row);
        // Row variables are not printed: during inference an unsolved row counts as empty.
        if effects.ops.is_empty() && effects.params.is_empty() {
            self.ty(result, depth + 1);
            return;
        }
        self.grouped(result, depth);
        self.text.push_str(" ! ");
        self.row(row);
    }

    fn grouped(&mut self, id: TyId, depth: u32) {
        if matches!(self.program.types.get(id), Ty::Function { .. }) {
            self.list("(", &[id], ")", depth);
        } else {
            self.ty(id, depth + 1);
        }
    }

    fn param(&mut self, at: u32) {
        match self.names.types.get(at as usize) {
            Some(name) => self.text.push_str(name),
            None => self.letter('A', at),
        }
    }

    fn letter(&mut self, first: char, at: u32) {
        let letter = char::from_u32(first as u32 + at % 20).unwrap_or(first);
        self.text.push(letter);
        if at >= 20 {
            let _ = write!(self.text, "{}", at / 20);
        }
    }

    fn row(&mut self, id: RowId) {
        let program = self.program;
        let row = program.types.get_row(id);
        let members = effect_names(program, &row.ops);
        self.text.push('[');
        self.text.push_str(&members.join(", "));
        let mut is_first = members.is_empty();
        for at in &row.params {
            self.separate(&mut is_first);
            match self.names.effects.get(*at as usize) {
                Some(name) => self.text.push_str(name),
                None => self.letter('e', *at),
            }
        }
        self.text.push(']');
    }

    fn separate(&mut self, is_first: &mut bool) {
        if !*is_first {
            self.text.push_str(", ");
        }
        *is_first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::{Row, TypeTable};

    #[test]
    fn types_read_as_they_are_written() {
        let mut program = Program::default();
        let types = &mut program.types;
        let param = types.intern(Ty::Param(0));
        let list = types.intern(Ty::List(TypeTable::INT));
        let row = types.intern_row(Row::new(Vec::new(), vec![0], Vec::new()));
        let inner = types.intern(Ty::Function {
            params: Box::new([param]),
            result: list,
            row: TypeTable::PURE,
        });
        let outer =
            types.intern(Ty::Function { params: Box::new([inner]), result: inner, row });
        assert_eq!(type_text(&program, inner), "(A) -> List<Int>");
        assert_eq!(
            type_text(&program, outer),
            "((A) -> List<Int>) -> ((A) -> List<Int>) ! [e]"
        );
        assert_eq!(type_text(&program, TypeTable::UNIT), "Unit");
    }

    #[test]
    fn shared_parts_do_not_explode() {
        let mut program = Program::default();
        let mut ty = TypeTable::INT;
        for _ in 0..200 {
            ty = program.types.intern(Ty::Tuple(Box::new([ty, ty])));
        }
        assert!(type_text(&program, ty).len() < 10_000);
    }
}
