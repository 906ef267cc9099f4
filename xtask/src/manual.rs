//! Writes the pages of the manual that are made from the program, and binds the book.

use crate::commands::{cargo, is_installed, run as run_command};
use crate::paths::{Paths, copy};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// Writes the pages, then the book into `target/manual/` where mdbook is there.
pub fn run(paths: &Paths) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_MANUAL", "1");
    run_command(command.args(["test", "--package", "urto", "--no-default-features", "--test", "documents"]))?;
    if render_html(paths)?.is_none() {
        println!("the book was not bound: mdbook is missing; `cargo install mdbook` brings it");
    }
    Ok(())
}

/// The book as HTML, with its pictures; nothing where mdbook is not there.
pub fn render_html(paths: &Paths) -> Result<Option<PathBuf>> {
    if !is_installed(&mut Command::new("mdbook")) {
        return Ok(None);
    }
    let folder = paths.output("manual")?;
    let mut command = Command::new("mdbook");
    run_command(command.arg("build").arg(paths.root.join("docs").join("manual")).arg("--dest-dir").arg(folder.join("html")))?;
    // pages link to pictures and papers beside the manual
    for beside in ["images", "papers"] {
        copy(&paths.root.join("docs").join(beside), &folder.join(beside))?;
    }
    println!("bound in {}", folder.join("html").join("index.html").display());
    Ok(Some(folder))
}
