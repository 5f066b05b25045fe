//! Compares decision graphs with trying the arms in turn, on random matches and on adversarial
//! families.

mod families;
mod random_matches;
mod reference_match;

use gainsay_core::{
    Body, Ctor, CtorId, Field, Literal, LocalId, ModuleId, Pattern, PatternId, Program,
    RestPattern, Shape, TypeDef, TypeId, TypeTable,
};
use gainsay_source::{FileId, Span};

use super::decision_budget::DecisionBudget;
use super::graph_builder::DecisionGraphBuilder;
use super::{
    DecisionGraph, DecisionId, DecisionNode, DecisionRow, Occurrence, OccurrenceId,
    OccurrenceTest, compile_match, split_columns,
};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// More than any small match needs: the sequential fallback is never taken.
const UNLIMITED: DecisionBudget = DecisionBudget { copies: u64::MAX, work: u64::MAX };

/// Declares types and builds rows over them.
#[derive(Default)]
struct MatchFixture {
    program: Program,
    body: Body,
    rows: Vec<DecisionRow>,
}

impl MatchFixture {
    /// Declares a type whose constructors have the given numbers of fields.
    fn declare(&mut self, n_fields: &[usize]) -> Vec<CtorId> {
        let ty = TypeId(self.program.nominals.len() as u32);
        let first = self.program.ctors.len() as u32;
        let ctors: Vec<CtorId> = (first..).take(n_fields.len()).map(CtorId).collect();
        for (tag, n_fields) in (0..).zip(n_fields) {
            let field = Field { name: None, ty: TypeTable::INT, span: NOWHERE };
            let fields = vec![field; *n_fields].into();
            self.program.ctors.push(Ctor { name: "C".into(), ty, tag, fields, span: NOWHERE });
        }
        self.program.nominals.push(TypeDef {
            name: "T".into(),
            module: ModuleId(0),
            span: NOWHERE,
            params: Box::default(),
            shape: Shape::Sum,
            ctors: ctors.clone().into(),
            weights: None,
        });
        ctors
    }

    fn any(&mut self) -> PatternId {
        self.body.add_pattern(Pattern::Wildcard)
    }

    fn bind(&mut self, local: u32) -> PatternId {
        self.body.add_pattern(Pattern::Bind(LocalId(local)))
    }

    fn int(&mut self, value: i64) -> PatternId {
        self.body.add_pattern(Pattern::Literal(Literal::Int(value)))
    }

    fn float(&mut self, value: f64) -> PatternId {
        self.body.add_pattern(Pattern::Literal(Literal::Float(value)))
    }

    fn ctor(&mut self, ctor: CtorId, parts: &[PatternId]) -> PatternId {
        self.body.add_pattern(Pattern::Ctor(ctor, parts.into()))
    }

    fn tuple(&mut self, parts: &[PatternId]) -> PatternId {
        self.body.add_pattern(Pattern::Tuple(parts.into()))
    }

    fn list(&mut self, parts: &[PatternId], rest: RestPattern) -> PatternId {
        self.body.add_pattern(Pattern::List(parts.into(), rest))
    }

    fn either(&mut self, parts: &[PatternId]) -> PatternId {
        self.body.add_pattern(Pattern::Or(parts.into()))
    }

    /// Adds an arm without a guard.
    fn arm(&mut self, patterns: &[PatternId]) {
        let patterns = patterns.iter().copied().map(Some).collect();
        self.rows.push(DecisionRow { patterns, arm: self.rows.len(), has_guard: false });
    }

    /// Adds an arm with a guard.
    fn guarded(&mut self, patterns: &[PatternId]) {
        self.arm(patterns);
        self.rows.last_mut().unwrap().has_guard = true;
    }

    fn decide(&self) -> DecisionGraph {
        compile_match(&self.program, &self.body, &self.rows)
    }

    fn decide_within(&self, budget: DecisionBudget) -> DecisionGraph {
        let builder = DecisionGraphBuilder::new(&self.program, &self.body, &self.rows);
        builder.build(&self.rows, Some(budget))
    }
}

/// The decision graph as text, one node per line.
fn text(decisions: &DecisionGraph) -> String {
    let lines = decisions.nodes.iter().enumerate().map(|(index, node)| match node {
        DecisionNode::Arm { arm, bindings, otherwise } => {
            let bindings: Vec<String> = bindings
                .iter()
                .map(|(local, place)| {
                    format!(" _{}={}", local.0, place_text(decisions, *place))
                })
                .collect();
            let otherwise = otherwise.map(|it| format!(" else {}", it.0)).unwrap_or_default();
            format!("{index}: arm {arm}{}{otherwise}\n", bindings.concat())
        }
        DecisionNode::Switch { occurrence: place, cases, default } => {
            let cases: Vec<String> =
                cases.iter().map(|(test, next)| format!(" {test:?} {}", next.0)).collect();
            let default = default.map(|it| format!(" else {}", it.0)).unwrap_or_default();
            let place = place_text(decisions, *place);
            format!("{index}: {place}:{}{default}\n", cases.join(","))
        }
        DecisionNode::Bind { bindings, next } => {
            format!("{index}: bind {} then {}\n", bindings.len(), next.0)
        }
        DecisionNode::Fail => format!("{index}: fail\n"),
    });
    lines.collect()
}

