"""Exports instruments with `urto-cli export` and checks them with programs and parsers of other developers.

SoundFonts are played by FluidSynth and compared with Urto's own notes. SFZ is only parsed, by sfzlint and sfzen. DecentSampler is only
compared with the attributes of its Developers Guide (https://github.com/DecentSamples/DecentSampler-Developers-Guide).

Usage: run.py URTO_CLI FOLDER [--large]
"""

import argparse
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import soundfile
from sfzen import SFZ

RATE = 48_000
# Gain of FluidSynth 2.3 at which it plays a sample at its own level. At 1 it plays every sample of every pitch 1.3 dB louder; its default
# is 0.2, so that only differences between notes matter.
FLUIDSYNTH_GAIN = 10 ** (-1.3 / 20)
# Largest difference between FluidSynth and Urto.
MAX_DB = 1.0
MAX_CENTS = 3.0
# Attributes of <group> and <sample> in version 1.11.5 of the Developers Guide that the export may use.
GROUP_ATTRIBUTES = {
    "name", "tags", "ampVelTrack", "attack", "release", "silencedByTags", "silencingMode", "seqMode", "seqLength",
}
SAMPLE_ATTRIBUTES = {"path", "rootNote", "loNote", "hiNote", "loVel", "hiVel", "seqPosition"}

# Compared time of a note [s].
COMPARED = 1.0

MARIMBA = "Rosewood Marimba"
KIT = """\
schema = 2
name = "Hats & Kick"
tags = ["kit", "test"]
[[zone]]
name = "Kick"
preset = "Felt Kick"
keys = [36]
[[zone]]
name = "Closed hat"
preset = "Closed Hi-Hat"
keys = [42]
choke = 1
[[zone]]
name = "Open hat"
preset = "Closed Hi-Hat"
keys = [46]
choke = 1
[zone.body]
decay = 3.0
"""


def midi(key, velocity, seconds, program=0, kit=False):
    """A MIDI file with one note at full channel volume, 960 ticks a second."""
    channel = 9 if kit else 0
    ticks = int(960 * seconds)
    length = [ticks & 0x7F]
    while ticks := ticks >> 7:
        length.insert(0, 0x80 | ticks & 0x7F)
    setup = bytes([0, 0xB0 | channel, 7, 127, 0, 0xC0 | channel, program])
    note = bytes([0, 0x90 | channel, key, velocity, *length, 0x80 | channel, key, 64, 0, 0xFF, 0x2F, 0])
    track = setup + note
    return b"MThd\0\0\0\6\0\0\0\1\1\xe0MTrk" + struct.pack(">I", len(track)) + track


def sound_of(path):
    samples, rate = soundfile.read(path, always_2d=True)
    assert rate == RATE, f"{path}: {rate} Hz"
    return samples


def played_by_fluidsynth(soundfont, key, velocity, folder, program=0, kit=False):
    song, wav = folder / "note.mid", folder / "fluidsynth.wav"
    song.write_bytes(midi(key, velocity, 2.0, program, kit))
    return rendered_by_fluidsynth(soundfont, song, wav)


def rendered_by_fluidsynth(soundfont, song, wav):
    options = ["-q", "-n", "-i", "-R", "0", "-C", "0", "-g", str(FLUIDSYNTH_GAIN), "-r", str(RATE), "-O", "float"]
    subprocess.run(["fluidsynth", *options, "-F", wav, soundfont, song], check=True, capture_output=True)
    return sound_of(wav)


def played_by_urto(cli, preset, key, velocity, folder):
    song, wav = folder / "note.mid", folder / "urto.wav"
    song.write_bytes(midi(key, velocity, 2.0))
    command = [cli, "render", song, wav, "--preset", preset, "--rate", str(RATE), "--tail", "0.5"]
    subprocess.run(command, check=True, capture_output=True)
    return sound_of(wav)


def from_onset(sound, seconds):
    """The part that begins where the level first exceeds -60 dB of the peak."""
    level = np.abs(sound).max(axis=1)
    start = int(np.argmax(level > 1e-3 * level.max()))
    return sound[start : start + int(seconds * RATE)]


def level_db(sound):
    return 10 * np.log10(np.mean(sound**2))


def strongest_partial(sound):
    """Frequency of the strongest partial [Hz]: parabola through the logarithmic spectrum of a Hann window."""
    mono = sound.sum(axis=1)
    size = 1 << 19
    spectrum = np.log(np.abs(np.fft.rfft(mono * np.hanning(len(mono)), size)) + 1e-30)
    n = int(np.argmax(spectrum))
    below, at, above = spectrum[n - 1 : n + 2]
    return (n + 0.5 * (below - above) / (below - 2 * at + above)) * RATE / size


def compare(name, theirs, ours, pitched=True):
    theirs, ours = from_onset(theirs, COMPARED), from_onset(ours, COMPARED)
    length = min(len(theirs), len(ours))
    theirs, ours = theirs[:length], ours[:length]
    sides = [level_db(theirs[:, side]) - level_db(ours[:, side]) for side in range(2)]
    cents = 1200 * np.log2(strongest_partial(theirs) / strongest_partial(ours)) if pitched else 0.0
    print(f"{name}: left {sides[0]:+.3f} dB, right {sides[1]:+.3f} dB, {cents:+.3f} cents")
    assert max(map(abs, sides)) <= MAX_DB, f"{name}: the level differs by more than {MAX_DB} dB"
    assert abs(cents) <= MAX_CENTS, f"{name}: the pitch differs by more than {MAX_CENTS} cents"


def export(cli, preset, folder, form, *options):
    start = time.monotonic()
    command = [cli, "export", preset, folder, "--format", form, "--rate", str(RATE), *options]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{said.stdout.strip()}; {size / 1e6:.1f} MB, {time.monotonic() - start:.1f} s")


