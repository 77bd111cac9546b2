"""What a mirror needs to go from one published JSON of a registry to another.

A delta names both files by their SHA-256. It holds the later one without its records and
people, and of these what is new or changed, whole: so it fits one file alone, its result is
known to be right, and whoever reads JSON can apply it.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

from app.exports.content.file_names import delta_schema_file
from app.exports.editions.list_difference import Document, Keyed, apply_difference, list_difference
from app.exports.formats.json import SCHEMAS
from app.exports.serialization.json_text import Members, json_bytes


class WrongDeltaBase(ValueError):
    """A delta that begins at another file than the one given; ``wanted`` is its edition."""

    def __init__(self, wanted: object) -> None:
        super().__init__(
            f"This delta begins at the JSON of edition {wanted} as it was published. What you "
            "have is another file, or was changed. Fetch a delta from your edition."
        )
        self.wanted = wanted


class BrokenDelta(ValueError):
    """A document that is no delta, or one that does not lead where it says."""


def delta_bytes(before: bytes, after: bytes) -> bytes:
    """The delta as a JSON file."""
    return json_bytes(delta(before, after))


def delta(before: bytes, after: bytes) -> Members:
    """What leads from one published JSON to another, in whichever order they were made.

    Raises ValueError for two registries, for a name or an id that stands twice, and for what
    is no JSON of a registry.
    """
    old, new = _read(before), _read(after)
    if old["id"] != new["id"]:
        raise ValueError(f"`{old['id']}` and `{new['id']}` are two registries.")
    members: Members = {
        "$schema": SCHEMAS + delta_schema_file(new["id"]),
        "registry": new["id"],
        "from": _named(old, before),
        "to": _named(new, after),
        "head": _head(new),
        "tables": _tables(old, new),
        "people": list_difference(_people(old), _people(new)),
    }
    return {name: value for name, value in members.items() if value != {}}


def apply(base: bytes, members: Mapping[str, Any]) -> bytes:
    """The published JSON that a delta leads to from the one given, to the byte.

    Raises WrongDeltaBase if the delta begins elsewhere, and BrokenDelta for a document that is
    no delta or leads to another file than its SHA-256 says.
    """
    try:
        if members["from"]["sha256"] != sha256(base).hexdigest():
            raise WrongDeltaBase(members["from"]["edition"])
        made = json_bytes(_applied(_read(base), members))
        promised = members["to"]["sha256"]
    except WrongDeltaBase:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BrokenDelta(f"This is no delta of a registry: {error!r}.") from error
    if sha256(made).hexdigest() != promised:
        raise BrokenDelta("The delta does not lead to the edition that it names. Fetch it anew.")
    return made


def _read(content: bytes) -> Document:
    document: Document = json.loads(content)
    if not isinstance(document, dict) or not {"id", "edition", "tables"} <= document.keys():
        raise ValueError("This is no JSON of a registry.")
    return document


def _named(document: Document, content: bytes) -> Document:
    return {"edition": document["edition"], "sha256": sha256(content).hexdigest()}


def _head(document: Document) -> Document:
    """The document with its members in their places, and no records and people in them."""
    tables = [{**table, "records": []} for table in document["tables"]]
    return {**document, "tables": tables, "people": []}


def _tables(old: Document, new: Document) -> Document:
    before, after = _records(old), _records(new)
    tables = {id_: list_difference(before.get(id_, {}), after[id_]) for id_ in after}
    return {id_: change for id_, change in tables.items() if change}


def _applied(base: Document, members: Mapping[str, Any]) -> Document:
    head, changes, records = members["head"], members.get("tables", {}), _records(base)
    tables = [
        {
            **table,
            "records": apply_difference(
                records.get(table["id"], {}), changes.get(table["id"], {}), _name
            ),
        }
        for table in head["tables"]
    ]
    people = apply_difference(_people(base), members.get("people", {}), _id)
    return {**head, "tables": tables, "people": people}


def _records(document: Document) -> dict[str, Keyed]:
    tables = {table["id"]: _keyed(table["records"], _name) for table in document["tables"]}
    if len(tables) != len(document["tables"]):
        raise ValueError("The id of a table stands twice in the registry.")
    return tables


def _people(document: Document) -> Keyed:
    return _keyed(document["people"], _id)


def _keyed(documents: Iterable[Document], key_of: Callable[[Document], str]) -> Keyed:
    keyed: dict[str, Document] = {}
    for document in documents:
        key = key_of(document)
        if key in keyed:
            raise ValueError(f"`{key}` stands twice in the registry.")
        keyed[key] = document
    return keyed


def _name(document: Document) -> str:
    return str(document["folded"])


def _id(document: Document) -> str:
    return str(document["id"])
