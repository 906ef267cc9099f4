//! The modulation of one part: macros, common sources, and what they move in all voices.

use crate::midi::{MidiControllers, Note};
use crate::modulation::beat_clock::{BeatClock, FrameTime};
use crate::modulation::common_sources::CommonSources;
use crate::modulation::envelope::EnvelopeSettings;
use crate::modulation::lfo::{LFOS, Lfo, LfoSettings};
use crate::modulation::mod_matrix::{ModMatrix, ROWS, TargetScope};
use crate::modulation::note_modulators::NoteSources;
use crate::modulation::param_offsets::ParamOffsets;
use crate::params::{LfoMode, MACRO_PARAMS, MAX_MACRO_TARGETS, MacroTargets, ModSource, ParamId, ParamValues};

/// Number of beats after which the source of the playhead begins again.
const PLAYHEAD_BEATS: f64 = 4.0;

/// Maximum number of parameters that are moved in all voices.
const MAX_OFFSETS: usize = ROWS + MAX_MACRO_TARGETS;

/// Offsets of the parameters of a part.
pub type PartOffsets = ParamOffsets<MAX_OFFSETS>;

/// Whether common LFOs go on or begin again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LfoMotion {
    /// They go on.
    Advance,
    /// They begin: nothing sounds.
    Restart,
}

/// What sources are computed from.
#[derive(Clone, Copy)]
pub struct ModulationInputs<'a> {
    /// The value of every parameter, as of the last control block.
    pub settings: &'a ParamValues,
    /// The MIDI controllers.
    pub controllers: &'a MidiControllers,
    /// The sources of the voice that was struck last.
    pub sources: &'a NoteSources,
    /// Its last note.
    pub note: &'a Note,
    /// The host's clock.
    pub clock: &'a BeatClock,
    /// Beginning of the control block.
    pub time: FrameTime,
}

/// The modulation of one part.
pub struct PartModulation {
    macros: MacroTargets,
    lfos: [Lfo; LFOS],
    common: CommonSources,
    offsets: PartOffsets,
    /// Values of the rows that move the body, at the last strike.
    at_strike: [f64; ROWS],
    /// Duration of a control block [s].
    block_time: f64,
    /// The control block that the sources are of.
    block: Option<u64>,
    /// Whether the parameters have rows.
    has_rows: bool,
    /// Rows, LFOs and envelopes are those of the parameters.
    is_read: bool,
    /// The offsets are those of the macros as they are, if there are no rows.
    is_up_to_date: bool,
}

impl PartModulation {
    /// Without rows; a control block takes `block_time` [s], and smoothers move by the part `smoothing_step` in it.
    pub fn new(macros: MacroTargets, settings: &ParamValues, block_time: f64, smoothing_step: f64) -> Self {
        Self {
            macros,
            lfos: Default::default(),
            common: CommonSources::new(settings, block_time, smoothing_step),
            offsets: PartOffsets::default(),
            at_strike: [0.0; ROWS],
            block_time,
            block: None,
            has_rows: !ModMatrix::is_empty_in(settings),
            is_read: false,
            is_up_to_date: macros.is_empty(),
        }
    }

    /// Sets all sources to rest.
    pub fn reset(&mut self) {
        (self.lfos, self.at_strike, self.block) = (Default::default(), [0.0; ROWS], None);
        self.offsets.clear();
        (self.is_read, self.is_up_to_date) = (false, self.macros.is_empty());
    }

    /// Sets what the macros move.
    pub fn set_macros(&mut self, macros: &MacroTargets) {
        (self.macros, self.is_up_to_date) = (*macros, false);
    }

    /// What the macros move.
    pub fn macros(&self) -> &MacroTargets {
        &self.macros
    }

    /// The common sources, and the rows.
    pub fn common(&self) -> &CommonSources {
        &self.common
    }

    /// The offsets of the parameters in all voices.
    pub fn offsets(&self) -> &PartOffsets {
        &self.offsets
    }

