"""Searches as people type them find the right entry first, over the bundled registry."""

import json
from dataclasses import replace
from functools import cache

from app import bundled
from app.exports.content.selection import current_records
from app.exports.search.search_documents import document_of
from app.exports.search.word_index import WordIndex
from app.registration.declarations.registries import FORMAL
from app.registration.naans.naan_documents import naan_file_from
from app.registration.profiles.profile_documents import profile_from
from app.registration.records.naan_registrations import registration_of, registry_of
from app.registration.records.registry_records import Registration
from app.services.operations.demo_requests import stories, write_template
from app.services.registry.snapshots import bundled_snapshot

LEAST_RIGHT = 57

# A query, and the entry that its author looks for.
QUERIES = {
    # the issue's own
    "legal documents": "lex",
    "who registers books": "isbn",
    "isbm": "isbn",
    "bridge society": "old-bridges",
    # things
    "books": "isbn",
    "magazine": "issn",
    "newspapers": "issn",
    "serial publications": "issn",
    "court judgments": "lex",
    "archived web pages": "pwid",
    "phd thesis": "nbn",
    "tv programmes": "isan",
    "names of authors": "isni",
    "weather observations": "wmo",
    "ships and buoys": "mrn",
    "railway stations": "uic",
    "seafood": "gdst",
    "smart homes": "knx",
    "emergency calls": "nena",
    "bank messages": "swift",
    "electricity market": "eic",
    "adverts": "adid",
    "tickets for trains": "uic",
    "house listings": "reso",
    "software bill of materials": "cdx",
    "instant messaging": "xmpp",
    # abbreviations, codes and other words
    "SBOM": "cdx",
    "IMEI": "gsma",
    "DOIs": "doi",
    "RFCs": "ietf",
    "GLEIF": "lei",
    "MARC 21": "meta",
    "wifi": "wfa",
    "BnF": "12148",
    "MIT": "32833",
    "LOC": "12026",
    "CDL": "13030",
    # questions
    "who assigns journal numbers": "issn",
    "what is an identifier for companies": "lei",
    "which namespace is used for DOI names": "doi",
    "who is responsible for urn:uuid": "uuid",
    "naan of the internet archive": "13960",
    "where do I find the NAAN of the British Library": "81055",
    # misspellings
    "bokos": "isbn",
    "libary of congres": "12026",
    "meterological organization": "wmo",
    "digital object identifers": "doi",
    "seafood tracability": "gdst",
    "Wi-Fi Aliance": "wfa",
    "smithsonain": "65665",
    "bibliteque nationale de france": "12148",
    # organizations, in their words or in ours
    "french national library": "12148",
    "national library of finland bibliography": "nbn",
    "national archives finland": "nan",
    "swiss federal archives": "19501",
    "french ministry of culture": "67717",
    "municipal archives of bordeaux": "75241",
    "university of geneva": "64642",
    "new york public library": "45145",
    "world meteorology organisation": "wmo",
    "harvard": "urn-3",
    "unesco": "48223",
}


@cache
def index() -> WordIndex:
    snapshot = bundled_snapshot()
    people = {person.id: person for person in snapshot.people}
    found = [
        (table.id, record) for table in snapshot.registries for record in current_records(table)
    ]
    rows = naan_file_from(bundled.naans()).records
    found += [(registry_of(row).id, registration_of(row)) for row in rows]
    found.append((FORMAL.id, bridges()))
    return WordIndex(document_of(table, record, people) for table, record in found)


def bridges() -> Registration:
    """The namespace that the demonstration registers."""
    told = stories(with_naans=False)[0][0]["template"]
    fields, stored = write_template(told)
    profile = profile_from(json.loads(stored))
    record = Registration(name=told["name"], fields=tuple(fields.items()))
    return replace(record, profile=replace(profile, holder=told["society"]))


def first_of(query: str) -> str:
    hits = index().find(query, 5)
    return hits[0].document.name if hits else ""


def test_people_find_the_entry_that_they_look_for() -> None:
    assert len(QUERIES) >= 60
    wrong = {query: first_of(query) for query, name in QUERIES.items() if first_of(query) != name}
    assert len(QUERIES) - len(wrong) >= LEAST_RIGHT * len(QUERIES) / 60, wrong


def test_each_query_of_the_issue_finds_its_entry() -> None:
    for query in list(QUERIES)[:4]:
        assert first_of(query) == QUERIES[query]


def test_words_that_nothing_resembles_find_nothing() -> None:
    for query in ("", "   ", "xyzzyq", "\0", "\u202e", "x" * 100_000, "of the"):
        assert index().find(query, 5) == (), query
