"""Bound names over a socket: where each leads, what is known of it, and why it leads nowhere.

Sections are those of The ARK URI scheme.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_numbering import numbering_of
from app.assigned_names.name_prefixes import read_prefix
from app.bundles.name_copies import MASKS, NAMES_FILE, NAMES_FOLDER, STATEMENTS, NameCopyWriter
from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.published.http.http_exchange import HttpRequest, split_target
from app.published.names.bound_name_resolver import prefers_metadata
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import NAAN_GROUP
from tests.bench.published import BROWSER
from tests.front.test_connections import serving
from tests.published.arks import bundle_of_arks
from tests.published.bound_names import RECORDS, copy_names
from tests.published.bundles import Answer, call, make_bundle
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of
from tests.published.test_names import Told
from tests.published.test_names import ask as ask_socket

HTML, JSON, ERC, TEXT = "text/html", "application/json", "text/x-erc", "text/plain"
SITE = "https://site.example"


def lay_out(folder: Path) -> None:
    """What is published: an edition of the site itself, and one of NAANs."""
    bundle_of(RULES, registry=SITE).lay_out(folder)
    bundle_of_arks().lay_out(folder / NAAN_GROUP.folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a copy of the site holds, with its names."""
    folder = tmp_path_factory.mktemp("bound")
    lay_out(folder)
    copy_names(folder)
    return folder


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """The copy behind a socket."""
    with serving(ConnectionLimits(), create_asgi_of_copy(folder)) as port:
        yield port


def ask(site: PublishedPlane, target: str, method: str = "GET", **headers: str) -> Answer:
    """The answer to a target as its octets are sent, checked as every answer is."""
    target = target.encode().decode("latin-1")
    path, query = split_target(method, target)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return call(site, HttpRequest(method, target, path, query, {"host": "x"} | fields))


# What is asked for, the status, and where it leads.
TABLE = """
/ark:12345/x5abc                     302 https://repo.example/items/1
/ark:/12345/x5abc                    302 https://repo.example/items/1
/ARK:/12-345/x5-ab%63#top            302 https://repo.example/items/1
http://site.example/ark:12345/x5abc  302 https://repo.example/items/1
/ark:12345/x5abc?a=b&c               302 https://repo.example/items/1?a=b&c
/ark:12345/x5abc???                  302 https://repo.example/items/1???
/ark:12345/x5abc/p1                  302 https://repo.example/items/1/p1
/ark:12345/x5abc/p1?a=b              302 https://repo.example/items/1/p1?a=b
/ark:12345/x5abc.v2                  302 https://repo.example/items/1.v2
/ark:12345/x5abc/a:b                 302 https://repo.example/items/1/a:b
/ark:12345/x5abc/p2                  302 https://repo.example/page-two
/ark:12345/x5abc/p2/s                302 https://repo.example/page-two/s
/ark:12345/x5abc/p22                 302 https://repo.example/items/1/p22
/ark:12345/x5see                     303 https://repo.example/see
/ark:12345/x5keep                    307 https://repo.example/keep
/ark:12345/x5any1                    302 https://any.example/1
/ark:12345/x5any.evil.example        302 https://any.example/.evil.example
/ark:12345/x5query                   302 https://repo.example/?id=7#top
/ark:12345/x5query?a=b               302 https://repo.example/?id=7&a=b#top
/ark:12345/x5none                    303 /names/ark:12345%2Fx5none
/ark:12345/x5none/p                  303 /names/ark:12345%2Fx5none%2Fp
/ark:12345/x5own                     303 /names/ark:12345%2Fx5own
/ark:12345/x5abcd                    302 https://project.example/pabcd/on
/ark:12345/x5                        303 /naans/12345/x5
/ark:12345/x6                        302 https://x.example/6
/ark:12345/xabc                      302 https://x.example/abc
/ark:12345/y5abc                     302 https://library.example/ark:/12345/y5abc
/ark:12346/x5abc                     404 -
/ark:12345/x5gone                    410 -
/ark:12345/x5gone/p                  410 -
/ark:12345/x5kept                    404 -
/ark:12345/x5kept/p                  404 -
/ark:12345/x5kept?info               404 -
/ark:12345/x5gone?info               200 -
/ark:12345/x5abc?info                200 -
/ark:12345/x5abc?                    200 -
/ark:12345/x5abc??                   200 -
/ark:12345/x5abc/p1?info             200 -
/ark:12345/x5none?info               200 -
/ark:12345/x5abcd?info               200 -
/ark:12345/x5abc/../b                400 -
/ark:12345/x5abc%0d%0aX:y            400 -
/names/ark:12345%2Fx5abc             200 -
/names/ark:/12345/x5-abc?x           200 -
/names/ark:12345%2Fx5gone            200 -
/names/ark:12345%2Fx5kept            404 -
/urn:lead:bound:1                    302 https://imo.example/1
/URN:LEAD:bound:1?+r?=q=1            302 https://imo.example/1?q=1
/urn:lead:bound:1/2                  302 https://lead.example/bound:1/2
/urn:lead:more:2                     302 https://more.example/2
/urn:lead:more:a/b                   302 https://more.example/a/b
/urn:lead:more                       302 https://lead.example/more
/urn:query:q                         302 https://q.example/
/urn:query:q1                        302 https://query.example/?id=q1#top
/urn:lead:gone                       410 -
/urn:lead:kept                       404 -
/urn:lead:bound:1?info               200 -
/urn:lead:bound:1?                   200 -
/urn:lead:bound:1??                  200 -
/urn:lead:gone?info                  200 -
/urn:lead:free?info                  400 -
/urn:lead:bound:1?x=y                400 -
/urn:spelled:ab12                    302 https://bound.example/ab12
/urn:spelled:AB-1-2                  302 https://bound.example/ab12
/URN:Spelled:-Ab1-2?=q=1             302 https://bound.example/ab12?q=1
/urn:spelled:AB12?info               200 -
/urn:nosuch:a                        302 https://nosuch.example/
/names/urn:lead:bound:1              200 -
/names/urn:nosuch:a                  200 -
/names/urn:spelled:A-B12             200 -
/names/urn:lead:kept                 404 -
"""
ROWS = [tuple(line.split()) for line in TABLE.splitlines() if line]


