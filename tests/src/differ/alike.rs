//! Whether two engines gave the same value: bit for bit, functions included.

use gainsay_vm::Value;

/// Whether two values cannot be told apart. Values may be deep, so nothing recurses.
pub(super) fn alike(a: &Value, b: &Value) -> bool {
    let mut pending = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        let is_alike = match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => a.get() == b.get(),
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Char(a), Value::Char(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a.as_str() == b.as_str(),
            (Value::Tuple(a), Value::Tuple(b)) => {
                queue(&mut pending, a.as_slice(), b.as_slice())
            }
            (Value::Data(a_ctor, a), Value::Data(b_ctor, b)) => {
                a_ctor == b_ctor && queue(&mut pending, a.as_slice(), b.as_slice())
            }
            (Value::Closure(a_function, a), Value::Closure(b_function, b)) => {
                a_function == b_function && queue(&mut pending, a.as_slice(), b.as_slice())
            }
            (Value::List(a), Value::List(b)) => {
                pending.extend(a.iter().zip(b));
                a.len() == b.len()
            }
            (Value::Map(a), Value::Map(b)) | (Value::Set(a), Value::Set(b)) => {
                for ((a_key, a), (b_key, b)) in a.iter().zip(b.iter()) {
                    pending.extend([(a_key, b_key), (a, b)]);
                }
                a.len() == b.len()
            }
            _ => false,
        };
        if !is_alike {
            return false;
        }
    }
    true
}

fn queue<'a>(
    pending: &mut Vec<(&'a Value, &'a Value)>,
    a: &'a [Value],
    b: &'a [Value],
) -> bool {
    pending.extend(a.iter().zip(b));
    a.len() == b.len()
}

/// Whether as many values are alike in pairs.
pub(super) fn all_alike(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
}
