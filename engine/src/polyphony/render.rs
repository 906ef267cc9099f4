//! Rendering of all voices, and load shedding.
//!
//! Voices with hammers step together frame by frame, the others ring for the whole run. Load shedding removes obstacles and
//! hammers when even their least cost is too high, in one part or in all zones of a kit.

use std::ops::Range;
use std::slice;

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::context::RenderContext;
use crate::polyphony::excess::{Excess, LastObstacles};
use crate::polyphony::voice_cost_budget::FrameCost;
use crate::polyphony::voice_manager::{RenderState, StepOrder, VoiceManager};
use crate::voice::{StepReport, StepRequest, StepResources, Voice, first_removed};

/// Maximum number of removals by load shedding at once: each searches all hammers.
const MAX_REMOVALS: usize = 64;

impl VoiceManager {
    /// Begins the frames `run` of a control block, of which `context.frame` is the first, after the drive has processed its input: reserves and charges
    /// what is known of its cost.
    pub fn begin_run(&mut self, run: Range<usize>, context: &RenderContext) {
        self.active_voices.iter().for_each(|&i| self.voices[i].start_rendering(run.start));
        if run.start == 0 {
            self.limit_tension(context);
            self.balance_cost(context);
        }
    }

    /// Renders the frames `run` that have [begun](Self::begin_run). Overwrites `out` there.
    pub fn finish_run(&mut self, run: Range<usize>, context: &RenderContext, out: &mut StereoBlock) {
        self.begin_flights(run.start);
        for k in run.clone() {
            if !self.drive.is_pushing() && !self.awake().any(Voice::is_stepped) {
                break;
            }
            self.step_frame(k, run.start, &RenderContext { frame: context.frame + (k - run.start) as u64, ..*context });
        }
        let noise_gain = context.mallet_noise_gain();
        let mut next = 0;
        while let Some(i) = self.next_awake(next) {
            if !self.voices[i].ring_to(run.end, noise_gain, &mut self.render_state.step_scratch) {
                self.mute_invalid_voice(i, run.start);
            }
            next = i + 1;
        }
        if run.end == CONTROL_BLOCK {
            self.end_flights(context.frame + run.len() as u64);
        }
        self.sum_voices(run, out);
    }

    /// Lets hammers that stay apart from their bodies fly over a control block, at its beginning; later in it, hammers whose flight has been interrupted
    /// are stepped with the others.
    fn begin_flights(&mut self, start: usize) {
        let undriven = self.drive.is_idle();
        for &i in &self.active_voices {
            if start == 0 && undriven {
                self.voices[i].begin_flight();
            } else if self.voices[i].take_interruption() {
                self.render_state.order.clear();
            }
        }
    }

    /// Ends the flights at the end of a control block, before absolute frame `frame`, and removes the hammers that are clear of their bodies.
    fn end_flights(&mut self, frame: u64) {
        for &i in &self.active_voices {
            if self.voices[i].is_flying() {
                self.voices[i].discard_lookahead();
                self.render_state.budget.add_flight(CONTROL_BLOCK);
                let recorder = &mut self.recorder;
                self.voices[i].remove_finished(frame, |hammer| recorder.forget(i, hammer));
            }
        }
    }

    /// Begins and renders the frames `run`.
    #[cfg(test)]
    pub fn render(&mut self, run: Range<usize>, context: &RenderContext, out: &mut StereoBlock) {
        self.begin_run(run.clone(), context);
        self.finish_run(run, context, out);
    }

    /// Puts voice `i` to sleep, whose state is no longer finite; its output from frame `start` on is kept.
    fn mute_invalid_voice(&mut self, i: usize, start: usize) {
        let voice = &self.voices[i];
        self.render_state.tail.add_invalid(start, voice.rendered(), voice.output());
        if let Some(hi_hat) = self.voices[i].hi_hat_mut() {
            hi_hat.reset();
        }
        self.sleep(i);
    }

