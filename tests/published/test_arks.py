"""ARKs over a socket: where each leads, what is known of it, and why it leads nowhere.

Sections are those of The ARK URI scheme.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.exports.content.file_names import ARK_RULES_PATH, NAANS
from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.front.connections import ConnectionLimits
from app.problems.problem_catalogue import CODES
from app.published.http.http_exchange import HttpRequest, split_target
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import GROUPS, NAAN_GROUP, RegistryGroup
from app.resolution.ark_resolver import read_ark_request
from tests.front.test_connections import serving
from tests.published.arks import bundle_of_arks
from tests.published.bundles import SESSION, Answer, Clock, call, make_bundle, pack
from tests.published.rules import JSON_LINES
from tests.published.test_names import ask as ask_socket
from tests.resolution.arks.naans import RULES
from tests.resolution.arks.test_ark_spellings import NAMES, spelled
from tests.torture.conftest import rounds

HTML, JSON, TEXT = "text/html", "application/json", "text/plain"


@pytest.fixture(scope="module")
def group() -> RegistryGroup:
    """The group of NAANs."""
    return NAAN_GROUP


@pytest.fixture(scope="module")
def folder(group: RegistryGroup, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is published: an edition of the site itself, and one of NAANs."""
    folder = tmp_path_factory.mktemp("arks")
    make_bundle().lay_out(folder)
    bundle_of_arks().lay_out(folder / group.folder)
    return folder


@pytest.fixture(scope="module")
def copy(folder: Path) -> PublishedPlane:
    """A copy that resolves ARKs, with neither a database nor the registry behind it."""
    return PublishedPlane(folder)


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """The copy behind a socket, reached over https."""
    front = AsgiFront(PublishedPlane(folder), Admission("https://copy.example", demo=False))
    with serving(ConnectionLimits(), front) as port:
        yield port


def ask(site: PublishedPlane, target: str, method: str = "GET", **headers: str) -> Answer:
    """The answer to a target as its octets are sent, checked as every answer is."""
    target = target.encode().decode("latin-1")
    path, query = split_target(method, target)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return call(site, HttpRequest(method, target, path, query, {"host": "x"} | fields))


# What is asked for, the status, and where it leads.
TABLE = """
/ark:12345/a                       302 https://library.example/ark:/12345/a
/ark:/12345/a                      302 https://library.example/ark:/12345/a
/ARK:/12-345/A-b%2d                302 https://library.example/ark:/12345/Ab
/%61rk%3A/12345/a                  302 https://library.example/ark:/12345/a
http://site.example/ark:12345/a#b  302 https://library.example/ark:/12345/a
/ark:12345/a?b=c&d                 302 https://library.example/ark:/12345/a?b=c&d
/ark:12345/a???                    302 https://library.example/ark:/12345/a???
/ark:12345/%d0%b1/%c3%a9           302 https://library.example/ark:/12345/%D0%B1/%C3%A9
/ark:12345/x5-7/q.v                302 https://project.example/p7/q.v/on
/ark:12345/x557                    302 https://project.example/?rest=7
/ark:12345/x557?q                  302 https://project.example/?rest=7&q
/ark:12345/x5z                     302 https://project.example/pz/on
/ark:21345/a                       302 https://pid.example/?ark=ark:21345/a
/ark:B7280/a                       302 https://doi.example/10.7280/a
/ark:20000/a                       302 https://whole.example/20000/a?pid=ark%3A20000%2Fa
/ark:20002/A-b                     302 https://as.example/20002/A-b
/ark:20003/a                       303 https://see.example/20003/a
/ark:20004/a                       307 http://keeps.example:8080/20004/a
/ark:12345/a:b                     302 https://library.example/ark:/12345/a:b
/ark:12345/a//b.                   302 https://library.example/ark:/12345/a//b.
/ark:99999/a                       302 https://tests.example/99999/a
/ark:99999/912345_a                302 https://library.example/ark:/99999/912345_a
/ark:12345                         303 /naans/12345
/ark:/1-2345?x=1                   303 /naans/12345
/ark:12345/x-5                     303 /naans/12345/x5
/ark:20003                         303 /names/ark:20003
/ark:12345/x55                     303 /names/ark:12345%2Fx55
/ark:30002/a                       303 /names/ark:30002%2Fa
/ark:12345/a?info                  200 -
/ark:12345?info                    200 -
/ark:30003/a?info                  200 -
/ark:12346/a                       404 -
/ark:30000/a                       404 -
/ark:30001/a                       404 -
/ark:30003/a                       410 -
/ark:                              400 -
/ark:/                             400 -
/ark:12345/                        303 /naans/12345
/ark:12345/a%zz                    400 -
/ark:12345/a%0d%0ax:y              400 -
/ark:12345/a/../b                  400 -
/ark:12345/a?%0a                   302 https://library.example/ark:/12345/a?%0A
/ark:12346/a:b                     400 -
/ark:l2345/a                       400 -
/names/ark:12345%2Fx5a             200 -
/names/ark:/12345/x5-a?x           200 -
/names/ark:12345                   200 -
/names/ark:30000%2Fa               200 -
/names/ark:30002%2Fa               200 -
/names/ark:30003%2Fa               410 -
/names/ark:12346%2Fa               404 -
/names/ark:                        400 -
"""
ROWS = [tuple(line.split()) for line in TABLE.splitlines() if line]


