//! Roof: nice-plug glue. Host events become engine events, host state becomes a patch; nothing else happens here.

mod notes;
mod play;
mod playhead;
mod program;

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use nice_plug::prelude::*;
use nice_plug_egui::{EguiEditor, RepaintNotifier};

use self::play::Player;
use self::playhead::Playhead;
use crate::editor::{self, Face};
use crate::engine::kit::OUTPUTS;
use crate::engine::knob::{KNOBS, KnobId, Settings};
use crate::engine::{Config, Engine, Event};
use crate::link::bell::Bell;
use crate::link::{self, AudioEnd, EditorEnd, HostEnd};
use crate::params::Knobs;

const STEREO: NonZeroU32 = new_nonzero_u32(2);
/// Name of the side-chain input.
const DRIVE: &str = "Hammer Drive";
/// Names of the outputs beside the main one, where a host has chosen them.
const BUSES: [&str; OUTPUTS - 1] = ["Bus 2", "Bus 3", "Bus 4", "Bus 5", "Bus 6", "Bus 7", "Bus 8"];
/// Tail, in times to -60 dB: what is reported lasts to -120 dB.
const TAIL_DECAYS: f64 = 2.0;

/// The plugin: notes in, stereo out, and the side-chain "Hammer Drive".
pub struct Urto {
    knobs: Arc<Knobs>,
    host: HostEnd,
    audio: AudioEnd,
    editor: EditorEnd,
    repaint: RepaintNotifier,
    engine: Option<Engine>,
    /// What the engine has been told so far.
    told: Settings,
    player: Player,
    playhead: Playhead,
    offline: bool,
}

impl Default for Urto {
    fn default() -> Self {
        let (audio, editor, host) = link::wire();
        let (loader, reader) = (host.loader(), host.loader());
        let knobs = Arc::new(Knobs::new(move |patch| loader.load(patch)));
        let (weak, bell) = (Arc::downgrade(&knobs), Bell::take());
        host.read_programs(move |number| program::load(number, &weak, &reader, &bell));
        let told = Settings::default();
        let (player, playhead) = (Player::new(), Playhead::default());
        let repaint = RepaintNotifier::new();
        Self { knobs, host, audio, editor, repaint, engine: None, told, player, playhead, offline: false }
    }
}

impl Plugin for Urto {
    const NAME: &'static str = "Urto";
    const VENDOR: &'static str = "Urto";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: Some(STEREO),
            aux_input_ports: &[STEREO],
            aux_output_ports: &[],
            names: PortNames { layout: Some("Stereo"), aux_inputs: &[DRIVE], ..PortNames::const_default() },
        },
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: Some(STEREO),
            aux_input_ports: &[STEREO],
            aux_output_ports: &[STEREO; BUSES.len()],
            names: PortNames {
                layout: Some("Eight outputs"),
                aux_inputs: &[DRIVE],
                aux_outputs: &BUSES,
                ..PortNames::const_default()
            },
        },
    ];

    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;

    type Editor = EguiEditor<Face>;
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        self.knobs.clone()
    }

    fn editor(&mut self, _: AsyncExecutor<Self>) -> Option<Self::Editor> {
        editor::open(self.knobs.clone(), self.editor.clone(), self.repaint.clone())
    }

    fn filter_state(state: &mut PluginState) {
        Knobs::mend(state);
    }

    fn activate(&mut self, _: &AudioIOLayout, buffers: &BufferConfig, context: &mut impl ActivateContext<Self>) -> bool {
        let patch = self.knobs.patch();
        let engine = self.engine.insert(Engine::new(Config::at(f64::from(buffers.sample_rate)), &patch));
        self.audio.activate(&self.host, engine);
        self.told = patch.settings;
        self.player = Player::new();
        // not while playing: nice-plug then sends itself a task, and may write to its log
        context.set_current_voice_capacity(voices(&self.told));
        self.offline = buffers.process_mode == ProcessMode::Offline;
        true
    }

    fn reset(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.reset();
        }
        self.player.reset();
        self.playhead = Playhead::default();
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let frames = buffer.samples();
        let (Some(engine), [left, right]) = (&mut self.engine, buffer.as_slice()) else {
            return ProcessStatus::Error("not activated with a stereo output");
        };
        tell(engine, &self.knobs, &mut self.told);
        self.audio.tunings(engine);
        self.audio.bodies(engine, self.offline);
        self.audio.played(engine);
        if self.playhead.look(context.transport(), frames) {
            engine.event(&Event::Restart);
        }
        self.player.speak(context.plugin_api());
        self.player.follow(&self.knobs, engine);
        let AuxiliaryBuffers { inputs, outputs } = aux;
        let drive = drive(inputs, frames);
        let (mut sides, there) = sides(outputs, frames);

        let mut next = context.next_event();
        let mut frame = 0;
        while frame < frames {
            while let Some(event) = next.take_if(|event| event.timing() as usize <= frame) {
                if let NoteEvent::MidiProgramChange { program, .. } = event {
                    self.audio.program(program, self.offline);
                    if self.offline {
                        tell(engine, &self.knobs, &mut self.told);
                        self.audio.tunings(engine);
                        self.audio.bodies(engine, true);
                    }
                }
                self.player.play(engine, &event);
                next = context.next_event();
            }
            let end = next.as_ref().map_or(frames, |event| (event.timing() as usize).min(frames));
            let part = frame..end;
            let mut buses = sides.each_mut().map(|[left, right]| [left, right].map(|channel| cut(channel, &part)));
            let main = [&mut left[part.clone()], &mut right[part.clone()]];
            engine.render_outputs(main, &mut buses[..there], drive.get(part).unwrap_or_default());
            while let Some(note) = engine.next_ended() {
                let _ = context.try_send_event(self.player.end(note, end as u32 - 1));
            }
            frame = end;
        }
        while let Some(event) = next {
            self.player.play(engine, &event);
            next = context.next_event();
        }

        self.audio.show(engine);
        if engine.is_asleep() {
            return ProcessStatus::Normal;
        }
        self.repaint.request_repaint();
        let tail = TAIL_DECAYS * engine.settings().get(KnobId::Decay) * engine.config().sample_rate;
        ProcessStatus::Tail(tail.min(f64::from(u32::MAX - 1)) as u32)
    }
}

