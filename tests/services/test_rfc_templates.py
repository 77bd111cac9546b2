"""Registrations cut out of RFCs: attached once, with their place, beside texts of their own."""

import gzip
import json
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from flask import Flask

from app.config import NOTICES
from app.registration.declarations.registries import URN_SPACE
from app.registration.records.record_documents import registration_from, registration_to
from app.registration.templates.text_encodings import MAX_BYTES
from app.services.editions import edition_build
from app.services.registrations.corrections import find_entry
from app.services.registry.template_files import (
    BrokenRfcs,
    RfcTemplates,
    TemplateImport,
    import_templates,
    read_rfcs,
    read_templates,
    rfc_number,
    rfcs_referred_to,
)
from app.services.stored_editions import stored_files
from app.store.database import read_transaction
from app.store.editions import edition_rows
from tests import factories
from tests.conftest import Clock
from tests.registration.printed import CHANGE, EARLIER, END, INTRODUCTION, TODAY, printed
from tests.store.schema import dump
from tests.web.visitor import Visitor

PLACE = "RFC 2648, section 2"
CITED: Mapping[int, Collection[str]] = {5999: {"quokka", "wombat"}, 6000: {"quokka"}}


def rfc(name: str, number: int, *more: str) -> bytes:
    """An RFC that registers a name."""
    chapter = EARLIER.replace('"quokka"', f'"{name}"')
    return printed(INTRODUCTION, chapter, *more, END, number=number).encode()


def attached(
    clock: Clock,
    rfcs: dict[str, bytes],
    texts: dict[str, bytes] | None = None,
    *,
    dry: bool = False,
) -> TemplateImport:
    """What came of these RFCs, and of texts that are called by their names."""
    return import_templates(
        read_templates(texts.items()) if texts else {},
        clock(),
        notice=NOTICES["private"],
        rfcs=read_rfcs(rfcs.items(), rfcs_referred_to()),
        dry_run=dry,
        force=True,
    )


def kept(name: str) -> tuple[str, str]:
    with read_transaction():
        record = find_entry(name, URN_SPACE).record
    return record.text, record.text_source


def test_a_registration_is_attached_with_its_place_once_and_told_everywhere(
    app: Flask, clock: Clock
) -> None:
    before = dump()
    files = {"a/rfc2648.txt.gz": gzip.compress(rfc("ietf", 2648)), "rfc1.txt": b"Nobody asks."}
    assert attached(clock, files, dry=True).added == ("ietf",)
    assert dump() == before
    assert attached(clock, files).added == ("ietf",)
    text, place = kept("ietf")
    assert (text.split()[:3], text.split()[-1], place) == (
        *(["Namespace", "ID:", '"ietf"'], "Global.", PLACE),
    )
    page = Visitor(app).get("/namespaces/ietf")
    assert PLACE in page.html
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        published = {file.path: file.sha256 for file in stored_files.files_of(2)}
        record = json.loads(edition_rows.content(published["/namespaces/ietf.json"]))
        assert text.encode() == edition_rows.content(published["/assignments/urn-formal/ietf"])
    assert PLACE in json.dumps(record)
    after = dump()
    assert attached(clock, {"rfc2648": rfc("ietf", 2648)}).same == ("ietf",)
    assert dump() == after


def test_a_template_s_own_text_goes_before_the_one_in_an_rfc(app: Flask, clock: Clock) -> None:
    rfcs = {"rfc2648.txt": rfc("ietf", 2648), "rfc8107.txt": rfc("adid", 8107)}
    made = attached(clock, rfcs, {"adid": b"Own."})
    assert (made.added, made.filed, kept("adid")) == (("adid", "ietf"), ("adid",), ("Own.", ""))
    made = attached(clock, rfcs)
    assert (made.same, made.filed, kept("adid")) == (("ietf",), ("adid",), ("Own.", ""))
    made = attached(clock, {}, {"ietf": b"Own too."})
    assert (made.changed, kept("ietf")) == (("ietf",), ("Own too.", ""))


@pytest.mark.all_names
def test_the_registrations_of_all_real_rfcs_are_attached(
    app: Flask, clock: Clock, shared: Path
) -> None:
    folder = shared / "data/rfc-registrations"
    if not folder.is_dir():
        pytest.skip(f"no RFCs at {folder}")
    files = {file.name: file.read_bytes() for file in sorted(folder.glob("rfc*.txt"))}
    made = attached(clock, files)
    assert (len(made.added), made.refused) == (33, ())
    assert kept("epcglobal")[1] == "RFC 5134, section 3"
    assert kept("dvb")[1] == "RFC 5328, section 2, with the changes of RFC 7354, section 2"


