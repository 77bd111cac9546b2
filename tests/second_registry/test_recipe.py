"""The recipe for a registry is followed: by the shelf marks, and in a copy of the software."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePath

import pytest

from tests import test_names
from tests.conftest import ROOT

RECIPE = ROOT / "docs" / "how-to" / "add-a-registry.md"
HERE = Path(__file__).parent
DECLARATION = (HERE / "shelf_marks.py").read_text(encoding="utf-8")
TABLE = (HERE / "shelf_transitions.py").read_text(encoding="utf-8")
ROOM = Path("app/registration/declarations")
WORKFLOW = Path("app/workflow")
LAST = "        INFORMAL,\n"
LAST_TABLE = "    **NAAN_TABLES,\n"


def blocks() -> list[str]:
    """What the recipe has people write."""
    return re.findall(r"```\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.DOTALL)


def _grown(folder: Path) -> None:
    """A copy of the software, with the registry as the recipe adds it."""
    *_, joins, _rows, _tables, import_, entry, _noun = blocks()
    ignored = shutil.ignore_patterns("*.pyc.*")  # what is compiled goes along, to save seconds
    shutil.copytree(ROOT / "app", folder / "app", ignore=ignored)
    for shared in ("templates", "static"):
        (folder / shared).symlink_to(ROOT / shared)
    (folder / ROOM / "shelf_marks.py").write_text(DECLARATION, encoding="utf-8")
    own = TABLE.replace("tests.second_registry", "app.registration.declarations")
    (folder / WORKFLOW / "shelf_transitions.py").write_text(own, encoding="utf-8")
    _change(folder / ROOM / "registries.py", LAST, f"{LAST}        SHELVES,\n", joins)
    transitions = folder / WORKFLOW / "transitions.py"
    _change(transitions, LAST_TABLE, f"{LAST_TABLE}{entry}", import_)


def _change(file: Path, before: str, after: str, imported: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    first = "from app.registration"
    file.write_text(
        text.replace(before, after).replace(first, imported + first, 1), encoding="utf-8"
    )


def test_the_shelf_marks_are_what_the_recipe_shows() -> None:
    *shown, _, rows, tables, _, _, _ = blocks()
    assert len(shown) == 3
    assert [block for block in shown if block not in DECLARATION] == []
    assert [block for block in (rows, tables) if block not in TABLE] == []


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


def test_a_registry_that_follows_the_recipe_keeps_the_rules_on_names_and_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _grown(tmp_path)
    changed = [ROOM / "shelf_marks.py", ROOM / "registries.py"]
    changed += [WORKFLOW / "shelf_transitions.py", WORKFLOW / "transitions.py"]
    files: dict[PurePath, str] = {
        path: (tmp_path / path).read_text(encoding="utf-8") for path in changed
    }
    (noun,) = re.findall(r"\*\*(.*)\*\*", blocks()[-1])
    nouns = test_names.glossary() | {tuple(noun.lower().split())}
    monkeypatch.setattr(test_names, "glossary", lambda: nouns)
    for rule in (test_names.without_noun, test_names.twice, test_names.everyday):
        assert rule(files) == set(), rule.__name__
    assert test_names.too_long(files) == set()
