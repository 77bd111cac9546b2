"""Laying out bundles: whole, once, by one at a time, and switched in one step."""

import contextlib
import hashlib
import os
import stat
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest

from app.bundles import layout
from app.bundles.layout import (
    OWN,
    SHARED,
    EditionConflict,
    LayoutModes,
    OlderEditionRefused,
    current_manifest,
    editions_laid_out,
    is_laid_out,
    lay_out,
    lay_out_edition,
)
from app.exports.manifests.bundle_files import (
    BadManifest,
    BlobReference,
    BundleFile,
    DigestMismatch,
    verify_bytes,
)
from app.exports.manifests.bundle_paths import blob_path, bundle_path, find_edition
from app.exports.manifests.manifest import Manifest, ManifestPart, manifest_bytes, read_manifest
from tests.processes import PROCESSES
from tests.published.bundles import CSV, PAGE, Bundle, divide_soon, lasting, make_bundle, many, pack

FIRST, SECOND = make_bundle(1), make_bundle(2)


def tree(folder: Path) -> dict[str, bytes | str]:
    """Everything below a folder: bytes of files, targets of links."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def test_nothing_is_current_before_the_first(tmp_path: Path) -> None:
    assert current_manifest(tmp_path) is None
    assert current_manifest(tmp_path / "absent") is None


def test_a_bundle_lies_where_its_manifest_says_and_is_current(tmp_path: Path) -> None:
    folder = tmp_path / "instance" / "published"
    assert FIRST.lay_out(folder) == folder / bundle_path(FIRST.manifest)
    expected: dict[str, bytes | str] = {
        blob_path(sha256): content for sha256, content in FIRST.bytes_by_sha256.items()
    }
    expected[f"{bundle_path(FIRST.manifest)}/manifest.json"] = manifest_bytes(FIRST.manifest)
    assert tree(folder) == expected | {"current": bundle_path(FIRST.manifest)}
    assert current_manifest(folder) == FIRST.manifest


def test_an_older_bundle_stays_beside_the_new_one(tmp_path: Path) -> None:
    FIRST.lay_out(tmp_path)
    before = tree(tmp_path)
    SECOND.lay_out(tmp_path)
    assert current_manifest(tmp_path) == SECOND.manifest
    assert before.items() - tree(tmp_path).items() == {("current", bundle_path(FIRST.manifest))}


def test_bytes_already_there_are_not_asked_for_again(tmp_path: Path) -> None:
    asked: list[str] = []

    def read(blob: BlobReference) -> bytes:
        asked.append(blob.path)
        return SECOND.read(blob)

    FIRST.lay_out(tmp_path)
    lay_out(tmp_path, SECOND.manifest, read)
    assert asked
    assert CSV not in asked


def test_bytes_of_many_files_are_read_from_disk_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = pack({f"/{number}.txt": ("text/plain", b"the same") for number in range(50)})
    bundle.lay_out(tmp_path)
    (digest,) = bundle.bytes_by_sha256
    read: list[Path] = []
    read_bytes = Path.read_bytes

    def note(path: Path) -> bytes:
        read.append(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", note)
    bundle.lay_out(tmp_path)
    assert read.count(tmp_path / blob_path(digest)) == 1


def test_laying_out_twice_changes_nothing(tmp_path: Path) -> None:
    FIRST.lay_out(tmp_path)
    before, link = tree(tmp_path), (tmp_path / "current").lstat().st_ino
    FIRST.lay_out(tmp_path)
    assert tree(tmp_path) == before
    assert (tmp_path / "current").lstat().st_ino == link


def test_bytes_that_are_not_the_promised_ones_are_not_written(tmp_path: Path) -> None:
    FIRST.lay_out(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(DigestMismatch, match="SHA-256"):
        lay_out(tmp_path, SECOND.manifest, lambda _: b"something else")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("damage", [b"", b"junk", b"URN Namespace\r\nissn\r\n"])
def test_damaged_bytes_are_mended_by_laying_out_again(tmp_path: Path, damage: bytes) -> None:
    FIRST.lay_out(tmp_path)
    before = tree(tmp_path)
    for file in FIRST.manifest.files:
        (tmp_path / blob_path(file.sha256)).write_bytes(damage)
    (tmp_path / "current" / "manifest.json").write_bytes(damage)
    FIRST.lay_out(tmp_path)
    assert tree(tmp_path) == before


def test_a_manifest_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    FIRST.lay_out(tmp_path)
    (tmp_path / "current" / "manifest.json").write_bytes(b"{}")
    with pytest.raises(BadManifest):
        current_manifest(tmp_path)


def test_an_older_edition_is_refused_unless_told(tmp_path: Path) -> None:
    SECOND.lay_out(tmp_path)
    with pytest.raises(OlderEditionRefused) as refusal:
        FIRST.lay_out(tmp_path)
    assert (refusal.value.edition, refusal.value.current) == (1, 2)
    assert current_manifest(tmp_path) == SECOND.manifest
    FIRST.lay_out(tmp_path, allow_older=True)
    assert current_manifest(tmp_path) == FIRST.manifest


def test_editions_are_compared_as_numbers(tmp_path: Path) -> None:
    make_bundle(9).lay_out(tmp_path)
    make_bundle(10).lay_out(tmp_path)
    with pytest.raises(OlderEditionRefused):
        make_bundle(9).lay_out(tmp_path)


def test_the_same_edition_made_by_other_software_replaces_it(tmp_path: Path) -> None:
    FIRST.lay_out(tmp_path)
    again = make_bundle(1, made_by="newer")
    again.lay_out(tmp_path)
    assert current_manifest(tmp_path) == again.manifest


def test_an_edition_of_nothing_can_be_laid_out(tmp_path: Path) -> None:
    empty = make_bundle(1, files={})
    empty.lay_out(tmp_path)
    assert current_manifest(tmp_path) == empty.manifest


def test_one_content_under_two_lengths_is_refused(tmp_path: Path) -> None:
    (page,) = make_bundle(1, {PAGE: ("text/html", b"x")}).manifest.files
    liar = BundleFile(path="/liar", media_type="text/html", sha256=page.sha256, length=2)
    manifest = make_bundle(1, {}).manifest
    manifest = type(manifest)(edition=1, as_of=manifest.as_of, made_by="test", files=(page, liar))
    with pytest.raises(DigestMismatch):
        lay_out(tmp_path, manifest, lambda _: b"x")
    assert current_manifest(tmp_path) is None


@pytest.mark.parametrize("mask", [0o022, 0o000, 0o077])
@pytest.mark.parametrize("modes", [OWN, SHARED])
def test_others_read_what_the_mask_lets_them_of_a_copy_and_nothing_of_ours(
    tmp_path: Path, mask: int, modes: LayoutModes
) -> None:
    before = os.umask(mask)
    try:
        FIRST.lay_out(tmp_path / "published", modes=modes)
    finally:
        os.umask(before)
    for path in (tmp_path / "published").rglob("*"):
        if not path.is_symlink():
            wanted = (modes.folder if path.is_dir() else modes.file) & ~mask
            assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_what_a_killed_process_left_behind_does_no_harm(tmp_path: Path) -> None:
    FIRST.lay_out(tmp_path)
    (tmp_path / "incoming").write_bytes(b"half of")
    SECOND.lay_out(tmp_path)
    (tmp_path / "incoming").symlink_to("bundles/none")
    make_bundle(3).lay_out(tmp_path)
    assert not (tmp_path / "incoming").is_symlink()
    assert current_manifest(tmp_path) == make_bundle(3).manifest


class Killed(BaseException):
    """Stands for the end of the process."""


@contextlib.contextmanager
def dying_at(step: int, patch: pytest.MonkeyPatch) -> Iterator[Callable[[BlobReference], bytes]]:
    """Die at the n-th step that touches the disk or the source; yield a source that counts."""
    left = step

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return function(*arguments, **options)

        return run

    with patch.context() as patched:
        for name in ("replace", "fsync", "symlink", "open"):
            patched.setattr(os, name, counted(getattr(os, name)))
        yield counted(SECOND.read)


def test_an_end_between_any_two_steps_leaves_the_old_edition_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished, steps = False, 0
    while not finished:
        folder = tmp_path / str(steps)
        FIRST.lay_out(folder)
        with dying_at(steps, monkeypatch) as read:
            try:
                lay_out(folder, SECOND.manifest, read)
                finished = True
            except Killed:
                assert_whole(folder)
        SECOND.lay_out(folder)
        assert current_manifest(folder) == SECOND.manifest
        steps += 1
    assert steps > 15


def assert_whole(folder: Path) -> None:
    """The current edition is the first or the second, all of it."""
    manifest = current_manifest(folder)
    assert manifest in (FIRST.manifest, SECOND.manifest)
    for file in manifest.files:
        verify_bytes(file, (folder / blob_path(file.sha256)).read_bytes())


def test_bytes_and_names_are_on_disk_before_what_points_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: set[int] = set()
    unsafe: list[Path] = []
    fsync, replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        synced.add(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def note_move(source: Path, target: Path) -> None:
        needed = [source] if target.name != "current" else [*tmp_path.glob("b*/**")]
        unsafe.extend(path for path in needed if path.lstat().st_ino not in synced)
        replace(source, target)
        synced.discard(target.parent.stat().st_ino)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_move)
    FIRST.lay_out(tmp_path)
    assert unsafe == []
    assert tmp_path.stat().st_ino in synced


def test_the_forms_of_a_file_lie_beside_it_and_are_mended_with_it(tmp_path: Path) -> None:
    bundle = pack({PAGE: ("text/html", b"text " * 99)}, codings=["br", "gzip"])
    bundle.lay_out(tmp_path)
    before = tree(tmp_path)
    (file,) = bundle.manifest.files
    assert len(file.blobs) == 3
    for blob in file.blobs:
        assert before[blob_path(blob.sha256)] == bundle.read(blob)
        (tmp_path / blob_path(blob.sha256)).write_bytes(b"junk")
    bundle.lay_out(tmp_path)
    assert tree(tmp_path) == before


def test_a_form_that_is_not_the_promised_one_is_not_written(tmp_path: Path) -> None:
    bundle = pack({PAGE: ("text/html", b"text")}, codings=["br"])
    (file,) = bundle.manifest.files
    with pytest.raises(DigestMismatch):
        lay_out(tmp_path, bundle.manifest, lambda _: b"text")
    assert set(tree(tmp_path)) == {blob_path(file.sha256)}, "what was right may stay"


def test_what_came_before_a_failure_is_not_asked_for_again(tmp_path: Path) -> None:
    class Lost(Exception):
        pass

    asked: list[str] = []

    def read(blob: BlobReference) -> bytes:
        asked.append(blob.path)
        if len(asked) == 2:
            raise Lost
        return FIRST.read(blob)

    with pytest.raises(Lost):
        lay_out(tmp_path, FIRST.manifest, read)
    lay_out(tmp_path, FIRST.manifest, read)
    assert len(asked) == len(FIRST.manifest.files) + 1
    assert current_manifest(tmp_path) == FIRST.manifest


def test_very_many_files_are_made_to_last_at_once_before_anything_points_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    replace, sync = os.replace, os.sync

    def note_move(source: Path, target: Path) -> None:
        steps.append("switch" if target.name == "current" else "move")
        replace(source, target)

    def note_sync() -> None:
        steps.append("sync")
        sync()

    monkeypatch.setattr(layout, "_SYNCED_ALONE", 4)
    monkeypatch.setattr(layout, "_MOST_STAGED", 10)
    monkeypatch.setattr(os, "replace", note_move)
    monkeypatch.setattr(os, "sync", note_sync)
    bundle = many(12)
    bundle.lay_out(tmp_path)
    assert steps == [*["sync", *["move"] * 10] * 2, "sync", *["move"] * 5, "switch"]
    assert_whole_bundle(tmp_path, bundle)


def assert_whole_bundle(folder: Path, bundle: Bundle) -> None:
    """Every byte of a bundle is there."""
    for file in bundle.manifest.files:
        for blob in file.blobs:
            assert verify_bytes(blob, (folder / blob_path(blob.sha256)).read_bytes())


NAMES = 100


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Bundle:
    """More files than one list holds."""
    divide_soon(monkeypatch)
    return many(NAMES)


def test_a_large_edition_is_listed_in_parts_and_laid_out_whole(
    tmp_path: Path, large: Bundle
) -> None:
    large.lay_out(tmp_path)
    head = current_manifest(tmp_path)
    assert head is not None
    assert (head.edition, head.files) == (1, ())
    assert len(head.parts) > 5
    assert_whole_bundle(tmp_path, large)


def test_of_parts_that_the_current_edition_has_nothing_is_read(
    tmp_path: Path, large: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    large.lay_out(tmp_path)
    reads = count()
    read_bytes = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: (next(reads), read_bytes(path))[1])
    changed = many(NAMES, 2, name_7=b"{}")
    changed.lay_out(tmp_path)
    assert next(reads) < len(large.manifest.files) / 3
    assert_whole_bundle(tmp_path, changed)


def test_laying_out_the_current_large_edition_mends_all_of_it(
    tmp_path: Path, large: Bundle
) -> None:
    large.lay_out(tmp_path)
    before = tree(tmp_path)
    for path in [*before][::7]:
        if path != "current":
            (tmp_path / path).write_bytes(b"junk")
    large.lay_out(tmp_path)
    assert tree(tmp_path) == before


def test_a_part_that_is_none_is_refused(tmp_path: Path, large: Bundle) -> None:
    FIRST.lay_out(tmp_path)
    liar = b'{"path":"/a"}\n'
    part = ManifestPart("/a", hashlib.sha256(liar).hexdigest(), len(liar))
    manifest = Manifest(edition=2, as_of="2026-07-28", made_by="test", parts=(part,))
    with pytest.raises(BadManifest):
        lay_out(tmp_path, manifest, lambda _: liar)
    assert current_manifest(tmp_path) == FIRST.manifest


FILES = {"a.xml": ("application/xml", b"<a/>"), "b/c.json": ("application/json", b"{}")}


def test_what_an_edition_keeps_lies_under_its_number_and_switches_nothing(tmp_path: Path) -> None:
    FIRST.lay_out(tmp_path)
    kept = lasting(1, FILES, codings=["br"])
    link = kept.lay_out_for_ever(tmp_path)
    assert link == tmp_path / "editions" / "1.json"
    assert read_manifest(link.read_bytes()) == kept.manifest
    digest = hashlib.sha256(link.read_bytes()).hexdigest()
    assert str(link.readlink()) == f"../{blob_path(digest)}"
    assert_whole_bundle(tmp_path, kept)
    assert current_manifest(tmp_path) == FIRST.manifest


def test_editions_are_laid_out_in_any_order_and_listed(tmp_path: Path) -> None:
    assert editions_laid_out(tmp_path) == frozenset()
    for number in (10, 2, 1):
        lasting(number, FILES).lay_out_for_ever(tmp_path)
    (tmp_path / "editions" / "x.json").touch()
    (tmp_path / "editions" / "07.json").touch()
    assert editions_laid_out(tmp_path) == {1, 2, 10}


def test_what_an_edition_keeps_is_mended_but_never_changed(tmp_path: Path) -> None:
    kept = lasting(1, FILES)
    kept.lay_out_for_ever(tmp_path)
    before = tree(tmp_path)
    for path in before:
        (tmp_path / path).resolve().write_bytes(b"junk")
    kept.lay_out_for_ever(tmp_path)
    assert tree(tmp_path) == before
    with pytest.raises(EditionConflict) as refusal:
        lasting(1, {"a.xml": ("application/xml", b"<b/>")}).lay_out_for_ever(tmp_path)
    assert refusal.value.edition == 1
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    "members",
    [
        {"files": FIRST.manifest.files},
        {"files": lasting(2, FILES).manifest.files},
        {"files": lasting(11, FILES).manifest.files},
        {"redirects": (("/a", "/editions/1/a.xml"),)},
        {"parts": (ManifestPart("/a", "0" * 64, 1),)},
    ],
)
def test_an_edition_keeps_nothing_outside_its_address(
    tmp_path: Path, members: dict[str, Any]
) -> None:
    manifest = Manifest(edition=1, as_of="2026-07-28", made_by="test", **members)
    with pytest.raises(BadManifest, match="below /editions/1/"):
        lay_out_edition(tmp_path, manifest, lambda _: b"")
    assert tree(tmp_path) == {}


def test_an_edition_may_redirect_from_its_own_address(tmp_path: Path) -> None:
    redirects = (("/editions/1", "/editions/1/a.xml"),)
    manifest = replace(lasting(1, FILES).manifest, redirects=redirects)
    lay_out_edition(tmp_path, manifest, lasting(1, FILES).read)
    assert editions_laid_out(tmp_path) == {1}


def test_it_is_told_whether_an_edition_is_laid_out_by_this_software(tmp_path: Path) -> None:
    assert not is_laid_out(tmp_path, 1, "test")
    FIRST.lay_out(tmp_path)
    assert is_laid_out(tmp_path, 1, "test")
    assert not is_laid_out(tmp_path, 2, "test")
    assert not is_laid_out(tmp_path, 1, "newer")
    (tmp_path / "current" / "manifest.json").write_bytes(b"{}")
    assert not is_laid_out(tmp_path, 1, "test")
    (tmp_path / "current" / "manifest.json").unlink()
    assert not is_laid_out(tmp_path, 1, "test")


LAST = 20


def lay_out_all(folder: Path, ready: Barrier) -> None:
    """What each of two processes does."""
    bundles: list[Bundle] = [make_bundle(edition) for edition in range(1, LAST + 1)]
    ready.wait(60)
    for bundle in bundles:
        with contextlib.suppress(OlderEditionRefused):
            bundle.lay_out(folder)


def test_two_processes_at_once_end_with_the_same_edition_and_never_go_back(tmp_path: Path) -> None:
    ready = PROCESSES.Barrier(2)
    processes = [PROCESSES.Process(target=lay_out_all, args=(tmp_path, ready)) for _ in range(2)]
    seen: list[int | None] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            with contextlib.suppress(FileNotFoundError):
                seen.append(find_edition(str((tmp_path / "current").readlink())))
                assert_readable(tmp_path)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    over.set()
    watcher.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert current_manifest(tmp_path) == make_bundle(LAST).manifest
    assert_readable(tmp_path)
    assert seen == sorted(edition for edition in seen if edition is not None)


def assert_readable(folder: Path) -> None:
    """Each moment's current edition has its manifest and its bytes."""
    manifest = current_manifest(folder)
    assert manifest is not None
    for file in manifest.files:
        verify_bytes(file, (folder / blob_path(file.sha256)).read_bytes())
