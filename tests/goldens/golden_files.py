"""Comparing a text with the one that is kept, or keeping it."""

import os
from difflib import unified_diff
from pathlib import Path

import pytest

KEPT = Path(__file__).resolve().parent / "kept"
WRITE = "GOLDENS"  # the variable that says so
_MOST_SHOWN = 60  # lines


def check(name: str, lines: list[str], *, is_whole: bool = True) -> None:
    """Fail where lines differ from those that are kept, or from the first of them."""
    file = KEPT / name
    if is_whole and os.environ.get(WRITE) == "write":
        file.write_text("".join(f"{line}\n" for line in lines))
    kept = file.read_text().splitlines()
    expected = kept if is_whole else kept[: len(lines)]
    difference = list(unified_diff(expected, lines, f"{name}, kept", "made now", lineterm="", n=1))
    if difference:
        shown = "\n".join(difference[:_MOST_SHOWN])
        pytest.fail(f"{shown}\n\nIf it is meant: python -m tests.goldens --write, and git diff.")
