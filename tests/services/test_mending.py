"""What is damaged of a host's folder beside a running worker heals, without a restart."""

import errno
import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app import worker
from app.bundles import layout
from app.bundles.layout import current_manifest
from app.exports.manifests.bundle_paths import blob_path, edition_path
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import edition_build, publication
from app.services.operations.edition_verification import verify_folder
from app.worker import WorkerContext
from tests import factories
from tests.conftest import Clock
from tests.published.bundles import ask, restless
from tests.rounds import run_once
from tests.services.test_layout import tree

XML = "/assignments/urn-namespaces/urn-namespaces.xml"
OWN = "/editions/2/urn-namespaces.xml"


@pytest.fixture
def work(quokka: factories.Cast, clock: Clock, tmp_path: Path) -> WorkerContext:
    """The work of a host that has laid two editions out, and nothing that the first left behind.

    Of pages of an edition that was laid out before nobody knows any more, so that they heal not.
    """
    for _ in edition_build.build_pending(clock(), factories.PLACE):
        pass
    work = WorkerContext(
        folder=tmp_path / "published",
        making=factories.making(),
        secret=lambda: "s",
        sender="registry@registry.example",
        now=clock,
        deliver=None,
    )
    run_once(work)
    return work


def problems(folder: Path) -> list[str]:
    return list(verify_folder(folder, lambda _what, _total: lambda _done: None))


def turns(work: WorkerContext, many: int = 3) -> None:
    for _ in range(many):
        run_once(work)
        clock = work.now
        assert isinstance(clock, Clock)
        clock.on(seconds=10)  # longer than it rests after a turn


def lasting(folder: Path) -> dict[str, Any]:
    """Everything but what somebody put there."""
    return {path: content for path, content in tree(folder).items() if ".aside-" not in path}


def blobs(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "blobs").rglob("*") if path.is_file())


def flip(path: Path) -> None:
    """One byte is another, and the length is the same."""
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


def test_every_file_that_is_damaged_or_missing_is_mended(work: WorkerContext) -> None:
    whole = tree(work.folder)
    turns(work)
    for at, path in enumerate(blobs(work.folder)):
        if at % 2:
            flip(path)
        else:
            path.unlink()
    turns(work, 6)
    assert problems(work.folder) == []
    assert whole.items() <= tree(work.folder).items()


def test_what_is_whole_is_read_once_and_again_after_a_day(
    work: WorkerContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns(work, 5)
    path = blobs(work.folder)[0]
    read: list[Path] = []
    whole = Path.open

    def noted(self: Path, *given: Any, **named: Any) -> Any:
        read.append(self)
        return whole(self, *given, **named)

    monkeypatch.setattr(Path, "open", noted)
    turns(work)
    assert path not in read
    clock.now += timedelta(days=2)
    turns(work)
    assert path in read


def test_it_looks_at_nothing_for_a_while_after_it_looked(work: WorkerContext, clock: Clock) -> None:
    turns(work)
    run_once(work)
    blobs(work.folder)[0].unlink()
    run_once(work)
    assert problems(work.folder) != []
    clock.on(seconds=10)
    turns(work, 2)
    assert problems(work.folder) == []


def remove_everything(folder: Path) -> None:
    shutil.rmtree(folder)


def remove_the_link(folder: Path) -> None:
    (folder / "current").unlink()


def damage_the_list(folder: Path) -> None:
    (folder / "current" / "manifest.json").write_bytes(b"{")


def remove_the_list(folder: Path) -> None:
    (folder / "current" / "manifest.json").unlink()


def remove_what_lasts(folder: Path) -> None:
    shutil.rmtree(folder / "editions")


def damage_a_lasting_list(folder: Path) -> None:
    (folder / edition_path(1)).resolve().write_bytes(b"{}")


def put_a_file_for_a_link(folder: Path) -> None:
    (folder / edition_path(1)).unlink()
    (folder / edition_path(1)).write_text("of somebody")


def put_a_file_in_place(name: str) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        shutil.rmtree(folder / name)
        (folder / name).write_text("of somebody")

    put.__name__ = f"put_a_file_in_place_of_{name or 'all'}"
    return put


def put_a_folder_for_the_link(folder: Path) -> None:
    (folder / "current").unlink()
    (folder / "current").mkdir()


def put_a_folder_for_a_file(folder: Path) -> None:
    path = blobs(folder)[0]
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage",
    [
        remove_everything,
        remove_the_link,
        damage_the_list,
        remove_the_list,
        remove_what_lasts,
        damage_a_lasting_list,
        put_a_file_for_a_link,
        put_a_file_in_place("blobs"),
        put_a_file_in_place("bundles"),
        put_a_file_in_place("editions"),
        put_a_file_in_place(""),
        put_a_folder_for_the_link,
        put_a_folder_for_a_file,
    ],
    ids=lambda damage: damage.__name__,
)
@pytest.mark.slow
def test_a_folder_heals_beside_a_running_worker_and_processes_go_on(
    work: WorkerContext, damage: Callable[[Path], None]
) -> None:
    whole, site = tree(work.folder), PublishedPlane(work.folder, clock=restless())
    before = ask(site, XML)
    turns(work)
    damage(work.folder)
    while_away = ask(site, XML)
    assert (while_away.status, while_away.body) == (200, before.body)
    turns(work, 6)
    assert problems(work.folder) == []
    assert whole.items() <= lasting(work.folder).items()
    for path in (XML, OWN):
        assert ask(site, path).status == 200
        assert ask(PublishedPlane(work.folder), path).status == 200


def test_a_lasting_file_that_is_damaged_is_never_not_found(work: WorkerContext) -> None:
    site = PublishedPlane(work.folder)
    assert ask(site, OWN).status == 200
    manifest = layout.edition_laid_out(work.folder, 2)
    (file,) = (file for file in manifest.files if file.path == OWN)
    (work.folder / blob_path(file.sha256)).unlink()
    for process in (site, PublishedPlane(work.folder)):
        assert ask(process, OWN).status == 503
    turns(work)
    assert ask(site, OWN).status == 200


def test_a_full_disk_ends_no_loop_and_is_told(
    work: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tree(work.folder)
    turns(work)
    blobs(work.folder)[0].unlink()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(worker, "PAUSE", 0)
    failed: list[Exception] = []
    with monkeypatch.context() as patched:
        patched.setattr("app.bundles.layout.os.open", _full_for_writing(full))
        for _ in range(4):
            try:
                run_once(work)
            except ExceptionGroup as errors:  # which a lane logs, and goes on
                failed.extend(errors.exceptions)
    assert "No space left on device" in " ".join(map(str, failed))
    turns(work, 4)
    assert tree(work.folder) == whole
    assert publication.lay_out_newest(work.folder, work.making, URN_GROUP) is None
    assert current_manifest(work.folder) is not None


def _full_for_writing(full: Callable[..., None]) -> Callable[..., int]:
    opened: Callable[..., int] = os.open

    def open_(path: Path, flags: int, *rest: int) -> int:
        if flags & os.O_CREAT:
            full()
        return opened(path, flags, *rest)

    return open_