@pytest.mark.parametrize(("target", "status", "location"), ROWS, ids=[row[0] for row in ROWS])
def test_a_bound_name_leads_where_its_binding_says(
    port: int, target: str, status: str, location: str
) -> None:
    for method in ("GET", "HEAD", "GET"):  # a second time by what was kept
        answer = ask_socket(port, target, method, accept=BROWSER)
        assert answer.status == int(status)
        assert answer.headers.get("location", "-") == location
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cache-control"] == "no-cache"
        if location == "-":
            assert answer.headers["content-type"].startswith(HTML)
            assert method == "HEAD" or b"</html>" in answer.body


@pytest.mark.parametrize(("target", "status"), [row[:2] for row in ROWS if row[1] != "400"])
def test_programs_get_what_they_can_read(port: int, target: str, status: str) -> None:
    answer = ask_socket(port, target, accept=f"application/problem+json, {JSON}")
    if answer.status in (200, 404, 410):
        assert answer.headers["content-type"] in (JSON, "application/problem+json")
        assert json.loads(answer.body)["outcome"]


def test_what_is_known_of_a_name_comes_in_three_forms(port: int) -> None:
    """Section 3.4: of the name itself, of its shoulder and of its NAAN; the promise where made."""
    text, page, data = (
        ask_socket(port, "/ark:12345/x5abc?info", accept=form) for form in ("*/*", HTML, JSON)
    )
    assert text.headers["content-type"].startswith(TEXT)
    erc = ask_socket(port, "/ark:12345/x5abc??", accept=ERC)
    assert erc.headers["content-type"].startswith(ERC) and erc.body == text.body
    assert (
        text.body.decode()
        == (
            "erc:\nwho:   Gauß, Carl Friedrich\nwhat:  Disquisitiones <arithmeticae>\nwhen:  1801\n"
            "where: ark:12345/x5abc ; https://repo.example/items/1\nhow:   (:text)\n\n"
            "erc-support:\nwhat:  Kept for as long as the library is.\nwhere: ark:12345/x5abc\n\n"
            "shoulder:\nwho:   A project\nwhat:  ark:12345/x5\n\n"
            "naa:\nwho:   Example Library (=) Bibliothèque (=) EXLIB\nwhat:  ark:12345\n"
            "when:  2001-03-08\nwhere: https://library.example\n"
            "how:   NR, CC | 2001\n\n"
        )
        + text.body.decode().partition("how:   NR, CC | 2001\n\n")[2]
    )
    html = page.body.decode()
    for words in (
        "Gauß, Carl Friedrich",
        "Disquisitiones &lt;arithmeticae&gt;",
        'href="https://repo.example/items/1"',
        "Kept for as long as the library is.",
        "A project",
        "Example Library",
    ):
        assert words in html
    assert "For details of the object" not in html  # as is said where only the prefix is known
    told = json.loads(data.body)
    assert told["bound"]["name"] == told["normal_form"] == "ark:12345/x5abc"
    assert told["bound"]["elements"][0] == ["who", "Gauß, Carl Friedrich"]
    assert told["naan"]["prefix"] == "12345" and told["shoulder"]["prefix"] == "12345/x5"
    assert told["target"] == "https://repo.example/items/1"


