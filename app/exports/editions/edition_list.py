"""The editions of a registry: which there were, when, why, and what each of them changed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Self

from app.exports.content.file_names import registry_file
from app.exports.editions.changes import Changes, NameChange, NameChangeKind
from app.exports.formats.json import SCHEMAS
from app.exports.serialization.json_text import Members, json_bytes
from app.registration.declarations.dates import is_date
from app.registration.declarations.registries import Format
from app.registration.declarations.registry_groups import GROUPS, URN_GROUP
from app.registration.records.registry_records import RegistrySnapshot

LINKED = (Format.XML, Format.JSON)
DAY_RULE = "Enter a date as YYYY-MM-DD, for example 2021-05-01 (RFC 3339 section 5.6, full-date)."

TRANSFER = "transfer"  # what led to an edition by which a name has another holder
_SOMEBODY = "another registrant"


class EditionKind(StrEnum):
    """What an edition is to those who read it.

    ``occasion`` says in a few words that follow a day when it was made, ``milestone`` what became
    of a name by it.
    """

    occasion: str
    milestone: str

    def __new__(cls, value: str, occasion: str = "", milestone: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_, member.occasion, member.milestone = value, occasion, milestone
        return member

    IMPORT = "import", "after an import", "Imported into this registry"
    REGISTRATION = "registration", "after a registration", "Registered"
    REVISION = "revision", "after a change to a registration", "Registration changed"
    CORRECTION = "correction", "after a correction", "Entry corrected"
    TRANSFER = (
        TRANSFER,
        "after a transfer to another registrant",
        "Transferred to another registrant",
    )
    TEMPLATES = "templates", "after templates were added", "Template text added"
    NOTED = (
        "noted",
        "after a dispute or appeal was recorded or settled",
        "Dispute or appeal recorded or settled",
    )


def kind_of_edition(cause: str, *, is_new: bool, is_noted: bool) -> EditionKind:
    """What an edition is, to a registry or to one name of it.

    ``cause`` is what led to it, as everybody is told it, ``is_new`` whether a name came with it,
    ``is_noted`` whether all that changed is what is held against a registration. Raises
    ValueError for what leads to no edition.
    """
    if is_noted:
        return EditionKind.NOTED
    kind = EditionKind(cause)
    return EditionKind.REVISION if kind is EditionKind.REGISTRATION and not is_new else kind


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionRow:
    """One edition as lists of editions show it.

    ``as_of`` is the moment that it stands for, ``cause`` what led to it, such as a registration,
    a correction or a ``TRANSFER``, ``changes`` what differs from the edition before it, ``reason``
    what the operator said of a correction or transfer. Raises ValueError for a moment without its
    zone.
    """

    number: int
    as_of: datetime
    origin: str
    cause: str
    changes: Changes
    reason: str = ""

    def __post_init__(self) -> None:
        if self.as_of.tzinfo is None:
            raise ValueError(
                f"{self.as_of} has no time zone. Pass the moment of an edition in UTC."
            )

    @property
    def is_transfer(self) -> bool:
        """Whether by it a name went to another registrant."""
        return self.cause == TRANSFER

    @property
    def occasion(self) -> str:
        """On which occasion it was made, in a few words that follow a day."""
        names = self.changes.names
        changed = bool(names) and all(one.kind is NameChangeKind.CHANGED for one in names)
        noted = bool(names) and all(one.is_noted for one in names)
        return kind_of_edition(self.cause, is_new=not changed, is_noted=noted).occasion

    def headline_of(self, change: NameChange) -> str:
        """What became of one of its names, without the facts; a transfer tells the new holder.

        Identifiers stand in backticks.
        """
        if not self.is_transfer or change.kind is not NameChangeKind.CHANGED:
            return change.headline
        return f"`{change.folded}` transferred to {change.record.profile.holder or _SOMEBODY}"

    @property
    def moment(self) -> str:
        """The moment in UTC to the second, such as ``2026-07-28T00:00:00Z``."""
        return self.as_of.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def end_of_day(text: str) -> datetime:
    """The last moment in UTC of a day as editions are asked for.

    Raises ValueError for what is no day; ``DAY_RULE`` says how one is written.

    Source: RFC 3339 section 5.6, full-date.
    """
    if not is_date(text):
        raise ValueError(f"`{text[:40]}` isn't a date. {DAY_RULE}")
    return datetime.combine(date.fromisoformat(text), time.max, UTC)


EDITIONS = URN_GROUP.editions


def editions_path(group: str) -> str:
    """Where the editions of a group are, by its id; of an undeclared one the usual place."""
    return GROUPS.get(group, URN_GROUP).editions


def edition_path(number: int, file: str = "", group: str = URN_GROUP.id) -> str:
    """Where an edition is, or one of its files."""
    return f"{editions_path(group)}{number}/{file}"


def delta_path(before: int, after: int, group: str = URN_GROUP.id) -> str:
    """Where the difference between two editions is."""
    return f"{editions_path(group)}{before}..{after}.json"


def editions_schema_file(snapshot: RegistrySnapshot) -> str:
    """The JSON Schema of a list of editions: ``urn-namespaces-editions.json``."""
    return registry_file(replace(snapshot, id=f"{snapshot.id}-editions"), Format.JSON)


def editions_json(snapshot: RegistrySnapshot, rows: Iterable[EditionRow]) -> bytes:
    """Every edition of a registry as JSON, the newest first.

    The sentences of an edition that has none before it are left out: there every name is
    new. Equal rows give equal bytes, in whichever order they come.
    """
    newest_first = sorted(rows, key=lambda row: row.number, reverse=True)
    return json_bytes(
        {
            "$schema": SCHEMAS + editions_schema_file(snapshot),
            "registry": snapshot.id,
            "editions": (_edition(snapshot, row) for row in newest_first),
        }
    )


def _edition(snapshot: RegistrySnapshot, row: EditionRow) -> Members:
    said = () if row.changes.before is None else row.changes.sentences()
    counts = {str(kind): len(row.changes.of(kind)) for kind in NameChangeKind}
    return {
        "edition": row.number,
        "as_of": row.moment,
        "origin": row.origin,
        "cause": row.cause,
        **({"reason": row.reason} if row.reason else {}),
        "summary": row.changes.summary,
        "names": {kind: count for kind, count in counts.items() if count},
        "changes": [sentence.replace("`", "") for sentence in said],
        "links": _links(snapshot, row),
    }


def _links(snapshot: RegistrySnapshot, row: EditionRow) -> dict[str, str]:
    links = {"page": edition_path(row.number, group=snapshot.id)}
    for form in LINKED:
        links[str(form)] = edition_path(row.number, registry_file(snapshot, form), snapshot.id)
    if row.changes.before is not None:
        links["delta"] = delta_path(row.changes.before, row.number, snapshot.id)
    return links
