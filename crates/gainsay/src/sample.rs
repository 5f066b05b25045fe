//! Samples: a type or a generator that stands in no file, checked with the names of one.

use std::fmt::Write as _;

use gainsay_core::{ClaimId, ModuleId};
use gainsay_source::{Diagnostic, FileId, SourceFile, Span};
use gainsay_syntax::ast::Type;
use gainsay_syntax::{parse_expression, parse_type};

use crate::sources::{SourceReadError, SourceReader};
use crate::{CheckedSources, check};

/// What is wanted, checked together with a file whose names it may use.
pub struct CheckedSample {
    /// What checking gave. What is wrong with what is wanted points into a text of its own.
    pub checked: CheckedSources,
    /// A claim with one input, which is what is wanted; by its position in the program.
    pub claim: Option<ClaimId>,
    span_map: Option<SampleSpanMap>,
    sample_file: Option<FileId>,
}

impl CheckedSample {
    /// Whether a place is in what is wanted, and not in a file.
    pub fn is_in_sample(&self, span: Span) -> bool {
        self.sample_file == Some(span.file)
    }

    /// A place as the user knows it.
    #[must_use]
    pub fn original_span(&self, span: Span) -> Span {
        self.span_map.map_or(span, |place| place.original_span(span))
    }

    /// A diagnostic that points at what the user wrote, not at what was made of it.
    #[must_use]
    pub fn with_original_spans(&self, diagnostic: Diagnostic) -> Diagnostic {
        self.span_map.map_or(diagnostic.clone(), |place| place.with_original_spans(diagnostic))
    }
}

/// The name of the text of what is wanted, where diagnostics show it.
const SAMPLE_NAME: &str = "WHAT";

/// How often a function is asked.
const N_CALLS: usize = 3;

/// The file that stands in for one where there is none.
const NO_FILE: &str = "sample.say";

/// Checks what samples are wanted of: a type, or an expression that generates. A text that can be
/// read as both is a type if there is such a type.
pub fn check_sample(
    what: &str,
    entry: Option<&str>,
    sources: &dyn SourceReader,
) -> CheckedSample {
    let text = match entry {
        None => String::new(),
        Some(entry) => {
            // Mistakes of the file are to be seen as they are without what is added to it.
            let checked = check(&[entry.to_owned()], sources);
            if checked.has_errors() {
                return CheckedSample {
                    checked,
                    claim: None,
                    span_map: None,
                    sample_file: None,
                };
            }
            sources.read(entry).unwrap_or_default()
        }
    };
    let wanted =
        SampleRequest { sample: what, path: entry.unwrap_or(NO_FILE), text: &text, sources };
    let readings = sample_kinds(what);
    let mut failed: Option<CheckedSample> = None;
    for reading in readings.iter().copied().filter(|it| it.parses(what)) {
        let sampling = wanted.check(reading, "", "");
        if sampling.claim.is_some() {
            return wanted.with_calls(reading).unwrap_or(sampling);
        }
        if failed.is_none() || reading == readings[0] {
            failed = Some(sampling);
        }
    }
    failed.unwrap_or_else(|| wanted.unparsable(readings[0]))
}

/// How a text is read.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum SampleKind {
    Type,
    Generator,
}

/// The ways to read a text, that which its first letter speaks for first: its mistakes are told.
fn sample_kinds(what: &str) -> [SampleKind; 2] {
    let first = what.trim_start().chars().next();
    if first.is_some_and(|it| it.is_lowercase() || it == '|' || it == '_') {
        [SampleKind::Generator, SampleKind::Type]
    } else {
        [SampleKind::Type, SampleKind::Generator]
    }
}

impl SampleKind {
    /// Whether the text is whole in this way, so that nothing but it is read where it is put.
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

    /// What stands between the name of an input and what it is.
    fn input_separator(self) -> &'static str {
        match self {
            Self::Type => ":",
            Self::Generator => "<-",
        }
    }
}

/// Where what is wanted stands in a file, and in a text of its own.
#[derive(Debug, Copy, Clone)]
struct SampleSpanMap {
    /// The file it was added to.
    file: FileId,
    /// Where that file ends as the user knows it.
    end_of_file: u32,
    /// Where what is wanted begins in the file.
    start: u32,
    length: u32,
    /// Its own text.
    sample_file: FileId,
}

impl SampleSpanMap {
    fn with_original_spans(self, mut it: Diagnostic) -> Diagnostic {
        it.primary.span = self.original_span(it.primary.span);
        let mut seen = Vec::new();
        for mut label in std::mem::take(&mut it.secondary) {
            label.span = self.original_span(label.span);
            // Several things happen where what is wanted is; the innermost says enough.
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
        // What stands around what is wanted stands for all of it.
        if span.end <= self.start || span.start >= self.start + self.length {
            return Span::new(self.sample_file, 0, self.length);
        }
        let within = |at: u32| at.saturating_sub(self.start).min(self.length);
        Span::new(self.sample_file, within(span.start), within(span.end))
    }
}

/// What is wanted, and the file it is added to.
struct SampleRequest<'a> {
    sample: &'a str,
    path: &'a str,
    text: &'a str,
    sources: &'a dyn SourceReader,
}

impl SampleRequest<'_> {
    /// The same with a function that is asked for some answers, so that it has any to show.
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

    /// Checks a claim whose first input is what is wanted.
    fn check(&self, reading: SampleKind, inputs: &str, body: &str) -> CheckedSample {
        let name = self.free_name();
        let sign = reading.input_separator();
        let mut text = format!("{}\n\ntest \"{name}\" {{ across (sample {sign}\n", self.text);
        let start = text.len() as u32;
        text.push_str(self.sample);
        // On a line of its own, so that a comment at its end goes no further.
        let _ = writeln!(text, "\n{inputs}) {{\n{body}observe true\n}} }}");
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
        let errors = diagnostics.into_iter().filter(Diagnostic::is_error);
        checked.diagnostics = errors
            .map(|it| place.map_or(it.clone(), |place| place.with_original_spans(it)))
            .collect();
        let claim = entry.and_then(|entry| find_claim(&checked, entry, &name));
        CheckedSample { checked, claim, span_map: place, sample_file: Some(own) }
    }

    /// What is wrong with a text that cannot be read at all.
    fn unparsable(&self, reading: SampleKind) -> CheckedSample {
        let mut checked = check(&[], self.sources);
        let own = checked.files.add(SourceFile::new(SAMPLE_NAME, self.sample));
        checked.diagnostics = reading.syntax_errors(own, self.sample);
        checked.program = None;
        CheckedSample { checked, claim: None, span_map: None, sample_file: Some(own) }
    }

    /// A name for a claim that the file does not have.
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

/// Sources of which one is longer than it is.
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
        assert_eq!(complaints("Acount"), ["WHAT: Acount"]);
        assert_eq!(complaints("List<Acount>"), ["WHAT: Acount"]);
        assert_eq!(complaints("acount(3)"), ["WHAT: acount"]);
        assert_eq!(complaints("account(true)"), ["WHAT: true"]);
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
