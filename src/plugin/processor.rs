//! The part that instrument and effect share: passes host events to the engine, renders, and reports to editor and host.

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::{Arc, Weak};
use std::time::Duration;

use nice_plug::prelude::*;
use nice_plug_egui::RepaintNotifier;

use crate::editor;
use crate::editor::HostEditor;
use crate::host_params::HostParams;
use crate::plugin::core_use::CoreUse;
use crate::plugin::event_translation::EventTranslator;
use crate::plugin::transport::TransportMonitor;
use crate::threads::{self, AudioEnd, EditorEnd, HostEnd, MovedController, ParamRescanFlag, PatchLoader};
use urto_engine::params::{PARAMS, ParamId, ParamValues};
use urto_engine::patch::{OUTPUTS, Patch, preset_library};
use urto_engine::{Engine, EngineConfig, Event, PreparedBody};

/// Channels of every port.
pub const STEREO: NonZeroU32 = new_nonzero_u32(2);

/// Events of a block for which nice-plug has room without allocating: five parameters automated at every sample of 2,048 frames, and
/// as many notes again as its default.
pub const EVENT_CAPACITY: usize = 5 * 2048 + 1024;

/// The voice configuration for CLAP hosts.
pub const VOICES: PolyModulationConfig =
    PolyModulationConfig { max_voice_capacity: PARAMS[ParamId::Voices as usize].max as u32, supports_overlapping_voices: true };

/// Reported tail, in decay times T60: two of them reach -120 dB.
const TAIL_DECAYS: f64 = 2.0;
/// Frames that are rendered at once, at most.
const MAX_RUN: usize = 512;

/// Left and right of a side output; empty where the host gives none.
pub type SideOutput<'a> = [&'a mut [f32]; 2];

/// The outputs other than the main one.
#[derive(Default)]
pub struct SideOutputs<'a> {
    /// Left and right of each.
    pub outputs: [SideOutput<'a>; OUTPUTS - 1],
    /// Number of outputs that the host has arranged.
    pub count: usize,
}

