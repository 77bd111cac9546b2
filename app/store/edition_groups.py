"""Of which group of registries an edition is, and which of that group came before it."""

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import aliased

from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.store.database import built_once, db, read_for_good
from app.store.tables import Edition


def group_at(edition: int) -> RegistryGroup:
    """The group of an edition, by its key; KeyError where there is none."""
    group = _find_group(edition)
    if group is None:
        raise KeyError(edition)
    return GROUPS[group]


@read_for_good
def _find_group(edition: int) -> str | None:
    return db.session.scalar(_group(), {"edition": edition})


@built_once
def _group() -> Select[str]:
    return select(Edition.group_id).where(Edition.n == bindparam("edition"))


def find_before(edition: int) -> int | None:
    """The key of the edition before one in its group; None where there is none."""
    return db.session.scalar(_before(), {"edition": edition})


@built_once
def _before() -> Select[int | None]:
    other = aliased(Edition)
    of_group = (other.group_id == Edition.group_id) & (other.n < Edition.n)
    found = select(func.max(other.n)).join(Edition, of_group)
    return found.where(Edition.n == bindparam("edition"))
