//! Extensions of the plugin as a CLAP host reads them: ports, remote control pages, voices, latency and tail.

use clack_extensions::audio_ports::{AudioPortInfoBuffer, PluginAudioPorts};
use clack_extensions::remote_controls::{PluginRemoteControls, RemoteControlsPageBuffer};
use clack_extensions::voice_info::{PluginVoiceInfo, VoiceInfo, VoiceInfoFlags};
use clack_host::prelude::*;

use crate::support::clap_host::Clap;

/// One port: name, channels, whether it is the main one.
pub type Port = (String, u32, bool);

/// One page of remote controls as the host sees it: numbers of the parameters, `None` for a place without one.
pub struct Page {
    pub id: u32,
    pub section: String,
    pub name: String,
    pub params: [Option<u32>; 8],
    pub is_for_preset: bool,
}

impl Clap {
    /// Input or output ports.
    pub fn ports(&mut self, input: bool) -> Vec<Port> {
        let handle = self.instance.plugin_handle();
        let ports: PluginAudioPorts = handle.get_extension().expect("ports");
        let mut buffer = AudioPortInfoBuffer::new();
        let count = ports.count(&handle, input);
        let main = clack_extensions::audio_ports::AudioPortFlags::IS_MAIN;
        let mut port = |i| {
            let info = ports.get(&handle, i, input, &mut buffer).expect("information");
            (String::from_utf8_lossy(info.name).into_owned(), info.channel_count, info.flags.contains(main))
        };
        (0..count).map(&mut port).collect()
    }

    /// Pages of remote controls.
    pub fn pages(&mut self) -> Vec<Page> {
        let handle = self.instance.plugin_handle();
        let remote: PluginRemoteControls = handle.get_extension().expect("remote controls");
        let mut buffer = RemoteControlsPageBuffer::new();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let mut page = |i| {
            let page = remote.get(&handle, i, &mut buffer).expect("a page");
            Page {
                id: page.page_id.get(),
                section: text(page.section_name),
                name: text(page.page_name),
                params: page.param_ids.map(|id| id.map(ClapId::get)),
                is_for_preset: page.is_for_preset,
            }
        };
        (0..remote.count(&handle)).map(&mut page).collect()
    }

    /// Latency [frames], and tail as the plugin reports it now.
    pub fn latency_and_tail(&mut self) -> (u32, String) {
        let latency: clack_extensions::latency::PluginLatency = self.instance.plugin_handle().get_extension().expect("latency");
        let latency = latency.get(&self.instance.plugin_handle());
        let handle = self.audio.as_mut().expect("runs").plugin_handle();
        let tail: clack_extensions::tail::PluginTail = handle.get_extension().expect("tail");
        (latency, format!("{:?}", tail.get(&handle)))
    }

    /// Voices now and at most, and whether those of one key may overlap.
    pub fn voices(&mut self) -> (u32, u32, bool) {
        let handle = self.instance.plugin_handle();
        let voices: PluginVoiceInfo = handle.get_extension().expect("voice information");
        let VoiceInfo { voice_count, voice_capacity, flags } = voices.get(&handle).expect("an answer");
        (voice_count, voice_capacity, flags.contains(VoiceInfoFlags::SUPPORTS_OVERLAPPING_NOTES))
    }
}
