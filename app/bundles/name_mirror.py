"""Follows the names of another registry: what it tells of its feed, and each change after ours."""

import json
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

from app.assigned_names.name_parts import ALL_NAMES, NamePart
from app.assigned_names.prefix_statements import prefix_statement_from, prefix_statement_to
from app.bundles.copied_changes import BadNameChange
from app.bundles.layout import SHARED
from app.bundles.mirror import LARGEST_LIST, Fetch, MirrorSourceError
from app.bundles.name_copies import MASKS, NAMES_FOLDER, STATEMENTS, NameCopyWriter

__all__ = ["CHANGES_PATH", "FEED_PATH", "UNDER", "mirror_names", "under_query"]

FEED_PATH, CHANGES_PATH = "/names/feed", "/names/changes"
UNDER = "under"  # what the names begin with that a feed has, or that are asked for
_LINES = 5_000  # that are asked for at once, and come unless they are long
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
        document = json.loads(told)
        feed, of_prefixes = str(document["feed"]), _told_of_prefixes(document)
        there = _part_of(document)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MirrorSourceError(f"{site}{FEED_PATH} tells of no feed: {error}.") from error
    if there is not None and not under.is_within(there):
        raise MirrorSourceError(_lacking(site, there))
    # software that knows of no parts gives all names, of which ours are taken here
    asked = "" if there is None else under_query(under)
    part = under if under.is_whole else NamePart(under.beginnings, site)
    copy = NameCopyWriter(folder / NAMES_FOLDER, SHARED, part=part)
    try:
        last = copy.follow(lambda after: _changes(site, after, asked, fetch), feed=feed)
        copy.keep_told(of_prefixes)
        return last
    except BadNameChange as error:
        raise MirrorSourceError(f"{site}{CHANGES_PATH} has what is no change: {error}") from error


def _part_of(document: Mapping[str, Any]) -> NamePart | None:
    """What a feed has of all names; None where it does not say so. Raises TypeError."""
    return NamePart(tuple(map(str, document[UNDER]))) if UNDER in document else None


def _lacking(site: str, there: NamePart) -> str:
    return (
        f"{site} has {there.extent}. Take no others from it, by --under, or follow a site that has "
        "all."
    )


def under_query(under: NamePart) -> str:
    """How the changes of a part are asked for, behind other members of a question.

    Source: docs/resolving.md.
    """
    return "".join(f"&{UNDER}={quote(one, safe='')}" for one in under.beginnings)


def _changes(site: str, after: int, asked: str, fetch: Fetch) -> Iterator[Mapping[str, Any]]:
    """The changes after one, until there are no more: there come fewer at once where they are
    long."""
    while True:
        address = f"{site}{CHANGES_PATH}?after={after}&limit={_LINES}{asked}"
        content = _content(address, fetch)
        if content is None:
            raise MirrorSourceError(f"{address} has no changes, which its feed tells of.")
        lines = content.splitlines()
        for line in lines:
            change = _read(line, address)
            after = change["change"]
            yield change
        if not lines:
            return


def _read(line: bytes, address: str) -> Mapping[str, Any]:
    try:
        change = json.loads(line)
        if type(change["change"]) is int:
            return dict(change)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise MirrorSourceError(f"{address} has a line that is no change of a name.")


def _content(address: str, fetch: Fetch) -> bytes | None:
    """What is at an address; None where nothing is."""
    pieces: list[bytes] = []
    status = fetch(address, pieces.append, LARGEST_LIST)
    if status in _ABSENT:
        return None
    if status != HTTPStatus.OK:
        raise MirrorSourceError(f"{address} is answered with {status}.")
    return b"".join(pieces)


def _told_of_prefixes(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What a feed tells of prefixes, which an older one does not. Raises AttributeError."""
    masks, said = document.get(MASKS, {}), document.get(STATEMENTS, {})
    statements = (prefix_statement_from(prefix, of) for prefix, of in said.items())
    return {
        MASKS: {prefix: str(mask) for prefix, mask in masks.items()},
        STATEMENTS: {one.prefix: prefix_statement_to(one) for one in statements},
    }
