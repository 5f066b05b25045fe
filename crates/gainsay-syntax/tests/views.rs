//! Typed views of well-formed and broken code.

use gainsay_source::FileId;
use gainsay_syntax::ast::{
    BinaryOp, Expr, IntDigits, Item, LiteralToken, Pattern, Type, TypeBody, TypeItem,
};
use gainsay_syntax::{Parse, parse, parse_expression, parse_type};

fn expression(text: &str) -> Parse {
    let parse = parse_expression(FileId(0), text);
    assert!(parse.errors.is_empty(), "{:?}", parse.errors);
    parse
}

fn literal<T>(text: &str, read: impl Fn(LiteralToken<'_>) -> Option<T>) -> Option<T> {
    let parse = parse_expression(FileId(0), text);
    match parse.file().expr() {
        Some(Expr::Literal(it)) => it.literal().and_then(read),
        other => panic!("{text} is {other:?}"),
    }
}

#[test]
fn literals_have_values() {
    let digits = |text, radix| Some(IntDigits { digits: String::from(text), radix });
    assert_eq!(literal("1_000", |it| it.int_digits()), digits("1000", 10));
    assert_eq!(literal("0xFF", |it| it.int_digits()), digits("ff", 16));
    assert_eq!(literal("0b10_1", |it| it.int_digits()), digits("101", 2));
    assert_eq!(literal("0x", |it| it.int_digits()), None);
    assert_eq!(literal("1_0.5e-1", |it| it.float_value()), Some(1.05));
    assert_eq!(literal(r#""a\n\u{41}\\""#, |it| it.string_value()).as_deref(), Some("a\nA\\"));
    assert_eq!(literal(r#""open\""#, |it| it.string_value()).as_deref(), Some("open\""));
    assert_eq!(literal(r"'\''", |it| it.char_value()), Some('\''));
    assert_eq!(literal("true", |it| it.bool_value()), Some(true));
}

#[test]
fn operators_have_two_sides() {
    let parse = expression("a + b >= c");
    let Some(Expr::Binary(outer)) = parse.file().expr() else { panic!("a comparison") };
    assert_eq!(outer.op(), Some(BinaryOp::Ge));
    assert!(matches!(outer.lhs(), Some(Expr::Binary(_))));
    assert_eq!(outer.rhs().map(|it| it.node().text()), Some("c"));
}

#[test]
fn every_operator_is_its_row() {
    let parse = expression("a |> b || c && d == e ++ f + g * h");
    let mut node = parse.file().expr();
    let mut symbols = Vec::new();
    while let Some(Expr::Binary(binary)) = node {
        symbols.extend(binary.op().map(BinaryOp::symbol));
        node = binary.rhs();
    }
    assert_eq!(symbols, ["|>", "||", "&&", "==", "++", "+", "*"]);
}

#[test]
fn a_broken_operator_lacks_only_its_broken_side() {
    let parse = parse_expression(FileId(0), "a + ");
    let Some(Expr::Binary(binary)) = parse.file().expr() else { panic!("a sum") };
    assert!(binary.lhs().is_some());
    assert!(binary.rhs().is_none());
}

#[test]
fn an_if_without_a_condition_has_its_branches() {
    let parse = parse_expression(FileId(0), "if { 1 } else { 2 }");
    let Some(Expr::If(it)) = parse.file().expr() else { panic!("an if") };
    assert!(it.condition().is_none());
    assert_eq!(it.then_branch().map(|it| it.node().text()), Some("{ 1 }"));
    assert_eq!(it.else_branch().map(|it| it.node().text()), Some("{ 2 }"));
}

#[test]
fn a_function_has_its_parts() {
    let text =
        "/// Doc.\n@a(k = 1) fn f<A>(x: A) -> Int ! [D, R.i] in { p } out (r) { q } { b }\n";
    let parse = parse(FileId(0), text);
    assert!(parse.errors.is_empty());
    let Some(Item::Fn(it)) = parse.file().items().next() else { panic!("a function") };
    assert_eq!(it.docs().as_deref(), Some("Doc."));
    assert_eq!(it.name().map(|it| it.text()), Some("f"));
    let attribute = it.attributes().next().expect("one attribute");
    let key = attribute.args().next().and_then(|it| it.key());
    assert_eq!(key.map(|it| it.text()), Some("k"));
    let effects: Vec<String> =
        it.effects().into_iter().flat_map(|row| row.effects()).map(|it| it.dotted()).collect();
    assert_eq!(effects, ["D", "R.i"]);
    assert!(matches!(it.return_type(), Some(Type::Path(_))));
    assert_eq!(it.in_clauses().count(), 1);
    let result = it.out_clauses().next().and_then(|it| it.result());
    assert_eq!(result.map(|it| it.text()), Some("r"));
    assert_eq!(it.body().and_then(|it| it.tail()).map(|it| it.node().text()), Some("b"));
}

#[test]
fn types_are_sums_records_or_aliases() {
    let parse = parse(FileId(0), "type A = X(Int) | Y\ntype B = { f: Int }\ntype C = Int?\n");
    let bodies: Vec<TypeBody<'_>> = parse
        .tree
        .root()
        .children()
        .filter_map(TypeItem::cast)
        .filter_map(TypeItem::body)
        .collect();
    assert!(matches!(
        bodies[..],
        [TypeBody::Sum(_), TypeBody::Record(_), TypeBody::Alias(Type::Option(_))]
    ));
}

#[test]
fn rules_claims_and_binders_have_their_parts() {
    let text =
        "rel r(x: Int) { a: 2 % r(1) <- r(0), x > 1 }\nverify f law trace { f() => 1 }\n";
    let parse = parse(FileId(0), text);
    let items: Vec<Item<'_>> = parse.file().items().collect();
    let [Item::Rel(rel), Item::Verify(verify)] = items[..] else { panic!("{items:?}") };
    let rule = rel.rules().next().expect("one rule");
    assert_eq!(rule.weight().map(|it| it.node().text()), Some("2"));
    assert_eq!(rule.conclusion().map(|it| it.node().text()), Some("r(1)"));
    assert_eq!(rule.premises().count(), 2);
    assert!(verify.is_law() && !verify.is_trace());
    assert_eq!(verify.law().map(|it| it.text()), Some("trace"));

    let parse = expression("across (x <- g where c, y: T where d, z: T) {}");
    let Some(Expr::Across(across)) = parse.file().expr() else { panic!("an across") };
    let binders: Vec<_> = across.binders().collect();
    assert_eq!(binders[0].generator().map(|it| it.node().text()), Some("g"));
    assert_eq!(binders[0].condition().map(|it| it.node().text()), Some("c"));
    assert_eq!(binders[1].condition().map(|it| it.node().text()), Some("d"));
    assert!(binders[2].condition().is_none() && binders[2].ty().is_some());
}

#[test]
fn patterns_have_their_parts() {
    let parse = parse(FileId(0), "fn f() { match x { C(a, f: -1, ..) => 1 } }\n");
    let node = parse.tree.nodes().find_map(|it| match Pattern::cast(it) {
        Some(Pattern::Ctor(it)) => Some(it),
        Some(_) | None => None,
    });
    let ctor = node.expect("a constructor pattern");
    let labels: Vec<Option<&str>> =
        ctor.args().map(|it| it.label().map(|name| name.text())).collect();
    assert_eq!(labels, [None, Some("f")]);
    assert!(ctor.rest().is_some());
}

#[test]
fn lone_types_are_read() {
    let parse = parse_type(FileId(0), "List<Int{it > 0}>? extra");
    assert!(matches!(parse.file().ty(), Some(Type::Option(_))));
    assert_eq!(parse.errors.len(), 1);
}

#[test]
fn spans_leave_trivia_out() {
    let parse = expression(" f( x ) // c\n");
    assert_eq!(parse.file().expr().map(|it| it.node().text()), Some("f( x )"));
}

#[test]
fn trees_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Parse>();
}
