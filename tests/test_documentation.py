"""The pages of the documentation: found from the README in one step, and true to the tree."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

README = ROOT / "README.md"
PAGES = sorted((ROOT / "docs").rglob("*.md"))
_LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[a-z-]+)?\)")
_PATH = re.compile(r"`((?:app|docs|migrations|static|templates|tests)/[^`\s*{}]*)`")
_CODE = re.compile(r"```.*?```", re.DOTALL)


def _targets(page: Path) -> set[Path]:
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    return {(page.parent / target).resolve() for target in _LINK.findall(text)}


def test_each_page_is_found_from_the_readme_in_one_step() -> None:
    assert set(PAGES) <= _targets(README)


@pytest.mark.parametrize("page", [README, *PAGES], ids=lambda page: page.name)
def test_what_a_page_refers_to_is_there(page: Path) -> None:
    assert {target for target in _targets(page) if not target.exists()} == set()
    named = _PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path.split("::")[0]).exists()] == []


def test_the_readme_is_for_newcomers_and_names_every_room() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text) < 8_000, "move what is told in full to docs/"
    assert "from app.identifiers import parse_urn" in text
    rooms = {path.parent.name for path in (ROOT / "app").glob("*/__init__.py")}
    assert {room for room in rooms if f"`{room}`" not in text} == set()
