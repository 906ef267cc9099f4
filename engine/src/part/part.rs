//! One sound: voices, controllers, smoothers, tuning, and the effect of events on them. The main sound of an engine, or a zone of its kit.

use crate::bleed::HeldVoices;
use crate::block::{CONTROL_BLOCK, StereoBlock, mid};
use crate::body::{BodySpec, BodyTuning, KeyScaling, PreparedBody};
use crate::context::RenderContext;

use crate::midi::MidiControllers;
use crate::modulation::{ParamSmoothers, PartModulation, SmoothedChanges};
use crate::params::{ParamValues, RetunePolicy};
use crate::patch::{MacroTargets, Patch};
use crate::polyphony::VoiceManager;
use crate::telemetry::{ControllerReading, ControllerReadings};
use crate::tuning::{KeyFrequencies, KeyTuning, TuningSet};
use std::ops::Range;

/// Size of a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartConfig {
    /// Sample rate [Hz], 4e3 to 1e6.
    rate: f64,
    /// Maximum number of voices, 1 to 256.
    voices: usize,
    /// Maximum number of modes of a body, 1 to 4096.
    modes: usize,
}

impl PartConfig {
    /// Clamps all values to their ranges; the sample rate of NaN is 48 kHz.
    pub fn new(rate: f64, voices: usize, modes: usize) -> Self {
        let rate = if rate.is_nan() { 48e3 } else { rate };
        Self { rate: rate.clamp(4e3, 1e6), voices: voices.clamp(1, 256), modes: modes.clamp(1, 4096) }
    }

    /// Sample rate [Hz].
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Maximum number of voices.
    pub fn voices(&self) -> usize {
        self.voices
    }

    /// Maximum number of modes of a body.
    pub fn modes(&self) -> usize {
        self.modes
    }
}

/// Whether a part sounds in the frames that have begun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activity {
    /// No voice does.
    Asleep,
    /// A voice or the drive does.
    Awake,
}

/// A part and its render context at the current frame, borrowed side by side.
pub struct PartInContext<'a> {
    pub voices: &'a mut VoiceManager,
    pub context: RenderContext<'a>,
}

/// One sound of an engine.
pub struct Part {
    pub(super) config: PartConfig,
    /// The value of every parameter before modulation.
    pub(super) base: ParamValues,
    /// The same with the modulation that all voices share.
    pub(super) settings: ParamValues,
    pub(super) modulation: PartModulation,
    pub(super) tuning: KeyTuning,
    pub(super) controllers: MidiControllers,
    pub(super) smoothers: ParamSmoothers,
    pub(super) voices: VoiceManager,
    /// Absolute frame.
    pub(super) frame: u64,
    /// Sound of the control block, before level and limiter.
    block: StereoBlock,
    /// The voices that answer to others, and the sound of strikes alone, in the middle of the pickups.
    held: HeldVoices,
    struck: [f64; CONTROL_BLOCK],
}

impl Part {
    /// At rest with the sound of `patch`, without its zones; prepares the body and allocates everything.
    pub fn new(config: PartConfig, patch: &Patch) -> Self {
        let (base, settings) = (patch.settings, patch.settings_with_macros());
        let macros = MacroTargets::of(&patch.macros);
        let PartConfig { rate, voices, modes } = config;
        let mut voices = VoiceManager::new(rate, voices, modes, PreparedBody::of(patch));
        voices.set_choke_groups(&patch.choke_groups);
        voices.reset(&settings);
        let mut controllers = MidiControllers::default();
        controllers.set_zones(&settings);
        let block_time = CONTROL_BLOCK as f64 / rate;
        let smoothers = ParamSmoothers::new(&settings, block_time);
        Self {
            config,
            base,
            settings,
            modulation: PartModulation::new(macros, &settings, block_time, smoothers.step()),
            tuning: KeyTuning::new(&patch.tuning, &settings),
            controllers,
            smoothers,
            voices,
            frame: 0,
            block: [[0.0; CONTROL_BLOCK]; 2],
            held: HeldVoices::new(config.voices),
            struck: [0.0; CONTROL_BLOCK],
        }
    }

    /// Its voices never answer to each other: only one key plays. Allocates.
    pub fn without_answers(self) -> Self {
        Self { held: HeldVoices::new(0), ..self }
    }

    /// Its size.
    pub fn config(&self) -> PartConfig {
        self.config
    }

