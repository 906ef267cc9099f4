//! The folder of static files: the page with the module, fonts, colours of the editor, licences, and the list of the service worker.

use crate::paths::{Paths, copy};
use crate::web::licences;
use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Parts of `web/` that the page consists of.
const PARTS: [&str; 6] = ["index.html", "style.css", "service-worker.js", "icon.svg", "manifest.webmanifest", "js"];
/// Source of the colours, relative to the root.
const THEME: &str = "src/editor/theme.rs";
/// The two themes in that file, and in the page.
const THEMES: [(&str, &str); 2] = [("DARK", "dark"), ("LIGHT", "light")];

/// Writes the folder. Returns its path. Errors: a file that cannot be read or written.
pub fn write(paths: &Paths, module: &Path) -> Result<PathBuf> {
    let folder = paths.target.join("web");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for part in PARTS {
        copy(&paths.root.join("web").join(part), &folder.join(part))?;
    }
    copy(module, &folder.join("urto.wasm"))?;
    copy(&paths.root.join("assets/fonts"), &folder.join("fonts"))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&paths.root.join(licence), &folder.join(format!("{licence}.txt")))?;
    }
    fs::write(folder.join("licences.txt"), licences::text(paths)?)?;
    fs::write(folder.join("tokens.css"), tokens(&fs::read_to_string(paths.root.join(THEME))?)?)?;
    list_files(&folder)?;
    Ok(folder)
}

/// The colours of both themes as custom properties, from the source of the editor's theme.
fn tokens(source: &str) -> Result<String> {
    let mut css = String::from("/* Written from the theme of the editor. */\n");
    for (constant, name) in THEMES {
        let start = source.find(&format!("const {constant}: Ink")).with_context(|| format!("{THEME} has no theme {constant}"))?;
        let end = source[start..].find("};").with_context(|| format!("{THEME}: the theme {constant} has no end"))?;
        writeln!(css, "html[data-theme=\"{name}\"] {{")?;
        for line in source[start..start + end].lines().skip(1) {
            write_property(line, &mut css)?;
        }
        css.push_str("}\n");
    }
    let count = css.matches('#').count();
    ensure!(count >= 40, "{THEME}: only {count} colours found");
    Ok(css)
}

/// Writes a field of the theme: `name: hex(0xRRGGBB)`, a pair of colours, or whether the background is dark.
fn write_property(line: &str, css: &mut String) -> Result<()> {
    let Some((name, value)) = line.trim().trim_end_matches(',').split_once(": ") else { return Ok(()) };
    let name = name.replace('_', "-");
    let colors: Vec<&str> = value.split("hex(0x").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    match colors[..] {
        [color] => writeln!(css, "  --{name}: #{color};")?,
        [dark, light] => writeln!(css, "  --{name}-dark: #{dark};\n  --{name}-light: #{light};")?,
        _ if name == "dark" => writeln!(css, "  --is-dark: {};", u8::from(value == "true"))?,
        _ => {}
    }
    Ok(())
}

/// Writes the list of all files, and a version that changes with their contents, into the service worker.
fn list_files(folder: &Path) -> Result<()> {
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let worker = folder.join("service-worker.js");
    files.remove("service-worker.js");
    let mut hash = Sha256::new();
    for file in &files {
        hash.update(fs::read(folder.join(file))?);
    }
    let version: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let list: Vec<String> = files.iter().map(|file| format!("'{file}'")).collect();
    let text = fs::read_to_string(&worker)?;
    let text = text.replace("'VERSION'", &format!("'urto-{version}'")).replace("'FILES'", &format!("'./', {}", list.join(", ")));
    fs::write(&worker, text)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_properties() {
        let mut css = String::new();
        for line in [
            "    dark: true,",
            "    bg: hex(0x121416),",
            "    force_ink: hex(0x1A0E08),",
            "    solid: [hex(0x3A4147), hex(0x6E7A83)],",
        ] {
            write_property(line, &mut css).expect("a string takes every text");
        }
        let expected =
            "  --is-dark: 1;\n  --bg: #121416;\n  --force-ink: #1A0E08;\n  --solid-dark: #3A4147;\n  --solid-light: #6E7A83;\n";
        assert_eq!(css, expected);
    }
}