def test_where_no_promise_was_made_none_is_told(port: int) -> None:
    for form in ("*/*", HTML, JSON):
        told = ask_socket(port, "/ark:12345/x5see?info", accept=form).body.decode()
        assert "promises" not in told and "persistence" not in told
        assert told.count("erc-support") <= 1  # that of the NAAN


def test_a_description_is_known_by_its_tag(port: int) -> None:
    first = ask_socket(port, "/ark:12345/x5abc?info", accept=JSON)
    again = ask_socket(
        port, "/ark:12345/x5abc?info", accept=JSON, if_none_match=first.headers["etag"]
    )
    assert (again.status, again.body) == (304, b"")
    other = ask_socket(
        port, "/ark:12345/x5abc?info", accept=HTML, if_none_match=first.headers["etag"]
    )
    assert other.status == 200


@pytest.mark.parametrize("accept", [JSON, ERC, f"{JSON}, */*;q=0.5", f"{ERC}, {HTML};q=0.9"])
def test_who_asks_for_metadata_is_led_to_it_and_not_told_that_it_is_what_is_named(
    port: int, accept: str
) -> None:
    """Section 7.1.2: what comes by 302 or 307 is what is named, and by 303 something related."""
    for target, described in (
        ("/ark:12345/x5abc", "/ark:12345/x5abc?info"),
        ("/ark:12345/x5abc/p9?a=b", "/ark:12345/x5abc/p9?info"),
        ("/ark:12345/x5none", "/ark:12345/x5none?info"),
        ("/urn:lead:bound:1", "/names/urn:lead:bound:1"),
    ):
        for _ in range(2):
            answer = ask_socket(port, target, accept=accept)
            assert (answer.status, answer.headers["location"]) == (303, described)
            assert answer.headers["vary"] == "Accept"
        there = ask_socket(port, described, accept=accept)
        assert there.status == 200
        assert there.headers["content-type"].startswith(accept.partition(",")[0])
        assert ask_socket(port, target, accept=BROWSER).headers["location"] != described


@pytest.mark.parametrize(
    "accept", ["", "*/*", HTML, BROWSER, f"{JSON}, text/plain, */*", f"{JSON};q=0.5, {HTML}", "x;;"]
)
def test_who_asks_for_anything_is_led_to_what_is_named(accept: str) -> None:
    assert not prefers_metadata(accept)


def test_a_withdrawn_name_has_a_tombstone(port: int) -> None:
    """It says why, since when, and what to use instead; asked what is known of it, with 200."""
    for target, status in (("/ark:12345/x5gone", 410), ("/ark:12345/x5gone?info", 200)):
        page, data = (ask_socket(port, target, accept=form) for form in (HTML, JSON))
        assert page.status == data.status == status
        link = '</names/ark:12345%2Fx5abc>; rel="successor-version"'
        assert page.headers["link"] == data.headers["link"] == link
        html = page.body.decode()
        for words in ("It was given to the wrong thing.", "2026-02-03", "x5abc"):
            assert words in html
        assert 'href="/names/ark:12345%2Fx5abc"' in html
        told = json.loads(data.body)
        assert told["outcome"] == "withdrawn"
        assert told["bound"]["successor"] == "ark:12345/x5abc"
        assert not {"target", "redirect"} & told["bound"].keys()
        assert "was.example" not in html + data.body.decode()
    problem = json.loads(ask_socket(port, "/ark:12345/x5gone/p").body)
    assert problem["status"] == 410 and problem["code"] == "bound_name_withdrawn"
    assert "`ark:12345/x5gone`" in problem["detail"]
    erc = ask_socket(port, "/ark:12345/x5gone?").body.decode()
    assert "state: withdrawn\nreason: It was given to the wrong thing." in erc


