//! Programs of `bench/` whose claims are run as a user runs them.

use std::sync::Arc;

use gainsay_core::{ClaimId, Program};
use gainsay_gen::LoweredProgram;
use gainsay_test::{ClaimReport, ClaimStatus, Settings, run as run_claims};
use gainsay_ui::job;

use crate::cpu_time;

use super::run::program::{load, load_with};
use super::run::throughput::BenchBatch;

/// The number of cases from which mean sizes are taken.
const N_MEASURED: u64 = 20_000;

/// A program of `bench/` with claims.
pub(super) struct BenchClaims {
    program: Arc<Program>,
}

impl BenchClaims {
    pub(super) fn load(name: &str) -> Result<Self, String> {
        Ok(Self { program: load(name)? })
    }

    pub(super) fn load_with(name: &str, used: &str) -> Result<Self, String> {
        Ok(Self { program: load_with(name, used)? })
    }

    /// The processor time to make the generators of all claims, in milliseconds.
    pub(super) fn milliseconds_to_lower(&self) -> f64 {
        const N_RUNS: u32 = 5;
        let start = cpu_time::used();
        for _ in 0..N_RUNS {
            std::hint::black_box(gainsay_gen::lower(&self.program));
        }
        (cpu_time::used() - start).as_secs_f64() * 1e3 / f64::from(N_RUNS)
    }

    pub(super) fn claim(&self, name: &str) -> Result<BenchClaim, String> {
        let found = self.program.claim_ids().find(|it| &*self.program.claim(*it).name == name);
        let claim = found.ok_or_else(|| format!("there is no claim `{name}`"))?;
        Ok(BenchClaim { program: Arc::clone(&self.program), claim })
    }
}

/// A claim of a program.
pub(super) struct BenchClaim {
    program: Arc<Program>,
    claim: ClaimId,
}

impl BenchClaim {
    /// A whole run, in which all cases must pass.
    pub(super) fn run(
        &self,
        lowered: &LoweredProgram,
        seed: u64,
        n_cases: u64,
    ) -> Result<ClaimReport, String> {
        let claims = [self.claim];
        let job = job(lowered, &claims);
        let settings = Settings { cases: Some(n_cases), ..Settings::new(seed) };
        let report = run_claims(&job, &settings).claims.into_iter().next();
        let report = report.ok_or("there is no report")?;
        if report.status != ClaimStatus::Pass || report.cases != n_cases {
            return Err(format!("{} after {} cases", report.status.name(), report.cases));
        }
        Ok(report)
    }

    pub(super) fn batch(&self) -> BenchBatch {
        let own = Self { program: Arc::clone(&self.program), claim: self.claim };
        Box::new(move |seed, n_cases| {
            let lowered = gainsay_gen::lower(&own.program);
            own.run(&lowered, seed, u64::from(n_cases)).map(drop)
        })
    }

    /// The report on as many cases as sizes are measured on, and the mean of what they collect.
    pub(super) fn measured(&self) -> Result<(ClaimReport, f64), String> {
        let report = self.run(&gainsay_gen::lower(&self.program), 0, N_MEASURED)?;
        let labels = report.sites.iter().flat_map(|it| &it.labels);
        let sum: f64 =
            labels.map(|it| it.text.parse::<f64>().unwrap_or(f64::NAN) * it.cases as f64).sum();
        let mean = sum / report.cases as f64;
        Ok((report, mean))
    }
}
