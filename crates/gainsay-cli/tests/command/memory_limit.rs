//! The memory limit applies to all threads of the process together.
#![cfg(target_os = "linux")]

use crate::CommandFolder;
use crate::resource_usage::measure;

#[test]
fn the_memory_limit_holds_for_all_threads_together() {
    let mut text = "fn grow(xs: List<Int>) -> List<Int> { grow([1, ..xs]) }\n".to_owned();
    for at in 0..4 {
        text += &format!("test \"t{at}\" {{ observe grow([{at}]).len() == 0 }}\n");
    }
    let place = CommandFolder::with("a.say", &text);
    let taken = measure(&mut place.command(&["test", "-j", "4", "--no-cases", "a.say"]));
    assert_eq!(taken.code, Some(3));
    assert!(taken.memory < 1_200 << 20, "{taken:?}");
}
