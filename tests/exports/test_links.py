"""Where references lead."""

import pytest
from hypothesis import given

from app.exports.content.reference_links import xref_url
from app.registration.records.registry_records import Xref, XrefFragment, XrefType
from tests.exports.snapshots import GENERATED, xrefs


@pytest.mark.parametrize(
    ("type_", "data", "url"),
    [
        (XrefType.RFC, "rfc8141", "https://www.rfc-editor.org/info/rfc8141"),
        (XrefType.RFC, "bcp66", "https://www.rfc-editor.org/info/bcp66"),
        (XrefType.DRAFT, "draft-a-b-01", "https://datatracker.ietf.org/doc/html/draft-a-b-01"),
        (XrefType.DRAFT, "RFC-a-b-01", "https://datatracker.ietf.org/doc/html/draft-a-b-01"),
        (XrefType.ERRATA, "3188", "https://www.rfc-editor.org/errata/eid3188"),
        (XrefType.URI, "https://example.org/a?b=c", "https://example.org/a?b=c"),
        (XrefType.URI, "HTTP://example.org", "HTTP://example.org"),
        (XrefType.PERSON, "Jane_Doe", "#Jane_Doe"),
        (XrefType.REGISTRY, "uri-schemes", "https://www.iana.org/assignments/uri-schemes/"),
        (XrefType.UNICODE, "ucd15.0.0", "https://www.unicode.org/versions/Unicode15.0.0/"),
        (XrefType.NOTE, "1", None),
        (XrefType.TEXT, "", None),
    ],
)
def test_each_type_of_reference_leads_to_its_publisher(
    type_: XrefType, data: str, url: str | None
) -> None:
    assert xref_url(Xref(type_, data)) == url


def test_a_section_does_not_change_where_an_rfc_is_found() -> None:
    xref = Xref(XrefType.RFC, "rfc8141", fragment=XrefFragment.SECTION, at="5.1")
    assert xref_url(xref) == "https://www.rfc-editor.org/info/rfc8141"


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        (XrefType.URI, "javascript:alert(1)"),
        (XrefType.URI, "JavaScript://a/%0aalert(1)"),
        (XrefType.URI, "data:text/html,a"),
        (XrefType.URI, "mailto:jane&example.org"),
        (XrefType.URI, "//example.org/"),
        (XrefType.URI, "/etc/passwd"),
        (XrefType.URI, "https://"),
        (XrefType.URI, "https:///a"),
        (XrefType.URI, "http\u017f://example.org"),
        (XrefType.URI, "https://exa mple.org/"),
        (XrefType.URI, ' https://example.org/"'),
        (XrefType.RFC, "8141"),
        (XrefType.RFC, "rfc1/../../evil"),
        (XrefType.DRAFT, "draft-a/../../evil"),
        (XrefType.PERSON, 'a" onclick="b'),
        (XrefType.REGISTRY, "../evil"),
        (XrefType.UNICODE, "ucd1"),
    ],
)
def test_what_is_unsafe_or_malformed_leads_nowhere(type_: XrefType, data: str) -> None:
    assert xref_url(Xref(type_, data)) is None


@GENERATED
@given(xrefs())
def test_an_address_is_always_of_the_web_or_of_the_page(xref: Xref) -> None:
    url = xref_url(xref)
    assert url is None or url.startswith(("https://", "http://", "#"))