@pytest.mark.parametrize(
    "target", ["/ark:12345/x5kept", "/ark:12345/x5kept?info", "/urn:lead:kept"]
)
def test_of_a_reserved_name_nothing_is_told(port: int, target: str) -> None:
    for form in (HTML, JSON, "*/*"):
        answer = ask_socket(port, target, accept=form)
        assert answer.status == 404
        assert b"secret" not in answer.body.lower()
    assert b"secret" not in ask_socket(port, "/names/changes").body.lower()


def test_a_change_is_seen_by_the_next_request(tmp_path: Path) -> None:
    lay_out(tmp_path)
    site = PublishedPlane(tmp_path)
    library = "https://project.example/pabc/on"
    assert ask(site, "/ark:12345/x5abc").headers["Location"] == library  # there is no copy yet
    feed = copy_names(tmp_path)
    writer = NameCopyWriter(tmp_path / NAMES_FOLDER)
    assert ask(site, "/ark:12345/x5abc").headers["Location"] == RECORDS[0].target
    feed.add(replace(RECORDS[0], target="https://moved.example/"))
    writer.follow(feed.after)
    for _ in range(2):
        assert ask(site, "/ark:12345/x5abc").headers["Location"] == "https://moved.example/"
    feed.add(replace(RECORDS[0], state=AssignedNameState.WITHDRAWN))
    writer.follow(feed.after, feed="another")  # which is made anew
    assert ask(site, "/ark:12345/x5abc").status == 410
    assert ask(site, "/ark:12345/y").headers["Location"] == "https://library.example/ark:/12345/y"
    feed.add(AssignedNameRecord(name="ark:12345/y", target="https://y.example/"))
    writer.follow(feed.after, feed="another")
    assert ask(site, "/ark:12345/y").headers["Location"] == "https://y.example/"


def test_names_are_followed_where_there_is_no_edition_yet(tmp_path: Path) -> None:
    copy_names(tmp_path)
    site = PublishedPlane(tmp_path)
    assert ask(site, "/ark:12345/x5abc").headers["Location"] == RECORDS[0].target
    assert ask(site, "/urn:lead:bound:1").status == 302
    for target in ("/ark:12345/x5abc?info", "/names/urn:lead:bound:1", "/urn:lead:free"):
        assert ask(site, target).status == 503
    assert ask(site, "/ark:12345/x5gone").status == 410


def test_who_counts_is_told_by_which_name_somebody_is_led_on_and_nothing_else(
    folder: Path,
) -> None:
    counted: list[str] = []
    site = PublishedPlane(folder, note=counted.append)
    for target in (
        *("/ark:12345/x5abc", "/ark:12345/x5abc", "/ark:12345/x5abc/p?q", "/urn:lead:more:7"),
        *("/ark:12345/x5abc?info", "/ark:12345/x5gone", "/ark:12345/y", "/names/urn:lead:more:7"),
    ):
        ask(site, target, accept=HTML)
    ask(site, "/ark:12345/x5abc", accept=JSON)
    for target in ("/ark:12345/x5none", "/ark:12345/x5own"):  # to their pages here
        assert ask(site, target).status == 303
    assert counted == [*["ark:12345/x5abc"] * 3, "urn:lead:more:"]


def test_names_are_read_and_nothing_else(port: int) -> None:
    for target in ("/ark:12345/x5abc", "/urn:lead:bound:1", "/names/changes"):
        assert ask_socket(port, target, "OPTIONS").status == 204
        for method in ("POST", "PUT", "DELETE"):
            answer = ask_socket(port, target, method)
            assert answer.status == 405 and answer.headers["allow"] == "GET, HEAD, OPTIONS"


