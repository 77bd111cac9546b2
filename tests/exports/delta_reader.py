"""What a mirror does with a delta, written by what is said of the form and by nothing else."""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from app.exports.serialization.json_text import json_bytes


def apply(base: bytes, members: Mapping[str, Any]) -> bytes:
    """The published JSON that a delta leads to from the one given, to the byte."""
    assert members["from"]["sha256"] == sha256(base).hexdigest()
    old, head, changes = json.loads(base), members["head"], members.get("tables", {})
    records = {table["id"]: table["records"] for table in old["tables"]}
    tables = [
        table
        | {"records": changed(records.get(table["id"], []), changes.get(table["id"], {}), "folded")}
        for table in head["tables"]
    ]
    people = changed(old["people"], members.get("people", {}), "id")
    made = json_bytes({**head, "tables": tables, "people": people})
    assert members["to"]["sha256"] == sha256(made).hexdigest()
    return made


def changed(before: list[Any], change: Mapping[str, Any], key: str) -> list[Any]:
    """The list that a difference leads to; all of the difference is used up."""
    documents = {document[key]: document for document in before}
    for gone in change.get("removed", ()):
        del documents[gone]
    for document in change.get("changed", ()):
        assert document[key] in documents
        documents[document[key]] = document
    moved = [(entry["after"], documents.pop(entry["key"])) for entry in change.get("moved", ())]
    added = [(entry["after"], entry["record"]) for entry in change.get("added", ())]
    coming = dict(moved + added)
    placed = list(_placed(documents, coming, key))
    assert coming == {}
    return placed


def _placed(staying: Mapping[str, Any], coming: dict[Any, Any], key: str) -> Iterator[Any]:
    """Each document that stays, followed by those that come after it, which are used up."""
    last: str | None = None
    for document in (None, *staying.values()):
        if document is not None:
            yield document
            last = document[key]
        while last in coming:
            yield (following := coming.pop(last))
            last = following[key]
