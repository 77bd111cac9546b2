"""What tells one state of the software that makes editions from another."""

import shutil
from pathlib import Path
from types import ModuleType

import pytest

from app import exports, grammar, identifiers, registration, resolution
from app.messages import tokens
from app.services import files


def fingerprint() -> str:
    """The fingerprint, worked out anew."""
    return files.fingerprint.__wrapped__()


@pytest.mark.parametrize("room", [identifiers, grammar, registration, resolution, exports])
def test_every_room_that_makes_bytes_is_seen_at_every_depth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: ModuleType
) -> None:
    copy, before = tmp_path / "room", fingerprint()
    shutil.copytree(room.__path__[0], copy)
    monkeypatch.setattr(room, "__path__", [str(copy)])
    (copy / "__pycache__").mkdir(exist_ok=True)
    (copy / "__pycache__" / "new.cpython-311.pyc").write_bytes(b"is made of what is seen already")
    assert fingerprint() == before, "wherever the software lies, and compiled or not"
    seen = {before}
    for place in ("new.py", "nested/new.py", "nested/deeper/new.rng", "nested/deeper/other.rng"):
        (copy / place).parent.mkdir(exist_ok=True)
        (copy / place).write_text("<grammar/>")
        seen.add(fingerprint())
    assert len(seen) == 5, "a file in another place is another state too"


@pytest.mark.parametrize("module", [tokens, files])
def test_modules_of_other_rooms_that_make_bytes_are_seen_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType
) -> None:
    before, other = fingerprint(), tmp_path / "other.py"
    other.write_text("A = 1")
    monkeypatch.setattr(module, "__file__", str(other))
    assert fingerprint() != before
