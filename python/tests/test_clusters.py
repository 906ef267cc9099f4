"""The examples for Ray and Dask: a worker is killed, and the data set is the same as that of one process.

`cargo xtask python --clusters` installs both; without them the tests are skipped.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import urto

SPEC = """\
count = 192
seed = 3
length = 0.5
format = "flac"
shard = 8
presets = ["Rosewood Marimba", "Twelve-Inch Tom"]
velocities = { from = 20, to = 127 }
[parameters]
position = { from = 0.1, to = 0.5 }
"""


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def descendants(process):
    """Numbers and command lines of all processes below `process`."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1]), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                pass
    for number, (parent, line) in parents.items():
        while parent and parent != process:
            parent = parents.get(parent, (0, ""))[0]
        if parent == process:
            yield number, line


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the workers by Linux's list of processes")
@pytest.mark.parametrize(("package", "example", "name"), [("ray", "dataset_with_ray.py", "ray::shard"), ("distributed", "dataset_with_dask.py", "spawn_main")])
def test_a_killed_worker_changes_nothing(package, example, name, root, tmp_path):
    pytest.importorskip(package)
    (tmp_path / "spec.toml").write_text(SPEC)
    urto.dataset(tmp_path / "spec.toml", tmp_path / "whole")
    command = [sys.executable, root / "python" / "examples" / example, tmp_path / "spec.toml", tmp_path / "spread"]
    with (tmp_path / "log.txt").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        done = lambda: len(list((tmp_path / "spread" / "rows").glob("*.csv")))
        while done() < 5 and process.poll() is None:
            time.sleep(0.01)
        workers = [number for number, line in descendants(process.pid) if name in line]
        assert workers and process.poll() is None, (tmp_path / "log.txt").read_text()
        os.kill(workers[0], signal.SIGKILL)
        killed_after = done()
        assert process.wait(timeout=300) == 0, (tmp_path / "log.txt").read_text()
    assert killed_after < 24
    assert files(tmp_path / "spread") == files(tmp_path / "whole")
    print(f"{package}: worker killed after {killed_after} of 24 shards")