def lines_of(answer: Told) -> list[dict[str, object]]:
    return [json.loads(line) for line in answer.body.decode().splitlines()]


def test_the_feed_tells_each_name_by_its_last_change(port: int) -> None:
    whole = ask_socket(port, "/names/changes")
    assert whole.headers["content-type"] == "application/jsonl"
    assert "link" not in whole.headers
    told = lines_of(whole)
    assert [one["change"] for one in told] == list(range(1, len(RECORDS) + 1))
    assert [one["name"] for one in told] == [one.name for one in RECORDS]
    assert told[0]["target"] == RECORDS[0].target
    followed: list[dict[str, object]] = []
    target = "/names/changes?after=0&limit=4"
    while target:
        answer = ask_socket(port, target)
        followed += lines_of(answer)
        target = answer.headers.get("link", "").partition("<")[2].partition(">")[0]
    assert followed == told
    assert ask_socket(port, f"/names/changes?after={len(RECORDS)}").body == b""
    etag = whole.headers["etag"]
    assert ask_socket(port, "/names/changes", if_none_match=etag).status == 304
    assert ask_socket(port, "/names/changes", "HEAD").headers["etag"] == etag


@pytest.mark.parametrize(
    "query",
    [
        *("after=x", "after=-1", "after=", "after=1.5", "after=%D9%A1", f"after={10**18}"),
        *("after=1&after=2", "limit=0", "limit=x", "a&b&c&d&e&f"),
    ],
)
def test_what_is_no_number_of_a_change_is_refused(port: int, query: str) -> None:
    answer = ask_socket(port, f"/names/changes?{query}")
    assert answer.status == 400
    assert json.loads(answer.body)["code"] == "change_number_malformed"


def test_a_host_whose_copy_is_gone_or_not_made_yet_says_so_and_answers_by_nothing_shorter(
    tmp_path: Path,
) -> None:
    lay_out(tmp_path)
    targets = "/ark:12345/x5abc", "/urn:lead:bound:1", "/names/changes", "/ark:12345/y5"
    names = tmp_path / NAMES_FOLDER
    names.mkdir()
    site = PublishedPlane(tmp_path)
    assert [ask(site, one).status for one in targets] == [503] * 4
    assert ask(site, targets[0]).headers["Retry-After"] == "5"
    copy_names(tmp_path)
    assert [ask(site, one).status for one in targets] == [302, 302, 200, 302]
    linked = (names / NAMES_FILE).readlink()
    (names / NAMES_FILE).unlink()
    assert [ask(site, one).status for one in targets] == [503] * 4
    rmtree(names)
    assert [ask(site, one).status for one in targets] == [503] * 4
    copy_names(tmp_path)
    assert [ask(site, one).status for one in targets] == [302, 302, 200, 302]
    assert linked != (names / NAMES_FILE).readlink()


def test_where_no_names_are_kept_the_feed_is_empty(tmp_path: Path) -> None:
    make_bundle().lay_out(tmp_path)
    answer = ask(PublishedPlane(tmp_path), "/names/changes?after=7")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["Content-Type"].startswith("application/jsonl")
    assert ask(PublishedPlane(tmp_path), "/names/changes?after=x").status == 400


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(["/ark:12345/", "/ark:12345/x5", "/names/", "/urn:lead:", "/names/changes?"]),
    st.text(st.characters(min_codepoint=0x21, max_codepoint=0xFF)) | st.text("x5abc/.?%-info&=1"),
    st.sampled_from(["", BROWSER, JSON, ERC, "text/x-erc;q=x", "*"]),
)
def test_no_name_is_too_odd_to_be_answered(
    folder: Path, begun: str, text: str, accept: str
) -> None:
    site = PublishedPlane(folder)
    target = f"{begun}{text}"
    path, query = split_target("GET", target)
    answer = call(site, HttpRequest("GET", target, path, query, {"host": "x", "accept": accept}))
    assert answer.status in (200, 302, 303, 400, 404, 406, 410, 414)
    location = answer.headers.get("Location", "")
    assert location.startswith(("https://", "/", "http://")) or not location


