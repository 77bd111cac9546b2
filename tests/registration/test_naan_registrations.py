"""NAANs and shoulders as the registry keeps them: no fact is lost."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import bundled
from app.exports.extracts.naan_files import ark_rules_bytes
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.naans.naan_documents import naan_file_from
from app.registration.naans.naan_json import read_naan_json, write_naan_json
from app.registration.naans.naan_records import AS_WRITTEN, NaanRow
from app.registration.records.naan_registrations import (
    file_head_of,
    naan_file_of,
    naan_row_of,
    registration_of,
    registry_of,
)
from app.registration.records.record_documents import registration_from, registration_to
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
)
from app.resolution.ark_resolver import ArkResolver, ResolvedArk, WithdrawnNaan
from app.resolution.ark_rules import LineArkRuleBook
from tests.registration.naans.made_records import (
    LIBRARY,
    NAAN_RECORDS,
    SHOULDER_RECORDS,
    entry_of,
    file_of,
)


@given(row=st.one_of(NAAN_RECORDS, SHOULDER_RECORDS), dirt=st.booleans())
def test_a_record_on_file_is_kept_and_given_back_with_every_fact(row: NaanRow, dirt: bool) -> None:
    if dirt:
        (row,) = read_naan_json(file_of(entry_of(row, when=7, odd={"x": [1.50]}))).records
    kept = registration_of(row)
    stored = json.loads(json.dumps(registration_to(kept)))
    assert naan_row_of(registration_from(stored, kept.space)) == row
    public = {field.name for field in registry_of(row).public_fields}
    assert {name for name, _ in kept.fields} <= public
    assert kept.date == (row.day or None)


def test_the_bundled_file_is_the_same_from_what_the_registry_keeps() -> None:
    file = naan_file_from(bundled.naans())
    tables = tuple(
        SubRegistry(
            id=each.id,
            title="",
            records=tuple(
                registration_of(row)
                for row in sorted(file.records, key=lambda one: one.name)
                if registry_of(row) is each
            ),
        )
        for each in (NAANS, SHOULDERS)
    )
    snapshot = RegistrySnapshot(
        id="naans", title="", updated="", registries=tables, on_file=file_head_of(file)
    )
    assert sum(len(table.records) for table in tables) == 1800
    assert naan_file_of(snapshot) == replace(file, findings=())
    assert write_naan_json(naan_file_of(snapshot)) == write_naan_json(file)


def test_what_the_registry_has_beside_a_file_decides_how_arks_are_led_on() -> None:
    """The ARK URI scheme section 6 has a normal form; a holder may declare that it wants another.

    What is no longer in use leads nowhere.
    """
    assert AS_WRITTEN in dict(NAANS.named["target_spelling"].choices)
    kept = registration_of(replace(LIBRARY, target="https://utopia.example/${content}"))
    declared = (*kept.fields, ("target_spelling", AS_WRITTEN))
    for record, path in (
        (kept, "24680/ab"),
        (replace(kept, fields=declared), "24680/%61-b"),
        (replace(kept, fields=(*kept.fields, ("target_spelling", "anyhow"))), "24680/ab"),
    ):
        led = ArkResolver(_book(record)).resolve("ark:/24680/%61-b")
        assert isinstance(led, ResolvedArk)
        assert led.target == f"https://utopia.example/{path}"
        assert NAANS.public_texts(dict(record.fields)) == record.fields
    gone = replace(kept, status=Status.FORMER, successor="13579")
    refused = ArkResolver(_book(gone)).resolve("ark:24680/a")
    assert isinstance(refused, WithdrawnNaan)
    assert refused.rules.successor == "13579"


@pytest.mark.parametrize("kept", ['{"unread": [[1]]}', '{"unread": 5}', "5", "[]", "{", '{"x": 1}'])
def test_what_was_not_kept_by_the_registry_is_no_record_of_a_naan(kept: str) -> None:
    plain = registration_of(LIBRARY)
    with pytest.raises(ValueError, match=r"not a NAAN record|Expecting"):
        naan_row_of(replace(plain, fields=(*plain.fields, ("on_file", kept))))


def _book(record: Registration) -> LineArkRuleBook:
    table = SubRegistry(id=NAANS.id, title="", records=(record,))
    snapshot = RegistrySnapshot(id="naans", title="", updated="", registries=(table,))
    return LineArkRuleBook(ark_rules_bytes(snapshot))
