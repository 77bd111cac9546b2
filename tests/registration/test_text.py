"""Templates as text, read back field by field as far as their headings are known."""

from pathlib import Path

import pytest

from app.registration.declarations import TEMPLATE_FIELDS
from app.registration.text import format_template, read_template, stated_version
from tests import factories

OLDER = """Namespace ID:

   urn-5

Registration Information:

   Version 2
   Date: 2003-05-06

Declared registrant of the namespace:

   Name:    A group
   Contact: B. F. <b.f&gmx.example>

Identifier uniqueness considerations:
   It is random.

Process of identifier assignment: by anybody
   at any time
"""


def test_what_was_written_is_read_back() -> None:
    fields = factories.template(version="3", date="2026-09-01", syntax='  a = "b"\n    c = "d"')
    read = read_template(format_template(fields))
    assert {name: text.split() for name, text in read.items()} == {
        name: text.split() for name, text in fields.items()
    }


def test_indents_toward_each_other_stay() -> None:
    text = "Syntax:\n\n      name = 1*DIGIT\n        ; a number\n\nPurpose: x\n"
    assert read_template(text)["syntax"] == "name = 1*DIGIT\n  ; a number"


def test_an_older_form_is_read_into_the_fields_of_today() -> None:
    assert read_template(OLDER) == {
        "namespace_identifier": "Namespace ID:\n   urn-5\n\n"
        "Registration Information:\n\n   Version 2",
        "date": "2003-05-06",
        "registrant": "Declared registrant of the namespace:\nName:    A group\n"
        "Contact: B. F. <b.f&gmx.example>",
        "assignment": "Identifier uniqueness considerations:\nIt is random.\n\n"
        "Process of identifier assignment: by anybody\nat any time",
    }


@pytest.mark.parametrize("text", ["", "No heading here.\nNor: here", "Unknown Heading: x"])
def test_a_text_without_known_headings_has_no_fields(text: str) -> None:
    assert read_template(text) == {}


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Version: 5\n", 5),
        ("Version:\n\n   1\n", 1),
        (OLDER, 2),
        ("Registration version number: 1", None),
        ("Version 1.0", 1),
        ("The version is 3", None),
        ("Version: none", None),
        ("", None),
    ],
)
def test_the_version_is_the_one_that_a_text_states(text: str, version: int | None) -> None:
    assert stated_version(text) == version


def test_the_real_templates_are_read(shared: Path) -> None:
    files = sorted((shared / "data/iana/templates").glob("*/*"))
    if not files:
        pytest.skip("no templates are there")
    known = {field.name for field in TEMPLATE_FIELDS}
    for file in files:
        text = file.read_text(encoding="utf-8")
        read = read_template(text)
        assert set(read) <= known
        words = set(" ".join(read.values()).split())
        assert words <= set(text.replace(":", ": ").split()) | set(text.split()), file.name
