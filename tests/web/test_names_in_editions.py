"""One name as it stood in an edition: its page, its files, and the day that leads there."""

import pytest

from tests.conftest import START
from tests.web.conftest import World

DAY = START.date().isoformat()


@pytest.mark.parametrize("suffix", ["", ".json", ".xml", ".csv", ".txt", ".ttl", ".jsonld"])
def test_a_name_has_a_page_and_files_in_an_edition(world: World, suffix: str) -> None:
    visitor = world.visitor()
    led = visitor.get(f"/namespaces/isbn{suffix}?as-of={DAY}")
    assert (led.status, led.location) == (302, f"/editions/5/namespaces/isbn{suffix}")
    there = visitor.get(f"/editions/1/namespaces/isbn{suffix}")
    assert there.status == 200
    assert "isbn" in there.html
    assert visitor.get(f"/editions/1/namespaces/ISBN{suffix}").location == (
        f"/editions/1/namespaces/isbn{suffix}"
    )


def test_the_page_says_of_which_edition_it_is_and_leads_to_what_stands_now(world: World) -> None:
    page = world.visitor().get("/editions/1/namespaces/isbn")
    assert "This is edition 1 (1 September 2026), not the current one." in page.words
    assert 'href="/namespaces/isbn"' in page.html
    assert 'href="/editions/1/namespaces/isbn.json"' in page.html
    assert 'href="/editions/1/names/urn:isbn:' in page.html
    assert 'href="/names/' not in page.html


def test_the_page_of_one_name_is_awaited_where_its_edition_is_not_laid_out_yet(
    world: World,
) -> None:
    assert world.visitor().get("/editions/1/names/urn:isbn:1").status == 503
    missing = world.visitor().get("/editions/99/names/urn:isbn:1%2F2")
    assert (missing.status, "dition 99" in missing.words) == (404, True)
    other = world.visitor().get("/editions/1/names/ark:12345/a")
    assert (other.status, "start with urn:" in other.words) == (404, True)
    assert world.visitor().get("/naans/editions/99/names/ark:12345/a").status == 404


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/editions/1/namespaces/quokka", "Edition 1 "),
        ("/editions/99/namespaces/isbn", "dition 99"),
        ("/editions/1/namespaces/isbn.odt", "an entry is available as a page and as"),
        (f"/editions/1/namespaces/{'x' * 300}", "Edition 1 "),
    ],
)
def test_what_an_edition_does_not_have_is_told(world: World, path: str, said: str) -> None:
    page = world.visitor().get(path)
    assert page.status == 404
    assert said in page.words


def test_who_asks_an_edition_for_a_later_name_is_led_to_its_page_today(world: World) -> None:
    page = world.visitor().get("/editions/1/namespaces/dunnart")
    assert page.status == 404
    assert "/namespaces/dunnart" in page.values("href")
    assert "Edition 1 (1 September 2026) has no" in page.words
