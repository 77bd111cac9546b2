"""States of a registry of former days, from one document: the first whole, then what changed."""

from collections.abc import Iterator
from typing import Any

from app.registration.declarations.registries import REGISTRIES, space_of
from app.registration.records.record_documents import (
    Document,
    person_from,
    registration_from,
    snapshot_from,
)
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot


def history_read(document: Document) -> tuple[RegistrySnapshot, ...]:
    """The states of a registry, oldest first, from the document they are shipped as.

    ``first`` is a state as a registry is shipped. Each of ``steps`` is of a day, and says what was
    put in place of what stood there, if anything did, and what went: records by table, and people.
    Its head is left out where it stays. Names stand in the order of their table.
    """
    return tuple(_states(document))


def _states(document: Document) -> Iterator[RegistrySnapshot]:
    head: Document = {}
    tables: dict[str, dict[str, Registration]] = {}
    people: dict[str, Person] = {}
    for step in (_as_step(document["first"]), *document["steps"]):
        head = step.get("head", head)
        for registry, records in step.get("put", {}).items():
            tables.setdefault(registry, {}).update(_records(registry, records))
        for registry, names in step.get("gone", {}).items():
            for name in names:
                del tables[registry][name]
        people |= {person["id"]: person_from(person) for person in step.get("people", ())}
        for ident in step.get("people_gone", ()):
            del people[ident]
        yield snapshot_from(
            head,
            updated=step["updated"],
            records={registry: _in_order(registry, tables[registry]) for registry in tables},
            people=tuple(people[ident] for ident in sorted(people)),
        )


def _as_step(first: Document) -> Document:
    return {**first, "put": first["records"]}


def _records(registry: str, documents: list[Any]) -> dict[str, Registration]:
    space = space_of(registry)
    return {each["name"]: registration_from(each, space) for each in documents}


def _in_order(registry: str, records: dict[str, Registration]) -> tuple[Registration, ...]:
    sort_key = REGISTRIES[registry].sort_key
    return tuple(sorted(records.values(), key=lambda record: sort_key(record.folded)))
