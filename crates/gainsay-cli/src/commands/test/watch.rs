//! `gainsay test --watch`: again whenever a file changes.
//!
//! Times of files are asked for now and then. That needs no help of the system, works on every
//! disk, and costs little for as many files as a project has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, SystemTime};

use super::Plan;
use super::select::Order;
use crate::exit::Exit;
use crate::report::Reporter;
use crate::{files, interrupt, output};

/// How long it takes at most until a change is noticed.
const PATIENCE: Duration = Duration::from_millis(250);

/// Files with what tells a change of them.
type Snapshot = BTreeMap<String, (Option<SystemTime>, u64)>;

/// Runs claims, waits for a change, and runs them again, until Ctrl-C.
pub(super) fn watch(plan: &Plan, reporter: &mut Reporter) -> Exit {
    let stop = interrupt::ask_first();
    let mut order = Order::default();
    loop {
        let mut before = snapshot(plan, &order.read);
        super::run(plan, &mut order, reporter);
        // What was read for the first time, because something uses it, is watched from now on.
        let now = snapshot(plan, &order.read).into_iter();
        for (name, stamp) in now.filter(|(name, _)| order.read.contains(name)) {
            before.entry(name).or_insert(stamp);
        }
        let _ = output::flush();
        reporter.remark("\nwaiting for a change; Ctrl-C ends it");
        let changed = loop {
            if stop.load(Ordering::Relaxed) {
                return Exit::Interrupted;
            }
            thread::sleep(PATIENCE);
            let changed = difference(&before, &snapshot(plan, &order.read));
            if !changed.is_empty() {
                break changed;
            }
        };
        let names: Vec<&str> = changed.iter().map(String::as_str).collect();
        reporter.remark(&format!("\nchanged: {}", names.join(", ")));
        order.change(changed);
    }
}

fn snapshot(plan: &Plan, read: &BTreeSet<String>) -> Snapshot {
    let found = files::find(&plan.paths).files;
    let stamp = |name: String| {
        let metadata = fs::metadata(&name).ok();
        let time = metadata.as_ref().and_then(|it| it.modified().ok());
        let size = metadata.map_or(0, |it| it.len());
        (name, (time, size))
    };
    found.into_iter().chain(read.iter().cloned()).map(stamp).collect()
}

/// The files that are new, gone or different.
fn difference(before: &Snapshot, after: &Snapshot) -> BTreeSet<String> {
    let names = before.keys().chain(after.keys());
    names.filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, difference};

    #[test]
    fn what_is_new_gone_or_different_has_changed() {
        let snapshot = |files: &[(&str, u64)]| -> Snapshot {
            files.iter().map(|(name, size)| ((*name).to_owned(), (None, *size))).collect()
        };
        let before = snapshot(&[("a.say", 1), ("b.say", 2), ("c.say", 3)]);
        let after = snapshot(&[("b.say", 2), ("c.say", 4), ("d.say", 5)]);
        let changed: Vec<String> = difference(&before, &after).into_iter().collect();
        assert_eq!(changed, ["a.say", "c.say", "d.say"]);
        assert!(difference(&before, &before).is_empty());
    }
}
