"""Readable JSON, written piece by piece so that a large registry needs little memory."""

import json
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from json.encoder import encode_basestring
from typing import Any

Members = dict[str, Any]
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def json_bytes(members: Members) -> bytes:
    """Members in their order, indented by two; an iterator becomes an array as it runs.

    Equal members give equal bytes. Raises ValueError for a lone surrogate and for NaN.
    """
    text = StringIO()
    _write(members, "\n", text.write)
    text.write("\n")
    return text.getvalue().encode()


def _write(value: object, line: str, out: Callable[[str], object]) -> None:
    """Write a value whose lines begin with ``line``.

    As the standard library writes it, which has no fast way for what is indented.
    """
    if isinstance(value, str):
        out(encode_basestring(value))
    elif isinstance(value, dict):
        _write_members(value, line, out)
    elif isinstance(value, list | tuple | Iterator):
        _write_items(value, line, out)
    else:
        out(_ENCODER.encode(value))


def _write_members(value: dict[str, object], line: str, out: Callable[[str], object]) -> None:
    inner = f"{line}  "
    begin = "{" + inner
    for name, item in value.items():
        out(f"{begin}{encode_basestring(name)}: ")
        _write(item, inner, out)
        begin = "," + inner
    out(line + "}" if value else "{}")


def _write_items(value: Iterable[object], line: str, out: Callable[[str], object]) -> None:
    inner = f"{line}  "
    begin = first = "[" + inner
    for item in value:
        out(begin)
        _write(item, inner, out)
        begin = "," + inner
    out("[]" if begin is first else line + "]")
