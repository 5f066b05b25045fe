//! The laws, each above the code that applies it.

use gainsay_core::builtin::{
    BOOL_NOT, EQ, FLOAT_ADD, FLOAT_CEIL, FLOAT_DIV, FLOAT_FLOOR, FLOAT_MUL, FLOAT_NEG,
    FLOAT_SUB, GE, GT, INT_ADD, INT_AND, INT_DIV, INT_MUL, INT_NEG, INT_OR, INT_REM, INT_SUB,
    INT_TO_FLOAT, INT_XOR, LE, LIST_CONCAT, LIST_LEN, LIST_REVERSE, LT, MAP_EMPTY, MAP_LEN, NE,
    SAME, SET_EMPTY, SET_LEN, STR_CHARS, STR_CONCAT, STR_LEN,
};
use gainsay_core::{BuiltinId, FunctionId, TyId, TypeTable};
use num_bigint::BigInt;

use super::node::{Calm, Head};
use super::{Meaning, Meanings};

/// Builtins that have a value for all arguments.
const TOTAL: [BuiltinId; 35] = [
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    SAME,
    BOOL_NOT,
    INT_ADD,
    INT_SUB,
    INT_MUL,
    INT_NEG,
    INT_AND,
    INT_OR,
    INT_XOR,
    INT_TO_FLOAT,
    FLOAT_ADD,
    FLOAT_SUB,
    FLOAT_MUL,
    FLOAT_DIV,
    FLOAT_NEG,
    FLOAT_FLOOR,
    FLOAT_CEIL,
    STR_CONCAT,
    STR_LEN,
    STR_CHARS,
    LIST_CONCAT,
    LIST_LEN,
    LIST_REVERSE,
    MAP_EMPTY,
    MAP_LEN,
    SET_EMPTY,
    SET_LEN,
    gainsay_core::builtin::FLOAT_REM,
    gainsay_core::builtin::STR_TRIM,
];

/// Builtins whose arguments may change places.
const COMMUTATIVE: [BuiltinId; 8] = [INT_ADD, INT_MUL, INT_AND, INT_OR, INT_XOR, EQ, NE, SAME];

/// Functions of the standard library whose arguments may change places, where no two different
/// values are equal.
const COMMUTATIVE_FUNCTIONS: [(&str, &str); 4] =
    [("value", "min"), ("value", "max"), ("int", "gcd"), ("int", "lcm")];

/// Types whose values are in one order, and different where they are not equal.
const ORDERED: [TyId; 4] = [TypeTable::INT, TypeTable::BOOL, TypeTable::CHAR, TypeTable::STR];

