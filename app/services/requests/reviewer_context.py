"""What an expert wants to see beside a request: what is like it, and what was said before."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from threading import Lock

from app.exports.content.reference_links import xref_url
from app.exports.search.search_terms import IN_USE
from app.exports.search.word_index import SearchDocument, SearchField, WordHit, WordIndex
from app.pages.lists.search_results import ReviewResult, SearchResult, excerpt_of, results_of
from app.pages.text.numbered_lines import addresses_in
from app.pages.text.template_diff import TemplateDifference
from app.registration.declarations.registries import REGISTRIES, procedure_named
from app.registration.declarations.registry_groups import group_of
from app.registration.records.registry_records import Purpose, Registration, Xref, XrefType
from app.registration.templates.template_reader import read_template
from app.services.accounts.actors import Actor
from app.services.registry.snapshots import taken_index
from app.services.request_status.request_status import RequestSummary, row_of
from app.services.requests.comments import CommentView, discussion_of
from app.services.requests.detail.request_detail import RequestDetail
from app.services.requests.request_points import PointAnswer, answers_in
from app.services.requests.revisions import Revision, look_at_sent
from app.services.requests.text_studies import difference_between
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions, search_index
from app.store.requests import request_rows, requested_names, review_rows
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State

MOST = 10
_RFC = re.compile(r"\bRFC[ -]?([1-9][0-9]{0,4})\b")
_DECIDED = tuple(state for state in State if state.is_final and not state.is_private)
_OBJECTED = frozenset(
    action.past for action in (Action.RETURN, Action.DECLINE, Action.REFUSE, Action.UPHOLD)
)


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """An earlier request for the same name or one like it, with what was objected then."""

    row: RequestSummary
    objections: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerContext:
    """Registered names like the one asked for, earlier requests, and what changed since.

    ``reviewed`` is the text that the newest one is held against: the one that the reader
    reviewed, or the one before; ``is_own`` tells which. ``revision`` is the newest text held
    against what is registered, where it changes that. ``answers`` went with the newest text,
    ``comments`` came since, and ``specifications`` are labels and addresses.
    """

    similar: tuple[str, ...]
    earlier: tuple[EarlierRequest, ...]
    reviewed: int | None
    is_own: bool
    changed: TemplateDifference | None
    revision: Revision | None
    answers: tuple[PointAnswer, ...]
    comments: tuple[CommentView, ...]
    specifications: tuple[tuple[str, str], ...]

    @property
    def words_changed(self) -> int:
        """How many words were added or taken away since the reader's review."""
        return _words_in(self.changed) if self.changed else 0

    @property
    def words_revised(self) -> int:
        """How many words a revision adds to what is registered, or takes away."""
        return _words_in(self.revision.changes) if self.revision else 0


def _words_in(difference: TemplateDifference) -> int:
    return sum(
        len(piece.text.split())
        for field in difference.changed
        for piece in field.pieces
        if piece.kind != "same"
    )


def reviewer_context(page: RequestDetail, actor: Actor, at: datetime) -> ReviewerContext:
    """What stands beside a request for the expert who reads it."""
    own = _reviewed(page)
    reviewed = own or (len(page.iterations) - 1 or None)
    return ReviewerContext(
        similar=_similar(page.row),
        earlier=_earlier(page.row, at),
        reviewed=reviewed,
        is_own=own is not None,
        changed=_changed(page, reviewed),
        revision=look_at_sent(page.row.number),
        answers=_answers(page),
        comments=_comments(page, actor),
        specifications=tuple(dict.fromkeys(_specifications(page))),
    )


def _answers(page: RequestDetail) -> tuple[PointAnswer, ...]:
    newest = len(page.iterations)
    given = (event.details for event in page.story if event.iteration == newest)
    found = next((answers for details in given if (answers := answers_in(details))), ())
    own = {review.id for review in page.reviews if review.own}
    return tuple(sorted(found, key=lambda one: one.review not in own))


def _comments(page: RequestDetail, actor: Actor) -> tuple[CommentView, ...]:
    last = max((review.at for review in page.reviews if review.own), default=None)
    said = discussion_of(page.row.number, actor)
    return tuple(one for one in said if last is None or one.at >= last)


def _specifications(page: RequestDetail) -> Iterator[tuple[str, str]]:
    """The addresses and RFCs that the text gives as its documentation."""
    text = page.latest.fields.get("documentation", "") if page.latest else ""
    yield from ((url, url) for url, _ in addresses_in(text) if not url.startswith("mailto:"))
    for found in _RFC.finditer(text):
        url = xref_url(Xref(XrefType.RFC, f"rfc{found[1]}"))
        if url:
            yield f"RFC {found[1]}", url


def _is_new_name(row: RequestSummary) -> bool:
    return bool(row.name) and row.purpose is Purpose.NEW and row.registry.numbering is None


def _similar(row: RequestSummary) -> tuple[str, ...]:
    if not _is_new_name(row):
        return ()
    index = taken_index(row.registry.space)
    alike = {*index.find_look_alikes(row.name), *index.find_one_edit_away(row.name)}
    return tuple(sorted(alike - {row.name})[:MOST])


