//! Programs with a random predicate, written as a user would: types, functions that recurse over
//! their structure, and a condition on one or two unknowns.

use std::fmt::Write as _;

use crate::random::TestRandom;

/// A program, and a query about one of its predicates.
#[derive(Debug, Clone)]
pub struct RandomPredicate {
    /// The program.
    pub program: String,
    /// The query.
    pub query: String,
}

/// The type of a field.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum FieldType {
    Int,
    Bool,
    Color,
    /// The type that is being declared.
    Itself,
    Ints,
    MaybeInt,
}

impl FieldType {
    const ALL: [FieldType; 6] = [
        FieldType::Int,
        FieldType::Bool,
        FieldType::Color,
        FieldType::Itself,
        FieldType::Ints,
        FieldType::MaybeInt,
    ];

    fn name(self, own: &str) -> String {
        match self {
            FieldType::Int => "Int".to_owned(),
            FieldType::Bool => "Bool".to_owned(),
            FieldType::Color => "Color".to_owned(),
            FieldType::Itself => own.to_owned(),
            FieldType::Ints => "List<Int>".to_owned(),
            FieldType::MaybeInt => "Int?".to_owned(),
        }
    }
}

/// A constructor.
struct RandomCtor {
    name: String,
    fields: Vec<FieldType>,
}

/// The variables an expression may use.
struct Scope<'a> {
    /// Fields, by name.
    fields: &'a [(String, FieldType)],
    /// Whether the functions of the type can be called: they are declared over it.
    ctors: &'a [RandomCtor],
}

struct ProgramWriter {
    random: TestRandom,
    text: String,
}

impl RandomPredicate {
    /// The predicate of a seed.
    pub fn new(seed: u64) -> Self {
        let mut writer = ProgramWriter { random: TestRandom::new(seed), text: String::new() };
        let query = writer.write();
        Self { program: writer.text, query }
    }
}

impl ProgramWriter {
    fn write(&mut self) -> String {
        self.text.push_str("type Color = Red | Green | Blue\n\n");
        let ctors = self.ctors();
        let declared: Vec<String> = ctors.iter().map(declaration).collect();
        let _ = writeln!(self.text, "type Term = {}\n", declared.join(" | "));
        self.function("weight", "Int", &ctors);
        self.function("holds", "Bool", &ctors);
        self.function("reading", "Int?", &ctors);
        self.text.push_str(LIST_FUNCTIONS);
        let n_conditions = 1 + self.random.index(3);
        let conditions: Vec<String> = (0..n_conditions).map(|_| self.condition()).collect();
        conditions.join(" && ")
    }

    /// A constructor that ends, and one to three that need not.
    fn ctors(&mut self) -> Vec<RandomCtor> {
        let n_others = 1 + self.random.index(3);
        let mut ctors = vec![RandomCtor { name: "End".to_owned(), fields: Vec::new() }];
        for at in 0..n_others {
            let n_fields = 1 + self.random.index(3);
            let fields =
                (0..n_fields).filter_map(|_| self.random.pick(&FieldType::ALL).copied());
            ctors.push(RandomCtor { name: format!("Make{at}"), fields: fields.collect() });
        }
        ctors
    }

    /// A function over the type, with one arm for each constructor.
    fn function(&mut self, name: &str, result: &str, ctors: &[RandomCtor]) {
        let _ = writeln!(self.text, "fn {name}(t: Term, k: Int) -> {result} {{\n  match t {{");
        for ctor in ctors {
            let fields: Vec<(String, FieldType)> = ctor
                .fields
                .iter()
                .enumerate()
                .map(|(at, ty)| (format!("x{at}"), *ty))
                .collect();
            let scope = Scope { fields: &fields, ctors };
            let body = match result {
                "Int" => self.int(&scope, 2),
                "Bool" => self.bool(&scope, 2),
                _ => self.option(&scope),
            };
            let names: Vec<&str> = fields.iter().map(|it| &*it.0).collect();
            let pattern = if names.is_empty() {
                ctor.name.clone()
            } else {
                format!("{}({})", ctor.name, names.join(", "))
            };
            let _ = writeln!(self.text, "    {pattern} => {body}");
        }
        self.text.push_str("  }\n}\n\n");
    }

    /// One of the fields of a type, or a constant in its place.
    fn field(&mut self, scope: &Scope<'_>, ty: FieldType) -> Option<String> {
        let fields: Vec<&String> =
            scope.fields.iter().filter(|it| it.1 == ty).map(|it| &it.0).collect();
        self.random.pick(&fields).map(|it| (*it).clone())
    }

