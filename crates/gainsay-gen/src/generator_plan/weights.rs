//! How likely each constructor is: as `@weights` declares, or so that recursion goes on for a
//! while.

use gainsay_core::{Program, TypeId};

use super::{GeneratorPlan, PlanNodeId};

/// A weight: a number, or an expression that depends on the size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConstructorWeight {
    Number(u32),
    Size,
    Sum(Box<ConstructorWeight>, Box<ConstructorWeight>),
    Product(Box<ConstructorWeight>, Box<ConstructorWeight>),
}

/// The total weight of constructors without recursion, and of those with it: where each value
/// contains at most one recursive value, and where some contain several.
const ENDING: u32 = 1;
const ALONG: u32 = 8;
const BRANCHING: u32 = 3;

impl ConstructorWeight {
    /// The weight at a size.
    pub(crate) fn at(&self, size: u32) -> u32 {
        match self {
            ConstructorWeight::Number(number) => *number,
            ConstructorWeight::Size => size,
            ConstructorWeight::Sum(a, b) => a.at(size).saturating_add(b.at(size)),
            ConstructorWeight::Product(a, b) => a.at(size).saturating_mul(b.at(size)),
        }
    }

    pub(crate) fn depends_on_size(&self) -> bool {
        match self {
            ConstructorWeight::Number(_) => false,
            ConstructorWeight::Size => true,
            ConstructorWeight::Sum(a, b) | ConstructorWeight::Product(a, b) => {
                a.depends_on_size() || b.depends_on_size()
            }
        }
    }

    //   weight  = product { "+" product }
    //   product = factor { "*" factor }
    //   factor  = number | "size" | "(" weight ")"
    fn parse(text: &str) -> Option<ConstructorWeight> {
        let tokens = tokens(text);
        let mut reader = WeightParser { tokens: &tokens, depth: 0 };
        let weight = reader.sum()?;
        reader.tokens.is_empty().then_some(weight)
    }
}

fn tokens(text: &str) -> Vec<&str> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|it| !is_word(it)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

struct WeightParser<'a> {
    tokens: &'a [&'a str],
    depth: u32,
}

impl<'a> WeightParser<'a> {
    fn eat(&mut self, token: &str) -> bool {
        let is_next = self.tokens.first() == Some(&token);
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    fn sum(&mut self) -> Option<ConstructorWeight> {
        let mut all = self.product()?;
        while self.eat("+") {
            all = ConstructorWeight::Sum(Box::new(all), Box::new(self.product()?));
        }
        Some(all)
    }

    fn product(&mut self) -> Option<ConstructorWeight> {
        let mut all = self.factor()?;
        while self.eat("*") {
            all = ConstructorWeight::Product(Box::new(all), Box::new(self.factor()?));
        }
        Some(all)
    }

    fn factor(&mut self) -> Option<ConstructorWeight> {
        // Bounds the recursion of the parser.
        const MOST_PARENTHESES: u32 = 64;
        if self.eat("(") {
            self.depth += 1;
            let inner = if self.depth < MOST_PARENTHESES { self.sum()? } else { return None };
            return self.eat(")").then_some(inner);
        }
        let (first, rest): (&&'a str, _) = self.tokens.split_first()?;
        self.tokens = rest;
        if *first == "size" {
            return Some(ConstructorWeight::Size);
        }
        first.replace('_', "").parse().ok().map(ConstructorWeight::Number)
    }
}

impl GeneratorPlan {
    /// The weights of the constructors of a sum, 0 for those that are excluded.
    pub(crate) fn weights(
        &self,
        program: &Program,
        named: TypeId,
        cases: &[Option<Vec<PlanNodeId>>],
    ) -> Vec<ConstructorWeight> {
        let declared = declared_weights(program, named);
        let usual = self.usual_weights(cases);
        let is_out = |case: &Option<Vec<PlanNodeId>>| {
            case.as_ref().is_none_or(|it| self.case_height(it).is_none())
        };
        let each = cases.iter().zip(usual).zip(declared);
        each.map(|((case, usual), declared)| {
            if is_out(case) {
                ConstructorWeight::Number(0)
            } else {
                declared.unwrap_or(ConstructorWeight::Number(usual))
            }
        })
        .collect()
    }

    /// Weights for constructors without declared weights.
    fn usual_weights(&self, cases: &[Option<Vec<PlanNodeId>>]) -> Vec<u32> {
        let width =
            |fields: &[PlanNodeId]| fields.iter().map(|it| self.width(*it)).sum::<usize>();
        let widths: Vec<Option<usize>> =
            cases.iter().map(|it| it.as_ref().map(|fields| width(fields))).collect();
        let n_ending = widths.iter().flatten().filter(|it| **it == 0).count() as u32;
        let n_going_on = widths.iter().flatten().filter(|it| **it > 0).count() as u32;
        if n_ending == 0 || n_going_on == 0 {
            return vec![1; cases.len()];
        }
        let branches = widths.iter().flatten().any(|it| *it > 1);
        let going_on = if branches { BRANCHING } else { ALONG };
        let weight = |width: &Option<usize>| match width {
            None => 0,
            // Cross-multiplied: the groups get their total weights however many constructors each
            // has.
            Some(0) => ENDING * n_going_on,
            Some(_) => going_on * n_ending,
        };
        widths.iter().map(weight).collect()
    }
}

impl GeneratorPlan {
    /// The number of recursive positions in values of a node: a container counts as two.
    fn width(&self, id: PlanNodeId) -> usize {
        let node = self.node(id);
        if !node.is_sized {
            return 0;
        }
        match node.shape.inner() {
            Some(inner) => self.width(inner),
            None if node.shape.lens().is_some() => 2,
            None => 1,
        }
    }
}

/// Whether a sum declares `@weights`.
pub(crate) fn has_declared_weights(program: &Program, named: TypeId) -> bool {
    program.nominal(named).attributes.iter().any(|it| &*it.name == "weights")
}

/// The declared weight of each constructor.
fn declared_weights(program: &Program, named: TypeId) -> Vec<Option<ConstructorWeight>> {
    let definition = program.nominal(named);
    let attribute = definition.attributes.iter().find(|it| &*it.name == "weights");
    let args = attribute.map_or(&[][..], |it| &it.args);
    let weight = |name: &str| {
        let arg = args.iter().find(|(key, _)| &**key == name);
        arg.and_then(|(_, text)| ConstructorWeight::parse(text))
    };
    definition.ctors.iter().map(|it| weight(&program.ctor(*it).name)).collect()
}

#[cfg(test)]
mod tests {
    use super::ConstructorWeight;

    #[test]
    fn weights_are_read() {
        let at = |text: &str, size: u32| ConstructorWeight::parse(text).map(|it| it.at(size));
        assert_eq!(at("3", 10), Some(3));
        assert_eq!(at("1_000", 10), Some(1000));
        assert_eq!(at("size", 10), Some(10));
        assert_eq!(at("2 * size + 1", 10), Some(21));
        assert_eq!(at("2*(size+1)", 10), Some(22));
        assert_eq!(at("", 10), None);
        assert_eq!(at("x", 10), None);
        assert_eq!(at("2 +", 10), None);
        assert_eq!(at(&"(".repeat(100_000), 10), None);
    }
}
