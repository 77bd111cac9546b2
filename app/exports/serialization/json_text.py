"""Readable JSON, written piece by piece so that a large registry needs little memory."""

import json
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

Members = dict[str, Any]
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=2)


def json_bytes(members: Members) -> bytes:
    """Members in their order, indented by two; an iterator becomes an array as it runs.

    Equal members give equal bytes. Raises ValueError for a lone surrogate and for NaN.
    """
    text = StringIO()
    for piece in _pieces(members, "\n"):
        text.write(piece)
    text.write("\n")
    return text.getvalue().encode()


def _pieces(value: object, line: str) -> Iterator[str]:
    inner = f"{line}  "
    if isinstance(value, Iterator):
        yield from _listed("[", (_pieces(item, inner) for item in value), f"{line}]", inner)
    elif isinstance(value, dict) and any(isinstance(item, Iterator) for item in value.values()):
        members = (_member(name, item, inner) for name, item in value.items())
        yield from _listed("{", members, f"{line}}}", inner)
    else:
        text = _ENCODER.encode(value)
        yield text.replace("\n", line)  # a line break within a text is escaped


def _member(name: str, value: object, line: str) -> Iterator[str]:
    yield f"{_ENCODER.encode(name)}: "
    yield from _pieces(value, line)


def _listed(start: str, items: Iterable[Iterator[str]], end: str, line: str) -> Iterator[str]:
    separator = start
    for item in items:
        yield separator + line
        yield from item
        separator = ","
    yield end if separator == "," else start + end.strip()
