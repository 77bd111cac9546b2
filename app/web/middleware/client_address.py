"""Where a request comes from and by what, as far as it can be believed; kept roughly, if at all."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from flask import request

from app.services.accounts.sign_in import Client
from app.web.middleware.session import settings

Address = IPv4Address | IPv6Address
_MOST_HOPS = 20
_WITH_PORT = re.compile(r"\[([0-9a-fA-F:.]{2,45})\](?::\d{1,5})?|(\d[\d.]{6,14}):\d{1,5}")
# IPv4, IPv6: who shares a connection, and what one customer of a provider has at most
_CONNECTION, _NETWORK = {4: 32, 6: 64}, {4: 24, 6: 56}
_LONGEST_BROWSER = 1000
# the first that is found: browsers name those that they resemble as well
_BROWSERS = (
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "a Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def client_address() -> Address | None:
    """Who asks: who connects, or whom the declared proxies name; None where nobody can tell.

    Of ``X-Forwarded-For`` the right-most address counts that is not a trusted proxy's: what
    stands to its left anybody can write. Where it makes no sense, the last proxy that does
    counts. ``Forwarded`` (RFC 7239) is not read.
    """
    address = _read(request.remote_addr or "")
    for hop in _hops():
        if address is None or not _is_trusted(address):
            return address
        before = _read(hop)
        if before is None:
            return address
        address = before
    return address


def _hops() -> Iterator[str]:
    written = ",".join(request.headers.getlist("X-Forwarded-For"))
    yield from reversed(written.rsplit(",", _MOST_HOPS)[-_MOST_HOPS:])


def _read(text: str) -> Address | None:
    found = _WITH_PORT.fullmatch(text.strip())
    try:
        address = ip_address((found[1] or found[2]) if found else text.strip())
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def _is_trusted(address: Address) -> bool:
    return any(address in network for network in settings().trusted_proxies)


def client() -> Client:
    """Return the client, as limits and sessions identify it: not the address itself.

    A connection from this machine may come from a proxy that isn't declared. Its visitors can't be
    told apart, so they have no limit per client. Behind a declared proxy a loopback address has
    limits like any other: a proxy that passes ``X-Forwarded-For`` on unchanged lets the sender
    write it.
    """
    address, device = client_address(), device_of(request.user_agent.string)
    peer = _read(request.remote_addr or "")
    if address is None or (address.is_loopback and not (peer and _is_trusted(peer))):
        return Client(device=device)
    return Client(_within(address, _CONNECTION), _within(address, _NETWORK), device)


def _within(address: Address, lengths: dict[int, int]) -> str:
    return str(ip_network((int(address), lengths[address.version]), strict=False))


def device_of(user_agent: str) -> str:
    """Which browser on which system: enough for somebody to know their own again.

    No version, which changes every month.
    """
    text = user_agent[:_LONGEST_BROWSER]
    browser = next((name for mark, name in _BROWSERS if mark in text), "Another program")
    system = next((name for mark, name in _SYSTEMS if mark in text), "")
    return f"{browser} on {system}" if system else browser
