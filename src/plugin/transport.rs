//! Whether the host's transport has started or jumped.

use nice_plug::context::process::Transport;

use urto_engine::Event;

/// Distance from where it was expected [s] above which the transport has jumped. Hosts round positions, and nice-plug 0.4.2 takes
/// what a host says inside a block for what it says at its beginning: off by a block at most.
const JUMP: f64 = 0.1;

/// Where the transport was.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransportMonitor {
    playing: bool,
    /// The last position that the host gave, and the seconds that have been rendered since.
    position: Option<f64>,
    elapsed: f64,
    /// How fast positions go per second.
    speed: f64,
    /// Tempo that was told last [beats a minute].
    tempo: Option<f64>,
}

impl TransportMonitor {
    /// Looks at the transport before `frames` are rendered; whether it has started, or jumped while it plays.
    pub fn look(&mut self, transport: &Transport, frames: usize) -> bool {
        let before = *self;
        let now = position(transport);
        self.playing = transport.playing;
        let (position, speed) = now.unwrap_or_default();
        // a block that is split may say the same for each of its parts
        let new = now.is_some() && before.position != Some(position);
        if new || !before.playing {
            (self.position, self.elapsed, self.speed) = (now.map(|(position, _)| position), 0.0, speed);
        }
        self.elapsed += frames as f64 / f64::from(transport.sample_rate);
        let jumped = |last: f64| (position - last - before.elapsed * before.speed).abs() > JUMP * speed;
        self.playing && (!before.playing || new && before.position.is_some_and(jumped))
    }
}

impl TransportMonitor {
    /// What the engine has to be told of the tempo: where it has changed, and where the music has `moved` to.
    pub fn tempo(&mut self, transport: &Transport, moved: bool) -> Option<Event> {
        let tempo = transport.tempo?;
        let beat = transport.pos_beats.filter(|_| transport.playing);
        let told = self.tempo.replace(tempo);
        (moved || told != Some(tempo)).then_some(Event::Tempo { tempo, beat })
    }
}

/// Position and what it grows by in a second: in seconds if the host gives any, else in beats.
fn position(transport: &Transport) -> Option<(f64, f64)> {
    let samples = transport.pos_samples.map(|samples| samples as f64 / f64::from(transport.sample_rate));
    let seconds = samples.or(transport.pos_seconds).map(|seconds| (seconds, 1.0));
    seconds.or_else(|| Some((transport.pos_beats?, transport.tempo? / 60.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = 480;

    fn at(playing: bool, seconds: f64) -> Transport {
        Transport { playing, pos_seconds: Some(seconds), ..Transport::new(48_000.0) }
    }

    #[test]
    fn a_start_and_a_jump_are_seen_and_an_even_run_is_not() {
        let mut head = TransportMonitor::default();
        assert!(!head.look(&at(false, 7.0), BLOCK), "stopped");
        let starts = (0..100).map(|block| head.look(&at(true, 7.0 + 0.01 * f64::from(block)), BLOCK));
        assert_eq!(starts.filter(|&started| started).count(), 1, "at the start alone");
        assert!(head.look(&at(true, 7.0), BLOCK), "a loop begins anew");
        assert!(!head.look(&at(true, 7.01), BLOCK));
        assert!(head.look(&at(true, 9.0), BLOCK));
        assert!(!head.look(&at(false, 9.01), BLOCK) && !head.look(&at(false, 2.0), BLOCK), "moved while it stands");
        assert!(head.look(&at(true, 2.0), BLOCK), "started again");
    }

    /// As some hosts do, which stop the position too.
    #[test]
    fn a_transport_that_stood_starts_once() {
        let mut head = TransportMonitor::default();
        assert!((0..100).all(|_| !head.look(&at(false, 5.0), BLOCK)));
        let starts = (0..100).map(|block| head.look(&at(true, 5.0 + 0.01 * f64::from(block)), BLOCK));
        assert_eq!(starts.filter(|&started| started).count(), 1);
        assert!(!head.look(&at(true, 6.0), BLOCK));
    }

    #[test]
    fn parts_of_a_block_may_all_name_its_beginning() {
        let mut head = TransportMonitor::default();
        head.look(&at(true, 0.0), 200);
        for block in 1..200 {
            let seconds = 0.0 + 0.01 * f64::from(block - 1);
            assert!(!head.look(&at(true, seconds), if block == 1 { 280 } else { 480 }), "block {block}");
        }
    }

    #[test]
    fn beats_are_followed_through_a_change_of_tempo() {
        let mut head = TransportMonitor::default();
        let (mut beats, mut starts) = (0.0, 0);
        for block in 0..400 {
            let tempo = if block < 200 { 60.0 } else { 180.0 };
            let transport = Transport { playing: true, pos_beats: Some(beats), tempo: Some(tempo), ..Transport::new(48_000.0) };
            starts += usize::from(head.look(&transport, BLOCK));
            beats += 0.01 * tempo / 60.0;
        }
        assert_eq!(starts, 1);
    }

    /// The tempo is told when it changes, and the position with it and when the music moves.
    #[test]
    fn the_tempo_is_told_where_it_changes() {
        let mut head = TransportMonitor::default();
        let transport =
            |playing, tempo, beats| Transport { playing, tempo: Some(tempo), pos_beats: Some(beats), ..Transport::new(48_000.0) };
        assert_eq!(head.tempo(&Transport::new(48_000.0), true), None);
        let told = |tempo, beat| Some(Event::Tempo { tempo, beat });
        assert_eq!(head.tempo(&transport(false, 90.0, 4.0), false), told(90.0, None));
        assert_eq!(head.tempo(&transport(true, 90.0, 4.0), true), told(90.0, Some(4.0)));
        assert_eq!(head.tempo(&transport(true, 90.0, 4.1), false), None);
        assert_eq!(head.tempo(&transport(true, 91.0, 4.2), false), told(91.0, Some(4.2)));
    }

    #[test]
    fn a_host_without_a_transport_never_starts() {
        let mut head = TransportMonitor::default();
        assert!((0..10).all(|_| !head.look(&Transport::new(48_000.0), BLOCK)));
    }
}
