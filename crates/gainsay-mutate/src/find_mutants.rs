//! Finds the mutants of a program: walks the terms of each mutated function, applies every
//! operator, drops equivalent results, and assigns stable ids.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_core::{Body, FunctionId, FunctionKind, Program, Term, TermId};
use gainsay_source::{FileId, SourceMap, Span};
use gainsay_vm::MutantId;

use crate::expected_type::{ExpectedType, TypeContext};
use crate::mutant_id::{MutantIds, MutantKey};
use crate::mutated_functions::{MutationScope, mutated_functions};
use crate::mutation_site::{MutantDraft, MutationSite, TermRole, UserNames};
use crate::operator::OPERATORS;
use crate::syntax_trees::SyntaxTrees;
use crate::value_numbering::ValueNumbering;

/// A program with one term replaced by another.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// Its id, as in `m-1f3a99c0`.
    pub id: String,
    /// The operator that made it.
    pub operator: &'static str,
    /// The group in which it is scored.
    pub group: MutantGroup,
    /// The declaration it is in.
    pub declaration: FunctionId,
    /// The function whose body it is in: the declaration, or a lambda inside it.
    pub function: FunctionId,
    /// The mutated term.
    pub term: TermId,
    /// The replacement, in the extended body.
    pub replacement_term: TermId,
    /// The part of the source that changes.
    pub span: Span,
    /// The new text of that part.
    pub replacement: String,
    /// The change, in a phrase.
    pub description: String,
    /// Why it is not run, if an attribute says so.
    pub suppressed: Option<String>,
}

/// What a mutant changes; groups are scored separately.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MutantGroup {
    /// The behavior of the program.
    Code,
    /// The demands of a contract.
    Contract,
}

/// All mutants of a program.
#[derive(Debug, Clone, Default)]
pub struct Mutants {
    /// In source order.
    pub list: Vec<Mutant>,
    /// The extended bodies of functions with mutants: replacement terms follow the original terms.
    pub bodies: BTreeMap<FunctionId, Body>,
    /// The number of mutants dropped as equivalent to the original or to another mutant.
    pub n_equivalent: u64,
    /// Functions without mutants because claims use them only as oracles or helpers.
    pub excluded: Vec<FunctionId>,
}

impl Mutants {
    /// The mutants with their ids in an engine that has a switch for each of them.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (MutantId, &Mutant)> {
        MutantId::all(self.list.len()).zip(&self.list)
    }
}

/// Finds the mutants of a program's own modules. `modules` are their display names, by number.
pub fn find_mutants(
    program: &Program,
    files: &SourceMap,
    modules: &[String],
    scope: MutationScope,
) -> Mutants {
    // The walk recurses as deeply as terms nest.
    gainsay_vm::run_on_big_stack(|| {
        // All of them, although only some are wanted, because ids count declarations.
        let subjects = mutated_functions(program, MutationScope::All);
        let mut finder = MutantFinder {
            program,
            files,
            trees: SyntaxTrees::new(files, &files_of(program, &subjects)),
            own: UserNames::new(program),
            meanings: ValueNumbering::new(program),
            found: Mutants::default(),
            names: MutantIds::default(),
        };
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let wanted: BTreeSet<FunctionId> =
            mutated_functions(program, scope).into_iter().collect();
        for subject in subjects {
            let module = program.function(subject).module;
            let number = numbers.entry(module.0).or_default();
            let name = modules.get(module.index());
            let name = name.map_or(&*program.module(module).name, String::as_str);
            // Excluded functions are counted too, so that ids do not depend on the scope.
            if wanted.contains(&subject) {
                finder.declaration(subject, name, *number);
            } else if program.function(subject).kind == FunctionKind::Declared {
                finder.found.excluded.push(subject);
            }
            *number += 1;
        }
        let mut found = finder.found;
        // The sort is stable: mutants of the same span stay in the order of `OPERATORS`.
        found.list.sort_by_key(|it| (it.span.file, it.span.start, it.span.end));
        found
    })
}

