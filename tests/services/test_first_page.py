"""The first page counts what other groups published."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app.bundles.layout import current_files, current_manifest
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.bundle_paths import blob_path
from app.pages.site.chrome import Chrome, GroupLink
from app.registration.declarations.registry_groups import GROUPS
from app.services.editions import edition_build, publication
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

BESIDE = GroupLink(title="NAANs", href="/assignments/naans/")


def publish(folder: Path, at: datetime) -> list[int | None]:
    """Build and lay out as a worker does; the numbers of what was laid out whole."""
    base = factories.PLACE.base_url
    chrome = Chrome(canonical=base, others=(BESIDE,), new_request="/requests/new")
    making = replace(factories.making(), chrome=chrome)
    edition_build.build_pending(at, factories.PLACE)
    return [publication.lay_out_newest(folder, making, group) for group in GROUPS.values()]


def files(folder: Path) -> dict[str, BundleFile]:
    manifest = current_manifest(folder)
    assert manifest is not None
    return {file.path: file for file in current_files(folder, manifest)}


def home(folder: Path) -> str:
    page = (folder / blob_path(files(folder)["/"].sha256)).read_text()
    return " ".join(page.split())


def test_a_naan_that_is_given_is_counted_on_the_first_page_and_changes_nothing_else(
    quokka: Cast, clock: Clock, tmp_path: Path
) -> None:
    publish(tmp_path, clock.on(minutes=1))
    before = files(tmp_path)
    factories.registered_naan(quokka, clock.on(minutes=1))
    publish(tmp_path, clock.on(minutes=1))  # after which the other group's edition is built
    assert publish(tmp_path, clock.on(minutes=1)) == [None, None]
    after = files(tmp_path)
    assert [path for path in after if after[path] != before.get(path)] == ["/"]
    assert before.keys() == after.keys()
    assert '<strong class="num">1</strong> NAAN</a>' in home(tmp_path)


def test_a_first_page_that_is_damaged_is_made_anew_with_all_others(
    quokka: Cast, clock: Clock, tmp_path: Path
) -> None:
    publish(tmp_path, clock.on(minutes=1))
    (tmp_path / "current" / "manifest.json").write_text("{")
    assert publish(tmp_path, clock.on(days=1))[0] == 2
