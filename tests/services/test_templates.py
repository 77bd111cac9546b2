"""Texts of templates from files: attached word for word, once, and never half."""

from pathlib import Path

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from app.config import NOTICES
from app.exports.editions.changes import registry_changes
from app.exports.formats.exporters import FORMATS
from app.exports.formats.xml import xml_bytes
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import registration_from, registration_to
from app.registration.records.registry_records import Registration
from app.services.editions import edition_build
from app.services.registrations.corrections import (
    Correction,
    correct,
    find_entry,
    history_of,
)
from app.services.registry.snapshots import current_snapshot, import_xml, snapshot_of
from app.services.registry.template_files import (
    BrokenTemplates,
    TemplateImport,
    import_templates,
    read_templates,
)
from app.services.stored_editions import stored_files
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.tables import Event
from app.store.tables.registry import Cause
from tests import factories
from tests.conftest import Clock
from tests.store.schema import dump
from tests.web.visitor import Visitor

ODD = "\ufeffNamespace ID:\r\n\tISBN\x0c\x1b[1m \U0001f998 <b>&\r".encode()


def attached(
    clock: Clock, files: dict[str, bytes], *, dry_run: bool = False, force: bool = True
) -> TemplateImport:
    """What came of these files, taken by their names unless told otherwise."""
    texts = read_templates(files.items())
    return import_templates(texts, clock(), notice=NOTICES["private"], dry_run=dry_run, force=force)


def published(edition: int, path: str) -> bytes:
    with read_transaction():
        file = next(file for file in stored_files.files_of(edition) if file.path == path)
        assert file.media_type == "text/plain; charset=utf-8"
        return edition_rows.content(file.sha256)


def test_texts_are_published_byte_for_byte_at_ianas_paths(app: Flask, clock: Clock) -> None:
    files = {"urn-formal/ISBN": ODD, "urn-informal/urn-1.txt": b"One.", "README.md": b"x"}
    made = attached(clock, files)
    assert made == TemplateImport(("isbn", "urn-1"), (), (), (), ("README.md",))
    assert edition_build.build_pending(clock(), factories.PLACE) == [1, 2]
    assert published(2, "/assignments/urn-formal/isbn") == ODD
    assert published(2, "/assignments/urn-informal/urn-1") == b"One."
    with read_transaction():
        assert all("isbn" not in f.path.split("/urn-formal/") for f in stored_files.files_of(1))
        edition = edition_rows.get_edition(2)
        assert (edition.cause, edition.notice) == (Cause.TEMPLATES, NOTICES["private"])
        said = [
            change.sentence for change in registry_changes(snapshot_of(1), snapshot_of(2)).names
        ]
        assert said[0] == "`isbn`: text of the template added."
        (event,) = db.session.query(Event).filter(Event.edition == 2)
        assert (event.kind, event.body) == ("templates imported", "2 added, 0 changed")
        assert [version.cause for version in history_of("nid", "isbn")][-1] == Cause.TEMPLATES


@pytest.mark.all_names
def test_the_real_texts_match_names_and_come_out_as_they_were(
    app: Flask, clock: Clock, shared: Path
) -> None:
    folder = shared / "data/iana/templates"
    files = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }
    made = attached(clock, files)
    assert (len(made.added), made.unmatched) == (len(files), ())
    edition_build.build_pending(clock(), factories.PLACE)
    for file, data in files.items():
        assert published(2, f"/assignments/{file}") == data


def test_the_site_gives_an_attached_text_before_it_is_published(app: Flask, clock: Clock) -> None:
    visitor = Visitor(app)
    assert visitor.get("/assignments/urn-formal/isbn").status == 404
    attached(clock, {"isbn": ODD})
    assert visitor.get("/assignments/urn-formal/isbn").html.encode() == ODD
    page = visitor.get("/namespaces/isbn")
    assert "/assignments/urn-formal/isbn" in page.values("href", "a")


def test_a_second_import_of_the_same_files_changes_nothing(app: Flask, clock: Clock) -> None:
    attached(clock, {"isbn": b"One.", "issn": b"Two."})
    before = dump()
    made = attached(clock, {"isbn": b"One.", "issn": b"Two."})
    assert (made.same, made.is_empty) == (("isbn", "issn"), True)
    assert dump() == before
    made = attached(clock, {"isbn": b"Other.", "issn": b"Two."})
    assert (made.changed, made.same) == (("isbn",), ("issn",))
    with read_transaction():
        assert find_entry("isbn", URN_SPACE).record.text == "Other."
        assert snapshot_of(2).registries[0].records != snapshot_of(3).registries[0].records


