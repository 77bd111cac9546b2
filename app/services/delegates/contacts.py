"""The contact of record: whom a name's registrant can be reached by, told to nobody."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from app.exports.content.selection import people_named
from app.registration.declarations.registries import REGISTRIES, Widget
from app.registration.records.registry_records import Registration
from app.registration.submissions.mail_addresses import addresses_in
from app.registration.templates.template_reader import read_template
from app.services.accounts.sign_in import checked_address
from app.services.refusals import InvalidInput
from app.services.registry.base_version import is_transferred
from app.store.accounts.delegate_rows import DelegateScope, last_transfer
from app.store.registry.person_versions import people_of
from app.store.registry.record_versions import versions_of
from app.store.requests import draft_rows, request_rows

MOST = 5
_MAILTO = "mailto:"


@dataclass(frozen=True, slots=True)
class Contact:
    """An address on file, and in which words strangers hear of it."""

    address: str
    where: str


def contacts_on_file(record: Registration, held: DelegateScope) -> tuple[Contact, ...]:
    """The contact of record; none where the name went to another registrant since.

    What is on file speaks of the former one then, until the new one revises it. Who revises a name
    and leaves the private contact empty keeps the one that was there, unless another registrant
    gave it.
    """
    if is_transferred(held):
        return ()
    return contacts_of(record, () if last_transfer(held) else _earlier_requests(record))


def _earlier_requests(record: Registration) -> Iterator[int]:
    """The requests by which a name was registered and changed before, the newest first."""
    for version in reversed(versions_of(record.space.id, record.folded)):
        if version.record.request not in (None, record.request):
            yield version.record.request


def contacts_of(record: Registration, earlier: Iterable[int] = ()) -> tuple[Contact, ...]:
    """The addresses on file for a name's registrant, each once.

    The private ones are of its own request, or of the first of ``earlier`` ones that gave some.
    """
    found: dict[str, Contact] = {}
    for text, where in _on_file(record, earlier):
        try:
            address = checked_address(text.replace("&", "@", 1))
        except InvalidInput:
            continue
        found.setdefault(address, Contact(address, where))
    return tuple(found.values())[:MOST]


def _on_file(record: Registration, earlier: Iterable[int]) -> Iterator[tuple[str, str]]:
    for person in people_of(people_named(record)):
        for uri in person.uris:
            if uri.lower().startswith(_MAILTO):
                address = unquote(uri[len(_MAILTO) :].partition("?")[0])
                yield address, f"the contact {person.name or person.org or person.id}"
    # IANA writes & in place of @
    for address in addresses_in(registrant_text(record).replace("&", "@")):
        yield address, "an address in the section Registrant of the template"
    own = () if record.request is None else (record.request,)
    for number in (*own, *earlier):
        if kept := list(_kept_private(number)):
            yield from ((given, f"the private contact of request {number}") for given in kept)
            return


def _kept_private(number: int) -> Iterator[str]:
    """The addresses that a request gave the registry alone, in whatever field that asks for one."""
    request, given = request_rows.find_request(number), draft_rows.private_values(number)
    for field in REGISTRIES[request.registry_id].fields if request else ():
        if field.widget is Widget.EMAIL and given.get(field.name):
            yield given[field.name]


def registrant_text(record: Registration) -> str:
    """What a name's template says of its registrant."""
    fields = dict(record.fields) or read_template(record.text).fields
    return fields.get("registrant", "")
