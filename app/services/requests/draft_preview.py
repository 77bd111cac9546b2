"""A draft as it will be published: its row, its text, and what the list will read."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from app.messages.notices import NoticeKind
from app.pages.mail.letters import action_words, compose_letter
from app.registration.records.registry_records import Registration, TemplateStyle
from app.services.notifications.request_notices import RequestSynopsis
from app.services.policy import MailSettings
from app.services.registrations.given_numbers import likely_name
from app.services.registrations.name_registration import (
    missing_in_reference,
    record_links,
    suggested_reference,
    xref_of,
)
from app.services.registrations.record_neighbours import RecordNeighbours, place_record
from app.services.registry.base_version import base_of, text_of
from app.services.requests.open_drafts import OpenDraft, sent_fields
from app.services.requests.request_points import PointAnswer, answers_as_text
from app.store.requests import request_rows
from app.workflow.action_rows import Audience
from app.workflow.engine import ProcedureCase
from app.workflow.states import Action, State


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPreview:
    """What comes of a draft. ``entry`` is None where no row can be told yet, ``message`` empty
    where nothing is posted. Without ``has_reference`` the row refers to nothing so far.
    """

    entry: RecordNeighbours | None
    has_reference: bool
    text: str
    message: str


def preview_of(
    writing: OpenDraft,
    answers: Collection[PointAnswer],
    at: datetime,
    post: MailSettings,
    number_prefix: str = "",
) -> DraftPreview:
    """A draft as it would be published, were it registered now as it is, and sent with answers."""
    fields = sent_fields(writing)
    text = text_of(fields, writing.registry)
    record = _record(writing, at.date().isoformat(), post.base_url, number_prefix)
    return DraftPreview(
        entry=place_record(writing.registry.id, record) if record else None,
        has_reference=bool(record and (record.contact or record.references)),
        text=text,
        message=_message(writing, answers, text, at, post)
        if post.list_of(writing.registry.id)
        else "",
    )


def _record(writing: OpenDraft, day: str, base_url: str, prefix: str) -> Registration | None:
    if any(finding.field == writing.name_field for finding in writing.problems):
        return None
    request = request_rows.find_request(writing.number)
    base = base_of(request) if request else None
    if base is not None:
        return replace(base.latest.record, updated=day)
    return _new(writing, day, base_url, prefix)


def _new(writing: OpenDraft, day: str, base_url: str, prefix: str) -> Registration:
    registry = writing.registry.id
    folded = writing.registry.fold(writing.name)
    name = likely_name(registry, writing.purpose, folded, prefix)
    reference = suggested_reference(writing.value("documentation"), writing.organization)
    xrefs = () if missing_in_reference(reference) else (xref_of(reference),)
    links = record_links(registry, name, xrefs, base_url)
    return Registration(
        name=name,
        date=day,
        template=links.template,
        references=links.references,
        contact=links.contact,
        style=TemplateStyle.RFC8141,
        space=writing.registry.space,
    )


def _message(
    writing: OpenDraft,
    answers: Collection[PointAnswer],
    text: str,
    at: datetime,
    post: MailSettings,
) -> str:
    """The post to the list, without what only its sending knows."""
    posted_to = post.list_of(writing.registry.id)
    action = Action.SUBMIT if writing.state.is_private else Action.RESUBMIT
    told = {
        "number": str(writing.number),
        "name": writing.registry.called(writing.name),
    }
    words = action_words(action, Audience.LIST, told)
    message = compose_letter(
        NoticeKind.LIST,
        told
        | {
            "happened": words.happened,
            "what": words.what,
            "summary": _synopsis(writing).text,
            "reason": answers_as_text(answers),
            "template": text,
            "link": post.base_url + NoticeKind.LIST.path.format_map(told),
        },
        sender=posted_to,
        recipient=posted_to,
        message_id="",
        date=at,
    )
    return f"To: {message['To']}\nSubject: {message['Subject']}\n\n{message.get_content()}"


def _synopsis(writing: OpenDraft) -> RequestSynopsis:
    """The request as it will stand once it is sent."""
    state = State.NEW if writing.state.is_private else State.EXPERT_REVIEW
    return RequestSynopsis(
        number=writing.number,
        case=ProcedureCase(writing.procedure, writing.purpose, state),
        registry=writing.registry,
        organization=writing.organization,
        purpose=writing.value("purpose"),
    )
