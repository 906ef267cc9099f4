//! The tables of a SoundFont 2 file: presets, instruments, zones and headers of samples (SoundFont Technical Specification 2.04, 7).

use crate::sampler::sample_map::{Region, SampleMap};

/// Numbers of generators (8.1.2).
mod generator {
    pub const PAN: u16 = 17;
    pub const RELEASE: u16 = 38;
    pub const INSTRUMENT: u16 = 41;
    pub const KEY_RANGE: u16 = 43;
    pub const VELOCITY_RANGE: u16 = 44;
    pub const SAMPLE: u16 = 53;
    pub const EXCLUSIVE_CLASS: u16 = 57;
    pub const ROOT_KEY: u16 = 58;
}

/// Default modulators from velocity, to attenuation and to the cutoff of the filter in both versions of the specification, that are
/// replaced by ones without effect: samples have their own levels (8.4.1, 8.4.2).
const VELOCITY_MODULATORS: [[u16; 5]; 3] = [[0x0502, 48, 0, 0, 0], [0x0102, 8, 0, 0, 0], [0x0102, 8, 0, 0x0d02, 0]];
/// Longest release [timecents].
const LONGEST_RELEASE: f64 = 8000.0;
/// Bank of kits.
const KIT_BANK: u16 = 128;
/// Most records of a table: they are counted in 16 bits.
const MAX_RECORDS: usize = 65_535;
/// Generators of a channel of a sample, at most; see [`Tables::region`].
const CHANNEL_GENERATORS: usize = 7;
/// Most samples of a file.
pub const MAX_SAMPLES: usize = (MAX_RECORDS - 1) / (2 * CHANNEL_GENERATORS);
/// Size of names [bytes].
const NAME: usize = 20;

/// First and last frame of a channel of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// First frame.
    pub start: u32,
    /// Frame after the last.
    pub end: u32,
}

/// The tables, each with its terminal record.
#[derive(Default)]
pub struct Tables {
    /// Headers of presets.
    pub phdr: Vec<u8>,
    pub pbag: Vec<u8>,
    pub pgen: Vec<u8>,
    /// Headers of instruments.
    pub inst: Vec<u8>,
    pub ibag: Vec<u8>,
    pub imod: Vec<u8>,
    pub igen: Vec<u8>,
    /// Headers of samples.
    pub shdr: Vec<u8>,
}

impl Tables {
    /// The tables of `map`, one preset for each round robin. `extents` are the places of left and right channel of every sample in the
    /// order of regions and round robins; at most [`MAX_SAMPLES`].
    pub fn new(map: &SampleMap, extents: &[Extent], rate: u32) -> Self {
        let mut tables = Self::default();
        let rounds = map.regions.iter().map(|region| region.files.len()).max().unwrap_or(0);
        for round in 0..rounds {
            let name = if rounds > 1 { numbered(&map.title.name, round + 1) } else { fixed(&map.title.name) };
            tables.preset(&name, round as u16, if map.title.is_kit { KIT_BANK } else { 0 });
            tables.instrument(&name, map, round);
        }
        tables.preset(&fixed("EOP"), 0, 0);
        tables.end();
        for (sample, (region, name)) in map.regions.iter().flat_map(sample_names).enumerate() {
            for side in 0..2 {
                tables.sample_header(&name[side], extents[2 * sample + side], rate, region.key, (2 * sample + side) as u16);
            }
        }
        tables.shdr.extend(fixed("EOS"));
        tables.shdr.extend([0; 26]);
        tables
    }

    fn preset(&mut self, name: &[u8; NAME], number: u16, bank: u16) {
        self.phdr.extend(name);
        push(&mut self.phdr, &[number, bank, (self.pbag.len() / 4) as u16]);
        self.phdr.extend([0; 12]);
    }

