//! The presets there are, read; which of them are wanted; and the one that was loaded last.

use crate::engine::knob::KnobId;
use crate::engine::library;
use crate::engine::patch::Patch;
use crate::params::Knobs;

/// A preset that can be read.
#[derive(Clone, Debug)]
pub struct Preset {
    /// All of it.
    pub patch: Patch,
}

/// All presets.
#[derive(Default)]
pub struct Shelf {
    presets: Vec<Preset>,
    loaded: Option<Patch>,
}

impl Shelf {
    /// Reads them, the built-in ones first; what cannot be read is left out.
    pub fn read(&mut self) {
        let entries = library::list(library::folder().as_deref());
        let read = entries.into_iter().filter_map(|entry| {
            let (patch, _) = entry.read().ok()?;
            Some(Preset { patch })
        });
        self.presets = read.collect();
    }

    /// A preset is played now.
    pub fn take(&mut self, patch: &Patch) {
        self.loaded = Some(patch.clone());
    }

    /// Whether the sound is no longer as the preset of its name has it.
    pub fn is_changed(&self, knobs: &Knobs) -> bool {
        let settings = knobs.settings();
        let moved =
            |loaded: &Patch| KnobId::ALL.iter().any(|&id| id.knob().in_patch && loaded.settings.get(id) != settings.get(id));
        self.loaded.as_ref().is_some_and(|loaded| loaded.name == knobs.name() && moved(loaded))
    }

    /// The preset `step` places after the one called `name`, round and round; the first, or the last, where there is none of that
    /// name.
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
    use std::collections::BTreeSet;

    use super::*;

    fn shelf() -> Shelf {
        let mut shelf = Shelf::default();
        shelf.read();
        shelf
    }

    #[test]
    fn steps_go_through_every_preset_and_come_back() {
        let mut shelf = shelf();
        let count = shelf.presets.len();
        assert!(count >= 65, "{count}");
        let first = shelf.step("", 1).expect("a first");
        let mut name = first.name.clone();
        let mut seen = BTreeSet::new();
        for _ in 0..count {
            seen.insert(name.clone());
            name = shelf.step(&name, 1).expect("a next").name;
        }
        assert_eq!((name, seen.len()), (first.name.clone(), count));
        assert_eq!(shelf.step(&first.name, -1).map(|patch| patch.name), Some(shelf.presets[count - 1].patch.name.clone()));
    }
}
