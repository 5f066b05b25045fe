//! The values of a walk, as the language has them and as conditions of specifications do.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gainsay_core::{CtorId, Program, TypeId};
use gainsay_smt::{FunId, Interpretation, Signature, SmtValue, Sort, VarId};
use gainsay_synth::{OpId, Spec, TracePlan, ValueDomains};
use gainsay_vm::{Value, same};
use num_bigint::BigInt;

/// The values of one walk. Sorts without constructors are numbered in the order in which their
/// values occur.
pub(super) struct WalkValues {
    /// The constructors of events, by operation.
    events: Vec<Option<CtorId>>,
    /// The sorts of the fields, by operation.
    fields: Vec<Vec<Sort>>,
    signature: Signature,
    integers: Vec<i128>,
    elements: RefCell<BTreeMap<Sort, Vec<Value>>>,
    /// The constructors of data sorts.
    ctors: BTreeMap<FunId, CtorId>,
    /// Values of data sorts, the simplest first.
    data: BTreeMap<Sort, Vec<SmtValue>>,
    functions: FunctionTables,
}

/// What the functions of a specification mean in a walk: the results that are known.
#[derive(Default)]
struct FunctionTables {
    results: BTreeMap<(FunId, Vec<SmtValue>), SmtValue>,
    /// The arguments for which the result is awaited.
    asked: Option<(FunId, Vec<SmtValue>)>,
}

/// The most results of a function in one walk.
const MAX_RESULTS: usize = 150;

impl Interpretation for FunctionTables {
    fn var(&self, _signature: &Signature, _var: VarId) -> Option<SmtValue> {
        None
    }

    fn function(
        &self,
        _signature: &Signature,
        fun: FunId,
        args: &[SmtValue],
    ) -> Option<SmtValue> {
        self.results.get(&(fun, args.to_vec())).cloned()
    }
}

impl WalkValues {
    /// The values that were drawn, and those of the events that are given.
    pub(super) fn new(
        program: &Program,
        plan: &TracePlan,
        event: TypeId,
        pools: &mut BTreeMap<String, Vec<Value>>,
        given: &[Value],
    ) -> Self {
        let spec = &plan.spec;
        let mut it = Self {
            events: events(program, spec, event),
            fields: fields(spec),
            signature: spec.terms.signature.clone(),
            integers: plan.integers.clone(),
            elements: RefCell::default(),
            ctors: data_ctors(program, spec, event),
            data: BTreeMap::new(),
            functions: FunctionTables::default(),
        };
        let sorts: Vec<(Sort, String)> = spec
            .terms
            .signature
            .sorts()
            .map(|(id, info)| (Sort::Named(id), info.name.clone()))
            .collect();
        for (sort, name) in sorts {
            for value in pools.remove(&name).unwrap_or_default() {
                it.add(sort, &value);
            }
            it.add_constants(sort);
        }
        for event in given {
            it.add_fields(event);
        }
        it
    }

    fn add(&mut self, sort: Sort, value: &Value) {
        let Some(found) = self.condition_value(sort, value) else { return };
        if self.signature.constructors(sort).is_some() {
            let known = self.data.entry(sort).or_default();
            if !known.contains(&found) {
                known.push(found);
            }
        }
    }

    /// Constructors without fields are values of every walk.
    fn add_constants(&mut self, sort: Sort) {
        let ctors = self.signature.constructors(sort).unwrap_or_default().to_vec();
        let mut known = self.data.remove(&sort).unwrap_or_default();
        for ctor in ctors.into_iter().rev() {
            let constant = SmtValue::Data(ctor, Vec::new());
            if self.signature.fun(ctor).params.is_empty() {
                known.retain(|it| *it != constant);
                known.insert(0, constant);
            }
        }
        if !known.is_empty() {
            self.data.insert(sort, known);
        }
    }

