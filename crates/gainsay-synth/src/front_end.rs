//! From the syntax of trace specifications to [`Spec`].
//!
//! Each `spec` of a file is read by itself; `weaken A as B` reads the declarations of `A` again, with
//! other rules. A specification with a mistake is left out, and its mistakes are reported.

mod conditions;
mod declarations;
mod field_types;
mod patterns;
mod rules;

use std::collections::{BTreeMap, BTreeSet};

use gainsay_smt::{FunId, Sort, TermId, VarId};
use gainsay_source::{Diagnostic, Span, closest_name};
use gainsay_syntax::ast::{File, Item, Name, SpecItem, TypeItem, WeakenItem, Weakening};

use crate::findings::{BadSpec, ImpossibleEvent, MissingCause, SpecMistake, SpecName};
use crate::spec::Spec;
use crate::spec_checks::{SpecFinding, check_spec};

/// A specification of a file.
#[derive(Debug, Clone)]
pub struct SourceSpec {
    /// The specification.
    pub spec: Spec,
    /// The location of its name.
    pub span: Span,
    /// The location of each goal's name.
    pub goal_spans: Vec<Span>,
    /// The location of each operation's name.
    pub(crate) operation_spans: Vec<Span>,
}

/// The specifications of a file that have no mistakes, and the findings about all of them.
#[expect(clippy::wildcard_enum_match_arm, reason = "other items belong to the program")]
pub fn read_specs(file: File<'_>) -> (Vec<SourceSpec>, Vec<Diagnostic>) {
    let mut specs: BTreeMap<&str, SpecItem<'_>> = BTreeMap::new();
    let types = field_types::sum_types(file);
    let mut read = Vec::new();
    let mut diagnostics = Vec::new();
    for item in file.items() {
        let found = match item {
            Item::Spec(item) => {
                if let Some(name) = item.name() {
                    specs.entry(name.text()).or_insert(item);
                }
                SpecReader::read(item, None, &types)
            }
            Item::Weaken(item) => match original(item, &specs) {
                Ok(spec) => SpecReader::read(spec, Some(item), &types),
                Err(finding) => {
                    diagnostics.extend(finding.map(Diagnostic::from));
                    continue;
                }
            },
            _ => continue,
        };
        match found {
            Ok((spec, findings)) => {
                diagnostics.extend(findings);
                read.push(spec);
            }
            Err(findings) => diagnostics.extend(findings),
        }
    }
    (read, diagnostics)
}

/// The specification that is weakened.
fn original<'t>(
    item: WeakenItem<'t>,
    specs: &BTreeMap<&str, SpecItem<'t>>,
) -> Result<SpecItem<'t>, Option<BadSpec>> {
    let Some(name) = item.original() else { return Err(None) };
    specs.get(name.text()).copied().ok_or_else(|| {
        let close = closest_name(name.text(), specs.keys().copied()).map(str::to_owned);
        let (kind, text) = (SpecName::Spec, name.text().to_owned());
        let mistake = SpecMistake::Unknown { kind, name: text, close };
        Some(BadSpec { mistake, span: name.span() })
    })
}

/// A function with a definition, which is inlined.
#[derive(Clone)]
struct Definition {
    params: Vec<VarId>,
    body: TermId,
}

/// The state of reading one specification.
struct SpecReader<'t> {
    spec: Spec,
    sorts: BTreeMap<&'t str, Sort>,
    /// The sum types of the module.
    types: BTreeMap<&'t str, TypeItem<'t>>,
    /// Functions and constructors.
    funs: BTreeMap<&'t str, FunId>,
    definitions: BTreeMap<&'t str, Definition>,
    /// The names of fields, as in the source.
    field_names: BTreeSet<&'t str>,
    /// Where each name was declared.
    names: BTreeMap<&'t str, Span>,
    /// The innermost scope is last.
    scopes: Vec<BTreeMap<&'t str, TermId>>,
    operation_spans: Vec<Span>,
    goal_spans: Vec<Span>,
    findings: Vec<BadSpec>,
    /// What a weaker specification changes.
    weakenings: Vec<Weakening<'t>>,
}

