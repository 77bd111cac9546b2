"""A request as an Internet-Draft, which the tool for drafts turns into text."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from app.exports.documents.draft_text import WIDTH, DraftText, blocks_of
from app.exports.documents.internet_draft import InternetDraftContent, draft_name, internet_draft
from app.exports.serialization.xml_values import XmlValueError
from app.pages.text.markdown import reveal_unseen
from app.registration.declarations.registries import TEMPLATE_FIELDS
from app.registration.templates.field_values import find_nid
from app.registration.templates.template_reader import read_template
from tests import factories
from tests.torture.conftest import some

XML2RFC = Path(sys.executable).with_name("xml2rfc")
LOREM = "Names of wombats are as long as a wombat and are never given again to another. "


def draft_of(fields: Mapping[str, str], name: str = "quokka") -> InternetDraftContent:
    """A draft of these texts, of today, since the tool warns of another day."""
    shown = {field: reveal_unseen(text) for field, text in fields.items()}
    today = datetime.now(UTC).date()
    return InternetDraftContent(name=name, organization="Quokka Society", fields=shown, day=today)


def as_text(draft: InternetDraftContent, folder: Path) -> str:
    """The text that the tool makes, which must find nothing to say."""
    file = folder / f"{draft_name(draft)}.xml"
    file.write_bytes(internet_draft(draft))
    command = [str(XML2RFC), "--no-network", "--quiet", "--text", str(file)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")
    return file.with_suffix(".txt").read_text(encoding="utf-8")


def plain() -> dict[str, str]:
    return factories.template(
        date="2026-09-01",
        version="1",
        syntax='quokka = 1*DIGIT\n  ; figures, and nothing else\n\n"quokka" is a name',
        assignment="Names MUST NOT be given twice [RFC3406]; see RFC 1737 and RFC 9999.",
        purpose=LOREM * 5,
    )


def test_the_tool_makes_a_text_of_it_without_a_warning(tmp_path: Path) -> None:
    text = as_text(draft_of(plain()), tmp_path)
    for title in (
        "1.  Introduction",
        "2.  Registration Template",
        "2.1.  Namespace Identifier",
        "3.  IANA Considerations",
        "4.  Security Considerations",
        "5.  Privacy Considerations",
        "6.1.  Normative References",
        "6.2.  Informative References",
    ):
        assert f"\n{title}\n" in text
    assert "\n   quokka = 1*DIGIT\n     ; figures, and nothing else\n" in text
    assert "draft-quokka-society-urn-quokka-00" in text
    for number in (1737, 2119, 3406, 8141, 8174, 9999):
        assert f"\n   [RFC{number}]" in text


def test_the_text_is_read_as_the_template_again(tmp_path: Path) -> None:
    read = read_template(as_text(draft_of(plain()), tmp_path)).fields
    for name, text in plain().items():
        assert read[name].split()[: len(text.split())] == text.split(), name


def test_a_text_without_keywords_and_citations_refers_to_one_document(tmp_path: Path) -> None:
    text = as_text(draft_of({"purpose": "Names."}, name=""), tmp_path)
    assert "Informative References" not in text
    assert "BCP 14" not in text
    assert "an informal URN namespace" in " ".join(text.split())


HOSTILE = {
    "registrant": "\t\n- " + "w " * 400,
    "purpose": "a\x85b \u202eabc\u2066 ]]> <script>&amp; &#0; \u200b\u2028x \U0001f600 漢字 " * 9,
    "syntax": "x" * 1000 + "\n  " + "漢" * 200 + "\n]]>\n" + " " * 300 + "y",
    "assignment": "\u0301" * 300 + " é" * 90,
    "security_and_privacy": " \n\t\n",
    "interoperability": "a  " * 300,
    "resolution": "<t>\n</section>\n<!-- -->\n<?xml?>\n<!DOCTYPE a>",
    "documentation": "https://example.org/" + "z" * 200 + " RFC0 RFC 99999 RFC 0822 RFC8141 rfc 1",
    "additional_information": "1. one\n2. two\n\no  three\n\n\u00a0four",
}


def test_hostile_characters_do_no_harm(tmp_path: Path) -> None:
    text = as_text(draft_of(HOSTILE), tmp_path)
    assert "[U+202E]abc" in " ".join(text.split())
    assert "]]>" in text
    assert "<script>" in text
    assert not set("\u202e\u2066\u200b\x85\u2028") & set(text)


@pytest.mark.parametrize(
    "text",
    some(
        ["\n\n".join([LOREM * 9] * 1400), "a = b\n" * 170_000, "x" * 1_000_000, "é\n" * 300_000], 2
    ),
)
def test_a_megabyte_becomes_a_text(tmp_path: Path, text: str) -> None:
    assert len(as_text(draft_of({"syntax": text}), tmp_path)) > 900_000


def test_the_registered_templates_become_drafts(tmp_path: Path, shared: Path) -> None:
    for file in some(sorted((shared / "data/iana/templates").glob("*/*")), 8):
        fields = read_template(file.read_text(encoding="utf-8")).fields
        name = find_nid(fields["namespace_identifier"]) or ""
        text = as_text(draft_of(fields, name), tmp_path)
        for field in TEMPLATE_FIELDS:
            assert (f".  {field.label}\n" in text) is (field.name in fields), file.name


# ---- the document


def test_equal_requests_give_equal_bytes() -> None:
    assert internet_draft(draft_of(plain())) == internet_draft(draft_of(plain()))


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "draft-quokka-society-urn-quokka-00"),
        ({"count": 3}, "draft-quokka-society-urn-quokka-03"),
        ({"organization": ""}, "draft-registrant-urn-quokka-00"),
        ({"organization": "Ö & <b>"}, "draft-b-urn-quokka-00"),
        ({"name": ""}, "draft-quokka-society-urn-informal-00"),
        ({"name": "../../etc\n"}, "draft-quokka-society-urn-etc-00"),
        ({"organization": "a" * 99, "name": "b" * 32}, f"draft-{'a' * 30}-urn-{'b' * 19}-00"),
    ],
)
def test_a_draft_is_named_after_who_asks_and_for_what(given: dict[str, str], name: str) -> None:
    asks = replace(draft_of({}), **given)  # type: ignore[arg-type]  # texts alone are given
    assert draft_name(asks) == name


def test_a_standard_goes_by_the_stream_of_the_ietf() -> None:
    root = etree.fromstring(internet_draft(replace(draft_of(plain()), is_standard=True)))
    assert (root.get("submissionType"), root.get("category")) == ("IETF", "std")
    root = etree.fromstring(internet_draft(draft_of(plain())))
    assert (root.get("submissionType"), root.get("category")) == ("independent", "info")


def test_a_title_that_is_known_is_given() -> None:
    known = replace(draft_of({"purpose": "See RFC 2648."}), titles={"rfc2648": "A URN Namespace"})
    root = etree.fromstring(internet_draft(known))
    assert root.findtext(".//reference[@anchor='RFC2648']/front/title") == "A URN Namespace"


def test_what_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(XmlValueError):
        internet_draft(replace(draft_of({}), fields={"purpose": "\x1b"}))


@given(st.text(alphabet=st.sampled_from("ab .:=-\n\t漢é\u0301"), max_size=400))
def test_no_word_of_a_text_is_lost_and_no_line_is_too_long(text: str) -> None:
    roots = [etree.fromstring(piece) for piece in DraftText(blocks_of(text)).markup()]
    words = "".join(str(root.text).replace("\\\n", "") for root in roots)
    note = "NOTE: '\\' line wrapping per RFC 8792"
    assert "".join(words.replace(note, "").split()) == "".join(text.split())
    standing = (str(root.text) for root in roots if root.tag == "artwork")
    assert max((len(line) for lines in standing for line in lines.split("\n")), default=0) <= WIDTH
