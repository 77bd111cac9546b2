"""A draft as it will be published: its row, its text, and what the list will read."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from app.messages.notices import NoticeKind
from app.pages.mail.letters import action_words, compose_letter
from app.pages.text.markdown import RENDERING, markdown_html, render_words
from app.pages.text.phrases import RenderedTexts
from app.registration.declarations.registries import find_field
from app.registration.records.registry_records import Registration, TemplateStyle
from app.services.notifications.request_notices import RequestSynopsis
from app.services.policy import MailSettings
from app.services.registrations.name_registration import (
    RecordNeighbours,
    likely_name,
    missing_in_reference,
    place_record,
    record_links,
    suggested_reference,
    xref_of,
)
from app.services.registry.base_version import base_of, text_of
from app.services.requests.drafts import OpenDraft, sent_fields
from app.services.requests.request_points import PointAnswer, answers_as_text
from app.store.requests import request_rows
from app.store.requests.text_renderings import keep_renderings, renderings
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
    state = State.NEW if writing.state.is_private else State.EXPERT_REVIEW
    return RequestSynopsis(
        number=writing.number,
        case=ProcedureCase(writing.procedure, writing.purpose, state),
        registry=writing.registry,
        organization=writing.organization,
        purpose=writing.value("purpose"),
    )


_cached = lru_cache(maxsize=128)(
    markdown_html
)  # of drafts, which are rendered again before they go
_cached_words = lru_cache(maxsize=128)(render_words)


def _source(text: str) -> str:
    return f"{RENDERING}\n{text}"


def _source_of_words(text: str) -> str:
    return f"{RENDERING} words\n{text}"


def keep_rendered(fields: Mapping[str, str]) -> None:
    """Render the long fields of a text that becomes public, in the transaction that sends it."""
    keep_renderings({_source(text): _cached(text) for text in long_fields(fields).values()})


def keep_words(text: str) -> None:
    """Render what somebody says, in the transaction that files it."""
    if text:
        keep_renderings({_source_of_words(text): _cached_words(text)})


def rendered_texts(texts: Iterable[str], words: Iterable[str] = ()) -> RenderedTexts:
    """What a page makes HTML of these from; what was kept of them is read at once.

    ``words`` are what people said of a text, where quotes are read.
    """
    sources = {text: _source(text) for text in texts}
    said = {text: _source_of_words(text) for text in words}
    kept = renderings({*sources.values(), *said.values()})
    return RenderedTexts(
        {text: kept[source] for text, source in sources.items() if source in kept},
        _cached,
        {text: kept[source] for text, source in said.items() if source in kept},
        _cached_words,
    )


def rendered_fields(fields: Mapping[str, str]) -> RenderedTexts:
    """What a page makes HTML of the long fields of a text from."""
    return rendered_texts(long_fields(fields).values())


def long_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of a text that are Markdown, and not empty, by name."""
    return {
        name: text
        for name, text in fields.items()
        if text and (field := find_field(name)) and field.is_long
    }