impl<'t> SpecReader<'t> {
    fn read(
        item: SpecItem<'t>,
        weaker: Option<WeakenItem<'t>>,
        types: &BTreeMap<&'t str, TypeItem<'t>>,
    ) -> Result<(SourceSpec, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut reader = Self {
            spec: Spec::default(),
            sorts: BTreeMap::from([("Int", Sort::Int), ("Bool", Sort::Bool)]),
            types: types.clone(),
            funs: BTreeMap::new(),
            definitions: BTreeMap::new(),
            field_names: BTreeSet::new(),
            names: BTreeMap::new(),
            scopes: Vec::new(),
            operation_spans: Vec::new(),
            goal_spans: Vec::new(),
            findings: Vec::new(),
            weakenings: weaker.into_iter().flat_map(WeakenItem::weakenings).collect(),
        };
        let name = weaker.map_or_else(|| item.name(), WeakenItem::name);
        reader.spec.name = name.map_or_else(String::new, |it| it.text().to_owned());
        reader.declarations(item);
        reader.rules(item);
        reader.goals(item);
        let span = name.map_or_else(|| item.span(), Name::span);
        let Self { spec, operation_spans, goal_spans, findings, .. } = reader;
        if !findings.is_empty() {
            return Err(findings.into_iter().map(Diagnostic::from).collect());
        }
        let spec = SourceSpec { spec, span, goal_spans, operation_spans };
        let findings = spec.findings();
        Ok((spec, findings))
    }

    fn report(&mut self, mistake: SpecMistake, span: Span) {
        self.findings.push(BadSpec { mistake, span });
    }

    /// Reports that nothing has a name.
    fn report_unknown<'n>(
        &mut self,
        kind: SpecName,
        name: Name<'t>,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        let close = closest_name(name.text(), names).map(str::to_owned);
        let text = name.text().to_owned();
        self.report(SpecMistake::Unknown { kind, name: text, close }, name.span());
    }

    /// Remembers a declaration; reports a second one of the same name.
    fn declare(&mut self, name: Name<'t>) -> bool {
        if let Some(first) = self.names.get(name.text()) {
            let (name, first, span) = (name.text().to_owned(), *first, name.span());
            self.report(SpecMistake::Duplicate { name, first }, span);
            return false;
        }
        self.names.insert(name.text(), name.span());
        true
    }

    fn sort_text(&self, sort: Sort) -> String {
        match sort {
            Sort::Int => "Int".to_owned(),
            Sort::Bool => "Bool".to_owned(),
            Sort::Named(_) => self.spec.terms.signature.sort_name(sort).to_owned(),
        }
    }
}

impl SourceSpec {
    /// Mistakes that need no search: events that cannot occur.
    fn findings(&self) -> Vec<Diagnostic> {
        let operation = |op: crate::OpId| self.spec.operation(op).name.clone();
        let found = check_spec(&self.spec).into_iter().map(|it| {
            let (name, span, cause) = match it {
                SpecFinding::NeverCaused(op) => (
                    operation(op),
                    self.operation_spans[op.index()],
                    MissingCause::NeverEmitted,
                ),
                SpecFinding::CannotOccur(op) => {
                    (operation(op), self.operation_spans[op.index()], MissingCause::NoFirstTime)
                }
                SpecFinding::NeverNeeded(op) => {
                    (operation(op), self.operation_spans[op.index()], MissingCause::NeverNeeded)
                }
                SpecFinding::GoalCannotOccur { goal, missing } => {
                    let operations: BTreeSet<String> =
                        missing.into_iter().map(operation).collect();
                    let operations = operations.into_iter().collect();
                    let name = self.spec.goals[goal].name.clone();
                    (name, self.goal_spans[goal], MissingCause::GoalNeeds { operations })
                }
            };
            Diagnostic::from(ImpossibleEvent { name, span, cause })
        });
        found.collect()
    }
}
