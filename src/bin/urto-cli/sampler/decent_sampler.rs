//! Writes the preset of DecentSampler, XML with samples in the folder `samples` (its Developers Guide, version 1.11).

use std::fmt::Write;

use crate::sampler::sample_map::{Region, SampleMap};

/// Release of samples that ring on after their key: longer than they are [s].
const RING_ON: f64 = 60.0;

/// The text of the file.
pub fn text(map: &SampleMap) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n");
    // two hyphens end a comment
    map.title.lines().iter().for_each(|line| text += &format!("  {}\n", escaped(&line.replace("--", "- -"))));
    text += "-->\n<DecentSampler minVersion=\"1.0.0\">\n  <groups>\n";
    map.regions.iter().for_each(|region| write_region(&mut text, region));
    text + "  </groups>\n</DecentSampler>\n"
}

fn write_region(text: &mut String, region: &Region) {
    let Region { key, keys, velocities, velocity, .. } = region;
    let tag = |key: &u8| format!("key{key}");
    let _ = write!(text, "    <group name=\"{key} v{velocity}\" tags=\"{}\" ampVelTrack=\"0\"", tag(key));
    let _ = write!(text, " attack=\"0\" release=\"{:.3}\"", region.release.unwrap_or(RING_ON));
    if !region.choking_keys.is_empty() {
        let tags: Vec<_> = region.choking_keys.iter().map(tag).collect();
        let _ = write!(text, " silencedByTags=\"{}\" silencingMode=\"fast\"", tags.join(","));
    }
    if region.files.len() > 1 {
        let _ = write!(text, " seqMode=\"round_robin\" seqLength=\"{}\"", region.files.len());
    }
    text.push_str(">\n");
    for (n, file) in region.files.iter().enumerate() {
        let _ = writeln!(
            text,
            "      <sample path=\"samples/{file}\" rootNote=\"{key}\" loNote=\"{}\" hiNote=\"{}\" loVel=\"{}\" hiVel=\"{}\" \
             seqPosition=\"{}\"/>",
            keys.0,
            keys.1,
            velocities.0,
            velocities.1,
            n + 1
        );
    }
    text.push_str("    </group>\n");
}

/// `text` for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
