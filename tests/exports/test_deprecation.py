"""A name that is deprecated is said to be so wherever a form has room, with what to use instead."""

import csv
from io import StringIO

import pytest

from app.bundles.edition_files import template_text
from app.exports.formats.exporters import FORMATS
from app.exports.formats.record_files import namespace_files
from app.exports.formats.xml_reader import read_xml
from app.registration.declarations.formats import Format
from app.registration.declarations.registries import FORMAL
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
    TemplateStyle,
)
from app.registration.templates.template_reader import read_template

_FIELDS = (
    ("namespace_identifier", "Acme"),
    ("registrant", "Acme Ltd."),
    ("purpose", "Things that Acme makes, all of them."),
)
WORDS = "acme is deprecated. Existing identifiers stay valid."
TOLD = ("Use urn:brick: instead.", "It has no successor.")


def _registry(successor: str | None, **told: str) -> tuple[RegistrySnapshot, Registration]:
    style = TemplateStyle.RFC8141
    acme = Registration(
        name="Acme", status=Status.DEPRECATED, successor=successor, style=style, **told or _TEXTS
    )
    brick = Registration(name="brick", style=style, fields=_FIELDS)
    table = SubRegistry(id=FORMAL.id, title="Formal", records=(acme, brick))
    whole = RegistrySnapshot(
        id="urn-namespaces", title="URN Namespaces", updated="2026-01-02", registries=(table,)
    )
    return whole, whole.registries[0].records[0]


_TEXTS = {"fields": _FIELDS}


@pytest.mark.parametrize(("successor", "instead"), [("Brick", TOLD[0]), (None, TOLD[1])])
def test_every_form_with_room_tells_of_a_deprecated_name(
    successor: str | None, instead: str
) -> None:
    whole, acme = _registry(successor)
    files = {
        name: body.decode()
        for form in (Format.TXT, Format.XHTML, Format.XML, Format.CSV)
        for name, body in FORMATS[form].files(whole, None)
    }
    for suffix in ("txt", "xhtml", "xml"):
        assert f"{WORDS} {instead}" in files[f"urn-namespaces.{suffix}"]
    rows = list(csv.DictReader(StringIO(files["urn-namespaces.csv"], newline="")))
    assert [(row["Status"], row["Successor"]) for row in rows] == [
        ("deprecated", successor or ""),
        ("registered", ""),
    ]
    assert "deprecated" not in files["urn-namespaces-1.csv"], "IANA's columns have no room"
    assert not read_xml(files["urn-namespaces.xml"].encode()).notes, "the note is not read as one"

    own = {name: body.decode() for name, body in namespace_files(whole, acme)}
    assert f"{WORDS} {instead}" in own["acme.xml"]
    assert "deprecated" in own["acme.csv"]
    for page in (own["acme.txt"], own["acme.xhtml"]):
        assert "Became" not in page, "it is not a former name"
        assert ("Use instead" in page) is bool(successor)
        assert instead in " ".join(page.split()), "its template says so too"


@pytest.mark.parametrize("told", [_TEXTS, {"text": "Namespace Identifier: acme\n"}])
def test_the_plain_template_says_so_and_reads_as_before(told: dict[str, str]) -> None:
    whole, acme = _registry("brick", **told)
    text = template_text(whole.registries[0], acme)
    assert text.startswith("This namespace is deprecated. ")
    assert TOLD[0] in " ".join(text.split())
    _whole, standing = _registry("brick", **told)
    read = read_template(text)
    assert read.title.startswith("This namespace is deprecated. ")
    before = read_template(text.split("\n\n", 1)[1])
    assert (read.fields, standing.fields) == (before.fields, standing.fields)
