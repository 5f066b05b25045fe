//! Reads declarations and assertions. Commands that only ask or configure are skipped.

use std::collections::BTreeMap;
use std::fmt;

use super::sexpr::{SExpr, parse};
use crate::signature::{FunId, Sort, SortKind};
use crate::terms::{TermId, Terms};

/// Why a text is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmtReadError {
    /// A parenthesis or a quote has no counterpart.
    Unbalanced,
    /// Expressions nest too deep.
    TooDeep,
    /// A name is not declared.
    UnknownName(String),
    /// An operator is applied to the wrong number or sort of arguments.
    IllTyped(String),
    /// A command or operator is outside the subset.
    Unsupported(String),
}

impl fmt::Display for SmtReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SmtReadError::Unbalanced => write!(f, "unbalanced parentheses or quotes"),
            SmtReadError::TooDeep => write!(f, "expressions nest too deep"),
            SmtReadError::UnknownName(name) => write!(f, "unknown name `{name}`"),
            SmtReadError::IllTyped(name) => write!(f, "wrong arguments of `{name}`"),
            SmtReadError::Unsupported(name) => write!(f, "unsupported: `{name}`"),
        }
    }
}

impl std::error::Error for SmtReadError {}

/// Reads a script into an arena, and returns what it asserts.
pub fn read_script(terms: &mut Terms, text: &str) -> Result<Vec<TermId>, SmtReadError> {
    let mut reader = ScriptReader { sorts: BTreeMap::new(), funs: BTreeMap::new(), terms };
    let mut asserted = Vec::new();
    for command in parse(text)? {
        let SExpr::List(parts) = &command else { return Err(unsupported(&command)) };
        match &parts[..] {
            [SExpr::Atom(name), rest @ ..] => reader.command(name, rest, &mut asserted)?,
            _ => return Err(unsupported(&command)),
        }
    }
    Ok(asserted)
}

struct ScriptReader<'a> {
    sorts: BTreeMap<String, Sort>,
    funs: BTreeMap<String, Symbol>,
    terms: &'a mut Terms,
}

#[derive(Clone, Copy)]
enum Symbol {
    Function(FunId),
    Variable(TermId),
}

