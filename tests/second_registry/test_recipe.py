"""The recipe for a registry is followed: by the shelf marks, and in a copy of the software."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

RECIPE = ROOT / "docs" / "how-to" / "add-a-registry.md"
HERE = Path(__file__).parent
DECLARATION = (HERE / "shelf_marks.py").read_text(encoding="utf-8")
TABLE = (HERE / "shelf_transitions.py").read_text(encoding="utf-8")
ROOM = Path("app/registration/declarations")
LAST = "        INFORMAL,\n"


def blocks() -> list[str]:
    """What the recipe has people write."""
    return re.findall(r"```\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.DOTALL)


def _grown(folder: Path) -> None:
    """A copy of the software, with the registry as the recipe adds it."""
    *_, joins, _rows, entry = blocks()
    ignored = shutil.ignore_patterns("*.pyc.*")  # what is compiled goes along, to save seconds
    shutil.copytree(ROOT / "app", folder / "app", ignore=ignored)
    for shared in ("templates", "static"):
        (folder / shared).symlink_to(ROOT / shared)
    (folder / ROOM / "shelf_marks.py").write_text(DECLARATION, encoding="utf-8")
    _change(folder / ROOM / "registries.py", LAST, f"{LAST}        SHELVES,\n", joins)
    procedure = joins.replace("SHELVES", "ShelfProcedure")
    transitions = folder / "app" / "workflow" / "transitions.py"
    text = transitions.read_text(encoding="utf-8")
    rows = TABLE.partition(")\n\n")[2]  # what follows its imports
    transitions.write_text(f"{procedure}{text}\n\n{rows}\n{entry}", encoding="utf-8")


def _change(file: Path, before: str, after: str, imported: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    first = "from app.registration"
    file.write_text(
        text.replace(before, after).replace(first, imported + first, 1), encoding="utf-8"
    )


def test_the_shelf_marks_are_what_the_recipe_shows() -> None:
    *shown, _, rows, _ = blocks()
    assert len(shown) == 3
    assert [block for block in shown if block not in DECLARATION] == []
    assert rows in TABLE


def test_a_registry_that_follows_the_recipe_is_one_of_the_softwares(tmp_path: Path) -> None:
    _grown(tmp_path)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.second_registry.grown_software", str(tmp_path)],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
