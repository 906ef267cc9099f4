//! A headless host: loads the bundled CLAP file from disk and plays events through it.

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

/// Frames that are processed at once.
const BLOCK: usize = 480;

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Key, velocity 1 to 127.
    NoteOn(u8, u8),
    /// Key.
    NoteOff(u8),
    /// A knob to a value in its own unit.
    Turn(ParamId, f64),
}

/// Something played at a frame counted from the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Frame.
    pub frame: u64,
    /// What.
    pub action: Action,
}

/// Left and right, full scale 1.
pub type Stereo = [Vec<f32>; 2];

/// The plugin file, loaded.
pub struct Host {
    entry: PluginEntry,
    rate: f64,
}

impl Host {
    /// Loads a CLAP bundle. Errors: a file that is not there or not a CLAP.
    pub fn load(clap: &Path, rate: f64) -> Result<Self> {
        ensure!(clap.exists(), "{} is not there", clap.display());
        // SAFETY: the file is the bundle that this very task has just built from this repository; loading it runs no code but
        // the plugin's own entry point.
        let entry = unsafe { PluginEntry::load(clap) }.map_err(|e| anyhow!("cannot load {}: {e}", clap.display()))?;
        Ok(Self { entry, rate })
    }

    /// Plays `events` (in order of their frames) through a fresh instance that is given `patch`, for `seconds`.
    pub fn play(&self, patch: &Patch, events: &[Timed], seconds: f64) -> Result<Stereo> {
        let mut instance = self.instance()?;
        let params = Params::of(&mut instance)?;
        give_modes(&mut instance, patch)?;
        params.set(&mut instance, patch)?;
        offline(&mut instance)?;
        let (inputs, outputs) = (channels(&mut instance, true), channels(&mut instance, false));
        ensure!(outputs.first() == Some(&2), "the first output has {:?} channels instead of two", outputs.first());
        let timeline = params.timeline(&mut instance, events)?;
        let total = (seconds * self.rate) as usize;

        let configuration =
            PluginAudioConfiguration { sample_rate: self.rate, min_frames_count: 1, max_frames_count: BLOCK as u32 };
        let stopped = instance.activate(|_, _| (), configuration).map_err(|e| anyhow!("the plugin does not activate: {e}"))?;
        let started = stopped.start_processing().map_err(|e| anyhow!("the plugin does not start: {e}"))?;
        let (stopped, sound) = process(started, &timeline, total, &inputs, &outputs)?;
        instance.deactivate(stopped);
        Ok(sound)
    }

    fn instance(&self) -> Result<PluginInstance<Quiet>> {
        let factory = self.entry.get_plugin_factory().context("the file has no plugin factory")?;
        let id = factory.plugin_descriptors().find_map(|d| d.id().map(CString::from)).context("the file holds no plugin")?;
        let info = HostInfo::new("Urto demo", "The Urto developers", "", env!("CARGO_PKG_VERSION"))?;
        PluginInstance::<Quiet>::new(|_| Calls, |_| (), &self.entry, &id, &info)
            .map_err(|e| anyhow!("the plugin cannot be made: {e}"))
    }
}

/// A host that nothing is asked of.
struct Quiet;
struct Calls;

impl SharedHandler<'_> for Calls {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {}
}

impl HostHandlers for Quiet {
    type Shared<'a> = Calls;
    type MainThread<'a> = ();
    type AudioProcessor<'a> = ();
}

/// Loads a state that holds the patch's text. It brings what no knob can hold, the list of modes; the knobs are turned by hand.
fn give_modes(instance: &mut PluginInstance<Quiet>, patch: &Patch) -> Result<()> {
    let field = serde_json::to_string(&patch_toml::to_toml(patch))?;
    let state = serde_json::json!({ "version": "", "params": {}, "fields": { "patch": field } }).to_string();
    // nice-plug puts the length in front, since CLAP's streams do not tell it
    let mut bytes = (state.len() as u64).to_le_bytes().to_vec();
    bytes.extend(state.into_bytes());
    let handle = instance.plugin_handle();
    let extension: PluginState = handle.get_extension().context("the plugin has no state extension")?;
    extension.load(&handle, &mut bytes.as_slice()).map_err(|e| anyhow!("the plugin does not take a state: {e}"))
}

fn offline(instance: &mut PluginInstance<Quiet>) -> Result<()> {
    let handle = instance.plugin_handle();
    let render: PluginRender = handle.get_extension().context("the plugin has no render extension")?;
    render.set(&handle, RenderMode::Offline).map_err(|e| anyhow!("no offline rendering: {e}"))
}

/// Channel counts of all input or output ports.
fn channels(instance: &mut PluginInstance<Quiet>, input: bool) -> Vec<usize> {
    let handle = instance.plugin_handle();
    let Some(ports) = handle.get_extension::<PluginAudioPorts>() else { return Vec::new() };
    let mut buffer = AudioPortInfoBuffer::new();
    let count = |i| ports.get(&handle, i, input, &mut buffer).map_or(0, |info| info.channel_count as usize);
    (0..ports.count(&handle, input)).map(count).collect()
}

/// The plugin's parameters by knob, found as a player finds them: by group and name.
struct Params {
    extension: PluginParams,
    ids: Vec<ClapId>,
}

