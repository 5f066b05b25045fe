//! Constants of the code under test: values that it treats specially are worth drawing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gainsay_core::{Body, FunctionId, Literal, ModuleId, Pattern, Program, Term};
use num_bigint::BigInt;

/// Distinct constants in the order in which they are found.
#[derive(Debug, Clone, Default)]
pub(crate) struct CodeConstants {
    pub(crate) ints: Vec<BigInt>,
    pub(crate) floats: Vec<f64>,
    pub(crate) chars: Vec<char>,
    pub(crate) texts: Vec<Arc<str>>,
}

/// The maximum number of constants of each type.
const MAX_CONSTANTS: usize = 32;

/// Longer texts are probably messages.
const MAX_TEXT: usize = 40;

/// The maximum number of functions that are searched for one module.
const MAX_FUNCTIONS: usize = 2_000;

/// Finds and caches the constants of each module.
#[derive(Debug)]
pub(crate) struct ConstantFinder {
    by_module: Vec<Vec<FunctionId>>,
    found: HashMap<ModuleId, CodeConstants>,
}

impl ConstantFinder {
    pub(crate) fn new(program: &Program) -> Self {
        let mut by_module = vec![Vec::new(); program.modules.len()];
        for (at, function) in program.functions.iter().enumerate() {
            by_module[function.module.index()].push(FunctionId(at as u32));
        }
        ConstantFinder { by_module, found: HashMap::new() }
    }

    /// The constants of a module's functions and then of those they call, except in the standard
    /// library.
    pub(crate) fn constants_of(
        &mut self,
        program: &Program,
        module: ModuleId,
    ) -> &CodeConstants {
        let own = self.by_module.get(module.index()).map_or(&[][..], |it| it);
        self.found.entry(module).or_insert_with(|| CodeConstants::collect_from(program, own))
    }
}

impl CodeConstants {
    fn collect_from(program: &Program, own: &[FunctionId]) -> Self {
        let mut found = CodeConstants::default();
        let mut pending: Vec<FunctionId> = own.to_vec();
        let mut seen: HashSet<FunctionId> = own.iter().copied().collect();
        let mut next = 0;
        // Breadth first: `MAX_CONSTANTS` keeps what is found first, and a module's own constants matter
        // most.
        while next < pending.len().min(MAX_FUNCTIONS) {
            let function = program.function(pending[next]);
            next += 1;
            if program.module(function.module).is_std {
                continue;
            }
            found.add_body(&function.body);
            let called =
                function.body.terms.iter().filter_map(|it| program.referenced_function(it));
            pending.extend(called.filter(|it| seen.insert(*it)));
        }
        found
    }

    fn add_body(&mut self, body: &Body) {
        for term in &body.terms {
            if let Term::Literal(literal) = term {
                self.add(literal);
            }
        }
        for pattern in &body.patterns {
            if let Pattern::Literal(literal) = pattern {
                self.add(literal);
            }
        }
    }

    fn add(&mut self, literal: &Literal) {
        match literal {
            Literal::Int(int) => push(&mut self.ints, BigInt::from(*int)),
            Literal::Big(int) => push(&mut self.ints, (**int).clone()),
            Literal::Float(float) => push(&mut self.floats, *float),
            Literal::Char(char) => push(&mut self.chars, *char),
            Literal::Str(text) if text.len() <= MAX_TEXT => {
                push(&mut self.texts, Arc::clone(text));
            }
            Literal::Str(_) | Literal::Bool(_) => {}
        }
    }
}

fn push<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.len() < MAX_CONSTANTS && !list.contains(&value) {
        list.push(value);
    }
}
