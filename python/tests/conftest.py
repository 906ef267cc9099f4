"""Paths of the repository and its command line."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def cli():
    """The program `urto-cli`: that of `URTO_CLI`, or a release build."""
    given = os.environ.get("URTO_CLI")
    if given:
        return Path(given)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    command = ["cargo", "build", "--release", "--package", "urto", "--bin", "urto-cli", "--no-default-features", "--features", "cli"]
    subprocess.run(command, cwd=ROOT, check=True)
    return target / "release" / "urto-cli"