fn place_text(decisions: &DecisionGraph, place: OccurrenceId) -> String {
    match decisions.occurrence(place) {
        Occurrence::Column(column) => format!("${column}"),
        Occurrence::Field { of, index } => format!("{}.{index}", place_text(decisions, of)),
        Occurrence::Head(of) => format!("{}.head", place_text(decisions, of)),
        Occurrence::Tail(of) => format!("{}.tail", place_text(decisions, of)),
    }
}

#[test]
fn the_last_constructor_needs_no_test() {
    let mut m = MatchFixture::default();
    let ctors = m.declare(&[0, 1, 2]);
    let (x, y) = (m.bind(0), m.bind(1));
    let patterns = [m.ctor(ctors[0], &[]), m.ctor(ctors[1], &[x]), m.ctor(ctors[2], &[x, y])];
    patterns.iter().for_each(|it| m.arm(&[*it]));
    let expected = "0: $0: Ctor(CtorId(0)) 1, Ctor(CtorId(1)) 2, Ctor(CtorId(2)) 3\n\
                    1: arm 0\n2: arm 1 _0=$0.0\n3: arm 2 _0=$0.0 _1=$0.1\n";
    assert_eq!(text(&m.decide()), expected);
}

#[test]
fn a_shared_answer_needs_no_test() {
    let mut m = MatchFixture::default();
    let ctors = m.declare(&[0, 0, 0]);
    let [a, b, c] = [0, 1, 2].map(|it| m.ctor(ctors[it], &[]));
    let b_or_c = m.either(&[b, c]);
    m.arm(&[a]);
    m.arm(&[b_or_c]);
    assert_eq!(text(&m.decide()), "0: $0: Ctor(CtorId(0)) 1 else 2\n1: arm 0\n2: arm 1\n");
}

#[test]
fn tuples_and_records_need_no_test() {
    let mut m = MatchFixture::default();
    let record = m.declare(&[2])[0];
    let (x, y) = (m.bind(0), m.bind(1));
    let inner = m.ctor(record, &[x, y]);
    let any = m.any();
    let outer = m.tuple(&[any, inner]);
    m.arm(&[outer]);
    assert_eq!(text(&m.decide()), "0: arm 0 _0=$0.1.0 _1=$0.1.1\n");
}

#[test]
fn both_zeros_are_one_test_and_nan_is_none() {
    let mut m = MatchFixture::default();
    for value in [f64::NAN, -0.0, 0.0, 1.0] {
        let pattern = m.float(value);
        m.guarded(&[pattern]);
    }
    let any = m.any();
    m.arm(&[any]);
    let expected = "0: $0: Float(0) 1, Float(4607182418800017408) 3 else 4\n\
                    1: arm 1 else 2\n2: arm 2 else 4\n3: arm 3 else 4\n4: arm 4\n";
    assert_eq!(text(&m.decide()), expected);
}

#[test]
fn lists_are_looked_at_element_by_element() {
    let mut m = MatchFixture::default();
    let (x, rest) = (m.bind(0), m.bind(1));
    let empty = m.list(&[], RestPattern::Nothing);
    let one = m.list(&[x], RestPattern::Nothing);
    let more = m.list(&[x], RestPattern::Some(rest));
    [empty, one, more].iter().for_each(|it| m.arm(&[*it]));
    let expected = "0: $0: Nil 1, Cons 2\n1: arm 0\n2: $0.tail: Nil 3 else 4\n\
                    3: arm 1 _0=$0.head\n4: arm 2 _0=$0.head _1=$0.tail\n";
    assert_eq!(text(&m.decide()), expected);
}

#[test]
fn the_guard_of_an_arm_is_asked_once_whatever_alternatives_match() {
    let mut m = MatchFixture::default();
    let (x, any) = (m.bind(0), m.any());
    let one = m.int(1);
    let (left, right) = (m.tuple(&[x, one]), m.tuple(&[one, x]));
    let pattern = m.either(&[left, right]);
    m.guarded(&[pattern]);
    m.arm(&[any]);
    let expected = "0: $0.1: Int(1) 1 else 2\n1: arm 0 _0=$0.0 else 4\n\
                    2: $0.0: Int(1) 3 else 4\n3: arm 0 _0=$0.1 else 4\n4: arm 1\n";
    assert_eq!(text(&m.decide()), expected);
}

#[test]
fn a_tuple_splits_into_columns_unless_it_is_bound() {
    let mut m = MatchFixture::default();
    let (any, x, one) = (m.any(), m.bind(0), m.int(1));
    let (left, right) = (m.tuple(&[one, any]), m.tuple(&[any, one]));
    let pattern = m.either(&[left, right]);
    m.guarded(&[pattern]);
    m.arm(&[any]);
    let split = split_columns(&m.body, &m.rows, 2).unwrap();
    let columns: Vec<_> = split.iter().map(|row| (row.arm, row.patterns.clone())).collect();
    let expected = [
        (0, vec![Some(one), Some(any)]),
        (0, vec![Some(any), Some(one)]),
        (1, vec![None, None]),
    ];
    assert_eq!(columns, expected);
    let bound = m.either(&[left, x]);
    m.arm(&[bound]);
    assert!(split_columns(&m.body, &m.rows, 2).is_none());
}

#[test]
fn a_match_without_arms_fails() {
    let mut m = MatchFixture::default();
    assert_eq!(text(&m.decide()), "0: fail\n");
    let one = m.int(1);
    m.arm(&[one]);
    assert_eq!(text(&m.decide()), "0: $0: Int(1) 1 else 2\n1: arm 0\n2: fail\n");
}
