"""The files of editions, the pages made of them and the answers given from them, byte for byte."""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask

from app.bundles import edition_files
from app.bundles.layout import current_files, current_manifest
from app.config import NOTICES
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.bundle_paths import blob_path
from app.factory import asset_dir
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from app.services.operations import database_binding
from app.services.registry import snapshots
from app.services.registry.history_import import import_history, read_history
from app.services.stored_editions.stored_files import files_of
from app.store.database import read_transaction
from tests import factories
from tests.conftest import START, Clock
from tests.goldens.answers import answers, without_bytes_told
from tests.goldens.golden_files import check
from tests.store.conftest import opened
from tests.torture.conftest import WHOLE

_FEW = 3  # states of the registry where not all are made; the newest is made as no other


@pytest.fixture(autouse=True)
def _unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed forms come out otherwise with another version of what packs."""
    monkeypatch.setattr(edition_files, "encode_forms", lambda _media_type, _content: {})


def listed(made: Iterable[BundleFile]) -> list[str]:
    """A line for each file: its digest, one of what is said of it, its address."""
    return [
        f"{file.sha256} {_digest(_said_of(file))[:8]} {file.path}"
        for file in sorted(made, key=lambda file: file.path)
    ]


def _as_if_drawn_alike(file: BundleFile, folder: Path) -> BundleFile:
    page = (folder / blob_path(file.sha256)).read_bytes()
    return replace(file, sha256=sha256(without_bytes_told(page)).hexdigest())


def _said_of(file: BundleFile) -> str:
    return f"{file.media_type}\n{file.cache_control}\n{file.link}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.mark.all_names
def test_the_registry_that_is_shipped_is_published_as_it_was(app: Flask, tmp_path: Path) -> None:
    folder = tmp_path / "published"
    assert edition_build.build_pending(None, factories.PLACE) == [1]
    publication.lay_out_newest(folder, factories.making(), URN_GROUP)
    manifest = current_manifest(folder)
    assert manifest is not None
    with read_transaction():
        kept = files_of(1)
    paths = {file.path for file in kept}
    made = [file for file in current_files(folder, manifest) if file.path not in paths]
    check("edition.sha256", listed(kept))
    pages = (file for file in made if not file.path.startswith("/static/"))
    check("pages.sha256", listed(_as_if_drawn_alike(file, folder) for file in pages))
    check("answers.txt", list(answers(folder)))


def test_each_edition_that_iana_published_is_made_as_it_was(tmp_path: Path, shared: Path) -> None:
    states = sorted((shared / "data/iana/history").glob("*.xml"))
    chosen = states if WHOLE else states[:_FEW]
    with opened(f"sqlite:///{tmp_path / 'history.sqlite3'}", tmp_path) as app:
        app.extensions["now"] = Clock()
        database_binding.migrate(asset_dir("migrations"))
        snapshots.initialize(NOTICES["private"], START, empty=True)
        files = read_history((file.name, file.read_bytes()) for file in chosen)
        import_history(files, START, allow_legacy=True)
        edition_build.build_pending(None, factories.PLACE)
        with read_transaction():
            made = [_digest("\n".join(listed(files_of(n)))) for n in range(1, len(chosen) + 1)]
    lines = [f"{digest} {file.name}" for digest, file in zip(made, chosen, strict=True)]
    check("history.sha256", lines if WHOLE else lines[:-1], is_whole=WHOLE)
