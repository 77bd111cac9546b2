"""Names over a socket: where each leads, and what is said where it leads nowhere."""

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.pages.site.name_pages import NamePages
from app.published.http.http_exchange import HttpAnswer
from app.published.names.edition_names import AnswerCache
from app.resolution.judgement import Judgement, judge_text
from app.resolution.namespace_rules import RuleBook
from tests.front.test_connections import serving
from tests.published.bundles import make_bundle
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of
from tests.waiting import DEADLINE

HTML, JSON = "text/html", "application/json"
RESTS = (  # the r- and q-component and the f-component that RFC 8141 shows
    "urn:example:a123,z456",
    "URN:example:a123,z456",
    "urn:EXAMPLE:a123,z456",
    "urn:example:a123,z456?+abc",
    "urn:example:a123,z456?=xyz",
    "urn:example:a123,z456#789",
)


class Told(NamedTuple):
    """An answer from a socket."""

    status: int
    headers: dict[str, str]
    body: bytes


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A copy that resolves names, and has neither a database nor the registry behind it."""
    folder = tmp_path_factory.mktemp("names")
    bundle_of(RULES, registry="https://registry.example").lay_out(folder)
    with serving(ConnectionLimits(), create_asgi_of_copy(folder)) as port:
        yield port


def ask(port: int, target: str, method: str = "GET", **headers: str) -> Told:
    """Send a target as it is written; a target in absolute form gives the Host."""
    host = urlsplit(target).netloc or "127.0.0.1"
    fields = {"host": host, "connection": "close"} | headers
    lines = [f"{method} {target} HTTP/1.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        came = b""
        while block := connection.recv(1 << 16):
            came += block
    head, _, body = came.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    named = [line.partition(": ")[::2] for line in rest]
    own = [name.lower() for name, _ in named if name.lower() not in ("server", "via")]
    assert len(own) == len({*own}), "a header is sent twice"
    return Told(int(first.split()[1]), {name.lower(): value for name, value in named}, body)


# What is asked for, the status, and where it leads.
TABLE = """
/urn:example:weather?=op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z 302 https://weatherapp.example?op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z
/urn:example:a123,z456?+abc                 303 /names/urn:example:a123,z456
/urn:example:a123,z456?=xyz                 303 /names/urn:example:a123,z456
/URN:EXAMPLE:a123,z456                      303 /names/urn:example:a123,z456
/urn:example:a123,z456/foo                  303 /names/urn:example:a123,z456%2Ffoo
/urn:example:a123%2Cz456                    303 /names/urn:example:a123%252Cz456
/URN:EXAMPLE:a123%2cz456                    303 /names/urn:example:a123%252Cz456
/urn:example:A123,z456                      303 /names/urn:example:A123,z456
/urn:example:%D0%B0123,z456                 303 /names/urn:example:%25D0%25B0123,z456
/urn:example:1/406/47452/2                  303 /names/urn:example:1%2F406%2F47452%2F2
/urn:example:foo-bar-baz-qux?+CCResolve:cc=uk 303 /names/urn:example:foo-bar-baz-qux
/urn:example:foo-bar-baz-qux#somepart       303 /names/urn:example:foo-bar-baz-qux
http://registry.example/urn:lead:a%2fb      302 https://lead.example/a%2Fb
/urn:lead:a%23b%3Fc%2Fd                     302 https://lead.example/a%23b%3Fc%2Fd
/urn:lead:a//b/../c                         302 https://lead.example/a//b/../c
/urn:lead:a%0d%0aSet-Cookie:x               302 https://lead.example/a%0D%0ASet-Cookie:x
/urn:lead:%FF%00                            302 https://lead.example/%FF%00
/urn:lead:a?=q/?=%20?+x                     302 https://lead.example/a?q/?=%20?+x
/urn:lead:a?+r                              302 https://lead.example/a
/urn:lead:a?+r?=q                           302 https://lead.example/a?q
/urn:query:7?=a=b                           302 https://query.example/?id=7&a=b#top
/urn:encodes:a%2Cb,c                        302 https://encodes.example/a%252Cb%2Cc
/urn:on:a?+r?=q                             302 https://on.example/urn:on:a?+r?=q
/urn:value:a?+r?=q=1&c                      302 https://on.example/?urn=urn:value:a%3F%2Br%3F%3Dq%3D1%26c&x=y
/urn:uri-res:a?+r?=q                        302 http://on.example/N2L?urn:uri-res:a?+r?=q
/urn:takes:a?+r?=q                          302 https://takes.example/a?+r&q
/urn:many:a                                 302 https://many.example/a
/urn:many:xy                                303 https://x.example/x/y
/urn:about:a                                303 https://about.example/a
/urn:none:a?=q                              303 /names/urn:none:a
/urn:quiet:a                                303 /names/urn:quiet:a
/urn:old:a                                  302 https://old.example/a
/urn:older:a                                303 /names/urn:older:a
/urn:equals:a                               300 https://one.example/a
/urn:spelled:ab-c                           302 https://s.example/ab-c
/urn:spelled:ABC                            302 https://s.example/ABC
/urn:spelled:b                              303 /names/urn:spelled:b
/urn:pairs:1234-567x                        302 https://pair.example/1234-567X
/urn:pairs:1234567X                         302 https://pair.example/1234-567X
/urn:formed:A-b                             302 https://formed.example/ab
/urn:script:a                               303 /names/urn:script:a
/urn:broken:a                               303 /names/urn:broken:a
/urn:gone:a                                 410 -
/urn:renamed:a                              410 -
/urn:nosuch:a                               404 -
/urn:lead:a?fbclid=x                        400 -
/urn:lead:a?                                400 -
/urn%3Alead%3Aa                             400 -
/urn:lead                                   400 -
/urn:                                       400 -
/urn:lead:%zz                               400 -
/names/                                     303 /names/under/
/names/urn:nosuch:a                         404 -
/names/urn:gone:a                           410 -
/names/urn:lead:a%252Fb                     200 -
/names/urn:lead:a/b?x                       200 -
"""
ROWS = [tuple(line.split()) for line in TABLE.splitlines() if line]


@pytest.mark.parametrize(("target", "status", "location"), ROWS, ids=[row[0] for row in ROWS])
def test_a_name_leads_where_its_rules_say(
    port: int, target: str, status: str, location: str
) -> None:
    for method in ("GET", "HEAD"):
        answer = ask(port, target, method, accept=JSON)
        assert answer.status == int(status)
        assert answer.headers.get("location", "-") == location
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cache-control"] == "no-cache"
        assert "set-cookie" not in answer.headers
        assert (method == "HEAD" and answer.body == b"") or (
            len(answer.body) == int(answer.headers["content-length"])
        )
        if int(status) in range(300, 400):
            assert "etag" not in answer.headers
            again = ask(port, target, method, If_None_Match="*", accept=JSON)
            assert again.status == int(status)


def test_what_else_knows_a_name_is_told_beside(port: int) -> None:
    answer = ask(port, "/urn:many:a?=q")
    assert answer.headers["link"] == (
        '</names/urn:many:a>; rel="describedby", '
        '<https://many.example/about/a?q>; rel="alternate"; service="I2C"'
    )
    assert answer.headers["urn-service"] == "I2L;registrant=?0"
    assert ask(port, "/urn:others:a").headers["urn-service"] == "I2L;registrant=?0"
    assert ask(port, "/urn:lead:a").headers["urn-service"] == "I2L;registrant=?1"
    assert "vary" not in answer.headers
    page = ask(port, "/names/urn:many:a", accept=HTML).body.decode()
    assert page.count("third-party site") == 1
    document = json.loads(ask(port, "/names/urn:many:a", accept=JSON).body)
    assert [one["kind"] for one in document["services"]] == ["I2L", "I2Ns", "I2C"]


@pytest.mark.parametrize(
    ("accept", "language", "way", "status"),
    [
        ("*/*", "", "en", 302),
        ("text/html", "fi, en;q=0.5", "fi", 302),
        ("text/html", "fi-FI", "en", 302),
        ("text/html", "sv", "en", 302),
        ("application/json", "fi", "data", 303),
        ("text/html;q=0, */*", "", "data", 303),
        ("image/png", "fi", "fi", 302),
        ("\xff;;q=x", "\xff,,;q=2", "en", 302),
    ],
)
def test_accept_chooses_among_services_that_declare_a_type_and_a_language(
    port: int, accept: str, language: str, way: str, status: int
) -> None:
    answer = ask(port, "/urn:typed:a", accept=accept, Accept_Language=language)
    assert (answer.status, answer.headers["location"]) == (status, f"https://typed.example/{way}/a")
    assert answer.headers["vary"] == "Accept, Accept-Language"
    assert 'type="text/html"; hreflang="' in answer.headers["link"]


# What Accept-Language says, and the services in the order in which they are told.
LANGUAGES = """
                                  en fi sv any