    /// Steps one frame of every voice with hammers, in falling order of the energy of their contacts: the first get the most of the
    /// cost that is left.
    fn step_frame(&mut self, offset: usize, start: usize, context: &RenderContext) {
        self.apply_drive(offset, context);
        // a launched hammer clears the order
        if offset == 0 || self.render_state.order.is_empty() {
            self.sort_by_contact_energy();
        }
        self.render_state.budget.begin(context.frame);
        self.render_state.exact_contacts.reclaim(&mut self.voices);
        let noise_gain = context.mallet_noise_gain();
        let voices = &self.voices;
        let least_of = |entry: &mut StepOrder| {
            entry.least = voices[entry.voice].least_cost();
            entry.least
        };
        let least: f32 = self.render_state.order.iter_mut().map(least_of).sum();
        let mut waiting = least;
        for turn in 0..self.render_state.order.len() {
            let StepOrder { voice: i, least: own, .. } = self.render_state.order[turn];
            let hammers = self.voices[i].active_count() as u32;
            if hammers == 0 {
                continue;
            }
            waiting -= own;
            let RenderState { budget, exact_contacts, odd_table, step_scratch, .. } = &mut self.render_state;
            let (cost_limit, cost_left) = (budget.share(waiting, least), budget.left());
            let (frame, rate) = (context.frame, context.rate);
            let request = StepRequest { voice: i, offset, frame, cost_limit, cost_left, noise_gain, rate };
            let recorder = &mut self.recorder;
            let mut resources = StepResources { exact_contacts, odd_table, recorder, step_scratch };
            let StepReport { substeps, cost, limited, finite } = self.voices[i].step(&request, &mut resources);
            budget.spend(FrameCost { hammers, substeps, cost, limited });
            if !finite {
                self.mute_invalid_voice(i, start);
                continue;
            }
            let recorder = &mut self.recorder;
            self.voices[i].remove_finished(frame, |hammer| recorder.forget(i, hammer));
        }
        let excess = self.render_state.budget.end(least);
        if excess.part > 0.0 {
            let removed = shed_load(slice::from_mut(self), excess);
            self.render_state.budget.add_removed(removed);
        }
        self.trace_drive();
    }

    /// Sorts the voices with hammers, at least once in a control block: by falling energy of their contacts, then by number.
    fn sort_by_contact_energy(&mut self) {
        let order = &mut self.render_state.order;
        order.clear();
        let with_hammers = self.active_voices.iter().copied().filter(|&i| self.voices[i].is_stepped());
        order.extend(with_hammers.map(|i| StepOrder { energy: self.voices[i].contact_energy(), voice: i, least: 0.0 }));
        order.sort_unstable_by(|a, b| b.energy.total_cmp(&a.energy).then(a.voice.cmp(&b.voice)));
    }

    /// Adds all voices in the order of their numbers, and the output of those that were cut off.
    fn sum_voices(&mut self, run: Range<usize>, out: &mut StereoBlock) {
        for (channel, sum) in out.iter_mut().enumerate() {
            let sum = &mut sum[run.clone()];
            self.render_state.tail.take_invalid(channel, run.clone(), sum);
            for &i in &self.active_voices {
                for (sum, x) in sum.iter_mut().zip(&self.voices[i].output()[channel][run.clone()]) {
                    *sum += x;
                }
            }
        }
        self.render_state.tail.add_ramps(run, out);
    }
}

/// Removes the hammers of `managers` that are in excess. First the voices with obstacles lose them until they are struck again,
/// the voice with the least energy first and a driven one last, but not the last of these voices; then hammers are removed, the weakest
/// first, but not those of the drive; at the end the obstacles of the last voice if they do not stay. Returns the number removed.
#[cold]
pub fn shed_load<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S], excess: Excess) -> u64 {
    let Excess { part, last } = excess;
    let hammers: usize = managers.iter().flat_map(|manager| manager.as_ref().awake()).map(Voice::active_count).sum();
    // the conversion saturates
    let excess = (hammers as f32 * part).ceil() as usize;
    let mut removed = 0;
    for _ in 0..MAX_REMOVALS {
        if removed >= excess {
            break;
        }
        match drop_quietest_obstacles(managers, LastObstacles::Stay) {
            0 if drop_weakest_hammer(managers) => removed += 1,
            0 => return (removed + drop_quietest_obstacles(managers, last)) as u64,
            obstacles => removed += obstacles,
        }
    }
    removed as u64
}

