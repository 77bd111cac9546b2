"""Verifying: every byte that was published is found again, or named."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text

from app.bundles.layout import current_manifest
from app.exports.manifests.bundle_paths import blob_path
from app.exports.manifests.manifest import Manifest, manifest_bytes, read_manifest
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from app.services.operations.edition_verification import verify_database, verify_folder
from app.store.database import db, read_transaction, transaction
from app.store.digests import sha256
from app.store.editions import edition_rows
from app.store.triggers import drop_triggers
from tests import factories
from tests.conftest import Clock
from tests.published.bundles import divide_soon, many

XML = "/assignments/urn-namespaces/urn-namespaces.xml"


def silent(_what: str, _total: int) -> Callable[[int], None]:
    return lambda _done: None


def in_database() -> list[str]:
    return list(verify_database(silent))


def on_disk(folder: Path) -> list[str]:
    return list(verify_folder(folder, silent))


def published(clock: Clock, folder: Path) -> Manifest:
    """Two editions that are built and laid out; the list of the newer one's files."""
    edition_build.build_pending(clock(), factories.PLACE)
    publication.lay_out_newest(folder, factories.making(), URN_GROUP)
    with read_transaction():
        return read_manifest(edition_rows.content(edition_rows.manifest_digest(2)))


def change(statement: str, **values: object) -> None:
    """Change what is kept for ever, past everything that keeps it so."""
    with transaction():
        drop_triggers(db.session.connection())
        db.session.execute(text(statement), values)


def flipped(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


def damage(digest: str) -> None:
    """One byte of what is kept under a hash is another now."""
    with read_transaction():
        content = edition_rows.content(digest)
    change("UPDATE blob SET content = :c WHERE sha256 = :d", c=flipped(content), d=digest)


@pytest.mark.usefixtures("quokka")
def test_what_was_published_whole_is_found_whole(app: Flask, clock: Clock, tmp_path: Path) -> None:
    published(clock, tmp_path)
    assert in_database() == []
    assert on_disk(tmp_path) == []


@pytest.mark.usefixtures("quokka")
@pytest.mark.parametrize("coding", ["", "br", "zstd", "gzip"])
def test_one_damaged_byte_of_a_file_or_a_form_is_named(
    app: Flask, clock: Clock, tmp_path: Path, coding: str
) -> None:
    manifest = published(clock, tmp_path)
    file = next(file for file in manifest.files if file.path == XML)
    digest = {form.coding: form.sha256 for form in file.forms}.get(coding, file.sha256)
    what = f"{XML}, as {coding}, is" if coding else f"{XML} is"
    damage(digest)
    assert any(f"Edition 2: {what} damaged" in problem for problem in in_database())
    assert on_disk(tmp_path) == []
    path = tmp_path / blob_path(digest)
    path.write_bytes(flipped(path.read_bytes()))
    assert any(f"edition 2: {what} damaged" in problem for problem in on_disk(tmp_path))
    path.unlink()
    assert any(f"edition 2: {what} missing" in problem for problem in on_disk(tmp_path))


@pytest.mark.usefixtures("quokka")
def test_a_list_of_files_that_is_damaged_is_named(app: Flask, clock: Clock, tmp_path: Path) -> None:
    manifest = published(clock, tmp_path)
    damage(sha256(manifest_bytes(manifest)))
    (problem,) = in_database()
    assert problem.startswith("Edition 2: the manifest is damaged")
    listed = tmp_path / "editions" / "1.json"
    listed.resolve().write_bytes(flipped(listed.read_bytes()))
    (problem,) = on_disk(tmp_path)
    assert "edition 1: the manifest is damaged" in problem
    current = tmp_path / "current" / "manifest.json"
    current.write_bytes(flipped(current.read_bytes()))
    assert any("current edition can't be read" in problem for problem in on_disk(tmp_path))


def test_a_part_of_a_long_list_that_is_damaged_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    divide_soon(monkeypatch)
    many(100).lay_out(tmp_path)
    assert on_disk(tmp_path) == []
    manifest = current_manifest(tmp_path)
    assert manifest
    path = tmp_path / blob_path(manifest.parts[1].sha256)
    path.write_bytes(flipped(path.read_bytes()))
    (problem,) = on_disk(tmp_path)
    assert "a part of the manifest is missing or damaged" in problem


@pytest.mark.usefixtures("quokka")
def test_a_form_that_is_of_another_file_is_named(app: Flask, clock: Clock, tmp_path: Path) -> None:
    manifest = published(clock, tmp_path)
    xml, other = (
        next(file for file in manifest.files if file.path.endswith(end))
        for end in ("urn-namespaces.xml", "urn-namespaces.json")
    )
    swapped = manifest_bytes(manifest).replace(
        xml.forms[0].sha256.encode(), other.forms[0].sha256.encode()
    )
    swapped = swapped.replace(
        b'["br","%b",%d]' % (other.forms[0].sha256.encode(), xml.forms[0].length),
        b'["br","%b",%d]' % (other.forms[0].sha256.encode(), other.forms[0].length),
    )
    with transaction():
        edition_rows.keep_bytes({sha256(swapped): swapped})
    change("UPDATE edition_manifest SET sha256 = :d WHERE edition = 2", d=sha256(swapped))
    assert f"Edition 2: {XML}, as br, differs from the file itself." in in_database()


@pytest.mark.usefixtures("quokka")
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE edition SET as_of = '2001-01-01 00:00:00' WHERE n = 2", "before edition 1"),
        ("DELETE FROM edition_manifest WHERE edition = 2", "has no manifest"),
        (
            "UPDATE record_version SET document = document || ' ' WHERE edition = 2",
            "`quokka`, in edition 2: the text doesn't match its SHA-256",
        ),
        ("UPDATE record_version SET n = 2 WHERE edition = 2", "version 1 is missing"),
        ("DELETE FROM record_version WHERE edition = 2", "`quokka` has no record"),
    ],
)
def test_what_is_wrong_with_the_records_of_editions_is_named(
    app: Flask, clock: Clock, tmp_path: Path, statement: str, told: str
) -> None:
    published(clock, tmp_path)
    if statement.startswith("DELETE FROM record"):
        change("DELETE FROM search")
    change(statement)
    assert any(told in problem for problem in in_database())


@pytest.mark.usefixtures("quokka")
def test_a_name_that_is_lost_without_a_recorded_correction_is_named(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    published(clock, tmp_path)
    change(
        "INSERT INTO record_version (name_id, n, edition, cause, document, style, status, "
        "sort_key, sha256) SELECT name_id, n + 1, 2, 'templates', document, style, 'former', "
        "sort_key, sha256 FROM record_version WHERE edition = 1 AND status = 'registered' LIMIT 1"
    )
    problem, inserted = in_database()
    assert "no correction explains this" in problem
    assert "records were changed, added or removed" in inserted


@pytest.mark.usefixtures("quokka")
def test_an_edition_missing_among_those_laid_out_is_named(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    published(clock, tmp_path)
    (tmp_path / "editions" / "1.json").unlink()
    (problem,) = on_disk(tmp_path)
    assert "Edition 1 is missing" in problem
