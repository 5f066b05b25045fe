//! Contracts and refinements: who is blamed, and with which values.

use gainsay_core::builtin::{GT, INT_ADD, INT_SUB, LE};
use gainsay_core::{Clause, FunctionId, LocalId, Term, Ty, TyId};
use gainsay_vm::{ClauseKind, FaultKind, RefinedRole, Value, show};

use crate::builder::{INT, ProgramBuilder, SOME, span};

/// `fn withdraw(a, cents) in { cents <= a } out (r) { a > r } { a - cents + wrong }`
fn withdraw(b: &mut ProgramBuilder, wrong: i64) -> FunctionId {
    b.function("withdraw", &[("a", INT), ("cents", INT)], INT, |d| {
        let (cents, a) = (d.local(1), d.local(0));
        let clause = d.builtin(LE, &[cents, a]);
        d.requires(clause);
        let result = d.body.add_local("r", INT, span(0));
        let (a, r) = (d.local(0), d.local(result.0));
        let clause = d.builtin(GT, &[a, r]);
        d.ensures(result, clause);
        let (a, cents, wrong) = (d.local(0), d.local(1), d.int(wrong));
        let left = d.builtin(INT_SUB, &[a, cents]);
        d.builtin(INT_ADD, &[left, wrong])
    })
}

#[test]
fn a_violated_in_blames_the_caller() {
    let mut b = ProgramBuilder::new();
    let f = withdraw(&mut b, 0);
    let main = b.function("main", &[], INT, |d| {
        let (a, cents) = (d.int(50), d.int(60));
        d.call(f, &[a, cents])
    });
    let fault = b.fault(main, &[]);
    let FaultKind::Contract { clause: ClauseKind::In, function, .. } = fault.kind else {
        panic!("{:?}", fault.kind)
    };
    assert_eq!(
        (function, fault.function, fault.span),
        (f, main, span(1000 * (main.0 + 1) + 2))
    );
    let values: Vec<_> = fault.values.iter().map(|(name, it)| (&**name, it.as_int())).collect();
    assert_eq!(values, [("a", Some(50)), ("cents", Some(60))]);
    assert_eq!(fault.call_stack.inner().len(), 1);
    assert_eq!(fault.call_stack.inner()[0].function, main);
}

#[test]
fn a_violated_out_blames_the_function() {
    let mut b = ProgramBuilder::new();
    let f = withdraw(&mut b, 100);
    let main = b.function("main", &[], INT, |d| {
        let (a, cents) = (d.int(50), d.int(20));
        d.call(f, &[a, cents])
    });
    let program = b.program.clone();
    let fault = b.fault(main, &[]);
    assert!(matches!(fault.kind, FaultKind::Contract { clause: ClauseKind::Out, .. }));
    assert_eq!(fault.function, f);
    let functions: Vec<_> =
        fault.call_stack.inner().iter().map(|frame| frame.function).collect();
    // The call was a tail call of `main`, whose frame is still reported.
    assert_eq!(functions, [f, main]);
    let diagnostic = fault.to_diagnostic(&program);
    assert_eq!(diagnostic.code.number, 602);
    assert_eq!(diagnostic.notes, ["a = 50", "cents = 20", "r = 130"]);
}

#[test]
fn a_kept_contract_is_silent_and_keeps_the_frame() {
    let mut b = ProgramBuilder::new();
    let f = withdraw(&mut b, 0);
    assert_eq!(b.value(f, &[Value::Int(50), Value::Int(20)]).as_int(), Some(30));
}

/// Passes a value through a parameter of a type; returns whether it was accepted.
fn accepted(
    make: impl FnOnce(&mut ProgramBuilder, TyId) -> TyId,
    value: Value,
) -> Result<Value, String> {
    let mut b = ProgramBuilder::new();
    let nat = b.nat();
    let ty = make(&mut b, nat);
    let f = b.function("f", &[("x", ty)], ty, |d| d.local(0));
    let program = b.program.clone();
    match b.run(f, &[value]).result {
        Ok(value) => Ok(value),
        Err(fault) => {
            assert!(matches!(
                fault.kind,
                FaultKind::Refinement { role: RefinedRole::Argument { param: 0, .. }, .. }
            ));
            let (_, part) = fault.values.last().expect("the part");
            Err(show(&program, part))
        }
    }
}

