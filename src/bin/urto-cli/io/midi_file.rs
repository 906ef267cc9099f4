//! Reads a MIDI file as engine events at frames: formats 0 and 1, metrical time with tempo changes, SMPTE time.

use std::path::Path;

use midly::num::u7;
use midly::{EventIter, Format, Fps, Header, MetaMessage, MidiMessage, Timing, TrackEventKind};
use urto_engine::event::{Expression, bend_from_midi};
use urto_engine::{Event, NoteId};

use crate::io::error::{CliError, read_bytes};

/// An event at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedEvent {
    /// Frame, counted from the start of the file.
    pub frame: u64,
    /// The event.
    pub event: Event,
}

/// Number of the controller of the foot pedal.
const FOOT_PEDAL: u8 = 4;

/// The content of a MIDI file.
#[derive(Clone, Debug, PartialEq)]
pub struct Song {
    /// Events, ordered by frame.
    pub events: Vec<TimedEvent>,
    /// Program changes, ordered by frame.
    pub programs: Vec<ProgramChange>,
    /// Notes about a file that can be played but may be damaged.
    pub remarks: Vec<String>,
}

impl Song {
    /// Whether there is a note.
    pub fn has_notes(&self) -> bool {
        self.events.iter().any(|timed| matches!(timed.event, Event::NoteOn { .. }))
    }

    /// Whether the foot pedal of a hi-hat moves (controller 4).
    pub fn moves_foot_pedal(&self) -> bool {
        self.events.iter().any(|timed| matches!(timed.event, Event::Controller { number: FOOT_PEDAL, .. }))
    }

    /// Frame of the last event other than a tempo.
    pub fn last(&self) -> u64 {
        let played = self.events.iter().rfind(|timed| !matches!(timed.event, Event::Tempo { .. }));
        played.map_or(0, |timed| timed.frame)
    }
}

/// A program change, on any channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProgramChange {
    /// Frame, counted from the start of the file.
    pub frame: u64,
    /// Number of events before it.
    pub after: usize,
    /// Number of the preset, 0 to 127.
    pub number: u8,
}

/// An event of a track, at its tick.
struct Raw {
    tick: u64,
    kind: RawKind,
}

enum RawKind {
    Tempo { microseconds: u32 },
    Midi { channel: u8, message: MidiMessage },
}

/// The song in `file` at `sample_rate` [Hz]. Errors: not a MIDI file, damaged, or format 2.
pub fn read(file: &Path, sample_rate: u32) -> Result<Song, CliError> {
    let bytes = read_bytes(file)?;
    from_bytes(&bytes, sample_rate).map_err(|error| CliError::about(file, error.problem, error.remedy))
}

/// An error of a MIDI file.
#[derive(Clone, Debug, PartialEq)]
pub struct MidiError {
    /// The problem.
    pub problem: String,
    /// How to solve it.
    pub remedy: &'static str,
}

impl MidiError {
    fn new(problem: impl Into<String>, remedy: &'static str) -> Self {
        Self { problem: problem.into(), remedy }
    }
}

/// Size of the data of a tempo [bytes].
const TEMPO_SIZE: usize = 3;

/// Remedy for a file that another program has to write again.
const EXPORT_AGAIN: &str = "export it again as a standard MIDI file";

/// The song in the bytes of a file at `sample_rate` [Hz]. Errors: as of [`read`].
pub fn from_bytes(bytes: &[u8], sample_rate: u32) -> Result<Song, MidiError> {
    let mut remarks = Vec::new();
    let (header, mut raws) = raws(bytes, &mut remarks)?;
    if header.format == Format::Sequential {
        return Err(MidiError::new("format 2 contains several songs", "save one song as format 0 or 1"));
    }
    raws.sort_by_key(|raw| raw.tick);
    let mut clock = Clock::new(header.timing)?;
    let (mut events, mut programs) = (Vec::new(), Vec::new());
    for raw in raws {
        clock.advance(raw.tick)?;
        match raw.kind {
            RawKind::Tempo { microseconds } => {
                clock.set_tempo(microseconds)?;
                let frame = clock.frame(sample_rate)?;
                events.extend(clock.tempo().map(|event| TimedEvent { frame, event }));
            }
            RawKind::Midi { channel, message } => {
                let frame = clock.frame(sample_rate)?;
                if let MidiMessage::ProgramChange { program } = message {
                    programs.push(ProgramChange { frame, after: events.len(), number: program.as_int() });
                }
                events.extend(event(channel, message).map(|event| TimedEvent { frame, event }));
            }
        }
    }
    Ok(Song { events, programs, remarks })
}