@pytest.mark.parametrize(("target", "status", "location"), ROWS, ids=[row[0] for row in ROWS])
def test_an_ark_leads_where_its_rules_say(
    copy: PublishedPlane, target: str, status: str, location: str
) -> None:
    for method in ("GET", "HEAD"):
        for accept in (HTML, JSON):
            answer = ask(copy, target, method, accept=accept)
            assert answer.status == int(status)
            assert answer.headers.get("Location", "-") == location
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            assert answer.headers["Cache-Control"] == "no-cache"
            assert ("Vary" in answer.headers) == (location == "-")
            if location != "-":
                assert "ETag" not in answer.headers
            elif method == "GET":
                assert answer.headers["Content-Type"].startswith(
                    HTML if accept == HTML else "application/"
                )
                assert accept == HTML or json.loads(answer.body)["outcome"]


@pytest.mark.parametrize(
    ("target", "status", "location"),
    [row for row in ROWS if row[0].startswith(("/ARK", "/%61", "http:", "/ark:2000"))]
    + [row for row in ROWS if "?" in row[0] or row[1] in ("400", "404", "410")],
)
def test_a_socket_gives_what_the_plane_gives(
    copy: PublishedPlane, port: int, target: str, status: str, location: str
) -> None:
    told = ask_socket(port, target, accept=HTML)
    assert (told.status, told.headers.get("location", "-")) == (int(status), location)
    assert told.body == ask(copy, target, accept=HTML).body
    # Section 8, on HTTP over TLS
    assert told.headers["strict-transport-security"].startswith("max-age=")


def test_7_1_2_no_redirect_lasts(copy: PublishedPlane) -> None:
    """Sections 7.1.2 and 7.1.3: 302 or 307 in place of 301 or 308, and 303 for what is related."""
    led = [ask(copy, target) for target, *_ in ROWS if target.startswith("/ark:")]
    assert {one.status for one in led if "Location" in one.headers} == {302, 303, 307}
    assert ask(copy, "/ark:20003/a").status == 303
    assert all("Vary" not in one.headers for one in led if "Location" in one.headers)


def test_7_1_what_is_beyond_ascii_goes_percent_encoded(copy: PublishedPlane) -> None:
    """Section 7.1; the octets of UTF-8 as a server in between may hand them on."""
    for target in ("/ark:12345/é", "/ark:12345/%C3%A9", "/ark:12345/%c3%a9"):
        assert ask(copy, target).headers["Location"].endswith("/12345/%C3%A9")


def test_7_1_1_what_is_protected_is_not_too_long_and_what_is_too_long_is_414(port: int) -> None:
    """Section 7.1.1, whose 255 characters may be of four octets, each sent as three."""
    name = "%F0%9F%98%80" * 245
    for rest in ("", "?", "??", "?info", "?" + "b" * 200):
        assert ask_socket(port, f"/ark:12345/{name}{rest}").status in (200, 302)
        assert ask_socket(port, f"/ark:12345/a{'-' * 244}{rest}").status in (200, 302)
    assert ask_socket(port, f"/ark:12345/{'a' * (8192 - 10)}").status == 302
    for accept, media_type in ((HTML, HTML), (JSON, "application/problem+json")):
        long = ask_socket(port, f"/ark:12345/{'a' * (8193 - 10)}", accept=accept)
        assert (long.status, long.headers["content-type"].partition(";")[0]) == (414, media_type)
    assert json.loads(long.body)["code"] == "ark_too_long_to_follow"


