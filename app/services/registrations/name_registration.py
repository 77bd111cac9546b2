"""Registering: a name is given for ever, and the next edition of the registry with it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from random import Random, SystemRandom

from app.exports.content.selection import people_named
from app.exports.serialization.xml_values import XmlValueError, check_xref
from app.pages.lists.registry_list import RegistryListRow, row_of
from app.pages.namespaces.registrants import with_holder
from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    DrawnNumbering,
    Numbering,
    Registry,
)
from app.registration.declarations.registry_groups import group_of
from app.registration.profiles.equivalence_answers import declared_equivalence, revised_equivalence
from app.registration.profiles.profile_answers import registered_profile, revised_profile
from app.registration.records.registry_records import (
    Purpose,
    Registration,
    RegistrySnapshot,
    SubRegistry,
    TemplateStyle,
    Xref,
    XrefType,
)
from app.registration.submissions.number_placeholders import put_number
from app.services.policy import PRIVATE
from app.services.refusals import EditConflict, InvalidInput, NameUnavailable, Refusal
from app.services.registry.base_version import (
    BaseVersion,
    base_of,
    fate_of,
    get_base,
    organization_of,
)
from app.services.registry.snapshots import (
    ANY_EDITION,
    check_writable,
    open_edition,
    single_record_snapshot,
    taken_index,
)
from app.store import counters
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.editions import edition_rows
from app.store.registry import name_rows, search_index
from app.store.registry import record_versions as names
from app.store.registry.person_versions import people_of
from app.store.requests import iteration_rows
from app.store.tables import Request
from app.store.tables.delegates import DelegateOrigin
from app.store.tables.registry import Cause
from app.workflow.evidence import Evidence

_CHANCE = SystemRandom()


def given_name(registry_id: str, asked: str, prefix: str = "", chance: Random | None = None) -> str:
    """The name that a new record gets: the one that is asked for, or a number of the registry's.

    Nobody else has a number of it before the commit, so that no two get one. Raises NameUnavailable
    where none is left.
    """
    numbering = REGISTRIES[registry_id].numbering
    if numbering is None:
        return asked
    if isinstance(numbering, Numbering):
        counters.hold(numbering.counter)
        number = _next_free(registry_id, numbering)
        counters.raise_to(numbering.counter, number)
        return numbering.name_of(number)
    return _drawn(registry_id, numbering, prefix, chance or _CHANCE)


def _next_free(registry_id: str, numbering: Numbering) -> int:
    space = REGISTRIES[registry_id].space
    taken = frozenset(name_rows.names_within(space.id, numbering.prefix))
    after = counters.current(numbering.counter) + 1
    return next(number for number in count(after) if numbering.name_of(number) not in taken)


def _drawn(registry_id: str, numbering: DrawnNumbering, prefix: str, chance: Random) -> str:
    counters.hold(numbering.counter)
    spaces = group_of(registry_id).spaces
    known = [name for space in spaces for name in name_rows.taken_names(space.id)]
    try:
        return numbering.draw(chance, known, prefix)
    except ValueError as error:
        raise NameUnavailable(use_case_codes.NAME_TAKEN, str(error)) from error


def is_drawn(registry_id: str, purpose: str) -> bool:
    """Whether a request gets a name by chance, so that nobody knows it before it is given."""
    is_new = purpose != Purpose.REVISION
    return is_new and isinstance(REGISTRIES[registry_id].numbering, DrawnNumbering)


def likely_name(registry_id: str, purpose: str, asked: str, prefix: str = "") -> str:
    """The name that a request would get now: the one it asks for, the next number, or an example
    where it will be drawn, which then begins with a prefix.
    """
    numbering = REGISTRIES[registry_id].numbering
    if purpose == Purpose.REVISION or numbering is None:
        return asked
    if isinstance(numbering, DrawnNumbering):
        return numbering.example_with(prefix)
    return numbering.name_of(_next_free(registry_id, numbering))


def next_numbers(registries: Iterable[Registry]) -> dict[str, str]:
    """The next name of each registry that counts its names, by its id."""
    return {
        one.id: likely_name(one.id, Purpose.NEW, "")
        for one in registries
        if isinstance(one.numbering, Numbering)
    }


_RFC = re.compile(r"RFC ?([0-9]{1,5})", re.ASCII | re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>\"'()`]+[^\s<>\"'()`.,;:]", re.ASCII)


class RegistrationDisabled(Refusal):
    """A registry that only prepares requests gives neither names nor numbers."""

    def __init__(self) -> None:
        super().__init__(
            use_case_codes.REGISTRATION_DISABLED,
            "This site prepares requests for IANA and can't register. Send the template to "
            "IANA instead.",
        )


@dataclass(frozen=True, slots=True)
class Reference:
    """What the registry will refer to: an RFC, or an address with the name of its owner."""

    data: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class FormatTrial:
    """What every format held ahead of a registration, and the newest edition by then."""

    edition: int
    snapshot: RegistrySnapshot

    def holds(self, edition: int, registry: str, record: Registration, notice: str) -> bool:
        """Whether it was this record, as the edition that was opened now is to hold it.

        Where no other was opened since, all that an edition says besides is what it was.
        """
        if self.edition + 1 == edition:
            tables = {table.id: table.records for table in self.snapshot.registries}
            return (tables.get(registry), self.snapshot.notice) == ((record,), notice)
        return self.snapshot == replace(_whole(edition, registry, record), edition=ANY_EDITION)


STATED = "base_version"  # the operator's answer: which version of the template is registered now


def missing_in_reference(reference: Reference) -> str:
    """Return the details that the reference needs; "" if it is complete."""
    try:
        xref_of(reference)
    except InvalidInput as error:
        return str(error)
    return ""


def suggestion_for(request: Request, documentation: str) -> Reference:
    """The reference that a request suggests; a revision keeps what is referred to."""
    if request.purpose == Purpose.REVISION:
        return Reference("")
    return suggested_reference(documentation, request.organization)


def suggested_reference(documentation: str, organization: str) -> Reference:
    """What the operator will most likely refer to: the first RFC or address in a text."""
    rfc = _RFC.search(documentation)
    if rfc:
        return Reference(f"RFC {int(rfc[1])}")
    url = _URL.search(documentation)
    return Reference(url[0] if url else "", organization)


def xref_of(reference: Reference) -> Xref:
    """A reference as the registry writes it; InvalidInput for what is neither RFC nor address."""
    text = reference.data.strip()
    rfc = _RFC.fullmatch(text)
    if rfc:
        return Xref(XrefType.RFC, f"rfc{int(rfc[1])}")
    if not _URL.fullmatch(text) or len(text) > 500:
        raise InvalidInput(
            use_case_codes.REFERENCE_INVALID,
            "Enter the reference as an RFC, such as RFC 8141, or as an https:// address.",
            field="reference",
        )
    if not reference.label.strip():
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the organization that owns the address.",
            field="label",
        )
    xref = Xref(XrefType.URI, text, reference.label.strip())
    try:
        check_xref(xref)
    except XmlValueError as error:  # the edition could not be written with it
        raise InvalidInput(
            use_case_codes.REFERENCE_INVALID,
            f"This reference is not valid: {error}",
            field="reference",
        ) from error
    return xref


def registration_of(
    request: Request,
    name: str,
    reference: Reference | None,
    day: str,
    base_url: str,
    stated: int | None = None,
) -> Registration:
    """The record that a request becomes, as every format will show it.

    Without a reference a new record refers to nothing, and a revision keeps what is referred to.

    ``stated`` is the version that a revision changes, where only the operator knows it.
    """
    base = base_of(request)
    if base is not None:
        return _revised(request, base, reference, day, base_url, stated)
    registry = REGISTRIES[request.registry_id]
    fields = _fields_of(request, name) | {registry.name_field.name: name}
    fields |= registry.completed(fields, day) if registry.completed else {}
    given = (xref_of(reference),) if reference and registry.has_references else ()
    links = record_links(request.registry_id, name, given, base_url)
    made = Registration(
        name=name,
        date=day,
        template=links.template,
        references=links.references,
        contact=links.contact,
        version=int(fields.get("version", 1)) if registry.template_page else None,
        style=TemplateStyle.RFC8141 if registry.template_page else TemplateStyle.FACTS,
        fields=registry.public_texts(fields),
        equivalence=declared_equivalence(fields),
        profile=registered_profile(fields, name),
        request=request.number,
        space=registry.space,
    )
    return with_holder(made, organization=request.organization)


@dataclass(frozen=True, slots=True)
class RecordLinks:
    """What a record refers to: its template here, what it is registered by, whom to ask."""

    template: tuple[Xref, ...] = ()
    references: tuple[Xref, ...] = ()
    contact: tuple[Xref, ...] | None = ()


def record_links(
    registry_id: str, name: str, given: tuple[Xref, ...], base_url: str
) -> RecordLinks:
    """What the record of a name refers to, with what is ``given`` for it.

    A number has its template in the place of a reference, and a registry that refers to nothing
    has neither.
    """
    registry = REGISTRIES[registry_id]
    if not registry.has_references:
        return RecordLinks()
    address, informal = base_url + registry.template_page.format(name), bool(registry.numbering)
    link = Xref(XrefType.URI, address, name if informal else f"{name}-template")
    if informal:
        return RecordLinks((), (link,), given)
    return RecordLinks((link,), given, None)


def _revised(
    request: Request,
    base: BaseVersion,
    reference: Reference | None,
    day: str,
    base_url: str,
    stated: int | None,
) -> Registration:
    latest = base.latest.record
    known = stated if request.base_version is None else request.base_version
    version = None if known is None else known + 1
    fields, registry = _fields_of(request, latest.name), REGISTRIES[request.registry_id]
    fields[registry.name_field.name] = latest.name
    fields["version"] = "" if version is None else str(version)
    fields |= registry.kept_texts(fields, latest.fields, day)
    given = (xref_of(reference),) if reference and reference.data.strip() else None
    links = record_links(request.registry_id, latest.name, given or latest.references, base_url)
    fate, begun_from = fate_of(base, fields, registry), base.version.record
    revised = replace(
        latest,
        updated=day,
        template=links.template,
        references=links.references,
        contact=None if links.contact is None else given or latest.contact or (),
        status=fate.status,
        successor=fate.successor or None,
        version=version,
        style=TemplateStyle.RFC8141 if registry.template_page else TemplateStyle.FACTS,
        fields=registry.public_texts(fields),
        equivalence=revised_equivalence(fields, begun_from.equivalence, latest.equivalence),
        profile=revised_profile(fields, latest.name, begun_from.profile, latest.profile),
        request=request.number,
        text="",
        text_source="",
    )
    if request.organization not in ("", organization_of(begun_from)):
        # the revision changes it; anything else that was corrected in the meantime stays
        revised = replace(revised, profile=replace(revised.profile, holder=""))
    return with_holder(revised, latest, request.organization)


def _fields_of(request: Request, name: str) -> dict[str, str]:
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    fields = dict(sent.fields) if sent else {}
    is_counted = isinstance(REGISTRIES[request.registry_id].numbering, Numbering)
    return put_number(fields, name) if is_counted else fields


def register(
    request: Request,
    reference: Reference | None,
    at: datetime,
    *,
    authority: str,
    notice: str,
    base_url: str,
    number_prefix: str = "",
    stated: int | None = None,
    tried: FormatTrial | None = None,
) -> tuple[str, int]:
    """Give the name or change its record, and open the next edition, in the caller's transaction.

    Gives the name and the edition. Numbers that are drawn begin with ``number_prefix``. What was
    ``tried`` ahead is not tried again. Raises NameUnavailable where somebody has the name by now,
    EditConflict where another revision was quicker, RegistrationDisabled in a registry that
    registers nothing, and InvalidInput for what no format holds.
    """
    if authority == "proposal":
        raise RegistrationDisabled
    group, day = group_of(request.registry_id), at.date().isoformat()
    lists = authority == PRIVATE
    # nobody else registers from here
    edition = open_edition(group, at, Cause.REGISTRATION, notice, lists_panel=lists)
    change = names.RecordChange(edition=edition, cause=Cause.REGISTRATION)
    if request.purpose == Purpose.REVISION:
        record = _change(request, reference, day, base_url, stated, change)
    else:
        name = given_name(request.registry_id, request.asked_name, number_prefix)
        record = registration_of(request, name, reference, day, base_url)
        ident = _give(record, request.registry_id, change)
        held = DelegateScope(record.folded, name_id=ident, space=record.space)
        # whoever acted for the request acts for the name from now on
        delegate_rows.add_first(
            held, delegate_rows.acting_for(request), DelegateOrigin.REGISTERED, at
        )
    if not (tried and tried.holds(edition, request.registry_id, record, notice)):
        check_writable(_whole(edition, request.registry_id, record))
    request.assigned_name, request.edition = record.folded, edition
    return record.name, edition


def try_formats(
    request: Request,
    reference: Reference | None,
    at: datetime,
    *,
    notice: str,
    base_url: str,
    stated: int | None = None,
) -> FormatTrial | None:
    """Try the record that a request would become now in every format, before anybody has to wait.

    What ``register`` then gives is this record, which is not tried again, or another one, where
    something came between: that is tried under the lock. Nothing is refused here, since who may
    register what is settled there: None for a record that no format holds, or that there is none,
    and where the name will be drawn: before it is known it would be tried in vain.
    """
    if is_drawn(request.registry_id, request.purpose):
        return None
    taken_index(REGISTRIES[request.registry_id].space)  # made anew for each edition
    latest, day = edition_rows.latest_edition(group_of(request.registry_id)), at.date().isoformat()
    name = likely_name(request.registry_id, request.purpose, request.asked_name)
    if latest is None or bool(latest.notice) != bool(notice):  # on which its notes depend
        return None
    try:
        record = registration_of(request, name, reference, day, base_url, stated)
        now = _whole(latest.n, request.registry_id, record)
        now = replace(now, updated=day, notice=notice, edition=ANY_EDITION)
        tried = FormatTrial(latest.n, now)
        check_writable(tried.snapshot)
    except Refusal:
        return None
    return tried


def _whole(edition: int, registry: str, record: Registration) -> RegistrySnapshot:
    return replace(
        single_record_snapshot(edition, registry, record), people=people_of(people_named(record))
    )


def _change(
    request: Request,
    reference: Reference | None,
    day: str,
    base_url: str,
    stated: int | None,
    change: names.RecordChange,
) -> Registration:
    base = get_base(request)
    if not base.is_latest:
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            Evidence.BASE_LATEST.sentence,
        )
    record = _revised(request, base, reference, day, base_url, stated)
    if record.version is None and REGISTRIES[request.registry_id].template_page:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            "Enter the registered version of the template. It isn't recorded here.",
            field=STATED,
        )
    names.add_version(record, request.registry_id, base.latest.sort_key, change)
    return record


def _give(record: Registration, registry: str, change: names.RecordChange) -> int:
    try:
        return names.add_record(
            record, registry, REGISTRIES[registry].sort_key(record.folded), change
        )
    except name_rows.NameTaken as error:
        raise NameUnavailable(
            use_case_codes.NAME_TAKEN,
            f"`{record.name}` has just been registered for another request. Report the collision.",
        ) from error


def read_version(text: str) -> int | None:
    """The number of a version as it was typed; None for what is none."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 5 else None


@dataclass(frozen=True, slots=True)
class RecordNeighbours:
    """A record as it will stand, and ``rows``: its own between those before and after it, each
    with all that the published table shows.
    """

    record: Registration
    rows: tuple[RegistryListRow, ...]


def neighbours(
    request: Request, reference: Reference | None, day: str, base_url: str, number_prefix: str = ""
) -> RecordNeighbours:
    """Where a request's record will stand in its table."""
    name = likely_name(request.registry_id, request.purpose, request.asked_name, number_prefix)
    return place_record(
        request.registry_id, registration_of(request, name, reference, day, base_url)
    )


def place_record(registry_id: str, record: Registration) -> RecordNeighbours:
    """A record between those before and after it in a table."""
    own = REGISTRIES[registry_id].sort_key(record.folded)
    before, after = search_index.neighbours_of(registry_id, own, record.folded)
    shown = [one for one in (before, record, after) if one]
    named = {ident for one in shown for ident in people_named(one)}
    people = {person.id: person for person in people_of(named)}
    table = SubRegistry(id=registry_id, title="")
    return RecordNeighbours(record, tuple(row_of(table, one, people) for one in shown))
