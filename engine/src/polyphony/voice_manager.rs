//! All voices of one sound, and the resources they share.

use crate::block::CONTROL_BLOCK;
use crate::body::{BodyScratch, BodySlots, PreparedBody};
use crate::drive::HammerDrive;
use crate::event::NoteId;
use crate::hi_hat::{HiHat, PedalSetting};
use crate::midi::{EndedNotes, Rng};
use crate::modulation::NoteModulators;
use crate::params::{ParamId, ParamValues};
use crate::patch::ChokeGroups;
use crate::polyphony::cost_totals::CostTotals;
use crate::polyphony::output_tail::OutputTail;
use crate::polyphony::voice_cost_budget::VoiceCostBudget;
use crate::telemetry::{BodyMotion, EnergyBalanceReport, HitPulse, HitRecorder, StiffeningReading};
use crate::voice::{ExactContactPool, MAX_HAMMERS, RemovalRank, StepScratch, Voice, capacity, first_removed};
use urto_physics::modal::StepTable;
use urto_physics::solver::{Collision, Hammer};

/// Number of hammers in addition to one for each voice.
const EXTRA_HAMMERS: usize = 32;

/// Maximum number of obstacles on all voices.
pub const MAX_OBSTACLES: usize = 64;

/// A voice with hammers in the order in which they step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepOrder {
    /// Energy of its contacts [J].
    pub energy: f64,
    /// Number of the voice.
    pub voice: usize,
    /// Least cost of the voice in the present frame.
    pub least: f32,
}

/// Resources that the voices share while they render.
pub(super) struct RenderState {
    /// Cost left for contacts. Boxed, since the zones of a kit exchange theirs in every control block.
    pub budget: Box<VoiceCostBudget>,
    pub exact_contacts: ExactContactPool,
    /// Step table for odd lengths; one at a time is enough.
    pub odd_table: StepTable,
    /// Scratch of renderings of several steps of the exchange between bands.
    pub step_scratch: StepScratch,
    /// Voices with hammers in the order in which they step; empty when it has to be renewed.
    pub order: Vec<StepOrder>,
    /// Output of voices that were cut off.
    pub tail: OutputTail,
    /// The last frame at which potentials cost too much.
    pub reduced_at: u64,
}

/// Fixed limits of a [`VoiceManager`].
#[derive(Clone, Copy, Debug)]
pub(super) struct VoiceLimits {
    /// Maximum number of voices that play.
    pub voices: usize,
    /// Sample rate [Hz].
    pub rate: f64,
    /// Duration of a control block [s].
    pub block_time: f64,
}

/// The voices, and the bodies and hammers that they share.
pub struct VoiceManager {
    pub(super) limits: VoiceLimits,
    /// The voices; more than may play, so that stolen ones can fade.
    pub(super) voices: Vec<Voice>,
    /// Numbers of the voices that are awake, rising: the others are skipped.
    pub(super) active_voices: Vec<usize>,
    /// The bodies that they sound with.
    pub(super) bodies: BodySlots,
    pub(super) drive: HammerDrive,
    pub(super) recorder: HitRecorder,
    /// Notes whose sound has ended.
    pub(super) ended: EndedNotes,
    pub(super) choke_groups: ChokeGroups,
    pub(super) render_state: RenderState,
    pub(super) rng: Rng,
    /// Hammers that no voice uses.
    pub(super) pool: HammerPool,
    /// Room to compute weights and modes.
    pub(super) scratch: BodyScratch,
    /// Number of retunings since the last reset.
    pub(super) retune_count: u64,
    /// Number of updates of dense weights since the last reset.
    pub(super) weights_count: u64,
    /// Average cost per frame of the ringing of dense bodies, in samples of one reference resonator.
    pub(super) ringing_cost: f32,
    /// Number of the last note.
    pub(super) serial: u32,
    /// The modulation of each voice.
    pub(super) modulators: Vec<NoteModulators>,
    /// Random numbers of modulation.
    pub(super) modulation_rng: Rng,
    /// The voice that was struck last.
    pub(super) last_voice: usize,
    /// Parameters of hammers have moved since their last update.
    pub(super) hammers_outdated: bool,
    /// Where the pedal of a hi-hat was last.
    pub(super) pedal: PedalSetting,
}

