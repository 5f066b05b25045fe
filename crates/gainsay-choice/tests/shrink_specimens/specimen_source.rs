//! A small generator library that stands in for compiled generators: it opens a span for each
//! parameter, element and constructor.

use gainsay_choice::{
    BooleanKind, CharKind, FailureIdentity, FloatKind, IntegerKind, Kind, KindId, KindTable,
    MoreElementsKind, PoolId, RunStopped, RunVerdict, SelectorKind, Source, SpanLabel,
    SpanLabels, TextKind,
};

/// The kinds and labels of all specimens.
pub(crate) struct SpecimenKinds {
    any: KindId,
    ranges: Vec<((i64, i64), KindId)>,
    selectors: Vec<KindId>,
    boolean: KindId,
    lists: Vec<((u32, Option<u32>), KindId)>,
    float: KindId,
    text: TextKind,
    element: SpanLabel,
    node: SpanLabel,
}

const RANGES: [(i64, i64); 13] = [
    (-32768, 32767),
    (0, 10),
    (0, 100),
    (0, 1000),
    (0, 10_000),
    (0, 1_000_000),
    (1, 100),
    (1, 16),
    (1, 1_000_000_000),
    (0, i64::MAX),
    (-1000, 1000),
    (0, 3),
    (i64::MIN, i64::MAX),
];

impl SpecimenKinds {
    pub(crate) fn new(kinds: &mut KindTable) -> Self {
        let mut labels = SpanLabels::new();
        let element = labels.intern("element");
        let node = labels.intern("node");
        let pool = PoolId(0);
        let range = |(min, max)| {
            Kind::Integer(IntegerKind::between(min, max).expect("a range").in_pool(pool))
        };
        let more = |min, max| Kind::MoreElements(MoreElementsKind { min, max, average: 8 });
        let bounds = [(0, None), (0, Some(10)), (1, Some(100)), (0, Some(0))];
        SpecimenKinds {
            any: kinds.intern(Kind::Integer(IntegerKind::any().in_pool(pool))),
            ranges: RANGES.iter().map(|it| (*it, kinds.intern(range(*it)))).collect(),
            selectors: (1..10)
                .map(|n| {
                    kinds.intern(Kind::Selector(SelectorKind::even(n).expect("one or more")))
                })
                .collect(),
            boolean: kinds.intern(Kind::Boolean(BooleanKind::with_chance(1, 2))),
            lists: bounds.iter().map(|it| (*it, kinds.intern(more(it.0, it.1)))).collect(),
            float: kinds.intern(Kind::Float(FloatKind::any())),
            text: TextKind {
                chars: kinds.intern(Kind::Char(CharKind::any())),
                more: kinds.intern(more(0, None)),
                element,
                frequent_texts: [].into(),
            },
            element,
            node,
        }
    }
}

/// Whether a run should record the values it drew as text.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ValueDisplay {
    Hidden,
    Shown,
}

/// What a specimen draws from.
pub(crate) struct SpecimenSource<'a> {
    pub(crate) source: &'a mut Source,
    pub(crate) kit: &'a SpecimenKinds,
    pub(crate) show: ValueDisplay,
    pub(crate) shown: String,
}

pub(crate) type DrawResult<T> = Result<T, RunStopped>;

impl SpecimenSource<'_> {
    /// The verdict; records the values if they should be shown.
    #[expect(
        clippy::fn_params_excessive_bools,
        reason = "that it fails is all there is to say"
    )]
    pub(crate) fn judge<T: std::fmt::Debug>(
        &mut self,
        fails: bool,
        values: T,
    ) -> DrawResult<RunVerdict> {
        if self.show == ValueDisplay::Shown {
            self.shown = format!("{values:?}");
        }
        Ok(if fails { RunVerdict::Fail(FailureIdentity(1)) } else { RunVerdict::Pass })
    }

    /// The same with a text in place of the values.
    #[expect(
        clippy::fn_params_excessive_bools,
        reason = "that it fails is all there is to say"
    )]
    pub(crate) fn judge_shown(&mut self, fails: bool, shown: &str) -> DrawResult<RunVerdict> {
        let verdict = self.judge(fails, ())?;
        if self.show == ValueDisplay::Shown {
            shown.clone_into(&mut self.shown);
        }
        Ok(verdict)
    }

    pub(crate) fn spanned<T>(
        &mut self,
        label: SpanLabel,
        draw: impl FnOnce(&mut Self) -> DrawResult<T>,
    ) -> DrawResult<T> {
        self.source.open_span(label);
        let value = draw(self)?;
        self.source.close_span();
        Ok(value)
    }

    /// A parameter; there are at most ten.
    pub(crate) fn param<T>(
        &mut self,
        n: u32,
        draw: impl FnOnce(&mut Self) -> DrawResult<T>,
    ) -> DrawResult<T> {
        self.spanned(SpanLabel(1000 + n), draw)
    }

    /// A constructor or recursive call.
    pub(crate) fn node<T>(
        &mut self,
        draw: impl FnOnce(&mut Self) -> DrawResult<T>,
    ) -> DrawResult<T> {
        self.spanned(self.kit.node, draw)
    }

    pub(crate) fn int(&mut self, min: i64, max: i64) -> DrawResult<i64> {
        let cached = self.kit.ranges.iter().find(|it| it.0 == (min, max));
        match cached {
            Some((_, kind)) => self.source.draw_small(*kind).ok_or(RunStopped),
            None => self.source.draw_small_within(self.kit.any, min, max),
        }
    }

    pub(crate) fn any_int(&mut self) -> DrawResult<num_bigint::BigInt> {
        self.source.draw_integer(self.kit.any)
    }

    pub(crate) fn boolean(&mut self) -> DrawResult<bool> {
        self.source.draw_boolean(self.kit.boolean)
    }

    pub(crate) fn float(&mut self) -> DrawResult<f64> {
        self.source.draw_float(self.kit.float)
    }

    pub(crate) fn text(&mut self) -> DrawResult<String> {
        self.source.draw_text(&self.kit.text)
    }

    pub(crate) fn pick(&mut self, n: usize) -> DrawResult<i64> {
        self.source.draw_small(self.kit.selectors[n - 1]).ok_or(RunStopped)
    }

    pub(crate) fn list<T>(
        &mut self,
        min: u32,
        max: Option<u32>,
        mut element: impl FnMut(&mut Self) -> DrawResult<T>,
    ) -> DrawResult<Vec<T>> {
        let more = self.kit.lists.iter().find(|it| it.0 == (min, max));
        let more = more.expect("a list of the kit").1;
        let mut list = Vec::new();
        while self.source.open_element(self.kit.element, more, list.len() as u32)? {
            list.push(element(self)?);
            self.source.close_span();
        }
        Ok(list)
    }

    pub(crate) fn ints(&mut self, min: i64, max: i64) -> DrawResult<Vec<i64>> {
        self.list(0, None, |it| it.int(min, max))
    }
}
