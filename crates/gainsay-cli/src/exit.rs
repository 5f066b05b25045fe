//! Exit codes. They are frozen, because scripts depend on them.

use std::process::ExitCode;

/// Why the process ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything passed.
    Success = 0,
    /// A failure: of a claim, a fault, a failed `main`, a file that is not formatted.
    Failed = 1,
    /// The command line, the configuration or a file it names is unusable.
    Usage = 2,
    /// No verdict: a limit was reached, or a claim is vacuous or was declined.
    Inconclusive = 3,
    /// There was nothing to do.
    NothingToRun = 4,
    /// The program does not compile.
    DoesNotCompile = 5,
    /// The same case behaved differently in two runs.
    NotDeterministic = 6,
    /// A bug in Gainsay itself.
    Internal = 70,
    /// The user stopped it.
    Interrupted = 130,
}

impl Exit {
    /// The numeric exit code.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }

    /// The exit status for two results. What prevented a check outweighs the results of others.
    pub(crate) fn combine(self, other: Self) -> Self {
        if other.priority() > self.priority() { other } else { self }
    }

    fn priority(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::NothingToRun => 1,
            Self::Inconclusive => 2,
            Self::NotDeterministic => 3,
            Self::Failed => 4,
            Self::DoesNotCompile => 5,
            Self::Usage => 6,
            Self::Interrupted => 7,
            Self::Internal => 8,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(it: Exit) -> Self {
        Self::from(it.number())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_numbers_are_frozen() {
        let all = [
            (Exit::Success, 0),
            (Exit::Failed, 1),
            (Exit::Usage, 2),
            (Exit::Inconclusive, 3),
            (Exit::NothingToRun, 4),
            (Exit::DoesNotCompile, 5),
            (Exit::NotDeterministic, 6),
            (Exit::Internal, 70),
            (Exit::Interrupted, 130),
        ];
        for (exit, number) in all {
            assert_eq!(exit.number(), number);
        }
    }

    #[test]
    fn the_weightier_of_two_is_reported() {
        assert_eq!(Exit::Success.combine(Exit::Failed), Exit::Failed);
        assert_eq!(Exit::NotDeterministic.combine(Exit::Failed), Exit::Failed);
        assert_eq!(Exit::NotDeterministic.combine(Exit::Inconclusive), Exit::NotDeterministic);
        assert_eq!(Exit::Failed.combine(Exit::Interrupted), Exit::Interrupted);
        assert_eq!(Exit::Usage.combine(Exit::DoesNotCompile), Exit::Usage);
        assert_eq!(Exit::Failed.combine(Exit::DoesNotCompile), Exit::DoesNotCompile);
    }
}