def test_a_wrong_check_character_is_told_of_a_name_that_nobody_bound(tmp_path: Path) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    masks = {"ark:12345/y5": "reedk", "urn:lead:": "sequence3", "ark:12345/": "newer+mask"}
    NameCopyWriter(tmp_path / NAMES_FOLDER).keep_told({MASKS: masks})
    site = PublishedPlane(tmp_path)
    right = numbering_of(read_prefix("ark:12345/y5"), "reedk").nth(7)
    assert right is not None
    wrong = f"{right[:-1]}{'0' if right[-1] != '0' else '1'}"
    for name, is_told in ((wrong, True), (f"{wrong}/page2", True), (right, False)):
        page = ask(site, f"/names/{name}", accept=HTML)
        info = ask(site, f"/{name}?info", accept=JSON)
        erc = ask(site, f"/{name}?info")
        assert {page.status, info.status, erc.status} == {200}
        for answer in (page, info, erc):
            assert (b"for typing errors" in answer.body) == is_told
        assert ("check_character" in info.body.decode()) == is_told
        assert (
            "check_character" in ask(site, f"/names/{name}", accept=JSON).body.decode()
        ) == is_told
        assert ask(site, f"/{name}").status == 302  # it is told, and refuses nothing


def test_a_wrong_check_digit_of_a_urn_is_told_by_the_mask_of_its_prefix(tmp_path: Path) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    masks = {"urn:lead:": "sequence9+isbn"}
    NameCopyWriter(tmp_path / NAMES_FOLDER).keep_told({MASKS: masks})
    site = PublishedPlane(tmp_path)
    right = numbering_of(read_prefix("urn:lead:"), masks["urn:lead:"]).nth(7)
    assert right is not None
    wrong = f"{right[:-1]}{'0' if right[-1] != '0' else '1'}"
    for name, is_told in ((wrong, True), (right, False), ("urn:lead:other", False)):
        for accept in (HTML, JSON):
            page = ask(site, f"/names/{name}", accept=accept)
            assert page.status == 200
            assert (b"are wrong. Did you mean" in page.body) == is_told


@pytest.mark.parametrize("asked", ["z5bc000", "z5bc/000", "z5bc000/page", "z5bd/c.1/x"])
def test_what_is_delegated_is_not_answered_by_a_shorter_name(tmp_path: Path, asked: str) -> None:
    lay_out(tmp_path)
    shorter, own = "https://parent.example/", "https://library.example/"
    parent = AssignedNameRecord(name="ark:12345/z5b", target=shorter, extends_anywhere=True)
    beside = AssignedNameRecord(name="ark:12345/z5bd", target=shorter)
    copy_names(tmp_path, (parent, beside))
    writer, site = NameCopyWriter(tmp_path / NAMES_FOLDER), PublishedPlane(tmp_path)
    for _ in range(2):  # what was answered before is not kept
        assert ask(site, f"/ark:12345/{asked}").headers["Location"].startswith(shorter)
    writer.keep_told(
        {MASKS: {"ark:12345/z5": "", "ark:12345/z5bc": "", "ark:12345/z5bd/c": "seee"}}
    )
    for _ in range(2):
        assert ask(site, f"/ark:12345/{asked}").headers["Location"].startswith(own)
    assert ask(site, "/ark:12345/z5b0").headers["Location"].startswith(shorter)
    assert ask(site, "/ark:12345/z5bd/x").headers["Location"].startswith(shorter)


