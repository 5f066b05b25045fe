//! Collects `@profile(Mailer.send) fn ..`: hostile stubs that a project adds to the built-in ones.

use gainsay_core::{FunctionId, ModuleId, OpId, Profile, Ty, TypeTable};

use crate::attributes::{AttributeName, ProfileAttribute};
use crate::checker::Checker;
use crate::elaborate::stub_type;
use crate::findings::{AttributeMismatch, BadAttribute, UnknownEffect};
use crate::scope::{NameLookup, TypeSymbol, is_upper};

impl Checker<'_> {
    /// Finds the profiles among the declared functions.
    pub(crate) fn profiles(&mut self) {
        for (id, attribute) in std::mem::take(&mut self.profile_attributes) {
            let module = self.program.function(id).module;
            if let Some(profile) = self.profile(id, module, attribute) {
                self.program.profiles.push(profile);
            }
        }
    }

    fn profile(
        &mut self,
        function: FunctionId,
        module: ModuleId,
        attribute: ProfileAttribute,
    ) -> Option<Profile> {
        let ProfileAttribute { op: path, name, span } = attribute;
        let Some(op) = self.op_named(module, &path) else {
            let name = path.join(".");
            let all: Vec<String> = (0..self.program.ops.len())
                .map(|at| self.program.op_name(OpId(at as u32)))
                .collect();
            let close = gainsay_source::closest_name(&name, all.iter().map(String::as_str));
            let close = close.map(str::to_owned);
            self.report(UnknownEffect { name, span, close });
            return None;
        };
        let wanted = stub_type(self, op, span)?;
        let declared = self.program.function(function);
        let params = declared.params.iter().map(|it| it.ty).collect();
        let (result, row) = (declared.result, TypeTable::PURE);
        let is_pure = self.program.types.get_row(declared.row).ops.is_empty();
        let name = name.unwrap_or_else(|| declared.name.clone());
        let actual = self.program.types.intern(Ty::Function { params, result, row });
        let types = &mut self.program.types;
        if !is_pure || types.erase_refinements(actual) != types.erase_refinements(wanted) {
            let wanted = self.type_text(gainsay_core::ParamNames::default(), wanted);
            let mismatch = AttributeMismatch::FunctionType { wanted };
            self.report(BadAttribute { name: AttributeName::Profile, span, mismatch });
            return None;
        }
        Some(Profile { name, op, function, span })
    }

    /// The operation with a name: `Mailer.send`, or `mail.Mailer.send` of another module.
    fn op_named(&self, module: ModuleId, names: &[Box<str>]) -> Option<OpId> {
        let at = names.iter().position(|name| is_upper(name))?;
        let def = match at.checked_sub(1) {
            None => match self.scope(module).ty(&self.prelude, &names[0]) {
                NameLookup::Found(def) => def,
                NameLookup::Ambiguous(_) | NameLookup::Missing => return None,
            },
            Some(before) => {
                let from = *self.scope(module).uses.get(&*names[before])?;
                self.scope(from).types.get(&*names[at])?.0
            }
        };
        let TypeSymbol::Effect(effect) = def else { return None };
        let op = names.get(at + 1)?;
        let ops = self.program.effect(effect).ops.iter();
        ops.copied().find(|it| self.program.op(*it).name == *op)
    }
}
