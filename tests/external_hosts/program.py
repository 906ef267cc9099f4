"""The command line beside a host: what it renders from the same preset and the same notes."""

import os
import struct
import subprocess
import sys

import numpy as np
from pedalboard.io import AudioFile

from sound import RATE

# A quarter note is half a second: at 48 kHz a tick is a frame.
TICKS = RATE // 2


def run(*arguments):
    """`urto-cli` with `arguments`; the program is the second argument of `run.py`."""
    subprocess.run([sys.argv[2], *arguments], check=True, capture_output=True)


def preset(name, folder):
    """A built-in preset as a file for hosts."""
    file = os.path.join(folder, "preset.vstpreset")
    run("presets", "export", name, file)
    return file


def render(notes, seconds, folder, *options, drive=None):
    """What it plays of `notes`, (frame, key, velocity) in their order, with a stereo sound `drive` into the hammer."""
    song, sound, pushed = (os.path.join(folder, name) for name in ("song.mid", "sound.wav", "drive.wav"))
    with open(song, "wb") as file:
        file.write(midi(notes))
    if drive is not None:
        with AudioFile(pushed, "w", samplerate=RATE, num_channels=2, bit_depth=32) as file:
            file.write(drive)
        options += ("--drive", pushed)
    run("render", song, sound, "--tail", str(seconds), *options)
    with AudioFile(sound) as file:
        heard = file.read(file.frames)
    return heard[:, : int(seconds * RATE)]


def midi(notes):
    """A MIDI file of format 0."""
    track, last = b"", 0
    for frame, key, velocity in notes:
        track += length(frame - last) + bytes([0x90, key, velocity])
        last = frame
    track += bytes([0, 0xFF, 0x2F, 0])
    return b"MThd" + struct.pack(">LHHH", 6, 0, 1, TICKS) + b"MTrk" + struct.pack(">L", len(track)) + track


def length(ticks):
    """A number as MIDI files write it, seven bits a byte."""
    parts = [ticks & 0x7F]
    while ticks := ticks >> 7:
        parts.append(0x80 | ticks & 0x7F)
    return bytes(reversed(parts))


def apart(heard, expected):
    """Largest difference over the largest sample [dB]."""
    frames = min(heard.shape[1], expected.shape[1])
    most = np.abs(heard[:, :frames] - expected[:, :frames]).max()
    return 20 * np.log10(most / np.abs(expected).max() + 1e-30)
