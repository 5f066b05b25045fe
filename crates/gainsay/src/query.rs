//! Queries: conditions in which `?name` stands for an unknown, as in `bst(10, 0, 42, ?t)`.
//!
//! A query is checked as the condition of an `across` whose inputs are the unknowns. Their types are
//! inferred: the checker sees an input that a generator of any type makes, and the generator is then
//! replaced by the type.

use std::fmt::Write as _;
use std::sync::Arc;

use gainsay_core::{AcrossBinder, BinderSource, ClaimId, ClaimKind, FunctionId, Program, Term};
use gainsay_core::{TyId, type_text};
use gainsay_source::{Diagnostic, FileId, Span, codes};
use gainsay_syntax::{Token, TokenKind, parse_expression};

use crate::findings::{BadUnknown, BadUnknownReason};
use crate::sample::{CheckedSample, SampleRequest, SampleSubject};

/// A generator of any type, which the type of the unknown then replaces.
const ANY: &str = "<- Gen.discard()";

/// A query with at least one unknown.
pub(crate) struct Query {
    /// The text, in which `_name` stands for `?name`, so that places stay the same.
    text: String,
    unknowns: Vec<QueryUnknown>,
}

struct QueryUnknown {
    name: String,
    /// Its first occurrence.
    start: u32,
    end: u32,
}

impl QueryUnknown {
    fn span(&self, file: FileId) -> Span {
        Span::new(file, self.start, self.end)
    }
}

impl Query {
    /// The query that a text is; `None` if it has no unknowns.
    pub(crate) fn parse(what: &str) -> Option<Self> {
        let parse = parse_expression(FileId(0), what);
        let tokens: Vec<Token<'_>> = parse.tree.tokens().collect();
        let (mut text, mut unknowns) = (what.to_owned(), Vec::<QueryUnknown>::new());
        for pair in tokens.windows(2) {
            let [mark, name] = [pair[0], pair[1]];
            if mark.kind() != TokenKind::Question || !name.kind().is_word() {
                continue;
            }
            let (start, end) = (mark.span().start, name.span().end);
            text.replace_range(start as usize..start as usize + 1, "_");
            if unknowns.iter().all(|it| it.name != name.text()) {
                unknowns.push(QueryUnknown { name: name.text().to_owned(), start, end });
            }
        }
        (!unknowns.is_empty()).then_some(Self { text, unknowns })
    }

    /// The inputs of the `across`, up to its condition.
    fn inputs(&self) -> String {
        let mut text = String::new();
        for (at, unknown) in self.unknowns.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}_{} {ANY}", unknown.name);
        }
        text + " where (\n"
    }

    /// Says `?name` where a diagnostic says `_name`.
    fn with_marks(&self, mut it: Diagnostic) -> Diagnostic {
        let marked = |text: &str| {
            let names = self.unknowns.iter().map(|it| &it.name);
            names.fold(text.to_owned(), |text, name| {
                text.replace(&format!("`_{name}`"), &format!("`?{name}`"))
            })
        };
        it.message = marked(&it.message);
        for label in std::iter::once(&mut it.primary).chain(&mut it.secondary) {
            label.text = marked(&label.text);
        }
        it
    }
}

impl SampleRequest<'_> {
    /// Checks a claim whose inputs are the unknowns of a query.
    pub(crate) fn check_query(&self, query: &Query) -> CheckedSample {
        let errors = |file| {
            let errors = parse_expression(file, &query.text).errors.into_iter();
            errors.filter(Diagnostic::is_error).collect::<Vec<_>>()
        };
        if !errors(FileId(0)).is_empty() {
            return self.rejected(errors);
        }
        let mut sample = self.check_across(&query.inputs(), &query.text, ")) {");
        sample.subject =
            SampleSubject::Query(query.unknowns.iter().map(|it| it.name.clone()).collect());
        let findings = match sample.claim {
            Some(claim) => {
                let program = sample.checked.program.as_mut().map(Arc::make_mut);
                program.map_or_else(Vec::new, |program| find_by_type(program, claim))
            }
            None => Vec::new(),
        };
        let own = sample.sample_file();
        if let (false, Some(own)) = (findings.is_empty(), own) {
            let findings = findings.into_iter().filter_map(|(at, ty)| {
                let (unknown, why) =
                    (query.unknowns.get(at)?, BadUnknownReason::Function { ty });
                let (name, span) = (unknown.name.clone(), unknown.span(own));
                Some(BadUnknown { name, span, why }.into())
            });
            sample.checked.diagnostics = findings.collect();
            sample.checked.program = None;
            sample.claim = None;
        } else if let Some(own) = own {
            let diagnostics = std::mem::take(&mut sample.checked.diagnostics);
            sample.checked.diagnostics = query.reworded(diagnostics, &sample.undetermined, own);
        }
        sample
    }
}

