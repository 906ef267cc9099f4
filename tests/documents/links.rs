//! Links of all pages, and chapters of the book.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Markdown file below `folder`.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("can be read").path());
    entries
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => pages(&path),
            Some(end) if end == "md" => vec![path],
            _ => Vec::new(),
        })
        .collect()
}

/// What stands between `](` and `)`, outside of blocks of code.
fn targets(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2).collect::<String>();
    prose.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

#[test]
fn every_link_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = pages(&root.join("docs"));
    all.push(root.join("README.md"));
    let mut count = 0;
    for page in all {
        let folder = page.parent().expect("a folder");
        for target in targets(&fs::read_to_string(&page).expect("can be read")) {
            let file = target.split('#').next().unwrap_or_default();
            if target.starts_with("http") || file.is_empty() {
                continue;
            }
            count += 1;
            assert!(folder.join(file).exists(), "{}: no {target}", page.display());
        }
    }
    assert!(count > 40, "{count} links");
}

#[test]
fn every_chapter_is_in_the_summary_once() {
    let mut listed = targets(&fs::read_to_string(crate::manual::folder().join("SUMMARY.md")).expect("the summary"));
    let name = |page: PathBuf| page.file_name().expect("a name").to_string_lossy().into_owned();
    let mut there: Vec<String> =
        pages(&crate::manual::folder()).into_iter().map(name).filter(|name| name != "SUMMARY.md").collect();
    listed.sort();
    there.sort();
    assert_eq!(listed, there);
}

/// A chapter begins with its one title, by which the summary calls it.
#[test]
fn every_chapter_has_one_title() {
    for page in pages(&crate::manual::folder()) {
        let text = fs::read_to_string(&page).expect("can be read");
        let prose = text.split("```").step_by(2).collect::<String>();
        let titles = prose.lines().filter(|line| line.starts_with("# ")).count();
        let summary = page.ends_with("SUMMARY.md");
        assert!(text.starts_with("# ") && (summary || titles == 1), "{}: {titles} titles", page.display());
    }
}

/// The contents of the decisions list every entry, in its order, under its own anchor.
#[test]
fn the_contents_of_the_decisions_are_complete() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/decisions.md")).expect("the decisions");
    let anchor = |title: &str| {
        let kept = title.to_lowercase().replace(|c: char| !(c.is_alphanumeric() || " -_".contains(c)), "");
        kept.replace(' ', "-")
    };
    let entries = text.lines().filter_map(|line| line.strip_prefix("### "));
    let entries: Vec<_> = entries.map(|title| format!("- [{title}](#{})", anchor(title))).collect();
    let listed: Vec<_> = text.lines().filter(|line| line.starts_with("- [")).collect();
    assert_eq!(listed, entries);
}
