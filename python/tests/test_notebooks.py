"""The notebooks run from top to bottom; their assertions hold."""

import json

import pytest

NOTEBOOKS = ["contact_time", "paper_table", "recorded_body", "sweep"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(name, root):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    notebook = json.loads((root / "python" / "notebooks" / f"{name}.ipynb").read_text())
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "store notebooks without outputs"
            exec("".join(cell["source"]), names)


def test_every_notebook_is_tested(root):
    assert sorted(path.stem for path in (root / "python" / "notebooks").glob("*.ipynb")) == NOTEBOOKS