    /// The parameters that it depends on have changed to `settings`.
    pub fn note_settings(&mut self, settings: &ParamValues) {
        (self.has_rows, self.is_read, self.is_up_to_date) = (!ModMatrix::is_empty_in(settings), false, false);
    }

    /// Modulation has moved rows, LFOs, envelopes or macros: they are read again.
    pub fn read_again(&mut self) {
        self.is_read = false;
    }

    /// Whether the parameters have rows.
    pub fn has_rows(&self) -> bool {
        self.has_rows
    }

    /// Whether nothing moves until macros or rows change: there are no rows, and the macros have been applied.
    pub fn is_at_rest(&self) -> bool {
        !self.has_rows && self.is_up_to_date
    }

    /// Whether the sources are those of control block `block`.
    pub fn is_of_block(&self, block: u64) -> bool {
        self.block == Some(block)
    }

    /// Computes the sources of control block `block`, and the offsets.
    pub fn begin_block(&mut self, block: u64, motion: LfoMotion, inputs: &ModulationInputs) {
        let had_rows = self.common.has_rows();
        self.refresh_settings(inputs);
        self.common.begin_block();
        if had_rows || self.common.has_rows() {
            self.advance_lfos(motion, inputs);
        }
        self.block = Some(block);
        self.update_offsets(inputs);
    }

    /// Reads rows, LFOs, envelopes and macros from the parameters.
    pub fn refresh_settings(&mut self, inputs: &ModulationInputs) {
        self.common.macros = MACRO_PARAMS.map(|id| inputs.settings.get(id));
        if self.is_read || !(self.has_rows || self.common.has_rows()) {
            return;
        }
        self.common.lfos = LfoSettings::all(inputs.settings);
        self.common.envelopes = EnvelopeSettings::all(inputs.settings, self.block_time);
        self.common.read_matrix(inputs.settings);
        self.is_read = true;
    }

    fn advance_lfos(&mut self, motion: LfoMotion, inputs: &ModulationInputs) {
        let seed = inputs.settings.get(ParamId::HumanSeed) as u64;
        for i in 0..LFOS {
            let settings = &self.common.lfos[i];
            let turn = settings.periods_in(self.block_time, inputs.clock);
            let next = if motion == LfoMotion::Restart { 0.0 } else { self.lfos[i].periods + turn };
            self.lfos[i].periods = settings.periods_at(inputs.time, inputs.clock).unwrap_or(next);
            self.common.turns[i] = turn;
            self.common.values[i] =
                if settings.mode == LfoMode::Common { self.lfos[i].value(settings, seed ^ (i as u64 + 1) << 32) } else { 0.0 };
        }
        self.common.playhead = (inputs.clock.position(inputs.time) / PLAYHEAD_BEATS).rem_euclid(1.0);
    }

    /// Computes the offsets from the sources.
    pub fn update_offsets(&mut self, inputs: &ModulationInputs) {
        self.offsets.clear();
        self.is_up_to_date = true;
        for (number, target) in self.macros.iter() {
            self.offsets.add(target.param, target.offset(self.common.macros[number]));
        }
        for (number, row) in self.common.rows_of_part() {
            let value = match row.scope {
                TargetScope::Body if !is_macro(row.source) => self.at_strike[number],
                _ => inputs.sources.value(row.source, inputs.note, &self.common, inputs.controllers),
            };
            self.offsets.add(row.target, row.offset(value));
        }
    }

    /// A strike: rows that move the body take their values.
    pub fn note_strike(&mut self, inputs: &ModulationInputs) {
        for (number, row) in self.common.rows().filter(|(_, row)| row.scope == TargetScope::Body) {
            self.at_strike[number] = inputs.sources.value(row.source, inputs.note, &self.common, inputs.controllers);
        }
    }
}

/// Whether a source is a macro.
fn is_macro(source: ModSource) -> bool {
    source as usize >= ModSource::Macro1 as usize
}
