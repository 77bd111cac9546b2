"""What a return, its reviews and the discussion ask of a text, and how each is answered."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice

from app.pages.text.template_diff import TemplateDifference, difference
from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, Field, Widget, find_field
from app.registration.records.record_documents import canonical_json
from app.registration.submissions.text_points import (
    PointReply,
    PointReplyKind,
    TextPlaces,
    TextPoint,
    points_in,
)
from app.services.accounts.parties import acting_for
from app.services.notifications.attribution import role_words, speaker_of
from app.services.refusals import InvalidInput
from app.services.requests.drafts import OpenDraft, sent_fields
from app.store.event_log import event_rows
from app.store.mail import correspondence
from app.store.requests import request_rows
from app.store.requests.request_rows import IterationText
from app.store.tables import Request
from app.store.tables.discussion import Channel
from app.workflow.reviews import Verdict
from app.workflow.states import Action, Role, State

MOST_OF_DISCUSSION = 100  # points of comments that stand at fields
ANSWERS = "answers"  # in the record of a text that was sent again
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PointAnswer:
    """How a point was answered, as it went with the text: kept as it was asked and said."""

    key: str
    who: str
    field: str
    line: int
    asked: str
    kind: PointReplyKind
    words: str

    @property
    def in_words(self) -> str:
        """The answer as everybody reads it."""
        said = "Changed." if self.kind is PointReplyKind.CHANGED else "Left as it is."
        return f"{said} {self.words}".strip()

    @property
    def review(self) -> int:
        """The review that asked it; 0 where none did."""
        origin, ident, *_ = self.key.split("_")
        return int(ident) if origin == "review" else 0

    @property
    def place(self) -> str:
        """Where the point speaks of, in words."""
        return place_of(self.field, self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredPoint:
    """A point beside what its author answers so far; ``reply`` is None where it is open."""

    of: RequestPoint
    reply: PointReply | None
    is_changed: bool

    @property
    def is_open(self) -> bool:
        """Whether the text does not go back before it is answered."""
        return self.of.is_asked and self.reply is None


def place_of(field: str, line: int = 0) -> str:
    """A field by its label, and a line of it; the whole text where none is meant."""
    declared = find_field(field)
    if declared is None:
        return "The whole text"
    return f"{declared.label}, line {line}" if line else declared.label


def points_of(request: Request) -> tuple[RequestPoint, ...]:
    """What was said of the text that was sent last, in the order of its fields, asked first.

    Of a review that its author took back by another only the other one counts; of the
    discussion what others than the registrant said of a field, the first ``MOST_OF_DISCUSSION``
    of it: the whole stands on the page of the request.
    """
    sent = request_rows.find_iteration(request.number, request.iterations)
    if sent is None:
        return ()
    fields = _spoken_of(request)
    asked = (*_of_returns(request, sent), *_of_reviews(request, sent))
    points = [*_cut(asked, TextPlaces(fields, sent.fields))]
    said = _cut(_of_comments(request, sent), TextPlaces(fields, sent.fields))
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
    """Words that are cut into points. ``is_whole``: also what is said of no field."""

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
    """What all of them ask; what anybody may say takes nothing from what has to be answered."""
    return (point for source in sources for point in source.points(places))


def _only_introduces(point: TextPoint, all_of_it: Collection[TextPoint]) -> bool:
    """Whether words of no field only lead to those that are: "Thank you. Two things:"."""
    return not point.field and "?" not in point.words and any(one.field for one in all_of_it)


def _spoken_of(request: Request) -> tuple[Field, ...]:
    fields = REGISTRIES[request.registry_id].public_fields
    return tuple(field for field in fields if field.widget is not Widget.FILLED_IN)


def _of_returns(request: Request, sent: IterationText) -> Iterator[_PointSource]:
    """The words of a return that is no review: of an operator, or of a body."""
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
    """The reviews of that text; who approves it asks for nothing."""
    given = [row for row in request_rows.reviews_of(request.number) if row.iteration == sent.k]
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
    """What others said of a field since that text was sent."""
    rows, own = correspondence.comments_of(request.number), acting_for(request)
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


def answered_points(
    request: Request, writing: OpenDraft, given: Mapping[str, PointReply] | None = None
) -> tuple[AnsweredPoint, ...]:
    """Each point with the answer that it has by now: given with the form, saved, or changed.

    Whose field differs from the text that was sent is changed. Whoever says that they changed
    something has changed that field, or another one and says so in words: nobody is told more
    than is so.
    """
    sent = request_rows.find_iteration(request.number, request.iterations)
    changed = _changed_fields(sent.fields if sent else {}, sent_fields(writing))
    replies = {**writing.replies, **(given or {})}
    return tuple(
        AnsweredPoint(
            of=one,
            reply=_reply(one, replies.get(one.key), changed),
            is_changed=one.point.field in changed,
        )
        for one in points_of(request)
    )


def points_of_draft(
    writing: OpenDraft, given: Mapping[str, PointReply] | None = None
) -> tuple[AnsweredPoint, ...]:
    """What was asked of the text before a draft, with what its author answers so far."""
    request = request_rows.find_request(writing.number)
    return answered_points(request, writing, given) if request else ()


def changes_of_draft(writing: OpenDraft) -> TemplateDifference | None:
    """What a draft changes of the text that was sent last; None where none was."""
    request = request_rows.find_request(writing.number)
    sent = request_rows.find_iteration(writing.number, request.iterations) if request else None
    return difference(sent.fields, sent_fields(writing)) if sent else None


def _changed_fields(before: Mapping[str, str], now: Mapping[str, str]) -> frozenset[str]:
    names = {*before, *now}
    return frozenset(name for name in names if before.get(name, "") != now.get(name, ""))


def _reply(
    point: RequestPoint, said: PointReply | None, changed: Collection[str]
) -> PointReply | None:
    if said is not None and said.kind is PointReplyKind.LEFT:
        return said if said.words.strip() else None
    if said is not None:
        is_shown = not point.point.field or point.point.field in changed or said.words.strip()
        return said if changed and is_shown else None
    return PointReply(PointReplyKind.CHANGED) if point.point.field in changed else None


def refuse_unanswered(answered: Collection[AnsweredPoint]) -> None:
    """Raises InvalidInput where something that was asked has no answer yet."""
    missing = next((one for one in answered if one.is_open), None)
    if missing is not None:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"{missing.of.who} asked something that has no answer yet "
            f"({place_of(missing.of.point.field, missing.of.point.line)}). "
            "Change it and say so, or say in a sentence why you leave it as it is.",
            field=answer_field(missing.of.key),
        )


def answers_to_send(answered: Collection[AnsweredPoint]) -> dict[str, str]:
    """What the record keeps of the answers, as details of the event."""
    kept = [asdict(one) for one in answers_among(answered)]
    return {ANSWERS: canonical_json({ANSWERS: kept})} if kept else {}


def answers_among(answered: Collection[AnsweredPoint]) -> tuple[PointAnswer, ...]:
    """The answers that would go with the text now."""
    return tuple(_kept(one.of, one.reply) for one in answered if one.reply)


def answer_field(key: str) -> str:
    """The field of a form that asks how a point is answered."""
    return f"answer_{key}"


def _kept(asked: RequestPoint, reply: PointReply) -> PointAnswer:
    return PointAnswer(
        key=asked.key,
        who=asked.who,
        field=asked.point.field,
        line=asked.point.line,
        asked=asked.point.words,
        kind=reply.kind,
        words=reply.words.strip(),
    )


def answers_in(details: Mapping[str, str | int]) -> tuple[PointAnswer, ...]:
    """The answers that went with a text, from what the record says of its sending."""
    kept = json.loads(str(details.get(ANSWERS) or "{}")).get(ANSWERS, ())
    return tuple(PointAnswer(**one | {"kind": PointReplyKind(one["kind"])}) for one in kept)


def answers_as_text(answers: Collection[PointAnswer]) -> str:
    """The answers as mail and plain documents say them: what was asked, quoted, then the answer."""
    return "\n\n".join(map(_as_text, answers))


def _as_text(answer: PointAnswer) -> str:
    asked = "\n".join(f"> {line}".rstrip() for line in _without_place(answer))
    return f"{answer.who} asked ({answer.place}):\n{asked}\n\n{answer.in_words}"


def _without_place(answer: PointAnswer) -> list[str]:
    """What was asked, quoted once: whoever asked quoted the text, or named only the field."""
    lines = [line.removeprefix(">").removeprefix(" ") for line in answer.asked.strip().split("\n")]
    is_named = lines[0].strip() in (answer.place, place_of(answer.field))
    return "\n".join(lines[is_named and len(lines) > 1 :]).strip("\n").split("\n")
