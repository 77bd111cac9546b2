"""What pages are drawn with: kept for ever where the path tells the bytes, else asked about."""

from pathlib import Path

import pytest

from app.bundles.layout import current_files, current_manifest
from app.exports.content.static_paths import find_plain_path
from app.exports.manifests.bundle_files import ALWAYS_ASK, FOR_EVER
from app.pages.assets import asset_dir, static_files
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from tests import factories
from tests.pages.seen import Page
from tests.published.bundles import FROM_BEHIND, ask
from tests.web.conftest import World

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
_FILES = static_files(asset_dir("static"))
_CHANGING = [file for file in _FILES.values() if file.lasting_path != file.path]


def _drawn_with(page: Page) -> set[str]:
    """The files that a page refers to, without the part of one that it shows."""
    given = [
        *page.values("href", "use"),
        *page.values("src", "script"),
        *page.values("href", "link"),
    ]
    return {path.partition("#")[0] for path in given if path.startswith("/static/")}


@ONE_DATABASE
def test_a_page_refers_to_files_by_their_bytes(world: World) -> None:
    for path in ("/requests/", "/tools/urn", "/", "/namespaces/isbn"):
        drawn_with = _drawn_with(Page(world.visitor().get(path).html))
        assert drawn_with <= {file.lasting_path for file in _FILES.values()}, path
        suffixes = {Path(one).suffix for one in drawn_with if find_plain_path(one)}
        assert suffixes == {".css", ".js", ".svg"}, path


@ONE_DATABASE
def test_the_registry_has_each_file_at_both_of_its_paths(world: World) -> None:
    client = world.app.test_client()
    assert len(_CHANGING) > 5
    for file in _CHANGING:
        plain, lasting = (client.get(one, buffered=True) for one in file[2:])
        assert lasting.status_code == plain.status_code == 200
        assert lasting.data == plain.data == file.content
        assert lasting.headers["Content-Type"] == plain.headers["Content-Type"]
        assert plain.headers["Cache-Control"] == ALWAYS_ASK
        assert lasting.headers["Cache-Control"] == FOR_EVER
        known = {"If-None-Match": lasting.headers["ETag"]}
        assert client.get(file.lasting_path, headers=known).status_code == 304


@ONE_DATABASE
def test_a_page_of_other_software_is_drawn_with_what_is_here_now(world: World) -> None:
    client = world.app.test_client()
    other = client.get("/static/ui-00000000.css", buffered=True)
    assert other.data == _FILES["ui.css"].content
    assert other.headers["Cache-Control"] == ALWAYS_ASK
    for path in ("/static/nothing-00000000.css", "/static/ui-0000000.css", "/static/ui-1.css"):
        assert client.get(path).status_code == 404


@ONE_DATABASE
def test_what_is_published_has_every_file_that_its_pages_refer_to(
    world: World, tmp_path: Path
) -> None:
    with world.app.app_context():
        edition_build.build_pending(None, factories.PLACE)
        publication.lay_out_newest(tmp_path, factories.making(), URN_GROUP)
    manifest = current_manifest(tmp_path)
    assert manifest is not None
    listed = {file.path: file for file in current_files(tmp_path, manifest)}
    site, in_front = PublishedPlane(tmp_path), PublishedPlane(tmp_path, falls_through=True)
    for file in _CHANGING:
        assert listed[file.path].sha256 == listed[file.lasting_path].sha256
        plain, lasting = ask(site, file.path), ask(site, file.lasting_path)
        assert (plain.headers["Cache-Control"], plain.body) == (ALWAYS_ASK, file.content)
        assert (lasting.headers["Cache-Control"], lasting.body) == (FOR_EVER, file.content)
    for path in ("/", "/namespaces/isbn", "/editions/"):
        page = Page(ask(site, path).body.decode())
        assert _drawn_with(page) <= listed.keys(), path
    other = "/static/ui-00000000.css"
    assert ask(site, other).body == _FILES["ui.css"].content, "nothing is behind a copy"
    assert ask(site, other).headers["Cache-Control"] == ALWAYS_ASK
    assert ask(in_front, other).status == FROM_BEHIND, "the registry may have it itself"
    assert ask(site, "/static/nothing-00000000.css").status == 404