struct MutantFinder<'p> {
    program: &'p Program,
    files: &'p SourceMap,
    trees: SyntaxTrees,
    own: UserNames<'p>,
    meanings: ValueNumbering<'p>,
    found: Mutants,
    names: MutantIds,
}

/// A term visited in a declaration.
struct VisitedTerm {
    function: FunctionId,
    term: TermId,
    role: TermRole,
    expected_type: ExpectedType,
    path: Vec<u32>,
}

impl<'p> MutantFinder<'p> {
    fn declaration(&mut self, home: FunctionId, module: &str, number: u32) {
        let mut visits = Vec::new();
        self.collect_terms(home, TermRole::Value, &mut Vec::new(), &mut visits);
        let suppressed =
            self.program.function(home).attributes.skip_mutants.as_deref().map(str::to_owned);
        for visit in visits {
            let body = self.program.function(visit.function);
            let mut body =
                self.found.bodies.remove(&visit.function).unwrap_or_else(|| body.body.clone());
            let made = self.make_mutants(&visit, &mut body);
            let made = self.drop_equivalent(&visit, &body, made);
            let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
            for made in made {
                let count = counts.entry(made.operator).or_default();
                let place = MutantKey {
                    module,
                    declaration: number,
                    path: &visit.path,
                    operator: made.operator,
                    number: *count,
                };
                *count += 1;
                let id = self.names.assign(place);
                let mutant = mutant(id, home, &visit, made, suppressed.clone());
                self.found.list.push(mutant);
            }
            // Put back after each term: the terms of mutants accumulate in one body per function.
            self.found.bodies.insert(visit.function, body);
        }
    }

    /// The terms of a function that may be mutated, including those of lambdas inside it.
    fn collect_terms(
        &self,
        function: FunctionId,
        inside: TermRole,
        path: &mut Vec<u32>,
        visits: &mut Vec<VisitedTerm>,
    ) {
        let definition = self.program.function(function);
        let clauses = definition.requires.iter().chain(&definition.ensures);
        // Clauses are numbered from 2^16 so that their paths never clash with those of subterms.
        for (at, clause) in (1_u32 << 16..).zip(clauses) {
            path.push(at);
            let visit = VisitedTerm {
                function,
                term: clause.term,
                role: TermRole::Clause,
                expected_type: ExpectedType::Known,
                path: path.clone(),
            };
            // A clause is dropped or negated as a whole; its subterms are not mutated.
            visits.push(visit);
            path.pop();
        }
        let (role, known) = match definition.kind {
            FunctionKind::Refinement => (TermRole::Refinement, ExpectedType::Known),
            FunctionKind::Declared => (TermRole::Root, ExpectedType::Known),
            FunctionKind::Constant => (TermRole::Value, ExpectedType::Known),
            FunctionKind::Lambda(_) | FunctionKind::Claim => (inside, ExpectedType::Unknown),
        };
        if let Some(root) = definition.body.root {
            self.walk(
                function,
                TermPart { term: root, role, expected_type: known },
                path,
                visits,
            );
        }
    }

    fn walk(
        &self,
        function: FunctionId,
        TermPart { term: id, role, expected_type: known }: TermPart,
        path: &mut Vec<u32>,
        visits: &mut Vec<VisitedTerm>,
    ) {
        visits.push(VisitedTerm {
            function,
            term: id,
            role,
            expected_type: known,
            path: path.clone(),
        });
        let definition = self.program.function(function);
        let term = definition.body.term(id);
        let around = TypeContext {
            program: self.program,
            function: definition,
            term,
            expected_type: known,
        };
        let inside = if role == TermRole::Refinement { role } else { TermRole::Value };
        let parts = term_parts(&around, inside);
        let n_parts = parts.len() as u32;
        for (at, part) in (0..).zip(parts) {
            path.push(at);
            self.walk(function, part, path, visits);
            path.pop();
        }
        if let Term::Closure { function, .. } | Term::Function { function, .. } = term
            && matches!(self.program.function(*function).kind, FunctionKind::Lambda(_))
        {
            // After the subterms, so that the path of a lambda never equals that of a part.
            path.push(n_parts);
            self.collect_terms(*function, inside, path, visits);
            path.pop();
        }
    }

