"""Whether what is kept of editions is what their entries in the record say."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from app.services.event_replay import members_of
from app.services.publishing import BUILT
from app.store import events
from app.store.edition_digests import digests_until

_KEPT = {
    "editions": "the editions themselves",
    "records": "records of names",
    "heads": "what the registry says of itself",
    "people": "people whom references name",
}


class Listed(NamedTuple):
    """The list of an edition's files as it was read: its SHA-256, and what it names."""

    digest: str
    as_of: str
    previous: str


class Built(NamedTuple):
    """The entry that says with which list an edition was built."""

    entry: int
    manifest: str
    digests: Mapping[str, str]


def broken_chain(kept: Mapping[int, str], listed: Mapping[int, Listed]) -> Iterator[str]:
    """What is wrong with the lists of editions and all that stands in them, a sentence each.

    ``kept`` are the SHA-256s of the lists by edition, ``listed`` those that could be read.
    """
    entries: dict[int, Built] = {}
    for event in events.of_kind(BUILT):
        edition = int(event.about) if event.about.isdecimal() else 0
        if edition in entries:
            first = entries[edition].entry
            yield f"Entries {first} and {event.n} both say that edition {edition} is built."
        manifest = str(members_of(event.body).get("manifest", ""))
        entries[edition] = Built(event.n, manifest, members_of(event.digests))
    for edition, built in entries.items():
        if kept.get(edition) != built.manifest:
            what = "another one is kept" if edition in kept else "none is kept"
            yield (
                f"Edition {edition}: entry {built.entry} of the record names the list of its "
                f"files, and {what}."
            )
    yield from _unlinked(listed, entries)
    yield from _changed(entries)


def _unlinked(listed: Mapping[int, Listed], entries: Mapping[int, Built]) -> Iterator[str]:
    """Each list names that of the newest edition that was built before it."""
    by_digest = {one.digest: edition for edition, one in listed.items()}
    numbers = sorted(listed)
    for before, edition in zip([0, *numbers], numbers, strict=False):
        named = listed[edition].previous
        if not named and edition not in entries:
            continue  # older software built it
        said = by_digest.get(named, 0)
        if (bool(named) and not said) or said > before:
            yield f"Edition {edition}: its list names one before it that is not kept."
        elif any(_was_there(n, edition, entries) for n in numbers if said < n < edition):
            yield f"Edition {edition}: its list does not name that of edition {before}."


def _was_there(other: int, edition: int, entries: Mapping[int, Built]) -> bool:
    """Whether another was built before an edition; of older software’s nobody knows."""
    mine, theirs = entries.get(edition), entries.get(other)
    return mine is not None and theirs is not None and theirs.entry < mine.entry


def _changed(entries: Mapping[int, Built]) -> Iterator[str]:
    """What was kept when an edition was built is kept still; the first of each that is not."""
    now = digests_until(max(entries, default=0))
    told = set[str]()
    for edition, built in sorted(entries.items()):
        for what, digest in built.digests.items():
            if what not in told and now.get(edition, {}).get(what) != digest:
                told.add(what)
                yield (
                    f"Edition {edition}, or one before it: of {_KEPT.get(what, what)} something "
                    f"was changed, put in or taken out since entry {built.entry} of the record."
                )
