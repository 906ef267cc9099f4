//! Translates host events to engine events.

use nice_plug::context::PluginApi;
use nice_plug::midi::{Channel, Key, NoteEvent, VoiceID};

use crate::host_params::HostParams;
use crate::plugin::note_registry::{NoteAddress, NoteRegistry};
use urto_engine::event::{Expression, bend_from_midi};
use urto_engine::params::PER_NOTE_PARAMS;
use urto_engine::{DrumModule, Engine, Event, NoteId};

/// Highest value of a 14-bit pitch bend, and its centre.
const MAX_BEND: f64 = 16_383.0;
const BEND_CENTRE: f64 = 8192.0;

/// The host's notes, and its modulation of the parameters for all of them.
pub struct EventTranslator {
    notes: NoteRegistry,
    /// The host's normalized modulation of each parameter in [`PER_NOTE_PARAMS`], as last read.
    modulation: [f32; PER_NOTE_PARAMS.len()],
    api: PluginApi,
    /// The module whose pads play kits.
    drums: DrumModule,
}

impl EventTranslator {
    /// A translator without notes; allocates.
    pub fn new() -> Self {
        let modulation = [0.0; PER_NOTE_PARAMS.len()];
        Self { notes: NoteRegistry::new(), modulation, api: PluginApi::Clap, drums: DrumModule::default() }
    }

    /// Forgets all notes.
    pub fn reset(&mut self) {
        self.notes.clear();
    }

    /// Sets the plugin format of the host.
    pub fn set_api(&mut self, api: PluginApi) {
        self.api = api;
    }

    /// Sets the module whose pads play kits.
    pub fn set_drums(&mut self, drums: DrumModule) {
        self.drums = drums;
    }

    /// Reads the host's modulation for all notes. Modulation for one note replaces it for that note, so the engine gets the difference.
    pub fn sync_modulation(&mut self, params: &HostParams, engine: &mut Engine) {
        for (index, (&param, global)) in PER_NOTE_PARAMS.iter().zip(&mut self.modulation).enumerate() {
            let (travel, modulated) = params.travel(param);
            if std::mem::replace(global, modulated - travel) != modulated - travel {
                for (note, own) in self.notes.modulated(index) {
                    engine.event(&Event::NoteModulation { note, param, travel: f64::from(own - *global) });
                }
            }
        }
    }

    /// Sends one host event to the engine. A note-on without a key is ignored; a choke without an address chokes everything.
    pub fn translate(&mut self, engine: &mut Engine, event: &NoteEvent<()>) {
        match *event {
            NoteEvent::NoteOn { voice_id, channel, key: Key::Number(key), velocity, .. } => {
                let note = NoteId { voice: voice_id.id(), channel: channel.number().unwrap_or(0), key };
                let engine_key = if engine.plays_kit() { self.drums.kit_key(key) } else { key };
                let note = self.notes.begin(note, engine_key);
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

    /// Removes a note that has ended in the engine. Returns the event for the host.
    pub fn end(&mut self, note: NoteId, timing: u32) -> NoteEvent<()> {
        let note = self.notes.end(note);
        NoteEvent::VoiceTerminated {
            timing,
            voice_id: note.voice.map_or(VoiceID::Wildcard, VoiceID::ID),
            channel: Channel::Number(note.channel),
            key: Key::Number(note.key),
        }
    }

    fn modulate(&mut self, engine: &mut Engine, voice: i32, index: usize, travel: f32) {
        let Some((&param, global)) = PER_NOTE_PARAMS.get(index).zip(self.modulation.get(index)) else { return };
        if let Some(note) = self.notes.modulate(voice, index, travel) {
            engine.event(&Event::NoteModulation { note, param, travel: f64::from(travel - global) });
        }
    }

    /// The address, the kind and the value of a note expression. Vibrato is not supported: hosts send tunings for it.
    fn expression(&self, event: &NoteEvent<()>) -> Option<(NoteAddress, Expression, f64)> {
        // nice-plug 0.4.2 swaps expression and brightness of VST3 hosts.
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

/// -1 to 1 of a bend from 0 to 1, whose centre is 8192 of 16383, or one half.
fn bend(value: f32) -> f64 {
    let steps = f64::from(value) * MAX_BEND;
    if (steps - BEND_CENTRE).abs() < 0.75 { 0.0 } else { bend_from_midi(steps) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_centred_bend_is_zero_and_both_ends_are_reached() {
        let sent = |steps: u16| bend(f32::from(steps) / 16_383.0);
        assert_eq!([sent(0), sent(8192), bend(0.5), sent(16_383)], [-1.0, 0.0, 0.0, 1.0]);
        assert!((sent(4096) + 0.5).abs() < 1e-6 && (sent(8193) - 1.0 / 8191.0).abs() < 1e-6);
    }
}
