"""What pages say of themselves to search engines."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.schema_org import LONGEST, name_members, registry_members, script_json
from app.exports.extracts.derived_files import derived_file_name
from app.exports.formats.exporters import FORMATS
from app.registration.declarations.registries import REGISTRIES
from app.registration.profiles.profile_records import NO_PROFILE
from app.registration.records.registry_records import Registration, RegistrySnapshot, Xref, XrefType
from tests.exports.snapshots import EMPTY, FULL, GENERATED, TEXTS, snapshots

PLACE = PublicationSite("https://urn.example")
PAGE = "https://urn.example/assignments/urn-namespaces/"
FORMAL, INFORMAL = FULL.registries
ALPHA, ALFA, *_ = FORMAL.records


def of_name(record: Registration) -> dict[str, Any]:
    """What a formal name's page says."""
    return name_members(FULL, FORMAL, record, PLACE)


def test_a_registry_is_a_dataset_with_its_tables_and_every_file() -> None:
    members = registry_members(FULL, PLACE)
    assert {name: members[name] for name in members if name not in ("distribution", "hasPart")} == {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": PAGE,
        "url": PAGE,
        "identifier": "urn-namespaces",
        "name": "Names & <Numbers>",
        "description": "This is a private registry. Its numbers are not IANA's. A note on "
        "RFC 8141. Its second line. Another Formal: 3, Informal: 1.",
        "keywords": "Names",
        "version": "7",
        "dateModified": "2026-01-02",
        "isAccessibleForFree": True,
    }
    assert [part["@id"] for part in members["hasPart"]] == [
        f"{PAGE}#urn-namespaces-1",
        f"{PAGE}#urn-namespaces-2",
    ]
    made = {name for exporter in FORMATS.values() for name, _ in exporter.files(FULL, PLACE)}
    made |= {derived_file_name(FULL, derived) for derived in REGISTRIES["urn-namespaces-1"].derived}
    assert {file["contentUrl"] for file in members["distribution"]} == {PAGE + n for n in made}
    assert {file["@type"] for file in members["distribution"]} == {"DataDownload"}


def test_a_name_is_a_term_of_its_table_with_its_documents() -> None:
    assert of_name(ALPHA) == {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "@id": "https://urn.example/namespaces/alpha#concept",
        "url": "https://urn.example/namespaces/alpha",
        "name": "urn:alpha:",
        "termCode": "Alpha",
        "description": "Names of letters. Also of sounds.",
        "inDefinedTermSet": {
            "@type": "DefinedTermSet",
            "@id": f"{PAGE}#urn-namespaces-1",
            "url": f"{PAGE}#urn-namespaces-1",
            "name": "Formal",
        },
        "subjectOf": [
            {
                "@type": "CreativeWork",
                "name": "RFC 8141: Uniform Resource Names (URNs)",
                "url": "https://www.rfc-editor.org/info/rfc8141",
            },
            {
                "@type": "CreativeWork",
                "name": "RFC Errata 3188",
                "url": "https://www.rfc-editor.org/errata/eid3188",
            },
            {
                "@type": "CreativeWork",
                "name": "alpha-template",
                "url": "https://example.org/a?b&c",
            },
        ],
    }


def test_a_former_name_says_so_and_what_is_not_known_is_left_out() -> None:
    members = of_name(ALFA)
    assert members["disambiguatingDescription"] == "A former name, no longer in use."
    assert "description" not in members
    assert "subjectOf" not in members
    assert "description" not in registry_members(replace(EMPTY, registries=()), PLACE)


def test_people_and_unsafe_addresses_are_no_documents() -> None:
    references = (Xref(XrefType.PERSON, "Jane"), Xref(XrefType.URI, "javascript:alert(1)"))
    assert "subjectOf" not in of_name(Registration(name="a", references=references))


def test_a_long_purpose_is_cut_and_nothing_private_is_said() -> None:
    fields = (("purpose", "word " * 200), ("contact_name", "Jane"))
    record = replace(ALPHA, fields=fields, profile=NO_PROFILE)
    text = script_json(of_name(record))
    assert len(of_name(record)["description"]) == LONGEST
    assert of_name(record)["description"].endswith("…")
    assert "Jane" not in text


@pytest.mark.parametrize(
    "text",
    ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;", "a\u2028b\u2029", '"\\'],
)
def test_no_text_gets_out_of_the_script_element(text: str) -> None:
    written = script_json({"name": text})
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {"name": text}
    assert in_a_page(written) == {"name": text}


def in_a_page(written: str) -> Any:
    """What a browser would find in the element."""
    page = f'<html><script type="application/ld+json">{written}</script><p>after</p></html>'
    root = html.fromstring(page)
    [script] = root.iter("script")
    assert [p.text for p in root.iter("p")] == ["after"]
    return json.loads(str(script.text))


@GENERATED
@given(snapshots(), TEXTS, st.booleans())
def test_whatever_a_registry_holds_the_element_holds_it(
    snapshot: RegistrySnapshot, text: str, whole: bool
) -> None:
    members = registry_members(replace(snapshot, title=text), PLACE)
    if not whole:
        for table in snapshot.registries:
            for record in table.records:
                members = name_members(snapshot, table, record, PLACE)
    assert in_a_page(script_json(members)) == members
    assert all(value not in ("", [], None) for value in members.values())
