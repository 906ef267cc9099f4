//! The modulation sources that all voices of a part share, as of the present control block.

use crate::modulation::envelope::{ENVELOPES, EnvelopeSettings};
use crate::modulation::lfo::{LFOS, LfoSettings};
use crate::modulation::mod_matrix::{ModMatrix, ROWS, Row, TargetScope, is_of_note, is_of_strike};
use crate::modulation::param_offsets::ParamOffsets;
use crate::params::{LfoMode, MACROS, ParamValues};

/// Whether a voice has hammers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HammerPresence {
    /// It has.
    Present,
    /// It has none: what moves hammers is computed at the next strike.
    Absent,
}

/// A row with an offset for each voice.
#[derive(Clone, Copy, Debug)]
pub struct VoiceRow {
    /// Its number, from 0.
    pub number: usize,
    /// Place of its target in the offsets of a voice.
    pub place: usize,
    /// Whether it is the first with its target.
    pub is_first: bool,
    /// Whether a voice without hammers does not need it.
    pub needs_hammers: bool,
    /// What it does.
    pub row: Row,
}

/// Which rows a matrix has.
#[derive(Clone, Copy, Debug, Default)]
struct RowKinds {
    /// Those with an offset for each voice, in their order.
    of_voices: [Option<VoiceRow>; ROWS],
    /// The targets of these, with offsets of 0.
    targets: ParamOffsets<ROWS>,
    /// The others: a bit for each.
    of_part: u16,
    with_notes: bool,
    /// An offset of voices can move between strikes.
    moving: bool,
    /// One that a voice without hammers needs can.
    moving_bodies: bool,
    lfos_of_notes: [bool; LFOS],
}

impl RowKinds {
    fn add(&mut self, number: usize, row: &Row) {
        self.with_notes |= is_of_note(row.source, self.lfos_of_notes);
        if !row.is_of_voice(self.lfos_of_notes) {
            self.of_part |= 1 << number;
            return;
        }
        let (moves, needs_hammers) = (row.scope == TargetScope::Voice && !is_of_strike(row.source), row.target.moves_hammers());
        self.moving |= moves;
        self.moving_bodies |= moves && !needs_hammers;
        let rows = self.of_voices.iter().flatten();
        let is_first = rows.clone().all(|other| other.row.target != row.target);
        if let (count @ ..ROWS, Some(place)) = (rows.count(), self.targets.place(row.target)) {
            self.of_voices[count] = Some(VoiceRow { number, place, is_first, needs_hammers, row: *row });
        }
    }
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
    /// They had changed when the present control block began.
    begins_changed: bool,
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
            begins_changed: false,
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
        self.kinds = RowKinds { lfos_of_notes: lfos, ..RowKinds::default() };
        self.matrix.rows().for_each(|(number, row)| self.kinds.add(number, row));
    }

    /// A control block begins with the rows as they are.
    pub fn begin_block(&mut self) {
        self.begins_changed = std::mem::take(&mut self.has_changed);
    }

    /// All rows, with their numbers.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &Row)> {
        self.matrix.rows()
    }

    /// Whether there are rows.
    pub fn has_rows(&self) -> bool {
        self.has_rows_of_voices() || self.kinds.of_part != 0
    }

    /// Whether a row has an offset for each voice.
    pub fn has_rows_of_voices(&self) -> bool {
        self.kinds.of_voices[0].is_some()
    }

    /// Whether offsets of voices with these hammers can move between strikes: a row of voices has such a source, or has changed in this control block.
    pub fn moves_voices(&self, hammers: HammerPresence) -> bool {
        let moving = if hammers == HammerPresence::Present { self.kinds.moving } else { self.kinds.moving_bodies };
        moving || self.begins_changed
    }

    /// Whether each LFO has a value for each note.
    fn lfos_of_notes(&self) -> [bool; LFOS] {
        self.lfos.map(|lfo| lfo.mode == LfoMode::PerNote)
    }

    /// The rows that have an offset for each voice.
    pub fn rows_of_voices(&self) -> impl Iterator<Item = &VoiceRow> {
        self.kinds.of_voices.iter().map_while(Option::as_ref)
    }

    /// The targets of these rows, with offsets of 0.
    pub fn targets_of_voices(&self) -> &ParamOffsets<ROWS> {
        &self.kinds.targets
    }

    /// The other rows, with their numbers.
    pub fn rows_of_part(&self) -> impl Iterator<Item = (usize, &Row)> {
        let of_part = self.kinds.of_part;
        self.matrix.rows().filter(move |(number, _)| of_part >> number & 1 == 1)
    }

    /// Whether a row has a source of notes.
    pub fn has_sources_of_notes(&self) -> bool {
        self.kinds.with_notes
    }
}
