"""The people whom records name, as they stand now or stood at an edition."""

import json
from collections.abc import Iterable

from sqlalchemy import Select, select

from app.registration.records.record_documents import person_from
from app.registration.records.registry_records import Person
from app.store.database import db
from app.store.edition_groups import group_at
from app.store.tables import Edition, PersonVersion

GONE = ""  # in place of the document of somebody who stands there no more
_AT_ONCE = 500  # SQLite and PostgreSQL both take more


def people_of(idents: Iterable[str]) -> tuple[Person, ...]:
    wanted = sorted(set(idents))
    parts = (wanted[at : at + _AT_ONCE] for at in range(0, len(wanted), _AT_ONCE))
    return tuple(person for part in parts for person in _people(part))


def _people(idents: list[str]) -> Iterable[Person]:
    rows = db.session.execute(
        select(PersonVersion.ident, PersonVersion.document)
        .where(PersonVersion.ident.in_(idents))
        .order_by(PersonVersion.edition)
    )
    latest: dict[str, str] = {row.ident: row.document for row in rows}
    standing = ((ident, document) for ident, document in latest.items() if document != GONE)
    return [person_from(json.loads(document)) for _, document in sorted(standing)]


def find_person(ident: str) -> tuple[Person, int] | None:
    """A person as they stand now, and the edition they stand so from; None for nobody."""
    if "\0" in ident:
        return None
    row = db.session.scalars(
        select(PersonVersion)
        .where(PersonVersion.ident == ident)
        .order_by(PersonVersion.edition.desc())
        .limit(1)
    ).one_or_none()
    if row is None or row.document == GONE:
        return None
    return person_from(json.loads(row.document)), row.edition


def people(edition: int, which: Select[str] | None = None) -> tuple[Person, ...]:
    """Everybody whom references named at an edition, or those with some ids. KeyError."""
    of_group = Edition.group_id == group_at(edition).id
    asked = select(PersonVersion).join(Edition, Edition.n == PersonVersion.edition)
    asked = asked.where(of_group, PersonVersion.edition <= edition)
    if which is not None:
        asked = asked.where(PersonVersion.ident.in_(which))
    rows = db.session.scalars(asked.order_by(PersonVersion.edition))
    latest = {row.ident: row.document for row in rows}
    standing = sorted(ident for ident, document in latest.items() if document != GONE)
    return tuple(person_from(json.loads(latest[ident])) for ident in standing)
