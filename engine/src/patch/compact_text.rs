//! Short texts, made by the compiler for the module of the page, which has to be small: without comments, and outside of strings without
//! spaces, empty lines and the last zeros of decimal fractions.

/// Where a text is being read.
#[cfg(any(target_arch = "wasm32", test))]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of strings and comments.
    Plain,
    /// In a string, which ends with its line at the latest.
    Quoted,
    /// In a comment, which ends with its line.
    Comment,
}

#[cfg(any(target_arch = "wasm32", test))]
impl Place {
    /// The place after `byte`; in a comment from its first character on.
    const fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (_, b'\n') => Self::Plain,
            (Self::Plain, b'"') => Self::Quoted,
            (Self::Quoted, b'"') => Self::Plain,
            (Self::Plain, b'#') => Self::Comment,
            (place, _) => place,
        }
    }
}

/// Whether the short text contains byte `i` of `bytes`, which led to `place`, after the byte `last`.
#[cfg(any(target_arch = "wasm32", test))]
const fn is_kept(bytes: &[u8], i: usize, place: Place, last: u8) -> bool {
    match (place, bytes[i]) {
        (Place::Quoted, _) => true,
        (Place::Comment, _) | (Place::Plain, b' ') => false,
        (Place::Plain, b'\n') => last != b'\n',
        (Place::Plain, b'0') => !is_last_zero(bytes, i),
        (Place::Plain, _) => true,
    }
}

/// Whether the digit `i` of `bytes`, a zero, only lengthens a decimal fraction; one digit after the point remains.
#[cfg(any(target_arch = "wasm32", test))]
const fn is_last_zero(bytes: &[u8], i: usize) -> bool {
    let mut end = i;
    while end < bytes.len() && bytes[end] == b'0' {
        end += 1;
    }
    if end < bytes.len() && (bytes[end].is_ascii_alphanumeric() || bytes[end] == b'.' || bytes[end] == b'_') {
        return false;
    }
    let mut start = i;
    while start > 0 && bytes[start - 1].is_ascii_digit() {
        start -= 1;
    }
    start > 0 && start < i && bytes[start - 1] == b'.'
}

/// Number of bytes of the short `text`.
#[cfg(any(target_arch = "wasm32", test))]
pub const fn compact_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut place, mut last, mut length, mut i) = (Place::Plain, b'\n', 0, 0);
    while i < bytes.len() {
        place = place.after(bytes[i]);
        if is_kept(bytes, i, place, last) {
            last = bytes[i];
            length += 1;
        }
        i += 1;
    }
    length
}

/// The short `text`, of N = [`compact_length`] bytes.
#[cfg(any(target_arch = "wasm32", test))]
pub const fn compact<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut out = [0; N];
    let (mut place, mut last, mut length, mut i) = (Place::Plain, b'\n', 0, 0);
    while i < bytes.len() {
        place = place.after(bytes[i]);
        if is_kept(bytes, i, place, last) {
            last = bytes[i];
            out[length] = last;
            length += 1;
        }
        i += 1;
    }
    out
}

/// The text of a file of `assets` with the extension toml; on the page the short one.
macro_rules! asset_text {
    ($($part:expr),*) => {{
        const WHOLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/", $($part,)* ".toml"));
        #[cfg(target_arch = "wasm32")]
        {
            const BYTES: [u8; crate::patch::compact_text::compact_length(WHOLE)] = crate::patch::compact_text::compact(WHOLE);
            match std::str::from_utf8(&BYTES) {
                Ok(text) => text,
                Err(_) => WHOLE,
            }
        }
        #[cfg(not(target_arch = "wasm32"))]
        WHOLE
    }};
}
pub(crate) use asset_text;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::factory_texts::{is_kit, name_in, texts};
    use crate::patch::patch_toml::from_toml;

    #[test]
    fn strings_stay_as_they_are() {
        const TEXT: &str =
            "# head\n\nname = \"F# 1.50 \u{b5}\"  # N at 0.1 mm\nkeys = [30]\na = [-0.5500, 2.0]  # s\nb = 1.060e-10\nc = 10\n";
        const SHORT: [u8; compact_length(TEXT)] = compact(TEXT);
        let short = "name=\"F# 1.50 \u{b5}\"\nkeys=[30]\na=[-0.55,2.0]\nb=1.060e-10\nc=10\n";
        assert_eq!(std::str::from_utf8(&SHORT), Ok(short));
    }

    /// Every preset and kit is the same in short, and is found by its name.
    #[test]
    fn presets_are_the_same_in_short() {
        let mut shorter = 0;
        for text in texts() {
            let (mut place, mut kept) = (Place::Plain, Vec::new());
            for (i, byte) in text.bytes().enumerate() {
                place = place.after(byte);
                if is_kept(text.as_bytes(), i, place, *kept.last().unwrap_or(&b'\n')) {
                    kept.push(byte);
                }
            }
            let short = String::from_utf8(kept).expect("text");
            shorter += text.len() - short.len();
            assert_eq!((name_in(&short), is_kit(&short)), (name_in(text), is_kit(text)));
            assert!(from_toml(&short).expect("a preset") == from_toml(text).expect("a preset"), "{short}");
        }
        assert!(shorter > 30_000, "{shorter}");
    }
}