def test_a_dry_run_says_what_it_would_do_and_does_nothing(app: Flask, clock: Clock) -> None:
    before = dump()
    assert attached(clock, {"isbn": b"One.", "no": b"x"}, dry_run=True).added == ("isbn",)
    assert dump() == before


@pytest.mark.usefixtures("quokka")
def test_a_template_that_was_written_here_is_left_alone(app: Flask, clock: Clock) -> None:
    before = dump()
    assert attached(clock, {"quokka": b"Mine."}).own == ("quokka",)
    assert dump() == before


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b"caf\xe9", r"Byte 4 is not UTF-8.*ISO-8859-1"),
        (b"\xed\xa0\x80", "is not UTF-8"),
        (b"a\0b", r"U\+0000"),
        (b"x" * (1024 * 1024 + 1), "larger than 1 MB"),
    ],
)
def test_a_file_that_is_no_text_is_named_and_nothing_is_imported(
    app: Flask, clock: Clock, data: bytes, why: str
) -> None:
    before = dump()
    with pytest.raises(BrokenTemplates, match=rf"(?s)f/issn: .*{why}.*Nothing was imported"):
        attached(clock, {"isbn": b"One.", "f/issn": data})
    assert dump() == before


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(BrokenTemplates, match=r"isbn and b/ISBN\.txt are both"):
        read_templates([("isbn", b"One."), ("b/ISBN.txt", b"Two.")])


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_every_text_is_kept_as_it_is(text: str) -> None:
    read = read_templates([("isbn", text.encode())])["isbn"][1]
    stored = registration_from(registration_to(Registration(name="isbn", text=read)), URN_SPACE)
    assert stored.text.encode() == text.encode()


def test_an_attached_text_outlives_imports_corrections_and_renaming(
    app: Flask, clock: Clock
) -> None:
    with read_transaction():
        file = xml_bytes(current_snapshot(URN_GROUP))
    attached(clock, {"isbn": ODD})
    operator = factories.cast(clock()).operator
    order = factories.command(operator, clock(), seen=2)
    correct(
        order, "isbn", Correction(name="isbns", date="2001-01-01"), reason="Why.", space=URN_SPACE
    )
    import_xml(file, clock())
    with read_transaction():
        assert find_entry("isbns", URN_SPACE).record.text.encode() == ODD
        assert find_entry("isbn", URN_SPACE).record.text.encode() == ODD


def test_no_format_of_the_registry_changes_by_a_text(app: Flask, clock: Clock) -> None:
    attached(clock, {"isbn": b"Neither here nor there."})
    with read_transaction():
        snapshot = current_snapshot(URN_GROUP)
    for exporter in FORMATS.values():
        assert all(b"Neither here" not in body for _, body in exporter.files(snapshot))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"Namespace ID: ISNI\n", "the text is `ISNI`, not `isbn`"),
        (b"Namespace ID: isbn-a\n", "the text is `isbn-a`, not `isbn`"),
        (b"a", "no NID found"),
        (b"An ISBN is a number of a book.\n", "no NID found"),
    ],
)
def test_a_text_that_is_not_said_to_be_of_the_name_is_left_out_unless_it_is_forced(
    app: Flask, clock: Clock, text: bytes, said: str
) -> None:
    files = {"old/isbn.txt": text, "issn": b'Namespace ID:\n"ISSN" requested of IANA\n'}
    for dry_run in (True, False):
        made = attached(clock, files, dry_run=dry_run, force=False)
        (refused,) = made.refused
        assert (made.added, refused.startswith("old/isbn.txt: ")) == (("issn",), True)
        assert said in refused
    with read_transaction():
        assert [bool(find_entry(name, URN_SPACE).record.text) for name in ("isbn", "issn")] == [
            False,
            True,
        ]
    assert attached(clock, files).added == ("isbn",)


@pytest.mark.all_names
def test_no_real_template_is_left_out(app: Flask, clock: Clock, shared: Path) -> None:
    folder = shared / "data/iana/templates"
    files = {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
    made = attached(clock, files, dry_run=True, force=False)
    assert len(made.added) == len(files) == 30
    assert made.refused == made.unmatched == ()


def test_a_folder_without_a_file_is_refused() -> None:
    with pytest.raises(BrokenTemplates, match="The folder is empty"):
        read_templates([])
