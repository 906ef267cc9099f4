//! Writes SFZ: a text that maps samples in the folder `samples` (format: sfzformat.com, version 1, and `seq_position`, `off_by`).

use std::fmt::Write;

use crate::sampler::sample_map::{Region, SampleMap};

/// The text of the file.
pub fn text(map: &SampleMap) -> String {
    let mut text = map.title.lines().iter().map(|line| format!("// {line}\n")).collect::<String>();
    text += "// The level of a note between two layers follows from both (amp_velcurve)\n\n";
    for region in &map.regions {
        write_region(&mut text, region);
    }
    text
}

fn write_region(text: &mut String, region: &Region) {
    let Region { key, keys, velocities, velocity, softer, .. } = region;
    let _ = writeln!(text, "<group>");
    let _ = writeln!(text, "lokey={} hikey={} pitch_keycenter={key}", keys.0, keys.1);
    let _ = writeln!(text, "lovel={} hivel={}", velocities.0, velocities.1);
    if softer.1 < *velocity {
        let _ = writeln!(text, "amp_velcurve_{}={:.5} amp_velcurve_{velocity}=1", softer.1, softer.0);
    }
    if *velocity < velocities.1 {
        let _ = writeln!(text, "amp_velcurve_{}=1", velocities.1);
    }
    match region.release {
        Some(time) => {
            let _ = writeln!(text, "loop_mode=no_loop ampeg_release={time:.3}");
        }
        None => *text += "loop_mode=one_shot\n",
    }
    if let Some(group) = region.choke {
        let _ = writeln!(text, "group={group} off_by={group} off_mode=fast");
    }
    if region.files.len() > 1 {
        let _ = writeln!(text, "seq_length={}", region.files.len());
    }
    for (n, file) in region.files.iter().enumerate() {
        let position = if region.files.len() > 1 { format!(" seq_position={}", n + 1) } else { String::new() };
        let _ = writeln!(text, "<region> sample=samples/{file}{position}");
    }
    text.push('\n');
}