impl Query {
    /// Diagnostics about the query in its own words. That a type is not determined is often the
    /// consequence of another error, so it is reported only if it is the only one.
    fn reworded(
        &self,
        all: Vec<Diagnostic>,
        undetermined: &[u32],
        own: FileId,
    ) -> Vec<Diagnostic> {
        let (vague, other): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| it.code == codes::CANNOT_INFER);
        if undetermined.is_empty() || !other.is_empty() {
            let shown = if other.is_empty() { vague } else { other };
            return shown.into_iter().map(|it| self.with_marks(self.named(it))).collect();
        }
        let bad = undetermined.iter().filter_map(|back| {
            let unknown = self.unknown_before(*back)?;
            let (name, span) = (unknown.name.clone(), unknown.span(own));
            Some(BadUnknown { name, span, why: BadUnknownReason::NoType }.into())
        });
        bad.collect()
    }

    /// A diagnostic about the type of an expression that is an unknown names it.
    fn named(&self, it: Diagnostic) -> Diagnostic {
        let span = it.primary.span;
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let is_it = |it: &&QueryUnknown| text.strip_prefix('_') == Some(&it.name);
        match self.unknowns.iter().find(is_it) {
            Some(unknown) if it.code == codes::CANNOT_INFER => {
                let (name, why) = (unknown.name.clone(), BadUnknownReason::NoTypeYet);
                BadUnknown { name, span, why }.into()
            }
            _ => it,
        }
    }

    /// The unknown whose input begins at most so far before the end of the inputs.
    fn unknown_before(&self, back: u32) -> Option<&QueryUnknown> {
        let at = self.inputs().len().checked_sub(back as usize)?;
        let mut end = 0;
        self.unknowns.iter().find(|it| {
            end += it.name.len() + ANY.len() + "_ , ".len();
            at < end
        })
    }
}

/// Lets the inputs of a claim be found by their types. Returns the positions and types of those that
/// cannot be.
fn find_by_type(program: &mut Program, claim: ClaimId) -> Vec<(usize, String)> {
    let ClaimKind::Test(function) = program.claim(claim).kind else { return Vec::new() };
    let mut tys: Vec<TyId> = Vec::new();
    for binder in across_binders(program, function) {
        binder.source = BinderSource::Type;
        tys.push(binder.ty);
    }
    let is_function = |ty: &TyId| program.types.flags(*ty).has_function();
    let bad = tys.iter().enumerate().filter(|(_, ty)| is_function(ty));
    bad.map(|(at, ty)| (at, type_text(program, *ty))).collect()
}

/// The function of the condition of a query; of a sample without unknowns, that of the sample.
pub(crate) fn condition(program: &Program, claim: ClaimId) -> Option<FunctionId> {
    let ClaimKind::Test(function) = program.claim(claim).kind else { return None };
    let body = &program.function(function).body;
    body.terms.iter().find_map(|it| {
        let Term::Across { binders, condition, .. } = it else { return None };
        let generator = binders.first().and_then(|it| match it.source {
            BinderSource::Generator(generator) => Some(generator),
            BinderSource::Type => None,
        });
        body.term(condition.or(generator)?).function()
    })
}

fn across_binders(
    program: &mut Program,
    function: FunctionId,
) -> impl Iterator<Item = &mut AcrossBinder> {
    let terms = program.functions[function.index()].body.terms.iter_mut();
    let across = terms.filter_map(|it| {
        if let Term::Across { binders, .. } = it { Some(binders) } else { None }
    });
    across.flat_map(|it| it.iter_mut())
}
