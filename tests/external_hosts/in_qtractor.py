"""Urto's CLAP in Qtractor: a session file with the preset, and its window under a JACK server without a sound card."""

import base64
import itertools
import os
import signal
import struct
import subprocess
import xml.etree.ElementTree as xml
import zlib

import daw
import program
from desktop import wait_for
from sound import RATE

# Where the plugin is in the list of tracks, from the corner of the main window: left, and tops with fonts of different sizes.
PLUGIN_LEFT, PLUGIN_TOPS = 175, (180, 186, 174, 192)
SESSION = """<!DOCTYPE qtractor-session>
<session name="urto" version="0.9.31">
 <properties>
  <directory>{folder}</directory>
  <sample-rate>{rate}</sample-rate>
  <tempo>120</tempo>
  <ticks-per-beat>960</ticks-per-beat>
  <beats-per-bar>4</beats-per-bar>
  <beat-divisor>2</beat-divisor>
 </properties>
 <tracks>
  <track name="Urto" type="midi">
   <properties><input-bus>Master</input-bus><output-bus>Master</output-bus><midi-omni>0</midi-omni><midi-channel>0</midi-channel></properties>
   <state><mute>0</mute><solo>0</solo><record>0</record><monitor>0</monitor><gain>1</gain><panning>0</panning></state>
   <clips>
    <clip name="song">
     <properties><name>song</name><start>0</start><offset>0</offset><length>{frames}</length><gain>1</gain></properties>
     <midi-clip><filename>song.mid</filename><track-channel>0</track-channel><revision>0</revision></midi-clip>
    </clip>
   </clips>
   <plugins>
    <plugin type="CLAP">
     <filename>{plugin}</filename>
     <index>0</index>
     <label>Urto</label>
     <activated>1</activated>
     <configs><config key="state">{state}</config></configs>
    </plugin>
   </plugins>
  </track>
 </tracks>
</session>
"""


class Host:
    """A session file in a home folder, and Qtractor's window with it."""

    def __init__(self, desktop, bundles):
        self.desktop, self.process = desktop, None
        self.folder = os.path.join(desktop.folder, "session")
        os.makedirs(self.folder)
        self.file = os.path.join(self.folder, "urto.qtr")
        daw.write_preferences(desktop)
        daw.write_song(self.folder)
        preset = os.path.join(desktop.folder, "preset.clap-state")
        program.run("presets", "export", daw.PRESET, preset)
        vst_preset = program.preset(daw.PRESET, desktop.folder)
        self.expected = daw.expected(desktop.folder, vst_preset)
        with open(preset, "rb") as file:
            state = packed(file.read())
        values = {"folder": self.folder, "rate": RATE, "frames": int(daw.SECONDS * RATE)}
        with open(self.file, "w") as file:
            file.write(SESSION.format(plugin=os.path.abspath(bundles.clap), state=state, **values))
        self.variables = self.sequencer()

    def sequencer(self):
        """Variables with which Qtractor finds an ALSA sequencer: where the kernel has none, a library that stands in for it."""
        if os.path.exists("/dev/snd/seq"):
            return {}
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "alsa_sequencer.c")
        library = os.path.join(self.desktop.folder, "alsa_sequencer.so")
        self.desktop.run("gcc", "-shared", "-fPIC", "-O1", "-o", library, source)
        return {"LD_PRELOAD": library}

    def plugin(self):
        return xml.parse(self.file).find(".//plugin")

    def state(self):
        """State of the plugin in the saved session."""
        return unpacked(self.plugin().find("configs/config[@key='state']").text)

    def start(self):
        """Starts Qtractor with the session and opens the editor with a double click on the plugin."""
        self.desktop.start_jack()
        self.process = self.desktop.start("qtractor", self.file, **self.variables)
        main = self.desktop.window("urto\\.qtr", 60)
        wait_for(lambda: "Qtractor:Master/out_2" in self.desktop.ports(), 30, "Qtractor connects with JACK")
        self.desktop.focus(main)
        left, top, _, _ = self.desktop.place(main)

        tops = itertools.cycle(PLUGIN_TOPS)

        def opened():
            self.desktop.click(left + PLUGIN_LEFT, top + next(tops), times=2)
            self.desktop.run("xdotool", "sleep", "2")
            return self.desktop.windows("^Urto - ")

        self.window = wait_for(opened, 30, "the editor opens")[-1]
        daw.wait_until_drawn(self.desktop, self.window)

    def save(self):
        """Qtractor saves the session when it receives this signal."""
        before = os.stat(self.file).st_mtime_ns
        os.kill(self.process.pid, signal.SIGUSR1)
        wait_for(lambda: os.stat(self.file).st_mtime_ns != before, 20, "Qtractor saves the session")
        wait_for(self.is_complete, 10, "the session file is complete")

    def is_complete(self):
        try:
            return self.plugin() is not None
        except xml.ParseError:
            return False

    def transport(self, command):
        environment = self.desktop.environment()
        subprocess.run(["jack_transport"], input=f"{command}\nquit\n", text=True, env=environment, capture_output=True, timeout=20)

    def end(self):
        if self.process:
            self.desktop.end(self.process)
        self.process = None


def packed(state):
    """A state as Qt compresses it, as text."""
    return base64.b64encode(struct.pack(">I", len(state)) + zlib.compress(state)).decode()


def unpacked(text):
    return zlib.decompress(base64.b64decode("".join(text.split()))[4:])


def test_the_session_opens_with_the_plugin(host):
    host.start()
    host.desktop.photograph("qtractor-session")


def test_it_plays_the_session_through_jack(host):
    ports = [f"Qtractor:Master/out_{channel}" for channel in (1, 2)]

    def stop():
        host.transport("stop")
        host.transport("locate 0")

    return daw.record(host.desktop, ports, lambda: host.transport("play"), stop, host.expected)


def test_every_parameter_has_a_name_of_its_own(host):
    host.save()
    names = [parameter.get("name") for parameter in host.plugin().iter("param")]
    daw.write_list(host.desktop, "qtractor", names)
    assert len(names) > 100 and len(set(names)) == len(names), f"{len(names)} parameters, {len(set(names))} names"
    assert all(names), "a parameter without a name"
    return f"{len(names)} parameters"


def test_a_change_in_the_editor_is_saved_and_recalled(host):
    before = host.state()
    left, top, _, _ = host.desktop.place(host.window)
    # the knob Hardness at zoom 1
    host.desktop.drag(left + 65, top + 685, 0, -40)
    host.save()
    saved = host.state()
    assert saved != before, "the saved state is that of the preset"
    host.end()
    host.start()
    host.save()
    return daw.assert_same_state(host.state(), saved)


def test_the_editor_stays_inside_its_window_at_every_zoom(host):
    return daw.show_zooms(host.desktop, host.window, "qtractor")
