//! Collects `@generator fn ..`: the generators that are used for values of a type wherever inputs
//! are drawn by type.

use std::collections::btree_map::Entry;

use gainsay_core::{FunctionId, ParamNames, Ty};
use gainsay_source::Span;

use crate::attributes::AttributeName;
use crate::checker::Checker;
use crate::findings::{AttributeMismatch, BadAttribute};

impl Checker<'_> {
    /// Finds the default generators among the declared functions.
    pub(crate) fn default_generators(&mut self) {
        for (id, span) in std::mem::take(&mut self.generator_attributes) {
            if let Err(mismatch) = self.default_generator(id) {
                self.report(BadAttribute { name: AttributeName::Generator, span, mismatch });
            }
        }
    }

    //   fn f() -> T ! [Gen.x, ..]    T a declared type or a refinement, and closed
    fn default_generator(&mut self, id: FunctionId) -> Result<(), AttributeMismatch> {
        let function = self.program.function(id);
        let result = function.result;
        if !function.params.is_empty() || !function.type_params.is_empty() {
            return Err(AttributeMismatch::GeneratorParameters);
        }
        let row = self.program.types.get_row(function.row);
        let is_gen = |op: &gainsay_core::OpId| {
            let effect = self.program.effect(self.program.op(*op).effect);
            &*effect.name == "Gen" && self.program.module(effect.module).is_std
        };
        if !row.ops.iter().all(is_gen) || !row.params.is_empty() {
            return Err(AttributeMismatch::GeneratorEffects);
        }
        let ty = self.program.types.get(result);
        if matches!(ty, Ty::Error) {
            return Ok(());
        }
        if !matches!(ty, Ty::Named(..) | Ty::Refined { .. }) {
            let result = self.type_text(ParamNames::default(), result);
            return Err(AttributeMismatch::GeneratorType { result });
        }
        let first = match self.program.generators.entry(result) {
            Entry::Vacant(entry) => {
                entry.insert(id);
                return Ok(());
            }
            Entry::Occupied(entry) => *entry.get(),
        };
        let first: Span = self.program.function(first).span;
        let result = self.type_text(ParamNames::default(), result);
        Err(AttributeMismatch::SecondGenerator { result, first })
    }
}