@pytest.mark.parametrize(
    ("target", "code", "more"),
    [
        ("/ark:12346/a", "naan_unknown", {"nearest": ["12345"], "outcome": "not registered"}),
        ("/ark:30003/a", "naan_withdrawn", {"outcome": "withdrawn", "normal_form": "ark:30003/a"}),
        ("/ark:30000/a", "ark_without_target", {"outcome": "no further way"}),
        ("/ark:12345/a%zz", "ark_name_percent", {"position": 11, "outcome": "bad syntax"}),
        ("/ark:l2345/a", "ark_naan_character", {"position": 4, "corrected": "ark:12345/a"}),
    ],
)
def test_what_is_refused_is_told_to_people_and_to_programs(
    copy: PublishedPlane, target: str, code: str, more: dict[str, object]
) -> None:
    """Section 7.1.2, on 404 and 400."""
    document = json.loads(ask(copy, target).body)
    assert document["code"] == code
    assert document["type"] == f"https://site.example/problems/{code}"
    assert document["status"] == ask(copy, target).status
    assert code in CODES
    assert {name: document[name] for name in more} == more
    page = ask(copy, target, accept=HTML).body.decode()
    assert "<h1>" in page
    assert "<!--" not in page
    assert "style=" not in page


def test_who_has_no_naan_is_told_how_to_get_one(copy: PublishedPlane) -> None:
    target = "/ark:12346/a"
    asked = json.loads(ask(copy, target).body)["request_a_name"]
    assert asked == "https://site.example/requests/new/naan"
    page = ask(copy, target, accept=HTML).body.decode()
    assert f'href="{asked}"' in page
    assert '<a href="/naans/12345">' in page


