"""The first page counts what other groups published, and how long decisions take."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from flask import Flask

from app.bundles.layout import current_files, current_manifest
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.bundle_paths import blob_path
from app.pages.site.chrome import Chrome, GroupLink
from app.registration.declarations.registry_groups import GROUPS
from app.services.editions import edition_build, publication
from app.services.requests.decision_durations import times_to_decision
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

BESIDE = GroupLink(title="NAANs", href="/assignments/naans/")


def publish(folder: Path, at: datetime, *, counts: bool = False) -> list[int | None]:
    """Build and lay out as a worker does; the numbers of what was laid out whole."""
    base = factories.PLACE.base_url
    chrome = Chrome(canonical=base, others=(BESIDE,), new_request="/requests/new")
    times = times_to_decision if counts else None
    making = replace(factories.making(), chrome=chrome, times=times)
    edition_build.build_pending(at, factories.PLACE)
    day = at if counts else None
    return [publication.lay_out_newest(folder, making, group, day) for group in GROUPS.values()]


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


def test_the_first_page_tells_the_days_to_a_decision_and_is_made_anew_each_day(
    quokka: Cast, clock: Clock, tmp_path: Path
) -> None:
    publish(tmp_path, clock.on(minutes=1), counts=True)
    assert "time to decision" in home(tmp_path)
    first = current_manifest(tmp_path)
    publish(tmp_path, clock.on(minutes=1), counts=True)
    assert current_manifest(tmp_path) == first
    assert publish(tmp_path, clock.on(days=1), counts=True)[0] is None
    assert current_manifest(tmp_path) != first


def test_a_first_page_that_is_damaged_is_made_anew_with_all_others(
    quokka: Cast, clock: Clock, tmp_path: Path
) -> None:
    publish(tmp_path, clock.on(minutes=1), counts=True)
    (tmp_path / "current" / "manifest.json").write_text("{")
    assert publish(tmp_path, clock.on(days=1), counts=True)[0] == 2
    assert "time to decision" in home(tmp_path)


def test_the_first_page_for_whoever_signed_in_counts_as_the_published_one(
    quokka: Cast, app: Flask, clock: Clock
) -> None:
    page = app.test_client().get("/").get_data(as_text=True)
    assert "time to decision" in " ".join(page.split())
