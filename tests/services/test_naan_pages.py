"""NAANs are found by what they are asked for, and their pages follow what lies under them."""

import re
from pathlib import Path

import pytest
from flask import Flask

from app.bundles.mirror import held_editions
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from app.services.editions import publication
from app.services.registry.naan_import import import_naans, read_naan_file
from tests import factories
from tests.conftest import Clock
from tests.published.bundles import ask
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.services.test_naan_import import laid_out

BOTH = file_of(entry_of(LIBRARY), entry_of(SHOULDER))
HOME = "/assignments/naans/"
PATHS = re.compile('href="(/naans/editions/[0-9]+/naans/24680/[^"./]+)"')

PLACES = {
    "24680": "/naans/24680",
    "ark:24-680/": "/naans/24680",
    "24680/x5": "/naans/24680/x5",
    "ark:/24680/x5": "/naans/24680/x5",
    "ark:24680/x5wf": "/names/ark:24680%2Fx5wf",
    "https://any.example/ark:/24680/b-1?x": "/names/ark:%2F24680%2Fb-1%3Fx",
    "ark:24680/%zz": "/names/ark:24680%2F%25zz",
    "ark:97531/x": "/names/ark:97531%2Fx",
}

# What is asked of the list, and the names that answer it.
ASKED = {
    "q=utopia": {"24680"},
    "q=books": {"24680/x5"},
    "host=library.example": {"24680"},
    "policy=nr": {"24680"},
    "policy=none": {"24680/x5"},
    "policy=nr&host=rare.example": set(),
    "organization=np": {"24680", "24680/x5"},
    "organization=np&q=rare&kind=shoulder": {"24680/x5"},
    "organization=%27%22": set(),
    "sort=template&order=desc": {"24680", "24680/x5"},
}

# What is typed into "Try an ARK" on the page of a name, and the page to which that leads.
TRIED = {
    ("b7k3q9", "ark:24680/"): "/names/ark:24680%2Fb7k3q9",
    ("24680/b7k3q9", "ark:24680/"): "/names/ark:24680%2Fb7k3q9",
    ("7k3q9", "ark:24680/x5"): "/names/ark:24680%2Fx57k3q9",
    ("X57k3q9", "ark:24680/x5"): "/names/ark:24680%2FX57k3q9",
    ("ark:97531/x", "ark:24680/"): "/names/ark:97531%2Fx",
}


def test_the_editions_of_all_groups_that_a_copy_holds_are_told(
    both: Flask, clock: Clock, tmp_path: Path
) -> None:
    laid_out(tmp_path, clock)
    assert list(held_editions(tmp_path)) == [(NAAN_GROUP, 1)]
    publication.lay_out_newest(tmp_path, factories.making(), URN_GROUP)
    assert list(held_editions(tmp_path)) == [(URN_GROUP, 1), (NAAN_GROUP, 1)]


@pytest.fixture
def both(app: Flask, clock: Clock) -> Flask:
    """A registry with one NAAN and a shoulder under it."""
    import_naans(read_naan_file(BOTH), clock.on(minutes=1))
    return app


def test_one_field_leads_to_names_of_both_registries_and_the_lists_answer(both: Flask) -> None:
    client = both.test_client()
    for query, place in PLACES.items():
        answer = client.get("/", query_string={"q": query})
        assert (answer.status_code, answer.headers.get("Location")) == (303, place), query
    for query, names in ASKED.items():
        page = client.get(f"{HOME}?{query}").text
        assert {name for name in ("24680", "24680/x5") if f'id="{name}"' in page} == names, query
    assert "a parameter of this list" in client.get(f"{HOME}?reign=1").text


def test_words_find_holders_too(both: Flask) -> None:
    for query in ("Bibliotheek van Utopia", "RARE", "utopian libary"):
        answer = both.test_client().get("/", query_string={"q": query})
        assert answer.status_code == 200
        assert 'href="/naans/24680' in answer.text.partition("<ol")[2], query


