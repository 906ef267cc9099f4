"""Version, types, and exceptions that name the field."""

import inspect
import tomllib

import numpy as np
import pytest
import urto


def test_the_version_is_that_of_the_crate(root):
    cargo = tomllib.loads((root / "Cargo.toml").read_text())
    assert urto.__version__ == cargo["workspace"]["package"]["version"]


def test_every_public_name_has_a_docstring_and_a_stub(root):
    stubs = (root / "python" / "package" / "urto" / "_urto.pyi").read_text()
    for name in urto.__all__:
        assert name == "__version__" or getattr(urto, name).__doc__, name
        is_typed_itself = name == "UrtoError" or inspect.isfunction(getattr(urto, name))
        assert is_typed_itself or f" {name}" in stubs or f"\n{name}:" in stubs, name
    for cls in (urto.Hit, urto.Patch, urto.Body, urto.Engine):
        for name in vars(cls):
            if not name.startswith("_"):
                assert getattr(cls, name).__doc__, f"{cls.__name__}.{name}"
                assert f"def {name}(" in stubs, f"{cls.__name__}.{name}"


CASE = {"contact": {"stiffness": 1e7, "exponent": 1.5}, "striker": {"mass": 0.01, "velocity": 0.3}}


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: urto.strike({**CASE, "striker": {"mass": -1.0, "velocity": 1.0}}), "striker.mass"),
        (lambda: urto.strike({**CASE, "striker": {"mass": float("nan"), "velocity": 1.0}}), "striker.mass"),
        (lambda: urto.strike({**CASE, "colour": 1}), "colour"),
        (lambda: urto.strike({**CASE, "body": {"modes": [{"frequency": None}]}}), "body.modes[0].frequency"),
        (lambda: urto.Patch("Rosewod Marimba"), "name"),
        (lambda: urto.Patch().__setitem__("hammer_mass", -1.0), "hammer_mass"),
        (lambda: urto.Patch().__setitem__("hammer_mass", float("nan")), "hammer_mass"),
        (lambda: urto.Patch().__setitem__("body", "bra"), "body"),
        (lambda: urto.Patch.from_toml("schema = 2\n[hammer]\nmas = 1"), "hammer.mas"),
        (lambda: urto.Engine("Claves", rate=10), "rate"),
        (lambda: urto.Engine("Claves").render([(0.0, 60, 100), (-1.0, 60, 100)]), "notes[1].time"),
        (lambda: urto.Engine("Claves").render([(0.0, 60.5, 100)]), "notes[0].key"),
        (lambda: urto.Engine("Claves").render([(0.0, 60, 0)]), "notes[0].velocity"),
        (lambda: urto.Body("Studio Kit"), "patch"),
        (lambda: urto.Body("Claves").shapes([0.5, 2.0]), "positions"),
        (lambda: urto.dataset({"count": 1, "parameters": {"positon": 0.1}}, "unused"), "parameters.positon"),
    ],
)
def test_exceptions_name_the_field(call, field):
    with pytest.raises(urto.UrtoError) as raised:
        call()
    error = raised.value
    assert error.field == field
    assert isinstance(error, ValueError) and error.problem and error.remedy
    assert str(error) == f"{field}: {error.problem}; {error.remedy}"


def test_unknown_parameters_are_key_errors():
    with pytest.raises(KeyError, match="hamer_mass.*hammer_mass"):
        urto.Patch()["hamer_mass"]


def test_a_patch_keeps_its_values():
    patch = urto.Patch("Rosewood Marimba")
    patch["hammer_mass"] = "12 g"
    patch["position"] = np.float64(0.25)
    again = urto.Patch.from_toml(patch.to_toml())
    assert again == patch and again["hammer_mass"] == 0.012 and again["position"] == 0.25
    other = patch.copy()
    other["position"] = 0.5
    assert patch["position"] == 0.25
    ids = {parameter["id"] for parameter in urto.parameters()}
    assert {"hammer_mass", "position"} <= ids
    assert "Rosewood Marimba" in urto.presets() and "Studio Kit" in urto.presets()
