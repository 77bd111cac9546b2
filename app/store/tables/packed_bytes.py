"""Bytes as the database keeps them: packed where that makes them smaller."""

from typing import Any

import zstandard
from sqlalchemy import LargeBinary
from sqlalchemy.types import TypeDecorator

_PLAIN, _PACKED = b"\0", b"\1"
_LEVEL = 3


class PackedBytes(bytes):
    """Bytes as they are stored, made before anybody waits for the database."""


def pack_bytes(value: bytes) -> PackedBytes:
    """The bytes as they are stored, behind a mark of how."""
    if isinstance(value, PackedBytes):
        return value
    smaller = zstandard.ZstdCompressor(level=_LEVEL).compress(value)
    return PackedBytes(_PACKED + smaller if len(smaller) < len(value) else _PLAIN + value)


class PackedColumn(TypeDecorator[bytes]):
    """A column of bytes, of which nobody outside the database sees how they are kept."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, _dialect: Any) -> bytes | None:
        """The bytes as they are stored; they may be packed already."""
        return None if value is None else pack_bytes(value)

    def process_result_value(self, value: bytes | None, _dialect: Any) -> bytes | None:
        """The bytes as they were given."""
        if value is None:
            return None
        mark, stored = value[:1], value[1:]
        return zstandard.ZstdDecompressor().decompress(stored) if mark == _PACKED else stored
