//! A CLAP host around the entry of the plugin, without a file.

use std::cell::Cell;
use std::ffi::CString;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use clack_extensions::params::{
    HostParams, HostParamsImplMainThread, HostParamsImplShared, ParamClearFlags, ParamInfoBuffer, ParamInfoFlags,
    ParamRescanFlags, PluginParams,
};
use clack_extensions::render::{PluginRender, RenderMode};
use clack_extensions::state::{HostState, HostStateImpl, PluginState};
use clack_host::events::event_types::{NoteOnEvent, ParamValueEvent, TransportEvent, TransportFlags};
use clack_host::events::{EventFlags, EventHeader, Match};
use clack_host::prelude::*;
use clack_host::process::ProcessStatus;
use clack_host::utils::{BeatTime, SecondsTime};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::patch_toml;

use crate::support::engine_reference::Stereo;

/// Largest block that the plugin is activated for.
pub const LARGEST: usize = 4096;

/// What the host does with the side-chain port.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    /// No input buffers at all.
    Absent,
    /// Left and right.
    Signal(&'a [f32], &'a [f32]),
    /// Left and right, marked as the same value all along.
    Constant(&'a [f32], &'a [f32]),
    /// One channel where there should be two.
    Mono(&'a [f32]),
    /// Double samples, which the plugin has not asked for.
    Doubles,
}

/// A host that does what it is asked when the test lets it.
pub struct Quiet;

/// Whether the plugin wants to be called on the main thread.
#[derive(Default)]
pub struct Calls(AtomicBool);

/// How often the host was told to look at all values, and that its session has changed.
#[derive(Default)]
pub struct HostCalls {
    rescans: Cell<u32>,
    changes: Cell<u32>,
}

impl SharedHandler<'_> for Calls {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {
        self.0.store(true, Relaxed);
    }
}

impl MainThreadHandler<'_> for HostCalls {}

impl HostParamsImplShared for Calls {
    fn request_flush(&self) {}
}

impl HostParamsImplMainThread for HostCalls {
    fn rescan(&self, flags: ParamRescanFlags) {
        assert_eq!(flags, ParamRescanFlags::VALUES);
        self.rescans.set(self.rescans.get() + 1);
    }

    fn clear(&self, _: ClapId, _: ParamClearFlags) {}
}

impl HostStateImpl for HostCalls {
    fn mark_dirty(&self) {
        self.changes.set(self.changes.get() + 1);
    }
}

impl HostHandlers for Quiet {
    type Shared<'a> = Calls;
    type MainThread<'a> = HostCalls;
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _: &Calls) {
        builder.register::<HostParams>().register::<HostState>();
    }
}

/// One parameter as the host sees it.
pub struct Listed {
    pub id: u32,
    pub group: String,
    pub name: String,
    pub steps: f64,
    pub automatable: bool,
    pub per_note: bool,
    /// Whether the host is to show the names of choices.
    pub is_list: bool,
}

/// An instance of the plugin, and its audio side while it runs.
pub struct Clap {
    pub instance: PluginInstance<Quiet>,
    pub audio: Option<StartedPluginAudioProcessor<Quiet>>,
    params: Vec<Listed>,
    transport: Option<TransportEvent>,
}

/// What one block gave.
pub struct Block {
    pub sound: Stereo,
    pub said: EventBuffer,
    pub status: ProcessStatus,
}

impl Clap {
    /// A new instance of the instrument, not yet active.
    pub fn new() -> Self {
        Self::listed_at(0)
    }

    /// A new instance of the effect, not yet active.
    pub fn effect() -> Self {
        Self::listed_at(1)
    }

