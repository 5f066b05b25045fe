//! What a case reports about itself with `collect`, `classify`, `cover` and `target`, and the
//! digests that detect duplicate cases.

use gainsay_vm::Value;

/// One annotation of a case.
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

/// Number of cases of a site whose inputs are compared by value: converting every value would cost
/// more than most claims do.
const MAX_COMPARED: u64 = 2_000;

/// The digest of nothing. Not 0, which any number of zeros would leave unchanged.
const EMPTY_DIGEST: u64 = 0xcbf2_9ce4_8422_2325;

/// The annotations of one case; they count only if the case does.
#[derive(Debug, Clone, Default)]
pub struct CaseAnnotations {
    list: Vec<CaseAnnotation>,
    /// Digest of the inputs: equal for equal inputs, and hardly ever for different ones.
    digest: u64,
    /// What the digest covers.
    key: DuplicateKey,
    /// Whether this case compares values; digests of draws are always compared.
    compares_values: bool,
    /// The digest of each reported input value, with the number of its binder.
    values: Vec<(u32, u64)>,
    /// Number of reported functions, over all cases. Their results are unknown, so each gets its
    /// own number and no two count as equal.
    n_functions: u64,
}

/// What identifies duplicate cases.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub(crate) enum DuplicateKey {
    /// The draws, where different draws produce different inputs.
    #[default]
    Draws,
    /// The values of the inputs.
    Values,
}

impl CaseAnnotations {
    pub(crate) fn begin(&mut self) {
        self.list.clear();
        self.digest = EMPTY_DIGEST;
        self.key = DuplicateKey::Draws;
        self.values.clear();
    }

    /// Sets what identifies the inputs that follow.
    #[inline]
    pub(crate) fn set_duplicate_key(&mut self, by: DuplicateKey) {
        self.key = by;
    }

    /// Decides by the case number whether the next case compares values.
    #[inline]
    pub(crate) fn set_case_number(&mut self, number: u64) {
        self.compares_values = number < MAX_COMPARED;
    }

    #[inline]
    pub(crate) fn compares_values(&self) -> bool {
        self.compares_values
    }

    /// Adds the value of an input, by binder.
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
                    // Terminates the text: no byte has this value, so the boundary between two
                    // texts matters.
                    add(u64::MAX);
                }
                Value::Tuple(fields) => waiting.extend(fields.as_slice()),
                Value::Data(ctor, fields) => {
                    add(u64::from(ctor.0));
                    waiting.extend(fields.as_slice());
                }
                Value::List(list) => {
                    // The length keeps differently nested collections of the same items apart.
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

    /// The digest of each reported input value, with the number of its binder.
    pub(crate) fn values(&self) -> &[(u32, u64)] {
        &self.values
    }

    pub(crate) fn add(&mut self, remark: CaseAnnotation) {
        self.list.push(remark);
    }

    /// Adds a draw to the digest.
    #[inline]
    pub(crate) fn record_draw(&mut self, drawn: u64) {
        if self.key == DuplicateKey::Draws {
            self.digest = mix(self.digest, drawn);
        }
    }

    /// The digest of the inputs; `None` if it would cover values that were not recorded.
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
