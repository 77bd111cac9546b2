"""The list of editions."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.exports.editions.changes import Changes, registry_changes
from app.exports.editions.edition_list import EditionRow, editions_json
from app.exports.schemas.json_schema import editions_schema_bytes, history_schema_files
from tests.exports.snapshots import EMPTY, FULL
from tests.exports.test_changes import OLD, RFC, registry

SCHEMA = Draft202012Validator(json.loads(editions_schema_bytes()))


def row(number: int, found: Changes, **given: Any) -> EditionRow:
    """An edition of a day."""
    at = datetime(2026, 1, number, 9, 30, tzinfo=UTC)
    made = EditionRow(number=number, as_of=at, origin="local", cause="correction", changes=found)
    return replace(made, **given)


def test_the_list_of_editions_tells_what_each_changed_and_where_it_is() -> None:
    before, after = (replace(registry(r), edition=n) for n, r in ((1, OLD), (2, OLD)))
    after = replace(after, registries=registry(replace(OLD, references=(RFC,))).registries)
    rows = [row(1, registry_changes(None, before)), row(2, registry_changes(before, after))]
    listed = json.loads(editions_json(after, rows))
    SCHEMA.validate(listed)
    assert listed["$schema"] == "/schemas/things-editions.json"
    assert listed["editions"][0] == {
        "edition": 2,
        "as_of": "2026-01-02T09:30:00Z",
        "origin": "local",
        "cause": "correction",
        "summary": "Entries: 1 changed.",
        "names": {"changed": 1},
        "changes": ["ad-id: reference draft-adid-urn-03 (approved) became RFC 8107."],
        "links": {
            "page": "/editions/2/",
            "xml": "/editions/2/things.xml",
            "json": "/editions/2/things.json",
            "delta": "/editions/1..2.json",
        },
    }
    assert listed["editions"][1]["names"] == {"registered": 1}
    assert listed["editions"][1]["changes"] == []
    assert "delta" not in listed["editions"][1]["links"]
    assert editions_json(after, rows[::-1]) == editions_json(after, rows)


def test_the_moment_of_an_edition_is_told_in_utc() -> None:
    zone = timezone(timedelta(hours=2))
    at = datetime(2026, 1, 1, 1, 2, 3, 999, tzinfo=zone)
    assert row(1, registry_changes(None, EMPTY), as_of=at).moment == "2025-12-31T23:02:03Z"
    with pytest.raises(ValueError, match="no time zone"):
        row(1, registry_changes(None, EMPTY), as_of=at.replace(tzinfo=None))


def test_an_empty_list_of_editions_is_valid_and_the_schemas_are_schemas() -> None:
    SCHEMA.validate(json.loads(editions_json(EMPTY, [])))
    names = [name for name, _ in history_schema_files(FULL)]
    assert names == ["urn-namespaces-delta.json", "urn-namespaces-editions.json"]
    for _, data in history_schema_files(FULL):
        Draft202012Validator.check_schema(json.loads(data))
