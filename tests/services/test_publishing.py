"""Publishing: made once, checked, kept by content, laid out whole or not at all."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote_to_bytes, urljoin, urlsplit

import pytest
from flask import Flask
from sqlalchemy import select

from app.bundles import edition_checks
from app.bundles import edition_files as files
from app.bundles.edition_checks import EditionRefused, check_files
from app.bundles.edition_files import edition_files, is_of_archive, name_of
from app.bundles.layout import OlderEditionRefused, current_manifest
from app.exports.content.publication_site import PublicationSite
from app.exports.editions import atom
from app.exports.editions.atom import atom_bytes
from app.exports.extracts.derived_files import DERIVED_FILES
from app.exports.formats.exporters import FORMATS
from app.exports.formats.record_files import all_namespace_files
from app.exports.manifests.bundle_files import verify_bytes
from app.exports.manifests.bundle_paths import blob_path, bundle_path
from app.exports.manifests.manifest import manifest_bytes, read_manifest
from app.exports.manifests.manifest_parts import all_files
from app.exports.schemas.json_schema import delta_schema_bytes
from app.pages.site.published_site import Site
from app.published.plane import PublishedPlane
from app.registration.declarations.registries import FORMAL, URN_SPACE, DerivedFormat, Format
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import RegistrySnapshot
from app.resolution.namespace_rules import LineRuleBook
from app.services.editions import edition_build, publication
from app.services.editions.version_history import history
from app.services.registrations import corrections
from app.services.registry.snapshots import current_snapshot, open_edition, snapshot_of
from app.services.stored_editions import stored_files
from app.store.database import db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.editions.edition_lock import sole_builder
from app.store.tables import Publication
from app.store.tables.registry import Cause
from tests import factories
from tests.conftest import Clock
from tests.published.bundles import ask
from tests.store.schema import dump, rows_of


def lay_out(folder: Path, made_by: str = "test") -> int | None:
    return publication.lay_out_newest(folder, factories.making(made_by), URN_GROUP)


def current_edition(folder: Path) -> int | None:
    """The edition that lies in a folder, every byte of it."""
    manifest = current_manifest(folder)
    if manifest is None:
        return None
    files = all_files(manifest, lambda blob: (folder / blob_path(blob.sha256)).read_bytes())
    for file in files:
        verify_bytes(file, (folder / blob_path(file.sha256)).read_bytes())
    return manifest.edition


def failures() -> list[tuple[int, int, str]]:
    with read_transaction():
        return edition_rows.failures(10)


def without_one_name(make: Callable[..., Any]) -> Callable[..., Any]:
    """An exporter that forgets the last name of the first table."""

    def forgetful(snapshot: RegistrySnapshot, place: Any) -> Any:
        first, *rest = snapshot.registries
        less = (replace(first, records=first.records[:-1]), *rest)
        return make(replace(snapshot, registries=less), place)

    return forgetful


def test_an_edition_is_built_once(app: Flask, clock: Clock) -> None:
    assert edition_build.build_pending(clock(), factories.PLACE) == [1]
    before = dump()
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    assert dump() == before


@pytest.mark.usefixtures("quokka")
def test_equal_bytes_are_kept_once_and_are_what_their_hash_says(app: Flask, clock: Clock) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    blobs = rows_of("blob")
    assert all(hashlib.sha256(content).hexdigest() == digest for digest, content in blobs)
    with read_transaction():
        hashes = [{file.path: file.sha256 for file in stored_files.files_of(n)} for n in (1, 2)]
        assert all(edition_rows.content(digest) for digest in hashes[1].values())
    assert len(blobs) == len({digest for digest, _ in blobs})
    assert hashes[1].items() > {(path, one) for path, one in hashes[0].items() if name_of(path)}
    assert hashes[0]["/namespaces/isbn.json"] == hashes[1]["/namespaces/isbn.json"]
    registry = "/assignments/urn-namespaces/urn-namespaces.xml"
    assert hashes[0][registry] != hashes[1][registry]


def test_the_files_of_a_registration_hold_its_template_and_its_name(
    app: Flask, clock: Clock
) -> None:
    factories.registered(factories.cast(clock()), clock(), purpose="To name quokkas.")
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        files = {file.path: edition_rows.content(file.sha256) for file in stored_files.files_of(2)}
    assert b"To name quokkas." in files["/assignments/urn-formal/quokka"]
    assert b"quokka" in files["/assignments/urn-namespaces/urn-namespaces-1.csv"]
    assert {"/namespaces/quokka.json", "/namespaces/quokka.xml"} < set(files)


@pytest.mark.parametrize("format_", Format)
def test_a_format_that_lacks_a_name_is_not_published(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, format_: Format
) -> None:
    whole = FORMATS[format_]
    monkeypatch.setitem(FORMATS, format_, replace(whole, make=without_one_name(whole.make)))
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    ((edition, attempts, why),) = failures()
    assert (edition, attempts) == (1, 1)
    assert why.startswith(
        f"EditionRefused: The {format_} file doesn't match the names of the registry"
    )
    assert rows_of("edition_manifest") == rows_of("blob") == []


@pytest.mark.parametrize("form", FORMAL.derived)
def test_a_derived_file_that_lacks_a_name_is_not_published(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, form: DerivedFormat
) -> None:
    whole = DERIVED_FILES[form]
    make = without_one_name(lambda snapshot, _: whole.make(snapshot))
    less = replace(whole, make=lambda snapshot: make(snapshot, None))
    monkeypatch.setitem(DERIVED_FILES, form, less)
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    ((_, _, why),) = failures()
    assert why.startswith(f"EditionRefused: The {form} file doesn't match the names of the ")


def test_derived_files_lie_at_the_registry_and_at_the_edition_for_ever(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    lay_out(tmp_path)
    site = PublishedPlane(tmp_path)
    for form in FORMAL.derived:
        maker = DERIVED_FILES[form]
        name = f"urn-namespaces-{form}.{maker.suffix}"
        now = ask(site, f"/assignments/urn-namespaces/{name}")
        kept = ask(site, f"/editions/1/{name}")
        assert (now.status, kept.status) == (200, 200)
        assert now.body == kept.body
        assert now.headers["Content-Type"] == kept.headers["Content-Type"] == maker.media_type
        assert "immutable" in kept.headers["Cache-Control"]
        assert f'</assignments/urn-namespaces/{name}>; rel="latest-version"' in kept.headers["Link"]
        assert "alternate" not in now.headers["Link"]
        for page in ("/assignments/urn-namespaces/", "/editions/1/"):
            assert f'/{name}"' in ask(site, page).body.decode()
    book = LineRuleBook(ask(site, "/editions/1/urn-namespaces-resolution.jsonl").body)
    assert all(book.find(name) for name in ("isbn", "urn-7", "ad-id"))


@pytest.mark.parametrize("wrong", ["a name that is new", "a name that is not there"])
def test_a_feed_that_tells_another_story_is_not_published(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    factories.registered(factories.cast(clock()), clock())
    whole = atom_bytes

    def spoilt(*given: Any) -> bytes:
        other = b"" if wrong == "a name that is new" else b"wombat"
        return whole(*given).replace(b"quokka", other)

    monkeypatch.setattr(files, "atom_bytes", spoilt)
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    why = "EditionRefused: The Atom feed doesn't match the names of the registry."
    ((edition, attempts, told),) = failures()
    assert (edition, attempts) == (2, 1)
    assert told.startswith(why)


def test_a_page_of_the_feeds_archive_is_made_once_whatever_software_makes_the_next_edition(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stem = "/assignments/urn-namespaces/urn-namespaces"
    monkeypatch.setattr(files, "atom_archive", partial(atom.atom_archive, size=2))
    monkeypatch.setattr(files, "atom_bytes", partial(atom.atom_bytes, newest=2))
    monkeypatch.setattr(edition_checks, "NEWEST", 2)
    edition_build.build_pending(clock(), factories.PLACE)
    monkeypatch.setattr(atom, "_AUTHOR", "Somebody else")
    factories.registered(factories.cast(clock()), clock())
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        first, second = ({file.path: file for file in stored_files.files_of(n)} for n in (1, 2))
        feed = edition_rows.content(second[f"{stem}.atom"].sha256).decode()
    pages = sorted(path for path in first if is_of_archive(path))
    assert f"{stem}-archive-1.atom" in pages
    assert [second[path] for path in pages] == [first[path] for path in pages]
    assert "Somebody else" in feed
    assert f'rel="prev-archive" type="{atom.MEDIA_TYPE}"' in feed
    assert re.search(rf'href="{factories.PLACE.base_url}{stem}-archive-[0-9]+\.atom"', feed)
    lay_out(tmp_path)
    answer = ask(PublishedPlane(tmp_path), pages[0])
    assert (answer.status, answer.headers["Content-Type"]) == (200, atom.MEDIA_TYPE)
    assert "immutable" in answer.headers["Cache-Control"]


def test_an_edition_that_lost_a_name_is_refused(app: Flask) -> None:
    with read_transaction():
        snapshot = current_snapshot(URN_GROUP)
        files = list(edition_files(snapshot, factories.PLACE))
    names = frozenset(record.folded for record in snapshot.records())
    check_files(files, snapshot, names)
    with pytest.raises(EditionRefused, match="missing: quokka, wombat"):
        check_files(files, snapshot, names | {"wombat", "quokka"})


@pytest.mark.usefixtures("quokka")
def test_the_names_of_the_edition_before_are_those_that_may_not_vanish(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    whole = snapshot_of

    def forgetful(edition: int) -> RegistrySnapshot:
        snapshot = whole(edition)
        first, *rest = snapshot.registries
        records = tuple(record for record in first.records if record.folded != "isbn")
        return (
            snapshot
            if edition == 2
            else replace(snapshot, registries=(replace(first, records=records), *rest))
        )

    people = factories.cast(clock())
    factories.registered(people, clock(), namespace_identifier="wombat")
    monkeypatch.setattr(edition_build, "snapshot_of", forgetful)
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    ((edition, attempts, why),) = failures()
    assert (edition, attempts) == (3, 1)
    assert why.startswith("EditionRefused: Published names are missing: isbn.")


def test_a_failure_leaves_the_old_edition_is_noted_and_tried_again_later(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    assert lay_out(tmp_path) == 1
    factories.registered(factories.cast(clock()), clock())
    with monkeypatch.context() as patched:
        patched.setattr(edition_build, "registry_files", lambda *_: 1 / 0)
        for attempts in (1, 2):
            assert edition_build.build_pending(clock.on(minutes=1), factories.PLACE) == []
            assert failures() == [(2, attempts, "ZeroDivisionError: division by zero")]
        assert edition_build.build_pending(clock.on(seconds=1), factories.PLACE) == []
        assert failures()[0][1] == 2, "it waits before it tries again"
        assert lay_out(tmp_path) is None
        assert current_edition(tmp_path) == 1
    assert edition_build.build_pending(clock.on(minutes=10), factories.PLACE) == [2]
    assert failures() == []
    assert lay_out(tmp_path) == 2
    assert current_edition(tmp_path) == 2


def test_a_failure_waits_longer_each_time_but_never_over_five_minutes(
    app: Flask, clock: Clock
) -> None:
    waits = []
    with transaction():
        for _ in range(60):
            edition_rows.note_failure(1, "why", clock())
            waits.append((row_of_publication() - clock()).total_seconds())
    assert waits[:9] == [2, 4, 8, 16, 32, 64, 128, 256, 300]
    assert set(waits[9:]) == {300}


def row_of_publication() -> datetime:
    return db.session.scalars(select(Publication.next_at)).one()


def test_a_failure_does_not_wait_for_a_clock_that_was_set_back(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(edition_build, "registry_files", lambda *_: 1 / 0)
        edition_build.build_pending(clock(), factories.PLACE)
    assert edition_build.build_pending(clock.on(days=-3650), factories.PLACE) == [1]


@pytest.mark.usefixtures("quokka")
def test_a_later_edition_is_built_although_an_earlier_one_fails(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = files.registry_files

    def fail_first(snapshot: RegistrySnapshot, *rest: Any) -> Any:
        return whole(snapshot, *rest) if snapshot.edition == 2 else 1 / 0

    monkeypatch.setattr(edition_build, "registry_files", fail_first)
    assert edition_build.build_pending(clock(), factories.PLACE) == [2]
    with read_transaction():
        assert edition_rows.newest_built(URN_GROUP) == 2


def test_nothing_is_laid_out_before_anything_is_built(app: Flask, tmp_path: Path) -> None:
    assert lay_out(tmp_path) is None
    assert current_edition(tmp_path) is None


def test_laying_out_is_done_once_and_again_when_the_software_changes(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    assert lay_out(tmp_path) == 1
    first = current_manifest(tmp_path)
    assert lay_out(tmp_path) is None
    assert current_manifest(tmp_path) == first
    assert lay_out(tmp_path, "newer software") == 1
    assert current_manifest(tmp_path) != first
    assert current_edition(tmp_path) == 1


@pytest.mark.usefixtures("quokka")
def test_a_newer_edition_that_lies_there_is_not_replaced_by_an_older_one(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    lay_out(tmp_path)
    monkeypatch.setattr(edition_rows, "newest_built", lambda _group: 1)
    with pytest.raises(OlderEditionRefused):
        lay_out(tmp_path)
    assert current_edition(tmp_path) == 2


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize(
    ("owner", "name", "steps"),
    [(edition_rows, "contents", 1), (edition_rows, "contents", 2), (Site, "namespace", 1)],
)
def test_whoever_dies_on_the_way_leaves_the_old_edition_whole(
    app: Flask,
    clock: Clock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    steps: int,
) -> None:
    edition_build.build_pending(clock(), factories.PLACE)
    lay_out(tmp_path / "p")
    factories.registered(factories.cast(clock()), clock())
    edition_build.build_pending(clock(), factories.PLACE)
    work, left = getattr(owner, name), steps

    def die(*arguments: Any, **options: Any) -> Any:
        nonlocal left
        left -= 1
        if left <= 0:
            raise Killed
        return work(*arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(owner, name, die)
        with pytest.raises(Killed):
            lay_out(tmp_path / "p")
    assert current_edition(tmp_path / "p") == 1
    assert lay_out(tmp_path / "p") == 2
    assert current_edition(tmp_path / "p") == 2


@pytest.mark.usefixtures("quokka")
def test_nothing_private_and_no_draft_is_published(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    people = factories.cast(clock())
    number = factories.draft(people.rival, clock(), namespace_identifier="marker-in-a-draft")
    edition_build.build_pending(clock(), factories.PLACE)
    lay_out(tmp_path / "p")
    files = [path for path in (tmp_path / "p").rglob("*") if path.is_file()]
    published = b"".join(path.read_bytes() for path in files)
    assert number
    assert b"quokka" in published
    for secret in (b"marker-in-a-draft", people.registrant.email.encode(), b"contact_name"):
        assert secret not in published


def test_an_edition_that_touches_one_name_makes_the_files_of_that_name_alone(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    made: list[str] = []
    factories.registered(people, clock(), namespace_identifier="wombat")
    edition_build.build_pending(clock(), factories.PLACE)
    whole = all_namespace_files

    def noted(snapshot: RegistrySnapshot, place: PublicationSite) -> Any:
        made.extend(record.folded for record in snapshot.records())
        return whole(snapshot, place)

    monkeypatch.setattr(files, "all_namespace_files", noted)
    number = factories.registered(people, clock(), namespace_identifier="numbat")
    made.clear()  # the register asked whether the record can be written
    assert number
    edition_build.build_pending(clock(), factories.PLACE)
    assert made == ["numbat"]
    with read_transaction():
        everything = files.edition_files(snapshot_of(3), factories.PLACE, history(URN_GROUP, 3))
        anew, _ = files.entries_of(everything, {})
        found = stored_files.files_of(3)
        step = next(file for file in found if file.path == "/editions/2..3.json")
        assert set(found) == {*anew, step}


def test_where_the_address_changed_all_files_are_made_anew(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock(), namespace_identifier="wombat")
    edition_build.build_pending(clock(), factories.PLACE)
    factories.registered(people, clock(), namespace_identifier="numbat")
    edition_build.build_pending(clock(), PublicationSite("https://elsewhere.example"))
    with read_transaction():
        turtle = next(f for f in stored_files.files_of(3) if f.path == "/namespaces/isbn.ttl")
        assert b"https://elsewhere.example/" in edition_rows.content(turtle.sha256)


SCHEMA = "/schemas/urn-namespaces-delta.json"


def of_former_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next edition is built as software did that knew no feeds, and no CSV of all."""
    new = re.compile(
        r".*/urn-namespaces(\.(csv|atom)|-(profiles|prefixes|context|resolution|suggestions)\..*)"
        r"|/namespaces/.*\.(csv|xhtml|atom)"
    )
    for making in ("registry_files", "name_files"):
        every = getattr(edition_build, making)

        def fewer(*given: Any, every: Any = every) -> Any:
            made = [file for file in every(*given) if not new.fullmatch(file.path)]
            return [file._replace(content=b"{}") if file.path == SCHEMA else file for file in made]

        monkeypatch.setattr(edition_build, making, fewer)
    monkeypatch.setattr(edition_build, "check_files", lambda *_: None)
    monkeypatch.setattr(edition_build, "fingerprint", lambda: "of former days")