impl ScriptReader<'_> {
    fn command(
        &mut self,
        name: &str,
        rest: &[SExpr],
        asserted: &mut Vec<TermId>,
    ) -> Result<(), SmtReadError> {
        match (name, rest) {
            (
                "set-logic" | "set-option" | "set-info" | "check-sat" | "exit" | "get-model",
                _,
            ) => {}
            ("declare-sort", [SExpr::Atom(sort), ..]) => {
                let id = self.terms.signature.add_sort(sort);
                self.sorts.insert(sort.clone(), Sort::Named(id));
            }
            ("declare-datatypes", [SExpr::List(names), SExpr::List(bodies)]) => {
                self.datatypes(names, bodies)?;
            }
            ("declare-const", [SExpr::Atom(name), sort]) => {
                let sort = self.sort(sort)?;
                let var = self.terms.fresh(name, sort);
                self.funs.insert(name.clone(), Symbol::Variable(var));
            }
            ("declare-fun", [SExpr::Atom(name), SExpr::List(params), result]) => {
                let result = self.sort(result)?;
                let symbol = if params.is_empty() {
                    Symbol::Variable(self.terms.fresh(name, result))
                } else {
                    let params =
                        params.iter().map(|it| self.sort(it)).collect::<Result<Vec<_>, _>>()?;
                    Symbol::Function(self.terms.signature.add_fun(name, &params, result))
                };
                self.funs.insert(name.clone(), symbol);
            }
            ("assert", [formula]) => {
                let formula = self.term(formula)?;
                if self.terms.sort(formula) != Sort::Bool {
                    return Err(SmtReadError::IllTyped("assert".to_owned()));
                }
                asserted.push(formula);
            }
            _ => return Err(SmtReadError::Unsupported(name.to_owned())),
        }
        Ok(())
    }

    fn datatypes(&mut self, names: &[SExpr], bodies: &[SExpr]) -> Result<(), SmtReadError> {
        let mut ids = Vec::new();
        for name in names {
            let SExpr::List(parts) = name else { return Err(unsupported(name)) };
            let [SExpr::Atom(name), _] = &parts[..] else { return Err(unsupported(name)) };
            let id = self.terms.signature.add_sort(name);
            self.sorts.insert(name.clone(), Sort::Named(id));
            ids.push(id);
        }
        for (id, body) in ids.into_iter().zip(bodies) {
            let SExpr::List(constructors) = body else { return Err(unsupported(body)) };
            let mut declared: Vec<(&str, Vec<Sort>)> = Vec::new();
            for constructor in constructors {
                match constructor {
                    SExpr::Atom(name) => declared.push((name, Vec::new())),
                    SExpr::List(parts) => {
                        let [SExpr::Atom(name), fields @ ..] = &parts[..] else {
                            return Err(unsupported(constructor));
                        };
                        let mut sorts = Vec::new();
                        for field in fields {
                            let SExpr::List(pair) = field else {
                                return Err(unsupported(field));
                            };
                            let [_, sort] = &pair[..] else { return Err(unsupported(field)) };
                            sorts.push(self.sort(sort)?);
                        }
                        declared.push((name, sorts));
                    }
                }
            }
            self.terms.signature.set_constructors(id, &declared);
            let SortKind::Data(ids) = self.terms.signature.sort(id).kind.clone() else {
                continue;
            };
            for (fun, (name, _)) in ids.into_iter().zip(&declared) {
                self.funs.insert((*name).to_owned(), Symbol::Function(fun));
            }
        }
        Ok(())
    }

    fn sort(&self, sort: &SExpr) -> Result<Sort, SmtReadError> {
        let SExpr::Atom(name) = sort else { return Err(unsupported(sort)) };
        match name.as_str() {
            "Bool" => Ok(Sort::Bool),
            "Int" => Ok(Sort::Int),
            _ => {
                let known = self.sorts.get(name).copied();
                known.ok_or_else(|| SmtReadError::UnknownName(name.clone()))
            }
        }
    }

    fn term(&mut self, expr: &SExpr) -> Result<TermId, SmtReadError> {
        match expr {
            SExpr::Atom(name) => self.atom(name),
            SExpr::List(parts) => {
                let [SExpr::Atom(operator), args @ ..] = &parts[..] else {
                    return Err(unsupported(expr));
                };
                let args =
                    args.iter().map(|it| self.term(it)).collect::<Result<Vec<_>, _>>()?;
                self.apply(operator, args)
            }
        }
    }

    fn atom(&mut self, name: &str) -> Result<TermId, SmtReadError> {
        match name {
            "true" => return Ok(TermId::TRUE),
            "false" => return Ok(TermId::FALSE),
            _ => {}
        }
        if let Some(symbol) = self.funs.get(name) {
            return match *symbol {
                Symbol::Variable(var) => Ok(var),
                Symbol::Function(fun) => self.call(fun, Vec::new()),
            };
        }
        match name.parse::<i128>() {
            Ok(value) => Ok(self.terms.int(value)),
            Err(_) => Err(SmtReadError::UnknownName(name.to_owned())),
        }
    }

    fn call(&mut self, fun: FunId, args: Vec<TermId>) -> Result<TermId, SmtReadError> {
        let info = self.terms.signature.fun(fun);
        let fits = info.params.len() == args.len()
            && info.params.iter().zip(&args).all(|(it, arg)| *it == self.terms.sort(*arg));
        if !fits {
            return Err(SmtReadError::IllTyped(info.name.clone()));
        }
        Ok(self.terms.app(fun, args))
    }

    fn apply(&mut self, operator: &str, args: Vec<TermId>) -> Result<TermId, SmtReadError> {
        if let Some(Symbol::Function(fun)) = self.funs.get(operator) {
            return self.call(*fun, args);
        }
        let sorts: Vec<Sort> = args.iter().map(|it| self.terms.sort(*it)).collect();
        let all = |sort: Sort| !sorts.is_empty() && sorts.iter().all(|it| *it == sort);
        let same = sorts.windows(2).all(|it| it[0] == it[1]);
        let fits = match operator {
            "and" | "or" | "not" | "=>" => all(Sort::Bool),
            "=" | "distinct" => same && args.len() >= 2,
            "+" | "-" | "*" | "<=" | "<" | ">=" | ">" => all(Sort::Int),
            "ite" => sorts.len() == 3 && sorts[0] == Sort::Bool && sorts[1] == sorts[2],
            _ => return Err(SmtReadError::Unsupported(operator.to_owned())),
        };
        if !fits {
            return Err(SmtReadError::IllTyped(operator.to_owned()));
        }
        let terms = &mut *self.terms;
        Ok(match (operator, &args[..]) {
            ("and", _) => terms.and(args),
            ("or", _) => terms.or(args),
            ("not", [only]) => terms.not(*only),
            ("=>", [a, b]) => terms.implies(*a, *b),
            ("-", [only]) => {
                let zero = terms.int(0);
                terms.sub(zero, *only)
            }
            ("ite", [condition, a, b]) => terms.ite(*condition, *a, *b),
            ("+", [first, rest @ ..]) => {
                rest.iter().fold(*first, |sum, it| terms.add(sum, *it))
            }
            ("-", [first, rest @ ..]) => {
                rest.iter().fold(*first, |sum, it| terms.sub(sum, *it))
            }
            ("*", [first, rest @ ..]) => {
                rest.iter().fold(*first, |sum, it| terms.mul(sum, *it))
            }
            ("distinct", _) => {
                let mut pairs = Vec::new();
                for (i, a) in args.iter().enumerate() {
                    for b in &args[i + 1..] {
                        pairs.push(terms.ne(*a, *b));
                    }
                }
                terms.and(pairs)
            }
            ("=" | "<=" | "<" | ">=" | ">", [_, _, ..]) => {
                let mut pairs = Vec::new();
                for pair in args.windows(2) {
                    let (a, b) = (pair[0], pair[1]);
                    pairs.push(match operator {
                        "=" => terms.eq(a, b),
                        "<=" => terms.le(a, b),
                        "<" => terms.lt(a, b),
                        ">=" => terms.le(b, a),
                        _ => terms.lt(b, a),
                    });
                }
                terms.and(pairs)
            }
            _ => return Err(SmtReadError::IllTyped(operator.to_owned())),
        })
    }
}

fn unsupported(expr: &SExpr) -> SmtReadError {
    match expr {
        SExpr::Atom(name) => SmtReadError::Unsupported(name.clone()),
        SExpr::List(_) => SmtReadError::Unsupported("a list".to_owned()),
    }
}
