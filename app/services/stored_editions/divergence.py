"""Whether a folder and the database tell one story: the same content under the same numbers.

A database that was put back from an older backup lacks what was published since, and would
give names and numbers a second time. What is published stands, so that everything which opens
an edition waits until what is missing has been taken back.
"""

import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from flask import current_app

from app.bundles.layout import current_files, edition_laid_out, editions_laid_out
from app.exports.manifests.bundle_files import BadManifest, BundleFile, DigestMismatch
from app.exports.manifests.bundle_paths import CURRENT, edition_path, find_edition
from app.exports.manifests.manifest import parse_as_of
from app.problems import use_case_codes
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.services.refusals import Refusal
from app.services.stored_editions.stored_files import files_of_below, list_of, own_path
from app.store.database import read_transaction, transaction
from app.store.edition_groups import group_at
from app.store.editions import divergent_folders, edition_rows
from app.store.registry import record_versions as names

FOLDER = "PUBLISHED_FOLDER"  # of the application
_WAY_OUT = (
    "Nothing is registered or published until you recover the missing editions: run "
    "`urn-registry recover`."
)
_NO_REQUESTS = "Until then, requests can't be started or submitted either. Your text is kept."
_MOST_HELD, _MOST_TOLD = 4_096, 64

_log = logging.getLogger(__name__)


class DivergenceRefusal(Refusal):
    """Editions were published that the database does not know, so that none is opened."""


@dataclass(frozen=True, slots=True)
class FolderDivergence:
    """The newest edition that a folder holds and the database lacks or tells otherwise."""

    edition: int
    why: str


def find_divergence(
    published: Path, group: RegistryGroup, *, every: bool = False
) -> FolderDivergence | None:
    """What of a group's editions on a host the database lacks or tells otherwise; None for nothing.

    Only the newest edition that both have is compared, unless ``every`` one is asked for. A
    damaged list is no other story: it is mended.
    """
    folder = published / group.folder
    laid = editions_laid_out(folder)
    newest = max([*laid, _current(folder) or 0])
    with read_transaction():
        keys = edition_rows.keys_of(group)
        known = max(keys, default=0)
        if newest > known:
            return FolderDivergence(newest, _lacking(folder, newest, known))
        common = sorted(number for number in laid if number <= known)
        asked = common if every else common[-1:]
        other = [number for number in asked if not _is_one_story(folder, number, keys[number])]
    return FolderDivergence(other[-1], _other(folder, other)) if other else None


