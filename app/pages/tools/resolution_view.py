"""What the tool for ARKs shows of a resolution: each hop, and what was reached."""

from dataclasses import dataclass

from app.pages.text.unseen_characters import reveal_unseen
from app.resolution.reference_resolution import (
    ERRORS,
    REDIRECTS,
    ReferenceResolution,
    ResolutionEnd,
    ResolutionHop,
    remarks_on,
    words_of,
)

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
        rows=tuple(_row(number, resolution, hop) for number, hop in enumerate(resolution.hops, 1)),
    )


def _row(number: int, resolution: ReferenceResolution, hop: ResolutionHop) -> HopRow:
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
