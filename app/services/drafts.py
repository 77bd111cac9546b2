"""Writing a template: starting a request, saving its sections, looking at it before sending."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.identifiers.nid import fold_nid
from app.registration.declarations import (
    FIELDS,
    REGISTRIES,
    Procedure,
    Registry,
    Section,
    Widget,
    fields_of,
)
from app.registration.records import Purpose, Submission
from app.registration.rules import Finding, Severity, check_submission
from app.services.actors import Actor
from app.services.once import once
from app.services.refusals import Changed, NotAllowed, NotFound
from app.services.registry import taken_index
from app.store import requests
from app.store.database import transaction
from app.store.tables import Request
from app.workflow.states import State

WRITABLE = (State.DRAFT, State.WITH_REQUESTER)
PENDING = [state for state in State if not state.is_final and not state.is_private]


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A draft as its author works on it."""

    number: int
    registry: Registry
    procedure: Procedure
    state: State
    fields: dict[str, str]
    private: dict[str, str]
    organization: str
    standard: bool | None
    saved: datetime
    lock_version: int
    findings: tuple[Finding, ...]

    def value(self, name: str) -> str:
        """What a field holds so far."""
        return (self.fields if FIELDS[name].public else self.private).get(name, "")

    def of_section(self, section: Section) -> list[Finding]:
        """The findings about one page of the form."""
        names = {field.name for field in fields_of(section, self.registry)}
        return [finding for finding in self.findings if finding.field in names]

    def is_begun(self, section: Section) -> bool:
        """Whether anything was written on one page of the form."""
        asked = (f for f in fields_of(section, self.registry) if f.widget is not Widget.FILLED_IN)
        return any(self.value(field.name) for field in asked)

    @property
    def problems(self) -> list[Finding]:
        """What must be changed before the request can be sent."""
        return [finding for finding in self.findings if finding.is_problem]


def procedure_for(registry: Registry, *, standard: bool | None) -> Procedure:
    """The way a request goes: by its registry and the answer to RFC 8141 section 6.4.1, point 7."""
    if registry.numbering is not None:
        return Procedure.INFORMAL
    return Procedure.STANDARDS_ACTION if standard else Procedure.COMMUNITY


def start(actor: Actor, registry: str, at: datetime, *, key: str) -> int:
    """Open a draft for a new namespace and give its number."""
    procedure = procedure_for(REGISTRIES[registry], standard=None)

    def work() -> int:
        request = requests.add_request(
            registry=registry,
            procedure=procedure,
            purpose=Purpose.NEW,
            registrant=actor.id,
            at=at,
        )
        return request.number

    number: int = once(actor.id, key, {"start": registry}, at, work)
    return number


def discard(actor: Actor, number: int) -> None:
    """Throw a draft away that was never sent."""
    with transaction():
        request = own_request(actor, number, locked=True)
        if request.state != State.DRAFT:
            raise NotAllowed("This request was sent. It can be withdrawn, not discarded.")
        requests.remove_draft(number)


def open_draft(actor: Actor, number: int, today: str) -> Writing:
    """A draft for its author; NotFound for everybody else, so that nothing is given away."""
    request = own_request(actor, number)
    if request.state not in WRITABLE:
        raise NotAllowed("This request is not with you now, so its text cannot be changed.")
    return writing_of(request, today)


def own_request(actor: Actor, number: int, *, locked: bool = False) -> Request:
    """A request of the actor's own; NotFound for another's."""
    request = requests.find_request(number, locked=locked)
    if request is None or request.registrant != actor.id:
        raise NotFound(f"There is no draft {number} of yours.")
    return request


def writing_of(request: Request, today: str) -> Writing:
    """The draft of a request with everything that was found in it."""
    draft = requests.get_draft(request.number)
    content = json.loads(draft.fields)
    private = requests.private_values(request.number)
    procedure = Procedure(request.procedure)
    submission = as_submission(request, content, private, today)
    return Writing(
        number=request.number,
        registry=REGISTRIES[request.registry_id],
        procedure=procedure,
        state=State(request.state),
        fields=submission.fields,
        private=private,
        organization=content.get("organization", ""),
        standard=content.get("standard"),
        saved=draft.saved,
        lock_version=draft.lock_version,
        findings=(
            *check_submission(submission, procedure, taken_index()),
            *_rivals(request, submission),
        ),
    )


def as_submission(
    request: Request, content: Mapping[str, Any], private: Mapping[str, str], today: str
) -> Submission:
    """What would be sent today: the draft, with version and date filled in."""
    sent = requests.iterations_of(request.number)
    date = sent[0].fields["date"] if sent else today
    version = str((request.base_version or 0) + 1)
    fields = dict(content.get("fields", {})) | {"version": version, "date": date}
    return Submission(
        registry=request.registry_id,
        purpose=Purpose(request.purpose),
        fields=fields,
        private=dict(private),
        standard_anticipated=content.get("standard"),
    )


def _rivals(request: Request, submission: Submission) -> list[Finding]:
    folded = fold_nid(submission.fields.get("namespace_identifier", ""))
    if not folded:
        return []
    others = [n for n in requests.asking_for(folded, PENDING) if n != request.number]
    return [
        Finding(
            field="namespace_identifier",
            code="asked-for",
            message=f"Request {other} asks for this name too. You can go on; registration decides.",
            source="RFC 8141 section 6.2",
            severity=Severity.LOOK,
        )
        for other in others
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """What one page of the form brings: only the fields that it asks for."""

    fields: dict[str, str]
    private: dict[str, str]
    organization: str | None = None
    standard: bool | None = None


def save(actor: Actor, number: int, saving: Saving, lock_version: int, at: datetime) -> None:
    """Keep one page of a draft. Raises Changed if it was saved elsewhere since it was opened."""
    with transaction():
        request = own_request(actor, number, locked=True)
        if request.state not in WRITABLE:
            raise NotAllowed("This request is not with you now, so its text cannot be changed.")
        content = json.loads(requests.get_draft(number).fields)
        content["fields"] = content.get("fields", {}) | saving.fields
        if saving.organization is not None:
            content["organization"] = saving.organization
        if saving.standard is not None:
            content["standard"] = saving.standard
        if not requests.save_draft(number, content, lock_version, at):
            raise Changed("This was saved elsewhere after you opened it. Both texts are below.")
        requests.set_private_values(number, saving.private)
        if request.state == State.DRAFT:
            registry = REGISTRIES[request.registry_id]
            request.procedure = procedure_for(registry, standard=content.get("standard"))
