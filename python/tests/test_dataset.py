"""Data sets: the bytes of the command line, shards by workers of their own, resumption."""

import csv
import subprocess
import sys
import time
from pathlib import Path

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


@pytest.mark.parametrize(
    ("change", "field", "problem"),
    [
        ({"parameters": {"positon": 0.1}}, "parameters.positon", "no parameter has this id"),
        ({"parameters": {"position": {"from": 0.5, "to": 0.5}}}, "parameters.position", "the range from 0.5 to 0.5 is empty"),
        ({"presets": []}, "presets", "the list is empty"),
        ({"colour": 1}, "colour", "unknown key"),
        ({"keys": [60, 128]}, "keys", "128 is out of range"),
    ],
)
def test_faulty_specifications_write_nothing(change, field, problem, tmp_path):
    for function in (urto.dataset, urto.dataset_prepare):
        with pytest.raises(urto.UrtoError) as raised:
            function({**SPEC, **change}, tmp_path / "out")
        assert raised.value.field == field and problem in raised.value.problem and raised.value.remedy
    assert not (tmp_path / "out").exists()


def test_files_of_something_else_are_kept(tmp_path):
    (tmp_path / "song.txt").write_text("kept")
    with pytest.raises(urto.UrtoError, match="files that are not of a data set; choose"):
        urto.dataset(SPEC, tmp_path)
    assert files(tmp_path) == {Path("song.txt"): b"kept"}


def test_files_name_version_and_seed(cli, tmp_path):
    soundfile = pytest.importorskip("soundfile")
    for form in ("wav", "flac"):
        urto.dataset({**SPEC, "count": 2, "format": form}, tmp_path / form)
        with soundfile.SoundFile(tmp_path / form / "shards" / f"00000.{form}") as sound:
            assert sound.frames == 2 * 800 and sound.comment == "seed = 3", sound.extra_info
            assert sound.title == f"Data set, shards/00000.{form}"
            assert form == "flac" or sound.software.startswith(f"Urto {urto.__version__}")
    patch = urto.Patch("Claves")
    patch["human_seed"] = 7
    (tmp_path / "seven.toml").write_text(patch.to_toml())
    (tmp_path / "in.mid").write_bytes(bytes.fromhex("4d546864000000060000000100604d54726b0000000c00903c6460803c4000ff2f00"))
    for form in ("wav", "flac"):
        command = [cli, "render", "in.mid", f"out.{form}", "--preset", "seven.toml", "--tail", "0.1"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        with soundfile.SoundFile(tmp_path / f"out.{form}") as sound:
            assert sound.title == "Claves" and sound.comment == "human_seed = 7, roll_seed = 0"
            assert len(sound.read()) == sound.frames > 0


def test_the_manifest_becomes_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    urto.dataset(SPEC, tmp_path / "out")
    path = urto.manifest_to_parquet(tmp_path / "out")
    table = parquet.read_table(path)
    rows = list(csv.DictReader((tmp_path / "out" / "manifest.csv").open()))
    assert table.num_rows == 30 and table.column_names == list(rows[0])
    assert table["hammer_mass [kg]"].to_pylist() == [float(row["hammer_mass [kg]"]) for row in rows]
    assert table["mode_frequencies_hz"][3].as_py() == [float(part) for part in rows[3]["mode_frequencies_hz"].split()]
    assert table["preset"].to_pylist() == [row["preset"] for row in rows]
    assert table.schema.metadata[b"urto_version"].decode() == urto.__version__
    before = path.read_bytes()
    assert urto.manifest_to_parquet(tmp_path / "out").read_bytes() == before
    # the data set is still complete, and is not changed
    assert urto.dataset(SPEC, tmp_path / "out")["rendered"] == 0 and urto.dataset_verify(tmp_path / "out")["strokes"] == 30
    urto.dataset_prepare(SPEC, tmp_path / "unfinished")
    with pytest.raises(urto.UrtoError, match="not complete"):
        urto.manifest_to_parquet(tmp_path / "unfinished")


def test_another_data_set_is_refused(tmp_path):
    urto.dataset({**SPEC, "count": 2}, tmp_path / "out")
    with pytest.raises(urto.UrtoError) as raised:
        urto.dataset({**SPEC, "count": 3}, tmp_path / "out")
    assert raised.value.field == str(tmp_path / "out") and "another specification" in raised.value.problem
