//! What terms mean in brief: two that mean the same by the simplest laws of arithmetic and logic
//! have the same digest. Mutants that mean the same as what they stand for are found by it.

use gainsay_core::builtin::{
    BOOL_NOT, EQ, FLOAT_MUL, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB, LE,
    LIST_CONCAT, LT, NE, STR_CONCAT,
};
use gainsay_core::{Answer, Body, BuiltinId, Literal, Term, TermId, TypeTable};

/// What a term means, as a text.
type Meaning = String;

/// What a term means, in brief.
pub(crate) fn digest(body: &Body, term: TermId) -> u128 {
    hash(&Simplifier(body).meaning(term))
}

struct Simplifier<'b>(&'b Body);

impl Simplifier<'_> {
    fn meaning(&self, id: TermId) -> Meaning {
        let term = self.0.term(id);
        match term {
            Term::Literal(literal) => literal_text(literal),
            Term::Builtin { builtin, args, .. } => self.operation(*builtin, args),
            Term::And(a, b) => {
                let (a, b) = (self.meaning(*a), self.meaning(*b));
                match (&*a, &*b) {
                    ("true", _) => b,
                    ("false", _) => a,
                    (_, "true") => a,
                    _ if a == b => a,
                    _ => format!("(&& {a} {b})"),
                }
            }
            Term::Or(a, b) => {
                let (a, b) = (self.meaning(*a), self.meaning(*b));
                match (&*a, &*b) {
                    ("false", _) => b,
                    ("true", _) => a,
                    (_, "false") => a,
                    _ if a == b => a,
                    _ => format!("(|| {a} {b})"),
                }
            }
            Term::If { condition, then, otherwise } => {
                let condition = self.meaning(*condition);
                let (then, otherwise) = (self.meaning(*then), self.meaning(*otherwise));
                match &*condition {
                    "true" => then,
                    "false" => otherwise,
                    _ => format!("(if {condition} {then} {otherwise})"),
                }
            }
            Term::Block { statements, result } if statements.is_empty() => {
                self.meaning(*result)
            }
            Term::List { items, rest: Some(rest) } if items.is_empty() => self.meaning(*rest),
            _ => self.structure(id),
        }
    }

    /// A term that no law speaks of: what it is, and its parts.
    fn structure(&self, id: TermId) -> Meaning {
        let term = self.0.term(id);
        let mut text = format!("({}", head(term));
        term.each_part(&mut |part| {
            text.push(' ');
            text.push_str(&self.meaning(part));
        });
        text.push(')');
        text
    }

    fn operation(&self, builtin: BuiltinId, args: &[TermId]) -> Meaning {
        let parts: Vec<Meaning> = args.iter().map(|it| self.meaning(*it)).collect();
        let of_ints = args.first().is_some_and(|it| self.0.ty(*it) == TypeTable::INT);
        let name = gainsay_core::builtin::get(builtin).name;
        let other = |parts: &[Meaning]| format!("({name} {})", parts.join(" "));
        let [a, b] = match parts.as_slice() {
            [a, b] => [a.as_str(), b.as_str()],
            [a] => return unary(builtin, a, name),
            _ => return other(&parts),
        };
        if let (Ok(x), Ok(y)) = (a.parse::<i64>(), b.parse::<i64>())
            && let Some(folded) = folded(builtin, x, y)
        {
            return folded;
        }
        match (builtin, a, b) {
            (INT_ADD, "0", it) | (INT_ADD, it, "0") | (INT_SUB, it, "0") => it.to_owned(),
            (INT_MUL, "1", it) | (INT_MUL, it, "1") | (INT_DIV, it, "1") => it.to_owned(),
            (FLOAT_MUL, "1.0", it) | (FLOAT_MUL, it, "1.0") => it.to_owned(),
            (STR_CONCAT, "\"\"", it) | (STR_CONCAT, it, "\"\"") => it.to_owned(),
            (LIST_CONCAT, "(list 0 false)", it) | (LIST_CONCAT, it, "(list 0 false)") => {
                it.to_owned()
            }
            (INT_ADD | INT_MUL | EQ | NE, _, _) if b < a && is_still(a) && is_still(b) => {
                format!("({name} {b} {a})")
            }
            (EQ | LE | GE, _, _) if a == b && of_ints => "true".to_owned(),
            (NE | LT | GT, _, _) if a == b && of_ints => "false".to_owned(),
            (GT, _, _) if is_still(a) && is_still(b) => format!("(value.lt {b} {a})"),
            (GE, _, _) if is_still(a) && is_still(b) => format!("(value.le {b} {a})"),
            _ => other(&parts),
        }
    }
}