    fn listed_at(place: usize) -> Self {
        // SAFETY: the entry is the plugin's own, linked into this test.
        let entry =
            unsafe { PluginEntry::load_from_raw(&urto::clap_entry, c"/nowhere/urto.clap") }.expect("the entry initialises");
        let factory = entry.get_plugin_factory().expect("a factory");
        let id = CString::from(factory.plugin_descriptors().nth(place).and_then(|d| d.id()).expect("a plugin"));
        let info = HostInfo::new("Test", "Urto", "", "1").expect("plain names");
        let instance = PluginInstance::<Quiet>::new(|_| Calls::default(), |_| HostCalls::default(), &entry, &id, &info)
            .expect("an instance");
        let mut clap = Self { instance, audio: None, params: Vec::new(), transport: None };
        clap.params = clap.list();
        clap
    }

    /// A new instance that runs at `rate` [Hz].
    pub fn running(rate: f64) -> Self {
        let mut clap = Self::new();
        clap.start(rate);
        clap
    }

    /// A new instance, not yet active, with a patch in its state.
    pub fn with(patch: &Patch) -> Self {
        let mut clap = Self::new();
        assert!(clap.load(&state(patch)));
        clap
    }

    /// Activates and starts.
    pub fn start(&mut self, rate: f64) {
        let configuration = PluginAudioConfiguration { sample_rate: rate, min_frames_count: 1, max_frames_count: LARGEST as u32 };
        let stopped = self.instance.activate(|_, _| (), configuration).expect("activates");
        self.audio = Some(stopped.start_processing().expect("starts"));
    }

    /// Stops and deactivates.
    pub fn stop(&mut self) {
        if let Some(audio) = self.audio.take() {
            self.instance.deactivate(audio.stop_processing());
        }
    }

    /// Silence, as a host asks for it between two takes.
    pub fn reset(&mut self) {
        self.audio.as_mut().expect("runs").reset();
    }

    /// Processes one block.
    pub fn block(&mut self, frames: usize, events: &EventBuffer, side: Side) -> Block {
        process(self.audio.as_mut().expect("runs"), self.transport.as_ref(), frames, events, side)
    }

    /// Where the transport is from the next block on: whether it plays, and the seconds from the beginning of the song.
    pub fn transport(&mut self, place: Option<(bool, f64)>) {
        self.transport = place.map(|(is_running, seconds)| {
            let is_running = if is_running { TransportFlags::IS_PLAYING } else { TransportFlags::empty() };
            TransportEvent {
                header: EventHeader::new_core(0, EventFlags::empty()),
                flags: is_running | TransportFlags::HAS_SECONDS_TIMELINE,
                song_pos_beats: BeatTime::from_int(0),
                song_pos_seconds: SecondsTime::from_float(seconds),
                tempo: 0.0,
                tempo_inc: 0.0,
                loop_start_beats: BeatTime::from_int(0),
                loop_end_beats: BeatTime::from_int(0),
                loop_start_seconds: SecondsTime::from_int(0),
                loop_end_seconds: SecondsTime::from_int(0),
                bar_start: BeatTime::from_int(0),
                bar_number: 0,
                time_signature_numerator: 4,
                time_signature_denominator: 4,
            }
        });
    }

    /// Processes blocks of the given sizes; `send` fills each block's events, given its first frame and its length.
    pub fn blocks(
        &mut self,
        sizes: impl IntoIterator<Item = usize>,
        mut send: impl FnMut(&Clap, std::ops::Range<usize>, &mut EventBuffer),
        drive: Option<[&[f32]; 2]>,
    ) -> Stereo {
        let mut sound: Stereo = Default::default();
        let mut frame = 0;
        for size in sizes {
            let mut events = EventBuffer::new();
            let span = frame..frame + size;
            send(self, span.clone(), &mut events);
            let side = drive.map_or(Side::Absent, |[left, right]| Side::Signal(&left[span.clone()], &right[span.clone()]));
            let block = self.block(size, &events, side);
            for (all, part) in sound.iter_mut().zip(block.sound) {
                all.extend(part);
            }
            frame += size;
        }
        sound
    }

