//! A dense fill of two bars on the whole Studio Kit, from the MIDI file `benches/kit_fill.mid`.
//!
//! The file comes from the grid below. After a change of the grid, `cargo bench --bench cost -- --compose` writes it again.

use midly::num::{u4, u7, u15, u24, u28};
use midly::{Format, Header, MetaMessage, MidiMessage, Smf, Timing, TrackEvent, TrackEventKind};
use urto_engine::event::{Event, NoteId};
use urto_engine::patch::factory_presets;

use super::engine::{BLOCK, Player};
use super::measurement::{Case, Figure, RATE};

/// The stored file, and where it is.
const STORED: &[u8] = include_bytes!("../kit_fill.mid");
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/kit_fill.mid");

/// Tempo [µs per beat]: 120 beats per minute.
const TEMPO: u32 = 500_000;
const TICKS_PER_BEAT: u16 = 480;
/// A column of the grid is a thirty-second note.
const TICKS_PER_COLUMN: u32 = 60;

/// Keys of General MIDI, and two bars of four beats: a digit strikes with a ninth of the velocity 126.
#[rustfmt::skip]
const GRID: [(u8, &str); 16] = [
    //    1       2       3       4       1       2       3       4
    (49, "9...............9...............9...............9.......9......."),
    (57, "........9...............9...............8...............8...8..."),
    (55, "....7...............7...............7.......7.......7.....7....."),
    (52, "................................................8.......8......."),
    (51, "..5...5...5...5...5...5...5...5................................."),
    (53, "............6...............6...............6..................."),
    (42, "7.5.7.5.7.5.7.5.7.5.7.5.7.5.7.5................................."),
    (46, "...............6...............6...............................7"),
    (44, "................................5...5...5...5...5...5...5...5..."),
    (38, "....9..3..3.9..3....9.3.3.3.9.343.4.5.6.7.8.9...2345678923456789"),
    (50, "................................9.8.7.6.............9.8.7.6....."),
    (48, "........................7.7.........8.7.6.5.........5.8.7.6....."),
    (45, "..............................7.........8.7.6.5.....4.5.8.7.6..."),
    (43, "................................6...6.......8.7.6.5...4.5.8.7.6."),
    (41, "................................5...5...5...5...9.8.7.6...4.9.8."),
    (36, "9.......9.7.....9.....7.9.7.....9.5.9.5.9.5.9.5.9.5.9.5.9.5.9595"),
];

/// An event of the fill.
struct FillEvent {
    /// Absolute frame.
    frame: usize,
    event: Event,
}

/// The MIDI file of the grid. Every note ends with the next column.
fn compose() -> Vec<u8> {
    let mut notes: Vec<(u32, u8, u8)> = Vec::new();
    for (key, columns) in GRID {
        for (column, digit) in (0..).zip(columns.bytes().map(|sign| sign.saturating_sub(b'0'))) {
            let start = column * TICKS_PER_COLUMN;
            if (1..=9).contains(&digit) {
                notes.extend([(start, key, 14 * digit), (start + TICKS_PER_COLUMN, key, 0)]);
            }
        }
    }
    // ends before beginnings
    notes.sort_by_key(|&(tick, key, velocity)| (tick, velocity > 0, key));
    let meta = |delta, message| TrackEvent { delta: u28::new(delta), kind: TrackEventKind::Meta(message) };
    let mut track = vec![meta(0, MetaMessage::Tempo(u24::new(TEMPO)))];
    let mut last = 0;
    for (tick, key, velocity) in notes {
        let message = MidiMessage::NoteOn { key: u7::new(key), vel: u7::new(velocity) };
        track.push(TrackEvent { delta: u28::new(tick - last), kind: TrackEventKind::Midi { channel: u4::new(9), message } });
        last = tick;
    }
    track.push(meta(0, MetaMessage::EndOfTrack));
    let smf = Smf { header: Header::new(Format::SingleTrack, Timing::Metrical(u15::new(TICKS_PER_BEAT))), tracks: vec![track] };
    let mut bytes = Vec::new();
    smf.write_std(&mut bytes).expect("memory takes all bytes");
    bytes
}

/// Writes the file.
pub fn write() -> Result<(), String> {
    std::fs::write(FILE, compose()).map_err(|error| format!("cannot write {FILE}: {error}"))
}

/// The notes of the stored file.
fn stored() -> Vec<FillEvent> {
    assert!(compose() == STORED, "benches/kit_fill.mid is older than its grid: run `cargo bench --bench cost -- --compose`");
    let smf = Smf::parse(STORED).expect("a MIDI file");
    let seconds_per_tick = f64::from(TEMPO) * 1e-6 / f64::from(TICKS_PER_BEAT);
    let (mut tick, mut events) = (0, Vec::new());
    for event in &smf.tracks[0] {
        tick += event.delta.as_int();
        if let TrackEventKind::Midi { message: MidiMessage::NoteOn { key, vel }, .. } = event.kind {
            let note = NoteId { key: key.as_int(), ..NoteId::default() };
            let event = Event::NoteOn { note, velocity: f64::from(vel.as_int()) / 127.0 };
            events.push(FillEvent { frame: (f64::from(tick) * seconds_per_tick * RATE).round() as usize, event });
        }
    }
    events
}

/// Times each block of the fill, from the first note to a beat after the last.
pub fn case(figures: &[Figure]) -> Case {
    timed(figures, player())
}

/// The same with one thread beside the measuring one.
#[cfg(any(feature = "plugin", feature = "cli"))]
pub fn two_cores(figures: &[Figure]) -> Case {
    use urto::render_threads::{ThreadPriority, render_pool};
    let mut player = player();
    let (pool, mut threads) = render_pool(1, ThreadPriority::Normal);
    pool.switch().store(true, std::sync::atomic::Ordering::Relaxed);
    super::cpu_pinning::on_all_cores(|| threads.follow_switch());
    player.engine.set_task_runner(Box::new(pool));
    // until the program ends: cases run in turns, between which the thread sleeps
    std::mem::forget(threads);
    timed(figures, player)
}

fn player() -> Player {
    let kit = factory_presets::kits().find(|kit| kit.name == "Studio Kit").expect("a factory kit");
    Player::new(&kit)
}

fn timed(figures: &[Figure], mut player: Player) -> Case {
    let events = stored();
    let frames = events.last().map_or(0, |last| last.frame) + (f64::from(TEMPO) * 1e-6 * RATE) as usize;
    Case::with_figures(figures, move |stopwatch| {
        player.engine.reset();
        let mut due = events.iter().peekable();
        for block in 0..frames / BLOCK {
            stopwatch.lap(|| {
                while let Some(event) = due.next_if(|event| event.frame < (block + 1) * BLOCK) {
                    player.engine.event(&event.event);
                }
                player.render_block();
                BLOCK
            });
        }
    })
}