    /// Adds the arguments of an event that is given.
    fn add_fields(&mut self, event: &Value) {
        let Some((op, args)) = self.ground(event) else { return };
        for (sort, value) in self.fields[op.index()].clone().into_iter().zip(args) {
            match value {
                SmtValue::Int(int) if !self.integers.contains(&int) => self.integers.push(int),
                SmtValue::Data(..) => {
                    let known = self.data.entry(sort).or_default();
                    if !known.contains(&value) {
                        known.push(value);
                    }
                }
                SmtValue::Int(_) | SmtValue::Bool(_) | SmtValue::Element(..) => {}
            }
        }
    }

    /// An event as conditions have it; `None` for one whose integers are too large.
    pub(super) fn ground(&self, event: &Value) -> Option<(OpId, Vec<SmtValue>)> {
        let ctor = event.as_ctor()?;
        let at = self.events.iter().position(|it| *it == Some(ctor))?;
        let args = event.fields().iter().zip(&self.fields[at]);
        let args = args.map(|(value, sort)| self.condition_value(*sort, value));
        Some((OpId::from_index(at), args.collect::<Option<_>>()?))
    }

    /// An event as the language has it.
    pub(super) fn event(&self, op: OpId, args: &[SmtValue]) -> Option<Value> {
        let ctor = (*self.events.get(op.index())?)?;
        let args = args.iter().map(|it| self.value(it)).collect::<Option<Vec<_>>>()?;
        Some(Value::data(ctor, args))
    }

    fn condition_value(&self, sort: Sort, value: &Value) -> Option<SmtValue> {
        match sort {
            Sort::Bool => value.as_bool().map(SmtValue::Bool),
            Sort::Int => i128::try_from(value.as_big()?).ok().map(SmtValue::Int),
            Sort::Named(_) => match self.signature.constructors(sort) {
                Some(funs) => self.constructed(funs, value),
                None => Some(self.element(sort, value)),
            },
        }
    }

    fn constructed(&self, funs: &[FunId], value: &Value) -> Option<SmtValue> {
        let ctor = value.as_ctor()?;
        let fun = *funs.iter().find(|it| self.ctors.get(it) == Some(&ctor))?;
        let params = &self.signature.fun(fun).params;
        let args = value.fields().iter().zip(params);
        let args = args.map(|(value, sort)| self.condition_value(*sort, value));
        Some(SmtValue::Data(fun, args.collect::<Option<_>>()?))
    }

    /// The number of a value of a sort without constructors.
    fn element(&self, sort: Sort, value: &Value) -> SmtValue {
        let mut elements = self.elements.borrow_mut();
        let known = elements.entry(sort).or_default();
        let at = known.iter().position(|it| same(it, value)).unwrap_or_else(|| {
            known.push(value.clone());
            known.len() - 1
        });
        SmtValue::Element(sort, at as u32)
    }

    fn value(&self, value: &SmtValue) -> Option<Value> {
        match value {
            SmtValue::Bool(value) => Some(Value::Bool(*value)),
            SmtValue::Int(value) => Some(Value::int(BigInt::from(*value))),
            SmtValue::Element(sort, at) => {
                self.elements.borrow().get(sort)?.get(*at as usize).cloned()
            }
            SmtValue::Data(fun, args) => {
                let args = args.iter().map(|it| self.value(it)).collect::<Option<Vec<_>>>()?;
                Some(Value::data(*self.ctors.get(fun)?, args))
            }
        }
    }

    /// Arguments for which a function has no result yet.
    pub(super) fn ask(&mut self, name: &str) -> Option<Value> {
        let (fun, params) = self.signature.funs().find_map(|(id, info)| {
            let is_it = info.name == name && !info.is_constructor;
            is_it.then(|| (id, info.params.clone()))
        })?;
        let values: Vec<Vec<SmtValue>> = params.iter().map(|it| self.values_of(*it)).collect();
        let n_all = values.iter().map(Vec::len).product::<usize>().min(MAX_RESULTS);
        let args = (0..n_all).map(|number| nth_tuple(&values, number));
        let is_open =
            |it: &Vec<SmtValue>| !self.functions.results.contains_key(&(fun, it.clone()));
        let args = args.into_iter().find(is_open)?;
        let mut given = args.iter().map(|it| self.value(it)).collect::<Option<Vec<_>>>()?;
        self.functions.asked = Some((fun, args));
        Some(if given.len() == 1 { given.remove(0) } else { Value::tuple(given) })
    }

