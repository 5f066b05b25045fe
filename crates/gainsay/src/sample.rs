//! Checks a sample expression: a type, generator or query given on the command line, which may use
//! the names of a file. The sample is checked as the input of a synthetic claim appended to that file.

use std::fmt::Write as _;

use gainsay_core::{ClaimId, ModuleId};
use gainsay_source::{Diagnostic, FileId, SourceFile, Span, codes};
use gainsay_syntax::ast::Type;
use gainsay_syntax::{parse_expression, parse_type};

use crate::query::Query;
use crate::sources::{SourceReadError, SourceReader};
use crate::{CheckedSources, check};

/// A sample, checked together with a file whose names it may use.
pub struct CheckedSample {
    /// The result of the check. Diagnostics about the sample point into a text of its own.
    pub checked: CheckedSources,
    /// The index of the synthetic claim, whose first input is the sample; of a query, its inputs
    /// are the unknowns.
    pub claim: Option<ClaimId>,
    /// What the sample is.
    pub subject: SampleSubject,
    /// Where before the sample are inputs whose types are not determined, counted back from it.
    pub(crate) undetermined: Vec<u32>,
    span_map: Option<SampleSpanMap>,
    sample_file: Option<FileId>,
}

/// What a sample is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleSubject {
    /// A type or a generator.
    Values,
    /// A condition on unknowns, with their names.
    Query(Vec<String>),
    /// A condition without unknowns: it holds or not.
    Condition,
}

impl CheckedSample {
    /// Whether a span is in the sample, not in a file.
    pub fn is_in_sample(&self, span: Span) -> bool {
        self.sample_file == Some(span.file)
    }

    /// The text of the sample, among the files.
    pub(crate) fn sample_file(&self) -> Option<FileId> {
        self.sample_file
    }

    /// Maps a span to the text as the user wrote it.
    #[must_use]
    pub fn original_span(&self, span: Span) -> Span {
        self.span_map.map_or(span, |place| place.original_span(span))
    }

    /// Maps a diagnostic to the text as the user wrote it.
    #[must_use]
    pub fn with_original_spans(&self, diagnostic: Diagnostic) -> Diagnostic {
        self.span_map.map_or(diagnostic.clone(), |place| place.with_original_spans(diagnostic))
    }
}

/// The file name of the sample in diagnostics.
const SAMPLE_NAME: &str = "<query>";

/// The number of calls shown of a sampled function.
const N_CALLS: usize = 3;

/// The stand-in file if the user names none.
const NO_FILE: &str = "sample.say";

/// Checks a sample: a type, or an expression that generates values. A text that parses as both is a
/// type if a type of that name exists.
pub fn check_sample(
    what: &str,
    entry: Option<&str>,
    sources: &dyn SourceReader,
) -> CheckedSample {
    let text = match entry {
        None => String::new(),
        Some(entry) => {
            // Errors of the file are reported as they are without the synthetic claim.
            let checked = check(&[entry.to_owned()], sources);
            if checked.has_errors() {
                return CheckedSample {
                    checked,
                    claim: None,
                    subject: SampleSubject::Values,
                    undetermined: Vec::new(),
                    span_map: None,
                    sample_file: None,
                };
            }
            sources.read(entry).unwrap_or_default()
        }
    };
    let wanted =
        SampleRequest { sample: what, path: entry.unwrap_or(NO_FILE), text: &text, sources };
    if let Some(query) = Query::parse(what) {
        return wanted.check_query(&query);
    }
    let readings = sample_kinds(what);
    // The errors of the likelier reading are reported, unless only the other one parses.
    let mut failed: Option<CheckedSample> = None;
    for reading in readings.iter().copied().filter(|it| it.parses(what)) {
        let mut sampling = wanted.check(reading, "", "");
        if sampling.claim.is_some() {
            if reading == SampleKind::Generator && wanted.is_condition() {
                sampling.subject = SampleSubject::Condition;
            }
            return wanted.with_calls(reading).unwrap_or(sampling);
        }
        if failed.is_none() || reading == readings[0] {
            failed = Some(sampling);
        }
    }
    failed.unwrap_or_else(|| wanted.unparsable(readings[0]))
}

/// How the sample is parsed.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum SampleKind {
    Type,
    Generator,
}

/// The kinds to try, the one that the first letter suggests first: its errors are the ones
/// reported.
fn sample_kinds(what: &str) -> [SampleKind; 2] {
    let first = what.trim_start().chars().next();
    if first.is_some_and(|it| it.is_lowercase() || it == '|' || it == '_') {
        [SampleKind::Generator, SampleKind::Type]
    } else {
        [SampleKind::Type, SampleKind::Generator]
    }
}

impl SampleKind {
    /// Whether the text parses completely as this kind, so that it cannot swallow code around it.
    fn parses(self, what: &str) -> bool {
        self.syntax_errors(FileId(0), what).is_empty()
    }

