//! What constants come to. They have values in runs that do not evaluate them, so that it cannot be
//! seen there.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use gainsay_gen::Lowered;
use gainsay_vm::{Engine, Limits};

use crate::host::CaseHost;

/// The constants of a program with switches, shared by threads.
pub(crate) struct Constants<'l> {
    lowered: &'l Lowered,
    engine: Engine,
    interrupt: Arc<AtomicBool>,
    /// The switches and marks that they come to, once somebody asks.
    reached: OnceLock<BTreeSet<u32>>,
}

impl<'l> Constants<'l> {
    pub(crate) fn new(
        lowered: &'l Lowered,
        engine: Engine,
        interrupt: &Arc<AtomicBool>,
    ) -> Self {
        let interrupt = Arc::clone(interrupt);
        Self { lowered, engine, interrupt, reached: OnceLock::new() }
    }

    /// Whether one of them comes to a switch or a mark.
    pub(crate) fn reach(&self, mark: u32) -> bool {
        self.reached.get_or_init(|| self.watched()).contains(&mark)
    }

    fn watched(&self) -> BTreeSet<u32> {
        let mut worker = self.engine.worker(Limits::default());
        worker.set_interrupt(Arc::clone(&self.interrupt));
        worker.watch();
        let program = Arc::clone(worker.program());
        let mut host = CaseHost::new(self.lowered, &program);
        for constant in &program.constants {
            worker.probe(constant.function, &[], &mut host);
        }
        worker.reached().into_iter().collect()
    }
}
