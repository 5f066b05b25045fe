//! Sorts, data types, functions, axioms and operations.

use std::collections::BTreeMap;

use gainsay_smt::{Axiom, Sort, TermId, VarId};
use gainsay_syntax::ast::{
    self, DataDecl, EventDecl, InitDecl, OperationKeyword, Params, SortDecl, SpecDecl, SpecFn,
    SpecItem, Type,
};

use super::{Definition, SpecReader};
use crate::findings::{SpecMistake, SpecName};
use crate::spec::OpKind;

impl<'t> SpecReader<'t> {
    /// Types come first, then functions and operations, then axioms: none depends on the order of
    /// the source.
    pub(super) fn declarations(&mut self, item: SpecItem<'t>) {
        for decl in item.decls() {
            if let SpecDecl::Sort(it) = decl {
                self.sort(it);
            } else if let SpecDecl::Data(it) = decl {
                self.data(it);
            }
        }
        for decl in item.decls() {
            if let SpecDecl::Data(it) = decl {
                self.constructors(it);
            }
        }
        self.field_types(item);
        for decl in item.decls() {
            if let SpecDecl::Fn(it) = decl {
                self.function(it);
            } else if let SpecDecl::Event(it) = decl {
                self.operation(it);
            }
        }
        for decl in item.decls() {
            if let SpecDecl::Axiom(it) = decl {
                self.axiom(it);
            } else if let SpecDecl::Init(it) = decl {
                self.init(it);
            }
        }
    }

    fn sort(&mut self, it: SortDecl<'t>) {
        let Some(name) = it.name() else { return };
        if !self.declare(name) {
            return;
        }
        let signature = &mut self.spec.terms.signature;
        let id = match it.values() {
            None => signature.add_sort(name.text()),
            Some(values) => {
                let names: Vec<&str> = values.names().map(ast::Name::text).collect();
                signature.add_enumeration(name.text(), &names)
            }
        };
        self.sorts.insert(name.text(), Sort::Named(id));
        let names: Vec<_> = it.values().into_iter().flat_map(|it| it.names()).collect();
        self.name_constructors(Sort::Named(id), &names);
    }

