//! The stage of microphones and room: its parameters, and what it adds to the close sound on the main output.

use std::ops::Range;

use crate::block::{CONTROL_BLOCK, StereoBlock, amplitude};
use crate::modulation::ParamSmoother;
use crate::params::{ParamId, ParamValues, RoomType};
use crate::patch::FloorPosition;
use crate::room::arrival_buffer::ArrivalBuffer;
use crate::room::gain_ramp::GainRamp;
use crate::room::microphones::PairPlacement;
use crate::room::reverberation::Reverberation;
use crate::room::room_acoustics::RoomAcoustics;
use crate::room::sound_source::{Placement, PlacementFade, SoundSource};
use urto_physics::radiation::SOUND;

/// Time in which a room fades out before another one begins [s].
const FADE_TIME: f64 = 0.01;

/// Size at the output at which the reverberation has ended: 160 dB below full scale.
const OUTPUT_FLOOR: f64 = 1e-8;

/// Largest distance of a sound from the middle of the instrument in one direction [m], its own and that of the instrument together.
const FARTHEST_SOUND: f64 = 8.0;

/// Time in which microphones and instrument change their positions: sound fades over to the new paths [s].
const MOVE_TIME: f64 = 0.02;

/// The smoothed parameters: first the levels that move from silence when the stage is turned on.
const PARAMS: [ParamId; 5] =
    [ParamId::CloseLevel, ParamId::OverheadLevel, ParamId::FarLevel, ParamId::RoomLevel, ParamId::RoomDecay];

/// Number of the levels among them.
const LEVELS: usize = 3;

/// What a control block begins with.
#[derive(Clone, Copy, Debug)]
pub struct BlockStart {
    /// Share of the remaining distance that smoothers cover, as that of [`crate::modulation::ParamSmoothers`].
    pub step: f64,
    /// Output level (a factor).
    pub level: f64,
}

/// A pair of microphones, and what arrives left and right.
struct MicrophonePair {
    /// Gain of what sets out to it, so that a pair that is turned on hears no sound that begins at once.
    gain: GainRamp,
    arrivals: [ArrivalBuffer; 2],
}

impl MicrophonePair {
    fn new(longest: usize) -> Self {
        Self { gain: GainRamp::at(0.0), arrivals: [ArrivalBuffer::new(longest), ArrivalBuffer::new(longest)] }
    }

    /// Whether it hears and plays nothing.
    fn is_off(&self) -> bool {
        self.gain.is_off() && self.is_silent()
    }

    fn is_silent(&self) -> bool {
        self.arrivals.iter().all(ArrivalBuffer::is_empty)
    }

    /// Adds its sound in the control block that begins.
    fn add_to(&mut self, sum: &mut StereoBlock) {
        for (sum, arrivals) in sum.iter_mut().zip(&mut self.arrivals) {
            if !arrivals.is_empty() {
                sum.iter_mut().zip(arrivals.take()).for_each(|(sum, x)| *sum += x);
            }
        }
    }
}

/// Microphones and room of an engine.
pub struct RoomStage {
    rate: f64,
    smoothers: [ParamSmoother; PARAMS.len()],
    close: GainRamp,
    overhead: MicrophonePair,
    far: MicrophonePair,
    reverberation: Reverberation,
    /// The room that is heard.
    room: RoomType,
    /// Its gain, 1 to 0 before another room begins.
    fade: f64,
    room_gain: GainRamp,
    /// Gain of what sets out to its walls, which rises once it has begun.
    send: GainRamp,
    placement: Placement,
    /// The placement that follows, with the gain of what sets out to it.
    next_placement: Option<(Placement, GainRamp)>,
    /// Sound of microphones and room in this control block.
    sound: StereoBlock,
    /// Whether anything differs from the close sound.
    is_on: bool,
    /// Whether no parameter moves.
    is_settled: bool,
}

impl RoomStage {
    /// At rest with the parameters `settings`, at `rate` [Hz]. Allocates for the largest distances and the largest room.
    pub fn new(rate: f64, settings: &ParamValues) -> Self {
        let longest = |distance: ParamId, spacing: ParamId| {
            let half = 0.5 * spacing.spec().max + FARTHEST_SOUND;
            let away = half.hypot(distance.spec().max + FARTHEST_SOUND);
            (away / SOUND * rate).ceil() as usize + CONTROL_BLOCK
        };
        let mut stage = Self {
            rate,
            smoothers: PARAMS.map(|id| ParamSmoother::at(id.spec(), id.spec().default)),
            close: GainRamp::UNITY,
            overhead: MicrophonePair::new(longest(ParamId::OverheadHeight, ParamId::OverheadSpacing)),
            far: MicrophonePair::new(longest(ParamId::FarDistance, ParamId::FarSpacing)),
            reverberation: Reverberation::new(rate),
            room: RoomType::Off,
            fade: 1.0,
            room_gain: GainRamp::at(0.0),
            send: GainRamp::UNITY,
            placement: placement(settings, RoomType::Off),
            next_placement: None,
            sound: [[0.0; CONTROL_BLOCK]; 2],
            is_on: false,
            is_settled: true,
        };
        stage.jump(settings);
        stage
    }

