"""What an expert wants to see beside a request: what is like it, and what was said before."""

from dataclasses import dataclass

from app.pages.text.template_diff import TemplateDifference
from app.services.registry.snapshots import taken_index
from app.services.requests.detail import RequestDetail
from app.services.requests.request_summaries import RequestSummary, row_of
from app.services.requests.text_studies import difference_between
from app.store.event_log import event_rows
from app.store.requests import request_rows
from app.workflow.states import Action, State

MOST = 10
_DECIDED = tuple(state for state in State if state.is_final and not state.is_private)
_OBJECTED = frozenset(
    action.past for action in (Action.RETURN, Action.DECLINE, Action.REFUSE, Action.UPHOLD)
)


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """An earlier request for the same name or one like it, with what was objected then."""

    row: RequestSummary
    objections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewerContext:
    """Registered names like the one asked for, earlier requests, and what changed since."""

    similar: tuple[str, ...]
    earlier: tuple[EarlierRequest, ...]
    reviewed: int | None
    changed: TemplateDifference | None

    @property
    def words_changed(self) -> int:
        """How many words were added or taken away since the reader's review."""
        fields = self.changed.changed if self.changed else ()
        return sum(
            len(piece.text.split())
            for field in fields
            for piece in field.pieces
            if piece.kind != "same"
        )


def reviewer_context(page: RequestDetail) -> ReviewerContext:
    """What stands beside a request for the expert who reads it."""
    reviewed = _reviewed(page)
    return ReviewerContext(
        _similar(page.row), _earlier(page.row), reviewed, _changed(page, reviewed)
    )


def _similar(row: RequestSummary) -> tuple[str, ...]:
    if not row.name or row.registry.numbering:
        return ()
    index = taken_index(row.registry.space)
    alike = {*index.find_look_alikes(row.name), *index.find_one_edit_away(row.name)}
    return tuple(sorted(alike - {row.name})[:MOST])


def _earlier(row: RequestSummary) -> tuple[EarlierRequest, ...]:
    if not row.name or row.registry.numbering:
        return ()
    shape_of = row.registry.space.shape
    shape = shape_of(row.name)
    numbers = [
        number
        for number, name in request_rows.names_asked(row.registry.id, _DECIDED)
        if shape_of(name) == shape and number != row.number
    ]
    found = request_rows.requests_by_number(numbers[-MOST:])
    return tuple(EarlierRequest(row_of(one), _objections(one.number)) for one in reversed(found))


def _objections(number: int) -> tuple[str, ...]:
    story = event_rows.of_request(number)
    return tuple(event.reason for event in story if event.kind in _OBJECTED and event.reason)


def _reviewed(page: RequestDetail) -> int | None:
    """The newest earlier text that the reader reviewed."""
    own = [review.iteration for review in page.reviews if review.own]
    before = [k for k in own if k < len(page.iterations)]
    return before[-1] if before and before[-1] == own[-1] else None


def _changed(page: RequestDetail, reviewed: int | None) -> TemplateDifference | None:
    if reviewed is None or page.latest is None:
        return None
    return difference_between(page.row.number, page.iterations[reviewed - 1], page.latest)
