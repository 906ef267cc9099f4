//! A sound at its position, as microphones and the room hear it.

use std::ops::Range;

use crate::block::{CONTROL_BLOCK, StereoBlock, mid};
use crate::patch::FloorPosition;
use crate::room::image_sources::ReflectedPaths;
use crate::room::microphones::{DirectPath, PairPlacement, Point};
use crate::room::room_acoustics::RoomAcoustics;

/// Largest sample that is heard, 120 dB above full scale.
const LARGEST: f64 = 1e6;

/// Positions of microphones and instrument, and the room around them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The overhead pair.
    pub overhead: PairPlacement,
    /// The far pair.
    pub far: PairPlacement,
    /// The middle of the instrument.
    pub instrument: FloorPosition,
    /// The room, if there is one.
    pub room: Option<RoomAcoustics>,
}

/// All paths of a sound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paths {
    /// To the overhead pair.
    pub overhead: [DirectPath; 2],
    /// To the far pair.
    pub far: [DirectPath; 2],
    /// Over the walls to the far pair; none without a room.
    pub reflected: Option<ReflectedPaths>,
}

impl Paths {
    /// Of a sound at `position`, relative to the instrument, at `rate` [Hz].
    pub fn new(position: FloorPosition, placement: &Placement, rate: f64) -> Self {
        let FloorPosition { x, y } = placement.instrument;
        let sound = Point::at(FloorPosition { x: position.x + x, y: position.y + y });
        let direct = |microphones: [Point; 2]| microphones.map(|microphone| DirectPath::new(sound, microphone, rate));
        Self {
            overhead: direct(placement.overhead.overhead()),
            far: direct(placement.far.far()),
            reflected: placement.room.map(|room| ReflectedPaths::new(sound, placement.far, &room, rate)),
        }
    }
}

/// What happened to a sound in the last control block.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Presence {
    /// It was silent.
    Absent,
    /// It was heard.
    Heard,
}

/// One sound: the main part, or a zone of a kit.
pub struct SoundSource {
    /// Relative to the middle of the instrument.
    position: FloorPosition,
    /// Mean of its sides in this control block.
    sound: [f64; CONTROL_BLOCK],
    now: Presence,
    before: Presence,
    paths: Paths,
    /// The placement that the paths belong to.
    placement: Option<Placement>,
}

impl SoundSource {
    /// A silent one at `position` relative to the middle of the instrument.
    pub fn at(position: FloorPosition) -> Self {
        Self {
            position,
            sound: [0.0; CONTROL_BLOCK],
            now: Presence::Absent,
            before: Presence::Absent,
            paths: Paths::default(),
            placement: None,
        }
    }

    /// Forgets its sound and its paths.
    pub fn reset(&mut self) {
        *self = Self::at(self.position);
    }

    /// Takes the frames `run` of its sound in this control block, times `gain`. What is not finite is silence.
    pub fn hear(&mut self, run: Range<usize>, gain: f64, sound: &StereoBlock) {
        if self.now == Presence::Absent {
            self.sound = [0.0; CONTROL_BLOCK];
            self.now = Presence::Heard;
        }
        for n in run {
            let x = gain * mid(sound, n);
            self.sound[n] += if x.is_finite() { x.clamp(-LARGEST, LARGEST) } else { 0.0 };
        }
    }

    /// Ends the control block: gives its sound and its paths to `add`. If the placement has changed, its sound fades from the old paths to the
    /// new ones.
    pub fn deliver(&mut self, placement: &Placement, rate: f64, mut add: impl FnMut(&[f64; CONTROL_BLOCK], &Paths)) {
        let before = std::mem::replace(&mut self.before, std::mem::replace(&mut self.now, Presence::Absent));
        if self.before == Presence::Absent {
            return;
        }
        if self.placement.as_ref() != Some(placement) {
            let paths = Paths::new(self.position, placement, rate);
            let last = std::mem::replace(&mut self.paths, paths);
            self.placement = Some(*placement);
            if before == Presence::Heard {
                let rise = |n: usize| (n + 1) as f64 / CONTROL_BLOCK as f64;
                add(&std::array::from_fn(|n| (1.0 - rise(n)) * self.sound[n]), &last);
                return add(&std::array::from_fn(|n| rise(n) * self.sound[n]), &self.paths);
            }
        }
        add(&self.sound, &self.paths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(distance: f64) -> Placement {
        let far = PairPlacement { distance, spacing: 2.0 };
        Placement { overhead: far, far, instrument: FloorPosition { x: 0.0, y: 0.0 }, room: None }
    }

    /// What it delivers: the sound's sums and the delays of the far pair's left side.
    fn delivered(source: &mut SoundSource, placement: &Placement) -> Vec<(f64, usize)> {
        let mut all = Vec::new();
        source.deliver(placement, 48e3, |sound, paths| all.push((sound.iter().sum(), paths.far[0].delay)));
        all
    }

    #[test]
    fn sound_fades_from_the_old_paths_to_the_new_ones() {
        let mut source = SoundSource::at(FloorPosition { x: 1.0, y: 0.0 });
        assert_eq!(delivered(&mut source, &placement(4.0)), []);
        let sound = [[1.0; CONTROL_BLOCK]; 2];
        source.hear(0..10, 0.5, &sound);
        source.hear(10..16, 0.5, &sound);
        let first = delivered(&mut source, &placement(4.0));
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].0, 8.0);
        source.hear(0..16, 0.5, &sound);
        let [falling, rising] = delivered(&mut source, &placement(5.0))[..] else { panic!("two parts") };
        assert_eq!((falling.0 + rising.0, falling.1), (8.0, first[0].1));
        assert!(rising.1 > falling.1 + 100);
        // after a pause there is nothing to fade from
        delivered(&mut source, &placement(5.0));
        source.hear(4..16, 1.0, &sound);
        let [(sum, delay)] = delivered(&mut source, &placement(4.0))[..] else { panic!("one part") };
        assert_eq!((sum, delay), (12.0, first[0].1));
    }

    #[test]
    fn what_is_not_finite_is_silence() {
        let mut source = SoundSource::at(FloorPosition { x: 0.0, y: 0.0 });
        source.hear(0..16, 1.0, &[[f64::NAN, f64::INFINITY, 1e30, -1e30].repeat(4).try_into().unwrap(); 2]);
        source.deliver(&placement(4.0), 48e3, |sound, _| assert_eq!(sound[..4], [0.0, 0.0, 1e6, -1e6]));
    }
}
