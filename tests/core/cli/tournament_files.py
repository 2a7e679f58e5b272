"""Good terms as a document, and what is made of a changed one."""

import json
from pathlib import Path
from typing import Any

from services.cli.tournament.file import understood
from shared.contracts.director import Terms

GOOD = {
    "name": "Evening",
    "rule_set": "tda",
    "entries": 40,
    "seats": 9,
    "fee_cents": 1_000,
    "commission_cents": 100,
    "starting_chips": 1_500,
    "level_ms": 600_000,
    "levels": [
        {"small_blind_chips": 10, "big_blind_chips": 20},
        {"small_blind_chips": 20, "big_blind_chips": 40},
        {"small_blind_chips": 40, "big_blind_chips": 80, "ante_chips": 10},
    ],
    "prizes": {"type": "standard"},
}
XMAS_MS = 1_798_142_400_000  # 2026-12-24T20:00:00Z


def terms_of(**changes: Any) -> Terms:
    return understood({**GOOD, **changes}).terms


def written(folder: Path, text: str, name: str = "terms.toml") -> Path:
    """Write a file; return its path."""
    (folder / name).write_text(text)
    return folder / name


def json_file(folder: Path, **changes: Any) -> Path:
    """Write the good terms with these changes."""
    return written(folder, json.dumps({**GOOD, **changes}), "terms.json")
