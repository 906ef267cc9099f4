//! Texts of the licences of all crates in the module.

use crate::paths::Paths;
use crate::web::module::{MANIFEST, TARGET};
use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

/// One text with the licences of Urto, of the crates that the module contains, and of the standard library. Errors: a crate without a text.
pub fn text(paths: &Paths) -> Result<String> {
    let metadata = MetadataCommand::new()
        .manifest_path(paths.root.join(MANIFEST))
        .other_options(["--locked".into(), "--filter-platform".into(), TARGET.into()])
        .exec()
        .context("cargo metadata of the C interface failed")?;
    let mut text = String::from(
        "Urto is licensed under MIT (LICENSE-MIT.txt) or Apache-2.0 (LICENSE-APACHE.txt), the fonts in `fonts` under the SIL Open Font License \
         (fonts/LICENSE_FONT). urto.wasm contains the standard library of Rust (MIT or Apache-2.0, copyright The Rust Project Developers) and \
         these crates:\n",
    );
    let mut packages: Vec<&Package> =
        built(&metadata)?.into_iter().map(|id| &metadata[id]).filter(|package| package.source.is_some()).collect();
    packages.sort_by_key(|package| &package.name);
    for package in packages {
        write_package(package, &mut text)?;
    }
    Ok(text)
}

/// All packages that are linked into the module.
fn built(metadata: &Metadata) -> Result<BTreeSet<&PackageId>> {
    let resolve = metadata.resolve.as_ref().context("cargo metadata resolves no dependencies")?;
    let mut waiting = vec![resolve.root.as_ref().context("the C interface is no package")?];
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !found.insert(id) {
            continue;
        }
        let node =
            resolve.nodes.iter().find(|node| node.id == *id).context("a package without dependencies in cargo metadata")?;
        let linked =
            node.deps.iter().filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal));
        waiting.extend(linked.map(|dependency| &dependency.pkg));
    }
    Ok(found)
}

/// Appends name, licence and the texts of a package.
fn write_package(package: &Package, text: &mut String) -> Result<()> {
    let licence = package.license.as_deref().unwrap_or("see below");
    writeln!(text, "\n{}\n{} {}: {licence}", "-".repeat(80), package.name, package.version)?;
    let folder = package.manifest_path.parent().context("a manifest without a folder")?;
    let mut files: Vec<_> = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let is_licence = |name: &str| {
        ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE"].iter().any(|start| name.to_uppercase().starts_with(start))
    };
    let texts =
        files.iter().filter(|path| path.is_file() && path.file_name().is_some_and(|name| is_licence(&name.to_string_lossy())));
    let mut count = 0;
    for file in texts {
        writeln!(text, "\n{}", fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?)?;
        count += 1;
    }
    // some crates name their licence only; their authors are then the copyright holders
    if count == 0 && package.license.is_none() {
        bail!("{} has neither a licence nor the text of one", package.name);
    }
    if count == 0 {
        writeln!(text, "Copyright {}", package.authors.join(", "))?;
    }
    Ok(())
}
