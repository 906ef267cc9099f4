"""Urto's VST3 in Ardour: a session made by its Lua tool, its export, and its window under a JACK server without a sound card."""

import base64
import os
import re
import shutil
import xml.etree.ElementTree as xml

import numpy as np

import daw
import osc
import program
from desktop import wait_for
from sound import RATE, read

SESSION = "urto"
# Flag of a parameter that Ardour's remote control lists, for one with two values.
SWITCH = 64
# Ticks of a quarter note and units of a second in Ardour's sessions.
TICKS, SUPERCLOCKS = 1920, 282_240_000
# No resamplers between ports, whose latency Ardour's export compensates only at times. The JACK backend without a question at the start, and remote control that answers to the port that asks.
CONFIG = f"""<?xml version="1.0" encoding="UTF-8"?>
<Ardour>
  <Config>
    <Option name="try-autostart-engine" value="1"/>
    <Option name="periodic-safety-backups" value="0"/>
    <Option name="port-resampler-quality" value="0"/>
  </Config>
  <Extra>
    <AudioMIDISetup>
      <EngineStates>
        <State backend="JACK" driver="" device="" input-device="" output-device="" sample-rate="{RATE}" buffer-size="512" n-periods="2"
          input-latency="0" output-latency="0" lm-input="" lm-output="" active="1" use-buffered-io="0" midi-option=""/>
      </EngineStates>
    </AudioMIDISetup>
  </Extra>
  <ControlProtocols>
    <Protocol name="Open Sound Control (OSC)" active="1" address-only="0" feedback="0" debugmode="0" remote-port="0" banksize="0"
      striptypes="31" gainmode="0" send-page-size="0" plug-page-size="0"/>
  </ControlProtocols>
</Ardour>
"""
UI_CONFIG = """<?xml version="1.0" encoding="UTF-8"?>
<Ardour>
  <UI>
    <Option name="check-announcements" value="0"/>
  </UI>
</Ardour>
"""


