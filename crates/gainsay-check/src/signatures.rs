//! Second stage: resolves the signature of every declaration.

use gainsay_core::{
    Body, ConstructorWeight, CtorId, Field, FunctionId, ModuleId, OpId, Operation,
    OperationKind, Param, Row, RowId, Ty, TyId, TypeTable,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{
    EffectItem, FnItem, Name, Operation as SystemOperation, Params, Type, TypeBody, TypeItem,
    TypeParams,
};

use crate::attributes::{self, AttributeTarget, Attributes, WeightArgument};
use crate::checker::Checker;
use crate::declarations::Declarations;
use crate::findings::{
    BadMain, BadSystem, DuplicateBinding, DuplicateDefinition, DuplicateField, MainProblem,
    MisplacedForm, MisplacedFormKind, MissingBody, NamedKind, SystemProblem,
    UnknownConstructor,
};
use crate::type_annotations::TypeScope;

impl<'t> Checker<'t> {
    /// Resolves every type in declarations. Effects come first, because types and functions name
    /// them in rows.
    pub(crate) fn signatures(&mut self, declarations: &Declarations<'t>) {
        for (id, item, _) in &declarations.effects {
            self.name_operations(*id, *item);
        }
        for (id, item, module) in &declarations.effects {
            self.effect_signature(*id, *item, *module);
        }
        // All of them, although types resolve aliases on demand: an unused alias may be cyclic,
        // too.
        for at in 0..self.aliases.len() {
            self.resolve_alias(at);
        }
        for (id, item, module) in &declarations.nominals {
            self.nominal_signature(*id, *item, *module);
        }
        for spec in 0..self.specs.len() {
            self.event_fields(spec);
        }
        for (id, item, module) in &declarations.functions {
            self.function_signature(*id, *item, *module);
        }
        for (id, item, module) in &declarations.constants {
            let mut scope = TypeScope::new(*module, Vec::new());
            let ty = self.annotate(&mut scope, item.ty());
            self.program.constants[id.index()].ty = ty;
            let function = self.program.constants[id.index()].function;
            self.program.functions[function.index()].result = ty;
        }
        for (id, item, module) in &declarations.rels {
            let params = type_param_names(item.type_params());
            let mut scope = TypeScope::new(*module, params);
            let typed = self.params(&mut scope, item.params());
            self.reject_input_params(item.params());
            let rel = &mut self.program.rels[id.index()];
            rel.type_params = scope.params.iter().map(|it| (*it).into()).collect();
            rel.params = typed.into();
        }
    }

    /// Assigns ids to the operations of an effect, so that rows can name them.
    fn name_operations(&mut self, effect: gainsay_core::EffectId, item: EffectItem<'t>) {
        let mut ops: Vec<OpId> = Vec::new();
        for operation in item.operations() {
            let Some(name) = operation.name() else { continue };
            let twin = ops.iter().find(|it| &*self.program.op(**it).name == name.text());
            if let Some(first) = twin.map(|it| self.program.op(*it).span) {
                let (name, span) = (name.text().to_owned(), name.span());
                self.report(DuplicateDefinition { name, span, first });
                continue;
            }
            ops.push(OpId(self.program.ops.len() as u32));
            self.program.ops.push(Operation {
                name: name.text().into(),
                effect,
                n_type_params: 0,
                params: Box::default(),
                result: TypeTable::ERROR,
                kind: OperationKind::Output,
                span: name.span(),
            });
        }
        self.program.effects[effect.index()].ops = ops.into();
    }

    fn effect_signature(
        &mut self,
        effect: gainsay_core::EffectId,
        item: EffectItem<'t>,
        module: ModuleId,
    ) {
        let ops = self.program.effect(effect).ops.clone();
        for operation in item.operations() {
            let Some(name) = operation.name() else { continue };
            // By span and not by position, because duplicates have no id.
            let Some(id) = ops.iter().find(|it| self.program.op(**it).span == name.span())
            else {
                continue;
            };
            let mut scope = TypeScope::new(module, type_param_names(operation.type_params()));
            let params = self.params(&mut scope, operation.params());
            self.reject_input_params(operation.params());
            let result = match operation.return_type() {
                Some(ty) => self.annotate(&mut scope, Some(ty)),
                None => TypeTable::UNIT,
            };
            let attributes = attributes::read_attributes(
                self,
                AttributeTarget::Operation,
                operation.attributes(),
            );
            let dimension = if item.is_system() {
                self.check_system_operation(operation, name);
                OperationKind::GenerativeOutput
            } else {
                operation_kind(&attributes, result)
            };
            let op = &mut self.program.ops[id.index()];
            op.n_type_params = scope.params.len() as u32;
            op.params = params.into_iter().map(|it| (it.name, it.ty)).collect();
            op.result = result;
            op.kind = dimension;
        }
    }

    /// An operation of a system must say what crosses the border, and nothing else. That it is data
    /// is checked when all types are known.
    fn check_system_operation(&mut self, operation: SystemOperation<'t>, name: Name<'t>) {
        let problem = if operation.attributes().next().is_some() {
            SystemProblem::Attribute
        } else if operation.type_params().is_some() {
            SystemProblem::TypeParameter
        } else {
            return;
        };
        self.report(BadSystem { operation: name.text().into(), problem, span: name.span() });
    }

    fn nominal_signature(
        &mut self,
        id: gainsay_core::TypeId,
        item: TypeItem<'t>,
        module: ModuleId,
    ) {
        let mut scope = TypeScope::new(module, type_param_names(item.type_params()));
        let ctors = self.program.nominal(id).ctors.clone();
        match item.body() {
            Some(TypeBody::Sum(sum)) => {
                let named = sum.ctors().filter(|ctor| ctor.name().is_some());
                for (ctor, ctor_id) in named.zip(ctors.iter()) {
                    let mut fields = Vec::new();
                    for field in ctor.fields() {
                        let ty = self.annotate(&mut scope, field.ty());
                        self.add_field(&mut fields, field.name(), ty, field.span());
                    }
                    self.program.ctors[ctor_id.index()].fields = fields.into();
                }
            }
            Some(TypeBody::Record(record)) => {
                let mut fields = Vec::new();
                for field in record.fields() {
                    let ty = self.annotate(&mut scope, field.ty());
                    self.add_field(&mut fields, field.name(), ty, field.span());
                }
                self.program.ctors[ctors[0].index()].fields = fields.into();
            }
            Some(TypeBody::Alias(_)) | None => {}
        }
        let attributes =
            attributes::read_attributes(self, AttributeTarget::Type, item.attributes());
        let weights = attributes.weights.map(|it| self.weights(&it, &ctors));
        self.program.nominals[id.index()].weights = weights;
    }

    /// The weight of each constructor; `@weights` names constructors of its type.
    fn weights(
        &mut self,
        args: &[WeightArgument<'t>],
        ctors: &[CtorId],
    ) -> Box<[Option<ConstructorWeight>]> {
        let mut weights = vec![None; ctors.len()];
        for arg in args {
            let names = || ctors.iter().map(|it| &*self.program.ctor(*it).name);
            if let Some(at) = names().position(|it| it == arg.ctor) {
                weights[at].get_or_insert_with(|| arg.weight.clone());
                continue;
            }
            let close = gainsay_source::closest_name(arg.ctor, names()).map(str::to_owned);
            let (name, span) = (arg.ctor.to_owned(), arg.span);
            self.report(UnknownConstructor {
                name,
                span,
                may_be_foreign: false,
                close,
                is_type: false,
            });
        }
        weights.into()
    }

    fn add_field(
        &mut self,
        fields: &mut Vec<Field>,
        name: Option<Name<'t>>,
        ty: TyId,
        span: Span,
    ) {
        let twin = name.and_then(|name| {
            fields.iter().find(|it| it.name.as_deref() == Some(name.text())).map(|it| it.span)
        });
        if let (Some(name), Some(first)) = (name, twin) {
            let (name, span) = (name.text().to_owned(), name.span());
            self.report(DuplicateField { name, span, first });
        }
        // Kept even if the name is taken, so that later fields keep their positions.
        fields.push(Field { name: name.map(|it| it.text().into()), ty, span });
    }

    fn function_signature(&mut self, id: FunctionId, item: FnItem<'t>, module: ModuleId) {
        let mut scope = TypeScope::new(module, type_param_names(item.type_params()));
        // Only here does a name in a row introduce an effect parameter: the caller of the function
        // determines it. In other declarations nothing could.
        scope.open = true;
        let mut params = self.params(&mut scope, item.params());
        let result = match item.return_type() {
            Some(ty) => self.annotate(&mut scope, Some(ty)),
            None => TypeTable::UNIT,
        };
        let mut row = self.annotate_row(&mut scope, item.effects());
        let mut attributes =
            attributes::read_attributes(self, AttributeTarget::Function, item.attributes());
        let property = attributes.property;
        if property.is_none() && !attributes.misread {
            self.reject_input_params(item.params());
        } else if item.params().is_some_and(|it| it.binders().next().is_some()) {
            // Its inputs are those of an `across` around its body.
            params.clear();
        }
        if let Some((_, span)) = property.filter(|_| !scope.params.is_empty()) {
            let form = MisplacedFormKind::PropertyTypeParameter;
            self.report(MisplacedForm { form, span });
        }
        // An annotation that was reported may have been meant for a property.
        if attributes.misread || property.is_some() {
            row = self.with_case_ops(row);
        }
        if let Some(profile) = attributes.profile.take() {
            self.profile_attributes.insert(id, profile);
        }
        if let Some(span) = attributes.generator.take() {
            self.generator_attributes.insert(id, span);
        }
        self.main_signature(id, &scope, &params, result, row);
        self.builtin_or_body(id, item);
        let mut body = Body::default();
        for param in &params {
            body.add_local(&param.name, param.ty, param.span);
        }
        let function = &mut self.program.functions[id.index()];
        function.type_params = scope.params.iter().map(|it| (*it).into()).collect();
        function.effect_params = scope.effects.iter().map(|it| (*it).into()).collect();
        function.params = params.into();
        function.result = result;
        function.row = row;
        function.attributes = attributes.of_function();
        function.body = body;
        self.effect_params.insert(id, scope.effects);
    }

    /// A function without a body must be a builtin.
    fn builtin_or_body(&mut self, id: FunctionId, item: FnItem<'t>) {
        if item.body().is_some() {
            return;
        }
        let function = self.program.function(id);
        let scope = self.scope(function.module);
        let name = format!("{}.{}", scope.name, function.name);
        match gainsay_core::builtin::find(&name).filter(|_| scope.is_std) {
            Some(builtin) => {
                self.builtins.insert(id, builtin);
            }
            None => {
                let (name, span) = (function.name.to_string(), function.span);
                let refined = matches!(item.return_type(), Some(Type::Refined(_)));
                self.report(MissingBody { name, span, refined });
            }
        }
    }

    /// Adds to a row what tests and properties may perform: what all claims may, and the operations
    /// of systems. A `verify` block compares in worlds, which have no systems.
    pub(crate) fn with_case_ops(&mut self, row: RowId) -> RowId {
        let row = self.with_claim_ops(row);
        let row = self.program.types.get_row(row).clone();
        let systems = self.program.effects.iter().filter(|it| it.is_system);
        let ops = row.ops.iter().chain(systems.flat_map(|it| &it.ops)).copied().collect();
        self.program.types.intern_row(Row::new(ops, row.params.to_vec(), Vec::new()))
    }

    /// Adds to a row what claims may perform: the operations of `Claim`, and output operations
    /// other than those of `Gen`, which are recorded instead of performed.
    pub(crate) fn with_claim_ops(&mut self, row: RowId) -> RowId {
        let row = self.program.types.get_row(row).clone();
        let mut ops = row.ops.to_vec();
        for (at, op) in self.program.ops.iter().enumerate() {
            let effect = self.program.effect(op.effect);
            let of_claim =
                matches!(&*effect.name, "Claim" | "Walk") && self.scope(effect.module).is_std;
            let is_output = op.kind == OperationKind::Output && &*effect.name != "Gen";
            if of_claim || is_output {
                ops.push(OpId(at as u32));
            }
        }
        self.program.types.intern_row(Row::new(ops, row.params.to_vec(), Vec::new()))
    }

    /// Reports parameters with `<-` or `where`.
    fn reject_input_params(&mut self, params: Option<Params<'t>>) {
        for input in params.into_iter().flat_map(|it| it.binders()) {
            let form = MisplacedFormKind::InputParameter;
            self.report(MisplacedForm { form, span: input.span() });
        }
    }

    pub(crate) fn params(
        &mut self,
        scope: &mut TypeScope<'t>,
        params: Option<Params<'t>>,
    ) -> Vec<Param> {
        let mut typed: Vec<Param> = Vec::new();
        for param in params.into_iter().flat_map(|it| it.inputs()) {
            let ty = self.annotate(scope, param.ty());
            let name = param.name().map_or("_", Name::text);
            let span = param.name().map_or(param.span(), Name::span);
            if let Some(name) = param.name() {
                self.check_lower_case(name, NamedKind::Parameter);
            }
            let twin =
                typed.iter().find(|it| &*it.name == name && name != "_").map(|it| it.span);
            if let Some(first) = twin {
                self.report(DuplicateBinding { name: name.to_owned(), span, first });
            }
            typed.push(Param { name: name.into(), ty, span });
        }
        typed
    }

    /// An operation in a row that only claims answer. `observe` and `assume` do not count, because
    /// they need no answer: they hold, or the run ends.
    fn effect_without_host(&self, row: RowId) -> Option<String> {
        let only_claims = |op: &&OpId| {
            let operation = self.program.op(**op);
            let effect = self.program.effect(operation.effect);
            let holds_or_ends = matches!(&*operation.name, "observe" | "assume");
            self.scope(effect.module).is_std
                && (&*effect.name == "Gen" || (&*effect.name == "Claim" && !holds_or_ends))
        };
        let found = self.program.types.get_row(row).ops.iter().find(only_claims);
        found.map(|op| self.program.op_name(*op))
    }

    /// `main` takes no parameters and returns `Unit` or `Result<Unit, E>`.
    fn main_signature(
        &mut self,
        id: FunctionId,
        scope: &TypeScope<'t>,
        params: &[Param],
        result: TyId,
        row: RowId,
    ) {
        let function = self.program.function(id);
        if &*function.name != "main" || self.scope(function.module).is_std {
            return;
        }
        let span = function.span;
        let base = self.program.types.base(result);
        let gives_unit = if let Ty::Named(name, args) = self.program.types.get(base) {
            Some(*name) == self.program.lang.result && args[0] == TypeTable::UNIT
        } else {
            // An unknown result type was reported where it stands.
            base == TypeTable::UNIT || base == TypeTable::ERROR
        };
        let unanswered = self.effect_without_host(row);
        if let Some(op) = unanswered {
            let problem = MainProblem::UnansweredOperation(op);
            self.report(BadMain { span, problem });
        } else if !params.is_empty() || !scope.params.is_empty() {
            self.report(BadMain { span, problem: MainProblem::TakesParameters });
        } else if !gives_unit {
            let ty = self.type_text(Default::default(), result);
            self.report(BadMain { span, problem: MainProblem::Gives(ty) });
        }
    }
}

/// The names of declared type parameters.
pub(crate) fn type_param_names(params: Option<TypeParams<'_>>) -> Vec<&str> {
    params.into_iter().flat_map(|it| it.names()).map(Name::text).collect()
}

/// What the annotations of an operation say; without any, what its result suggests.
fn operation_kind(attributes: &Attributes<'_>, result: TyId) -> OperationKind {
    match (attributes.is_snapshot, attributes.is_generative, attributes.is_output) {
        (true, _, _) => OperationKind::Snapshot,
        (_, true, true) => OperationKind::GenerativeOutput,
        (_, true, false) => OperationKind::Generative,
        (_, false, true) if result == TypeTable::UNIT => OperationKind::Output,
        (_, false, true) => OperationKind::GenerativeOutput,
        (_, false, false) if result == TypeTable::UNIT => OperationKind::Output,
        (_, false, false) => OperationKind::Generative,
    }
}
