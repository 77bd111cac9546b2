"""What changed between two states of one thing, fact by fact, in words.

The rows below name every member of the records, so that no difference goes untold.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from app.exports.content.reference_text import (
    fold_space,
    full_reference_words,
    reference_words,
    rich_text_words,
)
from app.identifiers.equivalence import Equivalence
from app.registration.declarations.fields import ENDING, Widget
from app.registration.declarations.registries import find_field
from app.registration.profiles.equivalence_answers import equivalence_sentences
from app.registration.profiles.profile_records import NO_PROFILE, NamespaceProfile
from app.registration.profiles.profile_wording import ProfileFact, worded_facts
from app.registration.records.registry_records import Dispute, RichText, Xref

DISPUTES = "disputes"  # the fact that says what is held against a registration
# facts that change whenever another does: the day, and the number of a version or a request
BOOKKEEPING = frozenset({"updated", "version", "request", "fields.version", "fields.date"})
_SHOWN = 160
# no parenthesis closes within a role's length, so that a list of commas alone is soon read
_EXPERTS = re.compile(r"[,;]\s{0,8}+(?![^()]{0,80}\))")
_NOBODY = ("", "unassigned")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One fact that differs: both states in full, and what to say of it.

    ``phrase`` is without its subject and its full stop.
    """

    name: str
    label: str
    before: str
    after: str
    phrase: str


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """One member of a record: what people call it and how two values of it are compared."""

    name: str
    label: str
    compare: Callable[[str, str, Any, Any], Iterator[FieldChange]]


def field_changes(
    rows: Iterable[FieldComparison], before: object, after: object
) -> tuple[FieldChange, ...]:
    """What differs between two records of one kind, in the order of the rows."""
    found: list[FieldChange] = []
    for row in rows:
        old, new = getattr(before, row.name), getattr(after, row.name)
        if old != new:
            found += row.compare(row.name, row.label, old, new)
    return tuple(found)


def join_phrases(*phrases: str) -> str:
    """Phrases as one sentence that ends in one full stop."""
    said = "; ".join(phrases)
    return said if said.endswith((".", "…", ".”", "…”")) else f"{said}."


def _value(name: str, label: str, before: object, after: object) -> Iterator[FieldChange]:
    old, new = ("" if value is None else str(value) for value in (before, after))
    if fold_space(old) != fold_space(new):
        yield FieldChange(name, label, old, new, _phrase(label, _short(old), _short(new)))


def _led_by(name: str, label: str, before: int | None, after: int | None) -> Iterator[FieldChange]:
    old, new = ("" if value is None else str(value) for value in (before, after))
    phrase = f"by {label} {new}" if new else f"{label} removed"
    yield FieldChange(name, label, old, new, phrase)


def _text(name: str, label: str, before: str, after: str) -> Iterator[FieldChange]:
    if fold_space(before) != fold_space(after):
        phrase = _phrase(label, *map(_quoted, (before, after)))
        yield FieldChange(name, label, before, after, phrase)


def _rich(
    name: str, label: str, before: RichText | None, after: RichText | None
) -> Iterator[FieldChange]:
    texts = before or (), after or ()
    old, new = (rich_text_words(text) for text in texts)
    if old != new:
        yield FieldChange(name, label, old, new, _phrase(label, *map(_said, texts)))
        return
    cited = tuple(map(cited_in, texts))
    if cited[0] != cited[1]:
        old, new = (rich_text_words(text, full_reference_words) for text in texts)
        yield FieldChange(name, label, old, new, _relinked(label, *cited))


def cited_in(text: RichText) -> tuple[Xref, ...]:
    """The references in a mixed text, as they compare."""
    return tuple(_compared(part) for part in text if isinstance(part, Xref))


def _compared(xref: Xref) -> Xref:
    return replace(xref, label=fold_space(xref.label))


def _relinked(label: str, before: tuple[Xref, ...], after: tuple[Xref, ...]) -> str:
    both = [(a.data, b.data) for a, b in zip(before, after, strict=False) if a.data != b.data]
    if len(before) != len(after) or not both:
        return f"{label} changed in detail"
    if all(a.partition("://")[2] == b.partition("://")[2] for a, b in both):
        schemes = dict.fromkeys(_schemes(*pair) for pair in both)
        return f"{label}: {' and '.join(schemes)}"
    if len(both) == 1:
        return _phrase(f"{label}: link", *map(_short, both[0]))
    return f"{label}: {len(both)} links changed"


def _schemes(before: str, after: str) -> str:
    return f"link went from {before.partition(':')[0]} to {after.partition(':')[0]}"