/// The supported events of all tracks, track after track.
fn raws(bytes: &[u8], remarks: &mut Vec<String>) -> Result<(Header, Vec<Raw>), MidiError> {
    if bytes.is_empty() {
        return Err(MidiError::new("the file is empty", EXPORT_AGAIN));
    }
    // A division of 0x80.. is not a frame rate; midly 0.5 overflows on it.
    let division = bytes.windows(4).position(|id| id == b"MThd").and_then(|start| bytes.get(start + 12));
    if division == Some(&0x80) {
        return Err(MidiError::new("the header has no frame rate", EXPORT_AGAIN));
    }
    let (header, tracks) = midly::parse(bytes).map_err(|_| MidiError::new("not a MIDI file", EXPORT_AGAIN))?;
    let (declared, mut found, mut raws) = (tracks.size_hint().0, 0, Vec::new());
    for track in tracks {
        let track = track.map_err(|_| MidiError::new(format!("damaged after track {found}"), EXPORT_AGAIN))?;
        found += 1;
        let end = read_track(track, &mut raws)
            .map_err(|byte| MidiError::new(format!("damaged in track {found}, byte {byte}"), EXPORT_AGAIN))?;
        if !end.is_marked {
            remarks.push(format!("track {found} has no end marker; the file may be truncated"));
        }
        if let Some((byte, size)) = end.wrong_tempo {
            remarks.push(format!(
                "the tempo in track {found}, byte {byte}, has {size} bytes instead of 3 and is ignored; {EXPORT_AGAIN}"
            ));
        }
    }
    if found < declared {
        remarks.push(format!("{found} of {declared} tracks are present; the file may be truncated"));
    }
    Ok((header, raws))
}

/// The end of a track.
#[derive(Default)]
struct TrackEnd {
    /// Whether it has an end mark.
    is_marked: bool,
    /// The first tempo that is not one of 3 bytes: its offset in the track and its size [bytes].
    wrong_tempo: Option<(usize, usize)>,
}

/// Reads one track. Errors: offset in the track of the event that cannot be read [bytes].
fn read_track(mut track: EventIter, raws: &mut Vec<Raw>) -> Result<TrackEnd, usize> {
    let (length, mut tick, mut end) = (track.unread().len(), 0_u64, TrackEnd::default());
    while !track.unread().is_empty() {
        let (unread, byte) = (track.unread(), length - track.unread().len());
        // midly skips the rest of a track after an event that it cannot read.
        let Some(Ok(event)) = track.next() else { return Err(byte) };
        tick += u64::from(event.delta.as_int());
        let size = tempo_size(&unread[..unread.len() - track.unread().len()]);
        if let Some(size) = size.filter(|size| *size != TEMPO_SIZE) {
            end.wrong_tempo.get_or_insert((byte, size));
            continue;
        }
        match event.kind {
            TrackEventKind::Meta(MetaMessage::EndOfTrack) => return Ok(TrackEnd { is_marked: true, ..end }),
            TrackEventKind::Meta(MetaMessage::Tempo(tempo)) => {
                raws.push(Raw { tick, kind: RawKind::Tempo { microseconds: tempo.as_int() } });
            }
            TrackEventKind::Midi { channel, message } => {
                raws.push(Raw { tick, kind: RawKind::Midi { channel: channel.as_int(), message } });
            }
            _ => {}
        }
    }
    Ok(end)
}

/// The size of the data of the event in `bytes`, if it is a tempo. midly takes one without three bytes for an unknown event, and ignores
/// the rest of a longer one.
fn tempo_size(bytes: &[u8]) -> Option<usize> {
    let after_number = |bytes: &[u8]| bytes.iter().position(|byte| byte & 0x80 == 0).map(|last| last + 1);
    let rest = bytes.get(after_number(bytes)?..)?.strip_prefix(&[0xff, 0x51])?;
    Some(rest.len() - after_number(rest)?)
}

/// Exact time: `elapsed`/`per_second` seconds, in integers, so that rounding errors do not add up.
struct Clock {
    tick: u64,
    elapsed: u128,
    per_tick: u128,
    per_second: u128,
    /// Ticks per beat; `None` for SMPTE time.
    per_beat: Option<f64>,
}

impl Clock {
    fn new(timing: Timing) -> Result<Self, MidiError> {
        let (per_tick, per_second, per_beat) = match timing {
            // 120 beats per minute before the first tempo
            Timing::Metrical(ticks) => (500_000, 1_000_000 * u128::from(ticks.as_int()), Some(f64::from(ticks.as_int()))),
            Timing::Timecode(fps, ticks) => {
                let (unit, frames) = match fps {
                    Fps::Fps24 => (1, 24),
                    Fps::Fps25 => (1, 25),
                    Fps::Fps29 => (1001, 30_000),
                    Fps::Fps30 => (1, 30),
                };
                (unit, frames * u128::from(ticks), None)
            }
        };
        if per_second == 0 {
            return Err(MidiError::new("the header has no ticks per beat", EXPORT_AGAIN));
        }
        Ok(Self { tick: 0, elapsed: 0, per_tick, per_second, per_beat })
    }

    fn advance(&mut self, tick: u64) -> Result<(), MidiError> {
        self.elapsed += u128::from(tick - self.tick) * self.per_tick;
        self.tick = tick;
        Ok(())
    }

