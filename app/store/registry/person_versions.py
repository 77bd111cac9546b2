"""The people whom records name, as they stand now."""

import json
from collections.abc import Iterable

from sqlalchemy import select

from app.registration.records.record_documents import person_from
from app.registration.records.registry_records import Person
from app.store.database import db
from app.store.tables import PersonVersion

GONE = ""  # in place of the document of somebody who stands there no more
_AT_ONCE = 500  # SQLite and PostgreSQL both take more


def people_of(idents: Iterable[str]) -> tuple[Person, ...]:
    """Those of these people who stand in the registry now, by their ids."""
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
