"""Revisions: changing what is registered, from the registered text on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.pages.text.template_diff import TemplateDifference, difference
from app.problems import use_case_codes
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    IdentifierSpace,
    Registry,
)
from app.registration.profiles.profile_answers import profile_facts_in
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Purpose, Status
from app.services.accounts.actors import Actor, may_see_private, roles_toward
from app.services.delegates import claims, delegate_scopes
from app.services.refusals import EditConflict, InvalidInput, NotFound
from app.services.registry.base_version import (
    BaseVersion,
    PrivateChange,
    RevisedStatus,
    base_of,
    fate_of,
    get_base,
    initial_draft,
    private_changes,
    registered_texts,
    revised_texts,
    version_of,
)
from app.services.requests import drafts
from app.services.requests.draft_merge import (
    UNMERGED,
    facts_undone,
    undecided_facts,
    with_newer_texts,
)
from app.services.use_cases import Command, use_case
from app.store.accounts import delegate_rows
from app.store.database import transaction
from app.store.requests import draft_rows, iteration_rows, request_rows, requested_names
from app.store.requests.request_cases import case_of
from app.store.tables import Request
from app.workflow.engine import ProcedureCase, transition
from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role, State, Turn

_OPEN = tuple(state for state in State if not state.is_final)
_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisableName:
    """A registered name as one sees it who may change it."""

    space: IdentifierSpace
    has_experts: bool
    name: str
    version: int | None
    has_template: bool
    status: Status
    is_voided: bool
    successor: str
    open_requests: tuple[int, ...]
    procedures: tuple[DeclaredProcedure, ...]


def revisable(name: str, actor: Actor, space: IdentifierSpace) -> RevisableName | None:
    """A name that somebody may change; None where they do not act for it."""
    entry, held = claims.entry(name, space), delegate_scopes.delegate_scope(name, space=space)
    if not delegate_scopes.acts_for(actor, held):
        return None
    asking = requested_names.about_name(held.name, _OPEN, _MOST_SHOWN)
    return RevisableName(
        space=space,
        has_experts=REGISTRIES[entry.registry].has_experts,
        name=held.name,
        version=version_of(entry.record),
        has_template=entry.record.has_template,
        status=entry.record.status,
        is_voided=entry.record.is_voided,
        successor=entry.record.successor or "",
        open_requests=tuple(r.number for r in asking if _is_open_revision(r)),
        procedures=REGISTRIES[entry.registry].procedures,
    )


def _is_open_revision(request: Request) -> bool:
    return request.purpose == Purpose.REVISION and case_of(request).turn is not Turn.NOBODY


@use_case("start revision")
def start(
    command: Command,
    name: str,
    procedure: DeclaredProcedure | None = None,
    *,
    space: IdentifierSpace,
) -> int:
    """Open a draft that holds what is registered, and give its number.

    Without a procedure it goes by the usual one of its registry. Raises NotFound,
    InvalidInput for a former name, EvidenceMissing for whoever does not act for it.
    """
    entry, held = claims.entry(name, space), delegate_scopes.delegate_scope(name, space=space)
    possible = REGISTRIES[entry.registry].procedures
    chosen = procedure or possible[0]
    if chosen not in possible:
        raise InvalidInput(
            use_case_codes.PURPOSE_CLOSED,
            "A formal namespace stays formal, and an informal one informal. Choose another "
            "procedure.",
        )
    shown = {Evidence.FIXED_NAME, Evidence.BASE_VERSION}
    if delegate_scopes.acts_for(command.actor, held):
        shown.add(Evidence.AUTHORISED)
    case = ProcedureCase(chosen, Purpose.REVISION, None)
    transition(case, Action.REVISE, frozenset({Role.REGISTRANT}), shown)
    if entry.record.status is Status.FORMER:
        raise InvalidInput(
            use_case_codes.FORMER_NAME,
            "This entry is former and can't change. Change its successor instead.",
        )
    drafts.count_draft(command.actor, command.at)
    request = request_rows.add_request(
        registry=entry.registry,
        procedure=chosen,
        purpose=Purpose.REVISION,
        registrant=command.actor.id,
        at=command.at,
    )
    request.asked_name, request.base_record = held.name, entry.n
    request.base_version = version_of(entry.record)
    draft_rows.get_draft(request.number).fields = canonical_json(
        initial_draft(entry.record, REGISTRIES[entry.registry])
    )
    return request.number


def take_newer(command: Command, number: int) -> bool:
    """Base a revision on what is registered by now, and put that into its text.

    Where both changed the same lines, its author decides: by writing, or by saying so here once
    more. The actor saw the draft's lock version. A part of writing, so that it leaves no event,
    and sent twice it finds the draft changed. Gives whether anything newer was taken; else all
    that was done is that its author's own words stay.
    """
    with transaction():
        request = drafts.writable(drafts.own_request(command.actor, number, locked=True))
        base = get_base(request)
        draft = draft_rows.get_draft(number)
        content = json.loads(draft.fields)
        undone = facts_undone(content, base)
        if base.is_latest and not (content.get(UNMERGED) or undone):
            raise InvalidInput(
                use_case_codes.BASE_CURRENT,
                "This revision is already based on the registered version.",
            )
        registry = REGISTRIES[request.registry_id]
        decided: dict[str, Any] = {UNMERGED: {}} if base.is_latest else {}
        taken = {} if base.is_latest and not undone else with_newer_texts(content, base, registry)
        changed = {**content, **taken, **decided}
        changed.pop(drafts.CHANGED, None)  # whatever page was opened before, it knows nothing of it
        if not draft_rows.save_draft(number, changed, command.seen or 0, command.at):
            raise EditConflict(
                use_case_codes.EDIT_CONFLICT,
                "Someone else saved this after you opened it. Reload the page and try again.",
            )
        request.base_record = base.latest.n
        request.base_version = version_of(base.latest.record)
        request.lock_version += 1
    return not base.is_latest


@dataclass(frozen=True, slots=True)
class NewerFact:
    """What a revision says beside its text, and what the registry came to say meanwhile."""

    label: str
    own: str
    newer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A revision beside what it changes.

    ``changes`` lead from the registered text to the revision's; ``newer`` from the text that
    it was begun from to the one that is registered by now, if that is another; ``unmerged`` from
    its own words to newer ones which its author has to decide about, as about ``facts``.
    ``private`` is what it changes of what the registry alone is told, for those who may see it.
    """

    number: int
    registry: Registry
    name: str
    version: int | None
    next_version: int | None
    has_text: bool
    information: str
    fate: RevisedStatus
    was: Status
    changes: TemplateDifference
    newer: TemplateDifference | None
    newest: int | None
    unmerged: TemplateDifference | None
    facts: tuple[NewerFact, ...]
    is_draft: bool
    lock_version: int
    private: tuple[PrivateChange, ...] = ()

    @property
    def deprecates(self) -> bool:
        """Whether it ends that the namespace is recommended."""
        return self.fate.is_deprecated and self.was is not Status.DEPRECATED

    @property
    def restores(self) -> bool:
        """Whether it brings a deprecated namespace back into use."""
        return not self.fate.is_deprecated and self.was is Status.DEPRECATED