    fn syntax_errors(self, file: FileId, what: &str) -> Vec<Diagnostic> {
        let parse = match self {
            Self::Type => parse_type(file, what),
            Self::Generator => parse_expression(file, what),
        };
        parse.errors.into_iter().filter(Diagnostic::is_error).collect()
    }

    /// The separator between the name of an `across` input and its type or generator.
    fn input_separator(self) -> &'static str {
        match self {
            Self::Type => ":",
            Self::Generator => "<-",
        }
    }
}

/// Maps spans in the extended file to spans in the sample.
#[derive(Debug, Copy, Clone)]
struct SampleSpanMap {
    /// The extended file.
    file: FileId,
    /// Where that file ends without the extension.
    end_of_file: u32,
    /// Where the sample starts in the file.
    start: u32,
    length: u32,
    /// The sample's own text.
    sample_file: FileId,
}

impl SampleSpanMap {
    fn with_original_spans(self, mut it: Diagnostic) -> Diagnostic {
        it.primary.span = self.original_span(it.primary.span);
        let mut seen = Vec::new();
        for mut label in std::mem::take(&mut it.secondary) {
            label.span = self.original_span(label.span);
            // Several labels may map to the whole sample; the innermost one is enough.
            if label.span.file != self.sample_file || !seen.contains(&label.span) {
                seen.push(label.span);
                it.secondary.push(label);
            }
        }
        for edit in it.help.iter_mut().filter_map(|help| help.edit.as_mut()) {
            edit.span = self.original_span(edit.span);
        }
        it
    }

    fn original_span(self, span: Span) -> Span {
        if span.file != self.file || span.start < self.end_of_file {
            return span;
        }
        // A span in the code around the sample is mapped to the whole sample.
        if span.end <= self.start || span.start >= self.start + self.length {
            return Span::new(self.sample_file, 0, self.length);
        }
        let within = |at: u32| at.saturating_sub(self.start).min(self.length);
        Span::new(self.sample_file, within(span.start), within(span.end))
    }
}

/// A sample and the file it is appended to.
pub(crate) struct SampleRequest<'a> {
    pub(crate) sample: &'a str,
    path: &'a str,
    text: &'a str,
    sources: &'a dyn SourceReader,
}

impl SampleRequest<'_> {
    /// The same, with calls of a sampled function, so that its table has entries to show.
    fn with_calls(&self, reading: SampleKind) -> Option<CheckedSample> {
        if reading != SampleKind::Type {
            return None;
        }
        let parse = parse_type(FileId(0), self.sample);
        let Type::Fn(function) = parse.file().ty()?.without_parens()? else { return None };
        let params: Vec<&str> = function.params().map(|it| self.text_of(it.span())).collect();
        let (mut inputs, mut questions) = (String::new(), String::new());
        for question in 0..N_CALLS {
            let names: Vec<String> =
                (0..params.len()).map(|at| format!("given_{question}_{at}")).collect();
            for (name, param) in names.iter().zip(&params) {
                let _ = write!(inputs, ", {name}:\n{param}\n");
            }
            let _ = writeln!(questions, "let answer_{question} = sample({})", names.join(", "));
        }
        let sampling = self.check(reading, &inputs, &questions);
        sampling.claim.is_some().then_some(sampling)
    }

    fn text_of(&self, span: Span) -> &str {
        self.sample.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Checks a claim whose first input is the sample.
    fn check(&self, reading: SampleKind, inputs: &str, body: &str) -> CheckedSample {
        let before = format!("sample {}\n", reading.input_separator());
        self.check_across(&before, self.sample, &format!("{inputs}) {{\n{body}"))
    }

    /// Whether the sample is a condition: a pure expression of type `Bool`.
    fn is_condition(&self) -> bool {
        let before = "sample: () where (\n";
        self.check_across(before, self.sample, ")) {").claim.is_some()
    }

    /// Checks a claim with the sample, or a text of the same length, between the parts of an
    /// `across`.
    pub(crate) fn check_across(
        &self,
        before: &str,
        sample: &str,
        after: &str,
    ) -> CheckedSample {
        let name = self.free_name();
        let mut text = format!("{}\n\ntest \"{name}\" {{ across ({before}", self.text);
        let start = text.len() as u32;
        text.push_str(sample);
        // On a line of its own, so that a comment at the end of the sample does not extend further.
        let _ = writeln!(text, "\n{after}\nobserve true\n}} }}");
        let sources = OverlaySources { path: self.path, text: &text, inner: self.sources };
        let mut checked = check(&[self.path.to_owned()], &sources);
        let own = checked.files.add(SourceFile::new(SAMPLE_NAME, self.sample));
        let entry = checked.entries.first().copied();
        let files = checked.files.iter();
        let file = files.filter(|(_, it)| it.name == self.path).map(|(id, _)| id).last();
        let (end_of_file, length) = (self.text.len() as u32, self.sample.len() as u32);
        let place = file.map(|file| SampleSpanMap {
            file,
            end_of_file,
            start,
            length,
            sample_file: own,
        });
        let diagnostics = std::mem::take(&mut checked.diagnostics);
        let is_before = |it: &&Diagnostic| {
            let span = it.primary.span;
            it.code == codes::CANNOT_INFER && Some(span.file) == file && span.start < start
        };
        let undetermined = diagnostics.iter().filter(is_before);
        let undetermined = undetermined.map(|it| start - it.primary.span.start).collect();
        let errors = diagnostics.into_iter().filter(Diagnostic::is_error);
        checked.diagnostics = errors
            .map(|it| place.map_or(it.clone(), |place| place.with_original_spans(it)))
            .collect();
        let claim = entry.and_then(|entry| find_claim(&checked, entry, &name));
        let subject = SampleSubject::Values;
        let sample_file = Some(own);
        CheckedSample { checked, claim, subject, undetermined, span_map: place, sample_file }
    }

    /// Errors in place of a program.
    pub(crate) fn rejected(
        &self,
        errors: impl FnOnce(FileId) -> Vec<Diagnostic>,
    ) -> CheckedSample {
        let mut checked = check(&[], self.sources);
        let own = checked.files.add(SourceFile::new(SAMPLE_NAME, self.sample));
        checked.diagnostics = errors(own);
        checked.program = None;
        let subject = SampleSubject::Values;
        CheckedSample {
            checked,
            claim: None,
            subject,
            undetermined: Vec::new(),
            span_map: None,
            sample_file: Some(own),
        }
    }

    /// The errors of a sample that does not parse.
    fn unparsable(&self, reading: SampleKind) -> CheckedSample {
        self.rejected(|own| reading.syntax_errors(own, self.sample))
    }

    /// A name for the claim that the file does not use.
    fn free_name(&self) -> String {
        let mut name = "sample".to_owned();
        while self.text.contains(&format!("\"{name}\"")) {
            name.push('\'');
        }
        name
    }
}

