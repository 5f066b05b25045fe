//! Embeds the pages of `docs/errors` in the binary, so that `gainsay explain` needs no files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=GAINSAY_TARGET={}", env::var("TARGET").unwrap_or_default());
    let mut pages: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(entries) => entries.filter_map(Result::ok).map(|entry| entry.path()).collect(),
        Err(_) => Vec::new(),
    };
    pages.retain(|path| path.extension().is_some_and(|it| it == "md"));
    pages.sort();

    let mut table = String::from("/// The slug and the text of every page.\n");
    table.push_str("pub(crate) const PAGES: &[(&str, &str)] = &[\n");
    for path in pages {
        let slug = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let _ = writeln!(table, "    ({slug:?}, include_str!({path:?})),");
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("pages.rs"), table).expect("the folder of cargo can be written");
}
