"""What a mirror needs to go from one edition of a registry to another.

A delta holds records as they are stored, whole where they are new or changed, and the
SHA-256 of both states: it fits one edition alone, and its result is known to be right.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from app.exports.file_names import registry_file
from app.exports.json import SCHEMAS
from app.exports.json_text import Members, json_bytes
from app.exports.ordering import Document, Keyed, applied, difference
from app.identifiers.nid import fold_nid
from app.registration.declarations import FIELDS
from app.registration.documents import (
    canonical,
    head_to,
    person_to,
    registration_to,
    snapshot_read,
    snapshot_to,
)
from app.registration.records import Registration, RegistrySnapshot


class WrongBase(ValueError):
    """A delta that begins at another state than the one given.

    ``wanted`` is the edition that it begins at, ``given`` the one that was given.
    """

    def __init__(self, wanted: object, given: int) -> None:
        super().__init__(
            f"This delta begins at edition {wanted} as it was published. What you have is "
            f"edition {given}, or was changed. Fetch a delta from your edition."
        )
        self.wanted, self.given = wanted, given


class BrokenDelta(ValueError):
    """A document that is no delta, or one that does not lead where it says."""


def delta_schema_file(snapshot: RegistrySnapshot) -> str:
    """The JSON Schema of a delta: ``urn-namespaces-delta.json``."""
    return registry_file(replace(snapshot, id=f"{snapshot.id}-delta"), "json")


def delta_bytes(before: RegistrySnapshot, after: RegistrySnapshot) -> bytes:
    """The delta as a JSON file."""
    return json_bytes(delta(before, after))


def delta(before: RegistrySnapshot, after: RegistrySnapshot) -> Members:
    """What leads from one state to the other, in whichever order they were made.

    Nothing that is not public is in it. Raises ValueError for two registries, and for a
    name or an id that stands twice.
    """
    if before.id != after.id:
        raise ValueError(f"`{before.id}` and `{after.id}` are two registries.")
    old, new = public(before), public(after)
    members: Members = {
        "$schema": SCHEMAS + delta_schema_file(after),
        "registry": after.id,
        "from": {"edition": old.edition, "sha256": fingerprint(old)},
        "to": {"edition": new.edition, "updated": new.updated, "sha256": fingerprint(new)},
    }
    if old.notice != new.notice:
        members["notice"] = new.notice
    if head_to(old) != head_to(new):
        members["head"] = head_to(new)
    members["tables"] = _tables(old, new)
    members["people"] = difference(_people(old), _people(new))
    return {name: value for name, value in members.items() if value != {}}


def apply(snapshot: RegistrySnapshot, members: Mapping[str, Any]) -> RegistrySnapshot:
    """The state that a delta leads to from the one given, without what is not public.

    Raises WrongBase if the delta begins elsewhere, and BrokenDelta for a document that is
    no delta or leads to another state than its SHA-256 says.
    """
    base = public(snapshot)
    try:
        if members["from"]["sha256"] != fingerprint(base):
            raise WrongBase(members["from"]["edition"], base.edition)
        made = _applied(base, members)
        promised = members["to"]["sha256"]
    except WrongBase:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BrokenDelta(f"This is no delta of a registry: {error!r}.") from error
    if fingerprint(made) != promised:
        raise BrokenDelta("The delta does not lead to the edition that it names. Fetch it anew.")
    return made


def public(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    """A snapshot without the fields of its records that are not for everybody."""
    tables = (
        replace(table, records=tuple(map(_public, table.records))) for table in snapshot.registries
    )
    return replace(snapshot, registries=tuple(tables))


def fingerprint(snapshot: RegistrySnapshot) -> str:
    """The SHA-256 of a state, its edition's number included: equal for equal states alone."""
    document = {
        "edition": snapshot.edition,
        "notice": snapshot.notice,
        "snapshot": snapshot_to(snapshot),
    }
    return sha256(canonical(document).encode("ascii")).hexdigest()


def _public(record: Registration) -> Registration:
    fields = tuple(pair for pair in record.fields if pair[0] in _PUBLIC)
    return record if fields == record.fields else replace(record, fields=fields)


_PUBLIC = frozenset(name for name, field in FIELDS.items() if field.public)


def _tables(old: RegistrySnapshot, new: RegistrySnapshot) -> Members:
    before, after = _records(old), _records(new)
    tables = {id_: difference(before.get(id_, {}), after[id_]) for id_ in after}
    return {id_: change for id_, change in tables.items() if change}


def _applied(base: RegistrySnapshot, members: Mapping[str, Any]) -> RegistrySnapshot:
    head = members.get("head", head_to(base))
    tables, records = members.get("tables", {}), _records(base)
    made = snapshot_read(
        {
            "head": head,
            "updated": members["to"]["updated"],
            "records": {
                table["id"]: applied(
                    records.get(table["id"], {}), tables.get(table["id"], {}), _name
                )
                for table in head.get("registries", ())
            },
            "people": applied(_people(base), members.get("people", {}), _id),
        }
    )
    notice = members.get("notice", base.notice)
    return replace(made, edition=members["to"]["edition"], notice=notice)


def _records(snapshot: RegistrySnapshot) -> dict[str, Keyed]:
    tables = {
        table.id: _keyed(map(registration_to, table.records), _name)
        for table in snapshot.registries
    }
    if len(tables) != len(snapshot.registries):
        raise ValueError("The id of a table stands twice in the registry.")
    return tables


def _people(snapshot: RegistrySnapshot) -> Keyed:
    return _keyed(map(person_to, snapshot.people), _id)


def _keyed(documents: Iterable[Document], key_of: Callable[[Document], str]) -> Keyed:
    keyed: dict[str, Document] = {}
    for document in documents:
        key = key_of(document)
        if key in keyed:
            raise ValueError(f"`{key}` stands twice in the registry.")
        keyed[key] = document
    return keyed


def _name(document: Document) -> str:
    return fold_nid(document["name"])


def _id(document: Document) -> str:
    return str(document["id"])
