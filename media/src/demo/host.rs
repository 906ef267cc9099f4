//! A headless CLAP host: loads the bundled plugin from disk and renders events with it.

use crate::wav::Stereo;
use anyhow::{Context, Result, anyhow, bail, ensure};
use clack_extensions::audio_ports::{AudioPortInfoBuffer, PluginAudioPorts};
use clack_extensions::params::{ParamInfoBuffer, PluginParams};
use clack_extensions::render::{PluginRender, RenderMode};
use clack_extensions::state::PluginState;
use clack_host::events::Match;
use clack_host::events::event_types::{NoteOffEvent, NoteOnEvent, ParamValueEvent};
use clack_host::prelude::*;
use std::ffi::CString;
use std::path::Path;
use urto_engine::params::{ParamId, Scale};
use urto_engine::patch::Patch;
use urto_engine::patch::patch_toml;

/// Block size [frames].
const BLOCK: usize = 480;

/// A note or a change of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// MIDI velocity: 1 to 127.
    NoteOn {
        key: u8,
        velocity: u8,
    },
    NoteOff {
        key: u8,
    },
    /// The value has the unit of the parameter.
    SetParameter {
        parameter: ParamId,
        value: f64,
    },
}

/// An action and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedAction {
    /// Frames since the start.
    pub frame: u64,
    pub action: Action,
}

/// A loaded plugin file.
pub struct Host {
    entry: PluginEntry,
    rate: f64,
}

impl Host {
    /// Loads a CLAP bundle for a sample rate [Hz]. Errors: a file that is missing or not a CLAP.
    pub fn load(clap: &Path, rate: f64) -> Result<Self> {
        ensure!(clap.exists(), "{} does not exist; `cargo xtask demo` builds it", clap.display());
        // SAFETY: the file is the bundle that `cargo xtask` has just built from this repository; loading it runs only the
        // plugin's entry point.
        let entry = unsafe { PluginEntry::load(clap) }.map_err(|e| anyhow!("cannot load {}: {e}", clap.display()))?;
        Ok(Self { entry, rate })
    }

    /// Renders `actions`, sorted by frame, for `seconds` with a new instance of the plugin that plays `patch`.
    pub fn play(&self, patch: &Patch, actions: &[TimedAction], seconds: f64) -> Result<Stereo> {
        let mut instance = self.instance()?;
        let params = Params::of(&mut instance)?;
        load_state(&mut instance, patch)?;
        params.set_all(&mut instance, patch)?;
        set_offline(&mut instance)?;
        let ports = PortChannels::of(&mut instance);
        ensure!(ports.outputs.first() == Some(&2), "the first output has {:?} channels; the demo needs 2", ports.outputs.first());
        let timeline = params.timeline(&mut instance, actions)?;
        let total = (seconds * self.rate) as usize;

        let configuration =
            PluginAudioConfiguration { sample_rate: self.rate, min_frames_count: 1, max_frames_count: BLOCK as u32 };
        let stopped = instance.activate(|_, _| (), configuration).map_err(|e| anyhow!("the plugin cannot be activated: {e}"))?;
        let started = stopped.start_processing().map_err(|e| anyhow!("the plugin does not start processing: {e}"))?;
        let (stopped, sound) = process(started, &timeline, total, &ports)?;
        instance.deactivate(stopped);
        Ok(sound)
    }

    fn instance(&self) -> Result<PluginInstance<MinimalHost>> {
        let factory = self.entry.get_plugin_factory().context("the CLAP file has no plugin factory")?;
        let id =
            factory.plugin_descriptors().find_map(|d| d.id().map(CString::from)).context("the CLAP file contains no plugin")?;
        let info = HostInfo::new("Urto demo", "The Urto developers", "", env!("CARGO_PKG_VERSION"))?;
        PluginInstance::<MinimalHost>::new(|_| HostCallbacks, |_| (), &self.entry, &id, &info)
            .map_err(|e| anyhow!("the plugin cannot be instantiated: {e}"))
    }
}

/// A host that ignores all requests of the plugin.
struct MinimalHost;
struct HostCallbacks;

impl SharedHandler<'_> for HostCallbacks {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {}
}

impl HostHandlers for MinimalHost {
    type Shared<'a> = HostCallbacks;
    type MainThread<'a> = ();
    type AudioProcessor<'a> = ();
}

