"""Lists of what lies under a beginning of names: ``/names/under/PREFIX``, for everybody."""

import json
import re
import sqlite3
from contextlib import closing
from html import escape
from itertools import chain
from pathlib import Path
from select import select
from socket import SO_LINGER, SOL_SOCKET, create_connection
from struct import pack
from threading import Event, Thread
from typing import Any

import pytest

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.bundles.name_copies import (
    DOUBTED,
    MASKS,
    NAMES_FILE,
    NAMES_FOLDER,
    STATEMENTS,
    NameCopyWriter,
)
from app.factory import create_asgi_of_copy
from app.front.bounded_pool import PoolLimits
from app.front.connections import ConnectionLimits
from app.pages.assets import static_link
from app.published.names.name_copy_reader import NameCopyReader
from app.published.plane import PublishedPlane
from tests.front.test_connections import serving
from tests.published.bound_names import RECORDS, copy_names
from tests.published.test_bound_names import HTML, JSON, ask, lay_out
from tests.published.test_names import ask as ask_socket
from tests.waiting import DEADLINE, wait_until

X5, MORE = "ark:12345/x5", "urn:lead:more:"
TOLD: dict[str, dict[str, Any]] = {
    MASKS: {X5: "reedeedk", "ark:12345/x5any": "", "urn:lead:": "", MORE: "sequence6"},
    STATEMENTS: {
        X5: {
            "holder": "Baltic <Port> Authority",
            "policy": "By hand <only>.",
            "persistence": "Kept for ever.",
        },
        MORE: {"ended": "2026-03-01"},
    },
}


def tell(folder: Path, told: dict[str, dict[str, Any]]) -> None:
    """Let the copy of names tell this of prefixes."""
    NameCopyWriter(folder / NAMES_FOLDER).keep_told(told)


def page_refused(site: PublishedPlane, target: str) -> str:
    """The page that says why there is no list."""
    answer = ask(site, target, accept=HTML)
    assert answer.status == 400
    return answer.body.decode()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """A copy of a site, with names and prefixes."""
    folder = tmp_path_factory.mktemp("lists")
    lay_out(folder)
    copy_names(folder)
    tell(folder, TOLD)
    return PublishedPlane(folder)


def listed(site: PublishedPlane, target: str) -> dict[str, Any]:
    """The document of a list."""
    answer = ask(site, target, accept=JSON)
    assert answer.status == 200
    return dict(json.loads(answer.body))


def page_of(site: PublishedPlane, target: str) -> str:
    """A page, of whatever status."""
    return ask(site, target, accept=HTML).body.decode()


def names_of(document: dict[str, Any]) -> list[str]:
    """The names of a list, in its order."""
    return [one["name"] for one in document["names"]]


def prefixes_of(document: dict[str, Any]) -> list[str]:
    """The prefixes of a list, in its order."""
    return [one["prefix"] for one in document["prefixes"]]


def begun(beginning: str) -> list[str]:
    """The names of the tests that begin so and go on."""
    return sorted(
        one.name for one in RECORDS if one.name.startswith(beginning) and one.name != beginning
    )


OF_X5 = begun(X5)


@pytest.mark.parametrize(
    ("asked", "under", "prefixes", "names"),
    [
        ("ark:12345/x5", X5, ["ark:12345/x5any"], OF_X5),
        ("ark:12345%2Fx5", X5, ["ark:12345/x5any"], OF_X5),
        ("ARK:/12345/x-5", X5, ["ark:12345/x5any"], OF_X5),
        ("ark:12345", "ark:12345/", [X5, "ark:12345/x5any"], ["ark:12345/x", *OF_X5]),
        ("ark:12345/x5abc", "ark:12345/x5abc", [], ["ark:12345/x5abc/p2"]),
        ("ark:", "ark:", [X5, "ark:12345/x5any"], ["ark:12345/x", *OF_X5]),
        ("urn:lead:more:", MORE, [], []),
        ("URN:Lead", "urn:lead:", [MORE], begun("urn:lead:")),
        ("urn:example:", "urn:example:", [], []),
    ],
)
def test_what_lies_under_a_beginning_is_listed_in_order(
    site: PublishedPlane, asked: str, under: str, prefixes: list[str], names: list[str]
) -> None:
    found = listed(site, f"/names/under/{asked}")
    assert (found["under"], prefixes_of(found), names_of(found)) == (under, prefixes, names)
    assert found["prefix_count"] == len(prefixes)


