"""The form "Follow it" of the tool for ARKs: what each hop said, and what was reached."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.config import Settings
from app.factory import hop_probe
from app.outside.work_queue import ASKING
from app.resolution.reference_resolution import ReferenceResolution
from app.services.accounts.rate_limits import LIMITS, RateLimitKind
from app.services.accounts.sign_in import Client
from app.services.names import rule_book
from app.services.refusals import RateLimitExceeded
from app.store.database import db
from tests.attack.tables.texts import MARK, SHARP
from tests.conftest import START
from tests.outside.test_fetching import replying, serving, whole
from tests.outside.test_hop_probe import followed, probe
from tests.outside.test_service_probe import INSIDE, OUTSIDE
from tests.web.conftest import MakeWorld, World
from tests.web.visitor import Page
from tests.web.wellmade import faults

ON_SQLITE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
Follow = Callable[..., Page]


@pytest.fixture(scope="module")
def site(make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world that counts what is asked of others."""
    return make_world(tmp_path_factory.mktemp("site"))


@pytest.fixture
def follow(site: World, monkeypatch: pytest.MonkeyPatch) -> Follow:
    """Sends the form; servers give what the test says, the last of it for ever."""

    def follow_(*answers: tuple[int, str | None], ark: str = "ark:12345/x", **given: str) -> Page:
        def walk(resolution: ReferenceResolution) -> ReferenceResolution:
            assert not db.session().in_transaction(), "nothing is held while others are asked"
            left = [*answers]
            while resolution.end is None:
                resolution = resolution.answered(*(left.pop(0) if len(left) > 1 else left[0]))
            return resolution

        monkeypatch.setitem(site.app.extensions, "hop_probe", walk)
        return site.visitor().post("/tools/ark", {"ark": ark, **given})

    return follow_


@ON_SQLITE
def test_each_hop_is_a_row_and_what_was_reached_is_said_in_words(follow: Follow) -> None:
    page = follow((302, "https://a.example/x"), (303, "/about"), (200, None), ark="ark:12345/x#p2")
    assert page.status == 200
    assert faults(page) == []
    assert "A related resource was found." in page.words
    assert [cell.text_content() for cell in page.each("//table//tr[3]/td")][:2] == [
        "3",
        "GET https://a.example/about",
    ]
    assert page.text("//table//tr[2]/td[3]") == "303, redirects to a related resource"
    assert page.values("href", "a[@rel]") == ["https://a.example/about#p2"]
    assert "The object was found." in follow((200, None)).words
    assert (
        "The requested information was found." in follow((200, None), ark="ark:12345/x?info").words
    )
    nothing = follow((404, None))
    assert "Nothing was found. The resolver has no location" in nothing.words
    assert nothing.status == 200


@ON_SQLITE
def test_resolver_and_method_can_be_chosen_and_an_ark_is_read_out_of_an_address(
    follow: Follow,
) -> None:
    own = {"resolver": "https://r.example/a/", "method": "HEAD"}
    page = follow((302, "/b"), (200, None), ark="https://n2t.net/ark:/12345/x", **own)
    assert page.text("//table//tr[1]/td[2]") == "HEAD https://r.example/a/ark:/12345/x"
    assert page.values("value", 'input[@id="resolver"]') == [own["resolver"]]


@ON_SQLITE
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ark": "urn:isbn:1"}, "An ARK starts with ark:"),
        ({"resolver": "ftp://a.example"}, "The ARK URI scheme section 7.1"),
        ({"resolver": "https://a.example/\r\nX: y"}, "a carriage return"),
        ({"resolver": f"https://{MARK}"}, "must be percent-encoded"),
        ({"method": "DELETE"}, "Choose GET or HEAD."),
    ],
)
def test_what_cannot_be_followed_is_told_at_its_field_and_asks_nobody(
    follow: Follow, given: dict[str, str], said: str
) -> None:
    page = follow(**given)  # no server has an answer, and asking one would raise
    assert page.status == 422
    assert faults(page) == []
    assert said in page.words
    assert SHARP not in page.html


@ON_SQLITE
@pytest.mark.parametrize(
    "location",
    [
        "javascript:alert(1)//" + "x" * 400,
        f"https://a.example/{MARK}",
        "https://a.example/\u202e",
        "data:text/html,%3Cscript%3E",
        "/" + "x" * 100_000,
    ],
)
def test_what_a_hostile_server_says_is_neither_markup_nor_a_link(
    follow: Follow, location: str
) -> None:
    page = follow((302, location), (200, None))
    assert page.status == 200
    assert len(page.html) < 50_000
    assert not any(mark in page.html for mark in (SHARP, "\u202e", "<script>zq"))
    assert page.each('//a[starts-with(@href, "javascript") or starts-with(@href, "data")]') == []


def test_an_address_that_is_private_is_refused_in_a_sentence() -> None:
    with serving(replying(whole(b"", "302 There", "Location: http://inside.example/"))) as url:
        hosts = {"resolver.example": [OUTSIDE], "inside.example": [INSIDE]}
        resolution = followed(url, probe(lambda host, _port: hosts[host]))
    assert resolution.hops[-1].fault == ("The address or port isn’t public.")


@ON_SQLITE
def test_whoever_comes_while_another_is_followed_keeps_what_was_typed(follow: Follow) -> None:
    with ASKING.turn():
        page = follow((200, None))
    assert (page.status, page.headers["Retry-After"]) == (503, "5")
    assert page.values("value", 'input[@id="ark"]') == ["ark:12345/x"]


@ON_SQLITE
def test_a_site_that_asks_nobody_says_so_and_names_the_command(site: World) -> None:
    page = site.visitor().get("/tools/ark")
    assert "This site doesn't contact other servers." in page.words
    sent = site.visitor().post("/tools/ark", {"ark": "ark:12345/x"})
    assert sent.status == 403
    assert "urn-registry ark resolve" in sent.words


def test_so_much_is_asked_of_others_in_a_while_for_each_client_and_in_all(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, most in ((RateLimitKind.ARKS_OF_CLIENT, 1), (RateLimitKind.ARKS, 2)):
        monkeypatch.setitem(LIMITS, kind, replace(LIMITS[kind], most=most))
    begun = ReferenceResolution.__new__(ReferenceResolution)  # nobody looks at it

    def ask(address: str) -> str:
        try:
            client = Client(f"{address}/32", "192.0.2.0/24")
            rule_book.follow_ark(begun, lambda one: one, client, START, "secret")
        except RateLimitExceeded as error:
            return str(error)
        return ""

    with fresh.app.app_context():
        assert ask("192.0.2.1") == ""
        assert "1 ARKs were already resolved for your connection. Try again" in ask("192.0.2.1")
        assert ask("192.0.2.2") == ""
        assert "resolving too many ARKs" in ask("192.0.2.3")


@pytest.mark.parametrize(
    ("given", "asks"),
    [
        ({"base_url": "https://registry.example"}, True),
        ({"base_url": "https://registry.example", "follow_arks": False}, False),
        ({"base_url": "http://127.0.0.1:8000"}, False),
        ({"base_url": "http://localhost:8000", "demo": True}, False),
    ],
)
def test_a_real_site_alone_asks_others(given: dict[str, str], asks: bool, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, **given)  # type: ignore[arg-type]  # as the test says
    assert (hop_probe(settings) is not None) is asks