    /// Silences everything. Afterwards it renders the same bits as a new part with the same parameters and body.
    pub fn reset(&mut self) {
        self.modulation.reset();
        self.settings = self.modulation.macros().applied_to(&self.base);
        self.voices.reset(&self.settings);
        self.voices.bodies_mut().install();
        self.held.reset();
        self.controllers.reset();
        self.snap_smoothers();
        self.frame = 0;
    }

    /// Copies parameters, controllers and tunings from the main part of the engine, and resets.
    pub fn sync_state(&mut self, settings: ParamValues, controllers: &MidiControllers, tunings: &TuningSet) {
        self.base = settings;
        self.settings = self.modulation.macros().applied_to(&settings);
        self.modulation.note_settings(&self.settings);
        self.controllers = controllers.clone();
        self.tune(tunings);
        self.reset();
        self.controllers = controllers.clone();
        let PartInContext { voices, context } = self.in_context();
        voices.place_pedal(&context);
    }

    /// The value of every parameter before modulation.
    pub fn base(&self) -> &ParamValues {
        &self.base
    }

    /// The value of every parameter, with the modulation that all voices share.
    pub fn settings(&self) -> &ParamValues {
        &self.settings
    }

    /// MIDI controllers.
    pub fn controllers(&self) -> &MidiControllers {
        &self.controllers
    }

    /// The smoothed parameters.
    pub fn smoothers(&self) -> &ParamSmoothers {
        &self.smoothers
    }

    /// The tunings it was given.
    pub fn tunings(&self) -> &TuningSet {
        self.tuning.tunings()
    }

    /// The frequency of every key, as of the last strike or control block.
    pub fn key_frequencies(&self) -> &KeyFrequencies {
        self.tuning.effective()
    }

    /// The voices.
    pub fn voices(&self) -> &VoiceManager {
        &self.voices
    }

    /// The voices, mutable.
    pub fn voices_mut(&mut self) -> &mut VoiceManager {
        &mut self.voices
    }

