"""Bodies: modes of presets, tables and recordings."""

import json
import subprocess

import numpy as np
import pytest
import urto


def test_modes_equal_those_of_the_command_line(cli):
    run = subprocess.run([cli, "modes", "Rosewood Marimba", "--key", "60", "--json"], capture_output=True, text=True, check=True)
    expected = json.loads(run.stdout)["modes"]
    body = urto.Body("Rosewood Marimba", key=60)
    assert len(body) == len(expected)
    for array, name in ((body.frequencies, "hertz"), (body.decay_rates, "decay_rate"), (body.weights[:, 0], "weight_strike")):
        assert array.tolist() == [mode[name] for mode in expected]
    assert body.weights.shape == (len(body), 3)
    np.testing.assert_allclose(body.t60, np.log(1000) / body.decay_rates, rtol=1e-15)


def test_shapes_are_those_of_a_supported_string():
    patch = urto.Patch()
    patch["body"] = "string"
    patch["modes"] = 6
    body = urto.Body(patch, key=48)
    positions = np.linspace(0, 1, 41)
    shapes = body.shapes(positions)
    assert shapes.shape == (41, len(body))
    for n in range(len(body)):
        expected = np.sin((n + 1) * np.pi * positions)
        scale = shapes[:, n] @ expected / (expected @ expected)
        np.testing.assert_allclose(shapes[:, n], scale * expected, atol=1e-9 * abs(scale))


def test_tables_are_imported(tmp_path):
    (tmp_path / "bar.csv").write_text("frequency,t60,gain\n523.25,2.5,1\n1441.2,1.2,-0.5\n")
    body = urto.Body.from_csv(tmp_path / "bar.csv")
    np.testing.assert_allclose(body.frequencies, [523.25, 1441.2], rtol=1e-9)
    np.testing.assert_allclose(body.t60, [2.5, 1.2], rtol=1e-9)
    with pytest.raises(urto.UrtoError):
        urto.Body.from_csv(tmp_path / "bar.png")


def test_recordings_are_imported(cli, tmp_path):
    patch = urto.Patch()
    patch["body"] = "marimba"
    (tmp_path / "patch.toml").write_text(patch.to_toml())
    engine = urto.Engine(patch)
    sound = engine.render([(0.0, 60, 100)], length=2.0)
    write_wav(tmp_path / "struck.wav", sound, engine.rate)
    body = urto.Body.from_wav(tmp_path / "struck.wav")
    run = subprocess.run([cli, "modes", "from-wav", "struck.wav", "--out", "out.toml"], cwd=tmp_path, capture_output=True, check=True)
    assert run.returncode == 0
    expected = urto.Body(urto.Patch.load(tmp_path / "out.toml"), key=body.key)
    np.testing.assert_allclose(body.frequencies, expected.frequencies, rtol=1e-9)
    # the pitch of key 60 is among them
    assert np.min(np.abs(1200 * np.log2(body.frequencies / 261.6256))) < 1.0


def write_wav(path, sound, rate):
    """A WAV file of 32-bit floating point."""
    data = np.ascontiguousarray(sound, dtype="<f4").tobytes()
    number = lambda value, size: int(value).to_bytes(size, "little")
    head = b"fmt " + number(16, 4) + number(3, 2) + number(2, 2) + number(rate, 4) + number(8 * rate, 4) + number(8, 2) + number(32, 2)
    body = b"WAVE" + head + b"data" + number(len(data), 4) + data
    path.write_bytes(b"RIFF" + number(len(body), 4) + body)
