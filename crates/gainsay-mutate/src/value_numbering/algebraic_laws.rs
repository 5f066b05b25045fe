//! The algebraic laws of value numbering, each stated above the code that applies it.

use gainsay_core::builtin::{
    self, BOOL_NOT, EQ, FLOAT_ADD, FLOAT_CEIL, FLOAT_DIV, FLOAT_FLOOR, FLOAT_MUL, FLOAT_NEG,
    FLOAT_REM, FLOAT_SUB, GE, GT, INT_ADD, INT_AND, INT_DIV, INT_MUL, INT_NEG, INT_OR, INT_REM,
    INT_SUB, INT_TO_FLOAT, INT_XOR, LE, LIST_CONCAT, LIST_LEN, LIST_REVERSE, LT, MAP_EMPTY,
    MAP_LEN, NE, SAME, SET_EMPTY, SET_LEN, STR_CHARS, STR_CONCAT, STR_LEN, STR_TRIM,
};
use gainsay_core::{BuiltinId, FunctionId, TyId, TypeTable};
use num_bigint::BigInt;

use super::value_node::{NodeHead, TermEffects, ValueNode};
use super::{ValueNumber, ValueNumbering};

/// Builtins that are defined for all arguments.
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
    FLOAT_REM,
    STR_TRIM,
];

/// Standard functions that are commutative on types whose equal values are identical.
const COMMUTATIVE_FUNCTIONS: [(&str, &str); 4] =
    [("value", "min"), ("value", "max"), ("int", "gcd"), ("int", "lcm")];

/// Types that are totally ordered, and whose equal values are identical. `Float` is neither: NaN,
/// -0.0.
const ORDERED: [TyId; 4] = [TypeTable::INT, TypeTable::BOOL, TypeTable::CHAR, TypeTable::STR];

/// A builtin and its arguments.
struct BuiltinNode {
    builtin: BuiltinId,
    types: Box<[TyId]>,
    parts: Box<[ValueNumber]>,
}