    fn set_tempo(&mut self, microseconds: u32) -> Result<(), MidiError> {
        if microseconds == 0 {
            return Err(MidiError::new(format!("the tempo at tick {} is infinite", self.tick), "give a beat of at least 1 µs"));
        }
        if self.per_beat.is_some() {
            self.per_tick = u128::from(microseconds);
        }
        Ok(())
    }

    /// The tempo event for the engine.
    fn tempo(&self) -> Option<Event> {
        let (tempo, beat) = (60e6 / self.per_tick as f64, self.tick as f64 / self.per_beat?);
        Some(Event::Tempo { tempo, beat: Some(beat) })
    }

    /// The nearest frame.
    fn frame(&self, sample_rate: u32) -> Result<u64, MidiError> {
        let frame = (self.elapsed * u128::from(sample_rate) + self.per_second / 2) / self.per_second;
        u64::try_from(frame).map_err(|_| MidiError::new(format!("tick {} is too late", self.tick), "shorten the song"))
    }
}

/// The engine event for a message of a channel, 0 to 15.
fn event(channel: u8, message: MidiMessage) -> Option<Event> {
    let note = |key: u7| NoteId { voice: None, channel, key: key.as_int() };
    // in single precision, as hosts pass them to plugins: a long bounce depends on the last digit
    let normalized = |value: u7| f64::from(f32::from(value.as_int()) / 127.0);
    Some(match message {
        MidiMessage::NoteOn { key, vel } if vel > 0 => Event::NoteOn { note: note(key), velocity: normalized(vel) },
        MidiMessage::NoteOn { key, .. } => Event::NoteOff { note: note(key), velocity: 0.5 },
        MidiMessage::NoteOff { key, vel } => Event::NoteOff { note: note(key), velocity: normalized(vel) },
        MidiMessage::Aftertouch { key, vel } => {
            Event::NoteExpression { note: note(key), what: Expression::Pressure, value: normalized(vel) }
        }
        MidiMessage::ChannelAftertouch { vel } => Event::Pressure { channel, value: normalized(vel) },
        MidiMessage::PitchBend { bend } => Event::Bend { channel, value: bend_from_midi(f64::from(bend.0.as_int())) },
        MidiMessage::Controller { controller, value } => {
            Event::Controller { channel, number: controller.as_int(), value: normalized(value) }
        }
        MidiMessage::ProgramChange { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two tracks with a tempo change, running status and a system exclusive message.
    const VALID: &[u8] = b"MThd\0\0\0\x06\0\x01\0\x02\x01\xe0\
        MTrk\0\0\0\x18\0\xff\x51\x03\x07\xa1\x20\x83\x60\xff\x51\x03\x0f\x42\x40\0\xf0\x02\x01\xf7\0\xff\x2f\0\
        MTrk\0\0\0\x0f\0\x90\x3c\x64\x83\x60\x40\x50\x10\x3c\0\0\xff\x2f\0";

    #[test]
    fn a_valid_file_gives_its_notes() {
        let song = from_bytes(VALID, 48_000).expect("a song");
        let (tempos, notes): (Vec<&TimedEvent>, Vec<&TimedEvent>) =
            song.events.iter().partition(|timed| matches!(timed.event, Event::Tempo { .. }));
        assert_eq!(notes.iter().map(|timed| timed.frame).collect::<Vec<_>>(), [0, 24_000, 25_600], "{song:?}");
        let tempo = |frame, tempo, beat| TimedEvent { frame, event: Event::Tempo { tempo, beat: Some(beat) } };
        assert_eq!(tempos, [&tempo(0, 120.0, 0.0), &tempo(24_000, 60.0, 1.0)]);
    }

    #[test]
    fn a_tempo_that_has_not_three_bytes_is_ignored_with_a_note() {
        for data in [&[][..], &[7], &[7, 0xa1], &[7, 0xa1, 0x20, 0]] {
            let tempo = [&[0, 0xff, 0x51, data.len() as u8], data].concat();
            let track = [&tempo[..], &[0, 0x90, 60, 100, 0, 0xff, 0x2f, 0]].concat();
            let header = b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk";
            let file = [&header[..], &(track.len() as u32).to_be_bytes(), &track].concat();
            let song = from_bytes(&file, 48_000).expect("a song");
            let size = data.len();
            let expected = format!(
                "the tempo in track 1, byte 0, has {size} bytes instead of 3 and is ignored; export it again as a standard MIDI file"
            );
            assert_eq!((song.events.len(), song.remarks), (1, vec![expected]));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn a_damaged_file_is_an_error_or_a_song(
            damage in prop::collection::vec((0..VALID.len(), any::<u8>()), 0..6),
            length in 0..=VALID.len(),
        ) {
            let mut bytes = VALID.to_vec();
            damage.into_iter().for_each(|(place, byte)| bytes[place] = byte);
            if let Ok(song) = from_bytes(&bytes[..length], 48_000) {
                prop_assert!(song.events.is_sorted_by_key(|timed| timed.frame));
            }
        }
    }
}
