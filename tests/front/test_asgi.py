"""The whole site by ASGI: the planes, who is let in, and what is said when something breaks."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from app.config import BadSetting, Settings
from app.factory import create_asgi, create_asgi_of_copy
from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.front.gateway import WsgiGateway
from app.problems import problem_documents
from app.problems.problem_documents import RefusalLog
from app.published.plane import PublishedPlane
from tests.attack.test_demo import ELSEWHERE
from tests.front.asgi_client import Told, ask
from tests.published.bundles import PAGE, SESSION, XML, make_bundle, pack

HTML = "text/html"
HSTS = "strict-transport-security"
OPEN = Admission("http://127.0.0.1", demo=False)


def telling(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{environ['REQUEST_METHOD']} ".encode(), environ["wsgi.input"].read()]


def failing(_environ: WSGIEnvironment, _start_response: StartResponse) -> Iterable[bytes]:
    raise ZeroDivisionError


def asked(
    folder: Path, *targets: str, behind: WSGIApplication = telling, **given: Any
) -> list[Told]:
    async def run() -> list[Told]:
        front = AsgiFront(PublishedPlane(folder, True, SESSION), OPEN, WsgiGateway(behind))
        return [await ask(front, target, **given) for target in targets]

    return asyncio.run(run())


def test_what_is_published_is_answered_before_anything_behind(tmp_path: Path) -> None:
    make_bundle().lay_out(tmp_path)
    page, file, own, other = asked(tmp_path, PAGE, XML, f"{PAGE}?q=x", "/requests/")
    assert (page.status, file.status) == (200, 200)
    assert own.body == other.body == b"GET "
    (unchanged,) = asked(tmp_path, XML, If_None_Match=file.headers["etag"])
    assert (unchanged.status, unchanged.body) == (304, b"")
    (sent,) = asked(tmp_path, PAGE, method="POST", body=b"a form")
    assert sent.body == b"POST a form"


def test_a_new_edition_is_answered_from_as_soon_as_it_is_there(tmp_path: Path) -> None:
    async def run() -> None:
        make_bundle(1).lay_out(tmp_path)
        front = AsgiFront(PublishedPlane(tmp_path, patience=60), OPEN)
        first = await ask(front, XML)
        make_bundle(2).lay_out(tmp_path)
        second = await asyncio.gather(*(ask(front, XML) for _ in range(5)))
        assert {one.headers["etag"] for one in second} == {second[0].headers["etag"]}
        assert second[0].headers["etag"] != first.headers["etag"]

    asyncio.run(run())


def test_a_fault_behind_is_said_in_words_and_leaves_the_rest_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make_bundle().lay_out(tmp_path)
    fault, file = asked(tmp_path, "/requests/?token=secret", XML, behind=failing)
    assert (fault.status, file.status) == (500, 200)
    assert b"Something went wrong" in fault.body
    assert "ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text


@pytest.fixture
def intervals(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    ends: list[Callable[[], None]] = []
    fresh = RefusalLog(lambda _seconds, end: ends.append(end))
    monkeypatch.setattr(problem_documents, "refusal_log", fresh)
    return ends


def test_a_flood_of_refusals_is_one_line_per_class_and_interval(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, intervals: list[Callable[[], None]]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert {told.status for told in asked(empty, *[XML] * 5)} == {503}
    assert {told.status for told in asked(tmp_path, *["/r"] * 3, behind=failing)} == {500}
    begun = [one for one in caplog.messages if one.startswith("refused")]
    assert [one.partition(" (")[0] for one in begun] == [
        "refused with 503 edition_awaited",
        "refused with 500 fault",
    ]
    for end in list(intervals):
        end()
    said = [one for one in caplog.messages if one.startswith("refused")][2:]
    assert said == [
        "refused 4 more in 60 s with 503 edition_awaited",
        "refused 2 more in 60 s with 500 fault",
    ]
    for end in intervals[2:]:
        end()
    assert len([one for one in caplog.messages if one.startswith("refused")]) == 4, "it is over"
    asked(empty, XML)
    assert caplog.messages[-1].startswith("refused with 503 edition_awaited (")


def test_ordinary_refusals_are_not_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, intervals: list[Callable[[], None]]
) -> None:
    make_bundle().lay_out(tmp_path)
    (told,) = asked(tmp_path, XML, If_Match='"of another edition"')
    assert told.status == 412
    assert caplog.messages == []
    assert not intervals


def test_a_file_that_is_too_long_for_memory_comes_whole(tmp_path: Path) -> None:
    long = bytes(range(256)) * 10_000
    pack({XML: ("application/xml", long)}).lay_out(tmp_path)
    whole, part = (
        asked(tmp_path, XML)[0],
        asked(tmp_path, XML, Range="bytes=1000000-2000000")[0],
    )
    assert (whole.status, whole.body) == (200, long)
    assert (part.status, part.body) == (206, long[1_000_000:2_000_001])


class _Pieces:
    def __init__(self) -> None:
        self.is_closed = False

    def __iter__(self) -> Any:
        while True:
            yield b"x" * 1_000

    def close(self) -> None:
        self.is_closed = True


def test_a_connection_that_is_cut_lets_the_file_go(tmp_path: Path) -> None:
    pieces, gone = _Pieces(), asyncio.Event()
    count = 0

    async def receive() -> Any:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(_message: Any) -> None:
        nonlocal count
        count += 1
        if count == 10:
            gone.set()
        await asyncio.sleep(0)

    async def run() -> None:
        front = AsgiFront(PublishedPlane(tmp_path), OPEN)
        await asyncio.wait_for(front._send_pieces(pieces, receive, send), 60)

    asyncio.run(run())
    assert pieces.is_closed


def whole(settings: Settings, run: Callable[[AsgiFront], Any]) -> Any:
    async def made() -> Any:
        return await run(create_asgi(settings))

    return asyncio.run(made())


def test_the_site_lives_though_its_database_is_away(tmp_path: Path) -> None:
    async def run(site: AsgiFront) -> None:
        for method in ("GET", "HEAD"):
            alive = await ask(site, "/healthz", method)
            assert alive.status == 200
            assert int(alive.headers["content-length"]) > len(alive.body) * (method == "HEAD")
        assert (await ask(site, "/healthz", "POST")).status == 405
        assert (await ask(site, "/readyz")).status == 503
        assert (await ask(site, "/sign-in", Accept=HTML)).status == 200
        assert (await ask(site, "/nowhere", Accept=HTML)).status in {404, 503}

    url = "postgresql://nobody@/none?host=/nowhere"
    whole(Settings(data_dir=tmp_path, database_url=url, secret_key="of a test"), run)


def test_every_answer_under_tls_says_so(tmp_path: Path) -> None:
    async def run(site: AsgiFront) -> None:
        for path in ("/", "/sign-in", "/static/ui.css", "/nowhere", "/healthz", "/%0A"):
            for method in ("GET", "HEAD", "POST", "BREW"):
                assert (await ask(site, path, method)).headers[HSTS] == "max-age=31536000"
        assert (await ask(site, "/", "POST", b"x" * 7_000_000)).status == 413

    url = "https://registry.example"
    whole(Settings(data_dir=tmp_path, secret_key="of a test", base_url=url), run)


def test_a_demonstration_answers_this_machine_alone(tmp_path: Path) -> None:
    async def run(site: AsgiFront) -> None:
        for headers in ELSEWHERE:
            given: dict[str, Any] = {
                name.replace("-", "_"): value for name, value in headers.items()
            }
            for path in ("/", "/sign-in", "/healthz", "/static/ui.css"):
                assert (await ask(site, path, **given)).status == 403, headers
        for peer in ("203.0.113.9", "::ffff:203.0.113.9"):
            assert (await ask(site, "/", peer=peer)).status == 403
        assert (await ask(site, "/healthz", version="1.0")).status == 403
        assert (await ask(site, "http://x.example/healthz")).status == 403
        assert (await ask(site, "/healthz")).status == 200
        assert HSTS not in (await ask(site, "/healthz")).headers

    whole(Settings(data_dir=tmp_path, secret_key="of a test", demo=True), run)
    public = Settings(data_dir=tmp_path, demo=True, base_url="https://registry.example")
    with pytest.raises(BadSetting, match="URN_REGISTRY_DEMO"):
        whole(public, lambda _: None)


def test_a_copy_says_itself_what_it_does_not_have(tmp_path: Path) -> None:
    make_bundle().lay_out(tmp_path)

    async def run() -> list[int]:
        site = create_asgi_of_copy(tmp_path)
        asked = ("/healthz", "/readyz", XML, "/requests/", "/%0a")
        return [(await ask(site, path)).status for path in asked]

    assert asyncio.run(run()) == [200, 200, 200, 404, 400]