@pytest.mark.parametrize(
    ("asked", "under"),
    [
        ("urn:example:%C3%A9", "urn:example:%C3%A9"),
        ("urn:example:%25C3%25A9", "urn:example:%C3%A9"),
        ("urn:example:%31", "urn:example:%31"),
        ("urn:example:a%2Cb", "urn:example:a%2Cb"),
        ("urn:example:a%2Fb", "urn:example:a/b"),
        ("urn%3Aexample%3Aa%252Cb%2Fc", "urn:example:a%2Cb/c"),
    ],
)
def test_the_encodings_of_a_beginning_are_its_own_but_for_those_of_the_path(
    site: PublishedPlane, asked: str, under: str
) -> None:
    assert listed(site, f"/names/under/{asked}")["under"] == under
    assert listed(site, f"/names/{asked}")["normal_form"] == under


def test_without_a_beginning_all_is_listed(site: PublishedPlane) -> None:
    found = listed(site, "/names/under/")
    assert listed(site, "/names/under") == found
    assert prefixes_of(found) == sorted(TOLD[MASKS])
    assert names_of(found) == sorted(one.name for one in RECORDS)


def test_a_list_says_whose_its_names_are_and_what_is_promised_of_them(
    site: PublishedPlane,
) -> None:
    within = listed(site, "/names/under/ark:12345/x5a")
    assert within["prefix"] == {"prefix": X5, "mask": "reedeedk", **TOLD[STATEMENTS][X5]}
    assert within["shoulder"]["holder"] == "A project"
    assert within["naan"]["holder"] == "Example Library"
    assert listed(site, "/names/under/ark:12345")["prefixes"][0] == within["prefix"]
    assert listed(site, "/names/under/urn:lead")["namespace"]["name"] == "lead"
    page = page_of(site, "/names/under/ark:12345/x5a")
    for part in ("By hand &lt;only&gt;.", "Kept for ever.", "A project", "Example Library"):
        assert part in page
    assert 'href="/naans/12345/x5"' in page
    assert 'href="/names/under/ark:12345%2Fx5"' in page
    assert 'href="/namespaces/lead"' in page_of(site, "/names/under/urn:lead")


def test_a_list_says_who_holds_each_prefix_and_since_when_one_gets_no_new_names(
    site: PublishedPlane,
) -> None:
    arks, ended = (page_of(site, f"/names/under/{of}") for of in ("ark:", MORE))
    assert "<bdi>Baltic &lt;Port&gt; Authority</bdi>" in arks
    assert "owner not published" in arks  # of the one within it
    assert "Closed" not in arks
    assert "<dt>Owner</dt>" in page_of(site, f"/names/under/{X5}abc")
    day = '<time datetime="2026-03-01">'
    assert f"<dt>Closed</dt> <dd> {day}" in " ".join(ended.split())
    assert "<dt>Owner</dt>" not in ended
    urns = page_of(site, "/names/under/urn:lead:")
    assert "Closed" in urns and day in urns
    (more,) = listed(site, "/names/under/urn:lead:")["prefixes"]
    assert more == {"prefix": MORE, "mask": "sequence6", "ended": "2026-03-01"}


def test_nothing_is_listed_but_what_the_feed_tells(site: PublishedPlane) -> None:
    lines = ask(site, "/names/changes").body.splitlines()
    told = {change.pop("name"): change for change in map(json.loads, lines)}
    prefixes = json.loads(ask(site, "/names/feed").body)
    found = listed(site, "/names/under/")
    for one in found["names"]:
        assert {**told[one["name"]], **one} == {**told[one["name"]], "name": one["name"]}
    for one in found["prefixes"]:
        assert prefixes[MASKS][one["prefix"]] == one.get("mask", "")
    kept = next(one for one in found["names"] if one["name"] == "ark:12345/x5kept")
    assert kept == {"name": "ark:12345/x5kept", "state": "reserved"}
    assert "secret" not in (json.dumps(found) + page_of(site, "/names/under/")).lower()


