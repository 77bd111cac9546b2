"""The facts of a record that can be corrected: as words to be filled in, and back."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from app.exports.content.selection import xrefs_in
from app.exports.serialization.xml_values import (
    XmlValueError,
    check_date,
    check_past,
    check_text,
    check_xref,
)
from app.identifiers.equivalence import Equivalence
from app.identifiers.nid import nid_typed
from app.problems import use_case_codes
from app.problems.problem_codes import ProblemCode
from app.registration.declarations.fields import ENDING, VOIDED
from app.registration.declarations.registries import (
    REGISTRIES,
    Field,
    IdentifierSpace,
    Registry,
)
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.references import UnreadableReference, format_lines, parse_lines
from app.registration.records.registry_records import (
    Purpose,
    Registration,
    RichText,
    Status,
    Submission,
    Xref,
    XrefType,
)
from app.registration.submissions.submission_rules import (
    InvalidText,
    check_submission,
    fit_text,
)
from app.services.refusals import InvalidInput
from app.services.registry.snapshots import add_title
from app.store.registry import person_versions
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion


class InvalidFact(InvalidInput):
    """An invalid fact of a correction: its name, and its line if the fact has several."""

    def __init__(
        self,
        fact: str,
        sentence: str,
        code: ProblemCode = use_case_codes.FACT_INVALID,
        line: int = 0,
    ) -> None:
        super().__init__(code, sentence, field=fact)
        self.fact, self.line = fact, line


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a record is to say. None leaves a fact as it stands, an empty text takes it away.

    References, links of the template and a contact are lines, one for each. Another ``name``
    renames: the former name stays taken and leads to the new one. ``cited`` is the order by which
    a name leaves the list where nothing takes its place; it is kept beside the reason.
    ``texts`` are public fields by their names, of a registry whose records are no templates.
    ``is_voided`` says of a name that becomes former that it was given by mistake.
    ``profile`` and ``equivalence`` are for namespaces; ``takes_http`` lets the operator add
    services that answer over http.
    """

    name: str | None = None
    references: str | None = None
    template: str | None = None
    contact: str | None = None
    date: str | None = None
    updated: str | None = None
    status: Status | None = None
    successor: str | None = None
    cited: str | None = None
    texts: Mapping[str, str] | None = None
    is_voided: bool | None = None
    profile: NamespaceProfile | None = None
    equivalence: Equivalence | None = None
    takes_http: bool = False


def unchanged_correction(record: Registration) -> Correction:
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
        texts=dict(record.fields),
        is_voided=record.is_voided,
    )


def with_facts(
    version: StoredVersion, correction: Correction, space: IdentifierSpace, today: date
) -> Registration:
    """The record with the facts that a correction gives; InvalidFact for one it cannot hold."""
    stands = unchanged_correction(version.record)
    made: dict[str, Any] = {
        fact: read(_CorrectableFact(fact, value, version, space, today))
        for fact, read in _READERS.items()
        if (value := getattr(correction, fact)) is not None
        and _folded(value) != _folded(getattr(stands, fact))
    }
    texts = _corrected_texts(version, correction.texts or {}, today)
    record = replace(version.record, **made, fields=texts)
    record = _with_ending(record, REGISTRIES[version.registry], correction.is_voided)
    if record.is_voided and not version.record.is_voided and "successor" not in made:
        record = replace(record, successor=None)  # it took the place of a name that was in use
    if record.status is Status.REGISTERED and record.successor:
        sentence = (
            "An entry in use can't have a successor. Choose deprecated or former, or leave "
            "the successor empty."
        )
        raise InvalidFact("successor", sentence)
    return record


def _with_ending(record: Registration, registry: Registry, voids: bool | None) -> Registration:
    texts = dict(record.fields)
    was = texts.pop(ENDING, "")
    ending = was if voids is None else VOIDED if voids else ""
    if ending and not registry.voids:
        sentence = (
            f"A {registry.label} can't be voided. Enter its successor, or the reference of an "
            "order."
        )
        raise InvalidFact("status", sentence)
    if ending and record.status is Status.FORMER:
        texts[ENDING] = ending
    if texts.get(ENDING, "") == was:
        return record
    return replace(record, fields=registry.public_texts(texts))


