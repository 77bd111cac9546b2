"""Follows the names of another registry: what it tells of its feed, and each change after ours."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from app.assigned_names.name_prefixes import ALL_NAMES, NamePart
from app.bundles.copied_changes import BadNameChange
from app.bundles.layout import SHARED
from app.bundles.mirror import LARGEST_LIST, Fetch, MirrorSourceError
from app.bundles.name_copies import NAMES_FOLDER, NameCopyWriter
from app.bundles.source_checks import UNDER, read_feed, read_source_change

__all__ = ["CHANGES_PATH", "FEED_PATH", "UNDER", "mirror_names", "under_query"]

FEED_PATH, CHANGES_PATH = "/names/feed", "/names/changes"
_LINES = 5_000  # that are asked for at once, and come unless they are long
# In a row, of a part: each passes over tens of thousands of changes of other names.
_MOST_EMPTY = 2_000
# What software from before there was a feed answers there.
_ABSENT = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


def mirror_names(
    source_url: str, folder: Path, fetch: Fetch, under: NamePart = ALL_NAMES
) -> int | None:
    """Bring the copy of names below a folder up to date with a registry; give its last change.

    ``under`` is what of all names is wanted. None where the registry has no feed of names. A run
    that is interrupted goes on where it was, and a feed that is not the one from before is copied
    anew, as is another part. Raises MirrorSourceError where the registry does not give what it
    should, or has a part of the names that is wanted, and what ``fetch`` raises; what was copied
    then stays.
    """
    site = source_url.rstrip("/")
    told = _content(site + FEED_PATH, fetch)
    if told is None:
        return None
    try:
        feed, end, there, of_prefixes = read_feed(told)
    except ValueError as error:
        raise MirrorSourceError(f"{site}{FEED_PATH} has no valid feed: {error}") from error
    if there is not None and not under.is_within(there):
        raise MirrorSourceError(_lacking(site, there))
    # software that knows of no parts gives all names, of which ours are taken here
    asked = "" if there is None else under_query(under)
    part = under if under.is_whole else NamePart(under.beginnings, site)
    copy = NameCopyWriter(folder / NAMES_FOLDER, SHARED, part=part)
    try:
        last = copy.follow(lambda after: _changes(site, after, end, asked, fetch), feed=feed)
        copy.keep_told(of_prefixes)
        return last
    except BadNameChange as error:
        raise MirrorSourceError(f"{site}{CHANGES_PATH} has an invalid change: {error}") from error


def _lacking(site: str, there: NamePart) -> str:
    return f"{site} has {there.extent}. Use --under to copy only these, or choose another site."


def under_query(under: NamePart) -> str:
    """How the changes of a part are asked for, behind other members of a question.

    Source: docs/resolving.md.
    """
    return "".join(f"&{UNDER}={quote(one, safe='')}" for one in under.beginnings)


def _changes(
    site: str, after: int, end: int, asked: str, fetch: Fetch
) -> Iterator[Mapping[str, Any]]:
    empty = 0  # answers in a row that tell no name
    while after < end:
        address = f"{site}{CHANGES_PATH}?after={after}&limit={_LINES}{asked}"
        lines = _lines(address, fetch)
        tells = False
        for change in map(read_source_change, lines):
            after = change["change"]
            if after > end:
                return
            tells = tells or "name" in change
            yield change
        empty = 0 if tells else empty + 1
        if not lines:
            return
        if empty > _MOST_EMPTY:
            raise MirrorSourceError(f"{address} repeats without new changes.")


def _lines(address: str, fetch: Fetch) -> list[bytes]:
    content = _content(address, fetch)
    if content is None:
        raise MirrorSourceError(f"{address} lacks changes that its feed lists.")
    if content.count(b"\n") > _LINES + 1:  # the last of which may tell how far that is
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
