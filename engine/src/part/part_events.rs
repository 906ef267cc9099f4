//! The effect of events on a part.

use crate::event::Event;
use crate::midi::{ControllerEffect, Note};
use crate::modulation::{FrameTime, LfoMotion};
use crate::part::part::{Part, PartInContext};

impl Part {
    /// Applies one event at the current frame. After a parameter's change the owner calls [`Part::snap_smoothers`] if nothing sounds.
    pub fn handle_event(&mut self, event: &Event) {
        self.begin_modulation(if self.is_silent() { LfoMotion::Restart } else { LfoMotion::Advance });
        match *event {
            Event::NoteOn { .. } | Event::NoteOff { .. } | Event::Choke { .. } | Event::ChokeAll => self.handle_note(event),
            Event::Set { param, value } => self.set_param(param, value),
            Event::NoteExpression { note, what, value } if !value.is_nan() => {
                let PartInContext { voices, context } = self.in_context();
                voices.change_notes(note, &context, |note| note.set_expression(what, value));
            }
            Event::NoteModulation { note, param, travel } if !travel.is_nan() => {
                let PartInContext { voices, context } = self.in_context();
                voices.modulate(note, param, travel, &context);
            }
            Event::Controller { channel, number, value } if !value.is_nan() => {
                let effect = self.controllers.control(channel, number, value);
                self.apply_controller(channel, effect);
            }
            Event::Bend { channel, value } if !value.is_nan() => {
                self.controllers.set_bend(channel, value);
                self.apply_controller(channel, ControllerEffect::Modulation);
            }
            Event::Pressure { channel, value } if !value.is_nan() => {
                self.controllers.set_pressure(channel, value);
                self.apply_controller(channel, ControllerEffect::Modulation);
            }
            Event::TransportRestart => {
                let PartInContext { voices, context } = self.in_context();
                voices.reseed(context.settings);
            }
            Event::Tempo { tempo, beat } => {
                let PartInContext { voices, context } = self.in_context();
                voices.drive_mut().set_tempo(tempo, beat, FrameTime { frame: context.frame, rate: context.rate });
            }
            _ => {}
        }
        self.update_drive();
    }

    /// Applies a strike, a release, or a choke.
    fn handle_note(&mut self, event: &Event) {
        if matches!(event, Event::NoteOn { .. }) {
            self.refresh_tuning();
        }
        let strikes = matches!(event, Event::NoteOn { velocity, .. } if *velocity > 0.0);
        let PartInContext { voices, context } = self.in_context();
        match *event {
            Event::NoteOn { note, velocity } if velocity > 0.0 => voices.note_on(note, velocity.min(1.0), &context),
            Event::NoteOn { note, .. } => voices.note_off(note, 0.5, &context),
            Event::NoteOff { note, velocity } if velocity.is_nan() => voices.note_off(note, 0.5, &context),
            Event::NoteOff { note, velocity } => voices.note_off(note, velocity, &context),
            Event::Choke { note } => voices.choke(|voice| voice.notes().contains(note), &context),
            _ => {
                voices.drive_mut().release_all();
                voices.choke(|_| true, &context);
            }
        }
        if strikes && self.modulation.has_rows() {
            self.modulate(|modulation, inputs| {
                modulation.note_strike(inputs);
                modulation.update_offsets(inputs);
            });
        }
    }

    /// Applies the effect of a controller of a channel to the notes that it applies to.
    fn apply_controller(&mut self, channel: u8, effect: ControllerEffect) {
        let PartInContext { voices, context } = self.in_context();
        let applies = |note: &Note| context.controllers.applies_to(note.id.channel, channel);
        match effect {
            ControllerEffect::None => {}
            ControllerEffect::Modulation => voices.update_notes(applies, &context),
            ControllerEffect::Dampers => voices.mark_dampers_changed(),
            ControllerEffect::Foot => voices.move_pedal(&context),
            ControllerEffect::SostenutoDown => voices.set_sostenuto(applies, &context),
            ControllerEffect::SostenutoUp => {
                voices.set_sostenuto(|_| false, &context);
                voices.update_notes(applies, &context);
                voices.move_pedal(&context);
            }
            ControllerEffect::SoundOff => voices.choke(|voice| voice.notes().iter().any(applies), &context),
            ControllerEffect::NotesOff => voices.release_where(applies, &context),
            ControllerEffect::AllNotes => voices.update_notes(|_| true, &context),
        }
    }
}
