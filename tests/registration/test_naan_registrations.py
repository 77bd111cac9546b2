"""NAANs and shoulders as the registry keeps them: no fact is lost."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app import bundled
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.naans.naan_documents import naan_file_from
from app.registration.naans.naan_json import read_naan_json, write_naan_json
from app.registration.naans.naan_records import NaanRow
from app.registration.records.naan_registrations import (
    file_head_of,
    naan_file_of,
    naan_row_of,
    registration_of,
    registry_of,
)
from app.registration.records.record_documents import registration_from, registration_to
from app.registration.records.registry_records import RegistrySnapshot, SubRegistry
from tests.registration.naans.made_records import (
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
