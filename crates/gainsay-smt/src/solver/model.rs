//! From a solution of the theories to a model of the formulas.

use std::collections::BTreeMap;

use super::Search;
use super::theories::Solution;
use crate::rewrite::{Model, SmtValue, default_value};
use crate::signature::{FunId, Signature, Sort};
use crate::terms::{TermId, TermNode};

/// The deepest value that is made to differ from others.
const MAX_VALUE_DEPTH: usize = 300;

impl Search<'_> {
    /// The model of a solution. Nothing promises that it satisfies the formulas: whoever asks for
    /// it evaluates them.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other terms have no value of their own"
    )]
    pub(super) fn model(&mut self, solution: &Solution) -> Option<Model> {
        let mut values: BTreeMap<usize, SmtValue> = BTreeMap::new();
        self.give_leaves_values(solution, &mut values)?;
        let mut building = vec![false; self.graph.len()];
        for node in 0..self.graph.len() {
            self.class_value(solution, node, &mut values, &mut building)?;
        }
        let mut model = Model::default();
        for node in 0..self.graph.len() {
            let class = solution.classes.class(node);
            let value = values.get(&class)?.clone();
            let term = self.graph.terms[node];
            match self.terms.node(term) {
                TermNode::Var(var) => {
                    model.vars.insert(*var, value);
                }
                TermNode::App(fun, _) if !self.terms.signature.fun(*fun).is_constructor => {
                    let is_open = self.graph.sorts[node] == Sort::Bool
                        && solution.classes.values[class].is_none();
                    let (_, args) = self.graph.application(node)?;
                    let args = args
                        .iter()
                        .map(|it| values.get(&solution.classes.class(*it)).cloned())
                        .collect::<Option<Vec<SmtValue>>>()?;
                    let table = model.funs.entry(*fun).or_default();
                    // No literal depends on the result, so the default of the table will do.
                    if is_open {
                        continue;
                    }
                    if table.insert(args, value.clone()).is_some_and(|it| it != value) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        Some(model)
    }

    /// Gives each class that nothing is known of a value that no other class has.
    fn give_leaves_values(
        &mut self,
        solution: &Solution,
        values: &mut BTreeMap<usize, SmtValue>,
    ) -> Option<()> {
        let mut n_elements: BTreeMap<Sort, u32> = BTreeMap::new();
        let nesting = 2 + self.constructor_nesting();
        let mut n_leaves = 0;
        for node in 0..self.graph.len() {
            let class = solution.classes.class(node);
            if class != node {
                continue;
            }
            let sort = self.graph.sorts[node];
            let value = match sort {
                Sort::Int => SmtValue::Int(self.integer(solution, node)),
                _ if solution.classes.values[class].is_some() => continue,
                Sort::Bool => SmtValue::Bool(false),
                Sort::Named(_) if self.terms.signature.constructors(sort).is_none() => {
                    let number = n_elements.entry(sort).or_insert(0);
                    *number += 1;
                    SmtValue::Element(sort, *number - 1)
                }
                Sort::Named(_) => {
                    n_leaves += 1;
                    // Leaves are further apart than all constructors together can nest, so
                    // that two terms built around different leaves stay different.
                    let depth = nesting * n_leaves;
                    if depth > MAX_VALUE_DEPTH {
                        return None;
                    }
                    distinct_value(&self.terms.signature, sort, depth)?
                }
            };
            values.insert(class, value);
        }
        Some(())
    }

    /// A bound on how deep constructors nest, also after equations: the number of constructors.
    fn constructor_nesting(&self) -> usize {
        let is_built = |node: &usize| {
            self.graph
                .application(*node)
                .is_some_and(|(fun, _)| self.terms.signature.fun(fun).is_constructor)
        };
        (0..self.graph.len()).filter(is_built).count()
    }

    fn class_value(
        &self,
        solution: &Solution,
        node: usize,
        values: &mut BTreeMap<usize, SmtValue>,
        building: &mut Vec<bool>,
    ) -> Option<()> {
        let class = solution.classes.class(node);
        if values.contains_key(&class) {
            return Some(());
        }
        if std::mem::replace(&mut building[class], true) {
            return None;
        }
        let known = solution.classes.values[class]?;
        let value = match self.graph.application(known) {
            Some((fun, args)) => {
                let mut parts = Vec::with_capacity(args.len());
                for arg in args {
                    self.class_value(solution, *arg, values, building)?;
                    parts.push(values.get(&solution.classes.class(*arg))?.clone());
                }
                SmtValue::Data(fun, parts)
            }
            None => match self.graph.terms[known] {
                TermId::TRUE => SmtValue::Bool(true),
                TermId::FALSE => SmtValue::Bool(false),
                _ => return None,
            },
        };
        values.insert(class, value);
        Some(())
    }
}

/// A value of an infinite data type that differs from those for other numbers, and from small
/// ones: as deep as the number says, or with an integer or element that occurs nowhere else.
fn distinct_value(signature: &Signature, sort: Sort, number: usize) -> Option<SmtValue> {
    let constructors = signature.constructors(sort)?;
    let recursive = constructors.iter().copied().find_map(|it| {
        signature.fun(it).params.iter().position(|param| *param == sort).map(|at| (it, at))
    });
    if let Some((constructor, at)) = recursive {
        let mut value = default_value(signature, sort)?;
        for _ in 0..number {
            value = built_around(signature, constructor, at, value)?;
        }
        return Some(value);
    }
    let number = u32::try_from(number).ok()?;
    constructors.iter().copied().find_map(|constructor| {
        let params = &signature.fun(constructor).params;
        params.iter().enumerate().find_map(|(at, param)| {
            let part = match *param {
                Sort::Int => SmtValue::Int(1_000_000 + i128::from(number)),
                Sort::Bool => return None,
                Sort::Named(_) if signature.constructors(*param).is_none() => {
                    SmtValue::Element(*param, 1_000_000 + number)
                }
                Sort::Named(_) => return None,
            };
            built_around(signature, constructor, at, part)
        })
    })
}

/// A constructor with one argument given, and any others.
fn built_around(
    signature: &Signature,
    constructor: FunId,
    at: usize,
    part: SmtValue,
) -> Option<SmtValue> {
    let params = &signature.fun(constructor).params;
    let args = params
        .iter()
        .enumerate()
        .map(|(i, it)| if i == at { Some(part.clone()) } else { default_value(signature, *it) })
        .collect::<Option<Vec<SmtValue>>>()?;
    Some(SmtValue::Data(constructor, args))
}