fn ints(items: &[i64]) -> Value {
    Value::list(items.iter().copied().map(Value::Int).collect::<Vec<_>>())
}

#[test]
fn refinements_are_found_wherever_they_are_inside() {
    assert!(accepted(|_, nat| nat, Value::Int(3)).is_ok());
    assert_eq!(accepted(|_, nat| nat, Value::Int(-3)).unwrap_err(), "-3");
    let list = |b: &mut ProgramBuilder, nat| b.ty(Ty::List(nat));
    assert!(accepted(list, ints(&[1, 2])).is_ok());
    assert_eq!(accepted(list, ints(&[1, -2, -3])).unwrap_err(), "-2");
    let option =
        |b: &mut ProgramBuilder, nat| b.ty(Ty::Named(gainsay_core::TypeId(0), Box::new([nat])));
    assert_eq!(accepted(option, Value::data(SOME, vec![Value::Int(-1)])).unwrap_err(), "-1");
    let nested = |b: &mut ProgramBuilder, nat| {
        let list = b.ty(Ty::List(nat));
        let pair = b.ty(Ty::Tuple(Box::new([INT, list])));
        b.ty(Ty::Map(INT, pair))
    };
    let map = |items: &[i64]| {
        let pair = Value::tuple(vec![Value::Int(-1), ints(items)]);
        Value::Map(gainsay_vm::ValueTable::from_entries([(Value::Int(-9), pair)]))
    };
    assert!(accepted(nested, map(&[5])).is_ok());
    assert_eq!(accepted(nested, map(&[5, -5])).unwrap_err(), "-5");
}

#[test]
fn a_long_list_of_refined_values_is_checked() {
    let list = |b: &mut ProgramBuilder, nat| b.ty(Ty::List(nat));
    let items: Vec<i64> = (0..10_000).collect();
    assert!(accepted(list, ints(&items)).is_ok());
}

#[test]
fn a_refined_result_blames_the_function() {
    let mut b = ProgramBuilder::new();
    let nat = b.nat();
    let f = b.function("f", &[("x", INT)], nat, |d| d.local(0));
    let fault = b.fault(f, &[Value::Int(-1)]);
    assert!(matches!(
        fault.kind,
        FaultKind::Refinement { role: RefinedRole::Result(it), .. } if it == f
    ));
    let names: Vec<_> = fault.values.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["x", "result", "it"]);
}

#[test]
fn a_refine_term_checks_its_value() {
    let mut b = ProgramBuilder::new();
    let nat = b.nat();
    let f = b.function("f", &[("x", INT)], INT, |d| {
        let x = d.local(0);
        d.add(Term::Refine { value: x, ty: nat })
    });
    let engine = b.engine();
    let mut worker = engine.worker(gainsay_vm::Limits::default());
    let ok = worker.call(f, &[Value::Int(1)], &mut gainsay_vm::NoEffects);
    assert_eq!(ok.result.unwrap().as_int(), Some(1));
    let bad = worker.call(f, &[Value::Int(-1)], &mut gainsay_vm::NoEffects);
    let role = RefinedRole::Part;
    assert_eq!(bad.result.unwrap_err().kind, FaultKind::Refinement { ty: nat, role });
}

#[test]
fn a_clause_that_fails_itself_is_traced_through_its_function() {
    let mut b = ProgramBuilder::new();
    let f = b.function("f", &[("x", INT)], INT, |d| {
        let (one, x, zero) = (d.int(1), d.local(0), d.int(0));
        let quotient = d.builtin(gainsay_core::builtin::INT_DIV, &[one, x]);
        let clause = d.builtin(GT, &[quotient, zero]);
        d.requires(clause);
        d.local(0)
    });
    b.program.functions[f.index()].ensures = Box::new([Clause {
        term: gainsay_core::TermId(4),
        result: Some(LocalId(0)),
        span: span(1),
    }]);
    let fault = b.fault(f, &[Value::Int(0)]);
    assert_eq!(fault.kind, FaultKind::DivByZero);
    assert_eq!(fault.call_stack.inner().len(), 1);
}
