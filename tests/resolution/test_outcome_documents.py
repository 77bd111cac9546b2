"""A judged name as JSON: each fact by the name that profiles and lists of names give it."""

import json
from dataclasses import fields

from app.registration.profiles.profile_documents import document_name
from app.registration.profiles.profile_records import Resolution, ResolutionService
from app.resolution.judgement import judge_text
from app.resolution.namespace_rules import NamespaceRules, book_of
from app.resolution.outcome_documents import (
    COLUMNS,
    check_urns,
    destination_to,
    json_line,
    outcome_to,
)
from app.resolution.urn_resolver import EqualChoice, ResolvedName, UrnResolver
from tests.published.name_rules import RULES
from tests.published.rules import shipped_rules

BOOK = book_of({rules.name.lower(): rules for rules in (*shipped_rules(), *RULES)})


def names_of(record: type) -> set[str]:
    return {document_name(member.name) for member in fields(record)}


def test_a_list_and_the_page_of_a_name_call_a_fact_alike() -> None:
    shared = set[str]()
    for text in ("urn:isbn:978-951-0-18435-6", "urn:isbn:978-951-0-18435-7", "urn:lead:a"):
        document = outcome_to(UrnResolver(BOOK).resolve(judge_text(text, BOOK)))
        (checked,) = check_urns([text], BOOK)
        row = json.loads(json_line(checked))
        common = document.keys() & set(COLUMNS)
        assert {name: document[name] for name in common} == {name: row[name] for name in common}
        shared |= common
    assert shared == {
        *("normal_form", "nid", "nss", "own_form", "clauses", "possibility", "why", "corrected"),
        "correction",
    }
    broken = outcome_to(UrnResolver(BOOK).resolve(judge_text("urn:a b", BOOK)))
    (checked,) = check_urns(["urn:a b"], BOOK)
    row = json.loads(json_line(checked))
    assert broken["input"] == row["input"]
    assert {name: broken[name] for name in ("code", "position", "source")} == {
        name: row["error"][name] for name in ("code", "position", "source")
    }


def test_a_list_and_the_page_of_a_name_tell_the_same_name_instead() -> None:
    for text in ("urn:isbn:9789510184356?fbclid=1", "urn:isbn:978 951 0 18435 7", "urn:a b"):
        document = outcome_to(UrnResolver(BOOK).resolve(judge_text(text, BOOK)))
        (checked,) = check_urns([text], BOOK)
        assert document.get("corrected") == json.loads(json_line(checked))["corrected"]


def test_a_namespace_and_its_services_are_told_as_profiles_and_rules_tell_them() -> None:
    rules = {member.name for member in fields(NamespaceRules)}
    for text in ("urn:many:a", "urn:typed:a", "urn:equals:a", "urn:isbn:978-951-0-18435-6"):
        outcome = UrnResolver(BOOK).resolve(judge_text(text, BOOK))
        assert isinstance(outcome, ResolvedName | EqualChoice)
        found = outcome.choices if isinstance(outcome, EqualChoice) else (outcome.first,)
        document = outcome_to(outcome, found)
        for service in document["services"]:
            assert service.keys() <= names_of(ResolutionService)
        assert document["services"] == [destination_to(one) for one in found]
        assert document["namespace"].keys() <= rules | names_of(Resolution)


def test_of_a_name_that_cannot_be_an_example_of_its_namespace_is_told() -> None:
    for text, example in (
        ("urn:uuid:nope", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        ("urn:issn:nope", "URN:ISSN:1234-1231"),
    ):
        document = outcome_to(UrnResolver(BOOK).resolve(judge_text(text, BOOK)))
        assert document["outcome"] == "impossible"
        assert document["namespace"]["example"] == example
        assert document["why"] == [found for found in document["why"] if f"`{example}`" in found]
        (checked,) = check_urns([text], BOOK)
        assert json.loads(json_line(checked))["why"] == document["why"]


def test_every_example_that_is_told_is_a_name() -> None:
    shown = [rules.example for rules in shipped_rules() if rules.example]
    assert len(shown) > 80
    assert [text for text in shown if not judge_text(text, BOOK).is_name] == []


def test_what_speaks_for_and_against_a_name_is_told_as_findings_are() -> None:
    document = outcome_to(UrnResolver(BOOK).resolve(judge_text("urn:exact:a", BOOK)))
    assert [one.keys() for one in document["grounds"]] == [{"code", "message", "source"}]
    near = outcome_to(UrnResolver(BOOK).resolve(judge_text("urn:isbm:1", BOOK)))["nearest"]
    assert {"name": "isbn", "url": "/namespaces/isbn"} in near
