"""What is offered while one types, and titles found by words that are not quite theirs."""

import json
from dataclasses import replace

import pytest

from app.exports.extracts.derived_files import DERIVED_FILES
from app.exports.search.search_documents import document_of
from app.exports.search.suggestions import (
    MOST_SUGGESTED,
    Suggestion,
    suggestions_bytes,
)
from app.exports.search.word_index import WordIndex
from app.registration.declarations.naan_registries import NAAN_SPACE, NAANS, SHOULDERS
from app.registration.declarations.registries import DerivedFormat
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.registry_records import Registration, Status, SubRegistry
from tests.exports.snapshots import FULL, profiled

ENTRIES = WordIndex(
    document_of(table.id, record, {}) for table in profiled().registries for record in table.records
)


def test_each_name_in_use_is_offered_with_its_title_and_what_it_names() -> None:
    document = json.loads(suggestions_bytes(profiled()))
    rows = {row[0]: Suggestion(*row) for row in document["rows"]}
    assert document["columns"] == ["nid", "title", "names", "words"]
    assert rows["isbn"][:3] == ("isbn", "International Standard Book Number", "books")
    assert {"publishers", "edition"} <= set(rows["isbn"].words.split())
    assert not {"books", "international", "the"} & set(rows["isbn"].words.split())
    in_use = [r.folded for r in FULL.records() if r.status is not Status.FORMER]
    assert [row[0] for row in json.loads(suggestions_bytes(FULL))["rows"]] == in_use


def test_each_naan_in_use_is_offered_with_its_holder_and_found_by_its_other_names() -> None:
    holder = {"organization": "National Library of France", "acronym": "BNF"}
    more = {"native_name": "Bibliothèque nationale", "web_address": "http://www.bnf.example"}
    naan = Registration(name="12148", space=NAAN_SPACE, fields=(*(holder | more).items(),))
    former = replace(naan, name="12149", status=Status.FORMER)
    shoulder = replace(naan, name="12148/x5", space=SHOULDERS.space)
    tables = tuple(
        SubRegistry(id=registry.id, title=registry.id, records=records)
        for registry, records in ((NAANS, (naan, former)), (SHOULDERS, (shoulder,)))
    )
    naans = replace(FULL, id="naans", registries=tables)
    maker = DERIVED_FILES[DerivedFormat.SUGGESTIONS]
    document = json.loads(maker.bytes_of(naans, DerivedFormat.SUGGESTIONS))
    title, words = "National Library of France (BNF)", "bibliotheque nationale"
    assert document["rows"] == [["12148", title, "", words]]
    assert (document["written"], document["page"]) == ("ark:{}", "/naans/{}")


def test_the_file_stays_small_whatever_the_registry() -> None:
    words = " ".join(f"word{at}" for at in range(500))
    long = NamespaceProfile(title="t" * 4_000, names='"\n<b>' * 1_000, description=words)
    records = tuple(Registration(name=f"n{at}", profile=long) for at in range(MOST_SUGGESTED + 1))
    table = FULL.registries[0]
    most = suggestions_bytes(replace(FULL, registries=(replace(table, records=records[1:]),)))
    assert len(json.loads(most)["rows"]) == MOST_SUGGESTED
    assert len(most) < 1_000_000
    over = suggestions_bytes(replace(FULL, registries=(replace(table, records=records),)))
    assert json.loads(over)["rows"] == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("books", "isbn"),
        ("bokos", "isbn"),
        ("book numbr", "isbn"),
        ("serial publicatons", "issn"),
        ("LEGAL entities", "lei"),
        ("Wi-Fi Aliance", "wfa"),
        ("wifi alliance", "wfa"),
        ("wi fi aliance", "wfa"),
        ("isnb", "isbn"),
        ("metereological", "wmo"),
    ],
)
def test_titles_are_found_by_words_that_are_nearly_theirs(query: str, first: str) -> None:
    assert ENTRIES.find(query, 3)[0].document.name == first


@pytest.mark.parametrize("query", ["", "of the", "zzzzzz", "\0", "\u202e", "x" * 100_000])
def test_words_that_nothing_is_like_find_none(query: str) -> None:
    assert ENTRIES.find(query, 3) == ()


def test_a_hit_names_the_words_and_fields_that_match() -> None:
    hit = ENTRIES.find("who needs book numbers", 1)[0]
    assert {"book", "books", "number"} <= set(hit.words)
    assert {"Title", "Identifies"} <= {field.label for field in hit.fields}
    assert not hit.is_near
    assert ENTRIES.find("isnb", 1)[0].is_near


def test_entries_of_other_tables_are_left_out() -> None:
    assert ENTRIES.find("books", 3, tables=()) == ()


def test_a_text_is_searched_by_its_telling_words_and_its_own_entry_left_out() -> None:
    text = "Every identifier names such books, the books of 2026 that publishers printed."
    words = ENTRIES.characteristic_words(text, "lex")
    assert words[0] == "books"
    assert not {"every", "identifier", "such", "2026", "the"} & set(words)
    assert ENTRIES.find(" ".join(words), 1)[0].document.name == "isbn"
    assert "isbn" not in {
        hit.document.name for hit in ENTRIES.find(" ".join(words), 5, apart="isbn")
    }
    assert ENTRIES.characteristic_words("", "lex") == ()
