"""A request as a document: its whole record, the report, a message, a difference."""

from collections.abc import Iterator, Sequence

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from app.exports.documents.internet_draft import MEDIA_TYPE, InternetDraftContent, draft_name
from app.exports.documents.internet_draft import internet_draft as write_draft
from app.messages.expert_report import report_as_text
from app.messages.notices import fold_lines
from app.pages.text.markdown import reveal_unseen
from app.pages.text.template_diff import DiffView, unified_diff
from app.problems import page_codes, use_case_codes
from app.registration.declarations.registries import Procedure
from app.registration.declarations.registry_groups import group_of, notice_for
from app.services.refusals import NotFound
from app.services.registry.base_version import comparable_text, text_of
from app.services.registry.snapshots import rfc_titles
from app.services.requests import drafts, standards_report
from app.services.requests.comments import discussion_of
from app.services.requests.detail.request_detail import IterationView, RequestDetail
from app.services.requests.text_studies import difference_between
from app.web.actions.action_submission import load_request_page
from app.web.middleware.session import now, required_actor, settings

bp = Blueprint("records", __name__, url_prefix="/requests")

_MOST_WEIGHT = 150_000  # characters of the newest texts in full in a record; usual ones have 20,000
_OF_A_LINE = 10  # characters that cost as much to set as the end of a line


def _text(body: str, kind: str = "plain") -> Response:
    return Response(body, content_type=f"text/{kind}; charset=utf-8")


def _sent(number: int) -> RequestDetail:
    page = load_request_page(number)
    if not page.iterations:
        raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"Request {number} hasn't been submitted.")
    return page


@bp.get("/<number:number>/record.txt")
def record(number: int) -> ResponseReturnValue:
    """Everything that is public of a request, in one document."""
    page = _sent(number)
    registry = page.row.registry
    texts = {text.k: text_of(text.fields, registry) for text in _in_full(page.iterations)}
    shown = {
        "page": page,
        "texts": texts,
        "discussion": discussion_of(number, None),
        "base_url": settings().base_url,
        "today": now(),
        "notice": notice_for(group_of(registry.id), settings().notice),
        "folded": fold_lines,
    }
    return _text(render_template("requests/record.txt", **shown))


def _in_full(iterations: Sequence[IterationView]) -> Iterator[IterationView]:
    weight = 0
    for text in reversed(iterations):
        yield text
        weight += sum(len(words) + _OF_A_LINE * words.count("\n") for words in text.fields.values())
        if weight > _MOST_WEIGHT:
            return


@bp.get("/<number:number>/iterations/<number:k>.txt")
def template(number: int, k: int) -> ResponseReturnValue:
    """The template of a text that was sent, as one mails it."""
    page = _sent(number)
    if not 1 <= k <= len(page.iterations):
        raise NotFound(page_codes.ITERATION_UNKNOWN, f"Request {number} has no text {k}.")
    return _text(text_of(page.iterations[k - 1].fields, page.row.registry))


@bp.get("/<number:number>/draft.txt")
def draft(number: int) -> ResponseReturnValue:
    """The template as its author has written it so far, as one mails it."""
    writing = _draft(number)
    return _text(text_of(drafts.sent_fields(writing), writing.registry))


@bp.get("/<number:number>/internet-draft.xml")
def internet_draft(number: int) -> ResponseReturnValue:
    """The newest text as an Internet-Draft; of a request that was not sent, its author's draft."""
    page = load_request_page(number)
    writing = None if page.iterations else _draft(number)
    if not page.row.registry.template_page:
        raise NotFound(
            page_codes.FORMAT_UNKNOWN,
            f"Internet-Drafts don't register {page.row.registry.space.plural}. Download "
            f"request {number} as text instead.",
        )
    fields = drafts.sent_fields(writing) if writing else page.iterations[-1].fields
    made = InternetDraftContent(
        name=fields.get("namespace_identifier", ""),
        organization=reveal_unseen(
            writing.organization if writing else page.row.organization or ""
        ),
        fields={name: reveal_unseen(text) for name, text in fields.items()},
        day=now().date(),
        count=max(0, len(page.iterations) - 1),
        is_standard=page.row.procedure is Procedure.STANDARDS_ACTION,
        titles=rfc_titles(),
    )
    file = f'attachment; filename="{draft_name(made)}.xml"'
    headers = {"Content-Disposition": file}
    return Response(write_draft(made), headers=headers, content_type=MEDIA_TYPE)


def _draft(number: int) -> drafts.OpenDraft:
    return drafts.open_draft(required_actor(), number, now().date().isoformat())


@bp.get("/<number:number>/report.<any(txt, md):suffix>")
def report(number: int, suffix: str) -> ResponseReturnValue:
    """The experts' report to the standards body, as it was sent."""
    written = standards_report.sent_report(_sent(number))
    if not written:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN, f"The experts sent no report on request {number}."
        )
    return _text(report_as_text(written)) if suffix == "txt" else _text(written, "markdown")


@bp.get("/<number:number>/message.txt")
def message(number: int) -> ResponseReturnValue:
    """What to send on to the registry that registers, at this step."""
    page = _sent(number)
    if page.row.has_ended_at_iana:
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            f"Request {number} has ended at IANA, so there is no message to send.",
        )
    text = text_of(page.iterations[-1].fields, page.row.registry)
    report_text = standards_report.sent_report(page)
    shown = {
        "page": page,
        "text": text,
        "report": report_as_text(report_text) if report_text else "",
        "rules": group_of(page.row.registry.id).rules or "RFC 8141",
        "base_url": settings().base_url,
        "today": now(),
        "folded": fold_lines,
    }
    return _text(render_template("requests/message.txt", **shown))


@bp.get("/<number:number>/diff")
def changes(number: int) -> ResponseReturnValue:
    """What changed between two texts of a request; without a choice, the newest two."""
    page = _sent(number)
    old, new = _two(page)
    view = DiffView.SIDES if request.args.get("view") == DiffView.SIDES else DiffView.INLINE
    shown = {"page": page, "old": old, "new": new, "view": view, "views": tuple(DiffView)}
    found = difference_between(number, old, new)
    return render_template("requests/diff.html", difference=found, **shown)


@bp.get("/<number:number>/diff.txt")
def changes_as_text(number: int) -> ResponseReturnValue:
    """What differs between two texts of a request, as a unified difference."""
    old, new = _two(_sent(number))
    if old.k == new.k:
        return _text("")
    names = (f"request-{number}/iteration-{old.k}", f"request-{number}/iteration-{new.k}")
    before, after = (comparable_text(one.fields, one.organization) for one in (old, new))
    return _text(unified_diff(before, after, names))


def _two(page: RequestDetail) -> tuple[IterationView, IterationView]:
    newest = len(page.iterations)
    old, new = _asked("from", newest - 1), _asked("to", newest)
    if not (1 <= old <= newest and 1 <= new <= newest):
        there = f"texts 1 to {newest}. Choose two of them" if newest > 1 else "only text 1"
        raise NotFound(page_codes.ITERATION_UNKNOWN, f"Request {page.row.number} has {there}.")
    return page.iterations[old - 1], page.iterations[new - 1]


def _asked(name: str, usual: int) -> int:
    text = request.args.get(name, str(max(1, usual)))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
