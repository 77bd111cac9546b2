"""Registering: a name is given for ever, and the next edition of the registry with it."""

import re
from dataclasses import dataclass
from datetime import datetime

from app.exports.place import Place
from app.exports.xml_forms import UnfitValue, check_xref
from app.registration.declarations import REGISTRIES, TEMPLATE_FIELDS
from app.registration.records import Registration, RegistrySnapshot, Style, Xref, XrefType
from app.services.files import edition_files
from app.services.refusals import NameTaken, Refusal, Unfit
from app.services.registry import alone, open_edition, sort_key
from app.store import counters, requests, search
from app.store import registry as names
from app.store.tables import Request
from app.store.tables.registry import Cause

_RFC = re.compile(r"RFC ?([0-9]{1,5})", re.ASCII | re.IGNORECASE)
# Whether something can be written does not depend on where it is published.
_ANYWHERE = Place("https://registry.example")
_URL = re.compile(r"https?://[^\s<>\"'()`]+[^\s<>\"'()`.,;:]", re.ASCII)


class NoNumbersHere(Refusal):
    """A registry that only prepares requests gives neither names nor numbers."""

    def __init__(self) -> None:
        super().__init__(
            "This registry prepares requests to IANA and registers nothing. Send the template on."
        )


@dataclass(frozen=True, slots=True)
class Reference:
    """What the registry will refer to: an RFC, or an address with the name of its owner."""

    data: str
    label: str = ""


PLACEHOLDER = Reference("https://example.org/", "to be entered")


def is_usable(reference: Reference) -> bool:
    """Whether the registry could refer to it as it is."""
    try:
        xref_of(reference)
    except Unfit:
        return False
    return True


def suggested_reference(documentation: str, organization: str) -> Reference:
    """What the operator will most likely refer to: the first RFC or address in a text."""
    rfc = _RFC.search(documentation)
    if rfc:
        return Reference(f"RFC {int(rfc[1])}")
    url = _URL.search(documentation)
    return Reference(url[0] if url else "", organization)


def xref_of(reference: Reference) -> Xref:
    """A reference as the registry writes it; Unfit for what is neither RFC nor address."""
    text = reference.data.strip()
    rfc = _RFC.fullmatch(text)
    if rfc:
        return Xref(XrefType.RFC, f"rfc{int(rfc[1])}")
    if not _URL.fullmatch(text) or len(text) > 500:
        raise Unfit("Enter the reference as an RFC, such as RFC 8141, or as an https:// address.")
    if not reference.label.strip():
        raise Unfit("Enter the name of the organization that the address belongs to.")
    xref = Xref(XrefType.URI, text, reference.label.strip())
    try:
        check_xref(xref)
    except UnfitValue as error:  # the edition could not be written with it
        raise Unfit(f"The registry cannot hold this reference: {error}") from error
    return xref


def registration_of(
    request: Request, name: str, reference: Reference, day: str, base_url: str
) -> Registration:
    """The record that a request becomes, as every format will show it."""
    registry = REGISTRIES[request.registry_id]
    fields = _fields_of(request) | {"namespace_identifier": name}
    xref = xref_of(reference)
    address = f"{base_url}/assignments/urn-{registry.kind}/{name}"
    informal = registry.numbering is not None
    linked = Xref(XrefType.URI, address, name if informal else f"{name}-template")
    return Registration(
        name=name,
        date=day,
        template=() if informal else (linked,),
        references=(linked,) if informal else (xref,),
        contact=(xref,) if informal else None,
        version=int(fields["version"]),
        style=Style.RFC8141,
        fields=tuple((f.name, fields[f.name]) for f in TEMPLATE_FIELDS if fields.get(f.name)),
        request=request.number,
    )


def _fields_of(request: Request) -> dict[str, str]:
    sent = requests.find_iteration(request.number, request.iterations)
    return dict(sent.fields) if sent else {}


def register(
    request: Request,
    reference: Reference,
    at: datetime,
    *,
    authority: str,
    notice: str,
    base_url: str,
) -> tuple[str, int]:
    """Give the name, keep its record, open the next edition: all in the caller's transaction.

    Gives the name and the edition. Raises NameTaken where somebody has the name by now,
    NoNumbersHere in a registry that registers nothing, and Unfit for what no format holds.
    """
    if authority == "proposal":
        raise NoNumbersHere
    edition = open_edition(at, Cause.REGISTRATION, notice)
    record = registration_of(
        request, _name_for(request), reference, at.date().isoformat(), base_url
    )
    _give(record, request.registry_id, names.Change(edition=edition, cause=Cause.REGISTRATION))
    check_writable(alone(edition, request.registry_id, record))
    request.assigned_name, request.edition = record.folded, edition
    return record.name, edition


def _give(record: Registration, registry: str, change: names.Change) -> None:
    try:
        names.add_record(record, registry, sort_key(registry, record.folded), change)
    except names.NameTaken as error:
        raise NameTaken(
            f"`{record.name}` was registered for another request just now. Report the collision."
        ) from error


def check_writable(snapshot: RegistrySnapshot) -> None:
    """Raise Unfit unless every format can hold what is registered: once given, it stands."""
    try:
        for _ in edition_files(snapshot, _ANYWHERE):
            pass
    except ValueError as error:
        raise Unfit(f"The registry cannot be written with this entry. {error}") from error


def _name_for(request: Request) -> str:
    numbering = REGISTRIES[request.registry_id].numbering
    if numbering is None:
        return request.asked_name
    return f"{numbering.prefix}{counters.next_number(numbering.counter)}"


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The row as it will stand, between the rows before and after it."""

    before: Registration | None
    record: Registration
    after: Registration | None


def neighbours(request: Request, reference: Reference, day: str, base_url: str) -> Neighbours:
    """Where a request's record will stand in its table."""
    record = registration_of(request, _next_name(request), reference, day, base_url)
    own = sort_key(request.registry_id, record.folded)
    before, after = search.beside(request.registry_id, own, record.folded)
    return Neighbours(before, record, after)


def _next_name(request: Request) -> str:
    numbering = REGISTRIES[request.registry_id].numbering
    if numbering is None:
        return request.asked_name
    return f"{numbering.prefix}{counters.current(numbering.counter) + 1}"
