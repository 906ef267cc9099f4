//! The pieces, in the order of the page. Their voices are those that agree with recordings (see `docs/realism.md`).

use crate::sounds::piece::{Note, Part, Piece, VELOCITY, melody, pattern, tremolo};

const PIECE: Piece = Piece { name: "", tempo: 120.0, room: "hall", tail: 2.5, parts: Vec::new };

/// All pieces.
pub const ALL: [Piece; 8] = [
    Piece { name: "marimba", tempo: 126.0, parts: marimba, ..PIECE },
    Piece { name: "kit", tempo: 102.0, room: "studio", parts: kit, tail: 5.0 },
    Piece { name: "xylophone", tempo: 92.0, parts: xylophone, ..PIECE },
    Piece { name: "santur", tempo: 84.0, room: "chamber", parts: santur, ..PIECE },
    Piece { name: "glasses", tempo: 66.0, room: "church", parts: glasses, tail: 4.0 },
    Piece { name: "wood_and_iron", tempo: 108.0, room: "studio", parts: wood_and_iron, ..PIECE },
    Piece { name: "tabla", tempo: 150.0, room: "chamber", parts: tabla, ..PIECE },
    Piece { name: "parade", tempo: 112.0, parts: parade, tail: 6.0, ..PIECE },
];

/// A part at the middle with the level of its preset.
fn part(preset: &'static str, notes: Vec<Note>) -> Part {
    Part { preset, level: 0.0, x: 0.0, notes }
}

/// Eight bars of broken chords on a marimba, which swell and fade, and a tremolo.
fn marimba() -> Vec<Part> {
    let chords: [[u8; 6]; 8] = [
        [45, 52, 57, 60, 64, 69],
        [41, 48, 57, 60, 65, 69],
        [48, 55, 60, 64, 67, 72],
        [43, 50, 59, 62, 67, 71],
        [45, 52, 60, 64, 69, 72],
        [50, 57, 60, 65, 69, 74],
        [40, 52, 56, 62, 68, 71],
        [45, 52, 57, 60, 64, 69],
    ];
    let order = [0, 2, 3, 4, 5, 4, 1, 3, 4, 5, 4, 3];
    let loudness = [4.2, 4.8, 5.4, 6.0, 6.6, 7.2, 6.4, 5.0];
    let mut notes = Vec::new();
    for (bar, (chord, loudness)) in chords.iter().zip(loudness).enumerate() {
        for (i, &which) in order.iter().enumerate() {
            let accent = [1.25, 0.82, 0.9][i % 3];
            let beat = 6.0 * bar as f64 + 0.5 * i as f64;
            notes.push(Note { beat, key: chord[which], velocity: VELOCITY * loudness * accent, beats: 0.4 });
        }
    }
    notes.extend(tremolo(48.0, (34, 0.14), [64, 69], [2.2, 6.0]));
    notes.extend(melody(53.0, &[(0.0, 45, 6), (0.0, 57, 6), (1.0, 69, 7)]));
    vec![part("Rosewood Marimba", notes)]
}

/// Nine bars of a drum kit: hi-hat, then ride, each with a fill.
fn kit() -> Vec<Part> {
    let (kick, snare, closed, open, crash, ride, bell, splash) = (36, 38, 42, 46, 49, 51, 53, 55);
    let toms = [50, 48, 47, 45, 43];
    let mut notes = Vec::new();
    let bars = |bars: &[u8], key: u8, bar: &str| -> Vec<Note> {
        bars.iter().flat_map(|number| pattern(4.0 * f64::from(*number), 0.25, key, bar)).collect()
    };
    notes.extend(bars(&[0, 1, 2, 3], kick, "8... ..5. .8.. ...."));
    notes.extend(bars(&[0, 1, 2], snare, ".... 8..2 .2.. 8..."));
    notes.extend(bars(&[0, 2], closed, "7.4. 6.4. 7.4. 6.4."));
    notes.extend(bars(&[1], closed, "7.4. 6.4. 7.43 6..."));
    notes.extend(bars(&[1], open, ".... .... .... ..6."));
    notes.extend(bars(&[3], closed, "7.4. 6.4. .... ...."));
    notes.extend(bars(&[3], snare, ".... 8..2 4567 ...."));
    for (i, key) in toms.into_iter().enumerate().take(4) {
        notes.extend(pattern(15.0 + 0.25 * i as f64, 0.25, key, "7"));
    }
    notes.extend(bars(&[4], crash, "8"));
    notes.extend(bars(&[4, 5, 6], kick, "8..4 ..8. ..8. .4.."));
    notes.extend(bars(&[4, 5, 6], snare, "..1. 8.12 .2.1 8..2"));
    notes.extend(bars(&[5, 6], ride, "6.45 6.4. 6.45 6.4."));
    notes.extend(bars(&[4], ride, "..45 6.4. 6.45 6.4."));
    notes.extend(bars(&[5], bell, ".... ..7. .... ..7."));
    notes.extend(bars(&[6], splash, ".... .... .... ..7."));
    notes.extend(bars(&[7], kick, "8... 8... 8... ...."));
    notes.extend(bars(&[7], snare, "7567 .... .... 6789"));
    for (i, key) in toms.into_iter().enumerate() {
        notes.extend(pattern(29.0 + 0.375 * i as f64, 0.125, key, if i < 3 { "7.6" } else { "87." }));
    }
    notes.extend(bars(&[8], kick, "9"));
    notes.extend(bars(&[8], crash, "9"));
    vec![part("Studio Kit", notes)]
}

