//! Prints formulas as a script that other solvers read.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::axioms::Axiom;
use crate::linear::LinearSum;
use crate::signature::{FunId, Sort, SortId, SortKind, VarId};
use crate::terms::{TermId, TermNode, Terms};

/// A script that declares everything, asserts the axioms and formulas, and asks whether they are
/// satisfiable. Nothing if a formula has an opaque part, which has no meaning outside.
pub fn script(terms: &Terms, axioms: &[Axiom], formulas: &[TermId]) -> Option<String> {
    let mut text = String::from("(set-logic ALL)\n");
    let mut data = Vec::new();
    for (id, info) in terms.signature.sorts() {
        match &info.kind {
            SortKind::Uninterpreted => {
                let _ = writeln!(text, "(declare-sort {} 0)", sort_symbol(Sort::Named(id)));
            }
            SortKind::Data(constructors) => data.push((id, constructors)),
        }
    }
    if !data.is_empty() {
        declare_data(terms, &data, &mut text);
    }
    for (id, info) in terms.signature.funs() {
        if !info.is_constructor {
            let params: Vec<String> = info.params.iter().map(|it| sort_symbol(*it)).collect();
            let (params, result) = (params.join(" "), sort_symbol(info.result));
            let _ = writeln!(text, "(declare-fun {} ({params}) {result})", fun_symbol(id));
        }
    }
    let used: BTreeSet<VarId> =
        formulas.iter().flat_map(|it| terms.vars(*it).iter().copied()).collect();
    for var in used {
        let sort = sort_symbol(terms.signature.var(var).sort);
        let _ = writeln!(text, "(declare-const {} {sort})", var_symbol(var));
    }
    for axiom in axioms {
        let binders: Vec<String> = axiom
            .vars
            .iter()
            .map(|it| {
                let sort = sort_symbol(terms.signature.var(*it).sort);
                format!("({} {sort})", var_symbol(*it))
            })
            .collect();
        let mut body = String::new();
        write_term(terms, axiom.body, &mut body)?;
        let _ = if binders.is_empty() {
            writeln!(text, "(assert {body})")
        } else {
            writeln!(text, "(assert (forall ({}) {body}))", binders.join(" "))
        };
    }
    for formula in formulas {
        text.push_str("(assert ");
        write_term(terms, *formula, &mut text)?;
        text.push_str(")\n");
    }
    text.push_str("(check-sat)\n");
    Some(text)
}

fn declare_data(terms: &Terms, data: &[(SortId, &Vec<FunId>)], text: &mut String) {
    text.push_str("(declare-datatypes (");
    for (id, _) in data {
        let _ = write!(text, "({} 0)", sort_symbol(Sort::Named(*id)));
    }
    text.push_str(") (");
    for (_, constructors) in data {
        text.push('(');
        for constructor in *constructors {
            let _ = write!(text, "({}", fun_symbol(*constructor));
            for (i, param) in terms.signature.fun(*constructor).params.iter().enumerate() {
                let field = format!("{}_{i}", fun_symbol(*constructor));
                let _ = write!(text, " ({field} {})", sort_symbol(*param));
            }
            text.push(')');
        }
        text.push(')');
    }
    text.push_str("))\n");
}

/// Names are numbers: those of a signature need not differ, and need not be symbols.
fn sort_symbol(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Named(id) => format!("S{}", id.index()),
    }
}

fn fun_symbol(fun: FunId) -> String {
    format!("f{}", fun.index())
}

fn var_symbol(var: VarId) -> String {
    format!("v{}", var.index())
}

fn write_term(terms: &Terms, term: TermId, text: &mut String) -> Option<()> {
    match terms.node(term) {
        TermNode::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        TermNode::Int(value) => write_int(*value, text),
        TermNode::Var(var) => text.push_str(&var_symbol(*var)),
        TermNode::App(fun, args) if args.is_empty() => text.push_str(&fun_symbol(*fun)),
        TermNode::App(fun, args) => write_call(terms, &fun_symbol(*fun), args, text)?,
        TermNode::Sum(sum) => write_sum(terms, sum, text)?,
        TermNode::AtMostZero(sum) => {
            text.push_str("(<= ");
            write_sum(terms, sum, text)?;
            text.push_str(" 0)");
        }
        TermNode::Zero(sum) => {
            text.push_str("(= ");
            write_sum(terms, sum, text)?;
            text.push_str(" 0)");
        }
        TermNode::Equal(a, b) => write_call(terms, "=", &[*a, *b], text)?,
        TermNode::Not(inner) => write_call(terms, "not", &[*inner], text)?,
        TermNode::And(parts) => write_call(terms, "and", parts, text)?,
        TermNode::Or(parts) => write_call(terms, "or", parts, text)?,
        TermNode::Ite(condition, a, b) => {
            write_call(terms, "ite", &[*condition, *a, *b], text)?;
        }
        TermNode::Opaque(..) => return None,
    }
    Some(())
}

fn write_call(terms: &Terms, name: &str, args: &[TermId], text: &mut String) -> Option<()> {
    text.push('(');
    text.push_str(name);
    for arg in args {
        text.push(' ');
        write_term(terms, *arg, text)?;
    }
    text.push(')');
    Some(())
}

fn write_int(value: i128, text: &mut String) {
    let _ = if value < 0 {
        write!(text, "(- {})", value.unsigned_abs())
    } else {
        write!(text, "{value}")
    };
}

fn write_sum(terms: &Terms, sum: &LinearSum, text: &mut String) -> Option<()> {
    text.push_str("(+ ");
    write_int(sum.constant, text);
    for (part, coefficient) in &sum.parts {
        text.push_str(" (* ");
        write_int(*coefficient, text);
        text.push(' ');
        write_term(terms, *part, text)?;
        text.push(')');
    }
    // A sum has two summands at least.
    if sum.parts.is_empty() {
        text.push_str(" 0");
    }
    text.push(')');
    Some(())
}
