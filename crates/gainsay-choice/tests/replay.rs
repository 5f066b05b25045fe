//! Replaying recorded cases in generators that have changed since.

use gainsay_choice::{
    AddressedChoices, Case, CharKind, FailureIdentity, IntegerKind, Kind, KindId, KindTable,
    MoreElementsKind, RunStopped, RunVerdict, Seed, Source, SpanLabel, SpanLabels, TextKind,
    case_size,
};

/// How a generator differs from the one that recorded the case.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum GeneratorEdit {
    None,
    NewArgumentFirst,
    NewArgumentBetween,
    NewFieldInElements,
    ArgumentsReordered,
    FieldsSwapped,
    DomainHalved,
}

struct EditedGenerator {
    labels: SpanLabels,
    kinds: KindTable,
    integer: KindId,
    half: KindId,
    more: KindId,
    text: TextKind,
}

impl EditedGenerator {
    fn new() -> Self {
        let (mut labels, mut kinds) = (SpanLabels::new(), KindTable::new());
        let range = |max| Kind::Integer(IntegerKind::between(0, max).expect("a range"));
        let more = kinds.intern(Kind::MoreElements(MoreElementsKind {
            min: 0,
            max: None,
            average: 6,
        }));
        let chars = kinds.intern(Kind::Char(CharKind::any()));
        let text =
            TextKind { chars, more, element: labels.intern("char"), frequent_texts: [].into() };
        let (integer, half) = (kinds.intern(range(1000)), kinds.intern(range(500)));
        EditedGenerator { labels, kinds, integer, half, more, text }
    }

    fn field(
        &mut self,
        source: &mut Source,
        name: &str,
        edit: GeneratorEdit,
    ) -> Result<i64, RunStopped> {
        source.open_span(self.labels.intern(name));
        let kind = if edit == GeneratorEdit::DomainHalved { self.half } else { self.integer };
        let value = source.draw_small(kind).ok_or(RunStopped)?;
        source.close_span();
        Ok(value)
    }

    fn element(
        &mut self,
        source: &mut Source,
        edit: GeneratorEdit,
    ) -> Result<(i64, i64), RunStopped> {
        if edit == GeneratorEdit::NewFieldInElements {
            self.field(source, "colour", GeneratorEdit::None)?;
        }
        if edit == GeneratorEdit::FieldsSwapped {
            let second = self.field(source, "second", edit)?;
            return Ok((self.field(source, "first", edit)?, second));
        }
        Ok((self.field(source, "first", edit)?, self.field(source, "second", edit)?))
    }

    fn list(
        &mut self,
        source: &mut Source,
        edit: GeneratorEdit,
    ) -> Result<Vec<(i64, i64)>, RunStopped> {
        source.open_span(self.labels.intern("items"));
        let label = self.labels.intern("element");
        let mut list = Vec::new();
        while source.open_element(label, self.more, list.len() as u32)? {
            list.push(self.element(source, edit)?);
            source.close_span();
        }
        source.close_span();
        Ok(list)
    }

    /// Draws a number and a list of pairs; some pairs fail if the number is not too small.
    fn run(
        &mut self,
        source: &mut Source,
        edit: GeneratorEdit,
    ) -> Result<RunVerdict, RunStopped> {
        if edit == GeneratorEdit::NewArgumentFirst {
            self.field(source, "limit", GeneratorEdit::None)?;
        }
        let (number, list);
        if edit == GeneratorEdit::ArgumentsReordered {
            list = self.list(source, edit)?;
            number = self.field(source, "number", edit)?;
        } else {
            number = self.field(source, "number", edit)?;
            if edit == GeneratorEdit::NewArgumentBetween {
                source.open_span(self.labels.intern("name"));
                source.draw_text(&self.text)?;
                source.close_span();
            }
            list = self.list(source, edit)?;
        }
        let fails = number >= 2 && list.iter().any(|it| it.0 >= 40 && (7..300).contains(&it.1));
        Ok(if fails { RunVerdict::Fail(FailureIdentity(1)) } else { RunVerdict::Pass })
    }

    fn failing(&mut self, source: &mut Source, run: u64) -> Case {
        for case in 0..100_000 {
            source.record(Seed { run, claim: 0, case }, case_size(case, 1000));
            if self.run(source, GeneratorEdit::None) == Ok(RunVerdict::Fail(FailureIdentity(1)))
            {
                return source.recorded_case();
            }
        }
        panic!("nothing fails");
    }
}

