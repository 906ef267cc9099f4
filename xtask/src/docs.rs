//! The documentation of floors 0 and 1 is built, and every link in it leads somewhere.

use crate::commands::{cargo, command_text};
use crate::paths::Paths;
use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};
use std::process::Stdio;

/// What rustdoc says of a link that leads nowhere, and of a unit or a paper in brackets.
const UNRESOLVED: &str = "rustdoc::broken_intra_doc_links";

/// Builds the documentation. Errors: a warning, be it of a link that leads nowhere.
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
    command.args(["--message-format", "json"]).env("RUSTDOCFLAGS", format!("--force-warn {UNRESOLVED}"));
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo doc")?;
    let messages = Message::parse_stream(output.stdout.as_slice());
    let faults: Vec<String> = messages
        .filter_map(|message| match message {
            Ok(Message::CompilerMessage(told)) if counts(&told.message) => told.message.rendered,
            _ => None,
        })
        .collect();
    if !faults.is_empty() || !output.status.success() {
        bail!("the documentation has faults\n{}", faults.join("\n"));
    }
    println!("documented in {}", paths.target.join("doc").join("urto").join("index.html").display());
    Ok(())
}

/// Whether something has to be mended: anything but what stands in brackets without being meant as a link.
fn counts(told: &Diagnostic) -> bool {
    let unresolved = told.code.as_ref().is_some_and(|code| code.code == UNRESOLVED);
    let is_count = told.code.is_none() && told.spans.is_empty();
    !is_count && (!unresolved || told.spans.iter().any(is_link))
}

/// Links stand in backticks, or have a target behind them.
fn is_link(span: &DiagnosticSpan) -> bool {
    let line = span.text.first();
    line.is_none_or(|line| {
        let signs: Vec<char> = line.text.chars().collect();
        let sign = |place: usize| signs.get(place).copied();
        // columns count from 1
        let (first, after) = (line.highlight_start - 1, line.highlight_end - 1);
        let before = first.checked_sub(1).and_then(sign);
        sign(first) == Some('`') || before == Some('`') || before == Some('(') || sign(after + 1) == Some('(')
    })
}
