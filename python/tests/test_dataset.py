"""Data sets: the bytes of the command line, shards by workers of their own, resumption."""

import csv
import subprocess
import sys
import time

import pytest
import urto

SPEC = {
    "count": 30,
    "seed": 3,
    "sampling": "sobol",
    "length": 0.05,
    "rate": 16_000,
    "format": "flac",
    "shard": 4,
    "presets": ["Claves", "Rosewood Marimba"],
    "keys": {"from": 60, "to": 72},
    "velocities": {"from": 20, "to": 127},
    "parameters": {"position": {"from": 0.1, "to": 0.5}, "hammer_mass": {"from": "5 g", "to": 0.05, "spacing": "log"}},
}
TEXT = """\
count = 30
length = 0.05
rate = 16000
shard = 4
presets = ["Claves"]
[parameters]
position = { from = 0.1, to = 0.5 }
"""


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_command_line_writes_the_same_bytes(cli, tmp_path):
    (tmp_path / "spec.toml").write_text(TEXT)
    urto.dataset(tmp_path / "spec.toml", tmp_path / "python", jobs=2)
    subprocess.run([cli, "dataset", "spec.toml", "cli"], cwd=tmp_path, check=True, capture_output=True)
    assert files(tmp_path / "python") == files(tmp_path / "cli")


def test_shards_of_workers_make_the_same_data_set(tmp_path):
    calls = []
    summary = urto.dataset(SPEC, tmp_path / "whole", jobs=2, progress=lambda done, all: calls.append((done, all)))
    assert summary == {"strokes": 30, "shards": 8, "rendered": 30} and calls[-1] == (30, 30)
    missing = urto.dataset_prepare(SPEC, tmp_path / "workers")
    assert missing == list(range(8))
    for shard in reversed(missing):
        urto.dataset_shard(SPEC, tmp_path / "workers", shard)
    urto.dataset_finish(SPEC, tmp_path / "workers")
    assert files(tmp_path / "workers") == files(tmp_path / "whole")
    assert urto.dataset_verify(tmp_path / "workers")["strokes"] == 30
    assert urto.dataset(SPEC, tmp_path / "whole")["rendered"] == 0
    rows = list(csv.DictReader((tmp_path / "whole" / "manifest.csv").open()))
    assert [int(row["stroke"]) for row in rows] == list(range(30))
    assert {row["preset"] for row in rows} == {"Claves", "Rosewood Marimba"}
    assert all(0.1 <= float(row["position"]) <= 0.5 and float(row["contact_time_s"]) > 0 for row in rows)


def test_a_killed_process_loses_nothing(tmp_path):
    urto.dataset(SPEC, tmp_path / "whole")
    program = f"import urto; urto.dataset({SPEC!r}, {str(tmp_path / 'killed')!r}, jobs=1)"
    process = subprocess.Popen([sys.executable, "-c", program])
    while len(list((tmp_path / "killed" / "rows").glob("*.csv"))) < 2 and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.wait()
    summary = urto.dataset(SPEC, tmp_path / "killed")
    assert 0 < summary["rendered"] < 30
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


def test_exceptions_of_progress_are_raised(tmp_path):
    def fail(done, all):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        urto.dataset(SPEC, tmp_path / "out", progress=fail)


def test_another_data_set_is_refused(tmp_path):
    urto.dataset({**SPEC, "count": 2}, tmp_path / "out")
    with pytest.raises(urto.UrtoError) as raised:
        urto.dataset({**SPEC, "count": 3}, tmp_path / "out")
    assert raised.value.field == str(tmp_path / "out") and "another specification" in raised.value.problem
