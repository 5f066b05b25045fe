//! Exhaustiveness of matches built by hand: missing values and unreachable arms.

use std::sync::Arc;

use crate::{
    Body, Ctor, CtorId, Field, Literal, LocalId, ModuleId, Pattern, PatternId, Program,
    RestPattern, Shape, TypeDef, TypeId, TypeTable,
};
use gainsay_source::{FileId, Span};

use super::{ArmGuard, MatchArm, MatchExhaustiveness, check_match};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// Declares types and builds patterns over them.
#[derive(Default)]
struct MatchBuilder {
    program: Program,
    body: Body,
    rows: Vec<MatchArm>,
}

impl MatchBuilder {
    /// Declares a type; a constructor is a name and the names of its fields, `""` for none.
    fn declare(&mut self, name: &str, shape: Shape, ctors: &[(&str, &[&str])]) -> Vec<CtorId> {
        let ty = TypeId(self.program.nominals.len() as u32);
        let first = self.program.ctors.len() as u32;
        let ids: Vec<CtorId> = (first..first + ctors.len() as u32).map(CtorId).collect();
        for (tag, (name, fields)) in ctors.iter().enumerate() {
            let field = |it: &&str| Field {
                name: (!it.is_empty()).then(|| (*it).into()),
                ty: TypeTable::INT,
                span: NOWHERE,
            };
            self.program.ctors.push(Ctor {
                name: (*name).into(),
                ty,
                tag: tag as u32,
                fields: fields.iter().map(field).collect(),
                span: NOWHERE,
            });
        }
        self.program.nominals.push(TypeDef {
            name: name.into(),
            module: ModuleId(0),
            span: NOWHERE,
            params: Box::default(),
            shape,
            ctors: ids.clone().into(),
            weights: None,
        });
        ids
    }

    fn option(&mut self) -> (CtorId, CtorId) {
        let ids = self.declare("Option", Shape::Sum, &[("None", &[]), ("Some", &[""])]);
        (ids[0], ids[1])
    }

    fn any(&mut self) -> PatternId {
        self.body.add_pattern(Pattern::Wildcard)
    }

    fn bind(&mut self) -> PatternId {
        self.body.add_pattern(Pattern::Bind(LocalId(0)))
    }

    fn int(&mut self, value: i64) -> PatternId {
        self.body.add_pattern(Pattern::Literal(Literal::Int(value)))
    }

    fn yes(&mut self) -> PatternId {
        self.body.add_pattern(Pattern::Literal(Literal::Bool(true)))
    }

    fn no(&mut self) -> PatternId {
        self.body.add_pattern(Pattern::Literal(Literal::Bool(false)))
    }

    fn text(&mut self, value: &str) -> PatternId {
        self.body.add_pattern(Pattern::Literal(Literal::Str(Arc::from(value))))
    }

    fn ctor(&mut self, ctor: CtorId, parts: &[PatternId]) -> PatternId {
        self.body.add_pattern(Pattern::Ctor(ctor, parts.into()))
    }

    fn tuple(&mut self, parts: &[PatternId]) -> PatternId {
        self.body.add_pattern(Pattern::Tuple(parts.into()))
    }

    fn list(&mut self, items: &[PatternId]) -> PatternId {
        self.body.add_pattern(Pattern::List(items.into(), RestPattern::Nothing))
    }

    fn list_with_rest(&mut self, items: &[PatternId]) -> PatternId {
        let rest = self.any();
        self.body.add_pattern(Pattern::List(items.into(), RestPattern::Some(rest)))
    }

    fn or(&mut self, parts: &[PatternId]) -> PatternId {
        self.body.add_pattern(Pattern::Or(parts.into()))
    }

    fn arm(&mut self, pattern: PatternId) {
        self.rows.push(MatchArm { pattern, guard: ArmGuard::Absent });
    }

    fn guarded_arm(&mut self, pattern: PatternId) {
        self.rows.push(MatchArm { pattern, guard: ArmGuard::Present });
    }

    fn check(&self) -> MatchExhaustiveness {
        check_match(&self.program, &self.body, TypeTable::INT, &self.rows)
    }

    fn missing(&self) -> String {
        self.check().missing.join(" or ")
    }
}

#[test]
fn a_match_without_arms_misses_everything() {
    assert_eq!(MatchBuilder::default().missing(), "_");
}

#[test]
fn a_name_takes_everything() {
    let mut it = MatchBuilder::default();
    let x = it.bind();
    it.arm(x);
    assert_eq!(it.check(), MatchExhaustiveness::default());
}

