"""What a mirror needs to go from one published JSON of a registry to another.

A delta names both files by their SHA-256. It holds the later one without its records and
people, and of these what is new or changed, whole: so it fits one file alone, its result is
known to be right, and whoever reads JSON can apply it.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from app.exports.content.file_names import delta_schema_file
from app.exports.formats.json import SCHEMAS
from app.exports.serialization.json_text import Members, json_bytes

Document = dict[str, Any]
Keyed = Mapping[str, Document]  # in the order of the list


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
        raise ValueError(f"`{old['id']}` and `{new['id']}` are different registries.")
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


def _read(content: bytes) -> Document:
    document: Document = json.loads(content)
    if not isinstance(document, dict) or not {"id", "edition", "tables"} <= document.keys():
        raise ValueError("This isn't the JSON of a registry.")
    return document


def _named(document: Document, content: bytes) -> Document:
    return {"edition": document["edition"], "sha256": sha256(content).hexdigest()}


def _head(document: Document) -> Document:
    tables = [{**table, "records": []} for table in document["tables"]]
    return {**document, "tables": tables, "people": []}


def _tables(old: Document, new: Document) -> Document:
    before, after = _records(old), _records(new)
    tables = {id_: list_difference(before.get(id_, {}), after[id_]) for id_ in after}
    return {id_: change for id_, change in tables.items() if change}


def _records(document: Document) -> dict[str, Keyed]:
    tables = {table["id"]: _keyed(table["records"], _name) for table in document["tables"]}
    if len(tables) != len(document["tables"]):
        raise ValueError("A table id appears twice in the registry.")
    return tables


def _people(document: Document) -> Keyed:
    return _keyed(document["people"], _id)


def _keyed(documents: Iterable[Document], key_of: Callable[[Document], str]) -> Keyed:
    keyed: dict[str, Document] = {}
    for document in documents:
        key = key_of(document)
        if key in keyed:
            raise ValueError(f"`{key}` appears twice in the registry.")
        keyed[key] = document
    return keyed


def _name(document: Document) -> str:
    return str(document["folded"])


def _id(document: Document) -> str:
    return str(document["id"])


def list_difference(before: Keyed, after: Keyed) -> Document:
    """What is removed, changed, moved and added; a member with nothing in it is left out.

    What is new or stands in another place says which one it comes after, so that an order that
    was put by hand is kept.
    """
    staying = _staying(before, after)
    coming = [pair for pair in zip(after, (None, *after), strict=False) if pair[0] not in staying]
    members = {
        "removed": [key for key in before if key not in after],
        "changed": [after[key] for key in after if key in before and before[key] != after[key]],
        "moved": [{"key": key, "after": last} for key, last in coming if key in before],
        "added": [{"record": after[k], "after": last} for k, last in coming if k not in before],
    }
    return {name: entries for name, entries in members.items() if entries}


def _staying(before: Keyed, after: Keyed) -> frozenset[str]:
    place = {key: n for n, key in enumerate(before)}
    common = [key for key in after if key in place]
    ends: list[int] = []  # the last place of the best run of each length
    last: list[str] = []
    earlier: dict[str, str | None] = {}
    for key in common:
        length = bisect_left(ends, place[key])
        earlier[key] = last[length - 1] if length else None
        ends[length : length + 1] = [place[key]]
        last[length : length + 1] = [key]
    return frozenset(_run(last[-1] if last else None, earlier))


def _run(key: str | None, earlier: Mapping[str, str | None]) -> Iterator[str]:
    while key is not None:
        yield key
        key = earlier[key]
