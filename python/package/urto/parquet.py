"""The manifest of a data set as a Parquet file, through pyarrow (``pip install "urto[parquet]"``)."""

import csv
import os
import tomllib
from pathlib import Path

from urto._urto import dataset_verify
from urto.errors import UrtoError

#: Columns of text; parameters that are choices are text too.
_TEXTS = {"shard", "preset", "urto_version"}
#: Columns of whole numbers.
_WHOLES = {"stroke", "start_frame", "frames", "key", "mode_count", "contacts", "seed"}
#: Columns of several numbers, separated by spaces.
_LISTS = {"mode_frequencies_hz", "mode_t60_s", "mode_weights"}


def manifest_to_parquet(folder: str | os.PathLike[str]) -> Path:
    """Write ``manifest.parquet`` beside ``manifest.csv`` of a complete data set.

    Numbers become int64 or float64, empty cells null, and the three columns of modes lists of float64. Version, fingerprint and
    specification of the data set become metadata of the schema. The same data set gives the same bytes with the same pyarrow.

    Parameters
    ----------
    folder : str or os.PathLike
        Folder of a data set that `dataset` or ``urto-cli dataset`` has completed. Its checksums are verified first.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    UrtoError
        The data set is not complete, or damaged, or pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise UrtoError("pyarrow", "the package is not installed", 'install it: pip install "urto[parquet]"') from error
    folder = Path(folder)
    dataset_verify(folder)
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    columns = {name: _column(pyarrow, name, cells) for name, cells in zip(names, zip(*rows))}
    description = tomllib.loads((folder / "dataset.toml").read_text(encoding="utf-8"))
    metadata = {f"urto_{key}": str(description[key]) for key in ("version", "fingerprint", "specification")}
    table = pyarrow.table(columns).replace_schema_metadata(metadata)
    path, unfinished = folder / "manifest.parquet", folder / "manifest.parquet.part"
    pyarrow.parquet.write_table(table, unfinished, compression="zstd")
    os.replace(unfinished, path)
    return path


def _column(pyarrow, name, cells):
    if name in _LISTS:
        return pyarrow.array([[float(part) for part in cell.split()] for cell in cells], pyarrow.list_(pyarrow.float64()))
    if name in _TEXTS:
        return pyarrow.array(cells, pyarrow.string())
    if name in _WHOLES:
        return pyarrow.array([int(cell) for cell in cells], pyarrow.int64())
    try:
        return pyarrow.array([float(cell) if cell else None for cell in cells], pyarrow.float64())
    except ValueError:
        # a parameter that is a choice
        return pyarrow.array(cells, pyarrow.string())