impl Meanings<'_> {
    /// Whether it cannot be told which of two terms is evaluated first.
    fn may_swap(&self, a: Meaning, b: Meaning) -> bool {
        self.is_still(a) || self.is_still(b)
    }

    fn as_int(&self, it: Meaning) -> Option<&BigInt> {
        match &self.get(it).head {
            Head::Int(int) => Some(int),
            _ => None,
        }
    }

    fn is_int(&self, it: Meaning, int: i64) -> bool {
        self.as_int(it).is_some_and(|it| *it == BigInt::from(int))
    }

    fn is_float(&self, it: Meaning, float: f64) -> bool {
        self.get(it).head == Head::Float(float.to_bits())
    }

    fn as_truth(&self, it: Meaning) -> Option<bool> {
        match self.get(it).head {
            Head::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    fn is_empty_list(&self, it: Meaning) -> bool {
        let node = self.get(it);
        node.head == Head::List && node.parts.is_empty()
    }

    fn is_empty_text(&self, it: Meaning) -> bool {
        matches!(&self.get(it).head, Head::Str(text) if text.is_empty())
    }

    /// The parts of a builtin.
    fn as_builtin(&self, it: Meaning) -> Option<(BuiltinId, Box<[TyId]>, Box<[Meaning]>)> {
        let node = self.get(it);
        match &node.head {
            Head::Builtin(builtin, types) => {
                Some((*builtin, types.clone(), node.parts.clone()))
            }
            _ => None,
        }
    }

    pub(super) fn builtin(
        &mut self,
        builtin: BuiltinId,
        types: &[TyId],
        args: &[Meaning],
    ) -> Meaning {
        let simple = match *args {
            [a] => self.unary(builtin, a),
            [a, b] => {
                self.arithmetic(builtin, a, b).or_else(|| self.comparison(builtin, types, a, b))
            }
            _ => None,
        };
        simple.unwrap_or_else(|| self.plain_builtin(builtin, types, args))
    }

    //   a + b = b + a, and the like      if one of them is still
    //   a > b = b < a
    fn plain_builtin(
        &mut self,
        builtin: BuiltinId,
        types: &[TyId],
        args: &[Meaning],
    ) -> Meaning {
        let is_total = match *args {
            [_, b] if builtin == INT_DIV || builtin == INT_REM => {
                self.as_int(b).is_some_and(|it| *it != BigInt::ZERO)
            }
            _ => TOTAL.contains(&builtin),
        };
        let own = if is_total { Calm::Still } else { Calm::MayFail };
        let calm = own.max(self.calm_of(args));
        let (mut builtin, mut args) = (builtin, args.to_vec());
        if let [a, b] = args[..]
            && self.may_swap(a, b)
        {
            let turned = match builtin {
                GT => Some(LT),
                GE => Some(LE),
                it if COMMUTATIVE.contains(&it) && b < a => Some(it),
                _ => None,
            };
            if let Some(turned) = turned {
                builtin = turned;
                args = vec![b, a];
            }
        }
        self.node(Head::Builtin(builtin, types.into()), &args, calm)
    }

    //   !!a = a      !(a == b) = a != b      !(a && b) = !a || !b
    //   --a = a      !(a < b) = a >= b       if there is one order
    fn unary(&mut self, builtin: BuiltinId, a: Meaning) -> Option<Meaning> {
        match builtin {
            BOOL_NOT => self.negation(a),
            INT_NEG | FLOAT_NEG => {
                if let Some(int) = self.as_int(a) {
                    let negated = -int;
                    return Some(self.int(negated));
                }
                if let Head::Float(bits) = self.get(a).head {
                    let negated = Head::Float((-f64::from_bits(bits)).to_bits());
                    return Some(self.node(negated, &[], Calm::Still));
                }
                let (inner, _, parts) = self.as_builtin(a)?;
                (inner == builtin).then(|| parts[0])
            }
            _ => None,
        }
    }

    fn negation(&mut self, a: Meaning) -> Option<Meaning> {
        if let Some(truth) = self.as_truth(a) {
            return Some(self.truth(!truth));
        }
        let node = self.get(a).clone();
        if let (Head::And, [x, y]) = (&node.head, &*node.parts) {
            let (x, y) = (self.not(*x), self.not(*y));
            return Some(self.or(x, y));
        }
        if let (Head::Or, [x, y]) = (&node.head, &*node.parts) {
            let (x, y) = (self.not(*x), self.not(*y));
            return Some(self.and(x, y));
        }
        let (inner, types, parts) = self.as_builtin(a)?;
        let is_ordered = types.first().is_some_and(|it| self.is_ordered(*it));
        let opposite = match inner {
            BOOL_NOT => return Some(parts[0]),
            EQ => NE,
            NE => EQ,
            LT if is_ordered => GE,
            LE if is_ordered => GT,
            GT if is_ordered => LE,
            GE if is_ordered => LT,
            _ => return None,
        };
        Some(self.builtin(opposite, &types, &parts))
    }

    fn not(&mut self, a: Meaning) -> Meaning {
        self.builtin(BOOL_NOT, &[], &[a])
    }

    fn is_ordered(&self, ty: TyId) -> bool {
        ORDERED.contains(&self.program.types.base(ty))
    }

    //   a + 0 = a    a - 0 = a    a * 1 = a    a / 1 = a    "" ++ a = a    [] ++ a = a
    //   a * 0 = 0    a - a = 0    a % 1 = 0    if a is still
    fn arithmetic(&mut self, builtin: BuiltinId, a: Meaning, b: Meaning) -> Option<Meaning> {
        if let Some(folded) = self.folded(builtin, a, b) {
            return Some(folded);
        }
        let found = match builtin {
            INT_ADD if self.is_int(a, 0) => b,
            INT_ADD | INT_SUB if self.is_int(b, 0) => a,
            INT_SUB if a == b && self.is_still(a) => self.int(BigInt::ZERO),
            INT_MUL if self.is_int(a, 1) => b,
            INT_MUL | INT_DIV if self.is_int(b, 1) => a,
            INT_MUL if self.is_int(a, 0) && self.is_still(b) => a,
            INT_MUL if self.is_int(b, 0) && self.is_still(a) => b,
            INT_REM if self.is_int(b, 1) && self.is_still(a) => self.int(BigInt::ZERO),
            FLOAT_MUL if self.is_float(a, 1.0) => b,
            FLOAT_MUL | FLOAT_DIV if self.is_float(b, 1.0) => a,
            // Adding 0.0 would make 0.0 of -0.0.
            FLOAT_SUB if self.is_float(b, 0.0) => a,
            STR_CONCAT if self.is_empty_text(a) => b,
            STR_CONCAT if self.is_empty_text(b) => a,
            LIST_CONCAT if self.is_empty_list(a) => b,
            LIST_CONCAT if self.is_empty_list(b) => a,
            _ => return None,
        };
        Some(found)
    }

    /// The value of an operation on two numbers; nothing where it fails.
    fn folded(&mut self, builtin: BuiltinId, a: Meaning, b: Meaning) -> Option<Meaning> {
        let (a, b) = (self.as_int(a)?, self.as_int(b)?);
        let is_zero = *b == BigInt::ZERO;
        let number = match builtin {
            INT_ADD => a + b,
            INT_SUB => a - b,
            INT_MUL => a * b,
            INT_DIV if !is_zero => a / b,
            INT_REM if !is_zero => a % b,
            _ => {
                let truth = match builtin {
                    EQ => a == b,
                    NE => a != b,
                    LT => a < b,
                    LE => a <= b,
                    GT => a > b,
                    GE => a >= b,
                    _ => return None,
                };
                return Some(self.truth(truth));
            }
        };
        Some(self.int(number))
    }

    //   a == a, a <= a are true, a < a is false    if a is still and its type has one order
    //   a == true is a, a != true is !a
    fn comparison(
        &mut self,
        builtin: BuiltinId,
        types: &[TyId],
        a: Meaning,
        b: Meaning,
    ) -> Option<Meaning> {
        let is_ordered = types.first().is_some_and(|it| self.is_ordered(*it));
        if a == b && is_ordered && self.is_still(a) {
            return match builtin {
                EQ | LE | GE | SAME => Some(self.truth(true)),
                NE | LT | GT => Some(self.truth(false)),
                _ => None,
            };
        }
        let (side, truth) = match (self.as_truth(a), self.as_truth(b)) {
            (_, Some(truth)) => (a, truth),
            (Some(truth), _) => (b, truth),
            (None, None) => return None,
        };
        match builtin {
            EQ if truth => Some(side),
            NE if !truth => Some(side),
            EQ | NE => Some(self.not(side)),
            _ => None,
        }
    }

    //   true && a = a    a && true = a    false && a = false    a && a = a    if a does nothing
    //   a && false = false    if a is still
    pub(super) fn and(&mut self, a: Meaning, b: Meaning) -> Meaning {
        self.both(Head::And, a, b, true)
    }

    //   false || a = a    a || false = a    true || a = true    a || a = a    if a does nothing
    //   a || true = true    if a is still
    pub(super) fn or(&mut self, a: Meaning, b: Meaning) -> Meaning {
        self.both(Head::Or, a, b, false)
    }

    fn both(&mut self, head: Head, a: Meaning, b: Meaning, neutral: bool) -> Meaning {
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(truth), _) if truth == neutral => b,
            (Some(_), _) => a,
            (_, Some(truth)) if truth == neutral => a,
            (_, Some(_)) if self.is_still(a) => b,
            _ if a == b && self.calm(a) <= Calm::MayFail => a,
            _ => self.calm_node(head, &[a, b]),
        }
    }

    //   if true { a } else { b } = a            if c { true } else { b } = c || b
    //   if !c { a } else { b } = if c { b } else { a }
    //   if c { a } else { a } = { c; a }        if c { b } else { false } = c && b
    pub(super) fn choice(
        &mut self,
        condition: Meaning,
        then: Meaning,
        otherwise: Meaning,
    ) -> Meaning {
        if let Some(truth) = self.as_truth(condition) {
            return if truth { then } else { otherwise };
        }
        if then == otherwise {
            return match self.is_still(condition) {
                true => then,
                false => self.calm_node(Head::Then, &[condition, then]),
            };
        }
        match (self.as_truth(then), self.as_truth(otherwise)) {
            (Some(true), Some(false)) => return condition,
            (Some(false), Some(true)) => return self.not(condition),
            (Some(true), None) => return self.or(condition, otherwise),
            (None, Some(false)) => return self.and(condition, then),
            _ => {}
        }
        if let Some((BOOL_NOT | NE, types, parts)) = self.as_builtin(condition) {
            let opposite = match &*parts {
                [inner] => *inner,
                parts => self.builtin(EQ, &types, parts),
            };
            return self.calm_node(Head::If, &[opposite, otherwise, then]);
        }
        self.calm_node(Head::If, &[condition, then, otherwise])
    }

    //   [..a] = a      [a, ..[b]] = [a, b]
    pub(super) fn list(&mut self, mut items: Vec<Meaning>, rest: Option<Meaning>) -> Meaning {
        let Some(rest) = rest else { return self.calm_node(Head::List, &items) };
        if items.is_empty() {
            return rest;
        }
        let behind = self.get(rest);
        let head = match behind.head {
            Head::List | Head::ListBefore => {
                let head = behind.head.clone();
                items.extend(&behind.parts);
                head
            }
            _ => {
                items.push(rest);
                Head::ListBefore
            }
        };
        self.calm_node(head, &items)
    }

    //   max(a, b) = max(b, a), and the like    if one of them is still
    pub(super) fn call(&mut self, id: FunctionId, types: &[TyId], args: &[Meaning]) -> Meaning {
        let function = self.program.function(id);
        let is_pure = self.program.types.get_row(function.row).is_pure();
        let own = if is_pure { Calm::MayFail } else { Calm::MayAct };
        let calm = own.max(self.calm_of(args));
        let mut args = args.to_vec();
        if let [a, b] = args[..]
            && b < a
            && self.may_swap(a, b)
            && self.is_commutative(id, types)
        {
            args = vec![b, a];
        }
        self.node(Head::Call(id, types.into()), &args, calm)
    }

    fn is_commutative(&self, id: FunctionId, types: &[TyId]) -> bool {
        let function = self.program.function(id);
        let module = self.program.module(function.module);
        module.is_std
            && COMMUTATIVE_FUNCTIONS.contains(&(&*module.name, &*function.name))
            && types.iter().all(|it| self.is_ordered(*it))
    }
}
