"""One name by the rules of an earlier edition: its page, its JSON, and the day that leads there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.bundles.name_copies import MASKS, NAMES_FOLDER, NameCopyWriter
from app.exports.content.file_names import RULES_PATH
from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.published.plane import PublishedPlane
from app.registration.profiles.profile_records import NssPattern, Resolvability
from app.resolution.namespace_rules import LineRuleBook, NamespaceRules, rule_lines
from tests.front.test_connections import serving
from tests.published.bound_names import copy_names
from tests.published.bundles import FROM_BEHIND, as_of, ask, lasting, restless
from tests.published.name_rules import namespace, service
from tests.published.rules import JSON_LINES, bundle_of
from tests.published.test_names import ask as asked_by_socket
from tests.published.test_switching import held_back
from tests.waiting import DEADLINE

FILE = RULES_PATH.rpartition("/")[2]
DAY = as_of(2)[:10]
NUMBERS = NssPattern(expression="[0-9]+", is_exact=True, source="section 2")
LETTERS = NssPattern(expression="[a-z/]+", is_exact=True, source="section 3")
THEN = [
    NamespaceRules(name="untold"),
    namespace("silent", title="Silent", resolvability=Resolvability.UNDECLARED),
    namespace("quokka", service("https://then.example/{+nss}"), pattern=LETTERS),
    namespace("dated", service("https://past.example/{+nss}", until=DAY)),
]
NOW = [
    namespace("untold", service("https://now.example/{+nss}"), pattern=NUMBERS),
    namespace("quokka", service("https://now.example/{+nss}"), pattern=NUMBERS),
    namespace("wombat"),
]


def keep(folder: Path, number: int, rules: list[NamespaceRules] | None) -> None:
    """Lay out what an edition keeps for ever; without rules as older software built it."""
    lines = rule_lines((one.name, one) for one in rules or ())
    files = {FILE: (JSON_LINES, lines)} if rules else {}
    lasting(number, files).lay_out_for_ever(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keep(tmp_path, 1, None)
    keep(tmp_path, 2, THEN)
    keep(tmp_path, 30, NOW)
    bundle_of(NOW, edition=30, registry="https://registry.example").lay_out(tmp_path)
    return tmp_path


@pytest.fixture(params=[False, True])
def site(folder: Path, request: pytest.FixtureRequest) -> PublishedPlane:
    """A copy, and a plane in front of the registry."""
    return PublishedPlane(folder, falls_through=request.param)


def told(site: PublishedPlane, path: str) -> tuple[int, dict[str, Any]]:
    answer = ask(site, path, accept="application/json, application/problem+json")
    return answer.status, json.loads(answer.body)


def test_only_the_page_of_today_leads_to_the_names_that_were_given_since(
    folder: Path, site: PublishedPlane
) -> None:
    copy_names(folder)
    NameCopyWriter(folder / NAMES_FOLDER).keep_told({MASKS: {"urn:quokka:1": ""}})
    pages = [
        ask(site, f"{at}/names/urn:quokka:1", accept="text/html").body
        for at in ("", "/editions/30")
    ]
    assert [b"/names/under/" in page for page in pages] == [True, False]


def test_a_name_is_judged_by_the_rules_of_the_edition(site: PublishedPlane) -> None:
    status, then = told(site, "/editions/2/names/urn:quokka:a")
    assert (status, then["possibility"]) == (200, "possible")
    assert (then["edition"], then["as_of"]) == (2, DAY)
    assert [one["target"] for one in then["services"]] == ["https://then.example/a"]
    assert told(site, "/names/urn:quokka:a")[0] == 404
    status, now = told(site, "/names/urn:quokka:1")
    assert (status, "edition" in now) == (200, False)
    status, refused = told(site, "/editions/2/names/urn:quokka:1")
    assert (status, refused["outcome"], refused["edition"]) == (404, "impossible", 2)
    assert told(site, "/editions/2/names/urn:wombat:1")[0] == 404
    assert told(site, "/editions/30/names/urn:wombat:1")[0] == 200


def test_a_name_that_an_edition_lacks_is_not_offered_but_told_as_it_is_now(
    site: PublishedPlane,
) -> None:
    path = "/editions/2/names/urn:wombat:1"
    page = ask(site, path, accept="text/html").body.decode()
    words = " ".join(re.sub("<[^>]*>", "", page).split())
    assert "urn:wombat: was not registered" in words
    assert "Edition 2 has no namespace wombat." in words
    assert 'href="/namespaces/wombat"' in page
    assert 'href="/names/urn:wombat:1"' in page
    assert "/requests/new" not in page and "/tools/nid" not in page
    _, then = told(site, path)
    assert "request_a_name" not in then
    assert then["title"] == "urn:wombat: was not registered"
    lacks = "Edition 2 has no namespace `wombat`."
    assert [one["message"] for one in then["grounds"]] == [lacks]
    assert lacks in then["why"][0]
    assert "No namespace" not in json.dumps(then)


def test_services_are_those_of_the_day_of_the_edition(site: PublishedPlane) -> None:
    _, then = told(site, "/editions/2/names/urn:dated:a")
    assert [one["target"] for one in then["services"]] == ["https://past.example/a"]


def test_the_page_says_so_and_stays_in_its_edition(site: PublishedPlane) -> None:
    page = ask(site, "/editions/2/names/urn:quokka:a%2Fb", accept="text/html").body.decode()
    assert "This is edition 2" in page
    assert '<a href="/names/urn:quokka:a%2Fb">See the current entry</a>' in page
    assert 'href="/editions/2/namespaces/quokka"' in page
    assert 'href="/namespaces/quokka"' not in page
    assert "https://registry.example/editions/2/names/urn:quokka:a%2Fb" in page
    assert "urn:quokka:a/b in edition 2" in page


def test_of_an_edition_without_facts_nothing_is_said_of_the_registration(
    site: PublishedPlane,
) -> None:
    path = "/editions/2/names/urn:untold:7"
    page = ask(site, path, accept="text/html").body.decode()
    _, then = told(site, path)
    unknown = "This edition has no resolver for {}."
    words = re.sub("<[^>]*>", "", page)
    assert unknown.format("untold") in words
    assert "no syntax rules" in words
    assert "registration" not in words
    assert '<a href="/names/urn:untold:7">See the current entry</a>' in page
    assert (then["detail"], then["current"]) == (unknown.format("`untold`"), "/names/urn:untold:7")
    assert "registration" not in json.dumps(then)
    assert "resolvability" not in then["namespace"]
    _, now = told(site, then["current"])
    assert [one["target"] for one in now["services"]] == ["https://now.example/7"]


def test_what_a_registration_says_is_said_of_it_in_each_edition(site: PublishedPlane) -> None:
    _, then = told(site, "/editions/2/names/urn:silent:7")
    assert then["detail"] == "The registration declares no resolution service."
    assert then["namespace"]["resolvability"] == "none declared"


def test_no_two_editions_share_an_entity_tag(site: PublishedPlane) -> None:
    paths = "/names/urn:wombat:1", "/editions/30/names/urn:wombat:1"
    tags = {ask(site, path, accept="text/html").headers["ETag"] for path in paths}
    assert len(tags) == len(paths)
    tag = ask(site, paths[1], accept="text/html").headers["ETag"]
    assert ask(site, paths[1], accept="text/html", if_none_match=tag).status == 304


@pytest.mark.parametrize(
    ("segment", "there"),
    [
        ("urn:quokka:a%2Fb", "/editions/2/names/urn:quokka:a%2Fb"),
        ("URN:quokka:a", "/editions/2/names/URN:quokka:a"),
        ("urn:quokka:a%252F", "/editions/2/names/urn:quokka:a%252F"),
    ],
)
def test_a_day_leads_to_the_name_in_its_edition(
    site: PublishedPlane, segment: str, there: str
) -> None:
    answer = ask(site, f"/names/{segment}", query=f"as-of={DAY}")
    assert (answer.status, answer.headers["Location"]) == (302, there)


@pytest.mark.parametrize(("day", "status"), [("2015-04-29", 404), ("nope", 400)])
def test_a_day_without_an_edition_is_told(site: PublishedPlane, day: str, status: int) -> None:
    assert ask(site, "/names/urn:quokka:a", query=f"as-of={day}").status == status


def test_over_a_socket_the_name_is_taken_as_it_was_sent(folder: Path) -> None:
    with serving(ConnectionLimits(), create_asgi_of_copy(folder)) as port:
        led = asked_by_socket(port, f"/names/urn:quokka:a%2Fb?as-of={DAY}")
        assert (led.status, led.headers["location"]) == (302, "/editions/2/names/urn:quokka:a%2Fb")
        then = asked_by_socket(port, led.headers["location"], accept="application/json")
        assert (then.status, json.loads(then.body)["normal_form"]) == (200, "urn:quokka:a/b")
        absolute = f"http://registry.example{led.headers['location']}"
        assert asked_by_socket(port, absolute, accept="application/json").body == then.body
        assert asked_by_socket(port, "/editions/2/names/urn:quokka:%252f").status == 404


def test_while_a_newer_edition_is_read_the_asker_is_told_to_come_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shell round the page, and what the rules may be shared with, are of today."""
    site = PublishedPlane(folder, clock=restless(), patience=0.01)
    bundle_of(NOW, edition=31).lay_out(folder)
    _, go_on, _ = held_back(monkeypatch)
    path = "/editions/2/names/urn:quokka:a"
    assert ask(site, path).status == 503
    go_on.set()
    site.root._reading.join(DEADLINE)
    assert ask(site, path).status == 200


