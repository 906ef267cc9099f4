//! The paths that a file names, and the files that define what they lead to.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::sources::{CRATES, SourceFile, sources};
use super::tokens::{Kind, Token, closing};

/// A path as a file writes it.
#[derive(Clone, Debug)]
pub struct NamedPath {
    /// Its words; `*` at the end for all items of a module.
    pub words: Vec<String>,
    /// The name that a `use` gives it in its file; nothing for a path inside code.
    pub binding: Option<String>,
    /// Modules inside the file that enclose it.
    inside: Vec<String>,
    pub line: usize,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// An item that the file defines.
    Item(usize),
    /// A module as a whole.
    Module(usize),
}

/// All modules of the crates, with the paths that they name.
pub struct PathTree {
    files: &'static [SourceFile],
    /// Index of a file by the path of its module.
    modules: HashMap<Vec<String>, usize>,
    paths: Vec<Vec<NamedPath>>,
    /// Names of the items of each file.
    items: Vec<HashSet<&'static str>>,
}

/// The tree, made once.
pub fn path_tree() -> &'static PathTree {
    static TREE: OnceLock<PathTree> = OnceLock::new();
    TREE.get_or_init(|| PathTree::of(sources()))
}

impl PathTree {
    /// The tree of some files.
    pub fn of(files: &'static [SourceFile]) -> Self {
        let modules = files.iter().enumerate().map(|(at, file)| (file.module.clone(), at)).collect();
        let paths = files.iter().map(|file| named_paths(&file.code)).collect();
        let items = files.iter().map(|file| item_names(&file.code)).collect();
        Self { files, modules, paths, items }
    }

    /// The paths by which a file imports something: all of `use`, and those in code that do not begin with an item of a `use`.
    pub fn imports(&self, file: usize) -> impl Iterator<Item = &NamedPath> {
        self.paths[file].iter().filter(move |path| path.binding.is_some() || !self.begins_with_item(file, &path.words[0]))
    }

    /// What a `use` in the file gives a name to.
    pub fn bound(&self, file: usize, name: &str) -> Option<Target> {
        let bound = self.paths[file].iter().find(|path| path.binding.as_deref() == Some(name))?;
        self.target(file, bound)
    }

    fn begins_with_item(&self, file: usize, name: &str) -> bool {
        matches!(self.bound(file, name), Some(Target::Item(_)))
    }

    /// The file that defines what a path leads to, through every `pub use`; nothing for other crates and for local names.
    pub fn target(&self, file: usize, path: &NamedPath) -> Option<Target> {
        let from = [&self.files[file].module[..], &path.inside].concat();
        let absolute = self.absolute(&from, &path.words, 0)?;
        self.definer(&absolute, 0)
    }

    /// The file of the longest part of a path that is a module, as the path is written.
    pub fn written_module(&self, file: usize, path: &NamedPath) -> Option<usize> {
        let from = [&self.files[file].module[..], &path.inside].concat();
        let absolute = self.absolute(&from, &path.words, 0)?;
        (1..=absolute.len()).rev().find_map(|length| self.modules.get(&absolute[..length]).copied())
    }

    /// A path from the root of its crate; nothing for another crate.
    fn absolute(&self, from: &[String], words: &[String], depth: usize) -> Option<Vec<String>> {
        let (first, rest) = words.split_first()?;
        if let Some(krate) = CRATES.iter().find(|krate| krate.name == first) {
            return Some([&[krate.name.to_owned()], rest].concat());
        }
        match first.as_str() {
            "crate" => Some([&from[..1], rest].concat()),
            "self" => Some([from, rest].concat()),
            "super" => {
                let parent = from.split_last().map(|(_, parent)| parent).filter(|parent| !parent.is_empty())?;
                match rest.first().map(String::as_str) {
                    Some("super") => self.absolute(parent, rest, depth),
                    _ => Some([parent, rest].concat()),
                }
            }
            _ if self.modules.contains_key(&[from, std::slice::from_ref(first)].concat()) => Some([from, words].concat()),
            _ if depth > 8 => None,
            _ => {
                let file = self.modules.get(from)?;
                let bound = self.paths[*file].iter().find(|path| path.binding.as_ref() == Some(first) && path.words != words)?;
                let start = self.absolute(from, &bound.words, depth + 1)?;
                Some([&start[..], rest].concat())
            }
        }
    }

