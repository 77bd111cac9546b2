"""What differs between two states of the registry of NAANs, told in words and carried out again."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from app.registration.naans.json_values import json_text
from app.registration.naans.naan_records import (
    NaanEntry,
    NaanRecord,
    NaanRow,
    UnreadValue,
    name_key,
    records_by_name,
)
from app.registration.naans.quoted_text import quote

__all__ = ["FACT_LABELS", "NaanChange", "NaanChangeKind", "naan_changes", "with_changes"]

Said = str | int | None | tuple[UnreadValue, ...]

# What each fact is called in a sentence.
FACT_LABELS = {
    "naan": "the spelling of the NAAN",
    "shoulder": "the spelling of the shoulder",
    "holder": "the holder",
    "native_name": "the name in its own language",
    "acronym": "the acronym",
    "where": "the holder's address",
    "target": "the target",
    "status": "the status of the target",
    "when": "the day on file",
    "kind": "the kind of organization",
    "policy": "the policy",
    "policy_address": "the address of the policy",
    "tenure": "the tenure",
    "test_ark": "the test ARK",
    "service_provider": "the service provider",
    "purpose": "the purpose",
    "unread": "unrecognized values",
}
_SCHEME = re.compile("(https?):(.*)", re.DOTALL)


class NaanChangeKind(StrEnum):
    """Whether a name is new, is gone, or one of its facts changed."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanChange:
    """One difference: a name that came or went, or one fact of a name, with a sentence.

    ``record`` is the one that came, or the one that went; ``fact``, ``before`` and ``after`` are of
    a fact that changed. ``name`` is as it is written afterwards, and beforehand where it went.
    """

    name: str
    kind: NaanChangeKind
    sentence: str
    record: NaanRow | None = None
    fact: str = ""
    before: Said = None
    after: Said = None


def naan_changes(before: Iterable[NaanRow], after: Iterable[NaanRow]) -> tuple[NaanChange, ...]:
    """Each difference between two states once: what went, what changed fact by fact, what came.

    Names are in the order of their state; that order itself is no difference.
    """
    old, new = records_by_name(before), records_by_name(after)
    both = {key for key in new if type(new[key]) is type(old.get(key))}
    gone = (_gone(old[key]) for key in old if key not in both)
    changed = (one for key in new if key in both for one in _changed(old[key], new[key]))
    came = (_new(new[key]) for key in new if key not in both)
    return (*gone, *changed, *came)


def with_changes(records: Iterable[NaanRow], changes: Iterable[NaanChange]) -> tuple[NaanRow, ...]:
    """The state that changes lead to from the one that they were told of.

    Records keep their order, and new ones follow. Raises LookupError where a name that changed is
    not there.
    """
    state = records_by_name(records)
    for change in changes:
        key = name_key(change.name)
        if change.kind is NaanChangeKind.GONE:
            del state[key]
        elif change.record is not None:
            state[key] = change.record
        else:
            state[key] = _with_fact(state[key], change)
    return tuple(state.values())


def _with_fact(record: NaanRow, change: NaanChange) -> NaanRow:
    changed: dict[str, Any] = {change.fact: change.after}
    return replace(record, **changed)


def _gone(record: NaanRow) -> NaanChange:
    sentence = f"{_plain(record.name)}: {_what(record)} of {_of(record)} removed."
    return NaanChange(name=record.name, kind=NaanChangeKind.GONE, sentence=sentence, record=record)


def _new(record: NaanRow) -> NaanChange:
    sentence = f"{_plain(record.name)}: new {_what(record)} of {_of(record)}."
    return NaanChange(name=record.name, kind=NaanChangeKind.NEW, sentence=sentence, record=record)


def _what(record: NaanRow) -> str:
    return "NAAN" if isinstance(record, NaanRecord) else "shoulder"


def _plain(name: str) -> str:
    return quote(name)[1:-1]


def _of(record: NaanEntry) -> str:
    return quote(record.holder) if record.holder else "an unnamed holder"


def _changed(old: NaanRow, new: NaanRow) -> Iterator[NaanChange]:
    for one in fields(new):
        was, now = getattr(old, one.name), getattr(new, one.name)
        if was != now:
            yield NaanChange(
                name=new.name,
                kind=NaanChangeKind.CHANGED,
                sentence=f"{_plain(new.name)}: {FACT_LABELS[one.name]} {_sentence(was, now)}",
                fact=one.name,
                before=was,
                after=now,
            )


def _sentence(was: Said, now: Said) -> str:
    if was is None or was == "":
        return f"is now {_value(now)}; was {_value(was)}."
    if isinstance(was, str) and isinstance(now, str):
        schemes = _SCHEME.fullmatch(was), _SCHEME.fullmatch(now)
        if schemes[0] and schemes[1] and schemes[0][2] == schemes[1][2]:
            return f"changed from `{schemes[0][1]}:` to `{schemes[1][1]}:`; the rest is unchanged."
    return f"changed from {_value(was)} to {_value(now)}."


def _value(said: Said) -> str:
    if said is None:
        return "empty"
    if isinstance(said, tuple):
        members = {one.place: one.text or "absent" for one in said}
        return quote(json_text(members, "")) if said else "nothing"
    return quote(str(said)) if said != "" else "empty"
