//! What hosts save of the plugin: its state alone, as CLAP and VST3 frame it, or in a preset file of VST3.
//!
//! The state is JSON; its field `patch` holds the text of the patch, as JSON once more. In CLAP its length in bytes stands in front, 64 bits.
//! A preset file of VST3 is a header of 48 bytes, chunks, and their list (vst3sdk, `vstpresetfile.h`).

use serde_json::{Value, json};

/// What a preset file of VST3 begins with, the size of its header [bytes], and its version.
const PRESET: (&[u8], usize, i32) = (b"VST3", 48, 1);
/// The instrument, as hosts know it: 16 bytes as 32 hexadecimal digits.
const CLASS: &[u8; 16] = b"UrtoCollisionHit";

/// The text of the patch that a host has saved; nothing if `bytes` are no such state.
pub fn patch_text(bytes: &[u8]) -> Option<String> {
    let json = component(bytes).unwrap_or(bytes);
    let framed = json.split_first_chunk::<8>().filter(|(length, rest)| u64::from_le_bytes(**length) == rest.len() as u64);
    let state: Value = serde_json::from_slice(framed.map_or(json, |(_, rest)| rest)).ok()?;
    serde_json::from_str(state.get("fields")?.get("patch")?.as_str()?).ok()
}

/// A state that holds the patch of that text, as CLAP frames it.
pub fn clap_state(text: &str) -> Vec<u8> {
    let json = bare(text);
    [&(json.len() as u64).to_le_bytes()[..], json.as_bytes()].concat()
}

/// A preset file of VST3 for the instrument.
pub fn vst_preset(text: &str) -> Vec<u8> {
    let (component, (magic, header, version)) = (bare(text), PRESET);
    let class: String = CLASS.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut file = magic.to_vec();
    file.extend(version.to_le_bytes());
    file.extend(class.as_bytes());
    file.extend(((header + component.len()) as i64).to_le_bytes());
    file.extend(component.as_bytes());
    file.extend(b"List");
    file.extend(1_i32.to_le_bytes());
    file.extend(b"Comp");
    file.extend((header as i64).to_le_bytes());
    file.extend((component.len() as i64).to_le_bytes());
    file
}

/// The parameters are left out: the plugin takes from the patch what a state does not say.
fn bare(text: &str) -> String {
    json!({ "version": env!("CARGO_PKG_VERSION"), "params": {}, "fields": { "patch": Value::from(text).to_string() } })
        .to_string()
}

/// The state of the component in a preset file of VST3.
fn component(bytes: &[u8]) -> Option<&[u8]> {
    let (magic, header, _) = PRESET;
    bytes.strip_prefix(magic)?;
    let number = |place: usize| Some(i64::from_le_bytes(*bytes.get(place..)?.first_chunk()?));
    let list = usize::try_from(number(header - 8)?).ok()?;
    let entries = bytes.get(list..)?.strip_prefix(b"List")?;
    let count = i32::from_le_bytes(*entries.first_chunk()?);
    let mut entries = entries.get(4..)?.chunks_exact(20).take(usize::try_from(count).ok()?);
    let entry = entries.find(|entry| entry.starts_with(b"Comp"))?;
    let part = |from: usize| usize::try_from(i64::from_le_bytes(*entry.get(from..)?.first_chunk()?)).ok();
    let start = part(4)?;
    bytes.get(start..start.checked_add(part(12)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "schema = 2\nname = \"Ä \\\"B\\\"\"\n";

    #[test]
    fn a_state_of_either_format_gives_back_its_patch() {
        for bytes in [clap_state(TEXT), vst_preset(TEXT), bare(TEXT).into_bytes()] {
            assert_eq!(patch_text(&bytes).as_deref(), Some(TEXT));
        }
    }

    #[test]
    fn what_is_no_state_or_cut_short_gives_nothing() {
        assert_eq!(patch_text(TEXT.as_bytes()), None);
        for whole in [clap_state(TEXT), vst_preset(TEXT)] {
            for length in 0..whole.len() {
                assert_eq!(patch_text(&whole[..length]), None, "{length} bytes");
            }
        }
    }
}
