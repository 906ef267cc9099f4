//! The page of a comparison: players, spectrograms side by side, and figures, in a folder that needs nothing else.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::io::{AudioFile, AudioFormat, CliError, PendingFile, Sound};
use crate::realism::picture;
use urto_engine::formats::{Origin, PROGRAM};

/// Highest sample of the sounds of the page.
const PEAK: f64 = 0.5;

/// One stroke on the page.
pub struct PageStroke {
    /// Heading, such as kind and velocity.
    pub title: String,
    /// Name of its files without ending.
    pub file: String,
    /// Verdict in words.
    pub verdict: String,
    /// Whether it is convincing.
    pub is_convincing: bool,
    /// Measures: name, recording's figure, the preset's, difference, limit.
    pub figures: Vec<[String; 5]>,
    /// Places in [`PageStroke::figures`] that are beyond their limit.
    pub failed: Vec<usize>,
}

const STYLE: &str = "body{font:15px/1.4 sans-serif;margin:2em auto;max-width:1100px;color:#222;background:#fff}\
section{border-top:1px solid #ccc;padding:1em 0}.pair{display:flex;gap:1em;flex-wrap:wrap}figure{margin:0}\
figure img{width:420px;height:240px;display:block;background:#000}audio{width:420px}\
table{border-collapse:collapse;margin-top:.6em}td,th{padding:.1em .8em .1em 0;text-align:left}.beyond{color:#b00;font-weight:bold}\
h2 small{font-weight:normal;color:#666}@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}.beyond{color:#f77}}";

/// One of the two sounds of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The recording.
    Recording,
    /// The preset.
    Preset,
}

impl Side {
    /// Its name in files.
    fn name(self) -> &'static str {
        match self {
            Self::Recording => "recording",
            Self::Preset => "preset",
        }
    }
}

/// The sound of one side of the stroke `file` on the page in `folder`.
pub fn sound_file(folder: &Path, file: &str, side: Side) -> PathBuf {
    folder.join(format!("{file}-{}.wav", side.name()))
}

/// The picture of one side of the stroke `file` on the page in `folder`.
pub fn picture_file(folder: &Path, file: &str, side: Side) -> PathBuf {
    folder.join(format!("{file}-{}.png", side.name()))
}

/// The page in `folder`.
pub fn page_path(folder: &Path) -> PathBuf {
    folder.join("index.html")
}

/// Writes sounds and spectrograms of a stroke, both at the same peak, as `FILE-recording` and `FILE-preset`. Errors: not writable.
pub fn write_sounds(folder: &Path, file: &str, recording: &Sound, preset: &Sound) -> Result<(), CliError> {
    for (side, sound) in [(Side::Recording, recording), (Side::Preset, preset)] {
        let peak = sound.channels.iter().flatten().fold(0.0_f64, |peak, sample| peak.max(sample.abs()));
        let gain = if peak > 0.0 { PEAK / peak } else { 0.0 };
        let channel = |n: usize| -> Vec<f32> {
            sound.channels[n.min(sound.channels.len() - 1)].iter().map(|sample| (sample * gain) as f32).collect()
        };
        let origin = Origin { title: format!("{file}, {}", side.name()), seeds: String::new() };
        let mut audio = AudioFile::create(&sound_file(folder, file, side), sound.rate, AudioFormat::Wav16, origin)?;
        audio.write(&channel(0), &channel(1))?;
        audio.publish()?;
        let path = picture_file(folder, file, side);
        let (pending, open) = PendingFile::create(&path)?;
        picture::write(sound, std::io::BufWriter::new(open)).map_err(|error| CliError::unwritable(&path, error))?;
        pending.publish()?;
    }
    Ok(())
}

/// Writes `index.html`. Errors: not writable.
pub fn write_page(folder: &Path, summary: &str, strokes: &[PageStroke]) -> Result<(), CliError> {
    let path = page_path(folder);
    let (pending, mut open) = PendingFile::create(&path)?;
    open.write_all(html(summary, strokes).as_bytes()).map_err(|error| CliError::unwritable(&path, error))?;
    pending.publish()
}

/// The text of the page. `summary`: lines of the table above the strokes.
fn html(summary: &str, strokes: &[PageStroke]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"{PROGRAM}\"><title>Presets and recordings</title><style>{STYLE}</style></head>\n<body><h1>Presets and recordings</h1>\n<pre>{}</pre>\n",
        escaped(summary)
    );
    for stroke in strokes {
        let class = if stroke.is_convincing { "" } else { " class=\"beyond\"" };
        let _ = writeln!(
            page,
            "<section><h2>{} <small{class}>{}</small></h2><div class=\"pair\">",
            escaped(&stroke.title),
            escaped(&stroke.verdict)
        );
        for (side, label) in [(Side::Recording, "Recording"), (Side::Preset, "Urto")] {
            let name = format!("{}-{}", stroke.file, side.name());
            let _ = writeln!(
                page,
                "<figure><figcaption>{label}</figcaption><img src=\"{name}.png\" alt=\"Spectrogram, {label}\"><audio controls preload=\"none\" src=\"{name}.wav\"></audio></figure>"
            );
        }
        page.push_str("</div><table><tr><th>measure</th><th>recording</th><th>Urto</th><th>apart</th><th>at most</th></tr>\n");
        for (place, cells) in stroke.figures.iter().enumerate() {
            let class = if stroke.failed.contains(&place) { " class=\"beyond\"" } else { "" };
            let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
            let _ = writeln!(page, "<tr{class}>{cells}</tr>");
        }
        page.push_str("</table></section>\n");
    }
    page + "</body></html>\n"
}

/// `text` without the signs of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