    /// Removes all sound; at rest with the parameters `settings`.
    pub fn reset(&mut self, settings: &ParamValues) {
        let pairs = [&mut self.overhead, &mut self.far];
        pairs.into_iter().flat_map(|pair| &mut pair.arrivals).for_each(ArrivalBuffer::clear);
        self.reverberation.clear();
        self.is_on = true;
        self.jump(settings);
    }

    /// Whether nothing sounds in it.
    pub fn is_silent(&self) -> bool {
        let is_empty = || self.overhead.is_silent() && self.far.is_silent() && self.reverberation.is_silent();
        !self.is_on || (self.sound.as_flattened().iter().all(|x| *x == 0.0) && is_empty())
    }

    /// Whether nothing sounds and no parameter moves.
    pub fn is_still(&self) -> bool {
        !self.is_on || (self.is_settled && self.is_silent())
    }

    /// Whether it needs the sound of sources.
    pub fn hears(&self) -> bool {
        self.is_on && !(self.overhead.gain.is_off() && self.far.gain.is_off() && self.room == RoomType::Off)
    }

    /// Time after which a sound that has ended has fallen by 60 dB [s], as far as the room prolongs it.
    pub fn tail(&self) -> f64 {
        self.reverberation.decay_time()
    }

    /// Sets the parameters without smoothing; for a stage in which nothing sounds.
    pub fn jump(&mut self, settings: &ParamValues) {
        if !self.is_on && !turns_on(settings) {
            return;
        }
        for (smoother, id) in self.smoothers.iter_mut().zip(PARAMS) {
            *smoother = ParamSmoother::at(id.spec(), settings.get(id));
        }
        (self.room, self.fade) = (settings.room_type(), 1.0);
        self.reverberation.enter(self.room, self.value(ParamId::RoomDecay));
        (self.placement, self.next_placement) = (placement(settings, self.room), None);
        let [close, overhead, far, room] = self.gains().map(GainRamp::at);
        (self.close, self.overhead.gain, self.far.gain, self.room_gain) = (close, overhead, far, room);
        self.send = GainRamp::UNITY;
        self.sound = [[0.0; CONTROL_BLOCK]; 2];
        self.is_on = self.is_needed();
        self.is_settled = true;
    }

    /// Begins a control block: moves the parameters towards `settings` and computes the sound of microphones and room.
    pub fn begin_block(&mut self, settings: &ParamValues, start: BlockStart) {
        if !self.is_on {
            if !turns_on(settings) {
                return;
            }
            for (smoother, id) in self.smoothers.iter_mut().zip(PARAMS).skip(LEVELS) {
                *smoother = ParamSmoother::at(id.spec(), settings.get(id));
            }
            self.placement = placement(settings, self.room);
        }
        for (smoother, id) in self.smoothers.iter_mut().zip(PARAMS) {
            smoother.tick(id.spec(), settings.get(id), start.step);
        }
        self.is_settled = false;
        self.change_room(settings);
        self.change_placement(settings);
        self.reverberation.set_decay_scale(self.value(ParamId::RoomDecay));
        let gains = self.gains();
        let ramps = [&mut self.close, &mut self.overhead.gain, &mut self.far.gain, &mut self.room_gain];
        ramps.into_iter().zip(gains).for_each(|(ramp, gain)| ramp.move_to(gain));
        self.render(OUTPUT_FLOOR / start.level.clamp(1e-3, 1e3));
        self.is_on = self.is_needed();
    }

    /// Computes the sound of microphones and room in the control block that begins. The reverberation rests once it is smaller than `floor`.
    fn render(&mut self, floor: f64) {
        self.sound = [[0.0; CONTROL_BLOCK]; 2];
        self.overhead.add_to(&mut self.sound);
        self.far.add_to(&mut self.sound);
        if self.room == RoomType::Off {
            return;
        }
        let room = self.reverberation.process(floor);
        for (sum, room) in self.sound.iter_mut().zip(&room) {
            sum.iter_mut().zip(room).enumerate().for_each(|(n, (sum, x))| *sum += self.room_gain.gain(n) * x);
        }
    }

