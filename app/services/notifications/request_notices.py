"""What a letter about a request is filled in with, for each who gets it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, partial

from app.messages.message_threads import LONGEST_ID
from app.messages.notices import NoticeKind
from app.pages.mail.letters import action_words
from app.pages.text.phrases import day_phrase
from app.registration.declarations.registries import REGISTRIES, Registry, alone_sentence
from app.registration.records.registry_records import Purpose
from app.services.accounts.actors import Actor
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.registry.base_version import NamesAsked
from app.services.request_status.request_status import (
    RequestSummary,
    StatusReader,
    row_of,
    status_of,
)
from app.store.event_log import event_rows
from app.store.mail import correspondence, outbox_messages
from app.store.requests import iteration_rows
from app.store.requests.iteration_rows import IterationText
from app.store.requests.request_cases import case_of
from app.store.tables import Request
from app.workflow.action_rows import Audience
from app.workflow.body_names import IANA_BODIES, BodyNames, named_body
from app.workflow.engine import ProcedureCase
from app.workflow.reviews import Review
from app.workflow.states import Action, State, Turn

LONGEST_PURPOSE = 240  # characters of the purpose that a letter tells


@dataclass(frozen=True, kw_only=True)
class RequestNotice:
    """Something that happened to a request, and by whom.

    ``review`` is a review that was given with it, of which there is no event yet.
    ``told`` has more facts of the record: labels and texts. ``asking`` has the subjects of open
    requests, if they were read already. ``last_appeal`` is the last
    day on which what was decided can be appealed.
    """

    request: Request
    action: Action
    actor: Actor
    at: datetime
    reason: str
    told: tuple[tuple[str, str], ...] = ()
    sent: bool = False  # whether a text was sent with it
    also: tuple[Audience, ...] = ()
    asking: Callable[[], NamesAsked] | None = None
    last_appeal: date | None = None
    rules: ProcedureSettings = USUAL_RULES
    review: Review | None = None

    @property
    def case(self) -> ProcedureCase:
        """The request as the tables know it, after what happened."""
        return case_of(self.request)

    @cached_property
    def row(self) -> RequestSummary:
        """The request as lists show it, after what happened."""
        return row_of(self.request, self.at, self.rules, self.review)


# Whose turn it is, where the due day is that of what they are asked to do.
_TURNS: Mapping[Audience, frozenset[Turn]] = {
    Audience.REGISTRANT: frozenset({Turn.REGISTRANT}),
    Audience.RECEIPT: frozenset({Turn.REGISTRANT}),
    Audience.OPERATORS: frozenset({Turn.OPERATOR, Turn.IESG}),
    **{
        audience: frozenset({Turn.EXPERTS})
        for audience in (Audience.EXPERTS, Audience.NEXT, Audience.LEADERS, Audience.APPOINTED)
    },
}


_READERS: Mapping[Audience, StatusReader] = {
    Audience.REGISTRANT: StatusReader.REGISTRANT,
    Audience.RECEIPT: StatusReader.REGISTRANT,
    Audience.OPERATORS: StatusReader.OPERATOR,
    Audience.EXPERTS: StatusReader.EXPERT,
    Audience.NEXT: StatusReader.EXPERT,
    Audience.APPOINTED: StatusReader.LEADER,
    Audience.LEADERS: StatusReader.LEADER,
}
_AWAITED = frozenset({Audience.EXPERTS, Audience.NEXT, Audience.APPOINTED})


def arguments_of(
    news: RequestNotice, audience: Audience, newest: IterationText | None, bodies: BodyNames
) -> dict[str, str]:
    """What a letter says to one audience: what happened, what to do, what comes next, and of what.

    ``newest`` is the text that was sent last, and ``bodies`` are those that decide here.
    """
    number, named = news.request.number, news.request.assigned_name or news.request.asked_name
    registry = REGISTRIES[news.request.registry_id]
    name = registry.called(named)
    words = action_words(news.action, audience, _known(news, name))
    due = _due(news, audience)
    said = partial(bodies.put_into, typed=news.request.body or "")
    return {
        "number": str(number),
        "name": name,
        "mark": registry.space.mark,
        "due": due,
        "happened": said(words.happened),
        "what": said(words.what),
        "todo": said(words.todo),
        "next": said(_next(news, audience, is_due_said=bool(words.todo and due))),
        "summary": _synopsis(news, newest, bodies).text,
        "reason": news.reason,
        "told": "\n".join(f"{label}: {text}" for label, text in news.told),
        "advises": "yes" if _advises(news.case) else "",
    }


def lone_name_sentence(request: Request, prefix: str) -> str:
    """That its name holds at this site alone, whose numbers begin so; nothing where it has none."""
    named = request.assigned_name or request.asked_name or ""
    if not named and State(request.state).is_final:
        return ""
    space = REGISTRIES[request.registry_id].space
    is_new = request.purpose == Purpose.NEW
    return alone_sentence(space, space.fold(named), prefix, given_here=is_new)


def _advises(case: ProcedureCase) -> bool:
    return case.state is State.EXPERT_REVIEW and case.turn is not Turn.EXPERTS


def _known(news: RequestNotice, name: str) -> dict[str, str]:
    request, case = news.request, news.case
    body = named_body(request.body or "")
    return {
        "number": str(request.number),
        "name": name,
        "state": request.state,
        "turn": case.turn,
        "procedure": request.procedure,
        "asked": request.asked_procedure or "",
        "body": body[:1].upper() + body[1:],  # it begins a sentence
        "revises": "yes" if case.purpose is Purpose.REVISION else "",
        "sends_on": "yes" if news.rules.is_proposal else "",
        "last_appeal": day_phrase(news.last_appeal) if news.last_appeal else "",
    }


def _due(news: RequestNotice, audience: Audience) -> str:
    last = _last_day(news)
    theirs = news.case.turn in _TURNS.get(audience, frozenset())
    return f", due {day_phrase(last)}" if last and theirs else ""


def _last_day(news: RequestNotice) -> date | None:
    due = news.request.due
    return (due - timedelta(days=1)).date() if due and due > news.at else None


def _next(news: RequestNotice, audience: Audience, *, is_due_said: bool) -> str:
    case, last = news.case, _last_day(news)
    if case.state is None or case.state.is_private:
        return ""
    panel = news.row.panel
    step = status_of(
        news.row,
        news.at,
        _READERS.get(audience, StatusReader.PUBLIC),
        is_awaited=audience in _AWAITED and bool(panel and panel.awaited),
        is_proposal=news.rules.is_proposal,
    ).brief
    return (
        f"{step} The next step is due by {day_phrase(last)}." if last and not is_due_said else step
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSynopsis:
    """What a letter tells of a request, for whoever does not remember it."""

    number: int
    case: ProcedureCase
    registry: Registry
    organization: str
    purpose: str
    bodies: BodyNames = IANA_BODIES

    @property
    def text(self) -> str:
        """A few lines, each begun by white space, so that they stay lines; then the purpose."""
        state, change = self.case.state, self.case.purpose is Purpose.REVISION
        stands = self.case.at_iana.label if self.case.at_iana else state.words if state else ""
        asked = f"{'a change to a' if change else 'a new'} {self.registry.label}"
        lines = [
            f"Request {self.number}: {asked}, {self.case.procedure} procedure",
            f"Registrant: {self.organization}" if self.organization else "",
            f"State: {self.bodies.put_into(stands)}" if stands else "",
        ]
        told = "\n".join(f"  {line}" for line in lines if line)
        purpose = _shortened(self.purpose)
        return f"{told}\n\nPurpose: {purpose}" if purpose else told


def _synopsis(
    news: RequestNotice, newest: IterationText | None, bodies: BodyNames
) -> RequestSynopsis:
    return RequestSynopsis(
        number=news.request.number,
        case=news.case,
        registry=REGISTRIES[news.request.registry_id],
        organization=news.request.organization,
        purpose=newest.fields.get("purpose", "") if newest else "",
        bodies=bodies,
    )


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    if len(words) <= LONGEST_PURPOSE:
        return words
    return words[:LONGEST_PURPOSE].rpartition(" ")[0] + " …"


def texts_of(number: int) -> list[str]:
    """The Message-IDs under which the texts of a request were posted, oldest first."""
    sent = iteration_rows.iterations_of(number)
    return [text.message_id for text in sent if text.message_id]


def chain_to(number: int, parent: str) -> list[str]:
    """The thread of a request from its first message to one of its messages, each named once."""
    if not parent:
        return []
    answered = {row.message_id: row.answers for row in correspondence.comments_of(number)}
    branch = [parent]
    while (above := answered.get(branch[0], "")) and above not in branch:
        branch.insert(0, above)
    texts = texts_of(number)
    trunk = texts[: texts.index(branch[0])] if branch[0] in texts else texts
    return [*trunk, *branch]


def find_parent(number: int, followed: Sequence[str], *, is_posted: bool) -> str:
    """The message of a request's thread that a message answers; the newest text where none is.

    ``followed`` has the nearest last. Who answers a copy of their own answers what it is a copy
    of; what nobody here knows can be answered by those who have it from the list.
    """
    texts = texts_of(number)
    here = {row.message_id for row in correspondence.comments_of(number)} | set(texts)
    for ident in reversed(followed):
        sent = outbox_messages.find(ident)
        found = _copied(sent, number) if sent else ident
        if found in here or (sent and found == ident):
            return found
        if is_posted and not sent and ident == followed[-1] and len(ident) <= LONGEST_ID:
            return ident
    return texts[-1] if texts else ""


def _copied(sent: outbox_messages.OutgoingMessage, number: int) -> str:
    if sent.template == NoticeKind.LIST and sent.arguments["number"] == str(number):
        return sent.message_id
    event = event_rows.find(sent.event) if sent.event is not None else None
    if event is None or sent.template != NoticeKind.COMMENT:
        return ""
    comment = correspondence.find_comment(json.loads(event.body)["comment"])
    return comment.message_id if comment else ""