    /// The result for the arguments that were asked for last.
    pub(super) fn answer(&mut self, name: &str, result: &Value) {
        let Some((fun, args)) = self.functions.asked.take() else { return };
        let info = self.signature.fun(fun);
        if info.name == name
            && let Some(result) = self.condition_value(info.result, result)
        {
            self.functions.results.insert((fun, args), result);
        }
    }

    fn values_of(&self, sort: Sort) -> Vec<SmtValue> {
        match sort {
            Sort::Bool => vec![SmtValue::Bool(false), SmtValue::Bool(true)],
            Sort::Int => self.integers.iter().copied().map(SmtValue::Int).collect(),
            Sort::Named(_) => {
                let known = self.elements.borrow().get(&sort).map_or(0, Vec::len);
                let elements = (0..known as u32).map(|it| SmtValue::Element(sort, it));
                let data = self.data.get(&sort).into_iter().flatten().cloned();
                elements.chain(data).collect()
            }
        }
    }

    /// The values that conditions may use.
    pub(super) fn domains(&self) -> ValueDomains<'_> {
        let mut values: BTreeMap<Sort, Vec<SmtValue>> = BTreeMap::new();
        values.insert(Sort::Int, self.values_of(Sort::Int));
        for (id, _) in self.signature.sorts() {
            let sort = Sort::Named(id);
            let known = self.values_of(sort);
            if !known.is_empty() {
                values.insert(sort, known);
            }
        }
        ValueDomains { values, functions: &self.functions }
    }
}

/// A combination of values by number, the last place fastest.
fn nth_tuple(values: &[Vec<SmtValue>], number: usize) -> Vec<SmtValue> {
    let mut rest = number;
    let mut tuple = Vec::new();
    for choices in values.iter().rev() {
        tuple.push(choices[rest % choices.len()].clone());
        rest /= choices.len();
    }
    tuple.reverse();
    tuple
}

/// The constructor of each operation's events.
fn events(program: &Program, spec: &Spec, event: TypeId) -> Vec<Option<CtorId>> {
    let ctors = &program.nominal(event).ctors;
    let find = |name: &str| {
        let is_it = |it: &&CtorId| {
            program.ctor(**it).name.rsplit_once('.').is_some_and(|it| it.1 == name)
        };
        ctors.iter().find(is_it).copied()
    };
    spec.operations.iter().map(|it| find(&it.name)).collect()
}

fn fields(spec: &Spec) -> Vec<Vec<Sort>> {
    let sort = |it: &VarId| spec.terms.signature.var(*it).sort;
    spec.operations.iter().map(|it| it.fields.iter().map(sort).collect()).collect()
}

/// The constructors of the program that those of data sorts stand for: those of the type of the
/// same name, in the module of the specification if it declares one.
fn data_ctors(program: &Program, spec: &Spec, event: TypeId) -> BTreeMap<FunId, CtorId> {
    let module = program.nominal(event).module;
    let signature = &spec.terms.signature;
    let mut found = BTreeMap::new();
    for (id, info) in signature.sorts() {
        let Some(funs) = signature.constructors(Sort::Named(id)) else { continue };
        let mut named = program.nominals.iter().filter(|it| *it.name == *info.name);
        let own = named.clone().find(|it| it.module == module);
        let Some(ty) = own.or_else(|| named.next_back()) else { continue };
        for fun in funs {
            let name = &signature.fun(*fun).name;
            let ctor = ty.ctors.iter().find(|it| *program.ctor(**it).name == **name);
            found.extend(ctor.map(|it| (*fun, *it)));
        }
    }
    found
}