/// The signal that drives the hammer.
pub enum DriveInput<'a> {
    /// A side-chain, left and right, full scale 1; empty when it is not connected.
    SideChain([&'a [f32]; 2]),
    /// The content of the main output before it is overwritten.
    MainInput,
}

/// The audio buffers of one block.
pub struct Ports<'a> {
    /// Left and right, of the same length.
    pub main: [&'a mut [f32]; 2],
    /// The outputs other than the main one.
    pub sides: SideOutputs<'a>,
    /// The signal that drives the hammer.
    pub drive: DriveInput<'a>,
}

/// The processor load: time that `process` computes, over the duration of the sound.
///
/// nice-plug calls `process` for the part of a block up to each automation event. The fixed work of a call would make the load of a part
/// of few samples large. Parts are therefore added up to the length of a whole block.
struct LoadMeter {
    /// Greatest number of frames of a block.
    block: usize,
    frames: usize,
    time: Duration,
}

impl LoadMeter {
    fn new(block: usize) -> Self {
        Self { block: block.max(1), frames: 0, time: Duration::ZERO }
    }

    /// Adds a call of `frames` that took `time`. Returns time over duration at `sample_rate` [Hz] once a whole block has been added.
    fn add(&mut self, frames: usize, time: Duration, sample_rate: f64) -> Option<f32> {
        (self.frames, self.time) = (self.frames + frames, self.time + time);
        if self.frames < self.block {
            return None;
        }
        let load = self.time.as_secs_f64() * sample_rate / self.frames as f64;
        *self = Self::new(self.block);
        Some(load as f32)
    }
}

/// A clock that runs while this thread computes: not while it waits, and not while the system runs other threads on its processor. On
/// systems other than Unix it runs all the time. Reading it neither allocates nor locks.
struct ThreadClock(#[cfg(unix)] Duration, #[cfg(not(unix))] std::time::Instant);

impl ThreadClock {
    #[cfg(unix)]
    fn start() -> Self {
        Self(thread_time())
    }

    #[cfg(not(unix))]
    fn start() -> Self {
        Self(std::time::Instant::now())
    }

    /// Time since the start.
    fn elapsed(&self) -> Duration {
        #[cfg(unix)]
        let elapsed = thread_time().saturating_sub(self.0);
        #[cfg(not(unix))]
        let elapsed = self.0.elapsed();
        elapsed
    }
}

/// Processor time of this thread; 0 on a system that does not measure it.
#[cfg(unix)]
fn thread_time() -> Duration {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// An engine with its connections to host, worker and editor.
pub struct Processor {
    params: Arc<HostParams>,
    host: HostEnd,
    audio: AudioEnd,
    editor: EditorEnd,
    rescan: Arc<ParamRescanFlag>,
    repaint: RepaintNotifier,
    engine: Option<Engine>,
    cores: CoreUse,
    /// The values that the engine has received.
    sent_values: ParamValues,
    translator: EventTranslator,
    transport: TransportMonitor,
    is_offline: bool,
    load: LoadMeter,
    /// Copy of the main input, which the output overwrites.
    input_copy: Box<[[f32; MAX_RUN]; 2]>,
}

impl Processor {
    /// A silent processor. `make_params` builds the parameters; they call its argument with the patch of every host state. Allocates.
    pub fn new(make_params: impl FnOnce(Box<dyn Fn(&Patch) + Send + Sync>) -> HostParams) -> Self {
        let (audio, editor, host) = threads::connect();
        if let Some(fault) = editor.controllers().fault() {
            nice_error!("No controllers are assigned: {fault}");
        }
        let (state_loader, program_loader) = (host.loader(), host.loader());
        let params = Arc::new(make_params(Box::new(move |patch| state_loader.load(patch))));
        let (weak_params, rescan) = (Arc::downgrade(&params), ParamRescanFlag::take());
        let (program_rescan, repaint) = (Arc::clone(&rescan), RepaintNotifier::new());
        let program_repaint = repaint.clone();
        host.set_program_loader(move |number| {
            load_program(number, &weak_params, &program_loader, &program_rescan);
            program_repaint.request_repaint();
        });
        Self {
            sent_values: params.settings(),
            params,
            host,
            audio,
            editor,
            rescan,
            repaint,
            engine: None,
            cores: CoreUse::new(),
            translator: EventTranslator::new(),
            transport: TransportMonitor::default(),
            is_offline: false,
            load: LoadMeter::new(MAX_RUN),
            input_copy: Box::new([[0.0; MAX_RUN]; 2]),
        }
    }

    /// The parameters.
    pub fn params(&self) -> &Arc<HostParams> {
        &self.params
    }

    /// The editor for a host to open, on the page called `page`.
    pub fn open(&self, page: &str) -> Option<HostEditor> {
        editor::open(self.params.clone(), self.editor.clone(), self.rescan.clone(), self.repaint.clone(), page)
    }

    /// Builds the engine for the host's configuration.
    pub fn activate<P: Plugin>(&mut self, buffers: &BufferConfig, context: &mut impl ActivateContext<P>) -> bool {
        let patch = self.params.patch();
        let mut engine = Engine::new(EngineConfig::at(f64::from(buffers.sample_rate)), &patch);
        self.cores.equip(&mut engine, self.engine.as_mut());
        let engine = self.engine.insert(engine);
        self.audio.activate(&self.host, engine);
        self.sent_values = patch.settings;
        self.translator = EventTranslator::new();
        // only here: during playback nice-plug would send itself a task, and might write to its log
        context.set_current_voice_capacity(self.sent_values.get(ParamId::Voices) as u32);
        self.load = LoadMeter::new(buffers.max_buffer_size as usize);
        self.is_offline = buffers.process_mode == ProcessMode::Offline;
        true
    }

    /// Silences the engine and forgets all notes.
    pub fn reset(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.reset();
        }
        self.translator.reset();
        self.transport = TransportMonitor::default();
    }

    /// Renders one block. Events take effect at their frames; events after the last frame take effect after the block.
    pub fn process<P: Plugin<SysExMessage = ()>>(&mut self, ports: Ports, context: &mut impl ProcessContext<P>) -> ProcessStatus {
        let start = ThreadClock::start();
        let frames = ports.main[0].len();
        if !self.receive(frames, context) {
            return ProcessStatus::Error("not activated");
        }
        self.render(ports, context, start)
    }

    /// Gives the engine all changes that take effect at the start of a block of `frames`. Returns whether there is an engine.
    fn receive<P: Plugin<SysExMessage = ()>>(&mut self, frames: usize, context: &mut impl ProcessContext<P>) -> bool {
        let Self { params, audio, engine: Some(engine), cores, sent_values, translator, transport, is_offline, .. } = self else {
            return false;
        };
        send_param_changes(engine, params, sent_values);
        cores.set(sent_values.get(ParamId::RenderThreads) != 0.0);
        audio.take_controllers();
        translator.set_drums(audio.drums());
        audio.tunings(engine);
        audio.exchange_bodies(engine, *is_offline);
        audio.take_editor_events(engine);
        let has_moved = transport.advance(context.transport(), frames);
        if has_moved {
            engine.event(&Event::TransportRestart);
        }
        transport.tempo_event(context.transport(), has_moved).iter().for_each(|tempo| engine.event(tempo));
        translator.set_api(context.plugin_api());
        translator.sync_modulation(params, engine);
        true
    }

    /// Renders between the events of a block that began at `start`, and reports to editor and host.
    fn render<P: Plugin<SysExMessage = ()>>(
        &mut self,
        ports: Ports,
        context: &mut impl ProcessContext<P>,
        start: ThreadClock,
    ) -> ProcessStatus {
        let Ports { main: [left, right], mut sides, drive } = ports;
        let frames = left.len();
        let mut drive_peak = 0.0_f32;
        let mut next = context.next_event();
        let mut frame = 0;
        while frame < frames {
            while let Some(event) = next.take_if(|event| event.timing() as usize <= frame) {
                self.handle_event(&event);
                next = context.next_event();
            }
            let Some(engine) = &mut self.engine else { break };
            let due = next.as_ref().map_or(frames, |event| (event.timing() as usize).min(frames));
            let run = frame..due.min(frame + MAX_RUN);
            frame = run.end;
            let signal = match &drive {
                DriveInput::SideChain(signal) => signal.map(|channel| channel.get(run.clone()).unwrap_or_default()),
                DriveInput::MainInput => copied([&left[run.clone()], &right[run.clone()]], &mut self.input_copy),
            };
            drive_peak = signal.iter().copied().flatten().fold(drive_peak, |peak, sample| peak.max(sample.abs()));
            let mut buses = sides.outputs.each_mut().map(|[left, right]| [left, right].map(|channel| clipped(channel, &run)));
            engine.render_outputs([&mut left[run.clone()], &mut right[run]], &mut buses[..sides.count], signal);
            while let Some(note) = engine.next_ended() {
                let _ = context.try_send_event(self.translator.end(note, frame as u32 - 1));
            }
        }
        while let Some(event) = next {
            self.handle_event(&event);
            next = context.next_event();
        }
        self.send([&*left, &*right], drive_peak, start)
    }

    /// Handles one event within a block; a program change as well.
    fn handle_event(&mut self, event: &NoteEvent<()>) {
        let Self { params, audio, engine: Some(engine), sent_values, is_offline, .. } = self else { return };
        if let NoteEvent::MidiProgramChange { program, .. } = *event {
            audio.program(program, *is_offline);
            if *is_offline {
                send_param_changes(engine, params, sent_values);
                audio.tunings(engine);
                audio.exchange_bodies(engine, true);
            }
        }
        if let NoteEvent::MidiCC { channel, cc: number, value, .. } = *event
            && self.set_assigned_params(MovedController { channel, number }, f64::from(value))
        {
            return;
        }
        self.translate(event);
    }

    /// Sets the parameters to which the user has assigned a controller; `value` is its value, 0 to 1. Returns whether there are any. The host reads them
    /// again on its main thread.
    fn set_assigned_params(&mut self, moved: MovedController, value: f64) -> bool {
        let Self { params, audio, engine: Some(engine), sent_values, .. } = self else { return false };
        let mut is_assigned = false;
        for assignment in audio.assigned_to(moved) {
            let travel = f64::from(params.travel(assignment.param).0);
            params.set_unnoticed(assignment.param, assignment.travel(value, travel) as f32);
            is_assigned = true;
        }
        if is_assigned {
            send_param_changes(engine, params, sent_values);
            self.rescan.request();
        }
        is_assigned
    }

    fn translate(&mut self, event: &NoteEvent<()>) {
        if let Some(engine) = &mut self.engine {
            self.translator.translate(engine, event);
        }
    }

    /// Sends the block's sound, its meters and telemetry to the editor, and the tail to the host.
    fn send(&mut self, sound: [&[f32]; 2], drive_peak: f32, start: ThreadClock) -> ProcessStatus {
        let Some(engine) = &mut self.engine else { return ProcessStatus::Normal };
        if drive_peak > 0.0 && self.audio.is_seen() {
            self.repaint.request_repaint();
        }
        self.audio.send_audio(sound);
        self.audio.send_telemetry(engine);
        let load = self.load.add(sound[0].len(), start.elapsed(), engine.config().sample_rate);
        self.audio.measure(drive_peak, load.unwrap_or(0.0));
        if engine.is_asleep() {
            return ProcessStatus::Normal;
        }
        if self.audio.is_seen() {
            self.repaint.request_repaint();
        }
        let decay = engine.settings().get(ParamId::Decay) + engine.room_tail();
        let tail = TAIL_DECAYS * decay * engine.config().sample_rate;
        ProcessStatus::Tail(tail.min(f64::from(u32::MAX - 1)) as u32)
    }
}

/// Sends the parameters that have changed to the engine; none while a patch is being loaded. nice-plug splits the block at every
/// automation event, so the current frame is the event's frame.
fn send_param_changes(engine: &mut Engine, params: &HostParams, sent_values: &mut ParamValues) {
    let Some(settings) = params.settings_if_stable() else { return };
    for &param in ParamId::ALL {
        let value = settings.get(param);
        if value != sent_values.get(param) {
            sent_values.set(param, value);
            engine.event(&Event::Set { param, value });
        }
    }
}

/// Loads preset `number` of the library for a program change, as if the host had loaded its state. A number without a preset changes
/// nothing; a preset that cannot be read changes nothing and is logged. For the worker.
fn load_program(number: u8, params: &Weak<HostParams>, loader: &PatchLoader, rescan: &ParamRescanFlag) {
    let presets = preset_library::list(preset_library::folder().as_deref());
    let Some(entry) = presets.into_iter().nth(usize::from(number)) else { return };
    let (patch, notes) = match entry.read() {
        Ok(read) => read,
        Err(fault) => return nice_error!("Program {number} is not loaded: {fault}"),
    };
    notes.iter().for_each(|note| nice_log!("Program {number}, {}: {note}", entry.name));
    let body = PreparedBody::of(&patch);
    if let Some(params) = params.upgrade() {
        params.load_patch(params.fitted(patch), |patch| loader.send(patch, body));
        rescan.request();
    }
}

/// The frames `run` of a channel, as far as it reaches.
fn clipped<'a>(channel: &'a mut [f32], run: &Range<usize>) -> &'a mut [f32] {
    let end = run.end.min(channel.len());
    &mut channel[run.start.min(end)..end]
}

