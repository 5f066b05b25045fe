//! Warnings that make a run fail if the user denies them.

use super::format::name_of;

/// The warnings that can be denied.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum DeniableLint {
    /// A claim that observes nothing.
    Placebo,
    /// An observation whose outcome does not depend on the code.
    ConstantObserve,
    /// An observation that is never evaluated.
    DeadObserve,
    /// A test whose observations all accept wrong results.
    LooseTest,
    /// Many discarded cases.
    Discards,
    /// Many duplicate cases.
    Duplicates,
    /// A refinement or `where` that is filtered, not solved.
    Filtered,
    /// A predicate whose values a solver finds by search, not by a generator derived from it.
    Narrowed,
    /// A refinement that is filtered, and accepts hardly anything but one value.
    WeakGenerator,
    /// An input under a condition that hardly anything but trivial values satisfies.
    TrivialInputs,
    /// An `across` that no case reached.
    UnreachedAcross,
    /// Too few cases to decide a `cover`.
    UnclearCover,
    /// A saved case that can no longer be used.
    StaleCases,
    /// A law whose `when` excludes every hostile case.
    HostileVacuous,
    /// All of them.
    Warnings,
}

/// The names of the warnings.
pub(crate) const LINTS: &[(&str, DeniableLint)] = &[
    ("placebo", DeniableLint::Placebo),
    ("constant-observe", DeniableLint::ConstantObserve),
    ("dead-observe", DeniableLint::DeadObserve),
    ("loose-test", DeniableLint::LooseTest),
    ("discards", DeniableLint::Discards),
    ("duplicates", DeniableLint::Duplicates),
    ("filtered", DeniableLint::Filtered),
    ("narrowed", DeniableLint::Narrowed),
    ("weak-generator", DeniableLint::WeakGenerator),
    ("trivial-inputs", DeniableLint::TrivialInputs),
    ("unreached-across", DeniableLint::UnreachedAcross),
    ("unclear-cover", DeniableLint::UnclearCover),
    ("stale-cases", DeniableLint::StaleCases),
    ("hostile-vacuous", DeniableLint::HostileVacuous),
    ("warnings", DeniableLint::Warnings),
];

impl DeniableLint {
    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        name_of(LINTS, self)
    }

    /// Whether this lint is among those that are denied.
    pub(crate) fn is_denied(self, deny: &[Self]) -> bool {
        deny.contains(&self) || deny.contains(&Self::Warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::DeniableLint;

    #[test]
    fn to_deny_warnings_is_to_deny_each() {
        assert!(DeniableLint::Placebo.is_denied(&[DeniableLint::Warnings]));
        assert!(DeniableLint::Placebo.is_denied(&[DeniableLint::Placebo]));
        assert!(!DeniableLint::Placebo.is_denied(&[DeniableLint::Discards]));
    }
}
