"""JSON that strangers wrote, read so that it can be written again with not a value changed.

Source: RFC 8259; RFC 6901 for places.
"""

import json
import re
from typing import Any, Never

from app.identifiers.errors import spell_text
from app.registration.naans.naan_records import is_fit

__all__ = ["DEPTH", "NumberText", "UnreadableNaanFile", "json_text", "member_place", "parse_json"]

DEPTH = 32
_BOM = b"\xef\xbb\xbf"
_PLAIN_INTEGER = re.compile("-?[0-9]{1,18}")


class UnreadableNaanFile(ValueError):
    """A file that is none of NAANs.

    Keeps the ``place``, a JSON Pointer, a line or the number of a byte, and the ``message``.
    """

    def __init__(self, place: str, message: str) -> None:
        super().__init__(place, message)
        self.place = place
        self.message = message

    def __str__(self) -> str:
        place = self.place[:200].encode("unicode_escape").decode()
        return f"{place}: {self.message}" if place else self.message


class NumberText(str):
    """A number as it is spelled, where it is no plain integer of up to 18 digits."""

    __slots__ = ()


class _NoNumber(str):
    __slots__ = ()


def parse_json(data: bytes) -> tuple[Any, bool]:
    """The value that a file holds, and whether a byte order mark stands before it.

    Numbers other than plain integers come as ``NumberText``. Raises UnreadableNaanFile, with the
    place, for what is no UTF-8 or no JSON, ``NaN`` and the like included; for an object with two
    members of one name, or one with half of a surrogate pair in it; for nesting deeper than 32.
    """
    text = _decoded(data.removeprefix(_BOM))
    try:
        value = json.loads(
            text,
            parse_int=_integer,
            parse_float=NumberText,
            parse_constant=_NoNumber,
            object_pairs_hook=_members,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UnreadableNaanFile(place, f"Not valid JSON: {error.msg}.") from None
    except RecursionError:
        raise UnreadableNaanFile("", _too_deep()) from None
    _check_value(value, "", 0)
    return value, data.startswith(_BOM)


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = "The file isn't UTF-8. Save it as UTF-8 and try again."
        raise UnreadableNaanFile(f"byte {error.start}", message) from None


def _integer(text: str) -> int | NumberText:
    return int(text) if _PLAIN_INTEGER.fullmatch(text) and text != "-0" else NumberText(text)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any] | list[tuple[str, Any]]:
    # only whoever walks the value knows the place, so an object that is none goes on as its pairs
    members = dict(pairs)
    return members if len(members) == len(pairs) else _AmbiguousObject(pairs)


class _AmbiguousObject(list[tuple[str, Any]]):
    __slots__ = ()


def _check_value(value: Any, place: str, depth: int) -> None:
    if depth > DEPTH:
        raise UnreadableNaanFile(place, _too_deep())
    if isinstance(value, _AmbiguousObject):
        _refuse(place, "A member appears twice in this object. Remove one.")
    elif isinstance(value, dict):
        for name, member in value.items():
            if not is_fit(name):
                _refuse(place, f"The member name {spell_text(name)} is not valid text.")
            _check_value(member, member_place(place, name), depth + 1)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _check_value(item, f"{place}/{number}", depth + 1)
    elif isinstance(value, _NoNumber):
        _refuse(place, f"`{value}` is not a JSON number. Write null, or remove it.")


def _refuse(place: str, message: str) -> Never:
    raise UnreadableNaanFile(place, message)


def _too_deep() -> str:
    return f"Values are nested more than {DEPTH} levels deep. Check that this is a NAAN file."


def member_place(place: str, name: str) -> str:
    """The JSON Pointer of a member. Source: RFC 6901 section 3."""
    return f"{place}/{name.replace('~', '~0').replace('/', '~1')}"


def json_text(value: Any, line: str = "\n") -> str:
    """A value as JSON in ASCII, numbers as spelled; indented by two as the ARK Alliance does.

    With an empty ``line`` it is one line.
    """
    if isinstance(value, dict):
        members = (f"{json.dumps(name)}: {_inner(one, line)}" for name, one in value.items())
        return _listed("{", list(members), "}", line)
    if isinstance(value, list):
        return _listed("[", [_inner(one, line) for one in value], "]", line)
    return str(value) if isinstance(value, NumberText) else json.dumps(value)


def _inner(value: Any, line: str) -> str:
    return json_text(value, line and f"{line}  ")


def _listed(start: str, items: list[str], end: str, line: str) -> str:
    inner = line and f"{line}  "
    separator = f",{inner or ' '}"
    return f"{start}{inner}{separator.join(items)}{line}{end}" if items else start + end
