//! What hosts play, as engine events.

use nice_plug::context::PluginApi;
use nice_plug::midi::{Channel, Key, NoteEvent, VoiceID};

use crate::host_params::HostParams;
use crate::plugin::note_registry::{NoteAddress, NoteRegistry};
use urto_engine::event::{Expression, bend_from_midi};
use urto_engine::params::PER_NOTE_PARAMS;
use urto_engine::{Engine, Event, NoteId};

/// Steps of a pitch bend of fourteen bits, and its rest.
const BEND_STEPS: f64 = 16_383.0;
const BEND_REST: f64 = 8192.0;

/// The host's notes, and how far it moves knobs for all of them.
pub struct EventTranslator {
    notes: NoteRegistry,
    /// Travel of the host's modulation of each knob in [`PER_NOTE_PARAMS`], as told.
    modulation: [f32; PER_NOTE_PARAMS.len()],
    api: PluginApi,
}

impl EventTranslator {
    /// Nothing is played; allocates.
    pub fn new() -> Self {
        Self { notes: NoteRegistry::new(), modulation: [0.0; PER_NOTE_PARAMS.len()], api: PluginApi::Clap }
    }

    /// Forgets all notes.
    pub fn reset(&mut self) {
        self.notes.clear();
    }

    /// Through which interface the host speaks.
    pub fn speak(&mut self, api: PluginApi) {
        self.api = api;
    }

    /// Takes up how far the host moves knobs for all notes: what it moves for one note stands in its place, not beside it.
    pub fn sync_modulation(&mut self, knobs: &HostParams, engine: &mut Engine) {
        for (place, (&knob, told)) in PER_NOTE_PARAMS.iter().zip(&mut self.modulation).enumerate() {
            let (travel, modulated) = knobs.travel(knob);
            if std::mem::replace(told, modulated - travel) != modulated - travel {
                for (note, alone) in self.notes.modulated(place) {
                    engine.event(&Event::NoteModulation { note, knob, travel: f64::from(alone - *told) });
                }
            }
        }
    }

    /// Hands one host event to the engine. A note-on without a key means nothing, a choke without an address means everything.
    pub fn play(&mut self, engine: &mut Engine, event: &NoteEvent<()>) {
        match *event {
            NoteEvent::NoteOn { voice_id, channel, key: Key::Number(key), velocity, .. } => {
                let note = NoteId { voice: voice_id.id(), channel: channel.number().unwrap_or(0), key };
                self.notes.begin(note);
                engine.event(&Event::NoteOn { note, velocity: f64::from(velocity) });
            }
            NoteEvent::NoteOff { voice_id: voice, channel, key, velocity, .. } => {
                let velocity = f64::from(velocity);
                self.notes.each(NoteAddress { voice, channel, key }, |note| engine.event(&Event::NoteOff { note, velocity }));
            }
            NoteEvent::Choke { voice_id: VoiceID::Wildcard, channel: Channel::Wildcard, key: Key::Wildcard, .. } => {
                engine.event(&Event::ChokeAll);
            }
            NoteEvent::Choke { voice_id: voice, channel, key, .. } => {
                self.notes.each(NoteAddress { voice, channel, key }, |note| engine.event(&Event::Choke { note }));
            }
            NoteEvent::MidiCC { channel, cc: number, value, .. } => {
                engine.event(&Event::Controller { channel, number, value: f64::from(value) });
            }
            NoteEvent::MidiPitchBend { channel, value, .. } => engine.event(&Event::Bend { channel, value: bend(value) }),
            NoteEvent::MidiChannelPressure { channel, pressure, .. } => {
                engine.event(&Event::Pressure { channel, value: f64::from(pressure) });
            }
            NoteEvent::PolyModulation { voice_id, poly_modulation_id, normalized_offset, .. } => {
                self.modulate(engine, voice_id, poly_modulation_id as usize, normalized_offset);
            }
            ref event => {
                if let Some((address, what, value)) = self.expression(event) {
                    self.notes.each(address, |note| engine.event(&Event::NoteExpression { note, what, value }));
                }
            }
        }
    }

    /// The engine tells that a note has ended; what the host is told of it.
    pub fn end(&mut self, note: NoteId, timing: u32) -> NoteEvent<()> {
        self.notes.end(note);
        NoteEvent::VoiceTerminated {
            timing,
            voice_id: note.voice.map_or(VoiceID::Wildcard, VoiceID::ID),
            channel: Channel::Number(note.channel),
            key: Key::Number(note.key),
        }
    }

    fn modulate(&mut self, engine: &mut Engine, voice: i32, place: usize, travel: f32) {
        let Some((&knob, all)) = PER_NOTE_PARAMS.get(place).zip(self.modulation.get(place)) else { return };
        if let Some(note) = self.notes.modulate(voice, place, travel) {
            engine.event(&Event::NoteModulation { note, knob, travel: f64::from(travel - all) });
        }
    }

    /// Whom a note expression means, and what it says. There is no vibrato here: a host that wants one sends tunings.
    fn expression(&self, event: &NoteEvent<()>) -> Option<(NoteAddress, Expression, f64)> {
        // nice-plug 0.4.2 takes expression for brightness, and brightness for expression, where they come from a VST3 host.
        let (brightness, expression) = match self.api {
            PluginApi::Vst3 => (Expression::Expression, Expression::Brightness),
            _ => (Expression::Brightness, Expression::Expression),
        };
        let (voice, channel, key, what, value) = match *event {
            NoteEvent::PolyPressure { voice_id, channel, key, pressure, .. } => {
                (voice_id, channel, key, Expression::Pressure, pressure)
            }
            NoteEvent::PolyVolume { voice_id, channel, key, gain, .. } => (voice_id, channel, key, Expression::Volume, gain),
            NoteEvent::PolyPan { voice_id, channel, key, pan, .. } => (voice_id, channel, key, Expression::Pan, 0.5 + 0.5 * pan),
            NoteEvent::PolyTuning { voice_id, channel, key, tuning, .. } => (voice_id, channel, key, Expression::Tuning, tuning),
            NoteEvent::PolyExpression { voice_id, channel, key, expression: value, .. } => {
                (voice_id, channel, key, expression, value)
            }
            NoteEvent::PolyBrightness { voice_id, channel, key, brightness: value, .. } => {
                (voice_id, channel, key, brightness, value)
            }
            _ => return None,
        };
        Some((NoteAddress { voice, channel, key }, what, f64::from(value)))
    }
}

/// -1 to 1 of a bend from 0 to 1. It rests at 8192 of 16383, or at one half.
fn bend(value: f32) -> f64 {
    let steps = f64::from(value) * BEND_STEPS;
    if (steps - BEND_REST).abs() < 0.75 { 0.0 } else { bend_from_midi(steps) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_rests_at_zero_and_reaches_both_ends() {
        let sent = |steps: u16| bend(f32::from(steps) / 16_383.0);
        assert_eq!([sent(0), sent(8192), bend(0.5), sent(16_383)], [-1.0, 0.0, 0.0, 1.0]);
        assert!((sent(4096) + 0.5).abs() < 1e-6 && (sent(8193) - 1.0 / 8191.0).abs() < 1e-6);
    }
}
