"""What a return, its reviews and the discussion ask of the text that was sent last."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from app.pages.text.template_diff import readable_fields
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES
from app.registration.profiles.profile_answers import PROFILE, labels_of_facts
from app.registration.submissions.text_points import (
    LONGEST_REPLY,
    PointReply,
    TextPlaces,
    TextPoint,
    find_point_field,
    point_fields,
    points_in,
    words_field,
)
from app.services.accounts.actors import accounts_acting_for
from app.services.input_texts import require_storable
from app.services.notifications.person_names import role_words, speaker_of
from app.services.refusals import InvalidInput
from app.store.event_log import event_rows
from app.store.mail import correspondence
from app.store.requests import iteration_rows, review_rows
from app.store.requests.iteration_rows import IterationText
from app.store.tables import Request
from app.store.tables.discussion import Channel
from app.workflow.reviews import Verdict
from app.workflow.states import Action, Role, State

MOST_OF_DISCUSSION = 100  # points of comments that stand at fields
_RETURNING = frozenset(
    action.past for action in (Action.RETURN, Action.ASK_CHANGES, Action.COLLISION, Action.STALE)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPoint:
    """One thing that was said of the text that was sent last.

    ``key`` tells it from all others for ever. It ``is_asked`` where the text does not go back
    without an answer to it; others can be answered too.
    """

    key: str
    who: str
    at: datetime
    point: TextPoint
    is_asked: bool


def place_of(field: str, line: int = 0) -> str:
    """A field by its label, and a line of it; the whole text where none is meant."""
    declared = find_point_field(field)
    if declared is None:
        return "The whole text"
    return f"{declared.label}, line {line}" if line else declared.label


def points_of(request: Request) -> tuple[RequestPoint, ...]:
    """What was said of the text that was sent last, in the order of its fields, asked first.

    Of a review that its author took back by another only the other one counts; of the
    discussion what others than the registrant said of a field, the first ``MOST_OF_DISCUSSION``
    of it: the whole stands on the page of the request.
    """
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    if sent is None:
        return ()
    fields = point_fields(REGISTRIES[request.registry_id])
    texts, parts = (
        readable_fields(sent.fields),
        dict.fromkeys(labels_of_facts(sent.fields), PROFILE),
    )
    asked = (*_of_returns(request, sent), *_of_reviews(request, sent))
    points = [*_cut(asked, TextPlaces(fields, texts, parts))]
    said = _cut(_of_comments(request, sent), TextPlaces(fields, texts, parts))
    points += islice(said, MOST_OF_DISCUSSION)
    places = {field.name: place for place, field in enumerate(fields, 1)}
    return tuple(
        sorted(
            points,
            key=lambda one: (places.get(one.point.field, 0), not one.is_asked, one.point.line),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PointSource:
    key: str
    who: str
    at: datetime
    words: str
    field: str = ""
    is_asked: bool = False
    is_whole: bool = True

    def points(self, places: TextPlaces) -> Iterator[RequestPoint]:
        """What they ask, each thing at its place."""
        found = points_in(self.words, places, self.field)
        for n, point in enumerate(found, 1):
            if self.is_whole or point.field:
                asked = self.is_asked and not _only_introduces(point, found)
                key = f"{self.key}_{n}"
                yield RequestPoint(key=key, who=self.who, at=self.at, point=point, is_asked=asked)


def _cut(sources: Iterable[_PointSource], places: TextPlaces) -> Iterator[RequestPoint]:
    return (point for source in sources for point in source.points(places))


def _only_introduces(point: TextPoint, all_of_it: Collection[TextPoint]) -> bool:
    return not point.field and "?" not in point.words and any(one.field for one in all_of_it)


def _of_returns(request: Request, sent: IterationText) -> Iterator[_PointSource]:
    for event in event_rows.of_request(request.number):
        if event.kind in _RETURNING and event.iteration == sent.k and event.review is None:
            yield _PointSource(
                key=f"event_{event.n}",
                who=role_words(event.role),
                at=event.at,
                words=event.reason,
                is_asked=request.state == State.WITH_REQUESTER,
            )


def _of_reviews(request: Request, sent: IterationText) -> Iterator[_PointSource]:
    given = [row for row in review_rows.reviews_of(request.number) if row.iteration == sent.k]
    newest = {row.author: row.id for row in given if row.verdict != Verdict.COMMENT}
    for row in given:
        if row.verdict == Verdict.COMMENT or newest[row.author] == row.id:
            yield _PointSource(
                key=f"review_{row.id}",
                who=role_words(Role.LEADER if row.leader else Role.EXPERT),
                at=row.at,
                words=row.body,
                is_asked=row.verdict != Verdict.APPROVE and request.state == State.WITH_REQUESTER,
                is_whole=row.verdict != Verdict.APPROVE,
            )


def _of_comments(request: Request, sent: IterationText) -> Iterator[_PointSource]:
    rows, own = correspondence.comments_of(request.number), accounts_acting_for(request)
    replaced = {row.replaces for row in rows if row.replaces}
    for row in rows:
        is_others = row.author not in own or row.channel == Channel.PLACED
        if row.at >= sent.at and row.id not in replaced and is_others:
            yield _PointSource(
                key=f"comment_{row.id}",
                who=speaker_of(row),
                at=row.at,
                words=row.body,
                field=row.section,
                is_whole=False,
            )


def check_replies(replies: Mapping[str, PointReply]) -> None:
    """Refuse an answer that nothing can keep, or that is longer than a sentence, where it stands.

    Raises InvalidInput with the field of its words.
    """
    for key, reply in replies.items():
        field = words_field(key)
        require_storable({field: reply.words})
        if len(reply.words) > LONGEST_REPLY:
            raise InvalidInput(
                use_case_codes.VALUE_TOO_LONG,
                f"Your answer is too long. Use at most {LONGEST_REPLY} characters.",
                field=field,
            )


def refuse_unknown(replies: Mapping[str, PointReply], points: Iterable[RequestPoint]) -> None:
    """Refuse an answer to what is not asked: its words are told, since no field shows them."""
    asked = {one.key for one in points}
    unknown = next((key for key in replies if key not in asked), None)
    if unknown is not None:
        words = replies[unknown].words.strip()
        raise InvalidInput(
            use_case_codes.CHOICE_UNKNOWN,
            f"A question you answered (`{unknown}`) has changed or was "
            f"withdrawn.{f' Your answer was: “{words}”.' if words else ''} Nothing was saved. "
            "Answer the questions shown now, and submit again.",
        )
