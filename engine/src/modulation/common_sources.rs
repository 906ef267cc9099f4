//! The modulation sources that all voices of a part share, as of the present control block.

use crate::modulation::envelope::{ENVELOPES, EnvelopeSettings};
use crate::modulation::lfo::{LFOS, LfoSettings};
use crate::modulation::mod_matrix::{ModMatrix, Row, TargetScope, is_of_note, is_of_strike};
use crate::params::{LfoMode, MACROS, ParamValues};

/// Which rows a matrix has.
#[derive(Clone, Copy, Debug, Default)]
struct RowKinds {
    any: bool,
    of_voices: bool,
    with_notes: bool,
    moving: bool,
    lfos_of_notes: [bool; LFOS],
}

/// The sources that all voices share, and the rows of the matrix.
#[derive(Clone, Copy, Debug)]
pub struct CommonSources {
    /// The rows.
    matrix: ModMatrix,
    /// Which rows there are.
    kinds: RowKinds,
    /// Rows have changed since the last control block began.
    has_changed: bool,
    /// The settings of the LFOs.
    pub lfos: [LfoSettings; LFOS],
    /// Values of common LFOs, -1 to 1.
    pub values: [f64; LFOS],
    /// Periods of each LFO in a control block.
    pub turns: [f64; LFOS],
    /// The settings of the envelopes.
    pub envelopes: [EnvelopeSettings; ENVELOPES],
    /// Values of the macros, 0 to 1.
    pub macros: [f64; MACROS],
    /// Position of the host within four beats, 0 to 1.
    pub playhead: f64,
    /// Share of the remaining distance that a pole of a smoother covers in a control block.
    pub smoothing_step: f64,
}

impl CommonSources {
    /// Without rows, all sources at rest; a control block takes `block_time` [s].
    pub fn new(settings: &ParamValues, block_time: f64, smoothing_step: f64) -> Self {
        Self {
            matrix: ModMatrix::default(),
            kinds: RowKinds::default(),
            has_changed: false,
            lfos: LfoSettings::all(settings),
            values: [0.0; LFOS],
            turns: [0.0; LFOS],
            envelopes: EnvelopeSettings::all(settings, block_time),
            macros: [0.0; MACROS],
            playhead: 0.0,
            smoothing_step,
        }
    }

    /// Reads the rows from `settings`; after a change of the LFOs' modes too.
    pub fn read_matrix(&mut self, settings: &ParamValues) {
        let before = std::mem::replace(&mut self.matrix, ModMatrix::of(settings));
        let lfos = self.lfos_of_notes();
        self.has_changed |= before != self.matrix || lfos != self.kinds.lfos_of_notes;
        let is_moving = |row: &Row| row.is_of_voice(lfos) && row.scope == TargetScope::Voice && !is_of_strike(row.source);
        self.kinds = RowKinds {
            any: self.matrix.rows().next().is_some(),
            of_voices: self.matrix.rows().any(|(_, row)| row.is_of_voice(lfos)),
            lfos_of_notes: lfos,
            with_notes: self.matrix.rows().any(|(_, row)| is_of_note(row.source, lfos)),
            moving: self.has_changed || self.matrix.rows().any(|(_, row)| is_moving(row)),
        };
    }

    /// A control block has begun with the rows as they are.
    pub fn end_change(&mut self) {
        self.has_changed = false;
    }

    /// All rows, with their numbers.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.matrix.rows()
    }

    /// Whether there are rows.
    pub fn has_rows(&self) -> bool {
        self.kinds.any
    }

    /// Whether a row has an offset for each voice.
    pub fn has_rows_of_voices(&self) -> bool {
        self.kinds.of_voices
    }

    /// Whether offsets of voices can move between strikes: a row of voices has such a source, or has changed in this control block.
    pub fn moves_voices(&self) -> bool {
        self.kinds.moving
    }

    /// Whether each LFO has a value for each note.
    fn lfos_of_notes(&self) -> [bool; LFOS] {
        self.lfos.map(|lfo| lfo.mode == LfoMode::PerNote)
    }

    /// The rows that have an offset for each voice, with their numbers.
    pub fn rows_of_voices(&self) -> impl Iterator<Item = (usize, &Row)> {
        let lfos = self.lfos_of_notes();
        self.matrix.rows().filter(move |(_, row)| row.is_of_voice(lfos))
    }

    /// The other rows.
    pub fn rows_of_part(&self) -> impl Iterator<Item = (usize, &Row)> {
        let lfos = self.lfos_of_notes();
        self.matrix.rows().filter(move |(_, row)| !row.is_of_voice(lfos))
    }

    /// Whether a row has a source of notes.
    pub fn has_sources_of_notes(&self) -> bool {
        self.kinds.with_notes
    }
}
