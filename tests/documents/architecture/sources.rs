//! The source files of the crates, with their tests taken out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::tokens::{Token, closing, tokens};

/// A crate: the name by which others import it, the folder of its sources, and what the names of its modules begin with.
#[derive(Debug, PartialEq)]
pub struct Crate {
    pub name: &'static str,
    pub folder: &'static str,
    pub prefix: &'static str,
}

/// The crates; of two folders that contain a file the first one counts.
pub const CRATES: [Crate; 5] = [
    Crate { name: "urto_physics", folder: "physics/src/", prefix: "physics/" },
    Crate { name: "urto_engine", folder: "engine/src/", prefix: "engine/" },
    Crate { name: "urto_cli", folder: "src/bin/urto-cli/", prefix: "urto-cli/" },
    Crate { name: "standalone", folder: "src/main.rs", prefix: "" },
    Crate { name: "urto", folder: "src/", prefix: "" },
];

/// A file of a crate.
pub struct SourceFile {
    /// Path in the repository, with forward slashes.
    pub path: String,
    pub krate: &'static Crate,
    /// Path of its module: the name of the crate, then the modules.
    pub module: Vec<String>,
    /// Words and signs outside tests.
    pub code: Vec<Token>,
    /// Number of lines outside tests.
    pub lines: usize,
}

impl SourceFile {
    /// Path below the folder of its crate, with the crate's prefix: `engine/voice/pickup.rs`.
    pub fn short(&self) -> String {
        match self.path.strip_prefix(self.krate.folder) {
            Some(below) if !below.is_empty() => format!("{}{below}", self.krate.prefix),
            _ => "main.rs".to_owned(),
        }
    }

    /// Whether this file only declares the modules of its folder.
    pub fn is_face(&self) -> bool {
        ["mod.rs", "lib.rs"].iter().any(|name| self.path.ends_with(&format!("/{name}")))
    }
}

/// Root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with the ending `extension` below a folder, as sorted paths in the repository.
pub fn files_below(folder: &str, extension: &str) -> BTreeSet<String> {
    let mut folders: Vec<PathBuf> = vec![root().join(folder)];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == extension) {
                let below = path.strip_prefix(root()).expect("is below the root");
                found.insert(below.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

/// Text of a file of the repository, kept for the life of the process.
pub fn text(path: &str) -> &'static str {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Box::leak(text.into_boxed_str())
}

/// All source files of the crates except test modules, sorted by path.
pub fn sources() -> &'static [SourceFile] {
    static SOURCES: OnceLock<Vec<SourceFile>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let mut paths = BTreeSet::new();
        for folder in ["physics/src", "engine/src", "src"] {
            paths.extend(files_below(folder, "rs"));
        }
        let read: Vec<(SourceFile, Vec<String>)> = paths.into_iter().map(source).collect();
        let tests: Vec<Vec<String>> = read
            .iter()
            .flat_map(|(file, tests)| tests.iter().map(|name| [&file.module[..], std::slice::from_ref(name)].concat()))
            .collect();
        let is_test = |file: &SourceFile| tests.iter().any(|test| file.module.starts_with(test));
        read.into_iter().map(|(file, _)| file).filter(|file| !is_test(file)).collect()
    })
}

/// Reads a file; also the names of the test modules that it declares in files of their own.
fn source(path: String) -> (SourceFile, Vec<String>) {
    let krate = CRATES.iter().find(|krate| path.starts_with(krate.folder)).expect("every source file is in a crate");
    let below = path.strip_prefix(krate.folder).expect("starts with the folder").trim_end_matches(".rs");
    let names = below.split('/').filter(|name| !["", "mod", "lib", "main"].contains(name));
    let module = [krate.name].into_iter().chain(names).map(str::to_owned).collect();
    let text = text(&path);
    let outside = without_tests(&tokens(text));
    let lines = text.lines().count() - outside.test_lines;
    let code = outside.tokens.into_iter().filter(Token::is_code).collect();
    (SourceFile { path, krate, module, code, lines }, outside.test_modules)
}

/// A file without the items under `#[cfg(test)]`.
struct OutsideTests {
    tokens: Vec<Token>,
    test_lines: usize,
    /// Test modules in files of their own.
    test_modules: Vec<String>,
}

fn without_tests(all: &[Token]) -> OutsideTests {
    let mut found = OutsideTests { tokens: Vec::new(), test_lines: 0, test_modules: Vec::new() };
    let mut at = 0;
    while at < all.len() {
        if !starts_test(&all[at..]) {
            found.tokens.push(all[at]);
            at += 1;
            continue;
        }
        let item = item_start(all, at);
        let end = item_end(all, item);
        found.test_lines += all[end].line - all[at].line + 1;
        let words: Vec<&str> = all[item..=end].iter().filter(|token| token.is_code()).map(|token| token.text).collect();
        if let ["mod", name, ";"] | ["pub", "mod", name, ";"] | ["pub", "(", "crate", ")", "mod", name, ";"] = words[..] {
            found.test_modules.push(name.to_owned());
        }
        at = end + 1;
    }
    found
}

/// Whether an attribute `#[cfg(test)]` or `#[cfg(all(test, ..))]` begins here.
fn starts_test(rest: &[Token]) -> bool {
    let begins = |signs: &[&str]| rest.len() >= signs.len() && signs.iter().zip(rest).all(|(sign, token)| token.is(sign));
    begins(&["#", "[", "cfg", "(", "test", ")"]) || begins(&["#", "[", "cfg", "(", "all", "(", "test"])
}

/// Index of the first token of an item after its attributes and comments.
fn item_start(all: &[Token], mut at: usize) -> usize {
    while at + 1 < all.len() && (all[at].is("#") || !all[at].is_code()) {
        at = if all[at].is("#") { closing(all, at + 1) + 1 } else { at + 1 };
    }
    at
}

/// Index of the last token of an item: a semicolon, or the end of its block.
fn item_end(all: &[Token], start: usize) -> usize {
    let mut at = start;
    while at < all.len() {
        let token = all[at];
        if token.is(";") {
            return at;
        }
        if token.is("{") {
            let is_list = all[start..at].iter().any(|word| word.is("use"));
            let end = closing(all, at);
            if !is_list {
                return end;
            }
            at = end;
        } else if token.is("(") || token.is("[") {
            at = closing(all, at);
        }
        at += 1;
    }
    all.len() - 1
}

#[test]
fn items_under_cfg_test_are_taken_out() {
    let text = "use a::b;\n#[cfg(test)]\nuse c::{d};\nfn e() {}\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod more {\n fn f() {}\n}\nfn g() {}";
    let outside = without_tests(&tokens(text));
    let words: Vec<&str> = outside.tokens.iter().map(|token| token.text).collect();
    assert_eq!(words.concat(), "usea::b;fne(){}fng(){}");
    assert_eq!(outside.test_modules, ["tests"]);
    assert_eq!(outside.test_lines, 8);
}
