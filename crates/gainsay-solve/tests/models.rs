//! Models mean the same as what they stand for.

use gainsay::core::{FunctionId, ModuleId, Program, Ty, TyId, builtin};
use gainsay::vm::{
    Engine, EngineKind, Fields, Limits, List, NoEffects, Text, Value, ValueTable,
};
use gainsay::{MemorySources, check};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// A small value of a type, with type parameters taken for integers; `None` for functions.
    fn value(&mut self, program: &Program, ty: TyId) -> Option<Value> {
        let n = self.below(5);
        let items = |it: &mut Self, ty: TyId| {
            (0..n).map(|_| it.value(program, ty)).collect::<Option<Vec<_>>>()
        };
        Some(match program.types.get(program.types.base(ty)) {
            Ty::Int | Ty::Param(_) => Value::Int(self.below(8) as i64 - 2),
            Ty::Bool => Value::Bool(self.below(2) == 0),
            Ty::Char => Value::Char(['a', 'b', ' ', '-'][self.below(4) as usize]),
            Ty::Str => {
                let chars = (0..n).map(|_| ['a', 'b', ' ', '-'][self.below(4) as usize]);
                Value::Str(Text::new(chars.collect::<String>()))
            }
            Ty::List(item) => Value::List(List::from_items(items(self, *item)?)),
            Ty::Set(item) => Value::Set(ValueTable::from_items(items(self, *item)?)),
            Ty::Map(key, value) => {
                let keys = items(self, *key)?;
                let values = items(self, *value)?;
                Value::Map(ValueTable::from_entries(keys.into_iter().zip(values)))
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.value(program, *it));
                Value::Tuple(Fields::new(parts.collect::<Option<_>>()?))
            }
            Ty::Float | Ty::Named(..) | Ty::Function { .. } => return None,
            Ty::Refined { .. } | Ty::Var(_) | Ty::Error => return None,
        })
    }
}

/// The function or builtin that a model stands for.
enum Original {
    Function(FunctionId),
    Builtin(gainsay::core::BuiltinId),
}

fn original(program: &Program, name: &str) -> Option<Original> {
    let (module, function) = name.split_once('_')?;
    if let Some(builtin) = builtin::find(&format!("{module}.{function}")) {
        return Some(Original::Builtin(builtin));
    }
    let at = program.modules.iter().position(|it| it.is_std && &*it.name == module)?;
    program.find_function(ModuleId(at as u32), function).map(Original::Function)
}

#[test]
fn every_model_means_the_same() {
    const RUNS: usize = 300;
    let sources = MemorySources::new([("it.say", "fn nothing() -> Int { 0 }")]);
    let program = check(&["it.say".to_owned()], &sources).program.unwrap();
    let models =
        program.modules.iter().position(|it| it.is_std && &*it.name == "models").unwrap();
    let engine = Engine::new(program.clone(), EngineKind::Interpreter);
    let mut worker = engine.worker(Limits::default());
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut compared = Vec::new();
    for (at, definition) in program.functions.iter().enumerate() {
        if definition.module != ModuleId(models as u32) {
            continue;
        }
        let model = FunctionId(at as u32);
        let name = definition.name.to_string();
        // A lambda has the name of the function around it.
        if program.find_function(definition.module, &name) != Some(model) {
            continue;
        }
        let Some(original) = original(&program, &name) else { continue };
        for _ in 0..RUNS {
            let args = definition.params.iter().map(|it| dice.value(&program, it.ty));
            let Some(args) = args.collect::<Option<Vec<_>>>() else { break };
            let mut call = |function| worker.call(function, &args, &mut NoEffects).result.ok();
            let expected = match original {
                Original::Function(function) => call(function),
                Original::Builtin(builtin) => {
                    gainsay::vm::run_builtin(&program, builtin, &args)
                }
            };
            let found = call(model);
            let agree = match (&expected, &found) {
                (Some(a), Some(b)) => gainsay::vm::same(a, b),
                (a, b) => a.is_none() && b.is_none(),
            };
            assert!(agree, "{name} of {args:?}: {found:?} instead of {expected:?}");
            if compared.last() != Some(&name) {
                compared.push(name.clone());
            }
        }
    }
    assert!(compared.len() > 25, "only {compared:?}");
}