def test_the_rules_of_an_earlier_edition_are_read_once(
    site: PublishedPlane, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []

    def watched(lines: bytes) -> LineRuleBook:
        read.append(lines)
        return LineRuleBook(lines)

    monkeypatch.setattr("app.published.names.edition_names.LineRuleBook", watched)
    for name in ("urn:quokka:a", "urn:quokka:b", "urn:dated:a"):
        assert ask(site, f"/editions/2/names/{name}").status == 200
    assert len(read) == 1


def test_an_edition_without_rules_says_so(site: PublishedPlane) -> None:
    status, refused = told(site, "/editions/1/names/urn:quokka:a")
    assert (status, refused["code"]) == (404, "names_unruled")
    assert "Edition 1 was published without resolution rules" in str(refused["detail"])


def test_an_edition_that_is_not_here_is_asked_for_behind(folder: Path) -> None:
    path = "/editions/99/names/urn:quokka:a"
    assert ask(PublishedPlane(folder, falls_through=True), path).status == FROM_BEHIND
    assert ask(PublishedPlane(folder), path).status == 404


def test_it_is_read_alone_and_no_longer_than_a_name(site: PublishedPlane) -> None:
    path = "/editions/2/names/urn:quokka:a"
    assert ask(site, path, "POST").status == 405
    assert ask(site, path, "OPTIONS").status == 204
    assert ask(site, path, "HEAD").status == 200
    assert ask(site, path + "a" * 9000).status == 414
    assert ask(site, "/editions/2/names/urn:quokka:%25").status == 400
