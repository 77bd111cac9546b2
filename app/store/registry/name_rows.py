"""The names that were given to somebody, or can be given to nobody."""

from collections.abc import Mapping

from sqlalchemy import Select, bindparam, func, select

from app.registration.declarations.registries import space_of
from app.registration.records.registry_records import Status
from app.store.database import built_once, db
from app.store.tables import Name, RecordVersion
from app.store.tables.registry import Cause, NameKind


class NameTaken(Exception):
    """The name belongs to somebody already, in whatever case it was written."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}` is already taken. Names are never reused.")
        self.name = name


def taken_names(space: str) -> Mapping[str, NameKind]:
    """Every name that can no longer be given, folded, and why."""
    taken = db.session.execute(_taken(), {"space": space})
    return {folded: NameKind(kind) for folded, kind in taken}


@built_once
def _taken() -> Select[str, str]:
    return select(Name.folded, Name.kind).where(Name.space == bindparam("space"))


def is_taken(space: str, folded: str) -> bool:
    return find_name(space, folded) is not None


def names_within(space: str, begin: str) -> list[str]:
    """The names that are taken, folded, which begin with a text and go on, in their order."""
    taken = select(Name.folded).where(Name.space == space, Name.folded != begin)
    taken = taken.where(func.substr(Name.folded, 1, len(begin)) == begin)
    return list(db.session.scalars(taken.order_by(Name.folded)))


def key_of(registry: str, folded: str) -> str:
    """The key of a name, by the registry that has it."""
    return space_of(registry).about(folded)


def registered_names() -> frozenset[str]:
    """Every name that was given to somebody, in whatever space, by its key."""
    given = select(Name.registry_id, Name.folded).where(Name.kind == NameKind.REGISTERED)
    return frozenset(key_of(*row) for row in db.session.execute(given))


def names_made_former(edition: int) -> dict[str, tuple[Cause, str]]:
    """The names, by their keys, that an edition made former: why, and what took their place."""
    rows = db.session.execute(
        select(Name.registry_id, Name.folded, RecordVersion.cause, RecordVersion.successor)
        .join(RecordVersion)
        .where(RecordVersion.edition == edition, RecordVersion.status == Status.FORMER)
        .where(RecordVersion.is_in_editions())
    )
    return {
        key_of(row.registry_id, row.folded): (Cause(row.cause), row.successor or "") for row in rows
    }


def find_name(space: str, folded: str) -> Name | None:
    """A name of a space by its folded form; None where it is nobody's and never was."""
    if not folded.isascii() or "\0" in folded:
        return None  # PostgreSQL would not even be asked for U+0000
    return db.session.scalars(_named(), {"space": space, "folded": folded}).one_or_none()


@built_once
def _named() -> Select[Name]:
    return select(Name).where(Name.space == bindparam("space"), Name.folded == bindparam("folded"))
