"""How a NAAN is shown that somebody may have already."""

from dataclasses import dataclass

from app.pages.text.unseen_characters import reveal_unseen
from app.registration.declarations.naan_registries import NAAN_SPACE
from app.registration.naans.holder_similarity import NaanMatch
from app.resolution.outcome_documents import shorten_text

_LONGEST = 300  # characters of an address that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanMatchView:
    """A NAAN with its page, its holder, and what speaks for it; what others wrote is revealed."""

    name: str
    page: str
    holder: str
    also: str
    since: str
    where: str
    reasons: tuple[str, ...]


def match_view_of(match: NaanMatch) -> NaanMatchView:
    """A match as it is shown."""
    record, folded = match.record, NAAN_SPACE.fold(match.record.naan)
    also = (record.native_name, record.acronym)
    return NaanMatchView(
        name=NAAN_SPACE.whole(folded),
        page=NAAN_SPACE.page.format(folded),
        holder=reveal_unseen(record.holder) or "Holder not named in the registry",
        also=reveal_unseen(", ".join(one for one in also if one and one != record.holder)),
        since=record.day,
        where=reveal_unseen(shorten_text(record.where, _LONGEST)),
        reasons=match.reasons,
    )
