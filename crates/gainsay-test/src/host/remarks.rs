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

/// What one case said; it counts only if the case does.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remarks {
    said: Vec<Remark>,
}

impl Remarks {
    pub(crate) fn begin(&mut self) {
        self.said.clear();
    }

    pub(crate) fn add(&mut self, remark: Remark) {
        self.said.push(remark);
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
