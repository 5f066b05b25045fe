//! The meter: counts what a run uses, and raises faults at the limits.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::address_space::memory_limit;
use crate::fault::FaultKind;
use crate::large_memory::{LargeMemoryPermit, UNRESTRICTED_BYTES};
use crate::limits::{Limits, WORK_PER_STEP};
use crate::value::live_bytes;

/// Steps between two checks of the interrupt flag.
const STEPS_PER_CHECK: u64 = 4096;

/// Words between two checks of live memory.
const WORDS_PER_LIVE_CHECK: u64 = 1024;

/// Counts steps and memory.
pub(crate) struct Meter<'a> {
    pub(crate) steps: u64,
    pub(crate) words: u64,
    pub(crate) limits: Limits,
    /// The step count at which to check the limit and the interrupt flag.
    next_step_check: u64,
    /// The word count at which to check live memory.
    next_live_check: u64,
    live_before: u64,
    /// Held while much memory is in use.
    pub(crate) permit: Option<LargeMemoryPermit>,
    interrupt: Option<&'a AtomicBool>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: Limits, interrupt: Option<&'a AtomicBool>) -> Self {
        // An allocation beyond the address space would abort the process instead of failing the
        // case.
        let limits = Limits { live_bytes: memory_limit(limits.live_bytes), ..limits };
        Self {
            steps: 0,
            words: 0,
            limits,
            // Also check right after the limit, so that exceeding it by one step is noticed.
            next_step_check: STEPS_PER_CHECK.min(limits.steps.saturating_add(1)),
            next_live_check: next_live_check_at(0, limits),
            live_before: live_bytes(),
            permit: None,
            interrupt,
        }
    }

    /// A meter that continues from given counts.
    pub(crate) fn resumed(
        limits: Limits,
        interrupt: Option<&'a AtomicBool>,
        steps: u64,
        words: u64,
    ) -> Self {
        Self { steps, words, ..Self::new(limits, interrupt) }
    }

    /// A fresh meter, for work that is not charged to the caller.
    pub(crate) fn fresh(&self) -> Self {
        // Live memory counts from the start of the run, or constants could hold the limit once
        // each.
        Self { live_before: self.live_before, ..Self::new(self.limits, self.interrupt) }
    }

    /// Charges one function entry.
    #[inline(always)]
    pub(crate) fn charge_step(&mut self) -> Result<(), FaultKind> {
        self.steps += 1;
        if self.steps >= self.next_step_check { self.check_steps() } else { Ok(()) }
    }

    /// Charges the work of a builtin, measured in elements or bytes.
    pub(crate) fn charge_work(&mut self, amount: u64) -> Result<(), FaultKind> {
        self.charge_steps(amount / WORK_PER_STEP)
    }

    /// Charges steps.
    pub(crate) fn charge_steps(&mut self, steps: u64) -> Result<(), FaultKind> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps >= self.next_step_check { self.check_steps() } else { Ok(()) }
    }

    /// The steps that are left.
    pub(crate) fn steps_left(&self) -> u64 {
        self.limits.steps.saturating_sub(self.steps)
    }

    /// The work that the remaining steps allow.
    pub(crate) fn work_left(&self) -> u64 {
        let steps = self.limits.steps.saturating_sub(self.steps).saturating_add(1);
        steps.saturating_mul(WORK_PER_STEP)
    }

    #[cold]
    #[inline(never)]
    fn check_steps(&mut self) -> Result<(), FaultKind> {
        if self.steps > self.limits.steps {
            // Report the limit itself, whatever the last charge overshot: both engines must agree.
            self.steps = self.limits.steps;
            return Err(FaultKind::StepLimit);
        }
        let next = self.steps.saturating_add(STEPS_PER_CHECK);
        self.next_step_check = next.min(self.limits.steps.saturating_add(1));
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(FaultKind::Interrupted);
        }
        Ok(())
    }

    /// Charges words for a value before it is allocated, so that one that is too big never exists.
    #[inline(always)]
    pub(crate) fn charge_words(&mut self, words: u64) -> Result<(), FaultKind> {
        self.words = self.words.saturating_add(words);
        if self.words >= self.next_live_check { self.check_live_bytes(words) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn check_live_bytes(&mut self, words: u64) -> Result<(), FaultKind> {
        let live = live_bytes().wrapping_sub(self.live_before);
        // Values from before the run may have been freed since, which can make the difference
        // negative.
        let live = if live > u64::MAX / 2 { 0 } else { live };
        let live_after = live.saturating_add(words.saturating_mul(8));
        if self.words > self.limits.words || live_after > self.limits.live_bytes {
            return Err(FaultKind::MemoryLimit);
        }
        if live_after > UNRESTRICTED_BYTES {
            self.permit.get_or_insert_with(LargeMemoryPermit::acquire);
        }
        self.next_live_check = next_live_check_at(self.words, self.limits);
        Ok(())
    }
}

fn next_live_check_at(words: u64, limits: Limits) -> u64 {
    words.saturating_add(WORDS_PER_LIVE_CHECK).min(limits.words.saturating_add(1))
}
