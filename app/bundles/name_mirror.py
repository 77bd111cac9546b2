"""Follows the names of another registry: what it tells of its feed, and each change after ours."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from app.bundles.copied_changes import BadNameChange
from app.bundles.layout import SHARED
from app.bundles.mirror import LARGEST_LIST, Fetch, MirrorSourceError
from app.bundles.name_copies import NAMES_FOLDER, NameCopyWriter
from app.bundles.source_checks import read_feed, read_source_change

__all__ = ["CHANGES_PATH", "FEED_PATH", "mirror_names"]

FEED_PATH, CHANGES_PATH = "/names/feed", "/names/changes"
_LINES = 5_000  # that are asked for at once, and come unless they are long
# What software from before there was a feed answers there.
_ABSENT = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


def mirror_names(source_url: str, folder: Path, fetch: Fetch) -> int | None:
    """Bring the copy of names below a folder up to date with a registry; give its last change.

    None if the registry has no feed of names. A run that is interrupted goes on where it was, and
    a feed that is not the one from before is copied again. Raises MirrorSourceError if the registry
    doesn't give what it should, and what ``fetch`` raises; what was copied then stays.
    """
    site = source_url.rstrip("/")
    told = _content(site + FEED_PATH, fetch)
    if told is None:
        return None
    try:
        feed, end, of_prefixes = read_feed(told)
    except ValueError as error:
        raise MirrorSourceError(f"{site}{FEED_PATH} has no valid feed: {error}") from error
    copy = NameCopyWriter(folder / NAMES_FOLDER, SHARED)
    try:
        last = copy.follow(lambda after: _changes(site, after, end, fetch), feed=feed)
        copy.keep_told(of_prefixes)
        return last
    except BadNameChange as error:
        raise MirrorSourceError(f"{site}{CHANGES_PATH} has an invalid change: {error}") from error


def _changes(site: str, after: int, end: int, fetch: Fetch) -> Iterator[Mapping[str, Any]]:
    """The changes after one, up to the last that the feed told before: what comes meanwhile is for
    the next run. There come fewer at once where they are long."""
    while after < end:
        lines = _lines(f"{site}{CHANGES_PATH}?after={after}&limit={_LINES}", fetch)
        for change in map(read_source_change, lines):
            after = change["change"]
            if after > end:
                return
            yield change
        if not lines:
            return


def _lines(address: str, fetch: Fetch) -> list[bytes]:
    content = _content(address, fetch)
    if content is None:
        raise MirrorSourceError(f"{address} lacks changes that its feed lists.")
    if content.count(b"\n") > _LINES:
        raise MirrorSourceError(f"{address} has more lines than requested.")
    return content.removesuffix(b"\n").split(b"\n") if content else []


def _content(address: str, fetch: Fetch) -> bytes | None:
    pieces: list[bytes] = []
    status = fetch(address, pieces.append, LARGEST_LIST)
    if status in _ABSENT:
        return None
    if status != HTTPStatus.OK:
        raise MirrorSourceError(f"{address} returned status {status}.")
    return b"".join(pieces)
