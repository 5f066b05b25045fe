//! Terms with unknowns, as far as they can be evaluated when a generator is derived.
//!
//! An evaluation that needs to know an unknown is *suspended*: it stands for its value until the
//! unknown is split into constructors.

use std::rc::Rc;

use gainsay_core::{Comparison, CtorId};

use crate::code::{Arithmetic, CodeFnId, CodeRelId, ExprId, ShapeId, SlotId};

/// A term, shared.
pub(super) type Sym = Rc<SymTerm>;

/// A variable of a derivation: known at run time, or an unknown that is drawn.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymVar(pub u32);

impl SymVar {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SymTerm {
    Var(SymVar),
    Int(i64),
    Bool(bool),
    Data(CtorId, Box<[Sym]>),
    Tuple(Box<[Sym]>),
    Nil,
    Cons(Sym, Sym),
    Closure(CodeFnId, Box<[Sym]>),
    Arithmetic(Arithmetic, Sym, Sym),
    Compare(Comparison, Sym, Sym),
    Not(Sym),
    /// A branch (`if`, `&&` or `||`) whose condition is not decided.
    If(ExprId, Sym, Locals),
    /// A match (or a `let` with a pattern) whose arm is not decided.
    Match(ExprId, Sym, Locals),
    /// A call that cannot be evaluated further.
    Call(CodeFnId, Box<[Sym]>),
    /// A relation as a condition. Arguments that it tells are left out: they are the value, as a
    /// tuple.
    Rel(CodeRelId, Box<[Option<Sym>]>),
    /// A field of a product that is not known.
    Field(Sym, u32),
    /// The list of some integers in a structure.
    Elements(Rc<ElementScheme>, Sym),
}

/// Which integers of a structure a function looks at: for each constructor the positions of the
/// fields that are, and of those in which to look further.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ElementScheme {
    pub(super) ctors: Vec<(CtorId, Vec<usize>, Vec<usize>)>,
}

/// The locals that a suspended evaluation still needs, by slot.
pub(super) type Locals = Rc<[(SlotId, Sym)]>;

impl SymTerm {
    /// Whether it begins with a constructor.
    pub(super) fn is_constructed(&self) -> bool {
        match self {
            SymTerm::Int(_) | SymTerm::Bool(_) | SymTerm::Data(..) | SymTerm::Tuple(_) => true,
            SymTerm::Nil | SymTerm::Cons(..) | SymTerm::Closure(..) => true,
            SymTerm::Var(_)
            | SymTerm::Arithmetic(..)
            | SymTerm::Compare(..)
            | SymTerm::Not(_)
            | SymTerm::If(..)
            | SymTerm::Match(..)
            | SymTerm::Call(..)
            | SymTerm::Field(..)
            | SymTerm::Rel(..)
            | SymTerm::Elements(..) => false,
        }
    }

    /// Whether it is an evaluation that waits for an unknown.
    pub(super) fn is_suspended(&self) -> bool {
        matches!(
            self,
            SymTerm::If(..)
                | SymTerm::Match(..)
                | SymTerm::Call(..)
                | SymTerm::Field(..)
                | SymTerm::Rel(..)
        )
    }

    /// Its direct parts.
    pub(super) fn parts(&self) -> Vec<&Sym> {
        match self {
            SymTerm::Var(_) | SymTerm::Int(_) | SymTerm::Bool(_) | SymTerm::Nil => Vec::new(),
            SymTerm::Data(_, parts)
            | SymTerm::Tuple(parts)
            | SymTerm::Closure(_, parts)
            | SymTerm::Call(_, parts) => parts.iter().collect(),
            SymTerm::Rel(_, parts) => parts.iter().flatten().collect(),
            SymTerm::Cons(a, b) | SymTerm::Arithmetic(_, a, b) | SymTerm::Compare(_, a, b) => {
                vec![a, b]
            }
            SymTerm::Not(a) | SymTerm::Elements(_, a) | SymTerm::Field(a, _) => vec![a],
            SymTerm::If(_, a, locals) | SymTerm::Match(_, a, locals) => {
                [a].into_iter().chain(locals.iter().map(|it| &it.1)).collect()
            }
        }
    }

