//! Writes the list of samples of a folder of WAV files as CSV, one row for each sample.

use std::fmt::Write;

use crate::sampler::sample_map::SampleMap;

/// The text of the file.
pub fn text(map: &SampleMap) -> String {
    let mut text =
        String::from("file,key,low_key,high_key,velocity,low_velocity,high_velocity,round_robin,choke_group,release_s\n");
    for region in &map.regions {
        let choke = region.choke.map_or_else(String::new, |group| group.to_string());
        let release = region.release.map_or_else(String::new, |time| time.to_string());
        for (n, file) in region.files.iter().enumerate() {
            let _ = writeln!(
                text,
                "samples/{file},{},{},{},{},{},{},{},{choke},{release}",
                region.key,
                region.keys.0,
                region.keys.1,
                region.velocity,
                region.velocities.0,
                region.velocities.1,
                n + 1
            );
        }
    }
    text
}
