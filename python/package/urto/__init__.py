"""Urto: percussion by contact physics.

A hammer with mass and speed meets a vibrating body through a nonlinear contact force. All quantities are in SI units.

`strike` simulates one fully measured strike, `Body` has the modes of a body, `Patch` is a sound, `Engine` plays it, and `dataset` renders many
strokes with drawn parameters.
"""

from urto._urto import (
    Body,
    Engine,
    Hit,
    Patch,
    __version__,
    dataset,
    dataset_finish,
    dataset_prepare,
    dataset_shard,
    dataset_verify,
    laws,
    parameters,
    presets,
    schemes,
    strike,
)
from urto.errors import UrtoError
from urto.parquet import manifest_to_parquet

__all__ = [
    "Body",
    "Engine",
    "Hit",
    "Patch",
    "UrtoError",
    "__version__",
    "dataset",
    "dataset_finish",
    "dataset_prepare",
    "dataset_shard",
    "dataset_verify",
    "laws",
    "manifest_to_parquet",
    "parameters",
    "presets",
    "schemes",
    "strike",
]