def test_a_withdrawn_name_is_listed_as_that_and_not_where_it_led(site: PublishedPlane) -> None:
    found = listed(site, "/names/under/ark:12345/x5")["names"]
    gone = next(one for one in found if one["name"] == "ark:12345/x5gone")
    assert (gone["state"], gone["since"], gone["successor"]) == (
        "withdrawn",
        "2026-02-03",
        "ark:12345/x5abc",
    )
    assert "target" not in gone
    page = page_of(site, "/names/under/ark:12345/x5")
    assert "Withdrawn" in page
    assert "none since 2026-02-03; use" in page
    assert "was.example" not in page
    assert 'href="/names/ark:12345%2Fx5gone"' in page
    assert 'href="/names/ark:12345%2Fx5kept"' not in page  # it has no page


def test_page_by_page_all_names_and_all_prefixes_are_reached_once(tmp_path: Path) -> None:
    lay_out(tmp_path)
    many = [f"urn:lead:{number:04}" for number in range(250)]
    copy_names(tmp_path, [AssignedNameRecord(name=one) for one in reversed(many)])
    prefixes = [f"urn:lead:{number:03}:" for number in range(230)]
    tell(tmp_path, {MASKS: dict.fromkeys(prefixes, "")})
    site = PublishedPlane(tmp_path)
    target = "/names/under/urn:lead:"
    first = found = listed(site, target)
    names, further = [names_of(found)], [prefixes_of(found)]
    while "next" in found:
        found = listed(site, found["next"])
        names.append(names_of(found))
        assert prefixes_of(found) == []
    found = first
    while "next_prefixes" in found:
        found = listed(site, found["next_prefixes"])
        further.append(prefixes_of(found))
        assert (names_of(found), found["prefix_count"]) == ([], 230)
    assert [len(page) for page in names] == [100, 100, 50]
    assert list(chain.from_iterable(names)) == many
    assert [len(page) for page in further] == [100, 100, 30]
    assert list(chain.from_iterable(further)) == prefixes
    assert ask(site, target).headers["Link"] == f'<{first["next"]}>; rel="next"'
    assert f'href="{first["next"]}"' in page_of(site, target)
    page = page_of(site, target)
    assert f'href="{first["next_prefixes"]}"' in page
    assert ">230 prefixes<" in page


def test_a_page_of_long_names_has_fewer_of_them(tmp_path: Path) -> None:
    lay_out(tmp_path)
    long = (("what", "x" * 50_000),)
    many = [AssignedNameRecord(name=f"urn:lead:{n:02}", elements=long) for n in range(10)]
    copy_names(tmp_path, many)
    site, target, pages = PublishedPlane(tmp_path), "/names/under/urn:lead:", list[list[str]]()
    page = page_of(site, target)
    assert len(page) < 20_000
    assert max(map(len, re.findall("x+", page))) <= 200, "of each is shown how it begins"
    while target:
        found = listed(site, target)
        pages.append(names_of(found))
        target = found.get("next", "")
    assert [len(page) for page in pages] == [4, 4, 2]
    assert list(chain.from_iterable(pages)) == [one.name for one in many]


def test_a_list_goes_on_behind_a_name_that_is_no_more_a_part_of_it(site: PublishedPlane) -> None:
    after = listed(site, "/names/under/ark:12345/x5?after=ark:12345/x5k")
    assert names_of(after)[0] == "ark:12345/x5keep"
    assert names_of(listed(site, "/names/under/ark:12345/x5?after=a")) == OF_X5
    assert names_of(listed(site, "/names/under/ark:12345/x5?after=urn:z")) == []


@pytest.mark.parametrize(
    "target",
    [
        "foo",
        "doi:10.1/x",
        "ark:12345/x5.",
        "ark:12345/%25",
        "%C3%A9:x",
        f"urn:lead:{'x' * 300}",
        "ark:12345/x5?after=a&after=b",
        "ark:12345/x5?after=a&prefixes-after=b",
        "ark:12345/x5?a&b&c&d&e&f",
        "ark:12345/x5?format=xml",
    ],
)
def test_what_no_names_begin_with_is_refused_with_the_reason(
    site: PublishedPlane, target: str
) -> None:
    answer = ask(site, f"/names/under/{target}")
    assert (answer.status, json.loads(answer.body)["code"]) == (400, "name_list_malformed")


