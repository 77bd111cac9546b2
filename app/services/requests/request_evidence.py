"""What an action can show: what the tables ask of it, and whether it holds."""

from collections.abc import Callable, Mapping

from app.registration.declarations.registries import procedure_named
from app.registration.submissions.context_checks import STANDARD
from app.services.accounts.parties import accounts_acting_for, conflicts_with, is_held_above
from app.services.experts import fast_track_organizations
from app.services.experts.independence import (
    may_agree,
    may_decide_request,
    may_enter_appeal,
    may_register,
    reads_like_own,
)
from app.services.registry import base_version
from app.services.registry.competing_requests import requests_sent_before
from app.services.requests import appeals
from app.services.requests.action_facts import ActionFacts
from app.store.requests.request_cases import case_of
from app.workflow.evidence import Evidence
from app.workflow.evidence_inputs import says_something
from app.workflow.hard_rules import HardRule
from app.workflow.reviews import Verdict
from app.workflow.states import Action, Role, State, Turn
from app.workflow.transitions import TABLES, TransitionRow

DECIDED: Mapping[Verdict | None, Action] = {
    Verdict.APPROVE: Action.APPROVE,
    Verdict.DECLINE: Action.DECLINE,
}
REMINDERS_NEEDED = 2
PRIORITY = "priority"  # the operator's answer: why a request goes before one that was sent first


def _says(facts: ActionFacts) -> bool:
    return facts.given.says_something


def _is_reported(facts: ActionFacts) -> bool:
    """A report is written once; who enters the directions has it beside them."""
    if facts.action is Action.REPORT:
        return bool(facts.given.detail("report"))
    return any(event.kind == Action.REPORT.past for event in facts.story)


def _is_dated(facts: ActionFacts) -> bool:
    """A decision is dated on the day on which it was asked for, or later."""
    day, asked = facts.given.detail("date"), facts.request.since.date().isoformat()
    return fast_track_organizations.is_past_day(day, facts.command.at) and day >= asked


def _is_day_at_iana(facts: ActionFacts) -> bool:
    """What happens there follows the approval here, and what happened there before."""
    day, before = facts.given.detail("day"), facts.request.iana_day
    earliest = before or facts.request.since.date().isoformat()
    return fast_track_organizations.is_past_day(day, facts.command.at) and day >= earliest


def _is_in_period(facts: ActionFacts) -> bool:
    last = appeals.last_day(facts.story, facts.command.rules.appeal_months)
    return last is not None and facts.command.at.date() <= last


def _is_for_it(facts: ActionFacts) -> bool:
    """Whether the action says yes: any move that asks it, and of reviews those that approve."""
    return facts.action is not Action.REVIEW or facts.given.verdict is Verdict.APPROVE


def _represents(facts: ActionFacts) -> bool:
    """Whether the one who sent the request speaks for a recognized organization."""
    return fast_track_organizations.is_spoken_for(
        facts.request.organization, accounts_acting_for(facts.request), facts.command.at
    )


