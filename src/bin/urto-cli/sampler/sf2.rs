//! Writes SoundFont 2: all samples and their map in one file (SoundFont Technical Specification 2.04).
//!
//! Samples of 24 bits have their low bytes in a chunk of their own (`sm24`), which older players ignore. The format has no round robins:
//! each of them is a preset.

use std::io::{Result, Write};

use crate::sampler::sample_map::SampleMap;
use crate::sampler::sf2_tables::{Extent, Tables};
use urto_engine::formats::{PROGRAM, chunk, text_chunk};

/// Frames of silence after every sample (7.10).
const GAP: usize = 46;
/// Largest file [bytes]: sizes have 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64 - 1024;

/// The samples of a file, as integers.
pub struct SampleData {
    /// The upper 16 bits of every frame.
    high: Vec<u8>,
    /// The lower 8 bits; empty for samples of 16 bits.
    low: Vec<u8>,
    extents: Vec<Extent>,
    is_24_bit: bool,
}

impl SampleData {
    /// No samples, of 24 or 16 bits.
    pub fn new(is_24_bit: bool) -> Self {
        Self { high: Vec::new(), low: Vec::new(), extents: Vec::new(), is_24_bit }
    }

    /// Appends a channel, as integers of 24 or 16 bits. Errors: the file would become too large for its format.
    pub fn push(&mut self, channel: &[i32]) -> std::result::Result<(), String> {
        let bytes = (self.high.len() + self.low.len() + 3 * (channel.len() + GAP)) as u64;
        if bytes > MAX_BYTES {
            return Err("the samples are larger than the 4 GB that a SoundFont can hold".into());
        }
        let start = (self.high.len() / 2) as u32;
        for &x in channel.iter().chain(&[0; GAP]) {
            let x = if self.is_24_bit { x } else { x << 8 };
            self.high.extend(((x >> 8) as i16).to_le_bytes());
            if self.is_24_bit {
                self.low.push(x as u8);
            }
        }
        self.extents.push(Extent { start, end: start + channel.len() as u32 });
        Ok(())
    }

    /// Writes the file. Errors: as of `file`.
    pub fn write(mut self, map: &SampleMap, rate: u32, file: &mut impl Write) -> Result<()> {
        let tables = Tables::new(map, &self.extents, rate);
        self.low.resize(self.low.len().next_multiple_of(2), 0);
        let info = info(map, self.is_24_bit);
        let tables = [
            chunk(b"phdr", &tables.phdr),
            chunk(b"pbag", &tables.pbag),
            chunk(b"pmod", &[0; 10]),
            chunk(b"pgen", &tables.pgen),
            chunk(b"inst", &tables.inst),
            chunk(b"ibag", &tables.ibag),
            chunk(b"imod", &tables.imod),
            chunk(b"igen", &tables.igen),
            chunk(b"shdr", &tables.shdr),
        ]
        .concat();
        let low_size = if self.low.is_empty() { 0 } else { 8 + self.low.len() };
        let data = 4 + 8 + self.high.len() + low_size;
        let size = 4 + 3 * 8 + (4 + info.len()) + data + (4 + tables.len());
        file.write_all(b"RIFF")?;
        file.write_all(&(size as u32).to_le_bytes())?;
        file.write_all(b"sfbk")?;
        write_list(file, b"INFO", &info)?;
        file.write_all(b"LIST")?;
        file.write_all(&(data as u32).to_le_bytes())?;
        file.write_all(b"sdtasmpl")?;
        file.write_all(&(self.high.len() as u32).to_le_bytes())?;
        file.write_all(&self.high)?;
        if !self.low.is_empty() {
            file.write_all(b"sm24")?;
            file.write_all(&(self.low.len() as u32).to_le_bytes())?;
            file.write_all(&self.low)?;
        }
        write_list(file, b"pdta", &tables)
    }
}

fn write_list(file: &mut impl Write, name: &[u8; 4], content: &[u8]) -> Result<()> {
    file.write_all(b"LIST")?;
    file.write_all(&(4 + content.len() as u32).to_le_bytes())?;
    file.write_all(name)?;
    file.write_all(content)
}

/// Version, sound engine, name, author, program and comments.
fn info(map: &SampleMap, is_24_bit: bool) -> Vec<u8> {
    let minor: u16 = if is_24_bit { 4 } else { 1 };
    let version = [2_u16.to_le_bytes(), minor.to_le_bytes()].concat();
    let lines = map.title.lines();
    let mut chunks = [chunk(b"ifil", &version), text_chunk(b"isng", "EMU8000"), text_chunk(b"INAM", &lines[0])].concat();
    if !map.title.author.is_empty() {
        chunks.extend(text_chunk(b"IENG", &map.title.author));
    }
    chunks.extend(text_chunk(b"ICMT", &lines[1..].join("\n")));
    chunks.extend(text_chunk(b"ISFT", PROGRAM));
    chunks
}