_SAID = {
    "holder": "The <Lighthouse> Library",
    "policy": "Names are given <by> the shelf.",
    "persistence": "All are kept for ever.",
    "ended": "2026-03-01",
}


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("ark:12345/x5abc", "ark:12345/x5"),
        ("ark:12345/x5gone", "ark:12345/x5"),
        ("urn:lead:bound:1", "urn:lead:bound:"),
    ],
)
def test_what_is_said_of_all_names_of_a_prefix_is_told_with_each(
    tmp_path: Path, name: str, prefix: str
) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    writer, site = NameCopyWriter(tmp_path / NAMES_FOLDER), PublishedPlane(tmp_path)
    writer.keep_told({MASKS: {prefix: ""}})
    assert b"shelf" not in ask(site, f"/names/{name}", accept=HTML).body
    writer.keep_told({MASKS: {prefix: ""}, STATEMENTS: {prefix: _SAID}})
    page = ask(site, f"/names/{name}", accept=HTML).body.decode()
    assert f"Persistence promised under {prefix}" in page
    assert "All are kept for ever." in page and "Names are given &lt;by&gt; the shelf." in page
    assert f"Owner of {prefix}" in page and "The &lt;Lighthouse&gt; Library" in page
    assert f"{prefix} closed since" in page and "2026-03-01" in page
    document = json.loads(ask(site, f"/names/{name}", accept=JSON).body)
    assert document["prefix"] == {"prefix": prefix, **_SAID}
    if name.startswith("ark:"):
        erc = ask(site, f"/{name}?info").body.decode().partition(_SAID["persistence"])
        assert erc[0].rstrip().endswith("what:") and "erc-support:" in erc[0]
        assert _SAID["policy"] in erc[2] and f" {prefix}\n" in erc[2]
        closing, _, support = erc[0].rpartition("erc-support:")
        assert f"who:   {_SAID['holder']}\n" in support
        assert closing.endswith(
            f"# {prefix} was closed on 2026-03-01. Existing identifiers remain valid.\n"
        )
    writer.keep_told({MASKS: {prefix: ""}, STATEMENTS: {prefix: {"policy": "By hand."}}})
    page = ask(site, f"/names/{name}", accept=HTML).body.decode()
    assert "By hand." in page and "Owner of" not in page and "closed since" not in page
    if name.startswith("ark:"):
        assert b"was closed on" not in ask(site, f"/{name}?info").body
    writer.keep_told({STATEMENTS: {prefix: {"policy": 7}, "urn:lead:": "no document"}})
    assert b"shelf" not in ask(site, f"/names/{name}", accept=HTML).body


@pytest.mark.parametrize("name", ["ark:12345/x5kept", "urn:lead:kept"])
def test_with_a_reserved_name_nothing_is_told_of_its_prefix(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path)
    copy_names(tmp_path)
    prefixes = ("ark:12345/x5", "urn:lead:")
    told: dict[str, dict[str, Any]]
    told = {MASKS: dict.fromkeys(prefixes, ""), STATEMENTS: dict.fromkeys(prefixes, _SAID)}
    NameCopyWriter(tmp_path / NAMES_FOLDER).keep_told(told)
    for accept in (HTML, JSON):
        answer = ask(PublishedPlane(tmp_path), f"/names/{name}", accept=accept)
        assert answer.status == 404 and b"for ever" not in answer.body


def test_what_a_registry_laid_out_is_served_alone_with_the_names_beside_it(tmp_path: Path) -> None:
    lay_out(tmp_path / "published")
    copy_names(tmp_path)
    with serving(ConnectionLimits(), create_asgi_of_copy(tmp_path / "published")) as port:
        answer = ask_socket(port, "/ark:12345/x5abc")
        assert answer.headers["location"] == RECORDS[0].target
        assert ask_socket(port, "/ark:12345/x5gone").status == 410


def test_a_page_of_long_changes_is_short_and_all_of_them_are_reached_page_by_page(
    tmp_path: Path,
) -> None:
    """Whoever asks for as many as there are does not hold up everybody else."""
    make_bundle().lay_out(tmp_path)
    long = AssignedNameRecord(name="ark:12345/x5", target=f"https://a.example/{'0' * 1_900}")
    many = [replace(long, name=f"ark:12345/x5{n:04}{'b' * 7_000}") for n in range(400)]
    copy_names(tmp_path, many)
    site, target, told = PublishedPlane(tmp_path), "/names/changes?after=0&limit=5000", list[str]()
    pages = 0
    while target:
        answer = ask(site, target)
        assert len(answer.body) < 1_100_000
        told += [json.loads(line)["name"] for line in answer.body.splitlines()]
        target, pages = (
            answer.headers.get("Link", "").partition("<")[2].partition(">")[0],
            pages + 1,
        )
    assert told == [one.name for one in many]
    assert pages == 4
    head = ask(site, "/names/changes?limit=5000", method="HEAD")
    assert (head.body, int(head.headers["Content-Length"]) < 1_100_000) == (b"", True)


