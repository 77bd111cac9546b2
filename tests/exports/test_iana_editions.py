"""Every edition that IANA published, read and written again."""

from pathlib import Path

import pytest
from lxml import etree

from app.exports.formats.xml import xml_bytes
from app.exports.formats.xml_reader import read_xml
from tests.exports.canonical import canonical
from tests.exports.snapshots import FULL
from tests.exports.test_support import our_schema

OLD_MODEL = b'<?oxygen RNGSchema="urn-namespaces.rng" type="xml"?>'
MODEL = (
    b'<?xml-model href="urn-namespaces.rng" schematypens="http://relaxng.org/ns/structure/1.0" ?>'
)
FIRST_VALID = "urn-namespaces.2017-06-26.xml"


def editions(shared: Path) -> list[Path]:
    """The files of all editions, oldest first, today's last."""
    iana = shared / "data" / "iana"
    return [*sorted(iana.glob("history/*.xml")), iana / "urn-namespaces" / "urn-namespaces.xml"]


def ianas_schema(shared: Path) -> etree.RelaxNG:
    """The schema that IANA publishes beside its file."""
    file = shared / "data" / "iana" / "urn-namespaces" / "urn-namespaces.rng"
    return etree.RelaxNG(etree.parse(str(file)))


def test_reading_and_writing_gives_the_same_document_under_canonicalization(shared: Path) -> None:
    # Up to 2019-02-28 IANA named the schema in another processing instruction: the one difference.
    files = editions(shared)
    for file in files:
        original = file.read_bytes()
        expected = canonical(original).replace(OLD_MODEL, MODEL)
        assert canonical(xml_bytes(read_xml(original))) == expected, file.name
    assert len(files) == 77
    assert OLD_MODEL not in files[-1].read_bytes()


def test_the_facts_of_todays_edition_are_read(shared: Path) -> None:
    *_, today = editions(shared)
    snapshot = read_xml(today.read_bytes())
    formal, informal = snapshot.registries
    assert (len(formal.records), len(informal.records), len(snapshot.people)) == (97, 8, 10)
    assert sum(bool(record.template) for record in formal.records) == 37
    assert sum(record.date is None for record in formal.records) == 48
    assert [r.name for r in snapshot.records() if r.updated] == ["eic", "eidr", "uuid", "urn-7"]
    assert [r.name for r in snapshot.records()].index("iso") < [
        r.name for r in snapshot.records()
    ].index("isni")


def test_what_was_valid_by_ianas_schema_is_so_when_written_again(shared: Path) -> None:
    schema = ianas_schema(shared)
    for file in editions(shared):
        if file.name < FIRST_VALID and file.name != "urn-namespaces.xml":
            continue
        schema.assertValid(etree.fromstring(xml_bytes(read_xml(file.read_bytes()))))


@pytest.mark.parametrize("written", [False, True])
def test_our_schema_takes_every_edition(shared: Path, written: bool) -> None:
    schema = our_schema()
    for file in editions(shared):
        data = file.read_bytes()
        schema.assertValid(etree.fromstring(xml_bytes(read_xml(data)) if written else data))


def test_every_kind_of_reference_is_valid_by_ianas_schema(shared: Path) -> None:
    ianas_schema(shared).assertValid(etree.fromstring(xml_bytes(FULL)))
