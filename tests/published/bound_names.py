"""Bound names of nobody, for tests: one for each way that a name can go, as a feed has them."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
    assigned_name_to,
)
from app.bundles.name_copies import NAMES_FOLDER, NameCopyWriter

Change = Mapping[str, Any]
MOVED = 50  # names that move together

RECORDS = (
    AssignedNameRecord(
        name="ark:12345/x5abc",
        target="https://repo.example/items/1",
        elements=(
            ("who", "Gauß, Carl Friedrich"),
            ("what", "Disquisitiones <arithmeticae>"),
            ("when", "1801"),
            ("how", "(:text)"),
        ),
        persistence="Kept for as long as the library is.",
    ),
    AssignedNameRecord(name="ark:12345/x5see", target="https://repo.example/see", redirect=303),
    AssignedNameRecord(name="ark:12345/x5keep", target="https://repo.example/keep", redirect=307),
    AssignedNameRecord(name="ark:12345/x5abc/p2", target="https://repo.example/page-two"),
    AssignedNameRecord(name="ark:12345/x5any", target="https://any.example", extends_anywhere=True),
    AssignedNameRecord(name="ark:12345/x5none", elements=(("what", "A thing without a place"),)),
    AssignedNameRecord(name="ark:12345/x5own", target="https://site.example/items/1"),
    AssignedNameRecord(name="ark:12345/x5query", target="https://repo.example/?id=7#top"),
    AssignedNameRecord(
        name="ark:12345/x5kept",
        state=AssignedNameState.RESERVED,
        target="https://secret.example/",
        elements=(("what", "A secret"),),
    ),
    AssignedNameRecord(
        name="ark:12345/x5gone",
        state=AssignedNameState.WITHDRAWN,
        redirect=307,
        target="https://was.example/",
        reason="It was given to the wrong thing.",
        since="2026-02-03",
        successor="ark:12345/x5abc",
    ),
    # shorter than a shoulder of the NAAN, which has what follows it
    AssignedNameRecord(name="ark:12345/x", target="https://x.example/", extends_anywhere=True),
    AssignedNameRecord(name="urn:lead:bound:1", target="https://imo.example/1"),
    AssignedNameRecord(
        name="urn:lead:more:", target="https://more.example/", extends_anywhere=True
    ),
    # of a namespace that does not declare that its names are extended
    AssignedNameRecord(name="urn:query:q", target="https://q.example/", extends_anywhere=True),
    AssignedNameRecord(
        name="urn:lead:gone",
        state=AssignedNameState.WITHDRAWN,
        reason="No more",
        since="2026-01-09",
    ),
    AssignedNameRecord(name="urn:lead:kept", state=AssignedNameState.RESERVED),
    AssignedNameRecord(name="urn:spelled:ab12", target="https://bound.example/ab12"),
    AssignedNameRecord(name="urn:nosuch:a", target="https://nosuch.example/"),
)


def changes_of(records: Iterable[AssignedNameRecord], first: int = 1) -> list[Change]:
    """A change for each of these, in order."""
    numbered = enumerate(records, first)
    return [{"change": number, **assigned_name_to(one)} for number, one in numbered]


class ListedFeed:
    """A feed of changes that a test adds to; ``asked`` is after which it was asked."""

    def __init__(self, changes: Iterable[Change] = ()) -> None:
        self.changes, self.asked = list(changes), list[int]()

    def after(self, number: int) -> Iterator[Change]:
        """The changes after one."""
        self.asked.append(number)
        return (one for one in self.changes if one["change"] > number)

    def add(self, *records: AssignedNameRecord) -> None:
        """Another change for each of these."""
        last = self.changes[-1]["change"] if self.changes else 0
        self.changes += changes_of(records, last + 1)


def copy_names(folder: Path, records: Iterable[AssignedNameRecord] = RECORDS) -> ListedFeed:
    """A copy of these names below what is served from a folder; gives the feed it came from."""
    feed = ListedFeed(changes_of(records))
    NameCopyWriter(folder / NAMES_FOLDER).follow(feed.after)
    return feed


def move_names_for_ever(folder: Path) -> None:
    """Move names together, batch by batch, and make their copy anew now and then."""
    number, names = 0, [f"ark:12345/x5{at:02}" for at in range(MOVED)]

    def changes(last: int) -> Iterator[Change]:
        target = f"https://at.example/{number}"
        return iter(
            changes_of([AssignedNameRecord(name=n, target=target) for n in names], last + 1)
        )

    writer = NameCopyWriter(folder)
    while True:
        number += 1
        writer.follow(changes, feed=str(number // 7))
