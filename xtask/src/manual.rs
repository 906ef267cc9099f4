//! Generated pages of the manual, and the manual as HTML.

use crate::cargo_tools::BOOK;
use crate::commands::{cargo, run as run_command};
use crate::paths::{Paths, copy};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// Writes the generated pages and, if mdbook is installed, the HTML into `target/manual/`.
pub fn run(paths: &Paths) -> Result<()> {
    let mut command = cargo();
    command.current_dir(&paths.root).env("URTO_MANUAL", "1");
    run_command(command.args(["test", "--package", "urto", "--no-default-features", "--test", "documents"]))?;
    match BOOK.find(paths) {
        Some(book) => _ = render_html(paths, book)?,
        None => println!("the HTML was not written, because mdbook is missing; install it with `cargo install mdbook`"),
    }
    Ok(())
}

/// Renders the manual with its pictures as HTML, after installing mdbook if it is missing. Returns the folder.
pub fn provide_html(paths: &Paths) -> Result<PathBuf> {
    render_html(paths, BOOK.provide(paths)?)
}

fn render_html(paths: &Paths, mut book: Command) -> Result<PathBuf> {
    let folder = paths.output("manual")?;
    run_command(book.arg("build").arg(paths.root.join("docs").join("manual")).arg("--dest-dir").arg(folder.join("html")))?;
    // pages link to ../images and ../papers
    for linked in ["images", "papers"] {
        copy(&paths.root.join("docs").join(linked), &folder.join(linked))?;
    }
    println!("wrote {}", folder.join("html").join("index.html").display());
    Ok(folder)
}
