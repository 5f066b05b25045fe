//! Laws that hold for every text: the golden tests, their prefixes, and random token sequences.

use std::fs;
use std::path::{Path, PathBuf};

use gainsay_source::FileId;
use gainsay_syntax::{Parse, Token, TokenKind, Tree, dump, format, parse};

fn read(text: &str) -> Parse {
    parse(FileId(0), text)
}

/// Every program in the repository's folders of programs.
fn corpus() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["tests/ui", "std", "examples"] {
        collect(&mut found, &root.join(folder));
    }
    found.sort();
    assert!(found.len() > 90, "the corpus is found");
    found
}

fn collect(found: &mut Vec<(PathBuf, String)>, folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(found, &path);
        } else if path.extension().is_some_and(|it| it == "say")
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.push((path, text));
        }
    }
}

/// The parts of a text that formatting must not change.
fn essence(tree: &Tree) -> Vec<String> {
    let is_layout = |kind| {
        matches!(
            kind,
            TokenKind::Whitespace
                | TokenKind::Newline
                | TokenKind::Comma
                | TokenKind::Semicolon
        )
    };
    let kept = tree.tokens().filter(|token| !is_layout(token.kind()));
    kept.map(|token| token.text().trim_end().to_owned()).collect()
}

/// Asserts what must hold for any text whatsoever.
#[track_caller]
fn holds(text: &str) {
    let parse = read(text);
    let printed: String = parse.tree.tokens().map(Token::text).collect();
    assert_eq!(printed, text, "the tree prints back");
    assert!(parse.tree.len() <= 6 * text.len() + 6, "the tree is linear in the text");
    for error in &parse.errors {
        let span = error.primary.span;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{error:?}");
    }
    if let Some(once) = format(&parse) {
        let again = read(&once);
        assert_eq!(essence(&parse.tree), essence(&again.tree), "of\n{text}\ncame\n{once}");
        let twice = format(&again).unwrap_or_default();
        assert_eq!(once, twice, "the layout of\n{text}\nis no fixed point");
    }
}

#[test]
fn every_program_holds() {
    for (_, text) in corpus() {
        holds(&text);
    }
}

#[test]
fn every_prefix_holds() {
    for (_, text) in corpus() {
        // Every prefix of a short text, a sample of those of a long one.
        let step = text.len() / 150 + 1;
        for (number, (end, _)) in text.char_indices().enumerate() {
            if number % step == 0 {
                holds(&text[..end]);
            }
        }
    }
}

#[test]
fn every_program_without_one_token_holds() {
    for (_, text) in corpus() {
        let tree = read(&text).tree;
        let step = tree.len() / 60 + 1;
        for token in tree.tokens().step_by(step) {
            let span = token.span();
            let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
            holds(&[before, after].concat());
        }
    }
}

/// The text with every name repeated this many times; possible keywords are unchanged.
fn stretched(text: &str, n_times: usize) -> String {
    let tree = read(text).tree;
    let stretch = |token: Token<'_>| {
        let is_name = token.kind() == TokenKind::Ident
            && !WORDS.split_whitespace().any(|it| it == token.text());
        if is_name { token.text().repeat(n_times) } else { token.text().to_owned() }
    };
    tree.tokens().map(stretch).collect()
}

/// Long names cause line breaks in places where the corpus has none.
#[test]
fn every_program_with_long_names_holds() {
    for (_, text) in corpus() {
        for n_times in 2..9 {
            holds(&stretched(&text, n_times));
        }
    }
}

/// A small self-contained generator: the same numbers in every run.
struct CorpusRng(u64);

impl CorpusRng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

const WORDS: &str = "use type const fn effect let if else match true false observe assume throws \
    across under par test verify rel in out law trace given when where world spec against x y Z \
    Node 1 2.5 0xff \"s\" 'c' \"open 'o + - * / % ++ == != < <= > >= && || ! |> | -> => <- = . .. \
    ..= , ; : ? @ ( ) [ ] { } _ # /// //";

#[test]
fn heaps_of_tokens_hold() {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut random = CorpusRng(0x9e37_79b9_7f4a_7c15);
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..random.below(60) {
            text.push_str(words[random.below(words.len())]);
            text.push_str([" ", "", "\n", "\n\n", " "][random.below(5)]);
        }
        holds(&text);
    }
}