def check_sf2(cli, folder, keys, velocities, kit):
    out = folder / "sf2"
    export(cli, MARIMBA, out, "sf2", "--keys", keys["text"], "--velocities", velocities["text"], "--round-robins", "3")
    font = out / "Rosewood_Marimba.sf2"
    for key in keys["played"]:
        for velocity in velocities["played"]:
            theirs = played_by_fluidsynth(font, key, velocity, folder)
            compare(f"marimba, key {key}, velocity {velocity}", theirs, played_by_urto(cli, MARIMBA, key, velocity, folder))
    rounds = [played_by_fluidsynth(font, keys["played"][0], 127, folder, program) for program in range(3)]
    for program in (1, 2):
        compare(f"marimba, round robin {program + 1}", rounds[program], rounds[0])
        pair = [from_onset(rounds[n], 0.5) for n in (program, 0)]
        assert np.sum((pair[0] - pair[1]) ** 2) > 1e-4 * np.sum(pair[1] ** 2), "a round robin is the same stroke"
    out = folder / "kit-sf2"
    export(cli, kit, out, "sf2", "--velocities", "64,127", "--round-robins", "1")
    font = next(out.glob("*.sf2"))
    for key in (36, 42, 46):
        theirs = played_by_fluidsynth(font, key, 127, folder, kit=True)
        compare(f"kit, key {key}", theirs, played_by_urto(cli, kit, key, 127, folder), pitched=key == 36)
    check_choke(font, folder)


def check_choke(font, folder):
    """A closed hat ends an open one in FluidSynth."""
    song, wav = folder / "choke.mid", folder / "choke.wav"
    notes = bytes([0, 0xB9, 7, 127, 0, 0x99, 46, 127, 0x87, 0x40, 0x99, 42, 1, 0x87, 0x40, 0x89, 46, 0, 0, 0xFF, 0x2F, 0])
    levels = []
    for data in (notes, notes.replace(bytes([0x99, 42, 1]), bytes([0xB9, 7, 127]))):
        song.write_bytes(b"MThd\0\0\0\6\0\0\0\1\1\xe0MTrk" + struct.pack(">I", len(data)) + data)
        played = rendered_by_fluidsynth(font, song, wav)
        levels.append(level_db(played[int(1.5 * RATE) : int(1.9 * RATE)]))
    print(f"open hat after a soft closed one: {levels[0]:.1f} dB, alone: {levels[1]:.1f} dB")
    assert levels[0] < levels[1] - 6, "the closed hat does not choke the open one"


def check_sfz(cli, folder, keys, velocities, kit):
    for preset, out, options in ((MARIMBA, folder / "sfz", ["--keys", keys["text"]]), (kit, folder / "kit-sfz", [])):
        export(cli, preset, out, "sfz", "--velocities", velocities["text"], "--round-robins", "3", *options)
        file = next(out.glob("*.sfz"))
        read = SFZ(str(file))
        regions = list(read.regions())
        assert len(regions) == file.read_text().count("<region>"), "sfzen reads another number of regions"
        samples = list(read.samples())
        assert all(sample.exists() for sample in samples), "sfzen does not find every file"
        named = {sample.path.name for sample in samples}
        present = {sample.name for sample in (out / "samples").glob("*.wav")}
        assert named == present, f"samples of the map and of the folder differ: {named ^ present}"
        lint = subprocess.run([Path(sys.executable).with_name("sfzlint"), file], capture_output=True, text=True)
        complaints = lint.stdout.strip()
        assert lint.returncode == 0 and not complaints, complaints
        print(f"{file.name}: {len(regions)} regions and {len(present)} files found by sfzen, no complaint of sfzlint (parsed, not played)")
        if preset == kit:
            text = file.read_text()
            assert text.count("group=1 off_by=1") == 2 * len(velocities["layers"]), "choke groups are missing"


def check_decent_sampler(cli, folder, kit):
    out = folder / "decentsampler"
    export(cli, kit, out, "decentsampler", "--velocities", "64,127", "--round-robins", "2")
    root = ElementTree.parse(next(out.glob("*.dspreset"))).getroot()
    assert root.tag == "DecentSampler" and [child.tag for child in root] == ["groups"]
    silenced = {}
    for group in root[0]:
        assert group.tag == "group" and set(group.attrib) <= GROUP_ATTRIBUTES, group.attrib
        for sample in group:
            assert sample.tag == "sample" and set(sample.attrib) == SAMPLE_ATTRIBUTES, sample.attrib
            assert (out / sample.attrib["path"]).is_file(), sample.attrib["path"]
            assert 1 <= int(sample.attrib["loVel"]) <= int(sample.attrib["hiVel"]) <= 127
            silenced[sample.attrib["rootNote"]] = group.attrib.get("silencedByTags")
    assert silenced == {"36": None, "42": "key46", "46": "key42"}, silenced
    print("DecentSampler: elements and attributes are those of its Developers Guide, every file found (parsed, not played)")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("cli", type=Path)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--large", action="store_true", help="a marimba of five octaves, four velocities, three round robins")
    given = arguments.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kit = given.folder / "kit.toml"
    kit.write_text(KIT)
    if given.large:
        keys = {"text": "C2-C7", "played": list(range(36, 97, 5))}
        velocities = {"text": "4", "played": [32, 64, 95, 127], "layers": [32, 64, 95, 127]}
    else:
        keys = {"text": "48,60,72", "played": [48, 60, 72]}
        velocities = {"text": "40,127", "played": [40, 127], "layers": [40, 127]}
    check_sf2(given.cli, given.folder, keys, velocities, kit)
    check_sfz(given.cli, given.folder, keys, velocities, kit)
    check_decent_sampler(given.cli, given.folder, kit)


main()