*                                 en fi sv any
fi                                fi en sv any
FI                                fi en sv any
en;q=0.3, fi;q=0.7                fi en sv any
fi;q=0.7,en;q=0.3,sv;q=0.9        sv fi en any
en;q=0.5, fi;q=0.50, sv;q=0.500   en fi sv any
sv, en;q=0.5                      sv en fi any
sv-FI;q=0.1, sv;q=0.9, en;q=0.5   en sv fi any
sv-SE, fi;q=0.1                   fi en sv any
fi-FI, fi;q=0.9, en;q=0.8         fi en sv any
fi-FI                             en fi sv any
da, en-gb;q=0.8, en;q=0.7         en fi sv any
de, *;q=0.5                       en fi sv any
en;q=0.2, *;q=0.5                 fi sv en any
en;q=0                            fi sv any en
en;q=0, fi;q=0.001                fi sv any en
en;q=0, fi;q=0, sv;q=0            any en fi sv
en;q=0, *                         fi sv any en
fi;q=2, sv;q=0.1                  sv en fi any
fi;q=x                            en fi sv any
"""
SPOKEN = [(line[:34].strip(), line[34:].split()) for line in LANGUAGES.splitlines() if line]


@pytest.mark.parametrize(("language", "order"), SPOKEN, ids=[row[0] for row in SPOKEN])
def test_languages_with_weights_choose_among_services_that_declare_one(
    port: int, language: str, order: list[str]
) -> None:
    """What declares no language keeps its place; what is refused is told after all others."""
    answer = ask(port, "/urn:spoken:a", Accept_Language=language)
    told = [answer.headers["location"], *re.findall("<(https:[^>]*)>", answer.headers["link"])]
    assert told == [f"https://spoken.example/{one}/a" for one in order]
    assert answer.headers["vary"] == "Accept, Accept-Language"


def test_equals_are_offered_to_choose_from(port: int) -> None:
    listed = ask(port, "/urn:equals:a", accept="text/uri-list")
    assert listed.body == b"# urn:equals:a\r\nhttps://one.example/a\r\nhttps://two.example/a\r\n"
    page = ask(port, "/urn:equals:a", accept=HTML)
    assert page.headers["vary"] == "Accept"
    for address in (b'href="https://one.example/a"', b'href="https://two.example/a"'):
        assert address in page.body


def test_a_deprecated_namespace_resolves_and_says_what_to_use_instead(port: int) -> None:
    for target in ("/urn:old:a", "/urn:older:a", "/urn:renamed:a", "/names/urn:old:a"):
        answer = ask(port, target, accept=HTML)
        assert '</namespaces/lead>; rel="successor-version"' in answer.headers["link"]
    assert ask(port, "/urn:old:a").body == (
        b"The namespace `old` is deprecated. Use `lead` for new names.\n"
    )
    page = ask(port, "/names/urn:old:a", accept=HTML).body.decode()
    assert page.count("is deprecated") == 1
    assert "older" not in page
    assert ask(port, "/urn:renamed:a", accept=HTML).body.count(b"former name") == 0


def test_what_is_wrong_is_said_to_people_and_to_programs(port: int) -> None:
    target = "/urn:lead:a?fbclid=x&y=<b>"
    document = json.loads(ask(port, target).body)
    assert (document["position"], document["corrected"]) == (10, "urn:lead:a")
    assert ask(port, target).headers["content-type"] == "application/problem+json"
    page = ask(port, target, accept=HTML)
    assert 'href="/urn:lead:a"' in page.body.decode()
    assert b"<b>" not in page.body
    assert "content-security-policy" in page.headers
    unknown = ask(port, "/urn:nosuch:a", accept=HTML).body.decode()
    assert 'href="https://registry.example/requests/new"' in unknown
    asked = json.loads(ask(port, "/urn:nosuch:a").body)
    assert asked["request_a_name"] == "https://registry.example/requests/new"


@pytest.mark.parametrize("target", ["/names/urn:lead:a", "/urn:exact:a", "/urn:equals:a"])
def test_a_page_of_a_name_is_made_once_for_a_request(
    port: int, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    page = NamePages.page

    def watched(self: NamePages, *given: Any) -> str:
        made.append(given)
        return page(self, *given)

    monkeypatch.setattr(NamePages, "page", watched)
    known = ask(port, target, accept=HTML)
    assert len(made) == 1
    etag = known.headers.get("etag", "none")
    assert ask(port, target, accept=HTML, If_None_Match=etag).status in (304, known.status)
    assert len(made) == 2


@pytest.mark.parametrize(
    ("target", "judged"),
    [
        ("/names/urn:lead:a", 1),
        ("/names/urn:lead:a%252f", 2),
        ("/urn:equals:a", 1),
        ("/urn:exact:a", 1),
        ("/urn:exact:a%2f", 2),
        ("/urn:nosuch:a", 1),
        ("/urn:a b", 1),
    ],
)
def test_a_program_waits_for_no_page_and_a_name_is_judged_once(
    port: int, target: str, judged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def watched(text: str, book: RuleBook) -> Judgement:
        asked.append(text)
        return judge_text(text, book)

    def refused(*_given: object) -> str:
        raise AssertionError("a page is made for who wants none")

    monkeypatch.setattr("app.published.names.name_resolver.judge_text", watched)
    monkeypatch.setattr(NamePages, "page", refused)
    answer = ask(port, target.replace(" ", "%20"), accept=f"application/problem+json, {JSON}")
    assert answer.headers["content-type"] in (JSON, "application/problem+json")
    assert json.loads(answer.body)["outcome"]
    assert len(asked) == judged


def test_what_was_answered_on_one_day_is_no_answer_of_another() -> None:
    known, answer = (
        AnswerCache[HttpAnswer](),
        HttpAnswer(302, [("Location", "https://was.example/a")]),
    )
    for _ in range(2):
        known.keep("urn:dated:a", "2026-06-30", answer)
    assert known.find("urn:dated:a", "2026-06-30") is answer
    assert known.find("urn:dated:a", "2026-07-01") is None
    for _ in range(2):
        known.keep("urn:lead:a", "2026-07-01", answer)
    assert known.find("urn:dated:a", "2026-07-01") is None
    assert known.find("urn:lead:a", "2026-07-01") is answer


def test_of_what_is_asked_once_no_answer_is_kept() -> None:
    known, answer, day = AnswerCache[HttpAnswer](), HttpAnswer(302, []), "2026-07-01"
    for number in range(2):
        known.keep(f"urn:lead:{number}", day, answer)
        assert known.find(f"urn:lead:{number}", day) is None
    known.keep("urn:lead:0", day, answer)
    assert known.find("urn:lead:0", day) is answer


def test_answers_are_forgotten_where_too_many_names_were_asked_for() -> None:
    known, answer, day = AnswerCache[HttpAnswer](), HttpAnswer(302, []), "2026-07-01"
    for number in (0, *range(4_096)):
        known.keep(f"urn:lead:{number}", day, answer)
    assert known.find("urn:lead:0", day) is answer
    known.keep("urn:lead:4096", day, answer)
    assert known.find("urn:lead:0", day) is None


@pytest.mark.parametrize(("length", "is_kept"), [(600, True), (601, False)])
def test_of_a_name_longer_than_600_octets_no_answer_is_kept(length: int, is_kept: bool) -> None:
    known, answer, day = AnswerCache[HttpAnswer](), HttpAnswer(302, []), "2026-07-01"
    for _ in range(3):
        known.keep("a" * length, day, answer)
    assert (known.find("a" * length, day) is answer) == is_kept


def test_a_page_of_a_name_is_known_by_its_tag(port: int) -> None:
    path = "/names/urn:lead:a"
    html, data = ask(port, path, accept=HTML), ask(port, path, accept=JSON)
    assert (html.headers["vary"], data.headers["vary"]) == ("Accept", "Accept")
    assert len({html.headers["etag"], data.headers["etag"]}) == 2
    for known in (html, data):
        sent = {"accept": known.headers["content-type"], "If_None_Match": known.headers["etag"]}
        assert ask(port, path, **sent).status == 304
    past = "Thu, 01 Jan 2037 00:00:00 GMT"
    assert ask(port, path, accept=HTML, If_Modified_Since=past).status == 200
    assert ask(port, path, accept=HTML, If_Match='"other"').status == 412
    assert ask(port, path, accept="image/png").status == 406
    assert 'rel="canonical" href="https://registry.example/names/urn:lead:a"' in str(html.body)


@pytest.mark.parametrize("target", ["/urn:lead:a", "/names/urn:lead:a"])
def test_names_are_read_and_nothing_else(port: int, target: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE"):
        answer = ask(port, target, method)
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    preflight = ask(port, target, "OPTIONS", Access_Control_Request_Method="GET")
    assert (preflight.status, preflight.body) == (204, b"")
    assert preflight.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    assert ask(port, target).headers["access-control-expose-headers"] == "*"


def test_eight_kilobytes_are_taken_and_no_more(port: int) -> None:
    name = "/urn:lead:" + "a" * (8192 - len("/urn:lead:"))
    answer = ask(port, name)
    assert (answer.status, len(answer.headers["location"])) == (302, 8192 - 10 + 21)
    assert "link" not in answer.headers or len(answer.headers["link"]) < 4_096
    assert ask(port, f"{name}a").status == 414
    assert ask(port, f"{name}a", accept=HTML).status == 414


def test_a_page_of_a_name_says_where_it_stands(port: int) -> None:
    for target, links in (
        ("/names/urn:lead:a", ["/assignments/urn-namespaces/", "/namespaces/lead"]),
        ("/urn:exact:a", ["/assignments/urn-namespaces/", "/namespaces/exact"]),
        ("/urn:nosuch:a", ["/assignments/urn-namespaces/"]),
        ("/urn:", ["/assignments/urn-namespaces/"]),
    ):
        page = ask(port, target, accept=HTML).body.decode()
        crumbs = page.partition('<nav class="crumbs" aria-label="Breadcrumb">')[2]
        assert re.findall('href="([^"]*)"', crumbs.partition("</nav>")[0]) == links


def test_equivalent_names_get_the_same_page(port: int) -> None:
    pages = {ask(port, f"/names/{urn.replace('#', '%23')}", accept=HTML).body for urn in RESTS}
    assert len(pages) == 1


def test_a_name_that_is_not_possible_says_by_which_clause(port: int) -> None:
    answer = ask(port, "/urn:exact:a")
    assert answer.status == 404
    document = json.loads(answer.body)
    assert (document["outcome"], document["possibility"]) == ("impossible", "impossible")
    assert document["grounds"][0]["source"]
    assert ask(port, "/urn:exact:12").status == 303


def test_who_looks_for_an_example_or_a_number_is_told_where(port: int) -> None:
    wrong, right = (ask(port, f"/names/urn:exact:{nss}", accept=HTML).body for nss in ("a", "12"))
    assert b'href="/namespaces/exact#its_names"' in wrong
    assert b"#its_names" not in right
    number = ask(port, "/urn:urn-99:x", accept=HTML).body.decode()
    assert "the numbers of informal namespaces" in number
    assert "is available" not in number
    assert "is available" in ask(port, "/urn:nosuch:x", accept=HTML).body.decode()


def test_a_wrong_check_character_is_corrected_for_people_and_for_programs(port: int) -> None:
    target, right = "/urn:checked:978-951-0-18435-7", "urn:checked:978-951-0-18435-6"
    document = json.loads(ask(port, target).body)
    assert (document["status"], document["corrected"]) == (404, right)
    assert right in ask(port, target, accept=HTML).body.decode()
    assert ask(port, f"/{right}").status == 302


def test_without_rules_a_copy_says_so(tmp_path: Path) -> None:
    for folder in (tmp_path / "none", tmp_path / "old"):
        folder.mkdir()
    make_bundle().lay_out(tmp_path / "old")
    for name, status in (("none", 503), ("old", 404)):
        with serving(ConnectionLimits(), create_asgi_of_copy(tmp_path / name)) as port:
            assert ask(port, "/urn:isbn:1").status == status