@pytest.mark.parametrize(
    ("asked", "code", "headline"),
    [
        ("urn:nosuchone:a", "namespace_unknown", "urn:nosuchone: is not registered"),
        ("urn:leda", "namespace_unknown", "urn:leda: is not registered"),
        ("ark:zzzzz/x", "naan_unknown", "NAAN zzzzz is not registered"),
        ("ark:12435", "naan_unknown", "NAAN 12435 is not registered"),
    ],
)
def test_under_what_nobody_has_registered_there_is_no_list(
    site: PublishedPlane, asked: str, code: str, headline: str
) -> None:
    answer = ask(site, f"/names/under/{asked}", accept=JSON)
    assert (answer.status, json.loads(answer.body)["code"]) == (404, code)
    page = ask(site, f"/names/under/{asked}", accept=HTML)
    assert (page.status, f"<h1>{headline}</h1>" in page.body.decode()) == (404, True)


def test_who_mistyped_what_names_begin_with_is_led_to_what_is_like_it(
    site: PublishedPlane,
) -> None:
    assert 'href="/names/under/ark:12345%2F"' in page_of(site, "/names/under/ark:12435")
    assert 'href="/names/under/urn:lead:"' in page_of(site, "/names/under/urn:leda")
    assert (
        "Did you mean ark:12345/" in json.loads(ask(site, "/names/under/ark:12435").body)["detail"]
    )


def test_names_under_what_is_not_registered_any_more_are_listed(site: PublishedPlane) -> None:
    assert names_of(listed(site, "/names/under/urn:nosuch:")) == ["urn:nosuch:a"]


def test_people_read_in_a_page_of_the_site_why_no_names_begin_so(site: PublishedPlane) -> None:
    for asked in ("foo", "urn:ex_ample:", "ark:12345/x5?after=a&after=b"):
        answer = ask(site, f"/names/under/{asked}", accept=HTML)
        page = answer.body.decode()
        assert (answer.status, '<p class="say problem">' in page) == (400, True)
        assert 'href="/names/under/"' in page
        assert "`" not in page
        assert "prefixes-after" not in page


def test_a_beginning_that_was_given_as_a_name_leads_to_its_page(site: PublishedPlane) -> None:
    assert listed(site, "/names/under/ark:12345/x5abc")["name"]["name"] == "ark:12345/x5abc"
    assert 'href="/names/ark:12345%2Fx5abc"' in page_of(site, "/names/under/ark:12345/x5abc")
    gone = page_of(site, "/names/under/ark:12345/x5gone")
    assert "is also an identifier (withdrawn)" in gone
    assert listed(site, "/names/under/ark:12345/x5kept")["name"] == {
        "name": "ark:12345/x5kept",
        "state": "reserved",
    }
    assert 'href="/names/ark:12345%2Fx5kept"' not in page_of(site, "/names/under/ark:12345/x5kept")
    assert "name" not in listed(site, "/names/under/ark:12345/x5")


def test_a_page_of_a_list_leads_to_the_same_as_json(site: PublishedPlane) -> None:
    for query in ("", "?after=ark:12345/x5k", "?prefixes-after=ark:12345/x5a"):
        page = page_of(site, f"/names/under/ark:12345/x5{query}")
        path = f"/names/under/ark:12345%2Fx5{query}{'&' if query else '?'}format=json"
        assert f'rel="alternate" type="application/json" href="{escape(path)}"' in page
        assert f'<a href="{escape(path)}">JSON</a>' in page
        as_json = json.loads(ask(site, path, accept=HTML).body)
        assert as_json == listed(site, f"/names/under/ark:12345/x5{query}")