/// A rag for xylophone over a marimba.
fn xylophone() -> Vec<Part> {
    let (s, e, q) = (0.25, 0.5, 1.0);
    let first = [
        (s, 76, 5),
        (s, 79, 6),
        (e, 84, 8),
        (s, 79, 6),
        (e, 84, 7),
        (s, 81, 5),
        (e, 79, 7),
        (s, 76, 5),
        (s, 72, 5),
        (e, 76, 7),
        (s, 74, 5),
        (s, 72, 5),
    ];
    let answer = [
        (s, 74, 5),
        (s, 77, 6),
        (e, 81, 8),
        (s, 77, 6),
        (e, 81, 7),
        (s, 79, 5),
        (e, 77, 7),
        (s, 74, 5),
        (s, 71, 5),
        (e, 74, 7),
        (e, 79, 6),
    ];
    let close = [
        (s, 76, 6),
        (s, 77, 6),
        (s, 78, 6),
        (s, 79, 7),
        (s, 81, 7),
        (s, 79, 6),
        (s, 77, 6),
        (s, 74, 6),
        (e, 72, 8),
        (s, 79, 6),
        (s, 76, 6),
        (q, 72, 8),
    ];
    let middle = [
        (e, 81, 8),
        (s, 80, 5),
        (s, 81, 6),
        (e, 84, 8),
        (e, 81, 6),
        (s, 79, 6),
        (s, 78, 5),
        (e, 79, 7),
        (q, 76, 7),
        (e, 77, 8),
        (s, 76, 5),
        (s, 77, 6),
        (e, 81, 8),
        (e, 77, 6),
        (s, 76, 6),
        (s, 75, 5),
        (e, 74, 7),
        (q, 79, 7),
    ];
    let lines: [&[(f64, u8, u8)]; 8] = [&first, &answer, &first, &close, &middle, &first, &answer, &close];
    let bass: [[u8; 4]; 8] = [
        [48, 43, 48, 43],
        [50, 43, 50, 43],
        [48, 43, 45, 43],
        [43, 43, 48, 36],
        [41, 48, 41, 43],
        [48, 43, 48, 43],
        [50, 43, 50, 43],
        [43, 43, 48, 36],
    ];
    let (mut tune, mut low) = (Vec::new(), Vec::new());
    let mut beat = 0.0;
    for (line, bass) in lines.iter().zip(bass) {
        tune.extend(melody(beat, line));
        let beats: f64 = line.iter().map(|(beats, ..)| beats).sum();
        for i in 0..beats as usize {
            let root = bass[i % 4];
            low.extend(melody(beat + i as f64, &[(e, root, 6), (0.0, root + 12, 4), (e, root + 16, 4)]));
        }
        beat += beats;
    }
    tune.extend(tremolo(beat, (16, 0.0625), [84, 79], [4.0, 7.5]));
    tune.extend(melody(beat + 1.0, &[(q, 84, 9)]));
    low.extend(melody(beat + 1.0, &[(0.0, 36, 8), (q, 48, 8)]));
    vec![Part { x: 0.6, ..part("Concert Xylophone", tune) }, Part { x: -0.6, level: -2.0, ..part("Rosewood Marimba", low) }]
}