impl Params {
    fn of(instance: &mut PluginInstance<Quiet>) -> Result<Self> {
        let handle = instance.plugin_handle();
        let extension: PluginParams = handle.get_extension().context("the plugin has no parameters")?;
        let mut listed = Vec::new();
        let mut buffer = ParamInfoBuffer::new();
        for index in 0..extension.count(&handle) {
            let info = extension.get_info(&handle, index, &mut buffer).context("a parameter without information")?;
            listed.push((
                String::from_utf8_lossy(info.module).into_owned(),
                String::from_utf8_lossy(info.name).into_owned(),
                info.id,
            ));
        }
        let find = |knob: &ParamId| {
            let knob = knob.knob();
            let found = listed.iter().find(|(group, name, _)| group.ends_with(knob.group) && name == knob.name);
            found.map(|(.., id)| *id).with_context(|| format!("the plugin has no parameter {} / {}", knob.group, knob.name))
        };
        Ok(Self { extension, ids: ParamId::ALL.iter().map(find).collect::<Result<_>>()? })
    }

    /// The host's value for a value in the knob's unit, by what the plugin makes of it when it is typed in.
    fn host_value(&self, instance: &mut PluginInstance<Quiet>, knob: ParamId, value: f64) -> Result<(ClapId, f64)> {
        let id = self.ids[knob as usize];
        let text = match knob.knob().scale {
            Scale::Choice(names) => names[value as usize].to_owned(),
            _ => format!("{value} {}", knob.knob().unit).trim_end().to_owned(),
        };
        let read = self.extension.text_to_value(&instance.plugin_handle(), id, &CString::new(text.as_str())?);
        read.map(|value| (id, value)).with_context(|| format!("the plugin does not take `{text}` for {}", knob.knob().id))
    }

    /// Turns every knob to where the patch has it, by typing its value.
    fn set(&self, instance: &mut PluginInstance<Quiet>, patch: &Patch) -> Result<()> {
        let mut events = EventBuffer::new();
        for &knob in ParamId::ALL {
            let (id, value) = self.host_value(instance, knob, patch.settings.get(knob))?;
            events.push(&ParamValueEvent::new(0, id, Pckn::match_all(), value));
        }
        let mut inactive = instance.inactive_plugin_handle().context("the plugin is active too early")?;
        self.extension.flush(&mut inactive, &events.as_input(), &mut EventBuffer::new().as_output());
        Ok(())
    }

    fn timeline(&self, instance: &mut PluginInstance<Quiet>, events: &[Timed]) -> Result<Vec<(u64, Sent)>> {
        let mut turn = |knob, value| self.host_value(instance, knob, value).map(|(id, value)| Sent::Param(id, value));
        let send = |event: &Timed| {
            let sent = match event.action {
                Action::NoteOn(key, velocity) => Sent::On(key, f64::from(velocity) / 127.0),
                Action::NoteOff(key) => Sent::Off(key),
                Action::Turn(knob, value) => turn(knob, value)?,
            };
            Ok((event.frame, sent))
        };
        events.iter().map(send).collect()
    }
}

/// An action in the host's own words.
#[derive(Clone, Copy)]
enum Sent {
    On(u8, f64),
    Off(u8),
    Param(ClapId, f64),
}

impl Sent {
    fn push(self, buffer: &mut EventBuffer, time: u32) {
        let note = |key: u8| Pckn::new(0u16, 0u16, u16::from(key), Match::All);
        match self {
            Sent::On(key, velocity) => buffer.push(&NoteOnEvent::new(time, note(key), velocity)),
            Sent::Off(key) => buffer.push(&NoteOffEvent::new(time, note(key), 0.0)),
            Sent::Param(id, value) => buffer.push(&ParamValueEvent::new(time, id, Pckn::match_all(), value)),
        }
    }
}

type Started = StartedPluginAudioProcessor<Quiet>;
type Stopped = StoppedPluginAudioProcessor<Quiet>;

fn process(
    mut plugin: Started,
    timeline: &[(u64, Sent)],
    total: usize,
    inputs: &[usize],
    outputs: &[usize],
) -> Result<(Stopped, Stereo)> {
    let buffers = |ports: &[usize]| ports.iter().map(|&n| vec![vec![0.0f32; BLOCK]; n]).collect::<Vec<_>>();
    let (mut silence, mut heard) = (buffers(inputs), buffers(outputs));
    let mut in_ports = AudioPorts::with_capacity(inputs.iter().sum(), inputs.len());
    let mut out_ports = AudioPorts::with_capacity(outputs.iter().sum(), outputs.len());
    let mut sound: Stereo = [Vec::with_capacity(total), Vec::with_capacity(total)];
    let mut next = 0;
    for start in (0..total).step_by(BLOCK) {
        let frames = BLOCK.min(total - start);
        let mut events = EventBuffer::new();
        while let Some(&(frame, sent)) = timeline.get(next).filter(|(frame, _)| *frame < (start + frames) as u64) {
            sent.push(&mut events, (frame - start as u64) as u32);
            next += 1;
        }
        let audio_in = in_ports.with_input_buffers(silence.iter_mut().map(|port| AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_input_only(port.iter_mut().map(|c| InputChannel::constant(&mut c[..frames]))),
        }));
        let mut audio_out = out_ports.with_output_buffers(heard.iter_mut().map(|port| AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(port.iter_mut().map(|c| &mut c[..frames])),
        }));
        let mut said = EventBuffer::new();
        let time = Some(start as u64);
        let status = plugin.process(&audio_in, &mut audio_out, &events.as_input(), &mut said.as_output(), time, None);
        if let Err(error) = status {
            bail!("the plugin fails at frame {start}: {error}");
        }
        for (channel, port) in sound.iter_mut().zip(&heard[0]) {
            channel.extend_from_slice(&port[..frames]);
        }
    }
    Ok((plugin.stop_processing(), sound))
}
