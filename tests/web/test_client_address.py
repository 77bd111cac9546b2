"""Who asks: who connects, or whom proxies name that the operator trusts."""

import pytest
from flask import Flask

from app.config import BadSetting, read_settings
from app.services.accounts.sign_in import Client
from app.web.middleware.client_address import client, client_address, device_of
from tests.conftest import MakeApp

PROXY, CLIENT, LIAR = "10.0.0.2", "203.0.113.7", "198.51.100.1"
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def behind(make_app: MakeApp) -> Flask:
    """A site whose operator trusts the servers in front of it."""
    read = read_settings({"URN_REGISTRY_TRUSTED_PROXIES": "10.0.0.0/8, 127.0.0.1 ,::1, fd00::/8"})
    return make_app(trusted_proxies=read.trusted_proxies)


def seen(app: Flask, peer: str, *forwarded: str) -> str:
    """Who asks, by who connects and what the headers say."""
    headers = [("X-Forwarded-For", line) for line in forwarded]
    with app.test_request_context(environ_base={"REMOTE_ADDR": peer}, headers=headers):
        return str(client_address())


@pytest.mark.parametrize(
    ("forwarded", "who"),
    [
        ([CLIENT], CLIENT),
        ([f"{LIAR}, {CLIENT}"], CLIENT),
        ([LIAR, CLIENT], CLIENT),
        ([f"{CLIENT}, 10.9.9.9"], CLIENT),
        ([f"{CLIENT}, 127.0.0.1, fd00::7,10.1.1.1"], CLIENT),
        ([f"{CLIENT}:55012"], CLIENT),
        (["2001:db8::7"], "2001:db8::7"),
        (["[2001:db8::7]:443"], "2001:db8::7"),
        (["[2001:db8::7]"], "2001:db8::7"),
        ([f"::ffff:{CLIENT}"], CLIENT),
        ([], PROXY),
        ([""], PROXY),
        ([" , ,"], PROXY),
        (["unknown"], PROXY),
        (["localhost"], PROXY),
        (["999.1.1.1"], PROXY),
        (["10.1.1.1"], "10.1.1.1"),
        (["garbage, 10.1.1.1"], "10.1.1.1"),
        ([f"{LIAR}, <script>"], PROXY),
        (["1" * 9000], PROXY),
        ([f"{CLIENT}," * 5000 + CLIENT], CLIENT),
        (["10.1.1.1," * 5000], PROXY),
        (["\x00\xff"], PROXY),
    ],
)
def test_the_right_most_address_that_is_no_trusted_proxys_counts(
    behind: Flask, forwarded: list[str], who: str
) -> None:
    assert seen(behind, PROXY, *forwarded) == who


def test_whoever_connects_past_the_proxies_is_not_believed(behind: Flask) -> None:
    assert seen(behind, LIAR, CLIENT) == LIAR


@pytest.mark.parametrize("peer", [PROXY, "127.0.0.1", LIAR])
def test_without_trusted_proxies_nobody_is_believed(make_app: MakeApp, peer: str) -> None:
    app = make_app()
    assert seen(app, peer, CLIENT) == peer
    headers = {"Forwarded": f"for={CLIENT}", "X-Real-IP": CLIENT}
    with app.test_request_context(environ_base={"REMOTE_ADDR": peer}, headers=headers):
        assert str(client_address()) == peer


@pytest.mark.parametrize(
    ("peer", "address", "network"),
    [
        (CLIENT, "203.0.113.7/32", "203.0.113.0/24"),
        ("2001:db8:1:2:3::7", "2001:db8:1:2::/64", "2001:db8:1::/56"),
        ("::ffff:203.0.113.7", "203.0.113.7/32", "203.0.113.0/24"),
        ("127.0.0.1", "", ""),
        ("::1", "", ""),
        ("::ffff:127.0.0.1", "", ""),
        ("", "", ""),
    ],
)
def test_a_client_is_known_roughly_and_this_machine_not_at_all(
    make_app: MakeApp, peer: str, address: str, network: str
) -> None:
    with make_app().test_request_context(environ_base={"REMOTE_ADDR": peer}):
        assert client() == Client(address, network, "Another program")


@pytest.mark.parametrize("peer", [PROXY, "127.0.0.1", "::1"])
@pytest.mark.parametrize("forwarded", [["127.0.0.1"], ["::1"], [f"{LIAR}, 127.0.0.1"], []])
def test_behind_a_trusted_proxy_a_loopback_address_is_limited(
    behind: Flask, peer: str, forwarded: list[str]
) -> None:
    headers = [("X-Forwarded-For", line) for line in forwarded]
    with behind.test_request_context(environ_base={"REMOTE_ADDR": peer}, headers=headers):
        assert client().address
        assert client().network


@pytest.mark.parametrize("value", ["10.0.0.1/8", "proxy.example", "10.0.0.0/33", "*"])
def test_what_is_no_network_is_refused(value: str, database_url: str) -> None:
    with pytest.raises(BadSetting, match="URN_REGISTRY_TRUSTED_PROXIES: enter networks"):
        read_settings({"URN_REGISTRY_TRUSTED_PROXIES": value})


_AGENTS = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36": "Chrome on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0": "Edge on Windows",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Safari/605.1.15": "Safari on a Mac",
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Mobile Safari/537.36": "Chrome on Android",
    "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0": "Firefox on Linux",
    "curl/8.5.0": "Another program",
    "": "Another program",
    "<script>alert(1)</script>" * 10_000: "Another program",
}


@pytest.mark.parametrize(("agent", "words"), _AGENTS.items())
def test_a_browser_is_told_in_two_words(agent: str, words: str, database_url: str) -> None:
    assert device_of(agent) == words
