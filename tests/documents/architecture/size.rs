//! Lengths of files and functions.

use super::exceptions::{Fault, hold};
use super::sources::sources;
use super::tokens::{Kind, Token, closing};

/// Most lines of a file, its tests not counted.
const FILE_LINES: usize = 450;
/// Most lines of a function, from `fn` to its closing brace.
const FUNCTION_LINES: usize = 55;

/// Name, first line and number of lines of every function with a body.
fn functions(code: &[Token]) -> Vec<(&'static str, usize, usize)> {
    let starts = (0..code.len().saturating_sub(1)).filter(|at| code[*at].is("fn") && code[at + 1].kind == Kind::Word);
    starts
        .filter_map(|at| {
            let mut place = at + 2;
            while !code.get(place)?.is("{") {
                match code[place].text {
                    ";" => return None,
                    "(" | "[" => place = closing(code, place) + 1,
                    _ => place += 1,
                }
            }
            let last = code[closing(code, place)].line;
            Some((code[at + 1].text, code[at].line, last - code[at].line + 1))
        })
        .collect()
}

#[test]
fn files_and_functions_are_short() {
    let mut faults = Vec::new();
    for file in sources() {
        if file.lines > FILE_LINES {
            let message =
                format!("{} has {} lines without its tests; {FILE_LINES} is the limit: split it by nouns", file.path, file.lines);
            faults.push(Fault { key: file.short(), message });
        }
        for (name, line, lines) in functions(&file.code) {
            if lines > FUNCTION_LINES {
                let message = format!("{} line {line}: {name} has {lines} lines; {FUNCTION_LINES} is the limit", file.path);
                faults.push(Fault { key: format!("{} {name}", file.short()), message });
            }
        }
    }
    hold("files_and_functions_are_short", &faults);
}

#[test]
fn lines_of_functions_are_counted() {
    let text = "trait A { fn a(&self); }\nfn b([x]: [u8; 2]) -> u8 {\n  if x { 1 } else { 2 }\n}\ntype C = fn(u8);";
    assert_eq!(functions(&super::tokens::tokens(text)), [("b", 2, 3)]);
}
