//! The library's documentation by rustdoc, with a check of its links.

use crate::commands::{cargo, command_text};
use crate::paths::Paths;
use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};
use std::process::Stdio;

/// Lint of rustdoc for broken links. It also reports units and citations in brackets, such as [kg].
const BROKEN_LINKS: &str = "rustdoc::broken_intra_doc_links";

/// Builds the documentation of `urto`, `urto-physics` and `urto-engine`. Errors: warnings of rustdoc, including broken links.
pub fn run(paths: &Paths) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&paths.root).args([
        "doc",
        "--no-deps",
        "--no-default-features",
        "--package",
        "urto",
        "--package",
        "urto-physics",
        "--package",
        "urto-engine",
        "--lib",
    ]);
    println!("$ {}", command_text(&command));
    command.args(["--message-format", "json"]).env("RUSTDOCFLAGS", format!("--force-warn {BROKEN_LINKS}"));
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo doc")?;
    let messages = Message::parse_stream(output.stdout.as_slice());
    let errors: Vec<String> = messages
        .filter_map(|message| match message {
            Ok(Message::CompilerMessage(reported)) if is_error(&reported.message) => reported.message.rendered,
            _ => None,
        })
        .collect();
    if !errors.is_empty() || !output.status.success() {
        bail!("rustdoc reports errors in the documentation\n{}", errors.join("\n"));
    }
    println!("wrote {}", paths.target.join("doc").join("urto").join("index.html").display());
    Ok(())
}

/// Whether a diagnostic is an error here: every diagnostic except brackets that are not meant as links, and rustdoc's final count
/// of warnings, which has neither code nor span.
fn is_error(diagnostic: &Diagnostic) -> bool {
    let is_broken_link = diagnostic.code.as_ref().is_some_and(|code| code.code == BROKEN_LINKS);
    let is_count = diagnostic.code.is_none() && diagnostic.spans.is_empty();
    !is_count && (!is_broken_link || diagnostic.spans.iter().any(is_link))
}

/// Whether brackets are meant as a link: links contain backticks or have a target in parentheses.
fn is_link(span: &DiagnosticSpan) -> bool {
    let line = span.text.first();
    line.is_none_or(|line| {
        let characters: Vec<char> = line.text.chars().collect();
        let character = |index: usize| characters.get(index).copied();
        // columns count from 1
        let (first, after) = (line.highlight_start - 1, line.highlight_end - 1);
        let before = first.checked_sub(1).and_then(character);
        character(first) == Some('`') || before == Some('`') || before == Some('(') || character(after + 1) == Some('(')
    })
}