#[test]
fn heaps_of_characters_hold() {
    let letters: Vec<char> =
        "aZ_09 \t\r\n\"'\\(){}[]<>|!&=.,:;?@#/*+-%é€😀\u{feff}\0".chars().collect();
    let mut random = CorpusRng(42);
    for _ in 0..3000 {
        let length = random.below(80);
        holds(&(0..length).map(|_| letters[random.below(letters.len())]).collect::<String>());
    }
}

/// Runs a function on a stack of 2 MiB.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run);
    thread.expect("threads can be started").join().expect("the stack is large enough");
}

#[test]
fn nothing_nests_too_deep_for_a_small_stack() {
    const N: usize = 100_000;
    let around = |open: &str, close: &str| {
        format!("const A: T = {}1{}\n", open.repeat(N), close.repeat(N))
    };
    let texts = [
        around("(", ")"),
        around("(", ""),
        around("[", "]"),
        around("{", "}"),
        around("f(", ")"),
        around("|x| ", ""),
        around("!", ""),
        around("observe ", ""),
        around("if a {", "}"),
        around("if a { 1 } else ", ""),
        around("match x { A => ", "}"),
        around("1 + ", ""),
        around("", ".a()"),
        around("", "?"),
        around("a < ", ""),
        around("{ ..", "}"),
        around("f(1 + ", ")"),
        format!("type A = {}Int{}\n", "List<".repeat(N), ">".repeat(N)),
        format!("type A = {}Int\n", "(A) -> ".repeat(N)),
        format!("type A = Int{}\n", "?".repeat(N)),
        format!("type A = Int{}\n", "{true}".repeat(N)),
        format!("fn f() {{ let {}a{} = 1 }}\n", "[".repeat(N), "]".repeat(N)),
        ")".repeat(N),
        "{".repeat(N),
        "@a\n".repeat(N),
        "test \"".repeat(N),
    ];
    on_a_small_stack(move || {
        for text in texts {
            holds(&text);
            assert!(!dump(&read(&text).tree).is_empty());
        }
    });
}

#[test]
fn the_deepest_text_that_is_read_can_be_formatted() {
    let deep = format!("const A: T = {}1{}\n", "f(1 + ".repeat(250), ")".repeat(250));
    let blocks = format!("const A: T = {}1{}\n", "{\n".repeat(250), "\n}".repeat(250));
    let long = format!("const A: T = 1{}\n", " + 1".repeat(990));
    let chain = format!("const A: T = a{}\n", ".b(1)".repeat(990));
    let ladder = format!("const A: T = if a {{ 1 }} {}\n", "else if b { 2 }".repeat(1000));
    on_a_small_stack(move || {
        for text in [deep, blocks, long, chain, ladder] {
            assert!(read(&text).errors.is_empty());
            holds(&text);
        }
    });
}

#[test]
fn ladders_in_ladders_count_together() {
    let ladder = |n_rungs: usize, last: &str| {
        format!("if a {{ 1 }} {}else {{ {last} }}", "else if b { 2 } ".repeat(n_rungs))
    };
    let n_errors = |value: &str| read(&format!("const A: T = {value}\n")).errors.len();
    assert_eq!(n_errors(&ladder(1000, "3")), 0);
    assert_eq!(n_errors(&ladder(1001, "3")), 1);
    assert_eq!(n_errors(&ladder(1000, &ladder(0, "3"))), 0);
    assert_eq!(n_errors(&ladder(600, &ladder(401, "3"))), 1);
    assert_eq!(n_errors(&format!("[{0}, {0}]", ladder(600, "3"))), 0);
}

#[test]
fn too_deep_is_reported_once() {
    let text =
        format!("const A: T = {}1\nconst B: T = {}1\n", "!".repeat(999), "-".repeat(999));
    assert_eq!(read(&text).errors.len(), 1);
}

#[test]
fn a_long_string_is_one_token() {
    let text = format!("const A: Str = \"{}\"\n", "x".repeat(10_000_000));
    assert!(read(&text).errors.is_empty());
}