fn unary(builtin: BuiltinId, a: &str, name: &str) -> Meaning {
    match (builtin, a) {
        (BOOL_NOT, "true") => "false".to_owned(),
        (BOOL_NOT, "false") => "true".to_owned(),
        (BOOL_NOT, _) if a.starts_with("(bool.not ") => {
            a["(bool.not ".len()..a.len() - 1].to_owned()
        }
        (INT_NEG, _) => match a.parse::<i64>().ok().and_then(i64::checked_neg) {
            Some(negated) => negated.to_string(),
            None => format!("({name} {a})"),
        },
        _ => format!("({name} {a})"),
    }
}

/// What a term is apart from its parts.
fn head(term: &Term) -> String {
    match term {
        Term::Local(local) => format!("local {}", local.0),
        Term::Constant(constant) => format!("const {}", constant.0),
        Term::Function { function, type_args } => format!("fn {} {type_args:?}", function.0),
        Term::Closure { function, .. } => format!("closure {}", function.0),
        Term::Call { function, type_args, .. } => {
            format!("call {} {type_args:?}", function.0)
        }
        Term::Perform { op, .. } => format!("perform {}", op.0),
        Term::CheckRel { rel, .. } => format!("rel {}", rel.0),
        Term::Construct { ctor, .. } => format!("ctor {}", ctor.0),
        Term::Field { index, .. } => format!("field {index}"),
        Term::Update { fields, .. } => {
            let fields: Vec<u32> = fields.iter().map(|it| it.0).collect();
            format!("update {fields:?}")
        }
        Term::List { items, rest } => format!("list {} {}", items.len(), rest.is_some()),
        Term::Match { arms, .. } => {
            let arms =
                arms.iter().map(|arm| format!("{:?} {}", arm.pattern, arm.guard.is_some()));
            format!("match {}", arms.collect::<Vec<_>>().join(";"))
        }
        Term::Block { statements, .. } => {
            let patterns = statements.iter().map(|it| format!("{:?}", it.pattern()));
            format!("block {}", patterns.collect::<Vec<_>>().join(";"))
        }
        Term::Try { kind, .. } => format!("try {kind:?}"),
        Term::Refine { ty, .. } => format!("refine {ty:?}"),
        Term::Throws { kinds, .. } => format!("throws {kinds:?}"),
        Term::Under { answers, .. } => {
            let answers = answers.iter().map(|it| match it {
                Answer::Stub(op, _) => format!("stub {}", op.0),
                Answer::World(world) => format!("world {}", world.0),
            });
            format!("under {}", answers.collect::<Vec<_>>().join(";"))
        }
        Term::Par { cancelling, .. } => format!("par {cancelling}"),
        Term::Tuple(parts) => format!("tuple {}", parts.len()),
        Term::Literal(_)
        | Term::Builtin { .. }
        | Term::CallValue { .. }
        | Term::If { .. }
        | Term::And(..)
        | Term::Or(..)
        | Term::Observe { .. }
        | Term::Assume(_)
        | Term::Across { .. }
        | Term::Sample { .. }
        | Term::Traced { .. }
        | Term::Hole => format!("{:?}", std::mem::discriminant(term)),
    }
}

/// Whether nothing happens in a term that could be seen to happen later.
fn is_still(meaning: &str) -> bool {
    !["call", "perform", "Discriminant"].iter().any(|it| meaning.contains(it))
}

/// The value of an operation on two literals; nothing where it fails.
fn folded(builtin: BuiltinId, a: i64, b: i64) -> Option<Meaning> {
    let number = match builtin {
        INT_ADD => a.checked_add(b)?,
        INT_SUB => a.checked_sub(b)?,
        INT_MUL => a.checked_mul(b)?,
        INT_DIV if b != 0 && a >= 0 && b > 0 => a / b,
        INT_REM if b != 0 && a >= 0 && b > 0 => a % b,
        EQ => return Some((a == b).to_string()),
        NE => return Some((a != b).to_string()),
        LT => return Some((a < b).to_string()),
        LE => return Some((a <= b).to_string()),
        GT => return Some((a > b).to_string()),
        GE => return Some((a >= b).to_string()),
        _ => return None,
    };
    Some(number.to_string())
}

fn literal_text(literal: &Literal) -> Meaning {
    match literal {
        Literal::Int(int) => int.to_string(),
        Literal::Big(int) => int.to_string(),
        Literal::Float(float) => format!("{float:?}"),
        Literal::Bool(truth) => truth.to_string(),
        Literal::Char(char) => format!("{char:?}"),
        Literal::Str(text) => format!("{text:?}"),
    }
}

/// FNV-1a, 128 bits.
fn hash(text: &str) -> u128 {
    let start = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    text.bytes().fold(start, |hash: u128, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}
