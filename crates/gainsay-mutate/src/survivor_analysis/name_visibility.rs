//! Decides whether a file can name the types in some values, so that a suggested line compiles.

use gainsay_core::{ModuleId, Program};
use gainsay_source::SourceMap;
use gainsay_vm::Value;

/// Whether all types of some values are declared in a module, imported by it, or standard.
pub(super) fn can_name_types(
    program: &Program,
    files: &SourceMap,
    module: ModuleId,
    values: &[&Value],
) -> bool {
    let text = &files.get(program.module(module).file).text;
    let mut used: Option<Vec<&str>> = None;
    let mut pending = values.to_vec();
    while let Some(value) = pending.pop() {
        match value {
            Value::Data(ctor, fields) => {
                let nominal = program.nominal(program.ctor(*ctor).ty);
                let is_near = nominal.module == module || program.module(nominal.module).is_std;
                // By name and not by resolution: a false match costs a suggestion that does not
                // compile, and nothing else.
                let used = used.get_or_insert_with(|| used_names(text));
                if !is_near && !used.contains(&&*nominal.name) {
                    return false;
                }
                pending.extend(fields.as_slice());
            }
            Value::Tuple(fields) => pending.extend(fields.as_slice()),
            Value::List(list) => pending.extend(list.iter()),
            Value::Map(table) => pending.extend(table.iter().flat_map(|(key, it)| [key, it])),
            Value::Set(table) => pending.extend(table.iter().map(|it| it.0)),
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {}
            Value::Char(_) | Value::Str(_) | Value::Closure(..) => {}
        }
    }
    true
}

/// The names in the `use` lines of a source text.
fn used_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if !is_open && !line.starts_with("use ") {
            continue;
        }
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        names.extend(line.split(|it| !is_word(it)).filter(|it| !it.is_empty()));
        is_open = if is_open {
            !line.contains('}')
        } else {
            line.contains('{') && !line.contains('}')
        };
    }
    names
}

#[cfg(test)]
mod tests {
    use super::used_names;

    #[test]
    fn names_are_found_on_all_lines_of_a_use() {
        let text = "use a.{B, c}\nfn f() {}\nuse d.{\n  E,\n}\ntype G = Int\n";
        assert_eq!(used_names(text), ["use", "a", "B", "c", "use", "d", "E"]);
    }
}
