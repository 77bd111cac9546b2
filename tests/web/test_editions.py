"""The editions: the one of a day, what differs between two, and what a copy applies."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from werkzeug.test import Client

from app.bundles.layout import current_files, current_manifest
from app.factory import create_app
from app.published.plane import PublishedPlane
from app.services.operations import database_binding
from tests.conftest import START
from tests.exports.delta_reader import apply
from tests.published.bundles import make_bundle
from tests.published.wsgi_site import PublishedWsgi
from tests.web.conftest import Served, World
from tests.web.visitor import HTML

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
REGISTRY = "/assignments/urn-namespaces/"
NEWEST = 5  # of this world


def test_the_registry_of_a_day_is_the_edition_that_stood_at_its_end(world: World) -> None:
    today = START.date().isoformat()
    later = (START + timedelta(days=400)).date().isoformat()
    for path, leads_to in (
        ("/editions/", ""),
        (REGISTRY, ""),
        (f"{REGISTRY}urn-namespaces.xml", "urn-namespaces.xml"),
    ):
        for day in (today, later):
            page = world.visitor().get(f"{path}?as-of={day}")
            assert (page.status, page.location) == (302, f"/editions/{NEWEST}/{leads_to}")


@pytest.mark.parametrize(
    "day",
    [
        *("2021-02-30", "0000-00-00", "2021-5-1x", "tomorrow", "", "9" * 300),
        "\uff12\uff10\uff12\uff18-\uff10\uff15-\uff10\uff11",
    ],
)
def test_what_is_no_day_is_told_how_a_day_is_written(world: World, day: str) -> None:
    page = world.visitor().open("GET", "/editions/", query_string={"as-of": day})
    assert page.status == 400
    assert "YYYY-MM-DD, for example 2021-05-01 (RFC 3339 section 5.6" in page.words


def test_of_two_days_neither_is_taken(world: World) -> None:
    assert world.visitor().get("/editions/?as-of=2026-09-01&as-of=2026-09-02").status == 400


def test_a_day_without_an_edition_is_told_as_such(world: World) -> None:
    page = world.visitor().get("/editions/?as-of=1999-01-01")
    assert page.status == 404
    assert "No edition was published before or on 1999-01-01" in page.words


def told_in_the_readme(base: bytes, delta: dict[str, Any]) -> bytes:
    """The later file, made by the words of `docs/published-files.md` and nothing of ours."""
    assert hashlib.sha256(base).hexdigest() == delta["from"]["sha256"]
    mine, document = json.loads(base), delta["head"]
    lists = {table["id"]: table["records"] for table in mine["tables"]}
    for table in document["tables"]:
        change = delta.get("tables", {}).get(table["id"], {})
        table["records"] = put_together(lists.get(table["id"], []), change, "folded")
    document["people"] = put_together(mine["people"], delta.get("people", {}), "id")
    made = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    assert hashlib.sha256(made.encode()).hexdigest() == delta["to"]["sha256"]
    return made.encode()


def put_together(mine: list[Any], change: dict[str, Any], key: str) -> list[Any]:
    changed = {entry[key]: entry for entry in change.get("changed", [])}
    made = {e[key]: changed.get(e[key], e) for e in mine if e[key] not in change.get("removed", [])}
    moved = [(made.pop(move["key"]), move["after"]) for move in change.get("moved", [])]
    waiting = [*moved, *((new["record"], new["after"]) for new in change.get("added", []))]
    entries = list(made.values())
    while waiting:
        keys = [None, *(entry[key] for entry in entries)]
        entry, after = next(pair for pair in waiting if pair[1] in keys)
        waiting.remove((entry, after))
        entries.insert(keys.index(after), entry)
    return entries


@pytest.mark.slow
def test_a_mirror_comes_from_one_edition_to_any_other_by_what_is_served(
    served: Served,
) -> None:
    """Nothing is used but fetched bytes, and what `docs/published-files.md` tells of them."""
    client = Client(served.whole)

    def fetched(path: str) -> bytes:
        with client.get(path) as response:
            assert response.status_code == 200
            assert response.headers["Cache-Control"].endswith("immutable")
            return bytes(response.data)

    editions = [fetched(f"/editions/{n}/urn-namespaces.json") for n in range(1, NEWEST + 1)]
    schema = Draft202012Validator(json.loads(client.get("/schemas/urn-namespaces-delta.json").data))
    for before, after in permutations(range(1, NEWEST + 1), 2):
        delta = json.loads(fetched(f"/editions/{before}..{after}.json"))
        schema.validate(delta)
        assert apply(editions[before - 1], delta) == editions[after - 1]
        assert told_in_the_readme(editions[before - 1], delta) == editions[after - 1]
    state = editions[0]
    for n in range(1, NEWEST):
        state = apply(state, json.loads(fetched(f"/editions/{n}..{n + 1}.json")))
    assert state == editions[-1]
    assert client.get(f"/editions/{NEWEST}..{NEWEST + 1}.json").status_code == 404


def test_the_step_to_each_edition_is_kept_and_a_copy_alone_has_it(
    served: Served,
) -> None:
    alone = Client(PublishedWsgi(PublishedPlane(served.published)))
    for n in range(1, NEWEST):
        step = alone.get(f"/editions/{n}..{n + 1}.json")
        assert step.status_code == 200
        assert step.data == Client(served.whole).get(f"/editions/{n}..{n + 1}.json").data
        assert step.headers["ETag"]
        assert "/schemas/urn-namespaces-delta.json" in step.headers["Link"]
    assert alone.get("/editions/1..3.json").status_code == 404


@pytest.mark.parametrize(
    ("accept", "suffix"),
    [
        ("", None),
        ("*/*", None),
        (HTML, None),
        ("application/json", "json"),
        ("text/csv", "csv"),
        ("application/atom+xml", "atom"),
        ("text/turtle, application/xml;q=0.5", "ttl"),
    ],
)
@ONE_DATABASE
def test_accept_chooses_among_an_editions_page_and_what_it_keeps(
    served: Served, accept: str, suffix: str | None
) -> None:
    for whole in (served.whole, PublishedWsgi(PublishedPlane(served.published))):
        for n in range(1, NEWEST + 1):
            answer = Client(whole).get(f"/editions/{n}/", headers={"Accept": accept})
            path = f"/editions/{n}/" + (f"urn-namespaces.{suffix}" if suffix else "")
            own = Client(whole).get(path)
            assert (answer.status_code, answer.data) == (200, own.data)
            assert answer.headers["Content-Type"] == own.headers["Content-Type"]
            assert answer.headers.get("Content-Location") == (path if suffix else None)
            assert "Accept" in answer.headers["Vary"].split(", ")


@pytest.mark.parametrize("accept", ["image/png", "*/*;q=0"])
@ONE_DATABASE
def test_a_format_that_no_edition_has_is_refused_with_what_there_is(
    served: Served, accept: str
) -> None:
    answer = Client(served.whole).get("/editions/2/", headers={"Accept": accept})
    assert answer.status_code == 406
    paths = [choice["href"] for choice in json.loads(answer.data)["choices"]]
    assert paths[0] == "/editions/2/"
    assert {"/editions/2/urn-namespaces.json", "/editions/2/urn-namespaces.csv"} < set(paths)


@ONE_DATABASE
def test_the_feed_of_a_day_is_kept_as_it_was(served: Served) -> None:
    for whole in (served.whole, PublishedWsgi(PublishedPlane(served.published))):
        client = Client(whole)
        there = client.get(f"{REGISTRY}urn-namespaces.atom?as-of={START.date().isoformat()}")
        assert there.headers["Location"] == f"/editions/{NEWEST}/urn-namespaces.atom"
        assert client.get(there.headers["Location"]).status_code == 200
        first = client.get("/editions/1/urn-namespaces.atom")
        assert b"quokka" not in first.data
        assert first.headers["Cache-Control"].endswith("immutable")


def test_an_answer_that_was_computed_is_known_again(served: Served) -> None:
    client = Client(served.whole)
    etag = client.get("/editions/1..3.json").headers["ETag"]
    again = client.get("/editions/1..3.json", headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")


def test_two_editions_are_compared_in_words_either_way(world: World) -> None:
    forth = world.visitor().get("/editions/compare?from=1&to=2")
    assert "quokka added" in forth.words
    back = world.visitor().get("/editions/compare?from=2&to=1")
    assert "quokka removed" in back.words
    assert "No entries changed." in world.visitor().get("/editions/compare?from=2&to=2").words


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "9" * 18, "9" * 19, "٢", "", "1 2", "x"])
def test_what_is_no_edition_is_told_at_its_field(world: World, number: str) -> None:
    asked = {"from": number, "to": "2"}
    page = world.visitor().open("GET", "/editions/compare", query_string=asked)
    assert page.status == 404
    assert page.title.startswith("Error: ")
    for bad in (f"/editions/{number}/", f"/editions/{number}..2.json"):
        assert world.visitor().get(bad).status in {404, 308, 200} - ({200} if number else set())


@ONE_DATABASE
def test_every_edition_is_listed_with_what_it_changed(world: World) -> None:
    page = world.visitor().get("/editions/")
    listed = [" ".join(item.text_content().split()) for item in page.each("//ol/li[@id]")]
    assert [line.split()[1] for line in listed] == [str(n) for n in range(NEWEST, 0, -1)]
    assert "dunnart changed" in listed[0]
    assert "quokka added" in listed[-2]
    assert "First edition, with 106 entries" in listed[-1]
    page = world.visitor().get("/editions/2/")
    assert "quokka added" in page.words
    assert "/editions/2/urn-namespaces.xml" in page.values("href", "a")


# ---- a host that has yet to lay an edition out


@contextmanager
def beside(served: Served, folder: Path) -> Iterator[Client]:
    """Another host on the same database, with a folder of its own."""
    settings = replace(served.world.app.extensions["settings"], data_dir=folder)
    app = create_app(settings)
    app.extensions["now"] = served.world.app.extensions["now"]
    plane = PublishedPlane(settings.published_dir, falls_through=True, session_cookie="session")
    yield Client(PublishedWsgi(plane, app.wsgi_app))
    with app.app_context():
        database_binding.close_connections()


@ONE_DATABASE
def test_a_new_host_says_of_no_published_file_that_it_is_not_there_nor_that_it_is_ready(
    served: Served, tmp_path: Path
) -> None:
    manifest = current_manifest(served.published)
    assert manifest is not None
    files = current_files(served.published, manifest)
    paths = [
        *(file.path for file in files if not file.is_page),
        *(path for path, _ in manifest.redirects),
    ]
    wrong = []
    with beside(served, tmp_path) as host:
        for path in paths:
            with closing(host.get(path)) as answer:
                is_later = answer.status_code == 503 and answer.headers.get("Retry-After")
            wrong += [] if is_later or answer.status_code in {200, 301, 308} else [path]
        for path in ("/", REGISTRY, "/namespaces/isbn", "/editions/1/"):
            as_json = host.get(path, headers={"Accept": "application/json"}).status_code
            wrong += [] if as_json == 503 else [f"{path} as JSON"]
            assert host.get(path, headers={"Accept": HTML}).status_code == 200
        ready, status = host.get("/readyz"), "no edition is published on this host yet"
        assert (ready.status_code, ready.get_json()["status"]) == (503, status)
        assert host.get("/healthz").status_code == 200
    assert wrong == []


@ONE_DATABASE
def test_a_host_that_is_behind_says_of_a_file_that_another_has_to_come_again(
    served: Served, tmp_path: Path
) -> None:
    make_bundle(1).lay_out(tmp_path / "published")
    with beside(served, tmp_path) as host:
        assert host.get("/readyz").status_code == 200
        for path, status in (
            ("/namespaces/isbn.json", 503),
            ("/editions/1/urn-namespaces.json", 503),
            ("/editions/1/urn-namespaces", 503),
            ("/editions/1/nothing.json", 404),
            ("/editions/99/urn-namespaces.json", 404),
            ("/namespaces/isbn.exe", 404),
            ("/namespaces/nobody.json", 404),
            ("/namespaces/ad-id.csv", 404),
        ):
            answer = host.get(path)
            assert answer.status_code == status, (path, answer.get_data(as_text=True))
            assert answer.headers.get("Retry-After") == ("30" if status == 503 else None)
        assert "Try again" not in host.get("/namespaces/ad-id.csv").get_data(as_text=True)
