"""Snapshots to IANA's XML."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from app.exports.formats.xml import xml_bytes
from app.exports.formats.xml_reader import read_xml
from app.exports.serialization.xml_values import XmlValueError
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
    Xref,
    XrefFragment,
    XrefType,
)
from tests.exports.snapshots import EMPTY, FULL, GENERATED, RFC, snapshots, xml_view

EXPECTED = """\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="urn-namespaces.xsl"?>
<?xml-model href="urn-namespaces.rng" schematypens="http://relaxng.org/ns/structure/1.0" ?>
<registry xmlns="http://www.iana.org/assignments" id="urn-namespaces">
  <title>Names &amp; &lt;Numbers&gt;</title>
  <category>Names</category>
  <updated>2026-01-02</updated>
  <note title="Notice">This is a private registry.
Its numbers are not IANA's.</note>
  <note title="Deprecated">omega is deprecated. Existing identifiers stay valid. \
It has no successor.</note>
  <note>A note on <xref type="rfc" data="rfc8141"/>.
Its second line.
  </note>
  <note>Another</note>
  <registry id="urn-namespaces-1">
    <title>Formal</title>
    <xref type="rfc" data="rfc8141"/>
    <xref type="rfc" data="rfc8141" section="6.2"/>
    <registration_rule>Expert Review, per <xref type="rfc" data="rfc8141"/>. \n\
Or not.</registration_rule>
    <expert>Jane Doe, Juan Pérez</expert>
    <record date="2020-02-29" updated="2021-03">
      <name>Alpha</name>
      <template><xref type="uri" data="https://example.org/a?b&amp;c">alpha-template</xref></template>
      <xref type="rfc" data="rfc8141"/>
      <xref type="rfc-errata" data="3188" lastupdated="2022-01"/>
    </record>
    <record>
      <name>omega</name>
      <xref type="uri" data="https://example.org/">=Omega, "Inc".</xref>
    </record>
    <record>
      <name>draft</name>
      <xref type="draft" data="RFC-a-b-01"/>
    </record>
  </registry>
  <registry id="urn-namespaces-2">
    <title>Informal</title>
    <record>
      <name>urn-1</name>
      <xref type="uri" data="https://example.org/urn-1">urn-1</xref>
      <contact><xref type="person" data="Jane_Doe"/></contact>
    </record>
  </registry>
  <people>
    <person id="Jane_Doe">
      <name>Jane Doe</name>
      <uri>mailto:jane&amp;example.org</uri>
      <updated>2020-01</updated>
    </person>
    <person id="Ørg">
      <org>The Ørg</org>
    </person>
  </people>
</registry>
"""


def with_record(**members: Any) -> RegistrySnapshot:
    """A registry of one record."""
    record = Registration(**({"name": "alpha"} | members))
    return replace(EMPTY, registries=(SubRegistry(id="things-1", title="", records=(record,)),))


def with_reference(xref: Xref) -> RegistrySnapshot:
    """A registry of one record with one reference."""
    return with_record(references=(xref,))


def test_the_xml_has_ianas_order_and_indentation_and_no_former_name() -> None:
    assert xml_bytes(FULL).decode() == EXPECTED


def test_an_empty_registry_is_written_and_read() -> None:
    assert read_xml(xml_bytes(EMPTY)) == EMPTY


@GENERATED
@given(snapshots())
def test_what_is_written_is_read_as_it_was(snapshot: RegistrySnapshot) -> None:
    assert read_xml(xml_bytes(snapshot)) == xml_view(snapshot)


def test_line_breaks_in_attributes_and_texts_outlive_reading() -> None:
    snapshot = with_reference(replace(RFC, title="", fragment=XrefFragment.SECTION, at="1\r\n\t2"))
    assert read_xml(xml_bytes(snapshot)) == snapshot
    assert b"1&#13;&#10;&#9;2" in xml_bytes(snapshot)
    assert b"<name>a&#13;\nb</name>" in xml_bytes(with_record(name="a\r\nb"))


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x0b", "\x7f", "\x85", "\ud800", "\ufffe"])
@pytest.mark.parametrize(
    "place", ["name", "label", "at", "title", "rule", "contact", "person", "notice", "expert"]
)
def test_a_character_that_xml_cannot_hold_is_refused_by_its_number(
    place: str, character: str
) -> None:
    bad = f"a{character}b"
    label, at = Xref(XrefType.TEXT, label=bad), replace(RFC, fragment=XrefFragment.PAGE, at=bad)
    snapshot = {
        "name": with_record(name=bad),
        "label": with_reference(label),
        "at": with_reference(at),
        "title": replace(EMPTY, title=bad),
        "rule": replace(EMPTY, registries=(SubRegistry(id="t", title="", rule=(bad,)),)),
        "contact": with_record(contact=(bad,)),
        "person": replace(EMPTY, people=(Person(id="a", org=bad),)),
        "notice": replace(EMPTY, notice=bad),
        "expert": replace(EMPTY, registries=(SubRegistry(id="t", title="", expert=bad),)),
    }[place]
    with pytest.raises(XmlValueError, match=f"U\\+{ord(character):04X}") as refusal:
        xml_bytes(snapshot)
    assert refusal.value.text == bad


@pytest.mark.parametrize(
    "snapshot",
    [
        replace(EMPTY, id="../etc/passwd"),
        replace(EMPTY, id='a" onload="'),
        replace(EMPTY, updated="2026-02"),
        replace(EMPTY, updated="2026-02-30"),
        replace(EMPTY, people=(Person(id="Jane Doe"),)),
        replace(EMPTY, people=(Person(id="a"), Person(id="a"))),
        replace(EMPTY, people=(Person(id="things"),)),
        replace(EMPTY, people=(Person(id="a", uris=("http://[",)),)),
        replace(EMPTY, people=(Person(id="a", updated="yesterday"),)),
        replace(EMPTY, registries=(SubRegistry(id="two words", title=""),)),
        replace(
            EMPTY,
            registries=(
                SubRegistry(
                    id="t", title="", records=(Registration(name="a"), Registration(name="A"))
                ),
            ),
        ),
        with_record(name=""),
        with_record(date="20200101"),
        with_record(date="2020-13"),
        with_record(updated="٢٠٢٠-01-01"),
        with_reference(Xref(XrefType.RFC, "8141")),
        with_reference(Xref(XrefType.RFC, "rfc8141\n")),
        with_reference(Xref(XrefType.DRAFT, "draft")),
        with_reference(Xref(XrefType.ERRATA, "0")),
        with_reference(Xref(XrefType.URI, "https://exa mple.org/")),
        with_reference(Xref(XrefType.PERSON, "Jane Doe")),
        with_reference(Xref(XrefType.TEXT, "data")),
        with_reference(Xref(XrefType.URI, "https://a/", fragment=XrefFragment.SECTION, at="1")),
        with_reference(replace(RFC, lastupdated="2020")),
    ],
)
def test_what_ianas_schema_does_not_take_is_refused(snapshot: RegistrySnapshot) -> None:
    with pytest.raises(XmlValueError):
        xml_bytes(snapshot)
