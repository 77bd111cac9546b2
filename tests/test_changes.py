"""What changed is told, version by version, and the words on upgrades lead somewhere."""

import re
import tomllib

import pytest

from app.factory import asset_dir
from app.store.administration.migrations import newest_revision
from tests.conftest import ROOT

DOCS = ROOT / "docs"
_VERSION = re.compile(
    r"^## (\d+)\.(\d+)\.(\d+), (?:not released yet|\d{4}-\d\d-\d\d)$", re.MULTILINE
)


def told() -> list[tuple[int, ...]]:
    """The versions that are told of, in their order there."""
    text = (DOCS / "changes.md").read_text(encoding="utf-8")
    return [tuple(map(int, numbers)) for numbers in _VERSION.findall(text)]


def test_the_version_that_runs_is_told_of_first() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert told()[0] == tuple(map(int, version.split(".")))
    assert told() == sorted(told(), reverse=True)


def test_each_heading_is_a_version_and_says_whether_it_is_released() -> None:
    text = (DOCS / "changes.md").read_text(encoding="utf-8")
    assert len(re.findall("^## ", text, re.MULTILINE)) == len(told())


def test_the_newest_version_says_the_revision_of_its_database() -> None:
    newest = (DOCS / "changes.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert f"Database revision {newest_revision(asset_dir('migrations'))}." in newest


@pytest.mark.parametrize("file", ["changes.md", "deployment.md"])
def test_what_a_page_refers_to_is_there(file: str) -> None:
    text = (DOCS / file).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([a-z]+\.md)\)", text):
        assert (DOCS / target).is_file() or target == "proxies.md", target


def test_the_readme_leads_to_them() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "docs/deployment.md" in text
    assert "docs/changes.md" in text
