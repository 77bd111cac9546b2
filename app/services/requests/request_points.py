"""How what was asked of a text is answered."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

from app.pages.text.template_diff import TemplateDifference, difference, names_changed
from app.problems import use_case_codes
from app.registration.records.record_documents import canonical_json
from app.registration.submissions.text_points import (
    PointReply,
    PointReplyKind,
    answer_field,
)
from app.services.refusals import InvalidInput
from app.services.registry.base_version import comparable_text
from app.services.requests.drafts import OpenDraft, sent_fields
from app.services.requests.point_sources import RequestPoint, place_of, points_of
from app.store.requests import iteration_rows, request_rows
from app.store.tables import Request
from app.workflow.evidence_inputs import says_something

ANSWERS = "answers"  # in the record of a text that was sent again


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
        said = "Changed." if self.kind is PointReplyKind.CHANGED else "Not changed."
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


def answered_points(
    request: Request, writing: OpenDraft, given: Mapping[str, PointReply] | None = None
) -> tuple[AnsweredPoint, ...]:
    """Each point with the answer that it has by now: given with the form, saved, or changed.

    Whose field differs from the text that was sent is changed. Whoever says that they changed
    something has changed that field, or another one and says so in words: nobody is told more
    than is so.
    """
    changed = changed_since_sent(request, writing)
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
    before = _sent_last(request) if request else None
    return difference(before, _written(writing)) if before else None


def changed_since_sent(request: Request, writing: OpenDraft) -> frozenset[str]:
    """What a draft changes of the text that was sent last, as everybody is shown it."""
    return names_changed(_sent_last(request) or {}, _written(writing))


def _sent_last(request: Request) -> dict[str, str] | None:
    sent = iteration_rows.find_iteration(request.number, request.iterations)
    return comparable_text(sent.fields, sent.organization) if sent else None


def _written(writing: OpenDraft) -> dict[str, str]:
    return comparable_text(sent_fields(writing), writing.organization)


def _reply(
    point: RequestPoint, said: PointReply | None, changed: Collection[str]
) -> PointReply | None:
    if said is not None and said.kind is PointReplyKind.LEFT:
        return said if says_something(said.words) else None
    if said is not None:
        is_shown = not point.point.field or point.point.field in changed
        return said if changed and (is_shown or says_something(said.words)) else None
    return PointReply(PointReplyKind.CHANGED) if point.point.field in changed else None


def refuse_unanswered(answered: Collection[AnsweredPoint]) -> None:
    """Raises InvalidInput where something that was asked has no answer yet."""
    missing = next((one for one in answered if one.is_open), None)
    if missing is not None:
        raise InvalidInput(
            use_case_codes.VALUE_MISSING,
            f"A question from {missing.of.who[:1].lower()}{missing.of.who[1:]} has no answer "
            f"({place_of(missing.of.point.field, missing.of.point.line)}). Choose whether you "
            "changed the text, or explain why not.",
            field=answer_field(missing.of.key),
        )


def answers_to_send(answered: Collection[AnsweredPoint]) -> dict[str, str]:
    """What the record keeps of the answers, as details of the event."""
    kept = [asdict(one) for one in answers_among(answered)]
    return {ANSWERS: canonical_json({ANSWERS: kept})} if kept else {}


def answers_among(answered: Collection[AnsweredPoint]) -> tuple[PointAnswer, ...]:
    """The answers that would go with the text now."""
    return tuple(_kept(one.of, one.reply) for one in answered if one.reply)


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
    lines = [line.removeprefix(">").removeprefix(" ") for line in answer.asked.strip().split("\n")]
    is_named = lines[0].strip() in (answer.place, place_of(answer.field))
    return "\n".join(lines[is_named and len(lines) > 1 :]).strip("\n").split("\n")
