//! The page of a comparison: players, spectrograms side by side, and figures, in a folder that needs nothing else.

use std::fmt::Write;

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

/// The text of the page. `summary`: lines of the table above the strokes.
pub fn html(summary: &str, strokes: &[PageStroke]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Presets and recordings</title><style>{STYLE}</style></head>\n<body><h1>Presets and recordings</h1>\n<pre>{}</pre>\n",
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
        for (side, label) in [("recording", "Recording"), ("preset", "Urto")] {
            let name = format!("{}-{side}", stroke.file);
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