def _corrected_texts(
    version: StoredVersion, given: Mapping[str, str], today: date
) -> tuple[tuple[str, str], ...]:
    registry, record = REGISTRIES[version.registry], version.record
    stands = dict(record.fields)
    changed = {
        field.name: _fitted(field, text)
        for field, text in _given_fields(registry, given)
        if field.chosen(text.strip()) != field.chosen(stands.get(field.name, ""))
    }
    if not changed:
        return record.fields
    texts = {**stands, registry.name_field.name: record.name, **changed}
    _check_texts(registry, texts, changed)
    completed = registry.kept_texts(texts, record.fields, today.isoformat())
    kept = {name: text for name, text in completed.items() if name in {*stands, *changed}}
    return registry.public_texts({**stands, **changed, **kept})


def _given_fields(registry: Registry, given: Mapping[str, str]) -> Iterator[tuple[Field, str]]:
    known = {field.name: field for field in registry.correctable_fields}
    for name, text in given.items():
        if name not in known:
            told = f"`{name[:40]}` of a {registry.label} can't be corrected. Remove it."
            raise InvalidFact(name, told)
        yield known[name], text


def _fitted(field: Field, text: str) -> str:
    try:
        return fit_text(field, text)
    except InvalidText as error:
        raise InvalidFact(field.name, str(error)) from error


def _check_texts(registry: Registry, texts: dict[str, str], changed: Collection[str]) -> None:
    asked = Submission(
        registry=registry.id, purpose=Purpose.REVISION, fields=texts, is_kept_apart=True
    )
    for found in check_submission(asked, registry.procedures[0]).problems.of_fields(changed):
        raise InvalidFact(found.field, found.message)


def _folded(value: str) -> str:
    return "\n".join(line.strip() for line in str(value).strip().splitlines())


@dataclass(frozen=True, slots=True)
class _CorrectableFact:
    name: str
    text: str
    version: StoredVersion
    space: IdentifierSpace
    today: date
    line: int = 0

    @property
    def record(self) -> Registration:
        return self.version.record

    @property
    def called(self) -> str:
        """What the table holds, as a sentence begins with it."""
        label = REGISTRIES[self.version.registry].label
        return f"{'An' if label[0] in 'aeiou' else 'A'} {label}"

    def refusal(self, sentence: str) -> InvalidFact:
        return InvalidFact(self.name, sentence, line=self.line)


def _rich(fact: _CorrectableFact) -> RichText:
    record = fact.record
    known = (*record.references, *xrefs_in(record.template), *xrefs_in(record.contact or ()))
    parts: list[str | Xref] = []
    for number, line in enumerate(fact.text.splitlines(), 1):
        at = replace(fact, line=number)
        try:
            parts += (_fit(part, known, at) for part in parse_lines(line, known))
        except (UnreadableReference, XmlValueError) as error:
            raise at.refusal(str(error)) from error
    return tuple(parts)


def _fit(part: str | Xref, known: tuple[Xref, ...], fact: _CorrectableFact) -> str | Xref:
    if isinstance(part, str):
        return check_text(part)
    if part in known:
        return part
    if part.type is XrefType.PERSON and person_versions.find_person(part.data) is None:
        raise fact.refusal(f"The registry has no contact with the ID `{part.data[:80]}`.")
    return add_title(check_xref(part))


def _references(fact: _CorrectableFact) -> tuple[Xref, ...]:
    parts = _rich(fact)
    if any(isinstance(part, str) for part in parts):
        raise fact.refusal("References can't contain text between them. Remove the quoted text.")
    return xrefs_in(parts)


def _contact(fact: _CorrectableFact) -> RichText | None:
    contact = _rich(fact)
    if REGISTRIES[fact.version.registry].numbering is None:
        raise fact.refusal(f"{fact.called} has no contact in the registry. Remove it.")
    if not contact:
        raise fact.refusal(f"{fact.called} has a contact. Enter it as a reference.")
    return contact


def _date(fact: _CorrectableFact) -> str | None:
    text = fact.text.strip()
    try:
        return check_past(check_date(text), fact.today) if text else None
    except XmlValueError as error:
        raise fact.refusal(str(error)) from error


def _status(fact: _CorrectableFact) -> Status:
    return Status(fact.text)


def _successor(fact: _CorrectableFact) -> str | None:
    name = fact.space.fold(nid_typed(fact.text))
    if not name:
        return None
    if name == fact.record.folded:
        raise fact.refusal("An entry can't be its own successor. Enter another one.")
    if names.find_latest(fact.space.id, name) is None:
        raise fact.refusal(f"`{name[:80]}` is not in the registry. Enter a registered identifier.")
    return name


_READERS: Mapping[str, Callable[[_CorrectableFact], Any]] = {
    "references": _references,
    "template": _rich,
    "contact": _contact,
    "date": _date,
    "updated": _date,
    "status": _status,
    "successor": _successor,
}