def editions_in_question(
    folder: Path, group: RegistryGroup
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    laid, keys = sorted(editions_laid_out(folder)), edition_rows.keys_of(group)
    common = [number for number in laid if number in keys]
    other = tuple(n for n in common if not _is_one_story(folder, n, keys[n]))
    return other, tuple(number for number in laid if number not in keys)


def watch(published: Path, at: datetime) -> FolderDivergence | None:
    """Find a divergence of any group and note it for all who use this database."""
    found = [_watched(published, group, at) for group in GROUPS.values()]
    return next((one for one in found if one is not None), None)


def _watched(published: Path, group: RegistryGroup, at: datetime) -> FolderDivergence | None:
    found, host = find_divergence(published, group), _host(published / group.folder)
    why = found.why if found else ""
    with read_transaction():
        noted = divergent_folders.noted_of(host)
    if noted != why:
        with transaction():
            if found is None:
                divergent_folders.forget(host)
            else:
                divergent_folders.note(host, found.edition, why, at)
    _teller_of(host)(why)
    return found


@lru_cache(maxsize=_MOST_TOLD)
def _teller_of(_host: str) -> Callable[[str], None]:
    return lru_cache(maxsize=1)(_tell)


def _tell(why: str) -> None:
    if why:
        _log.error("%s", why)


def noted_divergence() -> str:
    found = divergent_folders.find()
    return found.why if found else ""


def is_noted() -> bool:
    with read_transaction():
        return bool(noted_divergence())


def refuse_divergence(edition: int) -> None:
    """Raise DivergenceRefusal where this edition, opened just now, would give a number twice."""
    why = noted_divergence()
    published = current_app.config.get(FOLDER)
    if not why and published is not None:
        folder = published / group_at(edition).folder
        number = edition_rows.get_edition(edition).number
        stands = max(_current(folder) or 0, number if _is_laid_out(folder, number) else 0)
        why = _lacking(folder, stands, number - 1) if stands >= number else ""
    if why:
        raise DivergenceRefusal(use_case_codes.REGISTRATION_STOPPED, why)


def refuse_new_requests() -> None:
    """Raise DivergenceRefusal where a request, numbered now, may have the number of a lost one.

    What was published of requests that the database lost is taken back with their numbers. It is
    asked as ``refuse_divergence`` does, of every group, since requests of all are numbered alike.
    """
    why = noted_divergence()
    published = current_app.config.get(FOLDER)
    if not why and published is not None:
        why = next(filter(None, (_ahead(published, group) for group in GROUPS.values())), "")
    if why:
        raise DivergenceRefusal(use_case_codes.REGISTRATION_STOPPED, f"{why} {_NO_REQUESTS}")


def _ahead(published: Path, group: RegistryGroup) -> str:
    folder = published / group.folder
    stands = _current(folder) or 0
    latest = edition_rows.latest_edition(group) if stands else None
    known = latest.number if latest else 0
    return _lacking(folder, stands, known) if stands > known else ""


def _host(folder: Path) -> str:
    return f"{socket.gethostname()}:{folder.absolute()}"


def _current(folder: Path) -> int | None:
    try:
        return find_edition(str((folder / CURRENT).readlink()))
    except OSError:
        return None


def _is_laid_out(folder: Path, edition: int) -> bool:
    return (folder / edition_path(edition)).is_symlink()


def _lacking(folder: Path, there: int, known: int) -> str:
    newest = f"The newest one in the database is {known}" if known else "The database has none"
    return (
        f"Edition {there} is published in {folder} on {socket.gethostname()}. {newest}; an older "
        f"backup may have been restored. {_WAY_OUT}"
    )


def _other(folder: Path, numbers: list[int]) -> str:
    listed = ", ".join(map(str, numbers[:10]))
    return (
        f"Edition {listed} in {folder} on {socket.gethostname()} differs from the database; an "
        f"older backup may have been restored. {_WAY_OUT}"
    )


def _is_one_story(folder: Path, number: int, edition: int) -> bool:
    try:
        target = (folder / edition_path(number)).readlink().name
    except OSError:
        return True  # what is missing is mended
    try:
        digest = edition_rows.manifest_digest(edition)
    except KeyError:
        return _is_of_moment(folder, number, edition)
    try:
        return _is_same(names.database_name(), folder, edition, digest, target)
    except (OSError, BadManifest, DigestMismatch):
        return True


def _is_of_moment(folder: Path, number: int, edition: int) -> bool:
    try:
        published = edition_laid_out(folder, number)
    except (OSError, BadManifest, DigestMismatch):
        return True
    return parse_as_of(published.as_of) == edition_rows.get_edition(edition).as_of


@lru_cache(maxsize=_MOST_HELD)
def _is_same(_database: str, folder: Path, edition: int, _digest: str, _target: str) -> bool:
    published = edition_laid_out(folder, edition_rows.get_edition(edition).number)
    own = own_path(edition)
    if parse_as_of(published.as_of) != parse_as_of(list_of(edition).as_of):
        return False
    there = _digests_below(own, current_files(folder, published))
    here = _digests_below(own, files_of_below(edition, own))
    return all(here.get(path, digest) == digest for path, digest in there.items())


def _digests_below(path: str, files: Iterable[BundleFile]) -> Mapping[str, str]:
    return {file.path: file.sha256 for file in files if file.path.startswith(path)}
