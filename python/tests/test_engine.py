"""The engine: the samples of the command line, threads, contacts, energy."""

import struct
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import urto


def midi(notes):
    """A MIDI file of (tick, status, key, velocity), 960 ticks a second."""

    def length(value):
        groups = [value & 0x7F]
        while value := value >> 7:
            groups.insert(0, 0x80 | value & 0x7F)
        return bytes(groups)

    data, last = b"", 0
    for tick, *message in notes:
        data += length(tick - last) + bytes(message)
        last = tick
    data += b"\0\xff\x2f\0"
    return b"MThd\0\0\0\6\0\0\0\1\1\xe0MTrk" + struct.pack(">I", len(data)) + data


SONG = [(0, 0x90, 60, 100), (100, 0x90, 64, 37), (333, 0xB0, 1, 90), (480, 0x80, 60, 64), (700, 0xE0, 0, 80), (960, 0x80, 64, 64)]


def read_float_wav(path):
    """Reads the samples of a WAV file; other chunks stand before and after them."""
    data = path.read_bytes()
    start = len(b"RIFF....WAVE")
    while data[start : start + 4] != b"data":
        (size,) = struct.unpack_from("<I", data, start + 4)
        start += 8 + size + size % 2
    (size,) = struct.unpack_from("<I", data, start + 4)
    return np.frombuffer(data, dtype="<f4", count=size // 4, offset=start + 8).reshape(-1, 2)


@pytest.mark.parametrize("preset", ["Rosewood Marimba", "Snare with Wires", "Studio Kit"])
@pytest.mark.parametrize("tail", [None, 0.25])
def test_a_midi_file_equals_the_command_line_bit_for_bit(cli, preset, tail, tmp_path):
    (tmp_path / "in.mid").write_bytes(midi(SONG))
    options = [] if tail is None else ["--tail", str(tail)]
    command = [cli, "render", "in.mid", "out.wav", "--preset", preset, "--rate", "44100", *options]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    expected = read_float_wav(tmp_path / "out.wav")
    engine = urto.Engine(preset, rate=44_100)
    sound = engine.render_midi(tmp_path / "in.mid", tail=tail)
    assert sound.dtype == np.float32 and sound.shape == expected.shape
    assert np.array_equal(sound.view(np.uint32), np.ascontiguousarray(expected).view(np.uint32))
    # again after a reset
    assert np.array_equal(engine.render_midi(tmp_path / "in.mid", tail=tail), sound)


def test_contacts_have_their_energy_split_and_do_not_change_the_sound():
    engine = urto.Engine("Rosewood Marimba", energy_balance=True)
    sound = engine.render([(0.0, 60, 100), (0.1, 67, 60)], length=0.3)
    assert engine.hits == []
    assert np.array_equal(engine.render([(0.0, 60, 100), (0.1, 67, 60)], length=0.3, hits=True), sound)
    assert {hit["key"] for hit in engine.hits} == {60.0, 67.0}
    for hit in engine.hits:
        parts = hit["energy_hammer"] + hit["energy_body"] + hit["energy_contact_loss"] + hit["energy_decay"]
        assert parts == pytest.approx(hit["energy_in"], rel=1e-9)
        assert hit["peak_force"] > 0 and 1e-5 < hit["duration"] < 0.1
    assert engine.energy_balance["balance"] < 1e-12 and engine.energy_balance["unsupplied"] < 1e-12


def test_stems_are_the_outputs_of_a_kit():
    kit = "schema = 2\n[[zone]]\nkeys = [36]\nbus = 2\n[[zone]]\nkeys = [40]\n"
    engine = urto.Engine(urto.Patch.from_toml(kit))
    stems = engine.render([(0.0, 36, 100)], length=0.1, stems=True)
    assert stems.shape == (8, 4800, 2)
    assert not stems[0].any() and np.abs(stems[1]).max() > 0.01 and not stems[2:].any()




def test_threads_run_side_by_side():
    """Other Python threads run while the engine renders; `examples/threads.py` measures the speed of two renderings."""
    engine = urto.Engine("Snare with Wires")
    counted, stop = 0, threading.Event()

    def count():
        nonlocal counted
        while not stop.is_set():
            counted += 1

    # the interpreter's lock is handed over after 5 ms; without it, nothing is counted during a rendering
    thread = threading.Thread(target=count)
    thread.start()
    time.sleep(0.01)
    before = counted
    engine.render([(0.02 * n, 60, 60 + n) for n in range(50)], length=1.5)
    during = counted - before
    stop.set()
    thread.join()
    assert during > 10_000, during


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="needs the statistics of Linux's scheduler")
def test_threads_do_not_wait_for_each_other():
    """Threads that render either run or wait for a processor, also beside other programs: no lock makes them wait."""
    shares = []

    def work(engine):
        file = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        ready = lambda: sum(int(number) for number in file.read_text().split()[:2]) / 1e9
        start, before = time.perf_counter(), ready()
        for _ in range(10):
            engine.render([(0.02 * n, 60, 60 + n) for n in range(50)], length=1.2)
        shares.append((ready() - before) / (time.perf_counter() - start))

    threads = [threading.Thread(target=work, args=(urto.Engine("Snare with Wires"),)) for _ in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(shares) == 2 and min(shares) > 0.95, shares


def test_results_are_the_same_in_threads():
    expected = urto.Engine("Claves").render([(0.0, 60, 100)], length=0.2)
    results = [None] * 4

    def work(n):
        results[n] = urto.Engine("Claves").render([(0.0, 60, 100)], length=0.2)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(result, expected) for result in results)
