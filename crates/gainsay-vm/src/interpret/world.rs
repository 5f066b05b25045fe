//! Worlds: who answers an operation before the host is asked, and how often it was asked.

use std::collections::HashMap;

use gainsay_core::OpId;

use crate::value::Value;

/// The worlds that have been entered and not left.
pub(super) struct Worlds {
    entered: Vec<World>,
    /// The innermost one that is asked.
    current: Option<usize>,
}

struct World {
    answers: Vec<(OpId, Value)>,
    /// The world around it.
    around: Option<usize>,
    /// How often each operation was asked on each path.
    calls: HashMap<OpId, HashMap<Box<[u32]>, i64>>,
}

/// What to go back to when a world is left.
#[derive(Copy, Clone)]
pub(super) struct Mark {
    n_entered: usize,
    current: Option<usize>,
}

impl Worlds {
    pub(super) fn new(answers: &[(OpId, Value)]) -> Self {
        let mut worlds = Self { entered: Vec::new(), current: None };
        if !answers.is_empty() {
            worlds.enter(answers.to_vec());
        }
        worlds
    }

    /// Enters a world; later answers for the same operation win.
    pub(super) fn enter(&mut self, answers: Vec<(OpId, Value)>) -> Mark {
        let mark = self.mark();
        let around = self.current.replace(self.entered.len());
        self.entered.push(World { answers, around, calls: HashMap::new() });
        mark
    }

    /// Hides a world and those inside it while one of its stubs runs: a stub performs its own
    /// effects in the worlds around its own.
    pub(super) fn hide(&mut self, world: usize) -> Mark {
        let mark = self.mark();
        self.current = self.entered[world].around;
        mark
    }

    fn mark(&self) -> Mark {
        Mark { n_entered: self.entered.len(), current: self.current }
    }

    /// Goes back to where a mark was made.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.entered.truncate(mark.n_entered);
        self.current = mark.current;
    }

    /// The stub that answers an operation, and the world it is in.
    pub(super) fn find(&self, op: OpId) -> Option<(usize, Value)> {
        let mut next = self.current;
        while let Some(at) = next {
            let world = &self.entered[at];
            let answer = world.answers.iter().rev().find(|(answered, _)| *answered == op);
            if let Some((_, stub)) = answer {
                return Some((at, stub.clone()));
            }
            next = world.around;
        }
        None
    }

    /// Counts a call of an operation; how many there were before on the same path.
    pub(super) fn count(&mut self, world: usize, op: OpId, path: &[u32]) -> i64 {
        let calls = self.entered[world].calls.entry(op).or_default();
        if let Some(count) = calls.get_mut(path) {
            *count += 1;
            return *count - 1;
        }
        calls.insert(path.into(), 1);
        0
    }
}