def _earlier(row: RequestSummary, at: datetime) -> tuple[EarlierRequest, ...]:
    if not _is_new_name(row):
        return ()
    shape_of = row.registry.space.shape
    shape = shape_of(row.name)
    numbers = [
        number
        for number, name in requested_names.names_decided(row.registry.id, _DECIDED)
        if shape_of(name) == shape and number != row.number
    ]
    found = request_rows.requests_by_number(numbers[-MOST:])
    return tuple(
        EarlierRequest(row_of(one, at), _objections(one.number)) for one in reversed(found)
    )


def _objections(number: int) -> tuple[str, ...]:
    story = event_rows.of_request(number)
    return tuple(event.reason for event in story if event.kind in _OBJECTED and event.reason)


def _reviewed(page: RequestDetail) -> int | None:
    own = [review.iteration for review in page.reviews if review.own]
    before = [k for k in own if k < len(page.iterations)]
    return before[-1] if before and before[-1] == own[-1] else None


def _changed(page: RequestDetail, reviewed: int | None) -> TemplateDifference | None:
    if reviewed is None or page.latest is None:
        return None
    return difference_between(page.row.number, page.iterations[reviewed - 1], page.latest)


MOST_PRECEDENTS = 5  # results of each kind
LONGEST_SEARCH = 200  # characters
_MOST_NAMESPACES = 2_000  # of a registry group, held in memory
_MOST_REVIEWS = 500  # the newest, held in memory
_MOST_TEXT = 20_000  # characters of a section
_BUILDING = Lock()


@dataclass(frozen=True, slots=True)
class Precedents:
    """The best precedents of a request, and the words that each kind was searched by."""

    namespaces: tuple[SearchResult, ...]
    namespace_words: tuple[str, ...]
    reviews: tuple[ReviewResult, ...]
    review_words: tuple[str, ...]


def find_precedents(page: RequestDetail, asked: str = "") -> Precedents | None:
    """Return precedents by the words of a search, or without one by the request's own words.

    Namespaces are then searched by the most characteristic words of the request's purpose and
    syntax, and reviews by those of its findings, if it has any. None for registries without
    templates.
    """
    row = page.row
    if not row.registry.template_page:
        return None
    fields = page.latest.fields if page.latest else {}
    asked, name = asked[:LONGEST_SEARCH], row.name
    sections, reviews = _indexes(row.registry.id)
    # the words of a grammar, such as `digit`, say nothing about a namespace
    purpose = f"{fields.get('title', '')}\n{fields.get('purpose', '')}".strip()
    text = purpose or fields.get("syntax", "")
    by_text = asked.split() or sections.characteristic_words(text, name)
    found = sections.find(" ".join(by_text), MOST_PRECEDENTS, apart=name)
    findings = " ".join(finding.message for finding in page.findings)
    by_findings = (
        asked.split() or reviews.characteristic_words(findings, str(row.number)) or tuple(by_text)
    )
    similar = reviews.find(" ".join(by_findings), MOST_PRECEDENTS, apart=str(row.number))
    past = tuple(_past_reviews(similar))
    return Precedents(results_of(found), tuple(by_text), past, tuple(by_findings))


def _past_reviews(hits: Iterable[WordHit]) -> Iterator[ReviewResult]:
    found = {int(hit.document.fields[0].label): hit for hit in hits}
    rows = {review.id: (review, request) for review, request in review_rows.reviews_with(found)}
    for ident, hit in found.items():
        review, request = rows[ident]
        excerpt = excerpt_of(hit.document.fields[0], hit.words)
        space, name = REGISTRIES[request.registry_id].space, request.asked_name
        outcome = Verdict(review.verdict).label_in(procedure_named(request.procedure))
        whole = space.whole(name) if name else ""
        yield ReviewResult(request.number, whole, outcome, review.at, excerpt)


def _indexes(registry: str) -> tuple[WordIndex, WordIndex]:
    group = group_of(registry)
    edition = edition_rows.latest_edition(group)
    database, newest = record_versions.database_name(), review_rows.newest_review()
    with _BUILDING:
        sections = _section_index(database, registry, edition.n if edition else 0)
        return sections, _review_index(database, newest)


@lru_cache(maxsize=4)
def _section_index(_database: str, registry: str, _edition: int) -> WordIndex:
    tables = tuple(one for one in group_of(registry).registries if REGISTRIES[one].template_page)
    wanted = search_index.SearchIndexQuery(registries=tables, statuses=IN_USE)
    hits = search_index.page(wanted, search_index.SearchIndexOrder(), _MOST_NAMESPACES)
    return WordIndex(_sections_of(hit.registry, hit.record) for hit in hits)


def _sections_of(table: str, record: Registration) -> SearchDocument:
    profile, fields = record.profile, dict(record.fields) or read_template(record.text).fields
    purpose = fields.get("purpose") or profile.description
    sections = (
        SearchField("Title", profile.title, 4.0),
        SearchField("Identifies", profile.names, 4.0),
        SearchField("Purpose", purpose[:_MOST_TEXT], 2.0),
        SearchField("Syntax", fields.get("syntax", "")[:_MOST_TEXT], 1.0),
    )
    return SearchDocument(table, record.folded, tuple(one for one in sections if one.text))


@lru_cache(maxsize=2)
def _review_index(_database: str, newest: int) -> WordIndex:
    return WordIndex(
        SearchDocument("", str(request), (SearchField(str(ident), body, 1.0),))
        for ident, request, body in review_rows.newest_messages(newest, _MOST_REVIEWS)
    )
