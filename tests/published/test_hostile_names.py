"""Whatever is asked as a name: never a fault, never a second header of the asker's making."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.exports.content.file_names import RULES_PATH
from app.published.http.http_exchange import HttpRequest, split_target
from app.published.plane import PublishedPlane
from tests.published.bundles import PAGE, Answer, call, contents, pack
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of, shipped_rules
from tests.torture.conftest import rounds

OCTETS = st.characters(min_codepoint=0x21, max_codepoint=0xFF)
STARTS = st.sampled_from(
    [
        *("/urn:", "/URN:lead:", "/urn:typed:", "/urn:equals:", "/urn:value:a?+", "/urn:isbn:"),
        *("/names/", "/names/urn:lead:", "/%75rn:", "http://x/urn:lead:", "/urn:lex:", "//urn:"),
        *("/names/under/", "/names/under/urn:lead:", "/names/under/urn:lead?after="),
    ]
)
KNOWN = {200, 300, 302, 303, 400, 404, 406, 410, 414}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """What resolves names of tests, and those that are shipped."""
    folder = tmp_path_factory.mktemp("names")
    bundle_of([*RULES, *(one for one in shipped_rules() if one.name != "example")]).lay_out(folder)
    return PublishedPlane(folder)


def ask(site: PublishedPlane, target: str, **headers: str) -> Answer:
    """The answer to a target, checked as every answer is."""
    path, query = split_target("GET", target)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = call(site, HttpRequest("GET", target, path, query, {"host": "x"} | fields))
    assert answer.status in KNOWN
    return answer


@given(STARTS, st.text(OCTETS, max_size=40), st.sampled_from(["", "text/html", "a/b"]))
@example("/urn:lead:", "a%0d%0aX:y", "")
@example("/urn:lead:", "\xe9\xff<>\"'", "text/html")
@example("/urn:lead:", "a?=%0d%0aX:y", "")
@settings(max_examples=rounds(300, 60))
def test_any_target_is_answered(site: PublishedPlane, start: str, rest: str, accept: str) -> None:
    ask(site, start + rest, accept=accept, accept_language=rest[:20])


@pytest.mark.parametrize(
    "unit", ["a", "%0A", "a/", "..//", "?", "?=", "%", "\xff", "a:", "1-", ";"]
)
@pytest.mark.parametrize(
    "start",
    ["/urn:lead:", "/urn:lex:br:", "/urn:nbn:fi-", "/names/urn:pwid:", "/names/under/urn:lead:"],
)
def test_the_longest_names_are_answered(site: PublishedPlane, start: str, unit: str) -> None:
    ask(site, start + unit * (8_000 // len(unit)), accept="text/html")


def test_what_was_answered_before_is_answered_the_same(site: PublishedPlane) -> None:
    first, second = (ask(site, "/urn:many:a?=q") for _ in range(2))
    assert first == second
    ask(site, "/urn:typed:a", accept="application/json")
    assert ask(site, "/urn:typed:a").status == 302


def test_rules_that_cannot_be_read_leave_all_else_published(tmp_path: Path) -> None:
    pack({**contents(1), RULES_PATH: ("application/jsonl", b"{}\n")}).lay_out(tmp_path)
    published = PublishedPlane(tmp_path)
    assert ask(published, "/urn:lead:a").status == 404
    assert ask(published, PAGE).status == 200