#[test]
fn addressed_cases_fail_again_in_changed_generators() {
    let edits = [
        GeneratorEdit::None,
        GeneratorEdit::NewArgumentFirst,
        GeneratorEdit::NewArgumentBetween,
        GeneratorEdit::NewFieldInElements,
        GeneratorEdit::ArgumentsReordered,
        GeneratorEdit::FieldsSwapped,
    ];
    let mut generator = EditedGenerator::new();
    let mut source = Source::new(generator.kinds.clone());
    for run in 0..100 {
        let case = generator.failing(&mut source, run);
        let lines = case.to_lines(&generator.labels);
        let addressed =
            AddressedChoices::parse(&lines, &mut generator.labels).expect("what was written");
        let blob = case.to_replay_token(&generator.labels);
        let kept =
            Case::from_replay_token(&blob, &mut generator.labels).expect("what was written");
        for edit in edits {
            source.replay_addressed(&addressed);
            let verdict = generator.run(&mut source, edit);
            assert_eq!(
                verdict,
                Ok(RunVerdict::Fail(FailureIdentity(1))),
                "{edit:?} by address"
            );
            source.replay_guided(&kept);
            let verdict = generator.run(&mut source, edit);
            assert_eq!(verdict, Ok(RunVerdict::Fail(FailureIdentity(1))), "{edit:?} by blob");
        }
    }
}

#[test]
fn values_outside_a_smaller_domain_become_its_nearest() {
    let mut generator = EditedGenerator::new();
    let mut source = Source::new(generator.kinds.clone());
    let mut n_failing = 0;
    for run in 0..100 {
        let case = generator.failing(&mut source, run);
        source.replay_guided(&case);
        let verdict = generator.run(&mut source, GeneratorEdit::DomainHalved);
        n_failing += u32::from(verdict == Ok(RunVerdict::Fail(FailureIdentity(1))));
    }
    assert_eq!(n_failing, 100);
}

#[test]
fn lines_are_for_people() {
    let mut generator = EditedGenerator::new();
    let mut source = Source::new(generator.kinds.clone());
    let lines = "number:0 int 2\n\
                 items/element:0 more true\n\
                 items/element/first:0 int 40\n\
                 items/element/second:0 int 7\n\
                 items:0 more false\n";
    let addressed = AddressedChoices::parse(lines, &mut generator.labels).expect("lines");
    source.replay_addressed(&addressed);
    assert_eq!(
        generator.run(&mut source, GeneratorEdit::None),
        Ok(RunVerdict::Fail(FailureIdentity(1)))
    );
    assert_eq!(source.recorded_case().to_lines(&generator.labels), lines);
    let blob = source.recorded_case().to_replay_token(&generator.labels);
    assert!(blob.starts_with("gs1-") && blob.len() < 120, "{blob}");
}

#[test]
fn a_missing_line_is_the_simplest_value() {
    let mut generator = EditedGenerator::new();
    let mut source = Source::new(generator.kinds.clone());
    let lines = "# by hand\nitems/element#1/second:0 int 7\nitems/element#1:0 more true\n\
                 items/element:0 more true\n";
    let addressed = AddressedChoices::parse(lines, &mut generator.labels).expect("lines");
    source.replay_addressed(&addressed);
    let label = |labels: &mut SpanLabels, name: &str| -> SpanLabel { labels.intern(name) };
    let items = label(&mut generator.labels, "items");
    assert_eq!(generator.run(&mut source, GeneratorEdit::None), Ok(RunVerdict::Pass));
    let case = source.recorded_case();
    let span = case.spans().iter().find(|it| it.label == items).expect("the list");
    let values: Vec<_> = case.choices()[span.range()].iter().map(|it| it.value()).collect();
    let expected = [1, 0, 0, 1, 0, 7, 0].map(gainsay_choice::ChoiceValue::Small);
    assert_eq!(values, expected);
}

#[test]
fn errors_say_where_and_what() {
    let mut labels = SpanLabels::new();
    let mut wrong = |text: &str| {
        AddressedChoices::parse(text, &mut labels).expect_err("an error").to_string()
    };
    assert_eq!(wrong("a:0 int 1\nb"), "line 2: expected an address, a class and a value");
    assert_eq!(wrong("a int 1"), "line 1: the address does not end in `:` and a number");
    assert_eq!(wrong("a:0 bit 1"), "line 1: unknown choice class `bit`");
    assert_eq!(wrong("a:0 bool 1"), "line 1: `1` is not a value of its class");
    assert_eq!(wrong("a%:0 bool true"), "line 1: `a%` is not a valid name");
    let mut wrong = |text: &str| {
        Case::from_replay_token(text, &mut labels).expect_err("an error").to_string()
    };
    assert_eq!(wrong("hello"), "a replay token begins with `gs1-`");
    assert_eq!(wrong("gs7-00"), "unsupported version `gs7`");
    assert_eq!(wrong("gs1-0!"), "invalid character '!' at position 6");
    assert_eq!(wrong("gs1-0000000000"), "the checksum does not match; is the token complete?");
}
