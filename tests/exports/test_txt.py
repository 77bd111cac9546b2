"""The page as text."""

from dataclasses import replace
from pathlib import Path

from app.exports.formats.txt import txt_files
from app.exports.formats.xml_reader import read_xml
from app.registration.declarations.formats import Format, forms_on_page
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    SubRegistry,
    Xref,
    XrefType,
)
from tests.exports.snapshots import EMPTY, FULL

EXPECTED = """\
Names & <Numbers>

Notice
        This is a private registry.
        Its numbers are not IANA's.

Last Updated
        2026-01-02

Note
        A note on [RFC8141].
        Its second line.

Note
        Another

Available Formats
{FORMS}

Registries Included Below
        Formal
        Informal

Formal

Registration Procedure(s)
        Expert Review, per [RFC8141].
        Or not.

Expert(s)
        Jane Doe, Juan Pérez

Reference
        [RFC8141][RFC8141, Section 6.2]

Deprecated
        omega is deprecated. Existing identifiers stay valid. It has no successor.

Available Formats
        CSV: urn-namespaces-1.csv

URN Namespace Template         Reference
Alpha         [alpha-template] [RFC8141][RFC Errata 3188]
omega                          [=Omega, "Inc".]
draft                          [RFC-a-b-01]

Informal

Available Formats
        CSV: urn-namespaces-2.csv

URN Namespace Template Reference
urn-1         [urn-1]  [Jane_Doe]

Contact Information

ID         Name     Organization Contact URI             Last Updated
[Jane_Doe] Jane Doe              mailto:jane&example.org 2020-01
[Ørg]               The Ørg
"""


def text_of(snapshot: RegistrySnapshot) -> str:
    """The page."""
    [(name, data)] = txt_files(snapshot)
    assert name == f"{snapshot.id}.txt"
    return data.decode()


def test_the_page_has_ianas_order_in_padded_columns() -> None:
    forms = (f"        {form.label}: urn-namespaces.{form}" for form in forms_on_page())
    assert text_of(FULL) == EXPECTED.replace("{FORMS}", "\n".join(forms))
    assert forms_on_page()[:3] == (Format.XML, Format.XHTML, Format.TXT), "in IANA's order"


def test_an_empty_table_says_so_and_no_people_have_no_heading() -> None:
    text = text_of(EMPTY)
    assert text.endswith("CSV: things-1.csv\n\nNo registrations at this time.\n")
    assert "Contact Information" not in text


def test_a_person_is_shown_by_id_whatever_the_label() -> None:
    labelled = Xref(XrefType.PERSON, "Jane_Doe", "jane@example.org")
    record = Registration(name="a", references=(labelled,))
    table = SubRegistry(id="things-1", title="", records=(record,))
    assert "\na             [Jane_Doe]\n" in text_of(replace(EMPTY, registries=(table,)))


def test_every_line_of_ianas_own_page_is_on_ours(shared: Path) -> None:
    iana = shared / "data" / "iana" / "urn-namespaces"
    ours = text_of(read_xml((iana / "urn-namespaces.xml").read_bytes()))
    folded = {" ".join(line.split()) for line in ours.splitlines()}
    theirs = (iana / "urn-namespaces.txt").read_text().partition("Formal URN Namespaces\n\n")[2]
    rows = [" ".join(line.split()) for line in theirs.splitlines() if "[" in line]
    records = [row for row in rows if "[IMG]" not in row]
    assert len(records) > 105
    assert [row for row in records if row not in folded] == []
