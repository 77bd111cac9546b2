"""Corrections by the operator: what was published stays, the next edition says it right.

A correction makes a new version of a record, never a new version of its template.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from app.exports.changes import Changes, changes
from app.exports.selection import people_named, xrefs_in
from app.exports.xml_forms import UnfitValue, check_date, check_text, check_xref
from app.identifiers.nid import NidKind, check_nid, fold_nid
from app.registration.declarations import REGISTRIES
from app.registration.records import Registration, RichText, Status, Xref, XrefType
from app.registration.references import UnreadableReference, format_lines, parse_lines
from app.services.actors import Actor
from app.services.once import once
from app.services.refusals import Changed, NameTaken, NotAllowed, NotFound, Unfit
from app.services.registering import check_writable
from app.services.registry import alone, open_edition, sort_key, taken_index, titled
from app.store import counters, editions, events
from app.store import registry as names
from app.store.registry import Version
from app.store.tables.registry import Cause
from app.store.tables.requests import Subject

LONGEST_REASON = 8000


class UnfitFact(Unfit):
    """One fact of a correction that no record can hold; ``fact`` names it."""

    def __init__(self, fact: str, sentence: str) -> None:
        super().__init__(sentence)
        self.fact = fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Who corrects, when and why.

    ``seen`` is what they saw: the number of the record's latest version, or the edition from
    which on the registry's head or a person stood so.
    """

    actor: Actor
    at: datetime
    reason: str
    key: str
    seen: int
    notice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a record is to say. None leaves a fact as it stands, an empty text takes it away.

    References, links of the template and a contact are lines, one for each. Another ``name``
    renames: the former name stays taken and leads to the new one.
    """

    name: str | None = None
    references: str | None = None
    template: str | None = None
    contact: str | None = None
    date: str | None = None
    updated: str | None = None
    status: Status | None = None
    successor: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """What a correction would do: the records as they would stand, and what changes."""

    version: Version
    records: tuple[Registration, ...]
    changes: Changes


def find_entry(name: str, space: str = "nid") -> Version:
    """A name's record as it stands; NotFound where nobody has the name."""
    version = names.find_latest(space, fold_nid(name))
    if version is None:
        raise NotFound(f"No namespace `{name[:80]}` stands in the registry.")
    return version


def as_it_stands(record: Registration) -> Correction:
    """The correction that changes nothing, to be filled in."""
    return Correction(
        name=record.name,
        references=format_lines(record.references),
        template=format_lines(record.template),
        contact=format_lines(record.contact or ()),
        date=record.date or "",
        updated=record.updated or "",
        status=record.status,
        successor=record.successor or "",
    )


def facts_of(correction: Any) -> dict[str, Any]:
    """The facts of a correction by their names, as a form asks for them."""
    return asdict(correction)


def look(name: str, correction: Correction, space: str = "nid") -> Look:
    """What a correction would do; raises Unfit as ``correct`` does, and changes nothing."""
    version = find_entry(name, space)
    records = _corrected(version, correction, space)
    return Look(version, records, _changes(version, records))


def correct(name: str, correction: Correction, order: Order, space: str = "nid") -> int:
    """Correct a name's record in the next edition, and give its number.

    Raises NotAllowed, NotFound, Changed where the record has another version by now, NameTaken
    for a new name that somebody has, and Unfit for a correction that has no reason, changes
    nothing or cannot be published.
    """

    def work() -> int:
        version = find_entry(name, space)
        refuse_changed(order, version.n)
        records = _corrected(version, correction, space)
        said = said_of(_changes(version, records))
        edition = open_edition(order.at, Cause.CORRECTION, order.notice)
        _keep(version, records, names.Change(edition=edition, cause=Cause.CORRECTION))
        for record in records:
            _check(edition, version.registry, record)
        about = {"subject": Subject.NAME, "about": fold_nid(name), "edition": edition}
        note_correction(order, body=said, **about)
        return edition

    return carried_out(order, {"about": [space, name], **asdict(correction)}, work)


