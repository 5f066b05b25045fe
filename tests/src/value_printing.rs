//! Every printed value is source that evaluates and parses back to the same value: tricky ones from
//! a table, and random ones of random types.

use std::fmt::Write as _;

use gainsay_core::{FunctionId, Program};
use gainsay_source::{RenderStyle, render};
use gainsay_test::datum_to_value;
use gainsay_ui::{SourceModule, TestRandom, check};
use gainsay_vm::{
    Engine, EngineKind, Limits, NoEffects, Value, run_on_big_stack, same, show, show_pretty,
};

/// Declarations for values of sums, records and generic types.
const DECLARATIONS: &str = "\
type Shape = Dot | Circle(Int) | Block(width: Float, height: Float) | Group(List<Shape>)
type Point = { x: Int, y: Float, label: Str }
type Tree<A> = Leaf | Node(Tree<A>, A, Tree<A>)
";

/// Values that are easy to print wrong, with their types.
const TRICKY: [(&str, &str); 46] = [
    ("Int", "0"),
    ("Int", "-1"),
    ("Int", "9223372036854775807"),
    ("Int", "-9223372036854775808"),
    ("Int", "9223372036854775808"),
    ("Int", "-170141183460469231731687303715884105728000000000001"),
    ("Int", "0xffff_ffff_ffff_ffff_ffff"),
    ("Float", "0.0"),
    ("Float", "-0.0"),
    ("Float", "1.0"),
    ("Float", "0.1"),
    ("Float", "1e300"),
    ("Float", "1e-300"),
    ("Float", "5e-324"),
    ("Float", "1.7976931348623157e308"),
    ("Float", "123456789012345680.0"),
    ("Float", "Float.nan"),
    ("Float", "Float.infinity"),
    ("Float", "-Float.infinity"),
    ("Bool", "true"),
    ("()", "()"),
    ("Char", "'a'"),
    ("Char", "'\\''"),
    ("Char", "'\"'"),
    ("Char", "'\\\\'"),
    ("Char", "'\\0'"),
    ("Char", "'\\u{7f}'"),
    ("Char", "'\\u{202e}'"),
    ("Char", "'\\u{10ffff}'"),
    ("Char", "'é'"),
    ("Str", "\"\""),
    ("Str", "\"\\n\\t\\r\\0\\\\\\\"\\'\""),
    ("Str", "\"'\""),
    ("Str", "\"\\u{feff}\\u{200b}\\u{1F600}\\u{e000}\""),
    ("Str", "\"{x} ${y} // no comment\""),
    ("List<Int>", "[]"),
    ("List<List<Int>>", "[[], [1], [-2, 3]]"),
    ("Option<Option<Int>>", "Some(None)"),
    ("Result<(), Str>", "Ok(())"),
    ("Result<Int, List<Str>>", "Err([\"a\", \"b\"])"),
    ("Map<Int, Str>", "Map.of([])"),
    ("Map<(Int, Str), Set<Int>>", "Map.of([((1, \"a\"), Set.of([3, 2, 2]))])"),
    ("Set<Float>", "Set.of([Float.nan, -0.0, 1.5])"),
    ("Shape", "Group([Dot, Circle(-3), Block(width: -1.5, height: Float.nan), Group([])])"),
    ("Point", "Point { x: -1, y: 2.5, label: \"}\" }"),
    ("Tree<Option<Point>>", "Node(Leaf, Some(Point { x: 1, y: 0.0, label: \"\" }), Leaf)"),
];

/// The number of random values.
const N_RANDOM: usize = 400;

#[test]
fn tricky_values_read_back() {
    let literals =
        TRICKY.map(|(ty, text)| TypedLiteral { ty: ty.to_owned(), text: text.to_owned() });
    run_on_big_stack(|| reads_back(&literals));
}

#[test]
fn random_values_read_back() {
    let mut writer = LiteralWriter { random: TestRandom::new(0) };
    let literals: Vec<TypedLiteral> = (0..N_RANDOM)
        .map(|at| {
            let kind = writer.kind(1 + at as u64 % 4);
            TypedLiteral { ty: type_text(&kind), text: writer.literal(&kind, 4) }
        })
        .collect();
    run_on_big_stack(|| reads_back(&literals));
}

/// A value as source, and its type.
struct TypedLiteral {
    ty: String,
    text: String,
}