    /// Takes what a source has sounded in the control block that ends; call this for each if the stage [hears](Self::hears).
    pub fn collect(&mut self, source: &mut SoundSource) {
        let Self { overhead, far, reverberation, send, placement, next_placement, rate, .. } = self;
        let to = next_placement.as_ref().map(|(placement, gain)| (placement, *gain));
        source.deliver(PlacementFade { from: placement, to }, *rate, |sound, paths| {
            for (pair, paths) in [(&mut *overhead, paths.overhead), (&mut *far, paths.far)] {
                if pair.gain.is_off() {
                    continue;
                }
                let sound = &pair.gain.apply(sound);
                for (arrivals, path) in pair.arrivals.iter_mut().zip(paths) {
                    for (k, weight) in path.weights.into_iter().enumerate() {
                        arrivals.add(sound, path.delay + k, weight);
                    }
                }
            }
            if let Some(reflected) = &paths.reflected {
                reverberation.add(&send.apply(sound), reflected);
            }
        });
    }

    /// Turns the close sound in the frames `run` of the control block into that of all microphones.
    pub fn mix(&self, run: Range<usize>, close: &mut StereoBlock) {
        if !self.is_on {
            return;
        }
        for (close, sound) in close.iter_mut().zip(&self.sound) {
            for n in run.clone() {
                close[n] = self.close.gain(n) * close[n] + sound[n];
            }
        }
    }

    /// The part of [`mix`](Self::mix) that the close microphones hear.
    pub fn scale_close(&self, run: Range<usize>, close: &mut StereoBlock) {
        if self.is_on {
            close.iter_mut().for_each(|close| run.clone().for_each(|n| close[n] *= self.close.gain(n)));
        }
    }

    /// Adds the part of it that the other microphones and the room hear.
    pub fn add_distant(&self, run: Range<usize>, sum: &mut StereoBlock) {
        if self.is_on {
            sum.iter_mut().zip(&self.sound).for_each(|(sum, sound)| run.clone().for_each(|n| sum[n] += sound[n]));
        }
    }

    /// Fades the room out until another one can begin.
    fn change_room(&mut self, settings: &ParamValues) {
        let next = settings.room_type();
        self.send.move_to((self.send.end() + self.share_of(FADE_TIME)).min(1.0));
        if next == self.room {
            self.fade = (self.fade + self.share_of(FADE_TIME)).min(1.0);
            return;
        }
        self.fade = (self.fade - self.share_of(FADE_TIME)).max(0.0);
        if self.room_gain.is_off() || self.reverberation.is_silent() {
            self.reverberation.enter(next, self.value(ParamId::RoomDecay));
            (self.room, self.fade, self.send) = (next, 1.0, GainRamp::at(0.0));
            self.placement.room = RoomAcoustics::of(next);
            if let Some((placement, _)) = &mut self.next_placement {
                placement.room = RoomAcoustics::of(next);
            }
        }
    }

    /// Moves microphones and instrument to the positions of `settings`, once the last move has ended.
    fn change_placement(&mut self, settings: &ParamValues) {
        let step = self.share_of(MOVE_TIME);
        self.next_placement = match self.next_placement.take() {
            Some((placement, gain)) if gain.end() == 1.0 => {
                self.placement = placement;
                None
            }
            Some((placement, mut gain)) => {
                gain.move_to((gain.end() + step).min(1.0));
                Some((placement, gain))
            }
            None => None,
        };
        let wanted = placement(settings, self.room);
        if self.next_placement.is_none() && wanted != self.placement {
            let mut gain = GainRamp::at(0.0);
            gain.move_to(step.min(1.0));
            self.next_placement = Some((wanted, gain));
        }
    }

    /// Share of a time [s] that a control block takes.
    fn share_of(&self, time: f64) -> f64 {
        CONTROL_BLOCK as f64 / (time * self.rate)
    }

    /// Gains of the close pair, the overhead pair, the far pair and the room.
    fn gains(&self) -> [f64; 4] {
        let room = if self.room == RoomType::Off { 0.0 } else { self.fade * self.gain(ParamId::RoomLevel) };
        [self.gain(ParamId::CloseLevel), self.gain(ParamId::OverheadLevel), self.gain(ParamId::FarLevel), room]
    }

