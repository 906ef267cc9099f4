//! Methods of one type in several files: the files form layers, and the file that declares the type is the lowest.

use std::collections::{BTreeMap, BTreeSet};

use super::circles::shortest_circle;
use super::exceptions::{Fault, hold};
use super::path_tree::{Target, path_tree};
use super::sources::sources;
use super::tokens::{Kind, Token, closing};

/// A block `impl Type { .. }` without a trait.
struct Impl {
    file: usize,
    type_name: &'static str,
    methods: Vec<&'static str>,
    /// Methods that it calls through `self` or through the name of the type.
    calls: Vec<&'static str>,
}

/// Name of the type, and the index of the opening brace, of an `impl` without a trait at `at`.
fn inherent_impl(code: &[Token], at: usize) -> Option<(&'static str, usize)> {
    let begins_item = at == 0 || ["}", ";", "{", "]"].iter().any(|sign| code[at - 1].is(sign));
    if !code[at].is("impl") || !begins_item {
        return None;
    }
    let (mut angles, mut name) = (0_i32, None);
    for (place, token) in code.iter().enumerate().skip(at + 1) {
        match token.text {
            "<" => angles += 1,
            ">" if !code[place - 1].is("-") => angles -= 1,
            "for" if angles == 0 => return None,
            "{" => return Some((name?, place)),
            "where" => return Some((name?, place + code[place..].iter().position(|token| token.is("{"))?)),
            _ if angles == 0 && token.kind == Kind::Word => name = Some(token.text),
            _ => {}
        }
    }
    None
}

/// All `impl` blocks without a trait in a file.
fn impls(file: usize, code: &[Token]) -> Vec<Impl> {
    let starts = (0..code.len()).filter_map(|at| inherent_impl(code, at));
    starts
        .map(|(type_name, open)| {
            let body = &code[open..=closing(code, open)];
            let methods = body.windows(2).filter(|pair| pair[0].is("fn")).map(|pair| pair[1].text).collect();
            let own = |receiver: &Token| ["self", "Self", type_name].iter().any(|name| receiver.is(name));
            let called =
                |three: &&[Token]| own(&three[0]) && (three[1].is(".") || three[1].is("::")) && three[2].kind == Kind::Word;
            let calls = body.windows(3).filter(called).map(|three| three[2].text).collect();
            Impl { file, type_name, methods, calls }
        })
        .collect()
}

/// The file that declares a type named in another one.
fn declaring_file(file: usize, type_name: &str) -> usize {
    match path_tree().bound(file, type_name) {
        Some(Target::Item(declaring)) => declaring,
        _ => file,
    }
}

#[test]
fn methods_point_down() {
    let files = sources();
    let mut types: BTreeMap<(usize, &str), Vec<Impl>> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        for block in impls(at, &file.code) {
            types.entry((declaring_file(at, block.type_name), block.type_name)).or_default().push(block);
        }
    }
    let mut faults = Vec::new();
    for ((declaring, type_name), blocks) in types {
        let arrows = calls_between_files(&blocks);
        for (from, targets) in &arrows {
            let (here, there) = (files[*from].short(), |to: &usize| files[*to].short());
            if *from == declaring {
                let above = Vec::from_iter(targets.iter().map(there)).join(", ");
                let message = format!(
                    "{here} declares {type_name} and calls its methods in {above}: move these methods down, or the calls up"
                );
                faults.push(Fault { key: format!("{type_name}: {here}"), message });
            } else if let Some(circle) = shortest_circle(&arrows, from) {
                let circle = Vec::from_iter(circle.iter().map(there)).join(" -> ");
                let message = format!("the methods of {type_name} call each other in a circle of files: {circle}");
                faults.push(Fault { key: format!("{type_name}: {here}"), message });
            }
        }
    }
    hold("methods_point_down", &faults);
}

/// Arrows from a file to the other files whose methods of the same type it calls.
fn calls_between_files(blocks: &[Impl]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut adding: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for block in blocks {
        for method in &block.methods {
            adding.entry(method).or_default().insert(block.file);
        }
    }
    let mut arrows: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for block in blocks {
        for call in &block.calls {
            let Some(files) = adding.get(call).filter(|files| files.len() == 1) else { continue };
            let to = *files.first().expect("one file");
            if to != block.file {
                arrows.entry(block.file).or_default().insert(to);
            }
        }
    }
    arrows
}

#[test]
fn calls_of_methods_in_other_files_are_found() {
    let lower = "impl<T: Fn() -> u8> Voice<T> where T: Copy { fn step(&mut self) { self.sum(); other.sum(); } }";
    let upper = "impl Voice { fn sum(&self) { Self::step(); } } impl Clone for Voice { fn x() { self.sum() } }";
    let read = |file, text| impls(file, &super::tokens::tokens(text));
    let blocks: Vec<Impl> = read(0, lower).into_iter().chain(read(1, upper)).collect();
    assert_eq!(blocks.len(), 2);
    assert_eq!(calls_between_files(&blocks), BTreeMap::from([(0, [1].into()), (1, [0].into())]));
}
