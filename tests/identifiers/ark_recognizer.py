"""A second reading of ARKs, slow and by hand, to hold the patterns and the normal form against.

It takes nothing from the code it judges: characters are told by what Unicode says of them.
"""

import unicodedata
from string import ascii_letters, digits, hexdigits
from typing import Any

BETANUMERIC = digits + "bcdfghjkmnpqrstvwxz"
ARK_UNRESERVED = digits + ascii_letters + "=~*+@_$"
UNRESERVED = digits + ascii_letters + "-._~"
IN_QUERY = UNRESERVED + "!$&'()*+,;=" + ":@/?"
# Formatting characters that are seen, or that stand for what is.
_MARKS_BEFORE_NUMBERS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"
SEEN = {*_MARKS_BEFORE_NUMBERS, "\U000110bd", "\U000110cd", *map(chr, range(0x13430, 0x13440))}
Parts = dict[str, Any]


def is_invisible(character: str) -> bool:
    """Whether it is a formatting character that nobody sees, or the place of one to come."""
    formatting = unicodedata.category(character) in ("Cf", "Zl", "Zp") or character == "\u2065"
    return formatting and character not in SEEN


def is_ucschar(character: str) -> bool:
    """RFC 3987: any code point from A0 but surrogates, private use and what is no character."""
    code = ord(character)
    if code < 0xA0 or 0xD800 <= code <= 0xF8FF or code >= 0xF0000:
        return False
    if 0xFDD0 <= code <= 0xFDEF or 0xFFF0 <= code <= 0xFFFF or code & 0xFFFE == 0xFFFE:
        return False
    return not 0xE0000 <= code <= 0xE0FFF


def is_private(character: str) -> bool:
    """RFC 3987: iprivate."""
    code = ord(character)
    return 0xE000 <= code <= 0xF8FF or (code >= 0xF0000 and code & 0xFFFE != 0xFFFE)


def recognize(text: str) -> Parts | None:
    """The parts of an Extended ARK, or None where there is none."""
    if text[:4].replace("A", "a").replace("R", "r").replace("K", "k") != "ark:":
        return None
    basic, query, fragment = _split(text[4:].removeprefix("/"))
    naan, slash, path = basic.partition("/")
    named, *variants = path.split(".")
    name, *components = named.split("/")
    parts = [name, *components, *variants]
    if not slash or not _is_naan(naan) or not all(map(_is_part, parts)):
        return None
    if not _is_rest(query or "", private=True) or not _is_rest(fragment or "", private=False):
        return None
    return {
        "naan": naan,
        "name": name,
        "components": tuple(components),
        "variants": tuple(variants),
        "query": query,
        "fragment": fragment,
    }


def normalize(text: str) -> str:
    """The algorithm of section 6, part by part and octet by octet."""
    parts = recognize(text)
    assert parts is not None
    path = "/".join(_plain(part) for part in (parts["name"], *parts["components"]))
    for variant in sorted({_plain(variant) for variant in parts["variants"]}):
        path += "." + variant
    for mark, part in (("?", parts["query"]), ("#", parts["fragment"])):
        if part is not None:
            path += mark + _spelled(part, UNRESERVED)
    return f"ark:{_plain(parts['naan']).lower()}/{path}"


def _split(text: str) -> tuple[str, str | None, str | None]:
    rest, mark, fragment = text.partition("#")
    basic, question, query = rest.partition("?")
    return basic, query if question else None, fragment if mark else None


def _octets(text: str) -> list[str] | None:
    """The characters of a text, what is percent-encoded as one; None for an unfinished one."""
    found, at = [], 0
    while at < len(text):
        width = 3 if text[at] == "%" else 1
        piece = text[at : at + width]
        if width == 3 and not (len(piece) == 3 and set(piece[1:]) <= set(hexdigits)):
            return None
        found.append(piece)
        at += width
    return found


def _decoded(piece: str) -> str:
    return chr(int(piece[1:], 16)) if len(piece) == 3 else piece


def _is_naan(text: str) -> bool:
    pieces = _octets(text)
    allowed = BETANUMERIC + BETANUMERIC.upper() + "-"
    decoded = [_decoded(piece) for piece in pieces or []]
    return set(decoded) <= set(allowed) and any(character != "-" for character in decoded)


def _is_part(text: str) -> bool:
    pieces = _octets(text) or []
    plain = [piece for piece in pieces if len(piece) == 1]
    if not all(c in ARK_UNRESERVED + "-" or (is_ucschar(c) and not is_invisible(c)) for c in plain):
        return False
    return any(_decoded(piece) != "-" for piece in pieces)


def _is_rest(text: str, *, private: bool) -> bool:
    pieces = _octets(text)
    return pieces is not None and all(
        len(piece) == 3
        or piece in IN_QUERY
        or (is_ucschar(piece) and not is_invisible(piece))
        or (private and is_private(piece))
        for piece in pieces
    )


def _plain(text: str) -> str:
    return _spelled(text, ARK_UNRESERVED + "-").replace("-", "")


def _spelled(text: str, decoded: str) -> str:
    spelled = ""
    for piece in _octets(text) or []:
        if len(piece) == 3 and _decoded(piece) in decoded:
            spelled += _decoded(piece)
        elif len(piece) == 3:
            spelled += piece.upper()
        else:
            octets = piece.encode()
            spelled += piece if piece < "\x80" else "".join(f"%{octet:02X}" for octet in octets)
    return spelled