@pytest.mark.usefixtures("quokka")
def test_what_other_software_did_not_make_is_made_here_or_not_led_to(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        of_former_days(patched)
        edition_build.build_pending(clock(), factories.PLACE)
    lay_out(tmp_path)
    site = PublishedPlane(tmp_path)
    led_to = re.compile(r'href="(/(?:namespaces|assignments|editions)/[^"#?]*\.[a-z]+)"')
    for page in ("/namespaces/isbn", "/assignments/urn-namespaces/", "/editions/2/"):
        led = led_to.findall(ask(site, page).body.decode())
        assert led
        assert [path for path in led if ask(site, path).status != 200] == []
    assert ask(site, "/namespaces/isbn.csv").status == 200
    for file in (
        "profiles.csv",
        "prefixes.json",
        "context.jsonld",
        "resolution.jsonl",
        "suggestions.json",
    ):
        assert ask(site, f"/assignments/urn-namespaces/urn-namespaces-{file}").status == 200
        assert ask(site, f"/editions/2/urn-namespaces-{file}").status == 404
    assert ask(site, SCHEMA).body == delta_schema_bytes(URN_GROUP.id), (
        "for what is answered from now on"
    )
    assert ask(site, "/editions/2/urn-namespaces.csv").status == 404, "it stays as it was made"
    kept = json.loads((tmp_path / "editions" / "2.json").read_bytes())["negotiated"]
    paths = kept["/editions/2/urn-namespaces"]
    assert paths == sorted(paths), "as it was listed then, so that all hosts list it alike"


def pages_made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names whose pages are made from now on."""
    made: list[str] = []
    whole = Site.namespace

    def noted(site: Site, snapshot: RegistrySnapshot, record: Any, *rest: Any, **more: Any) -> str:
        made.append(record.folded)
        return whole(site, snapshot, record, *rest, **more)

    monkeypatch.setattr(Site, "namespace", noted)
    return made


def listed_in(folder: Path) -> bytes:
    """The manifest of the current bundle."""
    return (folder / "current" / "manifest.json").read_bytes()


def publish(folder: Path, clock: Clock) -> None:
    """Do what the worker does."""
    edition_build.build_pending(clock(), factories.PLACE)
    assert lay_out(folder)


def test_pages_of_names_that_no_edition_touched_since_are_kept(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock(), namespace_identifier="wombat")
    publish(tmp_path / "p", clock)
    for name in ("numbat", "potoroo"):
        factories.registered(people, clock(), namespace_identifier=name)
    made = pages_made(monkeypatch)
    publish(tmp_path / "p", clock)
    assert made == ["numbat", "potoroo"]
    publish(tmp_path / "anew", clock)
    assert {"isbn", "urn-7", "wombat", "numbat"} < set(made)
    assert listed_in(tmp_path / "p") == listed_in(tmp_path / "anew")
    assert current_edition(tmp_path / "p") == 4


def test_all_pages_are_made_anew_where_more_changed_than_names(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, clock)
    made = pages_made(monkeypatch)
    with transaction():
        open_edition(URN_GROUP, clock(), Cause.CORRECTION, "This registry says something else now.")
    publish(tmp_path, clock)
    assert {"isbn", "urn-7"} < set(made)


def test_all_pages_are_made_anew_by_other_software(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock(), namespace_identifier="wombat")
    publish(tmp_path, clock)
    factories.registered(people, clock(), namespace_identifier="numbat")
    edition_build.build_pending(clock(), factories.PLACE)
    made = pages_made(monkeypatch)
    lay_out(tmp_path, "newer software")
    assert {"isbn", "wombat", "numbat"} < set(made)


def test_all_pages_are_made_anew_after_the_database_was_put_back(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock(), namespace_identifier="wombat")
    publish(tmp_path, clock)
    found = current_manifest(tmp_path)
    assert found
    head = replace(found, as_of="2020-01-01T00:00:00+00:00")  # an edition 2 of other days
    target = tmp_path / bundle_path(head)
    target.mkdir()
    (target / "manifest.json").write_bytes(manifest_bytes(head))
    (tmp_path / "current").unlink()
    (tmp_path / "current").symlink_to(bundle_path(head))
    factories.registered(people, clock(), namespace_identifier="numbat")
    made = pages_made(monkeypatch)
    publish(tmp_path, clock)
    assert {"isbn", "wombat", "numbat"} < set(made)


@pytest.mark.parametrize("form", [None, 0])
def test_what_was_damaged_on_this_host_is_made_anew(
    app: Flask, clock: Clock, tmp_path: Path, form: int | None
) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock(), namespace_identifier="wombat")
    publish(tmp_path, clock)
    manifest = current_manifest(tmp_path)
    assert manifest
    page = next(file for file in manifest.files if file.path == "/namespaces/isbn")
    damaged = page.sha256 if form is None else page.forms[form].sha256
    (tmp_path / blob_path(damaged)).write_bytes(b"damaged")
    factories.registered(people, clock(), namespace_identifier="numbat")
    publish(tmp_path, clock)
    assert current_edition(tmp_path) == 3
    assert (tmp_path / blob_path(damaged)).read_bytes() != b"damaged"


def test_beside_a_bundle_that_cannot_be_read_everything_is_made_anew(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    publish(tmp_path, clock)
    (tmp_path / "current" / "manifest.json").write_bytes(b"{}")
    publish(tmp_path, clock)
    assert current_edition(tmp_path) == 1


@pytest.mark.usefixtures("quokka")
def test_every_link_of_a_copy_leads_to_what_it_holds_or_to_the_registry(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    publish(tmp_path, clock)
    manifest = current_manifest(tmp_path)
    assert manifest
    assert manifest.registry == factories.PLACE.base_url
    site = PublishedPlane(tmp_path)
    pages = {file.path for file in manifest.files if file.is_page}
    linked = {
        urlsplit(urljoin(page, unescape(address)))
        for page in pages
        for address in re.findall(r' (?:href|src|action)="([^"]*)"', ask(site, page).body.decode())
    }
    led_on = set()
    for at in linked:
        if at.netloc or at.scheme:
            continue
        answer = ask(site, unquote_to_bytes(at.path).decode("latin-1"), query=at.query)
        if answer.status not in (200, 301, 302, 303):
            told = json.loads(answer.body)
            asked = f"{at.path}?{at.query}" if at.query else at.path
            assert (answer.status, told["there"]) == (404, factories.PLACE.base_url + asked)
            led_on.add(at.path if not at.query else asked)
    assert {"/editions/compare", "/namespaces/isbn/revise"} <= led_on
    assert not led_on & pages


def renamed(clock: Clock, name: str, after: str) -> int:
    """The edition in which an operator gave a name another."""
    people = factories.cast(clock())
    with read_transaction():
        seen = corrections.find_entry(name, URN_SPACE).n
    order = factories.command(people.operator, clock(), seen=seen)
    return corrections.correct(
        order,
        name,
        corrections.Correction(name=after),
        reason="It had a slip of the pen.",
        space=URN_SPACE,
    )


def test_a_correction_that_ends_a_name_stands_in_the_manifests_of_its_edition(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    edition = renamed(clock, "isbn", "zisbn")
    publish(tmp_path, clock)
    with read_transaction():
        own = read_manifest(edition_rows.content(edition_rows.manifest_digest(edition)))
    lasting = read_manifest((tmp_path / "editions" / f"{edition}.json").read_bytes())
    for manifest in (own, current_manifest(tmp_path), lasting):
        assert manifest
        assert manifest.corrections == (("isbn", "zisbn"),)
    factories.registered(factories.cast(clock()), clock())
    publish(tmp_path, clock)
    after = current_manifest(tmp_path)
    assert after
    assert after.corrections == (), "what an earlier edition told is not told again"


@pytest.mark.parametrize("forgotten", ["cause", "reason"])
def test_a_name_that_is_listed_no_more_without_a_recorded_correction_is_not_published(
    app: Flask, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: str
) -> None:
    publish(tmp_path, clock)
    with monkeypatch.context() as patched:
        if forgotten == "cause":
            patched.setattr(corrections, "Cause", SimpleNamespace(CORRECTION=Cause.TEMPLATES))
        edition = renamed(clock, "isbn", "zisbn")
    if forgotten == "reason":
        monkeypatch.setattr(corrections, "reasons_of", lambda _numbers: {})
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    ((failed, _, why),) = failures()
    assert failed == edition
    assert "removed without a correction: isbn." in why
    assert lay_out(tmp_path) is None
    assert current_edition(tmp_path) == 1


def test_xml_that_the_grammar_does_not_allow_is_not_published(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = FORMATS[Format.XML]

    def odd(snapshot: RegistrySnapshot, place: Any) -> Any:
        for name, content in whole.make(snapshot, place):
            yield name, content.replace(b"<name>", b"<odd/><name>", 1)

    monkeypatch.setitem(FORMATS, Format.XML, replace(whole, make=odd))
    assert edition_build.build_pending(clock(), factories.PLACE) == []
    ((_, _, why),) = failures()
    assert "The xml doesn't match IANA’s grammar: Line " in why
    assert "odd" in why


def test_of_several_workers_one_builds_and_the_others_leave_it_to_that(
    app: Flask, clock: Clock
) -> None:
    with sole_builder() as is_another:
        assert is_another
        assert edition_build.build_pending(clock(), factories.PLACE) == []
    assert edition_build.build_pending(clock(), factories.PLACE) == [1]


def test_a_worker_that_was_stopped_while_it_builds_stops_the_others_for_a_while_only(
    app: Flask, clock: Clock
) -> None:
    with sole_builder():
        clock.now += timedelta(minutes=16)
        assert edition_build.build_pending(clock(), factories.PLACE) == [1]
