"""What a revision changes of what is registered: in its text, beside it, and of what is private."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.registration.declarations.registries import REGISTRIES, Registry
from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.registration.profiles.profile_answers import PROFILE, SERVICES
from app.registration.records.registry_records import Registration
from app.services.registry.base_version import (
    ORGANIZATION,
    BaseVersion,
    compared_fields,
    declared_texts,
    fate_of,
    known_fields,
    organization_of,
)
from app.store.accounts import delegate_rows
from app.store.registry import record_versions as names
from app.store.requests import draft_rows, request_rows
from app.store.tables import Request


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
    """What the registry alone was told by the requests that led to the version that is changed.

    What a former registrant told it before a transfer is nobody's any more.
    """
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
