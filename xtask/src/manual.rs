//! Generated pages of the manual, and the manual as HTML.

use crate::commands::{cargo, is_installed, run as run_command};
use crate::paths::{Paths, copy};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// Writes the generated pages and, if mdbook is installed, the HTML into `target/manual/`.
pub fn run(paths: &Paths) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_MANUAL", "1");
    run_command(command.args(["test", "--package", "urto", "--no-default-features", "--test", "documents"]))?;
    if render_html(paths)?.is_none() {
        println!("the HTML was not written, because mdbook is missing; install it with `cargo install mdbook`");
    }
    Ok(())
}

/// Renders the manual with its pictures as HTML. Returns the folder; none if mdbook is missing.
pub fn render_html(paths: &Paths) -> Result<Option<PathBuf>> {
    if !is_installed(&mut Command::new("mdbook")) {
        return Ok(None);
    }
    let folder = paths.output("manual")?;
    let mut command = Command::new("mdbook");
    run_command(command.arg("build").arg(paths.root.join("docs").join("manual")).arg("--dest-dir").arg(folder.join("html")))?;
    // pages link to ../images and ../papers
    for linked in ["images", "papers"] {
        copy(&paths.root.join("docs").join(linked), &folder.join(linked))?;
    }
    println!("wrote {}", folder.join("html").join("index.html").display());
    Ok(Some(folder))
}