def look(number: int, actor: Actor | None, today: str) -> Revision:
    """A revision beside what is registered: as it was sent, to who writes it as it is written.

    NotFound for a draft of others, and for a request that changes no registered name.
    """
    request = request_rows.find_request(number)
    if request is None:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    state = State(request.state)
    is_own = actor is not None and actor.id in delegate_rows.acting_for(request)
    if state.is_private and not is_own:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"There is no request {number}.")
    base = get_base(request)
    writes = is_own and state in drafts.WRITABLE
    found = (
        of_writing(request, drafts.writing_of(request, today), base)
        if writes
        else _of_sent(request, base)
    )
    sees = may_see_private(roles_toward(actor, request))
    return replace(found, private=private_changes(request, base)) if sees else found


def look_at_sent(number: int) -> Revision | None:
    """The revision that was sent last, as everybody sees it; None where it asks for a new name."""
    request = request_rows.find_request(number)
    base = base_of(request) if request else None
    return _of_sent(request, base) if request and base else None


def _of_sent(request: Request, base: BaseVersion) -> Revision:
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    return _revision(request, base, sent.fields if sent else {}, sent.organization if sent else "")


def find_revision(writing: drafts.OpenDraft) -> Revision | None:
    """The revision that an open draft is; None where it asks for a new name."""
    request = request_rows.find_request(writing.number)
    base = base_of(request) if request else None
    return of_writing(request, writing, base) if request and base else None


def of_writing(request: Request, writing: drafts.OpenDraft, base: BaseVersion) -> Revision:
    """A revision as it is being written."""
    return _revision(request, base, writing.fields, writing.organization, writing)


def _revision(
    request: Request,
    base: BaseVersion,
    fields: dict[str, str],
    organization: str,
    writing: drafts.OpenDraft | None = None,
) -> Revision:
    registry = REGISTRIES[request.registry_id]
    registered = registered_texts(base.version.record, registry)
    said = revised_texts(fields, organization, registered, registry)
    known = request.base_version
    # a correction may have ended its use after the revision was begun
    stands = base.version if State(request.state).is_final else base.latest
    return Revision(
        number=request.number,
        registry=registry,
        name=request.asked_name,
        version=known,
        next_version=None if known is None else known + 1,
        has_text=base.version.record.has_template,
        information=fields.get("revision_information", ""),
        fate=fate_of(base, fields, registry),
        was=stands.record.status,
        changes=difference(registered, said),
        newer=None
        if base.is_latest
        else difference(registered, registered_texts(base.latest.record, registry)),
        newest=version_of(base.latest.record),
        unmerged=_unmerged(writing) if writing else None,
        facts=_facts(base, fields, writing),
        is_draft=writing is not None,
        lock_version=writing.lock_version if writing else 0,
    )


def _unmerged(writing: drafts.OpenDraft) -> TemplateDifference | None:
    named = writing.registry.named
    newer = {name: text for name, text in writing.unmerged.items() if name in named}
    own = {name: writing.fields.get(name, "") for name in newer}
    return difference(own, newer) if newer else None


def _facts(
    base: BaseVersion, fields: Mapping[str, str], writing: drafts.OpenDraft | None
) -> tuple[NewerFact, ...]:
    own = {fact.member: fact.words for fact in profile_facts_in(fields)}
    newer = (*facts_undone(fields, base), *undecided_facts(writing.unmerged if writing else {}))
    return tuple(NewerFact(one.label, own.get(one.member, ""), one.words) for one in newer)
