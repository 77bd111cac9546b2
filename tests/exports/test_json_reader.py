"""The registry read back from what was published of it."""

from dataclasses import replace

import pytest

from app.exports.json import json_files
from app.exports.json_reader import read_json
from app.exports.xml_reader import UnreadableRegistry
from app.registration.records import RegistrySnapshot
from app.services.registry import bundled_snapshot


def published(snapshot: RegistrySnapshot) -> bytes:
    ((_, content),) = json_files(snapshot)
    return content


def test_the_whole_registry_is_read_back_as_it_was() -> None:
    whole = replace(bundled_snapshot(), edition=7)
    read = read_json(published(whole))
    for there, here in zip(read.registries, whole.registries, strict=True):
        for record, original in zip(there.records, here.records, strict=True):
            assert record == replace(original, text="")
    assert read.people == whole.people
    assert published(read) == published(whole)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"id": 1, "tables": 3}', b"[" * 100_000])
def test_what_is_no_registry_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableRegistry):
        read_json(data)