/// Evaluates literals, prints their values in both forms, and evaluates the output.
fn reads_back(literals: &[TypedLiteral]) {
    let (program, values) = evaluate(literals);
    reads_without_running(&program, literals, &values);
    let printed = |print: &dyn Fn(&Program, &Value) -> String| {
        let texts = values.iter().map(|value| print(&program, value));
        let with_types = texts.zip(literals);
        with_types
            .map(|(text, it)| TypedLiteral { ty: it.ty.clone(), text })
            .collect::<Vec<_>>()
    };
    for forms in [printed(&show), printed(&|program, value| show_pretty(program, value, 30))] {
        let (again, values_again) = evaluate(&forms);
        reads_without_running(&program, &forms, &values);
        for ((value, value_again), form) in values.iter().zip(&values_again).zip(&forms) {
            assert!(
                same(value, value_again),
                "{}: `{}` reads back as `{}`",
                form.ty,
                form.text,
                show(&again, value_again)
            );
            assert_eq!(show(&program, value), show(&again, value_again), "{}", form.ty);
        }
    }
}

/// Parses texts as values of their types, and compares them with the evaluated ones.
fn reads_without_running(program: &Program, literals: &[TypedLiteral], values: &[Value]) {
    for (at, (literal, value)) in literals.iter().zip(values).enumerate() {
        let ty = program.function(function_at(program, at)).result;
        let datum = gainsay::parse_value(program, ty, &literal.text)
            .unwrap_or_else(|unread| panic!("{}: `{}`: {unread}", literal.ty, literal.text));
        let read = datum_to_value(&datum, &mut |_| None).expect("there are no functions");
        assert!(same(value, &read), "{}: `{}`", literal.ty, literal.text);
        assert_eq!(show(program, value), show(program, &read), "{}", literal.ty);
    }
}

/// The function of a literal.
fn function_at(program: &Program, at: usize) -> FunctionId {
    let name = format!("value_{at}");
    let function = program.functions.iter().position(|it| *it.name == *name);
    FunctionId(function.expect("the program declares it") as u32)
}

/// The values of literals, each in a function of its own.
fn evaluate(literals: &[TypedLiteral]) -> (std::sync::Arc<Program>, Vec<Value>) {
    let mut text = DECLARATIONS.to_owned();
    for (at, literal) in literals.iter().enumerate() {
        let _ = write!(text, "\nfn value_{at}() -> {} {{\n{}\n}}\n", literal.ty, literal.text);
    }
    let checked = check(&[SourceModule { name: "values.say".to_owned(), text }]);
    let program = checked.program.unwrap_or_else(|| {
        let first = &checked.diagnostics[0];
        panic!("{}", render(&checked.files, first, RenderStyle::Plain));
    });
    let engine = Engine::new(program, EngineKind::Interpreter);
    let mut worker = engine.worker(Limits::default());
    let program = std::sync::Arc::clone(engine.program());
    let values = (0..literals.len()).map(|at| {
        match worker.call(function_at(&program, at), &[], &mut NoEffects).result {
            Ok(value) => value,
            Err(fault) => panic!("`{}` faults: {:?}", literals[at].text, fault.kind),
        }
    });
    let values = values.collect();
    (program, values)
}

/// A type.
enum LiteralType {
    Int,
    Float,
    Bool,
    Char,
    Str,
    Unit,
    Shape,
    Point,
    Pair(Box<LiteralType>, Box<LiteralType>),
    Of(&'static str, Box<LiteralType>),
    Map(Box<LiteralType>, Box<LiteralType>),
    Result(Box<LiteralType>, Box<LiteralType>),
}

fn type_text(kind: &LiteralType) -> String {
    match kind {
        LiteralType::Int => "Int".to_owned(),
        LiteralType::Float => "Float".to_owned(),
        LiteralType::Bool => "Bool".to_owned(),
        LiteralType::Char => "Char".to_owned(),
        LiteralType::Str => "Str".to_owned(),
        LiteralType::Unit => "()".to_owned(),
        LiteralType::Shape => "Shape".to_owned(),
        LiteralType::Point => "Point".to_owned(),
        LiteralType::Pair(left, right) => {
            format!("({}, {})", type_text(left), type_text(right))
        }
        LiteralType::Of(name, item) => format!("{name}<{}>", type_text(item)),
        LiteralType::Map(key, value) => {
            format!("Map<{}, {}>", type_text(key), type_text(value))
        }
        LiteralType::Result(ok, error) => {
            format!("Result<{}, {}>", type_text(ok), type_text(error))
        }
    }
}

/// Generates random types and values as text.
struct LiteralWriter {
    random: TestRandom,
}

impl LiteralWriter {
    fn kind(&mut self, depth: u64) -> LiteralType {
        let n_kinds = if depth == 0 { 8 } else { 15 };
        match self.random.below(n_kinds) {
            0 => LiteralType::Int,
            1 => LiteralType::Float,
            2 => LiteralType::Bool,
            3 => LiteralType::Char,
            4 => LiteralType::Str,
            5 => LiteralType::Unit,
            6 => LiteralType::Shape,
            7 => LiteralType::Point,
            8 | 9 => LiteralType::Pair(self.part(depth), self.part(depth)),
            10 => LiteralType::Map(self.part(depth), self.part(depth)),
            11 => LiteralType::Result(self.part(depth), self.part(depth)),
            _ => {
                let names = ["List", "Option", "Set", "Tree"];
                let name = self.random.pick(&names).copied().unwrap_or("List");
                LiteralType::Of(name, self.part(depth))
            }
        }
    }