@pytest.mark.parametrize("inflection", ["?", "??", "?info", "?%69nfo", "?%69%6E%66%6F"])
def test_3_4_an_inflection_asks_for_what_is_known(port: int, inflection: str) -> None:
    """Section 3.4: all of them have the semantics of ``?info``, an empty query too."""
    asked = f"/ark:/12345/x5-a{inflection}"
    text = ask_socket(port, asked)
    assert (text.status, text.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert "\nerc:\nwho:   (:unav)" in text.body.decode()
    assert text.body == ask_socket(port, "/ark:12345/x5a?info").body
    page = ask_socket(port, asked, accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert "A project" in page.body.decode()
    assert b"ask the holder" in page.body
    document = json.loads(ask_socket(port, asked, accept=JSON).body)
    assert (document["outcome"], document["shoulder"]["holder"]) == ("described", "A project")
    assert text.headers["link"] == (
        '<https://project.example/pa/on?info>; rel="describedby", '
        '<https://site.example/ark:12345/x5a?info>; rel="canonical"'
    )
    assert text.headers["vary"] == "Accept"
    known = ask_socket(port, asked, If_None_Match=text.headers["etag"])
    assert (known.status, known.body) == (304, b"")
    assert ask_socket(port, asked, accept="image/png").status == 406
    record = ask_socket(port, asked, accept="text/x-erc")
    assert record.headers["content-type"] == "text/x-erc; charset=utf-8"
    assert record.body == text.body


@pytest.mark.parametrize("longer", [0, 1])
@pytest.mark.parametrize("query", ["", "?a=b"])
def test_no_link_is_longer_than_servers_in_between_let_by(
    copy: PublishedPlane, query: str, longer: int
) -> None:
    """2,000 characters of an address; the Location is whole all the same."""
    told = f"https://library.example/ark:/12345/{query}{'&' if query else '?'}info"
    name = "a" * (2_000 - len(told) + longer)
    answer = ask(copy, f"/ark:12345/{name}{query}")
    assert answer.headers["Location"] == f"https://library.example/ark:/12345/{name}{query}"
    assert ("describedby" in answer.headers["Link"]) is not longer
    assert 'rel="canonical"' in answer.headers["Link"]


def test_no_canonical_address_is_told_that_is_longer_than_that(copy: PublishedPlane) -> None:
    begun = "https://site.example/ark:b7280/"
    for longer in (0, 1):
        answer = ask(copy, f"/ark:b7280/{'a' * (2_000 - len(begun) + longer)}")
        assert answer.status == 302
        assert ("canonical" in answer.headers.get("Link", "")) is not longer


def test_a_way_on_tells_where_its_holder_describes_it(copy: PublishedPlane) -> None:
    links = ask(copy, "/ark:/21345/a-b?q=1").headers["Link"]
    assert links == (
        '<https://pid.example/?ark=ark:21345/ab&info>; rel="describedby", '
        '<https://site.example/ark:21345/ab>; rel="canonical"'
    )
    assert "canonical" not in ask(copy, "/ark:12345/a:b").headers["Link"]


def test_a_page_tells_whose_an_ark_is_and_where_it_leads(copy: PublishedPlane) -> None:
    page = ask(copy, "/names/ark:/12345/x5-a", accept=HTML)
    for said in ("Bibliothèque", "A project", 'href="https://project.example/pa/on"'):
        assert said in page.body.decode()
    assert "Open on" in page.body.decode()
    assert re.findall('href="(/naans/[^"]*)"', page.body.decode()) == [
        *("/naans/12345", "/naans/12345/x5"),
        *("/naans/12345/x5", "/naans/12345"),
    ]
    assert page == ask(copy, "/names/ark:12345%2Fx5a", accept=HTML)
    assert "Open on" not in ask(copy, "/names/ark:12345", accept=HTML).body.decode()


@pytest.mark.parametrize(
    ("ark", "meant"),
    [
        ("ark:12345/x5a.", "ark:12345/x5a"),
        ("ark:12345/x5a%22.)", "ark:12345/x5a"),
        ("ark:12345/x5a%22", "ark:12345/x5a"),
        ("ark:12345/x5%E2%80%90a", "ark:12345/x5a"),
        ("ark:12345/x5%C2%ADa", "ark:12345/x5a"),
    ],
)
def test_the_page_of_an_ark_offers_what_a_stray_mark_or_a_false_hyphen_was_meant_for(
    copy: PublishedPlane, ark: str, meant: str
) -> None:
    target = f"/names/{quote(ark, safe='%:)')}"
    page = ask(copy, target, accept=HTML).body.decode()
    assert f'Did you mean <a href="/names/{meant.replace("/", "%2F")}">' in page
    told = json.loads(ask(copy, target, accept=JSON).body)
    assert told["corrected"] == meant and told["correction"]


@pytest.mark.parametrize("ark", ["a(b)", "a%20b", "caf%C3%A9", "a%20caf%C3%A9", "a-b"])
def test_the_page_of_an_ark_that_may_be_right_offers_no_other(
    copy: PublishedPlane, ark: str
) -> None:
    page = ask(copy, f"/names/ark:12345%2F{ark}", accept=HTML)
    assert page.status == 200
    assert b"Did you mean" not in page.body


def test_persistence_is_stated_only_where_it_was_declared(copy: PublishedPlane) -> None:
    for target, said in (("/ark:12345/a?info", True), ("/ark:30000/a?info", False)):
        for accept in (HTML, TEXT, JSON):
            body = ask(copy, target, accept=accept).body.decode()
            assert ("never reassigned" in body) == said


def test_a_test_is_told_as_one(copy: PublishedPlane) -> None:
    """Section 3.1, on NAAN 99999."""
    led = ask(copy, "/ark:99999/a")
    assert led.body.startswith(b"NAAN 99999 is for tests.")
    assert ask(copy, "/ark:99999/a", "HEAD").body == b""
    assert ask(copy, "/ark:99999/a").body == led.body
    assert b"for tests" in ask(copy, "/names/ark:99999%2Fa", accept=HTML).body


@pytest.mark.parametrize("target", ["/ark:12345/a", "/ark:12345/a?info", "/names/ark:12345%2Fa"])
def test_arks_are_read_and_nothing_else(copy: PublishedPlane, target: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        answer = ask(copy, target, method)
        assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    preflight = ask(copy, target, "OPTIONS", access_control_request_method="GET")
    assert (preflight.status, preflight.headers["Access-Control-Allow-Methods"]) == (
        204,
        "GET, HEAD, OPTIONS",
    )


@given(
    st.sampled_from(["12345", "21345", "20000", "20003", "30003", "99999", "12346"]),
    NAMES,
    st.sampled_from(["", "?info", "?q=%41"]),
    st.sampled_from(["/ark:", "/ark:/", "/ARK:", "/%61rk%3a/", "/Ark%3A"]),
    st.sampled_from([HTML, JSON, TEXT]),
    st.data(),
)
@settings(max_examples=rounds(500, 25))
def test_7_1_spellings_of_one_ark_get_one_answer(
    copy: PublishedPlane,
    naan: str,
    name: str,
    query: str,
    begun: str,
    accept: str,
    data: st.DataObject,
) -> None:
    """Section 7.1: what has one normal form is treated equally."""
    if not read_ark_request(f"ark:{naan}/{name}").normal_form:
        return  # handed on as it came, or refused with the place of its fault
    plain = ask(copy, f"/ark:{naan}/{spelled(name, data)}{query}", accept=accept)
    other = ask(copy, f"{begun}{spelled(f'{naan}/{name}', data)}{query}", accept=accept)
    assert plain == other


@given(
    st.sampled_from(["/ark:", "/ark:12345/", "/names/ark:", "/names/ark:12345/x5", "/%41rk%3a"]),
    st.text(st.characters(min_codepoint=0x21, max_codepoint=0x2FF), max_size=30),
    st.sampled_from([HTML, "", "a/b"]),
)
@example("/ark:12345/", "a%0d%0aX:y?%0d%0aX:y", HTML)
@example("/ark:12345/", "\u202e<\"'>%e2%80%ae?<\"'>", HTML)
@example("/ark:12345/", "-" * 8_000, HTML)
@settings(max_examples=rounds(300, 30))
def test_any_target_is_answered(copy: PublishedPlane, begun: str, rest: str, accept: str) -> None:
    """Section 8.1; each answer is checked to have no header of the asker's making."""
    answer = ask(copy, begun + rest, accept=accept)
    assert answer.status in {200, 302, 303, 307, 400, 404, 406, 410, 414}


def test_in_front_of_the_registry_arks_are_answered_as_in_a_copy(
    copy: PublishedPlane, folder: Path
) -> None:
    front = PublishedPlane(folder, falls_through=True)
    for target in ("/ark:/12345/a-b", "/ark:12345/a?", "/ark:12345", "/names/ark:12345%2Fa"):
        for cookie in ("", f"{SESSION}=x"):
            assert ask(front, target, cookie=cookie) == ask(copy, target)
    here = json.loads(ask(front, "/ark:12346/a").body)
    assert (here["request_a_name"], here["type"]) == (
        "/requests/new/naan",
        "/problems/naan_unknown",
    )
    assert ask(front, "/ark:12345/a", "POST").status == 405


def test_without_the_group_there_are_no_arks(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(GROUPS, NAANS)
        for falls_through in (False, True):
            plane = PublishedPlane(folder, falls_through=falls_through)
            assert ask(plane, "/ark:12345/a%0a").status == 404


def test_rules_that_cannot_be_read_leave_all_else_published(
    group: RegistryGroup, tmp_path: Path
) -> None:
    files = {"/naans/12345": (HTML, b"x"), ARK_RULES_PATH: (JSON_LINES, b"{}\n")}
    make_bundle().lay_out(tmp_path)
    pack(files).lay_out(tmp_path / group.folder)
    plane = PublishedPlane(tmp_path)
    assert (ask(plane, "/ark:12345/a").status, ask(plane, "/naans/12345").status) == (404, 200)


def test_where_there_is_no_edition_yet_arks_are_awaited_and_all_else_is_answered(
    group: RegistryGroup, tmp_path: Path
) -> None:
    make_bundle().lay_out(tmp_path)
    assert ask(PublishedPlane(tmp_path), "/ark:12345/a").status == 503
    assert ask(PublishedPlane(tmp_path), "/assignments/urn-namespaces/").status == 200
    assert ask(PublishedPlane(tmp_path), "/names/urn:isbn:1").status == 404
    make_bundle().lay_out(tmp_path / group.folder)
    assert ask(PublishedPlane(tmp_path), "/ark:12345/a").status == 404


def test_a_new_edition_leads_elsewhere_at_once(group: RegistryGroup, tmp_path: Path) -> None:
    clock = Clock()
    make_bundle().lay_out(tmp_path)
    bundle_of_arks().lay_out(tmp_path / group.folder)
    plane = PublishedPlane(tmp_path, clock=clock)
    assert ask(plane, "/ark:12345/a").status == 302
    assert ask(plane, "/ark:12345/a?info").headers["ETag"]
    bundle_of_arks([one for one in RULES if one.naan != "12345"], 2).lay_out(
        tmp_path / group.folder
    )
    clock.now += 100
    assert ask(plane, "/ark:12345/a").status == 404
