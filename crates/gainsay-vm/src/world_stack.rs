//! Worlds: the stubs that answer operations before the host does, and their call counts.

use std::collections::HashMap;

use gainsay_core::OpId;

/// The worlds that have been entered and not left.
pub(crate) struct WorldStack<V> {
    entered: Vec<ActiveWorld<V>>,
    /// The innermost world whose stubs are visible.
    current: Option<usize>,
    /// Number of running stubs.
    n_stubs: u32,
}

struct ActiveWorld<V> {
    stubs: Vec<(OpId, V)>,
    /// The enclosing world.
    parent: Option<usize>,
    /// Calls of each operation outside of `par` branches. At most as many entries as stubs, mostly
    /// one or two, so a linear search is fastest.
    n_calls_outside_par: Vec<(OpId, i64)>,
    /// Calls of each operation on each branch path.
    n_calls_by_path: HashMap<OpId, HashMap<Box<[u32]>, i64>>,
}

/// The state to restore when a world is left.
#[derive(Copy, Clone)]
pub(crate) struct WorldMark {
    n_entered: usize,
    current: Option<usize>,
    n_stubs: u32,
}

impl<V: Clone> WorldStack<V> {
    pub(crate) fn new(answers: &[(OpId, V)]) -> Self {
        let mut worlds = Self { entered: Vec::new(), current: None, n_stubs: 0 };
        if !answers.is_empty() {
            worlds.enter(answers.to_vec());
        }
        worlds
    }

    /// Enters a world; among stubs for the same operation, the last wins.
    pub(crate) fn enter(&mut self, answers: Vec<(OpId, V)>) -> WorldMark {
        let mark = self.mark();
        // The parent is the visible world and not the one entered last: a world that a stub enters
        // must not see what is hidden from the stub.
        let around = self.current.replace(self.entered.len());
        let (outside, inside) = (Vec::new(), HashMap::new());
        self.entered.push(ActiveWorld {
            stubs: answers,
            parent: around,
            n_calls_outside_par: outside,
            n_calls_by_path: inside,
        });
        mark
    }

    /// Hides a world and those inside it while one of its stubs runs: a stub performs its own
    /// effects in the worlds around its own.
    pub(crate) fn hide(&mut self, world: usize) -> WorldMark {
        let mark = self.mark();
        // Worlds between this one and the innermost are hidden, too.
        self.current = self.entered[world].parent;
        self.n_stubs += 1;
        mark
    }

    pub(crate) fn mark(&self) -> WorldMark {
        WorldMark {
            n_entered: self.entered.len(),
            current: self.current,
            n_stubs: self.n_stubs,
        }
    }

    /// Restores the state of a mark.
    pub(crate) fn restore(&mut self, mark: WorldMark) {
        // Call counts of worlds that were left are gone, so entering one again counts from 0.
        self.entered.truncate(mark.n_entered);
        self.current = mark.current;
        self.n_stubs = mark.n_stubs;
    }

    /// Whether a stub is running, whose own effects are not recorded.
    pub(crate) fn is_in_stub(&self) -> bool {
        self.n_stubs > 0
    }

    /// The stub that answers an operation, and its world.
    pub(crate) fn find_stub(&self, op: OpId) -> Option<(usize, V)> {
        let mut next = self.current;
        while let Some(at) = next {
            let world = &self.entered[at];
            // The last stub for an operation wins.
            let answer = world.stubs.iter().rev().find(|(answered, _)| *answered == op);
            if let Some((_, stub)) = answer {
                return Some((at, stub.clone()));
            }
            next = world.parent;
        }
        None
    }

    /// Whether no stub takes precedence over the host.
    pub(crate) fn is_outermost(&self) -> bool {
        self.current.is_none()
    }

    /// Leaves all worlds.
    pub(crate) fn clear(&mut self) {
        self.entered.clear();
        self.current = None;
        self.n_stubs = 0;
    }

    /// Counts a call of an operation; returns the number of earlier calls on the same path.
    pub(crate) fn count_call(&mut self, world: usize, op: OpId, path: &[u32]) -> i64 {
        let world = &mut self.entered[world];
        if path.is_empty() {
            let counter = world.n_calls_outside_par.iter_mut().find(|it| it.0 == op);
            let Some((_, count)) = counter else {
                world.n_calls_outside_par.push((op, 1));
                return 0;
            };
            *count += 1;
            return *count - 1;
        }
        // By path, so that the numbers do not depend on the order in which branches run.
        let calls = world.n_calls_by_path.entry(op).or_default();
        if let Some(count) = calls.get_mut(path) {
            *count += 1;
            return *count - 1;
        }
        calls.insert(path.into(), 1);
        0
    }
}