_HOLDS: Mapping[Evidence, Callable[[ActionFacts], bool]] = {
    Evidence.PROCEDURE: lambda _: True,  # it follows from the registry and from point 7
    Evidence.POSTED: lambda _: True,  # in this commit, or the public page is the posting
    Evidence.STANDARD_ANSWER: lambda f: not any(one.question == STANDARD for one in f.problems),
    Evidence.HARD_RULES: lambda f: not f.problems,
    Evidence.NEW_ITERATION: lambda f: f.is_changed or f.is_defended,
    Evidence.NO_NAME: lambda f: not f.request.asked_name,
    Evidence.SPECIFICATION: lambda f: not f.problems.of_fields({"documentation"}),
    Evidence.AUTHORIZATION: lambda f: f.given.says_something or _represents(f),
    Evidence.RECOGNIZED: lambda f: fast_track_organizations.is_recognized(f.request.organization),
    Evidence.NOT_RECOGNIZED: lambda f: (
        not fast_track_organizations.is_recognized(f.request.organization)
    ),
    Evidence.REASON: _says,
    Evidence.COMMENTS: _says,
    Evidence.RULE: lambda f: f.given.detail("rule") in {rule.value for rule in HardRule},
    Evidence.DECISION: _says,
    Evidence.DIRECTIONS: _says,
    Evidence.EXPLANATION: _says,
    Evidence.GROUNDS: _says,
    Evidence.CURRENT: lambda f: f.given.iteration == f.request.iterations,
    Evidence.NO_PARTY: lambda f: may_decide_request(
        f.request, f.command.actor, f.command.rules.separation, f.parties.authors
    ),
    Evidence.NO_CONFLICT: lambda f: (
        not conflicts_with(
            f.command.actor, f.request, f.command.rules.separation, lambda: f.parties
        )
    ),
    Evidence.CHECKS_ANSWERED: lambda f: (
        not _is_for_it(f) or f.given.says_something or not f.asks_approver
    ),
    Evidence.REVIEWS: lambda f: DECIDED.get(f.decided) is f.action,
    Evidence.REPORT: _is_reported,
    Evidence.BODY: lambda f: bool(f.given.detail("body")),
    Evidence.DEADLOCK: lambda f: f.is_deadlocked and f.given.says_something,
    Evidence.REVIEWED: lambda f: f.panel.have_reviewed,
    Evidence.QUESTIONS_ANSWERED: lambda f: f.panel.have_answered(case_of(f.request)),
    Evidence.ALL_CONFLICTED: lambda f: not f.panel.eligible,
    Evidence.TOO_FEW_ABLE: lambda f: f.panel.status().is_too_small,
    Evidence.NO_LEADER: lambda f: not f.panel.has_leader,
    Evidence.NO_ANSWER: lambda f: f.is_unanswered,
    Evidence.SILENCE: lambda f: f.is_silent,
    Evidence.REMINDERS: lambda f: len(f.reminders) >= REMINDERS_NEEDED,
    Evidence.DUPLICATE: lambda f: f.duplicated is not None,
    Evidence.OVERDUE: lambda f: f.request.due is not None and f.request.due <= f.command.at,
    Evidence.NOT_FLAGGED: lambda f: f.request.delayed is None,
    Evidence.ASKED: lambda f: f.request.asked_procedure is not None,
    Evidence.REFERENCE: lambda f: bool(f.given.detail("reference")),
    Evidence.DATE: _is_dated,
    Evidence.NOT_JUDGED: lambda f: may_enter_appeal(
        f.request, f.command.actor, f.command.rules.separation, f.story
    ),
    Evidence.RELATION: lambda f: (
        says_something(f.given.detail("relation")) or not reads_like_own(f.command.actor, f.request)
    ),
    Evidence.TEMPORARY_EXPERT: lambda f: bool(f.given.detail("expert")),
    Evidence.IN_PERIOD: _is_in_period,
    Evidence.FIRST_APPEAL: lambda f: appeals.is_first(f.story, f.action),
    Evidence.APPEAL_UPHELD: lambda f: appeals.was_upheld(f.story),
    Evidence.OTHER_PERSON: lambda f: may_register(
        f.request, f.command.actor, f.command.rules.separation, f.command.at, f.parties.authors
    ),
    Evidence.WITHIN_SHARE: lambda f: f.gives_alone,
    Evidence.BEYOND_SHARE: lambda f: not f.gives_alone,
    Evidence.SECOND_PERSON: lambda f: may_agree(
        f.request, f.command.actor, f.command.rules.separation, f.parties
    ),
    Evidence.FIRST_SENT: lambda f: (
        says_something(f.given.detail(PRIORITY)) or not requests_sent_before(f.request, f.asking)
    ),
    Evidence.HOLDER_AGREES: lambda f: (
        f.given.says_something or not is_held_above(f.request, f.request.asked_name)
    ),
    Evidence.NAME_FREE: lambda f: bool(f.request.asked_name) and not f.name_is_taken,
    Evidence.NAME_TAKEN: lambda f: f.name_is_taken,
    Evidence.NUMBER: lambda f: f.is_numbered,
    Evidence.PROPOSES: lambda f: f.command.rules.is_proposal,
    Evidence.NOT_SENT_ON: lambda f: f.request.iana_state is None,
    Evidence.SENT_ON: lambda f: case_of(f.request).turn is Turn.IANA,
    Evidence.DAY: _is_day_at_iana,
    Evidence.TICKET: lambda f: bool(f.given.detail("ticket")),
    Evidence.DIFFERENCES: lambda f: base_version.tells_differences(f.request),
    Evidence.BASE_LATEST: lambda f: base_version.is_latest(f.request),
    Evidence.NEWER_VERSION: lambda f: not base_version.is_latest(f.request),
    Evidence.AUTHORITY: lambda f: base_version.is_agreed(f.request),
}