    fn instrument(&mut self, name: &[u8; NAME], map: &SampleMap, round: usize) {
        let number = (self.inst.len() / (NAME + 2)) as u16;
        push(&mut self.pbag, &[(self.pgen.len() / 4) as u16, 0]);
        push(&mut self.pgen, &[generator::INSTRUMENT, number]);
        self.inst.extend(name);
        push(&mut self.inst, &[(self.ibag.len() / 4) as u16]);
        // the zone without a sample applies to all others
        self.instrument_zone();
        VELOCITY_MODULATORS.iter().for_each(|modulator| push(&mut self.imod, modulator));
        let mut sample = 0;
        for region in &map.regions {
            if round < region.files.len() {
                for side in 0..2 {
                    self.region(region, (2 * (sample + round) + side) as u16, [-500_i16, 500][side]);
                }
            }
            sample += region.files.len();
        }
    }

    fn instrument_zone(&mut self) {
        push(&mut self.ibag, &[(self.igen.len() / 4) as u16, (self.imod.len() / 10) as u16]);
    }

    fn region(&mut self, region: &Region, sample: u16, pan: i16) {
        self.instrument_zone();
        let range = |(low, high): (u8, u8)| u16::from_le_bytes([low, high]);
        // a release is the time of 100 dB; a sample that rings on has the longest
        let release = region.release.map_or(LONGEST_RELEASE, |time| (1200.0 * (time * 100.0 / 60.0).log2()).min(LONGEST_RELEASE));
        let class = region.choke.map(|group| (generator::EXCLUSIVE_CLASS, u16::from(group)));
        let generators = [(generator::KEY_RANGE, range(region.keys)), (generator::VELOCITY_RANGE, range(region.velocities))]
            .into_iter()
            .chain([(generator::PAN, pan as u16), (generator::RELEASE, release.round() as i16 as u16)])
            .chain(class)
            .chain([(generator::ROOT_KEY, u16::from(region.key)), (generator::SAMPLE, sample)]);
        generators.for_each(|(number, amount)| push(&mut self.igen, &[number, amount]));
    }

    /// The terminal records of zones and instruments.
    fn end(&mut self) {
        push(&mut self.pbag, &[(self.pgen.len() / 4) as u16, 0]);
        push(&mut self.pgen, &[0; 2]);
        self.inst.extend(fixed("EOI"));
        push(&mut self.inst, &[(self.ibag.len() / 4) as u16]);
        self.instrument_zone();
        push(&mut self.imod, &[0; 5]);
        push(&mut self.igen, &[0; 2]);
    }

    fn sample_header(&mut self, name: &[u8; NAME], extent: Extent, rate: u32, key: u8, number: u16) {
        const LEFT_AND_RIGHT: [u16; 2] = [4, 2];
        self.shdr.extend(name);
        for value in [extent.start, extent.end, extent.start, extent.end, rate] {
            self.shdr.extend(value.to_le_bytes());
        }
        self.shdr.extend([key, 0]);
        // the other channel has the neighbouring number
        push(&mut self.shdr, &[number ^ 1, LEFT_AND_RIGHT[usize::from(number % 2)]]);
    }
}

/// The names of left and right channel of every sample: key, velocity and round robin.
fn sample_names(region: &Region) -> impl Iterator<Item = (&Region, [[u8; NAME]; 2])> {
    (0..region.files.len()).map(move |round| {
        let name = |side: char| fixed(&format!("{:03} v{:03} rr{}{side}", region.key, region.velocity, round + 1));
        (region, ['L', 'R'].map(name))
    })
}

/// `name` with a number, which a long name makes room for.
fn numbered(name: &str, number: usize) -> [u8; NAME] {
    let number = format!(" rr{number}");
    let letters: String = name.chars().take(NAME - 1 - number.len()).collect();
    fixed(&(letters + &number))
}

/// `name` in ASCII, ended by zeros.
fn fixed(name: &str) -> [u8; NAME] {
    let mut bytes = [0; NAME];
    let letters = name.chars().map(|letter| if letter.is_ascii() && !letter.is_ascii_control() { letter as u8 } else { b'_' });
    bytes.iter_mut().take(NAME - 1).zip(letters).for_each(|(byte, letter)| *byte = letter);
    bytes
}

fn push(bytes: &mut Vec<u8>, values: &[u16]) {
    values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
}
