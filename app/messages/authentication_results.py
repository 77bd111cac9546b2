"""What a mail server says of who sent a message: the Authentication-Results field, read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_KEYWORD = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
_VERSION = "1"
_SPACE = " \t\r\n"
_SPECIAL = ";="


@dataclass(frozen=True, slots=True)
class HeaderToken:
    """A word, a quoted string or a special character; ``is_glued``: nothing stands before it."""

    text: str
    is_special: bool
    is_glued: bool


@dataclass(frozen=True, slots=True)
class AuthenticationResult:
    method: str
    result: str
    properties: tuple[tuple[str, str], ...]

    def values(self, name: str) -> list[str]:
        """What is said under one name, such as ``header.from``."""
        return [value for key, value in self.properties if key == name]


@dataclass(frozen=True, slots=True)
class AuthenticationResults:
    """A whole field: which server says it, and what each method found."""

    server: str
    results: tuple[AuthenticationResult, ...]


def read_authentication_results(value: str) -> AuthenticationResults | None:
    """The field as its server meant it; None where it is malformed, or of another version.

    Source: RFC 8601 section 2.2.
    """
    pieces = _pieces(value)
    if pieces is None:
        return None
    head, *rest = _parted(pieces)
    words = [piece.text for piece in head]
    if not words or any(piece.is_special for piece in head) or words[1:] not in ([], [_VERSION]):
        return None
    found = [] if _is_none(rest) else [_result(part) for part in rest]
    results = tuple(one for one in found if one)
    if len(results) < len(found):
        return None
    return AuthenticationResults(words[0].lower(), results)


def dmarc_of(value: str, server: str, address: str) -> str:
    """What a server says of an address under DMARC, such as ``pass``; nothing where it does not.

    ``value`` is the topmost field of the message: whatever stands below it can be the sender's.
    It counts if it bears the name of the server, and speaks of the domain of the address: a domain
    above it, such as ``co.uk``, can be that of others. Where it says two things, the one that is
    no ``pass`` counts.

    Source: RFC 8601 sections 2.5 and 5; RFC 7489 sections 3.1.1 and 11.
    """
    read = read_authentication_results(value) if server else None
    if read is None or read.server != server.lower():
        return ""
    domain = address.rpartition("@")[2].lower()
    said = [one for one in read.results if one.method == "dmarc"]
    words = [one.result if _speaks_of(one, domain) else "" for one in said]
    return next((word for word in words if word != "pass"), "pass") if words else ""


def _speaks_of(result: AuthenticationResult, domain: str) -> bool:
    return bool(domain) and {value.lower() for value in result.values("header.from")} == {domain}


def _is_none(parts: list[list[HeaderToken]]) -> bool:
    return len(parts) == 1 and [piece.text.lower() for piece in parts[0]] == ["none"]


def _parted(pieces: list[HeaderToken]) -> list[list[HeaderToken]]:
    parts: list[list[HeaderToken]] = [[]]
    for piece in pieces:
        if piece.is_special and piece.text == ";":
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts if parts[-1] or len(parts) == 1 else parts[:-1]


def _result(part: list[HeaderToken]) -> AuthenticationResult | None:
    pairs = _pairs(part)
    if not pairs:
        return None
    (named, result), *properties = pairs
    method, _, version = named.partition("/")
    if not (_KEYWORD.fullmatch(method) and _KEYWORD.fullmatch(result.lower())):
        return None
    known = method if version in ("", _VERSION) else ""
    return AuthenticationResult(known, result.lower(), tuple(properties))


def _pairs(part: list[HeaderToken]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    name: list[str] = []
    at = 0
    while at < len(part):
        if not part[at].is_special:
            name.append(part[at].text)
            at += 1
            continue
        end = _end_of_value(part, at + 1)
        if not name or end == at + 1:
            return []
        value = "".join(piece.text for piece in part[at + 1 : end])
        pairs.append(("".join(name).lower(), value))
        name, at = [], end
    return [] if name else pairs


def _end_of_value(part: list[HeaderToken], start: int) -> int:
    end = start
    while end < len(part) and (part[end].is_glued if end > start else not part[end].is_special):
        end += 1
    return end


def _pieces(value: str) -> list[HeaderToken] | None:
    found: list[HeaderToken] = []
    at, is_glued = 0, False
    while at < len(value):
        letter = value[at]
        if letter in _SPACE or letter == "(":
            end = at + 1 if letter in _SPACE else _end_of_comment(value, at)
            is_glued = False
        elif letter == '"':
            end = _end_of_quoted(value, at)
            found.append(HeaderToken("".join(_unquoted(value[at + 1 : end - 1])), False, is_glued))
            is_glued = True
        else:
            end = at + 1 if letter in _SPECIAL else _end_of_word(value, at)
            found.append(HeaderToken(value[at:end], letter in _SPECIAL, is_glued))
            is_glued = True
        if end > len(value):
            return None
        at = end
    return found


def _end_of_word(value: str, at: int) -> int:
    end = at
    while end < len(value) and value[end] not in _SPACE and value[end] not in '();="':
        end += 1
    return max(end, at + 1)


def _end_of_quoted(value: str, at: int) -> int:
    at += 1
    while at < len(value) and value[at] != '"':
        at += 2 if value[at] == "\\" else 1
    return at + 1


def _end_of_comment(value: str, at: int) -> int:
    depth = 0
    while at < len(value):
        depth += {"(": 1, ")": -1}.get(value[at], 0)
        at += 2 if value[at] == "\\" else 1
        if depth == 0:
            return at
    return len(value) + 1


def _unquoted(text: str) -> Iterator[str]:
    letters = iter(text)
    for letter in letters:
        yield next(letters, "") if letter == "\\" else letter
