//! What a case says about itself: `collect`, `classify`, `cover` and `target`.

use gainsay_vm::Value;

/// Something said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CaseAnnotation {
    /// `collect`.
    Collect(String),
    /// `classify`.
    Classify(String, bool),
    /// `cover`.
    Cover(i64, String, bool),
    /// `target`.
    Target(f64),
}

/// Cases of a site whose inputs are compared by value: converting every value would cost more
/// than most claims do.
const MAX_COMPARED: u64 = 2_000;

/// What stands for nothing drawn: not 0, or it would stand for any number of zeros as well.
const EMPTY_DIGEST: u64 = 0xcbf2_9ce4_8422_2325;

/// What one case said; it counts only if the case does.
#[derive(Debug, Clone, Default)]
pub struct CaseAnnotations {
    list: Vec<CaseAnnotation>,
    /// Stands for all that was drawn: the same for the same inputs, and hardly ever for others.
    digest: u64,
    /// What it is made of.
    key: DuplicateKey,
    /// Whether values are compared in this case; digests of draws always are.
    compares_values: bool,
    /// What stands for the value of each input that was told, with the number of its binder.
    values: Vec<(u32, u64)>,
    /// Functions that were told, over all cases: what they answer is not known, so that no two
    /// count as the same.
    n_functions: u64,
}

/// What the inputs of cases are told apart by.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub(crate) enum DuplicateKey {
    /// The draws they are made from, where different draws make different inputs.
    #[default]
    Draws,
    /// Their values.
    Values,
}

impl CaseAnnotations {
    pub(crate) fn begin(&mut self) {
        self.list.clear();
        self.digest = EMPTY_DIGEST;
        self.key = DuplicateKey::Draws;
        self.values.clear();
    }

    /// Says what the inputs that follow are told apart by.
    #[inline]
    pub(crate) fn set_duplicate_key(&mut self, by: DuplicateKey) {
        self.key = by;
    }

    /// Decides whether values of the next case are compared with those of other cases.
    #[inline]
    pub(crate) fn set_case_number(&mut self, number: u64) {
        self.compares_values = number < MAX_COMPARED;
    }

    #[inline]
    pub(crate) fn compares_values(&self) -> bool {
        self.compares_values
    }

    /// The value of an input, by binder.
    pub(crate) fn record_input(&mut self, binder: u32, value: &Value) {
        let mut digest = EMPTY_DIGEST;
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            let mut add = |part: u64| digest = mix(digest, part);
            match value {
                Value::Int(int) => add(*int as u64),
                Value::Big(int) => {
                    add(u64::from(int.get().sign() == num_bigint::Sign::Minus));
                    int.get().iter_u64_digits().for_each(add);
                }
                Value::Float(float) => add(float.to_bits()),
                Value::Bool(is_true) => add(u64::from(*is_true)),
                Value::Char(char) => add(u64::from(*char)),
                Value::Str(text) => {
                    text.as_str().bytes().for_each(|it| add(u64::from(it)));
                    add(u64::MAX);
                }
                Value::Tuple(fields) => waiting.extend(fields.as_slice()),
                Value::Data(ctor, fields) => {
                    add(u64::from(ctor.0));
                    waiting.extend(fields.as_slice());
                }
                Value::List(list) => {
                    let before = waiting.len();
                    waiting.extend(list.iter());
                    add((waiting.len() - before) as u64);
                }
                Value::Map(table) | Value::Set(table) => {
                    let before = waiting.len();
                    waiting.extend(table.iter().flat_map(|(key, value)| [key, value]));
                    add((waiting.len() - before) as u64);
                }
                Value::Closure(..) => {
                    self.n_functions += 1;
                    add(self.n_functions);
                }
            }
        }
        self.values.push((binder, digest));
        self.digest = mix(self.digest, digest);
    }

    /// What stands for the value of each input that was told, with the number of its binder.
    pub(crate) fn values(&self) -> &[(u32, u64)] {
        &self.values
    }

    pub(crate) fn add(&mut self, remark: CaseAnnotation) {
        self.list.push(remark);
    }

    /// Something was drawn.
    #[inline]
    pub(crate) fn record_draw(&mut self, drawn: u64) {
        if self.key == DuplicateKey::Draws {
            self.digest = mix(self.digest, drawn);
        }
    }

    /// What stands for all that was drawn; nothing where it would take values that were not
    /// looked at.
    pub(crate) fn digest(&self) -> Option<u64> {
        (self.key == DuplicateKey::Draws || self.compares_values).then_some(self.digest)
    }

    pub(crate) fn list(&self) -> &[CaseAnnotation] {
        &self.list
    }

    /// The best score of the case.
    pub(crate) fn score(&self) -> Option<f64> {
        let scores = self.list.iter().filter_map(|it| match it {
            CaseAnnotation::Target(score) if !score.is_nan() => Some(*score),
            CaseAnnotation::Target(_) | CaseAnnotation::Collect(_) => None,
            CaseAnnotation::Classify(..) | CaseAnnotation::Cover(..) => None,
        });
        scores.fold(None, |best: Option<f64>, it| Some(best.map_or(it, |best| best.max(it))))
    }
}

/// Mixes one more part into a digest.
#[inline]
fn mix(digest: u64, part: u64) -> u64 {
    // The multiplier of FNV-1a; the rotation brings high bits back down.
    (digest.rotate_left(23) ^ part).wrapping_mul(0x0100_0000_01b3)
}
