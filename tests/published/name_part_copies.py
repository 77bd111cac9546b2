"""Copies of parts of all names, for tests."""

from pathlib import Path
from typing import Any

from app.assigned_names.name_prefixes import ALL_NAMES, NamePart, read_part
from app.bundles.name_copies import MASKS, NAMES_FOLDER, NameCopyWriter
from app.published.names.name_copy_reader import NameCopyReader
from tests.published.bound_names import RECORDS, ListedFeed, changes_of

ALL = "https://all.example"
OF_ARKS = read_part(["ark:12345/x5"], ALL)
TOLD: dict[str, dict[str, Any]] = {
    MASKS: {"ark:12345/x": "", "ark:12345/x5": "reedeedk", "urn:lead:": "", "urn:spelled:": ""}
}


def copy_part(
    folder: Path,
    part: NamePart = ALL_NAMES,
    feed: ListedFeed | None = None,
    told: dict[str, dict[str, Any]] = TOLD,
) -> NameCopyWriter:
    """A copy of a part of all names below what is served from a folder."""
    writer = NameCopyWriter(folder / NAMES_FOLDER, part=part)
    writer.follow((feed or ListedFeed(changes_of(RECORDS))).after)
    writer.keep_told(told)
    return writer


def names_in(folder: Path) -> set[str]:
    """The names that a copy has."""
    reader = NameCopyReader(folder)
    reader.version()
    return {one.name for one in reader.changes(0, 1_000)}
