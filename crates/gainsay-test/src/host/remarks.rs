//! What a case says about itself: `collect`, `classify`, `cover` and `target`.

/// Something said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Remark {
    /// `collect`.
    Collect(String),
    /// `classify`.
    Classify(String, bool),
    /// `cover`.
    Cover(i64, String, bool),
    /// `target`.
    Target(f64),
}

/// What stands for nothing drawn: not 0, or it would stand for any number of zeros as well.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// What one case said; it counts only if the case does.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remarks {
    said: Vec<Remark>,
    /// Stands for all that was drawn: the same for the same inputs, and hardly ever for others.
    digest: u64,
}

impl Remarks {
    pub(crate) fn begin(&mut self) {
        self.said.clear();
        self.digest = START;
    }

    pub(crate) fn add(&mut self, remark: Remark) {
        self.said.push(remark);
    }

    /// Something was drawn.
    #[inline]
    pub(crate) fn draw(&mut self, drawn: u64) {
        // The multiplier of FNV-1a; the rotation brings high bits back down.
        self.digest = (self.digest.rotate_left(23) ^ drawn).wrapping_mul(0x0100_0000_01b3);
    }

    /// What stands for all that was drawn.
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    pub(crate) fn said(&self) -> &[Remark] {
        &self.said
    }

    /// The best score of the case.
    pub(crate) fn score(&self) -> Option<f64> {
        let scores = self.said.iter().filter_map(|it| match it {
            Remark::Target(score) if !score.is_nan() => Some(*score),
            Remark::Target(_) | Remark::Collect(_) => None,
            Remark::Classify(..) | Remark::Cover(..) => None,
        });
        scores.fold(None, |best: Option<f64>, it| Some(best.map_or(it, |best| best.max(it))))
    }
}