/// Loads a state that contains the patch as text. The list of modes has no parameter; `Params::set_all` sets the parameters.
fn load_state(instance: &mut PluginInstance<MinimalHost>, patch: &Patch) -> Result<()> {
    let field = serde_json::to_string(&patch_toml::to_toml(patch))?;
    let state = serde_json::json!({ "version": "", "params": {}, "fields": { "patch": field } }).to_string();
    // nice-plug expects the length first, because streams of CLAP have no length
    let mut bytes = (state.len() as u64).to_le_bytes().to_vec();
    bytes.extend(state.into_bytes());
    let handle = instance.plugin_handle();
    let extension: PluginState = handle.get_extension().context("the plugin has no state extension")?;
    extension.load(&handle, &mut bytes.as_slice()).map_err(|e| anyhow!("the plugin does not accept the state of the patch: {e}"))
}

fn set_offline(instance: &mut PluginInstance<MinimalHost>) -> Result<()> {
    let handle = instance.plugin_handle();
    let render: PluginRender = handle.get_extension().context("the plugin has no render extension")?;
    render.set(&handle, RenderMode::Offline).map_err(|e| anyhow!("the plugin does not accept the offline render mode: {e}"))
}

/// Channel counts of all audio ports.
#[derive(Default)]
struct PortChannels {
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

impl PortChannels {
    fn of(instance: &mut PluginInstance<MinimalHost>) -> Self {
        let handle = instance.plugin_handle();
        let Some(ports) = handle.get_extension::<PluginAudioPorts>() else { return Self::default() };
        let mut buffer = AudioPortInfoBuffer::new();
        let mut channels = |is_input| -> Vec<usize> {
            let count = |i| ports.get(&handle, i, is_input, &mut buffer).map_or(0, |info| info.channel_count as usize);
            (0..ports.count(&handle, is_input)).map(count).collect()
        };
        Self { inputs: channels(true), outputs: channels(false) }
    }
}

/// The plugin's parameters in the order of the parameter table, identified by group and name as in a host's list.
struct Params {
    extension: PluginParams,
    ids: Vec<ClapId>,
}

impl Params {
    fn of(instance: &mut PluginInstance<MinimalHost>) -> Result<Self> {
        let handle = instance.plugin_handle();
        let extension: PluginParams = handle.get_extension().context("the plugin has no parameter extension")?;
        let mut listed = Vec::new();
        let mut buffer = ParamInfoBuffer::new();
        for index in 0..extension.count(&handle) {
            let info =
                extension.get_info(&handle, index, &mut buffer).context("the plugin lists a parameter without information")?;
            listed.push((
                String::from_utf8_lossy(info.module).into_owned(),
                String::from_utf8_lossy(info.name).into_owned(),
                info.id,
            ));
        }
        let find = |param: &ParamId| {
            let (param, host_name) = (param.spec(), param.spec().host_name());
            let found = listed.iter().find(|(group, name, _)| group.ends_with(param.group) && *name == host_name);
            found.map(|(.., id)| *id).with_context(|| format!("the plugin has no parameter {} / {host_name}", param.group))
        };
        Ok(Self { extension, ids: ParamId::ALL.iter().map(find).collect::<Result<_>>()? })
    }

    /// Converts a value in the parameter's unit to the host's value, through the text that a user would type.
    fn host_value(&self, instance: &mut PluginInstance<MinimalHost>, param: ParamId, value: f64) -> Result<(ClapId, f64)> {
        let id = self.ids[param as usize];
        let text = match param.spec().scale {
            Scale::Choice(names) => names[value as usize].to_owned(),
            _ => format!("{value} {}", param.spec().unit).trim_end().to_owned(),
        };
        let read = self.extension.text_to_value(&instance.plugin_handle(), id, &CString::new(text.as_str())?);
        read.map(|value| (id, value))
            .with_context(|| format!("the plugin does not accept the text `{text}` for the parameter {}", param.spec().id))
    }

    /// Sets every parameter to its value in the patch.
    fn set_all(&self, instance: &mut PluginInstance<MinimalHost>, patch: &Patch) -> Result<()> {
        let mut events = EventBuffer::new();
        for &param in ParamId::ALL {
            let (id, value) = self.host_value(instance, param, patch.settings.get(param))?;
            events.push(&ParamValueEvent::new(0, id, Pckn::match_all(), value));
        }
        let mut inactive = instance.inactive_plugin_handle().context("the plugin is active before its parameters are set")?;
        self.extension.flush(&mut inactive, &events.as_input(), &mut EventBuffer::new().as_output());
        Ok(())
    }

