"""Following redirects over a real network: loopback, some of whose addresses stand for others."""

import socket
import time
from collections.abc import Sequence
from itertools import chain, repeat
from urllib.parse import urlsplit

import pytest

from app.identifiers.ark import parse_ark
from app.outside.hop_probe import HopProbe
from app.outside.http_fetcher import Fetcher, FetchFailed
from app.outside.public_connections import PublicDialer
from app.resolution.reference_resolution import (
    ReferenceResolution,
    ResolutionEnd,
    ResolutionMethod,
    begin_resolution,
    words_of,
)
from tests.outside.test_fetching import Answering, replying, serving, whole
from tests.outside.test_service_probe import INSIDE, KILL, OUTSIDE, LookUp, dripping, outside

ARK = "ark:12345/x5wf6789?info#top"


def probe(look_up: LookUp = outside, seconds: float = 20.0, public: str = OUTSIDE) -> HopProbe:
    dialer = PublicDialer(look_up, lambda address: address == public)
    return HopProbe("urn-registry (+https://registry.example)", seconds=seconds, dialer=dialer)


def followed(
    url: str, asking: HopProbe, method: ResolutionMethod = ResolutionMethod.GET, ark: str = ARK
) -> ReferenceResolution:
    prefix = f"http://resolver.example:{urlsplit(url).port}"
    return asking(begin_resolution(parse_ark(ark), prefix, method))


def noting(heads: list[bytes], *replies: bytes) -> Answering:
    left = chain(replies, repeat(replies[-1]))

    def answer(connection: socket.socket, head: bytes) -> None:
        heads.append(head)
        connection.sendall(next(left))

    return answer


@pytest.mark.parametrize("method", ResolutionMethod)
def test_each_hop_is_asked_by_the_method_that_was_chosen_and_without_the_fragment(
    method: ResolutionMethod,
) -> None:
    heads: list[bytes] = []
    replies = whole(b"", "302 There", "Location: ../b?", "Set-Cookie: a=b"), whole(b"")
    with serving(noting(heads, *replies)) as url:
        resolution = followed(url, probe(), method)
    lines = [head.split(b"\r\n")[0].decode() for head in heads]
    assert lines == [f"{method} /ark:12345/x5wf6789?info HTTP/1.1", f"{method} /b? HTTP/1.1"]
    assert all(b"(+https://registry.example)" in head for head in heads)
    assert not any(word in head for head in heads for word in (b"Cookie", b"Referer"))
    assert str(resolution.address).endswith("/b?#top")


@pytest.mark.parametrize(
    ("location", "end", "said"),
    [
        ("http://inside.example:{}/", ResolutionEnd.REQUEST_FAILED, "isn’t public"),
        ("//127.0.0.2:{}/", ResolutionEnd.REQUEST_FAILED, "isn’t public"),
        ("http://mail.example:25/", ResolutionEnd.REQUEST_FAILED, "isn’t public"),
        ("http://me:secret@a.example/", ResolutionEnd.REQUEST_FAILED, "a user name"),
        ("http:a.example", ResolutionEnd.REQUEST_FAILED, "no host"),
        ("http://a.example:99999/", ResolutionEnd.REQUEST_FAILED, "invalid port"),
        ("javascript:alert(1)", ResolutionEnd.INFLECTION, "http or https"),
        ("/x\r\n\tX: y", ResolutionEnd.LOCATION_INVALID, "invalid address"),
        ("http://b\xfccher.example/", ResolutionEnd.LOCATION_INVALID, "must be percent-encoded"),
        ("http://b%C3%BCcher.example:{}/", ResolutionEnd.REQUEST_FAILED, "isn’t public"),
        ("/" + "x" * 60_000, ResolutionEnd.LOCATION_INVALID, "more than 16,384 characters"),
        ("/" + "x" * 100_000, ResolutionEnd.REQUEST_FAILED, "isn’t HTTP"),
        ("/ark:12345/x5wf6789?info", ResolutionEnd.TOO_MANY_REDIRECTS, "form a loop"),
    ],
)
def test_a_hostile_location_leads_nowhere_and_is_told_plainly(
    location: str, end: ResolutionEnd, said: str
) -> None:
    def look_up(host: str, _port: int) -> Sequence[str]:
        return [OUTSIDE] if host == "resolver.example" else [INSIDE]

    asked: list[bytes] = []
    with serving(noting(asked, whole(b"secret"))) as inside:
        there = f"Location: {location.format(urlsplit(inside).port)}"
        with serving(replying(whole(b"", "302 There", there))) as url:
            resolution = followed(url, probe(look_up))
    words, _ = words_of(resolution)
    assert resolution.end is end
    assert said in words
    assert words.isprintable()
    assert asked == []


def test_by_its_own_rules_this_machine_is_not_asked() -> None:
    asked: list[bytes] = []
    with serving(noting(asked, whole(b"secret"))) as url:
        begun = begin_resolution(parse_ark(ARK), url)
        assert HopProbe("test", seconds=5)(begun).end is ResolutionEnd.REQUEST_FAILED
    assert asked == []


def test_all_hops_together_are_bounded_in_time_however_slow_each_server_is() -> None:
    moments = iter(range(0, 100, 4))
    dialer = PublicDialer(outside, lambda address: address == OUTSIDE)
    asking = HopProbe("test", seconds=10, dialer=dialer, clock=lambda: next(moments))
    with serving(replying(whole(b"", "302 There", "Location: x"))) as url:
        resolution = followed(url, asking)
    assert len(resolution.hops) == 3
    assert words_of(resolution)[0].endswith("longer than 10 seconds in total.")


def test_a_server_that_drips_is_not_waited_for() -> None:
    with dripping(b"HTTP/1.1 200 OK\r\n", b"X") as rest:
        resolution = followed(f"http{rest}", probe(seconds=0.4))
    assert "didn’t answer in time" in words_of(resolution)[0]


def test_time_that_runs_out_while_a_connection_opens_leaves_nothing_asked() -> None:
    heads: list[bytes] = []

    def look_up(_host: str, _port: int) -> Sequence[str]:
        time.sleep(0.3)
        return [OUTSIDE]

    dialer = PublicDialer(look_up, lambda _address: True)
    with serving(noting(heads, whole(b""))) as url:
        fetcher = Fetcher(timeout=KILL, deadline=0.1, opens=dialer.connecting)
        with pytest.raises(FetchFailed, match="longer than"):
            fetcher.head(url)
    assert heads == []
