"""The objects that the command line writes."""

import json

import pytest

from app.identifiers.errors import InvalidURN, NidKind
from app.identifiers.nid import NidIndex
from app.identifiers.urn_reports import compare_report, nid_report, normal_form_report, urn_report


def test_the_report_of_a_urn_gives_its_parts() -> None:
    assert urn_report("URN:Example:a%2f?+r?=q") == {
        "input": "URN:Example:a%2f?+r?=q",
        "valid": True,
        "nid": "Example",
        "nss": "a%2f",
        "r_component": "r",
        "q_component": "q",
        "f_component": None,
        "assigned_name": "URN:Example:a%2f",
        "normal_form": "urn:example:a%2F",
        "rfc2141_valid": False,
        "error": None,
    }


def test_the_report_of_a_refused_text_gives_the_error_and_no_part() -> None:
    assert urn_report("urn:example:a b") == {
        "input": "urn:example:a b",
        "valid": False,
        "nid": None,
        "nss": None,
        "r_component": None,
        "q_component": None,
        "f_component": None,
        "assigned_name": None,
        "normal_form": None,
        "rfc2141_valid": False,
        "error": {
            "code": "nss_character",
            "message": "Character 14 is a space. In the NSS, encode it as `%20`.",
            "position": 13,
            "source": "RFC 8141 section 2.2",
        },
    }


def test_the_keys_come_in_the_promised_order() -> None:
    keys = (
        "input valid nid nss r_component q_component f_component assigned_name normal_form "
        "rfc2141_valid error"
    )
    for text in ("urn:example:a", "a"):
        assert " ".join(urn_report(text)) == keys
    assert " ".join(nid_report("a", NidKind.FORMAL)) == "input valid kind problems advisories"


def test_the_normal_form_alone() -> None:
    report = normal_form_report("URN:example:a#b")
    assert report == {
        "input": "URN:example:a#b",
        "valid": True,
        "normal_form": "urn:example:a",
        "error": None,
    }
    refused = normal_form_report("a")
    assert refused["normal_form"] is None
    assert refused["error"] == urn_report("a")["error"]


def test_a_comparison() -> None:
    assert compare_report("urn:example:a", "URN:example:a") == {"equivalent": True}
    assert compare_report("urn:example:a", "urn:example:A") == {"equivalent": False}
    with pytest.raises(InvalidURN) as caught:
        compare_report("urn:example:a", "b")
    assert caught.value.text == "b"


def test_the_report_of_a_nid() -> None:
    assert nid_report("ISBN", NidKind.FORMAL, NidIndex(["isbn"])) == {
        "input": "ISBN",
        "valid": False,
        "kind": "formal",
        "problems": [
            {
                "code": "registered",
                "message": "`ISBN` is already registered as `isbn`. NIDs aren't case-sensitive. "
                "Choose another NID.",
                "source": "RFC 8141 section 5.1",
            }
        ],
        "advisories": [],
    }
    advised = nid_report("d0i", NidKind.FORMAL, {"doi"})
    assert advised["valid"] is True
    assert advised["advisories"] == [
        {
            "code": "look_alike",
            "message": "`d0i` looks like the registered NID `doi`. You can continue; "
            "expect the experts to ask about it.",
            "source": "RFC 8141 section 5.1",
        }
    ]


@pytest.mark.parametrize("text", ["", "urn:a:\ud800", "\0", "urn:example:é", "urn:example:a"])
def test_every_report_can_be_written_as_json(text: str) -> None:
    for report in (urn_report(text), nid_report(text, NidKind.INFORMAL)):
        assert json.loads(json.dumps(report)) == report
