//! Profiles of an operation of the user, derived from the type of its answer.

use gainsay_core::{Datum, Literal, Program};

/// Values of a type that stand for all of it.
const MOST: usize = 5;

/// A profile: its name and its answers, one after the other or over and over.
pub(super) struct Answers {
    pub(super) name: String,
    pub(super) answers: Vec<Datum>,
    pub(super) is_cycle: bool,
}

impl Answers {
    /// The same answer for ever.
    pub(super) fn always(name: &str, answer: Datum) -> Self {
        Self { name: name.to_owned(), answers: vec![answer], is_cycle: false }
    }

    fn sequence(name: String, answers: &[&Datum]) -> Self {
        let answers = answers.iter().map(|it| (*it).clone()).collect();
        Self { name, answers, is_cycle: false }
    }

    fn cycle(name: String, answers: &[&Datum]) -> Self {
        Self { is_cycle: true, ..Self::sequence(name, answers) }
    }
}

/// Profiles from the values at the boundary of the type of the answer.
pub(super) fn derived(program: &Program, boundaries: &[Datum]) -> Vec<Answers> {
    let lang = program.lang;
    let of = |ctor| {
        boundaries.iter().find(|it| matches!(it, Datum::Data(it, _) if Some(*it) == ctor))
    };
    if let (Some(ok), Some(err)) = (of(lang.ok), of(lang.err)) {
        let mut found = vec![Answers::always("ok", ok.clone())];
        found.push(Answers::always("err", err.clone()));
        found.extend(schedules("err", ok, err));
        return found;
    }
    if let (Some(some), Some(none)) = (of(lang.some), of(lang.none)) {
        let mut found = vec![Answers::always("some", some.clone())];
        found.push(Answers::always("none", none.clone()));
        found.extend(schedules("none", some, none));
        return found;
    }
    if let [
        no @ Datum::Literal(Literal::Bool(false)),
        yes @ Datum::Literal(Literal::Bool(true)),
    ] = boundaries
    {
        return vec![
            Answers::always("yes", yes.clone()),
            Answers::always("no", no.clone()),
            Answers::cycle("flips".to_owned(), &[yes, no]),
        ];
    }
    let values = boundaries.iter().take(MOST);
    let mut found: Vec<Answers> = values
        .enumerate()
        .map(|(at, value)| Answers::always(&format!("boundary_{at}"), value.clone()))
        .collect();
    if let [first, second, ..] = boundaries {
        found.push(Answers::cycle("alternating".to_owned(), &[first, second]));
    }
    found
}

/// Ways of failing now and then.
pub(super) fn schedules(word: &str, good: &Datum, bad: &Datum) -> [Answers; 3] {
    [
        Answers::sequence(format!("{word}_once"), &[bad, good]),
        Answers::sequence(format!("{word}_second"), &[good, bad, good]),
        Answers::cycle("flapping".to_owned(), &[good, bad]),
    ]
}
