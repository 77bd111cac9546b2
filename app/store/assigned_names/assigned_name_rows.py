"""Names that were given, their versions in the order of their changes, and the batches of them."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from sqlalchemy import Row, bindparam, func, select, update

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    assigned_name_from,
    assigned_name_to,
)
from app.assigned_names.name_look_alikes import skeleton_number
from app.registration.records.record_documents import canonical_json
from app.store import counters
from app.store.database import db, table_of
from app.store.row_loading import add_rows
from app.store.tables import AssignedName, AssignedNameVersion, Event, NameBatch, Prefix
from app.store.tables.assigned_names import BatchKind

_Key = TypeVar("_Key", str, int)
_CHANGES = "name change"  # the counter of all changes of names
_MISSING_AFTER, _MISSING_UNTIL = "name change missing after", "name change missing until"
NEW_NAMES = "new"  # how many of a batch are, as its event says
_SOUGHT_AT_ONCE = 1_000
_ASCII_RUNS = re.compile(r"[ -~]+")
_AT_ONCE = 500  # names that are asked for in one statement
_MOST_ALIKE = 2_000  # names that look like some of so many; nobody reads more


@dataclass(frozen=True, slots=True)
class StoredAssignedName:
    """The newest version of a name, as it is kept."""

    name: str
    prefix: int
    number: int | None
    n: int
    state: AssignedNameState
    change: int
    document: str


@dataclass(frozen=True, slots=True)
class NewNameVersion:
    """What is known of a name from now on; ``before`` is its version until now, 0 for a new name.

    ``number`` is the one that a new name was minted by.
    """

    record: AssignedNameRecord
    before: int = 0
    number: int | None = None


@dataclass(frozen=True, slots=True)
class NumberedChange:
    """A change of a name as the feed has it, with the prefix and the number of the name."""

    change: int
    document: str
    prefix: str
    number: int | None


def hold_changes() -> None:
    """Let nobody else give or change names before the commit; what is read now stays so."""
    counters.hold(_CHANGES)


def last_change() -> int:
    """The number of the last change of any name; 0 before the first."""
    return counters.current(_CHANGES)


def taken(names: Collection[str]) -> set[str]:
    found: set[str] = set()
    for some in _parts(sorted(names)):
        found.update(
            db.session.scalars(select(AssignedName.name).where(AssignedName.name.in_(some)))
        )
    return found


def alike(names: Collection[str]) -> tuple[set[str], bool]:
    """Names that were given and may look like some of these: their skeletons have its number."""
    numbers = sorted({skeleton_number(name) for name in names})
    found: set[str] = set()
    is_cut = False
    for some in _parts(numbers):
        asked = select(AssignedName.name).where(AssignedName.skeleton.in_(some))
        read = db.session.scalars(asked.limit(_MOST_ALIKE + 1)).all()
        is_cut = is_cut or len(read) > _MOST_ALIKE
        found.update(read[:_MOST_ALIKE])
    return found, is_cut


def known(names: Collection[str]) -> dict[str, StoredAssignedName]:
    """The newest versions of these, those that were given."""
    found: dict[str, StoredAssignedName] = {}
    for some in _parts(sorted(names)):
        rows = db.session.execute(_newest().where(AssignedName.name.in_(some)))
        found.update((row.name, _stored(row)) for row in rows)
    return found


def _parts(names: Sequence[_Key]) -> Iterator[Sequence[_Key]]:
    return (names[at : at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE))


def _newest() -> Any:  # a SELECT of seven columns
    return select(
        AssignedName.name,
        AssignedName.prefix,
        AssignedName.number,
        AssignedName.n,
        AssignedName.state,
        AssignedName.change,
        AssignedNameVersion.document,
    ).join(AssignedNameVersion, AssignedNameVersion.change == AssignedName.change)


def _stored(row: Row[Any]) -> StoredAssignedName:
    return StoredAssignedName(
        row.name,
        row.prefix,
        row.number,
        row.n,
        AssignedNameState(row.state),
        row.change,
        row.document,
    )


def documents_of(changes: Sequence[NewNameVersion]) -> list[str]:
    return [canonical_json(assigned_name_to(one.record)) for one in changes]


def digest_of(numbered: Iterable[tuple[int, str]]) -> str:
    """The SHA-256 of the documents of changes, a line each with its number before it."""
    lines = (f"{change} {document}\n" for change, document in numbered)
    return sha256("".join(lines).encode()).hexdigest()


def number_changes(count: int, lowest: int) -> int:
    """Take so many numbers of changes that follow each other, and give the first.

    It is not below ``lowest``.
    """
    following = counters.current(_CHANGES) + 1
    first = max(following, lowest)
    if first > following:  # others were numbered so, and are not known here any more
        counters.raise_to(_MISSING_AFTER, following - 1)
        counters.raise_to(_MISSING_UNTIL, first - 1)
    counters.raise_to(_CHANGES, first + count - 1)
    return first


def write(
    prefix: int,
    changes: Sequence[NewNameVersion],
    documents: Sequence[str],
    first: int,
    event: int,
) -> None:
    """Keep changes with the numbers from ``first`` on, and the new names under a prefix."""
    numbered = list(enumerate(changes, first))
    new = [
        {
            "name": one.record.name,
            "prefix": prefix,
            "number": one.number,
            "n": 1,
            "state": one.record.state.value,
            "change": change,
            "skeleton": skeleton_number(one.record.name),
        }
        for change, one in numbered
        if not one.before
    ]
    add_rows(AssignedName, new)
    changed = [
        {
            "whose": one.record.name,
            "newest": one.before + 1,
            "now": one.record.state.value,
            "at": change,
        }
        for change, one in numbered
        if one.before
    ]
    if changed:
        names = table_of(AssignedName)
        db.session.execute(
            update(names)
            .where(names.c.name == bindparam("whose"))
            .values(n=bindparam("newest"), state=bindparam("now"), change=bindparam("at")),
            changed,
        )
    versions = [
        {
            "change": change,
            "name": one.record.name,
            "n": one.before + 1,
            "event": event,
            "state": one.record.state.value,
            "document": document,
        }
        for (change, one), document in zip(numbered, documents, strict=True)
    ]
    add_rows(AssignedNameVersion, versions)


def add_batch(event: int, prefix: int, kind: BatchKind, first: int, last: int, digest: str) -> None:
    """Keep what was done at once by an event."""
    row = {"event": event, "prefix": prefix, "kind": kind.value}
    db.session.execute(
        table_of(NameBatch).insert(), row | {"first": first, "last": last, "digest": digest}
    )


def batch_of(event: int) -> NameBatch | None:
    return db.session.get(NameBatch, event)


def names_of_batch(batch: NameBatch) -> Iterator[str]:
    """The names of a batch in the order of their changes."""
    own = AssignedNameVersion.change.between(batch.first, batch.last)
    found = select(AssignedNameVersion.name).where(own).order_by(AssignedNameVersion.change)
    return iter(db.session.scalars(found))


def changes_after(change: int, most: int) -> list[NumberedChange]:
    rows = db.session.execute(
        select(
            AssignedNameVersion.change,
            AssignedNameVersion.document,
            Prefix.text,
            AssignedName.number,
        )
        .join(AssignedName, AssignedName.name == AssignedNameVersion.name)
        .join(Prefix, Prefix.id == AssignedName.prefix)
        .where(AssignedNameVersion.change > change)
        .order_by(AssignedNameVersion.change)
        .limit(most)
    )
    return [NumberedChange(*row) for row in rows]


def page_of(
    prefix: int, after: str, most: int, state: AssignedNameState | None = None, part: str = ""
) -> list[StoredAssignedName]:
    """Names under a prefix in their order, after one, at most so many.

    ``part`` is looked for in a name and in what is told of it.
    """
    found: list[StoredAssignedName] = []
    width = max(most, _SOUGHT_AT_ONCE) if part else most
    while len(found) < most:
        rows = _after(prefix, after, width, state, part)
        found += (row for row in rows if not part or _has_text(row, part))
        if len(rows) < width:
            break
        after = rows[-1].name
    return found[:most]


def recent_of(prefix: int, most: int) -> list[StoredAssignedName]:
    """Return the identifiers of a prefix that were assigned or changed last, newest first.

    Looks only at the ends of the last batches, since a batch can have a million changes.
    """
    batches = db.session.execute(
        select(NameBatch.first, NameBatch.last)
        .where(NameBatch.prefix == prefix)
        .order_by(NameBatch.event.desc())
        .limit(most)
    )
    changes = [
        n for first, last in batches for n in range(last, max(first, last - most + 1) - 1, -1)
    ]
    rows = db.session.execute(
        _newest()
        # by the primary keys: assigned_name has no index of its changes
        .where(
            AssignedNameVersion.change.in_(changes),
            AssignedName.name == AssignedNameVersion.name,
        )
        .order_by(AssignedNameVersion.change.desc())
        .limit(most)
    )
    return list(map(_stored, rows))


def _has_text(row: StoredAssignedName, part: str) -> bool:
    return assigned_name_from(json.loads(row.document)).has_text(part)


def _after(
    prefix: int, after: str, most: int, state: AssignedNameState | None, part: str
) -> list[StoredAssignedName]:
    found = _newest().where(AssignedName.prefix == prefix, AssignedName.name > after)
    if state is not None:
        found = found.where(AssignedName.state == state)
    document = func.lower(AssignedNameVersion.document)
    # the document is ASCII, where other letters are escaped, in another way as capitals
    for run in _ASCII_RUNS.findall(part):
        found = found.where(document.contains(json.dumps(run)[1:-1].lower(), autoescape=True))
    return list(map(_stored, db.session.execute(found.order_by(AssignedName.name).limit(most))))


def versions_of(name: str) -> list[tuple[AssignedNameVersion, Event]]:
    rows = db.session.execute(
        select(AssignedNameVersion, Event)
        .join(Event, Event.n == AssignedNameVersion.event)
        .where(AssignedNameVersion.name == name)
        .order_by(AssignedNameVersion.n.desc())
    )
    return [(version, event) for version, event in rows]


def counts_of(prefixes: Collection[int]) -> dict[tuple[int, AssignedNameState], int]:
    rows = db.session.execute(
        select(AssignedName.prefix, AssignedName.state, func.count())
        .where(AssignedName.prefix.in_(prefixes))
        .group_by(AssignedName.prefix, AssignedName.state)
    )
    return {(prefix, AssignedNameState(state)): count for prefix, state, count in rows}


def highest_numbers() -> dict[str, int]:
    """The highest number that names under each prefix were minted by."""
    rows = db.session.execute(
        select(Prefix.text, func.max(AssignedName.number))
        .join(AssignedName, AssignedName.prefix == Prefix.id)
        .where(AssignedName.number.is_not(None))
        .group_by(Prefix.text)
    )
    return {text: highest for text, highest in rows if highest is not None}
