"""The recorded hands that some tests replay; they are too large to live in the repository."""

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def data_folder() -> Path:
    """Return `$ROLLFORWARD_DATA` or `../shared/data`; without either the test is skipped."""
    folder = Path(os.environ.get("ROLLFORWARD_DATA") or BESIDE)
    if not folder.is_dir():
        pytest.skip(f"no recorded hands in {folder}; set ROLLFORWARD_DATA")
    return folder


def data_file(name: str) -> Path:
    """Return one recorded file, or skip and say which one is missing."""
    file = data_folder() / name
    if not file.is_file():
        pytest.skip(f"no {name} in {file.parent}; set ROLLFORWARD_DATA")
    return file
