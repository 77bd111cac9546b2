"""Recovering from a folder, or a mirror, whose editions somebody forged."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.bundles.layout import edition_laid_out
from app.exports.manifests.bundle_paths import blob_path, edition_path
from app.exports.manifests.manifest import manifest_bytes
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.records.registry_records import Registration
from app.services.operations.recovery import record_problems
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


def forge_edition(folder: Path, forge: Forge, as_of: str = "") -> None:
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
    content = manifest_bytes(replace(listed, files=files, as_of=as_of or listed.as_of))
    link.symlink_to(f"../{blob_path(keep(folder, content))}")


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


def field(name: str, text: object) -> Forge:
    def forge(document: dict[str, Any]) -> None:
        last_record(document)["fields"][name] = text

    return forge


def service(target: str) -> Forge:
    resolution = {"services": [{"kind": "I2L", "target": target}], "resolvability": "resolved"}
    return member("profile", {"resolution": resolution})


def twice(member: str) -> Forge:
    def forge(document: dict[str, Any]) -> None:
        rows = document[member]
        rows.append({**rows[0], "records": []} if member == "tables" else rows[0])

    return forge


def name_twice(document: dict[str, Any]) -> None:
    document["tables"][0]["records"].append({**last_record(document), "name": "QUOKKA"})


def name_in_both_tables(document: dict[str, Any]) -> None:
    document["tables"][1]["records"].append(last_record(document))


def another_person(**members: object) -> Forge:
    def forge(document: dict[str, Any]) -> None:
        document["people"].append({"id": "Eve", "name": "Eve"} | members)

    return forge


_DISPUTE = {"kind": "dispute", "date": "2026-09-01"}

FORGED: dict[str, Forge] = {
    "a script as a homepage": member("profile", {"homepage": "javascript:alert(1)"}),
    "a script as a resolver": service("javascript:alert('{nss}')"),
    "a resolver inside the network": service("http://127.0.0.1/{nss}"),
    "a pattern that takes for ever": member("profile", {"pattern": {"expression": "(a+)+b"}}),
    "a rule of equivalence that joins letters": member(
        "equivalence", [{"do": "drop", "clause": "x", "characters": "a"}]
    ),
    "a name twice": name_twice,
    "a name in two tables": name_in_both_tables,
    "a person twice": twice("people"),
    "a table twice": twice("tables"),
    "an unknown field of the template": field("onload", "alert(1)"),
    "a control character in a field": field("purpose", "ab\x00cd"),
    "a list in place of a field": field("purpose", ["a"]),
    "a line break in a field of one line": field("version", "1\n2"),
    "a successor that is a script": member("successor", "javascript:alert(1)"),
    "a dispute without a day": member("disputes", [_DISPUTE | {"date": "x"}]),
    "a number as a ground": member("disputes", [_DISPUTE | {"grounds": 7}]),
    "a list as the source of a text": member("text_source", ["a"]),
    "a number as a reference": member("references", [{"type": "uri", "data": 7}]),
    "a text in place of addresses": another_person(uris="https://example.org"),
    "a number as a person's name": another_person(name=7),
    "a space in a person's id": another_person(id="a b"),
    "a number as the notice": head("notice", 7),
    "a control character in the notice": head("notice", "ab\x00cd"),
    "another registry's id": head("id", "uri-schemes"),
    "another edition's number": head("edition", 3),
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
    "a number in place of a text": field("purpose", 1),
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


def test_an_edition_dated_in_the_future_is_refused(
    app: Flask, folder: Path, clock: Clock, backup: Backup
) -> None:
    lose(folder, clock, backup)
    forge_edition(folder, lambda _document: None, as_of="9999-12-31T23:59:59.999999+00:00")
    before = dump()
    with pytest.raises(UnreadableEditions, match="in the future"):
        recovered(folder, clock)
    assert all(dump()[table] == before[table] for table in _KEPT)


def test_a_forged_shoulder_or_naan_is_refused() -> None:
    record = Registration(name="12345", contact=(), space=NAANS.space)
    for table, forged in (
        (SHOULDERS.id, record),
        (NAANS.id, replace(record, name="12345/fk4")),
        (NAANS.id, replace(record, name="l2345")),
        (NAANS.id, replace(record, fields=(("target", "javascript:alert(1)"),))),
        (NAANS.id, replace(record, fields=(("organization", "a" * 5_000),))),
        (NAANS.id, replace(record, fields=(("on_file", "[" * 100_000),))),
    ):
        assert [*record_problems(table, forged, None, ())], forged
    assert [*record_problems(NAANS.id, record, None, ())] == []
