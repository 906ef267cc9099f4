//! Names and prose in the standard terms of the field.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::exceptions::{Fault, hold};
use super::sources::{files_below, text};
use super::tokens::{Kind, Token, tokens};

/// Words that no identifier contains; identifiers are split at `_` and at capitals.
const WORDS: &[&str] = &[
    "crew",
    "thrift",
    "sway",
    "grip",
    "grasp",
    "hands",
    "shelf",
    "desk",
    "deed",
    "deeds",
    "wish",
    "wishes",
    "past",
    "hung",
    "thrown",
    "pull",
    "relief",
    "march",
    "hush",
    "lean",
    "leaning",
    "knocking",
    "rouse",
    "feel",
    "dress",
    "dressed",
    "shop",
    "yardstick",
    "house",
    "ledger",
    "books",
    "playing",
    "sounding",
    "ears",
    "told",
    "wear",
];
/// Identifiers that stay: parameter ids, a key in saved reports, and names of hosts' interfaces.
const KEPT: &[&str] = &["Playing", "Sounding", "RollSway", "yardstick_64", "IS_PLAYING", "set_playing", "isPlaying"];
/// A word that means an editor's picture, and nothing in the engine.
const EDITOR_WORD: &str = "scene";
/// Turns of phrase that plain terms replace, one a line: words with their alternatives.
const PHRASES: &str = include_str!("turns_of_phrase.txt");
/// How many turns of phrase are accepted in 10,000 words.
const ACCEPTED_PHRASES: f64 = 4.0;
/// Folders with Rust files, and files that contain the words because they list them.
const FOLDERS: [&str; 12] = [
    "src",
    "fourier/src",
    "physics",
    "engine",
    "body-mesh/src",
    "c-interface/src",
    "tests",
    "benches",
    "examples",
    "fuzz/src",
    "media/src",
    "xtask/src",
];
const WORD_LISTS: [&str; 2] = ["tests/documents/architecture/dialect.rs", "CHANGELOG.md"];

/// A file with its tokens.
struct RustFile {
    path: String,
    tokens: Vec<Token>,
}

/// All Rust files of the repository, tests included.
fn rust_files() -> &'static [RustFile] {
    static FILES: OnceLock<Vec<RustFile>> = OnceLock::new();
    FILES.get_or_init(|| {
        let paths = FOLDERS.iter().flat_map(|folder| files_below(folder, "rs"));
        let paths = paths.filter(|path| !path.contains("/target/") && !WORD_LISTS.contains(&path.as_str()));
        paths.map(|path| RustFile { tokens: tokens(text(&path)), path }).collect()
    })
}

/// The words of an identifier in lower case.
fn words_of(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for sign in identifier.chars() {
        if sign == '_' || (sign.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = sign.is_lowercase();
        if sign != '_' {
            words.last_mut().expect("never empty").extend(sign.to_lowercase());
        }
    }
    words
}

/// Counts places where a phrase occurs in a row of words in lower case.
fn phrase_count(phrase: &str, words: &[String]) -> usize {
    let phrase: Vec<Vec<&str>> = phrase.split(' ').map(|word| word.split('|').collect()).collect();
    let fits = |place: &&[String]| place.iter().zip(&phrase).all(|(word, alternatives)| alternatives.contains(&word.as_str()));
    words.windows(phrase.len()).filter(fits).count()
}

/// The words of a prose in lower case, without their punctuation.
fn prose_words(text: &str) -> Vec<String> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.split(|sign: char| !is_part(sign)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Comments and messages of the Rust files, and the documents, one row of words for each comment, message and document.
fn prose() -> Vec<(&'static str, Vec<String>)> {
    let is_prose = |token: &&Token| matches!(token.kind, Kind::Comment | Kind::Text);
    let rust = rust_files()
        .iter()
        .flat_map(move |file| file.tokens.iter().filter(is_prose).map(|token| (file.path.as_str(), prose_words(token.text))));
    let mut found: Vec<(&str, Vec<String>)> = rust.collect();
    let outside = ["CONTRIBUTING.md", "README.md", "SECURITY.md"].map(str::to_owned);
    let documents = files_below("docs", "md").into_iter().filter(|path| !path.starts_with("docs/papers/"));
    for path in documents.chain(outside) {
        let words = prose_words(text(&path));
        found.push((Box::leak(path.into_boxed_str()), words));
    }
    found
}

#[test]
fn no_dialect_in_identifiers() {
    let mut found: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for file in rust_files() {
        let is_engine = file.path.starts_with("engine/") || file.path.starts_with("physics/");
        for token in file.tokens.iter().filter(|token| token.kind == Kind::Word && !KEPT.contains(&token.text)) {
            let words = words_of(token.text);
            if words.iter().any(|word| WORDS.contains(&word.as_str()) || (is_engine && word == EDITOR_WORD)) {
                found.entry(format!("{} {}", file.path, token.text)).or_default().insert(token.line);
            }
        }
    }
    let message = |key: &str, lines: &BTreeSet<usize>| format!("{key} (lines {lines:?}): use the term of the field");
    let faults: Vec<Fault> = found.iter().map(|(key, lines)| Fault { key: key.clone(), message: message(key, lines) }).collect();
    hold("no_dialect_in_identifiers", &faults);
}

#[test]
fn no_dialect_in_prose() {
    let prose = prose();
    let total: usize = prose.iter().map(|(_, words)| words.len()).sum();
    let mut places: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut count = 0;
    for (path, words) in &prose {
        for phrase in PHRASES.lines().filter(|line| !line.starts_with('#')) {
            let here = phrase_count(phrase, words);
            if here > 0 {
                count += here;
                *places.entry(phrase).or_default().entry(path).or_default() += here;
            }
        }
    }
    let share = 1e4 * count as f64 / total as f64;
    println!("{count} turns of phrase in {total} words: {share:.1} in 10,000");
    for (phrase, files) in &places {
        println!("{phrase}: {files:?}");
    }
    let message = format!("{share:.1} turns of phrase in 10,000 words, of {ACCEPTED_PHRASES}; the places are listed above");
    let faults = Vec::from_iter((share > ACCEPTED_PHRASES).then(|| Fault { key: "more than accepted".to_owned(), message }));
    hold("no_dialect_in_prose", &faults);
}

#[test]
fn identifiers_and_phrases_are_split_into_words() {
    assert_eq!(words_of("PastHammer_of_MODES"), ["past", "hammer", "of", "modes"]);
    let words = prose_words("// The hammer lies in the hand, and GIVES way.\n It lies\nbeside");
    assert_eq!(phrase_count("lie|lies in|at|beside", &words), 2);
    assert_eq!(phrase_count("give|gives way", &words), 1);
}
