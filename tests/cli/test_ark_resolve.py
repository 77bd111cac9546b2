"""``ark resolve`` with a real server of HTTP, which stands for the Internet."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from app.commands import ark_resolution_commands
from app.outside.hop_probe import HopProbe
from app.outside.public_connections import PublicDialer
from tests.cli.conftest import Run

ANSWERS: dict[str, tuple[int, str | None]] = {
    "/ark:12345/thing": (302, "/landing"),
    "/ark:12345/person": (303, "/landing"),
    "/ark:12345/mail": (302, "mailto:curator@a.example"),
    "/ark:12345/thing?info": (200, None),
    "/ark:12345/4%D0%B1": (302, "//other.example:{port}/landing"),
    "/ark:12345/circle": (307, "circle"),
    "/landing": (200, None),
}


class Resolver(BaseHTTPRequestHandler):
    def _answer(self) -> None:
        status, location = ANSWERS.get(self.path, (404, None))
        self.send_response(status)
        if location is not None:
            port = self.connection.getsockname()[1]
            self.send_header("Location", location.format(port=port))
        self.end_headers()

    do_GET = do_HEAD = _answer  # noqa: N815  the names that the standard library asks for

    def log_message(self, *_: object) -> None: ...


@contextmanager
def resolving() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Resolver)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://resolver.example:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    dialer = PublicDialer(lambda *_: ["127.0.0.1"], lambda _address: True)
    asking = HopProbe("test", seconds=20, dialer=dialer)
    monkeypatch.setattr(ark_resolution_commands, "hop_probe", lambda: asking)
    monkeypatch.setattr(ark_resolution_commands, "PAUSE", 0.0)
    with resolving() as prefix:
        yield prefix


@pytest.mark.parametrize("method", ["GET", "head"])
def test_each_ark_is_followed_to_its_end_and_told_on_a_line(
    run: Run, resolver: str, method: str
) -> None:
    lines = (
        "ark:12345/thing#p3\nark:12345/person\nark:12345/mail\nark:12345/thing?info\nark:12345/4б\n"
    )
    code, out, words = run(
        *("ark", "resolve", "--resolver", resolver, "--method", method, "-"), stdin=lines.encode()
    )
    assert (code, words) == (0, "")
    found = [json.loads(line) for line in out.splitlines()]
    assert [one["input"] for one in found] == lines.split("\n")[:-1]
    assert [(one["end"], one["state"]) for one in found] == [
        ("referent", "direct"),
        ("related", "related"),
        ("referent", "direct"),
        ("inflection", "direct"),
        ("referent", "direct"),
    ]
    assert found[0]["address"] == f"{resolver}/landing#p3"
    assert found[2]["address"] == "mailto:curator@a.example"
    assert found[4]["hops"][1]["address"].startswith("http://other.example:")
    assert found[0]["hops"] == [
        {
            "method": method.upper(),
            "address": f"{resolver}/ark:12345/thing",
            "status": 302,
            "location": "/landing",
            "repeated": False,
            "fault": None,
        },
        {
            "method": method.upper(),
            "address": f"{resolver}/landing",
            "status": 200,
            "location": None,
            "repeated": False,
            "fault": None,
        },
    ]


def test_what_leads_nowhere_or_is_no_ark_ends_with_one(run: Run, resolver: str) -> None:
    code, out, _ = run(
        *("ark", "resolve", "--resolver", resolver, "--max-redirects", "6"),
        *("ark:12345/none", "ark:12345/circle", "ark:12345", "ark:12345/thing"),
    )
    none, circle, wrong, thing = map(json.loads, out.splitlines())
    assert code == 1
    assert (none["end"], none["resolved"]) == ("error status", False)
    assert (circle["end"], len(circle["hops"])) == ("too many redirects", 7)
    assert (wrong["valid"], wrong["error"]["code"]) == (False, "name_missing")
    assert thing["resolved"]


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--max-redirects", "4", "at least 5 (The ARK URI scheme section 7.1.3)"),
        ("--max-redirects", "٧", "at least 5"),
        ("--max-redirects", "9" * 5_000, "5 to 100 redirects"),
        ("--method", "POST", "invalid choice"),
        ("--resolver", "ftp://n2t.net", "(The ARK URI scheme section 7.1)"),
        ("--resolver", "https://me@n2t.net", "contains a user name"),
    ],
)
def test_an_option_that_the_algorithm_does_not_take_is_refused_with_the_rule(
    run: Run, option: str, value: str, said: str
) -> None:
    code, out, words = run("ark", "resolve", option, value, "ark:12345/x")
    assert (code, out) == (2, "")
    assert said in " ".join(words.split())


def test_without_the_test_this_machine_is_not_asked(run: Run) -> None:
    with resolving() as prefix:
        local = prefix.replace("resolver.example", "127.0.0.1")
        code, out, _ = run("ark", "resolve", "--resolver", local, "ark:12345/thing")
    assert code == 1
    assert "isn’t public" in json.loads(out)["words"]