def carried_out(order: Order, asked: Mapping[str, Any], work: Callable[[], int]) -> int:
    """Carry out a correction once, with no other edition opened meanwhile."""
    if not order.actor.is_operator:
        raise NotAllowed("Only the registry’s operators correct it.")
    if not order.reason.strip():
        raise UnfitFact("reason", "Give the reason in a sentence. It is shown in the history.")
    if len(order.reason) > LONGEST_REASON:
        many = f"Your reason has more than {LONGEST_REASON} characters. Shorten it."
        raise UnfitFact("reason", many)

    def alone_with_it() -> int:
        counters.hold(editions.COUNTER)
        return work()

    whole = {"reason": order.reason, "seen": order.seen, **asked}
    return int(once(order.actor.id, order.key, whole, order.at, alone_with_it))


def refuse_changed(order: Order, now: int) -> None:
    """Raise Changed unless what stands is what the operator saw."""
    if order.seen != now:
        raise Changed(
            "Somebody changed this after you opened it. Look at it again; what you wrote is below."
        )


def note_correction(order: Order, **about: Any) -> None:
    """Keep the event of a correction, with its reason."""
    event = events.NewEvent(
        at=order.at,
        kind="corrected",
        actor=order.actor.id,
        role="operator",
        reason=order.reason,
        **about,
    )
    events.append(event, secrets.token_hex(16))


def said_of(made: Changes) -> str:
    """What a correction changes, in sentences; Unfit where it changes nothing."""
    if not made:
        raise Unfit("Nothing would change. Change a fact, or leave it as it is.")
    return "\n".join(made.sentences())


def _changes(version: Version, records: tuple[Registration, ...]) -> Changes:
    latest = editions.latest_edition()
    before = alone(latest.n if latest else 0, version.registry, version.record)
    tables = (
        replace(table, records=records) if table.id == version.registry else table
        for table in before.registries
    )
    return changes(before, replace(before, registries=tuple(tables)))


def _corrected(version: Version, correction: Correction, space: str) -> tuple[Registration, ...]:
    """The record as it is to stand; of a renamed one the former record and the new one."""
    record = _with_facts(version, correction, space)
    name = version.record.name if correction.name is None else correction.name.strip()
    if fold_nid(name) == version.record.folded:
        return (replace(record, name=name),)
    if Status.FORMER in (version.record.status, record.status):
        raise UnfitFact("name", "A former name stays as it was. Rename the name that is in use.")
    _check_new_name(name, version.registry, space)
    former = replace(version.record, status=Status.FORMER, successor=fold_nid(name))
    return (former, replace(record, name=name))


def _check_new_name(name: str, registry: str, space: str) -> None:
    if REGISTRIES[registry].numbering is not None:
        sentence = "The registry numbers these names itself, so that none can be renamed."
        raise UnfitFact("name", sentence)
    if names.is_taken(space, fold_nid(name)):
        raise NameTaken(f"`{name[:80]}` is taken. A name is given once and for ever.")
    problems = check_nid(name, NidKind(REGISTRIES[registry].kind), taken_index(space)).problems
    if problems:
        raise UnfitFact("name", " ".join(problem.message for problem in problems))


def _with_facts(version: Version, correction: Correction, space: str) -> Registration:
    given = {fact: value for fact, value in asdict(correction).items() if value is not None}
    stands = asdict(as_it_stands(version.record))
    made: dict[str, Any] = {
        fact: _READERS[fact](_Fact(fact, value, version, space))
        for fact, value in given.items()
        if fact in _READERS and _folded(value) != _folded(stands[fact])
    }
    record = replace(version.record, **made)
    if record.status is Status.REGISTERED and record.successor:
        sentence = "A name in use has no successor. Choose deprecated or former, or leave it out."
        raise UnfitFact("successor", sentence)
    return record


def _folded(value: str) -> str:
    return "\n".join(line.strip() for line in str(value).strip().splitlines())


