"""The rows of a file of `tests/vectors`."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).resolve().parent.parent / "vectors"


def read_vectors(name: str) -> list[dict[str, Any]]:
    """Each row is a text given and what becomes of it."""
    rows: list[dict[str, Any]] = json.loads((_FOLDER / f"{name}.json").read_text("ascii"))
    return rows