    /// All parameters, in the plugin's order.
    pub fn listed(&self) -> &[Listed] {
        &self.params
    }

    fn list(&mut self) -> Vec<Listed> {
        let handle = self.instance.plugin_handle();
        let params: PluginParams = handle.get_extension().expect("parameters");
        let mut buffer = ParamInfoBuffer::new();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let mut listed = Vec::new();
        for index in 0..params.count(&handle) {
            let info = params.get_info(&handle, index, &mut buffer).expect("information");
            listed.push(Listed {
                id: info.id.get(),
                group: text(info.module),
                name: text(info.name),
                steps: info.max_value,
                automatable: info.flags.contains(ParamInfoFlags::IS_AUTOMATABLE),
                per_note: info.flags.contains(ParamInfoFlags::IS_MODULATABLE_PER_NOTE_ID),
                is_list: info.flags.contains(ParamInfoFlags::IS_ENUM),
            });
        }
        assert!(params.get_info(&handle, listed.len() as u32, &mut buffer).is_none(), "there is none behind the last");
        listed
    }

    /// The host's number for a param.
    pub fn id(&self, param: ParamId) -> ClapId {
        ClapId::from_raw(self.params[param as usize].id).expect("an id")
    }

    /// The event that moves `param` to `travel`, 0 to 1.
    pub fn turn(&self, time: u32, param: ParamId, travel: f64) -> ParamValueEvent {
        let Listed { id, steps, .. } = self.params[param as usize];
        ParamValueEvent::new(time, ClapId::from_raw(id).expect("an id"), Pckn::match_all(), travel * steps)
    }

    /// Moves params while the plugin does not run.
    pub fn flush(&mut self, events: &EventBuffer) {
        let params: PluginParams = self.instance.plugin_handle().get_extension().expect("parameters");
        let mut inactive = self.instance.inactive_plugin_handle().expect("does not run");
        params.flush(&mut inactive, &events.as_input(), &mut EventBuffer::new().as_output());
    }

    /// The host's values of all parameters.
    pub fn values(&mut self) -> Vec<f64> {
        let handle = self.instance.plugin_handle();
        let params: PluginParams = handle.get_extension().expect("parameters");
        let value = |listed: &Listed| params.get_value(&handle, ClapId::from_raw(listed.id).expect("an id")).expect("a value");
        self.params.iter().map(value).collect()
    }

    /// The text of a travel of `param`, and the travel of that text.
    pub fn text(&mut self, param: ParamId, travel: f64) -> (String, Option<f64>) {
        let Listed { id, steps, .. } = self.params[param as usize];
        let id = ClapId::from_raw(id).expect("an id");
        let handle = self.instance.plugin_handle();
        let params: PluginParams = handle.get_extension().expect("parameters");
        let mut buffer = [0; 128];
        let bytes = params.value_to_text(&handle, id, travel * steps, &mut buffer).expect("a text");
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let back = params.text_to_value(&handle, id, &CString::new(text.as_str()).expect("no zero"));
        (text, back.map(|value| value / steps))
    }

    /// The plugin's state.
    pub fn save(&mut self) -> Vec<u8> {
        let handle = self.instance.plugin_handle();
        let state: PluginState = handle.get_extension().expect("state");
        let mut bytes = Vec::new();
        state.save(&handle, &mut bytes).expect("saves");
        bytes
    }

    /// Loads a state; whether the plugin took it.
    pub fn load(&mut self, mut bytes: &[u8]) -> bool {
        let handle = self.instance.plugin_handle();
        let state: PluginState = handle.get_extension().expect("state");
        state.load(&handle, &mut bytes).is_ok()
    }

    /// Calls the plugin on the main thread if it has asked for that; how often since the start the plugin has told the host to look at
    /// all values, and that its session has changed.
    pub fn idle(&mut self) -> (u32, u32) {
        if self.instance.access_shared_handler(|calls| calls.0.swap(false, Relaxed)) {
            self.instance.call_on_main_thread_callback();
        }
        self.instance.access_handler(|calls| (calls.rescans.get(), calls.changes.get()))
    }

