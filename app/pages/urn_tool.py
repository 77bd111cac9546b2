"""What the tool for URNs shows of each text: its parts in order, or where it goes wrong."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from app.identifiers.urn import URN
from app.identifiers.urn_checks import CheckedURN
from app.pages.pieces import Piece
from app.pages.visible import revealed

SHOWN = 200  # rows on a page; the whole list is a file
_LONGEST_SHOWN = 400  # characters of a text that is no URN
_BEFORE = 60  # characters shown before its first fault


LABELS = {
    "nid": "NID",
    "nss": "NSS",
    "r": "r-component",
    "q": "q-component",
    "f": "f-component",
}


def pieces_of(urn: URN) -> tuple[Piece, ...]:
    """A URN cut into its parts, the marks between them included; joined they are the URN.

    Source: RFC 8141 section 2.
    """
    return tuple(piece for piece in _pieces(urn) if piece.text)


def _pieces(urn: URN) -> Iterator[Piece]:
    yield Piece("scheme", str(urn)[:4])
    yield Piece("nid", urn.nid)
    yield Piece("mark", ":")
    yield Piece("nss", urn.nss)
    marked = (
        ("?+", "r", urn.r_component),
        ("?=", "q", urn.q_component),
        ("#", "f", urn.f_component),
    )
    for mark, kind, component in marked:
        if component is not None:
            yield Piece("mark", mark)
            yield Piece(kind, component)


def pieces_of_refused(checked: CheckedURN) -> tuple[Piece, ...]:
    """A text that is no URN: before its first fault, the character there, and after it.

    Characters that nobody sees are spelled out; of a long text the part round the fault is left.
    """
    text = checked.text
    position = checked.error.position if checked.error else None
    at = min(position or 0, len(text))
    begin = max(0, at - _BEFORE) if len(text) > _LONGEST_SHOWN else 0
    end = begin + _LONGEST_SHOWN
    cut = (begin, at, min(at + 1, len(text)), min(end, len(text)))
    before, fault, after = (revealed(text[a:b]) for a, b in pairwise(cut))
    pieces = [
        Piece("cut", "…" if begin else ""),
        Piece("text", before),
        Piece("fault", fault or "▁"),  # the text ends where more had to come
        Piece("text", after),
        Piece("cut", "…" if end < len(text) else ""),
    ]
    return tuple(piece for piece in pieces if piece.text)


class Shown(NamedTuple):
    """One row of the tool."""

    checked: CheckedURN
    pieces: tuple[Piece, ...]

    @property
    def labelled(self) -> tuple[tuple[str, Piece], ...]:
        """The parts of a URN that have a name."""
        return tuple((LABELS[p.kind], p) for p in self.pieces if p.kind in LABELS)


class Count(NamedTuple):
    """How many texts there are of each kind, for the sentence above the rows."""

    all: int
    urns: int
    well_formed: int
    same: int


def shown(checked: Iterable[CheckedURN]) -> tuple[tuple[Shown, ...], Count]:
    """The first rows, and the count of all."""
    rows: list[Shown] = []
    total = urns = well_formed = same = 0
    for one in checked:
        total += 1
        urns += one.is_urn
        well_formed += one.urn is not None
        same += one.same_as is not None
        if total <= SHOWN:
            rows.append(Shown(one, pieces_of(one.urn) if one.urn else pieces_of_refused(one)))
    return tuple(rows), Count(total, urns, well_formed, same)