def test_what_begins_no_name_is_tried_under_the_name_of_the_page(both: Flask) -> None:
    client = both.test_client()
    assert 'name="under" value="ark:24680/x5"' in " ".join(
        client.get("/naans/24680/x5").text.split()
    )
    for (query, under), place in TRIED.items():
        answer = client.get("/", query_string={"q": query, "under": under})
        assert (answer.status_code, answer.headers.get("Location")) == (303, place), query


@pytest.mark.parametrize("query", ["Utopain Library", "utopian libary", "bibliotheek of utopia"])
def test_a_search_that_finds_nothing_offers_the_holders_it_may_have_meant(
    both: Flask, query: str
) -> None:
    client = both.test_client()
    for path in ("/assignments/urn-namespaces/", HOME):
        page = " ".join(client.get(path, query_string={"q": query}).text.split())
        assert "Did you mean</h2>" in page, path
        assert '<a href="/naans/24680">' in page.partition("Did you mean</h2>")[2], path
        assert page.index("Did you mean</h2>") < page.index('aria-label="Filters"')
    assert "Did you mean</h2>" not in client.get(f"{HOME}?q=utopia").text


def test_where_one_registry_has_no_match_it_is_said_of_the_others_too(both: Flask) -> None:
    client, urns = both.test_client(), "/assignments/urn-namespaces/"
    nowhere = f'No match in <a href="{HOME}">NAANs</a> either.'
    assert nowhere in client.get(f"{urns}?q=nobody").text
    assert "No match in" not in client.get(f"{urns}?q=books").text
    assert "of the NAANs</a> also matches." in client.get(f"{urns}?q=books").text
    assert "URN namespaces</a> either." in client.get(f"{HOME}?q=nobody").text


def test_the_list_and_the_editions_say_of_which_day_the_file_was(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    dated = file_of(entry_of(LIBRARY), metadata={"updated": "2024-11-07T16:48:32+00:00"})
    import_naans(read_naan_file(dated), clock.on(minutes=1))
    plane = laid_out(tmp_path / "published", clock)
    pages = [ask(plane, path).body.decode() for path in (HOME, "/naans/editions/")]
    for page in (*pages, app.test_client().get(f"{HOME}?q=utopia").text):
        assert 'rom a file of <time datetime="2024-11-07"' in page
    assert "from a file of" not in ask(plane, "/editions/").body.decode()


def test_the_page_of_a_naan_is_made_anew_with_what_comes_under_it(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock.on(minutes=1))
    before = laid_out(tmp_path / "published", clock)
    assert b"24680/x5" not in ask(before, "/naans/24680").body
    assert (ask(before, "/naans/").status, ask(before, "/naans").headers["Location"]) == (301, HOME)
    import_naans(read_naan_file(BOTH), clock.on(minutes=1))
    after = laid_out(tmp_path / "published", clock)
    assert b"/naans/24680/x5" in ask(after, "/naans/24680").body
    assert "/naans/24680/x5" in app.test_client().get("/naans/24680").text


def test_the_page_of_a_naan_in_an_edition_has_what_lay_under_it_then(
    app: Flask, clock: Clock
) -> None:
    later = file_of(entry_of(LIBRARY), entry_of(SHOULDER, what="24680/b7", shoulder="b7"))
    for file in (file_of(entry_of(LIBRARY)), BOTH, later):
        import_naans(read_naan_file(file), clock.on(minutes=1))
    below = {1: set[str](), 2: {"24680/x5"}, 3: {"24680/x5", "24680/b7"}}
    for number, shoulders in below.items():
        page = app.test_client().get(f"/naans/editions/{number}/naans/24680").text
        led = {f"/naans/editions/{number}/naans/{one}" for one in shoulders}
        assert set(PATHS.findall(page)) == led
        for path in led:
            assert app.test_client().get(path).status_code == 200
    assert "24680/b7" not in app.test_client().get("/naans/editions/3/naans/24680/x5").text
