"""What became of a name, as a line of time: registration, versions of its template, corrections."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.exports.editions.edition_list import TRANSFER, EditionKind, edition_path, kind_of_edition
from app.pages.namespaces.profile_view import documents_of, former_documents
from app.registration.records.former_holders import names_former_holder
from app.registration.records.registry_records import Registration, Status, Xref, XrefType


@dataclass(frozen=True, slots=True)
class VersionLink:
    """One registered version of a template, where it is shown, and where what it changed."""

    number: int
    href: str
    date: str | None = None
    is_shown: bool = False
    changes: str = ""


@dataclass(frozen=True, slots=True)
class EditionLink:
    """An edition that a name is shown of: its number, its day, and the name's page in it."""

    number: int
    date: str
    href: str

    def at(self, path: str) -> str:
        """Where the edition has what is at a path of the site today."""
        return edition_path(self.number, path.removeprefix("/"))


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One state of a name's record: the edition that brought it, its day, and why.

    ``changes`` are the words for what differs from the state before. ``text`` tells the texts of
    its template apart, counted from the first: of a name that went to another holder.
    """

    n: int
    edition: int
    date: str
    cause: str
    reason: str = ""
    href: str = ""
    changes: str = ""
    text: int = 0


@dataclass(frozen=True, slots=True)
class NameHistoryView:
    """What became of a name: its template's versions and its record's states, newest first."""

    versions: tuple[VersionLink, ...] = ()
    history: tuple[HistoryRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """A point of the line; ``told`` are sentences about it.

    ``place`` is the day by which it stands among the others, where its own is not recorded;
    ``documents`` describe the namespace, or did.
    """

    day: str = ""
    place: str = ""
    what: str
    told: tuple[str, ...] = ()
    state: HistoryRow | None = None
    version: VersionLink | None = None
    documents: tuple[Xref, ...] = ()

    @property
    def lacks_day(self) -> bool:
        """Whether it happened on a day that is not recorded; to be described by an RFC is no such
        happening."""
        is_draft = any(xref.type is XrefType.DRAFT for xref in self.documents)
        return not self.day and (is_draft or self.version is not None)


# all that changed is what is held against the registration, which stands as it did
_NOTED = re.compile(r"((?:Dispute|Third-party appeal) (?:noted|settled))\.")
_ENDED = {
    Status.DEPRECATED: "Deprecated: existing identifiers stay valid",
    Status.FORMER: "No longer registered, never reused",
}
_DESCRIBED = {XrefType.RFC: "Described by", XrefType.DRAFT: "Drafted as"}
_VOIDED = "Voided: registered by mistake, never reused"


def names_former_holder_at(history: Sequence[HistoryRow]) -> bool:
    """Whether the template that a page shows names a former holder; ``history`` is newest first."""
    moved = next((state.n for state in history if state.cause == TRANSFER), 0)
    return names_former_holder(history, lambda state: state.text, lambda state: moved >= state.n)


def timeline(
    record: Registration,
    versions: Sequence[VersionLink] = (),
    history: Sequence[HistoryRow] = (),
) -> tuple[Milestone, ...]:
    """The line of a record: that it ended, then what was newest first; two of a day keep order.

    ``versions`` and ``history`` come newest first. A version whose day is not recorded stands
    below the one after it, and a registration without a day not at all. Documents of which the
    record tells no day, as of nearly all, stand by the last day of the registration that refers to
    them, and those whose place others took below everything.
    """
    dated = [
        *_documents(record),
        *_versions(versions),
        *state_milestones(history),
        *_days(record, versions, history),
    ]
    dated.sort(key=lambda one: one.day or one.place, reverse=True)
    return (*_end(record), *dated, *_former_documents(record))


def _end(record: Registration) -> Iterator[Milestone]:
    ended = _VOIDED if record.is_voided else _ENDED.get(record.status)
    if ended:
        yield Milestone(what=ended)


def _documents(record: Registration) -> Iterator[Milestone]:
    place, documents = record.updated or record.date or "", documents_of(record)
    for kind, what in _DESCRIBED.items():
        found = tuple(xref for xref in documents if xref.type is kind)
        for day in dict.fromkeys(xref.lastupdated or "" for xref in found):
            of_day = tuple(xref for xref in found if (xref.lastupdated or "") == day)
            yield Milestone(day=day, place=place, what=what, documents=of_day)


def _former_documents(record: Registration) -> Iterator[Milestone]:
    former = former_documents(record.profile)
    if former:
        yield Milestone(what="Previously described by", documents=former)


def _versions(versions: Sequence[VersionLink]) -> Iterator[Milestone]:
    place = ""
    for version in versions:
        place = version.date or place
        what = f"Template version {version.number}"
        yield Milestone(day=version.date or "", place=place, what=what, version=version)


def state_milestones(history: Sequence[HistoryRow]) -> Iterator[Milestone]:
    """What each state of a name was, in the order in which they are given."""
    first = min((state.n for state in history), default=0)
    for state in history:
        noted, is_new = _NOTED.fullmatch(state.changes), state.n == first
        kind = kind_of_edition(state.cause, is_new=is_new, is_noted=bool(noted))
        what = noted[1] if noted else kind.milestone
        changes = "" if noted or state.n == first else state.changes
        told = tuple(filter(None, (state.reason, changes)))
        yield Milestone(day=state.date, what=what, told=told, state=state)


def _days(
    record: Registration, versions: Sequence[VersionLink], history: Sequence[HistoryRow]
) -> Iterator[Milestone]:
    told = {state.date for state in history if state.cause != "import"}
    changed = record.updated
    if changed and changed not in told | {version.date for version in versions}:
        yield Milestone(day=changed, what=EditionKind.REVISION.milestone)
    if record.date and record.date not in told:
        yield Milestone(day=record.date, what=EditionKind.REGISTRATION.milestone)
