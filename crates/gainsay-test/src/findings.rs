//! Findings about claims, apart from counterexamples to properties: one file per kind, each with
//! the facts and their conversion into a diagnostic.

mod spec_violated;
mod too_many_cases;
mod ungenerated;
mod vacuous_block;
mod verify_declined;
mod verify_mismatch;
mod verify_runtime_error;
mod verify_unexpected_err;

pub(crate) use self::spec_violated::SpecViolated;
pub(crate) use self::too_many_cases::TooManyCases;
pub(crate) use self::ungenerated::UngeneratedInput;
pub(crate) use self::vacuous_block::VacuousBlock;
pub(crate) use self::verify_declined::VerifyDeclined;
pub(crate) use self::verify_mismatch::{
    HostileChanges, HostileStub, VerifyCaseScope, VerifyMismatch,
};
pub(crate) use self::verify_runtime_error::{FailingPart, VerifyRuntimeError};
pub(crate) use self::verify_unexpected_err::VerifyUnexpectedErr;
