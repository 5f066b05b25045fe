//! A program without errors, with what a run of its claims needs.

use std::sync::Arc;

use gainsay_core::{ClaimId, ClaimKind, ModuleId, Program};
use gainsay_source::{SourceMap, Span};
use gainsay_test::ClaimType;

/// A program without errors, its texts, and the names of its modules.
#[derive(Copy, Clone)]
pub struct RunnableProgram<'a> {
    /// The program.
    pub program: &'a Arc<Program>,
    /// Its texts.
    pub files: &'a SourceMap,
    /// The display names of its modules, by module id.
    pub modules: &'a [String],
    /// The modules that were asked for, without those they use.
    pub entries: &'a [ModuleId],
}

/// A claim with the name that people write.
#[derive(Debug, Clone)]
pub struct NamedClaim {
    /// The claim.
    pub claim: ClaimId,
    /// Module and name: `ledger::transfer keeps the sum`.
    pub id: String,
    /// Its kind.
    pub ty: ClaimType,
    /// The location of its name.
    pub span: Span,
    /// The reason of its `@ignore`, if it has one.
    pub ignored: Option<String>,
}

impl RunnableProgram<'_> {
    /// The claims of the entries, in source order: the order in which every command runs and
    /// reports them, unless the user asks for another.
    pub fn claims(&self) -> Vec<NamedClaim> {
        let mut claims = Vec::new();
        for entry in self.entries {
            let of_entry = self.program.claim_ids().zip(&self.program.claims);
            let of_entry = of_entry.filter(|(_, it)| it.module == *entry);
            let mut of_entry: Vec<NamedClaim> = of_entry
                .map(|(id, claim)| NamedClaim {
                    claim: id,
                    id: format!("{}::{}", self.modules[claim.module.index()], claim.name),
                    ty: match claim.kind {
                        ClaimKind::Test(_) => ClaimType::Test,
                        ClaimKind::Property(..) => ClaimType::Property,
                        ClaimKind::Verify(_) => ClaimType::Verify,
                    },
                    span: claim.span,
                    ignored: claim.ignore.as_deref().map(str::to_owned),
                })
                .collect();
            of_entry.sort_by_key(|it| it.span);
            claims.extend(of_entry);
        }
        claims
    }
}