    /// Voices and render context.
    pub fn in_context(&mut self) -> PartInContext<'_> {
        let Self { config, settings, modulation, tuning, controllers, smoothers, voices, frame, .. } = self;
        let (tuning, modulation) = (tuning.effective(), modulation.common());
        let (rate, frame) = (config.rate, *frame);
        let context = RenderContext { settings, tuning, controllers, smoothers, modulation, offsets: None, rate, frame };
        PartInContext { voices, context }
    }

    /// Absolute frame.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Sets the absolute frame.
    pub fn set_frame(&mut self, frame: u64) {
        self.frame = frame;
    }

    /// Sound of the control block, before level and limiter.
    pub fn block(&self) -> &StereoBlock {
        &self.block
    }

    /// The same, mutable.
    pub fn block_mut(&mut self) -> &mut StereoBlock {
        &mut self.block
    }

    /// Sound of the strikes in the control block, without what answers to them; the mean of both sides.
    pub fn struck(&self) -> &[f64; CONTROL_BLOCK] {
        &self.struck
    }

    /// Whether no voice sounds.
    pub fn is_silent(&self) -> bool {
        self.voices.is_asleep() && self.held.is_silent()
    }

    /// Sets the smoothed parameters to their values without smoothing; for a part in which nothing sounds.
    pub fn snap_smoothers(&mut self) {
        self.smoothers.snap(&self.settings);
    }

    /// The same but for the output level; for a part in which nothing sounds while a room still does.
    pub fn snap_voice_smoothers(&mut self) {
        self.smoothers.snap_voices(&self.settings);
    }

    /// Advances the smoothed parameters by one control block.
    pub fn advance_smoothers(&mut self) -> SmoothedChanges {
        self.smoothers.tick(&self.settings)
    }

    /// Sets the tunings for later strikes. Held notes glide to them or keep their pitch, according to the parameter; a key without a
    /// frequency in the new tuning rings out.
    pub fn tune(&mut self, tunings: &TuningSet) {
        self.tuning.tune(tunings, &self.settings);
        self.follow_tuning();
    }

    /// Updates the tuning by the parameters of pitch; held notes follow it.
    pub fn refresh_tuning(&mut self) {
        if self.tuning.refresh(&self.settings) {
            self.follow_tuning();
        }
    }

    fn follow_tuning(&mut self) {
        if self.settings.retune_policy() == RetunePolicy::Follow {
            self.voices.follow_tuning(self.tuning.effective(), self.smoothers.step());
        }
    }

    /// Updates the drive by the current parameters, notes and controllers.
    pub fn update_drive(&mut self) {
        let PartInContext { voices, context } = self.in_context();
        voices.update_drive(&context);
    }

    /// Begins a control block with `changes` of smoothed parameters, at `level` (a factor) of the output.
    pub fn begin_control_block(&mut self, changes: SmoothedChanges, level: f64) {
        self.refresh_tuning();
        let PartInContext { voices, context } = self.in_context();
        voices.begin_control_block(changes, level, &context);
    }

    /// Renders the frames `run` of a control block into [`Part::block`]; `drive` is the side-chain.
    pub fn render(&mut self, run: Range<usize>, drive: [&[f32]; 2]) {
        let activity = self.begin_run(run.clone(), drive);
        self.finish_run(run, activity);
    }

    /// Begins the frames `run` of a control block: answers of held voices, the side-chain `drive`, and what is known of the cost.
    pub fn begin_run(&mut self, run: Range<usize>, drive: [&[f32]; 2]) -> Activity {
        let Self { config, settings, modulation, tuning, controllers, smoothers, voices, frame, held, .. } = self;
        let (tuning, modulation) = (tuning.effective(), modulation.common());
        let (rate, frame) = (config.rate, *frame);
        let context = RenderContext { settings, tuning, controllers, smoothers, modulation, offsets: None, rate, frame };
        if run.start == 0 {
            held.begin_block(voices, &context);
        }
        let pushes = voices.process_drive_input(run.clone(), drive, &context);
        if voices.is_asleep() && !pushes {
            return Activity::Asleep;
        }
        voices.begin_run(run, &context);
        Activity::Awake
    }

    /// Renders the frames `run` that have begun into [`Part::block`].
    pub fn finish_run(&mut self, run: Range<usize>, activity: Activity) {
        let Self { config, settings, modulation, tuning, controllers, smoothers, voices, frame, block, held, struck, .. } = self;
        let (tuning, modulation) = (tuning.effective(), modulation.common());
        let (rate, frame) = (config.rate, *frame);
        let context = RenderContext { settings, tuning, controllers, smoothers, modulation, offsets: None, rate, frame };
        match activity {
            Activity::Asleep => block.iter_mut().for_each(|channel| channel.fill(0.0)),
            Activity::Awake => voices.finish_run(run.clone(), &context, block),
        }
        run.clone().for_each(|n| struck[n] = mid(block, n));
        held.render(run, voices, struck, block);
    }

    /// The body to prepare on another thread, if the parameters require another one than the current body.
    pub fn requested_body(&self) -> Option<BodySpec> {
        let required = BodySpec::of(&self.settings);
        let satisfied = self.voices.bodies().request().is_some_and(|present| required.is_satisfied_by(&present));
        (!satisfied).then_some(required)
    }

    /// Queues a prepared body for the strikes of the next control block. Returns a body that no voice uses any more, to be freed on
    /// another thread. Errors: returns `body` when too many old bodies still sound, and steals the voices of the oldest; the call can
    /// be repeated.
    pub fn queue_body(&mut self, body: Box<PreparedBody>) -> Result<Option<Box<PreparedBody>>, Box<PreparedBody>> {
        let queued = self.voices.bodies_mut().queue(body);
        if queued.is_err() {
            self.voices.release_oldest_body();
        } else if self.frame.is_multiple_of(CONTROL_BLOCK as u64) {
            self.voices.bodies_mut().install();
        }
        queued
    }

    /// Number of the body's modes that are omitted on `key`: above the band limit min(20 kHz, 0.48 of the rate), or above the maximum number.
    pub fn left_out(&self, key: u8) -> usize {
        let bodies = self.voices.bodies();
        let Some(body) = bodies.body(bodies.current()) else { return 0 };
        let Some(hertz) = self.key_frequencies().hertz(self.settings.body_key(key)) else { return 0 };
        let tuning = BodyTuning::new(hertz, KeyScaling::default(), |param| self.settings.get(param));
        body.partials() - body.modes_below_limit(&tuning, self.config.rate).min(self.config.modes)
    }

    /// Adds the controllers of the notes that are held.
    pub fn add_controller_readings(&self, readings: &mut ControllerReadings) {
        for note in self.voices.awake().flat_map(|voice| voice.notes().iter()).filter(|note| note.is_held()) {
            readings.add(ControllerReading::new(note, &self.controllers, &self.settings));
        }
    }
}
