"""Recovering from a folder, or a mirror, whose editions somebody forged."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Flask

from app.bundles.layout import edition_laid_out
from app.exports.manifests.bundle_paths import blob_path, edition_path
from app.exports.manifests.manifest import manifest_bytes
from app.services.stored_editions.edition_folder import UnreadableEditions
from tests.conftest import Clock
from tests.services.older_backup import Backup
from tests.services.test_recovering import folder, lose, recovered
from tests.store.schema import dump

__all__ = ["folder"]

_JSON = "/editions/2/urn-namespaces.json"

_KEPT = ("name", "record_version", "edition", "counter", "event")

Forge = Callable[[dict[str, Any]], None]


def keep(folder: Path, content: bytes) -> str:
    digest = hashlib.sha256(content).hexdigest()
    path = folder / blob_path(digest)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return digest


def forge_edition(folder: Path, forge: Forge) -> None:
    """Change the JSON of edition 2, and its list with it, as whoever runs a mirror can."""
    listed = edition_laid_out(folder, 2)
    (told,) = (file for file in listed.files if file.path == _JSON)
    document = json.loads((folder / blob_path(told.sha256)).read_bytes())
    forge(document)
    content = json.dumps(document).encode()
    forged = replace(told, sha256=keep(folder, content), length=len(content), forms=())
    files = tuple(forged if file.path == _JSON else file for file in listed.files)
    link = folder / edition_path(2)
    link.unlink()
    link.symlink_to(f"../{blob_path(keep(folder, manifest_bytes(replace(listed, files=files))))}")


def last_record(document: dict[str, Any]) -> dict[str, Any]:
    for table in document["tables"]:
        for record in table["records"]:
            if record["name"] == "quokka":
                found: dict[str, Any] = record
                return found
    raise LookupError("quokka")


def named(name: object, table: int | None = None) -> Forge:
    def forge(document: dict[str, Any]) -> None:
        record = last_record(document)
        record["name"] = name
        if table is not None:
            for each in document["tables"]:
                each["records"] = [one for one in each["records"] if one is not record]
            document["tables"][table]["records"].append(record)

    return forge


def asked_in(number: str) -> Forge:
    def forge(document: dict[str, Any]) -> None:
        last_record(document)["links"] = {"request": f"/requests/{number}"}

    return forge


def member(name: str, value: Any) -> Forge:
    def forge(document: dict[str, Any]) -> None:
        last_record(document)[name] = value

    return forge


def head(name: str, value: Any) -> Forge:
    def forge(document: dict[str, Any]) -> None:
        document[name] = value

    return forge


FORGED: dict[str, Forge] = {
    "the scheme as a name": named("urn"),
    "one letter": named("a"),
    "a slash": named("a/b"),
    "33 characters": named("a" * 33),
    "an umlaut": named("für"),
    "a control character": named("ab\x00cd"),
    "half a surrogate pair": named("ab\ud800cd"),
    "a number in place of a name": named(7),
    "a formal name among the informal ones": named("zzzz", 1),
    "an informal number beyond the counter": named("urn-4000000000", 1),
    "an informal number beyond any": named(f"urn-{10**20}", 1),
    "a request number beyond the counter": asked_in(str(4 * 10**9)),
    "a request number beyond any": asked_in("9" * 30),
    "a request number below 0": asked_in("-4"),
    "a version beyond any": member("version", 10**30),
    "a version in words": member("version", "x"),
    "a list in place of a date": member("date", [1]),
    "a number in place of a text": member("fields", {"a": 1}),
    "no date of the registry": head("updated", None),
    "tables of another registry": head("tables", [{"id": "arks", "title": "", "records": []}]),
}


def test_a_forged_edition_is_refused_and_nothing_is_kept(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    link = folder / edition_path(2)
    target, before = link.readlink(), dump()
    taken = []
    for what, forge in FORGED.items():
        link.unlink()
        link.symlink_to(target)
        forge_edition(folder, forge)
        try:
            recovered(folder, clock)
            taken.append(what)
            backup.put_back()
        except UnreadableEditions:
            after = dump()
            assert all(after[table] == before[table] for table in _KEPT), what
    assert taken == []