@dataclass(frozen=True, slots=True)
class _Fact:
    """One fact as it was written, and the record that is to hold it."""

    name: str
    text: str
    version: Version
    space: str

    @property
    def record(self) -> Registration:
        return self.version.record

    def refusal(self, sentence: str) -> UnfitFact:
        return UnfitFact(self.name, sentence)


def _rich(fact: _Fact) -> RichText:
    """References and words; those that the record holds already stay whole."""
    record = fact.record
    known = (*record.references, *xrefs_in(record.template), *xrefs_in(record.contact or ()))
    try:
        parts = parse_lines(fact.text, known)
        return tuple(_fit(part, known, fact) for part in parts)
    except (UnreadableReference, UnfitValue) as error:
        raise fact.refusal(str(error)) from error


def _fit(part: str | Xref, known: tuple[Xref, ...], fact: _Fact) -> str | Xref:
    if isinstance(part, str):
        return check_text(part)
    if part in known:
        return part
    if part.type is XrefType.PERSON and names.find_person(part.data) is None:
        raise fact.refusal(f"No contact of the registry has the id `{part.data[:80]}`.")
    return titled(check_xref(part))


def _references(fact: _Fact) -> tuple[Xref, ...]:
    parts = _rich(fact)
    if any(isinstance(part, str) for part in parts):
        raise fact.refusal("References take no words between them. Leave the quoted words out.")
    return xrefs_in(parts)


def _contact(fact: _Fact) -> RichText | None:
    contact = _rich(fact)
    if REGISTRIES[fact.version.registry].numbering is None:
        raise fact.refusal("A formal namespace has no contact in the registry. Leave it out.")
    if not contact:
        raise fact.refusal("An informal namespace has a contact. Enter it as a reference.")
    return contact


def _date(fact: _Fact) -> str | None:
    text = fact.text.strip()
    try:
        return check_date(text) if text else None
    except UnfitValue as error:
        raise fact.refusal(str(error)) from error


def _status(fact: _Fact) -> Status:
    return Status(fact.text)


def _successor(fact: _Fact) -> str | None:
    name = fold_nid(fact.text.strip())
    if not name:
        return None
    if name == fact.record.folded:
        raise fact.refusal("A name cannot succeed itself. Enter the name that came in its place.")
    if names.find_latest(fact.space, name) is None:
        raise fact.refusal(f"`{name[:80]}` stands not in the registry. Enter a name that does.")
    return name


_READERS: Mapping[str, Callable[[_Fact], Any]] = {
    "references": _references,
    "template": _rich,
    "contact": _contact,
    "date": _date,
    "updated": _date,
    "status": _status,
    "successor": _successor,
}


def _keep(version: Version, records: tuple[Registration, ...], change: names.Change) -> None:
    """Keep each record: as a new version of a name that stands, or with a name that is new."""
    for record in records:
        if record.folded == version.record.folded:
            names.add_version(record, version.registry, version.sort_key, change)
        else:
            key = sort_key(version.registry, record.folded)
            names.add_record(record, version.registry, key, change)


def _check(edition: int, registry: str, record: Registration) -> None:
    """Refuse what no format can hold, before it stands for ever."""
    people = names.people_of(people_named(record))
    check_writable(replace(alone(edition, registry, record), people=people))


@dataclass(frozen=True, slots=True, kw_only=True)
class NameVersion:
    """One version of a name's record in its history: since when, and why."""

    n: int
    edition: int
    as_of: datetime
    cause: Cause
    template_version: int | None
    record: Registration
    sha256: str
    reason: str


def history_of(space: str, folded: str) -> tuple[NameVersion, ...]:
    """Every version of a name's record, oldest first; none where nobody has the name."""
    return tuple(_history(names.versions_of(space, folded)))


def _history(versions: list[Version]) -> Iterator[NameVersion]:
    told = events.of_editions([version.edition for version in versions])
    for version in versions:
        event = told.get(version.edition)
        yield NameVersion(
            n=version.n,
            edition=version.edition,
            as_of=editions.get_edition(version.edition).as_of,
            cause=version.cause,
            template_version=version.record.version,
            record=version.record,
            sha256=version.sha256,
            reason=event.reason if event else "",
        )
