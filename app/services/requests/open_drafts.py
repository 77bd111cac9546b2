"""A draft as its author works on it: what it holds, and all that was found in it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    FormSection,
    Registry,
    Widget,
    fields_of,
    procedure_named,
)
from app.registration.profiles.equivalence_answers import EQUIVALENCE
from app.registration.profiles.profile_answers import (
    PROFILE,
    SERVICES,
    write_profile,
    write_services,
)
from app.registration.records.registry_records import Purpose, Submission
from app.registration.submission_findings import WHOLE, SubmissionCheck
from app.registration.submissions.text_points import PointReply, read_replies
from app.services.accounts.actors import Actor
from app.services.registry.base_version import (
    STATUS,
    SUCCESSOR,
    RevisedStatus,
    base_of,
    revised_status,
)
from app.services.requests import drafts
from app.services.requests.draft_merge import UNMERGED
from app.services.requests.drafts import CHANGED, EVER, REPLIES
from app.services.requests.text_findings import TextCheck, check_of
from app.store.requests import draft_rows, iteration_rows
from app.store.tables import Request
from app.workflow.states import State

_DECLARED = (EQUIVALENCE, PROFILE, SERVICES)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDraft:
    """A draft as its author works on it."""

    number: int
    registry: Registry
    procedure: DeclaredProcedure
    state: State
    fields: dict[str, str]
    private: dict[str, str]
    organization: str
    standard: bool | None
    saved: datetime
    lock_version: int
    check: TextCheck
    purpose: Purpose = Purpose.NEW
    unmerged: Mapping[str, str] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()  # the answers that were changed since it was begun
    replies: Mapping[str, PointReply] = field(default_factory=dict)
    stands: RevisedStatus = field(default_factory=RevisedStatus)  # the name that it changes

    def value(self, name: str) -> str:
        """What a field holds so far."""
        of = self.registry.named.get(name)
        return (self.fields if of is None or of.public else self.private).get(name, "")

    @property
    def name_field(self) -> str:
        """The field that holds the name that is asked for."""
        return self.registry.name_field.name

    @property
    def name(self) -> str:
        """The name that is asked for, as it was written; empty where none is."""
        return self.value(self.name_field)

    @property
    def findings(self) -> SubmissionCheck:
        """Everything found in it, gravest first."""
        return self.check.findings

    @property
    def problems(self) -> SubmissionCheck:
        """What must be changed before the request can be sent."""
        return self.check.problems

    def of_section(self, section: FormSection) -> SubmissionCheck:
        """The findings about one page of the form: nothing of what is about the whole."""
        found = self.findings.of_fields({one.name for one in fields_of(section, self.registry)})
        return SubmissionCheck(one for one in found if one.question != WHOLE)

    def is_begun(self, section: FormSection) -> bool:
        """Whether anything was written on one page of the form."""
        asked = (f for f in fields_of(section, self.registry) if f.widget is not Widget.FILLED_IN)
        named = section is FormSection.REGISTRANT and bool(self.organization)
        return named or any(self.value(one.name) for one in asked)

    @property
    def is_revision(self) -> bool:
        """Whether it changes what is registered."""
        return self.purpose is Purpose.REVISION

    @property
    def fate(self) -> RevisedStatus:
        """What becomes of the namespace by it."""
        return revised_status(self.fields, self.registry)


def open_draft(actor: Actor, number: int, today: str) -> OpenDraft:
    """A draft for its author; NotFound for everybody else, so that nothing is given away."""
    return writing_of(drafts.writable(drafts.own_request(actor, number)), today)


def writing_of(request: Request, today: str) -> OpenDraft:
    """The draft of a request with everything that was found in it."""
    draft = draft_rows.get_draft(request.number)
    content = json.loads(draft.fields)
    submission = _submission(request, content, today)
    organization = content.get("organization") or submission.fields.get("organization", "")
    return OpenDraft(
        number=request.number,
        registry=REGISTRIES[request.registry_id],
        procedure=procedure_named(request.procedure),
        purpose=Purpose(request.purpose),
        state=State(request.state),
        fields=submission.fields,
        private=submission.private,
        organization=organization,
        standard=submission.standard_anticipated,
        saved=draft.saved,
        lock_version=draft.lock_version,
        unmerged=content.get(UNMERGED, {}),
        check=check_of(request, submission, organization, unmerged=content.get(UNMERGED)),
        changed=frozenset(content.get(CHANGED, ())) - {EVER},
        replies=read_replies(content.get(REPLIES, {})),
        stands=_stands(request),
    )


def _stands(request: Request) -> RevisedStatus:
    """How the name stood that a revision changes, when it was begun."""
    base = base_of(request)
    if base is None:
        return RevisedStatus()
    return RevisedStatus(base.version.record.status, base.version.record.successor or "")


def _submission(request: Request, content: Mapping[str, Any], today: str) -> Submission:
    """What would be sent today: the draft, with version and date filled in."""
    return Submission(
        registry=request.registry_id,
        purpose=Purpose(request.purpose),
        fields={**content.get("fields", {}), **_profile(request, content), **_declared(content)}
        | _filled_in(request, content, today),
        private=draft_rows.private_values(request.number),
        standard_anticipated=_standard(request, content),
    )


def _standard(request: Request, content: Mapping[str, Any]) -> bool | None:
    """Once it is sent, the procedure follows from the answer, and the answer stands."""
    sent = request.state != State.DRAFT
    return request.standard_anticipated if sent else content.get("standard")


def _profile(request: Request, content: Mapping[str, Any]) -> dict[str, str]:
    """What the namespace says of itself, where a revision was begun without a word of it."""
    base = base_of(request)
    if base is None or content.keys() & {PROFILE, SERVICES}:
        return {}
    stands = base.version.record.profile
    said = {PROFILE: write_profile(stands), SERVICES: write_services(stands.resolution)}
    return {name: text for name, text in said.items() if text}


def _declared(content: Mapping[str, Any]) -> dict[str, str]:
    """What a draft declares beside the template, for programs, among what is sent."""
    return {name: content[name] for name in _DECLARED if content.get(name)}


def _filled_in(request: Request, content: Mapping[str, Any], today: str) -> dict[str, str]:
    """What nobody types: of a revision also its name, which never changes.

    The version of a revision is left open where nobody knows which one it changes.
    """
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    date = sent.fields.get("date", today) if sent else today
    base, named = base_of(request), REGISTRIES[request.registry_id].named
    if base is None:
        filled = {"version": "1", "date": date}
        return {field: text for field, text in filled.items() if field in named}
    fate = {STATUS: content.get(STATUS, ""), SUCCESSOR: content.get(SUCCESSOR, "")}
    version = "" if request.base_version is None else str(request.base_version + 1)
    name = base.version.record.name
    field = REGISTRIES[request.registry_id].name_field
    filled = {**fate, field.name: name, "version": version, "date": date}
    return {one: text for one, text in filled.items() if one in named or one in fate}


def sent_fields(writing: OpenDraft) -> dict[str, str]:
    """What of a draft is sent: the fields that say something."""
    return {name: text for name, text in writing.fields.items() if text}
