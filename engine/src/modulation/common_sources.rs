//! The modulation sources that all voices of a part share, as of the present control block.

use crate::modulation::envelope::{ENVELOPES, EnvelopeSettings};
use crate::modulation::lfo::{LFOS, LfoSettings};
use crate::modulation::mod_matrix::{ModMatrix, Row, is_of_note};
use crate::params::{LfoMode, MACROS, ParamValues};

/// The sources that all voices share, and the rows of the matrix.
#[derive(Clone, Copy, Debug)]
pub struct CommonSources {
    /// The rows.
    pub matrix: ModMatrix,
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
            lfos: LfoSettings::all(settings),
            values: [0.0; LFOS],
            turns: [0.0; LFOS],
            envelopes: EnvelopeSettings::all(settings, block_time),
            macros: [0.0; MACROS],
            playhead: 0.0,
            smoothing_step,
        }
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
        let lfos = self.lfos_of_notes();
        self.matrix.rows().any(|(_, row)| is_of_note(row.source, lfos))
    }
}
