"""Strikes: the numbers of the command line, closed forms, and the schemes of the papers."""

import json
import subprocess

import numpy as np
import pytest
import urto

RIGID = """
sample_rate = 96000
[contact]
stiffness = 2e6
exponent = 1.5
damping = 0.15
[striker]
mass = 0.02
velocity = 1.0
"""
MODAL = """
duration = 0.02
scheme = "{scheme}"
[contact]
stiffness = 1e7
exponent = 1.3
[striker]
mass = "10 g"
velocity = 0.3
[body]
modes = [
  {{ frequency = 220.0, decay = 2.0, mass = 0.05 }},
  {{ frequency = 613.7, decay = 5.0, mass = 0.03, shape = -0.7 }},
]
"""


def of_the_command_line(cli, text, tmp_path):
    (tmp_path / "case.toml").write_text(text)
    run = subprocess.run([cli, "strike", "case.toml", "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    return run.stdout


@pytest.mark.parametrize("scheme", [None, *urto.schemes()])
def test_a_strike_equals_the_command_line_to_the_last_digit(cli, scheme, tmp_path):
    text = RIGID if scheme is None else MODAL.format(scheme=scheme)
    try:
        hit = urto.strike(text)
    except urto.UrtoError as error:
        # schemes that cannot compute this law
        assert error.field == "scheme"
        return
    assert hit.json + "\n" == of_the_command_line(cli, text, tmp_path)
    (tmp_path / "again.toml").write_text(text)
    assert urto.strike(tmp_path / "again.toml").json == hit.json


def test_a_dictionary_equals_its_text():
    case = {
        "sample_rate": 96_000,
        "contact": {"stiffness": 2e6, "exponent": 1.5, "damping": np.float64(0.15)},
        "striker": {"mass": "20 g", "velocity": 1.0},
    }
    assert urto.strike(case).json == urto.strike(RIGID).json


def test_trajectories_have_shapes_and_close_the_energy():
    hit = urto.strike(MODAL.format(scheme="edg"))
    arrays = [hit.time, hit.compression, hit.velocity, hit.force, hit.energy_striker, hit.energy_body, hit.energy_contact]
    assert all(array.dtype == np.float64 and array.shape == hit.time.shape for array in arrays)
    assert np.all(np.diff(hit.time) > 0)
    energy = hit.energy_striker + hit.energy_body + hit.energy_contact
    assert np.all(np.diff(energy) <= 1e-12 * energy[0])
    assert hit.force.max() == pytest.approx(hit.contacts[0]["peak_force"], rel=0.05)
    assert hit.report["contacts"] == hit.contacts == json.loads(hit.json)["contacts"]


def test_a_rigid_wall_has_its_closed_form():
    hit = urto.strike(RIGID)
    contact, closed = hit.contacts[0], hit.closed_form
    print(contact, closed)
    assert closed is not None
    assert contact["velocity_out"] == pytest.approx(closed["velocity_out"], rel=1e-3)
    assert contact["max_compression"] == pytest.approx(closed["max_compression"], rel=1e-3)
