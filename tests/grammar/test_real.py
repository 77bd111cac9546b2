"""What is found in the templates that IANA published; each was checked by hand to be true."""

from pathlib import Path

import pytest

from tests.grammar.studies import study

from .real import FOUND

WORKBENCH = Path(__file__).resolve().parents[2] / "docs" / "workbench.md"


@pytest.fixture(scope="session")
def templates(shared: Path) -> dict[str, str]:
    """The texts of the templates by NID."""
    files = (shared / "data/iana/templates").rglob("*")
    return {
        file.name: file.read_text(encoding="utf-8", errors="replace")
        for file in files
        if file.is_file() and not file.name.startswith(".")
    }


def test_every_template_is_in_the_table(templates: dict[str, str]) -> None:
    assert set(FOUND) == set(templates)


@pytest.mark.parametrize("nid", FOUND)
def test_what_is_found_in_a_template_is_what_was_checked(
    nid: str, templates: dict[str, str]
) -> None:
    found = study(templates[nid])
    rules, codes = FOUND[nid]
    assert len(found.rules) == rules
    assert {f"{one.code}:{one.line}" for one in found.findings} == codes
    assert not found.too_large


def test_the_page_about_the_workbench_has_a_row_for_every_template() -> None:
    rows = [line.split("|") for line in WORKBENCH.read_text(encoding="utf-8").splitlines()]
    told = {row[1].strip(): row[2].strip() for row in rows if len(row) == 5}
    for nid, (rules, _) in FOUND.items():
        assert told.get(nid) == str(rules), nid