    /// The same term with other parts.
    pub(super) fn map_parts<E>(
        &self,
        change: &mut dyn FnMut(&Sym) -> Result<Sym, E>,
    ) -> Result<SymTerm, E> {
        if let SymTerm::Rel(rel, parts) = self {
            let parts = parts.iter().map(|it| it.as_ref().map(&mut *change).transpose());
            return Ok(SymTerm::Rel(*rel, parts.collect::<Result<Box<_>, E>>()?));
        }
        let mut each =
            |list: &[Sym]| list.iter().map(&mut *change).collect::<Result<Box<_>, E>>();
        Ok(match self {
            SymTerm::Var(_) | SymTerm::Int(_) | SymTerm::Bool(_) | SymTerm::Nil => self.clone(),
            SymTerm::Rel(..) => self.clone(),
            SymTerm::Data(ctor, parts) => SymTerm::Data(*ctor, each(parts)?),
            SymTerm::Tuple(parts) => SymTerm::Tuple(each(parts)?),
            SymTerm::Closure(function, parts) => SymTerm::Closure(*function, each(parts)?),
            SymTerm::Call(function, parts) => SymTerm::Call(*function, each(parts)?),
            SymTerm::Cons(a, b) => SymTerm::Cons(change(a)?, change(b)?),
            SymTerm::Arithmetic(op, a, b) => SymTerm::Arithmetic(*op, change(a)?, change(b)?),
            SymTerm::Compare(op, a, b) => SymTerm::Compare(*op, change(a)?, change(b)?),
            SymTerm::Not(a) => SymTerm::Not(change(a)?),
            SymTerm::Elements(scheme, a) => SymTerm::Elements(Rc::clone(scheme), change(a)?),
            SymTerm::Field(a, at) => SymTerm::Field(change(a)?, *at),
            SymTerm::If(id, a, locals) => {
                let a = change(a)?;
                SymTerm::If(*id, a, change_locals(locals, change)?)
            }
            SymTerm::Match(id, a, locals) => {
                let a = change(a)?;
                SymTerm::Match(*id, a, change_locals(locals, change)?)
            }
        })
    }
}

fn change_locals<E>(
    locals: &Locals,
    change: &mut dyn FnMut(&Sym) -> Result<Sym, E>,
) -> Result<Locals, E> {
    locals.iter().map(|(slot, it)| Ok((*slot, change(it)?))).collect()
}

/// Something that must hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SymGoal {
    /// The term has this value, which is a pattern: constructors, variables and known terms.
    Is(Sym, Sym),
    /// A comparison of integers.
    Compare(Comparison, Sym, Sym),
    /// An integer is not in a list that is known at run time.
    NotIn(Sym, Sym),
    /// Goals that hold for each element of a list.
    Each(EachElement),
}

/// Goals for each element of a list; `element` stands for it in the goals.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EachElement {
    pub(super) list: Sym,
    pub(super) element: Sym,
    pub(super) goals: Vec<SymGoal>,
}

impl SymGoal {
    /// The same goal with other terms.
    pub(super) fn map_terms<E>(
        &self,
        change: &mut dyn FnMut(&Sym) -> Result<Sym, E>,
    ) -> Result<SymGoal, E> {
        Ok(match self {
            SymGoal::Is(a, b) => SymGoal::Is(change(a)?, change(b)?),
            SymGoal::Compare(op, a, b) => SymGoal::Compare(*op, change(a)?, change(b)?),
            SymGoal::NotIn(a, b) => SymGoal::NotIn(change(a)?, change(b)?),
            SymGoal::Each(it) => {
                let list = change(&it.list)?;
                let goals = it
                    .goals
                    .iter()
                    .map(|goal| goal.map_terms(change))
                    .collect::<Result<_, E>>()?;
                SymGoal::Each(EachElement { list, element: Rc::clone(&it.element), goals })
            }
        })
    }

    /// Calls `visit` with its terms.
    pub(super) fn each_term(&self, visit: &mut dyn FnMut(&Sym)) {
        match self {
            SymGoal::Is(a, b) | SymGoal::Compare(_, a, b) | SymGoal::NotIn(a, b) => {
                visit(a);
                visit(b);
            }
            SymGoal::Each(it) => {
                visit(&it.list);
                it.goals.iter().for_each(|goal| goal.each_term(visit));
            }
        }
    }
}

/// What is known of a variable.
#[derive(Debug, Clone)]
pub(super) struct SymVarInfo {
    pub(super) shape: ShapeId,
    /// Whether its value is known at run time before anything is drawn.
    pub(super) is_known: bool,
    /// How many constructors it is inside of.
    pub(super) depth: u32,
    pub(super) value: Option<Sym>,
}
