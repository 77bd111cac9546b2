"""A recipe followed: its pieces are put into a copy of the software, and what is there is run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

RECIPE = ROOT / "docs" / "how-to" / "add-a-state.md"


@dataclass(frozen=True)
class PiecePlace:
    """Where a piece of a recipe goes: before the start of a line, which stands there once."""

    file: str
    before: str = ""
    replaces: bool = False  # the line goes, and the piece takes its place


def pieces_of(section: str) -> list[str]:
    """The pieces that a section of the recipe gives, in their order."""
    text = RECIPE.read_text(encoding="utf-8").partition(f"\n## {section}\n")[2]
    return re.findall(r"```\n(.*?)```", text.partition("\n## ")[0], re.DOTALL)


def copy_software(folder: Path) -> Path:
    """The software and the tests of the workflow, to be changed; all other tests by a link."""
    ignored = shutil.ignore_patterns("*.pyc.*")  # what is compiled goes along, to save seconds
    for name in ("app", "templates", "tests/workflow"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for one in (ROOT / "tests").iterdir():
        if one.name not in ("workflow", "__pycache__"):
            (folder / "tests" / one.name).symlink_to(one)
    for name in ("static", "migrations", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def follow(folder: Path, section: str, places: Sequence[PiecePlace], but: str = "") -> None:
    """Put the pieces of a section where they go, all but those of one file."""
    for piece, place in zip(pieces_of(section), places, strict=True):
        if place.file != but:
            put_piece(folder, piece, place)


def put_piece(folder: Path, piece: str, place: PiecePlace) -> None:
    """Put one piece where it goes."""
    file = folder / place.file
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert text.count(place.before) == 1, place
    at = text.index(place.before)
    rest = text[at:].partition("\n")[2] if place.replaces else text[at:]
    file.write_text(text[:at] + piece + rest, encoding="utf-8")


def run_there(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the copy."""
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        env=os.environ | {"PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def try_there(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy, which are of pure rooms: they need no database, and no fixture."""
    quiet = ("-q", "-n0", "-p", "no:cacheprovider", "--rootdir", str(folder))
    alone = ("--noconftest", "--hypothesis-profile", "ci")  # which has no deadline either
    return run_there(folder, "-m", "pytest", *quiet, *alone, *arguments)
