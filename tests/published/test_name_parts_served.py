"""A site that has a part of all names: what it answers, and what it sends elsewhere."""

import json
from contextlib import suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_prefixes import ALL_NAMES, NamePart, read_beginning, read_part
from app.assigned_names.name_schemes import read_assigned_name
from app.bundles.name_copies import MASKS
from app.published.plane import PublishedPlane
from tests.published.bound_names import RECORDS, ListedFeed, changes_of
from tests.published.bundles import Answer
from tests.published.name_part_copies import ALL, OF_ARKS, TOLD, copy_part
from tests.published.test_bound_names import ask, lay_out


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> PublishedPlane:
    """A copy of a site, with a part of its names."""
    folder = tmp_path_factory.mktemp("part")
    lay_out(folder)
    copy_part(folder, OF_ARKS)
    return PublishedPlane(folder)


def test_names_of_the_part_are_answered_as_ever(site: PublishedPlane) -> None:
    led = {
        "/ark:12345/x5abc": RECORDS[0].target,
        "/ARK:/12-345/x5-abc/p1?a=b": f"{RECORDS[0].target}/p1?a=b",
        "/ark:12345/x5any-more": "https://any.example/more",
    }
    assert {target: ask(site, target).headers.get("Location") for target in led} == led
    assert ask(site, "/ark:12345/x5gone").status == 410
    assert ask(site, "/names/ark:12345/x5abc").status == 200
    # by the name that its beginning goes on from
    assert ask(site, "/ark:12345/x5").headers["Location"] == ask_whole("/ark:12345/x5")


def ask_whole(target: str) -> str:
    """Where the site that has all names leads."""
    with TemporaryDirectory() as name:
        lay_out(Path(name))
        copy_part(Path(name))
        return ask(PublishedPlane(Path(name)), target).headers["Location"]


@pytest.mark.parametrize(
    "target",
    [
        "/urn:lead:bound:1",
        "/urn:lead:gone",
        "/urn:lead:nobody-bound-this?+r?=q",
        "/ark:12345/x",  # a prefix, which may be bound itself
        "/ark:12345/xyz",
        "/ARK:/12-345/x/%7e?info",
        "/names/urn:lead:bound:1",
        "/names/urn:lead:b%C3%A4%2Fr",
        "/uri-res/N2L?urn:lead:bound:1",
        "/names/under/ark:12345/",
        "/names/under/urn:lead:?format=json",
        "/names/under/",
        "/names/changes?after=7",
        "/names/changes?after=7&under=ark:12345/",
        "/names/changes?after=7&under=ark:12345/x5&under=urn:lead:",
    ],
)
def test_what_may_be_among_other_names_is_led_to_the_same_target_where_all_are(
    site: PublishedPlane, target: str
) -> None:
    for method in ("GET", "HEAD"):
        answer = ask(site, target, method)
        assert (answer.status, answer.headers["Location"]) == (307, ALL + target)
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/urn:query:q2", 302),  # under no prefix, so that nobody bound it
        ("/urn:nosuch:a", 404),
        ("/ark:12345/y5", 302),
        ("/names/urn:query:q", 200),
        ("/names/under/nothing", 400),
        ("/urn:lead:b%zz", 400),
    ],
)
def test_what_nobody_can_have_bound_is_answered_from_the_edition(
    site: PublishedPlane, target: str, status: int
) -> None:
    assert ask(site, target).status == status


def test_where_no_prefixes_are_told_nobody_knows_what_is_bound(tmp_path: Path) -> None:
    lay_out(tmp_path)
    copy_part(tmp_path, OF_ARKS, told={MASKS: {}})
    assert ask(PublishedPlane(tmp_path), "/urn:query:q2").status == 307


@pytest.mark.parametrize(
    "came",
    [
        {"host": "all.example"},
        {"host": "ALL.example"},
        {"x_forwarded_for": "192.0.2.1"},
        {"forwarded": "for=192.0.2.1"},
    ],
)
def test_who_would_only_come_back_is_told_that_another_server_has_it(
    tmp_path: Path, came: dict[str, str]
) -> None:
    lay_out(tmp_path)
    copy_part(tmp_path, OF_ARKS)
    host = PublishedPlane(tmp_path, falls_through=True)
    for target in ("/urn:lead:bound:1", "/names/under/urn:lead:", "/names/changes"):
        answer = ask(host, target, **came)
        assert answer.status == 421
        problem = json.loads(answer.body)
        assert problem["code"] == "names_elsewhere"
        assert "ark:12345/x5" in problem["detail"]
        page = ask(host, target, accept="text/html", **came)
        assert (page.status, b"Identifier on another server" in page.body) == (421, True)
    assert ask(host, "/ark:12345/x5abc", **came).status == 302


