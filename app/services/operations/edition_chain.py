"""Whether what is kept of editions is what their entries in the record say."""

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
    "editions": "the editions themselves",
    "records": "records of names",
    "heads": "what the registry says of itself",
    "people": "people whom references name",
}


class ListedEdition(NamedTuple):
    """The list of an edition's files as it was read: its SHA-256, and what it names."""

    digest: str
    as_of: str
    previous: str


class EditionBuild(NamedTuple):
    """The entry that says with which list an edition was built, or taken back.

    ``superseded`` is the list that the database had made itself where another one stands.
    """

    entry: int
    manifest: str
    digests: Mapping[str, str]
    is_taken_back: bool = False
    superseded: str = ""


def broken_chain(
    every: Sequence[Edition], kept: Mapping[int, str], listed: Mapping[int, ListedEdition]
) -> Iterator[str]:
    """What is wrong with the lists of editions and all that stands in them, a sentence each.

    ``kept`` are the SHA-256s of the lists by the key of their edition, ``listed`` those that could
    be read. Each list names the one before it in its group.
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
            yield f"Entries {pair} both say that {told[0].lower()}{told[1:]} is built."
    for edition, built in entries.items():
        if kept.get(edition) != built.manifest:
            what = "another one is kept" if edition in kept else "none is kept"
            yield (
                f"{words.get(edition, f'Edition {edition}')}: entry {built.entry} of the record "
                "names the list of its "
                f"files, and {what}."
            )
    for of_group in editions_by_group(every):
        own = {edition.n: listed[edition.n] for edition in of_group if edition.n in listed}
        yield from _unlinked(own, entries, words)
    yield from _changed(entries, words)


def recovered_editions() -> dict[int, EditionBuild]:
    """The editions that were taken back with the lists that were published, by number."""
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
    """Each list names that of the newest edition that was built before it."""
    by_digest = {built.superseded: n for n, built in entries.items() if built.superseded}
    by_digest |= {one.digest: edition for edition, one in listed.items()}
    numbers = sorted(listed)
    for before, edition in zip([0, *numbers], numbers, strict=False):
        named = listed[edition].previous
        entry = entries.get(edition)
        if not named and (entry is None or entry.is_taken_back):
            continue  # older software built it, or a folder kept it, which names none
        said = by_digest.get(named, 0)
        if (bool(named) and not said) or said > before:
            yield f"{words[edition]}: its list names one before it that is not kept."
        elif any(_was_there(n, edition, entries) for n in numbers if said < n < edition):
            last = words[before]
            yield f"{words[edition]}: its list does not name that of {last[0].lower()}{last[1:]}."


def _was_there(other: int, edition: int, entries: Mapping[int, EditionBuild]) -> bool:
    """Whether another was built before an edition; of older software’s nobody knows."""
    mine, theirs = entries.get(edition), entries.get(other)
    return mine is not None and theirs is not None and theirs.entry < mine.entry


def _changed(entries: Mapping[int, EditionBuild], words: Mapping[int, str]) -> Iterator[str]:
    """What was kept when an edition was built is kept still; the first of each that is not."""
    now = digests_until(max(entries, default=0))
    told = set[str]()
    for edition, built in sorted(entries.items()):
        for what, digest in built.digests.items():
            if what not in told and now.get(edition, {}).get(what) != digest:
                told.add(what)
                first = words.get(edition, f"Edition {edition}")
                yield (
                    f"{first}, or one before it: of {_KEPT.get(what, what)} something "
                    f"was changed, put in or taken out since entry {built.entry} of the record."
                )
