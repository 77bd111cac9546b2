"""The normal forms of an ARK, from the parts that the grammar found."""

import re
from itertools import product
from string import ascii_letters, digits

_HEX = "0123456789abcdefABCDEF"
_OCTETS = [chr(octet) if octet < 0x80 else f"%{octet:02X}" for octet in range(256)]


def _decoding(characters: str) -> dict[str, str]:
    written = {a + b: chr(int(a + b, 16)) for a, b in product(_HEX, repeat=2)}
    return {
        text: char if char in characters else f"%{text.upper()}" for text, char in written.items()
    }


# Octets of other scripts in upper case, the commonest of what is encoded, stay as they are.
_is_settled = re.compile("[^%]*+(?:%[89A-F][0-9A-F][^%]*+)*+").fullmatch
_UNRESERVED = _decoding(ascii_letters + digits + "-._~")  # RFC 3986 section 2.3
_BASIC = _decoding(ascii_letters + digits + "=~*+@_$") | {"2D": "", "2d": ""}


def normal_form(match: re.Match[str]) -> str:
    """Give the normal form of an Extended ARK."""
    basic, rest = normal_basic(match), match["rest"]
    if basic.count(".") > 1:
        parts = basic.split(".")
        parts[1:] = sorted({*parts[1:]})
        basic = ".".join(parts)
    return basic + normal_query(rest) if rest else basic


def normal_basic(match: re.Match[str]) -> str:
    return f"ark:{normal_path(match[0][match.start('naan') : match.end('variants')])}"


def normal_path(text: str) -> str:
    # Nothing that is decoded here is a slash or a full stop, so the structure stays as it was.
    naan, slash, named = _decoded(text.replace("-", ""), _BASIC).partition("/")
    return f"{naan.lower()}{slash}{named}"


def normal_query(text: str) -> str:
    """Source: The ARK URI scheme section 6, step 4."""
    return _decoded(text, _UNRESERVED)


def _decoded(text: str, decoding: dict[str, str]) -> str:
    if "%" in text and not _is_settled(text):
        first, *others = text.split("%")
        text = first + "".join([decoding[other[:2]] + other[2:] for other in others])
    return text if text.isascii() else text.encode().decode("latin-1").translate(_OCTETS)
