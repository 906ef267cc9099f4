//! Follows the host's transport: detects a start, a jump and a change of tempo.

use nice_plug::context::process::Transport;

use urto_engine::Event;

/// Distance from the expected position [s] above which the transport has jumped. Hosts round positions, and nice-plug 0.4.2 gives a
/// position within a block as that of its start: off by a block at most.
const JUMP: f64 = 0.1;

/// State of the transport after the last block.
#[derive(Clone, Copy, Debug, Default)]
pub struct TransportMonitor {
    is_running: bool,
    /// The last position that the host gave.
    position: Option<f64>,
    /// Time rendered since then [s].
    elapsed: f64,
    /// Change of the position per second.
    speed: f64,
    /// Tempo of the last event [beats per minute].
    tempo: Option<f64>,
}

impl TransportMonitor {
    /// Reads the transport before `frames` are rendered. Returns whether it has started, or has jumped while running.
    pub fn advance(&mut self, transport: &Transport, frames: usize) -> bool {
        let before = *self;
        let now = position(transport);
        self.is_running = transport.playing;
        let (position, speed) = now.unwrap_or_default();
        // each part of a split block may have the same position
        let new = now.is_some() && before.position != Some(position);
        if new || !before.is_running {
            (self.position, self.elapsed, self.speed) = (now.map(|(position, _)| position), 0.0, speed);
        }
        self.elapsed += frames as f64 / f64::from(transport.sample_rate);
        let jumped = |last: f64| (position - last - before.elapsed * before.speed).abs() > JUMP * speed;
        self.is_running && (!before.is_running || new && before.position.is_some_and(jumped))
    }

    /// The tempo event for the engine, if the tempo has changed or the position `has_moved`.
    pub fn tempo_event(&mut self, transport: &Transport, has_moved: bool) -> Option<Event> {
        let tempo = transport.tempo?;
        let beat = transport.pos_beats.filter(|_| transport.playing);
        let previous = self.tempo.replace(tempo);
        (has_moved || previous != Some(tempo)).then_some(Event::Tempo { tempo, beat })
    }
}

/// Position and its change per second: in seconds if the host gives any, else in beats.
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
    fn starts_and_jumps_are_detected_and_continuous_positions_are_not() {
        let mut monitor = TransportMonitor::default();
        assert!(!monitor.advance(&at(false, 7.0), BLOCK), "stopped");
        let starts = (0..100).map(|block| monitor.advance(&at(true, 7.0 + 0.01 * f64::from(block)), BLOCK));
        assert_eq!(starts.filter(|&started| started).count(), 1, "only at the start");
        assert!(monitor.advance(&at(true, 7.0), BLOCK), "a loop starts again");
        assert!(!monitor.advance(&at(true, 7.01), BLOCK));
        assert!(monitor.advance(&at(true, 9.0), BLOCK));
        assert!(!monitor.advance(&at(false, 9.01), BLOCK) && !monitor.advance(&at(false, 2.0), BLOCK), "moved while stopped");
        assert!(monitor.advance(&at(true, 2.0), BLOCK), "started again");
    }

    /// Some hosts stop the position too.
    #[test]
    fn a_stopped_transport_starts_once() {
        let mut monitor = TransportMonitor::default();
        assert!((0..100).all(|_| !monitor.advance(&at(false, 5.0), BLOCK)));
        let starts = (0..100).map(|block| monitor.advance(&at(true, 5.0 + 0.01 * f64::from(block)), BLOCK));
        assert_eq!(starts.filter(|&started| started).count(), 1);
        assert!(!monitor.advance(&at(true, 6.0), BLOCK));
    }

    #[test]
    fn parts_of_a_block_may_all_have_the_position_of_its_start() {
        let mut monitor = TransportMonitor::default();
        monitor.advance(&at(true, 0.0), 200);
        for block in 1..200 {
            let seconds = 0.0 + 0.01 * f64::from(block - 1);
            assert!(!monitor.advance(&at(true, seconds), if block == 1 { 280 } else { 480 }), "block {block}");
        }
    }

    #[test]
    fn beats_are_continuous_through_a_change_of_tempo() {
        let mut monitor = TransportMonitor::default();
        let (mut beats, mut starts) = (0.0, 0);
        for block in 0..400 {
            let tempo = if block < 200 { 60.0 } else { 180.0 };
            let transport = Transport { playing: true, pos_beats: Some(beats), tempo: Some(tempo), ..Transport::new(48_000.0) };
            starts += usize::from(monitor.advance(&transport, BLOCK));
            beats += 0.01 * tempo / 60.0;
        }
        assert_eq!(starts, 1);
    }

    /// A tempo event comes with every change of tempo and every jump.
    #[test]
    fn a_change_of_tempo_gives_an_event() {
        let mut monitor = TransportMonitor::default();
        let transport =
            |playing, tempo, beats| Transport { playing, tempo: Some(tempo), pos_beats: Some(beats), ..Transport::new(48_000.0) };
        assert_eq!(monitor.tempo_event(&Transport::new(48_000.0), true), None);
        let event = |tempo, beat| Some(Event::Tempo { tempo, beat });
        assert_eq!(monitor.tempo_event(&transport(false, 90.0, 4.0), false), event(90.0, None));
        assert_eq!(monitor.tempo_event(&transport(true, 90.0, 4.0), true), event(90.0, Some(4.0)));
        assert_eq!(monitor.tempo_event(&transport(true, 90.0, 4.1), false), None);
        assert_eq!(monitor.tempo_event(&transport(true, 91.0, 4.2), false), event(91.0, Some(4.2)));
    }

    #[test]
    fn a_host_without_a_transport_never_starts() {
        let mut monitor = TransportMonitor::default();
        assert!((0..10).all(|_| !monitor.advance(&Transport::new(48_000.0), BLOCK)));
    }
}