/// A copy in `buffer` of left and right, which are not longer than `buffer`.
fn copied<'a>(channels: [&[f32]; 2], buffer: &'a mut [[f32; MAX_RUN]; 2]) -> [&'a [f32]; 2] {
    let mut both = channels.into_iter().zip(buffer).map(|(channel, buffer)| {
        let buffer = &mut buffer[..channel.len()];
        buffer.copy_from_slice(channel);
        &*buffer
    });
    [both.next().unwrap_or_default(), both.next().unwrap_or_default()]
}

/// The members of [`Plugin`], [`ClapPlugin`] or [`Vst3Plugin`] that instrument and effect share; `self.0` is the [`Processor`].
macro_rules! forward_to_processor {
    (Plugin, page: $page:literal) => {
        const VENDOR: &'static str = "Urto";
        const URL: &'static str = env!("CARGO_PKG_HOMEPAGE");
        const EMAIL: &'static str = "";
        const VERSION: &'static str = env!("CARGO_PKG_VERSION");

        const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
        const INPUT_EVENT_CAPACITY: usize = $crate::plugin::processor::EVENT_CAPACITY;
        const SAMPLE_ACCURATE_AUTOMATION: bool = true;

        type Editor = $crate::editor::HostEditor;
        type SysExMessage = ();
        type BackgroundTask = ();

        fn params(&self) -> Arc<dyn Params> {
            self.0.params().clone()
        }

        fn editor(&mut self, _: AsyncExecutor<Self>) -> Option<Self::Editor> {
            self.0.open($page)
        }

        fn filter_state(state: &mut PluginState) {
            $crate::host_params::repair_state(state);
        }

        fn activate(&mut self, _: &AudioIOLayout, buffers: &BufferConfig, context: &mut impl ActivateContext<Self>) -> bool {
            self.0.activate(buffers, context)
        }

        fn reset(&mut self) {
            self.0.reset();
        }
    };
    (ClapPlugin) => {
        const CLAP_MANUAL_URL: Option<&'static str> = None;
        const CLAP_SUPPORT_URL: Option<&'static str> = None;
        const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> = Some($crate::plugin::processor::VOICES);

        fn remote_controls(&self, host: &mut impl RemoteControlsContext) {
            self.0.params().add_remote_controls(host);
        }
    };
}
pub(crate) use forward_to_processor;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_of_a_block_does_not_depend_on_its_parts() {
        let millis = Duration::from_millis;
        let mut whole = LoadMeter::new(480);
        assert_eq!(whole.add(480, millis(5), 48e3), Some(0.5));
        assert_eq!(whole.add(480, millis(1), 48e3), Some(0.1), "a block of its own");
        let mut parts = LoadMeter::new(480);
        let loads: Vec<_> = [1, 1, 238, 240].into_iter().filter_map(|frames| parts.add(frames, millis(1), 48e3)).collect();
        assert_eq!(loads, [0.4]);
        assert_eq!(LoadMeter::new(0).add(0, millis(1), 48e3), None, "no division by 0");
    }

    #[cfg(unix)]
    #[test]
    fn the_load_counts_computing_and_no_waiting() {
        let (clock, wall) = (ThreadClock::start(), std::time::Instant::now());
        std::thread::sleep(Duration::from_millis(60));
        assert!(clock.elapsed() < Duration::from_millis(20), "waiting: {:?}", clock.elapsed());
        let mut sum = 0u64;
        while clock.elapsed() < Duration::from_millis(25) {
            sum = std::hint::black_box(sum + 1);
            assert!(wall.elapsed() < Duration::from_secs(20), "computing does not count");
        }
    }
}
