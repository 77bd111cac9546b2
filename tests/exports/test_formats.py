"""All forms together."""

import json
import re
from copy import deepcopy
from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from hypothesis import given

from app.bundled import read
from app.exports.content.publication_site import PublicationSite
from app.exports.formats.exporters import FORMATS
from app.exports.formats.record_files import all_namespace_files
from app.registration.declarations.registries import REGISTRIES, Format
from app.registration.records.record_documents import snapshot_read
from app.registration.records.registry_records import RegistrySnapshot
from tests.exports.snapshots import EMPTY, FULL, GENERATED, snapshots

PLACE = PublicationSite("https://urn.example")
WITH_FORMER_NAMES = (Format.JSON, Format.TTL, Format.JSONLD)


def all_files(snapshot: RegistrySnapshot) -> dict[str, bytes]:
    """Every file of every form."""
    files = [file for exporter in FORMATS.values() for file in exporter.files(snapshot, PLACE)]
    assert len(files) == len(dict(files))
    return dict(files)


def test_every_form_that_a_registry_declares_has_an_exporter() -> None:
    assert set(FORMATS) == set(Format)
    assert all(format_ in FORMATS for r in REGISTRIES.values() for format_ in r.exports)


def test_the_files_are_called_after_the_registry_and_its_tables() -> None:
    assert set(all_files(FULL)) == {
        *(f"urn-namespaces.{suffix}" for suffix in Format),
        "urn-namespaces-1.csv",
        "urn-namespaces-2.csv",
    }
    assert "things-1.csv" in all_files(EMPTY)


def test_the_suffix_of_a_file_is_that_of_its_form() -> None:
    for format_, exporter in FORMATS.items():
        for name, _ in exporter.files(FULL, PLACE):
            assert PurePosixPath(name).suffix == f".{format_}"


@GENERATED
@given(snapshots())
def test_equal_snapshots_give_equal_bytes(snapshot: RegistrySnapshot) -> None:
    assert all_files(snapshot) == all_files(deepcopy(snapshot))


def test_the_bundled_registry_gives_equal_bytes_twice() -> None:
    first, second = (snapshot_read(json.loads(read())) for _ in range(2))
    assert all_files(first) == all_files(second)
    assert list(all_namespace_files(first)) == list(all_namespace_files(second))


@pytest.mark.parametrize("format_", Format)
def test_a_former_name_is_only_in_the_forms_that_tell_it_from_one_in_use(
    format_: Format,
) -> None:
    text = b"".join(data for _, data in FORMATS[format_].files(FULL, PLACE)).lower()
    assert (b"alfa" in text) is (format_ in WITH_FORMER_NAMES)
    for name in (b"alpha", b"omega", b"urn-1"):
        assert name in text


@pytest.mark.parametrize("format_", Format)
def test_what_a_registry_says_of_itself_is_in_every_file(format_: Format) -> None:
    for snapshot in (FULL, replace(FULL, notice="")):
        for _, data in FORMATS[format_].files(snapshot, PLACE):
            assert (b"This is a private registry." in data) is bool(snapshot.notice)


@pytest.mark.parametrize("format_", Format)
def test_an_identifier_that_leads_out_of_its_folder_is_refused(format_: Format) -> None:
    table = replace(FULL.registries[0], id="../x")
    for bad in ("../urn", "a/b", "", ".a", "a\0"):
        with pytest.raises(ValueError, match="`"):
            list(FORMATS[format_].files(replace(FULL, id=bad, registries=(table,)), PLACE))


def test_ianas_forms_do_not_show_what_a_reference_is_called() -> None:
    for name, data in all_files(FULL).items():
        told = name.endswith((".json", ".ttl", ".jsonld"))
        assert (b"Uniform Resource Names" in data) is told


def test_media_types_say_the_character_set_where_the_form_does_not() -> None:
    for exporter in FORMATS.values():
        assert re.fullmatch(r"[a-z]+/[a-z+-]+(; [a-z]+=[a-z0-9-]+)*", exporter.media_type)
        assert exporter.media_type.startswith("text/") is ("charset=utf-8" in exporter.media_type)
