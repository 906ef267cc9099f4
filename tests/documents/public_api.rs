//! The public items of the library `urto`, listed in docs/public-api.txt.
//!
//! Reads the sources of the three crates and follows `pub use`. Hidden items (`#[doc(hidden)]`), tests, and items made by macros are
//! not listed; trait implementations are not either.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, Type, UseTree, Visibility};

/// The committed listing.
const LISTING: &str = "docs/public-api.txt";
/// Most items that the listing may have.
const MAX_ITEMS: usize = 250;
/// The crates and the folders of their sources.
const CRATES: [(&str, &str); 3] = [("urto", "src"), ("urto_engine", "engine/src"), ("urto_physics", "physics/src")];

/// A module with its items.
struct Module {
    /// Path from the crate on: `urto_engine::patch`.
    path: Vec<String>,
    items: Vec<Item>,
}

/// All modules of the three crates.
struct Sources(Vec<Module>);

/// A name that a `use` item brings into a module.
struct Import {
    name: String,
    target: Vec<String>,
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is hidden from the documentation or exists in tests alone.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Ok(list) = attribute.meta.require_list() else { return false };
        let text = list.tokens.to_string();
        list.path.is_ident("doc") && text == "hidden" || list.path.is_ident("cfg") && text == "test"
    })
}

impl Sources {
    fn read(root: &Path) -> Self {
        let mut sources = Self(Vec::new());
        for (name, folder) in CRATES {
            let file = root.join(folder).join("lib.rs");
            sources.read_module(vec![name.to_owned()], &file, &root.join(folder));
        }
        sources
    }

    /// Reads the module in `file`, and those that it declares in `folder`.
    fn read_module(&mut self, path: Vec<String>, file: &Path, folder: &Path) {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let items = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items;
        self.add(path, items, folder);
    }

    fn add(&mut self, path: Vec<String>, mut items: Vec<Item>, folder: &Path) {
        for item in &mut items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let inner = [&path[..], std::slice::from_ref(&name)].concat();
            match module.content.take() {
                _ if is_hidden(&module.attrs) => {}
                Some((_, content)) => self.add(inner, content, &folder.join(&name)),
                None => {
                    let candidates: [PathBuf; 2] = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
                    let file = candidates.iter().find(|file| file.exists());
                    let file = file.unwrap_or_else(|| panic!("no file for the module {}", inner.join("::")));
                    self.read_module(inner, file, &folder.join(&name));
                }
            }
        }
        self.0.push(Module { path, items });
    }

    fn module(&self, path: &[String]) -> Option<&Module> {
        self.0.iter().find(|module| module.path == path)
    }

    /// The module and the name of the definition at `path`, through any number of `use` items.
    fn resolve(&self, path: &[String]) -> Option<(&Module, String)> {
        let (name, parent) = path.split_last()?;
        let module = match self.module(parent) {
            Some(module) => module,
            None => {
                let (parent, name) = self.resolve(parent)?;
                self.module(&[&parent.path[..], &[name]].concat())?
            }
        };
        if module.items.iter().any(|item| name_of(item).as_deref() == Some(name)) {
            return Some((module, name.clone()));
        }
        let imports = module.imports();
        let import = imports.iter().find(|import| import.name == *name)?;
        self.resolve(&import.target)
    }
}

impl Module {
    /// The names that `use` items bring in, with absolute targets.
    fn imports(&self) -> Vec<Import> {
        let mut imports = Vec::new();
        for item in &self.items {
            if let Item::Use(item) = item {
                self.collect(&item.tree, &[], &mut imports);
            }
        }
        imports
    }

    fn collect(&self, tree: &UseTree, prefix: &[String], imports: &mut Vec<Import>) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.collect(&path.tree, &with(&path.ident), imports),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.collect(tree, prefix, imports)),
            UseTree::Name(name) => {
                imports.push(Import { name: name.ident.to_string(), target: self.absolute(&with(&name.ident)) })
            }
            UseTree::Rename(rename) => {
                imports.push(Import { name: rename.rename.to_string(), target: self.absolute(&with(&rename.ident)) })
            }
            UseTree::Glob(_) => {}
        }
    }

    /// `path` as it is written in this module, from the crate on.
    fn absolute(&self, path: &[String]) -> Vec<String> {
        match path[0].as_str() {
            "crate" => [&self.path[..1], &path[1..]].concat(),
            "self" => [&self.path[..], &path[1..]].concat(),
            "super" => {
                let levels = path.iter().take_while(|part| *part == "super").count();
                [&self.path[..self.path.len() - levels], &path[levels..]].concat()
            }
            name if CRATES.iter().any(|(known, _)| *known == name) => path.to_vec(),
            _ => [&self.path[..], path].concat(),
        }
    }
}

/// The name of a definition, a module included.
fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// The listing of one crate's public items.
struct Listing<'a> {
    sources: &'a Sources,
    lines: BTreeSet<String>,
}

