//! Step counting in compiled code: a counter that runs down, so that a step is one subtraction.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::fault::FaultKind;
use crate::limits::WORK_PER_STEP;

/// Steps between two checks of the interrupt flag.
const STEPS_PER_REFILL: u64 = 4096;

/// Counts steps. Compiled code decrements the first field and calls [`StepCounter::refill`] when it
/// becomes negative.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct StepCounter {
    /// Granted steps that have not been taken.
    fuel: i64,
    granted: u64,
    limit: u64,
    /// The initial grant.
    first: u64,
    interrupt: Option<std::sync::Arc<AtomicBool>>,
}

impl StepCounter {
    /// Offset at which compiled code finds the remaining steps.
    pub(super) const FUEL: usize = std::mem::offset_of!(Self, fuel);

    pub(crate) fn new() -> Self {
        Self { fuel: 0, granted: 0, limit: 0, first: 0, interrupt: None }
    }

    /// Sets the steps that each case from the next one on may take.
    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        // Precomputed, since every case begins with it.
        self.first = STEPS_PER_REFILL.min(limit);
    }

    /// Starts a case.
    #[inline(always)]
    pub(crate) fn reset(&mut self) {
        self.granted = self.first;
        self.fuel = self.first as i64;
    }

    /// Opens a nested budget with the same limit; the returned state restores the outer one.
    pub(crate) fn open_budget(&mut self) -> (i64, u64) {
        // Only these two change while steps are taken.
        let counters = (self.fuel, self.granted);
        self.reset();
        counters
    }

    /// Restores the outer budget.
    pub(crate) fn close_budget(&mut self, (fuel, granted): (i64, u64)) {
        self.fuel = fuel;
        self.granted = granted;
    }

    /// Sets a flag that, once raised, stops a run soon.
    pub(crate) fn set_interrupt(&mut self, flag: std::sync::Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// Steps taken so far.
    #[inline(always)]
    pub(crate) fn taken(&self) -> u64 {
        // `fuel` is negative if more steps were taken than granted, until `refill` is called.
        let fuel = self.fuel.unsigned_abs();
        if self.fuel < 0 { self.granted.saturating_add(fuel) } else { self.granted - fuel }
    }

    /// Steps that may be taken in total.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// The flag that interrupts a run.
    pub(crate) fn interrupt(&self) -> Option<std::sync::Arc<AtomicBool>> {
        self.interrupt.clone()
    }

    /// Charges the work of a builtin, measured in elements or bytes.
    pub(crate) fn charge_work(&mut self, amount: u64) -> Result<(), FaultKind> {
        self.charge_steps(amount / WORK_PER_STEP)
    }

    /// Charges steps.
    pub(crate) fn charge_steps(&mut self, steps: u64) -> Result<(), FaultKind> {
        // Saturating: an absurd charge must end in a fault, not wrap around.
        let steps = i64::try_from(steps).unwrap_or(i64::MAX);
        self.fuel = self.fuel.saturating_sub(steps);
        if self.fuel < 0 { self.refill() } else { Ok(()) }
    }

    /// The steps that are left.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.taken())
    }

    /// The work that the remaining steps allow.
    pub(crate) fn work_left(&self) -> u64 {
        // Work is charged in whole steps, rounded down, so almost a further step of it is free.
        let steps = self.limit.saturating_sub(self.taken()).saturating_add(1);
        steps.saturating_mul(WORK_PER_STEP)
    }

    /// Called when the granted steps are exceeded: grants more, or says why not.
    #[cold]
    pub(crate) fn refill(&mut self) -> Result<(), FaultKind> {
        // `fuel` is negative here, which counts the overdraft as taken.
        let taken = self.taken();
        if taken > self.limit {
            self.granted = self.limit;
            self.fuel = 0;
            return Err(FaultKind::StepLimit);
        }
        // At most the limit, so that exceeding it always leads back here.
        self.granted = taken.saturating_add(STEPS_PER_REFILL).min(self.limit);
        self.fuel = (self.granted - taken) as i64;
        // Relaxed suffices: the flag carries no data, and a late observation only delays the stop.
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(FaultKind::Interrupted);
        }
        Ok(())
    }
}