impl VoiceManager {
    /// `voices` voices of up to `modes` modes with `body`, at `rate` [Hz]; allocates.
    pub fn new(rate: f64, voices: usize, modes: usize, body: Box<PreparedBody>) -> Self {
        let all = voices + (voices / 4).clamp(4, 16);
        Self {
            limits: VoiceLimits { voices, rate, block_time: CONTROL_BLOCK as f64 / rate },
            voices: (0..all).map(|_| Voice::new(rate, modes + 1)).collect(),
            active_voices: Vec::with_capacity(all),
            bodies: BodySlots::new(body),
            drive: HammerDrive::new(&ParamValues::default(), rate),
            recorder: HitRecorder::default(),
            ended: EndedNotes::new(),
            choke_groups: ChokeGroups::default(),
            render_state: RenderState {
                budget: Box::default(),
                exact_contacts: ExactContactPool::default(),
                odd_table: StepTable::with_capacity(modes + 1),
                step_scratch: StepScratch::new(modes + 1),
                order: Vec::with_capacity(all),
                tail: OutputTail::new(rate),
                reduced_at: 0,
            },
            rng: Rng::default(),
            pool: HammerPool::new(rate, all, modes + 1),
            scratch: BodyScratch::new(modes + 1),
            retune_count: 0,
            weights_count: 0,
            ringing_cost: 0.0,
            serial: 0,
            modulators: vec![NoteModulators::default(); all],
            modulation_rng: Rng::default(),
            last_voice: 0,
            hammers_outdated: false,
            pedal: PedalSetting::default(),
        }
    }

    /// Sets everything to rest.
    pub fn reset(&mut self, settings: &ParamValues) {
        for i in 0..self.voices.len() {
            self.sleep(i);
            // cost that has not been counted yet would be charged to the next notes
            self.voices[i].take_ringing_cost();
        }
        self.bodies.hi_hats().for_each(HiHat::reset);
        self.pedal = PedalSetting::at_rest(settings);
        self.ended.clear();
        self.recorder.reset();
        self.drive.reset(settings, self.limits.rate);
        *self.render_state.budget = VoiceCostBudget::default();
        self.render_state.exact_contacts.reset(&mut self.voices);
        self.reseed(settings);
        self.render_state.tail.reset();
        self.render_state.reduced_at = 0;
        self.ringing_cost = 0.0;
        (self.retune_count, self.weights_count, self.serial) = (0, 0, 0);
        self.modulators.fill(NoteModulators::default());
        (self.last_voice, self.hammers_outdated) = (0, false);
    }

    /// How often the weights of pickups have been computed for something new.
    #[cfg(test)]
    pub fn pickup_changes(&self) -> u64 {
        self.scratch.pickup_inputs.number()
    }

    /// Restarts all random numbers from the patch's seed.
    pub fn reseed(&mut self, settings: &ParamValues) {
        let seed = settings.get(ParamId::HumanSeed) as u64;
        self.rng = Rng::seeded(seed);
        self.modulation_rng = Rng::seeded(!seed);
        self.drive.reseed(settings);
    }

    /// The voices that are awake.
    pub fn awake(&self) -> impl Iterator<Item = &Voice> {
        self.active_voices.iter().map(|&i| &self.voices[i])
    }

    /// The voices that are awake, with their numbers.
    pub fn numbered_awake(&self) -> impl Iterator<Item = (usize, &Voice)> {
        self.active_voices.iter().map(|&i| (i, &self.voices[i]))
    }

    /// Voice number `i`.
    pub fn voice(&self, i: usize) -> &Voice {
        &self.voices[i]
    }

    /// Sets whether voice number `i` stays awake although it is silent.
    pub fn keep_awake(&mut self, i: usize, is_kept: bool) {
        self.voices[i].keep_awake(is_kept);
    }

    /// Charges the budget with a cost other than that of hammers, at frame `frame`.
    pub fn charge(&mut self, frame: u64, cost: f32) {
        if cost > 0.0 {
            self.render_state.budget.begin(frame);
            self.render_state.budget.charge(cost);
        }
    }

    /// Least cost of a frame of all voices with hammers, in samples of one mode of the reference resonator.
    pub fn least_cost(&self) -> f32 {
        self.awake().map(Voice::least_cost).sum()
    }

    /// Number of active voices.
    pub fn active_count(&self) -> usize {
        self.active_voices.len()
    }

    /// Whether nothing sounds.
    pub fn is_asleep(&self) -> bool {
        self.active_voices.is_empty() && self.render_state.tail.is_silent()
    }

    /// Whether a voice sounds that `id` struck.
    pub fn has_note(&self, id: NoteId) -> bool {
        self.awake().any(|voice| voice.notes().contains(id))
    }

    /// The bodies in use.
    pub fn bodies(&self) -> &BodySlots {
        &self.bodies
    }