impl Listing<'_> {
    /// Lists what the module at `path` exports, under `shown`.
    fn module(&mut self, path: &[String], shown: &str) {
        let sources = self.sources;
        let module = sources.module(path).unwrap_or_else(|| panic!("no module {}", path.join("::")));
        for item in &module.items {
            match item {
                Item::Use(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                    let mut imports = Vec::new();
                    module.collect(&item.tree, &[], &mut imports);
                    imports.iter().for_each(|import| self.export(&import.target, &format!("{shown}::{}", import.name)));
                }
                Item::Use(_) => {}
                item => {
                    if let Some(name) = name_of(item) {
                        self.definition(module, &name, &format!("{shown}::{name}"));
                    }
                }
            }
        }
    }

    fn export(&mut self, target: &[String], shown: &str) {
        let sources = self.sources;
        let found = sources.resolve(target);
        let (module, name) = found.unwrap_or_else(|| panic!("{shown}: {} is made by a macro or missing", target.join("::")));
        self.definition(module, &name, shown);
    }

    /// Lists the public definition `name` of `module` with its members, under `shown`.
    fn definition(&mut self, module: &Module, name: &str, shown: &str) {
        let item = module.items.iter().find(|item| name_of(item).as_deref() == Some(name)).expect("resolved");
        match item {
            Item::Mod(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                self.module(&[&module.path[..], &[name.to_owned()]].concat(), shown);
            }
            Item::Struct(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                self.lines.insert(format!("struct {shown}"));
                self.fields(&item.fields, shown, false);
                self.methods(module, name, shown);
            }
            Item::Enum(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                self.lines.insert(format!("enum {shown}"));
                for variant in item.variants.iter().filter(|variant| !is_hidden(&variant.attrs)) {
                    let shown = format!("{shown}::{}", variant.ident);
                    self.lines.insert(format!("variant {shown}"));
                    self.fields(&variant.fields, &shown, true);
                }
                self.methods(module, name, shown);
            }
            Item::Fn(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                self.lines.insert(format!("fn {shown}"));
            }
            Item::Const(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                self.lines.insert(format!("const {shown}"));
            }
            Item::Type(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                self.lines.insert(format!("type {shown}"));
            }
            Item::Trait(item) if is_public(&item.vis) && !is_hidden(&item.attrs) => {
                self.lines.insert(format!("trait {shown}"));
            }
            _ => {}
        }
    }

    /// Lists the public named fields; those of a variant are public without `pub`.
    fn fields(&mut self, fields: &Fields, shown: &str, all: bool) {
        for field in fields.iter().filter(|field| (all || is_public(&field.vis)) && !is_hidden(&field.attrs)) {
            if let Some(name) = &field.ident {
                self.lines.insert(format!("field {shown}::{name}"));
            }
        }
    }

    /// Lists the public methods and constants of the type `name`, which `home` defines, from every inherent `impl` of its crate.
    fn methods(&mut self, home: &Module, name: &str, shown: &str) {
        let sources = self.sources;
        for module in sources.0.iter().filter(|module| module.path[0] == home.path[0]) {
            for item in &module.items {
                let Item::Impl(item) = item else { continue };
                if item.trait_.is_none() && !is_hidden(&item.attrs) && self.is_for(item, module, home, name) {
                    self.members(item, shown);
                }
            }
        }
    }

    fn is_for(&self, item: &ItemImpl, module: &Module, home: &Module, name: &str) -> bool {
        let Type::Path(path) = &*item.self_ty else { return false };
        let path: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let found = self.sources.resolve(&module.absolute(&path));
        found.is_some_and(|(found, found_name)| found.path == home.path && found_name == name)
    }

    fn members(&mut self, item: &ItemImpl, shown: &str) {
        for member in &item.items {
            let line = match member {
                ImplItem::Fn(member) if is_public(&member.vis) && !is_hidden(&member.attrs) => {
                    format!("fn {shown}::{}", member.sig.ident)
                }
                ImplItem::Const(member) if is_public(&member.vis) && !is_hidden(&member.attrs) => {
                    format!("const {shown}::{}", member.ident)
                }
                _ => continue,
            };
            self.lines.insert(line);
        }
    }
}

/// Run with `URTO_UPDATE_API=1` to write the listing.
#[test]
fn the_listing_of_the_public_api_is_complete() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = Sources::read(root);
    let mut listing = Listing { sources: &sources, lines: BTreeSet::new() };
    listing.module(&["urto".to_owned()], "urto");
    let mut lines: Vec<&str> = listing.lines.iter().map(String::as_str).collect();
    lines.sort_by_key(|line| line.split_once(' ').map(|(_, path)| path));
    let text = format!("{}\n", lines.join("\n"));
    if std::env::var_os("URTO_UPDATE_API").is_some() {
        fs::write(root.join(LISTING), &text).expect("the listing can be written");
    }
    let committed = fs::read_to_string(root.join(LISTING)).unwrap_or_default();
    assert!(committed == text, "{LISTING} is out of date: run this test with URTO_UPDATE_API=1 and review the difference");
    assert!(lines.len() <= MAX_ITEMS, "{} public items, more than {MAX_ITEMS}", lines.len());
}
