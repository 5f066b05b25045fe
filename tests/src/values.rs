//! Every printed value is source that reads back as the same value, whether it is run or read:
//! tricky ones from a table, and random ones of random types.

use std::fmt::Write as _;

use gainsay_core::{FunctionId, Program};
use gainsay_source::{Style, render};
use gainsay_test::value_of;
use gainsay_ui::{Module, Random, check};
use gainsay_vm::{
    Engine, EngineKind, Limits, NoEffects, Value, run_on_big_stack, same, show, show_pretty,
};

/// Types of ours, so that values of sums, records and generic types are among them.
const DECLARATIONS: &str = "\
type Shape = Dot | Circle(Int) | Block(width: Float, height: Float) | Group(List<Shape>)
type Point = { x: Int, y: Float, label: Str }
type Tree<A> = Leaf | Node(Tree<A>, A, Tree<A>)
";

/// Values that are easily printed wrong, with their types.
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

/// How many random values are tried.
const N_RANDOM: usize = 400;

#[test]
fn tricky_values_read_back() {
    let literals =
        TRICKY.map(|(ty, text)| Literal { ty: ty.to_owned(), text: text.to_owned() });
    run_on_big_stack(|| reads_back(&literals));
}

#[test]
fn random_values_read_back() {
    let mut writer = Writer { random: Random::new(0) };
    let literals: Vec<Literal> = (0..N_RANDOM)
        .map(|at| {
            let kind = writer.kind(1 + at as u64 % 4);
            Literal { ty: type_text(&kind), text: writer.literal(&kind, 4) }
        })
        .collect();
    run_on_big_stack(|| reads_back(&literals));
}

/// A value as source, and its type.
struct Literal {
    ty: String,
    text: String,
}

/// Evaluates literals, prints their values in both forms, and evaluates what was printed.
fn reads_back(literals: &[Literal]) {
    let (program, values) = evaluate(literals);
    reads_without_running(&program, literals, &values);
    let printed = |print: &dyn Fn(&Program, &Value) -> String| {
        let texts = values.iter().map(|value| print(&program, value));
        let with_types = texts.zip(literals);
        with_types.map(|(text, it)| Literal { ty: it.ty.clone(), text }).collect::<Vec<_>>()
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

/// Reads texts as values of their types: they are those that running them gave.
fn reads_without_running(program: &Program, literals: &[Literal], values: &[Value]) {
    for (at, (literal, value)) in literals.iter().zip(values).enumerate() {
        let ty = program.function(function_at(program, at)).result;
        let datum = gainsay::read(program, ty, &literal.text)
            .unwrap_or_else(|unread| panic!("{}: `{}`: {unread}", literal.ty, literal.text));
        let read = value_of(&datum, &mut |_| None).expect("there are no functions");
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
fn evaluate(literals: &[Literal]) -> (std::sync::Arc<Program>, Vec<Value>) {
    let mut text = DECLARATIONS.to_owned();
    for (at, literal) in literals.iter().enumerate() {
        let _ = write!(text, "\nfn value_{at}() -> {} {{\n{}\n}}\n", literal.ty, literal.text);
    }
    let checked = check(&[Module { name: "values.say".to_owned(), text }]);
    let program = checked.program.unwrap_or_else(|| {
        let first = &checked.diagnostics[0];
        panic!("{}", render(&checked.files, first, Style::Plain));
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
enum Kind {
    Int,
    Float,
    Bool,
    Char,
    Str,
    Unit,
    Shape,
    Point,
    Pair(Box<Kind>, Box<Kind>),
    Of(&'static str, Box<Kind>),
    Map(Box<Kind>, Box<Kind>),
    Result(Box<Kind>, Box<Kind>),
}

fn type_text(kind: &Kind) -> String {
    match kind {
        Kind::Int => "Int".to_owned(),
        Kind::Float => "Float".to_owned(),
        Kind::Bool => "Bool".to_owned(),
        Kind::Char => "Char".to_owned(),
        Kind::Str => "Str".to_owned(),
        Kind::Unit => "()".to_owned(),
        Kind::Shape => "Shape".to_owned(),
        Kind::Point => "Point".to_owned(),
        Kind::Pair(left, right) => format!("({}, {})", type_text(left), type_text(right)),
        Kind::Of(name, item) => format!("{name}<{}>", type_text(item)),
        Kind::Map(key, value) => format!("Map<{}, {}>", type_text(key), type_text(value)),
        Kind::Result(ok, error) => format!("Result<{}, {}>", type_text(ok), type_text(error)),
    }
}

/// Writes random types and values.
struct Writer {
    random: Random,
}

impl Writer {
    fn kind(&mut self, depth: u64) -> Kind {
        let n_kinds = if depth == 0 { 8 } else { 15 };
        match self.random.below(n_kinds) {
            0 => Kind::Int,
            1 => Kind::Float,
            2 => Kind::Bool,
            3 => Kind::Char,
            4 => Kind::Str,
            5 => Kind::Unit,
            6 => Kind::Shape,
            7 => Kind::Point,
            8 | 9 => Kind::Pair(self.part(depth), self.part(depth)),
            10 => Kind::Map(self.part(depth), self.part(depth)),
            11 => Kind::Result(self.part(depth), self.part(depth)),
            _ => {
                let names = ["List", "Option", "Set", "Tree"];
                let name = self.random.pick(&names).copied().unwrap_or("List");
                Kind::Of(name, self.part(depth))
            }
        }
    }

    fn part(&mut self, depth: u64) -> Box<Kind> {
        Box::new(self.kind(depth - 1))
    }

    fn literal(&mut self, kind: &Kind, size: u64) -> String {
        match kind {
            Kind::Int => self.int(),
            Kind::Float => self.float(),
            Kind::Bool => (self.random.below(2) == 0).to_string(),
            Kind::Char => format!("'\\u{{{:x}}}'", self.scalar()),
            Kind::Str => self.text(),
            Kind::Unit => "()".to_owned(),
            Kind::Shape => self.shape(size),
            Kind::Point => {
                let (x, y, label) = (self.int(), self.float(), self.text());
                format!("Point {{ x: {x}, y: {y}, label: {label} }}")
            }
            Kind::Pair(left, right) => {
                format!("({}, {})", self.literal(left, size), self.literal(right, size))
            }
            Kind::Of("Option", item) => match self.random.below(3) {
                0 => "None".to_owned(),
                _ => format!("Some({})", self.literal(item, size)),
            },
            Kind::Of("Set", item) => format!("Set.of({})", self.list(item, size)),
            Kind::Of("Tree", item) => self.tree(item, size),
            Kind::Of(_, item) => self.list(item, size),
            Kind::Map(key, value) => {
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
            Kind::Result(ok, error) => match self.random.below(2) {
                0 => format!("Ok({})", self.literal(ok, size)),
                _ => format!("Err({})", self.literal(error, size)),
            },
        }
    }

    fn list(&mut self, item: &Kind, size: u64) -> String {
        let n_items = self.random.below(size + 1);
        let items: Vec<String> = (0..n_items).map(|_| self.literal(item, size / 2)).collect();
        format!("[{}]", items.join(", "))
    }

    fn tree(&mut self, item: &Kind, size: u64) -> String {
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
