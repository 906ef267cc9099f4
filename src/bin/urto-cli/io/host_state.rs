//! Plugin states that hosts save: states of CLAP and VST3, and VST3 preset files.
//!
//! A state is JSON; its field `patch` is the text of the patch, encoded as JSON again. A CLAP state begins with its length in bytes, 64
//! bits. A VST3 preset file is a header of 48 bytes, chunks, and their list (vst3sdk, `vstpresetfile.h`).

use std::path::Path;

use serde_json::{Value, json};

/// First bytes of a VST3 preset file.
const MAGIC: &[u8] = b"VST3";
/// Size of its header [bytes].
const HEADER_SIZE: usize = 48;
/// Size of the length before a CLAP state [bytes].
const LENGTH_SIZE: usize = 8;
/// Version of its format.
const FORMAT_VERSION: i32 = 1;
/// VST3 class id of the instrument; the file has it as 32 hexadecimal digits.
const CLASS_ID: &[u8; 16] = b"UrtoCollisionHit";

/// The text of the patch in a host's state; `None` if `bytes` are not a state.
pub fn patch_text(bytes: &[u8]) -> Option<String> {
    let json = component(bytes).unwrap_or(bytes);
    let framed = json.split_first_chunk::<8>().filter(|(length, rest)| u64::from_le_bytes(**length) == rest.len() as u64);
    let json: Value = serde_json::from_slice(framed.map_or(json, |(_, rest)| rest)).ok()?;
    serde_json::from_str(json.get("fields")?.get("patch")?.as_str()?).ok()
}

/// Whether `bytes`, in which there is no patch, were to be a state rather than a text: a VST3 preset file, JSON, a CLAP state, whose length has
/// zeros, or another binary file. A control character in UTF-8 text is a fault of that text, at its line.
pub fn is_no_text(file: &Path, bytes: &[u8]) -> bool {
    let is_preset_file = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vstpreset"));
    let begins_with_length = bytes.iter().take(LENGTH_SIZE).filter(|byte| **byte == 0).count() >= LENGTH_SIZE / 2;
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let is_binary = || std::str::from_utf8(bytes).is_err() && bytes.iter().any(is_control);
    is_preset_file || bytes.starts_with(MAGIC) || bytes.starts_with(b"{") || begins_with_length || is_binary()
}

/// The CLAP state of a patch's text.
pub fn clap_state(text: &str) -> Vec<u8> {
    let json = state(text);
    [&(json.len() as u64).to_le_bytes()[..], json.as_bytes()].concat()
}

/// The VST3 preset file of a patch's text, for the instrument.
pub fn vst_preset(text: &str) -> Vec<u8> {
    let component = state(text);
    let class: String = CLASS_ID.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut file = MAGIC.to_vec();
    file.extend(FORMAT_VERSION.to_le_bytes());
    file.extend(class.as_bytes());
    file.extend(((HEADER_SIZE + component.len()) as i64).to_le_bytes());
    file.extend(component.as_bytes());
    file.extend(b"List");
    file.extend(1_i32.to_le_bytes());
    file.extend(b"Comp");
    file.extend((HEADER_SIZE as i64).to_le_bytes());
    file.extend((component.len() as i64).to_le_bytes());
    file
}

/// The state without parameters: the plugin reads missing parameters from the patch.
fn state(text: &str) -> String {
    json!({ "version": env!("CARGO_PKG_VERSION"), "params": {}, "fields": { "patch": Value::from(text).to_string() } })
        .to_string()
}

/// The component state in a VST3 preset file.
fn component(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(MAGIC)?;
    let number = |offset: usize| Some(i64::from_le_bytes(*bytes.get(offset..)?.first_chunk()?));
    let list = usize::try_from(number(HEADER_SIZE - 8)?).ok()?;
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
    fn every_format_returns_its_patch() {
        for bytes in [clap_state(TEXT), vst_preset(TEXT), state(TEXT).into_bytes()] {
            assert_eq!(patch_text(&bytes).as_deref(), Some(TEXT));
        }
    }

    #[test]
    fn a_text_with_a_control_character_is_a_text() {
        let preset = Path::new("p.toml");
        assert!(!is_no_text(preset, b"schema = 2\nname = \"a\0b\"\n") && !is_no_text(preset, b"\x01schema = 2\n"));
        for state in [clap_state(TEXT), vst_preset(TEXT), state(TEXT).into_bytes()] {
            assert!(is_no_text(preset, &state[..state.len() / 2]));
        }
    }

    #[test]
    fn other_bytes_and_truncated_states_are_rejected() {
        assert_eq!(patch_text(TEXT.as_bytes()), None);
        for whole in [clap_state(TEXT), vst_preset(TEXT)] {
            for length in 0..whole.len() {
                assert_eq!(patch_text(&whole[..length]), None, "{length} bytes");
            }
        }
    }
}
