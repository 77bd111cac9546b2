"""Check that stored editions match their entries in the event log."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from app.services.editions.edition_build import BUILT
from app.services.operations.edition_order import edition_label, editions_by_group
from app.services.operations.event_replay import members_of
from app.services.operations.recovery import RECOVERED
from app.store.editions.edition_digests import digests_until
from app.store.event_log import event_rows
from app.store.tables import Edition, Event

_KEPT = {
    "editions": "editions",
    "records": "records",
    "heads": "the description of the registry",
    "people": "people in references",
}


class ListedEdition(NamedTuple):
    """The manifest of an edition: its SHA-256, date and previous manifest."""

    digest: str
    as_of: str
    previous: str


class EditionBuild(NamedTuple):
    """The entry with the manifest of an edition that was built or recovered.

    ``superseded`` is the manifest that recovery replaced.
    """

    entry: int
    manifest: str
    digests: Mapping[str, str]
    is_taken_back: bool = False
    superseded: str = ""


def broken_chain(
    every: Sequence[Edition], kept: Mapping[int, str], listed: Mapping[int, ListedEdition]
) -> Iterator[str]:
    """Yield the problems of manifests, one sentence each.

    ``kept`` has the SHA-256 of each manifest by the key of its edition, ``listed`` the readable
    manifests. Each manifest names the previous one of its group.
    """
    entries, words = recovered_editions(), {edition.n: edition_label(edition) for edition in every}
    for event in event_rows.of_kind(BUILT):
        edition = int(event.about) if event.about.isdecimal() else 0
        built, other = _built(event), entries.get(edition)
        if other is None:
            entries[edition] = built
        elif other.is_taken_back and not other.superseded and built.entry < other.entry:
            entries[edition] = other._replace(superseded=built.manifest)
        else:
            pair = f"{min(other.entry, event.n)} and {max(other.entry, event.n)}"
            told = words.get(edition, f"edition {edition}")
            yield f"Entries {pair} both record the build of {told[0].lower()}{told[1:]}."
    for edition, built in entries.items():
        if kept.get(edition) != built.manifest:
            what = "changed" if edition in kept else "missing"
            yield (
                f"{words.get(edition, f'Edition {edition}')}: the manifest in entry {built.entry} "
                f"of the event log is {what}."
            )
    for of_group in editions_by_group(every):
        own = {edition.n: listed[edition.n] for edition in of_group if edition.n in listed}
        yield from _unlinked(own, entries, words)
    yield from _changed(entries, words)


def recovered_editions() -> dict[int, EditionBuild]:
    """Return the recovered editions with their manifests, by key."""
    every = ((event.about, _built(event)) for event in event_rows.of_kind(RECOVERED))
    return {
        int(about): built._replace(is_taken_back=True)
        for about, built in every
        if about.isdecimal() and built.manifest
    }


def _built(event: Event) -> EditionBuild:
    manifest = str(members_of(event.body).get("manifest", ""))
    return EditionBuild(event.n, manifest, members_of(event.digests))


def _unlinked(
    listed: Mapping[int, ListedEdition],
    entries: Mapping[int, EditionBuild],
    words: Mapping[int, str],
) -> Iterator[str]:
    by_digest = {built.superseded: n for n, built in entries.items() if built.superseded}
    by_digest |= {one.digest: edition for edition, one in listed.items()}
    numbers = sorted(listed)
    for before, edition in zip([0, *numbers], numbers, strict=False):
        named = listed[edition].previous
        entry = entries.get(edition)
        if not named and (entry is None or entry.is_taken_back):
            continue  # from older software or a folder: no previous manifest
        said = by_digest.get(named, 0)
        if (bool(named) and not said) or said > before:
            yield f"{words[edition]}: its manifest names a previous manifest that is missing."
        elif any(_was_there(n, edition, entries) for n in numbers if said < n < edition):
            last = words[before]
            previous = f"{last[0].lower()}{last[1:]}"
            yield f"{words[edition]}: its manifest doesn't name that of {previous}."


def _was_there(other: int, edition: int, entries: Mapping[int, EditionBuild]) -> bool:
    mine, theirs = entries.get(edition), entries.get(other)
    return mine is not None and theirs is not None and theirs.entry < mine.entry


def _changed(entries: Mapping[int, EditionBuild], words: Mapping[int, str]) -> Iterator[str]:
    now = digests_until(max(entries, default=0))
    told = set[str]()
    for edition, built in sorted(entries.items()):
        for what, digest in built.digests.items():
            if what not in told and now.get(edition, {}).get(what) != digest:
                told.add(what)
                first = words.get(edition, f"Edition {edition}")
                yield (
                    f"{first} or an earlier one: {_KEPT.get(what, what)} were changed, added or "
                    f"removed after entry {built.entry} of the event log."
                )
