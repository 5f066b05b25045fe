//! Words and values agree: conversions round-trip, and comparisons and builtins have the same
//! results and costs on both.

mod random_values;
mod signature;

use gainsay_core::{
    BuiltinId, Ctor, CtorId, Field, FunctionId, ModuleId, Program, Shape, TypeDef, TypeId,
    TypeTable,
};
use gainsay_source::{FileId, Span};

use self::random_values::RandomValues;
use self::signature::{SampleType, signature};
use super::builtin::{WordBuiltinContext, run};
use super::comparison::{compare, compare_keys};
use super::convert::{copy_to_arena, to_value, to_word};
use crate::builtin::BuiltinContext;
use crate::comparison::FloatOrder;
use crate::fault::FaultKind;
use crate::jit::arena::Arena;
use crate::jit::step_counter::StepCounter;
use crate::jit::word::Word;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::value::{Fields, List, Value, ValueTable};

const CASES: u64 = 400;

/// A program with `Option` and a sum with a constructor for each number of fields up to 5.
fn program() -> Program {
    let mut program = Program::default();
    add_sum(&mut program, "Option", &[0, 1]);
    add_sum(&mut program, "Sum", &[0, 1, 2, 3, 4, 5]);
    program.lang.none = Some(CtorId(0));
    program.lang.some = Some(CtorId(1));
    program
}

fn add_sum(program: &mut Program, name: &str, n_fields: &[usize]) {
    let span = Span::new(FileId(0), 0, 1);
    let ty = TypeId(program.nominals.len() as u32);
    let first = program.ctors.len() as u32;
    for (tag, n_fields) in (0..).zip(n_fields) {
        let field = Field { name: None, ty: TypeTable::INT, span };
        let fields = vec![field; *n_fields].into();
        program.ctors.push(Ctor { name: format!("C{tag}").into(), ty, tag, fields, span });
    }
    program.nominals.push(TypeDef {
        name: name.into(),
        module: ModuleId(0),
        span,
        params: Box::default(),
        shape: Shape::Sum,
        ctors: (first..program.ctors.len() as u32).map(CtorId).collect(),
        weights: None,
    });
}

/// Static cells of functions.
fn statics(heap: &mut Arena) -> Vec<Word> {
    let cell = |id| heap.closure(FunctionId(id), 0x1000 + u64::from(id), &[]);
    (0..4).map(cell).collect::<Result<_, _>>().expect("room for some cells")
}

/// A text that distinguishes even equal values: `-0.0` and `0.0`, and differently balanced tables.
fn exact_text(value: &Value) -> String {
    let mut shape = String::new();
    if let Value::Map(table) | Value::Set(table) = value {
        write_shape(table, &mut shape);
    }
    format!("{value:?} {shape}")
}

fn write_shape(table: &ValueTable, shape: &mut String) {
    let Some((_, _, left, right)) = table.split_root() else { return };
    shape.push('(');
    write_shape(left, shape);
    shape.push_str(&format!("{}/{}", table.height(), table.len()));
    write_shape(right, shape);
    shape.push(')');
}

#[test]
fn values_come_back_from_words() {
    let (mut heap, mut other) = (Arena::new(1 << 16), Arena::new(1 << 16));
    let mut cells = Arena::new(1);
    let statics = statics(&mut cells);
    for seed in 0..CASES * 5 {
        let mut random = RandomValues::new(seed);
        let ty = random.ty(3);
        let value = random.value(&ty);
        // SAFETY: the words of the round before are gone.
        unsafe { heap.reset() };
        // SAFETY: the words of the round before are gone.
        unsafe { other.reset() };
        let code_of = |id: FunctionId| statics[id.index()];
        let word = to_word(&mut heap, &value, &code_of).expect("room for a value");
        assert_eq!(exact_text(&to_value(word)), exact_text(&value), "seed {seed}");
        let copied = copy_to_arena(word, &mut other).expect("room for a copy");
        // SAFETY: the words of the round before are gone.
        unsafe { heap.reset() };
        heap.text("something else where the original was").expect("room");
        assert_eq!(exact_text(&to_value(copied)), exact_text(&value), "seed {seed}");
        assert_eq!((heap.words(), other.words()), (0, 0), "conversions are not charged");
    }
}