def test_a_page_of_a_list_says_what_it_is_and_stands_where_it_belongs(
    site: PublishedPlane,
) -> None:
    every, arks, urns = (page_of(site, f"/names/under/{of}") for of in ("", "ark:", "urn:"))
    assert "<h1>Assigned identifiers</h1>" in every
    assert "Identifiers under" in arks
    assert 'aria-label="Breadcrumb"' not in every
    assert '<a href="/names/under/">' in arks and '<a href="/names/under/">' in urns
    assert 'href="/assignments/naans/"' in arks
    assert 'href="/assignments/urn-namespaces/"' in urns


def test_what_stands_in_a_list_is_understood_without_the_heads_of_its_columns(
    site: PublishedPlane,
) -> None:
    page = " ".join(re.sub("<[^>]*>", "", page_of(site, "/names/under/")).split())
    assert "mask reedeedk" in page
    assert "none since 2026-02-03" in page
    assert "https://repo.example/see" in page
    assert "k (check character" in page


@pytest.mark.parametrize("path", ["/names", "/names/"])
def test_where_no_name_follows_all_are_meant(site: PublishedPlane, path: str) -> None:
    answer = ask(site, path)
    assert (answer.status, answer.headers["Location"]) == (303, "/names/under/")


@pytest.mark.parametrize(
    ("typed", "meant"), [("lead", "urn:lead:"), ("Lead:", "urn:lead:"), ("12345", "ark:12345/")]
)
def test_who_leaves_the_scheme_out_is_led_to_what_is_registered_so(
    site: PublishedPlane, typed: str, meant: str
) -> None:
    page = page_refused(site, f"/names/under/{typed}")
    assert f'href="/names/under/{meant.replace("/", "%2F")}"' in page
    assert f"Did you mean {meant}" in json.loads(ask(site, f"/names/under/{typed}").body)["detail"]
    assert "Did you mean" not in page_refused(site, "/names/under/foo")


def test_the_signs_that_masks_have_are_explained_and_no_others(site: PublishedPlane) -> None:
    noid, counted = (
        " ".join(re.sub("<[^>]*>", "", page_of(site, f"/names/under/{of}")).split())
        for of in (X5, MORE)
    )
    assert "r (random order)" in noid
    assert "sequence (counts up)" not in noid
    assert "mask: sequence (counts up)" in counted


def test_a_prefix_that_gets_no_new_names_says_so_itself(site: PublishedPlane) -> None:
    row = re.search(r'<th scope="row".*?</th>', page_of(site, "/names/under/urn:lead:"), re.DOTALL)
    assert row and "Closed" in row[0]


def test_what_nothing_was_given_under_says_so_before_whose_it_is(site: PublishedPlane) -> None:
    page = page_of(site, f"/names/under/{X5}qq")
    assert page.index("assigned here yet") < page.index("<dl")
    assert page.count("assigned here yet") == 1


def test_before_the_first_edition_pages_have_the_style_of_the_site(tmp_path: Path) -> None:
    for path in ("/names/under/", "/names/urn:lead:a"):
        page = ask(PublishedPlane(tmp_path), path, accept=HTML).body.decode()
        assert f'<link rel="stylesheet" href="{static_link("ui.css")}">' in page
        assert page.count("<svg") == len(re.findall(r'<svg[^>]*\bwidth="18"', page))


def test_a_list_is_read_and_nothing_else(site: PublishedPlane) -> None:
    target = "/names/under/ark:12345/x5"
    assert ask(site, target, "POST").status == 405
    assert ask(site, target, "OPTIONS").status == 204
    assert ask(site, f"{target}{'x' * 9_000}").status == 414
    assert ask(site, target, accept="image/png").status == 406
    known = ask(site, target, accept=JSON)
    assert ask(site, target, accept=JSON, if_none_match=known.headers["ETag"]).status == 304
    head = ask(site, target, "HEAD", accept=JSON)
    assert (head.body, head.headers["ETag"]) == (b"", known.headers["ETag"])


def test_who_is_signed_in_sees_the_same_list(tmp_path: Path) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    front = PublishedPlane(tmp_path, falls_through=True)
    plain = ask(front, "/names/under/ark:12345/x5", accept=HTML)
    assert ask(front, "/names/under/ark:12345/x5", accept=HTML, cookie="session=x") == plain


