//! Profiles of a user-defined operation, derived from its result type.

use std::collections::HashSet;

use gainsay_core::{CtorId, Datum, Literal, Program};

/// The number of values that represent a type.
const MAX_PROFILES: usize = 5;

/// A profile: its name and its answers, in order or repeatedly.
pub(super) struct ProfileAnswers {
    pub(super) name: String,
    pub(super) answers: Vec<Datum>,
    pub(super) is_cycle: bool,
}

impl ProfileAnswers {
    /// The same answer forever.
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

/// Profiles from the values at the boundary of the result type. Every constructor that occurs in
/// one of them is in the answers of some profile.
pub(super) fn derive_profiles(program: &Program, boundaries: &[Datum]) -> Vec<ProfileAnswers> {
    let lang = program.lang;
    let of = |ctor| {
        boundaries.iter().find(|it| matches!(it, Datum::Data(it, _) if Some(*it) == ctor))
    };
    let mut found = Vec::new();
    let mut max_always = MAX_PROFILES;
    if let (Some(ok), Some(err)) = (of(lang.ok), of(lang.err)) {
        found.push(ProfileAnswers::always("ok", ok.clone()));
        found.push(ProfileAnswers::always("err", err.clone()));
        found.extend(failure_schedules("err", ok, err));
        // Success and failure are covered; boundaries only add constructors that are not.
        max_always = 0;
    } else if let (Some(some), Some(none)) = (of(lang.some), of(lang.none)) {
        found.push(ProfileAnswers::always("some", some.clone()));
        found.push(ProfileAnswers::always("none", none.clone()));
        found.extend(failure_schedules("none", some, none));
        max_always = 0;
    } else if let [
        no @ Datum::Literal(Literal::Bool(false)),
        yes @ Datum::Literal(Literal::Bool(true)),
    ] = boundaries
    {
        return vec![
            ProfileAnswers::always("yes", yes.clone()),
            ProfileAnswers::always("no", no.clone()),
            ProfileAnswers::cycle("flips".to_owned(), &[yes, no]),
        ];
    }
    let mut seen = HashSet::new();
    for answer in found.iter().flat_map(|it| &it.answers) {
        insert_ctors(answer, &mut seen);
    }
    let mut n_always = 0;
    for (at, value) in boundaries.iter().enumerate() {
        let is_new = insert_ctors(value, &mut seen);
        if is_new || n_always < max_always {
            n_always += 1;
            found.push(ProfileAnswers::always(&format!("boundary_{at}"), value.clone()));
        }
    }
    if let ([first, second, ..], true) = (boundaries, max_always > 0) {
        found.push(ProfileAnswers::cycle("alternating".to_owned(), &[first, second]));
    }
    found
}

/// Adds the constructors in a value; whether one of them is new.
fn insert_ctors(value: &Datum, seen: &mut HashSet<CtorId>) -> bool {
    match value {
        Datum::Data(ctor, fields) => {
            let is_new = seen.insert(*ctor);
            // `|` and not `||`: every field must be visited.
            fields.iter().fold(is_new, |is_new, it| insert_ctors(it, seen) | is_new)
        }
        Datum::Tuple(parts) | Datum::List(parts) | Datum::Set(parts) => {
            parts.iter().fold(false, |is_new, it| insert_ctors(it, seen) | is_new)
        }
        Datum::Map(entries) => entries.iter().fold(false, |is_new, (key, value)| {
            insert_ctors(key, seen) | insert_ctors(value, seen) | is_new
        }),
        Datum::Literal(_) | Datum::Function(_) => false,
    }
}

/// Ways of failing intermittently.
pub(super) fn failure_schedules(word: &str, good: &Datum, bad: &Datum) -> [ProfileAnswers; 3] {
    [
        ProfileAnswers::sequence(format!("{word}_once"), &[bad, good]),
        ProfileAnswers::sequence(format!("{word}_second"), &[good, bad, good]),
        ProfileAnswers::cycle("flapping".to_owned(), &[good, bad]),
    ]
}
