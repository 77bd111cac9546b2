"""The editions: the one of a day, what differs between two, and what a copy applies."""

import json
from datetime import timedelta

import pytest

from app.exports.delta import apply
from app.services.comparing import delta_between
from app.services.registry import snapshot_of
from app.store.database import reading
from tests.conftest import START
from tests.web.conftest import World

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
REGISTRY = "/assignments/urn-namespaces/"


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
            assert (page.status, page.location) == (302, f"/editions/4/{leads_to}")


@pytest.mark.parametrize(
    "day",
    [
        *("1999-01-01", "2021-02-30", "0000-00-00", "2021-5-1x", "tomorrow", "", "9" * 300, "\0"),
        "\uff12\uff10\uff12\uff18-\uff10\uff15-\uff10\uff11",
    ],
)
def test_a_day_without_an_edition_is_told_as_such(world: World, day: str) -> None:
    page = world.visitor().open("GET", "/editions/", query_string={"as-of": day})
    assert page.status == 404
    assert "2021-05-01" in page.words or "1999-01-01" in page.words


def test_a_copy_comes_from_one_edition_to_the_other_by_what_is_served(world: World) -> None:
    page = world.visitor().get("/editions/1..2.json")
    assert page.headers["Cache-Control"].endswith("immutable")
    with world.app.app_context(), reading():
        assert apply(snapshot_of(1), json.loads(page.html)).edition == 2
        assert page.html.encode() == delta_between(1, 2)
    etag = page.headers["ETag"]
    again = world.visitor().get("/editions/1..2.json", headers={"If-None-Match": etag})
    assert (again.status, again.html) == (304, "")


def test_two_editions_are_compared_in_words_either_way(world: World) -> None:
    forth = world.visitor().get("/editions/compare?from=1&to=2")
    assert "quokka added" in forth.words
    back = world.visitor().get("/editions/compare?from=2&to=1")
    assert "quokka removed" in back.words
    assert "No change of names." in world.visitor().get("/editions/compare?from=2&to=2").words


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
    assert [line.split()[1] for line in listed] == ["4", "3", "2", "1"]
    assert "dunnart changed" in listed[0]
    assert "quokka added" in listed[2]
    assert "106 names to begin with" in listed[3]
    page = world.visitor().get("/editions/2/")
    assert "quokka added" in page.words
    assert "/editions/2/urn-namespaces.xml" in page.values("href", "a")
