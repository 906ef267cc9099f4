//! What the audio thread spends for an editor.

use urto::threads;

use super::RATE;
use super::case::Case;
use super::engine::{BLOCK, Played, patch};

/// All that a block of 64 samples spends for an editor that is open, on average over a second in which four notes are struck.
pub fn snapshot(key: &'static str) -> Case {
    const NOTES: usize = 4;
    let mut played = Played::new(&patch(&[]));
    let (mut audio, editor, host) = threads::connect_to(None);
    audio.activate(&host, &mut played.engine);
    editor.watch(true);
    editor.listen(true);
    let blocks = RATE as usize / BLOCK;
    Case::new(key, move |clock| {
        let _wired = &host;
        played.engine.reset();
        for block in 0..blocks {
            if block % (blocks / NOTES) == 0 {
                played.strike(60 + (block % 7) as u8, 0.7);
            }
            played.block();
            clock.lap(|| {
                audio.take_editor_events(&mut played.engine);
                audio.send_audio(played.sound());
                audio.measure(0.0, 0.1);
                audio.send_telemetry(&mut played.engine);
                1
            });
        }
        editor.levels();
        editor.hits().for_each(drop);
        editor.trace().for_each(drop);
        editor.sound().for_each(drop);
    })
}