    /// The bodies in use, to be exchanged.
    pub fn bodies_mut(&mut self) -> &mut BodySlots {
        &mut self.bodies
    }

    /// The drive.
    pub fn drive(&self) -> &HammerDrive {
        &self.drive
    }

    /// The drive, mutable.
    pub fn drive_mut(&mut self) -> &mut HammerDrive {
        &mut self.drive
    }

    /// Sets the keys that choke each other from the next strike on.
    pub fn set_choke_groups(&mut self, groups: &ChokeGroups) {
        self.choke_groups = *groups;
    }

    /// About what all voices without hammers cost in this control block, in samples of one reference resonator.
    pub fn expected_ringing_cost(&self) -> f32 {
        self.awake().map(Voice::expected_ringing_cost).sum()
    }

    /// Sets the cost budget of a zone of a kit.
    pub fn set_budget(&mut self, budget: VoiceCostBudget) {
        *self.render_state.budget = budget;
    }

    /// Its cost budget.
    pub fn budget(&self) -> &VoiceCostBudget {
        &self.render_state.budget
    }

    /// The costs of its budget since the last call, but for the largest ones.
    pub fn take_cost_totals(&mut self) -> CostTotals {
        self.render_state.budget.take_totals()
    }

    /// Exchanges the cost budget, which the zones of a kit share.
    pub fn swap_budget(&mut self, budget: &mut Box<VoiceCostBudget>) {
        std::mem::swap(&mut self.render_state.budget, budget);
    }

    /// Cost of all hammers since the last reset.
    pub fn cost_totals(&self) -> CostTotals {
        self.render_state.budget.totals()
    }

    /// A note whose sound has ended or was stolen, each once, oldest first.
    pub fn next_ended(&mut self) -> Option<NoteId> {
        self.ended.pop()
    }

    /// The last finished contact since the last call.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        self.recorder.take().or_else(|| {
            let (key, hit) = self.voices.iter_mut().find_map(|voice| Some((voice.key(), voice.hi_hat_mut()?.take_hit()?)))?;
            Some(self.recorder.count(key, hit))
        })
    }

    /// Energy [J] of all bodies, hammers and contacts.
    pub fn energies(&self) -> impl Iterator<Item = f64> + '_ {
        self.voices.iter().filter(|voice| voice.is_awake()).map(Voice::energy)
    }

    /// Starts the energy balance of every voice (for tests; slower, allocates).
    pub fn enable_energy_balance(&mut self) {
        self.voices.iter_mut().for_each(|voice| voice.collision_mut().enable_energy_balance());
        let played = self.voices.iter_mut().filter_map(Voice::hi_hat_mut);
        played.chain(self.bodies.hi_hats()).for_each(HiHat::enable_energy_balance);
    }

    /// The largest errors of all energy balances.
    pub fn energy_balance(&self) -> EnergyBalanceReport {
        let balances = self.voices.iter().filter_map(|voice| voice.collision().energy_balance());
        let played = self.voices.iter().filter_map(Voice::hi_hat);
        let of_hi_hats = played.chain(self.bodies.resting_hi_hats()).filter_map(|hi_hat| hi_hat.network().energy_balance());
        balances.chain(of_hi_hats).map(EnergyBalanceReport::of).fold(EnergyBalanceReport::default(), EnergyBalanceReport::larger)
    }

    /// Frame of the last strike of the voices awake; 0 without any.
    pub fn last_strike(&self) -> u64 {
        self.awake().map(Voice::last_strike).max().unwrap_or(0)
    }

    /// How far the bodies have stiffened since the last call, at most.
    pub fn take_stiffening(&mut self) -> StiffeningReading {
        let voices = self.voices.iter_mut().filter(|voice| voice.is_awake()).map(Voice::take_stiffening);
        voices.fold(StiffeningReading::default(), StiffeningReading::larger)
    }

    /// Motion of the body struck last.
    pub fn body_motion(&self) -> Option<BodyMotion> {
        let voice = self.awake().max_by_key(|voice| voice.last_strike())?;
        let body = self.bodies.body(voice.body_slot()?)?;
        Some(voice.body_motion(body.rigid()))
    }

    /// All voices render at most `blocks` control blocks ahead: a power of two up to 32.
    pub fn set_most_blocks_ahead(&mut self, blocks: usize) {
        self.voices.iter_mut().for_each(|voice| voice.set_most_blocks_ahead(blocks));
    }

    /// All voices ring control block by control block until their pitch has been steady for a while.
    #[cfg(test)]
    pub(crate) fn ring_block_by_block(&mut self) {
        self.voices.iter_mut().for_each(Voice::ring_block_by_block);
    }

    /// The voice awake with the lowest number from `i` on; for loops that may put it to sleep.
    pub(super) fn next_awake(&self, i: usize) -> Option<usize> {
        self.active_voices.get(self.active_voices.partition_point(|&awake| awake < i)).copied()
    }

    /// Adds voice `i` to those awake.
    pub(super) fn register_active(&mut self, i: usize) {
        if let Err(place) = self.active_voices.binary_search(&i) {
            self.active_voices.insert(place, i);
        }
    }

    /// Puts voice `i` to sleep.
    pub(super) fn sleep(&mut self, i: usize) {
        if let Some(slot) = self.voices[i].body_slot() {
            for hammer in 0..MAX_HAMMERS {
                self.recorder.forget(i, hammer);
            }
            if self.drive.hammers().is_on(i) {
                self.drive.hammers_mut().forget();
            }
            self.end_notes(i);
            self.voices[i].deactivate();
            self.active_voices.retain(|&other| other != i);
            self.pool.collect(self.voices[i].collision_mut());
            if let Some(hi_hat) = self.voices[i].give_hi_hat() {
                self.bodies.return_hi_hat(slot, hi_hat);
            }
            if let Some(potential) = self.voices[i].give_potential() {
                self.bodies.return_potential(slot, potential);
            }
            self.bodies.release(slot);
        }
    }

    /// Ends all notes of voice `i`.
    pub(super) fn end_notes(&mut self, i: usize) {
        self.voices[i].notes_mut().end(&mut self.ended, |_| true);
    }

    /// Removes hammer number `hammer` of voice `i`; a hit in progress is discarded.
    pub(super) fn remove_hammer(&mut self, i: usize, hammer: usize) {
        self.voices[i].remove_hammer(hammer);
        self.recorder.forget(i, hammer);
    }

    /// The voice of the numbers `among` with the least energy.
    pub(super) fn lowest_energy_voice(&mut self, among: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        self.voices.iter_mut().for_each(Voice::sync_state);
        let candidates = (0..self.voices.len()).filter(|&i| among(self, i));
        let ranked = candidates.map(|i| (RemovalRank::of_energy(self.voices[i].energy()), i));
        first_removed(ranked).map(|(_, i)| i)
    }
}