#[test]
fn closures_keep_their_code() {
    let (mut heap, mut cells) = (Arena::new(64), Arena::new(1));
    let statics = statics(&mut cells);
    let code_of = |id: FunctionId| statics[id.index()];
    let value = Value::Closure(FunctionId(2), Fields::new(vec![Value::Int(7)]));
    let word = to_word(&mut heap, &value, &code_of).expect("room");
    let copy = copy_to_arena(word, &mut cells).expect("room");
    // SAFETY: both are closures.
    assert_eq!(unsafe { (word.closure_code(), copy.closure_code()) }, (0x1002, 0x1002));
    let plain = Value::Closure(FunctionId(3), Fields::EMPTY);
    assert_eq!(to_word(&mut heap, &plain, &code_of), Ok(statics[3]));
}

#[test]
fn long_and_deep_values_come_back() {
    let n = 1_000_000;
    let list = Value::list((0..n).map(Value::Int));
    let deep =
        (0..n).fold(Value::UNIT, |inner, n| Value::data(CtorId(4), vec![Value::Int(n), inner]));
    let mut heap = Arena::new(1 << 24);
    let no_code = |_| Word::UNIT;
    for value in [list, deep] {
        let word = to_word(&mut heap, &value, &no_code).expect("room");
        let word = copy_to_arena(word, &mut heap).expect("room");
        assert!(crate::comparison::same(&to_value(word), &value));
    }
}

#[test]
fn what_is_shared_stays_shared() {
    // 2^100 leaves, and lists that share their tails.
    let text = Value::str("shared ".repeat(10_000));
    let tree = (0..100).fold(text, |half, _| Value::tuple(vec![half.clone(), half]));
    let tails = (0..10_000).fold((List::EMPTY, List::EMPTY), |(list, all), n| {
        let list = List::cons(Value::Int(n), list);
        (list.clone(), List::cons(Value::List(list), all))
    });
    let mut heap = Arena::new(1 << 22);
    let no_code = |_| Word::UNIT;
    for value in [tree, Value::List(tails.1)] {
        let before = crate::value::live_bytes();
        let word = to_word(&mut heap, &value, &no_code).expect("room, if shared");
        let word = copy_to_arena(word, &mut heap).expect("room, if shared");
        let back = to_value(word);
        assert!(crate::value::live_bytes() - before < 200 << 20);
        drop(back);
    }
}

#[test]
fn words_are_ordered_like_values() {
    let mut heap = Arena::new(1 << 16);
    let mut cells = Arena::new(1);
    let statics = statics(&mut cells);
    let code_of = |id: FunctionId| statics[id.index()];
    for seed in 0..CASES * 50 {
        let mut random = RandomValues::new(seed);
        let ty = random.ty(3);
        let (a, b) = (random.value(&ty), random.value(&ty));
        // SAFETY: the words of the round before are gone.
        unsafe { heap.reset() };
        let (a_word, b_word) = (
            to_word(&mut heap, &a, &code_of).expect("room"),
            to_word(&mut heap, &b, &code_of).expect("room"),
        );
        let budget = if random.below(3) == 0 { random.below(12) } else { u64::MAX };
        for floats in [FloatOrder::Ieee, FloatOrder::Total] {
            let (mut left, mut left_by_value) = (budget, budget);
            let by_value = crate::comparison::compare(&a, &b, floats, &mut left_by_value);
            let by_word = compare(a_word, b_word, floats, &mut left);
            assert_eq!(by_word.ok(), by_value.ok(), "{a:?} {b:?}");
            assert_eq!(left, left_by_value, "{a:?} {b:?}");
        }
        let (mut left, mut left_by_value) = (budget, budget);
        let by_value = crate::comparison::compare_keys(&a, &b, &mut left_by_value);
        let by_word = compare_keys(a_word, b_word, &mut left);
        assert_eq!((by_word.ok(), left), (by_value.ok(), left_by_value), "{a:?} {b:?}");
    }
}