    /// The file that defines what an absolute path leads to.
    fn definer(&self, path: &[String], depth: usize) -> Option<Target> {
        let length = (1..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length]))?;
        let (module, rest) = path.split_at(length);
        let file = self.modules[module];
        let Some(name) = rest.first().filter(|name| *name != "self") else { return Some(Target::Module(file)) };
        if depth > 8 || self.items[file].contains(name.as_str()) {
            return Some(Target::Item(file));
        }
        let uses = || self.paths[file].iter().filter(|path| path.binding.is_some() && path.inside.is_empty());
        if let Some(path) = uses().find(|path| path.binding.as_ref() == Some(name)) {
            let start = self.absolute(module, &path.words, 0)?;
            return self.definer(&[&start[..], &rest[1..]].concat(), depth + 1);
        }
        for path in uses().filter(|path| path.words.last().is_some_and(|word| word == "*")) {
            let start = self.absolute(module, &path.words[..path.words.len() - 1], 0);
            let found = start.and_then(|start| self.definer(&[&start[..], rest].concat(), depth + 1));
            if let Some(Target::Item(other)) = found
                && other != file
                && self.items[other].contains(name.as_str())
            {
                return found;
            }
        }
        Some(Target::Item(file))
    }
}

/// Names of everything that a file declares.
fn item_names(code: &[Token]) -> HashSet<&'static str> {
    const DECLARING: [&str; 10] = ["struct", "enum", "union", "trait", "fn", "const", "static", "type", "macro_rules", "mut"];
    let named = |pair: &[Token]| DECLARING.contains(&pair[0].text) && pair[1].kind == Kind::Word;
    let mut found: HashSet<&str> = code.windows(2).filter(|pair| named(pair)).map(|pair| pair[1].text).collect();
    found.extend(code.windows(3).filter(|three| three[0].is("macro_rules") && three[1].is("!")).map(|three| three[2].text));
    found
}

/// All paths in the code of a file: those of `use`, one for each of its names, and those of two words and more.
fn named_paths(code: &[Token]) -> Vec<NamedPath> {
    let mut found = Vec::new();
    let mut inside: Vec<(String, usize)> = Vec::new();
    let mut at = 0;
    while at < code.len() {
        inside.retain(|(_, end)| at < *end);
        let scope = || inside.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        if code[at].is("mod") && code.get(at + 2).is_some_and(|sign| sign.is("{")) {
            inside.push((code[at + 1].text.to_owned(), closing(code, at + 2)));
            at += 3;
        } else if code[at].is("use") && code.get(at + 1).is_some_and(|next| !next.is("<")) {
            let end = at + code[at..].iter().position(|token| token.is(";")).unwrap_or(1);
            use_tree(&code[at + 1..end], &[], &scope(), &mut found);
            at = end;
        } else if starts_path(code, at) {
            let words: Vec<String> = path_words(&code[at..]);
            at += 2 * words.len() - 1;
            found.push(NamedPath { words, binding: None, inside: scope(), line: code[at - 1].line });
        } else {
            at += 1;
        }
    }
    found
}

/// Whether a path of two words and more begins here.
fn starts_path(code: &[Token], at: usize) -> bool {
    let is_word = |at: usize| code.get(at).is_some_and(|token| token.kind == Kind::Word);
    let continues = at > 0 && (code[at - 1].is("::") || code[at - 1].is("."));
    is_word(at) && !continues && code.get(at + 1).is_some_and(|sign| sign.is("::")) && is_word(at + 2)
}

/// The words of a path at the start of `code`.
fn path_words(code: &[Token]) -> Vec<String> {
    let mut words = vec![code[0].text.to_owned()];
    for pair in code[1..].chunks(2) {
        match pair {
            [sign, word] if sign.is("::") && word.kind == Kind::Word => words.push(word.text.to_owned()),
            _ => break,
        }
    }
    words
}

/// The paths of a `use`, braces resolved.
fn use_tree(tree: &[Token], prefix: &[String], inside: &[String], found: &mut Vec<NamedPath>) {
    let mut words = prefix.to_vec();
    let mut binding = None;
    let mut at = 0;
    while at < tree.len() {
        let token = tree[at];
        if token.is("{") {
            let end = closing(tree, at);
            for part in split_at_commas(&tree[at + 1..end]) {
                use_tree(part, &words, inside, found);
            }
            return;
        }
        if token.is("as") {
            binding = tree.get(at + 1).map(|name| name.text.to_owned());
            break;
        }
        if !token.is("::") {
            words.push(token.text.to_owned());
        }
        at += 1;
    }
    let Some(first) = tree.first() else { return };
    if words.len() > 1 && words.last().is_some_and(|word| word == "self") {
        words.pop();
    }
    let binding = binding.or_else(|| words.last().cloned());
    found.push(NamedPath { words, binding, inside: inside.to_vec(), line: first.line });
}

fn split_at_commas(list: &[Token]) -> Vec<&[Token]> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, token) in list.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

#[test]
fn paths_of_use_and_of_code_are_found() {
    let text =
        "use crate::{engine::{knob as k, x::*}, physics::self}; fn f() { super::super::params::g(); a.b::<c::D>(); Self::new() }";
    let found = named_paths(&super::tokens::tokens(text));
    let written: Vec<String> = found.iter().map(|path| path.words.join("::")).collect();
    let expected =
        ["crate::engine::knob", "crate::engine::x::*", "crate::physics", "super::super::params::g", "c::D", "Self::new"];
    assert_eq!(written, expected);
    assert_eq!(found[0].binding.as_deref(), Some("k"));
}
