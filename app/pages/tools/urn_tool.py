"""What the tool for URNs shows of each text: its parts in order, or where it goes wrong."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from app.identifiers.urn import URN
from app.pages.text.identifier_parts import IdentifierPart
from app.pages.text.unseen_characters import reveal_unseen
from app.resolution.judgement import Judgement
from app.resolution.outcome_documents import CheckedURN

# Of a text of two characters a row of 400 is made: so many are less than 5 MB.
MOST = 10_000  # texts that are checked at once
MOST_CHARACTERS = 1_000_000  # of all of them
SHOWN = 200  # rows on a page; the whole list is a file
LONGEST_SHOWN = 400  # characters of a part of a URN, and of a text that is none
_LINE = re.compile(r"[^\n]+")
_BEFORE = 60  # characters shown before its first fault


class UrnToolInput(NamedTuple):
    """The texts of a list that are checked, and how many of its lines are left out."""

    texts: tuple[str, ...]
    left: int


def read_urn_list(text: str) -> UrnToolInput:
    """The texts of a list, one a line, up to ``MOST`` and ``MOST_CHARACTERS``. Raises nothing."""
    end = len(text)
    if end > MOST_CHARACTERS:
        end = text.rfind("\n", 0, MOST_CHARACTERS) + 1
    texts: list[str] = []
    for line in _LINE.finditer(text, 0, end):
        stripped = line[0].strip()
        if stripped and len(texts) == MOST:
            end = line.start()
            break
        if stripped:
            texts.append(stripped)
    rest = text[end:].strip()
    return UrnToolInput(tuple(texts), rest.count("\n") + 1 if rest else 0)


def join_urn_list(texts: Iterable[str]) -> str:
    """A list of the first of these texts, of as many characters as are checked at once."""
    kept, length = [], 0
    for text in texts:
        length += len(text) + 1
        if length > MOST_CHARACTERS:
            break
        kept.append(f"{text}\n")
    return "".join(kept)


LABELS = {
    "nid": "NID",
    "nss": "NSS",
    "r": "r-component",
    "q": "q-component",
    "f": "f-component",
}


def pieces_of(urn: URN) -> tuple[IdentifierPart, ...]:
    """A URN cut into its parts, the marks between them included; joined they are the URN.

    Source: RFC 8141 section 2.
    """
    return tuple(piece for piece in _pieces(urn) if piece.text)


def _pieces(urn: URN) -> Iterator[IdentifierPart]:
    yield IdentifierPart("scheme", str(urn)[:4])
    yield IdentifierPart("nid", urn.nid)
    yield IdentifierPart("mark", ":")
    yield IdentifierPart("nss", urn.nss)
    marked = (
        ("?+", "r", urn.r_component),
        ("?=", "q", urn.q_component),
        ("#", "f", urn.f_component),
    )
    for mark, kind, component in marked:
        if component is not None:
            yield IdentifierPart("mark", mark)
            yield IdentifierPart(kind, component)


def pieces_of_refused(checked: CheckedURN | Judgement) -> tuple[IdentifierPart, ...]:
    """A text that is no URN: before its first fault, the character there, and after it.

    Characters that nobody sees are spelled out; of a long text the part round the fault is left.
    """
    text = checked.text
    position = checked.error.position if checked.error else None
    at = min(position or 0, len(text))
    begin = max(0, at - _BEFORE) if len(text) > LONGEST_SHOWN else 0
    end = begin + LONGEST_SHOWN
    cut = (begin, at, min(at + 1, len(text)), min(end, len(text)))
    before, fault, after = (reveal_unseen(text[a:b]) for a, b in pairwise(cut))
    pieces = [
        IdentifierPart("cut", "…" if begin else ""),
        IdentifierPart("text", before),
        IdentifierPart("fault", fault or "▁"),  # the text ends where more had to come
        IdentifierPart("text", after),
        IdentifierPart("cut", "…" if end < len(text) else ""),
    ]
    return tuple(piece for piece in pieces if piece.text)


class UrnToolRow(NamedTuple):
    """One row of the tool; ``normal_form`` is empty where the text has it, or is no URN."""

    checked: CheckedURN
    pieces: tuple[IdentifierPart, ...]
    normal_form: str

    @property
    def labelled(self) -> tuple[tuple[str, IdentifierPart], ...]:
        """The parts of a URN that have a name."""
        return tuple((LABELS[p.kind], p) for p in self.pieces if p.kind in LABELS)


class UrnToolCount(NamedTuple):
    """How many texts there are of each kind, for the sentence above the rows."""

    all: int
    urns: int
    well_formed: int
    same: int


NONE = UrnToolCount(0, 0, 0, 0)


def describe_urns(checked: Iterable[CheckedURN]) -> tuple[tuple[UrnToolRow, ...], UrnToolCount]:
    """The first rows, and the count of all."""
    rows: list[UrnToolRow] = []
    total = urns = well_formed = same = 0
    for one in checked:
        total += 1
        urns += one.is_urn
        well_formed += one.urn is not None
        same += one.same_as is not None
        if total <= SHOWN:
            rows.append(_row(one))
    return tuple(rows), UrnToolCount(total, urns, well_formed, same)


def _row(checked: CheckedURN) -> UrnToolRow:
    if checked.urn is None:
        return UrnToolRow(checked, pieces_of_refused(checked), "")
    form = checked.urn.normal_form
    pieces = tuple(piece._replace(text=_shortened(piece.text)) for piece in pieces_of(checked.urn))
    return UrnToolRow(checked, pieces, form if form != checked.text else "")


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