def test_a_change_that_is_longer_than_a_page_is_a_page(tmp_path: Path) -> None:
    make_bundle().lay_out(tmp_path)
    long = AssignedNameRecord(name="ark:12345/x5", elements=(("what", "x" * 1_200_000),))
    copy_names(tmp_path, [long, replace(long, name="ark:12345/x6")])
    answer = ask(PublishedPlane(tmp_path), "/names/changes")
    assert len(answer.body.splitlines()) == 1
    assert "after=1" in answer.headers["Link"]


MARKED = [
    *("ark:12345/x5abc.", "ark:12345/x5abc)", "ark:12345/x5abc%E2%80%8B", "ark:12345/x5abc\u200b"),
    *(
        "ark:12345/x5abc\u3002",
        "ark:12345/x5abc,",
        'ark:12345/x5abc"',
        "ark:12345/x5abc%29.",
        "names/ark:12345/x5abc.",
    ),
    *("ark:12345/x5a\u2010bc", "ark:12345/x5a%E2%80%91bc", "ark:12345/x5a%C2%ADbc"),
    *("urn:lead:bound:1.", "urn:lead:bound:1)", "names/urn:lead:bound:1."),
]


@pytest.mark.parametrize("asked", MARKED)
def test_a_mark_that_came_along_is_answered_with_the_bound_name(folder: Path, asked: str) -> None:
    name = "ark:12345/x5abc" if "ark:" in asked else "urn:lead:bound:1"
    site = PublishedPlane(folder)
    told = ask(site, f"/{asked}", accept=JSON)
    assert (told.status, json.loads(told.body)["code"]) == (400, "identifier_wrapped")
    assert json.loads(told.body)["there"] == f"/{name}"
    page = ask(site, f"/{asked}", accept=HTML)
    assert (page.status, f'href="/{name}"' in page.body.decode()) == (400, True)


def test_a_mark_that_belongs_to_a_path_below_a_bound_name_is_handed_on(folder: Path) -> None:
    site = PublishedPlane(folder)
    for suffix in ("/p1.", "/Foo_(bar)", "/a%20b", "/a%E2%80%93b", "/"):
        told = ask(site, f"/ark:12345/x5abc{suffix}", accept=HTML)
        assert (told.status, suffix in told.headers["Location"]) == (302, True)


WRAPPED = [
    *(
        "https://n2t.net/ark:/12345/x5abc",
        "https:/n2t.net/ark:/12345/x5abc",
        "n2t.net/ark:/12345/x5abc",
    ),
    *(
        "(ark:/12345/x5abc)",
        "%22ark:/12345/x5abc%22",
        "ark:/ark:/12345/x5abc",
        "<ark:/12345/x5abc>",
    ),
    *("https://nbn-resolving.org/urn:lead:a", "(urn:lead:a)", "%28urn:lead:a%29", '"urn:lead:a"'),
    *("urn:urn:lead:a", "urn:exact:urn:exact:1"),
]


@pytest.mark.parametrize("falls_through", [False, True])
@pytest.mark.parametrize("asked", WRAPPED)
def test_an_identifier_in_an_address_is_offered(
    folder: Path, asked: str, falls_through: bool
) -> None:
    page = ask(PublishedPlane(folder, falls_through), f"/{asked}", accept=HTML)
    text = page.body.decode()
    ways = ("/ark:/12345/x5abc", "/ark:12345/x5abc", "/urn:lead:a", "/urn:exact:1")
    assert (page.status, any(f'href="{way}"' in text for way in ways)) == (400, True)


@pytest.mark.parametrize(
    "asked", ["resolvers/ark:12345/x5", "tools/urn:lead:a", "x.y/z:urn:lead:a"]
)
def test_a_page_of_the_site_with_a_name_in_its_path_is_not_taken_for_a_wrapped_one(
    folder: Path, asked: str
) -> None:
    told = ask(PublishedPlane(folder), f"/{asked}", accept=JSON)
    assert json.loads(told.body)["code"] == "not_in_copy"


def test_a_prefix_with_a_slash_after_it_leads_to_the_page_of_the_prefix(folder: Path) -> None:
    site = PublishedPlane(folder)
    for asked, page in (("12345/", "/naans/12345"), ("/12345/x5/", "/naans/12345/x5")):
        told = ask(site, f"/ark:{asked}")
        assert (told.status, told.headers["Location"]) == (303, page)