    fn part(&mut self, depth: u64) -> Box<LiteralType> {
        Box::new(self.kind(depth - 1))
    }

    fn literal(&mut self, kind: &LiteralType, size: u64) -> String {
        match kind {
            LiteralType::Int => self.int(),
            LiteralType::Float => self.float(),
            LiteralType::Bool => (self.random.below(2) == 0).to_string(),
            LiteralType::Char => format!("'\\u{{{:x}}}'", self.scalar()),
            LiteralType::Str => self.text(),
            LiteralType::Unit => "()".to_owned(),
            LiteralType::Shape => self.shape(size),
            LiteralType::Point => {
                let (x, y, label) = (self.int(), self.float(), self.text());
                format!("Point {{ x: {x}, y: {y}, label: {label} }}")
            }
            LiteralType::Pair(left, right) => {
                format!("({}, {})", self.literal(left, size), self.literal(right, size))
            }
            LiteralType::Of("Option", item) => match self.random.below(3) {
                0 => "None".to_owned(),
                _ => format!("Some({})", self.literal(item, size)),
            },
            LiteralType::Of("Set", item) => format!("Set.of({})", self.list(item, size)),
            LiteralType::Of("Tree", item) => self.tree(item, size),
            LiteralType::Of(_, item) => self.list(item, size),
            LiteralType::Map(key, value) => {
                let entries: Vec<String> = (0..self.random.below(size + 1))
                    .map(|_| {
                        format!(
                            "({}, {})",
                            self.literal(key, size / 2),
                            self.literal(value, size / 2)
                        )
                    })
                    .collect();
                format!("Map.of([{}])", entries.join(", "))
            }
            LiteralType::Result(ok, error) => match self.random.below(2) {
                0 => format!("Ok({})", self.literal(ok, size)),
                _ => format!("Err({})", self.literal(error, size)),
            },
        }
    }

    fn list(&mut self, item: &LiteralType, size: u64) -> String {
        let n_items = self.random.below(size + 1);
        let items: Vec<String> = (0..n_items).map(|_| self.literal(item, size / 2)).collect();
        format!("[{}]", items.join(", "))
    }

    fn tree(&mut self, item: &LiteralType, size: u64) -> String {
        if size == 0 || self.random.below(3) == 0 {
            return "Leaf".to_owned();
        }
        let (left, right) = (self.tree(item, size / 2), self.tree(item, size / 2));
        format!("Node({left}, {}, {right})", self.literal(item, size / 2))
    }

    fn shape(&mut self, size: u64) -> String {
        match self.random.below(if size == 0 { 3 } else { 4 }) {
            0 => "Dot".to_owned(),
            1 => format!("Circle({})", self.int()),
            2 => format!("Block(width: {}, height: {})", self.float(), self.float()),
            _ => {
                let n_parts = self.random.below(size + 1);
                let parts: Vec<String> = (0..n_parts).map(|_| self.shape(size / 2)).collect();
                format!("Group([{}])", parts.join(", "))
            }
        }
    }

    fn int(&mut self) -> String {
        let sign = if self.random.below(2) == 0 { "-" } else { "" };
        match self.random.below(4) {
            0 => format!("{sign}{}", self.random.below(10)),
            1 => format!("{sign}{}", self.random.next_bits() >> self.random.below(64)),
            2 => {
                format!("{sign}{}{:019}", self.random.next_bits(), self.random.next_bits() >> 2)
            }
            _ => format!("{sign}0x{:x}", self.random.next_bits()),
        }
    }

    fn float(&mut self) -> String {
        let any = f64::from_bits(self.random.next_bits());
        match self.random.below(6) {
            0 => "Float.nan".to_owned(),
            1 => "-Float.infinity".to_owned(),
            2 => format!("{:?}", self.random.below(1000) as f64 / 8.0),
            _ if any.is_finite() => format!("{any:e}"),
            _ => "0.5".to_owned(),
        }
    }

    fn scalar(&mut self) -> u32 {
        let bound = [0x20, 0x80, 0x3000, 0x11_0000];
        let bound = self.random.pick(&bound).copied().unwrap_or(0x80);
        let scalar = self.random.below(bound) as u32;
        char::from_u32(scalar).map_or(0x61, u32::from)
    }

    fn text(&mut self) -> String {
        let n_chars = self.random.below(6);
        let chars: String =
            (0..n_chars).map(|_| format!("\\u{{{:x}}}", self.scalar())).collect();
        format!("\"{chars}\"")
    }
}
