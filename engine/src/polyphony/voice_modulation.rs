//! Modulation of single voices: their sources, and the context with what these move.

use crate::context::RenderContext;
use crate::event::NoteId;
use crate::midi::Note;
use crate::modulation::{
    HammerPresence, NoteModulators, NoteSources, SmoothedChanges, StrikeSources, VoiceChanges, VoiceOffsets,
};
use crate::params::ParamId;
use crate::polyphony::voice_manager::VoiceManager;

impl VoiceManager {
    /// The sources of the voice struck last, and its last note.
    pub fn last_struck(&self) -> (&NoteSources, Note) {
        (&self.modulators[self.last_voice].sources, self.last_note(self.last_voice))
    }

    /// The last note of voice `i`; a neutral one if it has none.
    fn last_note(&self, i: usize) -> Note {
        self.voices[i].notes().iter().last().copied().unwrap_or_else(|| Note::of(NoteId::default()))
    }

    /// The offsets of voice `i`.
    pub(super) fn offsets_of(&self, i: usize) -> Option<VoiceOffsets> {
        Some(self.modulators[i].offsets()).filter(|offsets| !offsets.is_empty()).copied()
    }

    /// Draws the sources of a strike of `key`.
    pub(super) fn strike_sources(&mut self, key: u8, velocity: f64, context: &RenderContext) -> StrikeSources {
        let keys = f64::from(key) - context.settings.get(ParamId::HomeKey);
        StrikeSources { velocity, keys, random: self.modulation_rng.bipolar() }
    }

    /// The offsets of a strike by itself, before it has a voice.
    pub(super) fn offsets_of_strike(note: &Note, strike: StrikeSources, context: &RenderContext) -> Option<VoiceOffsets> {
        if !context.modulation.has_rows_of_voices() {
            return None;
        }
        let mut modulators = NoteModulators::default();
        modulators.sources.strike(strike, context.modulation);
        modulators.strike(note, context.modulation, context.controllers, true);
        Some(*modulators.offsets())
    }

    /// A strike of `note` on voice `i`: its sources begin.
    pub(super) fn strike_modulators(&mut self, i: usize, note: &Note, strike: StrikeSources, context: &RenderContext) {
        let begins = self.voices[i].activated_at() == context.frame;
        let modulators = &mut self.modulators[i];
        if begins {
            *modulators = NoteModulators::default();
        }
        modulators.sources.strike(strike, context.modulation);
        modulators.strike(note, context.modulation, context.controllers, begins);
        self.last_voice = i;
    }

    /// Advances the modulation of voice `i` by one control block.
    pub(super) fn advance_modulators(&mut self, i: usize, context: &RenderContext) -> VoiceChanges {
        let common = context.modulation;
        if !common.has_sources_of_notes() {
            let had_any = !self.modulators[i].offsets().is_empty();
            if had_any {
                self.modulators[i].clear();
            }
            let smoothed = SmoothedChanges { pitch: had_any, pickups: had_any, ..SmoothedChanges::default() };
            return VoiceChanges { hammers: had_any, forces: had_any, smoothed };
        }
        let Self { voices, modulators, .. } = self;
        let (voice, modulators) = (&voices[i], &mut modulators[i]);
        let last = voice.notes().iter().last();
        let is_held = voice.notes().any_held() || last.is_some_and(|note| context.controllers.damper(note) == 0.0);
        modulators.sources.advance(common, is_held, voice.last_contact());
        let hammers = if voice.hammer_count() > 0 { HammerPresence::Present } else { HammerPresence::Absent };
        if modulators.is_at_rest(common, hammers) {
            return VoiceChanges::default();
        }
        let neutral;
        let note = match last {
            Some(note) => note,
            None => {
                neutral = Note::of(NoteId::default());
                &neutral
            }
        };
        modulators.advance(note, common, context.controllers, hammers)
    }
}
