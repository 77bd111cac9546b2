"""What the registry keeps on disk is read by its owner alone, however it was started."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from app import worker
from app.bundles.file_modes import FILE_MODE, FOLDER_MODE, make_file, make_folder
from app.bundles.mirror import mirror_registry
from app.cli import main
from app.config import Settings
from app.factory import create_app
from app.outside.http_fetcher import Fetcher
from app.published.plane import PublishedPlane
from app.server import work_of
from app.services.operations import database_binding
from app.services.registry import snapshots
from tests.conftest import START, few_names
from tests.published.loopback import serve
from tests.published.wsgi_site import PublishedWsgi
from tests.running.sites import environment, free_port, serving

MASKS = [0o000, 0o022, 0o077, 0o777]


@contextmanager
def umask(mask: int) -> Iterator[None]:
    """A process that was started with a umask."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def read_by_others(folder: Path) -> list[str]:
    """What below a folder has another mode than it should, the folder among it.

    A worker may be at work there: what it removes while this looks has no mode that matters.
    """
    return [wrong for path in _paths(folder) for wrong in _judged_mode(path)]


def _paths(folder: Path) -> Iterator[Path]:
    yield folder
    for above, folders, files in os.walk(folder):
        yield from (Path(above) / name for name in (*folders, *files))


def _judged_mode(path: Path) -> Iterator[str]:
    with suppress(FileNotFoundError):
        found = path.lstat().st_mode
        wanted = FOLDER_MODE if stat.S_ISDIR(found) else FILE_MODE
        if not stat.S_ISLNK(found) and stat.S_IMODE(found) != wanted:
            yield f"{oct(stat.S_IMODE(found))} {path}"


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def set_up(folder: Path) -> Settings:
    """A registry with a key, a database and an edition that is laid out."""
    settings = Settings(data_dir=folder)
    with few_names(), create_app(settings).app_context():
        database_binding.migrate(Path("migrations"))
        snapshots.initialize("", START)
        worker.build(work_of(settings))
        worker.lay_out(work_of(settings))
        beside = {path.name for path in folder.iterdir()}
        database_binding.close_connections()
    assert beside >= {"registry.sqlite3", "registry.sqlite3-wal", "registry.sqlite3-shm"}
    return settings


@pytest.mark.parametrize("mask", [0o000, 0o077], ids=oct)
def test_a_data_folder_is_its_owners_alone_under_any_umask(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        folder = tmp_path / "instance"
        set_up(folder)
        assert read_by_others(folder) == []
        assert (folder / "published" / "current").is_symlink()


@pytest.mark.parametrize("mask", MASKS, ids=oct)
def test_folders_that_a_data_folder_lies_in_are_kept_or_made_for_its_owner_alone(
    tmp_path: Path, mask: int
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)
    with umask(mask):
        make_folder(there / "a" / "b" / "instance")
        make_folder(there / "a" / "b" / "instance")
    assert _mode(there) == 0o755
    assert read_by_others(there / "a") == []


@pytest.mark.parametrize("mask", MASKS, ids=oct)
def test_a_key_of_older_software_is_its_owners_alone_under_any_umask(
    tmp_path: Path, mask: int
) -> None:
    with umask(mask):
        folder = tmp_path / "instance"
        folder.mkdir()
        (folder / "secret-key").write_text("0" * 64)
        create_app(Settings(data_dir=folder))
        make_file(folder / "other")
    assert read_by_others(folder) == []


def test_what_older_software_left_open_is_closed_at_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    settings = set_up(folder)
    others = tmp_path / "of somebody else"
    others.write_text("")
    others.chmod(0o644)
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o777 if path.is_dir() else 0o666)
    (folder / "published" / "link").symlink_to(others)
    assert read_by_others(folder)
    create_app(settings)
    assert read_by_others(folder) == []
    assert _mode(others) == 0o644


def test_a_file_that_is_no_database_keeps_its_mode(tmp_path: Path) -> None:
    other = tmp_path / "passwd"
    other.write_text("root:x:0:0::/root:/bin/sh\n")
    other.chmod(0o644)
    settings = Settings(
        data_dir=tmp_path / "instance", secret_key="of a test", database_url=f"sqlite:///{other}"
    )
    create_app(settings)
    assert _mode(other) == 0o644
    assert other.read_text().startswith("root:")


def test_a_folder_of_somebody_else_stops_no_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "instance").mkdir(mode=0o755)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    with suppress(PermissionError):
        create_app(Settings(data_dir=tmp_path / "instance", secret_key="of a test"))
    assert "owned by another user" in caplog.text


def test_a_copy_is_for_everybody_whom_its_owners_umask_lets(tmp_path: Path) -> None:
    settings = set_up(tmp_path / "instance")
    copy = tmp_path / "copy"
    with (
        umask(0o022),
        serve(PublishedWsgi(PublishedPlane(settings.published_dir))) as url,
        Fetcher() as fetch,
    ):
        mirror_registry(url, copy, fetch)
    modes = {_mode(path) for path in (copy, *copy.rglob("*")) if not path.is_symlink()}
    assert modes == {0o644, 0o755}


@pytest.mark.parametrize("mask", [0o000, 0o077], ids=oct)
def test_the_commands_keep_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mask: int
) -> None:
    folder, exported = tmp_path / "instance", tmp_path / "registry.json"
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(folder))
    with umask(mask), few_names():
        for line in ("init", f"registry export --format json -o {exported}", "check-config"):
            assert main(line.split()) == 0
    assert read_by_others(folder) == []
    assert _mode(exported) == 0o666 & ~mask  # a file of whoever asked for it


@pytest.mark.slow
def test_the_site_and_the_worker_beside_it_keep_to_it(tmp_path: Path) -> None:
    folder, port = tmp_path / "instance", free_port()
    set_up(folder)
    with umask(0o000), serving(port, "--workers", "1", env=environment(folder, port)):
        assert read_by_others(folder) == []
    assert read_by_others(folder) == []