def tool(name):
    """Path of a program of Ardour's package, whose name contains the version: `ardour7-lua`."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    names = sorted(entry for folder in folders if os.path.isdir(folder) for entry in os.listdir(folder))
    found = [entry for entry in names if re.fullmatch(rf"ardour\d+-{name}", entry)]
    assert found, f"no program named ardour<version>-{name}"
    return shutil.which(found[-1])


class Host:
    """A session in a home folder, and Ardour's window with it."""

    def __init__(self, desktop, bundles):
        self.desktop, self.folder = desktop, os.path.join(desktop.folder, "session")
        self.file = os.path.join(self.folder, f"{SESSION}.ardour")
        self.process = self.remote = None
        # the folders of the configuration carry the number of the version: ardour7
        self.version = re.match(r"ardour\d+", os.path.basename(tool("lua"))).group()
        self.config = os.path.join(desktop.home, ".config", self.version)
        os.makedirs(self.config)
        for name, text in (("config", CONFIG), ("ui_config", UI_CONFIG), (f".a{self.version[6:]}", "")):
            with open(os.path.join(self.config, name), "w") as file:
                file.write(text)
        daw.write_preferences(desktop)
        self.scan(bundles.vst3)
        self.preset = program.preset(daw.PRESET, desktop.folder)
        self.expected = daw.expected(desktop.folder, self.preset)

    def scan(self, vst3):
        """Lets Ardour's scanner read the plugin; Ardour loads only plugins in its cache."""
        plugins = os.path.join(self.desktop.home, ".vst3")
        os.makedirs(plugins)
        bundle = os.path.join(plugins, "Urto.vst3")
        os.symlink(os.path.abspath(vst3), bundle)
        with open(tool("lua")) as wrapper:
            libraries = re.search(r"ARDOUR_DLL_PATH=(\S+)", wrapper.read()).group(1)
        self.desktop.run(os.path.join(libraries, "ardour-vst3-scanner"), bundle, LD_LIBRARY_PATH=libraries)

    def tree(self):
        return xml.parse(self.file)

    def plugin_of(self, tree):
        return tree.find(".//Processor[@type='vst3']")

    def state(self):
        """State of the plugin in the saved session."""
        return base64.b64decode(self.plugin_of(self.tree()).find("vst3/chunk").text)

    def start(self):
        """Starts Ardour with the session, whose editor window is open."""
        # Ardour writes the address of its remote control into this file only if it is there
        with open(os.path.join(self.config, "osc_url"), "w"):
            pass
        self.desktop.start_jack()
        self.process = self.desktop.start("ardour", self.file)
        url = wait_for(self.url, 90, "Ardour opens the session and its remote control")
        self.remote = osc.Client(int(re.search(r":(\d+)/?$", url).group(1)))
        self.window = self.desktop.window("^Urto: ", 60)
        daw.wait_until_drawn(self.desktop, self.window)

    def url(self):
        assert self.process.poll() is None, f"Ardour has ended: see {self.desktop.log('ardour')}"
        with open(os.path.join(self.config, "osc_url")) as file:
            return file.read().strip()

    def end(self):
        if self.remote:
            self.remote.close()
        if self.process:
            self.desktop.end(self.process)
        self.process = self.remote = None


    def make_session(self):
        """A session made by Ardour's Lua tool with the plugin; then the song, the preset and the open editor go into its file."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ardour_session.lua")
        self.desktop.run(tool("lua"), script, self.folder, SESSION, str(RATE))
        tree = self.tree()
        session, route = tree.getroot(), tree.find(".//Route[@name='Urto']")
        last = int(session.get("id-counter"))
        source, region, location = (str(last + step) for step in range(3))
        session.set("id-counter", str(last + 3))

        midi_files = os.path.join(self.folder, "interchange", "session", "midifiles")
        os.makedirs(midi_files, exist_ok=True)
        daw.write_song(midi_files)
        beats = f"b{int(daw.SECONDS * 2 * TICKS)}"
        xml.SubElement(tree.find("Sources"), "Source", {"name": "song.mid", "type": "midi", "id": source})
        playlist = tree.find(f"Playlists/Playlist[@id='{route.get('midi-playlist')}']")
        places = {"start": "b0", "length": f"{beats}@b0", "source-0": source, "master-source-0": source}
        xml.SubElement(playlist, "Region", {"name": "song", "type": "midi", "id": region, "opaque": "1", **places})
        ends = {"start": "a0", "end": f"a{int(daw.SECONDS * SUPERCLOCKS)}", "flags": "IsSessionRange"}
        xml.SubElement(tree.find("Locations"), "Location", {"id": location, "name": "session", "locked": "0", **ends})

        plugin = self.plugin_of(tree)
        with open(self.preset, "rb") as file:
            plugin.find("vst3/chunk").text = base64.b64encode(file.read()).decode()
        extra = tree.find("Extra")
        extra = xml.SubElement(session, "Extra") if extra is None else extra
        window = {"name": f"P-{route.get('id')}-{plugin.get('id')}", "visible": "1", "custom-ui": "1", "x-off": "60", "y-off": "60"}
        xml.SubElement(xml.SubElement(extra, "UI"), "Window", {**window, "x-size": "-1", "y-size": "-1"})
        tree.write(self.file, encoding="UTF-8", xml_declaration=True)

    def parameters(self):
        """Name, flags and value of every parameter, as the remote control lists them."""
        self.remote.send("/strip/plugin/descriptor", 1, 1)
        found = {}
        while True:
            address, values = self.remote.receive(10)
            if address.endswith("/descriptor_end"):
                return found
            if address.endswith("/descriptor"):
                found[values[2]] = {"name": values[3], "flags": values[4], "value": values[-1]}

    def save(self):
        before = os.stat(self.file).st_mtime_ns
        self.remote.send("/save_state")
        wait_for(lambda: os.stat(self.file).st_mtime_ns != before, 20, "Ardour saves the session")


def test_its_lua_tool_makes_a_session_with_the_plugin(host):
    host.make_session()
    assert host.state().startswith(b"VST3")


def test_its_export_is_that_of_the_command_line(host):
    file = os.path.join(host.desktop.folder, "export.wav")
    host.desktop.run(tool("export"), "--bitdepth", "float", "--output", file, host.folder, SESSION)
    exported = read(file)
    assert np.array_equal(exported, host.expected), f"{program.apart(exported, host.expected)} dB apart"


def test_the_session_opens_with_the_editor(host):
    host.start()
    host.desktop.photograph("ardour-session")


def test_it_plays_the_session_through_jack(host):
    ports = [f"ardour:Master/audio_out {channel}" for channel in (1, 2)]

    def play():
        host.remote.send("/transport_play")

    def stop():
        host.remote.send("/transport_stop")
        host.remote.send("/goto_start")

    return daw.record(host.desktop, ports, play, stop, host.expected)


def test_every_parameter_has_a_name_of_its_own(host):
    parameters = host.parameters().values()
    names = [parameter["name"] for parameter in parameters]
    shown = {True: "switch", False: "value"}
    daw.write_list(host.desktop, "ardour", [f"{parameter['name']}\t{shown[bool(parameter['flags'] & SWITCH)]}" for parameter in parameters])
    assert len(names) > 100 and len(set(names)) == len(names), f"{len(names)} parameters, {len(set(names))} names"
    assert all(names), "a parameter without a name"
    return f"{len(names)} parameters"


def test_a_change_is_saved_and_recalled(host):
    number = next(number for number, parameter in host.parameters().items() if parameter["name"] == "Contact hardness")
    assert host.parameters()[number]["value"] != 0.75
    host.remote.send("/strip/plugin/parameter", 1, 1, number, 0.75)

    def is_saved():
        # the change reaches the plugin with the next block
        host.save()
        return b'"hardness":{"f32":0.75}' in host.state()

    wait_for(is_saved, 10, "the change is in the saved state")
    saved = host.state()
    host.end()
    host.start()
    value = host.parameters()[number]["value"]
    assert value == 0.75, f"{value} after the recall, 0.75 before"
    host.save()
    return daw.assert_same_state(host.state(), saved)


def test_the_editor_stays_inside_its_window_at_every_zoom(host):
    return daw.show_zooms(host.desktop, host.window, "ardour")