#[test]
fn a_missing_constructor_is_named_with_its_fields() {
    let mut it = MatchBuilder::default();
    let ctors = it.declare("Tree", Shape::Sum, &[("Leaf", &[]), ("Node", &["", ""])]);
    let leaf = it.ctor(ctors[0], &[]);
    it.arm(leaf);
    assert_eq!(it.missing(), "Node(_, _)");
}

#[test]
fn missing_parts_are_found_inside_tuples() {
    let mut it = MatchBuilder::default();
    let (none, some) = it.option();
    let (x, y) = (it.any(), it.any());
    let (a, b) = (it.ctor(some, &[x]), it.ctor(some, &[y]));
    let both = it.tuple(&[a, b]);
    let (n, w) = (it.ctor(none, &[]), it.any());
    let first_none = it.tuple(&[n, w]);
    it.arm(both);
    it.arm(first_none);
    assert_eq!(it.missing(), "(Some(_), None)");
}

#[test]
fn at_most_three_examples_are_given() {
    let mut it = MatchBuilder::default();
    let names: [(&str, &[&str]); 5] =
        [("A", &[]), ("B", &[]), ("C", &[]), ("D", &[]), ("E", &[])];
    let ctors = it.declare("Letter", Shape::Sum, &names);
    let b = it.ctor(ctors[1], &[]);
    it.arm(b);
    assert_eq!(it.missing(), "A or C or D");
}

#[test]
fn lists_are_nil_or_cons() {
    let mut it = MatchBuilder::default();
    let nil = it.list(&[]);
    let (x, y) = (it.any(), it.any());
    let two = it.list_with_rest(&[x, y]);
    it.arm(nil);
    it.arm(two);
    assert_eq!(it.missing(), "[_]");
    let z = it.any();
    let one = it.list(&[z]);
    it.arm(one);
    assert_eq!(it.check(), MatchExhaustiveness::default());
}

#[test]
fn a_list_that_goes_on_is_written_with_dots() {
    let mut it = MatchBuilder::default();
    let nil = it.list(&[]);
    it.arm(nil);
    assert_eq!(it.missing(), "[_, ..]");
}

#[test]
fn literals_of_endless_types_never_cover() {
    let mut it = MatchBuilder::default();
    let empty = it.text("");
    it.arm(empty);
    assert_eq!(it.missing(), "_");
}

#[test]
fn a_second_equal_literal_is_never_reached() {
    let mut it = MatchBuilder::default();
    for value in [1, 2, 1] {
        let literal = it.int(value);
        it.arm(literal);
    }
    let any = it.any();
    it.arm(any);
    assert_eq!(
        it.check(),
        MatchExhaustiveness { unreachable: vec![2], ..MatchExhaustiveness::default() }
    );
}

#[test]
fn truth_values_are_two() {
    let mut it = MatchBuilder::default();
    let yes = it.yes();
    it.arm(yes);
    assert_eq!(it.missing(), "false");
    let no = it.no();
    it.arm(no);
    let any = it.any();
    it.arm(any);
    assert_eq!(
        it.check(),
        MatchExhaustiveness { unreachable: vec![2], ..MatchExhaustiveness::default() }
    );
}

#[test]
fn guarded_arms_cover_nothing_but_can_be_unreachable() {
    let mut it = MatchBuilder::default();
    let a = it.any();
    it.guarded_arm(a);
    assert_eq!(it.missing(), "_");
    let (b, c) = (it.any(), it.any());
    it.arm(b);
    it.guarded_arm(c);
    assert_eq!(
        it.check(),
        MatchExhaustiveness { unreachable: vec![2], ..MatchExhaustiveness::default() }
    );
}

#[test]
fn records_are_written_by_field() {
    let mut it = MatchBuilder::default();
    let account = it.declare("Account", Shape::Record, &[("Account", &["id", "open"])])[0];
    let (id, open) = (it.any(), it.yes());
    let pattern = it.ctor(account, &[id, open]);
    it.arm(pattern);
    assert_eq!(it.missing(), "Account { open: false, .. }");
}

#[test]
fn constructors_with_named_fields_are_written_by_field() {
    let mut it = MatchBuilder::default();
    let ctors = it.declare(
        "Entry",
        Shape::Sum,
        &[("Deposit", &["", ""]), ("Transfer", &["from", "to"])],
    );
    let (a, b) = (it.any(), it.any());
    let deposit = it.ctor(ctors[0], &[a, b]);
    it.arm(deposit);
    assert_eq!(it.missing(), "Transfer(..)");
}

