"""The registry read back from what was published of it."""

import json
from dataclasses import replace

import pytest

from app.exports.formats.json import json_files
from app.exports.formats.json_reader import read_json
from app.exports.formats.xml_reader import UnreadableRegistry
from app.registration.records.registry_records import Registration, RegistrySnapshot
from app.services.registry.snapshots import bundled_snapshot
from tests.exports.snapshots import FULL, LETTERS, profiled


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


def test_profiles_are_read_back_as_they_were() -> None:
    for whole in (profiled(), FULL):
        read = read_json(published(whole))
        told = [(record.name, record.profile) for record in whole.records()]
        assert [(record.name, record.profile) for record in read.records()] == told
    assert any(record.profile == LETTERS for record in read.records())


def test_fields_that_were_read_from_a_text_are_not_taken_for_filled_in() -> None:
    record = Registration(name="wombat", text="Namespace ID: wombat\n\nPurpose: To name wombats.\n")
    whole = replace(FULL, registries=(replace(FULL.registries[0], records=(record,)),))
    assert b'"purpose": "To name wombats."' in published(whole)
    assert list(read_json(published(whole)).records()) == [replace(record, text="")]


@pytest.mark.parametrize("profile", [{"title": 1}, {"examples": [{}]}, {"case": "upper"}, 7, ["a"]])
def test_a_profile_that_is_none_is_refused(profile: object) -> None:
    members = json.loads(published(FULL))
    members["tables"][0]["records"][0]["profile"] = profile
    with pytest.raises(UnreadableRegistry):
        read_json(json.dumps(members).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"id": 1, "tables": 3}', b"[" * 100_000])
def test_what_is_no_registry_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableRegistry):
        read_json(data)
