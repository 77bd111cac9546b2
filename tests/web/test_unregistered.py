"""A name that nobody has: its page says what is known, by which rule, and what to do."""

import json
from typing import Any

import pytest

from app.resolution.judgement import judge_text
from app.resolution.namespace_rules import NamespaceRules, book_of
from app.resolution.outcome_documents import NameContext, outcome_detail, outcome_headline
from app.resolution.urn_resolver import UrnResolver
from tests.web.conftest import World
from tests.web.visitor import Page
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)

TOLD = {
    "unheard-of": ("This NID is available.", "Request unheard-of"),
    "uk-mail": ("This NID can’t be registered.", "for country codes", "RFC 8141 section 5.1"),
    "xn--a": ("for internationalized labels", "that are available xna"),
    "x-a": ("To experiment",),
    "urn": ("is the scheme name", "RFC 2141 section 2.1"),
    "urn-9": ("reserved for informal namespaces", "Request an informal namespace"),
    "ab": ("is too short",),
    "wombat": (
        "This NID has been requested.",
        "In expert review (since today)",
        "You can also request this NID.",
    ),
    "kowari": ("This NID is available.", "Earlier requests", "Withdrawn on"),
    "d0i": ("Did you mean", "urn:doi:", "the experts to ask"),
    "isbm": ("urn:isbn:",),
}


@pytest.mark.parametrize("name", TOLD)
@ONE_DATABASE
def test_the_page_of_a_name_without_a_record_tells_what_is_known(world: World, name: str) -> None:
    page = world.visitor().get(f"/namespaces/{name}")
    assert page.status == 404
    assert faults(page) == []
    for words in ("is not registered", *TOLD[name]):
        assert words in page.words, page.words
    assert page.values("value", "input[@id='search_q']") == [name]


def document(world: World, name: str) -> dict[str, Any]:
    page = world.visitor().get(f"/namespaces/{name}", headers={"Accept": "application/json"})
    assert page.status == 404
    assert page.headers["Content-Type"] == "application/problem+json"
    told: dict[str, Any] = json.loads(page.html)
    return told


def test_programs_are_told_the_same(world: World) -> None:
    reserved = document(world, "UK-mail")
    assert reserved["nid"] == "uk-mail"
    assert [problem["code"] for problem in reserved["problems"]] == ["country_prefix"]
    assert reserved["problems"][0]["source"] in reserved["detail"]
    assert reserved["suggested"] == ["ukmail", "mail"]
    asked = document(world, "wombat")
    number = world.numbers["reviewed"]
    (request,) = asked["requests"]
    assert request.pop("status").startswith("In expert review (since today)")
    assert request == {"number": number, "state": "Expert Review", "url": f"/requests/{number}"}
    near = document(world, "isbm")
    assert {"name": "isbn", "url": "/namespaces/isbn"} in near["nearest"]


@ONE_DATABASE
def test_that_nobody_has_a_name_is_said_in_the_same_words_everywhere(world: World) -> None:
    book = book_of([NamespaceRules(name="isbn")])
    outcome = UrnResolver(book).resolve(judge_text("urn:quoll:1", book))
    said = outcome_detail(NameContext(outcome))
    visitor = world.visitor("operator")
    assert document(world, "quoll")["detail"] == said
    assert visitor.get("/namespaces/quoll").text("//h1") == outcome_headline(outcome)
    told = said.replace("`", "")
    assert told in visitor.get("/tools/urn?q=urn:quoll:1").words
    for path in ("diff", "resolvers", "claim", "requests"):
        page = visitor.get(f"/namespaces/quoll/{path}")
        assert (page.status, told in page.words) == (404, True), path
    assert told in visitor.get("/desk/names/quoll").words


def test_a_draft_is_told_of_to_nobody_not_even_to_its_author(world: World) -> None:
    for who in ("stranger", "registrant", "operator"):
        page: Page = world.visitor(who).get("/namespaces/dibbler")
        assert "is available" in page.words
        assert "/requests/1" not in page.values("href", "a")
    assert document(world, "dibbler")["requests"] == []


@ONE_DATABASE
def test_what_can_be_no_name_is_told_why(world: World) -> None:
    for name in ("a_b", "x" * 33, "é"):
        page = world.visitor().get(f"/namespaces/{name}")
        assert page.status == 404
        assert "RFC 8141 section 2" in page.words


@ONE_DATABASE
def test_scripts_of_any_site_may_read_what_is_not_there_and_nothing_of_people(
    world: World,
) -> None:
    not_there = ("/namespaces/nosuch", "/namespaces/nosuch.json", "/editions/99/", "/schemas/no")
    for path in (*not_there, "/assignments/urn-namespaces/nosuch", "/namespaces/ISBN"):
        page = world.visitor().get(path)
        assert page.status in {301, 303, 308, 404}, path
        assert page.headers["Access-Control-Allow-Origin"] == "*", path
    for path in ("/requests/", "/sign-in", "/account", "/namespaces/isbn/revise", "/tools/nid"):
        for who in ("stranger", "registrant"):
            page = world.visitor(who).get(path)
            assert "Access-Control-Allow-Origin" not in page.headers, path
