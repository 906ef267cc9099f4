//! A sound at its position, as microphones and the room hear it.

use std::ops::Range;

use crate::block::{CONTROL_BLOCK, StereoBlock, mid};
use crate::patch::FloorPosition;
use crate::room::gain_ramp::GainRamp;
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

/// The placement of a control block, and the one that it changes to.
#[derive(Clone, Copy)]
pub struct PlacementFade<'a> {
    /// The one it comes from.
    pub from: &'a Placement,
    /// The one it goes to, with the gain of the sound that sets out to it; the rest has the other.
    pub to: Option<(&'a Placement, GainRamp)>,
}

/// Paths, and the placement that they belong to; none at first.
#[derive(Clone, Copy, Default)]
struct PlacedPaths {
    placement: Option<Placement>,
    paths: Paths,
}

impl PlacedPaths {
    fn fits(&self, placement: &Placement) -> bool {
        self.placement.as_ref() == Some(placement)
    }

    fn update(&mut self, position: FloorPosition, placement: &Placement, rate: f64) {
        if !self.fits(placement) {
            *self = Self { placement: Some(*placement), paths: Paths::new(position, placement, rate) };
        }
    }
}

/// One sound: the main part, or a zone of a kit.
pub struct SoundSource {
    /// Relative to the middle of the instrument.
    position: FloorPosition,
    /// Mean of its sides in this control block, if it was heard.
    sound: [f64; CONTROL_BLOCK],
    is_heard: bool,
    from: PlacedPaths,
    to: PlacedPaths,
}

impl SoundSource {
    /// A silent one at `position` relative to the middle of the instrument.
    pub fn at(position: FloorPosition) -> Self {
        let paths = PlacedPaths::default();
        Self { position, sound: [0.0; CONTROL_BLOCK], is_heard: false, from: paths, to: paths }
    }

    /// Forgets its sound.
    pub fn reset(&mut self) {
        self.is_heard = false;
    }

    /// Takes the frames `run` of its sound in this control block, times `gain`. What is not finite is silence.
    pub fn hear(&mut self, run: Range<usize>, gain: f64, sound: &StereoBlock) {
        if !self.is_heard {
            self.sound = [0.0; CONTROL_BLOCK];
            self.is_heard = true;
        }
        for n in run {
            let x = gain * mid(sound, n);
            self.sound[n] += if x.is_finite() { x.clamp(-LARGEST, LARGEST) } else { 0.0 };
        }
    }

    /// Ends the control block: gives what was heard and its paths to `add`.
    pub fn deliver(&mut self, fade: PlacementFade, rate: f64, mut add: impl FnMut(&[f64; CONTROL_BLOCK], &Paths)) {
        if !std::mem::take(&mut self.is_heard) {
            return;
        }
        if self.to.fits(fade.from) {
            std::mem::swap(&mut self.from, &mut self.to);
        }
        self.from.update(self.position, fade.from, rate);
        let Some((placement, rise)) = fade.to else { return add(&self.sound, &self.from.paths) };
        self.to.update(self.position, placement, rate);
        let rising = rise.apply(&self.sound);
        add(&std::array::from_fn(|n| self.sound[n] - rising[n]), &self.from.paths);
        add(&rising, &self.to.paths);
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
    fn delivered(source: &mut SoundSource, fade: PlacementFade) -> Vec<(f64, usize)> {
        let mut all = Vec::new();
        source.deliver(fade, 48e3, |sound, paths| all.push((sound.iter().sum(), paths.far[0].delay)));
        all
    }

    #[test]
    fn sound_fades_from_one_placement_to_the_next() {
        let (near, far) = (placement(4.0), placement(5.0));
        let still = PlacementFade { from: &near, to: None };
        let mut source = SoundSource::at(FloorPosition { x: 1.0, y: 0.0 });
        assert_eq!(delivered(&mut source, still), []);
        let sound = [[1.0; CONTROL_BLOCK]; 2];
        source.hear(0..10, 0.5, &sound);
        source.hear(10..16, 0.5, &sound);
        let [first] = delivered(&mut source, still)[..] else { panic!("one part") };
        assert_eq!(first.0, 8.0);
        source.hear(4..16, 1.0, &sound);
        let fade = PlacementFade { to: Some((&far, GainRamp::at(0.25))), ..still };
        let [falling, rising] = delivered(&mut source, fade)[..] else { panic!("two parts") };
        assert_eq!((falling, rising.0), ((9.0, first.1), 3.0));
        assert!(rising.1 > falling.1 + 100);
        source.hear(0..16, 1.0, &sound);
        assert_eq!(delivered(&mut source, PlacementFade { from: &far, to: None }), [(16.0, rising.1)]);
        assert_eq!(delivered(&mut source, still), [], "each sound is delivered once");
    }

    #[test]
    fn what_is_not_finite_is_silence() {
        let mut source = SoundSource::at(FloorPosition { x: 0.0, y: 0.0 });
        source.hear(0..16, 1.0, &[[f64::NAN, f64::INFINITY, 1e30, -1e30].repeat(4).try_into().unwrap(); 2]);
        let fade = PlacementFade { from: &placement(4.0), to: None };
        source.deliver(fade, 48e3, |sound, _| assert_eq!(sound[..4], [0.0, 0.0, 1e6, -1e6]));
    }
}
