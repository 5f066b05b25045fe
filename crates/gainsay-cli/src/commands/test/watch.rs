//! `gainsay test --watch`: reruns claims whenever a file changes.
//!
//! Modification times are polled. That needs no support from the system, works on every file
//! system, and is cheap for the number of files in a project.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, SystemTime};

use super::TestPlan;
use super::select::ClaimOrder;
use crate::exit::Exit;
use crate::reporter::Reporter;
use crate::{files, interrupt, output};

/// The maximum delay until a change is detected.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Files with the metadata that reveals a change.
type FileTimes = BTreeMap<String, (Option<SystemTime>, u64)>;

/// Runs claims, waits for a change, and repeats until Ctrl-C.
pub(super) fn watch(plan: &TestPlan, reporter: &mut Reporter) -> Exit {
    let stop = interrupt::stop_gracefully();
    let mut order = ClaimOrder::default();
    loop {
        // Taken before the run, so that a change during the run triggers another one.
        let mut before = file_times(plan, &order.read);
        super::run(plan, &mut order, reporter);
        // Files that were read for the first time, because another file uses them, are watched from
        // now on.
        let now = file_times(plan, &order.read).into_iter();
        for (name, stamp) in now.filter(|(name, _)| order.read.contains(name)) {
            before.entry(name).or_insert(stamp);
        }
        let _ = output::flush();
        reporter.note("\nwatching for changes; press Ctrl-C to stop");
        let changed = loop {
            if stop.load(Ordering::Relaxed) {
                return Exit::Interrupted;
            }
            thread::sleep(POLL_INTERVAL);
            let changed = changed_files(&before, &file_times(plan, &order.read));
            if !changed.is_empty() {
                break changed;
            }
        };
        let names: Vec<&str> = changed.iter().map(String::as_str).collect();
        reporter.note(&format!("\nchanged: {}", names.join(", ")));
        order.set_changed_files(changed);
    }
}

fn file_times(plan: &TestPlan, read: &BTreeSet<String>) -> FileTimes {
    let found = files::find_sources(&plan.paths).files;
    // The size as well: some file systems have times of a second's resolution.
    let stamp = |name: String| {
        let metadata = fs::metadata(&name).ok();
        let time = metadata.as_ref().and_then(|it| it.modified().ok());
        let size = metadata.map_or(0, |it| it.len());
        (name, (time, size))
    };
    found.into_iter().chain(read.iter().cloned()).map(stamp).collect()
}

/// The files that are new, deleted or changed.
fn changed_files(before: &FileTimes, after: &FileTimes) -> BTreeSet<String> {
    let names = before.keys().chain(after.keys());
    names.filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::{FileTimes, changed_files};

    #[test]
    fn what_is_new_gone_or_different_has_changed() {
        let snapshot = |files: &[(&str, u64)]| -> FileTimes {
            files.iter().map(|(name, size)| ((*name).to_owned(), (None, *size))).collect()
        };
        let before = snapshot(&[("a.say", 1), ("b.say", 2), ("c.say", 3)]);
        let after = snapshot(&[("b.say", 2), ("c.say", 4), ("d.say", 5)]);
        let changed: Vec<String> = changed_files(&before, &after).into_iter().collect();
        assert_eq!(changed, ["a.say", "c.say", "d.say"]);
        assert!(changed_files(&before, &before).is_empty());
    }
}