def test_where_no_names_are_kept_lists_are_empty_and_a_damaged_copy_lists_nothing(
    tmp_path: Path,
) -> None:
    lay_out(tmp_path)
    target = "/names/under/ark:12345/x5"
    found = listed(PublishedPlane(tmp_path), target)
    assert (found["prefix_count"], found["prefixes"], found["names"]) == (0, [], [])
    assert "assigned here yet" in page_of(PublishedPlane(tmp_path), target)
    copy_names(tmp_path)
    site = PublishedPlane(tmp_path)
    assert names_of(listed(site, target)) == OF_X5
    (tmp_path / NAMES_FOLDER / NAMES_FILE).unlink()
    assert ask(site, target).status == 503


def test_the_page_of_a_bound_name_leads_to_the_others_under_its_prefix(
    site: PublishedPlane,
) -> None:
    others = "Other identifiers under"
    for name in ("ark:12345%2Fx5abc", "ark:12345%2Fx5gone"):
        page = page_of(site, f"/names/{name}")
        assert others in page
        assert 'href="/names/under/ark:12345%2Fx5"' in page
    assert 'href="/names/under/urn:lead:"' in page_of(site, "/names/urn:lead:bound:1")
    assert others not in page_of(site, "/names/urn:query:q")  # of no prefix


def test_a_name_that_is_alone_leads_to_no_list(tmp_path: Path) -> None:
    lay_out(tmp_path)
    alone = AssignedNameRecord(name="ark:12345/x5abc", target="https://a.example/")
    feed = copy_names(tmp_path, [alone])
    tell(tmp_path, TOLD | {MASKS: {X5: ""}})
    site, target = PublishedPlane(tmp_path), "/names/ark:12345%2Fx5abc"
    assert "/names/under/" not in page_of(site, target)
    feed.add(AssignedNameRecord(name="ark:12345/x5b", state=AssignedNameState.RESERVED))
    NameCopyWriter(tmp_path / NAMES_FOLDER).follow(feed.after)
    assert "/names/under/" in page_of(site, target)


@pytest.mark.parametrize(
    ("name", "under"),
    [
        ("ark:12345/x5", "ark:12345%2Fx5"),
        ("ark:12345", "ark:12345%2F"),
        ("urn:lead:more", "urn:lead:more"),
        ("urn:lead:bound", "urn:lead:bound"),
        ("urn:lead:bound:", "urn:lead:bound:"),
        ("urn:lead:", "urn:lead:"),
        ("ark:12345/y5", ""),
        ("urn:example:boats:", ""),
        ("ark:12345/%25", ""),
    ],
)
def test_the_page_of_a_text_that_names_begin_with_leads_to_their_list(
    site: PublishedPlane, name: str, under: str
) -> None:
    page = page_of(site, f"/names/{name}")
    assert (f'href="/names/under/{under}"' in page) == bool(under)
    assert ("/names/under/" in page) == bool(under)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            X5,
            "This is a prefix, owned by Baltic &lt;Port&gt; Authority, not a complete identifier.",
        ),
        ("urn:lead:", "This is a prefix, not a complete identifier."),
    ],
)
def test_the_page_of_a_prefix_says_first_that_it_is_one_and_who_holds_it(
    site: PublishedPlane, name: str, words: str
) -> None:
    page = page_of(site, f"/names/{name}")
    assert page.index(words) < page.index('href="/names/under/')
    assert "This is a prefix" not in page_of(site, "/names/ark:12345%2Fx5abc")


def test_a_shoulder_and_a_naan_alone_are_told_in_words_for_people(site: PublishedPlane) -> None:
    for name, what in (("ark:12345/x5", "shoulder"), ("ark:12345", "NAAN")):
        told = f"This is a {what}, not a complete ARK."
        assert told in page_of(site, f"/names/{name}")


@pytest.mark.parametrize("name", ["urn:lead:", "urn:exact:a:"])
def test_what_names_begin_with_is_told_as_that_before_why_it_is_none_itself(
    tmp_path: Path, name: str
) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    tell(tmp_path, {MASKS: {"urn:lead:": "", "urn:exact:a:": ""}})
    page = page_of(PublishedPlane(tmp_path), f"/names/{name}")
    assert f"<h1>Identifiers under {name}</h1>" in page
    listed_at = page.index(f'<a class="btn" href="/names/under/{name}">')
    assert listed_at < page.index('<p class="say note">')
    assert "say problem" not in page


