"""The edition of a day, told without a database."""

from pathlib import Path
from urllib.parse import quote

import pytest

from app.exports.manifests.bundle_paths import blob_path
from app.exports.manifests.manifest import Manifest
from app.published.plane import PublishedPlane
from tests.published.bundles import (
    FROM_BEHIND,
    PAGE,
    XML,
    Bundle,
    ask,
    contents,
    lasting,
    make_bundle,
    pack,
)

# Edition 2 and edition 3 are of one day; days are told in UTC.
MOMENTS = {
    1: "2015-04-29",
    2: "2021-03-24T00:30:00+00:00",
    3: "2021-03-24T23:59:59+00:00",
    4: "2021-05-18T01:00:00+02:00",
}
LISTS = "/editions/"
NO_DAYS = ("nope", "2021-02-30", "0000-00-00", "2021-5-1", "2021-5-1x", "", "%00", "&=" * 99)


def of_moment(number: int, moment: str) -> Bundle:
    made = lasting(number, {"urn-namespaces.xml": ("application/xml", b"<a>%d</a>" % number)})
    manifest = Manifest(edition=number, as_of=moment, made_by="test", files=made.manifest.files)
    return Bundle(manifest, made.bytes_by_sha256)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, moment in MOMENTS.items():
        of_moment(number, moment).lay_out_for_ever(tmp_path)
    page = ("text/html; charset=utf-8", b"<h1>Editions</h1>")
    pack({**contents(4), LISTS: page, "/namespaces/isbn": page}, edition=4).lay_out(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("day", "number"),
    [
        ("2015-04-29", 1),
        ("2021-03-23", 1),
        ("2021-03-24", 3),
        ("2021-05-16", 3),
        ("2021-05-17", 4),
        ("9999-12-31", 4),
        ("+2021-05-01+", 3),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_it_is_the_one_that_stood_at_the_end_of_the_day(
    folder: Path, day: str, number: int, method: str
) -> None:
    for site in (PublishedPlane(folder), PublishedPlane(folder, falls_through=True)):
        for path, file in ((PAGE, ""), (LISTS, ""), (XML, "urn-namespaces.xml")):
            answer = ask(site, path, method, query=f"x=y&as-of={day}", cookie="session=x")
            assert (answer.status, answer.body) == (302, b"")
            assert answer.headers["Location"] == f"/editions/{number}/{file}"
            assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("day", "status", "told"),
    [
        ("2015-04-28", 404, b"Choose a later date"),
        *((day, 400, b"2021-05-01 (RFC 3339 section 5.6") for day in NO_DAYS),
    ],
)
def test_where_there_is_none_that_is_said(folder: Path, day: str, status: int, told: bytes) -> None:
    answer = ask(PublishedPlane(folder), PAGE, query=f"as-of={day}")
    assert (answer.status, told in answer.body) == (status, True)
    assert (
        ask(PublishedPlane(folder, falls_through=True), PAGE, query=f"as-of={day}").status
        == FROM_BEHIND
    )


def test_of_two_days_neither_is_taken(folder: Path) -> None:
    answer = ask(PublishedPlane(folder), PAGE, query="as-of=2021-05-01&as-of=2021-05-02")
    assert answer.status == 400


def test_what_an_edition_keeps_is_of_no_other_day(folder: Path) -> None:
    kept = ask(PublishedPlane(folder), "/editions/1/urn-namespaces.xml", query="as-of=2021-05-01")
    assert kept.body == b"<a>1</a>"


def test_a_format_that_the_edition_of_the_day_does_not_keep_leads_to_its_page(
    folder: Path,
) -> None:
    newer = f"{PAGE}urn-namespaces.odt"
    page = ("text/html; charset=utf-8", b"<h1>Editions</h1>")
    pack({**contents(5), newer: page}, edition=5).lay_out(folder)
    answer = ask(PublishedPlane(folder), newer, query="as-of=2021-05-01")
    assert (answer.status, answer.headers["Location"]) == (302, "/editions/3/")


@pytest.mark.parametrize("query", ["was-of=1", "has-of=2021-05-01", "x=y&was-of=2021-05-01"])
def test_another_question_is_none_for_a_day(folder: Path, query: str) -> None:
    for path in (LISTS, "/namespaces/isbn"):
        assert ask(PublishedPlane(folder), path, query=query).status == 200


def test_before_any_edition_lies_here_there_is_none(tmp_path: Path) -> None:
    make_bundle(1).lay_out(tmp_path)
    assert ask(PublishedPlane(tmp_path), PAGE, query="as-of=2021-05-01").status == 404


def test_a_list_that_is_damaged_is_told(folder: Path) -> None:
    for number in MOMENTS:
        digest = (folder / f"editions/{number}.json").readlink().name
        (folder / blob_path(digest)).write_bytes(b"?")
    assert ask(PublishedPlane(folder), PAGE, query="as-of=2021-05-01").status == 503


def test_digits_that_are_not_asciis_are_no_day(folder: Path) -> None:
    day = quote("\uff12\uff10\uff12\uff11-\uff10\uff15-\uff11\uff17")
    assert ask(PublishedPlane(folder), PAGE, query=f"as-of={day}").status == 400


@pytest.mark.parametrize("suffix", ["", ".json"])
def test_one_name_leads_to_what_it_was_in_the_edition_of_the_day(folder: Path, suffix: str) -> None:
    forms = dict.fromkeys(
        ("/namespaces/isbn", "/namespaces/isbn.json"), ("application/json", b"{}")
    )
    pack({**contents(5), **forms}, edition=5).lay_out(folder)
    for site in (PublishedPlane(folder), PublishedPlane(folder, falls_through=True)):
        answer = ask(site, f"/namespaces/isbn{suffix}", query="as-of=2021-05-01")
        assert (answer.status, answer.headers["Location"]) == (
            302,
            f"/editions/3/namespaces/isbn{suffix}",
        )
    there = "/editions/3/namespaces/isbn"
    assert (
        ask(PublishedPlane(folder), there).status == 404
    )  # a copy keeps none, and says where one is
    assert ask(PublishedPlane(folder, falls_through=True), there).status == FROM_BEHIND
