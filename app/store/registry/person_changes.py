"""Keeping the people whom records name, as they stand from an edition on."""

from collections.abc import Iterable

from app.registration.records.record_documents import canonical_json, person_to
from app.registration.records.registry_records import Person
from app.store.database import db
from app.store.registry import search_index
from app.store.registry.person_versions import GONE
from app.store.tables import PersonVersion


def set_people(people: Iterable[Person], edition: int) -> None:
    """Keep people as they stand from this edition on."""
    for person in people:
        document = canonical_json(person_to(person))
        db.session.add(PersonVersion(ident=person.id, edition=edition, document=document))
        search_index.refresh_naming(person.id)


def drop_people(idents: Iterable[str], edition: int) -> None:
    """Let people stand in the registry no more from this edition on."""
    for ident in idents:
        db.session.add(PersonVersion(ident=ident, edition=edition, document=GONE))
        search_index.refresh_naming(ident)