def _notes(
    name: str, label: str, before: tuple[RichText, ...], after: tuple[RichText, ...]
) -> Iterator[FieldChange]:
    old, new = ("\n".join(map(rich_text_words, notes)) for notes in (before, after))
    if fold_space(old) != fold_space(new):
        yield from _text(name, label, old, new)
        return
    cited = tuple(tuple(x for note in notes for x in cited_in(note)) for notes in (before, after))
    if cited[0] != cited[1]:
        yield FieldChange(name, label, old, new, _relinked(label, *cited))


def _texts(
    name: str, label: str, before: tuple[tuple[str, str], ...], after: tuple[tuple[str, str], ...]
) -> Iterator[FieldChange]:
    old, new = dict(before), dict(after)
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            if key == ENDING:
                yield _ending(f"{name}.{key}", old.get(key, ""), new.get(key, ""))
                continue
            field = find_field(key)
            called = field.label if field else key
            states = old.get(key, ""), new.get(key, "")
            if field:
                states = field.worded(states[0]), field.worded(states[1])
            told = _line if field and field.widget is Widget.LINE else _long
            yield from told(f"{name}.{key}", called, *states)
    if old == new:
        yield _reordered(name, label)


def _ending(name: str, before: str, after: str) -> FieldChange:
    phrase = "voided, because it was registered by mistake" if after else "no longer voided"
    return FieldChange(name, "Ended as", before, after, phrase)


def _line(name: str, label: str, before: str, after: str) -> Iterator[FieldChange]:
    phrase = _phrase(label, *map(_quoted, (before, after)))
    yield FieldChange(name, label, before, after, phrase)


def _long(name: str, label: str, before: str, after: str) -> Iterator[FieldChange]:
    yield FieldChange(name, label, before, after, f"{label} {_verb(before, after)}")


def _rules(name: str, label: str, before: Equivalence, after: Equivalence) -> Iterator[FieldChange]:
    old, new = (
        "\n".join(f"{sentence} ({clause})" for sentence, clause in equivalence_sentences(rules))
        for rules in (before, after)
    )
    yield FieldChange(name, label, old, new, f"{label} {_verb(old, new)}")


def _profile(
    name: str, label: str, before: NamespaceProfile, after: NamespaceProfile
) -> Iterator[FieldChange]:
    """A profile's facts, each for itself; one that comes or goes is told at once.

    What takes a line is said in the sentence, and of the rest that it changed.
    """
    facts_of = worded_facts(before), worded_facts(after)
    is_more = replace(before, holder="") != replace(after, holder="")
    if NO_PROFILE in (before, after) and is_more:
        states = map(_all_worded, facts_of)
        yield from _long(name, label, *states)
        return
    for old, new in zip(*facts_of, strict=True):
        if old.words == new.words:
            continue
        told = _text if max(map(len, (old.words, new.words))) <= _SHOWN else _long
        yield from told(f"{name}.{new.member}", new.label, old.words, new.words)


def _all_worded(told: tuple[ProfileFact, ...]) -> str:
    return "\n".join(f"{one.label}: {one.words}" for one in told if one.words)


def _disputes(
    name: str, label: str, before: tuple[Dispute, ...], after: tuple[Dispute, ...]
) -> Iterator[FieldChange]:
    for dispute in after:
        if dispute not in before:
            words = " ".join(filter(None, (dispute.grounds, dispute.reference)))
            yield FieldChange(name, label, "", words, f"{dispute.kind} noted")
    for dispute in before:
        if dispute not in after:
            words = " ".join(filter(None, (dispute.grounds, dispute.reference)))
            yield FieldChange(name, label, words, "", f"{dispute.kind} settled")


def _references(
    name: str, label: str, before: tuple[Xref, ...], after: tuple[Xref, ...]
) -> Iterator[FieldChange]:
    old, new = (list(map(_compared, xrefs)) for xrefs in (before, after))
    gone = [xref for xref in old if xref not in new]
    come = [xref for xref in new if xref not in old]
    if not gone and not come:
        if old != new:
            yield _reordered(name, f"{label}s")
        return
    for pair in _paired(gone, come):
        yield _reference(name, label, *pair)
    for xref in gone:
        yield from _value(name, label, reference_words(xref), None)
    for xref in come:
        yield from _value(name, label, None, reference_words(xref))


