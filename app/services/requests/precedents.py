"""Precedents of a request: namespaces with a similar purpose or syntax, and earlier reviews."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from app.exports.search.search_terms import IN_USE
from app.exports.search.word_index import SearchDocument, SearchField, WordHit, WordIndex
from app.pages.lists.search_results import ReviewResult, SearchResult, excerpt_of, results_of
from app.registration.declarations.registries import REGISTRIES, procedure_named
from app.registration.declarations.registry_groups import group_of
from app.registration.records.registry_records import Registration
from app.registration.templates.template_reader import read_template
from app.services.requests.detail.request_detail import RequestDetail
from app.store.editions import edition_rows
from app.store.registry import record_versions, search_index
from app.store.requests import review_rows
from app.workflow.reviews import Verdict

MOST = 5  # results of each kind
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
    text = f"{fields.get('purpose', '')}\n{fields.get('syntax', '')}"
    by_text = asked.split() or sections.characteristic_words(text, name)
    found = sections.find(" ".join(by_text), MOST, apart=name)
    findings = " ".join(finding.message for finding in page.findings)
    by_findings = (
        asked.split() or reviews.characteristic_words(findings, str(row.number)) or tuple(by_text)
    )
    past = tuple(_past_reviews(reviews.find(" ".join(by_findings), MOST, apart=str(row.number))))
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