impl AsRef<VoiceManager> for VoiceManager {
    fn as_ref(&self) -> &VoiceManager {
        self
    }
}

impl AsMut<VoiceManager> for VoiceManager {
    fn as_mut(&mut self) -> &mut VoiceManager {
        self
    }
}

/// The hammers that no voice uses, and how many voices may use at once; obstacles are counted separately. They are shared because each voice
/// has room for sixteen, but not all are struck sixteen times at once. Boxed: they are moved on the audio thread, and each has
/// hundreds of bytes.
#[expect(clippy::vec_box, reason = "a pointer is moved, not a hammer")]
pub struct HammerPool {
    spare: Vec<Box<Hammer>>,
    max_hammers: usize,
}

impl HammerPool {
    /// Hammers for `voices` voices of up to `modes` modes at `rate` [Hz]; the only allocation.
    pub fn new(rate: f64, voices: usize, modes: usize) -> Self {
        let max_hammers = voices + EXTRA_HAMMERS;
        let all = max_hammers + MAX_OBSTACLES;
        Self { spare: (0..all).map(|_| Collision::spare_hammer(rate, capacity(modes))).collect(), max_hammers }
    }

    /// Maximum number of hammers on all voices.
    pub fn max_hammers(&self) -> usize {
        self.max_hammers
    }

    /// Whether no hammer is left.
    pub fn is_empty(&self) -> bool {
        self.spare.is_empty()
    }

    /// Takes back the hammers that `collision` does not use.
    pub fn collect(&mut self, collision: &mut Collision) {
        while let Some(hammer) = collision.take_spare_hammer() {
            self.spare.push(hammer);
        }
    }

    /// Lends a hammer to `collision` if there is one and it has room.
    pub fn lend(&mut self, collision: &mut Collision) {
        if let Some(hammer) = self.spare.pop()
            && let Err(hammer) = collision.add_spare_hammer(hammer)
        {
            self.spare.push(hammer);
        }
    }

    /// Number of hammers that no voice uses.
    #[cfg(test)]
    pub fn spare_count(&self) -> usize {
        self.spare.len()
    }
}
