//! The origin of a file: program and version; for sound files also title and seeds, in the form of RIFF and of FLAC files.

use std::io::{Result, Seek, SeekFrom, Write};

/// Program and version.
pub const PROGRAM: &str = concat!("Urto ", env!("CARGO_PKG_VERSION"));

/// Longest text of a chunk [bytes], its end included: that of SoundFont files.
const LONGEST_TEXT: usize = 256;

/// Size of the mark and the description of the stream at the beginning of a FLAC file [bytes].
pub const FLAC_HEADER_SIZE: usize = 42;

/// Number of the block of a FLAC file that holds comments, as the last block of metadata.
const LAST_COMMENT_BLOCK: u8 = 0x84;

/// The origin of a sound file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the preset or the data set.
    pub title: String,
    /// Seeds of random numbers, such as `human_seed = 0`.
    pub seeds: String,
}

impl Origin {
    /// Appends it to a complete WAV file as a list of the kind INFO, and renews the size of the file. Errors: those of the writer.
    pub fn append_to_wav(&self, file: &mut (impl Write + Seek)) -> Result<()> {
        let texts = [(b"INAM", &*self.title), (b"ISFT", PROGRAM), (b"ICMT", &*self.seeds)];
        let content = texts.iter().filter(|(_, text)| !text.is_empty()).flat_map(|(name, text)| text_chunk(name, text));
        let content: Vec<u8> = b"INFO".iter().copied().chain(content).collect();
        file.seek(SeekFrom::End(0))?;
        file.write_all(&chunk(b"LIST", &content))?;
        let size = file.stream_position()? - 8;
        file.seek(SeekFrom::Start(4))?;
        file.write_all(&(size as u32).to_le_bytes())?;
        file.seek(SeekFrom::End(0)).map(drop)
    }

    /// The block of metadata that holds it in a FLAC file, after the description of the stream (RFC 9639, section 8.6).
    pub fn flac_block(&self) -> Vec<u8> {
        let sized = |text: &str| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
        let fields = [("TITLE", &*self.title), ("ENCODER", PROGRAM), ("COMMENT", &*self.seeds)];
        let fields: Vec<String> =
            fields.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name}={text}")).collect();
        let mut content = sized(PROGRAM);
        content.extend((fields.len() as u32).to_le_bytes());
        content.extend(fields.iter().flat_map(|field| sized(field)));
        let size = &(content.len() as u32).to_be_bytes()[1..];
        [&[LAST_COMMENT_BLOCK], size, &content].concat()
    }

    /// Inserts it into a FLAC file whose only metadata are the description of the stream.
    pub fn insert_into_flac(&self, file: &mut Vec<u8>) {
        const LAST: u8 = 0x80;
        if let Some(kind) = file.get_mut(4).filter(|kind| **kind == LAST) {
            *kind = 0;
            file.splice(FLAC_HEADER_SIZE..FLAC_HEADER_SIZE, self.flac_block());
        }
    }
}

/// A text as a chunk of a RIFF file, ended by one or two zeros; letters beyond ASCII become `_`.
pub fn text_chunk(name: &[u8; 4], text: &str) -> Vec<u8> {
    let letters = text.chars().map(|letter| if letter.is_ascii() { letter as u8 } else { b'_' });
    let mut bytes: Vec<u8> = letters.take(LONGEST_TEXT - 1).collect();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    chunk(name, &bytes)
}

/// A chunk of a RIFF file, of even size.
pub fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&name[..], &(content.len() as u32).to_le_bytes(), content].concat()
}