fn find_claim(checked: &CheckedSources, module: ModuleId, name: &str) -> Option<ClaimId> {
    let program = checked.program.as_ref()?;
    let is_it = |id: &ClaimId| {
        let claim = program.claim(*id);
        claim.module == module && *claim.name == *name
    };
    program.claim_ids().find(is_it)
}

/// Sources with one text replaced by its extension.
struct OverlaySources<'a> {
    path: &'a str,
    text: &'a str,
    inner: &'a dyn SourceReader,
}

impl SourceReader for OverlaySources<'_> {
    fn read(&self, path: &str) -> Result<String, SourceReadError> {
        if path == self.path { Ok(self.text.to_owned()) } else { self.inner.read(path) }
    }

    fn siblings(&self, path: &str) -> Vec<String> {
        self.inner.siblings(path)
    }
}

#[cfg(test)]
mod tests {
    use super::check_sample;
    use crate::MemorySources;

    const LEDGER: &str = "type Account = { id: Int, cents: Int{it >= 0} }\n\
        fn account(n: Int) -> Account ! [Gen] { Account { id: n, cents: Gen.int(0, n) } }\n\
        test \"sample\" { observe 1 == 1 }\n";

    fn complaints(what: &str) -> Vec<String> {
        let sources = MemorySources::new([("ledger.say", LEDGER)]);
        let sampling = check_sample(what, Some("ledger.say"), &sources);
        assert_eq!(sampling.claim.is_some(), sampling.checked.diagnostics.is_empty());
        let files = &sampling.checked.files;
        let shown = sampling.checked.diagnostics.iter().map(|it| {
            let span = it.primary.span;
            format!("{}: {}", files.get(span.file).name, files.text(span))
        });
        shown.collect()
    }

    #[test]
    fn types_and_generators_are_found() {
        for what in ["Int", "Account", "List<Account>", "Int{it > 0 && it % 2 == 0}"] {
            assert_eq!(complaints(what), [] as [String; 0], "{what}");
        }
        for what in ["account(3)", "Gen.list(|| account(3))", "(Int, Str) // a pair"] {
            assert_eq!(complaints(what), [] as [String; 0], "{what}");
        }
    }

    #[test]
    fn mistakes_point_at_what_was_written() {
        assert_eq!(complaints("Acount"), ["<query>: Acount"]);
        assert_eq!(complaints("List<Acount>"), ["<query>: Acount"]);
        assert_eq!(complaints("acount(3)"), ["<query>: acount"]);
        assert_eq!(complaints("account(true)"), ["<query>: true"]);
        assert!(!complaints("Int) { } } fn main() { {").is_empty());
        assert!(!complaints("").is_empty());
        assert!(!complaints("List<").is_empty());
    }

    #[test]
    fn mistakes_of_the_file_are_its_own() {
        let sources = MemorySources::new([("a.say", "fn f() -> Int { true }")]);
        let sampling = check_sample("Int", Some("a.say"), &sources);
        let span = sampling.checked.diagnostics[0].primary.span;
        assert_eq!(sampling.checked.files.get(span.file).name, "a.say");
        assert!(check_sample("Int", None, &sources).claim.is_some());
    }
}
