"""What differs between two versions of a name, in the words in which it is told."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from app.assigned_names.assigned_name_records import (
    REDIRECT_WORDS,
    AssignedNameRecord,
    AssignedNameState,
)

__all__ = ["NameDifference", "common_length", "name_differences", "shorten_difference"]

_LEADS, _AT_TARGET, _BEHIND = "Target", "Redirect", "Suffix"
_WAYS = frozenset({_AT_TARGET, _BEHIND})
_TEXTS = (
    (_LEADS, "target"),
    ("Persistence", "persistence"),
    ("Reason", "reason"),
    ("Withdrawn on", "since"),
    ("Successor", "successor"),
)


class NameDifference(NamedTuple):
    """What is said of one thing from a version on, and what was before; empty where nothing."""

    label: str
    after: str
    before: str


def name_differences(
    before: AssignedNameRecord | None, after: AssignedNameRecord
) -> tuple[NameDifference, ...]:
    """What a version of a name says otherwise than the one before, or says first."""
    was, now = _told(before) if before else {}, _told(after)
    untold = frozenset() if _LEADS in now else _WAYS
    labels = (label for label in dict.fromkeys((*now, *was)) if label not in untold)
    changed = ((label, now.get(label, []), was.get(label, [])) for label in labels)
    return tuple(
        NameDifference(label, "; ".join(texts), "; ".join(former))
        for label, texts, former in changed
        if texts != former
    )


def shorten_difference(difference: NameDifference, longest: int) -> NameDifference:
    """What differs, in texts of about so many characters, among them the first that differ."""
    texts = (difference.after, difference.before)
    if max(map(len, texts)) <= longest:
        return difference
    alike = common_length(*texts)
    begin = max(0, alike - longest // 2)
    after, before = (_part(text, begin, longest) for text in texts)
    return NameDifference(difference.label, after, before)


def common_length(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    for at, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            return at
    return min(len(one), len(other))


def _part(text: str, begin: int, longest: int) -> str:
    end = begin + longest
    return f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}"


def _told(record: AssignedNameRecord) -> Mapping[str, list[str]]:
    told: defaultdict[str, list[str]] = defaultdict(list)
    for label, text in _facts(record):
        if text:
            told[label].append(text)
    return told


def _facts(record: AssignedNameRecord) -> Iterator[tuple[str, str]]:
    yield "State", record.state.label
    is_gone = record.state is AssignedNameState.WITHDRAWN
    for label, field in _TEXTS:
        yield label, "" if is_gone and field == "target" else getattr(record, field)
    if record.target and not is_gone:
        yield _AT_TARGET, REDIRECT_WORDS[record.redirect]
        yield _BEHIND, "forwarded to the target" if record.extends_anywhere else ""
    yield from record.elements
