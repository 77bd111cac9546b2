"""Which addresses of the Internet everybody reaches, by what they are set aside for."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_DOCUMENTATION = IPv6Network("3fff::/20")  # RFC 9637
# What Python counts among the global ones: protocol assignments (RFC 6890), relays (RFC 7526).
_SET_ASIDE = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_ISATAP = (b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe")  # RFC 5214 section 6.1


def is_public(number: IPv4Address | IPv6Address) -> bool:
    """Whether an address is of one host that everybody reaches.

    One of version 6 that stands for one of version 4 is as public as that; where a translator
    or a tunnel would decide (``64:ff9b::10.0.0.1``) it is not.

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


def is_public_address(text: str) -> bool:
    """Whether a text is such an address; False for what is none at all.

    Source: RFC 6890.
    """
    try:
        return is_public(ip_address(text))
    except ValueError:
        return False
