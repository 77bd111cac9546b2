"""Writing a template: starting a request and saving its sections."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from app.identifiers.nid import nid_typed
from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    FormSection,
    Procedure,
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
from app.registration.records.registry_records import Purpose, Status, Submission
from app.registration.submission_findings import WHOLE, SubmissionCheck
from app.registration.submissions.submission_rules import (
    LONGEST_LINE,
    LONGEST_TEXT,
    InvalidText,
    fit_text,
)
from app.registration.submissions.text_points import PointReply, read_replies, write_replies
from app.services.accounts import rate_limits
from app.services.accounts.actors import Actor, accounts_acting_for
from app.services.accounts.rate_limits import RateLimitKind
from app.services.idempotency import plain_value
from app.services.input_texts import require_storable
from app.services.refusals import (
    EditConflict,
    InvalidInput,
    NotAllowed,
    NotFound,
    RateLimitExceeded,
)
from app.services.registry.base_version import (
    STATUS,
    SUCCESSOR,
    RevisedStatus,
    base_of,
    revised_status,
)
from app.services.requests.draft_merge import UNMERGED, undecided_changes
from app.services.requests.point_sources import check_replies, points_of, refuse_unknown
from app.services.requests.text_findings import TextCheck, check_of
from app.services.stored_editions.divergence import refuse_new_requests
from app.services.use_cases import Command, use_case
from app.store.database import transaction
from app.store.requests import draft_rows, iteration_rows, request_rows
from app.store.tables import Request
from app.workflow.engine import procedure_for
from app.workflow.evidence import Evidence
from app.workflow.states import State

CHANGED = "changed"  # in a draft: the lock version that each answer was last changed to
EVER = ""  # there: the one from which on this is known
REPLIES = "replies"  # there: what its author answers to what was asked of the text before
WRITABLE = (State.DRAFT, State.WITH_REQUESTER)


class ProcedureChangeRefused(InvalidInput):
    """Another answer to point 7 after a text was sent, where it is another procedure."""


def _check_start(
    _command: Command,
    registry: str,
    *_given: object,
    fields: Mapping[str, str] | None = None,
    **_named: object,
) -> None:
    declared = REGISTRIES[registry]
    _check(DraftInput(fields=without_filled_in(fields or {}, declared), private={}), declared)


@use_case("start draft", check=_check_start)
def start(
    command: Command,
    registry: str,
    procedure: DeclaredProcedure | None = None,
    *,
    fields: Mapping[str, str] | None = None,
) -> int:
    """Open a draft for a new namespace, perhaps with a text in it, and give its number.

    Without a procedure it goes by the registry's usual one. Raises InvalidInput for a text that no
    field holds.
    """
    given = without_filled_in(fields or {}, REGISTRIES[registry])
    count_draft(command.actor, command.at)
    request = request_rows.add_request(
        registry=registry,
        procedure=procedure or REGISTRIES[registry].procedures[0],
        purpose=Purpose.NEW,
        registrant=command.actor.id,
        at=command.at,
    )
    if given:
        fill(request, given, command.at)
    return request.number


def count_draft(actor: Actor, at: datetime) -> None:
    """Count a draft that somebody is to open; in the caller's transaction, before its number.

    Raises RateLimitExceeded where they opened many lately, or have many open, and
    DivergenceRefusal where its number may be that of a request that the database lost.
    """
    refuse_new_requests()
    if draft_rows.count_drafts(actor.id) >= rate_limits.MOST_OPEN_DRAFTS:
        most = rate_limits.MOST_OPEN_DRAFTS
        raise RateLimitExceeded(
            use_case_codes.TOO_MANY_OPEN,
            f"You can have at most {most} open drafts. Submit or delete one first.",
        )
    rate_limits.spend([(RateLimitKind.DRAFTS_OF_PERSON, str(actor.id))], at)


def discard(actor: Actor, number: int) -> None:
    """Throw a draft away that was never sent."""
    with transaction():
        request = own_request(actor, number, locked=True)
        if request.state != State.DRAFT:
            raise NotAllowed(
                use_case_codes.NOT_YOUR_TURN,
                "This request was submitted. You can withdraw it, but not delete it.",
            )
        draft_rows.remove_draft(number)


def own_request(actor: Actor, number: int, *, locked: bool = False) -> Request:
    """A request for whose registrant the actor acts; NotFound for another's."""
    request = request_rows.find_request(number, locked=locked)
    if request is None or actor.id not in accounts_acting_for(request):
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"You have no draft {number}.")
    return request


def is_writable(request: Request) -> bool:
    """Whether the text is with its registrant: in the fast track the experts only advise."""
    advised = request.procedure == Procedure.FAST_TRACK and request.state == State.EXPERT_REVIEW
    return advised or request.state in WRITABLE