/// The outcome of a builtin in either representation: result and usage.
#[derive(Debug, PartialEq)]
struct BuiltinRun {
    result: Result<String, FaultKind>,
    steps: u64,
    words: u64,
}

impl BuiltinRun {
    /// Usage is not compared after a limit was hit, since the engines may stop at different points.
    fn of(result: Result<String, FaultKind>, steps: u64, words: u64) -> Self {
        match result {
            Err(FaultKind::StepLimit | FaultKind::MemoryLimit) => {
                Self { result, steps: 0, words: 0 }
            }
            Ok(_) | Err(_) => Self { result, steps, words },
        }
    }
}

/// The limits of a case, and what it has used already.
struct BuiltinBudget {
    limits: Limits,
    steps: u64,
    words: u64,
}

impl BuiltinBudget {
    fn random(random: &mut RandomValues) -> Self {
        let mut limit = |plenty: u64| {
            let limit = if random.below(4) == 0 { random.below(60) } else { plenty };
            (limit, random.below(limit + 1))
        };
        let ((steps, taken), (words, charged)) = (limit(20_000), limit(50_000));
        let limits = Limits { steps, depth: 0, words, live_bytes: u64::MAX };
        Self { limits, steps: taken, words: charged }
    }
}

fn by_value(
    program: &Program,
    id: BuiltinId,
    args: &[Value],
    budget: &BuiltinBudget,
) -> BuiltinRun {
    let mut meter = Meter::resumed(budget.limits, None, budget.steps, budget.words);
    let mut context = BuiltinContext { program, meter: &mut meter };
    let result = crate::builtin::run(id, &mut context, args);
    let result = result.map(|value| exact_text(&value)).map_err(|fault| *fault);
    BuiltinRun::of(result, meter.steps, meter.words)
}

fn by_word(
    heap: &mut Arena,
    program: &Program,
    id: BuiltinId,
    args: &[Value],
    budget: &BuiltinBudget,
) -> BuiltinRun {
    let code_of = |_| Word::UNIT;
    heap.grant(budget.limits.words);
    // SAFETY: the words of the round before are gone.
    unsafe { heap.reset() };
    let mut steps = StepCounter::new();
    steps.set_limit(budget.limits.steps);
    steps.reset();
    steps.charge_steps(budget.steps).expect("below the limit");
    heap.charge(budget.words).expect("below the limit");
    let args: Vec<Word> = args
        .iter()
        .map(|arg| to_word(heap, arg, &code_of))
        .collect::<Result<_, _>>()
        .expect("room for arguments");
    let live_bytes = budget.limits.live_bytes;
    let mut tools = WordBuiltinContext {
        program,
        heap,
        steps: &mut steps,
        function_cells: &code_of,
        live_bytes,
    };
    let result = run(id, &mut tools, &args);
    let result = result.map(|word| exact_text(&to_value(word))).map_err(|fault| *fault);
    BuiltinRun::of(result, steps.taken(), heap.words())
}

#[test]
fn builtins_do_and_cost_the_same() {
    let program = program();
    let mut heap = Arena::new(1 << 18);
    for (id, builtin) in (0..).map(BuiltinId).zip(gainsay_core::builtin::ALL) {
        let params = signature(builtin.name).unwrap_or_else(|| {
            panic!("{} is not declared in the standard library", builtin.name)
        });
        assert_eq!(params.len(), builtin.arity as usize, "{}", builtin.name);
        for seed in 0..CASES {
            let mut random = RandomValues::new(seed ^ u64::from(id.0) << 32);
            let args: Vec<Value> = params.iter().map(|ty| random.value(ty)).collect();
            let budget = BuiltinBudget::random(&mut random);
            let expected = by_value(&program, id, &args, &budget);
            let actual = by_word(&mut heap, &program, id, &args, &budget);
            assert_eq!(actual, expected, "{} of {args:?}, seed {seed}", builtin.name);
        }
    }
}
