"""Which addresses and hosts everybody reaches: not set aside, in disguise, or with a user."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_DOCUMENTATION = IPv6Network("3fff::/20")  # RFC 9637
# What Python counts among the global ones: protocol assignments (RFC 6890), relays (RFC 7526).
_SET_ASIDE = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_ISATAP = (b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe")  # RFC 5214 section 6.1
_HOST = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,62}\.?"
)
_PORT = re.compile(r":([0-9]{1,5})\Z")
_BRACKETED = re.compile(r"\[([0-9A-Fa-f:.]+)\]")  # without a zone, which is of one machine alone
_NUMERIC = re.compile("0x[0-9a-f]*|[0-9]+")  # as the last label of no name is
_INSIDE = (
    *(".localhost", ".local", ".internal", ".lan", ".home", ".intranet", ".private", ".corp"),
    # RFC 8375, RFC 6761, RFC 7686 and RFC 9476: of homes, and what no public server of names has
    *(".localdomain", ".home.arpa", ".test", ".invalid", ".onion", ".alt"),
)


def is_public(number: IPv4Address | IPv6Address) -> bool:
    """Whether an address is of one host that everybody reaches.

    One of version 6 that stands for one of version 4 is as public as that; where a translator or a
    tunnel would decide (``64:ff9b::10.0.0.1``) it is not.

    Source: RFC 6890; RFC 4291 section 2.4; RFC 6052 section 2.1.
    """
    if isinstance(number, IPv4Address):
        is_apart = any(number in network for network in _SET_ASIDE)
        return number.is_global and not number.is_multicast and not is_apart
    inner = number.ipv4_mapped or number.sixtofour
    return is_public(inner) if inner is not None else _is_given_out(number)


def _is_given_out(number: IPv6Address) -> bool:
    is_apart = number in _DOCUMENTATION or number.packed[8:12] in _ISATAP
    return number.is_global and number in _GLOBAL_UNICAST and not is_apart


def canonical_host(host: str) -> str:
    """A host as it is compared: a name in lower case, an address in its one spelling.

    What browsers take for an address of version 4, such as ``127.1``, ``0x7f000001`` and the mapped
    ``[::ffff:127.0.0.1]``, is ``127.0.0.1``.

    Source: RFC 5952 section 4; RFC 4291 section 2.5.5.2; the URL Standard on hosts.
    """
    lower = host.lower().removesuffix(".")
    number = _number(lower)
    if isinstance(number, IPv6Address):
        return str(number.ipv4_mapped) if number.ipv4_mapped else f"[{number}]"
    last = lower.rpartition(".")[2]
    if number is None and _NUMERIC.fullmatch(last):
        found = _loose_number(lower)
        return "" if found is None else str(IPv4Address(found))
    return lower


def _loose_number(host: str) -> int | None:
    parts = host.split(".")
    if len(parts) > 4 or not all(map(_NUMERIC.fullmatch, parts)):
        return None
    *first, last = (_part(part) for part in parts)
    if any(one < 0 or one > 255 for one in first) or not 0 <= last < 256 ** (4 - len(first)):
        return None
    return last + sum(one << 8 * (3 - at) for at, one in enumerate(first))


def _part(text: str) -> int:
    try:
        if text.startswith("0x"):
            return int(text[2:] or "0", 16)
        return int(text, 8 if text.startswith("0") and len(text) > 1 else 10)
    except ValueError:  # 08
        return -1


def is_public_address(text: str) -> bool:
    """Whether a text is such an address; False for what is none at all.

    Source: RFC 6890.
    """
    try:
        return is_public(ip_address(text))
    except ValueError:
        return False


def check_host(authority: str) -> Iterator[str]:
    """What forbids a host, with its port, that people are sent to; nothing for one that may be.

    Source: RFC 3986 section 3.2; RFC 6890.
    """
    if "@" in authority:
        yield "The address contains a user name. Remove the text before the `@`."
        return
    host, port = authority, None
    if found := _PORT.search(authority):
        host, port = authority[: found.start()], int(found[1])
    if port is not None and not 0 < port < 65536:
        yield f"Port {port} isn't valid. Remove or change it."
    number = _number(host)
    if number is not None:
        if not is_public(number):
            yield f"`{host}` is an address in a private network. Use a public host."
    elif host.lower().rstrip(".").endswith(_INSIDE) or "." not in host.rstrip("."):
        yield f"`{host[:80]}` is a host in a private network. Use a public one."
    elif len(host) > 253 or not _HOST.fullmatch(host):
        yield f"`{host[:80]}` isn't a valid host. Use a name such as `www.example.org`."


def _number(host: str) -> IPv4Address | IPv6Address | None:
    bracketed = _BRACKETED.fullmatch(host)
    try:
        return IPv6Address(bracketed[1]) if bracketed else IPv4Address(host)
    except ValueError:
        return None
