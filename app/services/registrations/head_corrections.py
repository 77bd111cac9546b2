"""Corrections of what the registry says of itself, and of people whom references name."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from app.exports.content.selection import xrefs_in
from app.exports.editions.changes import Changes, registry_changes
from app.exports.serialization.xml_values import (
    XmlValueError,
    check_date,
    check_past,
    check_person_id,
    check_text,
    check_uri,
    check_xref,
)
from app.problems import use_case_codes
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import head_to, snapshot_from
from app.registration.records.references import format_text, parse_text
from app.registration.records.registry_records import (
    Person,
    RegistrySnapshot,
    RichText,
    SubRegistry,
    Xref,
)
from app.services.refusals import NameUnavailable, NotFound
from app.services.registrations.corrections import (
    InvalidFact,
    change_sentences,
    check_reason,
    note_correction,
    refuse_changed,
)
from app.services.registry.snapshots import (
    add_title,
    bundled_snapshot,
    check_edition,
    open_edition,
    tables_with_panel,
    with_panel_experts,
)
from app.services.use_cases import Command, command_at_next_edition, use_case
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots, person_changes, person_versions
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject

T = TypeVar("T")
_PANEL = (
    "The experts listed here come from the panel. Appoint an expert or end an appointment "
    "instead; the next edition shows it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadCorrection:
    """What the registry is to say of itself. None, and a table left out, stays as it is.

    Notes are separated by blank lines; notes and rules hold references in square brackets.
    """

    title: str | None = None
    notes: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    experts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonCorrection:
    """What is to be said of a person. None stays as it is; addresses stand one a line."""

    name: str | None = None
    org: str | None = None
    uris: str | None = None
    updated: str | None = None


@dataclass(frozen=True, slots=True)
class HeadVersion:
    """What the registry says of itself, without names, and the edition it says so from."""

    snapshot: RegistrySnapshot
    edition: int


def standing_head() -> HeadVersion:
    """The head as it stands; of a registry without editions that of the bundled facts."""
    latest = edition_rows.latest_edition(URN_GROUP)
    document = edition_snapshots.head_document(latest.n) if latest else None
    shown = snapshot_from(
        document or head_to(bundled_snapshot()),
        updated=latest.updated if latest else "",
        edition=latest.number if latest else 0,
        records={},
        people=(),
    )
    return HeadVersion(shown, edition_snapshots.head_edition(URN_GROUP))


def head_in_words(head: HeadVersion) -> HeadCorrection:
    """The correction of a head that changes nothing, to be filled in."""
    tables = head.snapshot.registries
    return HeadCorrection(
        title=head.snapshot.title,
        notes="\n\n".join(format_text(note) for note in head.snapshot.notes),
        rules={table.id: format_text(table.rule) for table in tables},
        experts={table.id: table.expert for table in tables},
    )


def look_at_head(correction: HeadCorrection, listed_at: datetime | None = None) -> Changes:
    """What a correction of the head would change; raises as ``correct_head`` does.

    ``listed_at`` is the moment of the panel, where that is the registry's list of experts.
    """
    head = standing_head()
    return registry_changes(head.snapshot, _with_panel(head, correction, listed_at))


@use_case("correct head", check=check_reason, judges={"correction"})
def correct_head(command: Command, correction: HeadCorrection, *, reason: str) -> int:
    """Correct what the registry says of itself in the next edition, and give its number.

    Raises NotAllowed, EditConflict where the head was corrected meanwhile, and InvalidInput.
    """
    command = command_at_next_edition(command)
    head = standing_head()
    refuse_changed(command, head.edition)
    listed_at = command.at if command.rules.lists_panel else None
    after = _with_panel(head, correction, listed_at)
    said = change_sentences(registry_changes(head.snapshot, after))
    notice = command.rules.notice
    edition = open_edition(URN_GROUP, command.at, Cause.CORRECTION, notice, head=head_to(after))
    check_edition(edition)
    _note(command, edition, said, reason)
    return edition


def _note(command: Command, edition: int, said: str, reason: str) -> None:
    about = {"subject": EventSubject.REGISTRY, "about": str(edition), "edition": edition}
    note_correction(command, reason=reason, body=said, **about)


def _with_panel(
    head: HeadVersion, correction: HeadCorrection, listed_at: datetime | None
) -> RegistrySnapshot:
    after = _corrected(head, correction)
    if listed_at is None:
        return after
    listed = tables_with_panel()
    for stood, table in zip(head.snapshot.registries, after.registries, strict=True):
        if table.id in listed and table.expert != stood.expert:
            raise InvalidFact(f"expert-{table.id}", _PANEL)
    return with_panel_experts(after, listed_at)


def _corrected(head: HeadVersion, correction: HeadCorrection) -> RegistrySnapshot:
    before, stands = head.snapshot, head_in_words(head)
    known = tuple(_known(before))
    title, notes = _title(before, correction), before.notes
    if correction.notes is not None and not _same(correction.notes, stands.notes or ""):
        written = correction.notes.strip().split("\n\n")
        notes = tuple(_rich("notes", note.strip(), known) for note in written if note.strip())
    tables = tuple(_table(table, correction, stands, known) for table in before.registries)
    return replace(before, title=title, notes=notes, registries=tables)


def _title(before: RegistrySnapshot, correction: HeadCorrection) -> str:
    if correction.title is None or _same(correction.title, before.title):
        return before.title
    title = _fit("title", " ".join(correction.title.split()), check_text)
    if not title:
        raise InvalidFact("title", "Enter the title of the registry.", use_case_codes.VALUE_MISSING)
    return title


def _known(before: RegistrySnapshot) -> Iterator[Xref]:
    for text in (*before.notes, *(table.rule for table in before.registries)):
        yield from xrefs_in(text)


def _table(
    table: SubRegistry, correction: HeadCorrection, stands: HeadCorrection, known: tuple[Xref, ...]
) -> SubRegistry:
    rule, expert = correction.rules.get(table.id), correction.experts.get(table.id)
    if rule is not None and not _same(rule, stands.rules[table.id]):
        table = replace(table, rule=_rich(f"rule-{table.id}", rule.strip(), known))
    if expert is not None and not _same(expert, table.expert):
        words = " ".join(expert.split())
        table = replace(table, expert=_fit(f"expert-{table.id}", words, check_text))
    return table


def _same(given: str, stands: str) -> bool:
    return given.split() == stands.split()


def _rich(fact: str, text: str, known: tuple[Xref, ...]) -> RichText:
    return tuple(
        _fit(fact, part, check_text)
        if isinstance(part, str)
        else part
        if part in known
        else add_title(_fit(fact, part, check_xref))
        for part in parse_text(text, known)
    )


def _fit(fact: str, value: T, check: Callable[[T], T]) -> T:
    try:
        return check(value)
    except XmlValueError as error:
        raise InvalidFact(fact, str(error)) from error


def find_person(ident: str) -> tuple[Person, int]:
    """A person and the edition they stand so from; NotFound for nobody."""
    found = person_versions.find_person(ident)
    if found is None:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN, f"The registry has no contact with the ID `{ident[:80]}`."
        )
    return found


def person_in_words(person: Person) -> PersonCorrection:
    """The correction of a person that changes nothing, to be filled in."""
    return PersonCorrection(
        name=person.name or "",
        org=person.org or "",
        uris="\n".join(person.uris),
        updated=person.updated or "",
    )


def look_at_person(ident: str, correction: PersonCorrection, at: datetime) -> Changes:
    """What a correction of a person would change; raises as ``correct_person`` does."""
    person, _edition = find_person(ident)
    return _person_changes((person,), _person(person, correction, at))


def look_at_new_person(ident: str, correction: PersonCorrection, at: datetime) -> Changes:
    """What another contact would change; raises as ``add_person`` does."""
    return _person_changes((), _new_person(ident, correction, at))


@use_case("add person", check=check_reason, judges={"correction"})
def add_person(command: Command, ident: str, correction: PersonCorrection, *, reason: str) -> int:
    """Add a contact to the registry in the next edition, and give its number.

    Raises NotAllowed, NameUnavailable for an id that a contact has, and InvalidInput.
    """
    command = command_at_next_edition(command)
    return _keep_person(command, (), _new_person(ident, correction, command.at), reason)


@use_case("correct person", check=check_reason, judges={"correction"})
def correct_person(
    command: Command, ident: str, correction: PersonCorrection, *, reason: str
) -> int:
    """Correct what is said of a person in the next edition, and give its number.

    Raises NotAllowed, NotFound, EditConflict where they were corrected meanwhile, and InvalidInput.
    """
    command = command_at_next_edition(command)
    person, stands_from = find_person(ident)
    refuse_changed(command, stands_from)
    after = _person(person, correction, command.at)
    return _keep_person(command, (person,), after, reason)


def _keep_person(command: Command, before: tuple[Person, ...], after: Person, reason: str) -> int:
    said = change_sentences(_person_changes(before, after))
    edition = open_edition(
        URN_GROUP,
        command.at,
        Cause.CORRECTION,
        command.rules.notice,
        lists_panel=command.rules.lists_panel,
    )
    person_changes.set_people([after], edition)
    check_edition(edition)
    _note(command, edition, said, reason)
    return edition


def _person_changes(before: tuple[Person, ...], after: Person) -> Changes:
    head = standing_head().snapshot
    return registry_changes(replace(head, people=before), replace(head, people=(after,)))


def _new_person(ident: str, correction: PersonCorrection, at: datetime) -> Person:
    written = _fit("id", ident.strip(), check_person_id)
    if person_versions.find_person(written) is not None:
        raise NameUnavailable(
            use_case_codes.NAME_TAKEN,
            f"The ID `{written[:80]}` is already in use. Correct that contact instead.",
            field="id",
        )
    head = standing_head().snapshot
    if written in (head.id, *(table.id for table in head.registries)):
        raise InvalidFact("id", f"`{written}` is the ID of a table. Choose another ID.")
    person = _person(Person(id=written), correction, at)
    if not (person.name or person.org):
        raise InvalidFact(
            "name",
            "Enter the name of a person or organization.",
            use_case_codes.VALUE_MISSING,
        )
    return person


def _person(person: Person, correction: PersonCorrection, at: datetime) -> Person:
    given = asdict(correction)
    facts = {
        fact: read(fact, given[fact]) for fact, read in _READERS.items() if given[fact] is not None
    }
    if facts.get("updated") and facts["updated"] != person.updated:
        _fit("updated", facts["updated"], lambda day: check_past(day, at.date()))
    return replace(person, **facts)


def _words(fact: str, text: str) -> str | None:
    return _fit(fact, " ".join(text.split()), check_text) or None


def _day(fact: str, text: str) -> str | None:
    return _fit(fact, text.strip(), check_date) if text.strip() else None


def _uris(fact: str, text: str) -> tuple[str, ...]:
    return tuple(_fit(fact, uri, check_uri) for uri in text.split())


_READERS: Mapping[str, Callable[[str, str], Any]] = {
    "name": _words,
    "org": _words,
    "uris": _uris,
    "updated": _day,
}
