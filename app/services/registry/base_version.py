"""What a revision changes: the registered text that it was begun from, and whether it is latest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.exports.content.selection import xrefs_in
from app.pages.namespaces.registrants import registrant_in
from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    Field,
    IdentifierSpace,
    Registry,
    Widget,
)
from app.registration.profiles.equivalence_answers import EQUIVALENCE, write_declaration
from app.registration.profiles.profile_answers import (
    PROFILE,
    SERVICES,
    write_profile,
    write_services,
)
from app.registration.records.former_holders import names_former_holder
from app.registration.records.registry_records import Purpose, Registration, Status, Xref, XrefType
from app.registration.records.succession import replacement_words
from app.registration.submissions.submission_rules import InvalidText, fit_text
from app.registration.templates.field_values import stated_version
from app.registration.templates.template_reader import read_template
from app.registration.templates.template_writer import format_template
from app.services.refusals import NotFound
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.editions import edition_rows
from app.store.registry import name_rows
from app.store.registry import record_versions as names
from app.store.registry.person_versions import people_of
from app.store.registry.record_versions import StoredVersion
from app.store.requests import draft_rows, iteration_rows, request_rows, requested_names
from app.store.tables import Request
from app.workflow.states import State

ORGANIZATION = "organization"  # where a record has a field for it
STATUS, SUCCESSOR = "status", "successor"  # beside the template, in what a revision sends
NONE = "-"  # in place of a successor, where its registrant says that there is none
_OF_THE_TEXT = frozenset({"version", "date", "revision_information"})


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """The registered record that a revision is based on, and the one that stands by now."""

    version: StoredVersion
    latest: StoredVersion
    is_closed: bool = False

    @property
    def is_latest(self) -> bool:
        """Whether the text is still the registered one; a correction of facts changes no text.

        Of a request that has ended nobody asks that any more: its own text may be the newer one.
        """
        return self.is_closed or template_of(self.version.record) == template_of(self.latest.record)


def template_of(record: Registration) -> tuple[object, ...]:
    """What makes the text of a template another one: its version and all that it says."""
    return record.version, record.fields, record.text


def base_of(request: Request) -> BaseVersion | None:
    """What a revision changes; None for a request for a new name."""
    if request.purpose != Purpose.REVISION:
        return None
    space = REGISTRIES[request.registry_id].space.id
    versions = names.versions_of(space, request.asked_name)
    (base,) = (version for version in versions if version.n == request.base_record)
    return BaseVersion(base, versions[-1], State(request.state).is_final)


def get_base(request: Request) -> BaseVersion:
    """The base version of a request; NotFound where it changes nothing registered."""
    base = base_of(request)
    if base is None:
        raise NotFound(
            use_case_codes.REQUEST_UNKNOWN,
            (f"Request {request.number} is for a new namespace and has no earlier version."),
        )
    return base


def is_latest(request: Request) -> bool:
    """Whether a revision was written for what is registered now."""
    base = base_of(request)
    return base is not None and base.is_latest


def tells_differences(request: Request) -> bool:
    """Whether the newest text of a revision says what differs."""
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    return sent is not None and bool(sent.fields.get("revision_information", "").strip())


def is_agreed(request: Request) -> bool:
    """Whether the one who sent the newest text acts for the registrant of record now."""
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    return sent is not None and sent.author in delegate_rows.acting_for(request)


def is_transferred(held: DelegateScope | None) -> bool:
    """Whether a name went to another registrant after its text was registered."""
    moved = delegate_rows.last_transfer(held) if held else None
    if held is None or moved is None:
        return False
    return names_former_holder(
        reversed(names.versions_of(held.space.id, held.name)),
        lambda version: template_of(version.record),
        lambda version: moved >= edition_rows.get_edition(version.edition).as_of,
    )


def version_of(record: Registration) -> int | None:
    """The version of a template: what the registry has counted, else what the text states."""
    return record.version if record.version is not None else stated_version(record.text)


def known_fields(record: Registration, registry: Registry) -> dict[str, str]:
    """What is known of a namespace, field by field, whatever form it is on file in."""
    read = dict(record.fields) or read_template(record.text).fields
    fields = registry.named
    known = {
        name: fit_to_field(fields[name], text) for name, text in read.items() if name in fields
    }
    if not record.has_template:
        known["documentation"] = "\n".join(filter(None, map(_address, record.references)))
    return {name: text for name, text in known.items() if text}


def _address(xref: Xref) -> str:
    if xref.type is XrefType.RFC:
        return f"RFC {xref.data.removeprefix('rfc')}"
    return xref.data if xref.type is XrefType.URI else ""


def fit_to_field(field: Field, text: str) -> str:
    """A text as its field takes it; empty where it takes no such text."""
    shown = "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)
    try:
        return fit_text(field, shown)
    except InvalidText:
        return ""


def initial_draft(record: Registration, registry: Registry) -> dict[str, object]:
    """The draft with which a revision begins: all that is known, and nothing that changes."""
    known = known_fields(record, registry)
    unchanging = _of_the_name(registry)
    declared = declared_texts(record)
    return {name: text for name, text in declared.items() if text} | {
        "fields": {name: text for name, text in known.items() if name not in unchanging},
        "organization": organization_of(record)[:200],
        STATUS: str(record.status),
        SUCCESSOR: record.successor or (NONE if record.status is Status.DEPRECATED else ""),
    }


def declared_texts(record: Registration) -> dict[str, str]:
    """What is registered beside the template, as the texts by which a revision says it."""
    return {
        EQUIVALENCE: write_declaration(record.equivalence),
        PROFILE: write_profile(record.profile),
        SERVICES: write_services(record.profile.resolution),
    }


def _of_the_name(registry: Registry) -> frozenset[str]:
    return _OF_THE_TEXT | {registry.name_field.name}


def compared_fields(fields: Mapping[str, str], registry: Registry) -> dict[str, str]:
    """What of a text is compared with the registered one: not what is new in every text."""
    named = {one.name for one in registry.public_fields if one.widget is not Widget.FILLED_IN}
    asked = named - _of_the_name(registry)
    return {name: text for name, text in fields.items() if name in asked and text}


def organization_of(record: Registration) -> str:
    """Return the registrant's organization as the registry publishes it, or "" if unknown.

    Older software published the first line of Registrant, with a street address for example: then
    the answer in the request goes before it.
    """
    said, holder = dict(record.fields).get(ORGANIZATION, ""), record.profile.holder
    if said:
        return said
    held = delegate_rows.find_name(record.space, record.folded)
    if holder and (is_transferred(held) or holder != registrant_in(record)):
        return holder
    request = request_rows.find_request(record.request) if record.request else None
    if request is not None and request.organization:
        return request.organization
    if holder:
        return holder
    for xref in (*record.references, *xrefs_in(record.contact or ())):
        if xref.type is XrefType.URI and xref.label:
            return xref.label
        for person in people_of([xref.data]) if xref.type is XrefType.PERSON else ():
            return person.org or person.name or ""
    return ""


@dataclass(frozen=True, slots=True)
class RevisedStatus:
    """What becomes of a name by a revision: it stays in use, is deprecated, or ends.

    ``is_said`` tells whether a successor is named, or said not to be there.
    """

    status: Status = Status.REGISTERED
    successor: str = ""
    is_said: bool = True

    @property
    def is_deprecated(self) -> bool:
        """Whether its use is no longer recommended, or ends."""
        return self.status is not Status.REGISTERED

    @property
    def is_over(self) -> bool:
        """Whether it is used no more, since its holder ceases."""
        return self.status is Status.FORMER


def revised_status(fields: Mapping[str, str], registry: Registry) -> RevisedStatus:
    """What a text that was sent says of the namespace."""
    status = fields.get(STATUS, "")
    if status not in {Status.DEPRECATED, registry.ends_as}:
        return RevisedStatus()
    said = fields.get(SUCCESSOR, "").strip()
    return RevisedStatus(
        Status(status), "" if said == NONE else registry.fold(said), is_said=bool(said)
    )


def fate_of(base: BaseVersion, fields: Mapping[str, str], registry: Registry) -> RevisedStatus:
    """What becomes of a namespace by a text: what that leaves alone is as it is by now."""
    said, begun, latest = revised_status(fields, registry), base.version.record, base.latest.record
    if base.is_closed or (said.status, said.successor) != (begun.status, begun.successor_folded):
        return said
    return RevisedStatus(latest.status, latest.successor_folded)


def text_of(fields: Mapping[str, str], registry: Registry) -> str:
    """A text that was sent, or is to be, as one mails it.

    Where it deprecates the namespace, the line above it says so, which no field is read from.
    """
    return format_template(fields, registry.public_fields, _status_title(fields, registry))


def _status_title(fields: Mapping[str, str], registry: Registry) -> str:
    fate = revised_status(fields, registry)
    if not fate.is_deprecated:
        return ""
    successor = registry.space.whole(fate.successor) if fate.successor else ""
    done = "ends" if fate.is_over else "deprecates"
    return f"This revision {done} the {registry.space.label}. {replacement_words(successor)}"


def status_problem(fate: RevisedStatus, name: str, space: IdentifierSpace) -> str:
    """Why a name cannot be deprecated so; empty where it can."""
    if not fate.is_said:
        return f"Enter the {space.label} that replaces it, or choose that there is none."
    if not fate.is_deprecated or not fate.successor:
        return ""
    if fate.successor == name:
        return "It can’t replace itself. Enter another identifier, or choose that there is none."
    found = names.find_latest(space.id, fate.successor)
    if found is None or found.record.status is Status.FORMER:
        return (
            f"`{fate.successor[:80]}` isn’t registered. Enter a registered identifier, or "
            "choose that there is none."
        )
    return ""


def status_advice(fate: RevisedStatus, space: IdentifierSpace) -> str:
    """What to look at in a successor that is registered; empty where nothing is to be."""
    found = names.find_latest(space.id, fate.successor) if fate.successor else None
    if found is None or found.record.status is not Status.DEPRECATED:
        return ""
    return f"`{fate.successor}` is deprecated too. Enter the identifier that replaces both."


@dataclass(frozen=True, slots=True)
class PrivateChange:
    """One thing that the registry alone is told: what it has on file, and what is to be there."""

    label: str
    before: str
    after: str


def changes_nothing(
    request: Request, base: BaseVersion, fields: Mapping[str, str], organization: str
) -> bool:
    """Whether a revision leaves all as it stands by now; what its text says of it is no change."""
    registry, now = REGISTRIES[request.registry_id], base.latest.record
    registered = registered_texts(now, registry)
    fate = fate_of(base, fields, registry)
    return (
        not base.is_closed
        and (fate.status, fate.successor) == (now.status, now.successor_folded)
        and _plain(revised_texts(fields, organization, registered, registry)) == _plain(registered)
        and not private_changes(request, base)
    )


def _plain(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: text.strip() for name, text in texts.items() if text.strip()}


def comparable_text(fields: Mapping[str, str], organization: str) -> dict[str, str]:
    """A text as it is held against another: who asks with it is a part of it."""
    return {ORGANIZATION: organization, **fields}


def registered_texts(record: Registration, registry: Registry) -> dict[str, str]:
    """All that is registered and that a revision may change, in its template and beside it."""
    fields = compared_fields(known_fields(record, registry), registry) | declared_texts(record)
    return comparable_text(fields, organization_of(record))


def revised_texts(
    fields: Mapping[str, str],
    organization: str,
    registered: Mapping[str, str],
    registry: Registry,
) -> dict[str, str]:
    """All that a revision says; one that says nothing of its profile leaves that as it is."""
    spoken = fields if fields.get(PROFILE) or fields.get(SERVICES) else registered
    beside = {name: spoken.get(name, "") for name in (PROFILE, SERVICES)}
    said = {**compared_fields(fields, registry), EQUIVALENCE: fields.get(EQUIVALENCE, ""), **beside}
    return comparable_text(said, organization)


def private_changes(request: Request, base: BaseVersion) -> tuple[PrivateChange, ...]:
    """What a revision changes of what the registry alone is told; what it leaves empty stays."""
    given = draft_rows.private_values(request.number)
    on_file = _private_on_file(base) if given else {}
    return tuple(
        PrivateChange(field.label, on_file.get(field.name, ""), given[field.name])
        for field in REGISTRIES[request.registry_id].fields
        if not field.public and given.get(field.name)
        if given[field.name] != on_file.get(field.name, "")
    )


def _private_on_file(base: BaseVersion) -> dict[str, str]:
    record = base.version.record
    held = delegate_rows.find_name(record.space, record.folded)
    moved = delegate_rows.last_transfer(held) if held else None
    told: dict[str, str] = {}
    for version in names.versions_of(record.space.id, record.folded):
        number = version.record.request if version.n <= base.version.n else None
        request = request_rows.find_request(number) if number is not None else None
        if request is not None and (moved is None or request.since > moved):
            given = draft_rows.private_values(request.number)
            told |= {name: text for name, text in given.items() if text}
    return told


PENDING = tuple(state for state in State if not state.is_final and not state.is_private)
NamesAsked = list[tuple[int, str]]  # of open requests: their numbers, what they ask for


@dataclass(frozen=True, slots=True, order=True)
class CompetingRequest:
    """A request that asks for a name, since when, and which it is; the first sent comes first."""

    sent: datetime
    number: int
    name: str


def names_asked(request: Request) -> NamesAsked:
    """What the open requests ask for in the registry of one of them, that one among them."""
    return requested_names.names_asked(request.registry_id, PENDING)


def requests_competing_with(
    request: Request, name: str, known: Callable[[], NamesAsked] | None = None
) -> NamesAsked:
    """The other open requests for a folded name or one that reads like it.

    ``known`` gives what open requests ask for, where somebody has read that already.
    """
    registry = REGISTRIES[request.registry_id]
    asking = (known() if known else names_asked(request)) if name else []
    alike = names_by_shape(registry, asking).get(registry.space.shape(name), [])
    return [(number, asked) for number, asked in alike if number != request.number]


def names_by_shape(registry: Registry, asked: NamesAsked) -> dict[str, NamesAsked]:
    """The names of ``asked`` that read alike together, by the shape that they have."""
    found: dict[str, NamesAsked] = {}
    for number, name in asked:
        found.setdefault(registry.space.shape(name), []).append((number, name))
    return found


def request_registered_at_iana(request: Request, name: str) -> int | None:
    """The other request for which IANA registered a folded name that is not registered here."""
    there = requested_names.names_at_iana(request.registry_id, PENDING)
    space = REGISTRIES[request.registry_id].space
    others = (number for number, given in there if number != request.number and given == name)
    other = next(others, None)
    return None if other is None or name_rows.is_taken(space.id, name) else other


def sort_by_first_sent(request: Request, asked: NamesAsked) -> list[CompetingRequest]:
    """A request and the others that ``asked`` names, the one that asked for its name first first.

    Who asks for another name in a later text asks for it since that text.
    """
    every = [(request.number, request.asked_name), *asked]
    registry = REGISTRIES[request.registry_id]
    return sorted(
        CompetingRequest(sent, number, name)
        for number, name in every
        if (sent := _asked_since(registry, number, name)) is not None
    )


def _asked_since(registry: Registry, number: int, name: str) -> datetime | None:
    since = None
    for text in reversed(iteration_rows.iterations_of(number)):
        if registry.space.fold(text.fields.get(registry.name_field.name, "")) != name:
            break
        since = text.at
    return since


def requests_sent_before(request: Request, asking: NamesAsked) -> list[CompetingRequest]:
    """The other open requests that asked for the very name of a request before it did."""
    name = request.asked_name
    rivals = [(number, asked) for number, asked in asking if asked == name and name]
    others = [pair for pair in rivals if pair[0] != request.number]
    if not others:
        return []
    ordered = sort_by_first_sent(request, others)
    own = next((one for one in ordered if one.number == request.number), None)
    return [one for one in ordered if own is not None and one < own]
