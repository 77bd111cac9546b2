"""An address as a QR code, to be drawn in one stroke.

Source: ISO/IEC 18004, through segno.
"""

from dataclasses import dataclass
from functools import lru_cache

import segno

QUIET = 4  # modules of white that the standard asks for on each side
_MASK = 3  # any mask can be read; to try all eight takes most of the time of a large edition
_KEPT = 1024


@dataclass(frozen=True, slots=True)
class QrCode:
    """The dark modules as a path, in a square of ``size`` modules, its quiet zone included."""

    size: int
    path: str


@lru_cache(maxsize=_KEPT)
def draw_qr_code(address: str) -> QrCode:
    """The code of an address. Raises ValueError for one that is too long for any code."""
    code = segno.make(address, error="m", micro=False, mask=_MASK)
    rows = [bytes(row) for row in code.matrix]
    path = "".join(_stroke(row, y + QUIET) for y, row in enumerate(rows))
    return QrCode(len(rows) + 2 * QUIET, path)


def _stroke(row: bytes, y: int) -> str:
    strokes, x = [], 0
    while x < len(row):
        end = x
        while end < len(row) and row[end]:
            end += 1
        if end > x:
            strokes.append(f"M{x + QUIET} {y}h{end - x}v1H{x + QUIET}z")
        x = end + 1
    return "".join(strokes)