def _paired(gone: list[Xref], come: list[Xref]) -> Iterator[tuple[Xref, Xref]]:
    """References of which one took the place of the other, taken out of both lists.

    Those that are called alike, and the one that is left of each.
    """
    for xref in tuple(gone):
        alike = [one for one in come if reference_words(one) == reference_words(xref)]
        if alike:
            gone.remove(xref)
            come.remove(alike[0])
            yield xref, alike[0]
    if len(gone) == len(come) == 1:
        yield gone.pop(), come.pop()


def _reference(name: str, label: str, before: Xref, after: Xref) -> FieldChange:
    old, new = reference_words(before), reference_words(after)
    if old != new:
        return FieldChange(name, label, old, new, _phrase(label, _short(old), _short(new)))
    called = f"{label} {_short(new)}"
    full = full_reference_words(before), full_reference_words(after)
    return FieldChange(name, label, *full, _relinked(called, (before,), (after,)))


def _experts(name: str, label: str, before: str, after: str) -> Iterator[FieldChange]:
    old, new = _roles(before), _roles(after)
    for who in (who for who in new if who not in old):
        named = _with_role(who, new[who])
        yield FieldChange(name, label, "", named, f"{_short(named)} became an expert")
    for who in (who for who in old if who not in new):
        named = _with_role(who, old[who])
        yield FieldChange(name, label, named, "", f"{_short(who)} is no longer an expert")
    for who in (who for who in new if old.get(who, new[who]) != new[who]):
        was, named = _with_role(who, old[who]), _with_role(who, new[who])
        role = _phrase("role", _short(old[who]), _short(new[who]))
        yield FieldChange(name, label, was, named, f"{_short(who)}: {role}")
    if old == new and fold_space(before) != fold_space(after):
        yield FieldChange(name, label, before, after, _same_experts(label, before, after, old, new))


def _same_experts(
    label: str, before: str, after: str, old: dict[str, str], new: dict[str, str]
) -> str:
    if not old:
        return _phrase(label, _quoted(before), _quoted(after))
    return f"order of the {label} changed" if list(old) != list(new) else f"list of {label} changed"


def _roles(expert: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for piece in _EXPERTS.split(expert):
        who, _, role = fold_space(piece).partition(" (")
        if who.lower() not in _NOBODY:
            found[who] = role.removesuffix(")")
    return found


def _with_role(who: str, role: str) -> str:
    return f"{who} ({role})" if role else who


def _reordered(name: str, label: str) -> FieldChange:
    return FieldChange(name, label, "", "", f"order of the {label} changed")


def _phrase(label: str, before: str, after: str) -> str:
    if before == after:
        return f"{label} changed"
    if not before:
        return f"{label} {after} added"
    return f"{label} {before} became {after}" if after else f"{label} {before} removed"


def _verb(before: str, after: str) -> str:
    if not before:
        return "added"
    return "changed" if after else "removed"


def _said(text: RichText) -> str:
    words = rich_text_words(text)
    return _short(words) if all(isinstance(part, Xref) for part in text) else _quoted(words)


def _quoted(text: str) -> str:
    return f"“{_short(text)}”" if fold_space(text) else ""


def _short(text: str) -> str:
    line = fold_space(text)
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


RECORD = (
    FieldComparison("name", "name", _value),
    FieldComparison("date", "date", _value),
    FieldComparison("updated", "last change", _value),
    FieldComparison("status", "status", _value),
    FieldComparison("successor", "successor", _value),
    FieldComparison("template", "template", _rich),
    FieldComparison("references", "reference", _references),
    FieldComparison("contact", "contact", _rich),
    FieldComparison("version", "template version", _value),
    FieldComparison("style", "form of the template", _value),
    FieldComparison("fields", "fields", _texts),
    FieldComparison("request", "request", _led_by),
    FieldComparison("text", "text of the template", _long),
    FieldComparison("text_source", "source of the template text", _value),
    FieldComparison("equivalence", "rules of equivalence", _rules),
    FieldComparison(DISPUTES, "disputes", _disputes),
    FieldComparison("profile", "profile", _profile),
)
REGISTRY = (
    FieldComparison("title", "title", _text),
    FieldComparison("category", "category", _text),
    FieldComparison("notice", "notice", _text),
    FieldComparison("notes", "note", _notes),
)
TABLE = (
    FieldComparison("title", "title", _text),
    FieldComparison("references", "reference", _references),
    FieldComparison("rule", "registration procedure", _rich),
    FieldComparison("expert", "experts", _experts),
)
PERSON = (
    FieldComparison("name", "name", _value),
    FieldComparison("org", "organization", _value),
    FieldComparison(
        "uris", "contact", lambda name, label, *both: _value(name, label, *map(", ".join, both))
    ),
    FieldComparison("updated", "last change", _value),
)