    /// Offline rendering, to be set before `start`.
    pub fn offline(&mut self) {
        let handle = self.instance.plugin_handle();
        let render: PluginRender = handle.get_extension().expect("render");
        render.set(&handle, RenderMode::Offline).expect("renders offline");
    }
}

impl Drop for Clap {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Processes one block on the thread that calls it, which may be another than that of the instance.
pub fn process(
    audio: &mut StartedPluginAudioProcessor<Quiet>,
    transport: Option<&TransportEvent>,
    frames: usize,
    events: &EventBuffer,
    side: Side,
) -> Block {
    // the output buffer starts with arbitrary values, some of them finite
    let stale = if matches!(side, Side::Absent | Side::Doubles) { 0.5 } else { f32::NAN };
    let mut sound = [vec![stale; frames], vec![stale; frames]];
    // The plugin may not allocate while it processes; nor may the list that it writes to.
    let mut said = EventBuffer::with_capacity(4096);
    let mut outs = AudioPorts::with_capacity(2, 1);
    let mut ins = AudioPorts::with_capacity(2, 1);
    let mut driven = match side {
        Side::Absent | Side::Doubles => Vec::new(),
        Side::Mono(mono) => vec![mono.to_vec()],
        Side::Signal(left, right) | Side::Constant(left, right) => vec![left.to_vec(), right.to_vec()],
    };
    let mut doubles = [vec![0.5f64; frames], vec![0.5; frames]];
    let constant = matches!(side, Side::Constant(..));
    let inputs = match side {
        Side::Absent => InputAudioBuffers::empty(),
        Side::Doubles => ins.with_input_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f64_input_only(doubles.iter_mut().map(|c| InputChannel::variable(c.as_mut_slice()))),
        }]),
        _ => ins.with_input_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_input_only(
                driven.iter_mut().map(|c| InputChannel::from_buffer(c.as_mut_slice(), constant)),
            ),
        }]),
    };
    let mut outputs = outs.with_output_buffers([AudioPortBuffer {
        latency: 0,
        channels: AudioPortBufferType::f32_output_only(sound.iter_mut().map(|channel| channel.as_mut_slice())),
    }]);
    let (ins, mut out) = (events.as_input(), said.as_output());
    let status = in_real_time(|| audio.process(&inputs, &mut outputs, &ins, &mut out, None, transport));
    Block { sound, said, status: status.expect("processes") }
}

/// What a host does on its audio thread. With `--cfg rtsan` and the real-time sanitizer the program ends where it allocates, locks or
/// waits.
pub fn in_real_time<T>(call: impl FnOnce() -> T) -> T {
    #[cfg(rtsan)]
    unsafe extern "C" {
        safe fn __rtsan_realtime_enter();
        safe fn __rtsan_realtime_exit();
    }
    #[cfg(rtsan)]
    __rtsan_realtime_enter();
    let answer = call();
    #[cfg(rtsan)]
    __rtsan_realtime_exit();
    answer
}

/// A state that holds nothing but a patch.
pub fn state(patch: &Patch) -> Vec<u8> {
    let field = serde_json::Value::from(serde_json::Value::from(patch_toml::to_toml(patch)).to_string());
    let state = format!(r#"{{"version":"","params":{{}},"fields":{{"patch":{field}}}}}"#);
    [&(state.len() as u64).to_le_bytes()[..], state.as_bytes()].concat()
}

/// A note-on at `time`, with a voice id if one is given.
pub fn note_on(time: u32, key: u8, velocity: f64, voice: Option<u32>) -> NoteOnEvent {
    let voice = voice.map_or(Match::All, Match::Specific);
    NoteOnEvent::new(time, Pckn::new(0u16, 0u16, u16::from(key), voice), velocity)
}