/// Tells the engine which knobs have moved. nice-plug splits the block where an automation event lies, so this frame is its frame.
/// While a patch is being taken up they stand still.
fn tell(engine: &mut Engine, knobs: &Knobs, told: &mut Settings) {
    let Some(settings) = knobs.settled() else { return };
    for &knob in KnobId::ALL {
        let value = settings.get(knob);
        if value != told.get(knob) {
            told.set(knob, value);
            engine.event(&Event::Set { knob, value });
        }
    }
}

/// Voices that a host may tell apart.
fn voices(settings: &Settings) -> u32 {
    settings.get(KnobId::Voices) as u32
}

/// The frames `part` of a channel, as far as it goes.
fn cut<'a>(channel: &'a mut [f32], part: &Range<usize>) -> &'a mut [f32] {
    let end = part.end.min(channel.len());
    &mut channel[part.start.min(end)..end]
}

/// The outputs beside the main one, and how many there are.
fn sides<'a>(outputs: &'a mut [Buffer<'_>], frames: usize) -> ([[&'a mut [f32]; 2]; OUTPUTS - 1], usize) {
    let mut sides: [[&mut [f32]; 2]; OUTPUTS - 1] = std::array::from_fn(|_| Default::default());
    let mut there = 0;
    for (side, buffer) in sides.iter_mut().zip(outputs) {
        if let [left, right] = buffer.as_slice()
            && left.len() == frames
            && right.len() == frames
        {
            *side = [&mut **left, &mut **right];
        }
        there += 1;
    }
    (sides, there)
}

/// The side-chain in mono, full scale 1; empty when it is not connected. The one place that touches its buffers: without audio
/// from the host they keep the length of an earlier block.
fn drive<'a>(inputs: &'a mut [Buffer<'_>], frames: usize) -> &'a [f32] {
    let Some([left, right]) = inputs.first_mut().map(Buffer::as_slice) else { return &[] };
    if left.len() != frames || right.len() != frames {
        return &[];
    }
    for (left, right) in left.iter_mut().zip(right.iter()) {
        let mean = 0.5 * (*left + *right);
        *left = if mean.is_finite() { mean } else { 0.0 };
    }
    left
}

impl ClapPlugin for Urto {
    const CLAP_ID: &'static str = "org.urto.urto";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("Percussion from the physics of a collision");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Drum, ClapFeature::Synthesizer, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> = Some(PolyModulationConfig {
        max_voice_capacity: KNOBS[KnobId::Voices as usize].highest as u32,
        supports_overlapping_voices: true,
    });

    fn remote_controls(&self, host: &mut impl RemoteControlsContext) {
        self.knobs.lay_out(host);
    }
}

impl Vst3Plugin for Urto {
    const VST3_CLASS_ID: [u8; 16] = *b"UrtoCollisionHit";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Drum, Vst3SubCategory::Stereo];
}
