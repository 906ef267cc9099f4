//! A reader of single samples of SoundFont 2 files. It reads the headers of all samples, and the data of one.
//!
//! Format: SoundFont Technical Specification 2.04, 2006: RIFF `sfbk` with the lists `sdta` (samples in `smpl`) and `pdta` (headers in
//! `shdr`). Every place is checked against the length of its chunk.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::io::error::CliError;

/// Size of the header of a sample [bytes].
const HEADER: usize = 46;
/// Largest size of all headers [bytes]: 100,000 samples.
const MAX_HEADERS: u64 = 100_000 * HEADER as u64;
/// Most frames of a sample.
const MAX_FRAMES: u64 = 1 << 26;
/// Loops that start within so many frames are placeholders.
const SHORTEST_LOOP_START: u64 = 8;

/// The place of a chunk's content.
#[derive(Clone, Copy)]
struct Chunk {
    start: u64,
    size: u64,
}

/// One sample.
struct Sample {
    name: String,
    /// First frame, and the one after the last.
    frames: (u64, u64),
    rate: u32,
}

/// The channels of the sample `name` of `file`, full scale 1, and its rate [Hz]. `NAME(L)` and `NAME(R)` are the channels of `NAME`. A
/// sample ends where its loop ends: what follows tells nothing. Errors: missing or damaged file, or no such sample.
pub fn read_sample(file: &Path, name: &str) -> Result<(Vec<Vec<f64>>, u32), CliError> {
    let opened = File::open(file).map_err(|error| CliError::unreadable(file, error))?;
    let damaged = || CliError::about(file, "not a soundfont, or damaged", "give a file in the format SoundFont 2");
    let mut reader = BufReader::new(opened);
    let (samples, headers) = find_chunks(&mut reader).ok_or_else(damaged)?;
    let all = read_headers(&mut reader, headers).ok_or_else(damaged)?;
    let find = |name: &str| all.iter().find(|sample| sample.name == name);
    let mut sides: Vec<&Sample> = ["(L)", "(R)"].iter().filter_map(|side| find(&format!("{name}{side}"))).collect();
    if sides.is_empty() {
        sides.extend(find(name));
    }
    let Some(first) = sides.first() else {
        let remedy = "give the name of one of its samples, without (L) or (R)";
        return Err(CliError::about(file, format_args!("no sample \"{name}\""), remedy));
    };
    let rate = first.rate;
    let channels: Option<Vec<Vec<f64>>> = sides.iter().map(|sample| read_frames(&mut reader, samples, sample)).collect();
    let mut channels = channels.ok_or_else(damaged)?;
    let shortest = channels.iter().map(Vec::len).min().unwrap_or(0);
    channels.iter_mut().for_each(|channel| channel.truncate(shortest));
    Ok((channels, rate))
}

/// The chunks of samples and of headers.
fn find_chunks(reader: &mut (impl Read + Seek)) -> Option<(Chunk, Chunk)> {
    let length = reader.seek(SeekFrom::End(0)).ok()?;
    let (riff, whole) = chunk_at(reader, 0, length)?;
    if riff != *b"RIFF" {
        return None;
    }
    let (mut samples, mut headers) = (None, None);
    for list in lists(reader, Chunk { start: whole.start + 4, size: whole.size.checked_sub(4)? }) {
        for (name, chunk) in children(reader, Chunk { start: list.start + 4, size: list.size.saturating_sub(4) }) {
            match &name {
                b"smpl" => samples = Some(chunk),
                b"shdr" => headers = Some(chunk),
                _ => {}
            }
        }
    }
    Some((samples?, headers?))
}

fn lists(reader: &mut (impl Read + Seek), within: Chunk) -> Vec<Chunk> {
    children(reader, within).into_iter().filter(|(name, _)| name == b"LIST").map(|(_, chunk)| chunk).collect()
}

/// Names and places of the chunks in a chunk.
fn children(reader: &mut (impl Read + Seek), within: Chunk) -> Vec<([u8; 4], Chunk)> {
    let (mut found, mut place, end) = (Vec::new(), within.start, within.start + within.size);
    while let Some((name, chunk)) = chunk_at(reader, place, end) {
        // chunks are padded to an even size
        place = chunk.start + chunk.size.next_multiple_of(2);
        found.push((name, chunk));
    }
    found
}

