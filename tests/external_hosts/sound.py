"""What the tests ask of a sound: arrays of shape (channels, frames), full scale 1."""

import numpy as np
from pedalboard.io import AudioFile

RATE = 48_000


def peak(sound):
    """Largest |sample|."""
    return float(np.abs(sound).max())


def first(sound):
    """Frame of the first sample that is not zero."""
    return int(np.argmax(np.any(sound != 0.0, axis=0)))


def assert_sane(sound):
    """Heard, finite, within full scale."""
    assert np.isfinite(sound).all(), "samples that are no numbers"
    assert 0.01 < peak(sound) <= 1.0, f"peak {peak(sound)}"


def cents(sound, frequency, rate=RATE):
    """How far the partial next to `frequency` [Hz] lies from it [cents]: top of a parabola through the log spectrum."""
    channel = sound[0][rate // 10 :]
    length = 16 * len(channel)
    spectrum = np.log(np.abs(np.fft.rfft(channel * np.blackman(len(channel)), length)) + 1e-30)
    expected = frequency * length / rate
    low, high = int(expected * 0.97), int(expected * 1.03)
    top = low + int(np.argmax(spectrum[low:high]))
    left, middle, right = spectrum[top - 1 : top + 2]
    top += 0.5 * (left - right) / (left - 2 * middle + right)
    return 1200 * np.log2(top / expected)


def noise(seconds, seed=1):
    """Stereo noise in -1..1, the same every time."""
    return np.random.default_rng(seed).uniform(-1, 1, (2, int(seconds * RATE))).astype(np.float32)


def drums(seconds):
    """A loop of bass drum and snare, stereo, full scale 1, the same every time; a drum every eighth of a second."""
    frames, step = int(seconds * RATE), RATE // 8
    time = np.arange(step) / RATE
    bass = np.sin(2 * np.pi * (50 * time + 3 * (1 - np.exp(-time / 0.02)))) * np.exp(-time / 0.08)
    snare = 0.7 * np.random.default_rng(5).uniform(-1, 1, step) * np.exp(-time / 0.03)
    bar = 0.9 * np.concatenate([bass, bass, snare, bass])
    loop = np.resize(bar, frames)
    return np.stack([loop, 0.8 * loop]).astype(np.float32)


def stands_out(sound, frequency):
    """Peak of the partial within 15 Hz of `frequency` over the median of its octave [dB], in the second half of the sound."""
    channel = sound[0][sound.shape[1] // 2 :]
    spectrum = np.abs(np.fft.rfft(channel * np.blackman(len(channel)))) ** 2
    width = len(channel) / RATE

    def part(low, high):
        return spectrum[int(low * width) : int(high * width)]

    near, octave = part(frequency - 15, frequency + 15), part(frequency / 2**0.5, frequency * 2**0.5)
    return 10 * np.log10(near.max() / np.median(octave))


def read(file):
    """The samples of a sound file."""
    with AudioFile(file) as sound:
        return sound.read(sound.frames)