def test_of_several_templates_of_a_name_one_is_taken_and_the_others_are_told() -> None:
    first = printed(EARLIER, number=5999).encode()
    later = printed(EARLIER.replace("Perth", "Fremantle"), END, number=6000).encode()
    read = read_rfcs([("rfc5999", first), ("rfc6000", later)], CITED)
    one = read.found["quokka"].registration
    assert (one.place, "Fremantle" in one.text) == ("RFC 6000, section 2", True)
    assert "RFC 5999, section 2 has another template of this namespace." in one.doubts
    assert read.left_out == (
        "rfc5999: no template of `wombat` found, although its entry refers to this RFC.",
    )


def test_a_later_rfc_changes_fields_of_the_earlier_one_and_alone_is_left_out() -> None:
    change = ("rfc6000.txt", printed(INTRODUCTION, CHANGE, END, number=6000).encode())
    read = read_rfcs([change, ("rfc5999.txt", printed(EARLIER, TODAY).encode())], CITED)
    found = read.found["quokka"]
    assert found.file == "rfc5999.txt, rfc6000.txt"
    assert "The Wombat Society" in found.registration.text
    assert "1 Rottnest Road" not in found.registration.text
    alone = read_rfcs([change], CITED)
    said = "rfc6000.txt: RFC 6000, section 2 only changes the template of `quokka`."
    assert (alone.found, alone.left_out[0].startswith(said)) == ({}, True)


def test_templates_of_names_that_do_not_refer_to_the_rfc_are_told_and_left_out() -> None:
    read = read_rfcs([("rfc6000", printed(EARLIER, TODAY, number=6000).encode())], CITED)
    assert list(read.found) == ["quokka"]
    assert "are a template of `wombat`, whose entry doesn’t refer to this RFC." in read.left_out[0]


BOMB = gzip.compress(b"\0" * (MAX_BYTES * 10))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (BOMB, "Unpacked, the file is larger"),
        (b"x" * (MAX_BYTES + 1), "larger than 5 MB"),
        (gzip.compress(rfc("quokka", 5999))[:-9], "gzip file is incomplete"),
        (gzip.compress(b"a") + b"more", "gzip file is incomplete"),
        (b"\x1f\x8b" + b"x" * 99, "gzip file is damaged"),
        (gzip.compress(gzip.compress(b"a")), "a compressed file"),
        (bytes(range(256)) * 9, "byte 1 is 0"),
        (b"\n" * 200_000, "more than 100,000 lines"),
        (rfc("quokka", 6000), "is RFC 6000, not RFC 5999"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
    ],
    ids=range(10),
)
def test_a_file_that_is_not_the_rfc_is_named_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(BrokenRfcs, match=rf"d/rfc5999\.txt\.gz: .*{why}.*\nNothing was imported"):
        read_rfcs([("d/rfc5999.txt.gz", data), ("README", b"\0")], CITED)


@pytest.mark.parametrize(
    "data", [b"", b"x" * 1_000_000, b"\f\n" * 40_000, b"Namespace ID:\n" * 999]
)
def test_a_hostile_text_holds_no_registration_and_is_told_so(data: bytes) -> None:
    read = read_rfcs([("rfc6000.txt", data)], CITED)
    assert read.found == {}
    assert "no template of `quokka` found" in read.left_out[-1]


def test_one_rfc_may_come_twice_but_not_as_two_texts() -> None:
    one = rfc("quokka", 6000)
    assert list(read_rfcs([("rfc6000.txt", one), ("rfc6000", one)], CITED).found) == ["quokka"]
    other = one.replace(b"Perth", b"Hobart")
    with pytest.raises(BrokenRfcs, match="a/rfc6000 and b/rfc6000 are both RFC 6000"):
        read_rfcs([("a/rfc6000", one), ("b/rfc6000", other)], CITED)


@pytest.mark.parametrize(
    ("file", "number"),
    [
        ("rfc5279.txt", 5279),
        ("a/RFC0959.TXT.GZ", 959),
        ("rfc1", 1),
        *((name, None) for name in ("rfc.txt", "rfc0", "rfc-index.txt", "rfc1.ps.gz", "arfc1")),
    ],
)
def test_an_rfc_is_known_by_its_file_s_name(file: str, number: int | None) -> None:
    assert rfc_number(file) == number


def test_a_record_that_was_stored_before_texts_had_places_is_read_as_it_was() -> None:
    document = {"name": "isbn", "text": "Own."}
    read = registration_from(document, URN_SPACE)
    assert (read.text, read.text_source) == ("Own.", "")
    assert registration_to(read) == document


def test_nothing_is_found_where_no_rfc_was_given() -> None:
    assert read_rfcs([], CITED) == RfcTemplates()