    fn value(&self, id: ParamId) -> f64 {
        PARAMS.iter().position(|&param| param == id).map_or(f64::NAN, |i| self.smoothers[i].value())
    }

    /// Factor of a level; 0 at its minimum.
    fn gain(&self, id: ParamId) -> f64 {
        let level = self.value(id);
        if level > id.spec().min { amplitude(level) } else { 0.0 }
    }

    /// Whether the sound differs from the close sound.
    fn is_needed(&self) -> bool {
        let is_plain = self.close == GainRamp::UNITY && self.overhead.is_off() && self.far.is_off();
        !is_plain || self.room != RoomType::Off || self.sound != [[0.0; CONTROL_BLOCK]; 2]
    }
}

/// Whether `settings` need a stage that is off.
fn turns_on(settings: &ParamValues) -> bool {
    let is_heard = |id: ParamId| settings.get(id) > id.spec().min;
    settings.get(ParamId::CloseLevel) != ParamId::CloseLevel.spec().default
        || is_heard(ParamId::OverheadLevel)
        || is_heard(ParamId::FarLevel)
        || settings.room_type() != RoomType::Off
}

/// Positions of microphones and instrument, and the room.
fn placement(settings: &ParamValues, room: RoomType) -> Placement {
    let pair = |distance, spacing| PairPlacement { distance: settings.get(distance), spacing: settings.get(spacing) };
    Placement {
        overhead: pair(ParamId::OverheadHeight, ParamId::OverheadSpacing),
        far: pair(ParamId::FarDistance, ParamId::FarSpacing),
        instrument: FloorPosition { x: settings.get(ParamId::InstrumentX), y: settings.get(ParamId::InstrumentY) },
        room: RoomAcoustics::of(room),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48e3;
    const START: BlockStart = BlockStart { step: 0.05, level: 1.0 };

    fn settings(params: &[(ParamId, f64)]) -> ParamValues {
        let mut settings = ParamValues::default();
        params.iter().for_each(|&(param, value)| settings.set(param, value));
        settings
    }

    /// The output of the stage over one control block of a steady sound.
    fn block(stage: &mut RoomStage, source: &mut SoundSource, settings: &ParamValues) -> StereoBlock {
        stage.begin_block(settings, START);
        let mut sound = [std::array::from_fn(|n| 0.1 + 0.01 * n as f64); 2];
        if stage.hears() {
            source.hear(0..CONTROL_BLOCK, 1.0, &sound);
        }
        stage.mix(0..CONTROL_BLOCK, &mut sound);
        if stage.hears() {
            stage.collect(source);
        }
        sound
    }

    /// Neither before it was on nor after the last sound has arrived.
    #[test]
    fn a_stage_that_is_off_hears_nothing() {
        let off = settings(&[(ParamId::FarDistance, 9.0), (ParamId::RoomDecay, 2.0)]);
        let mut stage = RoomStage::new(RATE, &off);
        let mut source = SoundSource::at(FloorPosition::default());
        let plain = block(&mut stage, &mut source, &off);
        assert!(!stage.is_on && stage.is_still() && plain[0][3] == 0.13);
        let on = settings(&[(ParamId::FarLevel, 0.0), (ParamId::RoomType, 1.0)]);
        let heard = (0..400).map(|_| block(&mut stage, &mut source, &on)).last().expect("blocks");
        assert!(stage.hears() && heard != plain);
        for _ in 0..1_000 {
            block(&mut stage, &mut source, &off);
        }
        assert!(!stage.is_on && !stage.hears() && stage.is_still());
        assert_eq!(block(&mut stage, &mut source, &off), plain);
        assert!(stage.far.is_silent() && stage.reverberation.is_silent());
    }

    /// A pair of microphones is loudest once its sound has arrived, and moves to its level without a step.
    #[test]
    fn a_pair_that_is_turned_on_rises_from_silence() {
        let mut stage = RoomStage::new(RATE, &settings(&[]));
        let mut source = SoundSource::at(FloorPosition::default());
        let far = settings(&[(ParamId::FarLevel, 0.0), (ParamId::FarSpacing, 0.0), (ParamId::FarDistance, 1.716)]);
        let (mut last, mut largest) = (0.0, 0.0_f64);
        for _ in 0..400 {
            let heard = block(&mut stage, &mut source, &far);
            let added = heard[0][15] - 0.25;
            largest = largest.max((added - last).abs());
            last = added;
        }
        // each control block of the sound is the same; 240 frames are 15 of them
        assert!((last - 0.25 / 1.716).abs() < 1e-9, "{last}");
        assert!(largest < 0.02, "{largest}");
    }
}
