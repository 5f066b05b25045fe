//! Which mutants the constants of a program reach. Constants are evaluated once and cached, so a
//! case that uses one need not evaluate it, and its own flags do not show the mutants inside.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use gainsay_gen::LoweredProgram;
use gainsay_test::claims::CaseHost;
use gainsay_vm::{Engine, Limits, SwitchId};

/// The constants of a program with switches, shared by threads.
pub(crate) struct ConstantReachability<'l> {
    lowered: &'l LoweredProgram,
    engine: Engine,
    interrupt: Arc<AtomicBool>,
    /// The switches and infection flags they set, computed on first use.
    reached: OnceLock<BTreeSet<SwitchId>>,
}

impl<'l> ConstantReachability<'l> {
    pub(crate) fn new(
        lowered: &'l LoweredProgram,
        engine: Engine,
        interrupt: &Arc<AtomicBool>,
    ) -> Self {
        let interrupt = Arc::clone(interrupt);
        Self { lowered, engine, interrupt, reached: OnceLock::new() }
    }

    /// Whether some constant sets a switch or infection flag.
    pub(crate) fn is_reached(&self, switch: SwitchId) -> bool {
        self.reached.get_or_init(|| self.collect_reached()).contains(&switch)
    }

    fn collect_reached(&self) -> BTreeSet<SwitchId> {
        // A worker of its own, whose constants have not been evaluated yet.
        let mut worker = self.engine.worker(Limits::default());
        worker.set_interrupt(Arc::clone(&self.interrupt));
        worker.watch_mutants();
        let program = Arc::clone(worker.program());
        let mut host = CaseHost::new(self.lowered, &program);
        for constant in &program.constants {
            // The outcome does not matter: what a failing constant reached before it failed counts,
            // too.
            worker.probe(constant.function, &[], &mut host);
        }
        worker.reached_flags().into_iter().collect()
    }
}