# What no form can give: where it does not stand, the action is not offered.
_STANDS: Mapping[Evidence, Callable[[ActionFacts], bool]] = {
    Evidence.DEADLOCK: lambda f: f.is_deadlocked,
    Evidence.DUPLICATE: lambda f: bool(f.twins),
    Evidence.NAME_FREE: lambda f: not f.name_is_taken,
    **{
        evidence: _HOLDS[evidence]
        for evidence in (
            Evidence.RECOGNIZED,
            Evidence.NOT_RECOGNIZED,
            Evidence.ALL_CONFLICTED,
            Evidence.TOO_FEW_ABLE,
            Evidence.NO_LEADER,
            Evidence.NO_ANSWER,
            Evidence.SILENCE,
            Evidence.REMINDERS,
            Evidence.OVERDUE,
            Evidence.NOT_FLAGGED,
            Evidence.ASKED,
            Evidence.IN_PERIOD,
            Evidence.FIRST_APPEAL,
            Evidence.APPEAL_UPHELD,
            Evidence.NAME_TAKEN,
            Evidence.WITHIN_SHARE,
            Evidence.BEYOND_SHARE,
            Evidence.SECOND_PERSON,
            Evidence.BASE_LATEST,
            Evidence.NEWER_VERSION,
            Evidence.PROPOSES,
            Evidence.NOT_SENT_ON,
            Evidence.SENT_ON,
        )
    },
}


def is_offered(facts: ActionFacts, roles: frozenset[Role], *, barred: bool = False) -> bool:
    """Whether somebody with these roles could take the action with what its form asks for.

    Who is ``barred`` has a part in the request, and decides nothing about it.
    """
    return any(
        not (barred and Evidence.NO_PARTY in row.evidence)
        and all(_STANDS[evidence](facts) for evidence in row.evidence if evidence in _STANDS)
        for row in TABLES[procedure_named(facts.request.procedure)]
        if row.action is facts.action
        and row.source is State(facts.request.state)
        and row.role in roles
    ) and _is_sensible(facts)


def _is_sensible(facts: ActionFacts) -> bool:
    """Whether it leads anywhere: where nothing is registered, no page for that is offered."""
    if facts.action is Action.REGISTER and facts.command.rules.is_proposal:
        return False
    if case_of(facts.request).has_ended_at_iana:
        return False
    return not objection_to(facts)


def objection_to(facts: ActionFacts) -> str:
    """Why an action is nobody's to take as it stands, whoever they are; nothing where it is.

    An expert returns by a review, which is on record as one. Nobody takes what they have, or
    passes on what they lack.
    """
    action, number = facts.action, facts.request.number
    has_it = facts.command.actor.id in facts.assigned
    if action is Action.RETURN and facts.request.state == State.EXPERT_REVIEW and not facts.review:
        return f"To return a request, send a review with your reasons: /review/{number}."
    if action is Action.PASS_ON and not has_it:
        return "This request isn't assigned to you, so you can't pass it on. Take it first."
    if action is Action.TAKE_ON and has_it:
        return f"This request is already assigned to you. Review it: /review/{number}."
    return ""


# What a name that is given to another request takes away.
_OF_THE_SHARE = frozenset({Evidence.WITHIN_SHARE})


def evidence_gone(facts: ActionFacts, row: TransitionRow) -> frozenset[Evidence]:
    """What of the evidence of a move went while it waited for its edition; others gave names."""
    return frozenset(e for e in row.evidence & _OF_THE_SHARE if not _HOLDS[e](facts))


def evidence_for(facts: ActionFacts) -> frozenset[Evidence]:
    """What holds of all that the tables ask of this action here; nothing else is looked at."""
    asked = {
        evidence
        for row in TABLES[procedure_named(facts.request.procedure)]
        if row.action is facts.action and row.source is State(facts.request.state)
        for evidence in row.evidence
    }
    return frozenset(e for e in asked if e in _HOLDS and _HOLDS[e](facts))
