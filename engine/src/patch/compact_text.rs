//! Texts without comments and without spaces outside of strings, made by the compiler: for the module of the page, which has to be small.

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

    /// Whether `byte`, which led to this place, belongs to the short text.
    const fn keeps(self, byte: u8) -> bool {
        match self {
            Self::Plain => byte != b' ',
            Self::Quoted => true,
            Self::Comment => false,
        }
    }
}

/// Number of bytes of the short `text`.
#[cfg(any(target_arch = "wasm32", test))]
pub const fn compact_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut place, mut length, mut i) = (Place::Plain, 0, 0);
    while i < bytes.len() {
        place = place.after(bytes[i]);
        if place.keeps(bytes[i]) {
            length += 1;
        }
        i += 1;
    }
    length
}

/// `text` without comments and spaces, of N = [`compact_length`] bytes.
#[cfg(any(target_arch = "wasm32", test))]
pub const fn compact<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut out = [0; N];
    let (mut place, mut length, mut i) = (Place::Plain, 0, 0);
    while i < bytes.len() {
        place = place.after(bytes[i]);
        if place.keeps(bytes[i]) {
            out[length] = bytes[i];
            length += 1;
        }
        i += 1;
    }
    out
}

/// The text of a file of `assets` with the extension toml; on the page without comments and spaces.
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
    fn comments_and_spaces_leave_and_strings_stay() {
        const TEXT: &str = "# head\nname = \"F# \u{b5}\"  # N at 0.1 mm\nkeys = [36]\n";
        const SHORT: [u8; compact_length(TEXT)] = compact(TEXT);
        assert_eq!(std::str::from_utf8(&SHORT), Ok("\nname=\"F# \u{b5}\"\nkeys=[36]\n"));
    }

    /// Every preset and kit is the same without its comments and spaces, and is found by its name.
    #[test]
    fn presets_are_the_same_in_short() {
        let mut shorter = 0;
        for text in texts() {
            let mut place = Place::Plain;
            let kept = text.bytes().filter(|&byte| {
                place = place.after(byte);
                place.keeps(byte)
            });
            let short = String::from_utf8(kept.collect()).expect("text");
            shorter += text.len() - short.len();
            assert_eq!((name_in(&short), is_kit(&short)), (name_in(text), is_kit(text)));
            assert!(from_toml(&short).expect("a preset") == from_toml(text).expect("a preset"), "{short}");
        }
        assert!(shorter > 30_000, "{shorter}");
    }
}