    /// Makes the constructors of a sort known by their names.
    fn name_constructors(&mut self, sort: Sort, names: &[ast::Name<'t>]) {
        let funs = self.spec.terms.signature.constructors(sort).unwrap_or_default().to_vec();
        for (name, fun) in names.iter().zip(funs) {
            if self.declare(*name) {
                self.funs.insert(name.text(), fun);
            }
        }
    }

    fn data(&mut self, it: DataDecl<'t>) {
        let Some(name) = it.name() else { return };
        if self.declare(name) {
            let id = self.spec.terms.signature.add_sort(name.text());
            self.sorts.insert(name.text(), Sort::Named(id));
        }
    }

    fn constructors(&mut self, it: DataDecl<'t>) {
        let Some(name) = it.name() else { return };
        let Some(Sort::Named(id)) = self.sorts.get(name.text()).copied() else { return };
        let ctors: Vec<_> = it.ctors().filter(|it| it.name().is_some()).collect();
        let names: Vec<_> = ctors.iter().filter_map(|it| it.name()).collect();
        let mut declared = Vec::new();
        for (ctor, name) in ctors.iter().zip(&names) {
            let fields = ctor.fields().filter_map(|it| self.read_sort(Some(it)));
            declared.push((name.text(), fields.collect()));
        }
        self.spec.terms.signature.set_constructors(id, &declared);
        self.name_constructors(Sort::Named(id), &names);
    }

    /// The sort of a type, without its refinement; `None` after reporting an error.
    pub(super) fn read_sort(&mut self, ty: Option<Type<'t>>) -> Option<Sort> {
        let ty = ty?;
        if let Some(sort) = self.sorts.get(ty.node().text()) {
            return Some(*sort);
        }
        let span = ty.node().span();
        match ty {
            Type::Refined(it) => self.read_sort(it.inner()),
            Type::Paren(it) => self.read_sort(it.inner()),
            Type::Path(it) if it.type_args().is_none() => {
                let path = it.path()?;
                let name = path.last()?;
                if let Some(sort) = self.sorts.get(name.text()) {
                    return Some(*sort);
                }
                if matches!(name.text(), "Str" | "Float" | "Char" | "List" | "Map" | "Set") {
                    self.report(SpecMistake::UnsupportedType, span);
                    return None;
                }
                let names: Vec<&str> = self.sorts.keys().copied().collect();
                self.report_unknown(SpecName::Sort, name, names);
                None
            }
            Type::Path(_) | Type::Tuple(_) | Type::Fn(_) | Type::Option(_) => {
                self.report(SpecMistake::UnsupportedType, span);
                None
            }
        }
    }

    /// Declares variables for parameters; the conjunction of their refinements comes with them.
    pub(super) fn variables(
        &mut self,
        params: Option<Params<'t>>,
    ) -> (Vec<(&'t str, VarId)>, TermId) {
        let mut vars = Vec::new();
        let mut conditions = Vec::new();
        for param in params.into_iter().flat_map(|it| it.params()) {
            let Some(name) = param.name() else { continue };
            let Some(sort) = self.read_sort(param.ty()) else { continue };
            let var = self.spec.terms.signature.add_var(name.text(), sort);
            conditions.extend(self.refinement(param.ty(), var));
            vars.push((name.text(), var));
        }
        (vars, self.spec.terms.and(conditions))
    }

    /// The refinement of a type, as a condition on a variable.
    pub(super) fn refinement(&mut self, ty: Option<Type<'t>>, var: VarId) -> Option<TermId> {
        let Some(Type::Refined(refined)) = ty else { return None };
        let it = self.spec.terms.var(var);
        self.scopes.push(BTreeMap::from([("it", it)]));
        let condition = refined.predicate().and_then(|it| self.condition(it));
        self.scopes.pop();
        condition
    }

    pub(super) fn open_scope(&mut self, vars: &[(&'t str, VarId)]) {
        let scope = vars.iter().map(|(name, var)| (*name, self.spec.terms.var(*var))).collect();
        self.scopes.push(scope);
    }

    fn function(&mut self, it: SpecFn<'t>) {
        let Some(name) = it.name() else { return };
        let (params, _) = self.variables(it.params());
        let Some(result) = self.read_sort(it.result()) else { return };
        if !self.declare(name) {
            return;
        }
        let Some(definition) = it.definition() else {
            let sorts: Vec<Sort> =
                params.iter().map(|it| self.spec.terms.signature.var(it.1).sort).collect();
            let fun = self.spec.terms.signature.add_fun(name.text(), &sorts, result);
            self.funs.insert(name.text(), fun);
            return;
        };
        self.open_scope(&params);
        let body = self.expr_of(definition, result);
        self.scopes.pop();
        let params = params.into_iter().map(|it| it.1).collect();
        if let Some(body) = body {
            self.definitions.insert(name.text(), Definition { params, body });
        }
    }

    fn axiom(&mut self, it: ast::Axiom<'t>) {
        let (vars, refined) = self.variables(it.variables());
        self.open_scope(&vars);
        let body = it.condition().and_then(|it| self.condition(it));
        self.scopes.pop();
        let vars = vars.into_iter().map(|it| it.1).collect();
        if let Some(body) = body {
            let body = self.spec.terms.implies(refined, body);
            self.spec.axioms.push(Axiom { vars, body });
        }
    }

    fn operation(&mut self, it: EventDecl<'t>) {
        let Some(name) = it.name() else { return };
        let mut fields = Vec::new();
        for field in it.fields().into_iter().flat_map(|it| it.params()) {
            let Some(name) = field.name() else { continue };
            let Some(sort) = self.read_sort(field.ty()) else { continue };
            self.field_names.insert(name.text());
            fields.push((name.text(), sort));
        }
        if !self.declare(name) {
            return;
        }
        let kind = match it.kind() {
            OperationKeyword::Generated => OpKind::Gen,
            OperationKeyword::Observed => OpKind::Obs,
            OperationKeyword::Ghost => OpKind::Ghost,
        };
        self.spec.add_operation(name.text(), kind, &fields);
        self.operation_spans.push(name.span());
    }

    fn init(&mut self, it: InitDecl<'t>) {
        for event in it.events() {
            let Some(op) = self.find_operation(event.operation()) else { continue };
            let n_fields = self.spec.operation(op).fields.len();
            let mut args = Vec::new();
            for arg in event.args().into_iter().flat_map(|it| it.args()) {
                let field = self.spec.operation(op).fields.get(args.len()).copied();
                let Some(field) = field else { break };
                let sort = self.spec.terms.signature.var(field).sort;
                match arg.value() {
                    Some(value) => args.extend(self.expr_of(value, sort)),
                    None => self.report(SpecMistake::InitialVariable, arg.span()),
                }
            }
            let actual = event.args().map_or(0, |it| it.args().count());
            if actual != n_fields {
                let mistake = SpecMistake::ArgumentCount { expected: n_fields, actual };
                self.report(mistake, event.span());
            } else if args.len() == n_fields {
                self.spec.init.push((op, args));
            }
        }
    }
}
