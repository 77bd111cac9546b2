"""A second reading of the grammar, slow and by hand, to hold the patterns against.

One function a rule of RFC 8141 section 2. It takes nothing from the code it judges.
"""

from string import ascii_letters, digits, hexdigits

ALPHANUM = ascii_letters + digits
PCHAR = ALPHANUM + "-._~" + "!$&'()*+,;=" + ":@"
Parts = dict[str, str | None]


class _No(Exception):
    """The text is not what the rule asks for."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def sees(self, *marks: str) -> bool:
        return any(self.text[self.at : self.at + len(mark)] == mark for mark in marks)

    def done(self) -> bool:
        return self.at == len(self.text)

    def take(self, allowed: str) -> str:
        if self.done() or self.text[self.at] not in allowed:
            raise _No
        self.at += 1
        return self.text[self.at - 1]


def recognize(text: str) -> Parts | None:
    """The parts of a namestring, or None where there is none."""
    try:
        return _namestring(_Reader(text))
    except _No:
        return None


def normalize(text: str) -> str:
    """The assigned-name after the three steps of section 3.1, octet by octet."""
    parts = recognize(text)
    assert parts is not None and parts["nid"] and parts["nss"]
    nid = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in parts["nid"])
    nss, after_percent = "", 0
    for character in parts["nss"]:
        small = after_percent and "a" <= character <= "f"
        nss += chr(ord(character) - 32) if small else character
        after_percent = 2 if character == "%" else max(0, after_percent - 1)
    return f"urn:{nid}:{nss}"


def _namestring(reader: _Reader) -> Parts:
    for letters in ("uU", "rR", "nN", ":"):
        reader.take(letters)
    parts: Parts = {"nid": _nid(reader), "nss": _nss(reader)}
    parts["r_component"] = _marked(reader, "?+", ends=("?=", "#"))
    parts["q_component"] = _marked(reader, "?=", ends=("#",))
    parts["f_component"] = _f_component(reader)
    if not reader.done():
        raise _No
    return parts


def _nid(reader: _Reader) -> str:
    nid = ""
    while not reader.sees(":"):
        nid += reader.take(ALPHANUM + "-")
    reader.take(":")
    if not 2 <= len(nid) <= 32 or nid[0] == "-" or nid[-1] == "-":
        raise _No
    return nid


def _nss(reader: _Reader) -> str:
    nss = _pchar(reader)
    while not reader.done() and not reader.sees("?", "#"):
        nss += _pchar(reader, also="/")
    return nss


def _marked(reader: _Reader, mark: str, ends: tuple[str, ...]) -> str | None:
    if not reader.sees(mark):
        return None
    for character in mark:
        reader.take(character)
    if reader.sees(*ends):
        raise _No
    component = _pchar(reader)
    while not reader.done() and not reader.sees(*ends):
        component += _pchar(reader, also="/?")
    return component


def _f_component(reader: _Reader) -> str | None:
    if not reader.sees("#"):
        return None
    reader.take("#")
    fragment = ""
    while not reader.done():
        fragment += _pchar(reader, also="/?")
    return fragment


def _pchar(reader: _Reader, also: str = "") -> str:
    if reader.sees("%"):
        return reader.take("%") + reader.take(hexdigits) + reader.take(hexdigits)
    return reader.take(PCHAR + also)