impl ValueNumbering<'_> {
    /// Whether the evaluation order of two terms is unobservable: at most one may fail or have
    /// effects.
    fn may_swap(&self, a: ValueNumber, b: ValueNumber) -> bool {
        self.is_pure(a) || self.is_pure(b)
    }

    fn as_int(&self, it: ValueNumber) -> Option<&BigInt> {
        if let NodeHead::Int(int) = &self.get(it).head { Some(int) } else { None }
    }

    fn is_int(&self, it: ValueNumber, int: i64) -> bool {
        self.as_int(it).is_some_and(|it| *it == BigInt::from(int))
    }

    fn is_float(&self, it: ValueNumber, float: f64) -> bool {
        self.get(it).head == NodeHead::Float(float.to_bits())
    }

    fn as_truth(&self, it: ValueNumber) -> Option<bool> {
        if let NodeHead::Bool(truth) = self.get(it).head { Some(truth) } else { None }
    }

    fn is_empty_list(&self, it: ValueNumber) -> bool {
        let node = self.get(it);
        node.head == NodeHead::List && node.parts.is_empty()
    }

    fn is_empty_text(&self, it: ValueNumber) -> bool {
        matches!(&self.get(it).head, NodeHead::Str(text) if text.is_empty())
    }

    fn as_builtin(&self, it: ValueNumber) -> Option<BuiltinNode> {
        let ValueNode { head: NodeHead::Builtin(builtin, types), parts } = self.get(it) else {
            return None;
        };
        Some(BuiltinNode { builtin: *builtin, types: types.clone(), parts: parts.clone() })
    }

    pub(super) fn builtin(
        &mut self,
        builtin: BuiltinId,
        types: &[TyId],
        args: &[ValueNumber],
    ) -> ValueNumber {
        let simple = match *args {
            [a] => self.unary(builtin, a),
            [a, b] => {
                self.arithmetic(builtin, a, b).or_else(|| self.comparison(builtin, types, a, b))
            }
            _ => None,
        };
        simple.unwrap_or_else(|| self.plain_builtin(builtin, types, args))
    }

    //   a + b = b + a, and the like      if one of them is pure
    //   a > b = b < a
    fn plain_builtin(
        &mut self,
        builtin: BuiltinId,
        types: &[TyId],
        args: &[ValueNumber],
    ) -> ValueNumber {
        let is_total = match *args {
            // Division fails only for a zero divisor.
            [_, b] if builtin == INT_DIV || builtin == INT_REM => {
                self.as_int(b).is_some_and(|it| *it != BigInt::ZERO)
            }
            _ => TOTAL.contains(&builtin),
        };
        let own = if is_total { TermEffects::Pure } else { TermEffects::MayFail };
        let calm = own.max(self.effects_of(args));
        let (mut builtin, mut args) = (builtin, args.to_vec());
        if let [a, b] = args[..]
            && self.may_swap(a, b)
        {
            let turned = match builtin {
                // Only one direction is kept, so that `a > b` and `b < a` meet.
                GT => Some(LT),
                GE => Some(LE),
                it if builtin::get(it).commutative && b < a => Some(it),
                _ => None,
            };
            if let Some(turned) = turned {
                builtin = turned;
                args = vec![b, a];
            }
        }
        self.node(NodeHead::Builtin(builtin, types.into()), &args, calm)
    }

    //   !!a = a      !(a == b) = a != b      !(a && b) = !a || !b
    //   --a = a      !(a < b) = a >= b       if the type is totally ordered
    fn unary(&mut self, builtin: BuiltinId, a: ValueNumber) -> Option<ValueNumber> {
        match builtin {
            BOOL_NOT => self.negation(a),
            INT_NEG | FLOAT_NEG => {
                if let Some(int) = self.as_int(a) {
                    let negated = -int;
                    return Some(self.value(NodeHead::Int(negated)));
                }
                if let NodeHead::Float(bits) = self.get(a).head {
                    let negated = NodeHead::Float((-f64::from_bits(bits)).to_bits());
                    return Some(self.value(negated));
                }
                let inner = self.as_builtin(a)?;
                (inner.builtin == builtin).then(|| inner.parts[0])
            }
            _ => None,
        }
    }

    fn negation(&mut self, a: ValueNumber) -> Option<ValueNumber> {
        if let Some(truth) = self.as_truth(a) {
            return Some(self.value(NodeHead::Bool(!truth)));
        }
        let node = self.get(a).clone();
        if let (NodeHead::And, [x, y]) = (&node.head, &*node.parts) {
            let (x, y) = (self.not(*x), self.not(*y));
            return Some(self.or(x, y));
        }
        if let (NodeHead::Or, [x, y]) = (&node.head, &*node.parts) {
            let (x, y) = (self.not(*x), self.not(*y));
            return Some(self.and(x, y));
        }
        let BuiltinNode { builtin, types, parts } = self.as_builtin(a)?;
        let is_ordered = types.first().is_some_and(|it| self.is_ordered(*it));
        let opposite = match builtin {
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

    fn not(&mut self, a: ValueNumber) -> ValueNumber {
        self.builtin(BOOL_NOT, &[], &[a])
    }

    fn is_ordered(&self, ty: TyId) -> bool {
        ORDERED.contains(&self.program.types.base(ty))
    }

    //   a + 0 = a    a - 0 = a    a * 1 = a    a / 1 = a    "" ++ a = a    [] ++ a = a
    //   a * 0 = 0    a - a = 0    a % 1 = 0    if a is pure
    fn arithmetic(
        &mut self,
        builtin: BuiltinId,
        a: ValueNumber,
        b: ValueNumber,
    ) -> Option<ValueNumber> {
        if let Some(folded) = self.folded(builtin, a, b) {
            return Some(folded);
        }
        let found = match builtin {
            INT_ADD if self.is_int(a, 0) => b,
            INT_ADD | INT_SUB if self.is_int(b, 0) => a,
            // Pure, because the law drops the operand along with whatever evaluating it does.
            INT_SUB if a == b && self.is_pure(a) => self.value(NodeHead::Int(BigInt::ZERO)),
            INT_MUL if self.is_int(a, 1) => b,
            INT_MUL | INT_DIV if self.is_int(b, 1) => a,
            INT_MUL if self.is_int(a, 0) && self.is_pure(b) => a,
            INT_MUL if self.is_int(b, 0) && self.is_pure(a) => b,
            INT_REM if self.is_int(b, 1) && self.is_pure(a) => {
                self.value(NodeHead::Int(BigInt::ZERO))
            }
            FLOAT_MUL if self.is_float(a, 1.0) => b,
            FLOAT_MUL | FLOAT_DIV if self.is_float(b, 1.0) => a,
            // There is no such law for `x + 0.0`, which turns -0.0 into 0.0.
            FLOAT_SUB if self.is_float(b, 0.0) => a,
            STR_CONCAT if self.is_empty_text(a) => b,
            STR_CONCAT if self.is_empty_text(b) => a,
            LIST_CONCAT if self.is_empty_list(a) => b,
            LIST_CONCAT if self.is_empty_list(b) => a,
            _ => return None,
        };
        Some(found)
    }

    /// Constant folding of an operation on two integers; `None` where it fails.
    fn folded(
        &mut self,
        builtin: BuiltinId,
        a: ValueNumber,
        b: ValueNumber,
    ) -> Option<ValueNumber> {
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
                return Some(self.value(NodeHead::Bool(truth)));
            }
        };
        Some(self.value(NodeHead::Int(number)))
    }

    //   a == a, a <= a are true, a < a is false    if a is pure and its type totally ordered
    //   a == true is a, a != true is !a
    fn comparison(
        &mut self,
        builtin: BuiltinId,
        types: &[TyId],
        a: ValueNumber,
        b: ValueNumber,
    ) -> Option<ValueNumber> {
        let is_ordered = types.first().is_some_and(|it| self.is_ordered(*it));
        if a == b && is_ordered && self.is_pure(a) {
            let comparison = builtin::get(builtin).total_comparison?;
            return Some(self.value(NodeHead::Bool(comparison.is_reflexive())));
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

    //   true && a = a    a && true = a    false && a = false    a && a = a    if a has no effects
    //   a && false = false    if a is pure
    pub(super) fn and(&mut self, a: ValueNumber, b: ValueNumber) -> ValueNumber {
        self.logical(NodeHead::And, a, b)
    }

    //   false || a = a    a || false = a    true || a = true    a || a = a    if a has no effects
    //   a || true = true    if a is pure
    pub(super) fn or(&mut self, a: ValueNumber, b: ValueNumber) -> ValueNumber {
        self.logical(NodeHead::Or, a, b)
    }

    fn logical(&mut self, head: NodeHead, a: ValueNumber, b: ValueNumber) -> ValueNumber {
        // The truth value that leaves the other operand unchanged.
        let neutral = head == NodeHead::And;
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(truth), _) if truth == neutral => b,
            (Some(_), _) => a,
            (_, Some(truth)) if truth == neutral => a,
            (_, Some(_)) if self.is_pure(a) => b,
            // A second evaluation has the same outcome as the first, unless `a` has effects.
            _ if a == b && self.effects(a) <= TermEffects::MayFail => a,
            _ => self.node_with_part_effects(head, &[a, b]),
        }
    }

    //   if true { a } else { b } = a            if c { true } else { b } = c || b
    //   if !c { a } else { b } = if c { b } else { a }
    //   if c { a } else { a } = { c; a }        if c { b } else { false } = c && b
    pub(super) fn conditional(
        &mut self,
        condition: ValueNumber,
        then: ValueNumber,
        otherwise: ValueNumber,
    ) -> ValueNumber {
        if let Some(truth) = self.as_truth(condition) {
            return if truth { then } else { otherwise };
        }
        // Before the truth values: the condition is still evaluated, for its effects.
        if then == otherwise {
            return self.sequence(condition, then);
        }
        match (self.as_truth(then), self.as_truth(otherwise)) {
            (Some(true), Some(false)) => return condition,
            (Some(false), Some(true)) => return self.not(condition),
            (Some(true), None) => return self.or(condition, otherwise),
            (None, Some(false)) => return self.and(condition, then),
            _ => {}
        }
        if let Some(BuiltinNode { builtin: BOOL_NOT | NE, types, parts }) =
            self.as_builtin(condition)
        {
            let opposite = match &*parts {
                [inner] => *inner,
                parts => self.builtin(EQ, &types, parts),
            };
            return self.node_with_part_effects(NodeHead::If, &[opposite, otherwise, then]);
        }
        self.node_with_part_effects(NodeHead::If, &[condition, then, otherwise])
    }

    //   { a; b } = b    if a is pure
    pub(super) fn sequence(&mut self, first: ValueNumber, value: ValueNumber) -> ValueNumber {
        match self.is_pure(first) {
            true => value,
            false => self.node_with_part_effects(NodeHead::Then, &[first, value]),
        }
    }

    //   [..a] = a      [a, ..[b]] = [a, b]
    pub(super) fn list(
        &mut self,
        mut items: Vec<ValueNumber>,
        rest: Option<ValueNumber>,
    ) -> ValueNumber {
        let Some(rest) = rest else {
            return self.node_with_part_effects(NodeHead::List, &items);
        };
        if items.is_empty() {
            return rest;
        }
        let ValueNode { head, parts } = self.get(rest).clone();
        if head == NodeHead::List || head == NodeHead::ListBefore {
            items.extend(&parts);
            return self.node_with_part_effects(head, &items);
        }
        items.push(rest);
        self.node_with_part_effects(NodeHead::ListBefore, &items)
    }

    //   max(a, b) = max(b, a), and the like    if one of them is pure
    pub(super) fn call(
        &mut self,
        id: FunctionId,
        types: &[TyId],
        args: &[ValueNumber],
    ) -> ValueNumber {
        let function = self.program.function(id);
        let is_pure = self.program.types.get_row(function.row).is_pure();
        let own = if is_pure { TermEffects::MayFail } else { TermEffects::Effectful };
        let calm = own.max(self.effects_of(args));
        let mut args = args.to_vec();
        if let [a, b] = args[..]
            && b < a
            && self.may_swap(a, b)
            && self.is_commutative(id, types)
        {
            args = vec![b, a];
        }
        self.node(NodeHead::Call(id, types.into()), &args, calm)
    }

    fn is_commutative(&self, id: FunctionId, types: &[TyId]) -> bool {
        let function = self.program.function(id);
        let module = self.program.module(function.module);
        module.is_std
            && COMMUTATIVE_FUNCTIONS.contains(&(&*module.name, &*function.name))
            && types.iter().all(|it| self.is_ordered(*it))
    }
}

#[cfg(test)]
mod tests {
    use gainsay_core::builtin;

    use super::TOTAL;

    #[test]
    fn nothing_total_is_partial() {
        let partial = TOTAL.iter().map(|it| builtin::get(*it)).find(|it| it.partial);
        assert_eq!(partial, None);
    }
}
