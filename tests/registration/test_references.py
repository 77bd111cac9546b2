"""References as people write them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import bundled
from app.registration.records.record_documents import snapshot_read
from app.registration.records.references import (
    UnreadableReference,
    format_lines,
    format_reference,
    format_text,
    parse_lines,
    parse_reference,
    parse_text,
)
from app.registration.records.registry_records import Xref, XrefFragment, XrefType

T = XrefType


@pytest.mark.parametrize(
    ("text", "xref"),
    [
        ("RFC 8141", Xref(T.RFC, "rfc8141")),
        ("rfc8141", Xref(T.RFC, "rfc8141")),
        ("BCP 26", Xref(T.RFC, "bcp26")),
        (
            " RFC  8141,  Section 6.2 ",
            Xref(T.RFC, "rfc8141", fragment=XrefFragment.SECTION, at="6.2"),
        ),
        ("RFC Errata 3188", Xref(T.ERRATA, "3188")),
        ("draft-ietf-bbf-urn-04", Xref(T.DRAFT, "draft-ietf-bbf-urn-04")),
        ("RFC-ietf-bbf-urn-04", Xref(T.DRAFT, "RFC-ietf-bbf-urn-04")),
        ("https://c2pa.org/ C2PA", Xref(T.URI, "https://c2pa.org/", "C2PA")),
        ("person:Juha_Hakala", Xref(T.PERSON, "Juha_Hakala")),
    ],
)
def test_a_line_is_a_reference(text: str, xref: Xref) -> None:
    assert parse_reference(text) == xref


@pytest.mark.parametrize(
    "text",
    [
        *("", "RFC", "RFC 8141, Chapter 6", "https://c2pa.org/", "javascript:alert(1) x"),
        *("ftp://x.example/ X", "RFC ٨١٤١", "draft-", "person:", "RFC Errata 0"),
    ],
)
def test_any_other_line_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(UnreadableReference, match="Enter an RFC") as refused:
        parse_reference(text)
    assert refused.value.text == text


def test_every_reference_of_the_real_registry_reads_back() -> None:
    snapshot = snapshot_read(json.loads(bundled.read()))
    references = [x for record in snapshot.records() for x in record.references]
    assert len(references) > 100
    for xref in references:
        bare = Xref(xref.type, xref.data, xref.label if xref.type is T.URI else "")
        assert parse_reference(format_reference(xref)) == bare


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        xref = parse_reference(text)
    except UnreadableReference:
        return
    assert parse_reference(format_reference(xref)) == xref


NOTE = Xref(T.NOTE, "3", "a note")
TITLED = Xref(T.RFC, "rfc8141", title="Uniform Resource Names (URNs)")


def test_lines_read_back_as_the_references_they_were_with_all_that_is_known_of_them() -> None:
    given = (TITLED, "words between", NOTE, Xref(T.URI, "https://c2pa.org/", "C2PA  at\nwork"))
    known = [part for part in given if isinstance(part, Xref)]
    lines = format_lines(given)
    assert lines.splitlines()[:2] == ["RFC 8141", '"words between"']
    assert parse_lines(lines, known) == given
    assert parse_lines("\n\n RFC 8141 \n") == (Xref(T.RFC, "rfc8141"),)


def test_a_line_that_is_no_reference_is_refused_with_its_text() -> None:
    with pytest.raises(UnreadableReference, match="see below"):
        parse_lines("RFC 8141\nsee below")


def test_a_text_reads_back_with_its_references_and_keeps_other_brackets() -> None:
    given = ("Expert Review, per ", TITLED, ". \nSee [this] and ", NOTE, ".")
    text = format_text(given)
    assert text == "Expert Review, per [RFC 8141]. \nSee [this] and [a note]."
    assert parse_text(text, [TITLED, NOTE]) == given
    assert parse_text("[RFC 8141]") == (Xref(T.RFC, "rfc8141"),)
    assert parse_text("") == ()
