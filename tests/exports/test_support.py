"""The schema and the style sheet that are published beside the XML."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from app.exports.content.file_names import registry_file
from app.exports.formats.xml import xml_bytes
from app.exports.serialization.xml_values import XmlValueError, check_uri
from app.exports.support import SUPPORT_TYPES, support_files
from app.registration.records.registry_records import Person, RegistrySnapshot
from tests.exports.snapshots import EMPTY, FULL, GENERATED, snapshots


def our_schema() -> etree.RelaxNG:
    """The schema that this project publishes beside its file."""
    return etree.RelaxNG(etree.fromstring(dict(support_files(FULL))["urn-namespaces.rng"]))


SCHEMA = our_schema()


def test_the_xml_names_both_files() -> None:
    names = [name for name, _ in support_files(FULL)]
    assert names == ["urn-namespaces.rng", "urn-namespaces.xsl"]
    assert names == [registry_file(FULL, suffix) for suffix in SUPPORT_TYPES]
    for name in names:
        assert f'href="{name}"'.encode() in xml_bytes(FULL)


@GENERATED
@given(snapshots())
def test_all_that_is_written_is_valid(snapshot: RegistrySnapshot) -> None:
    SCHEMA.assertValid(etree.fromstring(xml_bytes(snapshot)))


@GENERATED
@given(st.text("ab:/?#[]@%é19.-_ ", max_size=12) | st.text("htp:/a@[]?#%", max_size=12))
def test_a_uri_that_passes_is_one_to_the_schema_too(uri: str) -> None:
    try:
        check_uri(uri)
    except XmlValueError:
        return
    snapshot = replace(EMPTY, people=(Person(id="a", uris=(uri,)),))
    SCHEMA.assertValid(etree.fromstring(xml_bytes(snapshot)))


@pytest.mark.parametrize(
    "uri",
    [
        "https://www.iana.org/assignments/urn-formal/3gpp2",
        "http://www.example.org:8080/~a/(b);c=d?e=f&g=/?#h?/",
        "mailto:jane.doe&example.org",
        "urn:isbn:9780141036144",
        "tel:+1-201-555-0123",
        "../relative/path",
        "//example.org/",
        "https://räksmörgås.example/ü%C3%BC",
    ],
)
def test_common_uris_pass(uri: str) -> None:
    assert check_uri(uri) == uri


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<category>", "<colour>"),
        ('title="Notice"', 'title="Other"'),
        ('date="2020-02-29"', 'date="2020"'),
        ('id="Jane_Doe"', 'id="Jane Doe"'),
        ('id="Ørg"', 'id="Jane_Doe"'),
        ("<name>Alpha</name>", ""),
        ("<name>Alpha</name>", "<name/>"),
        ('data="3188"', 'data="x"'),
        ('section="6.2"', 'section="6.2" page="1"'),
        ('section="6.2"', 'chapter="6.2"'),
        ("<people>", "<people>text"),
    ],
)
def test_the_schema_refuses_what_is_not_a_registry(old: str, new: str) -> None:
    changed = xml_bytes(FULL).decode().replace(old, new)
    changed = changed.replace("</category>", "</colour>") if "colour" in changed else changed
    assert not SCHEMA.validate(etree.fromstring(changed.encode()))


def test_the_style_sheet_shows_names_references_and_people() -> None:
    sheet = etree.XSLT(etree.fromstring(dict(support_files(FULL))["urn-namespaces.xsl"]))
    page = str(sheet(etree.fromstring(xml_bytes(FULL))))
    for shown in (
        "<td>Alpha</td>",
        '[<a href="https://www.rfc-editor.org/info/rfc8141">RFC8141</a>]',
        '[<a href="https://example.org/urn-1">urn-1</a>]</td>',
        '<td>[<a href="#Jane_Doe">Jane_Doe</a>]</td>',
        "mailto:jane&amp;example.org",
        "RFC Errata 3188",
        "[RFC-a-b-01]",
        "This is a private registry.",
        "Jane Doe, Juan P",
    ):
        assert shown in page, shown
    assert "<script" not in page
    assert "style=" not in page