#[test]
fn an_alternative_that_was_taken_before_is_found() {
    let mut it = MatchBuilder::default();
    let (none, some) = it.option();
    let one = it.int(1);
    let first = it.ctor(some, &[one]);
    it.arm(first);
    let (again, two) = (it.int(1), it.int(2));
    let inner = it.or(&[again, two]);
    let second = it.ctor(some, &[inner]);
    it.arm(second);
    let (n, x) = (it.ctor(none, &[]), it.any());
    let rest = it.ctor(some, &[x]);
    let last = it.or(&[n, rest]);
    it.arm(last);
    let expected = MatchExhaustiveness {
        unreachable_alternatives: vec![(1, again)],
        ..MatchExhaustiveness::default()
    };
    assert_eq!(it.check(), expected);
}

#[test]
fn or_patterns_cover_together() {
    let mut it = MatchBuilder::default();
    let (none, some) = it.option();
    let (n, x) = (it.ctor(none, &[]), it.any());
    let s = it.ctor(some, &[x]);
    let both = it.or(&[n, s]);
    let tail = it.any();
    let pair = it.tuple(&[both, tail]);
    it.arm(pair);
    assert_eq!(it.check(), MatchExhaustiveness::default());
}

#[test]
fn what_a_lone_pattern_does_not_take_is_named() {
    let mut it = MatchBuilder::default();
    let (_, some) = it.option();
    let x = it.bind();
    let pattern = it.ctor(some, &[x]);
    it.arm(pattern);
    assert_eq!(it.missing(), "None");
}

#[test]
fn patterns_of_different_types_are_left_to_others() {
    let mut it = MatchBuilder::default();
    let (one, yes) = (it.int(1), it.yes());
    it.arm(one);
    it.arm(yes);
    assert_eq!(it.check(), MatchExhaustiveness::default());
}

#[test]
fn the_type_of_an_error_is_always_covered() {
    let it = MatchBuilder::default();
    let coverage = check_match(&it.program, &it.body, TypeTable::ERROR, &[]);
    assert_eq!(coverage, MatchExhaustiveness::default());
}

#[test]
fn many_literal_arms_are_decided() {
    let mut it = MatchBuilder::default();
    for value in 0..5_000 {
        let literal = it.int(value);
        it.arm(literal);
    }
    let any = it.any();
    it.arm(any);
    let again = it.int(4_999);
    it.arm(again);
    assert_eq!(
        it.check(),
        MatchExhaustiveness { unreachable: vec![5_001], ..MatchExhaustiveness::default() }
    );
}

#[test]
fn many_constructors_on_both_sides_are_decided() {
    let names: Vec<String> = (0..200).map(|at| format!("C{at}")).collect();
    let ctors: Vec<(&str, &[&str])> = names.iter().map(|it| (&**it, &[][..])).collect();
    let mut it = MatchBuilder::default();
    let ids = it.declare("Big", Shape::Sum, &ctors);
    for id in ids {
        let (a, b) = (it.ctor(id, &[]), it.ctor(id, &[]));
        let pair = it.tuple(&[a, b]);
        it.arm(pair);
    }
    assert_eq!(it.missing(), "(C0, C1) or (C0, C2) or (C0, C3)");
    let any = it.any();
    it.arm(any);
    assert_eq!(it.check(), MatchExhaustiveness::default());
}

/// Each row fixes two adjacent ones of twenty booleans, so that nothing is decided early.
fn hard() -> MatchBuilder {
    let mut it = MatchBuilder::default();
    for at in 0..20_usize {
        for value in [true, false] {
            let cells: Vec<PatternId> = (0..24)
                .map(|column| {
                    let is_other = column == (at * 7 + 3) % 24;
                    match (column == at, is_other, value) {
                        (true, _, true) | (false, true, false) => it.yes(),
                        (true, _, false) | (false, true, true) => it.no(),
                        (false, false, _) => it.any(),
                    }
                })
                .collect();
            let line = it.tuple(&cells);
            it.arm(line);
        }
    }
    it
}

#[test]
fn a_match_that_is_too_hard_wants_a_wildcard() {
    let mut it = hard();
    let cells: Vec<PatternId> = (0..24).map(|_| it.any()).collect();
    let line = it.tuple(&cells);
    it.guarded_arm(line);
    assert_eq!(it.missing(), "_");
    let any = it.any();
    it.arm(any);
    assert_eq!(it.check(), MatchExhaustiveness::default());
}

#[test]
fn a_very_long_list_pattern_is_not_followed_to_its_end() {
    let mut it = MatchBuilder::default();
    let items: Vec<PatternId> = (0..100_000).map(|value| it.int(value)).collect();
    let list = it.list(&items);
    it.arm(list);
    assert_eq!(it.missing(), "_");
}