def writable(request: Request) -> Request:
    """A request whose text its registrant can change now; NotAllowed for another."""
    if not is_writable(request):
        raise NotAllowed(
            use_case_codes.NOT_YOUR_TURN,
            f"Request {request.number} can’t be changed in the state "
            f"“{State(request.state).plain}”. You can change it if it is returned to you. See "
            f"/requests/{request.number} for the next step.",
        )
    return request


def without_filled_in(fields: Mapping[str, str], registry: Registry) -> dict[str, str]:
    """A text without what is filled in at each sending, for a draft made from it."""
    typed = {name for name, one in registry.named.items() if one.widget is not Widget.FILLED_IN}
    return {name: text for name, text in fields.items() if name in typed}


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftInput:
    """What one page of the form brings: only the fields that it asks for."""

    fields: dict[str, str]
    private: dict[str, str]
    organization: str | None = None
    standard: bool | None = None
    status: str | None = None
    successor: str | None = None
    equivalence: str | None = None
    profile: str | None = None
    services: str | None = None
    replies: Mapping[str, PointReply] = field(default_factory=dict)

    def added_to(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """What a draft holds with it."""
        answers: dict[str, Any] = {
            "organization": self.organization,
            "standard": self.standard,
            STATUS: self.status,
            SUCCESSOR: self.successor,
            EQUIVALENCE: self.equivalence,
            PROFILE: self.profile,
            SERVICES: self.services,
        }
        given = {name: value for name, value in answers.items() if value is not None}
        if self.replies:
            given[REPLIES] = {**content.get(REPLIES, {}), **write_replies(self.replies)}
        before = content.get("fields", {})
        fields = {**before, **self.fields}
        written = {**content, "fields": fields, **given}
        return {**written, **undecided_changes(content, written)}


def save(command: Command, number: int, saving: DraftInput) -> None:
    """Keep one page of a draft; sent twice, it is kept once, since nothing differs then.

    So it uses up no key, and it leaves no event. The actor saw a lock version of the draft.
    Raises EditConflict if what it changes was changed elsewhere since it was opened, and
    InvalidInput for what no field holds. Who writes another page meanwhile is in nobody's way.
    """
    with transaction():
        request = writable(own_request(command.actor, number, locked=True))
        check_replies(saving.replies)
        registry = REGISTRIES[request.registry_id]
        saving = replace(saving, fields=_with_typed_name(saving.fields, registry))
        _check(saving, REGISTRIES[request.registry_id])
        refuse_unknown(saving.replies, points_of(request) if saving.replies else ())
        _check_fixed(request, saving)
        _check_standard(request, saving)
        draft, private = draft_rows.get_draft(number), draft_rows.private_values(number)
        before = json.loads(draft.fields)
        content = saving.added_to(before)
        if content == before and _holds(private, saving.private):
            return
        changed = _differing(_answers(before) | private, _answers(content) | saving.private)
        times = before.get(CHANGED, {EVER: draft.lock_version})
        newest = max(times.get(name, times[EVER]) for name in [EVER, *changed])
        if not newest <= (command.seen or 0) <= draft.lock_version:
            raise EditConflict(
                use_case_codes.EDIT_CONFLICT,
                "Someone else saved this section after you opened it. Both versions are below.",
            )
        content[CHANGED] = times | dict.fromkeys(changed, draft.lock_version + 1)
        draft_rows.save_draft(number, content, draft.lock_version, command.at)
        draft_rows.set_private_values(number, saving.private)
        request.lock_version += 1  # whoever was about to send it looks at it again
        _choose_procedure(request, content.get("standard"))


def _with_typed_name(fields: Mapping[str, str], registry: Registry) -> dict[str, str]:
    name = fields.get(registry.name_field.name, "")
    return {**fields, registry.name_field.name: nid_typed(name)} if name else dict(fields)


def _answers(content: Mapping[str, Any]) -> dict[str, Any]:
    apart = ("fields", CHANGED, UNMERGED, REPLIES)
    beside = {name: value for name, value in content.items() if name not in apart}
    replies = {f"{REPLIES} {key}": reply for key, reply in content.get(REPLIES, {}).items()}
    return {**content.get("fields", {}), **beside, **replies}


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [name for name, value in after.items() if before.get(name, "") != value]


def fill(request: Request, fields: Mapping[str, str], at: datetime) -> None:
    """Write a text into an empty draft, in the caller's transaction."""
    draft = draft_rows.get_draft(request.number)
    typed = _with_typed_name(fields, REGISTRIES[request.registry_id])
    draft_rows.save_draft(request.number, {"fields": typed}, draft.lock_version, at)


def answer_standard(request: Request, *, standard: bool) -> None:
    """Answer point 7 anew where a body has answered it; in the caller's transaction."""
    _rewrite(request, lambda content: {**content, "standard": standard})


def leave_name_out(request: Request) -> None:
    """Take the name out of a draft that goes on in another table; in the caller's transaction."""

    def without(content: Mapping[str, Any]) -> dict[str, Any]:
        fields = {**content.get("fields", {})}
        fields.pop(REGISTRIES[request.registry_id].name_field.name, None)
        return {**content, "fields": fields}

    _rewrite(request, without)


def _rewrite(request: Request, change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> None:
    draft = draft_rows.get_draft(request.number)
    changed = change(json.loads(draft.fields))
    changed.pop(CHANGED, None)  # whatever page was opened before, it knows nothing of this
    draft_rows.save_draft(request.number, changed, draft.lock_version, draft.saved)


def _check_fixed(request: Request, saving: DraftInput) -> None:
    base = base_of(request)
    if base is None:
        if saving.status is not None or saving.successor is not None:
            raise InvalidInput(
                use_case_codes.PURPOSE_CLOSED,
                "Only a registered namespace can be deprecated.",
                field="status",
            )
        return
    registry = REGISTRIES[request.registry_id]
    stands = base.version.record.status  # an operator deprecates what its holder cannot
    if (saving.status or stands) not in (Status.REGISTERED, registry.ends_as, stands):
        raise InvalidInput(
            use_case_codes.CHOICE_UNKNOWN,
            f"Choose whether this {registry.space.label} is kept, put back into use or "
            f"{'deprecated' if registry.ends_as == Status.DEPRECATED else 'ended'}.",
            field="status",
        )
    name = saving.fields.get(registry.name_field.name, base.version.record.name)
    if registry.fold(name) != request.asked_name:
        raise InvalidInput(use_case_codes.NAME_FIXED, Evidence.FIXED_NAME.sentence)


def _check_standard(request: Request, saving: DraftInput) -> None:
    if request.state == State.DRAFT or saving.standard is None:
        return
    if saving.standard is not request.standard_anticipated:
        raise ProcedureChangeRefused(
            use_case_codes.PROCEDURE_FIXED,
            "The standards answer can't change after submission, because it decides the "
            "procedure. Ask for a different procedure on the request's page.",
            field="standard",
        )


def _check(saving: DraftInput, registry: Registry) -> None:
    if len(saving.organization or "") > LONGEST_LINE:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The organization is too long. Use at most {LONGEST_LINE} characters.",
            field="organization",
        )
    if len(saving.equivalence or "") > LONGEST_TEXT:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            "These equivalence rules are too long. Shorten the source.",
            field="clause",
        )
    if max(len(text or "") for text in (saving.profile, saving.services)) > LONGEST_TEXT:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            "These services and facts are too long. Remove some.",
            field="profile",
        )
    longest = registry.space.longest
    if len(saving.successor or "") > longest:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"The successor is too long. Use at most {longest} characters.",
            field="successor",
        )
    for public, values in ((True, saving.fields), (False, saving.private)):
        for name, text in values.items():
            declared = registry.named.get(name)
            if declared is None or declared.public is not public:
                raise InvalidInput(
                    use_case_codes.CHOICE_UNKNOWN,
                    f"The form has no field {name[:40]}.",
                    field=name,
                )
            try:
                fit_text(declared, text)
            except InvalidText as error:
                raise InvalidInput(use_case_codes.TEXT_UNFIT, str(error), field=name) from error
    require_storable(plain_value(saving))  # what is no field of a template