/// A slow introduction and a dance on a santur, in a mode of D.
fn santur() -> Vec<Part> {
    let mut notes = Vec::new();
    let (e, q, d) = (0.5, 1.0, 1.5);
    // both sticks on one note, as singers hold it
    for (beat, key, strokes, from, to) in [
        (0.0, 62, 14, 2.5, 5.0),
        (2.2, 65, 10, 3.0, 5.0),
        (3.9, 67, 16, 3.0, 6.5),
        (6.4, 65, 8, 5.0, 3.5),
        (7.8, 63, 8, 4.0, 3.0),
    ] {
        notes.extend(tremolo(beat, (strokes, 0.13), [key, key], [from, to]));
    }
    notes.extend(melody(9.2, &[(q, 62, 5), (0.0, 50, 5), (0.8, 57, 5)]));
    let dance: [&[(f64, u8, u8)]; 8] = [
        &[(e, 62, 7), (e, 65, 5), (e, 67, 5), (e, 69, 7), (e, 67, 5), (e, 65, 5)],
        &[(e, 67, 7), (e, 65, 5), (e, 63, 5), (d, 62, 6)],
        &[(e, 69, 7), (e, 70, 5), (e, 72, 6), (e, 74, 8), (e, 72, 5), (e, 70, 5)],
        &[(e, 69, 7), (e, 67, 5), (e, 65, 5), (d, 67, 6)],
        &[(e, 74, 8), (e, 72, 5), (e, 70, 5), (e, 72, 7), (e, 70, 5), (e, 69, 5)],
        &[(e, 70, 7), (e, 69, 5), (e, 67, 5), (e, 69, 7), (e, 67, 5), (e, 65, 5)],
        &[(e, 67, 7), (e, 65, 5), (e, 63, 5), (e, 65, 6), (e, 63, 5), (e, 60, 5)],
        &[(q, 62, 7), (e, 65, 5), (d, 62, 7)],
    ];
    for (bar, line) in dance.iter().enumerate() {
        let beat = 11.0 + 3.0 * bar as f64;
        notes.extend(melody(beat, line));
        notes.extend(pattern(beat, 0.5, 50, "4..3.."));
    }
    notes.extend(tremolo(35.0, (12, 0.125), [62, 62], [3.0, 6.0]));
    notes.extend(melody(36.5, &[(0.0, 50, 7), (q, 74, 8)]));
    vec![part("Santur Bare Wood", notes)]
}

/// A chorale on wine glasses.
fn glasses() -> Vec<Part> {
    let chords: [(f64, [u8; 3], u8); 13] = [
        (2.0, [69, 76, 85], 5),
        (1.0, [71, 74, 83], 5),
        (1.0, [69, 73, 81], 4),
        (2.0, [74, 78, 86], 6),
        (2.0, [73, 76, 81], 5),
        (2.0, [71, 76, 80], 5),
        (1.0, [69, 73, 81], 5),
        (1.0, [71, 74, 83], 5),
        (2.0, [73, 76, 85], 6),
        (1.0, [74, 81, 90], 7),
        (1.0, [73, 81, 88], 6),
        (2.0, [71, 80, 86], 5),
        (3.0, [69, 73, 81], 5),
    ];
    let mut notes = Vec::new();
    let mut beat = 0.0;
    for (beats, chord, digit) in chords {
        for (i, key) in chord.into_iter().enumerate() {
            let accent = if i == 2 { digit + 1 } else { digit };
            notes.extend(melody(beat + 0.09 * i as f64, &[(beats + 1.0, key, accent)]));
        }
        if beats == 2.0 {
            notes.extend(melody(beat + 1.0, &[(0.5, chord[1], 3), (0.5, chord[2], 3)]));
        }
        beat += beats;
    }
    vec![part("Wine Glass Tap", notes)]
}

/// Claves, woodblock, agogo and cowbell over a cajon and a kick drum.
fn wood_and_iron() -> Vec<Part> {
    let bars = |from: usize, to: usize, key: u8, bar: &str| -> Vec<Note> {
        (from..to).flat_map(|number| pattern(4.0 * number as f64, 0.25, key, bar)).collect()
    };
    let two_bars = |from: usize, to: usize, key: u8, bars: [&str; 2]| -> Vec<Note> {
        (from..to).flat_map(|number| pattern(4.0 * number as f64, 0.25, key, bars[number % 2])).collect()
    };
    let end = 32.0;
    let clave = two_bars(0, 8, 60, ["7..6 ..6. ..7. ...."; 2]);
    let mut block = two_bars(2, 8, 60, ["5.35 3.5. 5.35 3.53", "5.35 3.5. .535 3553"]);
    block.extend(pattern(end - 1.0, 0.125, 60, "45566778"));
    let mut agogo = two_bars(2, 8, 76, ["7.5. .... 6.5. ..6.", "..6. 5... 6.5. ...."]);
    agogo.extend(two_bars(2, 8, 71, [".... 6.5. .... 6...", "5... ..6. .... 6.6."]));
    let cowbell = bars(4, 8, 56, "7.4. 7.4. 7.44 7.4.");
    let mut slap = bars(1, 8, 60, ".2.2 7..2 .2.3 7.23");
    slap.extend(pattern(end - 2.0, 0.125, 60, "3344556677889"));
    let mut kick = bars(1, 8, 36, "7... ..6. ..7. ....");
    for notes in [&mut slap, &mut kick, &mut block] {
        let key = notes[0].key;
        notes.extend(pattern(end, 1.0, key, "8"));
    }
    vec![
        Part { x: -0.7, level: -3.0, ..part("Claves", clave) },
        Part { x: 0.7, level: -5.0, ..part("Woodblock High", block) },
        Part { x: 0.4, level: -1.0, ..part("Agogo Pair", agogo) },
        Part { x: -0.3, level: 5.0, ..part("Studio Kit", cowbell) },
        part("Cajon Slap", slap),
        Part { level: 1.0, ..part("Studio Kit", kick) },
    ]
}

