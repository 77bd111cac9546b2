"""Hosts that everybody reaches: neither inside a network, nor in disguise, nor with a user."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address

from app.identifiers.public_addresses import is_public

_HOST = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,62}\.?"
)
_PORT = re.compile(r":([0-9]{1,5})\Z")
_BRACKETED = re.compile(r"\[([0-9A-Fa-f:.]+)\]")  # without a zone, which is of one machine alone
_INSIDE = (
    *(".localhost", ".local", ".internal", ".lan", ".home", ".intranet", ".private", ".corp"),
    # RFC 8375, RFC 6761, RFC 7686 and RFC 9476: of homes, and what no public server of names has
    *(".localdomain", ".home.arpa", ".test", ".invalid", ".onion", ".alt"),
)


def check_host(authority: str) -> Iterator[str]:
    """What forbids a host, with its port, that people are sent to; nothing for one that may be.

    No server of names is asked, so that a public name may still lead inside a network.

    Source: RFC 3986 section 3.2; RFC 6890.
    """
    if "@" in authority:
        yield "An address here names no user. Leave out what stands before the `@`."
        return
    host, port = authority, None
    if found := _PORT.search(authority):
        host, port = authority[: found.start()], int(found[1])
    if port is not None and not 0 < port < 65536:
        yield f"There is no port {port}. Leave it out, or write another."
    number = _number(host)
    if number is not None:
        if not is_public(number):
            yield f"`{host}` is an address inside a network. Write a host that everybody reaches."
    elif host.lower().rstrip(".").endswith(_INSIDE) or "." not in host.rstrip("."):
        yield f"`{host[:80]}` is a host inside a network. Write one that everybody reaches."
    elif len(host) > 253 or not _HOST.fullmatch(host):
        yield f"`{host[:80]}` is no host. Write its name, such as `www.example.org`."


def _number(host: str) -> IPv4Address | IPv6Address | None:
    bracketed = _BRACKETED.fullmatch(host)
    try:
        return IPv6Address(bracketed[1]) if bracketed else IPv4Address(host)
    except ValueError:
        return None
