//! The exceptions that the checks of the architecture accept today. Their list may only shrink.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use super::sources::root;

/// The list: lines `check | fault`, comments after `#`.
const LIST: &str = "tests/documents/architecture/exceptions.txt";

/// Something that a check does not accept.
pub struct Fault {
    /// What names it in the list of exceptions.
    pub key: String,
    /// What is wrong, where, and how to repair it.
    pub message: String,
}

/// Fails for faults that are not in the list, and for lines of the list that are no longer needed. `cargo xtask manual` removes such
/// lines; it adds none.
pub fn hold(check: &str, faults: &[Fault]) {
    static LOCK: Mutex<()> = Mutex::new(());
    let _guard = LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let list = fs::read_to_string(root().join(LIST)).unwrap_or_else(|error| panic!("{LIST}: {error}"));
    let prefix = format!("{check} | ");
    let accepted: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_prefix(&prefix)).collect();
    let keys: BTreeSet<&str> = faults.iter().map(|fault| fault.key.as_str()).collect();
    let mut report = String::new();
    for fault in faults.iter().filter(|fault| !accepted.contains(fault.key.as_str())) {
        report += &format!("{}\n    (in the list of exceptions this would be: {prefix}{})\n", fault.message, fault.key);
    }
    let spare: Vec<&str> = accepted.difference(&keys).copied().collect();
    if !spare.is_empty() && std::env::var_os("URTO_MANUAL").is_some() {
        let is_needed = |line: &&str| line.strip_prefix(&prefix).is_none_or(|key| !spare.contains(&key));
        let kept: String = list.lines().filter(is_needed).map(|line| format!("{line}\n")).collect();
        fs::write(root().join(LIST), kept).unwrap_or_else(|error| panic!("{LIST}: {error}"));
    } else {
        for key in spare {
            report +=
                &format!("{LIST} has a line that is no longer needed; remove it, or run `cargo xtask manual`: {prefix}{key}\n");
        }
    }
    assert!(report.is_empty(), "{check}:\n{report}");
}