/// The voice with the least energy loses its obstacles, but those of the last with any only as `last` says. Returns their number.
fn drop_quietest_obstacles<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S], last: LastObstacles) -> usize {
    let mut owners: usize = 0;
    let voices = managers
        .iter()
        .enumerate()
        .flat_map(|(n, manager)| manager.as_ref().obstacle_owners().map(move |(rank, owner)| (rank, (n, owner))));
    let first = first_removed(voices.inspect(|_| owners += 1));
    match first.filter(|_| owners > 1 || last == LastObstacles::Leave) {
        Some((_, (n, owner))) => managers[n].as_mut().remove_obstacles(&owner),
        None => 0,
    }
}

/// Removes the weakest hammer. Returns whether there was one.
fn drop_weakest_hammer<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S]) -> bool {
    let hammers = managers.iter().enumerate().filter_map(|(n, manager)| {
        let (rank, hammer) = manager.as_ref().first_hammer()?;
        Some((rank, (n, hammer)))
    });
    let Some((_, (n, hammer))) = first_removed(hammers) else { return false };
    managers[n].as_mut().remove_candidate(&hammer);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{BodySpec, PreparedBody};
    use crate::context::ContextSetup;
    use crate::event::NoteId;
    use crate::modulation::SmoothedChanges;
    use crate::params::{HammerType, ParamId, ParamValues};
    use crate::patch::{built_in, factory_presets};

    const RATE: f64 = 48e3;

    fn setup(settings: ParamValues) -> ContextSetup {
        ContextSetup::new(settings, RATE)
    }

    fn manager(setup: &ContextSetup, voices: usize, modes: usize) -> VoiceManager {
        VoiceManager::new(setup.rate, voices, modes, PreparedBody::prepare(BodySpec::of(&setup.settings), &[], &[]))
    }

    /// More bristles than hammers: the last strike gets all of its bristles, the weakest of others are removed, and none is lost.
    #[test]
    fn weakest_hammers_are_removed_when_none_is_left() {
        let voices = 8;
        let mut settings = ParamValues::default();
        settings.set(ParamId::Striker, HammerType::Brush as usize as f64);
        let setup = setup(settings);
        let mut manager = manager(&setup, voices, 32);
        let (limit, spare) = (manager.pool.max_hammers(), manager.pool.spare_count());
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        for round in 0..40 {
            let key = 50 + (round * 3 % voices) as u8;
            let context = setup.at((round * CONTROL_BLOCK) as u64);
            manager.begin_control_block(SmoothedChanges::default(), 1.0, &context);
            manager.note_on(NoteId { voice: None, channel: 0, key }, 0.5, &context);
            let struck = manager.voices.iter().find(|voice| voice.is_awake() && voice.key() == key).unwrap();
            assert!(struck.hammer_count() >= 12, "{} of the twelve bristles", struck.hammer_count());
            manager.render(0..CONTROL_BLOCK, &context, &mut out);
            let count: usize = manager.voices.iter().map(|voice| voice.hammer_count()).sum();
            assert!(count <= limit, "{count}");
            assert!(round < 8 || count > limit / 2, "the pool runs empty: {count} of {limit}");
        }
        for i in 0..manager.voices.len() {
            manager.sleep(i);
        }
        assert_eq!(manager.pool.spare_count(), spare);
    }

    /// Strikes two keys and leaves the part `left` of the cost of a window; the state of both bodies after it.
    fn two_bodies(keys: [u8; 2], speeds: [f64; 2], left: f32) -> [Vec<f64>; 2] {
        let setup = setup(ParamValues::default());
        let mut manager = manager(&setup, 4, 32);
        for (key, speed) in keys.into_iter().zip(speeds) {
            manager.note_on(NoteId { voice: None, channel: 0, key }, speed, &setup.at(0));
        }
        manager.render_state.budget.leave(left);
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        for block in 0..4 {
            manager.render(0..CONTROL_BLOCK, &setup.at(block * CONTROL_BLOCK as u64), &mut out);
        }
        let body = |key| manager.voices.iter().find(|voice| voice.key() == key && voice.is_awake()).unwrap();
        keys.map(|key| body(key).collision().body().v.to_vec())
    }

    /// If the remaining cost is too low for both, the hard strike keeps its fine steps, whichever strike was first.
    #[test]
    fn hard_strike_gets_its_substeps_before_a_soft_one() {
        let [hard, soft] = two_bodies([60, 72], [3.0, 0.05], 1.0);
        let mut kept = Vec::new();
        for part in 0..24 {
            let left = part as f32 * 0.002;
            let [short_hard, short_soft] = two_bodies([60, 72], [3.0, 0.05], left);
            let [other_soft, other_hard] = two_bodies([72, 60], [0.05, 3.0], left);
            assert!(other_hard == short_hard && other_soft == short_soft, "whichever came first: {left}");
            kept.push((short_hard == hard, short_soft == soft));
        }
        assert_eq!(kept[0], (false, false));
        assert!(kept.contains(&(true, false)) && !kept.contains(&(false, true)), "{kept:?}");
    }

    /// More hammers than the budget allows even at their least cost: the weakest are removed until it does.
    #[test]
    fn weakest_hammers_are_removed_when_their_least_cost_is_too_much() {
        let mut settings = ParamValues::default();
        let params = [(ParamId::Modes, 64.0), (ParamId::Stiffness, 1e6), (ParamId::HammerMass, 1e-3), (ParamId::Hold, 50.0)];
        params.iter().for_each(|&(param, value)| settings.set(param, value));
        let setup = setup(settings);
        let mut manager = manager(&setup, 8, 64);
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        for block in 0..64 {
            let context = setup.at(block * CONTROL_BLOCK as u64);
            manager.begin_control_block(SmoothedChanges::default(), 1.0, &context);
            if block < 32 {
                let note = NoteId { voice: None, channel: 0, key: 40 + block as u8 % 4 };
                manager.note_on(note, 1.0 + block as f64, &context);
            }
            manager.render(0..CONTROL_BLOCK, &context, &mut out);
        }
        let totals = manager.cost_totals();
        assert!(totals.bound > 0 && totals.relieved > 0, "{totals:?}");
        let [before, most] = manager.render_state.budget.window_part();
        assert!(before <= 1.05 && most <= 1.15, "{before} {most}");
    }

    /// The last voice with obstacles keeps them, unless the cost has reached its upper limit.
    #[test]
    fn obstacles_of_the_last_voice_leave_only_at_the_upper_limit() {
        let mut settings = ParamValues::default();
        [(ParamId::Rattle, 2.0), (ParamId::RattleCount, 4.0)].iter().for_each(|&(param, value)| settings.set(param, value));
        let setup = setup(settings);
        let mut manager = manager(&setup, 4, 64);
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        for key in [60, 64] {
            manager.note_on(NoteId { voice: None, channel: 0, key }, 1.0, &setup.at(0));
        }
        manager.render(0..CONTROL_BLOCK, &setup.at(0), &mut out);
        let owners = |manager: &VoiceManager| manager.obstacle_owners().count();
        assert_eq!(owners(&manager), 2);
        for (last, left) in [(LastObstacles::Stay, 1), (LastObstacles::Leave, 0)] {
            shed_load(slice::from_mut(&mut manager), Excess { part: 1.0, last });
            assert_eq!(owners(&manager), left, "{last:?}");
        }
    }

    /// How a test renders a control block.
    #[derive(Clone, Copy, PartialEq)]
    enum Rendering {
        /// As always.
        Usual,
        /// With a change of the body after the fifth frame, which ends a flight.
        Interrupted,
        /// Frame by frame while there are hammers.
        Stepped,
    }

    /// What sounds beside a cymbal without being listened to.
    #[derive(Clone, Copy, PartialEq)]
    enum Beside {
        Nothing,
        /// The same cymbal, struck all the time.
        Cymbal,
    }

    /// A crash cymbal that stays as it is when the preset is fitted again, and that its stick does not graze: where it does, a change of the speed by 1e-8
    /// changes the sound by 2e-3, stepped or not.
    fn fixed_crash(settings: &mut ParamValues) {
        for (param, value) in [
            (ParamId::Stiffness, 8640.0),
            (ParamId::Damping, 0.36),
            (ParamId::HammerMass, 0.0583),
            (ParamId::SpeedLow, 0.411),
            (ParamId::SpeedHigh, 9.3),
            (ParamId::StrikePosition, 0.8),
            (ParamId::BodyMass, 0.801),
            (ParamId::Thickness, 0.000998),
            (ParamId::KnockLevel, -60.0),
            (ParamId::Cascade, 41.0),
            (ParamId::Decay, 34.0),
            (ParamId::Loss, 1.1e-5),
            (ParamId::Viscosity, 1.11e-9),
            (ParamId::FieldRadiation, 0.0228),
        ] {
            settings.set(param, value);
        }
    }

    /// The sound of the cymbal of a preset over 43 ms after a hard strike, and the number of control blocks in which stick and rivets have flown.
    fn cymbal(name: &str, beside: Beside, rendering: Rendering) -> (Vec<f64>, usize) {
        let mut settings = factory_presets::find(name).expect("a preset").settings;
        // both together cost less than the limit
        settings.set(ParamId::Density, 0.2);
        if name == "Crash Cymbal" {
            fixed_crash(&mut settings);
        }
        let setup = setup(settings);
        let mut manager = manager(&setup, 2, 4096);
        let strike = |key: u8| NoteId { voice: None, channel: 0, key };
        manager.note_on(strike(45), 6.0, &setup.at(0));
        let (mut sound, mut flown) = (Vec::new(), 0);
        for block in 0..128 {
            let mut out = [[0.0; CONTROL_BLOCK]; 2];
            let at = |frame: usize| setup.at((block * CONTROL_BLOCK + frame) as u64);
            manager.begin_control_block(SmoothedChanges::default(), 1.0, &at(0));
            if beside == Beside::Cymbal && block % 8 == 4 {
                manager.note_on(strike(57), 1.0, &at(0));
            }
            // rivets go on without the stick, which leaves their thinner cymbal sooner
            assert!(name == "Sizzle Cymbal" || manager.voices[0].hammer_count() == 1);
            match rendering {
                Rendering::Usual => manager.render(0..CONTROL_BLOCK, &at(0), &mut out),
                Rendering::Interrupted => {
                    manager.render(0..5, &at(0), &mut out);
                    flown += usize::from(manager.voices[0].is_flying());
                    manager.voices[0].discard_lookahead();
                    manager.render(5..CONTROL_BLOCK, &at(5), &mut out);
                }
                Rendering::Stepped => {
                    manager.begin_run(0..CONTROL_BLOCK, &at(0));
                    (0..CONTROL_BLOCK).for_each(|frame| manager.step_frame(frame, 0, &at(frame)));
                    manager.sum_voices(0..CONTROL_BLOCK, &mut out);
                }
            }
            flown += usize::from(manager.voices[0].has_flown());
            sound.extend(manager.voices[0].output()[0]);
        }
        (sound, flown)
    }

    /// A stick that flies beside a ringing cymbal strikes it again as if it had been stepped frame by frame, also where an event ends its flight; and so do
    /// rivets.
    #[test]
    fn flights_are_as_steps() {
        for (name, beside, least) in [("Crash Cymbal", Beside::Cymbal, 105), ("Sizzle Cymbal", Beside::Nothing, 90)] {
            let (stepped, none) = cymbal(name, beside, Rendering::Stepped);
            assert_eq!(none, 0);
            let peak = stepped.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            for rendering in [Rendering::Usual, Rendering::Interrupted] {
                let (sound, flown) = cymbal(name, beside, rendering);
                let apart = sound.iter().zip(&stepped).map(|(a, b)| (a - b).abs() / peak).fold(0.0, f64::max);
                println!("{name}: {flown} of 128 control blocks, {apart:e}");
                assert!(flown > least && apart < 1e-6, "{name}: {flown} {apart:e}");
            }
        }
    }

    /// Mean frequency [Hz] of the energy of the Crash Cymbal at several times after a strike with `velocity`, at `rate` [Hz].
    fn mean_frequencies(velocity: f64, rate: f64) -> [f64; 6] {
        let crash = built_in().find(|patch| patch.name == "Crash Cymbal").expect("a preset");
        let setup = ContextSetup::new(crash.settings, rate);
        let mut manager = manager(&setup, 1, 4096);
        manager.note_on(NoteId { voice: None, channel: 0, key: 45 }, velocity, &setup.at(0));
        let (mut out, mut block) = ([[0.0; CONTROL_BLOCK]; 2], 0);
        [0.02, 0.06, 0.1, 0.2, 0.3, 0.6].map(|time| {
            while ((block * CONTROL_BLOCK) as f64) < time * rate {
                let context = setup.at((block * CONTROL_BLOCK) as u64);
                manager.begin_control_block(SmoothedChanges::default(), 1.0, &context);
                manager.render(0..CONTROL_BLOCK, &context, &mut out);
                block += 1;
            }
            let voice = &mut manager.voices[0];
            voice.sync_state();
            let collision = voice.collision();
            let energy = |i: usize, omega: f64| {
                let (q, v) = collision.state(i);
                v * v + (omega * q).powi(2)
            };
            let of = |power: i32| -> f64 {
                collision.modes().iter().enumerate().map(|(i, mode)| mode.omega.powi(power) * energy(i, mode.omega)).sum()
            };
            of(1) / (of(0) * std::f64::consts::TAU)
        })
    }

    /// Strikes of an average, and the part of the velocity by which each is softer than the one before.
    const STRIKES: u32 = 8;
    const SOFTER: f64 = 0.02;

    /// The means of [`mean_frequencies`] over several strikes, of which the hardest has the velocity `hardest`. The stick touches the cymbal several
    /// times, at other moments at each rate, which changes the frequencies after a single strike by up to 1.6 %.
    fn mean_frequencies_of_strikes(hardest: f64, rate: f64) -> [f64; 6] {
        let mut means = [0.0; 6];
        for strike in 0..STRIKES {
            let found = mean_frequencies(hardest * (1.0 - SOFTER * f64::from(strike)), rate);
            means.iter_mut().zip(found).for_each(|(mean, found)| *mean += found / f64::from(STRIKES));
        }
        means
    }

    /// The exchange between bands does not depend on the sample rate, nor on the modes that are reversed at random.
    #[test]
    fn energy_of_a_crash_rises_alike_at_any_rate() {
        for velocity in [90.0 / 127.0, 1.0] {
            let expected = mean_frequencies_of_strikes(velocity, 96e3);
            assert!(expected[4] > 1.5 * expected[0], "{expected:.0?}");
            for rate in [44.1e3, 48e3] {
                let found = mean_frequencies_of_strikes(velocity, rate);
                let apart =
                    found.iter().zip(expected).map(|(found, expected)| (found / expected - 1.0).abs()).fold(0.0, f64::max);
                println!("{velocity:.2}, {rate} Hz: {found:.0?}, at 96 kHz {expected:.0?}: {apart:.4}");
                assert!(apart < 0.008, "{rate} Hz, {velocity:.2}: {found:.0?}, at 96 kHz {expected:.0?}");
            }
        }
    }
}
