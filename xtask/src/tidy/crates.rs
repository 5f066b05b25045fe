//! Checks that the table in ARCHITECTURE.md matches the manifests.

use std::fs;
use std::path::Path;

/// Adds the violations of the dependency table.
pub(super) fn check(complaints: &mut Vec<String>, root: &Path) {
    let table = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    let mut listed = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, allowed, ..] = cells[..] else { continue };
        let name = name.trim_matches('`');
        row(complaints, root, name, allowed);
        listed.push(name);
    }
    for entry in fs::read_dir(root.join("crates")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !listed.contains(&name.as_str()) {
            complaints.push(format!("crates/{name}: not in the table of ARCHITECTURE.md"));
        }
    }
}

fn row(complaints: &mut Vec<String>, root: &Path, name: &str, allowed: &str) {
    let Ok(manifest) = fs::read_to_string(root.join("crates").join(name).join("Cargo.toml"))
    else {
        complaints.push(format!("ARCHITECTURE.md: there is no crate `{name}`"));
        return;
    };
    let mut allowed: Vec<&str> = allowed.split('`').skip(1).step_by(2).collect();
    let mut used = own_dependencies(&manifest);
    allowed.sort_unstable();
    used.sort_unstable();
    if allowed != used {
        complaints.push(format!(
            "crates/{name}: ARCHITECTURE.md allows {allowed:?}, Cargo.toml uses {used:?}"
        ));
    }
}

/// The workspace crates that a manifest depends on; dev-dependencies do not count.
fn own_dependencies(manifest: &str) -> Vec<&str> {
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    section
        .lines()
        .filter(|line| line.starts_with("gainsay"))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::own_dependencies;

    #[test]
    fn dependencies_of_tests_do_not_count() {
        let manifest = "[package]\nname = \"x\"\n\n[dependencies]\ngainsay-core.workspace = true\n\
                        libm.workspace = true\n\n[dev-dependencies]\ngainsay-vm.workspace = true\n";
        assert_eq!(own_dependencies(manifest), ["gainsay-core"]);
    }
}