def _holds(private: Mapping[str, str], given: Mapping[str, str]) -> bool:
    return all(private.get(name, "") == value for name, value in given.items())


def _choose_procedure(request: Request, standard: bool | None) -> None:
    if request.state == State.DRAFT:
        chosen = procedure_named(request.procedure)
        request.procedure = procedure_for(chosen, standard_anticipated=bool(standard))


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
    return writing_of(writable(own_request(actor, number)), today)


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
    base = base_of(request)
    if base is None:
        return RevisedStatus()
    return RevisedStatus(base.version.record.status, base.version.record.successor or "")


def _submission(request: Request, content: Mapping[str, Any], today: str) -> Submission:
    return Submission(
        registry=request.registry_id,
        purpose=Purpose(request.purpose),
        fields={**content.get("fields", {}), **_profile(request, content), **_declared(content)}
        | _filled_in(request, content, today),
        private=draft_rows.private_values(request.number),
        standard_anticipated=_standard(request, content),
    )


def _standard(request: Request, content: Mapping[str, Any]) -> bool | None:
    sent = request.state != State.DRAFT
    return request.standard_anticipated if sent else content.get("standard")


def _profile(request: Request, content: Mapping[str, Any]) -> dict[str, str]:
    base = base_of(request)
    if base is None or content.keys() & {PROFILE, SERVICES}:
        return {}
    stands = base.version.record.profile
    said = {PROFILE: write_profile(stands), SERVICES: write_services(stands.resolution)}
    return {name: text for name, text in said.items() if text}


def _declared(content: Mapping[str, Any]) -> dict[str, str]:
    return {name: content[name] for name in _DECLARED if content.get(name)}


def _filled_in(request: Request, content: Mapping[str, Any], today: str) -> dict[str, str]:
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