@pytest.mark.parametrize(
    ("target", "reads"),
    [
        ("/names/changes", "changes"),
        ("/names/feed", "meta"),
        ("/names/under/ark:12345/x5", "names_under"),
    ],
)
def test_nobody_who_is_led_on_waits_for_a_list_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, reads: str
) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    began, goes_on, read = Event(), Event(), getattr(NameCopyReader, reads)
    waited_for = list[bool]()

    def slowly(reader: NameCopyReader, *asked: Any) -> Any:
        with reader._lock:
            began.set()
            waited_for.append(goes_on.wait(10))
        return read(reader, *asked)

    with serving(ConnectionLimits(), create_asgi_of_copy(tmp_path)) as port:
        assert ask_socket(port, "/ark:12345/x5abc").status == 302
        monkeypatch.setattr(NameCopyReader, reads, slowly)
        found = list[int]()
        waiting = Thread(target=lambda: found.append(ask_socket(port, target).status))
        waiting.start()
        assert began.wait(10)
        led = ask_socket(port, "/ark:12345/x5abc").status, list(found)
        goes_on.set()
        waiting.join(10)
    assert (led, found) == ((302, []), [200])
    assert all(waited_for), "whoever was led on was answered before the list was read"


def test_a_crowd_that_asks_for_lists_is_told_to_come_again_and_who_left_is_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    goes_on, made, read = Event(), list[int](), NameCopyReader.changes

    def slowly(reader: NameCopyReader, *asked: Any) -> Any:
        made.append(1)
        goes_on.wait(DEADLINE)
        return read(reader, *asked)

    monkeypatch.setattr(NameCopyReader, "changes", slowly)
    with serving(ConnectionLimits(), create_asgi_of_copy(tmp_path)) as port:
        crowd = [create_connection(("127.0.0.1", port)) for _ in range(40)]
        for one in crowd:
            one.sendall(b"GET /names/changes HTTP/1.1\r\nHost: a.example\r\n\r\n")
        most = 40 - 1 - PoolLimits().waiting
        wait_until(lambda: len(select(crowd, [], [], 0)[0]) >= most)
        refused = select(crowd, [], [], 0)[0]
        heads = {one.recv(12) for one in refused}
        for one in crowd:  # by a reset: who only ends their own side may still read
            one.setsockopt(SOL_SOCKET, SO_LINGER, pack("ii", 1, 0))
            one.close()
        # The event loop sees that they left before it reads a request that came later.
        assert ask_socket(port, "/nowhere").status == 404
        goes_on.set()
        wait_until(lambda: ask_socket(port, "/names/changes").status == 200)
    assert (len(refused), heads) == (most, {b"HTTP/1.1 503"})
    assert len(made) < 5, "nothing is made for who left"


def test_a_name_that_cannot_be_read_fails_its_list_by_a_status_and_the_copy_is_doubted(
    tmp_path: Path,
) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    with closing(sqlite3.connect(tmp_path / NAMES_FOLDER / NAMES_FILE)) as copy, copy:
        copy.execute("UPDATE names SET document = '{}' WHERE name LIKE 'ark:12345/x5%'")
    site = PublishedPlane(tmp_path)
    for form in (HTML, JSON):
        assert ask(site, "/names/under/ark:12345/x5", accept=form).status == 503
    assert (tmp_path / NAMES_FOLDER / DOUBTED).exists()


def test_an_address_that_is_used_instead_of_a_name_is_led_to_itself(tmp_path: Path) -> None:
    lay_out(tmp_path)
    gone = AssignedNameRecord(
        name="urn:lead:gone",
        state=AssignedNameState.WITHDRAWN,
        since="2026-01-01",
        reason="It sank.",
        successor="https://else.example/a",
    )
    copy_names(tmp_path, [gone])
    site = PublishedPlane(tmp_path)
    for target in ("/names/under/urn:lead:", "/names/urn:lead:gone"):
        page = page_of(site, target)
        assert 'href="https://else.example/a"' in page
        assert "/names/https" not in page