    fn int(&mut self, scope: &Scope<'_>, depth: u32) -> String {
        let is_leaf = depth == 0;
        match self.random.index(if is_leaf { 4 } else { 12 }) {
            0 => (self.random.index(5) as i64 - 1).to_string(),
            1 => "k".to_owned(),
            2 | 3 => match self.field(scope, FieldType::Int) {
                Some(field) => field,
                None => "1".to_owned(),
            },
            4 | 5 => match self.field(scope, FieldType::Itself) {
                Some(field) => format!("weight({field}, {})", self.int(scope, 0)),
                None => "k".to_owned(),
            },
            6 => match self.field(scope, FieldType::Ints) {
                Some(field) => match self.random.index(3) {
                    0 => format!("{field}.len()"),
                    1 => format!("total({field})"),
                    _ => format!("{field}.sum()"),
                },
                None => "0".to_owned(),
            },
            7 => format!("({} + {})", self.int(scope, depth - 1), self.int(scope, depth - 1)),
            8 => format!("({} - {})", self.int(scope, depth - 1), self.int(scope, depth - 1)),
            9 => format!("max({}, {})", self.int(scope, depth - 1), self.int(scope, depth - 1)),
            10 => {
                let condition = self.bool(scope, depth - 1);
                let (a, b) = (self.int(scope, depth - 1), self.int(scope, depth - 1));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            _ => match self.random.index(4) {
                0 => format!("({} * {})", self.int(scope, 0), self.int(scope, 0)),
                1 => format!("({} / {})", self.int(scope, 0), self.int(scope, 0)),
                2 => format!("({} % 2)", self.int(scope, depth - 1)),
                _ => format!("{}.abs()", self.int(scope, 0).replace('-', "0 - "))
                    .replace("0 - 1.abs()", "(0 - 1).abs()"),
            },
        }
    }

    fn bool(&mut self, scope: &Scope<'_>, depth: u32) -> String {
        match self.random.index(if depth == 0 { 5 } else { 11 }) {
            0 => "true".to_owned(),
            1 | 2 => {
                let operators = ["<", "<=", "==", "!=", ">="];
                let operator = self.random.pick(&operators).copied().unwrap_or("<");
                let depth = depth.saturating_sub(1);
                format!("{} {operator} {}", self.int(scope, depth), self.int(scope, depth))
            }
            3 => self.field(scope, FieldType::Bool).unwrap_or_else(|| "k > 0".to_owned()),
            4 => match self.field(scope, FieldType::Color) {
                Some(field) => {
                    let colors = ["Red", "Green", "Blue"];
                    let color = self.random.pick(&colors).copied().unwrap_or("Red");
                    let operator = if self.random.index(2) == 0 { "==" } else { "!=" };
                    format!("{field} {operator} {color}")
                }
                None => "k != 1".to_owned(),
            },
            5 | 6 => match self.field(scope, FieldType::Itself) {
                Some(field) => format!("holds({field}, {})", self.int(scope, 1)),
                None => "k < 2".to_owned(),
            },
            7 => {
                format!("({} && {})", self.bool(scope, depth - 1), self.bool(scope, depth - 1))
            }
            8 => match self.random.index(2) {
                0 => format!("({} || {})", self.bool(scope, depth - 1), self.bool(scope, 0)),
                _ => format!("!({})", self.bool(scope, depth - 1)),
            },
            9 => match self.field(scope, FieldType::Ints) {
                Some(field) => match self.random.index(5) {
                    0 => format!("{field}.all(|y| y < {})", self.int(scope, 0)),
                    1 => format!("{field}.contains({})", self.int(scope, 0)),
                    2 => format!("ascending({field})"),
                    3 => format!("{field}.distinct()"),
                    _ => format!("{field} == {field}.reverse()"),
                },
                None => "true".to_owned(),
            },
            _ => match (
                self.field(scope, FieldType::MaybeInt),
                self.field(scope, FieldType::Itself),
            ) {
                (Some(field), _) => format!("{field} == Some({})", self.int(scope, 0)),
                (None, Some(field)) => {
                    let wanted = self.int(scope, 0);
                    format!("reading({field}, k) == Some({wanted})")
                }
                (None, None) => format!("{} < {}", scope.ctors.len(), self.int(scope, 0)),
            },
        }
    }

    fn option(&mut self, scope: &Scope<'_>) -> String {
        match self.random.index(5) {
            0 => "None".to_owned(),
            1 => match self.field(scope, FieldType::Itself) {
                Some(field) => format!("Some(reading({field}, k)? + {})", self.int(scope, 0)),
                None => format!("Some({})", self.int(scope, 1)),
            },
            2 => self.field(scope, FieldType::MaybeInt).unwrap_or_else(|| "Some(k)".to_owned()),
            3 => {
                let condition = self.bool(scope, 1);
                format!("(if {condition} {{ Some({}) }} else {{ None }})", self.int(scope, 1))
            }
            _ => format!("Some({})", self.int(scope, 1)),
        }
    }

    /// A condition on `?t`, and perhaps on `?n` or `?u`.
    fn condition(&mut self) -> String {
        let small = |random: &mut TestRandom| (random.index(5) as i64 - 1).to_string();
        let random = &mut self.random;
        match random.index(9) {
            0 | 1 => format!("holds(?t, {})", small(random)),
            2 => format!("weight(?t, {}) == {}", small(random), small(random)),
            3 => format!("weight(?t, 0) > {}", small(random)),
            4 => format!("reading(?t, {}) != None", small(random)),
            5 => format!("reading(?t, 1) == Some({})", small(random)),
            6 => "weight(?t, 1) == ?n".to_owned(),
            7 => "holds(?t, ?n)".to_owned(),
            _ => "!holds(?t, 0)".to_owned(),
        }
    }
}

/// Functions on lists in their usual style.
const LIST_FUNCTIONS: &str = "\
fn total(xs: List<Int>) -> Int {
  match xs {
    [] => 0
    [x, ..rest] => x + total(rest)
  }
}

fn ascending(xs: List<Int>) -> Bool {
  match xs {
    [a, b, ..rest] => a <= b && ascending([b, ..rest])
    _ => true
  }
}
";

fn declaration(ctor: &RandomCtor) -> String {
    if ctor.fields.is_empty() {
        return ctor.name.clone();
    }
    let fields: Vec<String> = ctor.fields.iter().map(|it| it.name("Term")).collect();
    format!("{}({})", ctor.name, fields.join(", "))
}
