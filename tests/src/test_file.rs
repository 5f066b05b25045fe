//! The format of test files: modules and options.
//!
//! `//- name.say` alone on a line starts another module; the text before the first such line is the
//! main module, named after the test. `//@ key: value` sets an option.

/// One module of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceModule {
    /// Its file name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The options in `//@` lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestFileOptions {
    /// Arguments of the program, or names of claims, split at spaces.
    pub args: Vec<String>,
    /// Flags of the command, split at spaces.
    pub flags: Vec<String>,
    /// The stdin of the program; `\n` is a line break.
    pub stdin: String,
    /// The seed, if it is not the default of the mode.
    pub seed: Option<u64>,
}

/// A parsed test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFileContent {
    /// The modules, the main one first.
    pub modules: Vec<SourceModule>,
    /// The options.
    pub options: TestFileOptions,
}

impl TestFileContent {
    /// Parses a test file; the error names the line that is not understood.
    pub fn read(file_name: &str, text: &str) -> Result<Self, String> {
        let mut modules =
            vec![SourceModule { name: file_name.to_owned(), text: String::new() }];
        let mut options = TestFileOptions::default();
        for line in text.split_inclusive('\n') {
            if let Some(name) = line.strip_prefix("//- ") {
                modules
                    .push(SourceModule { name: name.trim().to_owned(), text: String::new() });
                continue;
            }
            if let Some(option) = line.strip_prefix("//@ ") {
                options.set(option.trim_end())?;
            }
            if let Some(module) = modules.last_mut() {
                module.text.push_str(line);
            }
        }
        if modules.len() > 1 && is_preface(&modules[0].text) {
            modules.remove(0);
        }
        Ok(Self { modules, options })
    }

    /// A text as one module, without interpreting it.
    pub(crate) fn whole(file_name: &str, text: &str) -> Self {
        let module = SourceModule { name: file_name.to_owned(), text: text.to_owned() };
        Self { modules: vec![module], options: TestFileOptions::default() }
    }

    /// The main module.
    pub fn main(&self) -> &SourceModule {
        self.modules.first().expect("a case has at least one module")
    }
}

impl TestFileOptions {
    fn set(&mut self, option: &str) -> Result<(), String> {
        let (key, value) =
            option.split_once(':').ok_or_else(|| format!("`//@ {option}` has no `:`"))?;
        let value = value.trim();
        let words = || value.split_whitespace().map(str::to_owned).collect();
        match key {
            "args" => self.args = words(),
            "flags" => self.flags = words(),
            "stdin" => self.stdin = value.replace("\\n", "\n"),
            "seed" => {
                let seed = value.parse().map_err(|_| format!("bad seed `{value}`"))?;
                self.seed = Some(seed);
            }
            _ => return Err(format!("`//@ {key}` is no option: args, flags, stdin, seed")),
        }
        Ok(())
    }
}

/// Whether a text has no code: then it is not a module.
fn is_preface(text: &str) -> bool {
    text.lines().all(|line| line.trim().is_empty() || line.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::TestFileContent;

    #[test]
    fn a_file_splits_into_modules() {
        let case = TestFileContent::read("a.say", "//@ seed: 7\nuse b\n//- b.say\nfn f() {}\n")
            .unwrap();
        assert_eq!(case.options.seed, Some(7));
        assert_eq!(case.modules.len(), 2);
        assert_eq!(case.main().name, "a.say");
        assert_eq!(case.modules[1].text, "fn f() {}\n");
    }

    #[test]
    fn a_preface_is_no_module() {
        let case = TestFileContent::read("a.say", "//@ args: x y\n//- m.say\nuse b\n").unwrap();
        assert_eq!(case.main().name, "m.say");
        assert_eq!(case.options.args, ["x", "y"]);
    }

    #[test]
    fn an_unknown_option_is_refused() {
        assert!(TestFileContent::read("a.say", "//@ sede: 7\n").is_err());
    }
}