def test_where_nobody_knows_who_has_all_names_none_is_led_back_here(tmp_path: Path) -> None:
    lay_out(tmp_path)
    copy_part(tmp_path, read_part(OF_ARKS.beginnings))
    assert ask(PublishedPlane(tmp_path), "/urn:lead:bound:1").status == 421


def test_a_copy_is_behind_a_server_of_its_own_and_leads_on_all_the_same(
    site: PublishedPlane,
) -> None:
    answer = ask(site, "/urn:lead:bound:1", x_forwarded_for="192.0.2.1")
    assert answer.status == 307


def test_the_feed_says_of_which_names_it_is_and_so_does_what_watches_over_a_copy(
    site: PublishedPlane,
) -> None:
    told = json.loads(ask(site, "/names/feed").body)
    assert told["under"] == ["ark:12345/x5"]
    assert told["last"] == len(RECORDS)  # others are passed over, and nothing is missed
    assert told["masks"] == TOLD[MASKS]
    ready = json.loads(ask(site, "/readyz").body)
    assert ready["names here"] == "only identifiers that begin with ark:12345/x5"


def test_pages_of_a_part_lead_to_lists_that_others_have(tmp_path: Path) -> None:
    """The prefix of the name is wider than the part, so that its list is elsewhere."""
    lay_out(tmp_path)
    copy_part(tmp_path, read_part(["ark:12345/x5gone"], ALL))
    page = ask(PublishedPlane(tmp_path), "/names/ark:12345/x5gone", accept="text/html").body
    assert b'"/names/under/ark:12345%2Fx5"' in page


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is published, without names that are bound."""
    folder = tmp_path_factory.mktemp("edition")
    lay_out(folder)
    return folder


LETTERS = "ab./"
BEGUN = ("ark:12345/x5", "urn:lead:")
_ends = st.text(LETTERS, max_size=4)
_texts = st.builds(lambda begun, end: begun + end, st.sampled_from(BEGUN), _ends)
_records = st.builds(
    lambda name, state, anywhere: AssignedNameRecord(
        name=name, state=state, target=f"https://{len(name)}.example/", extends_anywhere=anywhere
    ),
    _texts.filter(lambda text: text[-1] not in "./:"),
    st.sampled_from([AssignedNameState.PUBLIC] * 3 + [AssignedNameState.WITHDRAWN]),
    st.booleans(),
)


@settings(max_examples=25, deadline=None)
@given(
    records=st.lists(_records, max_size=8, unique_by=lambda one: one.name),
    delegated=st.lists(_texts, max_size=2),
    halves=st.lists(st.lists(_texts, min_size=1, max_size=2), min_size=2, max_size=2),
    asked=st.lists(_texts, min_size=1, max_size=6),
)
def test_parts_answer_together_what_one_site_with_all_names_does(
    edition: Path,
    records: list[AssignedNameRecord],
    delegated: list[str],
    halves: list[list[str]],
    asked: list[str],
) -> None:
    """Whatever begins the parts, delegated or not: each gives the answer or sends to who has it."""
    told: dict[str, dict[str, Any]] = {MASKS: dict.fromkeys([*BEGUN, *delegated], "")}
    parts = [NamePart(tuple(texts), ALL) for texts in halves]
    with TemporaryDirectory() as name:
        sites = []
        for at, part in enumerate([ALL_NAMES, *parts]):
            copy = copy_part(Path(name, str(at)), part, ListedFeed(changes_of(records)), told)
            sites.append(PublishedPlane(edition, names=copy.folder))
        texts = [*asked, *(one.name for one in records), *(f"{text}/b" for text in asked)]
        paths = "/{}", "/{}?info", "/names/under/{}?format=json"
        for text, path in product(texts, paths):
            target = path.format(text)
            whole, *others = (_told(ask(site, target)) for site in sites)
            for part, answer in zip(parts, others, strict=True):
                sent = answer[:2] == (307, ALL + target)
                assert answer == whole or sent, (target, part)
                assert not (sent and part.has(_normal(text))), (target, part)


def _told(answer: Answer) -> tuple[int, str, bytes]:
    return answer.status, answer.headers.get("Location", ""), answer.body


def _normal(text: str) -> str:
    """The name, or the beginning of names, that a text is."""
    for read in (read_assigned_name, read_beginning):
        with suppress(ValueError):
            return read(text)
    return ""