    /// Converts actions to events of CLAP.
    fn timeline(&self, instance: &mut PluginInstance<MinimalHost>, actions: &[TimedAction]) -> Result<Vec<TimedEvent>> {
        let convert = |timed: &TimedAction| {
            let event = match timed.action {
                Action::NoteOn { key, velocity } => ClapEvent::NoteOn { key, velocity: f64::from(velocity) / 127.0 },
                Action::NoteOff { key } => ClapEvent::NoteOff { key },
                Action::SetParameter { parameter, value } => {
                    let (id, value) = self.host_value(instance, parameter, value)?;
                    ClapEvent::Parameter { id, value }
                }
            };
            Ok(TimedEvent { frame: timed.frame, event })
        };
        actions.iter().map(convert).collect()
    }
}

/// An action in the units of CLAP.
#[derive(Clone, Copy)]
enum ClapEvent {
    /// Velocity: 0 to 1.
    NoteOn {
        key: u8,
        velocity: f64,
    },
    NoteOff {
        key: u8,
    },
    Parameter {
        id: ClapId,
        value: f64,
    },
}

/// An event and its time.
#[derive(Clone, Copy)]
struct TimedEvent {
    /// Frames since the start.
    frame: u64,
    event: ClapEvent,
}

impl ClapEvent {
    /// Adds the event at `time` frames after the start of the block.
    fn push(self, buffer: &mut EventBuffer, time: u32) {
        let note = |key: u8| Pckn::new(0u16, 0u16, u16::from(key), Match::All);
        match self {
            Self::NoteOn { key, velocity } => buffer.push(&NoteOnEvent::new(time, note(key), velocity)),
            Self::NoteOff { key } => buffer.push(&NoteOffEvent::new(time, note(key), 0.0)),
            Self::Parameter { id, value } => buffer.push(&ParamValueEvent::new(time, id, Pckn::match_all(), value)),
        }
    }
}

type Started = StartedPluginAudioProcessor<MinimalHost>;
type Stopped = StoppedPluginAudioProcessor<MinimalHost>;

/// Renders `total` frames in blocks. Returns the stopped processor and the sound of the first output.
fn process(mut plugin: Started, timeline: &[TimedEvent], total: usize, ports: &PortChannels) -> Result<(Stopped, Stereo)> {
    let buffers = |ports: &[usize]| ports.iter().map(|&n| vec![vec![0.0f32; BLOCK]; n]).collect::<Vec<_>>();
    let (mut silence, mut rendered) = (buffers(&ports.inputs), buffers(&ports.outputs));
    let mut in_ports = AudioPorts::with_capacity(ports.inputs.iter().sum(), ports.inputs.len());
    let mut out_ports = AudioPorts::with_capacity(ports.outputs.iter().sum(), ports.outputs.len());
    let mut sound: Stereo = [Vec::with_capacity(total), Vec::with_capacity(total)];
    let mut next = 0;
    for start in (0..total).step_by(BLOCK) {
        let frames = BLOCK.min(total - start);
        let mut events = EventBuffer::new();
        while let Some(timed) = timeline.get(next).filter(|timed| timed.frame < (start + frames) as u64) {
            timed.event.push(&mut events, (timed.frame - start as u64) as u32);
            next += 1;
        }
        let audio_in = in_ports.with_input_buffers(silence.iter_mut().map(|port| AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_input_only(port.iter_mut().map(|c| InputChannel::constant(&mut c[..frames]))),
        }));
        let mut audio_out = out_ports.with_output_buffers(rendered.iter_mut().map(|port| AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(port.iter_mut().map(|c| &mut c[..frames])),
        }));
        let mut plugin_events = EventBuffer::new();
        let time = Some(start as u64);
        let status = plugin.process(&audio_in, &mut audio_out, &events.as_input(), &mut plugin_events.as_output(), time, None);
        if let Err(error) = status {
            bail!("the plugin reports an error in the block at frame {start}: {error}");
        }
        for (channel, port) in sound.iter_mut().zip(&rendered[0]) {
            channel.extend_from_slice(&port[..frames]);
        }
    }
    Ok((plugin.stop_processing(), sound))
}
