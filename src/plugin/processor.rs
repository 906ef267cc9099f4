//! What instrument and effect share: the engine between the host's events, the knobs, and the wires to worker and editor.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use nice_plug::prelude::*;
use nice_plug_egui::RepaintNotifier;

use crate::editor;
use crate::editor::HostEditor;
use crate::host_params::HostParams;
use crate::plugin::event_translation::EventTranslator;
use crate::plugin::program;
use crate::plugin::transport::TransportMonitor;
use crate::threads;
use crate::threads::AudioEnd;
use crate::threads::ParamRescanFlag;
use crate::threads::{EditorEnd, HostEnd};
use urto_engine::params::{ParamId, ParamValues};
use urto_engine::patch::OUTPUTS;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event};

/// Tail, in times to -60 dB: what is reported lasts to -120 dB.
const TAIL_DECAYS: f64 = 2.0;
/// Most frames that are rendered at once [frames].
const STRIP: usize = 512;

/// Left and right of a side output; empty where the host gives none.
pub type Side<'a> = [&'a mut [f32]; 2];

/// What drives the hammer.
pub enum Input<'a> {
    /// A signal of its own, left and right, full scale 1; empty when it is not connected.
    Side([&'a [f32]; 2]),
    /// What lies in the main output before it is overwritten.
    Through,
}

/// The sound of one block on its way in and out.
pub struct Ports<'a> {
    /// Left and right, of the same length.
    pub main: [&'a mut [f32]; 2],
    /// The outputs beside the main one.
    pub sides: ([Side<'a>; OUTPUTS - 1], usize),
    /// What drives the hammer.
    pub input: Input<'a>,
}

/// An engine, and all that connects it to a host.
pub struct Processor {
    knobs: Arc<HostParams>,
    host: HostEnd,
    audio: AudioEnd,
    editor: EditorEnd,
    bell: Arc<ParamRescanFlag>,
    repaint: RepaintNotifier,
    engine: Option<Engine>,
    /// What the engine has been told so far.
    sent_values: ParamValues,
    player: EventTranslator,
    playhead: TransportMonitor,
    offline: bool,
    /// What is about to be overwritten.
    strip: Box<[[f32; STRIP]; 2]>,
}

impl Processor {
    /// At rest, with the knobs that `dress` makes of what is to be told of every patch that a host loads. Allocates.
    pub fn new(dress: impl FnOnce(Box<dyn Fn(&Patch) + Send + Sync>) -> HostParams) -> Self {
        let (audio, editor, host) = threads::connect();
        let (loader, reader) = (host.loader(), host.loader());
        let knobs = Arc::new(dress(Box::new(move |patch| loader.load(patch))));
        let (weak, bell) = (Arc::downgrade(&knobs), ParamRescanFlag::take());
        let (rung, repaint) = (Arc::clone(&bell), RepaintNotifier::new());
        let shown = repaint.clone();
        host.read_programs(move |number| {
            program::load(number, &weak, &reader, &rung);
            shown.request_repaint();
        });
        Self {
            sent_values: knobs.settings(),
            knobs,
            host,
            audio,
            editor,
            bell,
            repaint,
            engine: None,
            player: EventTranslator::new(),
            playhead: TransportMonitor::default(),
            offline: false,
            strip: Box::new([[0.0; STRIP]; 2]),
        }
    }

    /// The knobs.
    pub fn knobs(&self) -> &Arc<HostParams> {
        &self.knobs
    }

    /// The editor for a host to open, on the page called `page`.
    pub fn open(&self, page: &str) -> Option<HostEditor> {
        editor::open(self.knobs.clone(), self.editor.clone(), self.bell.clone(), self.repaint.clone(), page)
    }

    /// Builds the engine for what the host has arranged.
    pub fn activate<P: Plugin>(&mut self, buffers: &BufferConfig, context: &mut impl ActivateContext<P>) -> bool {
        let patch = self.knobs.patch();
        let engine = self.engine.insert(Engine::new(EngineConfig::at(f64::from(buffers.sample_rate)), &patch));
        self.audio.activate(&self.host, engine);
        self.sent_values = patch.settings;
        self.player = EventTranslator::new();
        // not while playing: nice-plug then sends itself a task, and may write to its log
        context.set_current_voice_capacity(voices(&self.sent_values));
        self.offline = buffers.process_mode == ProcessMode::Offline;
        true
    }

    /// Silence.
    pub fn reset(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.reset();
        }
        self.player.reset();
        self.playhead = TransportMonitor::default();
    }

    /// Plays one block. Events take place at their frames; those behind the last frame after it.
    pub fn process<P: Plugin<SysExMessage = ()>>(&mut self, ports: Ports, context: &mut impl ProcessContext<P>) -> ProcessStatus {
        let begun = Instant::now();
        let Self { knobs, audio, engine, sent_values: told, player, playhead, offline, strip, .. } = self;
        let Some(engine) = engine else { return ProcessStatus::Error("not activated") };
        let Ports { main: [left, right], sides: (mut sides, there), input } = ports;
        let frames = left.len();
        send_param_changes(engine, knobs, told);
        audio.tunings(engine);
        audio.exchange_bodies(engine, *offline);
        audio.take_editor_events(engine);
        let moved = playhead.look(context.transport(), frames);
        if moved {
            engine.event(&Event::TransportRestart);
        }
        playhead.tempo(context.transport(), moved).iter().for_each(|tempo| engine.event(tempo));
        player.speak(context.plugin_api());
        player.sync_modulation(knobs, engine);

        let mut loudest = 0.0_f32;
        let mut next = context.next_event();
        let mut frame = 0;
        while frame < frames {
            while let Some(event) = next.take_if(|event| event.timing() as usize <= frame) {
                if let NoteEvent::MidiProgramChange { program, .. } = event {
                    audio.program(program, *offline);
                    if *offline {
                        send_param_changes(engine, knobs, told);
                        audio.tunings(engine);
                        audio.exchange_bodies(engine, true);
                    }
                }
                player.play(engine, &event);
                next = context.next_event();
            }
            let due = next.as_ref().map_or(frames, |event| (event.timing() as usize).min(frames));
            let part = frame..due.min(frame + STRIP);
            frame = part.end;
            let drive = match &input {
                Input::Side(signal) => signal.map(|channel| channel.get(part.clone()).unwrap_or_default()),
                Input::Through => kept([&left[part.clone()], &right[part.clone()]], strip),
            };
            loudest = drive.iter().copied().flatten().fold(loudest, |most, sample| most.max(sample.abs()));
            let mut buses = sides.each_mut().map(|[left, right]| [left, right].map(|channel| cut(channel, &part)));
            engine.render_outputs([&mut left[part.clone()], &mut right[part]], &mut buses[..there], drive);
            while let Some(note) = engine.next_ended() {
                let _ = context.try_send_event(player.end(note, frame as u32 - 1));
            }
        }
        while let Some(event) = next {
            player.play(engine, &event);
            next = context.next_event();
        }
        let block = frames as f64 / engine.config().sample_rate;
        if loudest > 0.0 && audio.is_seen() {
            self.repaint.request_repaint();
        }
        audio.send_audio([&*left, &*right]);
        audio.measure(loudest, (begun.elapsed().as_secs_f64() / block) as f32);
        self.show()
    }

    /// Tells editor and host what sounds.
    fn show(&mut self) -> ProcessStatus {
        let Some(engine) = &mut self.engine else { return ProcessStatus::Normal };
        self.audio.send_telemetry(engine);
        if engine.is_asleep() {
            return ProcessStatus::Normal;
        }
        if self.audio.is_seen() {
            self.repaint.request_repaint();
        }
        let tail = TAIL_DECAYS * engine.settings().get(ParamId::Decay) * engine.config().sample_rate;
        ProcessStatus::Tail(tail.min(f64::from(u32::MAX - 1)) as u32)
    }
}

/// Tells the engine which knobs have moved. nice-plug splits the block where an automation event lies, so this frame is its frame.
/// While a patch is being taken up they stand still.
fn send_param_changes(engine: &mut Engine, knobs: &HostParams, told: &mut ParamValues) {
    let Some(settings) = knobs.settings_if_stable() else { return };
    for &knob in ParamId::ALL {
        let value = settings.get(knob);
        if value != told.get(knob) {
            told.set(knob, value);
            engine.event(&Event::Set { knob, value });
        }
    }
}

/// Voices that a host may tell apart.
fn voices(settings: &ParamValues) -> u32 {
    settings.get(ParamId::Voices) as u32
}

/// The frames `part` of a channel, as far as it goes.
fn cut<'a>(channel: &'a mut [f32], part: &Range<usize>) -> &'a mut [f32] {
    let end = part.end.min(channel.len());
    &mut channel[part.start.min(end)..end]
}

/// Left and right, which are no longer than `room`, where nobody overwrites them.
fn kept<'a>(channels: [&[f32]; 2], room: &'a mut [[f32; STRIP]; 2]) -> [&'a [f32]; 2] {
    let mut both = channels.into_iter().zip(room).map(|(channel, room)| {
        let room = &mut room[..channel.len()];
        room.copy_from_slice(channel);
        &*room
    });
    [both.next().unwrap_or_default(), both.next().unwrap_or_default()]
}
