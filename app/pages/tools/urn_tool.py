"""What the tool for URNs shows of each text: its parts in order, or where it goes wrong."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from app.identifiers.urn import URN
from app.pages.text.markdown import reveal_unseen
from app.pages.text.phrases import IdentifierPart
from app.resolution.judgement import Judgement
from app.resolution.namespace_rules import RuleBook
from app.resolution.outcome_documents import COLUMNS as CHECKED
from app.resolution.outcome_documents import CheckedURN, checked_row, json_line
from app.resolution.reference_resolution import (
    ERRORS,
    REDIRECTS,
    ReferenceResolution,
    ResolutionEnd,
    ResolutionHop,
    remarks_on,
    words_of,
)

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


_LONGEST = 300  # characters of an address that are shown
_HEADLINES = {
    ResolutionEnd.REFERENT: "The object was found.",
    ResolutionEnd.RELATED: "A related resource was found.",
    ResolutionEnd.INFLECTION: "The requested information was found.",
}
_NOTHING = "Nothing was found."
_SEE_OTHER = 303


@dataclass(frozen=True, slots=True)
class HopRow:
    """A row of the table: who was asked, what came, and where it leads."""

    number: int
    request: str
    answer: str
    location: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionView:
    """A resolution as it is shown. ``link`` is empty where the address is not one to follow."""

    kind: str
    headline: str
    words: str
    source: str
    address: str
    link: str
    remarks: tuple[str, ...]
    rows: tuple[HopRow, ...]


def view_of(resolution: ReferenceResolution) -> ResolutionView:
    """How a resolution that ended is shown, in which what others wrote is cut and revealed."""
    end, (words, source) = resolution.end, words_of(resolution)
    is_success = end is not None and end.is_success
    address = str(resolution.address) if is_success else ""
    is_link = resolution.address.is_web_address and len(address) <= _LONGEST
    return ResolutionView(
        kind="ok" if is_success else "problem",
        headline=_HEADLINES.get(end, _NOTHING) if end else _NOTHING,
        words=words,
        source=source,
        address=_shown(address),
        link=address if is_link else "",
        remarks=remarks_on(resolution),
        rows=tuple(
            _hop_row(number, resolution, hop) for number, hop in enumerate(resolution.hops, 1)
        ),
    )


def _hop_row(number: int, resolution: ReferenceResolution, hop: ResolutionHop) -> HopRow:
    return HopRow(
        number=number,
        request=f"{resolution.method} {_shown(hop.address)}",
        answer=_answer(hop),
        location=_shown(hop.location or ""),
    )


def _answer(hop: ResolutionHop) -> str:
    if hop.status is None:
        return f"No answer. {hop.fault}"
    again = ", already requested" if hop.is_repeated else ""
    return f"{hop.status}, {_meaning(hop.status)}{again}"


def _meaning(status: int) -> str:
    if status == _SEE_OTHER:
        return "redirects to a related resource"
    if status in REDIRECTS:
        return "redirects"
    return "an error" if status in ERRORS else "the end"


def _shown(text: str) -> str:
    return reveal_unseen(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


COLUMNS = (*CHECKED, "nearest")


class NearNames:
    """Finds them by the book that judged the list, as the page of one name has them.

    Each unregistered name is looked for once, and with ``most`` no more than so many, since each
    is held against all that are registered; of later ones nothing is told.
    """

    def __init__(self, book: RuleBook, most: int | None = None) -> None:
        self._book, self._most = book, most
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, checked: CheckedURN) -> tuple[str, ...]:
        """The names like that of a checked text, the nearest first; none where it is registered."""
        if checked.urn is None or checked.judgement.rules is not None:
            return ()
        return self._nearest_to(checked.urn.nid.lower())

    def row(self, checked: CheckedURN) -> tuple[object, ...]:
        """The values of ``COLUMNS`` for one text; absent ones are None."""
        return (*checked_row(checked), list(self.of(checked)) or None)

    def line(self, checked: CheckedURN) -> str:
        """One JSON object in ASCII, with a line end."""
        return f'{json_line(checked)[:-2]}, "nearest": {json.dumps(self.of(checked) or None)}}}\n'

    def _nearest_to(self, nid: str) -> tuple[str, ...]:
        found = self._known.get(nid)
        if found is not None:
            return found
        if self._most is not None and len(self._known) >= self._most:
            return ()
        return self._known.setdefault(nid, self._book.nearest(nid))
