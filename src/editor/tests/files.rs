//! Tests of drawn patterns, and of files that are loaded or dropped.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::tests::*;
use urto_engine::params::DRIVE_SOURCES;

/// A dropped file.
#[derive(Debug)]
struct Falling(PathBuf);

impl egui::DroppedFile for Falling {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

impl WindowDriver {
    /// Drops a file on the window.
    pub fn drop_file(&mut self, file: &Path) {
        self.falling.push(Arc::new(Falling(file.to_owned())));
        self.rest();
    }

    /// The drive page with `source`.
    fn driven(source: &str) -> Self {
        let mut window = Self::new();
        let mut patch = Patch::default();
        patch.settings.set(ParamId::DriveSource, DRIVE_SOURCES.iter().position(|name| *name == source).expect("a source") as f64);
        window.load(patch);
        window.press(Key::Num3, Modifiers::NONE);
        window.look(Vec::new());
        window
    }
}

/// A temporary file.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("urto-editor-{}-{name}", std::process::id()))
}

#[test]
fn a_pattern_is_drawn_in_one_step() {
    let mut window = WindowDriver::driven("Pattern");
    let before = window.editor.instance.params.own_patch();
    let (first, third) = (window.at("Pattern step 1"), window.at("Pattern step 3"));
    window.drag(first + vec2(0.0, 20.0), third + vec2(0.0, 20.0));
    let pattern = window.editor.instance.params.own_patch().drive_content.pattern;
    assert!(pattern[..3].iter().all(|level| (-1.0..0.0).contains(level)) && pattern[0] == pattern[2], "{pattern:?}");
    assert_eq!(pattern[3..], before.drive_content.pattern[3..]);
    window.press(Key::ArrowUp, Modifiers::NONE);
    assert_ne!(window.editor.instance.params.own_patch().drive_content.pattern, pattern, "keys move it too");
    window.press(Key::Z, Modifiers::COMMAND);
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.own_patch(), before);
}

#[test]
fn a_recording_comes_by_path_or_drop_and_a_broken_one_leaves_the_last() {
    let (good, bad) = (file("good.wav"), file("bad.wav"));
    let spec = hound::WavSpec { channels: 1, sample_rate: 48_000, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(&good, spec).expect("a file");
    (0..4800).for_each(|i| writer.write_sample(((i % 100) * 300) as i16).expect("a sample"));
    writer.finalize().expect("a file");
    std::fs::write(&bad, "no sound").expect("a file");
    let mut window = WindowDriver::driven("Sample");
    window.click_on("Recording, type a path");
    window.look(vec![Input::Text(good.display().to_string())]);
    window.press(Key::Enter, Modifiers::NONE);
    window.look(Vec::new());
    let loaded = window.editor.instance.params.own_patch().drive_content.sample.expect("loaded");
    assert_eq!((loaded.len(), loaded.rate()), (4800, 48e3));
    window.drop_file(&bad);
    assert_eq!(window.editor.instance.params.own_patch().score.sample.as_ref(), Some(&loaded), "the last good stays");
    assert!(window.texts().iter().any(|text| text.contains("bad.wav")), "and it is told why");
    window.click_on("Remove recording");
    assert_eq!(window.editor.instance.params.own_patch().drive_content.sample, None);
    window.drop_file(&good);
    assert_eq!(window.editor.instance.params.own_patch().drive_content.sample, Some(loaded));
    for place in [good, bad] {
        let _ = std::fs::remove_file(place);
    }
}