    fn make_mutants(&self, visit: &VisitedTerm, body: &mut Body) -> Vec<MutantDraft> {
        let mut made = Vec::new();
        for operator in OPERATORS.iter().filter(|it| it.scope.includes(visit.role)) {
            let mut site = MutationSite {
                program: self.program,
                files: self.files,
                trees: &self.trees,
                user_names: &self.own,
                function: self.program.function(visit.function),
                body,
                term: visit.term,
                role: visit.role,
                expected_type: visit.expected_type,
                operator: operator.name,
                drafts: &mut made,
            };
            (operator.make)(&mut site);
        }
        made
    }

    /// Drops mutants that are equivalent to the original or to one another.
    fn drop_equivalent(
        &mut self,
        visit: &VisitedTerm,
        body: &Body,
        made: Vec<MutantDraft>,
    ) -> Vec<MutantDraft> {
        if made.is_empty() {
            return made;
        }
        let mut meaning = |it| self.meanings.number_of(visit.function, body, it);
        // Of several equivalent mutants the first one stays, so the order of `OPERATORS` decides
        // under which operator it is reported.
        let mut seen = BTreeSet::from([meaning(visit.term)]);
        let n_made = made.len();
        let kept: Vec<MutantDraft> =
            made.into_iter().filter(|it| seen.insert(meaning(it.replacement))).collect();
        self.found.n_equivalent += (n_made - kept.len()) as u64;
        kept
    }
}

fn mutant(
    id: String,
    home: FunctionId,
    visit: &VisitedTerm,
    made: MutantDraft,
    suppressed: Option<String>,
) -> Mutant {
    let group = match visit.role {
        TermRole::Clause => MutantGroup::Contract,
        TermRole::Value
        | TermRole::Root
        | TermRole::Condition
        | TermRole::Guard
        | TermRole::Refinement => MutantGroup::Code,
    };
    Mutant {
        id,
        operator: made.operator,
        group,
        declaration: home,
        function: visit.function,
        term: made.term,
        replacement_term: made.replacement,
        span: made.edit.span,
        replacement: made.edit.text,
        description: made.description,
        suppressed,
    }
}

/// A subterm, its role, and what is known of its type.
struct TermPart {
    term: TermId,
    role: TermRole,
    expected_type: ExpectedType,
}

/// The subterms that may be mutated.
fn term_parts(around: &TypeContext<'_>, inside: TermRole) -> Vec<TermPart> {
    let for_code = |role| if inside == TermRole::Refinement { inside } else { role };
    let mut parts = Vec::new();
    if let Term::Match { scrutinee, arms } = around.term {
        parts.push(TermPart {
            term: *scrutinee,
            role: inside,
            expected_type: ExpectedType::Unknown,
        });
        // Weights matter to generators only; claims cannot detect a change in them.
        for (arm, known) in arms.iter().zip(around.of_arms()) {
            let guard =
                arm.guard.map(|term| (term, for_code(TermRole::Guard), ExpectedType::Known));
            let body = (arm.body, inside, known);
            let of_arm = guard.into_iter().chain([body]);
            parts.extend(of_arm.map(|(term, role, known)| TermPart {
                term,
                role,
                expected_type: known,
            }));
        }
        return parts;
    }
    around.term.for_each_subterm(&mut |term| {
        let known = around.of_part(parts.len());
        parts.push(TermPart { term, role: inside, expected_type: known });
    });
    if let (Term::If { .. }, Some(condition)) = (around.term, parts.first_mut()) {
        condition.role = for_code(TermRole::Condition);
    }
    parts
}

/// The files that functions are in.
fn files_of(program: &Program, functions: &[FunctionId]) -> BTreeSet<FileId> {
    let spans = functions.iter().flat_map(|it| &program.function(*it).body.spans);
    spans.map(|it| it.file).collect()
}
