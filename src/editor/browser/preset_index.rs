//! The index of all presets, the filter over them, and the preset loaded last.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::host_params::HostParams;
use urto_engine::patch::{FAMILIES, Patch, Source, preset_library};

/// The family of kits, and of presets without a family.
pub const KITS: &str = "kits";
/// See [`KITS`].
const OTHERS: &str = "others";
/// Number of tags shown.
const OFFERED: usize = 14;

/// A preset.
#[derive(Clone, Debug)]
pub struct Preset {
    /// Its patch.
    pub patch: Patch,
    /// Its file, for a user preset.
    pub file: Option<PathBuf>,
}

impl Preset {
    /// Whether it is a user preset.
    pub fn is_own(&self) -> bool {
        self.file.is_some()
    }

    /// The family it is listed under.
    pub fn family(&self) -> &str {
        match (&self.patch.zones[..], self.patch.family.as_str()) {
            ([], "") => OTHERS,
            ([], family) => family,
            _ => KITS,
        }
    }
}

/// A filter over presets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Words that name, tags, family or description must contain.
    pub words: String,
    /// Whether only favourites match.
    pub favourites: bool,
    /// Whether only user presets match.
    pub own: bool,
    /// Any of these families; empty matches all.
    pub families: BTreeSet<String>,
    /// All of these tags.
    pub tags: BTreeSet<String>,
}

impl Filter {
    /// Whether a preset matches.
    pub fn matches(&self, preset: &Preset, favourites: &BTreeSet<String>) -> bool {
        let Patch { name, tags, description, .. } = &preset.patch;
        let text = format!("{name} {} {} {description}", tags.join(" "), preset.family()).to_lowercase();
        (!self.favourites || favourites.contains(name))
            && (!self.own || preset.is_own())
            && (self.families.is_empty() || self.families.contains(preset.family()))
            && self.tags.iter().all(|tag| tags.contains(tag))
            && self.words.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }
}

/// All presets.
#[derive(Default)]
pub struct PresetIndex {
    presets: Vec<Preset>,
    /// Names of files that cannot be read, and the reason.
    broken: Vec<(String, String)>,
    /// The preset of the current name, if there is one, and that name.
    loaded: Option<Patch>,
    loaded_name: String,
}

impl PresetIndex {
    /// Reads all presets, the built-in ones first.
    pub fn read(&mut self) {
        self.read_from(preset_library::folder().as_deref());
    }

    /// Reads the built-in presets and those of `folder`.
    pub fn read_from(&mut self, folder: Option<&Path>) {
        (self.presets, self.broken) = Default::default();
        for entry in preset_library::list(folder) {
            let file = match &entry.source {
                Source::File(file) => Some(file.clone()),
                Source::BuiltIn(_) => None,
            };
            match entry.read() {
                Ok((patch, _)) => self.presets.push(Preset { patch, file }),
                Err(error) => self.broken.push((entry.name, error.to_string())),
            }
        }
    }

    /// Names of files that cannot be read, and the reason.
    pub fn broken(&self) -> &[(String, String)] {
        &self.broken
    }

    /// All presets.
    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    /// Families in their order, with their numbers of presets.
    pub fn families(&self) -> Vec<(String, usize)> {
        let count = |family: &str| self.presets.iter().filter(|preset| preset.family() == family).count();
        let all = FAMILIES.into_iter().chain([KITS, OTHERS]).map(|family| (family.to_owned(), count(family)));
        all.filter(|(_, count)| *count > 0).collect()
    }

    /// The most frequent tags.
    pub fn tags(&self) -> Vec<String> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for tag in self.presets.iter().flat_map(|preset| &preset.patch.tags) {
            match counts.iter_mut().find(|(known, _)| known == tag) {
                Some((_, count)) => *count += 1,
                None => counts.push((tag.clone(), 1)),
            }
        }
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts.into_iter().take(OFFERED).map(|(tag, _)| tag).collect()
    }

    /// Notes `patch` as the preset loaded last.
    pub fn take(&mut self, patch: &Patch) {
        (self.loaded, self.loaded_name) = (Some(patch.clone()), patch.name.clone());
    }

    /// Whether the patch differs from the preset of its name; `false` without such a preset. After the recall of a session or an undo
    /// step the preset is read from the library, once.
    pub fn is_changed(&mut self, params: &HostParams) -> bool {
        let name = params.name();
        if name != self.loaded_name {
            let found = preset_library::list(preset_library::folder().as_deref()).into_iter().find(|entry| entry.name == name);
            self.loaded = found.and_then(|entry| entry.read().ok()).map(|(patch, _)| patch);
            self.loaded_name = name;
        }
        self.loaded.as_mut().is_some_and(|loaded| !params.is_preset(loaded))
    }

    /// The preset `step` places after the one called `name`, cyclic. Without a preset of that name: the first, or the last for a
    /// negative step.
    pub fn step(&mut self, name: &str, step: isize) -> Option<Patch> {
        if self.presets.is_empty() {
            self.read();
        }
        let count = self.presets.len() as isize;
        let here = self.presets.iter().position(|preset| preset.patch.name == name).map(|at| at as isize);
        let next = here.map_or(if step < 0 { -1 } else { 0 }, |here| here + step);
        let patch = self.presets.get(next.checked_rem_euclid(count)? as usize)?.patch.clone();
        self.take(&patch);
        Some(patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presets() -> PresetIndex {
        let mut presets = PresetIndex::default();
        presets.read();
        presets
    }

    #[test]
    fn steps_go_through_every_preset_and_come_back() {
        let mut presets = presets();
        let count = presets.presets.len();
        assert!(count >= 65, "{count}");
        let first = presets.step("", 1).expect("a first");
        let mut name = first.name.clone();
        let mut visited = BTreeSet::new();
        for _ in 0..count {
            visited.insert(name.clone());
            name = presets.step(&name, 1).expect("a next").name;
        }
        assert_eq!((name, visited.len()), (first.name.clone(), count));
        assert_eq!(presets.step(&first.name, -1).map(|patch| patch.name), Some(presets.presets[count - 1].patch.name.clone()));
    }

    #[test]
    fn filters_find_what_is_asked_for() {
        let presets = presets();
        let found = |filter: &Filter, favourites: &[&str]| {
            let favourites = favourites.iter().map(|name| (*name).to_owned()).collect();
            let matching = presets.presets.iter().filter(|preset| filter.matches(preset, &favourites));
            matching.map(|preset| preset.patch.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(found(&Filter::default(), &[]).len(), presets.presets.len());
        let rosewood = found(&Filter { words: "ROSE mallet".into(), ..Filter::default() }, &[]);
        assert!(rosewood.contains(&"Rosewood Marimba".to_owned()), "{rosewood:?}");
        let bells = found(&Filter { families: ["bells".to_owned()].into(), ..Filter::default() }, &[]);
        assert_eq!(bells.len(), presets.families().iter().find(|(name, _)| name == "bells").expect("bells").1);
        let steel = found(&Filter { tags: ["steel".to_owned()].into(), ..Filter::default() }, &[]);
        assert!(!steel.is_empty() && steel.len() < presets.presets.len());
        assert_eq!(found(&Filter { favourites: true, ..Filter::default() }, &["Claves"]), ["Claves"]);
        assert_eq!(found(&Filter { words: "no such thing".into(), ..Filter::default() }, &[]), [""; 0]);
        let all: usize = presets.families().iter().map(|(_, count)| count).sum();
        assert_eq!(all, presets.presets.len());
    }
}
