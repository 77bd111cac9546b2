"""What the lint finds in real templates: each finding was checked by hand and is true.

A template is linted as a new request, with no name registered. A finding that appears here for
the first time is a false one until someone has read the template.
"""

from pathlib import Path

import pytest

from app.outside import template_study
from app.registration.templates.rfc_registrations import find_registrations
from app.registration.templates.template_lint import lint
from app.registration.templates.text_encodings import DecodedText, decode_text
from tests.grammar.studies import study

from .real_findings import FOUND

QUOTED = "quoted:1"


@pytest.fixture(scope="module")
def templates(shared: Path) -> dict[str, DecodedText]:
    """Every real template: those of IANA by NID, those in RFCs by RFC and NID."""
    found = {
        file.name: decode_text(file.read_bytes())
        for file in (shared / "data/iana/templates").glob("*/*")
    }
    for file in (shared / "data/rfc-registrations").glob("rfc*.txt"):
        text = decode_text(file.read_bytes()).text
        for one in find_registrations(text, int(file.stem[3:]), ()):
            if one.is_whole:
                found[f"{file.stem}/{one.name}"] = decode_text(one.text.encode())
    return found


def findings(template: DecodedText, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give each finding by code and line, or by code and field if that is missing."""
    monkeypatch.setattr(template_study, "study_in_child", study)
    found = lint(template, study=template_study.study_text)
    places = (one.field if one.code == "missing" else one.line for one in found)
    return sorted(f"{one.code}:{place}" for one, place in zip(found, places, strict=True))


def test_every_real_template_is_in_the_table(templates: dict[str, DecodedText]) -> None:
    assert set(FOUND) == set(templates)


@pytest.mark.parametrize("name", FOUND)
def test_the_lint_finds_in_a_real_template_what_was_checked_to_be_true(
    name: str, templates: dict[str, DecodedText], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings(templates[name], monkeypatch) == FOUND[name]


@pytest.mark.parametrize("name", FOUND)
def test_the_same_is_found_in_a_template_quoted_in_mail_and_with_other_line_ends(
    name: str, templates: dict[str, DecodedText], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = templates[name].text.split("\n")
    quoted = decode_text("\n".join(f"> {line}".rstrip() for line in lines).encode())
    assert findings(quoted, monkeypatch) == sorted([*FOUND[name], QUOTED])
    other = decode_text("\r\n".join(lines).encode())
    assert findings(other, monkeypatch) == FOUND[name]
