"""NAANs and shoulders as they stand on file <-> as the registry keeps every name.

Each fact has a field of its own. What a field cannot say is kept in ``on_file``: that a fact is
empty where it is usually absent, characters that XML does not take, and values that were not read.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registries import Registry
from app.registration.naans.naan_answers import FIELD_OF, ON_FILE
from app.registration.naans.naan_names import fold_naan_name
from app.registration.naans.naan_records import (
    NaanFile,
    NaanRecord,
    NaanRow,
    ShoulderRecord,
    UnreadValue,
)
from app.registration.records.registry_records import Registration, RegistrySnapshot

__all__ = [
    "file_head_of",
    "file_order_of",
    "head_differences",
    "naan_facts_of",
    "naan_file_of",
    "naan_row_of",
    "own_facts_of",
    "registration_of",
    "registry_of",
    "with_own_facts",
]

_ENTRIES = "/data/"  # below which the entries of a file have their places
_OWN_FACTS = ("shoulder_label", "mask", "target_status", "target_spelling")
_UNFIT = re.compile("[\0-\x1f\x7f-\x9f\ufffe\uffff]")


def registry_of(row: NaanRow) -> Registry:
    """The registry in which a record stands."""
    return SHOULDERS if isinstance(row, ShoulderRecord) else NAANS


def registration_of(row: NaanRow) -> Registration:
    """A record on file as the registry keeps it; ``naan_row_of`` gives the same one back."""
    registry = registry_of(row)
    texts = _texts(row)
    plain = Registration(
        name=row.name,
        date=row.day or None,
        contact=(),
        fields=registry.public_texts(texts),
        space=registry.space,
    )
    rest = dict(_differences(row, naan_row_of(plain)))
    if not rest:
        return plain
    kept = texts | {ON_FILE: json.dumps(rest, sort_keys=True)}
    return replace(plain, fields=registry.public_texts(kept))


def with_own_facts(record: Registration, here: Registration | None) -> Registration:
    """A record of a file beside what stands here: what no file has a place for is kept from there.

    Such are the label and the mask of a shoulder, whether a name is in use and what follows it,
    and whom it names.
    """
    if here is None:
        return record
    told = {*FIELD_OF.values(), ON_FILE}
    own = {name: text for name, text in here.fields if name not in told}
    registry = SHOULDERS if record.space is SHOULDERS.space else NAANS
    said = registry.public_texts(own | dict(record.fields))
    kept = replace(here, name=record.name, date=record.date, fields=said)
    return kept if kept == here else replace(kept, updated=record.updated)


def own_facts_of(record: Registration) -> Iterator[tuple[str, str]]:
    """What a NAAN or a shoulder says beside its holder, policy and target: labels and words."""
    said = dict(record.fields)
    for name in _OWN_FACTS:
        field = SHOULDERS.named[name]
        if text := said.get(name, ""):
            yield field.label, field.worded(text)


def _texts(row: NaanRow) -> dict[str, str]:
    said = ((name, getattr(row, fact, None)) for fact, name in FIELD_OF.items())
    return {name: str(value) for name, value in said if value and not _UNFIT.search(str(value))}


def _differences(row: NaanRow, read: NaanRow) -> Iterator[tuple[str, Any]]:
    for one in fields(row):
        said = getattr(row, one.name)
        if one.name == "unread":
            if said:
                yield one.name, [[each.place, each.text, each.read_as] for each in said]
        elif said != getattr(read, one.name):
            yield one.name, said


def naan_row_of(record: Registration) -> NaanRow:
    """The facts of a NAAN or a shoulder that the registry keeps.

    Raises ValueError for a record whose fields were not made by ``registration_of``.
    """
    texts = dict(record.fields)
    naan, slash, shoulder = record.name.partition("/")
    kind = ShoulderRecord if slash else NaanRecord
    known = {one.name for one in fields(kind)}
    said: dict[str, Any] = {
        fact: texts[name] for fact, name in FIELD_OF.items() if fact in known and name in texts
    }
    if "status" in said:
        said["status"] = int(said["status"])
    # where nothing is told, a record says what is usual: no kind, no policy, no purpose
    absent = {fact: "" for fact in ("kind", "policy", "purpose") if fact in known}
    rest: dict[str, Any] = json.loads(texts.get(ON_FILE, "{}"))
    own = {"naan": naan} | ({"shoulder": shoulder} if slash else {})
    try:
        if "unread" in rest:
            rest["unread"] = tuple(UnreadValue(*one) for one in rest["unread"])
        return kind(**(own | absent | said | rest))
    except TypeError as error:
        raise ValueError(f"`{record.name}` is not a NAAN record: {error}.") from None


def naan_facts_of(record: Registration) -> NaanRow:
    """The facts of a NAAN or a shoulder, whatever people entered.

    Where that is what no file has, they are who holds it, by which names, and where that is.
    """
    try:
        return naan_row_of(record)
    except ValueError:
        texts = dict(record.fields)
        naan, slash, shoulder = record.name.partition("/")
        own = {"shoulder": shoulder} if slash else {}
        kind: type[Any] = ShoulderRecord if slash else NaanRecord
        known: NaanRow = kind(
            naan=naan,
            holder=texts.get("organization", ""),
            native_name=texts.get("native_name"),
            acronym=texts.get("acronym"),
            where=texts.get("web_address", ""),
            **own,
        )
        return known


def file_head_of(file: NaanFile, before: str = "") -> str:
    """What a file says beside its records, as JSON: its metadata, their order, what is unread.

    ``before`` is what earlier files said so. A name that this file lacks keeps its place there, an
    entry that was kept unread and is not in this one follows, and metadata are those of the last
    file that has some.
    """
    earlier = _head_from(before)
    order = _merged([fold_naan_name(one.name) for one in file.records], earlier["order"])
    unread = [[one.place, one.text, one.read_as] for one in file.unread]
    at = len(order) + sum(one.place.startswith(_ENTRIES) for one in file.unread)
    for one in _left_unread(file, map(_unread_from, earlier["unread"])):
        unread.append([f"{_ENTRIES}{at}", one.text, one.read_as])
        at += 1
    metadata = dict(file.metadata) or earlier["metadata"]
    head = {"metadata": metadata, "order": order, "unread": unread}
    return json.dumps(head, separators=(",", ":"))


def _head_from(text: str) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(text or "{}")
    return {"metadata": {}, "order": [], "unread": []} | head


def _unread_from(kept: list[str]) -> UnreadValue:
    return UnreadValue(*kept)


def _left_unread(file: NaanFile, earlier: Iterable[UnreadValue]) -> Iterator[UnreadValue]:
    """The entries that an earlier file left unread and of which this one says nothing.

    It says something of those that it has word by word, and of those whose names it has.
    """
    texts = {one.text for one in file.unread if one.place.startswith(_ENTRIES)}
    names = {fold_naan_name(one.name) for one in file.records}
    names.update(filter(None, map(_name_in, texts)))
    for one in earlier:
        is_said = one.text in texts or not one.place.startswith(_ENTRIES)
        if not is_said and _name_in(one.text) not in names:
            yield one


def _name_in(text: str) -> str:
    entry = json.loads(text)
    name = entry.get("what") if isinstance(entry, dict) else None
    return fold_naan_name(name) if isinstance(name, str) else ""


def head_differences(before: str, after: str) -> tuple[str, ...]:
    """What of all that files say beside their records differs, in words."""
    was, now = _head_from(before), _head_from(after)
    told = [
        f"`{name}` in its metadata"
        for name in sorted({*was["metadata"], *now["metadata"]})
        if was["metadata"].get(name, was) != now["metadata"].get(name, was)
    ]
    if was["order"] != now["order"]:
        told.append("the order of its entries")
    if was["unread"] != now["unread"]:
        told.append("unrecognized values")
    return tuple(told)


def _merged(order: list[str], before: Iterable[str]) -> list[str]:
    here, follows = set(order), dict[str, list[str]]()
    last = ""
    for name in before:
        if name in here:
            last = name
        else:
            follows.setdefault(last, []).append(name)
    return [each for name in ("", *order) for each in (name, *follows.get(name, ())) if each]


def file_order_of(snapshot: RegistrySnapshot) -> tuple[str, ...]:
    """The folded names that came from files, in their order there."""
    return tuple(json.loads(snapshot.on_file or "{}").get("order", ()))


def naan_file_of(snapshot: RegistrySnapshot) -> NaanFile:
    """The file that the names of an edition make: in the order of the one from which they came.

    What was added since follows in the order of the registry. Nothing else is lost or added:
    a file that was taken over, and not changed, comes out as it was.
    """
    head: Mapping[str, Any] = json.loads(snapshot.on_file or "{}")
    places = {name: place for place, name in enumerate(file_order_of(snapshot))}
    records = list(_naans_in(snapshot))
    records.sort(key=lambda record: places.get(record.folded, len(places)))
    return NaanFile(
        metadata=tuple(head.get("metadata", {}).items()),
        records=tuple(map(naan_row_of, records)),
        unread=tuple(UnreadValue(*one) for one in head.get("unread", ())),
    )


def _naans_in(snapshot: RegistrySnapshot) -> Iterable[Registration]:
    tables = {NAANS.id, SHOULDERS.id}
    return (r for table in snapshot.registries if table.id in tables for r in table.records)
