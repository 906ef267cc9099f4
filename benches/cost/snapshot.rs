//! Work of the audio thread for an open editor.

use std::sync::Arc;

use urto::threads;

use super::engine::{BLOCK, Player, patch};
use super::measurement::{Case, RATE};

/// The work for the editor per block of 64 samples, averaged over one second with four strikes.
pub fn snapshot(key: &'static str) -> Case {
    const NOTES: usize = 4;
    let mut player = Player::new(&patch(&[]));
    let (mut audio, editor, host) = threads::connect_to(None, Arc::default());
    audio.activate(&host, &mut player.engine);
    editor.watch(true);
    editor.listen(true);
    let blocks = RATE as usize / BLOCK;
    Case::new(key, move |stopwatch| {
        // moved into the closure: the threads stay connected until the case ends
        let _host = &host;
        player.engine.reset();
        for block in 0..blocks {
            if block % (blocks / NOTES) == 0 {
                player.strike(60 + (block % 7) as u8, 0.7);
            }
            player.render_block();
            stopwatch.lap(|| {
                audio.take_editor_events(&mut player.engine);
                audio.send_audio(player.sound());
                audio.measure(0.0, 0.1);
                audio.send_telemetry(&mut player.engine);
                1
            });
        }
        editor.levels();
        editor.hits().for_each(drop);
        editor.trace().for_each(drop);
        editor.sound().for_each(drop);
    })
}
