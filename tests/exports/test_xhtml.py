"""The page for browsers."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from lxml import etree, html

from app.exports.formats.xhtml import xhtml_files
from app.exports.serialization.markup import Markup, element, join_markup
from app.exports.serialization.xml_values import XmlValueError
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)
from tests.exports.snapshots import EMPTY, FULL, GENERATED, snapshots, xml_view

X = {"x": "http://www.w3.org/1999/xhtml"}


def page_of(snapshot: RegistrySnapshot) -> bytes:
    """The page."""
    [(name, data)] = xhtml_files(snapshot)
    assert name == f"{snapshot.id}.xhtml"
    return data


def texts(page: bytes, path: str) -> list[str]:
    """The words of the elements at a path, white space folded."""
    found = etree.fromstring(page).xpath(path, namespaces=X)
    assert isinstance(found, list)
    elements = [each for each in found if isinstance(each, etree._Element)]
    return [" ".join("".join(map(str, each.itertext())).split()) for each in elements]


def test_the_parts_stand_in_ianas_order() -> None:
    assert texts(page_of(FULL), "//x:h1|//x:h2|//x:dt|//x:th") == [
        "Names & <Numbers>",
        "Notice",
        "Last Updated",
        "Note",
        "Note",
        "Available Formats",
        "Registries Included Below",
        "Formal",
        "Registration Procedure(s)",
        "Expert(s)",
        "Reference",
        "Deprecated",
        "Available Formats",
        "URN Namespace",
        "Template",
        "Reference",
        "Informal",
        "Available Formats",
        "URN Namespace",
        "Template",
        "Reference",
        "Contact Information",
        "ID",
        "Name",
        "Organization",
        "Contact URI",
        "Last Updated",
    ]


def test_the_rows_show_names_templates_and_references() -> None:
    page = page_of(FULL)
    assert texts(page, "//x:tr[@id='alpha']/x:td") == [
        "Alpha",
        "[alpha-template]",
        "[RFC8141][RFC Errata 3188]",
    ]
    assert texts(page, "//x:tr[@id='urn-1']/x:td") == ["urn-1", "[urn-1]", "[Jane_Doe]"]
    assert texts(page, "//x:tr[@id='alfa']") == []


def test_every_link_within_the_page_has_its_anchor() -> None:
    root = etree.fromstring(page_of(FULL))
    anchors = {str(e.get("id")) for e in root.iter() if e.get("id")}
    targets = {str(e.get("href")) for e in root.iter("{*}a")}
    inner = {target[1:] for target in targets if target.startswith("#")}
    assert inner == {"urn-namespaces-1", "urn-namespaces-2", "Jane_Doe", "Ørg"}
    assert inner | {"alpha", "omega", "draft", "urn-1"} == anchors


def test_a_name_spelt_like_a_persons_id_leaves_them_the_anchor() -> None:
    records = (Registration(name="etsi"), Registration(name="ieee"))
    snapshot = replace(
        EMPTY,
        registries=(SubRegistry(id="things-1", title="All", records=records),),
        people=(Person(id="etsi", name="The Etsi"),),
    )
    page = page_of(snapshot)
    assert texts(page, "//*[@id='etsi']") == ["[etsi]The Etsi"]
    assert texts(page, "//*[@id='ieee']") == ["ieee"]


def test_an_empty_table_says_so() -> None:
    assert texts(page_of(EMPTY), "//x:p") == ["No registrations at this time."]


def test_the_page_loads_and_runs_nothing() -> None:
    page = page_of(FULL).decode()
    assert not re.search(r"<(script|style|link|img|iframe|object)|\son\w+=|\sstyle=", page)
    assert "javascript:" not in page


@GENERATED
@given(snapshots())
def test_parsers_of_xml_and_of_html_see_the_same_rows(snapshot: RegistrySnapshot) -> None:
    page = page_of(snapshot)
    count = len(list(xml_view(snapshot).records())) + len(snapshot.people)
    assert len(texts(page, "//x:tbody/x:tr")) == count
    root = html.fromstring(page, parser=html.HTMLParser(encoding="utf-8"))
    assert len(list(root.iter("tr"))) == len(texts(page, "//x:tr"))


@GENERATED
@given(snapshots())
def test_no_id_stands_twice(snapshot: RegistrySnapshot) -> None:
    ids = [e.get("id") for e in etree.fromstring(page_of(snapshot)).iter() if e.get("id")]
    assert len(ids) == len(set(ids))


def test_what_is_not_markup_is_escaped_and_what_is_stays() -> None:
    assert element("b", "<", Markup("<i>&amp;</i>"), id='"&\n') == (
        "<b id='\"&amp;&#10;'>&lt;<i>&amp;</i></b>"
    )
    assert join_markup("a\r", "&", between=Markup("<br/>")) == "a&#13;<br/>&amp;"


@pytest.mark.parametrize("bad", ["\0", "\ud800", "\x1b"])
def test_a_character_that_xml_cannot_hold_is_refused(bad: str) -> None:
    with pytest.raises(XmlValueError):
        page_of(replace(EMPTY, title=bad))
    with pytest.raises(XmlValueError):
        element("a", href=bad)