/// Three cycles of sixteen beats on a pair of tabla, and a phrase three times.
fn tabla() -> Vec<Part> {
    let (mut high, mut low) = (Vec::new(), Vec::new());
    // na and ge of the cycle: dha dhin dhin dha, dha dhin dhin dha, dha tin tin ta, ta dhin dhin dha
    let plain = ["7.5. 5.7. 7.5. 5.7.", "7.5. 5.7. 7.5. 5.7."];
    let filled = ["7.53 5.73 7353 5.77", "7353 5373 7.53 5377"];
    for cycle in 0..3 {
        let beat = 16.0 * f64::from(cycle);
        let bars = if cycle == 0 { plain } else { filled };
        for (half, bar) in bars.iter().enumerate() {
            high.extend(pattern(beat + 8.0 * half as f64, 0.5, 61, bar));
        }
        low.extend(pattern(beat, 0.5, 60, "7.6. 6.7. 7.6. 6.7. 7... .... ..6. 6.7."));
    }
    for repeat in 0..3 {
        let beat = 48.0 + 3.5 * f64::from(repeat);
        high.extend(pattern(beat, 0.25, 61, "6.46 4664 8..."));
        low.extend(pattern(beat, 0.25, 60, "6... ..6. 8..."));
    }
    vec![Part { x: 0.6, ..part("Tabla Dayan Na", high) }, Part { x: -0.6, ..part("Tabla Bayan Ge", low) }]
}

/// A snare drum with flams and a roll, toms and a crash cymbal.
fn parade() -> Vec<Part> {
    let (mut snare, mut floor, mut tom, mut crash) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let bars = ["f..3 5.3. f.33 5.3.", "f..3 5.3. 3355 6677", "f.35 f.35 f353 5...", "f..3 5.3. 6363 6363"];
    for (number, bar) in bars.iter().chain(&bars).enumerate() {
        snare.extend(pattern(4.0 * number as f64, 0.25, 60, bar));
    }
    for bar in 2..8 {
        floor.extend(pattern(4.0 * f64::from(bar), 0.5, 60, "7..5 7..."));
        tom.extend(pattern(4.0 * f64::from(bar), 0.5, 60, "..5. ..56"));
    }
    crash.extend(pattern(16.0, 1.0, 45, "8"));
    snare.extend(tremolo(32.0, (64, 0.0625), [60, 60], [1.6, 7.5]));
    floor.extend(tremolo(34.0, (16, 0.125), [60, 60], [3.0, 7.5]));
    for notes in [&mut snare, &mut floor, &mut tom] {
        notes.extend(pattern(36.0, 1.0, 60, "9"));
    }
    crash.extend(pattern(36.0, 1.0, 45, "9"));
    vec![
        part("Snare with Wires", snare),
        Part { x: 0.8, ..part("Floor Tom", floor) },
        Part { x: -0.5, ..part("Twelve-Inch Tom", tom) },
        Part { x: -0.9, level: 4.0, ..part("Crash Cymbal", crash) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn pieces_take_twenty_to_forty_seconds() {
        for piece in &ALL {
            let seconds = piece.seconds() + piece.tail;
            assert!((20.0..40.0).contains(&seconds), "{}: {seconds:.1} s", piece.name);
        }
    }

    #[test]
    fn the_page_links_to_every_piece() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/manual");
        let page = std::fs::read_to_string(folder.join("sounds.md")).unwrap();
        for file in ALL.iter().flat_map(|piece| ["dry", "room"].map(|version| format!("sounds/{}_{version}.ogg", piece.name))) {
            assert!(page.contains(&format!("({file})")), "sounds.md does not link to {file}");
            assert!(folder.join(&file).exists(), "{file} is missing; render it with `cargo xtask sounds`");
        }
    }
}