/// The chunk at `place`; `None` if it does not end before `end`.
fn chunk_at(reader: &mut (impl Read + Seek), place: u64, end: u64) -> Option<([u8; 4], Chunk)> {
    let mut head = [0; 8];
    reader.seek(SeekFrom::Start(place)).ok()?;
    reader.read_exact(&mut head).ok()?;
    let [a, b, c, d, size @ ..] = head;
    let chunk = Chunk { start: place + 8, size: u64::from(u32::from_le_bytes(size)) };
    (chunk.start + chunk.size <= end).then_some(([a, b, c, d], chunk))
}

fn read_headers(reader: &mut (impl Read + Seek), chunk: Chunk) -> Option<Vec<Sample>> {
    if chunk.size > MAX_HEADERS {
        return None;
    }
    let mut bytes = vec![0; chunk.size as usize];
    reader.seek(SeekFrom::Start(chunk.start)).ok()?;
    reader.read_exact(&mut bytes).ok()?;
    let header = |bytes: &[u8]| {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let [start, end, loop_start, loop_end] = [20, 24, 28, 32].map(|at| u64::from(number(at)));
        let name: Vec<u8> = bytes[..20].iter().copied().take_while(|&byte| byte != 0).collect();
        let is_looped = loop_start > start + SHORTEST_LOOP_START;
        Sample {
            name: name.iter().map(|&byte| char::from(byte)).collect::<String>().trim_end().to_owned(),
            frames: (start, if is_looped { loop_end } else { end }),
            rate: number(36),
        }
    };
    Some(bytes.chunks_exact(HEADER).map(header).collect())
}

fn read_frames(reader: &mut (impl Read + Seek), samples: Chunk, sample: &Sample) -> Option<Vec<f64>> {
    let (start, end) = sample.frames;
    let frames = end.checked_sub(start).filter(|frames| *frames <= MAX_FRAMES && 2 * end <= samples.size)?;
    let mut bytes = vec![0; 2 * frames as usize];
    reader.seek(SeekFrom::Start(samples.start + 2 * start)).ok()?;
    reader.read_exact(&mut bytes).ok()?;
    Some(bytes.chunks_exact(2).map(|pair| f64::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let mut bytes = [&name[..], &(content.len() as u32).to_le_bytes(), content].concat();
        bytes.resize(bytes.len().next_multiple_of(2), 0);
        bytes
    }

    /// Two samples of 100 frames, the left and the right side of `A`.
    fn font() -> Vec<u8> {
        let samples: Vec<u8> = (0..200_i16).flat_map(|n| (100 * n).to_le_bytes()).collect();
        let header = |name: &[u8], start: u32, looped: u32| {
            let mut bytes = name.to_vec();
            bytes.resize(20, 0);
            [start, start + 100, start + looped, start + 90, 44_100].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
            bytes.resize(HEADER, 0);
            bytes
        };
        let headers = [header(b"A(L)", 0, 0), header(b"A(R)", 100, 50)].concat();
        let data = [&b"sdta"[..], &chunk(b"smpl", &samples)].concat();
        let presets = [&b"pdta"[..], &chunk(b"phdr", &[0; 38]), &chunk(b"shdr", &headers)].concat();
        chunk(b"RIFF", &[&b"sfbk"[..], &chunk(b"LIST", &data), &chunk(b"LIST", &presets)].concat())
    }

    fn read(bytes: &[u8]) -> Option<Vec<Vec<f64>>> {
        let mut reader = std::io::Cursor::new(bytes);
        let (samples, headers) = find_chunks(&mut reader)?;
        read_headers(&mut reader, headers)?.iter().map(|sample| read_frames(&mut reader, samples, sample)).collect()
    }

    #[test]
    fn a_sample_ends_where_its_loop_ends() {
        let sides = read(&font()).expect("a soundfont");
        assert_eq!(sides.iter().map(Vec::len).collect::<Vec<_>>(), [100, 90]);
        assert_eq!(sides[1][3], 10_300.0 / 32_768.0);
    }

    #[test]
    fn a_damaged_file_is_refused_or_read() {
        let whole = font();
        (0..whole.len()).for_each(|length| assert!(read(&whole[..length]).is_none(), "{length} bytes"));
        for place in 0..whole.len() {
            for value in [0, 127, 128, 255] {
                let mut damaged = whole.clone();
                damaged[place] = value;
                // no panic, and no memory beyond that of the file
                let frames = read(&damaged).iter().flatten().map(Vec::len).sum::<usize>();
                assert!(frames <= whole.len(), "{place}: {frames}");
            }
        }
    }
}
