"""One ARK by the rules of an earlier edition of NAANs: its page, its JSON, and the day that leads
there."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.bundles.name_copies import MASKS, NAMES_FOLDER, NameCopyWriter
from app.exports.content.file_names import rules_file
from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.records.registry_records import Status
from app.resolution.ark_rules import ArkRules, ark_rule_lines
from tests.front.test_connections import serving
from tests.published.arks import bundle_of_arks
from tests.published.bound_names import copy_names
from tests.published.bundles import FROM_BEHIND, Bundle, as_of, ask, lasting, make_bundle
from tests.published.rules import JSON_LINES
from tests.published.test_names import ask as asked_by_socket

DAY = as_of(2)[:10]
THEN = [
    ArkRules(prefix="12345", holder="A library of then", target="https://then.example/${content}"),
    ArkRules(prefix="12345/x5", holder="A project", target="https://site.example/${content}"),
    ArkRules(prefix="30003", status=Status.FORMER),
]
NOW = [
    ArkRules(prefix="12345", holder="A library of now", target="https://now.example/${content}"),
    ArkRules(prefix="b7280", holder="Nobody then", target="https://doi.example/${content}"),
]


def keep(folder: Path, number: int, rules: list[ArkRules]) -> None:
    """Lay out what an edition keeps for ever; without rules as older software built it."""
    lines = ark_rule_lines(rules)
    made = lasting(number, {rules_file(NAAN_GROUP.id): (JSON_LINES, lines)} if rules else {})
    files = tuple(
        replace(file, path=f"/{NAAN_GROUP.folder}{file.path}") for file in made.manifest.files
    )
    Bundle(replace(made.manifest, files=files), made.bytes_by_sha256).lay_out_for_ever(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_bundle(30).lay_out(tmp_path)
    group = tmp_path / NAAN_GROUP.folder
    keep(group, 1, [])
    keep(group, 2, THEN)
    keep(group, 30, NOW)
    bundle_of_arks(NOW, edition=30).lay_out(group)
    return tmp_path


@pytest.fixture(params=[False, True])
def site(folder: Path, request: pytest.FixtureRequest) -> PublishedPlane:
    """A copy, and a plane in front of the registry."""
    return PublishedPlane(folder, falls_through=request.param)


def told(site: PublishedPlane, path: str) -> tuple[int, dict[str, Any]]:
    answer = ask(site, path, accept="application/json, application/problem+json")
    return answer.status, json.loads(answer.body)


def test_an_ark_is_led_by_the_rules_of_the_edition(site: PublishedPlane) -> None:
    status, then = told(site, "/naans/editions/2/names/ark:12345/a1")
    assert (status, then["target"]) == (200, "https://then.example/12345/a1")
    assert (then["edition"], then["as_of"]) == (2, DAY)
    status, now = told(site, then["current"])
    assert (status, now["target"]) == (200, "https://now.example/12345/a1")
    assert "edition" not in now
    status, refused = told(site, "/naans/editions/2/names/ark:b7280/d1")
    assert (status, refused["outcome"], refused["edition"]) == (404, "not registered", 2)
    assert told(site, "/naans/editions/2/names/ark:30003/a")[0] == 410
    assert told(site, "/naans/editions/30/names/ark:b7280/d1")[0] == 200


def test_what_leads_back_to_the_site_is_told_of_an_edition_too(site: PublishedPlane) -> None:
    _, then = told(site, "/naans/editions/2/names/ark:12345/x5a")
    assert then["outcome"] == "leads back"


def test_the_page_says_so_and_stays_in_its_edition(site: PublishedPlane) -> None:
    page = ask(site, "/naans/editions/2/names/ark:12345/a1", accept="text/html")
    html, words = page.body.decode(), re.sub("<[^>]*>|\\s+", " ", page.body.decode())
    assert "This is edition 2" in words
    assert '<a href="/names/ark:12345%2Fa1">See the current entry</a>' in html
    assert "ark:12345/a1 in edition 2" in html
    assert "A library of then" in words
    assert 'href="/naans/editions/2/naans/12345"' in html
    assert 'href="/naans/12345"' not in html
    there = "https://site.example/naans/editions/2/names/ark:12345%2Fa1"
    assert page.headers["Link"] == f'<{there}>; rel="canonical"'


def test_only_the_page_of_today_leads_to_the_names_that_were_given_since(
    folder: Path, site: PublishedPlane
) -> None:
    copy_names(folder)
    NameCopyWriter(folder / NAMES_FOLDER).keep_told({MASKS: {"ark:12345/x5": ""}})
    pages = [
        ask(site, f"{at}/names/ark:12345", accept="text/html").body
        for at in ("", "/naans/editions/30", "/naans/editions/2")
    ]
    assert [b"/names/under/" in page for page in pages] == [True, False, False]


def test_no_two_editions_share_an_entity_tag(site: PublishedPlane) -> None:
    paths = "/names/ark:b7280/d1", "/naans/editions/30/names/ark:b7280/d1"
    tags = {ask(site, path, accept="text/html").headers["ETag"] for path in paths}
    assert len(tags) == len(paths)
    tag = ask(site, paths[1], accept="text/html").headers["ETag"]
    assert ask(site, paths[1], accept="text/html", if_none_match=tag).status == 304


@pytest.mark.parametrize("segment", ["ark:12345%2Fa1", "ark:12345/a1", "ARK:/12345/a1"])
def test_a_day_leads_to_the_ark_in_its_edition(site: PublishedPlane, segment: str) -> None:
    answer = ask(site, f"/names/{segment}", query=f"as-of={DAY}")
    there = f"/naans/editions/2/names/{segment}"
    assert (answer.status, answer.headers["Location"]) == (302, there)
    assert told(site, there)[1]["normal_form"] == "ark:12345/a1"


@pytest.mark.parametrize(("day", "status"), [("2015-04-29", 404), ("nope", 400)])
def test_a_day_without_an_edition_is_told(site: PublishedPlane, day: str, status: int) -> None:
    assert ask(site, "/names/ark:12345/a1", query=f"as-of={day}").status == status


def test_over_a_socket_the_ark_is_taken_as_it_was_sent(folder: Path) -> None:
    with serving(ConnectionLimits(), create_asgi_of_copy(folder)) as port:
        led = asked_by_socket(port, f"/names/ark:12345/a%2Fb?as-of={DAY}")
        there = "/naans/editions/2/names/ark:12345/a%2Fb"
        assert (led.status, led.headers["location"]) == (302, there)
        then = asked_by_socket(port, there, accept="application/json")
        assert json.loads(then.body)["target"].startswith("https://then.example/12345/a")


def test_an_edition_without_rules_says_so(site: PublishedPlane) -> None:
    status, refused = told(site, "/naans/editions/1/names/ark:12345/a1")
    assert (status, refused["code"]) == (404, "names_unruled")


@pytest.mark.parametrize(
    "path", ["/editions/30/names/ark:b7280/d1", "/naans/editions/2/names/urn:a:b"]
)
def test_each_edition_has_names_of_its_own_group_alone(folder: Path, path: str) -> None:
    assert ask(PublishedPlane(folder, falls_through=True), path).status == FROM_BEHIND
    assert ask(PublishedPlane(folder), path).status == 404


def test_it_is_read_alone_and_no_longer_than_a_name(site: PublishedPlane) -> None:
    path = "/naans/editions/2/names/ark:12345/a1"
    assert ask(site, path, "POST").status == 405
    assert ask(site, path, "OPTIONS").status == 204
    assert ask(site, path, "HEAD").status == 200
    assert ask(site, path + "a" * 9000).status == 414
    assert ask(site, "/naans/editions/2/names/ark:12345/%25").status == 400
