"""Two lists of documents, each with a key, and the least that makes one of the other.

A document that is new or stands in another place says which one it comes after, so that an
order that was put by hand is kept.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Document = dict[str, Any]
Keyed = Mapping[str, Document]  # in the order of the list


class ListDifferenceMismatch(ValueError):
    """A difference that was made from another list; ``key`` is the document that is amiss."""

    def __init__(self, key: object) -> None:
        super().__init__(f"`{key}` does not fit what is there.")
        self.key = key


def list_difference(before: Keyed, after: Keyed) -> Document:
    """What is removed, changed, moved and added; a member with nothing in it is left out."""
    staying = _staying(before, after)
    coming = [pair for pair in zip(after, (None, *after), strict=False) if pair[0] not in staying]
    members = {
        "removed": [key for key in before if key not in after],
        "changed": [after[key] for key in after if key in before and before[key] != after[key]],
        "moved": [{"key": key, "after": last} for key, last in coming if key in before],
        "added": [{"record": after[k], "after": last} for k, last in coming if k not in before],
    }
    return {name: entries for name, entries in members.items() if entries}


def apply_difference(
    before: Keyed, change: Mapping[str, Any], key_of: Callable[[Document], str]
) -> list[Document]:
    """The list that a difference leads to; DoesNotFit if it was made from another one."""
    documents = dict(before)
    for key in change.get("removed", ()):
        _take(documents, key)
    for document in change.get("changed", ()):
        key = key_of(document)
        if key not in documents:
            raise ListDifferenceMismatch(key)
        documents[key] = document
    coming: dict[str | None, Document] = {}
    for entry in change.get("moved", ()):
        _arrive(coming, entry["after"], _take(documents, entry["key"]))
    for entry in change.get("added", ()):
        _arrive(coming, entry["after"], entry["record"])
    placed = list(_placed(documents, coming, key_of))
    if coming:
        raise ListDifferenceMismatch(next(iter(coming)))
    return placed


def _placed(
    staying: Keyed, coming: dict[str | None, Document], key_of: Callable[[Document], str]
) -> Iterator[Document]:
    """Each document that stays, followed by those that come after it, which are used up."""
    yield from _following(None, coming, key_of)
    for key, document in staying.items():
        yield document
        yield from _following(key, coming, key_of)


def _following(
    last: str | None, coming: dict[str | None, Document], key_of: Callable[[Document], str]
) -> Iterator[Document]:
    while last in coming:
        document = coming.pop(last)
        yield document
        last = key_of(document)


def _arrive(coming: dict[str | None, Document], after: str | None, document: Document) -> None:
    if after in coming:
        raise ListDifferenceMismatch(after)
    coming[after] = document


def _take(documents: dict[str, Document], key: str) -> Document:
    if key not in documents:
        raise ListDifferenceMismatch(key)
    return documents.pop(key)


def _staying(before: Keyed, after: Keyed) -> frozenset[str]:
    """The most keys that stand in both lists in one order."""
    place = {key: n for n, key in enumerate(before)}
    common = [key for key in after if key in place]
    ends: list[int] = []  # the last place of the best run of each length
    last: list[str] = []
    earlier: dict[str, str | None] = {}
    for key in common:
        length = bisect_left(ends, place[key])
        earlier[key] = last[length - 1] if length else None
        ends[length : length + 1] = [place[key]]
        last[length : length + 1] = [key]
    return frozenset(_run(last[-1] if last else None, earlier))


def _run(key: str | None, earlier: Mapping[str, str | None]) -> Iterator[str]:
    while key is not None:
        yield key
        key = earlier[key]
