//! The meter: what a run has used, and the faults when that is too much.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::address_space::memory_limit;
use crate::fault::FaultKind;
use crate::large_memory::{LargeMemoryPermit, UNRESTRICTED_BYTES};
use crate::limits::{Limits, WORK_PER_STEP};
use crate::value::live_bytes;

/// Steps between two looks at the flag that interrupts a run.
const STEPS_PER_CHECK: u64 = 4096;

/// Words between two looks at how much memory is really held.
const WORDS_PER_LIVE_CHECK: u64 = 1024;

/// Counts steps and memory.
pub(crate) struct Meter<'a> {
    pub(crate) steps: u64,
    pub(crate) words: u64,
    pub(crate) limits: Limits,
    /// Steps at which something other than the next step happens.
    next_step_check: u64,
    /// Words at which the memory that is really held is looked at.
    next_live_check: u64,
    live_before: u64,
    /// Held while much memory is.
    pub(crate) permit: Option<LargeMemoryPermit>,
    interrupt: Option<&'a AtomicBool>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: Limits, interrupt: Option<&'a AtomicBool>) -> Self {
        let limits = Limits { live_bytes: memory_limit(limits.live_bytes), ..limits };
        Self {
            steps: 0,
            words: 0,
            limits,
            next_step_check: STEPS_PER_CHECK.min(limits.steps.saturating_add(1)),
            next_live_check: next_live_check_at(0, limits),
            live_before: live_bytes(),
            permit: None,
            interrupt,
        }
    }

    /// A meter that goes on from what has been used.
    pub(crate) fn resumed(
        limits: Limits,
        interrupt: Option<&'a AtomicBool>,
        steps: u64,
        words: u64,
    ) -> Self {
        Self { steps, words, ..Self::new(limits, interrupt) }
    }

    /// A meter that starts afresh, for what is not on the account of the caller.
    pub(crate) fn fresh(&self) -> Self {
        Self { live_before: self.live_before, ..Self::new(self.limits, self.interrupt) }
    }

    /// One entry of a function.
    #[inline(always)]
    pub(crate) fn charge_step(&mut self) -> Result<(), FaultKind> {
        self.steps += 1;
        if self.steps >= self.next_step_check { self.check_steps() } else { Ok(()) }
    }

    /// Work of a builtin, in elements or bytes.
    pub(crate) fn charge_work(&mut self, amount: u64) -> Result<(), FaultKind> {
        self.steps = self.steps.saturating_add(amount / WORK_PER_STEP);
        if self.steps >= self.next_step_check { self.check_steps() } else { Ok(()) }
    }

    /// How much work the remaining steps allow.
    pub(crate) fn work_left(&self) -> u64 {
        let steps = self.limits.steps.saturating_sub(self.steps).saturating_add(1);
        steps.saturating_mul(WORK_PER_STEP)
    }

    #[cold]
    #[inline(never)]
    fn check_steps(&mut self) -> Result<(), FaultKind> {
        if self.steps > self.limits.steps {
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

    /// Words for a value about to be made: a value too big is refused before it exists.
    #[inline(always)]
    pub(crate) fn charge_words(&mut self, words: u64) -> Result<(), FaultKind> {
        self.words = self.words.saturating_add(words);
        if self.words >= self.next_live_check { self.check_live_bytes(words) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn check_live_bytes(&mut self, words: u64) -> Result<(), FaultKind> {
        let live = live_bytes().wrapping_sub(self.live_before);
        // What was there before may have been freed since, which is not on this account.
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
