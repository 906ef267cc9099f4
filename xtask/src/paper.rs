//! The paper: its figures and tables computed, and the text with them as one page in `target/paper/`.

use crate::paper_figures::{self, Pages};
use crate::paths::Paths;
use anyhow::{Context, Result, ensure};
use pulldown_cmark::{Event, Options, Parser, Tag, html};
use std::fs;
use std::path::Path;

/// Folder and name of the text.
const FOLDER: &str = "docs/paper";
const TEXT: &str = "urto.md";

/// Computes the figures and tables, and writes `urto.md` and `urto.html` with their pictures. Errors: a table or a figure is missing.
pub fn run(paths: &Paths) -> Result<()> {
    paper_figures::run(paths, Pages::Papers)?;
    paper_figures::run(paths, Pages::Validation)?;
    let source = paths.root.join(FOLDER);
    let mut text = assembled(&source)?;
    let folder = paths.output("paper")?;
    for figure in figures(&text) {
        let name = figure.rsplit('/').next().unwrap_or(&figure);
        fs::copy(source.join(&figure), folder.join(name)).with_context(|| format!("cannot copy the figure {figure}"))?;
        text = text.replace(&format!("({figure})"), &format!("({name})"));
    }
    fs::write(folder.join(TEXT), &text)?;
    fs::write(folder.join("urto.html"), page(&text))?;
    println!("wrote {}", folder.join("urto.html").display());
    Ok(())
}

/// The text in `folder` with the tables that it includes.
fn assembled(folder: &Path) -> Result<String> {
    let text = fs::read_to_string(folder.join(TEXT)).with_context(|| format!("cannot read {FOLDER}/{TEXT}"))?;
    let line = |line: &str| match line.strip_prefix("<!-- include ").and_then(|rest| rest.strip_suffix(" -->")) {
        None => Ok(format!("{line}\n")),
        Some(included) => {
            let (page, name) =
                included.split_once(' ').with_context(|| format!("`{line}`: give a page and the name of a table"))?;
            table(folder, page, name)
        }
    };
    text.lines().map(line).collect()
}

/// The table `name` of `page`, between `<!-- table name -->` and `<!-- end -->`.
fn table(folder: &Path, page: &str, name: &str) -> Result<String> {
    let text = fs::read_to_string(folder.join(page)).with_context(|| format!("cannot read {page}"))?;
    let (_, rest) =
        text.split_once(&format!("<!-- table {name} -->\n")).with_context(|| format!("{page} has no table {name}"))?;
    let (table, _) = rest.split_once("<!-- end -->").with_context(|| format!("{page}: the table {name} has no end"))?;
    ensure!(table.lines().filter(|line| line.starts_with('|')).count() > 2, "{page}: the table {name} is empty");
    Ok(format!("{}\n", table.trim()))
}

/// The files of the pictures in `text`.
fn figures(text: &str) -> Vec<String> {
    let picture = |event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    };
    Parser::new(text).filter_map(picture).collect()
}

/// `text` as a page of its own.
fn page(text: &str) -> String {
    let mut body = String::new();
    html::push_html(&mut body, Parser::new_ext(text, Options::ENABLE_TABLES));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Urto</title>\n<style>\n\
         body {{ max-width: 52em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 serif }}\n\
         table {{ border-collapse: collapse; font-size: 80% }}\n\
         td, th {{ padding: 0 0.5em; border-bottom: 1px solid #ccc }}\n\
         pre {{ overflow-x: auto; font-size: 85% }}\nimg {{ max-width: 100% }}\n</style>\n{body}</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_and_figure_of_the_paper_is_there() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER);
        let text = assembled(&folder).expect("all tables");
        assert!(!text.contains("<!-- include"));
        let figures = figures(&text);
        assert!(figures.len() >= 3, "{figures:?}");
        for figure in figures {
            assert!(folder.join(&figure).exists(), "{figure} is missing");
        }
        assert!(page(&text).matches("<table>").count() >= 4);
        assert!(table(&folder, "../validation.md", "unknown").is_err());
    }
}
