//! S-expressions, read without recursion.

use super::read::SmtReadError;

/// An atom or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SExpr {
    Atom(String),
    List(Vec<SExpr>),
}

/// The deepest nesting that is read: what reads an expression is recursive.
const MAX_NESTING: usize = 200;

/// All expressions of a text.
pub(super) fn parse(text: &str) -> Result<Vec<SExpr>, SmtReadError> {
    let mut open: Vec<Vec<SExpr>> = vec![Vec::new()];
    let mut rest = text.chars().peekable();
    while let Some(first) = rest.next() {
        match first {
            '(' if open.len() > MAX_NESTING => return Err(SmtReadError::TooDeep),
            '(' => open.push(Vec::new()),
            ')' => {
                let list = open.pop().unwrap_or_default();
                open.last_mut().ok_or(SmtReadError::Unbalanced)?.push(SExpr::List(list));
            }
            ';' => while rest.next_if(|it| *it != '\n').is_some() {},
            '|' => {
                let mut name = String::new();
                loop {
                    match rest.next() {
                        Some('|') => break,
                        Some(char) => name.push(char),
                        None => return Err(SmtReadError::Unbalanced),
                    }
                }
                push(&mut open, SExpr::Atom(name))?;
            }
            _ if first.is_whitespace() => {}
            _ => {
                let mut atom = String::from(first);
                while let Some(char) =
                    rest.next_if(|it| !it.is_whitespace() && !"()|;".contains(*it))
                {
                    atom.push(char);
                }
                push(&mut open, SExpr::Atom(atom))?;
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(all), true) => Ok(all),
        _ => Err(SmtReadError::Unbalanced),
    }
}

fn push(open: &mut [Vec<SExpr>], item: SExpr) -> Result<(), SmtReadError> {
    open.last_mut().ok_or(SmtReadError::Unbalanced)?.push(item);
    Ok(())
}
